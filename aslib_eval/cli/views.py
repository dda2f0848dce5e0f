"""``aslib-eval views``: the relations and their columns."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from aslib_eval.cli.options import SQL_DIRS, frame_command

if TYPE_CHECKING:
    import polars as pl


@click.command(epilog="Example: aslib-eval views solver_gap")
@click.argument("name", required=False)
@SQL_DIRS
@frame_command
def views(name: str | None, sql_dirs: tuple[Path, ...]) -> pl.DataFrame:
    """The relations to query, or the columns of one with their meaning."""
    from aslib_eval.commands.products import views as run

    return run(name, sql_dirs=sql_dirs)
