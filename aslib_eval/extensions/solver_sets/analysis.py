"""Scores of changed sets of solvers, and portfolios, of a lake."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from aslib_eval.analysis.results import ScenarioResults
from aslib_eval.analysis.runs import Group, groups, pivot
from aslib_eval.database.open_lake import OpenLake
from aslib_eval.database.protocol import Protocol
from aslib_eval.errors import AslibError
from aslib_eval.extensions.solver_sets.metrics import (
    Field,
    Members,
    Portfolio,
    SetScores,
    best_portfolios,
    changed_sets,
    left_out_or_cloned,
)
from aslib_eval.figures.catalogue import FigureEntry
from aslib_eval.figures.chart import Chart, Dots, Line, Linear, Mark
from aslib_eval.metrics.ranking import BordaRule, ranks
from aslib_eval.metrics.scale import Floats, Runs, Scaled, closed
from aslib_eval.options import SweptKind
from aslib_eval.statistics.distributions import binary_scale
from aslib_eval.text import comparable, list_names, number, plural

ALL = "all"
_TWO = 2  # scenarios
_ROUNDING = 1e-12
_KEY = ("protocol", "scenario_id", "measure", "kind", "metric")


@dataclass(frozen=True, eq=False)
class _Entrants:
    group: Group
    field: Field
    algorithms: tuple[str, ...]
    selectors: tuple[str, ...]

    def names(self, kind: SweptKind) -> tuple[str, ...]:
        return self.algorithms if kind == "algorithm" else self.selectors


def solver_sets(
    lake: OpenLake,
    *,
    change: str = "without",
    kind: SweptKind = "algorithm",
    most: int = 1000,
    seed: int = 1,
) -> pl.DataFrame:
    """Scores and ranks of all solvers under every changed set of the solvers of a kind.

    change: ``without`` leaves one out at a time, ``clone`` adds a second copy of one at a time, ``subsets``
    takes every subset of at least two, or ``most`` of them drawn from ``seed`` (see ``changed_sets``). One
    row per protocol, scenario, measure, changed set, kind, solver and metric (the fields of ``SetScores``);
    the set ``all`` is the scenario as it is. ``n`` counts instances, ``n_members`` those of the set;
    ``rank`` is among the solvers of the kind, copies left out; a score that is undefined is null.

    When algorithms change, the recorded runs of the selectors stay as they are and only the yardstick
    moves: what a selector would have done without an algorithm is not known. ``n_run``: on so many
    instances it ran what is left out (summed over several algorithms); null for algorithms. When selectors
    change, algorithms have no rows.

    The gap is that of the pooled costs, whatever the protocol's ``fold_aggregate``. Instances that no
    algorithm of the set solves do not count where the protocol drops unsolvable ones. Runtime measures
    only.

    Source: Amadini et al. 2023, sections 2.1 and 2.2: relative metrics, and the clone.
    """
    frames = [
        _of_scenario(entrants, _uses(lake, entrants.group), change, kind, most, seed)
        for protocol in sorted(lake.protocols, key=lambda p: p.protocol)
        for entrants in _entrants(lake, protocol)
        if entrants.names(kind)
    ]
    frames = [frame for frame in frames if frame["change"].n_unique() > 1]
    if not frames:
        need = "three" if change != "clone" else "two"
        raise AslibError(
            f"no scenario has {need} {kind}s with runtimes",
            None,
            "Choose other scenarios, or another --change.",
        )
    return pl.concat(frames)


def _entrants(lake: OpenLake, protocol: Protocol) -> list[_Entrants]:
    rule = BordaRule(delta=protocol.borda_delta, relative=protocol.borda_delta_kind == "relative")
    found = []
    for group in groups(lake, protocol.protocol, least=1):
        runs, n = group.runs, group.n_entrants
        both = len(group.names) > n
        parts = [
            Runs(runs.times[:, at], runs.solved[:, at], runs.cutoffs)
            for at in ((slice(n, None), slice(n)) if both else (slice(None),))
        ]
        field = Field(
            parts[0],
            parts[1] if both else None,
            penalty=protocol.penalty,
            criterion=protocol.sbs_criterion,
            drop=protocol.unsolvable == "drop",
            rule=rule,
        )
        names = group.names[n:] if both else group.names
        found.append(_Entrants(group, field, names, group.names[:n] if both else ()))
    return found


def _uses(lake: OpenLake, group: Group) -> dict[tuple[str, str], int]:
    if len(group.names) == group.n_entrants:
        return {}
    used = lake.rows("algorithm_uses", {"protocol": group.protocol.partition("@")[0]})
    return {
        (selector, algorithm): n
        for scenario, measure, selector, algorithm, n in used
        if (scenario, measure) == (group.scenario_id, group.measure)
    }


def _of_scenario(
    entrants: _Entrants,
    uses: dict[tuple[str, str], int],
    change: str,
    kind: SweptKind,
    most: int,
    seed: int,
) -> pl.DataFrame:
    names, group = entrants.names(kind), entrants.group
    sets = [tuple(range(len(names))), *changed_sets(len(names), change, most=most, seed=seed)]
    frames = []
    for members in sets:
        algorithms = members if kind == "algorithm" else range(len(entrants.algorithms))
        stick = entrants.field.yardstick(algorithms)
        lacking, twice = left_out_or_cloned(members, len(names))
        changed = ALL
        if lacking and change == "subsets":
            changed = ", ".join(names[at] for at in members)
        elif lacking or twice:
            changed = f"{'without' if lacking else 'clone of'} {names[(*lacking, *twice)[0]]}"
        about = {
            "protocol": group.protocol,
            "scenario_id": group.scenario_id,
            "measure": group.measure,
            "change": changed,
            "n_members": len(members),
            "n": stick.n if entrants.field.drop else group.n_instances,
            "sbs": entrants.algorithms[stick.sbs],
            "sbs_cost": stick.sbs_cost,
            "vbs_cost": stick.vbs_cost,
        }
        columns = [pl.lit(value).alias(name) for name, value in about.items()]
        for frame in _of_set(entrants, kind, members):
            used = [
                sum(uses.get((solver, names[at]), 0) for at in lacking)
                if kind == "algorithm" and solver_kind == "selector"
                else None
                for solver_kind, solver in frame.select("kind", "solver").iter_rows()
            ]
            frames.append(frame.select(*columns, pl.all(), pl.Series("n_run", used, dtype=pl.Int64)))
    return pl.concat(frames)


def _of_set(entrants: _Entrants, kind: SweptKind, members: Members) -> list[pl.DataFrame]:
    field = entrants.field
    whole = range(len(entrants.algorithms))
    if kind == "selector":
        scores = field.others_scores(whole, others=members)
        return [_long("selector", entrants.selectors, members, scores)]
    found = [_long("algorithm", entrants.algorithms, members, field.scores(members))]
    if entrants.selectors:
        every = tuple(range(len(entrants.selectors)))
        scores = field.others_scores(members, others=every)
        found.insert(0, _long("selector", entrants.selectors, every, scores))
    return found


def _long(kind: SweptKind, names: Sequence[str], members: Members, scores: SetScores) -> pl.DataFrame:
    """One row per solver (of a clone and its original, one) and metric."""
    first = [at for at, who in enumerate(members) if who not in members[:at]]
    columns: dict[str, list[Any]] = {"solver": [], "metric": [], "score": []}
    places: list[float] = []
    for metric, all_values in zip(SetScores._fields, scores, strict=True):
        values = np.array([comparable(v) for v in all_values[first]])
        columns["solver"] += [names[members[at]] for at in first]
        columns["metric"] += [metric] * len(first)
        columns["score"] += all_values[first].tolist()
        places += ranks(values, higher_is_better=True).tolist()
    frame = pl.DataFrame(
        {"kind": [kind] * len(places), **columns, "rank": places},
        schema_overrides={"score": pl.Float64, "rank": pl.Float64},
    )
    return frame.with_columns(pl.col("score", "rank").fill_nan(None)).with_columns(
        pl.col("rank").cast(pl.Int64)
    )


# The frames of ``--show``.


def moves(found: pl.DataFrame) -> pl.DataFrame:
    """How far each solver's score and rank move over the sets, and how often it leads.

    found: from ``solver_sets``. One row per protocol, scenario, measure, kind, metric and solver: its score
    and rank with everybody; lowest and highest score and the set that gives it (null where both are equal),
    best and worst rank, n_first (sets in which it is first; ties count for each), n_sets (those that it is
    in, without ``all``) and n_undefined (of these, without a score).
    """
    score, at = pl.col("score"), pl.col("change")
    changed = found.filter(at != ALL)
    moved = changed.group_by(*_KEY, "solver", maintain_order=True).agg(
        score.min().alias("lowest"),
        at.sort_by(score, nulls_last=True, maintain_order=True).first().alias("lowest_at"),
        score.max().alias("highest"),
        at.sort_by(score, descending=True, nulls_last=True, maintain_order=True)
        .first()
        .alias("highest_at"),
        pl.col("rank").min().alias("best_rank"),
        pl.col("rank").max().alias("worst_rank"),
        (pl.col("rank") == 1).sum().cast(pl.Int64).alias("n_first"),
        pl.len().cast(pl.Int64).alias("n_sets"),
        score.is_null().sum().cast(pl.Int64).alias("n_undefined"),
    )
    known = pl.col("lowest") < pl.col("highest")
    ends = (pl.when(known).then(pl.col(c)).alias(c) for c in ("lowest_at", "highest_at"))
    whole = found.filter(at == ALL).select(*_KEY, "solver", "n", "score", "rank")
    joined = whole.join(moved.with_columns(*ends), on=[*_KEY, "solver"])
    order = pl.Enum(SetScores._fields)
    return joined.sort(
        *_KEY[:3],
        pl.col("kind") == "algorithm",
        pl.col("metric").cast(order),
        "rank",
        "solver",
        nulls_last=True,
    )


def suite_moves(found: pl.DataFrame) -> pl.DataFrame:
    """How far means over the scenarios move when the set of one of them changes.

    found: from ``solver_sets``. Each changed set of a scenario counts with the other scenarios as they are.
    One row per protocol, kind, metric (but for the Shapley value, which has a unit) and solver with a score
    in as many scenarios as any of its kind: n_scenarios, mean and rank as they are, lowest and highest mean
    and the change that gives it, n_first (changes with which it is first; ties count for each) and n_sets
    (changes under which its mean is defined).
    """
    if found["scenario_id"].n_unique() < _TWO:
        raise AslibError("means over scenarios need two scenarios", None, "Choose more with --scenario.")
    comparable_only = pl.col("metric").is_in(SetScores._fields[:-1])
    scored = found.filter(comparable_only & pl.col("score").is_not_null())
    of, place = ["protocol", "kind", "metric"], ["scenario_id", "measure"]
    own = scored.filter(pl.col("change") == ALL)
    whole = own.group_by(*of, "solver", maintain_order=True).agg(
        pl.len().cast(pl.Int64).alias("n_scenarios"), pl.col("score").mean().alias("mean")
    )
    whole = whole.filter(pl.col("n_scenarios") == pl.col("n_scenarios").max().over(of))
    before = own.select(*of, *place, "solver", old="score")
    changed = (
        scored.filter(pl.col("change") != ALL)
        .join(before, on=[*of, *place, "solver"])
        .join(whole, on=[*of, "solver"])
        .with_columns(
            moved=pl.col("mean") + (pl.col("score") - pl.col("old")) / pl.col("n_scenarios"),
            at=pl.format("{}: {}", "scenario_id", "change"),
        )
        .with_columns(
            first=pl.col("moved") >= pl.col("moved").max().over(*of, *place, "change") - _ROUNDING
        )
    )
    moved = pl.col("moved")
    ends = changed.group_by(*of, "solver", maintain_order=True).agg(
        moved.min().alias("lowest"),
        pl.col("at").sort_by(moved, maintain_order=True).first().alias("lowest_at"),
        moved.max().alias("highest"),
        pl.col("at").sort_by(moved, maintain_order=True).last().alias("highest_at"),
        pl.col("first").sum().cast(pl.Int64).alias("n_first"),
        pl.len().cast(pl.Int64).alias("n_sets"),
    )
    rank = pl.col("mean").round(12).rank("min", descending=True).over(of)
    return (
        whole.with_columns(rank.cast(pl.Int64).alias("rank"))
        .join(ends, on=[*of, "solver"])
        .sort(
            "protocol",
            pl.col("kind") == "algorithm",
            pl.col("metric").cast(pl.Enum(SetScores._fields)),
            "rank",
            "solver",
        )
        .select(*of, "solver", "n_scenarios", "mean", "rank", *ends.columns[4:])
    )


def turns(found: pl.DataFrame) -> pl.DataFrame:
    """The sets that rank the solvers otherwise: one row per set, kind and metric.

    found: from ``solver_sets``. n_swapped: pairs of solvers of which the better one with everybody is the
    worse one here; leader with everybody and here (several with
    = between); sbs with everybody and here. Sets without such a pair have no row, unless a tie for the lead
    begins or ends among those who are in both.
    """
    keys = [*_KEY, "change"]
    whole = dict(iter(found.filter(pl.col("change") == ALL).group_by(_KEY)))
    rows = []
    for key, part in found.filter(pl.col("change") != ALL).group_by(keys, maintain_order=True):
        before = whole[key[:-1]]
        both = before.join(part, on="solver", suffix="_here").drop_nulls(["rank", "rank_here"])
        old, new = both["rank"].to_numpy(), both["rank_here"].to_numpy()
        signs = np.sign(old[:, None] - old) * np.sign(new[:, None] - new)
        swapped = int((signs < 0).sum() // 2)
        leads = _leader(before), _leader(part)
        if swapped or (leads[1] and leads[1] != _leader(both.select("solver", "rank"))):
            rows.append((*key, part["n"][0], swapped, *leads, before["sbs"][0], part["sbs"][0]))
    schema = {
        **dict.fromkeys(keys, pl.String),
        **dict.fromkeys(("n", "n_swapped"), pl.Int64),
        **dict.fromkeys(("leader", "leader_here", "sbs", "sbs_here"), pl.String),
    }
    return pl.DataFrame(rows, schema=schema, orient="row")


def _leader(part: pl.DataFrame) -> str:
    return " = ".join(sorted(part.filter(pl.col("rank") == pl.col("rank").min())["solver"]))


def set_notes(found: pl.DataFrame) -> list[str]:
    """A sentence for each scenario: how often SBS and the leaders are others.

    found: from ``solver_sets``; of its kinds selectors, where there are any, else algorithms.
    """
    said = []
    for (protocol, scenario), part in found.group_by(["protocol", "scenario_id"], maintain_order=True):
        kind = "selector" if "selector" in part["kind"] else "algorithm"
        sets = part.filter(pl.col("change") != ALL)
        usual = part.filter(pl.col("change") == ALL)["sbs"][0]
        other = sets.filter(pl.col("sbs") != usual)["change"].n_unique()
        n = plural(sets["change"].n_unique(), "changed set")
        name = str(protocol).partition("@")[0]
        words = f"{scenario}, {name}: SBS is {usual}. In {other} of {n}, SBS is another algorithm"
        led = _led(sets.filter(pl.col("kind") == kind))
        ran = sets.sort("n_run", descending=True, nulls_last=True)
        if kept := ran.item(0, "n_run"):
            of = f"up to {kept} runs on {ran.item(0, 'n')} instances"
            led += f". {ran.item(0, 'solver')} still runs algorithms that are left out ({of})"
        said.append(f"{words}. {led}.")
    return said


def _led(sets: pl.DataFrame) -> str:
    led: dict[str, list[str]] = {}
    n = sets["change"].n_unique()
    for metric in SetScores._fields:
        first = sets.filter((pl.col("metric") == metric) & (pl.col("rank") == 1))
        counts = first["solver"].value_counts().sort("count", "solver", descending=[True, False]).rows()
        who = [name if k == n else f"{name} in {k} of {n}" for name, k in counts]
        if metric == SetScores._fields[0] and counts:
            gaps = sets.filter((pl.col("metric") == metric) & (pl.col("solver") == counts[0][0]))["score"]
            least, most = (number(x) for x in (gaps.min(), gaps.max()))
            who[0] += f" (from {least} to {most})" if least != most else ""
        led.setdefault(list_names(who, most=3, quoted=False), []).append(metric)
    parts = [f"First by {', '.join(how)}: {who or 'none'}" for who, how in led.items()]
    return ". ".join(parts)


# The best portfolio of every size.

_TEXTS = ("protocol", "scenario_id", "measure", "algorithms", "greedy")
_COUNTS = ("n", "k", "n_left_out")


def portfolios(lake: OpenLake, *, most: int | None = None) -> pl.DataFrame:
    """The k algorithms whose VBS has the least mean cost, for each k up to ``most``.

    One row per protocol, scenario, measure and k: the algorithms, the mean cost of their VBS, which share
    of the gap it closes (0 = the best single algorithm by mean cost, 1 = VBS of all; null where both are
    equal), whether that is proven to be the best, and the greedy portfolio with its cost and what it loses
    (``greedy_loss``, points of the closed gap). ``value`` and ``greedy_value`` are the costs of a quality
    in its own direction, null for runtimes. n counts instances; ``n_left_out`` algorithms without a cost on
    some instance, which no portfolio has. Measures of quality take part too.

    Source: see ``best_portfolios``.
    """
    if most is not None and most < 1:
        raise AslibError(f"{most} algorithms are not at least one")
    frame = lake.ask("bootstrap_runs")
    keys = ["scenario_id", "measure", "protocol"]
    sql = "select scenario_id, measure, measure_type, maximize from raw_scenario"
    signs = {
        (scenario, measure): None if kind == "runtime" else -1 if maximize else 1
        for scenario, measure, kind, maximize in lake.rows(sql)
    }
    rows: list[dict[str, Any]] = []
    for part in frame.filter(pl.col("kind") == "algorithm").partition_by(keys, maintain_order=True):
        first = part.row(0, named=True)
        about = {key: first[key] for key in ("protocol", "scenario_id", "measure")}
        sign = signs[first["scenario_id"], first["measure"]]
        for row in _best_of_scenario(part, most):
            own, greedy = (sign and sign * row[name] + 0.0 for name in ("cost", "greedy_cost"))
            rows.append(about | row | {"value": own, "greedy_value": greedy})
    if not rows:
        raise AslibError("no scenario has two algorithms with a cost on all instances")
    kinds: dict[str, Any] = dict.fromkeys(rows[0], pl.Float64)
    kinds |= dict.fromkeys(_TEXTS, pl.String) | dict.fromkeys(_COUNTS, pl.Int64)
    return pl.DataFrame(rows, schema=kinds | {"exact": pl.Boolean})


def _best_of_scenario(part: pl.DataFrame, most: int | None) -> list[dict[str, Any]]:
    pivoted = pivot(part, rows=("instance_id", "repetition"), columns=("solver",))
    table = pivoted.table("cost")
    there = np.isfinite(table).all(axis=0)
    names = [str(name) for name in pivoted.columns["solver"].to_numpy()[there]]
    if len(names) < 2:  # noqa: PLR2004
        return []
    scale = binary_scale(table[:, there])  # sums of large costs would overflow
    costs = table[:, there] / scale
    found = best_portfolios(costs, most=most)
    best, greedy = (gaps.to_list() for gaps in _gaps_of(found, costs))
    return [
        {
            "n": part["instance_id"].n_unique(),
            "k": k,
            "algorithms": ", ".join(names[at] for at in one.members),
            "cost": one.cost * scale,
            "closed_gap": gap,
            "exact": one.exact,
            "greedy": ", ".join(names[at] for at in one.greedy),
            "greedy_cost": one.greedy_cost * scale,
            "greedy_loss": None if gap is None or other is None else max(gap - other, 0.0),
            "n_left_out": int((~there).sum()),
        }
        for k, (one, gap, other) in enumerate(zip(found, best, greedy, strict=True), start=1)
    ]


def _gaps_of(found: Sequence[Portfolio], costs: Floats) -> tuple[Scaled, Scaled]:
    """The gaps that the best and the greedy portfolios close."""
    ends = {"sbs": found[0].cost, "vbs": float(costs.min(axis=1).mean())}
    return closed([one.cost for one in found], **ends), closed([one.greedy_cost for one in found], **ends)


def portfolio_notes(found: pl.DataFrame) -> list[str]:
    """A sentence for each scenario: how few close nine tenths; what greedy loses.

    found: from ``portfolios``.
    """
    said = []
    for part in found.partition_by(["scenario_id", "measure", "protocol"], maintain_order=True):
        first = part.row(0, named=True)
        where = f"{first['scenario_id']}, {first['protocol'].partition('@')[0]}"
        if part["closed_gap"].null_count():
            said.append(f"{where}: the best single algorithm is as good as VBS.")
            continue
        enough = part.filter(pl.col("closed_gap") >= 0.9)  # noqa: PLR2004
        one = (enough.head(1) if enough.height else part.tail(1)).row(0, named=True)
        lost = part.sort("greedy_loss", descending=True).row(0, named=True)
        best = plural(one["k"], "algorithm")
        text = f"{where}: the best {best} close {100 * one['closed_gap']:.4g} % of the gap to"
        text += " VBS. Fewer algorithms close less than 90 %" if enough.height else " VBS"
        text += ". A greedy choice "
        text += (
            f"loses up to {100 * lost['greedy_loss']:.4g} % of the gap"
            f" (with {plural(lost['k'], 'algorithm')})"
            if lost["greedy_loss"] > 1e-9  # noqa: PLR2004
            else "loses nothing"
        )
        unproven = part.filter(~pl.col("exact")).height
        text += f". {unproven} sizes are not proven to be the best" if unproven else ""
        said.append(f"{text}.")
    return said


_MOST = 10  # sizes that are drawn
_LEAST = 2  # algorithms
_WORK = 2e8  # a page waits a second for a size at most


def portfolio(results: ScenarioResults) -> Chart | None:
    """Share of the gap that the best, and the greedy, portfolio of each size closes.

    1 is VBS of all algorithms, 0 the best single algorithm by mean cost; up to ten sizes. None with one
    algorithm, without a cost somewhere, or without a gap.
    """
    matrix = results.matrix
    columns = matrix.columns("algorithm") if matrix else []
    if matrix is None or len(columns) < _LEAST:
        return None
    if not np.isfinite(matrix.costs[:, columns]).all():
        return None
    costs = results.penalised(matrix)[:, columns]
    costs = costs / binary_scale(costs)
    names = [matrix.solvers[column][1] for column in columns]
    found = best_portfolios(costs, most=_MOST, work=_WORK)
    best, greedy = _gaps_of(found, costs)
    if not best.defined.all():
        return None
    marks: list[Mark] = []
    for gaps, what, field, paint, dash in (
        (greedy.values, "greedy", "greedy", "c2", "6 3"),
        (best.values, "best", "members", "c1", None),
    ):
        points: list[list[Any]] = []
        for k, (p, gap) in enumerate(zip(found, gaps, strict=True), start=1):
            some = list_names([names[at] for at in getattr(p, field)], most=6, quoted=False)
            points.append([k, float(gap), f"{what} of {k}: {number(gap)} of the gap; {some}"])
        marks.append(Line([p[:2] for p in points], name=what, color=paint, dash=dash))
        marks.append(Dots(points, color=paint))
    unproven = list_names([k for k, one in enumerate(found, 1) if not one.exact], most=10, quoted=False)
    return Chart(
        "The best portfolio of each size",
        _about(best.values.tolist(), greedy.values.tolist(), len(names))
        + (f" Not proven to be the best: {unproven}." if unproven else ""),
        Linear("algorithms in the portfolio", 1, len(found), whole=True),
        Linear("share of the gap closed", 0.0, 1.0),
        marks,
        results.population,
        height=260,
    )


def _about(best: list[float], greedy: list[float], n: int) -> str:
    enough = next((k for k, gap in enumerate(best, 1) if gap >= 0.9), None)  # noqa: PLR2004
    who = "so many" if enough is None else plural(enough, "algorithm")
    text = (
        f"The best {who} of {n} close{'s' if enough == 1 else ''}"
        f" {best[(enough or len(best)) - 1]:.3g} of the gap to VBS"
    )
    lost = max(b - g for b, g in zip(best, greedy, strict=True))
    if lost <= 1e-9:  # noqa: PLR2004
        return f"{text}. A greedy choice is as good at every size."
    return f"{text}. A greedy choice loses up to {lost:.3g} of the gap."


PORTFOLIO = FigureEntry(
    "share of the gap that the best portfolio of each size closes",
    "scenario",
    needs="two algorithms with costs, and a gap",
    make=portfolio,
)
