"""Of which solvers the rows of a command are."""

from __future__ import annotations

import polars as pl
import pytest

from aslib_eval.analysis import of_solvers
from aslib_eval.errors import AslibError

ROWS = pl.DataFrame(
    {"solver": ["a1", "a2", "VBS"], "kind": ["algorithm", "selector", "baseline"], "n": [5, 5, 5]}
)


@pytest.mark.parametrize(
    ("kinds", "solvers", "left"),
    [
        ((), (), ["a1", "a2", "VBS"]),
        (("algorithm", "baseline"), (), ["a1", "VBS"]),
        ((), ("a*",), ["a1", "a2"]),
        (("selector",), ("a*", "V*"), ["a2"]),
        ((), ("x", "V?S"), ["VBS"]),
    ],
)
def test_rows_of_some_solvers(kinds: tuple[str, ...], solvers: tuple[str, ...], left: list[str]) -> None:
    assert of_solvers(ROWS, kinds, solvers)["solver"].to_list() == left
    methods = ROWS.select(method="solver")
    assert of_solvers(methods, kinds, ("a1",))["method"].to_list() == ["a1"]


def test_a_solver_that_nobody_is_called_like() -> None:
    with pytest.raises(AslibError) as raised:
        of_solvers(ROWS, (), ("a12", "c"))
    what = "--solver: no solver matches a12 or c. Did you mean 'a2' or 'a1'?"
    assert str(raised.value) == what
