"""The figure of two measures, and the section of a page on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import polars as pl

from aslib_eval.analysis.results import ScenarioResults
from aslib_eval.extensions.tradeoffs.analysis import Tradeoff, tradeoffs
from aslib_eval.extensions.tradeoffs.metrics import Curve
from aslib_eval.extensions.tradeoffs.second import has_second, second_means, who_is_best
from aslib_eval.figures.catalogue import FigureEntry
from aslib_eval.figures.chart import Chart, Dots, Line, Linear, Logarithmic, Texts
from aslib_eval.metrics.scale import Floats
from aslib_eval.reports.html import Header, HtmlTable, Section, figure, join, paragraph
from aslib_eval.text import brief, plural, significant, with_unit

_LABELLED = 12  # solvers of a chart that all have their names beside them
_FAR = 30.0  # factor between prices from which their axis is logarithmic
_STEPS = 24  # parts of a straight line that is bent on a logarithmic axis
_DRAWN = 600  # points of a curve: more cannot be told apart


# The figure.


@dataclass(frozen=True)
class _Means:
    """Means of the solvers of which every price is known, with halves of their 95 % intervals.

    quality: in its own direction.
    """

    solvers: Sequence[tuple[str, str]]
    quality: Floats
    price: Floats
    quality_half: Floats
    price_half: Floats

    @classmethod
    def of(cls, found: Tradeoff, sign: int) -> _Means:
        known = [not np.isnan(column).any() for column in (found.quality + found.price).T]
        quality, price = found.quality[:, known], found.price[:, known]
        solvers = [solver for solver, there in zip(found.solvers, known, strict=True) if there]
        return cls(solvers, sign * quality.mean(axis=0), price.mean(axis=0), _half(quality), _half(price))


def _half(values: Floats) -> Floats:
    """Half of Student's 95 % interval of the mean of each column; 0 of one row."""
    from scipy.special import stdtrit

    n = len(values)
    if n == 1:
        return np.zeros(values.shape[1])
    return np.asarray(values.std(axis=0, ddof=1) * stdtrit(n - 1, 0.975) / np.sqrt(n))


def tradeoff_chart(
    found: Tradeoff, *, maximize: bool, unit: str | None, about: str, population: str
) -> Chart | None:
    """Solvers by their means of both measures; their front and mixtures, and VBS at each price.

    maximize: whether more of the first measure is better. unit: of the second. The crosses are Student's
    95 % intervals of each mean by itself. Prices that are far apart have a logarithmic axis. None where no
    solver has a price on every instance.
    """
    sign = 1 if maximize else -1
    means = _Means.of(found, sign)
    if not means.solvers:
        return None
    curves = [curve for curve in (found.vbs, found.baseline) if len(curve.price)]
    starts = [float(curve.price[0]) for curve in curves]
    high = float(max([*(curve.price[-1] for curve in curves), *(means.price + means.price_half)]))
    least = min([*starts, float(means.price.min())])
    bent = least > 0 and high > _FAR * least
    low = least if bent else min([*starts, float((means.price - means.price_half).min())])
    front = _front(sign * means.quality, means.price)
    best = [[float(means.price[at]), float(means.quality[at])] for at in front]
    looks = {"VBS at a mean price": ("c1", "6 2"), "mixtures of algorithms": ("ink", None)}
    lines = [
        Line(_points(curve, sign, high, bent=bent), name, color, width=1.8, dash=dash)
        for curve, (name, (color, dash)) in zip((found.vbs, found.baseline), looks.items(), strict=True)
        if len(curve.price)
    ]
    lines.append(Line([*best, [high, best[-1][1]]], "best solver", "faint", step=True, dash="2 2"))
    heights = [y for line in lines for _, y in line.points]
    heights += [*(means.quality - means.quality_half), *(means.quality + means.quality_half)]
    bottom, top = float(min(heights)), float(max(heights))
    along = with_unit(f"mean {found.second}", unit)
    names = _labels(means, front, lines, (low, high), top - bottom or 1.0, bent=bent)
    return Chart(
        f"{found.measure} at a {found.second}",
        about,
        Logarithmic(along, low, high) if bent else Linear(along, low, high),
        Linear(f"mean {found.measure}" + ("" if maximize else ", lower is better"), bottom, top),
        [*lines, *_crosses(means, low), *_dots(means), names],
        population,
        height=330,
    )


def _front(quality: Floats, price: Floats) -> list[int]:
    """Who is better than all that are as cheap, by price."""
    found: list[int] = []
    for at in np.lexsort((-quality, price)):
        if not found or quality[at] > quality[found[-1]]:
            found.append(int(at))
    return found


def _points(curve: Curve, sign: int, high: float, *, bent: bool) -> list[list[float]]:
    """A curve up to a price; on a logarithmic axis its straight parts are bent."""
    x = np.append(curve.price, high)
    y = np.append(curve.quality, curve.quality[-1])
    if len(x) > _DRAWN:
        every = (np.geomspace if bent else np.linspace)(x[0], x[-1], _DRAWN)
        x, y = every, np.interp(every, x, y)
    elif bent:
        parts = [np.geomspace(a, b, _STEPS, endpoint=False) for a, b in pairwise(x)]
        every = np.append(np.concatenate(parts), x[-1])
        x, y = every, np.interp(every, x, y)
    return [[float(a), float(sign * b)] for a, b in zip(x, y, strict=True)]


def _crosses(means: _Means, low: float) -> list[Line]:
    """The intervals of both means of every solver."""
    ends: list[Any] = []
    for x, y, dx, dy in zip(means.price, means.quality, means.price_half, means.quality_half, strict=True):
        ends += [[[max(x - dx, low), y], [x + dx, y]], [[x, y - dy], [x, y + dy]]]
    return [Line(end, color="muted", width=1.2) for end in ends]


def _dots(means: _Means) -> list[Dots]:
    """A mark for each solver: algorithms and selectors differ in grey as well."""
    looks = {"algorithm": ("algorithms", "ink", "circle"), "selector": ("selectors", "c2", "diamond")}
    found = []
    for kind, (name, color, symbol) in looks.items():
        points = [
            [float(x), float(y), f"{solver}: {brief(float(y))} at {significant(float(x), 3)}"]
            for (of, solver), x, y in zip(means.solvers, means.price, means.quality, strict=True)
            if of == kind
        ]
        found += [Dots(points, name=name, color=color, symbol=symbol)] if points else []
    return found


def _labels(
    means: _Means,
    front: Sequence[int],
    lines: Sequence[Line],
    ends: tuple[float, float],
    tall: float,
    *,
    bent: bool,
) -> Texts:
    """Names beside the marks, farthest from lines and other names; of many those of the front."""
    scale = np.log if bent else np.asarray
    left, right = scale(ends[0]), scale(ends[1])

    def across(x: Any) -> Any:
        return (scale(x) - left) / (right - left or 1.0)

    def room(x: float, y: float) -> float:
        word = np.array([x - 0.08, x, x + 0.08])
        away = [float(np.abs(y - np.interp(word, across(xs), ys)).min()) / tall for xs, ys in drawn]
        away += [float(np.hypot(0.3 * (x - a), (y - b) / tall)) for a, b in placed]
        return min(away)

    drawn: list[Floats] = [np.array(line.points).T for line in lines]
    placed = [(across(x), y) for x, y in zip(means.price, means.quality, strict=True)]
    shown = range(len(means.solvers)) if len(means.solvers) <= _LABELLED else front
    items: list[list[Any]] = []
    for at in shown:
        x, y = across(means.price[at]), means.quality[at]
        # Not over the edge of the chart.
        sides = [side for side in ((1, "start", 6), (-1, "end", -6)) if 0 < x + 0.2 * side[0] < 1]
        tried = [(x + 0.1 * way, y + up * tall, *side) for way, *side in sides for up in (0.03, -0.035)]
        best = max(tried, key=lambda place: room(place[0], place[1]))
        placed.append(best[:2])
        items.append([float(means.price[at]), float(best[1]), means.solvers[at][1], *best[2:]])
    return Texts(items, color="ink")


def tradeoff(results: ScenarioResults) -> Chart | None:
    """The chart of a scenario; None without a second measure."""
    of = _of(results)
    return of and _chart(results, *of)


TRADEOFF = FigureEntry(
    "quality and price of the solvers, with the Pareto front and VBS at each price",
    "scenario",
    needs="a second measure, such as a price",
    make=tradeoff,
)


def _of(results: ScenarioResults) -> tuple[Tradeoff, pl.DataFrame] | None:
    """What a page shows of one scenario and measure; None without a second measure."""
    if results.lake is None or not has_second(results.lake):
        return None
    means = second_means(results.lake, baselines=True)
    other = pl.col("solver").str.starts_with("best per ") & (pl.col("solver") != "best per family")
    means = means.filter(~other, scenario_id=results.scenario_id, measure=results.measure)
    if not means.height:
        return None
    found = tradeoffs(results.lake, scenario=results.scenario_id)
    return next(each for each in found if each.measure == results.measure), means


def _chart(results: ScenarioResults, found: Tradeoff, means: pl.DataFrame) -> Chart | None:
    maximize, unit = means["maximize"][0], means["unit"][0]
    about, population = who_is_best(means), results.population
    return tradeoff_chart(found, maximize=maximize, unit=unit, about=about, population=population)


_WORDS = (
    "The solid line is what mixtures of algorithms reach, drawn at random for each instance. The dashed "
    "line is the best choice for each instance at that mean price. At its own price a solver has the gap 0 "
    "on the first and 1 on the second; its interval is for other instances of the kind."
)


def section(results: ScenarioResults) -> Section | None:
    """The section of a page; None without a second measure."""
    of = _of(results)
    if of is None:
        return None
    found, means = of
    gaps = found.gaps().drop("second", "price", "quality").rename({"reason": "why"})
    joined = means.join(gaps, on=("kind", "solver"), how="left")
    rows = []
    for row in joined.sort("price", "cost", "solver", nulls_last=True).to_dicts():
        known = row["lower"] is not None
        ends = f"{brief(row['lower'])} to {brief(row['upper'])}" if known else None
        more = {"value": results.own(row["cost"]), "ends": ends, "_n": plural(row["n"], "instance")}
        rows.append({**row, **more, "_tips": {"gap": row["why"]} if row["why"] else {}})
    columns = (
        Header("solver", "solver"),
        Header("kind", "kind", words=True),
        Header("value", f"mean {found.measure}", "over the instances"),
        Header("mean", with_unit(f"mean {found.second}", means["unit"][0]), "over the instances"),
        Header("on_front", "on the front", "no other is as good for as little", words=True),
        Header("gap", "gap at its price", "0: mixtures of algorithms, 1: VBS at this price", best="max"),
        Header("ends", "95 %", "interval of the gap", words=True),
    )
    chart = _chart(results, found, means)
    title = f"{found.measure} at a {found.second}"
    table = HtmlTable("tradeoff-table", f"Solvers by {found.second}", columns, rows, "", results.protocol)
    drawn = {} if chart is None else {"tradeoff": chart}
    body = join(
        [paragraph(_WORDS), *(figure(name, each.title) for name, each in drawn.items()), table.html()]
    )
    title, best = title[:1].upper() + title[1:], who_is_best(means)
    return Section("tradeoff", title, results.population, body, drawn, finding=best, group="who")
