"""Long frames as tables: where the lines of a frame lie, and where there are none."""

from __future__ import annotations

import numpy as np
import polars as pl

from aslib_eval.analysis.runs import Pivot, pivot

NAN = np.nan


def wide(*lines: tuple[str, int, str, float | bool | None, float | None]) -> Pivot:
    names = ["instance", "repetition", "solver", "value", "cutoff"]
    frame = pl.DataFrame(lines, schema=names, orient="row")
    return pivot(frame, rows=("instance", "repetition"), columns=("solver",))


def test_rows_are_sorted_and_columns_stay_as_they_come() -> None:
    found = wide(
        ("j", 2, "B", 1.0, 5),
        ("j", 1, "B", 2.0, 6),
        ("i", 1, "B", 3.0, 7),
        ("i", 1, "A", 4.0, 7),
        ("j", 1, "A", 5.0, 6),
        ("j", 2, "A", 6.0, 5),
    )
    assert found.rows.rows() == [("i", 1), ("j", 1), ("j", 2)]
    assert found.columns["solver"].to_list() == ["B", "A"]
    assert found.table("value").tolist() == [[3, 4], [2, 5], [1, 6]]
    assert found.of_rows("cutoff").tolist() == [7, 6, 5]


def test_what_is_null_or_has_no_line_is_nan() -> None:
    found = wide(("i", 1, "A", 1.0, None), ("j", 1, "B", None, 3.0))
    np.testing.assert_equal(found.table("value"), [[1, NAN], [NAN, NAN]])
    np.testing.assert_equal(found.of_rows("cutoff"), [NAN, 3])


def test_truths_are_0_and_1() -> None:
    found = wide(("i", 1, "A", True, 1), ("i", 1, "B", False, 1), ("i", 1, "C", None, 1))
    np.testing.assert_equal(found.table("value"), [[1, 0, NAN]])


def test_a_frame_without_lines_is_an_empty_table() -> None:
    found = pivot(
        pl.DataFrame(schema={"instance": pl.String, "solver": pl.String, "value": float}),
        rows=("instance",),
        columns=("solver",),
    )
    assert found.table("value").shape == (0, 0)
