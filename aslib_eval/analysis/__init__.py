"""Analyses that read views into arrays and return frames; the relations that they add to those of SQL.

Of SQL only paper tables may read these relations.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from aslib_eval.plugins import RESERVED, Registry, a_function

if TYPE_CHECKING:
    import polars as pl

    from aslib_eval.database.open_lake import OpenLake

COLORS = 16  # of the solvers of a chart; the seventeenth has the first one again
Scored = Callable[[], "pl.DataFrame"]
Computed = Callable[..., "pl.DataFrame"]


def _qualities(lake: OpenLake) -> pl.DataFrame:
    from aslib_eval.analysis.objectives import qualities

    return qualities(lake)


RELATIONS: Registry[Computed] = Registry(
    "relations", {"quality_score": _qualities, "anytime_score": RESERVED}, a_function
)


def scored(lake: OpenLake) -> Mapping[str, Scored]:
    """Each of RELATIONS, computed when it is called."""

    def computed(name: str) -> pl.DataFrame:
        return RELATIONS[name](lake)

    return {name: partial(computed, name) for name in RELATIONS}
