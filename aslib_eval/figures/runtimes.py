"""Runtimes of the solved instances, in ascending order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count
from math import fsum
from types import MappingProxyType

import polars as pl

from aslib_eval.analysis.lake_results import LakeResults
from aslib_eval.errors import AslibError
from aslib_eval.figures.chart import Chart, Line, Linear, Logarithmic
from aslib_eval.figures.palette import PLACES, Look, look
from aslib_eval.text import list_names, with_unit

MOST = 2000  # points of a line: more than a page can show
_BASELINES = {"SBS": Look("faint", "circle", "2 3"), "VBS": Look("ink", "circle", "5 3")}
_DECADES = 9


def runtimes(results: LakeResults, solvers: Sequence[str]) -> Chart:
    """Runtimes of the instances that some solvers solve: a cactus plot.

    solvers: names or globs; none for the selectors, SBS and VBS.
    """
    runs = results.solved_times(solvers)
    return runtime_distribution(runs, unit=results.time_unit, places=results.places)


def runtime_distribution(
    runs: pl.DataFrame, *, title: str = "", unit: str = "", places: Mapping[str, int] = MappingProxyType({})
) -> Chart:
    """How many instances each solver solves, and after which time the last of them.

    runs: columns ``solver`` and ``time``, one row for each solved instance. places: of those with a colour
    and mark in all figures. The axis of the time is logarithmic, with a place of its own for 0. The legend
    has the order of the curves: who solves most comes first, of equals who takes less time in all.
    Long lines are thinned to MOST points.

    Source: Amadini et al. 2023, figures 2 and 4.
    """
    names = _in_order(runs)
    if not 0 < len(names) <= PLACES:
        message = f"{len(names)} solvers do not make a readable chart"
        hint = f"Choose up to {PLACES} of {list_names(names)}."
        raise AslibError(message, hint=hint)
    others = sorted(set(names) - _BASELINES.keys() - places.keys())
    after = count(1 + max(places.values(), default=-1))
    known = dict(places) | dict(zip(others, after, strict=False))
    looks = {name: look(place) for name, place in known.items()} | _BASELINES
    lines = [_line(runs, name, looks[name]) for name in names]
    times = [time for time in runs["time"].to_list() if time > 0]
    high = max(times, default=1.0)
    low = max(min(times, default=1.0), high / 10**_DECADES)
    zero = min(runs["time"].to_list()) < low
    most = max(line.points[-1][0] for line in lines)
    return Chart(
        title or "Runtimes of solved instances",
        "",
        Linear("solved instances", 0, most, whole=True),
        Logarithmic(with_unit("time", unit), low, high, zero=zero),
        lines,
        height=420,
    )


def _in_order(runs: pl.DataFrame) -> list[str]:
    """The solvers, who solves most first; of equals who takes less time in all."""
    parts = runs.partition_by("solver", as_dict=True)
    times = {str(name): own["time"].to_list() for (name,), own in parts.items()}
    return sorted(times, key=lambda name: (-len(times[name]), fsum(times[name]), name))


def _line(runs: pl.DataFrame, name: str, drawn: Look) -> Line:
    """From each number of instances on, the time at which the next one is solved."""
    times = sorted(runs.filter(runs["solver"] == name)["time"].to_list())
    step = max(1, -(-len(times) // MOST))
    kept = sorted({*range(0, len(times), step), len(times) - 1})
    points = [(at, times[at]) for at in kept] + [(len(times), times[-1])]
    return Line(points, name=name, color=drawn.color, step=True, dash=drawn.dash)
