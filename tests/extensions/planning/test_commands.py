"""Charts of plans and of the runs of programs: what stands where."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import polars as pl
import pytest

import aslib_eval as ae
from aslib_eval.errors import AslibError, OptionError, ScenarioError
from aslib_eval.extensions.planning import commands
from aslib_eval.extensions.planning.commands import _draw_place, _families
from aslib_eval.extensions.planning.power import (
    Plan,
    over_comparisons,
    power_curve,
    power_profile,
    sizes_over_comparisons,
    solve,
)
from aslib_eval.extensions.planning.runs import NUMBER, Program
from aslib_eval.extensions.planning.sampling import Accuracy, runs_of_each, standard_errors
from aslib_eval.figures.chart import Chart, Texts
from tests.cli.test_calls import called
from tests.figures.test_figures import dots, lines, names


def test_power_curves_mark_the_plan() -> None:
    found = solve(Plan(comparisons=7), n=200, power=0.85)
    chart = power_curve(found)
    assert [line.name for line in lines(chart)] == [
        *("best comparison", "mean comparison", "worst comparison")
    ]
    (point,) = dots(chart)
    assert point.points[0][:2] == [found.d, found.power]
    (line,) = lines(power_curve(solve(Plan(), n=20, d=1), over="n"))
    assert line.name == ""


def test_sizes_and_powers_over_the_number_of_comparisons() -> None:
    """The paper's figures 1 and 2: 15 comparisons of d = 0.5 with power 0.9."""
    found = solve(Plan(comparisons=15), d=0.5, power=0.9)
    sizes, profiles = over_comparisons(found, power=0.9)
    chart = sizes_over_comparisons(sizes)
    bonferroni, holm = lines(chart)
    assert [line.name for line in (bonferroni, holm)] == ["Bonferroni", "Holm"]
    assert bonferroni.points[0][:2] == holm.points[0][:2] == [1, 44]
    assert (bonferroni.points[-1][:2], holm.points[-1][:2]) == ([15, 76], [15, 67])
    drawn = power_profile(profiles, power=0.9)
    (points,) = dots(drawn)
    assert len(points.points) == sum(range(1, 16))
    best, mean, worst = lines(drawn)
    assert mean.points[-1] == [15, pytest.approx(found.power)]
    assert worst.points[-1][1] == pytest.approx(0.85, abs=0.01)  # as the paper says
    assert best.points[0] == worst.points[0]
    (labels,) = (mark for mark in drawn.marks if isinstance(mark, Texts))
    assert labels.items[-1][2] == "67"


def sampled() -> pl.DataFrame:
    rows = [
        ("i1", "A", "B", 0.04, True, 10, 20, 42),
        ("i1", "A", "C", 0.05, True, 10, 12, 42),
        ("i2", "A", "B", 0.02, True, 10, 10, 34),
        ("i2", "A", "C", 0.09, False, 10, 14, 34),
    ]
    columns = ("instance", "system", "other", "se", "reached", "runs", "other_runs")
    return pl.DataFrame(rows, schema=[*columns, "total_runs"], orient="row")


def test_standard_errors_by_instance() -> None:
    chart = standard_errors(sampled(), se=0.05)
    assert (names(chart), names(chart, "right")) == (["i1", "i2"], ["42", "34"])
    reached, beyond = dots(chart)
    assert [point[:2] for point in reached.points] == [[0.04, 0], [0.05, 0], [0.02, 1]]
    assert [point[:2] for point in beyond.points] == [[0.09, 1]]
    assert chart.about.startswith("On 1 instance, some standard errors were too large")
    done = standard_errors(sampled().filter("reached"), se=0.05)
    assert [mark.name for mark in dots(done)] == ["reached"]


def test_runs_by_algorithm() -> None:
    chart = runs_of_each(sampled())
    assert names(chart) == ["B", "C", "A"]  # medians 15, 13 and 10
    every, middle = dots(chart)
    assert sorted(point[:2] for point in every.points) == [
        [10, 0], [10, 2], [10, 2], [12, 1], [14, 1], [20, 0]
    ]  # fmt: skip
    assert [point[:2] for point in middle.points] == [[15, 0], [13, 1], [10, 2]]
    with pytest.raises(AslibError, match="0 algorithms do not make"):
        runs_of_each(sampled().clear())


# --- what commands refuse, and which chart they draw ------------------------------------


@pytest.mark.parametrize(
    ("over", "title", "axis"),
    [
        ("d", "Power of the plan", "difference of means, in standard deviations (d)"),
        ("comparisons", "Instances needed, by the number of comparisons", "number of comparisons"),
        ("profile", "Power of each comparison; below it the number of instances", "number of comparisons"),
    ],
)
def test_the_chart_of_a_plan_is_over_what_was_asked(
    over: Any, title: str, axis: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved: list[tuple[Chart, Path]] = []
    monkeypatch.setattr(Chart, "save", lambda self, to: saved.append((self, to)))
    ae.plan_instances(d=0.5, comparisons=4, over=over, chart="plan.svg")
    ((chart, to),) = saved
    assert (chart.title, chart.x.label, to) == (title, axis, Path("plan.svg"))


def test_families_are_of_a_file_or_of_the_names(tmp_path: Path) -> None:
    assert _families(["a-1.cnf", "a-2.cnf", "b-1.cnf"], None) == ["a", "a", "b"]
    file = tmp_path / "families.csv"
    file.write_text("instance_id,family\ny,f2\nx,f1\n")
    assert _families(["x", "y", "x"], file) == ["f1", "f2", "f1"]
    with pytest.raises(ScenarioError) as refused:
        _families(["x", "z", "u"], file)
    assert [found.message for found in refused.value.findings] == ["z has no family", "u has no family"]


def test_an_order_is_of_an_incumbent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "opened", lambda *_: None)
    with pytest.raises(OptionError, match=r"^show='order' needs incumbent"):
        ae.plan_solver("lake", show="order")


def test_a_chart_of_places_shows_one_search() -> None:
    two: Any = [SimpleNamespace(), SimpleNamespace()]
    with pytest.raises(AslibError, match=r"a chart shows one search, not 2\. Choose"):
        _draw_place(two, Path("chart.svg"))
    _draw_place(two, None)


# --- what commands hand over ------------------------------------------------------------


def test_runs_of_programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    line = "plan runs -a A=x=1 -a B=y i j --se 0.5 --budget 20 --log l.csv"
    function = "aslib_eval.extensions.planning.runs:drive"
    args, named = called(f"{line} --value time --timeout 9 --jobs 2", function, monkeypatch)
    assert args == ([Program("A", "x=1", None, 9), Program("B", "y", None, 9)], ("i", "j"))
    assert (named["log"], named["seed"], named["jobs"]) == (Path("l.csv"), 1, 2)
    usual = {"difference": "percent", "pairs": "all", "formula": "delta", "start": 10}
    assert named["accuracy"] == Accuracy(se=0.5, budget=20, **usual)  # type: ignore[arg-type]
    (programs, _), _ = called(f"{line} --value 'v (.)'", function, monkeypatch)
    assert programs[0] == Program("A", "x=1", "v (.)", 3600)
    (programs, _), _ = called(line, function, monkeypatch)
    assert programs[1] == Program("B", "y", NUMBER, 3600)


def test_an_experiment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    line = (
        "plan experiment -a A=x -a B=y -a C=z i j k --n 2 --d 1.5 --se 0.5"
        " --pairs first --budget 30 --log l.csv --seed 3 --jobs 2 --timeout 9"
        " --maximise"
    )
    function = "aslib_eval.extensions.planning.experiment:experiment"
    (programs, drawn), named = called(line, function, monkeypatch)
    assert programs[0] == Program("A", "x", timeout=9)
    assert (len(drawn.instances), drawn.families, drawn.seed) == (2, None, 3)
    assert named["plan"].plan == Plan(comparisons=2)
    assert (named["plan"].n, named["plan"].d) == (2, 1.5)
    assert named["accuracy"] == Accuracy(
        se=0.5, difference="percent", pairs="first", formula="delta", start=10,
        budget=30,
    )  # fmt: skip
    assert (named["log"], named["seed"], named["jobs"]) == (Path("l.csv"), 3, 2)
    assert named["maximise"] is True
    for given, n in ((" --n 3", 3), (" --d 1000", 2), (" --n 3 --power 0.7", 3)):
        asked = line.replace(" --n 2 --d 1.5", given)
        (_, drawn), named = called(asked, function, monkeypatch)
        assert (len(drawn.instances), named["plan"].n) == (n, n)
        wanted = 0.7 if "power" in given else 0.8
        assert named["plan"].power >= wanted - 1e-9
        assert (named["plan"].power < wanted + 1e-9) == ("--n" in given)
    (_, drawn), _ = called(f"{line} --by family", function, monkeypatch)
    assert drawn.families == ["i", "j", "k"]
