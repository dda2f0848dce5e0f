"""Files of users with separated cells: columns of several names, typed cells.

Every such file is read here: in UTF-8, with or without a mark of it, quoted as CSV is, each row with the
line on which it begins, and with all that is wrong in one pass.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from aslib_eval.errors import Finding
from aslib_eval.formats.sources import HEAD, FilesRead
from aslib_eval.paths import NotTextError, as_text

# Column by its plain name → the names it goes by in a header, in lower case.
Names = Mapping[str, Sequence[str]]
MISSING = frozenset({"", "?", "na", "null", "none"})
_LARGEST = 2**31


def decoded(content: bytes, *, file: str, code: str) -> str | Finding:
    """The text of a file in UTF-8, or an error of that code if it is none."""
    try:
        return as_text(content, file=file)
    except NotTextError as error:
        return error.finding(code)


def numbered_rows(
    text: str, wrong: Callable[[int, str], None], *, separator: str = ","
) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The rows that are not blank, without blanks around cells, by their first line.

    wrong: is told the line from which on nothing can be read, and why.
    """
    reader = csv.reader(
        io.StringIO(text, newline=""), delimiter=separator, skipinitialspace=separator != "\t", strict=True
    )
    line = 1
    try:
        for row in reader:
            cells = tuple(cell.strip() for cell in row)
            if any(cells):
                yield line, cells
            line = reader.line_num + 1
    except csv.Error as error:
        wrong(line, f"is not a CSV file ({error})")


def header_of(path: Path, files: FilesRead | None = None) -> list[str]:
    """The first row of a CSV file; nothing if it is none.

    files: what was read already.
    """
    if not path.is_file() or path.suffix.lower() != ".csv":
        return []
    head = (files or FilesRead()).head(path).content[:HEAD]
    first = io.StringIO(head.decode("utf-8-sig", errors="replace"), newline="")
    with suppress(csv.Error):
        return next(csv.reader(first), [])
    return []


def positions(header: Sequence[str], names: Names) -> dict[str, int]:
    """Where each column stands that a header has, by any of its names, in any case."""
    present = [name.strip().lower() for name in header]
    return {
        column: present.index(found[0])
        for column, aliases in names.items()
        if (found := [alias for alias in aliases if alias in present])
    }


class CsvTable:
    """A CSV file while it is read.

    at: column by its plain name → its position, for those that the header has.
    header, line: the names as they stand, and their line.
    findings: what is wrong so far; all of ``code``, else of header, row, csv and empty.
    """

    def __init__(self, content: bytes | str, *, file: str, names: Names, code: str | None = None) -> None:
        self.file = file
        self.findings: list[Finding] = []
        self._code = code
        self._names = names
        text: str | Finding = content if isinstance(content, str) else ""
        if isinstance(content, bytes):
            text = decoded(content, file=file, code=code or "encoding")
        if isinstance(text, Finding):
            self.findings.append(text)
            text = ""
        self._rows = numbered_rows(text, partial(self.error, "csv"))
        self.line, header = next(self._rows, (1, ("",)))
        self.header = [*header]
        self.at = positions(header, names)

    @property
    def is_broken(self) -> bool:
        """Whether there is an error."""
        return any(found.severity == "error" for found in self.findings)

    def error(self, code: str, line: int, what: str, hint: str = "") -> None:
        """Record what is wrong."""
        code = self._code or code
        self.findings.append(Finding(code, "error", self.file, line, what, hint))

    def require(self, columns: Sequence[str]) -> None:
        """Record as one error which of the columns the header lacks."""
        missing = [name for name in columns if name not in self.at]
        if missing and not self.is_broken:
            names = " and ".join("/".join(self._names[name][:2]) for name in missing)
            present = ", ".join(self.header[:8])
            hint = f"It has {present}; separate columns by commas."
            what = f"there is no column {names}"
            self.error("header", self.line, what, hint if present else "It is empty.")

    def rows(self, *, joins_last: bool = False) -> Iterator[Row]:
        """Every row with as many cells as the header; none if the header is wrong.

        A row with more or fewer cells is an error, and so is a file without rows.

        joins_last: the last cell is text that may have commas and no quotes.
        """
        if self.is_broken:
            return
        line, width = 0, len(self.header)
        for line, cells in self._rows:
            if len(cells) == width:
                yield Row(self, line, cells)
            elif joins_last and len(cells) > width:
                last = ",".join(cells[width - 1 :])
                yield Row(self, line, (*cells[: width - 1], last))
            else:
                self.error("row", line, f"{len(cells)} cells instead of {width}")
        if not line and not self.is_broken:
            self.error("empty", self.line, "the file has a header and no row")


@dataclass(frozen=True)
class Row:
    """A row of a table; what is wrong with a cell is recorded in the table."""

    table: CsvTable
    line: int
    cells: tuple[str, ...]

    def wrong(self, what: str, hint: str = "") -> None:
        """Record an error."""
        self.table.error("row", self.line, what, hint)

    def text(self, column: str) -> str:
        """A cell without the blanks around it; empty where there is no such column."""
        at = self.table.at.get(column)
        return "" if at is None else self.cells[at]

    def name(self, column: str) -> str:
        """A text that must not be empty."""
        text = self.text(column)
        if not text:
            self.wrong(f"the row names no {column}")
        return text

    def number(
        self, column: str, *, cell: str | None = None, required: bool = False, hint: str = ""
    ) -> float | None:
        """A number, None where it is missing or wrong; nan and infinities are numbers.

        cell: its text, for a column that has no plain name.
        """
        text = self.text(column) if cell is None else cell
        if not required and text.lower() in MISSING:
            return None
        try:
            return float(text)
        except ValueError:
            self.wrong(f"{column} {text!r} is not a number", hint)
            return None

    def whole(self, column: str, *, required: bool = False) -> int | None:
        """A whole number from 0, None where it is missing or wrong."""
        text = self.text(column)
        if not required and text.lower() in {*MISSING, "nan"}:
            return None
        with suppress(ValueError):
            number = float(text)
            if number.is_integer() and 0 <= number < _LARGEST:
                return int(number)
        self.wrong(f"{column} {text!r} is not a whole number below 2^31")
        return None

    def choice(self, column: str, choices: Collection[str], *, required: bool = False) -> str:
        """One of the choices, which are in lower case; empty where it is missing."""
        text = self.text(column)
        if text.lower() not in choices and (text or required):
            self.wrong(f"{column} {text!r} is none of {', '.join(choices)}")
        return text.lower()
