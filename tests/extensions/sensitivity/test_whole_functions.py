"""Every function of arrays of this extension, on seeded tables."""

from __future__ import annotations

from pathlib import Path

import pytest

from aslib_eval.extensions.sensitivity import analysis as sweeps
from tests.whole_functions import Functions, hold

FUNCTIONS: Functions = {
    "tolerance_sweep": lambda t: [
        sweeps.tolerance_sweep(t.runs),
        sweeps.tolerance_sweep(t.runs, penalty=1.0, portfolio=[1, 0]),
    ]
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_gives_what_it_gave(name: str) -> None:
    hold(Path(__file__).with_name("functions.txt"), name, FUNCTIONS[name])
