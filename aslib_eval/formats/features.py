"""Features of instances from a table beside the runs: a column of instances, one for each feature."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Unpack

import pyarrow as pa

from aslib_eval.errors import AslibError, Finding, os_errors
from aslib_eval.formats import Parsed
from aslib_eval.formats.aslib.lint import five_of, new_finding, twice
from aslib_eval.formats.attributes import AttributeChoices, attribute_choices, instances_of
from aslib_eval.formats.runs.cells import ALIASES, is_missing, number
from aslib_eval.formats.runs.raw_table import ENDINGS, RawTable, ending, first_called, is_packed, read_raw
from aslib_eval.formats.sources import Source, table
from aslib_eval.options import TableOptions
from aslib_eval.paths import read_plain
from aslib_eval.text import list_names, plural

STEP = "features"
_TRUTHS = {"true": 1.0, "false": 0.0}
Values = Mapping[str, Mapping[str, float | None]]  # instance → feature → value, None where it is missing


@dataclass(frozen=True)
class FeatureFile:
    """The features that a table holds.

    names: of the features, in the order of their columns. findings: what is wrong with its rows.
    """

    path: str
    sha256: str
    values: Values
    names: Sequence[str]
    findings: Sequence[Finding]

    @classmethod
    def read(cls, path: Path) -> FeatureFile:
        """Read a CSV, TSV, JSON lines or Parquet file, gzipped or not."""
        if not ending(path):
            raise AslibError("is not a table of features", str(path), f"Name a file {'|'.join(ENDINGS)}.")
        with os_errors(path, "Name a file with a column of instances and a column for each feature."):
            return cls.of(Source.of(read_plain(path)), path, file=str(path))

    @classmethod
    def of(cls, source: Source, path: Path, *, file: str) -> FeatureFile:
        """The features in the bytes of a file; ``path`` says what kind it is, ``file`` how it is shown.

        The instances are in the column of their name (as in a table of runs), else in the first one. Cells
        are numbers, ``true`` (1), ``false`` (0) or missing.
        """
        raw = read_raw(source.content, kind=ending(path), packed=is_packed(path), file=file)
        findings = [each for each in raw.findings if each.severity != "note"]
        if raw.is_broken:
            return cls(file, source.sha256, {}, (), findings)
        names, values, wrong = _cells(raw)
        found = [
            new_finding("features-file", file=file, line=n, what=what, hint=hint) for n, what, hint in wrong
        ]
        return cls(file, source.sha256, values, names, [*findings, *five_of(found, len(found))])

    def added(self, parsed: Parsed) -> Parsed:
        """A scenario with these features, provided by one default step without a cost.

        An instance of the runs that the file lacks has no value of any feature. Errors: the file is wrong
        or knows none of the instances, or the scenario has features already.
        """
        instances = instances_of(parsed.tables)
        findings = [*self.findings] or self._fits(instances, parsed)
        if any(found.severity == "error" for found in findings):
            return replace(parsed, findings=(*parsed.findings, *findings), tables={})
        tables = {**parsed.tables, **feature_tables(self.names, instances, self.values, steps=[STEP])}
        step = {"step": STEP, "of": "instance", "position": 1, "is_default": True}
        tables["feature_step"] = table(
            "feature_step", [{**step, "requires": [], "provides": [*self.names]}]
        )
        return replace(parsed, findings=(*parsed.findings, *findings), tables=tables)

    def _fits(self, instances: Sequence[str], parsed: Parsed) -> list[Finding]:

        def found(code: str, what: str, hint: str = "") -> Finding:
            return new_finding(code, file=self.path, what=what, hint=hint)

        if "feature" in parsed.tables:
            hint = "Leave one of the two out."
            return [found("features-none", "the scenario has features already", hint)]
        lacking = [name for name in instances if name not in self.values]
        strange = [*self.values.keys() - {*instances}]
        if len(lacking) == len(instances):
            hint = f"Write them as the runs have them, as in {instances[0]!r}."
            what = f"none of its {plural(len(self.values), 'instance')} occurs in the runs"
            return [found("features-none", what, hint)]
        findings = []
        if lacking:
            what = f"{plural(len(lacking), 'instance')} of the runs without features: {list_names(lacking)}"
            findings.append(found("features-missing", what))
        if strange:
            named = list_names(name for name in self.values if name in strange)
            what = f"skipped {plural(len(strange), 'instance')} without a run: {named}"
            findings.append(found("features-unknown", what))
        what = f"{plural(len(self.names), 'feature')} of"
        what += (
            f" {plural(len(instances) - len(lacking), 'instance')}: {list_names(self.names, quoted=False)}"
        )
        return [*findings, found("features-understood", what)]


def instance_choices(**given: Unpack[TableOptions]) -> AttributeChoices:
    """The attributes and features of instances that are chosen."""
    path = given.get("features")
    features = None if path is None else FeatureFile.read(Path(path))
    return attribute_choices(given.get("family"), given.get("attributes"), features)


def _cells(raw: RawTable) -> tuple[list[str], Values, list[tuple[int, str, str]]]:
    """The features, their values, and what is wrong: line, what, and what to do."""
    header = raw.header
    at = header.index(first_called(header, ALIASES["instance"]) or header[0])
    of = {k: name.removeprefix("feature:") for k, name in enumerate(header) if k != at}
    wrong: list[tuple[int, str, str]] = []
    if repeated := sorted(twice([*of.values()])):
        wrong = [(raw.line, f"two columns are called {', '.join(map(repr, repeated))}", "Rename one.")]
    elif not of or "" in of.values():
        what = "a file of features needs a column of instances and others, all with names"
        wrong = [(raw.line, what, "Separate columns by commas.")]
    lines: dict[str, int] = {}
    values: dict[str, dict[str, float | None]] = {}
    for line, cells in raw.rows:
        name = cells[at]
        if not name:
            wrong.append((line, "the row names no instance", ""))
        elif name in lines:
            wrong.append((line, f"{name} is in line {lines[name]} already", "Remove one row."))
        else:
            lines[name] = line
            values[name] = {of[k]: _TRUTHS.get(cells[k].lower(), number(cells[k])) for k in of}
            hint = "Leave it empty if it is missing. For a column of words use --attributes FILE."
            wrong += [
                (line, f"{feature} is {cells[k]!r}, which is not a number", hint)
                for k, feature in of.items()
                if values[name][feature] is None and not is_missing(cells[k])
            ]
    return [*of.values()], values, wrong


def feature_tables(
    names: Sequence[str], instances: Sequence[str], values: Values, *, steps: Sequence[str] = ()
) -> dict[str, pa.Table]:
    """The relations of features, and of their values. steps: those that provide them."""
    declared = [
        {"feature": name, "of": "instance", "position": at, "has_values": True, "steps": steps}
        for at, name in enumerate(names, 1)
    ]
    told = [
        {"instance_id": each, "repetition": 1, "feature": name, "value": values.get(each, {}).get(name)}
        for name in names
        for each in instances
    ]
    return {"feature": table("feature", declared), "feature_value": table("feature_value", told)}
