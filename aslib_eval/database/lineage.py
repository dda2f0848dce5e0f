"""What each relation is computed from, which are built and kept, and the metrics that are declared."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path

import duckdb

from aslib_eval.database.protocol import Protocol
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
    reads_of,
    solver_value,
)
from aslib_eval.errors import AslibError
from aslib_eval.lake.schema import ADDED, PREFIX, RELATIONS, Relation
from aslib_eval.lake.versions import digest
from aslib_eval.options import Unit
from aslib_eval.paths import Paths, as_paths

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
        steps = self.steps(self.names, there=())
        read = {name for step in steps for name in self.reads[step]}
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
    # A user's metrics are among the values of all, which so come after their views.
    return _lineage(by_lineage(files), metric_rows(folders))


@cache
def _ours(_folders: tuple[Path, ...]) -> Lineage:
    return _lineage(find_sql(), metric_rows())


def _lineage(files: list[SqlFile], declared: object) -> Lineage:
    """The lineage of files that are in the order of what they read."""
    ours = {file.name: file for file in find_sql()}
    by_name = {file.name: file for file in files}
    read = reads_of(files)
    macros = {name: file.sql for name, file in by_name.items() if name not in read}
    our_macros = {name: sql for name, sql in macros.items() if name in ours}
    names = {"metric": f"metric.{digest(repr(declared))}", "protocol": "protocol"}
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
