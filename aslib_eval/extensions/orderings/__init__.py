"""Other ways to rank solvers, and how far they agree: ``orders``."""

from __future__ import annotations

from typing import Literal, get_args

# What ranks; the first is the order by mean cost, which the others stand beside.
Way = Literal["cost", "utility", "careful", "kemeny", "bradley-terry", "plackett-luce", "skillings-mack"]
WAYS: tuple[Way, ...] = get_args(Way)
OrdersShow = Literal["places", "agreement", "laws", "horizons", "details"]
# What is taken as drawn at random: each instance for itself, or families as wholes.
Drawn = Literal["instance", "family"]
