"""Times of two solvers against each other, instance by instance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from aslib_eval.analysis.lake_results import LakeResults
from aslib_eval.errors import AslibError
from aslib_eval.figures.catalogue import FigureEntry
from aslib_eval.figures.chart import Chart, Dots, Line, Logarithmic

if TYPE_CHECKING:
    import polars as pl

CHANGES = FigureEntry(
    "times of two solvers against each other, instance by instance: --solver twice",
    "lake",
    "aslib_eval.extensions.changes.figures:changes_of",
    "two solvers with runtimes",
    chosen=True,
)
_LOOKS = {
    "gained": ("low", "triangle-down"),
    "lost": ("high", "square"),
    "faster": ("low", "circle"),
    "slower": ("high", "circle"),
    "level": ("muted", "circle"),
    "neither": ("muted", "cross"),
}
_LEAST = 1e-6  # of the longest time: what is below stands there


def changes_of(results: LakeResults, solvers: Sequence[str]) -> Chart:
    """The times of two solvers of one scenario, of which the first is the older."""
    from aslib_eval.extensions.changes.analysis.changes import changes
    from aslib_eval.extensions.changes.analysis.sides import sides_of

    if len(solvers) != 2:  # noqa: PLR2004
        what = f"it shows two solvers, these are {len(solvers)}"
        raise AslibError(what, "changes", "Type --solver OLD --solver NEW.")
    sides = sides_of(solvers, None, results.lake.path, lambda _: results.lake)
    return times_of_two(changes(sides).instances)


def times_of_two(instances: pl.DataFrame) -> Chart:
    """A dot an instance: right and below the diagonal the later one is faster.

    instances: as in ``Changes``, of one scenario and step, with runtimes. What is not
    solved stands at its cutoff.
    """
    one = ("protocol", "scenario_id", "measure", "before", "after")
    if (
        instances.select(one).unique().height != 1
        or instances["ratio"].null_count() == instances.height
    ):
        what = "it shows the times of one scenario"
        raise AslibError(what, None, "Choose one with --scenario, and one protocol.")
    old, new = instances.select("before", "after").row(0)
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
        Logarithmic(f"time of {old}", low, high),
        Logarithmic(f"time of {new}", low, high),
        [Line([(low, low), (high, high)], color="muted", dash="4 4"), *dots],
        height=420,
    )
