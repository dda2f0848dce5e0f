"""Exact sweeps of Borda scores over delta: all breakpoints, rankings and reversals."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aslib_eval.metrics.borda import BordaRule, modified_tie_points, time_points
from aslib_eval.metrics.ranking import ranks
from aslib_eval.metrics.runs import Floats, Runs
from aslib_eval.metrics.sweeps.curves import (
    ROUNDING,
    Blocks,
    Curve,
    Leads,
    first_of_equal,
    largest_of_near,
    last_of_equal,
    leads,
    make_blocks,
    replaced_sums,
    sign_at,
    steps,
)

# How far a crossing of two lines may lie from the exact one [share of it].
_CROSSING = 2.0**-47


class Reversal(NamedTuple):
    """Two solvers change places at an exact value of the parameter.

    before, after: column of the one that is better before and after.
    at: from here on ``after`` is better. With a step function it is better at this value already; where two
        curves cross without a jump they tie at it; where pieces are left-open (cutoff) it is better just
        above.
    tied_from: where the tie before it began; equal to ``at`` if there was none.
    """

    before: int
    after: int
    at: float
    tied_from: float


class Rankings(NamedTuple):
    """The ranking on every interval on which it does not change.

    starts: (n_intervals,) where each begins; two neighbours differ.
    ranks: (n_intervals, n_solvers), 1 = best, equal scores share their first place. Ties at a single value
        are not intervals: see ``Sweep.ranks``.
    """

    starts: Floats
    ranks: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Sweep:
    """Scores of solvers as exact functions of one parameter.

    parameter: ``delta``, ``penalty`` or ``cutoff``.
    curves: the score of each solver.
    higher_is_better: the direction of the scores.
    tolerance: scores this close are equal: what rounding can add to their sums [score]. merged: the curves
    with breakpoints that differ by rounding merged, where there are
        any; breakpoints, reversals and rankings are of these, scores of ``curves``.

    All but the curves is computed on first use.
    """

    parameter: str
    curves: tuple[Curve, ...]
    higher_is_better: bool
    tolerance: float = 0.0
    merged: tuple[Curve, ...] = ()

    @cached_property
    def breakpoints(self) -> Floats:
        """Every value from which at least one score changes, ascending.

        The first is where the domain begins.
        """
        return np.unique(np.concatenate([curve.starts for curve in self._merged]))

    def scores(self, at: ArrayLike) -> Floats:
        """(n_values, n_solvers) scores at given values of the parameter."""
        values = np.atleast_1d(np.asarray(at, float))
        return np.stack([curve.at(values) for curve in self.curves], axis=1)

    def ranks(self, at: ArrayLike) -> Floats:
        """(n_values, n_solvers) ranks at given values, 1 = best; ties share."""
        scores = self.scores(at)
        rounding = 2 * ROUNDING * np.abs(scores).max(axis=1, keepdims=True)
        return ranks(scores, higher_is_better=self.higher_is_better, tolerance=self.tolerance + rounding)

    def leads(self, first: int, second: int) -> Leads:
        """Intervals on which one of two solvers has the larger score."""
        if self._blocks:
            at = self._blocks.meeting_starts(first, second, tolerance=self._margin)
        else:
            pair = self._merged[first].starts, self._merged[second].starts
            at = np.unique(np.concatenate(pair))
        curves = self._merged[first], self._merged[second]
        return leads(*curves, at=at, tolerance=self.tolerance)

    @cached_property
    def reversals(self) -> tuple[Reversal, ...]:
        """Every change of places of two solvers, by value, then column."""
        found = (r for pair in self._leads for r in self._reversals_of(*pair))
        return tuple(sorted(found, key=lambda r: (r.at, r.before, r.after)))

    @cached_property
    def rankings(self) -> Rankings:
        """The ranking on every interval; crossings that differ by rounding are one."""
        begin = self.curves[0].starts[:1]
        turns = [begin, *(found.starts for found in self._leads.values())]
        every = np.unique(np.concatenate(turns))
        starts = largest_of_near(every, within=_CROSSING * np.abs(every))
        ahead = np.ones((len(starts), len(self.curves)), dtype=np.int64)
        for (a, b), found in self._leads.items():
            better = sign_at(found, starts) * (1 if self.higher_is_better else -1)
            ahead[:, a] += better < 0
            ahead[:, b] += better > 0
        keep = first_of_equal(ahead)
        return Rankings(np.append(begin, starts[1:])[keep], ahead[keep])

    @cached_property
    def _leads(self) -> dict[tuple[int, int], Leads]:
        pairs = combinations(range(len(self.curves)), 2)
        return {pair: self.leads(*pair) for pair in pairs}

    @property
    def _merged(self) -> tuple[Curve, ...]:
        return self.merged or self.curves

    @cached_property
    def _blocks(self) -> Blocks | None:
        flat = not any(curve.slopes.any() for curve in self._merged)
        return make_blocks(self._merged) if flat else None

    @cached_property
    def _margin(self) -> float:
        largest = max(np.abs(curve.intercepts).max() for curve in self.curves)
        return float(self.tolerance + 2 * ROUNDING * largest)

    def _reversals_of(self, first: int, second: int) -> list[Reversal]:
        starts, signs = self._leads[first, second]
        ordered = np.flatnonzero(signs)
        turns = np.flatnonzero(np.diff(signs[ordered]))
        found = []
        for before, after in zip(ordered[turns], ordered[turns + 1], strict=True):
            falls = (signs[before] > 0) == self.higher_is_better
            pair = (first, second) if falls else (second, first)
            found.append(Reversal(*pair, float(starts[after]), float(starts[before + 1])))
        return found


def delta_sweep(runs: Runs, *, relative: bool = False, modified: bool = False) -> Sweep:
    """Borda scores for every delta from 0 on: step functions, higher is better.

    relative: delta is a share of the smaller time instead of a time.
    modified: ties are worth 0.5 + (t' - t) / (2 cutoff); still a step function, as
        that does not depend on delta.

    A pair of solved runs ties from delta = |t - t'| on (relative: from the smallest number whose product
    with the smaller time reaches it), so a breakpoint belongs to the interval that it begins. Breakpoints
    that differ by the rounding of decimals alone, as 0.3 - 0.1 and 0.2, are one: the largest. At every
    delta the score is that of ``borda`` with the same rule.
    O(n_solvers² n_instances log n_instances): a sort and a cumulative sum.

    Edge cases: where nothing is solved by two solvers the only breakpoint is 0; a time of 0 never ties
    relatively, except with 0. Scores are equal if they differ by less than 2**-51 (n_solvers - 1), the
    rounding of the points they are made of.

    Source: Amadini et al. 2023, section 2.2, figures 1 and 3.
    """
    rule = BordaRule(relative=relative, modified=modified)
    ends = _breakpoints(runs, relative=relative)
    solvers = range(runs.n_solvers)
    curves = tuple(_borda_curve(runs, s, rule) for s in solvers)
    merged = tuple(_borda_curve(runs, s, rule, ends) for s in solvers)
    tolerance = 2.0**-51 * (runs.n_solvers - 1)
    return Sweep("delta", curves, higher_is_better=True, tolerance=tolerance, merged=merged)


def _borda_curve(runs: Runs, solver: int, rule: BordaRule, ends: Floats | None = None) -> Curve:
    """Borda score of one solver as a function of delta.

    ends: where it may change, each pair at the next one; exactly where it ties if None.
    """
    solved, both = _against_all(runs, solver)
    weights = np.ones(runs.n_instances) if runs.weights is None else runs.weights
    row, other = np.nonzero(both)
    own, others = runs.times[row, solver], runs.times[row, other]
    cutoffs, weight = runs.cutoffs[row], weights[row]
    share = time_points(own, others=others, cutoff=cutoffs, rule=rule)
    level = modified_tie_points(own, others, cutoffs) if rule.modified else 0.5
    wins = (solved[:, None] & ~runs.answered).sum(axis=1)
    points = share * weight
    reach = _reach(own, others, relative=rule.relative)
    if ends is not None:
        reach = ends[ends.searchsorted(reach)]
    order = np.argsort(reach)
    reach, old, new = reach[order], points[order], (level * weight)[order]
    terms = np.concatenate([points, wins * weights])
    sums = replaced_sums(terms, old=old, new=new) / math.fsum(weights.tolist())
    last = last_of_equal(reach) & (reach > 0) & np.isfinite(reach)
    starts = np.concatenate([[0.0], reach[last]])
    return steps(starts, np.concatenate([sums[:1], sums[1:][last]]))


def _against_all(runs: Runs, solver: int) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Instances that one solver solved, and those that it and each other one solved."""
    solved = runs.answered[:, solver]
    both = solved[:, None] & runs.answered
    both[:, solver] = False
    return solved, both


def _breakpoints(runs: Runs, *, relative: bool) -> Floats:
    """Every delta at which a pair of runs ties, ascending; merged within rounding.

    A difference of times is exact up to the rounding of the larger; relative: that
    over the smaller. No breakpoint is moved by more than a thousandth of itself.
    """
    found, rounding = [np.zeros(1)], [np.zeros(1)]
    for solver in range(1, runs.n_solvers):
        own, others = runs.times[:, [solver]], runs.times[:, :solver]
        both = runs.answered[:, [solver]] & runs.answered[:, :solver]
        pair = np.broadcast_to(own, both.shape)[both], others[both]
        reach = _reach(*pair, relative=relative)
        size = 1 + reach if relative else np.maximum(*pair)
        found.append(reach)
        rounding.append(np.minimum(ROUNDING / 2 * size, reach / 1024))
    return largest_of_near(np.concatenate(found), within=np.concatenate(rounding))


def _reach(own: Floats, others: Floats, *, relative: bool) -> Floats:
    """The smallest delta at which two times tie; inf if none."""
    gap = np.abs(own - others)
    if not relative:
        return gap
    least = np.minimum(own, others)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        found = np.where(gap > 0, gap / least, 0.0)
        # Rounded, the quotient may differ from the smallest delta that passes the test.
        while (short := found * least < gap).any():
            found[short] = np.nextafter(found[short], np.inf)
        while (more := (found > 0) & (np.nextafter(found, 0) * least >= gap)).any():
            found[more] = np.nextafter(found[more], 0)
    return found
