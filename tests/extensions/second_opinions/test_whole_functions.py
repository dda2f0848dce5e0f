"""Every function of arrays of this extension, on seeded tables."""

from __future__ import annotations

from pathlib import Path

import pytest

from aslib_eval.extensions.second_opinions import analysis
from tests.whole_functions import Functions, hold, seeded

FUNCTIONS: Functions = {
    "bayesian_signed_rank": lambda t: analysis.bayesian_signed_rank(
        t.differences[:, None], rope=5.0, rng=seeded(), draws=200
    ),
    "correlated_t": lambda t: [
        analysis.correlated_t(t.differences, test_to_train=0.1, rope=rope) for rope in (0.0, 20.0)
    ],
    "block_anova": lambda t: [*analysis.block_anova(t.costs).values()],
    "moments": lambda t: analysis.moments(t.costs[:, 0]),
    "resampled_mean": lambda t: analysis.resampled_mean(t.differences, rng=seeded(), resamples=99),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_gives_what_it_gave(name: str) -> None:
    hold(Path(__file__).with_name("functions.txt"), name, FUNCTIONS[name])
