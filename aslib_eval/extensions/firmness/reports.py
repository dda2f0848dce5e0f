"""How firm places are: a section of a scenario's page, and of a competition's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import polars as pl

from aslib_eval.analysis.results import ScenarioResults
from aslib_eval.analysis.runs import Group, usual_kind
from aslib_eval.extensions.firmness.certificates import (
    Certificate,
    Certifier,
    drawn_of,
    overturned,
    sentence,
    sets_of,
    text_of,
)
from aslib_eval.extensions.firmness.standings import RecordedBoards, Standing, ranked, recorded
from aslib_eval.figures.catalogue import FigureEntry
from aslib_eval.figures.chart import Band, Chart, Dots, Line, Linear
from aslib_eval.metrics.scale import Runs
from aslib_eval.reports.html import Header, Html, HtmlTable, Section, figure, join, paragraph

_COLUMNS = (
    Header("solver", "solver"),
    Header("place", "place"),
    Header("places", "places", "sets that hold the places of all at once with 95 % "
           "confidence, had other instances of the same kind been drawn"),
    Header("removals", "instances", "the fewest whose removal puts the next one "
           "strictly before it; empty: none do"),
    Header("family", "family", "the smallest without which the next one is before it",
           words=True),
    Header("without", "solver left out", "without which the next one is before it",
           words=True),
    Header("penalty", "k", "the penalty nearest to the present one beyond which the "
           "next one is before it"),
    Header("cutoff", "cutoff", "the nearest that puts the next one before it"),
    Header("slower", "machine slower", "by how many times, for the next one to be "
           "before it: exact, as what timed out still does"),
    Header("slower_alone", "alone slower", "by how many times it may be before the "
           "next one is before it"),
    Header("faster", "machine faster", "the share of the time that all runs may take "
           "with the order still certain: a faster machine solves what timed out after "
           "a time that the data do not say; 1: nothing is certain"),
)  # fmt: skip
_WORDS = (
    "What it takes for the next one to be strictly before a solver; a tie is no swap. "
    "Cells are empty where nothing of the kind does it. The command certify also tries "
    "every choice of the protocol."
)


def of_scenario(results: ScenarioResults) -> Section | None:
    """Who passes whom if little changes; None where no two solvers are ranked."""
    standing = _standing(results)
    if standing is None or results.hopeless:
        return None
    table, chart, said = _shown(standing, "firmness-table", results.protocol)
    body = join([paragraph(_WORDS), figure("open-places", chart.title, chart.about), table])
    title, over = "Firmness", results.population
    return Section("firmness", title, over, body, {"open-places": chart}, finding=said)


def places_chart(results: ScenarioResults) -> Chart | None:
    """The set of places of each solver; None where no two are ranked."""
    standing = _standing(results)
    return None if standing is None else _shown(standing, "", "")[1]


def of_boards(record: RecordedBoards) -> Section | None:
    """The same of the boards over all instances of a competition."""
    parts: list[Html] = []
    said: list[str] = []
    fragile = 0
    for at, (standing, overturned_by) in enumerate(_of_record(record)):
        fragile += "fragile" in overturned_by
        rule, scenario, *_ = standing.labels
        table, _, text = _shown(standing, f"firm{at}", rule, f"{scenario}, {rule}")
        said.append(f"{standing.title}: {text}")
        parts += [paragraph(said[-1]), table]
    if not parts:
        return None
    finding = f"The first of {fragile or 'none'} of {len(said)} boards is fragile: "
    finding += "another is first without one instance, or 1 % of them."
    finding = said[0] if len(said) == 1 else finding
    body = join([paragraph(_WORDS), *parts])
    return Section("firmness", "Firmness", "", body, follows="never", finding=finding)


def first_places(record: RecordedBoards) -> pl.DataFrame:
    """What overturns the first place of each board, for the table of the winners."""
    rows = [
        (scenario, rule, overturned_by)
        for standing, overturned_by in _of_record(record)
        for rule, scenario, *_ in [standing.labels]
    ]
    schema = dict.fromkeys(("scenario", "board", "another is 1st without (instances)"), pl.String)
    return pl.DataFrame(rows, schema=schema, orient="row")


# Record → its boards: the table of the winners asks for them, and the section does.
_READ: WeakKeyDictionary[RecordedBoards, list[tuple[Standing, str]]]
_READ = WeakKeyDictionary()


def _of_record(record: RecordedBoards) -> list[tuple[Standing, str]]:
    """The boards of a record with what overturns each, once for all that is said."""
    if record not in _READ:
        _READ[record] = [(one, overturned(one)) for one in recorded(record)]
    return _READ[record]


def _shown(standing: Standing, name: str, protocol: str, of: str = "") -> tuple[Html, Chart, str]:
    certifier = Certifier(standing, "cost" if standing.group else None, {})
    neighbours: list[Certificate | None] = [*certifier.neighbours(), None]
    sets = sets_of(standing, confidence=0.95, draws=1000, seed=1)
    rows: list[dict[str, Any]] = [
        {
            **(asdict(found) if found else {}),
            "solver": solver,
            "place": place,
            "places": text_of(int(low), int(high)),
        }
        for solver, place, low, high, found in zip(
            standing.solvers, standing.places, sets.lower, sets.upper, neighbours,
            strict=True,
        )
    ]  # fmt: skip
    told = [c for c in _COLUMNS if any(row.get(c.key) is not None for row in rows)]
    table = HtmlTable(
        name, f"What swaps neighbours{f': {of}' if of else ''}", told, rows, str(standing.n), protocol
    )
    lines = [
        Line([[float(low), at, _tip(row)], [float(high), at, _tip(row)]], width=3,
             dash="4 3")
        for at, (row, low, high) in enumerate(
            zip(rows, sets.lower, sets.upper, strict=True)
        )
    ]  # fmt: skip
    is_open = sets.upper > sets.lower
    dots = [
        Dots(
            [[float(row["place"]), at, _tip(row)] for at, row in enumerate(rows) if is_open[at] == which],
            r=5,
            symbol=symbol,
        )
        for which, symbol in ((False, None), (True, "ring"))
        if (is_open == which).any()
    ]
    tied = int(is_open.sum())
    chart = Chart(
        "Places that the instances leave open",
        f"A bar is the set of places of a solver, a dot its place: {tied} of "
        f"{len(rows)}, which are open, could have another.",
        Linear("place", 1, len(rows), whole=True),
        Band(standing.solvers),
        [*lines, *dots],
        f"{drawn_of(standing, None)}, {protocol or standing.labels[0]}",
        row_height=24,
    )
    return table.html(), chart, sentence(standing, certifier.first())


def _tip(row: Mapping[str, Any]) -> str:
    return f"{row['solver']}: place {row['place']}, {row['places']}"


def _standing(results: ScenarioResults) -> Standing | None:
    """The ranking of a page by its costs; with runtimes as a group to be swept."""
    matrix = results.matrix
    if matrix is None or results.lake is None:
        return None
    costs = results.penalised(matrix)
    whole = np.asarray(np.isfinite(costs).all(axis=0))
    kind = usual_kind([kind for kind, _ in matrix.solvers])
    at = [place for place, (of, _) in enumerate(matrix.solvers) if of == kind and whole[place]]
    if len(at) < 2:  # noqa: PLR2004
        return None
    names = tuple(matrix.solvers[place][1] for place in at)
    (protocol,) = results.lake.protocols
    group, cutoff = None, float(results.summary["cutoff"] or 0)
    if results.timed:
        runs = Runs(matrix.costs[:, at], matrix.solved[:, at], cutoff)
        key = results.protocol, results.scenario_id, results.measure, names
        group = Group(*key, results.n, len(at), has_gap=False, runs=runs)
    attributes = results.asked("report_attribute")
    found = (
        {}
        if attributes is None
        else dict(attributes.filter(attribute="family").select("instance", "value").rows())
    )
    return ranked(
        (results.protocol, results.scenario_id, results.measure, kind),
        names,
        costs[None, :, at],
        matrix.instances,
        found,
        group=group,
        protocol=protocol,
        most=(protocol.penalty * cutoff if results.timed else None,),
    )


PLACES = FigureEntry(
    "places, and the sets of places that the instances leave open",
    "scenario",
    "aslib_eval.extensions.firmness.reports:places_chart",
    "two solvers with a cost on every instance",
)
