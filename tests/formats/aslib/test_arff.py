"""The ARFF reader: cell for cell what liac-arff makes of a file, only faster."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import arff
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aslib_eval.formats.aslib.lint import line_of_row
from aslib_eval.formats.aslib.scenario import ArffTable, parse_arff

HEAD = """\
@RELATION r
@ATTRIBUTE instance_id STRING
@ATTRIBUTE n NUMERIC
@ATTRIBUTE status {ok , timeout}
@DATA
"""
Cell = str | float | None


def parse(content: str | bytes, **options: Any) -> ArffTable:
    raw = content.encode() if isinstance(content, str) else content
    return parse_arff(raw, file="f.arff", **options)


def cells(table: ArffTable) -> list[tuple[Cell, ...]]:
    columns = [column.to_pylist() for column in table.table.columns]
    return list(zip(*columns, strict=True))


def equal(ours: list[tuple[Cell, ...]], theirs: list[Any]) -> bool:
    """Equal cell for cell, NaN included."""
    return [list(map(repr, row)) for row in ours] == [
        [repr(float(c)) if isinstance(c, int) else repr(c) for c in row] for row in theirs
    ]


@pytest.mark.parametrize(
    ("row", "cell"),
    [
        ("a,1,ok", ("a", 1.0, "ok")),
        ("25_04,.5,timeout", ("25_04", 0.5, "timeout")),
        ("2097,1e3,ok", ("2097", 1000.0, "ok")),
        ("?,?,?", (None, None, None)),
        ("a,,ok", ("a", None, "ok")),
        ("'a b',1,ok", ("a b", 1.0, "ok")),
        ('"a,b", 2 ,ok', ("a,b", 2.0, "ok")),
        ("a\\'b,1,ok", None),
        ("''," + "1,ok", ("", 1.0, "ok")),
        ("a,1,ok\r", ("a", 1.0, "ok")),
        ("100%,1,ok", ("100%", 1.0, "ok")),
        ("{0 a, 1 3, 2 ok}", ("a", 3.0, "ok")),
        ("NA,-inf,ok", ("NA", -math.inf, "ok")),
        ("日本,1,ok", ("日本", 1.0, "ok")),
    ],
)
def test_one_row(row: str, cell: tuple[Cell, ...] | None) -> None:
    table = parse(HEAD + row + "\n")
    assert cells(table) == ([] if cell is None else [cell])
    assert bool(table.findings) == (cell is None)


def test_nan_is_not_missing() -> None:
    ((_, nan, _), (_, missing, _)) = cells(parse(HEAD + "a,NaN,ok\nb,?,ok"))
    assert isinstance(nan, float)
    assert math.isnan(nan)
    assert missing is None


@pytest.mark.parametrize(
    "text",
    [
        "\ufeff" + HEAD + "a,1,ok\n",
        HEAD.replace("\n", "\r\n") + "a,1,ok\r\n",
        HEAD.replace("\n", "\r") + "a,1,ok\r",
        HEAD.lower() + "a,1,ok",
        HEAD.replace("@DATA", "@DATA,") + "\n\na,1,ok\n%\n% end\n%",
        "% about\n\n" + HEAD.replace("STRING", "STRING ") + "  a,1,ok  \n",
        HEAD.replace("NUMERIC", "INTEGER") + "a,1,ok",
    ],
    ids=["bom", "crlf", "cr", "lower", "comma-after-data", "comments", "integer"],
)
def test_one_meaning_in_many_spellings(text: str) -> None:
    table = parse(text)
    assert table.findings == ()
    assert cells(table) == [("a", 1.0, "ok")]


@pytest.mark.parametrize("cell", ["ok", "'ok'"], ids=["fast", "slow"])
def test_an_integer_keeps_its_fraction_with_a_warning(cell: str) -> None:
    """liac-arff makes 2 of 2.7 and -2 of -2.5, and cannot read inf and 1e400."""
    text = HEAD.replace("NUMERIC", "integer ") + f"a,1,{cell}\n\na,2.7,{cell}\n"
    table = parse(text + f"b,-2.5,{cell}\nc,?,{cell}\nd,inf,{cell}\n")
    numbers = [number for _, number, _ in cells(table)]
    assert numbers == [1.0, 2.7, -2.5, None, math.inf]
    (finding,) = table.findings
    assert (finding.code, finding.severity, finding.line) == ("arff-integer", "warning", 8)
    assert finding.message == (
        "column 'n' is declared INTEGER; 3 of its cells are not whole numbers; the first is 2.7"
    )


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (HEAD.replace("{ok , timeout}", "{}"), 4, "the header line '@ATTRIBUTE status {}' cannot be read"),
        (HEAD + "a,1,ok\nb,1,'o %k'\n", 7, "Data value o %k not found in nominal declaration"),
        (HEAD + "a,1,'%(x)s'\n", 6, "Data value %(x)s not found in nominal declaration"),
        (HEAD + "% no row\na,1,ok\n'\\ud800',1,ok\n", 8, "'\\ud800' is half of a character"),
    ],
    ids=["empty-nominal", "percent", "template", "surrogate"],
)
def test_what_liac_arff_stumbles_over(text: str, line: int, message: str) -> None:
    table = parse(text)
    (finding,) = table.findings
    assert (finding.line, finding.message) == (line, message)
    assert table.table.num_rows == 0


def test_ids_are_text_whatever_is_declared() -> None:
    text = HEAD.replace("instance_id STRING", "instance_id NUMERIC") + "2097,1,ok\n"
    assert cells(parse(text, text={"instance_id"})) == [("2097", 1.0, "ok")]


@pytest.mark.parametrize("blank", ["", " ", "\t", " \t ", "\r", "\x0c", "\u00a0", "\t% x", "% no"])
def test_lines_of_rows(blank: str) -> None:
    table = parse(HEAD + f"a,1,ok\n\n{blank}\nb,2,ok\n")
    assert table.lines() == [line_of_row(table, row) for row in range(2)] == [6, 9]
    assert table.line_of("status") == 4


def test_every_bad_row_is_reported_in_one_pass() -> None:
    rows = "a,1,ok\nb,1\nc,x,ok\nd,1,lost\ne,1,ok,ok\n"
    table = parse(HEAD + rows)
    assert [f.line for f in table.findings] == [7, 8, 9, 10]
    assert table.findings[0].message == "2 cells in a row of 3 columns"
    assert cells(table) == []


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        (b"", 1, "the file is empty"),
        (b"@RELATION r\n@ATTRIBUTE a STRING\n", 1, "no @DATA line"),
        (b"@RELATION r\n@ATTRIBUTE a DATE\n@DATA\n", 2, "Bad @ATTRIBUTE type"),
        (HEAD.encode() + b"a\xff,1,ok\n", 6, "byte 0xff is not UTF-8 text"),
        (HEAD.encode("utf-16"), 1, "byte 0xff is not UTF-8 text"),
        (b"\x7fELF\0\0", 1, "byte 0x00 does not belong in a text file"),
    ],
)
def test_a_file_that_is_none(content: bytes, line: int, message: str) -> None:
    (finding,) = parse(content).findings
    assert (finding.line, finding.severity) == (line, "error")
    assert message in finding.message


plain = st.text(st.characters(codec="utf-8", exclude_characters="\n\r\x00"), max_size=6) | st.sampled_from(
    ["?", "", "NaN", "1_0", ".5", "1e400", "nan(1)", "'q'", "0x1", "%"]
)


@pytest.mark.slow
@settings(max_examples=400, deadline=None, derandomize=True)
@given(st.lists(st.tuples(plain, plain, st.sampled_from(["ok", "timeout", "?"]))))
def test_equals_liac_arff(rows: list[tuple[str, str, str]]) -> None:
    text = HEAD + "".join(f"{a},{b},{c}\n" for a, b, c in rows)
    ours = parse(text)
    try:
        theirs = arff.loads(text)["data"]
    except (arff.ArffException, ValueError):
        assert ours.findings
        return
    assert ours.findings == ()
    assert equal(cells(ours), theirs)


@pytest.mark.slow
def test_real_files_equal_liac_arff(shared: Path) -> None:
    paths = sorted(shared.glob("aslib*/*/*.arff"))
    assert len(paths) > 90
    for path in paths:
        ours = parse_arff(path.read_bytes(), file=str(path))
        with path.open() as file:
            theirs = arff.load(file)
        assert ours.findings == ()
        assert [a.name for a in ours.attributes] == [n for n, _ in theirs["attributes"]]
        assert equal(cells(ours), theirs["data"]), path
