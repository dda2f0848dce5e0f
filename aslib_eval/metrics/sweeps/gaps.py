"""Exact sweeps of PARk and the closed gap over the penalty or the cutoff.

Costs are affine in their parameter on each piece; the gap is a quotient of two such.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aslib_eval.errors import AslibError
from aslib_eval.metrics import scale
from aslib_eval.metrics.runs import Floats, Runs
from aslib_eval.metrics.scale import Scaled
from aslib_eval.metrics.sweeps.curves import (
    ROUNDING,
    Curve,
    exact_sums,
    first_of_equal,
    last_of_equal,
    mean_of_least,
    replaced_sums,
    running_sum,
)
from aslib_eval.metrics.sweeps.delta import Sweep


class SingleBest(NamedTuple):
    """SBS by interval: columns[i] from starts[i] on; two neighbours differ."""

    starts: Floats
    columns: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class GapSweep:
    """PARk and the closed gap as exact functions of the penalty or the cutoff.

    scores: mean PARk of every solver, lower is better; at each value the closed gap ranks the solvers just
        the same.
    portfolio: columns of the algorithms that SBS, VBS and VWS are made of.
    vbs, vws: mean PARk of the virtual best and worst solver.
    """

    scores: Sweep
    portfolio: tuple[int, ...]
    vbs: Curve
    vws: Curve

    @cached_property
    def sbs(self) -> SingleBest:
        """SBS on every interval, the first column of those that tie."""
        curves = tuple(self.scores.curves[c] for c in self.portfolio)
        starts, ranks = Sweep(self.scores.parameter, curves, higher_is_better=False).rankings
        columns = np.asarray(self.portfolio)[(ranks == 1).argmax(axis=1)]
        keep = first_of_equal(columns)
        return SingleBest(starts[keep], columns[keep])

    def sbs_at(self, at: ArrayLike) -> NDArray[np.int64]:
        """(n_values,) column of SBS at given values of the parameter."""
        scores = self.scores.scores(at)[:, self.portfolio]
        least = scores.min(axis=1, keepdims=True) * (1 + 2 * ROUNDING)
        chosen = (scores <= least).argmax(axis=1)
        return np.asarray(np.asarray(self.portfolio)[chosen])

    def gaps(self, at: ArrayLike) -> Scaled:
        """(n_values, n_solvers) closed gaps at given values of the parameter."""
        scores = self.scores.scores(at)
        sbs = np.take_along_axis(scores, self.sbs_at(at)[:, None], axis=1)
        vbs = self.vbs.at(np.atleast_1d(np.asarray(at, float)))[:, None]
        return scale.closed(scores, sbs=sbs, vbs=vbs)


def penalty_sweep(runs: Runs, *, portfolio: Sequence[int] | None = None) -> GapSweep:
    """Mean PARk for every penalty k from 1 on: a line for each solver.

    portfolio: columns that make SBS, VBS and VWS; all if not given. VBS is one line too, or in pieces where
    only a share of an instance's repetitions is solved.

    Edge cases: two solvers with the same number unsolved never change places; equal scores at k = 1 are a
    tie there and no reversal.

    Source: Amadini et al. 2023, Definitions 1 and 3.
    """
    chosen = portfolio_columns(runs, portfolio)
    intercepts, slopes = runs.lines()
    weights = np.ones(runs.n_instances) if runs.weights is None else runs.weights
    shares = weights[:, None]
    a, b = (exact_sums(p * shares) / weights.sum() for p in (intercepts, slopes))
    curves = tuple(Curve(np.ones(1), a[[s]], b[[s]]) for s in range(runs.n_solvers))
    scores = Sweep("penalty", curves, higher_is_better=False)
    a, b = intercepts[:, chosen], slopes[:, chosen]
    vbs = mean_of_least(a, b, weights=weights)
    worst = mean_of_least(-a, -b, weights=weights)
    vws = Curve(worst.starts, 0.0 - worst.intercepts, 0.0 - worst.slopes)
    return GapSweep(scores, chosen, vbs, vws)


def cutoff_sweep(
    runs: Runs,
    *,
    penalty: float = 10.0,
    portfolio: Sequence[int] | None = None,
    at_cutoff: str = "unsolved",
) -> GapSweep:
    """Mean PARk for every cutoff from the present one down to 0.

    An unsolved run costs ``penalty`` times the lowered cutoff. A run that ends exactly at it is unsolved,
    so that pieces are left-open (they are valid on (start, next start]), or ``solved``, as the protocol
    says. O(n log n) a solver; crossings inside a piece are exact too.

    portfolio: as in ``penalty_sweep``. For scenarios with different cutoffs, divide times by them first:
    the parameter is then the share of the cutoff.

    Edge cases: below the fastest run of all everything is unsolved and tied.

    Source: Amadini et al. 2023, Definitions 1 and 3.
    """
    chosen = portfolio_columns(runs, portfolio)
    _check_cutoff(runs, penalty)
    times = np.where(runs.answered, runs.times, np.inf)
    columns = [*times.T, times[:, chosen].min(axis=1), times[:, chosen].max(axis=1)]
    weights = np.ones(runs.n_instances) if runs.weights is None else runs.weights
    *curves, vbs, vws = (_lowered(c, weights, float(runs.cutoffs[0]), penalty, at_cutoff) for c in columns)
    scores = Sweep("cutoff", tuple(curves), higher_is_better=False)
    return GapSweep(scores, chosen, vbs, vws)


def _lowered(times: Floats, weights: Floats, cutoff: float, penalty: float, at_cutoff: str) -> Curve:
    """Mean PARk of one solver as a function of the cutoff; times: inf = unsolved."""
    strict = at_cutoff == "unsolved"
    within = times < cutoff if strict else times <= cutoff
    order = np.argsort(times[within])
    ends, weight = times[within][order], weights[within][order]
    total = math.fsum(weights.tolist())
    intercepts = np.append(0.0, running_sum(ends * weight)) / total
    slopes = penalty * replaced_sums(weights, old=weight, new=0 * weight) / total
    starts = np.append(0.0, ends)
    last = last_of_equal(starts)
    return Curve(starts[last], intercepts[last], slopes[last], end=cutoff, left_open=strict)


def portfolio_columns(runs: Runs, portfolio: Sequence[int] | None) -> tuple[int, ...]:
    """The columns of a portfolio, all if it is not given; AslibError for others."""
    chosen = tuple(range(runs.n_solvers)) if portfolio is None else tuple(portfolio)
    if not chosen or not set(chosen) <= set(range(runs.n_solvers)):
        raise AslibError(f"the portfolio must name columns of the runs, not {chosen}")
    return chosen


def require_penalty(penalty: float) -> None:
    """Raise AslibError below 1."""
    if not penalty >= 1:
        raise AslibError(f"the penalty must be at least 1, not {penalty}")


def _check_cutoff(runs: Runs, penalty: float) -> None:
    require_penalty(penalty)
    if np.ptp(runs.cutoffs) > 0:
        raise AslibError(
            "a sweep over the cutoff needs one cutoff",
            hint="Divide the times by their cutoffs to sweep its share.",
        )
    if (runs.answered & (np.asarray(runs.solved, float) < 1)).any():
        raise AslibError(
            "a run is solved in part", hint="Count repetitions as instances: repetitions = separate."
        )
