"""Job pairs of StarExec → a table of runs, and what has to be said of it.

A pair is solved where its status is ``complete``, its result is an answer, and the
answer is the expected one where that is known.

Source: ``CreateJobCSV`` of org/starexec/servlets/Download.java and the statuses of
org/starexec/data/to/Status.java, StarExec.
"""

from __future__ import annotations

import posixpath
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from aslib_eval.formats.aslib.lint.reporting import NAMES, LimitedFindings
from aslib_eval.formats.runs.choices import TableChoices
from aslib_eval.formats.runs.raw_table import NumberedRow, RawTable
from aslib_eval.text import plural

TIMES = ("cpu time", "wallclock time")
_ROLES = {
    "instance": "instance",
    "solver": "algorithm",
    "status": "answer",
    "family": "folder",
}
_TRUTH = "ground_truth"
_FIXED = (
    *("pair id", "benchmark", "benchmark id", "solver", "solver id"),
    *("configuration", "configuration id", "status", "result", "expected"),
    *(*TIMES, "stage number"),
)
_COMPLETE = "complete"
# Status of a pair that ran, and what it means.
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
_NO_ANSWER = frozenset(
    {"starexec-unknown", "unknown", "maybe", "-", "--", "", "null", "none"}
)
_HINTS: Mapping[str, str] = {
    "run-missing": "Run the pair, or leave the benchmark out.",
    "row-duplicate": "Leave one pair out: a job has no repetitions.",
    "runs-early": "Is the cutoff right, or was it the other limit?",
}


@dataclass(frozen=True)
class JobPair:
    """A row: its line and what it says; ``expected`` is empty where it is unknown."""

    line: int
    benchmark: str
    solver: str
    status: str
    result: str
    expected: str

    @property
    def is_answer(self) -> bool:
        """Whether the solver said something, in time."""
        return self.status == _COMPLETE and self.result.lower() not in _NO_ANSWER

    @property
    def is_wrong(self) -> bool:
        """Whether it is an answer, and not the expected one."""
        known = self.is_answer and self.expected
        return bool(known) and self.result.lower() != self.expected.lower()


def job_table(raw: RawTable, choices: TableChoices) -> tuple[RawTable, TableChoices]:
    """The rows as a table of runs, with the choices that follow from them."""
    report = LimitedFindings(raw.file)
    raw = replace(raw, header=tuple(_lower(name) for name in raw.header))
    pairs = _pairs(raw, report)
    words: dict[str, str] = {}
    user = dict(choices.status)
    rows: list[NumberedRow] = []
    for (line, cells), pair in zip(raw.rows, pairs, strict=True):
        word = _word(pair, user, words, report, raw.file)
        folder = posixpath.dirname(pair.benchmark)
        more = (pair.benchmark, pair.solver, word, folder, pair.expected)
        rows.append((line, (*cells, *more)))
    _say(pairs, raw, user, report)
    header = (*raw.header, *_ROLES.values(), _TRUTH)
    has_truth = any(pair.expected for pair in pairs)
    table = replace(
        raw,
        header=header,
        rows=tuple(rows),
        findings=(*raw.findings, *report.findings),
        separated="",
        hints=_HINTS,
    )
    decided = choices.settled(
        header,
        roles=_ROLES,
        attributes=[_TRUTH] if has_truth else [],
        times=[each for each in TIMES if each in header],
        status=words,
    )
    return table, decided


def _lower(name: str) -> str:
    """A column's name as StarExec writes it, whatever its case."""
    return name.lower() if name.lower() in _FIXED else name


def _pairs(raw: RawTable, report: LimitedFindings) -> list[JobPair]:
    at = {name: raw.header.index(name) for name in _FIXED if name in raw.header}

    def cell(cells: Sequence[str], name: str) -> str:
        return cells[at[name]] if name in at else ""

    called: dict[tuple[str, str], set[str]] = {}
    paths: dict[str, set[str]] = {}
    stages: dict[str, int] = {}
    for line, cells in raw.rows:
        both = cell(cells, "solver"), cell(cells, "configuration")
        called.setdefault(both, set()).add(cell(cells, "configuration id"))
        path = cell(cells, "benchmark")
        paths.setdefault(path, set()).add(cell(cells, "benchmark id"))
        stages.setdefault(cell(cells, "stage number"), line)
    if len(stages) > 1:
        what = f"the pairs have {len(stages)} stages: {', '.join(sorted(stages))}"
        hint = "Leave the rows of one stage, by the column stage number."
        line = list(stages.values())[1]
        report.say("runs-file", (raw.file, line), what, hint)
    found = []
    for line, cells in raw.rows:
        solver, configuration = cell(cells, "solver"), cell(cells, "configuration")
        several = len(called[solver, configuration]) > 1
        number = f" [{cell(cells, 'configuration id')}]" if several else ""
        name = f"{solver} {configuration}{number}" if solver and configuration else ""
        benchmark = cell(cells, "benchmark")
        if len(paths[benchmark]) > 1:
            benchmark += f" [{cell(cells, 'benchmark id')}]"
        expected = cell(cells, "expected")
        truth = "" if expected.lower() in _NO_ANSWER else expected
        status, result = cell(cells, "status").lower(), cell(cells, "result")
        found.append(JobPair(line, benchmark, name, status, result, truth))
    return found


def _word(
    pair: JobPair,
    user: Mapping[str, str],
    words: dict[str, str],
    report: LimitedFindings,
    file: str,
) -> str:
    """The cell of the status; what it means goes into ``words``."""
    status = pair.status
    if status == _COMPLETE:
        word = f"{'wrong' if pair.is_wrong else status}: {pair.result}"
        solved = pair.is_answer and not pair.is_wrong
        words[word.lower()] = "ok" if solved else "other"
        return word
    if status in _FAILED:
        words[status] = _FAILED[status]
    elif status in _UNABLE:
        words[status] = "crash"
    elif status in _UNFINISHED:
        words[status] = user.get(status, "other")
        if status not in user:
            what = f"{pair.solver} on {pair.benchmark} is {status}: it has no result"
            hint = (
                "Download the job when it is through; or say what it means under"
                f' [status] in scenario.toml, "{status}" = "crash".'
            )
            report.say("runs-unfinished", (file, pair.line), what, hint)
    else:
        word = f"status {status}" if status else ""
        if status in user:
            words[word.lower()] = user[status]
        return word
    return status


def _say(
    pairs: Sequence[JobPair],
    raw: RawTable,
    user: Mapping[str, str],
    report: LimitedFindings,
) -> None:
    """What a reader of the numbers has to know."""
    file = raw.file
    wrong: dict[str, list[JobPair]] = {}
    answers: dict[str, dict[str, JobPair]] = {}
    for pair in pairs:
        if pair.is_wrong:
            wrong.setdefault(pair.solver, []).append(pair)
        elif pair.is_answer and not pair.expected:
            mine = answers.setdefault(pair.benchmark, {})
            mine.setdefault(pair.result.lower(), pair)
    for solver, found in wrong.items():
        listed = ", ".join(pair.benchmark for pair in found[:NAMES])
        more = f" and {len(found) - NAMES} more" if len(found) > NAMES else ""
        what = (
            f"{solver} gave a wrong answer in {plural(len(found), 'run')}: not solved"
        )
        report.say("runs-wrong", (file, found[0].line), f"{what} ({listed}{more})")
    if answers:
        line = next(iter(next(iter(answers.values())).values())).line
        what = f"nobody knows the right answer of {plural(len(answers), 'benchmark')}:"
        hint = "A column expected would tell."
        report.say(
            "runs-unjudged", (file, line), f"{what} every answer is solved", hint
        )
    for benchmark, each in answers.items():
        if len(each) > 1:
            told = " and ".join(f"{p.result} by {p.solver}" for p in each.values())
            what = f"{benchmark} is {told}: one is wrong, all count as solved"
            line = list(each.values())[1].line
            report.say("runs-verdict", (file, line), what)
    unable = [p for p in pairs if p.status in _UNABLE and p.status not in user]
    if unable:
        kinds = ", ".join(sorted({pair.status for pair in unable}))
        what = f"StarExec itself failed in {plural(len(unable), 'run')} ({kinds})"
        hint = "They are crashes here; run them again."
        report.say("runs-incomplete", (file, unable[0].line), what, hint)
    unread = [name for name in raw.header if name not in _FIXED]
    if unread:
        what = f"columns that are not read: {', '.join(unread)}"
        hint = "--measure NAME makes one a measure."
        report.say("runs-others", (file, raw.line), what, hint)
