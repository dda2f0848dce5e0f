"""Views of the folds: who is SBS there, and what the others close of its gap.

Unless said otherwise the cutoff is 100 and the protocol is ``default``, so that a timeout costs 1000
(PAR10).
"""

from __future__ import annotations

from typing import Any

import duckdb
import pytest

from aslib_eval.database.protocol import Protocol
from tests.conftest import Row
from tests.lab import ACCURACY, OBJECTIVE, OUT, PAIR, Cell, Given, one, runs, table

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


def test_fold_gap_follows_sbs_scope(given: Given) -> None:
    scopes = [Protocol(name, sbs_scope=name) for name in ("train", "test", "all")]
    con = given(SPLIT["data"], *scopes, folds=SPLIT["folds"])
    columns = "protocol, fold, sbs, sbs_cost, closed_gap, remaining_gap, reason"
    assert table(con, "fold_gap", columns, "solver = 'A'") == [
        ("all", 1, "A", 15, None, None, "SBS equals VBS"),
        ("all", 2, "A", 90, 0, 1, None),
        ("test", 1, "A", 15, None, None, "SBS equals VBS"),
        ("test", 2, "B", 60, None, None, "SBS equals VBS"),
        ("train", 1, "B", 45, 1, 0, None),
        ("train", 2, "A", 90, 0, 1, None),
    ]


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


# --- The gaps of solvers: closed, remaining and bounded, over folds and where none is ---

# --- solver_gap ---------------------------------------------------------------------


def test_solver_gap(given: Given) -> None:
    # SBS = B 280, VBS 272.5, VWS 515. A 507.5: -227.5/7.5 closed, -227.5/235 bounded, -227.5/242.5 as
    # printed.
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
        S=[110, 110, 110], M=[60, 70, 310], V1=[10, 910, 910], V2=[910, 60, 910], V3=[910, 910, 10]
    ),
    "cutoff": "1000",
    "folds": {"i1": 1, "i2": 2, "i3": 3},
}


def folded(given: Given, **choices: Any) -> duckdb.DuckDBPyConnection:
    parts = dict(FOLDED)
    return given(parts.pop("data"), Protocol(sbs_scope="all", **choices), **parts)


def test_solver_gap_over_folds(given: Given) -> None:
    parts = dict(FOLDED)
    ways = ("pooled", "mean", "median", "geometric")
    rules = [Protocol(way, sbs_scope="all", fold_aggregate=way) for way in ways]
    con = given(parts.pop("data"), *rules, **parts)
    columns = "protocol, closed_gap, remaining_gap, n_folds, n_undefined, reason"
    assert table(con, "solver_gap", columns, "solver = 'M'") == [
        # The geometric mean of 0.5, 0.2 and 3.
        ("geometric", None, 0.669433, 3, 0, "a fold with a gap <= 0 (geometric mean)"),
        ("mean", -0.233333, 1.233333, 3, 0, None),  # (0.5 + 0.8 - 2)/3
        ("median", 0.5, 0.5, 3, 0, None),
        ("pooled", -0.44, 1.44, 0, 0, None),  # (110 - 146 2/3)/(110 - 26 2/3)
    ]


CHOSEN: dict[tuple[str, float | None], Row] = {
    ("closed", None): (-0.44, -0.44),
    ("closed", -0.25): (-0.25, -0.25),
    ("closed", -1): (-0.44, -0.44),
    ("remaining", -0.25): (-0.25, 1.44),  # the floor is not for remaining gaps
    ("bounded", None): (-0.44, -0.045833),  # -36 2/3 / (910 - 110)
    ("bounded", 0): (0, 0),
}


def test_solver_gap_chosen_and_clipped(given: Given) -> None:
    protocols = [
        Protocol(f"p{at}", sbs_scope="all", gap=gap, gap_floor=floor)
        for at, (gap, floor) in enumerate(CHOSEN)
    ]
    parts = dict(FOLDED)
    con = given(parts.pop("data"), *protocols, **parts)
    found = table(con, "solver_gap", "protocol, clipped_gap, gap", "solver = 'M'")
    assert found == [(f"p{at}", *row) for at, row in enumerate(CHOSEN.values())]


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


@pytest.mark.slow
@pytest.mark.parametrize(
    ("times", "choices", "parts", "reason"),
    [
        ({"A": [1, 2], "B": [3, 4]}, {}, {}, "SBS equals VBS"),
        ({"A": [OUT, OUT], "B": [OUT, OUT]}, {}, {}, "SBS equals VBS"),  # all time out
        ({"A": [1, 2]}, {}, {}, "SBS equals VBS"),  # one algorithm
        ({"A": [1, 2], "B": [2, 1]}, {}, {"cutoff": "0"}, "no algorithm has a cost on every instance"),
        (
            {"A": [1, None], "B": [None, 1]},
            {"failures": "left_out"},
            {"measures": OBJECTIVE},
            "no algorithm has a cost on every instance",
        ),
    ],
)
def test_solver_gap_without_a_gap_is_null_with_a_reason(
    given: Given, times: dict[str, list[Cell]], choices: dict[str, Any], parts: dict[str, Any], reason: str
) -> None:
    con = given(runs(**times), Protocol(**choices), **parts)
    columns = "distinct closed_gap, remaining_gap, bounded_gap, bounded_printed"
    found = table(con, "solver_gap", f"{columns}, clipped_gap, gap, reason")
    assert found == [(None, None, None, None, None, None, reason)]


def test_solver_gap_of_one_solver_without_a_cost(given: Given) -> None:
    # B misses a value on i2; A is SBS 2.5, VBS 2: A 0, B null.
    con = given(runs(A=[3, 2], B=[2, None]), Protocol(failures="left_out"), measures=OBJECTIVE)
    assert table(con, "solver_gap", "solver, closed_gap, bounded_gap, reason") == [
        ("A", 0, 0, None),
        ("B", None, None, "an instance without cost (failed, no cutoff, or too large)"),
        ("SBS", 0, 0, None),
        ("VBS", 1, 1, None),
        ("VWS", None, None, "an instance without cost (failed, no cutoff, or too large)"),
    ]


def test_solver_gap_leaves_out_folds_without_one_and_counts_them(given: Given) -> None:
    # Fold 1: SBS = A 10 = VBS. Fold 2: A 30, VBS 20. VBS closes 1 there.
    data, folds = runs(A=[10, 30], B=[90, 20]), {"i1": 1, "i2": 2}
    con = given(data, Protocol(fold_aggregate="mean", sbs_scope="all"), folds=folds)
    assert one(con, "solver_gap", "closed_gap, n_folds, n_undefined", "solver = 'VBS'") == (1, 1, 1)
