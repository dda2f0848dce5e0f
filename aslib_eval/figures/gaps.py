"""Charts of gaps, by delta, by fold and by cause; of runtimes, speedups and intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count
from math import fsum, isinf
from statistics import mean, median
from types import MappingProxyType
from typing import Any

import numpy as np
import polars as pl

from aslib_eval.analysis.compare.pairs import is_clear
from aslib_eval.analysis.compare.systems import Compared, p_words
from aslib_eval.analysis.results import LakeResults, ScenarioResults
from aslib_eval.errors import AslibError
from aslib_eval.figures.chart import (
    PLACES,
    Band,
    Boxes,
    Chart,
    Dots,
    Line,
    Linear,
    Logarithmic,
    Look,
    Mark,
    Rule,
    gap_axis,
    look,
)
from aslib_eval.figures.ranks import require_one_comparison
from aslib_eval.metrics.scale import Floats
from aslib_eval.text import list_names, number, plural, rounded_to_zero, significant, with_unit

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
        raise AslibError(
            error.message, name, "It needs runtimes of two selectors: choose other scenarios."
        ) from None


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


def fold_gaps(results: ScenarioResults) -> Chart | None:
    """Each selector's closed gap on every fold, with mean and median; None where no fold has one."""
    present: dict[str, list[tuple[str, float, int]]] = {}
    for row in results.frames["fold"].to_dicts():
        if row["closed_gap"] is not None:
            fold = (fold_name(row), row["closed_gap"], row["n_instances"])
            present.setdefault(row["solver"], []).append(fold)
    if not present:
        return None
    names = sorted(present, key=lambda s: (-mean(g for _, g, _ in present[s]), s))
    gaps = {name: [gap for _, gap, _ in present[name]] for name in names}
    every = [gap for own in gaps.values() for gap in own]
    dots = [
        [gap, i, f"{name}, fold {fold}: closed gap {number(gap)}, n = {n}"]
        for i, name in enumerate(names)
        for fold, gap, n in present[name]
    ]
    marks: list[Mark] = [Rule(0, "SBS"), Dots(dots, name="a fold", color="c6")]
    for what, of, paint, symbol in (("mean", mean, "c2", "diamond"), ("median", median, "ink", None)):
        values = [rounded_to_zero(of(own)) for own in gaps.values()]
        points = [
            [x, i, f"{name}: {what} over {len(gaps[name])} folds {number(x)}"]
            for i, (name, x) in enumerate(zip(names, values, strict=True))
        ]
        marks.append(Dots(points, name=what, color=paint, r=5, symbol=symbol))
    return Chart(
        "Closed gap on every fold",
        f"The gaps range from {number(min(every))} to {number(max(every))}.",
        gap_axis(every, high=1.0),
        Band(names),
        marks,
        f"protocol {results.protocol}",
        row_height=28,
    )


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


def waterfall(results: ScenarioResults) -> Chart | None:
    """From VBS (1) down to each selector's closed gap, a piece for each cause.

    None where no selector has a closed gap whose losses are known.
    """
    score, loss = results.frames["score"], results.frames["loss"]
    steps = loss.filter(loss["gap_share"].is_not_null()).to_dicts()
    known = {step["solver"] for step in steps}
    names = [name for name in score.filter(kind="selector")["solver"].to_list() if name in known]
    if not names:
        return None
    pieces = _pieces(names, steps)
    rules = [Rule(0, "SBS")]
    most = score["attainable_gap"].drop_nulls()
    if most.len():
        rules.append(Rule(float(most[0]), "VBS + feature costs"))
    won = [s for s in steps if s["step"] in CAUSES and (s["loss"] or 0) < 0]
    about = (
        "Each bar goes from VBS (1) down to the closed gap, with one segment per cause in the "
        f"order of the legend{'; a thicker segment is a gain' if won else ''}. "
        "In another order, another cause may get the loss of an instance."
    )
    return Chart(
        "Loss of each selector against VBS, by cause",
        about,
        gap_axis((box[0] for found in pieces.values() for box in found), high=1.0),
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
            f"the main cause on {step['n_main']}"
        )
        found[cause].append([*sorted((start, reached[name])), row - half, row + half, says])
    return found


MOST = 2000  # points of a line: more than a page can show
_BASELINES = {"SBS": Look("faint", "circle", "2 3"), "VBS": Look("ink", "circle", "5 3")}
_DECADES_OF_TIMES = 9


def runtimes(results: LakeResults, solvers: Sequence[str]) -> Chart:
    """Runtimes of the instances that some solvers solve: a cactus plot.

    solvers: names or globs; none for SBS, VBS and the selectors, or without selectors the algorithms.
    """
    runs = results.solved_times(solvers)
    return runtime_distribution(runs, unit=results.time_unit, places=results.places, cutoff=results.cutoff)


def runtime_distribution(
    runs: pl.DataFrame,
    *,
    title: str = "",
    unit: str = "",
    places: Mapping[str, int] = MappingProxyType({}),
    cutoff: float | None = None,
) -> Chart:
    """How many instances each solver solves, and after which time the last of them.

    runs: columns ``solver`` and ``time``, one row for each solved instance. places: of those with a colour
    and mark in all figures. The axis of the time is logarithmic, with a place of its own for 0. The legend
    has the order of the curves: who solves most comes first, of equals who takes less time in all.
    Long lines are thinned to MOST points. cutoff: of all runs, where the axis of the time ends.

    Source: Amadini et al. 2023, figures 2 and 4.
    """
    names = _in_order(runs)
    if not 0 < len(names) <= PLACES:
        hint = f"Choose up to {PLACES} of {list_names(names)}."
        raise AslibError(f"{len(names)} solvers do not make a readable chart", hint=hint)
    others = sorted(set(names) - _BASELINES.keys() - places.keys())
    known = dict(places) | dict(zip(others, count(1 + max(places.values(), default=-1)), strict=False))
    looks = {name: look(place) for name, place in known.items()} | _BASELINES
    lines = [_line(runs, name, looks[name]) for name in names]
    times = [time for time in runs["time"].to_list() if time > 0]
    high = max([*times, cutoff or 0], default=1.0) or 1.0
    low = max(min(times, default=1.0), high / 10**_DECADES_OF_TIMES)
    zero = min(runs["time"].to_list()) < low
    return Chart(
        title or "Runtimes of solved instances",
        "",
        Linear("solved instances", 0, max(line.points[-1][0] for line in lines), whole=True),
        Logarithmic(with_unit("time", unit), low, high, zero=zero, cutoff=high == cutoff),
        lines,
        height=420,
    )


def _in_order(runs: pl.DataFrame) -> list[str]:
    """The solvers, who solves most first; of equals who takes less time in all."""
    parts = runs.partition_by("solver", as_dict=True)
    times = {str(name): own["time"].to_list() for (name,), own in parts.items()}
    return sorted(times, key=lambda name: (-len(times[name]), fsum(times[name]), name))


def _line(runs: pl.DataFrame, name: str, drawn: Look) -> Line:
    """From each number of instances on, the time at which the next one is solved."""
    times = sorted(runs.filter(runs["solver"] == name)["time"].to_list())
    kept = sorted({*range(0, len(times), max(1, -(-len(times) // MOST))), len(times) - 1})
    points = [(at, times[at]) for at in kept] + [(len(times), times[-1])]
    return Line(points, name=name, color=drawn.color, step=True, dash=drawn.dash)


_SHARES = np.linspace(0, 1, 201)  # quantiles that are drawn
_MOST = 1e3  # the axis ends there, and at its inverse
_EQUAL = 1e-12  # of two costs, as a share: rounding


def speedup(results: ScenarioResults) -> Chart | None:
    """The distribution of cost of SBS / cost over the instances, a line a selector.

    Right of 1 a selector is faster than SBS. Runtimes only (PARk of the protocol), on instances where both
    costs are above 0. None without selectors or without any such instance, and where nobody solves any.

    Source: Amadini et al. 2023, section 2.2: speedup on a per-instance basis.
    """
    matrix, sbs = results.matrix, results.summary["sbs"]
    if matrix is None or not results.timed or sbs is None or results.hopeless:
        return None
    costs = results.penalised(matrix)
    base = costs[:, matrix.number("algorithm", sbs)]
    found: dict[str, Floats] = {}
    for column in matrix.columns("selector"):
        both = (costs[:, column] > 0) & (base > 0)
        if both.any():
            found[matrix.solvers[column][1]] = base[both] / costs[both, column]
    if not found:
        return None
    ends = [np.clip([s.min(), s.max()], 1 / _MOST, _MOST) for s in found.values()]
    marks: list[Mark] = [Rule(1, "SBS")]
    for name in sorted(found, key=lambda name: results.shown_places["selector", name]):
        drawn = look(results.shown_places["selector", name])
        ratios = np.quantile(found[name], _SHARES)
        n = plural(len(found[name]), "instance")
        points = [
            [
                float(np.clip(x, 1 / _MOST, _MOST)),
                float(share),
                f"{name}: {share:.1%} of {n} have at most {number(float(x))} times the speed of SBS",
            ]
            for x, share in zip(ratios, _SHARES, strict=True)
        ]
        marks.append(Line(points, name=name, color=drawn.color, dash=drawn.dash))
    return Chart(
        "Speedup over SBS, instance by instance",
        _about(found),
        Logarithmic(
            "cost of SBS / cost of the selector",
            float(min(low for low, _ in ends)),
            float(max(high for _, high in ends)),
        ),
        Linear("share of instances with at most this ratio", 0.0, 1.0),
        marks,
        results.population,
        height=300,
    )


def _about(found: dict[str, Floats]) -> str:
    faster = {name: float((s > 1 + _EQUAL).mean()) for name, s in found.items()}
    slower = {name: float((s < 1 - _EQUAL).mean()) for name, s in found.items()}
    most = max(faster.values())
    who = [name for name in found if faster[name] == most]
    n = plural(len(found[who[0]]), "instance")
    are = "is" if len(who) == 1 else "are each"
    shares = dict.fromkeys(f"{slower[name]:.0%}" for name in who)
    return (
        f"{list_names(who, most=3, quoted=False)} {are} faster than SBS on {most:.0%}"
        f" of {n} (the largest share), and slower on {' or '.join(shares)}."
    )


_MOST_SOLVERS = 80  # lines that a page holds
# Colour → what mean, test and interval say of a difference.
_VERDICTS = {"low": "better by mean, test, interval", "high": "worse by mean, test, interval"}
_UNSURE = "open dot: not significant by mean, test and interval together"


def difference_intervals(pairs: pl.DataFrame, *, versus: str | None = None, title: str = "") -> Chart:
    """Mean advantage of the first system over the other, with its interval.

    pairs: columns ``system``, ``other``, ``advantage``, ``lower``, ``upper`` and ``winner`` of one
    comparison, at most 80 pairs. Right of 0 the first one is better. Blue: the first is better in the mean;
    red: the other; dashed with an open dot: test and interval do not both say so. An interval without
    bounds is drawn as its point. Where the frame has ``d`` and ``n``, they stand at the right.

    Source: Campelo and Wanner 2020, figures 5 and 7.
    """
    require_one_comparison(pairs)
    if not 0 < pairs.height <= _MOST_SOLVERS:
        hint = f"Compare all with one solver: --versus NAME (up to {_MOST_SOLVERS})."
        raise AslibError(f"{pairs.height} pairs do not make a readable chart", hint=hint)
    drawn, names = [], []
    for row in pairs.to_dicts():
        names.append(row["system"] if versus else f"{row['system']} vs {row['other']}")
        at, lower, upper = (number(row[name]) for name in ("advantage", "lower", "upper"))
        tip = f"{names[-1]}: {at} ({lower} to {upper})"
        if (p := row["p_adjusted"]) is not None:
            tip += f", adjusted {p_words(p)}"
        drawn.append((row, tip, row["winner"] is not None))
    marks, low, high = _intervals(drawn)
    if not low and not high:
        raise AslibError("all systems are equal: there is nothing to draw", hint="See --show systems.")
    sizes = None
    if {"d", "n"} <= set(pairs.columns):
        both = pairs.select("d", "n").rows()
        sizes = [f"n = {n}" if d is None else f"d = {d:.2g}, n = {n}" for d, n in both]
    better = f"better than {versus}" if versus else "the first is better"
    aside = 0.03 * (high - low)
    return Chart(
        title or "Mean advantage with its interval",
        "",
        Linear(f"mean advantage (right of 0: {better})", low - aside, high + aside),
        Band(names, right=sizes),
        [Rule(0), *marks],
        row_height=28,
    )


def _intervals(found: Sequence[tuple[dict[str, Any], str, bool]]) -> tuple[list[Mark], float, float]:
    """A bar from end to end and a dot for each; the least and the largest end, and 0.

    found: a row, its tip, and whether mean, test and interval say the same: then it is drawn whole. A bound
    that there is none of is not drawn.
    """
    marks: list[Mark] = []
    told: set[str] = set()
    every: list[float] = [0]
    for place, (row, tip, is_sure) in enumerate(found):
        at = row["advantage"]
        ends = [at if row[end] is None or isinf(row[end]) else row[end] for end in ("lower", "upper")]
        color = "low" if at >= 0 else "high"
        dash, symbol = (None, None) if is_sure else ("4 3", "ring")
        says = _VERDICTS[color] if is_sure else _UNSURE
        name = "" if says in told else says  # which stands once in the legend
        marks.append(Line([[x, place, tip] for x in ends], color=color, width=3, dash=dash))
        marks.append(Dots([[at, place, tip]], name=name, color=color, r=5, symbol=symbol))
        told.add(says)
        every += ends
    return marks, min(every), max(every)


def against_sbs(results: ScenarioResults) -> Chart | None:
    """Mean advantage of every selector over SBS, with its interval.

    None where nothing could be tested.
    """
    found = results.compared("selectors_sbs")
    if found is None:
        return None
    rows = [row for row in found.rows if row["advantage"] is not None]
    rows.sort(key=lambda row: (-row["advantage"], row["system"]))
    if not rows:
        return None
    marks, low, high = _intervals(
        [(row, f"{row['system']}: {advantage(row, found)}", is_clear(row["verdict"])) for row in rows]
    )
    way = "higher" if results.summary["maximize"] else "lower"
    saved = f"mean {results.measure}: {way} than SBS by"
    if results.timed:
        saved = f"mean cost saved ({results.with_unit('time')})"
    return Chart(
        "Mean advantage over SBS, with its interval",
        "The dot is the mean. It is filled if the test, which compares instance by "
        "instance, agrees: a selector that saves much on a few instances may be worse "
        "on most.",
        Linear(saved, low, high),
        Band([row["system"] for row in rows]),
        [Rule(0, "SBS"), *marks],
        f"protocol {results.protocol}",
        row_height=28,
    )


def advantage(row: dict[str, Any], found: Compared) -> str:
    """The advantage of a system over SBS in words, with its interval and test."""
    ahead = "ahead of" if row["advantage"] >= 0 else "behind"
    level = 100 * (1 - found.question.alpha)
    return (
        f"{ahead} SBS by {number(abs(row['advantage']))} in mean cost ({level:g} % "
        f"interval {number(row['lower'])} to {number(row['upper'])}), better on "
        f"{row['wins']}, worse on {row['losses']}, equal on {row['ties']}, adjusted "
        f"{p_words(row['p_adjusted'])}, n = {row['n']}"
    )
