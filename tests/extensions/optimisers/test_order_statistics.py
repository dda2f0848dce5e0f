"""Order statistics of samples, by hand and by all subsets."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import ArrayLike, NDArray

from aslib_eval.errors import AslibError
from aslib_eval.extensions.optimisers.metrics import (
    expected_minimum,
    interval_places,
    mean_margin,
    of_minimum,
    quantile,
    quantile_interval,
)

INF = math.inf


def of_maximum(q: float, *, draws: ArrayLike) -> NDArray[np.float64]:
    """The p whose p-quantile is the q-quantile of the largest of m draws: q^(1/m)."""
    return np.asarray(1 - of_minimum(1 - q, draws=draws))


def expected_maximum(sample: ArrayLike, *, draws: ArrayLike) -> NDArray[np.float64]:
    """Unbiased estimate of the mean of the largest of so many draws."""
    return -expected_minimum(-np.asarray(sample, dtype=np.float64), draws=draws)


def test_quantiles_are_values_of_the_sample() -> None:
    sample = [4, 1, 3, 2]
    assert quantile(sample) == 2
    assert quantile(sample, q=[0.25, 0.26, 0.75, 0.76]).tolist() == [1, 2, 3, 4]
    assert quantile([[3, 1, 2], [6, 5, 4]]).tolist() == [2, 5]


def test_the_least_of_two_and_the_largest() -> None:
    assert of_minimum(0.75, draws=2) == 0.5
    assert of_maximum(0.25, draws=2) == 0.5
    assert of_minimum(0.5, draws=[1, 2]).tolist() == [0.5, pytest.approx(1 - 0.5**0.5)]
    with pytest.raises(AslibError, match=r"least of 0\.5 draws"):
        of_minimum(0.5, draws=0.5)


def test_bounds_of_a_median() -> None:
    """Of 6 values the ends hold it with 1 - 2 / 64, of 5 with 1 - 2 / 32 only."""
    assert interval_places(6) == (1, 6)
    assert interval_places(5) == (0, 6)
    assert interval_places(5, alpha=2 / 32) == (0, 5)  # a bound that is hit exactly
    assert interval_places(1, alpha=0.5) == (0, 2)
    low, high = quantile_interval([6, 1, 5, 2, 4, 3])
    assert (float(low), float(high)) == (1, 6)
    low, high = quantile_interval([1, 2, 3, 4, 5])
    assert (float(low), float(high)) == (-INF, INF)


def test_bounds_of_another_quantile() -> None:
    """Of 8 values P(B <= 0) = 0.1 and P(B <= 3) = 0.886 lie below the quarter."""
    assert interval_places(8, q=0.25, alpha=0.3) == (1, 4)
    low, high = quantile_interval(range(1, 9), q=0.25, alpha=0.3)
    assert (float(low), float(high)) == (1, 4)
    assert interval_places(8, q=0.25) == (0, 6)


def test_expected_ends_by_all_subsets() -> None:
    """Pairs of 1, 2, 4 have the least 1, 1, 2 and the largest 2, 4, 4."""
    sample = [4, 1, 2]
    least = [pytest.approx(7 / 3), pytest.approx(4 / 3), 1]
    assert expected_minimum(sample, draws=[1, 2, 3]).tolist() == least
    most = [pytest.approx(7 / 3), pytest.approx(10 / 3), 4]
    assert expected_maximum(sample, draws=[1, 2, 3]).tolist() == most
    assert math.isnan(expected_minimum(sample, draws=4))
    assert expected_minimum([1, INF], draws=[1, 2]).tolist() == [INF, 1]


def test_half_the_interval_of_a_mean() -> None:
    """Of 1, 2, 3 the sd is 1; Student's t with 2 degrees has 4.3027 at 97.5 %."""
    assert mean_margin([1, 2, 3]) == pytest.approx(4.302652729696142 / 3**0.5)
    assert mean_margin([1, 2, 3], alpha=0.5) == pytest.approx(0.816496580927726 / 3**0.5)
    assert mean_margin([[5], [6]]).tolist() == [INF, INF]
    assert mean_margin([5, 5]) == 0
