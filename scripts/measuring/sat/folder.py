"""Journal → the tables of the scenario."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from measuring.plan import KINDS, Folder, Record

from . import CUTOFF, MEMORY, SCENARIO, SOLVERS, STEPS, instances
from .draw import Draw
from .report import citation, readme

FOLDS = 10
UNSTEADY = ("clustering", "failed_share", "fixed_share", "implied", "walk")  # depend on a seed
Row = dict[str, Any]


def assemble(records: Sequence[Record], sessions: Sequence[Mapping[str, Any]]) -> Folder:
    """The folder of all instances that were measured whole; the others are named."""
    kinds: dict[str, list[Record]] = {kind: [] for kind in KINDS}
    for record in records:
        kinds[record.key[0]].append(record)
    whole = _whole(kinds)
    for kind, found in kinds.items():
        kinds[kind] = sorted((r for r in found if r.key[1] in whole), key=lambda r: _place(r, whole))
    truth = _truth([*kinds["run"], *kinds["repeat"], *kinds["feature"]])
    values = _values(kinds["feature"])
    tables = _described(values)
    tables |= {"feature_value": values, **_measured(kinds)}
    tables["reference"] = [
        {"instance_id": name, "role": "SATUNSAT", "label": truth.get(name, "?")} for name in whole
    ]
    folds = stratified({name: _hardness(name, kinds["run"]) for name in whole})
    tables["fold"] = [
        {"cv_repetition": 1, "fold": fold, "instance_id": name} for name, fold in folds.items()
    ]
    text = readme(kinds, truth, sessions)
    return Folder(_frames(tables), text, citation())


def _whole(kinds: Mapping[str, Sequence[Record]]) -> dict[str, int]:
    """Instances with all runs and features → their place in the catalogue."""
    done: dict[str, int] = {}
    for record in (*kinds["run"], *kinds["feature"]):
        done[record.key[1]] = done.get(record.key[1], 0) + 1
    names = list(instances())
    whole = [n for n in names if done.get(n) == len(SOLVERS) + len(STEPS)]
    if len(whole) < len(names):
        left = f"{len(names) - len(whole)} of {len(names)} instances are not measured"
        print(f"{left} whole; they are left out", file=sys.stderr)
    return {name: place for place, name in enumerate(whole)}


def _place(record: Record, whole: Mapping[str, int]) -> tuple[int, int]:
    _, name, what, _ = record.key
    order = SOLVERS if what in SOLVERS else STEPS
    return whole[name], order.index(what)


def _truth(records: Iterable[Record]) -> dict[str, str]:
    """Instance → SAT or UNSAT where something decided it; all must agree."""
    said: dict[str, set[bool]] = {}
    for record in records:
        if record.found.get("wrong_model"):
            raise SystemExit(f"{record.key}: the model does not satisfy the clauses")
        if record.found["answer"] is not None:
            said.setdefault(record.key[1], set()).add(record.found["answer"])
    if torn := [name for name, answers in said.items() if len(answers) > 1]:
        raise SystemExit(f"SAT and UNSAT were both said of {', '.join(torn)}")
    return {name: "SAT" if True in answers else "UNSAT" for name, answers in said.items()}


def _values(features: Sequence[Record]) -> list[Row]:
    """Values, the deterministic features first, as the format wants its columns.

    Features that are the same for all instances are left out.
    """
    rows = [
        {"instance_id": r.key[1], "feature": name, "value": float(value), "by": r.key[2]}
        for r in features
        for name, value in (r.found["values"] or {}).items()
    ]
    seen: dict[str, set[float]] = {}
    place: dict[str, int] = {}
    for row in rows:
        seen.setdefault(row["feature"], set()).add(row["value"])
        place.setdefault(row["instance_id"], len(place))
    rows = [row for row in rows if len(seen[row["feature"]]) > 1]
    rows.sort(key=lambda row: row["feature"].startswith(UNSTEADY))
    return sorted(rows, key=lambda row: place[row["instance_id"]])


def _described(values: Sequence[Row]) -> dict[str, list[Row]]:
    """What description.txt says."""
    provides: dict[str, list[str]] = {step: [] for step in STEPS}
    for row in values:
        if row["feature"] not in provides[row["by"]]:
            provides[row["by"]].append(row["feature"])
    measure = {
        "measure": "runtime",
        "measure_type": "runtime",
        "maximize": False,
        "cutoff": CUTOFF,
        "cutoff_memory": MEMORY / (1 << 20),
        "features_cutoff_time": CUTOFF,
        "features_cutoff_memory": MEMORY / (1 << 20),
        "time_unit": "s",
    }
    return {
        "scenario": [measure],
        "algorithm": [{"algorithm": name, "deterministic": True} for name in SOLVERS],
        "feature": [
            {"feature": name, "deterministic": steady}
            for steady in (True, False)  # the format wants the deterministic ones first
            for names in provides.values()
            for name in names
            if name.startswith(UNSTEADY) != steady
        ],
        "feature_step": [
            {"step": step, "provides": names, "is_default": True} for step, names in provides.items()
        ],
    }


def _measured(kinds: Mapping[str, Sequence[Record]]) -> dict[str, list[Row]]:
    """Runs, features, what they cost and how they ended."""
    runs = [
        {
            "instance_id": record.key[1],
            "repetition": 1,
            "algorithm": record.key[2],
            "measure": "runtime",
            "value": seconds(record),
            "runstatus": record.found["status"],
        }
        for record in kinds["run"]
    ]
    costs: list[Row] = []
    statuses: list[Row] = []
    for record in kinds["feature"]:
        _, name, step, _ = record.key
        of = {"instance_id": name, "repetition": 1}
        costs.append({**of, "step": step, "cost": seconds(record)})
        decided = record.found["answer"] is not None
        status = "presolved" if decided else record.found["status"]
        statuses.append({**of, "step": step, "runstatus": status})
    return {"run": runs, "feature_cost": costs, "feature_status": statuses}


def seconds(record: Record) -> float:
    """The run's CPU time; the cutoff where that ended it."""
    if record.found["status"] == "timeout":
        return CUTOFF
    return round(min(record.outcome.cpu, CUTOFF), 6)


def _hardness(name: str, runs: Sequence[Record]) -> tuple[str, float]:
    """Family, and the mean time with a timeout counted as the cutoff."""
    times = [seconds(r) for r in runs if r.key[1] == name]
    return instances_family(name), sum(times) / len(times)


def instances_family(name: str) -> str:
    """The family is the first word of the name."""
    return name.split("-", maxsplit=1)[0]


def stratified(hardness: Mapping[str, tuple[str, float]]) -> dict[str, int]:
    """Deal the instances, sorted by family and hardness, to ten folds.

    Each ten in a row go to ten different folds, in random order.
    """
    draw = Draw(SCENARIO, "folds")
    order = sorted(hardness, key=lambda name: (*hardness[name], name))
    folds: dict[str, int] = {}
    for start in range(0, len(order), FOLDS):
        some = order[start : start + FOLDS]
        dealt = list(range(1, FOLDS + 1))
        draw.shuffle(dealt)
        folds |= dict(zip(some, dealt, strict=False))
    return {name: folds[name] for name in hardness}


def _frames(tables: Mapping[str, list[Row]]) -> dict[str, Any]:
    import polars as pl

    frames = {name: pl.DataFrame(rows) for name, rows in tables.items()}
    one = pl.lit(1).alias("repetition")
    values = frames["feature_value"].drop("by", strict=False)
    frames["feature_value"] = values.with_columns(one)
    return frames
