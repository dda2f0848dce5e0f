"""Power, sizes and standard errors of plans, on numbers known otherwise."""

from __future__ import annotations

from math import inf, sqrt
from typing import Any

import numpy as np
import pytest
from scipy import stats

from aslib_eval.errors import AslibError
from aslib_eval.extensions.planning.power import Plan, detectable_effect, power_of_t, powers, sample_size
from aslib_eval.extensions.planning.sampling import bootstrap_pair_errors, pair_errors, pairs_of, summarise


def array(*values: float) -> np.ndarray:
    return np.array(values, float)


def close(value: Any) -> Any:
    return pytest.approx(value, rel=1e-10, abs=1e-12)


def test_power_of_a_t_test_by_the_noncentral_t() -> None:
    shift, upper = 0.5 * 4, stats.t.ppf(0.975, 15)
    right, wrong = stats.nct.sf(upper, 15, shift), stats.nct.cdf(-upper, 15, shift)
    assert power_of_t(16, d=0.5) == pytest.approx(right, rel=1e-8)
    assert power_of_t(16, d=-0.5) == power_of_t(16, d=0.5)
    both = power_of_t(16, d=0.1, both_tails=True)
    assert both > power_of_t(16, d=0.1)
    assert power_of_t(16, d=0.0, both_tails=True) == pytest.approx(0.05, rel=1e-8)
    whole = power_of_t(16, d=0.5, both_tails=True)
    assert whole == pytest.approx(right + wrong, rel=1e-8)
    one = power_of_t(16, d=0.5, alpha=0.1, alternative="one-sided")
    expected = stats.nct.sf(stats.t.ppf(0.9, 15), 15, shift)
    assert one == pytest.approx(expected, rel=1e-8)
    assert power_of_t(2, d=0.0, alternative="one-sided") == pytest.approx(0.05)
    with pytest.raises(AslibError, match="too few"):
        power_of_t(1.9, d=1)


def test_weaker_tests_count_as_fewer_instances() -> None:
    """ceil(50 * 0.86) = 43 and ceil(50 * 0.637) = 32."""
    for test, n in (("t", 50), ("wilcoxon", 43), ("sign", 32)):
        (found,) = powers(Plan(test=test), n=50, d=0.4)  # type: ignore[arg-type]
        assert found == power_of_t(n, d=0.4)
    assert powers(Plan(comparisons=2), n=50, d=0.4).tolist() == [
        power_of_t(50, d=0.4, alpha=0.025),
        power_of_t(50, d=0.4, alpha=0.05),
    ]


def test_targets_look_at_their_power() -> None:
    each = array(0.1, 0.2, 0.6)
    for words, expected in (
        ({}, 0.3),
        ({"target": "median"}, 0.2),
        ({"target": "worst"}, 0.1),
        ({"target": "worst", "rank": 3}, 0.1),
        ({"target": "rank", "rank": 1}, 0.1),
        ({"target": "rank", "rank": 3}, 0.6),
    ):
        plan = Plan(comparisons=3, **words)  # type: ignore[arg-type]
        assert plan.reached(each) == close(expected)
    for rank in (0, 4):
        with pytest.raises(AslibError, match=f"rank {rank} is not among 3"):
            Plan(comparisons=3, rank=rank)
    with pytest.raises(AslibError, match="no plan for the test u"):
        Plan(test="u")  # type: ignore[arg-type]


def test_the_least_number_of_instances_is_the_least() -> None:
    for effect in (0.3, 0.5, 2.0):
        n = sample_size(Plan(), d=effect, power=0.8)
        assert power_of_t(n, d=effect) >= 0.8 > power_of_t(n - 1, d=effect)
    assert sample_size(Plan(), d=0.5, power=0.8) == 34
    assert sample_size(Plan(), d=-0.5, power=0.8) == 34
    assert sample_size(Plan(test="wilcoxon"), d=0.5, power=0.8) == 40  # 34 / 0.86
    assert sample_size(Plan(test="sign"), d=0.5, power=0.8) == 54  # 34 / 0.637
    assert sample_size(Plan(), d=1000, power=0.5) == 2
    for effect, power in ((0, 0.8), (1e-6, 0.8), (0.5, 1.0), (0.5, 0.0)):
        with pytest.raises(AslibError):
            sample_size(Plan(), d=effect, power=power)


def test_the_least_effect_has_just_the_power() -> None:
    effect = detectable_effect(Plan(), n=30, power=0.9)
    assert power_of_t(30, d=effect) == pytest.approx(0.9, abs=1e-9)
    with pytest.raises(AslibError, match="find no effect with power 0"):
        detectable_effect(Plan(alpha=1e-9), n=2, power=0.99)


def test_which_pairs_there_are() -> None:
    assert pairs_of(3, "all") == [(0, 1), (0, 2), (1, 2)]
    assert pairs_of(3, "first") == [(0, 1), (0, 2)]


def test_errors_of_two_algorithms_by_hand() -> None:
    """Means 2 and 8, variances 2 and 8, on 2 and 4 runs."""
    samples = summarise([[1, 3], [8 - sqrt(6), 8 - sqrt(6), 8 + sqrt(6), 8 + sqrt(6)]])
    assert (samples.sd**2).tolist() == close([2, 8])
    (simple,) = pair_errors(samples)
    assert simple.difference == close(-6)
    assert simple.se == close(sqrt(2 / 2 + 8 / 4))
    assert simple.contributions.tolist() == close([1, 2])
    assert (simple.ratio, simple.optimal_ratio) == (0.5, close(0.5))
    (first,) = pair_errors(samples, difference="percent", pairs="first")
    assert first.difference == close(-3)
    # 8^2 / 2^4 * 1 and 1 / 2^2 * 2
    assert first.contributions.tolist() == close([4, 0.5])
    (paper,) = pair_errors(samples, difference="percent")
    assert paper.difference == close(-6 / 5)
    # 1 + (0.6)^2, over the grand mean 5 squared
    assert paper.contributions.tolist() == close([1.36 / 25, 2.72 / 25])
    (delta,) = pair_errors(samples, difference="percent", formula="delta")
    # The derivatives are 1 + 0.6 and 1 - 0.6, and each counts squared.
    assert delta.contributions.tolist() == close([2.56 / 25, 0.32 / 25])


def test_one_that_does_not_vary_needs_no_runs() -> None:
    samples = summarise([[5, 5], [1, 3], [4, 4]])
    ratios = [pair.optimal_ratio for pair in pair_errors(samples)]
    assert ratios[0] == 0
    assert np.isnan(ratios[1])
    assert ratios[2] == inf


def test_the_bootstrap_of_one_that_does_not_vary() -> None:
    rng = np.random.default_rng(1)
    pair, *_ = bootstrap_pair_errors([[5, 5], [1, 3, 5, 7]], rng=rng)
    assert pair.contributions[0] == 0
    assert pair.se == pytest.approx(sqrt(pair.contributions[1]))
    assert pair.se == pytest.approx(sqrt(5) / 2, rel=0.15)  # sd of the four, over 2
    assert (pair.ratio, pair.optimal_ratio, pair.difference) == (0.5, 0, 1)


def test_a_plan_is_checked_and_corrected_as_it_says() -> None:
    for words in ({"comparisons": 0, "rank": 0}, {"alpha": 0.0}, {"alpha": 1.0}):
        with pytest.raises(AslibError, match=r"make no plan|alpha"):
            Plan(**words)  # type: ignore[arg-type]
    two = Plan(comparisons=2, alpha=0.1, correction="none")
    assert two.levels.tolist() == [0.1, 0.1]
    assert Plan(comparisons=2, correction="bonferroni").levels.tolist() == [0.025] * 2
