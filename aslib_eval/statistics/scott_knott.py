"""Scott and Knott's clustering of the means of systems into disjoint groups.

Their test of a split promises a level only where all means are equal and all systems vary alike. So a split
counts only where, beside it, every pair across it is told apart by t tests of its own spread with Holm's
correction over all pairs: two systems of the same mean are then in two groups with probability alpha at
most.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import pi
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from aslib_eval.errors import AslibError, require_share
from aslib_eval.statistics.distributions import chi2_quantile, chi2_sf, t_sf
from aslib_eval.statistics.multiplicity import adjust
from aslib_eval.statistics.tolerant_ranks import binary_scale, require_finite

Floats = NDArray[np.float64]
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
    sizes = np.full(k, n)
    return group_means(means, error, df, sizes, alpha, order, scale=scale, apart=apart)


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
    best_split = partial(_best_split, means, mse / sizes, df, alpha, apart)
    found = _groups(by_mean, best_split, splits)
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
    sides = (split.left, split.right)
    return [part for side in sides for part in _groups(side, best_split, tried)]


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
    spread = float(np.square(y - y.mean()).sum())
    sigma2 = (spread + df * variance) / (k + df)
    largest = float(between[cut - 1])
    value = pi / (2 * (pi - 2)) * largest / sigma2 if sigma2 > 0 else 0.0
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
