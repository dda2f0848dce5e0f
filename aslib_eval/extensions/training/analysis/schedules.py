"""Schedules made from runtimes: a neighbourhood's (SUNNY), one tried first (ASAP)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Mask = NDArray[np.bool_]
Step = tuple[int, float | None]  # algorithm, budget (None = up to the cutoff)


def sunny_schedule(
    times: Numbers, solved: Mask, *, backup: int, cutoff: float
) -> list[Step]:
    """The schedule of a neighbourhood: each algorithm's share of the cutoff.

    times, solved: (k, n_algorithms) of the neighbours. Algorithms are chosen
    greedily by what they solve beyond the others, then by their time on it, then by
    order. Each gets one slot of the cutoff for every neighbour it solves, ``backup``
    one for every neighbour that nobody chosen solves; the fastest on average over
    the neighbours (the cutoff where unsolved) runs first.
    Source: Amadini, Gabbrielli, Mauro 2014, SUNNY, section 3; the portfolio is
    found greedily, as in SUNNY-AS2, not by trying all.
    """
    chosen, left = _cover(times, solved)
    slots = {a: int(solved[:, a].sum()) for a in chosen}
    if left.any():
        slots[backup] = slots.get(backup, 0) + int(left.sum())
    mean = np.where(solved, times, cutoff).mean(axis=0)
    unit = cutoff / sum(slots.values())
    order = sorted(slots, key=lambda a: (mean[a], a))
    return [(a, slots[a] * unit) for a in order]


def _cover(times: Numbers, solved: Mask) -> tuple[list[int], Mask]:
    """Algorithms that together solve all that is solved, and what is left."""
    chosen: list[int] = []
    left = np.ones(len(times), bool)
    while True:
        new = solved & left[:, None]
        gain = new.sum(axis=0)
        if not gain.any():
            return chosen, left
        spent = np.where(new, times, 0.0).sum(axis=0)
        best = int(np.lexsort((spent, -gain))[0])
        chosen.append(best)
        left &= ~solved[:, best]


@dataclass(frozen=True)
class Trial:
    """Training runs, and what a selector would take after a schedule.

    times, solved: (n, n_algorithms); then_time, then_solved: (n,) of the algorithm
    that the selector picks for each instance without having seen it.
    """

    times: Numbers
    solved: Mask
    then_time: Numbers
    then_solved: Mask
    cutoff: float
    penalty: float

    def cost(self, spent: Numbers, done: Mask) -> Numbers:
        """PAR of running the pick after ``spent``, 0 where ``done``: (n,) or wider."""
        tail = (slice(None), *(None,) * (spent.ndim - 1))
        end = spent + self.then_time[tail]
        reached = self.then_solved[tail] & (end < self.cutoff)
        after = np.where(reached, end, self.penalty * self.cutoff)
        cost: Numbers = np.where(done, 0.0, after)
        return cost


def presolving_schedule(
    trial: Trial, *, longest: float, most: int = 3, n_budgets: int = 20
) -> list[Step]:
    """Short runs to make before the features are computed; may be empty.

    Greedily adds the algorithm and budget that lower the mean PAR most, counted
    with what the selector does afterwards on the instances that are left, until
    nothing does, ``most`` algorithms run, or ``longest`` is spent. Budgets are tried
    at ``n_budgets`` points on a logarithmic scale.
    Source: Gonard, Schoenauer, Sebag 2016, ASAP: a pre-schedule, then a selector;
    there both are optimised together, and with a perfect selector in its place.
    """
    budgets = longest * np.geomspace(1e-3, 1, n_budgets)
    steps: list[Step] = []
    spent, done = 0.0, np.zeros(len(trial.times), bool)
    fixed = np.zeros(len(trial.times))  # time of what is done already
    total = (fixed + trial.cost(np.full(len(fixed), spent), done)).sum()
    while len(steps) < most:
        allowed = budgets[spent + budgets <= longest * (1 + 1e-9)]
        costs = _extended(trial, spent, done, fixed, allowed)
        best = np.unravel_index(costs.argmin(), costs.shape) if costs.size else None
        if best is None or not costs[best] < total - 1e-9 * abs(total):
            break
        algorithm, budget = int(best[0]), float(allowed[best[1]])
        steps.append((algorithm, budget))
        hit = ~done & _within(trial, budget)[:, algorithm]
        fixed[hit] = spent + trial.times[hit, algorithm]
        done |= hit
        spent, total = spent + budget, costs[best]
    return steps


def _within(trial: Trial, budget: float) -> Mask:
    within: Mask = trial.solved & (trial.times <= budget)
    return within


def _extended(
    trial: Trial, spent: float, done: Mask, fixed: Numbers, budgets: Numbers
) -> Numbers:
    """Total cost with one run more: (n_algorithms, n_budgets)."""
    columns = []
    for budget in budgets:
        hit = _within(trial, budget) & ~done[:, None]
        own = np.where(hit, spent + trial.times, fixed[:, None])
        after = np.full(hit.shape, spent + budget)
        columns.append((own + trial.cost(after, done[:, None] | hit)).sum(axis=0))
    return np.stack(columns, axis=1) if columns else np.empty((0, 0))


def nearest(train: Numbers, test: Numbers, k: int) -> Sequence[NDArray[np.int64]]:
    """Rows of ``train`` nearest to each row of ``test``, at most k of them."""
    from sklearn.neighbors import NearestNeighbors

    model = NearestNeighbors(n_neighbors=min(k, len(train))).fit(train)
    return list(model.kneighbors(test, return_distance=False))
