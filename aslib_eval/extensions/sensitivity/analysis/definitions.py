"""Scores and ranks under many definitions: ``sweep definitions`` and ``choices``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations

import polars as pl

from aslib_eval.database.metrics import of_solvers
from aslib_eval.database.open_lake import OpenLake
from aslib_eval.database.protocol import Protocol, difference, load
from aslib_eval.database.sqlfiles import Metric
from aslib_eval.errors import AslibError
from aslib_eval.metrics.ranking import kendall_tau_b
from aslib_eval.text import one_of, plural

ROUNDING = 1e-12
_SYSTEM = ("scenario_id", "measure", "solver")


def swept(metrics: Mapping[str, Metric]) -> list[str]:
    """The metrics that sweeps of definitions show, as the views declare them."""
    return [name for name, metric in metrics.items() if metric.swept]


def definitions(lake: OpenLake, *, kind: str | None = None) -> pl.DataFrame:
    """Score and rank of every system under every protocol and metric.

    kind: in each scenario selectors where there are any, else algorithms. One row per protocol, scenario,
    measure, metric (see ``swept``) and solver: n, score, rank. A score that is not defined is null, and so
    is its rank.
    """
    return lake.ask("definition_rank", {"kind": kind}).drop("kind")


def suite_definitions(lake: OpenLake, *, kind: str | None = None) -> pl.DataFrame:
    """Score and rank over all scenarios, under every way to aggregate over them.

    kind: selectors if there are any, else algorithms. One row per protocol, measured (the value of a
    metric, or the closed gap with respect to it), metric, aggregate (pooled, mean, median, geometric,
    mean_rank) and solver: n_scenarios, score, rank. A solver with fewer scenarios than others has no rank.

    Source: Amadini et al. 2023, section 2.4.
    """
    return lake.ask("suite_definitions", {"kind": kind})


def suite_notes(found: pl.DataFrame) -> list[str]:
    """Who leads how often, and for each metric whose aggregates disagree, who by which.

    found: from ``suite_definitions``.
    """
    first = found.filter(pl.col("rank") == 1)
    key = ("protocol", "measured", "metric", "aggregate")
    leads = first.group_by(key, maintain_order=True).agg(pl.col("solver").sort())
    n_solvers = found["solver"].n_unique()
    counts = first.group_by("solver").len().sort("len", "solver", descending=[True, False])
    often = ", ".join(f"{who} by {n}" for who, n in counts.iter_rows())
    ties = ", a tie for each" if first.height > leads.height else ""
    of = f"Leaders of {plural(leads.height, 'definition')}{ties}"
    notes = [f"{of}: {often}."] * (n_solvers > 1)
    for (protocol, measured, metric), part in leads.group_by(key[:3], maintain_order=True):
        if part["solver"].n_unique() > 1:
            who = [
                f"{' = '.join(solvers)} ({aggregate})"
                for aggregate, solvers in part.select("aggregate", "solver").iter_rows()
            ]
            what = f"the gap of {metric}" if measured == "gap" else str(metric)
            name = str(protocol).partition("@")[0]
            notes.append(f"{name}: by {what} the leader is {', '.join(who)}.")
    if len(notes) > 1:
        notes.append(
            "A mean of numbers that each scenario scales by its own SBS and VBS depends"
            " on that scale; the order by geometric means of ratios does not (Fleming"
            " and Wallace 1986)."
        )
    return notes


def spread(found: pl.DataFrame) -> pl.DataFrame:
    """Range of each system's gaps and ranks over the definitions.

    found: from ``definitions``. One row per scenario, measure and solver: lowest and highest closed gap
    over the protocols and their difference, best and worst rank
    over protocols and metrics, and the definition of each.
    """
    gap = pl.col("score").filter(pl.col("metric") == "closed_gap")
    name = pl.col("protocol").str.split("@").list.first()
    named = name + " " + pl.col("metric")
    return (
        found.filter(pl.col("rank").is_not_null())
        .sort("rank", "protocol", "metric")
        .group_by(_SYSTEM)
        .agg(
            pl.col("protocol").n_unique().alias("n_protocols"),
            gap.min().alias("lowest_gap"),
            gap.max().alias("highest_gap"),
            (gap.max() - gap.min()).alias("spread"),
            pl.col("rank").first().alias("best_rank"),
            named.first().alias("best_by"),
            pl.col("rank").last().alias("worst_rank"),
            named.last().alias("worst_by"),
        )
        .sort(_SYSTEM)
    )


def agreement(found: pl.DataFrame) -> pl.DataFrame:
    """Kendall's tau-b between the rankings of every two metrics.

    found: from ``definitions``. One row per protocol and pair of metrics: mean, least and largest tau over
    the scenarios, and over how many. A scenario counts where both metrics rank all its systems, and neither
    ties them all.
    """
    rows = []
    metrics = dict.fromkeys((*swept(of_solvers()), *found["metric"].unique().sort()))
    for (protocol,), part in found.group_by("protocol", maintain_order=True):
        for one, other in combinations(metrics, 2):
            taus = _taus(part, one, other)
            if taus:
                mean = sum(taus) / len(taus)
                rows.append((protocol, one, other, len(taus), mean, min(taus), max(taus)))
    columns = ["protocol", "metric", "other", "n_scenarios", "tau", "least", "largest"]
    return pl.DataFrame(rows, schema=columns, orient="row")


def _taus(part: pl.DataFrame, one: str, other: str) -> list[float]:
    first, second = (part.filter(pl.col("metric") == m).select(*_SYSTEM, "rank") for m in (one, other))
    joined = first.join(second, on=_SYSTEM, suffix="_other")
    taus = []
    for _, scenario in joined.group_by("scenario_id", "measure", maintain_order=True):
        ranks = scenario.select("rank", "rank_other")
        if ranks.null_count().sum_horizontal().item() == 0:
            tau = kendall_tau_b(ranks["rank"].to_numpy(), second=ranks["rank_other"].to_numpy())
            taus += [] if tau is None else [tau]
    return taus


def choices(
    lake: OpenLake,
    first: str | Protocol,
    second: str | Protocol,
    *,
    metric: str = "closed_gap",
    kind: str | None = None,
) -> pl.DataFrame:
    """Effect of each choice in which two protocols differ, changed alone.

    The protocols of the open lake itself do not matter.

    One row per scenario, measure, solver and choice, the largest effect first: ``first`` and ``second``
    (name@hash), the metric, ``of`` and ``to`` (the choice in first and second), n (instances that count in
    first and with the choice of second), ``effect`` on the score (first with this one choice of second,
    less first), ``effect_back`` (second less second with this one choice of first), and the rank before and
    after the effect. The row ``all`` is second less first; effects that do not add up to it interact.
    Differences within
    the rounding of the sums (ROUNDING of the score) are 0.
    """
    a, b = load(first), load(second)
    differing = [d for d in difference(a, b) if d[0] not in {"protocol", "source"}]
    if not differing:
        raise AslibError(f"{a.protocol} and {b.protocol} make the same choices")
    if metric not in (metrics := swept(lake.metrics)):
        raise AslibError(f"there is no metric {metric!r}", hint=one_of(metric, metrics))
    there = [replace(a, protocol=f"{c}>", **{c: y}) for c, _, y in differing]
    back = [replace(b, protocol=f"{c}<", **{c: x}) for c, x, _ in differing]
    ends = [replace(a, protocol="<"), replace(b, protocol=">")]
    found = definitions(lake.under(protocols=[*ends, *there, *back]), kind=kind)
    name = pl.col("protocol").str.split("@").list.first()
    chosen = found.filter(pl.col("metric") == metric).with_columns(name)
    scores = {str(key): part for (key,), part in chosen.group_by("protocol")}
    steps = [("all", "", "", "<", ">", "<", ">")] + [
        (c, str(x), str(y), "<", f"{c}>", f"{c}<", ">") for c, x, y in differing
    ]
    effects = _by_effect(pl.concat([_effect(scores, *step) for step in steps]))
    one, two = (pl.lit(f"{p.protocol}@{p.hash}") for p in (a, b))
    key: list[pl.Expr | str] = [one.alias("first"), two.alias("second"), *_SYSTEM[:2]]
    by = pl.lit(metric).alias("metric")
    return effects.select(*key, by, pl.exclude(_SYSTEM[:2]))


def _by_effect(found: pl.DataFrame) -> pl.DataFrame:
    """Each system's total difference first, then its choices by decreasing effect."""
    order = (*_SYSTEM, pl.col("choice") != "all", pl.col("effect").abs())
    down = [False, False, False, False, True]
    return found.sort(*order, descending=down, nulls_last=True)


def _effect(scores: dict[str, pl.DataFrame], choice: str, of: str, to: str, *ends: str) -> pl.DataFrame:
    """Effect of one choice: added to the first protocol, removed from the second."""
    start, there, back, end = (scores[name].select(*_SYSTEM, "n", "score", "rank") for name in ends)
    frame = (
        start.join(there, on=_SYSTEM, suffix="_there")
        .join(back, on=_SYSTEM, suffix="_back")
        .join(end, on=_SYSTEM, suffix="_end")
    )
    return frame.select(
        *_SYSTEM,
        pl.col("n").alias("n_first"),
        pl.col("n_there").alias("n"),
        pl.lit(choice).alias("choice"),
        pl.lit(of).alias("of"),
        pl.lit(to).alias("to"),
        _less("score_there", "score").alias("effect"),
        _less("score_end", "score_back").alias("effect_back"),
        pl.col("rank").alias("rank_before"),
        pl.col("rank_there").alias("rank_after"),
    )


def _less(one: str, other: str) -> pl.Expr:
    """Difference of two columns; 0 where it is within the rounding of their sums."""
    a, b = pl.col(one), pl.col(other)
    size = pl.max_horizontal(a.abs(), b.abs(), pl.lit(1.0))
    return pl.when((a - b).abs() <= ROUNDING * size).then(0.0 * a.abs()).otherwise(a - b)
