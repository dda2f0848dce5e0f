"""The map of the scenarios, and how alike the algorithms of one are."""

from __future__ import annotations

from aslib_eval.figures.catalogue import FigureEntry

DISTANCES = FigureEntry(
    "how far apart scenarios are by what their algorithms do",
    "lake",
    "aslib_eval.extensions.likeness.figures.alike:scenario_distances",
    "three scenarios with costs",
    runs=False,
)

_ALIKE = "three algorithms with a cost on each of three instances"
HEATMAP = FigureEntry(
    "rank correlation of the algorithms",
    "scenario",
    "aslib_eval.extensions.likeness.figures.similarity:heatmap",
    _ALIKE,
)
TREE = FigureEntry(
    "the tree of their clusters",
    "scenario",
    "aslib_eval.extensions.likeness.figures.similarity:tree",
    _ALIKE,
)
