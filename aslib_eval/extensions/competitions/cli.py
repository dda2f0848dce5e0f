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
            show_default="by the suffix of --output; else text on a terminal, md elsewhere",
            help="Print the result in this format. tex and typ print the rankings as tables for a paper.",
        ),
        OUTPUT,
    ),
)
def competition(
    run: Callable[..., CompetitionRecord], *, format_: str | None, output: Path | None, **options: Any
) -> None:
    """Rank the solvers of a competition by its rule, and check published results.

    NAME is a rule, such as sat2023. Type "aslib-eval query 'from rule'" to list all rules. The command also
    applies rules whose names begin with NAME, such as sat2023-sat. PATH holds results that 'aslib-eval
    import' can read. A rule accepts only results of its own competition: PATH or --scenario-id must
    contain its name. The rule par10 accepts any runs: aslib-eval competition par10 runs.csv --cutoff 60

    With --published, the exit code is 1 if a published value differs from the computed value. The command
    then looks for the smallest change of the rule that explains all published values.
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
