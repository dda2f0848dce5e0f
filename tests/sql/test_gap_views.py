"""The gaps of solvers: closed, remaining and bounded, over folds and where none is.

Unless said otherwise the cutoff is 100 and the protocol is ``default``, so that a timeout costs 1000
(PAR10).
"""

from __future__ import annotations

from typing import Any

import duckdb
import pytest

from aslib_eval.database.protocol import Protocol
from tests.conftest import CV, Row, arff
from tests.lab import ACCURACY, OBJECTIVE, OUT, PAIR, Cell, Given, one, runs, table

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
    assert one(con, "solver_gap", columns, "solver = 'M'") == (closed, remaining, n_folds, 0)


def test_solver_gap_says_why_there_is_no_geometric_mean(given: Given) -> None:
    con = folded(given, fold_aggregate="geometric")
    found = one(con, "solver_gap", "closed_gap, reason", "solver = 'M'")
    assert found == (None, "a fold with a gap <= 0 (geometric mean)")


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


def test_identical_cv_repetitions_count_once_in_the_gap(given: Given) -> None:
    cv = [(f"i{i}", r, i) for r in range(1, 11) for i in (1, 2)]
    protocol = Protocol(fold_aggregate="mean", sbs_scope="all")
    con = given(runs(A=[10, 30], B=[90, 20]), protocol, files={"cv.arff": arff(CV, cv)})
    assert one(con, "solver_gap", "n_folds + n_undefined", "solver = 'VBS'") == (2,)
