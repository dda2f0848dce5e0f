"""Charts of mean gaps over time, drawn of a few literal points."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import polars as pl
import pytest

import aslib_eval as ae
from aslib_eval.analysis.results import LakeResults
from aslib_eval.database.open_lake import open_lake
from aslib_eval.extensions.anytime.analysis import (
    anytime,
    anytime_chart,
    anytime_selectors,
    curves_chart,
    gap_curves,
)
from aslib_eval.extensions.anytime.metrics import Ends
from aslib_eval.figures.chart import Logarithmic, Look
from aslib_eval.selections import import_selections
from tests.conftest import POINT, arff, write_scenario
from tests.figures.test_figures import lines

POINTS = pl.DataFrame(
    {
        "measure": ["cost", "cost", "cost", "other"],
        "algorithm": ["a", "a", "b", "a"],
        "instance_id": ["i", "i", "j", "i"],
        "trial": [1, 1, 1, 1],
        "step": [1, 2, 1, 1],
        "elapsed": [2.0, 8.0, 4.0, None],
        "value": [30.0, 10.0, 20.0, None],
        "maximize": [False] * 4,
    }
)
KNOWN = [("i", "best_known", 8.0), ("i", "optimum", 0.0), ("j", "best_known", 20.0), ("i", "trivial", 40.0)]


def of(measure: str = "cost", points: pl.DataFrame = POINTS) -> Any:
    reference = pl.DataFrame(KNOWN, schema=["instance_id", "role", "value"], orient="row")
    frames = {"trajectory": points, "reference": reference}
    return SimpleNamespace(frames=frames, measure=measure, with_unit=lambda what: f"{what} [s]")


@pytest.mark.parametrize("measure", ["cost", "other"])
def test_gaps_over_time_or_over_steps(measure: str) -> None:
    """Of the measure of the page, or of the first that has values."""
    chart = anytime_chart(of(measure))
    assert chart is not None
    # a: of the way from 40 to 0 it has 3/4 left, then 1/4; b is at the best of j.
    assert [(mark.name, mark.points) for mark in chart.marks] == [  # type: ignore[union-attr]
        ("b", [[0, 1], [4, 0], [20, 0]]),
        ("a", [[0, 1], [2, 0.75], [8, 0.25], [20, 0.25]]),
    ]
    assert chart.x == Logarithmic("time since the start [s]", 2.0, 20.0, zero=True)
    assert chart.y == Logarithmic("gap to the best known", 0.25, 1.0, zero=True)
    assert chart.population.startswith("cost, n = 2 instances (2 runs) · ")
    assert chart.about == "At the end b is closest, with a mean gap of 0."
    assert anytime_chart(of(points=POINTS.with_columns(value=pl.lit(None, pl.Float64)))) is None
    steps = anytime_chart(of(points=POINTS.with_columns(elapsed=pl.lit(None, pl.Float64))))
    assert steps is not None
    assert steps.x == Logarithmic("step", 1.0, 10.0, zero=False)


def test_axes_reach_six_decades_and_gaps_a_ten_thousandth() -> None:
    curves = {
        "far": (np.array([0, 1e-3, 1e4]), np.array([1, 0.5, 1e-5])),
        "same": (np.array([0.0]), np.array([1e-5])),
    }
    drawn = {"same": Look("ink", "circle", "5 3")}
    chart = curves_chart(curves, "time", "n = 1", timed=True, looks=drawn)
    assert chart.x == Logarithmic("time", 1e-2, 1e4, zero=True)
    assert chart.y == Logarithmic("gap to the best known", 1e-4, 1.0, zero=True)
    assert [(mark.name, mark.color) for mark in chart.marks] == [  # type: ignore[union-attr]
        ("far", "c1"),
        ("same", "ink"),
    ]


def test_selectors_over_time_between_sbs_and_vbs_of_the_moment(tmp_path: Path) -> None:
    runs = [("i", 1, "a", 5, "ok"), ("i", 1, "b", 7, "ok")]
    measures = [("objective", "solution_quality", "false")]
    folder = write_scenario(tmp_path / "S", runs=runs, measures=measures)
    points = [("i", 1, "a", 4, 9), ("i", 1, "a", 5, 5), ("i", 1, "b", 2, 7)]
    (folder / "trajectories.arff").write_text(arff(POINT, points))
    (outcome,) = ae.import_scenarios([folder], into=tmp_path / "lake")
    assert outcome.error is None, outcome.error
    home = tmp_path / "lake"
    (results,) = LakeResults(open_lake(home)).scenarios
    assert anytime_selectors(results) is None  # there are none
    answers = tmp_path / "selections" / "S"
    answers.mkdir(parents=True)
    for n in range(10):  # each begins with b, and goes on with a after n + 3
        schedule = {"i": [["b", n + 3], ["a", 50]]}
        (answers / f"s{n}.json").write_text(json.dumps(schedule))
    import_selections(answers.parent, lake=home)
    (results,) = LakeResults(open_lake(home)).scenarios
    chart = anytime_selectors(results)
    assert chart is not None
    drawn = {line.name: line.points for line in lines(chart)}
    # The worst first value is 9, the best 5; a's 5 comes 5 after it begins.
    assert drawn["VBS"] == drawn["SBS"] == [[0, 1], [2, 0.5], [5, 0], [20, 0]]
    assert drawn["s1"] == [[0, 1], [2, 0.5], [9, 0], [20, 0]]
    assert set(drawn) == {"VBS", "SBS", *(f"s{n}" for n in range(8))}
    assert chart.population.endswith(", 2 selectors with larger gaps left out")
    assert chart.about == (
        "At the end s0 is closest of the selectors, with a mean gap of 0 (SBS 0, VBS 0)."
    )
    assert [line.color for line in lines(chart)].count("ink") == 1
    section = anytime(results)
    assert section is not None
    assert list(section.charts) == ["anytime", "anytime-selectors"]
    assert "executed on the recorded trajectories, step after step." in section.body


def test_gaps_of_three_runs_by_hand() -> None:
    # Of a trivial 50 and the optimum 0 there are left 30, 20 and 10. The run of c has no solution: its gap
    # is 1 to the end.
    rows: list[Any] = [*(("a", "i", 1, at, value) for at, value in ((1.0, 30.0), (4.0, 10.0)))]
    rows += [("b", "i", 1, 2.0, 20.0), ("c", "i", 1, None, None)]
    frame = pl.DataFrame(rows, schema=["algorithm", "instance_id", "trial", "at", "value"], orient="row")
    for ends, a, b in (
        (Ends({"i": 50.0}, {"i": 0.0}), [1, 0.6, 0.2], [1, 0.4]),
        (Ends({}, {}), [1, 1, 0], [1, 0.5]),
    ):
        found = gap_curves(frame, ends, maximize=False)
        assert {name: [part.tolist() for part in curve] for name, curve in found.items()} == {
            "a": [[0, 1, 4], a],
            "b": [[0, 2], b],
            "c": [[0], [1]],
        }
