"""``aslib-eval fetch``: scenarios of the public ASlib data."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from aslib_eval.cli.options import FINITE, say


@click.command(epilog="Example: aslib-eval fetch ASP-POTASSCO 'SAT18*' --to aslib")
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@click.option(
    "--to",
    type=click.Path(path_type=Path),
    default=Path("aslib"),
    show_default=True,
    help="Folder that receives one folder a scenario.",
)
@click.option(
    "--mirror",
    metavar="URL",
    help="Server of the files (default $ASLIB_MIRROR, else the public repository).",
)
@click.option("--unverified", is_flag=True, help="Also files whose hash is not known.")
@click.option(
    "--max-mib",
    type=FINITE,
    default=1024,
    show_default=True,
    help="Size that a file may have.",
)
@click.option(
    "--max-seconds",
    type=FINITE,
    default=3600,
    show_default=True,
    help="Time that all files together may take.",
)
def fetch(
    names: tuple[str, ...],
    to: Path,
    mirror: str | None,
    *,
    unverified: bool,
    max_mib: float,
    max_seconds: float,
) -> None:
    """Download scenarios of the public ASlib data; 'all' or globs are names too."""
    from aslib_eval.download import fetch as run

    folders = run(
        names,
        to=to,
        mirror=mirror,
        unverified=unverified,
        max_mib=max_mib,
        max_seconds=max_seconds,
        progress=sys.stderr.isatty(),
    )
    say("\n".join(map(str, folders)))
