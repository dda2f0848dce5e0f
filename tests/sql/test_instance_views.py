"""Views per instance: what its repetitions come to, and the baselines.

Unless said otherwise the cutoff is 100 and the protocol is ``default``, so that a timeout costs 1000
(PAR10).
"""

from __future__ import annotations

import pytest

from aslib_eval.database.protocol import Protocol
from tests.conftest import Row
from tests.lab import OBJECTIVE, OUT, PAIR, Cell, Given, repeated, runs, table

# --- instance_algorithm: repetitions as one -----------------------------------------

MERGED = "algorithm, repetition, n_repetitions, solved, time, par1, par2, par10, cost"


@pytest.mark.parametrize(
    ("repetitions", "expected"),
    [
        # A repeats 10, timeout: (10 + 100)/2 = 55, (10 + 200)/2 = 105, 505.
        ("mean_par", [("A", 0, 2, 0.5, 55, 55, 105, 505, 505)]),
        # Median 55; ok and timeout are equally frequent, repetition 1 decides.
        ("median", [("A", 0, 2, 1, 55, 55, 55, 55, 55)]),
        # A failure counts as 101: (10 + 101)/2 = 55.5 is within the cutoff.
        ("mean_runtime", [("A", 0, 2, 1, 55.5, 55.5, 55.5, 55.5, 55.5)]),
        ("first", [("A", 0, 2, 1, 10, 10, 10, 10, 10)]),
        ("separate", [("A", 1, 1, 1, 10, 10, 10, 10, 10), ("A", 2, 1, 0, 100, 100, 200, 1e3, 1e3)]),
    ],
)
def test_instance_algorithm_merges_repetitions(given: Given, repetitions: str, expected: list[Row]) -> None:
    con = given(repeated(A=[10, OUT]), Protocol(repetitions=repetitions))
    assert table(con, "instance_algorithm", MERGED) == expected


@pytest.mark.parametrize(
    ("statuses", "solved", "time"),
    [
        ((10, 20, OUT), 1, 20),  # ok is the most frequent
        ((10, OUT, OUT), 0, 100),
        ((OUT, 10), 0, 100),  # tie: repetition 1
        ((10, "crash"), 1, 55),
        ((10, "crash", "crash"), 0, 100),
        ((10, "memout", "memout"), 0, 100),
        ((10, "crash", OUT), 1, 100),  # three of one each; the median is the cutoff
        ((10, 20, OUT, "crash"), 1, 60),  # ok leads although half failed
        ((10, 150, 150), 0, 100),  # ok, but too late: not solved
    ],
)
def test_instance_algorithm_median_has_the_modal_status(
    given: Given, statuses: tuple[Cell, ...], solved: int, time: float
) -> None:
    con = given(repeated(A=statuses), Protocol(repetitions="median"))
    par10 = time if solved else 1000
    assert table(con, "instance_algorithm", "solved, time, par10") == [(solved, time, par10)]


def test_instance_algorithm_mean_runtime_at_its_edge(given: Given) -> None:
    # A: (101 + 99)/2 = 100, just solved. B: (101 + 99.5)/2 = 100.25, not. C: 101.
    con = given(repeated(A=[OUT, 99], B=[OUT, 99.5], C=[OUT, OUT]), Protocol(repetitions="mean_runtime"))
    assert table(con, "instance_algorithm", "algorithm, solved, time, par10") == [
        ("A", 1, 100, 100),
        ("B", 0, 100, 1000),
        ("C", 0, 100, 1000),
    ]


def test_instance_algorithm_mean_runtime_of_one_run_at_the_cutoff(given: Given) -> None:
    con = given(runs(A=[100], B=[99]), Protocol(repetitions="mean_runtime", at_cutoff="solved"))
    assert table(con, "instance_algorithm", "algorithm, solved, par10") == [("A", 1, 100), ("B", 1, 99)]


def test_instance_algorithm_first_is_the_lowest_repetition(given: Given) -> None:
    con = given([("i1", 3, "A", 30, "ok"), ("i1", 2, "A", 100, "timeout")], Protocol(repetitions="first"))
    assert table(con, "instance_algorithm", "solved, par10") == [(0, 1000)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("repetitions", "values", "cost"),
    [
        ("mean_par", (2, 4, 9), 5),
        ("median", (2, 4, 9), 4),
        ("mean_runtime", (2, 4, 9), 5),
        ("first", (2, 4, 9), 2),
        ("mean_par", (2, None), 3),  # the failed one costs 2 + 2
        ("median", (2, None), 3),
        ("first", (None, 2), 4),
        ("mean_par", (None, None), None),  # nobody has a value
        ("first", (2, None), 2),
    ],
)
def test_instance_algorithm_of_quality(
    given: Given, repetitions: str, values: tuple[Cell, ...], cost: float | None
) -> None:
    con = given(repeated(A=values), Protocol(repetitions=repetitions), measures=OBJECTIVE)
    assert table(con, "instance_algorithm", "time, par1, par10, cost") == [(None, None, None, cost)]


def test_instance_algorithm_counts_who_solves_the_instance(given: Given) -> None:
    con = given(runs(A=[10, OUT, OUT], B=[20, 30, OUT]))
    assert table(con, "instance_algorithm", "instance_id, algorithm, n_solving") == [
        ("i1", "A", 2),
        ("i1", "B", 2),
        ("i2", "A", 1),
        ("i2", "B", 1),
        ("i3", "A", 0),
        ("i3", "B", 0),
    ]


# --- instance_solver ----------------------------------------------------------------


def test_instance_solver_adds_the_baselines(given: Given) -> None:
    con = given(PAIR)
    columns = "instance_id, solver, solved, time, par10, vbs_par1, vbs_cost"
    assert table(con, "instance_solver", columns, "kind = 'baseline'") == [
        ("i1", "SBS", 1, 40, 40, 10, 10),
        ("i1", "VBS", 1, 10, 10, 10, 10),
        ("i1", "VWS", 1, 40, 40, 10, 10),
        ("i2", "SBS", 1, 20, 20, 20, 20),
        ("i2", "VBS", 1, 20, 20, 20, 20),
        ("i2", "VWS", 1, 20, 20, 20, 20),
        ("i3", "SBS", 1, 60, 60, 60, 60),
        ("i3", "VBS", 1, 60, 60, 60, 60),
        ("i3", "VWS", 0, 100, 1000, 60, 60),
        ("i4", "SBS", 0, 100, 1000, 100, 1000),
        ("i4", "VBS", 0, 100, 1000, 100, 1000),
        ("i4", "VWS", 0, 100, 1000, 100, 1000),
    ]


def test_instance_solver_keeps_the_algorithms(given: Given) -> None:
    columns = "instance_id, solver, par1, par2, par10, cost, n_solving"
    assert table(given(PAIR), "instance_solver", columns, "kind = 'algorithm'")[4:] == [
        ("i3", "A", 100, 200, 1000, 1000, 1),
        ("i3", "B", 60, 60, 60, 60, 1),
        ("i4", "A", 100, 200, 1000, 1000, 0),
        ("i4", "B", 100, 200, 1000, 1000, 0),
    ]


def test_instance_solver_drops_what_nobody_solves(given: Given) -> None:
    found = table(given(PAIR, Protocol(unsolvable="drop")), "instance_solver", "distinct instance_id")
    assert found == [("i1",), ("i2",), ("i3",)]


def test_instance_solver_vws_has_no_cost_if_one_is_missing(given: Given) -> None:
    con = given(runs(A=[3], B=[None]), Protocol(failures="left_out"), measures=OBJECTIVE)
    assert table(con, "instance_solver", "solver, cost, vbs_par1, vbs_cost", "kind = 'baseline'") == [
        ("SBS", 3, 3, 3),
        ("VBS", 3, 3, 3),
        ("VWS", None, 3, 3),
    ]
