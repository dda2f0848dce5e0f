"""The tolerance: by hand, and against forgiving overhead at every value by itself."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aslib_eval.errors import AslibError
from aslib_eval.extensions.sensitivity.analysis import tolerance_sweep
from aslib_eval.metrics import scale
from aslib_eval.metrics.scale import Floats, Runs

# Cutoff 100, PAR10. A and B are the algorithms: VBS 10, 20, 1000; SBS is B.
#   A    10  unsolved  unsolved
#   B    40  20        unsolved
#   S    12  25        unsolved   2 and 5 above VBS
TIMES = np.array([[10, 40, 12], [1, 20, 25], [1, 1, 1]])
SOLVED = np.array([[1, 1, 1], [0, 1, 1], [0, 0, 0]], dtype=bool)
RUNS = Runs(TIMES, SOLVED, 100)


def test_overhead_within_the_tolerance_counts_as_nothing() -> None:
    found = tolerance_sweep(RUNS, portfolio=(0, 1))
    at = [0, 1.9, 2, 5, 30]
    assert found.scores.scores(at) * 3 == pytest.approx(
        np.array(
            [
                [2010, 1060, 1037],
                [2010, 1060, 1037],
                [2010, 1060, 1035],
                [2010, 1060, 1030],
                [2010, 1030, 1030],
            ]
        )
    )
    assert found.gaps(at).to_list()[2::3] == [
        pytest.approx(23 / 30),
        pytest.approx(23 / 30),
        pytest.approx(25 / 30),
        pytest.approx(1),
        None,  # B costs what VBS costs
    ]
    assert found.near_vbs[2].at([0, 2, 5]) * 3 == pytest.approx([1, 2, 3])
    assert found.near_vbs[0].at([0, 1e9]) * 3 == pytest.approx([2, 2])  # A fails on i2
    assert found.near_sbs[2].at([0, 4.9, 5]) * 3 == pytest.approx([2, 2, 3])


def test_whoever_is_faster_than_vbs_costs_what_it_costs() -> None:
    # S presolves the first instance: 2 where VBS takes 10.
    times = np.where(TIMES == 12, 2, TIMES)
    found = tolerance_sweep(Runs(times, SOLVED, 100), portfolio=(0, 1))
    assert found.scores.scores([0, 4, 5])[:, 2] * 3 == pytest.approx([1027, 1027, 1022])
    assert found.near_vbs[2].at([0, 5]) * 3 == pytest.approx([2, 3])
    gap = (1060 - 1022) / (1060 - 1030)  # beyond VBS
    assert found.gaps(5).to_list()[2] == pytest.approx(gap)


def test_costs_that_cancel_leave_no_gap() -> None:
    # SBS and VBS cost 0 from 0.9 on: what the sums round to is no gap.
    times = np.array([[0.6, 0, 5], [0.7, 0, 0], [0.9, 0, 0], [0, 0.8, 0.3]])
    found = tolerance_sweep(Runs(times, times < 9, 9), portfolio=(0, 1))
    assert found.scores.scores([0.9]).tolist() == [[0, 0, 5 / 4]]
    assert found.gaps([0.9, 1e6]).to_list() == [None] * 6


def test_a_penalty_below_one_is_refused() -> None:
    with pytest.raises(AslibError, match="at least 1"):
        tolerance_sweep(RUNS, penalty=0.5)


def one_by_one(runs: Runs, tolerance: float) -> tuple[Floats, float]:
    """Mean forgiven PAR10 of every solver, and that of VBS of the first two."""
    costs, solved = runs.par(10), np.asarray(runs.solved, float)
    best, most = costs[:, :2].min(axis=1), solved[:, :2].max(axis=1)
    near = (solved >= most[:, None]) & (costs - best[:, None] <= tolerance)
    mended = np.where(near, np.minimum(costs, best[:, None]), costs)
    return runs.mean(mended), float(best.mean())


@settings(max_examples=40, deadline=None, derandomize=True, database=None)
@given(st.integers(0, 10**6))
def test_every_breakpoint_is_as_computed_by_itself(seed: int) -> None:
    rng = np.random.default_rng(seed)
    runs = Runs(rng.integers(0, 20, (7, 3)) * 4.0, rng.random((7, 3)) < 0.8, 100)
    found = tolerance_sweep(runs, portfolio=(0, 1))
    at = [*found.scores.breakpoints, 0.5, 1e6]
    gaps = found.gaps(at)
    for value, scores, row in zip(at, found.scores.scores(at), gaps.values, strict=True):
        expected, vbs = one_by_one(runs, value)
        assert scores == pytest.approx(expected)
        gap = scale.closed(expected, sbs=expected[:2].min(), vbs=vbs)
        assert row == pytest.approx(gap.values, nan_ok=True)
    shares = [curve.at(at) for curve in found.near_vbs]
    assert all((np.diff(share[:-2]) >= 0).all() for share in shares)
