"""Scores of optimisation from a lake: given objectives, proofs and trajectories."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import aslib_eval as ae
from aslib_eval.analysis.objectives import gap_values, qualities, quality_gaps, quality_measures, runs_of
from aslib_eval.cli import main
from aslib_eval.database.open_lake import open_lake
from aslib_eval.database.protocol import Protocol
from aslib_eval.errors import AslibError
from aslib_eval.selections import import_selections
from tests.conftest import POINT, Row, arff, write_scenario
from tests.lab import ACCURACY, GivenLake, fill

MEASURES = (("objective", "solution_quality", "false"), ("runtime", "runtime", "false"))
# A proves 4 in 20; B finds 8 and proves nothing; on i2 nobody proves, B is better.
RUNS: list[Row] = [
    ("i1", 1, "A", 4, 20, "ok"),
    ("i1", 1, "B", 8, 100, "ok"),
    ("i2", 1, "A", 9, 100, "ok"),
    ("i2", 1, "B", 3, 100, "ok"),
]
POINTS: list[Row] = [
    ("i1", 1, "A", 10, 12),
    ("i1", 1, "A", 20, 4),
    ("i1", 1, "B", 50, 8),
    ("i2", 1, "A", 0, 9),
    ("i2", 1, "B", 60, 3),
]
# C proves one of two and finds nothing else; A is half way between the best and worst.
SCALED: list[Row] = [
    ("i1", 1, "A", 4, 100, "ok"),
    ("i1", 1, "B", 3, 100, "ok"),
    ("i1", 1, "C", 3, 20, "ok"),
    ("i1", 1, "D", 5, 100, "ok"),
    ("i2", 1, "A", 4, 100, "ok"),
    ("i2", 1, "B", 3, 100, "ok"),
    ("i2", 1, "C", None, 100, "timeout"),
    ("i2", 1, "D", 5, 100, "ok"),
]
Lake = Callable[..., Path]


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    def make(*, runs: list[Row] = RUNS, points: list[Row] | None = None) -> Path:
        folder = write_scenario(tmp_path / "S", runs=runs, measures=MEASURES)
        if points is not None:
            (folder / "trajectories.arff").write_text(arff(POINT, points))
        (outcome,) = ae.import_scenarios([folder], into=tmp_path / "lake")
        assert outcome.error is None, outcome.error
        return tmp_path / "lake"

    return make


def test_a_timeout_with_a_value_counts_or_fails(lake: Lake) -> None:
    # B, stopped at 3 on i2, is best there; or has nothing, and 9 is the best known.
    path = lake(runs=[*RUNS[:3], ("i2", 1, "B", 3, 100, "timeout")])
    failed = Protocol("failed", timeout_value="failed")
    found = qualities(open_lake(path, protocols=[Protocol(), failed]))
    columns = ["solver", "incomplete", "satisficing", "scaled", "mznc"]
    assert found.select(columns).rows() == [
        pytest.approx(row)
        for row in [
            ("A", (1 + 4 / 10) / 2, (1 + 3 / 9) / 2, (1 + 0.25) / 2, 0.5),
            ("B", (5 / 9 + 1) / 2, (4 / 8 + 1) / 2, (0.25 + 0.75) / 2, 0.5),
            ("A", 1, 1, (1 + 0.75) / 2, 1),
            ("B", 5 / 9 / 2, 4 / 8 / 2, 0.25 / 2, 0),
        ]
    ]


def test_objectives_and_proofs_by_hand(lake: Lake) -> None:
    # incomplete: A (1 + 4/10) / 2, B (5/9 + 1) / 2; satisficing: A (1 + 3/9) / 2,
    # B (4/8 + 1) / 2; scaled: A (1 + 0.25) / 2, B (0.25 + 0.75) / 2.
    # mznc: one instance each.
    found = qualities(open_lake(lake()))
    columns = ["solver", "n", "incomplete", "satisficing", "scaled", "mznc", "area"]
    assert found.select(columns).rows() == [
        ("A", 2, pytest.approx(0.7), pytest.approx(2 / 3), 0.625, 0.5, None),
        ("B", 2, pytest.approx(7 / 9), 0.75, 0.5, 0.5, None),
    ]


def test_gaps_with_respect_to_scores_of_objectives(lake: Lake) -> None:
    # scaled: A 1 and 0.25, B 0.25 and 0.75; the most: 1 and 0.75.
    found = quality_gaps(open_lake(lake()), ["scaled", "mznc"])
    columns = ["solver", "metric", "value", "sbs", "vbs_value", "closed_gap", "reason"]
    assert found.select(columns).rows() == [
        ("A", "scaled", 0.625, "A", 0.875, 0, None),
        ("B", "scaled", 0.5, "A", 0.875, -0.5, None),
        ("A", "mznc", 0.5, "A", 1, 0, None),
        ("B", "mznc", 0.5, "A", 1, 0, None),
    ]


def test_a_selector_is_alone_among_the_algorithms(lake: Lake) -> None:
    # S is A on i1 and B on i2, so it is VBS: of three, the best of each has 1.5 points.
    home = lake()
    file = home.parent / "S.csv"
    file.write_text("instance,algorithm\ni1,A\ni2,B\n")
    import_selections(file, lake=home, scenario="S")
    found = quality_gaps(open_lake(home), ["mznc", "satisficing"])
    columns = ["metric", "value", "sbs_value", "vbs_value", "closed_gap"]
    assert found.filter(kind="selector").select(columns).rows() == [
        ("mznc", 1.5, 0.75, 1.5, 1),
        ("satisficing", 1, 0.75, 1, 1),
    ]


def test_the_ends_of_the_scaled_score_are_choices_of_the_protocol(lake: Lake) -> None:
    wide = Protocol("wide", alpha=0, beta=1)
    found = qualities(open_lake(lake(), protocols=[wide]))
    assert found.select("solver", "scaled").rows() == [("A", 0.5), ("B", 0.5)]
    for alpha, beta in ((0.5, 0.25), (-1, 0), (0, 2)):
        with pytest.raises(AslibError, match="alpha"):
            Protocol("wrong", alpha=alpha, beta=beta)


def test_decision_problems_beside_optimisation(lake: Lake) -> None:
    # On i3 there is no objective: A decides it in 10, B in 30, 30/40 and 10/40.
    decided: list[Row] = [("i3", 1, "A", None, 10, "ok"), ("i3", 1, "B", None, 30, "ok")]
    found = qualities(open_lake(lake(runs=[*RUNS, *decided])))
    assert found.select("solver", "n", "mznc").rows() == [
        ("A", 3, pytest.approx(1.75 / 3)),
        ("B", 3, pytest.approx(1.25 / 3)),
    ]


def test_a_runtime_that_comes_second_is_swept_by_an_option(lake: Lake) -> None:
    words = ["sweep", "delta", "--show", "leaders", "--lake", str(lake())]
    found = CliRunner().invoke(main, words)
    assert found.exit_code == 1
    assert "is a runtime with --measure NAME, or --measure all." in found.stderr
    found = CliRunner().invoke(main, [*words, "--measure", "runtime", "--format", "csv"])
    head, line, *_ = csv.reader(found.stdout.splitlines())
    row = dict(zip(head, line, strict=True))
    assert (row["protocol"], row["measure"]) == ("default+measure-runtime", "runtime")
    assert (row["n"], row["start"], row["leader"]) == ("2", "0.0", "A")


def test_rows_go_by_the_protocol_that_was_asked_for(lake: Lake) -> None:
    asked = Protocol(protocol="mine", measures="objective")
    found = qualities(open_lake(lake(), protocols=[asked]))
    assert set(found["protocol"]) == {f"mine@{asked.hash}"}


def test_areas_of_trajectories_by_hand(lake: Lake) -> None:
    # i1: worst seen 12, best 4. A: 0 until 20, then 1: 0.8. B: (12 - 8) / 8 from 50 on: 0.25. i2: worst 9,
    # best 3. A: 0 all the time. B: 1 from 60 on: 0.4.
    found = qualities(open_lake(lake(points=POINTS)))
    assert found.select("solver", "area").rows() == [("A", pytest.approx(0.4)), ("B", pytest.approx(0.325))]


def test_areas_are_means_of_the_instances_that_count(lake: Lake) -> None:
    """i3, which nobody solves, has points and does not count under the protocol."""
    proved: list[Row] = [*RUNS[:2], ("i2", 1, "A", 9, 90, "ok"), RUNS[3]]
    nobody: list[Row] = [("i3", 1, name, None, 100, "timeout") for name in "AB"]
    points = [*POINTS, ("i3", 1, "A", 1, 5), ("i3", 1, "B", 1, 5)]
    drop = Protocol("drop", unsolvable="drop")
    found = qualities(open_lake(lake(runs=[*proved, *nobody], points=points), protocols=[drop]))
    without = qualities(open_lake(lake(runs=proved, points=POINTS), protocols=[drop]))
    names = ["n", "area", "minizinc_area"]
    assert found.select(names).equals(without.select(names))
    assert found["area"].to_list() == [pytest.approx(0.4), pytest.approx(0.325)]


def test_the_minizinc_area_by_hand(lake: Lake) -> None:
    # A quarter of the first solution, half the integral of the place, a quarter of the end. i1: UB = 12, LB
    # = 4, span 9; A: 10/4 + (10 + 10 * 8/9) / 2 + 20/4.
    # B: 50/4 + (50 + 50 * 4/9) / 2 + 100/4. i2: UB 9, LB 3, span 7;
    # A: 0 + (100 * 6/7) / 2 + 25. B: 60/4 + (60 + 0) / 2 + 25.
    a = (2.5 + (10 + 80 / 9) / 2 + 5 + 300 / 7 + 25) / 2
    b = (12.5 + (50 + 200 / 9) / 2 + 25 + 15 + 30 + 25) / 2
    found = qualities(open_lake(lake(points=POINTS)))
    assert found["minizinc_area"].to_list() == [pytest.approx(a), pytest.approx(b)]


def test_a_solution_after_the_recorded_runtime_lengthens_the_run(lake: Lake) -> None:
    # A's run on i1 took 20, yet 4 was found at 30: it ends there. The rest as above.
    late: list[Row] = [POINTS[0], ("i1", 1, "A", 30, 4), *POINTS[2:]]
    a = (2.5 + (10 + 20 * 8 / 9) / 2 + 7.5 + 300 / 7 + 25) / 2
    assert qualities(open_lake(lake(points=late)))["minizinc_area"][0] == pytest.approx(a)


def test_points_after_the_cutoff_do_not_count(lake: Lake) -> None:
    late = [*POINTS, ("i2", 1, "A", 100.5, 1)]
    found = qualities(open_lake(lake(points=late)))
    assert found["area"].to_list() == [pytest.approx(0.4), pytest.approx(0.325)]


def test_no_solution_scores_nothing(lake: Lake) -> None:
    failed: list[Row] = [*RUNS[:3], ("i2", 1, "B", None, 100, "timeout")]
    found = qualities(open_lake(lake(runs=failed)))
    columns = ["solver", "satisficing", "scaled"]
    assert found.select(columns).rows() == [("A", 1, 0.875), ("B", 0.25, 0.125)]


def test_negative_objectives_have_no_ratio(lake: Lake) -> None:
    found = qualities(open_lake(lake(runs=[("i1", 1, "A", -4, 20, "ok")])))
    columns = ["incomplete", "satisficing", "scaled", "remark"]
    why = "no ratios because a value is negative; no areas because there are no trajectories"
    assert found.select(columns).rows() == [(None, None, 1, why)]


def test_selectors_are_held_against_the_best_of_all_algorithms(given: GivenLake) -> None:
    says = {"x": {"i1": [("B", None)]}, "y": {"i1": [("B", None)]}}
    lake = given(RUNS[:2], Protocol(measures="all"), says=says, measures=MEASURES)
    best = [p.best.tolist() for p in quality_measures(lake)]
    assert best == [[4], [4]]  # of algorithms and of selectors


def test_the_best_known_of_a_maximised_measure_is_the_largest(given: GivenLake) -> None:
    lake = given([("i1", 1, "A", 4, "ok"), ("i2", 1, "A", 4, "ok")], measures=ACCURACY)
    known = [("i1", "best_known", 9.0), ("i2", "best_known", 3.0)]
    fill(lake.connection, "reference", "instance_id, role, value", known)
    (problem,) = quality_measures(lake)
    assert problem.values.tolist() == [[4], [4]]
    assert problem.best.tolist() == [9, 4]


def test_gaps_of_points_by_hand() -> None:
    # a has 4 in the mean and b 5, the best of both 7, the worst 2.
    points = np.array([[8.0, 4, 6], [0, 6, 6]])
    none = (None,) * 7
    assert gap_values(points, 2, 2, ("a", "b")) == (*(6.0, "b", 5.0, 7.0), *(0.5, 0.5, 0.5, 0, 0, None))
    below = gap_values(points, 0, 2, ("a", "b"))
    assert below[4:] == (-0.5, 1.5, pytest.approx(-1 / 3), 0, 0, None)
    assert gap_values(points, 2, 2, ("a", "b"), sbs=0)[1:5] == ("a", 4, 7, 2 / 3)
    level = gap_values(points[:, 1:], 1, 1, ("b",))
    assert level == (6, "b", 5, 5, None, None, None, 0, 0, "SBS equals VBS")
    for odd in (np.nan, np.inf):
        points[0, 1] = odd
        found = gap_values(points, 2, 2, ("a", "b"))
        assert found == (*none, 0, 0, "the metric is not defined")


def test_a_measure_without_a_runtime_has_no_runs() -> None:
    alone: Any = SimpleNamespace(times=None, proven=None, cutoff=9.0, scenario_id="S")
    with pytest.raises(AslibError) as refused:
        runs_of(alone)
    assert str(refused.value).startswith("S: ")
