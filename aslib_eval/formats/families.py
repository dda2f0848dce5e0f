"""Families of instances: of a CSV file, or as their names tell."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from aslib_eval.errors import Finding, ScenarioError, os_errors
from aslib_eval.formats.csv_rows import CsvTable
from aslib_eval.paths import read_plain

_NAMES = {"instance_id": ("instance_id", "instance", "inst"), "family": ("family",)}


@dataclass(frozen=True)
class Families:
    """Families of instances from a CSV file, with their lines."""

    path: str
    of: dict[str, str]
    lines: dict[str, int]

    def finding(self, instance: str, message: str) -> Finding:
        """An error about an instance; without a line if the file lacks it."""
        line = self.lines.get(instance)
        return Finding("family", "error", self.path, line, message)


def read_families(path: Path) -> Families:
    """Read a CSV file with the columns instance_id and family; others are ignored.

    Raises:
        AslibError: when the file cannot be read.
        ScenarioError: when it lacks a column, or a line has no family or repeats an instance; with a
            finding for each.
    """
    found = Families(str(path), {}, {})
    with os_errors(path, "It must be CSV in UTF-8."):
        content = read_plain(path)
    table = CsvTable(content, file=str(path), names=_NAMES, code="family")
    table.require([*_NAMES])
    for row in table.rows():
        instance, family = row.name("instance_id"), row.name("family")
        if instance in found.of:
            row.wrong(f"{instance} stands in line {found.lines[instance]} already")
        elif instance and family:
            found.of[instance], found.lines[instance] = family, row.line
    if table.findings:
        raise ScenarioError(str(path), table.findings)
    return found


_FOLDER = re.compile(r"[/\\]")
_END_OF_WORD = re.compile(r"[0-9._-]")
# Digits from 0 to f that are no word and no number, and the name behind them.
_HASH = re.compile(r"(?i)(?=[a-f-]*\d)(?=[\d-]*[a-f])[0-9a-f][0-9a-f-]{15,}(?![0-9a-z])")


def families(names: Sequence[str]) -> list[str]:
    """Family of each instance, derived from its name.

    The folders of its path, if the names lie in at least two; else what its last
    part begins with, up to the first digit, ``.``, ``_`` or ``-``: ``sat/vmpc/vmpc_24.cnf`` is of
    ``sat/vmpc``, or of ``vmpc``. A hash tells no family: what is called by one is of its own.
    """
    parts = [_FOLDER.split(name) for name in names]
    folders = ["/".join(part[:-1]) for part in parts]
    if len(Counter(folders)) > 1:
        return folders
    return [_first_word(part[-1]) for part in parts]


def _first_word(name: str) -> str:
    found = _HASH.match(name)
    rest = name[found.end() :] if found else name
    if found and rest[:1] in {"", "."}:
        return name
    return _END_OF_WORD.split(rest.lstrip("-_") if found else rest, maxsplit=1)[0]
