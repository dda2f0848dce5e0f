"""Anytime scores: how early a run found solutions, and how good they were.

A run's trajectory is the solutions it reported, each with the time since its start. At any moment the best
solution up to and including that moment counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aslib_eval.errors import AslibError
from aslib_eval.metrics.scale import Floats, Scaled, rescale


@dataclass(frozen=True, eq=False)
class Trajectories:
    """The trajectory points of many runs, concatenated run after run.

    offsets: (n_runs + 1,) run r has the points from offsets[r] up to offsets[r + 1];
        a run without a solution has none.
    elapsed: (n_points,) time since the run began, ascending within a run [time]. values: (n_points,)
    objective of the solution, not necessarily better than the last. maximize: whether more is better, for
    all or (n_runs,) one each.
    """

    offsets: NDArray[np.int64]
    elapsed: Floats
    values: Floats
    maximize: bool | NDArray[np.bool_] = False

    def __post_init__(self) -> None:
        wrong = _offset_faults(self) or _point_faults(self)
        if wrong:
            raise AslibError(f"trajectories cannot be scored: {'; '.join(wrong)}")

    @property
    def n_runs(self) -> int:
        """Runs, with and without a solution."""
        return len(self.offsets) - 1

    @property
    def counts(self) -> NDArray[np.int64]:
        """(n_runs,) points of each run."""
        return np.diff(self.offsets)

    @cached_property
    def run_of(self) -> NDArray[np.int64]:
        """(n_points,) the run of each point."""
        return np.repeat(np.arange(self.n_runs), self.counts)

    @cached_property
    def signs(self) -> Floats:
        """(n_runs,) -1 where more is better, else 1."""
        return np.broadcast_to(np.where(np.asarray(self.maximize), -1.0, 1.0), (self.n_runs,))

    @cached_property
    def best(self) -> Floats:
        """(n_points,) the best value of the run so far."""
        signs = self.signs[self.run_of]
        levels, rank = np.unique(signs * self.values, return_inverse=True)
        # Each run's keys lie below those of the run before: a running minimum over all points cannot carry
        # a value from one run into the next.
        below = self.run_of * len(levels)
        return signs * levels[np.minimum.accumulate(rank - below) + below]


def value_at(runs: Trajectories, *, at: float) -> Floats:
    """Best objective that each run had found by a moment: (n_runs,), nan if none."""
    so_far = np.concatenate([[0], np.cumsum(runs.elapsed <= at)])
    counts = np.diff(so_far[runs.offsets])
    last = runs.offsets[:-1] + counts - 1
    found = np.full(runs.n_runs, np.nan)
    found[counts > 0] = runs.best[last[counts > 0]]
    return found


def anytime_area(runs: Trajectories, *, horizon: float, zero: ArrayLike, one: ArrayLike) -> Scaled:
    """Mean over time of the best solution's quality, from 0 to 1: higher is better.

    horizon: the area ends here [time]; later solutions do not count.
    zero, one: (n_runs,) or one for all: the objective that is worth 0 (as is having no solution) and the
        one worth 1; values beyond them are clipped.

    Edge cases: no solution is 0; no scale where zero = one and there was a solution.

    Source: Amadini et al. 2023, section 2.3 (the integral of a step function).
    """
    if not 0 < horizon < np.inf:
        raise AslibError(f"the horizon must be above 0 and finite, not {horizon}")
    ends = np.broadcast_to(np.asarray(zero, float), (runs.n_runs,))
    tops = np.broadcast_to(np.asarray(one, float), (runs.n_runs,))
    quality = rescale(runs.best, zero=ends[runs.run_of], one=tops[runs.run_of])
    spans = _spans(runs, np.full(runs.n_runs, horizon)) / horizon
    worth = np.clip(quality.values, 0.0, 1.0) * spans
    area = np.bincount(runs.run_of, weights=worth, minlength=runs.n_runs)
    status = np.zeros(runs.n_runs, dtype=np.int8)
    np.maximum.at(status, runs.run_of, quality.status)
    return Scaled(np.where(status > 0, np.nan, area), status)


def minizinc_area(runs: Trajectories, *, instances: ArrayLike, used: ArrayLike) -> Floats:
    """Area score of the MiniZinc Challenge: (n_runs,) [time], lower is better.

    A quarter of the time to the first solution, half the integral of the objective's position between the
    best and the worst first one, a quarter of the time used.

    instances: (n_runs,) code of the instance of each run, 0 and up; the bounds are taken over the runs of
        an instance: UB = worst first, LB = best last objective.
    used: (n_runs,) time until the run ended, the limit if it was cut off [time].

    The position is (value - LB) / (UB - LB + 1), the 1 being one unit of the objective; it is 1 before the
    first solution. So a run without any scores the time used, just as on a problem of satisfaction.

    Source: MiniZinc Challenge 2020, rules, "Area Scoring Procedure", which leave the value before the first
    solution and the subtraction of LB open.
    """
    ends = np.broadcast_to(np.asarray(used, float), (runs.n_runs,))
    some = runs.counts > 0
    first, last = runs.offsets[:-1][some], runs.offsets[1:][some] - 1
    if (runs.elapsed[last] > ends[some]).any():
        raise AslibError("a solution came after the time used")
    costs = runs.best * runs.signs[runs.run_of]
    position = _positions(costs, first, last, np.asarray(instances)[some])
    before = ends.copy()
    before[some] = runs.elapsed[first]
    area = np.bincount(runs.run_of, weights=position * _spans(runs, ends), minlength=runs.n_runs)
    return np.asarray(0.25 * before + 0.5 * (before + area) + 0.25 * ends)


def _positions(
    costs: Floats, first: NDArray[np.int64], last: NDArray[np.int64], instances: NDArray[np.int64]
) -> Floats:
    """Position of each point between its instance's bounds, the span widened by 1."""
    size = int(instances.max(initial=-1)) + 1
    worst, best = np.full(size, -np.inf), np.full(size, np.inf)
    np.maximum.at(worst, instances, costs[first])
    np.minimum.at(best, instances, costs[last])
    of_point = np.repeat(instances, last - first + 1)
    span = worst[of_point] - best[of_point] + 1
    return np.asarray((costs - best[of_point]) / span)


def _spans(runs: Trajectories, ends: Floats) -> Floats:
    stop = np.empty_like(runs.elapsed)
    stop[:-1] = runs.elapsed[1:]
    some = runs.counts > 0
    stop[runs.offsets[1:][some] - 1] = np.inf
    limit = ends[runs.run_of]
    return np.asarray(np.minimum(stop, limit) - np.minimum(runs.elapsed, limit))


def _offset_faults(runs: Trajectories) -> list[str]:
    offsets, n = np.asarray(runs.offsets), np.size(runs.values)
    ends = offsets.ndim == 1 and len(offsets) > 0 and offsets[0] == 0 and offsets[-1] == n
    faults = {
        "elapsed and values must be two rows of the same length": (
            np.shape(runs.elapsed) != np.shape(runs.values) or np.ndim(runs.values) != 1
        ),
        "offsets must begin with 0 and end with the number of points": not ends,
        "offsets must ascend": ends and (np.diff(offsets) < 0).any(),
    }
    return [text for text, is_wrong in faults.items() if is_wrong]


def _point_faults(runs: Trajectories) -> list[str]:
    fine = {
        "an elapsed time is negative or not finite": np.isfinite(runs.elapsed) & (runs.elapsed >= 0),
        "an objective is not finite": np.isfinite(runs.values),
        "elapsed must ascend within a run": (~(np.diff(runs.elapsed)[np.diff(runs.run_of) == 0] < 0)),
    }
    return [text for text, each in fine.items() if not each.all()]
