"""Borda as a function of delta: exact at, before and after every breakpoint."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise as neighbours
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from aslib_eval.metrics.ranking import BordaRule
from aslib_eval.metrics.scale import Runs
from aslib_eval.metrics.sweeps import (
    Reversal,
    Sweep,
    delta_sweep,
    exact_sums,
    leads,
    log_grid,
    replaced_sums,
    running_sum,
    thinned,
)
from tests.metrics.test_borda import exact_borda
from tests.metrics.test_runs import laws, small_runs
from tests.oracles import borda

ALL = st.booleans()


def around(points: NDArray[np.float64]) -> list[float]:
    """Each point, the number just before and the one just after it, from 0 on."""
    beside = [np.nextafter(points, -np.inf), points, np.nextafter(points, np.inf)]
    return sorted(x for x in np.concatenate(beside).tolist() if x >= 0)


def differences(runs: Runs, *, relative: bool) -> NDArray[np.float64]:
    """Of every two times of an instance that are solved, without rounding away any."""
    own, other = runs.times[:, :, None], runs.times[:, None, :]
    apart, least = np.abs(own - other), np.minimum(own, other)
    both = runs.answered[:, :, None] & runs.answered[:, None, :]
    usable = both & (apart > 0) & ((least > 0) | (not relative))
    found = apart[usable]
    with np.errstate(over="ignore"):
        return found / least[usable] if relative else found


def same_as_brute_force(runs: Runs, sweep: Sweep, rule: dict[str, bool]) -> None:
    points, relative = sweep.breakpoints, rule["relative"]
    size = 1 + points if relative else np.full(len(points), runs.cutoffs[0])
    apart = np.abs(points[:, None] - differences(runs, relative=relative))
    near = (apart > 0) & (apart <= 1e-14 * size[:, None])
    at = sorted([*around(points[~near.any(axis=1)]), *points.tolist()])
    brute = [borda(runs, rule=BordaRule(x, **rule)) for x in at]
    np.testing.assert_allclose(sweep.scores(at), brute, rtol=1e-12, atol=1e-15)


@laws
@given(small_runs(), ALL, ALL)
def test_whole_times(runs: Runs, relative: bool, modified: bool) -> None:  # noqa: FBT001
    rule = {"relative": relative, "modified": modified}
    same_as_brute_force(runs, delta_sweep(runs, **rule), rule)


@laws
@given(small_runs(whole=False), ALL, ALL)
def test_any_times(runs: Runs, relative: bool, modified: bool) -> None:  # noqa: FBT001
    rule = {"relative": relative, "modified": modified}
    same_as_brute_force(runs, delta_sweep(runs, **rule), rule)


def test_differences_that_differ_by_rounding_are_one_breakpoint() -> None:
    # 0.2 and 0.3 - 0.1 are one, and no exchange of places lies between the two.
    times = np.array([[0.1, 0.3], [0.8, 0.6], [0.6, 0.4], [1, 9]])
    apart = np.abs(times[:, 0] - times[:, 1]).tolist()
    assert apart[:3] == [0.19999999999999998, 0.20000000000000007, 0.19999999999999996]
    sweep = delta_sweep(Runs(times, times < 10, 10.0))
    assert sweep.breakpoints.tolist() == [0, 0.20000000000000007, 8]
    assert sweep.rankings.ranks.tolist() == [[1, 2], [1, 1]]
    same_as_brute_force(Runs(times, times < 10, 10.0), sweep, {"relative": False, "modified": False})


def test_an_exchange_of_places_is_not_undone_within_rounding() -> None:
    # A wins i1 by 0.2, B i2 by 0.3 - 0.1 and more, and i3 by a little.
    times = np.array([[0.2, 0.4], [0.3, 0.1], [50.5, 50]])
    sweep = delta_sweep(Runs(times, times < 99, 99.0))
    assert sweep.breakpoints.tolist() == [0, 0.2, 0.5]
    assert sweep.rankings.ranks.tolist() == [[2, 1], [1, 1]]
    assert sweep.reversals == ()


def test_scores_at_a_round_delta_are_exact_beside_joined_breakpoints() -> None:
    times = np.array([[0.1, 0.3], [0.8, 0.6], [0.6, 0.4], [1, 9]])
    runs = Runs(times, times < 10, 10.0)
    at = around(np.array([0.2, 0.20000000000000007]))
    found = [borda(runs, rule=BordaRule(x)) for x in at]
    np.testing.assert_allclose(delta_sweep(runs).scores(at), found, rtol=1e-14)


def test_shares_that_differ_by_rounding_are_one_breakpoint() -> None:
    # 1.1 / 1 and 3.3 / 3 are both a tenth more.
    times = np.array([[1, 1.1], [3, 3.3], [2.2, 2], [1, 2]])
    runs = Runs(times, times < 10, 10.0)
    sweep = delta_sweep(runs, relative=True)
    assert len(set(differences(runs, relative=True).tolist())) > 2
    assert sweep.breakpoints.tolist() == pytest.approx([0, 0.1, 1], rel=1e-14)


def test_small_differences_of_other_times_stay_beside_rounding() -> None:
    times = np.array([[1e-9, 2e-9], [1e-9, 2.5e-9], [1e9, 1e9 + 1e-6]])
    sweep = delta_sweep(Runs(times, times < 2e9, 2e9))
    assert len(sweep.breakpoints) == 4


def exact_ranks(scores: list[Fraction], *, higher_is_better: bool) -> list[int]:
    sign = 1 if higher_is_better else -1
    return [1 + sum(sign * o > sign * s for o in scores) for s in scores]


def middles(points: NDArray[np.float64]) -> list[float]:
    """A value inside of each interval, the last one without end."""
    return [(a + b) / 2 for a, b in neighbours(points.tolist())] + [points[-1] + 1]


@laws
@given(small_runs(max_solvers=3), ALL, ALL)
def test_rankings_in_exact_arithmetic(
    runs: Runs,
    relative: bool,  # noqa: FBT001
    modified: bool,  # noqa: FBT001
) -> None:
    sweep = delta_sweep(runs, relative=relative, modified=modified)
    at = middles(sweep.breakpoints)
    rules = [BordaRule(x, relative=relative, modified=modified) for x in at]
    expected = [exact_ranks(exact_borda(runs, rule), higher_is_better=True) for rule in rules]
    assert sweep.ranks(at).tolist() == expected
    starts, ranks = sweep.rankings
    held = starts.searchsorted(at, side="right") - 1
    assert ranks[held].tolist() == expected
    assert (ranks[1:] != ranks[:-1]).any(axis=1).all()


@laws
@given(small_runs(max_solvers=3), ALL)
def test_reversals_in_exact_arithmetic(runs: Runs, modified: bool) -> None:  # noqa: FBT001
    sweep = delta_sweep(runs, modified=modified)
    points = sweep.breakpoints.tolist()
    scores = [exact_borda(runs, BordaRule(x, modified=modified)) for x in points]
    expected = []
    for a in range(runs.n_solvers):
        for b in range(a):
            leader, last = None, 0.0
            for x, score in zip(points, scores, strict=True):
                if score[a] == score[b]:
                    continue
                better = a if score[a] > score[b] else b
                if leader is not None and better != leader:
                    expected.append(Reversal(leader, better, x, last))
                leader = better
                last = next((y for y in points if y > x), math.inf)
    expected.sort(key=lambda r: (r.at, r.before, r.after))
    assert sweep.reversals == tuple(expected)


def test_a_reversal_by_hand() -> None:
    # Two easy instances that the first wins by 1, a hard one that it loses by 40.
    times = np.array([[1.0, 2], [1, 2], [90, 50]])
    sweep = delta_sweep(Runs(times, times < 100, 100.0))
    assert sweep.breakpoints.tolist() == [0, 1, 40]
    easy = np.array([[4 / 3, 2 / 3], [1, 1], [1, 1]])
    hard = np.array([[50 / 140, 90 / 140], [50 / 140, 90 / 140], [0.5, 0.5]])
    np.testing.assert_allclose(sweep.scores([0, 1, 40]), (easy + hard) / 3)
    assert sweep.reversals == (Reversal(before=0, after=1, at=1, tied_from=1),)
    assert sweep.rankings.starts.tolist() == [0, 1, 40]
    assert sweep.rankings.ranks.tolist() == [[1, 2], [2, 1], [1, 1]]


def test_a_tie_between_two_leaders() -> None:
    # Each of two wins one instance by the same share; they part at 2 and turn at 4.
    times = np.array([[1.0, 3], [6, 2], [9, 3]])
    runs = Runs(times[:2], times[:2] < 10, 10.0)
    sweep = delta_sweep(runs)
    assert sweep.leads(0, 1).starts.tolist() == [0, 2, 4]
    assert sweep.leads(0, 1).signs.tolist() == [0, -1, 0]
    assert sweep.reversals == ()


def test_nothing_to_compare() -> None:
    times = np.full((3, 2), 5.0)
    tied = delta_sweep(Runs(times, times < 9, 9.0))
    assert tied.breakpoints.tolist() == [0]
    assert tied.rankings.ranks.tolist() == [[1, 1]]
    none = delta_sweep(Runs(times, times > 9, 9.0))
    assert none.scores([0, 1e9]).tolist() == [[0, 0], [0, 0]]
    alone = delta_sweep(Runs(times[:1, :1], times[:1, :1] < 9, 9.0))
    assert alone.scores(3).tolist() == [[0]]
    assert alone.reversals == ()


def test_relative_breakpoints_pass_the_test_that_they_stand_for() -> None:
    rng = np.random.default_rng(5)
    times = np.append(rng.random((500, 2)) * 100, [[0.0, 7.0]], axis=0)
    sweep = delta_sweep(Runs(times, times < 100, 100.0), relative=True)
    least = times.min(axis=1)
    apart = np.abs(times[:, 0] - times[:, 1])
    for x in sweep.breakpoints[1:].tolist():
        before = np.nextafter(x, 0)
        assert (apart <= x * least).sum() > (apart <= before * least).sum()
    assert len(sweep.breakpoints) > 400


def test_pooled_scenarios_each_have_their_cutoff() -> None:
    times = np.array([[1.0, 3], [100, 300]])
    runs = Runs(times, times < np.inf, np.array([10.0, 1000.0]))
    found = delta_sweep(runs, modified=True).scores(200)
    expected = [(0.6 + 0.6) / 2, (0.4 + 0.4) / 2]
    np.testing.assert_allclose(found, [expected], rtol=1e-14)


@pytest.mark.parametrize("relative", [False, True])
def test_blocks_leave_no_reversal_out(relative: bool) -> None:  # noqa: FBT001
    rng = np.random.default_rng(11)
    times = np.exp(rng.normal(3, 2, (3000, 1)) + rng.normal(0, 1, (3000, 3)))
    sweep = delta_sweep(Runs(times, times < 3600, 3600.0), relative=relative)
    for a, b in ((0, 1), (0, 2), (1, 2)):
        pair = sweep.curves[a], sweep.curves[b]
        at = np.unique(np.concatenate([curve.starts for curve in pair]))
        whole = leads(*pair, at=at, tolerance=sweep.tolerance)
        assert sweep.leads(a, b).starts.tolist() == whole.starts.tolist()
        assert sweep.leads(a, b).signs.tolist() == whole.signs.tolist()
    assert len(sweep.reversals) > 10


def test_copies_of_a_solver_tie_for_ever() -> None:
    rng = np.random.default_rng(4)
    times = rng.random((2000, 3)) * 100
    times[:, 2] = times[:, 0]
    sweep = delta_sweep(Runs(times, times < 95, 100.0))
    assert sweep.leads(0, 2).signs.tolist() == [0]


def test_permuted_instances_tie() -> None:
    rng = np.random.default_rng(9)
    first = rng.random((4000, 3)) * 100
    times = np.concatenate([first, first[::-1, [1, 0, 2]]])  # 0 and 1 in turn
    sweep = delta_sweep(Runs(times, times < 95, 100.0))
    assert len(sweep.breakpoints) > 3000
    assert sweep.leads(0, 1).signs.tolist() == [0]


def test_equal_scores_tie_though_they_round_differently() -> None:
    # 7/8 + 3/8 + 1/4 = 1/8 + 5/8 + 3/4.
    times = np.array([[1.0, 7], [5, 3], [3, 1]])
    sweep = delta_sweep(Runs(times, times < 9, 9.0))
    assert sweep.leads(0, 1).starts.tolist() == [0, 2, 6]
    assert sweep.leads(0, 1).signs.tolist() == [0, 1, 0]
    assert sweep.ranks(0).tolist() == [[1, 1]]


def test_sums_of_many_terms() -> None:
    rng = np.random.default_rng(1)
    terms = rng.normal(size=200_000) * 10.0 ** rng.integers(-8, 3, 200_000)
    exact = [math.fsum(terms[:n]) for n in (1, 1000, 200_000)]
    found = running_sum(terms)[[0, 999, 199_999]]
    np.testing.assert_allclose(found, exact, rtol=3e-16)
    assert exact_sums(terms[:, None])[0] == exact[-1]
    assert running_sum(np.zeros(2)).tolist() == [0, 0]
    assert running_sum(np.zeros(0)).tolist() == []


@laws
@given(st.lists(st.floats(-1e300, 1e300), max_size=8), st.randoms())
def test_terms_that_cancel_leave_what_is_left(terms: list[float], random: Random) -> None:
    every = [*terms, *(-term for term in terms), 5e-324, 1e-9]
    random.shuffle(every)
    exact = [math.fsum(every[: n + 1]) for n in range(len(every))]
    np.testing.assert_allclose(running_sum(np.array(every)), exact, rtol=3e-16)


def test_replaced_terms_are_as_if_the_new_had_been_there() -> None:
    old, new = np.array([0.1, 0.7, 0.3]), np.array([0.2, 0.0, 1e-30])
    found = replaced_sums(np.append(old, 0.0), old=old, new=new).tolist()
    steps = [old, [0.2, 0.7, 0.3], [0.2, 0.3], [0.2, 1e-30]]
    assert found == [math.fsum(terms) for terms in steps]


def test_powers_of_ten_on_a_grid_are_powers_of_ten() -> None:
    assert log_grid(0.1, 1000, places=5).tolist() == [0.1, 1, 10, 100, 1000]
    assert log_grid(0.3, 0.7, places=3)[[0, -1]].tolist() == [0.3, 0.7]
    assert log_grid(0.3, 0.7, places=3)[1] == pytest.approx(0.21**0.5)
    assert log_grid(1 / 3, 1 / 3, places=3).tolist() == [1 / 3] * 3


def test_a_step_on_the_edge_of_a_place_begins_it() -> None:
    starts, values = np.array([0.0, 1, 9, 10, 50, 99]), np.arange(6.0)
    # Places: up to 1, from 1 to 10, from 10 to 100.
    at, kept = thinned(starts, values, low=1.0, high=100.0, places=2)
    assert at.tolist() == [0, 1, 9, 10, 99, 100]
    assert kept.tolist() == [0, 1, 2, 3, 5, 5]
    # Of those in one place, 1.1 to 1.4, the first, the least, the largest and the last stay.
    starts, values = np.array([0, 1, 1.1, 1.2, 1.3, 1.4, 50, 101]), np.array([9, 1, 5, 0, 3, 2, 7, 8])
    at, kept = thinned(starts, values, low=1.0, high=100.0, places=2)
    assert at.tolist() == [0, 1, 1.1, 1.2, 1.4, 50, 100]
    assert kept.tolist() == [9, 1, 5, 0, 2, 7, 7]
