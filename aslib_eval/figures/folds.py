"""Each selector's closed gap on every fold."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import mean, median
from typing import Any

from aslib_eval.analysis.scenario_results import ScenarioResults
from aslib_eval.figures.chart import Band, Chart, Dots, Linear, Mark, Rule, Texts
from aslib_eval.text import brief, number, rounded_to_zero

LEAST = -2.0  # gaps below it stand at the edge of the chart


def fold_gaps(results: ScenarioResults) -> Chart | None:
    """Each selector's closed gap on every fold; None where no fold has one."""
    present: dict[str, list[tuple[str, float, int]]] = {}
    for row in results.frames["fold"].to_dicts():
        if row["closed_gap"] is not None:
            fold = (fold_name(row), row["closed_gap"], row["n_instances"])
            present.setdefault(row["solver"], []).append(fold)
    if not present:
        return None
    names = sorted(present, key=lambda s: (-mean(g for _, g, _ in present[s]), s))
    gaps = [gap for found in present.values() for _, gap, _ in found]
    edge = f" (arrows at the edge: below {number(LEAST)})" if min(gaps) < LEAST else ""
    return Chart(
        "Closed gap on every fold",
        f"From {number(min(gaps))} to {number(max(gaps))}.",
        Linear(f"closed gap{edge}", max(min(*gaps, 0.0), LEAST), max(*gaps, 1.0)),
        Band(names),
        [Rule(0, "SBS"), *_marks(names, present)],
        f"protocol {results.protocol}",
        row_height=28,
    )


def _marks(names: list[str], present: dict[str, list[tuple[str, float, int]]]) -> list[Mark]:
    """A dot a fold, and the mean and median; what is beyond the edge points there.

    A mean beyond it has its value beside it: the edge is not the mean.
    """
    dots: list[list[Any]] = [
        [gap, i, f"{name}, fold {fold}: closed gap {number(gap)}, n = {n}"]
        for i, name in enumerate(names)
        for fold, gap, n in present[name]
    ]
    marks: list[Mark] = _at_edge(dots, name="a fold", color="c6")
    beyond: dict[int, list[str]] = {}
    for what, of, paint in (("mean", mean, "c2"), ("median", median, "ink")):
        found = [of(gap for _, gap, _ in present[name]) for name in names]
        values = [rounded_to_zero(value) for value in found]
        points: list[list[Any]] = [
            [x, i, f"{name}: {what} over {len(present[name])} folds {number(x)}"]
            for i, (name, x) in enumerate(zip(names, values, strict=True))
        ]
        marks += _at_edge(points, name=what, color=paint, r=5)
        for x, i, _ in points:
            if x < LEAST:
                beyond.setdefault(i, []).append(f"{what} {brief(x)}")
    texts = [[LEAST, i, ", ".join(found), "start", 9] for i, found in beyond.items()]
    return [*marks, Texts(texts)] if texts else marks


def _at_edge(points: list[list[Any]], *, name: str, color: str, r: float = 3.4) -> list[Mark]:
    """Dots, and arrows at the edge for those that lie beyond it."""
    inside = [p for p in points if p[0] >= LEAST]
    outside = [[LEAST, *p[1:]] for p in points if p[0] < LEAST]
    marks: list[Mark] = [Dots(inside, name=name, color=color, r=r)]
    if outside:
        marks.append(Dots(outside, color=color, r=r, symbol="triangle-left"))
    return marks


def fold_name(row: Mapping[str, Any]) -> str:
    """Repetition and number of a fold."""
    return f"{row['cv_repetition']}/{row['fold']}"
