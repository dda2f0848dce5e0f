"""Systems compared on every task by itself, over its repeated runs.

``tasks``: a row for each task and system. ``task-pairs``: on how many tasks one system
is better, equal or worse than another. ``task-ranks``: on how many tasks it is in the
first Scott-Knott group, the second, and so on. ``ert``: the expected running time to a
target, of runs with trajectories.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from aslib_eval.analysis.compare.pairs import LEAST_P
from aslib_eval.analysis.compare.question import Question
from aslib_eval.database.connect import ask
from aslib_eval.errors import AslibError
from aslib_eval.statistics.effects import superiority
from aslib_eval.statistics.independent_runs import (
    expected_running_time,
    rank_sum,
    scott_knott_runs,
)
from aslib_eval.statistics.multiplicity import adjust
from aslib_eval.text import comparable, plural

if TYPE_CHECKING:
    import duckdb
    import polars as pl

Row = dict[str, Any]
Floats = NDArray[np.float64]
SCOPE = ("protocol", "scenario_id", "measure")
TASK_COLUMNS: Mapping[str, str] = {
    "instance_id": "task",
    "system": "algorithm",
    "n": "runs of it",
    "mean": "of the costs of its runs [measure's unit; negated where it is maximised]",
    "sd": "standard deviation of them",
    "best": "yes for the best mean of the task, or all that share it",
    "mark": "beside the best mean (`o`): `-` worse by mean and test, `±` where these "
    "disagree, `=` where the test shows nothing",
    "p_adjusted": "rank-sum test against the best mean, corrected within the task",
    "a12": "probability that a run of it is better than one of the best mean",
    "sk_group": "Scott-Knott group of the task, 1 = best",
}
PAIR_COLUMNS: Mapping[str, str] = {
    "system": "the first of the pair",
    "other": "the second",
    "wins": "tasks on which the system is better by the rank-sum test",
    "ties": "tasks on which the test shows no difference",
    "losses": "tasks on which the other is better by it",
    "n": "tasks; p is corrected over the pairs of each task",
}
RANK_COLUMNS: Mapping[str, str] = {
    "system": "algorithm",
    "sk_group": "Scott-Knott group, 1 = best",
    "tasks": "tasks on which it is in that group",
    "share": "of all tasks",
    "n": "tasks",
}
ERT_COLUMNS: Mapping[str, str] = {
    "instance_id": "task",
    "system": "algorithm",
    "target": "value to reach: the best that any run of the task found, and --target",
    "unit": "of ert: time, or evaluations where the points have no times",
    "ert": "expected running time with restarts: all that was spent, over the "
    "successes; null where no run reached the target",
    "best": "yes for the least ert of the task, or all that share it",
    "successes": "runs that reached the target",
    "share": "of the runs",
    "n": "runs with a trajectory",
}
COLUMNS: Mapping[str, Mapping[str, str]] = {
    "tasks": TASK_COLUMNS,
    "task-pairs": PAIR_COLUMNS,
    "task-ranks": RANK_COLUMNS,
}
_TEXTS = {"instance_id", "system", "other", "best", "mark", "unit"}
_COUNTS = {"n", "sk_group", "wins", "ties", "losses", "tasks", "successes"}


def over_runs(
    con: duckdb.DuckDBPyConnection, question: Question, answer: str
) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """One of COLUMNS for each scenario, measure and protocol, and a sentence for each.

    Of the question alpha and correction count. Tasks on which an algorithm has fewer
    than two runs are left out, and the sentence says how many. Runs of one task are
    compared as independent samples, so nothing is said of other tasks.

    Raises:
        AslibError: for another metric than the cost, and when no task has two
            algorithms with two runs each.
    """
    if question.metric != "cost":
        message = f"{question.metric} is no value of a single run"
        raise AslibError(message, hint="Compare the runs of a task by cost.")
    frame = ask(con, "repeated_costs").pl()
    rows: list[Row] = []
    sentences = []
    for part in frame.partition_by(*SCOPE, maintain_order=True):
        scope = dict(zip(SCOPE, part.select(SCOPE).row(0), strict=True))
        tasks = _tasks(part)
        if not tasks:
            continue
        found, sentence = _answered(tasks, question, answer)
        rows += [scope | row for row in found]
        n_left_out = part["instance_id"].n_unique() - len(tasks)
        sentences.append(f"{scope['scenario_id']}: {sentence}{_left_out(n_left_out)}")
    if not rows:
        message = "no task has two algorithms with two runs each"
        raise AslibError(message, hint="Single runs are compared over the instances.")
    return _frame(rows, (*SCOPE, *COLUMNS[answer])), tuple(sentences)


def running_times(
    con: duckdb.DuckDBPyConnection, *, target: float
) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """One row of ERT_COLUMNS for each task and algorithm, and a sentence a measure.

    target: how much worse than the best value of a task a run may be to reach it, in
    the measure's unit. Runs without a trajectory are not there.

    Raises:
        AslibError: when it is below 0, or there are no trajectories.

    Source: Hansen et al. 2016 (COCO); Auger and Hansen 2005.
    """
    if target < 0:
        message = f"no run can be better than the best one by {-target:g}"
        raise AslibError(message, hint="Give a target of 0 or more.")
    frame = ask(con, "running_times", {"beyond": target}).pl()
    if not frame.height:
        message = "there are no trajectories, which say when a value was reached"
        raise AslibError(message, hint="Choose another --scenario.")
    rows: list[Row] = []
    sentences = []
    for part in frame.partition_by("scenario_id", "measure", maintain_order=True):
        found = []
        for task in part.partition_by("instance_id", maintain_order=True):
            found += _ert_rows(task)
        rows += found
        often = Counter(row["system"] for row in found if row["best"] == "yes")
        n = part["instance_id"].n_unique()
        name, count = min(
            often.items(), key=lambda item: (-item[1], item[0]), default=("nobody", n)
        )
        lacking = sum(row["ert"] is None for row in found)
        sentences.append(
            f"{part['scenario_id'][0]}: {name} has the least expected running time on"
            f" {count} of {plural(n, 'task')} ({part['unit'][0]}, target within"
            f" {target:g} of the best {part['measure'][0]}); on {lacking} of"
            f" {len(found)} tasks and algorithms no run reached it."
        )
    return _frame(rows, ("scenario_id", "measure", *ERT_COLUMNS)), tuple(sentences)


def _ert_rows(task: pl.DataFrame) -> list[Row]:
    """Rows of one task, by name."""
    rows: list[Row] = []
    for part in task.partition_by("algorithm", maintain_order=True):
        first = part.row(0, named=True)
        reached = part["reached"].to_numpy()
        found = expected_running_time(part["spent"].to_numpy(), reached)
        rows.append(
            {
                "scenario_id": first["scenario_id"],
                "measure": first["measure"],
                "instance_id": first["instance_id"],
                "system": first["algorithm"],
                "target": first["target"],
                "unit": first["unit"],
                "ert": found.ert,
                "successes": found.successes,
                "share": found.share,
                "n": found.runs,
            }
        )
    every = [comparable(row["ert"]) for row in rows if row["ert"] is not None]
    least = min(every, default=None)  # nobody reaches it where no point has a value
    for row in rows:
        is_best = row["ert"] is not None and comparable(row["ert"]) == least
        row["best"] = "yes" if is_best else "no"
    return rows


def _frame(rows: Sequence[Row], columns: Sequence[str]) -> pl.DataFrame:
    import polars as pl

    texts = {*SCOPE, *_TEXTS}
    schema = {
        name: pl.String
        if name in texts
        else pl.Int64
        if name in _COUNTS
        else pl.Float64
        for name in columns
    }
    return pl.DataFrame(rows, schema=schema, orient="row")


def _tasks(part: pl.DataFrame) -> dict[str, dict[str, Floats]]:
    """Task → algorithm → costs of its runs, of tasks that can be compared."""
    found: dict[str, dict[str, Floats]] = {}
    columns = ("instance_id", "algorithm", "costs")
    for instance, algorithm, costs in part.select(columns).iter_rows():
        found.setdefault(instance, {})[algorithm] = np.array(costs, float)
    every = set(part["algorithm"])
    return {
        task: runs
        for task, runs in found.items()
        if len(every) > 1
        and runs.keys() == every
        and min(len(costs) for costs in runs.values()) > 1
    }


def _left_out(n: int) -> str:
    if not n:
        return ""
    return f" {plural(n, 'task')} without two runs of everyone left out."


def _answered(
    tasks: Mapping[str, Mapping[str, Floats]], question: Question, answer: str
) -> tuple[list[Row], str]:
    if answer == "tasks":
        rows = [row for task in tasks for row in task_rows(task, tasks[task], question)]
        return rows, _best_in_words(rows, len(tasks), question)
    if answer == "task-pairs":
        rows = _pair_rows(tasks, question)
        return rows, _pairs_in_words(rows, question)
    rows = _rank_rows(tasks, question)
    first = [row for row in rows if row["sk_group"] == 1]
    often = max(first, key=lambda row: row["tasks"])
    return rows, (
        f"most often in the first Scott-Knott group is {often['system']}, on"
        f" {often['tasks']} of {plural(len(tasks), 'task')}."
    )


def task_rows(task: str, runs: Mapping[str, Floats], question: Question) -> list[Row]:
    """One row of TASK_COLUMNS for each algorithm, the best mean first."""
    means = {name: float(costs.mean()) for name, costs in runs.items()}
    order = sorted(runs, key=lambda name: (comparable(means[name]), name))
    best = order[0]
    least = comparable(means[best])
    p = np.array([rank_sum(runs[name], runs[best]).p for name in order[1:]])
    adjusted = dict(
        zip(order[1:], adjust(p, method=question.correction).tolist(), strict=True)
    )
    groups = scott_knott_runs(
        [runs[name] for name in order], alpha=question.alpha, order="ascending"
    ).groups.tolist()
    rows = []
    for name, group in zip(order, groups, strict=True):
        over = superiority(runs[name], runs[best], lower_is_better=True)
        corrected = adjusted.get(name)
        mark = "o"
        if corrected is not None:
            mark = "="
            if corrected <= question.alpha:
                mark = "-" if over.a12 < 0.5 else "±"  # noqa: PLR2004
        rows.append(
            {
                "instance_id": task,
                "system": name,
                "n": len(runs[name]),
                "mean": means[name],
                "sd": float(runs[name].std(ddof=1)),
                "best": "yes" if comparable(means[name]) == least else "no",
                "mark": mark,
                "p_adjusted": None if corrected is None else max(corrected, LEAST_P),
                "a12": over.a12,
                "sk_group": group,
            }
        )
    return rows


def _best_in_words(rows: Sequence[Row], n_tasks: int, question: Question) -> str:
    often = Counter(row["system"] for row in rows if row["best"] == "yes")
    alone = sum(row["mark"] in "-±" for row in rows)
    name, count = min(often.items(), key=lambda item: (-item[1], item[0]))
    others = len(rows) - n_tasks
    return (
        f"{name} has the best mean on {count} of {plural(n_tasks, 'task')}; of {others}"
        f" comparisons with the best mean of a task the rank-sum test shows {alone} to"
        f" differ ({question.correction} within the task, alpha ="
        f" {question.alpha:g}). It is chosen on the same runs, so that favours it."
    )


def _pair_rows(
    tasks: Mapping[str, Mapping[str, Floats]], question: Question
) -> list[Row]:
    """One row of PAIR_COLUMNS for each pair, by name."""
    names = sorted(next(iter(tasks.values())))
    pairs = list(combinations(names, 2))
    found = {pair: {"wins": 0, "ties": 0, "losses": 0} for pair in pairs}
    for runs in tasks.values():
        tests = [rank_sum(runs[a], runs[b]) for a, b in pairs]
        p = adjust(np.array([t.p for t in tests]), method=question.correction)
        for (a, b), test, corrected in zip(pairs, tests, p, strict=True):
            side = "ties"
            if corrected <= question.alpha:
                larger = test.u > len(runs[a]) * len(runs[b]) / 2
                side = "losses" if larger else "wins"  # lower costs are better
            found[a, b][side] += 1
    n = len(tasks)
    return [{"system": a, "other": b, **found[a, b], "n": n} for a, b in pairs]


def _pairs_in_words(rows: Sequence[Row], question: Question) -> str:
    points: Counter[str] = Counter()
    for row in rows:
        points[row["system"]] += row["wins"] - row["losses"]
        points[row["other"]] += row["losses"] - row["wins"]
    name, most = min(points.items(), key=lambda item: (-item[1], item[0]))
    return (
        f"{name} has the most wins less losses, {most}, over {rows[0]['n']} tasks and"
        f" all others (rank-sum test, {question.correction} within a task, alpha ="
        f" {question.alpha:g})."
    )


def _rank_rows(
    tasks: Mapping[str, Mapping[str, Floats]], question: Question
) -> list[Row]:
    """One row of RANK_COLUMNS for each system and group that any task has."""
    places = {
        task: {
            row["system"]: row["sk_group"] for row in task_rows(task, runs, question)
        }
        for task, runs in tasks.items()
    }
    names = sorted(next(iter(places.values())))
    last = max(max(groups.values()) for groups in places.values())
    rows = []
    for name in names:
        counts = Counter(groups[name] for groups in places.values())
        for group in range(1, last + 1):
            row = {"system": name, "sk_group": group, "tasks": counts[group]}
            rows.append(row | {"share": counts[group] / len(tasks), "n": len(tasks)})
    return rows
