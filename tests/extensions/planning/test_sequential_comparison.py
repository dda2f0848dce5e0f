"""Sequential comparison: what it promises by enumeration and simulation, and bets."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from aslib_eval.errors import AslibError
from aslib_eval.extensions.planning.experiment import (
    BETS,
    StoppedComparison,
    log_wealth,
    peeking_test,
    sampling_order,
    sequential_test,
)

Values = NDArray[np.float64]


def decided(gains: Values, order: NDArray[np.intp], odds: Values, **more: float) -> StoppedComparison:
    n = len(gains)
    return sequential_test(
        gains[order],
        lower=np.full(n, -1.0),
        upper=np.full(n, 1.0),
        weights=odds[order],
        **more,  # type: ignore[arg-type]
    )


@settings(max_examples=25)
@given(
    st.lists(st.integers(-4, 4), min_size=4, max_size=5),
    st.lists(st.integers(1, 6), min_size=5, max_size=5),
    st.sampled_from([0.3, 0.6]),
)
def test_over_all_orders_the_worse_is_named_with_no_more_than_alpha(
    gains: list[int], weights: list[int], alpha: float
) -> None:
    values = np.array(gains) / 4
    odds = np.array(weights[: len(gains)], float)
    truth = int(np.sign(values.sum()))
    wrong = mass = 0.0
    for order in permutations(range(len(gains))):
        left = np.cumsum(odds[list(order)][::-1])[::-1]
        chance = float(np.prod(odds[list(order)] / left))
        found = decided(values, np.array(order), odds, alpha=alpha)
        mass += chance
        wrong += chance * (found.better != truth)
        if found.reason != "error":
            assert found.better == truth
    assert mass == pytest.approx(1)
    assert wrong <= alpha + 1e-12


def level(draw: str, weighted: bool, rng: np.random.Generator) -> tuple[float, float]:  # noqa: FBT001
    """Shares of wrong decisions of the bets and of peeking, of 400 comparisons."""
    wrong = np.zeros(2)
    for _ in range(400):
        noise = rng.normal(size=40)
        gains = np.tanh(np.concatenate([noise, -noise] if draw == "tie" else [noise]))
        odds = np.abs(gains) + 0.2 if weighted else np.ones(len(gains))
        order = sampling_order(odds, rng=rng)
        total = 0 if draw == "tie" else int(np.sign(gains.sum()))
        found = decided(gains, order, odds, alpha=0.1)
        plain = rng.permutation(len(gains))
        wrong += [found.better != total, peeking_test(gains[plain], alpha=0.1).better != total]
    return float(wrong[0] / 400), float(wrong[1] / 400)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("draw", ["tie", "noise"])
def test_two_identical_solvers_with_noise(draw: str, weighted: bool) -> None:  # noqa: FBT001
    # Standard error of a share of 400 at 0.1: 0.015.
    bets, peeking = level(draw, weighted, np.random.default_rng(5))
    assert bets <= 0.1
    if draw == "tie":  # the hardest case: the total is exactly 0
        assert peeking > 0.2


def test_a_clear_winner_is_seen_early() -> None:
    gains = np.tile([0.9, 0.7, 0.8, 0.6], 50)
    odds = np.ones(200)
    found = decided(gains, np.arange(200), odds)
    assert (found.better, found.reason) == (1, "error")
    assert found.n_run < 20
    assert decided(-gains, np.arange(200), odds).better == -1


def test_a_good_guess_stops_earlier() -> None:
    known = {"lower": np.full(400, -1.0), "upper": np.full(400, 1.0)}
    n_run = []
    for seed in range(10):
        rng = np.random.default_rng(seed)
        gains = rng.permutation(np.repeat([0.9, -0.7], 200))
        guesses = (np.zeros(400), 0.9 * gains)
        found = [sequential_test(gains, expected=e, **known) for e in guesses]
        assert [one.better for one in found] == [1, 1]
        n_run.append([one.n_run for one in found])
    plain, guessed = np.mean(n_run, axis=0)
    assert guessed < 0.7 * plain


def test_each_side_errs_with_half_of_alpha() -> None:
    """It stops when the wealth is 2 / 0.05 = 40, not at 20."""
    gains, known = np.full(200, 0.1), np.full(200, 1.0)
    found = sequential_test(gains, lower=-known, upper=known, alpha=0.05)
    wealth = np.exp(log_wealth(gains, -known, known, np.zeros(200)))
    assert wealth[found.n_run - 1] >= 40 > wealth[found.n_run - 2] > 20


def test_what_is_left_cannot_change_it() -> None:
    # After three wins of four by one each, one loss is left.
    found = sequential_test([1.0, 1, 1, -1, 0], lower=[-1] * 5, upper=[1] * 5, alpha=0.001)
    assert found == StoppedComparison(3, 1, "certain")
    # An incumbent that never solves cannot win.
    found = sequential_test([0.0, 1, 0], lower=[0] * 3, upper=[1] * 3, alpha=0.001)
    assert found == StoppedComparison(2, 1, "certain")


def test_all_equal_runs_to_the_end() -> None:
    known = {"lower": np.full(30, -1.0), "upper": np.full(30, 1.0)}
    assert sequential_test(np.zeros(30), **known) == StoppedComparison(30, 0, "end")
    assert peeking_test(np.zeros(30)) == StoppedComparison(30, 0, "end")
    assert sequential_test([0.5], lower=[-1], upper=[1]) == StoppedComparison(1, 1, "end")


def test_the_wealth_is_that_of_bets_one_by_one() -> None:
    rng = np.random.default_rng(3)
    gain, odds = rng.uniform(-1, 1, 12), rng.uniform(0.5, 2, 12)
    guess, least = rng.uniform(-0.5, 0.5, 12), np.full(12, -1.0)
    wealth = dict.fromkeys(BETS, 0.3 / 12)
    following, gains, squares = 0.7, 1.0, 2.0
    for t in range(12):
        left = odds[t:].sum()
        known = gain[:t].sum() + guess[t:].sum()
        draws = known + (gain[t] - guess[t]) * left / odds[t]
        low = known + ((least - guess) * left / odds)[t:].min()
        for bet in wealth:
            wealth[bet] *= 1 + bet * draws / -low
        bet = min(max(gains / squares, 0), 0.95)  # knows the draws before this one
        following *= 1 + bet * draws / -low
        gains, squares = gains + draws / -low, squares + (draws / low) ** 2
        found = log_wealth(gain, least, odds, guess)[t]
        assert found == pytest.approx(np.log(sum(wealth.values()) + following))


def test_orders_prefer_heavy_weights_and_come_again() -> None:
    odds = np.array([1.0, 1, 8])
    first = [sampling_order(odds, rng=np.random.default_rng(seed))[0] for seed in range(500)]
    assert np.mean(np.array(first) == 2) == pytest.approx(0.8, abs=0.06)
    again = [sampling_order(odds, rng=np.random.default_rng(7)) for _ in range(2)]
    assert again[0].tolist() == again[1].tolist()


def test_what_is_refused() -> None:
    with pytest.raises(AslibError, match="not within its bounds"):
        sequential_test([2.0], lower=[-1], upper=[1])
    with pytest.raises(AslibError, match="between 0 and 1"):
        sequential_test([0.0], lower=[-1], upper=[1], alpha=1)
    with pytest.raises(AslibError, match="as many bounds"):
        sequential_test([0.0], lower=[-1, 0], upper=[1])
    with pytest.raises(AslibError, match="above 0"):
        sampling_order([1.0, 0.0], rng=np.random.default_rng(1))
