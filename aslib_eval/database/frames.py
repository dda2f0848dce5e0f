"""Run the named SELECTs of sql/frame, which commands, reports and papers use.

Each is a file with a header like that of a view, but no relation is created for it, so
that users do not see it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

from aslib_eval.database.sqlfiles import FRAME, SqlFile, parse_sql, sql_dir

if TYPE_CHECKING:
    import duckdb


def ask(
    con: duckdb.DuckDBPyConnection,
    name: str,
    parameters: Mapping[str, object] | None = None,
) -> duckdb.DuckDBPyRelation:
    """The result of ``sql/frame/NAME.sql`` on an open lake.

    parameters: a value for each that its header names.
    """
    return con.sql(frame_file(name).sql, params=dict(parameters or {}))


@cache
def frame_file(name: str) -> SqlFile:
    """The SELECT of that name with its header.

    Raises:
        AslibError: when there is none, or its header is wrong.
    """
    return parse_sql(sql_dir() / FRAME / f"{name}.sql")
