"""Runs of two seeds of one solver, of which one may be slower, and what diff says."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import polars as pl

from aslib_eval.database.protocol import Protocol
from aslib_eval.extensions.changes.analysis import changes

CUTOFF, N = 1000.0, 60


@dataclass(frozen=True)
class Simulated:
    """Runs as ``runs_of_solver`` has them, a column of times for each repetition."""

    name: str
    times: np.ndarray[Any, np.dtype[np.float64]]
    spread: float = 1.0  # of repeated runs: the deviation of the logarithms of times
    lake: ClassVar = SimpleNamespace(protocols=(Protocol(),), rows=lambda _: [])

    def runs(self, _attribute: str | None) -> pl.DataFrame:
        places = np.indices(self.times.shape).reshape(2, -1)
        ran = self.times.ravel()
        solved = ran < CUTOFF
        return pl.DataFrame(
            {
                "protocol": "default",
                "scenario_id": "S",
                "measure": "runtime",
                "kind": "algorithm",
                "solver": self.name,
                "instance_id": [f"i{i}" for i in places[0]],
                "repetition": places[1],
                "measure_type": "runtime",
                "maximize": False,
                "cutoff": CUTOFF,
                "ceiling": 10 * CUTOFF,
                "solved": solved.astype(float),
                "time": np.where(solved, ran, CUTOFF),
                "cost": np.where(solved, ran, 10 * CUTOFF),
                "status": "ok",
                "family": "f",
                "of_family": None,
                "factor": 1.1,
                "margin": 0.1,
                "spread": self.spread if self.times.shape[1] > 1 else None,
            },
            schema_overrides={"spread": pl.Float64},
        )


def verdicts(pairs: int, *, slower: float, runs: int = 1) -> Counter[str]:
    """Of pairs of seeds whose times are lognormal, one of them so much slower."""
    found: Counter[str] = Counter()
    for seed in range(pairs):
        rng = np.random.default_rng(seed)
        hardness = rng.normal(4, 2.5, (N, 1))
        old, new = np.exp(hardness + rng.normal(0, 1, (2, N, runs)))
        sides: Any = [Simulated("old", old), Simulated("new", slower * new)]
        found.update(changes(sides).summary["verdict"])
    return found


def named(pairs: int, *, slower: float, spread: float) -> dict[str, tuple[int, int]]:
    """Of instances that either run solves: how many are called slower or lost.

    Three repetitions each; the first fifth of the instances is so much slower indeed. ``slow`` and
    ``equal`` → how many are called so, of how many.
    """
    worse, factor = N // 5, np.ones((N, 1))
    factor[:worse] = slower
    called = np.zeros((2, 2), dtype=int)
    for seed in range(pairs):
        rng = np.random.default_rng(seed)
        hardness = rng.normal(4, 2.5, (N, 1))
        old, new = np.exp(hardness + rng.normal(0, spread, (2, N, 3)))
        sides: Any = [Simulated("old", old, spread), Simulated("new", factor * new, spread)]
        found = changes(sides).instances
        for instance, outcome in found.select("instance_id", "outcome").rows():
            if outcome != "neither":
                is_equal = int(instance[1:]) >= worse
                called[int(is_equal)] += (outcome in {"slower", "lost"}, 1)
    slow, equal = ((int(n), int(of)) for n, of in called)
    return {"slow": slow, "equal": equal}
