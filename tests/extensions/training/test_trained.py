"""Selectors trained for real: they learn, they do not peek, and they repeat."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import aslib_eval as ae
from aslib_eval.analysis.summaries import gaps, summary
from aslib_eval.cli import main
from aslib_eval.database.open_lake import open_lake
from aslib_eval.errors import AslibError
from aslib_eval.extensions.training import models, training
from aslib_eval.extensions.training.models import SELECTORS, GMeans, LearnedSchedule, Lesson, OwnSelector
from aslib_eval.extensions.training.problem import SelectionProblem, Split, read_problem, read_splits
from aslib_eval.extensions.training.training import Answered, predict_split, train
from aslib_eval.selections import import_selections, remove_selection
from tests.conftest import CV, Row, arff, rows, write_scenario

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


@pytest.fixture(scope="module")
def problem(trained: Path) -> tuple[SelectionProblem, Split]:
    lake = open_lake(trained)
    found = read_problem(lake, "L")
    return found, read_splits(lake, found, "aslib")[0]


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


@pytest.mark.parametrize("selector", SELECTORS)
def test_a_test_part_gives_nothing_but_its_features(
    problem: tuple[SelectionProblem, Split], selector: str
) -> None:
    whole, split = problem
    costs, times, solved = whole.costs.copy(), whole.times.copy(), whole.solved.copy()
    costs[split.test], times[split.test], solved[split.test] = 1e9, 1e9, False
    blind = replace(whole, costs=costs, times=times, solved=solved)
    seen = predict_split(whole, split, selector=selector, seed=3)
    assert predict_split(blind, split, selector=selector, seed=3) == seen
    # Nor does one test instance depend on another.
    alone = replace(split, test=split.test[:1])
    (name,) = predict_split(whole, alone, selector=selector, seed=3)
    answer = predict_split(whole, alone, selector=selector, seed=3)[name]
    assert answer == seen[name]


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


@pytest.mark.parametrize("workers", [1, 3])
def test_an_executor_gives_the_same_selection(
    folder: Path, trained: Path, tmp_path: Path, workers: int
) -> None:
    ae.import_scenarios([folder], into=tmp_path / "lake")
    with ThreadPoolExecutor(workers) as pool:
        (outcome,) = train(tmp_path / "lake", ["rf"], executor=pool, jobs=1)
    assert outcome.error is None, outcome.error
    expected = [row for row in rows(ae.connect(trained), SAID) if row[0] == "rf"]
    assert rows(ae.connect(tmp_path / "lake"), SAID) == expected


def test_a_stopped_run_continues_where_it_was(
    folder: Path, trained: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ae.import_scenarios([folder], into=tmp_path / "lake")
    made: list[int] = []

    def stopping(problem: SelectionProblem, split: Split, *, selector: str, seed: int) -> Answered:
        if len(made) == 3:
            raise KeyboardInterrupt
        made.append(split.fold)
        return predict_split(problem, split, selector=selector, seed=seed)

    monkeypatch.setattr(training, "predict_split", stopping)
    with pytest.raises(KeyboardInterrupt):
        train(tmp_path / "lake", ["rf"], jobs=1)
    assert rows(ae.connect(tmp_path / "lake"), SAID) == []
    monkeypatch.setattr(training, "predict_split", predict_split)
    (outcome,) = train(tmp_path / "lake", ["rf"], jobs=1)
    assert (outcome.n_splits, outcome.n_resumed) == (4, 3)
    expected = [row for row in rows(ae.connect(trained), SAID) if row[0] == "rf"]
    assert rows(ae.connect(tmp_path / "lake"), SAID) == expected
    # Another seed is another run.
    monkeypatch.setattr(training, "predict_split", stopping)
    made.clear()
    with pytest.raises(KeyboardInterrupt):
        train(tmp_path / "lake", ["rf"], jobs=1)
    monkeypatch.setattr(training, "predict_split", predict_split)
    (outcome,) = train(tmp_path / "lake", ["rf"], jobs=1, seed=2)
    assert outcome.n_resumed == 0


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
        "1 of 2 not trained on\n"
    )
    file = tmp_path / "out" / "L" / "isac.json"
    assert result.stdout.splitlines() == ["trained L: isac; 4 splits of aslib", str(file)]
    assert len(file.read_text().splitlines()) == 62


def test_a_selector_that_chooses_the_same_for_all_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ae.import_scenarios([write_learnable(tmp_path / "L")], into=tmp_path / "lake")

    def first(lesson: Lesson) -> list[LearnedSchedule]:
        return [LearnedSchedule((), ((0, None),))] * len(lesson.test)

    monkeypatch.setattr(models, "ISAC", OwnSelector(first))
    words = ["train", "isac", "--jobs", "1", "--lake", str(tmp_path / "lake")]
    assert CliRunner().invoke(main, words).stderr == (
        "note: L: isac chose left on all 60 instances that it answers.\n"
    )


def test_repeated_cross_validation_is_two_commands(folder: Path, tmp_path: Path) -> None:
    ae.import_scenarios([folder], into=tmp_path / "lake")
    lake = ["--lake", str(tmp_path / "lake")]
    words = ["resample", "--repeats", "2", "--folds", "2", *lake]
    assert CliRunner().invoke(main, words).exit_code == 0
    words = ["train", "isac", "--scheme", "random-2x2-s1", "--jobs", "1", *lake]
    result = CliRunner().invoke(main, [*words, "--to", str(tmp_path / "out")])
    assert result.exit_code == 1
    assert "isac answered several repetitions of random-2x2-s1" in result.stderr
    sql = """
        select cv_repetition, fold, count(distinct instance_id) from raw_selection
        group by all order by all
    """
    found = rows(ae.connect(tmp_path / "lake"), sql)
    assert found == [(1, 1, 30), (1, 2, 30), (2, 1, 30), (2, 2, 30)]
    sql = "select n_splits from split_gap where kind = 'selector'"
    sql += " and cv_scheme = 'random-2x2-s1'"
    assert rows(ae.connect(tmp_path / "lake"), sql) == [(4,)]


def test_a_split_with_nothing_to_train_on_is_refused(tmp_path: Path) -> None:
    folder = write_learnable(tmp_path / "L")
    cells = [(f"i{number:02}", 1, 1) for number in range(60)]
    (folder / "cv.arff").write_text(arff(CV, cells))
    ae.import_scenarios([folder], into=tmp_path / "lake")
    (outcome,) = train(tmp_path / "lake", ["rf"], jobs=1)
    assert isinstance(outcome.error, AslibError)
    assert "has no split 'aslib' with instances to train on" in str(outcome.error)


@pytest.mark.parametrize("n_clouds", [1, 3, 5])
def test_g_means_finds_the_clouds(n_clouds: int) -> None:
    rng = np.random.default_rng(n_clouds)
    centres = 20 * np.eye(5)[:n_clouds]
    points = np.concatenate([rng.normal(c, 1, size=(60, 5)) for c in centres])
    found = GMeans(random_state=1).fit(points)
    labels = found.predict(points).reshape(n_clouds, 60)
    assert len(found.centres) == n_clouds
    assert [len(set(cloud)) for cloud in labels.tolist()] == [1] * n_clouds


def test_few_or_equal_points_are_one_cluster() -> None:
    assert len(GMeans().fit(np.zeros((50, 2))).centres) == 1
    assert len(GMeans().fit(np.arange(12.0)[:, None]).centres) == 1


PREDICTED = "instance_id,algorithm\n" + "".join(
    f"i{n:02},{'left' if n % 2 else 'right'}\n" for n in range(60)
)
ORIGIN = """
    select selector, cv_scheme, origin, file, seed, version from raw_selector
    order by all
"""


@pytest.fixture
def imported_isac(folder: Path, tmp_path: Path) -> Path:
    """A lake with predictions of an `isac` that was not trained here."""
    ae.import_scenarios([folder], into=tmp_path / "lake")
    (tmp_path / "isac.csv").write_text(PREDICTED)
    import_selections(tmp_path / "isac.csv", lake=tmp_path / "lake", scenario="L")
    return tmp_path / "lake"


def test_imported_predictions_are_not_replaced_unasked(imported_isac: Path) -> None:
    before = rows(ae.connect(imported_isac), SAID)
    words = ["train", "isac", "sunny", "--jobs", "1", "--lake", str(imported_isac)]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 1
    assert result.stderr == (
        "L: holds predictions of isac on aslib that were not trained here (isac.csv). "
        "--replace puts the trained ones in their place, --prefix beside them.\n"
        "1 of 1 not trained on\n"
    )
    assert rows(ae.connect(imported_isac), SAID) == before
    assert not (imported_isac / ".training").exists()
    result = CliRunner().invoke(main, [*words, "--replace"])
    assert result.stdout == ("trained L: isac, sunny; 8 splits of aslib; in the place of isac (isac.csv)\n")
    assert rows(ae.connect(imported_isac), ORIGIN) == [
        ("isac", "aslib", "trained", None, 1, ae.__version__),
        ("sunny", "aslib", "trained", None, 1, ae.__version__),
    ]
    # What was trained here is replaced, and said so if it differs.
    result = CliRunner().invoke(main, words)
    assert result.stdout == "trained L: isac, sunny; 8 splits of aslib\n"
    result = CliRunner().invoke(main, [*words[:2], *words[3:], "--seed", "2"])
    version = ae.__version__
    assert result.stdout == (
        f"trained L: isac; 4 splits of aslib; in the place of isac (seed 1, aslib-eval {version})\n"
    )


def test_a_prefix_puts_them_beside(imported_isac: Path, tmp_path: Path) -> None:
    words = ["train", "isac", "--jobs", "1", "--lake", str(imported_isac)]
    words += ["--prefix", "my-", "--to", str(tmp_path / "out")]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 0, result.output
    assert result.stdout.splitlines() == [
        "trained L: my-isac; 4 splits of aslib",
        str(tmp_path / "out" / "L" / "my-isac.json"),
    ]
    assert rows(ae.connect(imported_isac), ORIGIN) == [
        ("isac", "aslib", "imported", "isac.csv", None, None),
        ("my-isac", "aslib", "trained", None, 1, ae.__version__),
    ]


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
    assert "were not trained here" in str(outcome.error)
    assert rows(ae.connect(lake), ORIGIN)[0][2] == "imported"
    monkeypatch.setattr(training, "predict_split", predict_split)
    (outcome,) = train(lake, ["isac"], jobs=1, replace=True)
    assert (outcome.error, outcome.n_resumed) == (None, 4)
    assert outcome.replaced == ("isac (isac.csv)",)


def test_where_a_selector_was_trained_is_a_column(imported_isac: Path) -> None:
    lake = ["--lake", str(imported_isac)]
    words = ["resample", "--repeats", "1", "--folds", "2", *lake]
    assert CliRunner().invoke(main, words).exit_code == 0
    words = ["train", "isac", "sunny", "--scheme", "random-1x2-s1", "--jobs", "1"]
    result = CliRunner().invoke(main, [*words, *lake, "--seed", "7"])
    assert result.stderr == (
        "note: L: isac also has predictions on aslib, which make its scores in gap. "
        "Those on random-1x2-s1 are in instance_selector and split_gap.\n"
    )
    elsewhere = f"random-1x2-s1, seed 7, aslib-eval {ae.__version__}"
    con = ae.connect(imported_isac)
    sql = "select * exclude (protocol, scenario_id) from selector_origin order by all"
    assert rows(con, sql) == [
        ("isac", "aslib", "imported", None, None, elsewhere, f"aslib, imported; also {elsewhere}"),
        ("sunny", "random-1x2-s1", "trained", 7, ae.__version__, None, elsewhere),
    ]
    here = open_lake(imported_isac)
    frame = gaps(here)
    found = dict(frame.select("solver", "trained").rows())
    assert found == dict.fromkeys(("SBS", "VBS", "VWS", "left", "right", "slow")) | {
        "isac": f"aslib, imported; also {elsewhere}",
        "sunny": elsewhere,
    }
    assert summary(here)["selectors"].to_list() == [f"1: aslib, imported; also {elsewhere}; 1: {elsewhere}"]
    # It stays when the scenario is imported again, and goes with the predictions.
    before = rows(con, ORIGIN)
    folder = imported_isac.parent / "again" / "L"
    write_learnable(folder)
    (folder / "readme.txt").write_text("changed")
    (outcome,) = ae.import_scenarios([folder], into=imported_isac)
    assert outcome.status == "imported"
    assert rows(ae.connect(imported_isac), ORIGIN) == before
    remove_selection(imported_isac, "L", "isac", cv_scheme="aslib")
    remove_selection(imported_isac, "L", "sunny")
    assert rows(ae.connect(imported_isac), ORIGIN) == [
        ("isac", "random-1x2-s1", "trained", None, 7, ae.__version__)
    ]


def test_a_lake_that_cannot_be_written_is_noticed_first(
    imported_isac: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training, "read_problem", pytest.fail)
    (imported_isac / ".training").write_text("in the way")
    expected = "cannot be written .*; nothing was trained"
    with pytest.raises(AslibError, match=expected):
        train(imported_isac, ["rf"], jobs=1)
    (imported_isac / ".training").unlink()
    monkeypatch.setattr("os.access", lambda path, _: Path(path) != imported_isac)
    with pytest.raises(AslibError, match=expected):
        train(imported_isac, ["rf"], jobs=1)
    assert not (imported_isac / ".training").exists()
    monkeypatch.setattr("os.access", lambda path, _: Path(path) != imported_isac.parent)
    to = imported_isac.parent / "new" / "out"
    words = ["train", "rf", "--lake", str(imported_isac), "--to", str(to)]
    result = CliRunner().invoke(main, words)
    assert result.stderr == (
        f"{imported_isac.parent}: cannot be written. Name another --to; nothing was trained.\n"
    )
