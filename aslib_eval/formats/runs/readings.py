"""Shapes of tables that become a table of runs, and whether each column of a wide one is a solver.

A table without a column of solvers is wide only where no other reading fits.

Shapes of tables of runs: one row of names, then a row a run or an instance.

Two rows of names become one, columns that stand there anew for each solver a row each, and columns that are
joined by ``+`` one. Rows of virtual solvers and sums are left out. A table without names is refused.
"""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile
from pathlib import Path
from statistics import median

from aslib_eval.formats.aslib.lint.reporting import NAMES, new_finding
from aslib_eval.formats.attributes import FAMILY, attribute_choices
from aslib_eval.formats.format import TableChoices, known, plain
from aslib_eval.formats.runs.cells import MISSING, STATUS_WORDS, number, says_failure
from aslib_eval.formats.runs.raw_table import NumberedRow, RawTable, groups
from aslib_eval.text import plural

Columns = Mapping[str, Sequence[str]]  # name → cells
# Pairs of words of which the first is said of a run that is solved.
_PAIRS = "true false, yes no, t f, y n, 1 0, 1.0 0.0, pass fail, passed failed, ✓ ✗, ✔ ✘"
GOOD = dict(pair.split() for pair in _PAIRS.split(", "))
Asked = tuple[str, str]  # what may be meant otherwise, and what to type
PERCENT, _FEW = 100, 4
_NAMED = 16  # columns that a message names
CAMEL = re.compile("(?<=[a-z0-9])(?=[A-Z])")  # between two words of aB
_JOINT = re.compile(rf"[\W_]+|{CAMEL.pattern}")
_BESIDE = re.compile("(total|avg|mean|max|min|num|n|is|cpu|wall)_")
_QUALITIES = re.compile("scores?|rewards?|correct|success_rate|fitness|loss(es)?|errors?")
# What else a solver's columns may hold.
_PARTS = re.compile(
    "pars(e|ing)|translati(on|ng)|preprocessing|encoding|grounding|solving|tokens|price"
    "|response|mem|rss|conflicts|decisions|nodes|iterations|calls|found|feasible|valid"
)
# Words of columns that are no solver: anywhere in a name, at its start, at its end.
_OTHER = re.compile(
    "diff(erence)?s?|delta|gap|speedup|ratio|improvement|hardness|difficulty|folds?|cv"
    "|iter(ation)?s?|epochs?|loss(es)?|regret|accuracy|feat(ure)?s?|counts?|rank(s|ing)?"
    "|rewards?|scores?|probability|confidence|percent(age)?|conflicts|decisions|entropy"
    "|propagations|restarts|backtracks|nodes|objective|tokens|price|costs?|predictions?"
)
_FIRST = re.compile("best|worst|min|max|mean|avg|average|median|total|number|num|nb|std")
_LAST = re.compile("id|idx|index|nr|mem|memory|size|year|mean|std|stddev|variance")
_FEATURE = re.compile(r"f\d+")


def is_quality(name: str) -> bool:
    """Whether a column is called like a measure that says how good a run is."""
    name = plain(name)
    words = (_BESIDE.sub("", name), name.rpartition("_")[2], name.partition("_")[0])
    found = [measure.kind for word in words if (measure := known(word))]
    named = any(_QUALITIES.fullmatch(word) for word in words)
    return named or not {"objective", "share"}.isdisjoint(found)


def is_outcome(words: Iterable[str], *, alone: bool) -> bool:
    """Whether a column of these words, in lower case, may say what is solved.

    alone: whether no column is known to say it. Else it must hold true and false.
    """
    words = {*words}
    is_pair = any(words == {*pair} for pair in GOOD.items())
    means = {STATUS_WORDS.get(word) for word in words}
    fits = None not in means and (len(words) > 1 or not means <= {"ok"})
    return is_pair or (alone and (fits or any(map(says_failure, words))))


def is_truth(cells: Sequence[str]) -> bool:
    """Whether cells hold true or false, or yes or no, alone."""
    said = {cell.lower() for cell in cells} - MISSING
    letters = {word for pair in [*GOOD.items()][:4] for word in pair}
    return bool(said) and said <= letters


def choosing(role: str, *names: str) -> str:
    """What to type so that columns have a role."""
    return " ".join(f"--column {shlex.quote(f'{role}={name}')}" for name in names)


def other_reading(
    table: RawTable,
    solvers: Sequence[str],
    texts: Sequence[str],
    part: Callable[[str], str],
    *,
    cutoff: float | None,
) -> Asked | None:
    """Why columns may be no solvers, and what to type; None where all may be.

    solvers: columns of numbers. texts: others. part: the role of a column of one solver by its name; empty
    where it has none. cutoff: None where somebody says that the cells are times.
    """
    columns = {name: [cells[at] for _, cells in table.rows] for at, name in enumerate(table.header)}
    paired = _paired(table, columns, solvers, texts, part)
    if paired or not solvers:
        truths = [name for name in texts if is_truth(columns[name])]
        said = _qualities(table, truths, "true or false") if truths else None
        return paired or said
    asked = _unlike_solvers(table, columns, solvers)
    if asked or cutoff is None:
        return asked
    return _unlike_times(table, columns, solvers, cutoff)


def _paired(
    table: RawTable,
    columns: Columns,
    solvers: Sequence[str],
    texts: Sequence[str],
    part: Callable[[str], str],
) -> Asked | None:
    """Columns such as ``a_time`` and ``a_solved``, or ``a`` and ``a|cost``."""

    def is_part(word: str) -> bool:
        bare = _BESIDE.sub("", plain(word))
        known_word = known(bare) or _QUALITIES.fullmatch(bare) or _PARTS.fullmatch(bare)
        return bool(part(word) or part(bare)) or known_word is not None

    of = {name: _parted(name, is_part) for name in (*solvers, *texts)}
    stems = {stem for stem, word in of.values() if word}
    for name in (name for name, (_, word) in of.items() if not word):
        mine = (s for s in stems if re.match(re.escape(s) + r"[\W_]", name))
        if stem := max(mine, key=len, default=""):
            of[name] = stem, name[len(stem) + 1 :]
    several = Counter(stem for stem, _ in of.values())
    wrong = [name for name in solvers if several[of[name][0]] > 1] or [
        name
        for name in solvers
        for word in [of[name][1]]
        if word and part(word) != "time" and not _PARTS.fullmatch(plain(word))
    ]
    if not wrong:
        return None
    new = {
        name: f"{stem}:{_what(word, columns[name], part)}"
        for name, (stem, word) in of.items()
        if several[stem] > 1 or name in wrong
    }
    what = f"{_listed(wrong)} may be measures of solvers, and no solvers, by their names"
    more = f" Where each is a solver, {called(table, wrong, 'time')}."
    return what, f"Where they are, {_rename(table, new)}.{more}"


def _what(word: str, cells: Sequence[str], part: Callable[[str], str]) -> str:
    """What a solver's column holds, in a word that is read where there is one."""
    if part(word):
        return word
    if is_truth(cells):
        return "solved"
    values = [value for cell in cells if (value := number(cell)) is not None]
    if is_quality(word) or (not word and values and max(values) <= 1):
        return "objective"
    return word or "time"


def _parted(name: str, is_part: Callable[[str], bool]) -> tuple[str, str]:
    """The solver and the word for what its column holds; empty without one."""
    joints = list(_JOINT.finditer(name))
    for at in joints:
        if name[: at.start()] and is_part(name[at.end() :]):
            return name[: at.start()], name[at.end() :]
    for at in reversed(joints):
        if name[at.end() :] and is_part(name[: at.start()]):
            return name[at.end() :], name[: at.start()]
    return name, ""


def _unlike_solvers(table: RawTable, columns: Columns, solvers: Sequence[str]) -> Asked | None:
    """Columns that are called like something else: folds, ranks, losses, features."""
    features = all(_FEATURE.fullmatch(plain(name)) for name in solvers)
    if features or "feature" in Path(table.file).name.lower():
        what = f"{_listed(solvers)} may be features of instances, and no solvers"
        new = ", ".join(f"feature:{name}" for name in solvers[:_NAMED])
        hint = f"Add them to the table of runs as {new}. Where they are solvers,"
        return what, f"{hint} {called(table, solvers, 'time')}."
    wrong = [
        name
        for name in solvers
        for words in [plain(name).split("_")]
        if any(map(_OTHER.fullmatch, plain(CAMEL.sub(" ", name)).split("_")))
        or _FIRST.fullmatch(words[0])
        or _LAST.fullmatch(words[-1])
        or is_outcome({*columns[name]} - MISSING, alone=False)
    ]
    if not wrong:
        return None
    hint = "If a row is a run, --column solver=NAME says which column names the solver"
    if len(wrong) < len(solvers):
        hint = f"Where they are none: {choosing('ignore', *wrong)}"
    what = f"{_listed(wrong)} may be no solvers, by their names or cells"
    return what, f"{hint}. Where they are, {called(table, wrong, 'time')}."


def _unlike_times(table: RawTable, columns: Columns, solvers: Sequence[str], cutoff: float) -> Asked | None:
    """Cells that may be qualities: within 0 and 1, or most of them high percentages."""
    cells = [cell for name in solvers for cell in columns[name]]
    values = [value for cell in cells if (value := number(cell)) is not None]
    words = {cell.lower() for cell in cells if number(cell) is None} - MISSING
    if not values or words or min(values) < 0:
        return None
    if max(values) <= 1:
        return _qualities(table, solvers, "within 0 and 1", "--unit s")
    below = [value for value in values if value < cutoff]
    is_high = len(below) >= _FEW and median(below) > cutoff / 2
    if is_high and max(values) <= cutoff <= PERCENT:
        said = f"below {cutoff:g}, most above its half, as percentages are"
        return _qualities(table, solvers, said, "--unit s")
    return None


def _qualities(table: RawTable, names: Sequence[str], what: str, times: str = "") -> Asked:
    said = f"the cells of {_listed(names)} are {what}: they may be qualities, not times"
    hint = f"Where they are qualities, {called(table, names, 'objective')}, and say"
    hint += " --maximize objective if more is better."
    return said, hint + (f" Where they are times: {times}." if times else "")


def called(table: RawTable, names: Sequence[str], what: str) -> str:
    """How to call the columns so that these are ``what`` of solvers."""
    return _rename(table, {name: f"{name}:{what}" for name in names})


def _rename(table: RawTable, new: Mapping[str, str]) -> str:
    """What the columns are called then, as the first line of the table."""
    header = [new.get(name, name) for name in table.header]
    more = ["…"] if len(header) > _NAMED else []
    between = {"semicolons": ";", "tabs": "\t"}.get(table.separated, ",")
    return f"call the columns {between.join([*header[:_NAMED], *more])}"


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(map(repr, names[:_NAMED])) + more


# Role → what stands between the cells of several columns that it is joined of.
JOINED: Mapping[str, str] = {"solver": " ", "instance": "/", "scenario": "-"}
_COUNTED = re.compile(r"[._ ]?\d+")  # as pandas tells columns of one name apart
_NAMELESS = re.compile(r"Unnamed: \d+")
_VIRTUAL = re.compile(
    r"(.*_)?(oracle|vbs\w*|sbs|vws|virtual(_best|_worst|_portfolio)?"
    r"|single_best|best_single|virtualbest)(_.*)?"
)
# What a row of sums is called, and the words that may stand beside.
_SUM = re.compile(
    r"(grand)?total|sum|averages?|avg|means?|(geo(metric)?|g)mean|geo(m|metric)?|median"
    r"|st(an)?d(ard)?(ev|deviation)?|sgm|var(iance)?|counts?|overall|summary|(un)?solved"
    r"|ranks?|ranking|wins?|winner|loss(es)?|ties|draws?|min(imum)?|max(imum)?|quantile"
    r"|par\d*"
)
_BESIDE_SUM = re.compile(
    r"n|nr|nb|no|num|number|of|the|in|all|grand|shifted|arithmetic|harmonic|penali[sz]ed"
    r"|times?|runtimes?|cpu|wall|scores?|cost|best|worst|dev|deviation|error"
    r"|instances?|over|across|per|m?s|sec(onds)?|rate|percent"
)


def is_virtual(name: str) -> bool:
    """Whether a solver is one that is computed of the others, by its name."""
    return _VIRTUAL.fullmatch(plain(CAMEL.sub(" ", name))) is not None


def is_sum(name: str) -> bool:
    """Whether a row or column is called like a sum or a mean of the others."""
    name = re.sub(r"[\d.]+\s*%", "quantile", re.sub(r"(?i)\bpar\W?(?=\d)", "par", name))
    words = plain(CAMEL.sub(" ", name)).split("_")
    rest = [word for word in words if not _SUM.fullmatch(word)]
    return len(rest) < len(words) and all(map(_BESIDE_SUM.fullmatch, rest))


def shaped(
    table: RawTable,
    choices: TableChoices,
    *,
    is_solver: Callable[[str], bool],
    is_instance: Callable[[str], bool],
) -> RawTable:
    """The table with one row of names; what was done and is wrong is in its findings.

    is_solver, is_instance: whether the name of a column is one of such.
    """
    table = _without_empty_columns(table)
    named = {name for role, name in choices.column if role == "instance"}
    known = any(n in named or is_instance(n) for n in table.header)
    if not known and (wrong := _no_header(table)):
        what = f"the first line is no row of names: it has {wrong}"
        hint = "Write one above it, such as instance,solver,time,status."
        if len(table.header) == 1:
            hint += " Separate the cells by commas, not by blanks."
        return _with(table, "runs-table", what, hint)
    table = _one_row_a_solver(table, is_solver)
    table = _without_equal_columns(table)
    if not known and table.header[:1] == ("",) and not _is_index(table):
        table = replace(table, header=("instance", *table.header[1:]))
        what = "the first column has no name: it is taken as that of the instances"
        table = _with(table, "runs-understood", what)
    return _joined(table, choices)


def by_family(
    table: RawTable, choices: TableChoices, *, instance: str | None, family: str | None
) -> RawTable:
    """The table with a column ``family``, where families are to be the scenarios.

    They are what the rule or the file of ``--family`` says, else the table's own. instance, family: its
    columns of such; None where there is none.
    """
    said = choices.split or choices.family
    if ("scenario", FAMILY) not in choices.column or instance is None:
        return table
    if not said and (FAMILY in table.header or family not in table.header):
        return table
    if said:
        at = table.header.index(instance)
        names = dict.fromkeys(cells[at] for _, cells in table.rows)
        of = attribute_choices(family=said).families(names)
        told = [of.get(cells[at], "") for _, cells in table.rows]
    else:
        at = table.header.index(family or "")
        told = [cells[at] for _, cells in table.rows]
    kept = [k for k, name in enumerate(table.header) if name != FAMILY]
    table = _chosen(table, kept)
    rows = zip(table.rows, told, strict=True)
    return replace(
        table,
        header=(*table.header, FAMILY),
        rows=tuple((line, (*cells, each)) for (line, cells), each in rows),
    )


def _with(table: RawTable, code: str, what: str, hint: str = "") -> RawTable:
    """The table with one finding more, at its row of names."""
    file, line = table.place(table.line)
    found = new_finding(code, file=file, line=line, what=what, hint=hint)
    return replace(table, findings=(*table.findings, found))


def _chosen(table: RawTable, positions: Sequence[int]) -> RawTable:
    """The table with these columns alone."""
    if len(positions) == len(table.header):
        return table
    rows = tuple(
        (line, tuple(cells[at] for at in positions if at < len(cells))) for line, cells in table.rows
    )
    return replace(table, header=tuple(table.header[k] for k in positions), rows=rows)


def _no_header(table: RawTable) -> str:
    """The cells that no column is called by; empty where all can be names."""
    words = [w for name in table.header for w in name.split()]
    cells = words if len(table.header) == 1 else table.header
    wrong = [cell for cell in cells if number(cell) is not None or says_failure(cell)]
    decimal = any("." in cell for cell in wrong)
    return ", ".join(wrong[:3]) if decimal or len(wrong) > 1 else ""


def _without_empty_columns(table: RawTable) -> RawTable:
    """All columns but those without a name and a cell, as behind a last separator."""
    header = tuple("" if _NAMELESS.fullmatch(n) else n for n in table.header)
    full = [
        at
        for at, name in enumerate(header)
        if name or any(cells[at : at + 1] not in ((), ("",)) for _, cells in table.rows)
    ]
    return _chosen(replace(table, header=header), full)


def _without_equal_columns(table: RawTable) -> RawTable:
    """Of columns with one name and the same cells the first."""
    repeated = {name for name, n in Counter(table.header).items() if n > 1}
    first: dict[tuple[str, tuple[str, ...]], int] = {}
    kept, left = [], []
    for at, name in enumerate(table.header):
        if name in repeated:
            cells = tuple(row[at] if at < len(row) else "" for _, row in table.rows)
            if first.setdefault((name, cells), at) != at:
                left.append(name)
                continue
        kept.append(at)
    if not left:
        return table
    what = f"two columns {left[0]!r} hold the same: the first one is read"
    return _with(_chosen(table, kept), "runs-understood", what)


def _is_index(table: RawTable) -> bool:
    """Whether the first column numbers the rows, as pandas writes its index."""
    cells = [row[0] for _, row in table.rows]
    return any(
        cells == [str(n) for n in range(k, k + len(cells))]
        for k in (0, 1)  # from 0 or 1
    )


# Columns for each solver, side by side.


def _one_row_a_solver(table: RawTable, is_solver: Callable[[str], bool]) -> RawTable:
    """A row for each group of columns, of which one names the solver.

    Such a table has benchmark;solver;status;time;solver;status;time, or the same names with .1, .2 behind
    them. A group without any cell is no run.
    """
    for names in (table.header, _bases(table.header)):
        if found := groups(names):
            start, width, n = found
            if any(is_solver(name) for name in names[start : start + width]):
                return _melted(table, names, start, width, n)
    return table


def _bases(header: Sequence[str]) -> list[str]:
    """Names without the number behind them, where the header has them so too."""
    known = {*header}
    starts = [next((k for k in range(len(name)) if _COUNTED.fullmatch(name[k:])), None) for name in header]
    return [
        name[:at] if at and name[:at] in known else name for name, at in zip(header, starts, strict=True)
    ]


def _melted(table: RawTable, names: Sequence[str], start: int, width: int, n: int) -> RawTable:
    rows: list[NumberedRow] = []
    end = start + n * width
    for line, cells in table.rows:
        alike = cells[:start] + cells[end:]
        each = (cells[k : k + width] for k in range(start, end, width))
        rows += [(line, alike + group) for group in each if any(group)]
    group = names[start : start + width]
    header = (*names[:start], *names[end:], *group)
    what = f"{n} groups of the columns {', '.join(group)} stand side by side: a row of"
    what += " such a group is a run"
    melted = replace(table, header=header, rows=tuple(rows))
    return _with(melted, "runs-understood", what)


# Several columns as one.


def _joined(table: RawTable, choices: TableChoices) -> RawTable:
    """The table with a column of each name ``a+b`` that a role has."""
    for role, name in choices.column:
        parts = [part.strip() for part in name.split("+")]
        if name in table.header or role not in JOINED:
            continue
        if not {*parts} <= {*table.header}:
            continue
        at = [table.header.index(part) for part in parts]
        rows = tuple(
            (line, (*cells, JOINED[role].join(cells[k] for k in at if cells[k])))
            for line, cells in table.rows
        )
        table = replace(table, header=(*table.header, name), rows=rows)
    return table


def parts_of(choices: TableChoices) -> set[str]:
    """The columns that columns are joined of."""
    names = [name for role, name in choices.column if role in JOINED and "+" in name]
    return {part.strip() for name in names for part in name.split("+")}


# Rows that are no runs.


def without_computed_rows(table: RawTable, at: Mapping[str, int]) -> RawTable:
    """The rows of solvers that ran on instances, not of VBS and the like, nor sums."""
    rows = table.rows
    if "solver" in at:
        where = at["solver"]
        names = {cells[where]: None for _, cells in rows if is_virtual(cells[where])}
        rows = tuple(row for row in rows if row[1][where] not in names)
        if names and rows:
            n = plural(len(table.rows) - len(rows), "row")
            what = f"{n} of {', '.join([*names][:NAMES])} not read: "
            what += "virtual solvers are computed"
            table = _with(replace(table, rows=rows), "runs-ignored", what)
        rows = table.rows
    where = at["instance"]
    ends = takewhile(lambda row: is_sum(row[1][where]), reversed(rows))
    if (n_sums := sum(1 for _ in ends)) and n_sums < len(rows):
        line, cells = rows[-n_sums]
        what = f"the last {plural(n_sums, 'row')} not read, from {cells[where]!r} in "
        what += f"{table.spot(line)} on: they sum up the instances"
        table = _with(replace(table, rows=rows[:-n_sums]), "runs-ignored", what)
    return table
