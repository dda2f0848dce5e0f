"""``aslib-eval like``: which scenarios are like one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from aslib_eval.cli.options import (
    MEASURE,
    changed_protocols,
    frame_command,
    lake_options,
)

if TYPE_CHECKING:
    import polars as pl


@click.command(epilog="Example: aslib-eval like SAT-PYSAT-2026")
@click.argument("name", required=False, metavar="[SCENARIO]")
@lake_options
@MEASURE
@frame_command
def like(
    name: str | None,
    *,
    lake: Path,
    scenarios: tuple[str, ...],
    protocols: tuple[str, ...],
    sql_dirs: tuple[Path, ...],
    measure: str | None,
) -> pl.DataFrame:
    """Which scenarios are like one: by profile, by ranks and by features.

    Distances: of what algorithms do (profile), of the order of the common algorithms
    (rank), of the distributions of the common features. Without a SCENARIO: the profile
    of each.
    """
    from aslib_eval.analysis import alike

    asked = changed_protocols(protocols, measures=measure)
    if name is None:
        return alike.profile_frame(
            lake, protocols=asked, scenarios=scenarios, sql_dirs=sql_dirs
        )
    return alike.like(
        lake, name, protocols=asked, scenarios=scenarios, sql_dirs=sql_dirs
    )
