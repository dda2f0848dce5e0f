"""ERT and best values by iohinspector 0.0.8: python ioh_oracle.py FOLDER.

It reads the folders BBOB and PBO in FOLDER, and writes expected.json:
``ert``: [suite, algorithm, function, dimension, instance, target, ERT or null, number of runs that reached
it]; ``best``: [suite, algorithm, function, dimension, instance, evaluations, mean of the best values until
then].
"""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import Any

import iohinspector
import polars as pl

KEYS = ["algorithm_name", "function_id", "dimension", "instance"]
_EVERY = 12  # of the fifty targets and budgets that the tool chooses


def frozen(top: Path, suite: str) -> tuple[list[Any], list[Any]]:
    """The two lists of a suite."""
    manager = iohinspector.DataManager()
    for folder in sorted((top / suite).iterdir()):
        manager.add_folder(str(folder))
    data = manager.load(monotonic=True, include_meta_data=True)
    more = suite == "PBO"
    ert, best = [], []
    for key, part in sorted(data.group_by(KEYS), key=lambda each: each[0]):
        targets = iohinspector.metrics.aggregate_running_time(
            part,
            maximization=more,
            scale_f_log=not more,
            eval_max=60 * key[2],  # what a failed run used; else of the best rows alone
            return_as_pandas=False,
        )
        for row in targets[::_EVERY].iter_rows(named=True):
            value = row["ERT"] if math.isfinite(row["ERT"]) else None
            ert.append([suite, *key, row["raw_y"], value, row["success_count"]])
        budgets = iohinspector.metrics.aggregate_convergence(
            part, maximization=more, return_as_pandas=False
        )
        best += [
            [suite, *key, row["evaluations"], row["mean"]]
            for row in budgets[::_EVERY].iter_rows(named=True)
        ]
    return ert, best


if __name__ == "__main__":
    pl.Config.set_verbose(False)
    found = [frozen(Path(sys.argv[1]), suite) for suite in ("BBOB", "PBO")]
    lists = {
        name: ",\n".join(json.dumps(row) for pair in found for row in pair[at])
        for at, name in enumerate(("ert", "best"))
    }
    text = ",\n".join(f'"{name}": [\n{rows}\n]' for name, rows in lists.items())
    Path("expected.json").write_text(f"{{{text}}}\n")
