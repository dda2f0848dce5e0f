"""Boards of inference contests, and their changes by better best known answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import polars as pl

from aslib_eval.database.open_lake import OpenLake
from aslib_eval.errors import AslibError, os_errors
from aslib_eval.extensions.inference.contest import load, read_contest, tasks_of
from aslib_eval.extensions.inference.uai import best_known, over_limits, score, variable_errors
from aslib_eval.formats.sources import CsvTable, Location
from aslib_eval.metrics.ranking import ranks
from aslib_eval.metrics.scale import Floats
from aslib_eval.paths import read_plain
from aslib_eval.text import list_names, plural

Row = tuple[object, ...]
FINAL = "final"
BOARD: tuple[str, ...] = (
    *("scenario_id", "task", "limit", "place", "solver", "score", "n"),
    *("answered", "missing", "invalid"),
)
CHANGES: tuple[str, ...] = (
    *("scenario_id", "task", "limit", "solver", "n", "instances", "lost"),
    *("score_before", "score_after", "change", "place_before", "place_after"),
)
INSTANCES: tuple[str, ...] = (
    *("scenario_id", "task", "limit", "instance_id", "solver"),
    *("best_before", "best_after", "score_before", "score_after", "change"),
)
VARIABLES: tuple[str, ...] = (
    *("instance_id", "variable", "cardinality", "limit", "solver"),
    *("error", "trivial", "score", "share", "reason"),
)
BY_BEST = ("MAP", "MMAP")  # tasks that compare with the best answer; others compare with the truth
# Columns of rows over all limits with the greatest count of any limit.
_MOST = ("n", "instances", "lost")
_TOLERANCE = 1e-9  # scores this close share a place
_NAMES = {
    "instance": ("instance_id", "instance", "network"),
    "best": ("log10_best", "best", "value"),
    "scenario": ("scenario_id", "scenario"),
}
Known = Mapping[tuple[str, str], float]


def board(lake: OpenLake) -> pl.DataFrame:
    """The board of each task: a row for each limit and solver, best first.

    limit: the time limit, or ``final``: over all limits, with the weights of the contest. score: mean over
    all ``n`` instances, from 0 to 100; an instance without a valid answer counts 0. Equal scores share the
    better place.

    Source: UAI inference competition 2022, evaluation.
    """
    return pl.DataFrame([*_board_rows(lake)], schema=BOARD, orient="row", infer_schema_length=None)


def _board_rows(lake: OpenLake) -> Iterator[Row]:
    frame = lake.ask("contest_scores")
    if not frame.height:
        hint = "Type aslib-eval import --input-format uai FOLDER to import one."
        raise AslibError("the lake has no contest of inference solvers", None, hint)
    for part in frame.partition_by("scenario_id", "measure", maintain_order=True):
        rows = part.rows(named=True)
        whole = rows[0]["measure"] == "score"
        single = (
            whole
            and frame.filter(
                (frame["scenario_id"] == part["scenario_id"][0]) & (frame["measure"] != "score")
            ).is_empty()
        )
        limit = FINAL if whole else rows[0]["measure"].removeprefix("score_")
        if single and rows[0]["cutoff"] is not None:
            limit = f"{rows[0]['cutoff']:.15g}"
        for row, place in zip(rows, _places(part["score"].to_numpy()), strict=True):
            counts = (row[name] for name in ("n", "answered", "missing", "invalid"))
            key = (str(row["scenario_id"]), _task(str(row["scenario_id"])), limit)
            yield *key, int(place), str(row["solver"]), row["score"], *counts


def _places(scores: Floats) -> Floats:
    return ranks(scores, higher_is_better=True, tolerance=_TOLERANCE)


def _task(scenario_id: str) -> str:
    """The task of a scenario NAME-TASK."""
    return scenario_id.rpartition("-")[2]


def read_best(path: Path) -> Known:
    """Best known values of a CSV file: (scenario or "", instance) → log10 likelihood."""
    with os_errors(str(path)):
        content = read_plain(path)
    table = CsvTable(content, file=str(path), names=_NAMES)
    table.require(("instance", "best"))
    found = {
        (row.text("scenario"), row.name("instance")): row.number("best", required=True)
        for row in table.rows()
    }
    if table.findings:
        first = table.findings[0]
        raise AslibError(first.message, f"{path}:{first.line}", first.hint)
    return {key: float(value) for key, value in found.items() if value is not None}


def best_changes(
    lake: OpenLake, known: Known, *, show: str = "solvers", weights: Sequence[float] = ()
) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """Scores of MAP and MMAP before and after better answers became known, and remarks.

    known: (scenario id, instance) → log10 likelihood of the best known answer; the scenario "" means all. A
    better answer increases the errors of all answers, with the trivial one, by the same amount: no score
    rises or falls below 0.

    show: ``solvers``, a row for each task, limit and solver: mean scores and places before and after,
    ``instances`` with another score and ``lost``, the instances where it was the best; or ``instances``, a
    row for each changed score. weights: of the ascending limits, as in contest.toml; adds the ``final``
    order of ``solvers``.

    PR, MAR and MLC compare with the truth: to correct that, import the folder again with another
    roles/best.

    Source: UAI inference competition 2022: "scores for the same solver on the same problems can change as
        better solutions become available".
    """
    frame = lake.ask("contest_errors")
    frame = frame.with_columns(pl.col(pl.Categorical, pl.Enum).cast(pl.String))
    tasks = frame["scenario_id"].map_elements(_task, return_dtype=pl.String)
    frame = frame.filter(tasks.is_in(BY_BEST))
    if not frame.height:
        what = f"the lake has no contest of {' or '.join(BY_BEST)}"
        hint = "Other tasks have a true answer: correct roles/best, and import the contest again."
        raise AslibError(what, None, hint)
    at = set(frame.select("scenario_id", "instance_id").rows())
    names = {instance for _, instance in at}
    for scenario, instance in known:
        if (scenario, instance) not in at and (scenario or instance not in names):
            where = f"{scenario} {instance}".strip()
            hint = 'Type aslib-eval query "select distinct instance_id from raw_reference" to see all.'
            raise AslibError(f"there is no instance {where}", None, hint)
    rows: list[Row] = []
    remarks = _remarks(frame, known)
    for part in frame.partition_by("scenario_id", "measure", maintain_order=True):
        after = _rescored(part, known)
        rows += _instance_rows(part, *after) if show == "instances" else (_change_rows(part, *after))
    if weights and show == "solvers":
        rows += _final_rows(rows, weights)
    schema = INSTANCES if show == "instances" else CHANGES
    return pl.DataFrame(rows, schema=schema, orient="row", infer_schema_length=None), remarks


def _new_best(row: Mapping[str, object], known: Known) -> float:
    """The better value of the lake and of ``known``; nan without one in the lake."""
    scenario, instance = str(row["scenario_id"]), str(row["instance_id"])
    now = known.get((scenario, instance), known.get(("", instance), -np.inf))
    before = row["best"]
    if before is None:
        return np.nan
    return best_known([float(str(before))], known=now)


def _rescored(part: pl.DataFrame, known: Known) -> tuple[Floats, Floats]:
    """New best values and new scores of the rows; nan and 0 without a best value."""
    best = np.array([_new_best(row, known) for row in part.iter_rows(named=True)])
    error, scale, before = (
        part[name].cast(float).fill_null(np.nan).to_numpy() for name in ("error", "scale", "best")
    )
    grown = np.where(best > before, best - before, 0.0)
    scores = np.zeros(part.height)
    there = np.isfinite(scale) | np.isinf(scale)
    scores[there] = score((error + grown)[there], trivial=(scale + grown)[there])
    return best, scores


def _instance_rows(part: pl.DataFrame, best: Floats, after: Floats) -> Iterator[Row]:
    for at, row in enumerate(part.iter_rows(named=True)):
        change = float(after[at] - row["score"])
        if abs(change) > _TOLERANCE:
            key = _change_key(row)
            values = (row["score"], float(after[at]), change)
            yield (*key, row["instance_id"], row["solver"], row["best"], best[at], *values)


def _change_rows(part: pl.DataFrame, best: Floats, after: Floats) -> Iterator[Row]:
    full = part.with_columns(pl.Series("after", after), pl.Series("new", best))
    each = list(full.partition_by("solver", maintain_order=True))
    before = np.array([own["score"].mean() for own in each], float)
    now = np.array([own["after"].mean() for own in each], float)
    for i, values in _placed(before, now):
        own = each[i]
        changed = (own["after"] - own["score"]).abs() > _TOLERANCE
        lost = int((changed & (own["error"] == 0)).sum())
        key = (*_change_key(own.row(0, named=True)), own["solver"][0], own.height)
        yield *key, int(changed.sum()), lost, *values


def _final_rows(rows: Sequence[Row], weights: Sequence[float]) -> Iterator[Row]:
    for scenario in dict.fromkeys(str(row[0]) for row in rows):
        own = [dict(zip(CHANGES, row, strict=True)) for row in rows if row[0] == scenario]
        limits = sorted({str(r["limit"]) for r in own}, key=lambda x: 0.0 if x == FINAL else float(x))
        solvers = sorted({str(r["solver"]) for r in own})
        at = {(str(r["limit"]), str(r["solver"])): r for r in own}
        if limits == [FINAL]:
            continue
        tables = (
            [[float(str(at[x, s][name])) for s in solvers] for x in limits]
            for name in ("score_before", "score_after")
        )
        before, after = (over_limits(table, weights=weights) for table in tables)
        for i, values in _placed(before, after):
            each = [at[x, solvers[i]] for x in limits]
            counts = (max(int(str(r[name])) for r in each) for name in _MOST)
            yield scenario, _task(scenario), FINAL, solvers[i], *counts, *values


def _placed(before: Floats, after: Floats) -> Iterator[tuple[int, Row]]:
    """Solvers, the best afterwards first, with scores before and after, their change, and both places."""
    places = _places(before), _places(after)
    for i in np.lexsort([np.arange(len(after)), -after]).tolist():
        scores = (float(before[i]), float(after[i]), float(after[i] - before[i]))
        yield i, (*scores, int(places[0][i]), int(places[1][i]))


def _change_key(row: Mapping[str, object]) -> tuple[str, str, str]:
    scenario, measure = str(row["scenario_id"]), str(row["measure"])
    return scenario, _task(scenario), measure.removeprefix("error").removeprefix("_") or FINAL


def _remarks(frame: pl.DataFrame, known: Known) -> tuple[str, ...]:
    pairs = frame.unique(["scenario_id", "instance_id"], maintain_order=True)
    better = [
        f"{row['instance_id']} of {row['scenario_id']}"
        for row in pairs.iter_rows(named=True)
        if row["best"] is not None and _new_best(row, known) > row["best"]
    ]
    if not better:
        return ("no given value is better than in the lake, so no score changes",)
    what = plural(len(better), "instance")
    return (f"the given values improve the best known answer of {what}: {list_names(better, most=5)}",)


def marginal_errors(folder: Path) -> pl.DataFrame:
    """Hellinger distance of every variable's marginal, from a contest's folder.

    A row for each network, unobserved variable, limit and solver. ``trivial``: the distance of the uniform
    distribution (or of roles/trivial). ``score``: the score of the variable alone. ``share``: its part of
    the summed error of the answer; null without any error. Without a valid answer values are null, with a
    ``reason``. The mean of ``error`` over the variables of a network is its error in the lake.
    """
    if not folder.is_dir() or "MAR" not in tasks_of(folder):
        hint = "Name a folder with answers/SOLVER/NAME.uai.MAR."
        raise AslibError("is not a contest with answers to MAR", str(folder), hint)
    location = Location(folder, str(folder), "MAR")
    contest = read_contest(location, load(location))
    wrong = [f for f in contest.findings if f.severity == "error"]
    if wrong:
        raise AslibError(wrong[0].message, wrong[0].file, wrong[0].hint)
    rows: list[Row] = []
    for instance, cards, errors, trivial in variable_errors(contest):
        total = np.nansum(errors, axis=0)  # (n_limits, n_solvers)
        marks = score(errors, trivial=trivial[:, None, None])
        for at, (variable, card) in enumerate(cards.items()):
            for limit, s in np.ndindex(total.shape):
                about = (instance, variable, card, contest.settings.labels[limit] or FINAL)
                error, whole = float(errors[at, limit, s]), float(total[limit, s])
                found: Row = (None, float(trivial[at]), None, None, "no valid answer")
                if not np.isnan(error):
                    share = error / whole if whole else None
                    found = (error, float(trivial[at]), float(marks[at, limit, s]), share, None)
                rows.append((*about, contest.solvers[s], *found))
    return pl.DataFrame(rows, schema=VARIABLES, orient="row", infer_schema_length=None)
