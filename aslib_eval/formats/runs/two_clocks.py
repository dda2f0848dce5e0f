"""CPU time beside wall-clock time: which run has another unit, or another's time."""

from __future__ import annotations

from collections.abc import Sequence

_LEAST = 1.0  # [s], shorter runs are measured too roughly
_RUNS = 20  # so many must be compared
_FAR = 10.0


def odd_clocks(walls: Sequence[float | None], cpus: Sequence[float | None]) -> list[int]:
    """Positions of runs, two at most, whose times fit each other as in no other run.

    That is one whose CPU time is more than ten times as many wall-clock times as that of any other run, or
    as few. Only runs of at least a second are compared, if there are 20; a file whose solvers use one core
    and another one use a thousand has none.

    >>> odd_clocks([2.0] * 30, [1.9] * 29 + [1900.0])
    [29]
    >>> odd_clocks([2.0] * 5, [1.9] * 4 + [1900.0])
    []
    """
    ratios = sorted(
        (cpu / wall, at)
        for at, (wall, cpu) in enumerate(zip(walls, cpus, strict=True))
        if wall and cpu and min(wall, cpu) > 0 and max(wall, cpu) >= _LEAST
    )
    if len(ratios) < _RUNS:
        return []
    (least, first), (second, _), *_, (before, _), (most, last) = ratios
    return [at for at, is_far in ((first, least * _FAR < second), (last, most > _FAR * before)) if is_far]
