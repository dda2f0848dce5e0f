"""Standings of the boards of a rule, by hand: what is summed, and what has none."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

from aslib_eval.extensions.firmness.standings import Standing, boards_of, ranked

LABELS = ("rule", "S", "all", "rule")
AGAINST = pl.DataFrame(
    [
        ("r", "S", "a", "b", 2.0),
        ("r", "S", "b", "a", 5.0),
        ("r", "S", "a", "gone", 9.0),
        ("other", "S", "a", "b", 7.0),
        ("r", "T", "a", "b", 8.0),
    ],
    schema=["rule", "scenario_id", "solver", "other", "points"],
    orient="row",
)


def board(**said: Any) -> list[Standing]:
    """Two solvers on two instances: a solves x in 3 s, b both in 4 and 5 s."""
    rows = [
        {"solver": "a", "instance_id": "x", "solved": 1, "time": 3.0},
        {"solver": "a", "instance_id": "y", "solved": 0, "time": 0.0},
        {"solver": "b", "instance_id": "x", "solved": 1, "time": 4.0},
        {"solver": "b", "instance_id": "y", "solved": 1, "time": 5.0},
    ]
    whole = {
        "rule": "r", "scenario_id": "S", "part_of": "all", "part": "all",
        "errors": 0, "points": 1.0, "wall": 2.0, "cpu": 6.0, "n": 1, "sound": True,
        "family": None, "order_by": ["-solved", "time"], "aggregation": "sum",
        "scoring": "runs", "times": "solved", "balanced": None,
    }  # fmt: skip
    frame = pl.DataFrame([whole | row | said for row in rows])
    return list(boards_of(frame, AGAINST))


def test_what_decides_is_summed_in_its_order() -> None:
    (found,) = board()
    assert (found.labels, found.solvers) == (("r", "S", "all", "rule"), ("b", "a"))
    assert found.levels.tolist() == [[[-1, -1], [-1, 0]], [[4, 3], [5, 0]]]
    assert (found.places, found.n, found.title) == ([1, 2], 2, "S, r")
    assert (found.against, found.remark, found.families) == (None, None, ())


@pytest.mark.parametrize(
    ("order", "first"),
    [
        (["time"], "a"),
        (["-solved"], "b"),
        (["errors", "-solved"], "b"),
        (["errors", "time"], "a"),
        (["wall", "cpu", "errors"], "a"),  # all equal: by name
        (["-points", "points"], "a"),
        (["-solved", "mean_time"], "b"),
    ],
)
def test_less_time_and_more_solved_come_first(order: list[str], first: str) -> None:
    (found,) = board(order_by=order)
    assert found.solvers[0] == first
    assert len(found.levels) == len(order)


def test_equal_ones_share_a_place() -> None:
    (found,) = board(order_by=["errors"])
    assert (found.solvers, found.places) == (("a", "b"), [1, 1])


@pytest.mark.parametrize(
    "said",
    [
        {"order_by": ["mean_time", "-solved"]},
        {"order_by": ["mean_time"]},
        {"order_by": ["-solved", "mean_time"], "times": "all"},
        {"solver": "a"},
    ],
)
def test_means_over_other_runs_are_no_sums(said: dict[str, Any]) -> None:
    assert board(**said) == []


def test_a_part_has_its_name_and_no_points_of_pairs() -> None:
    (found,) = board(part_of="logic", part="QF_BV", scoring="pairs")
    assert (found.labels[2], found.title) == ("logic QF_BV", "S, r, logic QF_BV")
    assert found.against is None


def test_points_of_pairs_are_turned_and_in_the_order_of_the_places() -> None:
    (found,) = board(scoring="pairs")
    assert found.against is not None
    assert (found.solvers, found.against.tolist()) == (("b", "a"), [[0, -5], [-2, 0]])


def test_what_may_not_hold_is_remarked() -> None:
    weighs = "the weight of an instance depends on those that go"
    unsound = "a solver is unsound, and the instance that shows it may go"
    assert [found.remark for found in board(balanced="family")] == [weighs]
    assert [found.remark for found in board(sound=False)] == [unsound]
    (both,) = board(balanced="family", sound=False)
    assert both.remark == f"{weighs}; {unsound}"


def test_repetitions_are_one_instance() -> None:
    levels = np.array([[[1.0, 9.0], [2.0, 1.0], [3.0, 1.0]]])
    found = ranked(LABELS, ["p", "q"], levels, ["i", "j", "i #2"], {})
    assert found.levels.tolist() == [[[4, 10], [2, 1]]]
    assert found.solvers == ("p", "q")
