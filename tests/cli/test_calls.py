"""What a command hands to the library: every option under its name, and the defaults.

The library's function is replaced by one that notes its arguments and ends the command.
"""

from __future__ import annotations

import importlib
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce, wraps
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from aslib_eval.cli import main
from aslib_eval.database import open_lake as database
from aslib_eval.database.protocol import PRESETS
from tests.command_lines import added_by

OPEN_LAKE = database.open_lake
# They take it by its name, which is replaced below only for a while.
for name in ("analysis.results", "reports.write"):
    importlib.import_module(f"aslib_eval.{name}")


@dataclass
class Opened:
    """In the place of an opened lake, what was opened."""

    lake: Path
    scenarios: Sequence[str] = ()
    protocols: Sequence[object] = ("default",)
    sql_dirs: Sequence[Path] = ()
    shown: bool = False

    def build(self, **how: Any) -> None:
        """Build nothing."""


class _CalledError(Exception):
    """The function was reached."""


def called(line: str, function: str, patch: pytest.MonkeyPatch) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments that a command line hands to ``module:function``."""
    noted: list[tuple[tuple[Any, ...], dict[str, Any]]] = []

    module, names = function.split(":")
    *path, name = names.split(".")
    home = reduce(getattr, path, importlib.import_module(module))
    if name != "open_lake" and database.open_lake is OPEN_LAKE:
        patch.setattr(database, "open_lake", Opened)

    @wraps(getattr(home, name))
    def note(*args: Any, **named: Any) -> None:
        noted.append((args, named))
        raise _CalledError

    patch.setattr(home, name, note)
    done = CliRunner().invoke(main, shlex.split(line))
    assert isinstance(done.exception, _CalledError), (done.output, done.exception)
    return noted[0]


LAKE = Opened(Path("L"), ("A", "B"), ("asf", "x.toml"), (Path("s"),))
OPEN = "--lake L --scenario A --scenario B --protocol asf --protocol x.toml --sql s"
MADE = replace(
    PRESETS["asf"],
    protocol="asf+measure-m+fold-mean+sbs-all+penalty-2+delta-3",
    measures="m",
    fold_aggregate="mean",
    sbs_scope="all",
    penalty=2,
    borda_delta=3,
)
CALLS: dict[str, tuple[str, str, tuple[Any, ...], dict[str, Any]]] = {
    "import": (
        ("import a b --lake L --forget --time-unit ms --cutoff 60 --family path:1"
        " --attributes b.csv --column time=x --column ignore=y --missing drop"),
        "aslib_eval.importer:import_scenarios",
        (),
        {"paths": (Path("a"), Path("b")), "into": Path("L"), "input_format": None,
         "forget": True, "time_unit": "ms", "scenario_id": "", "cutoff": "60",
         "column": ("time=x", "ignore=y"), "status": (), "missing": "drop",
         "duplicates": None, "times_in": "", "measure_column": (), "maximize": (), "minimize": (),
         "cells": "", "claims": (), "records": "", "one_file_per": None, "features": None,
         "family": "path:1", "attributes": Path("b.csv"), "progress": False},
    ),
    "build": (
        f"build {OPEN} --jobs 3 --part 2/5",
        "tests.cli.test_calls:Opened.build",
        (LAKE,),
        {"part": (2, 5), "executor": None, "jobs": 3, "memory": None},
    ),
    "report": (
        "report --lake L --scenario A --sql s -o o --force --full --link {instance}",
        "aslib_eval.reports.write:write_report",
        (Path("L"),),
        {"to": Path("o"), "protocol": "default", "scenarios": ("A",),
         "sql_dirs": (Path("s"),), "progress": False, "jobs": None,
         "executor": None, "memory": None, "force": True, "full": True,
         "link": "{instance}"},
    ),
    "a lake, nothing asked": (
        "gap", "aslib_eval.database.open_lake:open_lake", (Path("lake"),),
        {"protocols": ("default",), "scenarios": (), "sql_dirs": (), "shown": False},
    ),
    "choices made by options": (
        "gap --protocol asf --measure m --fold-mean --sbs all --penalty 2 --delta 3",
        "aslib_eval.database.open_lake:open_lake",
        (Path("lake"),),
        {"protocols": (MADE,), "scenarios": (), "sql_dirs": (), "shown": False},
    ),
    "check --lake": (
        "check --lake L", "aslib_eval.linter:check_lake", (Path("L"),), {},
    ),
    "check --lake, nothing asked": (
        "check --lake", "aslib_eval.linter:check_lake", (Path("lake"),), {},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_a_command_hands_over_what_was_asked(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    line, function, args, named = CALLS[name]
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ASLIB_LAKE", raising=False)
    found, given = called(line, function, monkeypatch)
    added = {option.strip("-") for command, option in added_by() if command == name}
    given = {k: value for k, value in given.items() if k not in {"done", *added}}
    assert (found, given) == (args, named)


# Commands that open a lake first: here it is a text.


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(database, "open_lake", lambda *_, **__: "lake")
    return "lake"


@pytest.mark.usefixtures("opened")
@pytest.mark.parametrize("line", ["build", "report"])
def test_the_address_of_a_cluster(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    line += " --cluster tcp://head:8786"
    args, _ = called(line, "aslib_eval.executors:cluster_of", monkeypatch)
    assert args == ("tcp://head:8786",)


def test_the_question_of_a_comparison(opened: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from aslib_eval.analysis.compare.question import Question

    line = (
        "compare --metric par2 --unit scenarios --versus rf --kind algorithm "
        "--alpha 0.2 --correction none --test sign --alternative better --joint "
        "--differences percent --seed 9"
    )
    args, named = called(line, "aslib_eval.analysis.compare:compare", monkeypatch)
    expected = Question(
        metric="par2", unit="scenarios", versus="rf", kind="algorithm", alpha=0.2,
        correction="none", test="sign", alternative="better", joint=True, seed=9,
        differences="percent",
    )  # fmt: skip
    assert (args, named) == ((opened, expected), {})
    args, _ = called("compare", "aslib_eval.analysis.compare:compare", monkeypatch)
    assert args[1] == Question()
