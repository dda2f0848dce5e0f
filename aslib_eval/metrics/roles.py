"""Which role is 0 and which is 1 in every score that ``rescale`` makes."""

from __future__ import annotations

from typing import NamedTuple


class Scale(NamedTuple):
    """A score as a place between two roles; a test holds each against its function.

    zero, one: whose value scores 0 and 1. on: what is rescaled, and its bounds.
    function: module and name of what computes it, within ``metrics``.
    """

    score: str
    zero: str
    one: str
    on: str
    function: str


SCALES: tuple[Scale, ...] = (
    Scale("closed gap", "SBS", "VBS", "mean costs over instances", "gap.closed"),
    Scale(
        "remaining gap (ICON 2015)",
        "VBS",
        "SBS",
        "mean costs over instances",
        "gap.remaining",
    ),
    Scale(
        "bounded gap, below SBS, negated",
        "SBS",
        "VWS",
        "mean costs over instances",
        "gap.bounded",
    ),
    Scale(
        "UAI score / 100",
        "trivial solver",
        "true or best known",
        "error of each instance, floor 0",
        "inference.score",
    ),
    Scale(
        "bayesmark normalised median",
        "optimum",
        "random search (by time: SBS)",
        "median of each problem and step",
        "optimiser.problem_scores",
    ),
    Scale(
        "bayesmark normalised mean",
        "optimum",
        "clip value",
        "each trial of each problem and step, clipped to [-1, 1]",
        "optimiser.problem_scores",
    ),
    Scale(
        "area under the anytime curve",
        "trivial objective",
        "best known",
        "objective at each moment, clipped to [0, 1]",
        "anytime.anytime_area",
    ),
    Scale(
        "scaled score, from alpha to beta",
        "worst found",
        "best found",
        "objective of each instance",
        "quality.scaled_score",
    ),
)
