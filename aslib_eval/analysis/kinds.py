"""Which solvers are compared with each other."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import polars as pl

Kind = Literal["algorithm", "selector"]
KINDS: tuple[Kind, ...] = ("algorithm", "selector")


def usual_kind(present: Iterable[str]) -> Kind:
    """Who is compared where nobody says: selectors if there are any, else algorithms.

    present: the kind of every solver that could be, repeated or not.
    """
    return "selector" if "selector" in present else "algorithm"


def is_usual() -> pl.Expr:
    """The same for each scenario of a frame with the columns scenario_id and kind."""
    import polars as pl

    chosen = (pl.col("kind") == "selector").any().over("scenario_id")
    return pl.col("kind") == pl.when(chosen).then(pl.lit("selector")).otherwise(
        pl.lit("algorithm")
    )
