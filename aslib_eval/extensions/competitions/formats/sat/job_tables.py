"""Tables of SAT Competitions with a row a run, of 2016 to 2020, as of StarExec.

::

    benchmark,solver,configuration,solver time,status,result,…,verifier result
    benchmark,solver,configuration,wallclock time,status,result
    benchmark,solver,configuration,result,score

Unsat counts where the verifier says so, if a column has its word.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from aslib_eval.extensions.competitions.formats.claims import claim_findings
from aslib_eval.extensions.competitions.formats.competition_runs import (
    GROUND_TRUTH,
    CompetitionRun,
    CompetitionRuns,
    relations,
)
from aslib_eval.extensions.competitions.formats.implausible import implausible
from aslib_eval.extensions.competitions.formats.sat.track_runs import say_lacking
from aslib_eval.extensions.competitions.formats.sat.track_tables import (
    LIMITS,
    track_of,
)
from aslib_eval.formats.aslib.lint.reporting import LimitedFindings
from aslib_eval.formats.csv_rows import decoded, numbered_rows
from aslib_eval.formats.format import Parsed
from aslib_eval.formats.runs.run_cells import number
from aslib_eval.formats.sources import Location, Sources
from aslib_eval.formats.sources import shown as shown_path
from aslib_eval.text import plural, shown

_CODE = "runs-table"
_FIRST = ("benchmark", "solver", "configuration")
_TIMES = ("solver time", "wallclock time", "score")
_CHECKED = "verifier result"
# A column that is there wherever another one is.
_TOGETHER: Mapping[str, str] = {
    _CHECKED: "verifier time",
    "status": "solver time",
}
_PROVED = "UNSAT-VERIFIED"
_NOT_CHECKED = "--"
# Word of the file → the answer, and what the organisers' checker said of it.
_ANSWERS: Mapping[str, tuple[str | None, str | None]] = {
    "SAT-VERIFIED": ("sat", "right"),
    "SATISFIABLE": ("sat", None),
    "UNSAT": ("unsat", None),
    "UNSATISFIABLE": ("unsat", None),
    "UNKNOWN": (None, None),
    "SAT-INCORRECT": ("sat", "wrong"),
    "UNSAT-INCORRECT": ("unsat", "wrong"),
    "WRONGSAT": ("sat", "wrong"),
    "WRONGUNSAT": ("unsat", "wrong"),
}
# How a run ended, by the first letters of its status.
_ENDED: Mapping[str, str] = {
    "timeout": "timeout",
    "memout": "memout",
    "outofmemory": "memout",
    "complete": "other",
}
_LIMIT = LIMITS["main"]  # [s], "Rules" of 2018 and 2019
_TOO_LATE = 100  # times of so many limits are of another unit


@dataclass(frozen=True)
class _Columns:
    """Where the columns stand."""

    time: int
    result: int
    status: int | None
    checked: int | None


def is_header(cells: Sequence[str]) -> bool:
    """Whether a row is the header of such a table."""
    names = tuple(name.strip().lower() for name in cells)
    return names[:3] == _FIRST and "result" in names and bool({*_TIMES} & {*names})


def is_job_table(text: str) -> bool:
    """Whether the beginning of a file is that of such a table.

    Of a table whose rows are sorted the header may stand between them. A result that
    no SAT Competition has makes it a table of others.
    """
    rows = [cells for _, cells in numbered_rows(text, lambda *_: None)]
    header = next((cells for cells in rows if is_header(cells)), None)
    if header is None:
        return False
    at = _columns(header).result
    words = {c[at] for c in rows if len(c) == len(header) and c is not header}
    return bool(words & {*_ANSWERS} - {"UNKNOWN"})


def _columns(header: Sequence[str]) -> _Columns:
    at = {name.strip().lower(): n for n, name in enumerate(header)}
    time = next(at[name] for name in _TIMES if name in at)
    return _Columns(time, at["result"], at.get("status"), at.get(_CHECKED))


def read_job_table(location: Location, sources: Sources) -> Parsed:
    """A scenario of a table, or all that is wrong with it."""
    name = location.path.name
    file = shown_path(location, name)
    report = LimitedFindings(file)
    text = decoded(sources[name].content, file=file, code=_CODE)
    if not isinstance(text, str):
        return Parsed((text,))
    rows = [*numbered_rows(text, lambda n, what: report.say(_CODE, (file, n), what))]
    header = next(cells for _, cells in rows if is_header(cells))
    columns = _columns(header)
    for lacks, beside in _TOGETHER.items():
        if beside in header and lacks not in header:
            what = f"there is a column {beside!r}, and none called {lacks!r}"
            report.say(_CODE, (file, 1), what, "Is the file whole? Fetch it again.")
    runs: dict[tuple[str, str], tuple[int, CompetitionRun]] = {}
    for line, cells in rows:
        if len(cells) != len(header):
            what = f"{len(cells)} cells instead of {len(header)}"
            report.say(_CODE, (file, line), what, "Is the file whole?")
        elif cells != header:
            run = _run(cells, columns, (file, line), report)
            key = run.instance, run.solver
            if key in runs:
                what = f"{run.solver} on {run.instance} is there twice, first in line"
                hint = "Leave one of the two rows."
                report.say(_CODE, (file, line), f"{what} {runs[key][0]}", hint)
            runs[key] = line, run
    if any(found.severity == "error" for found in report.findings):
        return Parsed(report.findings)
    every = [run for _, run in runs.values()]
    _say(every, columns, file, report, is_ended=text.endswith(("\n", "\r")))
    say_lacking(track_of(name), len({r.instance for r in every}), location, report)
    about = {
        GROUND_TRUTH: _truth(every),
        "track": {run.instance: track_of(name) for run in every},
    }
    found = CompetitionRuns(every, ["runtime"], _LIMIT, about)
    odd = (*implausible(found, file=file), *claim_findings(every, file=file))
    if any(finding.severity == "error" for finding in report.findings):
        return Parsed(report.findings)
    tables = relations(found, location=location, sources=sources)
    return Parsed((*report.findings, *odd), tables)


def _run(
    cells: Sequence[str],
    columns: _Columns,
    place: tuple[str, int],
    report: LimitedFindings,
) -> CompetitionRun:
    """A run; what is wrong with its cells is an error."""
    instance, solver = cells[0], f"{cells[1]} {cells[2]}"
    word, time = cells[columns.result], number(cells[columns.time])
    if time is None or time < 0:
        what = f"{cells[columns.time]!r} of {solver} is no time"
        report.say(_CODE, place, what, "It is a number of seconds.")
    if word not in _ANSWERS:
        what, hint = (
            f"{word!r} is no answer of {solver}",
            f"Known: {', '.join(_ANSWERS)}.",
        )
        report.say(_CODE, place, what, hint)
    if _strange(cells, columns):
        what = f"{cells[columns.status or 0]!r} of {solver} is no status"
        report.say(_CODE, place, what, "It is complete, timeout, memout or the like.")
    claim, judged = _ANSWERS.get(word, (None, None))
    if columns.checked is not None and word == "UNSAT":
        checked = cells[columns.checked]
        word = f"{word} {checked}"
        if checked != _PROVED and _PROVED.startswith(checked):  # it is cut
            what = f"{checked!r} is no word of a verifier"
            report.say(_CODE, place, what, f"It is {_PROVED}, or why it is not.")
        judged = "right" if checked == _PROVED else None
        claim = claim if checked in (_PROVED, _NOT_CHECKED) else None
    ended = "ok" if claim else _ended(cells, columns)
    status = "wrong" if judged == "wrong" else ended
    said = None if word == "UNKNOWN" else word
    return CompetitionRun(
        instance, solver, (time,), status, said=said, claim=claim, judged=judged
    )


def _ended(cells: Sequence[str], columns: _Columns) -> str:
    """How a run without an answer that counts ended."""
    if columns.status is None:
        return "timeout"
    word = cells[columns.status].lower()
    return next((x for begin, x in _ENDED.items() if word.startswith(begin)), "crash")


def _strange(cells: Sequence[str], columns: _Columns) -> bool:
    """Whether the status is a word of results, as of a cell that was moved."""
    word = "" if columns.status is None else cells[columns.status]
    return word.upper() in {*_ANSWERS, "SAT"} or number(word) is not None


def _truth(runs: Sequence[CompetitionRun]) -> dict[str, str]:
    """What the checkers found right, of instances on which they do not differ."""
    found: dict[str, set[str]] = {}
    for run in runs:
        if run.judged == "right" and run.claim:
            found.setdefault(run.instance, set()).add(run.claim)
    return {name: next(iter(said)) for name, said in found.items() if len(said) == 1}


def _say(
    runs: Sequence[CompetitionRun],
    columns: _Columns,
    file: str,
    report: LimitedFindings,
    *,
    is_ended: bool,
) -> None:
    """How the table was understood, and what of it is odd."""
    place = file, 1
    instances, solvers = {run.instance for run in runs}, Counter(r.solver for r in runs)
    what = f"{plural(len(instances), 'instance')}, {plural(len(solvers), 'solver')}"
    report.say("runs-understood", place, f"{what}; the limit is {shown(_LIMIT)} s")
    statuses = Counter(run.status for run in runs)
    counts = ", ".join(f"{word} {n}" for word, n in sorted(statuses.items()))
    report.say("runs-understood", place, counts)
    for solver, n in solvers.items():
        if n < len(instances):
            what = f"{solver} has {n} of {plural(len(instances), 'run')}"
            report.say("runs-missing", place, what, "Was the file cut?")
    if columns.checked is not None:
        failed = [run for run in runs if run.said and not run.claim]
        if failed:
            what = f"{plural(len(failed), 'answer')} unsat without a proof that was"
            what += f" verified, such as that of {failed[0].solver} on"
            report.say("runs-understood", place, f"{what} {failed[0].instance}")
    late = [r for r in runs if r.status == "ok" and (r.times[0] or 0) > _LIMIT]
    if late:
        longest = max(run.times[0] or 0 for run in late)
        what = f"{late[0].solver} on {late[0].instance} took {late[0].times[0]:g} s,"
        what += f" and the limit is {shown(_LIMIT)}: as it stands, with its answer"
        what += f"; {len(late)} such runs" if len(late) > 1 else ""
        if longest > _TOO_LATE * _LIMIT:
            hint = "Are they milliseconds? Divide the times by 1000."
            report.say(_CODE, place, what, hint)
        else:
            report.say("runs-late", place, what)
    if not is_ended:
        what = "the last line has no end: was the file cut?"
        report.say("runs-unended", place, what, "Fetch it again if it was.")
