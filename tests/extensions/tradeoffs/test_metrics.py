"""What mixtures of solvers and the virtual best reach at each price, and the gap between them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import linprog
from scipy.special import stdtrit

from aslib_eval.extensions.tradeoffs.metrics import (
    Curve,
    baseline_curve,
    budget_gap,
    budgets,
    gap_areas,
    gap_intervals,
    hull,
    mean_quality,
    straightened,
    value_at,
    vbs_curve,
    vbs_steps,
)
from aslib_eval.metrics.scale import Floats
from aslib_eval.statistics.means import fieller

# Two instances, a cheap and a dear solver. The dear one is better on the first instance alone.
QUALITY = np.array([[0.0, 1.0], [1.0, 1.0]])
PRICE = np.array([[1.0, 4.0], [1.0, 2.0]])


def listed(curve: Curve) -> list[tuple[float, float]]:
    return list(zip(curve.price.tolist(), curve.quality.tolist(), strict=True))


def points(*found: tuple[float, float]) -> tuple[Floats, Floats]:
    return np.array([x for x, _ in found]), np.array([y for _, y in found])


def test_the_baseline_is_between_the_two_means() -> None:
    assert listed(baseline_curve(QUALITY, PRICE)) == [(1, 0.5), (3, 1)]


def test_the_virtual_best_buys_where_it_gains() -> None:
    assert listed(vbs_curve(QUALITY, PRICE)) == [(1, 0.5), (2.5, 1)]


def test_half_of_the_way() -> None:
    # At 2 the mixture has 0.75, the virtual best 0.5 + 0.5 * 1 / 1.5.
    curves = baseline_curve(QUALITY, PRICE), vbs_curve(QUALITY, PRICE)
    assert budget_gap(0.75, 2.0, *curves) == 0
    assert budget_gap(0.5 + 1 / 3, 2.0, *curves) == pytest.approx(1)
    assert budget_gap(0.5, 2.0, *curves) == pytest.approx(-3)
    # At 2.5: mixture 0.875, best 1. Beyond 3 both are 1.
    assert budget_gap(0.9375, 2.5, *curves) == pytest.approx(0.5)
    assert np.isnan(budget_gap(1.0, 3.0, *curves))


def test_what_counts_as_rounding_is_of_the_best_quality_and_the_baseline() -> None:
    far = Curve(*points((0, -1e13), (1, 1)))  # at a price below every single solver
    assert budget_gap(0.5, 1.0, Curve(*points((1, 0))), far) == 0.5


def test_below_the_cheapest_solver_there_is_no_gap() -> None:
    curves = baseline_curve(QUALITY, PRICE), vbs_curve(QUALITY, PRICE)
    assert np.isnan(budget_gap(0.5, 0.9, *curves))
    assert np.isnan(budget_gap(0.5, 1.0, *curves))  # where both begin


@pytest.mark.parametrize(
    ("given_points", "vertices"),
    [
        (((1, 1), (2, 3), (3, 4)), ((1, 1), (2, 3), (3, 4))),
        (((1, 1), (2, 2), (3, 4)), ((1, 1), (3, 4))),  # below
        (((1, 1), (2, 2), (3, 3)), ((1, 1), (3, 3))),  # on the straight line
        (((1, 1), (3, 4), (4, 2)), ((1, 1), (3, 4))),  # dearer and worse
        (((1, 1), (1, 2), (2, 2)), ((1, 2),)),
        (((2, 1), (1, 3)), ((1, 3),)),
        (((0.1 + 0.2, 2), (0.3, 1), (1, 3)), ((0.3, 2), (1, 3))),  # one price
        (((1, 1), (2, np.nan), (np.nan, 5)), ((1, 1),)),
        ((), ()),
    ],
)
def test_hull(
    given_points: tuple[tuple[float, float], ...], vertices: tuple[tuple[float, float], ...]
) -> None:
    assert listed(hull(*points(*given_points))) == list(vertices)


def test_steps_go_up_the_hull_of_each_instance() -> None:
    # Slopes: instance 0 has 2 (0 to 1) and 0.5 (1 to 3); instance 1 has 1 (straight to the last).
    quality = np.array([[0.0, 2.0, 3.0], [0.0, 0.5, 2.0]])
    price = np.array([[0.0, 1.0, 3.0], [0.0, 1.0, 2.0]])
    steps = vbs_steps(quality, price)
    assert steps.instance.tolist() == [0, 1, 0]
    assert steps.price.tolist() == [1, 2, 2]
    assert steps.quality.tolist() == [2, 2, 1]


def test_an_unknown_value_is_not_bought() -> None:
    quality = np.array([[0.0, 1.0, 5.0], [1.0, 1.0, 1.0]])
    price = np.array([[1.0, 4.0, np.nan], [1.0, 2.0, 3.0]])
    assert listed(vbs_curve(quality, price)) == [(1, 0.5), (2.5, 1)]
    assert listed(baseline_curve(quality, price)) == [(1, 0.5), (3, 1)]
    quality[1] = np.nan
    assert listed(vbs_curve(quality, price)) == []
    assert np.isnan(budget_gap(1.0, 2.0, baseline_curve(QUALITY, PRICE), vbs_curve(quality, price)))


def test_a_curve_is_constant_after_its_last_vertex() -> None:
    curve = Curve(*points((1, 2), (3, 6)))
    found = value_at(curve, np.array([0.5, 1, 2, 3, 9, np.nan]))
    np.testing.assert_array_equal(found, [np.nan, 2, 4, 6, 6, np.nan])


def test_what_is_left_of_a_sum_is_not_below_the_first_vertex() -> None:
    curve = Curve(*points((0.3, 2), (1, 3)))
    assert value_at(curve, np.nextafter(0.3, 0)) == 2
    assert np.isnan(value_at(curve, 0.3 - 1e-9))


def test_where_nothing_is_known_there_is_no_curve() -> None:
    unknown = np.full((2, 2), np.nan)
    assert listed(vbs_curve(unknown, unknown)) == listed(baseline_curve(unknown, unknown)) == []
    assert np.isnan(gap_intervals(unknown, unknown, n_single=2, confidence=0.95)).all()


def test_mean_quality_is_over_the_budgets() -> None:
    curve = Curve(*points((1, 2), (3, 6)))
    assert mean_quality(curve, 1, 3) == 4
    assert mean_quality(curve, 2, 4) == (5 + 6) / 2
    assert mean_quality(curve, 2, 2) == 4
    assert np.isnan(mean_quality(curve, 0, 2))
    assert mean_quality(Curve(*points((0, 1e300), (1e12, 1e300))), 0, 1e12) == 1e300


def test_area() -> None:
    # From 1 to 3: baseline 0.75 in the mean; best (0.75 * 1.5 + 0.5) / 2 = 0.8125. Half of the way up at 2
    # is a triangle over the baseline of height 1/24 and mean 1/48, of 1/16.
    curves = baseline_curve(QUALITY, PRICE), vbs_curve(QUALITY, PRICE)
    assert budgets(*curves) == (1, 3)
    found = gap_areas(np.array([0.75 + 1 / 24, 0.5, 1.0, np.nan]), np.array([2.0, 2.0, 2.5, 1.0]), *curves)
    np.testing.assert_allclose(found, [1 / 3, 0, 1, np.nan])


def test_area_up_to_the_price_of_the_virtual_best() -> None:
    # The first solver is the best and the cheapest; the other answers the third instance.
    quality, price = np.array([[1.0, 0], [1, 0], [0, 1]]), np.array([[1.0, 4]] * 3)
    curves = baseline_curve(quality, price), vbs_curve(quality, price)
    assert budgets(*curves) == (1, 2)
    found = gap_areas(np.array([1.0, 2 / 3]), np.array([2.0, 1.0]), *curves)
    np.testing.assert_allclose(found, [1, 0], atol=1e-12)


def test_no_area_where_the_curves_coincide() -> None:
    same = np.ones((3, 2))
    curves = baseline_curve(same, PRICE[[0, 1, 1]]), vbs_curve(same, PRICE[[0, 1, 1]])
    assert np.isnan(gap_areas(np.array([1.0]), np.array([2.0]), *curves)).all()
    curves = baseline_curve(np.eye(2), np.full((2, 2), 3.0)), vbs_curve(np.eye(2), np.full((2, 2), 3.0))
    assert curves[0].price == curves[1].price == 3  # nor where there is one budget alone
    assert np.isnan(gap_areas(np.array([1.0]), np.array([3.0]), *curves)).all()


def test_straightened_keeps_what_bends() -> None:
    curve = Curve(*points((0, 0), (1, 2), (2, 4), (3, 5), (4, 5)))
    assert listed(straightened(curve)) == [(0, 0), (2, 4), (3, 5), (4, 5)]
    assert listed(straightened(Curve(*points((0, 0), (1, 1), (2, 2))))) == [(0, 0), (2, 2)]
    # What is straight is said by the slope before, not by the first one; a step of no price is kept.
    for kept in ([(0, 0), (1, 1), (2, 1 + 1e-10), (3, 1 + 1.5e-10)], [(1, 1), (1, 2), (2, 2.5)]):
        assert listed(straightened(Curve(*points(*kept)))) == kept


def test_prices_that_are_equal_beside_the_largest_are_one_vertex() -> None:
    found = hull(*points((1, 0.5), (1 + 1e-10, 0.75), (1000, 1)))
    assert listed(found) == [(1, 0.75), (1000, 1)]


# Laws.


@st.composite
def tables(draw: st.DrawFn) -> tuple[Floats, Floats]:
    shape = draw(st.tuples(st.integers(1, 4), st.integers(1, 4)))
    cells = st.integers(0, 5).map(float)
    return draw(arrays(float, shape, elements=cells)), draw(arrays(float, shape, elements=cells))


def best_choice(quality: Floats, price: Floats, budget: float) -> float:
    """The best mean quality of a mixture on each instance, by linear programming."""
    n, k = quality.shape
    one_each = np.kron(np.eye(n), np.ones(k))
    limit = [n * budget + 1e-9]
    found = linprog(-quality.ravel(), price.ravel()[None], limit, one_each, np.ones(n))
    return float(-found.fun / n)


@given(tables())
@settings(max_examples=25, deadline=None)
def test_both_curves_are_the_best_that_there_is(table: tuple[Floats, Floats]) -> None:
    quality, price = table
    baseline, vbs = baseline_curve(quality, price), vbs_curve(quality, price)
    assert vbs.price[0] == pytest.approx(price.min(axis=1).mean())
    assert baseline.price[0] == pytest.approx(price.mean(axis=0).min())
    for budget in np.linspace(baseline.price[0], price.max(), 4):
        assert value_at(vbs, budget) == pytest.approx(best_choice(quality, price, budget), abs=1e-6)
        means = quality.mean(axis=0)[None], price.mean(axis=0)[None]
        assert value_at(baseline, budget) == pytest.approx(best_choice(*means, budget), abs=1e-6)


@given(tables())
def test_curves_are_concave_and_do_not_fall(table: tuple[Floats, Floats]) -> None:
    for curve in (baseline_curve(*table), vbs_curve(*table), straightened(vbs_curve(*table))):
        rise, run = np.diff(curve.quality), np.diff(curve.price)
        assert (rise >= 0).all()
        assert (run >= 0).all()
        assert (np.diff(rise[run > 0] / run[run > 0]) <= 1e-9).all()


@given(tables())
def test_straightening_changes_no_value(table: tuple[Floats, Floats]) -> None:
    curve = vbs_curve(*table)
    at = np.linspace(curve.price[0], curve.price[-1], 7)
    np.testing.assert_allclose(value_at(straightened(curve), at), value_at(curve, at), atol=1e-12)


def of_choice(table: tuple[Floats, Floats], choice: Floats) -> tuple[float, float]:
    at = np.arange(len(choice)), choice.astype(int)
    return float(table[0][at].mean()), float(table[1][at].mean())


@given(tables())
def test_no_single_solver_is_above_the_baseline(table: tuple[Floats, Floats]) -> None:
    quality, price = table
    means = quality.mean(axis=0), price.mean(axis=0)
    baseline, vbs = baseline_curve(quality, price), vbs_curve(quality, price)
    gaps = budget_gap(*means, baseline, vbs)
    assert (gaps[np.isfinite(gaps)] <= 1e-9).all()
    at_vertices = budget_gap(baseline.quality, baseline.price, baseline, vbs)
    assert (np.isnan(at_vertices) | (abs(at_vertices) < 1e-9)).all()
    areas = gap_areas(*means, baseline, vbs)
    assert (np.isnan(areas) | (abs(areas) < 1e-9)).all()


@given(tables(), st.data())
def test_no_choice_is_above_the_virtual_best(table: tuple[Floats, Floats], data: st.DataObject) -> None:
    n, k = table[0].shape
    choice = data.draw(arrays(int, n, elements=st.integers(0, k - 1)))
    quality, price = of_choice(table, choice)
    baseline, vbs = baseline_curve(*table), vbs_curve(*table)
    gap = budget_gap(quality, price, baseline, vbs)
    assert np.isnan(gap) or gap <= 1 + 1e-9
    (area,) = gap_areas(np.array([quality]), np.array([price]), baseline, vbs)
    assert np.isnan(area) or -1e-9 <= area <= 1 + 1e-9
    on_vbs = budget_gap(vbs.quality, vbs.price, baseline, vbs)
    assert (np.isnan(on_vbs) | (abs(on_vbs - 1) < 1e-9)).all()


@given(tables(), st.data())
def test_units_do_not_matter(table: tuple[Floats, Floats], data: st.DataObject) -> None:
    quality, price = table
    n, k = quality.shape
    choice = data.draw(arrays(int, n, elements=st.integers(0, k - 1)))
    found = []
    for a, b, c, d in ((1.0, 0.0, 1.0, 0.0), (0.01, 7.0, 1e-6, 0.0), (3.0, -5.0, 1000.0, -2.0)):
        other = a * quality + b, c * price + d
        curves = baseline_curve(*other), vbs_curve(*other)
        q, p = (np.array([value]) for value in of_choice(other, choice))
        found.append((*budget_gap(q, p, *curves), *gap_areas(q, p, *curves)))
    np.testing.assert_allclose(found[1], found[0], atol=1e-6)
    np.testing.assert_allclose(found[2], found[0], atol=1e-6)


@given(tables(), st.data())
def test_at_one_price_for_all_it_is_the_closed_gap(
    table: tuple[Floats, Floats], data: st.DataObject
) -> None:
    quality = table[0]
    n, k = quality.shape
    price = np.full_like(quality, 3.0)
    choice = data.draw(arrays(int, n, elements=st.integers(0, k - 1)))
    mean, _ = of_choice((quality, price), choice)
    sbs, vbs = quality.mean(axis=0).max(), quality.max(axis=1).mean()
    gap = budget_gap(mean, 3.0, baseline_curve(quality, price), vbs_curve(quality, price))
    if vbs - sbs > 1e-12:
        assert gap == pytest.approx((mean - sbs) / (vbs - sbs))
    else:
        assert np.isnan(gap)


@given(tables())
def test_without_a_difference_in_quality_there_is_no_gap(table: tuple[Floats, Floats]) -> None:
    quality, price = np.ones_like(table[0]), table[1]
    gaps = budget_gap(1.0, price.mean(axis=0), baseline_curve(quality, price), vbs_curve(quality, price))
    assert np.isnan(gaps).all()


# Intervals.


def drawn(n: int, seed: int) -> tuple[Floats, Floats]:
    random = np.random.default_rng(seed)
    quality = (random.random((n, 3)) < [0.5, 0.7, 0.6]).astype(float)
    price = random.random((n, 3)) * [1, 5, 2]
    return quality, price


def intervals(quality: Floats, price: Floats, *, confidence: float = 0.95) -> Floats:
    return np.array(gap_intervals(quality, price, n_single=2, confidence=confidence))


@pytest.mark.parametrize(
    ("seed", "budget"),
    [*((seed, b) for seed in (1, 2, 3) for b in ("of the best", "tailed")), (1, "of VBS")],
)
def test_ends_are_as_far_as_the_jackknife_says(seed: int, budget: str) -> None:
    n = 900 if budget == "of VBS" else 150
    quality, price = drawn(n, seed)
    if budget == "of VBS":  # the cheap one is the best, and the dear one is right on all others
        random = np.random.default_rng(seed)
        quality[:, 0] = random.random(n) < 0.75
        quality[:, 1] = 1 - quality[:, 0]
        quality[:, 2] = np.maximum(quality[:, 0], random.random(n) < 0.8)
        price[:, 1] = price[:, 0] + 1 + random.random(n)
        price[:, 2] = price[:, 0] + 0.5 * random.random(n)
    elif budget == "tailed":  # the largest budget varies
        quality[:, 1] = np.maximum(quality[:, 1], price[:, 1] > 1)
        quality[:, 2] = np.maximum(quality[:, 2], 0.5)
        price[:, 1] **= 4
        price[:, 1] /= 25
    else:
        quality[:, 1] = np.maximum(quality[:, 1], quality[:, 0])  # it is the best for sure, and dear
        quality[:, 2] = np.maximum(quality[:, 2], quality[:, 0])  # and the third one improves it

    def both(kept: list[int]) -> list[float]:
        q, p = quality[kept], price[kept]
        curves = baseline_curve(q[:, :2], p[:, :2]), vbs_curve(q[:, :2], p[:, :2])
        means = q.mean(axis=0), p.mean(axis=0)
        return [budget_gap(*means, *curves)[2], gap_areas(*means, *curves)[2]]

    without = np.array([both([i for i in range(n) if i != gone]) for gone in range(n)])
    error = np.sqrt((n - 1) / n * np.square(without - without.mean(axis=0)).sum(axis=0))
    found = intervals(quality, price)[:, 2]
    half = np.array([found[1] - found[0], found[3] - found[2]]) / 2
    assert half == pytest.approx(stdtrit(n - 1, 0.975) * error, rel=0.1)


def test_the_interval_of_a_gap_by_hand() -> None:
    # A has 0.5 at 1, B 1 at 3: at the price 2 of s mixtures have 0.75, and VBS, which buys B twice, has 1.
    quality = np.tile([[1, 1, 1], [0, 1, 1], [1, 1, 0], [0, 1, 1.0]], (10, 1))
    price = np.tile([1, 3, 2.0], (40, 1))
    above, below = np.tile([0, 0.5, -1, 0.5], 10), np.tile([0, 0.5, 0, 0.5], 10)
    (lower,), (upper,) = fieller(above[:, None], below, level=0.95)
    assert intervals(quality, price)[:2, 2] == pytest.approx([lower, upper])


def test_at_a_vertex_the_slope_after_it_counts() -> None:
    # B gains 2 or 1 for 1 more: VBS bends at 1.5, the price of s. From there on 1 more gains 1.
    quality = np.tile([[0, 2, 2], [0, 1, 0.5], [0, 2, 1], [0, 1, 0.5]], (10, 1))
    price = np.tile([1, 2, 1.5], (40, 1))
    above, below = np.tile([1.0, 0, 0, 0], 10), np.tile([0.5, 0, 0.5, 0], 10)
    (lower,), (upper,) = fieller(above[:, None], below, level=0.95)
    assert intervals(quality, price)[:2, 2] == pytest.approx([lower, upper])


def test_areas_have_intervals_where_the_budgets_are_sure() -> None:
    quality, price = drawn(300, 1)
    quality[:, 2] = 1
    assert np.isnan(intervals(quality, price)[2:, 2]).all()  # 0.7 is not clearly more than 0.5
    quality[:, 1] = np.maximum(quality[:, 1], quality[:, 0])
    assert np.isfinite(intervals(quality, price)[2:, 2]).all()
    assert np.isfinite(intervals(quality[:100], price[:100])[2:, 2]).all()
    assert np.isnan(intervals(quality[:99], price[:99])[2:, 2]).all()
    # The cheap one is best by chance: VBS, which buys more, has the largest budget, but not for sure.
    quality[:, :2] = np.arange(300)[:, None] % 2 == [0, 1]
    quality[:3, 0] = 1
    assert np.isnan(intervals(quality, price)[2:, 2]).all()


def test_who_is_best_for_sure_is_asked_of_each_single_solver() -> None:
    # The second is ahead of the first by 0.1 on each instance, and of the third by 0.9.
    quality = np.tile([0.9, 1.0, 0.1, 1.0], (300, 1))
    price = np.random.default_rng(1).random((300, 4)) * [1, 5, 2, 2]
    found = gap_intervals(quality, price, n_single=3, confidence=0.95)
    assert np.isfinite([found.area_lower[3], found.area_upper[3]]).all()


def test_an_interval_does_not_hang_on_units() -> None:
    quality, price = drawn(60, 1)
    found = intervals(1e-13 * quality, 1e6 * price)
    np.testing.assert_allclose(found, intervals(quality, price), rtol=1e-6)


def test_one_that_is_itself_the_best_mixture_has_no_interval() -> None:
    assert np.isnan(intervals(*drawn(60, 1))[:, 0]).all()


def test_an_interval_holds_the_gap_and_narrows() -> None:
    quality, price = drawn(200, 1)
    curves = baseline_curve(quality[:, :2], price[:, :2]), vbs_curve(quality[:, :2], price[:, :2])
    gap = budget_gap(quality.mean(axis=0), price.mean(axis=0), *curves)[2]
    lower, upper = intervals(quality, price)[:2, 2]
    inner = intervals(quality, price, confidence=0.5)[:2, 2]
    assert lower < inner[0] < gap < inner[1] < upper


def test_there_is_no_interval_where_the_curves_coincide() -> None:
    quality, price = np.tile([0.0, 1, 0.9], (5, 1)), np.tile([1.0, 2, 1.5], (5, 1))
    assert np.isnan(intervals(quality, price)).all()


def test_a_solver_without_a_price_has_no_interval() -> None:
    quality, price = drawn(50, 1)
    price[3, 2] = np.nan
    found = intervals(quality, price)
    assert np.isnan(found[:, 2]).all()
    assert np.isnan(found[:2, :2]).all()
