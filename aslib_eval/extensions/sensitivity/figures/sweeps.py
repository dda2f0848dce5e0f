"""Borda over delta, closed gap over penalty or cutoff: exact curves, with reversals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from aslib_eval.analysis.scenario_results import ScenarioResults
from aslib_eval.errors import AslibError
from aslib_eval.figures.chart import Chart, Dots, Line, Linear, Logarithmic
from aslib_eval.figures.palette import Look, look
from aslib_eval.metrics.runs import Floats
from aslib_eval.metrics.sweeps.curves import PLACES, log_grid, thinned
from aslib_eval.metrics.sweeps.delta import Reversal, Sweep, delta_sweep
from aslib_eval.metrics.sweeps.gaps import GapSweep, cutoff_sweep, penalty_sweep
from aslib_eval.text import KNOWN, comparable, number

ROWS = 200  # reversals that the table of the report holds
LARGEST = 10  # exchanges of a parameter that are pointed out
_DOTS = 400
MOST = {"selector": 16, "algorithm": 8}  # curves with a colour; the others are grey
_COARSE = 100  # places over the width of a chart for these
ABOUT = {
    "delta": "Borda score if times that differ by at most delta count as equal",
    "penalty": "Closed gap with a penalty of k cutoffs for an unsolved instance",
    "cutoff": "Closed gap if the cutoff had been lower",
}


@dataclass(frozen=True)
class LineUp:
    """Who competes, the best first: the first columns; the portfolio has others."""

    results: ScenarioResults
    kind: str
    names: list[str]
    columns: list[int]
    portfolio: tuple[int, ...]

    @property
    def best(self) -> list[str]:
        """Those with a colour, whose exchanges of places are marked."""
        return self.names[: MOST[self.kind]]

    def look(self, at: int) -> Look:
        """How one of them is drawn: the best as in all charts, the others in grey."""
        if at >= len(self.best):
            return Look("muted", "circle", None)
        return look(self.results.shown_places[self.kind, self.names[at]])


@dataclass(frozen=True, eq=False)
class Swept:
    """A sweep of a parameter over a line-up.

    sweep: of the best alone. whole: of all. gaps: what they have in the portfolio;
    None where the sweep is of Borda scores.
    """

    lineup: LineUp
    sweep: Sweep
    whole: Sweep
    gaps: GapSweep | None


def sweep_delta(results: ScenarioResults) -> Chart | None:
    """Borda scores over delta; None without times of two who compete."""
    return _of(results, "delta")


def sweep_penalty(results: ScenarioResults) -> Chart | None:
    """Closed gaps over the penalty k; None without times of two who compete."""
    return _of(results, "penalty")


def sweep_cutoff(results: ScenarioResults) -> Chart | None:
    """Closed gaps over the cutoff; None without times of two who compete."""
    return _of(results, "cutoff")


def _of(results: ScenarioResults, parameter: str) -> Chart | None:
    found = line_up(results)
    if found is None or results.hopeless:
        return None
    try:
        return sweep_chart(swept(found, parameter))
    except AslibError:
        return None


def line_up(results: ScenarioResults) -> LineUp | None:
    """Who is swept: the selectors, or the algorithms without any; None if not two.

    It takes a runtime, and a cost of everyone on every instance.
    """
    matrix = results.complete
    if matrix is None or not results.timed:
        return None
    algorithms = matrix.columns("algorithm")
    kind = "selector" if matrix.columns("selector") else "algorithm"
    order = results.frames["score"].filter(results.frames["score"]["kind"] == kind)
    names = order["solver"].to_list()
    if len(names) < 2:  # noqa: PLR2004
        return None
    entrants = [matrix.number(kind, name) for name in names]
    others = [c for c in algorithms if c not in entrants]
    columns = entrants + others
    portfolio = tuple(i for i, c in enumerate(columns) if c in set(algorithms))
    return LineUp(results, kind, names, columns, portfolio)


def swept(lineup: LineUp, parameter: str) -> Swept:
    """Sweep one of the parameters of ABOUT."""
    gaps = None
    if parameter == "delta":
        relative = lineup.results.choices["borda_delta_kind"] == "relative"
        entrants = lineup.results.runs(lineup.columns[: len(lineup.names)])
        whole = delta_sweep(entrants, relative=relative)
    else:
        gaps = _gap_sweep(lineup, parameter)
        whole = gaps.scores
    exact, up = whole.curves[: len(lineup.best)], whole.higher_is_better
    tolerance = whole.tolerance
    own = Sweep(parameter, exact, higher_is_better=up, tolerance=tolerance)
    return Swept(lineup, own, whole, gaps)


def _gap_sweep(lineup: LineUp, parameter: str) -> GapSweep:
    runs = lineup.results.runs(lineup.columns)
    if parameter == "penalty":
        return penalty_sweep(runs, portfolio=lineup.portfolio)
    return cutoff_sweep(
        runs,
        penalty=float(lineup.results.choices["penalty"]),
        portfolio=lineup.portfolio,
        at_cutoff=lineup.results.choices["at_cutoff"],
    )


def sweep_chart(found: Swept) -> Chart:
    """The curves of all, and a dot where two of the best exchange places.

    The largest exchanges have larger dots. Without any score there is nothing to draw.
    """
    lineup, sweep, gaps = found.lineup, found.sweep, found.gaps
    low, high = _domain(lineup, sweep)
    drawn = curves(found, low, high)
    main = set(largest(found))
    inside = [(i, r) for i, r in enumerate(sweep.reversals) if _is_inside(found, r)]
    passings = _dots(found, [r for i, r in inside if i in main])
    others = _dots(found, [r for i, r in inside if i not in main])
    seen = [v for _, y in drawn[: len(lineup.best)] for v in y[np.isfinite(y)].tolist()]
    if not seen:
        raise AslibError("at none of its values there is a gap")
    ends = [*seen, *(y for _, y, _ in [*passings, *others])]
    bottom, top = min(ends), max(ends)
    marks = [
        Line(points, name=name, color=own.color, dash=own.dash, step=gaps is None)
        for i, (name, curve) in enumerate(zip(lineup.names, drawn, strict=True))
        for own in (lineup.look(i),)
        for points in stretches(*curve, bottom=bottom, coarse=i >= len(lineup.best))
    ]
    label = "Borda" if gaps is None else "closed gap"
    return Chart(
        ABOUT[sweep.parameter],
        sweep_sentence(found),
        Logarithmic(_label(lineup, sweep.parameter), low, high, zero=gaps is None),
        Linear(label, bottom, top),
        [*marks, Dots(others, color="ink", r=1.4), Dots(passings, color="ink")],
        lineup.results.population,
        height=280,
    )


def _label(lineup: LineUp, parameter: str) -> str:
    if parameter == "penalty":
        return "k"
    relative = lineup.results.choices["borda_delta_kind"] == "relative"
    if parameter == "delta" and relative:
        return "delta (share of the smaller time)"
    return lineup.results.with_unit(parameter)


def _domain(lineup: LineUp, sweep: Sweep) -> tuple[float, float]:
    """Where the axis begins and ends; delta has a place of its own for 0."""
    if sweep.parameter == "penalty":
        return 1.0, 100.0
    cutoff = float(lineup.results.summary["cutoff"])
    finite = sweep.breakpoints[np.isfinite(sweep.breakpoints)]
    positive = finite[finite > 0]
    least = float(positive.min()) if len(positive) else cutoff / 1000
    if sweep.parameter == "cutoff":
        return max(least, cutoff / 1000), cutoff
    most = float(positive.max()) if len(positive) else cutoff
    return max(least, most / 1e5), max(most, least * 10)


def _is_inside(found: Swept, one: Reversal) -> bool:
    """Whether the chart has a place for it."""
    low, high = _domain(found.lineup, found.sweep)
    return one.at <= high and (found.gaps is None or one.at >= low)


def largest(found: Swept) -> list[int]:
    """Numbers of the LARGEST exchanges of places, the largest first.

    An exchange is as large as the smaller of two leads: the largest that one had before it, and the largest
    that the other has after it, until these two exchange again; as far as the chart reaches, at the places
    that it draws.
    """
    reversals = found.sweep.reversals
    low, high = _domain(found.lineup, found.sweep)
    at = log_grid(low, high, places=PLACES)
    scores = _scores(found, at)
    ends: dict[frozenset[int], list[int]] = {}
    for i, one in enumerate(reversals):
        ends.setdefault(frozenset((one.before, one.after)), []).append(i)
    sizes: dict[int, float] = {}
    for pair, own in ends.items():
        first, second = sorted(pair)
        lead = np.abs(scores[:, first] - scores[:, second])
        moments = [-np.inf, *(reversals[i].at for i in own), np.inf]
        leads = [float(np.nanmax(lead[(at >= a) & (at < b)], initial=0.0)) for a, b in pairwise(moments)]
        sizes |= {i: min(two) for i, two in zip(own, pairwise(leads), strict=True)}
    return sorted(sizes, key=lambda i: (-comparable(sizes[i]), i))[:LARGEST]


def _scores(found: Swept, at: Floats) -> Floats:
    """(n_values, n_best) scores of the best."""
    if found.gaps is None:
        return np.asarray(found.sweep.scores(at))
    return gaps_at(found.lineup, found.gaps, at)


def _dots(found: Swept, inside: Sequence[Reversal]) -> list[list[Any]]:
    """A dot where two exchange places, at the score of the one that gets ahead."""
    lineup = found.lineup
    inside = inside[:: max(1, -(-len(inside) // _DOTS))]
    if not inside:
        return []
    at = np.array([r.at for r in inside])
    scores = _scores(found, at)
    return [
        [r.at, float(scores[i, r.after]), _passing(lineup, r)]
        for i, r in enumerate(inside)
        if np.isfinite(scores[i, r.after])
    ]


def _passing(lineup: LineUp, found: Reversal) -> str:
    pair = f"{lineup.names[found.after]} is before {lineup.names[found.before]}"
    return f"from {number(found.at)} on {pair}"


def _who(lineup: LineUp) -> str:
    n = len(lineup.best)
    return f"the best {n}" if len(lineup.names) > n else f"the {n} {lineup.kind}s"


def sweep_sentence(found: Swept) -> str:
    """How often places are exchanged among the best, and where first."""
    lineup, sweep = found.lineup, found.sweep
    n = len(sweep.reversals)
    if not n:
        return f"No two of {_who(lineup)} ever exchange places."
    first, times = sweep.reversals[0], f"{n} times" if n > 1 else "once"
    words = f"Among {_who(lineup)} places are exchanged {times}"
    if n > ROWS:
        words += f" (the tables have the largest {LARGEST} and the first {ROWS})"
    pair = f"{lineup.names[first.after]} passes {lineup.names[first.before]}"
    return f"{words}, first at {number(first.at)}, where {pair}."


def curves(found: Swept, low: float, high: float) -> list[tuple[Floats, Floats]]:
    """(values, scores) of everyone: of the best finely, of the others coarsely."""
    lineup, whole, gaps = found.lineup, found.whole, found.gaps
    fine = [PLACES if i < len(lineup.best) else _COARSE for i in range(len(lineup.names))]
    if gaps is None:
        return [
            thinned(c.starts, c.intercepts, low=low, high=high, places=places)
            for c, places in zip(whole.curves, fine, strict=False)
        ]
    present = {}
    for places in set(fine):
        x = log_grid(low, high, places=places)
        present[places] = x, gaps_at(lineup, gaps, x)
    return [(present[p][0], present[p][1][:, i]) for i, p in enumerate(fine)]


def gaps_at(lineup: LineUp, gaps: GapSweep, at: Floats) -> Floats:
    """(n_values, n_solvers) closed gaps without rounding, nan where there is none."""
    found = np.array(gaps.gaps(at).to_list(), dtype=float).reshape(len(at), -1)
    return np.where(np.abs(found) <= KNOWN * lineup.results.gap_size, 0.0, found)


def stretches(x: Floats, y: Floats, *, bottom: float, coarse: bool) -> list[list[list[float]]]:
    """The parts of a curve that the chart has room for; coarse: in fewer digits."""
    found: list[list[list[float]]] = [[]]
    for a, b in zip(x.tolist(), y.tolist(), strict=True):
        if not np.isfinite(b) or b < bottom:
            found += [[]] if found[-1] else []
        else:
            found[-1].append([float(f"{v:.5g}") for v in (a, b)] if coarse else [a, b])
    return [points for points in found if points]
