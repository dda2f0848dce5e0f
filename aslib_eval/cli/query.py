"""``aslib-eval query``: SQL on the lake."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from aslib_eval.cli.options import frame_command, lake_options

if TYPE_CHECKING:
    import polars as pl


@click.command(
    epilog="Example: aslib-eval query 'select solver, par10 from solver_score'"
)
@click.argument("sql", metavar="SQL|-")
@lake_options
@frame_command
def query(sql: str, lake: Path, **options: Any) -> pl.DataFrame:
    """Run one SELECT on the lake; - reads it from standard input.

    It can neither write nor read anything outside the lake.
    """
    from aslib_eval.sandbox import query as run

    text = sys.stdin.read() if sql == "-" else sql
    return run(text, lake=lake, **options)
