"""Markdown: a pipe table."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from aslib_eval.errors import harmless
from aslib_eval.tables.table import Cell, PaperTable
from aslib_eval.text import shown

if TYPE_CHECKING:
    import polars as pl

# What a renderer would take for markup: HTML, entities, links, images and emphasis.
_ACTIVE = re.compile(r"[\\|`*<]|\](?=\()|&(?=#?\w+;)|(?<![^\W_])_|_(?![^\W_])|~(?=~)|(?<=~)~")
_WHOLE = 999_999.5  # from here on numbers are shown without decimals


def to_markdown(frame: pl.DataFrame) -> str:
    """A pipe table; numbers with six digits.

    It is written column by column: of a comparison there are many cells, few of which could hold markup,
    and those have few different texts.
    """
    numbers = [dtype.is_numeric() for dtype in frame.dtypes]
    columns = [_column(column) for column in frame.iter_columns()]
    return _pipes(frame.columns, numbers, zip(*columns, strict=True))


def _column(column: pl.Series) -> list[str]:
    """The cells of a column as text.

    Equal whole numbers and equal names are written once. Other values can be equal and have two texts: 0.0
    and -0.0, or True and 1 in a column of several types.
    """
    import polars as pl

    values, dtype = column.to_list(), column.dtype
    if dtype.is_float():  # what shown gives, which takes three times as long
        return [
            f"{value:.6g}" if value is not None and -_WHOLE < value < _WHOLE else shown(value)
            for value in values
        ]
    if isinstance(dtype, pl.String | pl.Categorical | pl.Enum):
        names = {name: "" if name is None else escape(name) for name in set(values)}
        return [names[name] for name in values]
    if dtype.is_integer():
        numbers = {value: shown(value) for value in set(values)}
        return [numbers[value] for value in values]
    texts = list(map(shown, values))
    if dtype.is_numeric():
        return texts
    escaped = {text: escape(text) for text in set(texts)}
    return [escaped[text] for text in texts]


def render(table: PaperTable, *, bare: bool = False) -> str:
    """A pipe table; caption above and notes below as paragraphs unless ``bare``."""
    numbers = [column.is_number for column in table.columns]
    rows = ([_cell(cell) for cell in row] for row in table.rows)
    text = _pipes(table.flat_headings, numbers, rows)
    if bare:
        return text
    comments = "".join(f"<!-- {comment(line)} -->\n" for line in table.provenance)
    caption = f"**{escape(table.caption)}**\n\n" if table.caption else ""
    notes = "".join(f"\n{escape(note)}\n" for note in table.notes)
    return comments + caption + text + notes


def _pipes(headings: Iterable[str], numbers: Iterable[bool], rows: Iterable[Iterable[str]]) -> str:
    """The lines of a pipe table; numbers: which columns stand on the right."""
    rule = ("--:" if is_number else "---" for is_number in numbers)
    lines = (map(escape, headings), rule, *rows)
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


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
