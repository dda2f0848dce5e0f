"""Anytime curves: how far from the best known solution, how soon."""

from __future__ import annotations

from typing import Any

from aslib_eval.analysis.scenario_results import ScenarioResults
from aslib_eval.figures.anytime import anytime as anytime_curves
from aslib_eval.figures.anytime import anytime_selectors
from aslib_eval.figures.features import RAW
from aslib_eval.reports.html import (
    Header,
    Html,
    HtmlTable,
    Section,
    figure,
    join,
    paragraph,
)
from aslib_eval.text import number, plural

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
_TIMES = (
    "The expected running time of independent restarts is what all runs spent until "
    "the target or their end, over the number of runs that reached it: evaluations, or "
    "time where the trajectories have it. The target leaves 1 % of the way from the "
    "worst first solution of any run to the best known value. A cell without a number "
    "is of an algorithm none of whose runs got there."
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
    charts = {"anytime": chart}
    body = [paragraph(_ABOUT), figure("anytime", "Anytime curves", chart.about)]
    selectors = anytime_selectors(results)
    if selectors is not None:
        charts["anytime-selectors"] = selectors
        how = _WORDS[results.choices["execution"]]
        title = "Anytime curves of the selectors"
        body += [
            paragraph(_SELECTORS.format(how)),
            figure("anytime-selectors", title, selectors.about),
        ]
    times = _running_times(results)
    if times is not None:
        body += [paragraph(_TIMES), times]
    return Section("anytime", "Anytime", chart.population, join(body), charts)


def _running_times(results: ScenarioResults) -> Html | None:
    """A row for each instance, the least time in bold; None without repeated runs."""
    frame = results.frames.get("targets")
    if frame is None or not frame.height:
        return None
    measures = frame["measure"].unique(maintain_order=True).to_list()
    measure = results.measure if results.measure in measures else measures[0]
    frame = frame.filter(frame["measure"] == measure)
    systems = list(dict.fromkeys(frame["system"]))
    rows: dict[str, dict[str, Any]] = {}
    tips: dict[str, dict[str, str]] = {}
    for task, system, n, successes, ert, low, high in frame.select(
        "task", "system", "n", "successes", "ert", "ert_low", "ert_high"
    ).rows():
        row = rows.setdefault(task, {"task": task, "_n": plural(n, "run") + " each"})
        row[system] = ert
        about = f"reached by {successes} of {plural(n, 'run')}, 95 % interval "
        about += f"{number(low)} to {'no end' if high is None else number(high)}"
        tips.setdefault(task, {})[system] = about
    shown = []
    for task, row in rows.items():
        known = [row[s] for s in systems if row.get(s) is not None]
        best = [s for s in systems if len(known) > 1 and row.get(s) == min(known)]
        shown.append({**row, "_best": best, "_tips": tips[task]})
    columns = [Header("task", "instance"), *(Header(s, s) for s in systems)]
    caption = "Expected running time to the target"
    table = HtmlTable("targets", caption, columns, shown, "", RAW)
    return table.html()
