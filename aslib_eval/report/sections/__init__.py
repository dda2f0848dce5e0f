"""The sections of a scenario's page, in their order: facts → section, or None."""

from __future__ import annotations

from collections.abc import Callable

from aslib_eval.report.facts import Facts
from aslib_eval.report.markup import Section
from aslib_eval.report.sections.about import about, findings
from aslib_eval.report.sections.algorithms import algorithms
from aslib_eval.report.sections.anytime import anytime
from aslib_eval.report.sections.definitions import definitions
from aslib_eval.report.sections.distributions import distributions, pairs
from aslib_eval.report.sections.features import features
from aslib_eval.report.sections.folds import folds
from aslib_eval.report.sections.hardness import hardness
from aslib_eval.report.sections.room import room
from aslib_eval.report.sections.selectors import selectors
from aslib_eval.report.sections.similarity import similarity
from aslib_eval.report.sections.sweeps import sweeps

Charts = dict[str, object]
SECTIONS: tuple[Callable[[Facts, Charts], Section | None], ...] = (
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
