"""A report made again makes what has changed, and has the bytes of a fresh one."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import aslib_eval as ae
from aslib_eval.analysis import results as scenario_results
from aslib_eval.analysis.results import ScenarioResults
from aslib_eval.database.protocol import ORDERING, load
from aslib_eval.executors import processes
from aslib_eval.lake.versions import RESULTS
from aslib_eval.plugins import PlugIn
from aslib_eval.reports import write
from aslib_eval.reports.write import RECORD, Wanted, write_report
from aslib_eval.selections import import_selections
from tests.conftest import write_scenario
from tests.lab import runs

NAMES = ("A-1", "B-2", "C-3")


def imported(home: Path, name: str, first: list[float]) -> None:
    folder = write_scenario(home / name, runs=runs(X=first, Y=[2, 1]))
    (outcome,) = ae.import_scenarios([folder], into=home / "lake")
    assert outcome.error is None


@pytest.fixture(scope="module")
def reported(
    tmp_path_factory: pytest.TempPathFactory,
    two_definitions: None,  # noqa: ARG001 - while all tests of this module run
) -> Path:
    """A lake of three scenarios and its report."""
    home = tmp_path_factory.mktemp("reported")
    for name in NAMES:
        imported(home, name, [1, 2])
    write_report(home / "lake", to=home / "r")
    return home


@pytest.fixture
def home(reported: Path, tmp_path: Path) -> Path:
    return shutil.copytree(reported, tmp_path / "home", symlinks=True)


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The scenarios whose pages are made, in this order; an index is ``index``."""
    noted: list[str] = []
    page, index = write.scenario_page, write.index_page

    def note_page(results: ScenarioResults, **named: Any) -> str:
        noted.append(results.scenario_id)
        return page(results, **named)

    def note_index(*args: Any, **named: Any) -> str:
        noted.append("index")
        return index(*args, **named)

    monkeypatch.setattr(write, "scenario_page", note_page)
    monkeypatch.setattr(write, "index_page", note_index)
    return noted


def test_what_pages_ask_is_built_at_once(toy: Path, tmp_path: Path) -> None:
    home = tmp_path / "lake"
    shutil.copytree(toy, home, symlinks=True, ignore=shutil.ignore_patterns(RESULTS))
    with ae.open(home) as lake:
        scenario_results.build_for_pages(lake)
        built = contents(home / RESULTS)
        frames = scenario_results.page_frames(lake)
        (results,) = scenario_results.scenarios_of(lake, frames)
        write.scenario_page(results)
    assert results.frames["metric_gap"]["solver"].unique().sort().to_list() == [
        *("asap", "careful", "hasty", "isac", "loyal", "rf", "rfreg", "sunny", "zilla")
    ]
    assert contents(home / RESULTS).keys() == built.keys()


def contents(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def as_if_fresh(home: Path) -> bool:
    """Whether a report made again has the files of one made anew."""
    write_report(home / "lake", to=home / "fresh")
    return contents(home / "fresh") == contents(home / "r")


def test_nothing_is_made_where_nothing_changed(home: Path, made: list[str]) -> None:
    before = {p: p.stat().st_mtime_ns for p in (home / "r").rglob("*")}
    written = write_report(home / "lake", to=home / "r")
    assert made == []
    assert [path.name for path in written] == [*(f"{n}.html" for n in NAMES), "index.html"]
    assert {p: p.stat().st_mtime_ns for p in (home / "r").rglob("*")} == before


def test_force_makes_everything(home: Path, made: list[str]) -> None:
    before = contents(home / "r")
    write_report(home / "lake", to=home / "r", force=True)
    assert made == [*NAMES, "index"]
    assert contents(home / "r") == before


def test_a_changed_scenario_alone_is_made(home: Path, made: list[str]) -> None:
    imported(home, "B-2", [1, 7])
    write_report(home / "lake", to=home / "r")
    assert made == ["B-2", "index"]
    assert as_if_fresh(home)


@pytest.mark.slow
def test_a_scenario_more_is_made_and_one_less_leaves_the_index(home: Path, made: list[str]) -> None:
    write_report(home / "lake", to=home / "r", scenarios=["[AB]-*"])
    assert made == ["index"]
    imported(home, "D-4", [3, 7])
    write_report(home / "lake", to=home / "r")
    assert made == ["index", "D-4", "index"]
    assert as_if_fresh(home)


def lose(file: Path) -> None:
    file.unlink()


def edit(file: Path) -> None:
    file.write_text("edited")


@pytest.mark.parametrize("spoil", [lose, edit])
def test_a_page_that_is_not_as_it_was_written_is_made(
    home: Path, made: list[str], spoil: Callable[[Path], None]
) -> None:
    before = contents(home / "r")
    spoil(home / "r" / "scenario" / "C-3.html")
    write_report(home / "lake", to=home / "r")
    assert made == ["C-3"]
    spoil(home / "r" / "index.html")
    write_report(home / "lake", to=home / "r")
    assert made == ["C-3", "index"]
    assert contents(home / "r") == before


def test_pages_to_which_a_plug_in_adds_are_always_made(
    home: Path, made: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs = PlugIn("sections", "own", "own-package", "1.0", "own:section")
    monkeypatch.setattr(write, "of_others", lambda *kinds: (theirs,) if "sections" in kinds else ())
    write_report(home / "lake", to=home / "r", scenarios=["A-1"])
    write_report(home / "lake", to=home / "r", scenarios=["A-1"])
    assert made == ["A-1", "A-1"]  # the index of one page is no page


@pytest.mark.slow
def test_a_record_leads_to_no_other_folder(home: Path, made: list[str]) -> None:
    record = json.loads((home / "r" / RECORD).read_text())
    record["scenarios"]["A-1"][1][0][-1] = "../index.html"
    (home / "r" / RECORD).write_text(json.dumps(record))
    write_report(home / "lake", to=home / "r")
    assert made == [*NAMES, "index"]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["protocol", "sql"])
def test_another_protocol_and_other_sql_make_other_pages(home: Path, made: list[str], name: str) -> None:
    folder = home / "sql" / "solver"
    folder.mkdir(parents=True)
    shown = "-- One row per solver.\n-- key: solver\n-- solver: name\nselect 'X' as solver"
    (folder / "mine.sql").write_text(shown)
    other: dict[str, dict[str, Any]] = {
        "protocol": {"protocol": "asf"},
        "sql": {"sql_dirs": [home / "sql"]},
    }
    write_report(home / "lake", to=home / "r", **other[name])
    assert made == [*NAMES, "index"]


@pytest.mark.slow
def test_a_scenario_that_is_replaced_meanwhile_is_made_again(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = write.scenario_page
    left = ["A-1"]

    def replacing(results: ScenarioResults, **named: Any) -> str:
        while left:
            imported(home, left.pop(), [5, 7])
        return page(results, **named)

    monkeypatch.setattr(write, "scenario_page", replacing)
    write_report(home / "lake", to=home / "r", force=True)
    assert not left
    assert as_if_fresh(home)


@pytest.mark.slow
@pytest.mark.parametrize("least", [0, 10**6])
def test_pages_are_the_same_from_other_processes(
    home: Path, made: list[str], monkeypatch: pytest.MonkeyPatch, least: int
) -> None:
    monkeypatch.setattr(write, "_LEAST", least)
    monkeypatch.setattr(scenario_results, "ORDERING", ORDERING)  # as the others have them
    write_report(home / "lake", to=home / "here")
    made.clear()
    with processes(2) as pool:
        write_report(home / "lake", to=home / "r", force=True, executor=pool)
    assert made == ["index"]
    assert contents(home / "r") == contents(home / "here")


def answer(home: Path, scenario: str, *selectors: str) -> None:
    """Selectors that choose X on every instance of a scenario."""
    file = home / f"{'-'.join(selectors)}.csv"
    lines = [f"i{at},X,{name}" for name in selectors for at in (1, 2)]
    file.write_text("\n".join(["instance_id,algorithm,selector", *lines, ""]))
    found = import_selections(file, lake=home / "lake", scenario=scenario)
    assert [said.error for said in found] == [None] * len(selectors)


def test_a_page_is_made_of_the_colours_of_its_selectors(home: Path) -> None:
    wanted = Wanted(home / "lake", load("default"))
    answer(home, "A-1", "first")
    answer(home, "C-3", "second")
    before = wanted.inputs()
    answer(home, "B-2", "following")  # before «second», behind «first»
    after = wanted.inputs()
    assert [name for name in NAMES if before[name] != after[name]] == ["B-2", "C-3"]
