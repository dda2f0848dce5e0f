"""The map of the scenarios."""

from __future__ import annotations

from aslib_eval.figures.catalogue import FigureEntry

DISTANCES = FigureEntry(
    "how far apart scenarios are by what their algorithms do",
    "lake",
    "aslib_eval.extensions.likeness.figures.alike:scenario_distances",
    "three scenarios with costs",
    runs=False,
)
