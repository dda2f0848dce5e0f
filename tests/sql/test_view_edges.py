"""Cases at the edge of a view that a small slip in its SQL would get wrong."""

from __future__ import annotations

from aslib_eval.database.protocol import Protocol
from tests.lab import OBJECTIVE, Given, repeated, runs, table


def test_crash_can_be_the_most_frequent_status(given: Given) -> None:
    con = given(repeated(A=[10, "crash", "crash"]), Protocol(repetitions="median"))
    assert table(con, "instance_algorithm", "solved, par10") == [(0, 1000)]


def test_incomplete_has_no_negative_cost(given: Given) -> None:
    outside = [("x", "none", 1, None, "i1", 1.0, "ok", -0.5, False)]
    con = given(runs(A=[1], B=[3]), outside=outside, measures=OBJECTIVE)
    found = table(con, "solver_score", "solver, incomplete", "kind <> 'baseline'")
    assert found == [("A", 1), ("B", 0.5), ("x", None)]
