"""``aslib-eval report``: pages to look at."""

from __future__ import annotations

from typing import Any

import click

from aslib_eval.cli.declared import options_from
from aslib_eval.cli.options import say


@click.command(
    epilog="Example: aslib-eval report -o report && xdg-open report/index.html"
)
@options_from("aslib_eval.commands.products:report")
def report(**options: Any) -> None:
    """Write one offline HTML page a scenario, and an index over all.

    What the folder has already and would get the same bytes is not made again.
    """
    from aslib_eval.commands.products import report as run
    from aslib_eval.reports.write import ReportError

    try:
        written = run(**options)
    except ReportError as error:
        say(error.written[-1])
        raise
    say(written[-1])
