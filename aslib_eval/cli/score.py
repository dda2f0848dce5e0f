"""``aslib-eval score``: what every solver costs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from aslib_eval.cli.options import frame_command, lake_options, open_lake

if TYPE_CHECKING:
    import polars as pl


@click.command(epilog="Example: aslib-eval score --scenario 'MIP*' --protocol llama")
@lake_options
@frame_command
def score(**lake: Any) -> pl.DataFrame:
    """Solved, PAR1, PAR2, PAR10, cost, SGM and Borda of every solver."""
    from aslib_eval.analysis import scores

    return scores(open_lake(**lake))
