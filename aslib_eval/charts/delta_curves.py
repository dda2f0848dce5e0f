"""Borda counts of solvers over delta."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aslib_eval.charts.theme import FONT, INK, PALE, finished, inline

if TYPE_CHECKING:
    import altair as alt
    import polars as pl

# Distinct also in grey and for the colour-blind, by dash as well as by colour.
_COLORS = ("#1f6fb2", "#c0392b", "#2e8b57", "#8e5ea2", "#d98c00", "#555555", "#17a2b8")
_DASHES = ([1, 0], [6, 2], [2, 2], [8, 2, 2, 2], [4, 4], [1, 3], [10, 3])


def delta_curves(
    curves: pl.DataFrame, *, crossing: float | None = None, title: str = ""
) -> alt.LayerChart:
    """The Borda count of every solver, delta from left to right.

    curves: columns ``delta``, ``solver`` and ``score``, from each value on to the next.
    crossing: a delta to point out. The axis is linear below 1 and logarithmic above. A
    solver keeps its colour and dashes as long as the same solvers are drawn.

    Source: Amadini et al. 2023, figures 1 and 3.
    """
    import altair as alt

    last = curves.filter(curves["delta"] == curves["delta"].max())
    names = last.sort("score", descending=True)["solver"].to_list()
    place = {name: i for i, name in enumerate(sorted(names))}
    n = len(_COLORS)
    legend = alt.Legend(
        title=None, symbolStrokeWidth=2.5, symbolSize=500, labelFontSize=FONT
    )
    scale = alt.Scale(domain=names, range=[_COLORS[place[name] % n] for name in names])
    # From the eighth on, a colour comes again with other dashes.
    dashes = [_DASHES[(place[name] + place[name] // n) % n] for name in names]
    dash = alt.Scale(domain=names, range=dashes)
    lines = alt.Chart(inline(curves.to_dicts())).mark_line(
        strokeWidth=2, interpolate="step-after"
    )
    shown = lines.encode(
        x=delta_axis(float(curves["delta"].max())),  # type: ignore[arg-type]
        y=alt.Y("score:Q", title="Borda count", scale=alt.Scale(zero=False)),
        color=alt.Color("solver:N", scale=scale, legend=legend),
        strokeDash=alt.StrokeDash("solver:N", scale=dash, legend=legend),
    )
    layers = [shown, *_mark(curves, crossing)]
    return finished(alt.layer(*layers), title, width=520, height=320, legend=names)


def delta_axis(largest: float) -> alt.X:
    """Zero, the powers of ten, and the end."""
    import altair as alt

    tens = [10.0**i for i in range(12) if 10.0**i <= largest / 2]
    return alt.X(
        "delta:Q",
        title="δ",
        axis=alt.Axis(values=[0, *tens, largest], labelExpr="format(datum.value, ',')"),
        scale=alt.Scale(type="symlog", constant=1, nice=False),
    )


def _mark(curves: pl.DataFrame, crossing: float | None) -> list[alt.Chart]:
    import altair as alt

    if crossing is None:
        return []
    top = float(curves["score"].max())  # type: ignore[arg-type]
    point = inline([{"delta": crossing, "score": top, "text": f"δ = {crossing:g}"}])
    rule = alt.Chart(point).mark_rule(color=PALE, strokeDash=[3, 3]).encode(x="delta:Q")
    text = alt.Chart(point).mark_text(
        align="left", dx=5, fontSize=FONT, color=INK, baseline="top"
    )
    return [rule, text.encode(x="delta:Q", y="score:Q", text="text:N")]
