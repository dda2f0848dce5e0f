"""``aslib-eval explain``: which choices give a printed number, which runs give ours."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from aslib_eval.cli.options import LAKE, SQL_DIRS, frame_command, say

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
    type=click.Choice(("selector", "algorithm", "baseline")),
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
def explain(
    *,
    number: str,
    lake: Path,
    scenario: str,
    solver: str,
    kind: str | None,
    protocol: str,
    tries: int | None,
    sql_dirs: tuple[Path, ...],
) -> pl.DataFrame:
    """Where a number comes from.

    METRIC=VALUE is a printed number, such as closed_gap=0.417: the combinations of
    choices that give it, the fewest changes first, or the nearest if none does. METRIC
    alone is the number of this lake: its definition, and the instances that weigh most
    in it, with their runs.
    """
    from aslib_eval.analysis.explanations import TRIES, derive
    from aslib_eval.analysis.explanations import explain as find

    metric, equals, value = number.partition("=")
    if equals:
        found = find(
            lake, scenario, solver, metric=metric.strip(), value=value,
            protocol=protocol, kind=kind, tries=tries or TRIES, sql_dirs=sql_dirs,
        )  # fmt: skip
        for note in found.notes:
            say(note, err=True)
        return found.frame
    if tries is not None:
        message = "--tries is of a printed number: write METRIC=VALUE"
        raise click.UsageError(message)
    way = derive(
        lake, scenario, solver, metric=metric.strip(), protocol=protocol, kind=kind,
        sql_dirs=sql_dirs,
    )  # fmt: skip
    for note in way.notes:
        say(note, err=True)
    return way.frame
