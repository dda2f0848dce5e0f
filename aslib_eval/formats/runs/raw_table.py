"""A table of runs as it stands in a file: names of columns, and cells as text.

CSV (separated by commas, semicolons or tabs), TSV, JSON lines, a JSON array of runs and Parquet, gzipped or
not; numbers may have decimal commas. A number of Parquet or JSON becomes the shortest text that reads back
as it is.
"""

from __future__ import annotations

import json
import re
import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from aslib_eval.errors import Finding, place
from aslib_eval.formats.aslib.lint.reporting import new_finding
from aslib_eval.formats.csv_rows import decoded, numbered_rows
from aslib_eval.formats.runs.cells import number
from aslib_eval.text import is_writable

ENDINGS = (".csv", ".tsv", ".jsonl", ".ndjson", ".json", ".parquet")
_CODE = "runs-table"
_MAX_RATIO = 200  # of what gzip unpacks, where that is above the harmless size
_HARMLESS = 64 << 20
_CELL = 16  # bytes that a cell is counted as
_COMMA = re.compile(r"[+-]?\d+,\d+([eE][+-]?\d+)?", re.ASCII)
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}", re.ASCII)
_WHOLE_OR_WORD = re.compile(r"[+-]?\d+|\D*", re.ASCII)
_ALIKE = 5  # findings of one kind that are listed
_SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs"}

NumberedRow = tuple[int, tuple[str, ...]]


@dataclass(frozen=True)
class RawTable:
    """A table before anybody has understood it.

    header: its columns, without blanks around them; ``line`` is where they stand.
    rows: line (of Parquet, frames and JSON arrays: number of the row) and a cell for each column.
    separated: what separates the cells, in words; empty unless it is a CSV file. places: number of a row →
    its file and line, of a table made of several files. hints: code of a finding → what to do in this kind
    of file.
    """

    file: str
    header: tuple[str, ...]
    line: int
    rows: tuple[NumberedRow, ...]
    findings: tuple[Finding, ...] = ()
    separated: str = ""
    places: Mapping[int, tuple[str, int | None]] = field(default_factory=dict)
    hints: Mapping[str, str] = field(default_factory=dict)

    def column(self, which: int | str) -> list[str]:
        """The cells of a column, by its position or its name."""
        at = which if isinstance(which, int) else self.header.index(which)
        return [cells[at] for _, cells in self.rows]

    def with_column(self, name: str, cells: Sequence[str]) -> RawTable:
        """The table with one column more."""
        rows = tuple((line, (*row, cell)) for (line, row), cell in zip(self.rows, cells, strict=True))
        return replace(self, header=(*self.header, name), rows=rows)

    def told(self, code: str, what: str, hint: str = "") -> RawTable:
        """The table with one finding more, at its row of names."""
        file, line = self.place(self.line)
        found = new_finding(code, file=file, line=line, what=what, hint=hint)
        return replace(self, findings=(*self.findings, found))

    @property
    def is_broken(self) -> bool:
        """Whether a finding is an error."""
        return any(found.severity == "error" for found in self.findings)

    def place(self, line: int | None) -> tuple[str, int | None]:
        """The file and line of a row by its number in ``rows``."""
        return self.places.get(-1 if line is None else line, (self.file, line))

    def spot(self, line: int) -> str:
        """Where a row stands, for a message about another one."""
        file, at = self.places.get(line, ("", None))
        return place(Path(file).name, at) if file else f"line {line}"


def ending(path: Path) -> str:
    """The ending that says how a table is written, without ``.gz``; empty if none."""
    name = path.name.lower().removesuffix(".gz")
    return next((each for each in ENDINGS if name.endswith(each)), "")


def stem(path: Path) -> str:
    """The name of a table without its endings."""
    return path.name[: len(path.name.lower().removesuffix(".gz")) - len(ending(path))]


def read_raw(content: bytes, *, kind: str, packed: bool, file: str) -> RawTable:
    """The table in the bytes of a file; what is wrong with it is in ``findings``.

    kind: one of ``ENDINGS``; packed: whether the bytes are gzipped.
    """
    try:
        plain = unpacked(content) if packed else content
    except (zlib.error, ValueError) as error:
        return _broken(file, None, f"cannot be unpacked ({error})")
    if kind == ".parquet":
        return _checked(_parquet(plain, file))
    text = decoded(plain, file=file, code=_CODE)
    if isinstance(text, Finding):
        return RawTable(file, (), 1, (), (text,))
    if "json" not in kind:
        return _csv(text, file, kind)
    return _checked(_array(text, file) if kind == ".json" else _json(text, file))


def _checked(table: RawTable) -> RawTable:
    """A table of JSON or Parquet, which may hold what no file of text does."""
    wrong = [
        Finding(_CODE, "error", table.file, line, f"{cell!r} holds {what}")
        for line, cells in ((table.line, table.header), *table.rows)
        for cell in cells
        for what in ["a byte 0" if "\0" in cell else "" if is_writable(cell) else "half a character"]
        if what
    ]
    return replace(table, findings=(*table.findings, *wrong[:_ALIKE]))


def _broken(file: str, line: int | None, what: str, hint: str = "") -> RawTable:
    return RawTable(file, (), 1, (), (Finding(_CODE, "error", file, line, what, hint),))


def unpacked(content: bytes) -> bytes:
    """What gzip packed, of one member or several; ValueError if it is cut or a bomb."""
    limit = max(_HARMLESS, _MAX_RATIO * len(content))
    plain = bytearray()
    while content:
        stream = zlib.decompressobj(zlib.MAX_WBITS | 16)
        plain += stream.decompress(content, limit + 1 - len(plain))
        if len(plain) > limit:
            raise ValueError("it holds more than a table can")
        if not stream.eof:
            raise ValueError("it ends in the middle")
        content = stream.unused_data.lstrip(b"\0")
    return bytes(plain)


# CSV and TSV.


def _csv(text: str, file: str, kind: str) -> RawTable:
    # What occurs most often in the first line that is not blank; a comma in doubt.
    first = next((line for line in text.splitlines() if line.strip()), "")
    separator = "\t" if kind == ".tsv" else max(_SEPARATORS, key="".join(first.split('"')[::2]).count)
    findings: list[Finding] = []

    def wrong(line: int | None, what: str, hint: str = "") -> None:
        findings.append(Finding(_CODE, "error", file, line, what, hint))

    rows = list(numbered_rows(text, wrong, separator=separator))
    if not rows:
        return RawTable(file, (), 1, (), tuple(findings)) if findings else _broken(file, 1, "is empty")
    (at, header), *body = _with_whole_groups(rows)
    for line, row in body:
        if len(row) != len(header):
            hint = "A decimal comma or a comma in a name needs quotes around it."
            wrong(line, f"{len(row)} cells instead of {len(header)}", hint)
        elif any(_may_be_rows(row, k, separator) for k in range(len(row))):
            what = "a cell goes on in the next line, and its lines look like rows"
            wrong(line, what, "Is a quote missing? Close it, or double one that is text.")
    if (more := len(findings) - _ALIKE) > 0:
        del findings[_ALIKE:]
        wrong(None, f"and {more} more like these")
    points = _decimal_commas(body, len(header)) if separator != "," or '"' in text else {}
    for column, cell in points.items():
        what = f"column {header[column]!r} has decimal commas: {cell} is read as {_pointed(cell)}"
        findings.append(Finding("runs-understood", "note", file, at, what))
    if text[-1] not in "\n\r":
        what = "the file ends without the end of a line"
        last = body[-1][0] if body else at
        findings.append(Finding("runs-unended", "warning", file, last, what, "Is its last row whole?"))
    if points:
        body = [(n, tuple(_pointed(c) if k in points else c for k, c in enumerate(row))) for n, row in body]
    return RawTable(file, header, at, tuple(body), tuple(findings), _SEPARATORS[separator])


def groups(names: Sequence[str]) -> tuple[int, int, int] | None:
    """Where names begin to stand there again and again, how many, and how often."""
    names, counts = list(names), Counter(names)
    start = next((k for k, name in enumerate(names) if name and counts[name] > 1), None)
    if start is None:
        return None
    width = names.index(names[start], start + 1) - start
    group, n = names[start : start + width], 1
    while names[start + n * width : start + (n + 1) * width] == group:
        n += 1
    rest = {*names[:start], *names[start + n * width :]}
    return None if n == 1 or not rest.isdisjoint(group) else (start, width, n)


def _with_whole_groups(rows: list[NumberedRow]) -> list[NumberedRow]:
    """The rows, the first one of names, all as long as the one with most groups.

    A table whose columns stand there anew for each solver may have more solvers in some rows than in
    others, and in the names.
    """
    (at, header), *body = rows
    start, width, n = groups(header) or (0, 0, 0)
    if not n or start + width * n != len(header):
        return rows
    if any(len(row) <= start or (len(row) - start) % width for _, row in body):
        return rows
    most = max((len(row) for _, row in rows))
    header += header[start : start + width] * ((most - len(header)) // width)
    return [(at, header), *((line, row + ("",) * (most - len(row))) for line, row in body)]


def _may_be_rows(row: Sequence[str], at: int, separator: str) -> bool:
    """Whether most lines that a cell goes over would be rows without its quotes.

    Such a line has as many cells as its row, and numbers where that has some.
    """
    texts = row[at].splitlines()
    if len(texts) <= 1:
        return False
    lines = [text.split(separator) for text in texts]
    lines = [[*row[:at], *lines[0]], *lines[1:-1], [*lines[-1], *row[at + 1 :]]]
    numbers = [k for k, cell in enumerate(row) if k != at and number(cell) is not None]
    alike = sum(
        len(cells) == len(row) and all(number(cells[k].strip()) is not None for k in numbers)
        for cells in lines
    )
    return 2 * alike > len(lines)


def _decimal_commas(rows: Sequence[NumberedRow], width: int) -> dict[int, str]:
    """Column of decimal commas → its first such cell.

    It has no decimal point, no name with a digit, and a comma that cannot be one of thousands.
    """
    found: dict[int, str] = {}
    for at in range(width):
        cells = [row[at] for _, row in rows if at < len(row)]
        commas = [cell for cell in cells if _COMMA.fullmatch(cell)]
        others = [cell for cell in cells if not _COMMA.fullmatch(cell)]
        decimal = [cell for cell in commas if not _THOUSANDS.fullmatch(cell)]
        if decimal and all(_WHOLE_OR_WORD.fullmatch(cell) for cell in others):
            found[at] = decimal[0]
    return found


def _pointed(cell: str) -> str:
    return cell.replace(",", ".") if _COMMA.fullmatch(cell) else cell


# JSON lines, and JSON.


def _json(text: str, file: str) -> RawTable:
    objects: list[tuple[int, dict[str, str]]] = []
    findings: list[Finding] = []
    for line, row in enumerate(text.split("\n"), 1):
        if row.strip():
            try:
                found = json.loads(row, object_pairs_hook=_unique, parse_int=str)
                if not isinstance(found, dict):
                    raise ValueError("the line holds something else")  # noqa: TRY301, TRY004 - as other faults
                objects.append((line, {key: _text(value) for key, value in found.items()}))
            except (ValueError, RecursionError) as error:
                findings.append(Finding(_CODE, "error", file, line, f"is no object of JSON ({error})"))
    if not objects and not findings:
        return _broken(file, 1, "is empty")
    return replace(_of_objects(file, objects), findings=tuple(findings[:20]))


def _array(text: str, file: str) -> RawTable:
    """A JSON array of runs, or the one list of runs in an object."""
    try:
        document = json.loads(text, object_pairs_hook=_unique, parse_int=str)
        lists = document.values() if isinstance(document, dict) else [document]
        lists = [
            each
            for each in lists
            if isinstance(each, list) and each and all(isinstance(r, dict) for r in each)
        ]
        if len(lists) != 1:
            raise ValueError(f"it holds {len(lists) or 'no'} lists of objects")  # noqa: TRY301 - as other faults
    except (ValueError, RecursionError) as error:
        hint = "It is a list of objects, a run each; JSON lines are called .jsonl."
        return _broken(file, None, f"is no JSON array of runs ({error})", hint)
    return _of_objects(file, [*enumerate(map(_flat, lists[0]), 1)])


def _of_objects(file: str, objects: Sequence[tuple[int, Mapping[str, str]]]) -> RawTable:
    """The table with a row for each object, and a column for each key that one has."""
    header = tuple(dict.fromkeys(key for _, found in objects for key in found))
    rows = tuple((line, tuple(found.get(key, "") for key in header)) for line, found in objects)
    return RawTable(file, header, 1, rows)


def _flat(run: dict[str, Any]) -> dict[str, str]:
    """A run's cells: of an object in it its texts, joined by /, and each as a cell."""
    cells = {key: _path(value) for key, value in run.items()}
    for key, value in run.items():
        for name, part in value.items() if isinstance(value, dict) else ():
            cells[name if name not in run else f"{key}.{name}"] = _path(part)
    return cells


def _path(value: Any) -> str:
    """A text; of a list or an object the texts in it, joined by /."""
    if isinstance(value, dict):
        value = [v for v in value.values() if isinstance(v, str | list)]
    return "/".join(map(_path, value)) if isinstance(value, list) else _text(value)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = {key.strip(): value for key, value in pairs}
    if len(found) < len(pairs):
        raise ValueError("a key occurs twice")
    return found


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, dict | list):
        raise ValueError("a value is itself a list or an object")  # noqa: TRY004 - a fault of the line
    if isinstance(value, bool):
        return str(value).lower()
    return repr(value) if isinstance(value, float) else str(value).strip()


# Parquet, and frames, which come as such.


def _parquet(content: bytes, file: str) -> RawTable:
    import pyarrow.parquet as pq

    limit = max(_HARMLESS, _MAX_RATIO * len(content))
    try:
        with pq.ParquetFile(pa.BufferReader(content)) as packed:
            meta = packed.metadata
            size = sum(meta.row_group(at).total_byte_size for at in range(meta.num_row_groups))
            # Cells are counted as what the shortest of them take in Python.
            if max(size, _CELL * meta.num_rows * meta.num_columns) > limit:
                what = (
                    f"its {meta.num_rows} rows of {meta.num_columns} columns are more than {len(content)}"
                    " bytes of Parquet can hold of runs"
                )
                return _broken(file, None, what, "Export the columns that are needed, as CSV.")
            texts = [f.name for f in packed.schema_arrow if pa.types.is_string(f.type)]
        table = pq.read_table(pa.BufferReader(content), read_dictionary=texts)
        table.validate(full=True)
    except (pa.ArrowException, OSError) as error:
        return _broken(file, None, f"is not Parquet ({error})")
    names = tuple(name.strip() for name in table.column_names)
    if len(set(names)) < len(names):
        return _broken(file, None, "two columns have one name")
    if not table.num_rows:
        return _broken(file, None, "is empty")
    cells = zip(*map(_texts_of, table.columns), strict=True)
    return RawTable(file, names, 1, tuple(enumerate(cells, 1)))


def _texts_of(column: Any) -> list[str]:
    """The cells of a column; equal ones of a dictionary are one text in memory."""
    if not pa.types.is_dictionary(column.type):
        return [*map(_any_text, column.to_pylist())]
    cells: list[str] = []
    for chunk in column.chunks:
        words = [*map(_any_text, chunk.dictionary.to_pylist())]
        cells += ["" if at is None else words[at] for at in chunk.indices.to_pylist()]
    return cells


def _any_text(value: Any) -> str:
    """The cell; lists and objects are of a column that nobody reads, or that holds no number."""
    return repr(value) if isinstance(value, dict | list) else _text(value)
