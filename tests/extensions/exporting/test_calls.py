"""What ``export`` hands to the library."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import pytest

import aslib_eval as ae
from aslib_eval.errors import OptionError
from tests.cli.test_calls import LAKE, OPEN, called

# They take it by its name, which is replaced below only for a while.
importlib.import_module("aslib_eval.extensions.exporting.exports")
# name → command line, function, its arguments.
CALLS: dict[str, tuple[str, str, tuple[Any, ...], dict[str, Any]]] = {
    "export": (
        f"export {OPEN} -o out",
        "aslib_eval.extensions.exporting.exports:export_database",
        (LAKE, Path("out")),
        {},
    ),
    "export, a file a relation": (
        f"export run solver_gap {OPEN} --format parquet -o out",
        "aslib_eval.extensions.exporting.exports:export_files",
        (LAKE, Path("out")),
        {"relations": ("run", "solver_gap"), "format": "parquet"},
    ),
    "export --format sqlite": (
        f"export run solver_gap {OPEN} --format sqlite -o out",
        "aslib_eval.extensions.exporting.exports:export_sqlite",
        (LAKE, Path("out")),
        {"relations": ("run", "solver_gap")},
    ),
    "export --format aslib": (
        f"export {OPEN} --format aslib --scheme s -o out",
        "aslib_eval.extensions.exporting.exports:folders_from_lake",
        (Path("L"), Path("out")),
        {"scenarios": ("A", "B"), "cv_scheme": "s"},
    ),
    "export --format aslib, nothing asked": (
        "export --format aslib -o out",
        "aslib_eval.extensions.exporting.exports:folders_from_lake",
        (Path("lake"), Path("out")),
        {"scenarios": (), "cv_scheme": "aslib"},
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_command_hands_over_what_was_asked(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    line, function, args, named = CALLS[name]
    assert called(line, function, monkeypatch) == (args, named)


@pytest.mark.parametrize(
    ("format_", "said"),
    [
        ("aslib", "a scenario is exported as a whole: name no relations"),
        ("instancespace", "a scenario is exported as a whole: name no relations"),
        ("duckdb", "a DuckDB file holds all relations: name none"),
    ],
)
def test_where_no_relation_can_be_chosen(format_: str, said: str, toy: Path) -> None:
    with pytest.raises(OptionError) as refused:
        ae.export("x", toy, format=format_, relations=["solver_gap"])
    assert str(refused.value).startswith(said)
