"""Which scenarios are like one another: ``like``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from aslib_eval.commands import Declared, Protocols, changed_protocols, opened
from aslib_eval.options import Lake, Measure, Option, Scenarios, SqlDirs, public

if TYPE_CHECKING:
    import polars as pl

LIKE = Declared(
    "aslib_eval.extensions.likeness:like",
    "like SAT-PYSAT-2026",
    "Distances by profile (behaviour of the algorithms), by rank (order of the common algorithms) and by "
    "the distributions of common features. Without SCENARIO, show the profile of every scenario.",
)


@public
def like(
    name: Annotated[
        str | None,
        Option("Scenario to compare with; none: show the profile of each.", flags="", metavar="[SCENARIO]"),
    ] = None,
    lake: Lake = "lake",
    *,
    scenarios: Scenarios = (),
    protocols: Protocols = ("default",),
    sql_dirs: SqlDirs = (),
    measure: Measure = None,
) -> pl.DataFrame:
    """Find the scenarios most like a given one, by profile, ranks and features.

    Without a name: the profile of each.

    >>> ae.like(lake="lake").height
    1
    """
    from aslib_eval.extensions.likeness import analysis as alike

    lake = opened(lake, scenarios, changed_protocols(protocols, measure=measure), sql_dirs)
    return alike.profile_frame(lake) if name is None else alike.like(lake, name)
