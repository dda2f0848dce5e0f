"""Draws of instances with replacement in which SBS and VBS are drawn again too."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from aslib_eval.errors import AslibError

Numbers = NDArray[np.float64]
_CELLS = 4_000_000  # weights held at once
_LARGE, _SCALE = 1e290, 2.0**-40  # sums of larger costs may be no numbers


@dataclass(frozen=True)
class Draws:
    """What every solver scores in every draw; the first row is the data itself.

    cost, loss (the cost above VBS), closed_gap: (1 + draws, n_solvers); sbs:
    (1 + draws,) index of the single best algorithm; vbs_cost: (1 + draws,); group_loss:
    (n_groups, n_solvers) the loss summed over the rows that are drawn as one. Losses
    are divided by 2^40 where costs are so large that their sums were no numbers.
    closed_gap is nan where SBS equals VBS in the draw, all are nan for a solver
    without cost on some instance. Compare solvers by their loss: it has fewer digits
    to lose than the cost.
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

    costs: (n, n_solvers), lower is better, nan = none; vbs: (n,) least cost of the
    algorithms; entrants: (n_solvers,) true for the algorithms that can be SBS, which
    is chosen anew in each draw, the first of equals. criterion: (n, n_solvers) what
    SBS has least of, if not the cost. groups: (n,) codes of rows that are drawn as
    one, such as the repetitions of an instance; a draw then has as many groups as
    the data, and means are over its rows.
    Raises AslibError if there is no instance or no algorithm with all costs.
    Source: Efron, Tibshirani 1993, chapters 6 and 13; closed gap as in Amadini et
    al. 2023, Definition 3, with both ends drawn.
    """
    ranked = costs if criterion is None else criterion
    able = entrants & ~np.isnan(ranked).any(axis=0) & ~np.isnan(costs).any(axis=0)
    if not len(costs) or not able.any():
        what = "no instance and no algorithm with all costs: nothing to draw"
        raise AslibError(what, "bootstrap")
    codes = np.arange(len(costs)) if groups is None else groups
    scale = _SCALE if np.nanmax(np.abs(costs)) > _LARGE else 1.0
    costs, vbs, ranked = costs * scale, vbs * scale, ranked * scale
    loss = costs - vbs[:, None]  # a gap of exactly 0 stays one
    columns = np.concatenate(
        [loss, vbs[:, None], ranked[:, able], np.ones((len(costs), 1))], axis=1
    )
    means = np.concatenate(list(_means(columns, codes, draws, rng)))
    above, vbs_cost = means[:, : loss.shape[1]], means[:, loss.shape[1]]
    choice = means[:, loss.shape[1] + 1 :].argmin(axis=1)
    sbs = np.flatnonzero(able)[choice]
    room = above[np.arange(len(above)), sbs][:, None]
    with np.errstate(over="ignore"):
        gap = 1 - above / np.where(room > 0, room, np.nan)
    gap[np.isinf(gap)] = np.nan  # beyond all numbers
    each = np.zeros((int(codes.max()) + 1, loss.shape[1]))
    np.add.at(each, codes, loss)
    cost = (above + vbs_cost[:, None]) / scale
    return Draws(cost, above, gap, sbs, vbs_cost / scale, each)


def _means(
    columns: Numbers, codes: NDArray[np.int64], draws: int, rng: np.random.Generator
) -> Iterator[Numbers]:
    """Mean of all columns but the last, which counts; first of the data itself."""
    _, members = np.unique(codes, return_inverse=True)
    n = int(members.max()) + 1
    sums = np.zeros((n, columns.shape[1]))
    np.add.at(sums, members, columns)
    # Equal columns are added up once: a product may round them differently.
    sums, place = np.unique(sums, axis=1, return_inverse=True)
    yield _mean(sums.sum(axis=0, keepdims=True)[:, place])
    for start in range(0, draws, step := max(1, _CELLS // n)):
        size = min(step, draws - start)
        drawn = rng.integers(n, size=(size, n))
        drawn += np.arange(size)[:, None] * n
        weights = np.bincount(drawn.ravel(), minlength=size * n).reshape(size, n)
        yield _mean((weights.astype(np.float64) @ sums)[:, place])


def _mean(totals: Numbers) -> Numbers:
    return totals[:, :-1] / totals[:, -1:]


def ranks(scores: Numbers) -> Numbers:
    """Rank of each column in its row, 1 = least; equal ones share the mean rank.

    scores: (draws, n_solvers); a column with a nan in its first row has no rank.
    """
    found = np.full(scores.shape, np.nan)
    known = ~np.isnan(scores[0])
    for row, values in zip(found, scores[:, known], strict=True):
        _, place, count = np.unique(values, return_inverse=True, return_counts=True)
        last = np.cumsum(count)
        row[known] = (last - (count - 1) / 2)[place]
    return found


def interval(values: Numbers, *, level: float) -> tuple[float, float]:
    """Percentile interval of the values that are not nan; nan, nan if none is."""
    kept = values[~np.isnan(values)]
    if not len(kept):
        return float("nan"), float("nan")
    tail = (1 - level) / 2
    low, high = np.quantile(kept, [tail, 1 - tail])
    return float(low), float(high)


def share_better(costs: Numbers) -> Numbers:
    """(n_solvers, n_solvers) share of the draws in which row costs less than column.

    costs: (draws, n_solvers). Draws in which both cost the same count half; nan
    where one has no cost.
    """
    found = np.stack(
        [
            ((own[:, None] < costs) + 0.5 * (own[:, None] == costs)).mean(axis=0)
            for own in costs.T
        ]
    )
    nothing = np.isnan(costs).any(axis=0)
    found[nothing, :] = found[:, nothing] = np.nan
    return found
