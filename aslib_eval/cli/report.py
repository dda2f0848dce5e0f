"""``aslib-eval report``: pages to look at."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from aslib_eval.cli.options import LAKE, SCENARIOS, SQL_DIRS, folder_option, say


@click.command(
    epilog="Example: aslib-eval report -o report && xdg-open report/index.html"
)
@LAKE
@SCENARIOS
@click.option(
    "--protocol",
    default="default",
    metavar="NAME|FILE",
    show_default=True,
    help="Preset or .toml file; a report is made under one.",
)
@SQL_DIRS
@folder_option("Folder for the pages.", default="report")
def report(
    lake: Path,
    scenarios: tuple[str, ...],
    protocol: str,
    sql_dirs: tuple[Path, ...],
    output: Path,
) -> None:
    """Write one offline HTML page a scenario, and an index over all."""
    from aslib_eval.reports import write_report
    from aslib_eval.reports.write import ReportError

    try:
        written = write_report(
            lake,
            to=output,
            protocol=protocol,
            scenarios=scenarios,
            sql_dirs=sql_dirs,
            progress=sys.stderr.isatty(),
        )
    except ReportError as error:
        say(error.written[-1])
        raise
    say(written[-1])
