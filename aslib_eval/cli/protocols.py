"""``aslib-eval protocols``: the definitions behind the numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from aslib_eval.cli.options import frame_command

if TYPE_CHECKING:
    import polars as pl


@click.group()
def protocols() -> None:
    """The definitions behind the numbers: list them, show one, compare two."""


@protocols.command("list", epilog="Example: aslib-eval protocols list")
@frame_command
def protocols_list() -> pl.DataFrame:
    """The presets and what they restate."""
    from aslib_eval.database.catalogue import protocols as listed

    return listed()


@protocols.command("show", epilog="Example: aslib-eval protocols show llama")
@click.argument("name", metavar="NAME|FILE")
@frame_command
def protocols_show(name: str) -> pl.DataFrame:
    """Every choice of one protocol."""
    from aslib_eval.database.catalogue import protocol

    return protocol(name)


@protocols.command("diff", epilog="Example: aslib-eval protocols diff default asf")
@click.argument("first", metavar="NAME|FILE")
@click.argument("second", metavar="NAME|FILE")
@frame_command
def protocols_diff(first: str, second: str) -> pl.DataFrame:
    """The choices in which two protocols differ."""
    from aslib_eval.database.catalogue import protocol_difference

    return protocol_difference(first, second)
