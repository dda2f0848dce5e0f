"""Curves over a parameter, and maps of how alike definitions rank."""

from __future__ import annotations

from aslib_eval.figures.catalogue import FigureEntry

_HERE = "aslib_eval.extensions.sensitivity.figures"
_SWEPT = "a runtime, and two selectors or algorithms with a cost on every instance"
_RANKED = "two selectors, or two algorithms, that every preset can rank"
GAPS = FigureEntry(
    "closed gap of each system under every preset",
    "scenario",
    f"{_HERE}.definitions:definitions_gap",
    _RANKED,
    complete=True,
)
METRIC_GAPS = FigureEntry(
    "closed gap of each selector with respect to every metric",
    "scenario",
    f"{_HERE}.definitions:metric_gaps",
    "selectors with a closed gap",
    complete=True,
)
LIKE = FigureEntry(
    "how alike every definition ranks, by Kendall's tau-b",
    "scenario",
    f"{_HERE}.agreement:definitions_like",
    _RANKED,
    complete=True,
)
TAU = FigureEntry(
    "how alike the metrics rank, by Kendall's tau-b",
    "scenario",
    f"{_HERE}.agreement:definitions_tau",
    _RANKED,
    complete=True,
)
DELTA = FigureEntry("Borda score over delta", "scenario", f"{_HERE}.sweeps:sweep_delta", _SWEPT)
PENALTY = FigureEntry("closed gap over the penalty k", "scenario", f"{_HERE}.sweeps:sweep_penalty", _SWEPT)
CUTOFF = FigureEntry("closed gap over the cutoff", "scenario", f"{_HERE}.sweeps:sweep_cutoff", _SWEPT)
SUITE_TAU = FigureEntry(
    "how alike the metrics rank, mean over the scenarios",
    "suite",
    f"{_HERE}.agreement:suite_tau",
    f"{_RANKED}, in one scenario at least",
    complete=True,
)
