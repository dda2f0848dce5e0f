"""``aslib-eval query``: SQL on the lake."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from aslib_eval.cli.options import FINITE, lake_options, say, verbatim_command

if TYPE_CHECKING:
    import polars as pl


@click.command(
    epilog="Example: aslib-eval query 'select solver, par10 from solver_score'"
)
@click.argument("sql", metavar="SQL|-")
@lake_options
@click.option(
    "--timeout",
    type=FINITE,
    default=60.0,
    show_default=True,
    metavar="SECONDS",
    help="End it after so long.",
)
@click.option(
    "--memory",
    metavar="SIZE",
    show_default="half of the machine's",
    help="What it may take, such as 4GB or 25%.",
)
@verbatim_command
def query(sql: str, lake: Path, **options: Any) -> pl.DataFrame:
    """Run one SELECT on the lake; - reads it from standard input.

    It can neither write nor read anything outside the lake.
    """
    from aslib_eval.database.limits import RunawayError
    from aslib_eval.database.query import query as run

    text = sys.stdin.read() if sql == "-" else sql
    try:
        return run(text, lake=lake, **options)
    except RunawayError as error:  # which only the end of the process stops
        say(error.__cause__, err=True)
        sys.stderr.flush()
        os._exit(1)
