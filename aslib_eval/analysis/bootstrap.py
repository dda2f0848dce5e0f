"""Bootstrap intervals of solvers, for ``gap --interval``, pages and ``resample``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from aslib_eval.analysis.runs import pivot
from aslib_eval.database.open_lake import OpenLake
from aslib_eval.errors import AslibError
from aslib_eval.executors import computed
from aslib_eval.statistics.means import cost_means
from aslib_eval.statistics.resampling import (
    FEW,
    Draws,
    Numbers,
    bootstrap,
    gap_interval,
    instances_of_sbs,
    interval,
    one_worse,
    ranks,
)
from aslib_eval.text import significant

Cell = str | float | None
DRAWS = 2000
# What is drawn anew for an interval of a closed gap, in `gap --interval` and on pages.
DRAWN_ANEW = (
    f"95 % intervals: the instances are drawn anew {DRAWS} times, with SBS and VBS "
    "chosen in each draw; selectors are not trained anew"
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

    def cost_intervals(self, level: float, seed: int) -> tuple[Numbers, Numbers]:
        """Ends of the interval of each mean cost; nan for a solver without some cost.

        An instance counts as one, whatever the number of its repetitions.
        """
        low, high = np.full((2, len(self.solvers)), np.nan)
        known = ~np.isnan(self.costs).any(axis=0)
        sums = np.zeros((int(self.groups.max()) + 1, int(known.sum())))
        np.add.at(sums, self.groups, self.costs[:, known])
        means = sums / np.bincount(self.groups)[:, None]
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
    SBS is nearly tied or nearly VBS. An end that does not exist is null. ``remark`` reports such ends,
    another SBS in more than a tenth of the draws, intervals that cover less than ``level`` (see
    ``one_worse``), and gaps that rest on few instances (see ``instances_of_sbs``). The ``executor`` does a
    scenario at a time, if there is one, with the same digits. ``selectors_alone`` leaves out scenarios
    without selectors, and the rows of algorithms.

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
        pl.when(no_interval).then(None).when(same).then("remark").otherwise(other)
        .alias("remark"),
    )  # fmt: skip
    at = found.columns.index("closed_gap") + 1
    return both.select(*found.columns[:at], *ends[:2], *found.columns[at:], ends[2])


_SAME = 1e-9  # of two closed gaps: rounding
OTHER_GAP = "intervals are of the gap over all instances at once, with SBS of these"
_OFTEN = 0.1  # share of draws with another SBS that is remarked on
_ENDLESS = "SBS may be as good as VBS, so that the gap has no bounds"
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


def _intervals_of(table: ScenarioCosts, *, draws: int, seed: int, level: float) -> list[tuple[Cell, ...]]:
    return list(_intervals(table, table.drawn(draws, seed), level, seed))


def require_draws(draws: int, level: float) -> None:
    """Raise AslibError for less than one draw, or a level that is none."""
    if draws < 1:
        raise AslibError(f"{draws} draws are not at least one", "bootstrap")
    if not 0 < level < 1:
        raise AslibError(f"{level} is no level between 0 and 1", "bootstrap", "Say 0.95 for 95 %.")


def _intervals(
    table: ScenarioCosts, draws: Draws | None, level: float, seed: int
) -> Iterator[tuple[Cell, ...]]:
    n = len(np.unique(table.groups))
    if draws is None:
        for kind, solver in zip(table.kinds, table.solvers, strict=True):
            nothing = (None,) * len(_NUMBERS)
            why = "no algorithm has a cost on every instance"
            yield *table.labels, str(kind), str(solver), n, 0, 0, *nothing, why
        return
    all_ranks, best = _ranked(table, draws)
    costs = np.where(np.isnan(draws.cost[0]), np.inf, draws.cost[0])
    order = sorted(range(len(table.solvers)), key=lambda s: (table.kinds[s] == "algorithm", costs[s]))
    low, high = gap_interval(draws.group_loss, draws.closed_gap[1:], draws.sbs, level=level)
    least, most = table.cost_intervals(level, seed)
    changes = [*_few_losses(draws), *_sbs_changes(table, draws)]
    first, entrants = int(draws.sbs[0]), table.kinds == "algorithm"
    worse = one_worse(draws.group_loss, first, low=low, entrants=entrants)
    for s in order:
        undefined = int(np.isnan(draws.closed_gap[1:, s]).sum())
        numbers = []
        for values in (draws.closed_gap[:, s], draws.cost[:, s], all_ranks[:, s]):
            numbers += [values[0], np.nan, np.nan]
        numbers[1:3] = (_finite(low[s]), _finite(high[s]))
        numbers[4:6] = (_finite(least[s]), _finite(most[s]))
        numbers[7:9] = interval(all_ranks[1:, s], level=level, outward=True)
        sbs = (draws.sbs[1:] == s).mean() if table.kinds[s] == "algorithm" else np.nan
        solver = (str(table.kinds[s]), str(table.solvers[s]))
        cells = [or_none(float(x)) for x in (*numbers, best[s], sbs)]
        endless = np.isinf([low[s], high[s]]).any()
        remarks = [_ENDLESS] * bool(endless) + _too_short(solver[1], worse[s]) + changes
        remark = "; ".join(remarks) or None
        yield *table.labels, *solver, n, len(draws.sbs) - 1, undefined, *cells, remark


def _too_short(solver: str, gap: float) -> list[str]:
    if np.isnan(gap):
        return []
    what = "one more instance with the largest loss of the data would make the gap of"
    least = significant(gap, 3)
    return [f"{what} {solver} {least}, below its interval, which may not hold"]


def _few_losses(draws: Draws) -> list[str]:
    few = instances_of_sbs(draws.group_loss, int(draws.sbs[0]))
    n = len(draws.group_loss)
    if not 0 < few < FEW:
        return []
    where = f"nine tenths of what SBS loses to VBS lie on {few} of {n} instances"
    return [f"{where}: the gap depends on them and may be far off"]


def _sbs_changes(table: ScenarioCosts, draws: Draws) -> list[str]:
    times = np.bincount(draws.sbs[1:], minlength=len(table.solvers))
    often = times / times.sum()
    one = int(draws.sbs[0])
    others = np.flatnonzero((often > 0) & (np.arange(len(often)) != one))
    if 1 - often[one] <= _OFTEN:
        return []
    named = [f"{table.solvers[s]} {often[s]:.0%}" for s in sorted(others, key=lambda s: -often[s])[:3]]
    here = f"{table.solvers[one]} is SBS in {often[one]:.0%} of the draws"
    more = " …" if len(others) > len(named) else ""
    return [f"{here}, else {', '.join(named)}{more}"]


def _finite(x: float) -> float:
    return float(x) if np.isfinite(x) else np.nan


def _ranked(table: ScenarioCosts, draws: Draws) -> tuple[Numbers, Numbers]:
    """Ranks (1 + draws, n_solvers) within the kind, and shares of first ranks."""
    found = np.full(draws.loss.shape, np.nan)
    best = np.full(len(table.kinds), np.nan)
    for kind in np.unique(table.kinds):
        chosen = (table.kinds == kind) & ~np.isnan(draws.loss[0])
        loss = draws.loss[:, chosen]
        found[:, chosen] = ranks(loss)
        if loss.size:
            best[chosen] = (loss == loss.min(axis=1, keepdims=True))[1:].mean(axis=0)
    return found, best


def or_none(x: float) -> float | None:
    """The same number; None for nan."""
    return None if np.isnan(x) else x


def _tables(lake: OpenLake) -> Iterator[ScenarioCosts]:
    frame = lake.ask("bootstrap_runs")
    by = ["protocol", "scenario_id", "measure"]
    for labels, part in frame.group_by(by, maintain_order=True):
        protocol, scenario, measure = map(str, labels)
        yield _table((protocol, scenario, measure), part)


def _table(labels: tuple[str, str, str], part: pl.DataFrame) -> ScenarioCosts:
    rows, columns = ("instance_id", "repetition"), ("kind", "solver")
    pivoted = pivot(part, rows=rows, columns=columns)
    kinds, solvers = (pivoted.columns[name].to_numpy().astype(str) for name in columns)
    instances = pivoted.rows["instance_id"].to_numpy().astype(str)
    return ScenarioCosts(
        labels,
        kinds,
        solvers,
        costs=pivoted.table("cost"),
        criterion=pivoted.table("criterion"),
        vbs=pivoted.of_rows("vbs_cost"),
        groups=np.unique(instances, return_inverse=True)[1],
        ceiling=part["ceiling"].max(),  # type: ignore[arg-type]
    )
