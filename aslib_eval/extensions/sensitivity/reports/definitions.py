"""The same predictions under every definition: how far the result depends on it."""

from __future__ import annotations

from dataclasses import replace

import polars as pl

from aslib_eval.analysis.rankings import Definitions, short
from aslib_eval.analysis.scenario_results import ScenarioResults
from aslib_eval.extensions.sensitivity.analysis.definitions import spread
from aslib_eval.extensions.sensitivity.analysis.winners import BORDA, missing, pairwise, sentence, winners
from aslib_eval.extensions.sensitivity.figures.agreement import (
    definitions_like,
    definitions_tau,
    least_alike,
)
from aslib_eval.extensions.sensitivity.figures.definitions import definitions_gap, metric_gaps
from aslib_eval.reports.html import Header, Html, HtmlTable, Section, both, figure, in_unit, join, paragraph
from aslib_eval.text import plural

_PLACES = (
    Header("solver", "system"),
    Header("lowest_gap", "lowest gap", "least closed gap over the protocols"),
    Header("highest_gap", "highest gap", "largest closed gap over the protocols"),
    Header("spread", "spread", "highest less lowest closed gap"),
    Header("best_rank", "best place", "over all definitions that tell any two apart"),
    Header("best_by", "by", "the first definition that gives it", words=True),
    Header("worst_rank", "worst place", "over all definitions that tell any two apart"),
    Header("worst_by", "by", "the last definition that gives it", words=True),
)
_SCORES = (
    Header("solver", "system"),
    Header("protocol", "protocol", "name of the protocol", words=True),
    Header("n", "n", "instances that count under the protocol"),
)


def definitions(results: ScenarioResults) -> Section | None:
    """Closed gaps, places and agreement over all presets; None without two systems."""
    found = results.definitions
    if found is None:
        return None
    finding = winners(found)
    more = sentence(found).removeprefix(finding).strip()
    body = [*map(paragraph, [more] if more else []), paragraph(_scope(found))]
    charts = {}
    if (gaps := definitions_gap(results)) is not None:
        charts["definitions-gap"] = gaps
        title = "Closed gap under every protocol"
        body.append(figure("definitions-gap", title, gaps.about))
    if (by_metric := metric_gaps(results)) is not None:
        charts["metric-gaps"] = by_metric
        title = "Closed gap with respect to every metric"
        body.append(figure("metric-gaps", title, by_metric.about))
    maps = []
    if (like := definitions_like(results)) is not None:
        charts["definitions-like"] = like
        title = "Ranking against the report's own"
        maps.append(figure("definitions-like", title, like.about))
    if (alike := definitions_tau(results)) is not None:
        charts["definitions-tau"] = alike
        about = least_alike(found.metric_taus(results.protocol))
        title = "Agreement of the metrics (tau-b)"
        maps.append(figure("definitions-tau", title, about))
    body += [both(*maps)] if maps else []
    if not found.level:
        body.append(_places(found, results.frames["definition"]))
    body.append(_scores(found, results.cost_unit))
    n = _range([found.n[p] for p in found.protocols])
    over = f"{n} instances, by protocol · {plural(len(found.whole), 'definition')}"
    title, whole = "Definitions", join(body)
    return Section("definitions", title, over, whole, charts, finding=finding)


def _scope(found: Definitions) -> str:
    """What a definition is here, how many there are, and why not more."""
    metrics, protocols, n = len(found.used), len(found.protocols), len(found.whole)
    words = (
        f"A definition is a metric under a protocol. {metrics} metrics and {protocols} "
        "protocols (the report's own first) make "
    )
    if n == metrics * protocols:
        words += f"{n} that rank all {found.kind}s."
    else:
        words += f"{metrics * protocols}, of which {n} rank all {found.kind}s: "
        words += f"{missing(found)}."
    unused = [found.label(m) for m in found.metrics if m not in found.used]
    if unused:
        words += f" Not defined here: {'; '.join(unused)}."
    return words + (
        " A protocol leaves out instances, charges for features or counts runs at the "
        "cutoff differently: n is its own."
    )


def _range(values: list[int]) -> str:
    low, high = min(values), max(values)
    return f"{low}" if low == high else f"{low} to {high}"


def _places(found: Definitions, frame: pl.DataFrame) -> Html:
    telling = [f"{p} {m}" for p, m in found.whole if found.discriminates((p, m))]
    by, gap = frame["protocol"] + " " + frame["metric"], frame["metric"] == "closed_gap"
    kept = frame.filter((frame["kind"] == found.kind) & (by.is_in(telling) | gap))
    rows = [
        {**row, **{by: _words(found, row[by]) for by in ("best_by", "worst_by")},
         "_n": f"{len(telling)} definitions"}
        for row in spread(kept).to_dicts()
    ]  # fmt: skip
    rows.sort(key=lambda row: found.systems.index(row["solver"]))
    caption = "What the definitions make of each system"
    return HtmlTable("places-table", caption, _PLACES, rows, "", "all of them").html()


def _words(found: Definitions, by: str) -> str:
    protocol, _, metric = by.rpartition(" ")
    return found.named((protocol, metric))


def _scores(found: Definitions, unit: str) -> Html:
    rows = [
        {
            "solver": system,
            "protocol": short(protocol),
            "_protocol": protocol,
            "n": found.n[protocol],
            "_n": found.n[protocol],
            **{m: found.scores.get((protocol, m, system)) for m in found.metrics},
            **{_place(m): found.places.get((protocol, m, system)) for m in found.metrics},
            "_tips": _why(found, protocol),
        }
        for system in found.systems
        for protocol in found.protocols
    ]
    columns = list(_SCORES)
    for m in found.metrics.values():
        columns.append(replace(Header.of(m), best=None))
        about = f"place by {m.label}, 1 = best"
        columns += [] if found.level else [Header(_place(m.name), "place", about)]
    shown = [c for c in columns if any(row.get(c.key) is not None for row in rows)]
    caption = "Scores under every protocol"
    return HtmlTable("definitions-table", caption, in_unit(shown, unit), rows).html()


def _place(metric: str) -> str:
    """The key of the cells with the places by a metric."""
    return f"{metric} place"


def _why(found: Definitions, protocol: str) -> dict[str, str]:
    """What the empty cells of Borda say."""
    empty = [m for m in found.metrics if pairwise(found, (protocol, m))]
    return {key: BORDA for m in empty for key in (m, _place(m))}
