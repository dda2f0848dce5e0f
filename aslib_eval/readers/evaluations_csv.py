"""A plain table of evaluations: problem, method, trial, iteration, …, value.

Further columns: ``suggestion`` (position within a batch; without it every batch is of
one), ``visible`` (what the optimiser itself saw, if that is not the value) and
``elapsed`` (time since the run began). Counters begin with 0 or 1.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence

import numpy as np

from aslib_eval.errors import Finding
from aslib_eval.readers.evaluations import Evaluations, Place
from aslib_eval.readers.plain_csv import numbered_rows, places_of

NAMES = {
    "problem": ("problem", "function", "task", "instance_id", "instance"),
    "method": ("method", "optimizer", "optimiser", "algorithm"),
    "trial": ("trial", "study_id", "repetition", "seed"),
    "iteration": ("iteration", "iter"),
    "suggestion": ("suggestion",),
    "value": ("value", "objective"),
    "visible": ("visible", "visible_value", "_visible_to_opt"),
    "elapsed": ("elapsed",),
}
NEEDED = ("problem", "method", "trial", "iteration", "value")
_COUNTERS = ("trial", "iteration", "suggestion")
_LARGEST = 2**31


def columns_of(header: Sequence[str]) -> dict[str, int]:
    """Where each column of a table of evaluations stands, by its plain name."""
    return places_of(header, NAMES)


def read_evaluations(
    text: str, *, file: str, measure: str
) -> tuple[Evaluations | None, list[Finding]]:
    """Every row as an evaluation; None and every wrong row if there is one."""
    page = _Page(file)
    rows = numbered_rows(text)
    try:
        line, header = next(rows, (1, [""]))
        at = page.columns(line, header)
        cells = [] if page.findings else [page.row(n, row, at) for n, row in rows]
    except csv.Error as error:
        page.wrong(None, f"is not a CSV file ({error})")
    if not page.findings and not cells:
        page.wrong(line, "the file has a header and no row")
    if page.findings:
        return None, page.findings
    columns = dict(zip((*at, "line"), zip(*cells, strict=True), strict=True))
    return _evaluations(columns, file, measure), []


def _evaluations(
    columns: dict[str, tuple[object, ...]], file: str, measure: str
) -> Evaluations:
    size = len(columns["line"])
    ones, unknown = np.ones(size, np.int64), np.full(size, np.nan)
    seen = columns.get("visible")
    return Evaluations(
        problem=np.array(columns["problem"]),
        method=np.array(columns["method"]),
        trial=np.array(columns["trial"], np.int64),
        step=np.array(columns["iteration"], np.int64),
        suggestion=np.array(columns.get("suggestion", ones), np.int64),
        values={measure: np.array(columns["value"], np.float64)},
        visible=None if seen is None else np.array(seen, np.float64),
        elapsed=np.array(columns.get("elapsed", unknown), np.float64),
        places=[Place(file, int(str(line))) for line in columns["line"]],
    )


class _Page:
    """A file while it is read, and what was wrong so far."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.findings: list[Finding] = []

    def wrong(self, line: int | None, what: str, hint: str = "") -> None:
        self.findings.append(
            Place(self.file, line).error("experiment-file", what, hint)
        )

    def columns(self, line: int, header: Sequence[str]) -> dict[str, int]:
        at = columns_of(header)
        if missing := [name for name in NEEDED if name not in at]:
            hint = f"It has {', '.join(header[:8])}."
            self.wrong(line, f"there is no column {' and '.join(missing)}", hint)
        self.width = len(header)
        return at

    def row(self, line: int, row: list[str], at: dict[str, int]) -> tuple[object, ...]:
        """The cells in the order of ``at``, then the line."""
        if len(row) != self.width:
            self.wrong(line, f"{len(row)} cells instead of {self.width}")
            return ()
        cells = (
            self.cell(line, name, row[place].strip()) for name, place in at.items()
        )
        return (*cells, line)

    def cell(self, line: int, name: str, text: str) -> object:
        if name in ("problem", "method"):
            if not text:
                self.wrong(line, f"the row names no {name}")
            return text
        try:
            if name not in _COUNTERS:
                return float(text)
            number = int(text)
        except ValueError:
            number = -1
        if not 0 <= number < _LARGEST:
            kind = "a whole number" if name in _COUNTERS else "a number"
            hint = (
                "Write inf for an evaluation that crashed." if name == "value" else ""
            )
            self.wrong(line, f"{name} {text!r} is not {kind}", hint)
        return number
