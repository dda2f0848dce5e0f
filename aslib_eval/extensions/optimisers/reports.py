"""What the section of anytime curves says of runs to a target."""

from __future__ import annotations

from typing import Any

from aslib_eval.analysis.scenario_results import ScenarioResults
from aslib_eval.extensions.optimisers.analysis.tasks import target_times
from aslib_eval.figures.chart import RAW
from aslib_eval.reports.html import Header, Html, HtmlTable, join, paragraph
from aslib_eval.text import number, plural

_TIMES = (
    "The expected running time of independent restarts is what all runs spent until "
    "the target or their end, over the number of runs that reached it: evaluations, or "
    "time where the trajectories have it. The target leaves 1 % of the way from the "
    "worst first solution of any run to the best known value. A cell without a number "
    "is of an algorithm none of whose runs got there."
)


def running_times(results: ScenarioResults) -> Html | None:
    """A row for each instance, the least time in bold; None without repeated runs."""
    if results.lake is None or not results.frames["trajectory"].height:
        return None
    frame = target_times(results.lake, results.scenario_id)
    if not frame.height:
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
    return join([paragraph(_TIMES), table.html()])
