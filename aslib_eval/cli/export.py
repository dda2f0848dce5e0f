"""``aslib-eval export``: the lake for other tools."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from aslib_eval.cli.options import lake_options


@click.command(epilog="Example: aslib-eval export -o lake.duckdb")
@click.argument("relations", nargs=-1, metavar="[RELATION]...")
@lake_options
@click.option(
    "--format",
    "format_",
    type=click.Choice(("duckdb", "parquet", "csv")),
    default="duckdb",
    show_default=True,
    help="One DuckDB file with the views inside, or one plain file a relation.",
)
@click.option(
    "-o",
    "output",
    type=click.Path(path_type=Path),
    required=True,
    metavar="FILE|DIR",
    help="The DuckDB file, or the folder for the others.",
)
def export(relations: tuple[str, ...], format_: str, output: Path, **lake: Any) -> None:
    """Write the lake's relations and views for other tools."""
    from aslib_eval.export import export_database, export_files

    if format_ == "duckdb":
        if relations:
            message = "a DuckDB file holds all relations: name none"
            raise click.UsageError(message)
        click.echo(export_database(to=output, **lake))
        return
    written = export_files(to=output, relations=relations, format=format_, **lake)
    click.echo("\n".join(map(str, written)))
