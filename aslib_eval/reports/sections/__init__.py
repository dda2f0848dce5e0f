"""The sections of a scenario's page, in their order: facts → section, or None."""

from __future__ import annotations

from collections.abc import Callable

from aslib_eval.analysis.scenario_results import ScenarioResults
from aslib_eval.reports.html import Section
from aslib_eval.reports.sections.about import about, findings
from aslib_eval.reports.sections.algorithms import algorithms
from aslib_eval.reports.sections.anytime import anytime
from aslib_eval.reports.sections.baselines import room
from aslib_eval.reports.sections.definitions import definitions
from aslib_eval.reports.sections.features import features
from aslib_eval.reports.sections.folds import folds
from aslib_eval.reports.sections.hardness import hardness
from aslib_eval.reports.sections.runtimes import distributions, pairs
from aslib_eval.reports.sections.selectors import selectors
from aslib_eval.reports.sections.similarity import similarity
from aslib_eval.reports.sections.sweeps import sweeps

Charts = dict[str, object]
SECTIONS: tuple[Callable[[ScenarioResults, Charts], Section | None], ...] = (
    room,
    algorithms,
    distributions,
    pairs,
    similarity,
    selectors,
    definitions,
    sweeps,
    folds,
    features,
    hardness,
    anytime,
    findings,
    about,
)
