"""The same predictions under every definition: how far the result depends on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from aslib_eval.analysis.definitions import spread
from aslib_eval.analysis.rankings import (
    BORDA,
    Definitions,
    definitions_of,
    missing,
    pairwise,
    sentence,
    short,
)
from aslib_eval.analysis.scenario_results import ScenarioResults
from aslib_eval.figures.chart import Band, Chart, Dots, Line, Linear, Mark, Rule, color
from aslib_eval.reports.html import (
    Column,
    Html,
    Section,
    Table,
    both,
    figure,
    join,
    paragraph,
)
from aslib_eval.reports.sections.likeness import agreement_chart, likeness
from aslib_eval.text import number, plural

if TYPE_CHECKING:
    import polars as pl

_LEAST = -1.5  # what is further below stands at the edge of the chart
_MANY = 12
_PLACES = (
    Column("solver", "system"),
    Column("lowest_gap", "lowest gap", "least closed gap over the protocols"),
    Column("highest_gap", "highest gap", "largest closed gap over the protocols"),
    Column("spread", "spread", "highest less lowest closed gap"),
    Column("best_rank", "best place", "over all definitions that tell any two apart"),
    Column("best_by", "by", "the first definition that gives it", words=True),
    Column("worst_rank", "worst place", "over all definitions that tell any two apart"),
    Column("worst_by", "by", "the last definition that gives it", words=True),
)
_SCORES = (
    Column("solver", "system"),
    Column("protocol", "protocol", "name of the protocol", words=True),
    Column("n", "n", "instances that count under the protocol"),
)


def definitions(facts: ScenarioResults, charts: dict[str, object]) -> Section | None:
    """Closed gaps, places and agreement over all presets; None without two systems."""
    frame = facts.frames.get("definition")
    found = definitions_of(frame, own=facts.protocol, metrics=facts.metrics)
    if found is None or frame is None:
        return None
    text = _scope(found)
    body = [paragraph(sentence(found)), paragraph(text), *_gaps(found, charts)]
    maps = []
    if not found.level:
        maps += likeness(found, charts)
        maps += agreement_chart(found, charts, facts.protocol)
    body += [both(*maps)] if maps else []
    body += [] if found.level else [_places(found, frame)]
    body.append(_scores(found))
    n = _range([found.n[p] for p in found.protocols])
    said = f"n = {n}, by protocol · {plural(len(found.whole), 'definition')}"
    return Section("definitions", "Definitions", said, join(body))


def _scope(found: Definitions) -> str:
    """What a definition is here, how many there are, and why not more."""
    metrics, protocols, n = len(found.used), len(found.protocols), len(found.whole)
    said = (
        f"A definition is a metric under a protocol. {metrics} metrics and {protocols} "
        "protocols (the report's own first) make "
    )
    if n == metrics * protocols:
        said += f"{n} that rank all {found.kind}s."
    else:
        said += f"{metrics * protocols}, of which {n} rank all {found.kind}s: "
        said += f"{missing(found)}."
    unused = [found.label(m) for m in found.metrics if m not in found.used]
    if unused:
        said += f" Not defined here: {'; '.join(unused)}."
    return said + (
        " A protocol leaves out instances, charges for features or counts runs at the "
        "cutoff differently: n is its own."
    )


def _range(values: list[int]) -> str:
    low, high = min(values), max(values)
    return f"{low}" if low == high else f"{low} to {high}"


def _gaps(found: Definitions, charts: dict[str, object]) -> list[Html]:
    """A row a system, a dot a protocol: the spread of its closed gap."""
    gaps = {s: found.gaps(s) for s in found.systems}
    held = [s for s in found.systems if gaps[s]]
    values = [gap for system in held for gap in gaps[system].values()]
    if not values:
        return []
    # Of every system one gap at least is inside.
    least = min(_LEAST, *(max(gaps[system].values()) for system in held))
    about = _about(found, values, least)
    low, high = max(min(*values, 0.0), least), max(*values, 0.0)
    edge = f" (at the edge: below {number(least)})" if min(values) < least else ""
    charts["definitions-gap"] = Chart(
        "Closed gap of the same predictions under every protocol",
        about,
        Linear(f"closed gap{edge}", low - 0.03 * (high - low), high),
        Band(held),
        [Rule(0, "SBS"), *_spans(held, gaps, least), *_dots(found, held, gaps, least)],
        "",
        row_height=46 if len(held) <= _MANY else 22,
    ).spec()
    return [figure("definitions-gap", "Closed gap under every protocol", about)]


def _about(found: Definitions, values: list[float], least: float) -> str:
    about = "A dot a protocol; the largest one is the report's own."
    if clipped := sum(gap < least for gap in values):
        about += f" {clipped} gaps below {number(least)} stand at the left edge."
    gapless = [
        short(protocol)
        for protocol in found.protocols
        if not any(protocol in found.gaps(system) for system in found.systems)
    ]
    if gapless:
        about += f" No closed gap under {', '.join(gapless)}: no fold has one."
    return about


def _spans(
    held: list[str], gaps: Mapping[str, Mapping[str, float]], least: float
) -> list[Mark]:
    """From the lowest to the highest gap of each system."""
    marks: list[Mark] = []
    for row, system in enumerate(held):
        ends = sorted(gaps[system].values())
        tip = f"{system}: closed gap from {number(ends[0])} to {number(ends[-1])}"
        tip += f" over {len(ends)} protocols"
        points = [[max(end, least), row, tip] for end in (ends[0], ends[-1])]
        marks.append(Line(points, color="line", width=5))
    return marks


def _dots(
    found: Definitions,
    held: list[str],
    gaps: Mapping[str, Mapping[str, float]],
    least: float,
) -> list[Mark]:
    marks: list[Mark] = []
    for place, protocol in enumerate(found.protocols):
        own = place == 0
        # A little below each other, so that equal gaps are all seen.
        aside = 0.0 if own else round(0.72 * (place / len(found.protocols) - 0.5), 3)
        points = [
            [max(gaps[s][protocol], least), row + aside, _gap_tip(found, protocol, s)]
            for row, s in enumerate(held)
            if protocol in gaps[s]
        ]
        paint = "ink" if own else color(place - 1)
        marks.append(
            Dots(points, name=short(protocol), color=paint, r=5.5 if own else 3.6)
        )
    return [*marks[1:], marks[0]]


def _gap_tip(found: Definitions, protocol: str, system: str) -> str:
    gap = number(found.gaps(system)[protocol])
    return f"{system} under {protocol}: closed gap {gap}, n = {found.n[protocol]}"


def _places(found: Definitions, frame: pl.DataFrame) -> Html:
    telling = [f"{p} {m}" for p, m in found.whole if found.tells((p, m))]
    by, gap = frame["protocol"] + " " + frame["metric"], frame["metric"] == "closed_gap"
    kept = frame.filter((frame["kind"] == found.kind) & (by.is_in(telling) | gap))
    rows = [
        {**row, **{by: _words(found, row[by]) for by in ("best_by", "worst_by")},
         "_n": f"{len(telling)} definitions"}
        for row in spread(kept).to_dicts()
    ]  # fmt: skip
    rows.sort(key=lambda row: found.systems.index(row["solver"]))
    caption = "What the definitions make of each system"
    return Table("places-table", caption, _PLACES, rows, "", "all of them").html()


def _words(found: Definitions, by: str) -> str:
    protocol, _, metric = by.rpartition(" ")
    return found.named((protocol, metric))


def _scores(found: Definitions) -> Html:
    rows = [
        {
            "solver": system,
            "protocol": short(protocol),
            "_protocol": protocol,
            "n": found.n[protocol],
            "_n": found.n[protocol],
            **{m: found.scores.get((protocol, m, system)) for m in found.metrics},
            **{
                _place(m): found.places.get((protocol, m, system))
                for m in found.metrics
            },
            "_tips": _why(found, protocol),
        }
        for system in found.systems
        for protocol in found.protocols
    ]
    columns = list(_SCORES)
    for m in found.metrics.values():
        columns.append(replace(Column.of(m), best=None))
        about = f"place by {m.label}, 1 = best"
        columns += [] if found.level else [Column(_place(m.name), "place", about)]
    shown = [c for c in columns if any(row.get(c.key) is not None for row in rows)]
    caption = "Scores under every protocol"
    return Table("definitions-table", caption, shown, rows).html()


def _place(metric: str) -> str:
    """The key of the cells with the places by a metric."""
    return f"{metric} place"


def _why(found: Definitions, protocol: str) -> dict[str, str]:
    """What the empty cells of Borda say."""
    empty = [m for m in found.metrics if pairwise(found, (protocol, m))]
    return {key: BORDA for m in empty for key in (m, _place(m))}
