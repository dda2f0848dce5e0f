"""Scores of solvers when the set of solvers is another: members left out or cloned.

SBS, VBS, Borda and marginal contributions depend on who takes part. A ``Field`` keeps what every set needs
(costs, points of each pair), so that a set costs a few sums.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from aslib_eval.errors import AslibError
from aslib_eval.extensions.solver_sets.words import Change
from aslib_eval.metrics.borda import BordaRule, pairwise
from aslib_eval.metrics.contribution import amc, rmc, shapley
from aslib_eval.metrics.runs import Floats, Runs
from aslib_eval.metrics.scale import closed
from aslib_eval.text import comparable

CHANGES: tuple[Change, ...] = ("without", "clone", "subsets")
Members = tuple[int, ...]
_PLAIN = BordaRule()
_LEAST = 2  # one solver has no opponent, and no gap


class SetScores(NamedTuple):
    """Scores of the members of a set: (n_members,) each, higher is better, nan = none.

    closed_gap: between SBS and VBS of the algorithms in the set, pooled.
    borda: against the other members of the same kind.
    rmc, shapley: contribution to the portfolio of the members of the same kind.
    """

    closed_gap: Floats
    borda: Floats
    rmc: Floats
    shapley: Floats


class Yardstick(NamedTuple):
    """SBS and VBS of a set of algorithms, on the instances that count with it.

    n: their number (rows). sbs: index of the algorithm, the first of those that tie.
    """

    n: int
    sbs: int
    sbs_cost: float
    vbs_cost: float


@dataclass(frozen=True, eq=False)
class Field:
    """Everyone who can take part: algorithms, and solvers that are scored by them.

    algorithms, others: runs on the same instances; ``others`` are selectors, whose runs stay as recorded
        whatever algorithms take part; None without any.
    penalty: k of PARk, the cost. criterion: what SBS has least of: ``par``,
        ``par1`` or ``solved``, as a protocol's ``sbs_criterion``.
    drop: instances that no algorithm of the set solves do not count. rule: of Borda.
    """

    algorithms: Runs
    others: Runs | None = None
    penalty: float = 10.0
    criterion: str = "par"
    drop: bool = False
    rule: BordaRule = _PLAIN

    def yardstick(self, members: Sequence[int]) -> Yardstick:
        """SBS and VBS of some algorithms, by their columns."""
        if not members:
            raise AslibError("a set of no algorithms has neither SBS nor VBS")
        kept, unique = self._kept(members), sorted(set(members))
        if not kept.any():
            return Yardstick(0, unique[0], np.nan, np.nan)
        costs = self._costs[0][kept][:, unique]
        values = [comparable(v) for v in self._criteria[kept][:, unique].mean(axis=0)]
        at = values.index(min(values))
        means = costs.mean(axis=0)
        vbs = float(costs.min(axis=1).mean())
        return Yardstick(int(kept.sum()), unique[at], float(means[at]), vbs)

    def scores(self, members: Sequence[int]) -> SetScores:
        """Scores of the algorithms of a set; one that is named twice is cloned."""
        return self._scores(0, members, members)

    def others_scores(self, members: Sequence[int], *, others: Sequence[int]) -> SetScores:
        """Scores of some of ``others`` (columns), measured by some algorithms."""
        if self.others is None:
            raise AslibError("there are no solvers beside the algorithms")
        return self._scores(1, others, members)

    def _scores(self, at: int, members: Sequence[int], algorithms: Sequence[int]) -> SetScores:
        stick, kept = self.yardstick(algorithms), self._kept(algorithms)
        chosen = list(members)
        if not kept.any():
            return SetScores(*(np.full(len(chosen), np.nan) for _ in range(4)))
        costs = self._costs[at][kept][:, chosen]
        gap = closed(costs.mean(axis=0), sbs=stick.sbs_cost, vbs=stick.vbs_cost)
        points = self._points_on(at, kept)[chosen][:, chosen]
        won = (points.sum(axis=1) - np.diag(points)) / stick.n
        empty = self.penalty * self.algorithms.cutoffs[kept]
        shares = rmc(amc(costs, empty=empty)).values
        return SetScores(gap.values, won, shares, shapley(costs, empty=empty))

    def _kept(self, members: Sequence[int]) -> NDArray[np.bool_]:
        """(n_instances,) whether an instance counts with these algorithms."""
        if not self.drop:
            return np.ones(self.algorithms.n_instances, bool)
        return np.asarray(self.algorithms.answered[:, list(members)].any(axis=1))

    def _points_on(self, at: int, kept: NDArray[np.bool_]) -> Floats:
        """Sums of points of each (row) against each (column), a clone on the diagonal.

        Instances that do not count are few: theirs are taken off the sum over all.
        """
        every, runs = self._points[at], (self.algorithms, self.others)[at]
        if kept.all() or runs is None:
            return every
        if at == 0:  # nobody of the set has points there; others are not looked at
            return every
        return every - _points(_some(runs, ~kept), self.rule)

    @cached_property
    def _costs(self) -> tuple[Floats, ...]:
        return tuple(r.par(self.penalty) for r in (self.algorithms, self.others) if r)

    @cached_property
    def _criteria(self) -> Floats:
        """(n_instances, n_algorithms): what SBS has least of, in the mean."""
        if self.criterion == "solved":
            return -np.asarray(self.algorithms.solved, float)
        return self._costs[0] if self.criterion == "par" else self.algorithms.par(1)

    @cached_property
    def _points(self) -> tuple[Floats, ...]:
        both = (self.algorithms, self.others)
        return tuple(_points(runs, self.rule) for runs in both if runs)


def _points(runs: Runs, rule: BordaRule) -> Floats:
    found = pairwise(runs, rule=rule) * runs.n_instances
    np.fill_diagonal(found, 0.5 * runs.answered.sum(axis=0))
    return found


def _some(runs: Runs, rows: NDArray[np.bool_]) -> Runs:
    return Runs(runs.times[rows], runs.solved[rows], runs.cutoffs[rows])


def changed_sets(n: int, change: Change, *, most: int = 1000, seed: int = 1) -> Iterator[Members]:
    """Sets of n members, as indices in ascending order, after one kind of change.

    without: each member left out. clone: each member twice. subsets: all sets of two members to n - 1 where
    there are at most ``most``, by size; else so many different ones, drawn uniformly from ``seed``. What
    leaves fewer than two is not a set.
    """
    if change not in CHANGES:
        raise AslibError(f"{change!r} is none of {', '.join(CHANGES)}")
    if most < 1:
        raise AslibError(f"{most} sets are not at least one")
    every = range(n)
    if change == "clone":
        yield from (tuple(sorted((*every, twice))) for twice in every)
    elif change == "without":
        if n > _LEAST:
            yield from (tuple(i for i in every if i != out) for out in every)
    elif 2**n - n - 2 <= most:
        for size in range(_LEAST, n):
            yield from combinations(every, size)
    else:
        rng, seen = np.random.default_rng(seed), set[Members]()
        while len(seen) < most:
            some = tuple(np.flatnonzero(rng.random(n) < 0.5).tolist())  # noqa: PLR2004
            if _LEAST <= len(some) < n and some not in seen:
                seen.add(some)
                yield some


def left_out_or_cloned(members: Sequence[int], n: int) -> tuple[Members, Members]:
    """The members that a set of n lacks, and those that it has twice."""
    count = Counter(members)
    return (tuple(i for i in range(n) if not count[i]), tuple(i for i in range(n) if count[i] > 1))
