"""The values that organisers published, and the tables of pages in HTML or Markdown.

Each value of a file, a folder or an archive of tables becomes a ``PublishedValue``: pages of SAT
Competitions, SMT-COMP, CHC-COMP and MaxSAT Evaluations, ``*_results.txt`` of CHC-COMP, the pair scores in
``results.json`` of the MiniZinc Challenge, and any CSV with the columns board, solver, column and value.
"""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html.parser import HTMLParser
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

from aslib_eval.errors import AslibError, ScenarioError, os_errors
from aslib_eval.extensions.competitions.minizinc import ChallengeResults, is_challenge, unzipped
from aslib_eval.extensions.competitions.raw_runs import OUTSIDE
from aslib_eval.formats.sources import CsvTable, FilesRead, Names, decoded, header_of, is_archive, unpack

COMPETING, DISQUALIFIED, VIRTUAL = "competing", "disqualified", "virtual"


@dataclass(frozen=True)
class PublishedValue:
    """A cell of a published table.

    board: the track, in lower case unless it is the name of a file. solver: as printed, without remarks in
    brackets; a repeated name in a table ends in " (2)". column: solved, solved_sat, solved_unsat, unsolved,
    score, errors, correct, cpu, wall, mean_time, mean_score, points, place, … value: as printed. line: None
    if the file has one line. restriction: all, or sat, unsat, 24s, sequential, parallel, … level, part:
    division, logic or instance, and its name; empty: the board. role: competing, hors concours,
    disqualified or virtual. against: the other solver of a pair. unit: GiB for memory; empty: the unit of
    the runs.
    """

    board: str
    solver: str
    column: str
    value: str
    file: str
    line: int | None
    restriction: str = "all"
    level: str = ""
    part: str = ""
    role: str = COMPETING
    against: str = ""
    unit: str = ""

    @property
    def home(self) -> tuple[str, str, str]:
        """Its board and the part of it."""
        return self.board, self.level, self.part

    @property
    def number(self) -> float | None:
        """The value; None for a dash or an empty cell."""
        return None if self.value.lower() in NOTHING else float(self.value)


NOTHING = frozenset({"", "-", "–", "—", "n/a"})  # noqa: RUF001 (a dash as it is printed)
_SAYS = {"hors concours": OUTSIDE, "non-competing": OUTSIDE, "disqualified": DISQUALIFIED, "vbs": VIRTUAL}


def printed_solver(text: str, *, label: str = "", note: str = "") -> tuple[str, str]:
    """The name and the role of a solver in a table.

    label: the style of its row. note: its footnote sign, which always means that it does not compete.

    >>> printed_solver("mallobhc (hors concours)")
    ('mallobhc', 'hors concours')
    """
    name, said = text, ""
    match = re.fullmatch(r"(.*\S)\s*\(([^()]*)\)", text)
    if match is not None and match[2].lower() in _SAYS:
        name, said = match[1], match[2].lower()
    words = {said, *label.lower().split(), name.lower()}
    role = next((_SAYS[word] for word in _SAYS if word in words), "")
    return name, role or (OUTSIDE if note else COMPETING)


_TRACK_WORDS: Sequence[tuple[str, ...]] = (
    ("complete", "exact", "incomplete", "anytime", "incremental"),
    ("weighted", "unweighted"),
)
_SECONDS = re.compile(r"\d{2,4}s")


def maxsat_track(path: str, *titles: str) -> str:
    """The track by its words in the path, else in titles; empty if there are none.

    Incremental solvers have several tracks, each named after the folder of its files.

    >>> maxsat_track("2022/results/incomplete/weighted-60s/summary.html")
    'incomplete-weighted-60s'
    >>> maxsat_track("page.html", "Summary of Unweighted Complete Track")
    'complete-unweighted'
    >>> maxsat_track("2022/incremental/adaboost/summary.html")
    'incremental-adaboost'
    >>> maxsat_track("results/2026-anytime-weighted-1707s.csv")
    'anytime-weighted-1707s'
    """
    words = [re.findall(r"[a-z]+|\d+\s*s\b", name.lower()) for name in (path, *titles)]
    said = [word.replace(" ", "") for each in words for word in each]
    found = [next((w for w in said if w in choices), "") for choices in _TRACK_WORDS]
    if found[0] in ("incomplete", "anytime"):
        found.append(next((w for w in said[::-1] if _SECONDS.fullmatch(w)), ""))
    if found[0] == "incremental":
        found.append(Path(path).parent.name)
    return "-".join(word for word in found if word)


# --- tables of pages -------------------------------------------------------------------
#
# Many pages do not close cells, rows and headings: a row ends where the next one begins.

_HEADINGS = ("h1", "h2", "h3", "h4", "h5")
_CELLS = ("td", "th")
_ROWS = ("table", "thead", "tbody", "tr")  # the ends of a row
_NO_TEXT = ("script", "style")
_HINT = "Fetch the page again."


class PageCell(NamedTuple):
    """A cell: its text, the footnote signs in it, and the line on which it begins."""

    text: str
    note: str
    line: int


class PageRow(NamedTuple):
    """A row of cells. label: its style classes, such as non-competing."""

    cells: list[PageCell]
    label: str
    line: int

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts of its cells."""
        return tuple(cell.text for cell in self.cells)


class PageTable(NamedTuple):
    """A table: its id, the last heading before it, and its rows."""

    name: str
    heading: str
    line: int
    rows: list[PageRow]


class HtmlPage(NamedTuple):
    """The tables of a page, its headings, and all texts between."""

    headings: list[str]
    texts: list[str]
    tables: list[PageTable]


def read_page(content: bytes, *, file: str) -> HtmlPage:
    """The tables of a page in UTF-8 or cp1252.

    A part of a page, without the element html, may end after a cell of its table.
    """
    reader = _Reader()
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("cp1252", errors="replace")
    try:
        reader.feed(text)
        reader.close()
    except AssertionError as error:  # a broken declaration
        raise AslibError(f"is not HTML ({error})", f"{file}:{reader.getpos()[0]}", _HINT) from None
    if reader.is_open or reader.cell_line is not None:
        raise AslibError("the page ends in the middle", f"{file}:{reader.getpos()[0]}", _HINT)
    return reader.page


class _Reader(HTMLParser):
    """Collects headings, texts and tables, without tables in tables.

    is_open: whether the element html is open. cell_line: the line of the open cell.
    """

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.page = HtmlPage([], [], [])
        self.is_open = False
        self.cell_line: int | None = None
        self._depth = 0
        self._cells: list[PageCell] = []
        self._label, self._row_line = "", 0
        self._words: list[str] = []
        self._notes: list[str] = []
        self._in_note = False
        self._skipped = ""

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        line, _ = self.getpos()
        if tag == "html":
            self.is_open = True
        elif tag in _NO_TEXT:
            self._skipped = tag
        elif tag == "table":
            if self._depth == 0:
                self._end_text()
                heading = self.page.headings[-1] if self.page.headings else ""
                self.page.tables.append(PageTable(given.get("id", ""), heading, line, []))
            self._depth += 1
        elif tag == "tr" and self._depth == 1:
            self._end_row()
            self._row_line, self._label = line, given.get("class", "")
        elif tag in _CELLS and self._depth == 1:
            self._end_cell()
            self.cell_line = line
            self._row_line = self._row_line or line
        elif tag == "sup":
            self._in_note = True
        elif tag in _HEADINGS or tag == "p":
            self._end_text()

    def handle_endtag(self, tag: str) -> None:
        if tag == "html":
            self.is_open = False
        elif tag == self._skipped:
            self._skipped = ""
        elif tag == "sup":
            self._in_note = False
        elif tag in _HEADINGS and self._depth == 0:
            self.page.headings.append(self._text())
            self._end_text()
        elif tag == "p":
            self._end_text()
        if (self._depth and tag == "html") or (self._depth == 1 and tag in _ROWS):
            self._end_row()
        elif self._depth == 1 and tag in _CELLS:
            self._end_cell()
        if tag == "html":
            self._depth = 0
        elif tag == "table":
            self._depth = max(0, self._depth - 1)

    def close(self) -> None:
        """End the last row, which a page may leave open."""
        super().close()
        if self.cell_line is None:
            self._end_row()

    def handle_data(self, data: str) -> None:
        if not self._skipped:
            (self._notes if self._in_note else self._words).append(data)

    def _text(self) -> str:
        return " ".join("".join(self._words).split())

    def _end_text(self) -> None:
        if self._depth == 0:
            if text := self._text():
                self.page.texts.append(text)
            self._forget()

    def _forget(self) -> None:
        self._words, self._notes, self._in_note = [], [], False

    def _end_row(self) -> None:
        self._end_cell()
        if self._cells:
            self.page.tables[-1].rows.append(PageRow(self._cells, self._label, self._row_line))
        self._cells, self._label, self._row_line = [], "", 0

    def _end_cell(self) -> None:
        if self.cell_line is not None:
            self._cells.append(PageCell(self._text(), "".join(self._notes).strip(), self.cell_line))
        self.cell_line = None
        self._forget()


# Markdown.

_HEADING = re.compile(r"(#+)\s+(.*)")
_LINK = re.compile(r"\[([^\]|]*)\]\([^()|]*\)")
_RULE = re.compile(r"\|[\s|:-]+\|?")


def read_markdown(text: str) -> HtmlPage:
    """Its tables, each with its headings, the outermost first.

    A star after a cell is a footnote sign; a link becomes its text. Rows after the first may lack the first
    bar.
    """
    page = HtmlPage([], [], [])
    above: list[str] = []
    rows: list[PageRow] | None = None  # of the table that goes on
    for number, whole in enumerate(text.splitlines(), 1):
        line = whole.strip()
        page.texts.append(line)
        if match := _HEADING.fullmatch(line):
            above = [*above[: len(match[1]) - 1], match[2].strip()]
            rows = None
        if not line.startswith("|") and (rows is None or line.count("|") < 2):  # noqa: PLR2004
            rows = None
            continue
        rows = [] if rows is None else rows
        if not _RULE.fullmatch(line):
            if not rows:
                page.tables.append(PageTable("", " / ".join(above), number, rows))
            bare = _LINK.sub(r"\1", line.removeprefix("|").removesuffix("|"))
            texts = [each.strip() for each in bare.split("|")]
            cells = [PageCell(each.rstrip("*"), "*" * each.endswith("*"), number) for each in texts]
            rows.append(PageRow(cells, "", number))
    return page


# --- values of tables of solvers --------------------------------------------------------

_SOLVER = ("solver", "solver name", "tool", "team")
_AUTHORS = ("member", "authors")  # instead of a team without a name
# Columns of PACE about people.
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
# Words in the headers of tables of solvers alone.
_KNOWN = frozenset({*_COLUMNS, "score", "solved"} - {"sat", "unsat"})
# SAT Competitions: score or count of all, or of some instances.
_OF_SOME = re.compile(r"(?:(\w+) )?(score|solved)(?: (\w+))?")
# Id of a table of SMT-COMP → its restriction, if that has another name.
_RESTRICTIONS = {"": "all", "twentyfour": "24s"}
_OF_A_PART = re.compile(r"Competition results for the (\S+) (logic|division)\b")
# Heading of such a page: the track, and the kind of challenge or trial.
_OF_A_TRACK = re.compile(r"\(([^()]+) Track(?: \(([^()]+)\))*\)$")
_CHALLENGES = ("incremental", "non-incremental")
_WINNERS = re.compile(r"(\w+)(?: seconds)? performance\b", re.IGNORECASE)


_Board = tuple[str, str, str]  # board, level and part of the values of a table


def of_markdown(content: bytes, file: str) -> list[PublishedValue]:
    """All values of the tables of solvers of a Markdown file."""
    text = decoded(content, file=file, code="published")
    if not isinstance(text, str):
        raise ScenarioError(file, [text])
    return _of_tables(read_markdown(text), file)


def of_page(content: bytes, file: str) -> list[PublishedValue]:
    """All values of a page's tables of solvers.

    A table without a column Solver may name winners, as on pages of SMT-COMP. Other tables, and rankings
    over all divisions, are left out.
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
                raise AslibError(f"{what} no column Solver", f"{file}:{table.line}", _HINT)
            if totals := [row for row in table.rows if _total_of(row) is not None]:
                found += _numbered(_across(table.rows[0], totals, board, file))
            if board[2] and all(map(_WINNERS.match, table.rows[0].texts)):
                found += _winners(table, board, file)
        elif "division" not in header and {*header} - _OF_PEOPLE - {*_SOLVER, _RANK}:
            found += _numbered(_of_table(table, header, board, file))
    return found


def _board(page: HtmlPage, table: PageTable, file: str) -> _Board:
    """The board by the page's headings, else by the heading of the table."""
    titles = [m for h in page.headings if (m := _OF_A_TRACK.search(h))]
    about = next((m for text in page.texts if (m := _OF_A_PART.search(text))), None)
    if titles and about:
        kind = titles[0][2] if titles[0][2] in _CHALLENGES else ""
        return " ".join(filter(None, (titles[0][1], kind))).lower().replace(" ", "-"), about[2], about[1]
    if any("MaxSAT Evaluation" in heading for heading in page.headings):
        return maxsat_track(file, *page.headings), "", ""
    if match := _ABBREVIATED.search(table.heading):
        weights = "weighted" if match[2] == "W" else "unweighted"
        return f"{match[1].lower()}-{weights}", "", ""
    heading = re.sub(r"\(.*?\)|^Results of the ", "", table.heading.rpartition(" / ")[2])
    if not table.heading and (track := maxsat_track(file)):
        return track, "", ""
    words = heading.replace(",", " ").split()
    if "Track" in words:
        named = [word for word in words if word not in {"Track", "Solvers"}]
        return "-".join(_TRACKS.get(w.lower(), w.lower()) for w in named), "", ""
    return " ".join(words), "", ""


def _of_table(
    table: PageTable, header: Sequence[str], board: _Board, file: str
) -> Iterator[PublishedValue]:
    for title in header:
        if not title or title.replace(".", "").isdecimal():
            what = f"a column is called {title!r}" if title else "a column has no name"
            raise AslibError(what, f"{file}:{table.rows[0].line}", _HINT)
    restriction = _RESTRICTIONS.get(table.name, table.name)
    is_of_score = {"score", "solved"} <= {*header}
    for row in table.rows[1:]:
        _require_cells(row, len(header), file)
        if _RANK in header and not row.texts[header.index(_RANK)].isdecimal():
            continue  # disqualified or withdrawn
        name, role = _solver_of(row, header, file)
        for title, cell in zip(header, row.cells, strict=True):
            if title in {*_SOLVER, *_OF_PEOPLE, _CONFIGURATION, _NOTE} or title.startswith("("):
                continue
            column, alone = _COLUMNS.get(title, title.replace(" ", "_")), restriction
            if is_of_score and (match := _OF_SOME.fullmatch(title)):
                column, alone = match[2], match[1] or match[3] or restriction
            called, level, part = board
            if _MEAN_AT.fullmatch(title):
                column, called = "mean_score", f"{called.removesuffix(f'-{title}')}-{title}"
            value = _number(cell.text, column, (file, cell.line))
            yield PublishedValue(*(called, name, column, value, file, cell.line), alone, level, part, role)


def _total_of(row: PageRow) -> str | None:
    return _TOTALS.get(row.texts[0].lower()) if row.texts else None


def _across(
    header: PageRow, totals: Sequence[PageRow], board: _Board, file: str
) -> Iterator[PublishedValue]:
    for row in totals:
        _require_cells(row, len(header.cells), file)
        column, place = _total_of(row) or "", (file, row.line)
        for solver, text in zip(header.texts[1:], row.texts[1:], strict=True):
            if text:
                name, role = printed_solver(solver)
                value = _number(text, column, place)
                yield PublishedValue(board[0], name, column, value, *place, role=role)


def _solver_of(row: PageRow, header: Sequence[str], file: str) -> tuple[str, str]:
    """The solver of a row, with its configuration, and its role."""
    named = [row.cells[header.index(x)] for x in (*_SOLVER, *_AUTHORS) if x in header]
    cell = named[0] if named[0].text or "team" not in header else named[-1]
    if not cell.text:
        raise AslibError("a row names no solver", f"{file}:{row.line}", _HINT)
    said = row.texts[header.index(_NOTE)] if _NOTE in header else ""
    text = f"{cell.text} ({said.strip('* ')})" if said else cell.text
    name, role = printed_solver(text, label=row.label, note=cell.note)
    if _CONFIGURATION in header:
        said = row.texts[header.index(_CONFIGURATION)]
        name = f"{name} {said}" if said not in {"", "default"} else name
    return name, role


def _require_cells(row: PageRow, width: int, file: str) -> None:
    if (n := len(row.cells)) != width:
        raise AslibError(f"{n} cells instead of {width}", f"{file}:{row.line}", _HINT)


def _number(text: str, column: str, place: tuple[str, int]) -> str:
    """A value: a number, a whole number of a count, or nothing.

    Removes additions of pages: a footnote star, the distance to a base solver, and the unit of a time.
    """
    text = _REMARK.sub("", text)
    text = text.removesuffix("s") if column == "time" else text
    if _THOUSANDS.fullmatch(text):
        text = text.replace(",", "")
    form = r"-?\d+" if column in _COUNTS else r"[-+]?\d+(\.\d*)?(e[-+]?\d+)?"
    if text.lower() in NOTHING or re.fullmatch(form, text):
        return text
    what = f"{column} {text!r} is not a {'whole ' if column in _COUNTS else ''}number"
    raise AslibError(what, ":".join(map(str, place)), "Correct the page, or fetch it again.")


def _numbered(values: Iterator[PublishedValue]) -> Iterator[PublishedValue]:
    """Repeated names of a table get a number."""
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
            called, level, part = board
            yield PublishedValue(called, cell.text, "place", "1", file, cell.line, alone, level, part)


# CHC-COMP: columns between blanks. The margin has a place, a * for hors concours, or a - for wrong answers.

_CHC_COLUMNS: Mapping[str, str] = {
    "cnt": "count",
    "ok": "solved",
    "sat": "solved_sat",
    "uns": "solved_unsat",
    "fld": "unsolved",
    "to": "timeout",
    "mo": "memout",
    "time": "cpu",
    "real": "wall",
    "space": "memory",
    "uniq": "unique",
}
_MARGIN = re.compile(r"[*-]+|\d+")


def of_chc_text(content: bytes, file: str) -> list[PublishedValue]:
    """A board such as ``lra_results.txt``, named after its file.

    A solver with wrong answers also gets a value 1 of the column ``has_wrong``.
    """
    text = decoded(content, file=file, code="published")
    if not isinstance(text, str):
        raise ScenarioError(file, [text])
    lines = [(line, row.split()) for line, row in enumerate(text.split("\n"), 1)]
    at = next((n for n, (_, cells) in enumerate(lines) if "solver" in cells[:1]), None)
    if at is None:
        what = "no line begins with the column solver"
        raise AslibError(what, file, "Use a table of results of CHC-COMP.")
    columns = lines[at][1][1:]
    board = re.sub(r"[_-]results$", "", Path(file).stem, flags=re.IGNORECASE)
    for column in {*columns} - _CHC_COLUMNS.keys():
        what = f"the column {column!r} is unknown"
        raise AslibError(what, f"{file}:{lines[at][0]}", f"Known are {', '.join(_CHC_COLUMNS)}.")
    rows = [*takewhile(lambda row: row[1], lines[at + 1 :])]
    others = [*lines[:at], *lines[at + 1 + len(rows) :]]
    if len(others) == at or any(len(cells) > len(columns) for _, cells in others):
        what = "the rows must stand between the header and an empty line"
        raise AslibError(what, file, "The file may be cut: fetch it again.")
    found: list[PublishedValue] = []
    for line, cells in rows:
        values = [*_chc_row(cells, columns, board=board, file=file, line=line)]
        if any(each.solver == values[0].solver for each in found):
            raise AslibError(f"{values[0].solver} occurs twice", f"{file}:{line}")
        found += values
    return found


def _chc_row(
    cells: Sequence[str], columns: Sequence[str], *, board: str, file: str, line: int
) -> Iterator[PublishedValue]:
    margin = cells[0] if _MARGIN.fullmatch(cells[0]) else ""
    solver, *values = cells[1:] if margin else cells
    if len(values) != len(columns):
        what = f"{len(values)} values instead of {len(columns)}"
        raise AslibError(what, f"{file}:{line}", "Separate columns by blanks.")
    role = OUTSIDE if "*" in margin else COMPETING
    named = zip((_CHC_COLUMNS[c] for c in columns), values, strict=True)
    for column, value in [*named, *([("has_wrong", "1")] if "-" in margin else [])]:
        if not value.isdecimal():
            raise AslibError(f"{column} {value!r} is not a number", f"{file}:{line}")
        more = {"role": role, "unit": "GiB" if column == "memory" else ""}
        yield PublishedValue(board, solver, column, value, file, line, **more)


# MiniZinc Challenges: results.json holds the points of every pair of solvers.

# Key → the scoring procedure in the rules.
_PROCEDURES = {"scores": "complete", "scores_loc": "incomplete"}


def of_pair_scores(content: bytes, file: str) -> Iterator[PublishedValue]:
    """The points of every pair on every instance; the restriction is the scoring procedure."""
    results = ChallengeResults(content, file=file)
    keys = [key for key in _PROCEDURES if key in results.raw]
    if not keys:
        raise AslibError("has no scores", f"{file}: results.scores", "Use the file of another year.")
    for key in keys:
        for solver, row in zip(results.solvers, results.pairs(key), strict=True):
            for other, points in zip(results.solvers, row, strict=True):
                for instance, value in (
                    zip(results.instances, points, strict=True) if other != solver else ()
                ):
                    yield PublishedValue(
                        *("challenge", solver, "points", repr(value), file, None, _PROCEDURES[key]),
                        *("instance", instance.name),
                        against=other,
                    )


# CSV, for the tables of any competition.

_NEEDED = ("board", "solver", "column", "value")
_OPTIONAL = ("restriction", "level", "part", "role", "against")
_NAMES: Names = {name: (name,) for name in (*_NEEDED, *_OPTIONAL)}
_ROLES = (COMPETING, OUTSIDE, DISQUALIFIED, VIRTUAL)


def of_csv(content: bytes, file: str) -> list[PublishedValue]:
    """A value in each row: board, solver, column, value, and optional columns."""
    table = CsvTable(content, file=file, names=_NAMES, code="published")
    table.require(_NEEDED)
    found = []
    for row in table.rows():
        if row.text("value").lower() not in NOTHING:
            row.number("value", required=True)
        of = (row.name("board"), row.name("solver"), row.name("column"), row.text("value"), file, row.line)
        where = (row.text("restriction") or "all", row.text("level"), row.text("part"))
        role = row.choice("role", _ROLES) or COMPETING
        found.append(PublishedValue(*of, *where, role, against=row.text("against")))
    if table.findings:
        raise ScenarioError(file, table.findings)
    return found


_KNOWN_FILES = "Use pages .html and .md, *_results.txt of CHC-COMP, results.json[.gz] of the MiniZinc"
_KNOWN_FILES += " Challenge, .csv, and folders and archives of these. Write other tables as CSV with the"
_KNOWN_FILES += f" columns {','.join(_NEEDED)}."


def published(path: str | Path) -> list[PublishedValue]:
    """Every published value at a path, in the order of files and lines.

    path: a file, an archive or a folder; other files in an archive or a folder are ignored.
    """
    path = Path(path)
    with os_errors(path, "Check the permissions."):
        if path.is_dir():
            found = [*_of_folder(path, str(path))]
        elif is_archive(path) and path.is_file():
            found = [*_of_archive(path, str(path))]
        else:
            read = _reader(path)
            if read is None or not path.is_file():
                what = "is not a published table" if path.exists() else "does not exist"
                raise AslibError(what, str(path), _KNOWN_FILES)
            found = [*read(unzipped(path.read_bytes(), file=str(path)), str(path))]
    if not found:
        raise AslibError("holds no published table of solvers", str(path), _KNOWN_FILES)
    return found


def _of_archive(path: Path, shown: str) -> Iterator[PublishedValue]:
    with tempfile.TemporaryDirectory(prefix="aslib-") as scratch:
        unpack(path, Path(scratch))
        yield from _of_folder(Path(scratch), shown)


def _of_folder(folder: Path, shown: str) -> Iterator[PublishedValue]:
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        name = f"{shown}/{path.relative_to(folder).as_posix()}"
        if is_archive(path):
            yield from _of_archive(path, name)
        elif (read := _reader(path)) is not None and _is_published(path):
            yield from read(unzipped(path.read_bytes(), file=str(path)), name)


_READERS: Mapping[str, Callable[[bytes, str], Iterable[PublishedValue]]] = {
    ".html": of_page,
    ".htm": of_page,
    ".md": of_markdown,
    "results.txt": of_chc_text,
    ".json": of_pair_scores,
    ".json.gz": of_pair_scores,
    ".csv": of_csv,
}


def _reader(path: Path) -> Callable[[bytes, str], Iterable[PublishedValue]] | None:
    name = path.name.lower()
    return next((read for ending, read in _READERS.items() if name.endswith(ending)), None)


_SOLVERS = re.compile(
    rb"(<t[hd][^>]*>\s*(solver|tool)( name)?\s*<|^\|\s*solver\s*\|"
    rb"|<t[hd][^>]*>\s*average time\s*<)",
    re.IGNORECASE | re.MULTILINE,
)


def _is_published(path: Path) -> bool:
    """Whether a file in a folder is a published table, not raw results or other text."""
    name, files = path.name.lower(), FilesRead()
    if name.endswith((".html", ".htm", ".md")):
        return _SOLVERS.search(path.read_bytes()) is not None
    if name.endswith(".csv"):
        return {*_NEEDED} <= {cell.strip().lower() for cell in header_of(path, files)}
    return not name.endswith((".json", ".json.gz")) or is_challenge(path, files)
