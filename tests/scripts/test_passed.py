"""A run of the tests that goes on where another one ended."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

pytestmark = pytest.mark.slow


TESTS = """
import pytest

@pytest.mark.parametrize("text", ["a b", "::", "[x]-[y]", "\\n", "\u2028", "é", "$(x)", 1e999, ""])
def test_text(text):
    assert text != "::"

@pytest.mark.skip
def test_skipped():
    pass
"""


def test_what_passed_before_is_left_out(tmp_path: Path) -> None:
    """By the worker that ran it and the one that would; whatever its parameters are."""
    (tmp_path / "conftest.py").write_text("from tests.conftest import *\n")
    (tmp_path / "test_some.py").write_text(TESTS)
    done = tmp_path / "passed"
    command = [sys.executable, "-m", "pytest", "-q", f"--passed={done}", "-n", "1", "--dist", "loadfile"]
    alone = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST_")}
    closing = []
    for _ in range(2):
        found = subprocess.run(
            [*command, f"--rootdir={tmp_path}", str(tmp_path)],
            env=alone | {"PYTHONPATH": str(ROOT)},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        closing.append(found.stdout.splitlines()[-1])
    first, second = closing
    assert first.startswith("1 failed, 8 passed, 1 skipped"), found.stdout
    assert second.startswith("1 failed, 1 skipped"), found.stdout
    assert len(done.read_text().splitlines()) == 8
