"""Tests of several systems: Friedman's, critical differences, Scott and Knott's groups, corrections.

Scott and Knott cluster the means of systems into disjoint groups. Their test of a split promises a level
only where all means are equal and all systems vary alike. So a split counts only where, beside it, every
pair across it is told apart by t tests of its own spread with Holm's correction over all pairs: two systems
of the same mean are then in two groups with probability alpha at most.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import exp, inf, lgamma, pi, sqrt
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from aslib_eval.errors import AslibError, require_share
from aslib_eval.statistics.distributions import (
    Floats,
    average_ranks,
    binary_scale,
    chi2_quantile,
    chi2_sf,
    f_sf,
    normal_quantile,
    normal_sf,
    require_finite,
    rounded,
    studentized_range_quantile,
    studentized_range_sf,
    t_sf,
    tied_cubes,
)
from aslib_eval.statistics.means import sums_of


@dataclass(frozen=True)
class Friedman:
    """Mean ranks of the systems and the tests of whether they differ."""

    mean_ranks: Floats  # (k,), 1 = best
    n: int  # blocks
    tie_factor: float  # 1 without ties, 0 where every block ties throughout
    chi2: float  # Friedman's, divided by the tie factor
    p: float
    f: float  # Iman and Davenport's of it, less conservative
    f_p: float  # exact where F is infinite


def rank_systems(values: Floats, *, lower_is_better: bool = True) -> Floats:
    """Ranks of the systems on each instance, 1 = best, ties share their mean.

    values: (n_instances, n_systems), rounded to 13 digits first.
    """
    values = rounded(values)
    if values.ndim != 2 or values.shape[0] < 1 or values.shape[1] < 2:  # noqa: PLR2004
        raise AslibError(f"cannot rank values of shape {values.shape}")
    require_finite(values, "a system has no value on an instance")
    return average_ranks(values if lower_is_better else -values)


def friedman(ranks: Floats, clusters: NDArray[np.int64] | None = None) -> Friedman:
    """Test whether the systems differ anywhere.

    ranks: (n_instances, n_systems) from ``rank_systems``. With two systems this is the sign test's normal
    form. If every instance ties throughout, nothing differs: chi-squared is 0 and p is 1. If all instances
    agree, F is infinite and its p is the exact one, that orders drawn at random all agree: (1 / k!)^(n - 1)
    without ties, below which no p of F is. ``clusters``: (n,) codes of families of the instances; their
    sums of ranks are the blocks then, each with its own spread.

    Source: Friedman 1937; Iman and Davenport 1980; Demsar 2006, section 3.2.2; Benard and van Elteren 1953
    (blocks of several).
    """
    n, k = ranks.shape
    if n < 2:  # noqa: PLR2004
        raise AslibError("one instance cannot tell systems apart", hint="Take 2.")
    mean = ranks.mean(axis=0)
    spread = float(np.square(mean - (k + 1) / 2).sum())
    factor = 1 - tied_cubes(ranks) / (n * k * (k * k - 1))
    if clusters is not None:
        within = _spread_of(ranks, clusters)
        chi2 = (k - 1) * (spread * (n * n)) / within if within else 0.0
        n = int(clusters.max()) + 1
    else:
        chi2 = max(0.0, 12 * n / (k * (k + 1)) * spread) / factor if factor > 0 else 0.0
    return Friedman(mean, n, factor, chi2, chi2_sf(chi2, k - 1), *_iman_davenport(chi2, n, mean))


def _spread_of(ranks: Floats, clusters: NDArray[np.int64]) -> float:
    """Squares of the sums of ranks of families, from what they are if all tie."""
    return float(np.square(sums_of(ranks - (ranks.shape[1] + 1) / 2, clusters)).sum())


def blocks_of(ranks: Floats, clusters: NDArray[np.int64] | None) -> float:
    """As many independent blocks without ties have mean ranks that vary as these do.

    ranks: (n, k). clusters: (n,) codes of families; None: n.
    """
    n, k = (int(size) for size in ranks.shape)
    spread = 0.0 if clusters is None else _spread_of(ranks, clusters)
    return min(n, n * n * k * (k * k - 1) / (12 * spread)) if spread else n


def _iman_davenport(chi2: float, n: int, mean_ranks: Floats) -> tuple[float, float]:
    """F and its p."""
    k = len(mean_ranks)
    most = n * (k - 1)
    if chi2 >= most * (1 - 1e-14):  # every block has these ranks
        tied = np.unique(mean_ranks, return_counts=True)[1]
        orders = lgamma(k + 1) - sum(lgamma(count + 1) for count in tied)
        return inf, exp(-(n - 1) * orders)
    f = (n - 1) * chi2 / (most - chi2)
    least = exp(-(n - 1) * lgamma(k + 1))  # less extreme than full agreement
    return f, max(f_sf(f, k - 1, (k - 1) * (n - 1)), least)


def critical_difference(
    k: int, n: float, *, alpha: float = 0.05, method: Literal["nemenyi", "bonferroni-dunn"] = "nemenyi"
) -> float:
    """Least significant difference of two mean ranks of k systems over n blocks.

    ``nemenyi`` for all pairs, ``bonferroni-dunn`` for all against one. Ties within blocks are not corrected
    for: with many of them the difference is conservative.

    Source: Demsar 2006, section 3.2.2; any k, not only those of its Table 5.
    """
    return critical_value(k, alpha=alpha, method=method) * rank_error(k, n)


def critical_value(
    k: int, *, alpha: float = 0.05, method: Literal["nemenyi", "bonferroni-dunn"] = "nemenyi"
) -> float:
    """The q of the critical difference: studentized range / sqrt(2), or a normal z."""
    require_share(alpha, "alpha")
    if k < 2:  # noqa: PLR2004
        raise AslibError(f"{k} systems have no difference", hint="Take at least 2.")
    if method == "nemenyi":
        return studentized_range_quantile(1 - alpha, k) / sqrt(2)
    return -normal_quantile(alpha / (2 * (k - 1)))


def rank_error(k: int, n: float) -> float:
    """Standard error of the difference of two mean ranks without ties."""
    return sqrt(k * (k + 1) / (6 * n))


def nemenyi(mean_ranks: Floats, *, n: float) -> Floats:
    """(k, k) p of every pair of mean ranks over n blocks; 1 on the diagonal.

    Source: Nemenyi 1963; Demsar 2006, section 3.2.2.
    """
    ranks = np.asarray(mean_ranks, float)
    gaps = abs(ranks[:, None] - ranks[None, :])
    p = studentized_range_sf(gaps * sqrt(2) / rank_error(ranks.size, n), ranks.size)
    np.fill_diagonal(p, 1.0)
    return p


def dunn(differences: Floats, *, k: int, n: float) -> Floats:
    """Two-sided normal p of differences of mean ranks of k systems over n blocks.

    Not adjusted: Bonferroni-Dunn multiplies it by the k - 1 comparisons.

    Source: Demsar 2006, section 3.2.2.
    """
    z = abs(np.asarray(differences, float)) / rank_error(k, n)
    return np.array([min(1.0, 2 * normal_sf(float(value))) for value in z])


def cliques(mean_ranks: Floats, *, difference: float) -> list[tuple[int, ...]]:
    """Maximal groups of systems whose mean ranks lie within the difference.

    Indices in the order of the ranks; a group of one is left out: these are the bars
    of a critical-difference diagram.
    """
    ranks = np.asarray(mean_ranks, float)
    order = np.argsort(ranks, kind="stable")
    groups: list[tuple[int, ...]] = []
    end = 0
    for start in range(order.size):
        upto = int(np.flatnonzero(ranks[order] - ranks[order[start]] <= difference + 1e-12)[-1]) + 1
        if upto > max(end, start + 1):
            groups.append(tuple(int(i) for i in order[start:upto]))
        end = max(end, upto)
    return groups


Adjustment = Literal["holm", "bonferroni", "none"]


def adjust(p: Floats, *, method: Adjustment = "holm") -> Floats:
    """Adjusted p: reject those at most alpha.

    p: (k,) in any order; the result keeps that order. ``holm`` and ``bonferroni`` bound the chance of any
    false rejection. Equal p get equal adjusted p.

    Source: Holm 1979.
    """
    p = np.asarray(p, float)
    if not ((p >= 0) & (p <= 1)).all():
        raise AslibError("every p must lie between 0 and 1")
    k = p.size
    order = np.argsort(p, kind="stable")
    # Hypotheses not yet decided, from the smallest p on.
    factors: dict[str, Floats | float] = {"holm": np.arange(k, 0.0, -1), "bonferroni": k, "none": 1.0}
    adjusted = np.empty(k)
    adjusted[order] = np.minimum(np.maximum.accumulate(p[order] * factors[method]), 1)
    return adjusted


def levels(k: int, *, alpha: float = 0.05, method: Adjustment = "holm") -> Floats:
    """Significance level of each of k ordered tests, the strictest first.

    Holm: alpha / k, alpha / (k - 1), ..., alpha; Bonferroni: alpha / k each; none: alpha each.

    Source: Campelo and Wanner 2020, eq. 39.
    """
    require_share(alpha, "alpha")
    if method == "holm":
        return alpha / np.arange(k, 0, -1)
    return np.full(k, alpha / (k if method == "bonferroni" else 1))


Bools = NDArray[np.bool_]
Order = Literal["descending", "ascending"]
Members = tuple[int, ...]


@dataclass(frozen=True)
class GroupSplit:
    """A split that was tested: the two sides and the test of their difference."""

    left: tuple[int, ...]
    right: tuple[int, ...]
    statistic: float  # lambda
    critical: float
    df: float
    p: float
    told_apart: bool = True  # every pair across it, by tests of their own

    @property
    def accepted(self) -> bool:
        """True if the two sides differ."""
        return self.statistic > self.critical and self.told_apart


@dataclass(frozen=True)
class ScottKnott:
    """Groups of systems; group 1 contains the first in the requested order."""

    groups: NDArray[np.int64]  # (k,), in the order of the systems given
    means: Floats  # (k,)
    order: tuple[int, ...]  # indices of the systems, by mean
    splits: tuple[GroupSplit, ...]  # in the order tried, left sides first
    mse: float  # error variance of one observation
    df: int  # its degrees of freedom


def scott_knott_blocked(
    values: Floats, *, alpha: float = 0.05, order: Order = "descending", confirmed: bool = True
) -> ScottKnott:
    """Group systems by their means over the same instances (blocked).

    values: (n_instances, n_systems). The error is the residual of the additive model instance + system, so
    how hard an instance is does not count as error. A split is confirmed by paired t tests, unless
    ``confirmed`` is false, which is R's method.

    Source: Scott and Knott 1974, for randomised complete blocks; Holm 1979.
    """
    values = np.asarray(values, float)
    if values.ndim != 2 or min(values.shape) < 2:  # noqa: PLR2004
        raise AslibError("Scott-Knott needs two instances and two systems")
    require_finite(values, "a system has no value on an instance")
    scale = binary_scale(values)
    values = values / scale  # squares of large values would overflow
    n, k = values.shape
    means = values.mean(axis=0)
    residual = values - means - values.mean(axis=1, keepdims=True) + values.mean()
    df = (n - 1) * (k - 1)
    error = float(np.square(residual).sum()) / df
    apart = pairs_told_apart(_paired(values), k, alpha) if confirmed else None
    return group_means(means, error, df, np.full(k, n), alpha, order, scale=scale, apart=apart)


def _paired(values: Floats) -> Floats:
    """The p of the paired t test of each pair of columns, i < j, row by row."""
    n, k = values.shape
    found = []
    for i in range(k - 1):
        d = values[:, i + 1 :] - values[:, [i]]
        found.append(p_of_t(d.mean(axis=0), d.var(axis=0, ddof=1) / n, n - 1))
    return np.concatenate(found)


def p_of_t(difference: Floats, variance: Floats, df: Floats | NDArray[np.int64] | int) -> Floats:
    """The p of t; of a difference without any spread 0, of none 1."""
    with np.errstate(invalid="ignore", divide="ignore"):
        t = np.where(difference == 0, 0.0, abs(difference) / np.sqrt(variance))
    pairs = zip(t.tolist(), np.broadcast_to(df, t.shape).tolist(), strict=True)
    return np.array([2 * t_sf(each, freedom) for each, freedom in pairs])


def pairs_told_apart(p: Floats, k: int, alpha: float) -> Bools:
    """(k, k) which pairs Holm's correction over all of them tells apart."""
    require_share(alpha, "alpha")
    found = np.zeros((k, k), bool)
    found[np.triu_indices(k, 1)] = adjust(np.minimum(p, 1)) <= alpha
    return found | found.T


def group_means(
    means: Floats,
    mse: float,
    df: int,
    sizes: NDArray[np.int64],
    alpha: float,
    order: Order,
    *,
    scale: float,
    apart: Bools | None = None,
) -> ScottKnott:
    """Groups of systems from their means; means, mse: in units of the scale.

    apart: (k, k) which pairs are told apart, without which no split counts; None does not ask.
    """
    require_share(alpha, "alpha")
    key = means if order == "ascending" else -means
    by_mean = tuple(int(i) for i in np.argsort(key, kind="stable"))
    splits: list[GroupSplit] = []
    if apart is None:
        apart = np.ones((means.size, means.size), bool)
    found = _groups(by_mean, partial(_best_split, means, mse / sizes, df, alpha, apart), splits)
    groups = np.empty(means.size, np.int64)
    for number, part in enumerate(found, 1):
        groups[list(part)] = number
    mse = mse * scale * scale  # of Python: an infinity without a warning
    return ScottKnott(groups, means * scale, by_mean, tuple(splits), mse, df)


def _groups(
    members: Members, best_split: Callable[[Members], GroupSplit], tried: list[GroupSplit]
) -> list[Members]:
    """Split the members as often as the test allows; ``tried`` collects the splits."""
    if len(members) == 1:
        return [members]
    split = best_split(members)
    tried.append(split)
    if not split.accepted:
        return [members]
    return [part for side in (split.left, split.right) for part in _groups(side, best_split, tried)]


def _best_split(
    means: Floats, variances: Floats, df: int, alpha: float, apart: Bools, members: Members
) -> GroupSplit:
    """The cut of the ordered means with the largest sum of squares between sides.

    variances: of each system's mean; those of the members are averaged, which is to divide the error by the
    harmonic mean of their sizes.
    """
    y = means[list(members)]
    variance = float(variances[list(members)].mean())
    k = y.size
    left = np.arange(1, k)
    sums = np.cumsum(y)[:-1]
    total = y.sum()
    between = sums**2 / left + (total - sums) ** 2 / (k - left) - total**2 / k
    cut = int(np.argmax(between)) + 1
    sigma2 = (float(np.square(y - y.mean()).sum()) + df * variance) / (k + df)
    value = pi / (2 * (pi - 2)) * float(between[cut - 1]) / sigma2 if sigma2 > 0 else 0.0
    freedom = k / (pi - 2)
    return GroupSplit(
        left=members[:cut],
        right=members[cut:],
        statistic=value,
        critical=chi2_quantile(1 - alpha, freedom),
        df=freedom,
        p=chi2_sf(value, freedom),
        told_apart=bool(apart[np.ix_(members[:cut], members[cut:])].all()),
    )
