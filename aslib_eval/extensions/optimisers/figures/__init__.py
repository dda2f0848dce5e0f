"""Losses of optimisers after each step, and the ranks of systems over tasks."""

from __future__ import annotations

from aslib_eval.figures.catalogue import FigureEntry

_HERE = "aslib_eval.extensions.optimisers.figures"
_NEEDS = "trajectories of one scenario"
MEAN = FigureEntry(
    "mean loss of optimisers after each step, with error bars",
    "lake",
    f"{_HERE}.losses:mean_scores",
    _NEEDS,
    runs=False,
    chosen=True,
)
MEDIAN = FigureEntry(
    "the same of the median loss", "lake", f"{_HERE}.losses:median_scores", _NEEDS, runs=False, chosen=True
)
TRIAL_RANKS = FigureEntry(
    "how often each system has each rank over tasks with repeated runs",
    "lake",
    f"{_HERE}.trial_ranks:trial_ranks",
    "repeated runs of one scenario",
    runs=False,
    chosen=True,
)
