"""Marginal contribution and Shapley value."""

from __future__ import annotations

from itertools import combinations
from math import comb, log10

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray

from aslib_eval.errors import AslibError
from aslib_eval.metrics.scale import Runs, ScaleStatus, amc, rmc, shapley, vbs_without
from tests.metrics.test_runs import laws

EMPTY = 100.0
COSTS = hnp.arrays(
    float,
    st.tuples(st.integers(1, 5), st.integers(1, 8)),
    elements=st.integers(0, 10).map(lambda x: x * 10.0),
)
Table = NDArray[np.float64]


def brute_shapley(costs: Table) -> list[float]:
    """Over all subsets of the others."""
    n = costs.shape[1]

    def worth(portfolio: tuple[int, ...]) -> float:
        best = costs[:, portfolio].min(axis=1) if portfolio else EMPTY
        return float(np.mean(EMPTY - best))

    def of(solver: int) -> float:
        rest = [o for o in range(n) if o != solver]
        return sum(
            (worth((*part, solver)) - worth(part)) / (n * comb(n - 1, size))
            for size in range(n)
            for part in combinations(rest, size)
        )

    return [of(s) for s in range(n)]


@laws
@given(COSTS)
def test_shapley_over_all_subsets(costs: Table) -> None:
    found = shapley(costs, empty=EMPTY)
    np.testing.assert_allclose(found, brute_shapley(costs), rtol=1e-12, atol=1e-12)


@laws
@given(COSTS)
def test_shapley_shares_all_that_the_portfolio_saves(costs: Table) -> None:
    saved = EMPTY - costs.min(axis=1).mean()
    assert shapley(costs, empty=EMPTY).sum() == pytest.approx(saved, abs=1e-12)


@laws
@given(COSTS)
def test_shapley_does_not_depend_on_names(costs: Table) -> None:
    doubled = np.hstack([costs, costs[:, :1]])  # a twin of the first solver
    found = shapley(doubled, empty=EMPTY)
    assert found[0] == found[-1]
    order = np.random.default_rng(costs.shape[1]).permutation(doubled.shape[1])
    shuffled = shapley(doubled[:, order], empty=EMPTY)
    np.testing.assert_allclose(shuffled, found[order], rtol=1e-13, atol=1e-13)


def test_shapley_by_hand() -> None:
    # 100 are saved from empty to the worse solver and shared, 30 more by the better.
    assert shapley([[50.0, 80.0]], empty=180).tolist() == [80, 50]
    assert shapley([[50.0]], empty=180).tolist() == [130]
    assert shapley([[180.0, 180.0]], empty=180).tolist() == [0, 0]
    per_instance = shapley([[1.0], [1.0]], empty=[11.0, 21.0])
    assert per_instance.tolist() == [15]


def test_coverage_game() -> None:
    # Solved by both, by the first alone, by nobody.
    unsolved = [[0, 0], [0, 1], [1, 1]]
    assert shapley(unsolved, empty=1).tolist() == pytest.approx([0.5, 1 / 6])


def test_abc_paradox() -> None:
    """Amadini et al. 2023, section 2.2: a copy C of the better B makes A the winner."""
    times = np.ones((100, 3))
    solved = np.ones((100, 3), dtype=bool)
    times[0, 0], solved[0] = 200.0, [True, False, False]
    solved[1:, 0] = False
    par10 = Runs(times, solved, 1000.0).par(10)
    two = rmc(amc(par10[:, :2], empty=10_000)).values
    assert two[1] > two[0] > 0
    three = rmc(amc(par10, empty=10_000)).values
    assert three.tolist() == [1, 0, 0]
    vbs, without_a = (200 + 99) / 100, (10_000 + 99) / 100
    expected = pytest.approx(log10(without_a / vbs), rel=1e-13)
    assert amc(par10, empty=10_000).tolist() == [expected, 0, 0]
    # Shapley does not: B and C stay ahead of A.
    value = shapley(par10, empty=10_000)
    assert value[1] == value[2] > value[0]


@laws
@given(COSTS)
def test_vbs_without_each_solver(costs: Table) -> None:
    for s in range(costs.shape[1]):
        rest = np.delete(costs, s, axis=1)
        left = rest.min(axis=1).mean() if rest.size else EMPTY
        assert vbs_without(costs, empty=EMPTY)[s] == pytest.approx(left, abs=1e-12)


@laws
@given(COSTS)
def test_rmc_sums_to_one(costs: Table) -> None:
    contributions = amc(costs, empty=EMPTY)
    assert (contributions >= 0).all()
    share = rmc(contributions)
    if share.defined.all():
        assert share.values.sum() == pytest.approx(1)
    else:
        missed = contributions[contributions > 0]
        assert np.isinf(missed).any() or not len(missed)


def test_edges_of_rmc() -> None:
    nobody = rmc(amc([[5.0, 5.0]], empty=9))
    assert nobody.status.tolist() == [ScaleStatus.NO_SCALE] * 2
    assert amc([[0.0, 5.0]], empty=9).tolist() == [np.inf, 0]
    assert rmc([np.inf, 0]).to_list() == [None, None]
    assert amc([[0.0, 0.0]], empty=9).tolist() == [0, 0]
    assert amc([[1.0]], empty=10).tolist() == [pytest.approx(1)]


@pytest.mark.parametrize("costs", [[[np.nan]], [[np.inf, 1]], [1.0], np.ones((0, 2))])
def test_every_solver_needs_a_cost(costs: object) -> None:
    with pytest.raises(AslibError, match="cost"):
        shapley(costs, empty=1)  # type: ignore[arg-type]
