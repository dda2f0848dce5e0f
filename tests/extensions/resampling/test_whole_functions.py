"""Every function of arrays of this extension, on seeded tables."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from aslib_eval.extensions.resampling import random_splits as random_folds
from aslib_eval.extensions.resampling.random_splits import share_better
from tests.whole_functions import Functions, hold, seeded

FUNCTIONS: Functions = {
    "repeated_folds": lambda t: [
        random_folds.repeated_folds(strata, groups, repeats=2, folds=2, rng=seeded())
        for strata in (np.zeros_like(t.groups), t.groups % 2)
        for groups in (np.arange(len(t.groups)), t.groups)
    ],
    "hardness": lambda t: random_folds.hardness(
        t.solved.sum(axis=1).astype(float), t.costs.min(axis=1), levels=3
    ),
    "share_better": lambda t: share_better(t.costs),
    "identical": lambda t: random_folds.identical(t.costs),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_gives_what_it_gave(name: str) -> None:
    hold(Path(__file__).with_name("functions.txt"), name, FUNCTIONS[name])
