"""Power of planned comparisons, and its inverses: number of instances and effect.

A plan has K comparisons, each facing its own level (``multiplicity.levels``): all have the same number of
instances N and the same effect d, Cohen's d of the paired differences (mean / standard deviation), and thus
a power each. By formula the t test's differences are normal, and Wilcoxon's symmetric about their mean;
from the differences of a pilot power is simulated.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import ceil, sqrt

import numpy as np
from numpy.typing import NDArray

from aslib_eval.errors import AslibError, require_share
from aslib_eval.extensions.planning.words import Direction, Target, Test
from aslib_eval.statistics.distributions import noncentral_t_sf, t_quantile
from aslib_eval.statistics.multiplicity import levels
from aslib_eval.statistics.paired import paired_t, sign_test
from aslib_eval.statistics.signed_rank import Method, signed_rank
from aslib_eval.words import Correction

Floats = NDArray[np.float64]
# Asymptotic relative efficiency against the t test: Wilcoxon's least over all
# symmetric distributions, the sign test's under normality.
EFFICIENCY = {"t": 1.0, "wilcoxon": 0.86, "sign": 0.637}
MOST = 10**7  # instances; a plan that needs more is a slip in d
SIMULATED = 1000  # experiments for each power from a pilot; its standard error is 0.013
_MOST_SIMULATED = 20_000  # instances of such an experiment
_EXACT = 50  # instances up to which its Wilcoxon test is exact


@dataclass(frozen=True)
class Plan:
    """Planned tests, and which of them must reach the power.

    ``rank``, for target ``rank``: the strictest ordered test that must reach the
    power; 1 is the worst case. At least m of K tests reach it with rank K - m + 1. ``pilot``: differences
    of a pilot, which give the shape of those that are planned for: their power is simulated, by ``seed``.
    """

    comparisons: int = 1
    alpha: float = 0.05  # family-wise
    correction: Correction = "holm"
    test: Test = "t"
    alternative: Direction = "two-sided"
    target: Target = "mean"
    rank: int = 1
    pilot: tuple[float, ...] | None = None
    seed: int = 1

    def __post_init__(self) -> None:
        """Raise AslibError if the plan is inconsistent."""
        levels(self.comparisons, alpha=self.alpha, method=self.correction)
        if self.test not in EFFICIENCY:
            raise AslibError(f"no plan for the test {self.test}", hint="Use t.")
        if not 1 <= self.rank <= self.comparisons:
            message = f"rank {self.rank} is not among {self.comparisons} comparisons"
            raise AslibError(message)
        if self.pilot is not None:
            shape_of(self.pilot)

    @property
    def levels(self) -> Floats:
        """(K,) level of each ordered comparison, the strictest first."""
        return levels(self.comparisons, alpha=self.alpha, method=self.correction)

    def reached(self, powers: Floats) -> float:
        """The power that the target refers to, of those of all comparisons."""
        if self.target == "mean":
            return float(powers.mean())
        if self.target == "median":
            return float(np.median(powers))
        return float(powers[self.rank - 1 if self.target == "rank" else 0])


def shape_of(pilot: tuple[float, ...]) -> tuple[Floats, float]:
    """Differences of a pilot with mean 0 and standard deviation 1, and its effect d.

    They are turned so that the one of the better mean is ahead: d is at least 0.
    """
    values = np.asarray(pilot, float)
    if values.size < 2 or not np.isfinite(values).all():  # noqa: PLR2004
        message = "a pilot needs at least two differences, and none that is missing"
        raise AslibError(message)
    mean, sd = float(values.mean()), float(values.std(ddof=1))
    if np.ptp(values) == 0:
        message = "all differences of the pilot are the same: they have no shape"
        raise AslibError(message, hint="Give --d and no pilot.")
    turn = -1.0 if mean < 0 else 1.0
    return turn * (values - mean) / sd, abs(mean) / sd


@lru_cache(maxsize=64)
def _simulated_p(
    pilot: tuple[float, ...], test: str, alternative: str, seed: int, n: int, d: float
) -> Floats:
    """(SIMULATED,) p of experiments on n instances; 2 where the wrong one is ahead."""
    shape, _ = shape_of(pilot)
    rng = np.random.default_rng([seed, n])
    side = "two-sided" if alternative == "two-sided" else "greater"
    # The exact distribution of many ties takes long, and differs by little there.
    method: Method = "exact" if n <= _EXACT else "normal"
    simulated = np.full(SIMULATED, 2.0)
    for experiment in range(SIMULATED):
        drawn = shape[rng.integers(shape.size, size=n)] + d
        if test == "t":
            t = paired_t(drawn, alternative=side)  # type: ignore[arg-type]
            p, ahead = t.p, t.t > 0
        elif test == "sign":
            signs = sign_test(drawn, alternative=side)  # type: ignore[arg-type]
            p, ahead = signs.p, signs.wins > signs.losses
        else:
            rank = signed_rank(drawn, alternative=side, method=method)  # type: ignore[arg-type]
            p, ahead = rank.p, rank.w_plus > rank.w_minus
        if ahead:
            simulated[experiment] = p
    return simulated


def power_of_t(
    n: float,
    *,
    d: float,
    alpha: float = 0.05,
    alternative: Direction = "two-sided",
    both_tails: bool = False,
) -> float:
    """Power of the paired t test on n instances (n >= 2, may be fractional).

    As the paper has it, a two-sided test counts only rejections on the side of the
    true effect; ``both_tails`` adds those on the wrong side.

    Source: Campelo and Wanner 2020, eq. 38.
    """
    if n < 2:  # noqa: PLR2004
        message = f"{n:g} instance{' is' if n == 1 else 's are'} too few for a t test"
        raise AslibError(message, hint="Take 2.")
    sides = 2 if alternative == "two-sided" else 1
    critical = t_quantile(1 - alpha / sides, n - 1)
    shift = abs(d) * sqrt(n)
    power = noncentral_t_sf(critical, n - 1, shift)
    if both_tails and sides == 2:  # noqa: PLR2004
        power += noncentral_t_sf(critical, n - 1, -shift)
    return power


def powers(plan: Plan, *, n: int, d: float) -> Floats:
    """(K,) power of each ordered comparison, the strictest first.

    n: instances; Wilcoxon's and the sign test count as t tests on ceil(n * efficiency) of them (0.86 and
    0.637). d: the effect; its sign does not matter. With a pilot all tests are made, on SIMULATED samples
    of its differences moved to the effect; of them too only rejections on the side of the mean count.

    Source: Campelo and Wanner 2020, section 4; Campelo and Takahashi 2019.
    """
    effective = n if plan.pilot else ceil(n * EFFICIENCY[plan.test] - 1e-9)
    return _powers(plan, effective, d)


def _powers(plan: Plan, n: float, d: float) -> Floats:
    if plan.pilot is not None:
        p = _simulated_p(plan.pilot, plan.test, plan.alternative, plan.seed, int(n), abs(d))
        simulated: Floats = (p[:, None] <= plan.levels).mean(axis=0)
        return simulated
    by_level: dict[float, float] = {}  # Bonferroni's levels are all the same
    for alpha in plan.levels:
        if alpha not in by_level:
            by_level[alpha] = power_of_t(n, d=d, alpha=float(alpha), alternative=plan.alternative)
    return np.array([by_level[alpha] for alpha in plan.levels])


def sample_size(plan: Plan, *, d: float, power: float) -> int:
    """Instances needed to reach the power at effect d.

    The least N for the t test (mean target: Algorithm 2 of the paper). For the others that number is
    divided by their efficiency: a whole N for the targets mean and median, the fractional one for worst and
    rank, as CAISEr does, which differs by at most two instances.

    Source: Campelo and Wanner 2020, eq. 38 and Algorithm 2.
    """
    require_share(power, "power")

    def lacks(n: float) -> bool:
        return plan.reached(_powers(plan, n, d)) < power

    if d == 0 or lacks(MOST if plan.pilot is None else _MOST_SIMULATED):
        raise AslibError(f"no number of instances finds an effect of {d:g}")
    high = 2
    while lacks(high):
        high *= 2
    whole = _first(lacks, high // 2, high) if high > 2 else 2  # noqa: PLR2004
    efficiency = 1.0 if plan.pilot else EFFICIENCY[plan.test]
    if efficiency == 1 or plan.target in {"mean", "median"} or not lacks(2):
        return max(2, ceil(whole / efficiency - 1e-9))
    exact = _root(lacks, whole - 1, whole)
    return max(2, ceil(exact / efficiency - 1e-9))


def _first(lacks: Callable[[float], bool], low: int, high: int) -> int:
    """The least whole number that does not lack power; low lacks it, high does not."""
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if lacks(middle) else (low, middle)
    return high


def _root(lacks: Callable[[float], bool], low: float, high: float, *, halvings: int = 60) -> float:
    """Where lack of power ends between low and high, to the last bits or so many."""
    for _ in range(halvings):
        middle = (low + high) / 2
        low, high = (middle, high) if lacks(middle) else (low, middle)
    return high


def detectable_effect(plan: Plan, *, n: int, power: float) -> float:
    """The least effect d found with this power on n instances.

    Source: Campelo and Wanner 2020, eq. 38, solved for d.
    """
    require_share(power, "power")

    def lacks(d: float) -> bool:
        return plan.reached(powers(plan, n=n, d=d)) < power

    high = 1.0
    while lacks(high):
        high *= 2
        if high > 1e4:  # noqa: PLR2004
            raise AslibError(f"{n} instances find no effect with power {power:g}")
    return _root(lacks, 0.0, high, halvings=60 if plan.pilot is None else 12)
