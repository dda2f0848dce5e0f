"""trials: systems over the repeated runs of a task, and effort to a target."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from aslib_eval.analysis import scored
from aslib_eval.cli import main
from aslib_eval.database.open_lake import open_lake
from aslib_eval.database.protocol import Protocol
from aslib_eval.database.sqlfiles import find_tables
from aslib_eval.errors import AslibError
from aslib_eval.extensions.optimisers.analysis import Experiment, Search, TimedRuns
from aslib_eval.extensions.optimisers.metrics import expected_running_time
from aslib_eval.extensions.optimisers.tasks import (
    TARGETS,
    TaskQuestion,
    _hits,
    _independent,
    _rows_of_target,
    _targets,
    rank_map,
    rank_sum,
    scott_knott_runs,
    target_times,
    trial_results,
)
from aslib_eval.figures.chart import Boxes
from aslib_eval.metrics.scale import Trajectories
from aslib_eval.tables.paper_table import PaperTable, paper_table
from tests.conftest import POINT, Row, arff, write_scenario
from tests.experiments import imported, write_table

pytestmark = pytest.mark.usefixtures("opened_once")

QUALITY = (("objective", "solution_quality", "false"),)
# t1: A 1 2 3 4, B 11 12 13 14, C 2 3 4 5.  t2: A 5 5 5 5, B 5 5 5 5, C 1 1 1 2.
RUNS: list[Row] = [
    (task, n, system, value, "ok")
    for task, systems in {
        "t1": {"A": (1, 2, 3, 4), "B": (11, 12, 13, 14), "C": (2, 3, 4, 5)},
        "t2": {"A": (5, 5, 5, 5), "B": (5, 5, 5, 5), "C": (1, 1, 1, 2)},
    }.items()
    for system, values in systems.items()
    for n, value in enumerate(values, 1)
]


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("tasks")
    return imported(write_scenario(home / "S", runs=RUNS, measures=QUALITY), home / "lake")


# --- the rank-sum test ----------------------------------------------------------------


def enumerated(a: list[float], b: list[float]) -> float:
    """By drawing the first sample from both in every way."""
    both = np.array([*a, *b])
    ranks = [(both < x).sum() + ((both == x).sum() + 1) / 2 for x in both]
    mean = len(a) * (len(both) + 1) / 2
    sums = [sum(ranks[i] for i in c) for c in combinations(range(len(both)), len(a))]
    own = abs(sum(ranks[: len(a)]) - mean)
    return sum(abs(s - mean) >= own for s in sums) / len(sums)


SAMPLE = st.lists(st.integers(0, 5).map(float), min_size=1, max_size=5)


@settings(max_examples=40)
@given(SAMPLE, SAMPLE)
def test_rank_sum_counts_every_way(a: list[float], b: list[float]) -> None:
    found = rank_sum(np.array(a), np.array(b))
    assert found == pytest.approx(enumerated(a, b))
    assert found == pytest.approx(rank_sum(np.array(b), np.array(a)))


def test_rank_sum_by_hand() -> None:
    # Of the 70 ways to draw 4 of 8 ranks two are as far from the middle.
    low, high = np.arange(4.0), np.arange(4.0) + 10
    assert rank_sum(low, high) == pytest.approx(2 / 70)
    assert rank_sum(low, low) == 1.0
    with pytest.raises(AslibError, match="no values"):
        rank_sum(low, np.array([]))


def test_systems_that_vary_differently_are_told_apart_by_welchs_t() -> None:
    samples = [np.array([1.0, 2, 4]), np.array([3.0, 5, 6, 9, 9.5])]
    theirs = stats.ttest_ind(*samples, equal_var=False).pvalue
    assert _independent(samples) == pytest.approx([theirs])


def test_of_one_run_without_spread_nothing_is_known() -> None:
    runs = [np.array([1.0, 1]), np.array([2.0, 2]), np.array([9.0])]
    assert scott_knott_runs(runs).groups.tolist() == [1, 1, 1]
    assert scott_knott_runs(runs[:2]).groups.tolist() == [1, 2]


def test_rank_sum_is_nearly_normal_where_it_becomes_so() -> None:
    rng = np.random.default_rng(3)
    a, b = rng.integers(0, 20, 30).astype(float), rng.integers(4, 22, 30).astype(float)
    exact = rank_sum(a, b)
    more = rank_sum(np.append(a, 10.0), np.append(b, 10.0))  # 62: normal
    assert 0.5 < more / exact < 2


def test_rank_sum_keeps_its_level() -> None:
    rng = np.random.default_rng(11)
    p = [rank_sum(*rng.exponential(1, (2, 10))) for _ in range(400)]
    assert np.mean(np.array(p) <= 0.05) < 0.075  # 2.3 standard errors above 0.05


# --- groups ---------------------------------------------------------------------------


def test_groups_of_runs_by_hand() -> None:
    # Within: 4 times a variance of 5/3 on 3 df each; 10 and 0 stand apart.
    found = scott_knott_runs([np.arange(4.0), np.arange(4.0) + 10, np.arange(4.0) + 0.5])
    assert found.groups.tolist() == [1, 2, 1]
    assert found.mse == pytest.approx(5 / 3)
    assert found.df == 9
    with pytest.raises(AslibError, match="two systems and repeated runs"):
        scott_knott_runs([np.array([1.0]), np.array([2.0])])
    with pytest.raises(AslibError, match="a run of a system has no value"):
        scott_knott_runs([np.array([1.0, np.nan]), np.array([2.0, 3.0])])


def test_groups_of_equal_systems_are_seldom_several() -> None:
    rng = np.random.default_rng(5)
    split = [scott_knott_runs(list(rng.normal(size=(5, 10)))) for _ in range(400)]
    assert np.mean([found.groups.max() > 1 for found in split]) < 0.06


def test_unequal_runs_and_spreads_make_no_groups() -> None:
    """Five runs that vary by 5 beside thirty that vary by 1; all means are equal."""
    rng = np.random.default_rng(5)
    samples = [(rng.normal(0, 5, 5), *rng.normal(size=(3, 30))) for _ in range(400)]
    assert np.mean([scott_knott_runs(each).groups.max() > 1 for each in samples]) < 0.07


# --- tasks ----------------------------------------------------------------------------


def test_systems_of_each_task(lake: Path) -> None:
    found = trial_results(open_lake(lake)).drop("protocol", "scenario_id", "measure", "better")
    near = pytest.approx
    spread = near(1.2909944)
    # B: 2 of 70 ways, by Holm over all three pairs thrice that, as who is best was chosen by the same runs;
    # C (2 3 4 5 against 1 2 3 4): 32 of 70.
    assert found.filter(task="t1").rows() == [
        ("t1", "A", 4, 2.5, spread, 2.5, 1, 1, True, None, None, None, None),
        ("t1", "C", 4, 3.5, spread, 3.5, 2, 1, False, "A", "=", near(32 / 70), 0.28125),
        ("t1", "B", 4, 12.5, spread, 12.5, 3, 2, False, "A", "=", near(6 / 70), 0.0),
    ]
    level = TaskQuestion(alpha=0.1)
    assert trial_results(open_lake(lake), question=level)["mark"].to_list()[:3] == [None, "=", "-"]
    against = trial_results(open_lake(lake), question=TaskQuestion(versus="B", correction="none"))
    marks = against.filter(task="t1").select("system", "mark", "a12").rows()
    assert marks == [("A", "+", 1.0), ("C", "+", 1.0), ("B", None, None)]
    ties = against.filter(task="t2").select("system", "rank", "mark", "p_adjusted")
    assert ties.rows() == [("C", 1, "+", near(2 / 70)), ("A", 2, "=", 1.0), ("B", 2, None, None)]


def test_pairs_and_wins(lake: Path) -> None:
    question = TaskQuestion(correction="none")
    pairs = trial_results(open_lake(lake), question=question, show="pairs")
    named = pairs.select("task", "system", "other", "advantage", "mark").rows()
    assert named == [
        ("t1", "A", "B", 10.0, "+"),
        ("t1", "A", "C", 1.0, "="),
        ("t1", "B", "C", -9.0, "-"),
        ("t2", "A", "B", 0.0, "="),
        ("t2", "A", "C", -3.75, "-"),
        ("t2", "B", "C", -3.75, "-"),
    ]
    wins = trial_results(open_lake(lake), question=question, show="wins")
    assert set(wins["tasks"]) == {2}
    columns = ["system", "other", "wins", "ties", "losses", "better", "equal", "worse"]
    assert wins.select(columns).rows() == [
        ("A", "B", 1, 1, 0, 1, 1, 0),
        ("A", "C", 0, 1, 1, 1, 0, 1),
        ("B", "A", 0, 1, 1, 0, 1, 1),
        ("B", "C", 0, 0, 2, 0, 0, 2),
        ("C", "A", 1, 1, 0, 1, 0, 1),
        ("C", "B", 2, 0, 0, 2, 0, 0),
    ]


def test_ranks_and_their_map(lake: Path) -> None:
    found = trial_results(open_lake(lake), show="ranks")
    own = found.filter(by="mean").select("system", "mean_rank", "rank", "times", "share")
    assert own.rows() == [
        ("A", 1.5, 1, 1, 0.5),
        ("A", 1.5, 2, 1, 0.5),
        ("B", 2.5, 2, 1, 0.5),
        ("B", 2.5, 3, 1, 0.5),
        ("C", 1.5, 1, 1, 0.5),
        ("C", 1.5, 2, 1, 0.5),
    ]
    with pytest.raises(AslibError, match="no ranks to draw"):
        rank_map(trial_results(open_lake(lake)))


def test_more_can_be_better_of_runs(tmp_path: Path) -> None:
    runs: list[Row] = [("t", n, s, v + n, "ok") for s, v in (("A", 0), ("B", 50)) for n in (1, 2)]
    folder = write_scenario(tmp_path / "S", runs=runs, measures=(("accuracy", "solution_quality", "true"),))
    found = trial_results(open_lake(imported(folder, tmp_path / "lake")))
    assert found.select("better", "system", "mean", "rank").rows() == [
        ("higher", "B", 51.5, 1),
        ("higher", "A", 1.5, 2),
    ]


def test_without_repeated_runs(tmp_path: Path, lake: Path) -> None:
    runs: list[Row] = [("t", 1, "A", 1, "ok"), ("t", 1, "B", 2, "ok")]
    folder = write_scenario(tmp_path / "S", runs=runs, measures=QUALITY)
    with pytest.raises(AslibError, match="no task has repeated runs"):
        trial_results(open_lake(imported(folder, tmp_path / "lake")))
    with pytest.raises(AslibError, match="there is no system D"):
        trial_results(open_lake(lake), question=TaskQuestion(versus="D"))
    with pytest.raises(AslibError, match="a gap must be at least 0"):
        TaskQuestion(gaps=(1.5,))


def test_paper_tables_of_trials(lake: Path) -> None:
    opened = open_lake(lake)

    def table(name: str) -> PaperTable:
        return paper_table(opened, find_tables()[name], scores=scored(opened))

    systems = table("trials")
    heads = [(column.group, column.heading) for column in systems.columns[-6:]]
    assert heads == [(group, name) for group in ("mean", "SD") for name in "ABC"]
    cells = [[(c.text, c.mark, c.is_bold) for c in r[-6:-3]] for r in systems.rows]
    assert cells == [
        [("2.5000", "", True), ("12.5000", "=", False), ("3.5000", "=", False)],
        [("5.0000", "=", False), ("5.0000", "=", False), ("1.2500", "", True)],
    ]
    groups = table("trial_groups")
    found = [[cell.text for cell in row[-3:]] for row in groups.rows]
    assert found[:2] == [["1", "2", "1"], ["2", "2", "1"]]
    wins = table("trial_wins")
    assert [cell.text for cell in wins.rows[2][-3:]] == ["0/2/0", "0/2/0", "\N{EN DASH}"]


def test_groups_are_by_task_where_the_first_system_has_no_run(tmp_path: Path) -> None:
    runs = [(*r[:4], "crash" if (r[0], r[2]) == ("t1", "A") else "ok") for r in RUNS]
    folder = write_scenario(tmp_path / "S", runs=runs, measures=QUALITY)
    without = Protocol("p", failures="left_out")
    opened = open_lake(imported(folder, tmp_path / "lake"), protocols=[without])
    found = paper_table(opened, find_tables()["trial_groups"], scores=scored(opened))
    assert [column.heading for column in found.columns[-3:]] == ["B", "C", "A"]
    assert [[cell.text for cell in row[-4:]] for row in found.rows] == [
        ["t1", "2", "1", "\N{EN DASH}"],
        ["t2", "2", "1", "2"],
    ]


# --- targets --------------------------------------------------------------------------


def test_expected_running_time_is_that_of_restarts() -> None:
    # A run finds the target after 1 of its 4 evaluations with probability 0.2, else never: until the first
    # success 0.8 / 0.2 runs of 4, and then 1, are 17.
    hits = np.where(np.random.default_rng(2).random(100_000) < 0.2, 1.0, np.inf)
    assert float(expected_running_time(hits, spent=4.0)) == pytest.approx(17, rel=0.03)


def test_targets_by_evaluations(tmp_path: Path) -> None:
    # Worst first value 11, best 1: a gap of 0.1 is 2. A reaches it after 2 and never, in runs of 3; B
    # never.
    paths = {("A", 1): (11, 2, 1), ("A", 2): (9, 9, 3), ("B", 1): (5, 5, 5), ("B", 2): (5, 4, 6)}
    rows = [("p", m, n, t, 1, v) for (m, n), values in paths.items() for t, v in enumerate(values, 1)]
    lake = imported(write_table(tmp_path / "E.csv", rows), tmp_path / "lake")
    found = trial_results(open_lake(lake), question=TaskQuestion(gaps=(0.1,)), show="targets")
    columns = ["system", "gap", "target", "n", "successes", "ert", "median", "reason"]
    assert found.select(columns).rows() == [
        ("A", 0.1, 2.0, 2, 1, 5.0, 2.0, None),
        ("B", 0.1, 2.0, 2, 0, None, None, "none of 2 runs reached it"),
    ]
    fixed = trial_results(open_lake(lake), question=TaskQuestion(target=5), show="targets")
    assert fixed.select("system", "gap", "ert", "success_rate").rows() == [
        ("A", None, 2.5, 1.0),  # after 2 and 3
        ("B", None, 1.0, 1.0),
    ]
    low, high = found.select("ert_low", "ert_high").rows()[0]
    assert 0 < low < 5 < high
    # Both runs of B failed: with 0.975 one in 1 - 0.025^(1/2) does not, at least.
    share = 1 - 0.025**0.5
    low, high = found.select("ert_low", "ert_high").rows()[1]
    assert (low, high) == (pytest.approx(3 * (1 - share) / share, rel=0.1), None)


def test_targets_by_time_are_exact(tmp_path: Path) -> None:
    runs: list[Row] = [("i", 1, "A", 10, 100, "ok"), ("i", 1, "B", 30, 100, "ok")]
    points: list[Row] = [("i", 1, "A", 7.5, 20), ("i", 1, "A", 33, 10), ("i", 1, "B", 2, 30)]
    measures = (("objective", "solution_quality", "false"), ("runtime", "runtime", "false"))
    folder = write_scenario(tmp_path / "S", runs=runs, measures=measures)
    (folder / "trajectories.arff").write_text(arff(POINT, points))
    lake = imported(folder, tmp_path / "lake")
    found = trial_results(open_lake(lake), question=TaskQuestion(target=20), show="targets")
    assert found.select("by", "system", "ert", "spent").rows() == [
        ("time", "A", 7.5, 7.5),
        ("time", "B", None, 100.0),
    ]


def test_targets_where_more_is_better() -> None:
    # Costs are values negated. One trial each: A finds 3, 5, 5 and B 4, 4, 4.
    found = np.array([[[-3.0], [-4.0]], [[-5.0], [-4.0]], [[-5.0], [-4.0]]])
    search = Search("p", found, None, best=-5.0)
    experiment = Experiment(
        "S", "m", "value", "evaluations", (1.0, 2.0, 3.0), ("A", "B"), (search,),
        maximize=True,
    )  # fmt: skip
    assert _targets(experiment, search, TaskQuestion(gaps=(0.5,))) == [(0.5, -4.0)]
    assert _targets(experiment, search, TaskQuestion(target=5.0)) == [(None, -5.0)]
    by_gap, by_value = (
        [dict(zip(TARGETS, row, strict=True)) for row in rows]
        for rows in (
            _rows_of_target(experiment, 0, 0.5, -4.0, 0.05),
            _rows_of_target(experiment, 0, None, -5.0, 0.05),
        )
    )
    key = ("task", "system", "gap", "target", "successes", "ert", "spent")
    assert [[row[name] for name in key] for row in by_gap] == [
        ["p", "A", 0.5, 4.0, 1, 2.0, 2.0],
        ["p", "B", 0.5, 4.0, 1, 1.0, 1.0],
    ]
    assert [[row[name] for name in key] for row in by_value] == [
        ["p", "A", None, 5.0, 1, 2.0, 2.0],
        ["p", "B", None, 5.0, 0, None, 3.0],
    ]


def test_targets_by_time_where_more_is_better() -> None:
    # A has 20 after 7.5, B 10 after 2; C has no run.
    paths = Trajectories(
        np.array([0, 2, 3]), np.array([1.0, 7.5, 2.0]), np.array([5.0, 20.0, 10.0]), maximize=True
    )
    timed = TimedRuns(paths, np.array([0, 1]), np.array([[[100.0], [100.0], [0.0]]]))
    found = np.full((1, 3, 1), np.inf)
    experiment = Experiment(
        "S", "m", "value", "time", (100.0,), ("A", "B", "C"),
        (Search("p", found, None, best=-20.0),), maximize=True, timed=timed,
    )  # fmt: skip
    hits, most = _hits(experiment, 0, -20.0)
    assert hits.tolist() == [[7.5], [np.inf], [np.inf]]
    assert most.tolist() == [[100.0], [100.0], [0.0]]
    with pytest.raises(AslibError, match="S"):
        experiment.require_full()


def test_a_batch_counts_all_its_evaluations() -> None:
    search = Search("p", np.array([[[3.0, 9.0]], [[1.0, 9.0]]]), np.zeros((2, 4, 1, 2)), best=1.0)
    experiment = Experiment("S", "m", "value", "evaluations", (1.0, 2.0), ("A",), (search,))
    hits, most = _hits(experiment, 0, 2.0)
    assert hits.tolist() == [[8.0, np.inf]]
    assert most.tolist() == [[8.0, 8.0]]


# --- the command ----------------------------------------------------------------------


def run(lake: Path, words: str) -> str:
    line = ["trials", "--lake", str(lake), "--format", "csv", *words.split()]
    done = CliRunner().invoke(main, line)
    return done.stdout + done.stderr


def test_the_command(lake: Path, tmp_path: Path) -> None:
    text = run(lake, "--task t2 --columns task,system,mark --versus B")
    assert "t2,B,\nmark: " in text
    assert "t1" not in text
    assert "'1,x' is no list of numbers" in run(lake, "--show targets --gaps 1,x")
    assert "no task matches t9" in run(lake, "--task t9")
    assert "no task of their own" in run(lake, "--show wins --task t1")
    assert "no scenario has trajectories" in run(lake, "--show targets")
    both = run(lake, "--show targets --target 1 --gaps 0.1")
    assert "--target is the only target: it cannot be combined with --gaps" in both
    chart = tmp_path / "c.html"
    assert "share" in run(lake, f"--show ranks --chart {chart}")
    assert "has each rank" in chart.read_text()


def ranks(**changes: list[object]) -> pl.DataFrame:
    rows = {
        **{name: ["p"] * 3 for name in ("protocol", "scenario_id", "measure")},
        "by": ["mean", "mean", "median"],
        "system": ["B", "A", "A"],
        "tasks": [4, 4, 4],
        "rank": [2, 1, 3],
        "times": [4, 1, 4],
        "share": [1.0, 0.25, 1.0],
        "mean_rank": [2.0, 1.5, 3.0],
    }
    return pl.DataFrame(rows | changes)


def test_a_box_for_each_system_and_rank() -> None:
    chart = rank_map(ranks())
    boxes = chart.marks[0]
    assert isinstance(boxes, Boxes)
    near = [[*map(pytest.approx, box[:4]), *box[4:]] for box in boxes.boxes]
    assert near == [
        [0.52, 1.48, 0.52, 1.48, "B: rank 2 on 4 of 4 tasks", "low", 1.0],
        [-0.48, 0.48, -0.48, 0.48, "A: rank 1 on 1 of 4 tasks", "low", 0.25],
    ]
    assert [mark.name for mark in chart.marks[1:]] == ["0.25", "0.5", "1"]
    assert chart.about == "A has the best mean rank, 1.5."
    with pytest.raises(AslibError) as raised:
        rank_map(ranks(measure=["q", "p", "p"]))
    assert str(raised.value) == "a chart shows one measure, not 'p', 'q'"
    nothing = ranks(by=["median"] * 3)
    with pytest.raises(AslibError, match=r"no ranks to draw. Use --show ranks."):
        rank_map(nothing)


def test_a_page_shows_the_times_of_several_runs_to_a_hundredth(tmp_path: Path) -> None:
    # Worst first value 11, best 1: a gap of 0.01 is 1.1, to which one run of A comes.
    paths = {("A", 1): (11, 2, 1), ("A", 2): (9, 9, 3), ("B", 1): (5, 5, 5), ("B", 2): (5, 4, 6)}
    rows = [("p", m, n, t, 1, v) for (m, n), values in paths.items() for t, v in enumerate(values, 1)]
    several = [("A", 1.1, 2, 1, 6.0), ("B", 1.1, 2, 0, None)]
    for trials, shown in ((2, several), (1, [])):
        some = [row for row in rows if row[2] <= trials]
        home = tmp_path / str(trials)
        home.mkdir()
        lake = open_lake(imported(write_table(home / "E.csv", some), home / "lake"))
        (scenario,) = lake.manifests
        found = target_times(lake, scenario)
        columns = found.select("system", "target", "n", "successes", "ert").rows()
        assert columns == [(s, pytest.approx(t), *rest) for s, t, *rest in shown]
        assert target_times(lake, "other").height == 0
