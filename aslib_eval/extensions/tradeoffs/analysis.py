"""Scenarios with two measures: the curves, and where each solver stands between them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from aslib_eval.analysis.runs import pivot
from aslib_eval.database.open_lake import OpenLake
from aslib_eval.extensions.tradeoffs import metrics
from aslib_eval.metrics.scale import Floats
from aslib_eval.text import plural

_NOTHING = 1e-9  # a gap that is 0 but for rounding
_KEY = ("protocol", "scenario_id", "measure")
_GAPS = (
    *("price", "quality", "baseline", "vbs", "gap", "lower", "upper"),
    *("area", "area_lower", "area_upper", "aiq", "gap_at_budget"),
)
_CURVE: dict[str, type[pl.DataType]] = {"kind": pl.String, "price": pl.Float64, "quality": pl.Float64}
_CURVE_ROWS = pl.DataFrame(schema={**dict.fromkeys(_KEY, pl.String), **_CURVE})
_GAP_ROWS = pl.DataFrame(
    schema={
        **dict.fromkeys((*_KEY, "second", "kind", "solver"), pl.String),
        **dict.fromkeys(_GAPS, pl.Float64),
        "reason": pl.String,
    }
)


@dataclass(frozen=True, eq=False)
class Tradeoff:
    """A measure with a second one under a protocol.

    protocol: name@hash. second: name of the second measure. budget: the protocol's second_budget.
    solvers: kind and name, the ``n_single`` algorithms first. quality, price: (n_instances, n_solvers) of
    the first measure, turned so that more is better, and of the second, turned so that less is; nan where
    one is not known. unknown: why no selector has a feature cost.
    """

    protocol: str
    scenario_id: str
    measure: str
    second: str
    budget: float | None
    solvers: tuple[tuple[str, str], ...]
    n_single: int
    quality: Floats
    price: Floats
    unknown: str | None = None

    @cached_property
    def baseline(self) -> metrics.Curve:
        """The best mixture of algorithms at each price."""
        return metrics.baseline_curve(self.quality[:, : self.n_single], self.price[:, : self.n_single])

    @cached_property
    def vbs(self) -> metrics.Curve:
        """The virtual best at each price."""
        return metrics.straightened(
            metrics.vbs_curve(self.quality[:, : self.n_single], self.price[:, : self.n_single])
        )

    def gaps(self, *, confidence: float = 0.95) -> pl.DataFrame:
        """The relation ``budget_gap`` of this measure: a row for each algorithm and selector.

        Columns: protocol, scenario_id, measure, second, kind, solver; the mean ``price`` and ``quality``;
        what ``baseline`` and ``vbs`` reach at this price; ``gap`` with ``lower`` and ``upper``, see
        ``budget_gap`` and ``gap_intervals``; ``area`` with its interval, see ``gap_areas``; ``aiq``, the
        mean quality of its mixtures with algorithms from the cheapest to the dearest algorithm's price;
        ``gap_at_budget``, its quality between the two curves at the protocol's second_budget, where its
        price is within that; ``reason``, why ``gap`` is null, or its interval.
        """
        quality, price = self.quality.mean(axis=0), self.price.mean(axis=0)
        ends = metrics.gap_intervals(
            self.quality, self.price, n_single=self.n_single, confidence=confidence
        )
        budget = np.nan if self.budget is None else np.where(price <= self.budget, self.budget, np.nan)
        values = (
            *(price, quality, metrics.value_at(self.baseline, price), metrics.value_at(self.vbs, price)),
            *(metrics.budget_gap(quality, price, self.baseline, self.vbs), ends.lower, ends.upper),
            *(metrics.gap_areas(quality, price, self.baseline, self.vbs), ends.area_lower, ends.area_upper),
            *(self._aiq(quality, price), metrics.budget_gap(quality, budget, self.baseline, self.vbs)),
        )
        kinds, names = zip(*self.solvers, strict=True)
        columns: dict[str, Any] = {"kind": kinds, "solver": names, **dict(zip(_GAPS, values, strict=True))}
        found = pl.DataFrame(columns).with_columns(pl.col(_GAPS).fill_nan(None))
        why = [self._reason(row) for row in found.to_dicts()]
        labels = [pl.lit(getattr(self, name)).alias(name) for name in (*_KEY, "second")]
        return found.select(*labels, pl.all(), pl.Series("reason", why, pl.String))

    def curves(self) -> pl.DataFrame:
        """The relation ``tradeoff_curve`` of this measure: a row for each vertex of both curves."""
        parts = [
            pl.DataFrame({"kind": [kind] * len(curve.price), **curve._asdict()}, schema=_CURVE)
            for kind, curve in (("baseline", self.baseline), ("vbs", self.vbs))
        ]
        labels = [pl.lit(getattr(self, name)).alias(name) for name in _KEY]
        return pl.concat(parts).select(*labels, pl.all())

    def _aiq(self, quality: Floats, price: Floats) -> Floats:
        singles = price[: self.n_single][np.isfinite(price[: self.n_single])]
        found = np.full(len(price), np.nan)
        for at in np.flatnonzero(np.isfinite(price) & np.isfinite(quality)) if len(singles) else ():
            curve = metrics.with_solver(quality[at], price[at], self.baseline)
            found[at] = metrics.mean_quality(curve, singles.min(), singles.max())
        return found

    def _reason(self, row: dict[str, Any]) -> str | None:
        at, n = self.solvers.index((row["kind"], row["solver"])), len(self.price)
        lacking = {
            name: f"{int(np.isnan(values[:, at]).sum())} of {plural(n, 'instance')} have no {what}"
            for name, values, what in (
                ("price", self.price, self.second),
                ("quality", self.quality, self.measure),
            )
        }
        why = lacking | {
            "baseline": "the solver is cheaper than every algorithm"
            if len(self.baseline.price)
            else f"no algorithm has a {self.second} on every instance",
            "gap": "at this price, a mixture of algorithms is as good as VBS",
            "lower": "no interval: the solver is itself the best mixture at its price"
            if abs(row["gap"] or 0.0) < _NOTHING
            else "no interval: on these instances, VBS may be no better than mixtures at this price",
        }
        if self.unknown:
            why["price"] = self.unknown
        return next((said for name, said in why.items() if row[name] is None), None)


def tradeoffs(lake: OpenLake, *, scenario: str | None = None) -> Iterator[Tradeoff]:
    """Every measure with a second one that the protocols choose.

    scenario: of this scenario alone.
    """
    for protocol, scenario_id, measure, second, budget, unknown in lake.rows("tradeoff_measures"):
        if scenario not in (None, scenario_id):
            continue
        key = {"protocol": protocol, "scenario": scenario_id, "measure": measure}
        frame = lake.ask("tradeoff_values", key)
        wide = pivot(frame, rows=("instance_id", "repetition"), columns=("kind", "solver"))
        order = wide.columns.with_row_index("at").sort("kind", "solver")
        at = order["at"].to_numpy()
        yield Tradeoff(
            *(protocol, scenario_id, measure, second, budget),
            solvers=tuple(order.select("kind", "solver").rows()),
            n_single=order.filter(kind="algorithm").height,
            quality=wide.table("quality")[:, at],
            price=wide.table("price")[:, at],
            unknown=unknown,
        )


def budget_gaps(lake: OpenLake) -> pl.DataFrame:
    """Relation ``budget_gap``: see ``Tradeoff.gaps``, with confidence 0.95."""
    return pl.concat([_GAP_ROWS, *(each.gaps() for each in tradeoffs(lake))])


def tradeoff_curves(lake: OpenLake) -> pl.DataFrame:
    """Relation ``tradeoff_curve``: the vertices of ``baseline`` and ``vbs`` in order of price.

    Columns: protocol, scenario_id, measure, kind, price, quality, which is turned so that more is better. A
    curve is straight between its vertices, constant after the last, and undefined before the first.
    """
    return pl.concat([_CURVE_ROWS, *(each.curves() for each in tradeoffs(lake))])
