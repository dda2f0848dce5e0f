"""Matrix of the feature values of a scenario's instances."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from aslib_eval.database.frames import ask

if TYPE_CHECKING:
    import duckdb


@dataclass(frozen=True)
class FeatureMatrix:
    """Feature values of instances; a column for each number or label.

    values: (n_instances, n_columns), nan = missing.
    given: (n_instances, n_columns), whether the instance has that number or label;
    features: the feature of each column.
    """

    instances: tuple[str, ...]
    columns: tuple[str, ...]
    values: NDArray[np.float64]
    given: NDArray[np.bool_]
    features: tuple[str, ...]


def feature_matrix(
    con: duckdb.DuckDBPyConnection,
    scenario_id: str,
    instances: Sequence[str],
    *,
    features: Sequence[str] | None = None,
) -> FeatureMatrix:
    """Feature values of the instances, in their order; all features if none are named.

    Repetitions of a feature are averaged; null, NaN and infinity are missing. A
    feature of labels becomes one column of 0 and 1 for each label. An instance
    without a row has nan in every column of numbers. Columns come by name.
    """
    asked = None if features is None else list(features)
    query = {"scenario": scenario_id, "features": asked}
    frame = ask(con, "feature_values", query).fetchnumpy()
    names, first, column = np.unique(
        frame["name"].astype(str), return_index=True, return_inverse=True
    )
    row_of = {instance: row for row, instance in enumerate(instances)}
    row = np.array([row_of.get(name, -1) for name in frame["instance_id"]], np.int64)
    values = np.full((len(instances), len(names)), np.nan)
    values[:, np.unique(column[frame["labelled"].astype(bool)])] = 0.0
    chosen = row >= 0
    values[row[chosen], column[chosen]] = np.asarray(frame["value"], float)[chosen]
    given = np.zeros(values.shape, bool)
    given[row[chosen], column[chosen]] = True
    of = tuple(map(str, frame["feature"][first]))
    return FeatureMatrix(tuple(instances), tuple(map(str, names)), values, given, of)
