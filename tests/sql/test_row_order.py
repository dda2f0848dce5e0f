"""The same data gives the same digits, however its rows are read.

DuckDB may answer a join in another order from one connection to the next, and a sum of floats depends on
its order. So every number is made from sums that do not, and is the same with other scenarios or without,
on any number of threads, with names as text or as enums in alphabetical order.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import duckdb
import pytest

import aslib_eval as ae
from aslib_eval.database.sqlfiles import SqlFile, find_sql
from aslib_eval.lake.schema import RELATIONS
from aslib_eval.selections import import_selections
from tests.conftest import ROOT, opened
from tests.lab import as_tables

VIEWS = [file for file in find_sql() if not file.is_macro]


PROTOCOLS = ("default", "asf", "amadini2023")
SCENARIOS = ("SAT-PYSAT-2026", "TOY-2026")
NAMES = ("scenario_id", "instance_id", "algorithm", "measure", "selector", "step")


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("order")
    ae.import_scenarios([ROOT / "scenarios" / name for name in SCENARIOS], into=home)
    import_selections(ROOT / "scenarios" / "selections", lake=home)
    return home


def some(lake: Path, **asked: Any) -> duckdb.DuckDBPyConnection:
    """A third of the instances, which differ as all do in the order of their rows."""
    con = opened(lake, protocols=PROTOCOLS, **asked)
    for name, relation in RELATIONS.items():
        of_an_instance = "instance_id" in relation.schema.names
        where = "where md5_number_lower(instance_id) % 3 = 0" if of_an_instance else ""
        con.execute(f"create table held as from raw_{name} {where}")
        con.execute(f"drop view raw_{name}")
        con.execute(f"alter table held rename to raw_{name}")
    return con


@pytest.fixture(scope="module")
def straight(lake: Path) -> duckdb.DuckDBPyConnection:
    return as_tables(some(lake))


def shuffle(con: duckdb.DuckDBPyConnection, name: str) -> None:
    """Make a view or a table a table of the same rows in an arbitrary order."""
    tables = con.execute("select table_name from duckdb_tables()").fetchall()
    kind = "table" if (name,) in tables else "view"
    con.execute(f"create table mixed as from {name} as t order by hash(t::varchar)")
    con.execute(f"drop {kind} {name}")
    con.execute(f"alter table mixed rename to {name}")


def name_by_enums(con: duckdb.DuckDBPyConnection) -> None:
    """Make names enums in the ``raw_*`` tables, in alphabetical order."""
    for name in NAMES:
        tables = [f"raw_{r}" for r in RELATIONS if name in con.table(f"raw_{r}").columns]
        names = " union ".join(f"select {name} as name from {t}" for t in tables)
        values = f"select name from ({names}) where name is not null order by name"
        con.execute(f"create type {name} as enum ({values})")
        for table in tables:
            con.execute(f"alter table {table} alter {name} type {name}")


def answers(con: duckdb.DuckDBPyConnection, file: SqlFile, where: str = "true") -> list[Any]:
    return con.execute(f"from {file.name} where {where} order by all").fetchall()


def differing(one: duckdb.DuckDBPyConnection, other: duckdb.DuckDBPyConnection) -> list[str]:
    return [f.name for f in VIEWS if answers(one, f) != answers(other, f)]


@pytest.mark.slow
def test_views_do_not_depend_on_the_order_of_rows_or_on_threads(
    lake: Path, straight: duckdb.DuckDBPyConnection
) -> None:
    mixed = some(lake)
    mixed.execute("set threads = 2")
    for relation in RELATIONS:
        shuffle(mixed, f"raw_{relation}")
    for file in VIEWS:  # each reads what was shuffled before it
        shuffle(mixed, file.name)
    assert differing(straight, mixed) == []


@pytest.mark.slow
def test_a_scenario_alone_has_the_same_digits(lake: Path, straight: duckdb.DuckDBPyConnection) -> None:
    scenario = "TOY-2026"
    alone = as_tables(some(lake, scenarios=scenario))
    local = [f for f in VIEWS if "scenario_id" in f.columns and f.subject != "suite"]
    where = f"scenario_id = '{scenario}'"
    assert [file.name for file in local if answers(straight, file, where) != answers(alone, file)] == []


@pytest.mark.slow
def test_names_may_be_enums(lake: Path, straight: duckdb.DuckDBPyConnection) -> None:
    enums = some(lake)
    name_by_enums(enums)
    assert differing(straight, as_tables(enums)) == []


def test_no_view_takes_a_mean_in_the_order_of_its_rows() -> None:
    """Whole numbers add up exactly; all else goes through mean_of."""
    assert [f.name for f in find_sql() if re.search(r"\bavg\(", f.sql)] == []
