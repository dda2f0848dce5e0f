"""Published pages, HTML or Markdown: every table with a column Solver."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from aslib_eval.errors import AslibError, ScenarioError
from aslib_eval.extensions.competitions.formats.html_tables import (
    HtmlPage,
    PageRow,
    PageTable,
    read_markdown,
    read_page,
)
from aslib_eval.extensions.competitions.formats.maxsat_tracks import maxsat_track
from aslib_eval.extensions.competitions.formats.published.published_value import (
    NOTHING,
    PublishedValue,
    printed_solver,
)
from aslib_eval.formats.csv_rows import decoded

_SOLVER = ("solver", "solver name", "tool", "team")  # the first that is there
_AUTHORS = ("member", "authors")  # who is meant where no team has a name
# Columns of PACE that hold no values of solvers.
_OF_PEOPLE = frozenset(
    {*_AUTHORS, "institute", "student", "student submission", "stud rank", "delta"} | {"repo", "git repo"}
)
_RANK = "rank"
_CONFIGURATION, _NOTE = "configuration", "note"
_TRACKS = {"nolimit": "nolimits"}
# Header, in lower case without signs → our column.
_COLUMNS: Mapping[str, str] = {
    "error score": "errors",
    "correct score": "correct",
    "cpu time score": "cpu",
    "wall time score": "wall",
    "cpu (s)": "cpu",
    "wall (s)": "wall",
    "time(avg)": "mean_time",
    "time (avg)": "mean_time",
    "score(avg)": "mean_score",
    "score (avg)": "mean_score",
    "n-solved": "solved",
    "solvedinstances": "solved",
    "averagetime": "mean_time",
    "par2score": "par2_score",
    "avg-time": "mean_time",
    "sat": "solved_sat",
    "unsat": "solved_unsat",
    "total solved": "solved",
    "sat solved": "solved_sat",
    "unsat solved": "solved_unsat",
    "unsat verified": "solved_unsat",
    "average score": "score",
    _RANK: "place",
    "pts": "points",
    "runtime": "time",
}
_MEAN_AT = re.compile(r"\d+s")  # the limit of an anytime track, over its scores
_ABBREVIATED = re.compile(r"\b(EXACT|ANYTIME)-(U?W)\b")
_COUNTS = frozenset(
    {"errors", "solved", "solved_sat", "solved_unsat", "unsolved", "abstained"} | {"timeout", "memout"}
)
_REMARK = re.compile(r"\*+$|\s*\(base [-+]?\d+\)$")
_THOUSANDS = re.compile(r"\d{1,3}(,\d{3})+(\.\d+)?")
# First cells of rows with totals, in tables with a column for each solver.
_TOTALS: Mapping[str, str] = {
    "number of solved instances": "solved",
    "count": "solved",
    "average time": "mean_time",
    "par2 score": "par2_score",
}
# Words of headers that only a table of solvers has.
_KNOWN = frozenset({*_COLUMNS, "score", "solved"} - {"sat", "unsat"})
# Of SAT Competitions: a score and a count of all, or of some instances alone.
_OF_SOME = re.compile(r"(?:(\w+) )?(score|solved)(?: (\w+))?")
# The tables of SMT-COMP by their ids; others are called as their id.
_RESTRICTIONS = {"": "all", "twentyfour": "24s"}
_OF_A_PART = re.compile(r"Competition results for the (\S+) (logic|division)\b")
# Of the heading of such a page: the track, and which challenge, or that it is a trial.
_OF_A_TRACK = re.compile(r"\(([^()]+) Track(?: \(([^()]+)\))*\)$")
_CHALLENGES = ("incremental", "non-incremental")
_WINNERS = re.compile(r"(\w+)(?: seconds)? performance\b", re.IGNORECASE)


@dataclass(frozen=True)
class _Board:
    """Where the values of a table belong."""

    board: str
    level: str = ""
    part: str = ""


def of_markdown(content: bytes, file: str) -> list[PublishedValue]:
    """All values of the tables of solvers of a Markdown file.

    Raises:
        AslibError: it is no text, or a value is no number.
    """
    text = decoded(content, file=file, code="published")
    if not isinstance(text, str):
        raise ScenarioError(file, [text])
    return _of_tables(read_markdown(text), file)


def of_page(content: bytes, file: str) -> list[PublishedValue]:
    """All values of a page's tables of solvers.

    A table without a column Solver says who won each ranking, as on pages of SMT-COMP, or is left out; so
    are rankings over all divisions.

    Raises:
        AslibError: the page is cut, or a value is no number.
    """
    return _of_tables(read_page(content, file=file), file)


def _of_tables(page: HtmlPage, file: str) -> list[PublishedValue]:
    found: list[PublishedValue] = []
    for table in page.tables:
        if not table.rows:
            continue
        board = _board(page, table, file)
        header = [text.lower().strip("#: ") for text in table.rows[0].texts]
        if not any(name in header for name in _SOLVER):
            if len(_KNOWN & {*header}) > 1:
                what = f"a table of {' and '.join(sorted(_KNOWN & {*header})[:2])} has"
                raise AslibError(f"{what} no column Solver", f"{file}:{table.line}", "Is it whole?")
            if totals := [row for row in table.rows if _total_of(row) is not None]:
                found += _numbered(_across(table.rows[0], totals, board, file))
            if board.part and all(map(_WINNERS.match, table.rows[0].texts)):
                found += _winners(table, board, file)
        elif "division" not in header and {*header} - _OF_PEOPLE - {*_SOLVER, _RANK}:
            _require_titles(header, f"{file}:{table.rows[0].line}")
            found += _numbered(_of_table(table, header, board, file))
    return found


def _board(page: HtmlPage, table: PageTable, file: str) -> _Board:
    """What the page says of itself, else the heading of the table."""
    titles = [m for h in page.headings if (m := _OF_A_TRACK.search(h))]
    about = next((m for text in page.texts if (m := _OF_A_PART.search(text))), None)
    if titles and about:
        kind = titles[0][2] if titles[0][2] in _CHALLENGES else ""
        track = " ".join(filter(None, (titles[0][1], kind))).lower()
        return _Board(track.replace(" ", "-"), about[2], about[1])
    if any("MaxSAT Evaluation" in heading for heading in page.headings):
        return _Board(maxsat_track(file, *page.headings))
    if match := _ABBREVIATED.search(table.heading):
        weights = "weighted" if match[2] == "W" else "unweighted"
        return _Board(f"{match[1].lower()}-{weights}")
    heading = re.sub(r"\(.*?\)|^Results of the ", "", table.heading.rpartition(" / ")[2])
    if not table.heading and (track := maxsat_track(file)):
        return _Board(track)
    words = heading.replace(",", " ").split()
    if "Track" in words:
        named = [word for word in words if word not in {"Track", "Solvers"}]
        return _Board("-".join(_TRACKS.get(w.lower(), w.lower()) for w in named))
    return _Board(" ".join(words))


def _of_table(
    table: PageTable, header: Sequence[str], board: _Board, file: str
) -> Iterator[PublishedValue]:
    restriction = _RESTRICTIONS.get(table.name, table.name)
    is_of_score = {"score", "solved"} <= {*header}
    for row in table.rows[1:]:
        _require_cells(row, len(header), file)
        if _RANK in header and not row.texts[header.index(_RANK)].isdecimal():
            continue  # who is disqualified or has withdrawn, with other numbers
        name, role = _solver_of(row, header, file)
        for title, cell in zip(header, row.cells, strict=True):
            skipped = {*_SOLVER, *_OF_PEOPLE, _CONFIGURATION, _NOTE}
            if title in skipped or title.startswith("("):
                continue
            column, alone = _COLUMNS.get(title, title.replace(" ", "_")), restriction
            if is_of_score and (match := _OF_SOME.fullmatch(title)):
                column, alone = match[2], match[1] or match[3] or restriction
            name_of_board = board.board
            if _MEAN_AT.fullmatch(title):
                column, name_of_board = "mean_score", f"{board.board.removesuffix(f'-{title}')}-{title}"
            value = _number(cell.text, column, (file, cell.line))
            found = (name_of_board, name, column, value, file, cell.line, alone)
            yield PublishedValue(*found, board.level, board.part, role)


def _total_of(row: PageRow) -> str | None:
    return _TOTALS.get(row.texts[0].lower()) if row.texts else None


def _across(
    header: PageRow, totals: Sequence[PageRow], board: _Board, file: str
) -> Iterator[PublishedValue]:
    """Totals below a table of all runs, which has a column for each solver."""
    for row in totals:
        _require_cells(row, len(header.cells), file)
        column, place = _total_of(row) or "", (file, row.line)
        for solver, text in zip(header.texts[1:], row.texts[1:], strict=True):
            if text:
                name, role = printed_solver(solver)
                value = _number(text, column, place)
                yield PublishedValue(*(board.board, name, column, value, *place), role=role)


def _solver_of(row: PageRow, header: Sequence[str], file: str) -> tuple[str, str]:
    """The solver that a row is of, with its configuration, and its role."""
    named = [row.cells[header.index(x)] for x in (*_SOLVER, *_AUTHORS) if x in header]
    cell = named[0] if named[0].text or "team" not in header else named[-1]
    if not cell.text:
        raise AslibError("a row names no solver", f"{file}:{row.line}", "Is the page whole?")
    said = row.texts[header.index(_NOTE)] if _NOTE in header else ""
    text = f"{cell.text} ({said.strip('* ')})" if said else cell.text
    name, role = printed_solver(text, label=row.label, note=cell.note)
    if _CONFIGURATION in header:
        said = row.texts[header.index(_CONFIGURATION)]
        name = f"{name} {said}" if said not in {"", "default"} else name
    return name, role


def _require_titles(header: Sequence[str], place: str) -> None:
    for title in header:
        if not title or title.replace(".", "").isdecimal():
            what = f"a column is called {title!r}" if title else "a column has no name"
            raise AslibError(what, place, "Is the page whole?")


def _require_cells(row: PageRow, width: int, file: str) -> None:
    if (n := len(row.cells)) != width:
        raise AslibError(f"{n} cells instead of {width}", f"{file}:{row.line}", "Is the page whole?")


def _number(text: str, column: str, place: tuple[str, int]) -> str:
    """A value, which is a number or nothing; a count is a whole one.

    Without what pages add: a * for a footnote, how far a derived solver is from its base, and the unit of a
    time.
    """
    text = _REMARK.sub("", text)
    text = text.removesuffix("s") if column == "time" else text
    if _THOUSANDS.fullmatch(text):
        text = text.replace(",", "")
    form = r"-?\d+" if column in _COUNTS else r"[-+]?\d+(\.\d*)?(e[-+]?\d+)?"
    if text.lower() in NOTHING or re.fullmatch(form, text):
        return text
    what = f"{column} {text!r} is no {'whole ' if column in _COUNTS else ''}number"
    raise AslibError(what, ":".join(map(str, place)), "Correct the page, or fetch it.")


def _numbered(values: Iterator[PublishedValue]) -> Iterator[PublishedValue]:
    """Of rows with the same name in a table, all but the first with a number."""
    seen: Counter[tuple[str, str, str]] = Counter()
    for value in values:
        key = (value.solver, value.column, value.restriction)
        seen[key] += 1
        yield replace(value, solver=f"{value.solver} ({seen[key]})") if seen[key] > 1 else value


def _winners(table: PageTable, board: _Board, file: str) -> Iterator[PublishedValue]:
    header, *rows = table.rows
    for row in rows:
        _require_cells(row, len(header.cells), file)
        for title, cell in zip(header.texts, row.cells, strict=False):
            match = _WINNERS.match(title)
            if match is None or cell.text in NOTHING:
                continue
            alone = f"{match[1]}s" if match[1].isdecimal() else match[1].lower()
            found = (board.board, cell.text, "place", "1", file, cell.line)
            yield PublishedValue(*found, alone, board.level, board.part)
