"""The index: all scenarios beside each other, and the selectors over all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from aslib_eval.analysis.compare.for_report import Compared
from aslib_eval.analysis.rankings import Definitions, definitions_of
from aslib_eval.analysis.scenario_results import ScenarioResults
from aslib_eval.figures.chart import Band, Boxes, Chart, Logarithmic
from aslib_eval.reports.html import (
    Card,
    Column,
    Html,
    Section,
    Table,
    cards,
    figure,
    join,
    link,
    paragraph,
    tag,
)
from aslib_eval.reports.leaderboard import suite
from aslib_eval.reports.page import page
from aslib_eval.reports.sections.about import known_findings
from aslib_eval.reports.sections.agreement import agreement
from aslib_eval.text import number, plural

if TYPE_CHECKING:
    import polars as pl

_SCENARIOS = (
    Column("name", "scenario"),
    Column("measure", "measure", words=True),
    Column("n", "instances", "instances that count under the protocol"),
    Column("algorithms", "algorithms", "algorithms with runs"),
    Column("features", "features", "instance features with values"),
    Column("folds", "folds", "folds of the scenario's own split"),
    Column("solved", "runs solved", "share of all runs of algorithms"),
    Column("unsolvable", "unsolvable", "share of instances that no algorithm solves"),
    Column("sbs", "SBS", "the single best algorithm", words=True),
    Column("room", "SBS / VBS", "cost of SBS over that of VBS: room for improvement"),
    Column("attainable", "attainable", "closed gap of a VBS that pays for features"),
    Column("selector", "best selector", "of largest closed gap", words=True),
    Column("gap", "closed gap", "of the best selector"),
    Column("errors", "warnings", "warnings and errors of the linter at the import"),
    Column("notes", "notes", "notes of the linter at the import"),
    Column(
        "missing", "absent files", "files of the format that are absent", words=True
    ),
)


@dataclass(frozen=True)
class Entry:
    """A scenario's line: ``row`` for the table; ``gaps`` of its selectors."""

    row: dict[str, Any]
    gaps: Mapping[str, float]
    protocol: str
    definitions: Definitions | None = None

    @classmethod
    def of(cls, facts: ScenarioResults, title: str, link: str) -> Entry:
        """What the index says of a scenario whose page is at the link."""
        gaps = _gaps(facts)
        best = min(gaps, key=lambda name: (-gaps[name], name), default=None)
        summary, n = facts.summary, facts.n
        unsolved = summary["n_unsolvable"]
        row = {
            "name": title,
            "_link": link,
            "_n": n or None,
            "measure": facts.measure,
            "n": summary["n_instances"],
            "algorithms": summary["n_algorithms"],
            "features": summary["n_features"],
            "folds": summary["n_folds"],
            "solved": summary["solved"],
            "unsolvable": unsolved / n if n and unsolved is not None else None,
            "sbs": summary["sbs"],
            "room": summary["room"],
            "attainable": _attainable(facts),
            "selector": best,
            "gap": gaps[best] if best is not None else None,
            "missing": ", ".join(summary["missing"] or []),
            **_quality(facts),
        }
        return cls(row, gaps, facts.protocol, _definitions(facts))


@dataclass(frozen=True)
class Suite:
    """What is said over all scenarios: suite_solver, and the selectors tested."""

    aggregates: pl.DataFrame
    tested: Compared | None = None


def _definitions(facts: ScenarioResults) -> Definitions | None:
    frame = facts.frames.get("definition")
    return definitions_of(frame, own=facts.protocol, metrics=facts.metrics)


def _gaps(facts: ScenarioResults) -> dict[str, float]:
    score = facts.frames["score"]
    chosen = score.filter(
        (score["kind"] == "selector") & score["closed_gap"].is_not_null()
    )
    return dict(chosen.select("solver", "closed_gap").rows())


def _attainable(facts: ScenarioResults) -> float | None:
    gaps = facts.frames["score"]["attainable_gap"].drop_nulls()
    return float(gaps[0]) if len(gaps) else None


def _quality(facts: ScenarioResults) -> dict[str, int | None]:
    found = known_findings(facts)
    if found is None:
        return {"errors": None, "notes": None}
    notes = sum(f["severity"] == "note" for f in found)
    return {"errors": len(found) - notes, "notes": notes}


@dataclass(frozen=True)
class Missing:
    """A scenario without a page of its own: where its page is that says why."""

    scenario_id: str
    link: str
    why: str


def missing_page(scenario_id: str, why: str) -> str:
    """The page of a scenario that cannot be reported."""
    home = tag("a", "All scenarios", attrs={"href": "../index.html", "class": "home"})
    head = join([home, tag("h1", scenario_id), paragraph("It is not reported.")])
    body = paragraph(f"It cannot be reported ({why}). All others are.")
    said = Section("missing", "Why", "", body)
    return page(title=scenario_id, head=head, sections=[said], charts={})


def _missing(missing: Sequence[Missing]) -> Section | None:
    if not missing:
        return None
    lines = (
        tag("li", link(one.scenario_id, to=one.link), f": {one.why}") for one in missing
    )
    title = f"Not reported ({len(missing)})"
    return Section("missing", title, "in no number here", tag("ul", *lines))


def index_page(
    entries: Sequence[Entry], over: Suite, *, missing: Sequence[Missing] = ()
) -> str:
    """The index over all pages; ``missing`` have one that says why it is all."""
    charts: dict[str, Any] = {}
    protocol = entries[0].protocol if entries else ""
    scenarios = _scenarios(entries, protocol, charts)
    found = (
        _missing(missing),
        suite(entries, over.aggregates, protocol, charts, found=over.tested),
        scenarios,
        agreement(entries, protocol, charts),
    )
    sections = [section for section in found if section is not None]
    return page(
        title="aslib-eval report",
        head=_head(entries, protocol),
        sections=sections,
        charts=charts,
    )


def _head(entries: Sequence[Entry], protocol: str) -> Html:
    name, _, digest = protocol.partition("@")
    selectors = {name for entry in entries for name in entry.gaps}
    n = sum(e.row["n"] or 0 for e in entries)
    facts = cards(
        [
            Card("scenarios", len(entries), about="scenarios and measures in the lake"),
            Card("instances", n, "over all scenarios", "instances that count"),
            Card("selectors", len(selectors), "with a closed gap somewhere"),
            Card("protocol", name, digest, "the protocol of every number here"),
        ],
        population=f"n = {plural(len(entries), 'scenario')} · protocol {protocol}",
    )
    lead = "Every number is computed under the protocol named; point at one for its n."
    return join(
        [
            tag("h1", "Algorithm selection scenarios"),
            tag("p", lead, attrs={"class": "lead"}),
            facts,
        ]
    )


def _scenarios(
    entries: Sequence[Entry], protocol: str, charts: dict[str, Any]
) -> Section:
    rows = [e.row for e in entries]
    table = Table("scenarios", "All scenarios", _SCENARIOS, rows, "", protocol)
    body = join([table.html(), *rooms(entries, charts)])
    said = f"{plural(len(entries), 'scenario')} · protocol {protocol}"
    return Section("all", f"Scenarios ({len(entries)})", said, body)


def rooms(entries: Sequence[Entry], charts: dict[str, Any]) -> list[Html]:
    """How much a perfect selector would win, scenario by scenario."""
    known = [e for e in entries if e.row["room"] is not None and e.row["room"] >= 1]
    known.sort(key=lambda e: (-e.row["room"], e.row["name"]))
    if not known or known[0].row["room"] == 1:
        return [paragraph("No scenario has room between SBS and VBS.")]
    bars = [
        [1, e.row["room"], i - 0.34, i + 0.34,
         f"{e.row['name']}: {number(e.row['room'])} times VBS, n = {e.row['n']}"]
        for i, e in enumerate(known)
    ]  # fmt: skip
    charts["rooms"] = Chart(
        "Room for improvement",
        f"{known[0].row['name']} has most, {known[-1].row['name']} least.",
        Logarithmic("SBS / VBS", 1, known[0].row["room"]),
        Band([e.row["name"] for e in known]),
        [Boxes(bars)],
        f"protocol {known[0].protocol}",
        row_height=20,
    ).spec()
    return [figure("rooms", "Room for improvement: cost of SBS over VBS")]
