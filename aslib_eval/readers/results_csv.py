"""A plain table of results of any optimiser: task, method, seed, metric, value.

Without ``seed`` every run is the first. ``direction`` (minimize or maximize) says
whether more of a metric is better, where its name does not. An empty value, or ``?``
or NA, says that the run failed.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Sequence
from dataclasses import dataclass

from aslib_eval.errors import Finding
from aslib_eval.readers.plain_csv import numbered_rows, places_of

NAMES = {
    "task": ("task", "problem", "dataset", "instance_id", "instance"),
    "method": ("method", "optimizer", "optimiser", "algorithm"),
    "seed": ("seed", "trial", "repetition"),
    "metric": ("metric", "measure"),
    "value": ("value", "result"),
    "direction": ("direction",),
}
NEEDED = ("task", "method", "metric", "value")
_DIRECTIONS = {
    "min": False,
    "minimize": False,
    "minimise": False,
    "minimization": False,
    "max": True,
    "maximize": True,
    "maximise": True,
    "maximization": True,
}
_FAILED = {"", "?", "na", "null", "none"}
_LARGEST = 2**31


@dataclass(frozen=True)
class Result:
    """A row: value None = the run failed; maximize None = the row does not say."""

    line: int
    task: str
    method: str
    seed: int
    metric: str
    value: float | None
    maximize: bool | None


def columns_of(header: Sequence[str]) -> dict[str, int]:
    """Where each column of a table of results stands, by its plain name."""
    return places_of(header, NAMES)


def read_results(text: str, *, file: str) -> tuple[list[Result], list[Finding]]:
    """Every row, and every row that is wrong."""
    found: list[Result] = []
    findings: list[Finding] = []

    def wrong(line: int | None, what: str, hint: str = "") -> None:
        findings.append(Finding("table-row", "error", file, line, what, hint))

    rows = numbered_rows(text)
    try:
        line, header = next(rows, (1, [""]))
        at = columns_of(header)
        if missing := [name for name in NEEDED if name not in at]:
            hint = f"It has {', '.join(header[:8])}."
            wrong(line, f"there is no column {' and '.join(missing)}", hint)
            return [], findings
        for number, row in rows:
            try:
                found.append(_result(number, row, at, len(header)))
            except ValueError as error:
                wrong(number, str(error))
    except csv.Error as error:
        wrong(None, f"is not a CSV file ({error})")
    if not found and not findings:
        wrong(line, "the file has a header and no row")
    return found, findings


def _result(line: int, row: list[str], at: dict[str, int], width: int) -> Result:
    """Raises ValueError that says what is wrong."""
    if len(row) != width:
        message = f"{len(row)} cells instead of {width}"
        raise ValueError(message)
    cells = {name: row[place].strip() for name, place in at.items()}
    for name in ("task", "method", "metric"):
        if not cells[name]:
            message = f"the row names no {name}"
            raise ValueError(message)
    return Result(
        line,
        cells["task"],
        cells["method"],
        _seed(cells.get("seed", "1")),
        cells["metric"],
        _value(cells["value"]),
        _direction(cells.get("direction", "")),
    )


def _seed(text: str) -> int:
    if not text.isdecimal() or int(text) >= _LARGEST:
        message = f"seed {text!r} is not a whole number below 2^31"
        raise ValueError(message)
    return int(text)


def _value(text: str) -> float | None:
    if text.lower() in _FAILED:
        return None
    try:
        value = float(text)
    except ValueError:
        message = f"value {text!r} is not a number"
        raise ValueError(message) from None
    if not math.isfinite(value):
        message = f"value {text!r} is not finite; leave it empty if the run failed"
        raise ValueError(message)
    return value


def _direction(text: str) -> bool | None:
    if not text:
        return None
    if text.lower() not in _DIRECTIONS:
        message = f"direction {text!r} is neither minimize nor maximize"
        raise ValueError(message)
    return _DIRECTIONS[text.lower()]
