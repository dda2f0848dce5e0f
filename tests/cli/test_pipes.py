"""A pipe in the place of a file is refused: nobody may ever write into it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from aslib_eval.cli import main
from tests.conftest import ROOT

TOY = str(ROOT / "scenarios" / "TOY-2026")


@pytest.mark.parametrize(
    "command",
    [
        f"import {TOY} --attributes PIPE",
        f"import {TOY} --family PIPE",
        f"check {TOY} --attributes PIPE",
        "resample --by family --groups PIPE",
    ],
)
def test_a_pipe_is_not_waited_for(
    tmp_path: Path, command: str, toy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASLIB_LAKE", str(toy))
    os.mkfifo(tmp_path / "pipe")
    words = command.replace("PIPE", str(tmp_path / "pipe")).split()
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 1
    assert "it is a pipe or a device" in done.stderr
