"""Scores of optimisation from objectives, metrics of other packages, and the score over delta."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from aslib_eval.analysis.runs import KINDS, Group, groups, pivot
from aslib_eval.database.open_lake import OpenLake
from aslib_eval.database.sqlfiles import SOLVER, frame_file
from aslib_eval.database.views import declared
from aslib_eval.errors import AslibError
from aslib_eval.metrics.ranking import Objectives, mznc_points
from aslib_eval.metrics.scale import (
    Floats,
    OwnMetric,
    Runs,
    Trajectories,
    anytime_area,
    closed,
    incomplete,
    minizinc_area,
    satisficing,
    scaled_score,
)
from aslib_eval.metrics.sweeps import GapSweep, Sweep, delta_sweep, log_grid
from aslib_eval.options import SweptKind
from aslib_eval.plugins import Registry, of_kind, plug_ins


@dataclass(frozen=True, eq=False)
class QualityMeasure:
    """A quality measure of a scenario under a protocol: (n_instances, n_solvers) each.

    values: objective in the file's direction, nan where no solution was found.
    times, proven: of the scenario's runtime measure, the cutoff where nothing was proved; None without such
        a measure. best: (n_instances,) best of the reference file and all runs; trivial: of the reference
        file; nan = unknown.
    """

    protocol: str
    scenario_id: str
    measure: str
    kind: str
    maximize: bool
    solvers: tuple[str, ...]
    instances: tuple[str, ...]
    values: Floats
    times: Floats | None
    proven: NDArray[np.bool_] | None
    cutoff: float | None
    best: Floats
    trivial: Floats
    ends: tuple[float, float]


def quality_measures(lake: OpenLake) -> list[QualityMeasure]:
    """Every quality measure under every protocol, by kind of solver."""
    ends = {p.protocol: (p.alpha, p.beta) for p in lake.protocols}
    names = ("protocol", "scenario", "kind", "measure")
    keys = (dict(zip(names, key, strict=True)) for key in lake.rows("quality_measures"))
    return [_read_measure(lake, key, ends[key["protocol"]]) for key in keys]


def _read_measure(lake: OpenLake, key: Mapping[str, str], ends: tuple[float, float]) -> QualityMeasure:
    frame = lake.ask("quality_runs", key)
    pivoted = pivot(frame, rows=("instance_id", "repetition"), columns=("solver",))
    maximize = bool(frame["maximize"][0])
    sign = -1.0 if maximize else 1.0
    costs = np.where(pivoted.table("found") > 0, pivoted.table("cost"), np.nan)
    others = pivoted.of_rows("vbs_cost"), sign * pivoted.of_rows("best")
    candidates = np.column_stack([costs, *others])
    timed = not frame["time"].has_nulls()
    return QualityMeasure(
        protocol=key["protocol"],
        scenario_id=key["scenario"],
        measure=key["measure"],
        kind=key["kind"],
        maximize=maximize,
        solvers=tuple(pivoted.columns["solver"]),
        instances=tuple(pivoted.rows["instance_id"]),
        values=sign * costs,
        best=sign * np.fmin.reduce(candidates, axis=1),
        trivial=pivoted.of_rows("trivial"),
        proven=pivoted.table("proven") > 0 if timed else None,
        times=pivoted.table("time") if timed else None,
        cutoff=float(frame["cutoff"][0]) if timed else None,
        ends=ends,
    )


def read_trajectories(
    lake: OpenLake, scenario_id: str, measure: str, *, cutoff: float, maximize: bool
) -> tuple[pl.DataFrame, Trajectories]:
    """Read the anytime trajectory of every run up to the cutoff: times and objectives.

    The frame has a row for each run, in the same order: instance_id, algorithm, repetition. A run without a
    solution has no points.
    """
    frame = lake.ask("trajectories", {"scenario": scenario_id, "measure": measure, "cutoff": cutoff})
    counts = frame["elapsed"].list.len().fill_null(0).cast(int).to_numpy()
    runs = Trajectories(
        offsets=np.concatenate([[0], np.cumsum(counts)]),
        elapsed=frame["elapsed"].explode().drop_nulls().to_numpy(),
        values=frame["value"].explode().drop_nulls().to_numpy(),
        maximize=maximize,
    )
    return frame.drop("elapsed", "value"), runs


Codes = NDArray[np.int64]


def areas(lake: OpenLake, measured: QualityMeasure) -> list[list[float | None]] | None:
    """Area and minizinc_area, means over runs; None if there is nothing to measure."""
    if measured.kind != "algorithm" or measured.cutoff is None:
        return None
    frame, runs = read_trajectories(
        lake, measured.scenario_id, measured.measure, cutoff=measured.cutoff, maximize=measured.maximize
    )
    if not runs.values.size:
        return None
    # Instances that do not count under the protocol have no code.
    codes = {name: code for code, name in enumerate(measured.instances)}
    at = np.array([codes.get(name, -1) for name in frame["instance_id"]])
    columns = np.array([measured.solvers.index(name) for name in frame["algorithm"]])
    return [
        [float(score[(columns == c) & (at >= 0)].mean()) for c in range(columns.max() + 1)]
        for score in (_area(measured, runs, at), _minizinc(measured, runs, at, columns))
    ]


def _area(measured: QualityMeasure, runs: Trajectories, at: Codes) -> Floats:
    """Area of each run between the trivial and the best objective, from 0 to 1."""
    sign = -1.0 if measured.maximize else 1.0
    worst = np.full(len(measured.best), -np.inf)
    np.maximum.at(worst, at[runs.run_of], sign * runs.values)
    trivial = np.where(np.isnan(measured.trivial), sign * worst, measured.trivial)
    # Where no run was ever worse than the best, any solution is worth 1.
    zero = np.where(trivial == measured.best, measured.best + sign, trivial)
    area = anytime_area(runs, horizon=measured.cutoff or 1.0, zero=zero[at], one=measured.best[at])
    return np.nan_to_num(area.values)


def _minizinc(measured: QualityMeasure, runs: Trajectories, at: Codes, columns: Codes) -> Floats:
    used = np.full(runs.n_runs, measured.cutoff)
    if measured.times is not None:
        used = measured.times[at, columns]
    last = np.zeros(runs.n_runs)
    np.maximum.at(last, runs.run_of, runs.elapsed)
    return minizinc_area(runs, instances=np.maximum(at, 0), used=np.maximum(used, last))


_SCORES = ("incomplete", "satisficing", "scaled", "mznc", "area", "minizinc_area")
_WHY = {
    _SCORES[:2]: "no ratios because a value is negative",
    _SCORES[2:4]: "no proofs because there is no runtime measure",
    _SCORES[4:]: "no areas because there are no trajectories",
}


def qualities(lake: OpenLake) -> pl.DataFrame:
    """Scores of optimisation: one row per protocol, scenario, measure and solver.

    All of a scenario's measures take part, whichever one the protocol (named with its hash in each row)
    chooses. Columns: n;
    ``incomplete`` (MaxSAT Evaluation), ``satisficing`` (IPC), ``scaled`` (from the protocol's alpha to its
    beta), ``mznc`` (MiniZinc Challenge with objectives, a mean over instances of the sum over opponents of
    the kind), all higher is better; and of trajectories ``area`` (mean share of the time and of the way
    from the trivial to the best known objective, higher is better) and ``minizinc_area`` (lower is better)
    [time].

    Null, as ``remark`` says: the first two where a value is negative; ``mznc`` and ``scaled`` without a
    runtime measure, which tells what was proved; the areas without trajectories, and for selectors.

    Source: Amadini et al. 2023, section 2.3.
    """
    labels = {p.protocol: p.tag for p in lake.protocols}
    complete = lake.with_all_measures()
    rows = [
        (labels[measured.protocol], *row)
        for measured in quality_measures(complete)
        for row in _scores(complete, measured)
    ]
    if not rows:
        raise AslibError("no scenario has a solution_quality measure", str(lake))
    schema = ["protocol", "scenario_id", "measure", "kind", "solver", "n"]
    schema += [*_SCORES, "remark"]
    return pl.DataFrame(rows, schema=schema, orient="row", infer_schema_length=None)


def _scores(lake: OpenLake, measured: QualityMeasure) -> Iterator[tuple[object, ...]]:
    """A row of ``qualities`` for every solver, without the protocol."""
    n, m = len(set(measured.instances)), len(measured.solvers)
    columns: list[list[float | None]] = [
        [None] * m if _undefined(measured, name) else POINTS[name](measured).mean(axis=0).tolist()
        for name in _SCORES[:4]
    ]
    columns += areas(lake, measured) or [[None] * m] * 2
    undefined = {name for name, column in zip(_SCORES, columns, strict=True) if column[0] is None}
    remark = "; ".join(why for names, why in _WHY.items() if undefined & set(names))
    key = (measured.scenario_id, measured.measure, measured.kind)
    for solver, scores in zip(measured.solvers, zip(*columns, strict=True), strict=True):
        yield *key, solver, n, *scores, remark or None


# Scores of objectives on each instance, (n_instances, n_solvers), higher is better.


def _scaled(measured: QualityMeasure) -> Floats:
    alpha, beta = measured.ends
    return scaled_score(
        measured.values, proven=runs_of(measured).solved, alpha=alpha, beta=beta, maximize=measured.maximize
    )


def _mznc(measured: QualityMeasure) -> Floats:
    # What nobody has a solution of is a decision problem, or is proved to have none.
    decision = np.asarray(np.isnan(measured.values).all(axis=1))
    runs = runs_of(measured)
    objectives = Objectives(measured.values, maximize=measured.maximize, decision=decision)
    return mznc_points(runs, objectives=objectives)


def runs_of(measured: QualityMeasure) -> Runs:
    """Times and proofs of a measure beside a runtime; AslibError without one."""
    times, proven, cutoff = measured.times, measured.proven, measured.cutoff
    if times is None or proven is None or cutoff is None:
        raise AslibError(_WHY[_SCORES[2:4]], measured.scenario_id)
    return Runs(times=times, solved=proven, cutoff=cutoff)


POINTS: Mapping[str, Callable[[QualityMeasure], Floats]] = {
    "incomplete": lambda of: incomplete(of.values, maximize=of.maximize, best_known=of.best),
    "satisficing": lambda of: satisficing(of.values, maximize=of.maximize, best_known=of.best),
    "scaled": _scaled,
    "mznc": _mznc,
}


def quality_gaps(lake: OpenLake, metrics: Sequence[str]) -> pl.DataFrame:
    """Gaps with respect to scores of objectives, as ``metric_gaps`` has of costs.

    metrics: names of ``POINTS``. A selector is alone among the algorithms, since some of these scores count
    opponents or the best and worst found. SBS has the best mean of the algorithms alone; VBS has on each
    instance the most that an algorithm has. Pooled over instances whatever the protocol's folds.

    Null, with a reason: where a score is not defined, and where SBS equals VBS.

    Source: Amadini et al. 2023, Definition 3 and section 2.3.
    """
    labels = {p.protocol: p.tag for p in lake.protocols}
    measured = quality_measures(lake.with_all_measures())
    portfolios = {_portfolio(one): one for one in measured if one.kind == "algorithm"}
    rows = [
        (labels[one.protocol], *row)
        for one in measured
        for name in metrics
        for row in _gaps(one, portfolios[_portfolio(one)], name)
    ]
    if not rows:
        raise AslibError("no scenario has a solution_quality measure", str(lake))
    names = list(frame_file("metric_gap_list").columns)
    found = pl.DataFrame(rows, schema=names, orient="row", infer_schema_length=None)
    return found.sort("scenario_id", "measure", "protocol", maintain_order=True)


def _portfolio(measured: QualityMeasure) -> tuple[str, str, str]:
    return measured.protocol, measured.scenario_id, measured.measure


def _gaps(measured: QualityMeasure, portfolio: QualityMeasure, metric: str) -> Iterator[tuple[object, ...]]:
    """A row of ``quality_gaps`` for every solver, best first, without the protocol."""
    why = _undefined(portfolio, metric) or _undefined(measured, metric)
    n, m = len(set(measured.instances)), len(portfolio.solvers)
    rows: list[tuple[Any, ...]] = []
    alone = None if why else POINTS[metric](portfolio)
    for at, solver in enumerate(measured.solvers):
        key = (measured.scenario_id, measured.measure, measured.kind, solver, metric, n)
        if alone is None:
            rows.append((*key, *(None,) * 7, 0, 0, why))
            continue
        points, own = alone, at
        if measured.kind != "algorithm":
            points, own = POINTS[metric](_with(portfolio, measured, at)), m
        sbs = int(alone.mean(axis=0).argmax())
        rows.append((*key, *gap_values(points, own, m, portfolio.solvers, sbs=sbs)))
    yield from sorted(rows, key=lambda row: -np.inf if row[10] is None else -row[10])


def gap_values(
    points: Floats, own: int, m: int, algorithms: Sequence[str], *, sbs: int | None = None
) -> tuple[Any, ...]:
    """The columns of ``metric_gap_list`` from value on, of the solver in a column.

    points: (n_instances, n_solvers), higher is better; the first m columns are the algorithms. own: the
    solver's column. sbs: None = that of the best mean; the first of equals. All are null,
    with a reason, where points are not finite.
    """
    if not np.isfinite(points).all():
        return (*(None,) * 7, 0, 0, "the metric is not defined")
    if sbs is None:
        sbs = int(points[:, :m].mean(axis=0).argmax())
    value, least = points[:, own].mean(), points[:, sbs].mean()
    most = points[:, :m].max(axis=1).mean()
    worst = points[:, :m].min(axis=1).mean()
    gap = closed(-value, sbs=-least, vbs=-most).to_list()[0]
    down = closed(-value, sbs=-least, vbs=-worst).to_list()[0]
    bounded = gap if gap is None or gap >= 0 or down is None else -down
    rest = None if gap is None else 1 - gap
    reason = "SBS equals VBS" if gap is None else None
    scores = (float(value), algorithms[sbs], float(least), float(most))
    return (*scores, gap, rest, bounded, 0, 0, reason)


def _undefined(measured: QualityMeasure, metric: str) -> str | None:
    if metric in _SCORES[:2]:
        low = (np.nan_to_num(measured.values) < 0).any() or (measured.best < 0).any()
        return _WHY[_SCORES[:2]] if low else None
    return _WHY[_SCORES[2:4]] if measured.proven is None else None


def _with(portfolio: QualityMeasure, measured: QualityMeasure, at: int) -> QualityMeasure:
    """The algorithms and, as the last column, one selector of the same instances."""

    def joined(tables: tuple[NDArray[Any] | None, NDArray[Any] | None]) -> Any:
        first, second = tables
        if first is None or second is None:
            return None
        return np.column_stack([first, second[:, at]])

    sign = -1.0 if portfolio.maximize else 1.0
    best = sign * np.fmin(sign * portfolio.best, sign * measured.values[:, at])
    return replace(
        portfolio,
        solvers=(*portfolio.solvers, measured.solvers[at]),
        values=joined((portfolio.values, measured.values)),
        times=joined((portfolio.times, measured.times)),
        proven=joined((portfolio.proven, measured.proven)),
        best=best,
    )


_POINTS = 400  # of a curve, besides the exact values of reversals
_SPAN = 1e6  # from the least delta besides 0 to the largest, at most


@dataclass(frozen=True)
class Sensitivity:
    """The sweep of one group.

    solvers: names of the curves of ``sweep``, all of one kind.
    gaps: PARk and closed gap of all columns of the group; None for delta.
    """

    group: Group
    solvers: tuple[str, ...]
    sweep: Sweep
    gaps: GapSweep | None


def pooled_delta(lake: OpenLake, *, modified: bool = False) -> Sensitivity:
    """Sweep delta for the selectors, the instances of all scenarios as one.

    Under the first protocol; relative if its delta is. modified: modified Borda.
    """
    for protocol in lake.protocols:
        relative = protocol.borda_delta_kind == "relative"
        for group in groups(lake, protocol.protocol, kind="selector", pooled=True):
            return by_delta(group, relative=relative, modified=modified)
    raise nothing_to_sweep("selector")


def by_delta(group: Group, *, relative: bool, modified: bool) -> Sensitivity:
    """The Borda scores of a group's entrants over delta."""
    n, runs = group.n_entrants, group.runs
    entrants = Runs(runs.times[:, :n], runs.solved[:, :n], runs.cutoff)
    sweep = delta_sweep(entrants, relative=relative, modified=modified)
    return Sensitivity(group, group.names[:n], sweep, None)


def nothing_to_sweep(kind: SweptKind | None) -> AslibError:
    """What is raised where no group can be swept."""
    who = f"two {kind}s" if kind else "two selectors or, without any, two algorithms"
    return AslibError(
        "there is nothing to sweep",
        None,
        f"A sweep needs {who} with runtimes. 'aslib-eval score' lists them. Choose another"
        " --kind, or a measure that is a runtime with --measure NAME, or --measure all.",
    )


def delta_frame(found: Sensitivity, *, largest: float) -> pl.DataFrame:
    """Borda scores of every solver, summed over the instances, up to the largest delta.

    One row per solver and delta: exact at each value, which include all reversals
    of two solvers.
    """
    turns = [r.at for r in found.sweep.reversals if r.at <= largest]
    steps = found.sweep.breakpoints
    inside = steps[(steps > 0) & (steps < largest)]
    least = max(float(inside.min(initial=largest / 10)), largest / _SPAN)
    near = log_grid(least, largest, places=_POINTS)
    at = np.unique(np.concatenate([[0.0], near, [largest], turns]))
    scores = found.sweep.scores(at) * found.group.runs.n_instances
    return pl.DataFrame(
        {
            "solver": np.repeat(found.solvers, len(at)),
            "delta": np.tile(at, len(found.solvers)),
            "score": scores.T.ravel(),
        }
    )


@cache
def _registry() -> Registry[OwnMetric]:
    ours = dict.fromkeys((*declared(), *POINTS), OwnMetric(lambda runs: runs.times))
    return Registry("metrics", ours, of_kind(OwnMetric))


def own_metrics() -> list[str]:
    """Names of the metrics of plug-ins that can be used."""
    if not plug_ins("metrics"):
        return []  # before the names that are taken are read
    metrics = _registry()
    return [name for name in metrics.usable() if metrics.plug_in(name) is not None]


def with_own(lake: OpenLake, frame: pl.DataFrame) -> pl.DataFrame:
    """A frame of a row per solver with a column for each metric of a plug-in.

    frame: with the columns SOLVER. The score of a solver is the mean of its points over instances; null for
    VBS, SBS and VWS, and where the metric is not defined.
    """
    names = own_metrics()
    if not names:
        return frame
    found = [
        (
            *(group.protocol, group.scenario_id, group.measure, kind, solver),
            *(score if np.isfinite(score) else None for score in scores),
        )
        for group, kind in _groups(lake)
        for solver, each in _solvers(group, kind, names)
        for scores in [[float(points[:, own].mean()) for points, own in each]]
    ]
    schema = dict.fromkeys(SOLVER, pl.String) | dict.fromkeys(names, pl.Float64)
    values = pl.DataFrame(found, schema=schema, orient="row")
    texts = frame.with_columns(pl.col(SOLVER).cast(pl.String))
    joined = texts.join(values, on=list(SOLVER), how="left", maintain_order="left")
    return frame.with_columns(joined.select(names))


def own_gaps(lake: OpenLake, metrics: Sequence[str]) -> pl.DataFrame:
    """Gaps with respect to metrics of plug-ins, as ``metric_gaps`` has of costs.

    A selector is alone among the algorithms. SBS has the best mean of the algorithms; VBS has on each
    instance the best points of an algorithm. Pooled over instances.
    """
    rows: list[tuple[Any, ...]] = []
    for group, kind in _groups(lake):
        for solver, each in _solvers(group, kind, metrics):
            of = group.scenario_id, group.measure, kind, solver
            for name, (points, own) in zip(metrics, each, strict=True):
                sign = -1.0 if _registry()[name].better == "min" else 1.0
                m = points.shape[1] - (kind != "algorithm")
                skipped = 0 if kind == "algorithm" else group.n_entrants
                values = gap_values(sign * points, own, m, group.names[skipped:])
                value, sbs, least, most, *gaps = values
                scores = (
                    (sign * value, sbs, sign * least, sign * most)
                    if value is not None and least is not None and most is not None
                    else (None,) * 4
                )
                rows.append((group.protocol, *of, name, group.n_instances, *scores, *gaps))
    names = list(frame_file("metric_gap_list").columns)
    found = pl.DataFrame(rows, schema=names, orient="row", infer_schema_length=None)
    order = ["scenario_id", "measure", "protocol", "metric", "kind", "closed_gap"]
    down = [False, False, False, False, True, True]
    return found.sort(order, descending=down, nulls_last=True, maintain_order=True)


def _groups(lake: OpenLake) -> Iterator[tuple[Group, str]]:
    for protocol in sorted(each.protocol for each in lake.protocols):
        for kind in KINDS:
            for group in groups(lake, protocol, kind=kind, least=1):
                yield group, kind


def _solvers(
    group: Group, kind: str, names: Sequence[str]
) -> Iterator[tuple[str, list[tuple[Floats, int]]]]:
    """Every solver with the points of each metric, and its column in them."""
    m = len(group.names)
    together = [_points(group.runs, name) for name in names if kind == "algorithm"]
    for at in range(group.n_entrants):
        if kind == "algorithm":
            yield group.names[at], [(points, at) for points in together]
            continue
        columns = [*range(group.n_entrants, m), at]
        runs = replace(group.runs, times=group.runs.times[:, columns], solved=group.runs.solved[:, columns])
        last = len(columns) - 1
        yield group.names[at], [(_points(runs, name), last) for name in names]


def _points(runs: Runs, name: str) -> Floats:
    try:
        found = np.asarray(_registry()[name].points(runs), float)
    except AslibError:
        raise
    except Exception as error:
        raise _faulty(name, f"failed ({type(error).__name__}: {error})") from error
    if found.shape != runs.times.shape:
        raise _faulty(name, f"returned {found.shape} points for {runs.times.shape}")
    return found


def _faulty(name: str, what: str) -> AslibError:
    return AslibError(what, f"the plug-in {_registry().plug_in(name)}")
