"""Systems compared over the repeated runs of one task, which are not paired.

Run 3 of one system has nothing to do with run 3 of another, unless they share more than
a seed: tests of differences by run would be tests of chance. What is shown here holds
for this task alone; over several tasks the task is the unit of replication.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, sqrt

import numpy as np
from numpy.typing import NDArray

from aslib_eval.errors import AslibError
from aslib_eval.statistics.distributions import normal_sf
from aslib_eval.statistics.scott_knott import Order, ScottKnott, group_means
from aslib_eval.statistics.tolerant_ranks import (
    average_ranks,
    binary_scale,
    require_finite,
    rounded,
)

Floats = NDArray[np.float64]
EXACT_UP_TO = 60  # runs of both systems together


@dataclass(frozen=True)
class RankSum:
    """Result of a rank-sum test; ``method``: the distribution that gave p."""

    u: float  # pairs of runs in which the first has the larger value; ties half
    p: float  # two-sided
    method: str  # exact or normal


def rank_sum(a: Floats, b: Floats) -> RankSum:
    """Wilcoxon's rank-sum test (Mann and Whitney's U) of two independent samples.

    a, b: (n,) and (m,) values. Values that are the same but for noise of arithmetic
    tie. Up to 60 values in all p is exact, by the distribution of the mid-ranks over
    all ways to part them, also with ties; beyond that it is normal with the variance
    of the ties and a continuity correction. All equal gives p = 1.

    Raises:
        AslibError: when a sample is empty or has a missing value.

    Source: Wilcoxon 1945; Mann and Whitney 1947; Lehmann 1975, section 1.4 (ties).
    """
    both = np.concatenate([np.asarray(a, float), np.asarray(b, float)])
    n, m = len(a), len(b)
    if not n or not m:
        raise AslibError("nothing to compare: a system has no runs")
    require_finite(both, "a run has no finite value")
    ranks = average_ranks(rounded(both))
    total = float(ranks[:n].sum())
    u = total - n * (n + 1) / 2
    if np.ptp(ranks) == 0:
        return RankSum(u, 1.0, "exact")
    if n + m <= EXACT_UP_TO:
        return RankSum(u, _exact(ranks, n, total), "exact")
    off = max(0.0, abs(u - n * m / 2) - 0.5)
    variance = n * m / (n + m) * float(ranks.var(ddof=1))
    return RankSum(u, min(1.0, 2 * normal_sf(off / sqrt(variance))), "normal")


def _exact(ranks: Floats, n: int, total: float) -> float:
    """Share of the ways to choose n of the ranks whose sum is as far from its mean."""
    doubled = np.rint(2 * ranks).astype(int)  # mid-ranks are halves
    most = int(np.sort(doubled)[-n:].sum())
    ways = np.zeros((n + 1, most + 1))
    ways[0, 0] = 1
    for rank in doubled.tolist():
        ways[1:, rank:] += ways[:-1, : most + 1 - rank].copy()
    sums = np.arange(most + 1)
    centre = n * float(doubled.sum()) / len(doubled)
    far = abs(sums - centre) >= abs(2 * total - centre) - 1e-6
    return float(ways[n, far].sum() / ways[n].sum())


def scott_knott_runs(
    runs: Sequence[Floats], *, alpha: float = 0.05, order: Order = "descending"
) -> ScottKnott:
    """Group systems by the means of their independent runs of one task.

    runs: of each system, two at least; the error is what runs of one system differ by.

    Raises:
        AslibError: when there are fewer than two systems, or a system has one run.

    Source: Scott and Knott 1974, for completely randomised designs.
    """
    if len(runs) < 2 or min(map(len, runs)) < 2:  # noqa: PLR2004
        raise AslibError("Scott-Knott needs two systems with two runs each")
    sizes = np.array([len(each) for each in runs])
    every = np.concatenate(runs)
    require_finite(every, "a run has no finite value")
    scale = binary_scale(every)
    parts = [np.asarray(each, float) / scale for each in runs]
    means = np.array([part.mean() for part in parts])
    df = int(sizes.sum()) - len(runs)
    squares = sum(float(np.square(part - part.mean()).sum()) for part in parts)
    return group_means(means, squares / df, df, sizes, alpha, order, scale=scale)


@dataclass(frozen=True)
class RunningTime:
    """Expected running time to a target, with restarts until it is reached.

    ``ert``: all that was spent, over the successes; None without any. ``share``:
    of the runs that reached the target.
    """

    ert: float | None
    successes: int
    runs: int

    @property
    def share(self) -> float:
        """Share of the runs that reached the target."""
        return self.successes / self.runs


def expected_running_time(spent: Floats, reached: NDArray[np.bool_]) -> RunningTime:
    """ERT of one system on one task and target.

    spent: (r,) evaluations or seconds of each run, until it reached the target or else
    until it ended. reached: (r,) whether it did. An unsuccessful run is taken to be
    started again, as often as it needs: its whole length counts.

    Raises:
        AslibError: when there is no run, or one spent nothing that is a number.

    Source: Auger and Hansen 2005; Hansen et al. 2016 (COCO), section on runtime.
    """
    spent = np.asarray(spent, float)
    if not spent.size:
        raise AslibError("there are no runs to the target")
    require_finite(spent, "what a run spent is missing or infinite")
    if spent.min(initial=inf) < 0:
        raise AslibError(f"a run cannot spend {spent.min():g}")
    n = int(np.count_nonzero(reached))
    total = float(spent.sum())
    return RunningTime(total / n if n else None, n, spent.size)
