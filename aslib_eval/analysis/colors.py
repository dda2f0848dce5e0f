"""How many colours the solvers of charts have; what draws them loads no results."""

from __future__ import annotations

COLORS = 16  # the seventeenth solver has that of the first
