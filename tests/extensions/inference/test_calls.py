"""What ``board`` hands to the library."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.test_calls import Opened, called

MODULE = "aslib_eval.extensions.inference.analysis"


def test_scenarios_and_views_of_a_board(monkeypatch: pytest.MonkeyPatch) -> None:
    line = "board --lake L --scenario A --sql S --columns solver"
    args, named = called(line, f"{MODULE}:board", monkeypatch)
    assert args == (Opened(Path("L"), ("A",), sql_dirs=(Path("S"),)),)
    assert named == {}


def test_the_folder_of_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    line = "board --variables DIR"
    args, named = called(line, f"{MODULE}:marginal_errors", monkeypatch)
    assert (args, named) == ((Path("DIR"),), {})


def test_better_answers_of_a_board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "b.csv").write_text("instance,log10_best\nq,1\n")
    line = f"board --best {tmp_path / 'b.csv'} --weights 1,4.5"
    args, named = called(line, f"{MODULE}:best_changes", monkeypatch)
    assert args == (Opened(Path("lake")), {("", "q"): 1.0})
    assert (named["show"], named["weights"]) == ("solvers", (1.0, 4.5))
    line = line.replace("--weights 1,4.5", "--instances")
    _, named = called(line, f"{MODULE}:best_changes", monkeypatch)
    assert (named["show"], named["weights"]) == ("instances", ())
