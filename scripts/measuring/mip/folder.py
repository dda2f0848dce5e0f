"""Journal → the tables of the scenario."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from measuring.plan import KINDS, Folder, Key, Record

from . import MEMORY, SCENARIO, STEPS, catalogue
from .families import Dice
from .report import citation, readme
from .solvers import CUTOFF, SOLVERS

FOLDS = 10
PENALTY = 10  # the runtime of what was not proved is so many times the cutoff
Kinds = Mapping[str, Sequence[Record]]
Row = dict[str, Any]


def assemble(records: Sequence[Record], sessions: Sequence[Mapping[str, Any]]) -> Folder:
    """The folder of all instances that were measured whole; the others are left out."""
    names = _whole([record.key for record in records])
    kinds: dict[str, list[Record]] = {kind: [] for kind in KINDS}
    order = {name: at for at, name in enumerate((*names, *SOLVERS, *STEPS))}
    for record in sorted(
        (r for r in records if r.key[1] in order), key=lambda r: (order[r.key[1]], order[r.key[2]])
    ):
        kinds[record.key[0]].append(record)
    best = best_known(kinds)
    for kind in ("run", "repeat"):
        kinds[kind] = [believed(record, best) for record in kinds[kind]]
    tables = _described(kinds["feature"]) | _measured(kinds) | _features(kinds)
    proved = {r.key[1] for r in (*kinds["run"], *kinds["repeat"]) if r.found["proved"]}
    tables["reference"] = [
        {"instance_id": name, "role": role, "value": number, "label": word}
        for name in names
        for role, number, word in (
            ("best_known", best[name], None),
            ("proof", None, "optimal" if name in proved else "open"),
            ("trivial", catalogue.model(name).trivial, None),
        )
    ]
    tables["fold"] = [
        {"cv_repetition": 1, "fold": fold, "instance_id": name}
        for name, fold in stratified(names, kinds["run"]).items()
    ]
    text = readme(kinds, best, proved, sessions)
    return Folder(_frames(tables), text, citation())


def _whole(keys: Iterable[Key]) -> list[str]:
    """Instances of which every run and feature step is there."""
    wanted = len(SOLVERS) + len(STEPS)
    done: dict[str, int] = {}
    for kind, name, *_ in keys:
        done[name] = done.get(name, 0) + (kind in {"run", "feature"})
    names = catalogue.names()
    whole = [name for name in names if done.get(name) == wanted]
    if left := len(names) - len(whole):
        what = f"{left} of {len(names)} instances are not measured whole, left out"
        print(what, file=sys.stderr)
    return whole


def best_known(kinds: Kinds) -> dict[str, int]:
    """Instance → the best value that any run reached, else what is trivial."""
    best: dict[str, int] = {}
    for record in kinds["run"]:
        best.setdefault(record.key[1], catalogue.model(record.key[1]).trivial)
    for record in (*kinds["run"], *kinds["repeat"]):
        values = [value for _, value in record.found["points"]]
        best[record.key[1]] = min([best[record.key[1]], *values])
    return best


def believed(record: Record, best: Mapping[str, int]) -> Record:
    """The record; if it claims for optimal what somebody bettered, it proves nothing.

    The better solution was checked exactly, the claim cannot be.
    """
    last = record.found["points"][-1:]
    if not record.found["proved"] or last[0][1] == best[record.key[1]]:
        return record
    return replace(record, found={**record.found, "proved": False, "refuted": True})


def objective(record: Record) -> int:
    """The value at the cutoff: the last point's, else what is trivial."""
    points = record.found["points"]
    value: int = points[-1][1] if points else catalogue.model(record.key[1]).trivial
    return value


def runtime(record: Record) -> float:
    """Until the proof of optimality; ten times the cutoff where there was none."""
    if not record.found["proved"]:
        return float(PENALTY * CUTOFF)
    last = record.found["points"][-1][0]
    return float(round(max(record.found["ended"], last), 6))


def _described(features: Sequence[Record]) -> dict[str, list[Row]]:
    """What description.txt says."""
    provides: dict[str, dict[str, None]] = {step: {} for step in STEPS}
    for record in features:
        provides[record.key[2]] |= dict.fromkeys(record.found["values"] or {})
    limits = {
        "maximize": False,
        "cutoff": CUTOFF,
        "cutoff_memory": MEMORY >> 20,
        "features_cutoff_time": CUTOFF,
        "features_cutoff_memory": MEMORY >> 20,
        "time_unit": "s",
    }
    measures = (("objective", "solution_quality"), ("runtime", "runtime"))
    return {
        "scenario": [{"measure": m, "measure_type": t, **limits} for m, t in measures],
        "algorithm": [{"algorithm": name, "deterministic": True} for name in SOLVERS],
        "feature": [
            {"feature": name, "deterministic": True} for names in provides.values() for name in names
        ],
        "feature_step": [
            {"step": step, "provides": list(names), "is_default": True} for step, names in provides.items()
        ],
    }


def _measured(kinds: Kinds) -> dict[str, list[Row]]:
    """Runs by both measures, and the points on their way."""
    runs: list[Row] = []
    points: list[Row] = []
    for record in kinds["run"]:
        _, name, algorithm, _ = record.key
        of = {"instance_id": name, "algorithm": algorithm}
        for measure, value in (("objective", objective), ("runtime", runtime)):
            run = {"repetition": 1, "measure": measure, "value": float(value(record))}
            runs.append({**of, **run, "runstatus": record.found["status"]})
        for step, (elapsed, value) in enumerate(record.found["points"], start=1):
            at = {"trial": 1, "measure": "objective", "step": step, "suggestion": 1}
            points.append({**of, **at, "elapsed": elapsed, "value": float(value)})
    return {"run": runs, "trajectory": points}


def _features(kinds: Kinds) -> dict[str, list[Row]]:
    """Features, what they cost and how they ended."""
    values: list[Row] = []
    costs: list[Row] = []
    statuses: list[Row] = []
    for record in kinds["feature"]:
        _, name, step, _ = record.key
        of = {"instance_id": name, "repetition": 1}
        for feature, value in (record.found["values"] or {}).items():
            values.append({**of, "feature": feature, "value": float(value)})
        cost = record.found["cost"]
        cost = CUTOFF if cost is None else round(cost, 6)
        costs.append({**of, "step": step, "cost": float(cost)})
        statuses.append({**of, "step": step, "runstatus": record.found["status"]})
    return {"feature_value": values, "feature_cost": costs, "feature_status": statuses}


def stratified(names: Sequence[str], runs: Sequence[Record]) -> dict[str, int]:
    """Deal the instances, sorted by family and by proofs, to ten folds.

    Each ten in a row go to ten different folds, in random order.
    """
    dice = Dice(f"{SCENARIO} folds")
    proofs = dict.fromkeys(names, 0)
    for record in runs:
        proofs[record.key[1]] += record.found["proved"]
    order = sorted(names, key=lambda n: (catalogue.family_of(n), proofs[n], n))
    folds: dict[str, int] = {}
    for start in range(0, len(order), FOLDS):
        dealt = dice.shuffled(FOLDS)
        for name, fold in zip(order[start : start + FOLDS], dealt, strict=False):
            folds[name] = fold + 1
    return {name: folds[name] for name in names}


def _frames(tables: Mapping[str, list[Row]]) -> dict[str, Any]:
    import polars as pl

    return {name: pl.DataFrame(rows, infer_schema_length=None) for name, rows in tables.items()}
