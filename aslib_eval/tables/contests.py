"""Who competes with whom in a table, who is the best, and in which order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from aslib_eval.tables.layout import Cell
from aslib_eval.tables.style import BETTER, Style
from aslib_eval.tables.values import fixed, is_number, settled

Place = tuple[int, int]


class Entry(NamedTuple):
    """A value on its way into a cell: its column in the query, and its whole row."""

    column: str
    value: Any
    mark: str
    row: Mapping[str, Any]


def judged(
    grid: Sequence[Sequence[Entry]],
    looks: Style,
    *,
    feet: Sequence[Sequence[Entry]] = (),
) -> tuple[tuple[Cell, ...], ...]:
    """Entries → cells: digits, and within each contest the best in bold and the ranks.

    Values that look the same as the best are bold too; ranks go by the values.
    """
    lines = [*grid, *feet]
    texts = [[_text(e, looks) for e in line] for line in lines]
    bold: set[Place] = set()
    ranks: dict[Place, int] = {}
    for column, places in _contests(lines, len(grid), looks):
        values = {(r, c): settled(lines[r][c].value) for r, c in places}
        best = BETTER[looks.bold[column]](values.values())
        shown = {texts[r][c] for (r, c), value in values.items() if value == best}
        bold |= {(r, c) for r, c in values if texts[r][c] in shown}
        if column in looks.rank:
            ranks |= _ranks(values, lower=looks.bold[column] == "min")
    return tuple(
        tuple(
            Cell(texts[r][c], e.value, (r, c) in bold, ranks.get((r, c)), e.mark)
            for c, e in enumerate(line)
        )
        for r, line in enumerate(lines)
    )


def _text(entry: Entry, looks: Style) -> str:
    return fixed(entry.value, looks.digits.get(entry.column))


def _contests(
    lines: Sequence[Sequence[Entry]], height: int, looks: Style
) -> Iterator[tuple[str, list[Place]]]:
    """Column and places of each: of two or more values, baselines aside."""
    groups: dict[tuple[Any, ...], list[Place]] = {}
    for r, line in enumerate(lines):
        for c, entry in enumerate(line):
            competes = entry.column in looks.bold and is_number(entry.value)
            if not competes or entry.row.get("kind") == "baseline":
                continue
            if looks.across:
                key: tuple[Any, ...] = (entry.column, r)
            elif r < height:
                key = (entry.column, *(entry.row[name] for name in looks.within))
            else:
                continue  # a mean competes with nobody in its column
            groups.setdefault(key, []).append((r, c))
    for (column, *_), places in groups.items():
        if len(places) > 1:
            yield column, places


def _ranks(values: Mapping[Place, float], *, lower: bool) -> dict[Place, int]:
    """1 = best; equal values share the better rank."""
    order = sorted(values.values(), reverse=not lower)
    return {place: order.index(value) + 1 for place, value in values.items()}
