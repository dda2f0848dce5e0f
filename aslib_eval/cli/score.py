"""``aslib-eval score``: costs of solvers and contributions to their portfolio."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from aslib_eval.cli.options import (
    BASELINE,
    BY,
    Words,
    choice,
    choice_options,
    file_option,
    frame_command,
    lake_options,
    note,
    solver_options,
)
from aslib_eval.words import AnytimeShow, Charged, LossDraw, OptimiserShow

if TYPE_CHECKING:
    import polars as pl


@click.command(epilog="Example: aslib-eval score --scenario 'MIP*' --protocol llama")
@lake_options
@click.option(
    "--contribution",
    is_flag=True,
    help="What each solver adds to its portfolio: AMC, RMC and Shapley value.",
)
@click.option(
    "--quality",
    is_flag=True,
    help="Optimisation: MiniZinc, MaxSAT, IPC and area scores of the objectives.",
)
@click.option(
    "--anytime",
    is_flag=False,
    flag_value="summary",
    metavar="[summary|moments|instances]",
    type=Words(AnytimeShow),
    help="What algorithms and schedules have found over time: gap and area.",
)
@click.option(
    "--optimiser",
    is_flag=False,
    flag_value="summary",
    metavar="[summary|steps|problems|curves|objectives]",
    type=Words(OptimiserShow),
    help="Trajectories against random search or SBS, on the way to the optimum.",
)
@BASELINE
@file_option("--freeze", about="Write the baseline of --optimiser to a .json file.")
@click.option(
    "--problem",
    metavar="GLOB",
    help="Of --optimiser problems and curves: only these problems.",
)
@file_option(
    "--chart", about="Also draw --optimiser steps or curves: .svg, .png or .html."
)
@choice(
    "--draw",
    LossDraw,
    about="Of --chart: which loss; mean-here with bars for exactly these problems, "
    "quartiles (of curves) with the middle half of the trials.",
)
@click.option(
    "--objective",
    type=Words(Charged),
    help="Of --optimiser: only what methods are charged, or only what they saw.",
)
@BY
@solver_options
@choice_options
@frame_command
def score(**options: Any) -> pl.DataFrame:
    """Solved, PAR1, PAR2, PAR10, cost, SGM and Borda of every solver."""
    from aslib_eval.commands.scoring import score as run

    return run(**options, note=note)
