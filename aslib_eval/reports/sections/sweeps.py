"""How far the ranking depends on delta, k and the cutoff: exact curves, reversals."""

from __future__ import annotations

from typing import Any

import numpy as np

from aslib_eval.analysis.scenario_results import ScenarioResults
from aslib_eval.errors import AslibError
from aslib_eval.figures.chart import Chart, Dots, Line, Linear, Logarithmic
from aslib_eval.metrics.sweeps.delta import Reversal, Sweep, delta_sweep
from aslib_eval.metrics.sweeps.penalty_cutoff import (
    GapSweep,
    cutoff_sweep,
    penalty_sweep,
)
from aslib_eval.reports.html import (
    Column,
    Html,
    Section,
    Table,
    figure,
    join,
    paragraph,
)
from aslib_eval.reports.sections.sweep_curves import (
    MOST,
    Cast,
    curves,
    gaps_at,
    stretches,
)
from aslib_eval.text import number

_ROWS, _DOTS = 200, 400
_REVERSALS = (
    Column("at", "at", "value of the parameter from which on the later one is better"),
    Column("parameter", "parameter", words=True),
    Column("before", "better before", words=True),
    Column("after", "better after", words=True),
    Column("tied_from", "tied from", "where the tie before it begins, if there is one"),
)
_ABOUT = {
    "delta": "Borda score if times that differ by at most delta count as equal",
    "penalty": "Closed gap with a penalty of k cutoffs for an unsolved instance",
    "cutoff": "Closed gap if the cutoff had been lower",
}


def sweeps(facts: ScenarioResults, charts: dict[str, object]) -> Section | None:
    """The three sweeps of the selectors, or of the best algorithms without any."""
    cast = _cast(facts)
    if cast is None:
        return None
    if facts.hopeless:
        text = "No run is solved: all tie for every delta, every k and every cutoff."
        return Section("sweeps", "Sensitivity", facts.population, paragraph(text))
    body: list[Html | None] = [paragraph(_intro(cast))]
    rows: list[dict[str, Any]] = []
    for parameter, about in _ABOUT.items():
        try:
            sweep, whole, gaps = _sweep(cast, parameter)
        except AslibError as error:
            body.append(paragraph(f"No sweep over the {parameter}: {error.message}."))
            continue
        charts[f"sweep-{parameter}"] = _chart(cast, sweep, whole, gaps).spec()
        rows += [_reversal(cast, r, parameter) for r in sweep.reversals[:_ROWS]]
        body.append(figure(f"sweep-{parameter}", about, _says(cast, sweep)))
    if rows:
        table = Table("reversals", "Exchanges of places", _REVERSALS, rows,
                      str(facts.n), facts.protocol)  # fmt: skip
        body.append(table.html())
    return Section("sweeps", "Sensitivity", facts.population, join(body))


def _cast(facts: ScenarioResults) -> Cast | None:
    matrix = facts.complete
    if matrix is None or not facts.timed:
        return None
    algorithms = matrix.columns("algorithm")
    kind = "selector" if matrix.columns("selector") else "algorithm"
    order = facts.frames["score"].filter(facts.frames["score"]["kind"] == kind)
    names = order["solver"].to_list()
    if len(names) < 2:  # noqa: PLR2004
        return None
    entrants = [matrix.number(kind, name) for name in names]
    others = [c for c in algorithms if c not in entrants]
    columns = entrants + others
    portfolio = tuple(i for i, c in enumerate(columns) if c in set(algorithms))
    return Cast(facts, kind, names, columns, portfolio)


def _intro(cast: Cast) -> str:
    n, best = len(cast.names), len(cast.best)
    said = (
        f"A ranking is one of many, one for each definition. Below are the {n} "
        f"{cast.kind}s under all values of three choices; a dot marks exactly where "
        "two exchange places."
    )
    if n > best:
        said += (
            f" The best {best} by mean cost have a colour, and dots and table are of "
            f"them alone; the other {n - best} are grey: point at a line to see whose "
            "it is. What lies below all coloured curves is cut off."
        )
    return said


def _sweep(cast: Cast, parameter: str) -> tuple[Sweep, Sweep, GapSweep | None]:
    """The sweep of the best alone, of all, and the gaps they have in the portfolio."""
    gaps = None
    if parameter == "delta":
        relative = cast.facts.choices["borda_delta_kind"] == "relative"
        entrants = cast.facts.runs(cast.columns[: len(cast.names)])
        whole = delta_sweep(entrants, relative=relative)
    else:
        gaps = _gap_sweep(cast, parameter)
        whole = gaps.scores
    exact, up = whole.curves[: len(cast.best)], whole.higher_is_better
    tolerance = whole.tolerance
    own = Sweep(parameter, exact, higher_is_better=up, tolerance=tolerance)
    return own, whole, gaps


def _gap_sweep(cast: Cast, parameter: str) -> GapSweep:
    runs = cast.facts.runs(cast.columns)
    if parameter == "penalty":
        return penalty_sweep(runs, portfolio=cast.portfolio)
    return cutoff_sweep(
        runs,
        penalty=float(cast.facts.choices["penalty"]),
        portfolio=cast.portfolio,
        at_cutoff=cast.facts.choices["at_cutoff"],
    )


def _chart(cast: Cast, sweep: Sweep, whole: Sweep, gaps: GapSweep | None) -> Chart:
    low, high = _domain(cast, sweep)
    drawn = curves(cast, whole, gaps, low, high)
    passings = _dots(cast, sweep, gaps, low, high)
    seen = [v for _, y in drawn[: len(cast.best)] for v in y[np.isfinite(y)].tolist()]
    ends = [*seen, *(y for _, y, _ in passings)]
    bottom, top = min(ends, default=0.0), max(ends, default=1.0)
    marks = [
        Line(points, name=name, color=cast.color(i), step=gaps is None)
        for i, (name, curve) in enumerate(zip(cast.names, drawn, strict=True))
        for points in stretches(*curve, bottom=bottom, coarse=i >= MOST)
    ]
    label = "Borda" if gaps is None else "closed gap"
    return Chart(
        _ABOUT[sweep.parameter],
        _says(cast, sweep),
        Logarithmic(_label(cast, sweep.parameter), low, high, zero=gaps is None),
        Linear(label, bottom, top),
        [*marks, Dots(passings, color="ink")],
        cast.facts.population,
        height=280,
    )


def _label(cast: Cast, parameter: str) -> str:
    if parameter == "penalty":
        return "k"
    relative = cast.facts.choices["borda_delta_kind"] == "relative"
    unit = "share of the smaller time" if relative else "scenario time unit"
    return f"delta ({unit})" if parameter == "delta" else "cutoff (scenario time unit)"


def _domain(cast: Cast, sweep: Sweep) -> tuple[float, float]:
    """Where the axis begins and ends; delta has a place of its own for 0."""
    if sweep.parameter == "penalty":
        return 1.0, 100.0
    cutoff = float(cast.facts.summary["cutoff"])
    finite = sweep.breakpoints[np.isfinite(sweep.breakpoints)]
    positive = finite[finite > 0]
    least = float(positive.min()) if len(positive) else cutoff / 1000
    if sweep.parameter == "cutoff":
        return max(least, cutoff / 1000), cutoff
    most = float(positive.max()) if len(positive) else cutoff
    return max(least, most / 1e5), max(most, least * 10)


def _dots(
    cast: Cast, sweep: Sweep, gaps: GapSweep | None, low: float, high: float
) -> list[list[Any]]:
    """A dot where two exchange places, at the score of the one that gets ahead."""
    inside = [
        r for r in sweep.reversals if r.at <= high and (gaps is None or r.at >= low)
    ]
    inside = inside[:: max(1, -(-len(inside) // _DOTS))]
    if not inside:
        return []
    at = np.array([r.at for r in inside])
    scores = sweep.scores(at) if gaps is None else gaps_at(cast, gaps, at)
    return [
        [r.at, float(scores[i, r.after]), _passing(cast, r)]
        for i, r in enumerate(inside)
        if np.isfinite(scores[i, r.after])
    ]


def _passing(cast: Cast, found: Reversal) -> str:
    pair = f"{cast.names[found.after]} is before {cast.names[found.before]}"
    return f"from {number(found.at)} on {pair}"


def _reversal(cast: Cast, found: Reversal, parameter: str) -> dict[str, Any]:
    tied = found.tied_from if found.tied_from != found.at else None
    before, after = cast.names[found.before], cast.names[found.after]
    return {"at": found.at, "parameter": parameter, "before": before, "after": after,
            "tied_from": tied}  # fmt: skip


def _who(cast: Cast) -> str:
    n = len(cast.best)
    return f"the best {n}" if len(cast.names) > n else f"the {n} {cast.kind}s"


def _says(cast: Cast, sweep: Sweep) -> str:
    n = len(sweep.reversals)
    if not n:
        return f"No two of {_who(cast)} ever exchange places."
    first, times = sweep.reversals[0], f"{n} times" if n > 1 else "once"
    said = f"Among {_who(cast)} places are exchanged {times}"
    if n > _ROWS:
        said += f" (the table has the first {_ROWS})"
    pair = f"{cast.names[first.after]} passes {cast.names[first.before]}"
    return f"{said}, first at {number(first.at)}, where {pair}."
