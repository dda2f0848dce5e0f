"""Build results: run the SELECTs of sql/ on scenarios and keep what they give.

What is built is local to one scenario and protocol. Small scenarios are computed together, and under
several protocols at once, as DuckDB plans a SELECT no faster for few rows; their results are kept apart.
"""

from __future__ import annotations

import heapq
import os
import time
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from io import BytesIO
from itertools import chain, repeat, zip_longest
from pathlib import Path
from types import MappingProxyType

import duckdb

from aslib_eval.database.connections import SHARE, frame_of, machine_memory, reason, sql_error
from aslib_eval.database.lineage import Lineage, lineage, raw_select
from aslib_eval.database.protocol import PRESETS, Protocol
from aslib_eval.database.sqlfiles import all_quoted, quoted
from aslib_eval.database.views import (
    confine,
    create_theirs,
    fill_metric,
    fill_protocol,
    metric_table,
    new_connection,
    protocol_select,
    protocol_table,
    require_reading,
)
from aslib_eval.errors import AslibError
from aslib_eval.lake import results
from aslib_eval.lake.schema import PART, RELATIONS
from aslib_eval.progress import progress_bar

# Rows that are computed together: of scenarios at least, and of a few scenarios under several protocols at
# most.
_BATCH, _MOST = 400_000, 600_000
# How many rows of runs take as long as one of these: the steps of selectors are executed and explained one
# by one, what features cost is only added up.
_AS_RUNS = {"selection": 2.0, "outcome": 2.0}
_AS_RUNS |= dict.fromkeys(("feature", "feature_cost", "feature_status", "fold"), 0.2)
# A scenario that has none of these has no selectors.
_OF_SELECTORS = {n for n, r in RELATIONS.items() if "selector" in r.meanings()}
_LATEST = 60.0  # seconds until a network file system shows what others wrote
_NAME = "-"  # of a protocol while results of our views are computed, with a number
# Ids that most joins are by: as numbers below their text, these are several times faster. A text and a
# number are ordered alike, as the type is made in that order.
_IDS = ("scenario_id", "instance_id")
_RUNNING: set[duckdb.DuckDBPyConnection] = set()


@dataclass(frozen=True)
class ScenarioVersion:
    """A version of a scenario to build results of.

    path: its folder. data: what it holds, as ``results.data_of`` says it. relations: those that it has.
    rows: how many rows of runs take as long to compute.
    """

    scenario_id: str
    path: Path
    data: str
    relations: frozenset[str]
    rows: int


@dataclass(frozen=True)
class Together:
    """Relations to build under some protocols at once.

    there: those to read instead of building them. Names are those of ``Lineage.names``.
    """

    protocols: tuple[Protocol, ...]
    relations: tuple[str, ...]
    there: tuple[str, ...]


@dataclass(frozen=True)
class Part:
    """What one worker builds: relations of a few scenarios under some protocols.

    wanted: what is built one after another. roots: where results lie, the first is written to. memory: of
    DuckDB, in bytes. theirs: whether it is of views of the user's, which see what they see in a query: one
    protocol with its own name, and ids as texts.
    """

    scenarios: tuple[ScenarioVersion, ...]
    wanted: tuple[Together, ...]
    roots: tuple[Path, ...]
    lake: Path
    sql_dirs: tuple[Path, ...] = ()
    memory: int | None = None
    theirs: bool = False

    @property
    def n_protocols(self) -> int:
        """Under how many protocols it builds something."""
        return sum(len(each.protocols) for each in self.wanted)

    def called(self, together: Together) -> dict[str, Protocol]:
        """The protocols by the names that they have while results are computed."""
        numbered = enumerate(together.protocols)
        return {p.protocol if self.theirs else f"{_NAME}{n}": p for n, p in numbered}


@dataclass(frozen=True)
class Wish:
    """What is to be there: relations of scenarios under protocols."""

    lake: Path
    scenarios: Sequence[ScenarioVersion]
    protocols: Sequence[Protocol]
    relations: Sequence[str]
    sql_dirs: tuple[Path, ...] = ()
    roots: tuple[Path, ...] = field(default=())

    def files(self, scenario: ScenarioVersion, protocol: Protocol, known: Lineage) -> dict[str, Path]:
        """Those of the built relations that are there, by relation."""
        left = {known.named(name, protocol): name for name in self.relations}
        found: dict[str, Path] = {}
        for root in self.roots:
            if left:
                folder = results.unit_folder(root, scenario.scenario_id, scenario.data, protocol.hash)
                whole = results.whole_files(folder, left)
                found |= {left.pop(name): path for name, path in whole.items()}
        return found


def build(
    wish: Wish,
    *,
    also: Sequence[Wish] = (),
    beside: Mapping[str, str] = MappingProxyType({}),
    executor: Executor | None = None,
    jobs: int | None = None,
    memory: int | None = None,
    shown: bool = False,
) -> dict[str, dict[str, list[Path]]]:
    """Build what is missing; gives the files by protocol's name and relation.

    also: what is to be there besides, of the same lake; it is built at the same time. beside: relations to
    keep as well where they are computed on the way, each with another that must be there already, or with
    nothing. executor: where the parts are computed; ``jobs`` threads of this process if None, which do
    their work in DuckDB and so at the same time. memory: bytes that DuckDB can have for each part; its
    share of this machine's if None. shown: draw a bar if it takes long.

    Raises:
        AslibError: when a view of the user's is wrong.
        UnwritableError: when results cannot be written.
    """
    known = lineage(wish.sql_dirs)
    wishes = wish, *also
    there = [_found(each, known) for each in wishes]
    if levels := _levels(wishes, there, known):
        n = jobs or os.cpu_count() or 1
        room = memory or int(SHARE * machine_memory() / n)
        # Another process may be in another folder.
        whole = tuple(folder.absolute() for folder in wish.sql_dirs)
        folders = whole if executor else wish.sql_dirs
        all_missing = (missing for level in levels for _, missing in level)
        total = sum(bool(each) for missing in all_missing for each in missing.values())
        within = 0.0 if executor is None else _LATEST
        with _writing(wish.roots[0]), progress_bar("building results", total, shown=shown) as advance:
            for level in levels:
                parts = [
                    replace(part, memory=room, sql_dirs=folders)
                    for stage, missing in level
                    for part in _parts(stage, known, missing, beside=beside, jobs=n)
                ]
                parts.sort(key=lambda part: -_rows(part.scenarios) * part.n_protocols)
                for part in _computed(parts, executor, n):
                    advance(len(part.scenarios) * part.n_protocols)
                for stage, _ in level:
                    _require_all(stage, _seen(stage, known, within=within))
        there = [_seen(each, known, within=within) for each in wishes]
        for each, files in zip(wishes, there, strict=True):
            _require_all(each, files)
        trim(wish)
    return _by_protocol(wish, there[0])


class UnwritableError(AslibError):
    """Results cannot be written where they should be."""


@contextmanager
def _writing(root: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        hint = "Free some space, or remove it: nothing is lost."
        what = f"cannot be written ({error.strerror or error})"
        raise UnwritableError(what, str(root), hint) from None


_Unit = tuple[ScenarioVersion, str]  # and the name of a protocol
_Missing = Mapping[_Unit, tuple[str, ...]]
_Files = Mapping[_Unit, Mapping[str, Path]]


def _levels(
    wishes: Sequence[Wish], there: Sequence[_Files], known: Lineage
) -> list[list[tuple[Wish, _Missing]]]:
    """What is built after each other: the stages of all wishes, and what they lack."""
    levels = zip_longest(*map(_lacking, wishes, there, repeat(known)))
    return [[each for each in level if each] for level in levels]


def _lacking(wish: Wish, there: _Files, known: Lineage) -> Iterator[tuple[Wish, _Missing]]:
    """The stages of a wish of which something is missing, and what that is."""
    lacking = dict.fromkeys(chain.from_iterable(_missing(wish, there).values()))
    if lacking:
        for stage in _stages(replace(wish, relations=tuple(lacking)), known):
            missing = _missing(stage, _found(stage, known))
            if any(missing.values()):
                yield stage, missing


def _stages(wish: Wish, known: Lineage) -> list[Wish]:
    """What is built after each other: our relations, then each view of the user's.

    A view of the user's is computed of the files of what it reads, whatever was there before: then its rows
    come in one order, and its sums have one last digit.
    """
    steps = known.steps(wish.relations, there=())
    theirs = [name for name in steps if name in known.theirs & known.names.keys()]
    below = [name for each in theirs for name in known.needed(known.reads[each])]
    ours = {*wish.relations, *below} - {*theirs}
    stages = [[name for name in steps if name in ours], *([name] for name in theirs)]
    return [replace(wish, relations=tuple(stage)) for stage in stages if stage]


def _missing(wish: Wish, there: _Files) -> dict[_Unit, tuple[str, ...]]:
    return {unit: tuple(r for r in wish.relations if r not in files) for unit, files in there.items()}


def _seen(wish: Wish, known: Lineage, *, within: float) -> _Files:
    """What is there, once all of it is: a network file system may show it late."""
    end = time.monotonic() + within
    while True:
        there = _found(wish, known)
        whole = all(len(files) == len(wish.relations) for files in there.values())
        if whole or time.monotonic() >= end:
            return there
        time.sleep(1)


def _require_all(wish: Wish, there: _Files) -> None:
    for (scenario, protocol), files in there.items():
        if len(files) < len(wish.relations):
            what = f"results under {protocol} are not there after they were built"
            hint = "Workers must see the same lake and have this version of aslib-eval."
            raise AslibError(what, scenario.scenario_id, hint)


def trim(wish: Wish) -> None:
    """Remove old answers, and results of protocols that are no presets, if many."""
    root, *_ = wish.roots
    inside = root == wish.lake / results.RESULTS
    kept = [preset.hash for preset in PRESETS.values()] if inside else []
    results.trim(root, kept=kept, most=results.limit())


def built(wish: Wish, known: Lineage) -> dict[str, dict[str, list[Path]]]:
    """The files that are there, by protocol's name and relation."""
    return _by_protocol(wish, _found(wish, known))


def _by_protocol(wish: Wish, there: _Files) -> dict[str, dict[str, list[Path]]]:
    found: dict[str, dict[str, list[Path]]] = {}
    for (_, name), files in there.items():
        by_relation = found.setdefault(name, {r: [] for r in wish.relations})
        for relation in wish.relations:
            by_relation[relation] += [files[relation]] if relation in files else []
    return found


def _found(wish: Wish, known: Lineage) -> _Files:
    """The files of each scenario and protocol (by name)."""
    return {
        (scenario, protocol.protocol): wish.files(scenario, protocol, known)
        for protocol in wish.protocols
        for scenario in wish.scenarios
    }


def _parts(
    wish: Wish, known: Lineage, missing: _Missing, *, beside: Mapping[str, str], jobs: int
) -> list[Part]:
    """The missing results as parts of about equal size.

    Scenarios are computed together if the same is missing of them; a view of the user's is computed for
    each by itself.
    """
    protocols = {p.protocol: p for p in wish.protocols}
    theirs = not known.theirs.isdisjoint(wish.relations)
    below = {
        relations: _below(known, relations, theirs=theirs)
        for relations in set(missing.values())
        if relations
    }

    def batches(scenarios: Sequence[ScenarioVersion]) -> int:
        return len(scenarios) if theirs else max(jobs, _rows(scenarios) // _BATCH)

    alike = defaultdict(list)
    for scenario in wish.scenarios:
        wanted = []
        for name, protocol in protocols.items():
            relations = missing[scenario, name]
            if relations:
                on_the_way = replace(wish, relations=below[relations])
                there = on_the_way.files(scenario, protocol, known)
                steps = known.steps(relations, there=there)
                new = (s for s in steps if s in beside and s not in there)
                kept = [s for s in new if beside[s] in ("", *there)]
                asked = tuple(dict.fromkeys((*kept, *relations)))
                wanted.append((protocol, asked, tuple(sorted(there))))
        if wanted:
            alike[tuple(wanted)].append(scenario)
    parts = []
    for each, scenarios in alike.items():
        batched = list(in_batches(scenarios, batches(scenarios)))
        shares = max(1, jobs // len(batched))  # of the protocols of few scenarios
        for batch in batched:
            most = 1 if theirs else max(1, _MOST // max(1, _rows(batch)))
            together = tuple(_together(each, most))
            of = wish.roots, wish.lake, wish.sql_dirs
            for at in range(min(shares, len(together))):
                share = together[at::shares]
                parts.append(Part(tuple(batch), share, *of, theirs=theirs))
    return parts


def _together(
    wanted: Sequence[tuple[Protocol, tuple[str, ...], tuple[str, ...]]], most: int
) -> Iterator[Together]:
    """Protocols under which the same is built and read, at most so many at once."""
    alike = defaultdict(list)
    for protocol, relations, there in wanted:
        alike[relations, there].append(protocol)
    for (relations, there), protocols in alike.items():
        for at in range(0, len(protocols), most):
            yield Together(tuple(protocols[at : at + most]), relations, there)


def _below(known: Lineage, relations: Sequence[str], *, theirs: bool) -> tuple[str, ...]:
    """The built relations that a build reads on its way if they are there.

    A view of the user's reads the nearest, which are there then.
    """
    if theirs:
        read = {below for name in relations for below in known.reads[name]}
        return tuple(known.needed(read))
    steps = known.steps(relations, there=())
    return tuple(n for n in steps if n in known.names and n not in relations)


def as_runs(rows: Mapping[str, int]) -> int:
    """How many rows of runs take as long to compute as the rows of some relations."""
    return round(sum(n * _AS_RUNS.get(name, 1.0) for name, n in rows.items()))


def _rows(scenarios: Sequence[ScenarioVersion]) -> int:
    return sum(scenario.rows for scenario in scenarios)


def in_batches(scenarios: Sequence[ScenarioVersion], n: int) -> Iterator[list[ScenarioVersion]]:
    """Scenarios in at most n batches of about equal rows, each by name."""
    batches: list[list[ScenarioVersion]] = [[] for _ in range(n)]
    sizes = [(0, at) for at in range(n)]
    for scenario in sorted(scenarios, key=lambda s: (-s.rows, s.scenario_id)):
        size, at = heapq.heappop(sizes)
        batches[at].append(scenario)
        heapq.heappush(sizes, (size + scenario.rows, at))
    for batch in batches:
        if batch:
            yield sorted(batch, key=lambda s: s.scenario_id)


def _computed(parts: Sequence[Part], executor: Executor | None, jobs: int) -> Iterator[Part]:
    """Each part once it is built, in whatever order they end."""
    if executor is None and len(parts) == 1:
        build_part(parts[0])
        yield parts[0]
        return
    from aslib_eval.executors import computed  # which warm questions do not need

    with nullcontext(executor) if executor else ThreadPoolExecutor(jobs) as pool:
        try:
            for part, _ in computed(pool, build_part, parts):
                yield part
        except BaseException:
            for con in list(_RUNNING):
                con.interrupt()
            raise


def build_part(part: Part) -> None:
    """Build one part, in a database of its own.

    Where scenarios cannot be computed together, each is computed alone, and the error is that of the first
    one that fails.
    """
    try:
        _compute(part)
    except duckdb.InterruptException:
        raise
    except duckdb.Error as error:
        if len(part.scenarios) == 1:
            hint = "Run 'aslib-eval check --lake' on the lake, or import it again."
            where = part.scenarios[0].scenario_id
            raise AslibError(f"cannot be computed: {reason(error)}", where, hint) from None
        for scenario in part.scenarios:
            build_part(replace(part, scenarios=(scenario,)))


def _compute(part: Part) -> None:
    known = lineage(part.sql_dirs)
    if not (part.theirs or any(s.relations & _OF_SELECTORS for s in part.scenarios)):
        # What has a selector in its key has no rows then, and nothing is computed.
        files = (
            replace(f, sql=f"from ({f.sql}) where false") if "selector" in f.key else f for f in known.files
        )
        known = replace(known, files=tuple(files))
    con = new_connection(part.memory)
    _RUNNING.add(con)
    try:
        con.execute(protocol_table())
        con.execute(metric_table())
        fill_metric(con, part.sql_dirs)
        macros = lineage().macros  # any of which a user's may call
        if not part.sql_dirs:
            wanted = {name for each in part.wanted for name in each.relations}
            steps = known.steps(wanted, there=())
            macros = known.macros_in(known.views[step].sql for step in steps)
        con.execute(";".join(macro.statement for macro in macros))
        if part.sql_dirs:
            confine(con, part.lake, folders=part.roots)
            create_theirs(con, Lineage(tuple(known.macros), {}, {}))
        left = _load(con, part, known)
        for together in part.wanted:
            called = part.called(together).items()
            named = [replace(p, protocol=name) for name, p in called]
            con.execute("delete from protocol")
            fill_protocol(con, named)
            alone = {"protocol": protocol_select(named)} if len(named) == 1 else {}
            inside = left if part.theirs else {**left, **alone}
            _compute_together(con, part, known, together, inside)
    finally:
        _RUNNING.discard(con)
        con.close()


def _load(con: duckdb.DuckDBPyConnection, part: Part, known: Lineage) -> dict[str, str]:
    """Read the raw relations that are needed, with ids as enums for our views.

    What a single SELECT reads is left to it: gives the SELECTs of those relations.
    """
    readers = Counter(
        name
        for each in part.wanted
        for step in known.steps(each.relations, there=each.there)
        if step not in each.there
        for name in known.reads[step]
    )
    raw = {f"raw_{r.name}": r for r in RELATIONS.values() if f"raw_{r.name}" in readers}
    selects = {
        name: raw_select(relation, raw_files(part.scenarios, relation.name))
        for name, relation in raw.items()
    }
    once = {name for name in raw if readers[name] == 1 and not part.theirs}
    if not part.theirs:
        named = [selects[n] for n, r in raw.items() if "instance_id" in r.sql_types()]
        _create_enums(con, part, known, named)
        selects = {
            name: _with_enums(select, ("scenario_id", *raw[name].sql_types()))
            for name, select in selects.items()
        }
    for name, select in selects.items():
        if name not in once:
            con.execute(f"create table {name} as {select}")
    return {name: selects[name] for name in once}


def _create_enums(con: duckdb.DuckDBPyConnection, part: Part, known: Lineage, named: Sequence[str]) -> None:
    """Create the types of the ids of scenarios and of instances.

    They are called like their columns, with an s. named: SELECTs of relations that name instances, besides
    those that are read instead of being built.
    """
    ids = all_quoted(s.scenario_id for s in part.scenarios)
    con.execute(f"create type scenario_ids as enum ({ids})")
    selects = [*named]
    for each in part.wanted:
        names = [n for n in each.there if "instance_id" in known.views[n].columns]
        selects += (_files_select(part, known, each, name) for name in names)
    if selects:
        parts = (f"select distinct instance_id from ({each})" for each in selects)  # noqa: S608
        found = f"from ({' union '.join(parts)}) order by all"
        con.execute(f"create type instance_ids as enum (select instance_id {found})")


def _with_enums(select: str, columns: Collection[str]) -> str:
    """A SELECT of those columns with its ids as enums."""
    casts = ", ".join(f"{name}::{name}s as {name}" for name in _IDS if name in columns)
    return f"select * replace ({casts}) from ({select})"  # noqa: S608


def _compute_together(
    con: duckdb.DuckDBPyConnection, part: Part, known: Lineage, together: Together, left: Mapping[str, str]
) -> None:
    """Compute the relations under some protocols and write their files.

    left: the SELECTs of relations that are no tables: raw ones, and a protocol that is the only one as
    constants, so that DuckDB does not plan what it does not ask for. A relation that is not kept and that a
    single other one reads becomes a part of its SELECT: its rows are not put into a table, and what is not
    needed of them is not computed. What no later relation reads any more is dropped.
    """
    relations, there = together.relations, together.there
    steps = known.steps(relations, there=there)
    computed = [step for step in steps if step not in there]
    readers = Counter(name for step in computed for name in known.reads[step])
    inside = dict(left)
    if not part.theirs:
        inside |= {
            name: known.views[name].sql for name in computed if readers[name] == 1 and name not in relations
        }
    used: dict[str, list[str]] = {}  # by each step, lower ones first
    for step in steps:
        read = () if step in there else sorted(known.reads[step])
        below = (n for name in read if name in inside for n in used.get(name, ()))
        used[step] = [*below, *read]
    tables = [step for step in steps if step not in inside]
    last = {name: at for at, step in enumerate(tables) for name in (step, *used[step])}
    for at, name in enumerate(tables):
        if name in there:
            select = _files_select(part, known, together, name)
            if not part.theirs:
                select = _with_enums(select, known.views[name].columns)
            con.execute(f"create table {name} as {select}")
        else:
            parts = {each: inside[each] for each in used[name] if each in inside}
            _create(con, known, name, parts)
        if name in relations:
            for called in part.called(together).items():
                _write(con, part, known, called, name)
        for done in [table for table in tables if last[table] == at]:
            con.execute(f"drop table {done}")


def _files_select(part: Part, known: Lineage, together: Together, name: str) -> str:
    """The SELECT of a relation from the files of all scenarios, under each protocol."""
    wish = Wish(part.lake, part.scenarios, (), (name,), roots=part.roots)
    selects = []
    for called, protocol in part.called(together).items():
        files = [wish.files(s, protocol, known)[name] for s in part.scenarios]
        selects.append(results_select(files, known, name, protocol=called))
    return " union all ".join(selects)


def _create(con: duckdb.DuckDBPyConnection, known: Lineage, name: str, parts: Mapping[str, str]) -> None:
    """Compute a relation; parts: SELECTs of others that it reads, lower ones first."""
    view = known.views[name]
    select = view.sql
    if parts:
        named = (f"{part} as ({sql})" for part, sql in parts.items())
        select = f"with {', '.join(named)} from ({view.sql})"
    try:
        if name not in lineage().views:
            require_reading(con, view.sql, where=str(view.path))
        con.execute(f"create table {name} as {select}")
    except duckdb.Error as error:
        if name in lineage().views:
            raise
        raise sql_error(con, error, view) from None


def _write(
    con: duckdb.DuckDBPyConnection, part: Part, known: Lineage, called: tuple[str, Protocol], name: str
) -> None:
    """Write a file for each scenario, with rows in the order of the relation's key.

    called: the protocol, and before it its name in the relation. polars writes them: DuckDB would plan a
    statement for each, and Arrow's library is slow to load.
    """
    number, protocol = called
    relation = con.table(name)
    types = dict(zip(relation.columns, relation.types, strict=True))
    del types["protocol"]
    columns = ", ".join(f"{c}::varchar as {c}" if kind.id == "enum" else c for c, kind in types.items())
    key = [c for c in known.views[name].key if c not in ("protocol", "scenario_id")]
    order = ", ".join(f"{name}.{c}" for c in ("scenario_id", *key))  # no texts of enums
    of_protocol = f"from {name} where protocol = {quoted(number)}"
    found = frame_of(con.sql(f"select {columns} {of_protocol} order by {order}"))
    rows = dict(found["scenario_id"].value_counts().iter_rows())
    start = 0
    for scenario in part.scenarios:
        size = rows.get(scenario.scenario_id, 0)
        folder = results.unit_folder(part.roots[0], scenario.scenario_id, scenario.data, protocol.hash)
        found.slice(start, size).write_parquet(file := BytesIO(), compression="snappy")
        results.keep(folder, known.named(name, protocol), file.getvalue())
        start += size


def raw_files(scenarios: Sequence[ScenarioVersion], relation: str) -> list[str]:
    """The files of a raw relation, in the order of the scenarios that have it."""
    have = (s.path for s in scenarios if relation in s.relations)
    return [f"{path}/{relation}/{PART}" for path in have]


def results_select(files: Collection[Path], known: Lineage, name: str, *, protocol: str) -> str:
    """The SELECT of a built relation from its files, with the protocol's name."""
    paths = all_quoted(map(str, files))
    columns = (c for c in known.views[name].columns if c != "protocol")
    return (
        f"select {quoted(protocol)} as protocol, {', '.join(columns)}"  # noqa: S608
        f" from read_parquet([{paths}], hive_partitioning = false)"
    )
