"""How often two seeds of one solver are called different, and a slower one is not."""

from __future__ import annotations

import pytest

from tests.extensions.changes.simulated import verdicts


@pytest.mark.slow
def test_seeds_are_no_change_and_a_slower_solver_is_one() -> None:
    assert verdicts(20, slower=1)["no difference"] >= 18
    # At 60 instances the mean may be anything: a timeout costs as much as ten cutoffs.
    assert verdicts(20, slower=3) == {"worse": 9, "typically worse": 11}


@pytest.mark.slow
@pytest.mark.parametrize("runs", [1, 3])
def test_false_alarms_are_no_more_than_alpha_of_200(runs: int) -> None:
    found = verdicts(200, slower=1, runs=runs)
    # 10 are expected at the level, 16 are two standard errors more: 7 and 11 there are.
    assert 200 - found["no difference"] <= 16


@pytest.mark.slow
def test_a_change_is_found_by_its_consistency_though_most_are_level() -> None:
    found = verdicts(200, slower=1.5, runs=3)
    assert found["worse"] + found["typically worse"] >= 150
