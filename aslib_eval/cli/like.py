"""``aslib-eval like``: which scenarios are like one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from aslib_eval.cli.options import (
    MEASURE,
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
def like(name: str | None, **options: Any) -> pl.DataFrame:
    """Which scenarios are like one: by profile, by ranks and by features.

    Distances: of what algorithms do (profile), of the order of the common algorithms
    (rank), of the distributions of the common features. Without a SCENARIO: the profile
    of each.
    """
    from aslib_eval.commands.scoring import like as run

    return run(name, **options)
