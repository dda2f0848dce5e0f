"""Files of SMT-COMP: runs by track and division, and what is known of benchmarks.

A file is parsed once, and its runs are kept as tuples by track and division: one of single queries has
several hundred thousand. What is wrong names the number of the run, from 1, as most of these files have one
line.
"""

from __future__ import annotations

import json
import math
import sys
import zlib
from collections.abc import Hashable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from aslib_eval.errors import AslibError, Finding
from aslib_eval.extensions.competitions.formats.competition_runs import year_of
from aslib_eval.extensions.competitions.formats.smt.run_tables import files_beside, run_table_results
from aslib_eval.extensions.competitions.formats.smt.smt_runs import (
    LATEST,
    TRACKS,
    KnownSmtBenchmark,
    RunsByDivision,
    SmtBenchmark,
    SmtResults,
    SmtRun,
)
from aslib_eval.formats.runs.raw_table import unpacked
from aslib_eval.formats.sources import FilesRead, Location, Source
from aslib_eval.text import plural

_CODE = "runs-file"
_LARGEST = 2**31
BENCHMARKS = "benchmarks-"  # the name of such a file begins so, its year follows


def scenario_id(location: Location, name: str) -> str:
    """SMT, the year, the track and the division; name: instead of the first three."""
    track, _, division = location.part.partition("/")
    parts = ("SMT", year_of(location.shown), TRACKS.get(track, track))
    first = name or "-".join(part for part in parts if part)
    return f"{first}-{division}" if division else first


def parts_of(path: Path, files: FilesRead) -> tuple[str, ...]:
    """Track and division of each scenario of a file; none where something is wrong."""
    found = results_of(path, files.source(path, keep=True), files, file=str(path))
    if found.findings:
        return ()
    if (beside := benchmarks_beside(path)) is not None:
        benchmarks_of(files.source(beside, keep=True), files, file=str(beside))
    return tuple("/".join(key) for key in sorted(found.runs))


def results_of(path: Path, source: Source, files: FilesRead, *, file: str) -> SmtResults:
    """The runs of a file, which is parsed once. file: its path for the user."""
    year = int(year_of(str(path)) or LATEST)
    beside = {p.name: files.source(p, keep=True) for p in files_beside(path)}
    hashes = tuple(each.sha256 for each in (source, *beside.values()))
    tables = {name: each.content for name, each in beside.items()}
    return files.once(
        ("results", hashes, year), lambda: _results(source.content, year, file, tables), keep=True
    )


def benchmarks_beside(path: Path) -> Path | None:
    """The file of benchmarks of the same year beside one of results."""
    if not (year := year_of(path.name)):
        return None
    found = (path.with_name(f"{BENCHMARKS}{year}{ending}") for ending in (".json", ".json.gz"))
    return next((each for each in found if each.is_file()), None)


def benchmarks_of(
    source: Source, files: FilesRead, *, file: str
) -> Mapping[SmtBenchmark, KnownSmtBenchmark] | Finding:
    """What a file of benchmarks says, which is parsed once; an error if it is none."""
    key: Hashable = ("benchmarks", source.sha256)
    return files.once(key, lambda: _benchmarks(source.content, file), keep=True)


def _parsed(content: bytes, file: str) -> Any | Finding:
    """The value of a file of JSON, gzipped or not, with benchmarks as such."""
    line = None
    try:
        if content[:2] == b"\x1f\x8b":
            content = unpacked(content)
    except (zlib.error, ValueError) as error:
        return Finding(_CODE, "error", file, None, f"cannot be unpacked ({error})", "Fetch it again.")
    try:
        return json.loads(content, object_hook=partial(_benchmark_of, {}))
    except UnicodeDecodeError as error:
        what = f"is not UTF-8 text ({error.reason})"
    except json.JSONDecodeError as error:
        line, what = (error.lineno, f"is no JSON from column {error.colno} on ({error.msg})")
    except ValueError as error:  # of a number without end
        what = f"is no JSON of results ({error})"
    except RecursionError:
        what = "is no JSON of results: it is nested too deeply"
    return Finding(_CODE, "error", file, line, what, "Fetch it again.")


def _benchmark_of(known: dict[SmtBenchmark, SmtBenchmark], value: dict[str, Any]) -> Any:
    """The benchmark that an object is, one for all equal objects of a file, else the object."""
    if "logic" not in value or "name" not in value:
        return value
    logic, family, name = value["logic"], value.get("family", []), value["name"]
    parts = [logic, name, *(family if isinstance(family, list) else [None])]
    if not all(map(_is_text, parts)) or not (logic and name):
        return value
    first = (value.get("incremental") is True, sys.intern(logic))
    made = SmtBenchmark(*first, sys.intern("/".join(family)), name)
    return known.setdefault(made, made)


def _is_text(value: Any) -> bool:
    """Whether a value is a text that a file can hold."""
    if not isinstance(value, str):
        return False
    return value.isascii() or not any("\ud800" <= each <= "\udfff" for each in value)


def _results(content: bytes, year: int, file: str, beside: Mapping[str, bytes]) -> SmtResults:
    if file.lower().endswith(".csv"):
        return run_table_results(content, year, file, beside=beside)
    value = _parsed(content, file)
    if isinstance(value, Finding):
        return SmtResults(findings=(value,))
    listed = value.get("results") if isinstance(value, dict) else None
    found = RunsByDivision(year, file)
    if not isinstance(listed, list) or not listed:
        found.wrong("has no list of results", "Fetch it again.")
        listed = []
    wrong: dict[tuple[str, str], list[int]] = {}
    for number, each in enumerate(listed, 1):
        try:
            track, run = _result(number, each)
        except AslibError as error:
            wrong.setdefault((error.message, error.hint or ""), []).append(number)
            continue
        found.add(track, run)
    for (what, hint), numbers in wrong.items():
        more = f"; {plural(len(numbers), 'such run')}" if numbers[1:] else ""
        found.wrong(f"run {numbers[0]}: {what}{more}", hint)
    return SmtResults(found.runs, found.report.findings)


def _result(number: int, value: Any) -> tuple[str, SmtRun]:
    """The track and the run; AslibError if something of it is wrong."""
    if not isinstance(value, dict):
        raise AslibError("it is no object")
    keys = ("track", "solver", "result", "file", "nb_answers")
    track, solver, word, benchmark, n_answers = map(value.get, keys)
    if not isinstance(track, str) or track not in TRACKS:
        raise AslibError(f"{track!r} is no track", None, f"There are {', '.join(TRACKS)}.")
    if not isinstance(solver, str) or not (solver and _is_text(solver)):
        raise AslibError(f"{solver!r} is no solver")
    if not isinstance(benchmark, SmtBenchmark):
        raise AslibError("it names no file with logic, family and name")
    if not isinstance(word, str):
        raise AslibError(f"{word!r} is no result")
    if n_answers is not None and not (type(n_answers) is int and 0 <= n_answers < _LARGEST):
        raise AslibError(f"nb_answers is {n_answers!r}, and no number of answers")
    wall, cpu = (_time(value, key) for key in ("wallclock_time", "cpu_time"))
    solver, word = sys.intern(solver), sys.intern(word)
    return track, SmtRun(number, solver, benchmark, word, wall, cpu, n_answers)


def _time(value: Mapping[str, Any], key: str) -> float:
    time = value.get(key)
    if isinstance(time, bool) or not isinstance(time, int | float):
        time = math.nan
    if not 0 <= time <= sys.float_info.max:
        raise AslibError(f"its {key} is {value.get(key)!r}", None, "It is a number of seconds from 0.")
    return float(time)


def _benchmarks(content: bytes, file: str) -> Mapping[SmtBenchmark, KnownSmtBenchmark] | Finding:
    value = _parsed(content, file)
    if isinstance(value, Finding):
        return value
    found: dict[SmtBenchmark, KnownSmtBenchmark] = {}
    for kind in ("non_incremental", "incremental"):
        for each in value.get(kind, ()) if isinstance(value, dict) else ():
            benchmark = each.get("file") if isinstance(each, dict) else None
            if isinstance(benchmark, SmtBenchmark):
                status = each["status"] if each.get("status") in ("sat", "unsat") else None
                found[benchmark] = KnownSmtBenchmark(status, each.get("asserts"), each.get("check_sats"))
    hint = "Fetch it again, or remove it."
    return found or Finding(_CODE, "error", file, None, "tells nothing of benchmarks", hint)
