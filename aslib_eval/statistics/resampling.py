"""Bootstrap draws that determine SBS and VBS anew.

All of it is a function of its arguments. Only uniform doubles are drawn, the part of numpy's generators
that is least likely to change between versions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from aslib_eval.errors import AslibError
from aslib_eval.statistics.distributions import average_ranks

Numbers = NDArray[np.float64]
_CELLS = 4_000_000  # weights in memory at once
_LARGE, _SCALE = 1e290, 2.0**-40  # sums of larger costs may overflow


@dataclass(frozen=True)
class Draws:
    """Scores of every solver in every draw; the first row is the data itself.

    cost, loss (the cost above VBS), closed_gap: (1 + draws, n_solvers); sbs:
    (1 + draws,) index of the single best algorithm; vbs_cost: (1 + draws,); group_loss: (n_groups,
    n_solvers) the loss summed over the rows that are drawn as one. Losses are divided by 2^40 where costs
    are so large that their sums would overflow. closed_gap is nan where SBS equals VBS in the draw, all are
    nan for a solver
    without cost on some instance. Compare solvers by their loss: it loses fewer digits than the cost.
    """

    cost: Numbers
    loss: Numbers
    closed_gap: Numbers
    sbs: NDArray[np.int64]
    vbs_cost: Numbers
    group_loss: Numbers


def bootstrap(
    costs: Numbers,
    vbs: Numbers,
    entrants: NDArray[np.bool_],
    *,
    draws: int,
    rng: np.random.Generator,
    criterion: Numbers | None = None,
    groups: NDArray[np.int64] | None = None,
) -> Draws:
    """Score the solvers on ``draws`` samples of the instances with replacement.

    costs: (n, n_solvers), lower is better, nan = none; vbs: (n,) least cost of the algorithms; entrants:
    (n_solvers,) true for the algorithms that can be SBS, which
    is chosen anew in each draw, the first of equals. criterion: (n, n_solvers) what
    SBS has least of, if not the cost. groups: (n,) codes of rows that are drawn as
    one, such as the repetitions of an instance; a draw then has as many groups as
    the data, and means are over its rows.

    Source: Efron, Tibshirani 1993, chapters 6 and 13; closed gap as in Amadini et
    al. 2023, Definition 3, with both ends drawn.
    """
    ranked = costs if criterion is None else criterion
    able = entrants & ~np.isnan(ranked).any(axis=0) & ~np.isnan(costs).any(axis=0)
    if not len(costs) or not able.any():
        raise AslibError("no instance and no algorithm with all costs: nothing to draw", "bootstrap")
    codes = np.arange(len(costs)) if groups is None else groups
    scale = _SCALE if np.nanmax(np.abs(costs)) > _LARGE else 1.0
    costs, vbs, ranked = costs * scale, vbs * scale, ranked * scale
    loss = costs - vbs[:, None]  # a gap of exactly 0 stays one
    columns = np.concatenate([loss, vbs[:, None], ranked[:, able], np.ones((len(costs), 1))], axis=1)
    means = np.concatenate(list(_means(columns, codes, draws, rng)))
    above, vbs_cost = means[:, : loss.shape[1]], means[:, loss.shape[1]]
    sbs = np.flatnonzero(able)[means[:, loss.shape[1] + 1 :].argmin(axis=1)]
    headroom = above[np.arange(len(above)), sbs][:, None]
    with np.errstate(over="ignore"):
        gap = 1 - above / np.where(headroom > 0, headroom, np.nan)
    gap[np.isinf(gap)] = np.nan  # beyond all numbers
    each = np.zeros((int(codes.max()) + 1, loss.shape[1]))
    np.add.at(each, codes, loss)
    return Draws((above + vbs_cost[:, None]) / scale, above, gap, sbs, vbs_cost / scale, each)


def _means(
    columns: Numbers, codes: NDArray[np.int64], draws: int, rng: np.random.Generator
) -> Iterator[Numbers]:
    """Mean of all columns but the last, the count; first of the data itself."""
    _, members = np.unique(codes, return_inverse=True)
    n = int(members.max()) + 1
    sums = np.zeros((n, columns.shape[1]))
    np.add.at(sums, members, columns)
    # Equal columns are added up once: a product may round them differently.
    sums, place = np.unique(sums, axis=1, return_inverse=True)
    by_column = np.ascontiguousarray(sums.T)
    yield _mean(sums.sum(axis=0, keepdims=True)[:, place])
    for start in range(0, draws, step := max(1, _CELLS // n)):
        size = min(step, draws - start)
        drawn = rng.integers(n, size=(size, n))
        drawn += np.arange(size)[:, None] * n
        weights = np.bincount(drawn.ravel(), minlength=size * n).reshape(size, n)
        # Not a product of matrices, which rounds as the number of threads has it.
        yield _mean(np.einsum("dn,kn->dk", weights.astype(np.float64), by_column)[:, place])


def _mean(totals: Numbers) -> Numbers:
    return totals[:, :-1] / totals[:, -1:]


def ranks(scores: Numbers) -> Numbers:
    """Rank of each column in its row, 1 = least; equal ones share the mean rank.

    scores: (draws, n_solvers); a column with a nan in its first row has no rank.
    """
    found = np.full(scores.shape, np.nan)
    scored = ~np.isnan(scores[0])
    found[:, scored] = average_ranks(scores[:, scored])
    return found


def interval(values: Numbers, *, level: float, outward: bool = False) -> tuple[float, float]:
    """Percentile interval of the values that are not nan; nan, nan if none is.

    outward: each end is one of the values, the next one outside.
    """
    kept = values[~np.isnan(values)]
    if not len(kept):
        return float("nan"), float("nan")
    tail = (1 - level) / 2
    if outward:
        low = np.quantile(kept, tail, method="lower")
        return float(low), float(np.quantile(kept, 1 - tail, method="higher"))
    low, high = np.quantile(kept, [tail, 1 - tail])
    return float(low), float(high)


# Fieller's interval of a ratio of means whose denominator may be small.

_LEAST = 2  # fewer rows have no spread


def fieller(above: Numbers, below: Numbers, *, level: float) -> tuple[Numbers, Numbers]:
    """Ends of the intervals of ``mean(above) / mean(below)``, one for each column.

    above: (n, k); below: (n,) the common denominator, its mean above 0. A ratio r is inside if Student's t
    test does not reject that the mean of ``above - r * below``
    is 0. Both ends are infinite where it does not reject that the denominator is 0 either, or n is 1; both
    are the ratio where the columns are proportional.

    Source: Fieller 1954, Journal of the Royal Statistical Society B 16, 175-185.
    """
    from aslib_eval.statistics.distributions import t_quantile

    n = len(below)
    infinite = np.full(above.shape[1], np.inf)
    if n < _LEAST:
        return -infinite, infinite
    scale = np.abs(below).max()
    above, below = above / scale, below / scale
    x, y = above.mean(axis=0), float(below.mean())
    unit = t_quantile((1 + level) / 2, n - 1) ** 2 / (n - 1) / n
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
    """Interval of every solver's closed gap, allowing for the uncertainty of SBS.

    loss: (n, n_solvers) cost above VBS, summed over the rows of an instance; drawn_gaps: (draws,
    n_solvers), nan where SBS equals VBS; sbs: (1 + draws,) the single best of the data, then of each draw.
    The interval contains Fieller's for every algorithm that is SBS in at least 1 % of the draws, and the
    percentiles of the draws. It ends at 1 for a solver that never costs less than VBS; an end is infinite
    where an SBS may be as good as VBS. nan for a solver without cost on some instance.

    Source: Fieller 1954; the union over candidates for SBS keeps the level because the interval of the true
    one is part of it. Coverage measured in docs/statistics/;
    for what it does not cover see ``one_worse`` and ``instances_of_sbs``.
    """
    scored = ~np.isnan(loss).any(axis=0)
    least, most = headroom_intervals(loss, loss, sbs, level=level)
    low, high = 1 - most, 1 - least
    tail = (1 - level) / 2
    for at in np.flatnonzero(scored):
        values = drawn_gaps[:, at]
        values = values[~np.isnan(values)]
        if len(values):
            ends = np.quantile(values, [tail, 1 - tail])
            low[at], high[at] = min(low[at], ends[0]), max(high[at], ends[1])
    never_less = (loss >= 0).all(axis=0)
    high = np.where(never_less, np.minimum(high, 1), high)
    return np.where(scored, low, np.nan), np.where(scored, high, np.nan)


def headroom_intervals(
    above: Numbers, loss: Numbers, sbs: NDArray[np.int64], *, level: float
) -> tuple[Numbers, Numbers]:
    """Fieller's intervals of sums over the loss of SBS, of all candidates together."""
    least, most = (np.full(above.shape[1], end) for end in (np.inf, -np.inf))
    share = np.bincount(sbs[1:], minlength=loss.shape[1]) / max(1, len(sbs) - 1)
    share[sbs[0]] = 1
    for one in np.flatnonzero(share >= _PLAUSIBLE):
        if loss[:, one].sum() <= 0:
            return np.full_like(least, -np.inf), np.full_like(most, np.inf)
        low, high = fieller(above, loss[:, one], level=level)
        least, most = np.fmin(least, low), np.fmax(most, high)
    return least, most


_PLAUSIBLE = 0.01  # share of the draws
FEW = 5  # instances with nine tenths of the loss of SBS


def one_worse(loss: Numbers, sbs: int, *, low: Numbers, entrants: NDArray[np.bool_]) -> Numbers:
    """Every solver's gap with one further instance of the worst loss, if below ``low``.

    loss: (n, n_solvers) as in ``gap_interval``, low: (n_solvers,) its lower ends; the worst is the largest
    loss of any of the ``entrants``, the algorithms. nan where the interval contains that gap too, for the
    SBS itself, and where the gap is not defined. An interval reflects only the losses in the data; where
    this gap is outside, a kind of loss too rare for n instances is enough to make it wrong. Measured in
    docs/statistics/: nearly all misses are where this rule applies.
    """
    headroom = loss[:, sbs].sum()
    if not headroom > 0:
        return np.full(loss.shape[1], np.nan)
    gap = 1 - (loss.sum(axis=0) + np.nanmax(loss[:, entrants])) / headroom
    return np.where((gap < low) & (np.arange(len(gap)) != sbs), gap, np.nan)


def instances_of_sbs(loss: Numbers, sbs: int) -> int:
    """Least number of instances with nine tenths of the loss of SBS.

    loss: (n, n_solvers) as in ``gap_interval``. 0 where SBS equals VBS.
    """
    falling = np.sort(loss[:, sbs])[::-1]
    total = falling.sum()
    if not total > 0:
        return 0
    return int((np.cumsum(falling) < 0.9 * total * (1 - 1e-12)).sum()) + 1
