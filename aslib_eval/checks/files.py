"""Which files are there, and which are called almost as they should be."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches

from aslib_eval.checks.remarks import remark
from aslib_eval.errors import Finding
from aslib_eval.readers.aslib import IDS, Scenario
from aslib_eval.readers.sources import TEXTS

ARFF = tuple(f"{name}.arff" for name in IDS)
KNOWN = {*ARFF, *TEXTS}
_MEANT = {re.sub(r"[^a-z]", "", name): name for name in (*ARFF, "description.txt")}
_ALIKE = 0.9


def check_files(scenario: Scenario) -> Iterator[Finding]:
    """Absent files of the format, and files that it does not know."""
    if "description.txt" not in scenario.sources:
        yield remark(
            "description-missing",
            file=scenario.file("description.txt"),
            what="the file is missing",
            hint="It says what the measures mean: without it nothing can be scored.",
        )
    for name in scenario.missing:
        yield remark(
            "file-missing",
            file=scenario.file(name),
            what="the file is missing",
            hint="Without runs nothing is scored."
            if name == "algorithm_runs.arff"
            else "All else is read; what needs this file stays empty.",
        )
    for name in scenario.sources:
        if name not in KNOWN:
            yield from _unknown(scenario, name)


def _unknown(scenario: Scenario, name: str) -> Iterator[Finding]:
    meant = intention(name)
    if meant is not None and meant not in scenario.sources:
        yield remark(
            "file-misspelt",
            file=scenario.file(name),
            what=f"the file is not read; its name looks like {meant!r}",
            hint=f"If it is meant, rename it to {meant!r}.",
        )
    elif name.lower().endswith(".arff"):
        yield remark(
            "file-unknown",
            file=scenario.file(name),
            what="the file is not one of the format and is not read",
        )


def intention(name: str) -> str | None:
    """The file of the format that a name looks like, or None."""
    letters = re.sub(r"[^a-z]", "", name.lower())
    if letters in _MEANT:
        return _MEANT[letters]
    close = get_close_matches(letters, _MEANT, n=1, cutoff=_ALIKE)
    return _MEANT[close[0]] if close else None
