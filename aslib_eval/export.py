"""A lake → one DuckDB file with the views inside, or one plain file a relation."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import duckdb

from aslib_eval.db import confine, create, open_lake, store
from aslib_eval.errors import AslibError
from aslib_eval.lake import RELATIONS
from aslib_eval.protocol import Protocol
from aslib_eval.replacing import (
    HINT,
    replacing,
    replacing_file,
    require_file,
    require_folder,
    unwritable,
)
from aslib_eval.sqlfiles import SqlFile, comments, find_sql
from aslib_eval.tables.comma import FORMULA, NUMBER

FORMATS = ("parquet", "csv")


def export_database(
    lake: Path,
    to: Path,
    *,
    protocols: Sequence[str | Protocol] = ("default",),
    scenarios: Sequence[str] = (),
    sql_dirs: Sequence[Path] = (),
) -> Path:
    """Write a DuckDB file: ``raw_*`` as tables, the protocols, every macro and view.

    An existing file is replaced when the new one is complete. Raises AslibError if
    it cannot be written, or for what ``connect`` refuses.
    """
    require_file(to)
    _require_replaceable(to)
    with replacing_file(to) as file:
        con = open_lake(
            lake,
            protocols=protocols,
            scenarios=scenarios,
            sql_dirs=sql_dirs,
            folders=[file.parent],
        )
        with _unwritable(to):
            _write_database(con, file, find_sql(sql_dirs))
    return to


def _write_database(
    con: duckdb.DuckDBPyConnection, file: Path, files: Sequence[SqlFile]
) -> None:
    tables = [*(f"raw_{name}" for name in RELATIONS), "protocol", "metric"]
    con.execute(f"attach '{_quoted(file)}' as target")
    for name in tables:
        con.execute(f"create table target.{name} as from {name}")
    con.execute("detach target")
    with duckdb.connect(str(file)) as target:
        confine(target, file.parent)
        for statement in (c for name in tables for c in _comments(con, name)):
            target.execute(statement)
        for sql in files:
            create(target, sql)


def _comments(con: duckdb.DuckDBPyConnection, name: str) -> list[str]:
    """The comments on a relation, as statements for a table of the same name."""
    about = con.execute(
        """
        select comment from duckdb_views() where view_name = $1
        union all select comment from duckdb_tables() where table_name = $1
        """,
        [name],
    ).fetchall()
    meanings = con.execute(
        "select column_name, comment from duckdb_columns() where table_name = $1",
        [name],
    ).fetchall()
    return comments(name, about[0][0], dict(meanings), kind="table")


def export_files(
    lake: Path,
    to: Path,
    *,
    relations: Sequence[str] = (),
    format: str = "parquet",  # noqa: A002
    protocols: Sequence[str | Protocol] = ("default",),
    scenarios: Sequence[str] = (),
    sql_dirs: Sequence[Path] = (),
) -> list[Path]:
    """Write one Parquet or CSV file a relation into the folder; all by default.

    In a CSV file, text that a spreadsheet would run (after = + - @, tab, CR) has an
    apostrophe before it; Parquet holds it as it is.
    Raises AslibError for an unknown relation or format, or if the folder cannot be
    written.
    """
    if format not in FORMATS:
        hint = f"Name one of {', '.join(FORMATS)}."
        raise AslibError(f"there is no format {format!r}", "export", hint)
    require_folder(to)
    raw = [f"raw_{name}" for name in RELATIONS]
    views = [f.name for f in find_sql(sql_dirs) if not f.is_macro]
    known = [*raw, "protocol", "metric", *views]
    if unknown := sorted(set(relations) - set(known)):
        hint = "Try 'aslib-eval views'."
        raise AslibError(f"no relation {', '.join(unknown)}", "export", hint)
    names = [f"{name}.{format}" for name in relations or known]
    with replacing(to) as draft:
        con = open_lake(
            lake,
            protocols=protocols,
            scenarios=scenarios,
            sql_dirs=sql_dirs,
            folders=[draft.path],
        )
        store(con)
        with _unwritable(to):
            for name in names:
                file = _quoted(draft.path / name)
                relation = name.removesuffix(f".{format}")
                csv = format == "csv"
                rows = _inert(con, relation) if csv else f"from {relation}"
                con.execute(f"copy ({rows}) to '{file}' (format {format})")
    return [to / name for name in names]


def _inert(con: duckdb.DuckDBPyConnection, relation: str) -> str:
    """A query of the relation whose text no spreadsheet runs, as ``inert`` makes it."""
    columns = con.sql(f"describe from {relation}").fetchall()
    words = [
        f"""case when regexp_full_match({name}::varchar, '{FORMULA}')
            and not regexp_full_match({name}::varchar, '{NUMBER}')
            then '''' || {name}::varchar else {name}::varchar end as {name}"""
        for name, kind, *_ in columns
        if kind == "VARCHAR" or kind.startswith("ENUM")
    ]
    if not words:
        return f"from {relation}"
    return f"select * replace ({', '.join(words)}) from {relation}"  # noqa: S608


def _require_replaceable(to: Path) -> None:
    """A file that is no DuckDB database is somebody's: leave it."""
    if to.is_file() and to.stat().st_size:
        with to.open("rb") as file:
            if file.read(12)[8:] != b"DUCK":
                hint = "Choose another -o, or remove it first."
                raise AslibError("exists and is no DuckDB file", str(to), hint)


@contextmanager
def _unwritable(to: Path) -> Iterator[None]:
    """What DuckDB cannot write becomes an AslibError that names the target."""
    try:
        with unwritable(to):
            yield
    except duckdb.IOException as error:
        what = f"cannot be written ({str(error).splitlines()[0]})"
        raise AslibError(what, str(to), HINT) from None


def _quoted(path: Path) -> str:
    return os.fspath(path).replace("'", "''")
