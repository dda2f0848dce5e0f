"""What commands of plans refuse, and which chart they draw, without an experiment."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import aslib_eval as ae
from aslib_eval.errors import AslibError, OptionError, ScenarioError
from aslib_eval.extensions.planning import commands
from aslib_eval.extensions.planning.commands import _draw_place, _families
from aslib_eval.figures.chart import Chart


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
