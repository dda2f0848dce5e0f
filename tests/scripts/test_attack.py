"""A few minutes' worth of scripts/attack, with fixed seeds: none of it may break.

What fails prints the attempt that shows it again: ``scripts/attack`` with those words.
"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.conftest import ROOT

sys.path.insert(0, str(ROOT / "scripts"))

from attacking.samples import SAMPLES
from attacking.shim import CALLS, Shim
from attacking.writers import WRITERS

pytestmark = pytest.mark.slow


def attack(*words: str) -> subprocess.CompletedProcess[str]:
    path = f"{ROOT / 'scripts'}{os.pathsep}{ROOT}"
    return subprocess.run(
        [sys.executable, "-m", "attacking", *words],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )


def victims(*names: str) -> list[str]:
    return [word for name in names for word in ("--only", name)]


GROUPS = {
    "scenarios": ("aslib", "aslib-contest", "tar.gz", "tar.xz", "zip"),
    "contests": ("bayesmark", "evaluations", "results", "uai"),
    "competitions": ("satcomp", "smtcomp", "minizinc", "maxsat"),
    "others": (*("schedule", "choices", "outcomes"), *("protocol", "manifest", "paper-record", "plan-log")),
}


def test_every_sample_is_attacked_here() -> None:
    assert {name for names in GROUPS.values() for name in names} == set(SAMPLES)


@pytest.mark.parametrize("group", GROUPS)
def test_damaged_inputs(group: str) -> None:
    names = victims(*GROUPS[group])
    done = attack("inputs", "--attempts", "6", "--seconds", "600", *names)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"| all |  | {6 * len(GROUPS[group])} | 0 |" in done.stdout


@pytest.mark.parametrize("name", ["import", "import-selection", "write-scenario", "plan-runs"])
def test_killed_writers(name: str) -> None:
    done = attack("kills", "--attempts", "3", "--only", name)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "| all |  | 3 | 0 |" in done.stdout


@pytest.mark.parametrize("name", ["import", "import-selection", "plan-runs"])
def test_calls_that_fail(name: str) -> None:
    done = attack("faults", "--attempts", "9", "--only", name)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "| all |  | 9 | 0 |" in done.stdout


# --- the attack itself --------------------------------------------------------------


def test_the_attack_says_what_it_does() -> None:
    done = attack("--help")
    assert done.returncode == 0
    assert all(word in done.stdout for word in ("inputs", "kills", "faults", "--seed"))
    assert set(WRITERS) > {"import", "train", "report", "paper", "plan-runs"}


SHIM = """
import os, sys
from pathlib import Path
from attacking.shim import Shim
folder = Path(sys.argv[1])
shim = Shim(folder, call=sys.argv[2], at=int(sys.argv[3]), error=28)
shim.install()
try:
    (folder / "d").mkdir()
    with open(folder / "d" / "f", "w") as file:
        file.write("x")
    descriptor = os.open(folder / "d", os.O_RDONLY)
    os.fsync(descriptor)
    os.link(folder / "d" / "f", folder / "g")
    (folder / "s").symlink_to("g")
    (folder / "s").replace(folder / "t")
    (folder / "t").read_text()
    (folder / "g").unlink()
    Path("/dev/null").read_bytes()
except OSError as error:
    print(error.strerror)
print(dict(shim.counts))
"""


@pytest.mark.parametrize("call", CALLS)
def test_every_call_can_be_made_to_fail(tmp_path_factory: pytest.TempPathFactory, call: str) -> None:
    """And elsewhere nothing fails: what lies outside the folder is not counted."""

    def run(at: int) -> str:
        words = [str(tmp_path_factory.mktemp("shim")), call, str(at)]
        return subprocess.run(
            [sys.executable, "-c", SHIM, *words],
            env={**os.environ, "PYTHONPATH": str(ROOT / "scripts")},
            capture_output=True,
            text=True,
            check=True,
        ).stdout

    counted = run(0)
    n = eval(counted)[call]  # noqa: S307 - a dictionary of our own
    assert n >= 1
    assert run(n).startswith("No space left on device\n")
    assert run(n + 1) == counted
    assert Shim.__doc__
