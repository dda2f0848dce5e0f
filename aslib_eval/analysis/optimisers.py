"""What every method knew → its scores, as frames.

How well optimisers search: by evaluations or by time, one score for both.

``reading`` makes arrays of the trajectories of a lake, ``scoring`` scores of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from aslib_eval.analysis.trials import Contest, Search, contests
from aslib_eval.database.connect import connect
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

# Scores of a contest → rows of a frame, with what must be said of them.

Row = tuple[object, ...]
_CONTEST = ("protocol", "scenario_id", "measure", "objective", "by", "baseline", "step")
SUMMARY: tuple[str, ...] = (
    *(*_CONTEST, "method", "n", "trials", "score"),
    *("mean", "mean_low", "mean_high"),
    *("normed_mean", "normed_mean_low", "normed_mean_high"),
    *("median", "median_low", "median_high", "anytime", "remark"),
)
PROBLEM: tuple[str, ...] = (
    *(*_CONTEST, "problem", "method", "trials", "optimum", "clip"),
    *("median", "median_low", "median_high", "normed_median"),
    *("mean", "mean_low", "mean_high", "normed_mean", "remark"),
)


@dataclass(frozen=True, eq=False)
class Scored:
    """A contest under a baseline: the problems that have a scale, and their scores."""

    protocol: str
    contest: Contest
    baseline: str
    searches: tuple[Search, ...]
    baselines: list[Baseline]
    problems: list[Scores]
    summary: Summary


def summary_rows(scored: Scored, *, first: int) -> Iterator[Row]:
    """After each step from the ``first`` on the methods, the best mean first."""
    contest, summary = scored.contest, scored.summary
    scores, n = summary.scores, len(scored.problems)
    remark = _summary_remark(scored)
    anytime = scores.mean.mean(axis=0)
    for step in range(len(contest.steps))[first:]:
        order = sorted(range(len(contest.methods)), key=lambda m: scores.mean[step, m])
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
            trials = contest.searches[0].found.shape[-1]
            key = (*_key(scored, step), contest.methods[m], n, trials)
            yield *key, *cells, float(anytime[m]), remark


def problem_rows(scored: Scored) -> Iterator[Row]:
    """After the last step every problem with its methods."""
    contest, last = scored.contest, len(scored.contest.steps) - 1
    rows = zip(scored.searches, scored.baselines, scored.problems, strict=True)
    for search, base, scores in rows:
        trials = search.found.shape[-1]
        remark = _bars(trials, "trial")
        if base.is_best:
            remark = [
                *remark,
                "the baseline is the best here: its median scale is empty",
            ]
        for m, method in enumerate(contest.methods):
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


def _key(scored: Scored, step: int) -> Row:
    contest = scored.contest
    about = (contest.scenario_id, contest.measure, contest.objective, contest.by)
    return scored.protocol, *about, scored.baseline, contest.steps[step]


def _summary_remark(scored: Scored) -> str | None:
    said = _bars(len(scored.problems), "problem")
    if best := sum(base.is_best for base in scored.baselines):
        said.append(f"on {best} of them the baseline is the best")
    if left := len(scored.contest.searches) - len(scored.problems):
        said.append(f"{left} more left out: the baseline finds nothing there")
    return "; ".join(said) or None


def _bars(n: int, of: str) -> list[str]:
    """What error bars there cannot be."""
    count = plural(n, of)
    low, high = interval_places(n)
    if n == 1:
        return [f"infinite error bars: {count}"]
    if low == 0 or high > n:
        return [f"infinite error bars of the median: {count}, 6 are needed"]
    return []


def _number(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


if TYPE_CHECKING:
    import duckdb
    import polars as pl

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
    """How far each method is from the optimum, in units of the baseline: a low score.

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
    they are infinite, which is null here and said in ``remark``. In ``problems``,
    ``median`` and ``mean`` are in the problem's unit, turned so that less is better.

    Raises: AslibError if no scenario has trajectories, no method is the baseline, or a
    problem has no scale.

    Source: bayesmark, "How scoring works".
    """
    import polars as pl

    if show not in SHOWN:
        raise AslibError(f"{show!r} is none of {', '.join(SHOWN)}")
    chosen = [p if isinstance(p, Protocol) else load(p) for p in protocols]
    whole = [replace(p, measures="all") for p in chosen]
    con = connect(lake, protocols=whole, scenarios=scenarios)
    found = list(contests(con))
    scored = [
        _scored(con, contest, f"{p.protocol}@{p.hash}", p.protocol, baseline)
        for p in chosen
        for contest in found
    ]
    if show == "problems":
        names, rows = PROBLEM, [row for each in scored for row in problem_rows(each)]
    else:
        first = -1 if show == "summary" else 0
        names = SUMMARY
        rows = [row for each in scored for row in summary_rows(each, first=first)]
    return pl.DataFrame(rows, schema=names, orient="row", infer_schema_length=None)


def _scored(
    con: duckdb.DuckDBPyConnection,
    contest: Contest,
    label: str,
    protocol: str,
    baseline: str | None,
) -> Scored:
    wanted = baseline or (RANDOM_SEARCH if contest.by == "evaluations" else "SBS")
    if wanted == "SBS":
        wanted = _single_best(con, contest, protocol)
    names = [name for name in contest.methods if fnmatchcase(name, wanted)]
    if not names:
        what = f"no method is the baseline {wanted}"
        hint = f"Name one with --baseline: {', '.join(contest.methods[:8])}, or SBS."
        raise AslibError(what, contest.scenario_id, hint)
    columns = [contest.methods.index(name) for name in names]
    searches = [
        s for s in contest.searches if contest.by != "time" or _has_scale(s, columns)
    ]
    pooled = all(fnmatchcase(name, "RandomSearch*") for name in names)
    baselines = [_baseline(contest, s, columns, pooled=pooled) for s in searches]
    problems = [
        problem_scores(s.found, baseline=b)
        for s, b in zip(searches, baselines, strict=True)
    ]
    try:
        summary = summarise(problems, baselines=baselines)
    except AslibError as error:
        raise AslibError(error.message, contest.scenario_id) from None
    used = ", ".join(names)
    return Scored(label, contest, used, tuple(searches), baselines, problems, summary)


def _single_best(
    con: duckdb.DuckDBPyConnection, contest: Contest, protocol: str
) -> str:
    """By the losses that an experiment came with; else by the measure itself."""
    sql = """
        select sbs from scenario_baseline
        where protocol = $protocol and scenario_id = $scenario
            and measure in ($measure, 'normalised_loss')
        order by measure = $measure
    """
    key = {"scenario": contest.scenario_id, "measure": contest.measure}
    found = con.execute(sql, {**key, "protocol": protocol}).fetchall()
    if not found or found[0][0] is None:
        raise AslibError("there is no single best solver", contest.scenario_id)
    return str(found[0][0])


def _has_scale(search: Search, columns: list[int]) -> bool:
    """Whether half of the baseline's trials find anything before the time is up."""
    found = search.found[-1, columns]
    return bool(np.isfinite(found).mean() >= 0.5)  # noqa: PLR2004


def _baseline(
    contest: Contest, search: Search, columns: list[int], *, pooled: bool
) -> Baseline:
    try:
        if search.draws is None or not pooled:
            own = search.found[:, columns].reshape(len(contest.steps), -1)
            return observed_baseline(own, best=search.best)
        steps, batch, *_ = search.draws.shape
        own = search.draws[:, :, columns]
        return pooled_baseline(own, batch=batch, steps=steps, best=search.best)
    except AslibError as error:
        where = f"{contest.scenario_id}, {search.problem}"
        raise AslibError(error.message, where, error.hint) from None
