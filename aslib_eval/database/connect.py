"""Open a lake as an in-memory DuckDB with raw_*, protocol, metric, macros and views."""

from __future__ import annotations

import os
import warnings
import weakref
from collections.abc import Collection, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from os import PathLike
from pathlib import Path

import duckdb

from aslib_eval.database.build import (
    ScenarioVersion,
    UnwritableError,
    Wish,
    build,
    built,
    in_batches,
    raw_files,
    results_select,
)
from aslib_eval.database.lineage import Lineage, lineage
from aslib_eval.database.protocol import Protocol, Protocols, load
from aslib_eval.database.raw_relations import raw_select
from aslib_eval.database.sql_errors import reason
from aslib_eval.database.sqlfiles import comments, frame_file, reads
from aslib_eval.database.views import (
    confine,
    create_all,
    create_ours,
    fill_metric,
    fill_protocol,
    new_connection,
)
from aslib_eval.errors import AslibError, LeftOut, NotKept, os_errors
from aslib_eval.lake import results, versions
from aslib_eval.lake.layout import require_unicode
from aslib_eval.lake.schema import RELATIONS
from aslib_eval.options import Lake, Scenarios, SqlDirs
from aslib_eval.paths import Paths, as_paths
from aslib_eval.progress import is_watched
from aslib_eval.signatures import public
from aslib_eval.text import list_names, nearest, one_of, plural

# Relations that are built when a lake is opened: every score is a sum over them.
AT_START = ("instance_algorithm", "instance_selector", "instance_solver")


@dataclass
class _Opened:
    """What a connection was opened on, and the files of relations that it reads.

    kept: whether results can be written anywhere.
    """

    wish: Wish
    known: Lineage
    shown: bool
    read: dict[str, list[Path]] = field(default_factory=dict)
    kept: bool = True


_OPENED: weakref.WeakKeyDictionary[duckdb.DuckDBPyConnection, _Opened] = (
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

    The connection sees each scenario as it is now, also if it is replaced later.
    ``scenarios`` are globs on ids and folder names (or one glob); none means all. The
    same query has the same digits every time: sums do not depend on the order of rows.
    Results that are built already are read; the others are computed by their views
    when they are asked for. With ``stored`` the per-instance relations are built at
    once, see ``store``. progress: draw a bar while they are, if that takes long; by
    default where Python is typed at a terminal.
    A frame of Python is found under the name of its variable. With ``sql_dirs``,
    whose SQL may be anybody's, the connection is confined: it neither writes files nor
    reads any outside the lake, and a frame is found after ``con.register("name",
    frame)`` alone.
    Every file is compared with its hash before anything is read from it. A scenario
    that is damaged is left out, with a LeftOut warning that names it.

    Raises:
        AslibError: when there is no lake, no scenario matches, all that match are
            damaged, a protocol is unknown or a file in ``sql_dirs`` is not a view.

    >>> con = ae.connect("lake", protocols=["default", "llama"])
    >>> con.sql("select protocol, sbs from scenario_baseline order by all").fetchall()
    [('default', 'drift'), ('llama', 'drift')]
    """
    con = open_lake(
        lake,
        protocols=protocols,
        scenarios=scenarios,
        sql_dirs=sql_dirs,
        shown=is_watched() if progress is None else progress,
    )
    if stored:
        store(con)
    opened = _OPENED[con]
    _read(con, opened, built(opened.wish, opened.known))
    describe_raw(con)
    return con


def open_lake(
    lake: str | PathLike[str],
    *,
    protocols: Sequence[str | Protocol] = ("default",),
    scenarios: Sequence[str] = (),
    sql_dirs: Paths = (),
    confined: bool = False,
    folders: Sequence[Path] = (),
    memory: int | None = None,
    shown: bool = False,
) -> duckdb.DuckDBPyConnection:
    """As ``connect``, but it builds nothing, and reads built results after ``prepare``.

    With ``confined`` or ``sql_dirs`` the connection is confined before it sees SQL that
    is not ours. folders: what it may use besides the lake. memory: see ``confine``.
    shown: draw a bar while results are built.
    """
    if isinstance(protocols, str):
        protocols = (protocols,)
    if isinstance(scenarios, str):
        scenarios = (scenarios,)
    active = [p if isinstance(p, Protocol) else load(p) for p in protocols]
    names = [p.protocol for p in active]
    if len(set(names)) < len(names):
        raise AslibError(f"two protocols share a name: {', '.join(names)}")
    known = lineage(sql_dirs)
    held = leases(Path(lake), scenarios)
    con = new_connection()
    weakref.finalize(con, held.release)
    wish = _wish(held, active, known, sql_dirs)

    def no_further() -> None:
        confine(con, Path(lake), folders=(*wish.roots, *folders), memory=memory)

    if as_paths(sql_dirs):
        create_all(con, known, confined=no_further)
    else:
        create_ours(con)
    fill_protocol(con, active)
    fill_metric(con, sql_dirs)
    _create_raw(con, wish.scenarios)
    _require_measures(con, active)
    if confined and not as_paths(sql_dirs):
        no_further()
    _OPENED[con] = _Opened(wish, known, shown)
    return con


def _require_measures(
    con: duckdb.DuckDBPyConnection, protocols: Sequence[Protocol]
) -> None:
    """Raise where a protocol asks for a measure that no scenario has."""
    asked = {p.measures: p.protocol for p in protocols}
    for measure in asked.keys() - {"primary", "all"}:
        found = con.sql("select distinct measure from raw_scenario order by all")
        known = [name for (name,) in found.fetchall()]
        if measure not in known:
            what = f"no scenario has the measure {measure!r}"
            several = (
                len(protocols) > 1 and len(asked) == 1
            )  # none of them in particular
            where = None if several else asked[measure]
            raise AslibError(what, where, one_of(measure, known))


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


def build_ahead(  # noqa: PLR0913 - one for each choice
    lake: str | PathLike[str],
    *,
    protocols: Sequence[str | Protocol] = ("default",),
    scenarios: Sequence[str] = (),
    sql_dirs: Paths = (),
    relations: Iterable[str] | None = None,
    part: tuple[int, int] = (1, 1),
    executor: Executor | None = None,
    jobs: int | None = None,
    memory: int | None = None,
    shown: bool = False,
) -> Ahead:
    """Build every result of a lake now, so that all questions find it.

    relations: what will be asked for; None = everything. part: (i, n) for the i-th of
    n parts of the scenarios, of about equal size: the jobs of an array build one each.
    executor, jobs, memory, shown: see ``build``.
    """
    number, of = part
    if not 1 <= number <= of:
        hint = "Write the number of the part and how many there are: 1/8."
        raise AslibError(f"there is no part {number} of {of}", "part", hint)
    active = [p if isinstance(p, Protocol) else load(p) for p in protocols]
    known = lineage(sql_dirs)
    held = leases(Path(lake), scenarios)
    try:
        wish = _wish(held, active, known, sql_dirs)
        if relations is not None:
            wish = replace(wish, relations=known.needed(relations))
        batches = list(in_batches(wish.scenarios, of))
        mine = batches[number - 1] if number <= len(batches) else []
        wish = replace(wish, scenarios=mine)
        build(wish, executor=executor, jobs=jobs, memory=memory, shown=shown)
    finally:
        held.release()
    return Ahead(len(wish.relations), len(mine), len(active))


def _wish(
    held: versions.Lease,
    protocols: Sequence[Protocol],
    known: Lineage,
    sql_dirs: Paths,
) -> Wish:
    """Every relation that can be built of the leased versions."""
    lake = held.lake.resolve()
    raw = known.raw
    scenarios = []
    for version in held.versions:
        manifest = version.manifest()
        rows = {name: facts["rows"] for name, facts in manifest["relations"].items()}
        path = lake / version.path.relative_to(held.lake)
        data = results.data_of(manifest)
        size = sum(n for name, n in rows.items() if f"raw_{name}" in raw)
        found = ScenarioVersion(version.scenario_id, path, data, frozenset(rows), size)
        scenarios.append(found)
    roots = results.folders(lake)
    folders = tuple(as_paths(sql_dirs))
    return Wish(lake, scenarios, protocols, tuple(known.names), folders, roots)


@public
def store(con: duckdb.DuckDBPyConnection) -> None:
    """Build the per-instance relations of an open lake now, unless they are there.

    Every score is a sum over them, and some views read them several times. With these
    three built, answers come about ten times sooner. They do not follow a changed
    ``protocol``. Views of your own that say ``stored: yes`` are built as well, and what
    was read already and has been removed since.

    con: from ``connect``.

    Raises:
        AslibError: when a view of your own cannot be built.

    >>> con = ae.connect("lake", stored=False)
    >>> ae.store(con)
    """
    opened = _OPENED.get(con)
    if opened is not None:
        theirs = opened.known.theirs & opened.known.names.keys()
        prepare(con, {*AT_START, *theirs, *opened.read})


def prepare(con: duckdb.DuckDBPyConnection, relations: Iterable[str]) -> None:
    """Build what some relations of an open lake are answered from, and read it.

    What is there is not built again, unless somebody has removed it. Relations of which
    nothing is built stay as they are, and so does a database that is no open lake.
    Where results cannot be written into the lake, they go to the user's cache folder;
    where they cannot be written at all, views stay as they are. A NotKept warning says
    so.
    """
    opened = _OPENED.get(con)
    if opened is None:
        return
    needed = opened.known.needed(relations)
    for name in needed:
        if not all(map(os.path.isfile, opened.read.get(name, ()))):
            del opened.read[name]
    if needed := [r for r in needed if r not in opened.read and _is_view(con, r)]:
        _read(con, opened, _built(opened, needed))


def _built(
    opened: _Opened, relations: Sequence[str]
) -> dict[str, dict[str, list[Path]]]:
    """Build relations in the first folder that can be written."""
    left = len(opened.wish.roots) if opened.kept else 0
    while left:
        wish = replace(opened.wish, relations=relations)
        try:
            return build(wish, beside=AT_START, shown=opened.shown)
        except UnwritableError as error:
            left -= 1
            first, *others = wish.roots
            opened.wish = replace(opened.wish, roots=(*others, first))
            instead = f"{others[0]} is used" if left and others else "nothing is kept"
            said = f"{first}: {error.message}; {instead}. {error.hint}"
            warnings.warn(said, NotKept, stacklevel=4)
    opened.kept = False
    wish = replace(opened.wish, relations=relations)
    return built(wish, opened.known)


def wish_for(
    con: duckdb.DuckDBPyConnection, relations: Collection[str]
) -> tuple[Wish, Lineage] | None:
    """What some relations of an open lake are built for, and what names the results.

    None for a database that is no open lake, and if one of the relations is not built
    a scenario and protocol, or is a table that somebody has made of it.
    """
    opened = _OPENED.get(con)
    if opened is None or not opened.known.names.keys() >= set(relations):
        return None
    if not all(_is_view(con, relation) for relation in relations):
        return None
    wish = replace(opened.wish, relations=tuple(sorted(relations)))
    return wish, opened.known


def _is_view(con: duckdb.DuckDBPyConnection, name: str) -> bool:
    """Whether a relation is still a view, and no table that somebody made of it."""
    sql = "select 1 from duckdb_views() where view_name = $1"
    return bool(con.execute(sql, [name]).fetchall())


def _read(
    con: duckdb.DuckDBPyConnection,
    opened: _Opened,
    files: Mapping[str, Mapping[str, Sequence[Path]]],
) -> None:
    """Let views be their built results, where these are complete."""
    n = len(opened.wish.scenarios)
    for name, view in opened.known.views.items():
        parts = {p: found.get(name, ()) for p, found in files.items()}
        if name in opened.read or not parts or any(len(f) < n for f in parts.values()):
            continue  # not asked for, or not all of it is there
        if not _is_view(con, name):
            continue
        select = " union all ".join(
            results_select(paths, opened.known, name, protocol=protocol)
            for protocol, paths in parts.items()
        )
        con.execute(f"create or replace view {name} as {select}")
        con.execute(";".join(view.comments()))
        opened.read[name] = [path for found in parts.values() for path in found]


def ask(
    con: duckdb.DuckDBPyConnection,
    name: str,
    parameters: Mapping[str, object] | None = None,
) -> duckdb.DuckDBPyRelation:
    """The result of ``sql/frame/NAME.sql`` on an open lake; builds what it needs.

    parameters: a value for each that its header names.
    """
    file = frame_file(name)
    prepare(con, reads(file.sql))
    return con.sql(file.sql, params=dict(parameters or {}))


def manifests(
    lake: str | PathLike[str], scenarios: Sequence[str] = ()
) -> dict[str, versions.Manifest]:
    """The manifest of each scenario that ``open_lake`` would open now, by id."""
    held = leases(Path(lake), scenarios)
    try:
        return {v.scenario_id: v.manifest() for v in held.versions}
    finally:
        held.release()


def scenario_ids(con: duckdb.DuckDBPyConnection) -> list[str]:
    """The scenarios of an open lake, by name."""
    found = con.sql("select distinct scenario_id from raw_scenario order by all")
    return [scenario for (scenario,) in found.fetchall()]


def scratch_of(con: duckdb.DuckDBPyConnection) -> str:
    """The folder of the connection's temporary files."""
    ((folder,),) = con.execute("select current_setting('temp_directory')").fetchall()
    return str(folder)


def leases(lake: Path, scenarios: Sequence[str]) -> versions.Lease:
    """Lease every scenario that is asked for and undamaged."""
    require_unicode(lake)
    with os_errors(lake, "Name another --lake."):
        ids = versions.scenario_ids(lake) if lake.is_dir() else []
    found: list[versions.Version] = []
    damaged: list[AslibError] = []
    with ExitStack() as stack:
        held = stack.enter_context(versions.lease(lake))
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


def _nothing(
    lake: Path, ids: list[str], scenarios: Sequence[str], damaged: list[AslibError]
) -> AslibError:
    """Why a lake cannot be opened."""
    if damaged:
        return _first_error(damaged)
    if ids and scenarios:
        what = f"no scenario matches {' or '.join(scenarios)}"
        return AslibError(what, str(lake), nearest(scenarios, ids) or _holds(ids))
    hint = "Fill it with 'aslib-eval import PATH', or name another --lake."
    return AslibError("there is no lake with a scenario", str(lake), hint)


def _holds(ids: Sequence[str]) -> str:
    return f"It holds {list_names(ids, most=40, quoted=False)}."


def _first_error(damaged: Sequence[AslibError]) -> AslibError:
    """The first error, and how many more scenarios have one."""
    first, more = damaged[0], len(damaged) - 1
    if not more:
        return first
    what = f"{first.message} (and {plural(more, 'more scenario')})"
    return AslibError(what, first.where, first.hint)


def _asked(
    held: versions.Lease, scenario_id: str, scenarios: Sequence[str]
) -> list[versions.Version]:
    """The current version of a scenario, if there is one and it is asked for."""
    by_id = not scenarios or _matches([scenario_id], scenarios)
    try:
        version = held.version(scenario_id)
        if version is None:
            return []
        if not by_id and not _matches(
            [version.manifest().get("folder", "")], scenarios
        ):
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


def _create_raw(
    con: duckdb.DuckDBPyConnection, scenarios: Sequence[ScenarioVersion]
) -> None:
    """Let the views ``raw_*`` read the files of the scenarios."""
    for relation in RELATIONS.values():
        select = raw_select(relation, raw_files(scenarios, relation.name))
        try:
            con.execute(f"create or replace view raw_{relation.name} as {select}")
        except duckdb.Error as error:
            hint = "The lake is damaged: import the scenario again."
            raise AslibError(reason(error), "lake", hint) from None


def describe_raw(con: duckdb.DuckDBPyConnection) -> None:
    """Comment on the views ``raw_*`` and their columns."""
    for relation in RELATIONS.values():
        meanings = {"scenario_id": "scenario, as text", **relation.meanings()}
        about = f"One row per {relation.row}."
        con.execute(";".join(comments(f"raw_{relation.name}", about, meanings)))
