"""Sets of places: what they hold, what they leave open, and that a seed decides."""

from __future__ import annotations

import numpy as np
import pytest

from aslib_eval.errors import AslibError
from aslib_eval.extensions.firmness.metrics import RankSets, as_normal, rank_sets


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
    found = sets(np.tile([1.0, 2.0, 3.0], (20, 1)))  # 0.21: 0.79 - 0.43
    assert found.better.tolist() == [[0, 1, 1], [0, 0, 1], [0, 0, 0]]


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


def test_steps_tell_no_less_apart() -> None:
    costs = noisy(0, 0.45, 0.5, 2, 9, n=80)
    once, again = sets(costs, stepwise=False), sets(costs)
    assert (again.better | ~once.better).all()
    assert (once.steps, again.steps > 1) == (1, True)


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
    with pytest.raises(AslibError, match="confidence"):
        sets([[1, 2]], confidence=1.5)


@pytest.mark.slow
def test_all_places_are_held_as_often_as_promised() -> None:
    held = 0
    for seed in range(200):
        rng = np.random.default_rng(seed)
        hard = rng.normal(3.5, 2, (60, 1))
        times = np.exp(hard + np.linspace(0, 0.5, 6) + rng.normal(0, 0.8, (60, 6)))
        costs = np.where(times < 100, times, 1000)
        found = rank_sets(costs, rng=rng, draws=300)
        true = np.arange(1, 7)
        held += bool(((found.lower <= true) & (true <= found.upper)).all())
    assert held >= 185  # 0.95 of 200, less two standard errors


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
