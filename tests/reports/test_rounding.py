"""Where a number is 0 the report says 0, not what rounding leaves of it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import polars as pl
import pytest

import aslib_eval as ae
from aslib_eval.reports.html import Header, HtmlTable
from aslib_eval.reports.write import write_report
from aslib_eval.selections import import_selections
from aslib_eval.text import number, round_scores
from tests.conftest import Row, write_scenario

# Both add up to 21.9 by hand, but not in binary digits.
TIMES = {
    "sum": (3.5, 4.2, 2.5, 1.4, 4.4, 5.9),
    "whole": (1.4, 2.9, 4.7, 4.9, 2.8, 5.2),
    "worst": (9.0, 9.0, 9.0, 9.0, 9.0, 9.0),
}


def lake_of_ties(home: Path) -> Path:
    """Scenario TIES: two algorithms of equal mean, and selectors that take one each."""
    runs: list[Row] = [
        (f"i{at}", 1, name, time, "ok") for name, times in TIMES.items() for at, time in enumerate(times)
    ]
    folds = {f"i{at}": at % 2 + 1 for at in range(6)}
    folder = write_scenario(home / "TIES", runs=runs, folds=folds, cutoff="10")
    (outcome,) = ae.import_scenarios([folder], into=home / "lake")
    assert outcome.error is None, outcome.error
    answers = [f"i{at},{name},only-{name}" for name in TIMES for at in range(6)]
    file = home / "answers.csv"
    file.write_text("\n".join(["instance_id,algorithm,selector", *answers, ""]))
    (said, *_) = import_selections(file, lake=home / "lake", scenario="TIES")
    assert said.error is None, said.error
    return home / "lake"


@pytest.fixture(scope="module")
def ties(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return lake_of_ties(tmp_path_factory.mktemp("ties"))


@pytest.mark.slow
@pytest.mark.parametrize("protocol", ["default", "tornede2020", "amadini2023"])
def test_no_page_shows_what_rounding_leaves(ties: Path, tmp_path: Path, protocol: str) -> None:
    for file in write_report(ties, to=tmp_path, protocol=protocol):
        text = file.read_text().rpartition("<script>")[0]  # without the program
        found = re.findall(rf"\d(?:\.\d+)?e[-{number(-1)[0]}](\d+)", text)
        assert [power for power in found if int(power) > 9] == []


@pytest.mark.slow
def test_a_tied_algorithm_closes_exactly_nothing(ties: Path, tmp_path: Path) -> None:
    (page, _) = write_report(ties, to=tmp_path)
    text = page.read_text()
    table = text.split('id="contributions-table"')[1].split("</table>")[0]
    gaps = re.findall(r'data-column="gap" data-v="([^"]*)"', table)
    assert gaps[:2] == ["0.0", "0.0"]
    assert float(gaps[2]) < -1
    charts = json.loads(text.split('id="charts">')[1].split("</script>")[0])
    ends = [box[0] for mark in charts["waterfall"]["marks"]
            for box in mark.get("boxes", ())]  # fmt: skip
    assert ends[:2] == [0, 0]
    assert ": sum, whole. The first by name counts." in text


def test_only_gaps_among_the_metrics_are_settled() -> None:
    given = {"metric": ["closed_gap", "par1", "closed_gap"], "score": [1e-16, 1e-16, 2]}
    found = round_scores(pl.DataFrame(given, strict=False))
    assert found["score"].to_list() == [0, 1e-16, 2]


def test_minus_0_is_0() -> None:
    assert number(-0.0) == "0"
    rows = [{"a": "x", "b": -0.0}]
    table = HtmlTable("t", "T", (Header("a", "A"), Header("b", "B")), rows).html()
    assert 'data-v="0.0">0</td>' in table
