"""Trajectories: the value in force, the anytime area, the MiniZinc area score."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aslib_eval.errors import AslibError
from aslib_eval.metrics.scale import ScaleStatus, Trajectories, anytime_area, minizinc_area, value_at
from tests.metrics.test_runs import laws

Points = Sequence[tuple[float, float]]
POINTS = st.lists(st.tuples(st.integers(0, 9), st.integers(-5, 5)), max_size=4)


def trajectories(*runs: Points, maximize: Any = False) -> Trajectories:
    """Runs of (elapsed, value)."""
    counts = [len(run) for run in runs]
    flat = np.array([p for run in runs for p in run], float).reshape(-1, 2)
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    return Trajectories(offsets, flat[:, 0], flat[:, 1], maximize)


def test_value_at_a_moment() -> None:
    runs = trajectories([(1, 9), (3, 4), (5, 6)], [], [(0, 2)])
    begin = value_at(runs, at=0)
    assert np.isnan(begin).tolist() == [True, True, False]
    assert begin[2] == 2
    assert value_at(runs, at=3)[0] == 4
    assert value_at(runs, at=99)[0] == 4  # a worse solution later does not count
    assert value_at(trajectories([(1, 9), (5, 6)], maximize=True), at=7).tolist() == [9]


@laws
@given(st.lists(POINTS, min_size=1, max_size=4), st.booleans())
def test_best_so_far_by_definition(runs: list[Points], more: bool) -> None:  # noqa: FBT001
    runs = [sorted(run, key=lambda p: p[0]) for run in runs]
    found = trajectories(*runs, maximize=more)
    pick = max if more else min
    heads = (run[: i + 1] for run in runs for i in range(len(run)))
    expected = [pick(v for _, v in head) for head in heads]
    assert found.best.tolist() == expected


def test_anytime_area_by_hand() -> None:
    # Nothing for 2, halfway for 4, at the best for the last 4 of 10.
    runs = trajectories([(2, 5), (6, 0)], [], [(0, 0)], [(0, 99)], [(12, 0)])
    found = anytime_area(runs, horizon=10, zero=10, one=0)
    assert found.to_list() == pytest.approx([0.6, 0, 1, 0, 0])


def test_anytime_area_without_a_scale() -> None:
    runs = trajectories([(0, 5)], [])
    found = anytime_area(runs, horizon=10, zero=[3, 3], one=[3, 3])
    assert found.to_list() == [None, 0]
    assert found.status.tolist() == [ScaleStatus.NO_SCALE, ScaleStatus.DEFINED]


@laws
@given(POINTS, st.integers(1, 12))
def test_anytime_area_by_small_steps(points: Points, horizon: int) -> None:
    points = sorted(points, key=lambda p: p[0])
    worth = 0.0
    for moment in range(horizon):
        known = [v for t, v in points if t <= moment]
        worth += min(max((5 - min(known)) / 10, 0), 1) if known else 0
    found = anytime_area(trajectories(points), horizon=horizon, zero=5, one=-5)
    assert found.to_list() == pytest.approx([worth / horizon])


def test_minizinc_area_by_hand() -> None:
    # Instance 0: the worst first value is 20, the best last 10: the span is 11.
    runs = trajectories([(4, 20), (8, 10)], [(2, 15)], [], [(1, 7)])
    found = minizinc_area(runs, instances=[0, 0, 0, 1], used=[12, 20, 20, 5])
    first = 0.25 * 4 + 0.5 * (4 + 4 * 10 / 11 + 0) + 0.25 * 12
    second = 0.25 * 2 + 0.5 * (2 + 18 * 5 / 11) + 0.25 * 20
    assert found.tolist() == pytest.approx([first, second, 20, 0.25 + 0.5 + 1.25])


def test_minizinc_area_when_more_is_better() -> None:
    less = minizinc_area(trajectories([(4, 20), (8, 10)]), instances=[0], used=12)
    more = trajectories([(4, -20), (8, -10)], maximize=np.array([True]))
    assert minizinc_area(more, instances=[0], used=12).tolist() == less.tolist()


@laws
@given(POINTS)
def test_minizinc_area_lies_between_nothing_and_the_time_used(points: Points) -> None:
    points = sorted(points, key=lambda p: p[0])
    found = minizinc_area(trajectories(points), instances=[0], used=9)
    assert 0 <= found[0] <= 9 + 1e-12


def test_what_cannot_be_scored() -> None:
    with pytest.raises(AslibError, match="after the time used"):
        minizinc_area(trajectories([(9, 1)]), instances=[0], used=5)
