"""``aslib-eval score``: what every solver costs, and what it adds to its portfolio."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from aslib_eval.cli.options import frame_command, lake_options, open_lake

if TYPE_CHECKING:
    import polars as pl


@click.command(epilog="Example: aslib-eval score --scenario 'MIP*' --protocol llama")
@lake_options
@click.option(
    "--contribution",
    is_flag=True,
    help="What each solver adds to its portfolio: AMC, RMC and Shapley value.",
)
@frame_command
def score(*, contribution: bool, **lake: Any) -> pl.DataFrame:
    """Solved, PAR1, PAR2, PAR10, cost, SGM and Borda of every solver."""
    from aslib_eval.analysis import contributions, scores

    con = open_lake(**lake)
    return contributions(con) if contribution else scores(con)
