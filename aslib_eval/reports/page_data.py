"""The runs as the page's JavaScript computes with them."""

from __future__ import annotations

from typing import Any

import numpy as np

from aslib_eval.analysis.scenario_results import Matrix, ScenarioResults


def page_data(results: ScenarioResults) -> dict[str, Any] | None:
    """Every run of the matrix; None if there is none, or a cost is missing.

    ``par1`` has null where no repetition is solved, as that is the cutoff. Numbers
    keep all digits: what the page computes is what SQL does, but for the rounding of
    sums.
    """
    matrix = results.complete
    if matrix is None:
        return None
    return {
        "solvers": [{"kind": kind, "name": name} for kind, name in matrix.solvers],
        "instances": list(matrix.instances),
        "timed": results.timed,
        "cutoff": results.summary["cutoff"],
        "measure": "time (scenario time unit)" if results.timed else results.measure,
        "protocol": f"protocol {results.protocol}",
        "k": results.choices["penalty"],
        "strict": results.choices["at_cutoff"] == "unsolved",
        "criterion": results.choices["sbs_criterion"],
        "par1": [_column(matrix, c, results.timed) for c in range(len(matrix.solvers))],
        "part": _parts(matrix) if results.timed else [],
        **_features(results, matrix),
    }


def _column(matrix: Matrix, column: int, timed: bool) -> list[float | None]:  # noqa: FBT001
    costs, solved = matrix.costs[:, column].tolist(), matrix.solved[:, column].tolist()
    return [
        _short(c) if s > 0 or not timed else None
        for c, s in zip(costs, solved, strict=True)
    ]


def _short(value: float) -> float | int:
    """5 instead of 5.0: the same number, in fewer bytes."""
    return int(value) if value.is_integer() and abs(value) < 2**53 else value


def _parts(matrix: Matrix) -> list[list[float | int]]:
    rows, columns = np.nonzero((matrix.solved > 0) & (matrix.solved < 1))
    return [
        [int(c), int(r), float(matrix.solved[r, c])]
        for r, c in zip(rows, columns, strict=True)
    ]


def _features(results: ScenarioResults, matrix: Matrix) -> dict[str, Any]:
    """What a VBS pays for features on each instance, in the order of the matrix."""
    frame = results.frames["attainable"]
    found = {
        i: (c, p)
        for i, c, p in frame.select("instance", "feature_cost", "presolved").rows()
    }
    if not results.timed or set(found) != set(matrix.instances):
        return {"featureCost": None, "presolved": None}
    return {
        "featureCost": [_short(float(found[i][0])) for i in matrix.instances],
        "presolved": [int(found[i][1]) for i in matrix.instances],
    }
