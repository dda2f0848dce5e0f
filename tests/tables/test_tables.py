"""The same three rows as Markdown, CSV, JSON and LaTeX, and for a terminal."""

from __future__ import annotations

import csv
import io
import json
import math
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import polars as pl
import pytest

from aslib_eval import tables, text
from aslib_eval.tables.paper_table import Style, _hidden, _remarks, _without_values

FRAME = pl.DataFrame(
    {
        "solver": ["a|b", "50% & $x_1 #{}", "back\\slash~^"],
        "par10": [1234567.891, math.nan, 0.1 + 0.2],
        "n": [1, None, 3],
        "tied": [["a", "b"], [], None],
        "ok": [True, False, None],
    }
)


def test_markdown() -> None:
    assert tables.to_markdown(FRAME) == (
        "| solver | par10 | n | tied | ok |\n"
        "| --- | --: | --: | --- | --- |\n"
        "| a\\|b | 1234568 | 1 | a b | yes |\n"
        "| 50% & $x_1 #{} | nan |  |  | no |\n"
        "| back\\\\slash~^ | 0.3 | 3 |  |  |\n"
    )


@pytest.mark.parametrize(
    ("cells", "shown"),
    [
        ([0.0, -0.0, 0.0, -0.0], ["0", "-0", "0", "-0"]),
        ([math.nan, 1.0, math.nan, None], ["nan", "1", "nan", ""]),
        ([2, 2, None, 2], ["2", "2", "", "2"]),
        (["a|b", "a|b", None, ""], ["a\\|b", "a\\|b", "", ""]),
        ([[0.0], [-0.0], [0.0]], ["0", "-0", "0"]),
    ],
)
def test_cells_that_are_equal_are_written_as_each_is(cells: list[object], shown: list[str]) -> None:
    lines = tables.to_markdown(pl.DataFrame({"x": cells})).splitlines()
    assert [line[2:-2].strip() for line in lines[2:]] == shown


def test_true_and_1_are_two_texts_in_a_column_of_several_types() -> None:
    cells = pl.Series("x", [True, 1, 1.0, False, 0, -0.0], dtype=pl.Object)
    lines = tables.to_markdown(cells.to_frame()).splitlines()
    assert [line[2:-2] for line in lines[2:]] == ["yes", "1", "1", "no", "0", "-0"]


def test_names_of_a_category_are_written_as_names() -> None:
    kinds = pl.Series("x", ["a_b", "a_b", "_c"], dtype=pl.Enum(["a_b", "_c"]))
    frame = pl.DataFrame([kinds, kinds.cast(pl.Categorical).alias("y")])
    lines = tables.to_markdown(frame).splitlines()
    assert lines[2:] == ["| a_b | a_b |", "| a_b | a_b |", "| \\_c | \\_c |"]


def test_csv() -> None:
    assert tables.to_csv(FRAME) == (
        "solver,par10,n,tied,ok\n"
        "a|b,1234567.891,1,a b,true\n"
        '50% & $x_1 #{},NaN,,"",false\n'
        "back\\slash~^,0.30000000000000004,3,,\n"
    )


def test_csv_quotes_what_a_reader_would_split() -> None:
    cells = ['a,b "c"', "d\ne"]
    text = tables.to_csv(pl.DataFrame({"x": cells}))
    assert [row[0] for row in csv.reader(io.StringIO(text))] == ["x", *cells]


# What a spreadsheet would run, and what only looks a little like it.
RUN = ["=HYPERLINK(1)", "+a", "-fast", "@SUM(1)", "\t=1", "\r=1", "=\n1", "-1\n", "-1 -2"]
KEPT = ["=", "+", "-", "\N{MINUS SIGN}", "a=1", "'=1", "", "-1", "+.5e-3", " =1", None]


@pytest.mark.parametrize("kind", [pl.String, pl.Categorical, pl.List(pl.String)])
def test_csv_is_no_formula(kind: pl.DataType) -> None:
    cells = pl.Series([*RUN, *KEPT])
    given = cells.cast(pl.String).reshape((-1, 1)).arr.to_list()
    column = given if kind == pl.List(pl.String) else cells.cast(kind)
    text = tables.to_csv(pl.DataFrame({"=x": column, "n": -1.5}))
    head, *rows = csv.reader(io.StringIO(text, newline=""))
    assert head == ["'=x", "n"]
    expected = [*(f"'{cell}" for cell in RUN), *(cell or "" for cell in KEPT)]
    assert rows == [[cell, "-1.5"] for cell in expected]


def test_numbers_of_csv_are_never_text() -> None:
    frame = pl.DataFrame({"x": [-math.inf, -0.5], "xs": [[-1, -2], [-1]]})
    assert tables.to_csv(frame) == "x,xs\n-inf,-1 -2\n-0.5,-1\n"


def test_json_and_parquet_are_exact(tmp_path: Path) -> None:
    frame = pl.DataFrame({"=x": RUN})
    assert json.loads(tables.to_json(frame)) == frame.to_dicts()
    tables.write(frame, tmp_path / "x.parquet", format="parquet")
    assert pl.read_parquet(tmp_path / "x.parquet").equals(frame)


def test_json() -> None:
    assert json.loads(tables.to_json(FRAME)) == [
        {"solver": "a|b", "par10": 1234567.891, "n": 1, "tied": ["a", "b"], "ok": True},
        {"solver": "50% & $x_1 #{}", "par10": None, "n": None, "tied": [], "ok": False},
        {"solver": "back\\slash~^", "par10": 0.1 + 0.2, "n": 3, "tied": None, "ok": None},
    ]


def test_json_has_no_token_that_json_does_not_know() -> None:
    frame = pl.DataFrame({"x": [math.inf, -math.inf, math.nan], "y": [[math.nan]] * 3})
    assert json.loads(tables.to_json(frame), parse_constant=pytest.fail) == [{"x": None, "y": [None]}] * 3


def test_tex() -> None:
    assert tables.to_tex(FRAME) == (
        "\\begin{tabular}{lrrll}\n"
        "\\toprule\n"
        "solver & par10 & n & tied & ok \\\\\n"
        "\\midrule\n"
        "a\\textbar{}b & 1234568 & 1 & a b & yes \\\\\n"
        "50\\% \\& \\$x\\_1 \\#\\{\\} & nan &  &  & no \\\\\n"
        "back\\textbackslash{}slash\\textasciitilde{}\\textasciicircum{}"
        " & 0.3 & 3 &  &  \\\\\n"
        "\\bottomrule\n"
        "\\end{tabular}\n"
    )


HOSTILE = pl.DataFrame({"na\nme": ["red \x1b[31m", "two\nlines\r", "bell \x07 \u202e"]})


@pytest.mark.parametrize("format_", ["md", "tex"])
def test_control_characters_are_escapes(format_: str) -> None:
    text = tables.FORMATS[format_](HOSTILE)
    assert all(c.isprintable() for c in text.replace("\n", ""))
    rows = {"md": 2 + 3, "tex": 3 + 1 + 3 + 2}[format_]
    assert text.count("\n") == rows, text


@pytest.mark.parametrize("format_", ["csv", "json"])
def test_programs_get_the_names_as_they_are(format_: str) -> None:
    text = tables.FORMATS[format_](HOSTILE)
    read = {"csv": lambda: csv.DictReader(io.StringIO(text, newline=""))}
    rows = list(read.get(format_, lambda: json.loads(text))())
    assert rows == HOSTILE.to_dicts()


def test_terminal_is_not_steered_by_a_name() -> None:
    text = tables.to_terminal(HOSTILE, width=80)
    assert "red \\x1b[31m" in text
    assert "na\\nme" in text
    assert "\x07" not in text
    assert "\u202e" not in text


def test_terminal() -> None:
    frame = pl.DataFrame(
        {
            "protocol": ["default"] * 2,
            "solver": ["anvil", "bolt"],
            "par10": [505.0, 1 / 3],
            "empty": [None, None],
            "wide": ["x" * 30] * 2,
            "last": ["y" * 30, "z" * 30],
        }
    )
    text = tables.to_terminal(frame, width=40)
    assert "protocol default · wide" in text
    assert "anvil" in text
    assert "0.333" in text
    assert "empty" not in text
    assert "not shown: last" in text


@pytest.mark.parametrize("width", [1, 20, 200])
@pytest.mark.parametrize("height", [0, 1, 3])
def test_terminal_of_any_size(width: int, height: int) -> None:
    assert tables.to_terminal(FRAME.head(height), width=width)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.0, "0"),
        (-0.5, "-0.5"),
        (1e-7, "1e-07"),
        (999999.4, "999999"),
        (21132.114887, "21132.1"),
        (1e9, "1000000000"),
        (math.inf, "inf"),
        (-math.inf, "-inf"),
        (None, ""),
    ],
)
def test_numbers_for_reading(value: float | None, shown: str) -> None:
    assert text.shown(value) == shown


def test_markdown_of_lists_and_of_numbers_with_a_point() -> None:
    frame = pl.DataFrame({"x": [["a|b"]], "y": [Decimal("-0.5")]})
    (line,) = tables.to_markdown(frame).splitlines()[2:]
    assert line == r"| a\|b | -0.5 |"


def style(**changed: Any) -> Style:
    empty: dict[str, Any] = {key: {} for key in ("headings", "digits", "bold", "mark", "signs", "over")}
    empty |= {**dict.fromkeys(("within", "rank", "spread", "foot", "hide"), ()), "across": ""}
    return Style(**empty | changed)


def test_remarks_name_their_solvers_below_a_table() -> None:
    said = [
        ("S", "a", "x; y"),
        ("S", "b", "x"),
        ("S", "c", None),
        ("S", "d", "x"),
        ("S", "e", "x"),
        ("R", "a", "x"),
    ]
    rows = [dict(zip(("scenario_id", "solver", "remark"), row, strict=True)) for row in said]
    assert _remarks(style(remarks=("remark",)), rows) == [
        *("S, a, b, d and 1 more: x.", "S, a: y.", "R, a: x.")
    ]


def test_columns_without_a_value_are_left_out() -> None:
    # A lower end stays beside an upper one; signs and remarks stand elsewhere.
    cells = {"gap_low": None, "gap_high": 2, "par10": None, "n": 0, "sign": "+", "remark": "x"}
    file: Any = SimpleNamespace(columns=("solver", *cells), key=("solver",))
    rows = [{"solver": solver} | cells for solver in "ab"]
    of = style(digits={"gap_low": 2, "par10": 1}, signs={"n": "sign"}, remarks=("remark",))
    found = _hidden(of, file, rows)
    assert found == {"protocol", "par10", "sign", "remark"}
    assert _without_values(of, rows, found) == ["Columns left out because they are empty: par10."]
    assert _without_values(of, [], found) == []
    alike = style(digits={"par10": 1, "n": 0}, headings={"par10": "mean", "n": "mean"})
    assert _without_values(alike, rows, found) == []


@pytest.mark.parametrize(
    ("solvers", "key", "hidden"),
    [
        ("aa", ("pq", "SS"), {"scenario_id"}),
        ("aa", ("pp", "RS"), {"protocol"}),
        ("ab", ("pq", "RS"), {"protocol", "scenario_id"}),
    ],
)
def test_what_tells_no_rows_apart_is_left_out(solvers: str, key: tuple[str, str], hidden: set[str]) -> None:
    names = ("protocol", "scenario_id", "solver")
    rows = [dict(zip(names, own, strict=True)) for own in zip(*key, solvers, strict=True)]
    file: Any = SimpleNamespace(columns=names, key=names)
    assert _hidden(style(hide=("scenario_id",)), file, rows) == hidden
