"""Places by several ways to rank."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np

from aslib_eval.analysis.results import ScenarioResults
from aslib_eval.analysis.runs import usual_kind
from aslib_eval.extensions.orderings import WAYS
from aslib_eval.extensions.orderings.analysis import SolverCosts, agreement, all_places, contests, first_of
from aslib_eval.figures.catalogue import FigureEntry
from aslib_eval.figures.chart import FAINTEST, Band, Boxes, Chart
from aslib_eval.text import number

ORDERS = FigureEntry(
    "places of the solvers by seven ways to rank",
    "scenario",
    "aslib_eval.extensions.orderings.figures:orders_chart",
    "two solvers",
)


def orders_chart(results: ScenarioResults) -> Chart | None:
    """A box for each solver and way, the darker the better its place; None if alone."""
    if results.lake is None or results.matrix is None:
        return None
    kinds = [kind for kind, _ in results.matrix.solvers]
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
    firsts = {first_of(contest, found[way]) for way in ways}
    pairs = (agreement(found[a], found[b]) for a, b in combinations(ways, 2))
    taus = [tau for tau in pairs if tau is not None]
    about = (
        f"All ways put {next(iter(firsts))} first."
        if len(firsts) == 1
        else f"{len(firsts)} different firsts by {len(ways)} ways."
    )
    if taus:
        least = number(round(min(taus), 2))
        about += f" Kendall's tau of two ways is {least} at least."
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
