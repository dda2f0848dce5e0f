"""Marginal contributions and Shapley values, for ``score --contribution``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aslib_eval.analysis.runs import KINDS, Group, groups
from aslib_eval.errors import AslibError

if TYPE_CHECKING:
    import duckdb
    import polars as pl


def contributions(con: duckdb.DuckDBPyConnection) -> pl.DataFrame:
    """Contribution of each solver to the portfolio of its kind.

    One row per protocol, scenario, measure and solver: VBS without it, absolute and
    relative marginal contribution (``amc``, ``rmc``), and its Shapley value, all of the
    cost; the empty portfolio times out everywhere. Runtime measures of at least two
    solvers only.

    Source: Amadini et al. 2023, section 2.2.
    """
    import polars as pl

    choices = con.sql("select protocol, penalty from protocol").fetchall()
    parts = [
        _contribution(group, kind, penalty)
        for protocol, penalty in choices
        for kind in KINDS
        for group in groups(con, protocol, kind=kind)
    ]
    if not parts:
        raise AslibError("no scenario has two solvers of a runtime measure")
    order = ["scenario_id", "measure", "protocol", "kind", "shapley", "solver"]
    down = [False, False, False, True, True, False]
    return pl.concat(parts).sort(order, descending=down)


def _contribution(group: Group, kind: str, penalty: float) -> pl.DataFrame:
    import polars as pl

    from aslib_eval.metrics.contribution import amc, rmc, shapley, vbs_without

    n = group.n_entrants
    costs = group.runs.par(penalty)[:, :n]
    empty = penalty * group.runs.cutoffs
    marginal = amc(costs, empty=empty)
    columns = {
        "solver": group.names[:n],
        "n": [group.n_instances] * n,
        "cost": costs.mean(axis=0),
        "vbs_without": vbs_without(costs, empty=empty),
        "amc": marginal,
        "rmc": pl.Series(rmc(marginal).to_list(), dtype=pl.Float64),
        "shapley": shapley(costs, empty=empty),
    }
    key = {
        "protocol": group.protocol,
        "scenario_id": group.scenario_id,
        "measure": group.measure,
        "kind": kind,
    }
    named = (pl.lit(value).alias(name) for name, value in key.items())
    return pl.DataFrame(columns).select(*named, pl.all())
