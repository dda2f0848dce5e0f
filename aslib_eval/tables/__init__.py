"""Tables: for a terminal, a pipe, a paper or a program.

A frame is printed as it is; a paper table (``paper_table``) is a frame with a caption, fixed digits, the
best in bold, ranks and significance marks. One module a format, which ``formats`` registers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from aslib_eval.atomic_files import replace_file, replacing_file, unwritable
from aslib_eval.errors import AslibError
from aslib_eval.options import PaperFormat
from aslib_eval.tables.paper_table import PaperTable
from aslib_eval.tables.to_terminal import printed_width, table_to_terminal, to_terminal, without_styles
from aslib_eval.tables.to_text import csv_table as csv
from aslib_eval.tables.to_text import html_table as html
from aslib_eval.tables.to_text import latex_table as latex
from aslib_eval.tables.to_text import markdown_table as markdown
from aslib_eval.tables.to_text import to_csv, to_html, to_json, to_markdown, to_tex, to_typst
from aslib_eval.tables.to_text import typst_table as typst

if TYPE_CHECKING:
    import polars as pl


# A frame as it is.
FORMATS: Mapping[str, Callable[[pl.DataFrame], str]] = {
    "csv": to_csv,
    "json": to_json,
    "md": to_markdown,
    "tex": to_tex,
    "html": to_html,
    "typ": to_typst,
}
# A paper table.
PAPER: Mapping[str, Callable[..., str]] = {
    "tex": latex,
    "md": markdown,
    "csv": csv,
    "html": html,
    "typ": typst,
}


def render(table: PaperTable, *, format: str, bare: bool = False) -> str:  # noqa: A002
    """A paper table as one of PAPER; ``bare``: without caption, notes and comment."""
    return PAPER[format](table, bare=bare)


@dataclass(frozen=True)
class ShownTable(PaperTable):
    """A table of a paper that shows itself where it is printed, and in a notebook."""

    def __str__(self) -> str:
        """The table as a terminal shows it."""
        return without_styles(table_to_terminal(self, printed_width())).rstrip("\n")

    def _repr_html_(self) -> str:
        """The table element, with caption and notes."""
        return self.render("html", bare=True)

    def render(self, format: PaperFormat = "md", *, bare: bool = False) -> str:  # noqa: A002
        """The text in a format: tex, md, csv, html or typ."""
        return render(self, format=format, bare=bare)


def write(frame: pl.DataFrame, to: Path, *, format: str) -> None:  # noqa: A002
    """Write a frame as one of FORMATS or as parquet."""
    if format == "parquet":
        from polars.exceptions import PolarsError

        try:
            with replacing_file(to) as fresh, unwritable(to):
                frame.write_parquet(fresh)
        except PolarsError as error:  # such as of a struct without fields
            raise AslibError(f"is no Parquet ({error})", str(to), "Cast it to varchar.") from None
    else:
        replace_file(to, FORMATS[format](frame).encode())


__all__ = [
    "FORMATS",
    "to_csv",
    "to_html",
    "to_json",
    "to_markdown",
    "to_terminal",
    "to_tex",
    "to_typst",
    "write",
]
