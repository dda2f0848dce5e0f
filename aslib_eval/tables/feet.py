"""Rows below a table: means and medians, and of how many rows each is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from statistics import fmean, median
from typing import Any

from aslib_eval.tables.contests import Entry
from aslib_eval.tables.layout import Column
from aslib_eval.tables.style import Style
from aslib_eval.tables.values import is_number

Line = Sequence[Entry]
_FEET: Mapping[str, Callable[[list[float]], float]] = {"mean": fmean, "median": median}


def feet(
    looks: Style, columns: Sequence[Column], grid: Sequence[Line]
) -> list[list[Entry]]:
    """Mean and median of the columns whose best is bold, over the rows with a value.

    Each protocol has its own. The label of a row says of how many rows its means are;
    a mean of fewer says so itself. One that lacks a row which another beside it has is
    aside: it does not compete.
    """
    at = next((i for i, c in enumerate(columns) if c.name == "protocol"), None)
    blocks = groupby(grid, key=lambda line: None if at is None else line[at].value)
    return [
        foot
        for protocol, block in blocks
        for foot in _below(looks, [*block], at, protocol)
    ]


def _below(
    looks: Style, block: Sequence[Line], at: int | None, protocol: Any
) -> Iterator[list[Entry]]:
    """The feet of one protocol, whose name stands in column ``at``."""
    names = [entry.column if entry.column in looks.bold else "" for entry in block[0]]
    values = [
        [line[c].value for line in block if name and is_number(line[c].value)]
        for c, name in enumerate(names)
    ]
    wholes = {name: _rows_of(block, names, name) for name in set(names) - {""}}
    most = max(wholes.values(), default=0)
    for word in looks.foot:
        foot = [
            Entry(name, _FEET[word](some) if some else None if name else "", "", {})
            for name, some in zip(names, values, strict=True)
        ]
        for c, some in enumerate(values):
            n = len(some) if some and len(some) != most else None
            aside = bool(some) and len(some) != wholes[names[c]]
            foot[c] = foot[c]._replace(n=n, aside=aside)
        if at is not None:
            foot[at] = Entry("", protocol, "", {})
        foot[1 if at == 0 else 0] = Entry("", word, "", {}, n=most)
        yield foot


def _rows_of(block: Sequence[Line], names: Sequence[str], name: str) -> int:
    """How many rows have a value in any column of that name."""
    places = [c for c, other in enumerate(names) if other == name]
    return sum(any(is_number(line[c].value) for c in places) for line in block)


def remarks(looks: Style, lines: Sequence[Line]) -> list[str]:
    """Of how many the means are, and what is to be said of those of fewer."""
    said = [] if looks.across else _sizes(looks, lines)
    if any(entry.aside for line in lines for entry in line):
        said.append(
            "(n = k): over k scenarios only, where others are over more: "
            "neither ranked nor set in bold."
        )
    return said


def _sizes(looks: Style, lines: Sequence[Line]) -> list[str]:
    """Of how many the means of each column are, where no row says so."""
    found: dict[str, list[str]] = {}
    for name, (_, whole) in looks.over.items():
        sizes = {e.row[whole] for line in lines for e in line if e.column == name}
        text = " or ".join(str(n) for n in sorted(sizes - {None}))
        found.setdefault(text, []).append(looks.heading(name))
    if len(found) < 2:  # noqa: PLR2004
        return [f"Means of n = {text}." for text in found if text]
    parts = (f"n = {text} ({', '.join(names)})" for text, names in found.items())
    return [f"Means of {', '.join(parts)}."]
