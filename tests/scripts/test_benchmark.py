"""scripts/benchmark runs from end to end and prints its tables; no time is judged."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import ClassVar

import pytest

from aslib_eval.linter import check_paths
from tests.conftest import ROOT

sys.path.insert(0, str(ROOT / "scripts"))

from benchmarking import answers, growth, tables
from benchmarking.competitions import write_challenge
from benchmarking.kept import Kept, Made, kept_in
from benchmarking.processes import RESULTS, Programs, Taken
from benchmarking.synthetic import write_scenarios

MARKS = "".join(
    f"<!-- begin {part} -->\nold\n<!-- end {part} -->\n"
    for part in ("machine", "imports", "answers", "workers", "growth", "competitions")
)


def benchmark(*words: str | Path) -> subprocess.CompletedProcess[str]:
    path = f"{ROOT / 'scripts'}{os.pathsep}{ROOT}"
    return subprocess.run(
        [sys.executable, "-m", "benchmarking", *words],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )


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
    assert text.count("old\n") == 1, "the workers are not asked for"
    assert "</svg>" in (tmp_path / "pictures" / "growth.svg").read_text()
    assert "answers, round 1: A\n" in done.stderr
    again = benchmark(*words)
    assert (again.stderr, again.stdout) == ("", done.stdout), "nothing is measured again"


# --- the arithmetic -----------------------------------------------------------------


def test_a_share_is_the_median_of_the_rounds_shares() -> None:
    target = answers.targets("X", "Y")[answers.IMPORT]
    taken = [
        {answers.A: Taken(a, 0, 0), answers.L: Taken(1, 0, 0), answers.IMPORT: made}
        for a, made in ((3, Taken(1, 0, 0)), (6, Taken(6, 0, 0)), (9, Taken(8, 0, 0)))
    ]
    assert tables.shares_of(target, answers.IMPORT, taken) == [2]  # of 1/2, 2 and 2
    name = "warm `gap`"
    taken = [made | {name: Taken(0.65, 0, 600)} for made in taken[:1]]
    target = answers.targets("X", "Y")[name]
    assert tables.shares_of(target, name, taken) == [0.5, 2]
    (row,) = tables.judged([name], taken, {name: target}).splitlines()[2:]
    assert row.split(" | ")[4:] == ["L + A/10, 300 MB", "0.50, 2.00", "**no** |"]


def test_the_exponent_is_the_slope_of_the_logarithms() -> None:
    assert tables.exponent({10: (3, 0), 100: (300, 0), 1000: (30_000, 0)}) == (pytest.approx(2))
    assert tables.exponent({10: (2, 0), 100: (2, 0)}) == 0
    assert tables.exponent({10: (2, 0)}) == 0


def test_a_folder_as_it_is_has_no_targets() -> None:
    kept = Kept(None)
    made = {name: Taken(2, 3, 40) for name in growth.QUESTIONS}
    kept.measure(growth.WHOLE, growth.IMPORT, 0, lambda: made)
    lines = tables.of_part(growth.WHOLE, kept).splitlines()
    assert "| import | 2.00 | 3.00 | 40 |  |  |  |" in lines
    assert "| warm `gap` of one scenario | 2.00 | 3.00 | 40 |  |  |  |" in lines


def test_growth_has_a_table_for_each_part_and_says_what_holds() -> None:
    kept = Kept(facts={"machine": "x"})
    for part, sizes in ((growth.MANY, (10**5, 10**7)), (growth.SINGLE, (10**4, 10**6))):
        for runs in sizes:
            made = {
                f"{question}, {runs}": Taken(2 * (runs / sizes[0]) ** power, 0, 400)
                for question, power in zip(growth.QUESTIONS, (1, 1.2, 0, 0), strict=True)
            }
            kept.measure(part, str(runs), 0, lambda made=made: made)
    lines = tables.texts(kept)["growth"].splitlines()
    assert "| 10,000,000 | 1,000 | 200 s, 400 MB | 502 s, 400 MB | 2.00 s, 400 MB " in ("\n".join(lines))
    assert "| 1,000,000 | 1 | 200 s, 400 MB | 502 s" in "\n".join(lines)
    fitted = "| fitted exponent of the time |  | 1.00 | 1.20 | 0.00 | 0.00 |"
    assert lines.count(fitted) == 2
    assert lines.count("| largest exponent of a time | 1.20 | at most 1.1 | **no** |") == 2
    assert lines.count("| peak memory [MB] | 400 | at most 2,000 | yes |") == 2


def test_what_is_kept_is_not_measured_again(tmp_path: Path) -> None:
    def work() -> Made:
        return {"a": Taken(1, 2, 3)}

    def never() -> Made:
        raise AssertionError

    kept_in(tmp_path / "f").measure("part", "task", 0, work)
    kept = kept_in(tmp_path / "f")
    kept.measure("part", "task", 0, never)
    assert kept.rounds("part") == [{"a": Taken(1, 2, 3)}]
    assert json.loads((tmp_path / "f").read_text())["measured"].keys() == {"part"}
    assert [path.name for path in tmp_path.iterdir()] == ["f"]


def test_a_round_that_is_not_complete_does_not_count() -> None:
    kept = Kept()
    for turn in (0, 1):
        kept.measure("p", "one", turn, lambda: {"a": Taken(1, 1, 1)})
    kept.measure("p", "other task", 1, lambda: {"b": Taken(2, 2, 2)})
    assert kept.rounds("p") == [{"a": Taken(1, 1, 1), "b": Taken(2, 2, 2)}]
    assert kept.rounds("another") == []


def test_tasks_take_turns() -> None:
    order: list[str] = []

    def task(name: str) -> Made:
        order.append(name)
        return {name: Taken(1, 1, 1)}

    tasks = {name: lambda name=name: task(name) for name in "abc"}
    answers.take_turns("p", tasks, rounds=4, kept=Kept())
    assert "".join(order) == "abcbcacababc"


class Pretended(Programs):
    """Runs nothing: says what it would, and whether there were results; makes some."""

    said: ClassVar[list[tuple[str, ...]]] = []

    def run(self, *words: object) -> Taken:
        *asked, _, lake = [str(word) for word in words[1:]]
        results = Path(lake) / RESULTS
        self.said.append((*asked[:1], *asked[1:][-1:], str(results.exists())))
        results.mkdir(parents=True, exist_ok=True)
        return Taken(3 if asked[-1] == "1" else 2, 0, 0)


def test_what_is_built_was_removed_before(tmp_path: Path) -> None:
    folder, kept = tmp_path / "S", Kept()
    bench = answers.bench_of(folder, selections=None, work=tmp_path, programs=Pretended(tmp_path / "home"))
    Pretended.said.clear()
    answers.workers(bench, rounds=2, kept=kept)
    assert Pretended.said == [
        ("import", str(folder), "False"),
        *(("build", jobs, "False") for jobs in "1221"),
    ]
    assert tables.of_part("workers", kept).endswith("\n\nTwo jobs are 1.50 times as fast as one.")


def test_synthetic_scenarios_are_the_same_every_time(tmp_path: Path) -> None:
    for name in ("x", "y"):
        write_scenarios(tmp_path / name, scenarios=2, instances=3, seed=4)
    files = sorted(p.relative_to(tmp_path / "x") for p in tmp_path.glob("x/*/*"))
    assert len(files) == 6
    for file in files:
        assert (tmp_path / "x" / file).read_text() == (tmp_path / "y" / file).read_text()
    runs = (tmp_path / "x" / "S0001" / "algorithm_runs.arff").read_text()
    assert runs.count("\ni") == 3 * growth.ALGORITHMS
    assert runs != (tmp_path / "x" / "S0002" / "algorithm_runs.arff").read_text()


def test_a_challenge_is_the_same_each_time(tmp_path: Path) -> None:
    written = []
    for folder in (tmp_path / "2024", tmp_path / "2025"):
        path = folder / "results.json"
        write_challenge(path, solvers=3, instances=4, seed=1)
        written.append(path.read_bytes())
        assert [f.message for f in check_paths([path]) if f.severity == "error"] == []
    assert written[0] == written[1]
