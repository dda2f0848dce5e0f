"""Tests of paired differences: Student's t, sign test, corrected resampled t."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, sqrt
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from aslib_eval.errors import AslibError, require_share
from aslib_eval.statistics.distributions import beta_quantile, coin_sf, t_quantile, t_sf
from aslib_eval.statistics.signed_rank import sign_changes
from aslib_eval.statistics.tolerant_ranks import binary_scale, require_finite

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
    factor = 1 / max(len(d), 1) + test_to_train
    return _t(d, factor, alternative=alternative, confidence=confidence)


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
