"""The best portfolios of each size."""

from __future__ import annotations

from aslib_eval.figures.catalogue import FigureEntry

PORTFOLIO = FigureEntry(
    "share of the gap that the best portfolio of each size closes",
    "scenario",
    "aslib_eval.extensions.solver_sets.figures.portfolio:portfolio",
    "two algorithms with costs, and a gap",
)
