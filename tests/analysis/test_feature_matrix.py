"""Feature values as a matrix: what is missing, and what labels become."""

from __future__ import annotations

import math

import numpy as np

from aslib_eval.analysis.runs import feature_matrix
from tests.lab import GivenLake, fill, runs

NAN = math.nan
COLUMNS = "instance_id, repetition, feature, value, label"


def test_infinity_and_nan_are_missing(given: GivenLake) -> None:
    lake = given(runs(A=[1, 1, 1, 1, 1]))
    numbers = [2.5, math.inf, -math.inf, NAN, None]
    rows = [(f"i{at}", 1, "f", x, None) for at, x in enumerate(numbers, start=1)]
    fill(lake.connection, "feature_value", COLUMNS, rows)
    found = feature_matrix(lake, "S", [f"i{at}" for at in range(1, 6)])
    np.testing.assert_equal(found.values, [[2.5], [NAN], [NAN], [NAN], [NAN]])
    assert found.given.tolist() == [[True], [False], [False], [False], [False]]


def test_an_infinite_repetition_does_not_count_in_the_mean(given: GivenLake) -> None:
    lake = given(runs(A=[1]))
    values = [1.0, math.inf, 4.0]
    rows = [("i1", at, "f", x, None) for at, x in enumerate(values, start=1)]
    fill(lake.connection, "feature_value", COLUMNS, rows)
    assert feature_matrix(lake, "S", ["i1"]).values.tolist() == [[2.5]]
