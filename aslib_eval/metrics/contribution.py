"""Contribution of a solver to a portfolio: marginal contribution and Shapley value.

Costs are (n_instances, n_solvers), lower is better, such as ``Runs.par(10)``. VBS of a portfolio takes the
least cost on each instance.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from aslib_eval.errors import AslibError
from aslib_eval.metrics.runs import TABLE, Floats
from aslib_eval.metrics.scale import Scaled, rescale


def vbs_without(costs: ArrayLike, *, empty: ArrayLike) -> Floats:
    """Mean cost of VBS of the portfolio without each solver: (n_solvers,) [cost].

    empty: cost of the portfolio without any solver, one number or one an instance; for PARk, k cutoffs.
    Only needed where there is one solver.

    Edge cases: without either of two solvers that tie for best, VBS costs the same.
    """
    table = _table(costs)
    return np.asarray(table.min(axis=1).mean() + _increase(table, empty))


def amc(costs: ArrayLike, *, empty: ArrayLike) -> Floats:
    """Absolute marginal contribution log10(VBS without s / VBS): (n_solvers,).

    At least 0, higher is better.

    Edge cases: 0 for a solver without which VBS costs the same; infinite where VBS costs 0 only with it.

    Source: Amadini et al. 2023, section 2.2; Luo, Vallati and Hoos 2018.
    """
    table = _table(costs)
    increase = _increase(table, empty)
    vbs = table.min(axis=1).mean()
    ratio = np.full_like(increase, np.inf)
    np.divide(increase, vbs, out=ratio, where=vbs > 0)
    return np.where(increase > 0, np.log1p(ratio) / np.log(10), 0.0)


def rmc(amc_of: ArrayLike) -> Scaled:
    """Relative marginal contribution: each AMC as a share of their sum.

    amc_of: (n_solvers,) from ``amc``. The shares sum to 1; higher is better.

    Edge cases: no scale where every AMC is 0.

    Source: Amadini et al. 2023, section 2.2; Luo, Vallati and Hoos 2018.
    """
    contributions = np.asarray(amc_of, float)
    return rescale(contributions, zero=0.0, one=contributions.sum())


def shapley(costs: ArrayLike, *, empty: ArrayLike) -> Floats:
    """Shapley value of each solver in the portfolio game: (n_solvers,) [cost].

    A portfolio is worth what it saves, the mean over instances of the empty portfolio's cost minus that of
    its best solver. ``empty``: one number or one an instance; k cutoffs for PARk; 1 for the coverage game,
    where a cost is 0 if solved and else 1. Higher is better; the values sum to what the complete portfolio
    saves.

    Exact, without subsets: on an instance whose costs are, sorted, c1 <= … <= cm, and c(m+1) the empty
    portfolio's, the l best share the step from cl to c(l+1) equally. O(n_instances · n_solvers log
    n_solvers). Solvers of equal cost get equal shares.

    Source: Fréchette et al. 2016, Using the Shapley value to analyze algorithm portfolios; the sum over
    steps is that of the airport game.
    """
    table = _table(costs)
    n_instances, n_solvers = table.shape
    order = table.argsort(axis=1, kind="stable")
    last = np.broadcast_to(np.asarray(empty, float), (n_instances,))[:, None]
    ascending = np.hstack([np.take_along_axis(table, order, axis=1), last])
    steps = np.diff(ascending, axis=1) / np.arange(1, n_solvers + 1)
    values = np.cumsum(steps[:, ::-1], axis=1)[:, ::-1]
    sums = np.bincount(order.ravel(), weights=values.ravel(), minlength=n_solvers)
    return np.asarray(sums / n_instances)


def _table(costs: ArrayLike) -> Floats:
    table = np.asarray(costs, float)
    if table.ndim != TABLE or 0 in table.shape:
        raise AslibError(f"costs must be instances x solvers, not {table.shape}")
    if not np.isfinite(table).all():
        raise AslibError("every solver needs a finite cost on every instance")
    return table


def _increase(table: Floats, empty: ArrayLike) -> Floats:
    """Increase of the mean cost of VBS without each solver: (n_solvers,)."""
    n_instances, n_solvers = table.shape
    if n_solvers == 1:
        return np.atleast_1d(np.mean(np.asarray(empty, float) - table[:, 0]))
    best, second = np.partition(table, 1, axis=1)[:, :2].T
    winner = table.argmin(axis=1)
    lost = np.bincount(winner, weights=second - best, minlength=n_solvers)
    return np.asarray(lost / n_instances)
