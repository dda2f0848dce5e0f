"""Two measures at once: what a mixture of solvers and the virtual best reach at each price.

Arrays are ``quality[instance, solver]``, of which more is better, and ``price[instance, solver]``, of which
less is better. nan is a value that is not known. Prices may be negative. A budget is a mean over instances.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from aslib_eval.metrics.scale import Floats
from aslib_eval.statistics.means import fieller

# Two numbers that differ by less than this share of what they are taken from are equal.
_ROUNDING = 1e-12
# An area has an interval of so many instances, where the best solver is ahead by so many standard errors.
_FEWEST, _SURE = 100, 5.0


class Curve(NamedTuple):
    """The best mean quality at each budget: vertices in order of price.

    It is straight between vertices, concave and not decreasing; constant after the last vertex, and
    undefined before the first. No vertex: undefined everywhere.
    """

    price: Floats
    quality: Floats


class Steps(NamedTuple):
    """What the virtual best solver may buy, the most quality for its price first.

    start_price, start_quality: (n_instances,) of the cheapest solver, of several the best; nan where no
    solver is known. instance, price, quality: of each step what it adds there.
    """

    start_price: Floats
    start_quality: Floats
    instance: np.ndarray[tuple[int], np.dtype[np.intp]]
    price: Floats
    quality: Floats


class GapIntervals(NamedTuple):
    """Intervals of each solver's gap at its price and of its area; nan where there is none."""

    lower: Floats
    upper: Floats
    area_lower: Floats
    area_upper: Floats


def hull(price: Floats, quality: Floats) -> Curve:
    """The best quality that a mixture of some points reaches at each price.

    price, quality: (n_points,); a point with a nan is left out. The first vertex is the cheapest point, of
    several the best; the last is the best point, of several the cheapest.

    Source: Hu et al. 2024 (RouterBench), section 3, the non-decreasing convex hull.
    """
    known = np.isfinite(price) & np.isfinite(quality)
    points = sorted(zip(price[known].tolist(), (-quality[known]).tolist(), strict=True))
    same = _ROUNDING * max((abs(x) for x, _ in points), default=0.0)
    kept: list[tuple[float, float]] = []
    for found, minus in points:
        x, y = found, -minus
        if kept and y <= kept[-1][1]:
            continue
        if kept and x - kept[-1][0] <= same:
            x, _ = kept.pop()
        while len(kept) > 1:
            (x0, y0), (x1, y1) = kept[-2:]
            if (y1 - y0) * (x - x0) > (y - y0) * (x1 - x0):
                break
            kept.pop()
        kept.append((x, y))
    return Curve(np.array([x for x, _ in kept]), np.array([y for _, y in kept]))


def baseline_curve(quality: Floats, price: Floats) -> Curve:
    """The best mean quality of a random mixture of single solvers of a mean price within the budget.

    quality, price: (n_instances, n_solvers) of single solvers. A solver with a nan on any instance has no
    mean, and takes no part.
    """
    return hull(price.mean(axis=0), quality.mean(axis=0))


def vbs_steps(quality: Floats, price: Floats) -> Steps:
    """What the virtual best solver may buy on each instance, in the order in which it buys.

    quality, price: (n_instances, n_solvers). Each instance begins with its cheapest solver and goes up its
    own hull: the next solver is the one that adds most quality for its price, of several the dearest.

    Source: Dantzig 1957 (the fractional knapsack); Kellerer, Pferschy and Pisinger 2004, chapter 11 (one
    choice of each class).
    """
    known = np.isfinite(price) & np.isfinite(quality)
    price = np.where(known, price, np.inf)
    quality = np.where(known, quality, -np.inf)
    rows = np.arange(len(price))
    cheapest = price == price.min(axis=1, keepdims=True)
    at = np.where(cheapest, quality, -np.inf).argmax(axis=1)
    start_price, start_quality = price[rows, at], quality[rows, at]
    without = ~known.any(axis=1)
    start_price[without] = start_quality[without] = np.nan
    found: list[tuple[Floats, ...]] = [(np.zeros(0),) * 4]
    left = rows[~without]
    x, y = start_price[left], start_quality[left]
    while len(left):
        dearer, better = price[left] - x[:, None], quality[left] - y[:, None]
        with np.errstate(divide="ignore", invalid="ignore"):
            slope = np.where((better > 0) & (dearer > 0), better / dearer, -np.inf)
        steepest = slope.max(axis=1)
        going = steepest > 0
        left, steepest, slope, dearer, better = (a[going] for a in (left, steepest, slope, dearer, better))
        at = np.where(slope == steepest[:, None], dearer, -np.inf).argmax(axis=1)
        own = np.arange(len(left))
        x, y = price[left, at], quality[left, at]
        found.append((left.astype(float), dearer[own, at], better[own, at], steepest))
    instance, dearer, better, slope = (np.concatenate(parts) for parts in zip(*found, strict=True))
    order = np.argsort(-slope, kind="stable")
    return Steps(start_price, start_quality, instance[order].astype(np.intp), dearer[order], better[order])


def vbs_curve(quality: Floats, price: Floats) -> Curve:
    """The best mean quality of a choice for each instance of a mean price within the budget.

    quality, price: (n_instances, n_solvers). A choice may be a mixture of two solvers on an instance, which
    at most one instance needs. An instance without a known solver leaves no vertex.
    """
    return curve_of(vbs_steps(quality, price))


def curve_of(steps: Steps) -> Curve:
    """The curve of some steps."""
    x, y = (
        (np.concatenate([[0.0], np.cumsum(added)]) + start.sum()) / len(start)
        for start, added in ((steps.start_price, steps.price), (steps.start_quality, steps.quality))
    )
    return Curve(x, y) if np.isfinite(x[0]) else Curve(x[:0], y[:0])


def straightened(curve: Curve) -> Curve:
    """The same curve without the vertices that lie on a straight part of it."""
    x, y = curve
    if len(x) <= 2:  # noqa: PLR2004 - a straight line
        return curve
    slope = np.diff(y) / np.where(np.diff(x) > 0, np.diff(x), np.inf)
    bends = np.abs(np.diff(slope)) > 1e-9 * np.abs(slope[:-1])
    kept = np.concatenate([[True], bends, [True]])
    return Curve(x[kept], y[kept])


def value_at(curve: Curve, budget: Floats | float) -> Floats:
    """The quality of a curve at some budgets; nan below its first vertex, and for a budget that is nan."""
    budget = np.asarray(budget, dtype=float)
    if not len(curve.price):
        return np.full(budget.shape, np.nan)
    found = np.interp(budget, curve.price, curve.quality)
    least = curve.price[0] - _ROUNDING * max(abs(curve.price[0]), abs(curve.price[-1]))
    return np.where(budget >= least, found, np.nan)


def budget_gap(quality: Floats | float, price: Floats | float, baseline: Curve, vbs: Curve) -> Floats:
    """The share of the way from a mixture of single solvers to the virtual best, at a solver's own price.

    quality, price: means of each solver. 0 is on ``baseline``, 1 on ``vbs``; below 0 a mixture of single
    solvers is better for the same price. nan where the price is below the first vertex of a curve, and
    where both curves coincide there. With one price for all it is the closed gap.

    Source: Amadini et al. 2023, Definition 3, which knows one measure.
    """
    low, high = value_at(baseline, price), value_at(vbs, price)
    span = high - low
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(span > _least_span(baseline, vbs), (quality - low) / span, np.nan)


def _least_span(baseline: Curve, vbs: Curve) -> float:
    """What two curves have to differ by; what is left of sums is no difference."""
    ends = np.concatenate([baseline.quality[:1], vbs.quality[-1:]])
    if not len(baseline.price) or not len(vbs.price):
        return np.inf
    return max(_ROUNDING * float(np.ptp(ends)), 8 * np.finfo(float).eps * float(np.abs(ends).max()))


def budgets(baseline: Curve, vbs: Curve) -> tuple[float, float]:
    """The budgets between which a curve changes: the cheapest single solver's price, and the last vertex.

    nan without vertices.
    """
    if not len(baseline.price) or not len(vbs.price):
        return np.nan, np.nan
    return float(baseline.price[0]), float(max(baseline.price[-1], vbs.price[-1]))


def mean_quality(curve: Curve, least: float, most: float) -> float:
    """The mean of a curve over budgets; its value where there is one budget alone.

    nan where the curve is undefined at the least budget. Over the prices of single solvers it is AIQ.

    Source: Hu et al. 2024 (RouterBench), section 3 (AIQ).
    """
    ends = value_at(curve, np.array([least, most]))
    if not np.isfinite(ends).all() or most <= least:
        return float(ends[0])
    inside = (curve.price > least) & (curve.price < most)
    x = np.concatenate([[least], curve.price[inside], [most]])
    y = np.concatenate([ends[:1], curve.quality[inside], ends[1:]])
    return float(np.trapezoid(y, (x - least) / (most - least)))


def with_solver(quality: float, price: float, baseline: Curve) -> Curve:
    """The curve of mixtures of single solvers and one solver more."""
    return hull(np.append(baseline.price, price), np.append(baseline.quality, quality))


def gap_areas(quality: Floats, price: Floats, baseline: Curve, vbs: Curve) -> Floats:
    """The share of the area between the two curves that each solver adds, mixed with single solvers.

    quality, price: means of each solver. The area is over ``budgets``. 0 is a solver that improves no
    mixture, 1 the virtual best at every budget. nan for a solver without a mean, and for all where the
    curves coincide or there is one budget alone.
    """
    least, most = budgets(baseline, vbs)
    low, high = mean_quality(baseline, least, most), mean_quality(vbs, least, most)
    if not most - least > _ROUNDING * abs(most) or not high - low > _least_span(baseline, vbs):
        return np.full(len(quality), np.nan)
    known = np.isfinite(quality) & np.isfinite(price)
    reached = [
        mean_quality(with_solver(q, p, baseline), least, most) if is_known else np.nan
        for q, p, is_known in zip(quality.tolist(), price.tolist(), known, strict=True)
    ]
    return (np.array(reached) - low) / (high - low)


def gap_intervals(quality: Floats, price: Floats, *, n_single: int, confidence: float) -> GapIntervals:
    """Intervals of each solver's ``budget_gap`` and of its ``gap_areas``.

    quality, price: (n_instances, n_solvers), single solvers first. Gap and area are ratios of two means
    over the instances, as far as a small change of the instances changes them: at each price both curves
    are linear in the instances (by the dual of the linear program that each is), the price of the solver
    moves along them. Fieller's interval of such a ratio needs no draws, and covers what it promises of few
    instances too: docs/data/simulations.md. nan without a gap, for one instance, where the instances do
    not tell the two curves apart, and for a solver that is itself the best mixture, or improves none: there
    a small change is not all. Of areas see also ``_ends``.

    The interval is for the gap on all instances of the kind, with the solvers as they are: it does not hold
    what another training set would change, nor other families of instances.

    Source: Fieller 1954; Hampel 1974 (influence); Dantzig 1957 (the dual price of a knapsack).
    """
    singles, costs = quality[:, :n_single], price[:, :n_single]
    steps, baseline = vbs_steps(singles, costs), baseline_curve(singles, costs)
    vbs = curve_of(steps)
    q, p = quality.mean(axis=0), price.mean(axis=0)
    found = np.full((4, len(q)), np.nan)
    for at in np.flatnonzero(np.isfinite(budget_gap(q, p, baseline, vbs))):
        low, rise = _of_mixtures(baseline, quality, price, p[at], p[at])
        high, steeper = _of_steps(vbs, steps, p[at], p[at])
        low, high = low + rise * price[:, at], high + steeper * price[:, at]
        found[:2, at] = _interval(quality[:, at] - low, high - low, confidence)
    with_area = np.flatnonzero(np.isfinite(gap_areas(q, p, baseline, vbs)))
    if len(with_area) and (ends_of := _ends(singles, costs, steps, baseline, vbs)):
        least, most = budgets(baseline, vbs)
        first, last = ends_of

        def over_all(curve: Curve, values: Floats) -> Floats:
            ends = value_at(curve, np.array([least, most]))
            return np.asarray(values + ends[1] * last - ends[0] * first)

        low = over_all(baseline, _of_mixtures(baseline, quality, price, least, most)[0])
        high = over_all(vbs, _of_steps(vbs, steps, least, most)[0])
        for at in with_area:
            own = with_solver(q[at], p[at], baseline)
            reached = over_all(own, _of_mixtures(own, quality, price, least, most)[0])
            found[2:, at] = _interval(reached - low, high - low, confidence)
    return GapIntervals(*found)


def _interval(above: Floats, below: Floats, confidence: float) -> tuple[float, float]:
    """Fieller's interval of the ratio of the means; nan where it has no ends, or one is 0 throughout."""
    (lower,), (upper,) = fieller(above[:, None], below, level=confidence)
    varies = np.abs(above).max() > _ROUNDING * np.abs(below).max()
    return (float(lower), float(upper)) if varies and np.isfinite(upper - lower) else (np.nan, np.nan)


def _taken(curve: Curve, least: float, most: float) -> tuple[Floats, Floats, float]:
    """What is bought of each part of a curve, in the mean over all budgets from least to most.

    The share of it, that share times the curve's slope at the budget, and the slope itself.
    """
    x, y = curve
    begin, end, width = x[:-1], x[1:], np.diff(x)
    per_width = np.divide(1.0, width, out=np.zeros_like(width), where=width > 0)
    slope = np.diff(y) * per_width
    if most > least:
        first, last = np.clip(begin, least, most), np.clip(end, least, most)
        inside = (last - first) / (most - least) * ((first + last) / 2 - begin) * per_width
        top, whole = value_at(curve, most), most - least
        behind, later = np.asarray((most - last) / whole), (top - value_at(curve, last)) / whole
        mean = float((top - value_at(curve, least)) / whole)
    else:
        within = (begin <= least) & (least < end)
        inside = within * (least - begin) * per_width
        mean = float(slope[within].sum())
        behind = np.where(end <= least, 1.0, 0.0)
        later = behind * mean
    return np.asarray(inside + behind), np.asarray(inside * slope + later), mean


def _of_steps(vbs: Curve, steps: Steps, least: float, most: float) -> tuple[Floats, float]:
    """(n_instances,) values with the mean of the curve over some budgets, and its mean slope."""
    share, paid, slope = _taken(vbs, least, most)
    bought = np.bincount(
        steps.instance, share * steps.quality - paid * steps.price, minlength=len(steps.start_price)
    )
    values = steps.start_quality - slope * steps.start_price + bought
    return values + _level(vbs, least, most, slope) - values.mean(), slope


def _of_mixtures(
    curve: Curve, quality: Floats, price: Floats, least: float, most: float
) -> tuple[Floats, float]:
    """The same of mixtures of solvers, whose means are the vertices of the curve."""
    share, paid, slope = _taken(curve, least, most)
    q, p = quality.mean(axis=0), price.mean(axis=0)
    at = [int(np.nanargmin(np.abs(q - y) + np.abs(p - x))) for x, y in zip(*curve, strict=True)]
    quality, price = quality[:, at], price[:, at]
    bought = np.diff(quality, axis=1) @ share - np.diff(price, axis=1) @ paid
    values = quality[:, 0] - slope * price[:, 0] + bought
    return values + _level(curve, least, most, slope) - values.mean(), slope


def _level(curve: Curve, least: float, most: float, slope: float) -> float:
    """The mean of the curve, without what the price of a solver adds where there is one budget."""
    return mean_quality(curve, least, most) - (slope * least if most == least else 0.0)


def _ends(
    quality: Floats, price: Floats, steps: Steps, baseline: Curve, vbs: Curve
) -> tuple[Floats, Floats] | None:
    """(n_instances,) how far each price is from the least and the largest budget, over their distance.

    None for few instances, and where they do not show for sure which single solver is the best: with other
    instances the largest budget may be the price of another solver, far away.
    """
    if len(price) < _FEWEST:
        return None
    least, most = budgets(baseline, vbs)
    means = price.mean(axis=0)
    first, best = (int(np.nanargmin(np.abs(means - end))) for end in (least, baseline.price[-1]))
    ahead = quality[:, [best]] - np.delete(quality, best, axis=1)
    if (ahead.mean(axis=0) <= _SURE * ahead.std(axis=0) / np.sqrt(len(ahead))).any():
        return None
    last = price[:, best]
    if vbs.price[-1] >= baseline.price[-1]:
        last = steps.start_price + np.bincount(steps.instance, steps.price, minlength=len(price))
    return (price[:, first] - least) / (most - least), (last - most) / (most - least)
