"""Who competes with whom in a table, who is the best, and in which order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from aslib_eval.tables.layout import Cell
from aslib_eval.tables.style import BETTER, Style
from aslib_eval.tables.values import fixed, is_number, settled

Place = tuple[int, int]


class Entry(NamedTuple):
    """A value on its way into a cell: its column in the query, and its whole row.

    n: of how many it is a mean, where that is to be shown. aside: it is of others than
    those beside it, and does not compete with them.
    """

    column: str
    value: Any
    mark: str
    row: Mapping[str, Any]
    n: int | None = None
    aside: bool = False


def judged(
    grid: Sequence[Sequence[Entry]],
    looks: Style,
    *,
    feet: Sequence[Sequence[Entry]] = (),
) -> tuple[tuple[Cell, ...], ...]:
    """Entries → cells: digits, and within each contest the best in bold and the ranks.

    Values that look the same as the best are bold too; ranks go by the values. Where
    all values are equal nobody is the best.
    """
    lines = [*grid, *feet]
    texts = [[_text(e, looks) for e in line] for line in lines]
    bold: set[Place] = set()
    ranks: dict[Place, int] = {}
    for column, places in _contests(lines, len(grid), looks):
        values = {(r, c): settled(lines[r][c].value) for r, c in places}
        bold |= _best(values, BETTER[looks.bold[column]], texts)
        if column in looks.rank:
            ranks |= _ranks(values, lower=looks.bold[column] == "min")
    return tuple(
        tuple(
            Cell(
                *(texts[r][c], e.value, (r, c) in bold),
                *(ranks.get((r, c)), e.mark, e.n),
            )
            for c, e in enumerate(line)
        )
        for r, line in enumerate(lines)
    )


def _text(entry: Entry, looks: Style) -> str:
    return fixed(entry.value, looks.digits.get(entry.column))


def _contests(
    lines: Sequence[Sequence[Entry]], height: int, looks: Style
) -> Iterator[tuple[str, list[Place]]]:
    """Column and places of each: of two or more values, baselines aside.

    Means of fewer scenarios than others are aside, too: they are of other ones.
    """
    groups: dict[tuple[Any, ...], list[Place]] = {}
    for r, line in enumerate(lines):
        for c, entry in enumerate(line):
            competes = entry.column in looks.bold and is_number(entry.value)
            aside = entry.aside or entry.row.get("kind") == "baseline"
            if not competes or aside:
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


def _best(
    values: Mapping[Place, float],
    better: Callable[..., float],
    texts: Sequence[Sequence[str]],
) -> set[Place]:
    if len(set(values.values())) == 1:
        return set()
    best = better(values.values())
    shown = {texts[r][c] for (r, c), value in values.items() if value == best}
    return {(r, c) for r, c in values if texts[r][c] in shown}


def _ranks(values: Mapping[Place, float], *, lower: bool) -> dict[Place, int]:
    """1 = best; equal values share the better rank."""
    order = sorted(values.values(), reverse=not lower)
    return {place: order.index(value) + 1 for place, value in values.items()}
