"""Effect sizes of the difference of two systems."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from aslib_eval.errors import AslibError, require_share
from aslib_eval.statistics.distributions import beta_quantile, t_quantile
from aslib_eval.statistics.families import FEWEST, family_values
from aslib_eval.statistics.means import bounded_means
from aslib_eval.statistics.tolerant_ranks import require_finite, rounded

Floats = NDArray[np.float64]
WORDS = ("negligible", "small", "medium", "large")
BOUNDS = (0.147, 0.33, 0.474)  # on |Cliff's delta|: Romano et al. 2006

_SHRINKING = 10  # prior weight of the largest variance of A12, in instances


@dataclass(frozen=True)
class Superiority:
    """Probability that the first of two systems is the better one.

    ``a12`` above 0.5 and ``cliff`` above 0 mean that the first is better.
    """

    a12: float  # P(first better) + P(equal) / 2, any instance against any
    lower: float
    upper: float
    cliff: float  # Cliff's delta, 2 a12 - 1
    magnitude: str  # of |Cliff's delta|, in Romano's words


def superiority(
    a: Floats,
    b: Floats,
    *,
    lower_is_better: bool,
    confidence: float = 0.95,
    clusters: NDArray[np.int64] | None = None,
) -> Superiority:
    """A12 and Cliff's delta of a over b, with interval and magnitude.

    a, b: (n,) and (m,) values. With n = m the values are taken as paired, on the same instances: the
    estimate ignores the pairing, its interval does not. Values that are the same but for noise of
    arithmetic (13 digits) are equal. All equal gives 0.5: negligible.

    The interval is Wilson's with Student's t, and as its variance that of the placements (DeLong), drawn
    with the weight of ten instances towards the largest one that independent samples can have, a12 (1 -
    a12) / min(n, m). It is never a point: for eight pairs without overlap it is 0.59 to 1. docs/statistics/
    shows what it covers. It is 0 to 1 where n or m is 1. ``clusters``: (n,) codes of families of the pairs;
    the variance is then between families, and n their number.

    Source: Vargha and Delaney 2000; Cliff 1993; DeLong et al. 1988; Wilson 1927; the largest variance: van
    Dantzig 1951.
    """
    require_share(confidence, "confidence")
    sign = -1.0 if lower_is_better else 1.0
    first, second = sign * rounded(a), sign * rounded(b)
    over, under = _placements(first, second), 1 - _placements(second, first)
    # In halves of a pair, whose sum is exact: two that are alike have 0.5 exactly.
    won = float((over * (2 * second.size)).round().sum())
    most = 2 * over.size * under.size
    a12 = won / most
    variance = _variance(over + under) if over.size == under.size else _variance(over) + _variance(under)
    n = min(over.size, under.size)
    if clusters is None:
        lower, upper = _wilson(a12, variance, n=n, confidence=confidence)
    else:
        lower, upper = _of_families(a12, over + under, clusters, confidence)
    cliff = (2 * won - most) / most
    return Superiority(a12=a12, lower=lower, upper=upper, cliff=cliff, magnitude=magnitude(cliff))


def _of_families(
    a12: float, placed: Floats, clusters: NDArray[np.int64], confidence: float
) -> tuple[float, float]:
    """Wilson's interval, and what families that are not there may make of it.

    placed: (n,) twice the share that a pair has in A12.
    """
    rows = family_values(placed[:, None], clusters, confidence=confidence)
    n = len(rows) if len(rows) >= FEWEST else 1
    low, high = _wilson(a12, _variance(rows[:, 0]), n=n, confidence=confidence)
    found = bounded_means(placed / 2, least=0, most=1, confidence=confidence, clusters=clusters)
    return min(low, float(found.lower[0])), max(high, float(found.upper[0]))


def _wilson(share: float, variance: float, *, n: int, confidence: float) -> tuple[float, float]:
    """Wilson's interval of a share whose variance was estimated from n instances."""
    if n < 2:  # noqa: PLR2004
        return 0.0, 1.0
    largest = share * (1 - share) / n
    factor = (n * variance / largest + _SHRINKING) / (n + _SHRINKING) if largest else 1
    size = n / factor
    t = t_quantile((1 + confidence) / 2, n - 1)
    centre = (share + t * t / (2 * size)) / (1 + t * t / size)
    half = t * sqrt(share * (1 - share) / size + (t / (2 * size)) ** 2)
    half /= 1 + t * t / size
    return max(0.0, centre - half), min(1.0, centre + half)


def _placements(a: Floats, b: Floats) -> Floats:
    """(n,) share of b that each of a exceeds, equal ones counting half."""
    if not a.size or not b.size:
        raise AslibError("nothing to compare: a system has no values")
    require_finite(a, "a value is missing or infinite")
    require_finite(b, "a value is missing or infinite")
    ordered = np.sort(b)
    below = np.searchsorted(ordered, a, side="left")
    upto = np.searchsorted(ordered, a, side="right")
    share: Floats = (below + upto) / (2 * b.size)
    return share


def _variance(parts: Floats) -> float:
    """Variance of the mean of the parts."""
    return float(parts.var(ddof=1)) / parts.size if parts.size > 1 else 0.0


def magnitude(cliff: float) -> str:
    """Magnitude of Cliff's delta in words: negligible, small, medium or large."""
    return WORDS[sum(abs(cliff) >= bound for bound in BOUNDS)]


@dataclass(frozen=True)
class Share:
    """Share of instances on which the first is better, ties counting half."""

    estimate: float
    lower: float
    upper: float


def win_share(d: Floats, *, confidence: float = 0.95) -> Share:
    """The paired probability of superiority.

    d: (n,) differences, positive where the first is better. The interval is Clopper
    and Pearson's with half wins allowed, thus conservative, and never a point.
    """
    d = np.asarray(d, float)
    if not d.size:
        raise AslibError("nothing to compare: there are no pairs")
    require_finite(d, "a difference is missing or infinite")
    require_share(confidence, "confidence")
    points = float((np.sign(d) + 1).sum()) / 2
    lost, tail = d.size - points, (1 - confidence) / 2
    return Share(
        estimate=points / d.size,
        lower=beta_quantile(tail, points, lost + 1),
        upper=beta_quantile(1 - tail, points + 1, lost),
    )
