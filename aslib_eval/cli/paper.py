"""``aslib-eval paper``: the tables and figures of a paper, and papers made again."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from aslib_eval.cli.declared import options_from
from aslib_eval.cli.options import (
    LAKE,
    SCENARIOS,
    draw,
    folder_option,
    say,
    show,
    terminal_width,
)
from aslib_eval.figures.catalogue import LIVE_CHARTS, figures_of

if TYPE_CHECKING:
    from aslib_eval.papers.reproduction import Paper

_FOLDER = folder_option(
    "Write all tables (.tex .md .csv .html .typ), figures (.svg .pdf), README.md."
)


# The mark \b keeps click from rewrapping the lines of the manifest.
_TEXT = """Write all tables and figures of a manifest, and a record of what they hold.

\b
lake = "lake"                  # paths are relative to the manifest
output = "paper"
scenarios = ["MIP*"]           # all, if left out; also for one entry alone
protocols = ["amadini2023"]
sql = ["my_sql"]
[[table]]
name = "closed_gap"            # 'aslib-eval table' lists them
file = "gap.tex"               # .tex .md .csv .html .typ; bare = true
[[macros]]
name = "closed_gap"
file = "numbers.tex"
[[figure]]
name = "cactus"                # all names are below
file = "figures/cactus.pdf"   # or .svg
solvers = ["rf*", "SBS"]       # of cactus and few others; globs
[[figure]]
name = "waterfall"             # a chart of the report's page
file = "figures/loss.svg"
scenarios = ["MIP-2016"]       # one; none needed if the lake has one
width = 85                     # in mm, with all its labels
"""


def _names(title: str, of: str) -> str:
    lines = (f"  {name:15} {one.shows}" for name, one in figures_of(of).items())
    return "\n".join(("\b", title, *lines))


_BUILD = "\n\n".join(
    (
        _TEXT.rstrip(),
        _names("Figures:", "lake"),
        _names("Charts of the page of the one scenario:", "scenario"),
        _names("Charts of the index, over all scenarios chosen:", "suite"),
        f"The page alone has {', '.join(LIVE_CHARTS)}: its reader's choices make them.",
    )
)


@click.group()
def paper() -> None:
    """Build the tables and figures of a paper, or make a published one again."""


@paper.command(help=_BUILD, epilog="Example: aslib-eval paper build aslib-eval.toml")
@options_from("commands.products:paper_build")
def build(**options: Any) -> None:
    """Write all tables and figures of a manifest, and a record of what they hold."""
    from aslib_eval.commands.products import paper_build
    from aslib_eval.papers.manifest import ManifestError

    try:
        written = paper_build(**options)
    except ManifestError as error:
        for path in error.written:
            say(path)
        raise
    for path in written:
        say(path)


@paper.command(epilog="Example: aslib-eval paper check aslib-eval.toml")
@options_from("commands.products:paper_check")
@click.pass_context
def check(ctx: click.Context, /, **options: Any) -> None:
    """Say which numbers would change, and why: data, protocol or code; then exit 1."""
    from aslib_eval.commands.products import paper_check
    from aslib_eval.text import plural

    changes = paper_check(**options)
    for change in changes:
        say(change)
    say(plural(len(changes), "change"), err=True)
    ctx.exit(1 if changes else 0)


@paper.command(epilog="Example: aslib-eval paper amadini2023 --system RF=rf_all -o out")
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


@paper.command(epilog="Example: aslib-eval paper oasc2017 --lake contests -o out")
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
