"""Open a lake as an in-memory DuckDB with raw_*, protocol, metric, macros and views."""

from __future__ import annotations

import json
import re
import shutil
import tempfile
import warnings
import weakref
from collections.abc import Sequence
from dataclasses import astuple, fields
from fnmatch import fnmatchcase
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import duckdb
import pyarrow as pa

from aslib_eval.database import metrics
from aslib_eval.database.protocol import MEANING, TAG, Protocol, load
from aslib_eval.database.sqlfiles import (
    SqlFile,
    comments,
    find_sql,
    quoted,
    solver_value,
    stored_views,
)
from aslib_eval.errors import AslibError, LeftOut, place
from aslib_eval.lake import versions
from aslib_eval.lake.schema import RELATIONS, Relation
from aslib_eval.paths import Paths
from aslib_eval.text import plural

# Messages and positions of DuckDB's errors in SQL.

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


def locate(
    con: duckdb.DuckDBPyConnection, error: duckdb.Error, statement: str
) -> Position | None:
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


_BEYOND_READING = {
    "COPY_TO_FILE": "COPY",
    "BATCH_COPY_TO_FILE": "COPY",
    "INSERT": "INSERT",
    "BATCH_INSERT": "INSERT",
    "UPDATE": "UPDATE",
    "DELETE": "DELETE",
    "GLOB": "glob()",
}
_TYPES = {
    "str": "varchar",
    "float": "double",
    "float | None": "double",
    "bool": "boolean",
}
# Statements that create the stand-in tables, cached by _stand_in.
_STAND_INS: list[str] = []


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
    same query has the same digits every time: one thread, and sums that do not
    depend on the order of rows. With ``stored`` the per-instance relations are computed
    at once, see ``store``.
    A frame of Python is found under the name of its variable. With ``sql_dirs``,
    whose SQL may be anybody's, the connection is confined: it neither writes files nor
    reads any outside the lake, and a frame is found after ``con.register("name",
    frame)`` alone.
    Every file is compared with its hash before anything is read from it. A scenario
    that is damaged is left out, with a LeftOut warning that names it.

    Raises:
        AslibError: when there is no lake, no scenario matches, all that match are
            damaged, a protocol is unknown or a file in ``sql_dirs`` is not a view.
    """
    con = open_lake(lake, protocols=protocols, scenarios=scenarios, sql_dirs=sql_dirs)
    if stored:
        store(con)
    return con


def open_lake(
    lake: str | Path,
    *,
    protocols: Sequence[str | Protocol] = ("default",),
    scenarios: Sequence[str] = (),
    sql_dirs: Paths = (),
    confined: bool = False,
    folders: Sequence[Path] = (),
    memory: int | None = None,
) -> duckdb.DuckDBPyConnection:
    """As ``connect``, without storing anything.

    With ``confined`` or ``sql_dirs`` the connection is confined before it sees SQL that
    is not ours. folders: what it may use besides the lake. memory: see ``confine``.
    """
    if isinstance(protocols, str):
        protocols = (protocols,)
    if isinstance(scenarios, str):
        scenarios = (scenarios,)
    active = [p if isinstance(p, Protocol) else load(p) for p in protocols]
    leases = _leases(Path(lake), scenarios)
    con = _new_connection()
    weakref.finalize(con, _release, leases)
    for relation in RELATIONS.values():
        con.execute(_raw(relation, []))
    _create_protocol(con, active)
    _create_metric(con, sql_dirs)
    if confined or sql_dirs:
        confine(con, Path(lake), folders=folders, memory=memory)
    create_views(con, sql_dirs)
    for relation in RELATIONS.values():
        _create_raw(con, relation, leases)
    return con


def _new_connection() -> duckdb.DuckDBPyConnection:
    """A database in memory, with a folder of temporary files removed with it."""
    con = duckdb.connect()
    scratch = tempfile.mkdtemp(prefix="aslib-eval-")
    weakref.finalize(con, shutil.rmtree, scratch, ignore_errors=True)
    con.execute(f"set temp_directory = {quoted(scratch)}")
    con.execute("set threads = 1")
    con.execute("set enable_progress_bar = false")
    return con


def scenario_ids(con: duckdb.DuckDBPyConnection) -> list[str]:
    """The scenarios of an open lake, by name."""
    found = con.sql("select distinct scenario_id from raw_scenario order by all")
    return [scenario for (scenario,) in found.fetchall()]


def scratch_of(con: duckdb.DuckDBPyConnection) -> str:
    """The folder of the connection's temporary files."""
    ((folder,),) = con.execute("select current_setting('temp_directory')").fetchall()
    return str(folder)


def confine(
    con: duckdb.DuckDBPyConnection,
    lake: Path,
    *,
    folders: Sequence[Path] = (),
    memory: int | None = None,
) -> None:
    """Deny a connection every access outside the lake, irrevocably.

    It loads no extension and sees no variable of Python. folders: what else it may
    use. memory: limit of DuckDB's memory, and of its temporary files, in bytes.
    """
    if memory is not None:
        con.execute(f"set memory_limit = '{memory}B'")
        con.execute(f"set max_temp_directory_size = '{memory}B'")
    inside = ", ".join(quoted(str(folder.resolve())) for folder in (lake, *folders))
    for setting in (
        "python_enable_replacements = false",
        "autoinstall_known_extensions = false",
        "autoload_known_extensions = false",
        "allow_community_extensions = false",
        "allow_extension_repositories = 'forbidden'",
        "secret_directory = '/nowhere'",  # else it names the user's own
        f"allowed_directories = [{inside}]",
        "enable_external_access = false",
        "lock_configuration = true",
    ):
        con.execute(f"set {setting}")


def store(con: duckdb.DuckDBPyConnection) -> None:
    """Compute the per-instance relations of an open lake now, as tables.

    They are the views whose headers say ``stored: yes``: every score is a sum over
    them, and some views read them several times. With these three stored, answers come
    about ten times sooner. They no longer follow a changed ``protocol``. Relations
    stored already stay.
    """
    materialise(con, stored_views("yes"))


def materialise(
    con: duckdb.DuckDBPyConnection, names: Sequence[str], *, where: str = "true"
) -> None:
    """Compute some of our views of an open lake now, as tables, lower ones first.

    Tables made before stay. where: condition on the rows of the tables.
    """
    for file in find_sql():
        view = "select 1 from duckdb_views() where view_name = $name"
        asked = file.name in names
        if asked and con.execute(view, {"name": file.name}).fetchall():
            con.execute(f"create table stored as from {file.name} where {where}")
            con.execute(f"drop view {file.name}")
            con.execute(f"alter table stored rename to {file.name}")
            for statement in comments(file.name, file.row, file.columns, "table"):
                con.execute(statement)


def _leases(lake: Path, scenarios: Sequence[str]) -> list[versions.Lease]:
    """Lease every scenario that is asked for and undamaged."""
    ids = versions.scenario_ids(lake) if lake.is_dir() else []
    leased: list[versions.Lease] = []
    damaged: list[AslibError] = []
    try:
        for scenario_id in ids:
            try:
                found = _lease(lake, scenario_id, scenarios)
            except versions.TooManyFilesError:
                raise
            except AslibError as error:
                damaged.append(error)
                continue
            leased += [found] if found else []
    except BaseException:
        _release(leased)
        raise
    if leased:
        for each in damaged:
            warnings.warn(f"left out: {each}", LeftOut, stacklevel=3)
        return leased
    if damaged:
        raise _first_error(damaged)
    if ids and scenarios:
        what = f"no scenario matches {' or '.join(scenarios)}"
        raise AslibError(what, str(lake), f"It holds {', '.join(ids)}.")
    hint = "Fill it with 'aslib-eval import PATH', or name another --lake."
    raise AslibError("there is no lake with a scenario", str(lake), hint)


def _first_error(damaged: Sequence[AslibError]) -> AslibError:
    """The first error, and how many more scenarios have one."""
    first, more = damaged[0], len(damaged) - 1
    if not more:
        return first
    what = f"{first.message} (and {plural(more, 'more scenario')})"
    return AslibError(what, first.where, first.hint)


def _lease(
    lake: Path, scenario_id: str, scenarios: Sequence[str]
) -> versions.Lease | None:
    """Lease a scenario if it is asked for.

    Raises:
        AslibError: when it is damaged.
        TooManyFilesError: when it cannot be opened.
    """
    asked = not scenarios or _matches([scenario_id], scenarios)
    lease = None
    try:
        lease = versions.lease(lake, scenario_id)
        if lease is None:
            return None
        if not asked and not _matches([lease.manifest().get("folder", "")], scenarios):
            lease.release()
            return None
        lease.verify()
    except AslibError as error:
        if lease is not None:
            lease.release()
        if asked or isinstance(error, versions.TooManyFilesError):
            raise
        return None  # the name of its folder cannot be read
    return lease


def _matches(names: Sequence[str], scenarios: Sequence[str]) -> bool:
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


def _raw(relation: Relation, leases: list[versions.Lease]) -> str:
    """The view on one relation.

    Ids do not come from the paths: DuckDB would also take a folder above the lake
    that is named like ``value=1`` for a partition, and put 1 into the column.
    """
    columns = ", ".join(relation.schema.names)
    parts = [
        f"select {quoted(lease.scenario_id)} as scenario_id, {columns}"  # noqa: S608
        f" from read_parquet({quoted(str(path))}, hive_partitioning = false)"
        for lease in leases
        if (path := lease.path.resolve() / relation.name / "part-0.parquet").exists()
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
    columns += ["hash varchar", "tag varchar"]
    con.execute(f"create table protocol ({', '.join(columns)})")
    marks = ", ".join("?" * len(columns))
    for protocol in protocols:
        row = [*astuple(protocol), protocol.hash, protocol.tag]
        con.execute(f"insert into protocol values ({marks})", row)  # noqa: S608
    con.execute("comment on table protocol is 'One row per active protocol.'")
    for column, meaning in {**MEANING, "tag": TAG}.items():
        con.execute(f"comment on column protocol.{column} is {quoted(meaning)}")


def _create_metric(con: duckdb.DuckDBPyConnection, sql_dirs: Paths) -> None:
    columns = ", ".join(f"{name} {kind}" for name, (kind, _) in metrics.COLUMNS.items())
    con.execute(f"create table metric ({columns})")
    rows = metrics.rows(sql_dirs)
    marks = f"({', '.join('?' * len(metrics.COLUMNS))})"
    insert = f"insert into metric values {', '.join([marks] * len(rows))}"  # noqa: S608
    con.execute(insert, list(chain.from_iterable(rows)))
    meanings = {name: meaning for name, (_, meaning) in metrics.COLUMNS.items()}
    for statement in comments("metric", metrics.ROW, meanings, "table"):
        con.execute(statement)


def create_views(con: duckdb.DuckDBPyConnection, sql_dirs: Paths) -> None:
    """Create our macros and views, and those of the user's folders.

    Raises:
        AslibError: when a file of the user's is not a view or a macro.
    """
    files = find_sql(sql_dirs)
    ours, theirs = files[: len(find_sql())], files[len(find_sql()) :]
    _stand_in(con, ours)
    for file in theirs:
        _require_free_name(con, file)
        create(con, file)
    values = solver_value(files)
    _take_place(con, [values if f.name == values.name else f for f in ours])


def _stand_in(con: duckdb.DuckDBPyConnection, files: Sequence[SqlFile]) -> None:
    """Create our macros, and an empty table of the same columns for each view of ours.

    DuckDB binds a view to all views below it when it is created, which takes four times
    as long as binding it to empty tables. So these stand in for them, until the views
    take their places from the top down.
    """
    for file in files:
        if file.is_macro:
            con.execute(file.statement)
    if _STAND_INS:
        con.execute("\n".join(_STAND_INS))
        return
    views = [file for file in files if not file.is_macro]
    for view in views:
        con.execute(f"create table {view.name} as from ({view.sql}) limit 0")
    sql = "select sql from duckdb_tables() where table_name in $names"
    found = con.execute(sql, {"names": [view.name for view in views]}).fetchall()
    _STAND_INS.extend(statement for (statement,) in found)


def _take_place(con: duckdb.DuckDBPyConnection, files: Sequence[SqlFile]) -> None:
    for file in reversed(files):
        if not file.is_macro:
            drop = f"drop table {file.name}"
            con.execute(";\n".join((drop, file.statement, *file.comments())))


def create(con: duckdb.DuckDBPyConnection, file: SqlFile) -> None:
    """Create the view or macro of a file, with its comments.

    Raises:
        AslibError: when its text is not one SELECT or one macro alone, or is wrong.
    """
    try:
        if file.is_macro:
            _require_macro(con, file)
        else:
            require_select(con, file)
        con.execute(";\n".join((file.statement, *file.comments())))
    except duckdb.Error as error:
        raise sql_error(con, error, file) from None


def require_select(con: duckdb.DuckDBPyConnection, file: SqlFile) -> None:
    """Raise AslibError if the text of a file is not one SELECT alone."""
    kinds = [statement.type for statement in con.extract_statements(file.sql)]
    if kinds != [duckdb.StatementType.SELECT]:
        raise AslibError("is not one SELECT alone", str(file.path))


def require_reading(
    con: duckdb.DuckDBPyConnection, statement: str, *, where: str
) -> None:
    """Raise AslibError if a SELECT does more than read relations and files.

    It can hold a COPY, ``with x as (copy ... to ...)``, that no read-only transaction
    keeps from writing where reading is allowed; glob() lists names behind a link.
    """
    for operator in operators(con, statement) & _BEYOND_READING.keys():
        what = f"{_BEYOND_READING[operator]} is not allowed in a SELECT"
        raise AslibError(what, where)


def _require_macro(con: duckdb.DuckDBPyConnection, file: SqlFile) -> None:
    """Raise AslibError if the text is not one macro alone, called like its file."""
    statements = con.extract_statements(file.sql)
    kinds = [statement.type for statement in statements]
    if kinds != [duckdb.StatementType.CREATE] or not file.defines_macro:
        hint = f"Write create or replace macro {file.name}(…) as …."
        raise AslibError("is not one macro alone", str(file.path), hint)


def _require_free_name(con: duckdb.DuckDBPyConnection, file: SqlFile) -> None:
    """A macro called like a function of DuckDB would change every view of ours."""
    taken = "select 1 from duckdb_functions() where function_name = $name"
    if file.is_macro and con.execute(taken, {"name": file.name}).fetchall():
        what = f"DuckDB has a function {file.name!r}, which it would replace"
        raise AslibError(what, str(file.path), "Choose another file name.")


def sql_error(
    con: duckdb.DuckDBPyConnection, error: duckdb.Error, file: SqlFile
) -> AslibError:
    """DuckDB's error in the SQL of a file, with the line of the file."""
    found = locate(con, error, file.sql)
    line = None if found is None else file.line + found.line - 1
    return AslibError(reason(error), place(str(file.path), line))
