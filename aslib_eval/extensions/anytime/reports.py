"""What a page shows of the time until an answer: charts and a section."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

import numpy as np
import polars as pl

from aslib_eval.analysis.results import ScenarioResults
from aslib_eval.extensions.anytime.analysis import anytime_curves
from aslib_eval.extensions.anytime.metrics import Curve, Ends, gap_points, run_curves
from aslib_eval.figures.catalogue import FigureEntry
from aslib_eval.figures.chart import RAW, Chart, Line, Logarithmic, Look, look
from aslib_eval.metrics.scale import Trajectories
from aslib_eval.metrics.sweeps import thinned
from aslib_eval.reports.html import Section, figure, join, paragraph
from aslib_eval.text import brief, plural

_MOST_LINES = 8
BASELINES = {"SBS": Look("faint", "circle", "2 3"), "VBS": Look("ink", "circle", "5 3")}
_FLOOR = 1e-4  # gaps below it share the place of 0
_RUN = ["algorithm", "instance_id", "trial"]
Curves = Mapping[str, Curve]


def anytime_chart(results: ScenarioResults) -> Chart | None:
    """The mean gap in force at every moment, an exact step function an algorithm.

    None without trajectories with values.
    """
    frame = _one_measure(results)
    if frame is None:
        return None
    row = frame.row(0, named=True)
    timed = bool(frame["elapsed"].is_not_null().any())
    points = frame.with_columns(frame["elapsed" if timed else "step"].alias("at"))
    curves = gap_curves(points, Ends.of(results.frames["reference"].rows()), maximize=bool(row["maximize"]))
    what = results.with_unit("time since the start") if timed else "step"
    n, runs = frame["instance_id"].n_unique(), frame.select(_RUN).n_unique()
    many = f"{plural(n, 'instance')} ({plural(runs, 'run')})"
    return curves_chart(curves, what, f"{row['measure']}, n = {many} · {RAW}", timed=timed)


def anytime_selectors(results: ScenarioResults) -> Chart | None:
    """The mean gap of selectors at every moment, their schedules executed.

    VBS and SBS are those of the moment: on each instance the algorithm that is best then, and the one
    algorithm of least mean. Of more than eight selectors those of least gap at the end are drawn.

    None without selectors, trajectories or times. Source: Amadini et al. 2023, section 2.3.
    """
    recorded = (results.frames[name].height for name in ("trajectory", "choice"))
    if results.lake is None or not all(recorded):
        return None
    frame = anytime_curves(results.lake, results.scenario_id, results.measure)
    if not frame.height:
        return None
    parts = frame.partition_by("solver", as_dict=True, maintain_order=True)
    curves = {str(name): (part["at"].to_numpy(), part["gap"].to_numpy()) for (name,), part in parts.items()}
    selectors = sorted(
        curves.keys() - BASELINES.keys(), key=lambda name: (float(curves[name][1][-1]), name)
    )
    drawn = {name: curves[name] for name in [*selectors[:_MOST_LINES], *BASELINES]}
    points = results.frames["trajectory"]
    timed = bool(points["elapsed"].is_not_null().any())
    what = results.with_unit("time since the start") if timed else "step"
    left = len(selectors) - _MOST_LINES
    more = f", {plural(left, 'selector')} with larger gaps left out" if left > 0 else ""
    population = f"{results.population}{more}"
    places = results.shown_places
    looks = {name: look(places.get(("selector", name), 0)) for name in selectors} | BASELINES
    chart = curves_chart(drawn, what, population, timed=timed, looks=looks)
    ends = [f"{name} {brief(float(drawn[name][1][-1]))}" for name in BASELINES]
    return replace(
        chart,
        title="Mean gap of the selectors to the best known solution after a time",
        about=f"At the end {selectors[0]} is closest of the selectors, with a mean gap "
        f"of {brief(float(drawn[selectors[0]][1][-1]))} ({', '.join(ends)}).",
    )


def _one_measure(results: ScenarioResults) -> pl.DataFrame | None:
    """The trajectories of the page's measure, else of the first that has any."""
    frame = results.frames["trajectory"]
    present = frame.filter(frame["value"].is_not_null())["measure"].unique().to_list()
    if not present:
        return None
    first = frame.filter(frame["measure"].is_in(present))["measure"][0]
    measure = results.measure if results.measure in present else first
    return frame.filter(frame["measure"] == measure)


def curves_chart(
    curves: Curves,
    what: str,
    population: str,
    *,
    timed: bool,
    looks: Mapping[str, Look] = MappingProxyType({}),
) -> Chart:
    """Curves of mean gaps on logarithmic axes, that of least gap at the end first.

    what: name of the axis of time; timed: whether it has a place of its own for 0. looks: of some of the
    lines.
    """
    order = sorted(curves, key=lambda name: (float(curves[name][1][-1]), name))
    moments = np.concatenate([x for x, _ in curves.values()])
    positive = moments[moments > 0]
    most = float(positive.max(initial=1.0)) if len(positive) else 1.0
    low = max(float(positive.min(initial=most)), most / 1e6)
    gaps = np.concatenate([y for _, y in curves.values()])
    least = max(float(gaps[gaps > 0].min(initial=1.0)), _FLOOR)
    most = max(most, low * 10)
    last = curves[order[0]][1][-1]
    return Chart(
        "Mean gap to the best known solution after a time",
        f"At the end {order[0]} is closest, with a mean gap of {brief(float(last))}.",
        Logarithmic(what, low, most, zero=timed),
        Logarithmic("gap to the best known", least, 1.0, zero=bool(gaps.min() < least)),
        [
            _line(name, looks.get(name) or look(i), curves[name], (low, most))
            for i, name in enumerate(order)
        ],
        population,
        height=340,
    )


def _line(name: str, drawn: Look, curve: Curve, ends: tuple[float, float]) -> Line:
    kept = thinned(*curve, low=ends[0], high=ends[1])
    points = [[float(a), float(b)] for a, b in zip(*kept, strict=True)]
    return Line(points, name=name, color=drawn.color, dash=drawn.dash, step=True)


def gap_curves(frame: pl.DataFrame, ends: Ends, *, maximize: bool) -> Curves:
    """Algorithm → (moments, mean gap from each on); the first moment is 0.

    frame: algorithm, instance_id, trial, at, value; ascending within a run. A run without a solution has a
    row without a value.
    """
    rows = frame.select(_RUN).rows()
    new = [i == 0 or row != rows[i - 1] for i, row in enumerate(rows)]
    runs = frame.select(_RUN)[np.flatnonzero(new).tolist()]
    found = frame["value"].is_not_null() & frame["at"].is_not_null()
    before = np.append(0, np.cumsum(found.to_numpy()))
    at, values = (frame.filter(found)[c].to_numpy() for c in ("at", "value"))
    recorded = Trajectories(
        before[np.append(np.flatnonzero(new), len(rows))].astype(np.int64),
        at.astype(float),
        values.astype(float),
        maximize,
    )
    names, instances = (
        np.unique(runs[column].to_numpy().astype(str), return_inverse=True)
        for column in ("algorithm", "instance_id")
    )
    scale = ends.scale(recorded, instances[1], instances[0].tolist())
    gaps = gap_points(recorded, scale, instances=instances[1])
    curves = run_curves(recorded, gaps, names[1])
    return dict(zip(names[0].tolist(), curves, strict=True))


_HERE = "aslib_eval.extensions.anytime.reports"
ANYTIME = FigureEntry(
    "mean gap to the best known value after a time",
    "scenario",
    f"{_HERE}:anytime_chart",
    "trajectories with times and values",
    runs=False,
)
SELECTORS = FigureEntry(
    "mean gap of the selectors to the best known value after a time",
    "scenario",
    f"{_HERE}:anytime_selectors",
    "selectors, and trajectories with values",
)


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
    chart = anytime_chart(results)
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
