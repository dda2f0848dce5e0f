"""Runtimes of the solved instances, in ascending order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from aslib_eval.analysis.lake_results import LakeResults
from aslib_eval.errors import AslibError
from aslib_eval.figures.chart import Chart, Line, Linear, Logarithmic, color
from aslib_eval.text import list_names

if TYPE_CHECKING:
    import polars as pl

MOST = 2000  # points of a line: more than a page can show
# With the colours: lines that lie upon each other are both seen.
_DASHES = (None, "6 3", "2 2", "8 3")
_MOST_LINES = 8
_BASELINES = {"SBS": "faint", "VBS": "ink"}
_DECADES = 9


def runtimes(results: LakeResults, solvers: Sequence[str]) -> Chart:
    """Runtimes of the instances that some solvers solve: a cactus plot."""
    return runtime_distribution(results.solved_times(solvers))


def runtime_distribution(
    runs: pl.DataFrame, *, title: str = "", unit: str = ""
) -> Chart:
    """How many instances each solver solves, and after which time the last of them.

    runs: columns ``solver`` and ``time``, one row for each solved instance, of up to
    eight solvers. The axis of the time is logarithmic, with a place of its own for 0.
    Long lines are thinned to MOST points.

    Raises:
        AslibError: there are more solvers than lines can be distinguished.

    Source: Amadini et al. 2023, figures 2 and 4.
    """
    names = runs["solver"].unique(maintain_order=True).to_list()
    if not 0 < len(names) <= _MOST_LINES:
        message = f"{len(names)} solvers do not make a readable chart"
        hint = f"Choose up to {_MOST_LINES} of {list_names(names)}."
        raise AslibError(message, hint=hint)
    others = sorted(set(names) - _BASELINES.keys())  # one colour in all figures
    places = {name: at for at, name in enumerate([*others, *_BASELINES])}
    lines = [_line(runs, name, places[name]) for name in names]
    times = [time for time in runs["time"].to_list() if time > 0]
    high = max(times, default=1.0)
    low = max(min(times, default=1.0), high / 10**_DECADES)
    zero = min(runs["time"].to_list()) < low
    most = max(line.points[-1][0] for line in lines)
    return Chart(
        title or "Runtimes of solved instances",
        "",
        Linear("solved instances", 0, most, whole=True),
        Logarithmic(f"time [{unit}]" if unit else "time", low, high, zero=zero),
        lines,
        height=420,
    )


def _line(runs: pl.DataFrame, name: str, place: int) -> Line:
    """From each number of instances on, the time at which the next one is solved."""
    times = sorted(runs.filter(runs["solver"] == name)["time"].to_list())
    step = max(1, -(-len(times) // MOST))
    kept = sorted({*range(0, len(times), step), len(times) - 1})
    points = [(at, times[at]) for at in kept] + [(len(times), times[-1])]
    paint, dash = _BASELINES.get(name) or color(place), _DASHES[place % len(_DASHES)]
    return Line(points, name=name, color=paint, step=True, dash=dash)
