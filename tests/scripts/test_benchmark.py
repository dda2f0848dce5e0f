"""scripts/benchmark runs from end to end and prints its tables; no time is judged."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

import aslib_eval as ae
from tests.conftest import ROOT

MARKS = "".join(
    f"<!-- begin {part} -->\nold\n<!-- end {part} -->\n"
    for part in ("machine", "imports", "answers", "workers", "growth", "competitions", "routing")
)


# As ``python -m benchmarking``, with few protocols and solvers: all of them take minutes.
LESS = """
import sys
from benchmarking import answers, competitions
from benchmarking.__main__ import main
answers.PROTOCOLS = answers.PROTOCOLS[:2]
competitions.INSTANCES, competitions.SOLVERS, competitions.MANY = 6, 3, 4
main(sys.argv[1:])
"""


def benchmark(*words: str | Path) -> subprocess.CompletedProcess[str]:
    path = f"{ROOT / 'scripts'}{os.pathsep}{ROOT}"
    return subprocess.run(
        [sys.executable, "-c", LESS, *words],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_made_up_table_of_answers_is_the_same_each_time_and_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(ROOT / "scripts")
    routing = importlib.import_module("benchmarking.routing")
    first, second = tmp_path / "first.csv", tmp_path / "second.csv"
    for path in (first, second):
        routing.write_table(path, prompts=70, models=3, seed=1)
    assert first.read_bytes() == second.read_bytes()
    (outcome,) = ae.import_scenarios([first], into=tmp_path / "lake")
    assert outcome.findings[0].message.startswith("70 prompts of 57 data sets, 3 models;")
    assert dict(outcome.rows)["run"] == 2 * 70 * 3


@pytest.mark.slow
def test_measures_and_writes_the_document_and_goes_on(tmp_path: Path) -> None:
    pytest.importorskip("asf", reason="needs the extra `selectors`")
    (tmp_path / "benchmarks.md").write_text(MARKS)
    words = [
        *(ROOT / "scenarios" / "TOY-2026", "--rounds", "1", "--growth-rounds", "1"),
        *("--parts", "imports,answers,growth,competitions,whole", "--runs", "10000", "--one-runs", "200"),
        *("--selections", ROOT / "scenarios" / "selections", "--docs", tmp_path),
        *("--keep", tmp_path / "times.json"),
    ]
    done = benchmark(*words)
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "benchmarks.md").read_text()
    tasks = ("cold `gap`", "warm `compare`", "`gap` after replacing TOY-2026")
    for name in ("floor:", *tasks, "10,000 | 1 |", "200 | 1 |"):
        assert f"\n| {name}" in text
    assert "\n| 1,010,000 pair scores" in text
    assert text.count("old\n") == 2, "the workers and the routing are not asked for"
    assert "</svg>" in (tmp_path / "pictures" / "growth.svg").read_text()
    assert "answers, round 1: A\n" in done.stderr
    again = benchmark(*words)
    assert (again.stderr, again.stdout) == ("", done.stdout), "nothing is measured again"
