"""Which solvers are compared with each other."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

Kind = Literal["algorithm", "selector"]
KINDS: tuple[Kind, ...] = ("algorithm", "selector")


def usual_kind(present: Iterable[str]) -> Kind:
    """Who is compared where nobody says: selectors if there are any, else algorithms.

    present: the kind of every solver that could be, repeated or not.
    """
    return "selector" if "selector" in present else "algorithm"
