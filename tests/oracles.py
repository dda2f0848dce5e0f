"""Definitions of scores in numpy that tests hold against the SQL views.

Rows are instances and columns are solvers, as in ``aslib_eval.metrics``.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from aslib_eval.errors import AslibError
from aslib_eval.metrics.ranking import BordaRule, pairwise
from aslib_eval.metrics.scale import Floats, Runs, Scaled, ScaleStatus, rescale, sbs_where_equal
from aslib_eval.statistics.distributions import binary_scale, require_finite
from aslib_eval.statistics.friedman import Order, ScottKnott, group_means


def borda(runs: Runs, *, rule: BordaRule | None = None) -> Floats:
    """Borda score of each solver: (n_solvers,), from 0 to n_solvers - 1."""
    return np.asarray(pairwise(runs, rule=rule).sum(axis=1))


def choose(condition: ArrayLike, *, yes: Scaled, no: Scaled) -> Scaled:
    """``yes`` where the condition is true, else ``no``: value and status together."""
    where = np.asarray(condition, dtype=bool)
    return Scaled(
        np.where(where, yes.values, no.values), np.where(where, yes.status, no.status).astype(np.int8)
    )


def remaining(score: ArrayLike, *, sbs: ArrayLike, vbs: ArrayLike) -> Scaled:
    """Remaining gap, 1 - closed gap: 0 = VBS, 1 = SBS; lower is better.

    Edge cases: no scale where SBS = VBS.

    Source: Amadini et al. 2023, footnote 6 (the ICON challenge of 2015).
    """
    return rescale(sbs_where_equal(score, sbs), zero=sbs_where_equal(vbs, sbs), one=sbs)


def bounded(score: ArrayLike, *, sbs: ArrayLike, vbs: ArrayLike, vws: ArrayLike) -> Scaled:
    """Closed gap above SBS, below it the share of the way down to VWS: -1 = VWS.

    Higher is better. Edge cases: no scale where SBS = VBS; below SBS also where
    SBS = VWS; VWS does not matter at or above SBS.

    Source: Amadini et al. 2023, section 2.2 (see ``bounded_printed``).
    """
    score, vws = sbs_where_equal(score, sbs), sbs_where_equal(vws, sbs)
    above = rescale(score, zero=sbs, one=sbs_where_equal(vbs, sbs))
    below = _negated(rescale(score, zero=sbs, one=vws))
    return _choose_side(score, sbs=sbs, above=above, below=below)


def bounded_printed(score: ArrayLike, *, sbs: ArrayLike, vbs: ArrayLike, vws: ArrayLike) -> Scaled:
    """``bounded`` with VWS - VBS as the scale below SBS, as the paper prints it.

    It does not reach -1 at VWS. Higher is better; edge cases as in ``bounded``, but
    the scale below SBS is missing only where VBS = VWS.

    Source: Amadini et al. 2023, section 2.2.
    """
    score = sbs_where_equal(score, sbs)
    above = rescale(score, zero=sbs, one=sbs_where_equal(vbs, sbs))
    with np.errstate(invalid="ignore"):  # inf - inf: rescale says what is wrong
        lost, span = np.subtract(score, sbs), np.subtract(vws, vbs)
    below = _negated(rescale(lost, zero=0.0, one=span))
    return _choose_side(score, sbs=sbs, above=above, below=below)


def speedup(score: ArrayLike, *, vbs: ArrayLike) -> Scaled:
    """m_VBS / m_s, in (0, 1]; higher is better. No scale where the score is 0.

    Source: Amadini et al. 2023, section 2.2.
    """
    return rescale(vbs, zero=0.0, one=score)


def _negated(scaled: Scaled) -> Scaled:
    return Scaled(-scaled.values, scaled.status)


def _choose_side(score: ArrayLike, *, sbs: ArrayLike, above: Scaled, below: Scaled) -> Scaled:
    """One scale at and above SBS, another below; none where SBS equals VBS."""
    worse = np.asarray(score, dtype=float) > np.asarray(sbs, dtype=float)
    no_gap = above.status == ScaleStatus.NO_SCALE
    return choose(worse & ~no_gap, yes=below, no=above)


def mean_score(scores: ArrayLike) -> Floats:
    """Mean over all instances of each solver: (n_instances, …) gives (…).

    A missing score (nan) counts as 0 and stays in the denominator.

    Raises:
        AslibError: if there is no instance.
    """
    table = np.asarray(scores, float)
    if not table.shape or not table.shape[0]:
        raise AslibError("there is no instance to average over")
    return np.asarray(np.nan_to_num(table, nan=0.0).mean(axis=0))


def scott_knott(
    samples: Sequence[Floats], *, alpha: float = 0.05, order: Order = "descending"
) -> ScottKnott:
    """Group independent samples by their means (one-way).

    samples: one array of observations for each system; sizes may differ (the harmonic mean of the sizes in
    the group that is to be split then serves, as the method is made for equal ones). Instances that all
    systems share belong in ``scott_knott_blocked``: here their differences would count as error.

    What it promises: with all means equal, more than one group appears with a chance near alpha. Where only
    some means are equal it promises nothing: each further split is tested at alpha again (see
    scripts/simulate_statistics).

    Raises:
        AslibError: if there are not two systems with two observations each.

    Source: Scott and Knott 1974; as R's ScottKnott 1.4.
    """
    arrays = [np.asarray(sample, float) for sample in samples]
    sizes = np.array([a.size for a in arrays])
    if len(arrays) < 2 or sizes.min() < 2:
        raise AslibError("Scott-Knott needs two systems with two observations each")
    for array in arrays:
        require_finite(array, "an observation is missing or infinite")
    scale = binary_scale(np.concatenate(arrays))
    arrays = [a / scale for a in arrays]  # squares of large values would overflow
    means = np.array([a.mean() for a in arrays])
    error = sum(float(np.square(a - a.mean()).sum()) for a in arrays)
    df = int(sizes.sum()) - len(arrays)
    return group_means(means, error / df, df, sizes, alpha, order, scale=scale)
