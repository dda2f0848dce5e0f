"""What a page tells of single instances, and of curves over time; by hand."""

from __future__ import annotations

import json
import math
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import numpy as np
import polars as pl
import pytest

from aslib_eval.analysis.results import RunMatrix
from aslib_eval.figures.gaps import CAUSES
from aslib_eval.reports.sections.instances import (
    FeatureValues,
    _brief,
    _curves,
    _losses,
    _places,
    _schedules,
    families_of,
    instance_details,
)

anytime = import_module("aslib_eval.extensions.anytime.analysis")
MATRIX = RunMatrix(
    (("algorithm", "a"), ("algorithm", "b"), ("selector", "s")),
    ("i1", "i2", "i3"),
    np.ones((3, 3)),
    np.ones((3, 3)),
)
POINT = ["measure", "algorithm", "instance_id", "trial", "elapsed", "value", "maximize"]


def curves(*points: tuple[Any, ...]) -> Any:
    frame = pl.DataFrame(points, schema=POINT, orient="row", infer_schema_length=None)
    results: Any = SimpleNamespace(frames={"trajectory": frame}, measure="q")
    return _curves(results, MATRIX)


def test_a_curve_is_of_the_first_run_where_it_improves() -> None:
    assert curves(
        ("q", "b", "i2", 3, 1.0, 9.0, False),
        ("q", "b", "i2", 3, 2.0, 9.0, False),  # no better
        ("q", "b", "i2", 3, 4.0, 7.5, False),
        ("q", "b", "i2", 4, 0.5, 1.0, False),  # of another run
        ("other", "b", "i2", 3, 0.5, 1.0, False),
        ("q", "b", "i2", 3, None, 1.0, False),
        ("q", "b", "i2", 3, 5.0, float("nan"), False),
        ("q", "b", "gone", 1, 5.0, 1.0, False),
        ("q", "gone", "i2", 1, 5.0, 1.0, False),
    ) == {1: {1: [[1, 9], [4, 7.5]]}}
    assert curves(
        ("q", "a", "i3", 1, 1.0, 2.0, True), ("q", "a", "i3", 1, 2.0, 3.0, True),
        ("q", "a", "i3", 1, 3.0, 2.5, True),
    ) == {0: {2: [[1, 2], [2, 3]]}}  # fmt: skip
    results: Any = SimpleNamespace(frames={"trajectory": pl.DataFrame()})
    assert _curves(results, MATRIX) == {}


def test_of_a_long_curve_forty_points_stay_with_both_ends() -> None:
    long = curves(*(("q", "a", "i1", 1, float(at), 2.0 * at, True) for at in range(1000)))[0][0]
    assert len(long) == 40
    assert (long[0], long[1], long[-1]) == ([0, 0], [25, 50], [999, 1998])


def test_numbers_are_told_in_four_digits() -> None:
    told = [_brief(v) for v in (1.23456, 9999.4, 10000.4, -123456.7, 2.0, 0.00012345)]
    assert told == [1.235, 9999, 10000, -123457, 2, 0.0001234]
    assert [type(v) for v in told[1:5]] == [int] * 4


def test_schedules_name_what_they_call_and_how_it_ends() -> None:
    rows = [
        ("s", "i2", ["b", "a"], [1.5, 2.0], ["timeout", "ok"]),
        ("s", "i3", ["a"], [3.0], ["ok"]),
        ("s", "gone", ["c"], [3.0], ["ok"]),
        ("t", "i1", ["a"], [3.0], ["ok"]),
    ]
    steps = [None, [[1, 1.5, "timeout"], [0, 2, "ok"]], [[0, 3, "ok"]]]
    assert _schedules(MATRIX, rows) == {"names": ["a", "b", "c"], "steps": {2: steps}}


def test_losses_are_by_the_number_of_their_cause() -> None:
    rows = [("s", "i1", 1, 0.5), ("s", "i1", 3, -2.0), ("s", "gone", 1, 1.0)]
    rows += [("t", "i1", 1, 1.0), ("s", "i3", 2, 4.0)]
    lost = {2: {0: [[0, 0.5], [2, -2]], 2: [[1, 4]]}}
    assert _losses(MATRIX, rows) == lost


def test_the_share_below_and_half_of_the_equals() -> None:
    given = np.array([[1.0, np.nan], [2.0, 5.0], [2.0, np.nan], [9.0, 5.0]])
    assert _places(given).tolist() == [
        [0.125, 0.5], [0.5, 0.5], [0.5, 0.5], [0.875, 0.5]
    ]  # fmt: skip


def test_an_instance_is_told_by_the_features_farthest_from_the_middle() -> None:
    values = np.array([[10.0, 3.0, 7.0], [20.0, 4.0, 7.5]])
    places = np.array([[0.4, 0.9, 0.5], [0.6, 0.25, 0.5]])
    found = FeatureValues(["x", "y", "z"], values, places)
    assert found.odd() == [[[1, 3, 90], [0, 10, 40]], [[1, 4, 25], [0, 20, 60]]]
    assert found.medians() == [15, 3.5, 7.25]
    assert found.map() is None  # two instances


def test_a_map_is_of_the_two_heaviest_components() -> None:
    places = np.array([[0.1, 0.9, 0.5], [0.5, 0.5, 0.6], [0.9, 0.1, 0.5]])
    found = FeatureValues(["x", "y", "z"], places, places).map()
    assert found is not None
    assert [[round(v, 3) for v in at] for at in found["at"]] == [
        [-0.566, -0.033], [0.0, 0.067], [0.566, -0.033]
    ]  # fmt: skip
    assert found["shares"] == [0.9897, 0.0103]


def test_a_map_of_three_instances_keeps_their_distances_for_any_features() -> None:
    places = np.random.default_rng(3).random((3, 500))
    found = FeatureValues([str(f) for f in range(500)], places, places).map()
    assert found is not None
    for one, other in ((0, 1), (0, 2), (1, 2)):
        apart = math.dist(found["at"][one], found["at"][other])
        assert apart == pytest.approx(math.dist(places[one], places[other]), abs=2e-3)
    spread = (np.array(found["at"]) ** 2).sum(axis=0)
    assert found["shares"] == pytest.approx(spread / spread.sum(), abs=1e-3)
    places[2] = places[1]
    line = FeatureValues([str(f) for f in range(500)], places, places).map()
    assert line is not None
    assert line["shares"] == [1, 0]


def attributes(*rows: tuple[str, str, str]) -> Any:
    frame = pl.DataFrame(rows, schema=["attribute", "i", "value"], orient="row")
    results: Any = SimpleNamespace(complete=MATRIX, frames={"attribute": frame})
    return families_of.__wrapped__(results)


def test_families_have_fewer_values_than_instances() -> None:
    own = [("name", "i1", "x"), ("name", "i2", "y"), ("name", "i3", "z")]
    some = [("family", "i1", "v"), ("family", "i2", "u"), ("family", "i3", "v")]
    one = [("author", "i2", "w")]
    found = attributes(*one, *own, *some)
    assert found == {
        "family": {"names": ["u", "v"], "of": [1, 0, 1]},
        "author": {"names": ["w"], "of": [None, 0, None]},
    }
    assert [*found] == ["family", "author"]


def test_without_runs_of_all_nothing_is_told() -> None:
    nothing: Any = SimpleNamespace(complete=None)
    assert instance_details.__wrapped__(nothing) == {}
    assert len(CAUSES) > 2


CHART = SimpleNamespace(about="The mean.", population="3 instances")


@pytest.mark.parametrize(
    ("execution", "said"),
    [
        ("sequential", "found, step after step. All"),
        ("parallel", "found, all algorithms of a schedule side by side. All"),
        ("one_core", "all algorithms of a schedule side by side on one core. All"),
    ],
)
def test_the_section_on_time_says_how_schedules_are_executed(
    execution: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(anytime, "anytime_chart", lambda _: CHART)
    monkeypatch.setattr(anytime, "anytime_selectors", lambda _: CHART)
    results: Any = SimpleNamespace(choices={"execution": execution})
    section = anytime.anytime(results)
    assert section is not None
    assert (section.id, section.title) == ("anytime", "Anytime")
    assert section.population == "3 instances"
    assert [*section.charts] == ["anytime", "anytime-selectors"]
    assert said in str(section.body)
    assert str(section.body).index("Anytime curves") < str(section.body).index(said)


def test_without_selectors_or_curves_the_section_has_less(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(anytime, "anytime_chart", lambda _: CHART)
    monkeypatch.setattr(anytime, "anytime_selectors", lambda _: None)
    results: Any = None
    section = anytime.anytime(results)
    assert section is not None
    assert [*section.charts] == ["anytime"]
    assert json.dumps(str(section.body)).count("<figure") == 1
    monkeypatch.setattr(anytime, "anytime_chart", lambda _: None)
    assert anytime.anytime(results) is None
