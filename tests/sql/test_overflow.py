"""A scenario whose numbers overflow fails alone: the others answer as without it."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest
from click.testing import CliRunner

import aslib_eval as ae
from aslib_eval.cli import main
from aslib_eval.database.sqlfiles import SqlFile, find_sql
from tests.conftest import ROOT, rows, write_scenario

pytestmark = pytest.mark.usefixtures("opened_once")

HUGE = [("a", 1.7e308), ("b", 1.6e308), ("c", 2)]
LARGEST = "1.79e308"
QUALITY = ("quality", "solution_quality", "true")


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("overflow")
    runs = [(f"i{k}", 1, a, v, "ok") for k in range(4) for a, v in HUGE]
    twice = [
        (f"i{k}", r, a, v, "ok" if k else "timeout") for k in range(4) for r in (1, 2) for a, v in HUGE
    ]
    signs = [(i, r, a, v if a == "a" else -v, s) for i, r, a, v, s in runs]
    made = [
        write_scenario(home / "HUGE", runs=runs, cutoff=LARGEST),
        write_scenario(home / "TWICE", runs=twice, cutoff=LARGEST),
        write_scenario(home / "SIGNS", runs=signs, measures=[QUALITY]),
        ROOT / "scenarios" / "TOY-2026",
    ]
    assert [outcome.error for outcome in ae.import_scenarios(made, into=home / "lake")] == [None] * 4
    return home / "lake"


@pytest.fixture(scope="module")
def all_of_them(lake: Path) -> duckdb.DuckDBPyConnection:
    return ae.connect(lake)


@pytest.fixture(scope="module")
def toy_alone(lake: Path) -> duckdb.DuckDBPyConnection:
    return ae.connect(lake, scenarios="TOY-2026")


@pytest.mark.slow
@pytest.mark.parametrize("file", [f for f in find_sql() if not f.is_macro], ids=lambda f: f.name)
def test_every_view_answers_for_the_others(
    file: SqlFile, all_of_them: duckdb.DuckDBPyConnection, toy_alone: duckdb.DuckDBPyConnection
) -> None:
    local = "scenario_id" in file.columns and file.subject != "suite"
    which = "where scenario_id = 'TOY-2026'" if local else ""
    found = rows(all_of_them, f"from {file.name} {which} order by all")
    if local:
        assert found == rows(toy_alone, f"from {file.name} order by all")


def test_points_of_times_whose_sum_overflows(all_of_them: duckdb.DuckDBPyConnection) -> None:
    """17 / 33 and 16 / 33."""
    sql = """
        select solver, borda from solver_borda
        where scenario_id = 'HUGE' and kind = 'algorithm' order by all
    """
    (a, b, c) = rows(all_of_them, sql)
    assert (a[1], b[1]) == pytest.approx((16 / 33, 17 / 33), rel=1e-12)
    assert c == ("c", 2)


@pytest.mark.parametrize(
    "words", [("list",), ("score",), ("gap",), ("table", "algorithms")], ids=lambda words: words[0]
)
def test_every_command_answers(words: tuple[str, ...], lake: Path) -> None:
    done = CliRunner().invoke(main, [*words, "--lake", str(lake)])
    assert (done.exit_code, done.exception) == (0, None)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_the_report_names_who_is_not_in_it(lake: Path, tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["report", "-o", str(tmp_path), "--lake", str(lake)])
    assert done.exit_code == 1
    assert all(": cannot be reported" in line for line in done.stderr.splitlines())
    assert {"index", "TOY-2026"} <= {path.stem for path in tmp_path.rglob("*.html")}
