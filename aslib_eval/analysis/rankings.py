"""Rankings of a scenario's systems under many definitions, for the report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import polars as pl

from aslib_eval.database.open_lake import OpenLake
from aslib_eval.database.sqlfiles import Metric
from aslib_eval.database.views import solver_metrics
from aslib_eval.metrics.ranking import kendall_tau_b

_TIED = 3
Definition = tuple[str, str]  # protocol (name@hash), metric


@dataclass(frozen=True, eq=False)
class Definitions:
    """One scenario's systems under every protocol and metric.

    protocols: name@hash, the report's own first. metrics: those that sweeps show. systems: the best first,
    by the reference. scores, places: of (protocol, metric, system), where there is one. n: instances that
    count under a protocol.
    """

    kind: str
    protocols: tuple[str, ...]
    metrics: Mapping[str, Metric]
    systems: tuple[str, ...]
    scores: Mapping[tuple[str, str, str], float]
    places: Mapping[tuple[str, str, str], int]
    n: Mapping[str, int]

    @cached_property
    def whole(self) -> tuple[Definition, ...]:
        """The definitions that rank every system; the first is the reference."""
        return tuple(
            (protocol, metric)
            for protocol in self.protocols
            for metric in self.metrics
            if all((protocol, metric, s) in self.places for s in self.systems)
        )

    @property
    def used(self) -> tuple[str, ...]:
        """The metrics that rank every system under some protocol."""
        return tuple(m for m in self.metrics if any(m == d[1] for d in self.whole))

    def label(self, metric: str) -> str:
        """A metric as readers know it."""
        return self.metrics[metric].label

    def named(self, definition: Definition) -> str:
        """A definition in words."""
        protocol, metric = definition
        return f"{self.label(metric)} under {short(protocol)}"

    def ranks(self, definition: Definition) -> list[int]:
        """Rank of each system, in the order of ``systems``."""
        return [self.places[*definition, system] for system in self.systems]

    def tau(self, one: Definition, other: Definition) -> float | None:
        """Kendall's tau-b of two rankings; None where one ties all systems."""
        return kendall_tau_b(self.ranks(one), second=self.ranks(other))

    def first(self, definition: Definition) -> list[str]:
        """The systems of rank 1: several if they tie."""
        return [s for s in self.systems if self.places[*definition, s] == 1]

    def agrees(self, definition: Definition) -> bool:
        """True if a system first by the reference is first here, alone or tied."""
        return not set(self.first(self.whole[0])).isdisjoint(self.first(definition))

    def winner(self, definition: Definition) -> str:
        """The system of rank 1; tied ones are joined by =."""
        first = self.first(definition)
        more = f" and {len(first) - _TIED} more" if len(first) > _TIED else ""
        return " = ".join(first[:_TIED]) + more

    @cached_property
    def winners(self) -> list[tuple[str, int]]:
        """Each winner and its number of definitions, the most frequent first.

        A tie for first with the reference's winner counts for that winner.
        """
        own = self.whole[0]
        often = Counter(self.winner(own if self.agrees(d) else d) for d in self.whole)
        return sorted(often.items(), key=lambda item: (-item[1], item[0]))

    def gaps(self, system: str) -> dict[str, float]:
        """Closed gap of a system by protocol, where it has one."""
        gaps = {p: self.scores.get((p, "closed_gap", system)) for p in self.protocols}
        return {p: gap for p, gap in gaps.items() if gap is not None}

    def discriminates(self, definition: Definition) -> bool:
        """True if a definition does not tie all systems."""
        return len(self.first(definition)) < len(self.systems)

    @property
    def level(self) -> bool:
        """True if every definition ties all systems."""
        return not any(map(self.discriminates, self.whole))

    @property
    def shared(self) -> int:
        """Number of definitions under which the reference winner ties for first."""
        own = len(self.first(self.whole[0]))
        return sum(self.agrees(d) and len(self.first(d)) > 1 for d in self.whole if own == 1)

    @cached_property
    def taus(self) -> list[tuple[float, Definition]]:
        """Agreement of every other definition with the reference, the least first."""
        found = [(self.tau(self.whole[0], d), d) for d in self.whole[1:]]
        return sorted((tau, d) for tau, d in found if tau is not None)

    def metric_taus(self, protocol: str) -> dict[tuple[str, str], float]:
        """Agreement of every two metrics, by label, where it is defined."""
        mine = [m for p, m in self.whole if p == protocol]
        pairs = [(a, b) for i, a in enumerate(mine) for b in mine[i + 1 :]]
        found = {(self.label(a), self.label(b)): self.tau((protocol, a), (protocol, b)) for a, b in pairs}
        return {pair: tau for pair, tau in found.items() if tau is not None}


def definitions_of(
    frame: pl.DataFrame | None, *, own: str, metrics: Mapping[str, Metric] | None = None
) -> Definitions | None:
    """The definitions of one scenario and measure; own: the report's protocol.

    frame: its rows of ``preset_ranks``. metrics: of the lake; None = those that
    come with the package. None if no definition ranks two systems.
    """
    if frame is None or not frame.height:
        return None
    kind = "selector" if "selector" in frame["kind"] else "algorithm"
    rows = frame.filter((frame["kind"] == kind) & frame["rank"].is_not_null())
    cells = rows.select("protocol", "metric", "solver", "rank", "score", "n").rows()
    protocols = {cell[0] for cell in cells}
    places = {(p, m, s): rank for p, m, s, rank, _, _ in cells}
    scores = {(p, m, s): score for p, m, s, _, score, _ in cells}
    systems = sorted({cell[2] for cell in cells})
    if metrics is None:
        metrics = solver_metrics()
    swept = {name: metric for name, metric in metrics.items() if metric.swept}
    first = next((m for m in swept if (own, m) in {c[:2] for c in cells}), "")
    systems.sort(key=lambda s: (places.get((own, first, s), len(systems) + 1), s))
    found = Definitions(
        kind,
        tuple(sorted(protocols, key=lambda p: (p != own, p))),
        swept,
        tuple(systems),
        scores,
        places,
        {p: n for p, _, _, _, _, n in cells},
    )
    return found if len(systems) > 1 and len(found.whole) > 1 else None


def short(protocol: str) -> str:
    """The name without the hash."""
    return protocol.partition("@")[0]


def ranks(lake: OpenLake) -> pl.DataFrame:
    """Score and rank of every system under all protocols of an open lake.

    One row per protocol (name@hash), scenario, measure, metric and solver: kind, n, score, rank. Selectors
    where a scenario has any, else its algorithms.
    """
    frame = lake.ask("definition_rank", {"kind": None})
    plain = frame.with_columns(pl.col(pl.Categorical, pl.Enum).cast(pl.String))
    # A gap is exact to about 12 digits: smaller differences are ties.
    gap = pl.when(pl.col("metric") == "closed_gap").then(pl.col("score").round(12))
    return plain.with_columns(gap.otherwise(pl.col("score")).alias("score"))
