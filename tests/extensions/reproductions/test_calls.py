"""What the commands of papers that are made again hand to the library."""

from __future__ import annotations

import importlib
from functools import wraps
from pathlib import Path

import pytest

import aslib_eval as ae
from aslib_eval.errors import OptionError
from tests.cli.test_calls import called

PAPERS = "aslib_eval.extensions.reproductions"


def test_who_plays_a_system(monkeypatch: pytest.MonkeyPatch) -> None:
    line = "paper amadini2023 --lake L --system RF=rf_all --system X=a=b"
    _, named = called(line, f"{PAPERS}.amadini2023:look", monkeypatch)
    assert named == {"scenarios": (), "systems": {"RF": "rf_all", "X": "a=b"}}
    with pytest.raises(OptionError, match="systems=R: write NAME=SELECTOR"):
        ae.paper_amadini2023("L", systems=["R"])


@pytest.mark.parametrize("name", ["amadini2023", "oasc2017"])
def test_the_folder_of_a_paper(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = importlib.import_module(f"{PAPERS}.{name}")
    monkeypatch.setattr(module, name, wraps(getattr(module, name))(lambda *_, **__: "a paper"))
    line = f"paper {name} -o {tmp_path}/out"
    found = called(line, f"{PAPERS}.published:write_paper", monkeypatch)
    assert found == (("a paper", tmp_path / "out"), {})


def test_which_numbers_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    line = "published --lake L --scenario MIP-2016 --paper oasc* --explain --seconds 0"
    (held, chosen), _ = called(line, f"{PAPERS}.published:numbers_at_hand", monkeypatch)
    assert (held.lake, held.scenarios) == (Path("L"), ("MIP-2016",))
    assert {number.paper for number in chosen} == {"oasc2017"}


@pytest.mark.parametrize(("words", "seconds"), [("", 60), ("--seconds 9", 9), ("--seconds 0", None)])
def test_a_search_for_what_no_claim_explains(
    words: str, seconds: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = f"{PAPERS}.published"
    monkeypatch.setattr(f"{home}.numbers_at_hand", lambda *_: [])
    monkeypatch.setattr(f"{home}.of_papers", lambda *_, **__: (["a number"], []))
    line = f"published --lake L --explain {words}"
    (found, search), _ = called(line, f"{home}:check", monkeypatch)
    assert found == ["a number"]
    if seconds is None:
        assert search is None
    else:
        assert search.keywords == {"lake": Path("L"), "seconds": seconds}


def test_numbers_of_ones_own(monkeypatch: pytest.MonkeyPatch) -> None:
    function = f"{PAPERS}.published:read_numbers"
    args, _ = called("published --numbers mine.csv", function, monkeypatch)
    assert args == (Path("mine.csv"),)
