"""What a ranking depends on: sweeps of a parameter, and all definitions at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise

import numpy as np
import polars as pl
from numpy.typing import NDArray

from aslib_eval.analysis.objectives import (
    POINTS,
    QualityMeasure,
    Sensitivity,
    by_delta,
    nothing_to_sweep,
    quality_measures,
    runs_of,
)
from aslib_eval.analysis.results import Definition, Definitions, short
from aslib_eval.analysis.runs import Group, groups, usual_kind
from aslib_eval.database.open_lake import OpenLake
from aslib_eval.database.protocol import Protocol, difference, load
from aslib_eval.database.sqlfiles import Metric
from aslib_eval.database.views import solver_metrics
from aslib_eval.errors import AslibError
from aslib_eval.metrics import sweeps
from aslib_eval.metrics.ranking import kendall_tau_b
from aslib_eval.metrics.scale import Floats, Runs
from aslib_eval.options import SweptKind
from aslib_eval.text import brief, join_words, number, one_of, plural, shown, significant

NEARLY = 1e-12
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


def suite_notes(found: pl.DataFrame) -> list[str]:
    """How often each solver leads, and the leaders by each aggregate of a metric where they differ.

    found: rows of ``suite_definitions``.
    """
    first = found.filter(pl.col("rank") == 1)
    key = ("protocol", "measured", "metric", "aggregate")
    leads = first.group_by(key, maintain_order=True).agg(pl.col("solver").sort())
    n_solvers = found["solver"].n_unique()
    counts = first.group_by("solver").len().sort("len", "solver", descending=[True, False])
    often = ", ".join(f"{who} by {n}" for who, n in counts.iter_rows())
    ties = " (a tie counts for each)" if first.height > leads.height else ""
    of = f"By {plural(leads.height, 'definition')}{ties}, these solvers lead"
    notes = [f"{of}: {often}."] * (n_solvers > 1)
    for (protocol, measured, metric), part in leads.group_by(key[:3], maintain_order=True):
        if part["solver"].n_unique() > 1:
            who = [
                f"{' = '.join(solvers)} ({aggregate})"
                for aggregate, solvers in part.select("aggregate", "solver").iter_rows()
            ]
            what = f"the gap of {metric}" if measured == "gap" else str(metric)
            name = str(protocol).partition("@")[0]
            notes.append(f"{name}: the leader by {what} is {', '.join(who)}.")
    if len(notes) > 1:
        notes.append(
            "Each scenario scales its numbers by its own SBS and VBS, and their mean depends on this "
            "scale. The order by geometric means of ratios does not (Fleming and Wallace 1986)."
        )
    return notes


def spread(found: pl.DataFrame) -> pl.DataFrame:
    """Range of each system's gaps and ranks over the definitions.

    found: from ``definitions``. One row per scenario, measure and solver: lowest and highest closed gap
    over the protocols and their difference, best and worst rank
    over protocols and metrics, and the definition of each.
    """
    gap = pl.col("score").filter(pl.col("metric") == "closed_gap")
    named = pl.col("protocol").str.split("@").list.first() + " " + pl.col("metric")
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
    metrics = dict.fromkeys((*swept(solver_metrics()), *found["metric"].unique().sort()))
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
    found = definitions(lake.under(protocols=[*ends, *there, *back]), kind=kind).filter(metric=metric)
    found = found.with_columns(pl.col("protocol").str.split("@").list.first())
    scores = {str(key): part for (key,), part in found.group_by("protocol")}
    steps = [("all", "", "", "<", ">", "<", ">")] + [
        (c, str(x), str(y), "<", f"{c}>", f"{c}<", ">") for c, x, y in differing
    ]
    # Each system's total difference first, then its choices by decreasing effect.
    order = (*_SYSTEM, pl.col("choice") != "all", pl.col("effect").abs())
    effects = pl.concat([_effect(scores, *step) for step in steps]).sort(
        *order, descending=[False, False, False, False, True], nulls_last=True
    )
    one, two = (pl.lit(f"{p.protocol}@{p.hash}") for p in (a, b))
    key: list[pl.Expr | str] = [one.alias("first"), two.alias("second"), *_SYSTEM[:2]]
    return effects.select(*key, pl.lit(metric).alias("metric"), pl.exclude(_SYSTEM[:2]))


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
    a, b = pl.col(one), pl.col(other)
    size = pl.max_horizontal(a.abs(), b.abs(), pl.lit(1.0))
    return pl.when((a - b).abs() <= NEARLY * size).then(0.0 * a.abs()).otherwise(a - b)


OF_SCALED = ("alpha", "beta")  # the ends of the scaled score of objectives


def sensitivities(
    lake: OpenLake,
    *,
    parameter: str,
    kind: SweptKind | None = None,
    pooled: bool = False,
    modified: bool = False,
    left_out: Callable[[str], None] | None = None,
) -> list[Sensitivity]:
    """Sweep every scenario and protocol of an open lake.

    parameter: delta (Borda scores; relative if the protocol's delta is), penalty, cutoff or tolerance (mean
    PARk and gap), alpha or beta (scaled scores of objectives, the other end as the protocol has it). kind:
    selectors where there are any, else algorithms. pooled: the instances of all scenarios together, for the
    solvers in all of them; cutoff and tolerance are then shares of each scenario's cutoff. modified:
    modified Borda.

    Only runtime measures take part, but for alpha and beta, which are of objectives beside a runtime and
    never pooled. ``left_out`` is called for every scenario that cannot be swept, with the reason (cutoff: a
    run that only some repetitions solve).
    """
    if parameter in OF_SCALED:
        return _by_scaled(lake, parameter, kind)
    found = []
    for protocol in lake.protocols:
        for group in groups(lake, protocol.protocol, kind=kind, pooled=pooled):
            if parameter == "delta":
                relative = protocol.borda_delta_kind == "relative"
                found.append(by_delta(group, relative=relative, modified=modified))
                continue
            try:
                gaps = _gaps_of(group, parameter, protocol)
            except AslibError as error:
                if left_out is not None:
                    left_out(f"{group.scenario_id}, {group.protocol}: {error.message}")
                continue
            n = group.n_entrants
            sweep = replace(gaps.scores, curves=gaps.scores.curves[:n])
            found.append(Sensitivity(group, group.names[:n], sweep, gaps))
    if not found:
        raise nothing_to_sweep(kind)
    return found


def _by_scaled(lake: OpenLake, parameter: str, kind: SweptKind | None) -> list[Sensitivity]:
    measures = quality_measures(lake)
    kinds: dict[str, set[str]] = {}
    for one in measures:
        kinds.setdefault(one.scenario_id, set()).add(one.kind)
    tags = {p.protocol: p.tag for p in lake.protocols}
    found = []
    for one in measures:
        wanted = kind or usual_kind(kinds[one.scenario_id])
        if one.kind != wanted or one.proven is None:
            continue
        lines = _scaled_lines(one, parameter)
        sweep = sweeps.Sweep(parameter, lines, higher_is_better=True, tolerance=sweeps.ROUNDING)
        key = tags[one.protocol], one.scenario_id, one.measure, one.solvers
        n, m = len(set(one.instances)), len(one.solvers)
        group = Group(*key, n, m, has_gap=False, runs=runs_of(one))
        found.append(Sensitivity(group, one.solvers, sweep, None))
    if not found:
        raise AslibError(
            "there is no objective beside a runtime",
            None,
            "See 'aslib-eval score --quality' for the scenarios with objectives.",
        )
    return found


def _scaled_lines(measured: QualityMeasure, parameter: str) -> tuple[sweeps.Curve, ...]:
    """The scaled score of each solver as a line over ``alpha`` or ``beta``.

    A score is the share of instances with a proof, plus alpha times how far its solutions lie from the best
    and beta times how far from the worst: a line in each, from 0 to the protocol's beta or from its alpha
    to 1.
    """
    alpha, beta = measured.ends
    fixed, both, best = (
        POINTS["scaled"](replace(measured, ends=ends)).mean(axis=0)
        for ends in ((0.0, 0.0), (1.0, 1.0), (0.0, 1.0))
    )
    # fixed: proofs alone; best - fixed: what beta is worth; both - best: what alpha is.
    slopes = both - best if parameter == "alpha" else best - fixed
    rest = beta * (best - fixed) if parameter == "alpha" else alpha * (both - best)
    start, end = (0.0, beta) if parameter == "alpha" else (alpha, 1.0)
    return tuple(
        sweeps.Curve(np.array([start]), np.array([a]), np.array([b]), end=end)
        for a, b in zip(fixed + rest, slopes, strict=True)
    )


def _gaps_of(group: Group, parameter: str, protocol: Protocol) -> sweeps.GapSweep:
    runs, n = group.runs, group.runs.n_solvers
    portfolio = tuple(range(group.n_entrants, n)) or tuple(range(n))
    if parameter != "penalty" and np.ptp(runs.cutoffs) > 0:
        runs = Runs(times=_shares(runs), solved=runs.solved, cutoff=1.0)
    return gap_sweep(parameter, runs, portfolio, protocol.penalty, protocol.at_cutoff)


def gap_sweep(
    parameter: str, runs: Runs, portfolio: tuple[int, ...], penalty: float, at_cutoff: str
) -> sweeps.GapSweep:
    """PARk and the closed gap over the penalty, the cutoff or the tolerance."""
    if parameter == "penalty":
        return sweeps.penalty_sweep(runs, portfolio=portfolio)
    if parameter == "tolerance":
        return tolerance_sweep(runs, penalty=penalty, portfolio=portfolio)
    return sweeps.cutoff_sweep(runs, penalty=penalty, portfolio=portfolio, at_cutoff=at_cutoff)


def _shares(runs: Runs) -> Floats:
    shares = runs.times / runs.cutoffs[:, None]
    finite = shares[np.isfinite(shares)]
    ends = sweeps.largest_of_near(finite, within=sweeps.ROUNDING / 2 * finite)
    shares[np.isfinite(shares)] = ends[ends.searchsorted(finite)]
    return shares


# The frames of ``--show``: reversals, pairs, intervals and values.


def reversals(found: Sequence[Sensitivity]) -> pl.DataFrame:
    """One row per reversal of two solvers, with the exact value of the parameter.

    Columns: protocol, scenario_id, measure, n (instances), parameter, at, tied_from, before, after (the
    better one before, and from there on).
    """
    rows = [
        (*_key(one), r.at, r.tied_from, one.solvers[r.before], one.solvers[r.after])
        for one in found
        for r in one.sweep.reversals
    ]
    return _frame(rows, "at", "tied_from", "before", "after")


def pairs(found: Sequence[Sensitivity]) -> pl.DataFrame:
    """One row per pair of solvers that change places: how often, between which values.

    Columns: protocol, scenario_id, measure, n (instances), parameter, solver, other, first and last value
    at which they change places, n_reversals, better_before (the first) and better_after (the last).
    """
    rows = []
    for one in found:
        turns: dict[tuple[int, int], list[sweeps.Reversal]] = {}
        for r in one.sweep.reversals:
            turns.setdefault((min(r[:2]), max(r[:2])), []).append(r)
        for these in turns.values():
            start, end = these[0], these[-1]
            who = (start.before, start.after, start.before, end.after)
            solver, other, *ends = (one.solvers[i] for i in who)
            rows.append((*_key(one), solver, other, start.at, end.at, len(these), *ends))
    return _frame(rows, "solver", "other", "first", "last", "n_reversals", "better_before", "better_after")


def intervals(found: Sequence[Sensitivity]) -> pl.DataFrame:
    """One row per interval of the parameter on which the ranking does not change.

    Columns: protocol, scenario_id, measure, n, parameter, start, end (where the next begins), ranking (best
    first, = between equal ones).
    """
    rows = []
    for one in found:
        starts, ranks = one.sweep.rankings
        ends = np.append(starts[1:], one.sweep.curves[0].end)
        for start, end, ranking in zip(starts, ends, ranks, strict=True):
            rows.append((*_key(one), float(start), float(end), _ranking(one.solvers, ranking)))
    return _frame(rows, "start", "end", "ranking")


def leaders(found: Sequence[Sensitivity]) -> pl.DataFrame:
    """One row per interval of the parameter on which the same solvers are the best.

    Columns: protocol, scenario_id, measure, n, parameter, start, end (where the next begins), leader
    (several with = between).
    """
    rows = [(*_key(one), *lead) for one in found for lead in _leads(one)]
    return _frame(rows, "start", "end", "leader")


def _leads(one: Sensitivity) -> list[tuple[float, float, str]]:
    starts, ranks = one.sweep.rankings
    best = [np.flatnonzero(row == row.min()) for row in ranks]
    who = [" = ".join(sorted(one.solvers[at] for at in some)) for some in best]
    turns = [at for at in range(len(who)) if not at or who[at] != who[at - 1]]
    ends = [*(float(starts[at]) for at in turns[1:]), float(one.sweep.curves[0].end)]
    return [(float(starts[t]), e, who[t]) for t, e in zip(turns, ends, strict=True)]


def leader_notes(found: Sequence[Sensitivity]) -> list[str]:
    """A sentence for each sweep: the leaders by range, and whether solvers change places.

    Of more than ``_SAID`` intervals the first are named, and the last.
    """
    notes = []
    for one in found:
        what = one.sweep.parameter
        leads = [
            (a, z, f"{join_words(who.split(' = '))} share the lead" if " = " in who else f"{who} leads")
            for a, z, who in _leads(one)
        ]
        if len(leads) == 1:
            others = "but other solvers change ranks" if one.sweep.reversals else "and no rank changes"
            note = f"{leads[0][2]} for every {what}, {others}"
        else:
            said = leads[: min(len(leads), _SAID) - 1]
            parts = [f"{who} from {significant(start)} to {significant(end)}" for start, end, who in said]
            more, (start, _, who) = len(leads) - _SAID, leads[-1]
            after = f"after {plural(more, 'more interval')} (not shown), " * (more > 0)
            parts.append(f"and {after}{who} from {significant(start)} on")
            note = f"as {what} grows, {', '.join(parts)}"
        notes.append(f"{one.group.scenario_id}, {one.group.protocol.partition('@')[0]}: {note}.")
    return notes


_SAID = 4


def values(found: Sequence[Sensitivity], *, at: Sequence[float] | None = None) -> pl.DataFrame:
    """One row per solver and value of the parameter: score, rank and closed gap.

    Points of Borda and scaled scores have no closed gap: the column is not there for delta, alpha and beta.
    Under a tolerance also ``near_vbs`` and ``near_sbs``: the share of instances on which a solver is within
    it.

    at: values of the parameter; by default all breakpoints.
    """
    frames = []
    for one in found:
        first, last = float(one.sweep.curves[0].starts[0]), one.sweep.curves[0].end
        if wrong := [x for x in at or () if not first <= x <= last]:
            raise AslibError(
                f"{shown(wrong[0])} is not between {shown(first)} and {shown(last)}",
                f"{one.group.scenario_id}, {one.sweep.parameter}",
            )
        points = np.asarray(at if at is not None else one.sweep.breakpoints, float)
        scores, ranks = one.sweep.scores(points), one.sweep.ranks(points)
        n = len(one.solvers)
        columns = {
            **{name: [value] * (n * len(points)) for name, value in zip(_KEY, _key(one), strict=True)},
            "value": np.repeat(points, n),
            "solver": list(one.solvers) * len(points),
            "score": scores.ravel(),
            "rank": ranks.ravel().astype(np.int64),
        }
        if one.gaps is not None:
            columns["closed_gap"] = pl.Series(_gaps(one, one.gaps, points), dtype=pl.Float64)
        if isinstance(one.gaps, ToleranceSweep):
            for name in ("near_vbs", "near_sbs"):
                near = getattr(one.gaps, name)[:n]
                columns[name] = np.stack([c.at(points) for c in near], axis=1).ravel()
        frames.append(pl.DataFrame(columns))
    return pl.concat(frames)


def _gaps(one: Sensitivity, gaps: sweeps.GapSweep, points: NDArray[np.float64]) -> list[float | None]:
    """Closed gap of every solver at every point; None where it is not defined."""
    n = len(one.solvers)
    if not one.group.has_gap:
        return [None] * (n * len(points))
    table = np.array(gaps.gaps(points).to_list(), dtype=object).reshape(len(points), -1)
    return list(table[:, :n].ravel())


def _frame(rows: Sequence[tuple[object, ...]], *names: str) -> pl.DataFrame:
    numbers = dict.fromkeys(("n", "n_reversals"), pl.Int64()) | dict.fromkeys(_NUMBERS, pl.Float64())
    schema = {name: numbers.get(name, pl.String()) for name in (*_KEY, *names)}
    return pl.DataFrame(rows, schema=schema, orient="row")


_NUMBERS = ("at", "tied_from", "start", "end", "first", "last")
_KEY = ("protocol", "scenario_id", "measure", "n", "parameter")


def _key(one: Sensitivity) -> tuple[str, str, str, int, str]:
    group = one.group
    key = group.protocol, group.scenario_id, group.measure, group.n_instances
    return *key, one.sweep.parameter


def _ranking(names: Sequence[str], ranks: NDArray[np.int64]) -> str:
    order = sorted(range(len(names)), key=lambda i: (ranks[i], names[i]))
    text = names[order[0]]
    for before, now in pairwise(order):
        text += (" = " if ranks[before] == ranks[now] else " > ") + names[now]
    return text


@dataclass(frozen=True, eq=False)
class ToleranceSweep(sweeps.GapSweep):
    """As ``GapSweep``, over the tolerance, beside the shares of instances within it.

    near_vbs, near_sbs: for every solver the share of instances, 0 to 1, on which it solves what VBS (or SBS
        of tolerance 0) solves and takes at most the tolerance longer.
    """

    near_vbs: tuple[sweeps.Curve, ...]
    near_sbs: tuple[sweeps.Curve, ...]


def tolerance_sweep(
    runs: Runs, *, penalty: float = 10.0, portfolio: Sequence[int] | None = None
) -> ToleranceSweep:
    """Mean PARk for every tolerance from 0 on, a step function for each solver.

    Whoever solves an instance and takes at most the tolerance longer than VBS costs what VBS costs there,
    or less if it is faster, as a selector by presolving; a run that does not solve what VBS solves is never
    forgiven.

    portfolio: columns of the algorithms that SBS and VBS are made of; all if not given.

    Edge cases: an instance that nobody solves has no overhead: all are near VBS. From the largest overhead
    on only failures cost more than VBS, and where SBS has none, SBS is VBS and there is no gap.

    Source: Amadini et al. 2023, sections 2.2 and 3: little overhead is negligible.
    """
    chosen = sweeps.portfolio_columns(runs, portfolio)
    costs, solved = runs.par(penalty), np.asarray(runs.solved, float)
    best, most = costs[:, chosen].min(axis=1), solved[:, chosen].max(axis=1)
    above = _overhead(costs, solved, best, most)
    curves = tuple(
        _forgiven(a, cost, np.minimum(cost, best)) for a, cost in zip(above.T, costs.T, strict=True)
    )
    scores = sweeps.Sweep("tolerance", curves, higher_is_better=False)
    vbs = _forgiven(np.zeros(len(best)), best, best)
    sbs = min(chosen, key=lambda column: curves[column].intercepts[0])
    above_sbs = _overhead(costs, solved, costs[:, sbs], solved[:, sbs])
    none, all_ = np.zeros(len(best)), np.ones(len(best))
    near_vbs, near_sbs = (tuple(_forgiven(a, none, all_) for a in table.T) for table in (above, above_sbs))
    return ToleranceSweep(scores, chosen, vbs, near_vbs, near_sbs)


def _overhead(costs: Floats, solved: Floats, best: Floats, most: Floats) -> Floats:
    """Cost above that of another; inf where it solves less of the repetitions."""
    return np.where(solved < most[:, None], np.inf, costs - best[:, None])


def _forgiven(at: Floats, before: Floats, after: Floats) -> sweeps.Curve:
    """The mean of what each instance counts before its place, and from there on."""
    reached = np.isfinite(at)
    order = np.argsort(at[reached])
    starts = np.append(0.0, np.maximum(at[reached][order], 0.0))
    sums = sweeps.replaced_sums(before, old=before[reached][order], new=after[reached][order])
    last = sweeps.last_of_equal(starts)
    return sweeps.steps(starts[last], sums[last] / len(at))


BORDA = "Borda is counted under the report's own protocol alone, as it takes every pair"
_BEST = 8


def is_pairwise(found: Definitions, definition: Definition) -> bool:
    """True if a definition is left out because it would take every pair: see BORDA."""
    protocol, metric = definition
    other = found.kind == "algorithm" and protocol != found.protocols[0]
    return other and found.metrics[metric].relation == "solver_borda"


def missing(found: Definitions) -> str:
    """Why some metrics rank no system under some protocols, as part of a sentence."""
    grid = [(p, m) for p in found.protocols for m in found.used]
    lacking = [d for d in grid if d not in found.whole]
    pairs = [d for d in lacking if is_pairwise(found, d)]
    parts = []
    if pairs:
        parts.append(BORDA)
    if n := len(lacking) - len(pairs):
        metrics = dict.fromkeys(found.label(d[1]) for d in lacking if d not in pairs)
        lacks = f"{n} {'lacks' if n == 1 else 'lack'} the score of a solver"
        parts.append(f"{lacks} ({'; '.join(metrics)})")
    return "; ".join(parts)


def sentence(found: Definitions) -> str:
    """Sentence on the winners, the least agreement and the largest change of a gap."""
    return " ".join(filter(None, [winners(found), _least_agreement(found), _largest_change(found)]))


def winners(found: Definitions) -> str:
    """Sentence on who is first, and under how many definitions."""
    whole, own = len(found.whole), found.winner(found.whole[0])
    if found.level:
        who = f"All {len(found.systems)} {found.kind}s"
        return f"{who} tie under all {whole} definitions."
    tied = f" (tied under {found.shared} of these)" if found.shared else ""
    (name, often), *others = found.winners
    if not others:
        return f"{name} is first under all {whole} definitions{tied}."
    most = f"{often} of {whole}{tied if name == own else ''}"
    parts = [f"The winner depends on the definition: {name} is first under {most}"]
    parts += [f"{w} under {n}{tied if w == own else ''}" for w, n in others[:2]]
    if rest := sum(n for _, n in others[2:]):
        parts.append(f"others under {rest}")
    return f"{'; '.join(parts)}."


def _least_agreement(found: Definitions) -> str:
    if not found.taus:
        return ""
    tau, definition = found.taus[0]
    reference = found.whole[0]
    if tau > 1 - 1e-9:
        return "All rankings agree."
    return (
        f"The ranking by {found.named(definition)} differs most from {found.named(reference)} "
        f"(Kendall's tau-b {number(round(tau, 2))})."
    )


def _largest_change(found: Definitions) -> str:
    """The closed gap that depends most on the protocol, of the best few systems."""
    spans = []
    for system in found.systems[:_BEST]:
        gaps = sorted((gap, p) for p, gap in found.gaps(system).items())
        if len(gaps) > 1:
            spans.append((gaps[-1][0] - gaps[0][0], system, gaps[0], gaps[-1]))
    if not spans:
        return ""
    most, system, low, high = max(spans, key=lambda s: (s[0], s[1]))
    if most < 1e-9:  # noqa: PLR2004
        return "No closed gap depends on the protocol."
    among = f" of the best {_BEST}" if len(found.systems) > _BEST else ""
    return (
        f"The closed gap of {system} changes most{among}, from {brief(low[0])} "
        f"({short(low[1])}) to {brief(high[0])} ({short(high[1])})."
    )
