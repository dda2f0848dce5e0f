"""What ``trials`` and options of optimisers hand to the library."""

from __future__ import annotations

from pathlib import Path

import pytest

from aslib_eval.extensions.optimisers.analysis.tasks import TaskQuestion
from tests.cli.test_calls import VIEWLESS, called

ANALYSIS = "aslib_eval.extensions.optimisers.analysis"
ASKED = {"protocols": ("asf", "x.toml"), "scenarios": ("A", "B"), "baseline": "R*"}
DRAWN = "--freeze F.json --problem P --objective value --chart c.svg --draw median"


def test_scores_of_optimisers(monkeypatch: pytest.MonkeyPatch) -> None:
    line = f"score {VIEWLESS} --optimiser steps --baseline 'R*' {DRAWN}"
    args, named = called(line, f"{ANALYSIS}.optimisers:optimiser_scores", monkeypatch)
    assert args == (Path("L"),)
    assert named == {**ASKED, "show": "steps", "freeze": Path("F.json")}


@pytest.mark.parametrize(
    ("table", "show"), [("optimisers", "summary"), ("optimiser_problems", "problems")]
)
def test_the_baseline_of_a_table(
    table: str, show: str, toy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = f"table {table} --lake {toy} --baseline 'R*' --protocol asf"
    args, named = called(line, f"{ANALYSIS}.optimisers:optimiser_scores", monkeypatch)
    assert args == (toy,)
    asked = {"protocols": ("asf",), "scenarios": (), "baseline": "R*"}
    assert named == {**asked, "show": show}


def test_targets_of_trials(monkeypatch: pytest.MonkeyPatch) -> None:
    function = f"{ANALYSIS}.tasks:trial_results"
    line = "trials --show targets --gaps 0.5,0 --chart c.svg"
    args, named = called(line, function, monkeypatch)
    assert args == (Path("lake"),)
    assert (named["show"], named["protocols"]) == ("targets", ("default",))
    assert named["question"] == TaskQuestion(gaps=(0.5, 0.0))
    _, named = called("trials --show targets --target -3", function, monkeypatch)
    assert named["question"] == TaskQuestion(target=-3)
