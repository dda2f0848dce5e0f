"""How firm the places of a ranking are: ``certify``."""

from __future__ import annotations

from typing import Literal

# What ranks: mean cost, instances solved, or Borda points of pairs.
RankedBy = Literal["cost", "solved", "points"]
CertifyShow = Literal["neighbours", "first", "places"]
Drawn = Literal["instance", "family"]

# What is averaged over scenarios.
SuiteOf = Literal["gap", "solved", "cost"]
SuiteShow = Literal["solvers", "scenarios"]
