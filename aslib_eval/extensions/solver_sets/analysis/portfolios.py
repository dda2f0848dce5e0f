"""The best portfolio of every size, for ``sweep portfolio``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from aslib_eval.analysis.runs import pivot
from aslib_eval.errors import AslibError
from aslib_eval.extensions.solver_sets.metrics.portfolio import best_portfolios
from aslib_eval.metrics.scale import closed
from aslib_eval.statistics.tolerant_ranks import binary_scale
from aslib_eval.text import plural

if TYPE_CHECKING:
    from aslib_eval.database.open_lake import OpenLake

_TEXT = ("protocol", "scenario_id", "measure", "algorithms", "greedy")
_COUNTS = ("n", "k", "n_left_out")


def portfolios(lake: OpenLake, *, most: int | None = None) -> pl.DataFrame:
    """The k algorithms whose VBS has the least mean cost, for each k up to ``most``.

    One row per protocol, scenario, measure and k: the algorithms, the mean cost of
    their VBS, which share of the gap it closes (0 = the best single algorithm by mean
    cost, 1 = VBS of all; null where both are equal), whether that is proven to be the
    best, and the greedy portfolio with its cost and what it loses (``greedy_loss``,
    points of the closed gap). n counts instances; ``n_left_out`` algorithms without a
    cost on some instance, which no portfolio has. Measures of quality take part too.

    Source: see ``best_portfolios``.
    """
    if most is not None and most < 1:
        raise AslibError(f"{most} algorithms are not at least one")
    frame = lake.ask("bootstrap_runs")
    keys = ["scenario_id", "measure", "protocol"]
    rows: list[dict[str, Any]] = []
    chosen = frame.filter(pl.col("kind") == "algorithm")
    for part in chosen.partition_by(keys, maintain_order=True):
        first = part.row(0, named=True)
        about = {key: first[key] for key in ("protocol", "scenario_id", "measure")}
        rows += [about | row for row in _of_scenario(part, most)]
    if not rows:
        raise AslibError("no scenario has two algorithms with a cost on all instances")
    kinds: dict[str, Any] = dict.fromkeys(rows[0], pl.Float64)
    kinds |= dict.fromkeys(_TEXT, pl.String) | dict.fromkeys(_COUNTS, pl.Int64)
    return pl.DataFrame(rows, schema=kinds | {"exact": pl.Boolean})


def _of_scenario(part: pl.DataFrame, most: int | None) -> list[dict[str, Any]]:
    rows, columns = ("instance_id", "repetition"), ("solver",)
    pivoted = pivot(part, rows=rows, columns=columns)
    table = pivoted.table("cost")
    there = np.isfinite(table).all(axis=0)
    names = [str(name) for name in pivoted.columns["solver"].to_numpy()[there]]
    if len(names) < 2:  # noqa: PLR2004
        return []
    scale = binary_scale(table[:, there])  # sums of large costs would overflow
    costs = table[:, there] / scale
    found = best_portfolios(costs, most=most)
    ends = {"sbs": found[0].cost, "vbs": float(costs.min(axis=1).mean())}
    best = closed([one.cost for one in found], **ends).to_list()
    greedy = closed([one.greedy_cost for one in found], **ends).to_list()
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
            "greedy_loss": None
            if gap is None or other is None
            else max(gap - other, 0.0),
            "n_left_out": int((~there).sum()),
        }
        for k, (one, gap, other) in enumerate(
            zip(found, best, greedy, strict=True), start=1
        )
    ]


def portfolio_notes(found: pl.DataFrame) -> list[str]:
    """A sentence for each scenario: how few close nine tenths; what greedy loses.

    found: from ``portfolios``.
    """
    said = []
    by = ["scenario_id", "measure", "protocol"]
    for part in found.partition_by(by, maintain_order=True):
        first = part.row(0, named=True)
        where = f"{first['scenario_id']}, {first['protocol'].partition('@')[0]}"
        if part["closed_gap"].null_count():
            said.append(f"{where}: the best single algorithm is as good as VBS.")
            continue
        enough = part.filter(pl.col("closed_gap") >= 0.9)  # noqa: PLR2004
        one = (enough.head(1) if enough.height else part.tail(1)).row(0, named=True)
        lost = part.sort("greedy_loss", descending=True).row(0, named=True)
        best = plural(one["k"], "algorithm")
        text = f"{where}: the best {best} close {one['closed_gap']:.4g} of the gap to"
        text += " VBS, fewer less than 0.9" if enough.height else " VBS"
        text += "; greedy choice "
        text += (
            f"loses up to {lost['greedy_loss']:.4g} of it (at {lost['k']})"
            if lost["greedy_loss"] > 1e-9  # noqa: PLR2004
            else "loses nothing"
        )
        unproven = part.filter(~pl.col("exact")).height
        text += f"; {unproven} sizes are not proven" if unproven else ""
        said.append(f"{text}.")
    return said
