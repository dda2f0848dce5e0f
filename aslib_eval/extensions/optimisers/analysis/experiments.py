"""Read optimisation experiments: the best cost after each step of each trial.

A step is a batch of evaluations, where every run has the same number of them; or a moment, where
trajectories have times and the scenario has a time limit.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from aslib_eval.analysis.objectives import read_trajectories
from aslib_eval.database.open_lake import OpenLake
from aslib_eval.errors import AslibError
from aslib_eval.extensions.optimisers.metrics.optimiser import best_so_far
from aslib_eval.extensions.optimisers.metrics.running_times import first_at
from aslib_eval.metrics.anytime import Trajectories, value_at
from aslib_eval.metrics.runs import Floats

MOMENTS = 20  # equal parts of the time limit


@dataclass(frozen=True, eq=False)
class Search:
    """The trials on one problem; costs, lower is better, inf before any solution.

    found: (n_steps, n_methods, n_trials). best: the lowest cost observed or given. draws: (n_steps,
    n_batch, n_methods, n_trials) every evaluation; None by time.
    """

    problem: str
    found: Floats
    draws: Floats | None
    best: float


@dataclass(frozen=True, eq=False)
class TimedRuns:
    """The trajectories of an experiment by time, and the table in which they stand.

    places: (n_runs,) of each in a flat table (n_problems, n_methods, n_trials). ends: that table of when
    each run ended: its last point where time is counted in evaluations, else the time limit; 0 where a
    method has fewer trials than others.
    """

    paths: Trajectories
    places: NDArray[np.int64]
    ends: Floats

    def hits(self, target: float) -> Floats:
        """(n_problems, n_methods, n_trials) time to a value, inf if never."""
        found = np.full(self.ends.size, np.inf)
        found[self.places] = first_at(self.paths, target=target)
        return found.reshape(self.ends.shape)


@dataclass(frozen=True, eq=False)
class Experiment:
    """A measure of a scenario: the same methods on all problems.

    objective: ``value``, or ``visible`` for the loss that the optimisers observed.
    by: ``evaluations`` or ``time``; steps: numbers of batches, or times. maximize: whether more was better,
    so that costs are values negated. timed: by time, all runs.
    """

    scenario_id: str
    measure: str
    objective: str
    by: str
    steps: tuple[float, ...]
    methods: tuple[str, ...]
    searches: tuple[Search, ...]
    maximize: bool = False
    timed: TimedRuns | None = None

    def require_full(self) -> None:
        """Raise AslibError where a method has fewer trials than others somewhere."""
        if self.timed is not None and not self.timed.ends.all():
            raise _uneven(self.scenario_id, self.measure)


class _TrialMeasure(NamedTuple):
    """A measure of a scenario, with the costs of the reference file by problem.

    sign: -1 where more is better. cutoff: the time limit if it counts. counted: whether that is a number of
    evaluations.
    """

    scenario: str
    name: str
    sign: float
    cutoff: float | None
    counted: bool
    has_visible: bool
    references: dict[str, float]


def experiments(lake: OpenLake, *, only: str | None = None) -> Iterator[Experiment]:
    """Every measure with trajectories; two experiments if optimisers saw another loss.

    only: a scenario's id.
    """
    keys = lake.rows("trajectory_measures")
    if not keys:
        hint = "Import an experiment of optimisers, or a scenario with trajectories.arff."
        raise AslibError("no scenario has trajectories", None, hint)
    for scenario, measure, maximize, cutoff, timed, counted, has_visible in keys:
        if only not in {None, scenario}:
            continue
        sign = -1.0 if maximize else 1.0
        asked = {"scenario": scenario, "sign": sign}
        references = dict(lake.rows("best_known", asked))
        limit = cutoff if timed else None
        about = (scenario, measure, sign, limit, counted, has_visible, references)
        yield from _read(lake, _TrialMeasure(*about))


def _read(lake: OpenLake, of: _TrialMeasure) -> Iterator[Experiment]:
    if of.cutoff is not None:
        yield _by_time(lake, of, of.cutoff)
        return
    asked = {"scenario": of.scenario, "measure": of.name}
    frame = lake.ask("evaluations", asked)
    yield _by_evaluations(frame, of, "value")
    if of.has_visible:  # the references are not of this loss
        yield _by_evaluations(frame, of._replace(references={}), "visible")


def _by_evaluations(frame: pl.DataFrame, of: _TrialMeasure, column: str) -> Experiment:
    problems, methods = _distinct(frame, "instance_id"), _distinct(frame, "algorithm")
    counts = frame.select("step", "suggestion").max().row(0)
    steps, batch = (int(count or 0) for count in counts)
    shape = (*_shape(frame, of, steps * batch), steps, batch)

    def table(name: str) -> Floats:
        cells = of.sign * frame[name].to_numpy().reshape(shape)
        return np.asarray(cells.transpose(0, 3, 4, 1, 2))

    costs = table(column)
    seen = table("visible") if of.has_visible else costs
    searches = [
        Search(
            problem,
            best_so_far(costs[p], visible=seen[p]),
            costs[p],
            min(float(costs[p].min()), of.references.get(problem, np.inf)),
        )
        for p, problem in enumerate(problems)
    ]
    numbers = tuple(float(step) for step in range(1, steps + 1))
    key = (*of[:2], column, "evaluations")
    return Experiment(*key, numbers, methods, tuple(searches), of.sign < 0)


def _by_time(lake: OpenLake, of: _TrialMeasure, limit: float) -> Experiment:
    frame, runs = read_trajectories(lake, of.scenario, of.name, cutoff=limit, maximize=of.sign < 0)
    problems, methods = _distinct(frame, "instance_id"), _distinct(frame, "algorithm")
    places, shape = _places(frame, of)
    moments = [limit * k / MOMENTS for k in range(1, MOMENTS + 1)]
    values = np.stack([value_at(runs, at=moment) for moment in moments])
    costs = np.where(np.isnan(values), np.inf, of.sign * values)
    flat = np.full((len(moments), prod(shape)), np.inf)
    flat[:, places] = costs
    tables = flat.reshape(len(moments), *shape)
    searches = [
        Search(
            problem, tables[:, p], None, min(float(tables[:, p].min()), of.references.get(problem, np.inf))
        )
        for p, problem in enumerate(problems)
    ]
    ends = np.zeros(prod(shape))
    ends[places] = limit
    if of.counted and (runs.counts > 0).all():
        ends[places] = runs.elapsed[runs.offsets[1:] - 1]
    key = (*of[:2], "value", "time", tuple(moments), methods, tuple(searches))
    timed = TimedRuns(runs, places, ends.reshape(shape))
    return Experiment(*key, of.sign < 0, timed)


def _places(frame: pl.DataFrame, of: _TrialMeasure) -> tuple[NDArray[np.int64], tuple[int, int, int]]:
    """Where each run stands in a table (n_problems, n_methods, n_trials)."""
    _, p = np.unique(frame["instance_id"].to_list(), return_inverse=True)
    _, m = np.unique(frame["algorithm"].to_list(), return_inverse=True)
    sizes = int(p.max()) + 1, int(m.max()) + 1
    pair = p * sizes[1] + m  # ascending, as the runs are
    counts = np.bincount(pair, minlength=prod(sizes))
    if not counts.all():
        raise _uneven(of.scenario, of.name)
    trials = int(counts.max())
    trial = np.arange(len(pair)) - (np.cumsum(counts) - counts)[pair]
    return pair * trials + trial, (*sizes, trials)


def _uneven(scenario: str, measure: str) -> AslibError:
    what = f"the runs of {measure} are not all of the same trials and steps"
    hint = "They are compared by evaluations, or by time up to a limit."
    return AslibError(what, scenario, hint)


def _distinct(frame: pl.DataFrame, column: str) -> tuple[str, ...]:
    return tuple(frame[column].unique().sort().to_list())


def _shape(frame: pl.DataFrame, of: _TrialMeasure, points: int) -> tuple[int, int, int]:
    """Number of problems, methods and trials, if all runs have so many points."""
    run = ["instance_id", "algorithm", "repetition"]
    problems, methods = (frame[name].n_unique() for name in run[:2])
    trials, rest = divmod(frame.height, problems * methods * points)
    sizes = frame.group_by(run).len()
    per_pair = sizes.group_by(run[:2]).len()["len"]
    full = (sizes["len"] == points).all() and (per_pair == trials).all()
    if rest or not full or per_pair.len() != problems * methods:
        raise _uneven(of.scenario, of.name)
    return problems, methods, trials
