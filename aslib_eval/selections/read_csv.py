"""Choices, predictions and outcomes: CSV files with a header, told apart by it."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from aslib_eval.errors import Finding
from aslib_eval.selections.answers import (
    PREDICTION_ROWS,
    Answer,
    Answers,
    Outcome,
    Step,
    problem,
)

# What the header of a CSV file of answers says: its format, and where columns are.

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
# Beside instance and algorithm, one of these makes a row a prediction.
VALUES = ("score", "cost", "prediction", "runtime")
_ALWAYS = ("instance", "selector", "cv_scheme", "cv_repetition", "fold")
_OWN = {
    "choice": ("algorithm",),
    "prediction": (),
    PREDICTION_ROWS: ("algorithm", "value"),
    "outcome": ("time", "runstatus", "objective"),
}
_NEEDED = {
    "choice": ("instance", "algorithm"),
    "prediction": ("instance",),
    PREDICTION_ROWS: ("instance", "algorithm"),
    "outcome": ("instance", "time", "runstatus"),
}
_UNREAD = {
    "choice": "A choice is an instance and its algorithm: budgets belong in a schedule "
    "(JSON), and outcomes have no algorithm.",
    PREDICTION_ROWS: "A prediction is an instance, an algorithm and a value.",
    "outcome": "An outcome is an instance, its time, its status and an objective.",
}


@dataclass
class Page:
    """A file while it is read: where the columns are, and what was wrong so far.

    ``algorithms``: the columns of algorithms. ``values``: of predictions in rows, the
    value by line.
    """

    file: str
    format: str
    at: Mapping[str, int]
    algorithms: Mapping[str, int]
    findings: list[Finding] = field(default_factory=list)
    values: dict[int, float | None] = field(default_factory=dict)

    def wrong(self, code: str, line: int | None, what: str, hint: str = "") -> None:
        """Note an error."""
        self.findings.append(problem(code, self.file, line, what, hint))

    def odd(self, code: str, line: int, what: str, hint: str) -> None:
        """Note a warning."""
        self.findings.append(Finding(code, "warning", self.file, line, what, hint))

    @property
    def is_broken(self) -> bool:
        """Whether there is an error."""
        return any(found.severity == "error" for found in self.findings)


def page_of(file: str, line: int, header: Sequence[str]) -> Page:
    """The page that a header begins; its findings say what is wrong with it."""
    at = {
        meant: position
        for position, name in enumerate(header)
        for meant, names in _NAMES.items()
        if name.lower() in names
    }
    if "instance" not in at and header[0] == "" != header[-1]:  # an index
        at["instance"] = 0
    values = [i for i, name in enumerate(header) if name.lower() in VALUES]
    if len(values) == 1:
        at["value"] = values[0]
    format_ = _format(at)
    own = {*_ALWAYS, *_OWN[format_]}
    at = {meant: position for meant, position in at.items() if meant in own}
    others = {n: i for i, n in enumerate(header) if i not in at.values()}
    columns = others if format_ == "prediction" and "instance" in at else {}
    page = Page(file, format_, at, columns)
    _require(page, line, header, others)
    if not page.is_broken:
        _remark(page, line, header, others)
    return page


def _format(at: Mapping[str, int]) -> str:
    if "algorithm" in at:
        rows = "value" in at and "runstatus" not in at
        return PREDICTION_ROWS if rows else "choice"
    return "outcome" if {"time", "runstatus"} & at.keys() else "prediction"


def _require(
    page: Page, line: int, header: Sequence[str], others: Mapping[str, int]
) -> None:
    twice = sorted({name for name in header if header.count(name) > 1})
    if twice:
        page.wrong("header", line, f"columns are repeated: {', '.join(twice)}")
    if missing := [name for name in _NEEDED[page.format] if name not in page.at]:
        names = " and ".join("/".join(_NAMES[name][:2]) for name in missing)
        hint = f"It has {', '.join(header[:8])}; separate columns by commas."
        page.wrong("header", line, f"there is no column {names}", hint)
    elif page.format == "prediction" and not others:
        hint = "Add algorithm, or one column per algorithm, or runtime and runstatus."
        page.wrong("header", line, "the columns say nothing of algorithms", hint)


def _remark(
    page: Page, line: int, header: Sequence[str], others: Mapping[str, int]
) -> None:
    """Columns that are not read, and a value of which more might be meant."""
    unread = [name for name in others if name]  # without a name: an index
    if unread and page.format != "prediction":
        names = ", ".join(map(repr, unread))
        are = "columns are" if len(unread) > 1 else "column is"
        what = f"{len(unread)} {are} not read: {names}"
        page.odd("columns-unread", line, what, _UNREAD[page.format])
    if page.format == PREDICTION_ROWS and header[page.at["value"]].lower() == "score":
        what = "of an instance's algorithms the one of the lowest score is chosen"
        page.odd("lowest-chosen", line, what, "If higher is better, turn the signs.")


# Predictions in rows of instance, algorithm and value → the algorithm chosen.


def named_in(answers: Iterable[Answer]) -> dict[str, int]:
    """The algorithms that have a row, with the first line of each."""
    found: dict[str, int] = {}
    for answer in answers:
        for step in answer.steps:
            found.setdefault(step.name, answer.line)
    return found


def lowest(page: Page, answers: Iterable[Answer]) -> Iterator[Answer]:
    """An answer for each instance: the lowest value; of equals the first by name.

    It has the line of the first row of its instance. That an algorithm has two rows
    for one instance is noted.
    """
    groups: dict[tuple[object, ...], list[Answer]] = {}
    for answer in answers:
        # Who said it, on which fold and of what: all but the line and the prediction.
        key = (answer.instance, *answer[answer._fields.index("selector") :])
        groups.setdefault(key, []).append(answer)
    for rows in groups.values():
        _refuse_twice(page, rows)
        known = [
            (value, row.steps[0].name, row.steps)
            for row in rows
            if row.steps and (value := page.values[row.line]) is not None
        ]
        yield rows[0]._replace(steps=min(known)[2] if known else ())


def _refuse_twice(page: Page, rows: Iterable[Answer]) -> None:
    seen: dict[str, int] = {}
    for row in rows:
        for step in row.steps:
            if step.name in seen:
                what = f"{row.instance!r} has a prediction of {step.name!r}"
                page.wrong("row", row.line, f"{what} on line {seen[step.name]} already")
            seen.setdefault(step.name, row.line)


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
