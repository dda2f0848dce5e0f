"""The bootstrap against a plain loop, and what its ends must be."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from aslib_eval.errors import AslibError
from aslib_eval.statistics.means import Draws, bootstrap, interval, ranks

COSTS = np.array([[1, 9, 4], [8, 2, 3], [7, 3, 3], [1, 6, 2.0]])  # a, b, selector
ENTRANTS = np.array([True, True, False])


def draw(costs: NDArray[np.float64] = COSTS, *, draws: int = 200, seed: int = 1) -> Draws:
    vbs = costs[:, ENTRANTS].min(axis=1)
    rng = np.random.default_rng(seed)
    return bootstrap(costs, vbs, ENTRANTS, draws=draws, rng=rng)


def test_the_first_row_is_the_data_itself() -> None:
    found = draw()
    assert found.cost[0].tolist() == [4.25, 5.0, 3.0]
    assert found.vbs_cost[0] == 1.75
    assert found.sbs[0] == 0
    assert found.closed_gap[0].tolist() == [0.0, -0.30000000000000004, 0.5]
    assert ranks(found.loss)[0].tolist() == [2, 3, 1]


def test_every_draw_is_what_a_loop_over_its_instances_gives() -> None:
    found = draw(draws=50)
    drawn = np.random.default_rng(1).integers(4, size=(50, 4))
    for row, instances in enumerate(drawn, start=1):
        sample = COSTS[instances]
        a, b, selector = sample.mean(axis=0)
        vbs = sample[:, :2].min(axis=1).mean()
        assert found.cost[row] == pytest.approx([a, b, selector])
        assert found.sbs[row] == (1 if b < a else 0)
        if min(a, b) > vbs:
            gap = (min(a, b) - selector) / (min(a, b) - vbs)
            assert found.closed_gap[row, 2] == pytest.approx(gap)
        else:
            assert np.isnan(found.closed_gap[row, 2])
    assert set(found.sbs) == {0, 1}
    assert np.isnan(found.closed_gap).any()


def test_the_same_seed_gives_the_same_draws() -> None:
    for part in ("cost", "closed_gap", "loss", "sbs", "vbs_cost"):
        first, again = getattr(draw(), part), getattr(draw(), part)
        assert first.tobytes() == again.tobytes()
    assert draw(seed=2).cost.tobytes() != draw().cost.tobytes()


def test_sbs_scores_zero_and_vbs_one_in_every_draw() -> None:
    rng = np.random.default_rng(5)
    costs = rng.exponential(size=(40, 3))
    costs[:, 2] = costs[:, :2].min(axis=1)
    found = draw(costs)
    at = np.arange(201)
    assert set(found.closed_gap[at, found.sbs]) == {0.0}
    assert set(found.closed_gap[:, 2]) == {1.0}


def test_twins_stay_twins_in_every_draw() -> None:
    rng = np.random.default_rng(5)
    costs = rng.exponential(size=(37, 2))[:, [0, 1, 1]]
    found = draw(costs)
    rank = ranks(found.loss)
    assert (rank[:, 1] == rank[:, 2]).all()
    assert set(np.unique(rank)) == {1.0, 1.5, 2.5, 3.0}


def test_rows_of_one_group_are_drawn_as_one() -> None:
    costs = np.array([[0, 2.0], [0, 4.0], [6, 0.0]])
    vbs, entrants = np.zeros(3), np.array([True, True])
    groups = np.array([7, 7, 3])
    rng = np.random.default_rng(0)
    found = bootstrap(costs, vbs, entrants, draws=60, rng=rng, groups=groups)
    # None, one or both of two draws are the pair of rows.
    assert {tuple(row) for row in found.cost.tolist()} == {(6, 0), (2, 2), (0, 3)}


def test_another_criterion_chooses_sbs() -> None:
    vbs = COSTS[:, :2].min(axis=1)
    rng = np.random.default_rng(1)
    found = bootstrap(COSTS, vbs, ENTRANTS, draws=1, rng=rng, criterion=-COSTS)
    assert found.sbs[0] == 1


def test_a_solver_without_a_cost_has_no_gap_and_is_never_sbs() -> None:
    costs = COSTS.copy()
    costs[2, 0] = np.nan
    found = bootstrap(costs, COSTS.min(axis=1), ENTRANTS, draws=9, rng=np.random.default_rng(1))
    assert set(found.sbs) == {1}
    assert np.isnan(found.closed_gap[:, 0]).all()
    assert np.isnan(ranks(found.loss)[:, 0]).all()
    assert ranks(found.loss)[0, 1:].tolist() == [2, 1]


@pytest.mark.parametrize("costs", [np.empty((0, 3)), np.full((2, 3), np.nan)])
def test_nothing_to_draw(costs: NDArray[np.float64]) -> None:
    with pytest.raises(AslibError, match="nothing to draw"):
        draw(costs)


def test_the_interval_covers_a_known_mean_about_as_often_as_it_says() -> None:
    rng = np.random.default_rng(3)
    hits = 0
    for _ in range(200):
        costs = rng.normal(10, 1, size=(60, 3))
        vbs = costs[:, :2].min(axis=1)
        found = bootstrap(costs, vbs, ENTRANTS, draws=200, rng=rng)
        low, high = interval(found.cost[1:, 2], level=0.9)
        hits += low <= 10 <= high
    assert 165 <= hits <= 195  # 180 expected, standard error 4.2


def test_interval_leaves_out_what_is_undefined() -> None:
    values = np.array([np.nan, *range(101)])
    assert interval(values, level=0.5) == (25.0, 75.0)
    assert np.isnan(interval(values[:1], level=0.9)).all()
