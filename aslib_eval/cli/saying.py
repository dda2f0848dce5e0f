"""What the commands print: the one place where text for a terminal is made harmless."""

from __future__ import annotations

import sys
from typing import Any

import click

from aslib_eval.errors import harmless


def say(what: Any, *, err: bool = False) -> None:
    """Print lines of text; what could steer a terminal is printed as escapes."""
    click.echo(_lines(str(what)), err=err)


def show(text: str) -> None:
    """Print a result as it is, but for a terminal without what could steer it."""
    # With color click takes nothing away.
    click.echo(_lines(text) if sys.stdout.isatty() else text, nl=False, color=True)


def draw(text: str) -> None:
    """Print what was made for a terminal: its cells are harmless, its bold stays."""
    click.echo(text, nl=False)


def _lines(text: str) -> str:
    return "\n".join(
        "\t".join(harmless(cell) for cell in line.split("\t"))
        for line in text.split("\n")
    )
