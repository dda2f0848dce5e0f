"""What ``board`` hands to the library."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.test_calls import called

MODULE = "aslib_eval.extensions.inference.analysis"


def test_the_folder_of_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    line = "board --variables DIR"
    args, named = called(line, f"{MODULE}:marginal_errors", monkeypatch)
    assert (args, named) == ((Path("DIR"),), {})
