"""``aslib-eval export``: the lake for other tools."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from aslib_eval.cli.declared import options_from
from aslib_eval.cli.options import say, usage_errors


@click.command(epilog="Example: aslib-eval export -o lake.duckdb")
@options_from("aslib_eval.commands.products:export")
def export(output: Path, **options: Any) -> None:
    """Write the lake's relations and views, or its scenarios, for other tools."""
    from aslib_eval.commands.products import export as run

    refused: list[str] = []
    with usage_errors():
        written = run(output, **options, note=refused.append)
    if written:
        say("\n".join(map(str, written)))
    for text in refused:
        say(text, err=True)
    if refused:
        raise click.exceptions.Exit(1)
