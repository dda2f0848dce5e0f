"""``aslib-eval competition``: boards, and published values beside them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any

import click

from aslib_eval.cli.declared import made_of
from aslib_eval.cli.options import OUTPUT, Words, draw, on_terminal, say, show, terminal_width
from aslib_eval.errors import harmless

if TYPE_CHECKING:
    import polars as pl

    from aslib_eval.extensions.competitions.record import CompetitionRecord
    from aslib_eval.importer import Imported

_FORMATS = ("md", "json", "html", "tex", "typ")


@made_of(
    "aslib_eval.extensions.competitions:competition",
    example="competition sat2023 sc2023-detailed-results.zip --published results.html",
    more=(
        click.Option(
            ["--format", "format_"],
            type=Words(_FORMATS),
            show_default="the file's suffix; aligned on a terminal, md in a pipe",
            help="Format of the record; tex and typ print its boards as tables of a paper.",
        ),
        OUTPUT,
    ),
)
def competition(
    run: Callable[..., CompetitionRecord], *, format_: str | None, output: Path | None, **options: Any
) -> None:
    """Rank a competition by its rule, and check the published results.

    NAME is a rule of the relation rule, such as sat2023; rules such as sat2023-sat are used too. PATH is
    anything that import reads. A rule refuses scenarios of other competitions, by the name that the path or
    --scenario-id gives them; par10 --cutoff 60 runs.csv ranks any runs. If a published value differs from
    ours, the command looks for the smallest change of the rule that explains all values, and exits with 1.
    """
    from aslib_eval.extensions.competitions.record_formats import FORMATS

    outcomes: list[Imported] = []
    try:
        record = run(**options, done=outcomes.append)
        if output is not None:
            _write(record, format_, output)
        elif on_terminal(format_):
            draw(_drawn(record))
        else:
            show(FORMATS[format_ or "md"](record))
    finally:  # below the record, or above the error
        for found in (one for outcome in outcomes for one in outcome.findings):
            say(f"{found.severity}: {found}", err=True)
    if record.differs:
        raise SystemExit(1)


def _write(record: CompetitionRecord, format_: str | None, output: Path) -> None:
    from aslib_eval.atomic_files import replace_file
    from aslib_eval.extensions.competitions.record import sentences
    from aslib_eval.extensions.competitions.record_formats import FORMATS

    suffix = output.suffix.removeprefix(".")
    replace_file(output, FORMATS[format_ or (suffix if suffix in FORMATS else "md")](record).encode())
    for text in sentences(record):
        say(text)


def _drawn(record: CompetitionRecord) -> str:
    """The record with lines as wide as the terminal, and aligned tables."""
    from aslib_eval.extensions.competitions.record_formats import to_text
    from aslib_eval.tables import to_terminal

    width = terminal_width()

    def line(text: str) -> str:
        return fill(harmless(text), width, subsequent_indent="  ")

    def table(frame: pl.DataFrame) -> str:
        asked, more = {"1st", "2nd", "3rd"}, "--format json"
        return to_terminal(frame, width, asked=asked & {*frame.columns}, more=more)

    return to_text(record, table=table, line=line)
