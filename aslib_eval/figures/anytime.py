"""Anytime curves: how far from the best known solution, how soon."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from aslib_eval.analysis.scenario_results import ScenarioResults
from aslib_eval.figures.chart import Chart, Line, Logarithmic
from aslib_eval.figures.features import RAW
from aslib_eval.figures.palette import look
from aslib_eval.figures.sweeps import thinned
from aslib_eval.metrics.anytime import Trajectories
from aslib_eval.metrics.runs import Floats
from aslib_eval.text import number, plural

if TYPE_CHECKING:
    import polars as pl


_FLOOR = 1e-4  # gaps below it share the place of 0
_RUN = ["algorithm", "instance_id", "trial"]
Curves = Mapping[str, tuple[Floats, Floats]]


@dataclass(frozen=True)
class Ends:
    """Known objectives of instances: of a trivial solution, and of the best one."""

    trivial: Mapping[str, float]
    best: Mapping[str, float]


def anytime(results: ScenarioResults) -> Chart | None:
    """The mean gap in force at every moment, an exact step function an algorithm.

    None without trajectories with values.
    """
    frame = _one_measure(results)
    if frame is None:
        return None
    row = frame.row(0, named=True)
    timed = bool(frame["elapsed"].is_not_null().any())
    points = frame.with_columns(frame["elapsed" if timed else "step"].alias("at"))
    curves = gap_curves(points, _ends(results), maximize=bool(row["maximize"]))
    what = results.with_unit("time since the start") if timed else "step"
    n, runs = frame["instance_id"].n_unique(), frame.select(_RUN).n_unique()
    many = f"{plural(n, 'instance')} ({plural(runs, 'run')})"
    population = f"{row['measure']}, n = {many} · {RAW}"
    return _chart(curves, what, population, timed=timed)


def _one_measure(results: ScenarioResults) -> pl.DataFrame | None:
    """The trajectories of the page's measure, else of the first that has any."""
    frame = results.frames["trajectory"]
    present = frame.filter(frame["value"].is_not_null())["measure"].unique().to_list()
    if not present:
        return None
    first = frame.filter(frame["measure"].is_in(present))["measure"][0]
    measure = results.measure if results.measure in present else first
    return frame.filter(frame["measure"] == measure)


def _ends(results: ScenarioResults) -> Ends:
    """An optimum is better than what was best known."""
    rows = results.frames["reference"].rows()
    trivial, best, optimum = (
        {instance: value for instance, of, value in rows if of == role}
        for role in ("trivial", "best_known", "optimum")
    )
    return Ends(trivial, best | optimum)


def _chart(curves: Curves, what: str, population: str, *, timed: bool) -> Chart:
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
        f"At the end {order[0]} is closest, with a mean gap of {number(float(last))}.",
        Logarithmic(what, low, most, zero=timed),
        Logarithmic("gap to the best known", least, 1.0, zero=bool(gaps.min() < least)),
        [_line(name, i, *curves[name], low, most) for i, name in enumerate(order)],
        population,
        height=340,
    )


def _line(
    name: str, place: int, moments: Floats, gaps: Floats, low: float, high: float
) -> Line:
    kept = thinned(moments, gaps, low=low, high=high)
    points = [[float(a), float(b)] for a, b in zip(*kept, strict=True)]
    drawn = look(place)
    return Line(points, name=name, color=drawn.color, dash=drawn.dash, step=True)


def gap_curves(frame: pl.DataFrame, ends: Ends, *, maximize: bool) -> Curves:
    """Algorithm → (moments, mean gap from each on); the first moment is 0.

    frame: algorithm, instance_id, trial, at, value; ascending within a run. A run
    without a solution has a row without a value.
    """
    found = frame.filter(frame["value"].is_not_null() & frame["at"].is_not_null())
    first = _first_points(found.select(_RUN))
    offsets = np.append(first, found.height).astype(np.int64)
    at, values = (found[c].to_numpy().astype(float) for c in ("at", "value"))
    runs = Trajectories(offsets, at, values, maximize)
    gaps = _gaps(runs, found["instance_id"].to_list(), ends)
    lost = np.diff(gaps, prepend=1.0)
    lost[first] = gaps[first] - 1
    owner = found["algorithm"].to_numpy()
    often = frame.select(_RUN).unique()["algorithm"].value_counts()
    return {
        str(name): _mean(at[owner == name], lost[owner == name], n)
        for name, n in sorted(often.rows())
    }


def _first_points(keys: pl.DataFrame) -> NDArray[np.int64]:
    """Where each stretch of equal rows begins."""
    rows = keys.rows()
    new = [i == 0 or row != rows[i - 1] for i, row in enumerate(rows)]
    return np.flatnonzero(new)


def _gaps(runs: Trajectories, instances: list[str], ends: Ends) -> Floats:
    """(n_points,) what is left of the way to the best known, within 0 and 1."""
    names, code = np.unique(np.array(instances, dtype=str), return_inverse=True)
    signs = runs.signs[runs.run_of]
    costs, sign = runs.best * signs, float(signs[0]) if len(signs) else 1.0
    worst, best = np.full(len(names), -np.inf), np.full(len(names), np.inf)
    np.maximum.at(worst, code, costs)
    np.minimum.at(best, code, costs)
    for i, name in enumerate(names.tolist()):
        worst[i] = sign * ends.trivial.get(name, sign * worst[i])
        best[i] = min(best[i], sign * ends.best.get(name, sign * best[i]))
    span, over = (worst - best)[code], costs - best[code]
    left = np.divide(over, span, out=(over > 0).astype(float), where=span > 0)
    return np.asarray(np.clip(left, 0.0, 1.0))


def _mean(at: Floats, lost: Floats, n: int) -> tuple[Floats, Floats]:
    """The changes summed in the order of time: the mean over n runs, 1 at first."""
    order = np.argsort(at, kind="stable")
    moments = np.append(0.0, at[order])
    # The mean of gaps between 0 and 1 is known to about 12 digits.
    gaps = np.clip(np.round(1 + np.append(0.0, np.cumsum(lost[order])) / n, 12), 0, 1)
    last = np.append(np.diff(moments) > 0, True)
    return moments[last], gaps[last]
