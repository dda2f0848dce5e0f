"""A file that is imported or checked is opened, hashed and understood once."""

from __future__ import annotations

import io
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import aslib_eval as ae
from aslib_eval import paths
from aslib_eval.formats import runs, sources
from aslib_eval.formats.runs.raw_table import read_raw
from aslib_eval.formats.sources import FilesRead, Source
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


def imported(data: Path, name: str = "") -> list[str]:
    done = ae.import_scenarios(data / name, into=data.parent / "lake")
    assert [str(each.error) for each in done if each.error] == []
    return [each.scenario_id for each in done]


RESULTS = "task,method,metric,value,direction\nt,m,loss,1,minimize\n"
NOTES = "what,when\nlunch,noon\n"


@pytest.mark.parametrize(
    ("files", "named", "ids"),
    [
        ({"mine.csv": RUNS}, "mine.csv", ["mine"]),
        ({"both.csv": PARTS, "scenario.toml": 'time_unit = "s"\n'}, "both.csv", ["ONE", "TWO"]),
        ({"one.csv": RUNS, "two.csv": RUNS, "notes.csv": NOTES}, "", ["one", "two"]),
        ({"loss.csv": RESULTS}, "loss.csv", ["loss"]),
    ],
)
def test_tables(
    data: Path, opened: Counter[str], files: dict[str, str], named: str, ids: list[str]
) -> None:
    for name, text in files.items():
        (data / name).write_text(text)
    opened.clear()
    assert imported(data, named) == ids
    assert opened == dict.fromkeys(files, 1)


def test_a_table_of_several_scenarios_is_understood_once(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files: list[str] = []

    def read(content: bytes, **how: Any) -> Any:
        files.append(how["file"])
        return read_raw(content, **how)

    monkeypatch.setattr(runs, "read_raw", read)
    for each in (runs, sources):
        monkeypatch.setattr(each, "HEAD", 80)
    (data / "both.csv").write_text(PARTS)
    assert imported(data, "both.csv") == ["ONE", "TWO"]
    assert files == [str(data / "both.csv")] * 2  # its beginning, then all of it


@pytest.fixture
def toy(data: Path) -> Path:
    return Path(shutil.copytree(ROOT / "scenarios" / "TOY-2026", data / "TOY"))


def test_a_scenario_of_aslib(toy: Path, opened: Counter[str]) -> None:
    files = {f"TOY/{path.name}": 1 for path in toy.iterdir()}
    opened.clear()
    assert imported(toy.parent, toy.name) == ["TOY-2026"]
    assert opened == files


def test_a_check(toy: Path, opened: Counter[str]) -> None:
    table = toy.parent / "mine.csv"
    table.write_text(RUNS)
    opened.clear()
    assert not [f for f in ae.check_paths([toy, table]) if f.severity == "error"]
    assert set(opened.values()) == {1}


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
