"""The places of the solvers by each way, side by side."""

from __future__ import annotations

from typing import Any

import numpy as np

from aslib_eval.analysis.runs import usual_kind
from aslib_eval.analysis.scenario_results import ScenarioResults
from aslib_eval.extensions.orderings.analysis.orders import (
    SolverCosts,
    all_places,
    contests,
)
from aslib_eval.extensions.orderings.words import WAYS
from aslib_eval.figures.chart import FAINTEST, Band, Boxes, Chart
from aslib_eval.metrics.ranking import kendall_tau_b
from aslib_eval.text import list_names, number

_FEW = 2  # ways that have an order, to be held against each other


def orders_chart(results: ScenarioResults) -> Chart | None:
    """A box for each solver and way, the darker the better its place; None if alone."""
    if results.lake is None:
        return None
    kinds = [kind for kind, _ in results.matrix.solvers] if results.matrix else []
    if not kinds:
        return None
    for contest in contests(results.lake, kind=usual_kind(kinds)):
        if contest.labels[1:3] == (results.scenario_id, results.measure):
            return chart_of(contest, results.population)
    return None


def chart_of(contest: SolverCosts, population: str) -> Chart:
    """The chart of one scenario; solvers are in the order of their mean places."""
    found, _ = all_places(contest)
    ways = [way for way in WAYS if not np.isnan(found[way]).all()]
    table = np.column_stack([found[way] for way in ways])
    order = np.argsort(np.nanmean(table, axis=1), kind="stable")
    names = [contest.solvers[s] for s in order]
    most = max(float(np.nanmax(table)) - 1, 1.0)
    cells: list[list[Any]] = []
    for row, s in enumerate(order):
        for at, way in enumerate(ways):
            place = table[s, at]
            if not np.isnan(place):
                shade = round(max(1 - (place - 1) / most, FAINTEST), 3)
                tip = f"{contest.solvers[s]}: place {place:g} by {way}"
                box = [at - 0.48, at + 0.48, row - 0.48, row + 0.48]
                cells.append([*box, tip, "low", shade])
    scale = [
        Boxes((), name=f"place {number(round(1 + most * (1 - shade)))}", color="low",
              shade=max(shade, FAINTEST))
        for shade in (1.0, 0.0)
    ]  # fmt: skip
    firsts = {
        list_names(np.array(contest.solvers)[found[way] == 1].tolist(), quoted=False)
        for way in ways
    }
    taus = [
        tau
        for i, one in enumerate(ways)
        for two in ways[i + 1 :]
        if (tau := _tau(found[one], found[two])) is not None
    ]
    about = (
        f"All ways put {next(iter(firsts))} first."
        if len(firsts) == 1
        else f"{len(firsts)} different firsts by {len(ways)} ways."
    )
    if taus and len(ways) >= _FEW:
        about += (
            f" Kendall's tau of two ways is {number(round(min(taus), 2))} at least."
        )
    return Chart(
        "Places by several ways to rank",
        about,
        Band(ways),
        Band(names),
        [Boxes(cells), *scale],
        population,
        row_height=24,
        max_width=760,
    )


def _tau(one: np.ndarray, two: np.ndarray) -> float | None:
    both = ~np.isnan(one) & ~np.isnan(two)
    return kendall_tau_b(one[both], second=two[both]) if both.any() else None
