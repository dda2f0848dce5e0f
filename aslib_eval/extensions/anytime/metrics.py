"""Schedules executed on recorded runs, and curves of the gap over time, from arrays.

A schedule is executed on trajectories of its algorithms running alone. The result is a trajectory too, so
every score of a run is also a score of a schedule. The gap of a run at a moment is the remaining share of
the way from a trivial solution to the best known one: from 0 to 1, and 1 before the first solution.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from aslib_eval.errors import AslibError
from aslib_eval.metrics.scale import Floats, Trajectories


class Step(NamedTuple):
    """A step of a schedule.

    run: number of the recorded run of its algorithm; None for a feature step, and for an algorithm without
        a run, which finds nothing.
    budget: the longest time, inf = up to the cutoff; a feature step's cost [time]. feature: whether it
        computes features.
    answer: the objective that a feature step reaches by solving the instance (nan = not known); None if it
        does not solve it.
    """

    run: int | None
    budget: float = math.inf
    feature: bool = False
    answer: float | None = None


@dataclass(frozen=True)
class Manner:
    """How schedules are executed; as the columns of a protocol of the same names.

    execution: ``sequential``, step after step; ``parallel``, after all feature steps each algorithm of the
        schedule on its own core, without budgets; or ``one_core``, the same with k algorithms at 1/k of
        their speed.
    incumbent, in sequence: ``own``, an algorithm ignores earlier solutions; or ``shared``, it begins at the
        last solution of its own run that is no better.
    second_run, in sequence: the second step of an algorithm begins anew (``restart``) or where it stopped
        (``resume``).
    """

    execution: str = "sequential"
    incumbent: str = "own"
    second_run: str = "restart"


@dataclass(frozen=True, eq=False)
class Recorded:
    """Runs with their trajectories; proofs: (n_runs,), inf without one [time]; cutoff: the end [time]."""

    runs: Trajectories
    proofs: Floats
    cutoff: float

    def __post_init__(self) -> None:
        if np.shape(self.proofs) != (self.runs.n_runs,) or not 0 < self.cutoff < math.inf:
            what = "executing schedules requires a finite cutoff above 0 and a proof time for each run"
            raise AslibError(what)

    @cached_property
    def improvements(self) -> list[tuple[Floats, Floats]]:
        """Times and costs of each run's improving solutions up to the cutoff."""
        runs = self.runs
        costs = runs.best * runs.signs[runs.run_of]
        better = np.ones(len(costs), dtype=bool)
        better[1:] = (costs[1:] < costs[:-1]) | (np.diff(runs.run_of) > 0)
        better &= runs.elapsed <= self.cutoff
        ends = np.searchsorted(np.flatnonzero(better), runs.offsets)
        times, costs = runs.elapsed[better], costs[better]
        return [(times[a:b], costs[a:b]) for a, b in pairwise(ends)]


class _Point(NamedTuple):
    """A solution, or with a cost of None only a proof."""

    at: float
    cost: float | None
    proof: bool = False


def execute(
    recorded: Recorded, schedules: Sequence[Sequence[Step]], manner: Manner | None = None
) -> Recorded:
    """Execute schedules, one run of the result each: its improving solutions and proof.

    Sequential: an algorithm runs on its own clock until its budget or the cutoff; a solution at this moment
    counts. A proof within the budget ends the schedule with the best solution so far. A feature step takes
    its cost, and ends the schedule if it solves the instance.

    ``shared``: the clock of an algorithm moves forward to the last improving solution of its own run that
    is no better than the incumbent; the next one still takes its recorded time. If all solutions of the run
    are worse, it moves to the last of them. Recorded runs cannot show whether a bound speeds up a solver;
    this assumes that a bound saves all the time in which the solver found nothing better.

    Edge cases: an algorithm twice in a parallel schedule counts once; a schedule without steps finds
    nothing; one that ends before the cutoff keeps its solution.

    Source: Amadini et al. 2023, section 2.3 (schedules need obj(i, s, t) for t < τ); Malitsky et al. 2013
        for solvers that share solutions.
    """
    how = manner or Manner()
    if np.ndim(recorded.runs.maximize):
        raise AslibError("schedules require runs of one direction")
    sign = -1.0 if recorded.runs.maximize else 1.0
    walk = _in_sequence if how.execution == "sequential" else _side_by_side
    found = [list(_kept(walk(recorded, schedule, how, sign), recorded.cutoff)) for schedule in schedules]
    points = [[p for p in each if p.cost is not None] for each in found]
    counts = np.array([len(each) for each in points], dtype=np.int64)
    flat = np.array([p[:2] for each in points for p in each], float).reshape(-1, 2)
    runs = Trajectories(
        offsets=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        elapsed=flat[:, 0],
        values=sign * flat[:, 1],
        maximize=recorded.runs.maximize,
    )
    proofs = [next((p.at for p in each if p.proof), math.inf) for each in found]
    return Recorded(runs, np.array(proofs, float), recorded.cutoff)


def _kept(points: Iterator[_Point], cutoff: float) -> Iterator[_Point]:
    best = math.inf
    for point in points:
        if point.at > cutoff:
            return
        better = point.cost is not None and point.cost < best
        if better or point.proof:
            yield point if better else point._replace(cost=None)
        if better and point.cost is not None:
            best = point.cost
        if point.proof:
            return


def _in_sequence(
    recorded: Recorded, schedule: Sequence[Step], how: Manner, sign: float
) -> Iterator[_Point]:
    """The solutions and proof of steps one after another, in the order of time."""
    now, best = 0.0, math.inf
    stopped: dict[int, float] = {}
    for step in schedule:
        if now >= recorded.cutoff:
            return
        if step.run is None:
            now += step.budget
            if step.answer is not None:
                yield _answer(now, step.answer, sign)
                return
            continue
        times, costs = recorded.improvements[step.run]
        clock = stopped.get(step.run, 0.0) if how.second_run == "resume" else 0.0
        if how.incumbent == "shared":
            clock = max(clock, _no_better(times, costs, best))
        lasts = min(step.budget, recorded.cutoff - now)
        proof = recorded.proofs[step.run]
        ends = proof <= clock + lasts
        first = np.searchsorted(times, clock)
        last = np.searchsorted(times, min(clock + lasts, proof), side="right")
        for at, cost in zip(times[first:last], costs[first:last], strict=True):
            best = min(best, float(cost))
            yield _Point(now + float(at) - clock, float(cost))
        if ends:
            yield _Point(now + max(float(proof) - clock, 0.0), None, proof=True)
            return
        stopped[step.run] = clock + lasts
        now += lasts


def _no_better(times: Floats, costs: Floats, incumbent: float) -> float:
    """Time of the last improving solution that costs the incumbent or more, else 0."""
    if math.isinf(incumbent):
        return 0.0
    n = int(np.searchsorted(-costs, -incumbent, side="right"))
    return float(times[n - 1]) if n else 0.0


def _side_by_side(
    recorded: Recorded, schedule: Sequence[Step], how: Manner, sign: float
) -> Iterator[_Point]:
    """The solutions and proofs of all algorithms at once, after the feature steps, by time."""
    now = 0.0
    for step in (s for s in schedule if s.feature):
        now += step.budget
        if step.answer is not None:
            yield _answer(now, step.answer, sign)
            return
    algorithms = [s for s in schedule if not s.feature]
    distinct = list(dict.fromkeys(s.run for s in algorithms if s.run is not None))
    # An algorithm without a run takes its share of the core too.
    k = len(distinct) + sum(s.run is None for s in algorithms)
    slower = float(k) if how.execution == "one_core" else 1.0
    found = [
        _Point(now + slower * float(at), float(cost))
        for run in distinct
        for at, cost in zip(*recorded.improvements[run], strict=True)
    ]
    found += [_Point(now + slower * float(recorded.proofs[run]), None, proof=True) for run in distinct]
    # A solution comes before the proof of the same moment.
    yield from sorted(found, key=lambda point: (point.at, point.proof))


def _answer(at: float, value: float, sign: float) -> _Point:
    return _Point(at, None if math.isnan(value) else sign * value, proof=True)


# A step function: ascending moments from 0, and the level from each on.
Curve = tuple[Floats, Floats]
Codes = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class GapScale:
    """Costs of each instance at a gap of 1 (worst) and 0 (best): (n_instances,); inf without a solution."""

    worst: Floats
    best: Floats

    def gaps(self, costs: Floats, instances: Codes) -> Floats:
        """Gaps of costs on instances: (n_points,) each; 0 for the best cost if worst and best are equal."""
        best, worst = self.best[instances], self.worst[instances]
        over, span = costs - best, worst - best
        left = np.divide(over, span, out=(over > 0).astype(float), where=span > 0)
        return np.asarray(np.clip(left, 0.0, 1.0))


def gap_scale(runs: Trajectories, *, instances: Codes, trivial: Floats, best: Floats) -> GapScale:
    """The scale of each instance, from its runs and known objectives.

    instances: (n_runs,) code of the instance of each run. trivial: (n_instances,) objective of a trivial
    solution, else the worst first one of any run. best: (n_instances,) a known objective; the best of any
    run counts if it is better. nan = not known.
    """
    sign, code = _sign(runs), instances[runs.run_of]
    costs = sign * runs.best
    worst, least = np.full(len(best), -np.inf), np.full(len(best), np.inf)
    np.maximum.at(worst, code, costs)
    np.minimum.at(least, code, costs)
    return GapScale(np.where(np.isnan(trivial), worst, sign * trivial), np.fmin(least, sign * best))


@dataclass(frozen=True)
class Ends:
    """Known objectives of instances: of a trivial solution, and of the best one."""

    trivial: Mapping[str, float]
    best: Mapping[str, float]

    @classmethod
    def of(cls, rows: Sequence[tuple[Any, ...]]) -> Ends:
        """The ends in rows of instance, role and value; an optimum replaces a best known value."""
        trivial, best, optimum = (
            {instance: value for instance, of_role, value in rows if of_role == role}
            for role in ("trivial", "best_known", "optimum")
        )
        return cls(trivial, best | optimum)

    def scale(self, runs: Trajectories, instances: Codes, names: Sequence[str]) -> GapScale:
        """As ``gap_scale``; names: of the instances by their codes."""
        trivial, best = (
            np.array([known.get(name, np.nan) for name in names], float)
            for known in (self.trivial, self.best)
        )
        return gap_scale(runs, instances=instances, trivial=trivial, best=best)


def gap_points(runs: Trajectories, scale: GapScale, *, instances: Codes) -> Floats:
    """(n_points,) the gap from each solution on; instances: (n_runs,)."""
    return scale.gaps(_sign(runs) * runs.best, instances[runs.run_of])


def run_curves(runs: Trajectories, gaps: Floats, groups: Codes) -> list[Curve]:
    """The mean gap over the runs of each group, from 0 up to the largest code.

    gaps: (n_points,); groups: (n_runs,), none if negative. A group without runs is at 1.
    """
    lost = np.diff(gaps, prepend=1.0)
    first = runs.offsets[:-1][runs.counts > 0]
    lost[first] = gaps[first] - 1
    n = np.bincount(groups[groups >= 0], minlength=int(groups.max(initial=-1)) + 1)
    owner = groups[runs.run_of]
    order = np.argsort(owner, kind="stable")
    ends = np.searchsorted(owner[order], np.arange(len(n) + 1))
    parts = (order[a:b] for a, b in pairwise(ends))
    return [
        _summed(runs.elapsed[part], lost[part], int(count)) for part, count in zip(parts, n, strict=True)
    ]


def level_at(curve: Curve, at: Floats) -> Floats:
    """The level of a curve at each moment, which must not be negative."""
    moments, levels = curve
    return np.asarray(levels[np.searchsorted(moments, at, side="right") - 1])


def lowest(curves: Sequence[Curve]) -> Curve:
    """The lower envelope of curves: at every moment the least of their levels."""
    moments = np.unique(np.concatenate([moments for moments, _ in curves]))
    levels = np.min([level_at(curve, moments) for curve in curves], axis=0)
    new = np.append(True, np.diff(levels) != 0)
    return moments[new], levels[new]


def mean_curve(curves: Sequence[Curve]) -> Curve:
    """The mean of curves of gaps."""
    at = np.concatenate([moments for moments, _ in curves])
    lost = np.concatenate([np.diff(levels, prepend=1.0) for _, levels in curves])
    return _summed(at, lost, len(curves))


def curve_mean(curve: Curve, *, horizon: float) -> float:
    """The mean level of a curve from 0 to the horizon, which is above 0."""
    moments, levels = curve
    edges = np.minimum(np.append(moments, np.inf), horizon)
    return float((levels * np.diff(edges)).sum() / horizon)


def _summed(at: Floats, lost: Floats, n: int) -> Curve:
    """The changes summed in the order of time: the mean over n runs, 1 at first."""
    order = np.argsort(at, kind="stable")
    moments = np.append(0.0, at[order])
    # The mean of gaps between 0 and 1 is known to about 12 digits.
    total = 1 + np.append(0.0, np.cumsum(lost[order])) / max(n, 1)
    gaps = np.clip(np.round(total, 12), 0, 1)
    last = np.append(np.diff(moments) > 0, True)
    return moments[last], gaps[last]


def _sign(runs: Trajectories) -> float:
    """-1 where more is better, else 1; runs have one direction."""
    return -1.0 if np.asarray(runs.maximize).any() else 1.0
