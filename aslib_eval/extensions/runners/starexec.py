"""Job information of StarExec as CSV: one row per job pair.

The columns are ``benchmark``, ``solver``, ``configuration``, ``status``, ``cpu time``, ``wallclock time``,
``memory usage`` and ``result``, ids of each on request, ``expected`` where benchmarks have an expected
result, and further attributes of the post-processor. The file has no time limit. It becomes a table of runs
(``aslib_eval/formats/runs``).

A pair is solved if its status is ``complete`` and its result is an answer that does not contradict the
expected one.

Source: ``CreateJobCSV`` of org/starexec/servlets/Download.java and the statuses of
org/starexec/data/to/Status.java, StarExec.
"""

from __future__ import annotations

import posixpath
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from aslib_eval.formats import Finder, Format, TableChoices, absent
from aslib_eval.formats.aslib.lint import LimitedFindings
from aslib_eval.formats.runs import runs_format, scenarios
from aslib_eval.formats.runs.cells import MISSING, STATUS_WORDS, TRUTHS, compared, number, odd_clocks
from aslib_eval.formats.runs.raw_table import NumberedRow, RawTable, read_raw
from aslib_eval.formats.sources import FilesRead, Location, header_of
from aslib_eval.text import plural, shown

_NEEDED = {"benchmark", "solver", "configuration", "status", "cpu time", "result"}
_HINT = f"Such a CSV has the columns {', '.join(sorted(_NEEDED))}."


def starexec_format(choices: TableChoices) -> Format:
    """The format, with its user's choices about the runs."""
    return replace(
        runs_format(choices, view=job_table),
        name="starexec",
        find=Finder(partial(_find, choices)),
        absent=absent("holds no job information of StarExec", _HINT),
        is_general=True,
        with_choices=starexec_format,
    )


def _find(choices: TableChoices, path: Path, files: FilesRead) -> list[Location]:
    if path.is_dir() and not (path / "description.txt").exists():
        inside = sorted(p for p in path.iterdir() if p.is_file())
        return [each for file in inside for each in _jobs(choices, file, files)]
    return _jobs(choices, path, files)


def _jobs(choices: TableChoices, path: Path, files: FilesRead) -> list[Location]:
    """The job, or one location for each name in the column of scenarios."""
    if not {name.strip().lower() for name in header_of(path, files)} >= _NEEDED:
        return []
    location = Location(path, str(path))
    if not choices.chosen("scenario"):
        return [location]
    from aslib_eval.formats.runs.layout import layout_of

    raw = read_raw(files.source(path, keep=True).content, kind=".csv", packed=False, file=str(path))
    return scenarios(layout_of(*job_table(raw, choices)), path) or [location]


TIMES = ("cpu time", "wallclock time")
_ROLES = {
    "instance": "instance",
    "solver": "algorithm",
    "status": "ended",
    "answer": "result",
    "family": "folder",
}
_TRUTH = "ground_truth"
_DIVISION = "division"
_FIXED = (
    *("pair id", "benchmark", "benchmark id", "solver", "solver id"),
    *("configuration", "configuration id", "status", "result", "expected"),
    *(*TIMES, "stage number"),
)
_COMPLETE = "complete"
# Status of a pair that ran, and its meaning.
_FAILED: Mapping[str, str] = {
    "timeout (cpu)": "timeout",
    "timeout (wallclock)": "timeout",
    "memout": "memout",
    "file write exceeded": "crash",
    "resource limits exceeded": "other",
}
# Status of a pair with which StarExec itself failed, not the solver.
_UNABLE = (
    *("error", "rejected", "submit failed", "results error", "run script error"),
    *("benchmark error", "environment error", "disk quota exceeded"),
)
_UNFINISHED = (
    *("pending submission", "enqueued", "running", "processing results", "paused"),
    *("killed", "awaiting processing", "stage not reached", "unknown"),
)
# Timeouts that reveal the limit, how many are enough, and how long after the limit how many of them come.
_LIMITED, _ENOUGH, _LATER, _SHARE = "timeout (cpu)", 5, 1.05, 0.9
# Results of a complete pair that are no answers.
_FAILURES = MISSING | {word for word, kind in STATUS_WORDS.items() if kind != "ok" and word not in TRUTHS}
_HINTS: Mapping[str, str] = {
    "run-missing": "Run the pair.",
    "row-duplicate": "Remove one of the pairs: a job has no repetitions.",
    "runs-early": "Check the cutoff, and whether the wall-clock limit stopped the pair.",
}


@dataclass(frozen=True)
class JobPair:
    """A row with its line; ``expected`` is empty where it is unknown."""

    line: int
    benchmark: str
    solver: str
    status: str
    result: str
    expected: str

    @property
    def is_answer(self) -> bool:
        """Whether the solver answered in time."""
        return self.status == _COMPLETE and self.result.lower() not in _FAILURES


def job_table(raw: RawTable, choices: TableChoices) -> tuple[RawTable, TableChoices]:
    """The rows as a table of runs, with the choices that follow from them."""
    report = LimitedFindings(raw.file)
    # Columns as StarExec writes them, whatever their case.
    header = (name.lower() if name.lower() in _FIXED else name for name in raw.header)
    raw = replace(raw, header=tuple(header))
    if choices.unit not in ("", "s"):
        what = f"StarExec measures in seconds, not in {choices.unit}"
        report.say("runs-file", (raw.file, raw.line), what, "Leave out --times-in.")
    pairs = _pairs(raw, report)
    words: dict[str, str] = {}
    user = dict(choices.status)
    rows: list[NumberedRow] = []
    for (line, cells), pair in zip(raw.rows, pairs, strict=True):
        folder = posixpath.dirname(pair.benchmark)
        ended, division = _word(pair, user, words, report, raw.file), folder.strip("/").partition("/")[0]
        rows.append((line, (*cells, pair.benchmark, pair.solver, ended, folder, pair.expected, division)))
    _say(pairs, raw, user, report)
    if choices.cutoff is None:
        choices = replace(choices, cutoff=_limit(raw, pairs, report))
    added = [name for role, name in _ROLES.items() if role != "answer"]
    table = replace(
        raw,
        header=(*raw.header, *added, _TRUTH, _DIVISION),
        rows=tuple(rows),
        findings=(*raw.findings, *report.findings),
        separated="",
        hints=_HINTS,
    )
    truth = {"expected": _TRUTH} if any(pair.expected for pair in pairs) else {}
    decided = choices.settled(
        table.header,
        roles={**_ROLES, **truth},
        attributes=[_DIVISION],
        times=[each for each in TIMES if each in raw.header],
        status=words,
    )
    return table, decided


def _pairs(raw: RawTable, report: LimitedFindings) -> list[JobPair]:
    at = {name: raw.header.index(name) for name in _FIXED if name in raw.header}

    def cell(cells: Sequence[str], name: str) -> str:
        return cells[at[name]] if name in at else ""

    configurations: dict[tuple[str, str], set[str]] = {}
    benchmarks: dict[str, set[str]] = {}
    stages: dict[str, int] = {}
    for line, cells in raw.rows:
        both = cell(cells, "solver"), cell(cells, "configuration")
        configurations.setdefault(both, set()).add(cell(cells, "configuration id"))
        benchmarks.setdefault(cell(cells, "benchmark"), set()).add(cell(cells, "benchmark id"))
        stages.setdefault(cell(cells, "stage number"), line)
    if len(stages) > 1:
        what = f"the pairs have {len(stages)} stages: {', '.join(sorted(stages))}"
        hint = "Keep the rows with one value of the column stage number."
        report.say("runs-file", (raw.file, list(stages.values())[1]), what, hint)
    found = []
    for line, cells in raw.rows:
        both, benchmark = (cell(cells, "solver"), cell(cells, "configuration")), cell(cells, "benchmark")
        name = " ".join(both) if all(both) else ""
        if name and len(configurations[both]) > 1:
            name += f" [{cell(cells, 'configuration id')}]"
        if len(benchmarks[benchmark]) > 1:
            benchmark += f" [{cell(cells, 'benchmark id')}]"
        truth = cell(cells, "expected")
        status, result = cell(cells, "status").lower(), cell(cells, "result")
        found.append(JobPair(line, benchmark, name, status, result, truth if compared(truth) else ""))
    return found


def _word(
    pair: JobPair, user: Mapping[str, str], words: dict[str, str], report: LimitedFindings, file: str
) -> str:
    """The cell of the status; its meaning goes into ``words``."""
    status = pair.status
    if status == _COMPLETE:
        said = pair.result.lower()
        if said in TRUTHS or said not in STATUS_WORDS:
            words[said] = "ok" if pair.is_answer else "other"
    elif status in _FAILED:
        words[status] = _FAILED[status]
    elif status in _UNABLE:
        words[status] = "crash"
    elif status in _UNFINISHED:
        words[status] = user.get(status, "other")
        if status not in user:
            what = f"{pair.solver} on {pair.benchmark} is {status}: it has no result"
            hint = (
                "Download the job after its end, or write"
                f' "{status}" = "crash" under [status] in scenario.toml.'
            )
            report.say("runs-unfinished", (file, pair.line), what, hint)
    else:
        word = f"status {status}" if status else ""
        if status in user:
            words[word.lower()] = user[status]
        return word
    return status


def _limit(raw: RawTable, pairs: Sequence[JobPair], report: LimitedFindings) -> float | None:
    """The limit of CPU time [s], if most timeouts come just after it.

    It is a multiple of ten seconds; no timeout comes before it, no answer after it.
    """
    if TIMES[0] not in raw.header:
        return None
    at = raw.header.index(TIMES[0])
    times = [number(cells[at]) for _, cells in raw.rows]
    timed = [t for t, pair in zip(times, pairs, strict=True) if pair.status == _LIMITED]
    late = sorted(time for time in timed if time is not None)
    if len(late) < max(_ENOUGH, len(timed)):
        return None
    limit = late[0] // 10 * 10
    answers = [t for t, pair in zip(times, pairs, strict=True) if pair.is_answer]
    usual = sum(time <= limit * _LATER for time in late) >= _SHARE * len(late)
    if not usual or max(filter(None, answers), default=0.0) > limit:
        return None
    what = (
        f"the limit seems to be {shown(limit)} s of CPU time:"
        f" {plural(len(late), 'timeout')} took {shown(late[0])} to {shown(late[-1])} s"
    )
    report.say("runs-understood", (raw.file, raw.line), what, "Set another limit with --cutoff SECONDS.")
    return limit


def _say(pairs: Sequence[JobPair], raw: RawTable, user: Mapping[str, str], report: LimitedFindings) -> None:
    """Report what a reader of the numbers has to know, such as two times that contradict each other."""
    file = raw.file
    unjudged = {p.benchmark: p.line for p in pairs[::-1] if p.is_answer and not p.expected}
    if unjudged:
        what = f"no expected result for {plural(len(unjudged), 'benchmark')}: each answer counts as solved"
        hint = "Add a column expected to judge the answers."
        report.say("runs-unjudged", (file, min(unjudged.values())), what, hint)
    unable = [p for p in pairs if p.status in _UNABLE and p.status not in user]
    if unable:
        kinds = ", ".join(sorted({pair.status for pair in unable}))
        what = f"StarExec itself failed in {plural(len(unable), 'run')} ({kinds}): counted as crashes"
        report.say("runs-incomplete", (file, unable[0].line), what, "Run them again.")
    unread = [name for name in raw.header if name not in _FIXED]
    if unread:
        hint = "To read one as a measure, add --measure-column NAME."
        report.say("runs-others", (file, raw.line), f"columns that are not read: {', '.join(unread)}", hint)
    times = [[*map(number, raw.column(name))] for name in TIMES if name in raw.header]
    for row in odd_clocks(times[1], times[0]) if len(times) > 1 else ():
        who, (cpu, wall) = f"{pairs[row].solver} on {pairs[row].benchmark}", (each[row] for each in times)
        what = f"{who} has {cpu:g} s of CPU time in {wall:g} s, unlike all other pairs"
        hint = "Check whether one of the times is in milliseconds, or from another pair."
        report.say("runs-limit", (file, pairs[row].line), what, hint)


STAREXEC = starexec_format(TableChoices())
