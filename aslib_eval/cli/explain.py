"""``aslib-eval explain``: which choices give a printed number, which runs give ours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from aslib_eval.cli.options import LAKE, SQL_DIRS, Words, frame_command, note
from aslib_eval.words import SolverKind

if TYPE_CHECKING:
    import polars as pl


@click.command(
    epilog="Example: aslib-eval explain closed_gap=0.184 --scenario TOY-2026 "
    "--solver careful"
)
@click.argument("number", metavar="METRIC[=VALUE]")
@LAKE
@click.option("--scenario", required=True, metavar="NAME", help="Of which scenario.")
@click.option("--solver", required=True, metavar="NAME", help="Of which solver.")
@click.option(
    "--kind",
    type=Words(SolverKind),
    show_default="the first that has the name",
    help="What the solver is.",
)
@click.option(
    "--protocol",
    default="default",
    show_default=True,
    metavar="NAME|FILE",
    help="Preset or .toml file whose number it is, or whose choices are changed.",
)
@click.option(
    "--tries",
    type=click.IntRange(1, 100_000),
    metavar="N",
    show_default="500",
    help="Combinations of choices to compute at most, those of few changes first.",
)
@SQL_DIRS
@frame_command
def explain(number: str, **options: Any) -> pl.DataFrame:
    """Where a number comes from.

    METRIC=VALUE is a printed number, such as closed_gap=0.417: the combinations of
    choices that give it, the fewest changes first, or the nearest if none does. METRIC
    alone is the number of this lake: its definition, and the instances that weigh most
    in it, with their runs.
    """
    from aslib_eval.commands.scoring import explain as run

    return run(number, **options, note=note)
