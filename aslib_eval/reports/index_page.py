"""The index: all scenarios beside each other, and the selectors over all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from aslib_eval.analysis.suite_results import SuiteResults
from aslib_eval.figures.suite import rooms
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
from aslib_eval.reports.leaderboard import leaderboard
from aslib_eval.reports.page import page
from aslib_eval.reports.sections.agreement import agreement
from aslib_eval.text import plural

if TYPE_CHECKING:
    pass

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
class Unreported:
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
    return page(title=scenario_id, head=head, sections=[said])


def _missing(missing: Sequence[Unreported]) -> Section | None:
    if not missing:
        return None
    lines = (
        tag("li", link(one.scenario_id, to=one.link), f": {one.why}") for one in missing
    )
    title = f"Not reported ({len(missing)})"
    return Section("missing", title, "in no number here", tag("ul", *lines))


def index_page(suite: SuiteResults, *, missing: Sequence[Unreported] = ()) -> str:
    """The index over all pages; ``missing`` have one that says why it is all."""
    found = (_missing(missing), leaderboard(suite), _scenarios(suite), agreement(suite))
    sections = [section for section in found if section is not None]
    return page(title="aslib-eval report", head=_head(suite), sections=sections)


def _head(suite: SuiteResults) -> Html:
    entries, protocol = suite.lines, suite.protocol
    name, _, digest = protocol.partition("@")
    selectors = {name for entry in entries for name in entry.gaps}
    n = sum(e.row["n"] or 0 for e in entries)
    results = cards(
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
            results,
        ]
    )


def _scenarios(suite: SuiteResults) -> Section:
    rows, protocol = [line.row for line in suite.lines], suite.protocol
    table = Table("scenarios", "All scenarios", _SCENARIOS, rows, "", protocol)
    chart = rooms(suite)
    charts = {} if chart is None else {"rooms": chart}
    below = paragraph("No scenario has room between SBS and VBS.")
    if chart is not None:
        below = figure("rooms", "Room for improvement: cost of SBS over VBS")
    over = f"{plural(len(rows), 'scenario')} · protocol {protocol}"
    title, body = f"Scenarios ({len(rows)})", join([table.html(), below])
    return Section("all", title, over, body, charts)
