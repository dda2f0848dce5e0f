"""Create the macros and views of sql/ in a database, and check a user's before that."""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import astuple, fields
from functools import cache
from itertools import chain
from pathlib import Path

import duckdb

from aslib_eval.atomic_files import replacing_file
from aslib_eval.database import metrics
from aslib_eval.database.lineage import Lineage, lineage
from aslib_eval.database.protocol import COLUMNS, MEANING, TAG, Protocol
from aslib_eval.database.sql_errors import operators, sql_error
from aslib_eval.database.sqlfiles import SqlFile, comments, quoted, version
from aslib_eval.errors import AslibError
from aslib_eval.lake.layout import PREFIX
from aslib_eval.lake.schema import ADDED, RELATIONS, Relation
from aslib_eval.paths import Paths, cache_folder

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


def new_connection(memory: int | None = None) -> duckdb.DuckDBPyConnection:
    """A database in memory on one thread, with a folder of temporary files of its own.

    The folder is removed with it. memory: limit of DuckDB's memory in bytes, beyond
    which it uses that folder.
    """
    con = duckdb.connect(config={"threads": 1})
    scratch = tempfile.mkdtemp(prefix="aslib-eval-")
    weakref.finalize(con, shutil.rmtree, scratch, ignore_errors=True)
    con.execute(f"set temp_directory = {quoted(scratch)}")
    # They would open some hundred files ahead, and take no less time for it.
    con.execute("set async_threads = 0")
    # In Jupyter without ipywidgets there is no bar, and no way to say so.
    with suppress(duckdb.InvalidInputException):
        con.execute("set enable_progress_bar = false")
    if memory is not None:
        con.execute(f"set memory_limit = '{memory}B'")
    return con


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


def create_ours(con: duckdb.DuckDBPyConnection) -> None:
    """Create our macros, our views, and the empty relations that they read.

    They are copied from a file in the user's cache folder: the second process needs a
    few milliseconds for it, where the first one needs a third of a second.
    """
    file = _template()
    con.execute(f"attach {quoted(os.fspath(file))} as template (read_only)")
    con.execute("copy from database template to memory (schema)")
    con.execute("detach template")


@cache
def _template() -> Path:
    """A DuckDB file with our macros and views over empty relations."""
    name = f"views-{version()}.duckdb"
    kept = cache_folder() / name
    if kept.exists():
        return kept
    with suppress(AslibError, OSError):
        kept.parent.mkdir(parents=True, exist_ok=True)
        with replacing_file(kept) as draft:
            _write_template(draft)
        return kept
    folder = tempfile.mkdtemp(prefix="aslib-eval-")  # no cache: once a process
    weakref.finalize(RELATIONS, shutil.rmtree, folder, ignore_errors=True)
    _write_template(Path(folder, name))
    return Path(folder, name)


def _write_template(file: Path) -> None:
    con = new_connection()
    for relation in RELATIONS.values():
        con.execute(f"create view raw_{relation.name} as {raw_select(relation, ())}")
    create_protocol(con)
    create_metric(con)
    create_views(con, lineage())
    con.execute(f"attach {quoted(os.fspath(file))} as template")
    con.execute("copy from database memory to template (schema)")
    con.close()


# The id that a scenario's home is named by; all of it is worked out once a file, which
# split_part and a slice of its result are not.
_HOME = f"'/{PREFIX}([^/]+)/[^/]+/[^/]+/[^/]+$'"
_SCENARIO_ID = f"url_decode(regexp_extract(filename, {_HOME}, 1))"


def raw_select(relation: Relation, files: Sequence[str]) -> str:
    """The SELECT of a relation from the files of some versions of scenarios.

    Ids come from the home of each version, and not as a Hive partition: DuckDB would
    also take a folder above the lake that is named like ``value=1`` for a partition,
    and put 1 into the column. A condition on them is put to the names of the files: of
    other scenarios nothing is read.
    """
    # Only names of the contract and quoted paths are spliced.
    if not files:
        types = {"scenario_id": "varchar", **relation.sql_types()}
        nulls = (f"cast(null as {kind}) as {name}" for name, kind in types.items())
        return f"select {', '.join(nulls)} where false"
    columns = ", ".join(relation.sql_types())
    listed = ", ".join(map(quoted, files))
    options = "hive_partitioning = false, filename = true"
    found = f"from read_parquet([{listed}], {options}"
    if added := ADDED.get(relation.name):
        kinds = relation.sql_types()
        later = ", ".join(f"null::{kinds[name]} as {name}" for name in added)
        found = (
            f"from (select {later} where false"
            f" union all by name ({found}, union_by_name = true))"
        )
    return f"select {_SCENARIO_ID} as scenario_id, {columns} {found})"


def create_protocol(con: duckdb.DuckDBPyConnection) -> None:
    """Create the relation ``protocol`` without rows."""
    columns = [f"{f.name} {_TYPES[str(f.type)]}" for f in fields(Protocol)]
    columns += ["hash varchar", "tag varchar"]
    con.execute(f"create table protocol ({', '.join(columns)})")
    about, meanings = "One row per active protocol.", {**MEANING, "tag": TAG}
    con.execute(";".join(comments("protocol", about, meanings, "table")))


def fill_protocol(
    con: duckdb.DuckDBPyConnection, protocols: Sequence[Protocol]
) -> None:
    """Add a row for each protocol."""
    for protocol in protocols:
        row = [*astuple(protocol), protocol.hash, protocol.tag]
        marks = ", ".join("?" * len(row))
        con.execute(f"insert into protocol values ({marks})", row)  # noqa: S608


def active_protocols(con: duckdb.DuckDBPyConnection) -> list[Protocol]:
    """The protocols of an open lake, by name."""
    columns = ", ".join(COLUMNS)
    rows = con.sql(f"select {columns} from protocol order by protocol").fetchall()  # noqa: S608
    return [Protocol(*row) for row in rows]


def create_metric(con: duckdb.DuckDBPyConnection) -> None:
    """Create the relation ``metric`` without rows."""
    columns = ", ".join(f"{name} {kind}" for name, (kind, _) in metrics.COLUMNS.items())
    con.execute(f"create table metric ({columns})")
    meanings = {name: meaning for name, (_, meaning) in metrics.COLUMNS.items()}
    con.execute(";".join(comments("metric", metrics.ROW, meanings, "table")))


def fill_metric(con: duckdb.DuckDBPyConnection, sql_dirs: Paths) -> None:
    """Add a row for each metric that our views and the user's declare."""
    rows = metrics.rows(sql_dirs)
    marks = f"({', '.join('?' * len(metrics.COLUMNS))})"
    insert = f"insert into metric values {', '.join([marks] * len(rows))}"  # noqa: S608
    con.execute(insert, list(chain.from_iterable(rows)))


def create_views(
    con: duckdb.DuckDBPyConnection, found: Lineage, *, tables: Collection[str] = ()
) -> None:
    """Create our macros and views, and those of the user's folders.

    tables: views that are there as tables and are left out.

    DuckDB binds a view to all views below it when it is created, which takes four times
    as long as binding it to empty tables. So these stand in for them, until the views
    take their places from the top down.

    Raises:
        AslibError: when a file of the user's is not a view or a macro.
    """
    ours = lineage()
    for file in ours.macros:
        con.execute(file.statement)
    views = [file for file in ours.views.values() if file.name not in tables]
    for file in views:
        con.execute(f"create table {file.name} as from ({file.sql}) limit 0")
    create_theirs(con, found, tables=tables)
    for name in (file.name for file in reversed(views)):
        file = found.views[name]
        statements = (f"drop table {name}", file.statement, *file.comments())
        con.execute(";\n".join(statements))


def create_theirs(
    con: duckdb.DuckDBPyConnection, found: Lineage, *, tables: Collection[str] = ()
) -> None:
    """Create the macros and views of the user's folders, where ours are.

    tables: views that are there as tables and are left out.

    Raises:
        AslibError: when a file is not a view or a macro.
    """
    ours = lineage()
    taken = {file.name for file in ours.files} | set(tables)
    for file in found.files:
        if file.name not in taken:
            _require_free_name(con, file)
            create(con, file)


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
