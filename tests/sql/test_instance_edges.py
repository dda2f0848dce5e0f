"""Runs, repetitions, features and schedules at their edges: given rows → expected.

The cutoff is 100 and, unless said otherwise, the protocol is ``default``.
"""

from __future__ import annotations

import pytest

from aslib_eval.database.protocol import Protocol
from aslib_eval.database.sqlfiles import frame_file
from tests.conftest import Row
from tests.lab import (
    ACCURACY,
    OBJECTIVE,
    OUT,
    SELECTION,
    Cell,
    Given,
    fill,
    one,
    put,
    repeated,
    runs,
    table,
)

LENIENT = Protocol(protocol="lenient", at_cutoff="solved")
LEFT_OUT = {"failures": "left_out"}
SPLIT = "cv_scheme, cv_repetition, fold, instance_id"

# --- repetitions as one ---------------------------------------------------------------


def test_failed_repetitions_are_counted(given: Given) -> None:
    con = given(repeated(A=[10, OUT, "crash"], B=[1, 2, 3]))
    assert table(con, "instance_algorithm", "algorithm, n_failed, n_solving") == [("A", 2, 2), ("B", 0, 2)]


def test_without_cutoff_nobody_fails_and_no_instance_is_dropped(given: Given) -> None:
    con = given(runs(A=[7, OUT], B=[8, 9]), Protocol(unsolvable="drop"), cutoff="0")
    assert table(con, "instance_algorithm", "distinct n_failed, n_solving, time") == [(None, None, None)]
    reason = "no algorithm has a cost on every instance"
    assert one(con, "scenario_baseline", "n_instances, n_unsolvable, reason", "true") == (2, None, reason)
    assert table(con, "solver_borda", "solver") == []


def test_one_status_for_all_repetitions_has_every_penalty(given: Given) -> None:
    con = given(repeated(A=[OUT, 10]), Protocol(repetitions="first", penalty=3))
    columns = "solved, time, par1, par2, par10, cost"
    assert table(con, "instance_algorithm", columns) == [(0, 100, 100, 200, 1000, 300)]


@pytest.mark.parametrize(
    ("repetitions", "values", "cost"),
    [
        ("mean_par", (2, None), None),
        ("median", (2, None), None),
        ("first", (2, None), 2),
        ("first", (None, 2), None),
    ],
)
def test_a_repetition_that_is_left_out_leaves_no_cost(
    given: Given, repetitions: str, values: tuple[Cell, ...], cost: float | None
) -> None:
    con = given(repeated(A=values), Protocol(repetitions=repetitions, **LEFT_OUT), measures=OBJECTIVE)
    assert table(con, "instance_algorithm", "cost") == [(cost,)]


def test_separate_repetitions_are_instances_of_their_own(given: Given) -> None:
    con = given(repeated(A=[10, OUT, OUT], B=[30, 60, OUT]), Protocol(repetitions="separate"))
    found = table(con, "scenario_baseline", "n_instances, n_unsolvable, vbs_cost")
    assert found == [(1, 1, round((10 + 60 + 1000) / 3, 6))]
    # A has 3/4 and 0 of a point, B 1/4 and 1, and nobody has any in repetition 3.
    found = table(con, "solver_borda", "solver, borda", "kind = 'algorithm'")
    assert found == [("A", 0.25), ("B", round(1.25 / 3, 6))]
    found = table(con, "pair_dominance", "solver, n_instances, n_better, n_equal")
    assert found == [("A", 3, 1, 1), ("B", 3, 1, 1)]


def test_an_instance_solved_now_and_then_is_solved(given: Given) -> None:
    # A takes 10 and the cutoff, so 55; B 45 and 45.
    con = given(repeated(A=[10, OUT], B=[45, 45]))
    assert table(con, "solver_borda", "solver, borda", "kind = 'algorithm'") == [("A", 0.45), ("B", 0.55)]
    con = given(repeated(A=[10, OUT]))
    assert one(con, "scenario_baseline", "n_unsolvable, runs_solved", "true") == (0, 0.5)
    assert one(con, "solver_score", "unique_solved, n_failed", "solver = 'A'") == (1, 1)


# --- runs and folds -------------------------------------------------------------------


def test_a_failed_run_costs_what_the_protocol_says(given: Given) -> None:
    worst, left_out = (
        Protocol(protocol="worst", failures="worst"),
        Protocol(protocol="left_out", **LEFT_OUT),
    )
    value = Protocol(protocol="value", failures="value", failure_value=6)
    rules = (Protocol(), worst, value, left_out)
    con = given(runs(A=[1, 10], B=[2, 30], C=[None, None]), *rules, measures=OBJECTIVE)
    found = table(
        con, "stg_run", "protocol, list(cost order by instance_id)", "algorithm = 'C' group by all"
    )
    assert found == [
        ("default", [3, 50]),
        ("left_out", [None, None]),
        ("value", [6, 6]),
        ("worst", [2, 30]),
    ]
    where = "protocol in ('default', 'worst')"
    assert table(con, "instance_failure", "protocol, instance_id, best, worst", where) == [
        ("default", "i1", 1, 2),
        ("default", "i2", 10, 30),
        ("worst", "i1", 1, 2),
        ("worst", "i2", 10, 30),
    ]


def test_only_a_fixed_split_has_instances_to_train_on(given: Given) -> None:
    con = given(runs(A=[1, OUT], B=[2, OUT]))
    fill(con, "fold", SPLIT, [("mine", 1, None, "i1"), ("mine", 1, 1, "i2")])
    columns = "n_instances, n_unsolvable, n_algorithms"
    assert one(con, "scenario_baseline", columns, "true") == (2, 1, 2)
    fill(con, "fold", SPLIT, [("split", 1, 1, "i1"), ("split", 1, None, "i2")])
    assert one(con, "scenario_baseline", columns, "true") == (1, 0, 2)
    assert one(con, "scenario_summary", "n_folds", "true") == (1,)
    best = table(con, "instance_virtual", "instance_id, n_solving, vbs_par10, vws_par10")
    assert best == [("i1", 2, 1, 2)]


# --- feature steps --------------------------------------------------------------------

COST = "instance_id, repetition, step, cost"
STATUS = "instance_id, repetition, step, runstatus"
STEP = "step, of, position, is_default, requires, provides"


def test_a_step_costs_its_mean_and_ends_as_in_the_lowest_repetition(given: Given) -> None:
    con = given(runs(A=[1]))
    fill(con, "feature_cost", COST, [("i1", 2, "f", 2), ("i1", 3, "f", 5)])
    status = [("i1", 2, "f", "presolved"), ("i1", 3, "f", "ok")]
    status += [("i1", 1, "g", "ok"), ("i1", 2, "g", "presolved")]
    fill(con, "feature_status", STATUS, status)
    assert table(con, "stg_feature_run", "step, cost, cost_missing, presolves") == [
        ("f", 3.5, False, True),
        ("g", 0, True, False),
    ]


def test_what_a_required_step_requires_is_paid_too(given: Given) -> None:
    con = given(runs(A=[1]))
    steps = [
        ("last", "instance", 1, True, ["middle"], []),
        ("middle", "instance", 2, False, ["first"], []),
        ("first", "instance", 3, False, [], []),
        ("unpaid", "instance", 4, False, [], []),
        ("other", "algorithm", 5, True, [], []),
    ]
    fill(con, "feature_step", STEP, steps)
    assert table(con, "stg_feature_step", "position, step") == [(1, "first"), (2, "middle"), (3, "last")]
    assert one(con, "scenario_summary", "n_steps", "true") == (4,)


def test_features_are_instance_features_with_values(given: Given) -> None:
    con = given(runs(A=[1]))
    columns = "feature, of, position, deterministic, has_values, steps"
    features = [
        ("f", "instance", 1, True, True, []),
        ("g", "instance", 2, True, False, []),
        ("h", "algorithm", 3, True, True, []),
    ]
    fill(con, "feature", columns, features)
    assert one(con, "scenario_summary", "n_features", "true") == (1,)


# --- the ceiling ----------------------------------------------------------------------

CEILING = "protocol, algorithm, feature_cost, presolved, cost"


def test_the_ceiling_pays_up_to_the_first_step_that_presolves(given: Given) -> None:
    features = [
        (f, True, [], {"i1": (5, status)})
        for f, status in (("f", "ok"), ("g", "presolved"), ("h", "presolved"))
    ]
    con = given(runs(A=[60]), features=features)
    assert table(con, "instance_attainable", CEILING) == [("default", "A", 10, True, 10)]


def test_a_step_that_presolves_too_late_is_a_timeout(given: Given) -> None:
    con = given(runs(A=[60]), Protocol(), LENIENT, features=[("f", True, [], {"i1": (100, "presolved")})])
    assert table(con, "instance_attainable", CEILING) == [
        ("default", "A", 100, True, 1000),
        ("lenient", "A", 100, True, 100),
    ]


def test_the_ceiling_of_equals_is_the_first_by_name(given: Given) -> None:
    con = given(runs(B=[9], A=[9]), Protocol(penalty=3))
    assert table(con, "instance_attainable", CEILING) == [("default", "A", 0, False, 9)]
    found = table(given(runs(B=[OUT]), Protocol(penalty=3)), "instance_attainable", CEILING)
    assert found == [("default", "B", 0, False, 300)]


def test_the_ceiling_of_a_quality_is_vbs(given: Given) -> None:
    features = [("f", True, [], {"i1": (5, "presolved")})]
    con = given(runs(A=[9], B=[7], C=[None]), Protocol(**LEFT_OUT), features=features, measures=OBJECTIVE)
    assert table(con, "instance_attainable", "algorithm, cost") == [("B", 7)]


# --- schedules ------------------------------------------------------------------------

RUN = "solved, time, par2, par10, cost, feature_time, n_steps, solved_by"


def test_a_feature_step_is_cut_at_the_cutoff(given: Given) -> None:
    features = [("f", False, [], {"i1": (90, "ok")})]
    says = {"x": {"i1": [("B", 20), "f", ("A", None)]}}
    con = given(runs(A=[10], B=[60]), Protocol(penalty=3), says=says, features=features)
    assert one(con, "instance_selector", RUN, "true") == (0, 100, 200, 1000, 300, 80, 2, None)


def test_no_step_begins_at_the_cutoff(given: Given) -> None:
    con = given(runs(A=[10], B=[OUT]), LENIENT, says={"x": {"i1": [("B", 500), ("A", None)]}})
    columns = "name, needs, begins, runs"
    assert table(con, "schedule_step", columns) == [("A", 10, 100, False), ("B", 100, 0, True)]
    assert one(con, "instance_selector", RUN, "true")[-2:] == (1, None)


def test_what_solves_too_late_has_not_solved(given: Given) -> None:
    con = given(runs(A=[10], B=[OUT]), says={"x": {"i1": [("B", 95), ("A", None)]}})
    assert one(con, "instance_selector", "solved, n_steps, solved_by", "true") == (0, 2, None)


def test_features_after_the_solution_are_not_paid(given: Given) -> None:
    features = [
        ("f", False, [], {"i1": (5, "ok")}),
        ("g", False, [], {"i1": (None, "ok")}),
        ("h", False, [], {}),
    ]
    early = {"x": {"i1": ["f", ("A", None), "g", "h"]}}
    columns = "cost, feature_time, n_cost_missing, n_steps, solved_by"
    con = given(runs(A=[10]), says=early, features=features)
    assert one(con, "instance_selector", columns, "true") == (15, 5, 0, 2, "A")
    con = given(repeated(A=[10, 20]), says={"x": {"i1": ["f", "g", "h", ("A", None)]}}, features=features)
    assert one(con, "instance_selector", columns, "true") == (20, 5, 2, 4, "A")


def test_the_lowest_repetition_names_who_solves(given: Given) -> None:
    # Repetition 1: A takes 30 and B solves after 10; repetition 2: A solves.
    con = given(repeated(A=[OUT, 20], B=[10, 15]), says={"x": {"i1": [("A", 30), ("B", None)]}})
    assert one(con, "instance_selector", "time, n_steps, solved_by, presolved", "true") == (30, 1.5, "B", 0)


def test_presolving_is_told(given: Given) -> None:
    features = [("f", True, [], {"i1": (5, "presolved"), "i2": (100, "presolved")})]
    con = given(runs(A=[10, 10]), says={"x": {"i1": [("A", None)], "i2": [("A", None)]}}, features=features)
    columns = "instance_id, presolved, solved, solved_by, n_steps"
    assert table(con, "instance_selector", columns) == [("i1", 1, 1, "f", 1), ("i2", 0, 0, None, 1)]


def test_at_the_cutoff_without_features_the_protocol_decides_too(given: Given) -> None:
    features = [("f", True, [], {"i1": (1, "ok")})]
    says = {"x": {"i1": [("B", 90), ("A", None)]}}
    con = given(runs(A=[10], B=[OUT]), Protocol(), LENIENT, says=says, features=features)
    columns = "protocol, solved, solved_free, cost_free"
    assert table(con, "instance_selector", columns) == [("default", 0, 0, 1000), ("lenient", 0, 1, 100)]


def test_a_selector_may_have_an_answer_for_each_repetition_of_a_split(given: Given) -> None:
    con = given(runs(A=[10], B=[30]))
    answers = [
        ("x", scheme, repetition, None, "i1", 1, "algorithm", name, None)
        for scheme, repetition, name in (
            *(("aslib", 1, "A"), ("aslib", 2, "B"), ("aslib", 3, "B")),
            *(("none", 1, "B"), ("zzz", 1, "B")),
        )
    ]
    fill(con, "selection", SELECTION, answers)
    assert table(con, "instance_selector", "cv_scheme, cv_repetition, is_home, cost") == [
        ("aslib", 1, True, 10),
        ("aslib", 2, True, 30),
        ("aslib", 3, True, 30),
        ("none", 1, False, 30),
        ("zzz", 1, False, 30),
    ]
    mean = round(70 / 3, 6)
    columns = "solved, time, par1, par2, par10, cost"
    assert one(con, "instance_solver", columns, "kind = 'selector'") == (1, *[mean] * 5)


def test_the_home_of_a_selector(given: Given) -> None:
    schemes = {"v": ("zzz", "mine"), "w": ("mine", "none"), "x": ("none", "aslib"), "y": ("aslib", "split")}
    con = given(runs(A=[10]))
    answers = [
        (s, of, 1, None, "i1", 1, "algorithm", "A", None) for s, two in schemes.items() for of in two
    ]
    fill(con, "selection", SELECTION, answers)
    found = table(con, "instance_selector", "selector, cv_scheme", "is_home")
    assert found == [(selector, home) for selector, (_, home) in schemes.items()]


def test_a_time_from_outside(given: Given) -> None:
    said = [(99, "ok"), (100, "ok"), (101, "ok"), (5, "crash"), (None, "ok")]
    outside = [("x", "none", 1, None, f"i{at}", *run, None, True) for at, run in enumerate(said, start=1)]
    con = given(runs(A=[10] * 5), Protocol(), LENIENT, outside=outside)
    columns = "protocol, list((solved, time, cost) order by instance_id)"
    failed = (0, 100, 1000)
    assert table(con, "instance_selector", columns, "true group by protocol") == [
        ("default", [(1, 99, 99), *[failed] * 4]),
        ("lenient", [(1, 99, 99), (1, 100, 100), *[failed] * 3]),
    ]


def test_a_quality_from_outside(given: Given) -> None:
    cases: list[tuple[str, float | None, int, float]] = [
        ("ok", 0.9, 1, -0.9),
        ("timeout", 0.9, 1, -0.9),  # what it had found until then
        ("crash", 0.9, 0, -0.2),  # as a failed run: 0.8, 0.5 and 0.3 below that
        ("crash", 0.1, 0, -0.1),
        ("ok", None, 0, -0.2),
    ]
    outside = [
        ("x", "none", 1, None, f"i{at}", 1.0, status, objective, True)
        for at, (status, objective, *_) in enumerate(cases, start=1)
    ]
    con = given(runs(A=[0.8] * 5, B=[0.5] * 5), outside=outside, measures=ACCURACY)
    assert table(con, "instance_selector", "instance_id, solved, cost, cost_free") == [
        (f"i{at}", solved, cost, cost) for at, (*_, solved, cost) in enumerate(cases, start=1)
    ]


def test_of_a_quality_the_first_algorithm_decides_whether_it_is_solved(given: Given) -> None:
    data = [("i1", 1, "A", 5, "crash"), ("i1", 1, "B", 7, "ok")]
    says = {"x": {"i1": [("A", 3), ("B", None)]}, "y": {"i1": [("B", 3), ("A", None)]}}
    con = given(data, says=says, measures=OBJECTIVE)
    columns = "selector, solved, solved_free, cost, presolved"
    assert table(con, "instance_selector", columns) == [("x", 0, 0, 14, None), ("y", 1, 1, 7, None)]


# --- what is lost ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("steps", "losses", "cause"),
    [
        ([("C", 30), ("B", None)], (30, 30, 0), "wrong choice"),
        ([("C", 20), "f", ("A", None)], (0, 20, 20), "schedule"),
        (["f", ("D", None)], (20, 0, 20), "wrong choice"),
    ],
)
def test_of_equal_losses_the_first_is_the_cause(
    given: Given, steps: list[str | tuple[str, float | None]], losses: Row, cause: str
) -> None:
    features = [("f", False, [], {"i1": (20, "ok")})]
    con = given(runs(A=[10], B=[40], C=[OUT], D=[30]), says={"x": {"i1": steps}}, features=features)
    columns = "lost_choice, lost_schedule, lost_features, cause"
    assert one(con, "ledger", columns, "true") == (*losses, cause)


def test_without_an_answer_nothing_is_lost_where_nobody_solves(given: Given) -> None:
    con = given(runs(A=[10, OUT, 10]), says={"x": {"i1": [("A", None)]}})
    assert table(con, "ledger", "instance_id, n_solving, regret, lost_unanswered, cause") == [
        ("i1", 1, 0, 0, "none"),
        ("i2", 0, 0, 0, "unsolvable"),
        ("i3", 1, 990, 990, "no answer"),
    ]
    columns = "n_affected, n_main, n_instances, n_unsolvable"
    assert one(con, "solver_loss", columns, "position = 5") == (1, 1, 3, 1)


def test_gains_count_as_affected(given: Given) -> None:
    features = [("f", True, [], {"i1": (2, "presolved"), "i2": (2, "ok")})]
    says = {"x": {"i1": [("A", None)], "i2": [("A", None)]}}
    con = given(runs(A=[10, 20], B=[50, 10]), says=says, features=features)
    # Feature costs win 8 on i1 and lose 2 on i2; SBS is A, 5 above VBS.
    columns = "step, loss, level, gap_share, n_affected, n_main"
    assert table(con, "solver_loss", columns, "position in (0, 1, 3, 7)") == [
        ("VBS", 0, 10, 0, 0, 0),
        ("feature cost", -3, 12, -0.6, 2, 0),
        ("wrong choice", 5, 15, 1, 1, 1),
        ("x", 0, 12, 0, 0, 0),
    ]


# --- reference values -----------------------------------------------------------------


def test_values_that_are_known_alone_are_references(given: Given) -> None:
    con = given(runs(A=[1]))
    said = [("i1", "trivial", None, "x"), ("i1", "best_known", 5, None)]
    put(con, "reference", "instance_id, role, value, label", [*said, ("i1", "k", 7, "")])
    found = con.execute(frame_file("report_reference").sql, {"scenario": "S"})
    assert found.fetchall() == [("i1", "best_known", 5)]
