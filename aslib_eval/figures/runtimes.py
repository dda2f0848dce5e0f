"""Runtimes of the solved instances, in ascending order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from aslib_eval.analysis.lake_results import LakeResults
from aslib_eval.errors import AslibError
from aslib_eval.figures.chart import Chart, Line, Linear, Logarithmic

if TYPE_CHECKING:
    import polars as pl

MOST = 2000  # points of a line: more than a page can show
_DASHES = (None, "6 3", "2 2", "8 3")
_DECADES = 9


def runtimes(results: LakeResults, solvers: Sequence[str]) -> Chart:
    """Runtimes of the instances that some selectors solve."""
    return runtime_distribution(results.solved_times(solvers))


def runtime_distribution(
    runs: pl.DataFrame, *, title: str = "", unit: str = ""
) -> Chart:
    """How many instances each solver solves, and after which time the last of them.

    runs: columns ``solver`` and ``time``, one row for each solved instance, of up to
    four solvers. The axis of the time is logarithmic, with a place of its own for 0.
    Long lines are thinned to MOST points.

    Raises:
        AslibError: there are more solvers than lines can be distinguished.

    Source: Amadini et al. 2023, figures 2 and 4.
    """
    names = runs["solver"].unique(maintain_order=True).to_list()
    if not 0 < len(names) <= len(_DASHES):
        message = f"{len(names)} solvers do not make a readable chart"
        raise AslibError(message, hint=f"Choose up to {len(_DASHES)}.")
    lines = [_line(runs, name, at) for at, name in enumerate(names)]
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
    color, dash = f"c{place + 1}", _DASHES[place]
    return Line(points, name=name, color=color, step=True, dash=dash)
