"""Who competes with whom in a table: the best, the ranks, and the summary rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from math import isnan
from statistics import fmean, median
from typing import TYPE_CHECKING, Any, NamedTuple

from aslib_eval.tables.style import BETTER, Style
from aslib_eval.tables.table import Cell, PaperColumn
from aslib_eval.text import comparable, fixed, is_number

if TYPE_CHECKING:
    import polars as pl

    from aslib_eval.database.sqlfiles import Metric

Place = tuple[int, int]
_CONTRIBUTIONS = ("amc", "rmc", "shapley")  # of analysis.contributions: more is better
_SCOPE = ("protocol", "scenario_id", "measure", "kind")
_SOLVER = ("solver", "algorithm", "system")
SUMMARIES: Mapping[str, Callable[[list[float]], float]] = {"mean": fmean, "median": median}


class Entry(NamedTuple):
    """A value on its way into a cell: its column in the query, and its whole row.

    n: of how many it is a mean, where that is to be shown. excluded: from best and rank, as it is a mean
    over fewer scenarios than its neighbours.
    """

    column: str
    value: Any
    mark: str
    row: Mapping[str, Any]
    n: int | None = None
    excluded: bool = False


Line = Sequence[Entry]


def ranked_cells(
    grid: Sequence[Line], style: Style, *, summaries: Sequence[Line] = ()
) -> tuple[tuple[Cell, ...], ...]:
    """Cells with their digits, and in each comparison group the best and the ranks.

    Values that look the same as the best are bold too; ranks go by the values. Where all values are equal
    nobody is the best.
    """
    lines = [*grid, *summaries]
    digits = style.digits
    texts = [[fixed(e.value, digits.get(e.column)) for e in line] for line in lines]
    bold: set[Place] = set()
    ranks: dict[Place, int] = {}
    for column, places in _comparison_groups(lines, len(grid), style):
        values = {(r, c): comparable(lines[r][c].value) for r, c in places}
        bold |= _best(values, BETTER[style.bold[column]], texts)
        if column in style.rank:
            ranks |= _ranks(values, lower=style.bold[column] == "min")
    return tuple(
        tuple(
            Cell(*(texts[r][c], e.value, (r, c) in bold), *(ranks.get((r, c)), e.mark, e.n))
            for c, e in enumerate(line)
        )
        for r, line in enumerate(lines)
    )


def _comparison_groups(
    lines: Sequence[Line], height: int, style: Style
) -> Iterator[tuple[str, list[Place]]]:
    """Column and places of each group of two or more values that compete.

    Baselines do not, nor do means over fewer scenarios than others.
    """
    groups: dict[tuple[Any, ...], list[Place]] = {}
    for r, line in enumerate(lines):
        for c, entry in enumerate(line):
            is_score = entry.column in style.bold and is_number(entry.value)
            is_baseline = entry.row.get("kind") == "baseline"
            if not is_score or entry.excluded or is_baseline:
                continue
            if style.across:
                key: tuple[Any, ...] = (entry.column, r)
            elif r < height:
                key = (entry.column, *(entry.row[name] for name in style.within))
            else:
                continue  # a mean competes with nobody in its column
            groups.setdefault(key, []).append((r, c))
    for (column, *_), places in groups.items():
        if len(places) > 1:
            yield column, places


def _best(
    values: Mapping[Place, float], better: Callable[..., float], texts: Sequence[Sequence[str]]
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


def summary_rows(style: Style, columns: Sequence[PaperColumn], grid: Sequence[Line]) -> list[list[Entry]]:
    """Mean and median of the columns whose best is bold, over the rows with a value.

    Each protocol has its own. The label of a row says of how many rows its means are;
    a mean of fewer says so itself. One that lacks a row which another beside it has is excluded: it does
    not compete.
    """
    at = next((i for i, c in enumerate(columns) if c.name == "protocol"), None)
    blocks = groupby(grid, key=lambda line: None if at is None else line[at].value)
    return [row for protocol, block in blocks for row in _summaries(style, [*block], at, protocol)]


def _summaries(style: Style, block: Sequence[Line], at: int | None, protocol: Any) -> Iterator[list[Entry]]:
    """The summary rows of one protocol, whose name stands in column ``at``."""
    names = [entry.column if entry.column in style.bold else "" for entry in block[0]]
    values = [
        [line[c].value for line in block if name and is_number(line[c].value)]
        for c, name in enumerate(names)
    ]
    complete = {name: _rows_of(block, names, name) for name in set(names) - {""}}
    most = max(complete.values(), default=0)
    for word in style.foot:
        row = [
            Entry(name, SUMMARIES[word](some) if some else None if name else "", "", {})
            for name, some in zip(names, values, strict=True)
        ]
        for c, some in enumerate(values):
            n = len(some) if some and len(some) != most else None
            excluded = bool(some) and len(some) != complete[names[c]]
            row[c] = row[c]._replace(n=n, excluded=excluded)
        if at is not None:
            row[at] = Entry("", protocol, "", {})
        row[1 if at == 0 else 0] = Entry("", word, "", {}, n=most)
        yield row


def _rows_of(block: Sequence[Line], names: Sequence[str], name: str) -> int:
    """How many rows have a value in any column of that name."""
    places = [c for c, other in enumerate(names) if other == name]
    return sum(any(is_number(line[c].value) for c in places) for line in block)


def notes_on_means(style: Style, lines: Sequence[Line]) -> list[str]:
    """Sentences: over how many rows the means are, and what (n = k) is."""
    notes = [] if style.across else _sizes(style, lines)
    if any(entry.excluded for line in lines for entry in line):
        notes.append(
            "(n = k): over k scenarios only, where others are over more: neither ranked nor set in bold."
        )
    return notes


def _sizes(style: Style, lines: Sequence[Line]) -> list[str]:
    """Of how many the means of each column are, where no row says so."""
    found: dict[str, list[str]] = {}
    for name, (_, whole) in style.over.items():
        sizes = {e.row[whole] for line in lines for e in line if e.column == name}
        text = " or ".join(str(n) for n in sorted(sizes - {None}))
        found.setdefault(text, []).append(style.heading(name))
    if len(found) < 2:  # noqa: PLR2004
        return [f"Means of n = {text}." for text in found if text]
    parts = (f"n = {text} ({', '.join(names)})" for text, names in found.items())
    return [f"Means of {', '.join(parts)}."]


def best_cells(frame: pl.DataFrame, metrics: Mapping[str, Metric]) -> set[Place]:
    """(row, column) of the best solvers, within each scenario, protocol and kind.

    Baselines are no competitors. Alone, or all equal, nobody is the best. ``gap``, which may be of either
    direction, follows ``closed_gap``.
    """
    if not set(_SOLVER) & set(frame.columns):
        return set()
    scope = [frame.columns.index(name) for name in _SCOPE if name in frame.columns]
    kind = frame.columns.index("kind") if "kind" in frame.columns else None
    groups: dict[tuple[Any, ...], list[int]] = {}
    rows = frame.rows()
    for at, row in enumerate(rows):
        if kind is None or row[kind] != "baseline":
            groups.setdefault(tuple(row[i] for i in scope), []).append(at)
    directions = {name: metric.better for name, metric in metrics.items()}
    directions |= dict.fromkeys(_CONTRIBUTIONS, "max")
    found = {
        (at, to)
        for name, direction in directions.items()
        if name in frame.columns
        for better in (BETTER[direction],)
        for to in (frame.columns.index(name),)
        for group in groups.values()
        for at in _best_rows(rows, group, to, better)
    }
    return found | _gap_cells(frame.columns, found)


def _best_rows(
    rows: Sequence[tuple[Any, ...]],
    group: Sequence[int],
    column: int,
    better: Callable[[Iterable[float]], float],
) -> list[int]:
    values = {at: rows[at][column] for at in group}
    values = {at: comparable(v) for at, v in values.items() if is_number(v) and not isnan(v)}
    if len(set(values.values())) < 2:  # noqa: PLR2004
        return []
    best = better(values.values())
    return [at for at, value in values.items() if value == best]


def _gap_cells(names: Sequence[str], found: set[tuple[int, int]]) -> set[tuple[int, int]]:
    if not {"gap", "closed_gap"} <= set(names):
        return set()
    gap, closed = names.index("gap"), names.index("closed_gap")
    return {(at, gap) for at, to in found if to == closed}
