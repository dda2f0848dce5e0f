"""Each test on a few numbers, against brute force, and by the laws it must obey."""

from __future__ import annotations

from itertools import permutations, product
from math import inf, sqrt
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from aslib_eval.errors import AslibError
from aslib_eval.statistics import distributions
from aslib_eval.statistics.distributions import average_ranks, paired_differences, rounded, tied_cubes
from aslib_eval.statistics.friedman import (
    adjust,
    cliques,
    critical_difference,
    critical_value,
    dunn,
    friedman,
    levels,
    nemenyi,
    rank_error,
    rank_systems,
    scott_knott_blocked,
)
from aslib_eval.statistics.paired import (
    corrected_resampled_t,
    hodges_lehmann,
    magnitude,
    null_distribution,
    paired_t,
    sign_test,
    signed_rank,
    superiority,
    win_share,
)
from tests.oracles import scott_knott

Values = st.lists(st.integers(-4, 4), min_size=1, max_size=9)


def array(*values: float) -> np.ndarray:
    return np.array(values, float)


def close(value: Any) -> Any:
    return pytest.approx(value, rel=1e-12, abs=1e-12)


# --- distributions ----------------------------------------------------------------


def test_distributions_are_those_of_scipy() -> None:
    assert distributions.normal_sf(1.5) == close(stats.norm.sf(1.5))
    assert distributions.normal_quantile(0.9) == close(stats.norm.ppf(0.9))
    assert distributions.t_sf(1.5, 4) == close(stats.t.sf(1.5, 4))
    assert distributions.t_quantile(0.9, 4) == close(stats.t.ppf(0.9, 4))
    assert distributions.noncentral_t_sf(2, 4, 1.5) == pytest.approx(stats.nct.sf(2, 4, 1.5))
    assert distributions.f_sf(2.5, 3, 7) == close(stats.f.sf(2.5, 3, 7))
    assert distributions.chi2_sf(2.5, 3) == close(stats.chi2.sf(2.5, 3))
    assert distributions.chi2_quantile(0.9, 3) == close(stats.chi2.ppf(0.9, 3))
    assert distributions.beta_quantile(0.3, 2, 5) == close(stats.beta.ppf(0.3, 2, 5))
    assert (distributions.beta_quantile(0.3, 0, 5), distributions.beta_quantile(0.3, 2, 0)) == (0, 1)


def test_heads_of_three_coins() -> None:
    assert [distributions.coin_sf(heads, 3) for heads in range(4)] == close([1, 7 / 8, 1 / 2, 1 / 8])


def test_the_range_of_two_normals_is_a_normal_difference() -> None:
    """P(|Z1 - Z2| > q) = 2 P(Z > q / sqrt 2)."""
    q = 2.5
    expected = 2 * stats.norm.sf(q / sqrt(2))
    assert distributions.studentized_range_sf(array(q), 2) == pytest.approx(expected, rel=1e-6)
    assert distributions.studentized_range_quantile(1 - expected, 2) == pytest.approx(q, rel=1e-6)
    assert distributions.studentized_range_quantile(0, 3) == 0


def test_a_range_far_out_is_that_of_any_one_pair() -> None:
    """There are 45 pairs of 10, and no two of them reach so far at once."""
    one = 2 * stats.norm.sf(12 / sqrt(2))
    found = distributions.studentized_range_sf(array(0, 12), 10)
    assert found.tolist() == pytest.approx([1, 45 * one], rel=1e-4, abs=0)


# --- ranks --------------------------------------------------------------------------


SMALL = 0.02299512345678


@pytest.mark.parametrize(
    ("x", "y", "expected"),
    [
        ([0.768, 0.105, 1000.1, 5e9, 0], [0.763, 0.1, 1000, 5e9, 0], [0.005, 0.005, 0.1, 0, 0]),
        ([1e6 + 1e-7, 1e-7], [1e6, 0], [0, 1e-7]),  # the noise of a large value
        ([50000, -50000], [SMALL, SMALL], [49999.97700488, -50000.02299512]),
        ([SMALL, SMALL, 0, 3], [50000, -50000, 0, 0], [-49999.97700488, 50000.02299512, 0, 3]),
    ],
)
def test_a_difference_is_as_well_known_as_the_larger_value(
    x: list[float], y: list[float], expected: list[float]
) -> None:
    assert paired_differences(array(*x), array(*y)).tolist() == expected


def test_rounding_by_significant_digits() -> None:
    found = rounded(array(0.1 + 0.2, 123456789012345, -1 / 3, 0))
    assert found.tolist() == [0.3, 123456789012300, -0.3333333333333, 0]
    assert rounded(array(149, 1.51, -0.025), digits=2).tolist() == [150, 1.5, -0.025]
    assert rounded(array(1e-320, 1.7976e308), digits=3).tolist() == [0, 1.7976e308]


def test_real_differences_of_small_values_beside_large_ones_are_no_ties() -> None:
    x, y = array(50000, 50000, 0.023), array(0.023, 0.022995, 0.022995)
    d = paired_differences(x, y)
    assert d.tolist() == [49999.977, 49999.977005, 0.000005]
    assert signed_rank(d).w_plus == 6
    assert len(set(rounded(d))) == 3
    ranks = rank_systems(np.array([[49999.977005, 49999.977]]))
    assert ranks.tolist() == [[2, 1]]


def test_average_ranks() -> None:
    assert average_ranks(array(3, 1, 3, 2)).tolist() == [3.5, 1, 3.5, 2]
    assert average_ranks(np.array([[1, 1], [2, 1]])).tolist() == [[1.5, 1.5], [2, 1]]


def test_cubes_of_ties_of_all_rows() -> None:
    """3^3 - 3 of the first row, 2^3 - 2 of the second, 0 of the third."""
    rows = np.array([[5, 5, 5], [1, 2, 1], [3, 1, 2]])
    assert tied_cubes(rows) == 30


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_missing_value_is_refused_everywhere(bad: float) -> None:
    d = array(1, bad, 2)
    two = np.column_stack([d, d])
    calls: list[Any] = [
        lambda: paired_differences(d, array(1, 2, 3)),
        lambda: signed_rank(d),
        lambda: hodges_lehmann(d),
        lambda: paired_t(d),
        lambda: sign_test(d),
        lambda: superiority(d, d, lower_is_better=True),
        lambda: rank_systems(two),
        lambda: scott_knott_blocked(two),
    ]
    for call in calls:
        with pytest.raises(AslibError, match=r"missing or infinite|has no value"):
            call()


# --- Wilcoxon -----------------------------------------------------------------------


@given(Values)
def test_exact_p_is_that_of_all_sign_changes(values: list[int]) -> None:
    d = array(*values)
    found = signed_rank(d, method="exact", alternative="greater")
    ranks = average_ranks(abs(d[d != 0])) if (d != 0).any() else array()
    sums = [
        sum(r for r, up in zip(ranks, signs, strict=True) if up)
        for signs in product([False, True], repeat=ranks.size)
    ]
    assert found.p == close(np.mean([s >= found.w_plus for s in sums]))


@given(Values)
def test_turning_the_signs_turns_the_test(values: list[int]) -> None:
    d = array(*values)
    there, back = signed_rank(d), signed_rank(-d)
    assert (there.w_plus, there.p) == (back.w_minus, close(back.p))
    greater = signed_rank(d, alternative="greater").p
    assert signed_rank(-d, alternative="less").p == close(greater)
    used = len(values) - there.n_zero
    assert there.w_plus + there.w_minus == close(used * (used + 1) / 2)


def test_nothing_differs() -> None:
    found = signed_rank(np.zeros(5))
    assert (found.w_plus, found.p, found.z, found.n_zero) == (0, 1, 0, 5)
    assert signed_rank(np.zeros(5), method="normal").p == 1


def test_the_null_distribution_sums_to_one_far_out() -> None:
    chance = null_distribution(np.arange(1.0, 201))
    assert chance.sum() == pytest.approx(1, abs=1e-12)
    assert chance[0] == 2.0**-200


def walsh(d: np.ndarray) -> np.ndarray:
    """All averages of two, or of one alone, sorted."""
    i, j = np.triu_indices(d.size)
    found: np.ndarray = np.sort((d[i] + d[j]) / 2)
    return found


@pytest.mark.parametrize(
    ("values", "estimate"),
    [
        ([-0.6, -1.1], -0.85),
        ([0.6, 0.7], 0.65),
        ([0.16, 0.39, 1.61, 3.76], 1.305),
        ([1e308, 1e308, -1e308], 5e307),
        ([1.7e308, 1.7e308, -1.7e308, -1.7e308], 0),
        ([1.7e308, 1.6e308], 1.65e308),
        ([-1.7e308, -1.6e308], -1.65e308),
        ([3e-320], 3e-320),
        ([0, 0, 0], 0),
    ],
)
def test_typical_differences_by_hand(values: list[float], estimate: float) -> None:
    assert hodges_lehmann(array(*values)).estimate == close(estimate)


@pytest.mark.parametrize("n", [*range(1, 31), 57, 201, 311, 1200])
def test_hodges_lehmann_is_the_median_of_averages(n: int) -> None:
    """To the last bit, with ties and without; of 201 and more not all averages are written down."""
    rng = np.random.default_rng(n)
    for d in (
        rng.integers(-3, 4, n).astype(float),
        np.round(rng.lognormal(0, 2, n), 2) * rng.choice([-1, 1], n),
        rng.standard_normal(n) * 1e307,
    ):
        averages, found = walsh(d), hodges_lehmann(d, confidence=0.8)
        assert found.estimate == np.median(averages)
        chance = null_distribution(np.arange(1.0, n + 1))[::2] if n <= 200 else None
        if chance is not None and chance[0] <= 0.1:
            outside = int((np.cumsum(chance) <= 0.1).sum())
            bounds = averages[outside - 1], averages[-outside]
            assert (found.lower, found.upper) == bounds


def test_bounds_beyond_200_pairs_are_those_of_the_normal() -> None:
    """W+ has mean 10150.5 and sd 825.7: P(W+ <= 8532) is the last below 0.025."""
    d = np.random.default_rng(8).standard_normal(201)
    averages, found = walsh(d), hodges_lehmann(d)
    assert (found.lower, found.upper) == (averages[8532], averages[-8533])


def test_the_interval_holds_what_the_test_does_not_reject() -> None:
    d = np.random.default_rng(5).standard_normal(15) * 10
    found = hodges_lehmann(d, confidence=0.9)
    for bound, inwards in ((found.lower, 1e-6), (found.upper, -1e-6)):
        assert signed_rank(d - bound - inwards).p > 0.1
        assert signed_rank(d - bound + inwards).p <= 0.1


def test_too_few_pairs_have_no_bounds() -> None:
    found = hodges_lehmann(array(1, 2, 3))  # 2 / 2^3 > 0.05
    assert (found.estimate, found.lower, found.upper) == (2, -inf, inf)
    assert hodges_lehmann(array(1, 2, 3), confidence=0.7).lower == 1
    one_sided = hodges_lehmann(array(*range(1, 9)), alternative="greater")
    assert (one_sided.upper, one_sided.lower > 0) == (inf, True)


def test_zeros_are_dropped() -> None:
    """Of 0, 1, -2, 3 the ranks are 1, 2, 3."""
    found = signed_rank(array(0, 1, -2, 3))
    assert (found.w_plus, found.w_minus, found.n, found.n_zero) == (4, 2, 4, 1)
    # z = (W+ - W-) / 2 / sqrt(sum of squared ranks / 4)
    assert (found.z, found.p) == close((1 / sqrt(14 / 4), 6 / 8))


def test_the_normal_p() -> None:
    z = 1 / sqrt(14 / 4)
    for side, p in (
        ("two-sided", 2 * stats.norm.sf(z)),
        ("greater", stats.norm.sf(z)),
        ("less", stats.norm.sf(-z)),
    ):
        found = signed_rank(array(1, -2, 3), method="normal", alternative=side)  # type: ignore[arg-type]
        assert (found.p, found.method) == (close(p), "normal")


def test_exact_p_of_one_side_by_hand() -> None:
    """W+ = 4 of 6: 3 of 8 sign changes give as much, 6 as little (ranks 1, 2, 3)."""
    values = array(1, -2, 3)
    assert signed_rank(values, alternative="greater").p == close(3 / 8)
    assert signed_rank(values, alternative="less").p == close(6 / 8)
    assert signed_rank(values).method == "exact"
    chance = null_distribution(array(1.5, 1.5))
    assert chance.tolist() == [0.25, 0, 0, 0.5, 0, 0, 0.25]


def test_exactly_200_differences_are_counted() -> None:
    values = np.arange(1.0, 202)
    assert signed_rank(values[:200]).method == "exact"
    assert signed_rank(values).method == "normal"
    with_zero = np.append(values[:200], 0.0)
    assert signed_rank(with_zero).method == "exact"
    assert signed_rank(values, method="exact").p == 2.0**-200


# --- t and signs --------------------------------------------------------------------


def test_paired_t_by_hand() -> None:
    found = paired_t(array(1, 2, 3, 4))  # mean 2.5, sd sqrt(5/3), t = 2.5 / (sd / 2)
    assert found.t == close(2.5 / (sqrt(5 / 3) / 2))
    assert (found.df, found.mean) == (3, 2.5)
    assert found.d == close(2.5 / sqrt(5 / 3))
    assert found.lower == close(2.5 - 3.182446305284263 * sqrt(5 / 3) / 2)


@pytest.mark.parametrize(("value", "p", "t"), [(0.0, 1.0, 0.0), (0.1, 1 / 64, inf), (-0.1, 1 / 64, -inf)])
def test_differences_without_spread(value: float, p: float, t: float) -> None:
    found = paired_t(np.full(7, value))
    assert (found.t, found.p, found.d) == (t, p, None)
    assert (found.lower, found.upper) == (value, value)
    assert paired_t(np.full(7, value), alternative="greater").p == {
        0: 1 / 2, 0.1: 1 / 128, -0.1: 1,
    }[value]  # fmt: skip


def test_one_sided_t() -> None:
    d = array(1, 2, 3, 4)
    two, up, down = (
        paired_t(d, alternative=a)  # type: ignore[arg-type]
        for a in ("two-sided", "greater", "less")
    )
    assert (two.p / 2, up.p + down.p) == (close(up.p), close(1))
    assert (up.upper, down.lower, up.lower > two.lower) == (inf, -inf, True)


def test_the_corrected_t_by_hand() -> None:
    """Ten folds: variance (1/10 + 1/9) s^2 instead of s^2 / 10."""
    d = array(*range(10))
    found = corrected_resampled_t(d, test_to_train=1 / 9)
    assert found.t == close(4.5 / (d.std(ddof=1) * sqrt(1 / 10 + 1 / 9)))
    assert found.p > paired_t(d).p


def test_sign_test_by_hand() -> None:
    found = sign_test(array(1, 1, 1, 1, -1, 0))  # P(X >= 4 of 5) = 6 / 32, twice
    assert (found.wins, found.losses, found.p) == (4, 1, close(12 / 32))
    assert sign_test(array(1, 1, 1, 1, -1, 0), alternative="less").p == close(31 / 32)
    assert sign_test(np.zeros(4)).p == 1


# --- several tests ------------------------------------------------------------------


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12), st.floats(0.01, 0.2))
def test_adjusted_p_rejects_what_the_levels_reject(values: list[float], alpha: float) -> None:
    p = array(*values)
    stops = [a < b for a, b in zip(levels(p.size, alpha=alpha), sorted(p), strict=True)]
    rejected = stops.index(True) if True in stops else p.size
    near = np.isclose(adjust(p), alpha, rtol=1e-9)
    if not near.any():
        assert int((adjust(p) <= alpha).sum()) == rejected
    assert (adjust(p, method="bonferroni") >= adjust(p)).all()


def test_adjusted_p_by_hand() -> None:
    p = array(0.04, 0.01, 0.03, 0.5)
    for method, expected in {
        "holm": [0.09, 0.04, 0.09, 0.5],
        "bonferroni": [0.16, 0.04, 0.12, 1],
        "none": [0.04, 0.01, 0.03, 0.5],
    }.items():
        assert adjust(p, method=method).tolist() == close(expected)  # type: ignore[arg-type]
    assert adjust(p).tolist() == adjust(p, method="holm").tolist()
    assert adjust(array(0, 1)).tolist() == [0, 1]
    assert adjust(array()).tolist() == []


def test_levels_by_hand() -> None:
    assert levels(3).tolist() == close([0.05 / 3, 0.025, 0.05])
    assert levels(2, alpha=0.1, method="bonferroni").tolist() == [0.05, 0.05]
    assert levels(2, alpha=0.1, method="none").tolist() == [0.1, 0.1]


# --- Friedman -----------------------------------------------------------------------


def test_friedman_by_hand() -> None:
    """Ranks 1 2 3 on 4 of 4 blocks: chi2 = n (k - 1) = 8, F infinite."""
    found = friedman(rank_systems(np.tile([1.0, 2, 3], (4, 1))))
    assert (found.chi2, found.f) == (close(8), inf)
    assert (found.f_p, found.tie_factor) == (close((1 / 6) ** 3), 1)


@pytest.mark.parametrize(("block", "n"), [([1, 2, 3], 3), ([1, 2, 2], 4), ([1, 2], 5)])
def test_p_of_full_agreement_is_the_share_of_orders_that_agree(block: list[float], n: int) -> None:
    found = friedman(rank_systems(np.tile(block, (n, 1))))
    drawn = list(product(set(permutations(block)), repeat=n))
    agree = sum(len(set(orders)) == 1 for orders in drawn)
    assert (found.f, found.f_p) == (inf, close(agree / len(drawn)))


def test_less_than_full_agreement_is_never_less_likely() -> None:
    """Two blocks of five: F of one exchange has p 0.0018, full agreement 1 / 120."""
    ranks = array([1, 2, 3, 4, 5], [1, 2, 3, 5, 4])
    assert friedman(rank_systems(ranks)).f_p == close(1 / 120)


def test_friedman_when_all_tie_and_with_two_systems() -> None:
    tied = friedman(rank_systems(np.ones((5, 3))))
    assert (tied.chi2, tied.p, tied.tie_factor) == (0, 1, 0)
    assert tied.f_p == 1
    two = friedman(rank_systems(array(*[1, 2] * 7, *[2, 1] * 2).reshape(-1, 2)))
    assert two.chi2 == close((7 - 2) ** 2 / 9)  # the sign test's z squared


@given(st.integers(2, 6), st.integers(2, 5), st.integers(0, 10**6))
def test_friedman_does_not_care_about_order_or_scale(n: int, k: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 3, (n, k)).astype(float)
    first = friedman(rank_systems(values))
    shuffled = values[rng.permutation(n)][:, rng.permutation(k)] * 7 + 1
    again = friedman(rank_systems(shuffled))
    assert first.chi2 == pytest.approx(again.chi2, abs=1e-9)
    assert first.mean_ranks.sum() == close(k * (k + 1) / 2)
    turned = friedman(rank_systems(values, lower_is_better=False))
    assert turned.mean_ranks == close(k + 1 - first.mean_ranks)


def test_a_critical_difference_for_thirty_systems() -> None:
    p = nemenyi(np.arange(1.0, 31), n=100)
    apart = abs(np.subtract.outer(np.arange(30), np.arange(30)))
    assert ((p <= 0.05) == (apart >= critical_difference(30, 100))).all()


def test_bars_of_a_diagram() -> None:
    ranks = array(3.0, 1.0, 1.5, 2.6, 5.0)
    assert cliques(ranks, difference=1.2) == [(1, 2), (2, 3), (3, 0)]
    assert cliques(ranks, difference=1.6) == [(1, 2, 3), (2, 3, 0)]
    assert cliques(ranks, difference=9) == [(1, 2, 3, 0, 4)]
    assert cliques(ranks, difference=0.1) == []
    assert cliques(array(1, 1.3), difference=0.3) == [(0, 1)]  # 0.30000000000000004
    assert cliques(array(1, 1.3), difference=0.3 - 1e-9) == []


def test_friedman_of_four_blocks_by_hand() -> None:
    """Rank sums 6, 6, 12: chi2 = 12 / (4 * 3 * 4) * 216 - 3 * 4 * 4 = 6."""
    found = friedman(array(1, 2, 3, 2, 1, 3, 1, 2, 3, 2, 1, 3).reshape(4, 3))
    chi2 = 6.0
    assert found.chi2 == close(chi2)
    assert found.p == close(stats.chi2.sf(chi2, 2))
    f = 3 * chi2 / (4 * 2 - chi2)
    assert found.f == close(f)
    assert found.f_p == close(stats.f.sf(f, 2, 6))
    assert (found.n, found.mean_ranks.tolist()) == (4, [1.5, 1.5, 3])


def test_ties_raise_chi2_by_their_factor() -> None:
    """One tie of two in three blocks of three: 1 - 6 / (3 * 3 * 8) = 11 / 12."""
    values = array(1, 1, 2, 1, 2, 3, 1, 3, 2).reshape(3, 3)
    found = friedman(rank_systems(values))
    assert found.tie_factor == close(11 / 12)
    expected = stats.friedmanchisquare(*values.T)
    assert found.chi2 == close(expected.statistic)
    assert found.p == close(expected.pvalue)


def test_higher_can_be_better_and_lower_is_unless_said() -> None:
    values = array(1, 2).reshape(1, 2)
    assert rank_systems(values).tolist() == [[1, 2]]
    assert rank_systems(values, lower_is_better=False).tolist() == [[2, 1]]


def test_critical_differences_of_demsars_table() -> None:
    """Table 5: q of 2, 3 and 10 systems at 0.05; of 10 at 0.10."""
    for k, q, z in ((2, 1.960, 1.960), (3, 2.343, 2.241), (10, 3.164, 2.773)):
        assert critical_value(k) == pytest.approx(q, abs=1e-3)
        dunn_z = critical_value(k, method="bonferroni-dunn")
        assert dunn_z == pytest.approx(z, abs=1e-3)
    assert critical_value(10, alpha=0.1) == pytest.approx(2.920, abs=1e-3)
    expected = critical_value(4) * sqrt(4 * 5 / (6 * 14))
    assert critical_difference(4, 14) == close(expected)
    one = critical_difference(4, 14, alpha=0.1, method="bonferroni-dunn")
    assert one == close(critical_value(4, alpha=0.1, method="bonferroni-dunn") * (
        expected / critical_value(4)
    ))  # fmt: skip
    assert rank_error(2, 1) == 1


def test_p_of_pairs_of_mean_ranks() -> None:
    """Of two systems both are the normal p of z = 0.5 / sqrt(2 * 3 / (6 * 16))."""
    p = 2 * stats.norm.sf(0.5 / 0.25)
    found = nemenyi(array(1.25, 1.75), n=16)
    assert found == pytest.approx(array(1, p, p, 1).reshape(2, 2), rel=1e-6)
    assert dunn(array(0.5, -0.5, 0), k=2, n=16) == close([p, p, 1])


# --- effects ------------------------------------------------------------------------


@given(Values, Values)
def test_a12_is_the_share_of_pairs(a: list[int], b: list[int]) -> None:
    found = superiority(array(*a), array(*b), lower_is_better=False)
    points = [(x > y) + (x == y) / 2 for x in a for y in b]
    assert found.a12 == close(np.mean(points))
    assert 0 <= found.lower <= found.a12 <= found.upper <= 1
    back = superiority(array(*b), array(*a), lower_is_better=False)
    assert back.cliff == close(-found.cliff)
    lower = superiority(array(*a), array(*b), lower_is_better=True)
    assert lower.a12 == close(1 - found.a12)


def test_magnitudes_at_their_bounds() -> None:
    words = ["negligible", "small", "medium", "large"]
    assert [magnitude(d) for d in (0.146, 0.147, -0.33, 0.474)] == words


def test_share_of_wins() -> None:
    found = win_share(array(2, 0, -1, 1, 1))  # 3.5 of 5
    assert (found.estimate, found.lower < 0.7 < found.upper) == (0.7, True)
    always = win_share(np.ones(5))  # Clopper-Pearson: 0.025^(1/5)
    assert (always.lower, always.upper) == (close(0.025**0.2), 1)


def test_dunn_rejects_beyond_its_critical_difference() -> None:
    cd = critical_difference(5, 20, method="bonferroni-dunn")
    p = dunn(array(cd - 1e-9, cd + 1e-9, 0), k=5, n=20) * 4
    assert (p <= 0.05).tolist() == [False, True, False]


# --- Scott-Knott ----------------------------------------------------------------------


def test_blocks_take_out_how_hard_an_instance_is() -> None:
    rng = np.random.default_rng(0)
    hardness = rng.normal(0, 1000, (30, 1))
    values = hardness + array(0, 0, 5) + rng.normal(0, 1, (30, 3))
    assert scott_knott_blocked(values).groups.tolist() == [2, 2, 1]
    assert scott_knott_blocked(values, order="ascending").groups.tolist() == [1, 1, 2]
    assert scott_knott(list(values.T)).groups.tolist() == [1, 1, 1]


def test_two_clusters_of_equal_systems_are_not_split_further() -> None:
    """Each split at alpha of its own made false groups in 0.12 of the trials."""
    rng = np.random.default_rng(1)
    means = np.repeat([0.0, 5.0], 4)
    found = [scott_knott_blocked(means + rng.normal(size=(20, 8))).groups.max() for _ in range(300)]
    assert min(found) == 2
    assert np.mean(np.array(found) > 2) < 0.05


def test_scott_knott_without_spread() -> None:
    assert scott_knott_blocked(np.ones((4, 3))).groups.tolist() == [1, 1, 1]
    steady = np.array([[1.0, 2], [3, 4], [5, 6]])  # behind by 1 throughout
    assert scott_knott_blocked(steady).groups.tolist() == [2, 1]


@settings(max_examples=30)
@given(st.integers(2, 8), st.integers(0, 10**6))
def test_groups_follow_the_means(k: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    found = scott_knott_blocked(rng.normal(rng.integers(0, 4, k), 1, (12, k)))
    groups = found.groups[list(found.order)]
    assert (np.diff(groups) >= 0).all()
    assert set(groups) == set(range(1, int(groups.max()) + 1))


# --- what is refused


REFUSED: list[tuple[Any, str]] = [
    (lambda: paired_differences(array(1e308, 1), array(-1e308, 2)), "larger than any number"),
    (lambda: paired_differences(array(1, 2), array(1)), "do not pair"),
    (lambda: paired_t(array()), "too few"),
    (lambda: paired_t(array(1)), "too few"),
    (lambda: corrected_resampled_t(array(1, 2), test_to_train=0), "must be above 0"),
    (lambda: signed_rank(array()), "no pairs"),
    (lambda: sign_test(array()), "no pairs"),
    (lambda: hodges_lehmann(array()), "no pairs"),
    (lambda: adjust(array(0.1, np.nan)), "between 0 and 1"),
    (lambda: adjust(array(0.1, -0.1)), "between 0 and 1"),
    (lambda: adjust(array(0.1, 1.1)), "between 0 and 1"),
    (lambda: levels(2, alpha=0.0), "alpha"),
    (lambda: levels(2, alpha=1.0), "alpha"),
    (lambda: friedman(np.array([[1.0, 2.0]])), "one instance cannot"),
    (lambda: rank_systems(np.ones((0, 2))), r"cannot rank values of shape \(0, 2\)"),
    (lambda: rank_systems(np.ones((3, 1))), r"cannot rank values of shape \(3, 1\)"),
    (lambda: rank_systems(np.ones(2)), r"cannot rank values of shape \(2,\)"),
    (lambda: critical_difference(1, 9), "no difference"),
    (lambda: critical_difference(3, 5, alpha=0), "alpha = 0 must lie"),
    (lambda: scott_knott_blocked(np.ones((1, 3))), "two instances and two systems"),
]


def test_what_is_refused() -> None:
    for call, message in REFUSED:
        with pytest.raises(AslibError, match=message):
            call()
