"""Nothing that is known of the rest of a test fold changes a prediction."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest

import aslib_eval as ae
from aslib_eval.database.open_lake import open_lake
from aslib_eval.extensions.training import models
from aslib_eval.extensions.training.models import SELECTORS, LearnedSchedule, Lesson, OwnSelector, rf
from aslib_eval.extensions.training.problem import (
    SelectionProblem,
    Split,
    for_training,
    read_problem,
    read_splits,
)
from aslib_eval.extensions.training.training import Answered, predict_split
from tests.conftest import Row, arff, write_scenario

pytestmark = [
    pytest.mark.oracles,
    pytest.mark.skipif(find_spec("asf") is None, reason="needs the extra selectors"),
]

Change = Literal["none", "permuted", "runs", "everything"]
MEASURES = {"runtime": ("runtime", "runtime", "false"), "loss": ("loss", "solution_quality", "false")}
STEPS = """\
features_deterministic: [x, noise, kind, late]
features_stochastic: []
default_steps: [probe, belated]
feature_steps:
  probe:
    provides: [x, noise, kind]
  belated:
    provides: [late]
"""
TEST = [f"i{number:02}" for number in range(0, 40, 4)]  # the instances of fold 1
# What a test instance is given instead: the runs of one, the features of another.
RUNS_OF = dict(zip(TEST, TEST[3:] + TEST[:3], strict=True))
FEATURES_OF = dict(zip(TEST, TEST[7:] + TEST[:7], strict=True))


@pytest.fixture(scope="module", autouse=True)
def _few_trees() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("aslib_eval.extensions.training.models._TREES", 7)
        yield


def write_with_gaps(folder: Path, *, measure: str, change: Change) -> Path:
    """40 instances in 4 folds; runs crash (those of A always), features are missing."""
    rng = np.random.default_rng(12)
    crashed = 10 if measure == "runtime" else "?"
    runs: dict[str, list[Row]] = {}
    features: dict[str, Row] = {}
    for number in range(40):
        x = rng.normal()
        costs = [5 + 4 * x, 5 - 4 * x, 5 + rng.normal(), rng.uniform(1, 9)]
        cells: list[Row] = [(1, "A", crashed, "crash")]
        for name, cost in zip("abcd", np.clip(np.round(costs, 2), 0.1, 10), strict=True):
            if rng.uniform() < 0.2:
                cells.append((1, name, crashed, "crash"))
            else:
                status = "timeout" if measure == "runtime" and cost == 10 else "ok"
                cells.append((1, name, cost, status))
        runs[f"i{number:02}"] = cells
        shown = "?" if number % 5 == 0 else round(float(x), 3)
        features[f"i{number:02}"] = (shown, round(rng.normal(), 3), "uv"[x > 0], "?")
    if change == "permuted":
        runs |= {name: runs[other] for name, other in RUNS_OF.items()}
        features |= {name: features[other] for name, other in FEATURES_OF.items()}
    if change in {"runs", "everything"}:
        value = 9.99 if measure == "runtime" else 1e9
        runs |= {name: [(1, a, value, "ok") for a in "Aabcd"] for name in TEST}
        runs[TEST[0]] = [(1, a, 10 if measure == "runtime" else "?", "crash") for a in "Aabcd"]
    if change == "everything":  # but what the one asked about is like
        features |= dict.fromkeys(TEST[1:], (1e9, -1e9, "w", 1))
    rows = [(name, *cell) for name, cells in runs.items() for cell in cells]
    folds = {name: int(name[1:]) % 4 + 1 for name in runs}
    write_scenario(
        folder,
        runs=rows,
        folds=folds,
        description=STEPS,
        measures=[MEASURES[measure]],
        cutoff="10" if measure == "runtime" else "'?'",
    )
    columns = {"instance_id": "STRING", "repetition": "NUMERIC"}
    columns |= {"x": "NUMERIC", "noise": "NUMERIC", "kind": "{u, v, w}"}
    columns |= {"late": "NUMERIC"}
    cells = [(name, 1, *row) for name, row in features.items()]
    (folder / "feature_values.arff").write_text(arff(columns, cells))
    return folder


def read(home: Path, *, measure: str, change: Change) -> tuple[SelectionProblem, Split]:
    folder = write_with_gaps(home / change / "S", measure=measure, change=change)
    (outcome,) = ae.import_scenarios([folder], into=home / change / "lake")
    assert outcome.error is None, str(outcome.error)
    lake = open_lake(home / change / "lake", protocols=[for_training("default")])
    problem = read_problem(lake, "S")
    return problem, read_splits(lake, problem, "aslib")[0]


@pytest.mark.parametrize("measure", MEASURES)
def test_what_a_test_fold_holds_changes_no_prediction(tmp_path: Path, measure: str) -> None:
    given = read(tmp_path, measure=measure, change="none")
    assert sorted(given[0].instances[row] for row in given[1].test) == TEST
    changed = {
        change: read(tmp_path, measure=measure, change=change)
        for change in ("permuted", "runs", "everything")
    }
    wrong = []
    for name in SELECTORS:
        if measure != "runtime" and SELECTORS[name].needs_cutoff:
            continue
        before = answered(given, name)
        now = {change: answered(other, name) for change, other in changed.items()}
        if now["permuted"] != {test: before[FEATURES_OF[test]] for test in TEST}:
            wrong.append(f"{name}, permuted")
        if now["runs"] != before:
            wrong.append(f"{name}, runs")
        if now["everything"][TEST[0]] != before[TEST[0]]:
            wrong.append(f"{name}, everything")
        assert len(set(map(repr, before.values()))) > 1, f"{name} predicts one thing"
    assert wrong == []


def answered(given: tuple[SelectionProblem, Split], selector: str) -> Answered:
    problem, split = given
    return predict_split(problem, split, selector=selector, seed=5)


@pytest.mark.parametrize("selector", ["rf", "rfreg", "zilla", "isac"])
def test_an_algorithm_without_a_training_cost_is_never_chosen(selector: str) -> None:
    costs = np.array([[np.nan, 3.0]] * 6 + [[1.0, 3.0]])
    features = np.arange(7.0)[:, None]
    problem = SelectionProblem(
        "S",
        tuple("ijklmno"),
        ("unknown", "known"),
        costs,
        np.full(costs.shape, np.nan),
        ~np.isnan(costs),
        features,
        (),
        np.zeros((7, 0), bool),
        None,
        10,
    )
    split = Split(1, 1, np.arange(6), np.array([6]))
    assert predict_split(problem, split, selector=selector, seed=1) == {"o": [("algorithm", "known", None)]}


def lesson(costs: list[list[float]], solved: list[list[bool]], **rest: Any) -> Lesson:
    """Instances that all look alike, of which one more is asked about."""
    table = np.array(costs)
    alike = np.zeros((len(table), 1))
    return Lesson(alike, alike[:1], table, table, np.array(solved), 100.0, 10, seed=1, **rest)


def test_instances_that_nobody_solves_teach_a_classifier_nothing() -> None:
    unsolved, solved = [1000.0, 1000.0], [1000.0, 1.0]
    costs = [unsolved] * 30 + [solved] * 3
    (found,) = rf(lesson(costs, [[c < 1000 for c in row] for row in costs]))
    assert found.after == ((1, None),)
    # Where all are unsolved it is the single best: of equal costs the first.
    (found,) = rf(lesson([unsolved] * 3, [[False, False]] * 3))
    assert found.after == ((0, None),)
    (found,) = rf(lesson([[1000.0, 900.0]] * 3, [[False, False]] * 3))
    assert found.after == ((1, None),)


def test_every_split_has_a_seed_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    seeds = []

    def noting(given: Lesson) -> list[LearnedSchedule]:
        seeds.append(given.seed)
        return [LearnedSchedule((), ((0, None),))] * len(given.test)

    monkeypatch.setattr(models, "RF", OwnSelector(noting))
    problem = small_problem()
    places = [(1, 1), (1, 2), (2, 1), (1, 1)]
    for repetition, fold in places:
        split = Split(repetition, fold, np.arange(2), np.array([2]))
        predict_split(problem, split, selector="rf", seed=5)
    predict_split(problem, split, selector="rf", seed=6)
    assert seeds[0] == seeds[3]
    assert len(set(seeds)) == 4


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
}


@pytest.mark.parametrize("field", CHANGES)
def test_a_journal_is_of_one_problem(field: str) -> None:
    problem = small_problem()
    assert problem.digest() == small_problem().digest()
    assert small_problem(**{field: CHANGES[field]}).digest() != problem.digest()
