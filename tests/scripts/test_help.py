"""The first word --help of a script says what the script is for, and makes nothing."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

SCRIPTS = {
    path.name: path.read_text(encoding="utf-8").splitlines()[0]
    for path in sorted((ROOT / "scripts").iterdir())
    if path.is_file() and path.name != "environment"
}
IN_BASH = [name for name, first in SCRIPTS.items() if first.endswith("bash")]
# Those that are not run by name alone, as they need packages of their own.
IN_PYTHON = [name for name in SCRIPTS if name not in {*IN_BASH, "optimise"}]


@pytest.mark.parametrize("name", IN_BASH)
def test_help_is_the_header_and_makes_nothing(name: str, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "scripts", tmp_path / "scripts")
    done = subprocess.run(
        ["bash", f"../scripts/{name}", "--help"],
        cwd=tmp_path / "scripts",
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    source = (ROOT / "scripts" / name).read_text(encoding="utf-8").splitlines()
    header = source[1 : next(at for at, line in enumerate(source) if line[:1] != "#")]
    assert done.stdout == "".join(f"{line[2:]}\n" for line in header)
    assert f"  scripts/{name}" in done.stdout
    assert [path.name for path in tmp_path.iterdir()] == ["scripts"]


@pytest.mark.slow
@pytest.mark.parametrize("name", IN_PYTHON)
def test_help_of_those_in_python(name: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / name), "--help"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert f"scripts/{name} [" in done.stdout or f"usage: {name} [" in done.stdout
    assert not list(tmp_path.iterdir())
