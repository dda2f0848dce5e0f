"""AutoFolio's pair of tables, with and without a description."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import aslib_eval as ae
from aslib_eval.errors import ScenarioError
from aslib_eval.formats.runs.autofolio import pair_of
from aslib_eval.linter import check_paths
from tests.conftest import opened, rows

FOUND = Path("../shared/found/files/15-autofolio-folder/S")
DESCRIPTION = """\
scenario_id: MADE
performance_measures:
- {measure}
maximize:
- {maximize}
performance_type:
- {type}
algorithm_cutoff_time: {cutoff}
"""
PERFORMANCE = "instance,ant,bee\ni,1.5,20\nj,30,100\n"
FEATURES = "instance,x,y\nj,0.5,4\ni,0.25,3\n"


def made(folder: Path, performance: str = PERFORMANCE, **described: Any) -> Path:
    home = folder / "F"
    home.mkdir()
    (home / "perf.csv").write_text(performance)
    (home / "features.csv").write_text(FEATURES)
    if described:
        about = {"measure": "runtime", "maximize": "false", "type": "runtime", "cutoff": 100, **described}
        (home / "description.txt").write_text(DESCRIPTION.format(**about))
    return home


def lake_of(path: Path, home: Path, **choices: Any) -> Any:
    (done,) = ae.import_scenarios(path, into=home / "lake", **choices)
    assert done.error is None
    return opened(home / "lake")


MEASURES = "select scenario_id, measure, measure_type, maximize, cutoff from raw_scenario"
RUNS = "select instance_id, algorithm, value, runstatus from raw_run order by all"
VALUES = "select instance_id, feature, value from raw_feature_value order by all"
HAVE = [("i", "x", 0.25), ("i", "y", 3.0), ("j", "x", 0.5), ("j", "y", 4.0)]


def test_a_description_needs_no_option(tmp_path: Path) -> None:
    lake = lake_of(made(tmp_path, cutoff=100), tmp_path)
    assert rows(lake, MEASURES) == [("MADE", "runtime", "runtime", False, 100.0)]
    assert rows(lake, RUNS) == [
        ("i", "ant", 1.5, "ok"),
        ("i", "bee", 20.0, "ok"),
        ("j", "ant", 30.0, "ok"),
        ("j", "bee", 100.0, "timeout"),
    ]
    assert rows(lake, VALUES) == HAVE


def test_what_a_user_says_goes_before(tmp_path: Path) -> None:
    lake = lake_of(made(tmp_path, cutoff=100), tmp_path, cutoff=25, scenario_id="MINE")
    assert rows(lake, MEASURES) == [("MINE", "runtime", "runtime", False, 25.0)]


@pytest.mark.parametrize(("maximize", "first"), [(True, "instance"), (False, "instance"), (True, "thing")])
def test_a_quality_has_the_direction_of_its_description(
    tmp_path: Path,
    maximize: bool,  # noqa: FBT001
    first: str,
) -> None:
    text = f"{first},ant,bee\ni,0.5,0.25\nj,1,0\n"
    folder = made(tmp_path, text, measure="score", type="solution_quality", maximize=str(maximize).lower())
    lake = lake_of(folder, tmp_path, column={"instance": first})
    assert rows(lake, MEASURES) == [("MADE", "objective", "solution_quality", maximize, None)]
    assert rows(lake, RUNS)[0] == ("i", "ant", 0.5, "ok")
    assert rows(lake, VALUES) == HAVE


def test_the_unit_of_a_pair_is_in_its_description_or_its_settings(tmp_path: Path) -> None:
    folder = made(tmp_path, cutoff=100)
    about = folder / "description.txt"
    about.write_text(f"{about.read_text()}time_unit: ms\n")
    unit = "select time_unit from raw_scenario"
    assert rows(lake_of(folder, tmp_path / "described"), unit) == [("ms",)]
    (folder / "scenario.toml").write_text('time_unit = "min"\n')
    assert rows(lake_of(folder, tmp_path / "set"), unit) == [("min",)]


def test_the_first_measure_of_a_description_counts(tmp_path: Path) -> None:
    folder = made(tmp_path, "instance,ant,bee\ni,0.5,0.25\nj,1,0\n", cutoff=100)
    (folder / "description.txt").write_text(
        "scenario_id: MADE\nperformance_measures: [score, runtime]\nmaximize: [true, false]\n"
        "performance_type: [solution_quality, runtime]\nalgorithm_cutoff_time: 100\n"
    )
    lake = lake_of(folder, tmp_path)
    assert rows(lake, MEASURES) == [("MADE", "objective", "solution_quality", True, None)]


def test_families_of_a_pair_are_in_its_settings(tmp_path: Path) -> None:
    folder = made(tmp_path, PERFORMANCE.replace("i,", "f/i,").replace("j,", "g/j,"))
    (folder / "features.csv").write_text(FEATURES.replace("i,", "f/i,").replace("j,", "g/j,"))
    (folder / "scenario.toml").write_text('cutoff = 100\nfamily = "path:1"\n')
    lake = lake_of(folder, tmp_path)
    found = rows(lake, "select instance_id, attribute, value from raw_attribute order by all")
    assert found == [("f/i", "family", "f"), ("g/j", "family", "g")]


def test_a_pair_without_a_description_needs_a_cutoff(tmp_path: Path) -> None:
    lake = lake_of(made(tmp_path), tmp_path, cutoff=100)
    assert rows(lake, MEASURES) == [("F", "runtime", "runtime", False, 100.0)]
    assert rows(lake, VALUES) == HAVE


def test_a_folder_of_pairs_is_a_scenario_each(tmp_path: Path) -> None:
    made(tmp_path, cutoff=100).rename(tmp_path / "A")
    made(tmp_path, cutoff=100).rename(tmp_path / "B")
    done = ae.import_scenarios(tmp_path, into=tmp_path / "lake")
    assert [each.status for each in done] == ["imported", "failed"]  # both are called MADE
    assert "give another scenario_id" in str(done[1].error)


def test_what_is_wrong_names_its_file(tmp_path: Path) -> None:
    folder = made(tmp_path, cutoff=100)
    (folder / "features.csv").write_text("instance,x\ni,a\n")
    (found,) = [f for f in check_paths(folder) if f.severity == "error"]
    assert (found.file, found.line) == (str(folder / "features.csv"), 2)
    (folder / "description.txt").write_text("scenario_id: MADE\n")
    errors = [f for f in check_paths(folder) if f.severity == "error"]
    assert {f.file for f in errors} == {str(folder / "description.txt")}
    (folder / "scenario.toml").write_text("cutoff = 0\n")
    errors = [f for f in check_paths(folder) if f.severity == "error"]
    assert {f.file for f in errors} == {str(folder / "scenario.toml")}
    with pytest.raises(ScenarioError):
        raise next(each.error for each in ae.import_scenarios(folder, into=tmp_path / "l") if each.error)


def test_a_folder_is_no_table_of_features(tmp_path: Path) -> None:
    folder = made(tmp_path)
    assert pair_of(folder) == (folder / "perf.csv", folder / "features.csv")
    tabbed = (folder / "features.csv").rename(folder / "features.tsv")
    assert pair_of(folder) == (folder / "perf.csv", tabbed)
    tabbed.rename(folder / "features.csv")
    (folder / "features.csv").unlink()
    (folder / "features.csv").mkdir()
    assert pair_of(folder) is None


def test_an_edit_of_any_file_is_another_import(tmp_path: Path) -> None:
    folder = made(tmp_path, cutoff=100)

    def status() -> str:
        return ae.import_scenarios(folder, into=tmp_path / "lake")[0].status

    assert (status(), status()) == ("imported", "unchanged")
    (folder / "features.csv").write_text(FEATURES.replace("3", "2"))
    assert status() == "imported"
    text = (folder / "description.txt").read_text()
    (folder / "description.txt").write_text(text.replace("100", "50"))
    assert status() == "imported"


def test_scenarios_of_aslib_stay_such(tmp_path: Path) -> None:
    folder = made(tmp_path, cutoff=100)
    (folder / "cv.arff").write_text("")
    errors = [f.code for f in check_paths(folder) if f.severity == "error"]
    assert "arff-no-data" in errors  # read as ASlib


@pytest.mark.skipif(not FOUND.is_dir(), reason="no ../shared")
def test_a_folder_as_autofolio_writes_it(tmp_path: Path) -> None:
    lake = lake_of(FOUND, tmp_path)
    found = rows(
        lake,
        "select solver, n_instances, solved from solver_score where kind = 'algorithm' order by solver",
    )
    assert found == [("alg1", 3, 1.0), ("alg2", 3, pytest.approx(2 / 3))]
    assert rows(lake, "select count(distinct feature) from raw_feature_value") == [(2,)]
