"""Careful ranking, the Condorcet winner and the Kemeny order; utility of runtimes at every horizon."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from aslib_eval.errors import AslibError
from aslib_eval.extensions.orderings.metrics import (
    Reign,
    careful,
    condorcet_winner,
    draws,
    kemeny,
    mean_utilities,
    reigns,
    wins,
)
from aslib_eval.metrics.scale import Runs

NAN, INF = np.nan, np.inf
# Votes of 100 by Wikipedia, Kemeny-Young method: Memphis, Nashville, Chattanooga and Knoxville as they are
# ranked by 42, 26, 15 and 17.
TENNESSEE = np.array([[1, 2, 3, 4], [4, 1, 2, 3], [4, 3, 1, 2], [4, 3, 2, 1]], float)
VOTERS = (42, 26, 15, 17)
# Each of three beats one and is beaten by another, twice in three.
CYCLE = np.array([[1, 2, 3], [2, 3, 1], [3, 1, 2]], float)


def test_a_timeout_loses_and_two_are_a_draw() -> None:
    # The second and third time out on the second instance: both cost 10 cutoffs.
    costs = np.array([[1, 2, 9], [5, 100, 100], [NAN, 3, 2]])
    won = wins(costs)
    assert won.tolist() == [[0, 2, 2], [0, 0, 1], [0, 1, 0]]
    assert draws(costs, won).tolist() == [[0, 0, 0], [0, 0, 1], [0, 1, 0]]


def test_small_differences_are_a_draw() -> None:
    costs = np.array([[1.0, 2.0], [10.0, 15.0]])
    assert wins(costs, delta=1.0).tolist() == [[0, 1], [0, 0]]
    assert wins(costs, delta=0.5, relative=True).tolist() == [[0, 1], [0, 0]]
    assert wins(costs, delta=1.0, relative=True).tolist() == [[0, 0], [0, 0]]


def test_tennessee_is_ordered_as_published() -> None:
    # https://en.wikipedia.org/wiki/Kemeny-Young_method: Nashville, Chattanooga, Knoxville, Memphis with the
    # score 393 of 600.
    won = wins(np.repeat(TENNESSEE, VOTERS, axis=0))
    found = kemeny(won)
    assert found.order == (1, 2, 3, 0)
    assert 600 - found.disagreements == 393
    assert found.proved
    assert found.unique
    assert condorcet_winner(won) == 1
    assert careful(won).places.tolist() == [4, 1, 2, 3]


def test_a_cycle_shares_its_place_and_is_shown() -> None:
    # A fourth is behind all three on every instance, and a fifth ahead.
    costs = np.column_stack([CYCLE, np.full(3, 9), np.full(3, 0)])
    found = careful(wins(costs))
    assert found.places.tolist() == [2, 2, 2, 5, 1]
    assert found.cycles == ((0, 1, 2),)
    assert condorcet_winner(wins(costs[:, :4])) is None
    order = kemeny(wins(costs))
    assert (order.order[0], order.order[-1]) == (4, 3)
    assert (order.disagreements, order.bound, order.unique) == (4, 4, False)
    assert order.places == (2, 2, 2, 5, 1)  # each of the three is first in some order


def test_equal_solvers_share_a_place_whatever_they_are_called() -> None:
    costs = np.array([[1.5, 1.5, 2.5], [3.5, 3.5, 1.0], [4.0, 4.0, 3.0]])
    for order in permutations(range(3)):
        found = kemeny(wins(costs[:, order]), near=np.array([2.0, 1.0, 3.0]))
        assert [found.places[order.index(s)] for s in range(3)] == [2, 2, 1]
        assert found.unique is False


def test_of_equal_orders_the_nearest_is_taken() -> None:
    won = wins(CYCLE)
    for first in range(3):
        near = (np.arange(3.0) - first) % 3
        order = tuple(np.argsort(near).tolist())
        assert kemeny(won, near=near).order == order
    none = kemeny(np.zeros((3, 3), np.int64), near=np.array([2.0, 3.0, 1.0]))
    assert (none.order, none.disagreements, none.unique) == ((2, 0, 1), 0, False)


def test_more_than_forty_in_a_cycle_are_refused() -> None:
    n = 41
    won = np.zeros((n, n), np.int64)
    won[np.arange(n), (np.arange(n) + 1) % n] = 1
    with pytest.raises(AslibError, match="41 solvers beat each other in a cycle"):
        kemeny(won)


def contradicted(won: np.ndarray, order: tuple[int, ...]) -> int:
    return sum(int(won[later, s]) for at, s in enumerate(order) for later in order[at + 1 :])


SMALL = st.tuples(st.integers(1, 6), st.integers(2, 5)).flatmap(
    lambda shape: arrays(float, shape, elements=st.sampled_from([0.0, 1, 2, 3, NAN]))
)


@given(SMALL)
def test_kemeny_equals_enumeration(costs: np.ndarray) -> None:
    won = wins(costs)
    found = kemeny(won)
    all_ = [contradicted(won, o) for o in permutations(range(costs.shape[1]))]
    assert contradicted(won, found.order) == found.disagreements == min(all_)
    assert found.bound == found.disagreements
    assert found.unique == (all_.count(min(all_)) == 1)
    best = [o for o in permutations(range(won.shape[0]))
            if contradicted(won, o) == min(all_)]  # fmt: skip
    everyone = range(won.shape[0])
    before = [sum(all(o.index(t) < o.index(s) for o in best) for t in everyone if t != s) for s in everyone]
    assert [*found.places] == [1 + count for count in before]


@given(SMALL)
def test_careful_places_are_by_chains_of_wins(costs: np.ndarray) -> None:
    won = wins(costs)
    n = len(won)
    found = careful(won)
    chains = {(a, b) for a in range(n) for b in range(n) if won[a, b] > won[b, a]}
    for _ in range(n):
        chains |= {(a, d) for a, b in chains for c, d in chains if b == c}
    ahead = [sum((o, s) in chains and (s, o) not in chains for o in range(n)) for s in range(n)]
    assert found.places.tolist() == [1 + count for count in ahead]
    in_cycles = {s for cycle in found.cycles for s in cycle}
    assert in_cycles == {s for s in range(n) if (s, s) in chains}
    # Whom nobody beats is first, and who beats all is alone there.
    winner = condorcet_winner(won)
    if winner is not None:
        assert np.flatnonzero(found.places == 1).tolist() == [winner]
        assert kemeny(won).order[0] == winner


# --- utility


def test_at_the_cutoff_it_is_par1_turned() -> None:
    rng = np.random.default_rng(3)
    solved = rng.uniform(size=(20, 5)) < 0.7
    runs = Runs(rng.uniform(0, 9, (20, 5)), solved, 9.0)
    found = mean_utilities(np.where(solved, runs.times / 9, INF), horizon=1)
    assert found.tolist() == pytest.approx((1 - runs.par(1).mean(axis=0) / 9).tolist())


def test_means_at_a_horizon() -> None:
    times = np.array([[0.1, 0.3], [INF, 0.5]])
    assert mean_utilities(times, horizon=0.4).tolist() == pytest.approx([0.375, 0.125])
    assert mean_utilities(times, horizon=1).tolist() == pytest.approx([0.45, 0.6])
    assert np.isnan(mean_utilities(np.array([[np.nan], [1.0]]), horizon=1)).all()


def test_who_is_first_changes_where_the_lines_cross() -> None:
    # Below .1 nobody solves; then the first alone, 1 - .1/h, until 2 - .8/h is more.
    times = np.array([[0.1, 0.3], [INF, 0.5]])
    found = reigns(times)
    assert [reign.first for reign in found] == [(0, 1), (0,), (1,)]
    assert [reign.low for reign in found] == pytest.approx([0, 0.1, 0.7])
    assert [reign.high for reign in found] == pytest.approx([0.1, 0.7, 1])


def test_all_equal_and_all_timed_out_reign_together() -> None:
    assert reigns(np.full((2, 2), INF)) == [Reign(0, 1, (0, 1))]
    assert reigns(np.full((1, 2), 0.5)) == [Reign(0, 1, (0, 1))]


def test_what_is_solved_at_once_counts_from_the_start() -> None:
    found = reigns(np.array([[0.0, 0.5], [INF, 0.5]]))
    assert [reign.first for reign in found] == [(0,)]  # they meet at 1 alone


@given(
    arrays(
        float,
        st.tuples(st.integers(1, 5), st.integers(2, 4)),
        elements=st.sampled_from([0.0, 0.05, 0.1, 0.25, 0.3, 0.5, 0.8, 1.0, INF]),
    )
)
def test_reigns_are_those_of_a_grid(times: np.ndarray) -> None:
    found = reigns(times)
    assert found[0].low == 0
    assert found[-1].high == 1
    assert [r.high for r in found[:-1]] == [r.low for r in found[1:]]
    for h in np.linspace(0.0037, 0.9973, 97):
        (reign,) = (r for r in found if r.low < h <= r.high)
        means = mean_utilities(times, horizon=h)
        near = min(abs(h - end) for r in found for end in (r.low, r.high))
        if near > 1e-9:
            first = np.flatnonzero(means >= means.max() - 1e-12)
            assert set(reign.first) == set(first.tolist()), h
