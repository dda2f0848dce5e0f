"""Tests of unpaired runs: rank sums by brute force, groups, expected running times."""

from __future__ import annotations

from itertools import combinations
from math import nan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from aslib_eval.errors import AslibError
from aslib_eval.statistics.independent_runs import (
    expected_running_time,
    rank_sum,
    scott_knott_runs,
)


def floats(*values: float) -> np.ndarray:
    return np.array(values, float)


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.integers(0, 4), min_size=1, max_size=4),
    st.lists(st.integers(0, 4), min_size=1, max_size=4),
)
def test_exact_by_every_way_to_part_the_values(a: list[int], b: list[int]) -> None:
    ranks = stats.rankdata([*a, *b])
    sums = [sum(ranks[list(p)]) for p in combinations(range(len(ranks)), len(a))]
    centre = np.mean(sums)
    ours = sum(ranks[: len(a)])
    expected = np.mean([abs(s - centre) >= abs(ours - centre) - 1e-9 for s in sums])
    found = rank_sum(floats(*a), floats(*b))
    assert found.p == pytest.approx(expected)
    pairs = [(x > y) + (x == y) / 2 for x in a for y in b]
    assert found.u == pytest.approx(sum(pairs))
    assert rank_sum(floats(*b), floats(*a)).p == pytest.approx(found.p)


def test_as_scipy() -> None:
    """Exact without ties, and beyond 60 values normal with ties and continuity."""
    rng = np.random.default_rng(1)
    a, b = rng.normal(0, 1, 12), rng.normal(0.8, 1, 15)
    theirs = stats.mannwhitneyu(a, b, method="exact")
    ours = rank_sum(a, b)
    assert (ours.u, ours.p) == (theirs.statistic, pytest.approx(theirs.pvalue))
    many, more = rng.integers(0, 9, 40).astype(float), rng.integers(1, 9, 50) * 1.0
    theirs = stats.mannwhitneyu(many, more, method="asymptotic")
    ours = rank_sum(many, more)
    assert (ours.u, ours.p) == (theirs.statistic, pytest.approx(theirs.pvalue))
    assert ours.method == "normal"


def test_equal_runs_show_nothing() -> None:
    assert rank_sum(floats(1, 1, 1), floats(1, 1)).p == 1
    noisy = rank_sum(floats(0.1 + 0.2), floats(0.3))  # the same but for the last bit
    assert (noisy.u, noisy.p) == (0.5, 1)


def test_no_runs() -> None:
    with pytest.raises(AslibError, match="no runs"):
        rank_sum(floats(), floats(1))
    with pytest.raises(AslibError, match="no finite value"):
        rank_sum(floats(nan), floats(1))


def test_level_of_the_rank_sum_test_with_ties() -> None:
    """400 pairs of ten whole numbers; three standard errors of 0.05 are 0.033."""
    rng = np.random.default_rng(4)
    drawn = rng.integers(0, 6, (400, 2, 10)).astype(float)
    assert np.mean([rank_sum(a, b).p <= 0.05 for a, b in drawn]) < 0.083


def test_groups_of_systems_by_their_runs() -> None:
    """Means 2, 2.5 and 11, squares 2, 5 and 2 with 2, 3 and 2 degrees of freedom."""
    runs = [floats(1, 2, 3), floats(1, 2, 3, 4), floats(10, 11, 12)]
    found = scott_knott_runs(runs, order="ascending")
    assert found.groups.tolist() == [1, 1, 2]
    assert (found.mse, found.df) == (pytest.approx(9 / 7), 7)
    assert scott_knott_runs(runs).groups.tolist() == [2, 2, 1]
    with pytest.raises(AslibError, match="two runs each"):
        scott_knott_runs([floats(1, 2), floats(1)])


def test_level_of_the_groups_where_all_are_equal() -> None:
    """Four equal systems are split in one experiment of twenty (0.056 blocked)."""
    drawn = np.random.default_rng(5).normal(0, 1, (300, 4, 10))
    split = np.mean([scott_knott_runs(list(runs)).groups.max() > 1 for runs in drawn])
    assert split < 0.05 + 3 * (0.05 * 0.95 / 300) ** 0.5


def test_expected_running_time() -> None:
    """All that was spent, 10 + 30 + 50 + 50, over two successes."""
    spent, reached = floats(10, 30, 50, 50), np.array([True, True, False, False])
    found = expected_running_time(spent, reached)
    assert (found.ert, found.successes, found.runs, found.share) == (70, 2, 4, 0.5)
    never = expected_running_time(spent, np.zeros(4, bool))
    assert (never.ert, never.share) == (None, 0)
    with pytest.raises(AslibError, match="no runs to the target"):
        expected_running_time(floats(), np.zeros(0, bool))
    with pytest.raises(AslibError, match="cannot spend -1"):
        expected_running_time(floats(-1), np.ones(1, bool))
    with pytest.raises(AslibError, match="missing or infinite"):
        expected_running_time(floats(nan), np.ones(1, bool))


def test_expected_running_time_is_that_of_restarts() -> None:
    """A run of up to 5 steps that succeeds in each with 0.2: 1 / 0.2 steps expected."""
    steps = np.random.default_rng(6).geometric(0.2, 20_000)
    found = expected_running_time(np.minimum(steps, 5).astype(float), steps <= 5)
    assert found.ert == pytest.approx(5, rel=0.03)
