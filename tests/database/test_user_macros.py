"""A file of a macro or a view is one statement, under a name that is free."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from aslib_eval.database.sqlfiles import SqlFile
from aslib_eval.database.views import create
from aslib_eval.errors import AslibError


def file(name: str, sql: str, *, subject: str = "macro") -> SqlFile:
    return SqlFile(name, subject, Path(f"{name}.sql"), "", (), {}, "", sql)


@pytest.mark.parametrize(
    "sql",
    [
        "create macro twice(x) as 2 * x",
        "create or replace macro twice(x) as 2 * x",
        "CREATE  OR  REPLACE\nFUNCTION twice (x) AS 2 * x",
    ],
)
def test_a_macro_is_called_like_its_file(sql: str) -> None:
    con = duckdb.connect()
    create(con, file("twice", sql))
    assert con.execute("select twice(21)").fetchone() == (42,)
    assert (file("twice", sql).is_macro, file("twice", sql).signature) == (True, "twice(x)")


@pytest.mark.parametrize(
    "sql",
    [
        "create or replace macro thrice(x) as 3 * x",
        "create or replace macro twice_as_much(x) as 2 * x",
        "create or replace macro twice(x) as 2 * x; select 1",
        "select 1",
        "create table twice (x integer)",
    ],
)
def test_a_file_of_a_macro_holds_it_alone(sql: str) -> None:
    with pytest.raises(AslibError) as refused:
        create(duckdb.connect(), file("twice", sql))
    assert (refused.value.message, refused.value.where) == ("is not one macro alone", "twice.sql")
    assert refused.value.hint == "Write create or replace macro twice(…) as …."


@pytest.mark.parametrize("sql", ["select 1; select 2", "create table v (x int)"])
def test_a_file_of_a_view_holds_one_select(sql: str) -> None:
    with pytest.raises(AslibError, match=r"^v.sql: is not one SELECT alone"):
        create(duckdb.connect(), file("v", sql, subject="own"))


def test_no_macro_replaces_a_function_of_duckdb() -> None:
    what = r"^median.sql: DuckDB has a function 'median', which it would replace\. Cho"
    with pytest.raises(AslibError, match=what):
        create(duckdb.connect(), file("median", "create macro median(x) as x"))
