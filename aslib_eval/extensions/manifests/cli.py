"""``aslib-eval paper``: the tables and figures of a paper, built and checked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any

from aslib_eval.cli.declared import made_of
from aslib_eval.cli.options import say
from aslib_eval.figures.catalogue import LIVE_CHARTS, figures_of
from aslib_eval.text import plural

if TYPE_CHECKING:
    from aslib_eval.extensions.manifests.papers import FileChange

# The mark \b keeps click from rewrapping the lines of the manifest.
_TEXT = """Write all tables and figures that a manifest lists, and a file that records the values in them.

A manifest is a .toml file such as this one:

\b
lake = "lake"                  # paths are relative to the manifest
output = "paper"
scenarios = ["MIP*"]           # default: all; an entry below can have its own list
protocols = ["amadini2023"]
sql = ["my_sql"]
[[table]]
name = "closed_gap"            # 'aslib-eval table' lists the names
file = "gap.tex"               # .tex .md .csv .html .typ; bare = true omits the caption
[[macros]]
name = "closed_gap"
file = "numbers.tex"
[[figure]]
name = "cactus"                # 'aslib-eval figure' lists the names
file = "figures/cactus.pdf"   # or .svg
solvers = ["rf*", "SBS"]       # names or patterns; only some figures need this
[[figure]]
name = "waterfall"             # a figure of one scenario
file = "figures/loss.svg"
scenarios = ["MIP-2016"]       # not needed if the lake has only one scenario
width = 85                     # width of the figure with its labels, in mm
"""


def _names(title: str, of: str) -> str:
    return "\b\n" + fill(f"{title} {', '.join(figures_of(of))}.", 76, break_on_hyphens=False)


_BUILD = "\n\n".join(
    (
        _TEXT.rstrip(),
        _names("Figures of the whole lake:", "lake"),
        _names("Figures of one scenario:", "scenario"),
        _names("Figures that compare scenarios:", "suite"),
        f"Only 'aslib-eval report' draws the figures {', '.join(LIVE_CHARTS[:-1])} and {LIVE_CHARTS[-1]}.",
    )
)


@made_of("aslib_eval.extensions.manifests:paper_build", example="paper build aslib-eval.toml", about=_BUILD)
def build(run: Callable[..., list[Path]], **options: Any) -> None:
    """Name the written files, even if others cannot be made."""
    from aslib_eval.extensions.manifests.papers import ManifestError

    written: Sequence[Path] = ()
    try:
        written = run(**options)
    except ManifestError as error:
        written = error.written
        raise
    finally:
        for path in written:
            say(path)


@made_of("aslib_eval.extensions.manifests:paper_check", example="paper check aslib-eval.toml")
def check(run: Callable[..., list[FileChange]], **options: Any) -> None:
    """List the numbers that would change if you computed the paper again now.

    For each number, the list names the cause: data, protocol or code.

    The exit code is 1 if a number would change.
    """
    changes = run(**options)
    for change in changes:
        say(change)
    say(plural(len(changes), "change"), err=True)
    if changes:
        raise SystemExit(1)
