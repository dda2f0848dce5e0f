"""Tables of SAT Competitions with a row a run, of 2016 to 2020, as of StarExec.

::

    benchmark,solver,configuration,solver time,status,result,…,verifier result
    benchmark,solver,configuration,wallclock time,status,result benchmark,solver,configuration,result,score

Unsat counts where the verifier says so, if a column has its word.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from aslib_eval.extensions.competitions.formats.competition_runs import (
    GROUND_TRUTH,
    CompetitionRun,
    CompetitionRuns,
)
from aslib_eval.extensions.competitions.formats.raw_file import RawFile
from aslib_eval.extensions.competitions.formats.sat.track_runs import say_lacking
from aslib_eval.extensions.competitions.formats.sat.track_tables import LIMITS, track_of, whole_rows
from aslib_eval.formats.csv_rows import decoded, numbered_rows
from aslib_eval.formats.format import Parsed
from aslib_eval.formats.runs.run_cells import number
from aslib_eval.formats.sources import FileHead
from aslib_eval.text import plural, shown

_CODE = "runs-table"
_FIRST = ("benchmark", "solver", "configuration")
_TIMES = ("solver time", "wallclock time", "score")
_CHECKED = "verifier result"
# A column that is there wherever another one is.
_TOGETHER: Mapping[str, str] = {_CHECKED: "verifier time", "status": "solver time"}
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


def is_job_table(head: FileHead) -> bool:
    """Whether the beginning of a file is that of such a table.

    Of a table whose rows are sorted the header may stand between them. A result that
    no SAT Competition has makes it a table of others.
    """
    rows = whole_rows(head)
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


def read_job_table(raw: RawFile) -> Parsed:
    """A scenario of a table, or all that is wrong with it."""
    text = decoded(raw.content, file=raw.name, code=_CODE)
    if not isinstance(text, str):
        return Parsed((text,))
    rows = [*numbered_rows(text, lambda n, what: raw.say(_CODE, what, line=n))]
    header = next(cells for _, cells in rows if is_header(cells))
    columns = _columns(header)
    for lacks, beside in _TOGETHER.items():
        if beside in header and lacks not in header:
            what = f"there is a column {beside!r}, and none called {lacks!r}"
            raw.say(_CODE, what, "Is the file whole? Fetch it again.", line=1)
    found: dict[tuple[str, str], tuple[int, CompetitionRun]] = {}
    for line, cells in rows:
        if len(cells) != len(header):
            raw.say(_CODE, f"{len(cells)} cells instead of {len(header)}", "Is the file whole?", line=line)
        elif cells != header:
            run = _run(cells, columns, raw, line=line)
            key = run.instance, run.solver
            if key in found:
                what = f"{run.solver} on {run.instance} is there twice, first in line {found[key][0]}"
                raw.say(_CODE, what, "Leave one of the two rows.", line=line)
            found[key] = line, run
    if raw.is_broken:
        return raw.parsed()
    runs = [run for _, run in found.values()]
    track = track_of(raw.location.path.name)
    _say(runs, columns, raw)
    say_lacking(track, len({run.instance for run in runs}), raw)
    about = {GROUND_TRUTH: _truth(runs), "track": {run.instance: track for run in runs}}
    return raw.parsed(CompetitionRuns(runs, ["runtime"], _LIMIT, about), maximized=frozenset())


def _run(cells: Sequence[str], columns: _Columns, raw: RawFile, *, line: int) -> CompetitionRun:
    """A run; what is wrong with its cells is an error."""
    instance, solver = cells[0], f"{cells[1]} {cells[2]}"
    word, time = cells[columns.result], number(cells[columns.time])
    if time is None or time < 0:
        what = f"{cells[columns.time]!r} of {solver} is no time"
        raw.say(_CODE, what, "It is a number of seconds.", line=line)
    if word not in _ANSWERS:
        raw.say(_CODE, f"{word!r} is no answer of {solver}", f"Known: {', '.join(_ANSWERS)}.", line=line)
    if _strange(cells, columns):
        what = f"{cells[columns.status or 0]!r} of {solver} is no status"
        raw.say(_CODE, what, "It is complete, timeout, memout or the like.", line=line)
    claim, judged = _ANSWERS.get(word, (None, None))
    if columns.checked is not None and word == "UNSAT":
        checked = cells[columns.checked]
        word = f"{word} {checked}"
        if checked != _PROVED and _PROVED.startswith(checked):  # it is cut
            what = f"{checked!r} is no word of a verifier"
            raw.say(_CODE, what, f"It is {_PROVED}, or why it is not.", line=line)
        judged = "right" if checked == _PROVED else None
        claim = claim if checked in (_PROVED, _NOT_CHECKED) else None
    ended = "ok" if claim else _ended(cells, columns)
    status = "wrong" if judged == "wrong" else ended
    said = None if word == "UNKNOWN" else word
    return CompetitionRun(instance, solver, (time,), status, said=said, claim=claim, judged=judged)


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


def _say(runs: Sequence[CompetitionRun], columns: _Columns, raw: RawFile) -> None:
    instances, solvers = {run.instance for run in runs}, Counter(r.solver for r in runs)
    what = f"{plural(len(instances), 'instance')}, {plural(len(solvers), 'solver')}"
    what += f"; the limit is {shown(_LIMIT)} s"
    raw.say("runs-understood", what, line=1)
    raw.say_statuses(runs, line=1)
    for solver, n in solvers.items():
        if n < len(instances):
            what = f"{solver} has {n} of {plural(len(instances), 'run')}"
            raw.say("runs-missing", what, "Was the file cut?", line=1)
    failed = [run for run in runs if run.said and not run.claim]
    if columns.checked is not None and failed:
        what = f"{plural(len(failed), 'answer')} unsat without a proof that was verified, such as that of"
        raw.say("runs-understood", f"{what} {failed[0].solver} on {failed[0].instance}", line=1)
    late = [r for r in runs if r.status == "ok" and (r.times[0] or 0) > _LIMIT]
    if late:
        longest = max(run.times[0] or 0 for run in late)
        what = f"{late[0].solver} on {late[0].instance} took {late[0].times[0]:g} s, and the limit is"
        what += f" {shown(_LIMIT)}: as it stands, with its answer"
        what += f"; {len(late)} such runs" if len(late) > 1 else ""
        if longest > _TOO_LATE * _LIMIT:
            raw.say(_CODE, what, "Are they milliseconds? Divide the times by 1000.", line=1)
        else:
            raw.say("runs-late", what, line=1)
    raw.say_end(line=1)
