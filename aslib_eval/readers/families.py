"""A CSV file that says to which family each instance belongs."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

from aslib_eval.errors import AslibError, Finding, ScenarioError

COLUMNS = ("instance_id", "family")


@dataclass(frozen=True)
class Families:
    """Instance → its family, and the line that says so."""

    path: str
    of: dict[str, str]
    lines: dict[str, int]

    def finding(self, instance: str, message: str) -> Finding:
        """An error about an instance; without a line if the file lacks it."""
        line = self.lines.get(instance)
        return Finding("family", "error", self.path, line, message)


def read_families(path: Path) -> Families:
    """Read a CSV file with the columns instance_id and family; others are ignored.

    Raises AslibError if it cannot be read or lacks a column, and ScenarioError with
    every line that has no family or repeats an instance.
    """
    found = Families(str(path), {}, {})
    problems = []
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            reader = csv.DictReader(file)
            if missing := set(COLUMNS) - set(reader.fieldnames or ()):
                what = f"has no column {' and none '.join(sorted(missing))}"
                raise AslibError(what, str(path), "The first line names the columns.")
            for row in reader:
                problems += _take(found, row, reader.line_num)
    except (OSError, UnicodeError, csv.Error) as error:
        what = f"cannot be read ({error})"
        raise AslibError(what, str(path), "It must be CSV in UTF-8.") from None
    if problems:
        raise ScenarioError(str(path), problems)
    return found


def _take(found: Families, row: dict[str, str], line: int) -> list[Finding]:
    instance, family = row["instance_id"], row["family"]
    if instance in found.of:
        what = f"{instance} stands in line {found.lines[instance]} already"
    elif not instance or not family:
        what = "the instance or its family is empty"
    else:
        found.of[instance], found.lines[instance] = family, line
        return []
    return [Finding("family", "error", found.path, line, what)]
