"""All scenarios beside each other."""

from __future__ import annotations

from statistics import median

from aslib_eval.analysis.suite_results import SuiteResults
from aslib_eval.figures.suite import rooms
from aslib_eval.reports.html import Header, Html, HtmlTable, Section, figure, glossed, join, tag
from aslib_eval.text import brief, comparable, list_names, plural

_SCENARIOS = (
    Header("name", "scenario"),
    Header("room", "SBS / VBS", "cost of SBS over that of VBS: room for improvement"),
    Header("sbs", "SBS", "the single best algorithm", words=True),
    Header("selector", "best selector", "of largest closed gap", words=True),
    Header("gap", "closed gap", "of the best selector"),
    Header("attainable", "VBS + feature costs", "its closed gap: what is attainable"),
    Header("n", "instances", "instances that count under the protocol"),
    Header("algorithms", "algorithms", "algorithms with runs"),
    Header("solved", "runs solved", "share of all runs of algorithms"),
    Header("unsolvable", "unsolvable", "share of instances that no algorithm solves"),
    Header("measure", "measure", words=True),
    Header("features", "features", "instance features with values"),
    Header("folds", "folds", "folds of the scenario's own split"),
    Header("errors", "warnings", "warnings and errors of the linter at the import"),
    Header("notes", "notes", "notes of the linter at the import"),
    Header("missing", "absent files", "files of the format that are absent", words=True),
)


_ROOMS = "Room for improvement: cost of SBS over VBS"


def room(suite: SuiteResults) -> Section | None:
    """All scenarios, where no selector has answered anywhere; else None.

    A sentence on what perfect selection would win, and where it would.
    """
    if any(line.gaps for line in suite.lines):
        return None
    n, story, chart = len(suite.lines), _room(suite), rooms(suite)
    told = tag("p", glossed(f"{story}."), attrs={"class": "story"}) if story else None
    charts = {} if chart is None else {"rooms": chart}
    place = figure("rooms", _ROOMS) if charts else None
    over = f"{plural(n, 'scenario')} · protocol {suite.protocol}"
    body = join([told, _table(suite), place])
    return Section("room", "At a glance", over, body, charts)


def _room(suite: SuiteResults) -> str:
    """What perfect selection would win, in one sentence; empty where that is none."""
    rows = [line.row for line in suite.lines]
    found = {row["name"]: row["room"] for row in rows if row["room"] is not None}
    if not found or max(found.values()) <= 1:
        return ""
    largest = max(map(comparable, found.values()))
    most = list_names([n for n in found if comparable(found[n]) == largest], most=3, quoted=False)
    several = len(found) > 1
    where = f"In the median over {plural(len(found), 'scenario')}" if several else f"On {most}"
    words = f"{where} the best algorithm costs {brief(median(found.values()))} times "
    words += "as much as choosing the best one on every instance (SBS / VBS)"
    if several:
        words += f", most of all on {most} ({brief(largest)} times)"
    if left := len(rows) - len(found):
        words += f"; in {plural(left, 'scenario')} that is not defined"
    return words


def _table(suite: SuiteResults) -> Html:
    """Without what no scenario has, such as features of tables of runs."""
    rows = [line.row for line in suite.lines]
    columns = [c for c in _SCENARIOS if any(row.get(c.key) for row in rows)]
    table = HtmlTable("scenarios", "All scenarios", columns, rows, "", suite.protocol)
    return table.html()


def scenarios(suite: SuiteResults) -> Section | None:
    """All scenarios and the room in them, below what the selectors do."""
    if not any(line.gaps for line in suite.lines):
        return None
    n, chart = len(suite.lines), rooms(suite)
    charts = {} if chart is None else {"rooms": chart}
    place = figure("rooms", _ROOMS) if charts else None
    over = f"{plural(n, 'scenario')} · protocol {suite.protocol}"
    finding = f"{_room(suite) or 'None has room between SBS and VBS'}."
    body = join([_table(suite), place])
    return Section("all", f"Scenarios ({n})", over, body, charts, finding=finding)
