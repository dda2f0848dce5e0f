"""The same data gives the same digits, in whatever order its rows are read.

DuckDB may answer a join in another order from one connection to the next, and a sum of
floats depends on its order. So every number is made from sums that do not.
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
from tests.conftest import ROOT
from tests.lab import as_tables

VIEWS = [file for file in find_sql() if not file.is_macro]


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("order")
    ae.import_scenarios([ROOT / "scenarios" / "SAT-PYSAT-2026"], into=home)
    import_selections(ROOT / "scenarios" / "selections", lake=home)
    return home


def shuffle(con: duckdb.DuckDBPyConnection, name: str) -> None:
    """Make a view or a table a table of the same rows in an arbitrary order."""
    tables = con.execute("select table_name from duckdb_tables()").fetchall()
    kind = "table" if (name,) in tables else "view"
    con.execute(f"create table mixed as from {name} as t order by hash(t::varchar)")
    con.execute(f"drop {kind} {name}")
    con.execute(f"alter table mixed rename to {name}")


def answers(con: duckdb.DuckDBPyConnection, file: SqlFile) -> list[Any]:
    return con.execute(f"from {file.name} order by all").fetchall()


@pytest.mark.slow
def test_views_do_not_depend_on_the_order_of_rows(lake: Path) -> None:
    protocols = ("default", "asf", "amadini2023")
    straight = as_tables(ae.connect(lake, protocols=protocols))
    mixed = ae.connect(lake, protocols=protocols, stored=False)
    for relation in RELATIONS:
        shuffle(mixed, f"raw_{relation}")
    ae.store(mixed)
    for file in VIEWS:  # each reads what was shuffled before it
        shuffle(mixed, file.name)
    differing = [f.name for f in VIEWS if answers(straight, f) != answers(mixed, f)]
    assert differing == []


def test_no_view_takes_a_mean_in_the_order_of_its_rows() -> None:
    """Decimals add up exactly; all else goes through mean_of."""
    plain = [f.name for f in find_sql() if re.search(r"\bavg\(", f.sql)]
    assert plain == ["mean_of", "solver_borda"]
