"""``aslib-eval export``: what it says of the files that it wrote."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from aslib_eval.cli.declared import made_of
from aslib_eval.cli.options import say


@made_of(
    "aslib_eval.extensions.exporting.commands:export", example="export -o lake.duckdb"
)
def export(run: Callable[..., list[Path]], **options: Any) -> None:
    """Write the lake's relations and views, or its scenarios, for other tools."""
    refused: list[str] = []
    written = run(**options, note=refused.append)
    if written:
        say("\n".join(map(str, written)))
    for text in refused:
        say(text, err=True)
    if refused:
        raise SystemExit(1)
