"""``aslib-eval board``: a contest of inference solvers by task and limit."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from aslib_eval.cli.options import LAKE, SCENARIOS, SQL_DIRS, frame_command, note

if TYPE_CHECKING:
    import polars as pl


@click.command(epilog="Example: aslib-eval board --scenario 'INFERENCE*'")
@LAKE
@SCENARIOS
@SQL_DIRS
@click.option(
    "--best",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Whose scores change if these are the best known answers: a CSV file of "
    "instance and log10_best.",
)
@click.option("--instances", is_flag=True, help="Of --best: every score that changes.")
@click.option(
    "--weights",
    metavar="W,W",
    help="Of --best: weights of the limits, for the final order.",
)
@click.option(
    "--variables",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Instead: errors of marginals, variable by variable, of a contest's folder.",
)
@frame_command
def board(**options: Any) -> pl.DataFrame:
    """The board of each task of a contest of inference solvers, for each limit.

    The limit ``final`` is over all limits, with the contest's weights: the final order.
    """
    from aslib_eval.commands.comparing import board as run

    return run(**options, note=note)
