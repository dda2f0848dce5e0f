"""Archives of every format: what is imported and checked from them, and what is not."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

import aslib_eval as ae
from aslib_eval.cli import main
from aslib_eval.formats import registry
from aslib_eval.formats.registry import FORMATS
from aslib_eval.formats.results import RESULTS as RESULTS_FORMAT
from aslib_eval.formats.sources import Location, Source, read_source
from aslib_eval.linter import check_paths
from aslib_eval.plugins import Registry
from tests.conftest import opened, rows, write_scenario
from tests.experiments import write_table
from tests.formats.aslib.test_train_test import contest

RUNS = [("i1", 1, "a", 1, "ok"), ("i1", 1, "b", 100, "timeout")]
RESULTS = [("t", "A", 1, "mae", 1), ("t", "B", 1, "mae", 2)]
TABLE = "task,method,seed,metric,value"


def an_aslib_scenario(top: Path) -> None:
    write_scenario(top / "S", runs=RUNS)


def two_aslib_scenarios(top: Path) -> None:
    for name in ("S", "T"):
        write_scenario(top / "both" / name, runs=RUNS)


def a_folder_of_results(top: Path) -> None:
    write_table(top / "R" / "results.csv", RESULTS, TABLE)


# What writes the content of an archive, the scenarios in it, and the folders they are said to be in.
PACKED: dict[str, tuple[Callable[[Path], object], dict[str, str]]] = {
    "an ASlib scenario": (an_aslib_scenario, {"S": "S"}),
    "two ASlib scenarios": (two_aslib_scenarios, {"S": "S", "T": "T"}),
    "a contest": (lambda top: contest(top / "Nick"), {"C": "Nick"}),
    "a folder of results": (a_folder_of_results, {"R": "R"}),
    "a table": (lambda top: write_table(top / "mine.csv", RESULTS, TABLE), {"mine": "mine.csv"}),
}


def packed(tmp_path: Path, write: Callable[[Path], object], kind: str = "zip") -> Path:
    (tmp_path / "in").mkdir()
    write(tmp_path / "in")
    return Path(shutil.make_archive(str(tmp_path / "x"), kind, tmp_path / "in"))


def require_imported(
    tmp_path: Path, write: Callable[[Path], object], held: dict[str, str], kind: str
) -> None:
    """All scenarios of an archive go in, under their folders in it."""
    archive, lake = packed(tmp_path, write, kind), tmp_path / "lake"
    outcomes = ae.import_scenarios([archive], into=lake)
    assert [(o.path, o.status, o.error) for o in outcomes] == [(str(archive), "imported", None)] * len(held)
    with opened(lake) as con:
        assert dict(rows(con, "select distinct scenario_id, folder from raw_scenario")) == held
    assert {o.status for o in ae.import_scenarios([archive], into=lake)} == {"unchanged"}


def require_findings_of_the_folder(tmp_path: Path, write: Callable[[Path], object]) -> None:
    """An archive has the findings of what is in it, with the names of its files."""
    archive = packed(tmp_path, write)
    plain = {f.code for path in (tmp_path / "in").iterdir() for f in check_paths([path])}
    found = check_paths([archive])
    assert {f.code for f in found} == plain
    assert all(f.file.startswith(f"{archive}/") for f in found)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["gztar", "xztar", "zip"])
@pytest.mark.parametrize("what", PACKED)
def test_all_scenarios_of_an_archive_go_in(tmp_path: Path, what: str, kind: str) -> None:
    require_imported(tmp_path, *PACKED[what], kind)


@pytest.mark.parametrize("what", PACKED)
def test_an_archive_has_the_findings_of_its_folder(tmp_path: Path, what: str) -> None:
    require_findings_of_the_folder(tmp_path, PACKED[what][0])


def test_one_bad_scenario_of_an_archive_stops_no_other(tmp_path: Path) -> None:
    def two(top: Path) -> None:
        two_aslib_scenarios(top)
        (top / "both" / "S" / "description.txt").write_text("- no\n")

    archive = packed(tmp_path, two)
    outcomes = ae.import_scenarios([archive], into=tmp_path / "lake")
    assert [(o.path, o.status) for o in outcomes] == [(str(archive), "failed"), (str(archive), "imported")]
    assert f"{archive}/both/S/description.txt:1" in str(outcomes[0].error)


def test_only_the_named_format_is_looked_for(tmp_path: Path) -> None:
    def mixed(top: Path) -> None:
        a_folder_of_results(top)
        an_aslib_scenario(top)

    archive, lake = packed(tmp_path, mixed), tmp_path / "lake"
    (outcome,) = ae.import_scenarios([archive], into=lake, input_format="table")
    assert outcome.scenario_id == "R"
    (outcome,) = ae.import_scenarios([archive], into=lake, input_format="runs")
    assert str(outcome.error).startswith(f"{archive}: ")
    both = ae.import_scenarios([archive], into=lake)
    assert [o.scenario_id for o in both] == ["S", "R"]


@pytest.mark.parametrize(
    ("write", "what"),
    [
        (lambda top: (top / "a.txt").touch(), "holds no description.txt"),
        (lambda top: packed(top, an_aslib_scenario), "holds no description.txt"),
        (lambda top: (top / "a.txt").symlink_to("/etc/passwd"), "refused"),
    ],
    ids=["nothing", "another archive", "a link"],
)
def test_an_archive_of_no_scenario_is_refused(
    tmp_path: Path, write: Callable[[Path], None], what: str
) -> None:
    def alone(top: Path) -> None:
        write(top)
        shutil.rmtree(top / "in", ignore_errors=True)

    archive = packed(tmp_path, alone, "gztar")
    (outcome,) = ae.import_scenarios([archive], into=tmp_path / "lake")
    assert str(outcome.error).startswith(f"{archive}: {what}")
    (found,) = check_paths([archive])
    assert (found.code, found.file) == ("unreadable", str(archive))
    assert not list((tmp_path / "lake").glob("*.json"))


def test_an_archive_within_a_scenario_is_none_of_its_own(tmp_path: Path) -> None:
    a_folder_of_results(tmp_path)
    (tmp_path / "R" / "sources.zip").touch()
    outcomes = ae.import_scenarios([tmp_path / "R"], into=tmp_path / "lake")
    assert [(o.scenario_id, o.error) for o in outcomes] == [("R", None)]
    write_scenario(tmp_path / "S", runs=RUNS)
    (tmp_path / "z.zip").touch()
    outcomes = ae.import_scenarios([tmp_path], into=tmp_path / "lake")
    assert [Path(o.path).name for o in outcomes] == ["S", "z.zip", "R"]


def test_a_format_of_ones_own_needs_its_entry_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def find(path: Path) -> list[Location]:
        return [Location(path, str(path))] if (path / "own.csv").is_file() else []

    def load(location: Location) -> dict[str, Source]:
        return {"results.csv": read_source(location.path / "own.csv")}

    own = replace(RESULTS_FORMAT, name="own", find=find, load=load)
    every = Registry("of no package", {**FORMATS, "own": own}, lambda *_: own)
    monkeypatch.setattr(registry, "FORMATS", every)
    archive = packed(tmp_path, lambda top: [write_table(top / "O" / "own.csv", RESULTS, TABLE)])
    for path in (archive, tmp_path / "in"):
        assert check_paths([path]) == []
        lake = tmp_path / f"lake-{path.name}"
        (outcome,) = ae.import_scenarios([path], into=lake, input_format="own")
        assert (outcome.scenario_id, outcome.status) == ("O", "imported")


def test_the_command_offers_every_format() -> None:
    assert (next(iter(FORMATS)), *list(FORMATS)[-2:]) == ("aslib", "runs", "table")
    done = CliRunner().invoke(main, ["import", "--help"])
    assert f"--input-format [{'|'.join(FORMATS)}]" in done.stdout
