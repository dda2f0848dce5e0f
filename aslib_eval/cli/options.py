"""Options and printing that the commands share."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    import duckdb
    import polars as pl

FORMATS = ("table", "csv", "json", "md", "tex", "html", "typ", "parquet")
Command = Callable[..., None]


LAKE = click.option(
    "--lake",
    type=click.Path(path_type=Path),
    default=lambda: os.environ.get("ASLIB_LAKE") or "lake",
    show_default="$ASLIB_LAKE, else ./lake",
    help="Folder of the lake.",
)
SQL_DIRS = click.option(
    "--sql",
    "sql_dirs",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="More views, in a folder laid out like sql/; repeatable.",
)
SCENARIOS = click.option(
    "--scenario",
    "scenarios",
    multiple=True,
    metavar="GLOB",
    help="Only scenarios whose id or folder matches; repeatable.",
)
_OF_A_LAKE = (
    LAKE,
    SCENARIOS,
    click.option(
        "--protocol",
        "protocols",
        multiple=True,
        default=["default"],
        metavar="NAME|FILE",
        show_default="default",
        help="Preset or .toml file; repeatable.",
    ),
    SQL_DIRS,
)


def lake_options(command: Command) -> Command:
    """The options of every command that reads a lake."""
    for option in reversed(_OF_A_LAKE):
        command = option(command)
    return command


def output_options(command: Command) -> Command:
    """The options of every command that prints a table."""
    command = click.option(
        "-o",
        "output",
        type=click.Path(path_type=Path, dir_okay=False),
        metavar="FILE",
        help="Write to a file instead of stdout.",
    )(command)
    return click.option(
        "--format",
        "format_",
        type=click.Choice(FORMATS),
        show_default="the file's suffix; table on a terminal, md in a pipe",
        help="How to print the result.",
    )(command)


def frame_command(command: Callable[..., pl.DataFrame]) -> Command:
    """A command that returns a frame: print it as the options say."""

    @wraps(command)
    def printing(
        *args: Any, format_: str | None, output: Path | None, **options: Any
    ) -> None:
        print_frame(command(*args, **options), format_, output)

    return output_options(printing)


def print_frame(frame: pl.DataFrame, format_: str | None, output: Path | None) -> None:
    """Print a frame, or write it to a file; `no rows` goes to stderr."""
    from aslib_eval import tables

    if not frame.height:
        click.echo("no rows", err=True)
    if output is not None:
        tables.write(frame, output, format=_file_format(format_, output))
        return
    if format_ == "parquet":
        message = "--format parquet needs -o FILE"
        raise click.UsageError(message)
    if format_ in {None, "table"} and sys.stdout.isatty():
        click.echo(tables.to_terminal(frame, terminal_width()), nl=False)
        return
    text = tables.FORMATS["md" if format_ in {None, "table"} else str(format_)]
    click.echo(text(frame), nl=False)


def _file_format(format_: str | None, output: Path) -> str:
    """What to write into a file: as asked for, else as its name ends."""
    suffix = output.suffix.removeprefix(".")
    found = format_ or suffix
    if found not in FORMATS or found == "table":
        message = f"cannot tell the format of {output}: give --format"
        raise click.UsageError(message)
    return found


def terminal_width() -> int:
    """Columns of the terminal."""
    import shutil

    return shutil.get_terminal_size().columns


def open_lake(
    lake: Path,
    scenarios: Sequence[str],
    protocols: Sequence[str],
    sql_dirs: Sequence[Path],
) -> duckdb.DuckDBPyConnection:
    """The lake that the options of :func:`lake_options` name."""
    from aslib_eval.db import connect

    return connect(lake, protocols=protocols, scenarios=scenarios, sql_dirs=sql_dirs)
