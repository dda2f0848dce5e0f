"""Intervals of means and of A12: by hand, by other tools, and what they cover."""

from __future__ import annotations

from math import inf, sqrt
from statistics import variance
from typing import Any

import numpy as np
import pytest
from scipy import stats

from aslib_eval.errors import AslibError
from aslib_eval.statistics.distributions import binary_scale
from aslib_eval.statistics.means import (
    bounded_means,
    cost_means,
    resampled_counts,
    strict_tail,
    student_widths,
    unbounded_means,
)
from aslib_eval.statistics.paired import hodges_lehmann, paired_t, superiority


def array(*values: float) -> np.ndarray:
    return np.array(values, float)


def close(value: Any, rel: float = 1e-12) -> Any:
    return pytest.approx(value, rel=rel, abs=1e-12)


def rng(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


# --- bounded ------------------------------------------------------------------------


@pytest.mark.parametrize("confidence", [0.5, 0.95, 0.999999])
@pytest.mark.parametrize(("wins", "n"), [(0, 8), (3, 8), (8, 8), (1, 2), (40, 200)])
def test_of_two_values_it_is_clopper_and_pearsons(wins: int, n: int, confidence: float) -> None:
    values = np.repeat([10.0, 30.0], [n - wins, wins])
    found = bounded_means(values, least=10, most=30, confidence=confidence)
    tail = (1 - confidence) / 2
    low = stats.beta.ppf(tail, wins, n - wins + 1) if wins else 0
    high = stats.beta.ppf(1 - tail, wins + 1, n - wins) if wins < n else 1
    assert found.estimate == close(10 + 20 * wins / n)
    assert found.lower == pytest.approx(10 + 20 * low, abs=0.05)
    assert found.upper == pytest.approx(10 + 20 * high, abs=0.05)


def test_it_is_the_quantile_of_a_randomly_weighted_mean() -> None:
    values = array(-3, 1, 1, 2, 5, 8, 40, 41)
    weights = rng().standard_exponential((400_000, 9))
    weights /= weights.sum(axis=1, keepdims=True)
    found = bounded_means(values, least=-10, most=100, confidence=0.9)
    high = np.quantile(weights @ [*values, 100], 0.95)
    low = np.quantile(weights @ [*values, -10], 0.05)
    assert found.upper == pytest.approx(high, abs=0.2)
    assert found.lower == pytest.approx(low, abs=0.1)


def test_turned_round_the_bounds_turn_round() -> None:
    values = rng().lognormal(0, 1, (12, 3)).clip(0, 50)
    there = bounded_means(values, least=0, most=50)
    back = bounded_means(-values, least=-50, most=0)
    assert back.lower == pytest.approx(-there.upper)
    assert back.upper == pytest.approx(-there.lower)
    moved = bounded_means(values * 4 + 7, least=7, most=207)
    assert moved.upper == pytest.approx(there.upper * 4 + 7)
    assert moved.estimate == pytest.approx(there.estimate * 4 + 7)


def test_what_all_values_say_does_not_reach_the_bounds() -> None:
    same = bounded_means(np.full(8, 0.3), least=0, most=1)
    assert same.estimate == close(0.3)
    assert same.lower == pytest.approx(0.3 * 0.025 ** (1 / 8), rel=0.01)
    most = bounded_means(np.ones(8), least=0, most=1)
    assert (most.upper, most.lower) == (1, pytest.approx(0.025 ** (1 / 8), rel=0.01))
    nothing = bounded_means(np.full((4, 2), 3.0), least=3, most=3)
    assert nothing.lower.tolist() == nothing.upper.tolist() == [3, 3]


def test_rare_timeouts_are_covered_that_no_sample_holds() -> None:
    """5 % net timeouts of 1000: of eight instances two samples in three have none."""
    draws = rng(3)
    values = np.where(draws.random((8, 500)) < 0.05, 1000.0, draws.normal(0, 1, (8, 500)))
    bounded = bounded_means(values, least=-1000, most=1000)
    without = unbounded_means(values, rng=rng(), resamples=199)
    held = [((found.lower <= 50) & (found.upper >= 50)).mean() for found in (bounded, without)]
    assert held[0] == 1
    assert held[1] < 0.5


def test_many_instances_are_as_sure_as_the_normal_says() -> None:
    values = rng().normal(0, 1, 4000).clip(-5, 5)
    found = bounded_means(values, least=-5, most=5)
    half = 1.96 / sqrt(4000)
    assert found.upper == pytest.approx(values.mean() + half + 5 / 4001, abs=0.003)
    assert found.lower == pytest.approx(values.mean() - half - 5 / 4001, abs=0.003)


def test_columns_do_not_matter_to_each_other() -> None:
    """Nor into how many parts they are cut: of 6 rows after 4285, of 4999 resamples after 200."""
    values = rng().exponential(1, (6, 4300)).clip(0, 9)
    whole = bounded_means(values, least=0, most=9)
    free = unbounded_means(values[:, :210], rng=rng())
    for at in (0, 199, 205):
        one = bounded_means(values[:, at], least=0, most=9)
        assert (one.lower[0], one.upper[0]) == (whole.lower[at], whole.upper[at])
        alone = unbounded_means(values[:, at], rng=rng())
        assert (alone.lower[0], alone.upper[0]) == (close(free.lower[at]), close(free.upper[at]))
    last = bounded_means(values[:, -1], least=0, most=9)
    assert (last.lower[0], last.upper[0]) == (whole.lower[-1], whole.upper[-1])


def test_what_bounded_means_refuses() -> None:
    for values, least, most in (([0, 2], 0, 1), ([-1, 0], 0, 1), ([-1, 2], 0, 1)):
        with pytest.raises(AslibError, match="a value is not between 0 and 1"):
            bounded_means(array(*values), least=least, most=most)
    with pytest.raises(AslibError, match="missing or infinite"):
        bounded_means(array(0, np.nan), least=0, most=1)
    with pytest.raises(AslibError, match="nothing to take the mean of"):
        bounded_means(array(), least=0, most=1)
    with pytest.raises(AslibError, match="confidence = 1 must lie"):
        bounded_means(array(0, 1), least=0, most=1, confidence=1)


# --- unbounded ----------------------------------------------------------------------


def by_hand(values: np.ndarray, resamples: int, tail: float) -> tuple[float, float]:
    """The wider of Student's t and the bootstrap-t on each side."""
    n, sd = values.size, values.std()
    seed = int(rng(5).integers(2**63))
    counts = resampled_counts(n, size=resamples, rng=rng(seed))
    t = []
    for row in counts:
        drawn = np.repeat(values, row)
        if drawn.std() > 1e-9:
            t.append((drawn.mean() - values.mean()) / drawn.std())
        else:
            t.append(inf * np.sign(round(drawn.mean() - values.mean(), 9)) or 0)
    most = max(abs(x) for x in t if np.isfinite(x))
    t = sorted(np.clip(x, -most, most) for x in np.nan_to_num(t, posinf=inf, neginf=-inf))
    at = int((resamples + 1) * tail) - 1
    student = stats.t.ppf(1 - tail, n - 1) / sqrt(n - 1)
    low, high = max(t[-1 - at], student), min(t[at], -student)
    return values.mean() - low * sd, values.mean() - high * sd


@pytest.mark.parametrize(
    "values",
    [
        (0.1, 0.5, 1, 2, 30),
        (0, 0, 0, 0, 0, 7),  # many resamples have no spread
        (-30, -2, -1, 0.5, 4, 4, 4),
        (1e-4, 2e-4, 9e-4, 5e-3),
    ],
)
@pytest.mark.parametrize("confidence", [0.8, 0.95])
def test_the_wider_of_t_and_bootstrap_t(values: tuple[float, ...], confidence: float) -> None:
    found = unbounded_means(array(*values), rng=rng(5), confidence=confidence, resamples=199)
    low, high = by_hand(array(*values), 199, (1 - confidence) / 2)
    assert (found.lower[0], found.upper[0]) == (close(low, 1e-9), close(high, 1e-9))
    assert found.estimate == close(np.mean(values))


def test_few_values_of_a_skewed_distribution_are_taken_at_a_stricter_level() -> None:
    """0.84 of eight lognormal values with sigma 1.5 at the nominal level, now 0.9."""
    assert strict_tail(0.025, 7) == 0.025
    assert strict_tail(0.025, 9) == close(0.025 / 3)
    assert strict_tail(0.025, 3600) == close(0.025 / 1.1)
    values = rng(1).lognormal(0, 1.5, (8, 1000))
    found = [unbounded_means(values, rng=rng(), resamples=499, strict=strict) for strict in (True, False)]
    truth = np.exp(1.5**2 / 2)
    held = [((each.lower <= truth) & (each.upper >= truth)).mean() for each in found]
    assert held[0] > 0.885 > held[1]


def test_widths_of_students_t() -> None:
    values = rng(2).standard_normal((9, 3)) * [1, 1e300, 0]
    t = [paired_t(values[:, at]) for at in (0, 2)]
    widths = student_widths(values)
    assert widths[[0, 2]].tolist() == [close(each.upper - each.lower) for each in t]
    assert np.isfinite(widths[1])
    assert student_widths(values[:1]).tolist() == [inf] * 3


def test_costs_are_bounded_where_they_have_a_ceiling() -> None:
    costs = rng(2).lognormal(0, 1, (12, 2))
    free = unbounded_means(costs, rng=rng())
    for ceiling in (None, costs.max() / 2, 1e301):
        found = cost_means(costs, ceiling, level=0.95, seed=1)
        assert found.upper.tolist() == free.upper.tolist()
    found = cost_means(costs, 100.0, level=0.95, seed=1)
    assert found.upper.tolist() == bounded_means(costs, least=0, most=100).upper.tolist()


def test_edges_of_means_without_bounds() -> None:
    alone = unbounded_means(array(3), rng=rng())
    assert (alone.estimate[0], alone.lower[0], alone.upper[0]) == (3, -inf, inf)
    flat = unbounded_means(np.full((5, 2), 0.1), rng=rng(), resamples=99)
    assert flat.lower.tolist() == flat.upper.tolist() == [0.1, 0.1]
    once = unbounded_means(array(1, 2, 3, 5), rng=rng(), resamples=99)
    for factor in (1e300, 1e-300):
        huge = unbounded_means(array(1, 2, 3, 5) * factor, rng=rng(), resamples=99)
        assert huge.lower[0] / factor == close(once.lower[0])
        assert huge.upper[0] / factor == close(once.upper[0])
    top = unbounded_means(array(1.7e308, 1.7e308, 1.6e308), rng=rng(), resamples=99)
    assert top.estimate[0] == close(5 / 3 * 1e308)
    with pytest.raises(AslibError, match="missing or infinite"):
        unbounded_means(array(1, inf), rng=rng())


# --- A12 ----------------------------------------------------------------------------


def wilson(share: float, size: float, t: float) -> tuple[float, float]:
    """Roots of (share - x)^2 = t^2 x (1 - x) / size."""
    a, b, c = 1 + t * t / size, -(2 * share + t * t / size), share * share
    root = sqrt(b * b - 4 * a * c)
    return (-b - root) / (2 * a), (-b + root) / (2 * a)


def test_a12_without_overlap_is_no_point() -> None:
    found = superiority(np.arange(8) + 9.0, np.arange(8.0), lower_is_better=False)
    t = 2.364624251592785  # 97.5 % of Student's t with 7 degrees of freedom
    assert (found.a12, found.upper) == (1, 1)
    assert found.lower == close(8 / (8 + t * t))
    worse = superiority(np.arange(8) + 9.0, np.arange(8.0), lower_is_better=True)
    assert (worse.a12, worse.lower, worse.upper) == (0, 0, close(1 - found.lower))


def test_the_interval_of_a12_knows_pairs_by_hand() -> None:
    a, b = array(1, 2, 3, 4), array(0, 2, 1, 5)
    over = [0.375, 0.625, 0.75, 0.75]  # share of b that each of a exceeds
    over[0] = (1 + 1 / 2) / 4
    over[1] = (2 + 1 / 2) / 4
    under = [1, 2.5 / 4, 3.5 / 4, 0]  # share of a that exceeds each of b
    found = superiority(a, b, lower_is_better=False)
    a12 = sum(over) / 4
    assert found.a12 == close(a12)
    parts = [x + y for x, y in zip(over, under, strict=True)]
    largest = a12 * (1 - a12) / 4
    factor = (4 * variance(parts) / 4 / largest + 10) / 14
    t = 3.182446305284263  # 3 degrees of freedom
    bounds = wilson(a12, 4 / factor, t)
    assert (found.lower, found.upper) == (close(bounds[0]), close(bounds[1]))


def test_the_interval_of_a12_of_samples_of_different_sizes_by_hand() -> None:
    a, b = array(1, 2, 3, 4, 2.5), array(0, 2, 1, 5)
    over, under = [1.5 / 4, 2.5 / 4, 3 / 4, 3 / 4, 3 / 4], [1, 3.5 / 5, 4.5 / 5, 0]
    found = superiority(a, b, lower_is_better=False)
    a12 = sum(over) / 5
    assert found.a12 == close(a12)
    spread = variance(over) / 5 + variance(under) / 4
    factor = (4 * spread / (a12 * (1 - a12) / 4) + 10) / 14
    bounds = wilson(a12, 4 / factor, 3.182446305284263)
    assert (found.lower, found.upper) == (close(bounds[0]), close(bounds[1]))


def test_one_instance_says_nothing_about_a12() -> None:
    for a, b in (([1], [2, 3, 4]), ([1, 2, 3], [5]), ([1], [1])):
        found = superiority(array(*a), array(*b), lower_is_better=True)
        assert (found.lower, found.upper) == (0, 1)


def test_noise_of_arithmetic_is_a_tie_to_a12() -> None:
    found = superiority(array(0.1 + 0.2, 0.3), array(0.3, 0.1 + 0.2),
                        lower_is_better=True)  # fmt: skip
    assert (found.a12, found.magnitude) == (0.5, "negligible")


# --- Hodges-Lehmann, and large numbers ------------------------------------------------


def test_one_sided_shifts_spend_all_of_alpha_on_one_side() -> None:
    d = rng().standard_normal(12)
    both = hodges_lehmann(d, confidence=0.9)
    up = hodges_lehmann(d, confidence=0.95, alternative="greater")
    down = hodges_lehmann(d, confidence=0.95, alternative="less")
    assert (up.lower, up.upper) == (both.lower, inf)
    assert (down.lower, down.upper) == (-inf, both.upper)
    assert hodges_lehmann(d, confidence=0.95).lower < both.lower


def test_the_t_test_of_large_differences() -> None:
    once = paired_t(array(1, 2, 3, 5))
    huge = paired_t(array(1, 2, 3, 5) * 3e307)
    assert (huge.t, huge.p, huge.d) == (close(once.t), close(once.p), close(once.d))
    assert huge.mean == close(once.mean * 3e307)
    assert huge.se == close(once.se * 3e307)
    assert huge.lower == close(once.lower * 3e307)
    assert huge.upper == close(once.upper * 3e307)


def test_powers_of_two_scale() -> None:
    found = [binary_scale(array(*v)) for v in ([0.7, -3], [1.79e308], [5e-324], [0], [])]
    assert found == [2, 2.0**1023, 5e-324, 1, 1]
    assert binary_scale(array(4)) == 4


def test_of_no_columns_there_are_no_means() -> None:
    found = bounded_means(np.empty((3, 0)), least=0, most=1)
    assert [part.shape for part in vars(found).values()] == [(0,)] * 3
