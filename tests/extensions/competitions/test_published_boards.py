"""Boards of real competitions: every published cell follows from the lake."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import aslib_eval as ae
from aslib_eval.extensions.competitions.formats.published import published

SOURCES = ("sat2023/sc2023-detailed-results.zip", "minizinc/2019.results.json.gz")
SOURCES += ("minizinc/2021.results.json.gz",)
SMALLEST = 1e-6  # difference of two points; scores are printed with six digits
SAT_BOARD = """select printf('%.2f', points), solved from rule_board
where rule = $rule and scenario_id = $scenario and (solver = 'VBS') = $virtual"""
PAIRS = """select solver, other, instance_id, points from rule_pair
where rule = $rule and scenario_id = $scenario"""


@pytest.fixture(scope="module")
def lake(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("competitions") / "lake"
    paths = [shared / "competitions" / source for source in SOURCES]
    ae.import_scenarios(paths, into=folder)
    return folder


def test_sat_2023(lake: Path, shared: Path) -> None:
    values: dict[tuple[str, str, bool], dict[str, dict[str, str]]] = {}
    for cell in published(shared / "competitions" / "sat2023" / "results.html"):
        if cell.restriction in {"all", "sat", "unsat"}:
            table = (cell.board, cell.restriction, cell.role == "virtual")
            row = values.setdefault(table, {}).setdefault(cell.solver, {})
            row[cell.column] = cell.value
    con, cells = ae.connect(lake, stored=False), Counter[bool]()
    for (track, restriction, virtual), printed in values.items():
        rule = "sat2023" if restriction == "all" else f"sat2023-{restriction}"
        asked = {"rule": rule, "scenario": f"SAT-2023-{track}", "virtual": virtual}
        found = con.execute(SAT_BOARD, asked).fetchall()
        expected = [(row["score"], int(row["solved"])) for row in printed.values()]
        assert Counter(found) == Counter(expected), (rule, track)
        cells[virtual] += 2 * len(found)
    assert cells == {False: 360, True: 18}


def differing(lake: Path, shared: Path, year: int, rule: str) -> tuple[int, int]:
    """How many pairs there are, and how many of them have other points than printed."""
    path = shared / "competitions" / "minizinc" / f"{year}.results.json.gz"
    printed = {
        (cell.solver, cell.against, cell.part): float(cell.value)
        for cell in published(path)
        if cell.restriction == "complete"
    }
    asked = {"rule": rule, "scenario": f"MZN-{year}"}
    found = ae.connect(lake, stored=False).execute(PAIRS, asked).fetchall()
    away = (abs(printed[tuple(pair)] - points) for *pair, points in found)
    return len(found), sum(size > SMALLEST for size in away)


def test_minizinc_2019(lake: Path, shared: Path) -> None:
    assert differing(lake, shared, 2019, "minizinc2019") == (65_000, 0)


def test_minizinc_2021(lake: Path, shared: Path) -> None:
    assert differing(lake, shared, 2021, "minizinc2019") == (112_200, 9_137)
    assert differing(lake, shared, 2021, "minizinc2021") == (112_200, 0)
