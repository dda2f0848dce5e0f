"""The same predictions under many definitions, as the report shows them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from aslib_eval.analysis.definitions import METRICS
from aslib_eval.metrics.ranking import kendall_tau_b
from aslib_eval.report.markup import number
from aslib_eval.report.ranks import label

if TYPE_CHECKING:
    import polars as pl

_BEST, _TIED = 8, 3
Definition = tuple[str, str]  # protocol (name@hash), metric


@dataclass(frozen=True, eq=False)
class Definitions:
    """One scenario's systems under every protocol and metric.

    protocols: name@hash, the report's own first. systems: the best first, by the
    reference. scores, places: of (protocol, metric, system), where there is one.
    n: instances that count under a protocol.
    """

    kind: str
    protocols: tuple[str, ...]
    metrics: tuple[str, ...]
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

    def ranks(self, definition: Definition) -> list[int]:
        """The place of each system, in the order of ``systems``."""
        return [self.places[*definition, system] for system in self.systems]

    def tau(self, one: Definition, other: Definition) -> float | None:
        """Kendall's tau-b of two rankings; None where one holds all for equal."""
        return kendall_tau_b(self.ranks(one), second=self.ranks(other))

    def winner(self, definition: Definition) -> str:
        """Who is first; those who tie stand beside each other."""
        first = [s for s in self.systems if self.places[*definition, s] == 1]
        more = f" and {len(first) - _TIED} more" if len(first) > _TIED else ""
        return " = ".join(first[:_TIED]) + more

    @cached_property
    def winners(self) -> list[tuple[str, int]]:
        """Winner → under how many definitions, the most frequent first."""
        often = Counter(self.winner(d) for d in self.whole)
        return sorted(often.items(), key=lambda item: (-item[1], item[0]))

    def gaps(self, system: str) -> dict[str, float]:
        """Protocol → closed gap, where the system has one."""
        held = {p: self.scores.get((p, "closed_gap", system)) for p in self.protocols}
        return {p: gap for p, gap in held.items() if gap is not None}

    @cached_property
    def taus(self) -> list[tuple[float, Definition]]:
        """Agreement of every other definition with the reference, the least first."""
        found = [(self.tau(self.whole[0], d), d) for d in self.whole[1:]]
        return sorted((tau, d) for tau, d in found if tau is not None)

    def metric_taus(self, protocol: str) -> dict[tuple[str, str], float]:
        """Agreement of every two metrics under a protocol, where it is defined."""
        mine = [m for p, m in self.whole if p == protocol]
        pairs = [(a, b) for i, a in enumerate(mine) for b in mine[i + 1 :]]
        found = {(a, b): self.tau((protocol, a), (protocol, b)) for a, b in pairs}
        return {pair: tau for pair, tau in found.items() if tau is not None}


def definitions_of(frame: pl.DataFrame | None, *, own: str) -> Definitions | None:
    """The definitions of one scenario and measure; own: the report's protocol.

    frame: its rows of ``presets.definitions``. None if no definition ranks two systems.
    """
    if frame is None or not frame.height:
        return None
    kind = "selector" if "selector" in frame["kind"] else "algorithm"
    rows = frame.filter((frame["kind"] == kind) & frame["rank"].is_not_null())
    cells = rows.select("protocol", "metric", "solver", "rank", "score", "n").rows()
    known = {cell[0] for cell in cells}
    places = {(p, m, s): rank for p, m, s, rank, _, _ in cells}
    scores = {(p, m, s): score for p, m, s, _, score, _ in cells}
    systems = sorted({cell[2] for cell in cells})
    first = next((m for m in METRICS if (own, m) in {c[:2] for c in cells}), "")
    systems.sort(key=lambda s: (places.get((own, first, s), len(systems) + 1), s))
    found = Definitions(
        kind,
        tuple(sorted(known, key=lambda p: (p != own, p))),
        METRICS,
        tuple(systems),
        scores,
        places,
        {p: n for p, _, _, _, _, n in cells},
    )
    return found if len(systems) > 1 and len(found.whole) > 1 else None


def named(definition: Definition) -> str:
    """A definition in words."""
    protocol, metric = definition
    return f"{label(metric)} under {short(protocol)}"


def short(protocol: str) -> str:
    """The name without the hash."""
    return protocol.rpartition("@")[0]


def sentence(found: Definitions) -> str:
    """Which definitions disagree most, and whether the winner changes."""
    winners, whole = found.winners, len(found.whole)
    name, often = winners[0]
    if often == whole:
        said = f"{name} is first under all {whole} definitions."
    else:
        others = "".join(f"; {w} under {n}" for w, n in winners[1:3])
        if rest := sum(n for _, n in winners[3:]):
            others += f"; others under {rest}"
        said = (
            f"The winner depends on the definition: {name} is first under {often} of "
            f"{whole}{others}."
        )
    return " ".join(filter(None, [said, _least_alike(found), _moves(found)]))


def _least_alike(found: Definitions) -> str:
    if not found.taus:
        return ""
    tau, definition = found.taus[0]
    reference = found.whole[0]
    if tau > 1 - 1e-9:
        return "All rankings agree."
    return (
        f"Least like {named(reference)} ranks {named(definition)} (Kendall's tau-b "
        f"{number(round(tau, 2))})."
    )


def _moves(found: Definitions) -> str:
    """Whose closed gap depends most on the protocol, of the best few."""
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
        f"The closed gap of {system} moves most{among}, from {number(low[0])} "
        f"({short(low[1])}) to {number(high[0])} ({short(high[1])})."
    )
