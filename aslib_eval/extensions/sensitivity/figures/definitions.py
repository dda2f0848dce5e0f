"""The closed gap of the same predictions under every protocol, and every metric."""

from __future__ import annotations

from collections.abc import Mapping

from aslib_eval.analysis.rankings import Definitions, short
from aslib_eval.analysis.scenario_results import ScenarioResults
from aslib_eval.figures.chart import Band, Chart, Dots, Line, Linear, Mark, Rule
from aslib_eval.figures.palette import Look, look
from aslib_eval.text import number, plural

_LEAST = -1.5  # what is further below stands at the edge of the chart
_MANY = 12


def definitions_gap(results: ScenarioResults) -> Chart | None:
    """A row a system, a dot a protocol: the spread of its closed gap.

    None where no system has one, or fewer than two are ranked.
    """
    found = results.definitions
    if found is None:
        return None
    gaps = {s: found.gaps(s) for s in found.systems}
    systems = [s for s in found.systems if gaps[s]]
    values = [gap for system in systems for gap in gaps[system].values()]
    if not values:
        return None
    # Of every system one gap at least is inside.
    least = min(_LEAST, *(max(gaps[system].values()) for system in systems))
    about = _about(found, values, least)
    low, high = max(min(*values, 0.0), least), max(*values, 0.0)
    edge = f" (at the edge: below {number(least)})" if min(values) < least else ""
    return Chart(
        "Closed gap of the same predictions under every protocol",
        about,
        Linear(f"closed gap{edge}", low - 0.03 * (high - low), high),
        Band(systems),
        [Rule(0, "SBS"), *_spans(systems, gaps, least), *_dots(found, systems, gaps, least)],
        "",
        row_height=46 if len(systems) <= _MANY else 22,
    )


def _at_edge(values: list[float], least: float) -> str:
    below = sum(gap < least for gap in values)
    where = f"below {number(least)}"
    one, more = f"gap {where} stands", f"gaps {where} stand"
    return f" {plural(below, one, more)} at the left edge." if below else ""


def _about(found: Definitions, values: list[float], least: float) -> str:
    about = "A dot a protocol; the largest one is the report's own."
    about += _at_edge(values, least)
    gapless = [
        short(protocol)
        for protocol in found.protocols
        if not any(protocol in found.gaps(system) for system in found.systems)
    ]
    if gapless:
        about += f" No closed gap under {', '.join(gapless)}: no fold has one."
    return about


def _spans(systems: list[str], gaps: Mapping[str, Mapping[str, float]], least: float) -> list[Mark]:
    """From the lowest to the highest gap of each system."""
    marks: list[Mark] = []
    for row, system in enumerate(systems):
        ends = sorted(gaps[system].values())
        tip = f"{system}: closed gap from {number(ends[0])} to {number(ends[-1])}"
        tip += f" over {len(ends)} protocols"
        points = [[max(end, least), row, tip] for end in (ends[0], ends[-1])]
        marks.append(Line(points, color="line", width=5))
    return marks


def _dots(
    found: Definitions, systems: list[str], gaps: Mapping[str, Mapping[str, float]], least: float
) -> list[Mark]:
    marks: list[Mark] = []
    for place, protocol in enumerate(found.protocols):
        own = place == 0
        # A little below each other, so that equal gaps are all seen.
        aside = 0.0 if own else round(0.72 * (place / len(found.protocols) - 0.5), 3)
        points = [
            [max(gaps[s][protocol], least), row + aside, _gap_tip(found, protocol, s)]
            for row, s in enumerate(systems)
            if protocol in gaps[s]
        ]
        drawn = Look("ink", "circle", None) if own else look(place - 1)
        marks.append(
            Dots(
                points, name=short(protocol), color=drawn.color, symbol=drawn.symbol, r=5.5 if own else 3.6
            )
        )
    return [*marks[1:], marks[0]]


def _gap_tip(found: Definitions, protocol: str, system: str) -> str:
    gap = number(found.gaps(system)[protocol])
    return f"{system} under {protocol}: closed gap {gap}, n = {found.n[protocol]}"


def metric_gaps(results: ScenarioResults) -> Chart | None:
    """A row a metric, a dot a selector: its closed gap with respect to that metric.

    None where no selector has one.

    Source: Amadini et al. 2023, Definition 3.
    """
    frame = results.frames["metric_gap"].drop_nulls("closed_gap")
    if not frame.height:
        return None
    labels = frame["label"].unique(maintain_order=True).to_list()
    values = frame["closed_gap"].to_list()
    best = frame.group_by("label").max()["closed_gap"]
    # Of every metric one gap at least is inside.
    least = min(_LEAST, *best)
    low, high = max(min(*values, 0.0), least), max(*values, 0.0)
    about = "A mark a selector; each metric has an SBS and a VBS of its own."
    about += _at_edge(values, least)
    edge = f" (at the edge: below {number(least)})" if min(values) < least else ""
    marks: list[Mark] = [Rule(0, "SBS"), Rule(1, "VBS")]
    parts = frame.sort("solver").partition_by("solver", maintain_order=True)
    for place, part in enumerate(parts):
        solver = str(part["solver"][0])
        # A little below each other, so that equal gaps are all seen.
        aside = round(0.6 * ((place + 0.5) / len(parts) - 0.5), 3)
        drawn = look(results.shown_places["selector", solver])
        points = [
            [
                max(gap, least),
                labels.index(label) + aside,
                f"{solver} by {label}: closed gap {number(gap)}, n = {n}",
            ]
            for label, gap, n in part.select("label", "closed_gap", "n").iter_rows()
        ]
        marks.append(Dots(points, solver, drawn.color, 5, drawn.symbol))
    return Chart(
        "Closed gap with respect to every metric",
        about,
        Linear(f"closed gap{edge}", low - 0.03 * (high - low), max(high, 1.0)),
        Band(labels),
        marks,
        results.population,
        row_height=30,
    )
