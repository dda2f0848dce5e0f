"""Exact sweeps: a score as a step function of a parameter of its definition.

PARk is affine in the penalty or the cutoff on each piece; the closed gap is a quotient of two such.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aslib_eval.errors import AslibError
from aslib_eval.metrics import scale
from aslib_eval.metrics.ranking import BordaRule, modified_tie_points, ranks, time_points
from aslib_eval.metrics.scale import Floats, Runs, Scaled
from aslib_eval.text import comparable

Signs = NDArray[np.int8]
# Two scores are equal if they differ by less than the rounding of their sums can make.
ROUNDING = 2.0**-50
PLACES = 400  # over the width of a chart


@dataclass(frozen=True, eq=False)
class Curve:
    """A score as a function of a parameter x: on each piece intercept + slope·x.

    starts: (n_pieces,) ascending; the first is where the domain begins.
    intercepts, slopes: (n_pieces,) [score], [score per unit of the parameter].
    end: where the domain ends, inf if nowhere.
    left_open: a piece is valid on (start, next start] instead of [start, next start).
    """

    starts: Floats
    intercepts: Floats
    slopes: Floats
    end: float = np.inf
    left_open: bool = False

    def __len__(self) -> int:
        return len(self.starts)

    def at(self, x: ArrayLike) -> Floats:
        """The score at each x; below the domain that of the first piece."""
        side = "left" if self.left_open else "right"
        found = self.starts.searchsorted(np.asarray(x, float), side=side)  # type: ignore[call-overload]
        piece = np.maximum(found - 1, 0)
        return np.asarray(self.intercepts[piece] + self.slopes[piece] * np.asarray(x))

    def pieces_from(self, starts: Floats) -> tuple[Floats, Floats]:
        """Intercept and slope of the piece that begins at, or contains, each start."""
        piece = np.maximum(self.starts.searchsorted(starts, side="right") - 1, 0)
        return self.intercepts[piece], self.slopes[piece]


def last_of_equal(ascending: Floats) -> NDArray[np.bool_]:
    """Marks the last one of each stretch of equal values."""
    last = np.ones(len(ascending), dtype=bool)
    last[:-1] = ascending[1:] > ascending[:-1]
    return last


def first_of_equal(rows: NDArray[np.generic]) -> NDArray[np.bool_]:
    """Marks the first one of each stretch of equal values, or of equal rows."""
    first = np.ones(len(rows), dtype=bool)
    changed = rows[1:] != rows[:-1]
    first[1:] = changed if rows.ndim == 1 else changed.any(axis=1)
    return first


def largest_of_near(values: Floats, *, within: Floats) -> Floats:
    """The largest of each cluster of values that differ by rounding alone, ascending.

    values: (n,). within: (n,) how far each may be from the exact value. Values are in one cluster if their
    ranges overlap, or are linked by others whose ranges do; an infinite value is its own cluster.
    """
    within = np.where(np.isfinite(values), within, 0.0)
    with np.errstate(over="ignore"):
        low, high = values - within, values + within
    order = np.argsort(low)
    new = low[order][1:] > np.maximum.accumulate(high[order])[:-1]
    return np.asarray(np.maximum.reduceat(values[order], np.flatnonzero(np.append(True, new))))


def steps(starts: Floats, values: Floats) -> Curve:
    """A step function on [starts[0], inf); equal neighbouring pieces are merged."""
    keep = first_of_equal(values)
    return Curve(starts[keep], values[keep], np.broadcast_to(0.0, (int(keep.sum()),)))


class Leads(NamedTuple):
    """Intervals on which the same one of two curves is larger.

    starts: (n_intervals,) where each begins. signs: 1 the first curve, -1 the second, 0 equal; two
    neighbours differ. Where two curves cross without a jump they are equal at the crossing itself, which is
    no interval.
    """

    starts: Floats
    signs: Signs


def leads(first: Curve, second: Curve, *, at: Floats, tolerance: float) -> Leads:
    """Intervals on which one of two curves is larger.

    at: where a piece of either begins, ascending, at least the first start. A subset will do if nothing
    changes sign at the others.
    tolerance: differences up to this, and up to the rounding of the two values, count as equal [score].
    """
    intercepts, slopes = zip(first.pieces_from(at), second.pieces_from(at), strict=True)
    ends = np.append(at[1:], first.end)
    bounds = tolerance + ROUNDING * np.abs(intercepts).sum(axis=0)
    steepness = ROUNDING * np.abs(slopes).sum(axis=0)
    gap, tilt = intercepts[0] - intercepts[1], slopes[0] - slopes[1]
    tilt = np.where(np.abs(tilt) <= steepness, 0.0, tilt)
    begin = _sign(gap, tilt, at, bounds + steepness * at)
    finish = _sign_at_end(gap, tilt, ends, bounds, steepness)
    before = np.where(begin == 0, finish, begin)
    after = np.where(finish == 0, begin, finish)
    crossed = before != after
    if not crossed.any():
        return _merged(at, before)
    roots = np.divide(-gap, tilt, out=at.copy(), where=crossed)
    starts = np.stack([at, np.clip(roots, at, ends)], axis=1)
    return _merged(starts.ravel(), np.stack([before, after], axis=1).ravel())


def _sign(gap: Floats, tilt: Floats, x: Floats, tolerance: Floats) -> Signs:
    value = gap + tilt * x
    return (np.sign(value) * (np.abs(value) > tolerance)).astype(np.int8)


def _sign_at_end(gap: Floats, tilt: Floats, ends: Floats, bounds: Floats, steepness: Floats) -> Signs:
    """The sign just before each piece ends; at infinity the steeper curve is larger."""
    finite = np.where(np.isinf(ends), 0.0, ends)
    found = _sign(gap, tilt, finite, bounds + steepness * finite)
    return np.where(np.isinf(ends) & (tilt != 0), np.sign(tilt), found).astype(np.int8)


def _merged(starts: Floats, signs: Signs) -> Leads:
    last = last_of_equal(starts)
    starts, signs = starts[last], signs[last]
    keep = first_of_equal(signs)
    return Leads(starts[keep], signs[keep])


# Exact cumulative sums: what is left of terms that cancel is no rounding.

_BITS = 26  # of a part: the sum of 2**26 such parts still fits the 53 bits of a double
_LEAST = -1074  # exponent of the smallest double


def running_sum(terms: Floats) -> Floats:
    """The cumulative sum, each of its values exact up to its own last bit.

    terms: (n,), n up to 2**26. A plain cumulative sum is wrong by the rounding of its largest value, which
    is all that is left where terms cancel. Here each term is split in parts of 26 bits, which add up
    without rounding and are put together once.
    """
    parts, units = _split(terms)
    sums = [np.cumsum(part) for part in parts]
    result = np.zeros(len(terms))
    for at in range(len(parts) - 1, -1, -1):
        if at:
            carried = np.rint(sums[at] * (units[at] / units[at - 1]))
            sums[at - 1] += carried
            sums[at] -= carried * (units[at - 1] / units[at])
        result += sums[at] * units[at]
    return result


def replaced_sums(terms: Floats, *, old: Floats, new: Floats) -> Floats:
    """(n + 1,) the sum of terms, and that after each of n of them is replaced.

    terms: all of them. old, new: (n,) one of them each, and what stands in its place from then on. Exact as
    ``running_sum``: the same terms have the same sum, whichever way they came about.
    """
    swaps = np.column_stack([-old, new]).ravel()
    return running_sum(np.concatenate([[0.0], terms, swaps]))[len(terms) :: 2]


def exact_sums(table: Floats) -> Floats:
    """Sum of each column, rounded once: equal for equal terms in any order."""
    return np.array([math.fsum(column.tolist()) for column in table.T])


def _split(terms: Floats) -> tuple[list[Floats], list[float]]:
    """Whole numbers of at most 26 bits and their units, largest first."""
    parts, units, rest = list[Floats](), list[float](), np.asarray(terms, float)
    exponent = math.frexp(float(np.abs(rest).max(initial=0.0)))[1]
    while rest.any():
        exponent = max(exponent - _BITS, _LEAST)
        units.append(math.ldexp(1.0, exponent))
        parts.append(np.rint(rest / units[-1]))
        rest = rest - parts[-1] * units[-1]
    return parts, units


# Block-wise minima and maxima, to skip blocks in which two curves cannot cross.

_PIECES_A_BLOCK = 256


@dataclass(frozen=True, eq=False)
class Blocks:
    """Ranges of step functions over blocks of the parameter.

    Two scores differ much over most of a sweep: with a few hundred blocks only those where the ranges
    overlap are compared piece by piece.

    grid: (n_blocks,) where each block starts; the last has no end.
    low, high: (n_curves, n_blocks) least and largest value of each curve in each block.
    """

    curves: Sequence[Curve]
    grid: Floats
    low: Floats
    high: Floats

    def meeting_starts(self, first: int, second: int, *, tolerance: float) -> Floats:
        """Ascending starts between which the larger of two curves stays the same.

        All starts in blocks where the two come within the tolerance, and the start of every block.
        """
        disjoint = self.low[first] - self.high[second] > tolerance
        disjoint |= self.low[second] - self.high[first] > tolerance
        parts = [self._starts_in(self.curves[c], ~disjoint) for c in (first, second)]
        return np.unique(np.concatenate([self.grid, *parts]))

    def _starts_in(self, curve: Curve, blocks: NDArray[np.bool_]) -> Floats:
        cuts = np.append(curve.starts.searchsorted(self.grid), len(curve))
        return curve.starts[np.repeat(blocks, np.diff(cuts))]


def make_blocks(curves: Sequence[Curve]) -> Blocks:
    """Blocks of 256 pieces of the curve with most pieces; all curves start alike."""
    grid = max(curves, key=len).starts[::_PIECES_A_BLOCK]
    pieces = [curve.pieces_from(grid)[0] for curve in curves]
    low, high = np.array(pieces), np.array(pieces)
    for row, curve in enumerate(curves):
        first = np.maximum(curve.starts.searchsorted(grid, side="right") - 1, 0)
        low[row] = np.minimum.reduceat(curve.intercepts, first)
        high[row] = np.maximum.reduceat(curve.intercepts, first)
    return Blocks(curves, grid, low, high)


# PARk of VBS as a function of k: the mean over instances of the least of several lines.

Rows = NDArray[np.int64]


def mean_of_least(intercepts: Floats, slopes: Floats) -> Curve:
    """Mean over rows of each row's least line intercept + slope·x, x >= 1.

    intercepts, slopes: (n_rows, n_lines).

    Edge cases: one piece where in each row the line that is least at 1 stays so, as with runs that are
    either solved or not.
    """
    rows = np.arange(len(intercepts))
    best = _first(slopes, intercepts + slopes)
    begin = [p[rows, best] for p in (intercepts, slopes)]
    at = np.ones(len(rows))
    changes = []
    while len(rows):
        crossing, following = _next_line(intercepts[rows], slopes[rows], best)
        at = np.maximum(crossing, at)  # rounding must not reverse the order
        go = np.isfinite(at)
        rows, at, old, best = rows[go], at[go], best[go], following[go]
        ends = [p[rows, column] for p in (intercepts, slopes) for column in (old, best)]
        changes.append(np.stack([at, *ends]))
    return _summed(begin, np.hstack(changes))


def _next_line(intercepts: Floats, slopes: Floats, best: Rows) -> tuple[Floats, Rows]:
    """Where each row's best line is next undercut, and by which; inf if nowhere."""
    own = np.arange(len(best))
    fall = slopes[own, best][:, None] - slopes
    rise = intercepts - intercepts[own, best][:, None]
    crossing = np.divide(rise, fall, out=np.full_like(rise, np.inf), where=fall > 0)
    following = _first(slopes, crossing)
    return crossing[own, following], following


def _first(second_key: Floats, first_key: Floats) -> Rows:
    """(n_rows,) column of the smallest first key; among equal ones of the second."""
    return np.asarray(np.lexsort((second_key, first_key), axis=1)[:, 0])


def _summed(begin: list[Floats], changes: Floats) -> Curve:
    """The mean of the first lines, and (5, n) changes: where, old and new of each."""
    at, *ends = changes[:, np.argsort(changes[0], kind="stable")]
    starts = np.append(1.0, at)
    last = last_of_equal(starts)
    intercepts, slopes = (
        replaced_sums(terms, old=old, new=new)[last] / len(terms)
        for terms, old, new in zip(begin, ends[::2], ends[1::2], strict=True)
    )
    return Curve(starts[last], intercepts, slopes)


def log_grid(low: float, high: float, *, places: int = PLACES) -> Floats:
    """Values from low to high, equally far apart on a logarithmic axis.

    They have twelve digits, so that a power of ten is one on every processor.
    """
    grid = [comparable(value) for value in np.geomspace(low, high, places).tolist()]
    return np.array([low, *np.clip(grid[1:-1], low, high), high])


def thinned(
    starts: Floats, values: Floats, *, low: float, high: float, places: int = PLACES
) -> tuple[Floats, Floats]:
    """A step function with at most a few steps a place of a logarithmic axis.

    Of the steps that fall on one place those of least and largest value and the last stay, so that the
    drawn line covers what the exact one does; a last point at ``high`` ends it. Steps above ``high`` are
    left out.
    """
    keep = starts <= high
    starts, values = starts[keep], values[keep]
    edges = log_grid(low, high, places=places + 1)
    place = np.where(starts > low, edges.searchsorted(starts, side="right"), 0)
    chosen = set()
    for group in np.split(np.arange(len(starts)), np.flatnonzero(np.diff(place)) + 1):
        part = values[group]
        chosen |= {group[part.argmin()], group[part.argmax()], group[-1]}
    at = np.array(sorted(chosen), dtype=np.int64)
    return np.append(starts[at], high), np.append(values[at], values[-1])


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
            at = np.unique(np.concatenate((self._merged[first].starts, self._merged[second].starts)))
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
        every = np.unique(np.concatenate([begin, *(found.starts for found in self._leads.values())]))
        starts = largest_of_near(every, within=_CROSSING * np.abs(every))
        ahead = np.ones((len(starts), len(self.curves)), dtype=np.int64)
        for (a, b), found in self._leads.items():
            # Of the interval that begins at, or contains, each start.
            at = np.maximum(found.starts.searchsorted(starts, side="right") - 1, 0)
            better = found.signs[at] * (1 if self.higher_is_better else -1)
            ahead[:, a] += better < 0
            ahead[:, b] += better > 0
        keep = first_of_equal(ahead)
        return Rankings(np.append(begin, starts[1:])[keep], ahead[keep])

    @cached_property
    def _leads(self) -> dict[tuple[int, int], Leads]:
        return {pair: self.leads(*pair) for pair in combinations(range(len(self.curves)), 2)}

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
    delta the score equals the view ``solver_borda`` with the same rule.
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
    solved = runs.answered[:, solver]
    both = solved[:, None] & runs.answered
    both[:, solver] = False
    row, other = np.nonzero(both)
    own, others, cutoffs = runs.times[row, solver], runs.times[row, other], runs.cutoffs[row]
    points = time_points(own, others=others, cutoff=cutoffs, rule=rule)
    ties = modified_tie_points(own, others, cutoffs) if rule.modified else np.full(len(own), 0.5)
    wins = (solved[:, None] & ~runs.answered).sum(axis=1)
    reach = _reach(own, others, relative=rule.relative)
    if ends is not None:
        reach = ends[ends.searchsorted(reach)]
    order = np.argsort(reach)
    reach = reach[order]
    sums = replaced_sums(np.concatenate([points, wins]), old=points[order], new=ties[order])
    sums /= runs.n_instances
    last = last_of_equal(reach) & (reach > 0) & np.isfinite(reach)
    return steps(np.concatenate([[0.0], reach[last]]), np.concatenate([sums[:1], sums[1:][last]]))


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


@dataclass(frozen=True, eq=False)
class GapSweep:
    """PARk and the closed gap as exact functions of the penalty or the cutoff.

    scores: mean PARk of every solver, lower is better; at each value the closed gap ranks the solvers just
        the same.
    portfolio: columns of the algorithms that SBS and VBS are made of.
    vbs: mean PARk of the virtual best solver.
    """

    scores: Sweep
    portfolio: tuple[int, ...]
    vbs: Curve

    def sbs_at(self, at: ArrayLike) -> NDArray[np.int64]:
        """(n_values,) column of SBS at given values of the parameter, the first of those that tie."""
        scores = self.scores.scores(at)[:, self.portfolio]
        least = scores.min(axis=1, keepdims=True) * (1 + 2 * ROUNDING)
        return np.asarray(np.asarray(self.portfolio)[(scores <= least).argmax(axis=1)])

    def gaps(self, at: ArrayLike) -> Scaled:
        """(n_values, n_solvers) closed gaps at given values of the parameter."""
        scores = self.scores.scores(at)
        sbs = np.take_along_axis(scores, self.sbs_at(at)[:, None], axis=1)
        vbs = self.vbs.at(np.atleast_1d(np.asarray(at, float)))[:, None]
        return scale.closed(scores, sbs=sbs, vbs=vbs)


def penalty_sweep(runs: Runs, *, portfolio: Sequence[int] | None = None) -> GapSweep:
    """Mean PARk for every penalty k from 1 on: a line for each solver.

    portfolio: columns that make SBS and VBS; all if not given. VBS is one line too, or in pieces where
    only a share of an instance's repetitions is solved.

    Edge cases: two solvers with the same number unsolved never change places; equal scores at k = 1 are a
    tie there and no reversal.

    Source: Amadini et al. 2023, Definitions 1 and 3.
    """
    chosen = portfolio_columns(runs, portfolio)
    intercepts, slopes = runs.lines()
    a, b = (exact_sums(p) / runs.n_instances for p in (intercepts, slopes))
    curves = tuple(Curve(np.ones(1), a[[s]], b[[s]]) for s in range(runs.n_solvers))
    scores = Sweep("penalty", curves, higher_is_better=False)
    return GapSweep(scores, chosen, mean_of_least(intercepts[:, chosen], slopes[:, chosen]))


def cutoff_sweep(
    runs: Runs,
    *,
    penalty: float = 10.0,
    portfolio: Sequence[int] | None = None,
    at_cutoff: str = "unsolved",
) -> GapSweep:
    """Mean PARk for every cutoff from the present one down to 0.

    An unsolved run costs ``penalty`` times the lowered cutoff. A run that ends exactly at it is unsolved,
    so that pieces are left-open (they are valid on (start, next start]), or ``solved``, as the protocol
    says. O(n log n) a solver; crossings inside a piece are exact too.

    portfolio: as in ``penalty_sweep``. For scenarios with different cutoffs, divide times by them first:
    the parameter is then the share of the cutoff.

    Edge cases: below the fastest run of all everything is unsolved and tied.

    Source: Amadini et al. 2023, Definitions 1 and 3.
    """
    chosen = portfolio_columns(runs, portfolio)
    if (runs.answered & (np.asarray(runs.solved, float) < 1)).any():
        raise AslibError(
            "a run is solved in some of its repetitions, but not in all",
            hint="Count each separately: repetitions = separate.",
        )
    times = np.where(runs.answered, runs.times, np.inf)
    columns = [*times.T, times[:, chosen].min(axis=1)]
    *curves, vbs = (_lowered(c, float(runs.cutoffs[0]), penalty, at_cutoff) for c in columns)
    return GapSweep(Sweep("cutoff", tuple(curves), higher_is_better=False), chosen, vbs)


def _lowered(times: Floats, cutoff: float, penalty: float, at_cutoff: str) -> Curve:
    strict = at_cutoff == "unsolved"
    n, ends = len(times), np.sort(times[times < cutoff if strict else times <= cutoff])
    intercepts = np.append(0.0, running_sum(ends)) / n
    slopes = penalty * (n - np.arange(len(ends) + 1.0)) / n
    starts = np.append(0.0, ends)
    last = last_of_equal(starts)
    return Curve(starts[last], intercepts[last], slopes[last], end=cutoff, left_open=strict)


def portfolio_columns(runs: Runs, portfolio: Sequence[int] | None) -> tuple[int, ...]:
    """The columns of a portfolio, all if it is not given."""
    return tuple(range(runs.n_solvers) if portfolio is None else portfolio)
