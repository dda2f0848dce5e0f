"""Views of sql/ and of a user in a database: what each reads, which are built, and how they are created.

It also says which metrics are declared, what a connection may use, and what DuckDB's errors mean.
"""

from __future__ import annotations

import atexit
import json
import os
import re
import shutil
import tempfile
import weakref
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import astuple, dataclass, fields, replace
from functools import cache, cached_property
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import duckdb

from aslib_eval.database.protocol import MEANING, TAG, Protocol
from aslib_eval.database.sqlfiles import (
    SOLVER,
    Metric,
    SqlFile,
    all_quoted,
    bare_database,
    by_lineage,
    comments,
    find_sql,
    frame_file,
    our_folders,
    parsed,
    quoted,
    reads_of,
    solver_value,
)
from aslib_eval.errors import AslibError, place
from aslib_eval.lake import versions
from aslib_eval.lake.schema import ADDED, PREFIX, RELATIONS, Relation
from aslib_eval.lake.versions import digest
from aslib_eval.options import Unit
from aslib_eval.paths import Paths, as_paths, cache_folder

if TYPE_CHECKING:
    import polars as pl

# The id that a scenario's home is named by; all of it is worked out once a file, which split_part and a
# slice of its result are not.
_HOME = f"'/{PREFIX}([^/]+)/[^/]+/[^/]+/[^/]+$'"
_SCENARIO_ID = f"url_decode(regexp_extract(filename, {_HOME}, 1))"


def raw_select(relation: Relation, files: Sequence[str]) -> str:
    """The SELECT of a relation from the files of some versions of scenarios.

    Ids come from the home of each version, and not as a Hive partition: DuckDB would also take a folder
    above the lake that is named like ``value=1`` for a partition, and put 1 into the column. A condition on
    them is put to the names of the files: of other scenarios nothing is read.
    """
    # Only names of the contract and quoted paths are spliced.
    if not files:
        types = {"scenario_id": "varchar", **relation.sql_types()}
        nulls = (f"cast(null as {kind}) as {name}" for name, kind in types.items())
        return f"select {', '.join(nulls)} where false"
    columns = ", ".join(relation.sql_types())
    options = "hive_partitioning = false, filename = true"
    found = f"from read_parquet([{all_quoted(files)}], {options}"
    if added := ADDED.get(relation.name):
        kinds = relation.sql_types()
        later = ", ".join(f"null::{kinds[name]} as {name}" for name in added)
        found = f"from (select {later} where false union all by name ({found}, union_by_name = true))"
    return f"select {_SCENARIO_ID} as scenario_id, {columns} {found})"


def raw_comments(relation: Relation) -> list[str]:
    """Statements that comment on the view of a relation and its columns."""
    meanings = {"scenario_id": "scenario, as text", **relation.meanings()}
    return comments(f"raw_{relation.name}", f"One row per {relation.row}.", meanings)


METRIC_ROW = "One row per metric that has one value for each solver of a scenario."
# The columns of the relation metric, with their types and meanings.
METRIC_COLUMNS = {
    "metric": ("varchar", "name, as the column of its view is called"),
    "relation": ("varchar", "the view that declares it"),
    "position": ("integer", "its place in lists, from 1"),
    "label": ("varchar", "how readers know it"),
    "better": ("varchar", "min or max: which of its values is the best"),
    "digits": ("integer", "decimals that mean something"),
    "unit_bound": ("boolean", "in the unit or on the scale of its scenario: no mean over scenarios"),
    "relative": ("boolean", "depends on which other solvers are present"),
    "order_of": ("varchar", "the metric that puts solvers in the same order"),
    "after": ("varchar", "the metric that decides first; this one between equals"),
    "ranked": ("boolean", "whether solver_rank ranks by it"),
    "swept": ("boolean", "whether sweeps of definitions show it"),
    "meaning": ("varchar", "what it says, as the header of its view has it"),
}
# How lists call the family of the instances without a value of an attribute: as sql/macro/family_name.sql
# has it.
UNKNOWN_FAMILY = "(not known)"
# Keys of views beyond protocol, scenario, measure, kind and solver, and their unit.
_GRAIN = {
    frozenset(): "scenarios",
    frozenset(("instance_id", "repetition")): "instances",
    frozenset(("cv_scheme", "cv_repetition", "fold")): "folds",
}


def declared(folders: Paths = ()) -> dict[str, Metric]:
    """Metric by name: those of the gaps first, a user's own last."""
    found: dict[str, Metric] = {}
    files = find_sql(folders)
    ours = {file.name for file in find_sql()}
    # Views that read others come first: a gap is listed before the scores it uses.
    order = [f for f in reversed(files) if f.name in ours]
    for file in (*order, *(f for f in files if f.name not in ours)):
        for metric in file.metrics:
            if metric.name in found:
                where = found[metric.name].relation
                what = f"the metric {metric.name} is declared by {where} already"
                raise AslibError(what, str(file.path), "Choose another name.")
            found[metric.name] = metric
    for file in files:
        others = (name for m in file.metrics for name in (m.order_of, m.first) if name)
        for name in (*file.also, *others):
            if name not in found:
                raise AslibError(
                    f"no view declares the metric {name}", str(file.path), "Declare it, or correct it."
                )
    return found


def solver_metrics(folders: Paths = ()) -> dict[str, Metric]:
    """The metrics with one value for each solver of a scenario, as declared."""
    files = {f.name: f for f in find_sql(folders)}
    return {
        name: metric
        for name, metric in declared(folders).items()
        if grain(files[metric.relation]) == "scenarios"
    }


def metrics_over(unit: Unit, folders: Paths = ()) -> dict[str, Metric]:
    """The metrics with one value for each unit and solver, by view.

    Metrics that only break ties are left out.
    """
    views = [file for file in find_sql(folders) if grain(file) == unit]
    return {
        name: replace(metric, relation=view.name)
        for name, metric in declared(folders).items()
        for view in views
        if metric.first is None and (metric in view.metrics or name in view.also)
    }


def grain(view: SqlFile) -> str | None:
    """Unit of the rows of a view with solvers; None for any other view."""
    key = frozenset(view.key)
    return _GRAIN.get(key.difference(SOLVER)) if key.issuperset(SOLVER) else None


def metric_rows(folders: Paths = ()) -> list[tuple[object, ...]]:
    """The rows of the relation metric: the metrics with one value for each solver."""
    return [
        (
            *(m.name, m.relation, at, m.label, m.better, m.digits, m.unit_bound),
            *(m.relative, m.order_of, m.first, m.ranked, m.swept, m.meaning),
        )
        for at, m in enumerate(solver_metrics(folders).values(), 1)
    ]


_SUITE = "suite"


@dataclass(frozen=True)
class Lineage:
    """Our views and macros and those of a user's folders, each after what it reads.

    reads: the relations that each view reads. names: for each view whose results are built and kept, the
    relation with a hash of its SELECT and of all below it. theirs: the user's, and those of ours that read
    them.
    """

    files: tuple[SqlFile, ...]
    reads: dict[str, frozenset[str]]
    names: dict[str, str]
    theirs: frozenset[str] = frozenset()

    def named(self, relation: str, protocol: Protocol) -> str:
        """The name of the files of a built relation under a protocol.

        A view of a user's may show what the protocol is called and where it is from.
        """
        name = self.names[relation]
        if relation in self.theirs:
            name = f"{relation}.{digest(name, protocol.protocol, protocol.source)}"
        return name

    @cached_property
    def macros(self) -> list[SqlFile]:
        """The macros, in an order in which they can be created."""
        return [file for file in self.files if file.name not in self.reads]

    def macros_in(self, texts: Iterable[str]) -> list[SqlFile]:
        """The macros that texts name, and those that these name."""
        found = _macros(" ".join(texts), {file.name: file.sql for file in self.macros})
        return [file for file in self.macros if file.name in found]

    @cached_property
    def views(self) -> dict[str, SqlFile]:
        """The views by name, lower ones first."""
        return {file.name: file for file in self.files if file.name in self.reads}

    @cached_property
    def raw(self) -> frozenset[str]:
        """The relations of the lake (``raw_*``) that built relations come from."""
        read = {name for step in self.steps(self.names, there=()) for name in self.reads[step]}
        return frozenset(name for name in read if name.startswith("raw_"))

    def needed(self, relations: Iterable[str]) -> list[str]:
        """The built relations from which these are answered, lower ones first.

        They are the first on each way down from a relation.
        """
        return [name for name in self.steps(relations, there=self.names) if name in self.names]

    def steps(self, wanted: Iterable[str], *, there: Collection[str]) -> list[str]:
        """All relations to have for building some, lower ones first.

        there: relations that are built already, below which nothing is needed.
        """
        found: set[str] = set()
        left = list(wanted)
        while left:
            name = left.pop()
            if name not in found:
                found.add(name)
                left += () if name in there else self.reads.get(name, ())
        return [name for name in self.views if name in found]


def lineage(sql_dirs: Paths = ()) -> Lineage:
    """The lineage of our views, and of a user's that read them."""
    folders = as_paths(sql_dirs)
    if not folders:
        return _ours(our_folders())
    files = find_sql(folders)
    ours = {file.name for file in find_sql()}
    if any(file.metrics for file in files if file.name not in ours):
        values = [solver_value(files, of_families=by) for by in (False, True)]
        ours_of_values = {file.name: file for file in values}
        files = [ours_of_values.get(file.name, file) for file in files]
    declared(folders)  # it names the file of a metric that is declared wrongly
    # A user's metrics are among the values of all, which so come after their views.
    return _lineage(by_lineage(files))


@cache
def _ours(_folders: tuple[Path, ...]) -> Lineage:
    return _lineage(find_sql())


def _lineage(files: list[SqlFile]) -> Lineage:
    """The lineage of files that are in the order of what they read."""
    ours = {file.name: file for file in find_sql()}
    by_name = {file.name: file for file in files}
    read = reads_of(files)
    macros = {name: file.sql for name, file in by_name.items() if name not in read}
    our_macros = {name: sql for name, sql in macros.items() if name in ours}
    metrics = [(file.key, file.metrics) for file in files if file.metrics]
    names = {"metric": f"metric.{digest(repr(metrics))}", "protocol": "protocol"}
    names |= {name: f"{name}.{digest(sql)}" for name, sql in _raw_selects().items()}
    local = set(names)
    theirs: set[str] = set()
    kept: set[str] = set()  # and all that they are made of
    for name in reversed(read):
        if name in kept or by_name[name].stored:
            kept |= {name, *read[name]}
    for name in read:
        file, our = by_name[name], ours.get(name)
        below = read[name] & (by_name.keys() | names.keys())
        is_ours = file is our or file == our
        if not is_ours or below & theirs:
            theirs.add(name)
        is_local = file.subject != _SUITE if name in ours else _can_be_kept(file, files)
        if is_local and below <= local:
            local.add(name)
        if name in local & kept:
            callable_ = our_macros if name in ours else macros
            used = "".join(macros[m] for m in sorted(_macros(file.sql, callable_)))
            hashes = (names[r] for r in sorted(below))
            names[name] = f"{name}.{digest(file.sql, used, duckdb.__version__, *hashes)}"
    stored = {name: hashed for name, hashed in names.items() if name in read and by_name[name].stored}
    return Lineage(tuple(files), read, stored, frozenset(theirs))


@cache
def _raw_selects() -> dict[str, str]:
    """The SELECT of each relation of the lake, as far as it is ours."""
    return {f"raw_{r.name}": raw_select(r, ("",)) for r in RELATIONS.values()}


def _macros(sql: str, macros: Mapping[str, str]) -> set[str]:
    """The macros whose names occur in a text, and in theirs, in any case."""
    found: set[str] = set()
    left = [sql]
    while left:
        words = _words(left.pop()) & macros.keys()
        left += [macros[word] for word in words - found]
        found |= words
    return found


def _words(sql: str) -> set[str]:
    return set(re.findall(r"\w+", sql.casefold()))


def _can_be_kept(file: SqlFile, files: Sequence[SqlFile]) -> bool:
    """Whether all that the rows of a user's view depend on is known.

    That is: it says that they are local, and reads neither files nor the catalogue, nor the clock, a
    setting or a random number, itself or by a macro.
    """
    if not file.stored:
        return False
    found = parsed(file.sql)
    macros = {each.name: each.sql for each in files if each.is_macro}
    relations = {each.name for each in files if not each.is_macro}
    relations |= {"metric", "protocol", *_raw_selects()}
    called = {name: macros[name] for name in _macros(file.sql, macros)}
    words = {word for sql in called.values() for word in _words(sql)} - called.keys()
    if not found.known or not found.relations <= relations or words & relations:
        return False
    named = found.functions | (found.columns & _CLOCK) | words
    named |= _words(file.sql) & _ZONED
    return _unsteady().isdisjoint(named)


_CLOCK = frozenset(("current_date", "current_time", "current_timestamp", "localtime", "localtimestamp"))
# Functions that always give the same rows, and one after which none are kept.
_STEADY = frozenset(("generate_series", "range", "repeat", "repeat_row", "unnest"))
_STEADY |= {"json_each", "json_tree", "histogram", "histogram_values", "error"}
# Of times with a zone alone these depend on a setting, as DuckDB says from 2.0.1 on.
_STEADY |= {"+", "-"}
_ZONED = frozenset(("timestamptz", "zone"))


@cache
def _unsteady() -> frozenset[str]:
    """Functions, and words for them, that may give something else the next time."""
    rows = bare_database().cursor().execute(frame_file("unsteady_functions").sql)
    found = {name for (name,) in rows.fetchall()}
    return frozenset(found - _STEADY | _CLOCK | _ZONED)


# A connection: what it may use, what it gives, and what its errors mean.

SHARE = 0.5  # of the machine's memory
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


def sql_error(con: duckdb.DuckDBPyConnection, error: duckdb.Error, file: SqlFile) -> AslibError:
    """DuckDB's error in the SQL of a file, with the line of the file."""
    found = locate(con, error, file.sql)
    line = None if found is None else file.line + found.line - 1
    return AslibError(reason(error), place(str(file.path), line))


def machine_memory() -> int:
    """Bytes of memory that this process can have: the machine's or its container's."""
    sizes = [os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")]
    for name in ("memory.max", "memory/memory.limit_in_bytes"):
        try:
            sizes.append(int(Path("/sys/fs/cgroup", name).read_text()))
        except (OSError, ValueError):  # no such file, or "max"
            continue
    return min(size for size in sizes if size > 0)


class _Rows:
    """The rows of a relation, for readers of Arrow's C stream: the Arrow library itself loads slowly.

    polars keeps the class of what it is given until the process ends. Were that a class of DuckDB's, DuckDB
    would then complain on stderr that it is still held: so it is a plain one.
    """

    def __init__(self, relation: duckdb.DuckDBPyRelation) -> None:
        self._relation = relation

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._relation.__arrow_c_stream__(requested_schema)


def frame_of(relation: duckdb.DuckDBPyRelation) -> pl.DataFrame:
    """The relation as its method ``pl`` gives it.

    Raises:
        duckdb.Error: when the query fails.
    """
    import polars as pl

    return pl.DataFrame(_Rows(relation.materialize()))


def answer_of(
    con: duckdb.DuckDBPyConnection, select: str, parameters: Mapping[str, object] | None = None
) -> pl.DataFrame:
    """The answer to a SELECT, as ``frame_of`` gives it.

    It is a table for a moment: a relation of the SELECT would be planned twice, for its columns and for its
    rows, and that takes longer than most answers.

    Raises:
        duckdb.Error: when the query fails.
    """
    con.execute(f"create or replace temp table {_ANSWER} as {select}", parameters)
    try:
        return frame_of(con.table(_ANSWER))
    finally:
        con.execute(f"drop table {_ANSWER}")


_ANSWER = '"the answer"'


# How views are created.

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
            nulls = (f'null::{kind} as "{column}"' for kind, column in zip(types, columns, strict=True))
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
    name = f"views-{digest(duckdb.__version__, *statements)}"
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
    yield from comments("protocol", "One row per active protocol.", {**MEANING, "tag": TAG}, "table")
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
    taken = {file.name for file in lineage().files} | set(tables)
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
