"""``aslib-eval gap``: closed gaps of solvers, and causes of loss."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from aslib_eval.cli.options import (
    choosing_command,
    frame_command,
    lake_options,
    of_solvers,
    open_lake,
    say,
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
@solver_options
@choosing_command
@frame_command
def gap(
    *,
    why: bool,
    metrics: tuple[str, ...],
    kinds: tuple[str, ...],
    solvers: tuple[str, ...],
    **lake: Any,
) -> pl.DataFrame:
    """Closed, remaining and bounded gap, speedup and incomplete of every solver."""
    from aslib_eval.analysis.summaries import (
        failure_notes,
        gaps,
        loss_notes,
        losses,
    )

    if why and set(kinds) - {"selector"}:
        message = "--why is of selectors: it goes with no other --kind"
        raise click.UsageError(message)
    if why and metrics:
        raise click.UsageError("--why is of costs: it goes with no --metric")
    if metrics:
        return of_solvers(_by_metric(metrics, **lake), kinds, solvers)
    con = open_lake(**lake)
    before = "loss_list" if why else "gap_list"
    for note in failure_notes(con, before=before):
        say(note, err=True)
    found = of_solvers(losses(con) if why else gaps(con), kinds, solvers)
    for note in loss_notes(found) if why else ():
        say(note, err=True)
    return found


def _by_metric(metrics: tuple[str, ...], **lake: Any) -> pl.DataFrame:
    import polars as pl

    from aslib_eval.analysis.objectives import POINTS, quality_gaps
    from aslib_eval.analysis.summaries import metric_gaps, metrics_with_gap

    con = open_lake(**lake)
    known = metrics_with_gap(con)
    of_objectives = [name for name in metrics if name in POINTS and name not in known]
    others = [name for name in metrics if name not in of_objectives]
    frames = [metric_gaps(con, others)] if others else []
    if of_objectives:
        options = {name: lake[name] for name in ("protocols", "scenarios")}
        frames.append(quality_gaps(lake["lake"], of_objectives, **options))
    return pl.concat(frames, how="vertical_relaxed")
