"""Features of instances from a table beside the runs: a column of instances, one for each feature."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from aslib_eval.errors import AslibError, Finding, os_errors
from aslib_eval.formats import Parsed
from aslib_eval.formats.aslib.lint import new_finding, twice
from aslib_eval.formats.attributes import instances_of
from aslib_eval.formats.runs.cells import ALIASES, is_missing, number
from aslib_eval.formats.runs.raw_table import ENDINGS, RawTable, ending, first_called, is_packed, read_raw
from aslib_eval.formats.sources import Source, table
from aslib_eval.paths import read_plain
from aslib_eval.text import list_names, plural

STEP = "features"
_LISTED = 5  # findings of a kind; the others are counted


@dataclass(frozen=True)
class FeatureFile:
    """The features that a table holds.

    values: instance → feature → value, None where the cell says nothing. names: the features, in the order
    of their columns. findings: what is wrong with its rows.
    """

    path: str
    sha256: str
    values: Mapping[str, Mapping[str, float | None]]
    names: tuple[str, ...]
    findings: tuple[Finding, ...] = ()

    @classmethod
    def read(cls, path: Path) -> FeatureFile:
        """Read a CSV, TSV, JSON lines or Parquet file, gzipped or not.

        Raises:
            AslibError: when it cannot be read or is another kind of file.
        """
        if not ending(path):
            raise AslibError("is no table of features", str(path), f"Name a file {'|'.join(ENDINGS)}.")
        with os_errors(path, "Name a file with a column of instances and a column for each feature."):
            return cls.of(Source.of(read_plain(path)), path, file=str(path))

    @classmethod
    def of(cls, source: Source, path: Path, *, file: str) -> FeatureFile:
        """The features in the bytes of a file; ``path`` says what kind it is, ``file`` how it is shown.

        The instances are in the column of their name (as in a table of runs), else in the first one. Cells
        are numbers, ``true`` (1), ``false`` (0) or missing. Everything that is wrong is in ``findings``.
        """
        raw = read_raw(source.content, kind=ending(path), packed=is_packed(path), file=file)
        found = _Cells(raw)
        if not raw.is_broken:
            found.read()
        return cls(file, source.sha256, found.values, tuple(found.names), tuple(found.findings))

    def added(self, parsed: Parsed) -> Parsed:
        """A scenario with these features, provided by one default step without a cost.

        An instance of the runs that the file lacks has no value of any feature. Errors: the file is wrong
        or knows none of the instances, or the scenario has features already.
        """
        instances = instances_of(parsed.tables)
        findings = [*self.findings] or [*self._fits(instances, parsed)]
        if any(found.severity == "error" for found in findings):
            return replace(parsed, findings=(*parsed.findings, *findings), tables={})
        rows: dict[str, list[dict[str, Any]]] = {
            "feature": [
                {"feature": n, "of": "instance", "position": at, "has_values": True, "steps": [STEP]}
                for at, n in enumerate(self.names, 1)
            ],
            "feature_step": [
                {
                    "step": STEP,
                    "of": "instance",
                    "position": 1,
                    "is_default": True,
                    "requires": [],
                    "provides": [*self.names],
                }
            ],
            "feature_value": [
                {
                    "instance_id": instance,
                    "repetition": 1,
                    "feature": name,
                    "value": self.values.get(instance, {}).get(name),
                }
                for name in self.names
                for instance in instances
            ],
        }
        tables = {**parsed.tables, **{relation: table(relation, each) for relation, each in rows.items()}}
        return replace(parsed, findings=(*parsed.findings, *findings), tables=tables)

    def _fits(self, instances: list[str], parsed: Parsed) -> list[Finding]:
        """How the file and the runs fit together."""

        def found(code: str, what: str, hint: str = "") -> Finding:
            return new_finding(code, file=self.path, what=what, hint=hint)

        if "feature" in parsed.tables:
            return [
                found("features-none", "the scenario has features already", "Leave one of the two out.")
            ]
        lacking = [name for name in instances if name not in self.values]
        known = {*instances}
        strange = [name for name in self.values if name not in known]
        if len(lacking) == len(instances):
            hint = f"Write them as the runs have them, as in {instances[0]!r}."
            what = f"none of its {plural(len(self.values), 'instance')} is one of the runs"
            return [found("features-none", what, hint)]
        findings = []
        if lacking:
            what = f"{plural(len(lacking), 'instance')} of the runs without features: {list_names(lacking)}"
            findings.append(found("features-missing", what))
        if strange:
            what = f"{plural(len(strange), 'instance')} without a run not read: {list_names(strange)}"
            findings.append(found("features-unknown", what))
        what = (
            f"{plural(len(self.names), 'feature')} of {plural(len(instances) - len(lacking), 'instance')}"
        )
        what += f": {list_names(self.names, quoted=False)}"
        return [*findings, found("features-understood", what)]


def read_features(path: str | Path | None) -> FeatureFile | None:
    """The features of a file, where one is given."""
    return None if path is None else FeatureFile.read(Path(path))


class _Cells:
    """The cells of a table of features while they are read."""

    def __init__(self, raw: RawTable) -> None:
        self.raw = raw
        self.names: list[str] = []
        self.values: dict[str, dict[str, float | None]] = {}
        self.findings = [each for each in raw.findings if each.severity != "note"]
        self._lines: dict[str, int] = {}
        self._wrong = 0

    def wrong(self, line: int, what: str, hint: str = "") -> None:
        self._wrong += 1
        if self._wrong <= _LISTED:
            found = new_finding("features-file", file=self.raw.file, line=line, what=what, hint=hint)
            self.findings.append(found)

    def read(self) -> None:
        """Read all rows, and record all that is wrong with them."""
        raw, header = self.raw, self.raw.header
        instance = first_called(header, ALIASES["instance"]) or header[0]
        at = header.index(instance)
        columns = [(k, name.removeprefix("feature:")) for k, name in enumerate(header) if k != at]
        self.names = [name for _, name in columns]
        if repeated := sorted(twice(self.names)):
            self.wrong(raw.line, f"two columns are called {', '.join(map(repr, repeated))}", "Rename one.")
        elif not columns or "" in self.names:
            what = "a file of features has a column of instances and named others"
            self.wrong(raw.line, what, "Separate columns by commas.")
        for line, cells in raw.rows:
            name = cells[at]
            if not name:
                self.wrong(line, "the row names no instance")
            elif name in self._lines:
                self.wrong(line, f"{name} stands in line {self._lines[name]} already", "Remove one row.")
            else:
                self._lines[name] = line
                self.values[name] = {
                    feature: self._value(line, cells[k], feature) for k, feature in columns
                }
        if (more := self._wrong - _LISTED) > 0:
            what = f"and {more} more like these"
            self.findings.append(new_finding("features-file", file=raw.file, what=what))

    def _value(self, line: int, cell: str, feature: str) -> float | None:
        value = {"true": 1.0, "false": 0.0}.get(cell.lower(), number(cell))
        if value is None and not is_missing(cell):
            hint = "Leave it empty if it is missing. A column of words: --attributes FILE."
            self.wrong(line, f"{feature} is {cell!r}, and that is no number", hint)
        return value
