"""Tests of two solvers by Bayes, and a linear model of blocks: numpy and scipy alone.

Bayesian comparison of two systems with a region of practical equivalence (ROPE).

A posterior probability answers another question than a p-value: how likely it is, given the data and the
prior, that one system is better by more than what matters in practice. It promises no error rate: where two
systems are equal and the region is small, one of them may well seem better with probability 0.95, in more
than one of twenty experiments.

The linear model of a complete block design, and how normal a resampled mean is.

Tests of pairs need neither: they are what the paper's authors put beside them, to see whether a t test may
be trusted (Campelo and Wanner 2020, eq. 1 and 2 and footnote 11).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from aslib_eval.errors import AslibError
from aslib_eval.statistics.distributions import (
    binary_scale,
    chi2_sf,
    f_sf,
    normal_cdf,
    normal_quantile,
    require_finite,
    t_sf,
)
from aslib_eval.statistics.means import resampled_counts
from aslib_eval.statistics.paired import corrected_resampled_t

Floats = NDArray[np.float64]
DRAWS = 10_000  # of a posterior: a probability is known to 0.005 or better
PRIOR = 0.5  # weight of the pseudo-instance without a difference
_CELLS = 2_000_000  # weights in memory at once
_SAME = 1e-12  # shares that differ by less are equal


@dataclass(frozen=True)
class RopePosterior:
    """Probabilities that the effect is above, in and below the region.

    Above it the first system is better. They add up to 1. ``draws``: of how many
    draws of the posterior they are shares; None where they are exact.
    """

    better: float
    equal: float
    worse: float
    draws: int | None = None


def bayesian_signed_rank(
    differences: Floats, *, rope: float, rng: np.random.Generator, draws: int = DRAWS, prior: float = PRIOR
) -> list[RopePosterior]:
    """The Bayesian signed-rank test of each column of paired differences.

    differences: (n,) or (n, m), positive where the first system is better. ``rope``: half the width of the
    region, in their unit; 0 leaves no room for equality. The weights of the n instances, and of one
    pseudo-instance without a difference and of weight ``prior``, are Dirichlet distributed. The effect is
    the typical difference, the median over pairs of instances of their mean difference (Hodges and
    Lehmann's): it is above the region in the draws in which more than half of the weight of the pairs lies
    above (half a pair on its edge; a draw of exactly half is split), and below likewise. All columns see
    the same draws, so that their order has no influence. All differences 0: equal for certain, or with rope
    0 even odds.

    The papers and the package baycomp count the draws in which the share above is the largest of the three
    instead. That is the same for rope 0, but no probability of an effect: with an effect on the edge of a
    region that holds most differences it comes near 1.

    Source: Benavoli et al. 2014 and 2017, of which are the draws; the prior and the halves are those of the
    package baycomp.
    """
    _require_rope(rope)
    columns = np.asarray(differences, float)
    if not columns.size:
        raise AslibError("nothing to compare: there are no pairs")
    columns = columns.reshape(columns.shape[0], -1)
    require_finite(columns, "a difference is missing or infinite")
    n, m = columns.shape
    found = np.zeros((m, 3))
    step = max(1, _CELLS // (n + 1))
    for start in range(0, draws, step):
        size = min(step, draws - start)
        weights = np.empty((size, n + 1))
        weights[:, 0] = rng.standard_gamma(prior, size)
        weights[:, 1:] = rng.standard_exponential((size, n))
        weights /= weights.sum(axis=1, keepdims=True)
        for at in range(m):
            found[at] += _effects(np.append(0.0, columns[:, at]), weights, rope)
    shares = (found / draws).tolist()
    return [RopePosterior(up, same, down, draws) for up, same, down in shares]


def _effects(values: Floats, weights: Floats, rope: float) -> Floats:
    """(3,) draws in which the typical difference is above, in and below the region."""
    order = np.argsort(values, kind="stable")
    ordered, own = values[order], weights[:, order]
    upto = np.zeros((own.shape[0], own.shape[1] + 1))
    np.cumsum(own, axis=1, out=upto[:, 1:])
    above = 1 - (own * _below(upto, ordered, 2 * rope - ordered)).sum(axis=1)
    below = (own * _below(upto, ordered, -2 * rope - ordered)).sum(axis=1)
    up, down = _more_than_half(above), _more_than_half(below)
    return np.array([up, own.shape[0] - up - down, down])


def _more_than_half(shares: Floats) -> float:
    far = shares - 0.5
    return float((far > _SAME).sum() + (abs(far) <= _SAME).sum() / 2)


def _below(upto: Floats, ordered: Floats, edges: Floats) -> Floats:
    """(draws, n) weight of the values below each edge; of those on it half."""
    noise = _SAME * max(abs(ordered).max(), abs(edges).max())
    first = np.searchsorted(ordered, edges - noise, side="left")
    last = np.searchsorted(ordered, edges + noise, side="right")
    found: Floats = (upto[:, first] + upto[:, last]) / 2
    return found


def correlated_t(d: Floats, *, test_to_train: float, rope: float) -> RopePosterior:
    """The Bayesian correlated t test of differences over cross-validation folds.

    d: (J,) differences, one for each fold of each repetition. The posterior of the mean is Student's t with
    the spread of ``corrected_resampled_t``, so it is exact. Without any spread it is a point: on the edge
    of the region both are equal, at 0 with rope 0 the odds are even.

    Source: Corani and Benavoli 2015; Benavoli et al. 2017.
    """
    _require_rope(rope)
    found = corrected_resampled_t(d, test_to_train=test_to_train)
    if found.se:
        better = t_sf((rope - found.mean) / found.se, found.df)
        worse = t_sf((rope + found.mean) / found.se, found.df)
    elif rope == found.mean == 0:
        better = worse = 0.5
    else:
        better, worse = float(found.mean > rope), float(found.mean < -rope)
    return RopePosterior(better, max(0.0, 1 - better - worse), worse)


def _require_rope(rope: float) -> None:
    if not (isfinite(rope) and rope >= 0):
        raise AslibError(
            f"a region of practical equivalence of {rope:g} is none", hint="Give half its width: 0 or more."
        )


_FLAT = 1e-12  # of the total sum of squares: less is the noise of rounding


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
        raise AslibError(f"{k} systems on {n} units make no block design", hint="Take 2 of each at least.")
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
    covariance = np.cov(values, rowvar=False)
    centred = covariance - covariance.mean(axis=0)
    centred = centred - centred.mean(axis=1, keepdims=True)
    return float(np.trace(centred) ** 2 / ((values.shape[1] - 1) * np.square(centred).sum()))


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
