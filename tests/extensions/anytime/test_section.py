"""Curves over time on a page: what is drawn of which trajectories."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

import aslib_eval as ae
from aslib_eval.extensions.anytime.analysis import gap_curves
from aslib_eval.extensions.anytime.metrics import Ends
from aslib_eval.metrics.sweeps import thinned
from aslib_eval.reports.write import write_report
from aslib_eval.selections import import_selections
from tests import pages
from tests.reports.conftest import Outline


def test_thinning_keeps_the_extremes_of_every_place() -> None:
    import numpy as np

    starts = np.array([0.0, 1.0, 1.0001, 1.0002, 1.0003, 50.0, 200.0])
    values = np.array([0.0, 5.0, 9.0, 1.0, 4.0, 2.0, 7.0])
    x, y = thinned(starts, values, low=1.0, high=100.0)
    assert x.tolist() == [0.0, 1.0, 1.0001, 1.0002, 1.0003, 50.0, 100.0]
    assert y.tolist() == [0.0, 5.0, 9.0, 1.0, 4.0, 2.0, 2.0]
    many = np.linspace(10, 10.001, 1000)
    x, y = thinned(many, np.sin(many * 1e5), low=1.0, high=100.0)
    assert len(x) <= 8
    assert y.max() == pytest.approx(np.sin(many * 1e5).max())


ANYTIME = {
    "algorithm": ["a", "a", "b", "c"],
    "instance_id": ["i", "i", "i", "i"],
    "trial": [1, 1, 1, 1],
    "at": [1.0, 4.0, 2.0, None],
    "value": [30.0, 10.0, 20.0, None],
}


def curves(ends: Ends) -> dict[str, list[list[float]]]:
    found = gap_curves(pl.DataFrame(ANYTIME), ends, maximize=False)
    return {name: [moments.tolist(), gaps.tolist()] for name, (moments, gaps) in
            found.items()}  # fmt: skip


def test_anytime_gaps_of_three_runs_by_hand() -> None:
    # The worst first value is 30, the best 10: 20 has half of the way left. The run
    # of c has no solution: its gap is 1 to the end.
    assert curves(Ends({}, {})) == {"a": [[0, 1, 4], [1, 1, 0]], "b": [[0, 2], [1, 0.5]], "c": [[0], [1]]}


def test_anytime_gaps_use_what_the_scenario_knows() -> None:
    # A trivial solution is worth 50, the optimum is 0: of 50, 30, 20 and 10 are left.
    assert curves(Ends({"i": 50.0}, {"i": 0.0})) == {
        "a": [[0, 1, 4], [1, 0.6, 0.2]],
        "b": [[0, 2], [1, 0.4]],
        "c": [[0], [1]],
    }


@pytest.mark.slow
def test_a_scenario_with_trajectories_shows_anytime_curves(tmp_path: Path) -> None:
    folder = pages.write_scenario(
        tmp_path / "ANY",
        runs=[("i", 1, "a", 5, "ok"), ("i", 1, "b", 7, "ok")],
        measures=[("objective", "solution_quality", "false")],
    )
    points = [("i", 1, "a", 1, 9), ("i", 1, "a", 2, 5), ("i", 1, "b", 1, 7)]
    columns = {"algorithm": "STRING", "elapsed": "NUMERIC", "objective": "NUMERIC"}
    pages.write(folder, "trajectories", columns, points)
    (outcome,) = ae.import_scenarios([folder], into=tmp_path / "lake")
    assert outcome.error is None, outcome.error
    write_report(tmp_path / "lake", to=tmp_path / "r")
    found = Outline((tmp_path / "r" / "scenario" / "ANY.html").read_text())
    marks = json.loads(found.data["charts"])["anytime"]["marks"]
    # The worst first value is 9, the best 5; the axis ends a decade after 1.
    assert [(m["name"], m["points"]) for m in marks] == [
        ("a", [[0, 1], [1, 1], [2, 0], [10, 0]]),
        ("b", [[0, 1], [1, 0.5], [10, 0.5]]),
    ]
    assert "anytime-selectors" not in json.loads(found.data["charts"])
    (folder / "turns.json").write_text('{"i": [["b", 3], ["a", 97]]}')
    import_selections(folder / "turns.json", lake=tmp_path / "lake", scenario="ANY")
    write_report(tmp_path / "lake", to=tmp_path / "r")
    page = (tmp_path / "r" / "scenario" / "ANY.html").read_text()
    assert "executed on the recorded trajectories, step after step." in page
    drawn = json.loads(Outline(page).data["charts"])["anytime-selectors"]["marks"]
    assert {m["name"]: m["points"] for m in drawn} == {
        "VBS": [[0, 1], [1, 0.5], [2, 0], [10, 0]],
        "SBS": [[0, 1], [1, 0.5], [2, 0], [10, 0]],
        "turns": [[0, 1], [1, 0.5], [5, 0], [10, 0]],
    }
