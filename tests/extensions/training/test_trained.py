"""Selectors trained for real: they learn, they do not peek, and they repeat."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest
from click.testing import CliRunner

import aslib_eval as ae
from aslib_eval.cli import main
from aslib_eval.database.open_lake import open_lake
from aslib_eval.extensions.training import training
from aslib_eval.extensions.training.models import SELECTORS, GMeans, Lesson, nearest, rf
from aslib_eval.extensions.training.training import (
    Answered,
    SelectionProblem,
    Split,
    for_training,
    predict_split,
    read_problem,
    read_splits,
    train,
)
from aslib_eval.selections import import_selections
from tests.conftest import Row, arff, rows, write_scenario

pytestmark = [
    pytest.mark.oracles,
    pytest.mark.skipif(find_spec("asf") is None, reason="needs the extra selectors"),
]

STEPS = """\
features_deterministic: [x, noise, constant]
features_stochastic: []
default_steps: [probe]
feature_steps:
  probe:
    provides: [x, noise, constant]
"""
SAID = """
    select selector, cv_repetition, fold, instance_id, position, action, name, budget
    from raw_selection order by all
"""


def write_learnable(folder: Path, *, quality: bool = False) -> Path:
    """60 instances: `left` is good where x is -1, `right` where it is 1, about."""
    rng = np.random.default_rng(7)
    places = rng.uniform(0.8, 1.2, size=60) * rng.choice([-1, 1], size=60)
    runs: list[Row] = []
    features: list[Row] = []
    for number, x in enumerate(places):
        name = f"i{number:02}"
        good, bad = round(float(rng.uniform(1, 5)), 3), "100"
        runs += [
            (name, 1, "left", good if x < 0 else bad, "ok" if x < 0 else "timeout"),
            (name, 1, "right", good if x > 0 else bad, "ok" if x > 0 else "timeout"),
            (name, 1, "slow", 60, "ok"),
        ]
        noise = "?" if number % 10 == 0 else round(float(rng.normal()), 3)
        features.append((name, 1, round(float(x), 4), noise, 3))
    folds = {f"i{number:02}": number % 4 + 1 for number in range(60)}
    measure = ("loss", "solution_quality", "false")
    extra = {"measures": [measure], "cutoff": "'?'"} if quality else {}
    if quality:
        runs = [(*run[:4], "ok") for run in runs]
    write_scenario(folder, runs=runs, folds=folds, description=STEPS, **extra)  # type: ignore[arg-type]
    columns = {"instance_id": "STRING", "repetition": "NUMERIC"}
    columns |= dict.fromkeys(("x", "noise", "constant"), "NUMERIC")
    (folder / "feature_values.arff").write_text(arff(columns, features))
    columns = {"instance_id": "STRING", "repetition": "NUMERIC", "probe": "NUMERIC"}
    costs = [(name, 1, 0.5) for name in folds]
    (folder / "feature_costs.arff").write_text(arff(columns, costs))
    return folder


@pytest.fixture(scope="module", autouse=True)
def _few_trees() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("aslib_eval.extensions.training.models._TREES", 15)
        yield


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_learnable(tmp_path_factory.mktemp("learnable") / "L")


@pytest.fixture(scope="module")
def trained(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lake in which every selector has been trained."""
    lake = tmp_path_factory.mktemp("trained") / "lake"
    ae.import_scenarios([folder], into=lake)
    (outcome,) = train(lake, list(SELECTORS), jobs=1)
    assert outcome.error is None, outcome.error
    assert (outcome.n_splits, outcome.n_resumed) == (4 * len(SELECTORS), 0)
    assert not (lake / ".training").exists()
    return lake


def test_informative_features_beat_the_single_best(trained: Path) -> None:
    found = dict(
        rows(ae.connect(trained), "select solver, closed_gap from solver_gap where kind = 'selector'")
    )
    assert sorted(found) == sorted(SELECTORS)
    assert {name: gap for name, gap in found.items() if not 0.3 < gap < 1} == {}
    assert found["rf"] > 0.8


def test_every_instance_is_answered_once_in_its_fold(trained: Path) -> None:
    sql = """
        select selector, count(distinct s.instance_id), bool_and(s.fold = f.fold)
        from raw_selection as s
        inner join raw_fold as f using (scenario_id, cv_scheme, instance_id)
        group by selector
    """
    found = rows(ae.connect(trained), sql)
    assert sorted(found) == [(name, 60, True) for name in sorted(SELECTORS)]


def test_the_step_of_the_features_comes_before_what_needs_them(trained: Path) -> None:
    sql = """
        select selector, min(position), max(position), count(distinct name)
        from raw_selection where action = 'feature_step' group by selector
    """
    found = {name: row for name, *row in rows(ae.connect(trained), sql)}
    first = {name: row for name, row in found.items() if name != "asap"}
    assert set(map(tuple, first.values())) == {(1, 1, 1)}
    assert len(first) == 5
    least, most, _ = found["asap"]
    assert 1 <= least <= most <= 4  # after at most three short runs
    sql = "select max(budget) from raw_selection where selector = 'asap'"
    ((longest,),) = rows(ae.connect(trained), sql)
    assert longest is None or longest <= 10


def test_the_same_seed_gives_the_same_selection_with_any_number_of_jobs(
    folder: Path, tmp_path: Path
) -> None:
    said = []
    for jobs in (1, 2):
        lake = tmp_path / str(jobs)
        ae.import_scenarios([folder], into=lake)
        train(lake, ["isac", "sunny"], jobs=jobs, seed=4)
        (file,) = lake.glob("selection/*/part-0.parquet")
        said.append(file.read_bytes())
    assert said[0] == said[1]


def test_times_are_stored_where_they_are_asked_for(trained: Path, folder: Path, tmp_path: Path) -> None:
    assert rows(ae.connect(trained), "from selector_times") == []
    lake, again = tmp_path / "lake", tmp_path / "again"
    ae.import_scenarios([folder], into=lake)
    asked = ["train", "isac", "sunny", "--times", "--jobs", "1", "--lake", str(lake)]
    result = CliRunner().invoke(main, [*asked, "--to", str(tmp_path / "out")])
    assert result.exit_code == 0, result.output
    own = "select * exclude (protocol, scenario_id) from selector_times order by all"
    found = rows(ae.connect(lake), own)
    assert [(row[0], row[1], row[3], row[5]) for row in found] == [
        ("isac", "aslib", 4, 60),
        ("sunny", "aslib", 4, 60),
    ]
    assert all(0 <= row[2] < 60 and 0 < row[4] < 1 for row in found)
    # The files say them, too; the predictions are those of a run without times.
    ae.import_scenarios([folder], into=again)
    import_selections(tmp_path / "out", lake=again)
    assert rows(ae.connect(again), own) == [
        (*row[:2], pytest.approx(row[2]), 4, pytest.approx(row[4]), 60) for row in found
    ]
    expected = [row for row in rows(ae.connect(trained), SAID) if row[0] == "isac"]
    assert [r for r in rows(ae.connect(lake), SAID) if r[0] == "isac"] == expected


def test_a_quality_measure_can_be_learned_but_not_scheduled(tmp_path: Path) -> None:
    folder = write_learnable(tmp_path / "Q", quality=True)
    ae.import_scenarios([folder], into=tmp_path / "lake")
    (outcome,) = train(tmp_path / "lake", ["rf", "zilla"], jobs=1)
    assert outcome.error is None, outcome.error
    sql = "select solver from solver_gap where kind = 'selector' and closed_gap > 0.8"
    assert sorted(rows(ae.connect(tmp_path / "lake"), sql)) == [("rf",), ("zilla",)]
    (outcome,) = train(tmp_path / "lake", ["sunny", "asap"], jobs=1)
    assert str(outcome.error) == (
        "Q: has no cutoff on runtimes, and sunny and asap divide one. Leave out these selectors."
    )


def test_one_scenario_that_teaches_nothing_does_not_stop_the_others(folder: Path, tmp_path: Path) -> None:
    bare = write_scenario(tmp_path / "B", runs=[("i", 1, "a", 1, "ok"), ("j", 1, "a", 2, "ok")])
    ae.import_scenarios([bare, folder], into=tmp_path / "lake")
    words = ["train", "isac", "--jobs", "1", "--lake", str(tmp_path / "lake")]
    result = CliRunner().invoke(main, [*words, "--to", str(tmp_path / "out")])
    assert result.exit_code == 1
    assert result.stderr == (
        "B: has no values of usable features. "
        "Selectors learn from features: leave out the scenario.\n"
        "training failed on 1 of 2 scenarios\n"
    )
    file = tmp_path / "out" / "L" / "isac.json"
    assert result.stdout.splitlines() == ["trained L: isac; 4 splits of aslib", str(file)]
    assert len(file.read_text().splitlines()) == 62


@pytest.mark.parametrize("n_clouds", [1, 3, 5])
def test_g_means_finds_the_clouds(n_clouds: int) -> None:
    rng = np.random.default_rng(n_clouds)
    centres = 20 * np.eye(5)[:n_clouds]
    points = np.concatenate([rng.normal(c, 1, size=(60, 5)) for c in centres])
    found = GMeans(random_state=1).fit(points)
    labels = found.predict(points).reshape(n_clouds, 60)
    assert len(found.centres) == n_clouds
    assert [len(set(cloud)) for cloud in labels.tolist()] == [1] * n_clouds


PREDICTED = "instance_id,algorithm\n" + "".join(
    f"i{n:02},{'left' if n % 2 else 'right'}\n" for n in range(60)
)
ORIGIN = """
    select selector, cv_scheme, origin, file, seed, version from raw_selector
    order by all
"""


def test_what_is_imported_while_it_trains_is_kept(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lake = tmp_path / "lake"
    ae.import_scenarios([folder], into=lake)
    (tmp_path / "isac.csv").write_text(PREDICTED)

    def importing(problem: SelectionProblem, split: Split, *, selector: str, seed: int) -> Answered:
        import_selections(tmp_path / "isac.csv", lake=lake, scenario="L")
        return predict_split(problem, split, selector=selector, seed=seed)

    monkeypatch.setattr(training, "predict_split", importing)
    (outcome,) = train(lake, ["isac"], jobs=1)
    assert "imported predictions of isac" in str(outcome.error)
    assert rows(ae.connect(lake), ORIGIN)[0][2] == "imported"
    monkeypatch.setattr(training, "predict_split", predict_split)
    (outcome,) = train(lake, ["isac"], jobs=1, replace=True)
    assert (outcome.error, outcome.n_resumed) == (None, 4)
    assert outcome.replaced == ("isac (isac.csv)",)


# --- nothing that is known of the rest of a test fold changes a prediction ---------------

Change = Literal["none", "permuted", "runs", "everything"]
MEASURES = {"runtime": ("runtime", "runtime", "false"), "loss": ("loss", "solution_quality", "false")}
GAP_STEPS = """\
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
        description=GAP_STEPS,
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


def test_the_nearest_rows_are_at_most_all() -> None:
    train = np.array([[0.0], [10], [3]])
    found = nearest(train, np.array([[1.0], [9]]), 2)
    assert [row.tolist() for row in found] == [[0, 2], [1, 2]]
    (few,) = nearest(train, np.array([[1.0]]), 9)
    assert few.tolist() == [0, 2, 1]
