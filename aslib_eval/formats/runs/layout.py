"""What each column of a table of runs holds, by its name or as its user decides.

Long: a column names the solver. Wide: a solver has a column of times, called by its name, or columns
``SOLVER:time``, ``SOLVER:status``, ``SOLVER:objective``; two rows of names, solvers above and time, status,
… below, are the same. If a column may have two meanings, the user is asked.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from statistics import median

from aslib_eval.errors import Finding
from aslib_eval.formats import TableChoices, plain
from aslib_eval.formats.aslib.lint import new_finding, twice
from aslib_eval.formats.attributes import FAMILY, attribute_choices
from aslib_eval.formats.runs.cells import (
    ALIASES,
    ATTRIBUTES,
    DECIMAL,
    LOGGED,
    MISSING,
    is_cell_of_times,
    is_less,
    is_logged,
    is_missing,
    is_more,
    is_outcome,
    is_part,
    is_phase,
    is_quality,
    is_solution,
    is_sum,
    is_time,
    is_virtual,
    kind_of,
    may_name,
    number,
    quality,
    says_failure,
    seconds_of,
    telling_apart,
    to_seconds,
    unit_of,
    words_of,
)
from aslib_eval.formats.runs.pairs import (
    NAME_OF,
    NO_PART,
    QUALITY_OF,
    Asked,
    ask_of_pairs,
    choosing,
    paired,
    parted,
    parts_of_solvers,
)
from aslib_eval.formats.runs.raw_table import (
    JOINED,
    NAMED,
    NAMELESS,
    RawTable,
    column_of,
    first_called,
    only_columns,
    parts_of,
    repetitions,
    shaped,
    without_computed_rows,
)
from aslib_eval.text import list_names, plural

# Columns of a wide table that count something and are not solvers.
_COUNTS = re.compile(
    r"id|index|nr|no|year|date|seed|(n|num|nr|number)_.*|.*_count"
    r"|(n_?|num_?)?(vars|variables|clauses|literals|nodes|edges|constraints)"
    r"|((file_?)?size|memory|mem)(_[kmgt]?i?b|_bytes)?"
    r"|rank|score|difficulty|hardness|weight|minimum|maximum|min|max"
)
# Why a column is not read, where it may still be an attribute of instances.
UNKNOWN, NO_TIME = "unknown name", "the cells hold no time"
NO_VALUE = "the cells hold no value"
_ZERO = "all times are 0, so they were probably not measured"
RUNTIME = "runtime"
_LONGEST, _BEGIN = 200, 60  # characters of an instance's name, and of one that is cut
_NUMBERS = ("objective", "best", "cutoff")  # roles of columns that hold numbers
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
    def is_bare(self) -> bool:
        """Whether each solver is a column that is called by its name alone."""
        return all(block.solver in self.table.header for block in self.blocks)

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
    """The columns of a table; an error if they are not clear."""
    table = raw
    if raw.is_broken:
        table = replace(raw, rows=tuple(row for row in raw.rows if len(row[1]) == len(raw.header)))
    table, choices = _turned(_by_family(shaped(table, choices), choices), choices)
    table = paired(table, choices)
    new = table.findings[len(raw.findings) :]
    if any(found.severity == "error" for found in new):
        return Layout(raw, {}, findings=new)
    names = list(table.header)
    position = {name: at for at, name in enumerate(names)}
    of_parts = _said_of_parts(names, choices)
    given = {r: n for r, n in choices.column if r not in ("ignore", "attribute") and n not in of_parts}
    taken = {*given.values(), *choices.measure, *choices.chosen("ignore")}
    free = [name for name in names if name not in taken]
    if asked := _ask_of_names(names, free, choices):
        return Layout(table, {}).refused(*asked)
    at = {role: position[name] for role, name in given.items()}
    # Where all runs failed, a quality has no value at all.
    numbers = _NUMBERS if any(map(is_time, names)) else _NUMBERS[1:]
    for role, aliases in ALIASES.items():
        mine = [n for n in free if role not in numbers or any(map(is_cell_of_times, table.column(n)))]
        mine = [n for n in mine if not n.startswith("#")]
        if role == "solver":
            mine = [n for n in mine if kind_of(table.column(n)) < DECIMAL]
        if role not in given and (found := first_called(mine, aliases)) is not None:
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
    table = _with_short_names(without_computed_rows(table, at), at["instance"])
    if table.is_broken and not raw.is_broken:
        return Layout(raw, {}, findings=table.findings[len(raw.findings) :])
    start = Layout(table, at, feature=feature, attribute=attribute)
    layout = _judged((_wide if start.is_wide else _long)(start, rest, choices), choices)
    return _ask_of_rows(layout, choices) if "" in table.renamed.values() else layout


def _turned(table: RawTable, choices: TableChoices) -> tuple[RawTable, TableChoices]:
    """The table with a row for each value, where its user says that its rows are solvers.

    They name the column of solvers and what the cells of the others hold, and no column names instances.
    """
    solver = (choices.chosen("solver") or [""])[0]
    if not choices.cells or solver not in table.header or column_of(table.header, "instance", choices):
        return table, choices
    said = {name for _, name in choices.column} | parts_of(choices)
    cells_of = {name: table.column(name) for name in table.header if name not in said}
    worth = {n: [v for v in map(quality, cells) if v is not None] for n, cells in cells_of.items()}
    names = [name for name in cells_of if worth[name]]
    # Shares beside percentages are of another scale.
    shares = [name for name in names if max(worth[name]) <= 1]
    odd = [n for n in names if _is_other(n) or is_quality(n) or is_sum(n) or _COUNTS.fullmatch(plain(n))]
    if odd := odd or shares * (len(shares) < len(names)):
        what = f"these columns do not look like instances by names or scale: {list_names(odd, most=NAMED)}"
        hint = f"If they are not, add {choosing('ignore', *odd)}. Else, rename them."
        return table.told("runs-table", what, hint), choices
    at, who = [table.header.index(name) for name in names], table.header.index(solver)
    rows = tuple(
        (line, (table.header[k], cells[who], cells[k]))
        for line, cells in table.rows
        for k in at
        if not is_missing(cells[k])
    )
    role = "time" if is_time(choices.cells) else "objective"
    pairs = (("instance", "instance"), ("solver", solver), (role, choices.cells))
    what = f"rows are solvers and {plural(len(names), 'column')} instances: {list_names(names, most=NAMED)}"
    turned = replace(table, header=("instance", solver, choices.cells), rows=rows)
    return turned.told("runs-understood", what), replace(choices, column=pairs, cells="")


def _ask_of_rows(found: Layout, choices: TableChoices) -> Layout:
    """What to ask of qualities beside a column without a name, which may hold instances or solvers."""
    if not (found.findings or found.qualities):
        return found
    turn = f"{choosing('solver', NAMELESS)} --cells {shlex.quote(choices.cells or 'accuracy')}"
    for asked in found.findings:
        hint = f"{asked.hint} If the first column, which has no name, holds solvers, add {turn}."
        return replace(found, findings=(replace(asked, hint=hint),))
    hint = f"If it holds instances, add {choosing('instance', NAMELESS)}. If it holds solvers, add {turn}."
    return found.refused("the first column has no name: it may hold instances or solvers", hint)


def _by_family(table: RawTable, choices: TableChoices) -> RawTable:
    """The table with a column ``family`` if each family becomes a scenario.

    Families come from the rule or file of ``--family``, else from the table's own column.
    """
    instance = column_of(table.header, "instance", choices)
    own, said = column_of(table.header, "family", choices), choices.split or choices.family
    if ("scenario", FAMILY) not in choices.column or instance is None:
        return table
    if said:
        of = attribute_choices(family=said).families(dict.fromkeys(table.column(instance)))
        told = [of.get(name, "") for name in table.column(instance)]
    elif own is None or FAMILY in table.header:
        return table
    else:
        told = table.column(own)
    kept = [at for at, name in enumerate(table.header) if name != FAMILY]
    return only_columns(table, kept).with_column(FAMILY, told)


def _with_short_names(table: RawTable, at: int) -> RawTable:
    """The table with names of instances that can be printed: a beginning and a check sum of a long one."""
    long = {name for name in table.column(at) if len(name) > _LONGEST}
    if not long:
        return table
    short = {
        name: f"{' '.join(name[:_BEGIN].split())}… {sha256(name.encode()).hexdigest()[:12]}"
        for name in long
    }
    table = table.with_cells([at], lambda _, name: short.get(name, name))
    what = f"{plural(len(long), 'name')} of instances with more than {_LONGEST} characters"
    return table.told("runs-understood", f"{what}: the import keeps the first {_BEGIN} and a check sum")


def _ask_of_names(names: Sequence[str], free: Sequence[str], choices: TableChoices) -> Asked | None:
    """What is wrong with the names of columns, in the table or given by a user."""
    if repeated := sorted(twice(names)):
        hint = "Rename one. If they are repetitions, add --duplicates number."
        hint = hint if all(repeated) else "Name each column. If the first line is a title, remove it."
        return f"two columns are called {', '.join(map(repr, repeated))}", hint
    wanted = [*(name for _, name in choices.column), *choices.measure]
    there = {*names, *_said_of_parts(names, choices)}
    if missing := [name for name in wanted if name not in there]:
        hint = listed_columns(names)
        if any("+" in name for name in missing):
            hint += f" Only these roles accept columns joined by +: {', '.join(JOINED)}."
        if missing == [FAMILY]:
            hint = f"To take families from the names of instances, add --family path:N. {hint}"
        return f"there is no column {' or '.join(map(repr, missing))}", hint
    both = [n for n in free if plain(n) in ALIASES["answer"] and n not in choices.chosen("attribute")]
    if len(both) > 1 and not choices.chosen("answer"):
        hint = "Name it with --column answer=NAME, or leave one out with --column ignore=NAME."
        return f"the answer of a run may be in {' or '.join(map(repr, both))}", hint
    return None


def _said_of_parts(names: Sequence[str], choices: TableChoices) -> set[str]:
    """Names given by a user that are parts of all solvers' columns, such as ``found`` of ``a:found``."""
    parts = {plain(what) for name in names for _, colon, what in [name.rpartition(":")] if colon}
    wanted = [*(name for _, name in choices.column), *choices.measure]
    return {name for name in wanted if name not in names and plain(name) in parts}


def _one_of(columns: Mapping[str, int]) -> dict[str, int | None]:
    """The columns of status and answer; a single one says how the run ended and what it answered."""
    status, answer = columns.get("status"), columns.get("answer")
    return {"status": answer, "answer": None} if status is None else {"status": status, "answer": answer}


# A column names the solver.


def _long(start: Layout, rest: Sequence[str], choices: TableChoices) -> Layout:
    table, at = start.table, dict(start.at)
    names = table.header
    times = [names[at.pop("time")]] if "time" in at else []
    times += sorted(filter(is_time, rest), key=is_phase)  # the whole before its parts
    times = [
        n for n in times if any(is_cell_of_times(c) or is_missing(c) for c in table.column(n))
    ] or times
    zero = [name for name in times if {*map(number, {*table.column(name)})} == {0.0}]
    # Columns of times that hold only 0 are left out if another one holds more.
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
        (name, UNKNOWN if name else "a column without a name is probably the index of pandas")
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
    ignored = [
        (name, "no solver in the name") for name in (*single, *choices.measure) if name in table.header
    ]
    of_parts: dict[str, list[str]] = {}
    solvers: list[str] = []
    bare: list[str] = []
    texts: list[str] = []
    for name in (name for name in rest if name not in single):
        if why := _why_no_solver(table, name, choices):
            ignored.append((name, why))
            texts += [name] if why.endswith((NO_TIME, NO_VALUE)) else []
            continue
        solver, colon, what = name.rpartition(":")
        bare += [] if colon else [name]
        solvers.append(name)
        of_parts.setdefault(what.strip() if colon else "", []).append(name)
    parts = parts_of_solvers(table, of_parts, choices)
    if isinstance(parts, tuple):
        return start.refused(*parts)
    columns: dict[str, dict[str, int]] = {}
    for name in solvers:
        solver, colon, what = name.rpartition(":")
        part = parts[plain(what) if colon else ""]
        if not part.key:
            ignored += [(name, part.why)] if part.why else []
            texts += [name] if part.why.endswith(NO_PART) else []
            continue
        mine = columns.setdefault(solver.strip() if colon else name, {})
        if mine.setdefault(part.key, table.header.index(name)) != table.header.index(name):
            ignored.append((name, "the solver already has such a column"))
    asked = ask_of_words(table, at, [*start.attribute, *texts], choices) or ask_of_solvers(
        table, columns, bare, texts, single, table.column(at["instance"]), choices
    )
    if asked:
        return start.refused(*asked)
    kinds = {part.key: part.is_time for part in parts.values() if part.key not in ("", *_WORDS)}
    times = [kind for kind, is_time in kinds.items() if is_time]
    first = [kind for kind in kinds if choices.cells and plain(kind) == plain(choices.cells)]
    name_of = {
        kind: RUNTIME if len(times) == 1 and kind in times else kind for kind in (*first, *times, *kinds)
    }
    blocks = tuple(
        SolverColumns(solver, {name_of[k]: mine[k] for k in name_of if k in mine}, **_one_of(mine))
        for solver, mine in columns.items()
    )
    quality = {name_of[kind]: kind not in times for kind in name_of}
    return replace(start, at=at, blocks=blocks, quality=quality, ignored=tuple(ignored))


def _why_no_solver(table: RawTable, name: str, choices: TableChoices) -> str:
    """Why a column does not belong to a solver; empty if it may."""
    solver, colon, _ = name.rpartition(":")
    solver = solver.strip() if colon else name
    cells, of_qualities = table.column(name), choices.cells and not is_time(choices.cells)
    is_value = (lambda cell: quality(cell) is not None) if of_qualities else is_cell_of_times
    reasons = {
        "the solver has no name": not solver,
        "the program computes virtual solvers itself": is_virtual(solver),
        "another column already names the instances": plain(name) in ALIASES["instance"]
        and len({*cells}) == len(cells),
        "the name looks like a count or a statistic": _COUNTS.fullmatch(plain(name))
        or is_sum(plain(name))
        or name.startswith("#"),
        NO_VALUE if of_qualities else NO_TIME: not any(map(is_value, cells)),
    }
    return next((why for at, why in enumerate(reasons) if reasons[why] and (at <= 1 or not colon)), "")


# Whether what was found is a table of runs.


def _judged(found: Layout, choices: TableChoices) -> Layout:
    if found.findings:
        return found
    if wrong := next(_faults(found, choices), None):
        return found.refused(*wrong)
    found = _with_units(found, choices)
    names = found.table.header
    columns = dict.fromkeys(block.values[measure] for block in found.blocks for measure in found.times)
    own = {at: found.table.units.get(names[at]) or unit_of(names[at]) for at in columns}
    bare = [names[at] for at, unit in own.items() if not unit]
    if "cutoff" in found.at:
        limit = names[found.at["cutoff"]]
        own[found.at["cutoff"]] = found.table.units.get(limit) or unit_of(limit)
    asked = [name for name in bare if found.table.units and any(map(number, found.table.column(name)))]
    if asked and not choices.unit:
        what = f"the cells of {', '.join(found.table.units)} have a unit, but those of {asked[0]} have none"
        return found.refused(what, "Name the missing unit: --times-in s (or ns, us, ms, min, h).")
    if choices.unit:
        units = {at: unit or choices.unit for at, unit in own.items()}
        return replace(found, table=found.table.with_cells(units, partial(_seconds, units)), unit="s")
    column_in = {unit: names[at] for at, unit in own.items() if unit}
    if found.is_wide and bare and len(column_in) == 1 and not found.table.units:
        column_in = {}  # the name of a solver looks like a unit
    if len(column_in) > 1 or (bare and column_in and "s" not in column_in):
        what = f"{' and '.join(column_in.values())} are in different units"
        if len(column_in) == 1:
            ((unit, name),) = column_in.items()
            what = f"{name} is in {unit}, but {bare[0]} has no unit"
        hint = "Leave one out with --column ignore=NAME, or give the unit of the others with --times-in s."
        return found.refused(what, hint)
    return replace(found, unit=next(iter(column_in), ""))


def _with_units(found: Layout, choices: TableChoices) -> Layout:
    """The table with times in seconds if their cells have a unit, such as 66.37us.

    A number without a unit, in such a column, is in the unit of the column's name or of ``--times-in``;
    without either the column stays as it is, and its cells with a unit are refused.
    """
    table, names = found.table, found.table.header
    columns = {at for block in found.blocks for at in block.values.values()}
    columns |= {found.at["cutoff"]} if "cutoff" in found.at else set()
    said: dict[int, str] = {}
    for at in sorted(columns):
        cells = table.column(at)
        stated = next((cell for cell in cells if seconds_of(cell) is not None), "")
        unit = unit_of(names[at]) or choices.unit
        if stated and (unit or not any(number(cell) for cell in cells)):
            said[at] = stated
    if not said:
        return found

    table = table.with_cells(
        said, partial(_seconds, {at: unit_of(names[at]) or choices.unit for at in said})
    )
    units = {**table.units, **{names[at]: "s" for at in said}}
    what = f"the cells of {list_names(units, quoted=False)} have units ({next(iter(said.values()))!r})"
    table = replace(table, units=units).told("runs-understood", f"{what}: all were converted to seconds")
    return replace(found, table=table)


def _seconds(unit: Mapping[int, str], at: int, cell: str) -> str:
    """A time in seconds, by the unit of its cell or column; other cells as they are."""
    value = number(cell)
    own = seconds_of(cell) if value is None else to_seconds(value, unit[at]) if unit[at] else value
    return cell if own is None else repr(own)


def _faults(found: Layout, choices: TableChoices) -> Iterator[Asked]:
    header = found.table.header
    if not found.blocks:
        yield "no column is named solver or algorithm", listed_columns(header, "solver")
    if not found.quality:
        names = [name for name, why in found.ignored if why == UNKNOWN]
        unread = [name for name in names if is_quality(name)]
        hint = f"To rank the runs by a quality, add {choosing('objective', *unread[:1] or ['NAME'])}."
        if again := repetitions(names):
            told = list_names([names[k] for columns in again.values() for k in columns], most=_FEW)
            hint += f" If {told} are times of repetitions, add --duplicates number."
        yield "no column is named time or runtime", f"{listed_columns(header, 'time')} {hint}"
    for block in found.blocks:
        if lacking := [measure for measure in found.quality if measure not in block.values]:
            hint = "Add the column, or leave out those of the others with --column ignore=NAME."
            yield f"{block.solver} has no column {', '.join(lacking)}, but other solvers have one", hint
    for role in _WORDS:
        without = [block.solver for block in found.blocks if getattr(block, role) is None]
        if 0 < len(without) < len(found.blocks):
            part = next(header[getattr(each, role)] for each in found.blocks if each.solver not in without)
            hint = f"Add the column, or leave it out with {choosing('ignore', part.rpartition(':')[2])}."
            yield f"{without[0]} has no column {role}, but other solvers have one", hint
    if choices.cells and not found.is_wide:
        column = header[found.at["solver"]]
        what = f"--cells is for tables with one column per solver, but here {column!r} names the solver"
        yield what, "Use --column objective=NAME for a quality, --column time=NAME for a time."
    yield from _directions(found, choices)


def _directions(found: Layout, choices: TableChoices) -> Iterator[Asked]:
    """Directions that do not fit a measure, and measures without a known direction."""
    for names, what in ((choices.maximize, "maximised"), (choices.minimize, "minimised")):
        for name in names:
            if name not in found.qualities:
                there = ", ".join(found.qualities)
                there = f"The qualities are {there}." if there else "The table has no quality."
                yield f"{name!r} is not a quality that can be {what}", there
    for name in found.qualities:
        # For an objective that no option names, less is assumed to be better, with a warning.
        is_first = name == next(iter(found.quality))
        is_plain = not is_quality(name) and not (is_first and name in choices.chosen("objective"))
        is_plain = name == "objective" != plain(choices.cells) if found.is_wide else is_plain
        if not (
            is_plain or name in (*choices.maximize, *choices.minimize) or is_less(name) or is_more(name)
        ):
            said = shlex.quote(name)
            hint = f"Add --maximize {said} or --minimize {said}."
            yield f"it is not known whether more or less of {name} is better", hint


# Other readings of a table, about which its user is asked.

_PERCENT, _FEW = 100, 4
# Words in names of columns that are not solvers: anywhere, at the start, at the end.
_OTHER = re.compile(
    "diff(erence)?s?|delta|gap|speedup|ratio|improvement|hardness|difficulty|folds?|cv"
    "|iter(ation)?s?|epochs?|loss(es)?|regret|accuracy|feat(ure)?s?|counts?|rank(s|ing)?"
    "|rewards?|scores?|probability|confidence|percent(age)?|conflicts|decisions|entropy"
    "|propagations|restarts|backtracks|nodes|objective|tokens|price|costs?|predictions?"
    "|latency|throughput|bandwidth|requests|cycles|ticks?|depth|param(eter)?s|likes|downloads|votes|elo"
)
_FIRST = re.compile("best|worst|min|max|mean|avg|average|median|total|number|num|nb|std")
_LAST = re.compile("id|idx|index|nr|mem|memory|size|len(gth)?|year|mean|std|stddev|variance")
_FEATURE = re.compile(r"f\d+")
_MEASURES = ("metric", "metric_name", "measure", "eval_metric", "scoring")


# What to type.


def listed_columns(names: Sequence[str], role: str = "ROLE") -> str:
    """The columns of a table, and the option that gives one of them a role."""
    more = ", …" if len(names) > NAMED else ""
    how = "To give one a role" if role == "ROLE" else f"If one of them is the {role}"
    return f"The table has the columns {', '.join(names[:NAMED])}{more}. {how}, add --column {role}=NAME."


# Columns of solvers that may be something else.


def ask_of_words(
    table: RawTable, at: Mapping[str, int], attributes: Sequence[str], choices: TableChoices
) -> Asked | None:
    """What to ask about an attribute with the cells of a solver, or one that names several measures."""
    if any(":" in name for name in table.header):  # a:time names the solver
        return None
    roles = dict.fromkeys(attributes, "attribute")
    roles |= {table.header[k]: role for role, k in at.items() if role in ("scenario", "family", "expected")}
    for name in sorted(roles.keys() - {name for _, name in choices.column}):
        cells = table.column(name)
        if all(map(is_cell_of_times, cells)) and any(number(cell) is not None for cell in cells):
            what = f"{name!r} has the cells of a solver, but the name of an attribute of instances"
            called = table.called({name: f"{name}:time"})
            return what, f"If it is a solver, {called}. Otherwise, add {choosing(roles[name], name)}."
        if plain(name) in _MEASURES and len({*cells}) > 1:
            hint = f"Make a table of each. If one direction fits all, add {choosing('attribute', name)}."
            return f"{name!r} names several measures: {list_names(dict.fromkeys(cells))}", hint
    return None


def ask_of_solvers(
    table: RawTable,
    columns: Mapping[str, Mapping[str, int]],
    bare: Sequence[str],
    texts: Sequence[str],
    single: Sequence[str],
    instances: Sequence[str],
    choices: TableChoices,
) -> Asked | None:
    """What is wrong in a table whose columns are solvers, or may mean something else.

    columns: of each solver. bare, texts: columns without ``:what``, of numbers and of anything else.
    single: known columns of no solver. instances: of the rows.
    """
    texts = [name for name in texts if ":" not in name]
    is_bare = len(bare) == len(columns) and not any(":" in name for name in table.header)
    timed = [name for name in single if is_time(name) or name in choices.chosen("time")]
    timed += [name for name in single if any(map(says_failure, table.column(name)))]
    named = [name for name in bare if is_phase(name) or (is_quality(name) and is_part(name))]
    named += [name for name in bare if len(bare) == 1 and "time" in plain(name).split("_")]
    timed += [name for name in named if not _FEATURE.fullmatch(plain(name))]
    keys = keys_of(table, texts, instances) if is_bare else []
    is_repeated = keys and len({*instances}) < len(instances)
    if is_bare and (timed or is_repeated or (single and len(bare) == 1)):
        typed = " or ".join(choosing("solver", name) for name in keys)
        way = f"If {list_names(keys)} holds the solver, add {typed}." * bool(keys)
        way = way or listed_columns(table.header, "solver")
        hint = f"{way} If each file holds the runs of one solver, add --one-file-per solver."
        if len(bare) > 1:
            hint += f" If all other columns are solvers, add {choosing('ignore', *(timed or keys))}."
        return "each row seems to be a run, but no column is named solver or algorithm", hint
    if paired := _ask_of_part(table, bare, choices.cells) or ask_of_pairs(table, bare, texts):
        return paired
    if choices.cells and not (bare or any(":" in name for name in table.header)):
        return f"no column of a solver holds {choices.cells}", listed_columns(table.header)
    if not bare:
        worth = {name: {cell for cell in table.column(name) if not is_missing(cell)} for name in texts}
        names = [name for name, cells in worth.items() if cells and None not in map(quality, cells)]
        return (
            _ask_of_qualities(names, "truth values, percentages or means", times=False) if names else None
        )
    if repetitions(bare):
        what = f"the columns {list_names(bare, most=_FEW)} may be repetitions rather than solvers"
        called = table.called({name: f"{name}:{choices.cells or 'time'}" for name in bare})
        return what, f"If they are, add --duplicates number. If each is a solver, {called}."
    is_told = (
        choices.unit or choices.cells or any(":" in name for name in {*table.header} - {*table.renamed})
    )
    asked = None if is_told else _ask_of_times(table, bare, choices.cutoff or _PERCENT)
    return asked or _ask_of_bare(table, bare, choices.cells)


def _ask_of_part(table: RawTable, bare: Sequence[str], part: str) -> Asked | None:
    """What to ask where solvers were told by a part of their names that other columns lack."""
    has_part = any(plain(part) == plain(name.rpartition(":")[2]) for name in table.renamed)
    others = [name for name in bare if not any(each.startswith(f"{name}:") for each in table.header)]
    if not (has_part and others):
        return None
    what = f"no column {part!r} belongs to {list_names(others, most=NAMED)}"
    return what, f"If they belong to no solver, add {choosing('ignore', *others)}."


def _ask_of_bare(table: RawTable, solvers: Sequence[str], measure: str) -> Asked | None:
    """What to ask about columns whose names suggest folds, ranks, losses or features."""
    if "feature" in Path(table.file).name.lower() or all(map(_FEATURE.fullmatch, map(plain, solvers))):
        new = ", ".join(f"feature:{name}" for name in solvers[:NAMED])
        called = table.called({name: f"{name}:{measure or 'time'}" for name in solvers})
        what = f"{list_names(solvers, most=NAMED)} may be features of instances rather than solvers"
        hint = f"If they are, add --features {shlex.quote(table.file)} when you import the runs,"
        return what, f"{hint} or add them to the table of runs as {new}. If they are solvers, {called}."
    timed = [name for name in solvers if not measure and is_time(parted(name)[1])]
    wrong = [
        name
        for name in solvers
        if _is_other(name)
        or (len(timed) > 1 and name not in timed)
        or (not measure and is_outcome({*table.column(name)} - MISSING, alone=False))
    ]
    if not wrong:
        return None
    hint = "If each row is a run, name the column of the solver with --column solver=NAME"
    if len(wrong) < len(solvers):
        hint = f"If they are not solvers, add {choosing('ignore', *wrong)}"
    what = f"these columns do not look like columns of solvers: {list_names(wrong, most=NAMED)}"
    called = table.called({name: f"{name}:{measure or 'time'}" for name in wrong})
    return what, f"{hint}. If they are solvers, {called}."


def _is_other(name: str) -> bool:
    """Whether a name suggests that its column belongs to no solver and to no instance."""
    words = plain(name).split("_")
    is_known = any(map(_OTHER.fullmatch, words_of(name).split("_")))
    return bool(is_known or _FIRST.fullmatch(words[0]) or _LAST.fullmatch(words[-1]))


def _ask_of_times(table: RawTable, solvers: Sequence[str], cutoff: float) -> Asked | None:
    """What to ask if all cells lie within 0 and 1, or most look like high percentages."""
    cells = [cell for name in solvers for cell in table.column(name)]
    numbers = [number(cell) for cell in cells]
    values = [value for value in numbers if value is not None]
    words = {cell.lower() for cell, value in zip(cells, numbers, strict=True) if value is None} - MISSING
    if below := [value for value in values if value < 0 and value != -1]:  # -1 may stand for a failure
        return _ask_of_qualities(solvers, f"partly below 0 ({below[0]:g})")
    if not values or words or min(values) < 0:
        return None
    if max(values) <= 1:
        return _ask_of_qualities(solvers, "between 0 and 1")
    below = [value for value in values if value < cutoff]
    if max(values) <= cutoff <= _PERCENT and len(below) >= _FEW and median(below) > cutoff / 2:
        said = f"below {cutoff:g} and mostly above {cutoff / 2:g}, like percentages"
        return _ask_of_qualities(solvers, said)
    return None


def _ask_of_qualities(names: Sequence[str], what: str, *, times: bool = True) -> Asked:
    said = f"the cells of {list_names(names, most=NAMED)} are {what}, so perhaps they are not times"
    hint = f"For accuracies, add --cells accuracy. For another quality, add {QUALITY_OF}."
    return said, f"{hint} For times, add --cells time." if times else hint


# No column of instances.


def no_instance(table: RawTable, at: Mapping[str, int], free: Sequence[str]) -> Asked:
    """What to say if no column names the instances: the free columns that may do so."""
    what = "no column is named instance, benchmark or problem"
    hint = listed_columns(table.header, "instance")
    used = {table.header[k] for k in at.values()}
    rest = [n for n in free if n not in used and not (is_time(n) or is_quality(n) or is_solution(n))]
    keys: tuple[str, ...] = ()
    model = first_called(rest, ("model", "models", "model_name", "model_id", "llm", "router", "key_1"))
    solver = table.header[at["solver"]] if "solver" in at else model
    if solver is not None:
        of = table.column(solver)
        if len(of) - len({*of}) <= (0 if "solver" in at else len(of) // 10):
            turn = f"add {choosing('solver', solver)} --cells accuracy (or time, or {NAME_OF})."
            if "solver" in at:
                what += ", and each solver has only one row, as if columns were instances"
                return what, f"If they are, {turn} {hint}"
            hint = f"If it names instances, add {choosing('instance', solver)}. If it names solvers, {turn}"
            return f"{what}, and {solver!r} may name instances or solvers", hint
        rest = [name for name in rest if name != solver]
        columns = {name: table.column(name) for name in keys_of(table, rest, of)}
        who = [of, *(table.column(at[role]) for role in ("repetition",) if role in at)]
        keys = telling_apart(columns, runs=[*zip(*who, strict=True)], of=of) or tuple(columns)
    if not keys:  # a column of words that differ in each row
        words = (name for name in rest if not any(map(is_cell_of_times, table.column(name))))
        keys = tuple(name for name in words if len({*table.column(name)}) == len(table.rows))[:1]
    typed = choosing("instance", "+".join(keys))
    typed += f" {choosing('solver', solver)}" if solver and "solver" not in at else ""
    return what, f"If the instance is in {' and '.join(keys)}, add {typed}. {hint}" if keys else hint


def keys_of(table: RawTable, names: Sequence[str], of: Sequence[str]) -> list[str]:
    """The columns that may name something, and do not say what is solved. of: as in ``may_name``."""
    return [
        name
        for name in names
        for cells in [table.column(name)]
        if len({*cells}) > 1 and may_name(cells, of)
        if not is_outcome(map(str.lower, cells), alone=False)
    ]
