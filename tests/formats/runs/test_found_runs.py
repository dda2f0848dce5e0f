# ruff: noqa: ISC004 - a case a line
"""How findings on a table of runs are gathered, counted and worded."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from aslib_eval.formats.format import TableChoices
from aslib_eval.formats.runs.found_runs import TableRun, TableRuns
from aslib_eval.formats.runs.raw_table import RawTable

HEADER = ("instance", "x:solved", "result", "time")


def found(*, is_wide: bool = False, times: int = 1, **choices: Any) -> TableRuns:
    table = RawTable("f.csv", HEADER, 1, (), places={9: ("other.csv", 4)}, hints={"runs-early": "Mine."})
    quality = {f"t{n}": False for n in range(times)} | {"cost": True}
    layout: Any = SimpleNamespace(table=table, findings=(), quality=quality, is_wide=is_wide)
    return TableRuns(layout, TableChoices(**choices))


def told(runs: TableRuns) -> list[tuple[str, int | None, str, str]]:
    return [(f.file, f.line, f.message, f.hint) for f in runs.findings]


def test_after_five_errors_or_twenty_warnings_the_others_are_counted() -> None:
    runs = found()
    for line in range(7):
        runs.say("runs-table", line, "wrong", "Mend.")
    for line in range(21):
        runs.say("runs-solver", line, "odd")
    runs.say("runs-table", 9, "wrong", "Otherwise.")
    assert told(runs) == [
        *(("f.csv", line, "wrong", "Mend.") for line in range(5)),
        ("f.csv", None, "and 2 more like these", ""),
        *(("f.csv", line, "odd", "") for line in range(9)),
        ("other.csv", 4, "odd", ""),
        *(("f.csv", line, "odd", "") for line in range(10, 20)),
        ("f.csv", None, "and 1 more like these", ""),
        ("other.csv", 4, "wrong", "Otherwise."),
    ]
    assert {f.code for f in runs.findings[:6]} == {"runs-table"}


@pytest.mark.parametrize(
    ("code", "given", "more", "hint"),
    [
        ("runs-early", "Given.", "", "Mine."),
        ("value-missing", "Given.", "", "Given."),
        ("value-missing", "", "", "Correct the time or the status."),
        ("value-missing", "", "More.", "Correct the time or the status. More."),
        ("status-missing", "", "", "Say ok, timeout, memout, crash or other."),
        ("runs-table", "", "", ""),
        ("runs-late", "", "", "The protocol decides, by default it is not solved."),
        (
            "run-missing",
            "",
            "",
            "Write a row for it; with status timeout or crash if it failed. Or "
            "--missing timeout, crash or drop says what such runs are.",
        ),
        (
            "run-unbalanced",
            "",
            "",
            "Write a row for each: a run that nobody wrote down may be one that "
            "failed, and a mean without it is too good. Or leave these repetitions "
            "out.",
        ),
        ("runtime-negative", "", "", "Correct the time, or write TO in its place or a status."),
        (
            "runs-cutoff",
            "",
            "",
            "Say the time limit: --cutoff, in Python cutoff=, or cutoff in scenario.toml.",
        ),
    ],
)
def test_what_to_do(code: str, given: str, more: str, hint: str) -> None:
    runs = found()
    runs.say(code, 1, "what", given, more)
    assert [f.hint for f in runs.findings] == [hint]


def test_marks_and_unknown_words_are_counted_where_they_first_are() -> None:
    runs = found()
    for line in (3, 4):
        runs.mark("'TO'", "timeout", line)
    runs.mark("'TO'", "crash", 5)
    runs.marks()
    runs.wonder("the status 'odd one'", "odd one", 6)
    runs.wonder("the status 'odd one'", "odd one", 7)
    runs.wonder("the answer 'x'", "x", 8, "Look.")
    runs.unknown()
    assert told(runs) == [
        ("f.csv", 3, "'TO' is taken as timeout: 2 runs", ""),
        ("f.csv", 5, "'TO' is taken as crash: 1 run", ""),
        (
            "f.csv",
            6,
            "nobody knows the status 'odd one': 2 runs",
            "Say ok, timeout, memout, crash or other; or say what it means: "
            "--status 'odd one=other', or [status] in scenario.toml.",
        ),
        ("f.csv", 8, "nobody knows the answer 'x': 1 run", "Look."),
    ]


LATE = "The protocol decides, by default it is not solved."


@pytest.mark.parametrize(
    ("how", "hint"),
    [
        ({}, LATE),
        ({"times": 2, "is_wide": True}, LATE),
        ({"times": 2}, f"{LATE} If the cutoff is of 't1': --column time=t1."),
    ],
)
def test_odd_runs_are_one_warning_a_kind(how: dict[str, Any], hint: str) -> None:
    runs = found(**how)
    for line, solver in enumerate("abb", 2):
        runs.odd("runs-late", line, solver, f"{solver} is late")
    runs.odd("value-missing", 8, "a", "no time")
    runs.oddities()
    assert told(runs) == [
        ("f.csv", 2, "a is late; 3 such runs: b 2, a 1", hint),
        ("f.csv", 8, "no time", "Correct the time or the status."),
    ]


def test_words_of_a_column_and_of_its_user() -> None:
    runs = found(status=(("odd", "crash"), ("sat", "other")))
    runs.about["expected"] = {"i": "SATISFIABLE", "j": ""}
    assert runs.truths == {"sat", ""}
    assert [runs.truth(name) for name in "ijk"] == ["sat", "", ""]
    assert runs.time_words["odd"] == "crash"
    assert runs.time_words["memout"] == "memout"
    assert runs.words_of(1)["1"] == "ok"  # of a column solved
    assert "1" not in runs.words_of(3)
    assert runs.words_of(2)["odd"] == "crash"
    assert runs.words_of(2) is runs.words_of(2)


def test_a_run_is_solved_by_all_its_measures() -> None:
    def run(*statuses: str) -> TableRun:
        values = {f"m{n}": (1.0, status) for n, status in enumerate(statuses)}
        return TableRun(1, "i", "a", 1, values)

    assert [run("ok", "ok").is_solved, run("ok", "timeout").is_solved] == [True, False]
    assert [run("ok", "wrong").is_wrong, run("ok", "crash").is_wrong] == [True, False]
