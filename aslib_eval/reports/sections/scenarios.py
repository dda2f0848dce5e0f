"""All scenarios beside each other."""

from __future__ import annotations

from statistics import median

from aslib_eval.analysis.suite_results import SuiteResults
from aslib_eval.figures.suite import rooms
from aslib_eval.reports.html import (
    Header,
    Html,
    HtmlTable,
    Section,
    figure,
    glossed,
    join,
    paragraph,
    tag,
)
from aslib_eval.text import brief, plural

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


_ROOMS = "Room for improvement: cost of SBS over VBS"


def room(suite: SuiteResults) -> Section | None:
    """What perfect selection would win, where no selector has answered anywhere.

    None with selectors: the page begins with them then; and where SBS is VBS.
    """
    chart = rooms(suite)
    if chart is None or any(line.gaps for line in suite.lines):
        return None
    rows = [line.row for line in suite.lines]
    found = {row["name"]: row["room"] for row in rows if row["room"] is not None}
    most = max(found, key=lambda name: found[name])
    several = len(found) > 1
    where = f"In the median over {_counted(len(found))}" if several else f"On {most}"
    words = f"No selector has answered. {where} "
    words += f"the best algorithm costs {brief(median(found.values()))} times as much "
    words += "as choosing the best one on every instance (SBS / VBS)"
    if several:
        words += f", most of all on {most} ({brief(found[most])} times)"
    if left := len(rows) - len(found):
        words += f". In {_counted(left)} that is not defined"
    story = tag("p", glossed(f"{words}."), attrs={"class": "story"})
    over = f"{_counted(len(rows))} without selectors · {suite.protocol}"
    body = join([story, figure("rooms", _ROOMS)])
    return Section("room", "At a glance", over, body, {"rooms": chart})


def _counted(n: int) -> str:
    return plural(n, "scenario")


def scenarios(suite: SuiteResults) -> Section:
    """All scenarios beside each other, and their room unless it is drawn before."""
    rows, protocol = [line.row for line in suite.lines], suite.protocol
    table = HtmlTable("scenarios", "All scenarios", _SCENARIOS, rows, "", protocol)
    charts = {}
    below: Html | None = None
    if room(suite) is None:
        chart = rooms(suite)
        below = paragraph("No scenario has room between SBS and VBS.")
        if chart is not None:
            charts, below = {"rooms": chart}, figure("rooms", _ROOMS)
    over = f"{_counted(len(rows))} · protocol {protocol}"
    title, body = f"Scenarios ({len(rows)})", join([table.html(), below])
    return Section("all", title, over, body, charts)
