"""The one idea behind the scores: where a value lies between two ends.

``zero`` and ``one`` are roles that a solver plays: for the closed gap SBS and VBS, for
the UAI score a trivial solver and the truth, for an anytime curve the worst and the
best objective. A scale without length has a named outcome, never a silent 0.

How much of the way from SBS to VBS a selector has gone.

Every argument is a mean cost (lower is better, one unit) or an array of them; they
broadcast. Every result is a ``Scaled``: a value, or the reason why there is none.
Costs that agree with that of SBS to 12 digits are equal to it, as in the views.

Scores of the best objective found, for optimisation problems.

``values`` are (n_instances, n_solvers) in each problem's own unit, nan where a run
found no solution. ``maximize`` says whether more is better, for all or (n_instances,)
one each. Every result is (n_instances, n_solvers), from 0 to 1, higher is better, and 0
where there is no solution; its mean over instances is the solver's score.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aslib_eval.errors import AslibError
from aslib_eval.metrics.runs import TABLE, Floats


class Outcome(IntEnum):
    """Why a rescaled value is or is not defined; the smallest that applies."""

    DEFINED = 0
    MISSING = 1  # a value is nan
    INFINITE = 2  # a value is infinite
    NO_SCALE = 3  # both ends of the scale are equal


@dataclass(frozen=True, eq=False)
class Scaled:
    """Values of any shape and, for each, why it is or is not defined.

    values: nan exactly where the outcome is not DEFINED.
    outcomes: codes of ``Outcome``, the same shape.
    """

    values: NDArray[np.float64]
    outcomes: NDArray[np.int8]

    @property
    def defined(self) -> NDArray[np.bool_]:
        """Where there is a value."""
        return np.asarray(self.outcomes == Outcome.DEFINED)

    def to_list(self) -> list[float | None]:
        """The values in C order, None where there is none."""
        pairs = zip(self.values.ravel().tolist(), self.defined.ravel(), strict=True)
        return [value if defined else None for value, defined in pairs]


def rescale(x: ArrayLike, *, zero: ArrayLike, one: ArrayLike) -> Scaled:
    """(x - zero) / (one - zero): 0 at ``zero``, 1 at ``one``, linear and unbounded.

    The three broadcast against each other and share a unit; the result has none.
    Neither end need be the smaller: the direction of the measure is in the roles.

    Edge cases: a nan anywhere is MISSING, an infinity INFINITE, ``zero`` = ``one``
    NO_SCALE (also where x equals both). The 0 is never negative.
    """
    arrays = [np.asarray(a, dtype=np.float64) for a in (x, zero, one)]
    value, low, high = np.broadcast_arrays(*arrays)
    outcomes = np.zeros(value.shape, dtype=np.int8)
    outcomes[low == high] = Outcome.NO_SCALE
    for array in (value, low, high):
        outcomes[np.isinf(array)] = Outcome.INFINITE
    for array in (value, low, high):
        outcomes[np.isnan(array)] = Outcome.MISSING
    defined = outcomes == Outcome.DEFINED
    with np.errstate(invalid="ignore", over="ignore"):
        # Quarters, which are exact, have a difference where numbers are too large.
        value, low, high = value / 4, low / 4, high / 4
        span = np.where(defined, high - low, 1.0)
        values = np.where(defined, (value - low) / span + 0.0, np.nan)
    return Scaled(values, outcomes)


def clip(
    scaled: Scaled, *, low: float | None = None, high: float | None = None
) -> Scaled:
    """Bound the defined values; outcomes stay as they are."""
    return Scaled(np.clip(scaled.values, low, high), scaled.outcomes)


def choose(condition: ArrayLike, *, yes: Scaled, no: Scaled) -> Scaled:
    """``yes`` where the condition holds, else ``no``, value and outcome together."""
    where = np.asarray(condition, dtype=bool)
    return Scaled(
        np.where(where, yes.values, no.values),
        np.where(where, yes.outcomes, no.outcomes).astype(np.int8),
    )


EQUAL = 1e-12  # of SBS: what is left of a sum below that is no gap


def closed(score: ArrayLike, *, sbs: ArrayLike, vbs: ArrayLike) -> Scaled:
    """Closed gap: 1 = VBS, 0 = SBS, negative below SBS; higher is better.

    Edge cases: no scale where SBS = VBS.

    Source: Amadini et al. 2023, Definition 3.
    """
    return rescale(sbs_where_equal(score, sbs), zero=sbs, one=sbs_where_equal(vbs, sbs))


def sbs_where_equal(cost: ArrayLike, sbs: ArrayLike) -> Floats:
    """A cost, SBS's own where the two agree to 12 digits: the rounding of sums."""
    cost, sbs = np.broadcast_arrays(np.asarray(cost, float), np.asarray(sbs, float))
    with np.errstate(invalid="ignore", over="ignore"):
        same = np.abs(sbs - cost) <= EQUAL * np.abs(sbs)
    return np.where(same & np.isfinite(cost) & np.isfinite(sbs), sbs, cost)


def incomplete(
    values: ArrayLike,
    *,
    maximize: ArrayLike = False,
    best_known: ArrayLike | None = None,
) -> Floats:
    """(1 + best) / (1 + cost), the incomplete track of the MaxSAT Evaluation.

    best_known: (n_instances,) counts beside what these runs found; nan = not known.
    Where more is better, (1 + value) / (1 + best). Also used with PARk as the cost.

    Raises: AslibError if a value is negative.

    Source: Amadini et al. 2023, section 2.2; MaxSAT Evaluation 2018 and 2020, rules.
    """
    return _ratio(values, shift=1.0, maximize=maximize, best_known=best_known)


def satisficing(
    values: ArrayLike,
    *,
    maximize: ArrayLike = False,
    best_known: ArrayLike | None = None,
) -> Floats:
    """Best / cost, the satisficing track of the International Planning Competition.

    best_known: (n_instances,) the reference plan, as in ``incomplete``. Where more is
    better, value / best. Edge cases: 0/0 is 1; a best of 0 leaves 0 for all others.

    Raises: AslibError if a value is negative.

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

    proven: (n_instances, n_solvers) bool. The best objective that any solver found
    scores beta, the worst alpha, linear between them.

    Edge cases: where all that was found is equal, it is the best: beta.

    Raises: AslibError unless 0 <= alpha <= beta <= 1.

    Source: Amadini et al. 2023, section 2.3; Amadini, Gabbrielli and Mauro 2016.
    """
    if not 0 <= alpha <= beta <= 1:
        raise AslibError(f"0 <= alpha <= beta <= 1 does not hold: {alpha}, {beta}")
    table, sign = _oriented(values, maximize)
    costs = sign * table
    best = np.where(np.isnan(costs), np.inf, costs).min(axis=1, keepdims=True)
    worst = np.where(np.isnan(costs), -np.inf, costs).max(axis=1, keepdims=True)
    place = rescale(costs, zero=worst, one=best)
    level = np.where(place.outcomes == Outcome.NO_SCALE, 1.0, place.values)
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


def _ratio(
    values: ArrayLike,
    *,
    shift: float,
    maximize: ArrayLike,
    best_known: ArrayLike | None,
) -> Floats:
    """(shift + better) / (shift + worse) of each value and the best one."""
    table, sign = _oriented(values, maximize)
    if (table < 0).any():
        raise AslibError("a ratio of objectives needs values of at least 0")
    known = np.full(len(table), np.nan) if best_known is None else best_known
    everyone = sign * np.column_stack([table, np.broadcast_to(known, len(table))])
    best = np.where(np.isnan(everyone), np.inf, everyone).min(axis=1, keepdims=True)
    own, top = table + shift, np.where(np.isinf(best), 0.0, np.abs(best)) + shift
    less, more = np.minimum(own, top), np.maximum(own, top)
    ratio = np.divide(less, more, out=np.ones_like(less), where=more != 0)
    return np.where(np.isnan(table), 0.0, ratio)
