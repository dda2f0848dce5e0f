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
def board(
    *,
    best: Path | None,
    instances: bool,
    weights: str | None,
    variables: Path | None,
    lake: Path,
    scenarios: tuple[str, ...],
    sql_dirs: tuple[Path, ...],
) -> pl.DataFrame:
    """The board of each task of a contest of inference solvers, for each limit.

    The limit ``final`` is over all limits, with the contest's weights: the final order.
    """
    from aslib_eval.analysis import contests

    if (best is not None and variables is not None) or (
        best is None and (instances or weights)
    ):
        message = "--instances and --weights are of --best; --variables stands alone"
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
        weights=_weights(weights),
    )
    for remark in remarks:
        say(remark, err=True)
    return found


def _weights(text: str | None) -> tuple[float, ...]:
    try:
        return tuple(float(word) for word in (text or "").split(",") if word)
    except ValueError:
        message = f"{text!r} is no list of numbers for --weights"
        raise click.UsageError(message) from None
