"""The data of a page, and cells of its tables, by hand."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import polars as pl
import pytest

from aslib_eval.analysis.results import RunMatrix, ScenarioLine, SuiteResults
from aslib_eval.reports import html
from aslib_eval.reports.html import Header, HtmlTable
from aslib_eval.reports.sections.instances import _table, page_data

# On i2 half of the repetitions are solved, on i3 none.
MATRIX = RunMatrix(
    (("algorithm", "a"), ("selector", "s")),
    ("i1", "i2", "i3"),
    np.array([[1.0, 2.0], [3.5, 4.0], [100.0, 100.0]]),
    np.array([[1.0, 1.0], [0.5, 1.0], [0.0, 0.0]]),
)


def test_the_runs_of_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules[page_data.__module__], "families_of", lambda _: {})
    used = [("s", "a", 2), ("s", "gone", 1), ("t", "a", 1)]  # who has no column is left out
    frames = {
        "use": pl.DataFrame(used, schema=["selector", "algorithm", "n"], orient="row"),
        "attainable": pl.DataFrame(schema=["instance", "feature_cost", "presolved"]),
    }
    choices = {"penalty": 10, "at_cutoff": "solved", "sbs_criterion": "par"}
    summary = {"cutoff": 100.0, "maximize": False, "time_unit": None}
    about: dict[str, Any] = {"protocol": "p", "measure": "m", "scenario_id": "S", "shown_places": {}}
    about |= {"with_unit": str, "summary": summary, "choices": choices, "frames": frames}

    def data(*, timed: bool) -> dict[str, Any]:
        results: Any = SimpleNamespace(complete=MATRIX, timed=timed, **about)
        return page_data(results) or {}

    # A cost is left out where no repetition is solved, unless it is of a quality.
    assert data(timed=True)["par1"] == [[1, 3.5, None], [2, 4, None]]
    assert data(timed=False)["par1"] == [[1, 3.5, 100], [2, 4, 100]]
    assert (data(timed=True)["part"], data(timed=False)["part"]) == ([[0, 1, 0.5]], [])
    assert data(timed=True)["uses"] == [[1, 0, 2]]


def test_the_box_of_a_solver_has_its_number() -> None:
    row = {"solver": "a", "_choose": True, "_solver": 6}
    assert 'data-choose="6"' in HtmlTable("t", "T", [Header("solver", "algorithm")], [row]).html()


def test_a_column_of_times_has_their_unit_where_it_is_stated() -> None:
    columns = [Header("par10", "PAR10", "mean" + html.IN_UNIT), Header("n", "n")]
    for unit, title in ((" [s]", "PAR10 [s]"), ("", "PAR10")):
        first, second = html.in_unit(columns, unit)
        assert (first.title, first.about) == (title, f"mean{unit}")
        assert second == columns[1]


def suite_of(names: Iterable[str]) -> SuiteResults:
    places = dict.fromkeys(names, 1)
    found = SimpleNamespace(protocol="default", places=places, tested=None)
    return cast("SuiteResults", found)


def test_means_stand_below_of_those_that_most_scenarios_have() -> None:
    lines = [
        ScenarioLine({"name": name, "_link": "x", "_n": 3}, gaps, "default")
        for name, gaps in (("S", {"a": 0.5, "b": 0.25, "c": 0.75}), ("T", {"a": 0.25, "b": -0.25}))
    ]
    table = str(_table(suite_of("abc"), lines, [*"abc"]))
    foot = table[table.index("<tfoot>") :]
    assert re.findall(r"<t[hd]([^>]*)>([^<]*)", foot[: foot.index("</tfoot>")]) == [
        (' scope="row" title="mean"', "mean"),
        (' class="best" data-v="0.375"', "0.375"),
        (' data-v="0.0"', "0.000"),
        (' data-v=""', "\N{EN DASH}"),
    ]
    assert "<tfoot>" not in str(_table(suite_of("abc"), lines[:1], [*"abc"]))


def test_what_looks_like_the_best_is_bold_too() -> None:
    column = [Header("n", "n"), Header("v", "v", best="min", places=0)]

    def bold(*values: float) -> list[str]:
        rows = [{"n": str(value), "v": value} for value in values]
        table = str(HtmlTable("t", "T", column, rows).html())
        return re.findall(r'class="best" data-v="([^"]*)"', table)

    assert bold(186.1, 186.3, 483) == ["186.1", "186.3"]
    assert bold(186.1, 186.3) == []  # all look alike


def test_the_gap_of_a_selector_alone_is_not_bold() -> None:
    def bold(**gaps: float) -> int:
        row = {"name": "S", "_link": "S.html", "_n": 3}
        lines = [ScenarioLine(row, gaps, "default")]
        return str(_table(suite_of(gaps), lines, [*gaps])).count('class="best"')

    alone = bold(a=0.5)
    assert bold(a=0.5, b=0.25) == alone + 1
