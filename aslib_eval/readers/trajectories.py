"""trajectories.arff: the solutions that runs found on their way.

An extension of the ASlib format, which other tools leave alone: a row for each
improving solution, with the columns instance_id, repetition, algorithm, elapsed (time
since the run began, ``?`` where unknown) and objective (the value of the scenario's
first solution-quality measure, in the file's own direction). The points of a run stand
in the order in which they were found.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from aslib_eval.readers.description import Description

NAME = "trajectories"
RUN = ("instance_id", "repetition", "algorithm")
POINT = ("elapsed", "objective")


def quality_measure(description: Description) -> str | None:
    """The measure whose values the points are; None if the scenario has none."""
    names = (m.name for m in description.measures if m.type == "solution_quality")
    return next(names, None)


def trajectory(table: pa.Table, measure: str) -> pa.Table:
    """The rows of the file as rows of the relation ``trajectory``, in their order.

    ``step`` counts the points of a run from 1; every batch is of one suggestion.
    """
    size = table.num_rows
    name = pa.DictionaryArray.from_arrays(
        pa.array(np.zeros(size, np.int32)), pa.array([measure], pa.string())
    )
    columns = {
        "instance_id": table["instance_id"],
        "algorithm": table["algorithm"],
        "trial": table["repetition"],
        "measure": name,
        "step": pa.array(_counted(run_numbers(table))),
        "suggestion": pa.array(np.ones(size, np.int32)),
        "elapsed": table["elapsed"],
        "value": table["objective"],
    }
    return pa.table(columns)


def run_numbers(table: pa.Table) -> NDArray[np.int64]:
    """A number for the run that each row belongs to, (rows,)."""
    numbers = np.zeros(table.num_rows, np.int64)
    for name in RUN:
        column: Any = table[name].combine_chunks()
        held = column.indices if pa.types.is_dictionary(column.type) else column
        _, code = np.unique(held.to_numpy(), return_inverse=True)
        numbers = numbers * (int(code.max(initial=0)) + 1) + code
    return numbers


def _counted(groups: NDArray[np.int64]) -> NDArray[np.int32]:
    """1, 2, … within each group, in the order of the rows."""
    order = np.argsort(groups, kind="stable")
    ordered = groups[order]
    begins = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]][: ordered.size])
    sizes = np.diff(np.r_[begins, ordered.size])
    steps = np.empty(groups.size, np.int32)
    steps[order] = np.arange(groups.size) - np.repeat(begins, sizes) + 1
    return steps
