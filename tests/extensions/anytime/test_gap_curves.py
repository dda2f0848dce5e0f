"""Gaps over time as step functions: by hand, and against their definition."""

from __future__ import annotations

from math import inf, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aslib_eval.extensions.anytime.metrics import (
    Curve,
    curve_mean,
    gap_points,
    gap_scale,
    level_at,
    lowest,
    mean_curve,
    run_curves,
)
from aslib_eval.metrics.scale import anytime_area, value_at
from tests.metrics.test_anytime import POINTS, Points, trajectories
from tests.metrics.test_runs import laws

NOT_KNOWN = np.full(3, nan)


def steps(*pairs: tuple[float, float]) -> Curve:
    return np.array([at for at, _ in pairs]), np.array([y for _, y in pairs])


def pairs(curve: Curve) -> list[tuple[float, float]]:
    return list(zip(*(part.tolist() for part in curve), strict=True))


def test_scale_and_gaps_by_hand() -> None:
    # Instance 0 lies between 30 and 10, or what is known; on 1 there is one solution, and on 2 none at all.
    runs = trajectories([(1, 30), (4, 10)], [(2, 20)], [(1, 7)], [])
    of = np.array([0, 0, 1, 2])
    scale = gap_scale(runs, instances=of, trivial=NOT_KNOWN, best=NOT_KNOWN)
    assert (scale.worst.tolist(), scale.best.tolist()) == ([30, 7, -inf], [10, 7, inf])
    assert gap_points(runs, scale, instances=of).tolist() == [1, 0, 0.5, 0]
    wider = gap_scale(
        runs,
        instances=of,
        trivial=np.array([50, nan, nan]),
        best=np.array([0, 9, nan]),  # 9 is worse than what was found
    )
    assert gap_points(runs, wider, instances=of).tolist() == [0.6, 0.2, 0.4, 0]
    assert wider.best.tolist() == [0, 7, inf]
    # What is worse than the trivial solution is as bad as that.
    near = gap_scale(runs, instances=of, trivial=np.full(3, 20.0), best=NOT_KNOWN)
    assert gap_points(runs, near, instances=of)[0] == 1


def test_gaps_of_a_maximised_objective() -> None:
    runs = trajectories([(1, 10), (4, 30)], [(2, 20)], maximize=True)
    of = np.array([0, 0])
    known = {"trivial": np.array([0.0]), "best": np.array([40.0])}
    scale = gap_scale(runs, instances=of, **known)
    assert gap_points(runs, scale, instances=of).tolist() == [0.75, 0.25, 0.5]


def test_curves_of_groups_of_runs() -> None:
    runs = trajectories([(1, 9), (3, 4)], [(2, 5)], [], [(0, 4)])
    gaps = np.array([1.0, 0.0, 0.5, 0.2])
    found = run_curves(runs, gaps, np.array([0, 0, 2, 3]))
    assert [pairs(curve) for curve in found] == [
        [(0, 1), (1, 1), (2, 0.75), (3, 0.25)],
        [(0, 1)],  # no run
        [(0, 1)],  # a run without a solution
        [(0, 0.2)],
    ]
    assert run_curves(runs, gaps, np.full(4, -1)) == []


def test_envelope_and_mean_of_curves() -> None:
    one, other = steps((0, 1), (2, 0.5), (6, 0)), steps((0, 1), (3, 0.25))
    assert pairs(lowest([one, other])) == [(0, 1), (2, 0.5), (3, 0.25), (6, 0)]
    mean = mean_curve([one, other])
    assert pairs(mean) == [(0, 1), (2, 0.75), (3, 0.375), (6, 0.125)]
    at = np.array([0, 1.9, 2, 2.5, 99])
    assert level_at(mean, at).tolist() == [1, 1, 0.75, 0.75, 0.125]
    # 1 for 2, 0.75 for 1, 0.375 for 1 of 4.
    assert curve_mean(mean, horizon=4) == pytest.approx((2 + 0.75 + 0.375) / 4)
    assert curve_mean(mean, horizon=1) == 1


@laws
@given(st.lists(POINTS, min_size=1, max_size=3))
def test_levels_and_means_by_their_definition(runs: list[Points]) -> None:
    runs = [sorted(run, key=lambda point: point[0]) for run in runs]
    found = trajectories(*runs)
    of = np.zeros(len(runs), dtype=np.int64)
    known = {"trivial": np.array([5.0]), "best": np.array([-5.0])}
    scale = gap_scale(found, instances=of, **known)
    curves = run_curves(found, gap_points(found, scale, instances=of), np.arange(len(runs)))
    for moment in (0, 3, 9):
        objective = value_at(found, at=moment)
        gaps = np.where(np.isnan(objective), 1, np.clip((objective + 5) / 10, 0, 1))
        levels = [float(level_at(curve, np.array(moment))) for curve in curves]
        assert levels == pytest.approx(gaps.tolist())
        both = float(level_at(lowest(curves), np.array(moment)))
        assert both == pytest.approx(float(gaps.min()))
    area = anytime_area(found, horizon=10, zero=5, one=-5)
    means = [curve_mean(curve, horizon=10) for curve in curves]
    assert means == pytest.approx((1 - area.values).tolist())
