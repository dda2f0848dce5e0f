"""Boards of real competitions: every published cell follows from the lake."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import aslib_eval as ae
from aslib_eval.extensions.competitions.published_pages import published

SOURCES = ("sat2023/sc2023-detailed-results.zip", "minizinc/2019.results.json.gz")
SOURCES += ("minizinc/2021.results.json.gz", "smt2025/results-parallel-2025.json.gz")
SOURCES += ("maxsat2022/complete-unweighted.table-all.html",)
pytestmark = pytest.mark.slow
SMALLEST = 1e-6  # difference of two points; scores are printed with six digits
SAT_BOARD = """select printf('%.2f', points), solved from rule_board
where rule = $rule and scenario_id = $scenario and (solver = 'VBS') = $virtual"""
SMT_BOARD = """select part_of, part, solver, errors, solved, printf('%.2f', cpu),
    printf('%.2f', wall), solved_sat, solved_unsat
from rule_board where rule = $rule and scenario_id like 'SMT-2025-%'"""
SMT_COLUMNS = ("errors", "correct", "cpu", "wall", "solved_sat", "solved_unsat")

CHC_BOARD = """select
    n, solved, solved_sat, solved_unsat, n - solved, timeouts, memouts,
    trunc(cpu), trunc(wall), alone
from rule_board where rule = 'chc2018-table' and solver <> 'VBS'"""
CHC_COLUMNS = ("count", "solved", "solved_sat", "solved_unsat", "unsolved", "timeout")
CHC_COLUMNS += ("memout", "cpu", "wall", "unique")
MAXSAT_BOARD = """select solved, mean_time from rule_board
where rule = 'maxsat-exact' and scenario_id like 'MAXSAT-2022-%' and place is not null
order by place"""
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
    assert differing(lake, shared, 2021, "minizinc_half") == (112_200, 0)


RESTRICTIONS = {"parallel": "smtcomp", "sat": "smtcomp-sat", "unsat": "smtcomp-unsat", "24s": "smtcomp-24s"}


def test_smt_comp_2025(lake: Path, shared: Path) -> None:
    con, ours = ae.connect(lake, stored=False), {}
    for restriction, rule in RESTRICTIONS.items():
        for of, part, solver, *values in con.execute(SMT_BOARD, {"rule": rule}).fetchall():
            table = (restriction, of, part.replace("+", "_"), solver)
            ours[table] = dict(zip(SMT_COLUMNS, map(str, values), strict=True))
    pages = shared / "competitions" / "smt2025" / "pages-parallel.tar.xz"
    equal = Counter[str]()
    for cell in published(pages):
        table = (cell.restriction, cell.level, cell.part, cell.solver)
        # Who is not in the raw results has zeros alone, and so has who answered nothing of a table.
        if cell.column in SMT_COLUMNS and table in ours:
            assert ours[table][cell.column] == cell.value, cell
            equal[cell.level] += 1
        elif cell.column in SMT_COLUMNS:
            assert cell.number == 0, cell
    assert equal == {"logic": 540, "division": 360}


def test_chc_comp_2018(shared: Path, tmp_path: Path) -> None:
    folder = shared / "competitions" / "chc2018"
    ae.import_runs(folder / "Job29663_info.csv", into=tmp_path / "lake", cutoff=900)
    printed: dict[str, dict[str, float | None]] = {}
    for cell in published(folder / "lra_results.txt"):
        printed.setdefault(cell.solver, {})[cell.column] = cell.number
    expected = [tuple(row[name] for name in CHC_COLUMNS) for row in printed.values()]
    con = ae.connect(tmp_path / "lake", stored=False)
    assert Counter(con.execute(CHC_BOARD).fetchall()) == Counter(expected)
    removed = "select count(distinct instance_id) from rule_run where rule = 'chc2018'"
    removed += " and removed = 'disagreement'"
    assert con.execute(removed).fetchall() == [(10,)]


def test_maxsat_2022(lake: Path, shared: Path) -> None:
    path = shared / "competitions" / "maxsat2022" / "complete-unweighted.summary.html"
    printed: dict[str, dict[str, float | None]] = {}
    for cell in published(path):
        printed.setdefault(cell.solver, {})[cell.column] = cell.number
    found = ae.connect(lake, stored=False).execute(MAXSAT_BOARD).fetchall()
    rounded = [(solved, round(time, 2)) for solved, time in found]
    assert rounded == [(row["solved"], row["mean_time"]) for row in printed.values()]
