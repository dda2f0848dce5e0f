"""Each test on a few numbers, against brute force, and by the laws it must obey."""

from __future__ import annotations

from itertools import permutations, product
from math import inf, pi, sqrt
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aslib_eval.errors import AslibError
from aslib_eval.statistics.distributions import average_ranks, paired_differences, rounded, tied_cubes
from aslib_eval.statistics.friedman import (
    adjust,
    cliques,
    critical_difference,
    dunn,
    friedman,
    levels,
    nemenyi,
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


# --- ranks --------------------------------------------------------------------------


def test_differences_keep_their_ties() -> None:
    x, y = array(0.768, 0.105, 1000.1, 5e9, 0), array(0.763, 0.1, 1000, 5e9, 0)
    assert (x - y)[0] != (x - y)[1]
    assert paired_differences(x, y).tolist() == [0.005, 0.005, 0.1, 0, 0]


def test_a_small_difference_of_large_values_is_noise() -> None:
    assert paired_differences(array(1e6 + 1e-7), array(1e6)).tolist() == [0]
    assert paired_differences(array(1e-7), array(0)).tolist() == [1e-7]


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


def test_noise_of_subtraction_is_no_difference() -> None:
    """All pairs differ by 0.1, as decimals have it, at whatever size."""
    y = array(0.2, 7, 99.9, 1234.5, 98765.4)
    x = array(0.3, 7.1, 100, 1234.6, 98765.5)
    assert len(set(x - y)) == 5
    assert paired_differences(x, y).tolist() == [0.1] * 5


def test_a_difference_is_as_well_known_as_the_larger_value() -> None:
    small = 0.02299512345678
    x = array(50000, -50000, small, small)
    y = array(small, small, 50000, -50000)
    below, above = 49999.97700488, 50000.02299512
    assert paired_differences(x, y).tolist() == [below, -above, -below, above]
    assert paired_differences(array(0, 3), array(0, 0)).tolist() == [0, 3]


def test_a_difference_beyond_all_numbers_is_refused() -> None:
    with pytest.raises(AslibError, match="larger than any number"):
        paired_differences(array(1e308, 1), array(-1e308, 2))


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
        lambda: scott_knott([d, d]),
    ]
    for call in calls:
        with pytest.raises(AslibError, match=r"missing or infinite|has no value"):
            call()


def test_pairs_must_pair() -> None:
    with pytest.raises(AslibError, match="do not pair"):
        paired_differences(array(1, 2), array(1))


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
    assert signed_rank(np.zeros(5), method="normal", correction=True).p == 1


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


@pytest.mark.parametrize("listed", [500_000, 7])
@pytest.mark.parametrize("n", [*range(1, 31), 57, 311])
def test_hodges_lehmann_is_the_median_of_averages(
    n: int, listed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To the last bit, with ties and without, however few averages are written down."""
    monkeypatch.setattr("aslib_eval.statistics.paired._LISTED", listed)
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


def test_the_typical_difference_of_many_pairs() -> None:
    d = np.random.default_rng(7).standard_normal(1200).round(3)
    assert hodges_lehmann(d).estimate == np.median(walsh(d))


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
    with pytest.raises(AslibError, match="must be above 0"):
        corrected_resampled_t(d, test_to_train=0)


def test_repeating_a_cross_validation_buys_little() -> None:
    """A hundred copies of the same ten folds: the plain t is fooled, this is not."""
    d = array(*range(-3, 7))
    once = corrected_resampled_t(d, test_to_train=1 / 9)
    often = corrected_resampled_t(np.tile(d, 100), test_to_train=1 / 9)
    assert paired_t(np.tile(d, 100)).p < 1e-30
    assert often.t < once.t * sqrt((1 / 10 + 1 / 9) / (1 / 9)) * 1.06


def test_sign_test_by_hand() -> None:
    found = sign_test(array(1, 1, 1, 1, -1, 0))  # P(X >= 4 of 5) = 6 / 32, twice
    assert (found.wins, found.losses, found.ties) == (4, 1, 1)
    assert (found.p, found.share) == (close(12 / 32), 0.8)
    assert sign_test(array(1, 1, 1, 1, -1, 0), alternative="less").p == close(31 / 32)
    none = sign_test(np.zeros(4))
    assert (none.p, none.share, none.lower, none.upper) == (1, 0.5, 0, 1)


@pytest.mark.parametrize(("size", "message"), [(0, "no pairs"), (1, "too few")])
def test_too_few_pairs(size: int, message: str) -> None:
    d = np.ones(size)
    with pytest.raises(AslibError, match="too few"):
        paired_t(d)
    if not size:
        for test in (signed_rank, sign_test, hodges_lehmann):
            with pytest.raises(AslibError, match=message):
                test(d)


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
    assert (adjust(p) >= adjust(p, method="hochberg")).all()
    assert (adjust(p, method="hochberg") >= adjust(p, method="bh") - 1e-15).all()


def test_what_is_no_p() -> None:
    with pytest.raises(AslibError, match="between 0 and 1"):
        adjust(array(0.1, np.nan))
    with pytest.raises(AslibError, match="no adjustment called sidak"):
        adjust(array(0.1), method="sidak")  # type: ignore[arg-type]
    with pytest.raises(AslibError, match="has no fixed levels"):
        levels(3, method="bh")
    assert adjust(array()).tolist() == []


# --- Friedman -----------------------------------------------------------------------


def test_friedman_by_hand() -> None:
    """Ranks 1 2 3 on 4 of 4 blocks: chi2 = n (k - 1) = 8, F infinite."""
    found = friedman(rank_systems(np.tile([1.0, 2, 3], (4, 1))))
    assert (found.corrected.chi2, found.corrected.f) == (close(8), inf)
    assert (found.corrected.f_p, found.tie_factor) == (close((1 / 6) ** 3), 1)


@pytest.mark.parametrize(("block", "n"), [([1, 2, 3], 3), ([1, 2, 2], 4), ([1, 2], 5)])
def test_p_of_full_agreement_is_the_share_of_orders_that_agree(block: list[float], n: int) -> None:
    found = friedman(rank_systems(np.tile(block, (n, 1)))).corrected
    drawn = list(product(set(permutations(block)), repeat=n))
    agree = sum(len(set(orders)) == 1 for orders in drawn)
    assert (found.f, found.f_p) == (inf, close(agree / len(drawn)))


def test_less_than_full_agreement_is_never_less_likely() -> None:
    """Two blocks of five: F of one exchange has p 0.0018, full agreement 1 / 120."""
    ranks = array([1, 2, 3, 4, 5], [1, 2, 3, 5, 4])
    assert friedman(rank_systems(ranks)).corrected.f_p == close(1 / 120)


def test_friedman_when_all_tie_and_with_two_systems() -> None:
    tied = friedman(rank_systems(np.ones((5, 3))))
    assert (tied.corrected.chi2, tied.corrected.p, tied.tie_factor) == (0, 1, 0)
    assert tied.corrected.f_p == 1
    two = friedman(rank_systems(array(*[1, 2] * 7, *[2, 1] * 2).reshape(-1, 2)))
    assert two.corrected.chi2 == close((7 - 2) ** 2 / 9)  # the sign test's z squared


@given(st.integers(2, 6), st.integers(2, 5), st.integers(0, 10**6))
def test_friedman_does_not_care_about_order_or_scale(n: int, k: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 3, (n, k)).astype(float)
    first = friedman(rank_systems(values))
    shuffled = values[rng.permutation(n)][:, rng.permutation(k)] * 7 + 1
    again = friedman(rank_systems(shuffled))
    assert first.corrected.chi2 == pytest.approx(again.corrected.chi2, abs=1e-9)
    assert first.mean_ranks.sum() == close(k * (k + 1) / 2)
    turned = friedman(rank_systems(values, lower_is_better=False))
    assert turned.mean_ranks == close(k + 1 - first.mean_ranks)


def test_a_critical_difference_for_thirty_systems() -> None:
    assert critical_difference(30, 100) == pytest.approx(
        5.3013 / sqrt(2) * sqrt(30 * 31 / 600),
        abs=1e-4,  # qtukey(0.95, 30, Inf)
    )
    p = nemenyi(np.arange(1.0, 31), n=100)
    apart = abs(np.subtract.outer(np.arange(30), np.arange(30)))
    assert ((p <= 0.05) == (apart >= critical_difference(30, 100))).all()


def test_bars_of_a_diagram() -> None:
    ranks = array(3.0, 1.0, 1.5, 2.6, 5.0)
    assert cliques(ranks, difference=1.2) == [(1, 2), (2, 3), (3, 0)]
    assert cliques(ranks, difference=1.6) == [(1, 2, 3), (2, 3, 0)]
    assert cliques(ranks, difference=9) == [(1, 2, 3, 0, 4)]
    assert cliques(ranks, difference=0.1) == []


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: friedman(np.array([[1.0, 2.0]])), "one instance cannot"),
        (lambda: rank_systems(np.ones((0, 2))), r"cannot rank values of shape \(0, 2\)"),
        (lambda: rank_systems(np.ones((3, 1))), r"cannot rank values of shape \(3, 1\)"),
        (lambda: rank_systems(np.ones(2)), r"cannot rank values of shape \(2,\)"),
        (lambda: critical_difference(1, 9), "no difference"),
        (lambda: critical_difference(3, 0), "no blocks"),
        (lambda: critical_difference(3, 5, alpha=0), "alpha = 0 must lie"),
    ],
)
def test_what_friedman_refuses(call: Any, message: str) -> None:
    with pytest.raises(AslibError, match=message):
        call()


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
    signs = sign_test(array(1, 1, 1, -1))
    same = win_share(array(1, 1, 1, -1))
    assert (same.lower, same.upper) == (signs.lower, signs.upper)
    with pytest.raises(AslibError, match="no pairs"):
        win_share(array())


def test_dunn_rejects_beyond_its_critical_difference() -> None:
    cd = critical_difference(5, 20, method="bonferroni-dunn")
    p = dunn(array(cd - 1e-9, cd + 1e-9, 0), k=5, n=20) * 4
    assert (p <= 0.05).tolist() == [False, True, False]


# --- Scott-Knott ----------------------------------------------------------------------


def test_scott_knott_by_its_order() -> None:
    rng = np.random.default_rng(0)
    samples = [rng.normal(m, 0.1, 20) for m in (5, 1, 5, 3)]
    assert scott_knott(samples).groups.tolist() == [1, 3, 1, 2]
    assert scott_knott(samples, order="ascending").groups.tolist() == [3, 1, 3, 2]


def test_blocks_take_out_how_hard_an_instance_is() -> None:
    rng = np.random.default_rng(0)
    hardness = rng.normal(0, 1000, (30, 1))
    values = hardness + array(0, 0, 5) + rng.normal(0, 1, (30, 3))
    assert scott_knott_blocked(values).groups.tolist() == [2, 2, 1]
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
    assert scott_knott([np.ones(3), np.ones(3)]).splits[0].p == 1
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


def test_unequal_sizes_count_by_the_harmonic_mean_within_the_group() -> None:
    """As R's ScottKnott: of the group that is to be split, not of all systems."""
    samples = [array(9, 11), array(9, 11, 9, 11), array(0, 2), array(1, 3, 1, 3, 1, 3)]
    found = scott_knott(samples, alpha=0.5)  # error 2 + 4 + 2 + 6 of 14 - 4 = 10 df
    assert (found.mse, found.df) == (1.4, 10)
    sides = [(split.left, split.right) for split in found.splits]
    assert sides == [((0, 1), (3, 2)), ((0,), (1,)), ((3,), (2,))]
    # Of each split: sum of squares between sides and in all, and the harmonic mean.
    by_hand = [(72.25, 72.75, 48 / 17), (0, 0, 8 / 3), (0.5, 0.5, 3)]
    for split, (between, spread, size) in zip(found.splits, by_hand, strict=True):
        sigma2 = (spread + 10 * 1.4 / size) / (len(split.left + split.right) + 10)
        assert split.statistic == close(pi / (2 * (pi - 2)) * between / sigma2)


def test_what_scott_knott_refuses() -> None:
    with pytest.raises(AslibError, match="two observations each"):
        scott_knott([array(1), array(1, 2)])
    with pytest.raises(AslibError, match="two instances and two systems"):
        scott_knott_blocked(np.ones((1, 3)))
