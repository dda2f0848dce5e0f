"""Scores as functions of one parameter, in pieces, and where two of them cross."""

from __future__ import annotations

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
    left_open: a piece holds on (start, next start] instead of [start, next start).
    """

    starts: Floats
    intercepts: Floats
    slopes: Floats
    end: float = np.inf
    left_open: bool = False

    def __len__(self) -> int:
        return len(self.starts)

    def piece_at(self, x: ArrayLike) -> NDArray[np.int64]:
        """Number of the piece that holds at each x; the first below the domain."""
        side = "left" if self.left_open else "right"
        found = self.starts.searchsorted(np.asarray(x, float), side=side)  # type: ignore[call-overload]
        return np.asarray(np.maximum(found - 1, 0))

    def at(self, x: ArrayLike) -> Floats:
        """The score at each x."""
        piece = self.piece_at(x)
        return np.asarray(self.intercepts[piece] + self.slopes[piece] * np.asarray(x))

    def from_on(self, starts: Floats) -> tuple[Floats, Floats]:
        """Intercept and slope of the piece that begins at, or runs past, each start."""
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
    """The largest of each cluster of values that may be one, ascending.

    values: (n,). within: (n,) how far each may be from what it stands for. Values are
    of one cluster if their ranges overlap, or are linked by others whose do; an
    infinite value is alone.
    """
    within = np.where(np.isfinite(values), within, 0.0)
    with np.errstate(over="ignore"):
        low, high = values - within, values + within
    order = np.argsort(low)
    apart = low[order][1:] > np.maximum.accumulate(high[order])[:-1]
    first = np.flatnonzero(np.append(True, apart))
    return np.asarray(np.maximum.reduceat(values[order], first))


def steps(starts: Floats, values: Floats) -> Curve:
    """A step function on [starts[0], inf); pieces that change nothing are left out."""
    keep = first_of_equal(values)
    flat = np.broadcast_to(0.0, (int(keep.sum()),))
    return Curve(starts[keep], values[keep], flat)


class Leads(NamedTuple):
    """Which of two curves is larger, as runs of one sign.

    starts: (n_runs,) where a run begins. signs: 1 the first curve, -1 the second, 0
    equal; two neighbours differ. Where two curves cross without a jump they are equal
    at the crossing itself, which is no run.
    """

    starts: Floats
    signs: Signs


def leads(first: Curve, second: Curve, *, at: Floats, tolerance: float) -> Leads:
    """Which curve is larger from where on.

    at: where a piece of either begins, ascending, at least the first start. A subset
    will do if nothing changes sign at the others.
    tolerance: differences up to this, and up to the rounding of the two values, are
    none [score].
    """
    intercepts, slopes = zip(first.from_on(at), second.from_on(at), strict=True)
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
        return _joined(at, before)
    roots = np.divide(-gap, tilt, out=at.copy(), where=crossed)
    starts = np.stack([at, np.clip(roots, at, ends)], axis=1)
    return _joined(starts.ravel(), np.stack([before, after], axis=1).ravel())


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


def _joined(starts: Floats, signs: Signs) -> Leads:
    """Without runs of no length, and neighbouring runs of one sign as one."""
    last = last_of_equal(starts)
    starts, signs = starts[last], signs[last]
    keep = first_of_equal(signs)
    return Leads(starts[keep], signs[keep])


def sign_at(found: Leads, x: Floats) -> Signs:
    """The sign of the run that begins at, or runs past, each x."""
    return found.signs[np.maximum(found.starts.searchsorted(x, side="right") - 1, 0)]
