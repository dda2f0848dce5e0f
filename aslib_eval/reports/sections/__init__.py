"""The sections of pages, in their order: results → section, or None."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias, TypeVar

from aslib_eval.analysis.scenario_results import ScenarioResults
from aslib_eval.analysis.suite_results import SuiteResults
from aslib_eval.figures.chart import Chart
from aslib_eval.plugins import RESERVED, Registry, a_function
from aslib_eval.reports.html import Html, Section, figure, join
from aslib_eval.reports.plug_in_sections import made_by_plug_in, sections_made
from aslib_eval.reports.sections.about import about, findings
from aslib_eval.reports.sections.algorithms import algorithms, contributions
from aslib_eval.reports.sections.baselines import baselines
from aslib_eval.reports.sections.folds import folds
from aslib_eval.reports.sections.glance import glance
from aslib_eval.reports.sections.instances import families, instance, instances, where
from aslib_eval.reports.sections.leaderboard import leaderboard
from aslib_eval.reports.sections.matrix import matrix
from aslib_eval.reports.sections.runtimes import pairs, runtimes
from aslib_eval.reports.sections.scenarios import room, scenarios
from aslib_eval.reports.sections.selectors import losses, selectors

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


def index_sections_of(results: SuiteResults) -> list[Section]:
    """The sections of the index in their order."""
    return sections_made(INDEX_SECTIONS, results, "")
