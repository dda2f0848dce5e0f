"""What ``paper build`` and ``paper check`` hands to the library."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import pytest

from tests.cli.test_calls import called

# They take it by its name, which is replaced below only for a while.
importlib.import_module("aslib_eval.extensions.manifests.papers")
# name → command line, function, its arguments.
CALLS: dict[str, tuple[str, str, tuple[Any, ...], dict[str, Any]]] = {
    "paper build": (
        "paper build m.toml --lake L -o out",
        "aslib_eval.extensions.manifests.papers:read_manifest",
        (Path("m.toml"),),
        {"lake": Path("L"), "output": Path("out")},
    ),
    "paper check": (
        "paper check m.toml --lake L -o out",
        "aslib_eval.extensions.manifests.papers:read_manifest",
        (Path("m.toml"),),
        {"lake": Path("L"), "output": Path("out")},
    ),
    "a paper, of the lake of its manifest": (
        "paper build m.toml",
        "aslib_eval.extensions.manifests.papers:read_manifest",
        (Path("m.toml"),),
        {"lake": None, "output": None},
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_command_hands_over_what_was_asked(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    line, function, args, named = CALLS[name]
    assert called(line, function, monkeypatch) == (args, named)
