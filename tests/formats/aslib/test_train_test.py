"""A contest in two folders, train and test, is one scenario with a fixed split."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

import aslib_eval as ae
from aslib_eval.errors import AslibError
from aslib_eval.formats.aslib import check
from aslib_eval.formats.aslib.relations import load, read
from aslib_eval.formats.registry import locate
from aslib_eval.formats.sources import Location
from aslib_eval.linter import check_paths
from aslib_eval.selections import import_selections
from tests.conftest import RUN, arff, needs, opened, rows, write_scenario

PARTS = ("train", "test")
TRAIN = [("i1", 1, "a", 1, "ok"), ("i1", 1, "b", 100, "timeout")]
TEST = [("i2", 1, "a", 3, "ok"), ("i2", 1, "b", 4, "ok")]


def contest(folder: Path, *, name: str = "C", **test: Any) -> Path:
    """Two parts that agree, but for what the test part is given."""
    parts = {"train": {"runs": TRAIN}, "test": {"runs": TEST, **test}}
    for part, given in parts.items():
        made = write_scenario(folder / part, **given)
        (made / "cv.arff").unlink()
        described = made / "description.txt"
        text = described.read_text().replace(f"_id: {part}", f"_id: {name}")
        described.write_text(text)
    return folder


def put(folder: Path, lake: Path) -> Any:
    (outcome,) = ae.import_scenarios([folder], into=lake)
    return outcome


def errors(folder: Path) -> list[str]:
    """Errors on a contest, with the place inside it."""
    found = [f for f in check_paths([folder]) if f.severity == "error"]
    return [str(f).removeprefix(f"{folder}/") for f in found]


@needs("resampling")
def test_a_random_split_keeps_the_training_part(tmp_path: Path) -> None:
    test = [*TEST, *(("i3", *row[1:]) for row in TEST)]
    put(contest(tmp_path / "Nick", runs=test), tmp_path / "lake")
    told: list[str] = []
    ae.resample(tmp_path / "lake", repeats=2, folds=2, note=told.append)
    assert told[0] == "C: stored the scheme random-2x2-s1. Its folds have 1 instance"
    con = opened(tmp_path / "lake")
    sql = """
        select cv_repetition, instance_id, fold is null from raw_fold
        where cv_scheme = 'random-2x2-s1' order by all
    """
    assert rows(con, sql) == [
        (repetition, instance, instance == "i1") for repetition in (1, 2) for instance in ("i1", "i2", "i3")
    ]


def test_both_parts_are_one_scenario(tmp_path: Path) -> None:
    outcome = put(contest(tmp_path / "Nick"), tmp_path / "lake")
    assert (outcome.status, outcome.scenario_id) == ("imported", "C")
    con = opened(tmp_path / "lake")
    assert rows(con, "select * from raw_fold") == [
        ("C", "split", 1, None, "i1"),
        ("C", "split", 1, 1, "i2"),
    ]
    runs = "select instance_id, algorithm, value, runstatus from raw_run"
    assert rows(con, runs) == [(r[0], *r[2:]) for r in (*TRAIN, *TEST)]
    files = [f"{part}/feature_{kind}.arff" for part in PARTS for kind in ("values", "costs", "runstatus")]
    assert rows(con, "select folder, cutoff, missing from raw_scenario") == [("Nick", 100.0, files)]
    kept = [
        (f"{part}/{file}",) for part in PARTS[::-1] for file in ("algorithm_runs.arff", "description.txt")
    ]
    assert rows(con, "select file from raw_source") == kept
    assert rows(con, "select algorithm, has_runs from raw_algorithm") == [("a", True), ("b", True)]


def test_an_unchanged_contest_is_left_alone(tmp_path: Path) -> None:
    folder = contest(tmp_path / "C")
    assert put(folder, tmp_path / "lake").status == "imported"
    assert put(folder, tmp_path / "lake").status == "unchanged"
    write_scenario(folder / "test", runs=[(*r[:3], 9, "ok") for r in TEST])
    (folder / "test" / "cv.arff").unlink()
    described = (folder / "train" / "description.txt").read_text()
    (folder / "test" / "description.txt").write_text(described)
    assert put(folder, tmp_path / "lake").status == "imported"


def test_features_of_both_parts_are_united(tmp_path: Path) -> None:
    steps = "feature_steps: {s: {provides: [f]}}\nfeatures_deterministic: [f]\n"
    folder = contest(tmp_path / "C")
    for part, instance in (("train", "i1"), ("test", "i2")):
        with (folder / part / "description.txt").open("a") as file:
            file.write(steps)
        columns = {"instance_id": "STRING", "repetition": "NUMERIC", "f": "NUMERIC"}
        text = arff(columns, [(instance, 1, 5)])
        (folder / part / "feature_values.arff").write_text(text)
    columns = {"instance_id": "STRING", "repetition": "NUMERIC", "s": "NUMERIC"}
    (folder / "train" / "feature_costs.arff").write_text(arff(columns, [("i1", 1, 2)]))
    assert put(folder, tmp_path / "lake").error is None
    con = opened(tmp_path / "lake")
    values = "select instance_id, feature, value from raw_feature_value"
    assert rows(con, values) == [("i1", "f", 5.0), ("i2", "f", 5.0)]
    costs = "select instance_id, step, cost from raw_feature_cost"
    assert rows(con, costs) == [("i1", "s", 2.0)]
    assert rows(con, "select step, provides from raw_feature_step") == [("s", ["f"])]
    assert rows(con, "select feature, has_values, steps from raw_feature") == [("f", True, ["s"])]


def test_where_contests_are_found(tmp_path: Path) -> None:
    folder = contest(tmp_path / "all" / "C")
    write_scenario(tmp_path / "all" / "S", runs=TRAIN)
    found = [each.location.path.name for each in locate(tmp_path / "all")]
    assert found == ["C", "S"]
    assert [x.location.path for x in locate(folder)] == [folder]
    assert [x.location.path.name for x in locate(folder / "train")] == ["train"]
    shutil.rmtree(folder / "test")
    assert [x.location.path.name for x in locate(folder)] == ["train"]


def test_a_contest_may_come_in_an_archive(tmp_path: Path) -> None:
    contest(tmp_path / "in" / "Nick")
    shutil.make_archive(str(tmp_path / "Nick"), "zip", tmp_path / "in")
    outcome = put(tmp_path / "Nick.zip", tmp_path / "lake")
    assert (outcome.status, outcome.scenario_id) == ("imported", "C")
    found = "select folder from raw_scenario"
    assert rows(opened(tmp_path / "lake"), found) == [("Nick",)]
    assert check_paths([tmp_path / "Nick.zip"])[0].file.startswith(str(tmp_path / "Nick.zip"))


# --- contradictions ------------------------------------------------------------------

BOTH = "Write the same in both."


SAID = "test/description.txt"
MEASURE = "runtime (runtime, "
SHARED = "1 instance is in the training part too: 'i1'"
THERE = f"in the training part. {BOTH}"


@pytest.mark.parametrize(
    ("test", "expected"),
    [
        ({"cutoff": "50"}, f"{SAID}:2: cutoff: 50.0 here, 100.0 {THERE}"),
        (
            {"measures": [("runtime", "runtime", "true")]},
            f"{SAID}:3: measures: {MEASURE}maximize) here, {MEASURE}minimize) {THERE}",
        ),
        (
            {"description": "feature_steps: {s: {provides: [f]}}"},
            f"{SAID}:12: feature steps: 1 of them here, 0 {THERE}",
        ),
        (
            {"runs": [*TEST, ("i1", 1, "a", 1, "ok"), ("i1", 1, "b", 1, "ok")]},
            f"test/algorithm_runs.arff: {SHARED}. Remove them from one of the parts.",
        ),
    ],
)
def test_parts_that_contradict_each_other(tmp_path: Path, test: dict[str, Any], expected: str) -> None:
    folder = contest(tmp_path / "C", **test)
    assert errors(folder) == [expected]
    outcome = put(folder, tmp_path / "lake")
    assert outcome.status == "failed"
    assert str(outcome.error) == f"{folder}/{expected}"


def test_runs_of_other_algorithms_are_named_in_both_parts(tmp_path: Path) -> None:
    runs = [("i2", 1, "a", 3, "ok"), ("i2", 1, "c", 4, "ok")]
    hint = "Both parts must hold runs of the same algorithms."
    assert errors(contest(tmp_path / "C", runs=runs)) == [
        f"test/algorithm_runs.arff: only this part has runs of 'c'. {hint}",
        f"train/algorithm_runs.arff: only this part has runs of 'b'. {hint}",
    ]


def test_errors_of_both_parts_come_at_once(tmp_path: Path) -> None:
    folder = contest(tmp_path / "C", cutoff="50")
    for part in ("train", "test"):
        with (folder / part / "algorithm_runs.arff").open("a") as file:
            file.write("i9,1,a,oops,ok\n")
    places = [line.split(": ")[0] for line in errors(folder)]
    assert places == [
        "test/algorithm_runs.arff:10",
        "test/description.txt:2",
        "train/algorithm_runs.arff:10",
    ]


HEADER_OF_RUNS = arff({**RUN, "runtime": "NUMERIC", "runstatus": "{ok, timeout}"}, [])


def without_runs(folder: Path, part: str, runs: str | None) -> Path:
    file = contest(folder) / part / "algorithm_runs.arff"
    file.unlink()
    if runs is not None:
        file.write_text(runs)
    return folder


@pytest.mark.parametrize(
    "runs", [None, *(pytest.param(r, marks=pytest.mark.slow) for r in ("", HEADER_OF_RUNS))]
)
def test_a_training_part_without_runs_leaves_the_test_part(tmp_path: Path, runs: str | None) -> None:
    folder = without_runs(tmp_path / "C", "train", runs)
    features = {"instance_id": "STRING", "repetition": "NUMERIC", "f": "NUMERIC"}
    for part, instance in (("train", "i1"), ("test", "i2")):
        text = arff(features, [(instance, 1, 7)])
        (folder / part / "feature_values.arff").write_text(text)
    outcome = put(folder, tmp_path / "lake")
    assert outcome.status == "imported", outcome.error
    assert [f.message for f in outcome.findings if f.code.startswith("split-")] == [
        "the training part has no run"
    ]
    con = ae.connect(tmp_path / "lake")
    folds = "select cv_scheme, fold, instance_id from raw_fold"
    assert rows(con, folds) == [("split", 1, "i2")]
    best = "select sbs, sbs_par10, vbs_par10, n_instances from scenario_baseline"
    assert rows(con, best) == [("a", 3.0, 3.0, 1)]
    gaps = "select solver, par10, sbs, closed_gap_train, reason from fold_gap"
    reason = "no SBS: no training fold, or no algorithm with a cost"
    assert rows(con, f"{gaps} where kind = 'algorithm' order by solver") == [
        ("a", 3.0, None, None, reason),
        ("b", 4.0, None, None, reason),
    ]
    assert rows(con, "select has_runs from raw_algorithm") == [(True,), (True,)]


@pytest.mark.parametrize("runs", [None, "", HEADER_OF_RUNS])
def test_a_test_part_without_runs_is_refused(tmp_path: Path, runs: str | None) -> None:
    folder = without_runs(tmp_path / "C", "test", runs)
    (error,) = errors(folder)
    assert error.startswith("test/algorithm_runs.arff:")
    assert put(folder, tmp_path / "lake").status == "failed"


def test_a_training_part_whose_runs_are_no_arff_is_refused(tmp_path: Path) -> None:
    (error,) = errors(without_runs(tmp_path / "C", "train", "no data"))
    assert error.startswith("train/algorithm_runs.arff:1: no @DATA line")


def test_details_that_differ_are_a_warning(tmp_path: Path) -> None:
    folder = contest(tmp_path / "C", description="features_cutoff_time: 7")
    found = [f for f in check_paths([folder]) if f.code == "split-difference"]
    said = "limits: features_cutoff_time: 7.0 here, None in the training part"
    assert [(f.line, f.message) for f in found] == [(12, said)]
    assert put(folder, tmp_path / "lake").status == "imported"


def test_the_id_may_differ_from_the_contests_folder_not_from_the_parts(tmp_path: Path) -> None:
    folder = contest(tmp_path / "C")
    codes = [f.code for f in check_paths([folder])]
    assert "scenario-id-folder" not in codes
    assert [f for f in codes if f == "file-missing"] == ["file-missing"] * 6
    found = check_paths([contest(tmp_path / "Nick")])
    (note,) = (f for f in found if f.code == "scenario-id-folder")
    assert (note.file, note.line) == (f"{tmp_path}/Nick/train/description.txt", 1)
    described = folder / "test" / "description.txt"
    described.write_text(described.read_text().replace("_id: C", "_id: D"))
    assert errors(folder) == [f"{SAID}:1: scenario_id: D here, C {THERE}"]


# --- answers, and a scenario of the same name ----------------------------------------


def test_test_instances_are_answered_and_no_others(tmp_path: Path) -> None:
    lake = tmp_path / "lake"
    put(contest(tmp_path / "C"), lake)
    file = tmp_path / "C" / "rf.json"
    file.write_text('{"i2": ["a"]}')
    (outcome,) = import_selections(tmp_path / "C", lake=lake)
    assert (outcome.status, outcome.findings) == ("imported", ())
    found = "select cv_scheme, fold, instance_id from raw_selection"
    assert rows(opened(lake), found) == [("split", 1, "i2")]
    file.write_text('{"i2": ["a"],\n "i1": ["a"]}')
    (outcome,) = import_selections(tmp_path / "C", lake=lake)
    assert str(outcome.error) == (
        f"{file}:2: 'i1' is a training instance and is not tested. "
        "Answer only the test instances, or add --scheme none."
    )


@pytest.mark.slow
def test_the_id_decides_whether_it_is_the_same_scenario(tmp_path: Path) -> None:
    lake = tmp_path / "lake"
    put(write_scenario(tmp_path / "S", runs=TRAIN), lake)
    put(contest(tmp_path / "Nick"), lake)
    ids = "select distinct scenario_id, folder from raw_scenario order by all"
    assert rows(opened(lake), ids) == [("C", "Nick"), ("S", "S")]
    put(contest(tmp_path / "Other", name="S"), lake)
    assert rows(opened(lake), ids) == [("C", "Nick"), ("S", "Other")]
    outcomes = ae.import_scenarios([tmp_path / "S", tmp_path / "Other"], into=lake)
    assert [o.status for o in outcomes] == ["imported", "failed"]
    assert "is already used by" in str(outcomes[1].error)


@needs("exporting")
def test_a_fixed_split_is_no_cv_arff(tmp_path: Path) -> None:
    lake = tmp_path / "lake"
    put(contest(tmp_path / "C"), lake)
    with pytest.raises(AslibError, match="C: has no cv_scheme 'aslib' that"):
        ae.write_from_lake(lake, "C", tmp_path / "out")
    with pytest.raises(AslibError, match="C: has no cv_scheme 'split' that"):
        ae.write_from_lake(lake, "C", tmp_path / "out", cv_scheme="split")
    ae.write_from_lake(lake, "C", tmp_path / "out", cv_scheme=None)
    assert [x.location.path.name for x in locate(tmp_path / "out")] == ["out"]


# --- the OASC 2017 -------------------------------------------------------------------

# Scenario → training and test instances, algorithms.
OASC = {
    "Camilla": (66, 34, 22),
    "Caren": (66, 34, 20),
    "Magnus": (400, 201, 19),
    "Mira": (145, 73, 5),
    "Monty": (420, 210, 18),
    "Quill": (550, 275, 24),
}


@pytest.mark.slow
def test_the_real_contest_goes_in_with_its_systems(shared: Path, tmp_path: Path) -> None:
    lake, folder = tmp_path / "lake", shared / "contests" / "oasc2017"
    outcomes = ae.import_scenarios([folder], into=lake)
    assert [(o.scenario_id, o.error) for o in outcomes] == [(n, None) for n in OASC]
    answered = import_selections(folder, lake=lake)
    assert [(o.scenario_id, *o.selectors, *o.cv_schemes, o.instances, o.findings) for o in answered] == [
        (name, selector, "split", size[1], ())
        for name, size in OASC.items()
        for selector in ("sunny-autok", "sunny-fkvar")
    ]
    counts = """
        select f.scenario_id, count(*) filter (f.fold is null), count(f.fold),
            any_value(a.n)
        from raw_fold f
        join (select scenario_id, count(*) as n from raw_algorithm where has_runs
            group by all) a using (scenario_id)
        group by all order by all
    """
    con = opened(lake)
    assert rows(con, counts) == [(name, *size) for name, size in OASC.items()]
    runs = "select scenario_id, count(*) from raw_run group by all order by all"
    assert rows(con, runs) == [
        (name, (train + test) * algorithms) for name, (train, test, algorithms) in OASC.items()
    ]


def test_the_file_that_lacks_its_dot_is_named_and_not_read(shared: Path, tmp_path: Path) -> None:
    folder = shared / "contests" / "oasc2017" / "Quill"
    location = Location(folder, "Q")
    found = [f for f in check(read(location, load(location))) if f.severity == "warning"]
    misspelt = [f for f in found if f.code == "file-misspelt"]
    assert [f.file for f in misspelt] == ["Q/test/feature_costsarff"]
    put(folder, tmp_path / "lake")
    charged = """
        select f.fold, count(c.cost) > 0 from raw_fold f
        left join raw_feature_cost c using (scenario_id, instance_id)
        group by all order by all
    """
    assert rows(opened(tmp_path / "lake"), charged) == [(1, False), (None, True)]
