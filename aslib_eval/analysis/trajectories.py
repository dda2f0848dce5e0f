"""Runs of a lake → what they had found when."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from aslib_eval.metrics.anytime import Trajectories

if TYPE_CHECKING:
    import duckdb
    import polars as pl

_POINTS = """
    select r.instance_id, r.algorithm, r.repetition,
        list(t.elapsed order by t.step) filter (t.elapsed <= $cutoff) as elapsed,
        list(t.value order by t.step) filter (t.elapsed <= $cutoff) as value
    from raw_run as r
    left join raw_trajectory as t
        on t.scenario_id = r.scenario_id and t.instance_id = r.instance_id
        and t.algorithm = r.algorithm and t.trial = r.repetition
        and t.measure = r.measure
    where r.scenario_id = $scenario and r.measure = $measure
    group by r.instance_id, r.algorithm, r.repetition
    order by r.instance_id, r.algorithm, r.repetition
"""


def read_trajectories(
    con: duckdb.DuckDBPyConnection,
    scenario_id: str,
    measure: str,
    *,
    cutoff: float,
    maximize: bool,
) -> tuple[pl.DataFrame, Trajectories]:
    """The points of every run up to the cutoff; a run without one has no points.

    The frame has a row for each run, in their order: instance_id, algorithm,
    repetition.
    """
    asked = {"scenario": scenario_id, "measure": measure, "cutoff": cutoff}
    frame = con.sql(_POINTS, params=asked).pl()
    counts = frame["elapsed"].list.len().fill_null(0).cast(int).to_numpy()
    runs = Trajectories(
        offsets=np.concatenate([[0], np.cumsum(counts)]),
        elapsed=frame["elapsed"].explode().drop_nulls().to_numpy(),
        values=frame["value"].explode().drop_nulls().to_numpy(),
        maximize=maximize,
    )
    return frame.drop("elapsed", "value"), runs
