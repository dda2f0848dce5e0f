"""Files that hold the runs of one solver each → one table; the solver is called like its file."""

from __future__ import annotations

import os.path
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from aslib_eval.errors import AslibError, Finding
from aslib_eval.formats import TableChoices
from aslib_eval.formats.aslib.lint import new_finding
from aslib_eval.formats.runs.layout import layout_of
from aslib_eval.formats.runs.raw_table import RawTable, column_of, ending, stem, with_numbers
from aslib_eval.formats.sources import Location
from aslib_eval.text import list_names, plural

_SOLVER = "solver"


def files_of(paths: Sequence[Path]) -> tuple[Path, ...]:
    """The tables at paths: files, folders of them or patterns such as ``runs/*.csv``."""
    found: list[Path] = []
    for path in paths:
        inside = [path]
        if path.is_dir():
            inside = sorted(path.iterdir())
        elif not path.exists():
            root = Path(path.anchor)
            inside = sorted(root.glob(str(path.relative_to(root))))
        tables = [each for each in inside if ending(each) and each.is_file()]
        if not tables:
            hint = "Name files, a folder of them or a pattern."
            raise AslibError("holds no table of runs", str(path), hint)
        found += tables
    return tuple(dict.fromkeys(found))


def location_of(tables: Sequence[Path]) -> Location:
    """The place of a scenario in several files: the folder that holds all of them."""
    folder = Path(os.path.commonpath([table.parent for table in tables]) or ".")
    shown = folder if folder.name else folder.resolve()
    return Location(folder, str(shown), beside=tuple(tables))


def joined(tables: Mapping[Path, RawTable], choices: TableChoices, *, file: str) -> RawTable:
    """One table with the rows of all, with a column of solvers if files have none.

    Errors: faults of each table, columns that differ.
    """
    named = {path: with_solver(table, path, choices) for path, table in tables.items()}
    first, *others = named.values()
    findings = [found for table in named.values() for found in table.findings]
    findings += [found for each in others for found in _differing(first, each)]
    header = tuple(dict.fromkeys(name for table in named.values() for name in table.header))
    rows: list[tuple[int, tuple[str, ...]]] = []
    places: dict[int, tuple[str, int | None]] = {1: (file, None)}
    for table in named.values():
        at = [table.header.index(name) if name in table.header else -1 for name in header]
        for line, cells in table.rows:
            number_of = len(rows) + 2  # 1 is that of the names
            rows.append((number_of, tuple(cells[k] if 0 <= k < len(cells) else "" for k in at)))
            places[number_of] = (table.file, line)
    notes = [found for found in findings if found.severity == "note"]
    kept = [found for found in findings if found.severity != "note"] + notes[: len(first.findings)]
    what = f"{plural(len(named), 'file')} joined: {list_names((path.name for path in named), quoted=False)}"
    if any(found.severity == "error" for found in findings):
        rows = []
    return replace(
        first, file=file, header=header, line=1, rows=tuple(rows), findings=tuple(kept), places=places
    ).told("runs-understood", what)


def with_solver(table: RawTable, path: Path, choices: TableChoices) -> RawTable:
    """A table with names of columns and a solver, which may be the name of its column of times."""
    table = with_numbers(table, choices)
    if table.asked and "document" in choices.chosen("solver"):  # as the question advises
        return table.with_cells([table.header.index("document")], lambda *_: stem(path))
    has_solver = column_of(table.header, _SOLVER, choices) or any(
        role == _SOLVER for role, _ in table.stated.column
    )
    if has_solver or not table.header:
        return table
    found = layout_of(table, choices)
    is_alone = not found.findings and found.is_wide and len(found.blocks) == 1
    solver = found.blocks[0].solver if is_alone and found.times else None
    if solver in table.header:
        header = tuple("time" if name == solver else name for name in table.header)
        return replace(table, header=header).with_column(_SOLVER, [solver] * len(table.rows))
    return table.with_column(_SOLVER, [stem(path)] * len(table.rows))


def _differing(first: RawTable, other: RawTable) -> Iterator[Finding]:
    """An error if two tables are of different tools, or have different columns."""
    name, what = Path(first.file).name, ""
    if first.stated != TableChoices() and other.stated != first.stated:
        what = f"the file is of a different kind than {name}"
        hint = "Import the files of each tool separately."
    elif first.stated == TableChoices() and {*other.header} != {*first.header}:
        mine, theirs = (list_names(each.header, quoted=False) for each in (other, first))
        what = f"the columns are {mine}, but the columns of {name} are {theirs}"
        hint = "Use the same column names in all files. If a first line is a run, add names above it,"
        hint += " or name columns by their numbers, such as --column instance=1 --column time=2."
    if what:
        yield new_finding("runs-table", file=other.file, line=other.line, what=what, hint=hint)
