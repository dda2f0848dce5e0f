"""Runs: what is accepted, PARk, and the strategies that the other tests draw from."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from aslib_eval.errors import AslibError
from aslib_eval.metrics.scale import Runs

CUTOFF = 12
laws = settings(deadline=None, derandomize=True, database=None)


@st.composite
def small_runs(
    draw: st.DrawFn, *, max_solvers: int = 4, max_instances: int = 6, whole: bool = True
) -> Runs:
    """A few solvers and instances; whole times make ties likely."""
    shape = (draw(st.integers(1, max_instances)), draw(st.integers(1, max_solvers)))
    numbers = (
        st.integers(0, CUTOFF - 1).map(float)
        if whole
        else st.floats(0, CUTOFF, exclude_max=True, allow_subnormal=False)
    )
    times = draw(hnp.arrays(float, shape, elements=numbers))
    solved = draw(hnp.arrays(bool, shape))
    return Runs(np.where(solved, times, CUTOFF), solved, float(CUTOFF))


def exactly(runs: Runs) -> list[list[Fraction | None]]:
    """The times as exact fractions, None where unsolved: instances of solvers."""
    return [
        [Fraction(t) if s else None for t, s in zip(row, done, strict=True)]
        for row, done in zip(runs.times.tolist(), runs.solved.tolist(), strict=True)
    ]


def test_par_never_uses_the_time_of_an_unsolved_run() -> None:
    runs = Runs(np.array([[7.0, np.nan]]), np.array([[True, False]]), 100.0)
    assert runs.par(10).tolist() == [[7, 1000]]
    assert runs.par(1).tolist() == [[7, 100]]


def test_par_of_repetitions_solved_in_part() -> None:
    # Two repetitions, 10 and a timeout at 100: their PAR10 are 10 and 1000.
    runs = Runs(np.array([[55.0]]), np.array([[0.5]]), 100.0)
    assert runs.par(1).tolist() == [[55]]
    assert runs.par(10).tolist() == [[505]]


def test_a_cutoff_for_each_instance() -> None:
    runs = Runs(np.array([[1.0], [0.0]]), np.array([[True], [False]]), np.array([10.0, 20.0]))
    assert runs.par(2).tolist() == [[1], [40]]


@laws
@given(small_runs())
def test_par_by_definition(runs: Runs) -> None:
    expected = [[t if t is not None else 30 for t in row] for row in exactly(runs)]
    assert runs.par(2.5).tolist() == expected


def test_par_as_a_line_of_the_penalty() -> None:
    solved = np.array([[1.0, 0, 0.25]])
    runs = Runs(np.array([[3.0, 10, 9]]), solved, 10.0)
    intercepts, slopes = runs.lines()
    assert intercepts.tolist() == [[3, 0, 1.5]]
    assert slopes.tolist() == [[0, 10, 7.5]]
    assert runs.answered.tolist() == [[True, False, True]]


GOOD: dict[str, Any] = {"times": np.ones((2, 3)), "solved": np.ones((2, 3)), "cutoff": 10.0}


@pytest.mark.parametrize(
    ("part", "value", "said"),
    [
        ("times", np.ones((0, 3)), "times must be instances x solvers"),
        ("times", np.ones(3), "at least 1 x 1"),
        ("times", np.zeros((2, 3)), None),
        ("times", np.full((2, 3), -1.0), "negative or not finite"),
        ("times", np.full((2, 3), np.nan), "negative or not finite"),
        ("times", np.full((2, 3), np.inf), "negative or not finite"),
        ("solved", np.ones((3, 2), dtype=bool), "solved has the shape (3, 2)"),
        ("solved", np.zeros((2, 3)), None),
        ("solved", np.full((2, 3), 1.5), "a share from 0 to 1"),
        ("solved", np.full((2, 3), -0.1), "a share from 0 to 1"),
        ("solved", np.full((2, 3), np.nan), "a share from 0 to 1"),
        ("cutoff", np.ones(3), "one number or one an instance"),
        ("cutoff", np.array([10.0, 20]), None),
        ("cutoff", np.array([1.0, 0]), "the cutoff must be above 0 and finite"),
        ("cutoff", np.inf, "the cutoff must be above 0 and finite"),
    ],
)
def test_what_can_be_scored(part: str, value: object, said: str | None) -> None:
    if said is None:
        Runs(**(GOOD | {part: value}))
        return
    with pytest.raises(AslibError) as caught:
        Runs(**(GOOD | {part: value}))
    assert said in str(caught.value)


def test_all_faults_are_said_at_once() -> None:
    with pytest.raises(AslibError) as caught:
        Runs(np.full((1, 1), -1.0), np.ones((1, 1), dtype=bool), -5.0)
    assert "negative" in str(caught.value)
    assert "cutoff" in str(caught.value)
