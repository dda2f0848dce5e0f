"""Attributes of instances and their families: from their names, or from CSV files.

A rule ``path:N`` takes a component of an instance's name, read as a path. The last component is the
instance itself and never a family. What an instance does not have is
a finding, and no row.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

import pyarrow as pa
import pyarrow.compute as pc

from aslib_eval.errors import AslibError, Finding, ScenarioError, os_errors
from aslib_eval.formats import Parsed
from aslib_eval.formats.aslib.lint import new_finding, twice
from aslib_eval.formats.sources import MISSING, Location, Source, table
from aslib_eval.paths import read_plain
from aslib_eval.text import list_names, plural

FAMILY = "family"
_RULE = re.compile(r"path:(-?[1-9][0-9]{0,5})(?::(.+))?", re.DOTALL)
_SHOWN = 40  # characters of a rule that is none
_SEPARATORS = "/\\"
_NO_COMPONENT = frozenset({"", ".", ".."})
_CODES = {"attributes": "attribute", "features": "features"}  # how codes of findings about a file begin
_FOR_RULE = "Use path:1 for the first folder of the names, path:-1 for the last."


@dataclass(frozen=True)
class PathRule:
    r"""Which component of an instance's name is its family.

    at: 1 is the first, -1 the last before the instance's own. separators: characters that part the
    components, ``/`` and ``\\`` unless others are named. Empty components, ``.`` and ``..`` count for
    nothing: a leading ``./`` or ``/`` neither.
    """

    at: int
    separators: str = _SEPARATORS

    @classmethod
    def of(cls, text: str) -> PathRule:
        """The rule that a text such as ``path:1`` or ``path:1:_-`` says."""
        if (found := _RULE.fullmatch(text)) is None:
            shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
            raise AslibError(f"{shown!r} is not a rule for families", None, _FOR_RULE)
        return cls(int(found[1]), found[2] or _SEPARATORS)

    @property
    def text(self) -> str:
        """The rule as its user writes it."""
        more = "" if self.separators == _SEPARATORS else f":{self.separators}"
        return f"path:{self.at}{more}"

    def family(self, instance: str) -> str | None:
        """The component of a name; None where it has no such one.

        >>> PathRule(1).family("./SAT11/crafted/x.cnf"), PathRule(1).family("x.cnf")
        ('SAT11', None)
        """
        parts = re.split(f"[{re.escape(self.separators)}]", instance)
        folders = [part for part in parts[:-1] if part not in _NO_COMPONENT]
        at = self.at - 1 if self.at > 0 else self.at + len(folders)
        return folders[at] if 0 <= at < len(folders) else None

    def attribute(
        self, instances: Sequence[str], *, file: str
    ) -> tuple[list[dict[str, Any]], list[Finding]]:
        """Rows of the relation ``attribute``, and the instances that have none.

        That no instance has one is an error, that some have none are warnings.
        """
        families = {name: family for name in instances if (family := self.family(name)) is not None}
        if not families:
            what = f"no instance name has a component {self.text}, for example {instances[:1]}"
            hint = f"{_FOR_RULE} Other separators follow a second colon: path:1:_"
            return [], [new_finding("attribute-none", file=file, what=what, hint=hint)]
        return _attribute(FAMILY, families, instances, self.text, file)


@dataclass(frozen=True)
class InstanceFile:
    """A table with a column of instances, and others that say something about them.

    values: column → instance → text, without those that are missing. lines: of each instance. findings:
    what is wrong with its rows. kind: what the columns hold, in words.
    """

    path: str
    sha256: str
    values: Mapping[str, Mapping[str, str]]
    lines: Mapping[str, int]
    findings: tuple[Finding, ...]
    kind: str = "attributes"

    @classmethod
    def read(cls, path: Path, *, family: bool = False) -> InstanceFile:
        """Read a file of attributes.

        family: whether it must say families: then its one column besides the instance is ``family``
        whatever it is called, and of several one is called so.
        """
        hint = f"Name a CSV file. {_FOR_RULE}" if family else "Name a CSV file."
        with os_errors(path, hint):
            found = cls.of(Source.of(read_plain(path)), path, file=str(path))
        if not family or found.findings or FAMILY in found.values:
            return found
        if len(found.values) == 1:
            return replace(found, values={FAMILY: next(iter(found.values.values()))})
        hint = "Rename one, or use --attributes, which reads all columns."
        return replace(found, findings=(found.finding("file", f"no column is called {FAMILY}", hint, 1),))

    @classmethod
    def of(cls, source: Source, path: Path, *, file: str, kind: str = "attributes") -> InstanceFile:
        """What the bytes of a file say; ``path`` says how it is written, ``file`` how it is shown.

        The instances are in the column of their name (as in a table of runs), else in the first one.
        Everything wrong with its rows is found in one pass.
        """
        from aslib_eval.formats.runs.cells import ALIASES
        from aslib_eval.formats.runs.raw_table import ending, first_called, is_packed, read_raw

        raw = read_raw(source.content, kind=ending(path) or ".csv", packed=is_packed(path), file=file)
        instance = first_called(raw.header, ALIASES["instance"])
        at = 0 if instance is None else raw.header.index(instance)
        names = {k: name.removeprefix("feature:") for k, name in enumerate(raw.header) if k != at}
        lines: dict[str, int] = {}
        values: dict[str, dict[str, str]] = {name: {} for name in names.values()}
        read = cls(file, source.sha256, values, lines, (), kind)
        wrong = [
            read.finding("file", each.message, each.hint or "", each.line)
            for each in raw.findings
            if each.severity == "error"
        ]
        what, hint = "", "Rename one."
        if repeated := sorted(twice(names.values())):
            what = f"two columns are called {', '.join(map(repr, repeated))}"
        elif raw.header and not raw.rows and not wrong:
            what, hint = "the file has a header and no row", "Add a row for each instance."
        elif raw.header and (not names or "" in names.values()):
            what = f"a file of {kind} needs a column of instances and others, all with names"
            hint = "Separate columns by commas."
        if what:
            return replace(read, findings=(read.finding("file", what, hint, raw.line),))
        for line, cells in (row for row in raw.rows if len(row[1]) == len(raw.header)):
            if not cells[at]:
                wrong.append(read.finding("file", "the row names no instance", line=line))
            elif cells[at] in lines:
                what = f"{cells[at]} is in line {lines[cells[at]]} already"
                wrong.append(read.finding("file", what, "Remove one row.", line))
            else:
                lines[cells[at]] = line
                for k, name in names.items():
                    if cells[k].lower() not in MISSING:
                        values[name][cells[at]] = cells[k]
        return replace(read, findings=tuple(sorted(wrong, key=lambda found: found.line or 0)))

    def finding(self, code: str, what: str, hint: str = "", line: int | None = None) -> Finding:
        """A finding about the file, such as ``attribute-missing``."""
        return new_finding(f"{_CODES[self.kind]}-{code}", file=self.path, line=line, what=what, hint=hint)

    def fits(self, instances: Sequence[str]) -> list[Finding]:
        """What is wrong with it for these instances: an error if it knows none of them."""
        lacking = [name for name in instances if name not in self.lines]
        if len(lacking) == len(instances):
            hint = f"Write them as the runs have them, as in {instances[0]!r}."
            what = f"none of its {plural(len(self.lines), 'instance')} occurs in the runs"
            return [self.finding("none", what, hint)]
        findings = []
        if lacking:
            n = plural(len(lacking), "instance")
            what = f"{n} of the runs without {self.kind}: {list_names(lacking)}"
            findings.append(self.finding("missing", what))
        if strange := [name for name in self.lines if name not in {*instances}]:
            what = f"skipped {plural(len(strange), 'instance')} without a run: {list_names(strange)}"
            findings.append(self.finding("unknown", what, line=self.lines[strange[0]]))
        return findings

    def attributes(self, instances: Sequence[str]) -> tuple[list[dict[str, Any]], list[Finding]]:
        """Rows of the relation ``attribute`` for these instances, and what is wrong or odd."""
        findings = [*self.findings] or self.fits(instances)
        if any(found.severity == "error" for found in findings):
            return [], findings
        rows: list[dict[str, Any]] = []
        there = [name for name in instances if name in self.lines]
        for name, of in self.values.items():
            more, told = _attribute(name, of, there, f"column {name!r}", self.path)
            rows, findings = [*rows, *more], [*findings, *told]
        return rows, findings


def _attribute(
    name: str, values: Mapping[str, str], instances: Sequence[str], what: str, file: str
) -> tuple[list[dict[str, Any]], list[Finding]]:
    """Rows of an attribute for these instances, which of them have none, and how it was understood."""
    known = {instance: values[instance] for instance in instances if instance in values}
    findings = []
    if lacking := [instance for instance in instances if instance not in values]:
        told = f"{plural(len(lacking), 'instance')} without {name}: {list_names(lacking)}"
        findings.append(new_finding("attribute-missing", file=file, what=told))
    sizes = f"{plural(len({*known.values()}), 'value')} on {plural(len(known), 'instance')}"
    told = f"{what} is read as the attribute {name}, with {sizes}"
    findings.append(new_finding("attribute-understood", file=file, what=told))
    return [{"instance_id": i, "attribute": name, "value": text} for i, text in known.items()], findings


class GivenFeatures(Protocol):
    """Features of instances that are given beside a scenario."""

    @property
    def sha256(self) -> str:
        """The hash of their file."""

    def added(self, parsed: Parsed) -> Parsed:
        """A scenario with them."""


@dataclass(frozen=True)
class AttributeChoices:
    """Where attributes and features come from that a scenario's own files do not say."""

    rule: PathRule | None = None
    files: tuple[InstanceFile, ...] = ()
    features: GivenFeatures | None = None

    @property
    def facts(self) -> list[str]:
        """What decides about them, as the manifest keeps it."""
        rule = [] if self.rule is None else [self.rule.text]
        features = [] if self.features is None else [f"features {self.features.sha256}"]
        return [*rule, *(file.sha256 for file in self.files), *features]

    def families(self, instances: Iterable[str]) -> dict[str, str]:
        """Instance → its family, of those that have one."""
        if self.rule is not None:
            return {name: family for name in instances if (family := self.rule.family(name))}
        known = next((f.values[FAMILY] for f in self.files if FAMILY in f.values), {})
        return {name: known[name] for name in instances if name in known}

    def added(self, parsed: Parsed, location: Location) -> Parsed:
        """A scenario with these features, and attributes in the place of its own of the same names.

        Of a scenario that has errors nothing is changed.
        """
        if self.features is not None and "run" in parsed.tables:
            parsed = self.features.added(parsed)
        if "run" not in parsed.tables or (self.rule is None and not self.files):
            return parsed
        instances = instances_of(parsed.tables)
        rows: list[dict[str, Any]] = []
        findings: list[Finding] = []
        if self.rule is not None:
            rows, findings = self.rule.attribute(instances, file=location.shown)
        for file in self.files:
            more, wrong = file.attributes(instances)
            rows, findings = [*rows, *more], [*findings, *wrong]
        given = {row["attribute"] for row in rows}
        own = parsed.tables.get("attribute")
        kept = [] if own is None else own.to_pylist()
        rows = [*(row for row in kept if row["attribute"] not in given), *rows]
        tables = {**parsed.tables, **({"attribute": table("attribute", rows)} if rows else {})}
        return replace(parsed, findings=(*parsed.findings, *findings), tables=tables)


def attribute_choices(
    family: str | Path | None = None,
    attributes: str | Path | None = None,
    features: GivenFeatures | None = None,
) -> AttributeChoices:
    """The choices, checked; the files are read once for all scenarios.

    family: ``path:N``, ``path:N:SEPARATORS``, or a CSV file. attributes: a CSV file. features: of
    instances that have none.
    """
    wanted = isinstance(family, str) and family.startswith("path:")
    rule = PathRule.of(str(family)) if wanted else None
    files = []
    if family is not None and rule is None:
        files.append(InstanceFile.read(Path(family), family=True))
    if attributes is not None:
        files.append(InstanceFile.read(Path(attributes)))
    names = [FAMILY] * (rule is not None) + [n for file in files for n in file.values]
    if repeated := ", ".join(sorted(twice(names))):
        hint = "Leave out --family or the column."
        raise AslibError(f"the attribute {repeated} is given twice", str(attributes), hint)
    return AttributeChoices(rule, tuple(files), features)


def is_rule(value: object) -> bool:
    """Whether something is a rule for families, as ``PathRule.of`` takes it."""
    return isinstance(value, str) and _RULE.fullmatch(value) is not None


def instances_of(tables: Mapping[str, pa.Table]) -> list[str]:
    """The instances of the runs, in their order; those of a test set do not count."""
    return [str(i) for i in pc.unique(tables["run"]["instance_id"]).to_pylist()]


def attribute_names(found: pa.Table | None) -> Collection[str]:
    """The attributes of a relation, in the order of their names."""
    return [] if found is None else sorted(set(found["attribute"].to_pylist()))


@dataclass(frozen=True)
class Families:
    """Families of instances from a CSV file, with their lines."""

    path: str
    of: Mapping[str, str]
    lines: Mapping[str, int]

    def finding(self, instance: str, message: str) -> Finding:
        """An error about an instance; without a line if the file lacks it."""
        return Finding("family", "error", self.path, self.lines.get(instance), message)


def read_families(path: Path) -> Families:
    """Read a CSV file with columns of instances and families."""
    found = InstanceFile.read(path, family=True)
    of = found.values.get(FAMILY, {})
    lacking = [line for name, line in found.lines.items() if name not in of]
    wrong = [Finding("family", "error", found.path, line, "the row names no family") for line in lacking]
    if wrong or found.findings:
        raise ScenarioError(str(path), sorted((*found.findings, *wrong), key=lambda each: each.line or 0))
    return Families(found.path, of, found.lines)


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
    return _END_OF_WORD.split(rest.lstrip("-_") if found else rest)[0]
