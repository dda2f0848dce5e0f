"""Scores as piecewise linear functions of one parameter, and where they cross."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aslib_eval.metrics.runs import Floats

Signs = NDArray[np.int8]
# Two scores are equal if they differ by less than the rounding of their sums can make.
ROUNDING = 2.0**-50


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

    values: (n,). within: (n,) how far each may be from the exact value. Values are in
    one cluster if their ranges overlap, or are linked by others whose ranges do; an
    infinite value is its own cluster.
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

    starts: (n_intervals,) where each begins. signs: 1 the first curve, -1 the second, 0
    equal; two neighbours differ. Where two curves cross without a jump they are equal
    at the crossing itself, which is no interval.
    """

    starts: Floats
    signs: Signs


def leads(first: Curve, second: Curve, *, at: Floats, tolerance: float) -> Leads:
    """Intervals on which one of two curves is larger.

    at: where a piece of either begins, ascending, at least the first start. A subset
    will do if nothing changes sign at the others.
    tolerance: differences up to this, and up to the rounding of the two values, count
    as equal [score].
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


def _sign_at_end(
    gap: Floats, tilt: Floats, ends: Floats, bounds: Floats, steepness: Floats
) -> Signs:
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


# Compensated sums: rounding error independent of the number of terms (up to 2**26).

_LEADING_BITS = 26  # with 2**26 terms their sum still fits the 53 bits of a double


def running_sum(terms: Floats, *, start: float = 0.0) -> Floats:
    """``start`` plus the cumulative sum, correct to about the last bit.

    terms: (n,), n up to 2**26. A plain cumulative sum loses log2(n) bits or more. Here
    each term is split in its leading 26 bits, whose sums are exact, and a rest, whose
    sums are so small that their rounding does not show.
    """
    leading, rest = _split(terms)
    return np.asarray(np.cumsum(leading) + (start + np.cumsum(rest)))


def total(terms: Floats) -> float:
    """The sum of an array of any shape, as correct as ``running_sum``."""
    leading, rest = _split(terms)
    return float(leading.sum() + rest.sum())


def exact_sums(table: Floats) -> Floats:
    """Sum of each column, rounded once: equal for equal terms in any order."""
    return np.array([math.fsum(column.tolist()) for column in table.T])


def _split(terms: Floats) -> tuple[Floats, Floats]:
    """Split each term in two, the first on a grid so coarse that its sums are exact."""
    largest = float(np.abs(terms).max(initial=0.0))
    unit = math.ldexp(1.0, max(math.frexp(largest)[1] - _LEADING_BITS, -1000))
    leading = np.rint(terms / unit) * unit
    return leading, terms - leading


# Block-wise minima and maxima, to skip blocks in which two curves cannot cross.

_PIECES_A_BLOCK = 256


@dataclass(frozen=True, eq=False)
class Blocks:
    """Ranges of step functions over blocks of the parameter.

    Two scores differ much over most of a sweep: with a few hundred blocks only those
    where the ranges overlap are compared piece by piece.

    grid: (n_blocks,) where each block starts; the last has no end.
    low, high: (n_curves, n_blocks) least and largest value of each curve in each block.
    """

    curves: Sequence[Curve]
    grid: Floats
    low: Floats
    high: Floats

    def meeting_starts(self, first: int, second: int, *, tolerance: float) -> Floats:
        """Ascending starts between which the larger of two curves stays the same.

        All starts in blocks where the two come within the tolerance, and the start of
        every block.
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

    Edge cases: one piece where in each row the line that is least at 1 stays so, as
    with runs that are either solved or not.
    """
    rows = np.arange(len(intercepts))
    best = _first(slopes, intercepts + slopes)
    scale = weights / weights.sum()
    at = np.ones(len(rows))
    begin = np.stack([p[rows, best] * weights for p in (intercepts, slopes)], axis=1)
    changes = []
    while len(rows):
        crossing, following = _next_line(intercepts[rows], slopes[rows], best)
        at = np.maximum(crossing, at)  # rounding must not reverse the order
        go = np.isfinite(at)
        rows, at, old, best = rows[go], at[go], best[go], following[go]
        lines = [p[rows, best] - p[rows, old] for p in (intercepts, slopes)]
        changes.append(np.stack([at, *(part * scale[rows] for part in lines)]))
    return _summed(exact_sums(begin) / weights.sum(), np.hstack(changes))


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


def _summed(begin: Floats, changes: Floats) -> Curve:
    """The curve from its first line and (3, n) changes: where, intercept and slope."""
    at, a, b = changes[:, np.argsort(changes[0], kind="stable")]
    starts = np.append(1.0, at)
    intercepts = np.append(begin[0], running_sum(a, start=begin[0]))
    slopes = np.append(begin[1], running_sum(b, start=begin[1]))
    last = last_of_equal(starts)
    return Curve(starts[last], intercepts[last], slopes[last])
