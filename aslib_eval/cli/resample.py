"""``aslib-eval resample``: random splits and bootstrap draws."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from aslib_eval.cli.options import (
    CLUSTER,
    COUNT,
    FINITE,
    SEED,
    choice,
    frame_command,
    lake_options,
    note,
)
from aslib_eval.words import SplitBy, SplitShow

if TYPE_CHECKING:
    import polars as pl

_EXAMPLE = "Example: aslib-eval resample --scenario 'MIP*' --by hardness --show sbs"


@click.command(epilog=_EXAMPLE)
@lake_options
@click.option(
    "--repeats", type=COUNT, default=10, show_default=True, help="Random splits."
)
@click.option(
    "--folds", type=COUNT, default=10, show_default=True, help="Folds of each."
)
@click.option(
    "--seed", type=SEED, default=1, show_default=True, help="Same seed, same numbers."
)
@choice(
    "--by",
    SplitBy,
    about="Spread families or levels of hardness evenly, or keep instances of "
    "identical features together.",
)
@click.option(
    "--groups",
    type=click.Path(path_type=Path),
    metavar="CSV",
    help="Columns instance_id and family, for --by family; else the attribute family, "
    "else the names tell.",
)
@click.option(
    "--attribute",
    metavar="NAME",
    help="Attribute that says the families of --by family.  [default: family]",
)
@click.option("--name", help="Name of the scheme; else such as random-10x10-s1.")
@click.option("--scheme", help="Look at this stored scheme; make none.")
@click.option(
    "--bootstrap",
    "draws",
    type=click.IntRange(min=1, max=10**7),
    metavar="DRAWS",
    help="Draw instances with replacement instead, SBS and VBS anew each time.",
)
@click.option(
    "--level", type=FINITE, default=0.95, show_default=True, help="Of the intervals."
)
@choice(
    "--show",
    SplitShow,
    about="Spread of the gaps, identity of SBS, who beats whom, changes of winner.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1, 1024),
    metavar="N",
    default=1,
    show_default=True,
    help="Scenarios that the bootstrap draws from at the same time.",
)
@CLUSTER
@frame_command
def resample(**options: Any) -> pl.DataFrame:
    """Make a random cross-validation and show what it changes, or bootstrap.

    The splits are stored in the lake as a cv_scheme, to be scored, queried and
    trained on (aslib-eval train --scheme). Every solver is the same in all splits,
    unless it was trained on them.
    """
    from aslib_eval.commands.comparing import resample as run

    return run(**options, note=note)
