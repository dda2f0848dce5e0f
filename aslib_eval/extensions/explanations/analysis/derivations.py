"""A number down to the instances and runs that weigh most in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from aslib_eval.database.metrics import metrics_over
from aslib_eval.database.open_lake import OpenLake
from aslib_eval.database.protocol import Protocol
from aslib_eval.errors import AslibError
from aslib_eval.extensions.explanations.analysis.protocol_values import GAPS, kind_of, relation_of
from aslib_eval.text import number

WEIGHTIEST = 10


@dataclass(frozen=True, eq=False)
class Derivation:
    """The way from a number of ours down to its runs.

    frame: one row per instance that weighs most, the weightiest first: what the solver ran (``ran``: steps
    with their times), ``solved``, its ``cost``, that of the single best algorithm (``sbs``, ``sbs_cost``)
    and of the best (``vbs``, ``vbs_cost``), and ``part``. parts: what ``part`` is a part of. n: instances
    that count. baselines: mean costs of SBS and VBS, and who SBS is. cost: of the solver. total: of all
    parts; null where an instance has none. shown: of those in the frame.
    """

    scenario_id: str
    measure: str
    solver: str
    metric: str
    protocol: Protocol
    value: float | None
    n: int
    cost: float | None
    baselines: Mapping[str, Any]
    parts: str
    total: float | None
    shown: float | None
    frame: pl.DataFrame

    @property
    def notes(self) -> list[str]:
        """The number, its definition and its ends, in sentences."""
        b = self.baselines
        what = f"{self.metric} of {self.solver} on {self.scenario_id} ({self.measure})"
        said = [
            f"{what} is {number(self.value)} under {self.protocol.tag}, n = {self.n}.",
            f"The protocol: {self.protocol.words}.",
            (
                f"Mean cost: VBS {number(b['vbs_cost'])}, {self.solver}"
                f" {number(self.cost)}, SBS {b['sbs']} {number(b['sbs_cost'])}"
                " (chosen on all instances)."
            ),
        ]
        if self.total is None:
            words = f"It is no sum over instances; shown is {self.parts}."
            return [*said, words]
        n = self.frame.height
        of = f"These {n} instances make" if n > 1 else "This instance makes"
        sums = f"{number(self.shown)} of {number(self.total)}"
        return [*said, f"{of} {sums} of {self.parts}."]


def derive(
    lake: OpenLake,
    solver: str,
    *,
    metric: str = "closed_gap",
    kind: str | None = None,
    most: int = WEIGHTIEST,
) -> Derivation:
    """The way from a number down to the instances and runs that weigh most in it.

    lake: opened on one scenario, under one protocol.
    The parts of a gap are (SBS - solver) / (n (SBS - VBS)) of each instance; over folds each has its own
    SBS and n, and the folds are averaged. They sum to the closed gap. The parts of the mean of a value of
    instances (PARk, cost, share solved) are value / n. Of other metrics, and of medians and geometric means
    of gaps, the cost above VBS is shown instead. most: how many instances.
    """
    (base,) = lake.protocols
    (scenario_id,) = lake.scenarios
    kind = kind_of(lake, solver, kind)
    relation = relation_of(lake, metric)
    runs = lake.ask("explained_runs", {"solver": solver, "kind": kind})
    measure = runs["measure"].unique().sort()[0] if runs.height else base.measures
    of_one = {"solver": solver, "kind": kind, "measure": measure}
    scored = "from solver_score where solver = $solver and kind = $kind"
    sql = f"select cost, n_instances {scored} and measure = $measure"
    found = lake.rows(sql, of_one)
    if not found:
        hint = "Does any instance count under this protocol?"
        raise AslibError(f"{solver} has no value", scenario_id, hint)
    ((cost, n),) = found
    scored = f"from {relation} where solver = $solver and kind = $kind"
    sql = f"select {metric} {scored} and measure = $measure"
    values = lake.rows(sql, of_one)
    value = values[0][0] if values else None
    sql = "select sbs, sbs_cost, vbs_cost from scenario_baseline where measure = $m"
    ((sbs, sbs_cost, vbs_cost),) = lake.rows(sql, {"m": measure})
    runs = runs.filter(pl.col("measure") == measure)
    part, parts = _part(runs, metric, relation)
    weighed = runs.with_columns(part.alias("part"))
    total = None if weighed["part"].null_count() else float(weighed["part"].sum())
    if total is None:
        above = (pl.col("cost") - pl.col("vbs_cost")) / pl.len()
        weighed = weighed.with_columns(above.alias("part"))
        parts = "the cost above VBS, each over n"
    by = [pl.col("part").abs(), "instance_id", "repetition"]
    top = weighed.sort(by, descending=[True, False, False], nulls_last=True).head(most)
    about = {
        "protocol": base.tag,
        "scenario_id": scenario_id,
        "measure": measure,
        "solver": solver,
        "metric": metric,
    }
    columns = ("cost", "sbs", "sbs_cost", "vbs", "vbs_cost", "part")
    frame = top.select(
        *(pl.lit(v).alias(k) for k, v in about.items()),
        pl.col("instance_id").cast(pl.String),
        "repetition",
        pl.coalesce("ran", pl.lit(solver)).alias("ran"),
        "solved",
        *columns,
    )
    if frame["repetition"].n_unique() < 2:  # noqa: PLR2004 - they are one
        frame = frame.drop("repetition")
    ends = {"sbs": sbs, "sbs_cost": sbs_cost, "vbs_cost": vbs_cost}
    shown = None if total is None else float(top["part"].sum())
    return Derivation(
        *(scenario_id, measure, solver, metric, base, value, n, cost),
        baselines=ends,
        parts=parts,
        total=total,
        shown=shown,
        frame=frame,
    )


def _part(runs: pl.DataFrame, metric: str, relation: str) -> tuple[pl.Expr, str]:
    """Each instance's part, and of what."""
    if metric in metrics_over("instances") and metric in runs.columns:
        return pl.col(metric) / pl.len(), f"the mean {metric}"
    if relation == GAPS:
        return pl.col("gap_part"), "the closed gap"
    return pl.lit(None, dtype=pl.Float64), ""
