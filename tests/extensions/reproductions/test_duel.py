"""Two selectors against each other, on a tiny lake."""

from __future__ import annotations

from aslib_eval.database.sqlfiles import frame_file
from tests.lab import Given, runs


def test_a_duel_is_of_selectors_whatever_algorithms_are_called(given: Given) -> None:
    right = {"i1": [("A", 100.0)], "i2": [("z", 100.0)]}
    wrong = {"i1": [("z", 100.0)], "i2": [("A", 100.0)]}
    con = given(runs(A=[1, 30], z=[20, 2]), says={"A": wrong, "z": right})
    found = con.sql(frame_file("duel").sql, params={"asap": "A", "rf": "z"})
    columns = found.select("solver, closed_gap, n_better").order("solver")
    assert columns.fetchall() == [("A", (22 - 50) / (22 - 3), 0), ("z", 1, 2)]
