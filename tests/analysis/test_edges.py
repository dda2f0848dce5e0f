"""Frames of the analysis, each column of them, on scenarios of a few runs."""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import polars as pl
import pytest

from aslib_eval.analysis.objectives import read_trajectories
from aslib_eval.analysis.runs import (
    _remarks,
    bootstrap_intervals,
    families_of,
    feature_matrix,
    groups,
    pivot,
    usual_kind,
    with_intervals,
)
from aslib_eval.analysis.summaries import contributions
from aslib_eval.database.protocol import Protocol
from aslib_eval.errors import AslibError, ScenarioError
from aslib_eval.formats.attributes import Families
from aslib_eval.statistics.means import bounded_means
from tests.lab import OUT, GivenLake, fill, runs

TWO = Protocol(protocol="two", penalty=2)
Imported = Callable[..., Path]


def test_every_column_of_contributions(given: GivenLake) -> None:
    """PAR2: VBS 10, 20; without A 50, 20, without B 10, 200. x is A, y is B."""
    says = {"x": {f"i{i}": [("A", None)] for i in (1, 2)}, "y": {f"i{i}": [("B", None)] for i in (1, 2)}}
    found = contributions(given(runs(A=[10, OUT], B=[50, 20]), TWO, says=says))
    a, b = math.log10(35 / 15), math.log10(105 / 15)
    key = (f"two@{TWO.hash}", "S", "runtime")
    # The Shapley values share what is saved: 150 of 200 and 180 alone, …
    shapley = {"B": ((150 + 0) / 2 + 180) / 2, "A": (190 + 40) / 2 / 2}
    numbers = {
        "B": (2, 35, 105, b, b / (a + b), shapley["B"]),
        "A": (2, 105, 35, a, a / (a + b), shapley["A"]),
    }
    assert [row[:5] for row in found.rows()] == [
        (*key, "selector", "y"),
        (*key, "selector", "x"),
        (*key, "algorithm", "B"),
        (*key, "algorithm", "A"),
    ]
    for row, name in zip(found.rows(), "BABA", strict=True):
        assert row[5:] == pytest.approx(numbers[name])
    with pytest.raises(AslibError, match="no scenario has two solvers"):
        contributions(given(runs(A=[1])))


def test_groups_of_solvers(given: GivenLake) -> None:
    lake = given(runs(B=[10, OUT], A=[50, 20]))
    (group,) = groups(lake, "default")
    assert (group.names, group.n_entrants, group.n_instances) == (("A", "B"), 2, 2)
    assert (group.scenario_id, group.measure, group.has_gap) == ("S", "runtime", True)
    assert group.runs.times[:, 0].tolist() == [50, 20]
    assert group.runs.solved.tolist() == [[1, 1], [1, 0]]
    assert group.runs.cutoffs.tolist() == [100, 100]
    assert groups(lake, "other") == []
    assert groups(lake, "default", kind="selector") == []
    assert groups(lake, "default", kind="selector", pooled=True) == []
    (pooled,) = groups(lake, "default", pooled=True)
    assert (pooled.scenario_id, pooled.n_instances) == ("S", 2)


def test_who_is_compared_unless_said() -> None:
    assert usual_kind(["algorithm", "selector"]) == "selector"
    assert usual_kind(["algorithm"]) == usual_kind([]) == "algorithm"


# --- tables -------------------------------------------------------------------------


def test_rows_are_sorted_and_columns_come_as_they_come_up() -> None:
    frame = pl.DataFrame({"i": ["y", "x", "y"], "s": ["b", "b", "a"], "v": [1, 2, None]})
    wide = pivot(frame, rows=["i"], columns=["s"])
    assert (wide.rows["i"].to_list(), wide.columns["s"].to_list()) == (["x", "y"], ["b", "a"])
    expected = [[2, math.nan], [1, math.nan]]
    np.testing.assert_array_equal(wide.table("v"), expected)
    of_rows = pl.DataFrame({"i": ["y", "x"], "s": ["b", "b"], "v": [1, 2]})
    wide = pivot(of_rows, rows=["i"], columns=["s"])
    assert wide.of_rows("v").tolist() == [2, 1]


def test_features_of_numbers_and_labels(given: GivenLake) -> None:
    lake = given(runs(A=[1, 2, 3]))
    columns = "instance_id, repetition, feature, value, label"
    fill(
        lake.connection,
        "feature_value",
        columns,
        [
            ("i1", 1, "f", 1.0, None),
            ("i1", 2, "f", 3.0, None),
            ("i2", 1, "f", math.inf, None),
            ("i2", 1, "g", None, "red"),
            ("i1", 1, "g", None, "blue"),
            ("i9", 1, "f", 7.0, None),
        ],
    )
    found = feature_matrix(lake, "S", ["i2", "i1", "i3"])
    assert found.columns == ("f", "g=blue", "g=red")
    assert found.features == ("f", "g", "g")
    expected = [[math.nan, 0, 1], [2, 1, 0], [math.nan, 0, 0]]
    np.testing.assert_array_equal(found.values, expected)
    given_ = [[False, False, True], [True, True, False], [False] * 3]
    assert found.given.tolist() == given_
    assert feature_matrix(lake, "S", ["i1"], features=["f"]).values.tolist() == [[2]]
    assert feature_matrix(lake, "T", ["i1"]).columns == ()


def test_points_up_to_the_cutoff(given: GivenLake) -> None:
    lake = given(runs(A=[1, 2]))
    columns = "instance_id, algorithm, trial, measure, step, suggestion, elapsed, value"
    point = ("i1", "A", 1, "runtime")
    fill(
        lake.connection,
        "trajectory",
        columns,
        [(*point, 2, 1, 100.0, 4.0), (*point, 1, 1, 5.0, 9.0), (*point, 3, 1, 100.5, 1.0)],
    )
    frame, found = read_trajectories(lake, "S", "runtime", cutoff=100, maximize=False)
    assert frame.rows() == [("i1", "A", 1), ("i2", "A", 1)]
    assert found.offsets.tolist() == [0, 2, 2]
    assert (found.elapsed.tolist(), found.values.tolist()) == ([5, 100], [9, 4])


# --- draws and splits ---------------------------------------------------------------


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_draws_have_the_same_digits_whoever_draws(given: GivenLake, workers: int) -> None:
    rng = np.random.default_rng(5)
    protocols = [Protocol(protocol=f"p{n}", penalty=n) for n in (1, 2, 7)]
    lake = given(runs(A=rng.uniform(0, 50, 9).tolist(), B=rng.uniform(0, 60, 9).tolist()), *protocols)
    with ThreadPoolExecutor(workers) as pool:
        here = bootstrap_intervals(lake, draws=99)
        there = bootstrap_intervals(lake, draws=99, executor=pool)
        assert len(here) == 6
        assert here.equals(there)


def test_draws_come_again_from_their_seed_alone(given: GivenLake) -> None:
    lake = given(runs(A=[1, 2, 30, OUT], B=[30, 20, 10, 5]))
    first, again, other = (bootstrap_intervals(lake, draws=30, seed=seed) for seed in (4, 4, 5))
    assert first.equals(again)
    assert not first.equals(other)


def test_an_instance_counts_once_in_the_interval_of_a_cost(given: GivenLake) -> None:
    """Repetitions that are kept separate: 1, 3 and 5, 9, as if they were 2 and 7."""
    data = [("i1", 1, 1), ("i1", 2, 3), ("i2", 1, 5), ("i2", 2, 9)]
    twice = [(i, n, name, time, "ok") for i, n, time in data for name in "AB"]
    protocols = [Protocol("apart", repetitions="separate"), Protocol("mean")]
    found = bootstrap_intervals(given(twice, *protocols), draws=20, seed=1)
    ends = found.filter(solver="A").select("protocol", "n", "cost_low", "cost_high")
    (apart, *one), (mean, *other) = ends.rows()
    assert (apart[:5], mean[:4]) == ("apart", "mean")
    assert one == pytest.approx(other)


def test_gaps_of_two_measures_have_each_their_interval(given: GivenLake) -> None:
    data = [
        (i, 1, name, time, memory, "ok")
        for i, name, time, memory in [
            *[("i1", "A", 1, 9), ("i1", "B", 4, 2), ("i2", "A", 8, 3)],
            *[("i2", "B", 2, 5), ("i3", "A", 6, 4), ("i3", "B", 7, 1)],
        ]
    ]
    measures = (("runtime", "runtime", "false"), ("memory", "solution_quality", "false"))
    says = {"x": {"i1": [("A", None)], "i2": [("B", None)], "i3": [("B", None)]}}
    lake = given(data, Protocol("all", measures="all"), measures=measures, says=says)
    asked = "select protocol, scenario_id, measure, kind, solver, closed_gap"
    gaps = lake.connection.sql(f"{asked} from solver_gap where kind = 'selector'").pl()
    gaps = gaps.with_columns(protocol=pl.lit(Protocol("all", measures="all").tag))
    found = with_intervals(lake, gaps.cast({"measure": pl.String}))
    assert sorted(found["measure"]) == ["memory", "runtime"]
    drawn = bootstrap_intervals(lake).filter(kind="selector")
    keys = ["measure", "gap_low", "gap_high"]
    assert sorted(found.select(keys).rows()) == sorted(drawn.select(keys).rows())


def test_columns_of_the_draws_by_hand(given: GivenLake) -> None:
    """A always costs less than B; SBS is A and as good as VBS: no gap at all."""
    lake = given(runs(A=[10, 20, 30], B=[40, 50, 60]))
    found = bootstrap_intervals(lake, draws=50, seed=3)
    assert found.select("kind", "solver", "n", "n_draws", "n_undefined").rows() == [
        ("algorithm", "A", 3, 50, 50),
        ("algorithm", "B", 3, 50, 50),
    ]
    columns = ["cost", "rank", "rank_low", "rank_high", "best", "sbs"]
    assert found.select(columns).rows() == [(20, 1, 1, 1, 1, 1), (50, 2, 2, 2, 0, 0)]
    assert found["closed_gap"].to_list() == [None, None]
    low, high = found.select("cost_low", "cost_high").row(0)
    # Cutoff 100 and k = 10: as in ``compare``, no costs are beyond 1000.
    mean = bounded_means(np.array([10.0, 20, 30]), least=0, most=1000)
    assert (low, high) == (mean.lower[0], mean.upper[0])
    narrow = bootstrap_intervals(lake, draws=50, seed=3, level=0.5)
    assert narrow["cost_low"][0] >= low
    assert narrow["cost_high"][0] <= high
    usual = bootstrap_intervals(lake)
    assert usual.equals(bootstrap_intervals(lake, draws=2000, seed=1, level=0.95))


def test_ends_of_ranks_are_ranks(given: GivenLake) -> None:
    """Draws of seven instances: whatever the level, no end lies between two ranks."""
    times = {name: [(7 * i + 11 * at) % 13 + 1 for i in range(7)]
             for at, name in enumerate("ABCDE")}  # fmt: skip
    found = bootstrap_intervals(given(runs(**times)), draws=41, level=0.9)
    ends = [*found["rank_low"], *found["rank_high"]]
    assert all((2 * end).is_integer() for end in ends)
    assert (found["rank_low"] <= found["rank"]).all()
    assert (found["rank"] <= found["rank_high"]).all()


@pytest.mark.parametrize(
    ("words", "said"),
    [({"draws": 0}, "^bootstrap: 0 draws"), *(({"level": at}, f"^bootstrap: .*{at}") for at in (0.0, 1.0))],
)
def test_draws_that_make_no_interval(given: GivenLake, words: dict[str, Any], said: str) -> None:
    with pytest.raises(AslibError, match=said):
        bootstrap_intervals(given(runs(A=[1])), **words)


def test_an_sbs_that_often_changes_is_remarked_on(given: GivenLake) -> None:
    """A and B each win one of two instances by as much: each is SBS in some draws."""
    found = bootstrap_intervals(given(runs(A=[10, 30], B=[30, 11])), draws=200)
    sbs = dict(found.select("solver", "sbs").iter_rows())
    assert sum(sbs.values()) == 1
    remark = found["remark"][0]
    assert f"A is SBS in {sbs['A']:.0%} of the samples, B in {sbs['B']:.0%}" in remark


@pytest.mark.parametrize(
    ("sbs", "n_lossy", "said"),
    [
        ("AAAAAAAAAB", 5, []),  # a tenth is not often
        ("AAAAAAAABB", 5, ["A is SBS in 80% of the samples, B in 20%"]),
        ("AAAAAABCCD", 5, ["A is SBS in 60% of the samples, C in 20%, B in 10%, D in 10%"]),
        ("AAAADDDBCE", 5, ["A is SBS in 40% of the samples, D in 30%, B in 10%, C in 10% …"]),
        ("AAAAAAAAAA", 4, ["4 of 6 instances make up 90 % of the difference between SBS and VBS"]),
        ("AAAAAAAAAA", 0, []),
    ],
)
def test_what_a_gap_depends_on(sbs: str, n_lossy: int, said: list[str]) -> None:
    loss = np.tile(np.arange(6)[:, None] < n_lossy, (1, 5)).astype(float)
    draws: Any = SimpleNamespace(group_loss=loss, sbs=np.array(["ABCDE".index(name) for name in "A" + sbs]))
    table: Any = SimpleNamespace(solvers=np.array([*"ABCDE"]))
    assert [text.partition(", so")[0] for text in _remarks(table, draws)] == said


def test_a_scenario_without_a_whole_algorithm_has_nothing_to_draw(given: GivenLake) -> None:
    quality = (("objective", "solution_quality", "false"),)
    data = [("i1", 1, "A", 5, "ok"), ("i2", 1, "A", None, "crash")]
    lake = given(data, Protocol(protocol="p", failures="left_out"), measures=quality)
    (row,) = bootstrap_intervals(lake, draws=5).rows(named=True)
    assert (row["n"], row["n_draws"], row["cost"]) == (2, 0, None)
    assert row["remark"] == "no algorithm has a cost on every instance"


def test_families_of_a_file_are_those_of_all_instances() -> None:
    lake: Any = None
    families = Families("f.csv", {"i1": "a", "i2": "b"}, {"i1": 2, "i2": 3})
    assert families_of(lake, "S", ["i2", "i1"], given=families) == ["b", "a"]
    with pytest.raises(ScenarioError) as found:
        families_of(lake, "S", ["i3", "i1", "i4"], given=families)
    assert [finding.message for finding in found.value.findings] == ["i3 is missing", "i4 is missing"]
