"""The pages and their sections, in their order: results → section, or None; and the first of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Any, TypeAlias, TypeVar

import numpy as np

from aslib_eval.analysis.compare.pairs import NO_DIFFERENCE, turned
from aslib_eval.analysis.compare.systems import OVER_SCENARIOS, Compared
from aslib_eval.analysis.results import ScenarioResults, SuiteResults, first_of
from aslib_eval.database.protocol import MEANING
from aslib_eval.errors import place
from aslib_eval.figures.chart import Chart
from aslib_eval.figures.gaps import waterfall
from aslib_eval.figures.ranks import rooms
from aslib_eval.plugins import RESERVED, PlugIn, Registry, a_function
from aslib_eval.reports.html import (
    Content,
    Header,
    Html,
    HtmlTable,
    Section,
    controls,
    details,
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
from aslib_eval.reports.sections.instances import (
    distribution,
    families,
    families_of,
    instance,
    instance_details,
    instances,
    matrix,
    page_data,
    pairs,
    runtimes,
    where,
)
from aslib_eval.reports.sections.ranking import (
    algorithms,
    baselines,
    contributions,
    folds,
    kind_of,
    leaderboard,
    losses,
    ranking,
    selectors,
)
from aslib_eval.statistics.distributions import paired_differences
from aslib_eval.text import brief, comparable, join_words, list_names, number, plural, points

_STORY = {"class": "story"}
_NOBODY = Compared(OVER_SCENARIOS, (), "")
# What the best selector does with so much of the gap; page.js says the same.
_CLOSES, _LOSES = "closes", "loses"
# A verdict on one that is compared with another, as a sentence without its end.
_BY_VERDICT = {
    "better": "It is significantly better than",
    "worse": "It is significantly worse than",
    "typically better": "It is typically better than",
    "typically worse": "It is typically worse than",
    "mixed": "It has a mixed verdict against",
    NO_DIFFERENCE: "It is not significantly better than",
}


def glance(results: ScenarioResults) -> Section:
    """Who is best, by how much, and whether that is shown; then why."""
    found = results.baseline
    if found is None:
        words = tag("p", "The lake holds no runs of this scenario.", attrs=_STORY)
        return Section("glance", "At a glance", facts(results), words)
    kind = kind_of(results)
    story = [part if isinstance(part, Html) else glossed(part) for part in _sentence(results, found, kind)]
    parts = [tag("p", *story, attrs=_STORY), ranking(results, kind, name="leaders")]
    charts: dict[str, Chart] = {}
    if kind == "selector" and (lost := waterfall(results)) is not None:
        charts["waterfall"] = lost
        parts.append(figure("waterfall", "Where the gap goes: shorter is better", lost.about))
    elif kind == "algorithm" and (drawn := distribution(results)) is not None:
        parts.append(drawn)
    return Section("glance", "At a glance", facts(results), join(parts), charts, follows="part")


def facts(results: ScenarioResults) -> str:
    """What the numbers are over: instances, algorithms, measure, protocol."""
    summary = results.summary
    way = "larger is better" if summary["maximize"] else "smaller is better"
    unit = summary["time_unit"] or "(unit not stated)"
    cutoff = f"cutoff {number(c)} {unit}" if (c := summary["cutoff"]) else ""
    n, m, times = summary["n_algorithms"], summary["n_features"], summary["n_repetitions"] or 1
    words = [
        plural(results.n, "instance"),
        f"{times} repetitions" if times > 1 else "",
        plural(n, "algorithm") if n else "",
        plural(m, "feature") if m else "",
        cutoff if results.timed else f"{summary['measure']}, {way}",
        f"protocol {results.protocol}",
    ]
    return " \N{MIDDLE DOT} ".join(filter(None, words))


def _sentence(results: ScenarioResults, found: dict[str, Any], kind: str) -> list[Html | str]:
    """The verdict, then the doubt; every number in it follows the reader's choices."""
    if results.hopeless:
        return [f"No solver solves any of the {results.n} instances: all tie."]
    if kind == "selector":  # who costs least in the mean, the first by name of equals
        return _of_selector(results, found, results.frames["score"].filter(kind=kind).row(0, named=True))
    lead, verdict = _ahead(results, found)
    which = "best" if (results.summary["n_algorithms"] or 0) > 1 else "only"
    words = [
        live("sbs", found["sbs"]),
        _tied(found["sbs"], found["sbs_tied"] or []),
        f" is the {which} algorithm",
    ]
    if results.timed:
        words += [": it solves ", live("sbs-solved", found["sbs_solved"], share=True), " of the instances"]
    else:
        words += [f": its mean {results.measure} is ", live("sbs-own", results.own(found["sbs_cost"]))]
    return [*words, _stored(lead), ". ", _stored(verdict), *_of_vbs(results, found), "."]


def _tied(one: str, names: Sequence[str]) -> Html:
    others = [name for name in names if name != one]
    some = list_names(others, most=3, quoted=False)
    return _stored(f" (tied with {some})") if others else Html()


def _stored(*words: Html | str) -> Html:
    """Words that hold for the protocol alone: gone when a reader chooses otherwise."""
    return tag("span", *words, attrs={"class": "as-stored"}) if any(words) else Html()


def _ahead(results: ScenarioResults, found: dict[str, Any]) -> tuple[Html, str]:
    """By how much the best algorithm is ahead of the second; whether that is shown."""
    tested, frame = results.compared("algorithms_sbs"), results.frames["score"]
    others = frame.filter(kind="algorithm")["solver"].to_list()
    second = next((name for name in others if name != found["sbs"]), None)
    row = tested.of(second) if tested and second else None
    if not tested or not row:
        return Html(), ""
    by = f" by PAR{number(results.choices['penalty'])}" if results.timed else ""
    lead = tag("b", f"{brief(-row['advantage'] + 0.0)}{_unit(results)} ahead of {second}{by}")
    words = join([" and is " if results.timed else ", ", lead])
    return words, f"{_BY_VERDICT[turned(row['verdict'])]} {second}. "


def _of_selector(results: ScenarioResults, found: dict[str, Any], best: dict[str, Any]) -> list[Html | str]:
    shown, gap = live("best-selector", best["solver"]), best["closed_gap"]
    if gap is None:
        return [shown, " costs least of the selectors."]
    others = results.frames["score"].filter(kind="selector").height - 1
    row = (results.compared("selectors_sbs") or _NOBODY).of(best["solver"])
    tied = _tied(best["solver"], first_of(results.frames["score"], "selector"))
    lead, sure = _of_next(results, gap)
    against = _against_sbs(row, _apart(results, best["solver"], found["sbs"]), gap)
    doubt = join([*against, f"; {sure}" if sure and any(against) else sure.capitalize()])
    return [
        *(shown, tied, " is the best selector: it " if others else " is the only selector: it "),
        *(live("best-does", _LOSES if gap < 0 else _CLOSES), " "),
        *(live("best-gap", abs(gap), share=True), " of the gap between SBS ("),
        *(live("sbs", found["sbs"]), ") and VBS", _stored(lead), "."),
        _stored(" ", doubt, ".") if doubt else "",
    ]


def _of_next(results: ScenarioResults, gap: float) -> tuple[Html, str]:
    """How much less of the gap the second selector closes; whether that is shown."""
    rows = results.frames["score"].filter(kind="selector").select("solver", "closed_gap").rows()
    if len(rows) < 2 or rows[1][1] is None:  # noqa: PLR2004
        return Html(), ""
    name, its = rows[1]
    if gap <= its:
        return join([", ", tag("b", f"level with {name}")]), ""
    mark = (results.compared("selectors_tested") or _NOBODY).of(name).get("mark", "")
    sure = {"-": "is significant", "=": "is not significant"}.get(mark)
    lead = tag("b", f"{points(gap - its)} ahead of {name}")
    return join([", ", lead]), f"its lead over {name} {sure}" if sure else ""


def _apart(results: ScenarioResults, selector: str, sbs: str) -> tuple[list[int], list[int]]:
    matrix = results.complete
    if matrix is None:
        return [], []
    costs = results.penalised(matrix)
    ahead = paired_differences(
        costs[:, matrix.number("algorithm", sbs)], costs[:, matrix.number("selector", selector)]
    )
    return np.flatnonzero(ahead > 0).tolist(), np.flatnonzero(ahead < 0).tolist()


def _counted(rows: Sequence[int], n: int) -> Content:
    """So many instances, which lead to these in the table of all runs.

    No link where the table counts otherwise, as with a row for each repetition.
    """
    text = plural(n, "instance")
    return link(text, to="#instances", rows=rows) if len(rows) == n else text


def _against_sbs(row: dict[str, Any], apart: Sequence[Sequence[int]], gap: float) -> list[Content]:
    """The verdict on the best selector beside SBS, and where instances and mean differ.

    apart: as of ``_apart``. Who is better in the mean and worse on most instances saves more on few.
    """
    verdict = row.get("verdict")
    if verdict is None:
        return []
    if verdict == NO_DIFFERENCE and gap <= 0:
        return ["It is no better than SBS"]
    said = f"{_BY_VERDICT[verdict]} SBS"
    if verdict not in {"mixed", "typically better", "typically worse"}:
        return [said]
    is_better = gap < 0 if verdict == "mixed" else verdict == "typically better"
    few, many = sorted((row["wins"], row["losses"]))
    is_most = few < many == row["wins" if is_better else "losses"]
    on = join(["on ", _counted(apart[not is_better], many)]) if is_most else "by the test"
    if verdict == "mixed":
        word, other = ("better", "worse") if is_better else ("worse", "better")
        return [f"{said}: {other} in the mean, but {word} ", on]
    return [f"{said}, ", on, ", but not significantly in the mean"]


def _unit(results: ScenarioResults) -> str:
    unit = results.summary["time_unit"]
    return f" {unit}" if results.timed and unit else ""


def _of_vbs(results: ScenarioResults, found: dict[str, Any]) -> list[Html | str]:
    room = results.summary["room"]
    if found["reason"]:
        return ["No choice among the algorithms is better"]
    if results.timed and room is not None:
        k = live("k", results.choices["penalty"])
        return ["Its PAR", k, " is ", live("room", room), " times as high as VBS's"]
    return ["The mean of VBS is ", live("vbs-own", results.own(found["vbs_cost"]))]


_FILES = (
    Header("file", "file"),
    Header("bytes", "size", "bytes"),
    Header("sha256", "SHA-256", "of the file's content", words=True),
)
_CHOICES = (
    Header("choice", "choice"),
    Header("value", "value", words=True),
    Header("meaning", "meaning", words=True),
)
_FINDINGS = (
    Header("place", "where"),
    Header("severity", "severity", words=True),
    Header("code", "code", words=True),
    Header("message", "what", words=True),
    Header("hint", "what to do", words=True),
)


def about(results: ScenarioResults) -> Section:
    """Files and hashes, every choice of the protocol, and the scenario's own words."""
    summary, choices = results.summary, results.choices
    sources = results.frames["source"].to_dicts()
    rows = [{"choice": n, "value": str(choices[n]), "meaning": meaning} for n, meaning in MEANING.items()]
    every = f"Every choice of protocol {choices['protocol']}"
    body = [
        HtmlTable("files", "Source files", _FILES, sources).html(),
        *(details(row["file"], tag("pre", row["text"])) for row in sources if row["text"]),
        details(every, HtmlTable("protocol", every, _CHOICES, rows).html()),
    ]
    absent = f" Missing files: {', '.join(summary['missing'])}." if summary["missing"] else ""
    importer = results.manifest.get("importer", "unknown")
    source = f"{summary['folder']} (hash {summary['source_sha256'][:12]})"
    origin = f"Read from {source} by importer {importer}.{absent}"
    return Section("origin", "Origin and protocol", "", join(body), follows="never", finding=origin)


def findings(results: ScenarioResults) -> Section | None:
    """Every finding of the linter when the scenario was imported; None without any."""
    found = results.findings
    if found is None:
        said = "The lake holds no findings, because an older version imported the scenario."
        body = paragraph("Import it again into a new lake, or run 'aslib-eval check'.")
    elif not found:
        return None
    else:
        said = f"The linter reports {join_words(_counted_words(found))}."
        rows = [{**f, "place": place(f["file"], f["line"])} for f in found]
        body = HtmlTable("findings-table", "Findings of the linter", _FINDINGS, rows).html()
    return Section("findings", "Findings", "as of the import", body, follows="never", finding=said)


def _counted_words(found: list[dict[str, Any]]) -> list[str]:
    kinds = Counter(f["severity"] for f in found)
    return [plural(kinds[k], k) for k in ("error", "warning", "note") if kinds[k]]


def badge(results: ScenarioResults) -> Html | None:
    """How many errors and warnings the linter has; leads to their list."""
    every = results.findings or ()
    rows = [at for at, f in enumerate(every) if f["severity"] != "note"]
    if not rows:
        return None
    counted = join_words(_counted_words([every[at] for at in rows]))
    text = f"The linter reports {counted} on this scenario."
    return tag("p", link(text, to="#findings", rows=rows), attrs={"class": "grave"})


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
        why = f"it returned {type(found).__name__} instead of {names}"
    except Exception as error:  # noqa: BLE001 - it is anybody's code
        why = f"{type(error).__name__}: {error}"
    return paragraph(f"The plug-in {plug_in} failed ({why}).")


_SCENARIOS = (
    Header("name", "scenario"),
    Header("room", "SBS / VBS", "cost of SBS divided by cost of VBS: the room for improvement"),
    Header("sbs", "SBS", "the single best algorithm", words=True),
    Header("selector", "best selector", "selector with the largest closed gap", words=True),
    Header("gap", "closed gap", "of the best selector"),
    Header("attainable", "VBS + feature costs", "closed gap of a VBS that pays for the features"),
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


_ROOMS = "Room for improvement: cost of SBS / cost of VBS"


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
        words += f". This ratio is largest on {most} ({brief(largest)} times)"
    if left := len(rows) - len(found):
        words += f". In {plural(left, 'scenario')} the ratio is not defined"
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
