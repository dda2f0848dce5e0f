"""Adaptive sampling: how exactly differences are known, and who was run how often."""

from __future__ import annotations

from statistics import median
from typing import Any

import polars as pl

from aslib_eval.errors import AslibError
from aslib_eval.figures.chart import Band, Chart, Dots, Linear, Rule
from aslib_eval.figures.critical_difference import require_one_comparison
from aslib_eval.text import number, plural

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
        who = f"{row['instance']}, {row['system']} and {row['other']}"
        tip = f"{who}: {number(row['se'])}"
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
        message = f"{len(names)} {noun} do not make a readable chart"
        raise AslibError(message, hint=f"Draw up to {MOST}.")
    return {name: row for row, name in enumerate(names)}
