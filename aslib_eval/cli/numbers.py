"""Numbers on the command line: every one is finite, every seed one that numpy takes."""

from __future__ import annotations

import math
from typing import Any

import click


class Finite(click.types.FloatParamType):
    """A number that is neither nan nor infinite."""

    name = "number"

    def __init__(self, *, most: float = math.inf) -> None:
        """``most``: the largest size of a number, of either sign."""
        self.most = most

    def convert(
        self,
        value: Any,
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> float:
        """The number; ends in a usage error if it is none or not finite."""
        found: float = super().convert(value, param, ctx)
        if not math.isfinite(found):
            self.fail(f"{value} is not a finite number", param, ctx)
        if abs(found) > self.most:
            self.fail(f"{value} is beyond {self.most:g}", param, ctx)
        return found


FINITE = Finite()
EFFECT = Finite(most=1e6)  # standard deviations; power is 1 long before
SEED = click.IntRange(min=0, max=2**63 - 1)
COUNT = click.IntRange(max=10**9)  # what is too small, the library says
