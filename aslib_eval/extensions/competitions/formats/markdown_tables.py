"""The tables of a Markdown file, as those of an HTML page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from aslib_eval.extensions.competitions.formats.html_tables import (
    HtmlPage,
    PageCell,
    PageRow,
    PageTable,
)

_HEADING = re.compile(r"(#+)\s+(.*)")
_LINK = re.compile(r"\[([^\]|]*)\]\([^()|]*\)")
_RULE = re.compile(r"\|[\s|:-]+\|?")


def read_markdown(text: str) -> HtmlPage:
    """Its tables, each with the headings that it stands under, the outermost first.

    Stars behind a cell are a footnote sign, and of a link its text counts. Rows after
    the first need not begin with a bar.
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
            cells = (
                PageCell(each.rstrip("*"), "*" * each.endswith("*"), number)
                for each in texts
            )
            yield PageRow(tuple(cells), "", number)
