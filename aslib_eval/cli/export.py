"""``aslib-eval export``: the lake for other tools."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from aslib_eval.cli.options import lake_options, say


@click.command(epilog="Example: aslib-eval export -o lake.duckdb")
@click.argument("relations", nargs=-1, metavar="[RELATION]...")
@lake_options
@click.option(
    "--format",
    "format_",
    type=click.Choice(("duckdb", "sqlite", "parquet", "csv", "aslib")),
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
    relations: tuple[str, ...],
    format_: str,
    scheme: str | None,
    output: Path,
    **lake: Any,
) -> None:
    """Write the lake's relations and views, or its scenarios, for other tools."""
    from aslib_eval.exports import export_database, export_files, export_sqlite

    if scheme and format_ != "aslib":
        message = "--scheme is for --format aslib"
        raise click.UsageError(message)
    if format_ == "aslib":
        if relations:
            message = "a scenario is exported as a whole: name no relations"
            raise click.UsageError(message)
        _scenarios(output, scheme or "aslib", **lake)
        return
    if format_ == "duckdb":
        if relations:
            message = "a DuckDB file holds all relations: name none"
            raise click.UsageError(message)
        say(export_database(to=output, **lake))
        return
    if format_ == "sqlite":
        say(export_sqlite(to=output, relations=relations, **lake))
        return
    written = export_files(to=output, relations=relations, format=format_, **lake)
    say("\n".join(map(str, written)))


def _scenarios(output: Path, scheme: str, **lake: Any) -> None:
    from aslib_eval.exports import folders_from_lake

    written, refused = folders_from_lake(
        lake["lake"], output, scenarios=lake["scenarios"], cv_scheme=scheme
    )
    if written:
        say("\n".join(map(str, written)))
    for error in refused:
        say(error, err=True)
    if refused:
        raise click.exceptions.Exit(1)
