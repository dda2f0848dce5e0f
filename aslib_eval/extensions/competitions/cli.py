"""``aslib-eval competition``: boards, and what was published beside them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from aslib_eval.cli.declared import made_of
from aslib_eval.cli.options import OUTPUT, Words, say, show

if TYPE_CHECKING:
    from aslib_eval.extensions.competitions.analysis.record import CompetitionRecord
    from aslib_eval.importer import Imported

_FORMATS = ("md", "json", "html", "tex", "typ")


@made_of(
    "aslib_eval.extensions.competitions.commands:competition",
    example="competition sat2023 sc2023-detailed-results.zip --published results.html",
    more=(
        click.Option(
            ["--format", "format_"],
            type=Words(_FORMATS),
            show_default="the file's suffix; md",
            help="How to print the record; tex, typ: its boards as tables of a paper.",
        ),
        OUTPUT,
    ),
)
def competition(
    run: Callable[..., CompetitionRecord],
    *,
    format_: str | None,
    output: Path | None,
    **options: Any,
) -> None:
    """Rank a competition by its rule, and hold what was published against it.

    NAME is a rule of the relation rule, such as sat2023; rules called sat2023-sat and
    the like come along. PATH is what import reads; the name that its runs get, by the
    path or by --scenario-id, says whether the rule is made for them: par10 --cutoff 60
    runs.csv ranks any. Where published values differ from ours, the smallest change of
    the rule is sought under which none does. The exit code is 1 if one differs.
    """
    from aslib_eval.atomic_files import replace_file
    from aslib_eval.extensions.competitions.analysis.record_sentences import sentences
    from aslib_eval.extensions.competitions.reports.record_formats import FORMATS

    suffix = output.suffix.removeprefix(".") if output else ""
    record = run(**options, done=_say_findings)
    whole = FORMATS[format_ or (suffix if suffix in FORMATS else "md")](record)
    if output is None:
        show(whole)
    else:
        replace_file(output, whole.encode())
        for text in sentences(record):
            say(text)
    if record.differs:
        raise SystemExit(1)


def _say_findings(outcome: Imported) -> None:
    for found in outcome.findings:
        say(f"{found.severity}: {found}", err=True)
