"""Defaults, bounds and degrees of freedom of the tests, on numbers known otherwise."""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np
import pytest
from scipy import stats

from aslib_eval.errors import AslibError
from aslib_eval.statistics import distributions
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
)
from aslib_eval.statistics.paired import null_distribution, signed_rank


def array(*values: float) -> np.ndarray:
    return np.array(values, float)


def close(value: Any) -> Any:
    return pytest.approx(value, rel=1e-10, abs=1e-12)


# --- distributions ------------------------------------------------------------------


def test_distributions_are_those_of_scipy() -> None:
    assert distributions.normal_sf(1.5) == close(stats.norm.sf(1.5))
    assert distributions.normal_cdf(1.5) == close(stats.norm.cdf(1.5))
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


def test_no_range_is_below_0() -> None:
    assert distributions.studentized_range_quantile(0, 3) == 0


def test_a_range_far_out_is_that_of_any_one_pair() -> None:
    """There are 45 pairs of 10, and no two of them reach so far at once."""
    one = 2 * stats.norm.sf(12 / sqrt(2))
    found = distributions.studentized_range_sf(array(0, 12), 10)
    assert found.tolist() == pytest.approx([1, 45 * one], rel=1e-4, abs=0)


# --- Friedman -----------------------------------------------------------------------


def test_friedman_of_four_blocks_by_hand() -> None:
    """Rank sums 6, 6, 12: chi2 = 12 / (4 * 3 * 4) * 216 - 3 * 4 * 4 = 6."""
    found = friedman(array(1, 2, 3, 2, 1, 3, 1, 2, 3, 2, 1, 3).reshape(4, 3))
    chi2 = 6.0
    assert found.corrected.chi2 == close(chi2)
    assert found.corrected.p == close(stats.chi2.sf(chi2, 2))
    f = 3 * chi2 / (4 * 2 - chi2)
    assert found.corrected.f == close(f)
    assert found.corrected.f_p == close(stats.f.sf(f, 2, 6))
    assert (found.n, found.k, found.mean_ranks.tolist()) == (4, 3, [1.5, 1.5, 3])


def test_ties_raise_chi2_by_their_factor() -> None:
    """One tie of two in three blocks of three: 1 - 6 / (3 * 3 * 8) = 11 / 12."""
    values = array(1, 1, 2, 1, 2, 3, 1, 3, 2).reshape(3, 3)
    found = friedman(rank_systems(values))
    assert found.tie_factor == close(11 / 12)
    assert found.corrected.chi2 == close(found.uncorrected.chi2 * 12 / 11)
    expected = stats.friedmanchisquare(*values.T)
    assert found.corrected.chi2 == close(expected.statistic)
    assert found.corrected.p == close(expected.pvalue)


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


def test_bars_end_where_the_difference_does() -> None:
    assert cliques(array(1, 1.3), difference=0.3) == [(0, 1)]  # 0.30000000000000004
    assert cliques(array(1, 1.3), difference=0.3 - 1e-9) == []


# --- signed ranks -------------------------------------------------------------------


def test_three_ways_with_zeros_by_hand() -> None:
    """Of 0, 1, -2, 3: without the zero ranks 1, 2, 3; with it 1, 2, 3, 4."""
    values = array(0, 1, -2, 3)
    found = {z: signed_rank(values, zeros=z) for z in ("drop", "pratt", "split")}  # type: ignore[arg-type]
    sums = {zeros: (f.w_plus, f.w_minus) for zeros, f in found.items()}
    assert sums == {"drop": (4, 2), "pratt": (6, 3), "split": (6.5, 3.5)}
    assert [(f.n, f.n_zero) for f in found.values()] == [(4, 1)] * 3
    # z = (W+ - W-) / 2 / sqrt(sum of squared ranks / 4)
    z = [1 / sqrt(14 / 4), 1.5 / sqrt(29 / 4), 1.5 / sqrt(30 / 4)]
    assert [f.z for f in found.values()] == close(z)
    assert [f.p for f in found.values()] == close([6 / 8, 6 / 8, 6 / 8])


def test_the_normal_p_and_its_correction() -> None:
    values = array(1, -2, 3)
    sd = sqrt(14 / 4)
    for side, p in (
        ("two-sided", 2 * stats.norm.sf(0.5 / sd)),
        ("greater", stats.norm.sf(0.5 / sd)),
        ("less", stats.norm.sf(-1.5 / sd)),
    ):
        found = signed_rank(
            values, method="normal", correction=True, alternative=side  # type: ignore[arg-type]
        )  # fmt: skip
        assert (found.p, found.method) == (close(p), "normal")
    plain = signed_rank(values, method="normal")
    assert plain.p == close(2 * stats.norm.sf(1 / sd))
    near = signed_rank(array(1, -1), method="normal", correction=True)
    assert near.p == 1


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


# --- several tests ------------------------------------------------------------------


def test_adjusted_p_by_hand() -> None:
    p = array(0.04, 0.01, 0.03, 0.5)
    for method, expected in {
        "holm": [0.09, 0.04, 0.09, 0.5],
        "hochberg": [0.08, 0.04, 0.08, 0.5],
        "bh": [0.16 / 3, 0.04, 0.16 / 3, 0.5],
        "bonferroni": [0.16, 0.04, 0.12, 1],
        "none": [0.04, 0.01, 0.03, 0.5],
    }.items():
        assert adjust(p, method=method).tolist() == close(expected)  # type: ignore[arg-type]
    assert adjust(p).tolist() == adjust(p, method="holm").tolist()
    assert adjust(array(0, 1)).tolist() == [0, 1]
    for wrong in (-0.1, 1.1):
        with pytest.raises(AslibError, match="between 0 and 1"):
            adjust(array(0.5, wrong))


def test_levels_by_hand() -> None:
    assert levels(3).tolist() == close([0.05 / 3, 0.025, 0.05])
    assert levels(2, alpha=0.1, method="bonferroni").tolist() == [0.05, 0.05]
    assert levels(2, alpha=0.1, method="none").tolist() == [0.1, 0.1]
    for k, alpha, message in ((0, 0.05, "0 comparisons"), (2, 0.0, "alpha"), (2, 1.0, "alpha")):
        with pytest.raises(AslibError, match=message):
            levels(k, alpha=alpha)
