"""Shapes of tables that become one row of names, then a row a run or an instance.

``shaped`` lists the steps, each of which takes a table and returns one: another shape is another step. What
a step did is a note of the table, what it cannot read is an error.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import takewhile

from aslib_eval.formats.aslib.lint.reporting import NAMES
from aslib_eval.formats.attributes import FAMILY, attribute_choices
from aslib_eval.formats.format import TableChoices, plain
from aslib_eval.formats.runs.cells import ALIASES, is_sum, is_virtual, number, part_of, says_failure
from aslib_eval.formats.runs.raw_table import NumberedRow, RawTable, groups
from aslib_eval.text import plural

# Role → what stands between the cells of several columns that it is joined of.
JOINED: Mapping[str, str] = {"solver": " ", "instance": "/", "scenario": "-"}
_COUNTED = re.compile(r"(?s)(?![._ ]?\d+$)(.+?)[._ ]?\d+")  # as pandas tells columns of one name apart
_NAMELESS = re.compile(r"Unnamed: \d+")


def shaped(table: RawTable, choices: TableChoices) -> RawTable:
    """The table with one row of names; what was done and is wrong is in its findings."""
    table = _without_empty_columns(_with_one_header(table))
    named = {*choices.chosen("instance")}
    known = any(n in named or plain(n) in ALIASES["instance"] for n in table.header)
    if not known and (wrong := _no_names(table.header)):
        hint = "Write one above it, such as instance,solver,time,status."
        if len(table.header) == 1:
            hint += " Separate the cells by commas, not by blanks."
        return table.told("runs-table", f"the first line is no row of names: it has {wrong}", hint)
    table = _without_equal_columns(_one_row_a_solver(table))
    if not known and table.header[:1] == ("",) and not _is_index(table.column(0)):
        what = "the first column has no name: it is taken as that of the instances"
        table = replace(table, header=("instance", *table.header[1:])).told("runs-understood", what)
    return _by_family(_joined(table, choices), choices)


def column_of(names: Sequence[str], role: str, choices: TableChoices) -> str | None:
    """The column of a role, as its user says or by its name; None if there is none."""
    said = choices.chosen(role)
    found = said[0] if said else first_called(names, ALIASES[role])
    return found if found in names else None


def first_called(names: Sequence[str], aliases: Sequence[str]) -> str | None:
    """The first column that has the first of these names, in any case; None if there is none."""
    by_plain = {plain(name): name for name in reversed(names)}
    return next((by_plain[alias] for alias in aliases if alias in by_plain), None)


# One row of names.


def _with_one_header(table: RawTable) -> RawTable:
    """Two rows of names as one, ``SOLVER:what``; other tables as they are."""
    if not table.rows or not table.separated:
        return table
    line, below = table.rows[0]
    if len(below) < 2 or not all(map(part_of, below[1:])):  # noqa: PLR2004 - a solver beside the instance
        return table
    header, solver = [table.header[0]], ""
    for name, what in zip(table.header[1:], below[1:], strict=False):
        solver = name or solver
        header.append(f"{solver}:{what}")
    rows = table.rows[1:]
    corner = [table.header[0], below[0]]
    if rows and not any(rows[0][1][1:]):  # as pandas writes the index's name
        corner.append(rows[0][1][0])
        rows = rows[1:] if plain(corner[-1]) in ALIASES["instance"] else rows
    header[0] = first_called(corner, ALIASES["instance"]) or "instance"
    return replace(table, header=tuple(header), line=line, rows=rows)


def _no_names(header: Sequence[str]) -> str:
    """The cells that no column is called by; empty where all can be names."""
    cells = header[0].split() if len(header) == 1 else header
    wrong = [cell for cell in cells if number(cell) is not None or says_failure(cell)]
    return ", ".join(wrong[:3]) if len(wrong) > 1 or any("." in cell for cell in wrong) else ""


# Columns without meaning.


def _chosen(table: RawTable, positions: Sequence[int]) -> RawTable:
    """The table with these columns alone."""
    if len(positions) == len(table.header):
        return table
    rows = tuple((line, tuple(cells[at] for at in positions)) for line, cells in table.rows)
    return replace(table, header=tuple(table.header[at] for at in positions), rows=rows)


def _without_empty_columns(table: RawTable) -> RawTable:
    """All columns but those without a name and a cell, as behind a last separator."""
    header = tuple("" if _NAMELESS.fullmatch(n) else n for n in table.header)
    full = [at for at, name in enumerate(header) if name or any(table.column(at))]
    return _chosen(replace(table, header=header), full)


def _without_equal_columns(table: RawTable) -> RawTable:
    """Of columns with one name and the same cells the first."""
    counts = Counter(table.header)
    first: dict[tuple[str, tuple[str, ...]], int] = {}
    kept = [
        at
        for at, name in enumerate(table.header)
        if counts[name] == 1 or first.setdefault((name, tuple(table.column(at))), at) == at
    ]
    if len(kept) == len(table.header):
        return table
    left = next(name for at, name in enumerate(table.header) if at not in kept)
    what = f"two columns {left!r} hold the same: the first one is read"
    return _chosen(table, kept).told("runs-understood", what)


def _is_index(cells: Sequence[str]) -> bool:
    """Whether a column numbers the rows from 0 or 1, as pandas writes its index."""
    return any(cells == [str(n) for n in range(k, k + len(cells))] for k in (0, 1))


# Columns for each solver, side by side.


def _one_row_a_solver(table: RawTable) -> RawTable:
    """A row for each group of columns, of which one names the solver.

    Such a table has benchmark;solver;status;time;solver;status;time, or the same names with .1, .2 behind
    them. A group without any cell is no run.
    """
    known = {*table.header}
    bases = [
        found[1] if (found := _COUNTED.fullmatch(name)) and found[1] in known else name
        for name in table.header
    ]
    for names in (table.header, bases):
        if found_groups := groups(names):
            start, width, n = found_groups
            group, end = names[start : start + width], start + n * width
            if any(plain(name) in ALIASES["solver"] for name in group):
                break
    else:
        return table
    rows: list[NumberedRow] = []
    for line, cells in table.rows:
        alike = cells[:start] + cells[end:]
        each = (cells[k : k + width] for k in range(start, end, width))
        rows += [(line, alike + own) for own in each if any(own)]
    melted = replace(table, header=(*names[:start], *names[end:], *group), rows=tuple(rows))
    what = (
        f"{n} groups of the columns {', '.join(group)} stand side by side: a row of such a group is a run"
    )
    return melted.told("runs-understood", what)


# Several columns as one, and columns of the user's making.


def _joined(table: RawTable, choices: TableChoices) -> RawTable:
    """The table with a column of each name ``a+b`` that a role has."""
    for role, name in choices.column:
        parts = [part.strip() for part in name.split("+")]
        if name not in table.header and role in JOINED and {*parts} <= {*table.header}:
            columns = zip(*map(table.column, parts), strict=True)
            table = table.with_column(name, [JOINED[role].join(filter(None, cells)) for cells in columns])
    return table


def parts_of(choices: TableChoices) -> set[str]:
    """The columns that columns are joined of."""
    names = [name for role, name in choices.column if role in JOINED and "+" in name]
    return {part.strip() for name in names for part in name.split("+")}


def _by_family(table: RawTable, choices: TableChoices) -> RawTable:
    """The table with a column ``family``, where families are to be the scenarios.

    They are what the rule or the file of ``--family`` says, else the table's own.
    """
    instance = column_of(table.header, "instance", choices)
    own = column_of(table.header, "family", choices)
    said = choices.split or choices.family
    if ("scenario", FAMILY) not in choices.column or instance is None:
        return table
    if said:
        names = table.column(instance)
        of = attribute_choices(family=said).families(dict.fromkeys(names))
        told = [of.get(name, "") for name in names]
    elif own is None or FAMILY in table.header:
        return table
    else:
        told = table.column(own)
    kept = [at for at, name in enumerate(table.header) if name != FAMILY]
    return _chosen(table, kept).with_column(FAMILY, told)


# Rows that are no runs.


def without_computed_rows(table: RawTable, at: Mapping[str, int]) -> RawTable:
    """The rows of solvers that ran on instances, not of VBS and the like, nor sums.

    at: role → its column.
    """
    if "solver" in at:
        where = at["solver"]
        names = [name for name in dict.fromkeys(table.column(where)) if is_virtual(name)]
        rows = tuple(row for row in table.rows if row[1][where] not in names)
        if names and rows:
            n = plural(len(table.rows) - len(rows), "row")
            what = f"{n} of {', '.join(names[:NAMES])} not read: virtual solvers are computed"
            table = replace(table, rows=rows).told("runs-ignored", what)
    where = at["instance"]
    n_sums = sum(1 for _ in takewhile(lambda row: is_sum(row[1][where]), reversed(table.rows)))
    if 0 < n_sums < len(table.rows):
        line, cells = table.rows[-n_sums]
        what = f"the last {plural(n_sums, 'row')} not read, from {cells[where]!r} in {table.spot(line)} on"
        return replace(table, rows=table.rows[:-n_sums]).told(
            "runs-ignored", f"{what}: they sum up the instances"
        )
    return table
