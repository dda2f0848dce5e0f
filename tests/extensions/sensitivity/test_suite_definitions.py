"""Scores over all scenarios under every way to aggregate, and what is said of them."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import aslib_eval as ae
from aslib_eval.database.open_lake import open_lake
from aslib_eval.extensions.sensitivity.analysis import suite_definitions, suite_notes
from tests.conftest import write_scenario
from tests.lab import OUT, runs

SHOWN = ["measured", "metric", "aggregate", "solver", "n_scenarios", "score", "rank"]


def test_the_gaps_of_two_scenarios_by_every_aggregate(tmp_path: Path) -> None:
    # C is in S alone and has no rank. Geometric means have no value at or below 0.
    one = runs(A=[10, 20, 30], B=[20, 10, 30], C=[30, 30, OUT])
    other = runs(A=[30, 90], B=[40, 20])
    folders = [write_scenario(tmp_path / "S", runs=one), write_scenario(tmp_path / "T", runs=other)]
    ae.import_scenarios(folders, into=tmp_path / "lake")
    found = suite_definitions(open_lake(tmp_path / "lake"))
    gaps = found.filter((pl.col("measured") == "gap") & (pl.col("metric") == "par10"))
    # S: A = B = 60/3, VBS 50/3, C (1060/3 - 60/3)/(50/3 - 60/3) = -100.
    # T: B 60/2 is SBS, VBS 50/2, A (120 - 60)/(50 - 60) = -6.
    assert gaps.select(SHOWN).rows() == [
        ("gap", "par10", "pooled", "B", 2, pytest.approx(0), 1),
        ("gap", "par10", "pooled", "A", 2, pytest.approx(-12 / 5), 2),
        ("gap", "par10", "pooled", "C", 1, pytest.approx(-100), None),
        ("gap", "par10", "mean", "B", 2, pytest.approx(0), 1),
        ("gap", "par10", "mean", "A", 2, pytest.approx(-3), 2),
        ("gap", "par10", "mean", "C", 1, pytest.approx(-100), None),
        ("gap", "par10", "median", "B", 2, pytest.approx(0), 1),
        ("gap", "par10", "median", "A", 2, pytest.approx(-3), 2),
        ("gap", "par10", "median", "C", 1, pytest.approx(-100), None),
        ("gap", "par10", "geometric", "A", 2, None, None),
        ("gap", "par10", "geometric", "B", 2, None, None),
        ("gap", "par10", "geometric", "C", 1, None, None),
    ]


def test_what_is_said_where_aggregates_disagree() -> None:
    columns = ["protocol", "measured", "metric", "aggregate", "solver", "rank"]
    rows = [
        ("p@0", "value", "closed_gap", "mean", "A", 1),
        ("p@0", "value", "closed_gap", "mean", "B", 2),
        ("p@0", "value", "closed_gap", "median", "B", 1),
        ("p@0", "value", "closed_gap", "median", "A", 1),
        ("p@0", "gap", "borda", "mean", "A", 1),
    ]
    said = suite_notes(pl.DataFrame(rows, schema=columns, orient="row"))
    assert said[:2] == [
        "Leaders of 3 definitions, a tie for each: A by 3, B by 1.",
        "p: by closed_gap the leader is A (mean), A = B (median).",
    ]
    assert len(said) == 3
    assert "Fleming" in said[2]


def test_nothing_is_said_where_all_agree() -> None:
    columns = ["protocol", "measured", "metric", "aggregate", "solver", "rank"]
    rows = [("p@0", "gap", "borda", "mean", "A", 1), ("p@0", "gap", "borda", "mean", "B", 2)]
    said = suite_notes(pl.DataFrame(rows, schema=columns, orient="row"))
    assert said == ["Leaders of 1 definition: A by 1."]
