"""Systems compared over the repeated runs of one task, for ``trials``.

A task is an instance with several independent runs of each system. A test holds for its task alone; tasks
are counted, never pooled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from math import sqrt
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from aslib_eval.analysis.results import LakeResults, ScenarioResults
from aslib_eval.database.open_lake import OpenLake
from aslib_eval.errors import AslibError, require_share
from aslib_eval.extensions.optimisers.analysis import Experiment, Search, experiments, rows_of
from aslib_eval.extensions.optimisers.metrics import expected_running_time, running_time_interval
from aslib_eval.figures.catalogue import FigureEntry
from aslib_eval.figures.chart import FAINTEST, RAW, Band, Boxes, Chart
from aslib_eval.metrics.ranking import ranks
from aslib_eval.metrics.scale import Floats
from aslib_eval.reports.html import Header, Html, HtmlTable, join, paragraph
from aslib_eval.statistics import distributions, friedman
from aslib_eval.statistics.paired import superiority
from aslib_eval.text import list_names, number, one_of, plural

Row = tuple[object, ...]
_TASK = ("protocol", "scenario_id", "measure", "task")
SYSTEMS: tuple[str, ...] = (
    *(*_TASK, "better", "system", "n", "mean", "sd", "median", "rank", "group", "is_best"),
    *("versus", "mark", "p_adjusted", "a12"),
)
PAIRS: tuple[str, ...] = (
    *(*_TASK, "system", "other", "n", "n_other", "advantage"),
    *("p", "p_adjusted", "a12", "magnitude", "mark"),
)
WINS: tuple[str, ...] = (
    *("protocol", "scenario_id", "measure", "system", "other", "tasks", "untested"),
    *("wins", "ties", "losses", "better", "equal", "worse"),
)
RANKS: tuple[str, ...] = (
    *("protocol", "scenario_id", "measure", "by", "system", "tasks", "mean_rank"),
    *("rank", "times", "share"),
)
TARGETS: tuple[str, ...] = (
    *("scenario_id", "measure", "by", "task", "system", "gap", "target"),
    *("n", "successes", "success_rate", "ert", "ert_low", "ert_high", "median"),
    *("spent", "reason"),
)
LEAST_RUNS = 2
GAPS = (0.1, 0.01, 0.001)
PAGE_GAP = 0.01  # of the target that a scenario's page shows


@dataclass(frozen=True)
class TaskQuestion:
    """Options of a comparison over the runs of a task.

    versus: the system with which all others are compared; None = all pairs, and for marks the system of the
    best mean on each task. correction: over the pairs of one task. gaps: targets, as remaining shares of
    the way from the worst first solution to the best known value. target: one value of the measure instead.
    """

    versus: str | None = None
    alpha: float = 0.05
    correction: friedman.Adjustment = "holm"
    gaps: tuple[float, ...] = GAPS
    target: float | None = None

    def __post_init__(self) -> None:
        """Raise AslibError if the options are inconsistent."""
        require_share(self.alpha, "alpha")
        if not self.gaps or not all(0 <= gap < 1 for gap in self.gaps):
            raise AslibError("a gap must be at least 0 and below 1", "--gaps")


@dataclass(frozen=True, eq=False)
class Task:
    """The costs of the runs of each system on one task, lower is better.

    key: as ``_TASK``. sign: -1 if costs are negated values.
    """

    key: tuple[str, ...]
    systems: tuple[str, ...]
    costs: tuple[Floats, ...]
    sign: float

    def own(self, cost: float) -> float:
        """A cost as a value of the measure."""
        return self.sign * cost + 0.0

    @property
    def means(self) -> Floats:
        """(k,) mean cost of each system."""
        return np.array([float(c.mean()) for c in self.costs])


@dataclass(frozen=True)
class TaskPair:
    """Two systems on a task; p and p_adjusted are None for too few runs."""

    first: int
    second: int
    p: float | None
    p_adjusted: float | None
    a12: float
    magnitude: str
    advantage: float

    def turned(self) -> TaskPair:
        """The pair seen from its second system."""
        return replace(
            self, first=self.second, second=self.first, a12=1 - self.a12, advantage=-self.advantage
        )

    def mark(self, alpha: float) -> str | None:
        """``+``, ``=`` or ``-`` for the first by the test; None untested."""
        if self.p_adjusted is None:
            return None
        if self.p_adjusted > alpha or self.a12 == 0.5:  # noqa: PLR2004
            return "="
        return "+" if self.a12 > 0.5 else "-"  # noqa: PLR2004


def trial_results(
    lake: OpenLake, question: TaskQuestion | None = None, *, show: str = "systems"
) -> pl.DataFrame:
    """Compare systems over the repeated runs of each task.

    show: ``systems``, a row for each task and system: mean and standard deviation of its runs in the
        measure's own direction, rank of the mean, Scott-Knott group (1 = best; splits confirmed by Welch's
        t with Holm) and mark against ``versus``; ``pairs``, every pair of a task; ``wins``, the numbers of
        tasks that each pair wins, ties or loses by the test, and by the mean; ``ranks``, how often each
        system has each rank (by the mean, and by group); ``targets``, the expected running time to a target
        with its interval (confidence 1 - alpha, see ``running_time_interval``) and its success rate.

    The test is Wilcoxon's rank sum, because runs of two systems are independent; p are adjusted over the
    pairs of a task. Systems with fewer than two runs on a task have no test there: null. ``a12`` is the
    share of pairs of runs in which the system is better. Costs are the protocol's.

    Source: Wilcoxon 1945; Holm 1979; Vargha and Delaney 2000; Scott and Knott 1974; Hansen et al. 2010.
    """
    question = question or TaskQuestion()
    if show == "targets":
        names = TARGETS
        rows = [
            row
            for experiment in experiments(lake)
            if experiment.objective == "value"
            for row in _rows_of_experiment(experiment, question)
        ]
    else:
        names, make = _VIEWS[show]
        rows = [*make(_tasks(lake, question), question)]
    return pl.DataFrame(rows, schema=names, orient="row", infer_schema_length=None)


# The wins of ``trial_results``, for tables of papers.
WON = partial(trial_results, show="wins")


def _tasks(lake: OpenLake, question: TaskQuestion) -> list[Task]:
    frame = lake.ask("repeated_costs")
    found = []
    names: set[str] = set()
    keys = ["protocol", "scenario_id", "measure", "instance_id"]
    for part in frame.partition_by(keys, maintain_order=True):
        rows = part.select(*keys, "algorithm", "costs", "maximize").rows()
        systems = tuple(str(row[4]) for row in rows)
        names |= {*systems}
        costs = tuple(np.array(row[5], float) for row in rows)
        if len(costs) > 1 and max(map(len, costs)) >= LEAST_RUNS:
            sign = -1.0 if rows[0][6] else 1.0
            found.append(Task(tuple(map(str, rows[0][:4])), systems, costs, sign))
    if not found:
        hint = "To compare systems over instances, use 'aslib-eval compare'."
        raise AslibError("no task has repeated runs of two systems", None, hint)
    if question.versus is not None and question.versus not in names:
        hint = one_of(question.versus, sorted(names))
        raise AslibError(f"there is no system {question.versus}", "--versus", hint)
    return found


def _pairs(task: Task, question: TaskQuestion, versus: str | None) -> list[TaskPair]:
    """All pairs, or all systems against one, each of the system and the other."""
    k = range(len(task.systems))
    if versus is None:
        wanted = list(combinations(k, 2))
    else:
        at = task.systems.index(versus) if versus in task.systems else None
        wanted = [] if at is None else [(i, at) for i in k if i != at]
    tested = [min(task.costs[i].size, task.costs[j].size) >= LEAST_RUNS for i, j in wanted]
    p = [
        rank_sum(task.costs[i], task.costs[j]) for (i, j), test in zip(wanted, tested, strict=True) if test
    ]
    adjusted = iter(friedman.adjust(np.array(p), method=question.correction) if p else ())
    raw, found, means = iter(p), [], task.means
    for (i, j), test in zip(wanted, tested, strict=True):
        effect = superiority(task.costs[i], task.costs[j], lower_is_better=True)
        one, corrected = (next(raw), float(next(adjusted))) if test else (None, None)
        found.append(
            TaskPair(i, j, one, corrected, effect.a12, effect.magnitude, float(means[j] - means[i]))
        )
    return found


def _system_rows(tasks: Sequence[Task], question: TaskQuestion) -> Iterator[Row]:
    for task in tasks:
        means = task.means
        places = ranks(means, higher_is_better=False)
        groups = _groups(task, question.alpha)
        versus = question.versus or task.systems[int(np.argmin(means))]
        held = _held(task, question, versus)
        for i in np.argsort(means, kind="stable").tolist():
            costs, pair = task.costs[i], held.get(i)
            spread = float(costs.std(ddof=1)) if costs.size > 1 else None
            level = task.own(float(means[i])), spread, task.own(float(np.median(costs)))
            place = int(places[i]), groups[i], bool(places[i] == 1)
            test: Row = (None, None, None, None)
            if pair is not None:
                test = (versus, pair.mark(question.alpha), pair.p_adjusted, pair.a12)
            key = (*task.key, ("lower" if task.sign > 0 else "higher"), task.systems[i], costs.size)
            yield *key, *level, *place, *test


def _held(task: Task, question: TaskQuestion, versus: str) -> dict[int, TaskPair]:
    """Every other system's pair with one; if the runs chose that one, p is adjusted over all pairs."""
    if question.versus is not None:
        return {pair.first: pair for pair in _pairs(task, question, versus)}
    at = task.systems.index(versus)
    pairs = [p.turned() if p.first == at else p for p in _pairs(task, question, None)]
    return {pair.first: pair for pair in pairs if pair.second == at}


def _groups(task: Task, alpha: float) -> list[int | None]:
    if min(costs.size for costs in task.costs) < LEAST_RUNS:
        return [None] * len(task.systems)
    return [int(g) for g in scott_knott_runs(task.costs, alpha=alpha).groups]


def _pair_rows(tasks: Sequence[Task], question: TaskQuestion) -> Iterator[Row]:
    for task in tasks:
        for pair in _pairs(task, question, question.versus):
            i, j = pair.first, pair.second
            sizes = task.costs[i].size, task.costs[j].size
            values = pair.advantage, pair.p, pair.p_adjusted, pair.a12, pair.magnitude
            names = task.systems[i], task.systems[j]
            yield *task.key, *names, *sizes, *values, pair.mark(question.alpha)


def _win_rows(tasks: Sequence[Task], question: TaskQuestion) -> Iterator[Row]:
    """Each pair both ways round, so that a system's row has all its wins."""
    counts: dict[tuple[str, ...], dict[str, int]] = {}
    for task in tasks:
        for pair in _pairs(task, question, question.versus):
            mark = pair.mark(question.alpha) or "untested"
            turned = {"+": "-", "-": "+"}.get(mark, mark)
            sign = int(np.sign(pair.advantage))
            names = task.systems[pair.first], task.systems[pair.second]
            for (one, other), said, mean in ((names, mark, sign), (names[::-1], turned, -sign)):
                count = counts.setdefault((*task.key[:3], one, other), {})
                for word in (said, ("equal", "better", "worse")[mean]):
                    count[word] = count.get(word, 0) + 1
    for key, count in sorted(counts.items()):
        tested = [count.get(word, 0) for word in ("+", "=", "-")]
        means = [count.get(word, 0) for word in ("better", "equal", "worse")]
        yield *key, sum(means), count.get("untested", 0), *tested, *means


def _rank_rows(tasks: Sequence[Task], question: TaskQuestion) -> Iterator[Row]:
    """By the mean, and by Scott-Knott group; ties share the better rank."""
    found: dict[tuple[str, ...], list[int]] = {}
    for task in tasks:
        places = ranks(task.means, higher_is_better=False)
        groups = _groups(task, question.alpha)
        for i, system in enumerate(task.systems):
            found.setdefault((*task.key[:3], "mean", system), []).append(int(places[i]))
            if (group := groups[i]) is not None:
                found.setdefault((*task.key[:3], "group", system), []).append(group)
    for key, places_of in sorted(found.items()):
        n, mean = len(places_of), float(np.mean(places_of))
        for rank in sorted({*places_of}):
            times = places_of.count(rank)
            yield *key, n, mean, rank, times, times / n


View = Callable[[Sequence[Task], TaskQuestion], Iterator[Row]]
_VIEWS: Mapping[str, tuple[tuple[str, ...], View]] = {
    "systems": (SYSTEMS, _system_rows),
    "pairs": (PAIRS, _pair_rows),
    "wins": (WINS, _win_rows),
    "ranks": (RANKS, _rank_rows),
}


# Effort to a target.


def _rows_of_experiment(experiment: Experiment, question: TaskQuestion) -> Iterator[Row]:
    for at, search in enumerate(experiment.searches):
        for gap, cost in _targets(experiment, search, question):
            yield from _rows_of_target(experiment, at, gap, cost, question.alpha)


def target_times(lake: OpenLake, scenario_id: str) -> pl.DataFrame:
    """Expected running times of a scenario to 99 % of the way to the best known value.

    Rows as of ``trial_results`` with show = ``targets``; none for a system with one run of a task, or if
    runs are missing.
    """
    question, rows = TaskQuestion(gaps=(PAGE_GAP,)), []
    with suppress(AslibError):
        for experiment in experiments(lake, only=scenario_id):
            if experiment.objective == "value":
                rows += [*_rows_of_experiment(experiment, question)]
    found = pl.DataFrame(rows, schema=TARGETS, orient="row", infer_schema_length=None)
    return found.filter(pl.col("n").cast(pl.Int64) >= LEAST_RUNS)


def _targets(
    experiment: Experiment, search: Search, question: TaskQuestion
) -> list[tuple[float | None, float]]:
    sign = -1.0 if experiment.maximize else 1.0
    if question.target is not None:
        return [(None, sign * question.target)]
    known = np.isfinite(search.found)
    first = np.take_along_axis(search.found, known.argmax(axis=0)[None], axis=0)
    worst = float(first[np.isfinite(first)].max(initial=search.best))
    return [(gap, search.best + gap * (worst - search.best)) for gap in question.gaps]


def _rows_of_target(
    experiment: Experiment, at: int, gap: float | None, cost: float, alpha: float
) -> Iterator[Row]:
    search = experiment.searches[at]
    hits, most = _hits(experiment, at, cost)
    sign = -1.0 if experiment.maximize else 1.0
    ert = expected_running_time(hits, spent=most)
    for m, system in enumerate(experiment.methods):
        reached = np.isfinite(hits[m])
        n, successes = int((most[m] > 0).sum()), int(reached.sum())
        median = float(np.sort(hits[m])[(n - 1) // 2])
        why = None if successes else f"none of {n} runs reached it"
        ran = most[m] > 0
        low, high = running_time_interval(hits[m][ran], spent=most[m][ran], confidence=1 - alpha)
        yield (
            *(experiment.scenario_id, experiment.measure, experiment.by),
            *(search.problem, system, gap, sign * cost + 0.0, n, successes),
            successes / n,
            float(ert[m]) if successes else None,
            low,
            high if successes else None,
            median if np.isfinite(median) else None,
            float(np.where(reached, hits[m], most[m]).sum()),
            why,
        )


def _hits(experiment: Experiment, at: int, cost: float) -> tuple[Floats, Floats]:
    """(n_methods, n_trials) effort to a cost, inf if never; and of a whole run, 0 if it is missing."""
    search = experiment.searches[at]
    _, *shape = search.found.shape
    if experiment.timed is not None:  # exact times, not those of the steps
        sign = -1.0 if experiment.maximize else 1.0
        return experiment.timed.hits(sign * cost)[at], experiment.timed.ends[at]
    batch = 1 if search.draws is None else search.draws.shape[1]
    below = search.found <= cost
    steps = np.where(below.any(axis=0), below.argmax(axis=0) + 1.0, np.inf)
    return batch * steps, np.full(shape, batch * experiment.steps[-1])


EXACT_RUNS = 60  # of both samples together; a few ms there


def rank_sum(a: Floats, b: Floats) -> float:
    """Two-sided p of the rank-sum test of Wilcoxon, Mann and Whitney.

    a, b: (n,) and (m,) independent values, such as the repeated runs of two systems on one task. Up to 60
    values together the distribution is exact, over all ways to draw n of the ranks, with their ties. Beyond
    it is normal, with the variance of ties and a continuity correction. Values that agree to 13 digits tie.

    Edge cases: 1 if all values are equal; at least 0.1 for three against three runs.

    Source: Wilcoxon 1945; Mann and Whitney 1947; Lehmann 1975, chapter 1.
    """
    if not a.size or not b.size:
        raise AslibError("nothing to compare: a system has no values")
    both = distributions.rounded(np.concatenate([a, b]).astype(float))
    distributions.require_finite(both, "a value is missing or infinite")
    doubled = np.rint(2 * distributions.average_ranks(both)).astype(np.int64)
    n, size = a.size, both.size
    drawn, mean = int(doubled[:n].sum()), n * (size + 1)
    far = abs(drawn - mean)
    if far == 0:
        return 1.0
    if size <= EXACT_RUNS:
        return _share_as_far(doubled, n, far)
    variance = 4 * n * (size - n) * float((doubled / 2).var()) / (size - 1)
    return float(2 * distributions.normal_sf((far - 1) / sqrt(variance)))


def _share_as_far(doubled: NDArray[np.int64], n: int, far: int) -> float:
    """Share of the ways to draw n of the ranks whose sum is at least so far from its mean.

    ways[k, s]: ways to draw k of the ranks so far with the sum s.
    """
    top = int(np.sort(doubled)[-n:].sum())
    ways = np.zeros((n + 1, top + 1))
    ways[0, 0] = 1.0
    for rank in doubled.tolist():
        ways[1:, rank:] += ways[:-1, : top + 1 - rank].copy()
    sums, last = np.arange(top + 1), ways[n]
    outside = np.abs(sums - n * (doubled.size + 1)) >= far
    return min(1.0, float(last[outside].sum() / last.sum()))


def scott_knott_runs(
    samples: Sequence[Floats], *, alpha: float = 0.05, order: friedman.Order = "ascending"
) -> friedman.ScottKnott:
    """Group systems by their means over repeated runs of one task (not blocked).

    samples: the independent values of each system, of any numbers. The error is the spread of the runs of a
    system about its own mean, pooled over the systems. Welch's t tests, which allow different spreads,
    confirm a split.

    Edge cases: without any spread every difference of means counts. A single run shares the group of the
    systems from which no test tells it apart.

    Source: Scott and Knott 1974, for a completely randomised design; Welch 1947; Holm 1979.
    """
    values = [np.asarray(sample, float) for sample in samples]
    sizes = np.array([each.size for each in values], np.int64)
    df = int((sizes - 1).sum())
    if len(values) < 2 or sizes.min() < 1 or df < 1:  # noqa: PLR2004
        raise AslibError("Scott-Knott needs two systems and repeated runs")
    whole = np.concatenate(values)
    distributions.require_finite(whole[:, None], "a run of a system has no value")
    scale = distributions.binary_scale(whole[:, None])
    values = [each / scale for each in values]
    means = np.array([each.mean() for each in values])
    squares = sum(float(np.square(each - each.mean()).sum()) for each in values)
    apart = friedman.pairs_told_apart(_independent(values), len(values), alpha)
    return friedman.group_means(means, squares / df, df, sizes, alpha, order, scale=scale, apart=apart)


def _independent(samples: Sequence[Floats]) -> Floats:
    """The p of Welch's t test of each pair of samples; 1 for a single run."""
    n = np.array([each.size for each in samples])
    means = np.array([each.mean() for each in samples])
    share = np.array([each.var(ddof=1) if each.size > 1 else np.inf for each in samples]) / n
    i, j = np.triu_indices(len(samples), 1)
    whole = share[i] + share[j]
    least = np.maximum(np.minimum(n[i], n[j]) - 1, 1)
    with np.errstate(invalid="ignore", divide="ignore"):
        df = whole**2 / (share[i] ** 2 / (n[i] - 1) + share[j] ** 2 / (n[j] - 1))
    df = np.where(np.isfinite(df), df, least)
    return friedman.p_of_t(means[j] - means[i], whole, df)


# The chart and the section.

TRIAL_RANKS = FigureEntry(
    "number of tasks on which each system has each rank",
    "lake",
    "aslib_eval.extensions.optimisers.tasks:trial_ranks",
    "repeated runs of one scenario",
    runs=False,
    chosen=True,
)


def trial_ranks(results: LakeResults, systems: Sequence[str]) -> Chart:
    """The ranks of systems by their means over the runs of each task; systems: globs, none for all."""
    return rank_map(rows_of(trial_results(results.lake, show="ranks"), "system", systems))


def rank_map(frame: pl.DataFrame) -> Chart:
    """A box for each system and rank, darker for more tasks; best mean rank first.

    frame: rows of ``trial_results`` with show = ``ranks``; only those by the mean are drawn.
    """
    own = frame.filter(frame["by"] == "mean") if "by" in frame.columns else frame[:0]
    if "rank" not in own.columns or not own.height:
        raise AslibError("there are no ranks to draw", None, "Use --show ranks.")
    for name in ("protocol", "scenario_id", "measure"):
        if own[name].n_unique() > 1:
            raise AslibError(f"a chart shows one {name}, not {list_names(sorted(set(own[name])), most=5)}")
    row = own.row(0, named=True)
    order = list(dict.fromkeys(own.sort("mean_rank", "system")["system"]))
    most = max(own["rank"].to_list())
    boxes = [
        [
            *(rank - 1.48, rank - 0.52, order.index(system) - 0.48),
            order.index(system) + 0.48,
            f"{system}: rank {rank} on {times} of {plural(tasks, 'task')}",
            "low",
            round(max(share, FAINTEST), 3),
        ]
        for system, tasks, rank, times, share in own.select(
            "system", "tasks", "rank", "times", "share"
        ).rows()
    ]
    scale = [Boxes((), name=number(s), color="low", shade=s) for s in (0.25, 0.5, 1.0)]
    best = own.filter(own["system"] == order[0])
    return Chart(
        "Share of the tasks on which each system has each rank",
        f"{order[0]} has the best mean rank, {number(best['mean_rank'][0])}.",
        Band([str(i + 1) for i in range(most)], label="rank by the mean of the runs"),
        Band(order),
        [Boxes(boxes), *scale],
        f"{row['scenario_id']}, {row['measure']}, {plural(row['tasks'], 'task')} "
        f"· protocol {row['protocol']}",
        row_height=28,
    )


_TIMES = (
    "The expected running time of independent restarts is the effort of all runs until the target or their "
    "end, divided by the number of runs that reached it. Effort is time if the trajectories have times, "
    "else evaluations. The target is 99 % of the way from the worst first solution of any run to the best "
    "known value. A cell is empty if no run of the algorithm reached it."
)


def running_times(results: ScenarioResults) -> Html | None:
    """A row for each instance, the least time in bold; None without repeated runs."""
    if results.lake is None or not results.frames["trajectory"].height:
        return None
    frame = target_times(results.lake, results.scenario_id)
    if not frame.height:
        return None
    measures = frame["measure"].unique(maintain_order=True).to_list()
    measure = results.measure if results.measure in measures else measures[0]
    frame = frame.filter(frame["measure"] == measure)
    systems = list(dict.fromkeys(frame["system"]))
    rows: dict[str, dict[str, Any]] = {}
    cells = frame.select("task", "system", "n", "successes", "ert", "ert_low", "ert_high").rows()
    for task, system, n, successes, ert, low, high in cells:
        row = rows.setdefault(task, {"task": task, "_n": plural(n, "run") + " each", "_tips": {}})
        row[system] = ert
        row["_tips"][system] = (
            f"reached by {successes} of {plural(n, 'run')}, 95 % interval "
            f"{number(low)} to {'no end' if high is None else number(high)}"
        )
    for row in rows.values():
        known = [row[s] for s in systems if row.get(s) is not None]
        row["_best"] = [s for s in systems if len(known) > 1 and row.get(s) == min(known)]
    columns = [Header("task", "instance"), *(Header(s, s) for s in systems)]
    table = HtmlTable("targets", "Expected running time to the target", columns, [*rows.values()], "", RAW)
    return join([paragraph(_TIMES), table.html()])
