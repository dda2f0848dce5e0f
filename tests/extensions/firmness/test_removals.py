"""The fewest instances whose removal swaps two solvers, held against all subsets."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from scipy import optimize
from scipy.optimize import milp

from aslib_eval.extensions.firmness.metrics import Advantages, Removal, fewest_removals, swapping_groups


def contest(*levels: list[float]) -> Advantages:
    return Advantages(np.array(levels, float))


def by_all_subsets(given: Advantages) -> int | None:
    n = given.levels.shape[1]
    for k in range(n):
        for gone in combinations(range(n), k):
            kept = np.ones(n, bool)
            kept[list(gone)] = False
            if given.order(kept) < 0:
                return k
    return None


def test_the_largest_advantages_go_first() -> None:
    found = fewest_removals(contest([1, 7, -2, 5, -4]))
    assert found == Removal(2, 2, (1, 3))
    assert found.is_exact


def test_a_tie_is_no_swap() -> None:
    assert fewest_removals(contest([3, 3, -3])) == Removal(2, 2, (0, 1))
    assert fewest_removals(contest([0.1, 0.2, -0.3])).most == 1
    assert fewest_removals(contest([0.1, 0.2, -0.3 - 1e-6])).most == 0


def test_who_is_never_worse_stays_ahead() -> None:
    assert fewest_removals(contest([3, 0, 1])) == Removal(None, None)
    assert fewest_removals(contest([0, 0])) == Removal(None, None)


def test_later_levels_decide_among_equals() -> None:
    # One solved more, and faster by 5 in all: without the third instance both have solved as many, and the
    # other one is faster by 4.
    solved, time = [0, 0, 1, 0], [1, -5, 9, 0]
    assert fewest_removals(contest(solved, time)) == Removal(1, 1, (2,))
    # Without a time on the third both would be equal after it is gone: two must go.
    assert fewest_removals(contest(solved, [5, -5, 9, 0])) == Removal(2, 2, (0, 2))


def test_later_levels_are_not_tried_where_they_cannot_be_better(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[int] = []  # constraints of each program: a level more has one more

    def counted(*args: Any, constraints: Sequence[Any], **more: Any) -> Any:
        tried.append(len(constraints[0].lb) - 1)
        return milp(*args, constraints=constraints, **more)

    monkeypatch.setattr(optimize, "milp", counted)
    # Without the third both have solved as many, and wall-clock times decide.
    solved, wall, cpu = [0, 0, 1, 0], [1, -5, 9, 0], [3, 3, 3, 3]
    assert fewest_removals(contest(solved, wall, cpu)) == Removal(1, 1, (2,))
    assert tried == [1]
    # Nothing makes them equal in what is solved.
    assert fewest_removals(contest([1, 1], wall[:2], cpu[:2])) == Removal(None, None)
    assert tried == [1]
    # One is behind in wall-clock time on no instance: only CPU time is left.
    assert fewest_removals(contest(solved, [0, 0, 9, 0], [-1, 0, 9, 0])).most == 1
    assert tried == [1, 1]


def test_numbers_without_an_end_have_a_bound_from_below() -> None:
    third = 1 / 3
    given = contest([0, 1, 0], [third, 9, -third])
    found = fewest_removals(given)
    assert found.least == 1
    assert found.most == 2 == by_all_subsets(given)


@pytest.mark.parametrize("block", range(4))
def test_two_hundred_scenarios_by_all_subsets(block: int) -> None:
    for seed in range(50 * block, 50 * block + 50):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(2, 16 if seed % 10 == 0 else 10))
        counts = [rng.integers(-1, 2, n) for _ in range(rng.integers(4))]
        last = rng.integers(-5, 6, n) * rng.choice([1, 0.25, 0.1])
        given = contest(*map(list, counts), list(last))
        if given.order() < 0:
            given = Advantages(-given.levels)
        found = fewest_removals(given)
        assert found.is_exact, seed
        assert found.most == by_all_subsets(given), seed
        if found.most is not None:
            kept = np.ones(n, bool)
            kept[list(found.rows)] = False
            assert len(set(found.rows)) == found.most
            assert given.order(kept) < 0, seed


def test_the_smallest_family_that_swaps_is_first() -> None:
    given = contest([4, 4, -1, 9, -2])
    assert swapping_groups(given, ["a", "a", "b", "c", "c"]) == []
    assert swapping_groups(contest([4, 4, -1, 1, -2]), ["a", "a", "b", "a", "c"]) == ["a"]
    both = contest([5, -2, 5, 5, -7])
    assert swapping_groups(both, ["a", "b", "c", "c", "b"]) == ["c"]
    even = contest([9, -3, 9, 0, -7])
    assert swapping_groups(even, ["b", "x", "a", "a", "x"]) == ["b", "a"]
    assert swapping_groups(contest([5, -6]), ["a", "a"]) == []
