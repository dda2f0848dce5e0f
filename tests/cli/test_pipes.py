"""A pipe in the place of a file is refused: nobody may ever write into it."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest
from click.testing import CliRunner

from aslib_eval.cli import main
from tests.conftest import ROOT, needs

TOY = str(ROOT / "scenarios" / "TOY-2026")


@pytest.mark.parametrize(
    "command",
    [
        "import TOY --attributes PIPE",
        "import TOY --family PIPE",
        "check TOY --attributes PIPE",
        pytest.param("resample --by family --groups PIPE", marks=needs("resampling")),
    ],
)
def test_a_pipe_is_not_waited_for(
    tmp_path: Path, command: str, toy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASLIB_LAKE", str(toy))
    os.mkfifo(tmp_path / "pipe")
    words = command.replace("TOY", TOY).replace("PIPE", str(tmp_path / "pipe")).split()
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 1
    assert "it is a pipe or a device" in done.stderr


@pytest.mark.parametrize(("terminal", "first"), [(["less"], "protocol  "), ([], "| protocol |")])
def test_a_pipe_from_a_terminal_gets_its_table_and_another_what_programs_read(
    toy: Path, terminal: list[str], first: str
) -> None:
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 60, 0, 0))
    words = ["list", "--lake", str(toy)]
    done = subprocess.run(
        [sys.executable, "-m", "aslib_eval", *words],
        env={k: v for k, v in os.environ.items() if k != "COLUMNS"},
        stdout=subprocess.PIPE,
        stderr=theirs if terminal else subprocess.DEVNULL,
        text=True,
        check=True,
    )
    os.close(theirs)
    os.close(ours)
    assert done.stdout.startswith(first)
    assert "\033" not in done.stdout
    assert (max(map(len, done.stdout.splitlines())) <= 60) is bool(terminal)
