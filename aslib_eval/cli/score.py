"""``aslib-eval score``: costs of solvers and contributions to their portfolio."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from aslib_eval.cli.options import (
    BASELINE,
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
    metavar="[summary|steps|problems]",
    type=click.Choice(("summary", "steps", "problems")),
    help="Trajectories against random search or SBS, on the way to the optimum.",
)
@BASELINE
@solver_options
@choosing_command
@frame_command
def score(
    *, kinds: tuple[str, ...], solvers: tuple[str, ...], **options: Any
) -> pl.DataFrame:
    """Solved, PAR1, PAR2, PAR10, cost, SGM and Borda of every solver."""
    return of_solvers(_scores(**options), kinds, solvers)


def _scores(
    *,
    contribution: bool,
    quality: bool,
    anytime: str | None,
    optimiser: str | None,
    baseline: str | None,
    **lake: Any,
) -> pl.DataFrame:
    from aslib_eval.analysis.summaries import contributions, failure_notes, scores

    options = {name: lake[name] for name in ("protocols", "scenarios")}
    if optimiser:
        from aslib_eval.analysis.optimisers import optimiser_scores

        found = optimiser_scores(
            lake["lake"], **options, baseline=baseline, show=optimiser
        )
        say("score: higher is better; all else are losses", err=True)
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
