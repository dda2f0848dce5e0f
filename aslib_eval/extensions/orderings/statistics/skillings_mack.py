"""The test of Skillings and Mack: Friedman's, where some results are missing."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from aslib_eval.errors import AslibError
from aslib_eval.statistics.distributions import chi2_sf
from aslib_eval.statistics.families import sums_of

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class SkillingsMack:
    """The statistic, and what each solver adds to it.

    sums: (n_solvers,) weighted sums of ranks less those expected; below 0 is better. means: sums over the
    instances that the solver was on. statistic, df, p: of the hypothesis that all are equal. n: instances
    with two solvers or more.
    """

    sums: Floats
    means: Floats
    statistic: float
    df: int
    p: float
    n: int


def skillings_mack(costs: Floats, clusters: NDArray[np.int64] | None = None) -> SkillingsMack:
    """Rank the solvers of each instance among those that were on it.

    costs: (n_instances, n_solvers), lower is better, nan = none. Equal costs, such as those of timeouts,
    get the mean of their ranks. Ranks of an instance with k solvers are weighted by (12 / (k + 1))^(1/2).
    clusters: (n_instances,) codes of families; the statistic is divided by how much more the ranks of
    families vary than those of as many instances.

    Edge cases: with all results the order is that of mean ranks, and without ties the statistic that of
    Friedman. A solver that was on no instance with another has a nan.

    Raises:
        AslibError: no instance has two solvers.

    Source: Skillings and Mack 1981, On the use of a Friedman-type statistic in balanced and unbalanced
        block designs, Technometrics 23.
    """
    from scipy.stats import rankdata

    there = np.isfinite(costs)
    some = there.sum(axis=1) > 1
    costs, there = costs[some], there[some]
    if not len(costs):
        raise AslibError("no instance has two solvers")
    size = there.sum(axis=1)
    own = np.where(there, costs, np.nan)
    placed = rankdata(own, axis=1, nan_policy="omit")
    expected = (size + 1) / 2
    weights = np.sqrt(12 / (size + 1))
    centred = np.where(there, placed - expected[:, None], 0.0)
    sums = weights @ centred
    both = there.astype(float).T @ there
    covariance = -both
    np.fill_diagonal(covariance, both.sum(axis=1) - np.diag(both))
    statistic = float(sums @ np.linalg.pinv(covariance) @ sums)
    if clusters is not None:
        each = weights[:, None] * centred
        wide = float(np.square(sums_of(each, clusters[some])).sum())
        statistic *= float(np.square(each).sum()) / wide if wide else 0.0
    df = int(np.linalg.matrix_rank(covariance))
    seen = there.sum(axis=0)
    means = np.divide(sums, seen, out=np.full(len(sums), np.nan), where=seen > 0)
    return SkillingsMack(sums, means, statistic, df, chi2_sf(statistic, df), len(costs))
