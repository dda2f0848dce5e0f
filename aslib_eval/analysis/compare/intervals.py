"""Confidence intervals of means in comparisons, by what bounds the values."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from aslib_eval.analysis.compare.question import Block, Question
from aslib_eval.statistics.effects import MeanIntervals
from aslib_eval.statistics.means import bounded_means, unbounded_means

Floats = NDArray[np.float64]
# Values of the column ``interval_method``.
BOUNDED, UNBOUNDED, FOLDS = "Gaffke", "bootstrap-t", "corrected t"
FEW = 100  # independent units below which only BOUNDED keeps its level
_LEAST, _MOST = 4999, 20_000  # resamples
_LARGE = 1e300  # a bound beyond which the distance between bounds may overflow


def mean_intervals(
    values: Floats, block: Block, question: Question, *, least: float, confidence: float
) -> tuple[MeanIntervals, str]:
    """Means of the columns with their intervals, and the name of the method.

    values: (n, m) of the block's units; least: 0 for what systems cost, or -1 for
    differences of two, in units of the block's largest possible value.
    """
    most = block.ceiling
    if most is not None and most < _LARGE:
        low = least * most
        if ((values >= low) & (values <= most)).all():
            found = bounded_means(values, least=low, most=most, confidence=confidence)
            return found, BOUNDED
    # About twenty resamples beyond the two ends together, within limits.
    resamples = min(_MOST, max(_LEAST, round(20 / (1 - confidence))))
    rng = np.random.default_rng(question.seed)
    found = unbounded_means(values, rng=rng, confidence=confidence, resamples=resamples)
    return found, UNBOUNDED


def too_few(block: Block, question: Question, method: str) -> str:
    """Warning if n is too small for the level of the intervals of means; else empty."""
    if method == BOUNDED or block.n >= FEW:
        return ""
    percent = f"{100 * (1 - question.alpha):g} %"
    if method == FOLDS:
        why = "the correction for what folds share is approximate"
    else:
        why = f"nothing bounds {question.metric.replace('_', ' ')}"
    return (
        f"n = {block.n} is too small to promise {percent} for intervals of means: {why}"
    )
