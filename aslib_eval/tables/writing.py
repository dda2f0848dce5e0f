"""A table → text in one of the formats, or a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from aslib_eval.atomic_files import replace_file, replacing_file, unwritable
from aslib_eval.tables import comma, markdown, tex, typst, web
from aslib_eval.tables.comma import to_csv
from aslib_eval.tables.layout import Table, plain
from aslib_eval.tables.objects import to_json

if TYPE_CHECKING:
    import polars as pl


def to_markdown(frame: pl.DataFrame) -> str:
    """A pipe table; numbers with six digits."""
    return markdown.render(plain(frame), bare=True)


def to_tex(frame: pl.DataFrame) -> str:
    """A booktabs tabular; numbers with six digits."""
    return tex.render(plain(frame), bare=True)


def to_html(frame: pl.DataFrame) -> str:
    """A page with a table; numbers with six digits."""
    return web.render(plain(frame))


def to_typst(frame: pl.DataFrame) -> str:
    """A Typst table; numbers with six digits."""
    return typst.render(plain(frame), bare=True)


FORMATS: Mapping[str, Callable[[pl.DataFrame], str]] = {
    "csv": to_csv,
    "json": to_json,
    "md": to_markdown,
    "tex": to_tex,
    "html": to_html,
    "typ": to_typst,
}
# What a paper table can be written as.
PAPER = ("tex", "md", "csv", "html", "typ")


def render(table: Table, *, format: str, bare: bool = False) -> str:  # noqa: A002
    """A paper table as one of PAPER; ``bare``: without caption, notes and comment."""
    if format == "csv":
        return comma.render(table)
    rooms = {"tex": tex, "md": markdown, "html": web, "typ": typst}
    text: str = rooms[format].render(table, bare=bare)
    return text


def write(frame: pl.DataFrame, to: Path, *, format: str) -> None:  # noqa: A002
    """Write a frame as one of FORMATS or as parquet.

    Raises AslibError if the file cannot be written; an old one stays then.
    """
    if format == "parquet":
        with replacing_file(to) as fresh, unwritable(to):
            frame.write_parquet(fresh)
    else:
        replace_file(to, FORMATS[format](frame).encode())
