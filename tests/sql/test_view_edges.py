"""Cases at the edge of a view that a small slip in its SQL would get wrong."""

from __future__ import annotations

from aslib_eval.database.protocol import Protocol
from tests.lab import OBJECTIVE, Given, repeated, runs, table


def test_crash_can_be_the_most_frequent_status(given: Given) -> None:
    con = given(repeated(A=[10, "crash", "crash"]), Protocol(repetitions="median"))
    assert table(con, "instance_algorithm", "solved, par10") == [(0, 1000)]


def test_relative_delta_is_of_the_smaller_time(given: Given) -> None:
    # 1 apart: more than 9.5 % of 10, less than 9.5 % of 11.
    protocol = Protocol(borda_delta=0.095, borda_delta_kind="relative")
    con = given(runs(A=[10], B=[11]), protocol)
    found = table(con, "solver_borda", "solver, borda", "kind = 'algorithm'")
    assert found == [("A", 0.52381), ("B", 0.47619)]


def test_incomplete_has_no_negative_cost(given: Given) -> None:
    outside = [("x", "none", 1, None, "i1", 1.0, "ok", -0.5, False)]
    con = given(runs(A=[1], B=[3]), outside=outside, measures=OBJECTIVE)
    found = table(con, "solver_score", "solver, incomplete", "kind <> 'baseline'")
    assert found == [("A", 1), ("B", 0.5), ("x", None)]


def test_equal_costs_of_a_split_are_half_a_win(given: Given) -> None:
    con = given(runs(A=[5, 5], B=[5, 5]), folds={"i1": 1, "i2": 2})
    assert table(con, "split_pair", "solver, beats") == [("A", 0.5), ("B", 0.5)]
