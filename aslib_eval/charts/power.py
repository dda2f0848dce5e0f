"""Power curves: what a plan would find."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aslib_eval.charts.theme import ACCENT, FONT, INK, PALE, finished, inline
from aslib_eval.errors import AslibError

if TYPE_CHECKING:
    import altair as alt
    import polars as pl

TITLES = {
    "d": "difference of means, in standard deviations (d)",
    "n": "number of instances",
}
# Line → colour and dashes.
LOOKS = {
    "power": (INK, [1, 0]),
    "best": (PALE, [2, 3]),
    "mean": (INK, [1, 0]),
    "worst": (PALE, [6, 3]),
}


def power_curve(
    curve: pl.DataFrame,
    *,
    at: float | None = None,
    power: float | None = None,
    title: str = "",
) -> alt.LayerChart:
    """Mean, worst and best power over effects or instances.

    curve: columns ``d`` or ``n``, ``line`` (mean, worst or best) and ``power``, of
    ``planning.curve``. ``at`` and ``power`` mark the plan itself. Where all
    comparisons face the same level the three lines are one, named ``power``.

    Raises AslibError if the frame is none of these.

    Source: Campelo and Wanner 2020, figures 2 and 6.
    """
    import altair as alt

    over = next((name for name in TITLES if name in curve.columns), None)
    if over is None:
        raise AslibError("this frame is no power curve", hint="Use planning.curve.")
    layers = [_lines(_without_twins(curve, over), over), *_mark(curve, over, at, power)]
    return finished(alt.layer(*layers), title, width=460, height=300)


def _lines(shown: pl.DataFrame, over: str) -> alt.Chart:
    import altair as alt

    names = [line for line in LOOKS if line in set(shown["line"])]
    scale = alt.Scale(domain=names, range=[LOOKS[name][0] for name in names])
    dash = alt.Scale(domain=names, range=[LOOKS[name][1] for name in names])
    legend = None if len(names) == 1 else alt.Legend(title="comparison")
    lines = alt.Chart(inline(shown.to_dicts())).mark_line(strokeWidth=2)
    found: alt.Chart = lines.encode(
        x=alt.X(f"{over}:Q", title=TITLES[over], scale=alt.Scale(nice=False)),
        y=alt.Y("power:Q", title="power", scale=alt.Scale(domain=[0, 1])),
        color=alt.Color("line:N", scale=scale, legend=legend),
        strokeDash=alt.StrokeDash("line:N", scale=dash, legend=legend),
    )
    return found


def _without_twins(curve: pl.DataFrame, over: str) -> pl.DataFrame:
    """One line, called power, where mean, worst and best are the same everywhere."""
    import polars as pl

    wide = curve.pivot(on="line", index=over, values="power")
    if (wide["best"] - wide["worst"]).abs().max() == 0:
        return curve.filter(pl.col("line") == "mean").with_columns(line=pl.lit("power"))
    return curve


def _mark(
    curve: pl.DataFrame, over: str, at: float | None, power: float | None
) -> list[alt.Chart]:
    """The plan: a dashed line at the power, and a point where the plan stands."""
    import altair as alt

    found = []
    if power is not None:
        line = alt.Chart(inline([{"power": power}]))
        found.append(
            line.mark_rule(color=ACCENT, strokeDash=[4, 3]).encode(y="power:Q")
        )
    if at is not None and power is not None:
        text = f"{'N' if over == 'n' else over} = {at:.4g}, power {power:.3g}"
        point = alt.Chart(inline([{over: at, "power": power}]))
        point = point.encode(x=f"{over}:Q", y="power:Q")
        found.append(point.mark_point(color=ACCENT, filled=True, size=80, opacity=1))
        # At the left end of the line, where no curve is.
        label = alt.Chart(inline([{over: min(curve[over]), "power": power}]))
        label = label.encode(x=f"{over}:Q", y="power:Q")
        found.append(
            label.mark_text(
                align="left", dx=6, dy=-9, text=text, color=ACCENT, fontSize=FONT
            )
        )
    return found
