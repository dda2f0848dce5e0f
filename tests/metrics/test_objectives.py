"""Scores of the best objective found."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray

from aslib_eval.errors import AslibError
from aslib_eval.metrics.scale import incomplete, satisficing, scaled_score
from tests.metrics.test_runs import laws

NAN = float("nan")


def test_98_99_100() -> None:
    """Amadini et al. 2023, section 2.3: three solvers find 98, 99 and 100.

    Scaled with alpha = 0 and beta = 1 they score 1, 0.5, 0; the MaxSAT score is nearly the same for all.
    The paper prints 0.97 for the third, which is 99 / 101 = 0.980.
    """
    values = [[98.0, 99.0, 100.0]]
    nothing = np.zeros((1, 3), dtype=bool)
    found = scaled_score(values, proven=nothing, alpha=0, beta=1)
    assert found.tolist() == [[1, 0.5, 0]]
    assert incomplete(values).tolist() == [[1, 99 / 100, 99 / 101]]
    assert incomplete(values).round(2).tolist() == [[1, 0.99, 0.98]]
    assert satisficing(values).tolist() == [[1, 98 / 99, 0.98]]


def test_scaled_score() -> None:
    values = [[10.0, 20, 15, NAN, 10], [7, 7, 7, NAN, NAN], [NAN] * 5]
    proven = np.zeros((3, 5), dtype=bool)
    proven[0, 4] = True
    found = scaled_score(values, proven=proven)
    assert found.tolist() == [[0.75, 0.25, 0.5, 0, 1], [0.75, 0.75, 0.75, 0, 0], [0, 0, 0, 0, 0]]
    upside_down = scaled_score(values, proven=proven, maximize=[True, False, False])
    assert upside_down[0].tolist() == [0.25, 0.75, 0.5, 0, 1]
    assert upside_down[1].tolist() == found[1].tolist()


def test_best_known_counts_beside_what_was_found() -> None:
    values = [[3.0, NAN], [3.0, NAN], [3.0, NAN]]
    known = [1.0, 9.0, NAN]
    assert incomplete(values, best_known=known)[:, 0].tolist() == [0.5, 1, 1]
    assert satisficing(values, best_known=known)[:, 0].tolist() == [1 / 3, 1, 1]
    more = satisficing(values, best_known=[6.0, 1.0, NAN], maximize=True)
    assert more[:, 0].tolist() == [0.5, 1, 1]
    assert incomplete(values)[:, 1].tolist() == [0, 0, 0]


def test_costs_of_zero() -> None:
    assert satisficing([[0.0, 0.0, 5.0]]).tolist() == [[1, 1, 0]]
    assert incomplete([[0.0, 1.0]]).tolist() == [[1, 0.5]]
    assert satisficing([[NAN, NAN]]).tolist() == [[0, 0]]
    assert incomplete(np.ones((0, 2))).shape == (0, 2)


VALUES = hnp.arrays(
    float,
    st.tuples(st.integers(1, 4), st.integers(1, 4)),
    elements=st.one_of(st.integers(0, 9).map(float), st.just(NAN)),
)


@laws
@given(VALUES, st.booleans())
def test_every_score_lies_in_0_1_and_the_best_has_most(
    values: NDArray[np.float64],
    maximize: bool,  # noqa: FBT001
) -> None:
    none = np.zeros(values.shape, dtype=bool)
    costs = np.where(np.isnan(values), np.inf, -values if maximize else values)
    for found in (
        incomplete(values, maximize=maximize),
        satisficing(values, maximize=maximize),
        scaled_score(values, proven=none, maximize=maximize, alpha=0.1, beta=1),
    ):
        assert ((found >= 0) & (found <= 1)).all()
        assert (found[np.isnan(values)] == 0).all()
        best = costs == costs.min(axis=1, keepdims=True)
        assert (found[best & ~np.isnan(values)] == 1).all()
        better = costs[:, :, None] < costs[:, None, :]
        assert not (better & (found[:, :, None] < found[:, None, :])).any()


def test_what_cannot_be_scored() -> None:
    with pytest.raises(AslibError, match="at least 0"):
        incomplete([[-1.0]])
    with pytest.raises(AslibError, match="infinite"):
        satisficing([[np.inf]])
    with pytest.raises(AslibError, match="instances x solvers"):
        satisficing([1.0])
    with pytest.raises(AslibError, match="alpha"):
        scaled_score([[1.0]], proven=[[False]], alpha=0.8, beta=0.5)
