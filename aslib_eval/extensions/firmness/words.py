"""The words that options of ``certify`` take, each list once."""

from __future__ import annotations

from typing import Literal

# What ranks: mean cost, instances solved, or Borda points of pairs.
RankedBy = Literal["cost", "solved", "points"]
CertifyShow = Literal["neighbours", "first", "places"]
Drawn = Literal["instance", "family"]
