"""When a run reached a target, and how long a system takes to one."""

from __future__ import annotations

import math

import numpy as np
import pytest

from aslib_eval.errors import AslibError
from aslib_eval.extensions.optimisers.metrics import expected_running_time, first_at, running_time_interval
from tests.metrics.test_anytime import trajectories


def test_a_target_is_reached_by_its_own_value() -> None:
    runs = trajectories([(1, 9), (3, 4), (5, 4)], [(2, 5)], [])
    assert first_at(runs, target=4).tolist() == [3, math.inf, math.inf]
    assert first_at(runs, target=[9, 5, 0]).tolist() == [1, 2, math.inf]
    more = trajectories([(1, 9), (3, 4)], [(2, 5)], maximize=True)
    assert first_at(more, target=6).tolist() == [1, math.inf]


def test_expected_running_time_charges_the_runs_that_failed() -> None:
    found = expected_running_time(np.array([[3, math.inf, 5], [math.inf] * 3]), spent=10)
    assert found[0] == (3 + 10 + 5) / 2
    assert np.isnan(found[1])
    with pytest.raises(AslibError, match="no run to reach"):
        expected_running_time([], spent=1)


def test_the_interval_of_a_running_time_knows_that_a_further_run_may_fail() -> None:
    """By Clopper and Pearson 10 of 10 leave a share of 1 - 0.025^(1/10) = 0.3085."""
    share = 1 - 0.025 ** (1 / 10)
    low, high = running_time_interval([1.0] * 10, spent=100)
    assert high == pytest.approx((1 - share + 100 * share) / (1 - share), rel=0.05)
    assert low == pytest.approx(1 - share, rel=0.05)  # a further one may be immediate
    low, high = running_time_interval([math.inf] * 10, spent=100)
    assert low == pytest.approx(100 * (1 - share) / share, rel=0.05)
    assert high == math.inf
    narrow = running_time_interval([3.0, math.inf, 5], spent=[9, 10, 9], confidence=0.1)
    assert narrow[0] < (3 + 10 + 5) / 2 < narrow[1]
    with pytest.raises(AslibError, match="no run to reach"):
        running_time_interval([], spent=1)


def test_the_interval_of_a_running_time_covers() -> None:
    """Exponential times of mean 100, stopped at 100: the ERT is 100. Of 300, 0.95."""
    times = np.random.default_rng(1).exponential(100, (300, 8))
    found = [running_time_interval(np.where(t <= 100, t, math.inf), spent=100) for t in times]
    covered = np.mean([low <= 100 <= high for low, high in found])
    assert covered >= 0.95 - 2 * math.sqrt(0.05 * 0.95 / 300)
    assert np.median([high / low for low, high in found]) < 12
