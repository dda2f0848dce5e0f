"""Utility of a runtime, and who is first at every horizon.

A solution after t is worth u(t) = max(0, 1 - t/h): 1 at once, nothing from the horizon h on. That is the
utility of somebody who may need the solution at any moment before h with equal chance. A run without a
solution is worth nothing.

Source: Graham, Leyton-Brown and Roughgarden 2023, Formalizing Preferences Over Runtime Distributions (arXiv
2205.13028).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from aslib_eval.metrics.runs import Floats


def mean_utilities(times: Floats, *, horizon: float) -> Floats:
    """Mean utility of each solver: (n_solvers,).

    times: (n_instances, n_solvers) as shares of the cutoff, infinite where not solved; of a solver with a
        nan, a run that is missing, it is nan.
    horizon: share of the cutoff, above 0. With 1 and one cutoff for all instances the mean is 1 - PAR1 /
        cutoff.
    """
    worth = np.clip(1 - times / horizon, 0.0, None)
    return np.asarray(worth.mean(axis=0))


@dataclass(frozen=True)
class Reign:
    """Horizons at which the same solvers are first: from ``low`` up to ``high``."""

    low: float
    high: float
    first: tuple[int, ...]


def reigns(times: Floats) -> list[Reign]:
    """Who is first at every horizon from 0 to 1, exactly; a list in ascending order.

    times: as of ``mean_utilities``, without nan.

    Between two runtimes that follow each other, n times the mean is m - S/h, with m runs below h and S the
    sum of their times: a line in 1/h. So the first solver is that of the upper envelope of the lines.

    Edge cases: below the fastest run all are worth 0 and all are first. Solvers with equal lines are first
    together; at a single horizon where two cross, neither reign says so.
    """
    ends = np.unique(np.append(times[(times > 0) & (times < 1)], 1.0))
    starts = np.append(0.0, ends[:-1])
    ordered = np.sort(times, axis=0)
    sums = np.cumsum(np.where(np.isfinite(ordered), ordered, 0.0), axis=0)
    sums = np.vstack([np.zeros(times.shape[1]), sums])
    solvers = np.arange(times.shape[1])
    counts = np.column_stack([np.searchsorted(ordered[:, s], starts, side="right") for s in solvers])
    found: list[Reign] = []
    for start, end, m in zip(starts, ends, counts, strict=True):
        for reign in _envelope(m.astype(float), sums[m, solvers], start, end):
            if found and found[-1].first == reign.first:
                found[-1] = Reign(found[-1].low, reign.high, reign.first)
            else:
                found.append(reign)
    return found


def _envelope(counts: Floats, sums: Floats, low: float, high: float) -> list[Reign]:
    """The first of counts - sums/h for h from low to high."""
    found = []
    h = low
    while h < high:
        # Below the fastest runs only those count that took no time at all.
        values = counts - sums / h if h else counts
        best = values.max()
        ahead = np.flatnonzero(values >= best - 1e-12 * max(1.0, abs(best)))
        # Of those equal at h the one that stays ahead as h grows, as the derivative is sums/h².
        leader = ahead[sums[ahead].argmax()]
        more, later = counts - counts[leader], sums - sums[leader]
        same = (more == 0) & np.isclose(sums, sums[leader], rtol=1e-12)
        crossing = np.divide(later, more, out=np.full(len(more), np.inf),
                             where=(more > 0) & (later > 0))  # fmt: skip
        until = float(min([high, *crossing[crossing > h]]))
        found.append(Reign(h, until, tuple(np.flatnonzero(same).tolist())))
        h = until
    return found
