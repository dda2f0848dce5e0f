"""Anytime curves: how far from the best known solution, how soon."""

from __future__ import annotations

from aslib_eval.analysis.scenario_results import ScenarioResults
from aslib_eval.extensions.anytime.figures import anytime as anytime_curves
from aslib_eval.extensions.anytime.figures import anytime_selectors
from aslib_eval.reports.html import Section, figure, join, paragraph

_ABOUT = (
    "The gap of a run is the share that is left of the way from a trivial solution (of "
    "the scenario, else the worst first one of any run) to the best known one (of the "
    "scenario or of any run): 0 is as good as that, 1 is a run without a solution yet. "
    "The mean is over all runs, also over those that never find one."
)
_SELECTORS = (
    "What the selectors chose is executed on the recorded trajectories, {}. Of a "
    "schedule all algorithms count here; in the scores of this page, which know how "
    "runs ended, the first one alone. VBS is on each instance the algorithm that is "
    "best at the moment, SBS the one algorithm of least mean then."
)
_WORDS = {
    "sequential": "step after step",
    "parallel": "all algorithms of a schedule side by side",
    "one_core": "all algorithms of a schedule side by side on one core",
}


def anytime(results: ScenarioResults) -> Section | None:
    """The mean gap in force at every moment; None without trajectories."""
    chart = anytime_curves(results)
    if chart is None:
        return None
    charts, finding = {"anytime": chart}, chart.about
    body = [paragraph(_ABOUT), figure("anytime", "Anytime curves", chart.about)]
    selectors = anytime_selectors(results)
    if selectors is not None:
        charts["anytime-selectors"] = selectors
        finding += f" {selectors.about}"
        how = _WORDS[results.choices["execution"]]
        title = "Anytime curves of the selectors"
        body += [paragraph(_SELECTORS.format(how)), figure("anytime-selectors", title, selectors.about)]
    over = chart.population
    return Section("anytime", "Anytime", over, join(body), charts, finding=finding)
