"""Exports: a DuckDB file that stands alone, a SQLite file, and plain files."""

from __future__ import annotations

import json
import math
import re
import shutil
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, Literal

import duckdb
import polars as pl
import pyarrow.parquet as pq
import pytest

import aslib_eval as ae
from aslib_eval.database.open_lake import open_lake
from aslib_eval.database.protocol import TAG
from aslib_eval.database.sqlfiles import find_sql
from aslib_eval.errors import AslibError, OptionError
from aslib_eval.extensions.exporting.exports import (
    _as_cv,
    _inert,
    export_database,
    export_files,
    export_sqlite,
)
from aslib_eval.lake.schema import RELATIONS
from aslib_eval.selections import import_selections
from tests.conftest import ROOT, Row, rows
from tests.lab import ACCURACY, as_tables, runs

KEYS = {f.name: f.key for f in find_sql() if not f.is_macro}
VIEWS = list(KEYS)
RAW = [f"raw_{name}" for name in RELATIONS]
PROTOCOLS = ("default", "oasc2017")


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    lake = tmp_path_factory.mktemp("toy") / "lake"
    ae.import_scenarios([ROOT / "scenarios" / "TOY-2026"], into=lake)
    return lake


@pytest.fixture(scope="module")
def inside(toy: Path) -> duckdb.DuckDBPyConnection:
    return ae.connect(toy, protocols=PROTOCOLS)


@pytest.fixture(scope="module")
def exported(toy: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database made from a lake, opened where that lake is not."""
    file = tmp_path_factory.mktemp("to") / "it's a lake.duckdb"
    away = toy.with_name("away")
    assert ae.export(file, toy, protocols=PROTOCOLS) == [file]
    toy.rename(away)
    copy = file.with_name("copy.duckdb")
    copy.write_bytes(file.read_bytes())
    away.rename(toy)
    return copy


@pytest.fixture(scope="module")
def alone(exported: Path) -> duckdb.DuckDBPyConnection:
    con = duckdb.connect(str(exported), read_only=True)
    con.execute("set enable_external_access = false")
    con.execute("set threads = 1")
    return con


@pytest.fixture(scope="module")
def computed(toy: Path, exported: Path) -> tuple[duckdb.DuckDBPyConnection, duckdb.DuckDBPyConnection]:
    """Every view of the lake and of the file, computed once each."""
    copy = exported.with_name("computed.duckdb")
    copy.write_bytes(exported.read_bytes())
    file = duckdb.connect(str(copy))
    file.execute("set enable_external_access = false")
    file.execute("set threads = 1")
    return as_tables(ae.connect(toy, protocols=PROTOCOLS)), as_tables(file)


@pytest.mark.slow
@pytest.mark.parametrize("name", [*RAW, "protocol", *VIEWS])
def test_the_file_gives_the_same_rows(
    computed: tuple[duckdb.DuckDBPyConnection, duckdb.DuckDBPyConnection], name: str
) -> None:
    inside, alone = computed
    key = ", ".join(KEYS.get(name, ["all"]))
    sql = f"from {name} order by {key}"
    assert names(alone, name) == names(inside, name)
    assert near(rows(alone, sql), rows(inside, sql))


def near(found: list[Row], expected: list[Row]) -> bool:
    """Equal, but for the last digits of sums that ran in another order."""
    return len(found) == len(expected) and all(
        a == b or (isinstance(a, float) and math.isclose(a, b, rel_tol=1e-14))
        for x, y in zip(found, expected, strict=True)
        for a, b in zip(x, y, strict=True)
    )


def names(con: duckdb.DuckDBPyConnection, relation: str) -> list[str]:
    return [name for name, *_ in con.sql(f"from {relation} limit 0").description]


@pytest.mark.slow
def test_the_file_holds_macros_and_comments(alone: duckdb.DuckDBPyConnection) -> None:
    assert rows(alone, "select closed_gap(20, 50, 10)") == [(0.75,)]
    sql = "select comment from duckdb_tables() where table_name = 'solver_gap'"
    ((comment,),) = rows(alone, sql)
    assert comment.startswith("One row per protocol, scenario, measure and solver.")


@pytest.mark.parametrize("name", [*RAW, "protocol"])
def test_the_file_keeps_the_meaning_of_every_raw_column(
    inside: duckdb.DuckDBPyConnection, alone: duckdb.DuckDBPyConnection, name: str
) -> None:
    sql = "select column_name, comment from duckdb_columns() where table_name = "
    assert rows(alone, f"{sql}'{name}'") == rows(inside, f"{sql}'{name}'")


def test_the_file_is_in_the_storage_that_duckdb_1_reads(exported: Path) -> None:
    # The number that DuckDB 1.0 writes; it refuses a larger one.
    assert int.from_bytes(exported.read_bytes()[12:20], "little") == 64


@pytest.mark.slow
def test_an_existing_file_is_replaced(toy: Path, tmp_path: Path) -> None:
    file = tmp_path / "lake.duckdb"
    duckdb.connect(str(file)).close()
    export_database(open_lake(toy), file)
    assert rows(duckdb.connect(str(file)), "select count(*) from raw_run") == [(96,)]
    assert list(tmp_path.iterdir()) == [file], "no scratch is left"


@pytest.mark.parametrize("format_", ["parquet", "csv"])
def test_plain_files(
    inside: duckdb.DuckDBPyConnection, toy: Path, tmp_path: Path, format_: Literal["parquet", "csv"]
) -> None:
    relations = ["raw_run", "solver_score"]
    to = tmp_path / "new" / "folder"
    files = ae.export(to, toy, protocols=PROTOCOLS, relations=relations, format=format_)
    assert files == [to / f"{name}.{format_}" for name in relations]
    assert sorted(to.iterdir()) == sorted(files), "no scratch is left"
    for file in files:
        sql = f"from '{file}' order by all"
        assert rows(duckdb.connect(), sql) == rows(inside, f"from {file.stem} order by all")


@pytest.mark.slow
def test_every_relation_is_exported_by_default(toy: Path, tmp_path: Path) -> None:
    files = export_files(open_lake(toy), tmp_path)
    assert [file.stem for file in files] == [*RAW, "protocol", "metric", *VIEWS]
    assert pq.read_table(tmp_path / "solver_gap.parquet").num_rows == 7


def test_an_unknown_relation(toy: Path, tmp_path: Path) -> None:
    with pytest.raises(ae.AslibError, match="no relation solver_scor"):
        export_files(open_lake(toy), tmp_path / "to", relations=["raw_run", "solver_scor"])
    assert not (tmp_path / "to").exists()


@pytest.mark.parametrize("format_", ["xlsx", "parquet); drop table protocol; --"])
def test_an_unknown_format(toy: Path, tmp_path: Path, format_: str) -> None:
    with pytest.raises(ae.AslibError, match="duckdb, sqlite, parquet, csv"):
        ae.export(tmp_path / "to", toy, format=format_)  # type: ignore[arg-type]
    assert not (tmp_path / "to").exists()


@pytest.mark.parametrize("format_", ["aslib", "instancespace", "duckdb"])
def test_where_no_relation_can_be_chosen(format_: Any, toy: Path) -> None:
    with pytest.raises(OptionError, match=r"name no relations"):
        ae.export("x", toy, format=format_, relations=["solver_gap"])


@pytest.mark.parametrize("make", [export_database, export_files, export_sqlite])
def test_a_target_that_cannot_be_written_is_as_before(toy: Path, tmp_path: Path, make: object) -> None:
    old = tmp_path / "old"
    old.write_text("old")
    with pytest.raises(ae.AslibError, match="cannot be written") as caught:
        make(open_lake(toy), old / "lake.duckdb")  # type: ignore[operator]
    assert "nothing was changed" in str(caught.value)
    assert old.read_text() == "old"
    assert list(tmp_path.iterdir()) == [old]


@pytest.mark.parametrize("make", [export_database, export_sqlite])
def test_a_folder_is_not_replaced_by_a_file(toy: Path, tmp_path: Path, make: object) -> None:
    (tmp_path / "to").mkdir()
    with pytest.raises(ae.AslibError, match="cannot be written"):
        make(open_lake(toy), tmp_path / "to")  # type: ignore[operator]
    assert list(tmp_path.iterdir()) == [tmp_path / "to"]


# --- SQLite -------------------------------------------------------------------------

SOME = ("solver_gap", "raw_feature_step", "protocol", "metric")
# A relation longer than a batch, with what SQLite stores otherwise than DuckDB.
ODD = """-- One row per number.
-- key: n
-- n: number
-- half: no number at 0, no end at 1
select n::hugeint as n, case n when 0 then 'nan'::double when 1 then '-inf'::double
    when 2 then null else n / 2 end as half, n = 3 as is_three,
    {'to': [n, null]} as nested
from range(%d) as r(n)
"""


def in_sqlite(file: Path, sql: str) -> list[Row]:
    with closing(sqlite3.connect(file)) as con:
        return con.execute(sql).fetchall()


def odd(folder: Path, sql: str) -> list[Path]:
    (folder / "sql" / "solver").mkdir(parents=True)
    (folder / "sql" / "solver" / "odd.sql").write_text(sql)
    return [folder / "sql"]


@pytest.fixture(scope="module")
def in_one_file(toy: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("sqlite") / "it's.sqlite"
    assert ae.export(file, toy, format="sqlite", protocols=PROTOCOLS, relations=SOME) == [file]
    return file


@pytest.mark.parametrize("name", SOME)
def test_a_table_of_sqlite_has_the_rows_of_its_relation(
    inside: duckdb.DuckDBPyConnection, in_one_file: Path, name: str
) -> None:
    found = in_sqlite(in_one_file, f"select * from {name}")
    expected = rows(inside, f"from {name} order by {', '.join(key_of(in_one_file, name))}")
    as_json = [
        tuple(json.dumps(c, separators=(",", ":")) if isinstance(c, list) else c for c in r)
        for r in expected
    ]
    assert found == as_json != []


def key_of(file: Path, name: str) -> list[str]:
    sql = f"select name from pragma_table_info('{name}') where pk order by pk"
    return [column for (column,) in in_sqlite(file, sql)]


def test_the_key_in_a_header_is_the_primary_key(in_one_file: Path) -> None:
    assert key_of(in_one_file, "solver_gap") == list(KEYS["solver_gap"])
    assert key_of(in_one_file, "raw_feature_step") == ["scenario_id", "step", "of"]


def test_the_schema_of_sqlite_says_types_and_meanings(in_one_file: Path) -> None:
    (schema,) = in_sqlite(in_one_file, "select sql from sqlite_schema where name = 'raw_feature_step'")[0]
    assert '"step" TEXT, -- feature step\n' in schema
    assert '"is_default" INTEGER, -- whether default_steps lists the step\n' in schema
    assert '"requires" TEXT, -- feature steps that must run before this step\n' in schema
    sql = "select type from pragma_table_info('solver_gap') where name = 'closed_gap'"
    assert in_sqlite(in_one_file, sql) == [("REAL",)]


def test_the_same_lake_gives_the_same_sqlite_file(toy: Path, in_one_file: Path, tmp_path: Path) -> None:
    again = export_sqlite(open_lake(toy, protocols=PROTOCOLS), tmp_path / "b.db", relations=SOME)
    assert again.read_bytes() == in_one_file.read_bytes()
    export_sqlite(open_lake(toy), again, relations=["protocol"])
    assert in_sqlite(again, "select name from sqlite_schema where type = 'table'") == [("protocol",)]
    ((schema,),) = in_sqlite(again, "select sql from sqlite_schema where type = 'table'")
    assert f'"tag" TEXT, -- {TAG}' in schema
    assert list(tmp_path.iterdir()) == [again], "no scratch is left"


def test_values_that_sqlite_stores_otherwise(toy: Path, tmp_path: Path) -> None:
    folders = odd(tmp_path, ODD % 25_000)
    file = export_sqlite(open_lake(toy, sql_dirs=folders), tmp_path / "x", relations=["odd"])
    assert in_sqlite(file, "select * from odd limit 4") == [
        (0, None, 0, '{"to":[0,null]}'),
        (1, -math.inf, 0, '{"to":[1,null]}'),
        (2, None, 0, '{"to":[2,null]}'),
        (3, 1.5, 1, '{"to":[3,null]}'),
    ]
    assert in_sqlite(file, "select count(*), sum(n) from odd") == [(25_000, 312487500)]


@pytest.mark.parametrize(
    ("sql", "what"),
    [
        (ODD.replace("n::hugeint", "n // 2") % 4, r"odd has two rows of one key \(n\)"),
        (ODD.replace("n::", "(1e30 + n)::") % 4, "odd holds a whole number that SQLite"),
    ],
)
def test_what_sqlite_cannot_hold(toy: Path, tmp_path: Path, sql: str, what: str) -> None:
    folders = odd(tmp_path, sql)
    with pytest.raises(ae.AslibError, match=what):
        export_sqlite(open_lake(toy, sql_dirs=folders), tmp_path / "x", relations=["odd"])
    assert list(tmp_path.iterdir()) == [tmp_path / "sql"]


def test_a_file_that_is_no_sqlite_is_left_alone(toy: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine.txt"
    mine.write_text("SQLite format 3 is what I write about")
    with pytest.raises(ae.AslibError, match="exists and is not a SQLite file"):
        export_sqlite(open_lake(toy), mine)
    with pytest.raises(ae.AslibError, match="no relation solver_scor"):
        export_sqlite(open_lake(toy), tmp_path / "new", relations=["solver_scor"])
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


@pytest.mark.slow
def test_every_relation_is_in_the_sqlite_file_by_default(toy: Path, tmp_path: Path) -> None:
    file = export_sqlite(open_lake(toy), tmp_path / "x.sqlite")
    found = in_sqlite(file, "select name from sqlite_schema where type = 'table'")
    assert [name for (name,) in found] == [*RAW, "protocol", "metric", *VIEWS]


# --- schedules ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("measures", "budget"), [((("runtime", "runtime", "false"),), 100), (ACCURACY, None)]
)
def test_only_a_time_limit_is_a_budget(
    measures: tuple[tuple[str, str, str], ...],
    budget: float | None,
    imported: Callable[..., Path],
    tmp_path: Path,
) -> None:
    lake = imported(runs=runs(A=[1, 2]), measures=measures)
    (tmp_path / "x.csv").write_text("instance,algorithm\ni1,A\ni2,A\n")
    import_selections(tmp_path / "x.csv", lake=lake, scenario="S")
    found = open_lake(lake).ask("schedules", {"scheme": "aslib", "selectors": None})
    assert found["budget"].to_list() == [budget, budget]


def test_texts_of_every_type_are_made_inert() -> None:
    with duckdb.connect() as con:
        con.execute("create type word as enum ('=1+1', '-5', 'b')")
        con.execute("create table t (a varchar, b word, n integer)")
        con.execute("insert into t values ('=x', '=1+1', 1), ('-2', '-5', 2)")
        assert con.execute(_inert(con, "t")).fetchall() == [("'=x", "'=1+1", 1), ("-2", "-5", 2)]
        con.execute("create table u as select n from t")
        assert con.execute(_inert(con, "u")).fetchall() == [(1,), (2,)]


def test_a_split_that_is_not_there_names_the_others_by_name() -> None:
    folds = pl.DataFrame({"cv_scheme": ["z", "aslib", "b"], "instance_id": ["i"] * 3, "fold": [1, 2, None]})
    assert _as_cv(folds, "z", "S").rows() == [("aslib", "i", 1)]
    assert _as_cv(folds, "aslib", "S").rows() == [("aslib", "i", 2)]
    for scheme in ("b", "x"):
        with pytest.raises(ae.AslibError) as raised:
            _as_cv(folds, scheme, "S")
        assert str(raised.value) == (
            f"S: has no cv_scheme {scheme!r} that cv.arff could hold. "
            "It has aslib, b, z; cv_scheme=None writes no cv.arff."
        )
    split = folds.head(1).with_columns(cv_scheme=pl.lit("split"))
    with pytest.raises(ae.AslibError, match="has no cv_scheme 'aslib'"):
        _as_cv(split, "aslib", "S")
    assert _as_cv(folds.head(1), "aslib", "S").height == 0


def test_instance_space_has_a_row_an_instance(toy: Path, tmp_path: Path) -> None:
    to = tmp_path / "space"
    (file,) = ae.export(to, toy, format="instancespace", protocols=["default"])
    assert file == to / "TOY-2026" / "metadata.csv"
    head, *lines = file.read_text().splitlines()
    names = head.split(",")
    assert names[0] == "Instances"
    kinds = [name.partition("_")[0] for name in names if name[0].islower()]
    features = ae.connect(toy).sql("select distinct feature from raw_feature_value")
    assert kinds == ["feature"] * len(features.fetchall()) + ["algo"] * 4
    assert len(lines) == 12
    drift = dict(zip(names, lines[0].split(","), strict=True))
    sql = "select cost from instance_solver where solver = 'drift' and instance_id = $1"
    ((cost,),) = ae.connect(toy).execute(sql, [drift["Instances"]]).fetchall()
    assert float(drift["algo_drift"]) == cost


def test_no_instance_space_without_features_or_of_two_protocols(toy: Path, tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="needs a single protocols"):
        ae.export(tmp_path, toy, format="instancespace", protocols=PROTOCOLS)
    bare = tmp_path / "bare"
    (tmp_path / "runs.csv").write_text("instance,solver,time\ni,a,1\ni,b,2\n")
    ae.import_runs(tmp_path / "runs.csv", into=bare, cutoff=10)
    with pytest.raises(AslibError, match="no scenario has features"):
        ae.export(tmp_path / "to", bare, format="instancespace")
    assert not (tmp_path / "to").exists()


@pytest.mark.slow
@pytest.mark.oracles
@pytest.mark.usefixtures("two_definitions")
def test_r_gives_the_rows_of_a_relation(toy: Path, tmp_path: Path) -> None:
    program = shutil.which("Rscript")
    if program is None:
        pytest.skip("needs R with RSQLite (Debian's r-cran-rsqlite)")
    lake = open_lake(toy)
    export_sqlite(lake, tmp_path / "lake.sqlite", relations=["solver_gap"])
    (snippet,) = re.findall(r"```r\n(.*?)```", (ROOT / "docs/lake.md").read_text(), re.DOTALL)
    sql = "select solver, closed_gap from solver_gap where kind = 'algorithm' order by 1"
    code = f"""{snippet}
        con <- DBI::dbConnect(RSQLite::SQLite(), "lake.sqlite")
        rows <- DBI::dbGetQuery(con, "{sql}")
        cat(paste(rows$solver, sprintf("%.17g", rows$closed_gap)), sep = "\\n")
    """
    line = [program, "-e", code]
    done = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, check=True)
    *_, printed = done.stdout.partition("closed_gap\n")
    found = [line.split(" ") for line in done.stdout.splitlines()[-4:]]
    assert printed
    assert [(name, float(gap)) for name, gap in found] == lake.rows(sql)
