"""What ``explain`` hands to the library."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cli.test_calls import Opened, called

# name → command line, function, its arguments.
CALLS: dict[str, tuple[str, str, tuple[Any, ...], dict[str, Any]]] = {
    "a printed number": (
        (
            "explain closed_gap=0.40 --lake L --scenario A --solver x --kind selector"
            " --protocol asf --tries 7 --seconds 9 --sql s"
        ),
        "aslib_eval.extensions.explanations.analysis:explain",
        (Opened(Path("L"), ["A"], ["asf"], (Path("s"),)), "x"),
        {"metric": "closed_gap", "value": "0.40", "kind": "selector", "tries": 7, "seconds": 9},
    ),
    "a printed number, nothing asked": (
        "explain par10=1e3 --scenario A --solver x",
        "aslib_eval.extensions.explanations.analysis:explain",
        (Opened(Path("lake"), ["A"], ["default"]), "x"),
        {"metric": "par10", "value": "1e3", "kind": None, "tries": 500, "seconds": None},
    ),
    "a number of the lake": (
        "explain par10 --lake L --scenario A --solver x --kind algorithm --sql s",
        "aslib_eval.extensions.explanations.analysis:derive",
        (Opened(Path("L"), ["A"], ["default"], (Path("s"),)), "x"),
        {"metric": "par10", "kind": "algorithm"},
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_command_hands_over_what_was_asked(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    line, function, args, named = CALLS[name]
    assert called(line, function, monkeypatch) == (args, named)
