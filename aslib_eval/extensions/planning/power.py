"""Power of comparisons, tests that stop early, and sampling that adapts: numpy and scipy alone.

Power of planned comparisons, and its inverses: number of instances and effect.

A plan has K comparisons, each facing its own level (``multiplicity.levels``): all have the same number of
instances N and the same effect d, Cohen's d of the paired differences (mean / standard deviation), and thus
a power each. By formula the t test's differences are normal, and Wilcoxon's symmetric about their mean;
from the differences of a pilot power is simulated.

Sequential comparison of a new solver with an incumbent, with an honest stop.

The incumbent's costs on all instances are known; the challenger runs on one instance after the other, in a
random order that may prefer some, and stops when it is clear who is better over *all* of them. An advantage
is the incumbent's cost minus the challenger's: above 0 the challenger is better there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import ceil, sqrt
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from aslib_eval.errors import AslibError, require_share
from aslib_eval.extensions.planning import Direction, Formula, Pairs, Target, Test
from aslib_eval.extensions.planning.places import (
    PairError,
    Statistic,
    bootstrap_pair_errors,
    pair_errors,
    summarise,
)
from aslib_eval.options import Correction, Differences
from aslib_eval.statistics.distributions import noncentral_t_sf, t_quantile
from aslib_eval.statistics.friedman import levels
from aslib_eval.statistics.paired import Method, paired_t, sign_test, signed_rank

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
            raise AslibError(f"rank {self.rank} is not among {self.comparisons} comparisons")
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
        raise AslibError("a pilot needs at least two differences, and none that is missing")
    mean, sd = float(values.mean()), float(values.std(ddof=1))
    if np.ptp(values) == 0:
        raise AslibError(
            "all differences of the pilot are the same: they have no shape", hint="Give --d and no pilot."
        )
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
        raise AslibError(
            f"{n:g} instance{' is' if n == 1 else 's are'} too few for a t test", hint="Take 2."
        )
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
    return _powers(plan, n if plan.pilot else ceil(n * EFFICIENCY[plan.test] - 1e-9), d)


def _powers(plan: Plan, n: float, d: float) -> Floats:
    if plan.pilot is not None:
        p = _simulated_p(plan.pilot, plan.test, plan.alternative, plan.seed, int(n), abs(d))
        return np.asarray((p[:, None] <= plan.levels).mean(axis=0))
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
    return max(2, ceil(_root(lacks, whole - 1, whole) / efficiency - 1e-9))


def _first(lacks: Callable[[float], bool], low: int, high: int) -> int:
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


BETS = np.geomspace(0.01, 0.9, 12)  # shares of the largest bet that cannot lose all
_MOST = 0.95  # of the bet that follows the gains so far
_FOLLOWING = 0.7  # its share of the stake
_PRIOR = 1.0, 2.0  # what it takes the sums of gains and of their squares for at first
_EQUAL = 1e-12  # of the range of an advantage: rounding
_FIRST = 10  # instances before the t test is looked at


@dataclass(frozen=True)
class StoppedComparison:
    """Where a sequential comparison stops, and what it says.

    n_run: instances that were run. better: 1 the challenger, -1 the incumbent, 0 equal. reason: ``error``
    (the stated error allows it), ``certain`` (what is left cannot change it) or ``end`` (every instance was
    run).
    """

    n_run: int
    better: int
    reason: Literal["error", "certain", "end"]


def sampling_order(weights: ArrayLike, *, rng: np.random.Generator) -> NDArray[np.intp]:
    """A random order: each next one is drawn with odds in proportion to its weight.

    weights: (n,) above 0. Returns the indices, (n,).

    Source: Efraimidis and Spirakis 2006: the ranks of exponential times.
    """
    odds = np.asarray(weights, float)
    if odds.ndim != 1 or not (np.isfinite(odds) & (odds > 0)).all():
        raise AslibError("weights must be above 0 and finite")
    return np.argsort(rng.exponential(size=len(odds)) / odds, kind="stable")


def sequential_test(
    advantages: ArrayLike,
    *,
    lower: ArrayLike,
    upper: ArrayLike,
    weights: ArrayLike | None = None,
    expected: ArrayLike | None = None,
    alpha: float = 0.05,
) -> StoppedComparison:
    """Stop as soon as the sign of the total advantage is known with error ``alpha``.

    advantages: (n,) in the order of the runs; only those up to the stop are looked at. lower, upper: (n,)
    between which each advantage must lie. weights: those that the order was drawn with
    (``sampling_order``), default equal. expected: (n,) a guess of each advantage; a good one stops earlier,
    a bad one later, and neither errs more.

    The probability, over the order, ever to name the worse one is at most ``alpha`` (half of it, if one is
    better): whatever the costs are, and however often one looks. It says nothing of instances that are not
    among the n.

    With each draw S + X estimates the total without bias, S what is observed and X what is left, estimated
    from the draw and its odds. If the total is not above 0, bets on it gain nothing on average, so that
    their wealth exceeds 2 / alpha with probability alpha / 2 at most (Ville); likewise below 0. Of the
    stake 0.7 is on a bet that follows the gains so far (their mean over their mean square), the rest on
    twelve fixed sizes: no bet knows the draw that it is on, so the level is kept.

    Edge cases: a total of 0 to 12 digits of the range is equal, at the end.

    Source: Waudby-Smith and Ramdas 2020, Confidence sequences for sampling without replacement (the bet
    that follows: approximate GRAPA); Shekhar et al. 2023, Risk-limiting financial audits via weighted
    sampling without replacement.
    """
    gain, low, high = (np.asarray(a, float) for a in (advantages, lower, upper))
    n = len(gain)
    odds = np.ones(n) if weights is None else np.asarray(weights, float)
    guess = np.zeros(n) if expected is None else np.asarray(expected, float)
    if not 0 < alpha < 1:
        raise AslibError(f"alpha must be between 0 and 1, not {alpha}")
    if n == 0 or {len(a) for a in (low, high, odds, guess)} != {n}:
        raise AslibError("a comparison needs as many bounds and weights as instances")
    span = float(max(np.abs(low).max(), np.abs(high).max(), 0.0)) or 1.0
    gain, low, high, guess = gain / span, low / span, high / span, guess / span
    if (gain < low - _EQUAL).any() or (gain > high + _EQUAL).any():
        raise AslibError("an advantage is not within its bounds")
    stops = []
    for sign, least in ((1, low), (-1, -high)):
        wealth = log_wealth(sign * gain, least, odds, sign * guess)
        reached = _first_reached(wealth >= np.log(2 / alpha))
        rest = _left(least) - least
        sure = _first_reached(sign * np.cumsum(gain) + rest > _EQUAL * n)
        stops.append((min(reached, sure), sign, sure <= reached))
    stop, better, certain = min(stops)
    if stop < n - 1:
        return StoppedComparison(stop + 1, better, "certain" if certain else "error")
    total = float(gain.sum())
    return StoppedComparison(n, int(np.sign(total)) * (abs(total) > _EQUAL * n), "end")


def log_wealth(gain: Floats, least: Floats, odds: Floats, guess: Floats) -> Floats:
    """Logarithm of the wealth of bets that the total is above 0, after each run.

    All (n,), in the order of the runs, as in ``sequential_test``; least: the lower bounds. The weighted
    mean over BETS and the one that follows, each from 1.
    """
    left = _left(odds)
    before = np.cumsum(gain) - gain + _left(guess)
    estimate = before + (gain - guess) * left / odds
    lowest = before + left * np.minimum.accumulate(((least - guess) / odds)[::-1])[::-1]
    # Where no draw can lose, the total is above 0 already: there is no bet to limit.
    risky = lowest < -_EQUAL
    gained = np.divide(estimate, -lowest, out=np.zeros(len(gain)), where=risky)
    gained = np.maximum(gained, -1.0)
    gains, squares = (np.cumsum(g) - g for g in (gained, gained**2))
    bet = np.clip((gains + _PRIOR[0]) / (squares + _PRIOR[1]), 0.0, _MOST)
    bets = np.vstack([bet, np.broadcast_to(BETS[:, None], (len(BETS), len(gain)))])
    stakes = np.log([_FOLLOWING, *[(1 - _FOLLOWING) / len(BETS)] * len(BETS)])
    logs = np.cumsum(np.log1p(bets * gained), axis=1) + stakes[:, None]
    return np.asarray(np.logaddexp.reduce(logs, axis=0))


def _left(values: Floats) -> Floats:
    """Sum of each value and all after it."""
    return np.asarray(np.cumsum(values[::-1])[::-1])


def _first_reached(reached: NDArray[np.bool_]) -> int:
    """The first that is true; beyond the end where none is."""
    return int(reached.argmax()) if reached.any() else len(reached)


def peeking_test(advantages: ArrayLike, *, alpha: float = 0.05) -> StoppedComparison:
    """A paired t test after every instance from the tenth on, until it is significant.

    What is often done, for comparison: its error is far above ``alpha``, as each look is another chance to
    err. advantages: (n,) in a random order without preferences.

    Edge cases: where all so far are equal and not 0, they decide.
    """
    gain = np.asarray(advantages, float)
    n = np.arange(1, len(gain) + 1)
    mean = np.cumsum(gain) / n
    spread = np.maximum(np.cumsum(gain**2) / n - mean**2, 0.0)
    error = np.sqrt(spread / np.maximum(n - 1, 1))
    limit = stats.t.ppf(1 - alpha / 2, np.maximum(n - 1, 1))
    hit = (n >= _FIRST) & (np.abs(mean) > np.maximum(limit * error, _EQUAL))
    stop = _first_reached(hit)
    if stop < len(gain) - 1:
        return StoppedComparison(stop + 1, int(np.sign(mean[stop])), "error")
    total = float(mean[-1])
    return StoppedComparison(len(gain), int(np.sign(total)) * (abs(total) > _EQUAL), "end")


@dataclass(frozen=True)
class Accuracy:
    """Stopping rule of adaptive sampling, and which differences are estimated.

    The values are in the unit of the runs for simple differences, shares for percent.
    """

    se: float  # stop when no standard error exceeds it
    budget: int  # or when so many runs are done, all algorithms together
    start: int = 10  # runs of each algorithm before any choice
    difference: Differences = "simple"
    pairs: Pairs = "all"
    formula: Formula = "paper"
    statistic: Statistic = np.mean  # of the bootstrap only
    resamples: int = 499  # of the bootstrap only
    balanced: bool = False  # run all algorithms equally often

    def __post_init__(self) -> None:
        """Raise AslibError if no sampling can meet this."""
        if not self.se > 0:
            raise AslibError(f"a standard error of {self.se:g} is never reached")
        if self.start < 2:  # noqa: PLR2004
            raise AslibError("a standard deviation needs two runs", hint="start >= 2")
        if self.statistic is not np.mean and self.formula != "bootstrap":
            raise AslibError("only the bootstrap knows other statistics than the mean")


class Sampling:
    """Algorithm 1: ask which algorithm to run next on an instance, add its value.

    ``for k in sampling: sampling.add(k, run(k))`` runs to the end. ``ask`` returns the same algorithm until
    a value is added. After ``start`` runs of each, the pair with the largest standard error chooses: of its
    two algorithms the one that has fewer runs than the optimal ratio asks for (a draw goes to the first);
    where neither of them varies, or the delta method or the bootstrap attributes the error to a third
    algorithm, the one whose runs contribute most. A pair whose runs never vary has the standard error 0: a
    deterministic algorithm gets ``start`` runs and no more. With ``balanced`` all algorithms run in rounds
    of one run each, as many as the budget has room for.

    Source: Campelo and Wanner 2020, Algorithm 1; where the text leaves the rule open (draws, undefined
    ratios) the draws are decided as in R's CAISEr 1.0.17.
    """

    def __init__(
        self, algorithms: int, *, accuracy: Accuracy, rng: np.random.Generator | None = None
    ) -> None:
        if algorithms < 2:  # noqa: PLR2004
            raise AslibError(f"{algorithms} algorithm has no difference to estimate")
        if accuracy.budget < algorithms * accuracy.start:
            need = algorithms * accuracy.start
            raise AslibError(
                f"a budget of {accuracy.budget} runs does not cover the first", hint=f"They take {need}."
            )
        if accuracy.formula == "bootstrap" and rng is None:
            raise AslibError("the bootstrap needs a random generator", hint="Give rng.")
        self.accuracy = accuracy
        self.runs: list[list[float]] = [[] for _ in range(algorithms)]
        self.order: list[int] = []  # algorithms in the order of their runs
        self._rng = rng
        self._errors: list[PairError] | None = None

    def __iter__(self) -> Iterator[int]:
        """Algorithms to run, in order; add each value before the next."""
        while (algorithm := self.ask()) is not None:
            done = len(self.order)
            yield algorithm
            if len(self.order) == done:
                raise AslibError("the value of the last run was never added")

    def ask(self) -> int | None:
        """The algorithm to run next, from 0; None when there is nothing left to do."""
        counts = [len(values) for values in self.runs]
        for algorithm, count in enumerate(counts):
            if count < self.accuracy.start:
                return algorithm
        if self.accuracy.balanced and min(counts) < max(counts):
            return counts.index(min(counts))
        following = len(counts) if self.accuracy.balanced else 1
        if len(self.order) + following > self.accuracy.budget or self.reached:
            return None
        if self.accuracy.balanced:
            return 0
        return self._choose(max(self.errors, key=lambda pair: pair.se))

    def add(self, algorithm: int, value: float) -> None:
        """Record the value of a run."""
        if not np.isfinite(value):
            raise AslibError(f"a run gave {value}, which has no mean")
        self.runs[algorithm].append(float(value))
        self.order.append(algorithm)
        self._errors = None

    @property
    def reached(self) -> bool:
        """True if no standard error exceeds the one asked for."""
        return all(pair.se <= self.accuracy.se for pair in self.errors)

    @property
    def errors(self) -> list[PairError]:
        """Current standard errors."""
        accuracy = self.accuracy
        if self._errors is None and accuracy.formula == "bootstrap" and self._rng is not None:
            self._errors = bootstrap_pair_errors(
                self.runs,
                difference=accuracy.difference,
                pairs=accuracy.pairs,
                statistic=accuracy.statistic,
                rng=self._rng,
                resamples=accuracy.resamples,
            )
        elif self._errors is None:
            self._errors = pair_errors(
                summarise(self.runs),
                difference=accuracy.difference,
                pairs=accuracy.pairs,
                formula="delta" if accuracy.formula == "delta" else "paper",
            )
        return self._errors

    def _choose(self, worst: PairError) -> int:
        i, j = worst.first, worst.second
        if self.accuracy.formula == "paper" and not np.isnan(worst.optimal_ratio):
            return i if worst.ratio <= worst.optimal_ratio else j
        return int(np.argmax(worst.contributions / np.array([len(values) for values in self.runs])))
