"""Careful ranking, the Condorcet winner and the Kemeny order."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import optimize

from aslib_eval.errors import AslibError
from aslib_eval.extensions.orderings.metrics import careful, condorcet_winner, draws, kemeny, wins

NAN = np.nan
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


def test_an_order_is_looked_for_a_minute_and_to_the_last_pair(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    first = optimize.milp

    def milp(*given: Any, **named: Any) -> Any:
        asked.append(named["options"])
        return first(*given, **named)

    monkeypatch.setattr(optimize, "milp", milp)
    kemeny(wins(CYCLE))
    assert asked[0] == {"mip_rel_gap": 0.0, "time_limit": 60.0}


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


@pytest.mark.parametrize(("n", "seed"), [(7, 1), (7, 2), (8, 3)])
def test_kemeny_equals_enumeration_of_up_to_eight(n: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    won = wins(rng.normal(size=(9, n)))
    found = kemeny(won)
    # The fewest of every set of solvers that stand first: one of them is the last.
    fewest = {0: 0}
    for group in range(1, 1 << n):
        members = [s for s in range(n) if group >> s & 1]
        fewest[group] = min(
            fewest[group & ~(1 << s)] + sum(int(won[s, o]) for o in members) for s in members
        )
    assert found.disagreements == found.bound == fewest[(1 << n) - 1]
    assert contradicted(won, found.order) == found.disagreements


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
