"""What ``sweep solvers`` and ``sweep portfolio`` hand to the library."""

from __future__ import annotations

import pytest

from tests.cli.test_calls import called
from tests.cli.test_calls import opened as opened  # noqa: PLC0414 - a fixture


def test_changed_sets(opened: str, monkeypatch: pytest.MonkeyPatch) -> None:
    function = "aslib_eval.extensions.solver_sets.analysis:solver_sets"
    line = "sweep solvers --change subsets --kind selector --most 5 --seed 3"
    args, named = called(line, function, monkeypatch)
    asked = {"change": "subsets", "kind": "selector", "most": 5, "seed": 3}
    assert (args, named) == ((opened,), asked)
    _, named = called("sweep solvers", function, monkeypatch)
    usual = {"change": "without", "kind": "algorithm", "most": 1000, "seed": 1}
    assert named == usual


def test_portfolios(opened: str, monkeypatch: pytest.MonkeyPatch) -> None:
    function = "aslib_eval.extensions.solver_sets.analysis:portfolios"
    for line, most in (("sweep portfolio --most 5", 5), ("sweep portfolio", None)):
        args, named = called(line, function, monkeypatch)
        assert (args, named) == ((opened,), {"most": most})
