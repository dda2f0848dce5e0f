"""Tables of results of any optimiser, their metrics told by the catalogue of measures.

A file ``*.csv`` with the columns task, method, metric and value, or a folder that holds
one called ``results.csv``. Every task is an instance, every seed a repetition, every
metric a measure of its own, the one that occurs first being the primary one.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from aslib_eval.errors import AslibError, Finding
from aslib_eval.formats.contract import Format, Parsed
from aslib_eval.formats.experiments import header_of
from aslib_eval.formats.result_checks import RUNS_HINT, Results, measure_name
from aslib_eval.measures import is_runtime
from aslib_eval.readers.facts import algorithm_table, scenario_table, table
from aslib_eval.readers.locations import Location
from aslib_eval.readers.results_csv import NEEDED, Result, columns_of, read_results
from aslib_eval.readers.sources import (
    TEXTS,
    Source,
    Sources,
    default_name,
    load_files,
    shown,
    source_table,
)

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
