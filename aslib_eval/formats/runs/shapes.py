"""Shapes of tables of runs: one row of names, then a row a run or an instance.

Two rows of names become one, columns that stand there anew for each solver a row each, and columns that are
joined by ``+`` one. Rows of virtual solvers and sums are left out. A table without names is refused.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile

from aslib_eval.formats.aslib.lint.reporting import NAMES, new_finding
from aslib_eval.formats.attributes import FAMILY, attribute_choices
from aslib_eval.formats.measures import plain
from aslib_eval.formats.runs.raw_table import NumberedRow, RawTable, groups
from aslib_eval.formats.runs.readings import CAMEL
from aslib_eval.formats.runs.run_cells import number, says_failure
from aslib_eval.formats.table_choices import TableChoices
from aslib_eval.text import plural

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
