"""Views → arrays: the objectives that solvers reached, and what they proved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from aslib_eval.analysis.runs import widen
from aslib_eval.database.connect import connect
from aslib_eval.database.protocol import Protocol, load
from aslib_eval.errors import AslibError
from aslib_eval.metrics.anytime import Trajectories, anytime_area, minizinc_area
from aslib_eval.metrics.borda import Objectives, mznc
from aslib_eval.metrics.runs import Floats, Runs
from aslib_eval.metrics.scale import incomplete, satisficing, scaled_score

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


# Runs of a lake → what they had found when.

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


# Trajectories of a lake → the area under each algorithm's anytime curve.

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


# Views → arrays → scores of optimisation: objectives, proofs and trajectories.

if TYPE_CHECKING:
    import duckdb
    import polars as pl

_SCORES = ("incomplete", "satisficing", "scaled", "mznc", "area", "minizinc_area")
_WHY = {
    _SCORES[:2]: "no ratios: a value is negative",
    _SCORES[2:4]: "no proofs: there is no runtime measure",
    _SCORES[4:]: "no areas: there are no trajectories of these",
}


def qualities(
    lake: str | Path,
    *,
    protocols: Sequence[str | Protocol] = ("default",),
    scenarios: Sequence[str] = (),
) -> pl.DataFrame:
    """Scores of optimisation: one row per protocol, scenario, measure and solver.

    All of a scenario's measures take part, whichever one the protocol, by whose name
    and hash the rows go, is about. Columns: n;
    ``incomplete`` (MaxSAT Evaluation), ``satisficing`` (IPC), ``scaled`` (alpha = 0.25,
    beta = 0.75), ``mznc`` (MiniZinc Challenge with objectives, a mean over instances of
    the sum over opponents of the kind), all higher is better; and of trajectories
    ``area`` (mean share of the time and of the way from the trivial to the best known
    objective, higher is better) and ``minizinc_area`` (lower is better) [time].

    Null, as ``remark`` says: the first two where a value is negative; ``mznc`` and
    ``scaled`` without a runtime measure, which says what was proved; the areas without
    trajectories, and for selectors. Raises AslibError if no scenario has a quality
    measure.

    Source: Amadini et al. 2023, section 2.3.
    """
    import polars as pl

    chosen = [p if isinstance(p, Protocol) else load(p) for p in protocols]
    whole = [replace(p, measures="all") for p in chosen]
    con = connect(lake, protocols=whole, scenarios=scenarios)
    labels = {p.protocol: f"{p.protocol}@{p.hash}" for p in chosen}
    rows = [
        (labels[problem.protocol], *row)
        for problem in problems(con)
        for row in _scores(con, problem)
    ]
    if not rows:
        raise AslibError("no scenario has a solution_quality measure", str(lake))
    schema = ["protocol", "scenario_id", "measure", "kind", "solver", "n"]
    schema += [*_SCORES, "remark"]
    return pl.DataFrame(rows, schema=schema, orient="row", infer_schema_length=None)


def _scores(
    con: duckdb.DuckDBPyConnection, problem: Problem
) -> Iterator[tuple[object, ...]]:
    """A row of ``qualities`` for every solver, but for the protocol."""
    n, m = len(set(problem.instances)), len(problem.solvers)
    columns = [
        *_ratios(problem),
        *_proofs(problem),
        *(areas(con, problem) or [[None] * m] * 2),
    ]
    undefined = {
        name for name, column in zip(_SCORES, columns, strict=True) if column[0] is None
    }
    remark = "; ".join(why for names, why in _WHY.items() if undefined & set(names))
    key = (problem.scenario_id, problem.measure, problem.kind)
    for solver, scores in zip(problem.solvers, zip(*columns, strict=True), strict=True):
        yield *key, solver, n, *scores, remark or None


def _ratios(problem: Problem) -> list[list[float | None]]:
    m = len(problem.solvers)
    if (np.nan_to_num(problem.values) < 0).any() or (problem.best < 0).any():
        return [[None] * m] * 2
    scores = (
        score(problem.values, maximize=problem.maximize, best_known=problem.best)
        for score in (incomplete, satisficing)
    )
    return [table.mean(axis=0).tolist() for table in scores]


def _proofs(problem: Problem) -> list[list[float | None]]:
    """Scaled and mznc."""
    m = len(problem.solvers)
    if problem.proven is None or problem.times is None or problem.cutoff is None:
        return [[None] * m] * 2
    scaled = scaled_score(
        problem.values, proven=problem.proven, maximize=problem.maximize
    )
    runs = Runs(times=problem.times, solved=problem.proven, cutoff=problem.cutoff)
    objectives = Objectives(problem.values, maximize=problem.maximize)
    return [scaled.mean(axis=0).tolist(), mznc(runs, objectives=objectives).tolist()]
