"""Jobs of SMT-COMP as StarExec gave them until 2023: a row a run.

::

    benchmark,solver,…,status,cpu time,wallclock time,memory usage,result,expected,…
    Competition - Model Validation Track/QF_BV/asp/a.smt2,Yices,…,complete,1.5,1.6,…

The first folder of a benchmark names the track, the next one its logic. Models and
unsat cores have columns of those who checked them, incremental runs the number of
answers.

Source: tools/scoring/score.py of github.com/SMT-COMP/smt-comp, of 2019 to 2023.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from aslib_eval.extensions.competitions.formats.smt.smt_runs import (
    KnownSmtBenchmark,
    RunsByDivision,
    SmtBenchmark,
    SmtResults,
    SmtRun,
)
from aslib_eval.formats.aslib.lint.reporting import LimitedFindings
from aslib_eval.formats.csv_rows import CsvTable, Names, Row, numbered_rows

_CODE = "runs-file"
_NAMES: Names = {
    name: (name,)
    for name in (
        *("benchmark", "solver", "solver id", "configuration", "status", "result"),
        *("cpu time", "wallclock time", "expected"),
        *("wrong-answers", "correct-answers"),
        *("model_validator_status", "model_validator_error"),
        "model_validator_exception",
        *("size-unsat-core", "number-of-assert-commands", "result-is-erroneous"),
    )
}
_REQUIRED = (
    *("benchmark", "solver", "configuration", "status", "result"),
    *("cpu time", "wallclock time"),
)
_SPACE = "competition - "
# What the first folder says, in lower case → the track.
_TRACKS: Mapping[str, str] = {
    "challenge track - incremental": "ChallengeIncremental",
    "challenge track - non-incremental": "ChallengeNonIncremental",
    "single query": "SingleQuery",
    "model validation": "ModelValidation",
    "unsat core": "UnsatCore",
    "incremental": "Incremental",
    "proof exhibition": "ProofExhibition",
}
# What the first folder says of solvers of a year before, and of what was mended later.
_OUTSIDE = re.compile(r"\b(?:best ?(?:of)? ?(\d{4})|fixed)\b", re.IGNORECASE)
_ANSWERS = ("sat", "unsat")
_NONE = ("starexec-unknown", "unknown", "--", "-", "")
_ENDED: Mapping[str, str] = {
    "timeout (wallclock)": "Timeout",
    "timeout (cpu)": "Timeout",
    "memout": "OutOfMemory",
}
# What StarExec itself could not do: the run has no answer.
_UNABLE = frozenset(
    {
        *("post-processor error", "pre-processor error", "run script error"),
        *("file write exceeded", "benchmark error", "environment error", "error"),
    }
)
_CRASH = "unhandled_exception"  # of the validator, as where there is no model to check
_LOOSE = "model_validator_exception"  # a last column whose text has commas
_NO_MODEL = (": ( expected", ": sat expected", "-")  # its end, where there is no model


def is_job_table(text: str) -> bool:
    """Whether the beginning of a file is that of such a job."""
    rows = numbered_rows(text, lambda *_: None)
    _, header = next(rows, (0, ()))
    _, first = next(rows, (0, ()))
    names = [name.lower() for name in header]
    if "benchmark" not in names or "configuration" not in names:
        return False
    at = names.index("benchmark")
    return at < len(first) and first[at].lower().startswith(_SPACE)


def job_results(content: bytes, year: int, file: str) -> SmtResults:
    """The runs of such a job by track and division, and what is wrong with it."""
    report = LimitedFindings(file)
    table = CsvTable(content, file=file, names=_NAMES, code=_CODE)
    table.require(_REQUIRED)
    found, known = RunsByDivision(), dict[SmtBenchmark, KnownSmtBenchmark]()
    rows = [*table.rows(joins_last=table.header[-1:] == [_LOOSE])]
    years = _outside(rows)
    outside = set[str]()
    for number, row in enumerate(rows, 1):
        track, benchmark = _benchmark(row)
        if benchmark is None:
            continue
        run = _run(number, row, track, benchmark)
        if (year_before := years.get(_solver(row))) is not None:
            run = run._replace(solver=f"{year_before}{run.solver}")
            outside.add(run.solver)
        found.add(track, run, year, (file, row.line), report)
        status, asserts = row.text("expected"), _count(row, "number-of-assert-commands")
        truth = status if status in _ANSWERS else None
        known[benchmark] = KnownSmtBenchmark(truth, asserts, None)
    findings = (*table.findings, *report.findings)
    return SmtResults(found.runs, findings, known, frozenset(outside))


def _solver(row: Row) -> tuple[str, str]:
    return row.text("solver"), row.text("solver id")


def _outside(rows: Sequence[Row]) -> dict[tuple[str, str], str]:
    """Solvers of a folder for those that do not compete → ``2018-`` of that year.

    They may have runs in other folders, too, as on benchmarks that were added.
    """
    spaces = {(row.text("benchmark").partition("/")[0], _solver(row)) for row in rows}
    return {
        solver: f"{match[1]}-" if match[1] else ""
        for space, solver in sorted(spaces)
        if (match := _OUTSIDE.search(space))
    }


def _benchmark(row: Row) -> tuple[str, SmtBenchmark | None]:
    """The track and the benchmark that a row is of, or an error."""
    path = row.text("benchmark")
    space, *folders = path.split("/")
    named = space.lower().removeprefix(_SPACE)
    track = next((t for begin, t in _TRACKS.items() if named.startswith(begin)), None)
    if folders and not folders[0].isupper():  # a folder more, in jobs that ran again
        folders = folders[1:]
    if track is None or len(folders) < 2:  # noqa: PLR2004 - a logic and a name
        row.wrong(
            f"{path!r} names no track, logic and file",
            "Such a path is Competition - Single Query Track/QF_BV/family/name.smt2.",
        )
        return "", None
    logic, *family, name = folders
    is_incremental = track in ("Incremental", "ChallengeIncremental")
    return track, SmtBenchmark(is_incremental, logic, "/".join(family), name)


def _run(number: int, row: Row, track: str, benchmark: SmtBenchmark) -> SmtRun:
    configuration = row.text("configuration")
    solver = row.name("solver")
    if configuration not in ("", "default"):
        solver = f"{solver} {configuration}"
    times = [row.number(name, required=True) for name in ("wallclock time", "cpu time")]
    if any(time is None or not 0 <= time < float("inf") for time in times):
        row.wrong("a time is no number of seconds from 0")
    wall, cpu = (time or 0.0 for time in times)
    word = _word(row, track)
    counted = "correct-answers" if benchmark.incremental else "size-unsat-core"
    n_answers = _count(row, counted) if counted in row.table.at else None
    return SmtRun(number, solver, benchmark, word, wall, cpu, n_answers)


def _count(row: Row, column: str) -> int | None:
    """A whole number from 0; None where the file has a dash or no such column."""
    return None if row.text(column) in _NONE else row.whole(column)


def _word(row: Row, track: str) -> str:
    """The word that the organisers' later files have for how a run ended."""
    status, result = row.text("status").lower(), row.text("result").lower()
    if row.text("wrong-answers") not in ("", "0"):
        return "IncrementalError"
    if status in _ENDED:
        return _ENDED[status]
    if status not in {"complete", *_UNABLE}:
        row.wrong(f"{status!r} is no status of a run that ended")
    if "wrong-answers" in row.table.at:
        return "incremental" if status == "complete" else "unknown"
    if result not in (*_ANSWERS, *_NONE):
        row.wrong(f"{result!r} is no result", "It is sat, unsat or starexec-unknown.")
    if track == "ModelValidation":
        return _of_model(row, result)
    if track == "UnsatCore" and row.text("result-is-erroneous") == "1":
        return "UnsatCoreNotValidated"
    return result if result in _ANSWERS else "unknown"


def _of_model(row: Row, result: str) -> str:
    """What the validator found; a run without a model has no answer."""
    status = row.text("model_validator_status")
    if result == "sat" and status == "VALID":
        return "sat"
    crash = row.text(_LOOSE) or "-"
    has_none = row.text("model_validator_error") == _CRASH and crash.endswith(_NO_MODEL)
    if result == "unsat" or (status == "INVALID" and not has_none):
        return "ModelUnsat"
    return "unknown"
