"""Bradley-Terry, Plackett-Luce and Skillings-Mack, by published numbers and oracles; intervals."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import simpson
from scipy.stats import friedmanchisquare

from aslib_eval.errors import AslibError
from aslib_eval.extensions.orderings.analysis import SolverCosts, worths_by_pairs
from aslib_eval.extensions.orderings.metrics import (
    Choices,
    bradley_terry,
    bradley_terry_posterior,
    choice_scores,
    choices_of,
    draws,
    pair_scores,
    plackett_luce,
    plackett_luce_posterior,
    skillings_mack,
    spread_by_scores,
    wins,
)
from aslib_eval.metrics.ranking import ranks

NAN = np.nan
# Agresti 2002, Categorical Data Analysis, table 10.10: Milwaukee, Detroit, Toronto, New York, Boston,
# Cleveland, Baltimore; wins of the row, 13 games each pair.
BASEBALL = np.array(
    [
        [0, 7, 9, 7, 7, 9, 11],
        [6, 0, 7, 5, 11, 9, 9],
        [4, 6, 0, 7, 7, 8, 12],
        [6, 8, 6, 0, 6, 7, 10],
        [6, 2, 6, 7, 0, 7, 12],
        [4, 4, 5, 6, 6, 0, 6],
        [2, 4, 1, 3, 1, 7, 0],
    ],
    float,
)
# Davidson 1970, example 2: pairs of six puddings; preferred one, the other, none.
PUDDINGS = {
    (1, 2): (19, 22, 16), (1, 3): (16, 19, 12), (2, 3): (19, 19, 10),
    (1, 4): (18, 23, 13), (2, 4): (23, 19, 9), (3, 4): (19, 20, 15),
    (1, 5): (13, 19, 18), (2, 5): (16, 20, 12), (3, 5): (16, 15, 17),
    (4, 5): (17, 14, 16), (1, 6): (18, 21, 12), (2, 6): (22, 20, 12),
    (3, 6): (13, 18, 10), (4, 6): (14, 19, 18), (5, 6): (11, 21, 12),
}  # fmt: skip
# Skillings and Mack 1981, table 1: four methods of assembly, nine blocks.
ASSEMBLY = np.array(
    [
        [3.2, 4.1, 3.8, 4.2], [3.1, 3.9, 3.4, 4.0], [4.3, 3.5, 4.6, 4.8],
        [3.5, 3.6, 3.9, 4.0], [3.6, 4.2, 3.7, 3.9], [4.5, 4.7, 3.7, NAN],
        [NAN, 4.2, 3.4, NAN], [4.3, 4.6, 4.4, 4.9], [3.5, NAN, 3.7, 3.9],
    ]
)  # fmt: skip
# README of bbtcomp (Wainer): wins after ties are spread; and what its table_pwin says: mean chance of a
# win, chance that it is above .5, chance that it is from .45 to .55.
LEARNERS = ("lgbm", "svm", "rf", "dt", "knn")
LEARNERS_WON = {
    ("lgbm", "svm"): (12, 8), ("lgbm", "rf"): (11, 10), ("lgbm", "dt"): (18, 2),
    ("lgbm", "knn"): (13, 7), ("svm", "rf"): (7, 13), ("svm", "dt"): (14, 7),
    ("svm", "knn"): (13, 7), ("rf", "dt"): (15, 5), ("rf", "knn"): (13, 7),
    ("dt", "knn"): (7, 13),
}  # fmt: skip
LEARNERS_SAID = {
    ("lgbm", "rf"): (0.53, 0.66, 0.49), ("lgbm", "svm"): (0.62, 0.96, 0.16),
    ("lgbm", "knn"): (0.68, 1.00, 0.02), ("lgbm", "dt"): (0.79, 1.00, 0.00),
    ("rf", "svm"): (0.59, 0.90, 0.26), ("rf", "knn"): (0.66, 0.99, 0.05),
    ("rf", "dt"): (0.77, 1.00, 0.00), ("svm", "knn"): (0.57, 0.85, 0.33),
    ("svm", "dt"): (0.69, 1.00, 0.02), ("knn", "dt"): (0.63, 0.97, 0.11),
}  # fmt: skip


def all_finished(costs: np.ndarray) -> Choices:
    return choices_of(costs, np.isfinite(costs))


def test_baseball_is_as_published() -> None:
    # Agresti 2002, table 10.11, without home advantage: log-worths above Baltimore's; four decimals as
    # BradleyTerry2 prints them.
    worths = bradley_terry(BASEBALL, np.zeros((7, 7)), pseudo=0).worths
    logs = np.log(worths / worths[-1])
    published = [1.5814, 1.4364, 1.2945, 1.2476, 1.1077, 0.6839, 0]
    assert logs.round(4).tolist() == published


def test_puddings_are_as_published() -> None:
    won, drawn = np.zeros((6, 6)), np.zeros((6, 6))
    for (one, two), (first, second, none) in PUDDINGS.items():
        won[one - 1, two - 1], won[two - 1, one - 1] = first, second
        drawn[one - 1, two - 1] = drawn[two - 1, one - 1] = none
    found = bradley_terry(won, drawn, pseudo=0)
    # Davidson 1970, as the vignette of PlackettLuce has it, and its log-worths above the first one's; it
    # stops after seven steps, so their last digit is another.
    published = [0.1388, 0.1730, 0.1617, 0.1654, 0.1587, 0.2024]
    assert found.worths.round(4).tolist() == published
    assert round(found.tie, 4) == 0.7468
    logs = np.log(found.worths / found.worths[0])
    vignette = [0.0, 0.2202, 0.1530, 0.1753, 0.1339, 0.3771]
    assert logs.tolist() == pytest.approx(vignette, abs=2e-4)
    assert np.log(found.tie) == pytest.approx(-0.2919, abs=6e-5)


def test_learners_are_as_published() -> None:
    won = np.zeros((5, 5))
    for (one, two), (first, second) in LEARNERS_WON.items():
        at = LEARNERS.index(one), LEARNERS.index(two)
        won[at], won[at[::-1]] = first, second
    rng = np.random.default_rng(1)
    worths, ties = bradley_terry_posterior(won, 0 * won, rng=rng, draws=20_000)
    assert (ties == 0).all()
    for (one, two), said in LEARNERS_SAID.items():
        a, b = worths[:, LEARNERS.index(one)], worths[:, LEARNERS.index(two)]
        chance = a / (a + b)
        inside = (chance >= 0.45) & (chance <= 0.55)
        found = chance.mean(), (chance > 0.5).mean(), inside.mean()
        assert found == pytest.approx(said, abs=0.015), (one, two)


def test_two_solvers_with_draws_equal_quadrature() -> None:
    """The posterior of a difference d, of log θ and of the deviation, on a grid."""
    won, drawn = np.array([[0.0, 7.0], [3.0, 0.0]]), np.array([[0.0, 4.0], [4.0, 0.0]])
    rng = np.random.default_rng(2)
    worths, ties = bradley_terry_posterior(won, drawn, rng=rng, draws=40_000)
    d, t, s = np.meshgrid(
        np.linspace(-4, 6, 121), np.linspace(-4, 4, 121), np.linspace(-2.5, 2.5, 101),
        indexing="ij",
    )  # fmt: skip
    theta, sigma = np.exp(t), np.exp(s)
    log = 7 * d / 2 - 3 * d / 2 + 4 * t
    log -= 14 * np.log(2 * np.cosh(d / 2) + theta)
    log -= d**2 / (4 * sigma**2) + np.log(sigma) + t**2 / 2 + s**2 / (2 * 0.25)
    density = np.exp(log - log.max())

    def mean(values: np.ndarray) -> float:
        of = [values * density, density]
        over = [simpson(simpson(simpson(f))) for f in of]
        return float(over[0] / over[1])

    assert worths[:, 0].mean() == pytest.approx(mean(1 / (1 + np.exp(-d))), abs=0.004)
    assert worths[:, 0].var() + worths[:, 0].mean() ** 2 == pytest.approx(
        mean(1 / (1 + np.exp(-d)) ** 2), abs=0.004
    )
    assert np.log(ties).mean() == pytest.approx(mean(t), abs=0.02)


def test_who_never_loses_has_a_finite_worth_with_pseudo_wins() -> None:
    won = np.array([[0.0, 5.0], [0.0, 0.0]])
    assert bradley_terry(won, 0 * won).worths.tolist() == pytest.approx(
        # Of n wins and no loss: each has 5.5 to .5 and .5 to 5.5 in sums that match.
        plackett_luce(all_finished(np.array([[1.0, 2.0]] * 5))).tolist()
    )
    with pytest.raises(AslibError, match="never lose"):
        bradley_terry(won, 0 * won, pseudo=0)


def as_orders(won: np.ndarray) -> np.ndarray:
    """A row of costs for each win: 1 of the winner, 2 of the loser."""
    rows = []
    for one, two in np.argwhere(won > 0):
        row = np.full(len(won), NAN)
        row[one], row[two] = 1, 2
        rows += [row] * int(won[one, two])
    return np.array(rows)


def test_plackett_luce_of_pairs_is_bradley_terry() -> None:
    worths = plackett_luce(all_finished(as_orders(BASEBALL)), pseudo=0)
    logs = np.log(worths / worths[-1])
    assert logs.round(2).tolist() == [1.58, 1.44, 1.29, 1.25, 1.11, 0.68, 0]


ORDERS = np.array([[1, 2, 3], [1, 3, 2], [2, 1, 3], [3, 1, 2], [1, 2, 3]], float)


def log_likelihood(orders: np.ndarray, worths: np.ndarray) -> np.ndarray:
    """Of full orders, in the words of the definition; worths: (…, n)."""
    total = np.zeros(worths.shape[:-1])
    for row in orders:
        left = list(np.argsort(row))
        while left:
            total += np.log(worths[..., left[0]] / worths[..., left].sum(axis=-1))
            del left[0]
    return total


def simplex(grid: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Worths of three that sum to 1, and where they do."""
    a, b = np.meshgrid(grid, grid)
    c = 1 - a - b
    inside = c > 1e-6
    return np.stack([a, b, np.where(inside, c, 1.0)], axis=-1), inside


def test_plackett_luce_is_most_likely() -> None:
    found = plackett_luce(all_finished(ORDERS), pseudo=0)
    worths, inside = simplex(np.linspace(0.002, 0.996, 498))
    values = np.where(inside, log_likelihood(ORDERS, worths), -np.inf)
    best = worths[np.unravel_index(values.argmax(), values.shape)]
    assert found.tolist() == pytest.approx(best.tolist(), abs=0.002)
    assert log_likelihood(ORDERS, found) >= values.max()


def test_the_posterior_of_plackett_luce_equals_quadrature() -> None:
    rng = np.random.default_rng(4)
    drawn = plackett_luce_posterior(all_finished(ORDERS), rng=rng, draws=20_000)
    worths, inside = simplex((np.arange(400) + 0.5) / 400)
    a, b, c = np.moveaxis(worths, -1, 0)
    density = np.where(inside, np.exp(log_likelihood(ORDERS, worths)), 0)
    density /= density.sum()
    means = [(worths[..., s] * density).sum() for s in range(3)]
    assert drawn.mean(axis=0).tolist() == pytest.approx(means, abs=0.006)
    best = density[(a > b) & (a > c)].sum()
    assert (drawn.argmax(axis=1) == 0).mean() == pytest.approx(best, abs=0.015)


def test_timeouts_are_behind_and_say_nothing_of_each_other() -> None:
    costs = np.array([[1.0, 100.0, 100.0], [5.0, 2.0, 100.0], [7.0, NAN, 3.0]])
    finished = np.array([[1, 0, 0], [1, 1, 0], [1, 0, 1]], bool)
    choices = choices_of(costs, finished)
    # 0 of all; 1 of all, then 0 of 0 and 2; 2 of 0 and 2; 0 alone is no choice.
    assert choices.chosen.tolist() == [2, 1, 1]
    found = {tuple(row): n for row, n in zip(choices.left, choices.times, strict=True)}
    assert found == {(1, 1, 1): 2, (1, 0, 1): 2}


def test_who_never_finishes_is_worth_nothing_without_pseudo_wins() -> None:
    costs = np.array([[1.0, 9.0, 2.0], [2.0, 9.0, 1.0]])
    found = plackett_luce(choices_of(costs, costs < 9), pseudo=0)
    assert found.tolist() == pytest.approx([0.5, 0, 0.5])
    none = plackett_luce(choices_of(costs, costs < 0), pseudo=0)
    assert none.tolist() == pytest.approx([1 / 3] * 3)


def test_assembly_is_as_published() -> None:
    # Skillings and Mack 1981; the package Skillings.Mack prints 15.493049 and 0.001440.
    found = skillings_mack(ASSEMBLY)
    assert round(found.statistic, 6) == 15.493049
    assert round(found.p, 6) == 0.001440
    assert (found.df, found.n) == (3, 9)
    assert found.means.argsort().tolist() == [0, 2, 1, 3]


def test_without_missing_results_it_is_friedman() -> None:
    costs = np.random.default_rng(5).normal(size=(12, 4))
    found = skillings_mack(costs)
    friedman = friedmanchisquare(*costs.T)
    assert found.statistic == pytest.approx(friedman.statistic)
    assert found.p == pytest.approx(friedman.pvalue)


def test_who_meets_nobody_has_no_rank() -> None:
    costs = np.array([[1.0, 2.0, NAN], [2.0, 3.0, NAN], [NAN, NAN, 1.0]])
    found = skillings_mack(costs)
    assert found.means.tolist() == pytest.approx([-1.0, 1.0, NAN], nan_ok=True)
    assert (found.df, found.n) == (1, 2)
    with pytest.raises(AslibError, match="no instance has two solvers"):
        skillings_mack(costs[2:])


@given(st.integers(0, 10_000))
def test_of_whole_tables_pairs_and_mean_ranks_order_as_wins(seed: int) -> None:
    costs = np.random.default_rng(seed).integers(0, 4, (9, 4)).astype(float)
    won = wins(costs)
    drawn = draws(costs, won)
    points = won.sum(axis=1) + drawn.sum(axis=1) / 2
    by_pairs = bradley_terry(won.astype(float), drawn.astype(float)).worths
    means = skillings_mack(costs).means
    own = [
        ranks(values, higher_is_better=better, tolerance=1e-6).tolist()
        for values, better in ((points, True), (np.log(by_pairs), True), (means, False))
    ]
    for one, two in pairwise(own):
        assert one == two


# --- posteriors that know which comparisons come from one instance

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
