"""The linear model of a complete block design, and how normal a resampled mean is.

Tests of pairs need neither: they are what the paper's authors put beside them, to see whether a t test may
be trusted (Campelo and Wanner 2020, eq. 1 and 2 and footnote 11).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from aslib_eval.errors import AslibError
from aslib_eval.statistics.distributions import chi2_sf, f_sf, normal_cdf, normal_quantile
from aslib_eval.statistics.means import resampled_counts
from aslib_eval.statistics.tolerant_ranks import binary_scale, require_finite

Floats = NDArray[np.float64]
_FLAT = 1e-12  # of the total sum of squares: less is the noise of rounding
_CELLS = 2_000_000  # counts in memory at once


@dataclass(frozen=True)
class BlockAnova:
    """Analysis of variance of value = mean + system + block + residual.

    F and p are None where no residual varies. ``epsilon``: Greenhouse and Geisser's, 1 where all
    differences of systems vary alike, at least 1 / (k - 1); ``p_epsilon`` is p with both degrees of freedom
    times it. ``additive_p``: Tukey's test of whether the effect of a system is the same on easy and hard
    blocks. ``spread_ratio``: largest over smallest standard deviation of the residuals of a system, None if
    one has none. ``normal_p``: of the residuals' skewness and kurtosis together (Jarque-Bera, an
    approximation below some hundred residuals).
    """

    n: int
    k: int
    f: float | None
    df: int
    df_error: int
    p: float | None
    epsilon: float | None
    p_epsilon: float | None
    f_blocks: float | None
    p_blocks: float | None
    sd: float  # of the residuals, with df_error
    additive_f: float | None
    additive_p: float | None
    skew: float | None
    kurtosis: float | None  # in excess of the normal distribution's
    normal_p: float | None
    spread_ratio: float | None


def block_anova(values: Floats) -> BlockAnova:
    """Two-way analysis of variance without interaction: systems, and units as blocks.

    values: (n, k), a row for each unit, a column for each system; n, k >= 2.

    Source: Campelo and Wanner 2020, eq. 1 and 2; Montgomery 2013, chapter 4; Tukey 1949; Greenhouse and
    Geisser 1959; Jarque and Bera 1980.
    """
    values = np.asarray(values, float)
    n, k = values.shape
    if min(n, k) < 2:  # noqa: PLR2004
        message = f"{k} systems on {n} units make no block design"
        raise AslibError(message, hint="Take 2 of each at least.")
    require_finite(values, "a value is missing or infinite")
    scale = binary_scale(values)
    values = values / scale
    centred = values - values.mean()
    systems, blocks = centred.mean(axis=0), centred.mean(axis=1)
    residuals = centred - systems - blocks[:, None]
    total = float(np.square(centred).sum())
    error, df, df_error = float(np.square(residuals).sum()), k - 1, (k - 1) * (n - 1)
    mean_square = error / df_error
    flat = error <= _FLAT * total
    f = f_blocks = None
    if not flat:
        f = n * float(np.square(systems).sum()) / df / mean_square
        f_blocks = k * float(np.square(blocks).sum()) / (n - 1) / mean_square
    epsilon = None if flat else _epsilon(values)
    additive = None if flat else _additive(residuals, systems, blocks, error)
    skew, kurtosis = (None, None) if flat else moments(residuals.ravel())
    spread = residuals.std(axis=0)
    return BlockAnova(
        n=n,
        k=k,
        f=f,
        df=df,
        df_error=df_error,
        p=None if f is None else f_sf(f, df, df_error),
        epsilon=epsilon,
        p_epsilon=None if f is None or epsilon is None else f_sf(f, df * epsilon, df_error * epsilon),
        f_blocks=f_blocks,
        p_blocks=None if f_blocks is None else f_sf(f_blocks, n - 1, df_error),
        sd=0.0 if flat else float(np.sqrt(mean_square)) * scale,
        additive_f=additive,
        additive_p=None if additive is None else f_sf(additive, 1, df_error - 1),
        skew=skew,
        kurtosis=kurtosis,
        normal_p=None
        if skew is None or kurtosis is None
        else chi2_sf(n * k / 6 * (skew**2 + kurtosis**2 / 4), 2),
        spread_ratio=None
        if flat or spread.min() <= _FLAT * spread.max()
        else float(spread.max() / spread.min()),
    )


def _epsilon(values: Floats) -> float:
    """Greenhouse and Geisser's: of the doubly centred covariances of the systems."""
    covariance = np.cov(values, rowvar=False)
    centred = covariance - covariance.mean(axis=0)
    centred = centred - centred.mean(axis=1, keepdims=True)
    k = values.shape[1]
    return float(np.trace(centred) ** 2 / ((k - 1) * np.square(centred).sum()))


def _additive(residuals: Floats, systems: Floats, blocks: Floats, error: float) -> float | None:
    """Tukey's F with 1 degree of freedom; None where it has no error left."""
    n, k = residuals.shape
    products = float(np.square(systems).sum() * np.square(blocks).sum())
    left = (k - 1) * (n - 1) - 1
    if left < 1 or products == 0:
        return None
    part = float(blocks @ residuals @ systems) ** 2 / products
    rest = error - part
    return None if rest <= _FLAT * error else part / (rest / left)


def moments(values: Floats) -> tuple[float | None, float | None]:
    """Skewness and excess kurtosis, both null without spread."""
    if np.ptp(values) == 0:
        return None, None
    scaled = values / binary_scale(values)
    centred = scaled - scaled.mean()
    variance = float(np.square(centred).mean())
    skew = float((centred**3).mean()) / variance**1.5
    return skew, float((centred**4).mean()) / variance**2 - 3


@dataclass(frozen=True)
class ResampledMean:
    """How the mean of resampled differences is distributed, against a normal one.

    All but ``means`` are None without spread. ``distance``: largest distance of the two distribution
    functions (Kolmogorov's). ``below`` and ``above``: share of resampled means further from the mean than
    1.96 standard errors on a side; 0.025 if normal.
    """

    means: Floats  # in ascending order
    skew: float | None
    kurtosis: float | None
    distance: float | None
    below: float | None
    above: float | None


def resampled_mean(d: Floats, *, rng: np.random.Generator, resamples: int = 4999) -> ResampledMean:
    """The bootstrap distribution of the mean of paired differences.

    d: (n,) differences. It shows what the t test takes for granted: that the mean, not the single
    difference, is nearly normal. The standard error is that of the resampled means themselves. It cannot
    show what no instance of the sample has, such as a rare timeout.

    Source: Efron and Tibshirani 1993, chapter 6; Campelo and Takahashi 2019.
    """
    d = np.asarray(d, float)
    if d.size < 2:  # noqa: PLR2004
        raise AslibError(f"{d.size} differences say nothing of their mean")
    require_finite(d, "a difference is missing or infinite")
    scale = binary_scale(d)
    step = max(1, _CELLS // d.size)
    parts = [
        resampled_counts(d.size, size=min(step, resamples - start), rng=rng) @ (d / scale)
        for start in range(0, resamples, step)
    ]
    means = np.sort(np.concatenate(parts)) / d.size
    if np.ptp(d) == 0:
        return ResampledMean(means * scale, *(None,) * 5)
    skew, kurtosis = moments(means)
    at = (means - means.mean()) / means.std()
    expected = np.array([normal_cdf(float(z)) for z in at])
    steps = np.arange(resamples + 1) / resamples
    distance = max(abs(expected - steps[1:]).max(), abs(expected - steps[:-1]).max())
    edge = normal_quantile(0.975)
    return ResampledMean(
        means=means * scale,
        skew=skew,
        kurtosis=kurtosis,
        distance=float(distance),
        below=float((at < -edge).mean()),
        above=float((at > edge).mean()),
    )
