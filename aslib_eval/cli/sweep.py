"""``aslib-eval sweep``: how far a ranking depends on its definition."""

from __future__ import annotations

from pathlib import Path
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
    changed_protocols,
    choice,
    combine,
    frame_command,
    lake_options,
    open_lake,
    say,
    taken_lake,
)

if TYPE_CHECKING:
    import polars as pl


_KIND = click.option(
    "--kind",
    type=click.Choice(("algorithm", "selector")),
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
        type=click.Choice(("pairs", "reversals", "leaders", "intervals", "values")),
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


def _swept(
    parameter: str,
    *,
    kind: Any,
    show: str | None,
    at: tuple[float, ...],
    measure: str | None,
    pooled: bool = False,
    modified: bool = False,
    penalty: float | None = None,
    **lake: Any,
) -> pl.DataFrame:
    from aslib_eval.analysis import sweeps

    show = show or ("values" if at else "pairs")
    if at and show != "values":
        message = "--at gives scores: it goes with --show values"
        raise click.UsageError(message)
    asked = changed_protocols(lake.pop("protocols"), measures=measure, penalty=penalty)
    found = sweeps.sensitivities(
        open_lake(protocols=asked, **lake),
        parameter=parameter,
        kind=kind,
        pooled=pooled,
        modified=modified,
        left_out=lambda what: say(f"left out: {what}", err=True),
    )
    if show == "values":
        return sweeps.values(found, at=at or None)
    for note in sweeps.leader_notes(found):
        say(note, err=True)
    frames = {
        "pairs": sweeps.pairs,
        "reversals": sweeps.reversals,
        "leaders": sweeps.leaders,
        "intervals": sweeps.intervals,
    }
    return frames[show](found)


@sweep.command("delta", epilog="Example: aslib-eval sweep delta --pooled")
@_exact
@click.option("--modified", is_flag=True, help="Modified Borda scores.")
@frame_command
def delta(**options: Any) -> pl.DataFrame:
    """Borda scores for every delta from 0 on: times closer than that are equal."""
    return _swept("delta", **options)


@sweep.command("penalty", epilog="Example: aslib-eval sweep penalty --at 2 --at 10")
@_exact
@frame_command
def penalty(**options: Any) -> pl.DataFrame:
    """PARk and the closed gap for every k from 1 on."""
    return _swept("penalty", **options)


@sweep.command("cutoff", epilog="Example: aslib-eval sweep cutoff --scenario 'SAT*'")
@_exact
@PENALTY
@frame_command
def cutoff(**options: Any) -> pl.DataFrame:
    """PARk and the closed gap for every cutoff below the present one."""
    return _swept("cutoff", **options)


@sweep.command("tolerance", epilog="Example: aslib-eval sweep tolerance --at 1 --at 10")
@_exact
@PENALTY
@frame_command
def tolerance(**options: Any) -> pl.DataFrame:
    """PARk and the closed gap if that much overhead over VBS counts as nothing."""
    return _swept("tolerance", **options)


@sweep.command("scaled", epilog="Example: aslib-eval sweep scaled --of alpha")
@lake_options
@_KIND
@choice(
    "--of", ("alpha", "beta"), about="The end that moves; the other is the protocol's."
)
@_shown
@frame_command
def scaled(of: str, **options: Any) -> pl.DataFrame:
    """Scaled scores of objectives for every alpha (the worst) or beta (the best)."""
    return _swept(of, measure="all", **options)


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
    ("spread", "scores", "agreement", "suite"),
    about="Spread over the definitions, every score and rank, Kendall's tau, or ranks "
    "over all scenarios by every way to aggregate.",
)
@frame_command
def definitions(
    *,
    lake: Path,
    scenarios: tuple[str, ...],
    protocols: tuple[str, ...],
    measure: str | None,
    kind: str | None,
    sql_dirs: tuple[Path, ...],
    show: str,
) -> pl.DataFrame:
    """The same selections under all protocols and metrics."""
    from aslib_eval.analysis import definitions as library
    from aslib_eval.database.protocol import PRESETS

    asked = changed_protocols(protocols or tuple(PRESETS), measures=measure)
    options: dict[str, Any] = {
        "protocols": asked,
        "scenarios": scenarios,
        "kind": kind,
        "sql_dirs": sql_dirs,
    }
    if show == "suite":
        over_all = library.suite_definitions(lake, **options)
        for note in library.suite_notes(over_all):
            say(note, err=True)
        return over_all
    found = library.definitions(lake, **options)
    if show == "scores":
        return found
    return library.spread(found) if show == "spread" else library.agreement(found)


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
def choices(
    first: str,
    second: str,
    *,
    lake: Path,
    scenarios: tuple[str, ...],
    measure: str | None,
    metric: str,
    kind: str | None,
    sql_dirs: tuple[Path, ...],
) -> pl.DataFrame:
    """Why two protocols disagree: what each choice does alone."""
    from aslib_eval.analysis.definitions import choices as run

    return run(
        lake,
        *changed_protocols((first, second), measures=measure),
        metric=metric,
        scenarios=scenarios,
        kind=kind,
        sql_dirs=sql_dirs,
    )


@sweep.command(
    "solvers", epilog="Example: aslib-eval sweep solvers --scenario 'SAT*' --show turns"
)
@lake_options
@MEASURE
@PENALTY
@choice(
    "--change",
    ("without", "clone", "subsets"),
    about="Leave each solver out, add a copy of each, or take all subsets.",
)
@choice("--kind", ("algorithm", "selector"), about="Whose set changes.")
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
    ("moves", "turns", "suite", "sets"),
    about="How far each score moves, the sets that rank otherwise, how far means over "
    "the scenarios move, or every score.",
)
@frame_command
def solvers(
    *,
    show: str,
    change: Any,
    kind: Any,
    protocols: tuple[str, ...],
    measure: str | None,
    penalty: float | None,
    **options: Any,
) -> pl.DataFrame:
    """Gap, Borda, RMC and Shapley value when solvers are left out or cloned."""
    from aslib_eval.analysis import solver_sets as library

    asked = changed_protocols(protocols, measures=measure, penalty=penalty)
    options["protocols"] = asked
    con = taken_lake(options)
    found = library.solver_sets(con, change=change, kind=kind, **options)
    for note in library.set_notes(found):
        say(note, err=True)
    if show == "sets":
        return found
    frames = {"moves": library.moves, "turns": library.turns}
    return (frames | {"suite": library.suite_moves})[show](found)


@sweep.command("portfolio", epilog="Example: aslib-eval sweep portfolio --most 5")
@lake_options
@MEASURE
@PENALTY
@click.option("--most", type=COUNT, show_default="all", help="Largest size.")
@frame_command
def portfolio(
    *,
    most: int | None,
    protocols: tuple[str, ...],
    measure: str | None,
    penalty: float | None,
    **options: Any,
) -> pl.DataFrame:
    """The best k algorithms for every k, exactly, and greedy choice beside them."""
    from aslib_eval.analysis.portfolios import portfolio_notes, portfolios

    asked = changed_protocols(protocols, measures=measure, penalty=penalty)
    options["protocols"] = asked
    found = portfolios(taken_lake(options), most=most)
    for note in portfolio_notes(found):
        say(note, err=True)
    return found
