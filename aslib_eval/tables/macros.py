r"""Single numbers for running text: ``\newcommand`` macros of a table's cells."""

from __future__ import annotations

from collections.abc import Iterator

from aslib_eval.errors import AslibError, harmless
from aslib_eval.tables.layout import Cell, Table
from aslib_eval.tables.tex import escape
from aslib_eval.tables.values import is_number

_DIGITS = dict(
    zip(
        "0123456789",
        (
            "Zero",
            "One",
            "Two",
            "Three",
            "Four",
            "Five",
            "Six",
            "Seven",
            "Eight",
            "Nine",
        ),
        strict=True,
    )
)


def macros(table: Table) -> str:
    r"""One ``\newcommand`` for each number, as it is shown in the table.

    Its name is the table's, then the words of its row, then those of its column:
    ``\selectorsAsapClosedGap``. TeX takes letters alone, so digits are spelt and all
    else only parts words. Raises AslibError if two numbers would share a name.
    """
    found: dict[str, str] = {}
    for name, label, cell in _numbers(table):
        if name in found:
            what = f"two numbers would be called \\{name} (the second: {label})"
            raise AslibError(what, table.name, "Choose fewer with --scenario.")
        text = escape(cell.text)
        text = f"\\ensuremath{{-}}{text[1:]}" if cell.is_negative else text
        found[name] = f"\\newcommand{{\\{name}}}{{{text}}} % {harmless(label)}\n"
    said = "".join(f"% {harmless(line)}\n" for line in table.provenance)
    return said + "".join(found.values())


def _numbers(table: Table) -> Iterator[tuple[str, str, Cell]]:
    for row in table.rows:
        pairs = list(zip(table.columns, row, strict=True))
        words = [cell.text for column, cell in pairs if not column.is_number]
        for column, cell in pairs:
            if not (column.is_number and is_number(cell.value)):
                continue
            parts = [table.name, *words, column.group, column.name]
            yield command(parts), " / ".join(filter(None, parts)), cell


def command(parts: list[str]) -> str:
    """Words as one name of letters, the first in lower case."""
    spelt = "".join(_DIGITS.get(c, c) for c in " ".join(parts))
    words = "".join(c if c.isascii() and c.isalpha() else " " for c in spelt).split()
    name = "".join(word[:1].upper() + word[1:] for word in words)
    return name[:1].lower() + name[1:]
