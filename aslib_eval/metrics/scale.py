"""Scores that rescale a value linearly between two reference values.

``zero`` and ``one`` are the reference values that score 0 and 1: the costs of SBS and VBS for the closed
gap, of a trivial solver and the truth for the UAI score, the worst and the best objective for an anytime
curve. Where both are equal, the result is nan with a status that says so, never a silent 0.

Scores of objectives (``incomplete``, ``satisficing``, ``scaled_score``) take ``values`` (n_instances,
n_solvers) in each problem's own unit, nan where a run found no solution, and ``maximize``, whether more is
better, for all or (n_instances,) one each. Their results are (n_instances, n_solvers), from 0 to 1, higher
is better, and 0 where there is no solution; the mean over instances is the solver's score.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aslib_eval.errors import AslibError
from aslib_eval.metrics.runs import TABLE, Floats


class ScaleStatus(IntEnum):
    """Whether a rescaled value is defined; where several apply, the smallest."""

    DEFINED = 0
    MISSING = 1  # a value is nan
    INFINITE = 2  # a value is infinite
    NO_SCALE = 3  # both ends of the scale are equal


@dataclass(frozen=True, eq=False)
class Scaled:
    """Values of any shape and, for each, whether it is defined or why not.

    values: nan exactly where the status is not DEFINED.
    status: codes of ``ScaleStatus``, the same shape.
    """

    values: NDArray[np.float64]
    status: NDArray[np.int8]

    @property
    def defined(self) -> NDArray[np.bool_]:
        """True where there is a value."""
        return np.asarray(self.status == ScaleStatus.DEFINED)

    def to_list(self) -> list[float | None]:
        """The values in C order, None where there is none."""
        pairs = zip(self.values.ravel().tolist(), self.defined.ravel(), strict=True)
        return [value if defined else None for value, defined in pairs]


def rescale(x: ArrayLike, *, zero: ArrayLike, one: ArrayLike) -> Scaled:
    """(x - zero) / (one - zero): 0 at ``zero``, 1 at ``one``, linear and unbounded.

    The three broadcast against each other and share a unit; the result has none. Neither end need be the
    smaller: which one is zero gives the direction.

    Edge cases: a nan anywhere is MISSING, an infinity INFINITE, ``zero`` = ``one`` NO_SCALE (also where x
    equals both). The 0 is never negative.
    """
    arrays = [np.asarray(a, dtype=np.float64) for a in (x, zero, one)]
    value, low, high = np.broadcast_arrays(*arrays)
    status = np.zeros(value.shape, dtype=np.int8)
    status[low == high] = ScaleStatus.NO_SCALE
    for array in (value, low, high):
        status[np.isinf(array)] = ScaleStatus.INFINITE
    for array in (value, low, high):
        status[np.isnan(array)] = ScaleStatus.MISSING
    defined = status == ScaleStatus.DEFINED
    with np.errstate(invalid="ignore", over="ignore"):
        # Quarters, which are exact, have a difference where numbers are too large.
        value, low, high = value / 4, low / 4, high / 4
        span = np.where(defined, high - low, 1.0)
        values = np.where(defined, (value - low) / span + 0.0, np.nan)
    return Scaled(values, status)


def clip(scaled: Scaled, *, low: float | None = None, high: float | None = None) -> Scaled:
    """Bound the defined values; their status stays."""
    return Scaled(np.clip(scaled.values, low, high), scaled.status)


EQUAL = 1e-12  # share of the cost of SBS: smaller differences are rounding, no gap


def closed(score: ArrayLike, *, sbs: ArrayLike, vbs: ArrayLike) -> Scaled:
    """Closed gap: 1 = VBS, 0 = SBS, negative below SBS; higher is better.

    score, sbs, vbs: mean costs in one unit, lower is better; they broadcast. Costs that agree with that of
    SBS to 12 digits are equal to it, as in the views.

    Edge cases: no scale where SBS = VBS.

    Source: Amadini et al. 2023, Definition 3.
    """
    return rescale(sbs_where_equal(score, sbs), zero=sbs, one=sbs_where_equal(vbs, sbs))


def sbs_where_equal(cost: ArrayLike, sbs: ArrayLike) -> Floats:
    """The cost, or that of SBS where the two agree to 12 digits (rounding of sums)."""
    cost, sbs = np.broadcast_arrays(np.asarray(cost, float), np.asarray(sbs, float))
    with np.errstate(invalid="ignore", over="ignore"):
        same = np.abs(sbs - cost) <= EQUAL * np.abs(sbs)
    return np.where(same & np.isfinite(cost) & np.isfinite(sbs), sbs, cost)


def incomplete(
    values: ArrayLike, *, maximize: ArrayLike = False, best_known: ArrayLike | None = None
) -> Floats:
    """(1 + best) / (1 + cost), the incomplete track of the MaxSAT Evaluation.

    best_known: (n_instances,) counts alongside the values of these runs; nan = unknown. Where more is
    better, (1 + value) / (1 + best). Also used with PARk as the cost.

    Source: Amadini et al. 2023, section 2.2; MaxSAT Evaluation 2018 and 2020, rules.
    """
    return _ratio(values, shift=1.0, maximize=maximize, best_known=best_known)


def satisficing(
    values: ArrayLike, *, maximize: ArrayLike = False, best_known: ArrayLike | None = None
) -> Floats:
    """Best / cost, the satisficing track of the International Planning Competition.

    best_known: (n_instances,) the reference plan, as in ``incomplete``. Where more is better, value / best.
    Edge cases: 0/0 is 1; a best of 0 leaves 0 for all others.

    Source: Amadini et al. 2023, section 2.3; IPC 2008 and 2018, rules.
    """
    return _ratio(values, shift=0.0, maximize=maximize, best_known=best_known)


def scaled_score(
    values: ArrayLike,
    *,
    proven: ArrayLike,
    alpha: float = 0.25,
    beta: float = 0.75,
    maximize: ArrayLike = False,
) -> Floats:
    """1 if optimality is proven, 0 without a solution, else in [alpha, beta].

    proven: (n_instances, n_solvers) bool. The best objective that any solver found scores beta, the worst
    alpha, linear between them.

    Edge cases: where all values found are equal, each scores beta.

    Source: Amadini et al. 2023, section 2.3; Amadini, Gabbrielli and Mauro 2016.
    """
    if not 0 <= alpha <= beta <= 1:
        raise AslibError(f"0 <= alpha <= beta <= 1 does not hold: {alpha}, {beta}")
    table, sign = _oriented(values, maximize)
    costs = sign * table
    best = np.where(np.isnan(costs), np.inf, costs).min(axis=1, keepdims=True)
    worst = np.where(np.isnan(costs), -np.inf, costs).max(axis=1, keepdims=True)
    place = rescale(costs, zero=worst, one=best)
    level = np.where(place.status == ScaleStatus.NO_SCALE, 1.0, place.values)
    found = np.where(np.isnan(costs), 0.0, alpha + (beta - alpha) * level)
    return np.where(np.asarray(proven, bool), 1.0, found)


def _oriented(values: ArrayLike, maximize: ArrayLike) -> tuple[Floats, Floats]:
    """The table, and -1 (more is better) or 1 as a column that broadcasts."""
    table = np.asarray(values, float)
    if table.ndim != TABLE or table.shape[1] == 0:
        raise AslibError(f"values must be instances x solvers, not {table.shape}")
    if np.isinf(table).any():
        raise AslibError("a value is infinite", hint="nan says: no solution")
    return table, np.where(np.atleast_1d(maximize), -1.0, 1.0)[:, None]


def _ratio(values: ArrayLike, *, shift: float, maximize: ArrayLike, best_known: ArrayLike | None) -> Floats:
    """(shift + better) / (shift + worse) of each value and the best one."""
    table, sign = _oriented(values, maximize)
    if (table < 0).any():
        raise AslibError("a ratio of objectives needs values of at least 0")
    given = np.full(len(table), np.nan) if best_known is None else best_known
    costs = sign * np.column_stack([table, np.broadcast_to(given, len(table))])
    best = np.where(np.isnan(costs), np.inf, costs).min(axis=1, keepdims=True)
    own, top = table + shift, np.where(np.isinf(best), 0.0, np.abs(best)) + shift
    less, more = np.minimum(own, top), np.maximum(own, top)
    ratio = np.divide(less, more, out=np.ones_like(less), where=more != 0)
    return np.where(np.isnan(table), 0.0, ratio)
