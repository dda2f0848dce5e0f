"""The sections of a scenario's page, in their order: results → section, or None."""

from __future__ import annotations

from collections.abc import Callable

from aslib_eval.analysis.scenario_results import ScenarioResults
from aslib_eval.analysis.suite_results import SuiteResults
from aslib_eval.errors import AslibError
from aslib_eval.plugins import Registry
from aslib_eval.reports.html import Section, paragraph
from aslib_eval.reports.sections.about import about, findings
from aslib_eval.reports.sections.agreement import agreement
from aslib_eval.reports.sections.algorithms import algorithms
from aslib_eval.reports.sections.alike import alike
from aslib_eval.reports.sections.anytime import anytime
from aslib_eval.reports.sections.baselines import baselines
from aslib_eval.reports.sections.definitions import definitions
from aslib_eval.reports.sections.features import features
from aslib_eval.reports.sections.folds import folds
from aslib_eval.reports.sections.glance import glance
from aslib_eval.reports.sections.hardness import hardness
from aslib_eval.reports.sections.leaderboard import leaderboard
from aslib_eval.reports.sections.matrix import matrix
from aslib_eval.reports.sections.runtimes import pairs, runtimes
from aslib_eval.reports.sections.scenarios import room, scenarios
from aslib_eval.reports.sections.selectors import selectors
from aslib_eval.reports.sections.similarity import similarity
from aslib_eval.reports.sections.sweeps import sweeps

SECTIONS: tuple[Callable[[ScenarioResults], Section | None], ...] = (
    glance,
    selectors,
    algorithms,
    baselines,
    runtimes,
    pairs,
    definitions,
    sweeps,
    folds,
    similarity,
    features,
    hardness,
    anytime,
)
# What is said last, after the sections of plug-ins.
_LAST = (findings, about)


def _section(_name: str, found: object) -> Callable[[ScenarioResults], Section | None]:
    """A section of a plug-in."""
    if not callable(found):
        raise AslibError(f"is a {type(found).__name__}, and no function")
    made: Callable[[ScenarioResults], Section | None] = found
    return made


THEIRS: Registry[Callable[[ScenarioResults], Section | None]] = Registry(
    "sections", {}, _section
)


def sections_of(results: ScenarioResults) -> list[Section]:
    """The sections of a scenario's page, in their order.

    A section of a plug-in that fails says so in its place, and all others are made.
    """
    ours = [section(results) for section in SECTIONS]
    theirs = [_theirs(name, make, results) for name, make in THEIRS.usable().items()]
    last = [section(results) for section in _LAST]
    return [section for section in (*ours, *theirs, *last) if section is not None]


def _theirs(
    name: str,
    make: Callable[[ScenarioResults], Section | None],
    results: ScenarioResults,
) -> Section | None:
    try:
        found = make(results)
        if found is None or isinstance(found, Section):
            return found
        why = f"it returned a {type(found).__name__}, and no Section"
    except Exception as error:  # noqa: BLE001 - it is anybody's code
        why = f"{type(error).__name__}: {error}"
    text = f"The plug-in {THEIRS.plug_in(name)} failed ({why})."
    return Section(f"plug-in-{name}", name, results.population, paragraph(text))


INDEX_SECTIONS: tuple[Callable[[SuiteResults], Section | None], ...] = (
    matrix,
    room,
    scenarios,
    leaderboard,
    agreement,
    alike,
)
