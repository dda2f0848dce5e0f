"""Scores of runs as functions of arrays: PARk, closed gaps, objectives, contributions, anytime areas.

``zero`` and ``one`` are the values that score 0 and 1: the costs of SBS and VBS for the closed gap, of a
trivial solver and the truth for the UAI score, the worst and the best objective for an anytime curve. Where
both are equal, the result is nan with a status that says so, never a silent 0.

Objectives (``incomplete``, ``satisficing``, ``scaled_score``) are ``values`` (n_instances, n_solvers) in
each problem's own unit, nan where a run found no solution; ``maximize`` says whether more is better, for
all or (n_instances,) one each. Their scores lie from 0 to 1, higher is better, and are 0 without a
solution; the mean over instances is the solver's score.

Costs of contributions are (n_instances, n_solvers), lower is better, such as ``Runs.par(10)``. A trajectory
is the solutions that a run reported, each with the time since its start. At any moment the best solution up
to and including that moment counts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aslib_eval.errors import AslibError

Floats = NDArray[np.float64]
TABLE = 2  # dimensions: instances x solvers


@dataclass(frozen=True, eq=False)
class Runs:
    """Runtimes of the same solvers on the same instances.

    times: (n_instances, n_solvers) [time]; never used where a run did not solve. Where only a share of the
        repetitions did, their mean with the cutoff for the others.
    solved: (n_instances, n_solvers) bool, or the share of the repetitions, 0 to 1. cutoff: one number, or
    (n_instances,) where scenarios are pooled [time].
    """

    times: Floats
    solved: NDArray[np.bool_] | Floats
    cutoff: float | Floats

    def __post_init__(self) -> None:
        wrong = _shape_faults(self) or _value_faults(self)
        if wrong:
            raise AslibError(f"runs cannot be scored: {'; '.join(wrong)}")

    @property
    def n_instances(self) -> int:
        """Number of rows."""
        return len(self.times)

    @property
    def n_solvers(self) -> int:
        """Number of columns."""
        return int(self.times.shape[1])

    @cached_property
    def answered(self) -> NDArray[np.bool_]:
        """(n_instances, n_solvers): solved at least once."""
        return np.asarray(self.solved > 0)

    @cached_property
    def cutoffs(self) -> Floats:
        """(n_instances,) the cutoff of each instance [time]."""
        return np.broadcast_to(np.asarray(self.cutoff, float), (self.n_instances,))

    def lines(self) -> tuple[Floats, Floats]:
        """PARk of every run as intercept + slope·k, both (n_instances, n_solvers)."""
        slopes = self.cutoffs[:, None] * (1 - np.asarray(self.solved, float))
        rest = np.where(self.answered, self.times, 0.0) - slopes
        return np.where(self.answered, rest, 0.0), slopes

    def par(self, k: float) -> Floats:
        """PARk of every run: (n_instances, n_solvers) [time].

        Source: Amadini et al. 2023, Definition 1.
        """
        intercepts, slopes = self.lines()
        return intercepts + k * slopes


@dataclass(frozen=True)
class OwnMetric:
    """A metric that another package adds to ``score`` and ``gap --metric``.

    points: takes ``Runs`` of n instances and m solvers and returns (n, m), what each solver has on each
    instance; nan where that is not defined. The score of a solver is the mean over instances. Algorithms
    are given together, and a selector as the last column behind all algorithms, so that a metric may count
    opponents. better: whether ``max`` or ``min`` of its values is the best.
    """

    points: Callable[[Runs], Floats]
    better: Literal["max", "min"] = "max"


def _shape_faults(runs: Runs) -> list[str]:
    times, solved, cutoff = np.shape(runs.times), np.shape(runs.solved), np.shape(runs.cutoff)
    is_table = len(times) == TABLE and 0 not in times
    faults = {
        f"times must be instances x solvers, at least 1 x 1, not {times}": not is_table,
        f"solved has the shape {solved}, times {times}": solved != times,
        f"cutoff must be one number or one an instance ({times[:1]})": cutoff not in {(), times[:1]},
    }
    return [text for text, is_wrong in faults.items() if is_wrong]


def _value_faults(runs: Runs) -> list[str]:
    share, cutoff = np.asarray(runs.solved, float), np.asarray(runs.cutoff, float)
    used = np.asarray(runs.times, float)[share > 0]
    fine = {
        "a solved run has a time that is negative or not finite": np.isfinite(used) & (used >= 0),
        "solved must be true or false, or a share from 0 to 1": (share >= 0) & (share <= 1),
        "the cutoff must be above 0 and finite": np.isfinite(cutoff) & (cutoff > 0),
    }
    return [text for text, each in fine.items() if not each.all()]


class ScaleStatus(IntEnum):
    """Whether a rescaled value is defined; where several apply, the smallest."""

    DEFINED = 0
    MISSING = 1  # a value is nan
    INFINITE = 2  # a value is infinite
    NO_SCALE = 3  # both ends of the scale are equal


@dataclass(frozen=True, eq=False)
class Scaled:
    """Values of any shape and, for each, whether it is defined or why not.

    values: nan exactly where the status is not DEFINED.
    status: codes of ``ScaleStatus``, the same shape.
    """

    values: NDArray[np.float64]
    status: NDArray[np.int8]

    @property
    def defined(self) -> NDArray[np.bool_]:
        """True where there is a value."""
        return np.asarray(self.status == ScaleStatus.DEFINED)

    def to_list(self) -> list[float | None]:
        """The values in C order, None where there is none."""
        pairs = zip(self.values.ravel().tolist(), self.defined.ravel(), strict=True)
        return [value if defined else None for value, defined in pairs]


def rescale(x: ArrayLike, *, zero: ArrayLike, one: ArrayLike) -> Scaled:
    """(x - zero) / (one - zero): 0 at ``zero``, 1 at ``one``, linear and unbounded.

    The three broadcast against each other and share a unit; the result has none. Neither end need be the
    smaller: which one is zero gives the direction.

    Edge cases: a nan anywhere is MISSING, an infinity INFINITE, ``zero`` = ``one`` NO_SCALE (also where x
    equals both). The 0 is never negative.
    """
    value, low, high = np.broadcast_arrays(*[np.asarray(a, dtype=np.float64) for a in (x, zero, one)])
    status = np.zeros(value.shape, dtype=np.int8)
    status[low == high] = ScaleStatus.NO_SCALE
    for array in (value, low, high):
        status[np.isinf(array)] = ScaleStatus.INFINITE
    for array in (value, low, high):
        status[np.isnan(array)] = ScaleStatus.MISSING
    defined = status == ScaleStatus.DEFINED
    with np.errstate(invalid="ignore", over="ignore"):
        # Quarters, which are exact, have a difference where numbers are too large.
        value, low, high = value / 4, low / 4, high / 4
        values = np.where(defined, (value - low) / np.where(defined, high - low, 1.0) + 0.0, np.nan)
    return Scaled(values, status)


def clip(scaled: Scaled, *, low: float | None = None, high: float | None = None) -> Scaled:
    """Bound the defined values; their status stays."""
    return Scaled(np.clip(scaled.values, low, high), scaled.status)


EQUAL = 1e-12  # share of the cost of SBS: smaller differences are rounding, no gap


def closed(score: ArrayLike, *, sbs: ArrayLike, vbs: ArrayLike) -> Scaled:
    """Closed gap: 1 = VBS, 0 = SBS, negative below SBS; higher is better.

    score, sbs, vbs: mean costs in one unit, lower is better; they broadcast. Costs that agree with that of
    SBS to 12 digits are equal to it, as in the views.

    Edge cases: no scale where SBS = VBS.

    Source: Amadini et al. 2023, Definition 3.
    """
    return rescale(sbs_where_equal(score, sbs), zero=sbs, one=sbs_where_equal(vbs, sbs))


def sbs_where_equal(cost: ArrayLike, sbs: ArrayLike) -> Floats:
    """The cost, or that of SBS where the two agree to 12 digits (rounding of sums)."""
    cost, sbs = np.broadcast_arrays(np.asarray(cost, float), np.asarray(sbs, float))
    with np.errstate(invalid="ignore", over="ignore"):
        same = np.abs(sbs - cost) <= EQUAL * np.abs(sbs)
    return np.where(same & np.isfinite(cost) & np.isfinite(sbs), sbs, cost)


def incomplete(
    values: ArrayLike, *, maximize: ArrayLike = False, best_known: ArrayLike | None = None
) -> Floats:
    """(1 + best) / (1 + cost), the incomplete track of the MaxSAT Evaluation.

    best_known: (n_instances,) counts alongside the values of these runs; nan = unknown. Where more is
    better, (1 + value) / (1 + best). Also used with PARk as the cost.

    Source: Amadini et al. 2023, section 2.2; MaxSAT Evaluation 2018 and 2020, rules.
    """
    return _ratio(values, shift=1.0, maximize=maximize, best_known=best_known)


def satisficing(
    values: ArrayLike, *, maximize: ArrayLike = False, best_known: ArrayLike | None = None
) -> Floats:
    """Best / cost, the satisficing track of the International Planning Competition.

    best_known: (n_instances,) the reference plan, as in ``incomplete``. Where more is better, value / best.
    Edge cases: 0/0 is 1; a best of 0 leaves 0 for all others.

    Source: Amadini et al. 2023, section 2.3; IPC 2008 and 2018, rules.
    """
    return _ratio(values, shift=0.0, maximize=maximize, best_known=best_known)


def scaled_score(
    values: ArrayLike,
    *,
    proven: ArrayLike,
    alpha: float = 0.25,
    beta: float = 0.75,
    maximize: ArrayLike = False,
) -> Floats:
    """1 if optimality is proven, 0 without a solution, else in [alpha, beta].

    proven: (n_instances, n_solvers) bool. The best objective that any solver found scores beta, the worst
    alpha, linear between them.

    Edge cases: where all values found are equal, each scores beta.

    Source: Amadini et al. 2023, section 2.3; Amadini, Gabbrielli and Mauro 2016.
    """
    if not 0 <= alpha <= beta <= 1:
        raise AslibError(f"0 <= alpha <= beta <= 1 does not hold: {alpha}, {beta}")
    table, sign = _oriented(values, maximize)
    costs = sign * table
    best = np.where(np.isnan(costs), np.inf, costs).min(axis=1, keepdims=True)
    worst = np.where(np.isnan(costs), -np.inf, costs).max(axis=1, keepdims=True)
    place = rescale(costs, zero=worst, one=best)
    level = np.where(place.status == ScaleStatus.NO_SCALE, 1.0, place.values)
    found = np.where(np.isnan(costs), 0.0, alpha + (beta - alpha) * level)
    return np.where(np.asarray(proven, bool), 1.0, found)


def _oriented(values: ArrayLike, maximize: ArrayLike) -> tuple[Floats, Floats]:
    """The table, and -1 (more is better) or 1 as a column that broadcasts."""
    table = np.asarray(values, float)
    if table.ndim != TABLE or table.shape[1] == 0:
        raise AslibError(f"values must be instances x solvers, not {table.shape}")
    if np.isinf(table).any():
        raise AslibError("a value is infinite", hint="nan says: no solution")
    return table, np.where(np.atleast_1d(maximize), -1.0, 1.0)[:, None]


def _ratio(values: ArrayLike, *, shift: float, maximize: ArrayLike, best_known: ArrayLike | None) -> Floats:
    """(shift + better) / (shift + worse) of each value and the best one."""
    table, sign = _oriented(values, maximize)
    if (table < 0).any():
        raise AslibError("a ratio of objectives needs values of at least 0")
    given = np.full(len(table), np.nan) if best_known is None else best_known
    costs = sign * np.column_stack([table, np.broadcast_to(given, len(table))])
    best = np.where(np.isnan(costs), np.inf, costs).min(axis=1, keepdims=True)
    own, top = table + shift, np.where(np.isinf(best), 0.0, np.abs(best)) + shift
    less, more = np.minimum(own, top), np.maximum(own, top)
    ratio = np.divide(less, more, out=np.ones_like(less), where=more != 0)
    return np.where(np.isnan(table), 0.0, ratio)


def vbs_without(costs: ArrayLike, *, empty: ArrayLike) -> Floats:
    """Mean cost of VBS of the portfolio without each solver: (n_solvers,) [cost].

    empty: cost of the portfolio without any solver, one number or one an instance; for PARk, k cutoffs.
    Only needed where there is one solver.

    Edge cases: without either of two solvers that tie for best, VBS costs the same.
    """
    table = _table(costs)
    return np.asarray(table.min(axis=1).mean() + _increase(table, empty))


def amc(costs: ArrayLike, *, empty: ArrayLike) -> Floats:
    """Absolute marginal contribution log10(VBS without s / VBS): (n_solvers,).

    At least 0, higher is better.

    Edge cases: 0 for a solver without which VBS costs the same; infinite where VBS costs 0 only with it.

    Source: Amadini et al. 2023, section 2.2; Luo, Vallati and Hoos 2018.
    """
    table = _table(costs)
    increase = _increase(table, empty)
    vbs = table.min(axis=1).mean()
    ratio = np.full_like(increase, np.inf)
    np.divide(increase, vbs, out=ratio, where=vbs > 0)
    return np.where(increase > 0, np.log1p(ratio) / np.log(10), 0.0)


def rmc(amc_of: ArrayLike) -> Scaled:
    """Relative marginal contribution: each AMC as a share of their sum.

    amc_of: (n_solvers,) from ``amc``. The shares sum to 1; higher is better.

    Edge cases: no scale where every AMC is 0.

    Source: Amadini et al. 2023, section 2.2; Luo, Vallati and Hoos 2018.
    """
    contributions = np.asarray(amc_of, float)
    return rescale(contributions, zero=0.0, one=contributions.sum())


def shapley(costs: ArrayLike, *, empty: ArrayLike) -> Floats:
    """Shapley value of each solver in the portfolio game: (n_solvers,) [cost].

    A portfolio is worth what it saves, the mean over instances of the empty portfolio's cost minus that of
    its best solver. ``empty``: one number or one an instance; k cutoffs for PARk; 1 for the coverage game,
    where a cost is 0 if solved and else 1. Higher is better; the values sum to what the complete portfolio
    saves.

    Exact, without subsets: on an instance whose costs are, sorted, c1 <= … <= cm, and c(m+1) the empty
    portfolio's, the l best share the step from cl to c(l+1) equally. O(n_instances · n_solvers log
    n_solvers). Solvers of equal cost get equal shares.

    Source: Fréchette et al. 2016, Using the Shapley value to analyze algorithm portfolios; the sum over
    steps is that of the airport game.
    """
    table = _table(costs)
    n_instances, n_solvers = table.shape
    order = table.argsort(axis=1, kind="stable")
    last = np.broadcast_to(np.asarray(empty, float), (n_instances,))[:, None]
    ascending = np.hstack([np.take_along_axis(table, order, axis=1), last])
    steps = np.diff(ascending, axis=1) / np.arange(1, n_solvers + 1)
    values = np.cumsum(steps[:, ::-1], axis=1)[:, ::-1]
    sums = np.bincount(order.ravel(), weights=values.ravel(), minlength=n_solvers)
    return np.asarray(sums / n_instances)


def _table(costs: ArrayLike) -> Floats:
    table = np.asarray(costs, float)
    if table.ndim != TABLE or 0 in table.shape:
        raise AslibError(f"costs must be instances x solvers, not {table.shape}")
    if not np.isfinite(table).all():
        raise AslibError("every solver needs a finite cost on every instance")
    return table


def _increase(table: Floats, empty: ArrayLike) -> Floats:
    n_instances, n_solvers = table.shape
    if n_solvers == 1:
        return np.atleast_1d(np.mean(np.asarray(empty, float) - table[:, 0]))
    best, second = np.partition(table, 1, axis=1)[:, :2].T
    winner = table.argmin(axis=1)
    return np.asarray(np.bincount(winner, weights=second - best, minlength=n_solvers) / n_instances)


# Anytime scores of trajectories.


@dataclass(frozen=True, eq=False)
class Trajectories:
    """The trajectory points of many runs, concatenated run after run.

    offsets: (n_runs + 1,) run r has the points from offsets[r] up to offsets[r + 1];
        a run without a solution has none.
    elapsed: (n_points,) time since the run began, ascending within a run [time]. values: (n_points,)
    objective of the solution, not necessarily better than the last. maximize: whether more is better, for
    all or (n_runs,) one each.
    """

    offsets: NDArray[np.int64]
    elapsed: Floats
    values: Floats
    maximize: bool | NDArray[np.bool_] = False

    @property
    def n_runs(self) -> int:
        """Runs, with and without a solution."""
        return len(self.offsets) - 1

    @property
    def counts(self) -> NDArray[np.int64]:
        """(n_runs,) points of each run."""
        return np.diff(self.offsets)

    @cached_property
    def run_of(self) -> NDArray[np.int64]:
        """(n_points,) the run of each point."""
        return np.repeat(np.arange(self.n_runs), self.counts)

    @cached_property
    def signs(self) -> Floats:
        """(n_runs,) -1 where more is better, else 1."""
        return np.broadcast_to(np.where(np.asarray(self.maximize), -1.0, 1.0), (self.n_runs,))

    @cached_property
    def best(self) -> Floats:
        """(n_points,) the best value of the run so far."""
        signs = self.signs[self.run_of]
        levels, rank = np.unique(signs * self.values, return_inverse=True)
        # Each run's keys lie below those of the run before: a running minimum over all points cannot carry
        # a value from one run into the next.
        below = self.run_of * len(levels)
        return signs * levels[np.minimum.accumulate(rank - below) + below]


def value_at(runs: Trajectories, *, at: float) -> Floats:
    """Best objective that each run had found by a moment: (n_runs,), nan if none."""
    so_far = np.concatenate([[0], np.cumsum(runs.elapsed <= at)])
    counts = np.diff(so_far[runs.offsets])
    last = runs.offsets[:-1] + counts - 1
    found = np.full(runs.n_runs, np.nan)
    found[counts > 0] = runs.best[last[counts > 0]]
    return found


def anytime_area(runs: Trajectories, *, horizon: float, zero: ArrayLike, one: ArrayLike) -> Scaled:
    """Mean over time of the best solution's quality, from 0 to 1: higher is better.

    horizon: the area ends here [time]; later solutions do not count.
    zero, one: (n_runs,) or one for all: the objective that is worth 0 (as is having no solution) and the
        one worth 1; values beyond them are clipped.

    Edge cases: no solution is 0; no scale where zero = one and there was a solution.

    Source: Amadini et al. 2023, section 2.3 (the integral of a step function).
    """
    ends = np.broadcast_to(np.asarray(zero, float), (runs.n_runs,))
    tops = np.broadcast_to(np.asarray(one, float), (runs.n_runs,))
    quality = rescale(runs.best, zero=ends[runs.run_of], one=tops[runs.run_of])
    spans = _spans(runs, np.full(runs.n_runs, horizon)) / horizon
    worth = np.clip(quality.values, 0.0, 1.0) * spans
    area = np.bincount(runs.run_of, weights=worth, minlength=runs.n_runs)
    status = np.zeros(runs.n_runs, dtype=np.int8)
    np.maximum.at(status, runs.run_of, quality.status)
    return Scaled(np.where(status > 0, np.nan, area), status)


def minizinc_area(runs: Trajectories, *, instances: ArrayLike, used: ArrayLike) -> Floats:
    """Area score of the MiniZinc Challenge: (n_runs,) [time], lower is better.

    A quarter of the time to the first solution, half the integral of the objective's position between the
    best and the worst first one, a quarter of the time used.

    instances: (n_runs,) code of the instance of each run, 0 and up; the bounds are taken over the runs of
        an instance: UB = worst first, LB = best last objective.
    used: (n_runs,) time until the run ended, the limit if it was cut off [time].

    The position is (value - LB) / (UB - LB + 1), the 1 being one unit of the objective; it is 1 before the
    first solution. So a run without any scores the time used, just as on a problem of satisfaction.

    Source: MiniZinc Challenge 2020, rules, "Area Scoring Procedure", which leave the value before the first
    solution and the subtraction of LB open.
    """
    ends = np.broadcast_to(np.asarray(used, float), (runs.n_runs,))
    some = runs.counts > 0
    first, last = runs.offsets[:-1][some], runs.offsets[1:][some] - 1
    if (runs.elapsed[last] > ends[some]).any():
        raise AslibError("a solution came after the time used")
    position = _positions(runs.best * runs.signs[runs.run_of], first, last, np.asarray(instances)[some])
    before = ends.copy()
    before[some] = runs.elapsed[first]
    area = np.bincount(runs.run_of, weights=position * _spans(runs, ends), minlength=runs.n_runs)
    return np.asarray(0.25 * before + 0.5 * (before + area) + 0.25 * ends)


def _positions(
    costs: Floats, first: NDArray[np.int64], last: NDArray[np.int64], instances: NDArray[np.int64]
) -> Floats:
    """Position of each point between its instance's bounds, the span widened by 1."""
    size = int(instances.max(initial=-1)) + 1
    worst, best = np.full(size, -np.inf), np.full(size, np.inf)
    np.maximum.at(worst, instances, costs[first])
    np.minimum.at(best, instances, costs[last])
    of_point = np.repeat(instances, last - first + 1)
    return np.asarray((costs - best[of_point]) / (worst[of_point] - best[of_point] + 1))


def _spans(runs: Trajectories, ends: Floats) -> Floats:
    stop = np.empty_like(runs.elapsed)
    stop[:-1] = runs.elapsed[1:]
    some = runs.counts > 0
    stop[runs.offsets[1:][some] - 1] = np.inf
    limit = ends[runs.run_of]
    return np.asarray(np.minimum(stop, limit) - np.minimum(runs.elapsed, limit))
