"""Tables of a page: cells by hand of scenario TOY, and what the commands say."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import polars as pl
import pytest

import aslib_eval as ae
from aslib_eval.database.views import declared
from aslib_eval.reports.html import Header, metric_columns
from tests.conftest import ROOT

NAME = re.compile(r"<th[^>]*>(.*?)</th>", re.DOTALL)
CELL = re.compile(r'<td(?:[^>]*data-v="([^"]*)")?[^>]*>([^<]*)')


@pytest.fixture(scope="module")
def page(report: Path) -> str:
    return (report / "scenario" / "TOY.html").read_text()


def rows(page: str, name: str) -> list[list[str]]:
    """Of each row its name, the exact values of its numbers, and its words."""
    _, _, table = page.partition(f'id="{name}"')
    table, _, _ = table.partition("</table>")
    found = []
    for row in re.split(r"<tr\b", table)[2:]:
        (head,) = NAME.findall(row)
        cells = [value or text for value, text in CELL.findall(row)]
        found.append([re.sub("<[^>]*>", "", head), *cells])
    return found


def by_name(page: str, name: str) -> dict[str, list[str]]:
    return {head: cells for head, *cells in rows(page, name)}


def test_the_folds_have_the_sbs_of_the_others_and_their_own(page: str) -> None:
    found = by_name(page, "folds-table")
    # On fold 1 even takes 0, 93.5, 77, 60.5, 44 and once 1000, slow 231 in all.
    assert found["1/1"][:5] == ["6", "even", "slow", "212.5", "38.5"]
    assert [row[1] for row in found.values()] == ["even", "even", "slow", "slow"]
    assert "In 4 of 4 folds, the" in page


def test_feature_steps_have_their_costs_and_ends(page: str) -> None:
    assert by_name(page, "steps-table") == {
        "cheap": [*("yes", "1", "0.5", "0.5", "0.5", "0", "1", "ok 23, presolved 1", "")],
        "dear": ["no", "1", "2.875", "2.875", "5.75", "0", "0", "ok 24", "cheap"],
    }


def test_features_have_their_range_and_what_is_missing(page: str) -> None:
    found = by_name(page, "features-table")
    assert found["size"] == ["cheap", "0", "0.0", "24", "0.0", "11.5", "23.0"]
    missing = str(5 / 24)
    assert found["depth"] == ["dear", "5", missing, "19", "2.0", "24.0", "46.0"]
    assert "1 of 2 features lacks a value." in page


def test_causes_are_those_of_gap_why(lake: Path, page: str) -> None:
    said = ae.gap(lake, why=True).filter(pl.col("loss") != 0)
    columns = ("solver", "step", "n_main", "loss", "shapley", "alone")
    expected = [[str(value) for value in row] for row in said.select(columns).rows()]
    assert rows(page, "causes-table") == expected
    assert [row[:3] for row in expected] == [
        ["coin", "wrong choice", "14"],
        ["coin", "feature cost", "7"],
        ["oracle", "wrong choice", "14"],
        ["oracle", "feature cost", "7"],
    ]


def test_more_metrics_are_those_with_a_value_that_no_other_column_shows() -> None:
    row = {"cost": 1.0, "solved": 1.0, "closed_gap": 1.0, "par1": 2.0, "borda": 3.0}
    found = metric_columns(declared().values(), [row, {}])
    assert [header.key for header in found] == ["par1", "borda"]


def headers() -> dict[str, Header]:
    """Every column that a module of reports declares, by module and key."""
    found = {}
    for path in sorted((ROOT / "aslib_eval").rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        if "reports" in parts:
            module = import_module(".".join(parts).removesuffix(".__init__"))
            for value in vars(module).values():
                listed = value if isinstance(value, tuple) else (value,)
                own = [one for one in listed if isinstance(one, Header)]
                found |= {f"{module.__name__}:{one.key}": one for one in own}
    return found


def test_a_title_is_short_and_what_it_means_no_shorter() -> None:
    """So that neither stands in the place of the other."""
    every = headers()
    assert len(every) > 50
    for name, one in every.items():
        assert re.fullmatch("[a-z][a-z0-9_ ]*", one.key), name
        assert len(one.title) <= 24, name
        assert not one.about or len(one.about) >= len(one.title), name
        assert one.title == one.title.strip(), name
