"""``csv_rows``: what a CSV file of anybody holds."""

from __future__ import annotations

import pytest

from aslib_eval.formats.sources import CsvTable, numbered_rows


@pytest.mark.parametrize(
    ("text", "separator", "rows"),
    [
        ("a,b\nc,d\n", ",", [(1, ("a", "b")), (2, ("c", "d"))]),
        (" a , b \n", ",", [(1, ("a", "b"))]),
        ("a\t\tb \n", "\t", [(1, ("a", "", "b"))]),
        ("\na\n , \nb\n", ",", [(2, ("a",)), (4, ("b",))]),
        ('a,"b\nc"\nd\n', ",", [(1, ("a", "b\nc")), (3, ("d",))]),
        ("", ",", []),
    ],
    ids=["rows", "blanks around", "tabs", "blank rows", "two lines", "empty"],
)
def test_cells_without_blanks_around_by_their_line(
    text: str, separator: str, rows: list[tuple[int, tuple[str, ...]]]
) -> None:
    faults: list[tuple[int, str]] = []

    def wrong(line: int, why: str) -> None:
        faults.append((line, why))

    found = list(numbered_rows(text, wrong, separator=separator))
    assert (found, faults) == (rows, [])


def test_what_is_no_csv_is_told_at_its_line() -> None:
    faults: list[tuple[int, str]] = []
    text = 'a,b\n"c"d,e\n'
    found = list(numbered_rows(text, lambda *fault: faults.append(fault)))
    assert found == [(1, ("a", "b"))]
    (fault,) = faults
    assert fault == (2, "is not a CSV file (',' expected after '\"')")


def test_what_an_empty_file_lacks_is_told_at_its_first_line() -> None:
    table = CsvTable(b"", file="f.csv", names={"instance": ("instance",)})
    assert (table.line, table.header) == (1, [""])
    table.require(("instance",))
    assert [(found.file, found.line) for found in table.findings] == [("f.csv", 1)]
