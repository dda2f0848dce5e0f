"""ARFF text that liac-arff, and so our reader, takes back cell for cell."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import polars as pl

_BARE = re.compile(r"[A-Za-z0-9_.:;/()\[\]<>=+*&|^~!#$-]+")
_BARE_NAME = re.compile(r"[^{}%,\s\"'\\]+")
_WORD = re.compile(r"[A-Za-z0-9_.-]+")
_MOST_WORDS = 50
_SHORT = {"\\": r"\\", "'": r"\'", "\t": r"\t", "\n": r"\n", "\r": r"\r"}
_LAST_OF_FOUR_DIGITS = 0xFFFF

# The statuses that the format names; a scenario may have others.
STATUSES = ("ok", "timeout", "memout", "not_applicable", "crash", "other")


def arff_text(relation: str, columns: Mapping[str, str], lines: Iterable[str]) -> str:
    """A file of columns (name → type) and lines of cells that are quoted already."""
    head = [f"@ATTRIBUTE {_name(name)} {kind}" for name, kind in columns.items()]
    return "\n".join([f"@RELATION {relation}", "", *head, "", "@DATA", *lines, ""])


def arff_words(words: Iterable[str | None], *, known: Sequence[str] = ()) -> str:
    """The type of a column of words: nominal if they are few and plain, else STRING."""
    listed = list(dict.fromkeys((*known, *(w for w in words if w is not None))))
    if not listed or len(listed) > _MOST_WORDS or not all(map(_WORD.fullmatch, listed)):
        return "STRING"
    return f"{{{', '.join(listed)}}}"


def arff_cells(column: pl.Series) -> list[str]:
    """Every value as a cell: missing is ``?``, text quoted only where it must be."""
    if column.dtype == pl.String:
        words = column.drop_nulls().unique()
        quoted = {word: arff_string(word) for word in words}
        return [quoted.get(word, "?") for word in column]
    return [number_text(value) for value in column]


def number_text(value: float | None) -> str:
    """The shortest text that gives the same float64 back; None is ``?``."""
    if value is None:
        return "?"
    return "NaN" if math.isnan(value) else repr(value).removesuffix(".0")


def arff_string(text: str) -> str:
    """A text cell, in quotes where a bare word would mean something else."""
    if _BARE.fullmatch(text):
        return text
    return f"'{''.join(map(_escaped, text))}'"


def _escaped(character: str) -> str:
    if character in _SHORT:
        return _SHORT[character]
    code = ord(character)
    if character.isprintable() or code > _LAST_OF_FOUR_DIGITS:
        return character
    return f"\\u{code:04x}"


def _name(name: str) -> str:
    """A column's name; liac-arff strips quotes from it but knows no escapes."""
    return name if _BARE_NAME.fullmatch(name) else f"'{name}'"


def spread(
    table: pl.DataFrame,
    cells: Sequence[str],
    *,
    ids: Sequence[str],
    name: str,
    columns: Sequence[str],
) -> list[str]:
    """Long → wide: a line for each distinct ids, a cell for each of the columns.

    ``cells`` are the quoted cells of the table's rows, ``name`` is its column that
    says which column they belong to. Lines come in the order of first appearance;
    a cell without a row is missing.
    """
    keys = table.select(ids)
    found = keys.unique(maintain_order=True).with_row_index("row")
    rows = keys.join(found, on=ids, how="left", maintain_order="left")["row"]
    place = {column: at for at, column in enumerate(columns)}
    wide = np.full((found.height, len(columns)), "?", object)
    wide[rows.to_numpy(), [place[word] for word in table[name]]] = cells
    heads = zip(*(arff_cells(found[key]) for key in ids), strict=True)
    return [",".join((*h, *w)) for h, w in zip(heads, wide.tolist(), strict=True)]
