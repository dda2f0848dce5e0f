"""One SELECT on a lake, and nothing else: what a user's own SQL may do."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb

from aslib_eval.db import STORED, connect, reason, store
from aslib_eval.errors import AslibError
from aslib_eval.paths import Paths
from aslib_eval.protocol import Protocol
from aslib_eval.sqlfiles import find_sql, quoted

if TYPE_CHECKING:
    import polars as pl


def query(
    sql: str,
    *,
    lake: str | Path,
    protocols: Sequence[str | Protocol] = ("default",),
    scenarios: Sequence[str] = (),
    sql_dirs: Paths = (),
) -> pl.DataFrame:
    """One SELECT on a lake, as a polars frame; it can neither write nor look outside.

    Raises AslibError for anything but one SELECT, and for what DuckDB refuses.
    """
    con = connect(
        lake,
        protocols=protocols,
        scenarios=scenarios,
        sql_dirs=sql_dirs,
        stored=False,
    )
    if _asks_for_scores(con, sql, sql_dirs):
        store(con)
    confine(con, Path(lake))
    return select(con, sql)


def _asks_for_scores(con: duckdb.DuckDBPyConnection, sql: str, sql_dirs: Paths) -> bool:
    """Whether a query reads a view above the stored ones."""
    try:
        tables = con.get_table_names(sql)
    except (duckdb.Error, UnicodeError):  # which select() will say
        return False
    first = min(file.layer for file in find_sql() if file.name in STORED)
    above = {f.name for f in find_sql(sql_dirs) if f.layer > first}
    return bool(above & tables)


def confine(con: duckdb.DuckDBPyConnection, lake: Path) -> None:
    """Take from a connection every access but reading inside the lake, for good."""
    con.execute(f"set allowed_directories = [{quoted(str(lake.resolve()))}]")
    con.execute("set enable_external_access = false")
    con.execute("set lock_configuration = true")


def select(con: duckdb.DuckDBPyConnection, sql: str) -> pl.DataFrame:
    """Run one SELECT. Raises AslibError for anything else."""
    from polars.exceptions import PolarsError

    hint = "Try 'aslib-eval views' for the relations and their columns."
    try:
        statements = con.extract_statements(sql.encode().decode())
        if len(statements) != 1 or not _is_select(statements[0]):
            raise AslibError("only one SELECT statement is allowed", "query", hint)
        # A SELECT can hold an INSERT: with x as (insert ... returning *) ...
        con.execute("begin transaction read only")
        try:
            frame: pl.DataFrame = con.sql(statements[0].query).pl()
        finally:
            con.execute("rollback")
    except duckdb.Error as error:
        raise AslibError(reason(error), "query", hint) from None
    except UnicodeError:
        raise AslibError("is not UTF-8 text", "query") from None
    except PolarsError as error:  # a type it has not, such as an interval
        raise AslibError(str(error), "query", "Cast it to varchar.") from None
    return frame


def _is_select(statement: duckdb.Statement) -> bool:
    try:
        return bool(statement.type == duckdb.StatementType.SELECT)
    except ValueError:  # a kind of statement the client has no name for
        return False
