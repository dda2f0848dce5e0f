"""The data of a page, and cells of its tables, by hand."""

from __future__ import annotations

import re
from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import polars as pl

from aslib_eval.analysis.results import RunMatrix, ScenarioLine, SuiteResults
from aslib_eval.reports import html, pages
from aslib_eval.reports.html import Header, HtmlTable
from aslib_eval.reports.sections.instances import _option_chooser as _chooser
from aslib_eval.reports.sections.instances import _table

# On i2 half of the repetitions are solved, on i3 none.
MATRIX = RunMatrix(
    (("algorithm", "a"), ("selector", "s")),
    ("i1", "i2", "i3"),
    np.array([[1.0, 2.0], [3.5, 4.0], [100.0, 100.0]]),
    np.array([[1.0, 1.0], [0.5, 1.0], [0.0, 0.0]]),
)


def test_a_cost_is_left_out_where_no_repetition_is_solved() -> None:
    assert pages._column(MATRIX, 0, timed=True) == [1, 3.5, None]  # noqa: SLF001
    assert pages._column(MATRIX, 0, timed=False) == [1, 3.5, 100]  # noqa: SLF001


def test_who_has_no_column_is_not_among_the_uses() -> None:
    used = [("s", "a", 2), ("s", "gone", 1), ("t", "a", 1)]
    frame = pl.DataFrame(used, schema=["selector", "algorithm", "n"], orient="row")
    results: Any = SimpleNamespace(frames={"use": frame})
    assert pages._uses(results, MATRIX) == [[1, 0, 2]]  # noqa: SLF001


def test_the_box_of_a_solver_has_its_number() -> None:
    row = {"solver": "a", "_choose": True, "_solver": 6}
    cell = str(html._name(row, Header("solver", "algorithm")))  # noqa: SLF001
    assert 'data-choose="6"' in cell


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


def test_a_choice_has_its_value_and_is_called_by_its_title() -> None:
    assert str(_chooser("metric", "Metric", {"solved": "share solved"})) == (
        '<label>Metric <select id="metric"><option value="solved">share solved</option></select></label>'
    )
