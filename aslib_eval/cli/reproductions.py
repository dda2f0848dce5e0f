"""``aslib-eval paper NAME``: a published paper made again."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from aslib_eval.cli.options import (
    LAKE,
    SCENARIOS,
    draw,
    folder_option,
    say,
    show,
    terminal_width,
)

if TYPE_CHECKING:
    from aslib_eval.papers.reproduction import Paper

_FOLDER = folder_option(
    "Write all tables (.tex .md .csv .html .typ), figures (.svg .pdf), README.md."
)


@click.command(epilog="Example: aslib-eval paper amadini2023 --system RF=rf_all -o out")
@LAKE
@SCENARIOS
@click.option(
    "--system",
    "systems",
    multiple=True,
    metavar="NAME=SELECTOR",
    help="Who plays a system of the paper, such as RF=my_forest; repeatable.",
)
@_FOLDER
def amadini2023(
    *,
    lake: Path,
    scenarios: tuple[str, ...],
    systems: tuple[str, ...],
    output: Path | None,
) -> None:
    """Tables 1 and 2, Figures 1 to 4 and the findings of Amadini et al. 2023."""
    from aslib_eval.papers.amadini2023 import amadini2023 as run

    pairs = dict(_pair(text) for text in systems)
    _show(run(lake, scenarios=scenarios, systems=pairs), output)


@click.command(epilog="Example: aslib-eval paper oasc2017 --lake contests -o out")
@LAKE
@SCENARIOS
@_FOLDER
def oasc2017(*, lake: Path, scenarios: tuple[str, ...], output: Path | None) -> None:
    """Table E.9 of the Open Algorithm Selection Challenge 2017, from its schedules."""
    from aslib_eval.papers.oasc2017 import oasc2017 as run

    _show(run(lake, scenarios=scenarios), output)


def _pair(text: str) -> tuple[str, str]:
    name, equals, selector = text.partition("=")
    if not (name and equals and selector):
        message = f"--system {text}: write NAME=SELECTOR"
        raise click.UsageError(message)
    return name, selector


def _show(found: Paper, output: Path | None) -> None:
    from aslib_eval.papers.reproduction import to_markdown, write_paper

    if output is not None:
        for path in write_paper(found, output):
            say(path)
    elif sys.stdout.isatty():
        _to_terminal(found)
    else:
        show(to_markdown(found))


def _to_terminal(found: Paper) -> None:
    from aslib_eval.papers.reproduction import claims_table
    from aslib_eval.tables.to_terminal import table_to_terminal

    for table in (*found.tables, claims_table(found.claims)):
        draw(table_to_terminal(table, terminal_width()) + "\n")
    for remark in found.remarks:
        say(f"- {remark}")
