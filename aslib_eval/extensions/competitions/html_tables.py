"""The tables of a page, HTML or Markdown, as written by hand or by scripts.

Cells, rows and headings are often not closed; a row is over where the next one begins.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html.parser import HTMLParser
from typing import NamedTuple

from aslib_eval.errors import AslibError

_HEADINGS = ("h1", "h2", "h3", "h4", "h5")
_CELLS = ("td", "th")
_ROWS = ("table", "thead", "tbody", "tr")  # the ends of a row
_NO_TEXT = ("script", "style")
_HINT = "Is the file whole? Fetch the page again."


class PageCell(NamedTuple):
    """A cell: its text, and that of footnote signs in it, on what line it begins."""

    text: str
    note: str
    line: int


class PageRow(NamedTuple):
    """A row of cells. label: the classes that style it, such as non-competing."""

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
    """The tables of a page, its headings in their order, and all texts between."""

    headings: list[str]
    texts: list[str]
    tables: list[PageTable]


def read_page(content: bytes, *, file: str) -> HtmlPage:
    """The tables of a page, in UTF-8, or what HTML was written in before.

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
    except AssertionError as error:  # of a declaration that is none
        raise AslibError(f"is no HTML ({error})", f"{file}:{reader.getpos()[0]}", _HINT) from None
    if reader.is_open or reader.cell_line is not None:
        raise AslibError("the page ends in the middle", f"{file}:{reader.getpos()[0]}", _HINT)
    return reader.page


class _Reader(HTMLParser):
    """Collects headings, texts and tables; a table within a table is left out.

    is_open: whether the element html is. cell_line: of the cell that has begun, and not ended.
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
        """The end, where a table need not be closed."""
        super().close()
        if self.cell_line is None:
            self._end_row()

    def handle_data(self, data: str) -> None:
        if not self._skipped:
            (self._notes if self._in_note else self._words).append(data)

    def _text(self) -> str:
        return " ".join("".join(self._words).split())

    def _end_text(self) -> None:
        """What stands outside of tables, up to here."""
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
    """Its tables, each with the headings that it stands under, the outermost first.

    Stars behind a cell are a footnote sign, and of a link its text counts. Rows after the first need not
    begin with a bar.
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
