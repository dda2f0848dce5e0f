"""The table of Holm's steps: what is compared, and where rejecting stops."""

from __future__ import annotations

from pathlib import Path

import pytest

import aslib_eval as ae
from aslib_eval.database.open_lake import OpenLake, open_lake
from aslib_eval.database.sqlfiles import find_tables
from aslib_eval.tables import render
from aslib_eval.tables.paper_table import paper_table
from aslib_eval.text import NONE
from tests.conftest import ROOT, write_scenario
from tests.lab import OBJECTIVE

OURS = (ROOT / "sql" / "table" / "steps.sql").read_text()
COMPARED = next(line for line in OURS.splitlines() if line.startswith("-- compare:"))
A = [10.0, 20, 30, 40, 50, 60]


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> OpenLake:
    home = tmp_path_factory.mktemp("steps")
    values = {"A": A, "B": [1.1 * a for a in A[:5]] + [1.12 * 60], "C": [1.1 * A[0], 0.9 * A[1], *A[2:]]}
    runs = [
        (f"i{at}", 1, system, value, "ok")
        for system, some in values.items()
        for at, value in enumerate(some, 1)
    ]
    folder = write_scenario(home / "S", runs=runs, measures=OBJECTIVE)
    ae.import_scenarios([folder], into=home / "lake")
    return open_lake(home / "lake")


def rendered(lake: OpenLake, folder: Path, compare: str, format_: str = "csv") -> list[str]:
    (folder / "table").mkdir()
    text = OURS.replace(COMPARED, f"-- compare: {compare}")
    (folder / "table" / "mine.sql").write_text(text)
    table = paper_table(lake, find_tables([folder])["mine"])
    return render(table, format=format_, bare=format_ != "md").splitlines()


def test_a_line_where_rejecting_stops(lake: OpenLake, tmp_path: Path) -> None:
    """Of B ten percent and once twelve; of C ten percent more, ten less, then nothing.

    Logarithms of 1.1, five times, and of 1.12: mean 0.0983, deviation 0.00736, so d is 13.37, and at level
    0.025 with 5 degrees of freedom they are 3.163 * 0.0030 = 0.0095 to either side: from 9.3 to 11.4
    percent, so 1.048 to either side of 10.33.
    Ten less is more than ten more: the mean for C is 1 - (1.1 * 0.9) ** (1 / 6).
    """
    text = rendered(lake, tmp_path, "versus A; test t; differences percent", "md")
    body = [line for line in text if line.startswith("| S |")]
    assert body[0].startswith("| S | B vs A | 0.025 | ")
    assert body[0].endswith(" | -0.1 | 0.01 | -13.37 | 6 |")
    assert body[1:] == [
        f"| S | stop rejecting H0 |{f' {NONE} |' * 6}",
        "| S | C vs A | 0.05 | 0.95 | 0.0017 | 0.067 | 0.03 | 6 |",
    ]
    assert text[-1] == (
        "Test: paired t over instances, two-sided, with known families as units, holm,"
        " alpha 0.05; with a positive difference, the first is better."
    )


def test_no_line_where_nothing_is_rejected(lake: OpenLake, tmp_path: Path) -> None:
    lines = rendered(lake, tmp_path, "versus C; test sign")
    assert [line.split(",")[1] for line in lines[1:]] == ["B vs C", "A vs C"]


def test_why_there_are_no_tests(lake: OpenLake) -> None:
    table = paper_table(lake, find_tables()["steps"])
    assert table.rows == ()
    assert table.notes[-1].startswith("No tests: no selector differs from SBS")
