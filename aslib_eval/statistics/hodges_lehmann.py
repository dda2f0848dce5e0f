"""The typical difference: Hodges and Lehmann's estimate with Wilcoxon's interval."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, sqrt

import numpy as np
from numpy.typing import NDArray

from aslib_eval.errors import AslibError
from aslib_eval.statistics.distributions import normal_quantile
from aslib_eval.statistics.ranks import require_finite, require_share, rounded
from aslib_eval.statistics.signed_rank import (
    EXACT_UP_TO,
    Alternative,
    null_distribution,
)

Floats = NDArray[np.float64]
_CLOSE = 1e-13  # of the largest difference: nearer averages count as one


@dataclass(frozen=True)
class Shift:
    """Hodges-Lehmann estimate of the typical difference, and its interval."""

    estimate: float
    lower: float
    upper: float
    confidence: float


def hodges_lehmann(
    d: Floats,
    *,
    confidence: float = 0.95,
    alternative: Alternative = "two-sided",
) -> Shift:
    """The median of all averages of two differences, with Wilcoxon's interval.

    d: (n,) differences, zeros included: pairs that tie at the timeout count, so an
    estimate of 0 says that most pairs do not differ. The bounds are those shifts that
    the test without ties would not reject: at least the confidence asked for where
    there are none, and conservative with ties. Too few pairs for the confidence give
    infinite bounds, one-sided ones have one.

    Raises AslibError if there is no pair, or a difference is missing.

    Source: Hodges and Lehmann 1963; Hollander and Wolfe 1999, section 3.3.
    """
    d = np.sort(rounded(d))
    if not d.size:
        raise AslibError("there are no pairs")
    require_finite(d, "a difference is missing or infinite")
    require_share(confidence, "confidence")
    tail = (1 - confidence) / (2 if alternative == "two-sided" else 1)
    depth = _depth(d.size, tail)
    total = d.size * (d.size + 1) // 2
    ranks = {(total + 1) // 2, total // 2 + 1}
    middle = sum(_average(d, rank) for rank in ranks) / len(ranks)
    lower = _average(d, depth) if depth and alternative != "less" else -np.inf
    upper = np.inf
    if depth and alternative != "greater":
        upper = _average(d, total + 1 - depth)
    return Shift(estimate=middle, lower=lower, upper=upper, confidence=confidence)


def _average(d: Floats, rank: int) -> float:
    """The rank-th smallest of all averages of two of the sorted d, or of one alone.

    By bisection on how many are at most t, which needs no list of all n^2 / 2.
    """
    scale = float(abs(d[[0, -1]]).max())
    low, high = float(d[0]) - scale, float(d[-1])
    while high - low > _CLOSE * scale:
        middle = (low + high) / 2
        low, high = (low, middle) if _at_most(d, middle) >= rank else (middle, high)
    partner = np.searchsorted(d, 2 * low - d, side="right")
    found = partner < d.size
    averages = (d[found] + d[partner[found]]) / 2
    return float(averages[averages > low].min()) if scale else 0.0


def _at_most(d: Floats, t: float) -> int:
    """How many averages are at most t; those of one alone count too."""
    ordered = int(np.searchsorted(d, 2 * t - d, side="right").sum())
    alone = int(np.searchsorted(d, t, side="right"))
    return (ordered + alone) // 2


def _depth(n: int, tail: float) -> int:
    """How many Walsh averages lie outside each bound; 0 = the bound is infinite.

    The largest c with P(W+ <= c - 1) <= tail, ranks 1 to n.
    """
    if n > EXACT_UP_TO:
        total = n * (n + 1)
        sd = sqrt(total * (2 * n + 1) / 24)
        return max(0, ceil(total / 4 + normal_quantile(tail) * sd))
    below = np.cumsum(null_distribution(np.arange(1.0, n + 1))[::2])
    return int(np.searchsorted(below, tail * (1 + 1e-12), side="right"))
