"""Views of folds and single runs: given rows → expected rows, computed by hand.

Unless said otherwise the cutoff is 100 and the protocol is ``default``, so that a timeout costs 1000
(PAR10).
"""

from __future__ import annotations

import pytest

from aslib_eval.database.protocol import CHOICES, Protocol
from tests.conftest import CV, arff
from tests.lab import BOTH, OBJECTIVE, OUT, PAIR, Cell, Given, copy, repeated, runs, table

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


def test_stg_run_measures(given: Given) -> None:
    data = [("i1", 1, "A", 7, 0.9, "ok")]
    asked = [Protocol(name, measures=name) for name in ("primary", "accuracy", "all")]
    assert table(given(data, *asked, measures=BOTH), "stg_run", "protocol, measure, cost") == [
        ("accuracy", "accuracy", -0.9),
        ("all", "accuracy", -0.9),
        ("all", "runtime", 7),
        ("primary", "runtime", 7),
    ]


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


def test_run_counted_separate_leaves_out_a_repetition_of_one_measure_and_scenario(given: Given) -> None:
    data = [(f"i{i}", at, name, 1, 1, "ok") for i in (1, 2) for at in (1, 2) for name in "AB"]
    con = given(data, Protocol(repetitions="separate", measures="all"), measures=BOTH)
    copy(con)
    con.execute("delete from raw_run where scenario_id = 'S' and measure = 'runtime' and algorithm = 'B'"
                " and instance_id = 'i1' and repetition = 2")  # fmt: skip
    found = table(con, "run_counted", "scenario_id, measure, instance_id, repetition", "algorithm = 'A'")
    assert found == [
        (scenario, measure, i, at)
        for scenario in "ST"
        for measure in ("accuracy", "runtime")
        for i in ("i1", "i2")
        for at in (1, 2)
        if (scenario, measure, i, at) != ("S", "runtime", "i1", 2)
    ]


def test_run_counted_separate_keeps_what_all_algorithms_have(given: Given) -> None:
    con = given(repeated(A=[7, 8], B=[9, OUT]), Protocol(repetitions="separate"))
    assert table(con, "run_counted", "repetition, algorithm, several, time") == [
        (1, "A", False, 7),
        (1, "B", False, 9),
        (2, "A", False, 8),
        (2, "B", False, 100),
    ]


# --- Views per instance: what its repetitions come to, and the baselines ------------

# --- instance_algorithm: repetitions as one -----------------------------------------


def by_repetitions() -> list[Protocol]:
    """A protocol for each way to merge repetitions, called like it."""
    return [Protocol(name, repetitions=name) for name in CHOICES["repetitions"]]


def test_instance_algorithm_merges_repetitions(given: Given) -> None:
    con = given(repeated(A=[10, OUT]), *by_repetitions())
    columns = "protocol, repetition, n_repetitions, solved, time, par1, par2, par10, cost"
    assert table(con, "instance_algorithm", columns) == [
        ("first", 0, 2, 1, 10, 10, 10, 10, 10),
        # (10 + 100)/2 = 55, (10 + 200)/2 = 105, 505.
        ("mean_par", 0, 2, 0.5, 55, 55, 105, 505, 505),
        # A failure counts as 101: (10 + 101)/2 = 55.5 is within the cutoff.
        ("mean_runtime", 0, 2, 1, 55.5, 55.5, 55.5, 55.5, 55.5),
        # Median 55; ok and timeout are equally frequent, repetition 1 decides.
        ("median", 0, 2, 1, 55, 55, 55, 55, 55),
        ("separate", 1, 1, 1, 10, 10, 10, 10, 10),
        ("separate", 2, 1, 0, 100, 100, 200, 1e3, 1e3),
    ]


def test_instance_algorithm_median_has_the_modal_status(given: Given) -> None:
    cases: list[tuple[tuple[Cell, ...], int, float]] = [
        ((10, 20, OUT), 1, 20),  # ok is the most frequent
        ((10, OUT, OUT), 0, 100),
        ((OUT, 10), 0, 100),  # tie: repetition 1
        ((10, "crash"), 1, 55),
        ((10, "crash", "crash"), 0, 100),
        ((10, "memout", "memout"), 0, 100),
        ((10, "crash", OUT), 1, 100),  # three of one each; the median is the cutoff
        ((10, 20, OUT, "crash"), 1, 60),  # ok leads although half failed
        ((10, 150, 150), 0, 100),  # ok, but too late: not solved
    ]
    data = repeated(**{name: statuses for name, (statuses, *_) in zip("ABCDEFGHI", cases, strict=True)})
    con = given(data, Protocol(repetitions="median"))
    assert table(con, "instance_algorithm", "solved, time, par10, algorithm") == sorted(
        (solved, time, time if solved else 1000, name)
        for name, (_, solved, time) in zip("ABCDEFGHI", cases, strict=True)
    )


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
