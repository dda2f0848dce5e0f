"""Sets of solvers: the paper's clone, flips, and scores of each set on its own."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aslib_eval.errors import AslibError
from aslib_eval.extensions.solver_sets.metrics import Field, changed_sets, left_out_or_cloned
from aslib_eval.metrics.ranking import BordaRule, borda
from aslib_eval.metrics.scale import Runs, amc, closed, rmc, shapley
from tests.metrics.test_runs import CUTOFF, laws, small_runs

CUT = 1000.0


def paper() -> Field:
    """A solves i0 in 200 s alone; B solves i1 to i99 in 1 s."""
    solved = np.zeros((100, 2), bool)
    solved[0, 0] = True
    solved[1:, 1] = True
    times = np.where(solved, [200.0, 1.0], CUT)
    return Field(Runs(times, solved, CUT))


def test_the_clone_of_the_paper_makes_the_worse_solver_win() -> None:
    field = paper()
    before, after = field.scores((0, 1)), field.scores((0, 1, 1))
    assert before.rmc[1] > before.rmc[0] > 0
    assert after.rmc.tolist() == [1, 0, 0]
    # PARk is absolute, and so are SBS and VBS; Shapley's share of B is halved.
    assert field.yardstick((0, 1)) == field.yardstick((0, 1, 1))
    assert field.yardstick((0, 1))[:3] == (100, 1, pytest.approx(100.99))
    np.testing.assert_allclose(after.closed_gap, before.closed_gap[[0, 1, 1]])
    np.testing.assert_allclose(after.shapley, before.shapley[[0, 1, 1]] * [1, 0.5, 0.5])
    # Each copy beats A on 99 instances, and ties with the other.
    np.testing.assert_allclose(before.borda, [0.01, 0.99])
    np.testing.assert_allclose(after.borda, [0.02, 1.485, 1.485])


def test_a_clone_of_one_exchanges_two_others_by_borda() -> None:
    solved = np.array([[True, False, True], [True, True, True]])
    times = np.array([[90.0, 100, 30], [90, 10, 90]])
    field = Field(Runs(times, solved, 100.0))
    np.testing.assert_allclose(2 * field.scores((0, 1, 2)).borda, [1.85, 1.8, 2.35])
    found = field.scores((0, 1, 2, 2))
    np.testing.assert_allclose(2 * found.borda, [2.6, 2.7, 3.35, 3.35])
    np.testing.assert_allclose(found.closed_gap[:3], field.scores((0, 1, 2)).closed_gap)


def taken(runs: Runs, columns: list[int], rows: np.ndarray) -> Runs:
    part = runs.times[rows][:, columns], runs.solved[rows][:, columns]
    return Runs(*part, runs.cutoff)


@laws
@given(small_runs(), st.sampled_from(["par", "par1", "solved"]), st.data())
def test_a_set_scores_as_if_nobody_else_were_there(runs: Runs, criterion: str, data: st.DataObject) -> None:
    columns = st.lists(st.integers(0, runs.n_solvers - 1), min_size=1, max_size=4)
    members, others = sorted(data.draw(columns)), data.draw(columns)
    drop = data.draw(st.booleans())
    shuffled = data.draw(st.permutations(range(runs.n_instances)))
    # The others solve what they may on other instances, also where nobody here does.
    rest = Runs(runs.times[shuffled], runs.solved[shuffled], runs.cutoff)
    rule = BordaRule(delta=1.0)
    field = Field(runs, rest, criterion=criterion, drop=drop, rule=rule)
    rows = runs.answered[:, members].any(axis=1) | (not drop)
    if not rows.any():
        assert np.isnan(field.scores(members)).all()
        assert field.yardstick(members).n == 0
        return
    own, of_others = taken(runs, members, rows), taken(rest, others, rows)
    costs = own.par(10)
    least = {"par": costs, "par1": own.par(1), "solved": -own.solved.astype(float)}
    sbs = int(np.round(least[criterion].mean(axis=0), 9).argmin())
    ends = {"sbs": costs.mean(axis=0)[sbs], "vbs": costs.min(axis=1).mean()}
    assert field.yardstick(members) == (
        rows.sum(),
        members[sbs],
        pytest.approx(ends["sbs"]),
        pytest.approx(ends["vbs"]),
    )
    pairs = [(own, field.scores(members))]
    pairs += [(of_others, field.others_scores(members, others=others))]
    for part, found in pairs:
        own_costs, empty = part.par(10), 10.0 * CUTOFF
        np.testing.assert_allclose(found.borda, borda(part, rule=rule), atol=1e-12)
        np.testing.assert_allclose(found.shapley, shapley(own_costs, empty=empty))
        shares = rmc(amc(own_costs, empty=empty)).values
        np.testing.assert_allclose(found.rmc, shares)
        gaps = closed(own_costs.mean(axis=0), **ends).values
        np.testing.assert_allclose(found.closed_gap, gaps, atol=1e-9)


def test_changed_sets() -> None:
    assert list(changed_sets(3, "without")) == [(1, 2), (0, 2), (0, 1)]
    assert list(changed_sets(2, "without")) == []
    assert list(changed_sets(2, "clone")) == [(0, 0, 1), (0, 1, 1)]
    assert list(changed_sets(3, "subsets")) == [(0, 1), (0, 2), (1, 2)]
    assert len(list(changed_sets(4, "subsets", most=10))) == 10
    drawn = list(changed_sets(12, "subsets", most=50, seed=3))
    assert drawn == list(changed_sets(12, "subsets", most=50, seed=3))
    assert drawn != list(changed_sets(12, "subsets", most=50, seed=4))
    assert len(set(drawn)) == 50
    assert {len(some) for some in drawn} <= set(range(2, 12))


def test_who_is_left_out_and_who_is_there_twice() -> None:
    assert left_out_or_cloned((0, 2, 2), 4) == ((1, 3), (2,))
    assert left_out_or_cloned((0, 1), 2) == ((), ())


def test_what_is_refused() -> None:
    with pytest.raises(AslibError, match="none of without, clone, subsets"):
        list(changed_sets(3, "with"))  # type: ignore[arg-type]
    with pytest.raises(AslibError, match="not at least one"):
        list(changed_sets(3, "subsets", most=0))
    with pytest.raises(AslibError, match="neither SBS nor VBS"):
        paper().yardstick(())
    with pytest.raises(AslibError, match="no solvers beside"):
        paper().others_scores((0, 1), others=(0,))


def test_instances_that_nobody_solves_count_unless_they_are_dropped() -> None:
    solved = np.array([[True], [False]])
    runs = Runs(np.array([[10.0], [100.0]]), solved, 100.0)
    assert Field(runs).yardstick((0,)) == (2, 0, 505, 505)
    assert Field(runs, drop=True).yardstick((0,)) == (1, 0, 10, 10)
