"""Tables of results of any optimiser, their metrics told by the catalogue of measures.

A file ``*.csv`` with the columns task, method, metric and value, or a folder that holds
one called ``results.csv``. Every task is an instance, every seed a repetition, every
metric a measure of its own, the one that occurs first being the primary one.

A plain table of results of any optimiser: task, method, seed, metric, value.

Without ``seed`` every run is the first. ``direction`` (minimize or maximize) says
whether more of a metric is better, where its name does not. An empty value, or ``?``
or NA, says that the run failed.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from aslib_eval.errors import AslibError, Finding
from aslib_eval.formats.bayesmark import header_of
from aslib_eval.formats.csv_rows import numbered_rows, places_of
from aslib_eval.formats.format import Format, Parsed
from aslib_eval.formats.measures import is_runtime, known, similar
from aslib_eval.formats.sources import (
    TEXTS,
    Location,
    Source,
    Sources,
    algorithm_table,
    default_name,
    load_files,
    scenario_table,
    shown,
    source_table,
    table,
)

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


# Whether the rows of a table of results make sense together.

_LIMIT = 20  # remarks of one kind
RUNS_HINT = (
    "Write runs with their cutoff as a scenario: aslib_eval.write_scenario, see"
    " docs/runs.md. A time that is itself what is optimised has another name,"
    " execution_time for instance."
)
_WORDS = {True: "maximize", False: "minimize"}


def measure_name(metric: str) -> str:
    """The catalogue's name of a metric; its own where it is not there."""
    found = known(metric)
    return metric if found is None else found.name


@dataclass(frozen=True)
class Results:
    """The rows of a table."""

    rows: tuple[Result, ...]
    file: str

    @cached_property
    def of(self) -> Mapping[str, list[Result]]:
        """The rows of each measure, in the order in which measures first occur."""
        found: dict[str, list[Result]] = {}
        for row in self.rows:
            found.setdefault(measure_name(row.metric), []).append(row)
        return found

    def maximize(self, measure: str) -> bool | None:
        """As the catalogue says, else the first row that says; None if nobody does."""
        if (found := known(measure)) is not None:
            return found.maximize
        said = (row.maximize for row in self.of[measure])
        return next((more for more in said if more is not None), None)

    def findings(self) -> list[Finding]:
        """Everything that is wrong, up to 20 of a kind."""
        kinds = (
            self._runtimes(),
            self._directions(),
            self._ranges(),
            self._twice(),
            self._gaps(),
        )
        return [found for kind in kinds for found in list(kind)[:_LIMIT]]

    def _error(self, code: str, line: int, what: str, hint: str) -> Finding:
        return Finding(code, "error", self.file, line, what, hint)

    def _runtimes(self) -> Iterator[Finding]:
        """Metrics that are runtimes: as qualities every run of them would be solved."""
        for measure, rows in self.of.items():
            if is_runtime(measure):
                what = f"{measure} is a runtime, and a table of results holds qualities"
                yield self._error("table-runtime", rows[0].line, what, RUNS_HINT)

    def _directions(self) -> Iterator[Finding]:
        code = "table-direction"
        for measure, rows in self.of.items():
            more = self.maximize(measure)
            if more is None and not is_runtime(measure):
                what = f"nobody knows whether more {measure} is better"
                close = similar(measure)
                hint = f"Did you mean {' or '.join(close)}? " if close else ""
                hint += "Add a column direction: minimize or maximize."
                yield self._error(code, rows[0].line, what, hint)
            source = "in the catalogue" if known(measure) else "above"
            for row in rows:
                if row.maximize not in (None, more):
                    here, there = _WORDS[bool(row.maximize)], _WORDS[bool(more)]
                    what = f"{row.metric} is to {here} here, to {there} {source}"
                    hint = "If it means something else, give it another name."
                    yield self._error(code, row.line, what, hint)

    def _ranges(self) -> Iterator[Finding]:
        for row in self.rows:
            found = known(row.metric)
            if found and row.value is not None and not found.holds(row.value):
                what = f"{row.metric} cannot be {row.value:g}: it is in {found.range}"
                hint = "Is it in percent, or another metric?"
                yield self._error("table-range", row.line, what, hint)

    def _twice(self) -> Iterator[Finding]:
        seen: dict[tuple[str, str, str, int], int] = {}
        for row in self.rows:
            key = (measure_name(row.metric), row.task, row.method, row.seed)
            first = seen.setdefault(key, row.line)
            if first != row.line:
                what = f"the same run as in line {first}"
                yield self._error("table-row", row.line, what, "Remove one of them.")

    def _gaps(self) -> Iterator[Finding]:
        """Methods without a value where others have one, or with fewer."""
        methods = sorted({row.method for row in self.rows})
        for measure, rows in self.of.items():
            counts: dict[tuple[str, str], int] = {}
            first: dict[str, int] = {}
            for row in rows:
                key = (row.task, row.method)
                counts[key] = counts.get(key, 0) + 1
                first.setdefault(row.task, row.line)
            for task, line in first.items():
                most = max(counts.get((task, m), 0) for m in methods)
                for method in methods:
                    if (n := counts.get((task, method), 0)) < most:
                        what = f"{method} has {n} of {most} runs of {task} ({measure})"
                        hint = "Write a row without value for a run that failed."
                        yield self._error("table-incomplete", line, what, hint)


TABLE = "results.csv"


def find_results(path: Path) -> list[Location]:
    """The tables at ``path``: itself, or the folders with one inside it.

    Raises AslibError if there is nothing of the kind, or it cannot be looked into.
    """
    try:
        whole = _is_folder(path) or _is_table(path)
        inside = sorted(path.iterdir()) if path.is_dir() and not whole else []
        found = [path] if whole else [p for p in inside if _is_folder(p)]
    except OSError as error:
        what = f"cannot be read ({error.strerror})"
        raise AslibError(what, str(path), "Check the permissions.") from None
    if is_table_of_runs(header_of(path)):
        raise AslibError("is a table of runs, not of results", str(path), RUNS_HINT)
    if not found:
        hint = f"A table has the columns {', '.join(NEEDED)}."
        raise AslibError(f"holds no {TABLE}, and is no such table", str(path), hint)
    return [Location(p, str(p)) for p in found]


def is_table_of_runs(header: Sequence[str]) -> bool:
    """Whether a CSV file has a column of runtimes for instances and algorithms."""
    at = columns_of(header)
    runs = {"task", "method"} <= at.keys() and "metric" not in at
    return runs and any(is_runtime(column) for column in header)


def _is_folder(path: Path) -> bool:
    """Not of a scenario of ASlib, which may hold such a file by chance."""
    return (path / TABLE).is_file() and not (path / "description.txt").exists()


def _is_table(path: Path) -> bool:
    return set(NEEDED) <= columns_of(header_of(path)).keys()


def _claim(location: Location) -> str:
    return default_name(location)


def _load(location: Location) -> dict[str, Source]:
    return load_files(location, (*TEXTS, TABLE))


def _identify(location: Location, _: Sources) -> str:
    return default_name(location)


def _read(location: Location, sources: Sources) -> Parsed:
    name = TABLE if TABLE in sources else location.path.name
    file = shown(location, name)
    try:
        text = sources[name].content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        what = f"is not UTF-8 text ({error.reason} at byte {error.start})"
        return Parsed((Finding("table-row", "error", file, None, what),))
    rows, findings = read_results(text, file=file)
    results = Results(tuple(rows), file)
    findings += [] if findings else results.findings()
    if findings:
        return Parsed(tuple(findings))
    measures = {name: results.maximize(name) is True for name in results.of}
    tables = {
        "scenario": scenario_table(location, sources, measures=measures),
        "source": source_table(sources),
        "algorithm": algorithm_table(sorted({row.method for row in rows})),
        "run": table("run", [_run(row) for row in rows]),
    }
    return Parsed((), tables)


def _run(row: Result) -> dict[str, object]:
    return {
        "instance_id": row.task,
        "repetition": row.seed,
        "algorithm": row.method,
        "measure": measure_name(row.metric),
        "value": row.value,
        "runstatus": "crash" if row.value is None else "ok",
    }


RESULTS = Format("table", find_results, _claim, _load, _identify, _read)
