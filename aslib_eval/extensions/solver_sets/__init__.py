"""Other sets of solvers, and the best portfolios: ``sweep solvers``, ``portfolio``."""

from __future__ import annotations

from typing import Literal

Change = Literal["without", "clone", "subsets"]
SetShow = Literal["moves", "turns", "suite", "sets"]
