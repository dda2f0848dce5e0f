"""Ranks of scores, and the rank correlation of two rankings.

No function guesses the direction: ``higher_is_better`` is required.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aslib_eval.errors import AslibError
from aslib_eval.metrics.runs import Floats


def ranks(
    scores: ArrayLike,
    *,
    higher_is_better: bool,
    ties: Literal["first", "mean"] = "first",
    tolerance: float = 0.0,
) -> Floats:
    """Rank of each score along the last axis, 1 = best; the shape of ``scores``.

    ties: equal scores all get the ``first`` place they share (1, 2, 2, 4) or the ``mean`` of their places
        (1, 2.5, 2.5, 4).
    tolerance: scores that differ by at most this are equal.

    Edge cases: all equal are all first; a nan has no rank (nan) and takes no place.
    """
    costs = np.asarray(scores, float) * (-1 if higher_is_better else 1)
    place = np.ones_like(costs)
    for s in range(costs.shape[-1]):
        own = costs[..., s : s + 1]
        ahead = (costs < own - tolerance).sum(axis=-1)
        level = ((costs <= own + tolerance).sum(axis=-1) - ahead + 1) / 2
        place[..., s] = ahead + (1.0 if ties == "first" else level)
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
