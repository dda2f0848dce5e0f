"""Features of instances from a table beside the runs: a column of instances, one for each feature."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Unpack

import pyarrow as pa

from aslib_eval.errors import AslibError, os_errors
from aslib_eval.formats import Parsed
from aslib_eval.formats.aslib.lint import five_of
from aslib_eval.formats.attributes import AttributeChoices, InstanceFile, attribute_choices, instances_of
from aslib_eval.formats.runs.cells import is_missing, number
from aslib_eval.formats.runs.raw_table import ENDINGS, ending
from aslib_eval.formats.sources import Source, table
from aslib_eval.options import TableOptions
from aslib_eval.paths import read_plain
from aslib_eval.text import list_names, plural

STEP = "features"
_TRUTHS = {"true": 1.0, "false": 0.0}
Values = Mapping[str, Mapping[str, float | None]]  # instance → feature → value, None where it is missing


@dataclass(frozen=True)
class FeatureFile:
    """The features that a table holds."""

    table: InstanceFile

    @classmethod
    def read(cls, path: Path) -> FeatureFile:
        """Read a CSV, TSV, JSON lines or Parquet file, gzipped or not."""
        if not ending(path):
            raise AslibError("is not a table of features", str(path), f"Name a file {'|'.join(ENDINGS)}.")
        with os_errors(path, "Name a file with a column of instances and a column for each feature."):
            return cls.of(Source.of(read_plain(path)), path, file=str(path))

    @classmethod
    def of(cls, source: Source, path: Path, *, file: str) -> FeatureFile:
        """The features in the bytes of a file, as ``InstanceFile.of`` reads them.

        Cells are numbers, ``true`` (1), ``false`` (0) or missing.
        """
        found = InstanceFile.of(source, path, file=file, kind="features")
        hint = "Write it without separators of thousands, or leave it empty. Words need --attributes FILE."
        wrong = [*found.findings]
        for feature, of in found.values.items():
            for name, cell in of.items():
                if _value(cell) is None and not is_missing(cell):
                    what = f"{feature} is {cell!r}, which is not a number"
                    wrong.append(found.finding("file", what, hint, found.lines[name]))
        wrong.sort(key=lambda each: each.line or 0)
        return cls(replace(found, findings=tuple(five_of(wrong, len(wrong)))))

    @property
    def sha256(self) -> str:
        """The hash of the file."""
        return self.table.sha256

    def added(self, parsed: Parsed) -> Parsed:
        """A scenario with these features, provided by one default step without a cost.

        An instance of the runs that the file lacks has no value of any feature. Errors: the file is wrong
        or knows none of the instances, or the scenario has features already.
        """
        instances, file, names = instances_of(parsed.tables), self.table, [*self.table.values]
        findings = [*file.findings] or file.fits(instances)
        if "feature" in parsed.tables:
            hint = "Leave one of the two out."
            findings = [file.finding("none", "the scenario has features already", hint)]
        if any(found.severity == "error" for found in findings):
            return replace(parsed, findings=(*parsed.findings, *findings), tables={})
        n = plural(sum(name in file.lines for name in instances), "instance")
        what = f"{plural(len(names), 'feature')} of {n}: {list_names(names, quoted=False)}"
        findings.append(file.finding("understood", what))
        values = {
            instance: {name: _value(of.get(instance, "")) for name, of in file.values.items()}
            for instance in instances
        }
        tables = {**parsed.tables, **feature_tables(names, instances, values, steps=[STEP])}
        step = {"step": STEP, "of": "instance", "position": 1, "is_default": True}
        tables["feature_step"] = table("feature_step", [{**step, "requires": [], "provides": names}])
        return replace(parsed, findings=(*parsed.findings, *findings), tables=tables)


def _value(cell: str) -> float | None:
    return _TRUTHS.get(cell.lower(), number(cell))


def instance_choices(**given: Unpack[TableOptions]) -> AttributeChoices:
    """The attributes and features of instances that are chosen."""
    path = given.get("features")
    features = None if path is None else FeatureFile.read(Path(path))
    return attribute_choices(given.get("family"), given.get("attributes"), features)


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
