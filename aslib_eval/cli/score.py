"""``aslib-eval score``: costs of solvers and contributions to their portfolio."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from aslib_eval.cli.options import (
    BASELINE,
    choice,
    choosing_command,
    file_option,
    frame_command,
    lake_options,
    of_solvers,
    open_lake,
    say,
    solver_options,
)

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
    type=click.Choice(("summary", "moments", "instances")),
    help="What algorithms and schedules have found over time: gap and area.",
)
@click.option(
    "--optimiser",
    is_flag=False,
    flag_value="summary",
    metavar="[summary|steps|problems|curves|objectives]",
    type=click.Choice(("summary", "steps", "problems", "curves", "objectives")),
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
    ("mean", "mean-here", "median", "quartiles"),
    about="Of --chart: which loss; mean-here with bars for exactly these problems, "
    "quartiles (of curves) with the middle half of the trials.",
)
@click.option(
    "--objective",
    type=click.Choice(("value", "visible")),
    help="Of --optimiser: only what methods are charged, or only what they saw.",
)
@solver_options
@choosing_command
@frame_command
def score(
    *, kinds: tuple[str, ...], solvers: tuple[str, ...], **options: Any
) -> pl.DataFrame:
    """Solved, PAR1, PAR2, PAR10, cost, SGM and Borda of every solver."""
    return of_solvers(_scores(**options), kinds, solvers)


def _scores(  # noqa: PLR0913
    *,
    contribution: bool,
    quality: bool,
    anytime: str | None,
    optimiser: str | None,
    baseline: str | None,
    freeze: Path | None,
    problem: str | None,
    chart: Path | None,
    draw: str,
    objective: str | None,
    **lake: Any,
) -> pl.DataFrame:
    from aslib_eval.analysis.summaries import contributions, failure_notes, scores

    options = {name: lake[name] for name in ("protocols", "scenarios")}
    if optimiser:
        from aslib_eval.analysis.optimisers import chosen_rows, optimiser_scores

        options |= {"baseline": baseline, "show": optimiser, "freeze": freeze}
        found = optimiser_scores(lake["lake"], **options)
        found = chosen_rows(found, problem=problem, objective=objective)
        say("score: higher is better; all else are losses", err=True)
        if chart is not None:
            from aslib_eval.figures.optimisers import score_curves

            score_curves(found, draw=draw).save(chart)
        return found
    if anytime:
        from aslib_eval.analysis.anytime import anytime_scores

        found = anytime_scores(lake["lake"], **options, show=anytime)
        say("gap: lower is better; area, closed_gap: higher is better", err=True)
        return found
    if quality:
        from aslib_eval.analysis.objectives import qualities

        found = qualities(lake["lake"], **options)
        say("higher is better, but for minizinc_area: lower is better", err=True)
        return found
    con = open_lake(**lake)
    for note in failure_notes(con, before="" if contribution else "score_list"):
        say(note, err=True)
    return contributions(con) if contribution else scores(con)
