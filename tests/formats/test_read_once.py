"""A file that is imported or checked is opened, hashed and understood once."""

from __future__ import annotations

import io
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import aslib_eval as ae
from aslib_eval import paths
from aslib_eval.formats import runs, sources
from aslib_eval.formats.aslib import scenario
from aslib_eval.formats.runs import layout, table_runs
from aslib_eval.formats.sources import FilesRead, Location, Source, load_files
from tests.conftest import ROOT

HEADER = "instance,solver,time,status,cutoff\n"
RUNS = HEADER + "i,a,1,ok,60\ni,b,60,timeout,60\n"
PARTS = "scenario," + RUNS.replace("\ni", "\nONE,i") + "TWO,i,a,2,ok,60\n"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """An empty folder, of which is counted what is opened in it."""
    folder = tmp_path / "data"
    folder.mkdir()
    return folder


@pytest.fixture
def opened(data: Path, monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each file was opened that lies in the folder of data."""
    counts: Counter[str] = Counter()
    real = io.open

    def count(file: Any, *args: Any, **kwargs: Any) -> Any:
        if isinstance(file, str | Path) and Path(file).is_relative_to(data):
            counts[str(Path(file).relative_to(data))] += 1
        return real(file, *args, **kwargs)

    monkeypatch.setattr(io, "open", count)  # also that of Path.open and read_bytes
    monkeypatch.setattr(paths, "open", count, raising=False)
    return counts


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often files were hashed, tables and descriptions read, columns understood."""
    counts: Counter[str] = Counter()

    def counted(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            counts[name] += 1
            return function(*args, **kwargs)

        return call

    sha256 = counted("hashes", sources.hashlib.sha256)
    monkeypatch.setattr(sources.hashlib, "sha256", sha256)
    monkeypatch.setattr(runs, "read_raw", counted("tables", runs.read_raw))
    understood = counted("layouts", layout.layout_of)
    monkeypatch.setattr(layout, "layout_of", understood)
    monkeypatch.setattr(table_runs, "layout_of", understood)
    described = counted("descriptions", scenario.parse_description)
    monkeypatch.setattr(scenario, "parse_description", described)
    return counts


def imported(data: Path, name: str = "") -> list[str]:
    done = ae.import_scenarios(data / name, into=data.parent / "lake")
    assert [str(each.error) for each in done if each.error] == []
    return [each.scenario_id for each in done]


def test_a_table_of_runs(data: Path, opened: Counter[str], made: Counter[str]) -> None:
    (data / "mine.csv").write_text(RUNS)
    opened.clear()
    assert imported(data, "mine.csv") == ["mine"]
    assert opened == {"mine.csv": 1}
    assert made["tables"] == made["layouts"] == 1


def test_a_table_of_several_scenarios_with_their_settings(
    data: Path, opened: Counter[str], made: Counter[str]
) -> None:
    (data / "both.csv").write_text(PARTS)
    (data / "scenario.toml").write_text('time_unit = "s"\n')
    opened.clear()
    assert imported(data, "both.csv") == ["ONE", "TWO"]
    assert opened == {"both.csv": 1, "scenario.toml": 1}
    assert made["tables"] == made["layouts"] == 1


def test_tables_in_a_folder(data: Path, opened: Counter[str]) -> None:
    for name in ("one", "two"):
        (data / f"{name}.csv").write_text(RUNS)
    (data / "notes.csv").write_text("what,when\nlunch,noon\n")
    opened.clear()
    assert imported(data) == ["one", "two"]
    assert opened == {"one.csv": 1, "two.csv": 1, "notes.csv": 1}


def test_a_table_of_results(data: Path, opened: Counter[str]) -> None:
    rows = "task,method,metric,value,direction\nt,m,loss,1,minimize\n"
    (data / "loss.csv").write_text(rows)
    opened.clear()
    assert imported(data, "loss.csv") == ["loss"]
    assert opened == {"loss.csv": 1}


@pytest.fixture
def toy(data: Path) -> Path:
    return Path(shutil.copytree(ROOT / "scenarios" / "TOY-2026", data / "TOY"))


def test_a_scenario_of_aslib(toy: Path, opened: Counter[str], made: Counter[str]) -> None:
    files = {f"TOY/{path.name}": 1 for path in toy.iterdir()}
    opened.clear()
    assert imported(toy.parent, toy.name) == ["TOY-2026"]
    assert opened == files
    assert made["descriptions"] == 1


def test_a_check(toy: Path, opened: Counter[str], made: Counter[str]) -> None:
    table = toy.parent / "mine.csv"
    table.write_text(RUNS)
    opened.clear()
    assert not [f for f in ae.check_paths([toy, table]) if f.severity == "error"]
    assert set(opened.values()) == {1}
    assert made["descriptions"] == made["tables"] == made["layouts"] == 1


def test_what_is_asked_for_again_has_one_hash(data: Path, made: Counter[str]) -> None:
    (data / "both.csv").write_text(PARTS)
    location = Location(data / "both.csv", "both.csv")
    load_files(location, ())
    load_files(location, ())  # it might be large: nobody said that it is needed again
    assert made["hashes"] == 2
    location.files.source(location.path, keep=True)
    first, second = load_files(location, ()), load_files(location, ())
    assert first["both.csv"] is second["both.csv"]
    assert made["hashes"] == 3


def test_more_than_there_is_room_for_is_read_again(
    data: Path, opened: Counter[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "HEAD", 4)
    monkeypatch.setattr(sources, "_HELD", 10)
    (data / "a").write_bytes(b"12345678")
    (data / "b").write_bytes(b"abcdefgh")
    opened.clear()
    files = FilesRead()
    assert files.head(data / "a") == sources.FileHead(b"12345678", is_whole=True)
    assert files.head(data / "b") == sources.FileHead(b"abcde", is_whole=False)
    assert files.source(data / "a") == Source.of(b"12345678")
    assert files.source(data / "b") == Source.of(b"abcdefgh")
    assert opened == {"a": 1, "b": 2}


def test_heads_take_no_room_of_whole_files(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "HEAD", 4)
    monkeypatch.setattr(sources, "_HELD", 8)
    (data / "large").write_bytes(b"x" * 9)
    (data / "small").write_bytes(b"y" * 7)
    files = FilesRead()
    assert not files.head(data / "large").is_whole
    assert files.head(data / "small").is_whole
