"""Selectors as a portfolio, their speedups, and totals without a scenario."""

from __future__ import annotations

from typing import Any

from aslib_eval.database.protocol import Protocol
from aslib_eval.database.sqlfiles import find_tables
from aslib_eval.tables.paper_table import paper_table
from tests.conftest import rows
from tests.lab import OBJECTIVE, OUT, Given, InMemory, one, runs, table

# PAR10: A 10, 1000; B 40, 20: SBS, mean 30; VBS 15.
TWO: dict[str, Any] = {"A": [10, OUT], "B": [40, 20]}
A, B = [("A", None)], [("B", None)]
SAYS = {"right": {"i1": A, "i2": B}, "wrong": {"i1": B, "i2": A}, "safe": {
    "i1": B, "i2": B}}  # fmt: skip


def test_selectors_as_a_portfolio(given: Given) -> None:
    # wrong costs 40, 1000; late 70 + 10, 20: their VBS 40, 20.
    late = {"i1": [("B", 39), ("A", None)], "i2": B}
    con = given(runs(**TWO), says={"wrong": SAYS["wrong"], "late": late})
    columns = "n_instances, n_selectors, best, best_tied, best_cost, choice_cost"
    assert one(con, "scenario_selectors", columns, "true") == (2, 2, "late", ["late"], 34.5, 30)
    found = one(con, "scenario_selectors", "best_gap, choice_gap, room, share", "true")
    assert found == (-0.3, 0, 0.3, round(0.3 / 1.3, 6))


def test_a_perfect_selector_leaves_no_share(given: Given) -> None:
    con = given(runs(**TWO), says=SAYS)
    columns = "best, best_gap, choice_gap, room, share"
    assert one(con, "scenario_selectors", columns, "true") == ("right", 1, 1, 0, None)


def test_selectors_that_tie_are_all_named(given: Given) -> None:
    con = given(runs(**TWO), says={"z": SAYS["safe"], "y": SAYS["safe"], "x": SAYS["wrong"]})
    assert one(con, "scenario_selectors", "best, best_tied, best_cost", "true") == ("y", ["y", "z"], 30)


def test_an_algorithm_called_like_a_selector_is_not_in_its_portfolio(given: Given) -> None:
    con = given(runs(**TWO), says={"A": SAYS["safe"], "wrong": SAYS["wrong"]})
    assert one(con, "scenario_selectors", "n_selectors, best, choice_cost", "true") == (2, "A", 30)


def test_one_selector_is_no_portfolio(given: Given) -> None:
    assert rows(given(runs(**TWO), says={"right": SAYS["right"]}), "from scenario_selectors") == []


def test_a_selector_without_a_cost_is_not_part_of_the_portfolio(given: Given) -> None:
    # x chooses the run without a value; y costs 7, z 8, and the better of them 7.
    left_out = Protocol(failures="left_out")
    answers = {"x": {"i1": A, "i2": A}, "y": {"i1": B, "i2": B}, "z": {"i1": A, "i2": B}}
    con = given(runs(A=[9, None], B=[7, 7]), left_out, says=answers, measures=OBJECTIVE)
    columns = "n_selectors, best, best_cost, choice_cost"
    assert one(con, "scenario_selectors", columns, "true") == (2, "y", 7, 7)


def test_speedup_by_instance(given: Given) -> None:
    con = given(runs(**TWO), says=SAYS)
    columns = "solver, n_instances, n_faster, n_equal, n_slower, q25, median, pooled"
    # right: 40/10 and 20/20; wrong: 1 and 20/1000; safe is SBS.
    assert table(con, "solver_speedup", columns) == [
        ("right", 2, 1, 1, 0, 1.75, 2.5, 2),
        ("safe", 2, 0, 2, 0, 1, 1, 1),
        ("wrong", 2, 0, 1, 1, 0.265, 0.51, round(60 / 1040, 6)),
    ]
    assert one(con, "solver_speedup", "geometric, q05, q95", "solver = 'right'") == (
        2, 1.15, 3.85,
    )  # fmt: skip


def test_a_selector_of_cost_0_has_no_speedup(given: Given) -> None:
    # SBS is B; on i1 x chooses A, which costs nothing.
    con = given(runs(A=[0, 90], B=[5, 5]), says={"x": {"i1": A, "i2": B}})
    columns = "n_instances, n_undefined, n_faster, n_equal, n_slower, pooled"
    assert one(con, "solver_speedup", columns, "true") == (1, 1, 0, 1, 0, 1)


def test_a_cost_of_0_has_no_speedup(given: Given) -> None:
    # A and B tie: SBS is A, by name.
    con = given(runs(A=[0, 10], B=[5, 5]), says={"right": {"i1": A, "i2": B}})
    columns = "n_instances, n_undefined, n_faster, n_slower, median"
    assert one(con, "solver_speedup", columns, "true") == (1, 1, 1, 0, 2)


def test_a_total_without_each_scenario(given: Given) -> None:
    given(runs(**TWO), name="S")
    con = given(runs(A=[30, 30], B=[10, 40], C=[40, 10]), name="T")
    where = "kind = 'algorithm' and metric = 'borda' and solver = 'A'"
    columns = "scenario_id, score, total, mean, n_scenarios, rank, total_all, rank_all"
    # Means over two instances of 40/50 and 0; of 10/40 + 40/70 and 40/70 + 10/40.
    s, t = 0.4, 10 / 40 + 40 / 70
    assert table(con, "suite_without", columns, where) == [
        ("S", s, round(t, 6), round(t, 6), 1, 3, round(s + t, 6), 2),
        ("T", round(t, 6), s, s, 1, 2, round(s + t, 6), 2),
    ]


def test_who_took_part_in_fewer_scenarios_has_no_rank(given: Given) -> None:
    for name in ("S", "U"):
        given(runs(**TWO), name=name)
    con = given(runs(A=[30, 30], B=[10, 40], C=[40, 10]), name="T")
    where = "kind = 'algorithm' and metric = 'borda' and scenario_id = 'S'"
    columns = "solver, n_scenarios, rank is null"
    assert table(con, "suite_without", columns, where) == [("A", 2, False), ("B", 2, False), ("C", 1, True)]


def test_who_wins_without_each_scenario(given: Given) -> None:
    con = given(runs(**TWO), says=SAYS)
    found = paper_table(InMemory(con), find_tables()["without"])
    assert [column.name for column in found.columns][:3] == ["left_out", "n_scenarios", "gap_first"]
    sql = find_tables()["without"].sql
    shown = "left_out, n_scenarios, gap_first, gap_total, gap_lead"
    assert rows(con, f"select {shown} from ({sql})") == [("(none)", 1, "right", 1, 1)]
