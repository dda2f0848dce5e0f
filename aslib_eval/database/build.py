"""Build results: run the SELECTs of sql/ on scenarios and keep what they give.

What is built is local to one scenario and protocol. Small scenarios are computed together, and under
several protocols at once, as DuckDB plans a SELECT no faster for few rows; their results are kept apart.
Answers, which Python computes of built results, are kept beside them.
"""

from __future__ import annotations

import heapq
import os
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from io import BytesIO
from itertools import zip_longest
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import duckdb

from aslib_eval.database.protocol import PRESETS, Protocol
from aslib_eval.database.sqlfiles import all_quoted, quoted
from aslib_eval.database.views import (
    SHARE,
    Lineage,
    confine,
    create_theirs,
    fill_metric,
    frame_of,
    lineage,
    machine_memory,
    metric_table,
    new_connection,
    protocol_select,
    raw_select,
    reason,
    require_reading,
    sql_error,
)
from aslib_eval.errors import AslibError
from aslib_eval.lake import versions
from aslib_eval.lake.schema import PART, RELATIONS
from aslib_eval.progress import progress_bar

if TYPE_CHECKING:
    import polars as pl

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
# Ids that most joins are by: as numbers below their text, these are several times faster. A text and a
# number are ordered alike, as the type is made in that order.
_IDS = ("scenario_id", "instance_id")
_RUNNING: set[duckdb.DuckDBPyConnection] = set()


@dataclass(frozen=True)
class ScenarioVersion:
    """A version of a scenario to build results of.

    path: its folder. data: what it holds, as ``versions.data_of`` says it. relations: those that it has.
    rows: how many rows of runs take as long to compute.
    """

    scenario_id: str
    path: Path
    data: str
    relations: frozenset[str]
    rows: int


@dataclass(frozen=True)
class Wish:
    """What is to be there: relations of scenarios under protocols.

    roots: where results lie; they are written to the first.
    """

    lake: Path
    scenarios: Sequence[ScenarioVersion]
    protocols: Sequence[Protocol]
    relations: Sequence[str]
    sql_dirs: tuple[Path, ...] = ()
    roots: tuple[Path, ...] = ()

    def files(self, scenario: ScenarioVersion, protocol: Protocol, known: Lineage) -> dict[str, Path]:
        """Those of the built relations that are there, by relation."""
        left = {known.named(name, protocol): name for name in self.relations}
        found: dict[str, Path] = {}
        for root in self.roots:
            if left:
                folder = versions.unit_folder(root, scenario.scenario_id, scenario.data, protocol.hash)
                found |= {left.pop(name): path for name, path in versions.whole_files(folder, left).items()}
        return found

    def missing(self, known: Lineage) -> Iterator[tuple[ScenarioVersion, Protocol, list[str]]]:
        """Each scenario and protocol of which relations are not built yet, and these."""
        for scenario in self.scenarios:
            for protocol in self.protocols:
                there = self.files(scenario, protocol, known)
                if names := [name for name in self.relations if name not in there]:
                    yield scenario, protocol, names


@dataclass(frozen=True)
class Part:
    """What one worker builds: a wish of which nothing is there.

    there: relations that are read instead of being computed. memory: of DuckDB, in bytes.
    """

    wish: Wish
    there: tuple[str, ...]
    memory: int | None = None


class UnwritableError(AslibError):
    """Results cannot be written where they should be."""


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
        UnwritableError: when results cannot be written.
    """
    known = lineage(wish.sql_dirs)
    stages = [_stages(each, known) for each in (wish, *also)]
    if any(stages):
        n = jobs or os.cpu_count() or 1
        room = memory or int(SHARE * machine_memory() / n)
        total = sum(len([*stage.missing(known)]) for each in stages for stage in each)
        try:
            with progress_bar("building results", total, shown=shown) as advance:
                for level in zip_longest(*stages):
                    at_once = [stage for stage in level if stage]
                    parts = [part for stage in at_once for part in _parts(stage, known, beside, n)]
                    parts.sort(key=lambda part: -_rows(part.wish.scenarios) * len(part.wish.protocols))
                    for part in _computed([replace(part, memory=room) for part in parts], executor, n):
                        advance(len(part.wish.scenarios) * len(part.wish.protocols))
                    for stage in at_once:
                        _require_all(stage, known, within=_LATEST if executor else 0.0)
        except OSError as error:
            hint = "Free some space, or remove it: nothing is lost."
            what = f"cannot be written ({error.strerror or error})"
            raise UnwritableError(what, str(wish.roots[0]), hint) from None
        trim(wish)
    return built(wish, known)


def _stages(wish: Wish, known: Lineage) -> list[Wish]:
    """What is built one after another: our relations, then each view of the user's.

    A view of the user's is computed of the files of what it reads, whatever was there before: then its rows
    come in one order, and its sums have one last digit.
    """
    lacking = {name for *_, names in wish.missing(known) for name in names}
    theirs = [n for n in known.steps(lacking, there=()) if n in known.theirs & known.names.keys()]
    lacking.update(*(known.needed(known.reads[name]) for name in theirs))
    ours = [name for name in known.views if name in lacking and name not in theirs]
    return [replace(wish, relations=tuple(names)) for names in (ours, *([n] for n in theirs)) if names]


def _require_all(wish: Wish, known: Lineage, *, within: float) -> None:
    """Raise unless all of it is there soon: a network file system may show it late."""
    end = time.monotonic() + within
    while unit := next(wish.missing(known), None):
        if time.monotonic() >= end:
            scenario, protocol, _ = unit
            what = f"results under {protocol.protocol} are not there after they were built"
            hint = "Workers must see the same lake and have this version of aslib-eval."
            raise AslibError(what, scenario.scenario_id, hint)
        time.sleep(1)


def trim(wish: Wish) -> None:
    """Remove old answers, and results of protocols that are no presets, if many."""
    root, *_ = wish.roots
    inside = root == wish.lake / versions.RESULTS
    kept = [preset.hash for preset in PRESETS.values()] if inside else []
    versions.trim_results(root, kept=kept, most=versions.results_limit())


def built(wish: Wish, known: Lineage) -> dict[str, dict[str, list[Path]]]:
    """The files that are there, by protocol's name and relation."""
    found: dict[str, dict[str, list[Path]]] = {}
    for protocol in wish.protocols:
        by_relation = found[protocol.protocol] = {relation: [] for relation in wish.relations}
        for scenario in wish.scenarios:
            for relation, file in wish.files(scenario, protocol, known).items():
                by_relation[relation].append(file)
    return found


def _parts(wish: Wish, known: Lineage, beside: Mapping[str, str], jobs: int) -> Iterator[Part]:
    """What is missing as parts of about equal size.

    Scenarios and protocols are computed together if the same is missing of them and the same is there; a
    view of the user's is computed for each by itself.
    """
    theirs = not known.theirs.isdisjoint(wish.relations)
    to_do: dict[ScenarioVersion, dict[Any, list[Protocol]]] = defaultdict(lambda: defaultdict(list))
    for scenario, protocol, missing in wish.missing(known):
        if theirs:  # it reads the nearest, which are there then
            below = known.needed({name for each in missing for name in known.reads[each]})
        else:
            below = [n for n in known.steps(missing, there=()) if n in known.names and n not in missing]
        there = replace(wish, relations=below).files(scenario, protocol, known)
        on_the_way = (n for n in known.steps(missing, there=there) if n in beside and n not in there)
        kept = [name for name in on_the_way if beside[name] in ("", *there)]
        asked = tuple(dict.fromkeys((*kept, *missing)))
        to_do[scenario][asked, tuple(sorted(there))].append(protocol)
    alike = defaultdict(list)
    for scenario, of_scenario in to_do.items():
        for (asked, there_too), same in of_scenario.items():
            alike[asked, there_too, tuple(same)].append(scenario)
    for (asked, there_too, protocols), scenarios in alike.items():
        n = len(scenarios) if theirs else max(jobs, _rows(scenarios) // _BATCH)
        for batch in in_batches(scenarios, n):
            most = 1 if theirs else max(1, _MOST // max(1, _rows(batch)))
            for at in range(0, len(protocols), most):
                some = protocols[at : at + most]
                yield Part(replace(wish, scenarios=batch, protocols=some, relations=asked), there_too)


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
    if executor is not None:  # another process may be in another folder
        whole = tuple(folder.absolute() for part in parts[:1] for folder in part.wish.sql_dirs)
        parts = [replace(part, wish=replace(part.wish, sql_dirs=whole)) for part in parts]
    elif len(parts) == 1:
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
    con = new_connection(part.memory)
    _RUNNING.add(con)
    try:
        _compute(con, part)
    except duckdb.InterruptException:
        raise
    except duckdb.Error as error:
        first, *others = part.wish.scenarios
        if not others:
            hint = "Run 'aslib-eval check --lake' on the lake, or import it again."
            raise AslibError(f"cannot be computed: {reason(error)}", first.scenario_id, hint) from None
        for scenario in part.wish.scenarios:
            build_part(replace(part, wish=replace(part.wish, scenarios=(scenario,))))
    finally:
        _RUNNING.discard(con)
        con.close()


def _compute(con: duckdb.DuckDBPyConnection, part: Part) -> None:
    """Compute the relations and write their files.

    Of our relations, one that is not kept and that a single other one reads becomes a part of its SELECT:
    its rows are not put into a table, and what is not needed of them is not computed.
    """
    wish, known = part.wish, lineage(part.wish.sql_dirs)
    # A view of the user's sees what it sees in a query: tables, and ids as texts.
    theirs = not known.theirs.isdisjoint(wish.relations)
    steps = [n for n in known.steps(wish.relations, there=part.there) if n not in part.there]
    readers = Counter(name for step in steps for name in known.reads[step])
    sql = {name: known.views[name].sql for name in steps}
    if not (theirs or any(s.relations & _OF_SELECTORS for s in wish.scenarios)):
        # What has a selector in its key has no rows then, and nothing is computed.
        empty = (name for name in steps if "selector" in known.views[name].key)
        sql |= {name: f"from ({sql[name]}) where false" for name in empty}
    inside = {}
    if not theirs:
        inside = {n: sql[n] for n in steps if readers[n] == 1 and n not in wish.relations}
        if len(wish.protocols) == 1:  # DuckDB does not plan what it does not ask for
            inside["protocol"] = protocol_select(wish.protocols)

    con.execute(f"create table protocol as {protocol_select(wish.protocols)}")
    con.execute(metric_table())
    fill_metric(con, wish.sql_dirs)
    con.execute(";".join(macro.statement for macro in lineage().macros))
    if wish.sql_dirs:
        confine(con, wish.lake, folders=wish.roots)
        create_theirs(con, Lineage(tuple(known.macros), {}, {}))
    for name, select in _from_files(con, part, known, readers, ids_as_texts=theirs).items():
        if readers[name] == 1 and not theirs:
            inside[name] = select
        else:
            con.execute(f"create table {name} as {select}")
    _create_tables(con, wish, known, sql, inside)


def _create_tables(
    con: duckdb.DuckDBPyConnection,
    wish: Wish,
    known: Lineage,
    sql: Mapping[str, str],
    inside: Mapping[str, str],
) -> None:
    """Create a table for each relation, and write its files if it is asked for.

    sql: the SELECTs of relations, lower ones first. inside: those that are parts of others. A table that
    no later one reads is dropped.
    """
    ours = lineage().views
    below: dict[str, list[str]] = {}  # what each relation is computed of, lower ones first
    for name in sql:
        read = sorted(known.reads[name])
        below[name] = [*(n for each in read if each in inside for n in below.get(each, ())), *read]
    tables = [name for name in sql if name not in inside]
    last = {each: name for name in tables for each in (name, *below[name])}
    for name in tables:
        parts = ", ".join(f"{n} as ({inside[n]})" for n in dict.fromkeys(below[name]) if n in inside)
        select = f"with {parts} from ({sql[name]})" if parts else sql[name]
        try:
            if name not in ours:
                require_reading(con, sql[name], where=str(known.views[name].path))
            con.execute(f"create table {name} as {select}")
        except duckdb.Error as error:
            if name in ours:
                raise
            raise sql_error(con, error, known.views[name]) from None
        for protocol in wish.protocols if name in wish.relations else ():
            _write(con, wish, known, protocol, name)
        for done in [table for table in tables if last[table] == name]:
            con.execute(f"drop table {done}")


def _from_files(
    con: duckdb.DuckDBPyConnection, part: Part, known: Lineage, read: Collection[str], *, ids_as_texts: bool
) -> dict[str, str]:
    """The SELECTs of the relations that are read from files.

    Creates the types of the ids of scenarios and instances unless these stay texts; they are called like
    their columns, with an s.
    """
    wish = part.wish
    selects, columns = {}, {}
    for relation in RELATIONS.values():
        if (name := f"raw_{relation.name}") in read:
            selects[name] = raw_select(relation, raw_files(wish.scenarios, relation.name))
            columns[name] = ["scenario_id", *relation.sql_types()]
    for name in part.there:
        of = replace(wish, relations=(name,))
        files = {p.protocol: [of.files(s, p, known)[name] for s in of.scenarios] for p in of.protocols}
        selects[name], columns[name] = results_select(files, known, name), [*known.views[name].columns]
    if ids_as_texts:
        return selects
    scenarios = all_quoted(scenario.scenario_id for scenario in wish.scenarios)
    con.execute(f"create type scenario_ids as enum ({scenarios})")
    of_instances = [select for name, select in selects.items() if "instance_id" in columns[name]]
    if of_instances:
        all_of_them = " union ".join(f"select distinct instance_id from ({s})" for s in of_instances)  # noqa: S608
        found = f"select instance_id from ({all_of_them}) order by all"  # noqa: S608
        con.execute(f"create type instance_ids as enum ({found})")
    for name, select in selects.items():
        casts = ", ".join(f"{each}::{each}s as {each}" for each in _IDS if each in columns[name])
        selects[name] = f"select * replace ({casts}) from ({select})"  # noqa: S608
    return selects


def _write(
    con: duckdb.DuckDBPyConnection, wish: Wish, known: Lineage, protocol: Protocol, name: str
) -> None:
    """Write a file for each scenario, with rows in the order of the relation's key.

    polars writes them: DuckDB would plan a statement for each, and Arrow's library is slow to load.
    """
    relation = con.table(name)
    types = dict(zip(relation.columns, relation.types, strict=True))
    del types["protocol"]
    columns = ", ".join(f"{c}::varchar as {c}" if kind.id == "enum" else c for c, kind in types.items())
    key = [c for c in known.views[name].key if c not in ("protocol", "scenario_id")]
    order = ", ".join(f"{name}.{c}" for c in ("scenario_id", *key))  # no texts of enums
    of_protocol = f"from {name} where protocol = {quoted(protocol.protocol)}"
    found = frame_of(con.sql(f"select {columns} {of_protocol} order by {order}"))
    rows = dict(found["scenario_id"].value_counts().iter_rows())
    start = 0
    for scenario in wish.scenarios:
        size = rows.get(scenario.scenario_id, 0)
        folder = versions.unit_folder(wish.roots[0], scenario.scenario_id, scenario.data, protocol.hash)
        found.slice(start, size).write_parquet(file := BytesIO(), compression="snappy")
        versions.keep_file(folder, known.named(name, protocol), file.getvalue())
        start += size


def raw_files(scenarios: Sequence[ScenarioVersion], relation: str) -> list[str]:
    """The files of a raw relation, in the order of the scenarios that have it."""
    return [f"{s.path}/{relation}/{PART}" for s in scenarios if relation in s.relations]


def results_select(files: Mapping[str, Collection[Path]], known: Lineage, name: str) -> str:
    """The SELECT of a built relation from its files, which are given by the protocol's name."""
    columns = ", ".join(c for c in known.views[name].columns if c != "protocol")
    return " union all ".join(
        f"select {quoted(protocol)} as protocol, {columns}"  # noqa: S608
        f" from read_parquet([{all_quoted(map(str, paths))}], hive_partitioning = false)"
        for protocol, paths in files.items()
    )


# Answers: what Python computes of built results, kept beside them.
#
# An answer is of one question, scenario and protocol, as a built result is of one relation, scenario and
# protocol, and it lies in a folder of its own:
#
#     scenario_id=X/<data>-<choices>-<question>/<name>.<question>.<content>.parquet
#
# ``question`` is a hash of all else that the answer depends on: the SQL of the relations that it is
# computed from, the options, the code, Python and the libraries. So an answer is never out of date, and
# goes with the version of its scenario. Answers of all protocols go when they and the results of a user's
# own protocols take too much together, see ``lake.versions.trim_results``.

_ANSWERED = 400_000  # rows of raw relations beyond which no other scenario is added
# A protocol's name and scenarios → the rows, with the column scenario_id.
Compute = Callable[[str, Sequence[str]], "pl.DataFrame"]


@dataclass(frozen=True)
class LocalQuestion:
    """A question about each scenario and protocol by itself.

    name: of its answers. relations: those that they are computed from. facts: whatever else they depend on,
    the code included; ``repr`` tells them apart.
    """

    name: str
    relations: Collection[str]
    facts: Sequence[object]


def answers(wish: Wish, known: Lineage, asked: LocalQuestion, compute: Compute) -> pl.DataFrame:
    """The answers of all scenarios and protocols of a wish, as one frame.

    The first column is ``protocol``, its name and hash; rows are by protocol and scenario, and then as they
    were computed. Whatever is missing is computed, for some scenarios of a protocol at a time, and kept if
    that is possible.
    """
    import polars as pl

    parts = []
    for protocol in sorted(wish.protocols, key=lambda p: p.tag):
        hashes = (known.named(r, protocol) for r in sorted(asked.relations))
        facts = (*asked.facts, sys.version, pl.__version__)
        question = versions.digest(asked.name, *hashes, *map(repr, facts))
        contents = _of_protocol(wish, protocol, f"{asked.name}.{question}", compute)
        tag = pl.lit(protocol.tag).alias("protocol")
        frame = pl.read_parquet(contents)
        parts.append(frame.select(tag, *frame.columns))
    return pl.concat(parts)


def _of_protocol(wish: Wish, protocol: Protocol, name: str, compute: Compute) -> list[bytes]:
    """The answers under one protocol as Parquet files, by scenario.

    What is computed now is read from its file as well, so that it is the same later.
    """
    import polars as pl

    scenarios = sorted(wish.scenarios, key=lambda s: s.scenario_id)
    choices = f"{protocol.hash}-{name.rpartition('.')[2]}"
    folders = {
        s: [versions.unit_folder(root, s.scenario_id, s.data, choices) for root in wish.roots]
        for s in scenarios
    }
    contents = {s: _kept(folders[s], name) for s in scenarios}
    missing = [s for s in scenarios if contents[s] is None]
    for batch in _batches(missing):
        found = compute(protocol.protocol, [s.scenario_id for s in batch])
        for scenario in batch:
            rows = found.filter(pl.col("scenario_id") == scenario.scenario_id)
            # As it is read as often as it is asked for: without statistics that
            # nobody looks at, and in the compression that is read fastest.
            rows.write_parquet(buffer := BytesIO(), compression="lz4", statistics=False)
            contents[scenario] = buffer.getvalue()
            for folder in folders[scenario]:  # the first that takes it; in none, it is asked anew
                with suppress(OSError):
                    versions.keep_file(folder, name, buffer.getvalue())
                    break
    if missing:
        trim(wish)
    return [content for content in contents.values() if content is not None]


def _batches(scenarios: Sequence[ScenarioVersion]) -> Iterator[list[ScenarioVersion]]:
    """Some at a time, in their order: memory may not hold a whole lake."""
    batch: list[ScenarioVersion] = []
    for scenario in scenarios:
        batch.append(scenario)
        if sum(s.rows for s in batch) >= _ANSWERED:
            yield batch
            batch = []
    if batch:
        yield batch


def _kept(folders: Sequence[Path], name: str) -> bytes | None:
    for folder in folders:
        for file in versions.whole_files(folder, {name}).values():
            with suppress(OSError):  # somebody may have removed it just now
                return file.read_bytes()
    return None
