"""Scott and Knott's clustering of the means of systems into disjoint groups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import pi
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from aslib_eval.errors import AslibError, require_share
from aslib_eval.statistics.distributions import chi2_quantile, chi2_sf
from aslib_eval.statistics.tolerant_ranks import (
    binary_scale,
    require_finite,
)

Floats = NDArray[np.float64]
Order = Literal["descending", "ascending"]


@dataclass(frozen=True)
class GroupSplit:
    """A split that was tested: the two sides and the test of their difference."""

    left: tuple[int, ...]
    right: tuple[int, ...]
    statistic: float  # lambda
    critical: float
    df: float
    p: float

    @property
    def accepted(self) -> bool:
        """True if the two sides differ."""
        return self.statistic > self.critical


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
    values: Floats, *, alpha: float = 0.05, order: Order = "descending"
) -> ScottKnott:
    """Group systems by their means over the same instances (blocked).

    values: (n_instances, n_systems). The error is the residual of the additive model
    instance + system, so how hard an instance is does not count as error.

    Raises:
        AslibError: when there are not two instances and two systems.

    Source: Scott and Knott 1974, for randomised complete blocks.
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
    return group_means(means, error, df, np.full(k, n), alpha, order, scale=scale)


def scott_knott_runs(
    samples: Sequence[Floats], *, alpha: float = 0.05, order: Order = "ascending"
) -> ScottKnott:
    """Group systems by their means over repeated runs of one task (not blocked).

    samples: the independent values of each system, of any numbers. The error is the
    spread of the runs of a system about its own mean, pooled over the systems.

    Edge cases: without any spread every difference of means is one.

    Raises:
        AslibError: when there are not two systems, or no system has two runs.

    Source: Scott and Knott 1974, for a completely randomised design.
    """
    values = [np.asarray(sample, float) for sample in samples]
    sizes = np.array([each.size for each in values], np.int64)
    df = int((sizes - 1).sum())
    if len(values) < 2 or sizes.min() < 1 or df < 1:  # noqa: PLR2004
        raise AslibError("Scott-Knott needs two systems and repeated runs")
    whole = np.concatenate(values)
    require_finite(whole[:, None], "a run of a system has no value")
    scale = binary_scale(whole[:, None])
    values = [each / scale for each in values]
    means = np.array([each.mean() for each in values])
    squares = sum(float(np.square(each - each.mean()).sum()) for each in values)
    return group_means(means, squares / df, df, sizes, alpha, order, scale=scale)


def group_means(
    means: Floats,
    mse: float,
    df: int,
    sizes: NDArray[np.int64],
    alpha: float,
    order: Order,
    *,
    scale: float,
) -> ScottKnott:
    """Groups of systems from their means; means, mse: in units of the scale."""
    require_share(alpha, "alpha")
    key = means if order == "ascending" else -means
    by_mean = tuple(int(i) for i in np.argsort(key, kind="stable"))
    splits: list[GroupSplit] = []
    found = _groups(by_mean, means, mse / sizes, df, alpha, splits)
    groups = np.empty(means.size, np.int64)
    for number, part in enumerate(found, 1):
        groups[list(part)] = number
    mse = mse * scale * scale  # of Python: an infinity without a warning
    return ScottKnott(groups, means * scale, by_mean, tuple(splits), mse, df)


def _groups(
    members: tuple[int, ...],
    means: Floats,
    variances: Floats,
    df: int,
    alpha: float,
    tried: list[GroupSplit],
) -> list[tuple[int, ...]]:
    """Split the members as often as the test allows; ``tried`` collects the splits."""
    if len(members) == 1:
        return [members]
    split = _best_split(members, means, variances, df, alpha)
    tried.append(split)
    if not split.accepted:
        return [members]
    return [
        part
        for side in (split.left, split.right)
        for part in _groups(side, means, variances, df, alpha, tried)
    ]


def _best_split(
    members: tuple[int, ...], means: Floats, variances: Floats, df: int, alpha: float
) -> GroupSplit:
    """The cut of the ordered means with the largest sum of squares between sides.

    variances: of each system's mean; those of the members are averaged, which is to
    divide the error by the harmonic mean of their sizes.
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
    )
