"""Choices, predictions and outcomes: CSV files with a header, told apart by it."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator
from dataclasses import dataclass

from aslib_eval.errors import Finding
from aslib_eval.readers.selection import (
    PREDICTION_ROWS,
    Answer,
    Answers,
    Outcome,
    Step,
    problem,
)
from aslib_eval.readers.selection_header import Page, page_of
from aslib_eval.readers.selection_rows import lowest, named_in

_ABSENT = {"", "?", "na", "nan", "null", "none"}
STATUSES = (
    "ok",
    "timeout",
    "memout",
    "not_applicable",
    "crash",
    "presolved",
    "other",
    "unknown",
)
_SOLVED = {"ok", "presolved"}


def read_csv(text: str, *, file: str) -> Answers:
    """Read a CSV file of any of the formats; all wrong rows are findings."""
    broken: list[Finding] = []
    rows = _rows(text, file, broken)
    line, header = next(rows, (1, [""]))
    if broken:
        return Answers(file, "unknown", (), findings=tuple(broken))
    page = page_of(file, line, [name.strip() for name in header])
    answers = [] if page.is_broken else list(_answers(page, rows, len(header)))
    page.findings += broken
    if not answers and not page.is_broken:
        page.wrong("empty", line, "the file has a header and no row")
    columns = dict.fromkeys(page.algorithms, line)
    if page.format == PREDICTION_ROWS:
        columns = named_in(answers)
        answers = list(lowest(page, answers))
    return Answers(file, page.format, tuple(answers), columns, tuple(page.findings))


def _rows(
    text: str, file: str, broken: list[Finding]
) -> Iterator[tuple[int, list[str]]]:
    """The rows that are not blank, with the line on which each starts.

    ``broken`` gets why they end before the text does.
    """
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    line = 1
    try:
        for row in reader:
            if any(cell.strip() for cell in row):
                yield line, row
            line = reader.line_num + 1
    except csv.Error as error:
        broken.append(problem("csv", file, line, f"is not a CSV file ({error})"))


Said = tuple[tuple[Step, ...], Outcome | None]


@dataclass(frozen=True)
class _Row:
    """A row, and the page to note on what is wrong with it."""

    page: Page
    line: int
    cells: list[str]

    def wrong(self, what: str) -> None:
        self.page.wrong("row", self.line, what)

    def word(self, column: str) -> str | None:
        """None where the cell is empty or there is no such column."""
        at = self.page.at.get(column)
        return None if at is None else self.cells[at].strip() or None

    def number(self, at: int, name: str) -> float | None:
        """A number, None where it is missing or NaN; infinite is a number."""
        cell = self.cells[at].strip()
        if cell.lower() in _ABSENT:
            return None
        try:
            number = float(cell)
        except ValueError:
            self.wrong(f"{name} {cell!r} is not a number")
            return None
        return None if math.isnan(number) else number

    def count(self, column: str) -> int | None:
        """A whole number, None where it is missing."""
        word = self.word(column)
        if word is None or word.lower() in _ABSENT:
            return None
        try:
            number = float(word)
        except ValueError:
            number = math.nan
        if not number.is_integer() or not 0 <= number < 2**31:
            self.wrong(f"{column} {word!r} is not a whole number")
            return None
        return int(number)


def _answers(
    page: Page, rows: Iterator[tuple[int, list[str]]], width: int
) -> Iterator[Answer]:
    """What each row says, as far as it can be read."""
    for line, cells in rows:
        row = _Row(page, line, cells)
        if len(cells) != width:
            row.wrong(f"{len(cells)} cells instead of {width}")
        elif (instance := row.word("instance")) is None:
            row.wrong("the row names no instance")
        elif (answer := _answer(row, instance)) is not None:
            yield answer


def _answer(row: _Row, instance: str) -> Answer | None:
    """None if it is not clear to which repetition the row belongs."""
    said = {
        "choice": _choice,
        "prediction": _prediction,
        PREDICTION_ROWS: _value,
        "outcome": _outcome,
    }
    steps, outcome = said[row.page.format](row)
    fold = row.count("fold")
    before = len(row.page.findings)
    repetition = row.count("cv_repetition")
    if len(row.page.findings) > before:
        return None
    return Answer(
        row.line,
        instance,
        steps,
        outcome,
        row.word("selector"),
        row.word("cv_scheme"),
        repetition,
        fold,
    )


def _choice(row: _Row) -> Said:
    name = row.word("algorithm")
    return ((Step(name, paired=True),) if name is not None else ()), None


def _prediction(row: _Row) -> Said:
    """The algorithm of the lowest predicted cost; of equals the first by name."""
    columns = row.page.algorithms
    costs = [(row.number(at, name), name) for name, at in columns.items()]
    known = [(cost, name) for cost, name in costs if cost is not None]
    return ((Step(min(known)[1], paired=True),) if known else ()), None


def _value(row: _Row) -> Said:
    """One algorithm; which is chosen shows when all rows are read."""
    value = row.number(row.page.at["value"], "the prediction")
    if value is not None and row.word("algorithm") is None:
        row.wrong("the row names no algorithm")
    row.page.values[row.line] = value
    return _choice(row)


def _outcome(row: _Row) -> Said:
    """The outcome is None if something is wrong with it."""
    before = len(row.page.findings)
    status = (row.word("runstatus") or "").lower()
    if status not in STATUSES:
        row.wrong(f"{status!r} is none of {', '.join(STATUSES)}")
    time = row.number(row.page.at["time"], "time")
    if time is not None and time < 0:
        row.wrong(f"the time {time} is negative")
    at = row.page.at.get("objective")
    objective = None if at is None else row.number(at, "objective")
    if len(row.page.findings) > before:
        return (), None
    if status in _SOLVED and time is None and objective is None:
        row.wrong(f"it is {status}, but neither time nor objective is said")
        return (), None
    return (), Outcome(time, status, objective)
