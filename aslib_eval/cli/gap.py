"""``aslib-eval gap``: closed gaps of solvers, and causes of loss."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from aslib_eval.cli.options import (
    BY,
    choice_options,
    frame_command,
    lake_options,
    note,
    solver_options,
)

if TYPE_CHECKING:
    import polars as pl


@click.command(epilog="Example: aslib-eval gap --scenario 'MIP*' --format md")
@lake_options
@click.option(
    "--why",
    is_flag=True,
    help="The way from VBS down to every selector: what each cause costs after those "
    "before it (loss), over all orders (shapley), and if mended alone (alone).",
)
@click.option(
    "--metric",
    "metrics",
    multiple=True,
    metavar="NAME",
    help="Gaps with respect to this metric instead of the cost, or to mznc, scaled or "
    "satisficing of objectives; repeatable.",
)
@BY
@click.option(
    "--interval",
    is_flag=True,
    help="95 % interval of the closed gap: instances are drawn anew, with SBS and VBS "
    "chosen in each draw.",
)
@solver_options
@choice_options
@frame_command
def gap(**options: Any) -> pl.DataFrame:
    """Closed, remaining and bounded gap, speedup and incomplete of every solver."""
    from aslib_eval.commands.scoring import gap as run

    return run(**options, note=note)
