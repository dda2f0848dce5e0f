"""Charts of gaps: by delta, by fold, and what closes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import mean, median
from types import MappingProxyType
from typing import Any

import polars as pl

from aslib_eval.analysis.results import LakeResults, ScenarioResults
from aslib_eval.errors import AslibError
from aslib_eval.figures.chart import (
    Band,
    Boxes,
    Chart,
    Dots,
    Line,
    Linear,
    Logarithmic,
    Mark,
    Rule,
    Texts,
    look,
)
from aslib_eval.text import brief, number, plural, rounded_to_zero, significant, with_unit

_DECADES = 6


def delta(results: LakeResults, _: Sequence[str] = ()) -> Chart:
    """Borda count of the selectors over delta, all instances as one."""
    return _drawn(results, "delta", modified=False)


def delta_modified(results: LakeResults, _: Sequence[str] = ()) -> Chart:
    """The same of the modified Borda count."""
    return _drawn(results, "delta_modified", modified=True)


def _drawn(results: LakeResults, name: str, *, modified: bool) -> Chart:
    share = "δ (share of the smaller time)"
    label = share if results.delta_is_relative else with_unit("δ", results.time_unit)
    try:
        return delta_curves(results.delta_curves(modified=modified), label=label, places=results.places)
    except AslibError as error:
        hint = "It takes runtimes of two selectors: choose other scenarios = [...]."
        raise AslibError(error.message, name, hint) from None


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
    lines = [
        Line(
            curves.filter(curves["solver"] == name).sort("delta").select("delta", "score").rows(),
            name=name,
            color=look(known[name]).color,
            step=True,
            dash=look(known[name]).dash,
        )
        for name in names
    ]
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


LEAST = -2.0  # gaps below it stand at the edge of the chart


def fold_gaps(results: ScenarioResults) -> Chart | None:
    """Each selector's closed gap on every fold; None where no fold has one."""
    present: dict[str, list[tuple[str, float, int]]] = {}
    for row in results.frames["fold"].to_dicts():
        if row["closed_gap"] is not None:
            fold = (fold_name(row), row["closed_gap"], row["n_instances"])
            present.setdefault(row["solver"], []).append(fold)
    if not present:
        return None
    names = sorted(present, key=lambda s: (-mean(g for _, g, _ in present[s]), s))
    gaps = [gap for found in present.values() for _, gap, _ in found]
    edge = f" (arrows at the edge: below {number(LEAST)})" if min(gaps) < LEAST else ""
    return Chart(
        "Closed gap on every fold",
        f"From {number(min(gaps))} to {number(max(gaps))}.",
        Linear(f"closed gap{edge}", max(min(*gaps, 0.0), LEAST), max(*gaps, 1.0)),
        Band(names),
        [Rule(0, "SBS"), *_marks(names, present)],
        f"protocol {results.protocol}",
        row_height=28,
    )


def _marks(names: list[str], present: dict[str, list[tuple[str, float, int]]]) -> list[Mark]:
    """A dot a fold, and the mean and median; what is beyond the edge points there.

    A mean beyond it has its value beside it: the edge is not the mean.
    """
    dots: list[list[Any]] = [
        [gap, i, f"{name}, fold {fold}: closed gap {number(gap)}, n = {n}"]
        for i, name in enumerate(names)
        for fold, gap, n in present[name]
    ]
    marks: list[Mark] = _at_edge(dots, name="a fold", color="c6")
    beyond: dict[int, list[str]] = {}
    for what, of, paint in (("mean", mean, "c2"), ("median", median, "ink")):
        values = [rounded_to_zero(of(gap for _, gap, _ in present[name])) for name in names]
        points: list[list[Any]] = [
            [x, i, f"{name}: {what} over {len(present[name])} folds {number(x)}"]
            for i, (name, x) in enumerate(zip(names, values, strict=True))
        ]
        marks += _at_edge(points, name=what, color=paint, r=5)
        for x, i, _ in points:
            if x < LEAST:
                beyond.setdefault(i, []).append(f"{what} {brief(x)}")
    texts = [[LEAST, i, ", ".join(found), "start", 9] for i, found in beyond.items()]
    return [*marks, Texts(texts)] if texts else marks


def _at_edge(points: list[list[Any]], *, name: str, color: str, r: float = 3.4) -> list[Mark]:
    outside = [[LEAST, *p[1:]] for p in points if p[0] < LEAST]
    inside = Dots([p for p in points if p[0] >= LEAST], name=name, color=color, r=r)
    return [inside, *([Dots(outside, color=color, r=r, symbol="triangle-left")] if outside else [])]


def fold_name(row: Mapping[str, Any]) -> str:
    """Repetition and number of a fold."""
    return f"{row['cv_repetition']}/{row['fold']}"


CAUSES = {
    "wrong choice": "loss1",
    "schedule": "loss2",
    "feature cost": "loss3",
    "cut off": "loss4",
    "no answer": "loss5",
    "run outside": "loss6",
}
_LAST = 7  # position of the selector itself in solver_loss


FAR = -1.5  # closed gap below which a selector squashes the bars of the others


def waterfalls(results: ScenarioResults) -> list[Chart]:
    """``waterfall`` of the selectors, and one with its own axis of those below FAR."""
    score = results.frames["score"]
    below = score.filter(score["closed_gap"] < FAR)["solver"].to_list()
    near, far = waterfall(results, without=below), waterfall(results, alone=below)
    return [near, far] if near and far else [c for c in (near, far) if c]


def waterfall(
    results: ScenarioResults, *, without: Sequence[str] = (), alone: Sequence[str] | None = None
) -> Chart | None:
    """From VBS (1) down to each selector's closed gap, a piece for each cause.

    None where no selector has a closed gap whose losses are known. without, alone: those that are left out,
    or drawn.
    """
    score, loss = results.frames["score"], results.frames["loss"]
    steps = loss.filter(loss["gap_share"].is_not_null()).to_dicts()
    known = {step["solver"] for step in steps} - set(without)
    known &= known if alone is None else set(alone)
    names = [name for name in score.filter(kind="selector")["solver"].to_list() if name in known]
    if not names:
        return None
    steps = [step for step in steps if step["solver"] in known]
    pieces = _pieces(names, steps)
    low = min([0.0, *(box[0] for found in pieces.values() for box in found)])
    rules = [Rule(0, "SBS")]
    most = score["attainable_gap"].drop_nulls()
    if most.len() and alone is None:  # with a far axis it lies on SBS
        rules.append(Rule(float(most[0]), "VBS + feature costs"))
    won = [s for s in steps if s["step"] in CAUSES and (s["loss"] or 0) < 0]
    about = (
        "From VBS (1) down to the closed gap, a piece a cause, in the order of the "
        f"legend{'; a thicker piece is won back' if won else ''}. "
        "In another order an instance's loss may fall to another cause."
    )
    return Chart(
        "What each selector loses against VBS, by cause",
        about,
        Linear("closed gap", low - 0.02, 1.0),
        Band(names),
        [*(Boxes(b, name=c, color=CAUSES[c]) for c, b in pieces.items() if b), *rules],
        results.population,
        row_height=34,
    )


def _pieces(names: list[str], steps: list[dict[str, Any]]) -> dict[str, list[list[Any]]]:
    found: dict[str, list[list[Any]]] = {cause: [] for cause in CAUSES}
    reached = dict.fromkeys(names, 1.0)
    for step in steps:
        name, cause = step["solver"], step["step"]
        if cause not in found or not 0 < step["position"] < _LAST or not step["loss"]:
            continue
        start, row = reached[name], names.index(name)
        reached[name] = rounded_to_zero(start - step["gap_share"])
        half = 0.32 if step["loss"] > 0 else 0.42
        says = (
            f"{name}, {cause}: {number(step['gap_share'])} of the gap, mean cost "
            f"{number(step['loss'])}, on {plural(step['n_affected'], 'instance')}, "
            f"main cause of {step['n_main']}"
        )
        found[cause].append([*sorted((start, reached[name])), row - half, row + half, says])
    return found
