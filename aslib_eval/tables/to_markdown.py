"""Markdown: a pipe table."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from aslib_eval.errors import harmless
from aslib_eval.tables.table import Cell, PaperTable, plain

if TYPE_CHECKING:
    import polars as pl

# What a renderer would take for markup: HTML, entities, links, images and emphasis.
_ACTIVE = re.compile(
    r"[\\|`*<]|\](?=\()|&(?=#?\w+;)|(?<![^\W_])_|_(?![^\W_])|~(?=~)|(?<=~)~"
)


def to_markdown(frame: pl.DataFrame) -> str:
    """A pipe table; numbers with six digits."""
    return render(plain(frame), bare=True)


def render(table: PaperTable, *, bare: bool = False) -> str:
    """A pipe table; caption above and notes below as paragraphs unless ``bare``."""
    rule = ["--:" if column.is_number else "---" for column in table.columns]
    head = [escape(heading) for heading in table.flat_headings]
    rows = [[_cell(cell) for cell in row] for row in table.rows]
    lines = [head, rule, *rows]
    text = "".join(f"| {' | '.join(line)} |\n" for line in lines)
    if bare:
        return text
    comments = "".join(f"<!-- {comment(line)} -->\n" for line in table.provenance)
    caption = f"**{escape(table.caption)}**\n\n" if table.caption else ""
    notes = "".join(f"\n{escape(note)}\n" for note in table.notes)
    return comments + caption + text + notes


def escape(text: str) -> str:
    """Text that is shown as it is and does nothing."""
    return _ACTIVE.sub(lambda found: f"\\{found[0]}", harmless(text))


def comment(text: str) -> str:
    """Text that cannot end the HTML comment that it stands in."""
    return re.sub(r"-(?=[->])", "- ", harmless(text))


def _cell(cell: Cell) -> str:
    text = escape(cell.full)
    text = f"**{text}**" if cell.is_bold else text
    return f"{text} {escape(cell.mark)}" if cell.mark else text
