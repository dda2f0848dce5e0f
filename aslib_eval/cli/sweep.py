"""``aslib-eval sweep``: how far a ranking depends on its definition."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from aslib_eval.cli.options import (
    COUNT,
    FINITE,
    LAKE,
    MEASURE,
    PENALTY,
    SCENARIOS,
    SEED,
    SQL_DIRS,
    Words,
    choice,
    combine,
    frame_command,
    lake_options,
    note,
)
from aslib_eval.words import (
    Change,
    DefinitionShow,
    ScaledEnd,
    SetShow,
    SweepShow,
    SweptKind,
)

if TYPE_CHECKING:
    import polars as pl


_KIND = click.option(
    "--kind",
    type=Words(SweptKind),
    show_default="selector where there are any",
    help="Which solvers to compare.",
)


@click.group()
def sweep() -> None:
    """What a ranking depends on: delta, penalty, cutoff, definitions, solvers, …."""


# Options of the sweeps over one parameter.
_shown = combine(
    click.option(
        "--show",
        type=Words(SweepShow),
        show_default="pairs; values with --at",
        help="Pairs that change places, each exchange, who leads where, the ranking on "
        "every interval, or the scores at every breakpoint.",
    ),
    click.option(
        "--at", multiple=True, type=FINITE, help="Scores at this value; repeatable."
    ),
)
_exact = combine(
    lake_options,
    MEASURE,
    _KIND,
    click.option("--pooled", is_flag=True, help="All scenarios' instances as one."),
    _shown,
)


@sweep.command("delta", epilog="Example: aslib-eval sweep delta --pooled")
@_exact
@click.option("--modified", is_flag=True, help="Modified Borda scores.")
@frame_command
def delta(**options: Any) -> pl.DataFrame:
    """Borda scores for every delta from 0 on: times closer than that are equal."""
    from aslib_eval.commands.sensitivity import sweep_delta

    return sweep_delta(**options, note=note)


@sweep.command("penalty", epilog="Example: aslib-eval sweep penalty --at 2 --at 10")
@_exact
@frame_command
def penalty(**options: Any) -> pl.DataFrame:
    """PARk and the closed gap for every k from 1 on."""
    from aslib_eval.commands.sensitivity import sweep_penalty

    return sweep_penalty(**options, note=note)


@sweep.command("cutoff", epilog="Example: aslib-eval sweep cutoff --scenario 'SAT*'")
@_exact
@PENALTY
@frame_command
def cutoff(**options: Any) -> pl.DataFrame:
    """PARk and the closed gap for every cutoff below the present one."""
    from aslib_eval.commands.sensitivity import sweep_cutoff

    return sweep_cutoff(**options, note=note)


@sweep.command("tolerance", epilog="Example: aslib-eval sweep tolerance --at 1 --at 10")
@_exact
@PENALTY
@frame_command
def tolerance(**options: Any) -> pl.DataFrame:
    """PARk and the closed gap if that much overhead over VBS counts as nothing."""
    from aslib_eval.commands.sensitivity import sweep_tolerance

    return sweep_tolerance(**options, note=note)


@sweep.command("scaled", epilog="Example: aslib-eval sweep scaled --of alpha")
@lake_options
@_KIND
@choice("--of", ScaledEnd, about="The end that moves; the other is the protocol's.")
@_shown
@frame_command
def scaled(**options: Any) -> pl.DataFrame:
    """Scaled scores of objectives for every alpha (the worst) or beta (the best)."""
    from aslib_eval.commands.sensitivity import sweep_scaled

    return sweep_scaled(**options, note=note)


@sweep.command(
    "definitions", epilog="Example: aslib-eval sweep definitions --scenario 'TOY*'"
)
@LAKE
@SCENARIOS
@click.option(
    "--protocol",
    "protocols",
    multiple=True,
    metavar="NAME|FILE",
    show_default="all presets",
    help="Preset or .toml file; repeatable.",
)
@MEASURE
@_KIND
@SQL_DIRS
@choice(
    "--show",
    DefinitionShow,
    about="Spread over the definitions, every score and rank, Kendall's tau, or ranks "
    "over all scenarios by every way to aggregate.",
)
@frame_command
def definitions(**options: Any) -> pl.DataFrame:
    """The same selections under all protocols and metrics."""
    from aslib_eval.commands.sensitivity import definitions as run

    return run(**options, note=note)


@sweep.command(
    "choices", epilog="Example: aslib-eval sweep choices asf llama --scenario 'TOY*'"
)
@click.argument("first", metavar="NAME|FILE")
@click.argument("second", metavar="NAME|FILE")
@LAKE
@SCENARIOS
@MEASURE
@click.option("--metric", default="closed_gap", show_default=True, help="Which score.")
@_KIND
@SQL_DIRS
@frame_command
def choices(first: str, second: str, **options: Any) -> pl.DataFrame:
    """Why two protocols disagree: what each choice does alone."""
    from aslib_eval.commands.sensitivity import sweep_choices

    return sweep_choices(first, second, **options)


@sweep.command(
    "solvers", epilog="Example: aslib-eval sweep solvers --scenario 'SAT*' --show turns"
)
@lake_options
@MEASURE
@PENALTY
@choice(
    "--change",
    Change,
    about="Leave each solver out, add a copy of each, or take all subsets.",
)
@choice("--kind", SweptKind, about="Whose set changes.")
@click.option(
    "--most",
    type=COUNT,
    default=1000,
    show_default=True,
    help="Of more subsets than this, so many are drawn.",
)
@click.option(
    "--seed", type=SEED, default=1, show_default=True, help="Of the subsets drawn."
)
@choice(
    "--show",
    SetShow,
    about="How far each score moves, the sets that rank otherwise, how far means over "
    "the scenarios move, or every score.",
)
@frame_command
def solvers(**options: Any) -> pl.DataFrame:
    """Gap, Borda, RMC and Shapley value when solvers are left out or cloned."""
    from aslib_eval.commands.sensitivity import sweep_solvers

    return sweep_solvers(**options, note=note)


@sweep.command("portfolio", epilog="Example: aslib-eval sweep portfolio --most 5")
@lake_options
@MEASURE
@PENALTY
@click.option("--most", type=COUNT, show_default="all", help="Largest size.")
@frame_command
def portfolio(**options: Any) -> pl.DataFrame:
    """The best k algorithms for every k, exactly, and greedy choice beside them."""
    from aslib_eval.commands.sensitivity import sweep_portfolio

    return sweep_portfolio(**options, note=note)
