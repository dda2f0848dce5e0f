"""Scores of optimisers: bayesmark's own numbers, small cases by hand, and laws."""

from __future__ import annotations

import json
import math
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from aslib_eval.errors import AslibError
from aslib_eval.extensions.optimisers import metrics as optimiser
from aslib_eval.extensions.optimisers.metrics import (
    Baseline,
    Scores,
    Summary,
    best_so_far,
    expected_minimum,
    fixed_problems_margin,
    interval_places,
    mean_margin,
    observed_baseline,
    of_minimum,
    padded_optimum,
    pooled_baseline,
    problem_scores,
    quantile,
    quantile_interval,
    summarise,
)
from tests.extensions.optimisers.test_order_statistics import expected_maximum, of_maximum

Floats = NDArray[np.float64]
CASES = ("A_batch1_3x3x8x5", "B_batch3_3x3x4x5", "G_hand_2iters_2trials", "H_constant_objective")
# Ours → the reference's.
NAMES = {
    "median": "PERF_MED",
    "median_low": "LB_MED",
    "median_high": "UB_MED",
    "normed_median": "NORMED_MED",
    "mean": "PERF_MEAN",
    "normed_mean": "NORMED_MEAN",
}


@pytest.fixture(scope="module")
def bayesmark(shared: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((shared / "reference" / "bayesmark.json").read_text())
    return found


def numbers(nested: Any) -> Floats:
    """An array of the reference, whose infinities are written as text."""
    if isinstance(nested, list):
        return np.array([numbers(each) for each in nested])
    return np.array(float(nested))


def close(expected: Any) -> Any:
    return pytest.approx(numbers(expected), rel=1e-9, abs=1e-9)


def score(case: dict[str, Any]) -> tuple[list[Scores], list[Baseline], Summary]:
    """A case of the reference; F is (step, suggestion, problem, method, trial)."""
    table = numbers(case["F"])
    steps, batch, n_problems, *_ = table.shape
    random = [m for m, name in enumerate(case["methods"]) if "RandomSearch_" in name]
    scores, baselines = [], []
    for p in range(n_problems):
        values = table[:, :, p]
        found, draws = best_so_far(values), values[:, :, random]
        base = pooled_baseline(draws, batch=batch, steps=steps, best=values.min())
        baselines.append(base)
        scores.append(problem_scores(found, baseline=base))
    return scores, baselines, summarise(scores, baselines=baselines)


# --- the reference --------------------------------------------------------------------


@pytest.mark.parametrize("name", CASES)
def test_baselines_of_bayesmark(bayesmark: dict[str, Any], name: str) -> None:
    expected = bayesmark["cases"][name]["baseline"]
    _, baselines, _ = score(bayesmark["cases"][name])
    for part, field in (("PERF_MED", "median"), ("PERF_MEAN", "mean")):
        ours = np.stack([getattr(b, field) for b in baselines], axis=-1)
        assert ours == close(expected[f"{part}[iter][problem]"])
    assert [b.clip for b in baselines] == close(expected["PERF_CLIP[problem]"])
    best = [float(text) for text in expected["PERF_BEST_repr[problem]"]]
    assert [b.optimum for b in baselines] == best  # to the last bit
    assert sum(b.is_best for b in baselines) == len(bayesmark["cases"][name]["warnings"])


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("field", NAMES)
def test_problems_of_bayesmark(bayesmark: dict[str, Any], name: str, field: str) -> None:
    case = bayesmark["cases"][name]
    scores, _, _ = score(case)
    ours = np.stack([getattr(s, field) for s in scores], axis=-1)
    expected = case["agg_result[iter][method][problem]"]
    assert ours == close(expected[NAMES[field]])
    assert np.stack([s.mean - s.t_margin for s in scores], axis=-1) == close(expected["LB_MEAN"])


@pytest.mark.parametrize("name", CASES)
def test_summaries_of_bayesmark(bayesmark: dict[str, Any], name: str) -> None:
    expected = bayesmark["cases"][name]["summary[iter][method]"]
    _, _, summary = score(bayesmark["cases"][name])
    for field in NAMES.keys() - {"normed_median"}:
        assert getattr(summary.scores, field) == close(expected[NAMES[field]]), field
    low, high = (summary.scores.mean + way * summary.scores.t_margin for way in (-1, 1))
    assert low == close(expected["LB_MEAN"])
    assert high / summary.unit == close(expected["UB_NORMED_MEAN"])
    mean = numbers(expected["PERF_MEAN"])
    assert summary.leaderboard == pytest.approx(100 * (1 - mean), rel=1e-9)


REFUSED = {
    "nan_value": r"the value at \(0, 0, 1, 0\) is nan",
    "random_median_inf": "the median of random search is not finite",
    "best_is_minus_inf": "the best value found is not finite",
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_bayesmark_refuses(bayesmark: dict[str, Any], name: str) -> None:
    case = bayesmark["failures"][name]
    assert case["raises"] == "AssertionError"
    with pytest.raises(AslibError, match=REFUSED[name]):
        score(case)


@pytest.mark.parametrize("name", ["constant_objective", "constant_zero_objective", "random_is_best"])
def test_what_bayesmark_takes(bayesmark: dict[str, Any], name: str) -> None:
    case = bayesmark["failures"][name]
    assert case["raises"] is None
    _, (baseline,), summary = score(case)
    # A lucky draw alone is no warning: the median of random search must be the best.
    assert baseline.is_best == name.startswith("constant")
    if baseline.is_best:
        assert (summary.scores.median == 1).all()


def test_quantiles_of_bayesmark(bayesmark: dict[str, Any]) -> None:
    unit = bayesmark["unit"]
    for case in unit["quantile"]:
        sample = unit["X"][: case["n"]]
        assert quantile(sample, q=case["q"]) == case["estimate"]
        assert quantile_interval(sample, q=case["q"]) == close(case["CI_alpha.05"])
        assert list(interval_places(case["n"], q=case["q"])) == case["CI_idx_lo_hi"]
    for case in unit["median_CI_index_table_alpha0.05"]:
        assert interval_places(case["n"]) == (case["lo"], case["hi"])


@pytest.mark.parametrize("end", ["min", "max"])
def test_quantiles_of_extremes_of_bayesmark(bayesmark: dict[str, Any], end: str) -> None:
    sample = bayesmark["unit"]["X"]
    for case in bayesmark["unit"][f"{end}_quantile_CI"]:
        level = {"min": of_minimum, "max": of_maximum}[end](0.5, draws=case["m"])
        low, high = quantile_interval(sample, q=float(level))
        assert [quantile(sample, q=level), low, high] == close(case["est_lb_ub"])


@pytest.mark.parametrize("end", ["min", "max"])
def test_expected_extremes_of_bayesmark(bayesmark: dict[str, Any], end: str) -> None:
    unit = bayesmark["unit"]
    cases = unit[f"expected_{end}"]
    draws = [case["m"] for case in cases]
    found = {"min": expected_minimum, "max": expected_maximum}[end](unit["X"], draws=draws)
    assert found == pytest.approx(numbers([case["value"] for case in cases]), rel=1e-9, nan_ok=True)
    assert np.isnan(found).tolist() == [m > 10 for m in draws]


def test_weights_of_bayesmark(bayesmark: dict[str, Any]) -> None:
    for case in bayesmark["unit"]["expected_max_weights"]:
        # From the k-th place on 1, before it 0: the weights of the k-th and all after.
        ours = [
            float(expected_maximum(np.arange(case["n"]) >= k, draws=case["m"])) for k in range(case["n"])
        ]
        assert -np.diff([*ours, 0.0]) == pytest.approx(case["w"], abs=1e-12)


def test_margins_of_bayesmark(bayesmark: dict[str, Any]) -> None:
    unit = bayesmark["unit"]
    for case in unit["t_EB"]:
        assert mean_margin(unit["X"][: case["n"]], alpha=case["alpha"]) == close(case["EB"])
    assert mean_margin([3.0, 3, 3]) == unit["t_EB_special"]["constant_3_values"]
    assert np.isnan(mean_margin([1.0, np.inf, 2]))


def test_choices_of_bayesmark(bayesmark: dict[str, Any]) -> None:
    unit = bayesmark["unit"]
    for name in ("get_perf_array", "batch_argmin_ties"):
        case = unit[name]
        shape = (-1, 1, 2) if name == "get_perf_array" else (1, 2, 1)
        values = np.reshape(case["evals"], shape)
        seen = np.reshape(case["visible"], shape)
        assert best_so_far(values, visible=seen).tolist() == case["result"]
    case = unit["cummin_ties"]
    values, keys = (np.reshape(case[name], (-1, 1)) for name in ("val", "key"))
    assert best_so_far(values, visible=keys).tolist() == case["result"]


# --- by hand --------------------------------------------------------------------------


def test_a_pooled_baseline_by_hand() -> None:
    # Draws 1 2 4 8: clipped at 2 (the lower median) 1 2 2 2. Of the six pairs three hold the 1: (3 * 1 + 3
    # * 2) / 6.
    base = pooled_baseline([4.0, 1, 2, 8], steps=2, best=0.0)
    assert base.median.tolist() == [2, 2]
    assert base.mean == pytest.approx([1.75, 1.5])
    assert (base.clip, base.is_best) == (2, False)


def test_a_pooled_mean_never_rises_by_rounding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(optimiser, "expected_minimum", lambda *_, **__: np.array([1.5, 1.25, 1.375]))
    assert pooled_baseline([4.0, 1, 2, 8], steps=3, best=0.0).mean.tolist() == [1.5, 1.25, 1.25]


def test_another_baseline_by_hand() -> None:
    # Nothing at first; the first finite median, 6, stands for it and clips.
    base = observed_baseline([[np.inf, np.inf, np.inf], [5, 6, np.inf], [5, 4, 7]], best=4.0)
    assert base.median.tolist() == [6, 6, 5]
    assert base.mean == pytest.approx([6, (5 + 6 + 6) / 3, (5 + 4 + 6) / 3])


def test_scores_by_hand() -> None:
    # One step, two methods, three trials; optimum 0, baseline and clip 4.
    base = Baseline(np.array([4.0]), np.array([4.0]), 4.0, 0.0, is_best=False)
    scores = problem_scores([[[1, 2, 9], [np.inf, np.inf, 2]]], baseline=base)
    assert scores.median.tolist() == [[2, np.inf]]
    assert scores.normed_median.tolist() == [[0.5, np.inf]]
    assert scores.mean == pytest.approx(np.array([[7 / 3, 10 / 3]]))
    assert scores.normed_mean == pytest.approx(np.array([[7 / 12, 10 / 12]]))


def test_error_bars_of_one_trial_and_of_one_problem_are_those_of_the_bounds() -> None:
    """Of one value Gaffke's bound is the tail's share of the way to each bound."""
    base = Baseline(np.array([4.0]), np.array([4.0]), 4.0, 0.0, is_best=False)
    scores = problem_scores([[[1.0]]], baseline=base)
    near = pytest.approx(3.925, abs=0.01)  # 1 and 4 weighted by 0.025 and 0.975
    assert (scores.mean_low, scores.mean_high) == (pytest.approx(0.025, abs=0.002), near)
    assert (scores.median_low, scores.median_high) == (-np.inf, np.inf)
    one = summarise([scores], baselines=[base])
    assert 0 < one.scores.mean_low[0, 0] < 0.25 < one.scores.mean_high[0, 0] < 1
    assert one.by_bound.tolist() == [[True]]


def test_a_mean_of_losses_that_are_0_at_least_is_not_below_0() -> None:
    base = Baseline(np.array([4.0]), np.array([4.0]), 4.0, 0.0, is_best=False)
    best, worse = (problem_scores([[[x, x]]], baseline=base) for x in (0.0, 2.0))
    assert summarise([best, worse], baselines=[base, base]).scores.mean_low[0, 0] >= 0


def test_error_bars_of_skewed_losses_cover() -> None:
    """Eight problems, mostly solved: t's bars hold the mean in 0.85 of the draws."""
    losses = np.random.default_rng(1).beta(0.3, 3, (400, 8))
    base = Baseline(np.ones(1), np.ones(1), 1.0, 0.0, is_best=False)
    columns = problem_scores(losses[None], baseline=base)  # 400 methods, 8 trials
    low, high = columns.mean_low[0], columns.mean_high[0]
    assert ((low <= 0.3 / 3.3) & (high >= 0.3 / 3.3)).mean() >= 0.95
    below = problem_scores([[[-1.0, 2.0]]], baseline=base)  # better than was frozen
    assert below.mean_low[0, 0] >= -1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: quantile([]), "at least one value"),
        (lambda: quantile([1.0, np.nan]), "contains nan"),
        (lambda: quantile([1.0], q=1.0), r"1.0 is not between 0 and 1"),
        (lambda: expected_minimum([1.0], draws=0), "least of 0 draws"),
        (lambda: best_so_far([[1.0]], visible=[[1.0, 2.0]]), "visible ones"),
        (lambda: observed_baseline([[np.inf]], best=0.0), "finds no solution"),
        (lambda: summarise([], baselines=[]), "no problem to score"),
    ],
)
def test_what_cannot_be_scored(call: Any, message: str) -> None:
    with pytest.raises(AslibError, match=message):
        call()


# --- laws -----------------------------------------------------------------------------

VALUES = st.integers(-50, 50).map(float)
SAMPLES = st.lists(VALUES, min_size=1, max_size=8)


@given(SAMPLES, st.integers(1, 8))
def test_an_expected_minimum_is_the_mean_over_all_subsets(sample: list[float], draws: int) -> None:
    assume(draws <= len(sample))
    least = [min(chosen) for chosen in combinations(sample, draws)]
    assert expected_minimum(sample, draws=draws) == pytest.approx(np.mean(least), abs=1e-9)


@given(SAMPLES, st.integers(1, 30))
def test_a_quantile_of_a_minimum_is_the_smallest_that_is_likely_enough(
    sample: list[float], draws: int
) -> None:
    # Of draws with replacement from the sample, the least exceeds x with probability (share above x)^m: the
    # median is the first x where that is at most a half.
    ordered = np.sort(sample)
    above = 1 - np.arange(1, len(ordered) + 1) / len(ordered)
    first = int(np.argmax(above**draws <= 0.5 + 1e-12))
    assert quantile(sample, q=of_minimum(0.5, draws=draws)) == ordered[first]


@st.composite
def tables(draw: st.DrawFn) -> Floats:
    """(steps, batch, methods, trials) of whole numbers; the first is random search."""
    shape = [draw(st.integers(1, 4)) for _ in range(4)]
    size = math.prod(shape)
    return np.reshape(draw(st.lists(VALUES, min_size=size, max_size=size)), shape)


def scores_of(table: Floats) -> tuple[Scores, Baseline]:
    steps, batch, *_ = table.shape
    draws, best = table[:, :, 0], float(table.min())
    base = pooled_baseline(draws, batch=batch, steps=steps, best=best)
    return problem_scores(best_so_far(table), baseline=base), base


@settings(max_examples=25)
@given(tables(), st.floats(0.01, 100), st.floats(-100, 100))
def test_normalised_scores_do_not_know_the_unit(table: Floats, factor: float, shift: float) -> None:
    scores, base = scores_of(table)
    assume(not base.is_best)  # else the scale is as long as the padding
    changed, _ = scores_of(table * factor + shift)
    for field in ("normed_median", "normed_mean"):
        ours, theirs = getattr(scores, field), getattr(changed, field)
        assert theirs == pytest.approx(ours, rel=1e-6, abs=1e-6)


@settings(max_examples=25)
@given(tables())
def test_pooled_random_search_is_one_at_every_step(table: Floats) -> None:
    _, base = scores_of(table)
    scores = problem_scores(np.repeat(base.median[:, None, None], 2, axis=1), baseline=base)
    assert (scores.normed_median == 1).all()
    assert (summarise([scores, scores], baselines=[base, base]).scores.median == 1).all()


@settings(max_examples=25)
@given(tables())
def test_baselines_never_rise_and_lie_above_the_optimum(table: Floats) -> None:
    scores, base = scores_of(table)
    for level in (base.median, base.mean):
        assert (np.diff(level) <= 0).all()
        assert (level > base.optimum).all()
        assert (level <= base.clip).all()
    assert (scores.normed_mean <= 1).all()
    assert (scores.normed_mean >= 0).all()


@given(st.floats(-1e300, 1e300))
def test_the_optimum_lies_just_below_the_best(best: float) -> None:
    assert padded_optimum(best) < best
    assert padded_optimum(best) == pytest.approx(best, rel=1e-11, abs=1e-300)


# --- the two error bars of the grand mean ---------------------------------------------


def test_the_error_bar_over_these_problems_by_hand() -> None:
    # Means of (0, 2) and (1, 3): variances of the means 1 and 1; together 2 / 4, on
    # 2^2 / (1 + 1) = 2 degrees of freedom, of which t is 4.302653.
    found = fixed_problems_margin([np.array([[0.0, 2.0]]), np.array([[1.0, 3.0]])])
    assert found.tolist() == pytest.approx([4.302653 * 0.5**0.5])
    # A problem without spread adds nothing: one degree of freedom is left.
    still = fixed_problems_margin([np.array([[0.0, 2.0]]), np.array([[1.0, 1.0]])])
    assert still.tolist() == pytest.approx([12.706205 / 2])
    assert fixed_problems_margin([np.ones((1, 3))] * 2).tolist() == [0.0]
    assert fixed_problems_margin([np.ones((2, 1))]).tolist() == [math.inf] * 2


def coverage(rng: np.random.Generator, *, skewed: bool) -> tuple[float, float, float]:
    """Share of 4,000 experiments (6 problems, 10 trials) whose bars hold the truth.

    Of these very problems by their own bar, of all problems by the bar over problems, and of all problems
    by the bar over these.
    """
    size, n_problems, n_trials = 4000, 6, 10
    level = rng.beta(2, 3, (size, n_problems, 1))  # mean 0.4 over all problems
    if skewed:
        noise = rng.exponential(0.15, (size, n_problems, n_trials)) - 0.15
    else:
        noise = rng.normal(0, 0.15, (size, n_problems, n_trials))
    losses = level + noise
    mean = losses.mean(axis=(1, 2))
    here = fixed_problems_margin([losses[:, p] for p in range(n_problems)])
    ahead = mean_margin(losses.mean(axis=2))
    own = np.abs(mean - level.mean(axis=(1, 2))) <= here
    every = [np.abs(mean - 0.4) <= margin for margin in (ahead, here)]
    return float(own.mean()), float(every[0].mean()), float(every[1].mean())


@pytest.mark.parametrize("skewed", [False, True])
def test_each_error_bar_covers_what_it_is_of(skewed: bool) -> None:  # noqa: FBT001
    own, every, wrong = coverage(np.random.default_rng(7), skewed=skewed)
    assert 0.94 < own < 0.98
    assert 0.93 < every < 0.97
    assert wrong < 0.5  # the bar of these problems promises nothing on others


def test_the_optimum_scores_zero_and_the_baseline_one() -> None:
    base = Baseline(np.array([10.0]), np.array([10.0]), 12.0, 2.0, is_best=False)
    scores = [problem_scores([[[x]]], baseline=base) for x in (2.0, 6.0, 10.0, 12.0)]
    medians = [float(np.squeeze(found.normed_median)) for found in scores]
    means = [float(np.squeeze(found.normed_mean)) for found in scores]
    assert medians[:3] == pytest.approx([0, 0.5, 1])
    assert (means[0], means[3]) == pytest.approx((0, 1))


def test_a_summary_by_hand() -> None:
    """The mean in units of the baseline's mean, 4 on a scale of 10: 0.4."""
    base = Baseline(np.array([4.0]), np.array([4.0]), 10.0, 0.0, is_best=False)
    scores = [problem_scores([[[x, x]]], baseline=base) for x in (2.0, 6.0)]
    found = summarise(scores, baselines=[base, base])
    assert float(found.scores.mean[0, 0]) == pytest.approx(0.4)
    assert float(found.scores.normed_mean[0, 0]) == pytest.approx(1.0)
    assert float(found.scores.normed_median[0, 0]) == pytest.approx(0.5)
    low, high = found.scores.mean_low[0, 0], found.scores.mean_high[0, 0]
    assert found.unit.tolist() == [[pytest.approx(0.4)]]
    # Student's t of 0.2 and 0.6, with one degree of freedom: 12.706 times 0.2.
    assert found.scores.t_margin.tolist() == [[pytest.approx(2.5412, abs=1e-4)]]
    assert float(found.leaderboard[0, 0]) == pytest.approx(60.0)
    assert 0 <= low < 0.4 < high <= 1


def test_a_problem_with_one_trial_has_no_error_bar() -> None:
    several, one = np.array([[0.0, 1.0, 2.0]]), np.array([[1.0]])
    assert fixed_problems_margin([several, one]).tolist() == [math.inf]
    # Degrees of freedom are at least those of the problem with the fewest trials.
    few = np.array([[0.0, 2.0]])
    many = np.array([[0.0, 0.0, 0.0, 0.0, 0.1]])
    margin = fixed_problems_margin([few, many])
    spread = (1.0 + many.var(ddof=1) / 5) ** 0.5
    assert margin.tolist() == pytest.approx([12.5 * spread / 2], rel=0.05)
