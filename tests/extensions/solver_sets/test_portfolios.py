"""The best portfolios: literal ones, enumeration of all, mixed integer programs; and of a lake."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given as drawn
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, milp

from aslib_eval.analysis.results import LakeResults
from aslib_eval.database.open_lake import open_lake
from aslib_eval.errors import AslibError
from aslib_eval.extensions.solver_sets.analysis import portfolio, portfolio_notes, portfolios
from aslib_eval.extensions.solver_sets.metrics import best_portfolios
from aslib_eval.reports.sections import sections_of
from tests.figures.test_figures import dots, lines
from tests.lab import ACCURACY, OUT, GivenLake, runs
from tests.metrics.test_runs import laws

pytestmark = pytest.mark.usefixtures("opened_once")

Table = NDArray[np.float64]
COSTS = hnp.arrays(
    float, st.tuples(st.integers(1, 8), st.integers(1, 6)), elements=st.integers(0, 9).map(float)
)


def cost(costs: Table, members: tuple[int, ...]) -> float:
    return float(costs[:, members].min(axis=1).mean())


def test_greedy_takes_the_best_single_and_misses_the_best_pair() -> None:
    # C is best alone (2 each); A and B together cost nothing.
    costs = np.array([[0, 9, 2], [0, 9, 2], [9, 0, 2], [9, 0, 2]], float)
    one, two, three = best_portfolios(costs)
    assert (one.members, one.cost, one.greedy, one.greedy_cost) == ((2,), 2, (2,), 2)
    assert (two.members, two.cost) == ((0, 1), 0)
    assert (two.greedy, two.greedy_cost) == ((2, 0), 1)
    assert (three.members, three.cost, three.greedy) == ((0, 1, 2), 0, (2, 0, 1))
    assert all(portfolio.exact for portfolio in (one, two, three))
    assert [p.members for p in best_portfolios(costs, most=1)] == [(2,)]


def test_equal_and_dominated_algorithms_only_fill_up() -> None:
    costs = np.array([[5.0, 5, 1, 6], [5, 5, 9, 6]])
    found = best_portfolios(costs)
    assert [p.members for p in found] == [(0,), (0, 2), (0, 1, 2), (0, 1, 2, 3)]
    assert [p.cost for p in found] == [5, 3, 3, 3]


@laws
@drawn(COSTS)
def test_no_portfolio_of_the_size_is_better(costs: Table) -> None:
    n = costs.shape[1]
    found = best_portfolios(costs)
    assert len(found) == n
    for k, one in enumerate(found, start=1):
        least = min(cost(costs, some) for some in combinations(range(n), k))
        assert one.exact
        assert one.cost == pytest.approx(least, abs=1e-9)
        assert one.cost == pytest.approx(cost(costs, one.members))
        assert len(set(one.members)) == len(set(one.greedy)) == k
        assert one.greedy_cost == pytest.approx(cost(costs, one.greedy))
        # A submodular gain: greedy saves at least 1 - 1/e of what is best.
        worst = costs.max()
        assert worst - one.greedy_cost >= (1 - np.exp(-1)) * (worst - one.cost) - 1e-9


def by_milp(costs: Table, k: int) -> float:
    """The k-median problem as scipy's solver has it."""
    n, m = costs.shape
    cells = np.arange(n * m).reshape(n, m)
    served = np.zeros((n, n * m + m))
    served[np.arange(n)[:, None], cells] = 1
    open_ = np.zeros((n * m, n * m + m))
    open_[np.arange(n * m), np.arange(n * m)] = 1
    open_[np.arange(n * m), n * m + np.tile(np.arange(m), n)] = -1
    size = np.r_[np.zeros(n * m), np.ones(m)]
    found = milp(
        np.r_[costs.ravel() / n, np.zeros(m)],
        integrality=np.r_[np.zeros(n * m), np.ones(m)],
        bounds=Bounds(0, 1),
        constraints=[
            LinearConstraint(served, 1, 1),
            LinearConstraint(open_, -np.inf, 0),
            LinearConstraint(size, k, k),
        ],
    )
    return float(found.fun)


def test_of_equal_costs_the_first_is_taken_however_they_round() -> None:
    # The same times in another order: the last bits of their weighted sums differ.
    times = [0.1, 0.2, 0.3, 0.4, 0.7, 1.3]
    for seed in range(20):
        other = np.random.default_rng(seed).permutation(times)
        one, *_ = best_portfolios(np.column_stack([times, other]), most=1)
        assert (one.members, one.greedy) == ((0,), (0,))


def test_a_mixed_integer_program_says_the_same() -> None:
    costs = np.random.default_rng(1).gamma(0.3, 100, (30, 14))
    found = best_portfolios(costs)
    for k in (3, 5):
        assert found[k - 1].exact
        assert found[k - 1].cost == pytest.approx(by_milp(costs, k), rel=1e-6)


def test_what_is_not_proven_says_so() -> None:
    costs = np.random.default_rng(2).random((40, 20))
    proven = best_portfolios(costs, most=6)
    found = best_portfolios(costs, most=6, work=5 * costs.size)
    assert not all(one.exact for one in found)
    for one, best in zip(found, proven, strict=True):
        assert best.exact
        assert one.bound <= best.cost + 1e-12
        assert one.cost >= best.cost - 1e-12
        assert one.exact == (one.bound == one.cost)


# --- of a lake


def test_greedy_misses_the_best_pair(given: GivenLake) -> None:
    # PAR10 of C is 30 everywhere, of A and B 10 on two and 1000 on two.
    two = [10, 10, OUT, OUT]
    lake = given(runs(A=two, B=two[::-1], C=[30, 30, 30, 30]))
    found = portfolios(lake, most=2)
    columns = ["n", "k", "algorithms", "cost", "closed_gap", "exact"]
    assert found.select(columns).rows() == [(4, 1, "C", 30, 0, True), (4, 2, "A, B", 10, 1, True)]
    assert found.select("value", "greedy_value").rows() == [(None, None)] * 2
    columns = ["greedy", "greedy_cost", "greedy_loss", "n_left_out"]
    assert found.select(columns).rows() == [("C", 30, 0, 0), ("C, A", 20, 0.5, 0)]
    says = "the best 2 algorithms close 100 % of the gap to VBS. Fewer algorithms close less than 90 %"
    lost = "A greedy choice loses up to 50 % of the gap (with 2 algorithms)"
    assert portfolio_notes(found) == [f"S, default: {says}. {lost}."]


def test_qualities_take_part_and_gaps_may_be_undefined(given: GivenLake) -> None:
    lake = given(runs(A=[0.5, 0.9], B=[0.4, 0.8]), measures=ACCURACY)
    found = portfolios(lake)
    columns = ["algorithms", "cost", "closed_gap", "greedy_loss"]
    assert found.select(columns).rows() == [("A", -0.7, None, None), ("A, B", -0.7, None, None)]
    assert found.select("value", "greedy_value").rows() == [(0.7, 0.7)] * 2
    says = "S, default: the best single algorithm is as good as VBS."
    assert portfolio_notes(found) == [says]


def test_what_is_refused(given: GivenLake) -> None:
    lake = given(runs(A=[1, 2]))
    with pytest.raises(AslibError, match="no scenario has two algorithms"):
        portfolios(lake)
    with pytest.raises(AslibError, match="not at least one"):
        portfolios(lake, most=0)


def test_the_best_portfolios_stand_over_the_greedy_ones(toy: Path) -> None:
    (results,) = LakeResults(open_lake(toy)).scenarios
    chart = portfolio(results)
    assert chart is not None
    greedy, best = lines(chart)
    assert (greedy.name, best.name) == ("greedy", "best")
    assert [k for k, _ in best.points] == [1, 2, 3, 4]
    gaps = [gap for _, gap in best.points]
    assert (gaps[0], gaps[-1], gaps) == (0, 1, sorted(gaps))
    tip = dots(chart)[1].points[0][2]
    assert tip == "best of 1: 0 of the gap; drift"


def test_the_page_ends_its_contributions_with_them(toy: Path) -> None:
    (results,) = LakeResults(open_lake(toy)).scenarios
    (section,) = (s for s in sections_of(results) if s.id == "contributions")
    assert section.charts["portfolio"].title == "The best portfolio of each size"
    assert section.body.count('id="portfolio"') == 1
