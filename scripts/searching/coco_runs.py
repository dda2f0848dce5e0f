"""Write the archive of tests/extensions/optimisers/coco, with coco-experiment 2.8.2.

``python coco_runs.py`` writes it into the folder exdata of the current one.
"""

from __future__ import annotations

from typing import Any

import cocoex
import numpy as np


def search(problem: Any, rng: np.random.Generator, budget: int) -> None:
    """Evaluate independent draws from the box."""
    for _ in range(budget):
        problem(rng.uniform(-5, 5, problem.dimension))
        if problem.final_target_hit:
            return


def one_plus_one(problem: Any, rng: np.random.Generator, budget: int) -> None:
    """Keep the better of a point and its mutation; the step grows with success."""
    x = rng.uniform(-5, 5, problem.dimension)
    step, best = 2.0, problem(x)
    for _ in range(budget - 1):
        if problem.final_target_hit:
            return
        y = x + step * rng.standard_normal(problem.dimension)
        found = problem(y)
        step *= 1.5 if found <= best else 1.5**-0.25
        if found <= best:
            x, best = y, found


METHODS = {"RandomSearch": (search, 60), "OnePlusOne": (one_plus_one, 150)}
OPTIONS = "dimensions:2,3 function_indices:1,8,15"

if __name__ == "__main__":
    for name, (method, budget) in METHODS.items():
        suite = cocoex.Suite("bbob", "instances:1-5", OPTIONS)
        observer = cocoex.Observer("bbob", f"result_folder:{name} algorithm_name:{name}")
        for each in suite:
            each.observe_with(observer)
            random = np.random.default_rng(each.index)
            method(each, random, budget * each.dimension)
            each.free()
