"""Two solvers instance by instance, and the history of one over its versions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from aslib_eval.analysis.lake_results import LakeResults
from aslib_eval.errors import AslibError
from aslib_eval.extensions.changes.analysis.changes import Changes, changes
from aslib_eval.extensions.changes.analysis.sides import sides_of
from aslib_eval.figures.catalogue import FigureEntry
from aslib_eval.figures.chart import Band, Chart, Dots, Line, Linear, Logarithmic, Rule
from aslib_eval.text import number

CHANGES = FigureEntry(
    "times of two solvers against each other, instance by instance: --solver twice",
    "lake",
    "aslib_eval.extensions.changes.figures:changes_of",
    "two solvers with runtimes",
    chosen=True,
)
HISTORY = FigureEntry(
    "how the mean cost changes from each version to the next: --solver for each",
    "lake",
    "aslib_eval.extensions.changes.figures:history_of",
    "two solvers or more, the oldest first",
    chosen=True,
)
# Verdict → its colour and mark: shape as well, for who does not tell the colours.
_VERDICTS = {
    "better": ("low", "triangle-down"),
    "worse": ("high", "square"),
    "typically better": ("low", "ring"),
    "typically worse": ("high", "ring"),
    "mixed": ("ink", "ring"),
    "no difference": ("faint", "ring"),
}
_LOOKS = {
    "gained": ("low", "triangle-down"),
    "lost": ("high", "square"),
    "faster": ("low", "circle"),
    "slower": ("high", "circle"),
    "level": ("faint", "circle"),
    "neither": ("faint", "cross"),
}
_LEAST = 1e-6  # of the longest time: what is below stands there


def changes_of(results: LakeResults, solvers: Sequence[str]) -> Chart:
    """The times of two solvers of one scenario, of which the first is the older."""
    if len(solvers) != 2:  # noqa: PLR2004
        what = f"it shows two solvers, these are {len(solvers)}"
        raise AslibError(what, "changes", "Type --solver OLD --solver NEW.")
    found = _changes(results, solvers)
    return times_of_two(found.instances, found.cost)


def history_of(results: LakeResults, solvers: Sequence[str]) -> Chart:
    """The history of a solver whose versions are given, the oldest first."""
    if len(solvers) < 2:  # noqa: PLR2004
        what = f"it shows two solvers or more, these are {len(solvers)}"
        raise AslibError(what, "history", "Type --solver OLD --solver NEW.")
    found = _changes(results, solvers)
    return history(found.summary, found.cost)


def _changes(results: LakeResults, solvers: Sequence[str]) -> Changes:
    return changes(sides_of(solvers, None, results.lake.path, lambda _: results.lake))


def history(summary: pl.DataFrame, cost: str = "mean cost") -> Chart:
    """A row a step: the change of the mean cost with its interval, and the verdict.

    summary: as in ``Changes``, of one scenario and measure; of families a row each. cost: its name, with
    its unit.
    """
    if summary.select("protocol", "scenario_id", "measure").unique().height != 1:
        what = "it shows the history on one scenario"
        raise AslibError(what, None, "Choose one with --scenario, and one protocol.")
    rows = summary.to_dicts()
    names = [f"{_of(row)}{row['before']} → {row['after']}" for row in rows]
    lines: list[Line] = []
    dots: dict[str, list[tuple[float, int, str]]] = {name: [] for name in _VERDICTS}
    for at, row in enumerate(rows):
        ends = [row["change_low"], row["change_high"]]
        counts = ", ".join(f"{row[n]} {n}" for n in ("gained", "lost"))
        tip = (
            f"{names[at]}: {row['verdict']}, mean cost {number(row['cost_before'])} to "
            f"{number(row['cost_after'])}, {counts}, n = {row['n']}"
        )
        if None not in ends:
            dash = None if row["verdict"] in {"better", "worse"} else "4 3"
            points = [(end, at, tip) for end in ends]
            lines.append(Line(points, color="faint", dash=dash))
        dots[row["verdict"]].append((row["change"], at, tip))
    values = [0.0, *(p[0] for some in dots.values() for p in some)]
    values += [p[0] for line in lines for p in line.points]
    room = 0.04 * (max(values) - min(values))
    marks = [
        Dots(dots[name], name=name, color=color, symbol=symbol, r=5)
        for name, (color, symbol) in _VERDICTS.items()
        if dots[name]
    ]
    return Chart(
        f"{rows[0]['scenario_id']}: from {rows[0]['before']} to {rows[-1]['after']}",
        "A mark is the change of the mean cost from one to the next, left of 0 where "
        "it falls; a line is its 95 % interval; the verdict rests on two tests "
        "and that interval, and what they do not agree on is dashed and open.",
        Linear(f"change of the {cost}", min(values) - room, max(values) + room),
        Band(names),
        [Rule(x=0.0), *lines, *marks],
        f"{rows[0]['scenario_id']}, {rows[0]['protocol']}",
        row_height=30,
    )


def _of(row: dict[str, Any]) -> str:
    return f"{row['family']}: " if "family" in row else ""


def times_of_two(instances: pl.DataFrame, cost: str = "") -> Chart:
    """A dot an instance: right and below the diagonal the later one is faster.

    instances: as in ``Changes``, of one scenario and step, with runtimes. What is not solved stands at its
    cutoff. cost: of ``Changes``, which ends in the unit.
    """
    one = ("protocol", "scenario_id", "measure", "before", "after")
    if instances.select(one).unique().height != 1 or instances["ratio"].null_count() == instances.height:
        what = "it shows the times of one scenario"
        raise AslibError(what, None, "Choose one with --scenario, and one protocol.")
    old, new = instances.select("before", "after").row(0)
    unit = cost[cost.index(" [") :] if " [" in cost else ""
    ran = instances.select("instance_id", "value_before", "value_after", "outcome")
    high = max([_LEAST, *(max(was, now) for _, was, now, _ in ran.rows())])
    low = high * _LEAST
    points: dict[str, list[tuple[float, float, str]]] = {}
    for name, was, now, outcome in ran.rows():
        place = max(was, low), max(now, low), f"{name}: {outcome}"
        points.setdefault(outcome, []).append(place)
    low = min(min(x, y) for part in points.values() for x, y, _ in part)
    dots = [
        Dots(points[outcome], name=f"{outcome} ({len(points[outcome])})", color=color,
             symbol=symbol)
        for outcome, (color, symbol) in _LOOKS.items()
        if outcome in points
    ]  # fmt: skip
    return Chart(
        f"{instances['scenario_id'][0]}: {new} against {old}",
        f"Below the diagonal {new} takes less time; what is unsolved is at the cutoff.",
        Logarithmic(f"time of {old}{unit}", low, high),
        Logarithmic(f"time of {new}{unit}", low, high),
        [Line([(low, low), (high, high)], color="muted", dash="4 4"), *dots],
        height=420,
    )
