"""``aslib-eval list``: the scenarios of the lake."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from aslib_eval.cli.options import frame_command, lake_options

if TYPE_CHECKING:
    import polars as pl


@click.command("list", epilog="Example: aslib-eval list --format csv")
@lake_options
@frame_command
def list_(**lake: Any) -> pl.DataFrame:
    """The scenarios of the lake: size, SBS, VBS, and what is missing."""
    from aslib_eval.commands.scoring import list_scenarios

    return list_scenarios(**lake)
