# ruff: noqa: ISC004 - a case a line
"""Tables that cannot be written as files of the format: all that is wrong is named."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from aslib_eval.extensions.exporting.write import _escaped, _yaml_escaped, conform

SCENARIO = {"measure": ["runtime"], "measure_type": ["runtime"], "maximize": [False], "cutoff": [9.0]}
RUN = {
    "instance_id": ["i"],
    "repetition": [1],
    "algorithm": ["a"],
    "measure": ["runtime"],
    "value": [1.0],
    "runstatus": ["ok"],
}


def said(**tables: dict[str, list[Any]]) -> list[str]:
    frames: Any = {"scenario": SCENARIO, "run": RUN, **tables}
    _, problems = conform(frames)
    assert {(p.code, p.severity, p.line) for p in problems} <= {("table", "error", None)}
    return [f"{p.file}: {p.message}" for p in problems]


def test_tables_as_they_should_be() -> None:
    nothing = pl.DataFrame(schema=["instance_id", "attribute", "value"])
    frames, problems = conform({"scenario": SCENARIO, "run": RUN, "attribute": nothing})
    assert problems == []
    assert list(frames) == ["scenario", "run"]
    assert frames["run"].schema["repetition"] == pl.Int32
    assert frames["run"].rows() == [("i", 1, "a", "runtime", 1.0, "ok")]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"repetition": [1.5]}, "column 'repetition' (Float64) is not Int32"),
        ({"value": ["x"]}, "column 'value' (String) is not Float64"),
        ({"odd": [1]}, "has an unknown column 'odd'"),
        ({"instance_id": [None]}, "instance_id is missing in 1 rows"),
    ],
)
def test_a_column_that_is_wrong(change: dict[str, list[Any]], message: str) -> None:
    assert said(run=RUN | change) == [f"table run: {message}"]


def test_rows_that_are_wrong() -> None:
    twice = {name: cells * 2 for name, cells in RUN.items()}
    assert said(run=twice) == [
        "table run: 1 keys (instance_id, repetition, algorithm, measure) are repeated: "
        "('i', 1, 'a', 'runtime')"
    ]
    fold = {"instance_id": ["i"], "cv_repetition": [1], "fold": [1]}
    assert said(fold=fold | {"cv_scheme": ["mine"]}) == [
        "table fold: cv.arff holds the scheme 'aslib' alone, not ['mine']"
    ]
    assert said(fold=fold | {"cv_scheme": ["aslib"]}) == []


RUNSTATUS = (*("feature_status", "feature_status_test", "algorithm_feature_status"), *("run", "run_test"))
COST = ("feature_cost", "feature_cost_test", "algorithm_feature_cost")


@pytest.mark.parametrize(
    ("table", "column"),
    [
        *(("scenario", name) for name in ("measure", "measure_type", "maximize")),
        *((name, "runstatus") for name in RUNSTATUS),
        *((name, "cost") for name in COST),
        *((name, "value") for name in ("run", "run_test", "trajectory", "attribute")),
        ("fold", "fold"),
    ],
)
def test_what_a_table_must_say(table: str, column: str) -> None:
    rest: dict[str, Any] = {"x": [1]}
    assert f"table {table}: has no column '{column}'" in said(**{table: rest})


def test_what_is_missing_is_named() -> None:
    lacking = {name: cells for name, cells in RUN.items() if name != "algorithm"}
    assert said(run=lacking)[0] == "table run: has no column 'algorithm'"
    assert said(scenario={})[-1] == (
        "table scenario: is missing or empty; it names the measures and the cutoff"
    )
    assert said(odd={"x": [1]}) == ["table odd: is not a relation of the contract"]


@pytest.mark.parametrize(
    ("character", "arff", "yaml"),
    [
        ("\uffff", "\\uffff", "\\uffff"),
        ("\U0010ffff", "\U0010ffff", "\\U0010ffff"),
        ("\x01", "\\u0001", "\\u0001"),
        ("\n", "\\n", "\\u000a"),
        ('"', '"', '\\"'),
        ("\xe9", "\xe9", "\xe9"),
    ],
)
def test_a_character_that_cannot_be_printed_is_its_number(character: str, arff: str, yaml: str) -> None:
    assert (_escaped(character), _yaml_escaped(character)) == (arff, yaml)
