"""The sections of pages, in their order: results → section, or None."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeAlias, TypeVar

from aslib_eval.analysis.scenario_results import ScenarioResults
from aslib_eval.analysis.suite_results import SuiteResults
from aslib_eval.errors import AslibError
from aslib_eval.figures.chart import Chart
from aslib_eval.plugins import PlugIn, Registry
from aslib_eval.reports.html import Html, Section, figure, join, paragraph
from aslib_eval.reports.sections.about import about, findings
from aslib_eval.reports.sections.agreement import agreement
from aslib_eval.reports.sections.algorithms import algorithms, contributions
from aslib_eval.reports.sections.anytime import anytime
from aslib_eval.reports.sections.baselines import baselines
from aslib_eval.reports.sections.definitions import definitions
from aslib_eval.reports.sections.features import features
from aslib_eval.reports.sections.folds import folds
from aslib_eval.reports.sections.glance import glance
from aslib_eval.reports.sections.instances import (
    families,
    instance,
    instances,
    where,
)
from aslib_eval.reports.sections.leaderboard import leaderboard
from aslib_eval.reports.sections.matrix import matrix
from aslib_eval.reports.sections.runtimes import pairs, runtimes
from aslib_eval.reports.sections.scenarios import room, scenarios
from aslib_eval.reports.sections.selectors import losses, selectors
from aslib_eval.reports.sections.similarity import similarity
from aslib_eval.reports.sections.sweeps import sweeps

T = TypeVar("T")
R = TypeVar("R", ScenarioResults, SuiteResults)
# A function that makes a section of results, or says that there is none.
Made: TypeAlias = Callable[[R], Section | None]

SECTIONS: tuple[Made[ScenarioResults], ...] = (
    glance,
    algorithms,
    runtimes,
    anytime,
    selectors,
    losses,
    contributions,
    baselines,
    pairs,
    families,
    where,
    instances,
    instance,
    definitions,
    sweeps,
    folds,
    similarity,
    features,
)
# What is said last, after the sections of plug-ins.
_LAST = (findings, about)


INDEX_SECTIONS: tuple[Made[SuiteResults], ...] = (
    matrix,
    room,
    scenarios,
    leaderboard,
    agreement,
)


def section_of_plug_in(_name: str, found: object) -> Callable[..., Any]:
    """A section of a plug-in."""
    if not callable(found):
        raise AslibError(f"is a {type(found).__name__}, and no function")
    made: Callable[..., Any] = found
    return made


THEIRS: Registry[Made[ScenarioResults]] = Registry(
    "sections", {}, section_of_plug_in, within=""
)
THEIRS_OF_INDEX: Registry[Made[SuiteResults]] = Registry(
    "index_sections", {}, section_of_plug_in
)


def sections_of(results: ScenarioResults) -> list[Section]:
    """The sections of a scenario's page, in their order.

    A section of a plug-in that fails says so in its place, and all others are made.
    """
    ours = [_with_parts(section(results), results) for section in SECTIONS]
    theirs = sections_of_plug_ins(THEIRS, results, results.population)
    last = [_with_parts(section(results), results) for section in _LAST]
    return [section for section in (*ours, *theirs, *last) if section is not None]


def _with_parts(section: Section | None, results: ScenarioResults) -> Section | None:
    """A section with what plug-ins put at its end: of ``anytime``, ``anytime.NAME``.

    A chart is a figure of that name.
    """
    if section is None:
        return None
    added: Registry[Callable[[ScenarioResults], Html | Chart | None]] = Registry(
        "sections", {}, section_of_plug_in, within=section.id
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


def index_sections_of(results: SuiteResults) -> list[Section]:
    """The sections of the index in their order, those of plug-ins last."""
    ours = [section(results) for section in INDEX_SECTIONS]
    theirs = sections_of_plug_ins(THEIRS_OF_INDEX, results, "")
    return [section for section in (*ours, *theirs) if section is not None]


def sections_of_plug_ins(
    registry: Registry[Callable[[T], Section | None]], results: T, of: str
) -> list[Section]:
    """The sections of plug-ins. of: the population that one that fails is of."""
    made: dict[str, Section | Html | None] = {
        name: made_by_plug_in(registry.plug_in(name), make, results, Section)
        for name, make in registry.usable().items()
    }
    return [
        Section(f"plug-in-{name}", name, of, found)
        if isinstance(found, Html)
        else found
        for name, found in made.items()
        if found is not None
    ]


def made_by_plug_in(
    plug_in: PlugIn | None, make: Callable[[T], object], results: T, *kinds: type
) -> Any:
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
