"""Exact sweep of PARk and the closed gap over the overhead that counts as nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from aslib_eval.errors import AslibError
from aslib_eval.metrics.runs import Floats, Runs
from aslib_eval.metrics.sweeps.curves import (
    Curve,
    last_of_equal,
    running_sum,
    steps,
)
from aslib_eval.metrics.sweeps.delta import Sweep
from aslib_eval.metrics.sweeps.penalty_cutoff import GapSweep, portfolio_columns


@dataclass(frozen=True, eq=False)
class ToleranceSweep(GapSweep):
    """As ``GapSweep``, over the tolerance, beside the shares of instances within it.

    near_vbs, near_sbs: for every solver the share of instances, 0 to 1, on which it
        solves what VBS (or SBS of tolerance 0) solves and takes at most the tolerance
        longer.
    """

    near_vbs: tuple[Curve, ...]
    near_sbs: tuple[Curve, ...]


def tolerance_sweep(
    runs: Runs, *, penalty: float = 10.0, portfolio: Sequence[int] | None = None
) -> ToleranceSweep:
    """Mean PARk for every tolerance from 0 on, a step function for each solver.

    Whoever solves an instance and takes at most the tolerance longer than VBS costs
    what VBS costs there; a run that does not solve what VBS solves is never forgiven.

    portfolio: columns of the algorithms that SBS, VBS and VWS are made of; all if not
    given.

    Edge cases: an instance that nobody solves has no overhead. From the largest
    overhead on only failures cost more than VBS, and where SBS has none, SBS is VBS and
    there is no gap.

    Raises:
        AslibError: when the penalty is below 1, or the portfolio is empty or names a
            column that is not there.

    Source: Amadini et al. 2023, sections 2.2 and 3: little overhead is negligible.
    """
    if not penalty >= 1:
        raise AslibError(f"the penalty must be at least 1, not {penalty}")
    chosen = portfolio_columns(runs, portfolio)
    costs, solved = runs.par(penalty), np.asarray(runs.solved, float)
    best, most = costs[:, chosen].min(axis=1), solved[:, chosen].max(axis=1)
    worst, least = costs[:, chosen].max(axis=1), solved[:, chosen].min(axis=1)
    costs, solved = np.column_stack([costs, worst]), np.column_stack([solved, least])
    above = _overhead(costs, solved, best, most)
    base = np.array([runs.mean(column) for column in costs.T])
    *curves, vws = (
        _falling(above[:, s], runs.shares * (costs[:, s] - best), base[s])
        for s in range(costs.shape[1])
    )
    scores = Sweep("tolerance", tuple(curves), higher_is_better=False)
    vbs = steps(np.zeros(1), np.array([float(runs.mean(best))]))
    sbs = chosen[int(np.argmin(base[list(chosen)]))]
    above_sbs = _overhead(costs, solved, costs[:, sbs], solved[:, sbs])
    near_vbs, near_sbs = (
        tuple(_falling(a, -runs.shares, 0.0) for a in table.T[:-1])
        for table in (above, above_sbs)
    )
    return ToleranceSweep(scores, chosen, vbs, vws, near_vbs, near_sbs)


def _overhead(costs: Floats, solved: Floats, best: Floats, most: Floats) -> Floats:
    """Cost above that of another; inf where it solves less of the repetitions."""
    return np.where(solved < most[:, None], np.inf, costs - best[:, None])


def _falling(at: Floats, drops: Floats, begin: float) -> Curve:
    """The step function that loses each drop from its place on."""
    reached = np.isfinite(at)
    order = np.argsort(at[reached])
    starts = np.append(0.0, np.maximum(at[reached][order], 0.0))
    values = begin - np.append(0.0, running_sum(drops[reached][order]))
    last = last_of_equal(starts)
    return steps(starts[last], values[last])
