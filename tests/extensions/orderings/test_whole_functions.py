"""Every function of arrays of this extension, on seeded tables."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from aslib_eval.extensions.orderings import metrics as majority
from aslib_eval.extensions.orderings import metrics as sandwich
from aslib_eval.extensions.orderings import metrics as skillings_mack
from aslib_eval.extensions.orderings import metrics as utility
from aslib_eval.extensions.orderings import metrics as worths
from tests.whole_functions import CUTOFF, Functions, Table, hold, seeded

RULES = ((0.0, False), (20.0, False), (0.3, True))


def pairs(t: Table) -> tuple[np.ndarray, np.ndarray]:
    won = majority.wins(t.costs, delta=10.0)
    return won.astype(float), majority.draws(t.costs, won).astype(float)


def finished(t: Table) -> np.ndarray:
    return t.solved & np.isfinite(t.costs)


FUNCTIONS: Functions = {
    "wins": lambda t: [
        [
            won,
            majority.draws(t.costs, won),
            majority.leads(t.costs, 1, delta=delta, relative=relative),
            majority.condorcet_winner(won),
            majority.careful(won),
            majority.kemeny(won, near=t.costs[0]),
        ]
        for delta, relative in RULES
        for won in [majority.wins(t.costs, delta=delta, relative=relative)]
    ],
    "mean_utilities": lambda t: [
        utility.mean_utilities(t.costs / CUTOFF, horizon=h) for h in (0.2, 0.5, 1.0)
    ],
    "reigns": lambda t: utility.reigns(np.where(t.solved, t.times / CUTOFF, np.inf)),
    "skillings_mack": lambda t: skillings_mack.skillings_mack(t.costs),
    "bradley_terry": lambda t: [
        worths.bradley_terry(*pairs(t)),
        worths.bradley_terry(*pairs(t), pseudo=0.5),
    ],
    "bradley_terry_posterior": lambda t: worths.bradley_terry_posterior(*pairs(t), rng=seeded(), draws=7),
    "plackett_luce": lambda t: [
        choices := worths.choices_of(t.costs, finished(t)),
        worths.plackett_luce(choices),
        worths.plackett_luce(choices, pseudo=0.5),
        worths.plackett_luce_posterior(choices, rng=seeded(), draws=7),
    ],
    "scores": lambda t: [
        logs := sandwich.log_worths_of(np.arange(1.0, t.costs.shape[1] + 1)),
        sandwich.worths_of(logs),
        *(
            sandwich.pair_scores(t.costs, logs, 0.3, delta=delta, relative=relative)
            for delta, relative in RULES
        ),
        sandwich.choice_scores(t.costs, finished(t), logs),
    ],
    "spread_by_scores": lambda t: [
        sandwich.spread_by_scores(t.costs[:, :2] / 100, t.times[:, :2], rng=seeded(), clusters=groups)
        for groups in (None, t.groups)
    ],
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_gives_what_it_gave(name: str) -> None:
    hold(Path(__file__).with_name("functions.txt"), name, FUNCTIONS[name])
