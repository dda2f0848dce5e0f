"""Scores of the best objective found, for optimisation problems.

``values`` are (n_instances, n_solvers) in each problem's own unit, nan where a run
found no solution. ``maximize`` says whether more is better, for all or (n_instances,)
one each. Every result is (n_instances, n_solvers), from 0 to 1, higher is better, and 0
where there is no solution; its mean over instances is the solver's score.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from aslib_eval.errors import AslibError
from aslib_eval.metrics.rescale import Outcome, rescale
from aslib_eval.metrics.runs import TABLE, Floats


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
