"""Which cells of a frame of scores are the best ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import isnan
from typing import TYPE_CHECKING, Any

from aslib_eval.tables.values import is_number, settled

if TYPE_CHECKING:
    import polars as pl

    from aslib_eval.database.sqlfiles import Metric

_BETTER: Mapping[str, Callable[[Iterable[float]], float]] = {"min": min, "max": max}
_CONTRIBUTIONS = ("amc", "rmc", "shapley")  # of analysis.contributions: more is better
_SCOPE = ("protocol", "scenario_id", "measure", "kind")
_SOLVER = ("solver", "algorithm", "system")


def best_cells(
    frame: pl.DataFrame, metrics: Mapping[str, Metric]
) -> set[tuple[int, int]]:
    """(row, column) of the best solvers, within each scenario, protocol and kind.

    Baselines are no competitors. Alone, or all equal, nobody is the best. ``gap``,
    which may be of either direction, follows ``closed_gap``.
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
        for better in (_BETTER[direction],)
        for to in (frame.columns.index(name),)
        for group in groups.values()
        for at in _best(rows, group, to, better)
    }
    return found | _beside(frame.columns, found)


def _best(
    rows: Sequence[tuple[Any, ...]],
    group: Sequence[int],
    column: int,
    better: Callable[[Iterable[float]], float],
) -> list[int]:
    values = {at: rows[at][column] for at in group}
    values = {
        at: settled(v) for at, v in values.items() if is_number(v) and not isnan(v)
    }
    if len(set(values.values())) < 2:  # noqa: PLR2004
        return []
    best = better(values.values())
    return [at for at, value in values.items() if value == best]


def _beside(names: Sequence[str], found: set[tuple[int, int]]) -> set[tuple[int, int]]:
    if not {"gap", "closed_gap"} <= set(names):
        return set()
    gap, closed = names.index("gap"), names.index("closed_gap")
    return {(at, gap) for at, to in found if to == closed}
