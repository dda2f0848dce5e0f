"""Scores of a contest → rows of a frame, with what must be said of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from aslib_eval.metrics.optimiser import Baseline, Scores, Summary
from aslib_eval.metrics.order_statistics import interval_places
from aslib_eval.optimisers.reading import Contest, Search

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
    count = f"{n} {of}{'s' if n != 1 else ''}"
    low, high = interval_places(n)
    if n == 1:
        return [f"infinite error bars: {count}"]
    if low == 0 or high > n:
        return [f"infinite error bars of the median: {count}, 6 are needed"]
    return []


def _number(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
