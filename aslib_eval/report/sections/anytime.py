"""Anytime curves: how good a solution was known how soon."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from aslib_eval.metrics.anytime import Trajectories
from aslib_eval.metrics.runs import Floats
from aslib_eval.report.facts import Facts
from aslib_eval.report.markup import Section, join
from aslib_eval.report.parts import figure, paragraph
from aslib_eval.report.specs import Chart, Spec, color, line, linear, logarithmic
from aslib_eval.report.thinning import thinned

if TYPE_CHECKING:
    import polars as pl

_ABOUT = (
    "Quality is 1 at the best and 0 at the worst first value that any run of the "
    "instance knew; a run without a solution yet has 0. The mean is over the runs "
    "that have a trajectory; where an instance has one value alone it is worth 1."
)


def anytime(facts: Facts, charts: dict[str, object]) -> Section | None:
    """The mean quality in force at every moment, an exact step function a solver."""
    frame = facts.frames["trajectory"]
    if not frame.height:
        return None
    curves = quality_curves(frame, maximize=bool(frame["maximize"][0]))
    times = frame["elapsed"].to_numpy()
    positive = times[times > 0]
    most = float(positive.max()) if len(positive) else 1.0
    low = max(float(positive.min(initial=most)), most / 1e6)
    most = max(most, low * 10)
    order = sorted(curves, key=lambda name: (-curves[name][1].mean(), name))
    n = frame["instance_id"].n_unique()
    charts["anytime"] = Chart(
        "Mean quality in force after a time",
        f"{len(order)} algorithms on {n} instances with trajectories.",
        logarithmic("time since the start (scenario time unit)", low, most, zero=True),
        linear("quality", 0, 1),
        [_line(name, i, *curves[name], low, most) for i, name in enumerate(order)],
        f"n = {n} instances with trajectories",
        {"height": 320},
    ).spec()
    body = join([paragraph(_ABOUT), figure("anytime", "Anytime curves")])
    return Section("anytime", "Anytime", f"{n} instances with trajectories", body)


def _line(
    name: str, place: int, moments: Floats, values: Floats, low: float, high: float
) -> Spec:
    kept = thinned(moments, values, low=low, high=high)
    points = [[float(a), float(b)] for a, b in zip(*kept, strict=True)]
    return line(points, name=name, color=color(place), step=True)


def quality_curves(
    frame: pl.DataFrame, *, maximize: bool
) -> dict[str, tuple[Floats, Floats]]:
    """Algorithm → (moments, mean quality from each on); the first moment is 0.

    frame: algorithm, instance_id, trial, elapsed, value; ascending within a run.
    """
    first = _first_points(frame.select("algorithm", "instance_id", "trial"))
    offsets = np.append(first, frame.height).astype(np.int64)
    elapsed, values = (frame[c].to_numpy().astype(float) for c in ("elapsed", "value"))
    runs = Trajectories(offsets, elapsed, values, maximize)
    quality = _quality(runs, frame["instance_id"].to_numpy()[first])
    gained = np.diff(quality, prepend=0.0)
    gained[first] = quality[first]
    owner = frame["algorithm"].to_numpy()
    return {
        str(name): _mean(elapsed[mine], gained[mine], int(mine[first].sum()))
        for name in sorted(set(owner.tolist()))
        if (mine := owner == name).any()
    }


def _first_points(keys: pl.DataFrame) -> NDArray[np.int64]:
    """Where each stretch of equal rows begins."""
    rows = keys.rows()
    new = [i == 0 or row != rows[i - 1] for i, row in enumerate(rows)]
    return np.flatnonzero(new)


def _quality(runs: Trajectories, instance_of: Any) -> Floats:
    """(n_points,) place between the instance's worst first and its best value."""
    names, code = np.unique(instance_of.astype(str), return_inverse=True)
    costs = runs.best * runs.signs[runs.run_of]
    worst, best = np.full(len(names), -np.inf), np.full(len(names), np.inf)
    np.maximum.at(worst, code, costs[runs.offsets[:-1]])
    np.minimum.at(best, code, costs[runs.offsets[1:] - 1])
    of_point = code[runs.run_of]
    span = worst[of_point] - best[of_point]
    above = worst[of_point] - costs
    return np.asarray(np.divide(above, span, out=np.ones_like(above), where=span > 0))


def _mean(elapsed: Floats, gained: Floats, n: int) -> tuple[Floats, Floats]:
    """The gains summed in the order of time: the mean over n runs."""
    order = np.argsort(elapsed, kind="stable")
    moments, total = elapsed[order], np.cumsum(gained[order]) / n
    last = np.append(np.diff(moments) > 0, True)
    moments, total = moments[last], total[last]
    if moments[0] > 0:
        moments, total = np.append(0.0, moments), np.append(0.0, total)
    return moments, np.clip(total, 0.0, 1.0)
