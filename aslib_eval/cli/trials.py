"""``aslib-eval trials``: systems over the repeated runs of each task."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from aslib_eval.cli.options import (
    ALPHA,
    CORRECTION,
    FINITE,
    MEASURE,
    PENALTY,
    choice,
    file_option,
    frame_command,
    lake_options,
    note,
)
from aslib_eval.words import TrialShow

if TYPE_CHECKING:
    import polars as pl


@click.command(epilog="Example: aslib-eval trials --scenario 'OPT*' --versus TPE")
@lake_options
@choice(
    "--show",
    TrialShow,
    about="Mean and mark of each system; every pair; wins over tasks; how often each "
    "has each rank; expected running time to a target.",
)
@click.option("--versus", metavar="NAME", help="Hold all others against this one.")
@ALPHA
@CORRECTION
@click.option(
    "--gaps",
    metavar="G,G",
    help="Of targets: shares of the way to the best known value that are left.  "
    "[default: 0.1,0.01,0.001]",
)
@click.option("--target", type=FINITE, help="Of targets: one value instead.")
@click.option("--task", metavar="GLOB", help="Only tasks whose name matches.")
@file_option("--chart", about="Also draw ranks: .svg, .png or .html.")
@MEASURE
@PENALTY
@frame_command
def trials(**options: Any) -> pl.DataFrame:
    """Compare systems over the repeated runs of each task, with a test for each.

    Runs of two systems are independent samples: Wilcoxon's rank sum, A12, and groups of
    Scott and Knott. Tasks are counted, never pooled.
    """
    from aslib_eval.commands.comparing import trials as run

    return run(**options, note=note)
