"""Bayesian tests as in baycomp 1.0.3 and by brute force; the linear model as in statsmodels."""

from __future__ import annotations

from math import inf, nan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aslib_eval.errors import AslibError
from aslib_eval.extensions.second_opinions import (
    PRIOR,
    RopePosterior,
    bayesian_signed_rank,
    block_anova,
    correlated_t,
    moments,
    resampled_mean,
)

MIXED = [0.03, -0.01, 0.02, 0.05, 0.00, 0.015, -0.02, 0.04, 0.01, 0.025]
TIES = [0, 0, 0, 0, 0.02, 0.03, -0.01, 0, 0.05, 0]
SPREAD = [5.0, -3.0, 8.0, 1.0, 2.5, -1.5, 4.0, 0.5, -6.0, 7.0, 3.0, 2.0]


def signed_rank(d: list[float], rope: float, draws: int = 40_000) -> RopePosterior:
    rng = np.random.default_rng(1)
    (found,) = bayesian_signed_rank(np.array(d, float), rope=rope, rng=rng, draws=draws)
    return found


def three(found: RopePosterior) -> tuple[float, float, float]:
    return found.better, found.equal, found.worse


# Found by its SignedRankTest of zeros and d with 200,000 draws and random_state 1: its own error is 0.001,
# ours with 40,000 draws 0.0025 at most.
@pytest.mark.parametrize(
    ("d", "expected"),
    [(MIXED, (0.9892, 0, 0.0108)), (TIES, (0.91364, 0, 0.08636)), (SPREAD, (0.95202, 0, 0.04798))],
)
def test_signed_rank_as_baycomp(d: list[float], expected: tuple[float, ...]) -> None:
    """With rope 0 the largest share is more than half; with others it need not be."""
    assert three(signed_rank(d, 0)) == pytest.approx(expected, abs=0.008)


# Found by its CorrelatedTTest of zeros and MIXED, as 10 folds and as twice 5.
@pytest.mark.parametrize(
    ("rope", "ratio", "better", "worse"),
    [
        (0, 1 / 9, 0.9274102189270739, 0.07258978107292613),
        (0, 1 / 4, 0.8766115526287841, 0.1233884473712159),
        (0.012, 1 / 9, 0.6503125083092769, 0.010505842005188672),
        (0.012, 1 / 4, 0.6180741819757649, 0.02916164890218803),
    ],
)
def test_correlated_t_as_baycomp(rope: float, ratio: float, better: float, worse: float) -> None:
    found = correlated_t(np.array(MIXED), test_to_train=ratio, rope=rope)
    equal = 1 - better - worse
    assert three(found) == pytest.approx((better, equal, worse), abs=1e-12)
    assert found.draws is None


def by_loops(d: list[int], rope: int, draws: int) -> list[float]:
    """Every pair of every draw, one by one, with the same weights."""
    rng = np.random.default_rng(1)
    first = rng.standard_gamma(PRIOR, draws)
    others = rng.standard_exponential((draws, len(d)))
    found = [0.0, 0.0, 0.0]
    values = [0, *d]
    for draw in range(draws):
        w = np.array([first[draw], *others[draw]])
        w /= w.sum()
        share = [0.0, 0.0, 0.0]
        for i, a in enumerate(values):
            for j, b in enumerate(values):
                edge = 0.5 * w[i] * w[j]
                for where, size in ((0, a + b), (2, -a - b)):
                    share[where] += edge * ((size > 2 * rope) + (size >= 2 * rope))
        for where in (0, 2):
            far = round(share[where] - 0.5, 12)
            found[where] += (0 if far < 0 else 1 if far > 0 else 0.5) / draws
    found[1] = 1 - found[0] - found[2]
    return found


@settings(max_examples=15, deadline=None)
@given(st.lists(st.integers(-3, 3), min_size=1, max_size=5), st.integers(0, 2))
def test_signed_rank_by_loops(d: list[int], rope: int) -> None:
    found = signed_rank(list(map(float, d)), rope, draws=20)
    assert three(found) == pytest.approx(by_loops(d, rope, 20), abs=1e-9)


def test_a_difference_on_the_edge_counts_half_whatever_its_last_bit() -> None:
    """0.03 - 0.01 is not 2 * 0.01 in binary; as whole numbers it is."""
    cents = [round(100 * value) for value in MIXED if round(100 * value, 9) % 1 == 0]
    shares = signed_rank([value / 100 for value in cents], 0.01, draws=500)
    whole = signed_rank([float(value) for value in cents], 1, draws=500)
    assert shares == whole


def test_the_same_seed_gives_the_same_answer_and_swapping_turns_it() -> None:
    """Columns see the same draws: the second is the first with its sign turned."""
    pair = np.column_stack([SPREAD, np.negative(SPREAD)])
    ask = {"rope": 1.0, "draws": 500}
    one = bayesian_signed_rank(pair, rng=np.random.default_rng(2), **ask)  # type: ignore[arg-type]
    again = bayesian_signed_rank(pair, rng=np.random.default_rng(2), **ask)  # type: ignore[arg-type]
    other = bayesian_signed_rank(pair, rng=np.random.default_rng(3), **ask)  # type: ignore[arg-type]
    assert one == again != other
    assert three(one[0]) == three(one[1])[::-1]


def test_what_is_certain() -> None:
    assert three(signed_rank([0, 0, 0], 0, 50)) == (0.5, 0, 0.5)
    assert three(signed_rank([0, 0, 0], 0.1, 50)) == (0, 1, 0)
    assert three(signed_rank([9.0] * 60, 1, 50)) == (1, 0, 0)
    same = np.array([0.2, 0.2])
    assert three(correlated_t(same, test_to_train=0.1, rope=0.1)) == (1, 0, 0)
    assert three(correlated_t(-same, test_to_train=0.1, rope=0.1)) == (0, 0, 1)
    assert three(correlated_t(same, test_to_train=0.1, rope=0.2)) == (0, 1, 0)
    assert three(correlated_t(0 * same, test_to_train=0.1, rope=0)) == (0.5, 0, 0.5)


@pytest.mark.parametrize("rope", [-1.0, nan, inf])
def test_no_region(rope: float) -> None:
    with pytest.raises(AslibError, match="is not the width"):
        signed_rank([1.0], rope)
    with pytest.raises(AslibError, match="is not the width"):
        correlated_t(np.array([1.0, 2.0]), test_to_train=0.1, rope=rope)


# --- the linear model, and resampled means

VALUES = np.array([[9.0, 11, 14], [7, 8, 13], [12, 13, 15], [5, 9, 10], [8, 12, 11], [10, 10, 16]])


def test_as_statsmodels() -> None:
    """anova_lm of y ~ C(system) + C(block); Tukey's by the squared fitted values."""
    found = block_anova(VALUES)
    assert (found["n"], found["k"], found["df"], found["df_error"]) == (6, 3, 2, 10)
    assert found["f"] == pytest.approx(17.411765, rel=1e-6)
    assert found["p"] == pytest.approx(0.000553, abs=1e-6)
    assert found["f_blocks"] == pytest.approx(5.817647, rel=1e-6)
    assert found["p_blocks"] == pytest.approx(0.008979, abs=1e-6)
    assert found["sd"] == pytest.approx(1.888889**0.5, rel=1e-6)
    assert found["additive_f"] == pytest.approx(0.19257714774625886)
    assert found["additive_p"] == pytest.approx(0.671126347360199)
    # scipy.stats: skew, kurtosis and jarque_bera of the residuals.
    assert found["skew"] == pytest.approx(0.0638030758290077)
    assert found["kurtosis"] == pytest.approx(-0.681799307958479)
    assert found["normal_p"] == pytest.approx(0.8349152052784574)
    assert found["spread_ratio"] == pytest.approx(2.529822128134703)
    # Eigenvalues of the doubly centred covariances.
    assert found["epsilon"] == pytest.approx(0.6230059498146073)
    assert found["p_epsilon"] == pytest.approx(0.00437535082013665)


def test_two_systems_are_the_paired_t_test() -> None:
    """F = t^2: differences -2, -1, -1, -4, -4, 0 have mean -2 and variance 14 / 5 ."""
    found = block_anova(VALUES[:, :2])
    d = VALUES[:, 0] - VALUES[:, 1]
    assert found["f"] == pytest.approx(d.mean() ** 2 / (d.var(ddof=1) / 6))
    assert found["epsilon"] == pytest.approx(1)
    assert found["spread_ratio"] == pytest.approx(1)


@pytest.mark.parametrize("scale", [1e-200, 1, 1e150])
def test_the_unit_does_not_matter(scale: float) -> None:
    found = block_anova(VALUES * scale)
    assert found["f"] == pytest.approx(17.411765, rel=1e-6)
    assert found["sd"] == pytest.approx(1.888889**0.5 * scale, rel=1e-6)


def test_nothing_is_left_over() -> None:
    """Systems differ by the same on every block: no residual, and no F."""
    found = block_anova(np.array([[1.0, 2], [3, 4], [5, 6]]))
    nothing = (found["f"], found["p"], found["epsilon"], found["additive_f"], found["spread_ratio"])
    assert nothing == (None,) * 5
    assert found["sd"] == 0
    assert (found["skew"], found["normal_p"]) == (None, None)


def test_multiplied_effects_are_not_additive() -> None:
    rng = np.random.default_rng(1)
    size = np.exp(rng.normal(0, 1, 30))
    values = size[:, None] * [1, 2, 4] + rng.normal(0, 0.01, (30, 3))
    found = block_anova(values)["additive_p"]
    assert found is not None
    assert found < 1e-6


def test_one_degree_of_freedom_is_left_of_two_systems_on_three_blocks() -> None:
    """By least squares with and without the product of the effects."""
    assert block_anova(np.array([[0.0, 2], [1, 2], [2, 7]]))["additive_f"] == pytest.approx(6.4533333)
    assert block_anova(np.array([[0.0, 2], [1, 2]]))["additive_f"] is None


def test_too_small_a_design() -> None:
    with pytest.raises(AslibError, match="3 systems on 1 units"):
        block_anova(np.zeros((1, 3)))


def test_moments() -> None:
    assert moments(np.array([3.0, 3, 3])) == (None, None)
    # Of 0, 0, 0, 4: variance 3, third moment 6, fourth 21.
    assert moments(np.array([0.0, 0, 0, 4])) == pytest.approx((6 / 3**1.5, 21 / 9 - 3))


def test_resampled_means_of_normal_and_of_skewed_differences() -> None:
    rng = np.random.default_rng(3)
    fair = resampled_mean(rng.normal(0, 1, 100), rng=np.random.default_rng(1))
    rare = resampled_mean(np.array([0.0] * 39 + [1]), rng=np.random.default_rng(1))
    again = resampled_mean(np.array([0.0] * 39 + [1]), rng=np.random.default_rng(1))
    assert fair.distance is not None
    assert fair.distance < 0.03
    assert fair.below == pytest.approx(0.025, abs=0.008)
    assert (np.diff(fair.means) >= 0).all()
    # Binomial(40, 1/40) / 40 has no mean 1.96 standard errors below its own.
    assert rare.below == 0
    assert rare.skew == pytest.approx((1 - 2 / 40) / (39 / 40) ** 0.5, abs=0.15)
    assert rare.distance is not None
    assert rare.distance > 0.2
    assert (rare.means == again.means).all()


def test_no_spread_has_no_shape() -> None:
    found = resampled_mean(np.array([2.0, 2]), rng=np.random.default_rng(1))
    assert (found.skew, found.distance, found.below) == (None, None, None)
    assert set(found.means) == {2}
    with pytest.raises(AslibError, match="1 differences"):
        resampled_mean(np.array([2.0]), rng=np.random.default_rng(1))
