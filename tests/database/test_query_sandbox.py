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
from aslib_eval.database.query import _refused, confine, select
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

NOT_ONE_SELECT = [
    "",
    ";",
    "-- nothing",
    "select 1; select 2",
    "select 1; drop view raw_run",
    "insert into protocol default values",
    "update protocol set penalty = 1",
    "delete from protocol",
    "create table t (a int)",
    "create temp table t as select 1",
    "create or replace view raw_run as select 1",
    "create macro f(x) as x",
    "create persistent secret s (type s3)",
    "alter view raw_run rename to r",
    "drop view raw_run",
    "comment on view raw_run is 'x'",
    "copy (select 1) to '{outside}/new.csv'",
    "copy (select 1) to '{lake}/new.csv'",
    "copy protocol from '{outside}/secret.csv'",
    "copy from database memory to other",
    "export database '{outside}/new'",
    "import database '{outside}'",
    "attach '{outside}/new.duckdb' as n",
    "attach '{lake}/new.duckdb' as n",
    "detach memory",
    "use memory",
    "install httpfs",
    "force install httpfs from 'http://localhost:1/'",
    "load httpfs",
    "load '{outside}/x.duckdb_extension'",
    "update extensions",
    "set threads = 4",
    "set global enable_external_access = true",
    "set allowed_directories = ['/']",
    "reset lock_configuration",
    "set variable x = 1",
    "pragma enable_profiling",
    "pragma database_list",
    "call pragma_version()",
    "call enable_logging()",
    "begin",
    "commit",
    "rollback",
    "checkpoint",
    "vacuum",
    "analyze",
    "prepare p as select 1",
    "execute p",
    "explain analyze copy (select 1) to '{outside}/new.csv'",
]

OUTSIDE = [
    "from '/etc/passwd'",
    "from '{outside}/secret.csv'",
    "from read_text('/etc/passwd')",
    "from read_blob('/etc/passwd')",
    "from read_csv('{outside}/secret.csv')",
    "from read_csv('{lake}/../secret.csv')",
    "from read_csv('{lake}/run/../../secret.csv')",
    "from read_csv('{lake}/.versions/../../secret.csv')",
    "from read_csv('{lake}x/secret.csv')",
    "from read_csv('{lake}/leads_out.csv')",
    "from read_text('{lake}/leads_out.csv')",
    "from '{lake}/leads_out.csv'",
    "from read_text('{lake}/folder_out/secret.csv')",
    "from glob('{lake}/folder_out/*')",
    "from read_text('lake/../secret.csv')",
    "from read_text('secret.csv')",
    "from read_text('~/secret.csv')",
    "from read_text('file://{outside}/secret.csv')",
    "from read_text('file:{outside}/secret.csv')",
    "from read_text(['{lake}/TOY-2026.json', '{outside}/secret.csv'])",
    "from read_text('/dev/stdin')",
    "from read_text('/proc/self/environ')",
    "from read_json('{outside}/secret.csv')",
    "from read_parquet('{outside}/secret.csv')",
    "from parquet_metadata('{outside}/secret.csv')",
    "from parquet_schema('{outside}/secret.csv')",
    "from sniff_csv('{outside}/secret.csv')",
    "from glob('/*')",
    "from glob('{outside}/*')",
    "from glob('{lake}/../*')",
    "select (select content from read_text('/etc/passwd'))",
    "with x as (from read_text('/etc/passwd')) from x",
    "from query('from read_text(''/etc/passwd'')')",
    "from query('copy (select 1) to ''{outside}/new.csv''')",
    "from query('select 1; drop view raw_run')",
    "from query_table('{outside}/secret.csv')",
    "describe from read_csv('{outside}/secret.csv')",
    "summarize from read_csv('{outside}/secret.csv')",
    "from json_execute_serialized_sql(json_serialize_sql('from ''/etc/passwd'''))",
    "from read_csv('http://localhost:1/a.csv')",
    "from 'https://localhost:1/a.parquet'",
    "from read_parquet('s3://bucket/a.parquet')",
    "from read_text('hf://datasets/a/b')",
    "from sqlite_scan('{outside}/x.db', 't')",
    "from postgres_scan('', 'public', 't')",
    "from load_aws_credentials()",
    "from duckdb_secrets()",
    "from duckdb_extensions()",
    "from which_secret('a', 's3')",
]

WRITING = [
    "with x as (insert into protocol default values returning *) from x",
    "with x as (delete from protocol returning *) from x",
    "with x as (update protocol set penalty = 1 returning *) from x",
    "select * into t from raw_run",
    "from force_checkpoint()",
    "from enable_logging()",
    "from enable_logging('all', storage = 'file', storage_path = '{outside}/new')",
    "from disable_logging()",
    "from enable_profiling()",
    "from add_parquet_key('k', '0123456789112345')",
    "select nextval('s')",
    "select set_config('threads', '4')",
]

SURROUNDINGS = [
    "select getenv('HOME')",
    "from frame",
    "from CONTENT",
    "from os",
    "from pandas_scan(1)",
    "from arrow_scan(1, 2, 3)",
    "select error('said')",
    "select interval 1 day",
    "from test_all_types()",
    "select '\udc80'",
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
    lake = str(outside / "lake")
    return sql.replace("{lake}", lake).replace("{outside}", str(outside))


@pytest.mark.parametrize("sql", ORDINARY)
def test_reads(sql: str, confined: duckdb.DuckDBPyConnection) -> None:
    assert select(confined, sql).height > 0


def test_reads_a_file_of_the_lake(outside: Path) -> None:
    sql = f"from read_text('{outside}/lake/TOY-2026.json')"
    assert ae.query(sql, lake=outside / "lake").height == 1


@pytest.mark.parametrize("sql", NOT_ONE_SELECT)
def test_refuses_all_but_one_select(sql: str, outside: Path, confined: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(ae.AslibError, match=r"^query: .*"):
        select(confined, filled(sql, outside))


@pytest.mark.parametrize("sql", OUTSIDE)
def test_does_not_look_outside(sql: str, outside: Path, confined: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(ae.AslibError) as caught:
        select(confined, filled(sql, outside))
    assert "root:" not in str(caught.value)
    assert "secret,2" not in str(caught.value)


@pytest.mark.parametrize("sql", WRITING)
def test_does_not_write(sql: str, outside: Path, confined: duckdb.DuckDBPyConnection) -> None:
    before = select(confined, "from protocol")
    with pytest.raises(ae.AslibError):
        select(confined, filled(sql, outside))
    assert select(confined, "from protocol").equals(before)


@pytest.mark.parametrize("sql", SURROUNDINGS)
def test_sees_nothing_of_the_process(sql: str, confined: duckdb.DuckDBPyConnection) -> None:
    frame = confined.sql("select 1 as a").pl()
    with pytest.raises(ae.AslibError):
        select(confined, sql)
    assert frame.height == 1


def test_no_setting_shows_the_environment(confined: duckdb.DuckDBPyConnection) -> None:
    shown = select(confined, "select name, value from duckdb_settings()").rows()
    values = {value for _, value in shown if value}
    private = {os.environ.get(name, "-") for name in ("PATH", "PWD", "PYTHONPATH")}
    assert not values & (private - {"", "/"})


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
        *NOT_ONE_SELECT[3:5],
        NOT_ONE_SELECT[16],
        OUTSIDE[0],
        OUTSIDE[5],
        OUTSIDE[9],
        WRITING[0],
        SURROUNDINGS[0],
        SURROUNDINGS[7],
        "select error('a\nb')",
        "selec 1",
    ],
)
def test_the_command_says_it_in_one_line(sql: str, outside: Path) -> None:
    arguments = ["query", filled(sql, outside), "--lake", str(outside / "lake")]
    result = CliRunner().invoke(main, arguments)
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
    ignored = shutil.ignore_patterns(".results")
    shutil.copytree(toy, lake, symlinks=True, ignore=ignored)
    with suppress(ae.AslibError):
        ae.query(sql, lake=lake)
    files = (lake / ".results").glob("*/*/*.parquet")
    assert {file.name.partition(".")[0] for file in files} == built


@pytest.mark.slow
@pytest.mark.parametrize("glob", ["TOY-2026", "renam*", "renamed"])
def test_a_scenario_goes_by_its_folder_too(tmp_path: Path, glob: str) -> None:
    shutil.copytree(ROOT / "scenarios" / "TOY-2026", tmp_path / "renamed")
    ae.import_scenarios([tmp_path / "renamed"], into=tmp_path / "lake")
    sql = "select scenario_id, folder from raw_scenario"
    found = ae.query(sql, lake=tmp_path / "lake", scenarios=[glob])
    assert found.rows() == [("TOY-2026", "renamed")]


def test_the_place_of_an_error_in_a_long_line(outside: Path) -> None:
    sql = "-- a comment\n  select 'ß',\n" + "1, " * 100 + "nothing, 2"
    with pytest.raises(ae.AslibError, match=r"^query:3:301: Binder Error"):
        ae.query(sql, lake=outside / "lake")


FRAMES = " A frame of Python must be registered: ae.connect(\u2026).register(name, frame)."


@pytest.mark.parametrize(
    ("sql", "more"), [("from my_frame", FRAMES), ("select nothing", ""), ("select 1 +", "")]
)
def test_only_a_name_that_is_no_relation_may_be_a_frame(sql: str, more: str) -> None:
    with duckdb.connect() as con, pytest.raises(duckdb.Error) as raised:
        con.execute(sql)
    hint = "Try 'aslib-eval views' for the relations and their columns."
    assert _refused(raised.value, None).hint == hint + more
