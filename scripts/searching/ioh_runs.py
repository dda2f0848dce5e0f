"""Write the archives of tests/extensions/optimisers/iohprofiler anew, with ioh 0.3.22.

``python ioh_runs.py FOLDER`` writes them into a folder.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ioh
import numpy as np

Draw = Callable[[np.random.Generator], Any]


def search(problem: Any, draw: Draw, *, seed: int, budget: int) -> None:
    """Evaluate independent draws."""
    rng = np.random.default_rng(seed)
    for _ in range(budget):
        problem(draw(rng))


def one_plus_one(problem: Any, draw: Draw, *, seed: int, budget: int) -> None:
    """Keep the better of a point and its mutation; the step grows with success."""
    rng = np.random.default_rng(seed)
    bits = problem.meta_data.optimization_type == ioh.OptimizationType.MAX
    x = np.asarray(draw(rng))
    step, best = 2.0, problem(x.tolist())
    for _ in range(budget - 1):
        if bits:
            flips = rng.random(x.size) < 1 / x.size
            y = np.where(flips, 1 - x, x)
        else:
            y = np.clip(x + step * rng.standard_normal(x.size), -5, 5)
        found = problem(y.tolist())
        better = found >= best if bits else found <= best
        step *= 1.5 if better else 1.5**-0.25
        if better:
            x, best = y, found


METHODS = {"RandomSearch": search, "OnePlusOne": one_plus_one}


def uniform(dimension: int) -> Draw:
    """Points of the box of BBOB."""
    return lambda rng: rng.uniform(-5, 5, dimension)


def coins(dimension: int) -> Draw:
    """Strings of bits."""
    return lambda rng: [int(bit) for bit in rng.integers(0, 2, dimension)]


def run(folder: Path, suite: Any, functions: Any, sizes: Any, draw: Any) -> None:
    """Each method three times on two instances; in the folder OLD in the old format."""
    kind = ioh.logger.old if folder.name == "OLD" else ioh.logger
    for name, method in METHODS.items():
        logger = kind.Analyzer(
            root=str(folder), folder_name=name, algorithm_name=name, algorithm_info="of our own"
        )
        for function in functions:
            for size in sizes:
                for instance in (1, 2):
                    problem = ioh.get_problem(function, instance, size, suite)
                    problem.attach_logger(logger)
                    for seed in range(3):
                        method(problem, draw(size), seed=seed, budget=60 * size)
                        problem.reset()
                    problem.detach_logger()
        logger.close()


if __name__ == "__main__":
    top = Path(sys.argv[1])
    run(top / "BBOB", ioh.ProblemClass.BBOB, (1, 8, 15), (2, 5), uniform)
    run(top / "PBO", ioh.ProblemClass.PBO, (1, 2), (16,), coins)
    run(top / "OLD", ioh.ProblemClass.PBO, (1, 2), (16,), coins)
