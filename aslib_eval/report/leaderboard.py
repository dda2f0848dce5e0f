"""The selectors over all scenarios: three aggregations, and what they change."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from aslib_eval.report.markup import Html, Section, join, number
from aslib_eval.report.parts import Column, Table, figure, paragraph
from aslib_eval.report.ranks import METRICS, bump

if TYPE_CHECKING:
    from collections.abc import Mapping

    import polars as pl

_LEAST = -1.5  # gaps below it stand at the edge of the chart
_AGGREGATES = ("mean", "median", "geometric", "mean_rank")
_SUITE = (
    Column("solver", "selector"),
    Column("metric", "metric", words=True),
    Column("mean", "mean", "arithmetic mean over the scenarios with a score"),
    Column("median", "median", "median over the scenarios"),
    Column("geometric", "geometric", "geometric mean; none where a score is 0 or less"),
    Column("mean_rank", "mean rank", "mean of the ranks among the selectors"),
    Column("n_scenarios", "scenarios", "scenarios with a score"),
    Column("n_undefined", "left out", "scenarios without one"),
)
_BETTER_SMALL = frozenset({"mean_rank"})


class Scored(Protocol):
    """What is needed of a scenario's line in the index."""

    @property
    def row(self) -> Mapping[str, Any]:
        """Its cells in the table."""

    @property
    def gaps(self) -> Mapping[str, float]:
        """Selector → closed gap."""


def suite(
    entries: Sequence[Scored],
    aggregates: pl.DataFrame,
    protocol: str,
    charts: dict[str, Any],
) -> Section | None:
    """The leaderboard; None without selectors.

    Metrics in the unit of a scenario are left out: they have no sum over scenarios.
    """
    rows = [
        {
            **row,
            "metric": METRICS.get(row["metric"], row["metric"]),
            "key": row["metric"],
        }
        for row in aggregates.to_dicts()
        if row["kind"] == "selector" and not row["unit_bound"] and row["n_scenarios"]
    ]
    if not rows:
        return None
    order = list(METRICS)
    rows.sort(key=lambda r: (_place(order, r["key"]), r["mean_rank"], r["solver"]))
    for row in rows:
        row["_n"] = row["n_scenarios"]
    table = Table(
        "suite-table", "Selectors over all scenarios", _SUITE, rows, "", protocol
    )
    n = max(row["n_scenarios"] for row in rows)
    text = (
        "A selector that lacks a scenario is aggregated over fewer: look at the column "
        "scenarios before comparing. Choose a metric with the filter."
    )
    parts = [*_ranks(rows, charts, protocol), *_dots(entries, charts, protocol)]
    body = join([paragraph(text), *parts, table.html()])
    title = "Selectors over all scenarios"
    return Section("suite", title, f"up to {n} scenarios · protocol {protocol}", body)


def _place(order: list[str], metric: str) -> int:
    return order.index(metric) if metric in order else len(order)


def _ranks(
    rows: list[dict[str, Any]], charts: dict[str, Any], protocol: str
) -> list[Html]:
    """Places under every metric and aggregation; only of those with all scenarios."""
    most = max(row["n_scenarios"] for row in rows)
    whole = [row for row in rows if row["n_scenarios"] == most]
    scores: dict[tuple[str, str], float] = {}
    kinds: dict[str, bool] = {}
    for row in whole:
        for how in _AGGREGATES:
            label = f"{row['metric']}, {how.replace('_', ' ')}"
            if row[how] is not None:
                scores[row["solver"], label] = row[how]
                kinds[label] = how in _BETTER_SMALL
    names = {s for s, _ in scores}
    shown = [k for k in kinds if all((s, k) in scores for s in names)]
    ranks = {
        (s, k): 1
        + sum(_better(scores[o, k], scores[s, k], small=kinds[k]) for o in names)
        for k in shown
        for s in names
    }
    if len(names) < 2 or not shown:  # noqa: PLR2004
        return []
    population = f"{most} scenarios · protocol {protocol}"
    charts["suite-ranks"], says = bump(sorted(names), shown, ranks, scores, population)
    return [figure("suite-ranks", "Places under every metric and aggregation", says)]


def _better(one: float, other: float, *, small: bool) -> bool:
    return one < other if small else one > other


def _says(entry: Scored, name: str) -> str:
    gap, row = number(entry.gaps[name]), entry.row
    return f"{name} on {row['name']}: closed gap {gap}, n = {row['n']}"


def _dots(
    entries: Sequence[Scored], charts: dict[str, Any], protocol: str
) -> list[Html]:
    """Every selector's closed gap on every scenario."""
    held = [e for e in entries if e.gaps]
    if not held:
        return []
    names = sorted({name for e in held for name in e.gaps})
    held.sort(key=lambda e: (-max(e.gaps.values()), e.row["name"]))
    marks: list[dict[str, Any]] = [{"type": "rule", "x": 0, "label": "SBS"}]
    for place, name in enumerate(names):
        points = [
            [max(e.gaps[name], _LEAST), i, _says(e, name)]
            for i, e in enumerate(held)
            if name in e.gaps
        ]
        color = f"c{place + 1}" if place < 8 else "muted"  # noqa: PLR2004
        marks.append({"type": "dots", "name": name, "color": color, "r": 4.5,
                      "points": points, "tipOnly": True})  # fmt: skip
    values = [gap for e in held for gap in e.gaps.values()]
    charts["suite-gaps"] = {
        "title": "Closed gap of every selector on every scenario",
        "about": f"From {number(min(values))} to {number(max(values))}.",
        "population": f"protocol {protocol}",
        "x": {"label": "closed gap", "kind": "linear", "high": 1,
              "low": max(min(*values, 0.0), _LEAST)},
        "y": {"kind": "band", "names": [e.row["name"] for e in held]},
        "rowHeight": 26,
        "marks": marks,
    }  # fmt: skip
    return [figure("suite-gaps", "Closed gap, scenario by scenario")]
