"""Utility of runtimes, and who is first at every horizon."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from aslib_eval.extensions.orderings.metrics import Reign, mean_utilities, reigns
from aslib_eval.metrics.scale import Runs

INF = np.inf


def test_at_the_cutoff_it_is_par1_turned() -> None:
    rng = np.random.default_rng(3)
    solved = rng.uniform(size=(20, 5)) < 0.7
    runs = Runs(rng.uniform(0, 9, (20, 5)), solved, 9.0)
    found = mean_utilities(np.where(solved, runs.times / 9, INF), horizon=1)
    assert found.tolist() == pytest.approx((1 - runs.par(1).mean(axis=0) / 9).tolist())


def test_means_at_a_horizon() -> None:
    times = np.array([[0.1, 0.3], [INF, 0.5]])
    assert mean_utilities(times, horizon=0.4).tolist() == pytest.approx([0.375, 0.125])
    assert mean_utilities(times, horizon=1).tolist() == pytest.approx([0.45, 0.6])
    assert np.isnan(mean_utilities(np.array([[np.nan], [1.0]]), horizon=1)).all()


def test_who_is_first_changes_where_the_lines_cross() -> None:
    # Below .1 nobody solves; then the first alone, 1 - .1/h, until 2 - .8/h is more.
    times = np.array([[0.1, 0.3], [INF, 0.5]])
    found = reigns(times)
    assert [reign.first for reign in found] == [(0, 1), (0,), (1,)]
    assert [reign.low for reign in found] == pytest.approx([0, 0.1, 0.7])
    assert [reign.high for reign in found] == pytest.approx([0.1, 0.7, 1])


def test_all_equal_and_all_timed_out_reign_together() -> None:
    assert reigns(np.full((2, 2), INF)) == [Reign(0, 1, (0, 1))]
    assert reigns(np.full((1, 2), 0.5)) == [Reign(0, 1, (0, 1))]


def test_what_is_solved_at_once_counts_from_the_start() -> None:
    found = reigns(np.array([[0.0, 0.5], [INF, 0.5]]))
    assert [reign.first for reign in found] == [(0,)]  # they meet at 1 alone


@given(
    arrays(
        float,
        st.tuples(st.integers(1, 5), st.integers(2, 4)),
        elements=st.sampled_from([0.0, 0.05, 0.1, 0.25, 0.3, 0.5, 0.8, 1.0, INF]),
    )
)
def test_reigns_are_those_of_a_grid(times: np.ndarray) -> None:
    found = reigns(times)
    assert found[0].low == 0
    assert found[-1].high == 1
    assert [r.high for r in found[:-1]] == [r.low for r in found[1:]]
    for h in np.linspace(0.0037, 0.9973, 97):
        (reign,) = (r for r in found if r.low < h <= r.high)
        means = mean_utilities(times, horizon=h)
        near = min(abs(h - end) for r in found for end in (r.low, r.high))
        if near > 1e-9:
            first = np.flatnonzero(means >= means.max() - 1e-12)
            assert set(reign.first) == set(first.tolist()), h
