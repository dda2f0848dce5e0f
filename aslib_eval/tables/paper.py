"""A file in sql/table and an open lake → the table of a paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from aslib_eval.database.connect import require_reading, require_select, sql_error
from aslib_eval.database.metrics import metrics_of
from aslib_eval.database.sqlfiles import Metric, SqlFile
from aslib_eval.errors import AslibError
from aslib_eval.provenance import Provenance
from aslib_eval.tables.contests import Entry, judged
from aslib_eval.tables.feet import feet, remarks
from aslib_eval.tables.layout import Column, Table
from aslib_eval.tables.marks import Marks, marks_of
from aslib_eval.tables.style import Style, style
from aslib_eval.tables.values import is_number

if TYPE_CHECKING:
    import duckdb

Row = dict[str, Any]


def paper_table(
    con: duckdb.DuckDBPyConnection,
    file: SqlFile,
    *,
    made_of: Provenance | None = None,
) -> Table:
    """Run the query of a file in sql/table and lay it out as its header says.

    The notes tell protocol and number of scenarios; ``made_of`` goes into the comment.
    Raises AslibError if the header or the query is wrong.
    """
    metrics = metrics_of(con)
    looks = style(file, metrics)
    rows = _rows(con, file)
    marks = marks_of(con, looks.mark)
    hidden = _hidden(looks, file, rows)
    shape = _spread if looks.across else _listed
    columns, grid = shape(looks, file, rows, marks, hidden)
    below = feet(looks, columns, grid)
    cells = judged(grid, looks, feet=below)
    return Table(
        columns=tuple(
            _kind(c, [row[i] for row in grid]) for i, c in enumerate(columns)
        ),
        rows=cells,
        name=file.name,
        caption=file.layout.get("caption", ""),
        notes=(
            *_population(con, file, rows),
            *_relations(looks, file, metrics),
            *remarks(looks, [*grid, *below]),
            *marks.notes,
        ),
        provenance=made_of.lines() if made_of else (),
        foot=len(cells) - len(grid),
    )


def _rows(con: duckdb.DuckDBPyConnection, file: SqlFile) -> list[Row]:
    import duckdb
    import polars as pl

    try:
        require_select(con, file)
        require_reading(con, file.sql, where=str(file.path))
        found = con.sql(file.sql)
        # 0.5 in SQL is a decimal number; a table knows only one kind.
        frame = found.pl().cast({pl.Decimal: pl.Float64})
    except duckdb.Error as error:
        raise sql_error(con, error, file) from None
    if list(file.columns) != found.columns:
        what = f"the header documents {', '.join(file.columns)}"
        hint = f"The query gives {', '.join(found.columns)}."
        raise AslibError(what, str(file.path), hint)
    rows: list[Row] = frame.to_dicts()
    return rows


def _hidden(looks: Style, file: SqlFile, rows: Sequence[Row]) -> set[str]:
    """Columns that may go: one protocol, and what else tells no rows apart."""
    hidden: set[str] = set()
    for name in ("protocol", *looks.hide):
        left = [k for k in file.key if k not in hidden and k != name]
        if len({tuple(row[k] for k in left) for row in rows}) == len(rows):
            hidden.add(name)
    return hidden


def _listed(
    looks: Style, file: SqlFile, rows: Sequence[Row], marks: Marks, hidden: set[str]
) -> tuple[list[Column], list[list[Entry]]]:
    """A row of the query is a row of the table."""
    names = [name for name in file.columns if name not in hidden]
    columns = [Column(name, looks.heading(name)) for name in names]
    grid = [[_entry(looks, name, row, marks) for name in names] for row in rows]
    return columns, grid


def _spread(
    looks: Style, file: SqlFile, rows: Sequence[Row], marks: Marks, hidden: set[str]
) -> tuple[list[Column], list[list[Entry]]]:
    """The values of one column become columns; the rest of the key tells the rows."""
    taken = {looks.across, *looks.spread}
    labels = [name for name in file.columns if name not in taken | hidden]
    heads = list(dict.fromkeys(row[looks.across] for row in rows))
    groups: dict[tuple[Any, ...], dict[Any, Row]] = {}
    for row in rows:
        key = tuple(row[name] for name in file.key if name != looks.across)
        groups.setdefault(key, {})[row[looks.across]] = row
    columns = [Column(name, looks.heading(name)) for name in labels]
    several = len(looks.spread) > 1
    for name in looks.spread:
        group = looks.heading(name) if several else ""
        columns += [Column(str(head), str(head), group) for head in heads]
    grid = []
    for found in groups.values():
        first = next(iter(found.values()))
        line = [Entry(name, first[name], "", first) for name in labels]
        for name in looks.spread:
            line += [_entry(looks, name, found.get(head), marks) for head in heads]
        grid.append(line)
    return columns, grid


def _entry(looks: Style, name: str, row: Row | None, marks: Marks) -> Entry:
    if row is None:
        return Entry(name, None, "", {})
    found = Entry(name, row[name], marks.beside(name, row), row)
    if name not in looks.over or row[name] is None:
        return found
    n, whole = (row[column] for column in looks.over[name])
    return found if n == whole else found._replace(n=n, aside=True)


def _kind(column: Column, entries: Sequence[Entry]) -> Column:
    values = [entry.value for entry in entries if entry.value is not None]
    numbers = bool(values) and all(is_number(value) for value in values)
    return Column(column.name, column.heading, column.group, is_number=numbers)


def _relations(looks: Style, file: SqlFile, metrics: Mapping[str, Metric]) -> list[str]:
    """Which metrics depend on the other solvers that are present, as a sentence."""
    declared = [metrics[name] for name in file.columns if name in metrics]
    said = [
        f"{words}: {', '.join(looks.heading(m.name) for m in some)}"
        for words, some in (
            ("relative to the solvers present", [m for m in declared if m.relative]),
            ("absolute", [m for m in declared if not m.relative]),
        )
        if some
    ]
    return [f"{text[0].upper()}{text[1:]}." for text in ["; ".join(said)] if text]


def _population(
    con: duckdb.DuckDBPyConnection, file: SqlFile, rows: Sequence[Row]
) -> list[str]:
    """Protocol and number of scenarios, as a sentence."""
    found = con.sql("select protocol || '@' || hash from protocol order by all")
    protocols = ", ".join(name for (name,) in found.fetchall())
    said = f"Protocol {protocols}"
    if "scenario_id" in file.columns:
        n = len({row["scenario_id"] for row in rows})
        said += f"; {n} scenario{'s' if n != 1 else ''}"
    return [f"{said}."]
