"""The selectors over all scenarios: three aggregations, and what they change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from aslib_eval.analysis.compare.for_report import Compared, groups_legend, legend
from aslib_eval.figures.chart import Band, Chart, Dots, Linear, Mark, Rule, color
from aslib_eval.reports.html import (
    Column,
    Html,
    Section,
    Table,
    figure,
    join,
    paragraph,
)
from aslib_eval.reports.ranks import bump
from aslib_eval.text import number, plural

if TYPE_CHECKING:
    from collections.abc import Mapping

    import polars as pl

_LEAST = -1.5  # gaps below it stand at the edge of the chart
_AGGREGATES = ("mean", "median", "geometric", "mean_rank")
_SUITE = (
    Column("solver", "selector"),
    Column("metric", "metric", words=True),
    Column("pooled", "pooled", "mean weighted by each scenario's instances"),
    Column("mean", "mean", "arithmetic mean over the scenarios with a score"),
    Column("median", "median", "median over the scenarios"),
    Column("geometric", "geometric", "geometric mean; none where a score is 0 or less"),
    Column("mean_rank", "mean rank", "mean of the ranks among the selectors"),
    Column("n_scenarios", "scenarios", "scenarios with a score"),
    Column("n_undefined", "left out", "scenarios without a score"),
    Column("n_absent", "absent", "scenarios in which only other selectors take part"),
)
_TESTED = (
    Column("system", "selector"),
    Column("mean_rank", "mean rank", "mean over the scenarios of its rank there"),
    Column("mark", "vs best", "+ better, - worse, = no difference shown, o the best"),
    Column("sk_group", "group", "Scott-Knott group, 1 = best"),
    Column("n", "scenarios", "scenarios on which all of them have a closed gap"),
)


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
    *,
    found: Compared | None = None,
) -> Section | None:
    """The leaderboard; None without selectors. found: their closed gaps tested.

    Metrics in the unit of a scenario are left out: they have no sum over scenarios.
    """
    rows = _rows(aggregates)
    if not rows:
        return None
    caption = "Selectors over all scenarios"
    table = Table("suite-table", caption, _SUITE, rows, "", protocol)
    n = max(row["n_scenarios"] for row in rows)
    text = (
        "A selector that lacks a scenario is aggregated over fewer: look at the column "
        "scenarios before comparing. Choose a metric with the filter."
    )
    parts = [*_ranks(rows, charts, protocol), *_dots(entries, charts, protocol)]
    body = join([paragraph(text), *parts, table.html(), *_tested(found, protocol)])
    return Section(
        "suite", caption, f"up to {plural(n, 'scenario')} · protocol {protocol}", body
    )


def _tested(found: Compared | None, protocol: str) -> list[Html]:
    """Marks and groups over the scenarios, and the comparison to read aloud."""
    if found is None:
        return []
    if not found.rows:
        return [paragraph(found.sentence)]
    rows = [{**row, "_n": plural(row["n"], "scenario")} for row in found.rows]
    caption = "Closed gap, tested over the scenarios"
    table = Table("suite-tested", caption, _TESTED, rows, "", protocol)
    said = (found.sentence, legend(found), groups_legend(found))
    return [table.html(), *map(paragraph, said)]


def _rows(aggregates: pl.DataFrame) -> list[dict[str, Any]]:
    """Aggregates of the selectors, by metric: most scenarios, then best mean rank.

    A rank among a few scenarios does not put a selector above one with many.
    """
    found = [
        {**row, "_n": row["n_scenarios"], "metric": row["label"]}
        for row in aggregates.to_dicts()
        if row["kind"] == "selector" and not row["unit_bound"] and row["n_scenarios"]
    ]
    return sorted(
        found,
        key=lambda r: (r["position"], -r["n_scenarios"], r["mean_rank"], r["solver"]),
    )


def _ranks(
    rows: list[dict[str, Any]], charts: dict[str, Any], protocol: str
) -> list[Html]:
    """Places under every metric and aggregation; only of those with all scenarios.

    Of the metrics that sweeps show; all are in the table.
    """
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
        return []
    ranks = _places(names, shown, scores, lower)
    population = f"{plural(most, 'scenario')} · protocol {protocol}"
    chart = bump(names, shown, ranks, scores, population)
    charts["suite-ranks"] = chart.spec()
    title = "Places under every metric and aggregation"
    return [figure("suite-ranks", title, chart.about)]


def _places(
    names: list[str],
    shown: list[str],
    scores: Mapping[tuple[str, str], float],
    lower: set[str],
) -> dict[tuple[str, str], int]:
    """1 = best; scores that are equal to 12 digits share a place, as in solver_rank."""
    found = {}
    for score in shown:
        metric, how = score.rsplit(", ", 1)
        small = how == "mean rank" or metric in lower
        values = {s: float(f"{scores[s, score]:.12g}") for s in names}
        for s, own in values.items():
            ahead = ((v < own) if small else (v > own) for v in values.values())
            found[s, score] = 1 + sum(ahead)
    return found


def _dots(
    entries: Sequence[Scored], charts: dict[str, Any], protocol: str
) -> list[Html]:
    """Every selector's closed gap on every scenario."""
    held = [e for e in entries if e.gaps]
    if not held:
        return []
    held.sort(key=lambda e: (-max(e.gaps.values()), e.row["name"]))
    marks: list[Mark] = [Rule(0, "SBS")]
    taking_part = Counter(name for e in held for name in e.gaps)
    names = sorted(taking_part, key=lambda name: (-taking_part[name], name))
    for place, name in enumerate(names):
        points = [_dot(e, name, i) for i, e in enumerate(held) if name in e.gaps]
        marks.append(Dots(points, name=name, color=color(place), r=4.5))
    values = [gap for e in held for gap in e.gaps.values()]
    edge = f" (at the edge: below {number(_LEAST)})" if min(values) < _LEAST else ""
    charts["suite-gaps"] = Chart(
        "Closed gap of every selector on every scenario",
        f"From {number(min(values))} to {number(max(values))}.",
        Linear(f"closed gap{edge}", max(min(*values, 0.0), _LEAST), 1.0),
        Band([e.row["name"] for e in held]),
        marks,
        f"protocol {protocol}",
        row_height=26,
    ).spec()
    return [figure("suite-gaps", "Closed gap, scenario by scenario")]


def _dot(entry: Scored, name: str, place: int) -> list[Any]:
    gap, row = entry.gaps[name], entry.row
    tip = f"{name} on {row['name']}: closed gap {number(gap)}, n = {row['n']}"
    return [max(gap, _LEAST), place, tip]
