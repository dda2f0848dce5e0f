"""What swaps two solvers, the fewest instances or a parameter, and which places are left open."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aslib_eval.errors import AslibError
from aslib_eval.extensions.firmness.metrics import (
    Advantages,
    RankSets,
    Removal,
    as_normal,
    fewest_removals,
    nearest_penalty,
    nearest_slowdown,
    rank_sets,
    surest_speedup,
    swap_ranges,
    swapping_groups,
)
from aslib_eval.metrics.scale import Runs
from aslib_eval.metrics.sweeps import cutoff_sweep, delta_sweep


def contest(*levels: list[float]) -> Advantages:
    return Advantages(np.array(levels, float))


def by_all_subsets(pair: Advantages) -> int | None:
    n = pair.levels.shape[1]
    for k in range(n):
        for gone in combinations(range(n), k):
            kept = np.ones(n, bool)
            kept[list(gone)] = False
            if pair.order(kept) < 0:
                return k
    return None


def test_the_largest_advantages_go_first() -> None:
    assert fewest_removals(contest([1, 7, -2, 5, -4])) == Removal(2, 2, (1, 3))


def test_a_tie_is_no_swap() -> None:
    assert fewest_removals(contest([3, 3, -3])) == Removal(2, 2, (0, 1))
    assert fewest_removals(contest([1] * 40 + [-1] * 20)).rows == tuple(range(21))  # the first of equals
    assert fewest_removals(contest([0.1, 0.2, -0.3])).most == 1
    assert fewest_removals(contest([0.1, 0.2, -0.3 - 1e-6])).most == 0


def test_less_than_the_rounding_of_a_sum_is_a_tie() -> None:
    a, b, c, d = 1 / 3, 1 / 7, 1 / 13, 1 / 11
    pair = contest([a, b, c, d, -(a + (b + (c + d)))])
    assert pair.levels.sum() != 0
    assert pair.order() == 0
    # What decides first is in thirds, and what decides then in whole numbers.
    assert fewest_removals(contest([1 / 3, -1 / 4], [1, 1])) == Removal(1, 1, (0,))


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
    # One is behind in the second on no instance: only the third is left.
    assert fewest_removals(contest(solved, [0, 0, 9, 0], [-1, 0, 9, 0])).most == 1
    assert fewest_removals(contest([1, 1], time[:2])) == Removal(None, None)


def test_numbers_without_an_end_have_a_bound_from_below() -> None:
    third = 1 / 3
    pair = contest([0, 1, 0], [third, 9, -third])
    found = fewest_removals(pair)
    assert found.least == 1
    assert found.most == 2 == by_all_subsets(pair)


@pytest.mark.parametrize("block", range(4))
def test_two_hundred_scenarios_by_all_subsets(block: int) -> None:
    for seed in range(50 * block, 50 * block + 50):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(2, 16 if seed % 10 == 0 else 10))
        counts = [rng.integers(-1, 2, n) for _ in range(rng.integers(4))]
        last = rng.integers(-5, 6, n) * rng.choice([1, 0.25, 0.1])
        pair = contest(*map(list, counts), list(last))
        if pair.order() < 0:
            pair = Advantages(-pair.levels)
        found = fewest_removals(pair)
        assert found.least == found.most == by_all_subsets(pair), seed
        if found.most is not None:
            kept = np.ones(n, bool)
            kept[list(found.rows)] = False
            assert len(set(found.rows)) == found.most
            assert pair.order(kept) < 0, seed


def test_the_smallest_family_that_swaps_is_first() -> None:
    pair = contest([4, 4, -1, 9, -2])
    assert swapping_groups(pair, ["a", "a", "b", "c", "c"]) == []
    assert swapping_groups(contest([4, 4, -1, 1, -2]), ["a", "a", "b", "a", "c"]) == ["a"]
    both = contest([5, -2, 5, 5, -7])
    assert swapping_groups(both, ["a", "b", "c", "c", "b"]) == ["c"]
    even = contest([9, -3, 9, 0, -7])
    assert swapping_groups(even, ["b", "x", "a", "a", "x"]) == ["b", "a"]
    assert swapping_groups(contest([5, -6]), ["a", "a"]) == []


# --- parameters

OUT = 100.0  # a run that takes as long is a timeout
TIMES = st.lists(st.tuples(*[st.integers(1, 12).map(lambda t: 10.0 * t)] * 2), min_size=1, max_size=6)


def runs(*columns: list[float]) -> Runs:
    times = np.array(columns, float).T
    return Runs(np.minimum(times, OUT), times < OUT, OUT)


def test_a_solver_with_more_timeouts_is_ahead_below_a_penalty() -> None:
    # Sums: 120 and 20 + 100 k, equal at 1; 170 and 20 + 100 k, equal at 1.5.
    found = runs([30, 30, 60], [10, 10, OUT])
    assert nearest_penalty(found, 0, 1, 10) is None  # at k = 1 both have 120
    assert nearest_penalty(runs([40, 40, 90], [10, 10, OUT]), 0, 1, 10) == 1.5
    assert nearest_penalty(runs([10, 10, OUT], [40, 40, 90]), 0, 1, 1.2) == 1.5
    assert nearest_penalty(runs([10, 10], [40, 40]), 0, 1, 10) is None
    for pair in (([40, 40, 90], [10, 10, OUT]), ([10, 10, OUT], [40, 40, 90])):  # equal there already
        assert nearest_penalty(runs(*pair), 0, 1, 1.5) is None


def test_a_lower_cutoff_is_a_slower_machine() -> None:
    # Below 60 the second solves one more; a cutoff of 60 is a machine 100 / 60 slower.
    found = runs([20, 60, 60], [50, 50, OUT])
    sweep = cutoff_sweep(found).scores
    assert swap_ranges(sweep, 0, 1, OUT)[0][1] == 60
    assert swap_ranges(cutoff_sweep(runs([10, 20], [30, 40])).scores, 0, 1, OUT) == []


def test_the_nearest_range_is_first() -> None:
    # The second solves one more from 10 to 20 and from 55 to 60.
    sweep = cutoff_sweep(runs([20, 60, 15], [50, 55, 10])).scores
    for at, ranges in ((45, [(55, 60), (10, 20)]), (30, [(10, 20), (55, 60)])):
        assert swap_ranges(sweep, 0, 1, at) == ranges


def test_delta_is_sought_on_both_sides() -> None:
    # Close times count for the slower one as a tie from delta = 5 on.
    found = runs([10, 10, 60], [15, 15, 20])
    sweep = delta_sweep(found)
    assert sweep.ranks(0)[0].tolist() == [2, 1]
    assert swap_ranges(sweep, 1, 0, 0.0) == []
    found = runs([1, 1, 60], [4, 4, 20])
    sweep = delta_sweep(found)
    assert sweep.ranks([0, 3])[:, 0].tolist() == [1, 2]
    assert swap_ranges(sweep, 0, 1, 0.0)[0][0] == 3
    assert swap_ranges(sweep, 1, 0, 4.0)[0][1] == 3


def test_how_much_slower_one_may_be() -> None:
    # 10 + 20 times 3 are the other's 90; at factor 5 the run of 20 would be at 100.
    assert nearest_slowdown(runs([10, 20], [45, 45]), 0, 1, penalty=10) == (pytest.approx(3))
    # The other one has a timeout more: 70 is lost at 100 / 70, which makes both equal in number, and the
    # other one faster.
    found = nearest_slowdown(runs([10, 70], [10, OUT]), 0, 1, penalty=10)
    assert found == pytest.approx(100 / 70)
    assert nearest_slowdown(runs([10, 70], [OUT, OUT]), 0, 1, penalty=10) is None
    # From 2 on the run of 50 is lost: 100 + 10 times 6 are the other's 60 + 100.
    assert nearest_slowdown(runs([10, 50], [60, OUT]), 0, 1, penalty=1) == pytest.approx(6)
    # A timeout of the one ahead is one on any machine, and a run of no time takes none.
    assert nearest_slowdown(runs([10, OUT], [90, OUT]), 0, 1, penalty=1) == pytest.approx(9)
    assert nearest_slowdown(runs([0, 20], [45, 45]), 0, 1, penalty=10) == pytest.approx(4.5)
    level = runs([10, 20], [10, 20])
    assert nearest_slowdown(level, 0, 1, penalty=10) == pytest.approx(1)


def test_repetitions_solved_in_part_have_no_factor() -> None:
    part = Runs(np.array([[50.0, 60.0]]), np.array([[0.5, 1.0]]), OUT)
    assert nearest_slowdown(part, 0, 1, penalty=10) is None


def test_a_faster_machine_leaves_open_what_timed_out() -> None:
    assert surest_speedup(runs([10, 20], [30, 40]), 0, 1, penalty=10) == 0
    assert surest_speedup(runs([10, OUT], [30, OUT]), 0, 1, penalty=10) == 1
    # Nine of the other's timeouts are a cutoff each at least, my one is ten at most: 950 f - 45 f against
    # 50 f + 1000.
    ours = runs([5.0] * 19 + [OUT], [OUT] * 20)
    assert surest_speedup(ours, 0, 1, penalty=10) == pytest.approx(1000 / 1905)


@given(TIMES, st.floats(1.001, 20))
def test_slower_is_exact_on_all_machines(pairs: list[tuple[float, float]], f: float) -> None:
    """On a machine so many times slower the order is what the cutoff sweep says."""
    found = runs(*map(list, zip(*pairs, strict=True)))
    costs = found.par(10).sum(axis=0)
    if costs[0] >= costs[1]:
        return
    swaps = swap_ranges(cutoff_sweep(found).scores, 0, 1, OUT)
    factor = OUT / swaps[0][1] if swaps else np.inf
    times = np.where(found.solved, found.times * f, OUT)
    slow = Runs(np.minimum(times, OUT), times < OUT, OUT).par(10).sum(axis=0)
    if f < factor * (1 - 1e-9):
        assert slow[0] <= slow[1] * (1 + 1e-9)


@given(TIMES, st.floats(0.05, 0.999), st.data())
def test_a_sure_order_holds_whatever_timeouts_become(
    pairs: list[tuple[float, float]], f: float, data: st.DataObject
) -> None:
    found = runs(*map(list, zip(*pairs, strict=True)))
    costs = found.par(10).sum(axis=0)
    if costs[0] >= costs[1] or f <= surest_speedup(found, 0, 1, penalty=10) + 1e-9:
        return
    beyond = data.draw(st.lists(st.floats(1, 30), min_size=12, max_size=12))
    true = np.where(found.solved, found.times, OUT * np.resize(beyond, found.times.shape))
    fast = Runs(np.minimum(true * f, OUT), true * f < OUT, OUT).par(10).sum(axis=0)
    assert fast[0] < fast[1]


# --- sets of places


def sets(costs: object, **words: object) -> RankSets:
    table = np.asarray(costs, float)
    return rank_sets(table, rng=np.random.default_rng(1), draws=200, **words)  # type: ignore[arg-type]


def noisy(*means: float, n: int = 60, seed: int = 3) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.normal(means, 1, (n, len(means))) + rng.normal(0, 5, (n, 1))


def test_solvers_far_apart_have_one_place_each() -> None:
    found = sets(noisy(0, 9, 4))
    assert found.lower.tolist() == found.upper.tolist() == [1, 3, 2]
    assert found.better.tolist() == [[0, 1, 1], [0, 0, 0], [0, 1, 0]]


def test_equal_solvers_share_all_places() -> None:
    found = sets(noisy(0, 0, 9))
    assert (found.lower.tolist(), found.upper.tolist()) == ([1, 1, 3], [2, 2, 3])
    same = sets(np.ones((50, 3)))
    assert (same.lower.tolist(), same.upper.tolist()) == ([1, 1, 1], [3, 3, 3])


def test_few_instances_leave_everything_open() -> None:
    for n in (1, 5, 6):
        found = sets(np.tile([1.0, 2.0, 3.0], (n, 1)))
        assert found.upper.tolist() == [3, 3, 3]
    # Of three solvers a pair must differ on log2(6 / 0.05) = 6.9 instances. Of ten a share of 1 - (0.05 /
    # 6)^(1 / 10) = 0.38 may have been missed, with the largest difference of any pair, 2, the other way:
    # 0.62 - 0.76 < 0 < 1.24 - 0.76.
    found = sets(np.tile([1.0, 2.0, 3.0], (10, 1)))
    assert found.better.tolist() == [[0, 0, 1], [0, 0, 0], [0, 0, 0]]
    harder = 100.0 * np.arange(10)[:, None]  # what an instance costs both is no difference
    assert sets(harder + np.array([1.0, 2.0, 3.0])).better.tolist() == found.better.tolist()
    # The same of ten families of two.
    families = np.repeat(np.arange(10), 2)
    assert (
        sets(np.tile([1.0, 2.0, 3.0], (20, 1)), clusters=families).better.tolist() == found.better.tolist()
    )
    found = sets(np.tile([1.0, 2.0, 3.0], (20, 1)))  # 0.21: 0.79 - 0.43
    assert found.better.tolist() == [[0, 1, 1], [0, 0, 1], [0, 0, 0]]


def test_a_pair_must_differ_on_as_many_as_chance_would_not_agree_on() -> None:
    # log2(2 / 0.05) = 5.3 of two solvers, log2(6 / 0.05) = 6.9 of three.
    for m, n, told in ((2, 5, False), (2, 6, True), (3, 6, False), (3, 7, True)):
        costs = np.zeros((500, m))
        costs[:n, 1:] = 1
        assert sets(costs).better[0].any() == told
    for n, m in ((3, 1), (0, 2)):
        assert not sets(np.ones((n, m))).better.any()


def test_timeouts_that_no_instance_holds_are_allowed_for() -> None:
    # One is 10 s faster on each of 20 and may time out, at 1000 s, on some others.
    costs = np.column_stack([np.full(20, 17.5), np.full(20, 27.5)])
    assert sets(costs).better[0, 1]
    assert not sets(costs, most=[1000.0]).better.any()
    # 0.01 of 1000 s is 10 s; 700 instances say that fewer than that were missed.
    many = np.tile(costs[:1], (700, 1))
    assert sets(many, most=[1000.0]).better[0, 1]


def test_an_error_is_proof_and_who_made_none_is_told_apart_by_the_next_level() -> None:
    errors, solved = np.zeros((40, 3)), np.zeros((40, 3))
    errors[7, 2] = 1
    solved[:, 0] = -1  # the first solves all, the others nothing
    found = sets([errors, solved], most=[None, 1.0], errors=0)
    assert found.better.tolist() == [[0, 1, 1], [0, 0, 1], [0, 0, 0]]
    # Two who both err are not told apart by one error more.
    errors[[8, 9], [1, 1]] = 1
    found = sets([errors, solved], most=[None, 1.0], errors=0)
    assert found.better.tolist() == [[0, 1, 1], [0, 0, 0], [0, 0, 0]]


def test_timeouts_that_may_have_been_missed_are_reckoned_with() -> None:
    # 0.5 faster on each of 100 instances is 50 in all: less than a few timeouts of 30.
    rng = np.random.default_rng(4)
    costs = np.column_stack([np.ones(100), np.full(100, 1.5), np.ones(100)])
    costs += rng.normal(0, 0.01, costs.shape)
    assert sets(costs[:, :2]).better[0, 1]
    costs[:4, 2] = 30
    assert not sets(costs).better[0, 1]


def test_families_are_drawn_as_wholes() -> None:
    # All of the difference is two families': single instances would tell them apart.
    rng = np.random.default_rng(5)
    families = np.repeat(np.arange(12), 20)
    costs = rng.normal(0, 0.1, (240, 2))
    costs[:, 1] += np.where(families < 2, 1.5, 0)
    assert sets(costs).better[0, 1]
    assert not sets(costs, clusters=families).better.any()


def test_the_order_of_the_solvers_does_not_matter_nor_their_unit() -> None:
    costs = noisy(0, 1, 0.4, 3)
    found, turned = sets(costs), sets(1024 * costs[:, ::-1])
    assert found.lower.tolist() == turned.lower.tolist()[::-1]
    assert found.better.tolist() == sets(costs).better.tolist()


def test_what_is_no_cost_or_level_is_refused() -> None:
    with pytest.raises(AslibError, match="missing or infinite"):
        sets([[1, np.nan]])
    with pytest.raises(AslibError, match="0 draws"):
        rank_sets(np.ones((2, 2)), rng=np.random.default_rng(1), draws=0)
    assert not rank_sets(np.ones((2, 2)), rng=np.random.default_rng(1), draws=1).better.any()
    with pytest.raises(AslibError, match="confidence"):
        sets([[1, 2]], confidence=1.5)


def test_a_ratio_of_few_units_is_less_unlikely_than_a_normal_one() -> None:
    # Student's t: 2.093 with 19 degrees of freedom leaves 0.025 above, 12.706 with 1.
    given = np.array([2.093 * np.sqrt(20 / 19), -2.093 * np.sqrt(20 / 19), 0])
    assert as_normal(given, 20) == pytest.approx([1.96, -1.96, 0], abs=1e-3)
    assert as_normal(np.array([12.706 * np.sqrt(2)]), 2) == pytest.approx([1.96], abs=1e-3)
    assert as_normal(np.array([5.0]), 1).tolist() == [0]


def test_pairs_that_look_alike_are_among_those_of_which_one_may_err() -> None:
    # The eight are equal; were pairs with small differences left out of the critical value, it would be
    # that of the few that chance drew far apart.
    rng = np.random.default_rng(32)
    costs = np.where(rng.random((60, 8)) < 0.3, 10.0, rng.random((60, 8)))
    found = rank_sets(costs, rng=np.random.default_rng(1), draws=199)
    assert (found.lower.tolist(), found.upper.tolist()) == ([1] * 8, [8] * 8)


def test_an_advantage_of_a_millionth_is_one() -> None:
    assert Advantages(np.array([[5e8, -499_999_999.999999]])).order() == 1
    assert Advantages(np.array([[1e9, -999_999_999.999999]])).order() == 0  # beyond what sums hold
    assert Advantages(np.array([[1e7, -1e7, 1e-7]])).order() == 0
