"""Families of instances in tests and intervals: by hand, and where they are singles."""

from __future__ import annotations

import numpy as np
import pytest

from aslib_eval.statistics.distributions import t_quantile
from aslib_eval.statistics.friedman import blocks_of, friedman, rank_systems
from aslib_eval.statistics.means import bounded_means, family_values, unbounded_means, worth
from aslib_eval.statistics.paired import hodges_lehmann, sign_test, signed_rank, superiority

# Six families of two, which agree within each; the last is against the others.
TWICE = np.repeat(np.arange(6), 2)
D = np.array([3.0, 3, 5, 5, 7, 7, 9, 9, 11, 11, -1, -1])


def test_signs_of_families_change_together() -> None:
    # Ranks 1.5 to 11.5, so families of 3, 7, 11, 15, 19, 23: but for the first all are positive. Of 2^6
    # changes of signs two give as large a sum or larger, or as small.
    found = signed_rank(D, clusters=TWICE)
    assert (found.w_plus, found.w_minus, found.p) == (75, 3, 4 / 2**6)
    assert signed_rank(D).p < 0.01
    assert sign_test(D, clusters=TWICE).p == 2 * (1 + 6) / 2**6
    # Of three families nothing is shown, however many instances agree.
    assert signed_rank(np.ones(90), clusters=np.repeat([0, 1, 2], 30)).p == 2 / 2**3
    assert sign_test(np.ones(90), clusters=np.repeat([0, 1, 2], 30)).p == 2 / 2**3


def test_a_family_of_ten_outweighs_nine_single_instances() -> None:
    d = np.concatenate([np.ones(10), -np.ones(9)])
    codes = np.concatenate([np.zeros(10, int), np.arange(1, 10)])
    # The ten have one sign: all others would have to be against it, and are.
    assert sign_test(d, clusters=codes).p == 1.0
    assert sign_test(d, clusters=codes, alternative="greater").p == 0.5


def test_families_of_one_instance_are_instances() -> None:
    rng = np.random.default_rng(1)
    d, codes = rng.normal(0.3, 1, 30), rng.permutation(30)
    assert signed_rank(d, clusters=codes).p == pytest.approx(signed_rank(d).p)
    assert sign_test(d, clusters=codes).p == pytest.approx(sign_test(d).p)
    assert np.sort(family_values(d[:, None], codes)[:, 0]) == pytest.approx(np.sort(d))
    ranks = rank_systems(rng.normal(0, 1, (30, 4)))
    one, same = friedman(ranks), friedman(ranks, codes)
    assert (one.chi2, one.f_p) == pytest.approx((same.chi2, same.f_p))
    assert blocks_of(ranks, codes) == pytest.approx(30)
    bounds = [bounded_means(d, least=-9, most=9, clusters=c) for c in (None, codes)]
    assert bounds[0].lower == pytest.approx(bounds[1].lower)


def test_values_of_families_are_how_the_mean_changes_without_them() -> None:
    # Families of one, two and four; the mean of the seven is 37 / 7.
    values = np.array([[1.0], *[[4.0]] * 2, *[[7.0]] * 4])
    codes = np.array([0, 1, 1, 2, 2, 2, 2])
    away = 37 / 7 - np.array([36 / 6, 29 / 5, 9 / 3])
    found = family_values(values, codes)[:, 0]
    assert found.mean() == pytest.approx(37 / 7)
    away -= away.mean()
    assert found - 37 / 7 == pytest.approx(2 * away)
    # Squares of sizes are 1, 4 and 16.
    assert worth(codes) == 49 / 21
    assert family_values(np.ones((4, 1)), np.zeros(4, int)).tolist() == [[1.0]]


def test_a_large_family_that_is_at_the_mean_tells_not_how_it_varies() -> None:
    values, codes = np.array([[0.0]] * 4 + [[-1.0], [0.0], [1.0]]), np.array([0, 0, 0, 0, 1, 2, 3])
    # Instances of a family are the same, so the variance of the mean is 19 / 49 of that of one, which is
    # 2 / 7 over 1 - 19 / 49. The jackknife's is a quarter of it.
    found = family_values(values, codes)
    spread = t_quantile(0.975, 49 / 19) / t_quantile(0.975, 3)
    assert found.var(ddof=1) / 4 == pytest.approx(19 / 105 * spread**2)
    assert found.mean() == pytest.approx(0)


def test_columns_that_sum_to_nothing_still_do_by_one_factor() -> None:
    rng, codes = np.random.default_rng(1), np.repeat(np.arange(7), [20, 3, 2, 1, 1, 1, 1])
    scores = rng.normal(0, 1, (29, 3)) * [1, 5, 9]
    scores -= scores.mean(axis=1, keepdims=True)
    assert family_values(scores, codes, together=True).sum(axis=1) == pytest.approx(0)
    assert abs(family_values(scores, codes).sum(axis=1)).max() > 0.1


def test_alike_instances_are_no_more_than_one_of_each_family() -> None:
    once, codes = D[::2], np.arange(6)
    four, of = np.repeat(once, 4), np.repeat(codes, 4)
    for bound in (20.0, 11.0):
        a = bounded_means(once, least=-bound, most=bound)
        b = bounded_means(four, least=-bound, most=bound, clusters=of)
        assert (b.lower, b.upper) == (pytest.approx(a.lower), pytest.approx(a.upper))
    rng = np.random.default_rng
    a = unbounded_means(once, rng=rng(1))
    b = unbounded_means(four, rng=rng(1), clusters=of)
    assert (b.lower, b.upper) == (pytest.approx(a.lower), pytest.approx(a.upper))
    wide = superiority(four, four * 0, lower_is_better=False, clusters=of)
    assert wide.lower < superiority(four, four * 0, lower_is_better=False).lower


def test_one_large_family_leaves_an_interval() -> None:
    # As MIP-2016: a quarter of the instances in one of 90 families; a third lose 100, the others 1.
    codes = np.repeat(np.arange(90), [61, 20, *[5] * 15, *[1] * 73])
    d = np.where(np.arange(len(codes)) % 3 == 0, -100.0, -1.0)
    alone = bounded_means(d, least=-100, most=100)
    found = bounded_means(d, least=-100, most=100, clusters=codes)
    assert found.estimate[0] == pytest.approx(-34.1, abs=0.2)
    assert -60 < found.lower[0] < alone.lower[0]
    assert alone.upper[0] < found.upper[0] < -10


def test_fewer_than_five_families_have_no_interval_but_that_of_a_bound() -> None:
    d, codes = np.arange(1.0, 41), np.repeat(np.arange(4), 10)
    found = unbounded_means(d, rng=np.random.default_rng(1), clusters=codes)
    assert (found.lower[0], found.upper[0]) == (-np.inf, np.inf)
    shift = hodges_lehmann(d, clusters=codes)
    assert (shift.lower, shift.upper) == (-np.inf, np.inf)
    both = superiority(d, d + 1, lower_is_better=True, clusters=codes)
    assert (both.lower, both.upper) == (0, 1)
    bound = bounded_means(d, least=-1000, most=1000, clusters=codes)
    assert bound.lower[0] < 0
    assert 500 < bound.upper[0] <= 1000


def test_the_typical_difference_varies_as_families_do() -> None:
    rng = np.random.default_rng(3)
    codes = np.repeat(np.arange(20), 10)
    d = np.round(rng.normal(1, 1, 20)[codes] + rng.normal(0, 0.1, 200), 3)
    alone, found = hodges_lehmann(d), hodges_lehmann(d, clusters=codes)
    assert found.estimate == alone.estimate
    assert found.upper - found.lower > 2 * (alone.upper - alone.lower)
    assert found.lower < 1 < found.upper
