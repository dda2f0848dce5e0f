"""An archive of COCO, against the expected running times of its own tool cocopp."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import aslib_eval as ae
from aslib_eval.formats.registry import locate

DATA = Path(__file__).parent / "data"


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("coco") / "lake"
    (done,) = ae.import_scenarios([DATA / "exdata.tgz"], into=path)
    assert done.status == "imported"
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shutil.unpack_archive(DATA / "exdata.tgz", tmp_path)
    return tmp_path / "exdata"


def test_every_expected_running_time_is_that_of_cocopp(lake: Path) -> None:
    expected = json.loads((DATA / "expected.json").read_text())
    for target in sorted({row[3] for row in expected}):
        found = ae.trials(lake, show="targets", target=target)
        ours = {row[:2]: row[2] for row in found.select("system", "task", "ert").rows()}
        theirs = {
            (name, f"f{function:03d}_d{dimension:02d}"): ert
            for name, function, dimension, at, ert in expected
            if at == target
        }
        assert ours.keys() == theirs.keys()
        assert len(ours) == 12
        for key, ert in theirs.items():
            assert ours[key] == ert, (key, target)


def test_runs_that_hit_the_final_target_are_solved(lake: Path) -> None:
    sql = """select repetition, value, runstatus from raw_run
        where instance_id = 'f015_d02' and algorithm = 'OnePlusOne'
        and measure = 'evaluations' order by all"""
    assert ae.query(sql, lake=lake).rows() == [
        (1, 300, "timeout"),
        (2, 300, "timeout"),
        (3, 240, "ok"),
        (4, 300, "timeout"),
        (5, 300, "timeout"),
    ]
    about = "select measure, cutoff from raw_scenario order by all"
    assert ae.query(about, lake=lake).rows() == [("evaluations", 450), ("precision", 450)]
    assert ae.score(lake, anytime="summary").filter(solver="RandomSearch")["proved"].item() == 0
    sphere = ae.trials(lake, versus="RandomSearch").filter(task="f001_d02", system="OnePlusOne")
    assert sphere.select("n", "mark").rows() == [(5, "+")]
    assert ae.optimisers(lake)["trials"].to_list() == [5, 5]


def test_it_is_recognised_at_each_level(folder: Path) -> None:
    for path in (folder.parent, folder, folder / "OnePlusOne"):
        (found,) = locate(path)
        assert getattr(found, "format").name == "coco"  # noqa: B009


@pytest.mark.parametrize("kind", ["zip", "gztar"])
def test_archives_of_an_algorithm_each_are_one_scenario(
    folder: Path, tmp_path: Path, kind: str, lake: Path
) -> None:
    packed = tmp_path / "packed"
    for name in ("OnePlusOne", "RandomSearch"):
        top = {"zip": (folder / name, "."), "gztar": (folder, name)}[kind]
        shutil.make_archive(str(packed / name), kind, *top)
    (done,) = ae.import_scenarios([packed], into=tmp_path / "lake")
    assert (done.scenario_id, done.status) == ("packed", "imported")
    sql = "select * exclude (scenario_id) from raw_run order by all"
    assert ae.query(sql, lake=tmp_path / "lake").equals(ae.query(sql, lake=lake))
    # Whatever they hold is one scenario, an algorithm twice in it an error.
    shutil.copy(DATA / "exdata.tgz", packed / "more.tgz")
    assert "OnePlusOne also has runs on f001_d02 in" in wrong(packed, tmp_path / "l")[0]


def test_a_damaged_archive_among_them_is_named(folder: Path, tmp_path: Path) -> None:
    packed = tmp_path / "packed"
    for name in ("OnePlusOne", "RandomSearch"):
        shutil.make_archive(str(packed / name), "gztar", folder, name)
    one = packed / "OnePlusOne.tar.gz"
    one.write_bytes(one.read_bytes()[:-9])
    (done,) = ae.import_scenarios([packed], into=tmp_path / "lake")
    assert done.status == "failed"
    assert "OnePlusOne.tar.gz: cannot be read as an archive" in str(done.error)


def wrong(folder: Path, lake: Path) -> list[str]:
    (done,) = ae.import_scenarios([folder], into=lake)
    assert not lake.exists() or not list(lake.glob("scenario*"))
    return [
        str(found).removeprefix(f"{folder}/").replace(f"{folder}/", "")
        for found in done.findings
        if found.severity == "error"
    ]


def test_everything_wrong_is_named_in_one_pass(folder: Path, tmp_path: Path) -> None:
    one, other = folder / "OnePlusOne", folder / "RandomSearch"
    (one / "data_f1" / "bbobexp_f1_DIM2.dat").unlink()
    cut = one / "data_f8" / "bbobexp_f8_DIM3.dat"
    cut.write_text(cut.read_text()[:-30])
    for short in (one / "data_f15").glob("bbobexp_f15_DIM2.*dat"):
        short.write_text("".join(short.read_text().splitlines(keepends=True)[:-1]))
    lines = (other / "data_f1" / "bbobexp_f1_DIM2.dat").read_text().splitlines()
    lines[2], lines[3] = lines[3], lines[2]
    (other / "data_f1" / "bbobexp_f1_DIM2.dat").write_text("\n".join([*lines, ""]))
    info = other / "bbobexp_f8.info"
    info.write_text(info.read_text().replace("algId", "algo", 1))
    lost = ". Was the run interrupted, or the file cut? Fetch or run it again."
    assert wrong(folder, tmp_path / "lake") == [
        "RandomSearch/bbobexp_f8.info:1: the record lacks algId",
        (
            "OnePlusOne/bbobexp_f1.info:3: its data file"
            f" OnePlusOne/data_f1/bbobexp_f1_DIM2.dat is missing{lost}"
        ),
        (
            "OnePlusOne/data_f15/bbobexp_f15_DIM2.dat:57: the run ends after 281"
            f" evaluations, but after 300 in OnePlusOne/bbobexp_f15.info{lost}"
        ),
        (f"OnePlusOne/data_f8/bbobexp_f8_DIM3.dat:97: the file ends in the middle of a line{lost}"),
        ("RandomSearch/data_f1/bbobexp_f1_DIM2.dat:4: evaluation 13 comes after 18 of the same run"),
    ]


def test_two_objectives_are_refused(folder: Path, tmp_path: Path) -> None:
    for path in folder.glob("*/*.info"):
        path.write_text(path.read_text().replace("'bbob'", "'bbob-biobj'"))
    assert "the suite bbob-biobj is not read" in wrong(folder, tmp_path / "lake")[0]


def test_fewer_trials_of_one_algorithm_are_charged_as_they_are(
    folder: Path, tmp_path: Path, lake: Path
) -> None:
    """Three of five instances in two dimensions, as in archives of other years."""
    data = folder / "RandomSearch" / "data_f1"
    info = folder / "RandomSearch" / "bbobexp_f1.info"
    lines = info.read_text().splitlines()
    lines[2] = ",".join(lines[2].split(",")[:4])
    info.write_text("\n".join([*lines, ""]))
    for path in data.glob("*DIM2*dat"):
        path.write_text("%".join(path.read_text().split("%")[:4]))
    (done,) = ae.import_scenarios([folder], into=tmp_path / "lake")
    (warning,) = [f for f in done.findings if f.severity == "warning"]
    assert warning.code == "search-uneven"
    assert "RandomSearch has 3 of 5 on f001_d02" in warning.message
    asked = {"show": "targets", "target": 0.1}
    few, all_ = (ae.trials(path, **asked).filter(task="f001_d02") for path in (tmp_path / "lake", lake))
    assert few.filter(system="OnePlusOne").equals(all_.filter(system="OnePlusOne"))
    sql = """select trial, min(elapsed) filter (value <= 0.1), max(elapsed)
        from raw_trajectory where algorithm = 'RandomSearch'
        and instance_id = 'f001_d02' and trial <= 3 group by all"""
    runs = ae.query(sql, lake=lake).rows()
    spent = sum(used if hit is None else hit for _, hit, used in runs)
    reached = sum(hit is not None for _, hit, _ in runs)
    (row,) = few.filter(system="RandomSearch").to_dicts()
    assert (row["n"], row["successes"], row["spent"]) == (3, reached, spent)
    assert row["ert"] == spent / reached
    with pytest.raises(ae.AslibError, match="numbers of trials or steps"):
        ae.optimisers(tmp_path / "lake")


def test_suites_are_not_mixed(folder: Path, tmp_path: Path) -> None:
    for path in (folder / "RandomSearch").glob("*.info"):
        path.write_text(path.read_text().replace("'bbob'", "'bbob-largescale'"))
    (found,) = wrong(folder, tmp_path / "lake")
    assert "bbob-largescale" in found
    assert "put each suite into its own folder" in found.lower()
