"""Tests and effects of paired differences: Student's t, sign test, A12, shares of wins."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, sqrt
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from aslib_eval.errors import AslibError, require_share
from aslib_eval.statistics.distributions import (
    beta_quantile,
    binary_scale,
    coin_sf,
    require_finite,
    rounded,
    t_quantile,
    t_sf,
)
from aslib_eval.statistics.means import FEWEST, bounded_means, family_values
from aslib_eval.statistics.signed_rank import sign_changes

Floats = NDArray[np.float64]
Alternative = Literal["two-sided", "greater", "less"]


@dataclass(frozen=True)
class PairedT:
    """Result of a paired t test: t, p, mean difference and its interval."""

    t: float
    df: int
    p: float
    mean: float
    se: float  # of the mean, corrected if the test says so
    lower: float
    upper: float
    d: float | None  # Cohen's d: mean / standard deviation; null without any spread


@dataclass(frozen=True)
class Signs:
    """Result of a sign test: wins, losses, ties, p and the share of wins."""

    wins: int
    losses: int
    ties: int
    p: float
    share: float  # of wins among wins and losses; 0.5 if there are none
    lower: float
    upper: float


def paired_t(d: Floats, *, alternative: Alternative = "two-sided", confidence: float = 0.95) -> PairedT:
    """Test whether the mean of the paired differences is 0.

    d: (n,) differences, n >= 2. Where all differences are the same, there is no spread to estimate: t is
    infinite, d null, and p that of so many equal signs, 0.5^n on the side where they lie (twice that with
    two sides); 1, or one-sided 0.5, if they are 0.
    """
    return _t(d, 1 / max(len(d), 1), alternative=alternative, confidence=confidence)


def corrected_resampled_t(
    d: Floats, *, test_to_train: float, alternative: Alternative = "two-sided", confidence: float = 0.95
) -> PairedT:
    """Test whether the mean difference over cross-validation folds is 0.

    d: (J,) differences, one for each fold of each repetition. Folds share training instances, so the
    variance of the mean is (1 / J + test / train) s^2, where ``test_to_train`` is their ratio: 1 / 9 for
    ten folds. Edges as ``paired_t``.

    Source: Nadeau and Bengio 2003, section 4; Bouckaert and Frank 2004.
    """
    if not 0 < test_to_train < inf:
        raise AslibError(f"test_to_train = {test_to_train:g} must be above 0")
    return _t(d, 1 / max(len(d), 1) + test_to_train, alternative=alternative, confidence=confidence)


def _t(d: Floats, factor: float, *, alternative: Alternative, confidence: float) -> PairedT:
    """Student's t of a mean whose variance is factor times that of the differences."""
    d = np.asarray(d, float)
    if d.size < 2:  # noqa: PLR2004
        raise AslibError(f"{d.size} pairs are too few for a t test", hint="Take 2.")
    require_finite(d, "a difference is missing or infinite")
    require_share(confidence, "confidence")
    scale = binary_scale(d)
    d = d / scale  # squares of large differences would overflow
    df, mean, sd = d.size - 1, float(d.mean()), float(d.std(ddof=1))
    if np.ptp(d) == 0:
        mean, sd = float(d[0]), 0.0  # the mean of equal numbers may be off by one bit
    se = sd * sqrt(factor)
    t = mean / se if se else (0.0 if mean == 0 else mean * inf)
    half = t_quantile(1 - (1 - confidence) / _sides(alternative), df) * se
    return PairedT(
        t=t,
        df=df,
        p=_t_p(t, df, alternative) if sd else _p_of_signs(mean, d.size, alternative),
        mean=mean * scale,
        se=se * scale,
        lower=-inf if alternative == "less" else (mean - half) * scale,
        upper=inf if alternative == "greater" else (mean + half) * scale,
        d=mean / sd if sd else None,
    )


def _sides(alternative: Alternative) -> int:
    return 2 if alternative == "two-sided" else 1


def _t_p(t: float, df: int, alternative: Alternative) -> float:
    if alternative == "two-sided":
        return min(1.0, 2 * t_sf(abs(t), df))
    return t_sf(t if alternative == "greater" else -t, df)


def _p_of_signs(mean: float, n: int, alternative: Alternative) -> float:
    """Where all n differences are the same and t, being infinite, has no p."""
    if mean == 0:
        return 1.0 if alternative == "two-sided" else 0.5
    if alternative == "two-sided":
        return 2 * 0.5**n
    return 0.5**n if (mean > 0) is (alternative == "greater") else 1.0


def sign_test(
    d: Floats,
    *,
    alternative: Alternative = "two-sided",
    confidence: float = 0.95,
    clusters: NDArray[np.int64] | None = None,
) -> Signs:
    """Test whether a positive difference is as likely as a negative one.

    d: (n,) differences; zeros are dropped. The interval is Clopper and Pearson's. ``clusters``: (n,) codes
    of families, whose signs change together; the interval takes no account of them.
    """
    d = np.asarray(d, float)
    if not d.size:
        raise AslibError("no pairs to test")
    require_finite(d, "a difference is missing or infinite")
    require_share(confidence, "confidence")
    wins, losses = int((d > 0).sum()), int((d < 0).sum())
    n, tail = wins + losses, (1 - confidence) / _sides(alternative)
    greater, less = coin_sf(wins, n), coin_sf(losses, n)
    ends = {"greater": greater, "less": less}
    if clusters is not None:
        ends = {alternative: sign_changes(np.sign(d), clusters, alternative)[0]}
    return Signs(
        wins=wins,
        losses=losses,
        ties=d.size - n,
        p=ends.get(alternative, min(1.0, 2 * min(greater, less))),
        share=wins / n if n else 0.5,
        lower=0.0 if alternative == "less" else beta_quantile(tail, wins, losses + 1),
        upper=1.0 if alternative == "greater" else beta_quantile(1 - tail, wins + 1, losses),
    )


# Tests of other packages.


@dataclass(frozen=True)
class OwnTest:
    """A paired test that another package adds to ``compare``.

    words: its name in sentences. test: takes the differences (n,), of one each unit and above 0 where the
    first system is better, and the side, ``two-sided`` or ``greater`` (only whether the first is better);
    returns the statistic, above 0 if it speaks for the first, and p. Differences of 0 are ties, and all may
    be 0: then p must be 1.
    """

    words: str
    test: Callable[[Floats, Literal["two-sided", "greater"]], tuple[float, float]]


def own_test(found: object) -> OwnTest:
    """What a plug-in adds."""
    if not isinstance(found, OwnTest):
        raise AslibError(f"is a {type(found).__name__}, and no OwnTest")
    return found


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
    share: Floats = (below + np.searchsorted(ordered, a, side="right")) / (2 * b.size)
    return share


def _variance(parts: Floats) -> float:
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
