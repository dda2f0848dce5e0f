"""Curves over a parameter, and maps of how alike definitions rank."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from aslib_eval.analysis.results import Definition, Definitions, ScenarioResults, SuiteResults, short
from aslib_eval.errors import AslibError
from aslib_eval.extensions.sensitivity.analysis import BORDA, gap_sweep, is_pairwise, missing
from aslib_eval.figures.catalogue import FigureEntry
from aslib_eval.figures.chart import (
    FAINTEST,
    Band,
    Boxes,
    Chart,
    Dots,
    Line,
    Linear,
    Logarithmic,
    Look,
    Mark,
    Rule,
    diverging_scale,
    gap_axis,
    look,
)
from aslib_eval.metrics.scale import Floats
from aslib_eval.metrics.sweeps import PLACES, GapSweep, Reversal, Sweep, delta_sweep, log_grid, thinned
from aslib_eval.text import KNOWN, comparable, number, plural

_SIZE: Mapping[str, Any] = {"row_height": 26, "max_width": 760}


def definitions_like(results: ScenarioResults) -> Chart | None:
    """Metric by protocol: how like the reference it ranks, and who is first.

    None where all systems tie under every definition, or fewer than two are ranked.
    """
    found = results.definitions
    return None if found is None or found.level else like_map(found)


def like_map(found: Definitions) -> Chart:
    """Metric by protocol: how like the reference it ranks; a dot where others win."""
    columns = [p for p in found.protocols if any(p == d[0] for d in found.whole)]
    cells, blank, changed = [], [], []
    for y, metric in enumerate(found.used):
        for x, protocol in enumerate(columns):
            definition = protocol, metric
            if definition not in found.whole:
                why = BORDA if is_pairwise(found, definition) else "not everyone has a score"
                blank.append([*_cell(x, y, None, f"{found.named(definition)}: {why}")[:-1], 0])
                continue
            tau = found.tau(found.whole[0], definition)
            cells.append(_cell(x, y, tau, _tells(found, definition, tau)))
            if not found.agrees(definition):
                changed.append([x, y, _tells(found, definition, tau)])
    about = _about_agreement(found, len(changed))
    others = Dots(changed, name="another is first", color="ink", r=3)
    marks: list[Mark] = [Boxes(cells), Boxes(blank), others, *diverging_scale()]
    title, names = ("How alike the definitions rank", [found.label(m) for m in found.used])
    across, down = Band([short(p) for p in columns]), Band(names)
    return Chart(title, about, across, down, marks, **_SIZE)


def definitions_tau(results: ScenarioResults) -> Chart | None:
    """Kendall's tau-b of every two metrics under the report's own protocol.

    None where all systems tie under every definition, or fewer than two are ranked.
    """
    found, protocol = results.definitions, results.protocol
    if found is None or found.level:
        return None
    n = found.n.get(protocol, 0)
    return _tau_map(
        found.metric_taus(protocol), f"{len(found.systems)} {found.kind}s, n = {n} · protocol {protocol}"
    )


def suite_tau(suite: SuiteResults) -> Chart | None:
    """Kendall's tau-b of every two metrics, mean over the scenarios.

    None if nowhere two systems compete.
    """
    n = plural(len(suite.defined), "scenario")
    return _tau_map(suite.mean_taus, f"mean over up to {n} · protocol {suite.protocol}")


def _about_agreement(found: Definitions, changed: int) -> str:
    words = (
        f"Compared with {found.named(found.whole[0])}: blue is a similar ranking, red a "
        f"reversed one; a dot means that another {found.kind} is first "
        f"({changed} of {len(found.whole)})."
    )
    if not all(map(found.discriminates, found.whole)):
        words += " Grey: all tied."
    why = missing(found)
    return f"{words} Empty: {why}." if why else words


def _tells(found: Definitions, definition: Definition, tau: float | None) -> str:
    protocol, metric = definition
    words = f"first is {found.winner(definition)}"
    if not found.discriminates(definition):
        words = "all tied"
    elif tau is not None:
        words = f"tau-b {_digits(tau)}, {words}"
    return f"{found.label(metric)} under {protocol}: {words}, n = {found.n[protocol]}"


def _cell(x: int, y: int, tau: float | None, tip: str) -> list[Any]:
    """A box of a map of agreement: blue above 0, red below, stronger further off."""
    paint = "muted" if tau is None else "low" if tau >= 0 else "high"
    opacity = 0.15 if tau is None else round(max(abs(tau), FAINTEST), 3)
    return [x - 0.47, x + 0.47, y - 0.47, y + 0.47, tip, paint, opacity]


def least_alike(taus: Mapping[tuple[str, str], float]) -> str:
    """Which two metrics agree least, as a sentence."""
    least = min(taus, key=lambda pair: (taus[pair], [m.casefold() for m in pair]))
    words = f"{' and '.join(least)} agree least: tau-b {_digits(taus[least])}."
    return words[0].upper() + words[1:]


def _digits(tau: float) -> str:
    return number(round(tau, 2))


def _tau_map(taus: Mapping[tuple[str, str], float], population: str) -> Chart | None:
    """A map of the agreement of metrics, by label; None without any."""
    metrics = list(dict.fromkeys(m for pair in taus for m in pair))
    if not metrics:
        return None
    cells = [
        _cell(x, y, tau, f"{a} and {b}: tau-b {_digits(tau)}")
        for (a, b), tau in taus.items()
        for x, y in ((metrics.index(a), metrics.index(b)), (metrics.index(b), metrics.index(a)))
    ]
    return Chart(
        "Kendall's tau-b between metrics",
        f"{least_alike(taus)} Blue is alike, red is opposite.",
        Band(metrics),
        Band(metrics),
        [Boxes(cells), *diverging_scale()],
        population,
        **_SIZE,
    )


_MANY = 12


def definitions_gap(results: ScenarioResults) -> Chart | None:
    """A row a system, a dot a protocol: the spread of its closed gap.

    None where no system has one, or fewer than two are ranked.
    """
    found = results.definitions
    if found is None:
        return None
    gaps = {s: found.gaps(s) for s in found.systems}
    systems = [s for s in found.systems if gaps[s]]
    values = [gap for system in systems for gap in gaps[system].values()]
    if not values:
        return None
    about = "Each dot is a protocol; the largest dot is the report's own."
    gapless = [short(p) for p in found.protocols if not any(p in gaps[s] for s in found.systems)]
    if gapless:
        about += f" No closed gap under {', '.join(gapless)}: no fold has one."
    return Chart(
        "Closed gap of the same predictions under every protocol",
        about,
        gap_axis(values),
        Band(systems),
        [Rule(0, "SBS"), *_spans(systems, gaps), *_dots(found, systems, gaps)],
        "",
        row_height=46 if len(systems) <= _MANY else 22,
    )


def _spans(systems: list[str], gaps: Mapping[str, Mapping[str, float]]) -> list[Mark]:
    marks: list[Mark] = []
    for row, system in enumerate(systems):
        low, high, n = min(gaps[system].values()), max(gaps[system].values()), len(gaps[system])
        tip = f"{system}: closed gap from {number(low)} to {number(high)} over {n} protocols"
        marks.append(Line([[end, row, tip] for end in (low, high)], color="line", width=5))
    return marks


def _dots(found: Definitions, systems: list[str], gaps: Mapping[str, Mapping[str, float]]) -> list[Mark]:
    marks: list[Mark] = []
    for place, protocol in enumerate(found.protocols):
        own = place == 0
        # A little below each other, so that equal gaps are all seen.
        aside = 0.0 if own else round(0.72 * (place / len(found.protocols) - 0.5), 3)
        points = [
            [gap, row + aside, f"{s} under {protocol}: closed gap {number(gap)}, n = {found.n[protocol]}"]
            for row, s in enumerate(systems)
            if (gap := gaps[s].get(protocol)) is not None
        ]
        drawn = Look("ink", "circle", None) if own else look(place - 1)
        marks.append(Dots(points, short(protocol), drawn.color, 5.5 if own else 3.6, drawn.symbol))
    return [*marks[1:], marks[0]]


def metric_gaps(results: ScenarioResults) -> Chart | None:
    """A row a metric, a dot a selector: its closed gap with respect to that metric.

    None where no selector has one.

    Source: Amadini et al. 2023, Definition 3.
    """
    frame = results.frames["metric_gap"].drop_nulls("closed_gap")
    if not frame.height:
        return None
    labels = frame["label"].unique(maintain_order=True).to_list()
    values = frame["closed_gap"].to_list()
    marks: list[Mark] = [Rule(0, "SBS"), Rule(1, "VBS")]
    parts = frame.sort("solver").partition_by("solver", maintain_order=True)
    for place, part in enumerate(parts):
        solver = str(part["solver"][0])
        # A little below each other, so that equal gaps are all seen.
        aside = round(0.6 * ((place + 0.5) / len(parts) - 0.5), 3)
        drawn = look(results.shown_places["selector", solver])
        points = [
            [gap, labels.index(label) + aside, f"{solver} by {label}: closed gap {number(gap)}, n = {n}"]
            for label, gap, n in part.select("label", "closed_gap", "n").iter_rows()
        ]
        marks.append(Dots(points, solver, drawn.color, 5, drawn.symbol))
    return Chart(
        "Closed gap with respect to every metric",
        "Each mark is a selector. Each metric has its own SBS and VBS.",
        gap_axis(values, high=1.0),
        Band(labels),
        marks,
        results.population,
        row_height=30,
    )


ROWS = 200  # reversals that the table of the report holds
LARGEST = 10  # exchanges of a parameter that are pointed out
_DOTS = 400
MOST = {"selector": 16, "algorithm": 8}  # curves with a colour; the others are grey
_COARSE = 100  # places over the width of a chart for these
ABOUT = {
    "delta": "Borda score if times that differ by at most delta count as equal",
    "penalty": "Closed gap with a penalty of k cutoffs for an unsolved instance",
    "cutoff": "Closed gap if the cutoff were lower",
}


@dataclass(frozen=True)
class LineUp:
    """The solvers that compete, the best first, and the columns of the portfolio."""

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


def sweep_of(results: ScenarioResults, parameter: str) -> Chart | None:
    """Borda scores or closed gaps over a parameter; None without times of two that compete."""
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
    names = results.frames["score"].filter(results.frames["score"]["kind"] == kind)["solver"].to_list()
    if len(names) < 2:  # noqa: PLR2004
        return None
    entrants = [matrix.number(kind, name) for name in names]
    columns = entrants + [c for c in algorithms if c not in entrants]
    portfolio = tuple(i for i, c in enumerate(columns) if c in set(algorithms))
    return LineUp(results, kind, names, columns, portfolio)


def swept(lineup: LineUp, parameter: str) -> Swept:
    """Sweep one of the parameters of ABOUT."""
    results, choices = lineup.results, lineup.results.choices
    gaps: GapSweep | None = None
    if parameter == "delta":
        entrants = results.runs(lineup.columns[: len(lineup.names)])
        whole = delta_sweep(entrants, relative=choices["borda_delta_kind"] == "relative")
    else:
        runs, at_cutoff = results.runs(lineup.columns), choices["at_cutoff"]
        gaps = gap_sweep(parameter, runs, lineup.portfolio, float(choices["penalty"]), at_cutoff)
        whole = gaps.scores
    best, up = whole.curves[: len(lineup.best)], whole.higher_is_better
    own = Sweep(parameter, best, higher_is_better=up, tolerance=whole.tolerance)
    return Swept(lineup, own, whole, gaps)


def sweep_chart(found: Swept) -> Chart:
    """The curves of all, and a dot where two of the best exchange places.

    The largest exchanges have larger dots. Without any score there is nothing to draw.
    """
    lineup, sweep, gaps = found.lineup, found.sweep, found.gaps
    low, high = _domain(lineup, sweep)
    drawn = curves(found, low, high)
    main = set(largest(found))
    first = -np.inf if gaps is None else low
    inside = [(i, r) for i, r in enumerate(sweep.reversals) if first <= r.at <= high]
    passings = _passings(found, [r for i, r in inside if i in main])
    others = _passings(found, [r for i, r in inside if i not in main])
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
        Logarithmic(
            _label(lineup, sweep.parameter),
            low,
            high,
            zero=gaps is None,
            cutoff=sweep.parameter == "cutoff",
        ),
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
    if found.gaps is None:
        return np.asarray(found.sweep.scores(at))
    return gaps_at(found.lineup, found.gaps, at)


def _passings(found: Swept, inside: Sequence[Reversal]) -> list[list[Any]]:
    """A dot where two exchange places, at the score of the one that gets ahead."""
    names = found.lineup.names
    inside = inside[:: max(1, -(-len(inside) // _DOTS))]
    if not inside:
        return []
    scores = _scores(found, np.array([r.at for r in inside]))
    return [
        [
            r.at,
            float(scores[i, r.after]),
            f"from {number(r.at)} on {names[r.after]} is before {names[r.before]}",
        ]
        for i, r in enumerate(inside)
        if np.isfinite(scores[i, r.after])
    ]


def _who(lineup: LineUp) -> str:
    n = len(lineup.best)
    return f"the best {n}" if len(lineup.names) > n else f"the {n} {lineup.kind}s"


def sweep_sentence(found: Swept) -> str:
    """How often places are exchanged among the best, and where first."""
    lineup, sweep = found.lineup, found.sweep
    n = len(sweep.reversals)
    if not n:
        return f"No two of {_who(lineup)} ever exchange ranks."
    first, times = sweep.reversals[0], f"{n} times" if n > 1 else "once"
    words = f"Among {_who(lineup)}, pairs exchange ranks {times}"
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


_SWEPT = "a runtime, and two selectors or algorithms with a cost on every instance"
_RANKED = "two selectors, or two algorithms, that every preset can rank"


def _of_presets(shows: str, make: Callable[..., Chart | None], needs: str = _RANKED) -> FigureEntry:
    return FigureEntry(shows, "scenario", needs=needs, complete=True, make=make)


def _of_sweep(shows: str, parameter: str) -> FigureEntry:
    return FigureEntry(shows, "scenario", needs=_SWEPT, make=partial(sweep_of, parameter=parameter))


GAPS = _of_presets("closed gap of each system under every preset", definitions_gap)
METRIC_GAPS = _of_presets(
    "closed gap of each selector with respect to every metric", metric_gaps, "selectors with a closed gap"
)
LIKE = _of_presets("similarity (Kendall's tau-b) of the rankings under different presets", definitions_like)
TAU = _of_presets("similarity (Kendall's tau-b) of the rankings by different metrics", definitions_tau)
DELTA = _of_sweep("Borda score for each delta", "delta")
PENALTY = _of_sweep("closed gap for each penalty k", "penalty")
CUTOFF = _of_sweep("closed gap for each cutoff", "cutoff")
SUITE_TAU = FigureEntry(
    "similarity of the rankings by different metrics, averaged over the scenarios",
    "suite",
    needs=f"{_RANKED}, in one scenario at least",
    complete=True,
    make=suite_tau,
)
