"""HTML: one page with one table, which loads nothing."""

from __future__ import annotations

from html import escape as _escape
from typing import TYPE_CHECKING

from aslib_eval.errors import harmless
from aslib_eval.tables.table import Cell, PaperColumn, PaperTable, plain
from aslib_eval.tables.to_text import comment

if TYPE_CHECKING:
    import polars as pl

_STYLE = """\
:root { color-scheme: light dark; }
body { font: 16px/1.4 system-ui, sans-serif; margin: 2rem; }
table { border-collapse: collapse; border-block: 2px solid; }
caption { text-align: left; padding-block: .4em; }
thead { border-bottom: 1px solid; }
tfoot { border-top: 1px solid; }
th, td { padding: .2em .8em; text-align: left; font-weight: inherit; }
td { white-space: nowrap; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
.group { text-align: center; border-bottom: 1px solid; }
b { font-weight: 700; }
p { font-size: .85em; max-width: 60em; }
"""


def to_html(frame: pl.DataFrame) -> str:
    """A page with a table; numbers with six digits."""
    return render(plain(frame))


def render(table: PaperTable, *, bare: bool = False) -> str:
    """A page that opens by itself; ``bare`` is the table element alone."""
    caption = f"<caption>{escape(table.caption)}</caption>\n" if table.caption else ""
    heads = "".join(f'<th scope="col"{_look(c)}>{escape(c.heading)}</th>' for c in table.columns)
    head = f"<thead>\n{_groups(table)}<tr>{heads}</tr>\n</thead>\n"
    body = f"<tbody>\n{_rows(table, table.body)}</tbody>\n"
    last = _rows(table, table.summary_rows)
    foot = f"<tfoot>\n{last}</tfoot>\n" if last else ""
    element = f"<table>\n{caption}{head}{body}{foot}</table>\n"
    if bare:
        return element
    title = escape(table.name or "table")
    comments = "".join(f"<!-- {comment(line)} -->\n" for line in table.provenance)
    notes = "".join(f"<p>{escape(note)}</p>\n" for note in table.notes)
    start = f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n{comments}'
    look = f"<title>{title}</title>\n<style>\n{_STYLE}</style>\n"
    return f"{start}{look}{element}{notes}</html>\n"


def escape(text: str) -> str:
    """Text that is shown as it is and does nothing."""
    return _escape(harmless(text))


def in_script(json: str) -> str:
    """JSON for an element ``script``: no text in it ends that, or begins a comment."""
    for sign in "<>&\u2028\u2029":
        json = json.replace(sign, f"\\u{ord(sign):04x}")
    return json


def _groups(table: PaperTable) -> str:
    if not table.groups:
        return ""
    cells = "".join(
        f'<th class="group" colspan="{width}" scope="colgroup">{escape(name)}</th>'
        if name
        else f'<td colspan="{width}"></td>'
        for name, width in table.groups
    )
    return f"<tr>{cells}</tr>\n"


def _rows(table: PaperTable, rows: tuple[tuple[Cell, ...], ...]) -> str:
    kinds = list(map(_look, table.columns))
    lines = (
        "".join(f"<td{kind}>{_text(cell)}</td>" for kind, cell in zip(kinds, row, strict=True))
        for row in rows
    )
    return "".join(f"<tr>{line}</tr>\n" for line in lines)


def _text(cell: Cell) -> str:
    text = escape(cell.full)
    if cell.is_negative:
        text = f"\N{MINUS SIGN}{text[1:]}"
    text = f"<b>{text}</b>" if cell.is_bold else text
    return f"{text}<sup>{escape(cell.mark)}</sup>" if cell.mark else text


def _look(column: PaperColumn) -> str:
    return ' class="number"' if column.is_number else ""
