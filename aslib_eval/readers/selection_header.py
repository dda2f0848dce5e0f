"""What the header of a CSV file of answers says: its format, and where columns are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from aslib_eval.errors import Finding
from aslib_eval.readers.selection import PREDICTION_ROWS, problem

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
