"""Optimisers: their experiments, what they found by when, and repeated runs."""

from __future__ import annotations

from typing import Literal

OptimiserShow = Literal["summary", "steps", "problems", "curves", "objectives"]
LossDraw = Literal["mean", "mean-here", "median", "quartiles"]
Charged = Literal["value", "visible"]
TrialShow = Literal["systems", "pairs", "wins", "ranks", "targets"]
SearchDirection = Literal["min", "max"]
