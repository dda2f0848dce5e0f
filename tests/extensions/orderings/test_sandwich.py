"""Posteriors that know which comparisons come from one instance."""

from __future__ import annotations

import numpy as np
import pytest

from aslib_eval.errors import AslibError
from aslib_eval.extensions.orderings.analysis import SolverCosts, worths_by_pairs
from aslib_eval.extensions.orderings.metrics import choice_scores, pair_scores, spread_by_scores

T = 1000.0  # a timeout
LOGS = np.array([0.7, 0.1, -0.8])
COSTS = np.array([[1.0, 2, 3], [5, 1, T], [T, T, T], [np.nan, 4, 4], [2, T, np.nan]])
# Chances of a win of the first of each two, without draws.
P01, P02, P12 = (1 / (1 + np.exp(-d)) for d in (0.6, 1.5, 0.9))


def test_scores_of_pairs_without_draws() -> None:
    """Each win of an instance less its chance, from both sides."""
    costs = COSTS[[0, 1, 4]]
    assert pair_scores(costs, LOGS, 0.0)[:, :3].tolist() == [
        pytest.approx([2 - P01 - P02, P01 - P12, P02 + P12 - 2]),
        pytest.approx([1 - P01 - P02, 1 + P01 - 1 + 1 - P12, P02 + P12 - 2]),
        pytest.approx([1 - P01, P01 - 1, 0]),
    ]


def test_scores_of_draws() -> None:
    """Of two equal solvers a draw has the chance θ / (2 + θ): with θ = 1 a third."""
    found = pair_scores(np.array([[4.0, 4], [1, 2]]), np.zeros(2), 1.0)
    assert found.tolist() == [pytest.approx([0, 0, 2 / 3]), pytest.approx([0.5, -0.5, -1 / 3])]
    near = np.array([[1.0, 1.5]])
    for choice in ({"delta": 0.5}, {"delta": 0.5, "relative": True}):
        assert pair_scores(near, np.zeros(2), 1.0, **choice)[0, 2] > 0
    assert pair_scores(near, np.zeros(2), 1.0, delta=0.4, relative=True)[0, 2] < 0
    tied = pair_scores(near, np.zeros(2), 1.0, delta=0.6)
    assert tied.tolist() == [pytest.approx([0, 0, 2 / 3])]


def test_scores_of_choices() -> None:
    """Who is chosen gets 1, and each who was left its share of what was left."""
    a, b, c = np.exp(LOGS)
    finished = COSTS < T
    first, second, third = a / (a + b + c), b / (a + b + c), c / (a + b + c)
    assert choice_scores(COSTS, finished, LOGS).tolist() == [
        pytest.approx([1 - first, 1 - second - b / (b + c), -third - c / (b + c)]),
        pytest.approx([1 - first - a / (a + c), 1 - second, -third - c / (a + c)]),
        pytest.approx([0, 0, 0]),
        pytest.approx([0, 1 - 2 * b / (b + c), 1 - 2 * c / (b + c)]),
        pytest.approx([1 - a / (a + b), -b / (a + b), 0]),
    ]


def test_draws_are_as_far_apart_as_scores_say() -> None:
    rng = np.random.default_rng(1)
    drawn = rng.normal([1, 2], [0.5, 0.1], (200_000, 2))
    scores = np.tile([[6.0, 3], [-6, -3]], (250, 1))
    found = spread_by_scores(drawn, scores, rng=rng)
    # C J C of the one direction that the scores have is wider, the other stays.
    assert found.mean(axis=0).tolist() == pytest.approx([1, 2], abs=0.02)
    assert found[:, 0].std() == pytest.approx(0.25 * 6 * 500**0.5, rel=0.02)
    same = spread_by_scores(drawn, 0.001 * scores, rng=rng)
    assert same.std(axis=0).tolist() == pytest.approx([0.5, 0.1], rel=0.02)


def test_of_few_the_sum_of_scores_varies_more() -> None:
    """J of n scores is n times their variance, with n - 1 below it; a shift is none."""
    drawn = np.random.default_rng(3).normal(0, 1, (1000, 2))
    for scores, j in (([5.0, -5], 100), ([9.0, -1], 100), ([4.0, 2, 0], 12)):
        table = np.column_stack([scores, np.zeros(len(scores))])
        rng, same = np.random.default_rng(4), np.random.default_rng(4)
        found = spread_by_scores(drawn, table, rng=rng)[:, 0]
        scale = np.sqrt((len(scores) - 1) / same.chisquare(len(scores) - 1, 1000))
        inside = (found - drawn[:, 0].mean()) / scale
        assert inside.std() == pytest.approx(j**0.5, rel=0.06)


def test_a_tolerance_is_a_draw_of_the_pair_throughout() -> None:
    """Costs apart by less than delta give the draws that equal costs give."""
    rng = np.random.default_rng(5)
    cost = np.round(rng.uniform(10, 90, (12, 3)))
    cost[:4, 1] = cost[:4, 0]
    near = cost.copy()
    near[:4, 1] *= 1.04
    for delta, relative in ((4.0, False), (0.05, True)):
        made = [
            SolverCosts(
                ("", "", "", ""), ("a", "b", "c"), costs, costs < T, None,
                delta=delta, relative=relative,
            )
            for costs in (cost, near)
        ]  # fmt: skip
        one, two = (worths_by_pairs(each, rng=np.random.default_rng(6), draws=50) for each in made)
        assert (one == two).all()


def test_families_count_and_few_widen() -> None:
    rng = np.random.default_rng(2)
    drawn = rng.normal(0, 1, (100_000, 2))
    scores = np.tile([[1.0, 0], [1, 0], [-1, 0], [-1, 0]], (50, 1))
    pairs = np.repeat(np.arange(100), 2)
    alone = spread_by_scores(drawn, scores, rng=rng)[:, 0].std()
    assert alone == pytest.approx(200**0.5, rel=0.02)
    by_pair = spread_by_scores(drawn, scores, rng=rng, clusters=pairs)[:, 0].std()
    assert by_pair == pytest.approx(400**0.5, rel=0.02)
    two = spread_by_scores(drawn, 0 * scores[:4], rng=rng, clusters=pairs[:4])
    # A t with one degree of freedom: its quartiles are -1 and 1.
    low, high = np.quantile(two[:, 1], (0.25, 0.75))
    assert (low, high) == pytest.approx((-1, 1), abs=0.03)
    with pytest.raises(AslibError, match="one instance or family"):
        spread_by_scores(drawn, scores, rng=rng, clusters=0 * pairs)
