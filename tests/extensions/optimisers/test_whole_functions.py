"""Every function of arrays of this extension, on seeded tables."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from aslib_eval.extensions.optimisers import metrics as optimiser
from aslib_eval.extensions.optimisers import metrics as order_statistics
from aslib_eval.extensions.optimisers import metrics as running_times
from aslib_eval.extensions.optimisers import tasks
from tests.whole_functions import Functions, Table, hold


def costs(t: Table) -> np.ndarray:
    """(n_steps, n_methods, n_trials) falling costs."""
    falling = np.minimum.accumulate(t.costs, axis=0)
    return np.stack([falling, falling + t.groups[:, None]], axis=-1)


def baselines(t: Table) -> list[optimiser.Baseline]:
    best = float(t.costs.min())
    steps = len(t.costs)
    return [
        optimiser.pooled_baseline(t.costs, batch=2, steps=steps, best=best),
        optimiser.observed_baseline(t.costs, best=best - 1),
        optimiser.frozen_baseline(np.full(steps, 50.0), np.full(steps, 40.0), clip=60.0, optimum=1.0),
    ]


def scored(t: Table) -> object:
    every = baselines(t)
    found = [optimiser.problem_scores(costs(t), baseline=b) for b in every]
    summary = optimiser.summarise(found, baselines=every)
    losses = [optimiser.clipped_losses(costs(t), baseline=b) for b in every]
    margin = optimiser.fixed_problems_margin(losses, alpha=0.1)
    return [every, found, summary, summary.leaderboard, losses, margin]


FUNCTIONS: Functions = {
    "best_so_far": lambda t: [
        optimiser.best_so_far(t.costs),
        optimiser.best_so_far(t.costs, visible=t.times),
    ],
    "scores": scored,
    "quantile": lambda t: [
        order_statistics.quantile(t.costs),
        order_statistics.quantile(t.costs, q=np.array([0.1, 0.9])),
        order_statistics.of_minimum(0.3, draws=np.arange(1, 5)),
        order_statistics.quantile_interval(t.times.T, alpha=0.3),
        order_statistics.interval_places(len(t.costs), q=0.4, alpha=0.2),
        order_statistics.expected_minimum(t.times[:, 0], draws=np.array([1, 2])),
        order_statistics.mean_margin(t.times.T, alpha=0.1),
    ],
    "rank_sum": lambda t: tasks.rank_sum(t.costs[:, 0], t.costs[:, 1]),
    "scott_knott_runs": lambda t: tasks.scott_knott_runs([*(t.costs.T), t.costs[:, 0] + 900]),
    "running_times": lambda t: [
        running_times.first_at(t.points, target=3.0),
        running_times.expected_running_time(np.where(t.solved, t.times, np.inf), spent=t.times + 3),
        running_times.running_time_interval(
            np.where(t.solved, t.times, np.inf)[:, 0], spent=120.0, confidence=0.8
        ),
    ],
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_gives_what_it_gave(name: str) -> None:
    hold(Path(__file__).with_name("functions.txt"), name, FUNCTIONS[name])
