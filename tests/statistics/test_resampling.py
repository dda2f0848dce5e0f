"""The bootstrap against a plain loop; Fieller's interval of the closed gap by its definition."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from aslib_eval.errors import AslibError
from aslib_eval.statistics.distributions import average_ranks
from aslib_eval.statistics.means import (
    Draws,
    bootstrap,
    fieller,
    gap_after_rare_losses,
    gap_interval,
    instances_of_sbs,
    interval,
)

Floats = NDArray[np.float64]

COSTS = np.array([[1, 9, 4], [8, 2, 3], [7, 3, 3], [1, 6, 2.0]])  # a, b, selector
ENTRANTS = np.array([True, True, False])


def draw(costs: NDArray[np.float64] = COSTS, *, draws: int = 200, seed: int = 1) -> Draws:
    vbs = costs[:, ENTRANTS].min(axis=1)
    rng = np.random.default_rng(seed)
    return bootstrap(costs, vbs, ENTRANTS, draws=draws, rng=rng)


def test_the_first_row_is_the_data_itself() -> None:
    found = draw()
    assert found.cost[0].tolist() == [4.25, 5.0, 3.0]
    assert found.vbs_cost[0] == 1.75
    assert found.sbs[0] == 0
    assert found.closed_gap[0].tolist() == [0.0, -0.30000000000000004, 0.5]
    assert average_ranks(found.loss)[0].tolist() == [2, 3, 1]


def test_every_draw_is_what_a_loop_over_its_instances_gives() -> None:
    found = draw(draws=50)
    drawn = np.random.default_rng(1).integers(4, size=(50, 4))
    for row, instances in enumerate(drawn, start=1):
        sample = COSTS[instances]
        a, b, selector = sample.mean(axis=0)
        vbs = sample[:, :2].min(axis=1).mean()
        assert found.cost[row] == pytest.approx([a, b, selector])
        assert found.sbs[row] == (1 if b < a else 0)
        if min(a, b) > vbs:
            gap = (min(a, b) - selector) / (min(a, b) - vbs)
            assert found.closed_gap[row, 2] == pytest.approx(gap)
        else:
            assert np.isnan(found.closed_gap[row, 2])
    assert set(found.sbs) == {0, 1}
    assert np.isnan(found.closed_gap).any()


def test_sbs_scores_zero_and_vbs_one_in_every_draw() -> None:
    rng = np.random.default_rng(5)
    costs = rng.exponential(size=(40, 3))
    costs[:, 2] = costs[:, :2].min(axis=1)
    found = draw(costs)
    at = np.arange(201)
    assert set(found.closed_gap[at, found.sbs]) == {0.0}
    assert set(found.closed_gap[:, 2]) == {1.0}


def test_twins_stay_twins_in_every_draw() -> None:
    rng = np.random.default_rng(5)
    costs = rng.exponential(size=(37, 2))[:, [0, 1, 1]]
    found = draw(costs)
    rank = average_ranks(found.loss)
    assert (rank[:, 1] == rank[:, 2]).all()
    assert set(np.unique(rank)) == {1.0, 1.5, 2.5, 3.0}


def test_rows_of_one_group_are_drawn_as_one() -> None:
    costs = np.array([[0, 2.0], [0, 4.0], [6, 0.0]])
    vbs, entrants = np.zeros(3), np.array([True, True])
    groups = np.array([7, 7, 3])
    rng = np.random.default_rng(0)
    found = bootstrap(costs, vbs, entrants, draws=60, rng=rng, groups=groups)
    # None, one or both of two draws are the pair of rows.
    assert {tuple(row) for row in found.cost.tolist()} == {(6, 0), (2, 2), (0, 3)}


def test_another_criterion_chooses_sbs() -> None:
    vbs = COSTS[:, :2].min(axis=1)
    rng = np.random.default_rng(1)
    found = bootstrap(COSTS, vbs, ENTRANTS, draws=1, rng=rng, criterion=-COSTS)
    assert found.sbs[0] == 1


def test_a_solver_without_a_cost_has_no_gap_and_is_never_sbs() -> None:
    costs = COSTS.copy()
    costs[2, 0] = np.nan
    found = bootstrap(costs, COSTS.min(axis=1), ENTRANTS, draws=9, rng=np.random.default_rng(1))
    assert set(found.sbs) == {1}
    assert np.isnan(found.closed_gap[:, 0]).all()
    assert average_ranks(found.loss[:, 1:])[0].tolist() == [2, 1]


@pytest.mark.parametrize("costs", [np.empty((0, 3)), np.full((2, 3), np.nan)])
def test_nothing_to_draw(costs: NDArray[np.float64]) -> None:
    with pytest.raises(AslibError, match="nothing to draw"):
        draw(costs)


def test_interval_leaves_out_what_is_undefined() -> None:
    values = np.array([np.nan, *range(101)])
    assert interval(values, level=0.5) == (25.0, 75.0)
    assert np.isnan(interval(values[:1], level=0.9)).all()


# --- the closed gap

X = np.array([1.0, 0, 4, 2, 3, 0, 1, 5])
Y = np.array([2.0, 3, 9, 1, 6, 2, 4, 8])


@pytest.mark.parametrize("level", [0.8, 0.95])
def test_a_t_test_is_just_not_rejected_at_both_ends(level: float) -> None:
    (low,), (high,) = fieller(X[:, None], Y, level=level)
    assert low < X.mean() / Y.mean() < high
    for end in (low, high):
        p = stats.ttest_1samp(X - end * Y, 0).pvalue
        assert p == pytest.approx(1 - level)


def test_each_column_has_its_own_interval_whatever_its_size() -> None:
    both = fieller(np.stack([X, 2 * X], axis=1), Y, level=0.9)
    assert both[0][1] == pytest.approx(2 * both[0][0])
    assert both[1][1] == pytest.approx(2 * both[1][0])
    large = fieller(1e307 * X[:, None], 1e307 * Y, level=0.9)
    assert np.array(large) == pytest.approx(np.array([end[:1] for end in both]))


def test_a_denominator_that_may_be_zero_gives_no_ends() -> None:
    rare = np.array([0.0, 0, 0, 0, 0, 0, 0, 9])
    assert fieller(X[:, None], rare, level=0.95) == (-np.inf, np.inf)


def test_one_row_gives_no_ends_and_proportional_columns_a_point() -> None:
    assert fieller(X[:1, None], Y[:1], level=0.95) == (-np.inf, np.inf)
    assert fieller(Y[:, None] / 4, Y, level=0.95) == (0.25, 0.25)
    assert fieller(0 * Y[:, None], Y, level=0.95) == (0, 0)


# Columns: two algorithms, a selector; loss above VBS.
LOSS = np.array([[0.0, 3, 1], [2, 0, 0], [0, 5, 1], [4, 0, 1], [0, 1, 0], [1, 0, 1]])


def interval_of(
    loss: Floats, sbs: list[int], gaps: list[float], level: float = 0.5
) -> tuple[Floats, Floats]:
    drawn = np.repeat(np.array(gaps)[:, None], loss.shape[1], axis=1)
    return gap_interval(loss, drawn, np.array(sbs), level=level)


def test_the_interval_is_the_union_over_who_may_be_sbs() -> None:
    each = [fieller(LOSS[:, 2:], LOSS[:, one], level=0.5) for one in (0, 1)]
    alone = interval_of(LOSS, [0] * 101, [0.5] * 100)
    assert alone[0][2] == pytest.approx(1 - each[0][1][0])
    both = interval_of(LOSS, [0, 1] + [0] * 99, [0.5] * 100)
    assert both[0][2] == pytest.approx(1 - max(each[0][1][0], each[1][1][0]))
    assert both[1][2] == pytest.approx(1 - min(each[0][0][0], each[1][0][0]))
    rarely = interval_of(LOSS, [0, 1] + [0] * 199, [0.5] * 200)  # less than 1 %
    assert rarely[0][2] == alone[0][2]


def test_the_interval_holds_the_percentiles_too() -> None:
    low, high = interval_of(LOSS, [0] * 101, [-7.0] * 50 + [0.99] * 50)
    assert (low[2], high[2]) == (-7, 0.99)


def test_who_is_never_better_than_vbs_ends_at_one() -> None:
    better = LOSS.copy()
    better[:, 2] = [-9, -8, -9, -7, -9, -8]  # such as a presolver
    assert interval_of(better, [0] * 101, [0.5] * 100)[1][2] > 1
    assert interval_of(LOSS, [0] * 101, [0.5] * 100)[1][2] <= 1


def test_an_sbs_as_good_as_vbs_leaves_no_ends_but_one() -> None:
    loss = LOSS.copy()
    loss[:, 0] = 0
    low, high = interval_of(loss, [1, 0] + [1] * 99, [0.5] * 99 + [np.nan])
    assert (low[2], high[2]) == (-np.inf, 1)


def test_a_solver_without_cost_has_no_interval() -> None:
    loss = LOSS.copy()
    loss[0, 2] = np.nan
    low, high = interval_of(loss, [0] * 101, [0.5] * 100)
    assert np.isnan([low[2], high[2]]).all()
    assert np.isfinite([low[1], high[1]]).all()


def test_the_losses_of_what_is_drawn_as_one_are_added_up() -> None:
    costs = np.array([[1.0, 9], [8, 2], [7, 3], [1, 6]])
    found = bootstrap(
        costs,
        costs.min(axis=1),
        np.array([True, True]),
        draws=3,
        rng=np.random.default_rng(1),
        groups=np.array([0, 1, 1, 0]),
    )
    assert found.group_loss.tolist() == [[0, 13], [10, 0]]


# --- where an interval may not hold --------------------------------------------------


def test_three_more_of_the_largest_loss() -> None:
    # SBS loses 7 of all, the selector 4, the worst of an algorithm is 5.
    entrants = np.array([True, True, False])

    def found(low: list[float]) -> list[float]:
        gaps = gap_after_rare_losses(LOSS, 0, low=np.array(low), entrants=entrants)
        return [round(float(x), 9) for x in gaps]

    three = [1 - (9 + 3 * 5) / 7, 1 - (4 + 3 * 5) / 7]
    assert found([0, 0, 0])[1:] == pytest.approx(three)
    assert np.isnan(found([9, -1, -0.3])).all()  # and the SBS itself has gap 0


def test_the_largest_loss_is_of_the_algorithms_that_have_costs() -> None:
    loss, entrants = LOSS.copy(), np.array([True, True, False])
    loss[0, 1], loss[0, 2] = np.nan, 99
    gaps = gap_after_rare_losses(loss, 0, low=np.zeros(3), entrants=entrants)
    assert gaps[2] == pytest.approx(1 - (102 + 3 * 5) / 7)
    assert np.isnan(gaps[:2]).all()
    assert np.isnan(gap_after_rare_losses(LOSS * [0, 1, 1], 0, low=np.zeros(3), entrants=entrants)).all()


@pytest.mark.parametrize(
    ("losses", "expected"),
    [
        ([0, 2, 0, 4, 0, 1], 3),  # 6 of 7 are less than nine tenths
        ([90, 1, 1, 1, 1, 6], 1),
        ([90, 2, 2, 2, 2, 3], 2),
        ([5] * 10, 9),
        ([0, 0], 0),
    ],
)
def test_instances_that_tell_sbs_from_vbs(losses: list[float], expected: int) -> None:
    assert instances_of_sbs(np.array(losses)[:, None], 0) == expected
