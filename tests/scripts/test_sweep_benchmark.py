"""scripts/benchmark_metrics runs from end to end; no time is judged."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

pytestmark = pytest.mark.slow


def test_prints_every_table(tmp_path: Path) -> None:
    script = ROOT / "scripts" / "benchmark_metrics"
    options = ["--rounds", "1", "--sizes", "50,100"]
    done = subprocess.run(
        [sys.executable, script, *options, "--json", str(tmp_path / "times.json")],
        capture_output=True,
        check=False,
        text=True,
        env={"PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == 0, done.stderr
    assert "| ratio | measured | target |" in done.stdout
    assert "\n| whole delta sweep / one delta, plain numpy | " in done.stdout
    assert "\n| Shapley, 67 x 1000 | " in done.stdout
    assert done.stdout.splitlines()[-1].startswith("| 100 | ")
    found = json.loads((tmp_path / "times.json").read_text())
    assert found["breakpoints"] > 400_000
    assert [len(taken) for taken in found["growth"].values()] == [1, 1]
