"""A scenario as selectors see it: costs, features, the steps to pay, and splits."""

from __future__ import annotations

import glob
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from aslib_eval.analysis.relations import RELATIONS
from aslib_eval.analysis.runs import FeatureMatrix, feature_matrix, pivot
from aslib_eval.database.open_lake import OpenLake
from aslib_eval.database.protocol import Protocol, load
from aslib_eval.errors import AslibError

Numbers = NDArray[np.float64]
# What selectors learn to lower → the column of ``anytime_cost``, None for the cost.
TARGETS: Mapping[str, str | None] = {"cost": None, "gap": "gap", "area": "loss"}
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class SelectionProblem:
    """What there is to learn from, over all instances by name.

    costs, times, solved: (n_instances, n_algorithms), algorithms by name; nan = no
    such run, or one without a cost; times are the cutoff where unsolved and all nan
    for quality measures; features: (n_instances, n_columns), nan = missing; steps: the feature steps that
    yield them, in the order of their run; provided: (n_instances, n_steps), whether the instance has a
    feature that needs the step; cutoff is null
    for quality measures.

    Nothing in a row depends on another row: missing values are imputed from
    the training part of each split (`aslib_eval.extensions.training.analysis.models`).
    """

    scenario_id: str
    instances: tuple[str, ...]
    algorithms: tuple[str, ...]
    costs: Numbers
    times: Numbers
    solved: Mask
    features: Numbers
    steps: tuple[str, ...]
    provided: Mask
    cutoff: float | None
    penalty: float
    columns: tuple[str, ...] = ()  # of the features

    def digest(self) -> str:
        """SHA-256 of everything in it."""
        words = (self.instances, self.algorithms, self.steps, self.cutoff, self.penalty)
        digest = hashlib.sha256(repr(words).encode())
        tables = (self.costs, self.times, self.solved, self.features, self.provided)
        for table in tables:
            digest.update(repr(table.shape).encode() + np.ascontiguousarray(table).data)
        return digest.hexdigest()


@dataclass(frozen=True)
class Split:
    """A fold of a repetition: rows of the problem to train on and to answer."""

    cv_repetition: int
    fold: int
    train: NDArray[np.int64]
    test: NDArray[np.int64]


def for_training(protocol: str | Protocol) -> Protocol:
    """The protocol with what training fixes: one measure, default feature steps."""
    given = load(protocol)
    one = "primary" if given.measures == "all" else given.measures
    return replace(given, measures=one, feature_cost="default_steps")


def read_problem(lake: OpenLake, scenario_id: str, *, target: str = "cost") -> SelectionProblem:
    """Read a scenario under the one protocol of the open lake.

    target: what the costs are, one of TARGETS: ``cost``, those of the measure; ``gap``, what is left at the
        end of the way to the best known objective; ``area``, the mean of that over time.

    Features are those that the default steps and what these require provide, and
    those of no step. Repetitions of a run count as the protocol says; an algorithm solves an instance if it
    does so in half of them.
    """
    instances, algorithms, (costs, times, solved) = _runs(lake, scenario_id)
    if table := TARGETS[target]:
        costs = _over_time(lake, scenario_id, table, (instances, algorithms))
    needed, steps = _features(lake, scenario_id)
    matrix = feature_matrix(lake, scenario_id, instances, features=list(needed))
    if not matrix.columns:
        hint = "Selectors learn from features: leave out the scenario."
        raise AslibError("has no values of usable features", scenario_id, hint)
    limits = lake.rows("training_limits", {"scenario": scenario_id})
    ((_, cutoff, penalty),) = limits
    return SelectionProblem(
        scenario_id,
        instances,
        algorithms,
        costs,
        times,
        solved >= 0.5,  # noqa: PLR2004
        matrix.values,
        steps,
        _provided(matrix, needed, steps),
        cutoff,
        penalty,
        matrix.columns,
    )


def _provided(matrix: FeatureMatrix, needed: Mapping[str, set[str]], steps: Sequence[str]) -> Mask:
    """Whether an instance has a feature that needs the step: (n_instances, n_steps)."""
    by_column = [[step in needed[feature] for step in steps] for feature in matrix.features]
    table = np.array(by_column, bool).reshape(len(matrix.features), len(steps))
    given: Mask = matrix.given @ table
    return given


def _runs(lake: OpenLake, scenario_id: str) -> tuple[tuple[str, ...], tuple[str, ...], Numbers]:
    """Instances and algorithms by name; cost, time and share solved, nan = no run."""
    frame = lake.ask("training_runs", {"scenario": scenario_id})
    if frame["cost"].null_count() == frame.height:
        raise AslibError("has no run that counts under the protocol", scenario_id)
    wide = pivot(frame, rows=("instance_id",), columns=("algorithm",))
    tables = [wide.table(name) for name in ("cost", "time", "solved")]
    instances, algorithms = wide.rows["instance_id"], wide.columns["algorithm"]
    return tuple(instances), tuple(algorithms), np.stack(tables)


def _over_time(
    lake: OpenLake, scenario_id: str, table: str, names: tuple[tuple[str, ...], tuple[str, ...]]
) -> Numbers:
    """A table of the trajectories: (n_instances, n_algorithms), nan = no run."""
    own = lake.under(scenarios=[glob.escape(scenario_id)])
    found = RELATIONS["anytime_cost"](own) if "anytime_cost" in RELATIONS else None
    if found is None or not found.height:
        message = "has no trajectories of the measure that is trained on"
        hint = "Only --target cost can be learned there."
        raise AslibError(message, scenario_id, hint)
    costs = np.full([len(part) for part in names], np.nan)
    keys = found.select("instance_id", "solver", pl.col(table).fill_null(np.nan))
    for instance, algorithm, cost in keys.iter_rows():
        costs[names[0].index(instance), names[1].index(algorithm)] = cost
    return costs


def _features(lake: OpenLake, scenario_id: str) -> tuple[dict[str, set[str]], tuple[str, ...]]:
    """Usable features with all steps that each needs, and the steps in their order."""
    default = lake.rows("charged_steps", {"scenario": scenario_id})
    requires = {step: set(needed or ()) for step, needed in default}
    features = lake.rows("usable_features", {"scenario": scenario_id})
    usable = {f: set(s or ()) for f, s in features if set(s or ()) <= set(requires)}
    needed = {f: _closed(steps, requires) for f, steps in usable.items()}
    paid_for = set().union(*needed.values())
    return needed, tuple(step for step in requires if step in paid_for)


def _closed(steps: Iterable[str], requires: dict[str, set[str]]) -> set[str]:
    """The steps and all that they require, directly or not."""
    closed: set[str] = set()
    waiting = list(steps)
    while waiting:
        step = waiting.pop()
        if step not in closed:
            closed.add(step)
            waiting += requires.get(step, ())
    return closed


def read_splits(lake: OpenLake, problem: SelectionProblem, cv_scheme: str) -> list[Split]:
    """The splits of a scheme; identical copies of a repetition count once.

    Instances whose fold is null are trained on and never answered; those of which no cost is known are
    answered and never trained on.
    """
    asked = {"scenario": problem.scenario_id, "scheme": cv_scheme}
    rows = {instance: row for row, instance in enumerate(problem.instances)}
    repetitions: dict[int, dict[int | None, list[int]]] = {}
    for repetition, fold, instance in lake.rows("split_instances", asked):
        if instance in rows:
            folds = repetitions.setdefault(repetition, {})
            folds.setdefault(fold, []).append(rows[instance])
    taught: Mask = np.logical_not(np.isnan(problem.costs).all(axis=1))
    splits = [
        _split(repetition, fold, folds, taught)
        for repetition, folds in repetitions.items()
        for fold in folds
        if fold is not None
    ]
    if not splits or not all(len(split.train) for split in splits):
        message = f"has no split {cv_scheme!r} with instances to train on"
        hint = "Make one with 'aslib-eval resample', or name another --scheme."
        raise AslibError(message, problem.scenario_id, hint)
    return splits


def _split(repetition: int, fold: int, folds: dict[int | None, list[int]], taught: Mask) -> Split:
    rows = [row for other, rows in folds.items() if other != fold for row in rows]
    train, test = np.array(rows, np.int64), np.array(folds[fold], np.int64)
    return Split(repetition, fold, train[taught[train]], test)
