"""Messages and positions of DuckDB's errors in SQL."""

from __future__ import annotations

import json
import re
from typing import NamedTuple

import duckdb

from aslib_eval.database.sqlfiles import SqlFile
from aslib_eval.errors import AslibError, place

# DuckDB prints the place below its message: the line, and a mark under the word.
_DRAWING = re.compile(r"\nLINE (\d+): (.*)\n( *)\^")
_CUT = "..."
_EXPLAIN = "explain (format json)\n"


class Position(NamedTuple):
    """A place in a text: line and column from 1; None for an uncertain column."""

    line: int
    column: int | None

    def __str__(self) -> str:
        line, column = self
        return str(line) if column is None else f"{line}:{column}"


def reason(error: duckdb.Error) -> str:
    """DuckDB's message in one line, without its drawing of the place."""
    return " ".join(str(error).split("\nLINE ")[0].split())


def position(error: duckdb.Error, statement: str) -> Position | None:
    """Position of an error in a statement; None if DuckDB does not give it.

    DuckDB shows a long line only in part: the column is then searched in the line.
    """
    found = _DRAWING.search(str(error))
    if found is None:
        return None
    lines = statement.split("\n")
    number, shown = int(found[1]), found[2]
    at = len(found[3]) - len(f"LINE {number}: ")
    if not 1 <= number <= len(lines):
        return None
    line = lines[number - 1]
    if line.startswith(shown.removesuffix(_CUT)):
        return Position(number, at + 1)
    part = shown.removeprefix(_CUT).removesuffix(_CUT)
    if line.count(part) != 1:
        return Position(number, None)
    return Position(number, line.index(part) + at - len(_CUT) + 1)


def operators(con: duckdb.DuckDBPyConnection, statement: str) -> set[str]:
    """Operators of the plan of a SELECT, as DuckDB names them: ``COPY_TO_FILE``.

    Raises duckdb.Error for a wrong statement; nothing is run.
    """
    rows = con.execute(f"{_EXPLAIN}{statement}").fetchall()
    nodes = [node for _, plan in rows for node in json.loads(plan)]
    names = set()
    while nodes:
        node = nodes.pop()
        names.add(node["name"])
        nodes += node.get("children", [])
    return names


def locate(con: duckdb.DuckDBPyConnection, error: duckdb.Error, statement: str) -> Position | None:
    """As ``position``; also for an unknown name, whose place ``con.sql`` omits."""
    try:
        operators(con, statement)
    except duckdb.Error as again:
        found = position(again, f"{_EXPLAIN}{statement}")
        return None if found is None else Position(found.line - 1, found.column)
    return position(error, statement)


def found_in(text: str, statement: str, found: Position | None) -> Position | None:
    """The same place in a text that contains the statement; None stays None."""
    start = text.find(statement)
    if found is None or start < 0:
        return found
    before = text[:start]
    line, column = found
    if line == 1 and column is not None:
        column += start - (before.rfind("\n") + 1)
    return Position(line + before.count("\n"), column)


def sql_error(con: duckdb.DuckDBPyConnection, error: duckdb.Error, file: SqlFile) -> AslibError:
    """DuckDB's error in the SQL of a file, with the line of the file."""
    found = locate(con, error, file.sql)
    line = None if found is None else file.line + found.line - 1
    return AslibError(reason(error), place(str(file.path), line))
