"""Every function of arrays of this extension, on seeded tables."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from aslib_eval.extensions.firmness import metrics as partial_pooling
from aslib_eval.extensions.firmness import metrics as rank_sets
from aslib_eval.extensions.firmness import metrics as swaps
from aslib_eval.metrics.sweeps import delta_sweep
from tests.whole_functions import Functions, Table, hold, seeded


def contest(t: Table, *, tied: bool = False) -> swaps.Advantages:
    first = np.sign(t.differences) if tied else t.differences
    return swaps.Advantages(np.array([first, t.times[:, 1] - t.times[:, 0]]))


FUNCTIONS: Functions = {
    "fewest_removals": lambda t: [
        [found.order(), swaps.fewest_removals(found)]
        for levels in ((0,), (0, 1), (1, 0))
        for both in (contest(t), contest(t, tied=True))
        for found in [swaps.Advantages(both.levels[list(levels)])]
    ],
    "swapping_groups": lambda t: [
        swaps.swapping_groups(each, [f"f{g}" for g in t.groups])
        for each in (contest(t), contest(t, tied=True))
    ],
    "nearest": lambda t: [
        [
            swaps.nearest_swap(delta_sweep(t.runs), a, b, at),
            swaps.nearest_penalty(t.runs, a, b, at),
            swaps.nearest_slowdown(t.runs, a, b, penalty=at),
            swaps.surest_speedup(t.runs, a, b, penalty=at),
        ]
        for a, b in ((0, 1), (1, 0), (0, -1))
        for at in (1.0, 10.0)
    ],
    "sampled": lambda t: [
        partial_pooling.sampled(
            list(t.times.T / 100), [None, t.groups, *[None] * (t.times.shape[1] - 2)], same_spread=same
        )
        for same in (False, True)
    ],
    "plain_mean": lambda t: [
        partial_pooling.plain_mean(t.times[:, 0] / 100, t.times[:, 1] / 9000, confidence=level, df=3.0)
        for level in (0.8, 0.95)
    ],
    "pooled_mean": lambda t: [
        partial_pooling.pooled_mean(t.times[:, 0] / 100, errors, between, 1 / (errors + between))
        for errors in [t.times[:, 1] / 9000]
        for between in [partial_pooling.variance_between(t.times[:, 0] / 100, errors)]
    ],
    "rank_sets": lambda t: [
        rank_sets.rank_sets(t.costs, rng=seeded(), clusters=groups, draws=99, stepwise=step)
        for groups in (None, t.groups)
        for step in (True, False)
    ],
    "as_normal": lambda t: rank_sets.as_normal(t.times / 50 - 1, len(t.times) + 1),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_gives_what_it_gave(name: str) -> None:
    hold(Path(__file__).with_name("functions.txt"), name, FUNCTIONS[name])
