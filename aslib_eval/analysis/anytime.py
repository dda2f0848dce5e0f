"""Trajectories of a lake → the area under each algorithm's anytime curve."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from aslib_eval.analysis.problems import Problem
from aslib_eval.analysis.trajectories import read_trajectories
from aslib_eval.metrics.anytime import Trajectories, anytime_area, minizinc_area
from aslib_eval.metrics.runs import Floats

if TYPE_CHECKING:
    import duckdb

Codes = NDArray[np.int64]


def areas(
    con: duckdb.DuckDBPyConnection, problem: Problem
) -> list[list[float | None]] | None:
    """Area and minizinc_area, means over runs; None if there is nothing to measure."""
    if problem.kind != "algorithm" or problem.cutoff is None:
        return None
    frame, runs = read_trajectories(
        con,
        problem.scenario_id,
        problem.measure,
        cutoff=problem.cutoff,
        maximize=problem.maximize,
    )
    if not runs.values.size:
        return None
    # Instances that do not count under the protocol have no code.
    codes = {name: code for code, name in enumerate(problem.instances)}
    at = np.array([codes.get(name, -1) for name in frame["instance_id"]])
    columns = np.array([problem.solvers.index(name) for name in frame["algorithm"]])
    return [
        [
            float(score[(columns == c) & (at >= 0)].mean())
            for c in range(columns.max() + 1)
        ]
        for score in (_area(problem, runs, at), _minizinc(problem, runs, at, columns))
    ]


def _area(problem: Problem, runs: Trajectories, at: Codes) -> Floats:
    """Share of the time and of the way from the trivial objective to the best."""
    sign = -1.0 if problem.maximize else 1.0
    worst = np.full(len(problem.best), -np.inf)
    np.maximum.at(worst, at[runs.run_of], sign * runs.values)
    trivial = np.where(np.isnan(problem.trivial), sign * worst, problem.trivial)
    # Where no run was ever worse than the best, any solution is worth 1.
    zero = np.where(trivial == problem.best, problem.best + sign, trivial)
    one = problem.best[at]
    area = anytime_area(runs, horizon=problem.cutoff or 1.0, zero=zero[at], one=one)
    return np.nan_to_num(area.values)


def _minizinc(
    problem: Problem, runs: Trajectories, at: Codes, columns: Codes
) -> Floats:
    used = np.full(runs.n_runs, problem.cutoff)
    if problem.times is not None:
        used = problem.times[at, columns]
    last = np.zeros(runs.n_runs)
    np.maximum.at(last, runs.run_of, runs.elapsed)
    return minizinc_area(runs, instances=np.maximum(at, 0), used=np.maximum(used, last))
