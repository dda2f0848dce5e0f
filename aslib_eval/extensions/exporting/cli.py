"""The commands ``export`` and ``lake snapshot``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from aslib_eval.cli.declared import made_of
from aslib_eval.cli.options import say
from aslib_eval.errors import sentence


@made_of("aslib_eval.extensions.exporting:export", example="export -o lake.duckdb")
def export(run: Callable[..., list[Path]], **options: Any) -> None:
    """Export results or scenarios of the lake for other tools.

    RELATION is a table or a view ('aslib-eval views' lists them). Without RELATION, the command exports all
    of them.
    """
    refused: list[str] = []
    written = run(**options, note=refused.append)
    if written:
        say("\n".join(map(str, written)))
    for text in refused:
        say(text, err=True)
    if refused:
        raise SystemExit(1)


@made_of("aslib_eval.extensions.exporting.exports:snapshot", example="lake snapshot lake-2026-11-22")
def snapshot(run: Callable[..., list[str]], **options: Any) -> None:
    """Copy the lake's Parquet files into a new folder. A later import does not change the copy.

    The command writes the files <relation>/scenario_id=<id>/part-0.parquet and <id>.json into DIR. Use the
    copy for tools that read several files of a scenario, or on file systems without symbolic links.
    """
    for name in run(**options):
        say(sentence(None, f"copied {name}", None))
