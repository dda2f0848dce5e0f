"""What each relation is computed from, and which of them are built and kept."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cache

import duckdb

from aslib_eval.database import metrics
from aslib_eval.database.sqlfiles import (
    SqlFile,
    by_lineage,
    find_sql,
    reads,
    solver_value,
)
from aslib_eval.lake.results import digest
from aslib_eval.paths import Paths, as_paths

_SUITE = "suite"


@dataclass(frozen=True)
class Lineage:
    """Our views and macros and those of a user's folders, each after what it reads.

    reads: the relations that each view reads. names: for each view whose results are
    built and kept, the relation with a hash of its SELECT and of all below it.
    """

    files: tuple[SqlFile, ...]
    reads: dict[str, frozenset[str]]
    names: dict[str, str]

    @property
    def macros(self) -> list[SqlFile]:
        """The macros, in an order in which they can be created."""
        return [file for file in self.files if file.is_macro]

    @property
    def views(self) -> dict[str, SqlFile]:
        """The views by name, lower ones first."""
        return {file.name: file for file in self.files if not file.is_macro}

    def needed(self, relations: Iterable[str]) -> list[str]:
        """The built relations from which these are answered, lower ones first.

        They are the first on each way down from a relation.
        """
        found: set[str] = set()
        seen: set[str] = set()
        left = list(relations)
        while left:
            name = left.pop()
            if name in seen:
                continue
            seen.add(name)
            if name in self.names:
                found.add(name)
            else:
                left += self.reads.get(name, ())
        return [name for name in self.views if name in found]

    def steps(self, wanted: Collection[str], *, there: Collection[str]) -> list[str]:
        """All relations to have for building some, lower ones first.

        there: relations that are built already, below which nothing is needed.
        """
        needed: set[str] = set()
        left = list(wanted)
        while left:
            name = left.pop()
            if name not in needed:
                needed.add(name)
                left += () if name in there else self.reads.get(name, ())
        return [name for name in self.views if name in needed]


def lineage(sql_dirs: Paths = ()) -> Lineage:
    """The lineage of our views, and of a user's that read them.

    Raises:
        AslibError: as ``find_sql``.
    """
    folders = as_paths(sql_dirs)
    if not folders:
        return _ours()
    files = find_sql(folders)
    ours = {file.name for file in find_sql()}
    if any(file.metrics for file in files if file.name not in ours):
        values = [solver_value(files, of_families=by) for by in (False, True)]
        ours_of_values = {file.name: file for file in values}
        files = [ours_of_values.get(file.name, file) for file in files]
    return _lineage(files, metrics.rows(folders))


@cache
def _ours() -> Lineage:
    return _lineage(find_sql(), metrics.rows())


def _lineage(files: list[SqlFile], declared: object) -> Lineage:
    ours = {file.name for file in find_sql()}
    macros = {file.name: file.sql for file in files if file.is_macro}
    read = {file.name: reads(file.sql) for file in files if not file.is_macro}
    names = {"metric": f"metric.{digest(repr(declared))}", "protocol": "protocol"}
    local = set(names)
    by_name = {file.name: file for file in files}
    # A user's metrics are among the values of all, which so come after their views.
    views = [file for file in by_lineage(files) if not file.is_macro]
    for file in views:
        name = file.name
        below = read[name] & (by_name.keys() | names.keys())
        is_ours = name in ours and file.subject != _SUITE
        if (is_ours or file.stored) and below <= local:
            local.add(name)
            used = "".join(macros[m] for m in sorted(_macros(file.sql, macros)))
            hashes = (names[r] for r in sorted(below))
            names[name] = (
                f"{name}.{digest(file.sql, used, duckdb.__version__, *hashes)}"
            )
    kept = {
        name: names[name] for name in names if name in by_name and by_name[name].stored
    }
    return Lineage((*(f for f in files if f.is_macro), *views), read, kept)


def _macros(sql: str, macros: dict[str, str]) -> set[str]:
    """The macros whose names occur in a text, and in theirs."""
    found: set[str] = set()
    left = [sql]
    while left:
        words = set(re.findall(r"\w+", left.pop())) & macros.keys()
        left += [macros[word] for word in words - found]
        found |= words
    return found
