"""Every function of arrays of this extension, on seeded tables."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from aslib_eval.extensions.planning import places, power
from aslib_eval.extensions.planning import places as standard_errors
from aslib_eval.extensions.planning import power as adaptive_sampling
from aslib_eval.extensions.planning import power as sequential_comparison
from tests.whole_functions import CUTOFF, Functions, Table, hold, seeded

ACCURACIES = (
    adaptive_sampling.Accuracy(se=5.0, budget=60, start=3),
    adaptive_sampling.Accuracy(se=5.0, budget=40, start=2, formula="delta"),
    adaptive_sampling.Accuracy(
        se=0.1, budget=30, start=2, difference="percent", pairs="first", balanced=True
    ),
    adaptive_sampling.Accuracy(
        se=5.0, budget=25, start=2, formula="bootstrap", statistic=np.median, resamples=9
    ),
)


def sampled(t: Table, accuracy: adaptive_sampling.Accuracy) -> object:
    k = t.times.shape[1]
    search = adaptive_sampling.Sampling(k, accuracy=accuracy, rng=seeded())
    for algorithm in search:
        done = len(search.runs[algorithm])
        search.add(algorithm, t.times[done % len(t.times), algorithm])
    return [search.order, search.reached, search.errors]


def placed(t: Table, order: places.PlaceOrder, grain: float) -> object:
    costs = np.round(t.costs / (10 * CUTOFF), 1 if grain else 6)
    entrants = places.Entrants(costs[:, 1:], t.times[:, 1:] / CUTOFF, grain)
    search = places.PlaceSearch(entrants, alpha=0.3, order=order, rng=seeded())
    told = []
    while (row := search.ask()) is not None:
        search.add(float(costs[row, 0]))
        told.append([row, search.place, search.verdicts, search.evidence])
    return told


def compared(t: Table, **more: np.ndarray) -> object:
    size = np.full(len(t.times), 130.0)
    gains = t.times[:, 1] - t.times[:, 0]
    return [
        sequential_comparison.sequential_test(gains * sign, lower=-size, upper=size, alpha=alpha, **more)
        for sign in (1, -1)
        for alpha in (0.05, 0.4)
    ]


FUNCTIONS: Functions = {
    "sampling": lambda t: [sampled(t, accuracy) for accuracy in ACCURACIES],
    "pair_errors": lambda t: [
        standard_errors.pair_errors(
            standard_errors.summarise(t.times.T), difference=difference, pairs=pairs, formula=formula
        )
        for difference in ("simple", "percent")
        for pairs in ("all", "first")
        for formula in ("paper", "delta")
    ],
    "bootstrap_pair_errors": lambda t: [
        standard_errors.bootstrap_pair_errors(
            t.times.T, difference=difference, pairs=pairs, rng=seeded(), resamples=19
        )
        for difference in ("simple", "percent")
        for pairs in ("all", "first")
    ],
    "places": lambda t: [
        placed(t, order, grain) for order in ("information", "random") for grain in (0.0, 0.1)
    ],
    "sequential_test": lambda t: [
        compared(t),
        compared(t, weights=t.groups + 1.0, expected=t.times[:, 0] / 10),
        sequential_comparison.peeking_test(t.differences, alpha=0.2),
        sequential_comparison.sampling_order(t.groups + 1.0, rng=seeded()),
    ],
    "log_wealth": lambda t: sequential_comparison.log_wealth(
        t.times[:, 0] / 130, -np.ones(len(t.times)), t.groups + 1.0, t.times[:, 1] / 130
    ),
    "power": lambda t: [
        [
            power.powers(plan, n=20, d=0.6),
            power.sample_size(plan, d=0.7, power=0.8),
            power.detectable_effect(plan, n=15, power=0.8),
        ]
        for plan in (
            power.Plan(),
            power.Plan(comparisons=len(t.groups), correction="bonferroni", test="sign"),
            power.Plan(3, 0.1, test="wilcoxon", alternative="greater", target="rank"),
        )
    ],
    "power_of_t": lambda t: [
        power.power_of_t(len(t.groups) + 2, d=d, alternative=side, both_tails=both)
        for d in (-0.5, 0.5)
        for side in ("two-sided", "greater", "less")
        for both in (False, True)
    ],
    "shape_of": lambda t: power.shape_of(tuple(t.differences)),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_gives_what_it_gave(name: str) -> None:
    hold(Path(__file__).with_name("functions.txt"), name, FUNCTIONS[name])
