"""How findings are limited, and how rows of a file are numbered."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from aslib_eval.errors import Finding
from aslib_eval.formats.aslib import lint as reporting
from aslib_eval.formats.aslib.scenario import ArffTable, parse_arff

EMPTY = np.empty(0, np.int64)


def table(*rows: str) -> ArffTable:
    text = "@RELATION r\n@ATTRIBUTE name STRING\n@ATTRIBUTE n NUMERIC\n@DATA\n"
    return parse_arff((text + "\n".join(rows) + "\n").encode(), file="f.arff")


def test_after_twenty_of_a_code_the_rest_is_counted() -> None:
    report = reporting.LimitedFindings("runs.csv")
    for line in range(22):
        report.say("runs-late", ("a.csv", line), "late", "Wait.")
    for line in range(20):
        report.say("runs-early", ("b.csv", line), "early")
    report.once("runs-early", ("b.csv", 99), "again")
    report.once("runs-wrong", ("b.csv", None), "first")
    report.once("runs-wrong", ("b.csv", None), "second")
    found = report.findings
    assert [f for f in found if f.code == "runs-late"] == [
        *(Finding("runs-late", "warning", "a.csv", line, "late", "Wait.") for line in range(20)),
        Finding("runs-late", "warning", "runs.csv", None, "and 2 more findings 'runs-late'"),
    ]
    assert [f.message for f in found if f.code == "runs-early"] == ["early"] * 20
    assert [f.message for f in found if f.code == "runs-wrong"] == ["first"]


def test_of_rows_too_twenty_are_listed() -> None:
    some = table(*(f"a,{n}" for n in range(21)))
    found = [
        [
            (f.line, f.message, f.hint)
            for f in reporting.row_findings("row-duplicate", some, np.arange(n), what=str, hint="Why?")
        ]
        for n in (20, 21)
    ]
    assert found[0] == [(5 + n, str(n), "Why?") for n in range(20)]
    assert found[1] == [*found[0], (None, "and 1 more findings 'row-duplicate'", "Why?")]


def test_the_line_of_the_first_of_some_rows() -> None:
    some = table("a,1", "% a comment", "", "b,2")
    for rows, line in ((np.array([1, 0]), 8), (np.array([False, True]), 8), (EMPTY, None)):
        assert reporting.at_rows("row-duplicate", some, rows, "twice").line == line


@pytest.mark.parametrize(
    ("numbers", "code", "distinct"),
    [
        ([5, 3, 5, 4], [2, 0, 2, 1], [3, 4, 5]),
        ([-2, 7], [0, 1], [-2, 7]),
        ([1, 10**12, 1], [0, 1, 0], [1, 10**12]),
        ([], [], []),
    ],
)
def test_whole_numbers_as_codes(numbers: list[int], code: list[int], distinct: list[int]) -> None:
    found = reporting.dense(np.array(numbers))
    assert [each.tolist() for each in found] == [code, distinct]
    assert reporting.distinct(np.array(numbers)).tolist() == distinct


def test_rows_whose_number_stood_above() -> None:
    assert reporting.repeated(np.array([4, 1, 4, 2, 1, 4])).tolist() == [2, 4, 5]
    assert reporting.repeated(np.array([3, 1])).size == 0


def test_a_key_counts_through_its_columns_the_last_fastest() -> None:
    text = "@RELATION r\n@ATTRIBUTE instance_id STRING\n@ATTRIBUTE repetition NUMERIC\n"
    text += "@ATTRIBUTE algorithm STRING\n@DATA\nx,1,a\nx,2,b\ny,1,b\n"
    some = parse_arff(text.encode(), file="f.arff")
    key = reporting.key(some, ["instance_id", "repetition", "algorithm"])
    assert (key.numbers.tolist(), key.size) == ([0, 3, 5], 8)
    assert [key.label(n) for n in (0, 3, 5)] == [
        "instance 'x', repetition 1, algorithm 'a'",
        "instance 'x', repetition 2, algorithm 'b'",
        "instance 'y', repetition 1, algorithm 'b'",
    ]
    assert isinstance(key.labels[0], pa.Array)
