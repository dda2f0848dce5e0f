"""Tables of results of any optimiser, with the metrics of the catalogue of measures.

A file ``*.csv`` with the columns task, method, metric and value, or a folder that holds one called
``results.csv``. Every task is an instance, every seed a repetition, every metric a measure of its own, the
one that occurs first being the primary one.

A plain table of results of any optimiser: task, method, seed, metric, value.

Without ``seed`` every run is the first. ``direction`` (minimize or maximize) says whether more of a metric
is better, where its name does not. An empty value, or ``?``
or NA, says that the run failed.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from aslib_eval.errors import AslibError, Finding
from aslib_eval.formats import Finder, Format, Parsed, is_runtime, known, similar
from aslib_eval.formats.sources import (
    TEXTS,
    CsvTable,
    FilesRead,
    Location,
    Row,
    Sources,
    algorithm_table,
    default_name,
    header_of,
    load_files,
    positions,
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
    "minimize": False,
    "maximize": True,
    "min": False,
    "max": True,
    "minimise": False,
    "minimization": False,
    "maximise": True,
    "maximization": True,
}


@dataclass(frozen=True)
class Result:
    """A row: value None = the run failed; maximize None = not declared by the row."""

    line: int
    task: str
    method: str
    seed: int
    metric: str
    value: float | None
    maximize: bool | None


def read_results(content: bytes, *, file: str) -> tuple[list[Result], list[Finding]]:
    """Read every row; none, and everything that is wrong, if there is such."""
    table = CsvTable(content, file=file, names=NAMES, code="table-row")
    table.require(NEEDED)
    found = [_result(row) for row in table.rows()]
    return [] if table.findings else found, table.findings


def _result(row: Row) -> Result:
    seed = row.whole("seed", required=True) if "seed" in row.table.at else 1
    value = row.number("value")
    if value is not None and not math.isfinite(value):
        row.wrong(f"value {row.text('value')!r} is not finite", "Leave it empty if the run failed.")
    return Result(
        row.line,
        row.name("task"),
        row.name("method"),
        seed or 0,
        row.name("metric"),
        value,
        _DIRECTIONS.get(row.choice("direction", _DIRECTIONS)),
    )


# Whether the rows of a table of results make sense together.

_LIMIT = 20  # findings of one kind
RUNS_HINT = (
    "Give runs as a table of runs, with the columns instance, solver and time (docs/runs.md)."
    " If a time is itself what is optimised, give it another name, such as execution_time."
)


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
        """As the catalogue declares, else the first row that does; else None."""
        if (found := known(measure)) is not None:
            return found.maximize
        directions = (row.maximize for row in self.of[measure])
        return next((more for more in directions if more is not None), None)

    def findings(self) -> list[Finding]:
        """Everything that is wrong, up to 20 of a kind."""
        kinds = (self._runtimes(), self._directions(), self._ranges(), self._twice(), self._gaps())
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
                what = f"it is not known whether more {measure} is better"
                close = similar(measure)
                hint = f"Did you mean {' or '.join(close)}? " if close else ""
                hint += "Add a column direction: minimize or maximize."
                yield self._error(code, rows[0].line, what, hint)
            source = "in the catalogue" if known(measure) else "above"
            for row in rows:
                if row.maximize not in (None, more):
                    here, there = ("maximize" if each else "minimize" for each in (row.maximize, more))
                    hint = "If this metric means something else, give it another name."
                    yield self._error(
                        code, row.line, f"{row.metric}: {here} here, but {there} {source}", hint
                    )

    def _ranges(self) -> Iterator[Finding]:
        for row in self.rows:
            found = known(row.metric)
            if found and row.value is not None and not found.holds(row.value):
                what = f"{row.metric} cannot be {row.value:g}: it is in {found.range}"
                yield self._error("table-range", row.line, what, "Is it in percent, or another metric?")

    def _twice(self) -> Iterator[Finding]:
        seen: dict[tuple[str, str, str, int], int] = {}
        for row in self.rows:
            first = seen.setdefault((measure_name(row.metric), row.task, row.method, row.seed), row.line)
            if first != row.line:
                yield self._error(
                    "table-row", row.line, f"the same run as in line {first}", "Remove one of them."
                )

    def _gaps(self) -> Iterator[Finding]:
        """Methods without a value where others have one, or with fewer."""
        methods = sorted({row.method for row in self.rows})
        for measure, rows in self.of.items():
            counts = Counter((row.task, row.method) for row in rows)
            first = {row.task: row.line for row in reversed(rows)}
            for task in dict.fromkeys(row.task for row in rows):
                most, line = max(counts[task, method] for method in methods), first[task]
                for method in methods:
                    if (n := counts[task, method]) < most:
                        what = f"{method} has {n} of {most} runs of {task} ({measure})"
                        hint = "Write a row without value for a run that failed."
                        yield self._error("table-incomplete", line, what, hint)


TABLE = "results.csv"


def _find(path: Path, files: FilesRead) -> list[Location]:
    is_folder = (path / TABLE).is_file() and not (path / "description.txt").exists()
    is_ours = is_folder or _is_header(header_of(path, files))
    return [Location(path, str(path))] if is_ours else []


def _absent(path: Path) -> AslibError:
    if is_table_of_runs(header_of(path)):
        return AslibError("is a table of runs, not of results", str(path), RUNS_HINT)
    hint = f"Results have the columns {', '.join(NEEDED)}; runs have instance, solver and time."
    return AslibError(f"is not a table of results, and holds no {TABLE}", str(path), hint)


def is_table_of_runs(header: Sequence[str]) -> bool:
    """Whether a CSV file has a column of runtimes for instances and algorithms."""
    at = positions(header, NAMES)
    runs = {"task", "method"} <= at.keys() and "metric" not in at
    return runs and any(is_runtime(column) for column in header)


def _is_header(columns: Sequence[str]) -> bool:
    return positions(columns, NAMES).keys() >= set(NEEDED)


def _read(location: Location, sources: Sources) -> Parsed:
    name = TABLE if TABLE in sources else location.path.name
    file = shown(location, name)
    rows, findings = read_results(sources[name].content, file=file)
    results = Results(tuple(rows), file)
    findings += [] if findings else results.findings()
    if findings:
        return Parsed(tuple(findings))
    measures = {name: results.maximize(name) is True for name in results.of}
    runs = [
        {
            "instance_id": row.task,
            "repetition": row.seed,
            "algorithm": row.method,
            "measure": measure_name(row.metric),
            "value": row.value,
            "runstatus": "crash" if row.value is None else "ok",
        }
        for row in rows
    ]
    tables = {
        "scenario": scenario_table(location, sources, measures=measures),
        "source": source_table(sources),
        "algorithm": algorithm_table(sorted({row.method for row in rows})),
        "run": table("run", runs),
    }
    return Parsed((), tables)


RESULTS = Format(
    "table",
    Finder(_find),
    _absent,
    default_name,
    lambda location: load_files(location, (*TEXTS, TABLE)),
    lambda location, _: default_name(location),
    _read,
    marks=(TABLE,),
    is_header=_is_header,
)
