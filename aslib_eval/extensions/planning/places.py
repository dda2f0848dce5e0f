"""The place of a new solver from some of its runs, and standard errors of repeated runs.

What is known: the costs of m entrants on n instances. The new solver has a cost x_i from 0 to 1 on each,
too, which a run shows. Its place is 1 + the number of entrants whose total C_j is below its total X.
``PlaceSearch`` draws the next instance, and says after each run in which places it may be, so that the
probability ever to leave out its true place is at most alpha, whenever one stops and for whatever reason.

**One draw.** Before it, let S be the sum of the costs seen, R the instances left, g_i a guess of x_i, and
q_i > 0 the odds of drawing i: all of them made of what was seen before. The draw I gives the estimate E = S
+ sum of g over R + (x_I - g_I) / q_I, whose expectation is S + sum of x over R = X. So odds and guesses may
follow what was seen, costs of runs, or anything else: bad ones cost time, never validity.

**One claim.** If "X is at most c" holds, E - c is not above 0 on average. It is never below -L, with L = c
- (S + sum of g + least of -g_i / q_i). A stake multiplied by 1 + b (E - c) / L, with a bet b from 0 to
below 1 that is chosen before the draw, stays above 0 and does not grow on average, and neither does the
product over all draws, nor the mean of several such products. The probability that it ever reaches 2 /
alpha is at most alpha / 2 (Ville 1939); the claim is refuted there. "X is above c" likewise, with c - E and
the most that E can be. Where L is below 0, no draw can lose: the claim is refuted for certain.

**All entrants, at the price of one.** "X is at most C_j" is claimed of each entrant; in the order of C_j,
the smallest first, a claim counts as refuted only if those before it are. The claims that hold are those of
C_j >= X, the last in this order; to refute any of them, the first of them must be refuted, which is one
claim, fixed by the costs. So the probability ever to refute a claim that holds is at most alpha / 2,
however many entrants there are and whatever the bets on each. "X is above C_j" likewise, the
largest first. With probability 1 - alpha no refutation is ever wrong, and then the place is at least 1 +
the number of refuted "X is at most C_j", and at most 1 + m - the number of refuted "X is above C_j".

**Points of pairs.** Where solvers share points on each instance, the margin of entrant j over the new
solver is a sum over instances of its own, the points of j against all less those of the new solver against
all, whose bounds the runs of j give. "No margin" is then claimed of each entrant, and the claims imply none
of each other: one is refuted where the mean of the stakes against any set of claims that has it reaches 2 /
alpha. The stakes against all claims that hold are such a mean, too, so that again the probability ever to
refute one of them is at most alpha / 2.

Source: Waudby-Smith and Ramdas 2024, Estimating means of bounded random variables by betting (section 5,
sampling without replacement); Shekhar et al. 2023, Risk-limiting financial audits via weighted sampling
without replacement (odds and guesses); the order of claims is the fixed-sequence procedure of closed
testing (Marcus et al. 1976), that by means of stakes the one of Vovk and Wang 2021, E-values: calibration,
combination and applications (section 4).

Standard errors of pairwise differences between algorithms on one instance.

``contributions`` of every formula are the components of the squared standard error due to each algorithm's
own runs; they shrink as 1 / n of that algorithm.

Source: Campelo and Wanner 2020.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from aslib_eval.errors import AslibError
from aslib_eval.extensions.planning import Pairs, PlaceOrder
from aslib_eval.options import Differences
from aslib_eval.statistics.distributions import require_finite

Floats = NDArray[np.float64]
_BETS = np.geomspace(0.01, 0.9, 8)  # shares of the largest bet
_MOST = 0.95  # of the bet that follows the guesses
_FOLLOWING = 0.7  # its share of the stake
_OWN = 0.3  # of the variance of an entrant's cost that the others do not tell
_SURPRISE = 0.2  # entrants of m + 2: one that does what no other has done
_EVEN = 0.2  # of the odds, the same for all instances: keeps the largest loss small
_LEAST = 1e-3  # cutoffs that an instance takes at least
_EQUAL = 1e-9  # of the cost of an instance: rounding


@dataclass(frozen=True, eq=False)
class Entrants:
    """Costs and times of the known solvers.

    costs: (n, m) from 0 to 1, lower is better. times: (n, m) what each run took, in cutoffs. grain: totals
    are multiples of it, as 1 where costs are counts; 0 for any.
    """

    costs: Floats
    times: Floats
    grain: float = 0.0
    scale = 1  # what an error of 1 of a cost makes of a total

    def __post_init__(self) -> None:
        """Check the shapes and the costs."""
        if self.costs.ndim != 2 or 0 in self.costs.shape:  # noqa: PLR2004
            raise AslibError("a place needs entrants with runs on instances")
        if self.times.shape != self.costs.shape:
            raise AslibError("there must be as many times as costs")
        if not ((self.costs >= 0) & (self.costs <= 1 + _EQUAL)).all():
            raise AslibError("costs must be from 0 to 1")

    @cached_property
    def totals(self) -> Floats:
        """(m,) the sum of each entrant's costs."""
        return np.asarray(self.costs.sum(axis=0))

    @property
    def bounds(self) -> tuple[Floats, Floats]:
        """(n, 1) each: the least and the most that a run costs."""
        rows = len(self.costs), 1
        return np.zeros(rows), np.ones(rows)

    def guessed(self, guesses: _Guesses) -> Floats:
        """(n, 1) what each run will cost."""
        return np.asarray(np.clip(guesses.mean + guesses.load @ guesses.weight, 0.0, 1.0))[:, None]

    def place(self, total: float | Floats) -> int:
        """1 + the number of entrants with less than this total."""
        return 1 + int((total > self.totals + self.slack).sum())

    @property
    def slack(self) -> float:
        """Rounding: totals that differ by no more are equal."""
        return _EQUAL * len(self.costs)

    def implied(self, refuted: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """(2, m) the claims that are refuted of all entrants up to each, by totals."""
        order = np.argsort(self.totals, kind="stable")
        found = np.zeros_like(refuted)
        found[0, order] = np.logical_and.accumulate(refuted[0, order])
        found[1, order[::-1]] = np.logical_and.accumulate(refuted[1, order[::-1]])
        return found

    def stakes(self, evidence: Floats, certain: NDArray[np.bool_]) -> Floats:  # noqa: ARG002 - as of pairs
        """(2, m) what tells against each claim: its own evidence."""
        return evidence


@dataclass(frozen=True, eq=False)
class PairedEntrants:
    """Points of the known solvers against each other.

    points: (n, m, m) from 0 to 1, of the entrant of axis 1 against that of axis 2. On the diagonal is what
    it has against one that runs as it does, 0 where it fails. times: (n, m) what each run took, in cutoffs.

    A run of a new solver is worth the points that it does not get, as a share of all, and puts each entrant
    ahead of it by a margin: ``margins``.
    """

    points: Floats
    times: Floats
    grain = 0.0  # margins may add up to anything

    def __post_init__(self) -> None:
        """Check the shapes and the points."""
        if self.points.ndim != 3 or 0 in self.points.shape:  # noqa: PLR2004
            raise AslibError("a place needs entrants with runs on instances")
        if self.times.shape != self.points.shape[:2]:
            raise AslibError("there must be as many times as runs")
        if not ((self.points >= 0) & (self.points <= 1)).all():
            raise AslibError("points must be from 0 to 1")

    @cached_property
    def costs(self) -> Floats:
        """(n, m) the share of points that a new solver would lack that ran as each."""
        return np.asarray(1 - self.points.mean(axis=2))

    @cached_property
    def own(self) -> Floats:
        """(n, m) points of each entrant against all other entrants."""
        return np.asarray(self.points.sum(axis=2) - np.einsum("ijj->ij", self.points))

    def margins(self, row: int, gained: Floats, lost: Floats) -> Floats:
        """(m,) by how many points each entrant is ahead of the new solver on a row.

        gained, lost: (m,) points of the new solver against each, and of each against the new solver.
        """
        return np.asarray(self.own[row] + lost - gained.sum())

    @cached_property
    def as_each(self) -> Floats:
        """(m, n, m) the margins of entrants (last) over one that runs as each (first).

        It would get of the entrant that it runs as what is on the diagonal.
        """
        against = np.moveaxis(self.points, 2, 0)  # of each entrant, against this one
        gained = self.points.sum(axis=2).T
        return np.asarray(self.own[None] + against - gained[:, :, None])

    @cached_property
    def totals(self) -> Floats:
        """(m,) zeros: an entrant is better where its margins add up to more."""
        return np.zeros(self.points.shape[1])

    def place(self, margins: Floats) -> int:
        """1 + the number of entrants whose margins add up to more than 0."""
        return 1 + int((margins > self.slack).sum())

    @property
    def slack(self) -> float:
        """Rounding: sums that differ by no more are equal."""
        return _EQUAL * len(self.costs) * len(self.totals)

    @property
    def scale(self) -> int:
        """What an error of 1 of a cost makes of a margin."""
        return len(self.totals) + 1

    def implied(self, refuted: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """(2, m) each claim by itself: margins over one tell nothing of another."""
        return refuted

    def stakes(self, evidence: Floats, certain: NDArray[np.bool_]) -> Floats:
        """(2, m) what tells against each claim beside the others: ``least_mean``."""
        return np.stack([least_mean(each) for each in np.where(certain, np.inf, evidence)])

    @cached_property
    def bounds(self) -> tuple[Floats, Floats]:
        """(n, m) each: margins over one that takes no time, and over one that fails."""
        solved = np.einsum("ijj->ij", self.points) > 0
        return self.own - self.points.shape[1], self.own + solved

    def guessed(self, guesses: _Guesses) -> Floats:
        """(n, m) the margin of each entrant over the new solver on each instance."""
        found = guesses.mix(self.as_each.reshape(len(self.as_each), -1))
        return np.asarray(np.clip(found.reshape(self.own.shape), *self.bounds))


@dataclass(frozen=True)
class PossiblePlaces:
    """Places from ``best`` to ``worst``; the likeliest one is ``estimate``.

    accuracy: share of the entrants that the estimate is expected to have on the right side of the new
    solver, as the guesses have it: no promise, unlike best and worst.
    """

    best: int
    worst: int
    estimate: int
    accuracy: float


class _Guesses:
    """What the new solver will cost: as if drawn from where the entrants come from.

    The costs of a solver on all instances are taken for normal with the mean and the covariance of the
    entrants', but for ``_OWN`` of each variance, in which they are independent, and the chance of a
    surprise. Each run makes them a posterior.
    """

    def __init__(self, costs: Floats) -> None:
        n_entrants = costs.shape[1]
        self.mean = costs.mean(axis=1)
        spread = (costs - self.mean[:, None]) / np.sqrt(max(n_entrants - 1, 1))
        own = _OWN * (spread**2).sum(axis=1)
        self.own = own + _SURPRISE / (n_entrants + 2)
        self.load = spread * np.sqrt(1 - _OWN)
        self.weight = np.zeros(n_entrants)  # of each entrant's deviation
        self.cov = np.eye(n_entrants)

    def mix(self, each: Floats) -> Floats:
        """What is guessed of anything known of each entrant, (m, anything).

        As of the cost: the mean, and by the weight of an entrant its distance from it.
        """
        mean = each.mean(axis=0)
        shares = self.weight * np.sqrt((1 - _OWN) / max(len(each) - 1, 1))
        return np.asarray(mean + shares @ each - shares.sum() * mean)

    def errors(self, rows: NDArray[np.intp]) -> Floats:
        """Expected squared error of the guess of the cost, on each of the rows."""
        load = self.load[rows]
        return np.asarray(((load @ self.cov) * load).sum(axis=1) + self.own[rows])

    def error(self, rows: NDArray[np.intp]) -> float:
        """Standard deviation of the sum over the rows."""
        load = self.load[rows].sum(axis=0)
        return float(np.sqrt(load @ self.cov @ load + self.own[rows].sum()))

    def add(self, row: int, cost: float) -> None:
        """Learn from a run."""
        load = self.load[row]
        gain = self.cov @ load
        scale = load @ gain + self.own[row]
        self.weight += gain * ((cost - self.mean[row] - load @ self.weight) / scale)
        self.cov -= np.outer(gain, gain) / scale


class PlaceSearch:
    """Which instance to run next, and the places that are possible.

    ``while (row := search.ask()) is not None: search.add(cost of row)`` runs on all instances; ``place`` is
    valid whenever one stops. Odds of the next instance, by ``information``: per second, the root of the
    expected squared error of its guess over the mean time of the entrants, which makes the variance of the
    estimate for the time least, and for a fifth even; or ``random``, all even. As all entrants are held
    against the one total X, what tells most of it tells most of all of them.

    The bets: 0.7 of the stake on one that follows the guesses (their distance from the claim over its
    square and the variance of the estimate), the rest on eight sizes.

    Edge cases: entrants with equal totals have one place between them; ties with
    the new solver are known when all is run, or by ``grain``.
    """

    def __init__(
        self,
        entrants: Entrants | PairedEntrants,
        *,
        alpha: float = 0.05,
        order: PlaceOrder = "information",
        rng: np.random.Generator,
    ) -> None:
        if not 0 < alpha < 1:
            raise AslibError(f"alpha must be between 0 and 1, not {alpha}")
        self.entrants = entrants
        self.left = np.arange(len(entrants.costs))
        self._seen = np.zeros(1)  # the sum of the costs, or of each entrant's margins
        self._order, self._rng = order, rng
        self._time = np.maximum(entrants.times.mean(axis=1), _LEAST)
        self._guesses = _Guesses(entrants.costs)
        self._limit = np.log(2 / alpha)
        # Logarithms of the stakes, and what is refuted, both for two kinds of claims:
        # X is at most C_j, X is above C_j (at least C_j + grain).
        m = len(entrants.totals)
        stakes = [_FOLLOWING, *[(1 - _FOLLOWING) / len(_BETS)] * len(_BETS)]
        self._logs = np.tile(np.log(stakes)[None, :, None], (2, 1, m))
        self._refuted = np.zeros((2, m), bool)
        self._certain = np.zeros((2, m), bool)
        self._asked: tuple[int, Floats, Floats] | None = None

    def ask(self) -> int | None:
        """The row to run next; None when all were run."""
        if len(self.left) == 0:
            return None
        if self._asked is None:
            error = self._guesses.errors(self.left)
            odds = np.ones(len(error))
            if self._order == "information":
                odds = np.sqrt(error / self._time[self.left])
            odds = (1 - _EVEN) * odds / odds.sum() + _EVEN / len(odds)
            self._asked = int(self._rng.choice(len(odds), p=odds / odds.sum())), error, odds
        return int(self.left[self._asked[0]])

    def add(self, cost: float, margins: Floats | None = None) -> None:
        """Add the cost of the row that was asked for, and of pairs the margins there."""
        if self._asked is None:
            raise AslibError("no run was asked for")
        if not -_EQUAL <= cost <= 1 + _EQUAL:
            raise AslibError(f"a cost must be from 0 to 1, not {cost}")
        drawn, error, odds = self._asked
        found = np.array([cost]) if margins is None else margins
        self._bet(found, drawn, error, odds)
        self._guesses.add(int(self.left[drawn]), cost)
        self._seen = self._seen + found
        self.left = np.delete(self.left, drawn)
        self._asked = None
        least, most = (bound[self.left].sum(axis=0) for bound in self.entrants.bounds)
        totals = self.entrants.totals
        self._certain[0] |= self._seen + least > totals + self.entrants.slack
        self._certain[1] |= self._seen + most < (
            totals + (self.entrants.grain or 2 * self.entrants.slack) - self.entrants.slack
        )
        self._refuted |= self._certain

    def _bet(self, found: Floats, drawn: int, error: Floats, odds: Floats) -> None:
        guess = self.entrants.guessed(self._guesses)[self.left]
        least, most = (bound[self.left] for bound in self.entrants.bounds)
        expected = self._seen + guess.sum(axis=0)
        estimate = expected + (found - guess[drawn]) / odds[drawn]
        lowest = expected - ((guess - least) / odds[:, None]).max(axis=0)
        highest = expected + ((most - guess) / odds[:, None]).max(axis=0)
        variance = (error / odds).sum() * self.entrants.scale**2
        totals, above = self.entrants.totals, self.entrants.grain
        sides = ((1.0, totals, lowest), (-1.0, totals + above, highest))
        for side, (sign, claimed, worst) in enumerate(sides):
            loss = sign * (claimed - worst)
            risky = loss > _EQUAL
            # Without a risk the claim is refuted: the estimate's mean is the total.
            gain = sign * (estimate - claimed) / np.where(risky, loss, 1.0)
            gain = np.where(risky, np.maximum(gain, -1.0), 0.0)
            edge = np.maximum(sign * (expected - claimed), 0.0)
            bet = np.clip(edge / (variance + edge**2) * loss, 0.0, _MOST)
            bets = np.vstack([bet, np.broadcast_to(_BETS[:, None], (8, len(bet)))])
            self._logs[side] += np.log1p(bets * gain)
            self._certain[side] |= loss < -_EQUAL
        stakes = self.entrants.stakes(self.evidence, self._certain)
        self._refuted |= self._certain | (stakes >= self._limit)

    @property
    def evidence(self) -> Floats:
        """(2, m) what a stake of 1 has become, as logarithm, against each claim.

        The claims of each entrant: the new solver's total is at most its own; is above.
        """
        return np.asarray(np.logaddexp.reduce(self._logs, axis=1))

    @property
    def verdicts(self) -> NDArray[np.int_]:
        """(m,) 1: the entrant is shown not to be better, -1: to be better; 0: open."""
        better, not_better = self.entrants.implied(self._refuted)
        return np.where(better, -1, np.where(not_better, 1, 0))

    @property
    def place(self) -> PossiblePlaces:
        """The places that are possible now, and the likeliest."""
        verdicts, totals = self.verdicts, self.entrants.totals
        best = 1 + int((verdicts == -1).sum())
        worst = 1 + int((verdicts != 1).sum())
        expected = self._seen + self.entrants.guessed(self._guesses)[self.left].sum(axis=0)
        estimate = self.entrants.place(expected)
        sides = np.ones(len(totals))
        if len(self.left):
            error = self._guesses.error(self.left) * self.entrants.scale
            sides = ndtr(np.abs(expected - totals) / error)
            sides[verdicts != 0] = 1.0
        return PossiblePlaces(best, worst, min(max(estimate, best), worst), float(sides.mean()))


def least_mean(logs: Floats) -> Floats:
    """Of each number its mean with those others that make that least; logarithms.

    logs: (m,), inf where a claim is refuted for certain. These others are the smallest.
    """
    order = np.argsort(logs, kind="stable")
    ranked = logs[order]
    below = np.append(-np.inf, np.logaddexp.accumulate(ranked)[:-1])
    counts = np.arange(1, len(logs) + 1)
    found = np.empty_like(logs)
    for place, at in enumerate(order):
        some = slice(place + 1)
        sums = np.logaddexp(ranked[place], below[some]) - np.log(counts[some])
        found[at] = sums.min()
    return found


Statistic = Callable[..., Floats]


@dataclass(frozen=True)
class PairError:
    """A difference of two algorithms on one instance, with its standard error."""

    first: int
    second: int
    difference: float
    se: float
    contributions: Floats  # (A,) components of se^2 due to each algorithm's runs
    ratio: float  # runs of the first / runs of the second
    optimal_ratio: float  # least runs for that se; nan where both do not vary


@dataclass(frozen=True)
class Samples:
    """Mean, standard deviation (0 for one run) and number of each algorithm's runs."""

    mean: Floats
    sd: Floats
    n: NDArray[np.int64]


def summarise(runs: Sequence[Sequence[float]]) -> Samples:
    """Mean, spread and number of the runs of each algorithm on one instance."""
    if min(map(len, runs), default=0) < 1:
        raise AslibError("an algorithm has no run on the instance")
    arrays = [np.asarray(values, float) for values in runs]
    for array in arrays:
        require_finite(array, "a run has no finite value")
    spread = [a.std(ddof=1) if np.ptp(a) > 0 else 0.0 for a in arrays]
    return Samples(
        mean=np.array([a.mean() for a in arrays]),
        sd=np.array(spread, float),
        n=np.array([a.size for a in arrays]),
    )


def pairs_of(algorithms: int, pairs: Pairs) -> list[tuple[int, int]]:
    """Pairs of algorithms to compare: all, or the first with each other one."""
    if pairs == "first":
        return [(0, j) for j in range(1, algorithms)]
    return [(i, j) for i in range(algorithms) for j in range(i + 1, algorithms)]


def pair_errors(
    samples: Samples,
    *,
    difference: Differences = "simple",
    pairs: Pairs = "all",
    formula: Literal["paper", "delta"] = "paper",
) -> list[PairError]:
    """Standard errors of all differences of interest on one instance.

    ``simple``: mean_i - mean_j. ``percent``: as a share of the first algorithm's mean (``pairs`` =
    ``first``) or of the grand mean (``all``). The ``paper``'s formula for percent differences of all pairs
    takes numerator and grand mean as independent, which is up to a fifth off; ``delta`` does not. They are
    the same elsewhere.

    Source: Campelo and Wanner 2020, eq. 17, 24 and 34; optimal ratios eq. 20, 29, 37.
    """
    base = float(samples.mean[0]) if pairs == "first" else float(samples.mean.mean())
    if difference == "percent" and base == 0:
        raise AslibError("a percent difference of a mean of 0 is undefined", hint="Use simple differences.")
    scale = 1.0 if difference == "simple" else base
    errors = []
    for i, j in pairs_of(samples.mean.size, pairs):
        phi = float(samples.mean[i] - samples.mean[j]) / scale
        weights = np.zeros(samples.mean.size)
        if difference == "simple":
            weights[[i, j]] = 1
        elif pairs == "first":  # eq. 24; the delta method gives the same
            weights[i] = samples.mean[j] ** 2 / samples.mean[i] ** 4
            weights[j] = 1 / samples.mean[i] ** 2
        else:
            weights = _percent_of_mean(samples, i, j, phi, formula)
        parts = weights * samples.sd**2 / samples.n
        needs = np.sqrt(weights) * samples.sd  # optimal runs are proportional to these
        with np.errstate(divide="ignore", invalid="ignore"):
            optimal = float(np.divide(needs[i], needs[j]))
        ratio = float(samples.n[i] / samples.n[j])
        errors.append(PairError(i, j, phi, float(np.sqrt(parts.sum())), parts, ratio, optimal))
    return errors


def _percent_of_mean(samples: Samples, i: int, j: int, phi: float, formula: str) -> Floats:
    """Eq. 34, or the derivatives of (mean_i - mean_j) / grand mean, squared."""
    algorithms = samples.mean.size
    part = phi / algorithms
    weights = np.full(algorithms, part**2)
    if formula == "delta":
        weights[i], weights[j] = (1 - part) ** 2, (1 + part) ** 2
    else:
        weights[[i, j]] = 1 + part**2
    return np.asarray(weights / samples.mean.mean() ** 2)


def bootstrap_pair_errors(
    runs: Sequence[Sequence[float]],
    *,
    difference: Differences = "simple",
    pairs: Pairs = "all",
    statistic: Statistic = np.mean,
    rng: np.random.Generator,
    resamples: int = 499,
) -> list[PairError]:
    """Bootstrap standard errors of differences, for any statistic such as the median.

    statistic: called as ``statistic(array, axis=1)``. Every algorithm's runs are resampled; its
    contribution is the variance with the others fixed.

    Source: Campelo and Wanner 2020, section 3.2: bootstrap where no formula exists.
    """
    samples = summarise(runs)
    point = np.empty(len(runs))
    drawn = np.empty((len(runs), resamples))
    for k, values in enumerate(np.asarray(each, float) for each in runs):
        picks = rng.integers(values.size, size=(resamples, values.size))
        point[k] = statistic(values[None], axis=1)[0]
        drawn[k] = statistic(values[picks], axis=1)
    estimates = _differences(point[:, None], difference, pairs)[:, 0]
    spread = _differences(drawn, difference, pairs).var(axis=1, ddof=1)
    parts = np.empty((len(runs), estimates.size))
    for k in range(len(runs)):
        fixed = np.repeat(point[:, None], resamples, axis=1)
        fixed[k] = drawn[k]
        parts[k] = _differences(fixed, difference, pairs).var(axis=1, ddof=1)
    needs = np.sqrt(parts * samples.n[:, None])
    errors = []
    for column, (i, j) in enumerate(pairs_of(len(runs), pairs)):
        with np.errstate(divide="ignore", invalid="ignore"):
            optimal = float(np.divide(needs[i, column], needs[j, column]))
        ratio = float(samples.n[i] / samples.n[j])
        se = float(np.sqrt(spread[column]))
        errors.append(PairError(i, j, float(estimates[column]), se, parts[:, column], ratio, optimal))
    return errors


def _differences(values: Floats, difference: Differences, pairs: Pairs) -> Floats:
    """Differences (pairs, resamples) of values (algorithms, resamples)."""
    wanted = np.array(pairs_of(values.shape[0], pairs)).reshape(-1, 2)
    simple: Floats = values[wanted[:, 0]] - values[wanted[:, 1]]
    if difference == "simple":
        return simple
    base = values[0] if pairs == "first" else values.mean(axis=0)
    if (base == 0).any():
        raise AslibError("a percent difference of a mean of 0 is undefined", hint="Use simple differences.")
    return np.asarray(simple / base)
