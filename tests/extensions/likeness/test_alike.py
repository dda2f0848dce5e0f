"""like: how far scenarios are from each other."""

from __future__ import annotations

import math
import re
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import ArrayLike

import aslib_eval as ae
from aslib_eval.analysis.results import LakeResults, ScenarioLine, SuiteResults
from aslib_eval.database.open_lake import open_lake
from aslib_eval.errors import AslibError
from aslib_eval.extensions.likeness.analysis import (
    QUANTITIES,
    CostProfile,
    alike,
    clusters,
    correlations,
    feature_distance,
    heatmap,
    largest_step,
    like,
    profile_distance,
    profile_frame,
    profiles_of,
    rank_distance,
    scenario_distances,
    section_of,
    standard_deviations,
    tree,
)
from aslib_eval.figures.catalogue import FIGURES
from aslib_eval.figures.chart import FAINTEST, Boxes
from tests.conftest import Row, arff, write_scenario
from tests.figures.test_page_figures import SUMMARY, marks, results, timed

pytestmark = pytest.mark.usefixtures("opened_once")


def profile(costs: ArrayLike, solved: ArrayLike = 1.0, names: str = "ABC") -> CostProfile:
    table = np.asarray(costs, float)
    share = np.broadcast_to(np.asarray(solved, float), table.shape)
    return CostProfile("p", "S", "m", tuple(names)[: table.shape[1]], table, share, "S")


# --- profiles -------------------------------------------------------------------------


def test_a_profile_by_hand() -> None:
    # A is best on two, B and C share the third; nobody solves the last one.
    costs = [[1, 2, 3], [1, 3, 2], [9, 4, 4], [9, 9, 9]]
    solved = [[1, 1, 1], [1, 1, 0], [0, 1, 1], [0, 0, 0]]
    found = profile(costs, solved).quantities
    wins = [(1 + 1 + 1 / 3) / 4, (0.5 + 1 / 3) / 4, (0.5 + 1 / 3) / 4]
    entropy = -sum(w * math.log(w) for w in wins) / math.log(3)
    # Ranks: 1 2 3; 1 3 2; 3 1.5 1.5; 2 2 2, so means of 1.75, 2.125 and 2.125.
    assert found == {
        "ease": pytest.approx(7 / 12),
        "hopeless": 0.25,
        "leader": pytest.approx(wins[0]),
        "evenness": pytest.approx(entropy),
        "loss_of_best": pytest.approx(0.75 / 2),
        "agreement": pytest.approx(found["agreement"]),
    }
    assert [*found] == [*QUANTITIES]


def test_agreement_is_a_mean_of_rank_correlations() -> None:
    costs = [[1, 10, 3], [2, 20, 2], [3, 30, 1]]
    assert profile(costs).quantities["agreement"] == pytest.approx((1 - 1 - 1) / 3)
    assert profile([[1, 1], [2, 1], [3, 1]]).quantities["agreement"] == 0.0


def test_profiles_at_their_edges() -> None:
    one = profile([[1.0], [2.0]]).quantities
    assert (one["evenness"], one["loss_of_best"], one["leader"]) == (1.0, 0.0, 1.0)
    tied = profile(np.ones((3, 3))).quantities
    assert tied["evenness"] == pytest.approx(1)
    assert tied["leader"] == pytest.approx(1 / 3)
    assert tied["loss_of_best"] == pytest.approx(0.5)


def test_profile_distance_is_of_standardised_differences() -> None:
    group = [profile([[1, 2], [1, 2]], s) for s in (1.0, 0.5, [[0, 0], [1, 1]])]
    spreads = standard_deviations(group)
    assert set(spreads) == {"ease", "hopeless"}
    distance, n, most = profile_distance(group[0], group[2], spreads)
    parts = [0.5 / np.std([1, 0.5, 0.5], ddof=1), 0.5 / np.std([0, 0, 0.5], ddof=1)]
    assert distance == pytest.approx(np.sqrt(np.mean(np.square(parts))))
    assert n == 2
    assert most in spreads  # both are as far
    assert profile_distance(group[0], group[0], spreads)[0] == 0
    assert standard_deviations(group[:2]) == {}
    assert profile_distance(group[0], group[2], {}) == (None, 0, None)


# --- ranks ----------------------------------------------------------------------------


def test_rank_distance_of_the_common_algorithms() -> None:
    one = profile([[1, 2, 3, 0]], names="ABCX")
    same = profile([[0, 5, 6, 7]], names="YABC")
    opposite = profile([[3, 2, 1]])
    assert rank_distance(one, same) == (0.0, 3)
    assert rank_distance(one, opposite) == (1.0, 3)
    assert rank_distance(one, profile([[1, 2]], names="AB")) == (None, 2)
    assert rank_distance(one, profile([[4, 4, 4]])) == (None, 3)


# --- features -------------------------------------------------------------------------

SAMPLE = st.lists(st.integers(-3, 3).map(float), min_size=1, max_size=6).map(sorted)


@settings(max_examples=40)
@given(SAMPLE, SAMPLE)
def test_the_largest_step_is_that_of_the_two_distributions(a: list[float], b: list[float]) -> None:
    def share(values: list[float], at: float) -> float:
        return sum(v <= at for v in values) / len(values)

    brute = max(abs(share(a, x) - share(b, x)) for x in [*a, *b])
    found = largest_step(np.array(a), np.array(b))
    assert found == pytest.approx(brute)
    assert found == pytest.approx(largest_step(np.exp(b), np.exp(a)))


def test_feature_distance_is_a_mean_over_the_common_ones() -> None:
    low, high = np.array([1.0, 2.0]), np.array([3.0, 4.0])
    assert feature_distance({"f": low, "g": low}, {"f": low, "g": high}) == (0.5, 2)
    assert feature_distance({"f": low}, {"g": low}) == (None, 0)


# --- scenarios ------------------------------------------------------------------------


def runs(*times: tuple[int, ...]) -> list[Row]:
    return [
        (f"i{i}", 1, name, float(t), "ok" if t < 100 else "timeout")
        for i, row in enumerate(times, 1)
        for name, t in zip("ABC", row, strict=True)
    ]


DESCRIBED = """
features_deterministic:
- size
number_of_feature_steps: 1
default_steps:
- base
feature_steps:
  base:
    provides:
    - size
"""
VALUES = {"instance_id": "STRING", "repetition": "NUMERIC", "size": "NUMERIC"}
STATUS = {"instance_id": "STRING", "repetition": "NUMERIC", "base": "{ok, other}"}


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("alike")
    scenarios = {
        "S": runs((1, 2, 3), (1, 2, 3), (2, 1, 3)),
        "T": runs((1, 2, 5), (1, 2, 5), (2, 1, 5)),
        "U": runs((100, 100, 1), (9, 8, 1), (100, 5, 100)),
    }
    for name, rows in scenarios.items():
        folder = write_scenario(home / name, runs=rows, description=DESCRIBED)
        first = 3.0 if name == "U" else 1.0
        values: list[Row] = [(f"i{i}", 1, first + i) for i in range(1, 4)]
        (folder / "feature_values.arff").write_text(arff(VALUES, values))
        status: list[Row] = [(f"i{i}", 1, "ok") for i in range(1, 4)]
        (folder / "feature_runstatus.arff").write_text(arff(STATUS, status))
        (outcome,) = ae.import_scenarios([folder], into=home / "lake")
        assert outcome.error is None, outcome.error
    return home / "lake"


def test_which_scenario_is_like_another(lake: Path) -> None:
    found = like(open_lake(lake), "S")
    assert found["scenario_id"].to_list() == ["T", "U"]
    assert found["profile_distance"][0] == pytest.approx(0)
    assert found["profile_distance"][1] > 1
    columns = ["rank_distance", "common_algorithms"]
    assert found.select(columns).rows() == [(0.0, 3), (1.0, 3)]
    # Of 2 3 4 and 4 5 6 two thirds lie below all others.
    shares = found.select("feature_distance", "common_features").rows()
    assert shares == [(0.0, 1), (pytest.approx(2 / 3), 1)]
    assert like(open_lake(lake), "S").equals(found)
    back = like(open_lake(lake), "U").filter(scenario_id="S")
    assert back["profile_distance"][0] == pytest.approx(found["profile_distance"][1])
    frame = profile_frame(open_lake(lake))
    assert frame["ease"].to_list() == pytest.approx([1, 1, 5 / 9])
    assert frame["n"].to_list() == [3, 3, 3]


def test_a_single_run_has_a_profile(tmp_path: Path) -> None:
    folder = write_scenario(tmp_path / "S", runs=[("i", 1, "A", 3, "ok")])
    ae.import_scenarios([folder], into=tmp_path / "lake")
    (found,) = profiles_of(open_lake(tmp_path / "lake"))
    key = (found.scenario_id, found.measure, found.title)
    assert key == ("S", "runtime", "S")
    assert (found.costs.tolist(), found.solved.tolist()) == ([[3.0]], [[1.0]])


def test_too_few_scenarios_have_no_scale(lake: Path) -> None:
    found = like(open_lake(lake, scenarios=["S", "U"]), "S")
    assert found["profile_distance"].to_list() == [None]
    assert "fewer than 3 scenarios for standard deviations" in found["remark"][0]
    with pytest.raises(AslibError, match="there is no other scenario"):
        like(open_lake(lake, scenarios=["S"]), "S")
    with pytest.raises(AslibError, match="there is no scenario V with costs"):
        like(open_lake(lake), "V")


def test_the_map_of_the_scenarios(lake: Path) -> None:
    assert not FIGURES["scenario-distances"].runs  # it needs none that is solved
    results = LakeResults(open_lake(lake))
    chart = scenario_distances(results, ())
    assert chart.about.startswith("S and T are most alike: their profiles differ by 0.00 ")
    drawn = chart.marks[0]
    assert isinstance(drawn, Boxes)
    assert len(drawn.boxes) == 9
    shades = {box[4]: box[6] for box in drawn.boxes}
    assert shades["S and T: 0"] == 1.0
    assert min(shades.values()) == FAINTEST  # of S and T, which are as far from U
    with pytest.raises(AslibError, match="it shows scenarios, not solvers"):
        scenario_distances(results, ["A"])
    few = open_lake(lake, scenarios=["S", "T"])
    with pytest.raises(AslibError, match="the profiles of 2 scenarios do not differ"):
        scenario_distances(LakeResults(few), ())


def test_the_index_says_which_scenarios_are_alike() -> None:
    costs = {"S": [[1, 2], [1, 2]], "T": [[1, 2], [1, 3]], "U": [[1, 2], [2, 1]]}
    group = [
        CostProfile("p", name, "m", ("A", "B"), table, np.ones_like(table), name)
        for name, found in costs.items()
        for table in (np.array(found, float),)
    ]
    line = ScenarioLine({"name": "S", "_link": "scenario/S.html", "measure": "m"}, {}, "p")
    suite = SuiteResults([line], pl.DataFrame())
    section = section_of(group, suite)
    assert section is not None
    # S and T have one profile: A is best on every instance. On U each is on one.
    rows = re.findall(r"<tr[^>]*>(.*?)</tr>", str(section.body))[1:]
    texts = [re.findall(r"<t[hd][^>]*>(?:<a[^>]*>)?([^<]*)", row)[:4] for row in rows]
    assert [cells[:2] for cells in texts] == [["S", "T"], ["T", "S"], ["U", "S"]]
    assert [float(cells[2]) for cells in texts] == [0, 0, pytest.approx(3**0.5, 1e-2)]
    assert '<a href="scenario/S.html">S</a>' in rows[0]
    assert alike(suite) is None  # it is of no lake
    assert "S and T are most alike" in section.charts["distances"].about
    assert section_of(group[:2], suite) is None
    assert section_of(group[:1] * 3, suite) is None


# --- how alike the algorithms of a scenario are: their correlation, and their tree ------


def test_algorithms_that_behave_alike_stand_beside_each_other() -> None:
    run = timed({"a": [1, 2, 3], "b": [3, 2, 1], "c": [1, 2, 5]})
    found = results({"run": run, "summary": [SUMMARY]})
    chart = tree(found)
    assert chart is not None
    at: list[str] = chart.y.names  # type: ignore[union-attr]
    cells = {
        (at[round(box[0] + 0.48)], at[round(box[2] + 0.48)]): box[4:]
        for box in marks(heatmap(found))[0]["boxes"]
    }
    assert cells["a", "c"] == [1, "low", 1.0]
    assert cells["c", "b"] == cells["b", "a"] == [-1, "high", 1.0]
    joins = [mark["points"][1][2] for mark in marks(chart)]
    assert joins == ["2 algorithms join at 0.00", "3 algorithms join at 2.00"]
    names = chart.y.names  # type: ignore[union-attr]
    assert abs(names.index("a") - names.index("c")) == 1
    level = timed({name: [2, 2, 2] for name in "abc"})
    assert heatmap(results({"run": level, "summary": [SUMMARY]})) is None


def test_correlation_is_that_of_ranks_and_constant_is_nothing() -> None:
    import numpy as np

    costs = np.array([[1, 10, 9, 5], [2, 100, 4, 5], [3, 1000, 1, 5]], float)
    assert correlations(costs).tolist() == [[1, 1, -1, 0], [1, 1, -1, 0], [-1, -1, 1, 0], [0, 0, 0, 1]]
    order, links = clusters(correlations(costs))
    assert sorted(order) == [0, 1, 2, 3]
    assert abs(order.index(0) - order.index(1)) == 1
    assert links[0, 2] == 0
