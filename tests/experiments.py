"""Experiments of optimisers made on the spot, in bayesmark's files and as a table."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import aslib_eval as ae

Floats = NDArray[np.float64]
HEADER = "problem,method,trial,iteration,suggestion,value"


def dataset(dims: Sequence[str], **variables: Any) -> dict[str, Any]:
    """An xarray dataset as a dictionary, without coordinates."""
    return {
        "coords": {},
        "attrs": {},
        "dims": {},
        "data_vars": {
            name: {"dims": list(dims[: np.ndim(values)]), "attrs": {}, "data": values}
            for name, values in variables.items()
        },
    }


def write_study(
    folder: Path,
    number: int,
    variables: Mapping[str, Any],
    *,
    opt: str = "RandomSearch",
    problem: Sequence[str] = ("kNN", "iris", "acc"),
    times: Mapping[str, Any] | None = None,
) -> Path:
    """A study as bayesmark writes it: (iter, suggestion) values of each variable."""
    keys = ("--classifier", "--data", "--metric")
    args = {"--opt": opt, "opt_rev": "0.0.8", "rev": "8c420e9"}
    meta = {"args": {**args, **dict(zip(keys, problem, strict=True))}}
    dims = ("iter", "suggestion")
    path = folder / "eval" / f"{number:032x}.json"
    for file, found in ((path, variables), (folder / "time" / path.name, times)):
        if found is not None:
            file.parent.mkdir(parents=True, exist_ok=True)
            data = dataset(dims, **found)
            file.write_text(json.dumps({"meta": meta, "data": data}))
    return path


def write_derived(folder: Path, case: Mapping[str, Any]) -> Path:
    """derived/eval.json of a case of the reference."""
    names = ("iter", "suggestion", "function", "optimizer", "study_id")
    values = np.array(case["F"], dtype=object)
    table = [[[[list(map(float, n)) for n in m] for m in p] for p in b] for b in values]
    data = dataset(names, _visible_to_opt=table)
    held = (case["problems"], case["methods"], list(range(values.shape[-1])))
    data["coords"] = {
        name: {"dims": [name], "attrs": {}, "data": coordinates}
        for name, coordinates in zip(names[2:], held, strict=True)
    }
    path = folder / "derived" / "eval.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"meta": {}, "data": data}))
    return path


def write_table(path: Path, rows: Sequence[Sequence[Any]], header: str = HEADER) -> Path:
    """A CSV file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [header, *(",".join(map(str, row)) for row in rows)]
    path.write_text("\n".join(lines) + "\n")
    return path


def imported(path: Path, lake: Path, format_: str | None = None) -> Path:
    """Import one scenario, which must go well; gives the lake."""
    (outcome,) = ae.import_scenarios([path], into=lake, input_format=format_)
    assert outcome.error is None, outcome.error
    return lake


def refused(path: Path, lake: Path, format_: str | None = None) -> list[str]:
    """What is wrong with it, a line a finding, without the path of the folder above."""
    (outcome,) = ae.import_scenarios([path], into=lake, input_format=format_)
    assert outcome.error is not None
    assert not list(lake.glob("*.json"))  # nothing is half written
    return str(outcome.error).replace(f"{path.parent}/", "").splitlines()
