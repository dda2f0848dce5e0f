# ruff: noqa: E501 - a case a line
"""What a user says of a table: checked, with units, and merged with scenario.toml."""

from __future__ import annotations

from typing import Any

import pytest

from aslib_eval.errors import AslibError, OptionError
from aslib_eval.formats import TableChoices
from aslib_eval.formats.runs import merged, over, table_choices
from aslib_eval.formats.runs.cells import UNITS, from_seconds, time_limit, to_seconds, unit_called
from aslib_eval.formats.sources import Source

ROLES = [
    "scenario",
    "instance",
    "solver",
    "time",
    "status",
    "answer",
    "expected",
    "repetition",
    "objective",
    "best",
    "cutoff",
    "family",
    "attribute",
    "ignore",
]


def test_names_of_units() -> None:
    assert {
        **dict.fromkeys(("ns", "nsec", "nsecs", "nanosecond", "nanoseconds"), "ns"),
        **dict.fromkeys(("us", "usec", "usecs", "microsecond", "microseconds"), "us"),
        **dict.fromkeys(("ms", "msec", "msecs", "millisecond", "milliseconds"), "ms"),
        **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), "s"),
        **dict.fromkeys(("min", "mins", "minute", "minutes"), "min"),
        **dict.fromkeys(("h", "hour", "hours"), "h"),
    } == UNITS
    assert unit_called("MSecs") == "ms"
    assert time_limit("3 µs") == (3, "us")
    with pytest.raises(OptionError, match="'weeks' is not a unit of time"):
        unit_called("weeks")


def test_three_of_a_unit() -> None:
    of = {"ns": 3e-9, "us": 3e-6, "ms": 0.003, "s": 3.0, "min": 180.0, "h": 10800.0}
    assert {unit: to_seconds(3.0, unit) for unit in of} == of
    assert {from_seconds(seconds, unit) for unit, seconds in of.items()} == {3.0}


@pytest.mark.parametrize(
    ("given", "limit"),
    [
        (1800, (1800.0, "")),
        (0.5, (0.5, "")),
        ("1800s", (1800.0, "s")),
        (" 30 min ", (30.0, "min")),
        ("1.5e3MS", (1500.0, "ms")),
        ("+2 hours", (2.0, "h")),
    ],
)
def test_a_time_limit(given: float | str, limit: tuple[float, str]) -> None:
    assert time_limit(given) == limit


@pytest.mark.parametrize("given", [0, -1, "0s", "-3min", "s", "", "1.2.3", "1e999", "nan"])
def test_what_is_no_time_limit(given: float | str) -> None:
    with pytest.raises(OptionError, match=f"^--cutoff {given} is not a time limit"):
        table_choices(cutoff=given)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, {}),
        ({"cutoff": 30}, {"cutoff": 30.0}),
        ({"cutoff": "30min"}, {"cutoff": 1800.0, "has_unit": True}),
        ({"cutoff": "30min", "time_unit": "ms"}, {"cutoff": 1_800_000.0}),
        ({"cutoff": "30", "time_unit": "ms"}, {"cutoff": 30.0}),
        ({"times_in": "Minutes"}, {"unit": "min"}),
        ({"times_in": "ms", "time_unit": "seconds"}, {"unit": "ms"}),
        (
            {"column": ["Time = t", "attribute=a", "attribute=b=c"]},
            {"column": (("time", "t"), ("attribute", "a"), ("attribute", "b=c"))},
        ),
        (
            {"column": {"time": "t", "ignore": ["x", "y"]}},
            {"column": (("time", "t"), ("ignore", "x"), ("ignore", "y"))},
        ),
        ({"status": ["TO=crash", "a=b = other"]}, {"status": (("to", "crash"), ("a=b", "other"))}),
        ({"status": {" Late ": " ok "}}, {"status": (("late", "ok"),)}),
        ({"missing": "drop"}, {"missing": "drop"}),
        ({"duplicates": "last"}, {"duplicates": "last"}),
        ({"maximize": ["m"], "measure_column": ["n"]}, {"maximize": ("m",), "measure": ("n",)}),
        ({"family": "path:1"}, {}),
        (
            {"family": "path:1", "column": ["scenario=family"]},
            {"split": "path:1", "column": (("scenario", "family"),)},
        ),
    ],
)
def test_choices_as_they_are_understood(given: dict[str, Any], expected: dict[str, Any]) -> None:
    assert table_choices(**given) == TableChoices(**expected)


HALVES = {
    "scenario_id": "\ud800",
    "measure_column": ["\ud800"],
    "maximize": ["\ud800"],
    "column": ["time=\ud800"],
}
HALF = "'\\ud800' holds half a character"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"column": ["tool=x"]}, "column tool=x names no role"),
        ({"column": {"time": ""}}, "column time= names no role"),
        ({"column": ["time=a", "time=b"]}, "two columns are given for time"),
        (
            {"times_in": "ms", "time_unit": "min"},
            "--times-in ms converts the times to seconds, so their unit is not min",
        ),
        ({"status": ["x=fine"]}, "status 'x' cannot mean 'fine'"),
        ({"claims": ["x=ok"]}, "claim 'x' cannot mean 'ok'"),
        ({"maximize": ["a", "b"], "minimize": ["b"]}, "'b' is maximised and minimised"),
        *(({key: value}, HALF) for key, value in HALVES.items()),
    ],
)
def test_choices_that_are_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(AslibError) as raised:
        table_choices(**given)
    assert raised.value.message == said
    assert raised.value.hint


def with_settings(given: TableChoices, text: str) -> tuple[TableChoices, str, list[str]]:
    sources = {"scenario.toml": Source.of(text.encode())}
    found, unit, wrong = merged(given, sources, file="d/scenario.toml")
    return found, unit, [f"{f.file}:{f.line}: {f.message}" for f in wrong]


SETTINGS = """scenario_id = "S"
cutoff = "2min"
unit = "ms"
maximize = ["m", "n"]
measure = ["k"]
family = "path:1"
missing = "drop"
duplicates = "first"
column = {time = "t", attribute = ["a", "b"]}
status = {odd = "crash", TO = "memout"}
minimize = ["w"]
cells = "loss"
claims = {Holds = "unsat"}
"""


def test_without_a_user_the_settings_count() -> None:
    assert with_settings(TableChoices(), SETTINGS) == (
        TableChoices(
            scenario_id="S",
            cutoff=120.0,
            has_unit=True,
            unit="ms",
            maximize=("m", "n"),
            measure=("k",),
            family="path:1",
            missing="drop",
            duplicates="first",
            column=(("time", "t"), ("attribute", "a"), ("attribute", "b")),
            status=(("odd", "crash"), ("to", "memout")),
            minimize=("w",),
            cells="loss",
            claims=(("holds", "unsat"),),
        ),
        "",
        [],
    )


def test_a_user_goes_before_the_settings() -> None:
    user = TableChoices(
        scenario_id="U",
        cutoff=7.0,
        unit="s",
        maximize=("n", "u"),
        measure=("v",),
        missing="crash",
        duplicates="last",
        column=(("attribute", "c"),),
        status=(("odd", "ok"),),
        minimize=("m",),
        cells="time",
        claims=(("holds", "sat"),),
    )
    assert with_settings(user, SETTINGS) == (
        TableChoices(
            scenario_id="U",
            cutoff=7.0,
            has_unit=False,
            unit="s",
            maximize=("n", "u"),
            measure=("v", "k"),
            family="path:1",
            missing="crash",
            duplicates="last",
            column=(("attribute", "c"), ("time", "t")),
            status=(("odd", "ok"), ("to", "memout")),
            minimize=("m", "w"),
            cells="time",
            claims=(("holds", "sat"),),
        ),
        "",
        [],
    )
    nothing, unit, wrong = merged(user, {}, file="x")
    assert (nothing, unit, wrong) == (user, "", [])


def test_the_unit_of_the_times_of_settings() -> None:
    text = 'cutoff = "1s"\ntime_unit = "ms"\n'
    assert with_settings(TableChoices(), text) == (TableChoices(cutoff=1000.0), "ms", [])
    # Who says a unit says in what the table is: the limit is in seconds.
    by_user = TableChoices(unit="ms")
    found, unit, _ = with_settings(by_user, text)
    assert (found.cutoff, found.has_unit, unit) == (1.0, True, "")
    both = f'unit = "ms"\n{text}'
    assert with_settings(TableChoices(), both)[1] == ""


@pytest.mark.parametrize(
    "line",
    [
        *('cutoff = "soon"', "cutoff = true", 'unit = "weeks"', "time_unit = 3", 'maximize = "m"'),
        "unit = 3",
        *("measure = [1]", 'family = "first"', 'missing = "ok"'),
        *('duplicates = "all"', 'status = {x = "y"}', "scenario_id = 3"),
        *('minimize = "m"', "cells = 3", 'claims = {x = "ok", y = "sat"}'),
    ],
)
def test_settings_that_are_wrong(line: str) -> None:
    user = TableChoices(cutoff=1.0)
    found, unit, (said,) = with_settings(user, f"\n{line}\n")
    assert (found, unit) == (user, "")
    assert said.startswith(f"d/scenario.toml:2: {line.partition(' ')[0]} must be ")


@pytest.mark.parametrize(
    ("line", "is_right"),
    [
        *(('cutoff = "30min"', True), ("cutoff = 3", True), ("cutoff = 0.5", True), ("cutoff = [3]", False)),
        *(('unit = "MS"', True), ('unit = ""', False), ('time_unit = "s"', True), ('time_unit = " "', False)),
        *(("maximize = []", True), ('minimize = ["a", "b"]', True), ('measure = ["a", 3]', False)),
        *((f'column = {{{role} = "a"}}', True) for role in ROLES),
        *((f'column = {{{role} = ["a", "b"]}}', role in ("attribute", "ignore")) for role in ROLES),
        *(('column = {role = "a"}', False), ("column = {ignore = 3}", False), ('column = "a"', False)),
        *((f'missing = "{kind}"', True) for kind in ("timeout", "crash", "drop")),
        *((f'duplicates = "{kind}"', True) for kind in ("first", "last", "number")),
        *(('one_file_per = "solver"', True), ('one_file_per = "run"', False)),
        *(('records = "data.runs"', True), ("records = 3", False), ("status = 3", False), ("claims = 3", False)),
        *((f'status = {{a = "{kind}"}}', True) for kind in ("ok", "timeout", "memout", "crash", "wrong", "other")),
        *((f'claims = {{a = "{kind}"}}', True) for kind in ("sat", "unsat", "optimal", "solution", "solved", "unknown")),
    ],
)  # fmt: skip
def test_what_a_key_of_the_settings_may_hold(line: str, *, is_right: bool) -> None:
    assert (with_settings(TableChoices(), f"{line}\n")[2] == []) is is_right


@pytest.mark.parametrize(
    ("given", "there", "expected"),
    [
        # A role is given once; columns to ignore may be added.
        ([("time", "t")], [("time", "u"), ("solver", "s")], ["time=t", "solver=s"]),
        ([("ignore", "a")], [("ignore", "b"), ("attribute", "c")], ["ignore=a", "attribute=c"]),
        ([("instance", "a + b")], [("ignore", "a"), ("ignore", "b"), ("ignore", "c")], ["instance=a + b", "ignore=c"]),
        ([("time", "t")], [("ignore", "t"), ("objective", "execution_time")], ["time=t", "objective=execution_time"]),
    ],
)  # fmt: skip
def test_columns_of_a_user_go_before_those_of_a_file(
    given: list[tuple[str, str]], there: list[tuple[str, str]], expected: list[str]
) -> None:
    user, file = TableChoices(column=tuple(given)), TableChoices(column=tuple(there))
    assert [f"{role}={name}" for role, name in over(user, file).column] == expected
    more = [f"{role}={name}" for role, name in over(user, file, adds=True).column]
    assert more == [
        *expected[: len(given)],
        *(["ignore=b"] if given[0][0] == "ignore" else []),
        *expected[len(given) :],
    ]
    limited = over(
        TableChoices(cutoff=3.0), TableChoices(column=(("objective", "execution_time"), ("objective", "x")))
    )
    assert limited.column == (("time", "execution_time"), ("objective", "x"))
