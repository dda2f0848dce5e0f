"""Intervals of the closed gap: Fieller's against his own definition, and the union."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from aslib_eval.statistics.means import bootstrap, fieller, gap_interval, instances_of_sbs, one_worse

Numbers = NDArray[np.float64]
X = np.array([1.0, 0, 4, 2, 3, 0, 1, 5])
Y = np.array([2.0, 3, 9, 1, 6, 2, 4, 8])


@pytest.mark.parametrize("level", [0.8, 0.95])
def test_a_t_test_is_just_not_rejected_at_both_ends(level: float) -> None:
    (low,), (high,) = fieller(X[:, None], Y, level=level)
    assert low < X.mean() / Y.mean() < high
    for end in (low, high):
        p = stats.ttest_1samp(X - end * Y, 0).pvalue
        assert p == pytest.approx(1 - level)


def test_each_column_has_its_own_interval() -> None:
    both = fieller(np.stack([X, 2 * X], axis=1), Y, level=0.9)
    assert both[0][1] == pytest.approx(2 * both[0][0])
    assert both[1][1] == pytest.approx(2 * both[1][0])


def test_large_numbers_have_the_same_interval() -> None:
    large = fieller(1e307 * X[:, None], 1e307 * Y, level=0.9)
    assert np.array(large) == pytest.approx(np.array(fieller(X[:, None], Y, level=0.9)))


def test_a_denominator_that_may_be_zero_gives_no_ends() -> None:
    rare = np.array([0.0, 0, 0, 0, 0, 0, 0, 9])
    assert fieller(X[:, None], rare, level=0.95) == (-np.inf, np.inf)


def test_one_row_gives_no_ends_and_proportional_columns_a_point() -> None:
    assert fieller(X[:1, None], Y[:1], level=0.95) == (-np.inf, np.inf)
    assert fieller(Y[:, None] / 4, Y, level=0.95) == (0.25, 0.25)
    assert fieller(0 * Y[:, None], Y, level=0.95) == (0, 0)


# Columns: two algorithms, a selector; loss above VBS.
LOSS = np.array([[0.0, 3, 1], [2, 0, 0], [0, 5, 1], [4, 0, 1], [0, 1, 0], [1, 0, 1]])


def interval(
    loss: Numbers, sbs: list[int], gaps: list[float], level: float = 0.5
) -> tuple[Numbers, Numbers]:
    drawn = np.repeat(np.array(gaps)[:, None], loss.shape[1], axis=1)
    return gap_interval(loss, drawn, np.array(sbs), level=level)


def test_the_interval_is_the_union_over_who_may_be_sbs() -> None:
    each = [fieller(LOSS[:, 2:], LOSS[:, one], level=0.5) for one in (0, 1)]
    alone = interval(LOSS, [0] * 101, [0.5] * 100)
    assert alone[0][2] == pytest.approx(1 - each[0][1][0])
    both = interval(LOSS, [0, 1] + [0] * 99, [0.5] * 100)
    assert both[0][2] == pytest.approx(1 - max(each[0][1][0], each[1][1][0]))
    assert both[1][2] == pytest.approx(1 - min(each[0][0][0], each[1][0][0]))
    rarely = interval(LOSS, [0, 1] + [0] * 199, [0.5] * 200)  # less than 1 %
    assert rarely[0][2] == alone[0][2]


def test_the_interval_holds_the_percentiles_too() -> None:
    low, high = interval(LOSS, [0] * 101, [-7.0] * 50 + [0.99] * 50)
    assert (low[2], high[2]) == (-7, 0.99)


def test_who_is_never_better_than_vbs_ends_at_one() -> None:
    better = LOSS.copy()
    better[:, 2] = [-9, -8, -9, -7, -9, -8]  # such as a presolver
    assert interval(better, [0] * 101, [0.5] * 100)[1][2] > 1
    assert interval(LOSS, [0] * 101, [0.5] * 100)[1][2] <= 1


def test_an_sbs_as_good_as_vbs_leaves_no_ends_but_one() -> None:
    loss = LOSS.copy()
    loss[:, 0] = 0
    low, high = interval(loss, [1, 0] + [1] * 99, [0.5] * 99 + [np.nan])
    assert (low[2], high[2]) == (-np.inf, 1)


def test_a_solver_without_cost_has_no_interval() -> None:
    loss = LOSS.copy()
    loss[0, 2] = np.nan
    low, high = interval(loss, [0] * 101, [0.5] * 100)
    assert np.isnan([low[2], high[2]]).all()
    assert np.isfinite([low[1], high[1]]).all()


def test_it_covers_where_percentiles_do_not() -> None:
    # Two algorithms of one distribution, and a selector right on 70 %: gap 0.4.
    rng = np.random.default_rng(3)
    hits = {"percentile": 0, "union": 0}
    for _ in range(150):
        costs = np.exp(rng.normal(0, 1.2, (25, 2)))
        pick = np.where(rng.random(25) < 0.7, costs.argmin(axis=1), costs.argmax(axis=1))
        table = np.column_stack([costs, costs[np.arange(25), pick]])
        drawn = bootstrap(table, costs.min(axis=1), np.array([True, True, False]), draws=200, rng=rng)
        gaps = drawn.closed_gap[1:]
        ends = np.nanquantile(gaps[:, 2], [0.025, 0.975])
        low, high = gap_interval(drawn.group_loss, gaps, drawn.sbs, level=0.95)
        hits["percentile"] += bool(ends[0] <= 0.4 <= ends[1])
        hits["union"] += bool(low[2] <= 0.4 <= high[2])
    assert hits["percentile"] < 137 < hits["union"]  # 137 of 150 are 91 %


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


def test_one_more_of_the_largest_loss() -> None:
    # SBS loses 7 of all, the selector 4, the worst of an algorithm is 5.
    entrants = np.array([True, True, False])

    def found(low: list[float]) -> list[float]:
        gaps = one_worse(LOSS, 0, low=np.array(low), entrants=entrants)
        return [round(float(x), 9) for x in gaps]

    outside = [1 - 14 / 7, 1 - 9 / 7]
    assert found([0, 0, 0])[1:] == pytest.approx(outside)
    assert np.isnan(found([9, -1, -0.3])).all()  # and the SBS itself has gap 0


def test_one_more_of_the_largest_loss_is_of_the_algorithms_that_have_costs() -> None:
    loss, entrants = LOSS.copy(), np.array([True, True, False])
    loss[0, 1], loss[0, 2] = np.nan, 99
    gaps = one_worse(loss, 0, low=np.zeros(3), entrants=entrants)
    assert gaps[2] == pytest.approx(1 - (102 + 5) / 7)
    assert np.isnan(gaps[:2]).all()


def test_no_gap_no_more() -> None:
    loss = LOSS * [0, 1, 1]
    entrants = np.array([True, True, False])
    assert np.isnan(one_worse(loss, 0, low=np.zeros(3), entrants=entrants)).all()


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


def test_misses_are_where_one_more_would_lead_out() -> None:
    """The rule of docs/statistics/: a selector that misses one instance in 100."""
    rng = np.random.default_rng(5)
    covered: dict[bool, list[bool]] = {False: [], True: []}
    for _ in range(100):
        hard, missed = rng.random((2, 100)) < [[0.3], [0.01]]
        other = rng.exponential(20, 100)
        loss = np.column_stack([1000.0 * hard, 600 + other, other * 0.1])
        loss[missed, 2] = 1000
        right = 1 - (0.99 * 2 + 0.01 * 1000) / 300
        gaps = np.full((2, 3), 1 - loss[:, 2].sum() / loss[:, 0].sum())
        low, high = gap_interval(loss, gaps, np.zeros(3, int), level=0.95)
        entrants = np.array([True, True, False])
        worse = one_worse(loss, 0, low=low, entrants=entrants)[2]
        covered[not np.isnan(worse)].append(bool(low[2] <= right <= high[2]))
    assert np.mean(covered[False]) > 0.95
    assert np.mean(covered[True]) < 0.1
    assert len(covered[True]) > 20
