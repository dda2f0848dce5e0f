"""``aslib-eval export``: the lake for other tools."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from aslib_eval.cli.options import Words, lake_options, say, usage_errors
from aslib_eval.words import ExportFormat


@click.command(epilog="Example: aslib-eval export -o lake.duckdb")
@click.argument("relations", nargs=-1, metavar="[RELATION]...")
@lake_options
@click.option(
    "--format",
    "format_",
    type=Words(ExportFormat),
    default="duckdb",
    show_default=True,
    help="One DuckDB file with results and views, one SQLite file with a table a "
    "relation, one plain file a relation (in CSV, an apostrophe is before text that a "
    "spreadsheet would run), or a folder of ARFF files a scenario.",
)
@click.option(
    "--scheme",
    show_default="aslib",
    help="Cross-validation that becomes the cv.arff of --format aslib.",
)
@click.option(
    "-o",
    "output",
    type=click.Path(path_type=Path),
    required=True,
    metavar="FILE|DIR",
    help="The DuckDB or SQLite file, or the folder for the others.",
)
def export(
    relations: tuple[str, ...], format_: ExportFormat, output: Path, **options: Any
) -> None:
    """Write the lake's relations and views, or its scenarios, for other tools."""
    from aslib_eval.commands.products import export as run

    refused: list[str] = []
    with usage_errors():
        written = run(
            output, relations=relations, format=format_, **options, note=refused.append
        )
    if written:
        say("\n".join(map(str, written)))
    for text in refused:
        say(text, err=True)
    if refused:
        raise click.exceptions.Exit(1)
