"""Scores, folds, splits and tables of papers at their edges: given rows → expected.

The cutoff is 100 and, unless said otherwise, the protocol is ``default``.
"""

from __future__ import annotations

import duckdb
import pytest

from aslib_eval.database.protocol import Protocol
from aslib_eval.database.sqlfiles import find_tables
from tests.conftest import CV, Row, arff, rows
from tests.lab import ACCURACY, OBJECTIVE, OUT, PAIR, SELECTION, Given, fill, one, runs, settle, table

ALGORITHM = "kind = 'algorithm'"
LEFT_OUT = Protocol(failures="left_out")
# Two numbers that are one to 12 digits.
SAME = 0.3, 0.1 + 0.2


def printed(con: duckdb.DuckDBPyConnection, name: str) -> list[Row]:
    """The rows of a table of a paper, in their order, floats to 6 digits."""
    found = rows(con, find_tables()[name].sql)
    return [tuple(round(c, 6) if isinstance(c, float) else c for c in r) for r in found]


# --- scores of solvers ----------------------------------------------------------------


def test_equal_to_twelve_digits_is_equal(given: Given) -> None:
    a, b = SAME
    con = given(runs(A=[a, a], B=[b, b]), measures=OBJECTIVE, folds={"i1": 1, "i2": 2})
    columns = "solver, n_better, n_equal, n_worse, dominates"
    assert table(con, "pair_dominance", columns) == [("A", 0, 2, 0, False), ("B", 0, 2, 0, False)]
    found = table(con, "split_pair", "solver, n_better, n_equal, n_worse, beats")
    assert found == [("A", 0, 2, 0, 0.5), ("B", 0, 2, 0, 0.5)]
    columns = "winner, winner_tied, n_won, n_winners, changed"
    assert table(con, "split_winner", columns) == [("A", ["A", "B"], 2, 2, 0)]
    columns = "sbs_train, sbs_test, sbs_all"
    assert table(con, "fold_sbs", f"distinct {columns}") == [("A", "A", "A")]
    assert table(con, "fold_gap", "distinct closed_gap, reason") == [(None, "SBS equals VBS")]
    assert one(con, "scenario_baseline", "sbs_tied, reason", "true") == (["A", "B"], "SBS equals VBS")
    where = f"{ALGORITHM} and metric = 'cost'"
    assert table(con, "solver_rank", "solver, rank", where) == [("A", 1), ("B", 1)]


def test_the_single_best_of_equals_is_the_first_by_name(given: Given) -> None:
    con = given(runs(B=[10, 20], A=[20, 10]), folds={"i1": 1, "i2": 2})
    found = table(con, "instance_solver", "instance_id, cost", "kind = 'baseline' and solver = 'SBS'")
    assert found == [("i1", 20), ("i2", 10)]
    found = table(con, "fold_sbs", "fold, sbs_train, sbs_test, sbs_all")
    assert found == [(1, "A", "B", "A"), (2, "B", "A", "A")]


def test_what_only_algorithms_have(given: Given) -> None:
    con = given(runs(A=[10, OUT], B=[OUT, 20]), says={"x": {"i1": [("A", None)], "i2": [("B", None)]}})
    assert table(con, "solver_score", "kind, solver, unique_solved, n_failed, solved") == [
        ("algorithm", "A", 1, 1, 0.5),
        ("algorithm", "B", 1, 1, 0.5),
        ("baseline", "SBS", None, 1, 0.5),
        ("baseline", "VBS", None, None, 1),
        ("baseline", "VWS", None, None, 0),
        ("selector", "x", None, None, 1),
    ]


def test_a_vbs_of_nothing_has_a_speedup_of_nothing(given: Given) -> None:
    con = given(runs(A=[0, 4], B=[3, 0]), measures=OBJECTIVE)
    assert table(con, "solver_gap", "solver, speedup, improvement, incomplete", "solver <> 'VWS'") == [
        ("A", 0, 0.75, 0.6),
        ("B", 0, 1, 0.625),
        ("SBS", 0, 1, 0.625),
        ("VBS", None, None, 1),
    ]
    assert one(con, "scenario_summary", "room, sbs_cost", "true") == (None, 1.5)


def test_incomplete_has_no_negative_cost(given: Given) -> None:
    outside = [("x", "none", 1, None, "i1", 1.0, "ok", -0.5, False)]
    con = given(runs(A=[1], B=[3]), outside=outside, measures=OBJECTIVE)
    found = table(con, "solver_score", "solver, incomplete", "kind <> 'baseline'")
    assert found == [("A", 1), ("B", 0.5), ("x", None)]


def test_there_is_no_room_between_negative_costs(given: Given) -> None:
    con = given(runs(A=[0.9, 0.5], B=[0.5, 0.7]), measures=ACCURACY)
    assert one(con, "scenario_summary", "room, maximize", "true") == (None, True)


def test_a_fraction_of_a_negative_cost_is_near(given: Given) -> None:
    protocol = Protocol(borda_delta=0.2, borda_delta_kind="relative")
    con = given(runs(A=[0.9], B=[0.8], C=[0.6]), protocol, measures=ACCURACY)
    assert table(con, "solver_borda", "solver, borda", ALGORITHM) == [("A", 1.5), ("B", 1.5), ("C", 0)]


def test_qualities_within_delta_are_equal(given: Given) -> None:
    con = given(runs(A=[5], B=[7], C=[9.5]), Protocol(borda_delta=2), measures=OBJECTIVE)
    assert table(con, "solver_borda", "solver, borda", ALGORITHM) == [("A", 1.5), ("B", 1.5), ("C", 0)]


def test_no_folds_to_aggregate_over(given: Given) -> None:
    con = given(PAIR, Protocol(fold_aggregate="mean"))
    fill(con, "fold", "cv_scheme, cv_repetition, fold, instance_id", [])
    found = table(con, "solver_gap", "distinct closed_gap, n_folds, reason")
    assert found == [(None, 0, "no folds: is there a cv.arff?")]


def test_the_median_is_no_mean(given: Given) -> None:
    for name, times in (("S", [4, 9]), ("T", [16, 25]), ("U", [81, 82])):
        con = given(runs(A=times[:1], B=times[1:]), name=name)
    where = "solver = 'A' and metric = 'par10'"
    found = one(con, "suite_solver", "mean, median, geometric, unit_bound", where)
    assert found == (round(101 / 3, 6), 16, round((4 * 16 * 81) ** (1 / 3), 6), True)


def test_what_has_no_score_somewhere_is_pooled_without_it(given: Given) -> None:
    given(runs(A=[3], B=[4]), LEFT_OUT, name="S", measures=OBJECTIVE)
    con = given(runs(A=[5, None], B=[6, 7]), LEFT_OUT, name="T", measures=OBJECTIVE)
    where = f"{ALGORITHM} and metric = 'cost'"
    columns = "solver, pooled, mean, mean_rank, n_scenarios, n_instances, n_undefined"
    assert table(con, "suite_solver", columns, where) == [
        ("A", 3, 3, 1, 1, 1, 1),
        ("B", round(17 / 3, 6), 5.25, 1.5, 2, 3, 0),
    ]


# --- folds ----------------------------------------------------------------------------


def test_par10_and_cost_of_each_sbs(given: Given) -> None:
    # Fold 1: A 10, B 40; fold 2: A times out, B 60; the penalty is 2.
    con = given(runs(A=[10, OUT], B=[40, 60]), Protocol(penalty=2), folds={"i1": 1, "i2": 2})
    par10 = "sbs_train_par10, sbs_test_par10, sbs_all_par10"
    cost = "sbs_train_cost, sbs_test_cost, sbs_all_cost, vbs_cost, vws_cost"
    assert table(con, "fold_sbs", f"fold, sbs_all, {par10}, {cost}") == [
        (1, "B", 40, 10, 40, 40, 10, 40, 10, 40),
        (2, "B", 1000, 60, 60, 200, 60, 60, 60, 200),
    ]
    assert table(con, "fold_solver", "fold, solver, par1, par2, par10, cost, solved", "solver = 'A'") == [
        (1, "A", 10, 10, 10, 10, 1),
        (2, "A", 100, 200, 1000, 200, 0),
    ]


def test_the_criterion_holds_for_all_instances_and_for_training_folds(given: Given) -> None:
    # On i1 to i3: PAR10 of A 90, B 80, C 334; PAR1 of C 34; solved: A and B 1, C 2/3.
    data = runs(A=[90, 90, 90, 1], B=[80, 80, 80, 1], C=[1, 1, OUT, 1])
    rules = [Protocol(name, sbs_criterion=name) for name in ("par", "par1", "solved")]
    con = given(data, *rules, folds={"i1": 1, "i2": 1, "i3": 1, "i4": 2})
    best = [("par", "B"), ("par1", "C"), ("solved", "A")]
    assert table(con, "scenario_baseline", "protocol, sbs") == best
    assert table(con, "fold_sbs", "protocol, sbs_test", "fold = 1") == best
    found = table(con, "fold_sbs", "protocol, sbs_train, sbs_all", "fold = 2")
    assert found == [(name, sbs, sbs) for name, sbs in best]


def test_an_algorithm_without_a_cost_in_training_is_no_sbs(given: Given) -> None:
    data = runs(A=[1, None, 1], B=[2, 2, 2])
    con = given(data, LEFT_OUT, folds={"i1": 1, "i2": 2, "i3": 3}, measures=OBJECTIVE)
    columns = "fold, sbs_train, sbs_test, sbs_all"
    assert table(con, "fold_sbs", columns) == [(1, "B", "A", "B"), (2, "B", "B", "B"), (3, "B", "A", "B")]
    columns = "closed_gap, remaining_gap, reason"
    found = one(con, "fold_gap", columns, "solver = 'A' and fold = 2")
    assert found == (None, None, "an instance without cost")
    assert one(con, "fold_gap", columns, "solver = 'A' and fold = 3") == (1, 0, None)


# --- splits ---------------------------------------------------------------------------


def test_quantiles_over_splits(given: Given) -> None:
    # SBS of all is S; M closes 1/2, 4/5 and -2; on the last fold nobody closes any.
    data = runs(
        S=[110, 110, 110, 5],
        M=[60, 70, 310, 5],
        V=[10, 910, 910, 5],
        W=[910, 60, 910, 5],
        X=[910, 910, 10, 5],
    )
    folds = {f"i{i}": i for i in range(1, 5)}
    con = given(data, Protocol(sbs_scope="all"), cutoff="1000", folds=folds)
    columns = "n_splits, n_undefined, mean, least, q05, q25, median, q75, q95, most"
    found = one(con, "split_gap", columns, "solver = 'M'")
    assert found == (3, 1, round(-0.7 / 3, 6), -2, -1.75, -0.75, 0.5, 0.65, 0.77, 0.8)
    columns = "sd, geometric, beats_sbs"
    assert one(con, "split_gap", columns, "solver = 'M'") == (1.537314, None, 0.666667)
    assert one(con, "split_gap", columns, "solver = 'SBS'") == (0, None, 0)
    assert one(con, "split_gap", columns, "solver = 'VBS'") == (0, 1, 1)


def test_how_often_each_is_sbs(given: Given) -> None:
    con = given(runs(A=[1, 2, 9], B=[5, 6, 4], C=[9, 9, 9]), folds={"i1": 1, "i2": 2, "i3": 3})
    columns = "algorithm, n_splits, n_train, n_test, share_train, share_test"
    # Totals without each fold: A 11, 10, 3; B 10, 9, 11.
    assert table(con, "split_sbs", columns) == [
        ("A", 3, 1, 2, 0.333333, 0.666667),
        ("B", 3, 2, 1, 0.666667, 0.333333),
    ]
    assert table(given(runs(A=[1], B=[5])), "split_sbs", columns) == [("A", 1, 0, 1, 0, 1)]


def test_the_winner_over_splits_of_unequal_size(given: Given) -> None:
    # A costs 25 in the mean of instances, B 32.5; of folds 40 and 25.
    data = runs(A=[10, 10, 10, 70], B=[40, 40, 40, 10], C=[None, 1, 1, 1])
    con = given(data, LEFT_OUT, folds={"i1": 1, "i2": 1, "i3": 1, "i4": 2}, measures=OBJECTIVE)
    columns = "n_solvers, n_splits, winner_tied, winner_cost, n_won, n_winners, changed"
    assert table(con, "split_winner", columns) == [(2, 2, ["A"], 25, 1, 2, 0.5)]


@pytest.mark.parametrize(("often", "seldom"), ["AB", "BA"])
def test_of_winners_that_tie_the_one_that_wins_fewest_splits_counts(
    given: Given, often: str, seldom: str
) -> None:
    data = runs(**{often: [10, 20, 60], seldom: [20, 30, 40], "C": [90, 90, 90]})
    con = given(data, folds={"i1": 1, "i2": 2, "i3": 3})
    columns = "winner, winner_tied, winner_cost, n_won, n_winners, changed"
    assert table(con, "split_winner", columns) == [("A", ["A", "B"], 30, 1, 2, 0.666667)]


def test_repetitions_of_a_split_are_apart(given: Given) -> None:
    cv = [(f"i{i}", r, f) for r, f2 in ((1, 2), (2, 1)) for i, f in ((1, 1), (2, f2))]
    con = given(runs(A=[1, 9], B=[4, 2]), files={"cv.arff": arff(CV, cv)})
    assert table(con, "fold_solver", "cv_repetition, fold, solver, cost, n_instances", ALGORITHM) == [
        (1, 1, "A", 1, 1),
        (1, 1, "B", 4, 1),
        (1, 2, "A", 9, 1),
        (1, 2, "B", 2, 1),
        (2, 1, "A", 5, 2),
        (2, 1, "B", 3, 2),
    ]
    assert table(con, "fold_sbs", "cv_repetition, fold, sbs_train, sbs_test, sbs_all") == [
        (1, 1, "B", "A", "B"),
        (1, 2, "A", "B", "B"),
        (2, 1, None, "B", "B"),
    ]
    columns = "solver, n_splits, n_better, n_worse"
    assert table(con, "split_pair", columns) == [("A", 3, 1, 2), ("B", 3, 2, 1)]


# --- tables of papers -----------------------------------------------------------------

# x takes the best but on i3, y always B; SBS is B.
SAYS = {
    "y": {i: [("B", None)] for i in ("i1", "i2", "i3", "i4")},
    "x": {"i1": [("A", None)], "i2": [("A", None)], "i3": [("B", None)]},
}


@pytest.fixture
def asked(given: Given) -> duckdb.DuckDBPyConnection:
    return given(PAIR, says=SAYS)


S: tuple[str, ...] = ("default", "S", "runtime")


def test_the_table_of_algorithms(given: Given) -> None:
    con = given(PAIR, says=SAYS)
    # Points: i1 4/5 and 1/5, i2 1/2 each, i3 B alone.
    assert printed(con, "algorithms") == [
        (*S, "B", 4, 0.75, 80, 280, None, 1, 0.425),
        (*S, "A", 4, 0.5, 107.5, 507.5, None, 0, 0.325),
    ]
    con = given(runs(A=[None], C=[2], B=[2], D=[1]), LEFT_OUT, measures=OBJECTIVE)
    assert [row[3] for row in printed(con, "algorithms")] == ["D", "B", "C", "A"]


def test_the_table_of_scenarios(asked: duckdb.DuckDBPyConnection) -> None:
    assert printed(asked, "scenarios") == [(*S, 4, 2, 1, 100, "B", 280, 272.5, round(280 / 272.5, 6))]


def test_the_tables_of_closed_gaps_and_par10(asked: duckdb.DuckDBPyConnection) -> None:
    assert printed(asked, "closed_gap") == [(*S, 4, "x", 1), (*S, 4, "y", 0)]
    assert printed(asked, "par10") == [(*S, 4, 272.5, 280, "x", 272.5), (*S, 4, 272.5, 280, "y", 280)]


def test_par10_is_of_runtimes(given: Given) -> None:
    con = given(runs(A=[1], B=[2]), says={"x": {"i1": [("A", None)]}}, measures=OBJECTIVE)
    assert printed(con, "par10") == []


def test_the_table_of_losses(asked: duckdb.DuckDBPyConnection) -> None:
    found = printed(asked, "losses")
    assert [row[5] for row in found[:6]] == [
        "wrong choice",
        "schedule",
        "feature cost",
        "cut off",
        "no answer",
        "run outside",
    ]
    assert [(row[3], row[6]) for row in found] == [*[("x", 0)] * 6, ("y", 1), *[("y", 0)] * 5]


def test_the_table_of_ranks(asked: duckdb.DuckDBPyConnection) -> None:
    assert [row for row in printed(asked, "ranks") if row[1] in {"closed_gap", "sgm"}] == [
        ("default", "closed_gap", 1, 1, "x", 1),
        ("default", "closed_gap", 1, 1, "y", 2),
        ("default", "sgm", 1, 1, "x", 1),
        ("default", "sgm", 1, 1, "y", 2),
    ]


def test_who_is_not_in_every_scenario_comes_last(given: Given) -> None:
    # In T, which only y answers, it always takes A, far below SBS.
    given(PAIR, says=SAYS)
    con = given(PAIR, name="T", says=SAYS)
    columns = f"scenario_id, {SELECTION}"
    con.execute(
        f"insert into raw_selection by name select * replace ('T' as scenario_id,"
        f" 'A' as name) from (select {columns} from raw_selection) where selector = 'y'"
    )
    settle(con)
    names = list(find_tables()["selectors"].columns)
    kept = ("solver", "n_scenarios", "n_gaps", "n_borda", "n_bordas", "closed_gap")
    assert [
        tuple(row[name] for name in kept)
        for row in [dict(zip(names, row, strict=True)) for row in printed(con, "selectors")]
    ] == [("y", 2, 2, 2, 2, pytest.approx(-30.333333 / 2, abs=1e-5)), ("x", 1, 2, 1, 2, 1)]


def test_the_order_of_selectors(given: Given) -> None:
    x, y = printed(given(PAIR, says=SAYS), "selectors")
    # x: i1 to i3 as VBS; points i1 4/5, i2 and i3 1/2; nobody solves i4.
    speedup = round(272.5 / 280, 6)
    incomplete = round((11 / 41 + 3) / 4, 6)
    counts = (1, 1, 1, 1, 1, 1, 1)
    assert x == ("default", "x", 1, 1, 1, 1, 1, 0.45, 1, *counts)
    assert y == ("default", "y", 1, 0, 0, speedup, incomplete, 0.3, 2, *counts)
