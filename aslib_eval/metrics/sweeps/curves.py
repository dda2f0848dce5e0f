"""Scores as piecewise linear functions of one parameter, and where they cross."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aslib_eval.metrics.runs import Floats
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

    def piece_at(self, x: ArrayLike) -> NDArray[np.int64]:
        """Number of the piece that is valid at each x; the first below the domain."""
        side = "left" if self.left_open else "right"
        found = self.starts.searchsorted(np.asarray(x, float), side=side)  # type: ignore[call-overload]
        return np.asarray(np.maximum(found - 1, 0))

    def at(self, x: ArrayLike) -> Floats:
        """The score at each x."""
        piece = self.piece_at(x)
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
    first = np.flatnonzero(np.append(True, new))
    return np.asarray(np.maximum.reduceat(values[order], first))


def steps(starts: Floats, values: Floats) -> Curve:
    """A step function on [starts[0], inf); equal neighbouring pieces are merged."""
    keep = first_of_equal(values)
    flat = np.broadcast_to(0.0, (int(keep.sum()),))
    return Curve(starts[keep], values[keep], flat)


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
    endless = np.isinf(ends) & (tilt != 0)
    return np.where(endless, np.sign(tilt), found).astype(np.int8)


def _merged(starts: Floats, signs: Signs) -> Leads:
    """Intervals without empty ones, neighbours of one sign merged."""
    last = last_of_equal(starts)
    starts, signs = starts[last], signs[last]
    keep = first_of_equal(signs)
    return Leads(starts[keep], signs[keep])


def sign_at(found: Leads, x: Floats) -> Signs:
    """The sign of the interval that begins at, or contains, each x."""
    return found.signs[np.maximum(found.starts.searchsorted(x, side="right") - 1, 0)]


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


def mean_of_least(intercepts: Floats, slopes: Floats, *, weights: Floats) -> Curve:
    """Weighted mean over rows of each row's least line intercept + slope·x, x >= 1.

    intercepts, slopes: (n_rows, n_lines). weights: (n_rows,), made to sum to 1.

    Edge cases: one piece where in each row the line that is least at 1 stays so, as with runs that are
    either solved or not.
    """
    rows = np.arange(len(intercepts))
    best = _first(slopes, intercepts + slopes)
    weighted = [p * weights[:, None] for p in (intercepts, slopes)]
    begin = [p[rows, best] for p in weighted]
    at = np.ones(len(rows))
    changes = []
    while len(rows):
        crossing, following = _next_line(intercepts[rows], slopes[rows], best)
        at = np.maximum(crossing, at)  # rounding must not reverse the order
        go = np.isfinite(at)
        rows, at, old, best = rows[go], at[go], best[go], following[go]
        ends = [p[rows, column] for p in weighted for column in (old, best)]
        changes.append(np.stack([at, *ends]))
    return _summed(begin, np.hstack(changes), weights)


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


def _summed(begin: list[Floats], changes: Floats, weights: Floats) -> Curve:
    """The mean of the first lines, and (5, n) changes: where, old and new of each."""
    at, *ends = changes[:, np.argsort(changes[0], kind="stable")]
    starts = np.append(1.0, at)
    last = last_of_equal(starts)
    intercepts, slopes = (
        replaced_sums(terms, old=old, new=new)[last] / math.fsum(weights.tolist())
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
