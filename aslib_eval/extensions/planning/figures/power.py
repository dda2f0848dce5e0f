"""Power curves: what a plan would find, and what more comparisons cost."""

from __future__ import annotations

import polars as pl

from aslib_eval.errors import AslibError
from aslib_eval.figures.chart import Chart, Dots, Line, Linear, Mark, Rule, Texts
from aslib_eval.text import significant

TITLES = {"d": "difference of means, in standard deviations (d)", "n": "number of instances"}
# Line → colour and dashes.
LOOKS = {"power": ("ink", None), "best": ("faint", "2 3"), "mean": ("ink", None), "worst": ("faint", "6 3")}


def power_curve(curve: pl.DataFrame, *, at: float | None = None, power: float | None = None) -> Chart:
    """Mean, worst and best power over effects or instances.

    curve: columns ``d`` or ``n``, ``line`` (mean, worst or best) and ``power``, of ``planning.curve``.
    ``at`` and ``power`` mark the plan itself. Where all
    comparisons face the same level the three lines are one, named ``power``.

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
        "Power of the plan",
        "",
        Linear(TITLES[over], low, high),
        Linear("power", 0, 1),
        [*lines, *_plan(low, over, at, power)],
        height=400,
    )


def sizes_over_comparisons(sizes: pl.DataFrame) -> Chart:
    """Instances that a plan needs, over its number of comparisons.

    sizes: the first frame of ``over_comparisons``.

    Source: Campelo and Wanner 2020, figure 1.
    """
    marks: list[Mark] = []
    for line, (color, dash, symbol) in _CORRECTED.items():
        points = [
            [k, n, f"{line}, {k} comparisons: N = {n}"]
            for k, n in sizes.filter(line=line).select("comparisons", "n").rows()
        ]
        marks += [Line(points, name=line, color=color, dash=dash), Dots(points, color=color, symbol=symbol)]
    return Chart(
        "Instances needed, by the number of comparisons",
        "",
        Linear(_COMPARISONS, *_ends(sizes), whole=True),
        Linear("number of instances", 0, float(max(sizes["n"])), whole=True),
        marks,
        height=400,
    )


_COMPARISONS = "number of comparisons"
_CORRECTED = {"Bonferroni": ("c2", "6 3", "square"), "Holm": ("c1", None, None)}


def power_profile(profiles: pl.DataFrame, *, power: float | None = None) -> Chart:
    """Power of every comparison, over the number of comparisons.

    profiles: the second frame of ``over_comparisons``. ``power``: the planned one. N
    of some plans stands below their worst comparison.

    Source: Campelo and Wanner 2020, figure 2.
    """
    summaries = (
        profiles.group_by("comparisons", maintain_order=True)
        .agg(
            pl.col("n").first(),
            best=pl.col("power").max(),
            mean=pl.col("power").mean(),
            worst=pl.col("power").min(),
        )
        .to_dicts()
    )
    lines = [
        Line(
            [[row["comparisons"], row[line]] for row in summaries],
            name=f"{line} comparison",
            color=color,
            dash=dash,
        )
        for line, (color, dash) in LOOKS.items()
        if line != "power"
    ]
    dots = [
        [k, p, f"one of {k} comparisons on {n} instances: power {p:.3g}"]
        for k, n, p in profiles.select("comparisons", "n", "power").rows()
    ]
    low = max(0.0, 2 * float(min(profiles["power"])) - 1)
    every = max(1, len(summaries) // _LABELS)
    labels = [
        [row["comparisons"], row["worst"] - 0.1 * (1 - low), f"{row['n']}", "middle", 0]
        for row in summaries[every - 1 :: every]
    ]
    rule = [] if power is None else [Rule(y=power, color="c2")]
    return Chart(
        "Power of each comparison; below it the number of instances",
        "",
        Linear(_COMPARISONS, *_ends(profiles), whole=True),
        Linear("power", low, 1),
        [Dots(dots, color="c6", r=3), *lines, *rule, Texts(labels)],
        height=400,
    )


_LABELS = 8  # texts that have room beside each other


def _ends(frame: pl.DataFrame) -> tuple[float, float]:
    return float(min(frame["comparisons"])), float(max(frame["comparisons"]))


def _without_twins(curve: pl.DataFrame, over: str) -> pl.DataFrame:
    """One line, called power, where mean, worst and best are the same everywhere."""
    wide = curve.pivot(on="line", index=over, values="power")
    if (wide["best"] - wide["worst"]).abs().max() == 0:
        return curve.filter(pl.col("line") == "mean").with_columns(line=pl.lit("power"))
    return curve


def _plan(low: float, over: str, at: float | None, power: float | None) -> list[Mark]:
    """The plan: a dashed line at the power, and a point where the plan stands."""
    marks: list[Mark] = []
    if power is not None:
        marks.append(Rule(y=power, color="c2"))
    if at is not None and power is not None:
        text = f"{'N' if over == 'n' else over} = {significant(at)}, power {power:.3g}"
        marks.append(Dots([[at, power, text]], color="c2", r=5))
        # At the left end of the line, where no curve is.
        marks.append(Texts([[low, power + 0.03, text, "start", 6]], color="c2"))
    return marks
