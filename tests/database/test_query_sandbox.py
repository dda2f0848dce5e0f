"""``query`` reads the lake and nothing else: shown by trying."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import duckdb
import pytest
from click.testing import CliRunner

import aslib_eval as ae
from aslib_eval.cli import main
from aslib_eval.database.query import confine, select
from tests.conftest import ROOT

CONTENT = "a,b\nsecret,2\n"

ORDINARY = [
    "select * from scenario_baseline",
    "with r as (select * from raw_run) select count(*) from r",
    "from solver_score",
    "table protocol",
    "values (1), (2)",
    "describe raw_run",
    "describe select 1",
    "summarize raw_fold",
    "show tables",
    "select 1;",
    "select 'attach; install; copy x to y' as words -- insert",
    "select 'ß' as \"ü; drop table protocol\"",
    "select * from query('select 1')",
    "select * from query_table('raw_run')",
]


@pytest.fixture(scope="module")
def outside(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a secret, a lake, and links out of the lake."""
    folder = tmp_path_factory.mktemp("outside")
    (folder / "secret.csv").write_text(CONTENT)
    (folder / "lakex").mkdir()
    (folder / "lakex" / "secret.csv").write_text(CONTENT)
    (outcome,) = ae.import_scenarios([ROOT / "scenarios" / "TOY-2026"], into=folder / "lake")
    assert outcome.error is None
    (folder / "lake" / "leads_out.csv").symlink_to(folder / "secret.csv")
    (folder / "lake" / "folder_out").symlink_to(folder)
    return folder


@pytest.fixture(scope="module")
def confined(outside: Path) -> duckdb.DuckDBPyConnection:
    con = ae.connect(outside / "lake")
    confine(con, outside / "lake")
    return con


@pytest.fixture(autouse=True)
def unchanged(outside: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No file comes, goes or changes."""
    monkeypatch.chdir(outside)
    before = digest(outside)
    yield
    assert digest(outside) == before


def digest(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        if path.is_file()
        else ""
        for path in folder.rglob("*")
    }


def filled(sql: str, outside: Path) -> str:
    return sql.replace("{lake}", str(outside / "lake")).replace("{outside}", str(outside))


@pytest.mark.parametrize("sql", ORDINARY)
def test_reads(sql: str, confined: duckdb.DuckDBPyConnection) -> None:
    assert select(confined, sql).height > 0


def test_reads_a_file_of_the_lake(outside: Path) -> None:
    assert ae.query(f"from read_text('{outside}/lake/TOY-2026.json')", lake=outside / "lake").height == 1


def test_no_setting_shows_the_environment(confined: duckdb.DuckDBPyConnection) -> None:
    shown = select(confined, "select name, value from duckdb_settings()").rows()
    values = {value for _, value in shown if value}
    assert not values & ({os.environ.get(name, "-") for name in ("PATH", "PWD", "PYTHONPATH")} - {"", "/"})


def test_a_log_stays_in_memory(outside: Path) -> None:
    assert ae.query("select write_log('x')", lake=outside / "lake").height == 1


def test_an_error_leaves_the_connection_usable(confined: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(ae.AslibError):
        select(confined, "select error('x') from raw_run")
    assert select(confined, "select 1").rows() == [(1,)]


@pytest.mark.slow
@pytest.mark.parametrize(
    "sql",
    [
        "select 1; select 2",
        "copy (select 1) to '{outside}/new.csv'",
        "from '/etc/passwd'",
        "from read_csv('{lake}/../secret.csv')",
        "with x as (insert into protocol default values returning *) from x",
        "select getenv('HOME')",
        "select error('a\nb')",
        "selec 1",
    ],
)
def test_the_command_says_it_in_one_line(sql: str, outside: Path) -> None:
    result = CliRunner().invoke(main, ["query", filled(sql, outside), "--lake", str(outside / "lake")])
    assert (result.exit_code, result.stdout) == (1, "")
    assert re.match(r"query(:1:\d+)?: ", result.stderr)
    assert result.stderr.count("\n") == 1
    assert "Traceback" not in result.stderr


def test_the_command_prints_a_select(outside: Path) -> None:
    arguments = ["query", "-", "--lake", str(outside / "lake"), "--format", "csv"]
    result = CliRunner().invoke(main, arguments, input="select 1 as one")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "one\n1\n", "")


@pytest.mark.parametrize(
    ("sql", "built"),
    [
        ("select 1", set()),
        ("from raw_run", set()),
        ("from stg_run", set()),
        ("from instance_algorithm", {"instance_algorithm"}),
        ("FROM SCENARIO_SBS", {"instance_algorithm", "scenario_sbs"}),
        ("with solver_gap as (select 1 as x) from solver_gap", set()),
        ("from no_such_relation", set()),
        ("copy protocol to 'x'", set()),
    ],
)
def test_what_a_query_reads_is_built(toy: Path, tmp_path: Path, sql: str, built: set[str]) -> None:
    lake = tmp_path / "lake"
    shutil.copytree(toy, lake, symlinks=True, ignore=shutil.ignore_patterns(".results"))
    with suppress(ae.AslibError):
        ae.query(sql, lake=lake)
    assert {file.name.partition(".")[0] for file in (lake / ".results").glob("*/*/*.parquet")} == built


def test_the_place_of_an_error_in_a_long_line(outside: Path) -> None:
    sql = "-- a comment\n  select 'ß',\n" + "1, " * 100 + "nothing, 2"
    with pytest.raises(ae.AslibError, match=r"^query:3:301: Binder Error"):
        ae.query(sql, lake=outside / "lake")
