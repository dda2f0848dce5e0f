"""Changed sets of solvers: of a lake by hand and without the solver; the paper's clone."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import polars as pl
import pytest
from hypothesis import given as drawn
from hypothesis import strategies as st

from aslib_eval.database.protocol import Protocol
from aslib_eval.errors import AslibError
from aslib_eval.extensions.solver_sets.analysis import (
    ALL,
    moves,
    set_notes,
    solver_sets,
    suite_moves,
    turns,
)
from aslib_eval.extensions.solver_sets.metrics import Field, changed_sets, left_out_or_cloned
from aslib_eval.metrics.ranking import BordaRule
from aslib_eval.metrics.scale import Runs, amc, closed, rmc, shapley
from tests.lab import OUT, GivenLake, runs
from tests.metrics.test_runs import CUTOFF, laws, small_runs
from tests.oracles import borda

pytestmark = pytest.mark.usefixtures("opened_once")

# PAR10: A 10, 1000, 60; B 40, 20, 1000; C 1000, 1000, 50. Alone i3 is solved by C fast.
THREE = {"A": [10, OUT, 60], "B": [40, 20, OUT], "C": [OUT, OUT, 50]}
SAYS = {
    "ask": {"i1": [("A", None)], "i2": [("B", None)], "i3": [("A", None)]},
    "try": {"i1": [("B", 30), ("A", None)], "i2": [("A", None)], "i3": [("C", None)]},
}


def score(found: pl.DataFrame, change: str, solver: str, metric: str) -> float | None:
    at = {"change": change, "solver": solver, "metric": metric}
    (value,) = found.filter(*(pl.col(k) == v for k, v in at.items()))["score"]
    return None if value is None else round(value, 6)


def test_without_an_algorithm_the_yardstick_alone_moves(given: GivenLake) -> None:
    lake = given(runs(**THREE), says=SAYS)
    found = solver_sets(lake)
    # SBS is B (1060 / 3), as A (1070 / 3) would be without; VBS 80 / 3; ask 90 / 3.
    assert score(found, ALL, "ask", "closed_gap") == round((1060 - 90) / (1060 - 80), 6)
    assert score(found, "without B", "ask", "closed_gap") == round((1070 - 90) / (1070 - 1060), 6)
    chosen = found.filter(kind="selector", metric="closed_gap")
    columns = ["change", "solver", "sbs", "n_members", "n", "rank", "n_run"]
    assert chosen.filter(pl.col("change") != ALL).select(columns).rows() == [
        ("without A", "ask", "B", 2, 3, 1, 2),
        ("without A", "try", "B", 2, 3, 2, 2),
        ("without B", "ask", "A", 2, 3, 1, 1),
        ("without B", "try", "A", 2, 3, 2, 1),
        ("without C", "ask", "B", 2, 3, 1, 0),
        ("without C", "try", "B", 2, 3, 2, 1),
    ]
    assert found.filter(kind="algorithm")["n_run"].null_count() == (3 + 3 * 2) * 4
    # The cost of a selector stays: gaps are lines of it, and Borda does not move.
    for metric in ("borda", "rmc", "shapley"):
        of = moves(found).filter(kind="selector", metric=metric)
        assert of["lowest"].to_list() == of["highest"].to_list() == of["score"].to_list()
        assert of["lowest_at"].null_count() == 2


def test_a_lake_without_the_algorithm_says_the_same(given: GivenLake) -> None:
    protocol = Protocol(protocol="mine", unsolvable="drop", borda_delta=5)
    data = {**THREE, "D": [OUT, 90, OUT, 5]}
    data = {name: [*cells, OUT][:4] for name, cells in data.items()}
    found = solver_sets(given(runs(**data), protocol)).filter(kind="algorithm")
    for out in ("C", "D"):
        left = {name: cells for name, cells in data.items() if name != out}
        lake = given(runs(**left), protocol, name=f"S{out}")
        for name in left:
            part = found.filter(change=f"without {out}", solver=name)
            where = f"scenario_id = 'S{out}' and solver = '{name}'"
            gap = lake.connection.sql(f"select closed_gap from solver_gap where {where}")
            won = lake.connection.sql(f"select borda from solver_borda where {where}")
            for metric, view in (("closed_gap", gap), ("borda", won)):
                (expected,) = view.fetchall()[0]
                assert part.filter(metric=metric)["score"][0] == pytest.approx(expected)


def test_turns_name_who_led_and_who_leads(given: GivenLake) -> None:
    # A copy of C exchanges A and B by Borda, and nothing else.
    lake = given(runs(A=[90, 90], B=[OUT, 10], C=[30, 90]))
    found = turns(solver_sets(lake, change="clone"))
    shown = found.filter(metric="borda").drop("protocol", "scenario_id", "measure")
    assert shown.filter(change="clone of C").rows() == [
        ("algorithm", "borda", "clone of C", 2, 1, "C", "C", "C", "C")
    ]
    assert found.filter(metric="closed_gap").is_empty()


def test_everything_tied_and_nothing_to_close(given: GivenLake) -> None:
    lake = given(runs(A=[5, 5], B=[5, 5], C=[5, 5]))
    found = solver_sets(lake, change="subsets")
    gaps = found.filter(metric="closed_gap")
    assert (gaps["score"].null_count(), gaps["rank"].null_count()) == (9, 9)
    of = moves(found).filter(metric="closed_gap", solver="A")
    columns = ["lowest", "lowest_at", "n_first", "n_sets", "n_undefined"]
    assert of.select(columns).row(0) == (None, None, 0, 2, 2)
    assert turns(found).is_empty()
    says = "First by closed_gap, rmc: none. First by borda, shapley: A in 2 of 3, B in 2 of 3, C in 2 of 3."
    assert set_notes(found) == [
        f"S, default: SBS is A. In 1 of 3 changed sets, SBS is another algorithm. {says}"
    ]


def test_means_over_two_scenarios(given: GivenLake) -> None:
    given(runs(**THREE), name="S")
    lake = given(runs(A=[1, 1], B=[2, OUT], C=[OUT, 3]), name="T")
    found = solver_sets(lake)
    suite = suite_moves(found)
    columns = ["solver", "n_scenarios", "mean", "rank", "lowest", "lowest_at"]
    (row,) = suite.filter(metric="borda", solver="A").select(columns).rows()
    own = [found.filter(metric="borda", change=ALL, solver="A", scenario_id=name)["score"] for name in "ST"]
    mean = (own[0][0] + own[1][0]) / 2
    assert row[:4] == ("A", 2, pytest.approx(mean), 1)
    # Each change in one scenario, with the other as it is.
    moved = {
        f"{name}: {change}": mean + (score - own["ST".index(name)][0]) / 2
        for name, change, score in found.filter(metric="borda", solver="A")
        .filter(pl.col("change") != ALL)
        .select("scenario_id", "change", "score")
        .rows()
    }
    assert len(moved) == 4
    assert row[4] == pytest.approx(min(moved.values()))
    assert moved[row[5]] == pytest.approx(row[4])
    assert set(suite["metric"]) == {"closed_gap", "borda", "rmc"}
    kinds = suite.select("metric", "kind").unique(maintain_order=True).rows()
    assert kinds == [(m, "algorithm") for m in ("closed_gap", "borda", "rmc")]
    one = suite.filter(metric="borda").select("n_first", "n_sets").rows()
    assert one[0] == (4, 4)
    with pytest.raises(AslibError, match="means over scenarios need two"):
        suite_moves(found.filter(scenario_id="S"))


def test_means_stand_by_protocol_and_then_by_kind(given: GivenLake) -> None:
    both = [Protocol(), Protocol(protocol="asf", penalty=1.0)]
    given(runs(**THREE), *both, name="S", says=SAYS)
    found = solver_sets(given(runs(**THREE), *both, name="T", says=SAYS))
    order = suite_moves(found).select("protocol", "kind").unique(maintain_order=True)
    assert [(protocol[:3], kind) for protocol, kind in order.rows()] == [
        (name, kind) for name in ("asf", "def") for kind in ("selector", "algorithm")
    ]


def test_selectors_left_out(given: GivenLake) -> None:
    says = {**SAYS, "third": {"i1": [("A", None)]}}
    found = solver_sets(given(runs(**THREE), says=says), kind="selector")
    assert set(found["kind"]) == {"selector"}
    assert set(found["change"]) == {ALL, "without ask", "without try", "without third"}
    (note,) = set_notes(found)
    assert note.startswith(
        "S, default: SBS is B. In 0 of 3 changed sets, SBS is another algorithm. First by closed_gap,"
    )


def test_too_few_to_change(given: GivenLake) -> None:
    with pytest.raises(AslibError, match="no scenario has three algorithms"):
        solver_sets(given(runs(A=[1, 2], B=[2, 1])))
    with pytest.raises(AslibError, match="no scenario has two selectors"):
        solver_sets(given(runs(A=[1, 2], B=[2, 1])), change="clone", kind="selector")


# --- sets as arrays

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
@drawn(small_runs(), st.sampled_from(["par", "par1", "solved"]), st.data())
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
    by_size = [*combinations(range(4), 2), *combinations(range(4), 3)]
    assert list(changed_sets(4, "subsets", most=10)) == by_size
    drawn_of_ten = list(changed_sets(4, "subsets", most=9))
    assert len(drawn_of_ten) == 9
    assert {*map(len, drawn_of_ten)} == {2, 3}
    drawn = list(changed_sets(12, "subsets", most=50, seed=3))
    assert drawn == list(changed_sets(12, "subsets", most=50, seed=3))
    assert drawn != list(changed_sets(12, "subsets", most=50, seed=4))
    assert len(set(drawn)) == 50
    assert {len(some) for some in drawn} <= set(range(2, 12))


def test_who_is_left_out_and_who_is_there_twice() -> None:
    assert left_out_or_cloned((0, 2, 2), 4) == ((1, 3), (2,))
    assert left_out_or_cloned((0, 1), 2) == ((), ())


def test_what_is_refused() -> None:
    with pytest.raises(AslibError, match="not at least one"):
        list(changed_sets(3, "subsets", most=0))


def test_instances_that_nobody_solves_count_unless_they_are_dropped() -> None:
    solved = np.array([[True], [False]])
    runs = Runs(np.array([[10.0], [100.0]]), solved, 100.0)
    assert Field(runs).yardstick((0,)) == (2, 0, 505, 505)
    assert Field(runs, drop=True).yardstick((0,)) == (1, 0, 10, 10)
