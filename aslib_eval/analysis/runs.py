"""Runs as arrays, for each scenario or pooled over scenarios, and bootstrap intervals of solvers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from aslib_eval.database.open_lake import OpenLake
from aslib_eval.errors import AslibError, ScenarioError
from aslib_eval.executors import computed
from aslib_eval.formats.attributes import FAMILY, Families, families
from aslib_eval.metrics.scale import Floats, Runs
from aslib_eval.options import SweptKind
from aslib_eval.statistics.distributions import average_ranks
from aslib_eval.statistics.means import (
    FEW,
    FEWEST,
    Draws,
    bootstrap,
    cost_means,
    gap_after_rare_losses,
    gap_interval,
    instances_of_sbs,
    interval,
    sums_of,
    worth,
)


@dataclass(frozen=True, eq=False)
class Pivot:
    """A long frame pivoted to tables: the row and column of each of its lines.

    rows: keys of the rows, sorted. columns: keys of the columns, in order of appearance.
    at: (n_lines,) each: the row and the column of every line.
    """

    frame: pl.DataFrame
    rows: pl.DataFrame
    columns: pl.DataFrame
    at: tuple[NDArray[np.uint32], NDArray[np.uint32]]

    def table(self, name: str) -> Floats:
        """A column of the frame as (n_rows, n_columns); nan = null, or no such line."""
        found = np.full((self.rows.height, self.columns.height), np.nan)
        found[self.at] = self._numbers(name)
        return found

    def of_rows(self, name: str) -> Floats:
        """A column of the frame that depends on the row alone, as (n_rows,)."""
        found = np.full(self.rows.height, np.nan)
        found[self.at[0]] = self._numbers(name)
        return found

    def _numbers(self, name: str) -> Floats:
        return np.asarray(self.frame[name].cast(float).to_numpy())


def pivot(frame: pl.DataFrame, *, rows: Sequence[str], columns: Sequence[str]) -> Pivot:
    """Pivot a long frame with at most one line for each row and column.

    rows, columns: names of the columns of the frame that identify them.
    """
    down = frame.select(rows).unique().sort(rows)
    across = frame.select(columns).unique(maintain_order=True)
    row, column = (
        frame.join(keys.with_row_index("at"), on=keys.columns, maintain_order="left")
        for keys in (down, across)
    )
    return Pivot(frame, down, across, (row["at"].to_numpy(), column["at"].to_numpy()))


KINDS: tuple[SweptKind, ...] = ("algorithm", "selector")


def usual_kind(present: Iterable[str]) -> SweptKind:
    """The kind compared by default: selectors if there are any, else algorithms.

    present: the kind of every candidate, repeated or not.
    """
    return "selector" if "selector" in present else "algorithm"


def is_usual() -> pl.Expr:
    """Expression: rows of the default kind of their scenario (scenario_id, kind)."""
    chosen = (pl.col("kind") == "selector").any().over("scenario_id")
    return pl.col("kind") == pl.when(chosen).then(pl.lit("selector")).otherwise(pl.lit("algorithm"))


_LEAST = 2  # fewer solvers are not compared


class Group(NamedTuple):
    """Runs of a scenario under a protocol (name@hash), or of several pooled.

    n_instances: counts instances also where each repetition is a row of ``runs``. names: the columns of
    ``runs``; the first ``n_entrants`` are the compared solvers, the others the algorithms that determine
    SBS and VBS. Pooled selectors have none: their scenarios have no SBS in common. instances: the rows of
    ``runs``, and after # the repetition where each is a row.
    """

    protocol: str
    scenario_id: str
    measure: str
    names: tuple[str, ...]
    n_instances: int
    n_entrants: int
    has_gap: bool
    runs: Runs
    instances: tuple[str, ...] = ()


def groups(
    lake: OpenLake,
    protocol: str,
    *,
    kind: SweptKind | None = None,
    pooled: bool = False,
    least: int = _LEAST,
) -> list[Group]:
    """The runs of a protocol, in one group for each scenario or all pooled.

    kind: in each scenario selectors where there are any, else algorithms. Pooled
    groups have the solvers that are in every scenario with any of the kind. Only runtime measures take
    part, and groups of at least ``least``.
    """
    frame = lake.ask("runtime_runs", {"protocol": protocol})
    parts = frame.partition_by("scenario_id", "measure", maintain_order=True)
    if not pooled:
        made = (_group(kind or usual_kind(part["kind"]), [part], least) for part in parts)
        return [group for group in made if group is not None]
    chosen = kind or usual_kind(frame["kind"])
    group = _group(chosen, [part for part in parts if _names(part, chosen)], least)
    return [] if group is None else [group]


def _group(kind: str, parts: Sequence[pl.DataFrame], least: int) -> Group | None:
    """One group of scenarios; None if fewer than ``least`` entrants are in all."""
    present = [set(_names(part, kind)) for part in parts]
    entrants = sorted(set.intersection(*present)) if present else []
    if len(entrants) < least:
        return None
    algorithms = _names(parts[0], "algorithm") if len(parts) == 1 else []
    columns = [(kind, name) for name in entrants]
    if kind != "algorithm":
        columns += [("algorithm", name) for name in algorithms]
    tables = [_arrays(part, columns) for part in parts]
    times, solved, cutoffs, rows = (np.concatenate(t) for t in zip(*tables, strict=True))
    first = parts[0].row(0, named=True)
    return Group(
        first["protocol"],
        first["scenario_id"] if len(parts) == 1 else f"({len(parts)} scenarios)",
        first["measure"],
        names=tuple(name for _, name in columns),
        n_instances=sum(part["instance_id"].n_unique() for part in parts),
        n_entrants=len(entrants),
        has_gap=kind == "algorithm" or len(columns) > len(entrants),
        runs=Runs(times=times, solved=solved, cutoff=cutoffs),
        instances=tuple(map(str, rows)),
    )


def _names(part: pl.DataFrame, kind: str) -> list[str]:
    return part.filter(pl.col("kind") == kind)["solver"].unique().sort().to_list()


def _arrays(
    part: pl.DataFrame, columns: Sequence[tuple[str, str]]
) -> tuple[Floats, Floats, Floats, NDArray[np.object_]]:
    """times, solved: (n_instances, n_columns); cutoffs and names: (n_instances,)."""
    rows, names = ("instance_id", "repetition"), ("kind", "solver")
    pivoted = pivot(part, rows=rows, columns=names)
    order = pivoted.columns.rows()
    at = [order.index(column) for column in columns]
    times, solved = (pivoted.table(name)[:, at] for name in ("time", "solved"))
    labels = [f"{i} #{r}" if r else str(i) for i, r in pivoted.rows.rows()]
    return times, solved, pivoted.of_rows("cutoff"), np.array(labels, object)


# Matrix of the feature values of a scenario's instances.


@dataclass(frozen=True)
class FeatureMatrix:
    """Feature values of instances; a column for each number or label.

    values: (n_instances, n_columns), nan = missing.
    given: (n_instances, n_columns), whether the instance has that number or label; features: the feature of
    each column.
    """

    instances: tuple[str, ...]
    columns: tuple[str, ...]
    values: NDArray[np.float64]
    given: NDArray[np.bool_]
    features: tuple[str, ...]


def feature_matrix(
    lake: OpenLake, scenario_id: str, instances: Sequence[str], *, features: Sequence[str] | None = None
) -> FeatureMatrix:
    """Feature values of the instances, in their order; all features if none are named.

    Repetitions of a feature are averaged; null, NaN and infinity are missing. A
    feature of labels becomes one column of 0 and 1 for each label. An instance
    without a row has nan in every column of numbers. Columns come by name.
    """
    frame = lake.ask("feature_values", {"scenario": scenario_id, "features": features and list(features)})
    named = frame["name"].to_numpy().astype(str)
    names, first, column = np.unique(named, return_index=True, return_inverse=True)
    row_of = {instance: row for row, instance in enumerate(instances)}
    row = np.array([row_of.get(name, -1) for name in frame["instance_id"]], np.int64)
    values = np.full((len(instances), len(names)), np.nan)
    values[:, np.unique(column[frame["labelled"].to_numpy()])] = 0.0
    chosen = row >= 0
    values[row[chosen], column[chosen]] = frame["value"].to_numpy()[chosen]
    given = np.zeros(values.shape, bool)
    given[row[chosen], column[chosen]] = True
    of = tuple(frame["feature"].gather(first))
    return FeatureMatrix(tuple(instances), tuple(map(str, names)), values, given, of)


def known_families(
    instances: Sequence[str], given: Mapping[str, str | None], *, by_name: bool = True
) -> tuple[str, ...]:
    """The family of each instance; none where all are of one, or each of its own.

    given: of instances; where no family is known, what the names say, unless ``by_name`` is false. An
    instance without a family is one. Families that names tell count if they are worth five of equal size:
    fewer are kinds of instances, and no sample of families.
    """
    found = [str(given.get(name) or "") for name in instances]
    guessed = by_name and not any(found)
    if guessed:
        found = families(instances)
    found = [of or f"(none: {name})" for of, name in zip(found, instances, strict=True)]
    codes = codes_of(found)
    if codes is None or not 1 < len(set(found)) < len(found) or (guessed and worth(codes) < FEWEST):
        return ()
    return tuple(found)


def codes_of(known: Sequence[str]) -> NDArray[np.int64] | None:
    """Numbers from 0 for families; None for none."""
    return np.unique(known, return_inverse=True)[1] if known else None


def families_of(
    lake: OpenLake,
    scenario: str,
    instances: Sequence[str],
    *,
    given: Families | None = None,
    attribute: str | None = None,
) -> list[str]:
    """The family of each instance.

    As a file says, else an attribute (``family`` if none is named; instances without one are a family),
    else as the names tell.
    """
    if given:
        lacking = [given.finding(i, f"{i} is missing") for i in instances if i not in given.of]
        if lacking:
            raise ScenarioError(given.path, lacking)
        return [given.of[i] for i in instances]
    return by_attribute(lake, scenario, instances, attribute) or families(instances)


def by_attribute(
    lake: OpenLake, scenario: str, instances: Sequence[str], attribute: str | None = None
) -> list[str]:
    """Value of the attribute, empty where it is not known; nothing if none has one."""
    sql = "select instance_id, value from raw_attribute"
    sql += " where scenario_id = $scenario and attribute = $attribute"
    found = dict(lake.rows(sql, {"scenario": scenario, "attribute": attribute or FAMILY}))
    if not found and attribute is not None:
        raise AslibError(
            f"no instance has the attribute {attribute}",
            scenario,
            "Import it with --attributes, or leave out the scenario.",
        )
    return [found.get(instance, "") for instance in instances] if found else []


Cell = str | float | None
DRAWS = 2000
# What is drawn anew for an interval of a closed gap, in `gap --interval` and on pages.
DRAWN_ANEW = (
    f"The 95 % intervals come from {DRAWS} bootstrap samples of the instances. SBS and VBS are "
    "chosen in each sample, but selectors are not retrained"
)


@dataclass(frozen=True)
class ScenarioCosts:
    """Costs of all algorithms and selectors of a scenario under a protocol.

    costs, criterion (which SBS minimises): (n_rows, n_solvers); vbs: (n_rows,);
    groups: (n_rows,) code of the instance. ceiling: the largest cost that there can be, the least being 0;
    None where nothing bounds it.
    """

    labels: tuple[str, str, str]  # protocol, scenario, measure
    kinds: NDArray[np.str_]
    solvers: NDArray[np.str_]
    costs: NDArray[np.float64]
    criterion: NDArray[np.float64]
    vbs: NDArray[np.float64]
    groups: NDArray[np.int64]
    ceiling: float | None

    def cost_intervals(self, level: float, seed: int) -> tuple[Floats, Floats]:
        """Ends of the interval of each mean cost; nan for a solver without some cost.

        An instance counts as one, whatever the number of its repetitions.
        """
        low, high = np.full((2, len(self.solvers)), np.nan)
        known = ~np.isnan(self.costs).any(axis=0)
        means = sums_of(self.costs[:, known], self.groups) / np.bincount(self.groups)[:, None]
        found = cost_means(means, self.ceiling, level=level, seed=seed)
        low[known], high[known] = found.lower, found.upper
        return low, high

    def drawn(self, draws: int, seed: int) -> Draws | None:
        """The draws; None if no algorithm has a cost on every instance."""
        algorithms = self.costs[:, self.kinds == "algorithm"]
        if np.isnan(algorithms).any(axis=0).all():
            return None
        return bootstrap(
            self.costs,
            self.vbs,
            self.kinds == "algorithm",
            draws=draws,
            rng=np.random.default_rng(seed),
            criterion=self.criterion,
            groups=self.groups,
        )


def bootstrap_intervals(
    lake: OpenLake,
    *,
    draws: int = DRAWS,
    seed: int = 1,
    level: float = 0.95,
    executor: Executor | None = None,
    selectors_alone: bool = False,
) -> pl.DataFrame:
    """Intervals of cost, closed gap and rank of every solver.

    Instances are drawn with replacement, ``draws`` times from the same ``seed`` in every scenario; SBS and
    VBS are determined anew in each draw, so that the
    interval holds their uncertainty too. Repetitions that a protocol keeps separate
    are drawn with their instance. ``n`` counts instances; ``best`` is the share of
    the draws in which no solver of its kind costs less, ``sbs`` that in which the algorithm is the single
    best; ``n_undefined`` counts draws without a gap. That of cost is the one of ``compare --show systems``:
    percentiles of few instances cover far too seldom. ``rank_low`` and ``rank_high`` are ranks that draws
    have, the middle ``level`` of them, and no confidence set: they hold the place of a solver far less
    often (``certify --show places`` has sets that do). That of the gap is the union of Fieller's for every
    candidate for SBS with the percentiles (see ``gap_interval``): percentiles alone cover too seldom where
    SBS is nearly tied or nearly VBS. It allows for losses too rare for the data (see
    ``gap_after_rare_losses``). An end that does not exist is null. ``remark`` reports such ends, another
    SBS in more than a tenth of the draws, and gaps that rest on few instances (``instances_of_sbs``). The
    ``executor`` does a scenario at a time, if there is one, with the same digits. ``selectors_alone``
    leaves out scenarios without selectors, and the rows of algorithms.

    Source: Efron, Tibshirani 1993, chapter 13; Amadini et al. 2023, Definition 3.
    """
    require_draws(draws, level)
    drawn = partial(_intervals_of, draws=draws, seed=seed, level=level)
    rows = rows_drawn(lake, drawn, executor, selectors_alone=selectors_alone)
    schema: dict[str, Any] = dict.fromkeys(LABELS, pl.String)
    schema |= dict.fromkeys(_COUNTS, pl.Int64)
    schema |= dict.fromkeys(_NUMBERS, pl.Float64) | {"remark": pl.String}
    found = pl.DataFrame(rows, schema=schema, orient="row")
    return found.filter(kind="selector") if selectors_alone else found


def with_intervals(lake: OpenLake, found: pl.DataFrame) -> pl.DataFrame:
    """Rows of gaps with the interval of each closed gap: gap_low, gap_high, remark.

    found: columns protocol, scenario_id, measure, kind, solver and closed_gap. The intervals are those of
    ``bootstrap_intervals``, which are of the gap over all instances at once. null beside a closed gap that
    is another, such as a mean over folds, and beside baselines, whose gap is what it is by definition.
    """
    keys = ["protocol", "scenario_id", "measure", "kind", "solver"]
    ends = ["gap_low", "gap_high", "remark"]
    drawn = bootstrap_intervals(lake).select(*keys, "closed_gap", *ends)
    both = found.join(drawn, on=keys, how="left", suffix="_drawn", maintain_order="left")
    same = (pl.col("closed_gap") - pl.col("closed_gap_drawn")).abs() <= _SAME * (
        1 + pl.col("closed_gap").abs()
    )
    other = pl.lit(OTHER_GAP) if both.height else pl.lit(None, pl.String)
    no_interval = pl.col("closed_gap").is_null() | (pl.col("kind") == "baseline")
    both = both.with_columns(
        *(pl.when(same).then(pl.col(end)).alias(end) for end in ends[:2]),
        pl.when(no_interval).then(None).when(same).then("remark").otherwise(other).alias("remark"),
    )
    at = found.columns.index("closed_gap") + 1
    return both.select(*found.columns[:at], *ends[:2], *found.columns[at:], ends[2])


_SAME = 1e-9  # of two closed gaps: rounding
OTHER_GAP = "no interval, because this gap is not over all instances at once with SBS of all instances"
_OFTEN = 0.1  # share of draws with another SBS that is remarked on
LABELS = ("protocol", "scenario_id", "measure", "kind", "solver")
_COUNTS = ("n", "n_draws", "n_undefined")
_NUMBERS = (
    *("closed_gap", "gap_low", "gap_high", "cost", "cost_low", "cost_high"),
    *("rank", "rank_low", "rank_high", "best", "sbs"),
)


def rows_drawn(
    lake: OpenLake,
    drawn: Callable[[ScenarioCosts], list[tuple[Cell, ...]]],
    executor: Executor | None,
    *,
    selectors_alone: bool = False,
) -> list[tuple[Cell, ...]]:
    """The rows of all tables, in their order, in whatever order they are drawn."""
    tables = list(_tables(lake))
    if selectors_alone:
        tables = [table for table in tables if "selector" in table.kinds]
    found = {table.labels: rows for table, rows in computed(executor, drawn, tables)}
    return [row for table in tables for row in found[table.labels]]


def require_draws(draws: int, level: float) -> None:
    """Raise AslibError for less than one draw, or a level that is none."""
    if draws < 1:
        raise AslibError(f"{draws} draws are not at least one", "bootstrap")
    if not 0 < level < 1:
        raise AslibError(
            f"the confidence level {level} is not between 0 and 1", "bootstrap", "Say 0.95 for 95 %."
        )


def _intervals_of(table: ScenarioCosts, *, draws: int, seed: int, level: float) -> list[tuple[Cell, ...]]:
    """The rows of one scenario: selectors first, each kind by its cost."""
    n, drawn = len(np.unique(table.groups)), table.drawn(draws, seed)
    solvers = [(str(kind), str(name)) for kind, name in zip(table.kinds, table.solvers, strict=True)]
    if drawn is None:
        nothing = (*(None,) * len(_NUMBERS), "no algorithm has a cost on every instance")
        return [(*table.labels, *solver, n, 0, 0, *nothing) for solver in solvers]
    all_ranks, best = _ranked(table, drawn)
    costs = np.where(np.isnan(drawn.cost[0]), np.inf, drawn.cost[0])
    low, high = gap_interval(drawn.group_loss, drawn.closed_gap[1:], drawn.sbs, level=level)
    entrants = table.kinds == "algorithm"
    rare = gap_after_rare_losses(drawn.group_loss, int(drawn.sbs[0]), low=low, entrants=entrants)
    ends = np.fmin(low, rare), high, *table.cost_intervals(level, seed)
    gap_low, gap_high, cost_low, cost_high = (np.where(np.isfinite(end), end, np.nan) for end in ends)
    changes = _remarks(table, drawn)
    rows = []
    for s in sorted(range(len(solvers)), key=lambda s: (entrants[s], costs[s])):
        numbers = (
            *(drawn.closed_gap[0, s], gap_low[s], gap_high[s], drawn.cost[0, s], cost_low[s], cost_high[s]),
            *(all_ranks[0, s], *interval(all_ranks[1:, s], level=level, outward=True), best[s]),
            (drawn.sbs[1:] == s).mean() if entrants[s] else np.nan,
        )
        remarks = []
        if np.isinf([low[s], high[s]]).any():
            remarks.append("SBS may be as good as VBS, so the interval of the gap is unbounded")
        if not np.isnan(rare[s]):
            remarks.append("the lower end assumes three more instances, each with the largest loss seen")
        cells = [or_none(float(x)) for x in numbers]
        undefined = int(np.isnan(drawn.closed_gap[1:, s]).sum())
        remark = "; ".join(remarks + changes) or None
        rows.append((*table.labels, *solvers[s], n, len(drawn.sbs) - 1, undefined, *cells, remark))
    return rows


def _remarks(table: ScenarioCosts, draws: Draws) -> list[str]:
    """That a gap rests on few instances, and that others are SBS in more than a tenth of the draws."""
    found, one = [], int(draws.sbs[0])
    few, n = instances_of_sbs(draws.group_loss, one), len(draws.group_loss)
    if 0 < few < FEW:
        found.append(
            f"{few} of {n} instances make up 90 % of the difference between SBS and VBS,"
            " so the gap depends on these few and may be far off"
        )
    times = np.bincount(draws.sbs[1:], minlength=len(table.solvers))
    often = times / times.sum()
    if 1 - often[one] > _OFTEN:
        others = [s for s in np.argsort(-often, kind="stable") if often[s] > 0 and s != one]
        named = ", ".join(f"{table.solvers[s]} in {often[s]:.0%}" for s in others[:3])
        here = f"{table.solvers[one]} is SBS in {often[one]:.0%} of the samples"
        found.append(f"{here}, {named}{' …' if len(others) > 3 else ''}")  # noqa: PLR2004
    return found


def _ranked(table: ScenarioCosts, draws: Draws) -> tuple[Floats, Floats]:
    """Ranks (1 + draws, n_solvers) within the kind, and shares of first ranks."""
    found = np.full(draws.loss.shape, np.nan)
    best = np.full(len(table.kinds), np.nan)
    for kind in np.unique(table.kinds):
        chosen = (table.kinds == kind) & ~np.isnan(draws.loss[0])
        loss = draws.loss[:, chosen]
        found[:, chosen] = average_ranks(loss)
        if loss.size:
            best[chosen] = (loss == loss.min(axis=1, keepdims=True))[1:].mean(axis=0)
    return found, best


def or_none(x: float) -> float | None:
    """The same number; None for nan."""
    return None if np.isnan(x) else x


def _tables(lake: OpenLake) -> Iterator[ScenarioCosts]:
    by, columns = ["protocol", "scenario_id", "measure"], ("kind", "solver")
    for labels, part in lake.ask("bootstrap_runs").group_by(by, maintain_order=True):
        protocol, scenario, measure = map(str, labels)
        pivoted = pivot(part, rows=("instance_id", "repetition"), columns=columns)
        kinds, solvers = (pivoted.columns[name].to_numpy().astype(str) for name in columns)
        instances = pivoted.rows["instance_id"].to_numpy().astype(str)
        yield ScenarioCosts(
            (protocol, scenario, measure),
            kinds,
            solvers,
            costs=pivoted.table("cost"),
            criterion=pivoted.table("criterion"),
            vbs=pivoted.of_rows("vbs_cost"),
            groups=np.unique(instances, return_inverse=True)[1],
            ceiling=part["ceiling"].max(),  # type: ignore[arg-type]
        )
