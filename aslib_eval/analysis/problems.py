"""Views → arrays: the objectives that solvers reached, and what they proved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from aslib_eval.analysis.wide import widen
from aslib_eval.metrics.runs import Floats

if TYPE_CHECKING:
    import duckdb


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
    select s.solver,
        s.instance_id, s.repetition, r.maximize,
        s.solved > 0 as found, s.cost, s.vbs_cost,
        t.solved > 0 as proven, t.time, t.cutoff,
        best.value as best, trivial.value as trivial
    from instance_solver as s
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
    order by s.solver
"""


def _problem(con: duckdb.DuckDBPyConnection, key: _Key) -> Problem:
    frame = con.sql(_RUNS, params=key._asdict()).pl()
    wide = widen(frame, rows=("instance_id", "repetition"), columns=("solver",))
    maximize = bool(frame["maximize"][0])
    sign = -1.0 if maximize else 1.0
    costs = np.where(wide.table("found") > 0, wide.table("cost"), np.nan)
    others = wide.of_rows("vbs_cost"), sign * wide.of_rows("best")
    known = np.column_stack([costs, *others])
    timed = not frame["time"].has_nulls()
    return Problem(
        protocol=key.protocol,
        scenario_id=key.scenario,
        measure=key.measure,
        kind=key.kind,
        maximize=maximize,
        solvers=tuple(wide.columns["solver"]),
        instances=tuple(wide.rows["instance_id"]),
        values=sign * costs,
        best=sign * np.fmin.reduce(known, axis=1),
        trivial=wide.of_rows("trivial"),
        proven=wide.table("proven") > 0 if timed else None,
        times=wide.table("time") if timed else None,
        cutoff=float(frame["cutoff"][0]) if timed else None,
    )
