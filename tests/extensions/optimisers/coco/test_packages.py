"""Packages as COCO's data archive has them: other layouts, old loggers, cut records."""

from __future__ import annotations

import json
import tarfile
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import aslib_eval as ae
from aslib_eval.cli import main

HEAD = "% function evaluation | noise-free | best noise-free fitness - Fopt | measured"
# As the loggers until 2019 write it: hits in .dat, the end of the run in .tdat alone.
HITS = ((1, 5.0), (3, 0.5), (7, 2e-9)), ((1, 4.0), (6, 0.25))
TIMES = ((1, 5.0), (10, 2e-9), (12, 2e-9)), ((1, 4.0), (10, 0.25), (20, 0.25))
RUNS = "1:12|-8.0e-009, 2:20|2.5e-01"
SQL = """select algorithm, instance_id, repetition, value, runstatus from raw_run
    where measure = 'evaluations' order by all"""


def blocks(runs: Any) -> str:
    return "".join(
        f"{HEAD}\n" + "".join(f"{at} 0 {value:+.9e} 1 1 0.5\n" for at, value in run) for run in runs
    )


def package(
    folder: Path,
    runs: str = RUNS,
    *,
    name: str = "A",
    path: str = "data_f1\\f1_DIM2.dat",
    end: str = "\n",
    hits: Any = HITS,
    times: Any = TIMES,
    comment: bytes = b"% of Po\x9a\xedk",
) -> Path:
    """A function in one dimension: its record, and the data that this names."""
    data = folder / path.replace("\\", "/")
    data.parent.mkdir(parents=True, exist_ok=True)
    head = f"funcId = 1, DIM = 2, Precision = 1.000e-008, algId = '{name}'\n"
    record = head.encode() + comment + f"\n{path}, {runs}{end}".encode()
    (folder / "bbobexp_f1.info").write_bytes(record)
    data.write_text(blocks(hits))
    data.with_suffix(".tdat").write_text(blocks(times))
    return folder


def taken(path: Path, lake: Path) -> tuple[list[tuple[Any, ...]], list[str]]:
    """Evaluations and status of the runs, and the findings but for notes."""
    (done,) = ae.import_scenarios([path], into=lake)
    said = [f.message for f in done.findings if f.severity != "note"]
    rows = ae.query(SQL, lake=lake).rows() if done.status == "imported" else []
    return rows, said


TAKEN = [("A", "f001_d02", 1, 7.0, "ok"), ("A", "f001_d02", 2, 20.0, "timeout")]


def test_the_end_of_a_run_may_be_in_tdat_alone(tmp_path: Path) -> None:
    assert taken(package(tmp_path / "A"), tmp_path / "lake") == (TAKEN, [])


@pytest.mark.parametrize("path", ["F1/x-00_f1_DIM2.dat", "any name/x.dat", "x.dat"])
def test_folders_are_those_that_the_record_names(tmp_path: Path, path: str) -> None:
    folder = package(tmp_path / "A", path=path)
    (folder / "code").mkdir()
    assert taken(folder, tmp_path / "lake") == (TAKEN, [])


def test_a_package_may_have_a_folder_for_each_run(tmp_path: Path) -> None:
    for n in range(1, 4):
        runs = f"{n}:12|-8.0e-009, {n + 3}:20|2.5e-01"
        package(tmp_path / "top" / "A" / "2D" / f"1_2D_{n}", runs)
    (tmp_path / "top" / "__MACOSX").mkdir()
    rows, said = taken(tmp_path / "top", tmp_path / "lake")
    assert ([row[2] for row in rows], said) == ([1, 2, 3, 4, 5, 6], [])


def test_an_algorithm_in_two_packages_is_refused_and_a_copy_counts_once(tmp_path: Path) -> None:
    top = tmp_path / "top"
    package(top / "A" / "one")
    package(top / "A" / "copy")
    assert taken(top, tmp_path / "lake") == (TAKEN, [])
    package(top / "B" / "one")
    _, (said,) = taken(top, tmp_path / "other")
    assert said in {f"A also has runs on f001_d02 in {one}" for one in "AB"}


def test_two_algorithms_on_an_instance_are_no_repetition(tmp_path: Path) -> None:
    """Then repetitions are numbers of instances: 1 and 7, not 1 and 2."""
    runs = RUNS.replace("2:20", "7:20")
    for name in ("A", "B"):
        package(tmp_path / "both" / name, runs, name=name)
    found, said = taken(tmp_path / "both", tmp_path / "lake")
    assert said == []
    assert [row[:3] for row in found] == [
        (name, "f001_d02", instance) for name in "AB" for instance in (1, 7)
    ]


def test_names_of_versions_in_a_package_are_one_algorithm(tmp_path: Path) -> None:
    folder = package(tmp_path / "P", name="A 1.0")
    text = (folder / "bbobexp_f1.info").read_bytes().replace(b"A 1.0", b"A 1.1")
    for new in (b"DIM = 3", b"DIM = 5"):
        more = text.replace(b"DIM = 2", new).replace(b"f1_DIM2", b"f1_DIM3")
        (folder / f"{new.decode()}.info").write_bytes(more)
    for path in [*(folder / "data_f1").iterdir()]:
        path.with_stem("f1_DIM3").write_bytes(path.read_bytes())
    (done,) = ae.import_scenarios([folder], into=tmp_path / "lake")
    said = "the runs of 'A 1.0' count as runs of 'A 1.1', which lacks exactly these runs here"
    assert said in [found.message for found in done.findings]
    algorithms = "select algorithm from raw_algorithm"
    assert ae.query(algorithms, lake=tmp_path / "lake").rows() == [("A 1.1",)]


@pytest.mark.parametrize(
    ("runs", "end", "n", "hits", "times"),
    [
        ("1:12|-8.0e-009, 2", "\n", 1, HITS, TIMES),  # as the observer leaves it
        ("1:12|-8.0e-009, 2", "", 1, HITS[:1], TIMES[:1]),
        ("1:12|-8.0e-009, 2:2", "", 1, HITS, TIMES),
        ("1:12|-8.0e-009, 2:20|2.5e", "", 1, HITS, TIMES),
        ("1:12|-8.0e-009, 2:20|2", "", 1, HITS, TIMES),
        ("1:12|-8.0e-009", "", 1, HITS, TIMES),
        ("2, 1:12|-8.0e-009", "\n", 1, HITS[::-1], TIMES[::-1]),
        (
            "1:12|-8.0e-009, 2, 3, 4:20|2.5e-01",
            "\n",
            2,
            (HITS[0], *HITS[:1] * 2, HITS[1]),
            (TIMES[0], *TIMES[:1] * 2, TIMES[1]),
        ),
    ],
)
def test_a_record_cut_short_costs_its_run(
    tmp_path: Path, runs: str, end: str, n: int, hits: Any, times: Any
) -> None:
    folder = package(tmp_path / "A", runs, end=end, hits=hits, times=times)
    rows, said = taken(folder, tmp_path / "lake")
    assert rows[0] == TAKEN[0]
    assert len(rows) == n
    ends = "1 run" if (2 if n == 2 else 1) == 1 else "2 runs"
    assert said == [f"{ends} left out, because the record is incomplete"]


def test_a_header_that_is_cut_costs_its_record(tmp_path: Path) -> None:
    folder = package(tmp_path / "A")
    with (folder / "bbobexp_f1.info").open("a") as file:
        file.write("funcId = 1, DI")
    rows, said = taken(folder, tmp_path / "lake")
    assert (rows, said) == (TAKEN, ["a record without its runs is left out"])


def test_data_beyond_their_record_are_taken_with_a_warning(tmp_path: Path) -> None:
    more = (TIMES[0], (*TIMES[1], (30, 0.25)))
    rows, said = taken(package(tmp_path / "A", times=more), tmp_path / "lake")
    assert rows == [TAKEN[0], ("A", "f001_d02", 2, 30.0, "timeout")]
    assert said == ["the data file has more evaluations or a better precision than its record"]
    rising = (TIMES[0], ((1, 4.0), (10, 0.25), (15, 0.75), (20, 0.25)))
    rows, said = taken(package(tmp_path / "B", times=rising), tmp_path / "other")
    assert rows == TAKEN
    assert said == ["the best precision gets worse within a run; the import uses the best value so far"]


def test_several_objectives_are_refused_once(tmp_path: Path) -> None:
    for n in range(3):
        text = "algorithm = 'A', indicator = 'hyp', folder = 'x'\n% of A\n"
        text += "function = 1, dim = 2, a_hyp.dat, 1:1500|1.8e+002\n"
        (tmp_path / f"{n}_hyp.info").write_text(text)
    _, said = taken(tmp_path, tmp_path / "lake")
    assert said == ["the suite of several objectives is not read"]


@pytest.mark.slow
def test_an_archive_may_have_more_than_ten_thousand_members(tmp_path: Path) -> None:
    folder = package(tmp_path / "A")
    with tarfile.open(tmp_path / "A.tgz", "w:gz") as packed:
        packed.add(folder, "A")
        for n in range(10_000):
            one = tarfile.TarInfo(f"A/{n}")
            one.type = tarfile.DIRTYPE
            packed.addfile(one)
    assert taken(tmp_path / "A.tgz", tmp_path / "lake") == (TAKEN, [])


def test_a_folder_of_other_things_is_no_package(tmp_path: Path) -> None:
    package(tmp_path / "all" / "a" / "b" / "A")
    (tmp_path / "all" / "other").mkdir()
    assert "A/bbobexp" not in CliRunner().invoke(main, ["check", str(tmp_path / "all")]).output


def test_a_package_of_2019_has_the_numbers_of_its_owner(shared: Path, tmp_path: Path) -> None:
    real = shared / "competitions" / "real-files"
    lake = tmp_path / "lake"
    command = ["import", str(real / "coco19"), "--lake", str(lake)]
    assert CliRunner().invoke(main, command, catch_exceptions=False).exit_code == 0
    expected = json.loads((real / "expected.json").read_text())["coco19"]["f001_d02"]
    rows = ae.query(SQL, lake=lake).rows()
    assert [[row[3], row[4] == "ok"] for row in rows] == expected
