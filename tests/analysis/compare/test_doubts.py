"""What is said of failed runs and of units left out; by hand."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import polars as pl
import pytest

from aslib_eval.analysis.compare.blocks import (
    failure_remarks,
    left_out_remark,
    nobody_complete,
    with_failures,
)
from aslib_eval.analysis.compare.pairs import as_shares
from aslib_eval.analysis.compare.question import Question

INSTANCES, FOLDS = Question(metric="cost"), Question(metric="cost", unit="folds")
SCENARIOS = Question(metric="cost", unit="scenarios")


def part(*rows: tuple[str, str, int | None, float | None], **said: Any) -> pl.DataFrame:
    """Rows of (solver, replicate, failed runs, value)."""
    names = ["solver", "replicate", "n_failed", "value"]
    frame = pl.DataFrame(rows, schema=names, orient="row", infer_schema_length=None)
    about = {
        "measure_type": "solution_quality",
        "failures": "left_out",
        "failure_value": None,
        "scenario_id": "S",
    }
    columns = [pl.lit(value).alias(name) for name, value in {**about, **said}.items()]
    return with_failures(frame.with_columns(columns))


THREE = (
    *(("a", "1", 2, None), ("a", "2", 1, None), ("b", "1", 1, None)),
    *(("b", "2", 0, 5.0), ("c", "1", None, 3.0), ("c", "2", None, 4.0)),
)


def test_failed_runs_are_those_of_a_quality() -> None:
    assert part(*THREE)["n_lost"].to_list() == [2, 1, 1, 0, 0, 0]
    assert part(*THREE)["has_failed"].to_list() == [True] * 3 + [False] * 3
    assert part(*THREE, measure_type="runtime")["n_lost"].to_list() == [0] * 6


@pytest.mark.parametrize(
    ("question", "said", "remarks"),
    [
        (INSTANCES, {}, []),
        (FOLDS, {}, ["failed runs (a 2, b 1) have no value, so the comparison leaves them out"]),
        (FOLDS, {"failures": "value", "failure_value": "7"}, ["each failed run (a 2, b 1) counts as 7"]),
        (FOLDS, {"measure_type": "runtime"}, []),
    ],
)
def test_how_failed_runs_count(question: Question, said: dict[str, Any], remarks: list[str]) -> None:
    assert list(failure_remarks(part(*THREE, **said), question)) == remarks


def test_what_is_left_out_and_whom_that_favours() -> None:
    text = "3 instances are left out because a solver has no value there"
    assert left_out_remark(part(*THREE), INSTANCES, lost=3) == (
        f"{text} (failed runs: a 3 on 2 instances, b 1 on 1 instance), which favours solvers that fail"
    )
    given = part(*THREE, failures="beyond_worst")
    assert left_out_remark(given, INSTANCES, lost=3) == f"{text} (every run failed)"
    timed = part(*THREE, measure_type="runtime")
    assert left_out_remark(timed, INSTANCES, lost=3) == text
    assert left_out_remark(part(*THREE), FOLDS, lost=1) == text.replace("3 instances", "1 folds")


def test_where_failures_leave_no_instance() -> None:
    each = part(("a", "1", 1, None), ("a", "2", 0, 1.0), ("b", "1", 0, 2.0),
                ("b", "2", 1, None))  # fmt: skip
    assert nobody_complete(each, INSTANCES) == (
        "a run failed on each of the 2 instances, so none is left",
        "S",
        "Give failures a value in the protocol: failures = 'beyond_worst'.",
    )
    every = part(*((solver, i, 1, None) for solver in "ab" for i in "123"))
    assert nobody_complete(every, INSTANCES) == (
        "every run failed on all 3 instances",
        "S",
        "There is nothing to compare.",
    )
    assert nobody_complete(each, FOLDS) is None
    assert nobody_complete(each, Question(metric="par10")) is None
    assert nobody_complete(each.filter(pl.col("solver") == "a"), INSTANCES) is None
    some = part(("a", "1", 1, None), ("a", "2", 0, 1.0), ("b", "1", 0, 2.0))
    assert nobody_complete(some, INSTANCES) is None


@pytest.mark.parametrize(
    ("difference", "logs", "share"),
    [
        (math.log(2), -1, 1),
        (math.log(2), 1, 0.5),  # half the size is better
        (-math.log(2), 1, -1),
        (1000.0, -1, math.inf),
        (-1000.0, 1, -math.inf),
    ],
)
def test_a_share_is_of_the_other(difference: float, logs: int, share: float) -> None:
    row = {"advantage": difference, "lower": None}
    block: Any = SimpleNamespace(logs=logs)
    as_shares(row, block, INSTANCES)
    assert row == {"advantage": pytest.approx(share), "lower": None}
