"""Published points of pairs of solvers, each beside our own of that pair."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import polars as pl

from aslib_eval.extensions.competitions.published_cells import CellComparison


def test_each_pair_has_its_own_points() -> None:
    pairs = [("A", "B", 1.0), ("A", "C", 0.25), ("B", "A", 0.0)]
    frame = pl.DataFrame(
        [
            ("r", "S", "i1", solver, other, "points", value, 0.005, cell)
            for cell, (solver, other, value) in enumerate(pairs)
        ],
        schema=[*("rule", "scenario_id", "part", "solver", "other"), *("column", "value", "half", "cell")],
        orient="row",
    )
    ours = frame.select(
        "scenario_id", "solver", "other", rule=pl.lit("r\n0"), instance_id="part", points="value"
    )
    runs = pl.DataFrame({"scenario_id": ["S"], "instance_id": ["i1"]})
    cells: Any = SimpleNamespace(frame=frame, are_pairs=True)
    ranking: Any = SimpleNamespace(answer=lambda *_: ours)
    found = CellComparison(cells, runs, {"r": {}}, ranking).ours()
    assert found.select("solver", "other", "ours", "equal").rows() == [
        (solver, other, value, True) for solver, other, value in pairs
    ]
