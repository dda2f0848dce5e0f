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
    done = attack("inputs", "--attempts", "3", "--seconds", "600", *names)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"| all |  | {3 * len(GROUPS[group])} | 0 |" in done.stdout


@pytest.mark.parametrize("name", ["import", "import-selection", "write-scenario", "plan-runs"])
def test_killed_writers(name: str) -> None:
    done = attack("kills", "--attempts", "3", "--only", name)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "| all |  | 3 | 0 |" in done.stdout


@pytest.mark.parametrize("name", ["import", "import-selection", "plan-runs"])
def test_calls_that_fail(name: str) -> None:
    done = attack("faults", "--attempts", "5", "--only", name)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "| all |  | 5 | 0 |" in done.stdout
