"""What the commands ``plan`` hand to the library."""

from __future__ import annotations

from pathlib import Path

import pytest

from aslib_eval.extensions.planning.power import Plan
from aslib_eval.extensions.planning.runs import NUMBER, Program
from aslib_eval.extensions.planning.sampling import Accuracy
from tests.cli.test_calls import called


def test_runs_of_programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    line = "plan runs -a A=x=1 -a B=y i j --se 0.5 --budget 20 --log l.csv"
    function = "aslib_eval.extensions.planning.runs:drive"
    args, named = called(f"{line} --value time --timeout 9 --jobs 2", function, monkeypatch)
    assert args == ([Program("A", "x=1", None, 9), Program("B", "y", None, 9)], ("i", "j"))
    assert (named["log"], named["seed"], named["jobs"]) == (Path("l.csv"), 1, 2)
    usual = {"difference": "percent", "pairs": "all", "formula": "delta", "start": 10}
    assert named["accuracy"] == Accuracy(se=0.5, budget=20, **usual)  # type: ignore[arg-type]
    (programs, _), _ = called(f"{line} --value 'v (.)'", function, monkeypatch)
    assert programs[0] == Program("A", "x=1", "v (.)", 3600)
    (programs, _), _ = called(line, function, monkeypatch)
    assert programs[1] == Program("B", "y", NUMBER, 3600)


def test_an_experiment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    line = (
        "plan experiment -a A=x -a B=y -a C=z i j k --n 2 --d 1.5 --se 0.5"
        " --pairs first --budget 30 --log l.csv --seed 3 --jobs 2 --timeout 9"
        " --maximise"
    )
    function = "aslib_eval.extensions.planning.experiment:experiment"
    (programs, drawn), named = called(line, function, monkeypatch)
    assert programs[0] == Program("A", "x", timeout=9)
    assert (len(drawn.instances), drawn.families, drawn.seed) == (2, None, 3)
    assert named["plan"].plan == Plan(comparisons=2)
    assert (named["plan"].n, named["plan"].d) == (2, 1.5)
    assert named["accuracy"] == Accuracy(
        se=0.5, difference="percent", pairs="first", formula="delta", start=10,
        budget=30,
    )  # fmt: skip
    assert (named["log"], named["seed"], named["jobs"]) == (Path("l.csv"), 3, 2)
    assert named["maximise"] is True
    for given, n in ((" --n 3", 3), (" --d 1000", 2), (" --n 3 --power 0.7", 3)):
        asked = line.replace(" --n 2 --d 1.5", given)
        (_, drawn), named = called(asked, function, monkeypatch)
        assert (len(drawn.instances), named["plan"].n) == (n, n)
        wanted = 0.7 if "power" in given else 0.8
        assert named["plan"].power >= wanted - 1e-9
        assert (named["plan"].power < wanted + 1e-9) == ("--n" in given)
    (_, drawn), _ = called(f"{line} --by family", function, monkeypatch)
    assert drawn.families == ["i", "j", "k"]
