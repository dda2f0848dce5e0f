"""Ranks, lexicographic ranking, geometric means, Kendall's tau."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau

from aslib_eval.errors import AslibError
from aslib_eval.metrics.ranking import kendall_tau_b, ranks
from aslib_eval.metrics.scale import Runs
from tests.metrics.test_runs import laws
from tests.oracles import shifted_geometric_mean, solved_then_par1


def test_ranks_say_their_direction() -> None:
    assert ranks([3, 1, 2], higher_is_better=True).tolist() == [1, 3, 2]
    assert ranks([3, 1, 2], higher_is_better=False).tolist() == [3, 1, 2]


def test_ties() -> None:
    scores = [5, 7, 7, 9]
    assert ranks(scores, higher_is_better=False).tolist() == [1, 2, 2, 4]
    found = ranks(scores, higher_is_better=False, ties="mean")
    assert found.tolist() == [1, 2.5, 2.5, 4]
    assert ranks([4, 4, 4], higher_is_better=True).tolist() == [1, 1, 1]
    near = ranks([1, 1.1, 2], higher_is_better=True, tolerance=0.2)
    assert near.tolist() == [2, 2, 1]
    infinite = ranks([math.inf, 1, math.inf], higher_is_better=False)
    assert infinite.tolist() == [2, 1, 2]


def test_a_missing_score_has_no_rank() -> None:
    found = ranks([2, math.nan, 1], higher_is_better=False)
    assert found.tolist() == pytest.approx([2, math.nan, 1], nan_ok=True)


def test_ranks_of_many_rankings_at_once() -> None:
    found = ranks([[1, 2], [2, 1]], higher_is_better=False)
    assert found.tolist() == [[1, 2], [2, 1]]


def test_solved_decides_before_par1() -> None:
    found = solved_then_par1([10, 12, 12, 12], par1=[1, 50, 40, 50])
    assert found.tolist() == [4, 2, 1, 2]


def test_shifted_geometric_mean() -> None:
    times = np.array([[0.0, 90], [990, 90]])
    runs = Runs(times, np.ones((2, 2), dtype=bool), 1000.0)
    assert shifted_geometric_mean(runs).tolist() == pytest.approx([90, 90])
    assert shifted_geometric_mean(runs, shift=0)[0] == 0
    unsolved = Runs(times, np.zeros((2, 2), dtype=bool), 1000.0)
    assert shifted_geometric_mean(unsolved, k=10).tolist() == pytest.approx([10000] * 2)
    with pytest.raises(AslibError, match="shift"):
        shifted_geometric_mean(runs, shift=-1)


SCORES = st.lists(st.integers(0, 4).map(float), min_size=2, max_size=7)


@laws
@given(st.data())
def test_tau_b_equals_scipy(data: st.DataObject) -> None:
    first = data.draw(SCORES)
    second = data.draw(
        st.permutations(first)
        | st.lists(st.integers(0, 4).map(float), min_size=len(first), max_size=len(first))
    )
    found = kendall_tau_b(first, second=second)
    if len(set(first)) == 1 or len(set(second)) == 1:
        assert found is None
    else:
        assert found == pytest.approx(kendalltau(first, second).statistic)


def test_edges_of_tau() -> None:
    assert kendall_tau_b([1, 2, 3], second=[3, 2, 1]) == -1
    assert kendall_tau_b([1], second=[1]) is None
    with pytest.raises(AslibError, match="same solvers"):
        kendall_tau_b([1, 2], second=[1])
    with pytest.raises(AslibError, match="missing"):
        kendall_tau_b([1, math.nan], second=[1, 2])
