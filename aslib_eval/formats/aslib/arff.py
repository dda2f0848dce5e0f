"""ARFF: liac-arff defines the meaning, pyarrow carries the speed.

A data block made of plain cells only (no quotes, blanks, braces, escapes or
non-ASCII bytes) is the same text to a CSV parser as to liac-arff; it goes to
pyarrow. Everything else, and everything pyarrow refuses, goes to liac-arff row by
row, which then also says what is wrong and on which line.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import arff
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pv

from aslib_eval.errors import Finding

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
            what = "byte 0x00 stands in no text file"
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
            what += f"cells are no whole numbers, {column[others[0]].as_py():g} the first"
            hint = "They are kept as they are: declare the column NUMERIC."
            line = parsed.lines()[others[0]]
            yield Finding("arff-integer", "warning", parsed.file, line, what, hint)


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
    for column, attribute in zip(table.columns, attributes, strict=True):
        if attribute.kind == "NOMINAL":
            values = column.chunk(0).dictionary.to_pylist()
            if not set(values) <= set(attribute.nominal):
                return False
    return True


def _slow(
    head: str, data: bytes, attributes: tuple[Attribute, ...], *, file: str
) -> tuple[pa.Table, tuple[Finding, ...]]:
    """The data block through liac-arff, restarted behind every row it refuses."""
    findings: list[Finding] = []
    rows: list[list[Any]] = []
    numbered = _Numbered(data.decode().split("\n"), head.count("\n") + 1)
    header = head.split("\n")[:-1]
    while True:
        decoder = arff.ArffDecoder()
        parsed = decoder.decode(chain(header, numbered), return_type=arff.DENSE_GEN)
        try:
            rows.extend(parsed["data"])
        except Exception as error:  # noqa: BLE001 (it lets through what its parts raise)
            findings.append(_refused_row(error, numbered, attributes, file))
            if len(findings) < MAX_FINDINGS:
                continue
        break
    findings += [] if findings else _surrogates(rows, data, numbered.first, file)
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
            hint = "Write the character itself."
            yield Finding("arff-row", "error", file, line, what, hint)


class _Numbered:
    """An iterator over lines that remembers where it is."""

    def __init__(self, lines: list[str], first: int) -> None:
        self._lines = iter(lines)
        self.first = first
        self.number = first - 1
        self.text = ""

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        self.text = next(self._lines)
        self.number += 1
        return self.text


def _row_lines(data: bytes, first: int) -> list[int]:
    """The numbers of the lines that are rows."""
    return [
        number
        for number, line in enumerate(data.decode().split("\n"), first)
        if (text := line.strip()) and not text.startswith("%")
    ]


def _refused_row(error: Exception, at: _Numbered, attributes: tuple[Attribute, ...], file: str) -> Finding:
    cells = at.text.count(",") + 1
    what = _reason(error)
    if cells != len(attributes):
        what = f"{cells} cells in a row of {len(attributes)} columns"
    elif isinstance(error, ValueError):
        what = f"a cell does not fit its column's type ({error})"
    hint = f"Mend the row {at.text.strip()[:60]!r}."
    return Finding("arff-row", "error", file, at.number, what, hint)


def _table(rows: list[list[Any]], attributes: tuple[Attribute, ...]) -> pa.Table:
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(attributes)
    arrays = [
        pa.array(map(float_or_none, column), NUMBER)
        if attribute.numeric
        else pc.dictionary_encode(pa.array(column, pa.string())).cast(TEXT)
        for column, attribute in zip(columns, attributes, strict=True)
    ]
    return pa.table(arrays, names=[a.name for a in attributes])


def float_or_none(value: float | None) -> float | None:
    """A number as float64 (liac-arff gives int for INTEGER), missing as None."""
    return None if value is None else float(value)
