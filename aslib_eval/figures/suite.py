"""All scenarios: room for improvement, and the selectors over all of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aslib_eval.analysis.suite_results import ScenarioLine, SuiteResults
from aslib_eval.figures.bump import places
from aslib_eval.figures.chart import Band, Boxes, Chart, Dots, Linear, Logarithmic, Mark, Rule
from aslib_eval.figures.palette import look
from aslib_eval.text import brief, comparable, number, plural

_LEAST = -1.5  # gaps below it stand at the edge of the chart
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
    ranks = _places(names, shown, scores, lower)
    population = f"{plural(most, 'scenario')} · protocol {suite.protocol}"
    return places({s: suite.places[s] for s in names}, shown, ranks, scores, population)


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
            ahead = ((v < own) if small else (v > own) for v in values.values())
            found[s, score] = 1 + sum(ahead)
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
        points = [_dot(e, name, i + aside) for i, e in enumerate(present) if name in e.gaps]
        drawn = look(suite.places[name])
        marks.append(Dots(points, name=name, color=drawn.color, r=4.5, symbol=drawn.symbol))
    values = [gap for e in present for gap in e.gaps.values()]
    edge = f" (at the edge: below {number(_LEAST)})" if min(values) < _LEAST else ""
    return Chart(
        "Closed gap of every selector on every scenario",
        f"Gaps from {brief(min(values))} to {brief(max(values))}.",
        Linear(f"closed gap{edge}", max(min(*values, 0.0), _LEAST), 1.0),
        Band([e.row["name"] for e in present]),
        marks,
        f"protocol {suite.protocol}",
        row_height=26,
    )


def _dot(entry: ScenarioLine, name: str, place: float) -> list[Any]:
    gap, row = entry.gaps[name], entry.row
    tip = f"{name} on {row['name']}: closed gap {number(gap)}, n = {row['n']}"
    return [max(gap, _LEAST), place, tip]


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
        f"{known[0].row['name']} has most, {known[-1].row['name']} least.",
        Logarithmic("SBS / VBS", 1, known[0].row["room"]),
        Band([e.row["name"] for e in known]),
        [Boxes(bars)],
        f"protocol {known[0].protocol}",
        row_height=20,
    )
