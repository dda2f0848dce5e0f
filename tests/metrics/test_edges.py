"""Bounds, defaults and ties of the metrics, each on numbers worked out by hand."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from aslib_eval.errors import AslibError
from aslib_eval.metrics.ranking import kendall_tau_b, ranks
from aslib_eval.metrics.scale import Runs, Scaled, clip, incomplete, rescale, satisficing, scaled_score
from tests import oracles
from tests.oracles import choose, shifted_geometric_mean, solved_then_par1

NAN, INF = math.nan, math.inf


def scores(*rows: list[float], **options: Any) -> list[list[float]]:
    found: list[list[float]] = scaled_score(
        rows, proven=np.zeros((len(rows), len(rows[0])), bool), **options
    ).tolist()
    return found


# --- runs ---------------------------------------------------------------------------


def test_what_runs_say_of_themselves() -> None:
    runs = Runs(np.array([[1.0, 2, 3], [4, 5, 6]]), np.ones((2, 3), bool), 10.0)
    assert (runs.n_instances, runs.n_solvers) == (2, 3)
    assert runs.shares.tolist() == [0.5, 0.5]
    assert runs.cutoffs.tolist() == [10, 10]
    assert runs.mean(runs.times).tolist() == [2.5, 3.5, 4.5]
    heavy = Runs(runs.times, runs.solved, 10.0, weights=np.array([0.0, 4]))
    assert heavy.shares.tolist() == [0, 1]
    assert heavy.mean(heavy.times).tolist() == [4, 5, 6]


def test_par_as_a_line_of_the_penalty() -> None:
    solved = np.array([[1.0, 0, 0.25]])
    runs = Runs(np.array([[3.0, 10, 9]]), solved, 10.0)
    intercepts, slopes = runs.lines()
    assert intercepts.tolist() == [[3, 0, 1.5]]
    assert slopes.tolist() == [[0, 10, 7.5]]
    assert runs.answered.tolist() == [[True, False, True]]


@pytest.mark.parametrize(
    ("part", "value", "wrong"),
    [
        ("solved", np.array([[0.0], [1]]), ""),
        ("solved", np.array([[-0.1], [1]]), "a share from 0 to 1"),
        ("solved", np.array([[NAN], [1]]), "a share from 0 to 1"),
        ("cutoff", INF, "above 0 and finite"),
        ("cutoff", np.array([1.0, 0]), "above 0 and finite"),
        ("cutoff", np.array([10.0, 20]), ""),
        ("times", np.array([[0.0], [1]]), ""),
        ("times", np.array([[INF], [1]]), "negative or not finite"),
        ("weights", np.array([0.0, 1]), ""),
        ("weights", np.array([-1.0, 2]), "at least 0, finite"),
        ("weights", np.array([INF, 1]), "at least 0, finite"),
    ],
)
def test_bounds_of_what_can_be_scored(part: str, value: object, wrong: str) -> None:
    parts: dict[str, Any] = {"times": np.ones((2, 1)), "solved": np.ones((2, 1)), "cutoff": 10.0}
    if not wrong:
        Runs(**(parts | {part: value}))
        return
    with pytest.raises(AslibError, match=wrong):
        Runs(**(parts | {part: value}))


# --- ranks --------------------------------------------------------------------------


def test_ties_within_a_tolerance_share_their_place() -> None:
    """1 and 1.5 are tied, and 1.5 and 2: the middle one is tied with both."""
    near = [1, 1.5, 2, 9]
    first = ranks(near, higher_is_better=False, tolerance=0.5)
    assert first.tolist() == [1, 1, 2, 4]
    mean = ranks(near, higher_is_better=False, tolerance=0.5, ties="mean")
    assert mean.tolist() == [1.5, 2, 2.5, 4]
    most = ranks([9, 8.5, 1], higher_is_better=True, tolerance=0.5, ties="mean")
    assert most.tolist() == [1.5, 1.5, 3]
    assert ranks([1, 2], higher_is_better=True, tolerance=0.75).tolist() == [2, 1]


def test_solved_counts_more_than_any_time() -> None:
    assert solved_then_par1([2, 1, 1], par1=[900, 1, 1]).tolist() == [1, 2, 2]
    assert solved_then_par1([1, 2], par1=[1, 2]).tolist() == [2, 1]


def test_the_geometric_mean_is_of_par1_and_shifted_by_10() -> None:
    runs = Runs(np.array([[30.0], [99]]), np.array([[True], [False]]), 150.0)
    assert shifted_geometric_mean(runs).tolist() == [pytest.approx(80 - 10)]
    usual = shifted_geometric_mean(runs, k=1.0, shift=10.0)
    assert usual == shifted_geometric_mean(runs)
    assert shifted_geometric_mean(runs, shift=0.0) == pytest.approx((30 * 150) ** 0.5)


def test_tau_b_by_hand() -> None:
    """Of three pairs two agree and the third is tied in one: 2 / sqrt(3 * 2)."""
    assert kendall_tau_b([1, 2, 3], second=[1, 2, 2]) == pytest.approx(2 / 6**0.5)
    assert kendall_tau_b([1, 2, 3], second=[2, 1, 3]) == pytest.approx(1 / 3)
    with pytest.raises(AslibError, match="missing"):
        kendall_tau_b([1, 2], second=[NAN, 2])


# --- between two ends ---------------------------------------------------------------


def test_the_smallest_outcome_that_applies() -> None:
    assert rescale([1, NAN], zero=[2, INF], one=[2, 1]).status.tolist() == [3, 1]
    assert rescale(INF, zero=1, one=1).status.tolist() == 2
    assert rescale(1.5e308, zero=-1.5e308, one=1.5e308).to_list() == [1]


def test_clipping_and_choosing_keep_the_reasons() -> None:
    scaled = rescale([-1, 0.5, 3, 1], zero=[0, 0, 0, 1], one=1)
    assert clip(scaled, low=-0.5).to_list() == [-0.5, 0.5, 3, None]
    assert clip(scaled, high=1).to_list() == [-1, 0.5, 1, None]
    missing = Scaled(np.full(4, NAN), np.full(4, 1, np.int8))
    found = choose([True, False, True, True], yes=scaled, no=missing)
    assert found.to_list() == [-1, None, 3, None]
    assert found.status.tolist() == [0, 1, 0, 3]
    assert found.status.dtype == np.int8


def test_gaps_at_their_ends() -> None:
    assert oracles.clipped(90, sbs=50, vbs=10, floor=0).to_list() == [0]
    assert oracles.clipped(90, sbs=50, vbs=10, floor=-1).to_list() == [-1]
    assert oracles.bounded(50, sbs=50, vbs=10, vws=NAN).to_list() == [0]
    printed = oracles.bounded_printed([20, 90], sbs=50, vbs=10, vws=130)
    assert printed.to_list() == [0.75, -40 / 120]
    assert oracles.bounded_printed(90, sbs=50, vbs=50, vws=130).to_list() == [None]
    assert oracles.remaining(50, sbs=50, vbs=50).to_list() == [None]
    assert oracles.improvement([100, 0], sbs=50).to_list() == [0.5, None]
    assert oracles.speedup(10, vbs=10).to_list() == [1]
    with pytest.raises(AslibError, match="must be at most 0"):
        oracles.clipped(1, sbs=2, vbs=1, floor=NAN)


# --- quality ------------------------------------------------------------------------


def test_the_scaled_score_lies_from_alpha_to_beta() -> None:
    assert scores([10, 20, 40, NAN]) == [[0.75, pytest.approx(7 / 12), 0.25, 0]]
    assert scores([10, 20], maximize=True) == [[0.25, 0.75]]
    assert scores([10, 20], [10, 20], maximize=[True, False]) == [[0.25, 0.75], [0.75, 0.25]]
    assert scores([5, 5, NAN]) == [[0.75, 0.75, 0]]
    assert scores([10, 20], alpha=0.5, beta=0.5) == [[0.5, 0.5]]
    assert scores([10, 20], alpha=0, beta=1) == [[1, 0]]
    proven = np.array([[False, True]])
    assert scaled_score([[10, 20]], proven=proven).tolist() == [[0.75, 1]]


@pytest.mark.parametrize("ends", [(-0.1, 0.5), (0.6, 0.5), (0.5, 1.1)])
def test_ends_of_the_scaled_score_that_are_none(ends: tuple[float, float]) -> None:
    with pytest.raises(AslibError, match="does not hold"):
        scores([1, 2], alpha=ends[0], beta=ends[1])


def test_ratios_by_hand() -> None:
    """Cost 4 beside a best of 1: (1 + 1) / (1 + 4); without the shift 1 / 4."""
    assert incomplete([[1, 4, NAN]]).tolist() == [[1, 0.4, 0]]
    assert satisficing([[1, 4, NAN]]).tolist() == [[1, 0.25, 0]]
    assert incomplete([[1, 4]], maximize=True).tolist() == [[0.4, 1]]
    assert satisficing([[1, 4]], maximize=True).tolist() == [[0.25, 1]]
    assert incomplete([[1, 4]], best_known=[0]).tolist() == [[0.5, 0.2]]
    assert satisficing([[4, 8]], best_known=[2]).tolist() == [[0.5, 0.25]]
    assert satisficing([[4, 8]], best_known=[NAN]).tolist() == [[1, 0.5]]
    assert satisficing([[4, 8]], best_known=[9]).tolist() == [[1, 0.5]]
    assert satisficing([[4, 8]], best_known=[16], maximize=True).tolist() == [[0.25, 0.5]]
    assert satisficing([[0, 0], [0, 5]]).tolist() == [[1, 1], [1, 0]]
    assert satisficing([[NAN, NAN]]).tolist() == [[0, 0]]
    with pytest.raises(AslibError, match="at least 0"):
        satisficing([[1, -1]])
    with pytest.raises(AslibError, match="infinite"):
        incomplete([[1, INF]])
    with pytest.raises(AslibError, match="instances x solvers"):
        incomplete([1, 2])
