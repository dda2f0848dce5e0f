"""Archives of IOHprofiler, against the numbers of its own tool iohinspector."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest
from click.testing import CliRunner

import aslib_eval as ae
from aslib_eval.cli import main
from aslib_eval.extensions.optimisers.analysis import Experiment, experiments
from aslib_eval.extensions.optimisers.metrics import expected_running_time
from aslib_eval.formats.registry import locate
from aslib_eval.metrics.scale import value_at
from tests.lab import InMemory

DATA = Path(__file__).parent / "data"


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("ioh") / "lake"
    ae.import_scenarios([DATA / "BBOB.zip", DATA / "PBO.zip"], into=path)
    return path


@pytest.fixture(scope="module")
def con(lake: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with ae.connect(lake) as found:
        yield found


@cache
def expected() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((DATA / "expected.json").read_text())
    return found


def place(experiment: Experiment, row: list[Any]) -> tuple[int, int]:
    """Problem and method of a row of iohinspector."""
    _, algorithm, function, dimension, instance = row[:5]
    name = f"f{function:03d}_d{dimension:02d}_i{instance:02d}"
    problems = [search.problem for search in experiment.searches]
    return problems.index(name), experiment.methods.index(algorithm)


def test_the_formats_are_recognised_by_their_files(tmp_path: Path) -> None:
    shutil.unpack_archive(DATA / "PBO.zip", tmp_path)
    for path in (tmp_path, tmp_path / "PBO", tmp_path / "PBO" / "OnePlusOne"):
        (found,) = locate(path)
        assert getattr(found, "format").name == "iohprofiler"  # noqa: B009
    assert locate(tmp_path)[0].location.path == tmp_path / "PBO"


def test_runs_have_what_the_meta_files_say(lake: Path) -> None:
    sql = """select algorithm, repetition, measure, value, runstatus from raw_run
        where instance_id = 'f001_d16_i02' order by measure, algorithm, repetition"""
    assert ae.query(sql, lake=lake).rows() == [
        *(("OnePlusOne", n, "evaluations", 960, "timeout") for n in (1, 2, 3)),
        *(("RandomSearch", n, "evaluations", 960, "timeout") for n in (1, 2, 3)),
        *(("OnePlusOne", n, "objective", 16, "ok") for n in (1, 2, 3)),
        *(("RandomSearch", n, "objective", v, "ok") for n, v in ((1, 14), (2, 14), (3, 14))),
    ]
    about = """select scenario_id, measure, maximize, cutoff, time_unit
        from raw_scenario order by all"""
    assert ae.query(about, lake=lake).rows() == [
        ("BBOB", "evaluations", False, 300, "evaluations"),
        ("BBOB", "objective", False, 300, "evaluations"),
        ("PBO", "evaluations", False, 960, "evaluations"),
        ("PBO", "objective", True, 960, "evaluations"),
    ]
    family = """select value, count(*) from raw_attribute where scenario_id = 'BBOB'
        and attribute = 'family' group by all order by all"""
    assert ae.query(family, lake=lake).rows() == [("RastriginRotated", 4), ("Rosenbrock", 4), ("Sphere", 4)]
    dimensions = "select distinct feature, value from raw_feature_value order by all"
    assert ae.query(dimensions, lake=lake)["value"].to_list() == [2, 5, 16]


def test_expected_running_times_are_those_of_iohinspector(con: duckdb.DuckDBPyConnection) -> None:
    found = {each.scenario_id: each for each in experiments(InMemory(con))}
    for row in expected()["ert"]:
        experiment = found[row[0]]
        problem, method = place(experiment, row)
        assert experiment.timed is not None
        hits = experiment.timed.hits(row[5])[problem, method]
        ert = expected_running_time(hits, spent=experiment.timed.ends[problem, method])
        assert int(np.isfinite(hits).sum()) == row[7]
        assert (row[6] is None) == (row[7] == 0) == bool(np.isnan(ert))
        if row[7]:
            assert float(ert) == pytest.approx(row[6], rel=1e-14)
    assert len(expected()["ert"]) == 160


def test_best_values_at_a_budget_are_those_of_iohinspector(con: duckdb.DuckDBPyConnection) -> None:
    found = {each.scenario_id: each for each in experiments(InMemory(con))}
    for row in expected()["best"]:
        experiment = found[row[0]]
        assert experiment.timed is not None
        values = value_at(experiment.timed.paths, at=row[5])
        values = values.reshape(experiment.timed.ends.shape)
        assert float(values[place(experiment, row)].mean()) == pytest.approx(row[6], rel=1e-14)


def test_the_format_of_before_holds_the_same_runs(lake: Path, tmp_path: Path) -> None:
    """The same program with the package's old logger."""
    (done,) = ae.import_scenarios([DATA / "OLD.zip"], into=tmp_path / "lake")
    assert (done.scenario_id, done.status) == ("OLD", "imported")
    for relation in ("raw_run", "raw_trajectory", "raw_attribute", "raw_feature_value"):
        new, old = (
            ae.query(f"from {relation} order by all", lake=path, scenarios=[name])
            for path, name in ((lake, "PBO"), (tmp_path / "lake", "OLD"))
        )
        assert old.drop("scenario_id").equals(new.drop("scenario_id"))
        assert old.height >= 4


def test_a_logger_that_leaves_improvements_out_is_believed_in_its_data(tmp_path: Path) -> None:
    """As ioh 0.3.22 writes it with the trigger Each(7, 1): best is of what it saw."""
    best = [{"evals": 1, "y": 4.0}, {"evals": 8, "y": 1.5}]
    runs = [{"instance": 1, "evals": 10, "best": each} for each in best]
    data = {"dimension": 2, "path": "data_f1/IOHprofiler_f1_DIM2.dat", "runs": runs}
    meta = {
        "function_id": 1,
        "function_name": "Sphere",
        "maximization": False,
        "algorithm": {"name": "A"},
        "scenarios": [data],
    }
    (tmp_path / "A" / "data_f1").mkdir(parents=True)
    (tmp_path / "A" / "IOHprofiler_f1.json").write_text(json.dumps(meta))
    lines = ["evaluations raw_y", "1 4.0", "8 2.5", "evaluations raw_y", "1 3.0", ""]
    (tmp_path / "A" / data["path"]).write_text("\n".join(lines))
    (done,) = ae.import_scenarios([tmp_path / "A"], into=tmp_path / "lake")
    (warning,) = [f for f in done.findings if f.severity == "warning"]
    assert (warning.code, warning.line) == ("search-best", 1)
    assert warning.message.startswith("the best value of the run is 2.5, but 4 in")
    said = "3 best or last points taken from meta files"
    assert said in [found.message for found in done.findings]
    sql = "select trial, elapsed, value from raw_trajectory order by trial, step"
    assert ae.query(sql, lake=tmp_path / "lake").rows() == [
        *((1, 1, 4), (1, 8, 2.5), (1, 10, 2.5)),
        *((2, 1, 3), (2, 8, 1.5), (2, 10, 1.5)),
    ]


def test_suites_are_not_mixed(tmp_path: Path) -> None:
    for name in ("BBOB", "PBO"):
        shutil.unpack_archive(DATA / f"{name}.zip", tmp_path)
    both = tmp_path / "both"
    both.mkdir()
    (tmp_path / "BBOB" / "OnePlusOne").rename(both / "A")
    (tmp_path / "PBO" / "OnePlusOne").rename(both / "B")
    (done,) = ae.import_scenarios([both], into=tmp_path / "lake")
    codes = {f.code: f.message for f in done.findings if f.severity == "error"}
    assert "search-mixed" in codes
    assert codes["search-mixed"].endswith((" is minimised", " elsewhere"))


# As the loggers of 2020 wrote it: evaluations of the whole run, the value transformed.
INFO = "suite = 'PBO', funcId = 1, DIM = 16, algId = 'RLS', algInfo = '_'\n%\n"
INFO += "data_f1/IOHprofiler_f1_DIM16.dat, 1:100|1.60000e+001, 2:100|4.74480e+002\n"
NAMES = '"function evaluation" "current f(x)" "best-so-far f(x)" "current af(x)+b"'
NAMES += '  "best af(x)+b" "No parameters" '
POINTS = f"""{NAMES}
1 +1.10000e+001 +1.10000e+001 +1.10000e+001 +1.10000e+001
19 +1.60000e+001 +1.60000e+001 +1.60000e+001 +1.60000e+001
{NAMES}
1 +6.00000e+000 +6.00000e+000 +4.24480e+002 +4.24480e+002
96 +1.60000e+001 +1.60000e+001 +4.74480e+002 +4.74480e+002
"""


def of_2020(folder: Path, info: str = INFO) -> Path:
    (folder / "data_f1").mkdir(parents=True)
    (folder / "IOHprofiler_f1.info").write_text(info)
    (folder / "data_f1" / "IOHprofiler_f1_DIM16.dat").write_text(POINTS)
    return folder


def test_the_layout_of_2020_is_read_when_the_direction_is_said(tmp_path: Path) -> None:
    folder, lake = of_2020(tmp_path / "RLS"), tmp_path / "lake"
    command = ["import", str(folder), "--lake", str(lake)]
    done = CliRunner().invoke(main, command)
    assert done.exit_code == 1
    assert "Add --direction min or --direction max" in done.output
    done = CliRunner().invoke(main, [*command, "--direction", "max"])
    assert done.exit_code == 0, done.output
    sql = """select instance_id, step, elapsed, value from raw_trajectory
        order by all"""
    assert ae.query(sql, lake=lake).rows() == [
        ("f001_d16_i01", 1, 1.0, 11.0),
        ("f001_d16_i01", 2, 19.0, 16.0),
        ("f001_d16_i01", 3, 100.0, 16.0),
        ("f001_d16_i02", 1, 1.0, 6.0),
        ("f001_d16_i02", 2, 96.0, 16.0),
        ("f001_d16_i02", 3, 100.0, 16.0),
    ]
    (again,) = ae.import_scenarios([folder], into=lake, direction="max")
    assert again.status == "unchanged"
    # The other direction contradicts the best values, and a file that says its own.
    (other,) = ae.import_scenarios([folder], into=lake, direction="min")
    assert "is the other direction better?" in str(other.error)
    (old,) = ae.import_scenarios([DATA / "OLD.zip"], into=lake, direction="min")
    assert "the file says that OneMax is maximised" in str(old.error)
    (new,) = ae.import_scenarios([DATA / "BBOB.zip"], into=lake, direction="max")
    assert "the file says that Sphere is minimised" in str(new.error)
    with pytest.raises(ae.AslibError, match="direction only works with archives of iohprofiler"):
        ae.import_scenarios([folder], into=lake, direction="max", input_format="coco")
    with pytest.raises(ae.OptionError, match="direction cannot be combined with cutoff"):
        ae.import_scenarios([folder], into=lake, direction="max", cutoff=3)


def test_data_of_2020_that_lack_their_best_value_are_refused(tmp_path: Path) -> None:
    folder = of_2020(tmp_path / "RLS", INFO.replace("1.60000e+001", "1.70000e+001"))
    (done,) = ae.import_scenarios([folder], into=tmp_path / "lake", direction="max")
    assert "the run ends after 19 evaluations, but its best one is 100" in str(done.error)
    whole = of_2020(tmp_path / "whole", INFO.replace("2:100|", "2:96|"))  # the last point is the best one
    (done,) = ae.import_scenarios([whole], into=tmp_path / "lake", direction="max")
    assert (done.status, [f.code for f in done.findings if f.severity != "note"]) == ("imported", [])


def test_a_real_archive_of_2020(shared: Path, tmp_path: Path) -> None:
    path = shared / "competitions" / "real-files" / "ioh20" / "sample_data.zip"
    (done,) = ae.import_scenarios([path], into=tmp_path / "lake", direction="max")
    assert dict(done.rows)["run"] == 2 * 400
    sql = """select algorithm, count(*), max(value), sum(value) from raw_run
        where measure = 'objective' and instance_id like 'f001_d100%' group by all
        order by all"""
    found = ae.query(sql, lake=tmp_path / "lake").rows()
    assert found == [("RLS", 25, 100.0, 2500.0), ("self_GA", 25, 100.0, 2498.0)]


def test_half_a_character_in_a_name_is_refused(tmp_path: Path) -> None:
    shutil.unpack_archive(DATA / "PBO.zip", tmp_path)
    for path in tmp_path.rglob("*.json"):
        path.write_text(path.read_text().replace("OnePlusOne", "\\ud800"))
    (done,) = ae.import_scenarios([tmp_path / "PBO"], into=tmp_path / "lake")
    assert "algorithm.name is '\\ud800'" in str(done.error)
    str(done.error).encode()
