"""Exports: a DuckDB file that stands alone, and plain files."""

from __future__ import annotations

import math
from pathlib import Path

import duckdb
import pyarrow.parquet as pq
import pytest

import aslib_eval as ae
from aslib_eval.database.sqlfiles import find_sql
from aslib_eval.exports import export_database, export_files
from aslib_eval.lake.schema import RELATIONS
from tests.conftest import ROOT, Row, rows
from tests.lab import as_tables

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
    assert export_database(toy, file, protocols=PROTOCOLS) == file
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
def computed(
    toy: Path, exported: Path
) -> tuple[duckdb.DuckDBPyConnection, duckdb.DuckDBPyConnection]:
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
    sql = "select comment from duckdb_views() where view_name = 'solver_gap'"
    expected = "One row per protocol, scenario, measure and solver."
    assert rows(alone, sql) == [(expected,)]


@pytest.mark.parametrize("name", [*RAW, "protocol"])
def test_the_file_keeps_the_meaning_of_every_raw_column(
    inside: duckdb.DuckDBPyConnection, alone: duckdb.DuckDBPyConnection, name: str
) -> None:
    sql = "select column_name, comment from duckdb_columns() where table_name = "
    assert rows(alone, f"{sql}'{name}'") == rows(inside, f"{sql}'{name}'")


@pytest.mark.slow
def test_an_existing_file_is_replaced(toy: Path, tmp_path: Path) -> None:
    file = tmp_path / "lake.duckdb"
    duckdb.connect(str(file)).close()
    export_database(toy, file)
    assert rows(duckdb.connect(str(file)), "select count(*) from raw_run") == [(96,)]
    assert list(tmp_path.iterdir()) == [file], "no scratch is left"


@pytest.mark.parametrize("format_", ["parquet", "csv"])
def test_plain_files(
    inside: duckdb.DuckDBPyConnection, toy: Path, tmp_path: Path, format_: str
) -> None:
    relations = ["raw_run", "solver_score"]
    to = tmp_path / "new" / "folder"
    files = export_files(
        toy, to, relations=relations, format=format_, protocols=PROTOCOLS
    )
    assert files == [to / f"{name}.{format_}" for name in relations]
    assert sorted(to.iterdir()) == sorted(files), "no scratch is left"
    for file in files:
        sql = f"from '{file}' order by all"
        assert rows(duckdb.connect(), sql) == rows(
            inside, f"from {file.stem} order by all"
        )


@pytest.mark.slow
def test_every_relation_is_exported_by_default(toy: Path, tmp_path: Path) -> None:
    files = export_files(toy, tmp_path)
    assert [file.stem for file in files] == [*RAW, "protocol", "metric", *VIEWS]
    assert pq.read_table(tmp_path / "solver_gap.parquet").num_rows == 7


def test_an_unknown_relation(toy: Path, tmp_path: Path) -> None:
    with pytest.raises(ae.AslibError, match="no relation solver_scor"):
        export_files(toy, tmp_path / "to", relations=["raw_run", "solver_scor"])
    assert not (tmp_path / "to").exists()


@pytest.mark.parametrize("format_", ["xlsx", "parquet); drop table protocol; --"])
def test_an_unknown_format(toy: Path, tmp_path: Path, format_: str) -> None:
    with pytest.raises(ae.AslibError, match="there is no format"):
        export_files(toy, tmp_path / "to", format=format_)


@pytest.mark.parametrize("make", [export_database, export_files])
def test_a_target_that_cannot_be_written_is_as_before(
    toy: Path, tmp_path: Path, make: object
) -> None:
    old = tmp_path / "old"
    old.write_text("old")
    with pytest.raises(ae.AslibError, match="cannot be written") as caught:
        make(toy, old / "lake.duckdb")  # type: ignore[operator]
    assert "nothing was changed" in str(caught.value)
    assert old.read_text() == "old"
    assert list(tmp_path.iterdir()) == [old]


def test_a_folder_is_not_replaced_by_a_file(toy: Path, tmp_path: Path) -> None:
    (tmp_path / "to").mkdir()
    with pytest.raises(ae.AslibError, match="cannot be written"):
        export_database(toy, tmp_path / "to")
    assert list(tmp_path.iterdir()) == [tmp_path / "to"]
