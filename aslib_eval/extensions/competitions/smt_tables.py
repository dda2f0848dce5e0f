"""Runs of SMT-COMP by track and division, from results files and from tables with a row for each run.

A file is parsed once and kept as tuples: it may hold several hundred thousand runs. Most files have a
single line, so errors name the number of the run, from 1.

Jobs, as StarExec gave them until 2023::

    benchmark,solver,…,status,cpu time,wallclock time,memory usage,result,expected,…
    Competition - Model Validation Track/QF_BV/asp/a.smt2,Yices,…,complete,1.5,1.6,…

The first folder of a benchmark names the track, the next one the logic. Further columns hold the verdicts
of the checkers of models and unsat cores, and the number of answers of incremental runs.

The cloud and parallel tracks of 2021 and of 2022::

    benchmark,solver,wallclock time,result
    cloud_new/non-incremental/QF_BV/smt-comp-061.smt2,stp,1046.47,UNSATISFIABLE

    benchmark,millisecond,result,cpu time,wallclock time,solver,…,expected,status
    ./UF/sledgehammer/a.smt2,227211,sat,227.211,227.211,Vampire,…,unknown,complete

In 2021 a word instead of a time gives the status, and benchmarks have temporary names: ``cloud-map.csv``
beside the table has their own names, ``aws-instance-statuses.csv`` the right answers. In 2022 the name of
the file gives the track.

The archive of single queries of 2022 has a table of the benchmarks and one of each solver, such as
``solver_331799_sq.csv``; ``comparisons.html`` of the folder above has the solvers' names::

    benchmark_id,division,logic,expected
    benchmark_id,cpu_time,wallclock_time,result

Source: tools/scoring/score.py of 2019 to 2023, 2021/results/aws_join.sh and mapResults.py, and
2022/results/cloud-parallel/join.py of github.com/SMT-COMP/smt-comp.
"""

from __future__ import annotations

import json
import math
import re
import sys
import tomllib
import zlib
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

from aslib_eval.errors import AslibError, Finding
from aslib_eval.extensions.competitions.raw_runs import year_of
from aslib_eval.formats.aslib.lint import LimitedFindings
from aslib_eval.formats.runs.raw_table import unpacked
from aslib_eval.formats.sources import CsvTable, FilesRead, Location, Names, Row, Source, numbered_rows
from aslib_eval.text import plural

# Track of the file → its name in scenarios.
# Source: ``Track`` of smtcomp/defs.py, github.com/SMT-COMP/smt-comp.github.io.
TRACKS: Mapping[str, str] = {
    "SingleQuery": "single-query",
    "Parallel": "parallel",
    "Cloud": "cloud",
    "Incremental": "incremental",
    "UnsatCore": "unsat-core",
    "ModelValidation": "model-validation",
    "ProofExhibition": "proof-exhibition",
    "UnsatCoreValidation": "unsat-core-validation",
    "ChallengeIncremental": "challenge-incremental",
    "ChallengeNonIncremental": "challenge-non-incremental",
}
LATEST = 9999  # instead of an unknown year
_SHOWN = 3


class SmtBenchmark(NamedTuple):
    """A file that solvers run on. incremental: whether it asks several questions.

    An incremental and another benchmark may have the same ``path``.
    """

    incremental: bool
    logic: str
    family: str
    name: str

    @property
    def path(self) -> str:
        """Its logic, family and name."""
        return "/".join(part for part in self[1:] if part)


class SmtRun(NamedTuple):
    """A run of the file, with times in seconds. number: its place in the file, from 1."""

    number: int
    solver: str
    benchmark: SmtBenchmark
    word: str
    wall: float
    cpu: float
    n_answers: int | None
    repetition: int = 1


class KnownSmtBenchmark(NamedTuple):
    """The organisers' facts about a benchmark."""

    status: str | None
    asserts: int | None = None
    check_sats: int | None = None


class SmtResults:
    """The runs of a file by track and division, and its errors.

    known: facts about benchmarks in the file itself. outside: solvers that do not compete.
    """

    def __init__(self, year: int, file: str, findings: Sequence[Finding] = ()) -> None:
        self.runs: dict[tuple[str, str], list[SmtRun]] = {}
        self.known: dict[SmtBenchmark, KnownSmtBenchmark] = {}
        self.outside: set[str] = set()
        self.others = [*findings]
        self._report = LimitedFindings(file)
        self._year, self._file = year, file
        self._seen: dict[tuple[str, str, SmtBenchmark, int], int] = {}

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All errors."""
        return (*self.others, *self._report.findings)

    def wrong(self, what: str, hint: str = "", *, line: int | None = None) -> None:
        """Record an error."""
        self._report.say(_CODE, (self._file, line), what, hint)

    def add(self, track: str, run: SmtRun, *, line: int | None = None) -> None:
        """Add a run; a second one of the same solver and benchmark is an error."""
        first = self._seen.setdefault((track, run.solver, run.benchmark, run.repetition), run.number)
        if first != run.number:
            what = f"run {run.number}, {run.solver} on {run.benchmark.path}, repeats run {first}"
            self.wrong(what, "Remove one of the two.", line=line)
        self.runs.setdefault((track, division_of(run.benchmark.logic, track, self._year)), []).append(run)

    def tell(self, benchmark: SmtBenchmark, status: str, asserts: int | None = None) -> None:
        """Record facts about a benchmark."""
        self.known[benchmark] = KnownSmtBenchmark(status if status in _ANSWERS else None, asserts)


@cache
def division_of(logic: str, track: str, year: int) -> str:
    """The division of a logic in a track and year; the logic itself if it has none.

    >>> division_of("QF_ABV", "Parallel", 2025)
    'QF_Equality+Bitvec'
    >>> division_of("QF_ABV", "ModelValidation", 2025), division_of("BV", "Cloud", 2020)
    ('QF_ADT+BitVec', 'BV')
    """
    facts = tomllib.loads(Path(__file__).with_name("divisions.toml").read_text(encoding="utf-8"))
    since = facts["since"]
    fitting = (
        str(each["name"])
        for each in reversed(facts["division"])
        if year >= since
        and logic in each["logics"].split()
        and track in each.get("tracks", TRACKS)
        and each.get("since", since) <= year <= each.get("until", LATEST)
    )
    return next(fitting, logic)


def counted(numbers: Sequence[SmtRun]) -> str:
    """The number of runs of each solver, in descending order: ``cvc5 3, Yices2 1``."""
    counts = Counter(result.solver for result in numbers).most_common()
    more = len(counts) - _SHOWN
    told = ", ".join(f"{solver} {n}" for solver, n in counts[:_SHOWN])
    return told + (f" and {plural(more, 'solver')} more" if more > 0 else "")


# --- tables ---------------------------------------------------------------------------

_CODE = "runs-file"
_CLOUD = ("benchmark", "solver", "wallclock time", "result")
_JOB = (*_CLOUD, "configuration", "status", "cpu time")
_REQUIRED = ("benchmark", "solver", "configuration", "status", "result", "cpu time", "wallclock time")
_ARCHIVE = ("benchmark_id", "division", "logic", "expected")
_OF_SOLVER = ("benchmark_id", "cpu_time", "wallclock_time", "result")
_OF_2022 = {*_CLOUD, "millisecond", "cpu time", "expected", "status"}
_LOOSE = "model_validator_exception"  # a last column whose text has commas
_OF_CHECKS = (
    *("model_validator_status", "model_validator_error", _LOOSE, "wrong-answers", "correct-answers"),
    *("size-unsat-core", "number-of-assert-commands", "result-is-erroneous"),
)
_NAMES: Names = {name: (name,) for name in (*_JOB, "solver id", *_ARCHIVE, *_OF_SOLVER, *_OF_CHECKS)}
_SPACE = "competition - "
# Words of the first folder, in lower case → the track.
_TRACKS: Mapping[str, str] = {
    "challenge track - incremental": "ChallengeIncremental",
    "challenge track - non-incremental": "ChallengeNonIncremental",
    "single query": "SingleQuery",
    "model validation": "ModelValidation",
    "unsat core": "UnsatCore",
    "incremental": "Incremental",
    "application": "Incremental",  # until 2018
    "proof exhibition": "ProofExhibition",
}
# Words of the first folder for solvers of earlier years and for corrected solvers.
_OUTSIDE = re.compile(r"\b(?:best ?(?:of)? ?(\d{4})|fixed)\b", re.IGNORECASE)
_ANSWERS = ("sat", "unsat")
_RESULTS = "Write sat, unsat or starexec-unknown."
_NONE = ("starexec-unknown", "unknown", "--", "-", "")
_STATUSES: Mapping[str, str] = {
    "timeout (wallclock)": "Timeout",
    "timeout (cpu)": "Timeout",
    "memout": "OutOfMemory",
}
# Failures of StarExec itself: the run has no answer.
_UNABLE = frozenset(
    {"post-processor error", "pre-processor error", "run script error", "file write exceeded"}
    | {"benchmark error", "environment error", "error"}
)
_CRASH = "unhandled_exception"  # of the validator, as without a model
_NO_MODEL = (": ( expected", ": sat expected", "-")  # end of its message without a model
# Word of the first folder or the file name → the cloud track.
_CLOUDS = {"cloud": "Cloud", "parallel": "Parallel"}
# Word instead of a time, or result, in lower case → word of results files.
_ENDED: Mapping[str, str] = {
    "timeout": "Timeout",
    "crashed": "unknown",
    "parse_error": "unknown",
    "sat": "sat",
    "satisfiable": "sat",
    "unsat": "unsat",
    "unsatisfiable": "unsat",
    "unknown": "unknown",
    "error": "unknown",
    "failure": "unknown",
}
_LIMIT = 1200.0  # of wall-clock time [s], in both years
# Files beside a table of 2021: the benchmarks' own names and status.
_OWN_NAMES = ("cloud-map.csv", "parallel-map.csv")
_INSTANCES = "aws-instance-statuses.csv"
_MAP: Names = {"own": ("smtlib name",), "run": ("competition name",)}
_KNOWN: Names = {"own": ("benchmark name",), "status": ("status",)}
# Files beside the table of the archive: the solvers' runs and names.
_FILES = "solver_*_sq.csv"
_COMPARISONS = "comparisons.html"
_NAMED = re.compile(r"\{id: (\d+), name: '([^']+)'\}")


def is_run_table(text: str) -> bool:
    """Whether a file begins as such a table."""
    rows = numbered_rows(text, lambda *_: None)
    _, header = next(rows, (0, ()))
    _, first = next(rows, (0, ()))
    names = [name.lower() for name in header]
    of_2021 = names == [*_CLOUD] and "/non-incremental/" in text
    if of_2021 or {*names} >= _OF_2022 or names == [*_ARCHIVE]:
        return True
    at = names.index("benchmark") if {"benchmark", "configuration"} <= {*names} else len(first)
    return at < len(first) and first[at].lower().startswith(tuple(_SPACE + each for each in _TRACKS))


def run_table_results(content: bytes, year: int, file: str, *, beside: Mapping[str, bytes]) -> SmtResults:
    """The runs of such a table and its errors. beside: the contents of ``files_beside`` by name."""
    table = CsvTable(content, file=file, names=_NAMES, code=_CODE)
    found = SmtResults(year, file)
    if "configuration" in table.at:
        table.require(_REQUIRED)
        _add_job(table, found)
    elif "benchmark_id" in table.at:
        table.require(_ARCHIVE)
        _add_archive(table, found, beside)
    else:
        table.require(_CLOUD)
        _add_cloud(table, found, beside)
    found.others += table.findings
    return found


def files_beside(path: Path) -> list[Path]:
    """The files beside a table that describe its benchmarks."""
    beside = [*map(path.with_name, (*_OWN_NAMES, _INSTANCES) if path.suffix.lower() == ".csv" else ())]
    if path.name == "benchmarks.csv":
        beside = [*sorted(path.parent.glob(_FILES)), path.parents[1] / _COMPARISONS]
    return [p for p in beside if p.is_file()]


def _nameless(rows: Sequence[Row], hint: str) -> None:
    what = f"{rows[0].text('benchmark')!r} does not name track, logic and file"
    what += f"; {plural(len(rows), 'such row')}" if rows[1:] else ""
    rows[0].wrong(what, hint)


def _seconds(row: Row, column: str) -> float:
    time = row.number(column, required=True)
    if time is not None and 0 <= time < float("inf"):
        return time
    row.wrong("a time is not a number of seconds from 0")
    return 0.0


def _count(row: Row, column: str) -> int | None:
    """A whole number from 0; None for a dash or without the column."""
    return None if row.text(column) in _NONE else row.whole(column)


# Jobs of StarExec.


def _add_job(table: CsvTable, found: SmtResults) -> None:
    """Add the runs of a job, and the solvers that do not compete.

    Those have a folder of their own, which may name their year, and may have runs in other folders too.
    """
    rows = [*table.rows(joins_last=table.header[-1:] == [_LOOSE])]
    years = {
        entry: f"{match[1]}-" if match[1] else ""
        for space, entry in sorted({(row.text("benchmark").partition("/")[0], _entry(row)) for row in rows})
        if (match := _OUTSIDE.search(space))
    }
    unknown: dict[str, list[Row]] = {}
    for number, row in enumerate(rows, 1):
        track, benchmark = _of_job(row)
        if benchmark is None:
            unknown.setdefault("" if track else row.text("benchmark").partition("/")[0], []).append(row)
            continue
        configuration, solver = row.text("configuration"), row.name("solver")
        if configuration not in ("", "default"):
            solver = f"{solver} {configuration}"
        if (year := years.get(_entry(row))) is not None:
            solver = f"{year}{solver}"
            found.outside.add(solver)
        wall, cpu = _seconds(row, "wallclock time"), _seconds(row, "cpu time")
        word = _word(row, track)
        n_answers = _count(row, "correct-answers" if benchmark.incremental else "size-unsat-core")
        asserts = _count(row, "number-of-assert-commands")
        found.add(track, SmtRun(number, solver, benchmark, word, wall, cpu, n_answers), line=row.line)
        found.tell(benchmark, row.text("expected"), asserts)
    for space, some in unknown.items():
        what = f" The track {space!r} is unknown; known are {', '.join(_TRACKS)}." if space else ""
        _nameless(some, f"Write Competition - Single Query Track/QF_BV/family/name.smt2.{what}")


def _entry(row: Row) -> tuple[str, str]:
    return row.text("solver"), row.text("solver id")


def _of_job(row: Row) -> tuple[str, SmtBenchmark | None]:
    """The track and the benchmark of a row; empty and None where unknown."""
    space, *folders = row.text("benchmark").split("/")
    named = space.lower().removeprefix(_SPACE)
    track = next((t for begin, t in _TRACKS.items() if named.startswith(begin)), None)
    if folders and not folders[0].isupper():  # a folder more, in jobs that ran again
        folders = folders[1:]
    if track is None or len(folders) < 2:  # noqa: PLR2004 - a logic and a name
        return track or "", None
    logic, *family, name = folders
    is_incremental = track in ("Incremental", "ChallengeIncremental")
    return track, SmtBenchmark(is_incremental, logic, "/".join(family), name)


def _word(row: Row, track: str) -> str:
    status, result = row.text("status").lower(), row.text("result").lower()
    if row.text("wrong-answers") not in ("", "0"):
        return "IncrementalError"
    if status in _STATUSES:
        return _STATUSES[status]
    if status not in {"complete", *_UNABLE}:
        row.wrong(f"{status!r} is not the status of a finished run")
    if "wrong-answers" in row.table.at:
        return "incremental" if status == "complete" else "unknown"
    if result not in (*_ANSWERS, *_NONE):
        row.wrong(f"{result!r} is not a result", _RESULTS)
    if track == "ModelValidation":
        return _of_model(row, result)
    if track == "UnsatCore" and row.text("result-is-erroneous") == "1":
        return "UnsatCoreNotValidated"
    return result if result in _ANSWERS else "unknown"


def _of_model(row: Row, result: str) -> str:
    """The verdict of the validator; a run without a model has no answer."""
    status = row.text("model_validator_status")
    if result == "sat" and status == "VALID":
        return "sat"
    has_none = row.text("model_validator_error") == _CRASH and (row.text(_LOOSE) or "-").endswith(_NO_MODEL)
    return "ModelUnsat" if result == "unsat" or (status == "INVALID" and not has_none) else "unknown"


# Cloud tracks.


def _add_cloud(table: CsvTable, found: SmtResults, beside: Mapping[str, bytes]) -> None:
    """Add the runs of a cloud track; several runs of a solver on a benchmark are repetitions.

    As the organisers did, runs under the last name of a benchmark that was drawn twice are left out.
    """
    maps = [row for name in _OWN_NAMES for row in _listed(beside, name, _MAP, table)]
    own_names = {run: own for own, run in maps}
    drawn = Counter(own_names.values())
    left_out = {run for own, run in dict(maps).items() if drawn[own] > 1}
    statuses = dict(_listed(beside, _INSTANCES, _KNOWN, table))
    times = Counter[tuple[str, str, SmtBenchmark]]()
    unknown: list[Row] = []
    for number, row in enumerate(table.rows(), 1):
        space, _, name = row.text("benchmark").partition("/")
        own = own_names.get(f"/{name}", f"/{name}")
        if own_names and f"/{name}" not in own_names:
            row.wrong(f"the file of names beside it lacks the benchmark /{name}")
        if f"/{name}" in left_out:
            continue
        first, *folders = f"{space}{own}".split("/")
        if folders[:1] == ["non-incremental"]:
            folders = folders[1:]
        said = first if first != "." else Path(table.file).name.lower()
        track = next((each for word, each in _CLOUDS.items() if word in said), None)
        if track is None or len(folders) < 2 or not all(folders):  # noqa: PLR2004
            unknown.append(row)
            continue
        benchmark = SmtBenchmark(False, folders[0], "/".join(folders[1:-1]), folders[-1])  # noqa: FBT003
        word, wall = _outcome(row)
        solver = row.name("solver")
        times[track, solver, benchmark] += 1
        run = SmtRun(number, solver, benchmark, word, wall, wall, None, times[track, solver, benchmark])
        found.add(track, run, line=row.line)
        status = row.text("expected") if "expected" in table.at else statuses.get(own)
        if status is not None:
            found.tell(benchmark, _ENDED.get(status.lower(), ""))
    if unknown:
        path = "./QF_BV/family/name.smt2, in a file such as raw-results-cloud.csv"
        _nameless(unknown, f"Write {path}.")


def _listed(
    beside: Mapping[str, bytes], name: str, columns: Names, table: CsvTable
) -> list[tuple[str, str]]:
    """Both columns of a file beside the table; its errors become errors of the table."""
    if name not in beside:
        return []
    listed = CsvTable(beside[name], file=name, names=columns, code=_CODE)
    listed.require([*columns])
    one, other = columns
    rows = [(row.name(one), row.name(other)) for row in listed.rows()]
    table.findings += listed.findings
    return rows


def _outcome(row: Row) -> tuple[str, float]:
    said, result = row.text("wallclock time").lower(), row.text("result").lower()
    if said in _ENDED:
        return _ENDED[said], _LIMIT if _ENDED[said] == "Timeout" else 0.0
    time = _seconds(row, "wallclock time")
    if result not in _ENDED:
        row.wrong(f"{result!r} is not a result", f"Known are {', '.join(_ENDED)}.")
    is_late = "expected" not in row.table.at and time > _LIMIT  # as the organisers of 2021 counted
    return "Timeout" if is_late else _ENDED.get(result, "unknown"), time


# The archive of 2022.


def _add_archive(table: CsvTable, found: SmtResults, beside: Mapping[str, bytes]) -> None:
    """Add the runs of all solvers, from their tables beside the table of benchmarks."""
    benchmarks: dict[str, SmtBenchmark] = {}
    for row in table.rows():
        name, logic = row.name("benchmark_id"), row.name("logic")
        benchmarks[name] = SmtBenchmark(False, logic, "", name)  # noqa: FBT003
        found.tell(benchmarks[name], row.text("expected"))
    names = dict(_NAMED.findall(beside.get(_COMPARISONS, b"").decode(errors="replace")))
    number = 0
    for file, content in beside.items():
        if file == _COMPARISONS:
            continue
        runs = CsvTable(content, file=file, names=_NAMES, code=_CODE)
        runs.require(_OF_SOLVER)
        own = file.removeprefix("solver_").removesuffix("_sq.csv")
        for row in runs.rows():
            number += 1
            benchmark = benchmarks.get(row.text("benchmark_id"))
            wall, cpu = (_seconds(row, c) for c in ("wallclock_time", "cpu_time"))
            result = row.text("result")
            if result not in (*_ANSWERS, "starexec-unknown"):
                row.wrong(f"{result!r} is not a result", _RESULTS)
            if benchmark is None:
                row.wrong(f"no benchmark is called {row.text('benchmark_id')!r}")
                continue
            ended = "Timeout" if wall >= _LIMIT or cpu >= _LIMIT else "unknown"
            word = result if result in _ANSWERS else ended
            run = SmtRun(number, names.get(own, own), benchmark, word, wall, cpu, None)
            found.add("SingleQuery", run, line=row.line)
        table.findings += runs.findings
    if not number and not table.is_broken:
        found.wrong(f"has no table of a solver beside it, such as {_FILES}", "Fetch the whole folder.")


# --- files ----------------------------------------------------------------------------

_LARGEST = 2**31
BENCHMARKS = "benchmarks-"  # in the name of such a file, before the year


def scenario_id(location: Location, name: str) -> str:
    """SMT, the year, the track and the division. name: replaces the first three."""
    track, _, division = location.part.partition("/")
    parts = ("SMT", year_of(location.shown), TRACKS.get(track, track))
    first = name or "-".join(part for part in parts if part)
    return f"{first}-{division}" if division else first


def parts_of(path: Path, files: FilesRead) -> tuple[str, ...]:
    """Track and division of each scenario of a file; none if the file has errors."""
    found = results_of(path, files.source(path, keep=True), files, file=str(path))
    if found.findings:
        return ()
    if (beside := benchmarks_beside(path)) is not None:
        benchmarks_of(files.source(beside, keep=True), files, file=str(beside))
    return tuple("/".join(key) for key in sorted(found.runs))


def results_of(path: Path, source: Source, files: FilesRead, *, file: str) -> SmtResults:
    """The runs of a file, parsed once. file: its path for the user."""
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
    """The facts of a file of benchmarks, parsed once, or its error."""
    key: Hashable = ("benchmarks", source.sha256)
    return files.once(key, lambda: _benchmarks(source.content, file), keep=True)


def _parsed(content: bytes, file: str) -> Any | Finding:
    """The value of a JSON file, gzipped or not, with SmtBenchmark objects, or its error."""
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
        line, what = error.lineno, f"is not JSON from column {error.colno} on ({error.msg})"
    except ValueError as error:  # a number has too many digits
        what = f"is not JSON of results ({error})"
    except RecursionError:
        what = "is not JSON of results: it is nested too deeply"
    return Finding(_CODE, "error", file, line, what, "Fetch it again.")


def _benchmark_of(known: dict[SmtBenchmark, SmtBenchmark], value: dict[str, Any]) -> Any:
    """The benchmark of an object, shared by equal objects of a file; else the object itself."""
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
    if not isinstance(value, str):
        return False
    return value.isascii() or not any("\ud800" <= each <= "\udfff" for each in value)


def _results(content: bytes, year: int, file: str, beside: Mapping[str, bytes]) -> SmtResults:
    if file.lower().endswith(".csv"):
        return run_table_results(content, year, file, beside=beside)
    value = _parsed(content, file)
    if isinstance(value, Finding):
        return SmtResults(year, file, [value])
    listed = value.get("results") if isinstance(value, dict) else None
    found = SmtResults(year, file)
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
    return found


def _result(number: int, value: Any) -> tuple[str, SmtRun]:
    """The track and the run of an entry."""
    if not isinstance(value, dict):
        raise AslibError("is not an object")
    keys = ("track", "solver", "result", "file", "nb_answers")
    track, solver, word, benchmark, n_answers = map(value.get, keys)
    if not isinstance(track, str) or track not in TRACKS:
        raise AslibError(f"{track!r} is not a track", None, f"Known are {', '.join(TRACKS)}.")
    if not isinstance(solver, str) or not (solver and _is_text(solver)):
        raise AslibError(f"{solver!r} is not the name of a solver")
    if not isinstance(benchmark, SmtBenchmark):
        raise AslibError("has no file with logic, family and name")
    if not isinstance(word, str):
        raise AslibError(f"{word!r} is not a result")
    if n_answers is not None and not (type(n_answers) is int and 0 <= n_answers < _LARGEST):
        raise AslibError(f"nb_answers is {n_answers!r}, not a number of answers")
    wall, cpu = (_time(value, key) for key in ("wallclock_time", "cpu_time"))
    solver, word = sys.intern(solver), sys.intern(word)
    return track, SmtRun(number, solver, benchmark, word, wall, cpu, n_answers)


def _time(value: Mapping[str, Any], key: str) -> float:
    time = value.get(key)
    if isinstance(time, bool) or not isinstance(time, int | float):
        time = math.nan
    if not 0 <= time <= sys.float_info.max:
        raise AslibError(f"{key} is {value.get(key)!r}", None, "Write a number of seconds from 0.")
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
    return found or Finding(_CODE, "error", file, None, "describes no benchmark", hint)
