"""Views of folds and single runs: given rows → expected rows, computed by hand.

Unless said otherwise the cutoff is 100 and the protocol is ``default``, so that a timeout costs 1000
(PAR10).
"""

from __future__ import annotations

import pytest

from aslib_eval.database.protocol import Protocol
from tests.conftest import CV, Row, arff
from tests.lab import ACCURACY, BOTH, OBJECTIVE, OUT, Given, repeated, runs, table

# --- stg_run: what counts as solved, and what a run costs ---------------------------

STATUS = "algorithm, solved, time, cost"


def test_stg_run_never_uses_the_time_of_an_unsolved_run(given: Given) -> None:
    data = [
        ("i1", 1, "fine", 10, "ok"),
        ("i1", 1, "early_crash", 5, "crash"),
        ("i1", 1, "penalised", 1000, "timeout"),
        ("i1", 1, "late", 101, "ok"),
        ("i1", 1, "unknown", None, "crash"),
        ("i1", 1, "out_of_memory", 30, "memout"),
        ("i1", 1, "refused", 0, "not_applicable"),
        ("i1", 1, "strange", 1, "other"),
    ]
    assert table(given(data), "stg_run", STATUS) == [
        ("early_crash", False, 100, 1000),
        ("fine", True, 10, 10),
        ("late", False, 100, 1000),
        ("out_of_memory", False, 100, 1000),
        ("penalised", False, 100, 1000),
        ("refused", False, 100, 1000),
        ("strange", False, 100, 1000),
        ("unknown", False, 100, 1000),
    ]


def test_stg_run_exactly_at_the_cutoff(given: Given) -> None:
    strict = Protocol(protocol="strict")
    con = given(runs(A=[100, 99.5, 100.5]), strict, Protocol(protocol="lenient", at_cutoff="solved"))
    assert table(con, "stg_run", "protocol, instance_id, solved, cost") == [
        ("lenient", "i1", True, 100),
        ("lenient", "i2", True, 99.5),
        ("lenient", "i3", False, 1000),
        ("strict", "i1", False, 1000),
        ("strict", "i2", True, 99.5),
        ("strict", "i3", False, 1000),
    ]


def test_stg_run_cost_has_the_penalty_of_the_protocol(given: Given) -> None:
    con = given(runs(A=[7, OUT]), Protocol(penalty=2))
    assert table(con, "stg_run", "instance_id, cost") == [("i1", 7), ("i2", 200)]


@pytest.mark.parametrize("cutoff", ["0", "'?'"])
def test_stg_run_a_runtime_without_cutoff_is_never_a_number(given: Given, cutoff: str) -> None:
    con = given(runs(A=[7, OUT]), cutoff=cutoff)
    assert table(con, "stg_run", "instance_id, cutoff, solved, time, cost") == [
        ("i1", None, None, None, None),
        ("i2", None, None, None, None),
    ]


def test_stg_run_of_a_quality_that_is_minimised(given: Given) -> None:
    # The file's value is the cost whatever the status: scenarios put the worst there.
    # C is worse than the worst that has a value (A's 3) by A's own size.
    data = [("i1", 1, "A", 3, "ok"), ("i1", 1, "B", 9, "crash"), ("i1", 1, "C", None, "other")]
    assert table(given(data, measures=OBJECTIVE), "stg_run", STATUS) == [
        ("A", True, None, 3),
        ("B", False, None, 9),
        ("C", False, None, 6),
    ]


def test_stg_run_of_a_quality_that_is_maximised_is_negated(given: Given) -> None:
    con = given(runs(A=[0.9], B=[0.7]), measures=ACCURACY, cutoff="0")
    assert table(con, "stg_run", STATUS) == [("A", True, None, -0.9), ("B", True, None, -0.7)]


@pytest.mark.parametrize(
    ("measures", "expected"),
    [
        ("primary", [("runtime", 7)]),
        ("accuracy", [("accuracy", -0.9)]),
        ("all", [("accuracy", -0.9), ("runtime", 7)]),
    ],
)
def test_stg_run_measures(given: Given, measures: str, expected: list[Row]) -> None:
    con = given([("i1", 1, "A", 7, 0.9, "ok")], Protocol(measures=measures), measures=BOTH)
    assert table(con, "stg_run", "measure, cost") == expected


# --- stg_fold -----------------------------------------------------------------------


def test_stg_fold_counts_identical_cv_repetitions_once(given: Given) -> None:
    # Repetition 2 repeats 1; repetition 3 swaps the folds.
    split = [(1, 1, 2), (2, 1, 2), (3, 2, 1)]
    cv = [(f"i{i}", r, f) for r, *folds in split for i, f in enumerate(folds, start=1)]
    con = given(runs(A=[1, 2]), files={"cv.arff": arff(CV, cv)})
    assert table(con, "stg_fold", "cv_scheme, cv_repetition, fold, instance_id") == [
        ("aslib", 1, 1, "i1"),
        ("aslib", 1, 2, "i2"),
        ("aslib", 3, 1, "i2"),
        ("aslib", 3, 2, "i1"),
    ]


# --- run_par ------------------------------------------------------------------------


def test_run_par(given: Given) -> None:
    con = given(runs(A=[10, OUT]), Protocol(penalty=5))
    assert table(con, "run_par", "instance_id, solved, time, par1, par2, par10, cost") == [
        ("i1", True, 10, 10, 10, 10, 10),
        ("i2", False, 100, 100, 200, 1000, 500),
    ]


def test_run_par_is_null_for_quality(given: Given) -> None:
    con = given(runs(A=[10]), measures=OBJECTIVE)
    assert table(con, "run_par", "par1, par2, par10, cost") == [(None, None, None, 10)]


# --- run_counted --------------------------------------------------------------------


def test_run_counted_makes_one_of_all_repetitions(given: Given) -> None:
    columns = "run_repetition, repetition, several, time"
    assert table(given(repeated(A=[7, 8])), "run_counted", columns) == [(1, 0, True, 7), (2, 0, True, 8)]


def test_run_counted_of_a_scenario_without_repetitions(given: Given) -> None:
    columns = "instance_id, run_repetition, repetition, several, time"
    assert table(given(runs(A=[7, 8])), "run_counted", columns) == [
        ("i1", 1, 0, False, 7),
        ("i2", 1, 0, False, 8),
    ]


def test_run_counted_separate_needs_every_algorithm_of_the_instance(given: Given) -> None:
    single = [("i1", 1, "B", 9, "ok")]  # it has no second run
    con = given([*repeated(A=[7, 8]), *single], Protocol(repetitions="separate"))
    columns = "algorithm, run_repetition, repetition, several, time"
    assert table(con, "run_counted", columns) == [("A", 1, 1, False, 7), ("B", 1, 1, False, 9)]


def test_run_counted_separate_keeps_what_all_algorithms_have(given: Given) -> None:
    con = given(repeated(A=[7, 8], B=[9, OUT]), Protocol(repetitions="separate"))
    assert table(con, "run_counted", "repetition, algorithm, several, time") == [
        (1, "A", False, 7),
        (1, "B", False, 9),
        (2, "A", False, 8),
        (2, "B", False, 100),
    ]
