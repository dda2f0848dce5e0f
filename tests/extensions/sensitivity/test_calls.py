"""What the commands ``sweep`` hand to the library."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from aslib_eval.database.protocol import PRESETS
from tests.cli.test_calls import Opened, called
from tests.cli.test_calls import opened as opened  # noqa: PLC0414 - a fixture

CALLS = {
    "sweep definitions": (
        ("sweep definitions --lake L --scenario A --protocol asf --kind algorithm"
        " --sql s"),
        "aslib_eval.extensions.sensitivity.analysis:definitions",
        (Opened(Path("L"), ("A",), ("asf",), (Path("s"),)),),
        {"kind": "algorithm"},
    ),
    "sweep definitions --measure": (
        "sweep definitions --protocol asf --measure m",
        "aslib_eval.extensions.sensitivity.analysis:definitions",
        (Opened(
            Path("lake"),
            protocols=(
                replace(PRESETS["asf"], protocol="asf+measure-m", measures="m"),
            ),
        ),),
        {"kind": None},
    ),
    "sweep choices": (
        ("sweep choices asf llama --lake L --scenario A --metric par2 --kind selector"
        " --sql s"),
        "aslib_eval.extensions.sensitivity.analysis:choices",
        (Opened(Path("L"), ("A",), sql_dirs=(Path("s"),)), "asf", "llama"),
        {"metric": "par2", "kind": "selector"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_a_command_hands_over_what_was_asked(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    line, function, args, named = CALLS[name]
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ASLIB_LAKE", raising=False)
    assert called(line, function, monkeypatch) == (args, named)


@pytest.mark.parametrize("parameter", ["delta", "penalty", "cutoff", "tolerance"])
def test_a_sweep(parameter: str, opened: str, monkeypatch: pytest.MonkeyPatch) -> None:
    function = "aslib_eval.extensions.sensitivity.analysis:sensitivities"
    more = "--modified" if parameter == "delta" else ""
    line = f"sweep {parameter} --kind algorithm --pooled {more}"
    args, named = called(line, function, monkeypatch)
    named.pop("left_out")
    assert args == (opened,)
    assert named == {"parameter": parameter, "kind": "algorithm", "pooled": True,
                     "modified": parameter == "delta"}  # fmt: skip
    _, named = called(f"sweep {parameter}", function, monkeypatch)
    assert (named["kind"], named["pooled"], named["modified"]) == (None, False, False)
