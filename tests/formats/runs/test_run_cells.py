# ruff: noqa: E501 - a case a line
"""What a cell of a table of runs means: words, statuses, and times with or without."""

from __future__ import annotations

from math import inf

import pytest

from aslib_eval.formats.runs.cells import (
    ANSWERS,
    MARKED,
    MARKERS,
    MISSING,
    NOTHING,
    STATUS_WORDS,
    TIME_WORDS,
    UNREAD,
    Judged,
    altered,
    checksum,
    is_outcome,
    is_truth,
    judged,
    number,
    odd_clocks,
    says_failure,
)

NO_TIME = "|?|na|n/a|nan|null|none|-|--|\N{EM DASH}|\N{EN DASH}|*"
ENDLESS = "inf|+inf|infinity|+infinity|\N{INFINITY}"
WORDS = {
    "timeout": (
        "timeout|time out|timed out|timelimit|time limit|time-limit|to|t/o|tle|tl"
        "|timeouted|time_out|exceeded time limit|time|timeout (cpu)"
        "|timeout (wallclock)"
    ),
    "memout": (
        "memout|mem out|memory out|out of memory|outofmemory|oom|mo|m/o|mem|memoryout"
        "|memlimit|memory limit|out_of_memory"
    ),
    "crash": (
        "crash|crashed|error|err|fail|failed|failure|segfault|exception|abort|aborted"
        "|killed|runtime error|ee"
    ),
    "ok": (
        "ok|solved|success|successful|complete|completed|done|finished|correct"
        "|sat|satisfiable|unsat|unsatisfiable|uns|optimum|optimal|optimum found"
        "|true|yes"
    ),
    "other": (
        "other|unsolved|not solved|incomplete|false|no|unknown|unk|none|maybe"
        "|undecided|starexec-unknown|no answer"
    ),
    "wrong": "wrong|incorrect",
}


def test_words_of_a_status_and_what_they_mean() -> None:
    assert dict(STATUS_WORDS) == {
        word: status for status, words in WORDS.items() for word in words.split("|")
    }
    assert [word for word in STATUS_WORDS if says_failure(word.upper())] == [
        word for status in ("timeout", "memout", "crash") for word in WORDS[status].split("|")
    ]


def test_in_the_place_of_a_time_nothing_and_infinity_are_timeouts() -> None:
    assert frozenset(NO_TIME.split("|")) == MISSING
    assert frozenset(["", "?", "na", "n/a", "nan", "null", "none"]) == NOTHING
    failed = {w: s for w, s in STATUS_WORDS.items() if says_failure(w)}
    markers = dict.fromkeys([*NO_TIME.split("|"), *ENDLESS.split("|")], "timeout")
    assert dict(MARKERS) == failed | markers
    unsolved = {w: s for w, s in STATUS_WORDS.items() if s != "ok"}
    assert dict(TIME_WORDS) == unsolved | failed | markers


def test_answers_are_compared_under_one_word() -> None:
    assert dict(ANSWERS) == {
        "sat": "sat",
        "satisfiable": "sat",
        "unsat": "unsat",
        "unsatisfiable": "unsat",
        "uns": "unsat",
        "optimum": "optimum",
        "optimal": "optimum",
        "optimum found": "optimum",
    }


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("1", 1.0),
        ("-1.", -1.0),
        ("+.5e-1", 0.05),
        ("1E3", 1000.0),
        ("", None),
        (".", None),
        ("1,5", None),
        ("1_0", None),
        ("inf", None),
        ("1e999", None),
        ("1s", None),
    ],
)
def test_a_number_has_a_decimal_point_and_is_finite(cell: str, value: float | None) -> None:
    assert number(cell) == value


@pytest.mark.parametrize(
    ("cell", "status", "expected"),
    [
        # No status: the cutoff of 100 and the words decide.
        ("99.9", None, Judged(99.9, "ok")),
        ("100", None, Judged(100, "timeout", MARKED, "a time at or above the cutoff")),
        ("0", None, Judged(0, "ok")),
        ("-1", None, Judged(-1, "ok", "runtime-negative", "has the time -1")),
        ("TO", None, Judged(None, "timeout", MARKED, "'TO'")),
        ("7", None, Judged(7, "memout", MARKED, "'7'")),
        ("fine", None, Judged(None, "ok", "value-missing", "has the time 'fine', not a number")),
        ("soon", None, Judged(None, "other", UNREAD, "soon")),
        (",5s", None, Judged(None, "other", "runs-table", "has the time ',5s', which is not a number")),
        # A status decides, whatever the time.
        ("99", "ok", Judged(99, "ok")),
        ("100", "ok", Judged(100, "ok", "runs-late", "is ok after 100, at or above the cutoff 100")),
        ("-1", "ok", Judged(-1, "ok", "runtime-negative", "is ok after -1")),
        ("TO", "ok", Judged(None, "ok", "value-missing", "is ok, but its time is 'TO'")),
        ("5", "crash", Judged(5, "crash")),
        ("99.9", "timeout", Judged(99.9, "timeout")),
        ("99.8", "timeout", Judged(99.8, "timeout", "runs-early", "is a timeout after 99.8, below the cutoff 100; it counts as not solved")),
        ("-1", "timeout", Judged(None, "timeout", "runs-negative", "is timeout with the time -1; the time is dropped")),
        ("0", "memout", Judged(0, "memout")),
        ("TO", "other", Judged(None, "other")),
    ],
)  # fmt: skip
def test_a_time_with_and_without_a_status(cell: str, status: str | None, expected: Judged) -> None:
    words = {"to": "timeout", "7": "memout", "fine": "ok"}
    assert judged(cell, status, 100.0, words) == expected


def test_without_a_cutoff_no_timeout_is_early_and_no_time_late() -> None:
    assert judged("1", "timeout", inf, {}) == Judged(1, "timeout")
    assert judged("1e300", "ok", inf, {}) == Judged(1e300, "ok")
    assert judged("1e300", None, inf, {}) == Judged(1e300, "ok")


def test_lines_of_a_log_that_were_changed_are_numbered() -> None:
    lines = (b"%s,%s\n" % (line, checksum(line)) for line in (b"i,3", b"j,4", b"\xff"))
    log = b"".join([b"head\n", *lines])
    assert altered(log) == [4]  # no text, whatever its check sum says
    assert altered(log.replace(b"j,4", b"j,5")) == [3, 4]


@pytest.mark.parametrize(
    ("words", "alone", "is_one"),
    [
        ("yes no", False, True),
        ("pass fail", False, True),
        ("1 0", False, True),
        ("yes", False, False),
        ("ok timeout", False, False),
        # Where no other column says how runs ended.
        ("ok timeout", True, True),
        ("ok solved", True, True),
        ("timeout", True, True),
        ("timeout zebra", True, True),
        ("ok", True, False),
        ("ok zebra", True, False),
        ("", True, False),
    ],
)
def test_words_that_may_say_what_is_solved(words: str, *, alone: bool, is_one: bool) -> None:
    assert is_outcome(words.split(), alone=alone) is is_one


def test_cells_that_hold_truth_values_alone() -> None:
    words = ["true", "false", "yes", "no", "t", "f", "y", "n", "True", "NO"]
    assert all(is_truth([word]) and is_truth([word, "", "?"]) for word in words)
    assert not any(is_truth(cells) for cells in ([], [""], ["true", "1"], ["true", "x"]))


def test_runs_of_another_clock_are_the_first_or_the_last_by_their_ratio() -> None:
    walls, cpus = [2.0] * 19, [1.0] * 19
    assert odd_clocks([*walls, 20.0], [*cpus, 0.9]) == [19]  # 0.045 of 0.5
    assert odd_clocks([*walls, 20.0], [*cpus, 1.0]) == []
    assert odd_clocks([*walls, 2.0], [*cpus, 10.1]) == [19]
    assert odd_clocks([*walls, 2.0], [*cpus, 10.0]) == []
    assert odd_clocks([20.0, *walls, 2.0], [0.5, *cpus, 99.0]) == [0, 20]
    # Less than a second, no time, fewer than 20.
    assert odd_clocks([*walls, 0.01], [*cpus, 0.9]) == []
    assert odd_clocks([*walls, None], [*cpus, 99.0]) == []
    assert odd_clocks([*walls[1:], 2.0], [*cpus[1:], 99.0]) == []
