"""The curves of a sweep: of the best finely, of all others coarsely."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from aslib_eval.analysis.rounding import KNOWN
from aslib_eval.analysis.scenario_results import ScenarioResults
from aslib_eval.figures.chart import color
from aslib_eval.metrics.runs import Floats
from aslib_eval.metrics.sweeps.delta import Sweep
from aslib_eval.metrics.sweeps.penalty_cutoff import GapSweep
from aslib_eval.reports.thinning import PLACES, log_grid, thinned

MOST = 8  # curves with a colour; the others are grey
_COARSE = 100  # places over the width of a chart for these


@dataclass(frozen=True)
class Cast:
    """Who competes, the best first: the first columns; the portfolio has others."""

    facts: ScenarioResults
    kind: str
    names: list[str]
    columns: list[int]
    portfolio: tuple[int, ...]

    @property
    def best(self) -> list[str]:
        """Those with a colour, whose exchanges of places are marked."""
        return self.names[:MOST]

    def color(self, place: int) -> str:
        """Selectors have one colour in all charts, algorithms by their rank."""
        if place >= MOST:
            return "muted"
        by_name = self.kind == "selector" and len(self.names) <= MOST
        return color(sorted(self.names).index(self.names[place]) if by_name else place)


def curves(
    cast: Cast, whole: Sweep, gaps: GapSweep | None, low: float, high: float
) -> list[tuple[Floats, Floats]]:
    """(values, scores) of everyone: of the best finely, of the others coarsely."""
    fine = [PLACES if i < MOST else _COARSE for i in range(len(cast.names))]
    if gaps is None:
        return [
            thinned(c.starts, c.intercepts, low=low, high=high, places=places)
            for c, places in zip(whole.curves, fine, strict=False)
        ]
    held = {}
    for places in set(fine):
        x = log_grid(low, high, places=places)
        held[places] = x, gaps_at(cast, gaps, x)
    return [(held[p][0], held[p][1][:, i]) for i, p in enumerate(fine)]


def gaps_at(cast: Cast, gaps: GapSweep, at: Floats) -> Floats:
    """(n_values, n_solvers) closed gaps without rounding, nan where there is none."""
    found = np.array(gaps.gaps(at).to_list(), dtype=float).reshape(len(at), -1)
    return np.where(np.abs(found) <= KNOWN * cast.facts.gap_size, 0.0, found)


def stretches(
    x: Floats, y: Floats, *, bottom: float, coarse: bool
) -> list[list[list[float]]]:
    """The parts of a curve that the chart has room for; coarse: in fewer digits."""
    found: list[list[list[float]]] = [[]]
    for a, b in zip(x.tolist(), y.tolist(), strict=True):
        if not np.isfinite(b) or b < bottom:
            found += [[]] if found[-1] else []
        else:
            found[-1].append([float(f"{v:.5g}") for v in (a, b)] if coarse else [a, b])
    return [points for points in found if points]
