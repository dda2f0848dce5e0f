"""Borda count over delta for papers, all scenarios as one; pages draw ``sweeps``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import polars as pl

from aslib_eval.analysis.lake_results import LakeResults
from aslib_eval.errors import AslibError
from aslib_eval.figures.chart import Chart, Line, Linear, Logarithmic, Rule
from aslib_eval.figures.palette import look
from aslib_eval.text import significant, with_unit

_DECADES = 6


def delta(results: LakeResults, _: Sequence[str] = ()) -> Chart:
    """Borda count of the selectors over delta, all instances as one."""
    return _drawn(results, "delta", modified=False)


def delta_modified(results: LakeResults, _: Sequence[str] = ()) -> Chart:
    """The same of the modified Borda count."""
    return _drawn(results, "delta_modified", modified=True)


def _drawn(results: LakeResults, name: str, *, modified: bool) -> Chart:
    try:
        curves = results.delta_curves(modified=modified)
        return delta_curves(curves, label=_label(results), places=results.places)
    except AslibError as error:
        hint = "It takes runtimes of two selectors: choose other scenarios = [...]."
        raise AslibError(error.message, name, hint) from None


def _label(results: LakeResults) -> str:
    if results.delta_is_relative:
        return "δ (share of the smaller time)"
    return with_unit("δ", results.time_unit)


def delta_curves(
    curves: pl.DataFrame,
    *,
    label: str = "δ",
    crossing: float | None = None,
    title: str = "",
    places: Mapping[str, int] = MappingProxyType({}),
) -> Chart:
    """The Borda count of every solver, delta from left to right.

    curves: columns ``delta``, ``solver`` and ``score``, from each value on to the next. label: of the axis
    of delta, which is logarithmic, with a place of its own for 0 and what is below it. crossing: a delta to
    point out. places: of the solvers with a colour in all figures; others keep theirs as long as the same
    solvers are drawn.

    Source: Amadini et al. 2023, figures 1 and 3.
    """
    high = float(curves["delta"].max())  # type: ignore[arg-type]
    least = float(curves.filter(curves["delta"] > 0)["delta"].min() or high)  # type: ignore[arg-type]
    low = max(least, high / 10**_DECADES)
    last = curves.filter(curves["delta"] == curves["delta"].max())
    names = last.sort("score", descending=True)["solver"].to_list()
    others = sorted(set(names) - places.keys())
    known = dict(places) | {name: len(places) + at for at, name in enumerate(others)}
    lines = [_line(curves, name, known[name]) for name in names]
    scores = curves["score"].to_list()
    aside = 0.03 * (max(scores) - min(scores))
    rules = [] if crossing is None else [Rule(crossing, f"δ = {significant(crossing, 6)}")]
    return Chart(
        title or "Borda count over δ",
        "",
        Logarithmic(label, low, high, zero=True),
        Linear("Borda count", min(scores) - aside, max(scores) + aside),
        [*lines, *rules],
        height=420,
    )


def _line(curves: pl.DataFrame, name: str, place: int) -> Line:
    own = curves.filter(curves["solver"] == name).sort("delta")
    drawn = look(place)
    points = own.select("delta", "score").rows()
    return Line(points, name=name, color=drawn.color, step=True, dash=drawn.dash)
