"""Shares of the draws in which a solver costs less than another."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from aslib_eval.database.protocol import Protocol
from aslib_eval.extensions.resampling.random_splits import bootstrap_pairs, share_better
from tests.lab import GivenLake, runs


def test_share_better_counts_ties_half() -> None:
    costs = np.array([[1, 2, np.nan], [1, 1, 1], [3, 1, 1], [1, 2, 1]])
    found = share_better(costs)
    assert found[:2, :2].tolist() == [[0.5, 0.625], [0.375, 0.5]]
    assert np.isnan(found[2]).all()
    assert np.isnan(found[:, 2]).all()


def test_pairs_by_hand(given: GivenLake) -> None:
    """A always costs less than B."""
    lake = given(runs(A=[10, 20, 30], B=[40, 50, 60]))
    label = f"default@{Protocol().hash}"
    assert bootstrap_pairs(lake, draws=10, seed=1).rows() == [
        (label, "S", "runtime", "algorithm", "A", "B", 10, 1.0),
        (label, "S", "runtime", "algorithm", "B", "A", 10, 0.0),
    ]


def test_without_a_whole_algorithm_there_is_no_pair(given: GivenLake) -> None:
    quality = (("objective", "solution_quality", "false"),)
    data = [("i1", 1, "A", 5, "ok"), ("i2", 1, "A", None, "crash")]
    lake = given(data, Protocol(protocol="p", failures="left_out"), measures=quality)
    assert bootstrap_pairs(lake, draws=5).is_empty()


@pytest.mark.parametrize("workers", [1, 3])
def test_pairs_have_the_same_digits_whoever_draws(given: GivenLake, workers: int) -> None:
    rng = np.random.default_rng(5)
    lake = given(
        runs(A=rng.uniform(0, 50, 9).tolist(), B=rng.uniform(0, 60, 9).tolist()),
        *(Protocol(protocol=f"p{n}", penalty=n) for n in (1, 2, 7)),
    )
    with ThreadPoolExecutor(workers) as pool:
        here, there = (bootstrap_pairs(lake, draws=99, executor=e) for e in (None, pool))
    assert len(here) == 6
    assert here.equals(there)
