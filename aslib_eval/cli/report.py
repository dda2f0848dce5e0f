"""``aslib-eval report``: pages to look at."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from aslib_eval.cli.options import (
    CLUSTER,
    JOBS,
    LAKE,
    SCENARIOS,
    SQL_DIRS,
    folder_option,
    say,
)


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
@JOBS
@CLUSTER
@click.option(
    "--force", is_flag=True, help="Make pages again that would have the same bytes."
)
def report(
    *,
    lake: Path,
    scenarios: tuple[str, ...],
    protocol: str,
    sql_dirs: tuple[Path, ...],
    output: Path,
    jobs: int | None,
    cluster: str | None,
    force: bool,
) -> None:
    """Write one offline HTML page a scenario, and an index over all.

    What the folder has already and would get the same bytes is not made again.
    """
    from aslib_eval.executors import workers
    from aslib_eval.reports import write_report
    from aslib_eval.reports.write import ReportError

    try:
        with workers(jobs=jobs, cluster=cluster) as they:
            written = write_report(
                lake,
                to=output,
                protocol=protocol,
                scenarios=scenarios,
                sql_dirs=sql_dirs,
                progress=sys.stderr.isatty(),
                jobs=they.jobs,
                executor=they.executor,
                memory=they.memory,
                force=force,
            )
    except ReportError as error:
        say(error.written[-1])
        raise
    say(written[-1])
