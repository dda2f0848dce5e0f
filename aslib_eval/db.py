"""connect(lake): an in-memory DuckDB with raw_*, protocol, macros and views."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from dataclasses import astuple, fields
from fnmatch import fnmatchcase
from pathlib import Path

import duckdb
import pyarrow as pa

from aslib_eval import versions
from aslib_eval.errors import AslibError
from aslib_eval.lake import RELATIONS, Relation
from aslib_eval.paths import Paths
from aslib_eval.protocol import MEANING, Protocol, load
from aslib_eval.sqlfiles import SqlFile, comments, find_sql, quoted

# What all scores are sums over; computed once for many questions (see store).
STORED = ("instance_algorithm", "instance_selector", "instance_solver")
_TYPES = {
    "str": "varchar",
    "float": "double",
    "float | None": "double",
    "bool": "boolean",
}


def connect(
    lake: str | Path,
    *,
    protocols: Sequence[str | Protocol] = ("default",),
    scenarios: Sequence[str] = (),
    sql_dirs: Paths = (),
    stored: bool = True,
) -> duckdb.DuckDBPyConnection:
    """Open a lake: its relations as ``raw_*``, the protocols, and every view.

    The connection sees each scenario as it is now, also if it is replaced later.
    ``scenarios`` are globs on ids and folder names (or one glob); none means all. The
    same question has the same digits every time: one thread, and sums that do not
    depend on the order of rows. With ``stored`` the per-instance relations are computed
    at once, see ``store``.
    Raises AslibError if there is no lake, no scenario matches, a protocol is unknown
    or a file in ``sql_dirs`` is not a view.
    """
    if isinstance(protocols, str):
        protocols = (protocols,)
    if isinstance(scenarios, str):
        scenarios = (scenarios,)
    active = [p if isinstance(p, Protocol) else load(p) for p in protocols]
    leases = _leases(Path(lake), scenarios)
    con = duckdb.connect()
    weakref.finalize(con, _release, leases)
    con.execute("set threads = 1")
    con.execute("set python_enable_replacements = false")
    con.execute("set enable_progress_bar = false")
    # A view is bound to all below it when it is created: to empty ones, for speed.
    for relation in RELATIONS.values():
        con.execute(_raw(relation, []))
    _create_protocol(con, active)
    for file in find_sql(sql_dirs):
        _create(con, file)
    for relation in RELATIONS.values():
        _create_raw(con, relation, leases)
    if stored:
        store(con)
    return con


def store(con: duckdb.DuckDBPyConnection) -> None:
    """Compute the per-instance relations of an open lake now, as tables (STORED).

    Every score is a sum over them, and some views read them several times: with these
    three stored, answers come about ten times sooner. They no longer follow a changed
    ``protocol``. What is stored already stays.
    """
    files = {file.name: file for file in find_sql()}
    for name in STORED:
        view = "select 1 from duckdb_views() where view_name = $name"
        if con.execute(view, {"name": name}).fetchall():
            con.execute(f"create table stored as from {name}")
            con.execute(f"drop view {name}")
            con.execute(f"alter table stored rename to {name}")
            file = files[name]
            for statement in comments(name, file.row, file.columns, "table"):
                con.execute(statement)


def _leases(lake: Path, scenarios: Sequence[str]) -> list[versions.Lease]:
    ids = versions.scenario_ids(lake) if lake.is_dir() else []
    if not ids:
        hint = "Fill it with 'aslib-eval import PATH', or name another --lake."
        raise AslibError("there is no lake with a scenario", str(lake), hint)
    held = [found for name in ids if (found := versions.lease(lake, name))]
    if not scenarios:
        return held
    matching = [found for found in held if _matches(found, scenarios)]
    _release([found for found in held if found not in matching])
    if not matching:
        what = f"no scenario matches {' or '.join(scenarios)}"
        raise AslibError(what, str(lake), f"It holds {', '.join(ids)}.")
    return matching


def _matches(lease: versions.Lease, scenarios: Sequence[str]) -> bool:
    names = (lease.scenario_id, lease.manifest()["folder"])
    return any(fnmatchcase(name, glob) for name in names for glob in scenarios)


def _release(leases: list[versions.Lease]) -> None:
    for lease in leases:
        lease.release()


def _create_raw(
    con: duckdb.DuckDBPyConnection, relation: Relation, leases: list[versions.Lease]
) -> None:
    meanings = {"scenario_id": "scenario, as text", **relation.meanings()}
    about = f"One row per {relation.row}."
    try:
        con.execute(_raw(relation, leases))
    except duckdb.Error as error:
        hint = "The lake is damaged: import the scenario again."
        raise AslibError(reason(error), "lake", hint) from None
    for statement in comments(f"raw_{relation.name}", about, meanings):
        con.execute(statement)


def reason(error: duckdb.Error) -> str:
    """DuckDB's message in one line, without its drawing of the place."""
    return " ".join(str(error).split("\nLINE ")[0].split())


def _raw(relation: Relation, leases: list[versions.Lease]) -> str:
    """The view on one relation.

    Ids do not come from the paths: DuckDB would also take a folder above the lake
    that is named like ``value=1`` for a partition, and put 1 into the column.
    """
    columns = ", ".join(relation.schema.names)
    parts = [
        f"select {quoted(held.scenario_id)} as scenario_id, {columns}"  # noqa: S608
        f" from read_parquet({quoted(str(path))}, hive_partitioning = false)"
        for held in leases
        if (path := held.path.resolve() / relation.name / "part-0.parquet").exists()
    ]
    if not parts:
        empty = pa.schema([("scenario_id", pa.string()), *relation.schema])
        nulls = (f"cast(null as {_sql_type(f.type)}) as {f.name}" for f in empty)
        parts = [f"select {', '.join(nulls)} where false"]
    # Only names of the contract, quoted ids and quoted paths are spliced.
    return f"create or replace view raw_{relation.name} as {' union all '.join(parts)}"


def _sql_type(kind: pa.DataType) -> str:
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    if pa.types.is_list(kind):
        return f"{_sql_type(kind.value_type)}[]"
    return {
        "string": "varchar",
        "double": "double",
        "bool": "boolean",
        "int32": "integer",
        "int64": "bigint",
    }[str(kind)]


def _create_protocol(
    con: duckdb.DuckDBPyConnection, protocols: Sequence[Protocol]
) -> None:
    names = [p.protocol for p in protocols]
    if len(set(names)) < len(names):
        raise AslibError(f"two protocols share a name: {', '.join(names)}")
    columns = [f"{f.name} {_TYPES[str(f.type)]}" for f in fields(Protocol)]
    con.execute(f"create table protocol ({', '.join(columns)}, hash varchar)")
    marks = ", ".join("?" * (len(columns) + 1))
    for protocol in protocols:
        row = [*astuple(protocol), protocol.hash]
        con.execute(f"insert into protocol values ({marks})", row)  # noqa: S608
    con.execute("comment on table protocol is 'One row per active protocol.'")
    for column, meaning in MEANING.items():
        con.execute(f"comment on column protocol.{column} is {quoted(meaning)}")


def _create(con: duckdb.DuckDBPyConnection, file: SqlFile) -> None:
    try:
        statements = con.extract_statements(file.statement)
        if [s.type for s in statements] != [duckdb.StatementType.CREATE]:
            what = "macro" if file.is_macro else "SELECT"
            raise AslibError(f"is not one {what} alone", str(file.path))
        for statement in (file.statement, *file.comments()):
            con.execute(statement)
    except duckdb.Error as error:
        raise AslibError(reason(error), str(file.path)) from None
