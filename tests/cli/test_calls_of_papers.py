"""What the commands of papers that are made again hand to the library."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import pytest

from tests.cli.test_calls import called


@pytest.mark.parametrize(
    ("line", "function", "named"),
    [
        (
            "paper amadini2023 --lake L --scenario A --system RF=rf_all --system X=a=b",
            "aslib_eval.papers.amadini2023:amadini2023",
            {"scenarios": ("A",), "systems": {"RF": "rf_all", "X": "a=b"}},
        ),
        (
            "paper oasc2017 --lake L --scenario A",
            "aslib_eval.papers.oasc2017:oasc2017",
            {"scenarios": ("A",)},
        ),
    ],
)
def test_what_is_asked(
    line: str, function: str, named: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert called(line, function, monkeypatch) == ((Path("L"),), named)


@pytest.mark.parametrize("name", ["amadini2023", "oasc2017"])
def test_the_folder_of_a_paper(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = importlib.import_module(f"aslib_eval.papers.{name}")
    monkeypatch.setattr(module, name, lambda *_, **__: "a paper")
    line = f"paper {name} -o {tmp_path}/out"
    found = called(line, "aslib_eval.papers.reproduction:write_paper", monkeypatch)
    assert found == (("a paper", tmp_path / "out"), {})
