"""Metrics of other packages: functions of arrays, in ``score`` and ``gap --metric``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import polars as pl

from aslib_eval.analysis.objectives import POINTS, gap_values
from aslib_eval.analysis.runs import KINDS, Group, groups
from aslib_eval.database.metrics import declared
from aslib_eval.database.open_lake import OpenLake
from aslib_eval.database.sqlfiles import SOLVER, frame_file
from aslib_eval.errors import AslibError
from aslib_eval.metrics.runs import Floats, OwnMetric, Runs
from aslib_eval.plugins import Registry, of_kind, plug_ins


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
            *(_number(points[:, own].mean()) for points, own in each),
        )
        for group, kind in _groups(lake)
        for solver, each in _solvers(group, kind, names)
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
                key = (group.protocol, *of, name, group.n_instances)
                rows.append((*key, *scores, *gaps))
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
    """(n_instances, n_solvers) points of a metric."""
    try:
        found = np.asarray(_registry()[name].points(runs), float)
    except AslibError:
        raise
    except Exception as error:
        why = f"failed ({type(error).__name__}: {error})"
        raise _faulty(name, why) from error
    if found.shape != runs.times.shape:
        raise _faulty(name, f"returned {found.shape} points for {runs.times.shape}")
    return found


def _faulty(name: str, what: str) -> AslibError:
    return AslibError(what, f"the plug-in {_registry().plug_in(name)}")


def _number(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
