"""The pages and their sections, in their order: results → section, or None."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Any, TypeAlias, TypeVar

from aslib_eval.analysis.results import ScenarioResults, SuiteResults
from aslib_eval.figures.chart import Chart
from aslib_eval.figures.ranks import rooms
from aslib_eval.plugins import RESERVED, PlugIn, Registry, a_function
from aslib_eval.reports.details import families_of, instance_details, page_data
from aslib_eval.reports.html import (
    Header,
    Html,
    HtmlTable,
    Section,
    controls,
    figure,
    glossary,
    glossed,
    join,
    link,
    live,
    page,
    paragraph,
    tag,
)
from aslib_eval.reports.sections.algorithms import algorithms, baselines, contributions, losses, selectors
from aslib_eval.reports.sections.glance import about, badge, findings, glance
from aslib_eval.reports.sections.instances import (
    families,
    instance,
    instances,
    matrix,
    pairs,
    runtimes,
    where,
)
from aslib_eval.reports.sections.ranking import folds, leaderboard
from aslib_eval.text import brief, comparable, list_names, plural

T = TypeVar("T")


def sections_made(registry: Registry[Callable[[T], Section | None]], results: T, of: str) -> list[Section]:
    """The sections of a registry. of: the population that one that fails is of."""
    found = []
    for name, make in registry.usable().items():
        plug_in = registry.plug_in(name)
        section = make(results) if plug_in is None else made_by_plug_in(plug_in, make, results, Section)
        if isinstance(section, Html):
            section = Section(f"plug-in-{name}", name, of, section)
        if section is not None:
            found.append(section)
    return found


def made_by_plug_in(plug_in: PlugIn | None, make: Callable[[T], object], results: T, *kinds: type) -> Any:
    """What a plug-in makes, or in its place a sentence that says how it failed."""
    try:
        found = make(results)
        if found is None or isinstance(found, kinds):
            return found
        names = " or ".join(kind.__name__ for kind in kinds)
        why = f"it returned a {type(found).__name__}, and no {names}"
    except Exception as error:  # noqa: BLE001 - it is anybody's code
        why = f"{type(error).__name__}: {error}"
    return paragraph(f"The plug-in {plug_in} failed ({why}).")


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
    story = _room(suite)
    told = tag("p", glossed(f"{story}."), attrs={"class": "story"}) if story else None
    return _of_rooms(suite, "room", "At a glance", told=told)


def scenarios(suite: SuiteResults) -> Section | None:
    """All scenarios and the room in them, below what the selectors do."""
    if not any(line.gaps for line in suite.lines):
        return None
    finding = f"{_room(suite) or 'None has room between SBS and VBS'}."
    return _of_rooms(suite, "all", f"Scenarios ({len(suite.lines)})", finding=finding)


def _of_rooms(
    suite: SuiteResults, name: str, title: str, *, told: Html | None = None, finding: str = ""
) -> Section:
    rows, chart = [line.row for line in suite.lines], rooms(suite)
    # Without what no scenario has, such as features of tables of runs.
    columns = [c for c in _SCENARIOS if any(row.get(c.key) for row in rows)]
    table = HtmlTable("scenarios", "All scenarios", columns, rows, "", suite.protocol).html()
    body = join([told, table, None if chart is None else figure("rooms", _ROOMS)])
    over = f"{plural(len(rows), 'scenario')} · protocol {suite.protocol}"
    return Section(name, title, over, body, {} if chart is None else {"rooms": chart}, finding=finding)


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


R = TypeVar("R", ScenarioResults, SuiteResults)
# A function that makes a section of results, or says that there is none.
Made: TypeAlias = Callable[[R], Section | None]


# Those of plug-ins come before what is said last: findings, and about.
SECTIONS: Registry[Made[ScenarioResults]] = Registry(
    "sections",
    {
        "glance": glance,
        "algorithms": algorithms,
        "runtimes": runtimes,
        "anytime": RESERVED,
        "selectors": selectors,
        "losses": losses,
        "contributions": contributions,
        "baselines": baselines,
        "pairs": pairs,
        "families": families,
        "where": where,
        "instances": instances,
        "instance": instance,
        "definitions": RESERVED,
        "sweeps": RESERVED,
        "folds": folds,
        "similarity": RESERVED,
        "features": RESERVED,
        "findings": findings,
        "about": about,
    },
    a_function,
    last=2,
    within="",
)
INDEX_SECTIONS: Registry[Made[SuiteResults]] = Registry(
    "index_sections",
    {
        "matrix": matrix,
        "room": room,
        "scenarios": scenarios,
        "leaderboard": leaderboard,
        "agreement": RESERVED,
    },
    a_function,
)


def sections_of(results: ScenarioResults) -> list[Section]:
    """The sections of a scenario's page, in their order.

    A section of a plug-in that fails says so in its place, and all others are made.
    """
    made = sections_made(SECTIONS, results, results.population)
    return [_with_parts(section, results) for section in made]


def _with_parts(section: Section, results: ScenarioResults) -> Section:
    """A section with what plug-ins put at its end: of ``anytime``, ``anytime.NAME``.

    A chart is a figure of that name.
    """
    added: Registry[Callable[[ScenarioResults], Html | Chart | None]] = Registry(
        "sections", {}, a_function, within=section.id
    )
    body, charts = [section.body], dict(section.charts)
    for name, make in added.usable().items():
        part = made_by_plug_in(added.plug_in(name), make, results, Html, Chart)
        if isinstance(part, Chart):
            charts[name] = part
            part = figure(name, part.title, part.about)
        if part is not None:
            body.append(part)
    return replace(section, body=join(body), charts=charts)


def scenario_page(results: ScenarioResults, *, full: bool = False, link: str | None = None) -> str:
    """Everything that the lake says of a scenario and measure, as one HTML file.

    full: with nothing folded. link: template of the address of a run's log.
    """
    data, found, chosen = page_data(results, link), results.baseline, None
    if data is not None and found is not None:
        own = results.own(found["sbs_cost"])
        shown = {
            "n": live("n", found["n_instances"]),
            "SBS": join([live("sbs", found["sbs"]), " ", live("sbs-own", own)]),
            "VBS": live("vbs-own", results.own(found["vbs_cost"])),
        }
        penalty, has_families = results.choices["penalty"], bool(families_of(results))
        chosen = controls(timed=results.timed, penalty=penalty, families=has_families, shown=shown)
    return page(
        title=results.title,
        head=badge(results),
        sections=[*sections_of(results), glossary()],
        data=data,
        details=instance_details(results),
        controls=chosen,
        full=full,
    )


@dataclass(frozen=True)
class Unreported:
    """A scenario without a page of its own: where its page is that says why."""

    scenario_id: str
    link: str
    why: str


def missing_page(scenario_id: str, why: str) -> str:
    """The page of a scenario that cannot be reported."""
    body = paragraph(f"It cannot be reported ({why}). All others are.")
    return page(title=scenario_id, sections=[Section("missing", "Why", "", body)])


def index_page(suite: SuiteResults, *, missing: Sequence[Unreported] = (), full: bool = False) -> str:
    """The index over all pages; ``missing`` have one that says why it is all."""
    lines = (tag("li", link(one.scenario_id, to=one.link), f": {one.why}") for one in missing)
    title, body = f"Not reported ({len(missing)})", tag("ul", *lines)
    left_out = [Section("missing", title, "in no number here", body)] if missing else []
    found = sections_made(INDEX_SECTIONS, suite, "")
    return page(title="All scenarios", sections=[*left_out, *found, glossary()], full=full)
