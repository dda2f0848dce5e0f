"""Ranks of scores, the rank correlation of two rankings, and Borda scores.

No function guesses the direction: ``higher_is_better`` is required. A Borda score is the mean over
instances of the points summed over the opponents; higher is better. All points come from one rule, a
``BordaRule``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aslib_eval.errors import AslibError
from aslib_eval.metrics.scale import Floats, Runs


@dataclass(frozen=True)
class BordaRule:
    """Rule for ties of runtimes, and for the points of a tie.

    delta: times that differ by at most this are equal [time]; relative: [share of the smaller of the two].
    modified: a tie is worth 0.5 + (t' - t) / (2 cutoff) instead of 0.5.

    Source: Amadini et al. 2023, section 2.2 and footnote 8.
    """

    delta: float = 0.0
    relative: bool = False
    modified: bool = False

    def __post_init__(self) -> None:
        if not self.delta >= 0:
            raise AslibError(f"delta must be at least 0, not {self.delta}")


def time_points(times: ArrayLike, *, others: ArrayLike, cutoff: ArrayLike, rule: BordaRule) -> Floats:
    """Points of one runtime against another where both runs solved.

    times, others, cutoff: broadcast against each other [time]. The points of both
    sides sum to 1.

    Edge cases: equal times, 0 and 0 too, are 0.5.

    Source: Amadini et al. 2023, Definition 2 and section 2.2.
    """
    own, other = np.asarray(times, float), np.asarray(others, float)
    gap = np.abs(own - other)
    limit = rule.delta * np.minimum(own, other) if rule.relative else rule.delta
    total = own + other
    share = np.divide(other, total, out=np.full_like(total, 0.5), where=gap > 0)
    tie = modified_tie_points(own, other, cutoff) if rule.modified else 0.5
    return np.where(gap <= limit, tie, share)


def modified_tie_points(own: Floats, other: Floats, cutoff: ArrayLike) -> Floats:
    """Points of a tie under the modified rule: 0.5 + (t' - t) / (2 cutoff)."""
    return np.asarray(0.5 + (other - own) / (2 * np.asarray(cutoff, float)))


def pairwise(runs: Runs, *, rule: BordaRule | None = None) -> Floats:
    """Mean points of each solver (row) against each other (column).

    (n_solvers, n_solvers), 0 on the diagonal. An entry and its mirror sum to the share of instances that at
    least one of the two solved.

    Edge cases: a solver that does not solve gets 0, also if neither does.

    Source: Amadini et al. 2023, Definition 2 for decision problems.
    """
    found = np.zeros((runs.n_solvers, runs.n_solvers))
    for a, b, *points in points_of_pairs(runs, rule=rule or BordaRule()):
        found[a, b], found[b, a] = (each.mean() for each in points)
    return found


def points_of_pairs(runs: Runs, *, rule: BordaRule) -> Iterator[tuple[int, int, Floats, Floats]]:
    """Two solvers, and the points of each against the other on each instance."""
    columns = [(runs.times[:, s], runs.answered[:, s]) for s in range(runs.n_solvers)]
    for a, (own, solved) in enumerate(columns):
        for b, (other, other_solved) in enumerate(columns[:a]):
            both = solved & other_solved
            mine, theirs = (np.where(both, times, 1.0) for times in (own, other))
            points = time_points(mine, others=theirs, cutoff=runs.cutoffs, rule=rule)
            yield a, b, np.where(both, points, solved), np.where(both, 1 - points, other_solved)


@dataclass(frozen=True, eq=False)
class Objectives:
    """The best objective that each run found, for ``mznc_points``.

    values: (n_instances, n_solvers), in the problem's unit; nan or the infinite worst where there is no
        solution; not used for decision problems.
    maximize: whether more is better; one bool, or one an instance.
    decision: whether the instance is a decision problem; likewise. An optimisation problem without any
        solution is one: to prove that is to answer it.
    """

    values: Floats
    maximize: bool | NDArray[np.bool_] = False
    decision: bool | NDArray[np.bool_] = False

    def costs(self, solved: NDArray[np.bool_]) -> Floats:
        """(n_instances, n_solvers), lower is better, inf = unknown."""
        sign = np.where(np.atleast_1d(self.maximize), -1.0, 1.0)[:, None]
        found = np.where(np.isnan(self.values), np.inf, sign * self.values)
        return np.where(np.atleast_1d(self.decision)[:, None], np.where(solved, 0.0, np.inf), found)


def mznc_points(runs: Runs, *, objectives: Objectives, rule: BordaRule | None = None) -> Floats:
    """MiniZinc Challenge points of each solver on each instance: (n_instances, n_solvers).

    Higher is better; their mean over instances is the score with objectives.

    runs: solved = finished before the cutoff: answered a decision problem, or proved an optimum. Of two
    runs one is better if its objective is, or if it alone finished; where each is better than the other, as
    a better objective contradicts a proof, both get 0. If none is, the times decide as in ``pairwise`` (the
    cutoff for a run that did not finish), with delta and the modified rule.

    Source: Amadini et al. 2023, Definition 2.
    """
    rule = rule or BordaRule()
    done = runs.answered
    times = np.where(done, runs.times, runs.cutoffs[:, None])
    costs = objectives.costs(done)
    found = np.zeros(runs.times.shape)
    for a in range(runs.n_solvers):
        for b in set(range(runs.n_solvers)) - {a}:
            level = time_points(times[:, a], others=times[:, b], cutoff=runs.cutoffs, rule=rule)
            wins = (done[:, a] & ~done[:, b]) | (costs[:, a] < costs[:, b])
            loses = (done[:, b] & ~done[:, a]) | (costs[:, b] < costs[:, a])
            points = np.where(wins, 1.0, level)
            points[loses | np.isinf(costs[:, a])] = 0.0
            found[:, a] += points
    return found


def ranks(scores: ArrayLike, *, higher_is_better: bool, tolerance: float = 0.0) -> Floats:
    """Rank of each score along the last axis, 1 = best; the shape of ``scores``.

    Equal scores share the first of their places (1, 2, 2, 4). tolerance: scores that differ by at most this
    are equal.

    Edge cases: all equal are all first; a nan has no rank (nan) and takes no place.
    """
    costs = np.asarray(scores, float) * (-1 if higher_is_better else 1)
    place = np.ones_like(costs)
    for s in range(costs.shape[-1]):
        place[..., s] += (costs < costs[..., s : s + 1] - tolerance).sum(axis=-1)
    return np.where(np.isnan(costs), np.nan, place)


def kendall_tau_b(first: ArrayLike, *, second: ArrayLike) -> float | None:
    """Kendall's tau-b of two score or rank vectors of the same solvers.

    From -1 (reversed) to 1 (the same order), corrected for ties. Both must have the same direction, as
    ranks do.

    Edge cases: None where one of them is all tied, or there is only one solver.

    Source: Kendall 1945, The treatment of ties in ranking problems.
    """
    a, b = np.asarray(first, float), np.asarray(second, float)
    if a.shape != b.shape or a.ndim != 1:
        raise AslibError("two rankings of the same solvers are needed")
    if np.isnan(a).any() or np.isnan(b).any():
        raise AslibError("a ranking has a missing value")
    x, y = _orders(a), _orders(b)
    untied = float(np.count_nonzero(x)) * float(np.count_nonzero(y))
    return float((x * y).sum()) / untied**0.5 if untied else None


def _orders(values: Floats) -> NDArray[np.int64]:
    """Sign of each difference values[i] - values[j]: -1, 0 or 1; (n, n)."""
    larger = values[:, None] > values
    return larger.astype(np.int64) - larger.T
