"""Laws that a ranking may keep or break, tried on the data of a scenario."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from aslib_eval.errors import AslibError
from aslib_eval.extensions.orderings.analysis.orders import SolverCosts, frame_of, places
from aslib_eval.extensions.orderings.words import WAYS, Way
from aslib_eval.metrics.runs import Floats

if TYPE_CHECKING:
    import polars as pl

# Gives what was tried, and in words what broke the law there, if it did.
_Tried = Iterator[str | None]


def third_solvers(contest: SolverCosts, way: Way) -> _Tried:
    """Each solver left out, and all but each two: the others keep their order."""
    before = places(contest, way)
    everyone = set(range(len(before)))
    some = combinations(sorted(everyone), len(everyone) - 1)
    for rest in sorted({*some, *combinations(sorted(everyone), 2)}):
        if not 1 < len(rest) < len(everyone):  # nobody is left out, or nobody to swap
            continue
        names = [contest.solvers[s] for s in rest]
        swap = _swap(before[list(rest)], places(contest.of(rest), way), names)
        (gone, *more) = sorted(everyone - set(rest))
        without = "all others" if more else contest.solvers[gone]
        yield swap and f"without {without}, {swap}"


def clones(contest: SolverCosts, way: Way) -> _Tried:
    """A copy of each solver added: all others keep their order."""
    before = places(contest, way)
    n = len(before)
    for copied, name in enumerate(contest.solvers):
        after = places(contest.of([*range(n), copied]), way)[:n]
        swap = _swap(before, after, contest.solvers)
        yield swap and f"with a copy of {name}, {swap}"


def improvements(contest: SolverCosts, way: Way) -> _Tried:
    """Each solver as good as the best of each instance on a tenth of them.

    Then it must not lose its place. The tenths are every tenth instance by name, from the first, the second
    and the third on.
    """
    before = places(contest, way)
    best = np.fmin.reduce(contest.costs, axis=1)
    used = contest.used
    least = None if used is None else np.fmin.reduce(used, axis=1)
    for s, name in enumerate(contest.solvers):
        for start in range(3):
            at = slice(start, None, 10)
            changed = replace(
                contest,
                costs=_set(contest.costs, at, s, best),
                finished=_set(contest.finished, at, s, contest.finished.any(axis=1)),
                used=used if used is None else _set(used, at, s, least),
            )
            after = places(changed, way)
            yield (
                f"{name} falls from {before[s]:g} to {after[s]:g} as it gets better"
                if after[s] > before[s]
                else None
            )


def _set(table: Any, at: slice, solver: int, values: Any) -> Any:
    """The table with other values on some instances of a solver that is on them."""
    found = table.copy()
    there = ~np.isnan(table[at, solver])
    found[at, solver] = np.where(there, values[at], table[at, solver])
    return found


_LAWS: dict[str, Callable[[SolverCosts, Way], _Tried]] = {
    "third solvers": third_solvers,
    "clones": clones,
    "improvements": improvements,
}


def _swap(before: Floats, after: Floats, names: Sequence[str]) -> str | None:
    """The first two of which one was ahead and is behind, or all that are so."""
    turned = (before[:, None] < before) & (after[:, None] > after)
    if not turned.any():
        return None
    one, two = np.argwhere(turned)[0].tolist()
    return f"{names[two]} is before {names[one]}"


def laws_frame(made: Sequence[SolverCosts]) -> pl.DataFrame:
    """A row for each way and law: whether it broke, how often, and the first example.

    third solvers: leaving one out, or all but two, swaps no two others. clones: a copy of one swaps no two
    others. improvements: who gets better loses no place. A tie that comes or goes is no swap.
    """
    rows: list[tuple[SolverCosts, tuple[Any, ...]]] = []
    for contest in made:
        for way in WAYS:
            for law, tries in _LAWS.items():
                try:
                    found = list(tries(contest, way))
                    ranks_some = not np.isnan(places(contest, way)).all()
                except AslibError as error:  # too many solvers for an exact order
                    rows.append((contest, (way, law, None, 0, 0, error.message)))
                    continue
                broken = [each for each in found if each]
                example = broken[0] if broken else None
                if ranks_some:
                    kept = not broken if found else None
                    counts = len(found), len(broken), example
                    rows.append((contest, (way, law, kept, *counts)))
    columns = {"way": str, "law": str, "kept": bool, "n_tried": int, "n_broken": int}
    return frame_of(rows, {**columns, "example": str})
