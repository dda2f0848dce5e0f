"""One connection for many small scenarios: creating every view is the slow part."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb

from aslib_eval.database.open_lake import LakeConnection, OpenLake
from aslib_eval.database.protocol import COLUMNS, Protocol
from aslib_eval.database.views import lineage
from aslib_eval.lake.schema import RELATIONS
from aslib_eval.lake.versions import Lease
from tests.conftest import Row, rows

OUT = "timeout"
OBJECTIVE = (("objective", "solution_quality", "false"),)
ACCURACY = (("accuracy", "solution_quality", "true"),)
BOTH = (("runtime", "runtime", "false"), ("accuracy", "solution_quality", "true"))
# B is 1 to 5 above A, C as much below as above it, D the same as A.
_A = [10.0, 20, 30, 40, 50, 60]
FOUR = {
    "A": _A,
    "B": [a + step for a, step in zip(_A, (1, 2, 3, 4, 5, 3), strict=True)],
    "C": [a + step for a, step in zip(_A, (1, -1, 2, -2, 3, -2), strict=True)],
    "D": _A,
}
Cell = float | str | None
Given = Callable[..., duckdb.DuckDBPyConnection]
Step = str | tuple[str, float | None]
Schedules = Mapping[str, Mapping[str, Sequence[Step]]]


class InMemory(OpenLake):
    """What analysis asks, of a database as it is: nothing of it is built."""

    def __init__(self, con: duckdb.DuckDBPyConnection) -> None:
        protocols = rows(con, f"select {', '.join(COLUMNS)} from protocol")
        super().__init__(Lease(Path(), None), [Protocol(*row) for row in protocols])
        self.lineage = replace(self.lineage, names={})
        self._database = LakeConnection(con)

    @property
    def _asking(self) -> LakeConnection:
        return self._database


GivenLake = Callable[..., InMemory]


def activate(con: duckdb.DuckDBPyConnection, protocols: Sequence[Protocol]) -> None:
    """Make these the active protocols of an open connection, and settle it."""
    names = [name for name, *_ in con.sql("from protocol limit 0").description]
    con.execute("delete from protocol")
    marks = ", ".join("?" * len(names))
    for protocol in protocols:
        values = [getattr(protocol, name) for name in names]
        con.execute(f"insert into protocol values ({marks})", values)
    settle(con)


def settle(con: duckdb.DuckDBPyConnection) -> None:
    """Compute the tables again that were made of views.

    Where no selector answered, who answered is known: it is not computed.
    """
    tables = {name for (name,) in rows(con, "select table_name from duckdb_tables()")}
    said = rows(con, "select 1 from raw_selection union all select 1 from raw_outcome")
    for file in lineage().files:
        if file.name in tables:
            con.execute(f"delete from {file.name}")
            if said or file.name != "instance_selector":
                con.execute(f"insert into {file.name} {file.sql}")


def as_tables(
    con: duckdb.DuckDBPyConnection, *sql_dirs: Path, only: Sequence[str] = ()
) -> duckdb.DuckDBPyConnection:
    """Make each view a table, so that those above it do not compute it again."""
    views = {name for (name,) in rows(con, "select view_name from duckdb_views()")}
    for view in lineage(sql_dirs).files:
        if view.name in (views & set(only) if only else views):
            con.execute(f"create table computed as {view.sql}")
            con.execute(f"drop view {view.name}")
            con.execute(f"alter table computed rename to {view.name}")
    return con


def hold_rows(con: duckdb.DuckDBPyConnection) -> None:
    """Make the ``raw_*`` of a connection tables, which can hold other rows."""
    for name in RELATIONS:
        con.execute(f"create table held as from raw_{name}")
        con.execute(f"drop view raw_{name}")
        con.execute(f"alter table held rename to raw_{name}")


def look_at(con: duckdb.DuckDBPyConnection, lake: Path) -> None:
    """Let the ``raw_*`` of a connection that holds rows have those of another lake."""
    for name, relation in RELATIONS.items():
        columns = ", ".join(["scenario_id", *relation.schema.names])
        con.execute(f"delete from raw_{name}")
        if list(lake.glob(f"{name}/*/part-0.parquet")):
            con.execute(
                f"insert into raw_{name} by name select {columns} from"
                f" read_parquet('{lake}/{name}/*/part-0.parquet',"
                " hive_partitioning = true, hive_types = {'scenario_id': varchar})"
            )


SELECTION = "selector, cv_scheme, cv_repetition, fold, instance_id, position, action, name, budget"
OUTCOME = "selector, cv_scheme, cv_repetition, fold, instance_id, time, runstatus, objective, pays_features"


def say(con: duckdb.DuckDBPyConnection, schedules: Schedules) -> None:
    """Let selectors answer on scenario S: {selector: {instance: steps}}.

    A step is (algorithm, budget), or a feature step as text, as in a schedule file.
    """
    answers = [
        (selector, "aslib", 1, None, instance, *step)
        for selector, schedule in schedules.items()
        for instance, steps in schedule.items()
        for step in numbered(steps)
    ]
    put(con, "selection", SELECTION, answers)


def charge(con: duckdb.DuckDBPyConnection, features: Sequence[Row]) -> None:
    """Let scenario S have feature steps, in this order.

    Rows are (step, is_default, requires, {instance: (cost, status)}).
    """
    steps = [
        (step, "instance", at, default, list(requires), [])
        for at, (step, default, requires, _) in enumerate(features, start=1)
    ]
    columns = "step, of, position, is_default, requires, provides"
    put(con, "feature_step", columns, steps)
    runs = [(i, 1, f[0], *cost) for f in features for i, cost in f[3].items()]
    costs = [(*run[:3], run[3]) for run in runs]
    put(con, "feature_cost", "instance_id, repetition, step, cost", costs)
    states = [(*run[:3], run[4]) for run in runs]
    put(con, "feature_status", "instance_id, repetition, step, runstatus", states)


def numbered(steps: Sequence[Step]) -> Iterator[tuple[Any, ...]]:
    """Position, action, name and budget of every step of a schedule."""
    if not steps:
        yield 0, "none", None, None
    for position, step in enumerate(steps, start=1):
        if isinstance(step, str):
            yield position, "feature_step", step, None
        else:
            yield position, "algorithm", *step


def fill(con: duckdb.DuckDBPyConnection, relation: str, columns: str, data: Sequence[Row]) -> None:
    """As ``put``, in a connection that has answered already."""
    put(con, relation, columns, data)
    settle(con)


def copy(con: duckdb.DuckDBPyConnection, *changes: str) -> None:
    """Let a scenario T have the rows of S, and change them."""
    for name in RELATIONS:
        con.execute(f"insert into raw_{name} by name select * replace ('T' as scenario_id) from raw_{name}")
    for change in changes:
        con.execute(f"update raw_run set {change} and scenario_id = 'T'")
    settle(con)


def put(con: duckdb.DuckDBPyConnection, relation: str, columns: str, data: Sequence[Row]) -> None:
    """Let ``raw_<relation>`` hold these rows of scenario S and no others."""
    con.execute(f"delete from raw_{relation}")
    marks = ", ".join("?" * (columns.count(",") + 1))
    to = f"raw_{relation} (scenario_id, {columns})"
    for row in data:
        con.execute(f"insert into {to} values ('S', {marks})", row)


def runs(**algorithms: Sequence[Cell]) -> list[Row]:
    """Values on i1, i2, …; text is the status of a run that reached the cutoff.

    None is a missing value, which only a run that is not ok may have.
    """
    return [
        (f"i{at}", 1, name, *cells(value))
        for name, values in algorithms.items()
        for at, value in enumerate(values, start=1)
    ]


def cells(value: Cell) -> Row:
    if isinstance(value, str):
        return (100, value)
    return (value, "crash" if value is None else "ok")


def repeated(**algorithms: Sequence[Cell]) -> list[Row]:
    """As ``runs``, but the values are repetitions 1, 2, … on the one instance i1."""
    return [("i1", int(row[0][1:]), *row[2:]) for row in runs(**algorithms)]


def table(con: duckdb.DuckDBPyConnection, view: str, columns: str, where: str = "true") -> list[Row]:
    """Some columns of a view, sorted, floats to 6 digits."""
    found = rows(con, f"select {columns} from {view} where {where} order by all")
    return [tuple(round(c, 6) if isinstance(c, float) else c for c in r) for r in found]


def one(con: duckdb.DuckDBPyConnection, view: str, columns: str, where: str) -> Row:
    """The only such row."""
    (row,) = table(con, view, columns, where)
    return row


# PAR10: A 10, 20, 1000, 1000, mean 507.5. B 40, 20, 60, 1000, mean 280: SBS.
PAIR = runs(A=[10, 20, OUT, OUT], B=[40, 20, 60, OUT])
