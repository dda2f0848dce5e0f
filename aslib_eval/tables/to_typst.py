"""Typst: a figure with a table; every name is a string, which Typst never parses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aslib_eval.errors import harmless
from aslib_eval.tables.table import Cell, PaperTable, plain

if TYPE_CHECKING:
    import polars as pl


def to_typst(frame: pl.DataFrame) -> str:
    """A Typst table; numbers with six digits."""
    return render(plain(frame), bare=True)


def render(table: PaperTable, *, bare: bool = False) -> str:
    """A figure with caption and label; ``bare`` is the table alone."""
    if bare:
        return f"#{_table(table)}\n"
    comments = "".join(f"// {harmless(line)}\n" for line in table.provenance)
    notes = "".join(f"\n\n#text(size: 0.85em, {quoted(n)})" for n in table.notes)
    content = _table(table).replace("\n", "\n  ")
    caption = f"  caption: {quoted(table.caption)},\n" if table.caption else ""
    # A label is letters, digits and underscores: it is the name of a file of ours.
    label = f" <tab:{table.name}>" if table.name else ""
    return f"{comments}#figure(\n  {content},\n{caption}){label}{notes}\n"


def quoted(text: str) -> str:
    """A string literal."""
    escaped = harmless(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _table(table: PaperTable) -> str:
    align = "".join("right, " if c.is_number else "left, " for c in table.columns)
    heads = ", ".join(quoted(c.heading) for c in table.columns)
    lines = [
        f"columns: {len(table.columns)}",
        f"align: ({align})",
        "stroke: none",
        "table.hline()",
        f"table.header({_groups(table)}{heads})",
        "table.hline(stroke: 0.5pt)",
        *(_row(row) for row in table.body),
    ]
    if table.summary_rows:
        lines.append("table.hline(stroke: 0.5pt)")
        lines += [_row(row) for row in table.summary_rows]
    lines.append("table.hline()")
    return "table(\n" + "".join(f"  {line},\n" for line in lines if line) + ")"


def _row(row: tuple[Cell, ...]) -> str:
    return ", ".join(_cell(cell) for cell in row)


def _groups(table: PaperTable) -> str:
    spans = (
        f"table.cell(colspan: {width}, align: center, {quoted(name)}), " for name, width in table.groups
    )
    return "".join(spans)


def _cell(cell: Cell) -> str:
    text = f"\N{MINUS SIGN}{cell.full[1:]}" if cell.is_negative else cell.full
    found = quoted(text)
    found = f"strong({found})" if cell.is_bold else found
    return f"{found} + super({quoted(cell.mark)})" if cell.mark else found
