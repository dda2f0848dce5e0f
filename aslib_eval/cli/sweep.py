"""``aslib-eval sweep``: how far a ranking depends on its definition."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from aslib_eval.cli.options import (
    LAKE,
    SCENARIOS,
    frame_command,
    lake_options,
    open_lake,
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
    """Every value of delta, the penalty or the cutoff at which a ranking changes."""


def _exact(parameter: str, about: str, example: str) -> click.Command:
    """The command that sweeps one parameter."""

    @lake_options
    @_KIND
    @click.option("--pooled", is_flag=True, help="All scenarios' instances as one.")
    @click.option(
        "--modified", is_flag=True, help="Modified Borda scores; only for delta."
    )
    @click.option(
        "--show",
        type=click.Choice(("pairs", "reversals", "intervals", "values")),
        show_default="pairs; values with --at",
        help="Pairs that change places, each exchange, the ranking on every interval, "
        "or the scores at every breakpoint.",
    )
    @click.option(
        "--at", multiple=True, type=float, help="Scores at this value only; repeatable."
    )
    @frame_command
    def command(
        *,
        kind: Any,
        pooled: bool,
        show: str | None,
        at: tuple[float, ...],
        modified: bool,
        **lake: Any,
    ) -> pl.DataFrame:
        from aslib_eval import sensitivity

        if modified and parameter != "delta":
            message = "--modified goes with sweep delta"
            raise click.UsageError(message)
        show = show or ("values" if at else "pairs")
        if at and show != "values":
            message = "--at gives scores: it goes with --show values"
            raise click.UsageError(message)
        found = sensitivity.sensitivities(
            open_lake(**lake),
            parameter=parameter,
            kind=kind,
            pooled=pooled,
            modified=modified,
            left_out=lambda what: click.echo(f"left out: {what}", err=True),
        )
        if at:
            return sensitivity.values(found, at=at)
        shown = getattr(sensitivity, show)
        frame: pl.DataFrame = shown(found)
        return frame

    return click.command(parameter, help=about, epilog=example)(command)


sweep.add_command(
    _exact(
        "delta",
        "Borda scores for every delta from 0 on: times closer than that are equal.",
        "Example: aslib-eval sweep delta --pooled --show intervals",
    )
)
sweep.add_command(
    _exact(
        "penalty",
        "PARk and the closed gap for every k from 1 on.",
        "Example: aslib-eval sweep penalty --scenario 'MIP*' --at 2 --at 10",
    )
)
sweep.add_command(
    _exact(
        "cutoff",
        "PARk and the closed gap for every cutoff below the present one.",
        "Example: aslib-eval sweep cutoff --scenario 'MIP*'",
    )
)


@sweep.command(
    "definitions", epilog="Example: aslib-eval sweep definitions --show spread"
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
@_KIND
@click.option(
    "--show",
    type=click.Choice(("scores", "spread", "agreement")),
    default="scores",
    show_default=True,
    help="Every score and rank, their spread over definitions, or Kendall's tau.",
)
@frame_command
def definitions(
    *,
    lake: Path,
    scenarios: tuple[str, ...],
    protocols: tuple[str, ...],
    kind: str | None,
    show: str,
) -> pl.DataFrame:
    """The same selections under all protocols and metrics."""
    from aslib_eval import definitions as library
    from aslib_eval.protocol import PRESETS

    found = library.definitions(
        lake, protocols=protocols or tuple(PRESETS), scenarios=scenarios, kind=kind
    )
    if show == "scores":
        return found
    return library.spread(found) if show == "spread" else library.agreement(found)


@sweep.command("choices", epilog="Example: aslib-eval sweep choices amadini2023 asf")
@click.argument("first", metavar="NAME|FILE")
@click.argument("second", metavar="NAME|FILE")
@LAKE
@SCENARIOS
@click.option("--metric", default="closed_gap", show_default=True, help="Which score.")
@_KIND
@frame_command
def choices(
    first: str,
    second: str,
    *,
    lake: Path,
    scenarios: tuple[str, ...],
    metric: str,
    kind: str | None,
) -> pl.DataFrame:
    """Why two protocols disagree: what each choice does alone."""
    from aslib_eval.definitions import choices as run

    return run(lake, first, second, metric=metric, scenarios=scenarios, kind=kind)
