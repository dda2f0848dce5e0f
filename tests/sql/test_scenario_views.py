"""Views of whole scenarios and of several, and names that could be mistaken.

Unless said otherwise the cutoff is 100 and the protocol is ``default``, so that a timeout costs 1000
(PAR10).
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

import aslib_eval as ae
from aslib_eval.database.protocol import Protocol
from tests.conftest import ROOT, write_scenario
from tests.lab import BOTH, OUT, PAIR, Cell, Given, fill, one, runs, table

# --- scenario_baseline --------------------------------------------------------------


def test_scenario_baseline(given: Given) -> None:
    con = given(PAIR)
    columns = "sbs, sbs_tied, sbs_par10, vbs_par10, vws_par10, sbs_solved, vbs_solved"
    assert table(con, "scenario_baseline", columns) == [("B", ["B"], 280, 272.5, 515, 0.75, 0.75)]
    columns = "runs_solved, n_instances, n_unsolvable, n_algorithms, reason"
    assert table(con, "scenario_baseline", columns) == [(0.625, 4, 1, 2, None)]


def test_scenario_baseline_names_all_that_tie(given: Given) -> None:
    con = given(runs(B=[10, 20], A=[20, 10], C=[90, 90]))
    found = table(con, "scenario_baseline", "sbs, sbs_tied, sbs_cost, vbs_cost")
    assert found == [("A", ["A", "B"], 15, 10)]


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
    assert table(given(runs(A=values, B=values), **parts), "scenario_baseline", "reason") == [(reason,)]


def test_scenario_baseline_of_several_measures(given: Given) -> None:
    # Runtime: A 10 beats B 20. Accuracy: B 0.9 beats A 0.5.
    data = [("i1", 1, "A", 10, 0.5, "ok"), ("i1", 1, "B", 20, 0.9, "ok")]
    con = given(data, Protocol(measures="all"), measures=BOTH)
    assert table(con, "scenario_baseline", "measure, measure_type, sbs, sbs_cost, sbs_par10") == [
        ("accuracy", "solution_quality", "B", -0.9, None),
        ("runtime", "runtime", "A", 10, 10),
    ]


# --- scenario_summary, suite_solver -------------------------------------------------


def test_scenario_summary_of_the_scenario_that_comes_with_us(tmp_path: Path) -> None:
    # PAR10: anvil 505, bolt 430, crane 350, drift 200; VBS 100: see its readme.txt.
    folder = tmp_path / "TOY-2026"
    shutil.copytree(ROOT / "scenarios" / "TOY-2026", folder)
    ae.import_scenarios([folder], into=tmp_path / "lake")
    assert ae.connect(tmp_path / "lake").sql("from scenario_summary").pl().to_dicts() == [
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
    (row,) = table(given(PAIR), "scenario_summary", "n_features, n_steps, n_folds, missing")
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


# --- names that could be mistaken ---------------------------------------------------


def test_suite_solver_pools_over_the_scenarios_with_a_score(given: Given) -> None:
    # S: SBS is B with 20, VBS costs 15, A 30: a gap of -2. In T nothing is to be won.
    given(runs(A=[10, 50], B=[20, 20]), name="S")
    con = given(runs(A=[9] * 6, B=[1] * 6), name="T")
    where = "metric = 'closed_gap' and kind = 'algorithm'"
    columns = "solver, pooled, n_instances, n_undefined"
    assert table(con, "suite_solver", columns, where) == [("A", -2, 2, 1), ("B", 0, 2, 1)]


def test_scenario_summary_counts_the_folds_of_the_format_alone(given: Given) -> None:
    con = given(runs(A=[1, 2, 3]))
    folds = [("aslib", 1, 1 + at % 2, f"i{at}") for at in (1, 2, 3)]
    folds += [("random-1x3-s1", 1, at, f"i{at}") for at in (1, 2, 3)]
    fill(con, "fold", "cv_scheme, cv_repetition, fold, instance_id", folds)
    assert table(con, "scenario_summary", "n_folds") == [(2,)]


def test_algorithms_may_be_called_like_baselines(given: Given) -> None:
    # The algorithms: SBS 500.5, VBS 25, the single best. The VBS of both: 5.5.
    con = given(runs(SBS=[1, OUT], VBS=[40, 10]))
    assert table(con, "solver_score", "kind, solver, cost", "solver <> 'VWS'") == [
        ("algorithm", "SBS", 500.5),
        ("algorithm", "VBS", 25),
        ("baseline", "SBS", 25),
        ("baseline", "VBS", 5.5),
    ]
    found = one(con, "solver_gap", "closed_gap", "kind = 'algorithm' and solver = 'SBS'")
    assert found == (round((25 - 500.5) / (25 - 5.5), 6),)
    assert one(con, "scenario_baseline", "sbs, sbs_cost, vbs_cost", "true") == ("VBS", 25, 5.5)
    assert table(con, "fold_sbs", "sbs_test, sbs_test_cost, vbs_cost") == [("VBS", 25, 5.5)]


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
    assert table(ae.connect(tmp_path / "lake"), "scenario_baseline", "sbs, sbs_cost") == [(name, 10)]
