"""``aslib-eval table``: a table of a paper, in the format of the paper."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from aslib_eval.cli.declared import made_of
from aslib_eval.cli.options import (
    OUTPUT,
    Registered,
    draw,
    file_option,
    on_terminal,
    print_frame,
    say,
    show,
    terminal_width,
)

if TYPE_CHECKING:
    from aslib_eval.tables.table import PaperTable


@made_of(
    "aslib_eval.commands.products:table",
    example="table closed_gap --protocol amadini2023 -o gap.tex",
    without=("name",),
    more=(
        click.Argument(["name"], required=False),
        click.Option(
            ["--format", "format_"],
            type=Registered("aslib_eval.tables", "PAPER"),
            show_default="the file's suffix; aligned on a terminal, md in a pipe",
            help="How to print the table.",
        ),
        click.Option(["--bare"], is_flag=True, help="Without caption, notes and comment."),
        file_option(
            "--macros", "macros", "Also write every number as a LaTeX macro, for the running text."
        ),
        OUTPUT,
    ),
)
def table(
    run: Callable[..., PaperTable],
    *,
    name: str | None,
    format_: str | None,
    bare: bool,
    macros: Path | None,
    output: Path | None,
    **options: Any,
) -> None:
    """A table of a paper: caption, fixed digits, the best in bold, ranks and marks.

    Without a NAME: which tables there are. Your own are files in the folder `table`
    of --sql DIR.
    """
    from aslib_eval.atomic_files import replace_file
    from aslib_eval.tables.to_print import macros as written

    if name is None:
        from aslib_eval.database.query import paper_tables

        print_frame(paper_tables(options["sql_dirs"]), None, None)
        return
    chosen = _format(format_, output)
    found = run(name, **options)
    if macros is not None:
        replace_file(macros, written(found).encode())
    _show(found, chosen, output, bare=bare)


def _why_empty(found: PaperTable) -> str:
    """What a table without rows needs, as far as it is known."""
    tested = "No tests: "  # the note of a table that compares, with its reason
    if said := [note for note in found.notes if note.startswith(tested)]:
        return said[0].removeprefix(tested).removesuffix(".")
    if any("selector" in text for text in (found.name, found.caption)):
        return "it is of selectors, and there are none; 'algorithms' is of algorithms"
    return "nothing here has what it shows; 'aslib-eval list' says what there is"


def _format(format_: str | None, output: Path | None) -> str | None:
    """The format to write; None = aligned for a terminal."""
    if format_ or output is None:
        return format_ or (None if on_terminal() else "md")
    from aslib_eval.tables import PAPER

    found = output.suffix.removeprefix(".")
    if found not in PAPER:
        message = f"cannot tell the format of {output}: give --format"
        raise click.UsageError(message)
    return found


def _show(found: PaperTable, format_: str | None, output: Path | None, *, bare: bool) -> None:
    from aslib_eval.atomic_files import replace_file
    from aslib_eval.tables import render
    from aslib_eval.tables.to_terminal import table_to_terminal

    if not found.rows:
        say(f"no rows: {_why_empty(found)}", err=True)
    if format_ is None:
        draw(table_to_terminal(found, terminal_width()))
        return
    text = render(found, format=format_, bare=bare)
    if output is not None:
        replace_file(output, text.encode())
    else:
        show(text)
