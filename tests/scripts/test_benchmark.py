"""scripts/benchmark runs from end to end and prints its tables; no time is judged."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

pytestmark = pytest.mark.slow


def test_prints_every_table(tmp_path: Path) -> None:
    script, toy = ROOT / "scripts" / "benchmark", ROOT / "scenarios" / "TOY-2026"
    options = ["--rounds", "1", "--grow", "1,3", "--json", str(tmp_path / "times.json")]
    done = subprocess.run(
        [sys.executable, script, toy, *options],
        capture_output=True,
        check=False,
        text=True,
        env={"PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert "| what | min [s] | median [s] |" in lines
    assert "| ratio | measured | target |" in lines
    assert "| view | min [s] | median [s] | target |" in lines
    assert "| median [s] | 1x | 3x | 3x / 1x |" in lines
    assert "Peak memory" in done.stdout
    for name in ("import", "liac-arff, parsing only", "floor", "solver_borda"):
        assert f"\n| {name} | " in done.stdout
    times = json.loads((tmp_path / "times.json").read_text())
    assert len(times["seconds"]["imports"]["import"]) == 1
