"""Two measures at once: what a mixture of solvers and the virtual best reach at each price.

Arrays are ``quality[instance, solver]``, of which more is better, and ``price[instance, solver]``, of which
less is better. nan is a value that is not known. Prices may be negative. A budget is a mean over instances.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from aslib_eval.metrics.scale import Floats

# Two numbers that differ by less than this share of what they are taken from are equal.
_ROUNDING = 1e-12
# An interval is not given where more of the draws have no value.
_UNDEFINED = 0.05


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


class GapDraws(NamedTuple):
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
    found: list[tuple[Floats, ...]] = []
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


def curve_of(steps: Steps, weights: Floats | None = None) -> Curve:
    """The curve of some steps; weights: (n_instances,) how often each instance counts, else once."""
    counts = np.ones(len(steps.start_price)) if weights is None else weights
    of_step = counts[steps.instance]
    x, y = (
        (np.concatenate([[0.0], np.cumsum(of_step * added)]) + (counts * start).sum()) / counts.sum()
        for start, added in ((steps.start_price, steps.price), (steps.start_quality, steps.quality))
    )
    return Curve(x, y) if np.isfinite(x[0]) and np.isfinite(y[0]) else Curve(x[:0], y[:0])


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
    return float(np.trapezoid(y, x) / (most - least))


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
    several = most - least > _ROUNDING * max(abs(most), abs(least))
    if not several or not high - low > _least_span(baseline, vbs):
        return np.full(len(quality), np.nan)
    known = np.isfinite(quality) & np.isfinite(price)
    reached = [
        mean_quality(with_solver(q, p, baseline), least, most) if is_known else np.nan
        for q, p, is_known in zip(quality.tolist(), price.tolist(), known, strict=True)
    ]
    return (np.array(reached) - low) / (high - low)


def gap_intervals(
    quality: Floats, price: Floats, *, n_single: int, draws: int, seed: int, confidence: float
) -> GapDraws:
    """Intervals of the gaps and areas of all solvers, by drawing as many instances anew, with replacement.

    quality, price: (n_instances, n_solvers), of which the first ``n_single`` are the single solvers. Both
    curves are made of the drawn instances. The ends are quantiles of the draws. nan where more than one
    draw in twenty has no value.

    The interval is for the gap on all instances of the kind, with the solvers as they are: it does not hold
    what another training set would change, nor other families of instances.

    Source: Efron 1979.
    """
    random = np.random.default_rng(seed)
    n = len(quality)
    steps = vbs_steps(quality[:, :n_single], price[:, :n_single])
    gaps = np.empty((draws, quality.shape[1]))
    areas = np.empty_like(gaps)
    for draw in range(draws):
        weights = np.bincount(random.integers(n, size=n), minlength=n).astype(float)
        q, p = weights @ quality / n, weights @ price / n
        baseline, vbs = hull(p[:n_single], q[:n_single]), curve_of(steps, weights)
        gaps[draw] = budget_gap(q, p, baseline, vbs)
        areas[draw] = gap_areas(q, p, baseline, vbs)
    ends = [(1 - confidence) / 2, (1 + confidence) / 2]
    return GapDraws(*_quantiles(gaps, ends), *_quantiles(areas, ends))


def _quantiles(drawn: Floats, ends: list[float]) -> Floats:
    """The quantiles of each column without its nan; nan where these are too many."""
    few = np.isnan(drawn).mean(axis=0) <= _UNDEFINED
    found = np.full((len(ends), drawn.shape[1]), np.nan)
    if few.any():
        found[:, few] = np.nanquantile(drawn[:, few], ends, axis=0)
    return found
