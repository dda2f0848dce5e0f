"""How much of the way from SBS to VBS a selector has gone.

Every argument is a mean cost (lower is better, one unit) or an array of them; they
broadcast. Every result is a ``Scaled``: a value, or the reason why there is none.
Costs that agree with that of SBS to 12 digits are equal to it, as in the views.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from aslib_eval.errors import AslibError
from aslib_eval.metrics.rescale import Outcome, Scaled, choose, clip, rescale
from aslib_eval.metrics.runs import Floats

EQUAL = 1e-12  # of SBS: what is left of a sum below that is no gap


def closed(score: ArrayLike, *, sbs: ArrayLike, vbs: ArrayLike) -> Scaled:
    """Closed gap: 1 = VBS, 0 = SBS, negative below SBS; higher is better.

    Edge cases: no scale where SBS = VBS.

    Source: Amadini et al. 2023, Definition 3.
    """
    return rescale(_settled(score, sbs), zero=sbs, one=_settled(vbs, sbs))


def remaining(score: ArrayLike, *, sbs: ArrayLike, vbs: ArrayLike) -> Scaled:
    """Remaining gap, 1 - closed gap: 0 = VBS, 1 = SBS; lower is better.

    Edge cases: no scale where SBS = VBS.

    Source: Amadini et al. 2023, footnote 6 (the ICON challenge of 2015).
    """
    return rescale(_settled(score, sbs), zero=_settled(vbs, sbs), one=sbs)


def bounded(
    score: ArrayLike, *, sbs: ArrayLike, vbs: ArrayLike, vws: ArrayLike
) -> Scaled:
    """Closed gap above SBS, below it the share of the way down to VWS: -1 = VWS.

    Higher is better. Edge cases: no scale where SBS = VBS; below SBS also where
    SBS = VWS; VWS does not matter at or above SBS.

    Source: Amadini et al. 2023, section 2.2 (see ``bounded_printed``).
    """
    score, vws = _settled(score, sbs), _settled(vws, sbs)
    above = rescale(score, zero=sbs, one=_settled(vbs, sbs))
    below = _negated(rescale(score, zero=sbs, one=vws))
    return _joined(score, sbs=sbs, above=above, below=below)


def bounded_printed(
    score: ArrayLike, *, sbs: ArrayLike, vbs: ArrayLike, vws: ArrayLike
) -> Scaled:
    """``bounded`` with VWS - VBS as the scale below SBS, as the paper prints it.

    It does not reach -1 at VWS. Higher is better; edge cases as in ``bounded``, but
    the scale below SBS is missing only where VBS = VWS.

    Source: Amadini et al. 2023, section 2.2.
    """
    score = _settled(score, sbs)
    above = rescale(score, zero=sbs, one=_settled(vbs, sbs))
    with np.errstate(invalid="ignore"):  # inf - inf: rescale says what is wrong
        lost, span = np.subtract(score, sbs), np.subtract(vws, vbs)
    below = _negated(rescale(lost, zero=0.0, one=span))
    return _joined(score, sbs=sbs, above=above, below=below)


def clipped(
    score: ArrayLike, *, sbs: ArrayLike, vbs: ArrayLike, floor: float
) -> Scaled:
    """max(floor, closed gap); higher is better.

    Raises: AslibError if the floor is above 0.

    Source: Amadini et al. 2023, section 2.2 (the lower bound l <= 0).
    """
    if not floor <= 0:
        raise AslibError(f"the floor of a gap must be at most 0, not {floor}")
    return clip(closed(score, sbs=sbs, vbs=vbs), low=floor)


def attainable(vbs_paying: ArrayLike, *, sbs: ArrayLike, vbs: ArrayLike) -> Scaled:
    """Closed gap of a VBS that pays the feature costs: no selector can exceed it.

    vbs_paying: mean cost of the choices of VBS with the features' cost added (and cut
    off because of it).
    """
    return closed(vbs_paying, sbs=sbs, vbs=vbs)


def speedup(score: ArrayLike, *, vbs: ArrayLike) -> Scaled:
    """m_VBS / m_s, in (0, 1]; higher is better. No scale where the score is 0.

    Source: Amadini et al. 2023, section 2.2.
    """
    return rescale(vbs, zero=0.0, one=score)


def improvement(score: ArrayLike, *, sbs: ArrayLike) -> Scaled:
    """m_SBS / m_s, above 1 if better than SBS. No scale where the score is 0.

    Source: Amadini et al. 2023, section 2.2 ("improvement factor").
    """
    return rescale(sbs, zero=0.0, one=score)


def _settled(cost: ArrayLike, sbs: ArrayLike) -> Floats:
    """A cost, SBS's own where the two agree to 12 digits: the rounding of sums."""
    cost, sbs = np.broadcast_arrays(np.asarray(cost, float), np.asarray(sbs, float))
    with np.errstate(invalid="ignore", over="ignore"):
        same = np.abs(sbs - cost) <= EQUAL * np.abs(sbs)
    return np.where(same & np.isfinite(cost) & np.isfinite(sbs), sbs, cost)


def _negated(scaled: Scaled) -> Scaled:
    return Scaled(-scaled.values, scaled.outcomes)


def _joined(
    score: ArrayLike, *, sbs: ArrayLike, above: Scaled, below: Scaled
) -> Scaled:
    """One scale at and above SBS, another below; none where SBS equals VBS."""
    worse = np.asarray(score, dtype=float) > np.asarray(sbs, dtype=float)
    no_gap = above.outcomes == Outcome.NO_SCALE
    return choose(worse & ~no_gap, yes=below, no=above)
