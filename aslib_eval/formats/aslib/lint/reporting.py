"""How findings are made: places in files, lists of names, limits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from aslib_eval.errors import Finding
from aslib_eval.formats.aslib.arff import ArffTable
from aslib_eval.formats.aslib.lint.rules import SEVERITIES

LIMIT = 20  # wrong places that are listed one by one
NAMES = 10  # names in a message that is no error
Rows = NDArray[np.int64]


def new_finding(
    code: str, *, file: str, what: str, line: int | None = None, hint: str = ""
) -> Finding:
    """A finding with the severity that belongs to its code."""
    return Finding(code, SEVERITIES[code], file, line, what, hint)


def row_findings(
    code: str,
    table: ArffTable,
    rows: Rows,
    *,
    what: Callable[[int], str],
    hint: str = "",
) -> Iterator[Finding]:
    """One finding per row, up to the limit, then one that counts the rest."""
    for row in rows[:LIMIT].tolist():
        line = line_of_row(table, row)
        yield new_finding(code, file=table.file, line=line, what=what(row), hint=hint)
    if rows.size > LIMIT:
        rest = f"and {rows.size - LIMIT} more of {code!r}"
        yield new_finding(code, file=table.file, what=rest, hint=hint)


def line_of_row(table: ArffTable, row: int) -> int:
    """File line (1-based) of a row of the table (0-based).

    Without blank lines and comments among the rows this is a sum; otherwise the
    lines up to the row are looked at.
    """
    data = table.data
    lines = data.count(b"\n") + (not data.endswith(b"\n"))
    skipped = lines - table.table.num_rows
    if skipped == 0:
        return table.data_line + row
    near = data.split(b"\n", row + skipped + 1)[: row + skipped + 1]
    numbers = (
        number
        for number, line in enumerate(near, table.data_line)
        if (text := line.strip(b" ")) and not text.startswith(b"%")
    )
    return next(islice(numbers, row, None))


def line_of_first(table: ArffTable, rows: Rows) -> int | None:
    """Line of the first of the rows, None if there is none."""
    return line_of_row(table, int(rows[0])) if rows.size else None


def twice(words: Iterable[str]) -> list[str]:
    """Words that occur more than once, in order of appearance."""
    seen: set[str] = set()
    found: dict[str, None] = {}
    for word in words:
        if word in seen:
            found[word] = None
        seen.add(word)
    return list(found)
