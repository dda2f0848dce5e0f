"""Ask one of the named SELECTs of sql/frame, each in a file with a header as a view's.

They are the questions of commands, reports and papers that are longer than a line. No
relation is made of them: they are not among the views, and users do not see them.
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
    """The answer of an open lake to ``sql/frame/NAME.sql``.

    parameters: values of those that its header names, all of them.
    """
    return con.sql(frame(name).sql, params=dict(parameters or {}))


@cache
def frame(name: str) -> SqlFile:
    """One of the files. Raises AslibError if there is none, or its header is wrong."""
    return parse_sql(sql_dir() / FRAME / f"{name}.sql")
