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
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from pathlib import Path
from typing import Any

import pyarrow as pa

from aslib_eval.errors import Finding, place
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
_SEPARATORS = ",;\t"
_WORDS = {",": "commas", ";": "semicolons", "\t": "tabs"}

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
    found = [
        (line, cell)
        for line, cells in ((table.line, table.header), *table.rows)
        for cell in cells
        if "\0" in cell or not is_writable(cell)
    ]
    wrong = []
    for line, cell in found[:_ALIKE]:
        what = "a byte 0" if "\0" in cell else "half a character"
        said = f"{cell!r} holds {what}"
        wrong.append(Finding(_CODE, "error", table.file, line, said))
    return replace(table, findings=(*table.findings, *wrong))


def _broken(file: str, line: int | None, what: str, hint: str = "") -> RawTable:
    return RawTable(file, (), 1, (), (Finding(_CODE, "error", file, line, what, hint),))


def unpacked(content: bytes) -> bytes:
    """What gzip packed, of one member or several; ValueError if it is cut or a bomb."""
    limit = max(_HARMLESS, _MAX_RATIO * len(content))
    parts: list[bytes] = []
    while content:
        stream = zlib.decompressobj(zlib.MAX_WBITS | 16)
        parts.append(stream.decompress(content, limit + 1 - sum(map(len, parts))))
        if sum(map(len, parts)) > limit:
            message = "it holds more than a table can"
            raise ValueError(message)
        if not stream.eof:
            message = "it ends in the middle"
            raise ValueError(message)
        content = stream.unused_data.lstrip(b"\0")
    return b"".join(parts)


# CSV and TSV.


def _csv(text: str, file: str, kind: str) -> RawTable:
    separator = "\t" if kind == ".tsv" else _separator(text)
    findings: list[Finding] = []

    def wrong(line: int, what: str) -> None:
        findings.append(Finding(_CODE, "error", file, line, what))

    rows = list(numbered_rows(text, wrong, separator=separator))
    if not rows:
        lost = RawTable(file, (), 1, (), tuple(findings))
        return lost if findings else _broken(file, 1, "is empty")
    (at, header), *body = _with_whole_groups(rows)
    findings += _misshapen(body, len(header), file, separator)
    if len(findings) > _ALIKE:
        rest = f"and {len(findings) - _ALIKE} more like these"
        findings[_ALIKE:] = [Finding(_CODE, "error", file, None, rest)]
    can = separator != "," or '"' in text
    points = _decimal_commas(body, len(header)) if can else {}
    for column, cell in points.items():
        what = f"column {header[column]!r} has decimal commas: {cell} is read as "
        what += _pointed(cell)
        findings.append(Finding("runs-understood", "note", file, at, what))
    if text[-1] not in "\n\r":
        what = "the file ends without the end of a line"
        hint = "Is its last row whole?"
        last = body[-1][0] if body else at
        findings.append(Finding("runs-unended", "warning", file, last, what, hint))
    cells_of = tuple(
        (n, tuple(_pointed(c) if i in points else c for i, c in enumerate(row))) for n, row in body
    )
    return RawTable(file, header, at, cells_of, tuple(findings), _WORDS[separator])


def groups(names: Sequence[str]) -> tuple[int, int, int] | None:
    """Where names begin to stand there again and again, how many, and how often."""
    counts = Counter(names)
    start = next((k for k, n in enumerate(names) if n and counts[n] > 1), None)
    if start is None:
        return None
    width = list(names).index(names[start], start + 1) - start
    group = list(names[start : start + width])
    ends = range(start, len(names) - width + 1, width)
    n = sum(1 for _ in takewhile(lambda k: list(names[k : k + width]) == group, ends))
    rest = [*names[:start], *names[start + n * width :]]
    return None if n == 1 or {*rest} & {*group} else (start, width, n)


def _with_whole_groups(rows: Sequence[NumberedRow]) -> list[NumberedRow]:
    """The rows, the first one of names, all as long as the one with most groups.

    A table whose columns stand there anew for each solver may have more solvers in some rows than in
    others, and in the names.
    """
    (at, header), *body = rows
    found = groups(header)
    if found is None or sum(found[:2]) + found[1] * (found[2] - 1) != len(header):
        return [*rows]
    start, width, _ = found
    most = max((len(row) for _, row in body), default=0)
    if any(len(row) <= start or (len(row) - start) % width for _, row in body):
        return [*rows]
    names = header[start : start + width]
    while len(header) < most:
        header = (*header, *names)
    padded = ((n, row + ("",) * (len(header) - len(row))) for n, row in body)
    return [(at, header), *padded]


def _misshapen(rows: Sequence[NumberedRow], width: int, file: str, separator: str) -> Iterator[Finding]:
    """What is wrong with rows as such: their cells are too few, too many, or broken."""
    for line, row in rows:
        if len(row) != width:
            what = f"{len(row)} cells instead of {width}"
            hint = "A decimal comma or a comma in a name needs quotes around it."
            yield Finding(_CODE, "error", file, line, what, hint)
        elif any(_may_be_rows(row, at, separator) for at in range(width)):
            what = "a cell goes on in the next line, and its lines look like rows"
            hint = "Is a quote missing? Close it, or double one that is text."
            yield Finding(_CODE, "error", file, line, what, hint)


def _may_be_rows(row: Sequence[str], at: int, separator: str) -> bool:
    """Whether most lines that a cell goes over would be rows without its quotes.

    Such a line has as many cells as its row, and numbers where that has some.
    """
    lines = [line.split(separator) for line in row[at].splitlines()]
    if len(lines) <= 1:
        return False
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


def _separator(text: str) -> str:
    """What occurs most often in the first line that is not blank; a comma in doubt."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    outside = "".join(first.split('"')[::2])
    return max(_SEPARATORS, key=outside.count)


# JSON lines.


def _json(text: str, file: str) -> RawTable:
    objects: list[tuple[int, dict[str, str]]] = []
    findings: list[Finding] = []
    for line, row in enumerate(text.split("\n"), 1):
        if row.strip():
            try:
                found = json.loads(row, object_pairs_hook=_unique, parse_int=str)
                objects.append((line, _cells(found)))
            except (ValueError, RecursionError) as error:
                what = f"is no object of JSON ({error})"
                findings.append(Finding(_CODE, "error", file, line, what))
    header = tuple(dict.fromkeys(key for _, found in objects for key in found))
    rows = tuple((line, tuple(found.get(key, "") for key in header)) for line, found in objects)
    if not rows and not findings:
        return _broken(file, 1, "is empty")
    return RawTable(file, header, 1, rows, tuple(findings[:20]))


def _array(text: str, file: str) -> RawTable:
    """A JSON array of runs, or the one list of runs in an object."""
    try:
        document = json.loads(text, object_pairs_hook=_unique, parse_int=str)
        runs = _runs(document)
    except (ValueError, RecursionError) as error:
        hint = "It is a list of objects, a run each; JSON lines are called .jsonl."
        return _broken(file, None, f"is no JSON array of runs ({error})", hint)
    objects = [_flat(run) for run in runs]
    header = tuple(dict.fromkeys(key for found in objects for key in found))
    rows = (tuple(found.get(key, "") for key in header) for found in objects)
    return RawTable(file, header, 1, tuple(enumerate(rows, 1)))


def _runs(document: Any) -> list[dict[str, Any]]:
    lists = [document]
    if isinstance(document, dict):
        lists = [value for value in document.values() if _is_runs(value)]
    if len(lists) != 1 or not _is_runs(lists[0]):
        n = len(lists) if len(lists) > 1 else "no"
        message = f"it holds {n} lists of objects"
        raise ValueError(message)
    found: list[dict[str, Any]] = lists[0]
    return found


def _is_runs(value: Any) -> bool:
    is_list = isinstance(value, list) and bool(value)
    return is_list and all(isinstance(each, dict) for each in value)


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
    if isinstance(value, list):
        return "/".join(_path(each) for each in value)
    return _text(value)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = {key.strip(): value for key, value in pairs}
    if len(found) < len(pairs):
        message = "a key occurs twice"
        raise ValueError(message)
    return found


def _cells(found: Any) -> dict[str, str]:
    if not isinstance(found, dict):
        message = "the line holds something else"
        raise ValueError(message)  # noqa: TRY004 - told like any other fault of the line
    return {key: _text(value) for key, value in found.items()}


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, dict | list):
        message = "a value is itself a list or an object"
        raise ValueError(message)  # noqa: TRY004 - told like any other fault of the line
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
            groups = (meta.row_group(at) for at in range(meta.num_row_groups))
            size = sum(group.total_byte_size for group in groups)
            # Cells are counted as what the shortest of them take in Python.
            if max(size, _CELL * meta.num_rows * meta.num_columns) > limit:
                what = f"its {meta.num_rows} rows of {meta.num_columns} columns are more"
                hint = "Export the columns that are needed, as CSV."
                what += f" than {len(content)} bytes of Parquet can hold of runs"
                return _broken(file, None, what, hint)
            texts = [f.name for f in packed.schema_arrow if pa.types.is_string(f.type)]
        source = pa.BufferReader(content)
        table = pq.read_table(source, read_dictionary=texts)
        table.validate(full=True)
    except (pa.ArrowException, OSError) as error:
        return _broken(file, None, f"is not Parquet ({error})")
    names = tuple(name.strip() for name in table.column_names)
    if len(set(names)) < len(names):
        return _broken(file, None, "two columns have one name")
    columns = [_texts_of(table.column(at)) for at in range(len(names))]
    if not table.num_rows:
        return _broken(file, None, "is empty")
    cells = zip(*columns, strict=True)
    return RawTable(file, names, 1, tuple(enumerate(cells, 1)))


def _texts_of(column: Any) -> list[str]:
    """The cells of a column; equal ones of a dictionary are one text in memory."""
    if not pa.types.is_dictionary(column.type):
        return list(_texts(column.to_pylist()))
    cells: list[str] = []
    for chunk in column.chunks:
        words = [*_texts(chunk.dictionary.to_pylist()), *_texts([None])]
        cells += [words[-1 if at is None else at] for at in chunk.indices.to_pylist()]
    return cells


def _texts(values: list[Any]) -> Iterator[str]:
    for value in values:
        try:
            yield _text(value)
        except ValueError:  # of a column that nobody reads, or that holds no number
            yield repr(value)
