"""The mean over instances of the least of several lines: PARk of VBS in k."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from aslib_eval.metrics.curves import Curve, last_of_equal
from aslib_eval.metrics.runs import Floats
from aslib_eval.metrics.summation import exact_sums, running_sum

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
        at = np.maximum(crossing, at)  # rounding must not turn the order around
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
    """(n_rows,) the column of the smallest first key, of equal ones the second."""
    return np.asarray(np.lexsort((second_key, first_key), axis=1)[:, 0])


def _summed(begin: Floats, changes: Floats) -> Curve:
    """A curve from its first line and (3, n_changes): where, and by how much."""
    at, a, b = changes[:, np.argsort(changes[0], kind="stable")]
    starts = np.append(1.0, at)
    intercepts = np.append(begin[0], running_sum(a, start=begin[0]))
    slopes = np.append(begin[1], running_sum(b, start=begin[1]))
    last = last_of_equal(starts)
    return Curve(starts[last], intercepts[last], slopes[last])
