"""A pipe in the place of a file is refused: nobody may ever write into it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner

import aslib_eval as ae
from aslib_eval.cli import main
from tests.conftest import ROOT

TOY = str(ROOT / "scenarios" / "TOY-2026")


def test_a_pipe_is_no_baseline(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    (tmp_path / "e.csv").write_text(
        "problem,method,trial,iteration,value\n"
        "p,random,1,1,3\np,random,2,1,2\np,ant,1,1,1\np,ant,2,1,2\n"
    )
    ae.import_scenarios(tmp_path / "e.csv", into=tmp_path / "lake")
    options = [
        "--baseline",
        str(tmp_path / "pipe.json"),
        "--lake",
        str(tmp_path / "lake"),
    ]
    done = CliRunner().invoke(main, ["score", "--optimiser", "summary", *options])
    assert "it is a pipe or a device" in done.stderr


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
