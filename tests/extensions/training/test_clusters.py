"""Clusters of training instances, and the schedules made of their neighbours."""

from __future__ import annotations

import numpy as np
import pytest

from aslib_eval.extensions.training.problem import nearest


@pytest.mark.oracles  # scikit-learn searches the neighbours
def test_the_nearest_rows_are_at_most_all() -> None:
    train = np.array([[0.0], [10], [3]])
    found = nearest(train, np.array([[1.0], [9]]), 2)
    assert [row.tolist() for row in found] == [[0, 2], [1, 2]]
    (few,) = nearest(train, np.array([[1.0]]), 9)
    assert few.tolist() == [0, 2, 1]
