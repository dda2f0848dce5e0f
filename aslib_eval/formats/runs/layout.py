"""Which column of a table of runs holds what: by its name, or as its user decides.

Long: a column names the solver. Wide: a solver has a column of times, called by its name, or columns
``SOLVER:time``, ``SOLVER:status``, ``SOLVER:objective``; two rows of names, solvers above and time, status,
… below, are the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from aslib_eval.errors import Finding
from aslib_eval.formats.aslib.lint.reporting import new_finding, twice
from aslib_eval.formats.attributes import FAMILY
from aslib_eval.formats.format import TableChoices, plain
from aslib_eval.formats.runs.cells import (
    ALIASES,
    ATTRIBUTES,
    LOGGED,
    is_cell_of_times,
    is_logged,
    is_sum,
    is_time,
    is_virtual,
    number,
    part_of,
    to_seconds,
    unit_of,
)
from aslib_eval.formats.runs.raw_table import RawTable
from aslib_eval.formats.runs.readings import (
    Asked,
    ask_of_solvers,
    ask_of_words,
    listed_columns,
    no_instance,
)
from aslib_eval.formats.runs.shapes import JOINED, first_called, parts_of, shaped, without_computed_rows

# Columns of a table with a column a solver that count something, and are no solver.
_COUNTS = re.compile(
    r"id|index|nr|no|year|date|seed|(n|num|nr|number)_.*|.*_count"
    r"|(n_?|num_?)?(vars|variables|clauses|literals|nodes|edges|constraints)"
    r"|((file_?)?size|memory|mem)(_[kmgt]?i?b|_bytes)?"
    r"|rank|score|difficulty|hardness|weight|minimum|maximum|min|max"
)
# Why a column is not read, where it may still be an attribute of instances.
UNKNOWN, NO_TIME = "its name is not known", "none of its cells is a time"
_NO_PART = "is not time, status or objective"
_ZERO = "each of its times is 0, as if nobody had measured it"
RUNTIME = "runtime"
_WORDS = ("status", "answer")  # what a solver's columns say in words


@dataclass(frozen=True)
class SolverColumns:
    """The columns of one solver; of all, where ``solver`` is None and a column says it.

    values: measure → its column. status, answer: how the run ended and what it answered, None without such
    a column; one that says both is ``status``.
    """

    solver: str | None
    values: Mapping[str, int]
    status: int | None = None
    answer: int | None = None

    @property
    def columns(self) -> list[int]:
        """All of them."""
        return [at for at in (*self.values.values(), self.status, self.answer) if at is not None]


@dataclass(frozen=True)
class Layout:
    """What the columns of a table hold.

    at: role → its column, for what holds for a row as a whole.
    quality: measure → whether it is none of time; the first measure is the primary one. feature: feature →
    its column. attribute: attribute of instances → its column.
    unit: of the times as column names say; "" if none.
    ignored: columns that are not read, and why, without those that a user ignores.
    """

    table: RawTable
    at: Mapping[str, int]
    blocks: tuple[SolverColumns, ...] = ()
    quality: Mapping[str, bool] = field(default_factory=dict)
    feature: Mapping[str, int] = field(default_factory=dict)
    attribute: Mapping[str, int] = field(default_factory=dict)
    unit: str = ""
    ignored: tuple[tuple[str, str], ...] = ()
    findings: tuple[Finding, ...] = ()

    @property
    def is_wide(self) -> bool:
        """Whether solvers are columns."""
        return "solver" not in self.at

    @property
    def times(self) -> list[str]:
        """The measures of time."""
        return [measure for measure, is_quality in self.quality.items() if not is_quality]

    @property
    def qualities(self) -> list[str]:
        """The measures that are none of time."""
        return [measure for measure, is_quality in self.quality.items() if is_quality]

    def refused(self, what: str, hint: str) -> Layout:
        """An error in the place of the columns."""
        table = self.table
        found = new_finding("runs-table", file=table.file, line=table.line, what=what, hint=hint)
        return Layout(table, {}, findings=(found,))


def layout_of(raw: RawTable, choices: TableChoices) -> Layout:
    """The columns of a table; a finding of severity error where that is not clear."""
    table = raw
    if raw.is_broken:
        table = replace(raw, rows=tuple(row for row in raw.rows if len(row[1]) == len(raw.header)))
    table = shaped(table, choices)
    new = table.findings[len(raw.findings) :]
    if any(found.severity == "error" for found in new):
        return Layout(raw, {}, findings=new)
    names = list(table.header)
    position = {name: at for at, name in enumerate(names)}
    given = {r: name for r, name in choices.column if r not in ("ignore", "attribute")}
    taken = {*given.values(), *choices.measure, *choices.chosen("ignore")}
    free = [name for name in names if name not in taken]
    if asked := _ask_of_names(names, free, choices):
        return Layout(table, {}).refused(*asked)
    at = {role: position[name] for role, name in given.items()}
    for role, aliases in ALIASES.items():
        if role not in given and (found := first_called(free, aliases)) is not None:
            at[role] = position[found]
    if "instance" not in at:
        return Layout(table, {}).refused(*no_instance(table, at, free))
    used, chosen = {*at.values()}, {*choices.chosen("attribute")}
    attribute = {
        name: position[name]
        for name in free
        if name in chosen or (plain(name) in ATTRIBUTES and position[name] not in used)
    }
    feature = {
        name.removeprefix("feature:"): position[name] for name in free if name.startswith("feature:")
    }
    used |= {
        *attribute.values(),
        *feature.values(),
        *(position[name] for name in parts_of(choices) & {*names}),
    }
    rest = [name for name in free if position[name] not in used]
    start = Layout(without_computed_rows(table, at), at, feature=feature, attribute=attribute)
    return _judged((_wide if start.is_wide else _long)(start, rest, choices), choices)


def _ask_of_names(names: Sequence[str], free: Sequence[str], choices: TableChoices) -> Asked | None:
    """What is wrong with the names of columns, or with those that a user says."""
    if repeated := sorted(twice(names)):
        return f"two columns are called {', '.join(map(repr, repeated))}", "Rename one."
    wanted, there = [*(name for _, name in choices.column), *choices.measure], {*names}
    if missing := [name for name in wanted if name not in there]:
        hint = listed_columns(names)
        if any("+" in name for name in missing):
            hint += f" Columns are joined by + for {', '.join(JOINED)}."
        if missing == [FAMILY]:
            hint = f"Say --family path:N, which takes it of their names. {hint}"
        return f"there is no column {' or '.join(map(repr, missing))}", hint
    both = [name for name in free if plain(name) in ALIASES["answer"]]
    both = [name for name in both if name not in choices.chosen("attribute")]
    if len(both) > 1 and not choices.chosen("answer"):
        hint = "--column answer=NAME says which does; --column ignore=NAME leaves one out."
        return f"{' and '.join(map(repr, both))} may both say what a run answered", hint
    return None


def _one_of(columns: Mapping[str, int]) -> dict[str, int | None]:
    """The columns of status and answer; a single one says how the run ended and what it answered."""
    status, answer = columns.get("status"), columns.get("answer")
    return {"status": answer, "answer": None} if status is None else {"status": status, "answer": answer}


# A column names the solver.


def _long(start: Layout, rest: Sequence[str], choices: TableChoices) -> Layout:
    table, at = start.table, dict(start.at)
    names = table.header
    times = [names[at.pop("time")]] if "time" in at else []
    times += [name for name in rest if is_time(name) and name not in times]
    zero = [name for name in times if {*map(number, {*table.column(name)})} == {0.0}]
    # Of columns of times those that hold nothing but 0, where others hold more.
    zero = [] if choices.chosen("time") or len(zero) == len(times) else zero
    times = [name for name in times if name not in zero]
    values = {RUNTIME if len(times) == 1 else name: names.index(name) for name in times}
    quality = dict.fromkeys(values, False)
    if "objective" in at:
        name = names[at["objective"]]
        values[name], quality[name] = at.pop("objective"), True
    for name in choices.measure:
        values[name], quality[name] = names.index(name), not is_time(name)
    block = SolverColumns(None, values, **_one_of(at))
    passed = {*times, *zero, *({"run", *LOGGED} if is_logged(names) else ())}
    ignored = [
        (name, UNKNOWN if name else "it has no name, like the index of pandas")
        for name in rest
        if name not in passed
    ]
    ignored += [(name, _ZERO) for name in zero]
    at = {role: k for role, k in at.items() if role not in _WORDS}
    return replace(start, at=at, blocks=(block,), quality=quality, ignored=tuple(ignored))


# Solvers are columns.


def _wide(start: Layout, rest: Sequence[str], choices: TableChoices) -> Layout:
    table, at = start.table, dict(start.at)
    single = [table.header[at.pop(role)] for role in ("time", *_WORDS, "objective") if role in at]
    single += [name for name in rest if is_time(name)]
    ignored = [(name, "it belongs to no solver") for name in (*single, *choices.measure)]
    columns: dict[str, dict[str, int]] = {}
    bare: list[str] = []
    texts: list[str] = []
    for name in (name for name in rest if name not in single):
        solver, colon, what = name.rpartition(":")
        solver, part = (solver.strip(), part_of(what)) if colon else (name, "time")
        if why := _why_no_solver(table, name, solver, part):
            ignored.append((name, why))
            texts += [name] if why.endswith((_NO_PART, NO_TIME)) else []
            continue
        bare += [] if colon else [name]
        mine = columns.setdefault(solver, {})
        key = what.strip() if part == "time" and colon else part
        position = table.header.index(name)
        if mine.setdefault(key, position) != position:
            ignored.append((name, "its solver has such a column already"))
    asked = ask_of_words(table, at, start.attribute, choices) or ask_of_solvers(
        table, columns, bare, texts, single, table.column(at["instance"]), choices
    )
    if asked:
        return start.refused(*asked)
    kinds = dict.fromkeys(kind for mine in columns.values() for kind in mine if kind not in _WORDS)
    times = [kind for kind in kinds if kind != "objective"]
    one_time = len({*map(plain, times)}) == 1
    name_of = {kind: RUNTIME if one_time and kind in times else kind for kind in kinds}
    blocks = tuple(
        SolverColumns(
            solver, {name_of[kind]: k for kind, k in mine.items() if kind in kinds}, **_one_of(mine)
        )
        for solver, mine in columns.items()
    )
    quality = {name_of[kind]: kind == "objective" for kind in (*times, *kinds)}
    return replace(start, at=at, blocks=blocks, quality=quality, ignored=tuple(ignored))


def _why_no_solver(table: RawTable, name: str, solver: str, part: str) -> str:
    """Why a column is none of a solver's; empty where it may be one."""
    if not solver:
        return "it has no name"
    if is_virtual(solver):
        return "virtual solvers are computed, not read"
    if ":" in name:
        return "" if part else f"{name.rpartition(':')[2]!r} {_NO_PART}"
    if plain(name) in ALIASES["instance"]:
        return "it names the instances another time"
    if _COUNTS.fullmatch(plain(name)) or is_sum(plain(name)):
        return "it counts something, and is no solver"
    return "" if any(map(is_cell_of_times, table.column(name))) else NO_TIME


# Whether what was found is a table of runs.


def _judged(found: Layout, choices: TableChoices) -> Layout:
    if found.findings:
        return found
    if wrong := next(_faults(found, choices), None):
        return found.refused(*wrong)
    names = found.table.header
    columns = dict.fromkeys(block.values[measure] for block in found.blocks for measure in found.times)
    own = {at: unit_of(names[at]) for at in columns}
    bare = [names[at] for at, unit in own.items() if not unit]
    if "cutoff" in found.at:
        own[found.at["cutoff"]] = unit_of(names[found.at["cutoff"]])
    if choices.unit:
        return _in_seconds(found, {at: unit or choices.unit for at, unit in own.items()})
    units = {unit: names[at] for at, unit in own.items() if unit}
    if found.is_wide and bare and len(units) == 1:
        units = {}  # a solver that is called so, beside others that are not
    if len(units) > 1 or (bare and units and "s" not in units):
        what = f"{' and '.join(units.values())} are in different units"
        if len(units) == 1:
            ((unit, name),) = units.items()
            what = f"{name} is in {unit}, {bare[0]} does not say its unit"
        hint = (
            "Leave one out with --column ignore=NAME, or say --unit s, of columns that do not say their"
            " unit: all become seconds."
        )
        return found.refused(what, hint)
    return replace(found, unit=next(iter(units), ""))


def _in_seconds(found: Layout, own: Mapping[int, str]) -> Layout:
    """The table with all times in seconds; own: column of times → its unit."""

    def seconds(cell: str, unit: str) -> str:
        value = number(cell)
        return cell if value is None else repr(to_seconds(value, unit))

    rows = tuple(
        (line, tuple(seconds(cell, own[at]) if at in own else cell for at, cell in enumerate(cells)))
        for line, cells in found.table.rows
    )
    return replace(found, table=replace(found.table, rows=rows), unit="s")


def _faults(found: Layout, choices: TableChoices) -> Iterator[Asked]:
    names = found.table.header
    if not found.blocks:
        yield "there is no column solver/algorithm", listed_columns(names, "solver")
    if not found.quality:
        yield "there is no column time/runtime", listed_columns(names, "time")
    for block in found.blocks:
        if lacking := [measure for measure in found.quality if measure not in block.values]:
            hint = "Add it, or leave the others out with --column ignore=NAME."
            yield f"{block.solver} has no column {', '.join(lacking)}, others have", hint
    for role in _WORDS:
        without = [block.solver for block in found.blocks if getattr(block, role) is None]
        if 0 < len(without) < len(found.blocks):
            yield f"{without[0]} has no column {role}, others have", "Add it."
    for name in choices.maximize:
        if name not in found.qualities:
            there = (
                f"Such are {', '.join(found.qualities)}."
                if found.qualities
                else "There is no such measure."
            )
            yield f"{name!r} is no measure that can be maximised", there
