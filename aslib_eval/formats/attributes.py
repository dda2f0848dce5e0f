"""Attributes of instances and their families: from their names, or from CSV files.

A rule ``path:N`` takes a component of an instance's name, read as a path. The last component is the
instance itself and never a family. What an instance does not have is
a finding, and no row.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

import pyarrow as pa
import pyarrow.compute as pc

from aslib_eval.errors import AslibError, Finding, ScenarioError, os_errors
from aslib_eval.formats import Parsed
from aslib_eval.formats.aslib.lint import LimitedFindings, new_finding, twice
from aslib_eval.formats.sources import MISSING, CsvTable, Location, Source, table
from aslib_eval.paths import read_plain
from aslib_eval.text import plural

FAMILY = "family"
_RULE = re.compile(r"path:(-?[1-9][0-9]{0,5})(?::(.+))?", re.DOTALL)
_SHOWN = 40  # characters of a rule that is none
_SEPARATORS = "/\\"
_NO_COMPONENT = frozenset({"", ".", ".."})
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
        families = {name: self.family(name) for name in instances}
        lacking = [name for name, family in families.items() if family is None]
        rows = _rows(FAMILY, {n: f for n, f in families.items() if f is not None})
        if not rows:
            what = f"no instance name has a component {self.text}, for example {lacking[:1]}"
            hint = f"{_FOR_RULE} Other separators follow a second colon: path:1:_"
            return [], [new_finding("attribute-none", file=file, what=what, hint=hint)]
        return rows, [*_missing(FAMILY, lacking, file), _understood(rows, self.text, file)]


@dataclass(frozen=True)
class AttributeFile:
    """A CSV file: the first column is the instance, every other one an attribute.

    values: attribute → instance → text, without those that are missing. lines: of each instance. findings:
    what is wrong with its rows.
    """

    path: str
    sha256: str
    values: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    lines: Mapping[str, int] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()

    @classmethod
    def read(cls, path: Path, *, family: bool = False) -> AttributeFile:
        """Read a file; everything wrong with its rows is found in one pass.

        family: whether it must say families: then its one column besides the instance is ``family``
        whatever it is called, and of several one is called so.
        """
        hint = f"Name a CSV file. {_FOR_RULE}" if family else "Name a CSV file."
        with os_errors(path, hint):
            content = read_plain(path)
        csv = CsvTable(content, file=str(path), names={}, code="attribute-file")
        names = _names(csv, family=family)
        values: dict[str, dict[str, str]] = {name: {} for name in names}
        lines: dict[str, int] = {}
        for row in csv.rows():
            instance, *cells = row.cells
            if not instance:
                row.wrong("the row names no instance")
            elif instance in lines:
                row.wrong(f"{instance} is in line {lines[instance]} already")
            else:
                lines[instance] = row.line
                for name, cell in zip(names, cells, strict=True):
                    if cell.lower() not in MISSING:
                        values[name][instance] = cell
        return cls(str(path), Source.of(content).sha256, values, lines, tuple(csv.findings))

    def attributes(self, instances: Sequence[str]) -> tuple[list[dict[str, Any]], list[Finding]]:
        """Rows of the relation ``attribute`` for these instances, and what is odd.

        Errors: rows that are wrong, and a file that knows none of the instances. Warnings: instances of the
        file that are none, and those without a value.
        """
        if self.findings:
            return [], list(self.findings)
        known = set(instances)
        if not known & self.lines.keys():
            what = f"none of its {plural(len(self.lines), 'instance')} occurs in the runs"
            hint = f"Write them as the runs have them, as in {instances[0]!r}."
            return [], [new_finding("attribute-none", file=self.path, what=what, hint=hint)]
        strange = ((self.lines[n], f"instance {n!r} has no run") for n in self.lines if n not in known)
        findings = [*_listed("attribute-unknown", strange, self.path)]
        rows = []
        for name, of in self.values.items():
            mine = _rows(name, {i: of[i] for i in instances if i in of})
            findings += _missing(name, [i for i in instances if i not in of], self.path, self.lines)
            findings.append(_understood(mine, f"column {name!r}", self.path))
            rows += mine
        return rows, findings


def _names(csv: CsvTable, *, family: bool) -> list[str]:
    """The attributes that a header names, all that is wrong with it recorded."""
    names = csv.header[1:]
    repeated = sorted(twice(names))
    if csv.is_broken:
        return []
    if not names or "" in csv.header or repeated:
        what = "a file of attributes needs a column of instances and others, all with names"
        if repeated:
            what = f"two columns are called {', '.join(map(repr, repeated))}"
        csv.error("header", csv.line, what, "Separate columns by commas.")
    elif family and len(names) == 1:
        return [FAMILY]
    elif family and FAMILY not in names:
        what = f"no column is called {FAMILY}"
        csv.error("header", csv.line, what, "Rename one, or use --attributes, which reads all columns.")
    return names


def _rows(attribute: str, values: Mapping[str, str]) -> list[dict[str, Any]]:
    return [
        {"instance_id": instance, "attribute": attribute, "value": value}
        for instance, value in values.items()
    ]


def _listed(code: str, found: Iterable[tuple[int | None, str]], file: str) -> Sequence[Finding]:
    """A finding for each, after twenty one that counts the rest."""
    listed = LimitedFindings(file)
    for line, what in found:
        listed.say(code, (file, line), what)
    return listed.findings


def _missing(
    attribute: str, lacking: Sequence[str], file: str, lines: Mapping[str, int] | None = None
) -> Sequence[Finding]:
    found = (((lines or {}).get(n), f"{n!r} has no {attribute}") for n in lacking)
    return _listed("attribute-missing", found, file)


def _understood(rows: Sequence[Mapping[str, Any]], what: str, file: str) -> Finding:
    name = str(rows[0]["attribute"]) if rows else "nothing"
    sizes = f"{plural(len({row['value'] for row in rows}), 'value')} on {plural(len(rows), 'instance')}"
    told = f"{what} is read as the attribute {name}, with {sizes}"
    return new_finding("attribute-understood", file=file, what=told)


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
    files: tuple[AttributeFile, ...] = ()
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
        files.append(AttributeFile.read(Path(family), family=True))
    if attributes is not None:
        files.append(AttributeFile.read(Path(attributes)))
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


_NAMES = {"instance_id": ("instance_id", "instance", "inst"), "family": ("family",)}


@dataclass(frozen=True)
class Families:
    """Families of instances from a CSV file, with their lines."""

    path: str
    of: dict[str, str]
    lines: dict[str, int]

    def finding(self, instance: str, message: str) -> Finding:
        """An error about an instance; without a line if the file lacks it."""
        return Finding("family", "error", self.path, self.lines.get(instance), message)


def read_families(path: Path) -> Families:
    """Read a CSV file with the columns instance_id and family; others are ignored."""
    found = Families(str(path), {}, {})
    with os_errors(path, "It must be CSV in UTF-8."):
        content = read_plain(path)
    table = CsvTable(content, file=str(path), names=_NAMES, code="family")
    table.require([*_NAMES])
    for row in table.rows():
        instance, family = row.name("instance_id"), row.name("family")
        if instance in found.of:
            row.wrong(f"{instance} is in line {found.lines[instance]} already")
        elif instance:
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
