"""Schedules made from runtimes (SUNNY's, ASAP's), and written as files of the OASC."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aslib_eval.atomic_files import replace_files
from aslib_eval.database.open_lake import OpenLake, open_lake
from aslib_eval.errors import AslibError
from aslib_eval.metrics.sweeps.curves import log_grid

Numbers = NDArray[np.float64]
Mask = NDArray[np.bool_]
Step = tuple[int, float | None]  # algorithm, budget (None = up to the cutoff)


def sunny_schedule(times: Numbers, solved: Mask, *, backup: int, cutoff: float) -> list[Step]:
    """The schedule of a neighbourhood: each algorithm's share of the cutoff.

    times, solved: (k, n_algorithms) of the neighbours. Algorithms are chosen
    greedily by what they solve beyond the others, then by their time on it, then by order. Each gets one
    slot of the cutoff for every neighbour it solves, ``backup`` one for every neighbour that nobody chosen
    solves; the fastest on average over
    the neighbours (the cutoff where unsolved) runs first.
    Source: Amadini, Gabbrielli, Mauro 2014, SUNNY, section 3; the portfolio is
    found greedily, as in SUNNY-AS2, not by trying all.
    """
    chosen, left = _cover(times, solved)
    slots = {a: int(solved[:, a].sum()) for a in chosen}
    if left.any():
        slots[backup] = slots.get(backup, 0) + int(left.sum())
    mean = np.where(solved, times, cutoff).mean(axis=0)
    unit = cutoff / sum(slots.values())
    order = sorted(slots, key=lambda a: (mean[a], a))
    return [(a, slots[a] * unit) for a in order]


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
        cost: Numbers = np.where(done, 0.0, after)
        return cost


def presolving_schedule(trial: Trial, *, longest: float, most: int = 3, n_budgets: int = 20) -> list[Step]:
    """Short runs to make before the features are computed; may be empty.

    Greedily adds the algorithm and budget that lower the mean PAR most, counted
    with what the selector does afterwards on the instances that are left, until
    nothing does, ``most`` algorithms run, or ``longest`` is spent. Budgets are tried
    at ``n_budgets`` points on a logarithmic scale.
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
    within: Mask = trial.solved & (trial.times <= budget)
    return within


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

    All selectors that answered on the scheme, if none is named; files of that name
    are replaced. A step is a feature step's name, or [algorithm, budget], where the cutoff stands for no
    budget of its own, and the name alone where there is no
    cutoff. Where all instances were timed, the times of training and choosing are there, too. Gives the
    files. Importing them gives selections of the same scores.
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
            hint = "A schedule file holds one: train on a scheme of one repetition."
            raise AslibError(what, scenario, hint)
        steps = files.setdefault(file, {}).setdefault(instance, [])
        if action == "algorithm" and budget is not None:
            steps.append([name, budget])
        elif action != "none":
            steps.append(name)
        n_timed, said[file] = timed.get((scenario, selector), (0, {}))
        if n_timed < len(files[file]):
            said[file] = {}
    if not files:
        what = f"holds no selection made on {cv_scheme!r}"
        raise AslibError(what, str(lake), "Try 'aslib-eval train'.")
    texts = {name: schedules_text(found, said[name]).encode() for name, found in files.items()}
    hint = "Choose another folder; nothing was changed."
    return replace_files(to, texts, hint=hint)


def _plain(name: str) -> str:
    """A name that is a file name as it stands."""
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
