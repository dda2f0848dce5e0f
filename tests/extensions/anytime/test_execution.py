"""Schedules on trajectories, and gaps over time: by hand, by a clock that ticks, and laws."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aslib_eval.errors import AslibError
from aslib_eval.extensions.anytime.metrics import (
    Curve,
    Manner,
    Recorded,
    Step,
    curve_mean,
    execute,
    gap_points,
    gap_scale,
    level_at,
    lowest,
    mean_curve,
    run_curves,
)
from aslib_eval.metrics.scale import anytime_area, value_at
from tests.metrics.test_anytime import POINTS, Points, trajectories
from tests.metrics.test_runs import laws

SHARED, RESUME = Manner(incumbent="shared"), Manner(second_run="resume")
BOTH_TOLD = Manner(incumbent="shared", second_run="resume")
PARALLEL, ONE_CORE = Manner(execution="parallel"), Manner(execution="one_core")
TOLD = [Manner(), SHARED, RESUME, BOTH_TOLD]
# A finds 9 and 5 early and 1 late, and proves it; B finds 7, 4 and 2; C finds nothing.
A: Points = [(1, 9), (2, 5), (8, 1)]
B: Points = [(1, 7), (3, 4), (4, 2)]
THREE = Recorded(trajectories(A, B, []), np.array([9.0, inf, inf]), 12.0)


def found(
    schedule: Sequence[Step], manner: Manner | None = None, of: Recorded = THREE
) -> tuple[list[tuple[float, float]], float]:
    """The solutions of one schedule, and its proof."""
    made = execute(of, [schedule], manner)
    pairs = zip(made.runs.elapsed.tolist(), made.runs.values.tolist(), strict=True)
    return list(pairs), float(made.proofs[0])


def test_one_step_of_full_length_is_the_algorithm() -> None:
    for manner in [*TOLD, PARALLEL, ONE_CORE]:
        assert found([Step(0)], manner) == (A, 9)
        assert found([Step(1)], manner) == (B, inf)
        assert found([Step(2)], manner) == ([], inf)


def test_a_switch_begins_afresh_and_keeps_the_best() -> None:
    # B's 7 at 3 + 1 is no better than A's 5; its 4 and 2 come at 6 and 7.
    assert found([Step(0, 3), Step(1)]) == ([(1, 9), (2, 5), (6, 4), (7, 2)], inf)


def test_a_solution_at_the_very_end_of_a_budget_counts() -> None:
    assert found([Step(0, 2)])[0] == [(1, 9), (2, 5)]
    assert found([Step(0, 1.9)])[0] == [(1, 9)]


def test_a_shared_incumbent_sets_the_clock_forward() -> None:
    # The incumbent is 5: B goes on from its 7, which it had after 1, so that its 4 and 2 come after 2 and 3
    # instead of 3 and 4.
    told = [(1, 9), (2, 5), (5, 4), (6, 2)]
    assert found([Step(0, 3), Step(1)], SHARED) == (told, inf)


def test_a_run_that_is_never_as_good_goes_on_from_its_last_solution() -> None:
    # B's 2 comes at 4; A, told of it, is at its 5: 6 more for its 1, and 1 to prove it.
    points, proof = found([Step(1, 4), Step(0)], SHARED)
    assert (points, proof) == ([*B, (10, 1)], 11)
    # Nothing of B is as good as A's 1 when it is told of it, so nothing comes of B.
    assert found([Step(0, 8), Step(1)], SHARED) == (A, inf)


def test_a_second_step_begins_anew_or_goes_on() -> None:
    turns = [Step(0, 4), Step(1, 2), Step(0)]
    assert found(turns) == (A[:2], inf)  # A needs 8 again: to 14
    # It needs 4 more for 1, and another for the proof.
    assert found(turns, RESUME) == ([*A[:2], (10, 1)], 11)
    # B, told of 5, has 4 in time; A goes on from 4, where it stopped, or told but begun anew from 2, where
    # it was at its 5.
    assert found(turns, BOTH_TOLD) == ([*A[:2], (6, 4), (10, 1)], 11)
    assert found(turns, SHARED) == ([*A[:2], (6, 4), (12, 1)], inf)


def test_a_proof_ends_the_schedule() -> None:
    early = Recorded(trajectories([(1, 9)], B), np.array([2.0, inf]), 12.0)
    assert found([Step(0, 5), Step(1)], of=early) == ([(1, 9)], 2)
    assert found([Step(0), Step(1)], PARALLEL, early) == ([(1, 9), (1, 7)], 2)
    # At half its speed A has 9 at 2 and its proof at 4; B has 7 at 2 and no more.
    assert found([Step(0), Step(1)], ONE_CORE, early) == ([(2, 9), (2, 7)], 4)


def test_side_by_side_each_moment_has_the_best_of_all() -> None:
    steps = [Step(1, 1), Step(0, 1), Step(2)]  # budgets do not count
    assert found(steps, PARALLEL) == ([(1, 7), (2, 5), (3, 4), (4, 2), (8, 1)], 9)
    # At a third of the speed there are 3, 6, 9 and 12; what comes later does not count.
    assert found(steps, ONE_CORE) == ([(3, 7), (6, 5), (9, 4), (12, 2)], inf)
    assert found([Step(1), Step(1)], ONE_CORE) == (B, inf)  # one algorithm


def test_features_are_paid_and_may_solve_the_instance() -> None:
    paid = [Step(None, 0.5, feature=True)]
    for manner in (Manner(), PARALLEL):
        assert found([*paid, Step(1)], manner)[0] == [(1.5, 7), (3.5, 4), (4.5, 2)]
    solves = [*paid, Step(None, 1, feature=True, answer=1.0), Step(0)]
    unknown = [*paid, Step(None, 1, feature=True, answer=nan), Step(0)]
    for manner in (Manner(), ONE_CORE):
        assert found(solves, manner) == ([(1.5, 1)], 1.5)
        assert found(unknown, manner) == ([], 1.5)
    # In parallel the features come first even where the schedule has a run before.
    assert found([Step(1, 2), *paid], PARALLEL)[0] == [(1.5, 7), (3.5, 4), (4.5, 2)]


def test_schedules_that_end_early_or_hold_nothing() -> None:
    assert found([]) == ([], inf)
    assert found([Step(0, 1)]) == ([(1, 9)], inf)  # and keeps it to the end
    assert found([Step(None, 4), Step(1, 3)])[0] == [(5, 7), (7, 4)]  # no such run
    assert found([Step(2, 12), Step(0)]) == ([], inf)  # no time is left
    nobody = Recorded(trajectories([], []), np.array([inf, 3.0]), 12.0)
    assert found([Step(0, 5), Step(1)], of=nobody) == ([], 8)  # proved infeasible
    assert found([Step(0, 5), Step(1)], SHARED, nobody) == ([], 8)


def test_more_may_be_better() -> None:
    up = Recorded(
        trajectories([(1, 3), (2, 5)], [(1, 4), (3, 9)], maximize=True), np.array([inf, inf]), 10.0
    )
    assert found([Step(0, 2), Step(1)], of=up)[0] == [(1, 3), (2, 5), (5, 9)]
    assert found([Step(0, 2), Step(1)], SHARED, up)[0] == [(1, 3), (2, 5), (4, 9)]


def test_what_cannot_be_executed() -> None:
    runs = trajectories(A)
    for proofs, cutoff in (([inf], 0.0), ([inf], inf), ([inf, inf], 1.0)):
        with pytest.raises(AslibError, match="a proof time for each run"):
            Recorded(runs, np.array(proofs), cutoff)
    mixed = Recorded(trajectories(A, maximize=[True]), np.array([inf]), 1.0)
    with pytest.raises(AslibError, match="one direction"):
        execute(mixed, [[Step(0)]])


# --- a clock that ticks, in plain Python ---------------------------------------------


def ticked(
    runs: Sequence[Points], proofs: Sequence[float], schedule: Sequence[Step], manner: Manner, cutoff: int
) -> tuple[list[float], float]:
    """The best cost at 0, 1, ... up to the cutoff, and when it was proved.

    Everything happens at whole moments; costs are to be minimised.
    """
    clock = Clock(runs, proofs, manner, list(schedule), cutoff)
    tick = clock.in_turn if manner.execution == "sequential" else clock.at_once
    seen = []
    for now in range(cutoff + 1):
        if clock.proof == inf:
            tick(now)
        seen.append(clock.best)
    return seen, clock.proof


@dataclass
class Clock:
    runs: Sequence[Points]
    proofs: Sequence[float]
    manner: Manner
    waiting: list[Step]
    cutoff: int
    best: float = inf
    proof: float = inf
    step: Step | None = None
    began: int = 0
    ahead: float = 0.0  # what the algorithm's own clock said when its step began
    stopped: dict[int, float] = field(default_factory=dict)

    def look(self, run: int, own: float, now: int) -> None:
        self.best = min([self.best, *(v for t, v in self.runs[run] if t <= own)])
        if self.proofs[run] <= own:
            self.proof = now

    def in_turn(self, now: int) -> None:
        while self.proof == inf:
            if self.step is None:
                if not self.waiting or now >= self.cutoff:
                    return
                self.step, self.began = self.waiting.pop(0), now
                self.ahead = self.begins(self.step.run)
            used, step = now - self.began, self.step
            if step.run is not None:
                self.look(step.run, self.ahead + used, now)
                self.stopped[step.run] = self.ahead + used
            if used < step.budget:
                return
            self.answered(step, now)
            self.step = None

    def at_once(self, now: int) -> None:
        for step in [step for step in self.waiting if step.feature]:
            now_paid = self.began + step.budget
            if now < now_paid:
                return
            self.began = int(now_paid)
            self.waiting.remove(step)
            self.answered(step, now)
            if self.proof < inf:
                return
        runs = {step.run for step in self.waiting if step.run is not None}
        slower = len(runs) if self.manner.execution == "one_core" else 1
        for run in runs:
            self.look(run, (now - self.began) / slower, now)

    def answered(self, step: Step, now: int) -> None:
        if step.answer is not None:
            self.best, self.proof = min(self.best, step.answer), now

    def begins(self, run: int | None) -> float:
        own = 0.0
        if run is not None and self.manner.second_run == "resume":
            own = self.stopped.get(run, 0.0)
        if run is not None and self.manner.incumbent == "shared" and self.best < inf:
            least = inf
            for t, v in self.runs[run]:
                if self.best <= v < least:
                    own = max(own, t)
                least = min(least, v)
        return own


RUN = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=5).map(
    lambda run: sorted(run, key=lambda point: point[0])
)
RUNS = st.lists(RUN, min_size=3, max_size=3)
PROOFS = st.lists(st.sampled_from([inf, 2.0, 7.0, 9.0]), min_size=3, max_size=3)
ALGORITHM = st.tuples(st.integers(0, 2), st.sampled_from([0.0, 1.0, 2.0, 3.0, 5.0, inf])).map(
    lambda pair: Step(*pair)
)
FEATURE = st.tuples(st.sampled_from([0.0, 1.0, 2.0, 20.0]), st.sampled_from([None, None, 3.0])).map(
    lambda pair: Step(None, pair[0], feature=True, answer=pair[1])
)
SCHEDULE = st.lists(st.one_of(ALGORITHM, ALGORITHM, FEATURE), max_size=5)
MANNERS = st.sampled_from([*TOLD, PARALLEL, ONE_CORE])
CUTOFF = 12
MOMENTS = range(CUTOFF + 1)


def values(of: Recorded) -> list[list[float]]:
    """The cost of each run at every whole moment, inf before its first solution."""
    at = np.stack([value_at(of.runs, at=moment) for moment in MOMENTS], axis=1)
    found: list[list[float]] = np.where(np.isnan(at), inf, at).tolist()
    return found


@laws
@given(RUNS, PROOFS, SCHEDULE, MANNERS)
def test_a_schedule_as_a_clock_that_ticks_carries_it_out(
    runs: list[Points], proofs: list[float], schedule: list[Step], manner: Manner
) -> None:
    recorded = Recorded(trajectories(*runs), np.array(proofs), float(CUTOFF))
    made = execute(recorded, [schedule], manner)
    seen, proof = ticked(runs, proofs, schedule, manner, CUTOFF)
    assert (values(made)[0], made.proofs[0]) == (seen, proof)


# --- laws ----------------------------------------------------------------------------


@laws
@given(RUNS, PROOFS, SCHEDULE)
def test_order_of_the_manners(runs: list[Points], proofs: list[float], schedule: list[Step]) -> None:
    recorded = Recorded(trajectories(*runs), np.full(3, inf), float(CUTOFF))
    alone = np.array(values(recorded))
    free = [step for step in schedule if not step.feature]
    own, shared, resumed, _, at_once, one_core = (
        np.array(values(execute(recorded, [free], manner))[0]) for manner in [*TOLD, PARALLEL, ONE_CORE]
    )
    used = sorted({step.run for step in free if step.run is not None})
    assert (alone.min(axis=0) <= np.minimum(own, resumed)).all()  # VBS(t)
    # Side by side on cores enough nothing is later, and nothing else is found.
    assert (at_once <= np.minimum(np.minimum(own, resumed), one_core)).all()
    assert at_once.tolist() == alone[used].min(axis=0, initial=inf).tolist()
    # To be told, or to go on, never makes a solution worse or later.
    assert (shared <= own).all()
    assert (resumed <= own).all()
    # A proof only ends a schedule: what is found by then is the same.
    ended = Recorded(recorded.runs, np.array(proofs), float(CUTOFF))
    proved = execute(ended, [free])
    until = np.array(MOMENTS) <= proved.proofs[0]
    assert np.array(values(proved)[0])[until].tolist() == own[until].tolist()


def test_many_schedules_at_once_are_each_alone() -> None:
    schedules = [[Step(0, 3), Step(1)], [], [Step(2)], [Step(1, 1), Step(0)]]
    made = execute(THREE, schedules)
    ends = zip(made.runs.offsets[:-1], made.runs.offsets[1:], strict=True)
    parts = [list(zip(made.runs.elapsed[a:b], made.runs.values[a:b], strict=True)) for a, b in ends]
    assert parts == [found(schedule)[0] for schedule in schedules]


# --- gaps over time

NOT_KNOWN = np.full(3, nan)


def steps(*pairs_of: tuple[float, float]) -> Curve:
    return np.array([at for at, _ in pairs_of]), np.array([y for _, y in pairs_of])


def pairs_of(curve: Curve) -> list[tuple[float, float]]:
    return list(zip(*(part.tolist() for part in curve), strict=True))


def test_scale_and_gaps_by_hand() -> None:
    # Instance 0 lies between 30 and 10, or what is known; on 1 there is one solution, and on 2 none at all.
    runs = trajectories([(1, 30), (4, 10)], [(2, 20)], [(1, 7)], [])
    of = np.array([0, 0, 1, 2])
    scale = gap_scale(runs, instances=of, trivial=NOT_KNOWN, best=NOT_KNOWN)
    assert (scale.worst.tolist(), scale.best.tolist()) == ([30, 7, -inf], [10, 7, inf])
    assert gap_points(runs, scale, instances=of).tolist() == [1, 0, 0.5, 0]
    wider = gap_scale(
        runs,
        instances=of,
        trivial=np.array([50, nan, nan]),
        best=np.array([0, 9, nan]),  # 9 is worse than what was found
    )
    assert gap_points(runs, wider, instances=of).tolist() == [0.6, 0.2, 0.4, 0]
    assert wider.best.tolist() == [0, 7, inf]
    # What is worse than the trivial solution is as bad as that.
    near = gap_scale(runs, instances=of, trivial=np.full(3, 20.0), best=NOT_KNOWN)
    assert gap_points(runs, near, instances=of)[0] == 1


def test_gaps_of_a_maximised_objective() -> None:
    runs = trajectories([(1, 10), (4, 30)], [(2, 20)], maximize=True)
    of = np.array([0, 0])
    known = {"trivial": np.array([0.0]), "best": np.array([40.0])}
    scale = gap_scale(runs, instances=of, **known)
    assert gap_points(runs, scale, instances=of).tolist() == [0.75, 0.25, 0.5]


def test_curves_of_groups_of_runs() -> None:
    runs = trajectories([(1, 9), (3, 4)], [(2, 5)], [], [(0, 4)])
    gaps = np.array([1.0, 0.0, 0.5, 0.2])
    found = run_curves(runs, gaps, np.array([0, 0, 2, 3]))
    assert [pairs_of(curve) for curve in found] == [
        [(0, 1), (1, 1), (2, 0.75), (3, 0.25)],
        [(0, 1)],  # no run
        [(0, 1)],  # a run without a solution
        [(0, 0.2)],
    ]
    assert run_curves(runs, gaps, np.full(4, -1)) == []


def test_envelope_and_mean_of_curves() -> None:
    one, other = steps((0, 1), (2, 0.5), (6, 0)), steps((0, 1), (3, 0.25))
    assert pairs_of(lowest([one, other])) == [(0, 1), (2, 0.5), (3, 0.25), (6, 0)]
    mean = mean_curve([one, other])
    assert pairs_of(mean) == [(0, 1), (2, 0.75), (3, 0.375), (6, 0.125)]
    at = np.array([0, 1.9, 2, 2.5, 99])
    assert level_at(mean, at).tolist() == [1, 1, 0.75, 0.75, 0.125]
    # 1 for 2, 0.75 for 1, 0.375 for 1 of 4.
    assert curve_mean(mean, horizon=4) == pytest.approx((2 + 0.75 + 0.375) / 4)
    assert curve_mean(mean, horizon=1) == 1


@laws
@given(st.lists(POINTS, min_size=1, max_size=3))
def test_levels_and_means_by_their_definition(runs: list[Points]) -> None:
    runs = [sorted(run, key=lambda point: point[0]) for run in runs]
    found = trajectories(*runs)
    of = np.zeros(len(runs), dtype=np.int64)
    known = {"trivial": np.array([5.0]), "best": np.array([-5.0])}
    scale = gap_scale(found, instances=of, **known)
    curves = run_curves(found, gap_points(found, scale, instances=of), np.arange(len(runs)))
    for moment in (0, 3, 9):
        objective = value_at(found, at=moment)
        gaps = np.where(np.isnan(objective), 1, np.clip((objective + 5) / 10, 0, 1))
        levels = [float(level_at(curve, np.array(moment))) for curve in curves]
        assert levels == pytest.approx(gaps.tolist())
        both = float(level_at(lowest(curves), np.array(moment)))
        assert both == pytest.approx(float(gaps.min()))
    area = anytime_area(found, horizon=10, zero=5, one=-5)
    means = [curve_mean(curve, horizon=10) for curve in curves]
    assert means == pytest.approx((1 - area.values).tolist())
