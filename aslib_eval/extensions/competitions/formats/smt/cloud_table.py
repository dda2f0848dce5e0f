"""Runs of the cloud and parallel tracks of SMT-COMP 2021 and 2022: a row a run.

::

    benchmark,solver,wallclock time,result                                2021
    cloud_new/non-incremental/QF_BV/smt-comp-061.smt2,stp,1046.47,UNSATISFIABLE

    benchmark,millisecond,result,cpu time,wallclock time,solver,…,expected,status   2022
    ./UF/sledgehammer/a.smt2,227211,sat,227.211,227.211,Vampire,…,unknown,complete

In 2021 a word in the place of a time says how the run ended, and benchmarks have the
names under which they were run: ``cloud-map.csv`` beside the table has their own, and
``aws-instance-statuses.csv`` what is right. In 2022 the name of the file says the
track.

Source: 2021/results/aws_join.sh and mapResults.py, and 2022/results/cloud-parallel/
join.py of github.com/SMT-COMP/smt-comp.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from aslib_eval.extensions.competitions.formats.smt.smt_runs import (
    KnownSmtBenchmark,
    RunsByDivision,
    SmtBenchmark,
    SmtResults,
    SmtRun,
)
from aslib_eval.formats.aslib.lint.reporting import LimitedFindings
from aslib_eval.formats.csv_rows import CsvTable, Names, Row, numbered_rows

_WALL, _STATUS = "wallclock time", "expected"
_COLUMNS = ("benchmark", "solver", _WALL, "result")
_NAMES: Names = {name: (name,) for name in (*_COLUMNS, _STATUS)}
_OF_2022 = {*_COLUMNS, "millisecond", "cpu time", _STATUS, "status"}
_TRACKS = {"cloud": "Cloud", "parallel": "Parallel"}
# What is in the place of a time, or a result, in lower case → how the run ended.
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
# Files beside a table of 2021: the benchmarks' own names, and what is known of them.
_OWN_NAMES = ("cloud-map.csv", "parallel-map.csv")
_STATUSES = "aws-instance-statuses.csv"
_MAP: Names = {"own": ("smtlib name",), "run": ("competition name",)}
_KNOWN: Names = {"own": ("benchmark name",), "status": ("status",)}


def is_cloud_table(text: str) -> bool:
    """Whether the beginning of a file is that of such a table."""
    rows = numbered_rows(text, lambda *_: None)
    _, header = next(rows, (0, ()))
    names = [name.lower() for name in header]
    of_2021 = names == [*_COLUMNS] and "/non-incremental/" in text
    return of_2021 or {*names} >= _OF_2022


def cloud_files(path: Path) -> list[Path]:
    """The files beside a table that tell more of its benchmarks, if they are there."""
    names = (*_OWN_NAMES, _STATUSES) if path.suffix.lower() == ".csv" else ()
    return [p for p in map(path.with_name, names) if p.is_file()]


def cloud_results(
    content: bytes, year: int, file: str, *, beside: Mapping[str, bytes]
) -> SmtResults:
    """The runs of such a table by track and division, and what is wrong with it.

    A solver may have several runs on a benchmark: these are repetitions. Of a benchmark
    that was drawn twice those under its last name are left out, as by the organisers.

    beside: the contents of ``cloud_files`` by their names.
    """
    report = LimitedFindings(file)
    table = CsvTable(content, file=file, names=_NAMES, code="runs-file")
    table.require(_COLUMNS)
    maps = [row for name in _OWN_NAMES for row in _listed(beside, name, _MAP, table)]
    own_names = {run: own for own, run in maps}
    drawn = Counter(own_names.values())
    left_out = {run for own, run in dict(maps).items() if drawn[own] > 1}
    statuses = dict(_listed(beside, _STATUSES, _KNOWN, table))
    found, known = RunsByDivision(), dict[SmtBenchmark, KnownSmtBenchmark]()
    times = Counter[tuple[str, str, SmtBenchmark]]()
    for number, row in enumerate(table.rows(), 1):
        space, _, name = row.text("benchmark").partition("/")
        own = own_names.get(f"/{name}", f"/{name}")
        if own_names and f"/{name}" not in own_names:
            row.wrong(f"the file beside it does not name the benchmark /{name}")
        if f"/{name}" in left_out:
            continue
        track, benchmark = _benchmark(row, f"{space}{own}", Path(file).name)
        if benchmark is None:
            continue
        word, wall = _outcome(row)
        solver = row.name("solver")
        times[track, solver, benchmark] += 1
        again = times[track, solver, benchmark]
        run = SmtRun(number, solver, benchmark, word, wall, wall, None, again)
        found.add(track, run, year, (file, row.line), report)
        status = row.text(_STATUS) if _STATUS in table.at else statuses.get(own)
        if status is not None:
            answer = _ENDED.get(status.lower())
            truth = answer if answer in ("sat", "unsat") else None
            known[benchmark] = KnownSmtBenchmark(truth, None, None)
    return SmtResults(found.runs, (*table.findings, *report.findings), known)


def _listed(
    beside: Mapping[str, bytes], name: str, columns: Names, table: CsvTable
) -> list[tuple[str, str]]:
    """Both columns of a file beside the table; what is wrong with it is the table's."""
    if name not in beside:
        return []
    listed = CsvTable(beside[name], file=name, names=columns, code="runs-file")
    listed.require([*columns])
    one, other = columns
    rows = [(row.name(one), row.name(other)) for row in listed.rows()]
    table.findings += listed.findings
    return rows


def _benchmark(row: Row, path: str, file: str) -> tuple[str, SmtBenchmark | None]:
    """The track and the benchmark that a path is of, or an error."""
    first, *folders = path.split("/")
    if folders[:1] == ["non-incremental"]:
        folders = folders[1:]
    said = first if first != "." else file.lower()
    track = next((each for word, each in _TRACKS.items() if word in said), None)
    if track is None or len(folders) < 2 or not all(folders):  # noqa: PLR2004
        row.wrong(
            f"{path!r} names no track, logic and file",
            "Such a path is ./QF_BV/family/name.smt2, in a file such as"
            " raw-results-cloud.csv.",
        )
        return "", None
    logic, *family, name = folders
    return track, SmtBenchmark(
        incremental=False, logic=logic, family="/".join(family), name=name
    )


def _outcome(row: Row) -> tuple[str, float]:
    """How a run ended, and its wall-clock time [s]; the limit where a word is there."""
    said, result = row.text(_WALL).lower(), row.text("result").lower()
    if said in _ENDED:
        word = _ENDED[said]
        return word, _LIMIT if word == "Timeout" else 0.0
    time = row.number(_WALL, required=True)
    if time is None or not 0 <= time < float("inf"):
        row.wrong("a time is no number of seconds from 0")
        time = 0.0
    if result not in _ENDED:
        row.wrong(f"{result!r} is no result", f"There are {', '.join(_ENDED)}.")
    is_late = time > _LIMIT and _STATUS not in row.table.at  # so the organisers in 2021
    return "Timeout" if is_late else _ENDED.get(result, "unknown"), time
