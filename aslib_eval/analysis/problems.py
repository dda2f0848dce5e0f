"""Views → arrays: the objectives that solvers reached, and what they proved."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from aslib_eval.metrics.runs import Floats

if TYPE_CHECKING:
    import duckdb
    import polars as pl


@dataclass(frozen=True, eq=False)
class Problem:
    """A quality measure of a scenario under a protocol: (n_instances, n_solvers) each.

    values: objective in the file's direction, nan where no solution was found.
    times, proven: of the scenario's runtime measure: the cutoff where nothing was
        proved; None without such a measure. best, trivial: (n_instances,) of the file
        of references and of all runs, and the former alone; nan = not known.
    """

    protocol: str
    scenario_id: str
    measure: str
    kind: str
    maximize: bool
    solvers: tuple[str, ...]
    instances: tuple[str, ...]
    values: Floats
    times: Floats | None
    proven: NDArray[np.bool_] | None
    cutoff: float | None
    best: Floats
    trivial: Floats


class _Key(NamedTuple):
    protocol: str
    scenario: str
    kind: str
    measure: str


def problems(con: duckdb.DuckDBPyConnection) -> list[Problem]:
    """Every quality measure under every protocol, algorithms and selectors apart."""
    keys = con.sql("""
        select distinct protocol, scenario_id, kind, measure
        from instance_solver
        where measure_type = 'solution_quality' and kind <> 'baseline'
        order by all
    """).fetchall()
    return [_problem(con, _Key(*key)) for key in keys]


_RUNS = """
    select p.protocol || '@' || p.hash as protocol, s.solver, s.instance_id,
        r.maximize, s.solved > 0 as found, s.cost, s.vbs_cost,
        t.solved > 0 as proven, t.time, t.cutoff,
        best.value as best, trivial.value as trivial
    from instance_solver as s
    inner join protocol as p using (protocol)
    inner join raw_scenario as r using (scenario_id, measure)
    left join raw_scenario as other
        on other.scenario_id = s.scenario_id and other.measure_type = 'runtime'
    left join instance_solver as t
        on t.protocol = s.protocol and t.scenario_id = s.scenario_id
        and t.measure = other.measure and t.instance_id = s.instance_id
        and t.repetition = s.repetition and t.kind = s.kind and t.solver = s.solver
    left join raw_reference as best
        on best.scenario_id = s.scenario_id and best.instance_id = s.instance_id
        and best.role = 'best_known'
    left join raw_reference as trivial
        on trivial.scenario_id = s.scenario_id
        and trivial.instance_id = s.instance_id and trivial.role = 'trivial'
    where s.protocol = $protocol and s.scenario_id = $scenario and s.kind = $kind
        and s.measure = $measure
    qualify dense_rank() over (order by other.measure_index) = 1
    order by s.instance_id, s.repetition, s.solver
"""


def _problem(con: duckdb.DuckDBPyConnection, key: _Key) -> Problem:
    frame = con.sql(_RUNS, params=key._asdict()).pl()
    solvers = tuple(frame["solver"].unique().sort().to_list())

    table = partial(_table, frame, len(solvers))
    maximize = bool(frame["maximize"][0])
    sign = -1.0 if maximize else 1.0
    costs = np.where(table("found") > 0, table("cost"), np.nan)
    others = table("vbs_cost")[:, 0], sign * table("best")[:, 0]
    known = np.column_stack([costs, *others])
    timed = not frame["time"].has_nulls()
    return Problem(
        protocol=frame["protocol"][0],
        scenario_id=key.scenario,
        measure=key.measure,
        kind=key.kind,
        maximize=maximize,
        solvers=solvers,
        instances=tuple(frame["instance_id"].to_list()[:: len(solvers)]),
        values=sign * costs,
        best=sign * np.fmin.reduce(known, axis=1),
        trivial=table("trivial")[:, 0],
        proven=table("proven") > 0 if timed else None,
        times=table("time") if timed else None,
        cutoff=float(frame["cutoff"][0]) if timed else None,
    )


def _table(frame: pl.DataFrame, n_solvers: int, column: str) -> Floats:
    """A column as (n_instances, n_solvers), nan where null."""
    numbers = frame[column].cast(float).fill_null(float("nan")).to_numpy()
    return np.asarray(numbers.reshape(-1, n_solvers))
