"""The place of a new solver from some of its runs: the search, a solver played back, a program run.

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
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.special import ndtr

from aslib_eval.analysis.runs import Group, groups
from aslib_eval.database.open_lake import OpenLake
from aslib_eval.database.protocol import Protocol
from aslib_eval.errors import AslibError
from aslib_eval.extensions.planning import PlaceBy, PlaceOrder
from aslib_eval.extensions.planning.runs import TIME, Program, open_log
from aslib_eval.figures.chart import Chart, Line, Linear, Mark, Rule
from aslib_eval.metrics.ranking import BordaRule, points_of_pairs
from aslib_eval.metrics.scale import Floats, Runs
from aslib_eval.text import number, one_of, plural

Row = dict[str, Any]
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

    @cached_property
    def totals(self) -> Floats:
        """(m,) the sum of each entrant's costs."""
        return np.asarray(self.costs.sum(axis=0))

    @property
    def bounds(self) -> tuple[Floats, Floats]:
        """(n, 1) each: the least and the most that a run costs."""
        return np.zeros((len(self.costs), 1)), np.ones((len(self.costs), 1))

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
        return np.asarray(self.own[None] + against - self.points.sum(axis=2).T[:, :, None])

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
        assert self._asked is not None  # noqa: S101 - a run is added after it was asked for
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
        for side, (sign, claimed, worst) in enumerate(
            ((1.0, totals, lowest), (-1.0, totals + above, highest))
        ):
            loss = sign * (claimed - worst)
            risky = loss > _EQUAL
            # Without a risk the claim is refuted: the estimate's mean is the total.
            gain = sign * (estimate - claimed) / np.where(risky, loss, 1.0)
            gain = np.where(risky, np.maximum(gain, -1.0), 0.0)
            edge = np.maximum(sign * (expected - claimed), 0.0)
            bet = np.clip(edge / (variance + edge**2) * loss, 0.0, _MOST)
            self._logs[side] += np.log1p(np.vstack([bet, np.tile(_BETS[:, None], len(bet))]) * gain)
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


# A search in a scenario of the lake.

_VERDICTS = {1: "not better", 0: "open", -1: "better"}


@dataclass(frozen=True)
class PlaceRule:
    """How a place is looked for.

    by: the score, mean PARk of the protocol, the number of instances solved, or the points of pairs, by the
    protocol's rule for ties (``BordaRule``). within:
    stop when the place is known to so many up or down. budget: or when the runs took
    so long [scenario time unit], after the run that is at work then.
    """

    by: PlaceBy = "mean"
    alpha: float = 0.05
    order: PlaceOrder = "information"
    within: int = 0
    budget: float | None = None
    seed: int = 1


class _Paid(NamedTuple):
    """A run of the new solver: its cost, what that adds to totals, and its time.

    added: (1,) the cost; of points of pairs (m,) each entrant's margin.
    """

    cost: float
    added: Floats
    time: float


@dataclass(frozen=True, eq=False)
class _Costs:
    """A scenario as entrants see it; each has a column of costs, from 0 to ``most``.

    all_costs: (n, all algorithms) as shares of ``most``. counts: they say what is not solved.
    """

    group: Group
    names: tuple[str, ...]
    entrants: Entrants
    most: float  # what a cost of 1 is in the score's own unit
    cutoff: float
    all_costs: Floats
    counts: bool

    def paid(self, row: int, time: float) -> _Paid:  # noqa: ARG002 - as of pairs
        """What a run on a row costs; not solved if it took the cutoff."""
        cost = 0.0 if self.counts else time / self.most
        cost = 1.0 if time >= self.cutoff else cost
        return _Paid(cost, np.array([cost]), min(time, self.cutoff))

    def recorded(self, solver: str) -> list[_Paid]:
        """What each run of a recorded solver is worth."""
        own = self.group.names.index(solver)
        costs, times = self.all_costs[:, own], self.group.runs.par(1)[:, own]
        both = zip(costs.tolist(), times.tolist(), strict=True)
        return [_Paid(cost, np.array([cost]), time) for cost, time in both]

    def scores(self) -> tuple[Floats, Floats]:
        """(m,) each: what ranks the entrants, least first, and their scores."""
        mean = self.entrants.totals / len(self.group.instances)
        return mean, 1 - mean if self.counts else mean * self.most


@dataclass(frozen=True, eq=False)
class _Pairs:
    """A scenario as entrants see it who get points against each other."""

    group: Group
    names: tuple[str, ...]
    entrants: PairedEntrants
    most: float  # points on an instance
    cutoff: float
    points: Callable[[Runs], Floats]

    def paid(self, row: int, time: float) -> _Paid:
        """As of ``_Costs``, with the margins over the run."""
        taken = min(time, self.cutoff)
        runs, others = self.group.runs, [self.group.names.index(n) for n in self.names]
        times = np.append(runs.times[row, others], taken)[None]
        solved = np.append(runs.answered[row, others], time < self.cutoff)[None]
        points = self.points(Runs(times, solved, runs.cutoffs[row]))[0]
        return self._of(row, points[-1, :-1], points[:-1, -1], taken)

    def recorded(self, solver: str) -> list[_Paid]:
        """As of ``_Costs``."""
        own, points = self.group.names.index(solver), self.points(self.group.runs)
        others = [at for at in range(len(self.group.names)) if at != own]
        return [
            self._of(row, points[row, own, others], points[row, others, own], time)
            for row, time in enumerate(self.group.runs.par(1)[:, own].tolist())
        ]

    def _of(self, row: int, gained: Floats, lost: Floats, time: float) -> _Paid:
        return _Paid(1 - float(gained.mean()), self.entrants.margins(row, gained, lost), time)

    def scores(self) -> tuple[Floats, Floats]:
        """As of ``_Costs``."""
        scores = self.entrants.own.mean(axis=0)
        return -scores, scores


@dataclass(frozen=True, eq=False)
class PlaceRun:
    """What a search found: after each run, and of each entrant at the end.

    reason: ``within`` (the place is known as wanted), ``budget``, or ``end`` (all instances were run).
    truth: the place on all instances and full: the time of all runs, where a recorded solver was played
    back.
    """

    field: _Costs | _Pairs
    solver: str
    rule: PlaceRule
    steps: tuple[Row, ...]
    verdicts: tuple[int, ...]
    reason: Literal["within", "budget", "end"]
    truth: int | None = None
    full: float | None = None

    def _about(self) -> Row:
        keys = ("protocol", "scenario_id", "measure")
        return {key: getattr(self.field.group, key) for key in keys} | {"solver": self.solver}

    def summary(self) -> Row:
        """One row: the places that are possible, and what it took."""
        last = self.steps[-1]
        share = None if not self.full else last["spent"] / self.full
        return self._about() | {
            "by": self.rule.by, "places": len(self.field.names) + 1,
            **{name: last[name] for name in ("best", "worst", "place", "accuracy")},
            "truth": self.truth, "n": len(self.field.group.instances),
            "n_run": len(self.steps), "spent": last["spent"], "share": share,
            "reason": self.reason,
        }  # fmt: skip

    def runs(self) -> list[Row]:
        """A row for each run, in their order."""
        return [self._about() | step for step in self.steps]

    def against(self) -> list[Row]:
        """A row for each entrant, the best first: what is shown of it."""
        ranked, scores = self.field.scores()
        return [
            self._about()
            | {
                "entrant": self.field.names[at], "score": float(scores[at]),
                "verdict": _VERDICTS[self.verdicts[at]],
            }
            for at in np.argsort(ranked, kind="stable")
        ]  # fmt: skip

    def sentence(self) -> str:
        """What is known, for a reader."""
        found, n = self.summary(), len(self.field.group.instances)
        best, worst = found["best"], found["worst"]
        where = f"is {best}" if best == worst else f"is {best} to {worst}"
        every = (best, worst) == (1, found["places"])
        where = "is still unknown" if every else where
        sure = "" if self.reason == "end" or every else (
            f" (wrong with probability at most {number(self.rule.alpha)})"
        )  # fmt: skip
        took = f"time {number(found['spent'])}"
        if found["share"] is not None:
            took += f", {found['share']:.0%} of the time that all its runs take"
        text = (
            f"{found['scenario_id']}: after {found['n_run']} of"
            f" {plural(n, 'instance')} ({took}), the rank of {self.solver} among"
            f" {found['places']} solvers {where}{sure}."
        )
        if best < worst:
            text += (
                f" The most likely rank is {found['place']}. For this rank, an expected"
                f" {found['accuracy']:.0%} of the other solvers are correctly above or below {self.solver}."
            )
        return text


def frame_of(rows: Sequence[Row]) -> pl.DataFrame:
    """Rows as a frame; columns that are null throughout keep a type."""
    types = {"truth": pl.Int64, "share": pl.Float64}
    there = [name for name in types if name in rows[0]]
    return pl.DataFrame(rows, schema_overrides={name: types[name] for name in there})


def replay_places(lake: OpenLake, solver: str, rule: PlaceRule) -> list[PlaceRun]:
    """Play a recorded solver back as the new one, in each scenario that has it.

    An unsolved run takes the cutoff. Runtime measures only.
    """
    found: list[PlaceRun] = []
    names: set[str] = set()
    for group, protocol in _groups(lake):
        names |= set(group.names)
        if solver not in group.names or len(group.names) == 1:
            continue
        field = _field(group, protocol, rule.by, without=solver)
        recorded = field.recorded(solver)
        run = _search(field, solver, rule, recorded.__getitem__)
        truth = field.entrants.place(np.sum([each.added for each in recorded], axis=0))
        found.append(replace(run, truth=truth, full=sum(each.time for each in recorded)))
    if not found:
        message = f"no scenario has runtimes of {solver!r} and of another algorithm"
        raise AslibError(message, hint=one_of(solver, sorted(names)))
    return found


def drive_place(
    lake: OpenLake,
    program: Program,
    rule: PlaceRule,
    *,
    log: Path,
    answers: bool,
    done: Callable[[Row], None] | None = None,
    warn: Callable[[str], None] | None = None,
) -> PlaceRun:
    """Run a program on the instances of the lake's one scenario, each at most once.

    {instance} in its command is the name of the instance. The cutoff is the scenario's. Every run is
    appended to ``log`` as it ends, and what is there is not run again: the seed draws the same instances.
    answers: a run is solved if the program's pattern is in its output; else if it ends with exit code 0,
    and another code is an error. ``done`` is called for every new run, ``warn`` for repaired damage of the
    log.
    """
    several = list(_groups(lake))
    if len(several) != 1:
        message = f"a new solver is run on one scenario, not {len(several)}"
        raise AslibError(message, hint="Choose one --scenario and one --protocol.")
    field = _field(*several[0], rule.by, without=program.name)
    program = replace(program, timeout=field.cutoff)
    reads = f"{TIME} until {program.value}" if answers else TIME
    settings = {program.name: replace(program.settings(), reads=reads)}
    names = field.group.instances
    if repeated := [name for name in names if " #" in name]:
        message = f"its instances have several runs each, as {repeated[0]!r}"
        raise AslibError(message, field.group.scenario_id, "Choose a --protocol with one.")
    with open_log(log, settings=settings, seed=rule.seed, warn=warn) as runs:

        def run(row: int) -> _Paid:
            key = (names[row], program.name, 0)
            time = runs.recorded.get(key)
            if time is None:
                time = program.time(names[row], rule.seed, answers=answers)
                runs.add(*key, value=time)
                if done is not None:
                    done({"instance": names[row], "algorithm": program.name,
                          "run": 0, "value": time})  # fmt: skip
            return field.paid(row, time)

        return _search(field, program.name, rule, run)


def _groups(lake: OpenLake) -> Iterator[tuple[Group, Protocol]]:
    for protocol in sorted(lake.protocols, key=lambda p: p.protocol):
        for group in groups(lake, protocol.protocol, kind="algorithm", least=1):
            yield group, protocol


def _field(group: Group, protocol: Protocol, by: PlaceBy, *, without: str) -> _Costs | _Pairs:
    runs, others = group.runs, [n for n, x in enumerate(group.names) if x != without]
    if not others:
        raise AslibError("there is no other algorithm", group.scenario_id)
    times = runs.par(1)[:, others] / runs.cutoffs[:, None]
    names = tuple(group.names[at] for at in others)
    cutoff = float(runs.cutoffs.max())
    if by == "points":
        rule = BordaRule(delta=protocol.borda_delta, relative=protocol.borda_delta_kind == "relative")
        points = partial(pair_points, rule=rule)
        paired = PairedEntrants(points(runs)[:, others][:, :, others], times)
        return _Pairs(group, names, paired, float(len(others)), cutoff, points)
    counts, most = by == "solved", 1.0 if by == "solved" else protocol.penalty * cutoff
    costs = 1 - np.asarray(runs.solved, float) if counts else runs.par(protocol.penalty) / most
    whole = bool(counts and np.isin(costs, (0.0, 1.0)).all())
    entrants = Entrants(costs[:, others], times, grain=float(whole))
    return _Costs(group, names, entrants, most, cutoff, costs, counts)


def pair_points(runs: Runs, *, rule: BordaRule) -> Floats:
    """Points of each solver against each other on each instance.

    (n_instances, n_solvers, n_solvers), of the solver of axis 1 against that of axis 2. On the diagonal is
    0.5 where it solves, as against one that runs as it does, else 0.
    """
    found = np.zeros((runs.n_instances, runs.n_solvers, runs.n_solvers))
    for a, b, *points in points_of_pairs(runs, rule=rule):
        found[:, a, b], found[:, b, a] = points
    diagonal = np.arange(runs.n_solvers)
    found[:, diagonal, diagonal] = 0.5 * runs.answered
    return found


def _search(field: _Costs | _Pairs, solver: str, rule: PlaceRule, run: Callable[[int], _Paid]) -> PlaceRun:
    """run: from a row to what the new solver paid there."""
    rng = np.random.default_rng(rule.seed)
    search = PlaceSearch(field.entrants, alpha=rule.alpha, order=rule.order, rng=rng)
    steps: list[Row] = []
    spent, reason = 0.0, "end"
    while (row := search.ask()) is not None:
        paid = run(row)
        search.add(paid.cost, paid.added)
        spent += paid.time
        place = search.place
        cost = paid.cost if rule.by == "mean" else 1 - paid.cost
        steps.append({
            "instance_id": field.group.instances[row],
            "value": cost if rule.by == "solved" else cost * field.most,
            "time": paid.time, "spent": spent,
            "best": place.best, "worst": place.worst,
            "place": place.estimate, "accuracy": place.accuracy,
        })  # fmt: skip
        if place.worst - place.best <= 2 * rule.within and len(search.left):
            reason = "within"
            break
        if rule.budget is not None and spent >= rule.budget and len(search.left):
            reason = "budget"
            break
    return PlaceRun(field, solver, rule, tuple(steps), tuple(search.verdicts.tolist()), reason)  # type: ignore[arg-type]


def places_over_time(found: PlaceRun) -> Chart:
    """Best and worst possible place and the likeliest, after each run.

    Of a recorded solver its place on all instances is marked, and the time is that of all its runs.
    """
    steps, places = found.runs(), len(found.field.names) + 1
    lines: list[Mark] = []
    for name, color, begun in (("best", "c1", 1), ("worst", "c2", places), ("place", "ink", None)):
        points = [] if begun is None else [[0, begun, f"{name} {begun}"]]
        points += [
            [step["spent"], step[name], f"{step['best']} to {step['worst']}, likeliest {step['place']}"]
            for step in steps
        ]
        said = "likeliest" if begun is None else f"{name} possible"
        lines.append(Line(points, name=said, color=color, step=True))
    if found.truth is not None:
        lines.append(Rule(y=found.truth, label=f"on all: {found.truth}"))
    last = steps[-1]
    return Chart(
        f"The rank of {found.solver}",
        found.sentence(),
        Linear("time of its runs", 0, found.full or last["spent"]),
        Linear("place", 1, places, whole=True),
        lines,
        f"{last['scenario_id']}; {plural(len(steps), 'run')} of"
        f" {len(found.field.group.instances)}; alpha {number(found.rule.alpha)}",
    )
