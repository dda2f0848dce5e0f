"""How findings are made: places in files, lists of names, limits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from math import prod
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from aslib_eval.errors import Finding
from aslib_eval.formats.aslib.arff import ArffTable
from aslib_eval.formats.aslib.lint.rules import SEVERITIES
from aslib_eval.formats.aslib.scenario import IDS

LIMIT = 20  # wrong places that are listed one by one
NAMES = 10  # names in a message that is no error
Rows = NDArray[np.int64]


def new_finding(code: str, *, file: str, what: str, line: int | None = None, hint: str = "") -> Finding:
    """A finding with the severity that belongs to its code."""
    return Finding(code, SEVERITIES[code], file, line, what, hint)


class LimitedFindings:
    """Findings, of which at most twenty of a kind are listed."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._counts: Counter[str] = Counter()
        self._found: list[Finding] = []

    def say(self, code: str, place: tuple[str, int | None], what: str, hint: str = "") -> None:
        """Record a finding; after twenty of a code they are counted."""
        self._counts[code] += 1
        if self._counts[code] <= LIMIT:
            file, line = place
            found = new_finding(code, file=file, line=line, what=what, hint=hint)
            self._found.append(found)

    def once(self, code: str, place: tuple[str, int | None], what: str, hint: str = "") -> None:
        """Record the first finding of a code."""
        if not self._counts[code]:
            self.say(code, place, what, hint)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All of them, and how many more there are of each code."""
        rest = (
            new_finding(code, file=self._file, what=f"and {n - LIMIT} more of {code!r}")
            for code, n in self._counts.items()
            if n > LIMIT
        )
        return (*self._found, *rest)


def row_findings(
    code: str, table: ArffTable, rows: Rows, *, what: Callable[[int], str], hint: str = ""
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
    lines up to the row are looked at. Blank is what the parser takes for blank.
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
        if (text := line.decode().strip()) and not text.startswith("%")
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


# Columns of a parsed file as numpy arrays, and the numbers that identify its rows.

PARTS = ("", "_test")
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]
Floats = NDArray[np.float64]


def codes(table: ArffTable, column: str) -> tuple[NDArray[np.int32], pa.Array]:
    """A text column as codes (rows,), -1 where missing, and the words they mean."""
    array = table.table[column].combine_chunks()
    indices = array.indices
    if indices.null_count:
        indices = indices.fill_null(-1)
    return indices.to_numpy(), array.dictionary


def words(table: ArffTable, column: str) -> pa.Array:
    """The distinct texts of a column."""
    return table.table[column].combine_chunks().dictionary


def equal(table: ArffTable, column: str, word: str) -> Flags:
    """Where a text column holds the word, (rows,); missing is not equal."""
    code, listed = codes(table, column)
    at: int = pc.index(listed, pa.scalar(word, listed.type)).as_py()
    found: Flags = code == (at if at >= 0 else -2)
    return found


def is_number(table: ArffTable, column: str) -> bool:
    """Whether the column holds numbers."""
    return bool(pa.types.is_floating(table.table[column].type))


def is_text(table: ArffTable, column: str) -> bool:
    """Whether the column is there and holds text."""
    cells = table.table
    return column in cells.column_names and pa.types.is_dictionary(cells[column].type)


def values(table: ArffTable, column: str) -> Floats:
    """A column of numbers (rows,); missing is NaN."""
    array: Floats = table.table[column].to_numpy()
    return array


def data_columns(table: ArffTable, name: str) -> list[str]:
    """The columns of a file of the format that do not identify its rows."""
    return [c for c in table.table.column_names if c not in IDS[name]]


def dense(numbers: NDArray[Any]) -> tuple[Ints, Ints]:
    """Whole numbers → codes 0, 1, … (rows,) and the distinct numbers, ascending."""
    if not numbers.size:
        return numbers.astype(np.int64), numbers.astype(np.int64)
    low, high = int(numbers.min()), int(numbers.max())
    if high - low > 4 * numbers.size + 1024:
        distinct, code = np.unique(numbers.astype(np.int64), return_inverse=True)
        return code, distinct
    shifted = numbers.astype(np.int64) - low
    present = np.bincount(shifted) > 0
    return (np.cumsum(present) - 1)[shifted], np.flatnonzero(present) + low


@dataclass(frozen=True)
class Key:
    """The identifying columns of a file as one number a row.

    ``numbers`` (rows,) count in mixed radix through all combinations of the
    ``labels`` of each column, the last column fastest.
    """

    columns: tuple[str, ...]
    labels: tuple[Sequence[Any], ...]
    numbers: Ints

    @property
    def size(self) -> int:
        """Number of combinations."""
        return prod(len(labels) for labels in self.labels)

    def label(self, number: int) -> str:
        """The cells that a number stands for, in words."""
        cells = []
        for column, labels in zip(self.columns[::-1], self.labels[::-1], strict=True):
            number, at = divmod(number, len(labels))
            cell = labels[at]
            word = cell.as_py() if isinstance(cell, pa.Scalar) else int(cell)
            cells.append(f"{column.removesuffix('_id')} {word!r}")
        return ", ".join(cells[::-1])


def key(table: ArffTable, columns: Sequence[str]) -> Key:
    """Number the rows of a file by the given columns."""
    numbers = np.zeros(table.table.num_rows, np.int64)
    labels: list[Any] = []
    for column in columns:
        if is_text(table, column):
            code, texts = codes(table, column)
            numbers = numbers * len(texts) + code
            labels.append(texts)
        else:
            number, values = dense(table.table[column].to_numpy())
            numbers = numbers * len(values) + number
            labels.append(values)
    return Key(tuple(columns), tuple(labels), numbers)


def distinct(numbers: Ints) -> Ints:
    """The distinct numbers, ascending."""
    return dense(numbers)[1]


def repeated(numbers: Ints) -> Ints:
    """Rows whose number stands in an earlier row too, ascending."""
    if distinct(numbers).size == numbers.size:
        return np.empty(0, np.int64)
    order = np.argsort(numbers, kind="stable")
    ordered = numbers[order]
    return np.sort(order[1:][ordered[1:] == ordered[:-1]])
