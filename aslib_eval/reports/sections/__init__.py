"""The sections of pages, in their order: results → section, or None."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeAlias, TypeVar

from aslib_eval.analysis.scenario_results import ScenarioResults
from aslib_eval.analysis.suite_results import SuiteResults
from aslib_eval.errors import AslibError
from aslib_eval.plugins import PlugIn, Registry
from aslib_eval.reports.html import Html, Section, join, paragraph
from aslib_eval.reports.sections.about import about, findings
from aslib_eval.reports.sections.agreement import agreement
from aslib_eval.reports.sections.algorithms import algorithms, contributions
from aslib_eval.reports.sections.alike import alike
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

R = TypeVar("R", ScenarioResults, SuiteResults)
Answer = TypeVar("Answer", Section, Html)
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
    alike,
)


def _section(_name: str, found: object) -> Callable[..., Any]:
    """A section of a plug-in."""
    if not callable(found):
        raise AslibError(f"is a {type(found).__name__}, and no function")
    made: Callable[..., Any] = found
    return made


THEIRS: Registry[Made[ScenarioResults]] = Registry("sections", {}, _section, within="")
THEIRS_OF_INDEX: Registry[Made[SuiteResults]] = Registry("index_sections", {}, _section)


def sections_of(results: ScenarioResults) -> list[Section]:
    """The sections of a scenario's page, in their order.

    A section of a plug-in that fails says so in its place, and all others are made.
    """
    ours = [_with_parts(section(results), results) for section in SECTIONS]
    theirs = _theirs(THEIRS, results, results.population)
    last = [_with_parts(section(results), results) for section in _LAST]
    return [section for section in (*ours, *theirs, *last) if section is not None]


def _with_parts(section: Section | None, results: ScenarioResults) -> Section | None:
    """A section with what plug-ins put at its end: of ``anytime``, ``anytime.NAME``."""
    if section is None:
        return None
    added: Registry[Callable[[ScenarioResults], Html | None]] = Registry(
        "sections", {}, _section, within=section.id
    )
    parts = [
        _made(added.plug_in(name), make, results, Html)
        for name, make in added.usable().items()
    ]
    return replace(section, body=join([section.body, *filter(None, parts)]))


def index_sections_of(results: SuiteResults) -> list[Section]:
    """The sections of the index in their order, those of plug-ins last."""
    ours = [section(results) for section in INDEX_SECTIONS]
    theirs = _theirs(THEIRS_OF_INDEX, results, "")
    return [section for section in (*ours, *theirs) if section is not None]


def _theirs(registry: Registry[Made[R]], results: R, of: str) -> list[Section | None]:
    """The sections of plug-ins. of: the population that one that fails is of."""
    made = {
        name: _made(registry.plug_in(name), make, results, Section)
        for name, make in registry.usable().items()
    }
    return [
        Section(f"plug-in-{name}", name, of, found)
        if isinstance(found, Html)
        else found
        for name, found in made.items()
    ]


def _made(
    plug_in: PlugIn | None,
    make: Callable[[R], Answer | None],
    results: R,
    kind: type[Answer],
) -> Answer | Html | None:
    """What a plug-in makes, or in its place a sentence that says how it failed."""
    try:
        found = make(results)
        if found is None or isinstance(found, kind):
            return found
        why = f"it returned a {type(found).__name__}, and no {kind.__name__}"
    except Exception as error:  # noqa: BLE001 - it is anybody's code
        why = f"{type(error).__name__}: {error}"
    return paragraph(f"The plug-in {plug_in} failed ({why}).")
