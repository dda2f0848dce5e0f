"""Cells of a table of runs: numbers, markers of runs that failed, and statuses."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass

# Word of a column of times or of a status, in lower case → the status it means.
_WORDS = {
    "timeout": (
        "timeout, time out, timed out, timelimit, time limit, time-limit, to, t/o, tle,"
        " tl, timeouted, time_out, exceeded time limit,"
        " time, timeout (cpu), timeout (wallclock)"
    ),
    "memout": (
        "memout, mem out, memory out, out of memory, outofmemory, oom, mo, m/o, mem,"
        " memoryout, memlimit, memory limit, out_of_memory"
    ),
    "crash": (
        "crash, crashed, error, err, fail, failed, failure, segfault, exception, abort,"
        " aborted, killed, runtime error, ee"
    ),
}
_FAILED: Mapping[str, str] = {
    word.strip(): status for status, words in _WORDS.items() for word in words.split(",")
}
MISSING = frozenset({"", "?", "na", "n/a", "nan", "null", "none", "-", "--", "—", "\u2013", "*"})
NOTHING = MISSING - {"-", "--", "—", "\u2013", "*"}  # and no sign for a timeout
_ENDLESS = frozenset({"inf", "+inf", "infinity", "+infinity", "∞"})
# In a column of times, where no status says more: no time is a timeout.
MARKERS: Mapping[str, str] = {**_FAILED, **dict.fromkeys(MISSING | _ENDLESS, "timeout")}
# That a run is solved, or that it came to its end; not what it answered.
ENDED = frozenset(
    {*("ok", "solved", "success", "successful", "complete", "completed", "done"), *("finished", "correct")}
)
# Answers, and the word under which they are compared.
ANSWERS: Mapping[str, str] = {
    **dict.fromkeys(("sat", "satisfiable"), "sat"),
    **dict.fromkeys(("unsat", "unsatisfiable", "uns"), "unsat"),
    **dict.fromkeys(("optimum", "optimal", "optimum found"), "optimum"),
}
# Answers to a question of yes or no, or whether a run is solved.
TRUTHS = ("true", "yes", "false", "no")
NO_ANSWER = frozenset({*("unknown", "unk", "none", "maybe", "undecided", "starexec-unknown"), "no answer"})
_OTHER = "other, unsolved, not solved, incomplete, false, no"
STATUS_WORDS: Mapping[str, str] = {
    **_FAILED,
    **dict.fromkeys((*ENDED, *ANSWERS, "true", "yes"), "ok"),
    **dict.fromkeys((*_OTHER.split(", "), *NO_ANSWER), "other"),
    **dict.fromkeys(("wrong", "incorrect"), "wrong"),
}
# Words of a column of times: the markers, and statuses of runs that are not solved.
TIME_WORDS: Mapping[str, str] = {
    **{word: status for word, status in STATUS_WORDS.items() if status != "ok"},
    **MARKERS,
}
# Of a column that says whether a run is solved.
TRUTH_VALUES = {"1": "ok", "1.0": "ok", "0": "other", "0.0": "other"}
_NEARLY = 0.999  # of the cutoff: a timeout that was measured a little early
_BEGINS_WITH_NUMBER = re.compile(r"[+-]?[.,]?\d", re.ASCII)
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


def number(cell: str) -> float | None:
    """A finite number written with a decimal point; None for anything else."""
    value = float(cell) if _NUMBER.fullmatch(cell) else math.inf
    return value if math.isfinite(value) else None


def says_failure(cell: str) -> bool:
    """Whether a text is a word for a timeout, a memout or a crash."""
    return cell.lower() in _FAILED


@dataclass(frozen=True)
class Judged:
    """What becomes of a time: its value and status, and what is to be said of it.

    said: code of a finding about this run and its words, or None; ``marker`` is how
    the table says that the run failed, where no status does; ``unknown`` is a word in the place of a time
    that nobody knows.
    """

    value: float | None
    status: str
    said: tuple[str, str] | None = None
    marker: str | None = None
    unknown: str | None = None


def judged(cell: str, status: str | None, cutoff: float, words: Mapping[str, str]) -> Judged:
    """A cell of times with the status of its run, None where the table has none.

    cutoff: inf where it is not known. words: word in the place of a time, in lower case, and the status it
    means. A status decides whether a run is solved; without
    one a time below the cutoff is solved, and a word or any other time is not.
    """
    value = number(cell)
    if value is None and cell.lower() not in words:
        return _unreadable(cell)
    if status is None:
        return _without_status(cell, value, cutoff, words)
    if status != "ok":
        return _failed(value, status, cutoff)
    if value is None:
        return Judged(None, "ok", ("value-missing", f"is ok and its time is {cell!r}"))
    if value < 0:
        return Judged(value, "ok", ("runtime-negative", f"is ok after {value:g}"))
    late = f"is ok after {value:g}, and the cutoff is {cutoff:g}: as it stands"
    return Judged(value, "ok", ("runs-late", late) if value >= cutoff else None)


def _unreadable(cell: str) -> Judged:
    if not _BEGINS_WITH_NUMBER.match(cell):
        return Judged(None, "other", unknown=cell)
    said = f"has the time {cell!r}, and that is no number"
    return Judged(None, "other", ("runs-table", said))


def _without_status(cell: str, value: float | None, cutoff: float, words: Mapping[str, str]) -> Judged:
    if (word := words.get(cell.lower())) is not None:
        if word == "ok" and value is None:
            said = f"has the time {cell!r}, which means ok, and no number"
            return Judged(None, word, ("value-missing", said))
        return Judged(value, word, marker=repr(cell))
    if value is None:
        return Judged(None, "other", unknown=cell)
    if value < 0:
        return Judged(value, "ok", ("runtime-negative", f"has the time {value:g}"))
    if value >= cutoff:
        marker = "a time at or above the cutoff"
        return Judged(value, "timeout", marker=marker)
    return Judged(value, "ok")


def _failed(value: float | None, status: str, cutoff: float) -> Judged:
    if value is not None and value < 0:
        said = f"is {status} with the time {value:g}: no time is kept"
        return Judged(None, status, ("runs-negative", said))
    early = value is not None and cutoff < math.inf and value < _NEARLY * cutoff
    if early and status == "timeout":
        said = f"is a timeout after {value:g}, below the cutoff {cutoff:g}: not solved"
        return Judged(value, status, ("runs-early", said))
    return Judged(value, status)
