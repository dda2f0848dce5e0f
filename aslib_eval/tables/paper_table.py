"""The table of a paper: the query of a file in sql/table, run on an open lake."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import duckdb

from aslib_eval.analysis.relations import Scored
from aslib_eval.database.sql_errors import sql_error
from aslib_eval.database.sqlfiles import Metric, SqlFile
from aslib_eval.database.views import require_reading, require_select
from aslib_eval.errors import AslibError
from aslib_eval.provenance import Provenance
from aslib_eval.tables.ranking import Entry, notes_on_means, ranked_cells, summary_rows
from aslib_eval.tables.style import Style, read_style
from aslib_eval.tables.table import PaperColumn, PaperTable
from aslib_eval.text import is_number, plural

if TYPE_CHECKING:
    import polars as pl

    from aslib_eval.analysis.compare.question import Question
    from aslib_eval.database.open_lake import OpenLake

Row = dict[str, Any]
Key = tuple[str, str | None, str]  # protocol, scenario (None over all), solver
_BEST = "o"


@dataclass(frozen=True)
class SignificanceMarks:
    """Column → (protocol, scenario, solver) → mark, and what to write below."""

    found: Mapping[str, Mapping[Key, str]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def mark_of(self, column: str, row: Mapping[str, Any]) -> str:
        """The mark of a cell; nothing where there was no test."""
        marks = self.found.get(column)
        if marks is None:
            return ""
        protocol, solver = row.get("protocol", ""), row.get("solver", "")
        return marks.get((protocol, row.get("scenario_id"), solver), "")


def paper_table(
    lake: OpenLake,
    file: SqlFile,
    *,
    made_of: Provenance | None = None,
    scores: Mapping[str, Scored] = MappingProxyType({}),
) -> PaperTable:
    """Run the query of a file in sql/table and lay it out as its header says.

    The notes name protocol and number of scenarios; ``made_of`` goes into the comment. A header with
    ``compare`` lets the query read ``test_step``.
    scores: relations that are computed if the query reads them, see ``scored``.

    """
    style = read_style(file, lake.metrics)
    tested = register_steps(lake, file)
    for name in sorted(scores.keys() & file.reads):
        lake.connection.register(name, scores[name]())
    rows = _rows(lake, file)
    marks = significance_marks(lake, style.mark)
    hidden = _hidden(style, file, rows)
    shape = _pivoted if style.across else _plain_rows
    columns, grid = shape(style, file, rows, marks, hidden)
    summaries = summary_rows(style, columns, grid)
    cells = ranked_cells(grid, style, summaries=summaries)
    return PaperTable(
        columns=tuple(_typed(c, [row[i] for row in grid]) for i, c in enumerate(columns)),
        rows=cells,
        name=file.name,
        caption=file.layout.get("caption", ""),
        notes=(
            *_population(lake, file, rows),
            *_relations(style, [n for n in file.columns if n not in hidden], lake.metrics),
            *notes_on_means(style, [*grid, *summaries]),
            *_without_values(style, rows),
            *marks.notes,
            *tested,
        ),
        provenance=made_of.lines() if made_of else (),
        n_summaries=len(summaries),
    )


_QUESTION = ("metric", "unit", "kind", "versus", "test", "differences", "correction")


def register_steps(lake: OpenLake, file: SqlFile) -> tuple[str, ...]:
    """Let a table read the relation ``test_step``, if its header says what to compare.

    ``compare: versus SBS; test t; differences percent`` are options of ``compare``; the rows are those of
    ``compare --show steps``. Returns a note on the tests, or on why there are none: the relation is empty
    then.
    """
    import polars as pl

    from aslib_eval.analysis.compare.beside import beside, schema_of
    from aslib_eval.analysis.compare.question import TESTS, Question

    if "compare" not in file.layout:
        return ()
    parts = [p.strip().partition(" ") for p in file.layout["compare"].split(";")]
    words: dict[str, Any] = {name: value.strip() for name, _, value in parts if name}
    if wrong := sorted(words.keys() - set(_QUESTION)):
        what = f"'compare' has no option {wrong[0]!r}"
        hint = f"There are {', '.join(_QUESTION)}."
        raise AslibError(what, str(file.path), hint)
    question = Question(**words)
    try:
        frame, _ = beside(lake, question, "steps")
    except AslibError as error:
        lake.connection.register("test_step", pl.DataFrame(schema=schema_of("steps")))
        return (f"No tests: {error.message}.",)
    lake.connection.register("test_step", frame)
    test = f"{TESTS[question.chosen_test]} over {question.unit}, two-sided"
    if question.unit == "instances":
        test += ", known families as wholes"
    how = f"{question.correction}, alpha {question.alpha:g}"
    return (f"Test: {test}, {how}; positive differences are for the first.",)


def _rows(lake: OpenLake, file: SqlFile) -> list[Row]:
    import polars as pl

    con = lake.connection
    try:
        require_select(con, file)
        # Built first: the plan of views that are not takes DuckDB a minute.
        lake.prepare(file.reads, sql=file.sql)
        require_reading(con, file.sql, where=str(file.path))
        # 0.5 in SQL is a decimal number; a table knows only one kind.
        frame = con.sql(file.sql).pl().cast({pl.Decimal: pl.Float64})
    except duckdb.Error as error:
        raise sql_error(con, error, file) from None
    if list(file.columns) != frame.columns:
        what = f"the header documents {', '.join(file.columns)}"
        hint = f"The query gives {', '.join(frame.columns)}."
        raise AslibError(what, str(file.path), hint)
    rows: list[Row] = frame.to_dicts()
    return rows


def _hidden(style: Style, file: SqlFile, rows: Sequence[Row]) -> set[str]:
    """Columns that may go: what distinguishes no rows, or holds no value at all."""
    others = [name for name in file.columns if name not in file.key]
    hidden = {n for n in others if rows and all(row[n] is None for row in rows)}
    hidden |= {*style.signs.values()}
    for name in ("protocol", *style.hide):
        left = [k for k in file.key if k not in hidden and k != name]
        if len({tuple(row[k] for k in left) for row in rows}) == len(rows):
            hidden.add(name)
    return hidden


def _without_values(style: Style, rows: Sequence[Row]) -> list[str]:
    """The columns of numbers that are left out, in a sentence.

    One of two that are headed alike stands for both, as those for less and more is better.
    """
    has = {n: any(row.get(n) is not None for row in rows) for n in style.digits}
    there = {style.heading(name) for name, any_ in has.items() if any_}
    heads = [style.heading(name) for name in has]
    empty = [head for head in dict.fromkeys(heads) if rows and head not in there]
    return [f"Left out, as no row has a value: {', '.join(empty)}."] if empty else []


def _plain_rows(
    style: Style, file: SqlFile, rows: Sequence[Row], marks: SignificanceMarks, hidden: set[str]
) -> tuple[list[PaperColumn], list[list[Entry]]]:
    """A row of the query is a row of the table."""
    names = [name for name in file.columns if name not in hidden]
    columns = [PaperColumn(name, style.heading(name)) for name in names]
    grid = [[_entry(style, name, row, marks) for name in names] for row in rows]
    return columns, grid


def _pivoted(
    style: Style, file: SqlFile, rows: Sequence[Row], marks: SignificanceMarks, hidden: set[str]
) -> tuple[list[PaperColumn], list[list[Entry]]]:
    """The values of one column become columns; the rest of the key names the rows."""
    spread = [n for n in style.spread if n not in hidden] or list(style.spread)
    taken = {style.across, *style.spread}
    labels = [name for name in file.columns if name not in taken | hidden]
    heads = list(dict.fromkeys(row[style.across] for row in rows))
    groups: dict[tuple[Any, ...], dict[Any, Row]] = {}
    for row in rows:
        key = tuple(row[name] for name in file.key if name != style.across)
        groups.setdefault(key, {})[row[style.across]] = row
    columns = [PaperColumn(name, style.heading(name)) for name in labels]
    several = len(spread) > 1
    for name in spread:
        group = style.heading(name) if several else ""
        columns += [PaperColumn(str(head), str(head), group) for head in heads]
    grid = []
    for found in groups.values():
        first = next(iter(found.values()))
        line = [Entry(name, first[name], "", first) for name in labels]
        for name in spread:
            line += [_entry(style, name, found.get(head), marks) for head in heads]
        grid.append(line)
    return columns, grid


def _entry(style: Style, name: str, row: Row | None, marks: SignificanceMarks) -> Entry:
    if row is None:
        return Entry(name, None, "", {})
    sign = row[style.signs[name]] if name in style.signs else None
    found = Entry(name, row[name], sign or marks.mark_of(name, row), row)
    if name not in style.over or row[name] is None:
        return found
    n, whole = (row[column] for column in style.over[name])
    return found if n == whole else found._replace(n=n, excluded=True)


def _typed(column: PaperColumn, entries: Sequence[Entry]) -> PaperColumn:
    values = [entry.value for entry in entries if entry.value is not None]
    numbers = bool(values) and all(is_number(value) for value in values)
    return PaperColumn(column.name, column.heading, column.group, is_number=numbers)


def _relations(style: Style, shown: Sequence[str], metrics: Mapping[str, Metric]) -> list[str]:
    """Which metrics depend on the other solvers that are present, as a sentence."""
    declared = [metrics[name] for name in shown if name in metrics]
    found = [
        f"{words}: {', '.join(style.heading(m.name) for m in some)}"
        for words, some in (
            ("relative to the solvers present", [m for m in declared if m.relative]),
            ("absolute", [m for m in declared if not m.relative]),
        )
        if some
    ]
    return [f"{text[0].upper()}{text[1:]}." for text in ["; ".join(found)] if text]


def _population(lake: OpenLake, file: SqlFile, rows: Sequence[Row]) -> list[str]:
    """Protocol and number of scenarios, as a sentence."""
    n = len({row.get("scenario_id") for row in rows})
    size = f"; {plural(n, 'scenario')}" if "scenario_id" in file.columns else ""
    active = sorted(lake.protocols, key=lambda p: p.protocol)
    protocols = [f"{each.tag} ({each.words})" for each in active]
    return [f"Protocol {', '.join(protocols)}{size}."]


def significance_marks(lake: OpenLake, wanted: Mapping[str, tuple[str, str]]) -> SignificanceMarks:
    """Test the selectors on each metric and unit that a table asks for.

    Each is compared with the best mean. Where nothing can be tested, a note says why.
    """
    from aslib_eval.analysis.compare import compare
    from aslib_eval.analysis.compare.question import Question

    found: dict[str, dict[Key, str]] = {}
    notes = []
    for column, (metric, unit) in wanted.items():
        question = Question(metric=metric, unit=unit, kind="selector")  # type: ignore[arg-type]
        try:
            systems = compare(lake, question).systems
        except AslibError as error:
            notes.append(f"No marks of significance: {error.message}.")
            continue
        found[column] = {
            (row["protocol"].partition("@")[0], row["scenario_id"], row["system"]): (
                "" if row["mark"] == _BEST else row["mark"]
            )
            for row in systems.iter_rows(named=True)
        }
        notes.append(_legend(question, systems))
    return SignificanceMarks(found, tuple(dict.fromkeys(notes)))


def _from_to(sizes: pl.Series) -> str:
    low, high = min(sizes.to_list()), max(sizes.to_list())
    return f"{low}" if low == high else f"{low} to {high}"


def _legend(question: Question, systems: pl.DataFrame) -> str:
    from aslib_eval.analysis.compare.question import TESTS

    n = _from_to(systems["n"])
    if systems["n_families"].count():
        n += f", families n = {_from_to(systems['n_families'].drop_nulls())}"
    test = TESTS[question.chosen_test]
    return (
        f"Beside the best mean of {question.metric}: - worse by test and interval "
        f"too, ± a difference by the test alone, = no difference shown ({test} over "
        f"{question.unit}, {question.correction}, alpha {question.alpha:g}, n = {n})."
    )
