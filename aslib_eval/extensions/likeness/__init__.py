"""Which scenarios are like one another: ``like``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from aslib_eval.commands import Declared, Protocols, opened
from aslib_eval.options import Lake, Measure, Option, Scenarios, SqlDirs, public

if TYPE_CHECKING:
    import polars as pl

LIKE = Declared(
    "aslib_eval.extensions.likeness:like",
    "like SAT-PYSAT-2026",
    "For every other scenario, the command prints three distances. The distances compare statistics of "
    "the runs (profile), the ranks of the common algorithms, and the values of the common features. "
    "Without SCENARIO, the command shows the profile of every scenario.",
)


@public
def like(
    name: Annotated[
        str | None,
        Option(
            "Scenario to compare with. Without it, show the profile of every scenario.",
            flags="",
            metavar="[SCENARIO]",
        ),
    ] = None,
    lake: Lake = "lake",
    *,
    scenarios: Scenarios = (),
    protocols: Protocols = ("default",),
    sql_dirs: SqlDirs = (),
    measure: Measure = None,
) -> pl.DataFrame:
    """Find the scenarios that are most similar to a given scenario.

    >>> ae.like(lake="lake").height
    1
    """
    from aslib_eval.extensions.likeness import analysis as alike

    lake = opened(lake, scenarios, protocols, sql_dirs, measure=measure)
    return alike.profile_frame(lake) if name is None else alike.like(lake, name)
