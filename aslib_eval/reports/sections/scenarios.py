"""All scenarios beside each other."""

from __future__ import annotations

from aslib_eval.analysis.suite_results import SuiteResults
from aslib_eval.figures.suite import rooms
from aslib_eval.reports.html import Header, HtmlTable, Section, figure, join, paragraph
from aslib_eval.text import plural

_SCENARIOS = (
    Header("name", "scenario"),
    Header("measure", "measure", words=True),
    Header("n", "instances", "instances that count under the protocol"),
    Header("algorithms", "algorithms", "algorithms with runs"),
    Header("features", "features", "instance features with values"),
    Header("folds", "folds", "folds of the scenario's own split"),
    Header("solved", "runs solved", "share of all runs of algorithms"),
    Header("unsolvable", "unsolvable", "share of instances that no algorithm solves"),
    Header("sbs", "SBS", "the single best algorithm", words=True),
    Header("room", "SBS / VBS", "cost of SBS over that of VBS: room for improvement"),
    Header("attainable", "attainable", "closed gap of a VBS that pays for features"),
    Header("selector", "best selector", "of largest closed gap", words=True),
    Header("gap", "closed gap", "of the best selector"),
    Header("errors", "warnings", "warnings and errors of the linter at the import"),
    Header("notes", "notes", "notes of the linter at the import"),
    Header(
        "missing", "absent files", "files of the format that are absent", words=True
    ),
)


def scenarios(suite: SuiteResults) -> Section:
    """All scenarios beside each other, and their room for improvement."""
    rows, protocol = [line.row for line in suite.lines], suite.protocol
    table = HtmlTable("scenarios", "All scenarios", _SCENARIOS, rows, "", protocol)
    chart = rooms(suite)
    charts = {} if chart is None else {"rooms": chart}
    below = paragraph("No scenario has room between SBS and VBS.")
    if chart is not None:
        below = figure("rooms", "Room for improvement: cost of SBS over VBS")
    over = f"{plural(len(rows), 'scenario')} · protocol {protocol}"
    title, body = f"Scenarios ({len(rows)})", join([table.html(), below])
    return Section("all", title, over, body, charts)
