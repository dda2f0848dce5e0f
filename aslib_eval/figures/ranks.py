"""Charts of ranks: under every metric, over scenarios, and critical differences."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import ceil, floor

import numpy as np
import polars as pl

from aslib_eval.analysis.compare import Comparison
from aslib_eval.analysis.compare.question import TESTS
from aslib_eval.analysis.results import LakeResults, ScenarioResults, SuiteResults
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
    gap_axis,
    look,
)
from aslib_eval.statistics.friedman import cliques
from aslib_eval.text import brief, comparable, list_names, number, plural, printable

Scores = Mapping[tuple[str, str], float]


def bump(results: ScenarioResults) -> Chart | None:
    """The selectors' ranks under every metric; None with fewer than two, or if all tie.

    Metrics that order solvers as another does would be drawn twice.
    """
    rows = _ranked(results)
    names = sorted({s for s, *_ in rows})
    if len(names) < 2 or all_tie(results):  # noqa: PLR2004
        return None
    ranks = {(s, label): rank for s, label, rank, _ in rows}
    scores = {(s, label): score for s, label, _, score in rows}
    drawn = {label for _, label in ranks}
    labels = [m.label for m in results.metrics.values() if m.label in drawn]
    looks = {s: results.shown_places["selector", s] for s in names}
    return places(looks, labels, ranks, scores, results.population)


def all_tie(results: ScenarioResults) -> bool:
    """True if every selector is first by every metric, of two at least."""
    rows = _ranked(results)
    return len({s for s, *_ in rows}) > 1 and {rank for *_, rank, _ in rows} == {1}


def _ranked(results: ScenarioResults) -> list[tuple[str, str, int, float]]:
    labels = {m.name: m.label for m in results.metrics.values() if m.order_of is None}
    frame = results.frames["rank"].filter(kind="selector").drop_nulls("rank")
    rows = frame.select("solver", "metric", "rank", "score").rows()
    return [(s, labels[m], rank, v) for s, m, rank, v in rows if m in labels]


def places(
    names: Mapping[str, int],
    shown: Sequence[str],
    ranks: Mapping[tuple[str, str], int],
    scores: Scores,
    population: str,
) -> Chart:
    """A line a solver over its places; ``about`` says who moves most.

    names: of the solvers, each with the place that gives it its colour and mark.
    ranks, scores: of (solver, score's name); ``shown`` are the scores, left to right.
    """
    marks: list[Mark] = []
    ordered = sorted(names, key=lambda s: (ranks.get((s, shown[0]), len(names)), s))
    for name in ordered:
        points = [
            [x, place - 1 + _aside(name, s, ordered, ranks),
             f"{s} {number(scores[name, s])}, rank {place}"]
            for x, s in enumerate(shown)
            if (place := ranks.get((name, s))) is not None
        ]  # fmt: skip
        drawn = look(names[name])
        marks.append(Line(points, name=name, color=drawn.color, width=3, dash=drawn.dash))
        named = [[x, y, f"{name}: {tip}"] for x, y, tip in points]
        marks.append(Dots(named, color=drawn.color, r=5, symbol=drawn.symbol))
    return Chart(
        "Ranks under every definition",
        _changes(ordered, shown, ranks),
        Band(shown),
        Band([str(i + 1) for i in range(len(names))], label="rank"),
        marks,
        population,
        row_height=30,
        min_width=90 + 44 * len(shown),
    )


def _aside(name: str, score: str, ordered: Sequence[str], ranks: Mapping[tuple[str, str], int]) -> float:
    """How far below its place a solver is drawn, so that those who tie are all seen."""
    place = ranks[name, score]
    tied = [other for other in ordered if ranks.get((other, score)) == place]
    return round(min(0.13, 0.8 / len(tied)) * tied.index(name), 2)


def _changes(names: Sequence[str], shown: Sequence[str], ranks: Mapping[tuple[str, str], int]) -> str:
    own = {name: [ranks[name, s] for s in shown if (name, s) in ranks] for name in names}
    spans = {name: max(places) - min(places) for name, places in own.items() if places}
    moved = max(spans.values())
    if moved == 0:
        return "All ranks are the same under every definition."
    name, *others = (name for name, span in spans.items() if span == moved)
    if others:
        who = list_names([name, *others], most=3, quoted=False)
        return f"{who} move most: by {plural(moved, 'rank')}, depending on the definition."
    best, worst = min(own[name]), max(own[name])
    return f"{name} moves most: from rank {best} to {worst}, depending on the definition."


# Rows from the top: the difference and its scale, ticks, the axis, bars, names.
_SCALE, _TICKS, _AXIS = 1.0, 2.3, 3.0
_BAR = 0.5  # rows from bar to bar
_HALF = 0.44  # of the plot, from its middle to an end of the axis
_HINT = (
    "It ranks selectors over scenarios that all of them answer. Choose more scenarios, "
    "or draw 'against-sbs' or 'bump' for one scenario."
)
_FEW, _SHORT = 10, 16  # systems, and letters of a name, that have room at both sides of the axis
_ASIDE = 0.05  # of the ranks that are drawn, from bar to bar beside a list


def ranks(results: LakeResults, _: Sequence[str] = ()) -> Chart:
    """Critical difference of the selectors' mean ranks by closed gap."""
    try:
        found = results.selector_ranks()
    except AslibError as error:
        raise AslibError(error.message, "ranks", _HINT) from None
    cd = float(found.omnibus["cd"][0])
    title, about = comparison_title(found)
    return critical_difference(found.systems, cd=cd, title=title, about=about)


def critical_difference(
    systems: pl.DataFrame,
    *,
    cd: float,
    highlight: str | None = None,
    against: bool = False,
    title: str = "",
    about: str = "",
) -> Chart:
    """Mean ranks on an axis; a bar joins systems that lie within the difference.

    Where they have no room at both sides of the axis, they are a list with their bars beside it.

    systems: columns ``system`` and ``mean_rank`` (1 = best), of one comparison; any number of them. ``cd``:
    the critical difference. ``highlight``: a system to point out. ``against``: only comparisons with that
    one are meant (Bonferroni and Dunn's difference), so there is one bar, which reaches as far as the
    difference does.

    Source: Demsar 2006, figure 1.
    """
    require_one_comparison(systems)
    names, ranks = systems["system"].to_list(), systems["mean_rank"].to_numpy()
    if len(names) < 2:  # noqa: PLR2004
        raise AslibError("a diagram needs two systems")
    if (highlight is not None or against) and highlight not in names:
        raise AslibError(f"there is no solver {highlight}", hint="The table lists them.")
    if len(set(ranks.tolist())) == 1:
        raise AslibError("all systems are equal: there is nothing to draw", hint="See --show systems.")
    title = title or "Mean ranks"
    bars = _bars(names, ranks, cd, highlight if against else None)
    low, high = floor(ranks.min()), ceil(ranks.max())
    high = max(high, low + max(1, ceil(cd)))
    order = sorted(range(len(names)), key=lambda i: (ranks[i], names[i]))
    if len(order) > _FEW or max(map(len, names)) > _SHORT:
        ranked = [(names[i], float(ranks[i])) for i in order]
        return Chart(title, about, *_list(ranked, bars, cd, highlight), row_height=20)

    def x(rank: float) -> float:  # on an axis of one name
        return float(_HALF * (2 * (rank - low) / (high - low) - 1))

    first = ceil(_AXIS + 0.6 + _BAR * len(bars))  # the first row of names
    half = (len(order) + 1) // 2
    rows = {"left": order[:half], "right": order[: half - 1 : -1]}
    left = [""] * first + [f"{names[i]}  {ranks[i]:.2f}" for i in rows["left"]]
    right = [""] * first + [f"{ranks[i]:.2f}  {names[i]}" for i in rows["right"]]
    right += [""] * (len(left) - len(right))
    elbows = [
        _elbow(
            x(float(ranks[i])),
            first + row,
            side,
            _tip(names[i], ranks[i]),
            names[i] if names[i] == highlight else "",
        )
        for side, own in rows.items()
        for row, i in enumerate(own)
    ]
    joined = [
        [[at, _AXIS + _BAR * level, _joins(*ends)] for at in (x(ends[0]) - 0.008, x(ends[1]) + 0.008)]
        for level, ends in enumerate(bars, 1)
    ]
    marks = [*_axis(x, low, high), *(Line(points, color="ink", width=5) for points in joined), *elbows]
    return Chart(
        title, about, Band(("",)), Band(left, right=right),
        [*_scale(x(low), x(low + cd), cd), *marks], row_height=24,
    )  # fmt: skip


def _list(
    ranked: list[tuple[str, float]], bars: list[tuple[float, float]], cd: float, highlight: str | None
) -> tuple[Linear, Band, list[Mark]]:
    """The systems below each other, the best one first; bars join their rows."""
    low, high, first = ranked[0][1], ranked[-1][1], ceil(_SCALE) + 1
    points = {name: (rank, row, _tip(name, rank)) for row, (name, rank) in enumerate(ranked, first)}
    marks: list[Mark] = [
        Boxes([[low, x, row - 0.04, row + 0.04, tip] for x, row, tip in points.values()], color="line"),
        Dots([at for name, at in points.items() if name != highlight], color="ink", r=4),
        *_scale(low, low + cd, cd),
    ]
    if highlight is not None:
        marks.append(Dots([points[highlight]], name=highlight, color="c2", r=6, symbol="diamond"))
    step = _ASIDE * (high - low)
    for lane, (least, most) in enumerate(bars, 1):
        rows = [row for rank, row, _ in points.values() if least <= rank <= most]
        ends = ((high + lane * step, end, _joins(least, most)) for end in (rows[0] - 0.3, rows[-1] + 0.3))
        marks.append(Line([*ends], color="ink", width=5 if len(bars) < 7 else 2))  # noqa: PLR2004
    end = max(low + cd, high + (len(bars) + 1) * step) + step
    texts = [""] * first + [f"{rank:.2f}" for _, rank in ranked]
    return Linear("mean rank", low - step, end), Band([""] * first + [*points], right=texts), marks


def _tip(name: str, rank: float) -> str:
    return f"{name}: mean rank {rank:.4g}"


def _joins(least: float, most: float) -> str:
    return f"ranks {least:.4g} to {most:.4g}: no difference shown"


def _elbow(at: float, row: int, side: str, tip: str, name: str) -> Line:
    """From the axis to the system's name; name: of the one to point out."""
    points = [[x, y, tip] for x, y in ((at, _AXIS), (at, row), (-0.5 if side == "left" else 0.5, row))]
    return Line(points, name=name, color="c2" if name else "ink", width=3 if name else 1.4)


def _axis(x: Callable[[float], float], low: int, high: int) -> list[Mark]:
    ticks = range(low, high + 1)
    strokes = [[[x(low), _AXIS], [x(high), _AXIS]], *([[x(r), _AXIS - 0.25], [x(r), _AXIS]] for r in ticks)]
    return [
        *(Line(points, color="ink", width=1.4) for points in strokes),
        Texts([[x(r), _TICKS, f"{r:g}", "middle"] for r in ticks]),
    ]


def _bars(names: list[str], ranks: np.ndarray, cd: float, one: str | None) -> list[tuple[float, float]]:
    if one is not None:
        own = float(ranks[names.index(one)])
        low, high = float(floor(ranks.min())), float(ceil(ranks.max()))
        return [(max(low, own - cd), min(high, own + cd))]
    groups = cliques(ranks, difference=cd)
    return [(float(ranks[group[0]]), float(ranks[group[-1]])) for group in groups]


def _scale(low: float, high: float, cd: float) -> list[Mark]:
    ends = (low, high)
    strokes = [[[x, _SCALE] for x in ends], *([[x, _SCALE - 0.2], [x, _SCALE + 0.2]] for x in ends)]
    text = Texts([[sum(ends) / 2, _SCALE - 0.6, f"CD = {cd:.3g}", "middle"]])
    return [*(Line(points, color="ink", width=1.4) for points in strokes), text]


def require_one_comparison(frame: pl.DataFrame) -> None:
    """Check that the rows are of one protocol, scenario and measure."""
    scope = [c for c in ("protocol", "scenario_id", "measure") if c in frame.columns]
    n = frame.select(scope).unique().height if scope else 1
    if n > 1:
        raise AslibError(
            f"a chart shows one comparison, but there are {n}",
            hint="Choose one --scenario and one --protocol.",
        )


def comparison_title(found: Comparison) -> tuple[str, str]:
    """Scenario, metric and n; and the test of the difference and the protocol.

    ``found`` has an omnibus test.

    """
    require_one_comparison(found.omnibus)
    row = found.omnibus.row(0, named=True)
    scenario, n = row["scenario_id"], row["n"]
    where = f"{printable(scenario)}: " if scenario else ""
    units = row["unit"] + ("" if n == 1 else "s")
    if row["n_families"] is not None:
        units += f" of {plural(row['n_families'], 'family', 'families')}"
    test, pairs = row["cd_method"], found.question.chosen_test
    how = f"mean ranks, {TESTS[test]} at alpha {found.question.alpha:g}"
    if test != pairs:
        how += f" ({TESTS[pairs]} may disagree on a pair)"
    how += f", protocol {printable(row['protocol'])}"
    return f"{where}{row['metric']}, n = {n} {units}", how


_AGGREGATES = ("mean", "median", "geometric", "mean_rank")


def suite_ranks(suite: SuiteResults) -> Chart | None:
    """Places under every metric and aggregation; only of those with all scenarios.

    Of the metrics that sweeps show; all are in the table.
    """
    rows = suite.selectors
    if not rows:
        return None
    most = max(row["n_scenarios"] for row in rows)
    whole = [r for r in rows if r["n_scenarios"] == most and r["swept"]]
    scores = {
        (row["solver"], f"{row['metric']}, {how.replace('_', ' ')}"): row[how]
        for row in whole
        for how in _AGGREGATES
        if row[how] is not None
    }
    lower = {row["metric"] for row in whole if row["better"] == "min"}
    names = sorted({s for s, _ in scores})
    asked = dict.fromkeys(score for _, score in scores)
    shown = [k for k in asked if all((s, k) in scores for s in names)]
    if len(names) < 2 or not shown:  # noqa: PLR2004
        return None
    looks, ranks = {s: suite.places[s] for s in names}, _places(names, shown, scores, lower)
    return places(looks, shown, ranks, scores, f"{plural(most, 'scenario')} · protocol {suite.protocol}")


def _places(
    names: list[str], shown: list[str], scores: Mapping[tuple[str, str], float], lower: set[str]
) -> dict[tuple[str, str], int]:
    """1 = best; scores that are equal to 12 digits share a place, as in solver_rank."""
    found = {}
    for score in shown:
        metric, how = score.rsplit(", ", 1)
        small = how == "mean rank" or metric in lower
        values = {s: comparable(scores[s, score]) for s in names}
        for s, own in values.items():
            found[s, score] = 1 + sum((v < own) if small else (v > own) for v in values.values())
    return found


def suite_gaps(suite: SuiteResults) -> Chart | None:
    """Every selector's closed gap on every scenario; None without any."""
    present = [e for e in suite.lines if e.gaps]
    if not present:
        return None
    present.sort(key=lambda e: (-max(e.gaps.values()), e.row["name"]))
    marks: list[Mark] = [Rule(0, "SBS")]
    names = sorted({s for e in present for s in e.gaps}, key=suite.places.__getitem__)
    for at, name in enumerate(names):
        # A little below each other, so that equal gaps are all seen.
        aside = round(0.6 * ((at + 0.5) / len(names) - 0.5), 3)
        points = [
            [
                e.gaps[name],
                i + aside,
                f"{name} on {e.row['name']}: closed gap {number(e.gaps[name])}, n = {e.row['n']}",
            ]
            for i, e in enumerate(present)
            if name in e.gaps
        ]
        drawn = look(suite.places[name])
        marks.append(Dots(points, name=name, color=drawn.color, r=4.5, symbol=drawn.symbol))
    values = [gap for e in present for gap in e.gaps.values()]
    return Chart(
        "Closed gap of every selector on every scenario",
        f"The gaps range from {brief(min(values))} to {brief(max(values))}.",
        gap_axis(values, high=1.0),
        Band([e.row["name"] for e in present]),
        marks,
        f"protocol {suite.protocol}",
        row_height=26,
    )


def rooms(suite: SuiteResults) -> Chart | None:
    """How much a perfect selector would win, scenario by scenario; None if nowhere."""
    known = [e for e in suite.lines if e.row["room"] is not None and e.row["room"] >= 1]
    known.sort(key=lambda e: (-e.row["room"], e.row["name"]))
    if not known or known[0].row["room"] == 1:
        return None
    bars = [
        [1, e.row["room"], i - 0.34, i + 0.34,
         f"{e.row['name']}: {number(e.row['room'])} times VBS, n = {e.row['n']}"]
        for i, e in enumerate(known)
    ]  # fmt: skip
    return Chart(
        "Room for improvement",
        f"The room is largest on {known[0].row['name']}, and smallest on {known[-1].row['name']}.",
        Logarithmic("SBS / VBS", 1, known[0].row["room"]),
        Band([e.row["name"] for e in known]),
        [Boxes(bars)],
        f"protocol {known[0].protocol}",
        row_height=20,
    )
