"""Scaled scores of objectives for every end."""

from __future__ import annotations

from aslib_eval.database.open_lake import open_lake
from aslib_eval.database.protocol import Protocol
from aslib_eval.extensions.sensitivity.analysis import sensitivities
from tests.analysis.test_objectives import SCALED, Lake
from tests.analysis.test_objectives import lake as lake  # noqa: PLC0414 - a fixture


def test_the_scaled_score_for_every_end(lake: Lake) -> None:
    # A = alpha/2 + beta/2, B = beta, C = 1/2, D = alpha.
    lake = open_lake(lake(runs=SCALED), protocols=[Protocol(measures="all")])
    (found,) = sensitivities(lake, parameter="beta")
    scores = found.sweep.scores([0.25, 0.5, 1])
    assert dict(zip(found.solvers, scores.T.tolist(), strict=True)) == {
        "A": [0.25, 0.375, 0.625],
        "B": [0.25, 0.5, 1],
        "C": [0.5, 0.5, 0.5],
        "D": [0.25, 0.25, 0.25],
    }
    turns = [(r.at, found.solvers[r.after]) for r in found.sweep.reversals]
    assert [t for t in turns if t[0] > 0.25] == [(0.5, "B"), (0.75, "A")]
    (of_alpha,) = sensitivities(lake, parameter="alpha")
    assert of_alpha.sweep.scores([0, 0.75])[:, 0].tolist() == [0.375, 0.75]
    assert of_alpha.sweep.curves[0].end == 0.75
