"""Tables of HTML pages and Markdown files as they are read, cell by cell."""

from __future__ import annotations

import pytest

from aslib_eval.errors import AslibError
from aslib_eval.extensions.competitions.published_pages import (
    PageCell,
    PageRow,
    PageTable,
    read_markdown,
    read_page,
)

PAGE = """<html><style>p { }</style><h1>Results <b>of</b>
2023</h1><p>Some text<p>more <sup>1</sup>text
<script>var x = "<td>";</script>
<table id="one" class="x"><tr class="odd one"><th>Solver<th> Score </th></tr>
<tr><td>a<sup> <a>*</a></sup> b</td>
<td>1<table><tr><td>2</td></tr></table>3</td>
<td>4
</table>tail
<h2>Second</h2>
<table><thead><td>x</thead><tbody><td>y</tbody></table></html>
"""


def test_a_page_is_read_as_it_is_seen() -> None:
    page = read_page(PAGE.encode(), file="p.html")
    assert page.headings == ["Results of 2023", "Second"]
    assert page.texts == ["Results of 2023", "Some text", "more text", "tail", "Second"]
    first = PageRow([PageCell("Solver", "", 4), PageCell("Score", "", 4)], "odd one", 4)
    row = PageRow([PageCell("a b", "*", 5), PageCell("123", "", 6), PageCell("4", "", 7)], "", 5)
    bare = [PageRow([PageCell(name, "", 10)], "", 10) for name in "xy"]
    assert page.tables == [
        PageTable("one", "Results of 2023", 4, [first, row]),
        PageTable("", "Second", 10, bare),
    ]


def test_a_part_of_a_page_may_end_after_a_cell() -> None:
    (table,) = read_page(b"<table><tr><td>a</td>", file="p").tables
    assert [row.texts for row in table.rows] == [("a",)]
    assert read_page("<table><td>\xe9</td>".encode("cp1252"), file="p") == read_page(
        "\ufeff<table><td>\xe9</td>".encode(), file="p"
    )


@pytest.mark.parametrize("text", ["<html>\n<table><tr><td>a</td></tr></table>", "<table>\n<tr><td>a"])
def test_a_page_that_is_cut_is_refused(text: str) -> None:
    with pytest.raises(AslibError) as raised:
        read_page(text.encode(), file="p")
    what = "the page ends in the middle. Fetch the page again."
    assert str(raised.value) == f"p:2: {what}"


MARKDOWN = """# Year 2019
text
| a | b |
|---|:-:|
| x* | 1 |

## Track A
| c |
| - |
| y |
### Inner
| d |
# Next
## Track B
|e|f|
"""


def test_a_markdown_file() -> None:
    page = read_markdown(MARKDOWN)
    assert page.headings == []
    assert page.texts == [line.strip() for line in MARKDOWN.splitlines()]
    found = [(table.heading, table.line, [row.texts for row in table.rows]) for table in page.tables]
    assert found == [
        ("Year 2019", 3, [("a", "b"), ("x", "1")]),
        ("Year 2019 / Track A", 8, [("c",), ("y",)]),
        ("Year 2019 / Track A / Inner", 12, [("d",)]),
        ("Next / Track B", 15, [("e", "f")]),
    ]
    row = page.tables[0].rows[1]
    assert row.cells == [PageCell("x", "*", 5), PageCell("1", "", 5)]
    assert (row.line, row.label) == (5, "")
