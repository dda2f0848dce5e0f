"""``aslib-eval paper``: the tables and figures of a paper, and papers made again."""

from __future__ import annotations

from typing import Any

import click

from aslib_eval.cli.declared import options_from
from aslib_eval.cli.options import say
from aslib_eval.cli.reproductions import amadini2023, oasc2017
from aslib_eval.figures.catalogue import LIVE_CHARTS, figures_of

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
@options_from("aslib_eval.commands.products:paper_build")
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
@options_from("aslib_eval.commands.products:paper_check")
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


paper.add_command(amadini2023)
paper.add_command(oasc2017)
