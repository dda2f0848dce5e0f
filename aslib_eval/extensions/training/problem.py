"""A scenario as selectors see it: costs, features, the steps to pay, and splits."""

from __future__ import annotations

import glob
import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from aslib_eval.analysis import RELATIONS
from aslib_eval.analysis.runs import feature_matrix, pivot
from aslib_eval.atomic_files import replace_files
from aslib_eval.database.open_lake import OpenLake, open_lake
from aslib_eval.database.protocol import Protocol, load
from aslib_eval.errors import AslibError
from aslib_eval.metrics.sweeps import log_grid

Numbers = NDArray[np.float64]
# What selectors learn to lower → the column of ``anytime_cost``, None for the cost.
TARGETS: Mapping[str, str | None] = {"cost": None, "gap": "gap", "area": "loss"}
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class SelectionProblem:
    """What there is to learn from, over all instances by name.

    costs, times, solved: (n_instances, n_algorithms), algorithms by name; nan = no such run, or one without
    a cost; times are the cutoff where unsolved and all nan for quality measures; features: (n_instances,
    n_columns), nan = missing; steps: the feature steps that yield them, in the order of their run;
    provided: (n_instances, n_steps), whether the instance has a feature that needs the step; cutoff is null
    for quality measures.

    Nothing in a row depends on another row: missing values are imputed from
    the training part of each split (`aslib_eval.extensions.training.models`).
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
        for table in (self.costs, self.times, self.solved, self.features, self.provided):
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
    by_feature = [[step in needed[feature] for step in steps] for feature in matrix.features]
    needs = np.array(by_feature, bool).reshape(len(matrix.features), len(steps))
    ((_, cutoff, penalty),) = lake.rows("training_limits", {"scenario": scenario_id})
    return SelectionProblem(
        scenario_id,
        instances,
        algorithms,
        costs,
        times,
        solved >= 0.5,  # noqa: PLR2004
        matrix.values,
        steps,
        matrix.given @ needs,
        cutoff,
        penalty,
        matrix.columns,
    )


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
    own = lake.under(scenarios=[glob.escape(scenario_id)])
    found = RELATIONS["anytime_cost"](own) if "anytime_cost" in RELATIONS else None
    if found is None or not found.height:
        message = "has no trajectories of the measure that is trained on"
        raise AslibError(message, scenario_id, "Only --target cost can be learned there.")
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
    rows = {instance: row for row, instance in enumerate(problem.instances)}
    repetitions: dict[int, dict[int | None, list[int]]] = {}
    for repetition, fold, instance in lake.rows(
        "split_instances", {"scenario": problem.scenario_id, "scheme": cv_scheme}
    ):
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
        raise AslibError(
            message, problem.scenario_id, "Make one with 'aslib-eval resample', or name another --scheme."
        )
    return splits


def _split(repetition: int, fold: int, folds: dict[int | None, list[int]], taught: Mask) -> Split:
    rows = [row for other, rows in folds.items() if other != fold for row in rows]
    train, test = np.array(rows, np.int64), np.array(folds[fold], np.int64)
    return Split(repetition, fold, train[taught[train]], test)


Step = tuple[int, float | None]  # algorithm, budget (None = up to the cutoff)


def sunny_schedule(times: Numbers, solved: Mask, *, backup: int, cutoff: float) -> list[Step]:
    """The schedule of a neighbourhood: each algorithm's share of the cutoff.

    times, solved: (k, n_algorithms) of the neighbours. Algorithms are chosen greedily by what they solve
    beyond the others, then by their time on it, then by order. Each gets one slot of the cutoff for every
    neighbour it solves, ``backup`` one for every neighbour that nobody chosen solves; the fastest on
    average over the neighbours (the cutoff where unsolved) runs first.
    Source: Amadini, Gabbrielli, Mauro 2014, SUNNY, section 3; the portfolio is
    found greedily, as in SUNNY-AS2, not by trying all.
    """
    chosen, left = _cover(times, solved)
    slots = {a: int(solved[:, a].sum()) for a in chosen}
    if left.any():
        slots[backup] = slots.get(backup, 0) + int(left.sum())
    mean = np.where(solved, times, cutoff).mean(axis=0)
    unit = cutoff / sum(slots.values())
    return [(a, slots[a] * unit) for a in sorted(slots, key=lambda a: (mean[a], a))]


def _cover(times: Numbers, solved: Mask) -> tuple[list[int], Mask]:
    """Algorithms that together solve all that is solved, and what is left."""
    chosen: list[int] = []
    left = np.ones(len(times), bool)
    while True:
        new = solved & left[:, None]
        gain = new.sum(axis=0)
        if not gain.any():
            return chosen, left
        spent = np.where(new, times, 0.0).sum(axis=0)
        best = int(np.lexsort((spent, -gain))[0])
        chosen.append(best)
        left &= ~solved[:, best]


@dataclass(frozen=True)
class Trial:
    """Training runs, and what a selector would take after a schedule.

    times, solved: (n, n_algorithms); then_time, then_solved: (n,) of the algorithm
    that the selector picks for each instance without having seen it.
    """

    times: Numbers
    solved: Mask
    then_time: Numbers
    then_solved: Mask
    cutoff: float
    penalty: float

    def cost(self, spent: Numbers, done: Mask) -> Numbers:
        """PAR of running the pick after ``spent``, 0 where ``done``: (n,) or wider."""
        tail = (slice(None), *(None,) * (spent.ndim - 1))
        end = spent + self.then_time[tail]
        reached = self.then_solved[tail] & (end < self.cutoff)
        after = np.where(reached, end, self.penalty * self.cutoff)
        return np.asarray(np.where(done, 0.0, after))


def presolving_schedule(trial: Trial, *, longest: float, most: int = 3, n_budgets: int = 20) -> list[Step]:
    """Short runs to make before the features are computed; may be empty.

    Greedily adds the algorithm and budget that lower the mean PAR most, counted with what the selector does
    afterwards on the instances that are left, until nothing does, ``most`` algorithms run, or ``longest``
    is spent. Budgets are tried at ``n_budgets`` points on a logarithmic scale.
    Source: Gonard, Schoenauer, Sebag 2016, ASAP: a pre-schedule, then a selector;
    there both are optimised together, and with a perfect selector in its place.
    """
    budgets = log_grid(1e-3 * longest, longest, places=n_budgets)
    steps: list[Step] = []
    spent, done = 0.0, np.zeros(len(trial.times), bool)
    fixed = np.zeros(len(trial.times))  # time of what is done already
    total = (fixed + trial.cost(np.full(len(fixed), spent), done)).sum()
    while len(steps) < most:
        allowed = budgets[spent + budgets <= longest * (1 + 1e-9)]
        costs = _extended(trial, spent, done, fixed, allowed)
        best = np.unravel_index(costs.argmin(), costs.shape) if costs.size else None
        if best is None or not costs[best] < total - 1e-9 * abs(total):
            break
        algorithm, budget = int(best[0]), float(allowed[best[1]])
        steps.append((algorithm, budget))
        hit = ~done & _within(trial, budget)[:, algorithm]
        fixed[hit] = spent + trial.times[hit, algorithm]
        done |= hit
        spent, total = spent + budget, costs[best]
    return steps


def _within(trial: Trial, budget: float) -> Mask:
    return np.asarray(trial.solved & (trial.times <= budget))


def _extended(trial: Trial, spent: float, done: Mask, fixed: Numbers, budgets: Numbers) -> Numbers:
    """Total cost with one run more: (n_algorithms, n_budgets)."""
    columns = []
    for budget in budgets:
        hit = _within(trial, budget) & ~done[:, None]
        own = np.where(hit, spent + trial.times, fixed[:, None])
        after = np.full(hit.shape, spent + budget)
        columns.append((own + trial.cost(after, done[:, None] | hit)).sum(axis=0))
    return np.stack(columns, axis=1) if columns else np.empty((0, 0))


def nearest(train: Numbers, test: Numbers, k: int) -> Sequence[NDArray[np.int64]]:
    """Rows of ``train`` nearest to each row of ``test``, at most k of them."""
    from sklearn.neighbors import NearestNeighbors

    model = NearestNeighbors(n_neighbors=min(k, len(train))).fit(train)
    return list(model.kneighbors(test, return_distance=False))


# --- files of the OASC: JSON, instance → list of steps --------------------------------

Schedule = list[str | list[str | float]]


def write_schedules(
    lake: Path,
    to: Path,
    *,
    scenarios: Sequence[str] = (),
    selectors: Sequence[str] = (),
    cv_scheme: str = "aslib",
) -> list[Path]:
    """Write ``to/<scenario folder>/<selector>.json`` for every stored selection.

    All selectors that answered on the scheme, if none is named; files of that name are replaced. A step is
    a feature step's name, or [algorithm, budget], where the cutoff stands for no budget of its own, and the
    name alone where there is no cutoff. Where all instances were timed, the times of training and choosing
    are there, too. Gives the files. Importing them gives selections of the same scores.
    """
    opened = open_lake(lake, scenarios=scenarios)
    asked = {"scheme": cv_scheme, "selectors": list(selectors) or None}
    folders = dict(opened.rows("select scenario_id, folder from raw_scenario"))
    files: dict[str, dict[str, Schedule]] = {}
    said: dict[str, dict[str, float]] = {}
    timed = _times(opened, cv_scheme)
    repetition_of: dict[str, int] = {}
    for row in opened.rows("schedules", asked):
        scenario, selector, repetition, instance, action, name, budget, _ = row
        file = f"{_plain(folders[scenario])}/{_plain(selector)}.json"
        if repetition_of.setdefault(file, repetition) != repetition:
            what = f"{selector} answered several repetitions of {cv_scheme}"
            raise AslibError(
                what, scenario, "A schedule file holds one: train on a scheme of one repetition."
            )
        steps = files.setdefault(file, {}).setdefault(instance, [])
        if action == "algorithm" and budget is not None:
            steps.append([name, budget])
        elif action != "none":
            steps.append(name)
        n_timed, said[file] = timed.get((scenario, selector), (0, {}))
        if n_timed < len(files[file]):
            said[file] = {}
    if not files:
        raise AslibError(f"holds no selection made on {cv_scheme!r}", str(lake), "Try 'aslib-eval train'.")
    texts = {name: schedules_text(found, said[name]).encode() for name, found in files.items()}
    return replace_files(to, texts, hint="Choose another folder; nothing was changed.")


def _plain(name: str) -> str:
    if not name or name.startswith(".") or {"/", "\\", "\0"} & set(name):
        raise AslibError(f"{name!r} is no name for a file", None, "Rename it.")
    return name


def _times(lake: OpenLake, cv_scheme: str) -> dict[tuple[str, str], tuple[int, dict[str, float]]]:
    """Scenario and selector → on how many instances it was timed, and its times [s]."""
    found = lake.ask("select * from selector_times")
    return {
        (row["scenario_id"], row["selector"]): (
            row["n_chosen"],
            {n: row[n] for n in ("training_time", "choosing_time") if row[n] is not None},
        )
        for row in found.filter(cv_scheme=cv_scheme).iter_rows(named=True)
    }


def schedules_text(
    schedules: Mapping[str, Schedule], times: Mapping[str, float] = MappingProxyType({})
) -> str:
    """The JSON text, a line for each instance, and for each time before them."""
    members = (*times.items(), *schedules.items())
    lines = (f"{_json(name)}: {_json(said)}" for name, said in members)
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
