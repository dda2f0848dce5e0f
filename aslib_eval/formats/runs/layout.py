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
from aslib_eval.formats.format import TableChoices, is_runtime, plain
from aslib_eval.formats.runs.cells import (
    LOGGED,
    PARTS,
    UNITS,
    is_logged,
    may_name,
    number,
    says_failure,
    to_seconds,
)
from aslib_eval.formats.runs.raw_table import RawTable
from aslib_eval.formats.runs.readings import (
    CAMEL,
    JOINED,
    PERCENT,
    by_family,
    called,
    choosing,
    is_sum,
    is_truth,
    is_virtual,
    other_reading,
    parts_of,
    shaped,
    without_computed_rows,
)

# A column of truth values that says whether a run is solved.
SUCCESS = ("solved", "is_solved", "success")
ALIASES: Mapping[str, tuple[str, ...]] = {
    "scenario": ("scenario", "scenario_id"),
    "instance": (
        *("instance", "instance_id", "instance_name", "inst", "benchmark"),
        *("benchmark_name", "problem", "problem_name", "task", "task_name", "formula"),
        *("file", "filename", "file_name", "input", "cnf", "wcnf", "opb", "hash"),
        *("instance_hash", "benchmark_hash", "benchmark_id", "problem_id"),
    ),
    "solver": (
        *("solver", "solver_name", "algorithm", "algorithm_name", "algo"),
        *("configuration", "config", "method", "tool", "system", "optimizer"),
    ),
    "status": ("status", "runstatus", "run_status", "exit_status"),
    "answer": ("result", "answer", "outcome", "verdict", *SUCCESS),
    "expected": (
        *("expected", "expected_result", "expected_answer", "expected_status"),
        *("expected_verdict", "ground_truth"),
    ),
    "repetition": ("repetition", "rep", "repeat", "seed", "trial", "run"),
    "objective": ("objective", "objective_value", "obj", "cost", "quality"),
    "best": ("best_known", "best", "bks", "best_objective", "reference"),
    "cutoff": ("cutoff", "cutoff_time", "timeout", "time_limit", "timelimit", "limit"),
    "family": ("family", "instance_family"),
}
# Columns that are attributes of instances by their names.
ATTRIBUTES = frozenset(
    {
        *("track", "subtrack", "category", "class", "domain", "division", "logic"),
        *("group", "suite", "theme", "benchmark_set", "instance_set", "subset"),
        "ground_truth",
    }
)
_NO_TIME = re.compile(r"log\d*|par\d*|score|penali[sz]ed|algorithm")
_SHORT_TIMES = {"cpu", "wall", "real", "t"}
# Columns of a table with a column a solver that count something, and are no solver.
_COUNTS = re.compile(
    r"id|index|nr|no|year|date|seed|(n|num|nr|number)_.*|.*_count"
    r"|(n_?|num_?)?(vars|variables|clauses|literals|nodes|edges|constraints)"
    r"|((file_?)?size|memory|mem)(_[kmgt]?i?b|_bytes)?"
    r"|rank|score|difficulty|hardness|weight|minimum|maximum|min|max"
)
_NAMED = 16  # columns that a message names
# Why a column is not read, where it may still be an attribute of instances.
UNKNOWN, NO_TIME = "its name is not known", "none of its cells is a time"
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
    status: int | None
    values: Mapping[str, int]
    answer: int | None = None


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


def is_time(name: str) -> bool:
    """Whether a column is called like a runtime of solvers, not like PARk or a log."""
    words = plain(name).split("_")
    if any(_NO_TIME.fullmatch(word) for word in words):
        return False
    core = [word for word in words if word not in UNITS]
    return is_runtime(name) or (len(core) == 1 and core[0] in _SHORT_TIMES)


def unit_of(name: str) -> str:
    """The unit in the name of a column; empty where it says none.

    It is the last word; in a column of times a part of a second is any word.
    """
    words = plain(CAMEL.sub(" ", name)).split("_")
    found = [unit for word in words if (unit := UNITS.get(word)) in PARTS]
    last = UNITS.get(words[-1], "")
    return last or (found[-1] if found and is_time(name) else "")


def is_cell_of_times(cell: str) -> bool:
    """Whether a cell makes its column one of times: a number, or a word of failure."""
    return number(cell) is not None or says_failure(cell)


def layout_of(table: RawTable, choices: TableChoices) -> Layout:
    """The columns of a table; a finding of severity error where that is not clear."""
    raw = table
    if any(found.severity == "error" for found in table.findings):
        whole = (row for row in table.rows if len(row[1]) == len(table.header))
        table = replace(table, rows=tuple(whole))
    table = shaped(
        _with_one_header(table),
        choices,
        is_solver=lambda name: plain(name) in ALIASES["solver"],
        is_instance=lambda name: plain(name) in ALIASES["instance"],
    )
    new = table.findings[len(raw.findings) :]
    if any(found.severity == "error" for found in new):
        return Layout(raw, {}, findings=new)
    table = by_family(
        table,
        choices,
        instance=_column(table.header, "instance", choices),
        family=_column(table.header, "family", choices),
    )
    names = list(table.header)
    if repeated := sorted(twice(names)):
        what = f"two columns are called {', '.join(map(repr, repeated))}"
        return _refused(table, what, "Rename one.")
    given = {r: name for r, name in choices.column if r not in ("ignore", "attribute")}
    wanted = [*(name for _, name in choices.column), *choices.measure]
    position = {name: at for at, name in enumerate(names)}
    if missing := [name for name in wanted if name not in position]:
        what = f"there is no column {' or '.join(map(repr, missing))}"
        hint = _columns(names)
        if any("+" in name for name in missing):
            hint += f" Columns are joined by + for {', '.join(JOINED)}."
        if missing == [FAMILY]:
            hint = f"Say --family path:N, which takes it of their names. {hint}"
        return _refused(table, what, hint)
    at = {role: position[name] for role, name in given.items()}
    taken = {*given.values(), *choices.measure, *choices.chosen("ignore")}
    free = [n for n in names if n not in taken]
    at |= {
        role: position[found]
        for role, aliases in ALIASES.items()
        if role not in given
        for found in [_first(free, aliases)]
        if found is not None
    }
    both = [n for n in free if plain(n) in ALIASES["answer"]]
    both = [n for n in both if n not in choices.chosen("attribute")]
    if len(both) > 1 and "answer" not in given:
        what = f"{' and '.join(map(repr, both))} may both say what a run answered"
        hint = "--column answer=NAME says which does; --column ignore=NAME leaves one out."
        return _refused(table, what, hint)
    if "instance" not in at:
        return _refused(table, *_no_instance(table, at, free))
    table = without_computed_rows(table, at)
    used = set(at.values())
    of_instances = {*choices.chosen("attribute")}
    attribute = {
        n: position[n]
        for n in free
        if n in of_instances or (plain(n) in ATTRIBUTES and position[n] not in used)
    }
    used |= set(attribute.values())
    rest = [n for n in free if position[n] not in used and not n.startswith("feature:")]
    parts = parts_of(choices)
    rest = [name for name in rest if name not in parts]
    feature = {n.removeprefix("feature:"): position[n] for n in free if n.startswith("feature:")}
    start = Layout(table, at, feature=feature, attribute=attribute)
    found = (_long if "solver" in at else _wide)(start, rest, choices)
    return _judged(found, choices)


def _is_turned(table: RawTable, solver: int) -> bool:
    """Whether all columns but that of the solvers hold times, and no name is known."""
    names = [cells[solver] for _, cells in table.rows]
    rest = [at for at in range(len(table.header)) if at != solver]
    known = {alias for aliases in ALIASES.values() for alias in aliases}
    named = any(plain(n) in known or is_time(n) for n in map(table.header.__getitem__, rest))
    return (
        len(rest) > 1
        and not named
        and len(names) == len({*names})
        and all(is_cell_of_times(cells[at]) for _, cells in table.rows for at in rest)
    )


def _no_instance(table: RawTable, at: Mapping[str, int], free: Sequence[str]) -> tuple[str, str]:
    """That no column names the instances, and which of the free ones may do so."""
    what = "there is no column instance/benchmark/problem"
    hint = _columns(table.header, "instance")
    if "solver" not in at:
        return what, hint
    if _is_turned(table, at["solver"]):
        what += ": its rows are solvers, and its columns instances"
        return what, "Turn it round, so that its rows are instances."
    of = [cells[at["solver"]] for _, cells in table.rows]
    places = {name: table.header.index(name) for name in free if not is_time(name)}
    keys = [
        name
        for name, k in places.items()
        if k not in at.values() and may_name([cells[k] for _, cells in table.rows], of)
    ]
    typed = choosing("instance", "+".join(keys))
    return what, f"Is it {', '.join(keys)}? {typed}. {hint}" if keys else hint


def _refused(table: RawTable, what: str, hint: str) -> Layout:
    found = new_finding("runs-table", file=table.file, line=table.line, what=what, hint=hint)
    return Layout(table, {}, findings=(found,))


def _columns(names: Sequence[str], role: str = "ROLE") -> str:
    more = ", …" if len(names) > _NAMED else ""
    return f"It has {', '.join(names[:_NAMED])}{more}; --column {role}=NAME says which it is."


def _first(names: Sequence[str], aliases: Sequence[str]) -> str | None:
    by_plain = {plain(name): name for name in reversed(names)}
    return next((by_plain[alias] for alias in aliases if alias in by_plain), None)


def _column(names: Sequence[str], role: str, choices: TableChoices) -> str | None:
    """The column of a role, as its user says or by its name; None if there is none."""
    said = choices.chosen(role)
    found = said[0] if said else _first(names, ALIASES[role])
    return found if found in names else None


# A column names the solver.


def _long(start: Layout, rest: Sequence[str], choices: TableChoices) -> Layout:
    names, at = start.table.header, dict(start.at)
    times = [names[at.pop("time")]] if "time" in at else []
    times += [name for name in rest if is_time(name) and name not in times]
    empty = [] if choices.chosen("time") else _only_zeros(start.table, times)
    times = [name for name in times if name not in empty]
    values = {name: names.index(name) for name in times}
    if len(times) == 1:
        values = {RUNTIME: values[times[0]]}
    quality = dict.fromkeys(values, False)
    if "objective" in at:
        name = names[at["objective"]]
        values[name], quality[name] = at.pop("objective"), True
    for name in choices.measure:
        values[name] = names.index(name)
        quality[name] = not is_time(name)
    status, answer = _one_of(at.pop("status", None), at.pop("answer", None))
    passed = {"run", *LOGGED} if is_logged(names) else set()
    ignored = [
        (n, UNKNOWN if n else "it has no name, like the index of pandas")
        for n in rest
        if n not in {*times, *empty, *passed}
    ]
    ignored += [(name, _ZERO) for name in empty]
    block = SolverColumns(None, status, values, answer)
    return replace(start, at=at, blocks=(block,), quality=quality, ignored=tuple(ignored))


def _only_zeros(table: RawTable, times: Sequence[str]) -> list[str]:
    """The columns of times that hold nothing but 0, where others hold more."""
    zero = []
    for name in times:
        at = table.header.index(name)
        if {number(cells[at]) for _, cells in table.rows} == {0.0}:
            zero.append(name)
    return zero if len(zero) < len(times) else []


def _one_of(status: int | None, answer: int | None) -> tuple[int | None, int | None]:
    """The columns of both; a single one says how the run ended and what it answered."""
    return (answer, None) if status is None else (status, answer)


# Solvers are columns.


def _wide(start: Layout, rest: Sequence[str], choices: TableChoices) -> Layout:
    table, at = start.table, dict(start.at)
    names = table.header
    roles = ("time", "status", "answer", "objective")
    single = [names[at.pop(role)] for role in roles if role in at]
    single += [n for n in rest if is_time(n)]
    ignored = [(n, "it belongs to no solver") for n in (*single, *choices.measure)]
    columns: dict[str, dict[str, int]] = {}
    bare: list[str] = []
    texts: list[str] = []
    for name in (n for n in rest if n not in single):
        solver, colon, what = name.rpartition(":")
        part = _part(what) if colon else "time"
        position = names.index(name)
        if not (solver.strip() if colon else name):
            ignored.append((name, "it has no name"))
        elif is_virtual(solver or name):
            ignored.append((name, "virtual solvers are computed, not read"))
        elif not part:
            ignored.append((name, f"{what!r} is not time, status or objective"))
            texts.append(name)
        elif not colon and (why := _why_no_solver(table, position)):
            ignored.append((name, why))
            texts += [name] if why == NO_TIME else []
        else:
            bare += [] if colon else [name]
            key = what.strip() if part == "time" and colon else part
            mine = columns.setdefault(solver.strip() if colon else name, {})
            if mine.setdefault(key, position) != position:
                ignored.append((name, "its solver has such a column already"))
    asked = _asked(table, columns, bare, texts, single, choices, at)
    if asked := _solvers_or_words(start, choices) or asked:
        return _refused(table, *asked)
    kinds = dict.fromkeys(k for c in columns.values() for k in c if k not in _WORDS)
    times = [kind for kind in kinds if kind != "objective"]
    name_of = {kind: kind for kind in kinds}
    if len({plain(kind) for kind in times}) == 1:
        name_of |= dict.fromkeys(times, RUNTIME)
    blocks = tuple(
        SolverColumns(
            solver, status, {name_of[kind]: at for kind, at in found.items() if kind not in _WORDS}, answer
        )
        for solver, found in columns.items()
        for status, answer in [_one_of(found.get("status"), found.get("answer"))]
    )
    ordered = (*times, *kinds.keys() & {"objective"})
    quality = {name_of[kind]: kind == "objective" for kind in ordered}
    return replace(start, at=at, blocks=blocks, quality=quality, ignored=tuple(ignored))


def _solvers_or_words(start: Layout, choices: TableChoices) -> tuple[str, str] | None:
    """What to ask of a column that is an attribute by its name and a solver by its cells."""
    table, said = start.table, {name for _, name in choices.column}
    if any(":" in name for name in table.header):  # as in a:time, which says who is a solver
        return None
    roles = dict.fromkeys(start.attribute, "attribute")
    roles |= {table.header[at]: r for r, at in start.at.items() if r in ("scenario", "family", "expected")}
    for name in sorted(roles.keys() - said):
        cells = [cells[table.header.index(name)] for _, cells in table.rows]
        if any(number(cell) is not None for cell in cells) and all(map(is_cell_of_times, cells)):
            what = f"{name!r} may be a solver, by its cells, or say something of instances, by its name"
            hint = f"Where it is one, {called(table, [name], 'time')}; else say"
            return what, f"{hint} {choosing(roles[name], name)}."
    return None


def _asked(
    table: RawTable,
    columns: Mapping[str, Mapping[str, int]],
    bare: Sequence[str],
    texts: Sequence[str],
    single: Sequence[str],
    choices: TableChoices,
    at: Mapping[str, int],
) -> tuple[str, str] | None:
    """What is wrong or may be meant otherwise where solvers are called by columns.

    columns: of each solver. bare, texts: columns without ``:what``, of numbers and of anything else.
    single: known columns of no solver.
    """
    for name in (name for name in texts if ":" in name):
        if is_truth([cells[table.header.index(name)] for _, cells in table.rows]):
            what = f"{name!r} may say whether runs are solved"
            called = f"Call it {name.rpartition(':')[0]}:solved"
            return what, f"{called}, or say {choosing('ignore', name)}."
    texts = [name for name in texts if ":" not in name]
    is_bare = len(bare) == len(columns) and not any(":" in n for n in table.header)
    timed = [n for n in single if is_time(n) or n in choices.chosen("time")]
    if is_bare and (timed or (single and len(bare) == 1)):
        what = "there is no column solver/algorithm, and a row is a run"
        of = [cells[at["instance"]] for _, cells in table.rows]
        column = {n: [c[table.header.index(n)] for _, c in table.rows] for n in texts}
        keys = [choosing("solver", name) for name in texts if may_name(column[name], of)]
        hint = _columns(table.header, "solver")
        if keys:
            hint = f"Is it in a column? {' or '.join(keys)}."
        hint += " In a file of one solver, add a column solver with its name in each"
        hint += " row."
        if timed and len(bare) > 1:
            hint += f" If the columns are solvers: {choosing('ignore', *timed)}."
        return what, hint
    timed_by_user = bool(choices.unit) or not is_bare
    cutoff = None if timed_by_user else choices.cutoff or PERCENT
    return other_reading(table, bare, texts, _part, cutoff=cutoff)


def _why_no_solver(table: RawTable, position: int) -> str:
    """Why a column is none of a solver's times; empty where it may be one."""
    name = plain(table.header[position])
    if name in ALIASES["instance"]:
        return "it names the instances another time"
    if _COUNTS.fullmatch(name) or is_sum(name):
        return "it counts something, and is no solver"
    cells = (cells[position] for _, cells in table.rows if position < len(cells))
    return "" if any(map(is_cell_of_times, cells)) else NO_TIME


def _part(name: str) -> str:
    """What a column of a solver holds; empty where its name does not say."""
    if is_time(name):
        return "time"
    known = (r for r in (*_WORDS, "objective") if plain(name) in ALIASES[r])
    return next(known, "")


def _with_one_header(table: RawTable) -> RawTable:
    """Two rows of names as one, ``SOLVER:what``; other tables as they are."""
    if not table.rows or not table.separated:
        return table
    line, below = table.rows[0]
    if len(below) < 2 or not all(_part(cell) for cell in below[1:]):  # noqa: PLR2004 - a solver beside the instance
        return table
    header, solver = [table.header[0]], ""
    for name, what in zip(table.header[1:], below[1:], strict=False):
        solver = name or solver
        header.append(f"{solver}:{what}")
    rows = table.rows[1:]
    corner = [table.header[0], below[0]]
    if rows and not any(rows[0][1][1:]):  # as pandas writes the index's name
        corner.append(rows[0][1][0])
        known = plain(corner[-1]) in ALIASES["instance"]
        rows = rows[1:] if known else rows
    header[0] = _first(corner, ALIASES["instance"]) or "instance"
    return replace(table, header=tuple(header), line=line, rows=rows)


# Whether what was found is a table of runs.


def _judged(found: Layout, choices: TableChoices) -> Layout:
    if found.findings:
        return found
    wrong = next(_faults(found, choices), None)
    if wrong is not None:
        return replace(_refused(found.table, *wrong), ignored=found.ignored)
    times = [
        found.table.header[position]
        for block in found.blocks
        for measure, position in block.values.items()
        if not found.quality[measure]
    ]
    units = {unit: name for name in times if (unit := unit_of(name))}
    if "cutoff" in found.at:
        name = found.table.header[found.at["cutoff"]]
        units |= {unit: name} if (unit := unit_of(name)) else {}
    if choices.unit:
        return _in_seconds(found, times, choices.unit)
    bare = [name for name in times if not unit_of(name)]
    if found.is_wide and bare and len(units) == 1:
        units = {}  # a solver that is called so, beside others that are not
    if len(units) > 1 or (bare and units and "s" not in units):
        names = " and ".join(units.values())
        what = f"{names} are in different units"
        if len(units) == 1:
            what = f"{names} is in {next(iter(units))}, {bare[0]} does not say its unit"
        hint = "Leave one out with --column ignore=NAME, or say --unit s, of columns that"
        hint += " do not say their unit: all become seconds."
        return _refused(found.table, what, hint)
    return replace(found, unit=next(iter(units), ""))


def _in_seconds(found: Layout, times: Sequence[str], unit: str) -> Layout:
    """The table with all times in seconds.

    times: the columns of runtimes. unit: of those whose names do not say it.
    """
    names = found.table.header
    own = {names.index(name): unit_of(name) or unit for name in times}
    if "cutoff" in found.at:
        own[found.at["cutoff"]] = unit_of(names[found.at["cutoff"]]) or unit
    rows = tuple(
        (line, tuple(_seconds(cell, own[at]) if at in own else cell for at, cell in enumerate(cells)))
        for line, cells in found.table.rows
    )
    return replace(found, table=replace(found.table, rows=rows), unit="s")


def _seconds(cell: str, unit: str) -> str:
    value = number(cell)
    return cell if value is None else repr(to_seconds(value, unit))


def _faults(found: Layout, choices: TableChoices) -> Iterator[tuple[str, str]]:
    names = found.table.header
    if not found.blocks:
        yield "there is no column solver/algorithm", _columns(names, "solver")
    if not found.quality:
        yield "there is no column time/runtime", _columns(names, "time")
    for block in found.blocks:
        lacking = [measure for measure in found.quality if measure not in block.values]
        if lacking:
            yield (
                f"{block.solver} has no column {', '.join(lacking)}, others have",
                "Add it, or leave the others out with --column ignore=NAME.",
            )
    for role in _WORDS:
        has = [getattr(block, role) is not None for block in found.blocks]
        if any(has) and not all(has):
            yield f"{found.blocks[has.index(False)].solver} has no column {role}, others have", "Add it."
    for name in choices.maximize:
        if not found.quality.get(name, False):
            there = ", ".join(m for m, quality in found.quality.items() if quality)
            hint = f"Such are {there}." if there else "There is no such measure."
            yield f"{name!r} is no measure that can be maximised", hint
