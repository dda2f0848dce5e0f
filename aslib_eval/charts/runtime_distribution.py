"""Runtimes of the solved instances, in ascending order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from aslib_eval.charts.theme import ACCENT, FONT, SECOND, finished, inline
from aslib_eval.errors import AslibError

if TYPE_CHECKING:
    import altair as alt
    import polars as pl

MOST = 2000  # points of a line: more than a page can show
_LOOKS = ((SECOND, [1, 0]), (ACCENT, [6, 3]), ("#2e8b57", [2, 2]), ("#8e5ea2", [8, 3]))


def runtime_distribution(
    runs: pl.DataFrame, *, title: str = "", unit: str = ""
) -> alt.LayerChart:
    """How many instances each solver solves, and after which time the last of them.

    runs: columns ``solver`` and ``time``, one row for each solved instance, of up to
    four solvers. The axis of the time is linear below 1 and logarithmic above, so
    that zeros have their place. Long lines are thinned to MOST points.

    Raises AslibError if there are more solvers than lines can be told apart.

    Source: Amadini et al. 2023, figures 2 and 4.
    """
    import altair as alt

    names = runs["solver"].unique(maintain_order=True).to_list()
    if not 0 < len(names) <= len(_LOOKS):
        message = f"{len(names)} solvers do not make a readable chart"
        raise AslibError(message, hint=f"Choose up to {len(_LOOKS)}.")
    rows = [row for name in names for row in _line(runs, name)]
    colors = alt.Scale(domain=names, range=[_LOOKS[i][0] for i in range(len(names))])
    dashes = alt.Scale(domain=names, range=[_LOOKS[i][1] for i in range(len(names))])
    legend = alt.Legend(
        title=None, symbolStrokeWidth=2.5, symbolSize=500, labelFontSize=FONT
    )
    chart = alt.Chart(inline(rows)).mark_line(strokeWidth=2, interpolate="step-before")
    shown = chart.encode(
        x=alt.X(
            "n:Q",
            title="solved instances",
            scale=alt.Scale(nice=False),
            axis=alt.Axis(tickMinStep=1, format=",d"),
        ),
        y=_time_axis(max(row["time"] for row in rows), unit),
        color=alt.Color("solver:N", scale=colors, legend=legend),
        strokeDash=alt.StrokeDash("solver:N", scale=dashes, legend=legend),
    )
    return finished(alt.layer(shown), title, width=520, height=320, legend=names)


def _time_axis(largest: float, unit: str) -> alt.Y:
    """Zero and the powers of ten."""
    import altair as alt

    ticks = [0, *(10**i for i in range(12) if 10**i <= largest)]
    return alt.Y(
        "time:Q",
        title=f"time [{unit}]" if unit else "time",
        axis=alt.Axis(values=ticks, labelExpr="format(datum.value, ',')"),
        scale=alt.Scale(type="symlog", constant=1, nice=False),
    )


def _line(runs: pl.DataFrame, name: str) -> list[dict[str, Any]]:
    """One row for each point that is drawn: the first, the last, and evenly between."""
    times = sorted(runs.filter(runs["solver"] == name)["time"].to_list())
    step = max(1, -(-len(times) // MOST))
    kept = sorted({*range(0, len(times), step), len(times) - 1} - {-1})
    return [{"solver": name, "n": at + 1, "time": times[at]} for at in kept]
