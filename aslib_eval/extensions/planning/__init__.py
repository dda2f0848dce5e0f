"""How many instances and how many runs an experiment needs: the commands ``plan``."""

from __future__ import annotations

from typing import Literal

Test = Literal["t", "wilcoxon", "sign"]
Direction = Literal["two-sided", "one-sided"]
Target = Literal["mean", "median", "worst", "rank"]
PowerOver = Literal["d", "n", "comparisons", "profile"]
Pairs = Literal["all", "first"]
Formula = Literal["paper", "delta", "bootstrap"]
RunsDraw = Literal["errors", "runs"]
BetterBy = Literal["mean", "wins"]
SolverPlanShow = Literal["summary", "pairs", "order"]
DrawBy = Literal["plain", "family"]
PlaceBy = Literal["mean", "solved", "points"]
PlaceOrder = Literal["information", "random"]
PlaceShow = Literal["summary", "runs", "entrants"]
