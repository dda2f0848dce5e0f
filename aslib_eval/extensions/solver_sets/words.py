"""The words that options of ``sweep solvers`` take."""

from __future__ import annotations

from typing import Literal

Change = Literal["without", "clone", "subsets"]
SetShow = Literal["moves", "turns", "suite", "sets"]
