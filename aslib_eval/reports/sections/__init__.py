"""The sections of a scenario's page, in their order: results → section, or None."""

from __future__ import annotations

from collections.abc import Callable

from aslib_eval.analysis.scenario_results import ScenarioResults
from aslib_eval.analysis.suite_results import SuiteResults
from aslib_eval.reports.html import Section
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
    findings,
    about,
)
INDEX_SECTIONS: tuple[Callable[[SuiteResults], Section | None], ...] = (
    matrix,
    room,
    scenarios,
    leaderboard,
    agreement,
    alike,
)
