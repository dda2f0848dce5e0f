"""``aslib-eval board``: a contest of inference solvers by task and limit."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from aslib_eval.cli.options import LAKE, SCENARIOS, SQL_DIRS, frame_command, say

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
    "--variables",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Instead: errors of marginals, variable by variable, of a contest's folder.",
)
@frame_command
def board(
    *,
    best: Path | None,
    instances: bool,
    variables: Path | None,
    lake: Path,
    scenarios: tuple[str, ...],
    sql_dirs: tuple[Path, ...],
) -> pl.DataFrame:
    """The board of each task of a contest of inference solvers, for each limit.

    The limit ``final`` is over all limits, with the contest's weights: the final order.
    """
    from aslib_eval.analysis import contests

    if (best is not None and variables is not None) or (instances and best is None):
        message = "--instances is of --best, and --variables stands alone"
        raise click.UsageError(message)
    if variables is not None:
        return contests.marginal_errors(variables)
    if best is None:
        return contests.board(lake, scenarios=scenarios, sql_dirs=sql_dirs)
    found, remarks = contests.best_changes(
        lake,
        contests.read_best(best),
        scenarios=scenarios,
        sql_dirs=sql_dirs,
        show="instances" if instances else "solvers",
    )
    for remark in remarks:
        say(remark, err=True)
    return found
