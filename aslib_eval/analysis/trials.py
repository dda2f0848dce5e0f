"""Trajectories of a lake → what every method knew after each step of each trial.

A step is a batch of evaluations, where every run has the same number of them; or a
moment, where trajectories have times and the scenario has a time limit.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from aslib_eval.analysis.objectives import read_trajectories
from aslib_eval.errors import AslibError
from aslib_eval.metrics.anytime import value_at
from aslib_eval.metrics.optimiser import best_so_far
from aslib_eval.metrics.runs import Floats

if TYPE_CHECKING:
    import duckdb
    import polars as pl

MOMENTS = 20  # equal parts of the time limit


@dataclass(frozen=True, eq=False)
class Search:
    """One problem; costs, lower is better, inf where there is none yet.

    found: (n_steps, n_methods, n_trials). best: the lowest cost known, -inf and up.
    draws: (n_steps, n_batch, n_methods, n_trials) every evaluation; None by time.
    """

    problem: str
    found: Floats
    draws: Floats | None
    best: float


@dataclass(frozen=True, eq=False)
class Contest:
    """A measure of a scenario: the same methods on all problems.

    objective: ``value``, or ``visible`` for what the optimisers themselves saw.
    by: ``evaluations`` or ``time``; steps: numbers of batches, or times.
    """

    scenario_id: str
    measure: str
    objective: str
    by: str
    steps: tuple[float, ...]
    methods: tuple[str, ...]
    searches: tuple[Search, ...]


class _Key(NamedTuple):
    scenario: str
    measure: str


class _About(NamedTuple):
    """Of a measure: its direction, the time limit if it counts, and what was seen."""

    sign: float
    cutoff: float | None
    has_visible: bool


_KEYS = """
    select
        s.scenario_id,
        s.measure,
        any_value(s.maximize) as maximize,
        any_value(limits.cutoff) as cutoff,
        count(t.elapsed) = count(*) as timed,
        count(t.visible) > 0 as has_visible
    from raw_scenario as s
    inner join raw_trajectory as t
        on t.scenario_id = s.scenario_id and t.measure = s.measure
    left join raw_scenario as limits
        on limits.scenario_id = s.scenario_id
        and limits.measure_type = 'runtime' and limits.cutoff > 0
    group by s.scenario_id, s.measure
    order by s.scenario_id, s.measure
"""
_EVALUATIONS = """
    select instance_id, algorithm, trial as repetition, step, suggestion,
        value, visible
    from raw_trajectory
    where scenario_id = $scenario and measure = $measure
    order by instance_id, algorithm, trial, step, suggestion
"""
_REFERENCES = """
    select instance_id, min($sign * value) as cost
    from raw_reference
    where scenario_id = $scenario and role in ('best_known', 'optimum')
        and value is not null
    group by instance_id
"""


def contests(con: duckdb.DuckDBPyConnection) -> Iterator[Contest]:
    """Every measure with trajectories; twice where optimisers saw something else.

    Raises: AslibError if there is none, or a scenario's runs are not a full table.
    """
    keys = con.sql(_KEYS).fetchall()
    if not keys:
        hint = (
            "Import an experiment of optimisers, or a scenario with trajectories.arff."
        )
        raise AslibError("no scenario has trajectories", None, hint)
    for scenario, measure, maximize, cutoff, timed, has_visible in keys:
        sign = -1.0 if maximize else 1.0
        about = _About(sign, cutoff if timed else None, has_visible)
        key = _Key(scenario, measure)
        known = dict(
            con.execute(_REFERENCES, {"scenario": scenario, "sign": sign}).fetchall()
        )
        yield from _read(con, key, about, known)


def _read(
    con: duckdb.DuckDBPyConnection, key: _Key, about: _About, known: dict[str, float]
) -> Iterator[Contest]:
    if about.cutoff is not None:
        yield _timed(con, key, about, known)
        return
    frame = con.sql(_EVALUATIONS, params=key._asdict()).pl()
    yield _counted(frame, key, about, known, "value")
    if about.has_visible:
        # What is best in the end is not what was best to see: no reference.
        yield _counted(frame, key, about, {}, "visible")


def _counted(
    frame: pl.DataFrame, key: _Key, about: _About, known: dict[str, float], column: str
) -> Contest:
    problems, methods = _distinct(frame, "instance_id"), _distinct(frame, "algorithm")
    counts = frame.select("step", "suggestion").max().row(0)
    steps, batch = (int(count or 0) for count in counts)
    shape = (*_shape(frame, key, steps * batch), steps, batch)

    def table(name: str) -> Floats:
        cells = about.sign * frame[name].to_numpy().reshape(shape)
        return np.asarray(cells.transpose(0, 3, 4, 1, 2))

    costs = table(column)
    seen = table("visible") if about.has_visible else costs
    searches = [
        Search(
            problem,
            best_so_far(costs[p], visible=seen[p]),
            costs[p],
            min(float(costs[p].min()), known.get(problem, np.inf)),
        )
        for p, problem in enumerate(problems)
    ]
    numbers = tuple(float(step) for step in range(1, steps + 1))
    return Contest(*key, column, "evaluations", numbers, methods, tuple(searches))


def _timed(
    con: duckdb.DuckDBPyConnection, key: _Key, about: _About, known: dict[str, float]
) -> Contest:
    limit = about.cutoff or 0.0
    frame, runs = read_trajectories(
        con, key.scenario, key.measure, cutoff=limit, maximize=about.sign < 0
    )
    problems, methods = _distinct(frame, "instance_id"), _distinct(frame, "algorithm")
    shape = _shape(frame, key, 1)
    moments = [limit * k / MOMENTS for k in range(1, MOMENTS + 1)]
    values = np.stack([value_at(runs, at=moment) for moment in moments])
    costs = np.where(np.isnan(values), np.inf, about.sign * values)
    tables = costs.reshape(len(moments), *shape)
    searches = [
        Search(
            problem,
            tables[:, p],
            None,
            min(float(tables[:, p].min()), known.get(problem, np.inf)),
        )
        for p, problem in enumerate(problems)
    ]
    return Contest(*key, "value", "time", tuple(moments), methods, tuple(searches))


def _distinct(frame: pl.DataFrame, column: str) -> tuple[str, ...]:
    return tuple(frame[column].unique().sort().to_list())


def _shape(frame: pl.DataFrame, key: _Key, points: int) -> tuple[int, int, int]:
    """Problems, methods and trials, if every run has as many points.

    Raises: AslibError if they are not a full table.
    """
    run = ["instance_id", "algorithm", "repetition"]
    problems, methods = (frame[name].n_unique() for name in run[:2])
    trials, rest = divmod(frame.height, problems * methods * points)
    sizes = frame.group_by(run).len()
    per_pair = sizes.group_by(run[:2]).len()["len"]
    full = (sizes["len"] == points).all() and (per_pair == trials).all()
    if rest or not full or per_pair.len() != problems * methods:
        what = f"the runs of {key.measure} are not all of the same trials and steps"
        hint = "They are compared by evaluations, or by time up to a limit."
        raise AslibError(what, key.scenario, hint)
    return problems, methods, trials
