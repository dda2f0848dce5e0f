"""The file of a table of runs → names of columns and cells of text, a row a run or an instance.

``read_raw`` reads CSV (separated by commas, semicolons or tabs), TSV, JSON lines, JSON (``json_records``)
and Parquet, gzipped or not. ``shaped`` lists the steps that bring a table to one row of names. What a step
did is a note of the table, what it cannot read is an error.
"""

from __future__ import annotations

import json
import re
import zlib
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from pathlib import Path
from typing import Any

import pyarrow as pa

from aslib_eval.errors import AslibError, Finding, place
from aslib_eval.formats import TableChoices, plain
from aslib_eval.formats.aslib.lint import ALIKE, NAMES, five_of, new_finding
from aslib_eval.formats.runs.cells import (
    ALIASES,
    THOUSANDS,
    UNITS,
    is_part,
    is_sum,
    is_virtual,
    number,
    part_of,
    says_failure,
)
from aslib_eval.formats.runs.json_records import cell as cell_of
from aslib_eval.formats.runs.json_records import flattened, read_records, unique
from aslib_eval.formats.sources import decoded, numbered_rows
from aslib_eval.text import is_writable, list_names, plural

PROPERTIES = "properties"  # as Downward Lab calls a JSON file, in the folder of an experiment
ENDINGS = (".csv", ".tsv", ".jsonl", ".ndjson", ".json", ".parquet")
_CODE = "runs-table"
_MAX_RATIO = 200  # of what gzip unpacks, where that is above the harmless size
_HARMLESS = 64 << 20
_CELL = 16  # bytes that a cell is counted as
_COMMA = re.compile(r"[+-]?\d+,\d+([eE][+-]?\d+)?", re.ASCII)
_WHOLE_OR_WORD = re.compile(r"[+-]?\d+|\D*", re.ASCII)
NAMED = 16  # columns that a message names
_SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
_MARKDOWN = re.compile("[:-]+")  # the line below the names
_POINTS = re.compile(r"[1-9]\d{0,2}(\.\d{3})+|\d{1,3}")

NumberedRow = tuple[int, tuple[str, ...]]


@dataclass(frozen=True)
class RawTable:
    """A table before its columns are understood.

    header: its columns, without blanks around them; ``line`` is where they stand.
    rows: line (of Parquet, frames and JSON arrays: number of the row) and a cell for each column.
    separated: what separates the cells, in words; empty unless it is a CSV file. places: number of a row →
    its file and line, of a table made of several files. hints: code of a finding → what to do in this kind
    of file. renamed: column → what its file calls it, where that is another name.
    """

    file: str
    header: tuple[str, ...]
    line: int
    rows: tuple[NumberedRow, ...]
    findings: tuple[Finding, ...] = ()
    separated: str = ""
    places: Mapping[int, tuple[str, int | None]] = field(default_factory=dict)
    hints: Mapping[str, str] = field(default_factory=dict)
    renamed: Mapping[str, str] = field(default_factory=dict)
    stated: TableChoices = field(default_factory=TableChoices)
    asked: tuple[str, str] | None = None
    units: Mapping[str, str] = field(default_factory=dict)

    def column(self, which: int | str) -> list[str]:
        """The cells of a column, by its position or its name."""
        at = which if isinstance(which, int) else self.header.index(which)
        return [cells[at] for _, cells in self.rows]

    def with_column(self, name: str, cells: Sequence[str]) -> RawTable:
        """The table with one column more."""
        rows = tuple((line, (*row, cell)) for (line, row), cell in zip(self.rows, cells, strict=True))
        return replace(self, header=(*self.header, name), rows=rows)

    def with_cells(self, columns: Collection[int], new: Callable[[int, str], str]) -> RawTable:
        """The table with other cells in some columns. new: of the column and the old cell."""
        rows = tuple(
            (line, tuple(new(at, cell) if at in columns else cell for at, cell in enumerate(cells)))
            for line, cells in self.rows
        )
        return replace(self, rows=rows)

    def told(self, code: str, what: str, hint: str = "", line: int | None = None) -> RawTable:
        """The table with one finding more, at that line, else at its row of names."""
        file, at = self.place(self.line if line is None else line)
        found = new_finding(code, file=file, line=at, what=what, hint=hint)
        return replace(self, findings=(*self.findings, found))

    def called(self, new: Mapping[str, str]) -> str:
        """What to do so that columns have these names: of a CSV file, as its first line."""
        if not self.separated:
            pairs = [f"{self.renamed.get(old, old)!r} to {name!r}" for old, name in new.items()]
            return f"rename {list_names(pairs, quoted=False)}"
        header = [new.get(name, self.renamed.get(name, name)) for name in self.header]
        more = ["…"] if len(header) > NAMED else []
        between = next((each for each, name in _SEPARATORS.items() if name == self.separated), ",")
        return f"change the first line of the file to {between.join([*header[:NAMED], *more])}"

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
    if name == PROPERTIES:
        return ".json"
    return next((each for each in ENDINGS if name.endswith(each)), "")


def is_packed(path: Path) -> bool:
    """Whether a file is gzipped, by its name."""
    return path.name.lower().endswith(".gz")


def stem(path: Path) -> str:
    """The name of a table without its endings, or of the folder of an experiment."""
    if path.name == PROPERTIES:
        return path.resolve().parent.name
    return path.name[: len(path.name.lower().removesuffix(".gz")) - len(ending(path))]


def read_raw(content: bytes, *, kind: str, packed: bool, file: str, records: str = "") -> RawTable:
    """The table in the bytes of a file; what is wrong with it is in ``findings``.

    kind: one of ``ENDINGS``; packed: whether the bytes are gzipped. records: see ``TableChoices``.
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
    return _checked(_document(text, file, records) if kind == ".json" else _json(text, file))


def _checked(table: RawTable) -> RawTable:
    """A table of JSON or Parquet, with errors for cells that a text file could not hold."""
    wrong = [
        Finding(_CODE, "error", table.file, line, f"{cell!r} holds {what}")
        for line, cells in ((table.line, table.header), *table.rows)
        for cell in cells
        for what in ["a byte 0" if "\0" in cell else "" if is_writable(cell) else "half a character"]
        if what
    ]
    return replace(table, findings=(*table.findings, *wrong[:ALIKE]))


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
    rows = [row for row in rows if separator != "|" or not _MARKDOWN.fullmatch("".join(row[1]))]
    if not rows:
        return RawTable(file, (), 1, (), tuple(findings)) if findings else _broken(file, 1, "is empty")
    # A first line with a number is a run, which may occur again.
    again = {line for line, row in rows[1:] if row == rows[0][1] and {*map(number, row)} == {None}}
    (at, header), *body = _with_whole_groups([row for row in rows if row[0] not in again])
    widths = Counter(len(row) for _, row in body)
    if len(body) > 1 and (width := widths.most_common(1)[0][0]) > len(header):
        what = f"the first line has {plural(len(header), 'cell')}, and the others have {width}"
        return _broken(file, at, what, "If it is a title, remove it. Else, name each column.")
    for line, row in body:
        if len(row) != len(header):
            hint = "Put quotes around a cell that holds a comma."
            hint += " If a cell is missing, write an empty cell." * (len(row) < len(header))
            wrong(line, f"{len(row)} cells instead of {len(header)}", hint)
        elif any(_may_be_rows(row, k, separator) for k in range(len(row))):
            what = "a cell continues on the next line, and its lines look like rows"
            wrong(line, what, "If a quote is missing, add it. A quote inside a text must be doubled.")
    findings = [*five_of(findings, len(findings))]
    for column, cell in _points(body, len(header)) if separator == ";" and not findings else ():
        what = f"the points in column {header[column]!r} may separate thousands, as in {cell}"
        wrong(at, what, "If they do, remove them. Else, write whole numbers with a decimal point too.")
    points = decimal_commas(body, len(header)) if separator != "," or '"' in text else {}
    for column, cell in points.items():
        what = f"column {header[column]!r} has decimal commas: {cell} is read as {pointed(cell)}"
        findings.append(Finding("runs-understood", "note", file, at, what))
    what = f"skipped {plural(len(again), 'repetition')} of the line that names the columns"
    findings += [Finding("runs-ignored", "warning", file, line, what) for line in sorted(again)[:1]]
    if text[-1] not in "\n\r":
        what = "the last line has no line break, so the file may be cut"
        last = body[-1][0] if body else at
        findings.append(Finding("runs-unended", "warning", file, last, what, "Is its last row complete?"))
    table = RawTable(file, header, at, tuple(body), tuple(findings), _SEPARATORS[separator])
    return table.with_cells(points, lambda _, cell: pointed(cell)) if points else table


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

    Such a line has as many cells as its row, and numbers and truth values where that has some.
    """

    def counts(cell: str) -> bool:
        return number(cell.strip()) is not None or cell.strip().lower() in ("true", "false")

    texts = row[at].splitlines()
    if len(texts) <= 1:
        return False
    lines = [text.split(separator) for text in texts]
    lines = [[*row[:at], *lines[0]], *lines[1:-1], [*lines[-1], *row[at + 1 :]]]
    counted = [k for k, cell in enumerate(row) if k != at and counts(cell)]
    alike = sum(len(cells) == len(row) and all(counts(cells[k]) for k in counted) for cells in lines)
    return 2 * alike > len(lines)


def decimal_commas(rows: Sequence[NumberedRow], width: int) -> dict[int, str]:
    """Column of decimal commas → its first such cell.

    It has no decimal point, no name with a digit, and a comma that cannot be one of thousands.
    """
    found: dict[int, str] = {}
    for at in range(width):
        cells = [row[at] for _, row in rows if at < len(row)]
        commas = [cell for cell in cells if _COMMA.fullmatch(cell)]
        others = [cell for cell in cells if not _COMMA.fullmatch(cell)]
        decimal = [cell for cell in commas if not THOUSANDS.fullmatch(cell)]
        if decimal and all(_WHOLE_OR_WORD.fullmatch(cell) for cell in others):
            found[at] = decimal[0]
    return found


def _points(rows: Sequence[NumberedRow], width: int) -> Iterator[tuple[int, str]]:
    """Each column of whole numbers up to 999, and of others as 1.234, and one of these."""
    for at in range(width):
        cells = [row[at] for _, row in rows if row[at]]
        pointed = [cell for cell in cells if "." in cell]
        if 0 < len(pointed) < len(cells) and all(map(_POINTS.fullmatch, cells)):
            yield at, pointed[0]


def pointed(cell: str) -> str:
    """A number with its decimal comma as a point; another cell as it is."""
    return cell.replace(",", ".") if _COMMA.fullmatch(cell) else cell


# JSON lines, and JSON.


def _json(text: str, file: str) -> RawTable:
    objects: list[tuple[int, dict[str, Any]]] = []
    findings: list[Finding] = []
    for line, row in enumerate(text.split("\n"), 1):
        if row.strip():
            try:
                found = json.loads(row, object_pairs_hook=unique, parse_int=str)
                if not isinstance(found, dict):
                    raise ValueError("the line holds no object")  # noqa: TRY301, TRY004 - as other faults
                objects.append((line, found))
            except (ValueError, RecursionError) as error:
                findings.append(Finding(_CODE, "error", file, line, f"is no object of JSON ({error})"))
    if not objects and not findings:
        return _broken(file, 1, "is empty")
    try:
        rows = flattened([found for _, found in objects])
    except (ValueError, RecursionError) as error:
        return _broken(file, None, f"is no table of runs ({error})")
    lines = [line for line, _ in objects]
    return replace(_of_rows(file, [*zip(lines, rows, strict=True)]), findings=tuple(findings[:20]))


def _document(text: str, file: str, records: str) -> RawTable:
    """The runs in a JSON document."""
    try:
        found = read_records(text, file=file, records=records)
    except AslibError as error:
        return _broken(file, None, error.message, error.hint or "")
    table = _of_rows(file, [*enumerate(found.rows, 1)])
    for note in found.notes:
        table = table.told("runs-understood", note)
    return replace(table, stated=found.stated, asked=found.asked, units=found.units)


def _of_rows(file: str, rows: Sequence[tuple[int, Mapping[str, str]]]) -> RawTable:
    """The table with a column for each key that a row has."""
    header = tuple(dict.fromkeys(key for _, cells in rows for key in cells))
    return RawTable(
        file, header, 1, tuple((line, tuple(cells.get(k, "") for k in header)) for line, cells in rows)
    )


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
                what = f"has {meta.num_rows} rows of {meta.num_columns} columns in {len(content)} bytes of"
                what += " Parquet, which is too many"
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
    return repr(value) if isinstance(value, dict | list) else cell_of(value)


# Role → what stands between the cells of several columns that it is joined of.
JOINED: Mapping[str, str] = {"solver": " ", "instance": "/", "scenario": "-"}
_COUNTED = re.compile(r"(?s)(?![._ ]?\d+$)(.+?)[._ ]?\d+")  # as pandas tells columns of one name apart
_NAMELESS = re.compile(r"Unnamed: \d+")
NAMELESS = "row"  # what the user calls a first column without a name
_REPETITION = re.compile(  # its number after a word for it, after a joint, or alone
    r"(?i)(?:(.+?)[ ._-]+)??(?:(?:run|rep|repeat|repetition|trial|seed|replicate)[ ._-]*)?(\d+)"
)
_PARAMETER = "Param: "  # of a benchmark, in tables of JMH


def shaped(table: RawTable, choices: TableChoices) -> RawTable:
    """The table with one row of names, then one row per run or instance. Each step treats one shape.

    Its findings say what was done and what is wrong.
    """
    table = _with_one_header(with_numbers(table, choices))
    names = (table.header[0].lstrip("# "), *table.header[1:]) if table.header else ()
    header = tuple("" if _NAMELESS.fullmatch(n) else n.removeprefix(_PARAMETER) for n in names)
    # After a last separator there is neither a name nor a cell.
    full = [at for at, name in enumerate(header) if name or any(table.column(at))]
    table = only_columns(replace(table, header=header), full)
    named = {*choices.chosen("instance"), *parts_of(choices)}
    is_known = any(n in named or plain(n) in ALIASES["instance"] for n in table.header)
    if not is_known and (wrong := _no_names(table)):
        hint = "Add a line of names above it, such as instance,solver,time,status."
        more = " Or name columns by their numbers, such as --column instance=1 --column time={}."
        alone = " Separate the cells with commas instead of blanks."
        hint += more.format(len(table.header)) if len(table.header) > 1 else alone
        return table.told("runs-table", f"the first line does not hold column names: it has {wrong}", hint)
    table = _one_row_a_solver(table)
    table = _without_equal_columns(table)
    if choices.duplicates == "number":
        table = _one_row_a_repetition(table)
    # From 0 or 1 pandas numbers the rows.
    index = [[str(n) for n in range(k, k + len(table.rows))] for k in (0, 1)]
    if not is_known and table.header[:1] == ("",) and table.column(0) not in index:
        is_said = NAMELESS in {name for _, name in choices.column}
        name = NAMELESS if is_said else "instance"
        table = replace(table, header=(name, *table.header[1:]), renamed={} if is_said else {name: ""})
        what = "the first column has no name; it is read as the names of instances"
        table = table if is_said else table.told("runs-understood", what)
    return _joined(table, choices)


def without_units(table: RawTable) -> RawTable:
    """The table; an error instead of its rows if one of the first two holds the units of columns."""
    for line, cells in table.rows[:2]:
        told = [cell for cell in cells[1:] if cell or cells[0]]
        units = {UNITS[plain(cell)] for cell in told if plain(cell) in UNITS}
        if units and all(plain(cell) in UNITS or cell[:1] == "[" for cell in told):
            way = f"add --times-in {min(units)}" if len(units) == 1 else "write all times in one unit"
            what = "this line holds units, not runs"
            return replace(table, rows=()).told("runs-table", what, f"Remove it and {way}.", line)
    return table


def with_numbers(table: RawTable, choices: TableChoices) -> RawTable:
    """The table with columns called 1, 2, … if its user calls them so: then its first line is a run."""
    said = {part.strip() for _, name in choices.column for part in name.split("+")}
    numbers = tuple(str(n) for n in range(1, len(table.header) + 1))
    if not table.separated or said <= {*table.header} or not said <= {*numbers}:
        return table
    return replace(table, header=numbers, rows=((table.line, table.header), *table.rows))


def column_of(names: Sequence[str], role: str, choices: TableChoices) -> str | None:
    """The column of a role, as its user says or by its name; None if there is none."""
    said = choices.chosen(role)
    found = said[0] if said else first_called(names, ALIASES[role])
    return found if found in names else None


def first_called(names: Sequence[str], aliases: Sequence[str]) -> str | None:
    """The first column that has the first of these names, in any case; None if there is none."""
    by_plain = {plain(name): name for name in reversed(names)}
    return next((by_plain[alias] for alias in aliases if alias in by_plain), None)


# One row of names.


def _with_one_header(table: RawTable) -> RawTable:
    """The table with rows of names, solvers above and parts below, joined to ``SOLVER:part``.

    Two rows of solvers, as a tool and its configuration, are joined too.
    """
    if not table.rows or not table.separated:
        return table
    for n, (line, below) in enumerate(table.rows[:2]):  # noqa: B007 - the last one is used
        has_groups = len({*table.header[1:]}) < len(table.header[1:])
        is_known = any(map(part_of, below[1:])) and all(map(is_part, below[1:]))
        if len(below) > 1 and (all(map(part_of, below[1:])) or (has_groups and is_known)):
            break
    else:
        return table
    above = [table.header, *(cells for _, cells in table.rows[:n])]
    header, names = [table.header[0]], [""] * len(above)
    for at, what in enumerate(below[1:], 1):
        for k, cells in enumerate(above):
            if cells[at] and cells[at] != names[k]:  # what stood below the last name goes no further
                names[k:] = [cells[at], *[""] * (len(above) - k - 1)]
        header.append(f"{' '.join(dict.fromkeys(filter(None, names)))}:{what}")
    rows = table.rows[n + 1 :]
    corner = [*(cells[0] for cells in above), below[0]]
    if rows and not any(rows[0][1][1:]):  # as pandas writes the index's name
        corner.append(rows[0][1][0])
        rows = rows[1:] if plain(corner[-1]) in ALIASES["instance"] else rows
    header[0] = first_called(corner, ALIASES["instance"]) or "instance"
    return replace(table, header=tuple(header), line=line, rows=rows)


def _no_names(table: RawTable) -> str:
    """The cells of a first line that cannot be names of columns; empty if all can.

    Beside a single number, the line is a run if another cell occurs again in its column.
    """
    header = table.header
    cells = header[0].split() if len(header) == 1 else header
    is_named = any(part_of(cell) or plain(cell) in ALIASES["solver"] for cell in cells)
    wrong = [cell for cell in cells if number(cell) is not None or (says_failure(cell) and not is_named)]
    is_numbered = wrong == [str(n) for n in range(len(wrong))]
    occurs_again = any(name and name in table.column(at) for at, name in enumerate(header))
    is_data = not is_numbered and (occurs_again or len(wrong) > 1 or any("." in cell for cell in wrong))
    return ", ".join(wrong[:3]) if is_data else ""


# Columns without meaning.


def only_columns(table: RawTable, positions: Sequence[int]) -> RawTable:
    """The table with these columns alone."""
    if len(positions) == len(table.header):
        return table
    rows = tuple((line, tuple(cells[at] for at in positions)) for line, cells in table.rows)
    return replace(table, header=tuple(table.header[at] for at in positions), rows=rows)


def _without_equal_columns(table: RawTable) -> RawTable:
    """The table with one of several columns that have the same name and cells."""
    counts = Counter(table.header)
    first: dict[tuple[str, tuple[str, ...]], int] = {}
    kept = [
        at
        for at, name in enumerate(table.header)
        if counts[name] == 1 or first.setdefault((name, tuple(table.column(at))), at) == at
    ]
    if len(kept) == len(table.header):
        return table
    left = next(name for at, name in enumerate(table.header) if at not in kept)
    what = f"two columns {left!r} are equal; only the first is read"
    return only_columns(table, kept).told("runs-understood", what)


# Columns for each solver, side by side.


def _one_row_a_solver(table: RawTable) -> RawTable:
    """The table with a row for each group of columns that repeats.

    Such a table has benchmark;solver;status;time;solver;status;time, or the same names followed by numbers.
    A group without any cell is not a run.
    """
    bases = [found[1] if (found := _COUNTED.fullmatch(name)) else name for name in table.header]
    for names in (table.header, bases):
        if found_groups := groups(names):
            start, width, n = found_groups
            group, end = names[start : start + width], start + n * width
            if width > 1 and any(plain(name) in ALIASES["solver"] for name in group):
                break
    else:
        return table
    rows: list[NumberedRow] = []
    for line, cells in table.rows:
        alike = cells[:start] + cells[end:]
        each = (cells[k : k + width] for k in range(start, end, width))
        rows += [(line, alike + own) for own in each if any(own)]
    melted = replace(table, header=(*names[:start], *names[end:], *group), rows=tuple(rows))
    what = f"the columns {', '.join(group)} occur {n} times side by side; each group is read as a run"
    return melted.told("runs-understood", what)


def repetitions(names: Sequence[str]) -> Mapping[str, Sequence[int]]:
    """What is measured → the columns of its repetitions; nothing unless all have the same ones.

    Columns of repetitions have one name, or names that differ in a number: ``a_1, a_2`` or ``run1, run2``.
    Those of a single solver have a name that says so.
    """
    of: dict[str, dict[int, int]] = {}
    for at, name in enumerate(names):
        found = _REPETITION.fullmatch(name)
        mine = of.setdefault((found[1] or "") if found else name, {})
        mine[int(found[2]) if found else len(mine)] = at
    of = {stem: mine for stem, mine in of.items() if len(mine) > 1 and (stem in names or min(mine) <= 1)}
    counts = {tuple(sorted(mine)) for mine in of.values()}
    if len(counts) != 1 or (
        len(of) == 1 and not any(not stem or stem in names or is_part(stem) for stem in of)
    ):
        return {}
    (numbers,) = counts
    is_counted = numbers == tuple(range(numbers[0], numbers[0] + len(numbers)))
    return {stem: [mine[n] for n in numbers] for stem, mine in of.items()} if is_counted else {}


def _one_row_a_repetition(table: RawTable) -> RawTable:
    """The table with a row for each repetition, where a row had several side by side."""
    found = repetitions(table.header)
    if not found:
        return table
    taken = {at for columns in found.values() for at in columns}
    rest = [at for at in range(len(table.header)) if at not in taken]
    each = [*zip(*found.values(), strict=True)]
    rows = tuple(
        (line, tuple(cells[at] for at in (*rest, *columns)))
        for line, cells in table.rows
        for columns in each
        if any(cells[at] for at in columns)
    )
    names = [stem or "time" for stem in found]
    what = f"{len(each)} repetitions of {', '.join(names)} stand side by side; each is read as a run"
    header = (*(table.header[at] for at in rest), *names)
    return replace(table, header=header, rows=rows).told("runs-understood", what)


# Several columns as one, and columns of the user's making.


def _joined(table: RawTable, choices: TableChoices) -> RawTable:
    """The table with a column for each name ``a+b`` that a user gives to a role."""
    for role, name in choices.column:
        parts = [part.strip() for part in name.split("+")]
        if name not in table.header and role in JOINED and {*parts} <= {*table.header}:
            columns = zip(*map(table.column, parts), strict=True)
            table = table.with_column(name, [JOINED[role].join(filter(None, cells)) for cells in columns])
    return table


def parts_of(choices: TableChoices) -> set[str]:
    """The columns that are joined to others."""
    names = [name for role, name in choices.column if role in JOINED and "+" in name]
    return {part.strip() for name in names for part in name.split("+")}


# Rows that are not runs. The names of means are hardly names of instances.

_MEANS = re.compile(
    "(arith(metic)?_)?(means?|averages?|avg|geo_?means?|medians?|std(_?dev)?|grand_?total)"
    "|mittelwert|durchschnitt|moyenne|promedio"
)


def without_computed_rows(table: RawTable, at: Mapping[str, int]) -> RawTable:
    """The table without rows of VBS and the like, and without sums. at: role → its column.

    Rows called like sums are some if they are the last ones of a file or of each solver there.
    """
    if "solver" in at:
        where = at["solver"]
        names = [name for name in dict.fromkeys(table.column(where)) if is_virtual(name)]
        rows = tuple(row for row in table.rows if row[1][where] not in names)
        if names and rows:
            n = plural(len(table.rows) - len(rows), "row")
            what = f"skipped {n} of {', '.join(names[:NAMES])}, because virtual solvers are computed"
            table = replace(table, rows=rows).told("runs-ignored", what)
    where = at["instance"]
    names = table.column(where)
    sums = {name for name in {*names} if is_sum(name)}
    own = table.column(at["solver"]) if "solver" in at else [""] * len(names)
    solvers: Iterator[str] = accumulate(own, lambda above, below: below or above)
    blocks = [(table.place(row[0])[0], each) for row, each in zip(table.rows, solvers, strict=True)]
    last = {block: k for k, block in enumerate(blocks) if names[k] not in sums}
    ends = {k for k, block in enumerate(blocks) if k > last.get(block, k)}
    # In a long table, a name that also stands among instances is an instance.
    others = {name for k, name in enumerate(names) if k not in ends} if "solver" in at else set()
    if gone := {names[k] for k in ends} - others:
        line, cells = next(row for row in table.rows if row[1][where] in gone)
        rows = tuple(row for row in table.rows if row[1][where] not in gone)
        what = f"skipped {plural(len(names) - len(rows), 'row')} of sums or means"
        what += f" (the first is {cells[where]!r} in {table.spot(line)})"
        hint = "If they are instances, give them other names."
        table = replace(table, rows=rows).told("runs-ignored", what, hint)
    for line, cells in table.rows:
        if cells[where] in sums and _MEANS.fullmatch(plain(cells[where])):
            what = f"{cells[where]!r} may be a summary of other rows and not an instance"
            hint = "Remove such rows, or give the instance another name."
            return table.told("runs-table", what, hint, line)
    return table
