"""The data of a page's script: its runs, and what is told of single instances when a reader asks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from aslib_eval.analysis.results import RunMatrix, ScenarioResults
from aslib_eval.figures.chart import FAR, look
from aslib_eval.figures.gaps import CAUSES

_DIGITS = 4  # of times, values and losses that are told of one instance
_ODD = 8  # features told of an instance, those in which it is least like the others
_POINTS = 40  # of a trajectory
_FEW = 3  # instances and features, below which a map says nothing


def page_data(results: ScenarioResults, link: str | None = None) -> dict[str, Any] | None:
    """Every run of the matrix; None if there is none, or a cost is missing.

    ``par1`` has null where no repetition is solved, as that is the cutoff. Numbers
    keep all digits: what the page computes is what SQL does, but for the rounding of sums.
    """
    matrix = results.complete
    if matrix is None:
        return None
    timed, costs, solved = results.timed, matrix.costs, matrix.solved
    parts = np.argwhere((solved > 0) & (solved < 1)).tolist() if timed else []
    return {
        "solvers": [_solver(results, *solver) for solver in matrix.solvers],
        "instances": list(matrix.instances),
        "timed": timed,
        "cutoff": results.summary["cutoff"],
        "measure": results.with_unit("time") if timed else results.measure,
        "protocol": f"protocol {results.protocol}",
        "k": results.choices["penalty"],
        "maximize": bool(results.summary["maximize"]),
        "strict": results.choices["at_cutoff"] == "unsolved",
        "criterion": results.choices["sbs_criterion"],
        "par1": [
            [_short(c) if s > 0 or not timed else None for c, s in zip(*column, strict=True)]
            for column in zip(costs.T.tolist(), solved.T.tolist(), strict=True)
        ],
        "part": [[column, row, float(solved[row, column])] for row, column in parts],
        "uses": [
            [matrix.number("selector", selector), matrix.number("algorithm", algorithm), n]
            for selector, algorithm, n in results.frames["use"].rows()
            if {("selector", selector), ("algorithm", algorithm)} <= set(matrix.solvers)
        ],
        "intervals": _intervals(results, matrix),
        **_features(results, matrix),
        "families": families_of(results) or None,
        "unit": results.summary["time_unit"] or "",
        "scenario": results.scenario_id,
        "link": link,
    }


def _solver(results: ScenarioResults, kind: str, name: str) -> dict[str, Any]:
    """Kind, name and how it is drawn: of the algorithms the best have a colour."""
    place = results.shown_places.get((kind, name))
    if place is None or (kind == "algorithm" and place >= FAR):
        return {"kind": kind, "name": name}
    return {"kind": kind, "name": name, **{key: v for key, v in asdict(look(place)).items() if v}}


def _intervals(results: ScenarioResults, matrix: RunMatrix) -> list[list[float | None]]:
    """Number of a selector, and the interval of its closed gap; null is no end.

    As in ``gap --interval``: instances are drawn anew, with SBS and VBS in each draw.
    """
    frame = results.frames.get("gap_interval")
    found = () if frame is None else frame.select("solver", "closed_gap", "gap_low", "gap_high").rows()
    return [
        [matrix.number("selector", solver), low, high]
        for solver, gap, low, high in found
        if gap is not None and ("selector", solver) in matrix.solvers
    ]


def _short(value: float) -> float | int:
    """5 instead of 5.0: the same number, in fewer bytes."""
    return int(value) if value.is_integer() and abs(value) < 2**53 else value


def _features(results: ScenarioResults, matrix: RunMatrix) -> dict[str, Any]:
    """What a VBS pays for features on each instance, in the order of the matrix."""
    frame = results.frames["attainable"]
    found = {i: (c, p) for i, c, p in frame.select("instance", "feature_cost", "presolved").rows()}
    if not results.timed or set(found) != set(matrix.instances):
        return {"featureCost": None, "presolved": None}
    return {
        "featureCost": [_short(float(found[i][0])) for i in matrix.instances],
        "presolved": [int(found[i][1]) for i in matrix.instances],
    }


@lru_cache(maxsize=1)
def instance_details(results: ScenarioResults) -> dict[str, Any]:
    """Schedules, losses, trajectories and features of the instances of a page.

    All are by the number of an instance in the page's data; what the lake has not is left out. The page
    reads them when the first instance is opened.
    """
    matrix = results.complete
    if matrix is None:
        return {}
    found: dict[str, Any] = {}
    if matrix.columns("selector"):
        steps, lost = map(results.asked, ("report_schedule", "report_instance_loss"))
        if steps is not None and lost is not None:
            found |= {"causes": list(CAUSES), **_schedules(matrix, steps.rows())}
            found["lost"] = _losses(matrix, lost.rows())
    if curves := _curves(results, matrix):
        found["curves"] = curves
    if (values := values_of(results, matrix)) is not None:
        found |= {"features": values.names, "medians": values.medians()}
        found |= {"odd": values.odd(), "map": values.map()}
    return found


@lru_cache(maxsize=1)
def families_of(results: ScenarioResults) -> dict[str, dict[str, Any]]:
    """Attribute → its values, and which of them each instance of the matrix has.

    Attributes with a value of its own for each instance are left out.
    """
    matrix = results.complete
    found: dict[str, dict[str, str]] = {}
    for attribute, instance, value in results.frames["attribute"].rows():
        found.setdefault(attribute, {})[instance] = value
    told = {}
    for attribute, values in found.items():
        mine = [values.get(instance) for instance in matrix.instances] if matrix else []
        names = sorted({value for value in mine if value is not None})
        if 0 < len(names) < len(mine) - mine.count(None) or len(names) == 1:
            of = [None if value is None else names.index(value) for value in mine]
            told[attribute] = {"names": names, "of": of}
    return told


def _numbers(matrix: RunMatrix) -> dict[str, int]:
    return {name: at for at, name in enumerate(matrix.instances)}


def _schedules(matrix: RunMatrix, rows: Sequence[Sequence[Any]]) -> dict[str, Any]:
    """[selector][instance] → steps: number in ``names``, time, how it ended."""
    at, names = _numbers(matrix), sorted({n for row in rows for n in row[2]})
    of: dict[int, list[list[list[float]] | None]] = {}
    for selector, instance, called, needs, ends in rows:
        if instance in at and ("selector", selector) in matrix.solvers:
            own = of.setdefault(matrix.number("selector", selector), [None] * len(at))
            steps = zip(called, needs, ends, strict=True)
            own[at[instance]] = [[names.index(n), _brief(t), end] for n, t, end in steps]
    return {"names": names, "steps": of}


def _losses(matrix: RunMatrix, rows: Sequence[Sequence[Any]]) -> dict[int, dict[int, list[list[float]]]]:
    """[selector][instance] → [cause, loss] …, of what is lost or won back there."""
    at = _numbers(matrix)
    found: dict[int, dict[int, list[list[float]]]] = {}
    for selector, instance, position, loss in rows:
        if instance in at and ("selector", selector) in matrix.solvers:
            own = found.setdefault(matrix.number("selector", selector), {})
            own.setdefault(at[instance], []).append([position - 1, _brief(loss)])
    return found


def _curves(results: ScenarioResults, matrix: RunMatrix) -> dict[int, dict[int, list[list[float]]]]:
    """[algorithm][instance] → [time, value] … of its first run, where it improves."""
    frame = results.frames["trajectory"]
    if not frame.height:
        return {}
    mine = frame.filter(
        (pl.col("measure") == results.measure)
        & (pl.col("trial") == pl.col("trial").min().over("algorithm", "instance_id"))
        & pl.col("elapsed").is_not_null()
        & pl.col("value").is_finite()
    )
    at = _numbers(matrix)
    found: dict[int, dict[int, list[list[float]]]] = {}
    columns = ("algorithm", "instance_id", "elapsed", "value", "maximize")
    for algorithm, instance, *point, maximize in mine.select(columns).iter_rows():
        if instance not in at or ("algorithm", algorithm) not in matrix.solvers:
            continue
        own = found.setdefault(matrix.number("algorithm", algorithm), {})
        line = own.setdefault(at[instance], [])
        sign = 1 if maximize else -1
        if not line or sign * point[1] > sign * line[-1][1]:
            line.append(point)
    for line in (line for own in found.values() for line in own.values()):
        kept = np.unique(np.linspace(0, len(line) - 1, _POINTS).astype(int))
        line[:] = [[*map(_brief, line[at])] for at in kept]
    return found


def _brief(value: float) -> float | int:
    kept = float(f"{value:.{_DIGITS}g}")
    whole = round(value) if abs(value) >= 10**_DIGITS else kept
    return int(whole) if float(whole).is_integer() else kept


@dataclass(frozen=True, eq=False)
class FeatureValues:
    """Features that differ between the instances of a page.

    values: (n_instances, n_features), nan where there is none. places: the share of the instances that have
    less, of equals half; 0.5 where there is no value.
    """

    names: list[str]
    values: NDArray[np.float64]
    places: NDArray[np.float64]

    def medians(self) -> list[float]:
        """The median of each feature."""
        return [_brief(m) for m in np.nanmedian(self.values, axis=0).tolist()]

    def odd(self) -> list[list[list[float]]]:
        """[instance] → [feature, value, place in %] …, the farthest from the middle."""
        far = np.abs(self.places - 0.5)
        order = np.argsort(-far, axis=1, kind="stable")[:, :_ODD]
        percent = np.rint(100 * self.places).astype(int)
        return [
            [[int(f), _brief(float(self.values[i, f])), int(percent[i, f])] for f in own if far[i, f] > 0]
            for i, own in enumerate(order)
        ]

    def map(self) -> dict[str, Any] | None:
        """Two principal components of the places, and their share of the variance.

        Places and not values, so that no outlier squashes the others. The first
        feature that weighs most has a positive weight, as the sign is free. None with fewer than three
        features or instances.
        """
        if min(self.places.shape) < _FEW:
            return None
        centred = self.places - self.places.mean(axis=0)
        if centred.shape[0] < centred.shape[1]:  # MUSIC-2016: 32 and 4,770
            _, widths, rows = np.linalg.svd(centred, full_matrices=False)
            weights, axes = widths[::-1] ** 2, rows[::-1].T
        else:
            weights, axes = np.linalg.eigh(centred.T @ centred)
        axes = axes[:, :-3:-1]
        heaviest = axes[np.abs(np.round(axes, 6)).argmax(axis=0), [0, 1]]
        at = np.round(centred @ (axes * np.sign(heaviest)), 3) + 0.0
        return {"at": at.tolist(), "shares": np.round(weights[:-3:-1] / weights.sum(), 4).tolist()}


def values_of(results: ScenarioResults, matrix: RunMatrix) -> FeatureValues | None:
    """The features of the instances; None if none differs between them."""
    frame = results.asked("feature_values")
    if frame is None or not frame.height:
        return None
    named = [name.rpartition(" #")[0] or name for name in matrix.instances]
    known = set(frame["instance_id"].unique().to_list())
    names = [n if n in known else own for n, own in zip(
        matrix.instances, named, strict=True)]  # fmt: skip
    at = {name: i for i, name in enumerate(dict.fromkeys(names))}
    features = sorted(frame["name"].unique().to_list())
    place = {name: i for i, name in enumerate(features)}
    found = np.full((len(at), len(features)), np.nan)
    mine = frame.filter(frame["instance_id"].is_in(list(at)))
    row = [at[name] for name in mine["instance_id"].to_list()]
    found[row, [place[name] for name in mine["name"].to_list()]] = mine["value"].to_numpy()
    labelled = [place[n] for n in mine.filter(mine["labelled"])["name"].unique()]
    found[:, labelled] = np.nan_to_num(found[:, labelled])
    differ = np.array([np.unique(own[np.isfinite(own)]).size > 1 for own in found.T], dtype=bool)
    if not differ.any():
        return None
    found = found[[at[name] for name in names]][:, differ]
    kept = [name for name, is_kept in zip(features, differ, strict=True) if is_kept]
    return FeatureValues(kept, found, _places(found))


def _places(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """(n_instances, n_features) The share of the values below each, of equals half."""
    found = np.full(values.shape, 0.5)
    for own, to in zip(values.T, found.T, strict=True):
        known = np.isfinite(own)
        _, which, n = np.unique(own[known], return_inverse=True, return_counts=True)
        to[known] = ((n.cumsum() - n / 2) / known.sum())[which]
    return found
