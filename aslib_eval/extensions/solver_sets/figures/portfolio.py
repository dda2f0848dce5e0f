"""How much of the gap the best portfolio of each size closes."""

from __future__ import annotations

from typing import Any

import numpy as np

from aslib_eval.analysis.scenario_results import ScenarioResults
from aslib_eval.extensions.solver_sets.metrics.portfolio import best_portfolios
from aslib_eval.figures.chart import Chart, Dots, Line, Linear, Mark
from aslib_eval.metrics.scale import closed
from aslib_eval.statistics.tolerant_ranks import binary_scale
from aslib_eval.text import list_names, number, plural

_MOST = 10  # sizes that are drawn
_LEAST = 2  # algorithms
_WORK = 2e8  # a page waits a second for a size at most


def portfolio(results: ScenarioResults) -> Chart | None:
    """Share of the gap that the best, and the greedy, portfolio of each size closes.

    1 is VBS of all algorithms, 0 the best single algorithm by mean cost; up to ten sizes. None with one
    algorithm, without a cost somewhere, or without a gap.
    """
    matrix = results.matrix
    columns = matrix.columns("algorithm") if matrix else []
    if matrix is None or len(columns) < _LEAST:
        return None
    if not np.isfinite(matrix.costs[:, columns]).all():
        return None
    costs = results.penalised(matrix)[:, columns]
    costs = costs / binary_scale(costs)
    names = [matrix.solvers[column][1] for column in columns]
    found = best_portfolios(costs, most=_MOST, work=_WORK)
    ends = {"sbs": found[0].cost, "vbs": float(costs.min(axis=1).mean())}
    best, greedy = (closed([getattr(p, field) for p in found], **ends) for field in ("cost", "greedy_cost"))
    if not best.defined.all():
        return None
    marks: list[Mark] = []
    for gaps, what, field, paint, dash in (
        (greedy.values, "greedy", "greedy", "c2", "6 3"),
        (best.values, "best", "members", "c1", None),
    ):
        points: list[list[Any]] = [
            [k, float(gap), _tip(what, k, gap, [names[at] for at in getattr(p, field)])]
            for k, (p, gap) in enumerate(zip(found, gaps, strict=True), start=1)
        ]
        marks.append(Line([p[:2] for p in points], name=what, color=paint, dash=dash))
        marks.append(Dots(points, color=paint))
    return Chart(
        "The best portfolio of each size",
        _about(best.values.tolist(), greedy.values.tolist(), len(names))
        + _unproven([k for k, one in enumerate(found, 1) if not one.exact]),
        Linear("algorithms in the portfolio", 1, len(found), whole=True),
        Linear("share of the gap closed", 0.0, 1.0),
        marks,
        results.population,
        height=260,
    )


def _tip(what: str, k: int, gap: float, names: list[str]) -> str:
    some = list_names(names, most=6, quoted=False)
    return f"{what} of {k}: {number(gap)} of the gap; {some}"


def _about(best: list[float], greedy: list[float], n: int) -> str:
    enough = next((k for k, gap in enumerate(best, 1) if gap >= 0.9), None)  # noqa: PLR2004
    who = "so many" if enough is None else plural(enough, "algorithm")
    text = f"The best {who} of {n} close{'s' if enough == 1 else ''}"
    text += f" {best[(enough or len(best)) - 1]:.3g} of the gap to VBS"
    lost = max(b - g for b, g in zip(best, greedy, strict=True))
    if lost <= 1e-9:  # noqa: PLR2004
        return f"{text}; greedy choice is as good at every size."
    return f"{text}; greedy choice loses up to {lost:.3g} of it."


def _unproven(sizes: list[int]) -> str:
    """What is said of sizes whose best portfolio is not proven to be the best."""
    if not sizes:
        return ""
    return f" Not proven to be the best: {list_names(sizes, most=10, quoted=False)}."
