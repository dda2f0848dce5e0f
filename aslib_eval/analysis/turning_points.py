"""Sweeps → polars frames: turns of pairs, rankings by interval, scores by value."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from aslib_eval.analysis.sensitivity import Sensitivity
from aslib_eval.errors import AslibError
from aslib_eval.metrics.sweep import Reversal

if TYPE_CHECKING:
    import polars as pl


def reversals(found: Sequence[Sensitivity]) -> pl.DataFrame:
    """One row per exchange of two solvers' places, with the exact parameter.

    Columns: protocol, scenario_id, measure, n (instances), parameter, at, tied_from,
    before, after (the better one before, and from there on).
    """
    import polars as pl

    rows = [
        (*_key(one), r.at, r.tied_from, one.solvers[r.before], one.solvers[r.after])
        for one in found
        for r in one.sweep.reversals
    ]
    names = [*_KEY, "at", "tied_from", "before", "after"]
    return pl.DataFrame(rows, schema=_schema(names), orient="row")


def pairs(found: Sequence[Sensitivity]) -> pl.DataFrame:
    """One row per two solvers that change places: how often, and between which values.

    Columns: protocol, scenario_id, measure, n (instances), parameter, solver, other,
    first and last value at which they change places, n_reversals, better_before (the
    first) and better_after (the last).
    """
    import polars as pl

    rows = []
    for one in found:
        turns: dict[tuple[int, int], list[Reversal]] = {}
        for r in one.sweep.reversals:
            turns.setdefault((min(r[:2]), max(r[:2])), []).append(r)
        for these in turns.values():
            start, end = these[0], these[-1]
            who = (start.before, start.after, start.before, end.after)
            solver, other, *ends = (one.solvers[i] for i in who)
            pair = (solver, other, start.at, end.at, len(these))
            rows.append((*_key(one), *pair, *ends))
    names = [*_KEY, "solver", "other", "first", "last", "n_reversals"]
    names += ["better_before", "better_after"]
    return pl.DataFrame(rows, schema=_schema(names), orient="row")


def intervals(found: Sequence[Sensitivity]) -> pl.DataFrame:
    """One row per interval of the parameter on which the ranking is one.

    Columns: protocol, scenario_id, measure, n, parameter, start, end (where the next
    begins), ranking (best first, = between equal ones).
    """
    import polars as pl

    rows = []
    for one in found:
        starts, ranks = one.sweep.rankings
        ends = np.append(starts[1:], one.sweep.curves[0].end)
        for start, end, ranking in zip(starts, ends, ranks, strict=True):
            text = _ranking(one.solvers, ranking)
            rows.append((*_key(one), float(start), float(end), text))
    names = [*_KEY, "start", "end", "ranking"]
    return pl.DataFrame(rows, schema=_schema(names), orient="row")


def values(
    found: Sequence[Sensitivity], *, at: Sequence[float] | None = None
) -> pl.DataFrame:
    """One row per solver and value of the parameter: score, rank and closed gap.

    at: which values; by default all at which something changes. Raises AslibError for
    one outside of the parameter's domain.
    """
    import polars as pl

    frames = []
    for one in found:
        _require_inside(one, at or ())
        points = np.asarray(at if at is not None else one.sweep.breakpoints, float)
        scores, ranks = one.sweep.scores(points), one.sweep.ranks(points)
        n = len(one.solvers)
        keys = dict(zip(_KEY, _key(one), strict=True))
        columns = {
            "value": np.repeat(points, n),
            "solver": list(one.solvers) * len(points),
            "score": scores.ravel(),
            "rank": ranks.ravel().astype(np.int64),
            "closed_gap": pl.Series(_gaps(one, points), dtype=pl.Float64),
        }
        frame = pl.DataFrame(columns).select(
            *(pl.lit(value).alias(name) for name, value in keys.items()), pl.all()
        )
        frames.append(frame)
    return pl.concat(frames)


def _gaps(one: Sensitivity, points: NDArray[np.float64]) -> list[float | None]:
    """Closed gap of every solver at every point; None where it is not defined."""
    n = len(one.solvers)
    if one.gaps is None or not one.group.has_gap:
        return [None] * (n * len(points))
    table = np.array(one.gaps.gaps(points).to_list(), dtype=object)
    found: list[float | None] = table.reshape(len(points), -1)[:, :n].ravel().tolist()
    return found


def _require_inside(one: Sensitivity, at: Sequence[float]) -> None:
    curve = one.sweep.curves[0]
    first, last = float(curve.starts[0]), curve.end
    if wrong := [x for x in at if not first <= x <= last]:
        where = f"{one.group.scenario_id}, {one.sweep.parameter}"
        what = f"{wrong[0]:g} is not between {first:g} and {last:g}"
        raise AslibError(what, where)


def _schema(names: Sequence[str]) -> dict[str, pl.DataType]:
    import polars as pl

    counts = dict.fromkeys(("n", "n_reversals"), pl.Int64())
    numbers = counts | dict.fromkeys(_NUMBERS, pl.Float64())
    return {name: numbers.get(name, pl.String()) for name in names}


_NUMBERS = ("at", "tied_from", "start", "end", "first", "last")
_KEY = ("protocol", "scenario_id", "measure", "n", "parameter")


def _key(one: Sensitivity) -> tuple[str, str, str, int, str]:
    group = one.group
    key = group.protocol, group.scenario_id, group.measure, group.n_instances
    return *key, one.sweep.parameter


def _ranking(names: Sequence[str], ranks: NDArray[np.int64]) -> str:
    order = sorted(range(len(names)), key=lambda i: (ranks[i], names[i]))
    text = names[order[0]]
    for before, now in pairwise(order):
        text += (" = " if ranks[before] == ranks[now] else " > ") + names[now]
    return text
