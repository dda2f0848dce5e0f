"""Power curves: what a plan would find."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aslib_eval.errors import AslibError
from aslib_eval.figures.chart import Chart, Dots, Line, Linear, Mark, Rule, Texts

if TYPE_CHECKING:
    import polars as pl

TITLES = {
    "d": "difference of means, in standard deviations (d)",
    "n": "number of instances",
}
# Line → colour and dashes.
LOOKS = {
    "power": ("ink", None),
    "best": ("faint", "2 3"),
    "mean": ("ink", None),
    "worst": ("faint", "6 3"),
}


def power_curve(
    curve: pl.DataFrame,
    *,
    at: float | None = None,
    power: float | None = None,
    title: str = "",
) -> Chart:
    """Mean, worst and best power over effects or instances.

    curve: columns ``d`` or ``n``, ``line`` (mean, worst or best) and ``power``, of
    ``planning.curve``. ``at`` and ``power`` mark the plan itself. Where all
    comparisons face the same level the three lines are one, named ``power``.

    Raises:
        AslibError: the frame is none of these.

    Source: Campelo and Wanner 2020, figures 2 and 6.
    """
    over = next((name for name in TITLES if name in curve.columns), None)
    if over is None:
        raise AslibError("this frame is no power curve", hint="Use planning.curve.")
    shown = _without_twins(curve, over)
    named = shown["line"].n_unique() > 1
    lines = [
        Line(
            shown.filter(shown["line"] == line).select(over, "power").rows(),
            name=f"{line} comparison" if named else "",
            color=color,
            dash=dash,
        )
        for line, (color, dash) in LOOKS.items()
        if line in set(shown["line"])
    ]
    low, high = float(min(curve[over])), float(max(curve[over]))
    return Chart(
        title or "Power of the plan",
        "",
        Linear(TITLES[over], low, high),
        Linear("power", 0, 1),
        [*lines, *_plan(low, over, at, power)],
        height=400,
    )


def _without_twins(curve: pl.DataFrame, over: str) -> pl.DataFrame:
    """One line, called power, where mean, worst and best are the same everywhere."""
    import polars as pl

    wide = curve.pivot(on="line", index=over, values="power")
    if (wide["best"] - wide["worst"]).abs().max() == 0:
        return curve.filter(pl.col("line") == "mean").with_columns(line=pl.lit("power"))
    return curve


def _plan(low: float, over: str, at: float | None, power: float | None) -> list[Mark]:
    """The plan: a dashed line at the power, and a point where the plan stands."""
    found: list[Mark] = []
    if power is not None:
        found.append(Rule(y=power, color="c2"))
    if at is not None and power is not None:
        text = f"{'N' if over == 'n' else over} = {at:.4g}, power {power:.3g}"
        found.append(Dots([[at, power, text]], color="c2", r=5))
        # At the left end of the line, where no curve is.
        found.append(Texts([[low, power + 0.03, text, "start", 6]], color="c2"))
    return found
