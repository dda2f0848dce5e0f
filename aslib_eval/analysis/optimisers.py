"""Scores of optimisers by evaluations or by time, for ``score --optimiser``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from aslib_eval.analysis.trials import Experiment, Search, experiments
from aslib_eval.database.connect import ask, connect
from aslib_eval.database.protocol import Protocol, load
from aslib_eval.errors import AslibError
from aslib_eval.metrics.optimiser import (
    Baseline,
    Scores,
    Summary,
    observed_baseline,
    pooled_baseline,
    problem_scores,
    summarise,
)
from aslib_eval.metrics.order_statistics import interval_places
from aslib_eval.text import plural

if TYPE_CHECKING:
    import duckdb
    import polars as pl


Row = tuple[object, ...]
_EXPERIMENT = (
    *("protocol", "scenario_id", "measure", "objective"),
    *("by", "baseline", "step"),
)
SUMMARY: tuple[str, ...] = (
    *(*_EXPERIMENT, "method", "n", "trials", "score"),
    *("mean", "mean_low", "mean_high"),
    *("normed_mean", "normed_mean_low", "normed_mean_high"),
    *("median", "median_low", "median_high", "anytime", "remark"),
)
PROBLEM: tuple[str, ...] = (
    *(*_EXPERIMENT, "problem", "method", "trials", "optimum", "clip"),
    *("median", "median_low", "median_high", "normed_median"),
    *("mean", "mean_low", "mean_high", "normed_mean", "remark"),
)


@dataclass(frozen=True, eq=False)
class ScoredExperiment:
    """An experiment under a baseline: the problems with a scale, and their scores."""

    protocol: str
    experiment: Experiment
    baseline: str
    searches: tuple[Search, ...]
    baselines: list[Baseline]
    problems: list[Scores]
    summary: Summary


def summary_rows(scored: ScoredExperiment, *, first: int) -> Iterator[Row]:
    """Rows of SUMMARY for each step from ``first`` on, methods by their mean."""
    experiment, summary = scored.experiment, scored.summary
    scores, n = summary.scores, len(scored.problems)
    remark = _summary_remark(scored)
    anytime = scores.mean.mean(axis=0)
    for step in range(len(experiment.steps))[first:]:
        order = sorted(
            range(len(experiment.methods)), key=lambda m: scores.mean[step, m]
        )
        for m in order:
            values = (
                summary.leaderboard,
                scores.mean,
                scores.mean_low,
                scores.mean_high,
                scores.normed_mean,
                summary.normed_mean_low,
                summary.normed_mean_high,
                scores.median,
                scores.median_low,
                scores.median_high,
            )
            cells = (_number(table[step, m]) for table in values)
            trials = experiment.searches[0].found.shape[-1]
            key = (*_key(scored, step), experiment.methods[m], n, trials)
            yield *key, *cells, float(anytime[m]), remark


def problem_rows(scored: ScoredExperiment) -> Iterator[Row]:
    """Rows of PROBLEM after the last step, for each problem and method."""
    experiment, last = scored.experiment, len(scored.experiment.steps) - 1
    rows = zip(scored.searches, scored.baselines, scored.problems, strict=True)
    for search, base, scores in rows:
        trials = search.found.shape[-1]
        remark = _bars(trials, "trial")
        if base.is_best:
            remark = [
                *remark,
                "the baseline is the best here: its median scale is empty",
            ]
        for m, method in enumerate(experiment.methods):
            values = (
                scores.median,
                scores.median_low,
                scores.median_high,
                scores.normed_median,
                scores.mean,
                scores.mean_low,
                scores.mean_high,
                scores.normed_mean,
            )
            cells = (_number(table[last, m]) for table in values)
            key = (*_key(scored, last), search.problem, method, trials)
            yield *key, base.optimum, base.clip, *cells, "; ".join(remark) or None


def _key(scored: ScoredExperiment, step: int) -> Row:
    experiment = scored.experiment
    about = (
        experiment.scenario_id,
        experiment.measure,
        experiment.objective,
        experiment.by,
    )
    return scored.protocol, *about, scored.baseline, experiment.steps[step]


def _summary_remark(scored: ScoredExperiment) -> str | None:
    remarks = _bars(len(scored.problems), "problem")
    if best := sum(base.is_best for base in scored.baselines):
        remarks.append(f"on {best} of them the baseline is the best")
    if left := len(scored.experiment.searches) - len(scored.problems):
        remarks.append(f"{left} more left out: the baseline finds nothing there")
    return "; ".join(remarks) or None


def _bars(n: int, of: str) -> list[str]:
    """Remarks on error bars that are infinite for so few trials or problems."""
    count = plural(n, of)
    low, high = interval_places(n)
    if n == 1:
        return [f"infinite error bars: {count}"]
    if low == 0 or high > n:
        return [f"infinite error bars of the median: {count}, 6 are needed"]
    return []


def _number(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


SHOWN = ("summary", "steps", "problems")
RANDOM_SEARCH = "RandomSearch_*"


def optimiser_scores(
    lake: str | Path,
    *,
    protocols: Sequence[str | Protocol] = ("default",),
    scenarios: Sequence[str] = (),
    baseline: str | None = None,
    show: str = "summary",
) -> pl.DataFrame:
    """Losses of each method relative to the optimum, in units of the baseline.

    baseline: a glob of methods, or ``SBS`` for the protocol's single best. Default:
        ``RandomSearch_*`` where steps are evaluations, ``SBS`` where they are times.
        Evaluations of random search are pooled, as they are all drawn alike; any other
        baseline is its own median and mean at each step.
    show: ``summary``, a row for each method after the last step; ``steps``, after every
        step; ``problems``, a row for each problem and method after the last step.

    Columns: ``n`` problems with a scale; ``mean`` over problems of the mean clipped
    loss (0 = optimum, 1 = clip value, the baseline's median after one draw), and
    ``score`` = 100 (1 - mean), more is better: bayesmark's leaderboard (there of the
    objective ``visible``); ``normed_mean``, the mean in units of the baseline's;
    ``median`` over problems of the median loss (1 = the baseline's median at that
    step); ``anytime``, the mean of ``mean`` over all steps. ``_low`` and ``_high`` are
    95 % error bars over problems (in ``problems`` over trials); where there are too few
    they are infinite: null, with a ``remark``. In ``problems``,
    ``median`` and ``mean`` are in the problem's unit, negated where more is better.

    Raises:
        AslibError: when no scenario has trajectories, no method is the baseline, or a
            problem has no scale.

    Source: bayesmark, "How scoring works".
    """
    import polars as pl

    if show not in SHOWN:
        raise AslibError(f"{show!r} is none of {', '.join(SHOWN)}")
    chosen = [p if isinstance(p, Protocol) else load(p) for p in protocols]
    complete = [replace(p, measures="all") for p in chosen]
    con = connect(lake, protocols=complete, scenarios=scenarios)
    found = list(experiments(con))
    scored = [
        _score(con, experiment, f"{p.protocol}@{p.hash}", p.protocol, baseline)
        for p in chosen
        for experiment in found
    ]
    if show == "problems":
        names, rows = PROBLEM, [row for each in scored for row in problem_rows(each)]
    else:
        first = -1 if show == "summary" else 0
        names = SUMMARY
        rows = [row for each in scored for row in summary_rows(each, first=first)]
    return pl.DataFrame(rows, schema=names, orient="row", infer_schema_length=None)


def _score(
    con: duckdb.DuckDBPyConnection,
    experiment: Experiment,
    label: str,
    protocol: str,
    baseline: str | None,
) -> ScoredExperiment:
    wanted = baseline or (RANDOM_SEARCH if experiment.by == "evaluations" else "SBS")
    if wanted == "SBS":
        wanted = _single_best(con, experiment, protocol)
    names = [name for name in experiment.methods if fnmatchcase(name, wanted)]
    if not names:
        what = f"no method is the baseline {wanted}"
        hint = f"Name one with --baseline: {', '.join(experiment.methods[:8])}, or SBS."
        raise AslibError(what, experiment.scenario_id, hint)
    columns = [experiment.methods.index(name) for name in names]
    searches = [
        s
        for s in experiment.searches
        if experiment.by != "time" or _has_scale(s, columns)
    ]
    pooled = all(fnmatchcase(name, "RandomSearch*") for name in names)
    baselines = [_baseline(experiment, s, columns, pooled=pooled) for s in searches]
    problems = [
        problem_scores(s.found, baseline=b)
        for s, b in zip(searches, baselines, strict=True)
    ]
    try:
        summary = summarise(problems, baselines=baselines)
    except AslibError as error:
        raise AslibError(error.message, experiment.scenario_id) from None
    used = ", ".join(names)
    return ScoredExperiment(
        label, experiment, used, tuple(searches), baselines, problems, summary
    )


def _single_best(
    con: duckdb.DuckDBPyConnection, experiment: Experiment, protocol: str
) -> str:
    """SBS by the losses that an experiment reports, else by the measure itself."""
    key = {"scenario": experiment.scenario_id, "measure": experiment.measure}
    found = ask(con, "optimiser_sbs", {**key, "protocol": protocol}).fetchall()
    if not found or found[0][0] is None:
        raise AslibError("there is no single best solver", experiment.scenario_id)
    return str(found[0][0])


def _has_scale(search: Search, columns: list[int]) -> bool:
    """True if half of the baseline's trials find a solution within the time limit."""
    found = search.found[-1, columns]
    return bool(np.isfinite(found).mean() >= 0.5)  # noqa: PLR2004


def _baseline(
    experiment: Experiment, search: Search, columns: list[int], *, pooled: bool
) -> Baseline:
    try:
        if search.draws is None or not pooled:
            own = search.found[:, columns].reshape(len(experiment.steps), -1)
            return observed_baseline(own, best=search.best)
        steps, batch, *_ = search.draws.shape
        own = search.draws[:, :, columns]
        return pooled_baseline(own, batch=batch, steps=steps, best=search.best)
    except AslibError as error:
        where = f"{experiment.scenario_id}, {search.problem}"
        raise AslibError(error.message, where, error.hint) from None
