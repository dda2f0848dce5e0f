"""Which columns may tell runs apart, where their names do not say what they hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from aslib_eval.formats.runs.run_cells import number

_MOST, _TOGETHER = 8, 3  # columns that are tried, and how many of them at once
_ROWS = 5000  # rows that are looked at
_LEFT = 0.1  # the share of runs there twice that may be left, as of a row copied


def may_name(cells: Sequence[str], of: Sequence[str]) -> bool:
    """Whether a column may name something that several runs have in common.

    cells: of the column. of: by solver, else by instance, whose row each is. Most
    cells stand with several of them, as a key does; or they are words that repeat.
    What is measured does neither: it is another number in each row.
    """
    holders: dict[str, set[str]] = {}
    for cell, each in zip(cells, of, strict=True):
        holders.setdefault(cell, set()).add(each)
    if "" in holders:
        return False
    shared = sum(len(holders[cell]) > 1 for cell in cells)
    if len({*of}) > 1 and 2 * shared >= len(cells):
        return True
    return 2 * len(holders) <= len(cells) and _kind(cells) == 0


def are_whole(cells: Sequence[str]) -> bool:
    """Whether all cells are whole numbers."""
    return _kind(cells) == 1


def _kind(cells: Sequence[str]) -> int:
    """0 of words, 1 of whole numbers, 2 of other numbers."""
    values = [number(cell) for cell in cells]
    if None in values:
        return 0
    return 1 if all(value is not None and value.is_integer() for value in values) else 2


def telling_apart(
    columns: Mapping[str, Sequence[str]],
    *,
    runs: Sequence[object],
    of: Sequence[str],
    known: Sequence[str] = (),
) -> tuple[str, ...]:
    """The fewest columns that tell rows of one run apart; nothing if none do.

    columns: name → its cells. runs: which run each row is. of: as in ``may_name``. known: columns that name
    something by their own names. Words are tried before whole numbers, and those before other numbers.
    """
    named = [n for n, cells in columns.items() if n in known or may_name(cells, of)]
    named = [name for name in named if len({*columns[name]}) > 1]
    named.sort(key=lambda name: (name not in known, _kind(columns[name])))
    seen: dict[object, int] = {}
    for run in runs:
        seen[run] = seen.get(run, 0) + 1
    at = [k for k, run in enumerate(runs) if seen[run] > 1][:_ROWS]
    doubled = len(at) - len({runs[k] for k in at})
    for most in range(3):
        tried = [n for n in named if n in known or _kind(columns[n]) <= most][:_MOST]
        for size in range(1, _TOGETHER + 1):
            for names in combinations(tried, size):
                cells = [columns[name] for name in names]
                different = {(runs[k], *(column[k] for column in cells)) for k in at}
                if len(at) - len(different) <= _LEFT * doubled:
                    return names
    return ()
