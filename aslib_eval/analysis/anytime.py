"""Trajectories of a lake → the area under each algorithm's anytime curve."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from aslib_eval.analysis.problems import Problem
from aslib_eval.metrics.anytime import Trajectories, anytime_area, minizinc_area
from aslib_eval.metrics.runs import Floats

if TYPE_CHECKING:
    import duckdb

Codes = NDArray[np.int64]
_POINTS = """
    select r.instance_id, r.algorithm as solver,
        list(t.elapsed order by t.step) filter (t.elapsed <= $cutoff) as elapsed,
        list(t.value order by t.step) filter (t.elapsed <= $cutoff) as value
    from raw_run as r
    left join raw_trajectory as t
        on t.scenario_id = r.scenario_id and t.instance_id = r.instance_id
        and t.algorithm = r.algorithm and t.trial = r.repetition
        and t.measure = r.measure
    where r.scenario_id = $scenario and r.measure = $measure
    group by r.instance_id, r.repetition, r.algorithm
    order by r.instance_id, r.repetition, r.algorithm
"""


def areas(
    con: duckdb.DuckDBPyConnection, problem: Problem
) -> list[list[float | None]] | None:
    """Area and minizinc_area, means over runs; None if there is nothing to measure."""
    if problem.kind != "algorithm" or problem.cutoff is None:
        return None
    key = {"scenario": problem.scenario_id, "measure": problem.measure}
    frame = con.sql(_POINTS, params={**key, "cutoff": problem.cutoff}).pl()
    counts = frame["elapsed"].list.len().fill_null(0).cast(int).to_numpy()
    if not counts.any():
        return None
    # Instances that do not count under the protocol have no code.
    codes = {name: code for code, name in enumerate(problem.instances)}
    at = np.array([codes.get(name, -1) for name in frame["instance_id"]])
    runs = Trajectories(
        offsets=np.concatenate([[0], np.cumsum(counts)]),
        elapsed=frame["elapsed"].explode().drop_nulls().to_numpy(),
        values=frame["value"].explode().drop_nulls().to_numpy(),
        maximize=problem.maximize,
    )
    columns = np.array([problem.solvers.index(name) for name in frame["solver"]])
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
