# ruff: noqa: E501 - a case a line
"""Headers of published tables, and the columns that they are."""

from __future__ import annotations

import pytest

from aslib_eval.errors import AslibError
from aslib_eval.extensions.competitions.published_pages import of_chc_text, of_page

HEADERS = {
    "Error Score": "errors",
    "Correct Score": "correct",
    "CPU Time Score": "cpu",
    "Wall Time Score": "wall",
    "CPU (s)": "cpu",
    "Wall (s)": "wall",
    "Time(Avg)": "mean_time",
    "Time (avg)": "mean_time",
    "Score(Avg)": "mean_score",
    "Score (avg)": "mean_score",
    "N-Solved": "solved",
    "avg-time": "mean_time",
    "SAT": "solved_sat",
    "UNSAT": "solved_unsat",
    "Total Solved": "solved",
    "SAT Solved": "solved_sat",
    "UNSAT Solved": "solved_unsat",
    "UNSAT Verified": "solved_unsat",
    "Average Score": "score",
    "#Solved": "solved",
    "Memory used": "memory_used",
}


def page(*headers: str, cells: str = "<td>1", heading: str = "Main Track") -> bytes:
    head = "".join(f"<th>{header}" for header in headers)
    return f"<html><h2>{heading}</h2><table><tr>{head}<tr><td>a{cells}</table></html>".encode()


@pytest.mark.parametrize("header", HEADERS)
def test_a_header_is_a_column(header: str) -> None:
    for solver in ("Solver", "Solver Name", "Tool"):
        (value,) = of_page(page(solver, header), "p.html")
        assert (value.column, value.restriction) == (HEADERS[header], "all")
        assert (value.board, value.solver, value.value) == ("main", "a", "1")


def test_a_column_of_an_anytime_track_is_a_mean_score_at_a_time() -> None:
    (value,) = of_page(page("Solver", "60s", heading="Anytime, Track 60s"), "p.html")
    assert (value.board, value.column) == ("anytime-60s", "mean_score")
    (value,) = of_page(page("Solver", "300s", heading="Anytime Track"), "p.html")
    assert (value.board, value.column) == ("anytime-300s", "mean_score")


@pytest.mark.parametrize(
    ("heading", "board"),
    [
        ("Main Track", "main"),
        ("NoLimit Track", "nolimits"),
        ("Parallel Track (64 cores)", "parallel"),
        ("Cloud, Solvers of the Track", "cloud-of-the"),
        ("EXACT-W", "exact-weighted"),
        ("ANYTIME-UW results", "anytime-unweighted"),
        ("Results", "Results"),
        ("a (b) c", "a c"),
    ],
)
def test_a_heading_is_a_board(heading: str, board: str) -> None:
    (value,) = of_page(page("Solver", "Score", heading=heading), "p.html")
    assert value.board == board


@pytest.mark.parametrize(
    ("headers", "cells", "message"),
    [
        (("Solver", ""), "<td>1", "a column has no name"),
        (("Solver", "1.5"), "<td>1", "a column is called '1.5'"),
        (("Solver", "Score"), "<td>1<td>2", "3 cells instead of 2"),
    ],
)
def test_a_table_that_is_cut(headers: tuple[str, ...], cells: str, message: str) -> None:
    with pytest.raises(AslibError) as raised:
        of_page(page(*headers, cells=cells), "p.html")
    assert str(raised.value) == f"p.html:1: {message}. Fetch the page again."


@pytest.mark.parametrize(
    ("header", "cell", "value"),
    [
        ("Score", "1.5", "1.5"),
        ("Score", "-1e3", "-1e3"),
        ("Score", "7*", "7"),
        ("Score", "7 (base -2)", "7"),
        ("Score", "N/A", "N/A"),
        ("Solved", "-", "-"),
        ("Score", "x", None),
        ("Solved", "1.5", None),
    ],
)
def test_a_value_is_a_number_and_a_count_a_whole_one(header: str, cell: str, value: str | None) -> None:
    table = page("Solver", header, cells=f"<td>{cell}")
    if value is not None:
        assert [found.value for found in of_page(table, "p.html")] == [value]
        return
    with pytest.raises(AslibError) as raised:
        of_page(table, "p.html")
    whole = "whole " * (header == "Solved")
    what = f"{header.lower()} {cell!r} is not a {whole}number"
    assert str(raised.value) == f"p.html:1: {what}. Correct the page, or fetch it again."


def test_a_row_without_a_solver_and_a_table_without_a_column_of_them() -> None:
    with pytest.raises(AslibError) as raised:
        of_page(page("Score", "Solver", cells="<td>"), "p.html")
    what = "p.html:1: a row names no solver. Fetch the page again."
    assert str(raised.value) == what
    with pytest.raises(AslibError) as raised:
        of_page(page("Score", "Solved"), "p.html")
    what = "p.html:1: a table of score and solved has no column Solver. Fetch the page again."
    assert str(raised.value) == what
    assert of_page(page("Score", "x"), "p.html") == []
    assert of_page(page("SAT", "UNSAT"), "p.html") == []  # words of many tables
    assert of_page(page("Solver", "Division"), "p.html") == []


def test_configurations_and_notes_belong_to_the_solver() -> None:
    table = page(
        "Solver", "Configuration", "Note", "(rank)", "Score",
        cells="<td>fast<td>* disqualified *<td>1<td>9",
    )  # fmt: skip
    (value,) = of_page(table, "p.html")
    assert (value.solver, value.role) == ("a fast", "disqualified")
    plain = page("Solver", "Configuration", "Score", cells="<td>default<td>9")
    assert of_page(plain, "p.html")[0].solver == "a"


FOUR = "solver cnt ok sat uns"
CHC_HEAD = "solver cnt ok sat uns fld to mo time real space uniq"


def chc(*rows: str, end: str = "\n\nlegend\n") -> bytes:
    return ("\n".join(["* means Hors Concours", *rows]) + end).encode()


def test_columns_and_margins_of_a_board_of_chc_comp() -> None:
    numbers = " ".join(map(str, range(1, 12)))
    rows = [f"1 a {numbers}", f"*- b {numbers}", f"c {numbers}"]
    found = of_chc_text(chc(CHC_HEAD, *rows), "x/LIA-lin_RESULTS.txt")
    columns = [
        *("count", "solved", "solved_sat", "solved_unsat", "unsolved", "timeout"),
        *("memout", "cpu", "wall", "memory", "unique"),
    ]
    assert [(v.solver, v.column, v.value) for v in found] == [
        *(("a", column, str(n)) for n, column in enumerate(columns, 1)),
        *(("b", column, str(n)) for n, column in enumerate(columns, 1)),
        ("b", "has_wrong", "1"),
        *(("c", column, str(n)) for n, column in enumerate(columns, 1)),
    ]
    roles = {v.solver: (v.role, v.line, v.board) for v in found}
    assert roles == {
        "a": ("competing", 3, "LIA-lin"),
        "b": ("hors concours", 4, "LIA-lin"),
        "c": ("competing", 5, "LIA-lin"),
    }


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (chc("name ok"), "f: no line begins with the column solver. Use a table of results of CHC-COMP."),
        (chc("solver ok odd"), "f:2: the column 'odd' is unknown. Known are cnt, ok, sat, uns, fld, to, mo, time, real, space, uniq."),
        (chc("solver ok", "a 1", end=""), "f: the rows must stand between the header and an empty line. The file may be cut: fetch it again."),
        (chc("solver ok", "a 1", end="\n\nb c 2\n"), "f: the rows must stand between the header and an empty line. The file may be cut: fetch it again."),
        (chc(FOUR, "a 1 2 3 4 5"), "f:3: 5 values instead of 4. Separate columns by blanks."),
        (chc(FOUR, "a 1 -1 3 4"), "f:3: solved '-1' is not a number"),
        (chc(FOUR, "a 1 2 3 4", "b 1 2 3 4", "a 1 2 3 4"), "f:5: a occurs twice"),
    ],
)  # fmt: skip
def test_a_board_of_chc_comp_that_is_wrong(content: bytes, message: str) -> None:
    with pytest.raises(AslibError) as raised:
        of_chc_text(content, "f")
    assert str(raised.value) == message
