"""Choices, predictions and outcomes: CSV files with a header, told apart by it."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from aslib_eval.errors import Finding
from aslib_eval.readers.selection import Answer, Answers, Outcome, Step, problem

# Column as meant → the names it goes by, in lower case.
_NAMES = {
    "instance": ("instance_id", "instance", "inst"),
    "selector": ("selector", "solver", "system"),
    "cv_scheme": ("cv_scheme", "scheme"),
    "cv_repetition": ("cv_repetition", "repetition"),
    "fold": ("fold",),
    "algorithm": ("algorithm", "algorithm_id"),
    "time": ("time", "runtime"),
    "runstatus": ("runstatus", "status"),
    "objective": ("objective", "quality"),
}
_ALWAYS = ("instance", "selector", "cv_scheme", "cv_repetition", "fold")
_OWN = {
    "choice": ("algorithm",),
    "prediction": (),
    "outcome": ("time", "runstatus", "objective"),
}
_NEEDED = {
    "choice": ("instance", "algorithm"),
    "prediction": ("instance",),
    "outcome": ("instance", "time", "runstatus"),
}
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


@dataclass
class _Page:
    """A file while it is read: where the columns are, and what was wrong so far."""

    file: str
    format: str
    at: Mapping[str, int]
    algorithms: Mapping[str, int]
    findings: list[Finding] = field(default_factory=list)

    def wrong(self, code: str, line: int | None, what: str, hint: str = "") -> None:
        """Note an error."""
        self.findings.append(problem(code, self.file, line, what, hint))


class _Wrong(Exception):  # noqa: N818
    """A cell that cannot be read; the text says why."""


def read_csv(text: str, *, file: str) -> Answers:
    """Read a CSV file of any of the three formats; all wrong rows are findings."""
    rows = _rows(text)
    try:
        line, header = next(rows, (1, [""]))
        page = _page(file, line, [name.strip() for name in header])
        answers = [] if page.findings else list(_answers(page, rows, len(header)))
    except csv.Error as error:
        found = problem("csv", file, None, f"is not a CSV file ({error})")
        return Answers(file, "unknown", (), findings=(found,))
    if not answers and not page.findings:
        page.wrong("empty", line, "the file has a header and no row")
    columns = dict.fromkeys(page.algorithms, line)
    kept = () if page.findings else tuple(answers)
    return Answers(file, page.format, kept, columns, tuple(page.findings))


def _rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """The rows that are not blank, with the line on which each starts."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    line = 1
    for row in reader:
        if any(cell.strip() for cell in row):
            yield line, row
        line = reader.line_num + 1


def _page(file: str, line: int, header: Sequence[str]) -> _Page:
    at = {
        meant: position
        for position, name in enumerate(header)
        for meant, names in _NAMES.items()
        if name.lower() in names
    }
    if "instance" not in at and header[0] == "" != header[-1]:  # an index
        at["instance"] = 0
    format_ = _format(at)
    own = {*_ALWAYS, *_OWN[format_]}
    at = {meant: position for meant, position in at.items() if meant in own}
    others = {n: i for i, n in enumerate(header) if i not in at.values()}
    page = _Page(file, format_, at, others if format_ == "prediction" else {})
    twice = sorted({name for name in header if header.count(name) > 1})
    if twice:
        page.wrong("header", line, f"columns are repeated: {', '.join(twice)}")
    if missing := [name for name in _NEEDED[format_] if name not in at]:
        names = " and ".join("/".join(_NAMES[name][:2]) for name in missing)
        hint = f"It has {', '.join(header[:8])}; separate columns by commas."
        page.wrong("header", line, f"there is no column {names}", hint)
    elif format_ == "prediction" and not others:
        hint = "Add algorithm, or one column per algorithm, or runtime and runstatus."
        page.wrong("header", line, "the columns say nothing of algorithms", hint)
    return page


def _format(at: Mapping[str, int]) -> str:
    if "algorithm" in at:
        return "choice"
    return "outcome" if {"time", "runstatus"} & at.keys() else "prediction"


def _answers(
    page: _Page, rows: Iterator[tuple[int, list[str]]], width: int
) -> Iterator[Answer]:
    read = {"choice": _choice, "prediction": _prediction, "outcome": _outcome}
    for line, row in rows:
        try:
            yield _answer(page, line, _whole(row, width), read[page.format])
        except _Wrong as wrong:
            page.wrong("row", line, str(wrong))


def _whole(row: list[str], width: int) -> list[str]:
    if len(row) != width:
        raise _Wrong(f"{len(row)} cells instead of {width}")
    return row


Said = tuple[tuple[Step, ...], Outcome | None]


def _answer(
    page: _Page, line: int, row: list[str], said: Callable[[_Page, list[str]], Said]
) -> Answer:
    instance = row[page.at["instance"]].strip()
    if not instance:
        raise _Wrong("the row names no instance")
    steps, outcome = said(page, row)
    return Answer(
        line,
        instance,
        steps,
        outcome,
        _word(page, row, "selector"),
        _word(page, row, "cv_scheme"),
        _count(page, row, "cv_repetition"),
        _count(page, row, "fold"),
    )


def _choice(page: _Page, row: list[str]) -> Said:
    name = _word(page, row, "algorithm")
    return ((Step(name, paired=True),) if name is not None else ()), None


def _prediction(page: _Page, row: list[str]) -> Said:
    """The algorithm of the lowest predicted cost; of equals the first by name."""
    costs = [(_number(row[at], name), name) for name, at in page.algorithms.items()]
    known = [(cost, name) for cost, name in costs if cost is not None]
    return ((Step(min(known)[1], paired=True),) if known else ()), None


def _outcome(page: _Page, row: list[str]) -> Said:
    status = (_word(page, row, "runstatus") or "").lower()
    if status not in STATUSES:
        raise _Wrong(f"{status!r} is none of {', '.join(STATUSES)}")
    time = _number(row[page.at["time"]], "time")
    if time is not None and time < 0:
        raise _Wrong(f"the time {time} is negative")
    at = page.at.get("objective")
    objective = None if at is None else _number(row[at], "objective")
    if status == "ok" and time is None and objective is None:
        raise _Wrong("it is ok, but neither time nor objective is said")
    return (), Outcome(time, status, objective)


def _word(page: _Page, row: list[str], column: str) -> str | None:
    if column not in page.at:
        return None
    word = row[page.at[column]].strip()
    return word or None


def _count(page: _Page, row: list[str], column: str) -> int | None:
    word = _word(page, row, column)
    if word is None or word.lower() in _ABSENT:
        return None
    number = _number(word, column)
    if number is None or not number.is_integer() or not 0 <= number < 2**31:
        raise _Wrong(f"{column} {word!r} is not a whole number")
    return int(number)


def _number(cell: str, name: str) -> float | None:
    """A number, None where it is missing or NaN; infinite is a number."""
    cell = cell.strip()
    if cell.lower() in _ABSENT:
        return None
    try:
        number = float(cell)
    except ValueError:
        raise _Wrong(f"{name} {cell!r} is not a number") from None
    return None if math.isnan(number) else number
