"""A run of the tests that goes on where another one ended."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

pytestmark = pytest.mark.slow


def test_what_passed_before_is_left_out(tmp_path: Path) -> None:
    done = tmp_path / "passed"
    command = [sys.executable, "-m", "pytest", "-q", f"--passed={done}", "-n", "0"]
    alone = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST_")}
    closing = []
    for _ in range(2):
        found = subprocess.run(
            [*command, "tests/test_paths.py"],
            cwd=ROOT,
            env=alone,
            capture_output=True,
            text=True,
            check=False,
        )
        closing.append(found.stdout.splitlines()[-1])
    first, second = closing
    n = len(done.read_text().splitlines())
    assert n > 0
    assert first.startswith(f"{n} passed")
    assert second.startswith(("no tests ran", f"{n} deselected"))
