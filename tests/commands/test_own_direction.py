"""Scores of which more is better are shown as they are, and 0 without a sign."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import aslib_eval as ae

RUNS = {
    "instance": ["i1", "i2", "i3"] * 3,
    "solver": ["x"] * 3 + ["y"] * 3 + ["z"] * 3,
    "acc": [0.5, 0.6, 0.7, 0.4, 0.8, 0.6, 0.0, 0.0, 0.0],
}


@pytest.fixture
def lake(tmp_path: Path) -> Path:
    column = {"objective": "acc"}
    (done,) = ae.import_runs(
        pl.DataFrame(RUNS), into=tmp_path / "lake", scenario_id="S", column=column, maximize=["acc"]
    )
    (zero,) = [f for f in done.findings if f.code == "value-zero"]
    assert zero.message == "all 3 runs of 'z' are ok with acc 0"
    return tmp_path / "lake"


def test_zero_has_no_sign(lake: Path) -> None:
    found = ae.score(lake).filter(pl.col("solver").is_in(["z", "VWS"]))
    values = [*found["value"], *found["cost"]]
    assert str(values) == "[0.0, 0.0, 0.0, 0.0]"


def test_scores_of_the_view_have_their_value_too(lake: Path) -> None:
    found = ae.query("from solver_score select solver, quality, cost order by 1", lake=lake)
    of = {solver: pair for solver, *pair in found.rows()}
    assert of["x"] == pytest.approx([0.6, -0.6])
    assert of["VBS"] == pytest.approx([2 / 3, -2 / 3])


def test_compared_means_and_intervals_are_values(lake: Path) -> None:
    found = ae.compare(lake).systems
    assert found["system"].to_list() == ["x", "y", "z"]
    assert found["mean"].to_list() == pytest.approx([0.6, 0.6, 0])
    assert found["median"].to_list() == pytest.approx([0.6, 0.6, 0])
    low, high = found["lower"][1], found["upper"][1]
    assert low < 0.6 < high
    shares = ae.compare(lake, versus="x", differences="percent").systems
    assert shares.filter(system="y")["mean"].item() > 0
