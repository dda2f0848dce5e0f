"""Experiments of optimisers, read from a lake, their scores, and charts of these.

An experiment has the best cost after each step of each trial. A step is a moment if trajectories have times
and the scenario has a time limit; else a batch of evaluations, and every run has the same number of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import partial
from itertools import pairwise, product
from math import prod
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from aslib_eval._version import __version__
from aslib_eval.analysis.objectives import read_trajectories
from aslib_eval.analysis.results import LakeResults, matching
from aslib_eval.atomic_files import replace_file
from aslib_eval.database.open_lake import OpenLake
from aslib_eval.errors import AslibError, os_errors
from aslib_eval.extensions.optimisers import bayesmark_studies, metrics
from aslib_eval.figures.catalogue import FigureEntry
from aslib_eval.figures.chart import Boxes, Chart, Line, Linear, Mark, Rule, look
from aslib_eval.metrics.ranking import ranks
from aslib_eval.metrics.scale import Floats, Trajectories, value_at
from aslib_eval.paths import read_plain
from aslib_eval.statistics.means import BY_BOUND
from aslib_eval.text import list_names, number, one_of, plural

MOMENTS = 20  # equal parts of the time limit


@dataclass(frozen=True, eq=False)
class Search:
    """The trials on one problem; costs, lower is better, inf before any solution.

    found: (n_steps, n_methods, n_trials). best: the lowest cost observed or given. draws: (n_steps,
    n_batch, n_methods, n_trials) of every evaluation; None by time.
    """

    problem: str
    found: Floats
    draws: Floats | None
    best: float


@dataclass(frozen=True, eq=False)
class TimedRuns:
    """The trajectories of an experiment by time.

    places: (n_runs,) place of each run in a flat table (n_problems, n_methods, n_trials). ends: table of
    the end of each run: its last point if time counts evaluations, else the time limit; 0 for a missing
    trial.
    """

    paths: Trajectories
    places: NDArray[np.int64]
    ends: Floats

    def hits(self, target: float) -> Floats:
        """(n_problems, n_methods, n_trials) time to a value, inf if never."""
        found = np.full(self.ends.size, np.inf)
        found[self.places] = metrics.first_at(self.paths, target=target)
        return found.reshape(self.ends.shape)


@dataclass(frozen=True, eq=False)
class Experiment:
    """A measure of a scenario: the same methods on all problems.

    objective: ``value``, or ``visible`` for the loss that the optimisers observed. by: ``evaluations`` or
    ``time``; steps: numbers of batches, or times. maximize: whether costs are negated values. timed: all
    runs, by time.
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
        """Raise AslibError if trials are missing."""
        if self.timed is not None and not self.timed.ends.all():
            raise _uneven(self.scenario_id, self.measure)


class _TrialMeasure(NamedTuple):
    """A measure of a scenario, with the costs of the reference file by problem.

    sign: -1 where more is better. counted: whether time is a number of evaluations.
    """

    scenario: str
    name: str
    sign: float
    counted: bool
    has_visible: bool
    references: dict[str, float]


def experiments(lake: OpenLake, *, only: str | None = None) -> Iterator[Experiment]:
    """Every measure with trajectories; two experiments if optimisers saw another loss. only: a scenario."""
    keys = lake.rows("trajectory_measures")
    if not keys:
        hint = "Import an experiment of optimisers, or a scenario with trajectories.arff."
        raise AslibError("no scenario has trajectories", None, hint)
    for scenario, measure, maximize, cutoff, timed, counted, has_visible in keys:
        if only not in {None, scenario}:
            continue
        sign = -1.0 if maximize else 1.0
        references = dict(lake.rows("best_known", {"scenario": scenario, "sign": sign}))
        of = _TrialMeasure(scenario, measure, sign, counted, has_visible, references)
        if timed and cutoff is not None:
            yield _by_time(lake, of, cutoff)
            continue
        frame = lake.ask("evaluations", {"scenario": scenario, "measure": measure})
        yield _by_evaluations(frame, of, "value")
        if has_visible:  # the references are not of this loss
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
            metrics.best_so_far(costs[p], visible=seen[p]),
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
    return Experiment(*key, of.sign < 0, TimedRuns(runs, places, ends.reshape(shape)))


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
    hint = "Give every method the same number of both on every problem."
    return AslibError(f"methods differ in their numbers of trials or steps of {measure}", scenario, hint)


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


Row = tuple[object, ...]
_EXPERIMENT = (*("protocol", "scenario_id", "measure", "objective"), *("by", "baseline", "step"))
SUMMARY: tuple[str, ...] = (
    *(*_EXPERIMENT, "method", "n", "trials", "score"),
    *("mean", "mean_low", "mean_high", "mean_here_low", "mean_here_high"),
    *("lb_mean", "ub_mean", "normed_mean", "normed_mean_low", "normed_mean_high"),
    *("lb_normed_mean", "ub_normed_mean"),
    *("median", "median_low", "median_high", "anytime", "remark"),
)
PROBLEM: tuple[str, ...] = (
    *(*_EXPERIMENT, "problem", "method", "trials", "optimum", "clip"),
    *("median", "median_low", "median_high", "quartile_low", "quartile_high"),
    "normed_median",
    *("mean", "mean_low", "mean_high", "lb_mean", "ub_mean", "normed_mean", "remark"),
)
OBJECTIVES: tuple[str, ...] = (
    *("protocol", "scenario_id", "measure", "by", "baseline", "step"),
    *("method", "n", "trials", "score_visible", "score_held_out", "score_change"),
    *("rank_visible", "rank_held_out", "mean_visible", "mean_held_out"),
    *("normed_mean_visible", "normed_mean_held_out", "remark"),
)


@dataclass(frozen=True, eq=False)
class ScoredExperiment:
    """An experiment under a baseline: the problems with a scale, and their scores.

    here: (n_steps, n_methods) margin of the mean over exactly these problems. other_functions: problems
    whose signature differs from the frozen baseline's.
    """

    protocol: str
    experiment: Experiment
    baseline: str
    searches: tuple[Search, ...]
    baselines: list[metrics.Baseline]
    problems: list[metrics.Scores]
    summary: metrics.Summary
    here: Floats
    other_functions: tuple[str, ...] = ()


def summary_rows(scored: ScoredExperiment, *, first: int) -> Iterator[Row]:
    """Rows of SUMMARY for each step from ``first`` on, methods by their mean."""
    experiment, summary = scored.experiment, scored.summary
    scores, n, unit = summary.scores, len(scored.problems), summary.unit
    usual = (scores.mean - scores.t_margin, scores.mean + scores.t_margin)
    remark = _summary_remark(scored)
    anytime = scores.mean.mean(axis=0)
    for step in range(len(experiment.steps))[first:]:
        for m in sorted(range(len(experiment.methods)), key=lambda m: scores.mean[step, m]):
            values = (
                summary.leaderboard,
                scores.mean,
                scores.mean_low,
                scores.mean_high,
                scores.mean - scored.here,
                scores.mean + scored.here,
                *usual,
                scores.normed_mean,
                *(end / unit for end in (scores.mean_low, scores.mean_high, *usual)),
                scores.median,
                scores.median_low,
                scores.median_high,
            )
            cells = (_number(table[step, m]) for table in values)
            trials = experiment.searches[0].found.shape[-1]
            key = (*_key(scored, step), experiment.methods[m], n, trials)
            bound = f"interval of the mean: {BY_BOUND}" if summary.by_bound[step, m] else None
            yield *key, *cells, float(anytime[m]), "; ".join(filter(None, (remark, bound))) or None


def problem_rows(scored: ScoredExperiment, *, first: int) -> Iterator[Row]:
    """Rows of PROBLEM for each problem, step from ``first`` on, and method."""
    experiment = scored.experiment
    steps = range(len(experiment.steps))[first:]
    for search, base, scores in zip(scored.searches, scored.baselines, scored.problems, strict=True):
        trials = search.found.shape[-1]
        remark = _bars(trials, "trial")
        if base.is_best:
            remark = [*remark, "the baseline is the best here, so the median scale has no length"]
        if search.problem in scored.other_functions:
            remark = [*remark, "the baseline was measured on another function"]
        values = (
            scores.median,
            scores.median_low,
            scores.median_high,
            *(metrics.quantile(search.found, q=q) for q in (0.25, 0.75)),
            scores.normed_median,
            scores.mean,
            scores.mean_low,
            scores.mean_high,
            scores.mean - scores.t_margin,
            scores.mean + scores.t_margin,
            scores.normed_mean,
        )
        for step, (m, method) in product(steps, enumerate(experiment.methods)):
            cells = (_number(table[step, m]) for table in values)
            key = (*_key(scored, step), search.problem, method, trials)
            yield *key, base.optimum, base.clip, *cells, "; ".join(remark) or None


def objective_rows(scored: Sequence[ScoredExperiment]) -> Iterator[Row]:
    """Rows of OBJECTIVES; scored: of one protocol and measure, ``value`` before ``visible``."""
    held_out, visible = scored
    experiment, last = held_out.experiment, len(held_out.experiment.steps) - 1
    tables = [each.summary.leaderboard[last] for each in (visible, held_out)]
    means = [each.summary.scores.mean[last] for each in (visible, held_out)]
    normed = [each.summary.scores.normed_mean[last] for each in (visible, held_out)]
    orders = [ranks(mean, higher_is_better=False) for mean in means]
    remark = _summary_remark(held_out)
    for m in sorted(range(len(experiment.methods)), key=lambda m: means[1][m]):
        key = _key(held_out, last)
        trials = experiment.searches[0].found.shape[-1]
        yield (
            *(*key[:3], *key[4:], experiment.methods[m], len(held_out.problems), trials),
            *(_number(table[m]) for table in tables),
            _number(tables[1][m] - tables[0][m]),
            *(int(order[m]) for order in orders),
            *(_number(mean[m]) for mean in (*means, *normed)),
            remark,
        )


def _key(scored: ScoredExperiment, step: int) -> Row:
    experiment = scored.experiment
    about = (experiment.scenario_id, experiment.measure, experiment.objective, experiment.by)
    return scored.protocol, *about, scored.baseline, experiment.steps[step]


def _summary_remark(scored: ScoredExperiment) -> str | None:
    remarks = _bars(len(scored.problems), "problem")
    if best := sum(base.is_best for base in scored.baselines):
        remarks.append(f"the baseline is the best on {plural(best, 'problem')}")
    if left := len(scored.experiment.searches) - len(scored.problems):
        remarks.append(f"{plural(left, 'problem')} left out because the baseline finds no solution there")
    if others := scored.other_functions:
        remarks.append(f"the baseline was measured on another function for {list_names(others, most=5)}")
    return "; ".join(remarks) or None


def _bars(n: int, of: str) -> list[str]:
    """A remark if the error bars of the median of n are infinite."""
    low, high = metrics.interval_places(n)
    finite = low > 0 and high <= n
    return [] if finite else [f"the error bars of the median are infinite with fewer than 6 {of}s"]


def _number(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


RANDOM_SEARCH = "RandomSearch_*"


def optimiser_scores(
    lake: OpenLake, *, baseline: str | None = None, show: str = "summary", freeze: Path | None = None
) -> pl.DataFrame:
    """Losses of each method relative to the optimum, in units of the baseline.

    baseline: a glob of methods, or ``SBS`` for the protocol's single best. Default: ``RandomSearch_*`` if
        steps are evaluations, ``SBS`` if they are times. Evaluations of random search are pooled, because
        all are drawn alike; any other baseline is its own median and mean at each step. A file ``*.json``
        holds a frozen baseline: of ``freeze``, or bayesmark's ``derived/baseline.json``.
    show: ``summary``, a row for each method after the last step; ``steps``, after every step; ``problems``,
        a row for each problem and method after the last step; ``curves``, after every step; ``objectives``,
        a row for each method with its visible losses beside the charged (held-out) ones.
    freeze: writes the baseline to this file, in the layout of bayesmark, so that later experiments on the
        same problems have the same scale.

    Columns: ``n`` problems with a scale; ``mean`` over problems of the mean clipped loss (0 = optimum, 1 =
    clip value, the baseline's median after one draw), and ``score`` = 100 (1 - mean), more is better:
    bayesmark's leaderboard (there of the objective ``visible``); ``normed_mean``, the mean in units of the
    baseline's; ``median`` over problems of the median loss (1 = the baseline's median at that step);
    ``anytime``, the mean of ``mean`` over all steps. ``_low`` and ``_high`` are 95 % error bars over
    problems, for further problems drawn like these (in ``problems`` over trials). Those of means are
    bounded, because losses are; a ``remark`` says if the bound decides, not the data. Those of medians are
    infinite with fewer than six: null, with a ``remark``. ``mean_here_low`` and ``mean_here_high`` are for
    the mean over exactly these problems, with random trials. All take the baseline as given. ``lb_`` and
    ``ub_`` are bayesmark's ``LB_MEAN``, ``UB_MEAN``, ``LB_NORMED_MEAN`` and ``UB_NORMED_MEAN``: Student's
    t, which covers less than 95 % of skewed losses; null for one problem (or trial). In ``problems``,
    ``median``, ``mean`` and the quartiles over trials are in the problem's unit, negated if more is better.

    Source: bayesmark, "How scoring works".
    """
    labels = {p.protocol: p.tag for p in lake.protocols}
    return scores_of(lake.with_all_measures(), labels, baseline=baseline, show=show, freeze=freeze)


# The problems of ``optimiser_scores``, for tables of papers.
PROBLEMS = partial(optimiser_scores, show="problems")


def scores_of(
    lake: OpenLake,
    labels: Mapping[str, str],
    *,
    baseline: str | None = None,
    show: str = "summary",
    freeze: Path | None = None,
) -> pl.DataFrame:
    """As ``optimiser_scores``; labels: name in the lake → name in the rows, of each protocol."""
    found = list(experiments(lake))
    for experiment in found:
        experiment.require_full()
    scored = [
        _score(lake, experiment, label, protocol, baseline)
        for protocol, label in labels.items()
        for experiment in found
    ]
    if freeze is not None:
        write_baseline(scored, freeze, signatures=_signatures(lake, scored[0]))
    names, rows = _shown(scored, show)
    return pl.DataFrame(rows, schema=names, orient="row", infer_schema_length=None)


def chosen_rows(frame: pl.DataFrame, **globs: str | None) -> pl.DataFrame:
    """The rows that match globs of columns; None is all."""
    for name, wanted in globs.items():
        if wanted is None:
            continue
        if name not in frame.columns:
            raise AslibError(f"these rows have no {name} of their own", f"--{name}")
        known = sorted(set(frame[name]))
        some = [each for each in known if fnmatchcase(each, wanted)]
        if not some:
            raise AslibError(f"no {name} matches {wanted}", f"--{name}", one_of(wanted, known))
        frame = frame.filter(frame[name].is_in(some))
    return frame


def _shown(scored: list[ScoredExperiment], show: str) -> tuple[tuple[str, ...], list[Row]]:
    first = 0 if show in {"steps", "curves"} else -1
    if show in {"problems", "curves"}:
        return PROBLEM, [r for each in scored for r in problem_rows(each, first=first)]
    if show in {"summary", "steps"}:
        return SUMMARY, [r for each in scored for r in summary_rows(each, first=first)]
    pairs = [(one, other) for one, other in pairwise(scored) if other.experiment.objective == "visible"]
    if not pairs:
        raise AslibError(
            "no optimiser observed losses other than the scored ones",
            None,
            "Import evaluations with a column visible.",
        )
    return OBJECTIVES, [row for pair in pairs for row in objective_rows(pair)]


def _signatures(lake: OpenLake, of: ScoredExperiment) -> dict[str, list[float]]:
    return dict(lake.rows("signatures", {"scenario": of.experiment.scenario_id}))


def write_baseline(
    scored: Sequence[ScoredExperiment], to: Path, *, signatures: Mapping[str, Sequence[float]]
) -> None:
    """Freeze a baseline to a file, in the layout of bayesmark's ``baseline.json``.

    signatures: of the functions, to recognise the same function later.
    """
    first, *others = scored
    of = first.experiment
    for each in others:
        mine = each.experiment
        if (each.protocol, mine.scenario_id, mine.by, mine.maximize) != (
            *(first.protocol, of.scenario_id, of.by, of.maximize),
        ):
            hint = "Choose one scenario with --scenario, and one protocol."
            raise AslibError("a file holds a single baseline", str(to), hint)
    objectives = {
        bayesmark_studies.VISIBLE if each.experiment.objective == "visible" else each.experiment.measure: {
            search.problem: base for search, base in zip(each.searches, each.baselines, strict=True)
        }
        for each in scored
    }
    about = {
        "scenario_id": of.scenario_id,
        "maximize": of.maximize,
        "by": of.by,
        "baseline": first.baseline,
        "steps": list(of.steps),
        "version": __version__,
    }
    replace_file(
        to, bayesmark_studies.frozen_file(objectives, steps=of.steps, about=about, signatures=signatures)
    )


def _frozen(experiment: Experiment, file: str) -> dict[str, metrics.Baseline]:
    with os_errors(file):
        content = read_plain(Path(file))
    about = bayesmark_studies.frozen_about(content) or {"maximize": False, "by": "evaluations"}
    for name, mine in (("by", experiment.by), ("maximize", experiment.maximize)):
        if about.get(name) != mine:
            what = f"the baseline was frozen with {name} = {about.get(name)}, but the runs have {mine}"
            raise AslibError(what, file, "Freeze a baseline of these runs: optimisers --freeze FILE")
    measure = bayesmark_studies.VISIBLE if experiment.objective == "visible" else experiment.measure
    found, wrong = bayesmark_studies.read_baseline(content, file=file, measure=measure)
    if wrong:
        raise AslibError(wrong[0].message, file, "See docs/formats.md.")
    n = len(experiment.steps)
    steps = about.get("steps", experiment.steps)[:n]
    longest = min((len(base.median) for base in found.values()), default=0)
    if longest < n or (experiment.by == "time" and tuple(steps) != experiment.steps):
        what = f"the baseline does not have the {n} steps of {experiment.scenario_id}"
        raise AslibError(what, file, "Freeze a baseline with these steps.")
    names = [search.problem for search in experiment.searches]
    lacking = [name for name in names if name not in found]
    if lacking and (experiment.by != "time" or len(lacking) == len(names)):
        what = f"the baseline lacks the problems {list_names(lacking, most=5)}"
        raise AslibError(what, file, "Freeze a baseline of all these problems.")
    return {name: replace(base, median=base.median[:n], mean=base.mean[:n]) for name, base in found.items()}


def _score(
    lake: OpenLake, experiment: Experiment, label: str, protocol: str, baseline: str | None
) -> ScoredExperiment:
    if baseline is not None and baseline.endswith(".json"):
        known = _frozen(experiment, baseline)
        searches = [s for s in experiment.searches if s.problem in known]
        found = [known[s.problem] for s in searches]
        scored = _scored(experiment, label, Path(baseline).name, searches, found)
        mine = _signatures(lake, scored)
        frozen = bayesmark_studies.read_signatures(Path(baseline).read_bytes())
        # A function without a signature counts as the same.
        known_too = (n for n in mine if n in frozen and frozen[n].shape == np.shape(mine[n]))
        others = (name for name in known_too if not np.allclose(mine[name], frozen[name]))
        return replace(scored, other_functions=tuple(others))
    wanted = baseline or (RANDOM_SEARCH if experiment.by == "evaluations" else "SBS")
    if wanted == "SBS":
        wanted = _single_best(lake, experiment, protocol)
    names = [name for name in experiment.methods if fnmatchcase(name, wanted)]
    if not names:
        hint = f"Name one with --baseline: {', '.join(experiment.methods[:8])}, or SBS."
        raise AslibError(f"no method matches the baseline {wanted}", experiment.scenario_id, hint)
    columns = [experiment.methods.index(name) for name in names]
    # By time, a problem has a scale if half of the baseline's trials find a solution within the limit.
    searches = [
        search
        for search in experiment.searches
        if experiment.by != "time" or np.isfinite(search.found[-1, columns]).mean() >= 0.5  # noqa: PLR2004
    ]
    pooled = all(fnmatchcase(name, "RandomSearch*") for name in names)
    baselines = [_baseline(experiment, s, columns, pooled=pooled) for s in searches]
    return _scored(experiment, label, ", ".join(names), searches, baselines)


def _scored(
    experiment: Experiment,
    label: str,
    used: str,
    searches: Sequence[Search],
    baselines: list[metrics.Baseline],
) -> ScoredExperiment:
    both = [*zip(searches, baselines, strict=True)]
    problems = [metrics.problem_scores(s.found, baseline=b) for s, b in both]
    try:
        summary = metrics.summarise(problems, baselines=baselines)
    except AslibError as error:
        raise AslibError(error.message, experiment.scenario_id) from None
    here = metrics.fixed_problems_margin([metrics.clipped_losses(s.found, baseline=b) for s, b in both])
    return ScoredExperiment(label, experiment, used, tuple(searches), baselines, problems, summary, here)


def _single_best(lake: OpenLake, experiment: Experiment, protocol: str) -> str:
    """SBS by the losses that an experiment reports, else by the measure itself."""
    key = {"scenario": experiment.scenario_id, "measure": experiment.measure}
    found = lake.rows("optimiser_sbs", {**key, "protocol": protocol})
    if not found or found[0][0] is None:
        raise AslibError("no optimiser is the single best solver (SBS)", experiment.scenario_id)
    return str(found[0][0])


def _baseline(
    experiment: Experiment, search: Search, columns: list[int], *, pooled: bool
) -> metrics.Baseline:
    try:
        if search.draws is None or not pooled:
            own = search.found[:, columns].reshape(len(experiment.steps), -1)
            return metrics.observed_baseline(own, best=search.best)
        steps, batch, *_ = search.draws.shape
        own = search.draws[:, :, columns]
        return metrics.pooled_baseline(own, batch=batch, steps=steps, best=search.best)
    except AslibError as error:
        raise AslibError(error.message, f"{experiment.scenario_id}, {search.problem}", error.hint) from None


# Charts of losses.

_HERE = "aslib_eval.extensions.optimisers.analysis"
MEAN, MEDIAN = (
    FigureEntry(shows, "lake", f"{_HERE}:{name}", "trajectories of one scenario", runs=False, chosen=True)
    for shows, name in (
        ("mean loss of optimisers after each step, with error bars", "mean_scores"),
        ("median loss of optimisers after each step", "median_scores"),
    )
)
# Kind of loss → columns of the line, and of the ends of its band.
_COLUMNS = {
    "mean": ("mean", "mean_low", "mean_high"),
    "mean-here": ("mean", "mean_here_low", "mean_here_high"),
    "median": ("median", "median_low", "median_high"),
    "quartiles": ("median", "quartile_low", "quartile_high"),
}
_BAND = 0.12  # opacity
_PLACES = 100  # steps that are drawn, at most


def _of_lake(results: LakeResults, methods: Sequence[str], *, draw: str) -> Chart:
    """The loss over the problems after each step; methods: globs, none for all."""
    names = {s.choices["protocol"]: s.protocol for s in results.scenarios}
    frame = rows_of(scores_of(results.lake, names, show="steps"), "method", methods)
    return score_curves(frame, draw=draw)


mean_scores = partial(_of_lake, draw="mean")
median_scores = partial(_of_lake, draw="median")


def rows_of(frame: pl.DataFrame, column: str, globs: Sequence[str]) -> pl.DataFrame:
    """The rows of some methods or systems; all if none is named."""
    chosen = matching(globs, frame[column])
    if absent := set(chosen) - set(frame[column]):
        raise AslibError(f"there is no {column} {list_names(sorted(absent), most=5)}")
    return frame.filter(frame[column].is_in(chosen)) if chosen else frame


def score_curves(frame: pl.DataFrame, *, draw: str = "mean") -> Chart:
    """One line per method over the steps, with its 95 % error bars as a band.

    frame: rows of ``optimiser_scores`` with show = ``steps`` (over all problems), or of one problem with
    show = ``curves``. Infinite bars are not drawn. Over problems the band is for the mean over further
    problems (``mean``), or over exactly these (``mean-here``); for one problem it is over its trials, or
    their middle half (``quartiles``). Error bars ignore errors of the baseline.
    """
    _require_one(frame)
    of_problem = "problem" in frame.columns
    row = frame.row(0, named=True)
    last = frame.filter(frame["step"] == frame["step"].max())
    names = _COLUMNS[draw]
    if names[1] not in frame.columns:
        what = "mean-here needs all problems, quartiles one problem"
        raise AslibError(what, "--draw", "Choose mean or median.")
    value, *_ = names
    order = last.sort(value, "method", nulls_last=True)["method"].to_list()
    marks: list[Mark] = []
    for place, method in enumerate(order):
        own = _thinned(frame.filter(frame["method"] == method).sort("step"))
        marks += _curve(own, names, method, place)
    if not of_problem:
        marks.append(Rule(y=1.0, label="baseline" if value == "median" else "clip value"))
    where = f" on {row['problem']}" if of_problem else ""
    best = last.filter(last["method"] == order[0])[value][0]
    low, high = _ends(frame, names)
    leads = f"After the last step {order[0]} is best, at {number(best)}."
    bands = f"Bands are {_over(row, draw)}."
    whole = "" if of_problem else ", 0 = optimum"
    counted = True if row["by"] == "evaluations" else None
    return Chart(
        f"{value.capitalize()} loss after each {_step(row['by'])}{where}",
        f"{leads} {bands}",
        Linear(_step(row["by"]), 0.0, float(max(frame["step"])), whole=counted),
        Linear(f"{value} loss{whole}", low, high),
        marks,
        f"{row['scenario_id']}, {row['measure']} ({row['objective']}), "
        f"baseline {row['baseline']} · protocol {row['protocol']}",
        height=340,
    )


def _require_one(frame: pl.DataFrame) -> None:
    for name in ("protocol", "scenario_id", "measure", "objective", "problem"):
        if name in frame.columns and frame[name].n_unique() != 1:
            found = list_names(sorted(set(frame[name])), most=5)
            hint = "Choose one with --problem, --scenario or --objective."
            raise AslibError(f"a chart shows one {name}, not {found}", None, hint)
    if frame["step"].n_unique() < 2:  # noqa: PLR2004
        raise AslibError("a chart needs at least two steps")


def _over(row: dict[str, Any], draw: str) -> str:
    trials = f"95 % error bars over {plural(row['trials'], 'trial')}"
    if draw == "quartiles":
        return f"the middle half of {plural(row['trials'], 'trial')}"
    if "problem" in row:
        return trials
    problems = plural(row["n"], "problem")
    if draw == "mean-here":
        return f"{trials} of exactly these {problems}"
    return f"95 % error bars over {problems}, for further problems too"


def _step(by: str) -> str:
    return "batch of evaluations" if by == "evaluations" else "time"


def _thinned(own: pl.DataFrame) -> pl.DataFrame:
    if own.height <= _PLACES:
        return own
    at = np.unique(np.linspace(0, own.height - 1, _PLACES).round().astype(int))
    kept: pl.DataFrame = own[at.tolist()]
    return kept


def _curve(own: pl.DataFrame, names: Sequence[str], method: str, place: int) -> list[Mark]:
    drawn = look(place)
    rows = own.select("step", *names).rows()
    boxes: list[list[Any]] = []
    for (at, value, low, high), (until, *_) in pairwise(rows):
        if low is not None and high is not None:
            tip = f"{method}: {number(value)} ({number(low)} to {number(high)})"
            boxes.append([at, until, low, high, tip, drawn.color, _BAND])
    points = [[at, value, f"{method}: {number(value)}"] for at, value, *_ in rows if value is not None]
    line = Line(points, name=method, color=drawn.color, dash=drawn.dash, step=True)
    return [*([Boxes(boxes, color=drawn.color)] if boxes else []), line]


def _ends(frame: pl.DataFrame, names: Sequence[str]) -> tuple[float, float]:
    values = [v for name in names for v in frame[name].to_list() if v is not None]
    low, high = min(values, default=0.0), max(values, default=1.0)
    return (low, high) if high > low else (low - 0.5, high + 0.5)
