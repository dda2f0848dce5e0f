"""Schedules on trajectories from a lake: by hand, on measured runs, laws, and what a page draws."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import inf
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner

import aslib_eval as ae
from aslib_eval.analysis.objectives import qualities
from aslib_eval.analysis.results import LakeResults
from aslib_eval.cli import main
from aslib_eval.database.open_lake import open_lake
from aslib_eval.database.protocol import Protocol
from aslib_eval.database.sqlfiles import frame_file
from aslib_eval.errors import AslibError
from aslib_eval.extensions.anytime.analysis import (
    PARTS,
    _Met,
    anytime,
    anytime_chart,
    anytime_costs,
    anytime_measures,
    anytime_scores,
    anytime_selectors,
    curves_chart,
    gap_curves,
)
from aslib_eval.extensions.anytime.metrics import Ends, Step, level_at
from aslib_eval.figures.chart import Logarithmic, Look
from aslib_eval.selections import import_selections
from tests.conftest import POINT, ROOT, Row, arff, write_scenario
from tests.figures.test_figures import lines
from tests.lab import OUT, Given, fill, runs

MEASURES = (("objective", "solution_quality", "false"), ("runtime", "runtime", "false"))
# The cutoff is 100. On i1 A proves its 4; on i2 it finds nothing.
RUNS: list[Row] = [
    ("i1", 1, "A", 4, 60, "ok"),
    ("i1", 1, "B", 6, 1000, "ok"),
    ("i2", 1, "A", 0, 1000, "timeout"),
    ("i2", 1, "B", 10, 1000, "ok"),
]
POINTS: list[Row] = [
    ("i1", 1, "A", 10, 14),
    ("i1", 1, "A", 50, 4),
    ("i1", 1, "B", 20, 6),
    ("i2", 1, "B", 40, 30),
    ("i2", 1, "B", 80, 10),
]
Schedules = Mapping[str, Sequence[Any]]
SHARED = Protocol(protocol="shared", incumbent="shared")
RESUME = Protocol(protocol="resume", second_run="resume")
PARALLEL = Protocol(protocol="parallel", execution="parallel")
ONE_CORE = Protocol(protocol="one-core", execution="one_core")
MANNERS: list[str | Protocol] = ["default", SHARED, RESUME, PARALLEL, ONE_CORE]


def answer(lake: Path, scenario: str, **selectors: Schedules) -> None:
    """Import the schedules of selectors."""
    folder = lake.parent / "answers" / scenario
    folder.mkdir(parents=True, exist_ok=True)
    for name, schedules in selectors.items():
        (folder / f"{name}.json").write_text(json.dumps(schedules))
    for each in import_selections(folder.parent, lake=lake):
        assert each.error is None, each.error


def lake_of(home: Path, runs: Sequence[Row], points: Sequence[Row]) -> Path:
    folder = write_scenario(home / "S", runs=runs, measures=MEASURES)
    (folder / "trajectories.arff").write_text(arff(POINT, points))
    (outcome,) = ae.import_scenarios([folder], into=home / "lake")
    assert outcome.error is None, outcome.error
    return home / "lake"


@pytest.fixture
def lake(tmp_path: Path) -> Path:
    return lake_of(tmp_path, RUNS, POINTS)


def test_scores_by_hand(lake: Path) -> None:
    # On i1 the worst first solution is 14 and the best 4; on i2 30 and 10. `switch` gives B 30, then A: on
    # i1 6 at 20 and 4 at 80, proved at 90, on i2 nothing in 30. `silent` says nothing on i1, and B alone on
    # i2.
    answer(
        lake,
        "S",
        switch={"i1": [["B", 30], ["A", 70]], "i2": [["B", 30], ["A", 70]]},
        silent={"i2": [["B", 100]]},
    )
    found = anytime_scores(open_lake(lake))
    columns = ("solver", "n", "gap", "area", "best_known", "proved", "time", "remark")
    no_answer = "no answer on 1 instance"
    approx = pytest.approx
    assert found.select(columns).rows() == [
        ("A", 2, 0.5, approx(0.25), 0.5, 0.5, 80, None),
        # B has a gap of 0.2 from 20 on i1, and of 0 from 80 on i2.
        ("B", 2, approx(0.1), approx((0.64 + 0.2) / 2), 0.5, 0, 100, None),
        ("silent", 2, 0.5, approx(0.1), 0.5, 0, 100, no_answer),
        ("switch", 2, 0.5, approx((0.8 * 0.6 + 0.2) / 2), 0.5, 0.5, 95, None),
        ("VBS", 2, 0, approx((0.64 + 0.2) / 2), 1, 0.5, 80, None),
    ]
    assert set(found["sbs"]) == {"B"}
    # From SBS at 0.1 to VBS at 0: A and both selectors, at 0.5, are 4 times that below.
    closed = dict(found.select("solver", "closed_gap").rows())
    assert closed == {"A": approx(-4), "B": 0, "silent": approx(-4),
                      "switch": approx(-4), "VBS": 1}  # fmt: skip
    # B has the better area on both: there is nothing to close.
    assert found["closed_area"].to_list() == [None] * 5
    assert set(found["protocol"]) == {Protocol().tag}
    said: list[str] = []
    chosen = ae.score(lake, anytime="summary", kinds=["selector"], note=said.append)
    assert chosen["solver"].to_list() == ["silent", "switch"]
    assert said == ["gap: lower is better; area, closed_gap: higher is better"]


def test_an_optimum_goes_before_what_was_best_known(lake: Path) -> None:
    """On i1 2 is the optimum: from 12 of 14 on, 4 leaves a gap of 2 of 12."""
    truth = {"instance_id": "STRING", "optimum": "NUMERIC", "best_known": "NUMERIC"}
    scenario = lake.parent / "S"
    truths = [("i1", 2, 3), ("i2", 10, 10)]
    (scenario / "ground_truth.arff").write_text(arff(truth, truths))
    ae.import_scenarios([scenario], into=lake)
    gaps = dict(anytime_scores(open_lake(lake)).select("solver", "gap").rows())
    assert gaps["A"] == pytest.approx((2 / 12 + 1) / 2)
    assert gaps["B"] == pytest.approx((4 / 12 + 0) / 2)


def test_scores_over_time_are_a_table_of_a_paper(lake: Path) -> None:
    answer(lake, "S", switch={i: [["B", 30], ["A", 70]] for i in ("i1", "i2")})
    words = ["table", "anytime", "--bare", "--format", "md", "--lake", str(lake)]
    found = CliRunner().invoke(main, words)
    assert found.stdout.splitlines() == [
        "| scenario | solver | n | gap | closed | area | best known | proved |",
        "| --- | --- | --: | --: | --: | --: | --: | --: |",
        "| S | A | 2 | 0.50000 | -4.000 | 0.2500 | 0.500 | **0.500** |",
        "| S | B | 2 | **0.10000** | **0.000** | **0.4200** | 0.500 | 0.000 |",
        "| S | VBS | 2 | 0.00000 | 1.000 | 0.4200 | 1.000 | 0.500 |",
        "| S | switch | 2 | 0.50000 | -4.000 | 0.3400 | 0.500 | 0.500 |",
    ]


def test_sbs_is_chosen_at_every_moment(lake: Path) -> None:
    found = anytime_scores(open_lake(lake), show="moments")
    assert found["at"].unique().sort().to_list() == pytest.approx([100 * part for part in PARTS])
    rows = {
        (row["solver"], row["at"]): (row["gap"], row["closed_gap"], row["sbs"])
        for row in found.iter_rows(named=True)
    }
    assert rows["A", 5.0] == (1, None, "A")  # nobody has anything: all are equal
    assert rows["VBS", 20.0] == (pytest.approx(0.6), None, "B")
    # At 50 A has 4 on i1, B 6 there and 30, the worst, on i2: VBS is A.
    assert rows["A", 50.0] == (0.5, None, "A")
    assert rows["B", 50.0] == (pytest.approx(0.6), None, "A")
    assert rows["A", 100.0] == (0.5, pytest.approx(-4), "B")
    assert rows["VBS", 100.0] == (0, 1, "B")
    # Until 50 A has a gap of 0 on i1 from 50 on, B one of 0.2 from 20, and of 1 on i2.
    until = found.filter(pl.col("at") == 50).select("solver", "area", "closed_area")
    assert until.rows() == [
        ("A", 0, None),
        ("B", pytest.approx(0.8 * 30 / 50 / 2), None),
        ("VBS", pytest.approx(0.8 * 30 / 50 / 2), None),
    ]
    assert set(found.filter(pl.col("at") == 50)["sbs_by_area"]) == {"B"}


def test_instances_by_hand(lake: Path) -> None:
    answer(lake, "S", switch={i: [["B", 30], ["A", 70]] for i in ("i1", "i2")})
    found = anytime_scores(open_lake(lake), show="instances").filter(pl.col("solver") == "switch")
    assert found.select("instance_id", "objective", "gap", "proved", "time").rows() == [
        ("i1", 4, 0, 1, 90),
        ("i2", None, 1, 0, 100),
    ]


def test_the_protocol_says_how_schedules_are_carried_out(lake: Path) -> None:
    turns = [["B", 45], ["A", 20], ["B", 35]]
    answer(lake, "S", turns={"i1": turns, "i2": turns})
    found = anytime_scores(open_lake(lake, protocols=MANNERS), show="instances")
    ours = found.filter(pl.col("solver") == "turns").select(
        pl.col("protocol").str.split("@").list.first(), "instance_id", "objective",
        "time",
    )  # fmt: skip
    assert sorted(ours.rows()) == [
        ("default", "i1", 6, 100),  # A is at its 14 when its 20 are over
        ("default", "i2", 30, 100),  # B begins anew and has 35
        ("one-core", "i1", 4, 100),  # 4 at 100, and its proof would be at 120
        ("one-core", "i2", 30, 100),  # B has half of its time
        ("parallel", "i1", 4, 60),
        ("parallel", "i2", 10, 100),
        ("resume", "i1", 6, 100),
        ("resume", "i2", 10, 100),  # B goes on from 45 to 80
        # Told of 6, A is at its 14 at once, and would need 40 more, B has no better.
        ("shared", "i1", 6, 100),
        ("shared", "i2", 30, 100),  # B goes on from its 30 at 40: to 75
    ]


def test_what_is_remarked(tmp_path: Path) -> None:
    # Nobody has a solution of i2; `away` was run outside, without a trajectory.
    runs = [row if row[0] == "i1" else (*row[:3], 0, 1000, "timeout") for row in RUNS]
    lake_of(tmp_path, runs, [point for point in POINTS if point[0] == "i1"])
    answer(tmp_path / "lake", "S", here={"i1": [["A", 100]], "i2": [["A", 100]]})
    away = tmp_path / "away.csv"
    away.write_text("instance,time,status\ni1,5,ok\ni2,100,timeout\n")
    (done,) = import_selections(away, lake=tmp_path / "lake", scenario="S")
    assert done.error is None, done.error
    found = anytime_scores(open_lake(tmp_path / "lake"))
    nobody = "gap 1 on 1 instance without any solution"
    left_out = "left out because their outcomes have no trajectory: away"
    assert found.select("kind", "solver", "gap", "remark").rows() == [
        ("algorithm", "A", 0.5, nobody),
        ("algorithm", "B", pytest.approx(0.6), nobody),
        ("selector", "here", 0.5, nobody),
        ("baseline", "VBS", 0.5, f"{nobody}; {left_out}"),
    ]


def test_every_repetition_is_met_and_a_single_run_in_all(tmp_path: Path) -> None:
    # A has three runs and B one; C has the first two alone.
    best = {("A", 1): 4, ("A", 2): 6, ("A", 3): 8, ("B", 1): 5, ("C", 1): 7, ("C", 2): 9}
    runs: list[Row] = [("i", r, a, v, 1000, "ok") for (a, r), v in best.items()]
    lake_of(tmp_path, runs, [("i", r, a, 10, v) for (a, r), v in best.items()])
    answer(tmp_path / "lake", "S", ab={"i": [["A", 50], ["B", 50]]}, ac={"i": [["A", 50], ["C", 50]]})
    found = anytime_scores(open_lake(tmp_path / "lake"), show="instances")
    objective = dict(found.select("solver", "objective").rows())
    assert objective == {
        "A": 6,
        "B": 5,
        "C": 8,
        "ab": pytest.approx((4 + 5 + 5) / 3),
        "ac": pytest.approx((4 + 6) / 2),
    }


@pytest.mark.parametrize(("at_cutoff", "proved"), [("unsolved", 0), ("solved", 1)])
def test_a_proof_at_the_cutoff_counts_where_the_protocol_says_so(
    tmp_path: Path, at_cutoff: Any, proved: int
) -> None:
    runs: list[Row] = [("i1", 1, "A", 4, 100, "ok"), ("i2", 1, "A", 4, 30, "ok")]
    lake_of(tmp_path, runs, [("i1", 1, "A", 10, 4), ("i2", 1, "A", 10, 4)])
    asked = open_lake(tmp_path / "lake", protocols=[Protocol(protocol="p", at_cutoff=at_cutoff)])
    found = anytime_scores(asked, show="instances").select("instance_id", "gap", "proved", "time")
    assert found.rows() == [("i1", 0, proved, 100), ("i2", 0, 1, 30)]


def test_features_are_paid_and_may_solve_the_instance() -> None:
    """Of an instance that a step presolves the best known value is the answer, if there is one."""
    met = _Met(pl.DataFrame({"instance_id": ["i"], "algorithm": ["a"], "repetition": [1]}))
    f, g = ("feature_step", "f", None, True), ("feature_step", "g", 2.0, False)
    steps = [f, g, ("none", None, None, False)]
    ((free, paid),) = met.schedules("i", steps, 3.0)
    assert free == Step(None, 0.0, feature=True, answer=3.0)
    assert paid == Step(None, 2.0, feature=True, answer=None)
    (((unknown, _),),) = (met.schedules("i", steps, inf),)
    assert np.isnan(unknown.answer)


def test_what_cannot_be_scored(toy: Path) -> None:
    with pytest.raises(AslibError, match="has a quality measure with trajectories"):
        anytime_scores(open_lake(toy))


# --- the measured scenarios ----------------------------------------------------------

MIP, OPT = "MIP-ANYTIME-2026", "OPT-FUNCTIONS-2026"
SCHEDULES: Mapping[str, Sequence[Any]] = {
    "alone": [["scip", 10]],
    "switch": [["cpsat", 2], ["highs", 8]],
    "turns": [["scip", 1], ["cpsat", 1], ["scip", 1], ["cpsat", 1], ["scip", 6]],
    "short": [["glpk", 0.5], ["cbc", 0.5]],
    "costly": ["shape", "relaxation", ["cpsat", 3], ["highs", 3]],
}


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("measured")
    folders = [ROOT / "scenarios" / name for name in (MIP, OPT)]
    for outcome in ae.import_scenarios(folders, into=home / "lake"):
        assert outcome.error is None, outcome.error
    con = ae.connect(home / "lake", scenarios=[MIP], stored=False)
    instances = [name for (name,) in con.sql("select distinct instance_id from raw_run").fetchall()]
    answers = {name: dict.fromkeys(instances, s) for name, s in SCHEDULES.items()}
    answer(home / "lake", MIP, **answers)
    half = [["CMA-ES", 30], ["TPE", 30]]
    answer(home / "lake", OPT, half={"branin-2": half, "ackley-5": half})
    return home / "lake"


def test_proofs_are_as_the_runs_are_executed_in_sql(measured: Path) -> None:
    runtime = Protocol(protocol="runtime", measures="runtime")
    con = ae.connect(measured, protocols=[runtime], scenarios=[MIP])
    theirs = con.sql("select selector, instance_id, solved, time from instance_selector").fetchall()
    found = anytime_scores(open_lake(measured, protocols=[runtime], scenarios=[MIP]), show="instances")
    ours = found.filter(pl.col("kind") == "selector")
    rows = ours.select("solver", "instance_id", "proved", "time").rows()
    assert len(rows) == 5 * 80
    assert sorted(rows) == [(*key, pytest.approx(time, abs=1e-9)) for *key, time in sorted(theirs)]


def test_areas_are_those_of_the_quality_scores(measured: Path) -> None:
    theirs = qualities(open_lake(measured, scenarios=[MIP])).drop_nulls("area")
    found = anytime_scores(open_lake(measured, scenarios=[MIP]))
    ours = found.filter(pl.col("kind") == "algorithm")
    assert dict(ours.select("solver", "area").rows()) == {
        solver: pytest.approx(area) for solver, area in theirs.select("solver", "area").rows()
    }


def test_vbs_at_every_moment_is_below_what_knows_of_itself_alone(measured: Path) -> None:
    lake = open_lake(measured, protocols=MANNERS, scenarios=[MIP])
    for of in anytime_measures(lake):
        curves = of.solver_curves
        vbs = curves[("baseline", "VBS")]
        at = np.unique(np.concatenate([moments for moments, _ in curves.values()]))
        least = level_at(vbs, at)
        below = {s: (least <= level_at(c, at) + 1e-12).all() for s, c in curves.items()}
        told = {("selector", name) for name in SCHEDULES} - {("selector", "alone")}
        assert all(below[s] for s in below if of.protocol != "shared" or s not in told)
        # SBS at a moment is the least of the algorithms, and no better than VBS.
        names = [s for s in curves if s[0] == "algorithm"]
        best = np.min([level_at(curves[s], at) for s in names], axis=0)
        assert level_at(of.single_best, at) == pytest.approx(best, abs=1e-12)
    # A schedule of one step of full length is that algorithm.
    free = [replace(SHARED, feature_cost="none", protocol="free")]
    (of,) = anytime_measures(open_lake(measured, protocols=free, scenarios=[MIP]))
    at = np.linspace(0, 10, 101)
    alone, scip = (of.solver_curves[s] for s in (("selector", "alone"), ("algorithm", "scip")))
    assert level_at(alone, at).tolist() == level_at(scip, at).tolist()


def test_costs_over_time_are_those_of_each_algorithm_on_each_instance(measured: Path) -> None:
    shown = ae.score(measured, scenarios=[MIP], anytime="instances", kinds=["algorithm"])
    costs = anytime_costs(open_lake(measured, scenarios=[MIP]).with_all_measures())
    both = costs.join(shown.drop("protocol"), on=["scenario_id", "measure", "solver", "instance_id"])
    assert both.height == costs.height == shown.height
    assert both["gap"].equals(both["gap_right"])
    assert (1 - both["loss"]).equals(both["area"], check_names=False)


def test_a_clock_of_steps_where_points_have_no_times(measured: Path) -> None:
    found = anytime_scores(open_lake(measured, scenarios=[OPT]))
    row = found.filter(pl.col("solver") == "half").row(0, named=True)
    assert row["n"] == 6
    assert row["remark"] == ("time counts steps, because points have no times; no answer on 4 instances")
    each = anytime_scores(open_lake(measured, scenarios=[OPT]), show="instances")
    own = {(row["solver"], row["instance_id"]): row["objective"] for row in each.iter_rows(named=True)}
    con = ae.connect(measured, scenarios=[OPT], stored=False)
    # Ten trials: the mean of the better of both algorithms' first 30 evaluations.
    ((mean,),) = con.sql(
        """select avg(best) from (
            select min(value) as best from raw_trajectory
            where instance_id = 'branin-2' and step <= 30
                and algorithm in ('CMA-ES', 'TPE')
            group by trial
        )"""
    ).fetchall()
    assert own["half", "branin-2"] == pytest.approx(mean)


# --- what counts as a proof: a run that is solved, as the protocol takes its answer

DATA = runs(A=[10, 20, OUT], B=[30, 40, 50])


@pytest.mark.parametrize(
    ("choices", "proofs"),
    [
        ({}, [10, 20, None, 30, 40, 50]),
        ({"disputed_answers": "unsolved"}, [None, 20, None, None, 40, 50]),
        ({"wrong_answers": "disqualified"}, [None, None, None, 30, 40, 50]),
    ],
)
def test_an_answer_that_the_protocol_does_not_take_is_no_proof(
    given: Given, choices: dict[str, str], proofs: list[float | None]
) -> None:
    con = given(DATA, Protocol(**choices))
    con.execute("update raw_run set runstatus = 'wrong' where runstatus = 'timeout'")
    fill(con, "reference", "instance_id, role, value", [("i1", "disputed", None)])
    asked = {"protocol": "default", "scenario": "S", "measure": "runtime", "cutoff": 100}
    found = con.execute(frame_file("anytime_runs").sql, asked).fetchall()
    by_run = {(algorithm, instance): proof for instance, algorithm, *_, proof in found}
    assert [by_run[algorithm, f"i{n}"] for algorithm in "AB" for n in (1, 2, 3)] == proofs


# --- charts

DRAWN = pl.DataFrame(
    {
        "measure": ["cost", "cost", "cost", "other"],
        "algorithm": ["a", "a", "b", "a"],
        "instance_id": ["i", "i", "j", "i"],
        "trial": [1, 1, 1, 1],
        "step": [1, 2, 1, 1],
        "elapsed": [2.0, 8.0, 4.0, None],
        "value": [30.0, 10.0, 20.0, None],
        "maximize": [False] * 4,
    }
)
KNOWN = [("i", "best_known", 8.0), ("i", "optimum", 0.0), ("j", "best_known", 20.0), ("i", "trivial", 40.0)]


def of(measure: str = "cost", points: pl.DataFrame = DRAWN) -> Any:
    reference = pl.DataFrame(KNOWN, schema=["instance_id", "role", "value"], orient="row")
    frames = {"trajectory": points, "reference": reference}
    return SimpleNamespace(frames=frames, measure=measure, with_unit=lambda what: f"{what} [s]")


@pytest.mark.parametrize("measure", ["cost", "other"])
def test_gaps_over_time_or_over_steps(measure: str) -> None:
    """Of the measure of the page, or of the first that has values."""
    chart = anytime_chart(of(measure))
    assert chart is not None
    # a: of the way from 40 to 0 it has 3/4 left, then 1/4; b is at the best of j.
    assert [(mark.name, mark.points) for mark in chart.marks] == [  # type: ignore[union-attr]
        ("b", [[0, 1], [4, 0], [20, 0]]),
        ("a", [[0, 1], [2, 0.75], [8, 0.25], [20, 0.25]]),
    ]
    assert chart.x == Logarithmic("time since the start [s]", 2.0, 20.0, zero=True)
    assert chart.y == Logarithmic("gap to the best known", 0.25, 1.0, zero=True)
    assert chart.population.startswith("cost, n = 2 instances (2 runs) · ")
    assert chart.about == "At the end b is closest, with a mean gap of 0."
    assert anytime_chart(of(points=DRAWN.with_columns(value=pl.lit(None, pl.Float64)))) is None
    steps = anytime_chart(of(points=DRAWN.with_columns(elapsed=pl.lit(None, pl.Float64))))
    assert steps is not None
    assert steps.x == Logarithmic("step", 1.0, 10.0, zero=False)


def test_axes_reach_six_decades_and_gaps_a_ten_thousandth() -> None:
    curves = {
        "far": (np.array([0, 1e-3, 1e4]), np.array([1, 0.5, 1e-5])),
        "same": (np.array([0.0]), np.array([1e-5])),
    }
    drawn = {"same": Look("ink", "circle", "5 3")}
    chart = curves_chart(curves, "time", "n = 1", timed=True, looks=drawn)
    assert chart.x == Logarithmic("time", 1e-2, 1e4, zero=True)
    assert chart.y == Logarithmic("gap to the best known", 1e-4, 1.0, zero=True)
    assert [(mark.name, mark.color) for mark in chart.marks] == [  # type: ignore[union-attr]
        ("far", "c1"),
        ("same", "ink"),
    ]


def test_selectors_over_time_between_sbs_and_vbs_of_the_moment(tmp_path: Path) -> None:
    runs = [("i", 1, "a", 5, "ok"), ("i", 1, "b", 7, "ok")]
    measures = [("objective", "solution_quality", "false")]
    folder = write_scenario(tmp_path / "S", runs=runs, measures=measures)
    points = [("i", 1, "a", 4, 9), ("i", 1, "a", 5, 5), ("i", 1, "b", 2, 7)]
    (folder / "trajectories.arff").write_text(arff(POINT, points))
    (outcome,) = ae.import_scenarios([folder], into=tmp_path / "lake")
    assert outcome.error is None, outcome.error
    home = tmp_path / "lake"
    answers = tmp_path / "selections" / "S"
    answers.mkdir(parents=True)
    for n in range(10):  # each begins with b, and goes on with a after n + 3
        schedule = {"i": [["b", n + 3], ["a", 50]]}
        (answers / f"s{n}.json").write_text(json.dumps(schedule))
    import_selections(answers.parent, lake=home)
    (results,) = LakeResults(open_lake(home)).scenarios
    nobody = {"choice": results.frames["choice"].clear()}
    assert anytime_selectors(replace(results, frames=results.frames | nobody)) is None
    chart = anytime_selectors(results)
    assert chart is not None
    drawn = {line.name: line.points for line in lines(chart)}
    # The worst first value is 9, the best 5; a's 5 comes 5 after it begins.
    assert drawn["VBS"] == drawn["SBS"] == [[0, 1], [2, 0.5], [5, 0], [20, 0]]
    assert drawn["s1"] == [[0, 1], [2, 0.5], [9, 0], [20, 0]]
    assert set(drawn) == {"VBS", "SBS", *(f"s{n}" for n in range(8))}
    assert chart.population.endswith(", 2 selectors with larger gaps left out")
    assert chart.about == (
        "At the end s0 is closest of the selectors, with a mean gap of 0 (SBS 0, VBS 0)."
    )
    assert [line.color for line in lines(chart)].count("ink") == 1
    section = anytime(results)
    assert section is not None
    assert list(section.charts) == ["anytime", "anytime-selectors"]
    assert "would have found, step after step." in section.body


def test_gaps_of_three_runs_by_hand() -> None:
    # Of a trivial 50 and the optimum 0 there are left 30, 20 and 10. The run of c has no solution: its gap
    # is 1 to the end.
    rows: list[Any] = [*(("a", "i", 1, at, value) for at, value in ((1.0, 30.0), (4.0, 10.0)))]
    rows += [("b", "i", 1, 2.0, 20.0), ("c", "i", 1, None, None)]
    frame = pl.DataFrame(rows, schema=["algorithm", "instance_id", "trial", "at", "value"], orient="row")
    for ends, a, b in (
        (Ends({"i": 50.0}, {"i": 0.0}), [1, 0.6, 0.2], [1, 0.4]),
        (Ends({}, {}), [1, 1, 0], [1, 0.5]),
    ):
        found = gap_curves(frame, ends, maximize=False)
        assert {name: [part.tolist() for part in curve] for name, curve in found.items()} == {
            "a": [[0, 1, 4], a],
            "b": [[0, 2], b],
            "c": [[0], [1]],
        }
