"""Charts of plans: power, places, sampling."""

from __future__ import annotations

from statistics import median
from typing import Any

import polars as pl

from aslib_eval.errors import AslibError
from aslib_eval.extensions.planning.instances import PlaceRun
from aslib_eval.figures.chart import Band, Chart, Dots, Line, Linear, Mark, Rule, Texts
from aslib_eval.figures.ranks import require_one_comparison
from aslib_eval.text import number, plural, significant


def places_over_time(found: PlaceRun) -> Chart:
    """Best and worst possible place and the likeliest, after each run.

    Of a recorded solver its place on all instances is marked, and the time is that of all its runs.
    """
    steps, places = found.runs(), len(found.field.names) + 1
    begun = {"best": 1, "worst": places}
    lines: list[Mark] = [
        Line(
            [
                *([[0, begun[name], f"{name} {begun[name]}"]] if name in begun else []),
                *([step["spent"], step[name], _tip(step)] for step in steps),
            ],
            name=f"{name} possible" if name in begun else "likeliest",
            color=color,
            step=True,
        )
        for name, color in (("best", "c1"), ("worst", "c2"), ("place", "ink"))
    ]
    if found.truth is not None:
        lines.append(Rule(y=found.truth, label=f"on all: {found.truth}"))
    last = steps[-1]
    return Chart(
        f"The place of {found.solver}",
        found.sentence(),
        Linear("time of its runs", 0, found.full or last["spent"]),
        Linear("place", 1, places, whole=True),
        lines,
        f"{last['scenario_id']}; {plural(len(steps), 'run')} of"
        f" {len(found.field.group.instances)}; alpha {number(found.rule.alpha)}",
    )


def _tip(step: dict[str, object]) -> str:
    return f"{step['best']} to {step['worst']}, likeliest {step['place']}"


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


MOST = 120  # instances or algorithms that a page holds


def standard_errors(pairs: pl.DataFrame, *, se: float) -> Chart:
    """Standard error of every pair on every instance, and the runs in all beside it.

    pairs: columns ``instance``, ``system``, ``other``, ``se``, ``reached`` and ``total_runs``, of ``plan
    runs``. ``se``: the standard error that was asked for; pairs beyond it ran out of budget, or of recorded
    runs.

    Source: Campelo and Wanner 2020, figure 3.
    """
    require_one_comparison(pairs)
    runs = dict(pairs.select("instance", "total_runs").rows())
    places = _places(list(runs), "instances")
    dots: dict[bool, list[list[Any]]] = {True: [], False: []}
    for row in pairs.to_dicts():
        tip = f"{row['instance']}, {row['system']} and {row['other']}: {number(row['se'])}"
        dots[row["reached"]].append([row["se"], places[row["instance"]], tip])
    n_open = len({y for _, y, _ in dots[False]})
    about = "All standard errors are as small as they were to be."
    if n_open:
        noun = plural(n_open, "instance")
        about = f"On {noun} the runs ended before all standard errors were small."
    names = {True: "reached", False: "not reached"}
    return Chart(
        "Standard errors of the differences",
        about,
        Linear("standard error", 0, max(se, *pairs["se"])),
        Band(list(runs), right=[f"{n}" for n in runs.values()]),
        [
            Rule(se, f"wanted: {number(se)}"),
            *(
                Dots(dots[is_in], name=names[is_in], color=color, r=3, symbol=symbol)
                for is_in, color, symbol in ((True, "c1", None), (False, "c2", "square"))
                if dots[is_in]
            ),
        ],
        f"{plural(len(runs), 'instance')}; at the right the runs on each",
        row_height=16,
    )


def runs_of_each(pairs: pl.DataFrame) -> Chart:
    """How often each algorithm was run on the instances, most in the median first.

    pairs: columns ``instance``, ``system``, ``other``, ``runs`` and ``other_runs``, of ``plan runs``.

    Source: Campelo and Wanner 2020, figure 4.
    """
    require_one_comparison(pairs)
    counts: dict[str, dict[str, int]] = {}
    for row in pairs.to_dicts():
        for who, often in (("system", "runs"), ("other", "other_runs")):
            counts.setdefault(row[who], {})[row["instance"]] = row[often]
    middle = {name: median(counts[name].values()) for name in counts}
    order = sorted(counts, key=lambda name: (-middle[name], name))
    places = _places(order, "algorithms")
    dots = [
        [often, row, f"{name} on {instance}: {plural(often, 'run')}"]
        for name, row in places.items()
        for instance, often in counts[name].items()
    ]
    middles = [
        [middle[name], row, f"{name}: {number(middle[name])} in the median"] for name, row in places.items()
    ]
    most = max(max(by_instance.values()) for by_instance in counts.values())
    n = len({instance for by_instance in counts.values() for instance in by_instance})
    return Chart(
        "Runs of each algorithm",
        f"{order[0]} was run most often in the median.",
        Linear("runs on an instance", 0, most, whole=True),
        Band(order),
        [
            Dots(dots, name="an instance", color="c6"),
            Dots(middles, name="median", color="ink", r=5, symbol="diamond"),
        ],
        f"n = {plural(n, 'instance')}",
        row_height=24,
    )


def _places(names: list[str], noun: str) -> dict[str, int]:
    if not 0 < len(names) <= MOST:
        raise AslibError(f"{len(names)} {noun} do not make a readable chart", hint=f"Draw up to {MOST}.")
    return {name: row for row, name in enumerate(names)}
