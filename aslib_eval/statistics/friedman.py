"""Friedman's test of several systems, and critical differences of their mean ranks."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, inf, lgamma, sqrt
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from aslib_eval.errors import AslibError, require_share
from aslib_eval.statistics.distributions import (
    chi2_sf,
    f_sf,
    normal_quantile,
    normal_sf,
    studentized_range_quantile,
    studentized_range_sf,
)
from aslib_eval.statistics.families import sums_of
from aslib_eval.statistics.tolerant_ranks import average_ranks, require_finite, rounded, tied_cubes

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Omnibus:
    """Friedman's chi-squared and Iman and Davenport's F of it."""

    chi2: float
    p: float
    f: float  # less conservative than chi-squared
    f_p: float  # exact where F is infinite


@dataclass(frozen=True)
class Friedman:
    """Mean ranks of the systems and the tests of whether they differ."""

    mean_ranks: Floats  # (k,), 1 = best
    n: int  # blocks
    k: int  # systems
    tie_factor: float  # 1 without ties, 0 where every block ties throughout
    corrected: Omnibus  # chi-squared divided by the tie factor: the one to use
    uncorrected: Omnibus  # as Demsar computes it


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
    plain = max(0.0, 12 * n / (k * (k + 1)) * spread)
    factor = 1 - tied_cubes(ranks) / (n * k * (k * k - 1))
    if clusters is not None:
        spread *= n * n
        within = _spread_of(ranks, clusters)
        chi2, n = (k - 1) * spread / within if within else 0.0, int(clusters.max()) + 1
        found = _omnibus(chi2, n, mean)
        return Friedman(mean, n, k, factor, corrected=found, uncorrected=found)
    return Friedman(
        mean_ranks=mean,
        n=n,
        k=k,
        tie_factor=factor,
        corrected=_omnibus(plain / factor if factor > 0 else 0.0, n, mean),
        uncorrected=_omnibus(plain, n, mean),
    )


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


def _omnibus(chi2: float, n: int, mean_ranks: Floats) -> Omnibus:
    k = len(mean_ranks)
    most = n * (k - 1)
    p = chi2_sf(chi2, k - 1)
    if chi2 >= most * (1 - 1e-14):  # every block has these ranks
        tied = np.unique(mean_ranks, return_counts=True)[1]
        orders = lgamma(k + 1) - sum(lgamma(count + 1) for count in tied)
        return Omnibus(chi2, p, inf, exp(-(n - 1) * orders))
    f = (n - 1) * chi2 / (most - chi2)
    least = exp(-(n - 1) * lgamma(k + 1))  # less extreme than full agreement
    return Omnibus(chi2, p, f, max(f_sf(f, k - 1, (k - 1) * (n - 1)), least))


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
    if n <= 0:
        raise AslibError("no blocks to rank in")
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
        within = ranks[order] - ranks[order[start]] <= difference + 1e-12
        upto = int(np.flatnonzero(within)[-1]) + 1
        if upto > max(end, start + 1):
            groups.append(tuple(int(i) for i in order[start:upto]))
        end = max(end, upto)
    return groups
