"""Every view of sql/: given rows → expected rows, computed by hand in the comments.

Unless said otherwise the cutoff is 100 and the protocol is ``default``, so that a
timeout costs 1000 (PAR10).
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb
import pytest

import aslib_eval as ae
from aslib_eval.protocol import Protocol

from .conftest import ROOT, Row, arff, write_scenario
from .lab import Cell, Given, one, repeated, runs, table

OUT = "timeout"
OBJECTIVE = (("objective", "solution_quality", "false"),)
ACCURACY = (("accuracy", "solution_quality", "true"),)
BOTH = (("runtime", "runtime", "false"), ("accuracy", "solution_quality", "true"))
CV = {"instance_id": "STRING", "repetition": "NUMERIC", "fold": "NUMERIC"}


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
    lenient = Protocol(protocol="lenient", at_cutoff="solved")
    con = given(runs(A=[100, 99.5, 100.5]), strict, lenient)
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
def test_stg_run_a_runtime_without_cutoff_is_never_a_number(
    given: Given, cutoff: str
) -> None:
    con = given(runs(A=[7, OUT]), cutoff=cutoff)
    assert table(con, "stg_run", "instance_id, cutoff, solved, time, cost") == [
        ("i1", None, None, None, None),
        ("i2", None, None, None, None),
    ]


def test_stg_run_of_a_quality_that_is_minimised(given: Given) -> None:
    # The file's value is the cost whatever the status: scenarios put the worst there.
    data = [
        ("i1", 1, "A", 3, "ok"),
        ("i1", 1, "B", 9, "crash"),
        ("i1", 1, "C", None, "other"),
    ]
    assert table(given(data, measures=OBJECTIVE), "stg_run", STATUS) == [
        ("A", True, None, 3),
        ("B", False, None, 9),
        ("C", False, None, None),
    ]


def test_stg_run_of_a_quality_that_is_maximised_is_negated(given: Given) -> None:
    con = given(runs(A=[0.9], B=[0.7]), measures=ACCURACY, cutoff="0")
    assert table(con, "stg_run", STATUS) == [
        ("A", True, None, -0.9),
        ("B", True, None, -0.7),
    ]


@pytest.mark.parametrize(
    ("measures", "expected"),
    [
        ("primary", [("runtime", 7)]),
        ("accuracy", [("accuracy", -0.9)]),
        ("all", [("accuracy", -0.9), ("runtime", 7)]),
    ],
)
def test_stg_run_measures(given: Given, measures: str, expected: list[Row]) -> None:
    data = [("i1", 1, "A", 7, 0.9, "ok")]
    con = given(data, Protocol(measures=measures), measures=BOTH)
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
    columns = "instance_id, solved, time, par1, par2, par10, cost"
    assert table(con, "run_par", columns) == [
        ("i1", True, 10, 10, 10, 10, 10),
        ("i2", False, 100, 100, 200, 1000, 500),
    ]


def test_run_par_is_null_for_quality(given: Given) -> None:
    con = given(runs(A=[10]), measures=OBJECTIVE)
    assert table(con, "run_par", "par1, par2, par10, cost") == [(None, None, None, 10)]


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
        (
            "separate",
            [
                ("A", 1, 1, 1, 10, 10, 10, 10, 10),
                ("A", 2, 1, 0, 100, 100, 200, 1e3, 1e3),
            ],
        ),
    ],
)
def test_instance_algorithm_merges_repetitions(
    given: Given, repetitions: str, expected: list[Row]
) -> None:
    con = given(repeated(A=[10, OUT]), Protocol(repetitions=repetitions))
    assert table(con, "instance_algorithm", MERGED) == expected


@pytest.mark.parametrize(
    ("statuses", "solved", "time"),
    [
        ((10, 20, OUT), 1, 20),  # ok is the most frequent
        ((10, OUT, OUT), 0, 100),
        ((OUT, 10), 0, 100),  # tie: repetition 1
        ((10, "crash"), 1, 55),
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
    columns = "solved, time, par10"
    assert table(con, "instance_algorithm", columns) == [(solved, time, par10)]


def test_instance_algorithm_mean_runtime_at_its_edge(given: Given) -> None:
    # A: (101 + 99)/2 = 100, just solved. B: (101 + 99.5)/2 = 100.25, not. C: 101.
    data = repeated(A=[OUT, 99], B=[OUT, 99.5], C=[OUT, OUT])
    con = given(data, Protocol(repetitions="mean_runtime"))
    assert table(con, "instance_algorithm", "algorithm, solved, time, par10") == [
        ("A", 1, 100, 100),
        ("B", 0, 100, 1000),
        ("C", 0, 100, 1000),
    ]


def test_instance_algorithm_first_is_the_lowest_repetition(given: Given) -> None:
    data = [("i1", 3, "A", 30, "ok"), ("i1", 2, "A", 100, "timeout")]
    con = given(data, Protocol(repetitions="first"))
    assert table(con, "instance_algorithm", "solved, par10") == [(0, 1000)]


@pytest.mark.parametrize(
    ("repetitions", "values", "cost"),
    [
        ("mean_par", (2, 4, 9), 5),
        ("median", (2, 4, 9), 4),
        ("mean_runtime", (2, 4, 9), 5),
        ("first", (2, 4, 9), 2),
        ("mean_par", (2, None), None),  # one missing value: no cost
        ("median", (2, None), None),
        ("first", (None, 2), None),
        ("first", (2, None), 2),
    ],
)
def test_instance_algorithm_of_quality(
    given: Given, repetitions: str, values: tuple[Cell, ...], cost: float | None
) -> None:
    protocol = Protocol(repetitions=repetitions)
    con = given(repeated(A=values), protocol, measures=OBJECTIVE)
    found = table(con, "instance_algorithm", "time, par1, par10, cost")
    assert found == [(None, None, None, cost)]


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

# PAR10: A 10, 20, 1000, 1000, mean 507.5. B 40, 20, 60, 1000, mean 280: SBS.
PAIR = runs(A=[10, 20, OUT, OUT], B=[40, 20, 60, OUT])


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
    found = table(given(PAIR), "instance_solver", columns, "kind = 'algorithm'")
    assert found[4:] == [
        ("i3", "A", 100, 200, 1000, 1000, 1),
        ("i3", "B", 60, 60, 60, 60, 1),
        ("i4", "A", 100, 200, 1000, 1000, 0),
        ("i4", "B", 100, 200, 1000, 1000, 0),
    ]


def test_instance_solver_drops_what_nobody_solves(given: Given) -> None:
    con = given(PAIR, Protocol(unsolvable="drop"))
    found = table(con, "instance_solver", "distinct instance_id")
    assert found == [("i1",), ("i2",), ("i3",)]


def test_instance_solver_vws_has_no_cost_if_one_is_missing(given: Given) -> None:
    con = given(runs(A=[3], B=[None]), measures=OBJECTIVE)
    columns = "solver, cost, vbs_par1, vbs_cost"
    assert table(con, "instance_solver", columns, "kind = 'baseline'") == [
        ("SBS", 3, 3, 3),
        ("VBS", 3, 3, 3),
        ("VWS", None, 3, 3),
    ]


# --- fold_solver, fold_compared, fold_sbs, fold_gap ---------------------------------

# Folds {i1, i2} and {i3}.        i1  i2  i3
#   A on fold 1: 15, fold 2: 90   10  20  90   mean 40: SBS of all
#   B on fold 1: 45, fold 2: 60   40  50  60   mean 50
SPLIT = {
    "data": runs(A=[10, 20, 90], B=[40, 50, 60]),
    "folds": {"i1": 1, "i2": 1, "i3": 2},
}


def test_fold_solver(given: Given) -> None:
    columns = "fold, kind, solver, n_instances, solved, par1, par10, cost"
    assert table(given(**SPLIT), "fold_solver", columns) == [
        (1, "algorithm", "A", 2, 1, 15, 15, 15),
        (1, "algorithm", "B", 2, 1, 45, 45, 45),
        (1, "baseline", "SBS", 2, 1, 15, 15, 15),
        (1, "baseline", "VBS", 2, 1, 15, 15, 15),
        (1, "baseline", "VWS", 2, 1, 45, 45, 45),
        (2, "algorithm", "A", 1, 1, 90, 90, 90),
        (2, "algorithm", "B", 1, 1, 60, 60, 60),
        (2, "baseline", "SBS", 1, 1, 90, 90, 90),
        (2, "baseline", "VBS", 1, 1, 60, 60, 60),
        (2, "baseline", "VWS", 1, 1, 90, 90, 90),
    ]


def test_fold_sbs_is_chosen_on_other_folds_on_this_one_or_on_all(given: Given) -> None:
    con = given(**SPLIT)
    columns = "fold, n_instances, sbs_train, sbs_test, sbs_all"
    assert table(con, "fold_sbs", columns) == [
        (1, 2, "B", "A", "A"),
        (2, 1, "A", "B", "A"),
    ]
    costs = "sbs_train_cost, sbs_test_cost, sbs_all_cost, vbs_cost, vws_cost"
    expected = [(1, 45, 15, 15, 15, 45), (2, 90, 60, 90, 60, 90)]
    assert table(con, "fold_sbs", f"fold, {costs}") == expected


def test_fold_sbs_weighs_folds_by_their_instances(given: Given) -> None:
    # Outside fold 3: A 10, 10, 10 | 70 = 100; B 40, 40, 40 | 10 = 130. Means of the
    # folds would prefer B: 25 to 40.
    data = runs(A=[10, 10, 10, 70, 50], B=[40, 40, 40, 10, 50])
    folds = {"i1": 1, "i2": 1, "i3": 1, "i4": 2, "i5": 3}
    con = given(data, folds=folds)
    assert one(con, "fold_sbs", "sbs_train, sbs_all", "fold = 3") == ("A", "A")


def test_fold_compared_sets_every_solver_beside_the_sbs(given: Given) -> None:
    columns = "fold, kind, solver, cost, sbs_train, sbs_train_cost, vbs_cost"
    assert table(given(**SPLIT), "fold_compared", columns) == [
        (1, "algorithm", "A", 15, "B", 45, 15),
        (1, "algorithm", "B", 45, "B", 45, 15),
        (1, "baseline", "SBS", 15, "B", 45, 15),
        (1, "baseline", "VBS", 15, "B", 45, 15),
        (1, "baseline", "VWS", 45, "B", 45, 15),
        (2, "algorithm", "A", 90, "A", 90, 60),
        (2, "algorithm", "B", 60, "A", 90, 60),
        (2, "baseline", "SBS", 90, "A", 90, 60),
        (2, "baseline", "VBS", 60, "A", 90, 60),
        (2, "baseline", "VWS", 90, "A", 90, 60),
    ]


def test_fold_gap_by_scope_of_the_sbs(given: Given) -> None:
    # Fold 1: SBS of training B = 45, VBS 15; A closes (45 - 15)/(45 - 15) = 1. With
    # SBS of the test fold or of all, SBS = VBS: no gap.
    con = given(**SPLIT)
    gaps = "closed_gap, closed_gap_train, closed_gap_test, closed_gap_all, reason"
    where = "kind = 'algorithm'"
    assert table(con, "fold_gap", f"fold, solver, {gaps}", where) == [
        (1, "A", 1, 1, None, None, None),
        (1, "B", 0, 0, None, None, None),
        (2, "A", 0, 0, None, 0, None),
        (2, "B", 1, 1, None, 1, None),
    ]


@pytest.mark.parametrize(
    ("scope", "expected"),
    [
        ("train", ("B", 45, 1, 0, None)),
        ("test", ("A", 15, None, None, "SBS equals VBS")),
        ("all", ("A", 15, None, None, "SBS equals VBS")),
    ],
)
def test_fold_gap_follows_sbs_scope(given: Given, scope: str, expected: Row) -> None:
    con = given(SPLIT["data"], Protocol(sbs_scope=scope), folds=SPLIT["folds"])
    columns = "sbs, sbs_cost, closed_gap, remaining_gap, reason"
    where = "fold = 1 and solver = 'A'"
    assert one(con, "fold_gap", columns, where) == expected


def test_fold_gap_is_bounded_below_sbs(given: Given) -> None:
    # Fold 2: SBS of training is A = 90, VBS 60, C = VWS = 1000:
    # closed (90 - 1000)/(90 - 60), bounded (90 - 1000)/(1000 - 90).
    data = runs(A=[10, 20, 90], B=[40, 50, 60], C=[40, 50, OUT])
    con = given(data, folds=SPLIT["folds"])
    columns = "closed_gap, bounded_gap"
    found = one(con, "fold_gap", columns, "fold = 2 and solver = 'C'")
    assert found == (round(-910 / 30, 6), -1)


def test_one_fold_has_no_training_sbs(given: Given) -> None:
    con = given(PAIR, Protocol(fold_aggregate="mean"))
    assert table(con, "fold_sbs", "fold, sbs_train, sbs_train_cost, sbs_test") == [
        (1, None, None, "B")
    ]
    reason = "no SBS: no training fold, or no algorithm with a cost"
    found = table(con, "fold_gap", "distinct sbs, closed_gap, reason")
    assert found == [(None, None, reason)]
    columns = "closed_gap, n_folds, n_undefined, reason"
    found = table(con, "solver_gap", f"distinct {columns}")
    assert found == [(None, 1, 1, "no fold with a gap")]


def test_folds_without_a_cost_have_no_sbs(given: Given) -> None:
    con = given(runs(A=[7, 8], B=[9, 9]), cutoff="0", folds={"i1": 1, "i2": 2})
    columns = "distinct sbs, closed_gap, closed_gap_all, bounded_gap, reason"
    reason = "no SBS: no training fold, or no algorithm with a cost"
    assert table(con, "fold_gap", columns) == [(None, None, None, None, reason)]


# --- pair_dominance -----------------------------------------------------------------


def test_pair_dominance(given: Given) -> None:
    con = given(runs(A=[10, 20, OUT], B=[10, 30, OUT], C=[90, 10, 50]))
    columns = "solver, other, n_instances, n_better, n_equal, n_worse, dominates"
    assert table(con, "pair_dominance", columns) == [
        ("A", "B", 3, 1, 2, 0, True),
        ("A", "C", 3, 1, 0, 2, False),
        ("B", "A", 3, 0, 2, 1, False),
        ("B", "C", 3, 1, 0, 2, False),
        ("C", "A", 3, 2, 0, 1, False),
        ("C", "B", 3, 2, 0, 1, False),
    ]


def test_pair_dominance_needs_a_difference_and_a_cost(given: Given) -> None:
    con = given(runs(A=[1, 2], B=[1, None]), measures=OBJECTIVE)
    columns = "solver, n_instances, n_equal, dominates"
    assert table(con, "pair_dominance", columns) == [
        ("A", 1, 1, False),
        ("B", 1, 1, False),
    ]


# --- solver_score -------------------------------------------------------------------


def test_solver_score(given: Given) -> None:
    # A: PAR1 (10 + 20 + 100 + 100)/4, PAR2 (30 + 400)/4; B: 220/4, 320/4.
    # Misclassification penalty of A: (0 + 0 + 40 + 0)/4, of B: 30/4.
    columns = "solver, n_instances, solved, par1, par2, par10, mcp, unique_solved"
    assert table(given(PAIR), "solver_score", columns) == [
        ("A", 4, 0.5, 57.5, 107.5, 507.5, 10, 0),
        ("B", 4, 0.75, 55, 80, 280, 7.5, 1),
        ("SBS", 4, 0.75, 55, 80, 280, 7.5, None),
        ("VBS", 4, 0.75, 47.5, 72.5, 272.5, 0, None),
        ("VWS", 4, 0.5, 65, 115, 515, 17.5, None),
    ]


def test_solver_score_shifted_geometric_mean(given: Given) -> None:
    # A: sqrt((0 + 10)(30 + 10)) - 10 = 10. B: sqrt((30 + 10)(80 + 10)) - 10 = 50.
    con = given(runs(A=[0, 30], B=[30, 80]))
    where = "kind = 'algorithm'"
    expected = [("A", 10), ("B", 50)]
    assert table(con, "solver_score", "solver, sgm", where) == expected


def test_solver_score_incomplete(given: Given) -> None:
    # A: ((1 + 1)/(1 + 9) + 1)/2; VBS is always 1.
    con = given(runs(A=[9, 4], B=[1, 9]), measures=OBJECTIVE)
    assert table(con, "solver_score", "solver, incomplete, par10, sgm") == [
        ("A", 0.6, None, None),
        ("B", 0.75, None, None),
        ("SBS", 0.75, None, None),
        ("VBS", 1, None, None),
        ("VWS", 0.35, None, None),
    ]


def test_solver_score_incomplete_is_null_for_negative_costs(given: Given) -> None:
    con = given(runs(A=[0.9], B=[0.5]), measures=ACCURACY)
    columns = "solver, cost, incomplete, mcp"
    assert table(con, "solver_score", columns, "kind = 'algorithm'") == [
        ("A", -0.9, None, 0),
        ("B", -0.5, None, 0.4),
    ]


def test_solver_score_counts_instances_not_repetitions(given: Given) -> None:
    # Separate repetitions 10 and timeout: the mean counts both, n says one instance.
    con = given(repeated(A=[10, OUT]), Protocol(repetitions="separate"))
    columns = "n_instances, solved, par10"
    where = "kind = 'algorithm'"
    assert one(con, "solver_score", columns, where) == (1, 0.5, 505)


@pytest.mark.parametrize(
    ("unsolvable", "n", "par10"), [("keep", 4, 280), ("drop", 3, 40)]
)
def test_solver_score_with_and_without_unsolvable(
    given: Given, unsolvable: str, n: int, par10: float
) -> None:
    con = given(PAIR, Protocol(unsolvable=unsolvable))
    found = one(con, "solver_score", "n_instances, par10", "solver = 'B'")
    assert found == (n, par10)


def test_solver_score_of_one_instance_and_one_algorithm(given: Given) -> None:
    columns = "solver, n_instances, solved, par10, mcp, incomplete"
    assert table(given(runs(A=[10])), "solver_score", columns) == [
        ("A", 1, 1, 10, 0, 1),
        ("SBS", 1, 1, 10, 0, 1),
        ("VBS", 1, 1, 10, 0, 1),
        ("VWS", 1, 1, 10, 0, 1),
    ]


# --- solver_borda -------------------------------------------------------------------

BORDA = "solver, borda, borda_modified"
ALGORITHMS = "kind = 'algorithm'"


def borda(given: Given, protocol: Protocol, **times: Sequence[Cell]) -> list[Row]:
    con = given(runs(**times), protocol, cutoff="1000")
    return table(con, "solver_borda", BORDA, ALGORITHMS)


def test_borda_worked_examples_of_the_paper(given: Given) -> None:
    # Amadini et al. 2023, section 2.2: tau = 1000, times 3 and 9, delta = 5. Read
    # literally delta = 5 leaves 3 and 9 apart; the example holds from delta = 6 on.
    apart = [("A", 0.75, 0.75), ("B", 0.25, 0.25)]
    assert borda(given, Protocol(borda_delta=5), A=[3], B=[9]) == apart
    near = [("A", 0.5, 0.503), ("B", 0.5, 0.497)]
    assert borda(given, Protocol(borda_delta=6), A=[3], B=[9]) == near
    original = [("A", 0.75, 0.75), ("B", 0.25, 0.25)]
    assert borda(given, Protocol(), A=[300], B=[900]) == original
    modified = [("A", 0.5, 0.8), ("B", 0.5, 0.2)]
    assert borda(given, Protocol(borda_delta=600), A=[300], B=[900]) == modified


def test_borda_relative_delta_is_of_the_smaller_time(given: Given) -> None:
    # 1 % of 300 is 3: 303 is equal, 304 is not. 304/604 = 0.503311.
    percent = Protocol(borda_delta=0.01, borda_delta_kind="relative")
    equal = [("A", 0.5, 0.5015), ("B", 0.5, 0.4985)]
    assert borda(given, percent, A=[300], B=[303]) == equal
    apart = [("A", 0.503311, 0.503311), ("B", 0.496689, 0.496689)]
    assert borda(given, percent, A=[300], B=[304]) == apart


def test_borda_sums_over_opponents_and_means_over_instances(given: Given) -> None:
    # i1: A 0.75 + 1, B 0.25 + 1, C 0. i2: all equal, 0.5 + 0.5 each; i3: nobody.
    times = {"A": [10, 5, OUT], "B": [30, 5, OUT], "C": [OUT, 5, OUT]}
    con = given(runs(**times))
    columns = "solver, n_opponents, round(3 * borda, 6)"
    assert table(con, "solver_borda", columns, ALGORITHMS) == [
        ("A", 2, 2.75),
        ("B", 2, 2.25),
        ("C", 2, 1),
    ]


def test_borda_of_two_zero_times_is_a_tie(given: Given) -> None:
    assert borda(given, Protocol(), A=[0], B=[0]) == [("A", 0.5, 0.5), ("B", 0.5, 0.5)]
    assert borda(given, Protocol(), A=[0], B=[1]) == [("A", 1, 1), ("B", 0, 0)]


def test_borda_of_quality_compares_costs(given: Given) -> None:
    # Maximised: A wins i1, ties i2; on i3 only B is ok; on i4 nobody.
    data = [
        ("i1", 1, "A", 0.9, "ok"),
        ("i1", 1, "B", 0.5, "ok"),
        ("i2", 1, "A", 0.7, "ok"),
        ("i2", 1, "B", 0.7, "ok"),
        ("i3", 1, "A", 0.9, "crash"),
        ("i3", 1, "B", 0.1, "ok"),
        ("i4", 1, "A", 0.0, "crash"),
        ("i4", 1, "B", 0.0, "crash"),
    ]
    con = given(data, measures=ACCURACY)
    assert table(con, "solver_borda", BORDA, ALGORITHMS) == [
        ("A", 0.375, None),
        ("B", 0.375, None),
    ]


def test_borda_compares_baselines_with_baselines(given: Given) -> None:
    con = given(runs(A=[10, OUT], B=[30, 50]))
    found = table(con, "solver_borda", "solver, n_opponents", "kind = 'baseline'")
    assert found == [("SBS", 2), ("VBS", 2), ("VWS", 2)]


def test_borda_of_one_algorithm_alone_has_no_row(given: Given) -> None:
    assert table(given(runs(A=[10])), "solver_borda", BORDA, ALGORITHMS) == []


# --- solver_gap ---------------------------------------------------------------------


def test_solver_gap(given: Given) -> None:
    # SBS = B 280, VBS 272.5, VWS 515. A 507.5: -227.5/7.5 closed, -227.5/235 bounded,
    # -227.5/242.5 as printed.
    columns = "solver, closed_gap, remaining_gap, bounded_gap, bounded_printed"
    assert table(given(PAIR), "solver_gap", columns, "solver <> 'B'") == [
        ("A", -30.333333, 31.333333, -0.968085, -0.938144),
        ("SBS", 0, 1, 0, 0),
        ("VBS", 1, 0, 1, 1),
        ("VWS", -31.333333, 32.333333, -1, -0.969072),
    ]


# One instance a fold:  i1   i2   i3
#   S                  110  110  110  SBS of all
#   M                   60   70  310  closes 50/100, 40/50, -200/100
#   V1, V2, V3          10   60   10  VBS; 910 elsewhere
# Means: S 110, M 146 2/3, VBS 26 2/3, VWS 910.
FOLDED = {
    "data": runs(
        S=[110, 110, 110],
        M=[60, 70, 310],
        V1=[10, 910, 910],
        V2=[910, 60, 910],
        V3=[910, 910, 10],
    ),
    "cutoff": "1000",
    "folds": {"i1": 1, "i2": 2, "i3": 3},
}


def folded(given: Given, **choices: Any) -> duckdb.DuckDBPyConnection:
    parts = dict(FOLDED)
    return given(parts.pop("data"), Protocol(sbs_scope="all", **choices), **parts)


@pytest.mark.parametrize(
    ("aggregate", "closed", "remaining", "n_folds"),
    [
        ("pooled", -0.44, 1.44, 0),  # (110 - 146 2/3)/(110 - 26 2/3)
        ("mean", -0.233333, 1.233333, 3),  # (0.5 + 0.8 - 2)/3
        ("median", 0.5, 0.5, 3),
        ("geometric", None, 0.669433, 3),  # (0.5 * 0.2 * 3) ** (1/3)
    ],
)
def test_solver_gap_over_folds(
    given: Given, aggregate: str, closed: float | None, remaining: float, n_folds: int
) -> None:
    con = folded(given, fold_aggregate=aggregate)
    columns = "closed_gap, remaining_gap, n_folds, n_undefined"
    expected = (closed, remaining, n_folds, 0)
    assert one(con, "solver_gap", columns, "solver = 'M'") == expected


def test_solver_gap_says_why_there_is_no_geometric_mean(given: Given) -> None:
    con = folded(given, fold_aggregate="geometric")
    found = one(con, "solver_gap", "closed_gap, reason", "solver = 'M'")
    assert found == (None, "a fold with a gap <= 0 (geometric mean)")


@pytest.mark.parametrize(
    ("gap", "floor", "expected"),
    [
        ("closed", None, (-0.44, -0.44)),
        ("closed", -0.25, (-0.25, -0.25)),
        ("closed", -1, (-0.44, -0.44)),
        ("remaining", -0.25, (-0.25, 1.44)),  # the floor is not for remaining gaps
        ("bounded", None, (-0.44, -0.045833)),  # -36 2/3 / (910 - 110)
        ("bounded", 0, (0, 0)),
    ],
)
def test_solver_gap_chosen_and_clipped(
    given: Given, gap: str, floor: float | None, expected: Row
) -> None:
    con = folded(given, gap=gap, gap_floor=floor)
    assert one(con, "solver_gap", "clipped_gap, gap", "solver = 'M'") == expected


def test_solver_gap_speedup_and_improvement(given: Given) -> None:
    # M: 26 2/3 / 146 2/3 = 2/11, 110 / 146 2/3 = 0.75.
    con = folded(given)
    columns = "speedup, improvement"
    assert one(con, "solver_gap", columns, "solver = 'M'") == (0.181818, 0.75)
    assert one(con, "solver_gap", columns, "solver = 'SBS'") == (0.242424, 1)


def test_solver_gap_of_a_maximised_quality(given: Given) -> None:
    # Costs are negative: SBS = A -0.7, VBS -0.8, VWS -0.5, B -0.6:
    # (-0.7 + 0.6)/(-0.7 + 0.8) = -1, bounded (-0.7 + 0.6)/(-0.5 + 0.7) = -0.5.
    con = given(runs(A=[0.9, 0.5], B=[0.5, 0.7]), measures=ACCURACY)
    columns = "solver, closed_gap, bounded_gap, speedup, improvement, incomplete"
    assert table(con, "solver_gap", columns, "solver in ('A', 'B', 'VBS')") == [
        ("A", 0, 0, None, None, None),
        ("B", -1, -0.5, None, None, None),
        ("VBS", 1, 1, None, None, None),
    ]


@pytest.mark.parametrize(
    ("times", "choices", "parts", "reason"),
    [
        ({"A": [1, 2], "B": [3, 4]}, {}, {}, "SBS equals VBS"),
        ({"A": [OUT, OUT], "B": [OUT, OUT]}, {}, {}, "SBS equals VBS"),  # all time out
        ({"A": [1, 2]}, {}, {}, "SBS equals VBS"),  # one algorithm
        (
            {"A": [1, 2], "B": [2, 1]},
            {},
            {"cutoff": "0"},
            "no algorithm has a cost on every instance",
        ),
        (
            {"A": [1, None], "B": [None, 1]},
            {},
            {"measures": OBJECTIVE},
            "no algorithm has a cost on every instance",
        ),
    ],
)
def test_solver_gap_without_a_gap_is_null_with_a_reason(
    given: Given,
    times: dict[str, list[Cell]],
    choices: dict[str, Any],
    parts: dict[str, Any],
    reason: str,
) -> None:
    con = given(runs(**times), Protocol(**choices), **parts)
    columns = "distinct closed_gap, remaining_gap, bounded_gap, bounded_printed"
    found = table(con, "solver_gap", f"{columns}, clipped_gap, gap, reason")
    assert found == [(None, None, None, None, None, None, reason)]


def test_solver_gap_of_one_solver_without_a_cost(given: Given) -> None:
    # B misses a value on i2; A is SBS 2.5, VBS 2: A 0, B null.
    con = given(runs(A=[3, 2], B=[2, None]), measures=OBJECTIVE)
    assert table(con, "solver_gap", "solver, closed_gap, bounded_gap, reason") == [
        ("A", 0, 0, None),
        ("B", None, None, "an instance without cost (unsolved, or no cutoff)"),
        ("SBS", 0, 0, None),
        ("VBS", 1, 1, None),
        ("VWS", None, None, "an instance without cost (unsolved, or no cutoff)"),
    ]


def test_solver_gap_leaves_out_folds_without_one_and_counts_them(given: Given) -> None:
    # Fold 1: SBS = A 10 = VBS. Fold 2: A 30, VBS 20. VBS closes 1 there.
    data, folds = runs(A=[10, 30], B=[90, 20]), {"i1": 1, "i2": 2}
    con = given(data, Protocol(fold_aggregate="mean", sbs_scope="all"), folds=folds)
    columns = "closed_gap, n_folds, n_undefined"
    assert one(con, "solver_gap", columns, "solver = 'VBS'") == (1, 2, 1)


def test_identical_cv_repetitions_count_once_in_the_gap(given: Given) -> None:
    cv = [(f"i{i}", r, i) for r in range(1, 11) for i in (1, 2)]
    protocol = Protocol(fold_aggregate="mean", sbs_scope="all")
    con = given(runs(A=[10, 30], B=[90, 20]), protocol, files={"cv.arff": arff(CV, cv)})
    assert one(con, "solver_gap", "n_folds", "solver = 'VBS'") == (2,)


# --- names that could be mistaken ---------------------------------------------------


def test_algorithms_may_be_called_like_baselines(given: Given) -> None:
    # The algorithms: SBS 500.5, VBS 25, the single best. The VBS of both: 5.5.
    con = given(runs(SBS=[1, OUT], VBS=[40, 10]))
    columns = "kind, solver, cost"
    assert table(con, "solver_score", columns, "solver <> 'VWS'") == [
        ("algorithm", "SBS", 500.5),
        ("algorithm", "VBS", 25),
        ("baseline", "SBS", 25),
        ("baseline", "VBS", 5.5),
    ]
    where = "kind = 'algorithm' and solver = 'SBS'"
    found = one(con, "solver_gap", "closed_gap", where)
    assert found == (round((25 - 500.5) / (25 - 5.5), 6),)
    found = one(con, "scenario_baseline", "sbs, sbs_cost, vbs_cost", "true")
    assert found == ("VBS", 25, 5.5)
    found = table(con, "fold_sbs", "sbs_test, sbs_test_cost, vbs_cost")
    assert found == [("VBS", 25, 5.5)]


def test_algorithms_may_have_quotes_and_commas(tmp_path: Path) -> None:
    name = """it's, "x" --"""
    folder = write_scenario(tmp_path / "S", runs=runs(Q=[10], B=[20]))
    for file, old, new in (
        ("description.txt", "'Q'", '"it\'s, \\"x\\" --"'),
        ("algorithm_runs.arff", "Q", "'it\\'s, \"x\" --'"),
    ):
        text = (folder / file).read_text().replace(f",{old},", f",{new},")
        (folder / file).write_text(text.replace(f"{old}:", f"{new}:"))
    (outcome,) = ae.import_scenarios([folder], into=tmp_path / "lake")
    assert outcome.error is None, outcome.error
    con = ae.connect(tmp_path / "lake")
    assert table(con, "scenario_baseline", "sbs, sbs_cost") == [(name, 10)]


# --- solver_rank --------------------------------------------------------------------


def test_solver_rank_turns_every_metric_so_that_1_is_best(given: Given) -> None:
    con = given(PAIR)
    where = "kind = 'algorithm' and metric in ('par10', 'solved', 'closed_gap')"
    assert table(con, "solver_rank", "metric, solver, score, rank", where) == [
        ("closed_gap", "A", -30.333333, 2),
        ("closed_gap", "B", 0, 1),
        ("par10", "A", 507.5, 2),
        ("par10", "B", 280, 1),
        ("solved", "A", 0.5, 2),
        ("solved", "B", 0.75, 1),
    ]


def test_solver_rank_equal_scores_share_the_better_rank(given: Given) -> None:
    con = given(runs(A=[10], B=[10], C=[20]))
    where = "kind = 'algorithm' and metric = 'par10'"
    expected = [("A", 1), ("B", 1), ("C", 3)]
    assert table(con, "solver_rank", "solver, rank", where) == expected


def test_solver_rank_is_null_without_a_score(given: Given) -> None:
    con = given(runs(A=[1], B=[None]), measures=OBJECTIVE)
    where = "kind = 'algorithm' and metric in ('cost', 'par10')"
    assert table(con, "solver_rank", "metric, solver, score, rank", where) == [
        ("cost", "A", 1, 1),
        ("cost", "B", None, None),
        ("par10", "A", None, None),
        ("par10", "B", None, None),
    ]


def test_solver_rank_has_every_metric_for_every_solver(given: Given) -> None:
    found = table(
        given(PAIR), "solver_rank", "metric, count(*)", "true group by metric"
    )
    assert found == [
        (metric, 5)
        for metric in (
            "borda",
            "borda_modified",
            "bounded_gap",
            "clipped_gap",
            "closed_gap",
            "cost",
            "improvement",
            "incomplete",
            "par1",
            "par10",
            "par2",
            "remaining_gap",
            "sgm",
            "solved",
            "solved_then_par1",
            "speedup",
        )
    ]


# --- scenario_baseline --------------------------------------------------------------


def test_scenario_baseline(given: Given) -> None:
    con = given(PAIR)
    columns = "sbs, sbs_tied, sbs_par10, vbs_par10, vws_par10, sbs_solved, vbs_solved"
    expected = [("B", ["B"], 280, 272.5, 515, 0.75, 0.75)]
    assert table(con, "scenario_baseline", columns) == expected
    columns = "runs_solved, n_instances, n_unsolvable, n_algorithms, reason"
    assert table(con, "scenario_baseline", columns) == [(0.625, 4, 1, 2, None)]


def test_scenario_baseline_names_all_that_tie(given: Given) -> None:
    con = given(runs(B=[10, 20], A=[20, 10], C=[90, 90]))
    found = table(con, "scenario_baseline", "sbs, sbs_tied, sbs_cost, vbs_cost")
    assert found == [("A", ["A", "B"], 15, 10)]


@pytest.mark.parametrize(
    ("criterion", "sbs"),
    [("par", "B"), ("par1", "C"), ("solved", "A")],
)
def test_scenario_baseline_sbs_criterion(
    given: Given, criterion: str, sbs: str
) -> None:
    # PAR10: A 90, B 80, C 334. PAR1: A 90, B 80, C 34. Solved: A and B 1, C 2/3.
    data = runs(A=[90, 90, 90], B=[80, 80, 80], C=[1, 1, OUT])
    con = given(data, Protocol(sbs_criterion=criterion))
    assert table(con, "scenario_baseline", "sbs") == [(sbs,)]
    assert table(con, "fold_sbs", "sbs_all, sbs_test") == [(sbs, sbs)]


def test_scenario_baseline_counts_unsolvable_also_if_dropped(given: Given) -> None:
    con = given(PAIR, Protocol(unsolvable="drop"))
    columns = "n_instances, n_unsolvable, sbs_par10, vbs_par10"
    assert table(con, "scenario_baseline", columns) == [(3, 1, 40, 30)]


def test_scenario_baseline_where_no_instance_counts(given: Given) -> None:
    con = given(runs(A=[OUT, OUT], B=[OUT, OUT]), Protocol(unsolvable="drop"))
    columns = "sbs, sbs_tied, vbs_cost, n_instances, n_unsolvable, n_algorithms, reason"
    assert table(con, "scenario_baseline", columns) == [
        (None, None, None, 0, 2, 2, "no instance counts: none is solved")
    ]


@pytest.mark.parametrize(
    ("values", "parts", "reason"),
    [
        ([OUT, OUT], {}, "SBS equals VBS"),
        ([1, 2], {"cutoff": "0"}, "no algorithm has a cost on every instance"),
    ],
)
def test_scenario_baseline_without_a_gap(
    given: Given, values: list[Cell], parts: dict[str, Any], reason: str
) -> None:
    con = given(runs(A=values, B=values), **parts)
    assert table(con, "scenario_baseline", "reason") == [(reason,)]


def test_scenario_baseline_of_several_measures(given: Given) -> None:
    # Runtime: A 10 beats B 20. Accuracy: B 0.9 beats A 0.5.
    data = [("i1", 1, "A", 10, 0.5, "ok"), ("i1", 1, "B", 20, 0.9, "ok")]
    con = given(data, Protocol(measures="all"), measures=BOTH)
    columns = "measure, measure_type, sbs, sbs_cost, sbs_par10"
    assert table(con, "scenario_baseline", columns) == [
        ("accuracy", "solution_quality", "B", -0.9, None),
        ("runtime", "runtime", "A", 10, 10),
    ]


# --- scenario_summary, suite_solver -------------------------------------------------


def test_scenario_summary_of_the_scenario_that_comes_with_us(tmp_path: Path) -> None:
    # PAR10: anvil 505, bolt 430, crane 350, drift 200; VBS 100: see its readme.txt.
    folder = tmp_path / "TOY-2026"
    shutil.copytree(ROOT / "scenarios" / "TOY-2026", folder)
    ae.import_scenarios([folder], into=tmp_path / "lake")
    con = ae.connect(tmp_path / "lake")
    found = con.sql("from scenario_summary").pl().to_dicts()
    assert found == [
        {
            "protocol": "default",
            "scenario_id": "TOY-2026",
            "measure": "runtime",
            "folder": "TOY-2026",
            "measure_type": "runtime",
            "maximize": False,
            "cutoff": 100,
            "n_instances": 12,
            "n_algorithms": 4,
            "n_repetitions": 2,
            "n_features": 3,
            "n_steps": 2,
            "n_folds": 3,
            "solved": pytest.approx(31 / 48),  # 6 + 7 + 8 + 10 of 48 pairs
            "n_unsolvable": 1,
            "sbs": "drift",
            "sbs_par10": 200,
            "vbs_par10": 100,
            "sbs_cost": 200,
            "vbs_cost": 100,
            "room": 2,
            "missing": [],
        }
    ]


def test_scenario_summary_names_missing_files(given: Given) -> None:
    columns = "n_features, n_steps, n_folds, missing"
    (row,) = table(given(PAIR), "scenario_summary", columns)
    assert row[:3] == (0, 0, 1)
    assert "feature_values.arff" in row[3]


def test_suite_solver_over_two_scenarios(given: Given) -> None:
    # PAR10 of A: 4 in S, 16 in T; B: 9 and 25, always second. Only T has C.
    given(runs(A=[4], B=[9]), name="S")
    con = given(runs(A=[16], B=[25], C=[36]), name="T")
    columns = "solver, pooled, mean, median, geometric, mean_rank, n_scenarios"
    where = "kind = 'algorithm' and metric = 'par10'"
    assert table(con, "suite_solver", f"{columns}, n_undefined, n_absent", where) == [
        ("A", 10, 10, 10, 8, 1, 2, 0, 0),
        ("B", 17, 17, 17, 15, 2, 2, 0, 0),
        ("C", 36, 36, 36, 36, 3, 1, 0, 1),
    ]
    where = "solver = 'A' and metric = 'closed_gap'"
    found = one(con, "suite_solver", "mean, mean_rank, n_scenarios, n_undefined", where)
    assert found == (None, None, 0, 2)


def test_suite_solver_pools_by_instances(given: Given) -> None:
    # A solves 1 of 1 and 1 of 3: 2 of 4 pooled, 2/3 in the mean.
    given(runs(A=[4], B=[9]), name="S")
    con = given(runs(A=[4, OUT, OUT], B=[9, 9, 9]), name="T")
    where = "solver = 'A' and metric = 'solved'"
    columns = "pooled, mean, n_instances, n_scenarios"
    assert one(con, "suite_solver", columns, where) == (0.5, 0.666667, 4, 2)
