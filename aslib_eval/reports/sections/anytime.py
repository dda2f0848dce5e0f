"""Anytime curves: how far from the best known solution, how soon."""

from __future__ import annotations

from aslib_eval.analysis.scenario_results import ScenarioResults
from aslib_eval.figures.anytime import anytime as anytime_curves
from aslib_eval.reports.html import Section, figure, join, paragraph

_ABOUT = (
    "The gap of a run is the share that is left of the way from a trivial solution (of "
    "the scenario, else the worst first one of any run) to the best known one (of the "
    "scenario or of any run): 0 is as good as that, 1 is a run without a solution yet. "
    "The mean is over all runs, also over those that never find one."
)


def anytime(results: ScenarioResults) -> Section | None:
    """The mean gap in force at every moment; None without trajectories."""
    chart = anytime_curves(results)
    if chart is None:
        return None
    body = join([paragraph(_ABOUT), figure("anytime", "Anytime curves", chart.about)])
    return Section("anytime", "Anytime", chart.population, body, {"anytime": chart})
