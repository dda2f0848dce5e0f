"""Intervals of a ratio of means whose denominator may be small."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
_LEAST = 2  # fewer rows have no spread


def fieller(above: Numbers, below: Numbers, *, level: float) -> tuple[Numbers, Numbers]:
    """Ends of the intervals of ``mean(above) / mean(below)``, one for each column.

    above: (n, k); below: (n,) the common denominator, its mean above 0. A ratio r is
    inside if Student's t test does not reject that the mean of ``above - r * below``
    is 0. Both ends are infinite where it does not reject that the denominator is 0
    either, or n is 1; both are the ratio where the columns are proportional.
    Source: Fieller 1954, Journal of the Royal Statistical Society B 16, 175-185.
    """
    from scipy.stats import t as student

    n = len(below)
    infinite = np.full(above.shape[1], np.inf)
    if n < _LEAST:
        return -infinite, infinite
    scale = np.abs(below).max()
    above, below = above / scale, below / scale
    x, y = above.mean(axis=0), float(below.mean())
    unit = float(student.ppf((1 + level) / 2, n - 1)) ** 2 / (n - 1) / n
    away, down = above - x, below - y
    xx = unit * (away**2).sum(axis=0)
    xy = unit * (away * down[:, None]).sum(axis=0)
    yy = unit * float((down**2).sum())
    # x² - 2 r x y + r² y² <= xx - 2 r xy + r² yy
    square, middle = y**2 - yy, x * y - xy
    if square <= 0:
        low, high = -infinite, infinite
    else:
        root = np.sqrt(np.maximum(middle**2 - square * (x**2 - xx), 0))
        low, high = (middle - root) / square, (middle + root) / square
    ratio = x / y
    rest = np.abs(above - ratio * below[:, None]).max(axis=0)
    exact = rest <= 1e-12 * np.maximum(np.abs(above).max(axis=0), np.abs(ratio))
    return np.where(exact, ratio, low), np.where(exact, ratio, high)


def gap_interval(
    loss: Numbers, drawn_gaps: Numbers, sbs: NDArray[np.int64], *, level: float
) -> tuple[Numbers, Numbers]:
    """Ends of the interval of every solver's closed gap, for the unknown SBS too.

    loss: (n, n_solvers) cost above VBS, summed over the rows of an instance;
    drawn_gaps: (draws, n_solvers), nan where SBS equals VBS; sbs: (1 + draws,) the
    single best of the data, then of each draw. The interval holds Fieller's for every
    algorithm that is SBS in at least 1 % of the draws, and the percentiles of the
    draws. It ends at 1 for who never costs less than VBS; an end is infinite where an
    SBS may be as good as VBS. nan for a solver without cost on some instance.
    Source: Fieller 1954; the union over who may be SBS keeps the level because the
    interval of the true one is part of it. Measured in docs/statistics.md, with what
    it does not cover: see ``one_worse`` and ``instances_of_sbs``.
    """
    n_solvers = loss.shape[1]
    low, high = np.full(n_solvers, np.inf), np.full(n_solvers, -np.inf)
    share = np.bincount(sbs[1:], minlength=n_solvers) / max(1, len(sbs) - 1)
    share[sbs[0]] = 1
    known = ~np.isnan(loss).any(axis=0)
    for one in np.flatnonzero(share >= _PLAUSIBLE):
        if loss[:, one].sum() <= 0:
            low, high = np.full(n_solvers, -np.inf), np.full(n_solvers, np.inf)
            break
        least, most = fieller(loss, loss[:, one], level=level)
        low, high = np.fmin(low, 1 - most), np.fmax(high, 1 - least)
    tail = (1 - level) / 2
    for at in np.flatnonzero(known):
        values = drawn_gaps[:, at]
        values = values[~np.isnan(values)]
        if len(values):
            ends = np.quantile(values, [tail, 1 - tail])
            low[at], high[at] = min(low[at], ends[0]), max(high[at], ends[1])
    never_less = (loss >= 0).all(axis=0)
    high = np.where(never_less, np.minimum(high, 1), high)
    return np.where(known, low, np.nan), np.where(known, high, np.nan)


_PLAUSIBLE = 0.01  # share of the draws
FEW = 5  # instances that hold nine tenths of the loss of SBS


def one_worse(
    loss: Numbers, sbs: int, *, low: Numbers, entrants: NDArray[np.bool_]
) -> Numbers:
    """Every solver's gap with one further instance of the worst loss, if below ``low``.

    loss: (n, n_solvers) as in ``gap_interval``, low: (n_solvers,) its lower ends; the
    worst is the largest loss of any of the ``entrants``, the algorithms. nan where the
    interval holds that gap too, for the SBS itself, and where the gap is not defined.
    An interval knows only the losses that the data hold; where this gap is outside, a
    kind of loss too rare for n instances is enough to make it wrong. Measured in
    docs/statistics.md: nearly all misses are where this rule applies.
    """
    room = loss[:, sbs].sum()
    if not room > 0:
        return np.full(loss.shape[1], np.nan)
    gap = 1 - (loss.sum(axis=0) + np.nanmax(loss[:, entrants])) / room
    outside = (gap < low) & (np.arange(len(gap)) != sbs)
    return np.where(outside, gap, np.nan)


def instances_of_sbs(loss: Numbers, sbs: int) -> int:
    """On how many instances, at least, nine tenths of the loss of SBS lie.

    loss: (n, n_solvers) as in ``gap_interval``. 0 where SBS equals VBS.
    """
    falling = np.sort(loss[:, sbs])[::-1]
    total = falling.sum()
    if not total > 0:
        return 0
    return int((np.cumsum(falling) < 0.9 * total * (1 - 1e-12)).sum()) + 1
