# ruff: noqa: E501 - a message a line
"""Meta files of IOHprofiler, by hand: what they say, and each fault with its line."""

from __future__ import annotations

import json
from typing import Any

import pytest

from aslib_eval.extensions.optimisers.iohprofiler import LoggedRun, _blocks, _meta, read_info
from aslib_eval.extensions.optimisers.searches import SearchFindings

NOT_META = "It is no meta file of IOHprofiler."
LOST = "Was the run interrupted, or the file cut? Fetch or run it again."
RUN = {"instance": 3, "evals": 10, "best": {"evals": 7, "y": 2}}
PART = {"dimension": 2, "path": "d/f1.dat", "runs": [RUN]}
META = {
    "function_id": 1,
    "function_name": "Sphere",
    "maximization": True,
    "algorithm": {"name": "A"},
    "scenarios": [PART],
}


def read(content: bytes) -> tuple[list[Any], list[tuple[int | None, str, str]]]:
    found = SearchFindings()
    data = list(_meta("A/meta.json", "meta.json", content, found))
    return data, [(f.line, f.message, f.hint) for f in found.all]


def meta(part: Any = None, run: Any = None, **other: Any) -> bytes:
    runs = [RUN if run is None else {**RUN, **run}]
    scenarios = [{**PART, "runs": runs, **(part or {})}]
    return json.dumps({**META, "scenarios": scenarios, **other}, indent=1).encode()


def test_a_meta_file_says_the_runs_of_its_data() -> None:
    ((one,), told) = read(meta())
    assert told == []
    assert (one.meta, one.algorithm, one.function, one.name) == (*("A/meta.json", "A", 1, "Sphere"),)
    assert (one.maximize, one.dimension, one.path) == (True, 2, "A/d/f1.dat")
    assert one.runs == (LoggedRun(3, 10, 7, 2.0),)
    assert (one.line, one.runs[0].rounded) == (11, 0.0)


@pytest.mark.parametrize(
    ("content", "line", "message", "hint"),
    [
        (b"\xff", 1, "is not UTF-8 text", ""),
        (b'{\n"a" 1}', 2, "is not JSON (Expecting ':' delimiter)", LOST),
        (b'{"a": NaN}', 1, "is not JSON (it holds NaN)", ""),
        (b"[" * 100_000, 1, "is not JSON (maximum recursion depth exceeded", ""),
        (b"null", 1, "there is no function_id", NOT_META),
        (b"[1]", 1, "the file is no object", NOT_META),
        (meta(algorithm=7), 1, "algorithm is '7'", NOT_META),
        (meta(algorithm={"name": " "}), 1, "algorithm.name is ' '", NOT_META),
        (meta({"path": "../../x"}), 11, "scenarios[0].path '../../x' leads out of the folder", NOT_META),
        (meta({"dimension": 2.5}), 11, "scenarios[0].dimension is '2.5'", NOT_META),
        (meta(scenarios=[7]), 1, "scenarios[0] is no object", NOT_META),
        (meta(run={"evals": -1}), 14, "scenarios[0].runs[0].evals is '-1'", NOT_META),
        (meta(run={"evals": 2**31}), 14, "scenarios[0].runs[0].evals is '2147483648'", NOT_META),
        (meta(run={"best": {"evals": 11, "y": 1}}), 14, "scenarios[0].runs[0].best.evals is 11, of 10 evaluations", NOT_META),
        (meta(run={"best": {"evals": 0, "y": 1}}), 14, "scenarios[0].runs[0].best.evals is 0, of 10 evaluations", NOT_META),
        (meta(run={"best": {"evals": 1}}), 14, "there is no scenarios[0].runs[0].best.y", NOT_META),
        (meta(run={"best": {"evals": 1, "y": "x" * 99}}), 14, f"scenarios[0].runs[0].best.y is '{'x' * 40}'", NOT_META),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_meta_file(content: bytes, line: int | None, message: str, hint: str) -> None:
    data, told = read(content)
    assert data == []
    assert told[0][1].startswith(message)
    assert (told[0][0], told[0][2]) == (line, hint)


def test_the_end_of_a_run_may_be_its_best_and_whole_numbers_are_values() -> None:
    ((one,), _) = read(meta(run={"best": {"evals": 10, "y": 2**53 - 1}}))
    assert (one.runs[0].best_at, one.runs[0].best) == (10, 2.0**53 - 1)
    data, told = read(meta(run={"best": {"evals": 10, "y": 2**53}}))
    assert (data, told[0][1]) == ([], f"scenarios[0].runs[0].best.y is '{2**53}'")


HEAD = "funcId = 1, DIM = 16, algId = 'RLS', maximization = 'T'\n%\n"


def info(text: str, **said: Any) -> tuple[list[Any], list[tuple[int | None, str]]]:
    found = SearchFindings()
    data = list(read_info("A/f1.info", "f1.info", text.encode(), found, **said))
    return data, [(f.line, f.message) for f in found.all]


def test_records_of_before_say_the_same() -> None:
    data, told = info(f"{HEAD}d/f1.dat, 1:100|1.6e+001, 2:90|7\n")
    assert told == []
    (one,) = data
    assert (one.line, one.algorithm, one.function, one.name) == (3, "RLS", 1, "f1")
    assert (one.maximize, one.dimension, one.path) == (True, 16, "A/d/f1.dat")
    assert one.runs == (LoggedRun(1, None, 100, 16.0, 1e-5), LoggedRun(2, None, 90, 7.0, 1e-5))


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("d/f1.dat, 1:100|1\n", 1, "a record without a line funcId = …"),
        ("funcId = 1, DIM = x, algId = ' '\nd/f1.dat, 1:1|1\n", 1, "the record does not say DIM and algId"),
        ("funcId = 1, DIM = 2, algId = 'A'\nd/f1.dat, 1:1|1\n", 1, "the record does not say whether the objective is maximised"),
        (f"{HEAD}d/f1.tdat, 1:1|1\n", 3, "'d/f1.tdat' is no data file in this folder"),
        (f"{HEAD}d/f1.dat, 1:0|1\n", 3, "'1:0|1' is no instance:evaluations|value"),
        (f"{HEAD}d/f1.dat, 1:1\n", 3, "'1:1' is no instance:evaluations|value"),
        (f"{HEAD}d/f1.dat, 1:{2**31}|1\n", 3, "'1:2147483648|1' is no instance:evaluations|value"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_record(text: str, line: int, message: str) -> None:
    _, told = info(text)
    assert told[0] == (line, message)


def test_a_direction_that_is_given_does_for_records_without() -> None:
    text = "funcId = 1, DIM = 2, algId = 'A'\n\nd/f1.dat, 1:1|1\n"
    for maximize in (True, False):
        ((one,), told) = info(text, maximize=maximize)
        assert (one.maximize, told) == (maximize, [])


def test_blocks_are_read_line_by_line_where_one_is_odd() -> None:
    found = SearchFindings()
    text = "evaluations raw_y\n1 4.0\n3 2.5\nevaluations raw_y\n1  4.0\n\n5 1e-3\n"
    first, second = _blocks(text, "f.dat", found)
    assert (first.line, first.at, first.values) == (1, [1, 3], [4.0, 2.5])
    assert (second.line, second.at, second.values) == (4, [1, 5], [4.0, 0.001])
    assert second.transformed == second.values
    assert found.all == ()
    assert _blocks("1 2\nevaluations raw_y\n", "f.dat", found) == []
    (one,) = _blocks("evaluations y\n1 2\n", "f.dat", found)
    assert one.at == []
    assert [f.message for f in found.all] == [
        "does not begin with the names evaluations raw_y",
        "the columns are evaluations, y, without evaluations or raw_y",
    ]
