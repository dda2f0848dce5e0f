"""Views of the folds: who is SBS there, and what the others close of its gap.

Unless said otherwise the cutoff is 100 and the protocol is ``default``, so that a timeout costs 1000
(PAR10).
"""

from __future__ import annotations

import pytest

from aslib_eval.database.protocol import Protocol
from tests.conftest import Row
from tests.lab import OUT, PAIR, Given, one, runs, table

# --- fold_solver, fold_compared, fold_sbs, fold_gap ---------------------------------

# Folds {i1, i2} and {i3}.        i1  i2  i3
#   A on fold 1: 15, fold 2: 90   10  20  90   mean 40: SBS of all
#   B on fold 1: 45, fold 2: 60   40  50  60   mean 50
SPLIT = {"data": runs(A=[10, 20, 90], B=[40, 50, 60]), "folds": {"i1": 1, "i2": 1, "i3": 2}}


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
    assert table(con, "fold_sbs", columns) == [(1, 2, "B", "A", "A"), (2, 1, "A", "B", "A")]
    costs = "sbs_train_cost, sbs_test_cost, sbs_all_cost, vbs_cost, vws_cost"
    assert table(con, "fold_sbs", f"fold, {costs}") == [(1, 45, 15, 15, 15, 45), (2, 90, 60, 90, 60, 90)]


def test_fold_sbs_weighs_folds_by_their_instances(given: Given) -> None:
    # Outside fold 3: A 10, 10, 10 | 70 = 100; B 40, 40, 40 | 10 = 130. Means of the folds would prefer B:
    # 25 to 40.
    data = runs(A=[10, 10, 10, 70, 50], B=[40, 40, 40, 10, 50])
    con = given(data, folds={"i1": 1, "i2": 1, "i3": 1, "i4": 2, "i5": 3})
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
    assert table(con, "fold_gap", f"fold, solver, {gaps}", "kind = 'algorithm'") == [
        (1, "A", 1, 1, None, None, None),
        (1, "B", 0, 0, None, None, None),
        (2, "A", 0, 0, None, 0, None),
        (2, "B", 1, 1, None, 1, None),
    ]


@pytest.mark.parametrize(
    ("scope", "expected"),
    [
        ("train", [("B", 45, 1, 0, None), ("A", 90, 0, 1, None)]),
        ("test", [("A", 15, None, None, "SBS equals VBS"), ("B", 60, None, None, "SBS equals VBS")]),
        ("all", [("A", 15, None, None, "SBS equals VBS"), ("A", 90, 0, 1, None)]),
    ],
)
def test_fold_gap_follows_sbs_scope(given: Given, scope: str, expected: list[Row]) -> None:
    con = given(SPLIT["data"], Protocol(sbs_scope=scope), folds=SPLIT["folds"])
    found = table(con, "fold_gap", "fold, sbs, sbs_cost, closed_gap, remaining_gap, reason", "solver = 'A'")
    assert found == [(fold, *row) for fold, row in enumerate(expected, start=1)]


def test_fold_gap_is_bounded_below_sbs(given: Given) -> None:
    # Fold 2: SBS of training is A = 90, VBS 60, C = VWS = 1000:
    # closed (90 - 1000)/(90 - 60), bounded (90 - 1000)/(1000 - 90).
    con = given(runs(A=[10, 20, 90], B=[40, 50, 60], C=[40, 50, OUT]), folds=SPLIT["folds"])
    found = one(con, "fold_gap", "closed_gap, bounded_gap", "fold = 2 and solver = 'C'")
    assert found == (round(-910 / 30, 6), -1)


def test_one_fold_has_no_training_sbs(given: Given) -> None:
    con = given(PAIR, Protocol(fold_aggregate="mean"))
    assert table(con, "fold_sbs", "fold, sbs_train, sbs_train_cost, sbs_test") == [(1, None, None, "B")]
    reason = "no SBS: no training fold, or no algorithm with a cost"
    assert table(con, "fold_gap", "distinct sbs, closed_gap, reason") == [(None, None, reason)]
    columns = "closed_gap, n_folds, n_undefined, reason"
    assert table(con, "solver_gap", f"distinct {columns}") == [(None, 0, 1, "no fold with a gap")]


def test_folds_without_a_cost_have_no_sbs(given: Given) -> None:
    con = given(runs(A=[7, 8], B=[9, 9]), cutoff="0", folds={"i1": 1, "i2": 2})
    columns = "distinct sbs, closed_gap, closed_gap_all, bounded_gap, reason"
    reason = "no SBS: no training fold, or no algorithm with a cost"
    assert table(con, "fold_gap", columns) == [(None, None, None, None, reason)]
