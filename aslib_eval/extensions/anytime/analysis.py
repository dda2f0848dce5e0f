"""Schedules on trajectories: solutions of selectors over time, against VBS and SBS.

For ``score --anytime``, training on gaps, and the charts and the section of a page.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import polars as pl

from aslib_eval.analysis.results import ScenarioResults
from aslib_eval.database.open_lake import OpenLake
from aslib_eval.errors import AslibError
from aslib_eval.extensions.anytime.metrics import (
    Codes,
    Curve,
    Ends,
    GapScale,
    Manner,
    Recorded,
    Step,
    curve_mean,
    execute,
    gap_points,
    level_at,
    lowest,
    mean_curve,
    run_curves,
)
from aslib_eval.figures.catalogue import FigureEntry
from aslib_eval.figures.chart import RAW, Chart, Line, Logarithmic, Look, look
from aslib_eval.metrics.scale import Floats, Trajectories, rescale, value_at
from aslib_eval.metrics.sweeps import thinned
from aslib_eval.reports.html import Section, figure, join, paragraph
from aslib_eval.text import brief, plural

Solver = tuple[str, str]  # kind, name
Action = tuple[str, str, float | None, bool]  # action, name, budget, presolves
VBS = ("baseline", "VBS")
# The moments of ``moments``, as parts of the time limit.
PARTS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)


class _Measure(NamedTuple):
    protocol: str
    scenario_id: str
    measure: str
    maximize: bool
    timed: bool
    horizon: float
    at_cutoff: str
    execution: str
    incumbent: str
    second_run: str


@dataclass(frozen=True, eq=False)
class _Runs:
    recorded: Recorded
    solver: Codes
    instance: Codes


@dataclass(frozen=True, eq=False)
class AnytimeMeasure:
    """A quality measure with trajectories under a protocol, its schedules executed.

    horizon: end of the time that counts; timed: False if time counts steps. solvers: algorithms, then
    selectors, by name. tables: (n_instances, n_solvers), means over an instance's runs: gap at the end, its
    mean over time (``loss``), objective, share proved, time of the proof (else the horizon); nan without a
    run. curves: of each solver on each instance, None without a run. without: number of instances without
    any solution. unanswered: number of instances without an answer of a selector. outside: selectors that
    were run outside; they have no trajectory and are left out.
    """

    protocol: str
    scenario_id: str
    measure: str
    horizon: float
    timed: bool
    instances: tuple[str, ...]
    solvers: tuple[Solver, ...]
    tables: Mapping[str, Floats]
    curves: Sequence[Sequence[Curve | None]]
    without: int
    unanswered: Mapping[str, int]
    outside: tuple[str, ...]

    @property
    def algorithms(self) -> list[int]:
        """Columns of the algorithms."""
        return [i for i, (kind, _) in enumerate(self.solvers) if kind == "algorithm"]

    @cached_property
    def solver_curves(self) -> dict[Solver, Curve]:
        """The mean gap over time of each solver with a run everywhere, and of VBS."""
        found = {}
        for column, solver in enumerate(self.solvers):
            own = [row[column] for row in self.curves]
            whole = [curve for curve in own if curve is not None]
            if len(whole) == len(own):
                found[solver] = mean_curve(whole)
        return found | {VBS: mean_curve([self._best(row) for row in self.curves])}

    @cached_property
    def single_best(self) -> Curve:
        """The least mean gap of any algorithm at each moment: SBS of that moment."""
        return lowest([c for (kind, _), c in self.solver_curves.items() if kind == "algorithm"])

    def _best(self, row: Sequence[Curve | None]) -> Curve:
        own = (row[column] for column in self.algorithms)
        return lowest([curve for curve in own if curve is not None])


def anytime_measures(lake: OpenLake, *, scenario: str | None = None) -> Iterator[AnytimeMeasure]:
    """Every quality measure with trajectories that the protocols choose; scenario: only of this one."""
    for of in map(_Measure._make, lake.rows("anytime_measures")):
        if scenario in (None, of.scenario_id):
            yield _executed(lake, of)


def anytime_curves(lake: OpenLake, scenario: str, measure: str) -> pl.DataFrame:
    """The mean gap over time of each selector of a measure, and of VBS(t) and SBS(t).

    One row per moment of change: kind, solver, at, gap. No row without selectors, or if the protocol does
    not choose the measure.
    """
    schema = {"kind": str, "solver": str, "at": float, "gap": float}
    for of in anytime_measures(lake, scenario=scenario):
        curves = of.solver_curves
        chosen = {s: c for s, c in curves.items() if s[0] == "selector"}
        if of.measure == measure and chosen:
            chosen |= {VBS: curves[VBS], ("baseline", "SBS"): of.single_best}
            rows = [
                (*solver, at, gap)
                for solver, curve in chosen.items()
                for at, gap in zip(*(part.tolist() for part in curve), strict=True)
            ]
            return pl.DataFrame(rows, schema=schema, orient="row")
    return pl.DataFrame(schema=schema)


def _executed(lake: OpenLake, of: _Measure) -> AnytimeMeasure:
    key = {"protocol": of.protocol, "scenario": of.scenario_id}
    frame = lake.ask("anytime_runs", {**key, "measure": of.measure, "cutoff": of.horizon})
    instances = frame["instance_id"].unique().sort().to_list()
    names = frame["algorithm"].unique().sort().to_list()
    recorded = _recorded(frame, of)
    runs = _Runs(recorded, _codes(frame["algorithm"], names), _codes(frame["instance_id"], instances))
    ends = Ends.of(lake.rows("report_reference", {"scenario": of.scenario_id}))
    scale = ends.scale(recorded.runs, runs.instance, instances)
    steps = lake.ask("anytime_steps", key)
    away = steps.filter(steps["action"] == "system")["selector"].unique().sort()
    steps = steps.filter(~steps["selector"].is_in(away.implode()))
    selectors = steps["selector"].unique().sort().to_list()
    best = -scale.best if of.maximize else scale.best
    schedules, owners, unanswered = _schedules(_Met(frame), steps, selectors, instances, best)
    chosen = execute(recorded, schedules, Manner(of.execution, of.incumbent, of.second_run))
    everything = [runs, _Runs(chosen, len(names) + owners[:, 0], owners[:, 1])]
    solvers = [("algorithm", name) for name in names] + [("selector", name) for name in selectors]
    curves = _curves(everything, scale, (len(instances), len(solvers)))
    return AnytimeMeasure(
        of.protocol,
        of.scenario_id,
        of.measure,
        of.horizon,
        of.timed,
        tuple(instances),
        tuple(solvers),
        _tables(everything, curves, of),
        curves,
        int(np.isinf(scale.best).sum()),
        unanswered,
        tuple(away.to_list()),
    )


def _recorded(frame: pl.DataFrame, of: _Measure) -> Recorded:
    counts = frame["elapsed"].list.len().fill_null(0).cast(int).to_numpy()
    runs = Trajectories(
        offsets=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        elapsed=frame["elapsed"].explode().drop_nulls().cast(float).to_numpy(),
        values=frame["value"].explode().drop_nulls().to_numpy(),
        maximize=of.maximize,
    )
    # A proof has a time, not a step.
    proofs = frame["proof"].cast(float).fill_null(np.inf).to_numpy()
    proofs = proofs if of.timed else np.full(len(proofs), np.inf)
    return Recorded(runs, proofs, of.horizon)


def _codes(column: pl.Series, names: Sequence[str]) -> Codes:
    at = {name: code for code, name in enumerate(names)}
    return np.array([at[name] for name in column.to_list()], dtype=np.int64)


def _schedules(
    met: _Met, steps: pl.DataFrame, selectors: Sequence[str], instances: Sequence[str], best: Floats
) -> tuple[list[list[Step]], Codes, dict[str, int]]:
    """A schedule for each selector, repetition of its split, instance and repetition.

    Also gives the codes of selector and instance of each, and the number of instances without an answer of
    a selector. A repetition that an algorithm of the schedule lacks is left out; a single run counts for
    all of them. best: objective of each instance.
    """
    answers: dict[tuple[str, str], dict[int, list[Action]]] = {}
    keys = steps.select("selector", "instance_id", "cv_repetition").rows()
    actions = steps.select("action", "name", "budget", "presolves").rows()
    for (selector, instance, split), action in zip(keys, actions, strict=True):
        answers.setdefault((selector, instance), {}).setdefault(split, []).append(action)
    schedules: list[list[Step]] = []
    owners: list[tuple[int, int]] = []
    unanswered = dict.fromkeys(selectors, 0)
    for (code, selector), (at, instance) in product(enumerate(selectors), enumerate(instances)):
        of = answers.get((selector, instance), {})
        unanswered[selector] += not of
        for answer in of.values() or [[]]:
            found = met.schedules(instance, answer, best[at])
            schedules += found
            owners += [(code, at)] * len(found)
    return schedules, np.array(owners, dtype=np.int64).reshape(-1, 2), unanswered


class _Met:
    """The recorded runs, by instance, algorithm and repetition."""

    def __init__(self, runs: pl.DataFrame) -> None:
        self.runs: dict[tuple[str, str], dict[int, int]] = {}
        self.repetitions: dict[str, list[int]] = {}
        rows = runs.select("instance_id", "algorithm", "repetition").rows()
        for number, (instance, algorithm, repetition) in enumerate(rows):
            self.runs.setdefault((instance, algorithm), {})[repetition] = number
            met = self.repetitions.setdefault(instance, [])
            if repetition not in met:
                met.append(repetition)

    def schedules(self, instance: str, actions: Sequence[Action], best: float) -> list[list[Step]]:
        """The schedule on each repetition that all its algorithms have, else on one."""
        named = [action for action in actions if action[0] != "none"]
        each = [
            [self._step(instance, repetition, action, best) for action in named]
            for repetition in self.repetitions[instance]
        ]
        return [made for made in each if all(s.feature or s.run is not None for s in made)] or each[:1]

    def _step(self, instance: str, repetition: int, action: Action, best: float) -> Step:
        kind, name, budget, presolves = action
        if kind == "feature_step":
            known = best if np.isfinite(best) else np.nan
            answer = known if presolves else None
            return Step(None, budget or 0.0, feature=True, answer=answer)
        own = self.runs.get((instance, name), {})
        lone = next(iter(own.values())) if len(own) == 1 else None
        return Step(own.get(repetition, lone), np.inf if budget is None else budget)


def _curves(parts: Sequence[_Runs], scale: GapScale, shape: tuple[int, int]) -> list[list[Curve | None]]:
    """The curve of each solver on each instance, None without a run."""
    n, m = shape
    found: list[list[Curve | None]] = [[None] * m for _ in range(n)]
    for part in parts:
        gaps = gap_points(part.recorded.runs, scale, instances=part.instance)
        groups = part.instance * m + part.solver
        made = run_curves(part.recorded.runs, gaps, groups)
        for group in np.unique(groups).tolist():
            found[group // m][group % m] = made[group]
    return found


def _tables(
    parts: Sequence[_Runs], curves: Sequence[Sequence[Curve | None]], of: _Measure
) -> dict[str, Floats]:
    shape = (len(curves), len(curves[0]))
    cells = [curve for row in curves for curve in row]
    end = [np.nan if c is None else float(c[1][-1]) for c in cells]
    loss = [np.nan if c is None else curve_mean(c, horizon=of.horizon) for c in cells]
    groups = np.concatenate([p.instance * shape[1] + p.solver for p in parts])
    proofs = np.concatenate([p.recorded.proofs for p in parts])
    proved = proofs < of.horizon
    if of.at_cutoff == "solved":
        proved |= proofs == of.horizon
    values = {
        "objective": [value_at(p.recorded.runs, at=of.horizon) for p in parts],
        "proved": [proved.astype(float)],
        "time": [np.where(proved, proofs, of.horizon)],
    }
    n = np.bincount(groups, minlength=len(cells))
    found = {"gap": np.array(end), "loss": np.array(loss)}
    for name, pieces in values.items():
        total = np.bincount(groups, np.concatenate(pieces), minlength=len(cells))
        found[name] = np.where(n > 0, total / np.maximum(n, 1), np.nan)
    return {name: table.reshape(shape) for name, table in found.items()}


_KEY = ("protocol", "scenario_id", "measure", "kind", "solver", "n")
_STANDING = ("gap", "closed_gap", "sbs", "area", "closed_area", "sbs_by_area")
_COLUMNS = {
    "summary": (*_KEY, *_STANDING, "best_known", "proved", "time", "remark"),
    "moments": (*_KEY, "at", *_STANDING),
    "instances": (
        *("protocol", "scenario_id", "measure", "kind", "solver", "instance_id"),
        *("objective", "gap", "area", "proved", "time"),
    ),
}


def anytime_scores(lake: OpenLake, *, show: str = "summary") -> pl.DataFrame:
    """Solutions of algorithms and schedules over time, by objective and by area.

    Every quality measure with trajectories takes part, whichever the protocol chooses. The protocol's
    ``execution``, ``incumbent`` and ``second_run`` say how schedules are executed (``execute``), its
    ``feature_cost`` which features they pay for.

    show: ``summary``, a row for each solver and for VBS at the end; ``moments``, one at each of PARTS of
        the time; ``instances``, one on each instance.

    Columns: ``gap``, the remaining share of the way from a trivial solution (else the worst first one of
    any run) to the best known one, from 0 to 1, 1 without a solution; ``area``, 1 minus its mean until
    then, higher is better; both are means over the runs of an instance and then over ``n`` instances.
    ``closed_gap`` and ``closed_area``: 0 at SBS, 1 at VBS of that column, null if these are equal. SBS
    (``sbs``, ``sbs_by_area``) is the algorithm of best mean, for ``moments`` at each moment. VBS has the
    best value of any algorithm on each instance; its ``area`` is of one algorithm per instance, while
    VBS(t) changes algorithms over time. ``best_known``: share of the instances at gap 0; ``proved``: share
    of the runs with a proof; ``time``: of the proof, else the end [scenario time unit].

    Null: an algorithm has no run on an instance. Selectors run outside have no trajectory and no row.

    Source: Amadini et al. 2023, Definition 3 and section 2.3.
    """
    labels = {p.protocol: p.tag for p in lake.protocols}
    make = {"summary": _summary, "moments": _moments, "instances": _instances}[show]
    rows = [
        (labels[measured.protocol], measured.scenario_id, measured.measure, *row)
        for measured in anytime_measures(lake.with_all_measures())
        for row in make(measured)
    ]
    if not rows:
        raise AslibError(
            "no scenario has a quality measure with trajectories",
            str(lake),
            "Import a scenario with trajectories.arff, or an experiment.",
        )
    return pl.DataFrame(rows, schema=_COLUMNS[show], orient="row", infer_schema_length=None)


def anytime_costs(lake: OpenLake) -> pl.DataFrame:
    """The gaps of each algorithm on each instance.

    One row per scenario, measure that the protocol chooses, algorithm and instance: ``gap`` at the end, and
    ``loss``, its mean over time; null without a run.
    """
    rows = [
        (of.scenario_id, of.measure, of.solvers[column][1], instance, *costs)
        for of in anytime_measures(lake)
        for column in of.algorithms
        for row, instance in enumerate(of.instances)
        for costs in [[_number(of.tables[name][row, column]) for name in ("gap", "loss")]]
    ]
    names = ["scenario_id", "measure", "solver", "instance_id", "gap", "loss"]
    schema = dict.fromkeys(names[:4], pl.String) | dict.fromkeys(names[4:], pl.Float64)
    return pl.DataFrame(rows, schema=schema, orient="row")


def _summary(measured: AnytimeMeasure) -> Iterator[tuple[object, ...]]:
    tables = measured.tables
    standing = _standing(measured, tables["gap"], tables["loss"])
    most = (tables["gap"] == 0).astype(float), tables["proved"]
    known, proved = (0.0 - _with_vbs(measured, -table) for table in most)  # no -0
    time = _with_vbs(measured, tables["time"])
    for place, (solver, row) in enumerate(standing):
        rest = (_number(column[place]) for column in (known, proved, time))
        yield *solver, len(measured.instances), *row, *rest, _remark(measured, solver)


def _moments(measured: AnytimeMeasure) -> Iterator[tuple[object, ...]]:
    n, m = len(measured.instances), len(measured.solvers)
    for part in PARTS:
        at = part * measured.horizon
        gap, loss = np.full((2, n, m), np.nan)
        for i, row in enumerate(measured.curves):
            for s, curve in enumerate(row):
                if curve is not None:
                    gap[i, s] = level_at(curve, np.array(at))
                    loss[i, s] = curve_mean(curve, horizon=at)
        for solver, values in _standing(measured, gap, loss):
            yield *solver, n, at, *values


def _standing(
    measured: AnytimeMeasure, gap: Floats, loss: Floats
) -> list[tuple[Solver, tuple[object, ...]]]:
    """For each solver and VBS the columns from ``gap`` to ``sbs_by_area``.

    gap, loss: (n_instances, n_solvers) at a moment, and its mean over time until then.
    """
    columns = [_closed(measured, gap), _closed(measured, loss)]
    found: list[tuple[Solver, tuple[object, ...]]] = []
    for at, solver in enumerate([*measured.solvers, VBS]):
        (left, closed, sbs), (lost, closed_area, by_area) = ((m[at], c[at], name) for m, c, name in columns)
        found.append((solver, (_number(left), closed, sbs, _number(1 - lost), closed_area, by_area)))
    return found


def _instances(measured: AnytimeMeasure) -> Iterator[tuple[object, ...]]:
    tables = [measured.tables[name] for name in ("objective", "gap", "loss")]
    tables[2] = 1 - tables[2]
    tables += [measured.tables[name] for name in ("proved", "time")]
    for s, solver in enumerate(measured.solvers):
        for i, instance in enumerate(measured.instances):
            yield *solver, instance, *(_number(table[i, s]) for table in tables)


def _closed(measured: AnytimeMeasure, table: Floats) -> tuple[Floats, list[float | None], str | None]:
    """Means of losses (n_instances, n_solvers) of solvers and VBS, their closed gaps, and SBS."""
    means = np.round(_with_vbs(measured, table), 12)
    own = means[measured.algorithms]
    if np.isnan(own).all():
        return means, [None] * len(means), None
    sbs = int(np.nanargmin(own))
    return means, rescale(means, zero=own[sbs], one=means[-1]).to_list(), measured.solvers[sbs][1]


def _with_vbs(measured: AnytimeMeasure, table: Floats) -> Floats:
    """Means over instances; the last is of the best algorithm of each instance."""
    best = np.fmin.reduce(table[:, measured.algorithms], axis=1)
    return np.append(table.mean(axis=0), best.mean())


def _remark(measured: AnytimeMeasure, solver: Solver) -> str | None:
    said = []
    if not measured.timed:
        said.append("time counts steps, because points have no times")
    if measured.without:
        said.append(f"gap 1 on {plural(measured.without, 'instance')} without any solution")
    if missing := measured.unanswered.get(solver[1] if solver[0] == "selector" else ""):
        said.append(f"no answer on {plural(missing, 'instance')}")
    if solver == VBS and measured.outside:
        said.append(f"left out because their outcomes have no trajectory: {', '.join(measured.outside)}")
    return "; ".join(said) or None


def _number(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


# What a page shows: charts and a section.

_MOST_LINES = 8
BASELINES = {"SBS": Look("faint", "circle", "2 3"), "VBS": Look("ink", "circle", "5 3")}
_FLOOR = 1e-4  # gaps below it share the place of 0
_RUN = ["algorithm", "instance_id", "trial"]
Curves = Mapping[str, Curve]


def anytime_chart(results: ScenarioResults) -> Chart | None:
    """The mean gap at every moment, an exact step function per algorithm; None without trajectories."""
    frame = _one_measure(results)
    if frame is None:
        return None
    row = frame.row(0, named=True)
    timed = bool(frame["elapsed"].is_not_null().any())
    points = frame.with_columns(frame["elapsed" if timed else "step"].alias("at"))
    curves = gap_curves(points, Ends.of(results.frames["reference"].rows()), maximize=bool(row["maximize"]))
    what = results.with_unit("time since the start") if timed else "step"
    n, runs = frame["instance_id"].n_unique(), frame.select(_RUN).n_unique()
    population = f"{row['measure']}, n = {plural(n, 'instance')} ({plural(runs, 'run')}) · {RAW}"
    return curves_chart(curves, what, population, timed=timed)


def anytime_selectors(results: ScenarioResults) -> Chart | None:
    """The mean gap of selectors at every moment, their schedules executed.

    At each moment VBS is the best algorithm on each instance then, SBS the algorithm of least mean. At most
    eight selectors are drawn, those of least gap at the end.

    None without selectors, trajectories or times. Source: Amadini et al. 2023, section 2.3.
    """
    if results.lake is None or not all(results.frames[name].height for name in ("trajectory", "choice")):
        return None
    frame = anytime_curves(results.lake, results.scenario_id, results.measure)
    if not frame.height:
        return None
    parts = frame.partition_by("solver", as_dict=True, maintain_order=True)
    curves = {str(name): (part["at"].to_numpy(), part["gap"].to_numpy()) for (name,), part in parts.items()}
    selectors = sorted(
        curves.keys() - BASELINES.keys(), key=lambda name: (float(curves[name][1][-1]), name)
    )
    drawn = {name: curves[name] for name in [*selectors[:_MOST_LINES], *BASELINES]}
    timed = bool(results.frames["trajectory"]["elapsed"].is_not_null().any())
    what = results.with_unit("time since the start") if timed else "step"
    left = len(selectors) - _MOST_LINES
    more = f", {plural(left, 'selector')} with larger gaps left out" if left > 0 else ""
    population = f"{results.population}{more}"
    places = results.shown_places
    looks = {name: look(places.get(("selector", name), 0)) for name in selectors} | BASELINES
    chart = curves_chart(drawn, what, population, timed=timed, looks=looks)
    ends = [f"{name} {brief(float(drawn[name][1][-1]))}" for name in BASELINES]
    return replace(
        chart,
        title="Mean gap of the selectors to the best known solution after a time",
        about=f"At the end {selectors[0]} is closest of the selectors, with a mean gap "
        f"of {brief(float(drawn[selectors[0]][1][-1]))} ({', '.join(ends)}).",
    )


def _one_measure(results: ScenarioResults) -> pl.DataFrame | None:
    """The trajectories of the page's measure, else of the first measure with any."""
    frame = results.frames["trajectory"]
    present = frame.filter(frame["value"].is_not_null())["measure"].unique().to_list()
    if not present:
        return None
    first = frame.filter(frame["measure"].is_in(present))["measure"][0]
    measure = results.measure if results.measure in present else first
    return frame.filter(frame["measure"] == measure)


def curves_chart(
    curves: Curves,
    what: str,
    population: str,
    *,
    timed: bool,
    looks: Mapping[str, Look] = MappingProxyType({}),
) -> Chart:
    """Curves of mean gaps on logarithmic axes, sorted by the gap at the end.

    what: name of the time axis; timed: whether it has a place for 0. looks: of some lines.
    """
    order = sorted(curves, key=lambda name: (float(curves[name][1][-1]), name))
    moments = np.concatenate([x for x, _ in curves.values()])
    positive = moments[moments > 0]
    most = float(positive.max(initial=1.0)) if len(positive) else 1.0
    low = max(float(positive.min(initial=most)), most / 1e6)
    gaps = np.concatenate([y for _, y in curves.values()])
    least = max(float(gaps[gaps > 0].min(initial=1.0)), _FLOOR)
    most = max(most, low * 10)
    last = curves[order[0]][1][-1]
    return Chart(
        "Mean gap to the best known solution after a time",
        f"At the end {order[0]} is closest, with a mean gap of {brief(float(last))}.",
        Logarithmic(what, low, most, zero=timed),
        Logarithmic("gap to the best known", least, 1.0, zero=bool(gaps.min() < least)),
        [
            _line(name, looks.get(name) or look(i), curves[name], (low, most))
            for i, name in enumerate(order)
        ],
        population,
        height=340,
    )


def _line(name: str, drawn: Look, curve: Curve, ends: tuple[float, float]) -> Line:
    kept = thinned(*curve, low=ends[0], high=ends[1])
    points = [[float(a), float(b)] for a, b in zip(*kept, strict=True)]
    return Line(points, name=name, color=drawn.color, dash=drawn.dash, step=True)


def gap_curves(frame: pl.DataFrame, ends: Ends, *, maximize: bool) -> Curves:
    """Algorithm → (moments, mean gap from each on); the first moment is 0.

    frame: algorithm, instance_id, trial, at, value; ascending within a run. A run without a solution has
    one row without a value.
    """
    rows = frame.select(_RUN).rows()
    new = [i == 0 or row != rows[i - 1] for i, row in enumerate(rows)]
    runs = frame.select(_RUN)[np.flatnonzero(new).tolist()]
    found = frame["value"].is_not_null() & frame["at"].is_not_null()
    before = np.append(0, np.cumsum(found.to_numpy()))
    at, values = (frame.filter(found)[c].to_numpy() for c in ("at", "value"))
    recorded = Trajectories(
        before[np.append(np.flatnonzero(new), len(rows))].astype(np.int64),
        at.astype(float),
        values.astype(float),
        maximize,
    )
    names, instances = (
        np.unique(runs[column].to_numpy().astype(str), return_inverse=True)
        for column in ("algorithm", "instance_id")
    )
    scale = ends.scale(recorded, instances[1], instances[0].tolist())
    curves = run_curves(recorded, gap_points(recorded, scale, instances=instances[1]), names[1])
    return dict(zip(names[0].tolist(), curves, strict=True))


_HERE = "aslib_eval.extensions.anytime.analysis"
ANYTIME = FigureEntry(
    "mean gap to the best known value over time",
    "scenario",
    f"{_HERE}:anytime_chart",
    "trajectories with times and values",
    runs=False,
)
SELECTORS = FigureEntry(
    "mean gap of the selectors to the best known value over time",
    "scenario",
    f"{_HERE}:anytime_selectors",
    "selectors, and trajectories with values",
)


_ABOUT = (
    "The gap of a run is its remaining share of the way from a trivial solution (of the scenario, else "
    "the worst first solution of any run) to the best known solution: 0 is as good as the best, 1 is a "
    "run without a solution. The mean includes runs that never find one."
)
_SELECTORS = (
    "The recorded trajectories show what each selection would have found, {}. All algorithms of a "
    "schedule count here, but only the first one in the scores of this page. At each moment VBS is the "
    "best algorithm on each instance, and SBS the algorithm with the least mean."
)
_WORDS = {
    "sequential": "step after step",
    "parallel": "all algorithms of a schedule side by side",
    "one_core": "all algorithms of a schedule side by side on one core",
}


def anytime(results: ScenarioResults) -> Section | None:
    """The mean gap at every moment; None without trajectories."""
    chart = anytime_chart(results)
    if chart is None:
        return None
    charts, finding = {"anytime": chart}, chart.about
    body = [paragraph(_ABOUT), figure("anytime", "Anytime curves", chart.about)]
    selectors = anytime_selectors(results)
    if selectors is not None:
        charts["anytime-selectors"] = selectors
        finding += f" {selectors.about}"
        how = _WORDS[results.choices["execution"]]
        title = "Anytime curves of the selectors"
        body += [paragraph(_SELECTORS.format(how)), figure("anytime-selectors", title, selectors.about)]
    return Section("anytime", "Anytime", chart.population, join(body), charts, finding=finding, group="who")
