"""The tables of a page, HTML or Markdown, as written by hand or by scripts.

Cells, rows and headings are often not closed; a row is over where the next one begins.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html.parser import HTMLParser
from itertools import groupby

from aslib_eval.errors import AslibError

_HEADINGS = ("h1", "h2", "h3", "h4", "h5")
_CELLS = ("td", "th")
_NO_TEXT = ("script", "style")
_HINT = "Is the file whole? Fetch the page again."


@dataclass(frozen=True)
class PageCell:
    """A cell: its text, and that of footnote signs in it, on what line it begins."""

    text: str
    note: str
    line: int


@dataclass(frozen=True)
class PageRow:
    """A row of cells. label: the classes that style it, such as non-competing."""

    cells: tuple[PageCell, ...]
    label: str
    line: int

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts of its cells."""
        return tuple(cell.text for cell in self.cells)


@dataclass(frozen=True)
class PageTable:
    """A table: its id, the last heading before it, and its rows."""

    name: str
    heading: str
    line: int
    rows: tuple[PageRow, ...]


@dataclass(frozen=True)
class HtmlPage:
    """The tables of a page, its headings in their order, and all texts between."""

    headings: tuple[str, ...]
    texts: tuple[str, ...]
    tables: tuple[PageTable, ...]


def read_page(content: bytes, *, file: str) -> HtmlPage:
    """The tables of a page.

    A part of a page, without the element html, may end after a cell of its table.
    """
    reader = _Reader()
    try:
        reader.feed(_decoded(content))
        reader.close()
    except AssertionError as error:  # of a declaration that is none
        raise AslibError(f"is no HTML ({error})", f"{file}:{reader.getpos()[0]}", _HINT) from None
    if reader.is_open or reader.is_within_cell:
        raise AslibError("the page ends in the middle", f"{file}:{reader.getpos()[0]}", _HINT)
    reader.end()
    return HtmlPage(tuple(reader.headings), tuple(reader.texts), tuple(reader.tables))


def _decoded(content: bytes) -> str:
    """UTF-8, or what HTML was written in before."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", errors="replace")


class _Reader(HTMLParser):
    """Collects headings, texts and tables; a table within a table is left out."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.headings: list[str] = []
        self.texts: list[str] = []
        self.tables: list[PageTable] = []
        self.is_open = False
        self._open_table: int | None = None  # its line
        self._depth = 0
        self._name = ""
        self._rows: list[PageRow] = []
        self._label = ""
        self._row_line: int | None = None
        self._cells: list[PageCell] = []
        self._cell_line: int | None = None
        self._words: list[str] = []
        self._notes: list[str] = []
        self._in_note = False
        self._skipped = ""

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "html":
            self.is_open = True
        elif tag in _NO_TEXT:
            self._skipped = tag
        elif tag == "table":
            if self._depth == 0:
                self._end_text()
                self._open_table, self._name, self._rows = self.getpos()[0], given.get("id", ""), []
            self._depth += 1
        elif tag == "tr" and self._depth == 1:
            self._end_row()
            self._row_line, self._label = self.getpos()[0], given.get("class", "")
        elif tag in _CELLS and self._depth == 1:
            self._end_cell()
            self._cell_line = self.getpos()[0]
            if self._row_line is None:
                self._row_line = self._cell_line
        elif tag == "sup":
            self._in_note = True
        elif tag in _HEADINGS or tag == "p":
            self._end_text()

    def handle_endtag(self, tag: str) -> None:
        if tag == "html":
            self.is_open = False
            self.end()
        elif tag == self._skipped:
            self._skipped = ""
        elif tag == "table":
            self._end_table()
        elif tag in {"tr", "thead", "tbody"} and self._depth == 1:
            self._end_row()
        elif tag in _CELLS and self._depth == 1:
            self._end_cell()
        elif tag == "sup":
            self._in_note = False
        elif tag in _HEADINGS and self._depth == 0:
            self.headings.append(self._text())
            self._end_text()
        elif tag == "p":
            self._end_text()

    def handle_data(self, data: str) -> None:
        if not self._skipped:
            (self._notes if self._in_note else self._words).append(data)

    @property
    def is_within_cell(self) -> bool:
        """Whether a cell has begun, and not ended."""
        return self._cell_line is not None

    def end(self) -> None:
        """End a table that is not closed."""
        while self._depth:
            self._end_table()

    def _text(self) -> str:
        return " ".join("".join(self._words).split())

    def _end_text(self) -> None:
        """What stands outside of tables, up to here."""
        if self._depth == 0:
            if text := self._text():
                self.texts.append(text)
            self._forget()

    def _forget(self) -> None:
        self._words, self._notes, self._in_note = [], [], False

    def _end_table(self) -> None:
        if self._depth == 1 and self._open_table is not None:
            self._end_row()
            heading = self.headings[-1] if self.headings else ""
            self.tables.append(PageTable(self._name, heading, self._open_table, tuple(self._rows)))
            self._open_table = None
        self._depth = max(0, self._depth - 1)

    def _end_row(self) -> None:
        self._end_cell()
        if self._cells and self._row_line is not None:
            self._rows.append(PageRow(tuple(self._cells), self._label, self._row_line))
        self._cells, self._row_line, self._label = [], None, ""

    def _end_cell(self) -> None:
        if self._cell_line is not None:
            self._cells.append(PageCell(self._text(), "".join(self._notes).strip(), self._cell_line))
        self._cell_line = None
        self._forget()


# Markdown.

_HEADING = re.compile(r"(#+)\s+(.*)")
_LINK = re.compile(r"\[([^\]|]*)\]\([^()|]*\)")
_RULE = re.compile(r"\|[\s|:-]+\|?")


def read_markdown(text: str) -> HtmlPage:
    """Its tables, each with the headings that it stands under, the outermost first.

    Stars behind a cell are a footnote sign, and of a link its text counts. Rows after the first need not
    begin with a bar.
    """
    above: list[str] = []
    lines: list[tuple[str, int, str, bool]] = []
    is_row = False
    for number, line in enumerate(text.splitlines(), 1):
        if match := _HEADING.fullmatch(line.strip()):
            above = [*above[: len(match[1]) - 1], match[2].strip()]
        bare = line.strip()
        is_row = bare.startswith("|") or (is_row and bare.count("|") > 1)
        lines.append((" / ".join(above), number, bare, is_row))
    groups = groupby(lines, lambda each: (each[0], each[3]))
    tables = [
        PageTable("", heading, rows[0].line, rows)
        for (heading, is_table), some in groups
        if is_table and (rows := tuple(_rows([*some])))
    ]
    return HtmlPage((), tuple(line for _, _, line, _ in lines), tuple(tables))


def _rows(lines: Sequence[tuple[str, int, str, bool]]) -> Iterator[PageRow]:
    for _, number, line, _ in lines:
        if not _RULE.fullmatch(line):
            bare = _LINK.sub(r"\1", line.removeprefix("|").removesuffix("|"))
            texts = [each.strip() for each in bare.split("|")]
            cells = (PageCell(each.rstrip("*"), "*" * each.endswith("*"), number) for each in texts)
            yield PageRow(tuple(cells), "", number)
