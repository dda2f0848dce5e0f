"""``ae.open`` and ``ae.connect``: a lake as it was when it was opened, to be asked.

An ``OpenLake`` is what all of ``analysis`` asks. It knows what is visible: the versions of the scenarios,
the protocols, the views of sql/ and of a user's folders; and what is built: each of its connections reads
the results that ``prepare`` has found or built.
"""

from __future__ import annotations

import os
import threading
import warnings
import weakref
from collections.abc import Collection, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from functools import cached_property
from os import PathLike
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Self

import duckdb

from aslib_eval.database.build import (
    ScenarioVersion,
    UnwritableError,
    Wish,
    as_runs,
    build,
    built,
    in_batches,
    raw_files,
    results_select,
)
from aslib_eval.database.protocol import Protocol, Protocols, load
from aslib_eval.database.sqlfiles import Metric, frame_file, reads
from aslib_eval.database.views import (
    answer_of,
    confine,
    create_all,
    create_ours,
    fill_metric,
    fill_protocol,
    lineage,
    metric_table,
    new_connection,
    protocol_select,
    raw_comments,
    raw_select,
    reason,
    solver_metrics,
)
from aslib_eval.errors import AslibError, LeftOut, NotKept, os_errors
from aslib_eval.lake import versions
from aslib_eval.lake.schema import RELATIONS, Relation, require_unicode
from aslib_eval.lake.versions import Lease, Manifest, Version, lease, scenario_ids
from aslib_eval.options import Lake, Scenarios, SqlDirs, public
from aslib_eval.paths import Paths, as_paths
from aslib_eval.progress import is_watched
from aslib_eval.text import list_names, nearest, one_of, plural

if TYPE_CHECKING:
    import polars as pl


def manifests(lake: str | PathLike[str], scenarios: Sequence[str] = ()) -> dict[str, Manifest]:
    """The manifest of each scenario that ``open_lake`` opens now, by id."""
    held = leases(Path(lake), scenarios)
    try:
        return {v.scenario_id: v.manifest() for v in held.versions}
    finally:
        held.release()


def leases(lake: Path, scenarios: Sequence[str]) -> Lease:
    """Lease every scenario that is asked for and undamaged."""
    require_unicode(lake)
    with os_errors(lake, "Name another --lake."):
        ids = scenario_ids(lake) if lake.is_dir() else []
    found: list[Version] = []
    damaged: list[AslibError] = []
    with ExitStack() as stack:
        held = stack.enter_context(lease(lake))
        for scenario_id in ids:
            try:
                found += _asked(held, scenario_id, scenarios)
            except AslibError as error:
                damaged.append(error)
        if found:
            for each in damaged:
                warnings.warn(f"left out: {each}", LeftOut, stacklevel=3)
            stack.pop_all()
            return replace(held, versions=tuple(found))
    raise _nothing(lake, ids, scenarios, damaged)


def narrowed(held: Lease, scenarios: Sequence[str]) -> Lease:
    """Of all that is leased, the scenarios that are asked for."""
    known = replace(held, pinned=True)
    ids = [version.scenario_id for version in held.versions]
    found = [version for name in ids for version in _asked(known, name, scenarios)]
    if not found:
        raise _nothing(held.lake, ids, scenarios, [])
    return replace(held, versions=tuple(found))


def _nothing(lake: Path, ids: list[str], scenarios: Sequence[str], damaged: list[AslibError]) -> AslibError:
    if damaged:
        first, *others = damaged
        if not others:
            return first
        return AslibError(
            f"{first.message} (and {plural(len(others), 'more scenario')})", first.where, first.hint
        )
    if ids and scenarios:
        what = f"no scenario matches {' or '.join(scenarios)}"
        every = f"It holds {list_names(ids, most=40, quoted=False)}."
        return AslibError(what, str(lake), nearest(scenarios, ids) or every)
    hint = "Fill it with 'aslib-eval import PATH', or name another --lake."
    return AslibError("there is no lake with a scenario", str(lake), hint)


def _asked(held: Lease, scenario_id: str, scenarios: Sequence[str]) -> list[Version]:
    """The current version of a scenario, if there is one and it is asked for."""
    by_id = not scenarios or _matches([scenario_id], scenarios)
    try:
        version = held.version(scenario_id)
        if version is None:
            return []
        if not by_id and not _matches([version.manifest().get("folder", "")], scenarios):
            return []
        if not held.pinned:  # else it was when the lake was opened
            version.verify()
    except AslibError:
        if by_id:
            raise
        return []  # the name of its folder cannot be read
    return [version]


def _matches(names: Sequence[str], scenarios: Sequence[str]) -> bool:
    return any(fnmatchcase(name, glob) for name in names for glob in scenarios)


# Relations that are built when a user connects: every score is a sum over them.
AT_START = ("instance_algorithm", "instance_selector", "instance_solver")
# Kept wherever they are computed on the way: most questions read them, or their notes. The largest is soon
# computed of the others, and takes longest to write: it is kept when a second question needs it, which is
# when the others are there.
_BESIDE = dict.fromkeys(("instance_algorithm", "instance_selector", "solver_score"), "")
_BESIDE["instance_solver"] = "instance_algorithm"
_SHOWN = 5  # scenarios that a terminal shows by name
_NONE: Mapping[str, object] = MappingProxyType({})


@dataclass(frozen=True)
class LakeConnection:
    """A connection to an open lake.

    read: the files of the built results that its views read, by relation. made: the relations that it has,
    where these are created when they are asked for; None: all.
    """

    con: duckdb.DuckDBPyConnection
    read: dict[str, list[Path]] = field(default_factory=dict)
    made: set[str] | None = None


@dataclass(frozen=True)
class Ahead:
    """What was built ahead: so many relations, scenarios and protocols."""

    relations: int
    scenarios: int
    protocols: int

    @property
    def results(self) -> int:
        """How many files that makes."""
        return self.relations * self.scenarios * self.protocols


class _Hold:
    """Holds versions until the last of the open lakes that share it is gone."""

    def __init__(self, held: versions.Lease) -> None:
        self.release = weakref.finalize(self, held.release)


class OpenLake(PathLike[str]):
    """A lake as it was when it was opened, to be passed wherever a lake is passed.

    Every question sees the same version of every scenario, also if somebody replaces them meanwhile, and
    what one question opened is there for the next. A thread has connections of its own: several may ask at
    the same time. It is only read: what would write the lake refuses it. At the end of a ``with``, or by
    ``close``, the versions are let go of, and no more questions are answered.

    protocols: those that its answers have rows for. sql_dirs: folders with views of the user's. lineage:
    all views, and which of them are built.
    """

    def __init__(
        self,
        held: versions.Lease,
        protocols: Sequence[Protocol],
        sql_dirs: Sequence[Path] = (),
        *,
        shown: bool = False,
        hold: _Hold | None = None,
    ) -> None:
        """What a lease has, under some protocols. See ``open`` and ``open_lake``.

        shown: draw a bar while results are built. hold: of the lake that this one is made of.
        """
        names = [p.protocol for p in protocols]
        if len(set(names)) < len(names):
            raise AslibError(f"two protocols share a name: {', '.join(names)}")
        self.path = held.lake
        self.protocols = tuple(protocols)
        self.sql_dirs = tuple(sql_dirs)
        self.lineage = lineage(self.sql_dirs)
        self._held = held
        self._hold = hold or _Hold(held)
        self._shown = shown
        # Where results lie; they are written to the first, if they can be kept at all.
        self._roots = versions.result_folders(self.path.resolve())
        self._kept = True
        self._of_thread = threading.local()
        self._of_user: LakeConnection | None = None
        self._made: dict[object, OpenLake] = {}

    def __fspath__(self) -> str:
        return str(self.path)

    __str__ = __fspath__

    def __repr__(self) -> str:
        names = list_names(self.scenarios, most=_SHOWN, quoted=False)
        state = "" if self._hold.release.alive else ", closed"
        held = plural(len(self.scenarios), "scenario")
        return f"<lake {self.path}{state}, {held}: {names}>"

    def _repr_html_(self) -> str:
        """The scenarios with their sizes and baselines, as a notebook shows them."""
        if not self._hold.release.alive:
            return ""
        return str(self.ask("scenario_list")._repr_html_())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the versions: the next writer may remove those that are replaced.

        Frames stay as they are; connections must not be used any more.
        """
        for other in self._made.values():
            other.close()
        self._made.clear()
        self._of_thread = threading.local()
        self._of_user = None
        self._hold.release()

    @property
    def scenarios(self) -> list[str]:
        """The scenarios by id; those that were damaged are left out."""
        return [version.scenario_id for version in self._held.versions]

    @property
    def con(self) -> duckdb.DuckDBPyConnection:
        """A connection for SQL of your own, under the protocol ``default``.

        It is nobody else's: tables and frames that you register there change no answer. For other
        protocols, and with views of your own, pass the lake to ``connect``.
        """
        self._require_open()
        if self._of_user is None:
            self._of_user = self.connect_user()
        self.store(self._of_user)  # somebody may have removed what it reads
        return self._of_user.con

    def asked(self) -> AbstractContextManager[None]:
        """Meanwhile, in this thread, all that reads the lake sees what is held here."""
        self._require_open()
        return versions.pinned(self._held)

    def _require_open(self) -> None:
        if not self._hold.release.alive:
            raise AslibError("this open lake was closed", str(self.path), "Open it again with ae.open.")

    def under(
        self,
        *,
        protocols: Sequence[str | Protocol] | None = None,
        scenarios: Sequence[str] = (),
        sql_dirs: Paths | None = None,
        shown: bool | None = None,
    ) -> OpenLake:
        """The same versions under other protocols, of some scenarios, or with views.

        None: as they are here. What was made once is there for the next question.
        """
        active = self.protocols if protocols is None else _loaded(protocols)
        globs = (scenarios,) if isinstance(scenarios, str) else tuple(scenarios)
        folders = self.sql_dirs if sql_dirs is None else tuple(as_paths(sql_dirs))
        shown = self._shown if shown is None else shown
        if (active, globs, folders, shown) == (self.protocols, (), (), self._shown):
            return self
        # A folder of SQL may be changed between two questions.
        files = (file for path in folders for file in sorted(path.rglob("*.*")))
        files = (file for file in files if file.suffix in {".sql", ".toml"})
        theirs = tuple((file, file.read_bytes()) for file in files if file.is_file())
        asked = active, globs, folders, theirs, shown
        if asked not in self._made:
            made = OpenLake(narrowed(self._held, globs), active, folders, shown=shown, hold=self._hold)
            return self._made.setdefault(asked, made)
        return self._made[asked]

    def with_all_measures(self) -> OpenLake:
        """The same, but with every measure of each scenario."""
        return self.under(protocols=[replace(p, measures="all") for p in self.protocols])

    # What is visible.

    @cached_property
    def _versions(self) -> tuple[ScenarioVersion, ...]:
        """The leased versions as results are built of them."""
        home, raw, found = self.path.resolve(), self.lineage.raw, []
        for version in self._held.versions:
            manifest = version.manifest()
            relations = manifest["relations"]
            rows = {n: f["rows"] for n, f in relations.items() if f"raw_{n}" in raw}
            path = home / version.path.relative_to(self.path)
            of = version.scenario_id, path, versions.data_of(manifest)
            found.append(ScenarioVersion(*of, frozenset(relations), as_runs(rows)))
        return tuple(found)

    @property
    def manifests(self) -> dict[str, versions.Manifest]:
        """The manifest of each scenario, by id."""
        return {each.scenario_id: each.manifest() for each in self._held.versions}

    @cached_property
    def metrics(self) -> dict[str, Metric]:
        """The rows of the relation ``metric``, by name: a user's own last."""
        return solver_metrics(self.sql_dirs)

    def connect(
        self, *, confined: bool = False, folders: Sequence[Path] = (), memory: int | None = None
    ) -> LakeConnection:
        """A new connection: ``raw_*``, protocols, metrics and views; nothing is built.

        With ``confined`` or views of the user's it is confined before it sees SQL that is not ours.
        folders: what it may use besides the lake. memory: see ``confine``.
        """
        con = new_connection()

        def no_further() -> None:
            confine(con, self.path, folders=(*self._roots, *folders), memory=memory)

        if self.sql_dirs:
            create_all(con, self.lineage, confined=no_further)
        else:
            create_ours(con)
        fill_protocol(con, self.protocols)
        fill_metric(con, self.sql_dirs)
        for relation in self._raw_with_files():
            self._create_raw(con, relation)
        _require_measures(con, self.protocols)
        if confined and not self.sql_dirs:
            no_further()
        return LakeConnection(con)

    def _raw_with_files(self) -> list[Relation]:
        """The relations of the lake of which there is something; others are empty."""
        have = set().union(*(version.relations for version in self._versions))
        return [each for each in RELATIONS.values() if each.name in have]

    def describe_raw(self, con: duckdb.DuckDBPyConnection) -> None:
        """Comment on the views ``raw_*`` that ``connect`` made; the empty ones are."""
        for relation in self._raw_with_files():
            con.execute(";".join(raw_comments(relation)))

    def _create_raw(self, con: duckdb.DuckDBPyConnection, relation: Relation) -> None:
        select = raw_select(relation, raw_files(self._versions, relation.name))
        try:
            con.execute(f"create or replace view raw_{relation.name} as {select}")
        except duckdb.Error as error:
            raise AslibError(
                reason(error), "lake", "The lake is damaged: import the scenario again."
            ) from None

    def _connect_bare(self) -> LakeConnection:
        """A new connection of which ``prepare`` creates the views, without comments.

        That is sooner done than having all of them.
        """
        con = new_connection()
        con.execute(f"create table protocol as {protocol_select(self.protocols)}")
        self._create_raw(con, RELATIONS["scenario"])
        _require_measures(con, self.protocols)
        return LakeConnection(con, made={"protocol", "raw_scenario"})

    def connect_user(self, *, stored: bool = True) -> LakeConnection:
        """A new connection for SQL of a user's: it reads all that is built already.

        stored: ``store`` is called for it.
        """
        made = self.connect()
        if stored:
            self.store(made)
        others = [name for name in self.lineage.names if name not in made.read]
        self._read(built(self._wish(others), self.lineage), made)
        self.describe_raw(made.con)
        return made

    @property
    def connection(self) -> duckdb.DuckDBPyConnection:
        """The connection of this thread on which questions are asked."""
        return self._asking.con

    @property
    def _asking(self) -> LakeConnection:
        mine = vars(self._of_thread)
        if "connection" not in mine:
            # A user's views are all there, so that each error in them is found.
            mine["connection"] = self.connect() if self.sql_dirs else self._connect_bare()
        found: LakeConnection = mine["connection"]
        return found

    # What is asked.

    def ask(self, question: str, parameters: Mapping[str, object] = _NONE) -> pl.DataFrame:
        """The answer to a question; what it needs is built before.

        question: a file of sql/frame by its name, or a SELECT of one line. parameters: a value for each
        that it names.
        """
        return answer_of(self.connection, self._prepared(question), dict(parameters))

    def rows(self, question: str, parameters: Mapping[str, object] = _NONE) -> list[tuple[Any, ...]]:
        """As ``ask``, but the rows of the answer."""
        return self.connection.execute(self._prepared(question), dict(parameters)).fetchall()

    def _prepared(self, question: str) -> str:
        """The SELECT of a question; what it reads is built, and there as views."""
        if " " in question:
            sql, read = question, reads(question)
        else:
            sql, read = frame_file(question).sql, frame_file(question).reads
        self.prepare(read, sql=sql)
        return sql

    # What is built.

    def prepare(self, relations: Iterable[str], *, on: LakeConnection | None = None, sql: str = "") -> None:
        """Build what some relations are answered from, and let their views read it.

        What is there is not built again, unless somebody has removed it. Relations of which nothing is
        built stay as they are. Where results cannot be written into the lake, they go to the user's cache
        folder; where they cannot be written at all, views stay as they are. A NotKept warning says so. on:
        that of this thread if None. sql: text of the question, for the macros that it names.
        """
        on, wanted = self._asking if on is None else on, frozenset(relations)
        needed = self.lineage.needed(wanted)
        for name in needed:
            if not all(map(os.path.isfile, on.read.get(name, ()))):
                del on.read[name]
        needed = [name for name in needed if name not in on.read]
        if needed and on.made is None:  # a user may have made tables of them
            tables = {
                name for (name,) in on.con.execute("select table_name from duckdb_tables()").fetchall()
            }
            needed = [name for name in needed if name not in tables]
        if needed:
            self._read(self._built(needed), on)
        self._create(wanted, on, sql)

    def _create(self, wanted: Collection[str], on: LakeConnection, sql: str) -> None:
        """Create what relations and a text read, on a connection that has not all."""
        if on.made is None:
            return
        steps = [s for s in self.lineage.steps(wanted, there=on.read) if s not in on.read]
        read = (self.lineage.reads[step] for step in steps)
        new = {*wanted}.union(*read) - on.made - on.read.keys()
        for relation in RELATIONS.values():
            if f"raw_{relation.name}" in new:
                self._create_raw(on.con, relation)
        if "metric" in new:
            on.con.execute(metric_table())
            fill_metric(on.con, self.sql_dirs)
        views = [self.lineage.views[step] for step in steps if step in new]
        texts = (sql, *(view.sql for view in views))
        for macro in self.lineage.macros_in(texts):
            if macro.name not in on.made:
                on.con.execute(macro.statement)
                on.made.add(macro.name)
        for view in views:
            on.con.execute(f"create or replace view {view.name} as {view.sql}")
        on.made.update(new)

    def store(self, on: LakeConnection) -> None:
        """Build AT_START and a user's views, and again what a connection reads."""
        theirs = self.lineage.theirs & self.lineage.names.keys()
        self.prepare({*AT_START, *theirs, *on.read}, on=on)

    def wish(self, relations: Collection[str]) -> Wish | None:
        """What some relations are built for; None if one is not built as it is."""
        known = self.lineage.names.keys() >= set(relations)
        return self._wish(sorted(relations)) if known else None

    def _wish(self, relations: Iterable[str]) -> Wish:
        return Wish(
            self.path.resolve(),
            self._versions,
            self.protocols,
            tuple(relations),
            self.sql_dirs,
            self._roots,
        )

    def _built(self, relations: Sequence[str]) -> dict[str, dict[str, list[Path]]]:
        found = built(self._wish(relations), self.lineage)
        n = len(self._versions)
        if all(len(files) == n for of in found.values() for files in of.values()):
            return found
        left = len(self._roots) if self._kept else 0
        while left:
            wish = self._wish(relations)
            try:
                return build(wish, beside=_BESIDE, shown=self._shown)
            except UnwritableError as error:
                left -= 1
                first, *others = wish.roots
                self._roots = (*others, first)
                instead = f"{others[0]} is used" if left and others else "nothing is kept"
                warnings.warn(f"{first}: {error.message}; {instead}. {error.hint}", NotKept, stacklevel=4)
        self._kept = False
        return built(self._wish(relations), self.lineage)

    def build(
        self,
        relations: Iterable[str] | None = None,
        *,
        also: Mapping[OpenLake, Iterable[str]] = MappingProxyType({}),
        part: tuple[int, int] = (1, 1),
        executor: Executor | None = None,
        jobs: int | None = None,
        memory: int | None = None,
    ) -> Ahead:
        """Build results now, so that all questions find them.

        relations: what will be asked for; None = everything. also: what will be asked of the same versions
        under other protocols; it is built at the same time. part: (i, n) for the i-th of n parts of the
        scenarios, of about equal size: the jobs of an array build one each. executor, jobs, memory: see
        ``build``.
        """
        number, of = part
        if not 1 <= number <= of:
            hint = "Write the number of the part and how many there are: 1/8."
            raise AslibError(f"there is no part {number} of {of}", "part", hint)
        batches = list(in_batches(self._versions, of))
        mine = batches[number - 1] if number <= len(batches) else []
        asked = {self: self.lineage.names if relations is None else relations, **also}
        wish, *others = (
            replace(lake._wish(lake.lineage.needed(names)), scenarios=mine)  # noqa: SLF001 - of this class
            for lake, names in asked.items()
        )
        build(wish, also=others, executor=executor, jobs=jobs, memory=memory, shown=self._shown)
        return Ahead(len(wish.relations), len(mine), len(wish.protocols))

    def _read(self, files: Mapping[str, Mapping[str, Sequence[Path]]], on: LakeConnection) -> None:
        """Let views be their built results, where these are complete."""
        n = len(self._versions)
        for name, view in self.lineage.views.items():
            parts = {p: found.get(name, ()) for p, found in files.items()}
            if name in on.read or not parts or any(len(f) < n for f in parts.values()):
                continue  # not asked for, or not all of it is there
            select = results_select(parts, self.lineage, name)
            on.con.execute(f"create or replace view {name} as {select}")
            if on.made is None:
                on.con.execute(";".join(view.comments()))
            on.read[name] = [path for found in parts.values() for path in found]


def _loaded(protocols: Sequence[str | Protocol]) -> tuple[Protocol, ...]:
    return tuple(map(load, (protocols,) if isinstance(protocols, str) else protocols))


def _require_measures(con: duckdb.DuckDBPyConnection, protocols: Sequence[Protocol]) -> None:
    """Raise where a protocol asks for a measure that no scenario has."""
    asked = {p.measures: p.protocol for p in protocols}
    for measure in asked.keys() - {"primary", "all"}:
        found = con.sql("select distinct measure from raw_scenario order by all")
        known = [name for (name,) in found.fetchall()]
        if measure not in known:
            what = f"no scenario has the measure {measure!r}"
            all_ask = len(protocols) > 1 and len(asked) == 1  # none in particular
            where = None if all_ask else asked[measure]
            raise AslibError(what, where, one_of(measure, known))


def open_lake(
    lake: str | PathLike[str],
    *,
    protocols: Sequence[str | Protocol] = ("default",),
    scenarios: Sequence[str] = (),
    sql_dirs: Paths = (),
    shown: bool = False,
) -> OpenLake:
    """Open a lake under some protocols; of one that is open, see ``OpenLake.under``.

    scenarios: globs on ids and names of folders (or one glob); none means all. shown: draw a bar while
    results are built.
    """
    if isinstance(lake, OpenLake):
        return lake.under(protocols=protocols, scenarios=scenarios, sql_dirs=sql_dirs)
    globs = (scenarios,) if isinstance(scenarios, str) else tuple(scenarios)
    active, folders = _loaded(protocols), tuple(as_paths(sql_dirs))
    return OpenLake(leases(Path(lake), globs), active, folders, shown=shown)


def open(lake: str | PathLike[str] = "lake") -> OpenLake:  # noqa: A001 - as ae.open
    """Open a lake for many questions: pass what it returns wherever a lake is passed.

    lake: Folder of the lake, as text or path.

    Its scenarios are compared with their hashes once, now, and stay as they are now until it is closed. So
    twenty questions agree with each other, and all but the first skip what opening a lake takes. For one
    question it is no gain. It leaves a damaged scenario out, with a LeftOut warning.

    >>> with ae.open("lake") as lake:
    ...     best = ae.gap(lake, kinds=["selector"])["solver"][0]
    ...     n = ae.score(lake, solvers=[best])["n"].to_list()
    ...     runs = lake.con.sql("select count(*) from raw_run").fetchall()
    >>> best, n, runs
    ('careful', [12], [(96,)])
    """
    return open_lake(Path(lake).absolute(), shown=is_watched())


# What a connection that was given to a user is of, and the files that it reads: for ``store``, which is
# given the connection alone. The lake is held as long as it lives.
_GIVEN: weakref.WeakKeyDictionary[duckdb.DuckDBPyConnection, tuple[OpenLake, dict[str, list[Path]]]] = (
    weakref.WeakKeyDictionary()
)


@public
def connect(
    lake: Lake,
    *,
    protocols: Protocols = ("default",),
    scenarios: Scenarios = (),
    sql_dirs: SqlDirs = (),
    stored: bool = True,
    progress: bool | None = None,
) -> duckdb.DuckDBPyConnection:
    """Open a lake: its relations as ``raw_*``, the protocols, and every view.

    The connection sees each scenario as it is now, also if it is replaced later. ``scenarios`` are globs on
    ids and folder names (or one glob); none means all. The same query has the same digits every time: sums
    do not depend on the order of rows. Results that are built already are read; the others are computed by
    their views
    when they are asked for. With ``stored`` the per-instance relations are built at once, see ``store``.
    progress: draw a bar while they are, if that takes long; by default where Python is typed at a terminal.
    A frame of Python is found under the name of its variable. With ``sql_dirs``,
    whose SQL may be anybody's, the connection is confined: it neither writes files nor reads any outside
    the lake, and a frame is found after ``con.register("name", frame)`` alone.
    Every file is compared with its hash before anything is read from it. A scenario that is damaged is left
    out, with a LeftOut warning that names it.

    >>> con = ae.connect("lake", protocols=["default", "llama"])
    >>> con.sql("select protocol, sbs from scenario_baseline order by all").fetchall()
    [('default', 'drift'), ('llama', 'drift')]
    """
    opened = open_lake(
        lake,
        protocols=protocols,
        scenarios=scenarios,
        sql_dirs=sql_dirs,
        shown=is_watched() if progress is None else progress,
    ).under(shown=progress)
    made = opened.connect_user(stored=stored)
    _GIVEN[made.con] = opened, made.read
    return made.con


@public
def store(con: duckdb.DuckDBPyConnection) -> None:
    """Build the per-instance relations of an open lake now, unless they are there.

    Every score is a sum over them, and some views read them several times. With these three built, answers
    come about ten times sooner. They do not follow a changed ``protocol``. Views of your own that say
    ``stored: yes`` are built as well, and what was read already and has been removed since.

    con: from ``connect``.

    >>> con = ae.connect("lake", stored=False)
    >>> ae.store(con)
    """
    if con in _GIVEN:
        opened, read = _GIVEN[con]
        opened.store(LakeConnection(con, read))
