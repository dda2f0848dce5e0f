"""What selectors say is executed in SQL: given schedules → expected rows.

The cutoff is 100 and, unless said otherwise, the protocol is ``default``: a timeout costs 1000, and a
schedule that names no feature step pays the default ones.
"""

from __future__ import annotations

from itertools import accumulate

import pytest

from aslib_eval.database.protocol import Protocol
from tests.conftest import rows
from tests.lab import (
    ACCURACY,
    OBJECTIVE,
    OUT,
    SELECTION,
    Given,
    InMemory,
    Step,
    fill,
    one,
    runs,
    settle,
    table,
)

# Two default steps, where the second requires a third that is none.
STEPS = [
    ("one", True, [], {"i1": (1, "ok"), "i2": (2, "ok")}),
    ("two", True, ["base"], {"i1": (10, "ok"), "i2": (20, "presolved")}),
    ("base", False, [], {"i1": (4, "ok"), "i2": (None, "ok")}),
    ("rest", False, [], {"i1": (50, "ok"), "i2": (50, "ok")}),
]
DATA = runs(A=[10, OUT], B=[60, 30])
FREE = Protocol(protocol="free", feature_cost="none")
ALL = Protocol(protocol="all", feature_cost="all_steps", presolving=False)
SAID = Protocol(protocol="said", feature_cost="schedule_only")


# --- stg_feature_step, stg_feature_run, stg_selection: what is charged --------------


def test_default_steps_are_closed_under_requires_and_come_first(given: Given) -> None:
    con = given(DATA, Protocol(), ALL, FREE, SAID, features=STEPS)
    assert table(con, "stg_feature_step", "protocol, position, step") == [
        ("all", 1, "one"),
        ("all", 2, "base"),
        ("all", 3, "two"),
        ("all", 4, "rest"),
        ("default", 1, "one"),
        ("default", 2, "base"),
        ("default", 3, "two"),
    ]


def test_a_missing_cost_is_0_and_said(given: Given) -> None:
    con = given(DATA, features=STEPS)
    columns = "instance_id, cost, cost_missing, presolves"
    assert table(con, "stg_feature_run", columns, "step in ('two', 'base')") == [
        ("i1", 4, False, False),
        ("i1", 10, False, False),
        ("i2", 0, True, False),
        ("i2", 20, False, True),
    ]


PLAN = "protocol, position, name, charged"


def test_a_schedule_without_feature_steps_pays_the_default_ones_first(given: Given) -> None:
    con = given(DATA, Protocol(), SAID, says={"x": {"i1": [("A", 5)]}}, features=STEPS)
    assert table(con, "stg_selection", PLAN) == [
        ("default", 1, "one", True),
        ("default", 2, "base", True),
        ("default", 3, "two", True),
        ("default", 4, "A", False),
        ("said", 1, "A", False),
    ]


def test_a_schedule_that_names_steps_pays_those_at_their_place(given: Given) -> None:
    says = {"x": {"i1": [("A", 5), "rest", ("B", None)]}}
    assert table(given(DATA, Protocol(), FREE, ALL, says=says, features=STEPS), "stg_selection", PLAN) == [
        ("all", 1, "A", False),
        ("all", 2, "one", True),
        ("all", 3, "base", True),
        ("all", 4, "two", True),
        ("all", 5, "rest", False),
        ("all", 6, "B", False),
        ("default", 1, "A", False),
        ("default", 2, "rest", False),
        ("default", 3, "B", False),
        ("free", 1, "A", False),
        ("free", 2, "B", False),
    ]


def test_an_empty_schedule_pays_nothing(given: Given) -> None:
    con = given(DATA, says={"x": {"i1": []}}, features=STEPS)
    assert table(con, "stg_selection", "position, action, name") == [(1, "none", None)]


# --- schedule_step: in order, until one solves --------------------------------------

STEP = "instance_id, position, name, needs, begins, solves, runs"


def test_each_step_takes_its_budget_or_what_it_needs(given: Given) -> None:
    con = given(DATA, says={"x": {"i1": [("B", 20), ("A", 20), ("B", None)], "i2": [("A", None)]}})
    assert table(con, "schedule_step", STEP) == [
        ("i1", 1, "B", 20, 0, False, True),
        ("i1", 2, "A", 10, 20, True, True),
        ("i1", 3, "B", 60, 30, True, False),
        ("i2", 1, "A", 100, 0, False, True),
    ]


def test_a_budget_that_is_just_enough_is_enough(given: Given) -> None:
    con = given(DATA, says={"x": {"i1": [("A", 10)], "i2": [("B", 29.9)]}})
    assert table(con, "instance_selector", "instance_id, solved, time, cost") == [
        ("i1", 1, 10, 10),
        ("i2", 0, 100, 1000),
    ]


def test_an_algorithm_without_a_run_is_unsolved_and_stays(given: Given) -> None:
    con = given(runs(A=[10, 20], B=[60, 5]), says={"x": {"i2": [("B", None)]}})
    con.execute("delete from raw_run where (instance_id, algorithm) = ('i2', 'B')")
    settle(con)
    columns = "instance_id, answered, solved, cost"
    assert table(con, "instance_selector", columns, "instance_id = 'i2'") == [("i2", True, 0, 1000)]


def test_a_step_that_presolves_ends_the_run(given: Given) -> None:
    con = given(DATA, says={"x": {"i2": [("A", 3), "two", ("B", 9)]}}, features=STEPS)
    assert table(con, "schedule_step", STEP, "instance_id = 'i2'") == [
        ("i2", 1, "A", 3, 0, False, True),
        ("i2", 2, "two", 20, 3, True, True),
        ("i2", 3, "B", 9, 23, False, False),
    ]


def test_an_instance_without_an_answer_has_a_row(given: Given) -> None:
    con = given(DATA, says={"x": {"i1": [("A", None)]}})
    assert table(con, "schedule_step", STEP, "instance_id = 'i2'") == [("i2", 0, None, 0, 0, False, False)]


def test_an_instance_that_the_protocol_drops_is_not_executed(given: Given) -> None:
    answers = {"x": {"i1": [("A", None)], "i2": [("A", None)]}}
    con = given(runs(A=[10, OUT], B=[60, OUT]), Protocol(unsolvable="drop"), says=answers)
    assert table(con, "schedule_run", "instance_id, name, needs, solves") == [("i1", "A", 10, True)]


def test_many_steps_add_up_in_their_order(given: Given) -> None:
    budgets = [1 / at for at in range(1, 61)]
    steps = [("B", budget) for budget in budgets]
    con = given(runs(B=[OUT, OUT]), says={"x": {"i1": steps[:7], "i2": steps}})
    sql = "select begins from schedule_step where instance_id = 'i2' order by position"
    assert rows(con, sql) == [(x,) for x in accumulate([0, *budgets[:-1]])]


# --- instance_selector --------------------------------------------------------------

SCORE = "protocol, instance_id, solved, time, cost, cost_free, feature_time"


def test_features_are_paid_and_can_cut_off(given: Given) -> None:
    # i1: 1 + 10 + 4 = 15 for features, A takes 10. i2: 2 + 20 presolve; with all
    # steps and no presolving 2 + 20 + 0 + 50 = 72, and B's 30 come too late.
    says = {"x": {"i1": [("A", None)], "i2": [("B", None)]}}
    con = given(DATA, Protocol(), FREE, ALL, says=says, features=STEPS)
    assert table(con, "instance_selector", SCORE) == [
        ("all", "i1", 1, 75, 75, 10, 65),
        ("all", "i2", 0, 100, 1000, 30, 72),
        ("default", "i1", 1, 25, 25, 10, 15),
        ("default", "i2", 1, 22, 22, 30, 22),
        ("free", "i1", 1, 10, 10, 10, 0),
        ("free", "i2", 1, 30, 30, 30, 0),
    ]


def test_at_the_cutoff_the_protocol_decides(given: Given) -> None:
    lenient = Protocol(protocol="lenient", at_cutoff="solved")
    steps = [("f", True, [], {"i1": (90, "ok")})]
    con = given(runs(A=[10]), Protocol(), lenient, says={"x": {"i1": [("A", 50)]}}, features=steps)
    assert table(con, "instance_selector", "protocol, solved, time, cost, solved_free") == [
        ("default", 0, 100, 1000, 1),
        ("lenient", 1, 100, 100, 1),
    ]


def test_a_missing_answer_is_unsolved_and_counted(given: Given) -> None:
    con = given(DATA, says={"x": {"i1": [("A", None)]}})
    assert table(con, "instance_selector", "instance_id, answered, solved, cost, solved_by") == [
        ("i1", True, 1, 10, "A"),
        ("i2", False, 0, 1000, None),
    ]
    assert one(con, "solver_score", "n_instances, par10", "kind = 'selector'") == (2, 505)


def test_a_schedule_meets_each_repetition_and_its_par_is_averaged(given: Given) -> None:
    # A solves in repetition 1 only; the schedule gives B 40 after A's 30.
    data = [
        ("i1", 1, "A", 20, "ok"),
        ("i1", 2, "A", 100, OUT),
        ("i1", 1, "B", 50, "ok"),
        ("i1", 2, "B", 35, "ok"),
    ]
    first = Protocol(protocol="first", repetitions="first")
    con = given(data, Protocol(), first, says={"x": {"i1": [("A", 30), ("B", 40)]}})
    assert table(con, "instance_selector", "protocol, solved, time, cost") == [
        ("default", 1, 42.5, 42.5),  # 20 and 30 + 35
        ("first", 1, 20, 20),
    ]


@pytest.mark.parametrize(("measure", "cost"), [(OBJECTIVE, 7), (ACCURACY, -7)], ids=["min", "max"])
def test_quality_is_that_of_the_first_algorithm(
    given: Given, measure: tuple[tuple[str, str, str], ...], cost: float
) -> None:
    says = {"x": {"i1": ["one", ("B", 3), ("A", None)]}}
    con = given(runs(A=[5], B=[7]), says=says, features=STEPS, measures=measure)
    columns = "solved, time, cost, cost_free, feature_time, n_steps"
    assert table(con, "instance_selector", columns) == [(1, None, cost, cost, None, 2)]
    assert table(con, "schedule_step", "position, name, runs") == [
        (1, "one", True),
        (2, "B", True),
        (3, "A", False),
    ]


def test_of_a_cascade_the_last_one_asked_answers(given: Given) -> None:
    con = given(runs(A=[5, 6], B=[7, 8], C=[4, 9]), measures=OBJECTIVE)
    cascade = [
        ("x", "aslib", 1, None, "i1", 1, "asked", "A", None),
        ("x", "aslib", 1, None, "i1", 2, "asked", "C", None),
        ("x", "aslib", 1, None, "i1", 3, "algorithm", "B", None),
        ("x", "aslib", 1, None, "i1", 4, "algorithm", "A", None),
        ("x", "aslib", 1, None, "i2", 1, "algorithm", "A", None),
    ]
    fill(con, "selection", SELECTION, cascade)
    assert table(con, "instance_selector", "instance_id, solved, cost, n_steps") == [
        ("i1", 1, 7, 3),
        ("i2", 1, 6, 1),
    ]
    steps = table(con, "schedule_step", "position, name, runs", "instance_id = 'i1'")
    assert steps == [(1, "A", True), (2, "C", True), (3, "B", True), (4, "A", False)]
    lost = "regret, lost_choice, lost_schedule, lost_outside"
    # Of i1 the best is C with 4, the schedule's best answer is A with 5, and B gives 7.
    assert table(con, "ledger", lost, "instance_id = 'i1'") == [(3, 1, 2, 0)]
    assert rows(con, "select sum(shapley) from ledger_shapley where instance_id = 'i1'") == [(3,)]


def test_a_system_run_outside_brings_its_price(given: Given) -> None:
    con = given(runs(A=[5]), outside=[("x", "aslib", 1, None, "i1", 2, "ok", 7, True)], measures=OBJECTIVE)
    con.execute("update raw_outcome set price = 0.25")
    settle(con)
    assert table(con, "stg_selection", "name, price") == [("x", 0.25)]


def test_an_outcome_pays_the_features_unless_it_has(given: Given) -> None:
    outside = [
        ("had", "aslib", 1, None, "i1", 40, "ok", None, True),
        ("has", "aslib", 1, None, "i1", 40, "ok", None, False),
        ("has", "aslib", 1, None, "i2", 40, "crash", None, False),
    ]
    con = given(DATA, outside=outside, features=STEPS)
    assert table(con, "instance_selector", "selector, instance_id, solved, time", "answered") == [
        ("had", "i1", 1, 40),
        ("has", "i1", 1, 55),
        ("has", "i2", 1, 22),  # presolved
    ]


# --- the training part of a fixed split ---------------------------------------------


def test_training_instances_choose_the_sbs_and_count_nowhere_else(given: Given) -> None:
    data = runs(A=[1, 1, 50, 50], B=[2, 2, 9, 9])
    con = given(data, says={"x": {"i3": [("B", None)], "i4": [("A", None)]}})
    split = [("split", 1, None, "i1"), ("split", 1, None, "i2")]
    split += [("split", 1, 1, "i3"), ("split", 1, 1, "i4")]
    fill(con, "fold", "cv_scheme, cv_repetition, fold, instance_id", split)
    assert table(con, "solver_score", "solver, n_instances, par10") == [
        ("A", 2, 50),
        ("B", 2, 9),
        ("SBS", 2, 9),
        ("VBS", 2, 9),
        ("VWS", 2, 50),
        ("x", 2, 29.5),
    ]
    columns = "sbs_train, sbs_test, sbs_all, sbs_train_cost, n_instances"
    assert table(con, "fold_sbs", columns) == [("A", "B", "B", 50, 2)]
    # SBS of the training set costs 50, VBS 9, x 29.5.
    assert one(con, "fold_gap", "own_split, closed_gap", "solver = 'x'") == (False, 0.5)


def test_the_sbs_of_all_folds_is_not_chosen_on_training_instances(given: Given) -> None:
    con = given(runs(A=[1, 1, 10, 10], B=[90, 90, 9, 9]))
    split = [("split", 1, None, "i1"), ("split", 1, None, "i2")]
    split += [("split", 1, 1, "i3"), ("split", 1, 1, "i4")]
    fill(con, "fold", "cv_scheme, cv_repetition, fold, instance_id", split)
    assert table(con, "fold_sbs", "sbs_train, sbs_test, sbs_all") == [("A", "B", "B")]


def test_a_selector_trained_on_a_split_is_scored_on_it(given: Given) -> None:
    # In the split `mine` x chooses B, in aslib, which is its home, A.
    con = given(runs(A=[1, 9], B=[3, 4]), folds={"i1": 1, "i2": 2})
    rows = [
        ("x", scheme, 1, None, instance, 1, "algorithm", name, None)
        for scheme, name in (("aslib", "A"), ("mine", "B"))
        for instance in ("i1", "i2")
    ]
    fill(con, "selection", SELECTION, rows)
    folds = [(s, 1, f, f"i{f}") for s in ("aslib", "mine", "other") for f in (1, 2)]
    fill(con, "fold", "cv_scheme, cv_repetition, fold, instance_id", folds)
    assert table(con, "fold_solver", "cv_scheme, fold, own_split, cost", "kind = 'selector'") == [
        ("aslib", 1, True, 1),
        ("aslib", 2, True, 9),
        ("mine", 1, True, 3),
        ("mine", 2, True, 4),
        ("other", 1, False, 1),
        ("other", 2, False, 9),
    ]
    assert one(con, "solver_score", "cost", "kind = 'selector'") == (5,)


# --- instance_attainable ------------------------------------------------------------


def test_the_ceiling_pays_for_features(given: Given) -> None:
    con = given(DATA, Protocol(), FREE, ALL, features=STEPS)
    columns = "protocol, instance_id, algorithm, feature_cost, presolved, cost"
    assert table(con, "instance_attainable", columns) == [
        ("all", "i1", "A", 65, False, 75),
        ("all", "i2", "A", 72, False, 1000),
        ("default", "i1", "A", 15, False, 25),
        ("default", "i2", "A", 22, True, 22),
        ("free", "i1", "A", 0, False, 10),
        ("free", "i2", "B", 0, False, 30),
    ]


def test_an_instance_without_any_value_has_no_ceiling(given: Given) -> None:
    left_out = Protocol(protocol="left_out", failures="left_out")
    con = given([("i1", 1, "A", 5, "ok"), ("i2", 1, "A", None, "crash")], left_out, measures=OBJECTIVE)
    columns = "instance_id, algorithm, cost"
    assert table(con, "instance_attainable", columns) == [("i1", "A", 5), ("i2", None, None)]
    assert one(con, "scenario_baseline", "attainable_cost, vbs_cost", "true") == (None, None)


def test_a_perfect_selector_reaches_the_attainable_gap(given: Given) -> None:
    says = {"best": {"i1": [("A", None)], "i2": [("B", None)]}}
    con = given(DATA, Protocol(), FREE, ALL, says=says, features=STEPS)
    columns = "protocol, closed_gap = attainable_gap, closed_gap = 1"
    assert table(con, "solver_gap", columns, "kind = 'selector'") == [
        ("all", True, False),
        ("default", True, False),
        ("free", True, True),
    ]


# --- ledger and solver_loss ---------------------------------------------------------

LOST = "lost_choice, lost_schedule, lost_features, lost_cut_off, lost_unanswered"


# Steps of a schedule, what each cause loses, and the main cause.
LOSSES: list[tuple[list[Step], tuple[float, ...], str]] = [
    ([("A", None)], (0, 0, 0, 0, 0), "none"),
    ([("B", None)], (50, 0, 0, 0, 0), "wrong choice"),
    ([("B", 5), ("A", None)], (0, 5, 0, 0, 0), "schedule"),
    ([("A", 9)], (0, 990, 0, 0, 0), "schedule"),
    (["f", ("A", None)], (0, 0, 20, 0, 0), "feature cost"),
    (["g", ("A", None)], (0, 0, 0, 990, 0), "cut off"),
    (["g", ("B", None)], (50, 0, 0, 940, 0), "cut off"),
    ([("C", 30), "f", ("B", None)], (50, 30, 0, 910, 0), "cut off"),
    ([], (0, 0, 0, 0, 990), "no answer"),
]


def test_every_lost_second_has_a_cause(given: Given) -> None:
    n = len(LOSSES)
    places = [f"i{at}" for at in range(1, n + 1)]
    features = [(f, False, [], dict.fromkeys(places, (cost, "ok"))) for f, cost in (("f", 20), ("g", 95))]
    says = {"x": dict(zip(places, (steps for steps, *_ in LOSSES), strict=True))}
    con = given(runs(A=[10] * n, B=[60] * n, C=[OUT] * n), says=says, features=features)
    columns = f"instance_id, regret = cost - vbs_cost, regret, {LOST}, cause"
    assert table(con, "ledger", columns) == [
        (place, True, sum(losses), *losses, cause)
        for place, (_, losses, cause) in zip(places, LOSSES, strict=True)
    ]


def test_causes_are_charged_in_their_order(given: Given) -> None:
    # With the features first it would be 90 for them, and 905 for the choice.
    features = [("f", False, [], {"i1": (90, "ok")})]
    con = given(runs(A=[20], B=[5]), says={"x": {"i1": ["f", ("A", None)]}}, features=features)
    assert one(con, "ledger", LOST, "true") == (15, 0, 0, 980, 0)
    assert one(con, "ledger", "cost, vbs_cost, regret", "true") == (1000, 5, 995)


def test_a_step_that_presolves_early_wins_against_vbs(given: Given) -> None:
    features = [("f", False, [], {"i1": (2, "presolved")})]
    con = given(runs(A=[10]), says={"x": {"i1": ["f", ("A", 5)]}}, features=features)
    columns = "cost, regret, lost_features, solved_by, cause"
    # Without the step A's budget of 5 does not do: 990 lost, and won back.
    assert one(con, "ledger", columns, "true") == (2, -8, -998, "f", "none")


def test_no_answer_to_what_nobody_solves_is_no_main_cause(given: Given) -> None:
    con = given(runs(A=[OUT, OUT], B=[OUT, 9]), says={"x": {}, "y": {"i2": [("A", 1)]}})
    where = "is_main and selector = 'y'"
    assert table(con, "ledger_loss", "instance_id, cause", where) == [("i2", "wrong choice")]


def test_what_was_run_outside_has_no_steps(given: Given) -> None:
    con = given(runs(A=[10]), outside=[("x", "none", 1, None, "i1", 35, "ok", None, True)])
    assert one(con, "ledger", "regret, lost_outside, cause", "true") == (25, 25, "run outside")


def test_the_way_from_vbs_down_to_the_selector(given: Given) -> None:
    # VBS 10 and 30, SBS = B 60 and 30; x: B on i1, nothing on i2.
    con = given(DATA, says={"x": {"i1": [("B", None)]}})
    columns = "position, step, loss, level, gap_share, n_affected, n_main, n_instances"
    assert table(con, "solver_loss", columns) == [
        (0, "VBS", 0, 20, 0, 0, 0, 2),
        (1, "wrong choice", 25, 45, 1, 1, 1, 2),
        (2, "schedule", 0, 45, 0, 0, 0, 2),
        (3, "feature cost", 0, 45, 0, 0, 0, 2),
        (4, "cut off", 0, 45, 0, 0, 0, 2),
        (5, "no answer", 485, 530, 19.4, 1, 1, 2),
        (6, "run outside", 0, 530, 0, 0, 0, 2),
        (7, "x", 0, 530, 0, 0, 0, 2),
    ]


def test_the_page_has_every_step_of_the_way(given: Given) -> None:
    con = given(DATA, says={"x": {"i1": [("B", None)]}})
    found = (
        InMemory(con).ask("report_loss").select("position", "loss", "shapley", "alone", "n_main_shapley")
    )
    of = {1: (25, 25, 25, 1), 5: (485, 485, 485, 1)}
    whole = [(0, 0, None, None, None), *((at, *of.get(at, (0, 0, 0, 0))) for at in range(1, 7))]
    assert found.rows() == [*whole, (7, 0, None, None, None)]


def test_a_loss_that_is_not_known_leaves_no_level(given: Given) -> None:
    says = {"x": {"i1": [("A", None)]}}
    con = given(runs(A=[5, 6]), Protocol(failures="left_out"), says=says, measures=OBJECTIVE)
    assert table(con, "solver_loss", "position, level")[4:] == [(4, 5.5), (5, None), (6, None), (7, None)]
    assert table(con, "ledger", "instance_id, cause") == [("i1", "none"), ("i2", "no answer")]


# --- a selector that always takes one algorithm is that algorithm ---------------------

UNEQUAL: list[tuple[object, ...]] = [
    ("i1", 1, "A", 30, "ok"),
    ("i1", 1, "B", 10, "ok"),
    ("i1", 2, "B", 20, "ok"),
    ("i1", 3, "B", 100, OUT),
    ("i2", 1, "A", 100, OUT),
    ("i2", 1, "B", 40, "ok"),
    ("i2", 2, "B", 100, OUT),
    ("i2", 3, "B", 60, "ok"),
]


def test_always_one_algorithm_with_unequal_repetitions(given: Given) -> None:
    says = {f"always {name}": dict.fromkeys(("i1", "i2"), ((name, None),)) for name in "AB"}
    ways = ("mean_par", "median", "mean_runtime", "first")
    con = given(UNEQUAL, *(Protocol(way, repetitions=way) for way in ways), says=says)
    columns = "protocol, instance_id, solved, time, par1, par10, cost"
    for name in "AB":
        ours = table(con, "instance_solver", columns, f"solver = 'always {name}'")
        assert len(ours) == 8
        assert ours == table(con, "instance_solver", columns, f"solver = '{name}'")


def test_a_schedule_of_two_meets_the_repetitions_that_both_have(given: Given) -> None:
    # A has one run, which it meets in each of B's: 25 + 10, 25 + 20, 25 + B's timeout.
    con = given(UNEQUAL, says={"x": {"i1": [("A", 25), ("B", None)]}})
    assert one(con, "instance_selector", "solved, par1, cost", "instance_id = 'i1'") == (
        pytest.approx(2 / 3, abs=1e-6),
        60,
        pytest.approx((35 + 45 + 1000) / 3, abs=1e-6),
    )


def test_always_one_algorithm_of_quality(given: Given) -> None:
    data = [("i1", 1, "A", 5, "ok"), ("i2", 1, "A", 9, OUT)]
    con = given(data, says={"x": dict.fromkeys(("i1", "i2"), (("A", None),))}, measures=OBJECTIVE)
    columns = "instance_id, solved, cost"
    ours = table(con, "instance_solver", columns, "kind = 'selector'")
    assert ours == [("i1", 1, 5), ("i2", 1, 9)]
    assert ours == table(con, "instance_solver", columns, "solver = 'A'")


def test_the_ceiling_chooses_after_paying(given: Given) -> None:
    # A: 99 and 1, which with 5 for features is a timeout and 6; B: 65 always.
    data = [("i1", 1, "A", 99, "ok"), ("i1", 2, "A", 1, "ok")]
    data += [("i1", 1, "B", 60, "ok"), ("i1", 2, "B", 60, "ok")]
    con = given(data, features=[("f", True, [], {"i1": (5, "ok")})])
    assert table(con, "instance_attainable", "algorithm, cost") == [("B", 65)]


def test_an_answer_of_free_feature_steps_alone_is_counted(given: Given) -> None:
    con = given(runs(A=[1]), FREE, says={"x": {"i1": ["one"]}}, features=STEPS)
    assert one(con, "solver_score", "n_instances, par10", "solver = 'x'") == (1, 1000)


# --- what is equal ties, whatever the order of its sum --------------------------------


def test_the_same_times_in_another_order_tie(given: Given) -> None:
    times = [0.1 * i + 1 / 3 for i in range(1, 40)]
    con = given(runs(A=times, B=times[::-1], C=[90.0] * 39))
    found = table(con, "solver_rank", "solver, rank", "kind = 'algorithm' and metric = 'par10'")
    assert found == [("A", 1), ("B", 1), ("C", 3)]
    assert one(con, "scenario_baseline", "sbs, sbs_tied", "true") == ("A", ["A", "B"])


# --- selectors beside algorithms ----------------------------------------------------


def test_selectors_are_compared_with_selectors(given: Given) -> None:
    says = {
        "x": {"i1": [("A", None)], "i2": [("A", None)]},
        "y": {"i1": [("B", None)], "i2": [("B", None)]},
    }
    con = given(DATA, says=says)
    assert table(con, "pair_dominance", "solver, other, n_better, n_worse", "kind = 'selector'") == [
        ("x", "y", 1, 1),
        ("y", "x", 1, 1),
    ]
    # i1: 60 / 70 and 10 / 70; i2: only y solves.
    assert table(con, "solver_borda", "solver, borda", "kind = 'selector'") == [
        ("x", 0.428571),
        ("y", 0.571429),
    ]


def test_solved_then_par1_is_lexicographic(given: Given) -> None:
    con = given(runs(A=[1, OUT], B=[99, 99], C=[OUT, 1], D=[OUT, 2]))
    where = "kind = 'algorithm' and metric = 'solved_then_par1'"
    assert table(con, "solver_rank", "rank, solver, score", where) == [
        (1, "B", 99),
        (2, "A", 50.5),
        (2, "C", 50.5),
        (4, "D", 51),
    ]


def test_where_the_predictions_of_a_selector_come_from(given: Given) -> None:
    con = given(runs(A=[1, 2]), says={"x": {"i1": [("A", 9)]}, "y": {"i1": [("A", 9)]}})
    columns = "selector, cv_scheme, origin, seed, version"
    noted = [("x", "aslib", "trained", 7, "1.0"), ("y", "aslib", "imported", None, None)]
    fill(con, "selector", columns, noted)
    assert table(con, "selector_origin", "selector, origin, trained") == [
        ("x", "trained", "aslib, seed 7, aslib-eval 1.0"),
        ("y", "imported", "aslib, imported"),
    ]


def test_the_page_has_what_each_step_of_a_schedule_took(given: Given) -> None:
    """B begins on i2 after 80 of 100, needs 30, and is cut off."""
    x = {"i1": [("A", None)], "i2": [("A", 80), ("B", None)]}
    con = given(DATA, says={"x": x, "y": {"i2": [("B", None)]}})
    asked = {"scenario": "S", "measure": "runtime"}
    found = InMemory(con).ask("report_schedule", asked)
    assert [row for row in found.rows() if row[0] == "x"] == [
        ("x", "i1", ["A"], [10], [2]),
        ("x", "i2", ["A", "B"], [80, 20], [1, 1]),
    ]
    (ran,) = (
        InMemory(con)
        .ask("explained_runs", {"solver": "x", "kind": "selector"})
        .filter(instance_id="i2")["ran"]
    )
    assert ran == "A 80, B 20"


def test_an_algorithm_that_is_asked_first_is_part_of_a_choice(given: Given) -> None:
    con = given(runs(A=[1, 1], B=[1, 1]), measures=ACCURACY)
    asked, chosen, probe = ("asked", "A"), ("algorithm", "B"), ("feature_step", "probe")
    answers = {
        "both": ([asked, chosen], [asked, chosen]),
        "free": ([probe, chosen], [chosen]),  # a feature is no choice
        "half": ([asked, chosen], [chosen]),
    }
    rows = [
        (selector, "aslib", 1, 1, f"i{i}", at, action, name, None)
        for selector, of in answers.items()
        for i, steps in enumerate(of, 1)
        for at, (action, name) in enumerate(steps, 1)
    ]
    fill(con, "selection", SELECTION, rows)
    lake = InMemory(con)
    found = lake.ask("report_choice", {"scenario": "S"})
    assert found.select("selector", "n_choices").rows() == [("both", 1), ("free", 1), ("half", 2)]
    assert found["algorithms"][:2].to_list() == [["A, then B"], ["B"]]
    assert lake.ask("report_use", {"scenario": "S"}).rows() == [
        *(("both", "A", 2), ("both", "B", 2), ("free", "B", 2), ("half", "A", 1), ("half", "B", 2))
    ]
