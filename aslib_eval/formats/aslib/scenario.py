"""A scenario folder: description.txt and its ARFF files, read in one pass.

Nothing here raises for what the files hold: every remark is a Finding with file and line, and a file with
an error is left out of ``tables``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from operator import length_hint
from pathlib import Path
from typing import Any

import arff
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pv

from aslib_eval.errors import AslibError, Finding, os_errors
from aslib_eval.formats.aslib.description import Description, parse_description
from aslib_eval.formats.sources import TEXTS, Location, Source, Sources, in_unicode
from aslib_eval.options import public

# ARFF: liac-arff defines the meaning, pyarrow carries the speed. A data block of plain cells only (no
# quotes, blanks, braces, escapes or non-ASCII bytes) is the same text to a CSV parser as to liac-arff:
# pyarrow reads it. Everything else, and everything that pyarrow refuses, is read by liac-arff row by row,
# which then also says what is wrong and on which line.

TEXT = pa.dictionary(pa.int32(), pa.string())
NUMBER = pa.float64()
MAX_FINDINGS = 200

_DATA_LINE = re.compile(rb"^[ \r]*@data[^\n]*\n?", re.IGNORECASE | re.MULTILINE)
_COMMENT_LINE = re.compile(rb"^%[^\n]*\n?", re.MULTILINE)
_PLAIN = bytes(set(range(0x21, 0x7F)) - set(b"\"'{}")) + b"\n"
_MISSING = ["?", ""]
_DECLARE = "Declare columns as '@ATTRIBUTE name NUMERIC|STRING|{a, b}'."
_BLOCK = 64 << 20


@dataclass(frozen=True)
class Attribute:
    """A declared column; ``kind`` is liac-arff's type name or ``NOMINAL``."""

    name: str
    line: int
    kind: str
    nominal: tuple[str, ...] = ()

    @property
    def numeric(self) -> bool:
        """Whether the cells are numbers."""
        return self.kind in {"NUMERIC", "REAL", "INTEGER"}


@dataclass(frozen=True)
class ArffTable:
    """A parsed file.

    ``table`` has one column per attribute: dictionary-encoded text or float64,
    missing (``?`` or nothing between commas) as null; a literal NaN stays NaN.
    It is empty where ``findings`` holds an error.
    """

    file: str
    attributes: tuple[Attribute, ...]
    table: pa.Table
    data: bytes
    data_line: int
    findings: tuple[Finding, ...] = ()

    def lines(self) -> list[int]:
        """File line (1-based) of every row of the table."""
        return _row_lines(self.data, self.data_line)

    def line_of(self, name: str) -> int | None:
        """File line on which the attribute is declared, or None."""
        return next((a.line for a in self.attributes if a.name == name), None)


class _RefusedError(Exception):
    """The file cannot be read at all; carries the one finding with the reason."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.message)
        self.finding = finding


def parse_arff(content: bytes, *, file: str, text: Collection[str] = ()) -> ArffTable:
    """Parse the bytes of an ARFF file; never raises for what the bytes hold.

    Every cell equals what liac-arff makes of it, but that the columns named in
    ``text`` are text whatever type is declared, and that an INTEGER column keeps
    the numbers that are not whole, with a warning. What is wrong stands in
    ``findings`` with its line; the table is then empty.
    """
    try:
        head, data = _split_header(content, file)
        attributes = _attributes(head, file)
        if any(a.numeric and a.name in text for a in attributes):
            head = _declare_text(head, attributes, text)
            attributes = _attributes(head, file)
        head = _declare_real(head, attributes)
    except _RefusedError as refusal:
        return ArffTable(file, (), pa.table({}), b"", 1, (refusal.finding,))
    data_line = head.count("\n") + 1
    table = _fast(data, attributes)
    findings: tuple[Finding, ...] = ()
    if table is None:
        table, findings = _slow(head, data, attributes, file=file)
    parsed = ArffTable(file, attributes, table, data, data_line, findings)
    return replace(parsed, findings=(*findings, *_not_whole(parsed)))


def _split_header(content: bytes, file: str) -> tuple[str, bytes]:
    """Header text up to and including the @data line, and the data block."""
    content = content.removeprefix(b"\xef\xbb\xbf")
    if b"\r" in content:
        content = content.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    _require_text(content, file)
    found = _DATA_LINE.search(content)
    if found is None:
        what = "the file is empty" if not content.strip() else "no @DATA line"
        hint = "Is the file complete, and is it an ARFF file?"
        raise _RefusedError(Finding("arff-no-data", "error", file, 1, what, hint))
    head = content[: found.end()].decode()
    return head if head.endswith("\n") else head + "\n", content[found.end() :]


def _require_text(content: bytes, file: str) -> None:
    try:
        bad = content.find(b"\0") if content.isascii() or content.decode() else -1
    except UnicodeDecodeError as error:
        bad = error.start
    if bad >= 0:
        line = content.count(b"\n", 0, bad) + 1
        what = f"byte {content[bad]:#04x} is not UTF-8 text"
        if content[bad] == 0:
            what = "byte 0x00 does not belong in a text file"
        hint = "Save the file as UTF-8 (is it binary, or in another encoding?)."
        raise _RefusedError(Finding("arff-encoding", "error", file, line, what, hint))


def _attributes(head: str, file: str) -> tuple[Attribute, ...]:
    try:
        declared = arff.loads(head)["attributes"]
    except arff.ArffException as error:
        what = _reason(error)
        line = error.line if error.line > 0 else None
        finding = Finding("arff-header", "error", file, line, what, _DECLARE)
        raise _RefusedError(finding) from None
    except Exception:  # noqa: BLE001 (liac-arff lets through what its parts raise)
        line, text = _unreadable_line(head)
        what = f"the header line {text[:60]!r} cannot be read"
        finding = Finding("arff-header", "error", file, line, what, _DECLARE)
        raise _RefusedError(finding) from None
    lines = (
        number
        for number, line in enumerate(head.split("\n"), 1)
        if line.strip(" \r\n").upper().startswith("@ATTRIBUTE")
    )
    return tuple(
        Attribute(name, line, kind)
        if isinstance(kind, str)
        else Attribute(name, line, "NOMINAL", tuple(kind))
        for (name, kind), line in zip(declared, lines, strict=True)
    )


def _unreadable_line(head: str) -> tuple[int, str]:
    """The first declaration that cannot be read by itself, else the last line."""
    lines = head.rstrip("\n").split("\n")
    for number, line in enumerate(lines, 1):
        if line.strip(" \r\n").upper().startswith("@ATTRIBUTE"):
            try:
                arff.loads(f"@RELATION r\n{line}\n@DATA\n")
            except Exception:  # noqa: BLE001 (as above)
                return number, line.strip()
    return len(lines), lines[-1].strip()


def _declare_text(head: str, attributes: tuple[Attribute, ...], text: Collection[str]) -> str:
    """The header with the named columns declared STRING."""
    lines = head.split("\n")
    for attribute in attributes:
        if attribute.name in text:
            lines[attribute.line - 1] = f"@ATTRIBUTE {attribute.name} STRING"
    return "\n".join(lines)


def _declare_real(head: str, attributes: tuple[Attribute, ...]) -> str:
    """The header with INTEGER columns declared REAL: liac-arff cuts fractions off."""
    lines = head.split("\n")
    for attribute in attributes:
        if attribute.kind == "INTEGER":
            at = attribute.line - 1
            lines[at] = re.sub(r"(?i)integer\s*$", "REAL", lines[at])
    return "\n".join(lines)


def _not_whole(parsed: ArffTable) -> Iterator[Finding]:
    """INTEGER columns with other numbers, which are kept."""
    present = set(parsed.table.column_names)
    for attribute in parsed.attributes:
        if attribute.kind != "INTEGER" or attribute.name not in present:
            continue
        column = parsed.table[attribute.name]
        whole = pc.and_(pc.is_finite(column), pc.equal(pc.trunc(column), column))
        others = pc.indices_nonzero(pc.invert(whole)).to_pylist()
        if others:
            what = f"column {attribute.name!r} is declared INTEGER; {len(others)} of its "
            what += f"cells are not whole numbers; the first is {column[others[0]].as_py():g}"
            hint = "The values are kept. Declare the column NUMERIC."
            yield Finding("arff-integer", "warning", parsed.file, parsed.lines()[others[0]], what, hint)


def _reason(error: Exception) -> str:
    """liac-arff's message without its own line number (ours counts the whole file).

    Its message is a template, which a % of the file may spoil.
    """
    try:
        reason = str(error)
    except (TypeError, ValueError):
        reason = str(getattr(error, "message", type(error).__name__))
    return re.sub(r",? at line (-?\d+|%d)\.?$", "", reason).rstrip(".")


def _fast(data: bytes, attributes: tuple[Attribute, ...]) -> pa.Table | None:
    """The data block through pyarrow; None where liac-arff must decide."""
    if b"%" in data:
        data = _COMMENT_LINE.sub(b"", data)
    if data.translate(None, _PLAIN) or (b"(" in data and b"nan(" in data.lower()):
        return None
    types = [(a.name, NUMBER if a.numeric else TEXT) for a in attributes]
    if not data.strip(b"\n"):
        return pa.schema(types).empty_table()
    try:
        table = _read_csv(data, types)
    except pa.ArrowInvalid:
        return None
    return table if _keeps_declarations(table, attributes) else None


def _read_csv(data: bytes, types: list[tuple[str, pa.DataType]]) -> pa.Table:
    table = pv.read_csv(
        pa.BufferReader(data),
        read_options=pv.ReadOptions(
            column_names=[name for name, _ in types],
            block_size=min(len(data) + 1, _BLOCK),
            use_threads=len(data) > _BLOCK,
        ),
        parse_options=pv.ParseOptions(quote_char=False, double_quote=False, ignore_empty_lines=True),
        convert_options=pv.ConvertOptions(
            column_types=dict(types), null_values=_MISSING, strings_can_be_null=True, check_utf8=False
        ),
    )
    return table.unify_dictionaries().combine_chunks()


def _keeps_declarations(table: pa.Table, attributes: tuple[Attribute, ...]) -> bool:
    """Whether nominal cells are declared ones."""
    return all(
        set(column.chunk(0).dictionary.to_pylist()) <= set(attribute.nominal)
        for column, attribute in zip(table.columns, attributes, strict=True)
        if attribute.kind == "NOMINAL"
    )


def _slow(
    head: str, data: bytes, attributes: tuple[Attribute, ...], *, file: str
) -> tuple[pa.Table, tuple[Finding, ...]]:
    """The data block through liac-arff, restarted behind every row it refuses."""
    findings: list[Finding] = []
    rows: list[list[Any]] = []
    lines, (*header, _) = data.decode().split("\n"), head.split("\n")
    first, left = len(header) + 1, iter(lines)
    while True:
        parsed = arff.ArffDecoder().decode(chain(header, left), return_type=arff.DENSE_GEN)
        try:
            rows.extend(parsed["data"])
        except Exception as error:  # noqa: BLE001 (it lets through what its parts raise)
            at = len(lines) - length_hint(left) - 1  # of the line that was read last
            findings.append(_refused_row(error, lines[at], attributes, file, first + at))
            if len(findings) < MAX_FINDINGS:
                continue
        break
    findings += [] if findings else _surrogates(rows, data, first, file)
    if findings:
        rows = []
    return _table(rows, attributes), tuple(findings)


def _surrogates(rows: list[list[Any]], data: bytes, first: int, file: str) -> Iterator[Finding]:
    r"""Rows with half a character, which only an escape like \ud800 can name."""
    if b"\\u" not in data:
        return
    for row, line in zip(rows, _row_lines(data, first), strict=True):
        try:
            "".join(cell for cell in row if isinstance(cell, str)).encode()
        except UnicodeEncodeError as error:
            what = f"{error.object[error.start]!r} is half of a character"
            yield Finding("arff-row", "error", file, line, what, "Write the character itself.")


def _row_lines(data: bytes, first: int) -> list[int]:
    """The numbers of the lines that are rows."""
    return [
        number
        for number, line in enumerate(data.decode().split("\n"), first)
        if (text := line.strip()) and not text.startswith("%")
    ]


def _refused_row(
    error: Exception, text: str, attributes: tuple[Attribute, ...], file: str, line: int
) -> Finding:
    cells = text.count(",") + 1
    what = _reason(error)
    if cells != len(attributes):
        what = f"{cells} cells in a row of {len(attributes)} columns"
    elif isinstance(error, ValueError):
        what = f"a cell does not fit its column's type ({error})"
    return Finding("arff-row", "error", file, line, what, f"Correct the row {text.strip()[:60]!r}.")


def _table(rows: list[list[Any]], attributes: tuple[Attribute, ...]) -> pa.Table:
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(attributes)
    arrays = [
        pa.array([None if cell is None else float(cell) for cell in column], NUMBER)
        if attribute.numeric
        else pc.dictionary_encode(pa.array(column, pa.string())).cast(TEXT)
        for column, attribute in zip(columns, attributes, strict=True)
    ]
    return pa.table(arrays, names=[a.name for a in attributes])


# The folder.

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
                raise AslibError("is not a plain file", str(path), "Remove it or put the file there.")
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
            hint = f"Declare '@ATTRIBUTE {name} {kind}'. The file has the columns {columns[:5]}."
            first = parsed.attributes[0].line if parsed.attributes else 1
            findings.append(Finding("column-missing", "error", parsed.file, first, what, hint))
        else:
            findings += _bad_ids(parsed, name)
    if findings:
        return parsed, findings
    table = parsed.table
    for name in (n for n in ids if n in COUNTS):
        table = table.set_column(columns.index(name), name, table[name].cast(_COUNT))
    return ArffTable(parsed.file, parsed.attributes, table, parsed.data, parsed.data_line), []


def _bad_ids(parsed: ArffTable, name: str) -> list[Finding]:
    """Rows whose id is missing, or whose counter is not a whole number."""
    column = parsed.table[name]
    if name in COUNTS and not pa.types.is_floating(column.type):
        what = f"column {name!r} is not NUMERIC"
        return [Finding("column-type", "error", parsed.file, parsed.line_of(name), what, "")]
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
