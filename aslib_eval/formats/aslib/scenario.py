"""A scenario folder: description.txt and its ARFF files, read in one pass.

Nothing here raises for what the files hold: every remark is a Finding with file and line, and a file with
an error is left out of ``tables``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from aslib_eval.errors import AslibError, Finding, os_errors
from aslib_eval.formats.aslib.arff import ArffTable, parse_arff
from aslib_eval.formats.aslib.description import Description, parse_description
from aslib_eval.formats.sources import TEXTS, Location, Source, Sources, in_unicode
from aslib_eval.signatures import public

_COUNT = pa.int32()
_RUN = ("instance_id", "repetition", "algorithm")
_FEATURE = ("instance_id", "repetition")
_ALGORITHM = ("algorithm", "repetition")

# File name without .arff → the columns that identify a row, in their order.
IDS: Mapping[str, tuple[str, ...]] = {
    "algorithm_runs": _RUN,
    "feature_values": _FEATURE,
    "feature_costs": _FEATURE,
    "feature_runstatus": _FEATURE,
    "cv": (*_FEATURE, "fold"),
    "ground_truth": ("instance_id",),
    "attributes": ("instance_id",),  # an extension: a column for each attribute
    "algorithm_feature_values": _ALGORITHM,
    "algorithm_feature_costs": _ALGORITHM,
    "algorithm_feature_runstatus": _ALGORITHM,
    "algorithm_runs_test": _RUN,
    "feature_values_test": _FEATURE,
    "feature_costs_test": _FEATURE,
    "feature_runstatus_test": _FEATURE,
    "trajectories": _RUN,  # an extension; a run has many rows
}
CORE = ("algorithm_runs", "feature_values", "feature_costs", "feature_runstatus", "cv")
READ = frozenset((*TEXTS, *(f"{name}.arff" for name in IDS)))
COUNTS = ("repetition", "fold")
DESCRIPTION = "description.txt"


@dataclass(frozen=True)
class Scenario:
    """A scenario as read: what is there, and every finding made while reading."""

    location: Location
    sources: Sources
    description: Description | None
    tables: Mapping[str, ArffTable]
    findings: tuple[Finding, ...]

    @property
    def folder(self) -> str:
        """Name of the folder, which may differ from the scenario_id."""
        return self.location.folder

    @property
    def missing(self) -> tuple[str, ...]:
        """Core files of the format that are absent."""
        return tuple(f"{n}.arff" for n in CORE if f"{n}.arff" not in self.sources)

    def file(self, name: str) -> str:
        """The path of one of its files, as shown to the user."""
        return self.location.file(name)


def load_sources(location: Location) -> dict[str, Source]:
    """The bytes and hashes of all files in the folder (sub-folders are left alone)."""
    sources = {}
    with os_errors(hint="Check the permissions."):
        for path in sorted(location.path.iterdir(), key=lambda p: p.name):
            if path.name in READ and not path.is_file():
                what = "is not a plain file"
                raise AslibError(what, str(path), "Remove it or put the file there.")
            if path.is_file() and not path.name.startswith("."):
                sources[path.name] = location.files.source(path)
    return sources


def described(
    location: Location, source: Source, *, file: str = DESCRIPTION
) -> tuple[Description | None, tuple[Finding, ...]]:
    """What description.txt says, which ``claim``, ``identify`` and ``read`` ask for."""
    where = location.file(file)
    return location.files.once(
        (source.sha256, where), lambda: parse_description(source.content, file=where), keep=True
    )


@public
def read_scenario(location: Location | str | Path, sources: Sources | None = None) -> Scenario:
    """Read a scenario folder; ``sources`` are its files if already loaded.

    location: the folder, as text, path or ``Location``. What is wrong with it is in ``findings``; a file
    that cannot be understood is in no table.

    Raises:
        AslibError: when a file cannot be read.

    >>> ae.read_scenario("scenarios/TOY-2026").tables.keys() >= {"algorithm_runs", "cv"}
    True
    """
    if not isinstance(location, Location):
        location = Location(Path(location), str(location))
    if sources is None:
        sources = in_unicode(load_sources(location))
    description = None
    findings: list[Finding] = []
    if (source := sources.get(DESCRIPTION)) is not None:
        description, more = described(location, source)
        findings.extend(more)
    tables: dict[str, ArffTable] = {}
    for name, ids in IDS.items():
        if (source := sources.get(f"{name}.arff")) is not None:
            file = location.file(f"{name}.arff")
            parsed = parse_arff(source.content, file=file, text=set(ids) - set(COUNTS))
            table, duplicates = _identified(parsed, ids)
            findings += [*parsed.findings, *duplicates]
            if not any(f.severity == "error" for f in (*parsed.findings, *duplicates)):
                tables[name] = table
    return Scenario(location, sources, description, tables, tuple(findings))


def _identified(parsed: ArffTable, ids: tuple[str, ...]) -> tuple[ArffTable, list[Finding]]:
    """Check that the identifying columns are there and hold usable ids."""
    if any(f.severity == "error" for f in parsed.findings):
        return parsed, []
    columns = parsed.table.column_names
    findings: list[Finding] = []
    for name in ids:
        if name not in columns:
            what = f"no column {name!r}"
            kind = "NUMERIC" if name in COUNTS else "STRING"
            hint = f"Declare '@ATTRIBUTE {name} {kind}'; it has {columns[:5]}."
            first = parsed.attributes[0].line if parsed.attributes else 1
            findings.append(Finding("column-missing", "error", parsed.file, first, what, hint))
        else:
            findings += _bad_ids(parsed, name)
    if findings:
        return parsed, findings
    table = parsed.table
    for name in (n for n in ids if n in COUNTS):
        at = columns.index(name)
        table = table.set_column(at, name, table[name].cast(_COUNT))
    return ArffTable(parsed.file, parsed.attributes, table, parsed.data, parsed.data_line), []


def _bad_ids(parsed: ArffTable, name: str) -> list[Finding]:
    """Rows whose id is missing, or whose counter is not a whole number."""
    column = parsed.table[name]
    if name in COUNTS and not pa.types.is_floating(column.type):
        what = f"column {name!r} is not NUMERIC"
        line = parsed.line_of(name)
        return [Finding("column-type", "error", parsed.file, line, what, "")]
    if name in COUNTS:
        values = column.to_numpy()
        with np.errstate(invalid="ignore"):
            bad = ~((values == np.floor(values)) & (np.abs(values) < 2**31))
    else:
        bad = column.is_null().to_numpy()
        words = [chunk.dictionary for chunk in column.chunks]
        if any("" in word.to_pylist() for word in words):
            bad |= pc.equal(column.cast(pa.string()), "").to_numpy()
    rows = np.flatnonzero(bad)
    if not rows.size:
        return []
    lines = parsed.lines()
    kind = "a whole number" if name in COUNTS else "an id"
    return [
        Finding("id", "error", parsed.file, lines[row], f"{name} is not {kind}", "Fill it.")
        for row in rows[:20].tolist()
    ]


# One name for an algorithm that its files spell in two ways.


def make_names(name: str) -> str:
    """R's make.names, which renamed algorithms in some files of some scenarios."""
    name = re.sub(r"[^A-Za-z0-9._]", ".", name)
    return name if re.match(r"[A-Za-z]|\.(?![0-9])", name) else f"X{name}"


def algorithm_names(scenario: Scenario) -> dict[str, str]:
    """Names used in description and algorithm features → names used in the runs.

    Exact names stay; others are matched by ``make_names`` where that is unique.
    """
    runs = distinct_names(scenario, "algorithm_runs", "algorithm")
    known = set(runs)
    forms: dict[str, list[str]] = {}
    for name in runs:
        forms.setdefault(make_names(name), []).append(name)
    others = {a.name for a in scenario.description.algorithms} if (scenario.description) else set()
    for file in IDS:
        if file.startswith("algorithm_feature_"):
            others.update(distinct_names(scenario, file, "algorithm"))
    matches = {name: forms.get(make_names(name), []) for name in others - known}
    return {name: to[0] for name, to in matches.items() if len(to) == 1}


def distinct_names(scenario: Scenario, file: str, column: str) -> list[str]:
    """Values of a text column in order of appearance; none if the file is absent."""
    if file not in scenario.tables:
        return []
    values: list[str] = pc.unique(scenario.tables[file].table[column]).to_pylist()
    return values
