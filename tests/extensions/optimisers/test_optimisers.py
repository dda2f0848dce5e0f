"""``optimisers``: by evaluations as bayesmark does, by time against SBS."""

from __future__ import annotations

import json
import math
import os
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner

import aslib_eval as ae
from aslib_eval.analysis import scored
from aslib_eval.cli import main
from aslib_eval.database.open_lake import open_lake
from aslib_eval.database.protocol import Protocol
from aslib_eval.database.sqlfiles import find_tables
from aslib_eval.errors import AslibError
from aslib_eval.extensions.optimisers.analysis import chosen_rows, optimiser_scores, score_curves
from aslib_eval.figures.chart import Band, Boxes, Line
from aslib_eval.tables.paper_table import paper_table
from tests.conftest import POINT, ROOT, Row, arff, write_scenario
from tests.experiments import imported, write_study, write_table

pytestmark = pytest.mark.usefixtures("opened_once")

CONTEST = ROOT / "scenarios" / "OPT-FUNCTIONS-2026"
CASES = ("A_batch1_3x3x8x5", "B_batch3_3x3x4x5", "G_hand_2iters_2trials")


@pytest.fixture(scope="module")
def contest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return imported(CONTEST, tmp_path_factory.mktemp("contest") / "lake")


def entries(case: dict[str, Any]) -> list[tuple[Any, ...]]:
    """The rows of a table: problem, method, trial, iteration, suggestion, value."""
    table = np.array(case["F"], dtype=object)
    return [
        (case["problems"][p], case["methods"][m], n, t, b, table[t, b, p, m, n])
        for t, b, p, m, n in np.ndindex(table.shape)
    ]


# --- by evaluations -------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_a_lake_of_bayesmark_scores_as_bayesmark(shared: Path, tmp_path: Path, name: str) -> None:
    case = json.loads((shared / "reference" / "bayesmark.json").read_text())["cases"][name]
    lake = imported(write_table(tmp_path / "E.csv", entries(case)), tmp_path / "lake")
    found = optimiser_scores(open_lake(lake), show="steps")
    expected = case["summary[iter][method]"]
    names = {
        "mean": "PERF_MEAN",
        "lb_mean": "LB_MEAN",
        "ub_mean": "UB_MEAN",
        "normed_mean": "NORMED_MEAN",
        "lb_normed_mean": "LB_NORMED_MEAN",
        "ub_normed_mean": "UB_NORMED_MEAN",
        "median": "PERF_MED",
        "median_low": "LB_MED",
    }
    for row in found.iter_rows(named=True):
        at = int(row["step"]) - 1, case["methods"].index(row["method"])
        for ours, theirs in names.items():
            value = float(expected[theirs][at[0]][at[1]])
            wanted = pytest.approx(value, 1e-9, 1e-9) if math.isfinite(value) else None
            assert row[ours] == wanted, (ours, row)
        assert row["score"] == pytest.approx(100 * (1 - row["mean"]))
    assert found.height == len(expected["PERF_MEAN"]) * len(case["methods"])


def test_losses_are_set_as_tables_of_a_paper(contest: Path) -> None:
    lake = open_lake(contest)
    scores = scored(lake)
    summary, problems = (
        paper_table(lake, find_tables()[name], scores=scores)
        for name in ("optimisers", "optimiser_problems")
    )
    assert (len(summary.rows), len(problems.rows)) == (6, 6)
    first, one = (
        {c.name: cell for c, cell in zip(table.columns, table.rows[0], strict=True)}
        for table in (summary, problems)
    )
    assert (first["method"].text, first["score"].is_bold) == ("TPE", True)
    assert first["score"].value == optimiser_scores(open_lake(contest))["score"][0]
    found = optimiser_scores(open_lake(contest), show="problems")
    found = found.filter(pl.col("problem") == one["problem"].text)
    wanted = dict(found.select("method", "normed_mean").rows())
    assert {method: one[method].value for method in wanted} == wanted
    bold = [method for method in wanted if one[method].is_bold]
    assert bold == [min(wanted, key=lambda method: wanted[method])]


def test_the_contest_of_this_project_has_a_ranking(contest: Path) -> None:
    found = optimiser_scores(open_lake(contest))
    assert found["method"].to_list() == [
        "TPE",
        "DE",
        "DualAnnealing",
        "CMA-ES",
        "RandomSearch_numpy",
        "NelderMead",
    ]
    assert set(found["n"]) == {6}
    assert set(found["trials"]) == {10}
    assert set(found["remark"]) == {None}  # six problems are enough for a median
    random = found.filter(pl.col("method") == "RandomSearch_numpy")
    assert random["normed_mean"][0] == pytest.approx(1, abs=0.05)
    assert random["median"][0] == pytest.approx(1, abs=0.05)


def test_problems_and_steps(contest: Path) -> None:
    problems = optimiser_scores(open_lake(contest), show="problems")
    assert problems.height == 36
    assert problems["normed_mean"].is_between(0, 1).all()
    mean = problems.group_by("method").agg(pl.col("normed_mean").mean())
    summary = optimiser_scores(open_lake(contest)).join(mean, on="method", suffix="_of_problems")
    assert summary["normed_mean_of_problems"].to_list() == pytest.approx(summary["mean"].to_list())
    steps = optimiser_scores(open_lake(contest), show="steps")
    assert steps.height == 60 * 6
    anytime = steps.group_by("method").agg(pl.col("mean").mean().alias("over_steps"))
    joined = summary.join(anytime, on="method")
    assert joined["over_steps"].to_list() == pytest.approx(joined["anytime"].to_list())


def test_any_method_or_sbs_can_be_the_baseline(contest: Path) -> None:
    by_sbs = optimiser_scores(open_lake(contest), baseline="SBS")
    assert set(by_sbs["baseline"]) == {"TPE"}
    itself = by_sbs.filter(pl.col("method") == "TPE")
    assert itself.select("normed_mean", "median").rows() == [(1.0, 1.0)]
    annealing = optimiser_scores(open_lake(contest), baseline="DualAnnealing")
    assert set(annealing["remark"]) == {"the baseline is the best on 1 problem"}
    both = optimiser_scores(open_lake(contest), baseline="D*")
    assert set(both["baseline"]) == {"DE, DualAnnealing"}
    with pytest.raises(AslibError, match="no method matches the baseline CMA"):
        optimiser_scores(open_lake(contest), baseline="CMA")


def test_no_random_search_is_an_error(tmp_path: Path) -> None:
    # The name alone is not bayesmark's, which ends in _ and a version.
    data = [("p", m, 1, 1, 1, 3.0) for m in ("RandomSearch", "B_1")]
    lake = imported(write_table(tmp_path / "E.csv", data), tmp_path / "lake")
    with pytest.raises(AslibError, match="no method matches the baseline RandomSearch_"):
        optimiser_scores(open_lake(lake))
    asked = optimiser_scores(open_lake(lake), baseline="RandomSearch")
    assert set(asked["baseline"]) == {"RandomSearch"}


def test_random_search_that_mostly_crashes_is_an_error(tmp_path: Path) -> None:
    data = [("p", "RandomSearch_1", 1, t, 1, v) for t, v in ((1, "inf"), (2, "inf"))]
    data[0] = (*data[0][:5], 1)
    data += [("p", "RandomSearch_1", 2, t, 1, "inf") for t in (1, 2)]
    lake = imported(write_table(tmp_path / "E.csv", data), tmp_path / "lake")
    with pytest.raises(AslibError, match=r"E, p: the median of random search is not"):
        optimiser_scores(open_lake(lake))


def test_infinite_error_bars_are_said_in_words(tmp_path: Path) -> None:
    data = [("p", m, 1, 1, 1, v) for m, v in (("RandomSearch_1", 3.0), ("B_1", 1.0))]
    lake = imported(write_table(tmp_path / "E.csv", data), tmp_path / "lake")
    summary = optimiser_scores(open_lake(lake))
    (remark,) = set(summary["remark"])
    assert remark == (
        "the error bars of the median are infinite with fewer than 6 problems; interval of the "
        "mean: wide because of the bounds of the values, not because of the data"
    )
    assert set(summary.select("median_low", "median_high").row(0)) == {None}
    assert set(summary.filter(method="RandomSearch_1")["mean_high"]) == {1.0}
    assert set(summary.select("lb_mean", "ub_normed_mean").row(0)) == {None}
    problems = optimiser_scores(open_lake(lake), show="problems")
    assert set(problems["remark"]) == {"the error bars of the median are infinite with fewer than 6 trials"}


def test_the_error_bars_of_bayesmark_stand_beside_ours(tmp_path: Path) -> None:
    """B loses 0 and 0.5: their mean is 0.25, and 12.7062 times 0.25 around it."""
    costs = {"RandomSearch_1": (3.0, 3.0), "B_1": (1.0, 2.0), "C_1": (1.0, 1.0)}
    data = [(p, m, 1, 1, 1, v[i]) for m, v in costs.items() for i, p in enumerate("pq")]
    lake = imported(write_table(tmp_path / "E.csv", data), tmp_path / "lake")
    found = optimiser_scores(open_lake(lake)).filter(method="B_1")
    names = ("lb_mean", "mean", "ub_mean", "lb_normed_mean", "ub_normed_mean")
    assert found.select(names).row(0) == pytest.approx(
        (-2.92655, 0.25, 3.42655, -2.92655, 3.42655), abs=1e-4
    )
    assert (found["mean_low"][0] >= 0, found["mean_high"][0] <= 1) == (True, True)


def test_a_constant_objective_scores_one(tmp_path: Path) -> None:
    data = [("p", m, n, t, 1, 3.0) for m in ("RandomSearch_1", "B_1") for n in (1, 2) for t in (1, 2)]
    lake = imported(write_table(tmp_path / "E.csv", data), tmp_path / "lake")
    found = optimiser_scores(open_lake(lake), show="steps")
    assert set(found["mean"]) == set(found["median"]) == {1.0}
    (remark,) = set(optimiser_scores(open_lake(lake), show="problems")["remark"])
    assert remark == (
        "the error bars of the median are infinite with fewer than 6 trials; "
        "the baseline is the best here, so the median scale has no length"
    )


def test_more_can_be_better(tmp_path: Path) -> None:
    # Random draws 0.1 to 0.4: clip 0.2 from below (of costs -0.4 … -0.1 the second is -0.3, so 0.3); B ends
    # at 0.5, the best: 0 of the way is left.
    draws = [("p", "RandomSearch_1", n, 1, 1, n / 10) for n in (1, 2, 3, 4)]
    data = [*draws, *(("p", "B_1", n, 1, 1, 0.5) for n in (1, 2, 3, 4))]
    path = write_table(tmp_path / "E" / "evaluations.csv", data).parent
    (path / "experiment.toml").write_text('measure = "accuracy"\n')
    lake = imported(path, tmp_path / "lake")
    found = optimiser_scores(open_lake(lake), show="problems").filter(pl.col("method") == "B_1")
    columns = ["clip", "median", "normed_mean"]
    assert found.select(columns).rows() == [(-0.3, -0.5, pytest.approx(0, abs=1e-9))]


def test_what_was_seen_is_scored_apart(tmp_path: Path) -> None:
    # Chosen by what was seen (1 before 2), charged what it is worth (9, not 5).
    for number, opt in ((1, "RandomSearch"), (2, "B")):
        seen = {"_visible_to_opt": [[1.0], [2.0]], "generalization": [[9.0], [5.0]]}
        write_study(tmp_path / "E", number, seen, opt=opt)
    lake = imported(tmp_path / "E", tmp_path / "lake")
    found = optimiser_scores(open_lake(lake), show="problems").filter(pl.col("trials") == 1)
    assert found.select("objective", "median").unique(maintain_order=True).rows() == [
        ("value", 9.0),
        ("visible", 1.0),
    ]


# Mean, mean in units of random search, and median after the last step, as bayesmark 0.0.8 itself computed
# them from the folder below, which its own serializer wrote.
BY_BAYESMARK = {
    ("value", "HyperOpt"): (0.7890315336052933, 7.696198592794913, 27.215258096453226),
    ("value", "RandomSearch"): (0.7546109946864352, 7.360461309925967, 42.26265387368946),
    ("visible", "HyperOpt"): (0.18418872591641083, 0.9296721934055298, 0.5644950114760673),
    ("visible", "RandomSearch"): (0.22493512596840606, 1.1353351346156708, 1.0),
}


def test_a_folder_scores_as_bayesmark_scored_it(tmp_path: Path) -> None:
    # Four batches of two, three trials; one evaluation of each crashed.
    rng = np.random.default_rng(0)
    for opt in ("RandomSearch", "HyperOpt"):
        for data in ("iris", "wine"):
            for _ in range(3):
                number = int.from_bytes(rng.bytes(16))
                values = rng.random((4, 2, 2))
                values[1, 0] = np.inf
                names = ("_visible_to_opt", "generalization")
                both = zip(names, np.moveaxis(values, 2, 0).tolist(), strict=True)
                names = ("suggest", "eval", "observe")
                sizes = zip(names, (4, (4, 2), 4), strict=True)
                write_study(
                    tmp_path / "E",
                    number,
                    dict(both),
                    opt=opt,
                    problem=("kNN", data, "acc"),
                    times={name: rng.random(size).tolist() for name, size in sizes},
                )
    found = optimiser_scores(open_lake(imported(tmp_path / "E", tmp_path / "lake")))
    ours = {
        (row["objective"], row["method"].split("_")[0]): pytest.approx(
            (row["mean"], row["normed_mean"], row["median"]), rel=1e-9
        )
        for row in found.iter_rows(named=True)
    }
    assert ours == BY_BAYESMARK


def test_what_was_seen_beside_what_it_is_worth(tmp_path: Path) -> None:
    # B sees 1 and 2, and takes 1, which is worth 9; random search sees 3, worth 5.
    header = "problem,method,trial,iteration,value,visible"
    cells = [("RandomSearch_1", 1, 5, 3), ("RandomSearch_1", 2, 7, 4), ("B_1", 1, 9, 1), ("B_1", 2, 5, 2)]
    data = [("p", m, 1, t, v, seen) for m, t, v, seen in cells]
    lake = imported(write_table(tmp_path / "E.csv", data, header=header), tmp_path / "lake")
    found = optimiser_scores(open_lake(lake), show="objectives")
    names = ["method", "rank_visible", "rank_held_out", "mean_visible", "mean_held_out"]
    near = pytest.approx
    # Held out: 5 is the best and random search's lower median, so the clip value: a scale of the padding
    # alone, on which 5 is 1. Seen: 1 is best, 3 clips.
    assert sorted(found.select(names).rows()) == [
        ("B_1", 1, 1, near(0, abs=1e-9), near(1)),
        ("RandomSearch_1", 2, 1, near(1), near(1)),
    ]
    changes = dict(found.select("method", "score_change").rows())
    assert changes == {"B_1": near(-100), "RandomSearch_1": near(0)}


def test_nobody_saw_another_loss(contest: Path) -> None:
    with pytest.raises(AslibError, match="no optimiser observed losses other"):
        optimiser_scores(open_lake(contest), show="objectives")


@pytest.mark.parametrize("baseline", ["RandomSearch_*", "TPE"])
def test_a_frozen_baseline_scores_the_same_again(contest: Path, tmp_path: Path, baseline: str) -> None:
    file = tmp_path / "b.json"
    fresh = optimiser_scores(open_lake(contest), baseline=baseline, show="steps", freeze=file)
    again = optimiser_scores(open_lake(contest), baseline=str(file), show="steps")
    assert again.drop("baseline").equals(fresh.drop("baseline"))
    assert set(again["baseline"]) == {"b.json"}


def test_a_baseline_of_several_objectives_is_one_file(tmp_path: Path, contest: Path) -> None:
    for number, opt in ((1, "RandomSearch"), (2, "B"), (3, "RandomSearch"), (4, "B")):
        rng = np.random.default_rng(number)
        names = ("_visible_to_opt", "generalization", "size")
        seen = {name: rng.random((3, 1)).tolist() for name in names}
        write_study(tmp_path / "E", number, seen, opt=opt)
    lake, file = imported(tmp_path / "E", tmp_path / "lake"), tmp_path / "b.json"
    fresh = optimiser_scores(open_lake(lake), freeze=file)
    assert fresh.select("measure", "objective").unique().height == 4
    assert (
        optimiser_scores(open_lake(lake), baseline=str(file))
        .drop("baseline")
        .equals(fresh.drop("baseline"))
    )
    with pytest.raises(AslibError, match="a single baseline"):
        optimiser_scores(open_lake(contest, protocols=["default", "asf"]), freeze=file)


def test_a_frozen_baseline_outlives_the_experiment(tmp_path: Path) -> None:
    # Random search drew 1, 3 and 5: the optimum is 1, the clip value 3.
    draws = [("p", "RandomSearch_1", n, 1, 1, v) for n, v in ((1, 1), (2, 3), (3, 5))]
    first = imported(write_table(tmp_path / "E.csv", draws), tmp_path / "lake")
    file = tmp_path / "b.json"
    optimiser_scores(open_lake(first), freeze=file)
    # Another day without random search: 2 is half way from the optimum to the clip.
    later = [("p", "B_1", n, 1, 1, v) for n, v in ((1, 2.0), (2, 2.0))]
    other = imported(write_table(tmp_path / "F.csv", later), tmp_path / "other")
    found = optimiser_scores(open_lake(other), baseline=str(file))
    assert found["mean"].to_list() == [pytest.approx(0.5)]
    refused: dict[str, tuple[Any, str]] = {
        "q": (("q", 1), "the baseline lacks the problems 'q'"),
        "long": (("p", 2), "the baseline does not have the 2 steps of long"),
    }
    for name, ((problem, steps), what) in refused.items():
        data = [(problem, "B_1", 1, t, 1, 2.0) for t in range(1, steps + 1)]
        wrong = imported(write_table(tmp_path / f"{name}.csv", data), tmp_path / f"lake-{name}")
        with pytest.raises(AslibError, match=what):
            optimiser_scores(open_lake(wrong), baseline=str(file))
    with pytest.raises(AslibError, match=r"none\.json: cannot be read"):
        optimiser_scores(open_lake(other), baseline=str(tmp_path / "none.json"))


def test_a_baseline_that_bayesmark_froze(tmp_path: Path) -> None:
    file = tmp_path / "baseline.json"
    fixed = {"dims": ["objective", "function"]}
    stepped = {"dims": ["iter", "objective", "function"], "data": [[[4.0]], [[2.0]]]}
    data = {
        "coords": {
            "objective": {"dims": ["objective"], "data": ["_visible_to_opt"]},
            "function": {"dims": ["function"], "data": ["p"]},
        },
        "data_vars": {
            "median": stepped,
            "mean": stepped,
            "clip": {**fixed, "data": [[4.0]]},
            "best": {**fixed, "data": [[0.0]]},
        },
    }
    file.write_text(json.dumps({"data": data, "meta": {"signature": {}}}))
    own = [("p", "B_1", 1, t, 1, v) for t, v in ((1, 3.0), (2, 1.0))]
    lake = imported(write_table(tmp_path / "E.csv", own), tmp_path / "lake")
    found = optimiser_scores(open_lake(lake), baseline=str(file), show="steps")
    # 3 of 4, then 1 of 4; of the median at each step 3 / 4 and 1 / 2; of the baseline's mean, which is 4 /
    # 4 and 2 / 4, so 3 / 4 and 1 / 2 as well.
    assert found.select("mean", "median", "normed_mean").rows() == [(0.75, 0.75, 0.75), (0.25, 0.5, 0.5)]
    folder = write_table(tmp_path / "M" / "evaluations.csv", own).parent
    (folder / "experiment.toml").write_text('measure = "accuracy"\n')
    with pytest.raises(AslibError, match="frozen with maximize = False, but the runs have True"):
        optimiser_scores(open_lake(imported(folder, tmp_path / "more")), baseline=str(file))


def test_curves_of_one_problem_and_their_chart(contest: Path) -> None:
    curves = chosen_rows(
        optimiser_scores(open_lake(contest), show="curves"), problem="bra*", objective="value"
    )
    assert curves.height == 60 * 6
    last = curves.filter(pl.col("step") == 60).drop("step")
    ends = optimiser_scores(open_lake(contest), show="problems").filter(problem="branin-2")
    assert last.equals(ends.drop("step"))
    chart = score_curves(curves, draw="median")
    assert chart.title == "Median loss after each batch of evaluations on branin-2"
    assert "over 10 trials" in chart.about
    lines = [mark for mark in chart.marks if isinstance(mark, Line)]
    assert [len(line.points) for line in lines] == [60] * 6
    assert chart.x.spec()["whole"]
    with pytest.raises(AslibError, match="a chart shows one problem"):
        score_curves(optimiser_scores(open_lake(contest), show="curves"))
    with pytest.raises(AslibError, match="no problem matches nothing"):
        chosen_rows(curves, problem="nothing", objective=None)


def test_bands_are_of_one_error_bar_or_the_other(contest: Path) -> None:
    steps = optimiser_scores(open_lake(contest), show="steps")
    far, near = (score_curves(steps, draw=d) for d in ("mean", "mean-here"))
    assert "over 6 problems, for further problems too" in far.about
    assert "over 10 trials of exactly these 6 problems" in near.about
    for chart, low in ((far, "mean_low"), (near, "mean_here_low")):
        boxes = next(mark for mark in chart.marks if isinstance(mark, Boxes)).boxes
        assert boxes[0][:3] == [1, 2, steps.filter(method="TPE", step=1.0)[low][0]]


def test_figures_are_of_the_methods_that_are_named(contest: Path) -> None:
    chart = ae.figure("optimiser-median", contest, solvers=["D*"])
    assert chart.title.startswith("Median loss after each batch")
    assert {mark.name for mark in chart.marks if isinstance(mark, Line)} == {"DE", "DualAnnealing"}
    ranks = ae.figure("trial-ranks", contest, solvers=["TPE", "DE"])
    assert isinstance(ranks.y, Band)
    assert {*ranks.y.names} == {"TPE", "DE"}
    assert ae.figure("optimiser-mean", contest).title.startswith("Mean loss after each batch")
    with pytest.raises(AslibError, match=r"there is no system 'x'"):
        ae.figure("trial-ranks", contest, solvers=["x", "TPE"])


# --- by time --------------------------------------------------------------------------

MEASURES = (("objective", "solution_quality", "false"), ("runtime", "runtime", "false"))
# Ends at 10 (A) and 4 (B) on i1; on i2 A, which is SBS by its mean, finds nothing.
RUNS: list[Row] = [
    ("i1", 1, "A", 10, 100, "ok"),
    ("i1", 1, "B", 4, 100, "ok"),
    ("i2", 1, "A", 50, 100, "timeout"),
    ("i2", 1, "B", 90, 100, "ok"),
]
POINTS: list[Row] = [
    ("i1", 1, "A", 10, 12),
    ("i1", 1, "A", 60, 10),
    ("i1", 1, "B", 50, 20),
    ("i1", 1, "B", 80, 4),
    ("i2", 1, "B", 70, 90),
]


@pytest.fixture
def anytime(tmp_path: Path) -> Path:
    folder = write_scenario(tmp_path / "S", runs=RUNS, measures=MEASURES)
    (folder / "trajectories.arff").write_text(arff(POINT, POINTS))
    return imported(folder, tmp_path / "lake")


def test_trajectories_over_time_by_hand(anytime: Path) -> None:
    # Steps of 5. SBS is A: its first objective, 12, clips; the best, 4, is the optimum.
    found = optimiser_scores(open_lake(anytime), show="steps")
    assert set(found["by"]) == {"time"}
    assert set(found["baseline"]) == {"A"}
    mean = {(row["method"], row["step"]): row["mean"] for row in found.iter_rows(named=True)}
    assert len(mean) == 40
    assert [mean[m, s] for m in "AB" for s in (5, 50)] == [1, 1, 1, 1]  # nothing, or 12 and worse
    assert mean["A", 60] == pytest.approx(6 / 8)
    assert mean["B", 75] == 1
    assert mean["B", 80] == pytest.approx(0, abs=1e-9)
    # Of the 20 steps A spends 11 at 1 and 9 at 6/8, B 15 at 1 and 5 at 0.
    summary = optimiser_scores(open_lake(anytime))
    ours = dict(summary.select("method", "anytime").iter_rows())
    assert ours == {"A": pytest.approx((11 + 9 * 6 / 8) / 20), "B": pytest.approx(15 / 20, abs=1e-9)}
    assert set(summary["n"]) == {1}
    assert set(summary["remark"]) == {
        (
            "the error bars of the median are infinite with fewer than 6 problems; "
            "1 problem left out because the baseline finds no solution there; "
            "interval of the mean: wide because of the bounds of the values, not because of the data"
        )
    }


def test_a_baseline_over_time_is_one_at_every_step(anytime: Path) -> None:
    found = optimiser_scores(open_lake(anytime), show="steps", baseline="B")
    own = found.filter(pl.col("method") == "B", pl.col("step") >= 50)
    assert own["median"].to_list() == [1.0] * 11
    assert own["normed_mean"].to_list() == pytest.approx([1.0] * 11)


def test_a_known_optimum_is_the_end_of_the_scale(tmp_path: Path) -> None:
    data = [("p", m, 1, 1, 1, v) for m, v in (("RandomSearch_1", 3.0), ("B_1", 2.0))]
    path = write_table(tmp_path / "E" / "evaluations.csv", data).parent
    (path / "experiment.toml").write_text("[optimum]\np = 1\n")
    lake = imported(path, tmp_path / "lake")
    found = optimiser_scores(open_lake(lake)).select("method", "mean").rows()
    assert found == [("B_1", pytest.approx(0.5)), ("RandomSearch_1", 1.0)]


# --- the command ----------------------------------------------------------------------


@pytest.mark.parametrize(
    "show", ["summary", "steps", "problems", "curves"]
)  # nobody saw another loss there
def test_the_command(contest: Path, show: str) -> None:
    words = ["optimisers", "--show", show, "--lake", str(contest), "--format", "csv"]
    done = CliRunner().invoke(main, words, catch_exceptions=False)
    assert done.exit_code == 0
    names = "protocol,protocol_hash,scenario_id,measure,objective,by,baseline"
    assert done.stdout.startswith(names)
    assert f"\ndefault,{Protocol().hash}," in done.stdout


def test_a_lake_without_trajectories(tmp_path: Path) -> None:
    runs: list[Row] = [("i1", 1, "A", 4, "ok")]
    lake = imported(write_scenario(tmp_path / "S", runs=runs), tmp_path / "lake")
    with pytest.raises(AslibError, match="no scenario has trajectories"):
        optimiser_scores(open_lake(lake))


def test_usual_scores_know_optimisers_too(contest: Path) -> None:
    # The mean cost of the losses is bayesmark's mean after the last step.
    sql = "select solver, cost from solver_score where kind = 'algorithm' order by cost"
    ours = optimiser_scores(open_lake(contest)).select("method", "mean").rows()
    expected = [(method, pytest.approx(mean)) for method, mean in ours]
    assert ae.query(sql, lake=contest).rows() == expected


def test_a_pipe_is_no_baseline(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    (tmp_path / "e.csv").write_text(
        "problem,method,trial,iteration,value\np,random,1,1,3\np,random,2,1,2\np,ant,1,1,1\np,ant,2,1,2\n"
    )
    ae.import_scenarios(tmp_path / "e.csv", into=tmp_path / "lake")
    options = ["--baseline", str(tmp_path / "pipe.json"), "--lake", str(tmp_path / "lake")]
    assert "it is a pipe or a device" in CliRunner().invoke(main, ["optimisers", *options]).stderr
