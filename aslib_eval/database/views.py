"""Create the macros and views of sql/ in a database, and check a user's before that."""

from __future__ import annotations

import atexit
import os
import re
import shutil
import tempfile
import weakref
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import astuple, fields
from functools import cache
from itertools import chain
from pathlib import Path

import duckdb

from aslib_eval.database.connections import operators, sql_error
from aslib_eval.database.lineage import (
    METRIC_COLUMNS,
    METRIC_ROW,
    Lineage,
    lineage,
    metric_rows,
    raw_comments,
    raw_select,
)
from aslib_eval.database.protocol import MEANING, TAG, Protocol
from aslib_eval.database.sqlfiles import SqlFile, all_quoted, comments, our_folders, quoted
from aslib_eval.errors import AslibError
from aslib_eval.lake import versions
from aslib_eval.lake.schema import RELATIONS
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
_TYPES = {"str": "varchar", "float": "double", "float | None": "double", "bool": "boolean"}


def new_connection(memory: int | None = None) -> duckdb.DuckDBPyConnection:
    """A database in memory on one thread, with a folder of temporary files of its own.

    The folder is removed with it. memory: limit of DuckDB's memory in bytes, beyond which it uses that
    folder.
    """
    con = duckdb.connect(config={"threads": 1})
    scratch = ""  # on a full disk nothing is put aside
    with suppress(OSError):
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
    con: duckdb.DuckDBPyConnection, lake: Path, *, folders: Sequence[Path] = (), memory: int | None = None
) -> None:
    """Deny a connection every access outside the lake, irrevocably.

    It loads no extension and sees no variable of Python. folders: what else it may
    use. memory: limit of DuckDB's memory, and of its temporary files, in bytes.
    """
    if memory is not None:
        con.execute(f"set memory_limit = '{memory}B'")
        con.execute(f"set max_temp_directory_size = '{memory}B'")
    inside = all_quoted(str(folder.resolve()) for folder in (lake, *folders))
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

    They are copied from a file in the user's cache folder: the second process needs a few milliseconds for
    it, where the first one needs a third of a second.
    """
    with _template(con) as there:
        if there:
            con.execute("copy from database template to memory (schema)")
            return
    for statement in _of_template():
        con.execute(statement)


def create_all(con: duckdb.DuckDBPyConnection, found: Lineage, *, confined: Callable[[], None]) -> None:
    """As ``create_ours``, with the macros and views of the user's folders.

    confined: confines the connection; called before it sees any SQL of the user's.

    DuckDB binds a view, when it is created, to all that lies below it, which takes longer than most
    questions. So empty views of the same columns stand in for ours until the user's are there, and then
    ours are copied to their places: a copy is not bound.
    """
    ours = lineage()
    changed = {n: f for n, f in found.views.items() if ours.views.get(n, f) != f}
    with _template(con) as there:
        if not there:
            confined()
            for statement in _below_views():
                con.execute(statement)
            create_views(con, found)
            return
        stand_ins = list(_stand_ins(con))
        for statement in (protocol_table(), metric_table(), *stand_ins):
            con.execute(statement)
        for file in ours.macros:
            con.execute(file.statement)
        confined()
        create_theirs(con, found)
        for name, file in changed.items():
            con.execute(f'create view "{name}{_ASIDE}" as {file.sql}')
        views = (row[0] for row in con.execute(_VIEWS_OF_TEMPLATE).fetchall())
        for name in views:
            con.execute(f"drop view {name}")
        for file in ours.macros:
            con.execute(f"drop macro {file.name}")
        con.execute("drop table protocol; drop table metric")
        con.execute("copy from database template to memory (schema)")
    for name, file in changed.items():
        con.execute(f"drop view {name}")
        con.execute(f'alter view "{name}{_ASIDE}" rename to {name}')
        con.execute(";".join(file.comments()))


_ASIDE = " with the metrics of a user"
_VIEWS_OF_TEMPLATE = "select view_name from duckdb_views() where database_name = 'template'"
_COLUMNS_OF_TEMPLATE = (
    "select table_name, list(data_type order by column_index),"
    " list(column_name order by column_index) from duckdb_columns()"
    " where database_name = 'template' group by all"
)


def _stand_ins(con: duckdb.DuckDBPyConnection) -> Iterator[str]:
    """Statements for empty views with the columns of those of the template."""
    for name, types, columns in con.execute(_COLUMNS_OF_TEMPLATE).fetchall():
        if name not in _TABLES:
            pairs = zip(types, columns, strict=True)
            nulls = (f'null::{kind} as "{column}"' for kind, column in pairs)
            yield f"create view {name} as select {', '.join(nulls)} where false"


@contextmanager
def _template(con: duckdb.DuckDBPyConnection) -> Iterator[bool]:
    """Meanwhile a database ``template`` is attached: our macros and empty views.

    Gives whether it is: nothing can be written on a full disk.
    """
    file = _template_file(our_folders())
    if file is not None:
        con.execute(f"attach {quoted(os.fspath(file))} as template (read_only)")
    yield file is not None
    if file is not None:
        con.execute("detach template")


@cache
def _template_file(_folders: tuple[Path, ...]) -> Path | None:
    """A DuckDB file with our macros and views over empty relations; None without room.

    It is named after all statements that make it, so that it is never out of date, and after its content,
    so that damage shows.
    """
    statements = tuple(_of_template())
    name = f"views-{versions.digest(duckdb.__version__, *statements)}"
    with suppress(OSError, duckdb.IOException):
        kept = versions.whole_files(cache_folder(), {name}, suffix=_SUFFIX)
        return kept.get(name) or _written_template(cache_folder(), name, statements)
    with suppress(OSError, duckdb.IOException):  # no cache: once a process
        folder = tempfile.mkdtemp(prefix="aslib-eval-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        return _written_template(Path(folder), name, statements)
    return None


_SUFFIX = ".duckdb"


def _written_template(folder: Path, name: str, statements: Iterable[str]) -> Path:
    with tempfile.TemporaryDirectory(prefix="aslib-eval-") as scratch:
        draft = Path(scratch, name)
        con = new_connection()
        for statement in statements:
            con.execute(statement)
        con.execute(f"attach {quoted(os.fspath(draft))} as template")
        con.execute("copy from database memory to template (schema)")
        con.close()
        return versions.keep_file(folder, name, draft.read_bytes(), suffix=_SUFFIX)


def _below_views() -> Iterator[str]:
    for relation in RELATIONS.values():
        yield f"create view raw_{relation.name} as {raw_select(relation, ())}"
        yield from raw_comments(relation)
    yield protocol_table()
    meanings = {**MEANING, "tag": TAG}
    yield from comments("protocol", "One row per active protocol.", meanings, "table")
    yield metric_table()
    meanings = {name: meaning for name, (_, meaning) in METRIC_COLUMNS.items()}
    yield from comments("metric", METRIC_ROW, meanings, "table")


def _of_template() -> Iterator[str]:
    ours = lineage()
    yield from _below_views()
    yield from _lower_half(ours, ())
    yield from _upper_half(ours, ())


_TABLES = ("protocol", "metric")


def protocol_table() -> str:
    """The statement that creates the relation ``protocol`` without rows."""
    columns = [f"{f.name} {_TYPES[str(f.type)]}" for f in fields(Protocol)]
    return f"create table protocol ({', '.join(columns)}, hash varchar, tag varchar)"


def protocol_select(protocols: Sequence[Protocol]) -> str:
    """The rows of the relation ``protocol`` as constants."""
    columns = {field.name: _TYPES[str(field.type)] for field in fields(Protocol)}
    columns |= dict.fromkeys(("hash", "tag"), "varchar")
    selects = []
    for protocol in protocols:
        values = (*astuple(protocol), protocol.hash, protocol.tag)
        texts = ("null" if value is None else quoted(str(value)) for value in values)
        cells = zip(texts, columns.items(), strict=True)
        row = ", ".join(f"{text}::{kind} as {name}" for text, (name, kind) in cells)
        selects.append(f"select {row}")
    return " union all ".join(selects)


def fill_protocol(con: duckdb.DuckDBPyConnection, protocols: Sequence[Protocol]) -> None:
    """Add a row for each protocol."""
    con.execute(f"insert into protocol {protocol_select(protocols)}")


def metric_table() -> str:
    """The statement that creates the relation ``metric`` without rows."""
    columns = ", ".join(f"{name} {kind}" for name, (kind, _) in METRIC_COLUMNS.items())
    return f"create table metric ({columns})"


def fill_metric(con: duckdb.DuckDBPyConnection, sql_dirs: Paths) -> None:
    """Add a row for each metric that our views and the user's declare."""
    rows = metric_rows(sql_dirs)
    marks = f"({', '.join('?' * len(METRIC_COLUMNS))})"
    insert = f"insert into metric values {', '.join([marks] * len(rows))}"  # noqa: S608
    con.execute(insert, list(chain.from_iterable(rows)))


def create_views(con: duckdb.DuckDBPyConnection, found: Lineage, *, tables: Collection[str] = ()) -> None:
    """Create our macros and views, and those of the user's folders.

    tables: views that are there as tables and are left out.

    DuckDB binds a view to all views below it when it is created, which takes four times as long as binding
    it to empty tables. So these stand in for them, until the views take their places from the top down.
    """
    for statement in _lower_half(lineage(), tables):
        con.execute(statement)
    create_theirs(con, found, tables=tables)
    for statement in _upper_half(found, tables):
        con.execute(statement)


def _lower_half(found: Lineage, tables: Collection[str]) -> Iterator[str]:
    """Statements for our macros, and for empty tables in the places of our views."""
    for file in found.macros:
        yield file.statement
    for file in found.views.values():
        if file.name not in tables:
            yield f"create table {file.name} as from ({file.sql}) limit 0"


def _upper_half(found: Lineage, tables: Collection[str]) -> Iterator[str]:
    """Statements that put our views into the places of those tables."""
    names = [name for name in lineage().views if name not in tables]
    for file in (found.views[name] for name in reversed(names)):
        yield f"drop table {file.name};\n{file.explained}"


def create_theirs(con: duckdb.DuckDBPyConnection, found: Lineage, *, tables: Collection[str] = ()) -> None:
    """Create the macros and views of the user's folders, where ours are.

    tables: views that are there as tables and are left out.
    """
    ours = lineage()
    taken = {file.name for file in ours.files} | set(tables)
    for file in found.files:
        if file.name not in taken:
            create(con, file)


def create(con: duckdb.DuckDBPyConnection, file: SqlFile) -> None:
    """Create the view or macro of a file of the user's, with its comments.

    A macro called like a function of DuckDB would change every view of ours.
    """
    try:
        if file.is_macro:
            taken = "select 1 from duckdb_functions() where function_name = $name"
            if con.execute(taken, {"name": file.name}).fetchall():
                what = f"DuckDB has a function {file.name!r}, which it would replace"
                raise AslibError(what, str(file.path), "Choose another file name.")
            kinds = [statement.type for statement in con.extract_statements(file.sql)]
            begins = rf"create\s+(or\s+replace\s+)?(macro|function)\s+{file.name}\s*\("
            if kinds != [duckdb.StatementType.CREATE] or not re.match(begins, file.sql, re.IGNORECASE):
                hint = f"Write create or replace macro {file.name}(…) as …."
                raise AslibError("is not one macro alone", str(file.path), hint)
        else:
            require_select(con, file)
        con.execute(file.explained)
    except duckdb.Error as error:
        raise sql_error(con, error, file) from None


def require_select(con: duckdb.DuckDBPyConnection, file: SqlFile) -> None:
    """Raise AslibError if the text of a file is not one SELECT alone."""
    kinds = [statement.type for statement in con.extract_statements(file.sql)]
    if kinds != [duckdb.StatementType.SELECT]:
        raise AslibError("is not one SELECT alone", str(file.path))


def require_reading(con: duckdb.DuckDBPyConnection, statement: str, *, where: str) -> None:
    """Raise AslibError if a SELECT does more than read relations and files.

    It can hold a COPY, ``with x as (copy ... to ...)``, that no read-only transaction keeps from writing
    where reading is allowed; glob() lists names behind a link.
    """
    for operator in operators(con, statement) & _BEYOND_READING.keys():
        raise AslibError(f"{_BEYOND_READING[operator]} is not allowed in a SELECT", where)
