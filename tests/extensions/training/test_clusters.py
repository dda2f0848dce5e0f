"""Clusters of training instances, and the schedules made of their neighbours."""

from __future__ import annotations

import numpy as np
import pytest

from aslib_eval.extensions.training.models import GMeans, anderson_darling
from aslib_eval.extensions.training.problem import Trial, nearest, presolving_schedule, sunny_schedule


@pytest.mark.oracles  # scikit-learn searches the neighbours
def test_two_far_groups_are_two_clusters() -> None:
    rng = np.random.default_rng(1)
    points = np.concatenate([rng.normal(0, 1, (30, 2)), rng.normal(50, 1, (30, 2))])
    model = GMeans(smallest=10).fit(points)
    assert len(model.centres) == 2
    assert sorted(round(x / 50) for x in model.centres[:, 0]) == [0, 1]
    first, second = model.predict(np.array([[0.0, 0], [50, 50]]))
    assert first != second
    assert (model.predict(points[:30]) == first).all()
    assert len(GMeans(smallest=31).fit(points).centres) == 1
    assert len(GMeans(smallest=30).fit(points).centres) == 2
    assert len(GMeans().fit(points[:30]).centres) == 1
    same = GMeans().fit(np.ones((40, 2)))
    assert same.centres.tolist() == [[1, 1]]
    assert anderson_darling(points[:30, 0]) < 1 < anderson_darling(points[:, 0])


@pytest.mark.oracles  # scikit-learn searches the neighbours
def test_the_nearest_rows_are_at_most_all() -> None:
    train = np.array([[0.0], [10], [3]])
    found = nearest(train, np.array([[1.0], [9]]), 2)
    assert [row.tolist() for row in found] == [[0, 2], [1, 2]]
    (few,) = nearest(train, np.array([[1.0]]), 9)
    assert few.tolist() == [0, 2, 1]


def test_sunny_chooses_by_what_is_new() -> None:
    """0 solves two and 1 the other; 2 solves two as well, but only one that is new."""
    times = np.array([[10, 100, 10], [20, 100, 100], [100, 30, 100.0], [100, 100, 100]])
    found = sunny_schedule(times, times < 100, backup=1, cutoff=80)
    # Slots: 0 two, 1 one and one for what nobody solves; means (80 if unsolved).
    assert found == [(0, 40), (1, 40)]


def test_presolving_is_bounded_in_number_and_time() -> None:
    times = np.where(np.eye(4) > 0, 1.0, 100.0)
    after = np.full(4, 100.0)
    trial = Trial(times, times < 100, after, after < 100, 100, 10)
    steps = presolving_schedule(trial, longest=10, n_budgets=4)
    assert [a for a, _ in steps] == [0, 1, 2]
    assert len(presolving_schedule(trial, longest=10, n_budgets=4, most=1)) == 1
    two = presolving_schedule(trial, longest=2, n_budgets=4, most=4)
    assert two == [(0, 2)]  # of 0.002, 0.02, 0.2 and 2
