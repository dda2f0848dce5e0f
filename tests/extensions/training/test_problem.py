"""What selectors are given, and the parts that need no learning: all by hand."""

from __future__ import annotations

import json
import os
import sys
import warnings
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from click.testing import CliRunner
from numpy.typing import NDArray
from scipy.stats import norm

import aslib_eval as ae
from aslib_eval.cli import main
from aslib_eval.database.open_lake import open_lake
from aslib_eval.database.protocol import Protocol
from aslib_eval.errors import AslibError
from aslib_eval.extensions.training import models
from aslib_eval.extensions.training.models import (
    GMeans,
    LearnedSchedule,
    Lesson,
    OwnSelector,
    Trial,
    anderson_darling,
    asap,
    prepare,
    presolving_schedule,
    sunny_schedule,
)
from aslib_eval.extensions.training.training import (
    Journal,
    SelectionProblem,
    Split,
    _lesson,
    for_training,
    predict_split,
    read_problem,
    read_splits,
    write_schedules,
)
from aslib_eval.selections import store_folds, store_selection
from tests.conftest import POINT, arff, opened, rows, write_scenario

NAN = np.nan
RUNS = [
    ("i1", 1, "b", 4, "ok"),
    ("i1", 2, "b", 100, "timeout"),
    ("i1", 1, "a", 9, "ok"),
    ("i1", 2, "a", 7, "ok"),
    ("i2", 1, "b", 100, "timeout"),
    ("i2", 2, "b", 100, "timeout"),
    ("i2", 1, "a", 1, "ok"),
    ("i2", 2, "a", 3, "ok"),
]
STEPS = """\
features_deterministic:
- size
- deep
features_stochastic:
- costly
- odd
default_steps:
- main
feature_steps:
  base:
    provides: []
  main:
    provides:
    - size
    requires:
    - base
  more:
    provides:
    - costly
  idle:
    provides: []
"""


@pytest.fixture
def lake(tmp_path: Path) -> Path:
    folds = {"i1": 1, "i2": 2}
    folder = write_scenario(tmp_path / "S", runs=RUNS, folds=folds, description=STEPS)
    columns = {"instance_id": "STRING", "repetition": "NUMERIC"}
    columns |= dict.fromkeys(("size", "deep", "costly"), "NUMERIC")
    columns |= {"odd": "{x, y}"}
    values = [("i2", 1, 5, 2, 7, "x"), ("i1", 1, 1, "?", 7, "y"), ("i1", 2, 3, "?", 8, "y")]
    (folder / "feature_values.arff").write_text(arff(columns, values))
    (outcome,) = ae.import_scenarios([folder], into=tmp_path / "lake")
    assert outcome.error is None, outcome.error
    return tmp_path / "lake"


def test_the_problem_is_read_under_the_protocol(lake: Path) -> None:
    here = open_lake(lake, protocols=[for_training("default")])
    problem = read_problem(here, "S")
    assert problem.instances == ("i1", "i2")
    assert problem.algorithms == ("a", "b")
    assert problem.costs.tolist() == [[8, 502], [2, 1000]]
    assert problem.times.tolist() == [[8, 52], [2, 100]]
    assert problem.solved.tolist() == [[True, True], [True, False]]
    assert (problem.cutoff, problem.penalty) == (100, 10)


def test_only_features_that_the_default_steps_pay_for_are_used(lake: Path) -> None:
    problem = read_problem(open_lake(lake, protocols=[for_training("default")]), "S")
    # By name: deep and odd belong to no step, size to a default one, costly does not.
    expected = [[NAN, 0, 1, 2], [2, 1, 0, 5]]
    np.testing.assert_array_equal(problem.features, expected)
    assert problem.steps == ("base", "main")


def test_gap_and_area_are_learned_of_trajectories(tmp_path: Path) -> None:
    runs = [
        ("i1", 1, "A", 4, 1000, "ok"),
        ("i1", 1, "B", 6, 1000, "ok"),
        ("i2", 1, "A", 8, 1000, "ok"),
        ("i2", 1, "B", 8, 1000, "timeout"),
    ]
    measures = [("objective", "solution_quality", "false"), ("runtime", "runtime",
                "false")]  # fmt: skip
    folder = write_scenario(tmp_path / "S", runs=runs, measures=measures)
    points = [("i1", 1, "A", 90, 4), ("i1", 1, "B", 0, 14), ("i1", 1, "B", 10, 6), ("i2", 1, "A", 50, 8)]
    (folder / "trajectories.arff").write_text(arff(POINT, points))
    columns = {"instance_id": "STRING", "repetition": "NUMERIC", "f": "NUMERIC"}
    values = [("i1", 1, 1), ("i2", 1, 2)]
    (folder / "feature_values.arff").write_text(arff(columns, values))
    (outcome,) = ae.import_scenarios([folder], into=tmp_path / "lake")
    assert outcome.error is None, outcome.error
    here = open_lake(tmp_path / "lake", protocols=[for_training("default")])
    gap = read_problem(here, "S", target="gap")
    area = read_problem(here, "S", target="area")
    assert gap.costs.tolist() == [[0, 0.2], [0, 1]]
    # The mean gap over the cutoff of 100.
    np.testing.assert_allclose(area.costs, [[0.9, 0.1 + 0.9 * 0.2], [0.5, 1]])
    assert gap.cutoff is None
    assert len({problem.digest() for problem in (gap, area, read_problem(here, "S"))}) == 3
    timed = replace(for_training("default"), measures="runtime")
    here = open_lake(tmp_path / "lake", protocols=[timed])
    with pytest.raises(AslibError, match="S: has no trajectories of the measure"):
        read_problem(here, "S", target="gap")


def test_training_fixes_the_measure_and_the_steps() -> None:
    given = Protocol(measures="all", feature_cost="none", penalty=2)
    expected = Protocol(measures="primary", feature_cost="default_steps", penalty=2)
    assert for_training(given) == expected


def test_splits_are_rows_of_the_problem(lake: Path) -> None:
    here = open_lake(lake, protocols=[for_training("default")])
    problem = read_problem(here, "S")
    first, second = read_splits(here, problem, "aslib")
    assert (first.cv_repetition, first.fold) == (1, 1)
    assert (first.train.tolist(), first.test.tolist()) == ([1], [0])
    assert (second.train.tolist(), second.test.tolist()) == ([0], [1])
    with pytest.raises(AslibError, match="S: has no split 'mine' with instances"):
        read_splits(here, problem, "mine")


def test_a_lesson_has_the_cutoff_and_penalty_of_the_protocol(lake: Path) -> None:
    here = open_lake(lake, protocols=[Protocol("three", penalty=3, at_cutoff="solved")])
    train, test = np.array([0]), np.array([1])
    lesson, _ = _lesson(read_problem(here, "S"), Split(1, 1, train, test), 1)
    assert (lesson.cutoff, lesson.penalty, lesson.at_cutoff) == (100, 3, "solved")


def small_problem(**changed: Any) -> SelectionProblem:
    problem = SelectionProblem(
        "S",
        ("i", "j", "k"),
        ("a", "b"),
        np.array([[1.0, 2.0], [2.0, 1.0], [1.0, 1.0]]),
        np.array([[1.0, 2.0], [2.0, 1.0], [1.0, 1.0]]),
        np.ones((3, 2), bool),
        np.zeros((3, 1)),
        ("step",),
        np.ones((3, 1), bool),
        100.0,
        10,
    )
    return replace(problem, **changed)


CHANGES: dict[str, Any] = {
    "instances": ("i", "j", "l"),
    "algorithms": ("a", "c"),
    "costs": np.ones((3, 2)),
    "times": np.ones((3, 2)),
    "solved": np.zeros((3, 2), bool),
    "features": np.ones((3, 1)),
    "steps": ("other",),
    "provided": np.zeros((3, 1), bool),
    "cutoff": 99.0,
    "penalty": 2,
    "at_cutoff": "solved",
}


@pytest.mark.parametrize("field", CHANGES)
def test_a_journal_is_of_one_problem(field: str) -> None:
    problem = small_problem()
    assert problem.digest() == small_problem().digest()
    assert small_problem(**{field: CHANGES[field]}).digest() != problem.digest()


def test_every_split_has_a_seed_of_its_own() -> None:
    seeds = []

    def noting(given: Lesson) -> list[LearnedSchedule]:
        seeds.append(given.seed)
        return [LearnedSchedule((), ((0, None),))] * len(given.test)

    for repetition, fold, seed in ((1, 1, 5), (1, 2, 5), (2, 1, 5), (1, 1, 5), (1, 1, 6)):
        split = Split(repetition, fold, np.arange(2), np.array([2]))
        predict_split(small_problem(), split, selector=OwnSelector(noting), seed=seed)
    assert seeds[0] == seeds[3]
    assert len(set(seeds)) == 4


# --- preparation --------------------------------------------------------------------


def test_features_are_prepared_by_the_training_part_alone() -> None:
    train_part = np.array([[1, 5, NAN, 0], [3, 5, NAN, NAN], [NAN, 5, NAN, 4.0]])
    test_part = np.array([[5, 6, 1, NAN], [NAN, NAN, NAN, 2.0]])
    first, second = prepare(train_part, test_part)
    # Columns 2 and 3 are constant or empty in the training part. Medians are 2 and 2.
    spread = np.array([np.std([1, 3, 2]), np.std([0, 2, 4])])
    assert first == pytest.approx((np.array([[1, 0], [3, 2], [2, 4]]) - 2) / spread)
    assert second == pytest.approx((np.array([[5, 2], [2, 2]]) - 2) / spread)


def test_the_test_part_does_not_change_how_the_training_part_looks() -> None:
    train_part = np.array([[1, 2.0], [2, NAN], [4, 1]])
    for test_part in (np.full((2, 2), 1e300), np.full((2, 2), NAN)):
        first, _ = prepare(train_part, test_part)
        assert first.tobytes() == prepare(train_part, train_part)[0].tobytes()


@pytest.mark.parametrize("value", [NAN, 3.0])
def test_features_that_say_nothing_become_a_single_zero(value: float) -> None:
    first, second = prepare(np.full((3, 2), value), np.array([[1.0, 2]]))
    assert first.tolist() == [[0], [0], [0]]
    assert second.tolist() == [[0]]


def test_huge_features_stay_finite() -> None:
    first, second = prepare(np.array([[1e308], [-1e308]]), np.array([[1e308]]))
    assert first.tolist() == [[1], [-1]]
    assert second.tolist() == [[1]]
    _, second = prepare(np.array([[0.0], [1e-300]]), np.array([[1.0]]))
    assert np.isfinite(second.astype(np.float32)).all()


# --- schedules ----------------------------------------------------------------------


def sunny(times: list[list[float]], **given: int) -> list[tuple[int, float | None]]:
    runs = np.array(times)
    return sunny_schedule(runs, runs < 100, cutoff=100, **given)


def test_sunny_gives_each_algorithm_its_share() -> None:
    # 0 solves three of four, 1 the fourth and one more; 1 is faster on average.
    times = [[60, 100], [70, 100], [80, 9], [100, 11.0]]
    # Means are 77.5 and 55: 1 first. Slots 3 and 2 of 5.
    assert sunny(times, backup=0) == [(1, 40), (0, 60)]


def test_sunny_gives_the_backup_what_nobody_solves() -> None:
    times = [[10, 100, 100], [100, 100, 100], [100, 100, 100], [20, 100, 100.0]]
    assert sunny(times, backup=2) == [(0, 50), (2, 50)]
    assert sunny(times, backup=0) == [(0, 100)]
    assert sunny([[100, 100.0]], backup=1) == [(1, 100)]


def test_sunny_takes_the_faster_of_two_that_solve_as_many() -> None:
    assert sunny([[50, 20.0], [50, 30]], backup=0) == [(1, 100)]
    assert sunny([[50, 50.0]], backup=1) == [(0, 100)]


def test_sunny_orders_by_the_cutoff_where_unsolved() -> None:
    # 0 crashed on the second in 5, which counts as 100: means are 80 and 70.
    times, solved = np.array([[60.0, 100], [5, 40]]), np.array([[1, 0], [0, 1]])
    found = sunny_schedule(times, solved > 0, backup=0, cutoff=100)
    assert found == [(1, 50), (0, 50)]


def trial(times: list[list[float]], then: list[float]) -> Trial:
    runs, after = np.array(times), np.array(then)
    return Trial(runs, runs < 100, after, after < 100, 100, 10)


def test_presolving_runs_what_pays() -> None:
    # The selector fails on the last three; 0 solves two of them in 2 and 3.
    found = trial([[100, 50], [100, 50], [2, 100], [3, 100], [100, 100]], [50, 50, 100, 100, 100])
    ((algorithm, budget),) = presolving_schedule(found, longest=10, n_budgets=4)
    assert (algorithm, budget) == (0, 10)  # of 0.01, 0.1, 1 and 10
    (step,) = presolving_schedule(found, longest=10, n_budgets=40)
    assert step[0] == 0
    assert 3 <= step[1] < 4  # type: ignore[operator]


def test_presolving_goes_on_with_what_is_left() -> None:
    # 0 solves three in 1, 1 the other two; the selector solves nothing.
    found = trial([[1, 100], [1, 100], [1, 100], [100, 1], [100, 1]], [100.0] * 5)
    steps = presolving_schedule(found, longest=10, n_budgets=4)
    assert [algorithm for algorithm, _ in steps] == [0, 1]
    assert [budget for _, budget in steps] == pytest.approx([1, 1])


def test_presolving_keeps_when_an_instance_was_first_solved() -> None:
    # 0 solves the first in 1, which 1 solves again by 10 while it solves the second. That it is done at 1
    # still makes the third pay: 2 saves 5.5 of it, less than 9.
    runs = np.full((3, 3), 1e5)
    runs[0, :2], runs[1, 1], runs[2, 2] = (1, 9), 2, 9.5
    then = np.array([1e5, 15, 15])
    made = Trial(runs, runs < 1e5, then, then < 1e5, 1e5, 10)
    steps = presolving_schedule(made, longest=1000, n_budgets=4)
    assert [algorithm for algorithm, _ in steps] == [0, 1, 2]


def test_what_nobody_solves_after_a_schedule_costs_the_penalty() -> None:
    made = trial([[100], [100], [100]], [50, 50, 100])
    done = np.array([False, True, False])
    cost = {k: replace(made, penalty=k).cost(np.full(3, 20.0), done) for k in (2, 10)}
    assert cost[2].tolist() == [70, 0, 200]
    assert cost[10].tolist() == [70, 0, 1000]
    late = made.cost(np.full(3, 50.0), done)  # ends at the cutoff: not solved
    assert late.tolist() == [1000, 0, 1000]
    counted = replace(made, at_cutoff="solved").cost(np.full(3, 50.0), done)
    assert counted.tolist() == [100, 0, 1000]


def test_a_pick_that_ends_at_the_cutoff_is_solved_where_the_protocol_says_so() -> None:
    # The selector solves both at the cutoff of 10. Where that counts, no short run of 9 is worth its time.
    runs, then = np.array([[9.0], [10]]), np.array([10.0, 10])
    made = Trial(runs, np.array([[True], [False]]), then, np.ones(2, bool), 10, 10)
    assert [a for a, _ in presolving_schedule(made, longest=9, n_budgets=2)] == [0]
    assert presolving_schedule(replace(made, at_cutoff="solved"), longest=9, n_budgets=2) == []


def test_presolving_may_be_nothing() -> None:
    assert presolving_schedule(trial([[20, 30], [9, 100]], [20, 9]), longest=10) == []
    assert presolving_schedule(trial([[100, 100]], [100]), longest=10) == []


def test_presolving_is_short() -> None:
    rng = np.random.default_rng(1)
    times = np.minimum(rng.exponential(30, size=(50, 5)), 100)
    found = Trial(times, times < 100, np.full(50, 100.0), np.zeros(50, bool), 100, 10)
    steps = presolving_schedule(found, longest=10)
    assert 0 < len(steps) <= 3
    assert sum(budget or 0 for _, budget in steps) <= 10


def test_presolving_costs_what_executing_it_costs() -> None:
    rng = np.random.default_rng(2)
    times = np.minimum(rng.exponential(60, size=(40, 3)), 100)
    then = np.minimum(rng.exponential(60, size=40), 100)
    found = Trial(times, times < 100, then, then < 100, 100, 10)
    steps = presolving_schedule(found, longest=40)
    assert executed(times, then, steps) < executed(times, then, [])
    for more in ([(a, 5.0)] for a in range(3)):
        if sum(budget or 0 for _, budget in steps) <= 35 and len(steps) < 3:
            cost = executed(times, then, [*steps, *more])
            assert cost >= executed(times, then, steps) - 1e-6


def executed(
    times: NDArray[np.float64], then: NDArray[np.float64], steps: list[tuple[int, float | None]]
) -> float:
    """Mean PAR10 of the steps and then the selector, instance by instance."""
    total = 0.0
    for runs, last in zip(times, then, strict=True):
        spent = 0.0
        for algorithm, budget in [*((runs[a], b) for a, b in steps), (last, 100.0)]:
            if algorithm < 100 and algorithm <= budget:
                spent += algorithm
                break
            spent += budget
        else:
            spent = 1000
        total += spent if spent < 100 else 1000
    return total / len(times)


class _Halved:
    """In the place of scikit-learn's KMeans: the points beside the mean of the first
    feature."""

    def __init__(self, *_: object, **__: object) -> None: ...

    def fit(self, points: NDArray[np.float64]) -> _Halved:
        self.labels_ = (points[:, 0] > points[:, 0].mean()).astype(int)
        halves = [points[self.labels_ == k].mean(axis=0) for k in (0, 1)]
        self.cluster_centers_ = np.array(halves)
        return self


def test_clusters_are_halved_where_that_is_no_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    module = SimpleNamespace(KMeans=_Halved)
    monkeypatch.setitem(sys.modules, "sklearn.cluster", module)  # type: ignore[arg-type]
    bell = norm.ppf((np.arange(60) + 0.5) / 60)[:, None]
    two = np.where(bell > 0, bell + 50, bell)
    assert len(GMeans(smallest=30).fit(two).centres) == 2
    assert len(GMeans(smallest=31).fit(two).centres) == 1
    assert len(GMeans(smallest=10).fit(bell).centres) == 1
    assert len(GMeans().fit(np.zeros((50, 2))).centres) == 1  # equal points
    assert len(GMeans().fit(np.arange(12.0)[:, None]).centres) == 1  # few
    found = GMeans().fit(two)
    assert found.predict(np.array([[0.0], [51]])).tolist() == (
        [0, 1] if found.centres[0, 0] < 25 else [1, 0]
    )


def test_asap_schedules_under_the_cutoff_and_penalty_of_the_lesson(monkeypatch: pytest.MonkeyPatch) -> None:
    """Unseen, the forest picks 0 for the first instance and 1 for the second."""
    noted: list[tuple[Trial, float]] = []

    def presolve(trial: Trial, *, longest: float) -> list[tuple[int, float]]:
        noted.append((trial, longest))
        return [(1, 3.0)]

    trees = [SimpleNamespace(oob_prediction_=np.array(p)) for p in ([1, 9], [2, 8])]
    forest = SimpleNamespace(regressors=trees)
    monkeypatch.setattr(models, "presolving_schedule", presolve)
    monkeypatch.setattr(models, "_performance_model", lambda *_, **__: forest)
    monkeypatch.setattr(models, "_picked", lambda *_: [0])
    times, solved = np.array([[4.0, 50], [6, 60]]), np.array([[True, False]] * 2)
    lesson = Lesson(np.zeros((2, 1)), np.zeros((1, 1)), times, times, solved, 60, 7, 1, "solved")
    (schedule,) = asap(lesson)
    assert schedule == LearnedSchedule(((1, 3.0),), ((0, None),))
    ((trial, longest),) = noted
    assert (trial.cutoff, trial.penalty, trial.at_cutoff, longest) == (60, 7, "solved", 6)
    assert trial.then_time.tolist() == [4, 60]
    assert trial.then_solved.tolist() == [True, False]


def test_anderson_darling() -> None:
    from scipy.stats import anderson

    rng = np.random.default_rng(0)
    two = np.r_[np.zeros(50), np.ones(50)]
    for values in (rng.normal(size=300), rng.exponential(size=9), two):
        with warnings.catch_warnings():  # its critical values are about to change
            warnings.simplefilter("ignore", FutureWarning)
            expected = anderson(values).statistic
        n = len(values)
        raised = expected * (1 + 4 / n - 25 / n**2)
        assert anderson_darling(values) == pytest.approx(raised)
    assert anderson_darling(np.ones(9)) == 0


# --- journal ------------------------------------------------------------------------


def test_a_journal_gives_back_what_it_noted(tmp_path: Path) -> None:
    journal = Journal(tmp_path, "S/1", "rf", "key")
    answered = {"i": [("feature_step", "s", None), ("algorithm", "a", 0.1 + 0.2)]}
    assert journal.read(1, 2) is None
    journal.write(1, 2, answered)  # type: ignore[arg-type]
    assert journal.read(1, 2) == answered
    assert Journal(tmp_path, "S/1", "rf", "other").read(1, 2) is None
    other = Journal(tmp_path, "S/1", "rf", "other")
    other.write(1, 1, {})
    journal.forget()
    assert journal.read(1, 2) is None
    assert other.read(1, 1) == {}
    other.forget()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("cut", [0, 1, 30, 64, 65, 70, -1])
def test_a_torn_journal_is_as_none(tmp_path: Path, cut: int) -> None:
    journal = Journal(tmp_path, "S", "rf", "key")
    journal.write(1, 2, {"i": [("algorithm", "a", 2.5)]})
    (file,) = tmp_path.rglob("1-2.json")
    whole = file.read_bytes()
    file.write_bytes(whole[:cut])
    assert journal.read(1, 2) is None
    file.write_bytes(whole.replace(b'"a"', b'"b"'))  # one bit
    assert journal.read(1, 2) is None
    file.write_bytes(whole)
    assert journal.read(1, 2) == {"i": [("algorithm", "a", 2.5)]}
    file.unlink()
    file.mkdir()
    with pytest.raises(AslibError, match=r"1-2\.json: cannot be read"):
        journal.read(1, 2)


# --- schedules on disk --------------------------------------------------------------


def answers(*steps: tuple[object, ...]) -> pa.Table:
    names = ("instance_id", "position", "action", "name", "budget", "fold")
    return pa.Table.from_pylist(
        [{"cv_scheme": "aslib", "cv_repetition": 1, **dict(zip(names, s, strict=True))} for s in steps]
    )


def test_selections_are_written_as_oasc_schedules(lake: Path, tmp_path: Path) -> None:
    table = answers(
        ("i2", 1, "feature_step", "base", None, 2),
        ("i2", 2, "algorithm", "a", None, 2),
        ("i1", 1, "algorithm", "b", 2.5, 1),
        ("i1", 2, "algorithm", "a", 0.1, 1),
    )
    store_selection(lake, "S", "mine", selection=table)
    (file,) = write_schedules(lake, tmp_path / "out")
    assert file == tmp_path / "out" / "S" / "mine.json"
    assert file.read_text() == ('{\n"i1": [["b",2.5],["a",0.1]],\n"i2": ["base",["a",100.0]]\n}\n')
    before = rows(opened(lake), SCORES)
    assert (
        CliRunner().invoke(main, ["import-selection", str(tmp_path / "out"), "--lake", str(lake)]).exit_code
        == 0
    )
    assert rows(opened(lake), SCORES) == before
    assert len(before) == 2


SCORES = """
    select solver, instance_id, par10 from instance_solver where kind = 'selector'
    order by all
"""


def test_an_empty_schedule_is_written_as_one(lake: Path, tmp_path: Path) -> None:
    table = answers(("i1", 0, "none", None, None, 1))
    store_selection(lake, "S", "idle", selection=table)
    (file,) = write_schedules(lake, tmp_path / "out", selectors=["idle"])
    assert json.loads(file.read_text()) == {"i1": []}


def test_nothing_to_write(lake: Path, tmp_path: Path) -> None:
    with pytest.raises(AslibError, match="holds no selection made on 'aslib'"):
        write_schedules(lake, tmp_path / "out")
    assert not (tmp_path / "out").exists()


# --- requests -----------------------------------------------------------------------


def test_an_instance_without_a_fold_is_trained_on_alone() -> None:
    rows = [(1, 1, "i1"), (1, 2, "i2"), (1, None, "i3")]
    lake: Any = SimpleNamespace(rows=lambda *_: rows)
    problem: Any = SimpleNamespace(scenario_id="S", instances=("i1", "i2", "i3"), costs=np.ones((3, 2)))
    first, second = read_splits(lake, problem, "aslib")
    assert (first.train.tolist(), first.test.tolist()) == ([1, 2], [0])
    assert (second.train.tolist(), second.test.tolist()) == ([0, 2], [1])
    lake.rows = lambda *_: [(1, 1, "i1"), (1, 1, "i2")]
    with pytest.raises(AslibError, match="has no split 'aslib' with instances to train on"):
        read_splits(lake, problem, "aslib")


def test_what_no_schedule_file_can_hold_is_refused(lake: Path, tmp_path: Path) -> None:
    table = answers(("i1", 1, "algorithm", "a", 1.0, 1))
    for name in (".rf", "r/f", "r\\f"):
        store_selection(lake, "S", name, selection=table)
        with pytest.raises(AslibError) as refused:
            write_schedules(lake, tmp_path / "out", selectors=[name])
        assert str(refused.value) == f"{name!r} is no name for a file. Rename it."
    folds = [(r, f, f"i{f}") for r in (1, 2) for f in (1, 2)]
    names = ("cv_repetition", "fold", "instance_id")
    store_folds(lake, "S", "two", pa.Table.from_pylist([dict(zip(names, f, strict=True)) for f in folds]))
    said = [{**row, "cv_scheme": "two", "cv_repetition": r} for r in (1, 2) for row in table.to_pylist()]
    store_selection(lake, "S", "rf", selection=pa.Table.from_pylist(said))
    with pytest.raises(AslibError, match=r"S: rf answered several repetitions of two\. A schedule file"):
        write_schedules(lake, tmp_path / "out", cv_scheme="two")
    assert not (tmp_path / "out").exists()


def test_a_folder_that_cannot_be_written_is_said_before_the_training(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(AslibError) as refused:
        ae.train(["mine:none"], to=tmp_path / "file" / "deep")
    assert str(refused.value) == f"{tmp_path}/file: is no folder. Name another to; nothing was trained."
    monkeypatch.setattr(os, "access", lambda path, _: path != tmp_path)
    with pytest.raises(AslibError, match=r"cannot be written\. Name another to; no"):
        ae.train(["mine:none"], to=tmp_path / "new")
