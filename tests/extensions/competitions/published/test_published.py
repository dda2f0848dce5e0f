"""Published tables: literal ones of every kind, and what is wrong with others."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
from dataclasses import replace
from pathlib import Path

import pytest

from aslib_eval.errors import AslibError
from aslib_eval.extensions.competitions.published_pages import PublishedValue, published

SAT = """<html><h2>Results</h2><h3>Main Track</h3>
<table><thead><tr><th>Solver<th>Configuration</th><th>Score</th><th>Solved</th>
<th>Score SAT</th><th>Solved SAT</th><th>UNSAT Score</th><th>UNSAT Solved</th></tr>
<tr class="vbs"><td>VBS</td><td></td>
<td>1.5</td><td>3</td><td>2</td><td>1</td><td>1</td><td>2</td></tr>
<tr><td>Kissat MAB (disqualified)</td><td>default</td>
<td>2.5</td>
<td>2</td><td>-</td><td>1</td><td>9</td><td>1</td>
<tr><td>Kissat MAB</td><td>default</td>
<td>4</td><td>1</td><td>2</td><td>0</td><td>6</td><td>1</td></tr>
</table></html>
"""
SMT = """<h1>QF_UFBV (Parallel Track)</h1>
<p>Competition results for the QF_UFBV
 logic in the Parallel Track.</p>
<table><thead><tr><th>Sequential Performance</th><th>Parallel Performance</th>
<th>24 seconds Performance (parallel)</th></tr></thead>
<tr><td>-</td><td> Yices2 </td><td>cvc5</td></tr></table>
<h3>24 seconds Performance</h3>
<table id="twentyfour" class="result">
<thead><tr><th>Solver</th><th>Error Score</th><th>Correct Score</th>
<th>CPU Time Score</th><th>Wall Time Score</th><th>Solved SAT</th></tr></thead>
<tr class="non-competing"><td>cvc5-32 <sup><a href="#nc">n</a></sup></td>
<td>0</td><td>9</td><td>12.25</td><td>1.75</td><td>4</td></tr></table>
"""
MAXSAT = """<html><h1>MaxSAT Evaluation 2017: Summary of Weighted Complete Track</h1>
<table><tr><th>Solver</th><th>#Solved</th><th>Time(avg)</th></tr>
<tr><td>MaxHS</td><td>538</td><td>236.46</td></tr>
<tr><td>Z<sup>&#x271D;</sup>3</td><td>398</td><td>N/A</td></tr></table>
<table class="noborder"><tr><td>a plot</html>
"""
SCORES = {
    "results": {
        "solvers": ["gecode-fd", "yuck-free"],
        "problems": ["zephyrus", "amaze"],
        "kind": ["MIN", "SAT"],
        "instances": [[1], [0]],
        "benchmarks": ["2012", "2012"],
        "scores": [[[0, 0], [0.25, 1]], [[0.75, 0], [0, 0]]],
    }
}


def brief(values: list[PublishedValue]) -> list[tuple[str, ...]]:
    return [(v.solver, v.restriction, v.column, v.value) for v in values]


def put(folder: Path, name: str, text: str) -> Path:
    (folder / name).write_text(text)
    return folder / name


def test_sat_competition(tmp_path: Path) -> None:
    path = put(tmp_path, "results.html", SAT)
    values = published(path)
    assert brief(values)[:8] == [
        ("VBS", "all", "score", "1.5"),
        ("VBS", "all", "solved", "3"),
        ("VBS", "sat", "score", "2"),
        ("VBS", "sat", "solved", "1"),
        ("VBS", "unsat", "score", "1"),
        ("VBS", "unsat", "solved", "2"),
        ("Kissat MAB", "all", "score", "2.5"),
        ("Kissat MAB", "all", "solved", "2"),
    ]
    assert {v.board for v in values} == {"main"}
    assert [v.role for v in values[::6]] == ["virtual", "disqualified", "competing"]
    place = (values[6].file, values[6].line, values[6].number)
    assert place == (str(path), 7, 2.5)
    assert values[8].number is None
    assert values[12].solver == "Kissat MAB (2)"  # it is there twice


def test_smt_comp(tmp_path: Path) -> None:
    values = published(put(tmp_path, "qf_ufbv-parallel.html", SMT))
    assert brief(values) == [
        ("Yices2", "parallel", "place", "1"),
        ("cvc5", "24s", "place", "1"),
        ("cvc5-32", "24s", "errors", "0"),
        ("cvc5-32", "24s", "correct", "9"),
        ("cvc5-32", "24s", "cpu", "12.25"),
        ("cvc5-32", "24s", "wall", "1.75"),
        ("cvc5-32", "24s", "solved_sat", "4"),
    ]
    last = values[-1]
    assert (last.board, last.level, last.part) == ("parallel", "logic", "QF_UFBV")
    assert (last.role, last.line) == ("hors concours", 12)


def test_maxsat_evaluation(tmp_path: Path) -> None:
    values = published(put(tmp_path, "summary.html", MAXSAT))
    assert brief(values) == [
        ("MaxHS", "all", "solved", "538"),
        ("MaxHS", "all", "mean_time", "236.46"),
        ("Z3", "all", "solved", "398"),
        ("Z3", "all", "mean_time", "N/A"),
    ]
    assert {v.board for v in values} == {"complete-weighted"}
    assert [v.role for v in values[1:3]] == ["competing", "hors concours"]


def test_pair_scores_of_the_minizinc_challenge(tmp_path: Path) -> None:
    path = tmp_path / "2019.results.json.gz"
    path.write_bytes(gzip.compress(json.dumps(SCORES).encode()))
    assert [(v.solver, v.against, v.part, v.number) for v in published(path)] == [
        ("gecode-fd", "yuck-free", "amaze/2012", 0.25),
        ("gecode-fd", "yuck-free", "zephyrus/2012", 1.0),
        ("yuck-free", "gecode-fd", "amaze/2012", 0.75),
        ("yuck-free", "gecode-fd", "zephyrus/2012", 0.0),
    ]
    assert {v.restriction for v in published(path)} == {"complete"}


def test_any_table_as_csv(tmp_path: Path) -> None:
    rows = "board,solver,column,value,restriction,role\n"
    rows += "Main COP,CoSoCo,points,151.5,,\nMini COP,ACE,points,-,sat,hors concours\n"
    first, second = published(put(tmp_path, "xcsp.csv", rows))
    assert first == PublishedValue("Main COP", "CoSoCo", "points", "151.5", first.file, 2)
    assert (second.restriction, second.role, second.number) == (*("sat", "hors concours"), None)


def test_a_folder_with_an_archive_and_what_is_none(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "pages.tar.xz", "w:xz") as tar:
        info = tarfile.TarInfo("pages/qf_ufbv.html")
        info.size = len(SMT)
        tar.addfile(info, io.BytesIO(SMT.encode()))
    put(tmp_path, "rules.html", "<p>The rules.</p>")
    put(tmp_path, "runs.csv", "instance,solver,time\ni,a,1\n")
    put(tmp_path, "raw.json", '{"results": []}')
    values = published(tmp_path)
    assert len(values) == 7
    assert values[0].file == f"{tmp_path}/pages.tar.xz/pages/qf_ufbv.html"


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.html", SMT[:-90], "a.html:11: the page ends in the mid"),
        ("a.html", "<p>Rules</p>", "a.html: holds no published table of solvers"),
        ("a.html", "<![x[<th>Solver</th>", "a.html:1: is not HTML"),
        ("a.html", SAT.replace("<tr><td>Kissat", "<td>Kissat"), ":6: 16 cells inst"),
        ("a.html", SMT.replace("<td>-</td>", ""), "a.html:6: 2 cells instead of 3"),
        ("a.csv", "solver,value\na,1\n", "a.csv:1: there is no column board and column"),
        ("a.csv", "board,solver,column,value\nm,a,points,x\n", "2: value 'x' is not a"),
        ("a.json", '{"results": [', "a.json:1: is not JSON"),
        ("a.doc", "x", "is not a published table. Use pages .html"),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, name: str, text: str, message: str) -> None:
    with pytest.raises(AslibError) as caught:
        published(put(tmp_path, name, text))
    assert message in str(caught.value)


def test_scores_that_are_no_numbers_are_found_by_their_keys(tmp_path: Path) -> None:
    text = json.dumps(SCORES).replace("0.25, 1", '0.25, "1"')
    with pytest.raises(AslibError, match=r'results.scores\[0\]\[1\]\[1\]: "1" is not a n'):
        published(put(tmp_path, "results.json", text))


# --- of the competitions -------------------------------------------------------------


def test_tables_of_competitions_have_as_many_values_as_they_have(shared: Path) -> None:
    competitions = shared / "competitions"
    if not competitions.is_dir():
        pytest.skip("needs the results of competitions in ../shared")
    sat = [
        value
        for value in published(competitions / "sat2023" / "results.html")
        if value.restriction != "special" and value.role != "virtual"
    ]
    assert len(sat) == 360
    ranked = {"errors", "correct", "wall", "cpu"}
    smt = published(competitions / "smt2025")
    assert len([v for v in smt if v.column in ranked]) == 1668
    chc = published(competitions / "chc2018")
    assert len([v for v in chc if v.column != "has_wrong"]) == 88
    assert len(published(competitions / "maxsat2022")) == 42
    pairs = published(competitions / "minizinc" / "2019.results.json.gz")
    assert len([v for v in pairs if v.restriction == "complete"]) == 65_000


def test_tables_in_markdown(tmp_path: Path) -> None:
    text = """# EXACT-UW

| solver | n-solved | avg-time | par-2 |
| ------ | -------: | :------: | ----- |
| vbs    | 3        | 1.5      | 7     |
| A*     | 2        | 2.5      | 8     |

## Solved Per Family

| family | total | A |
| ------ | ----- | - |
| x      | 1     | 2 |

# ANYTIME-W

## 300s timeout

| solver | 300s |
| ------ | ---- |
| B      | 0.25 |

# Results

## Main Track

| Solver | Solved |
| ------ | ------ |
| C      | 4      |
"""
    path = tmp_path / "2026-summary.md"
    path.write_text(text)
    found = [(v.board, v.solver, v.role, v.column, v.value, v.line) for v in published(path)]
    (tmp_path / "README.md").write_text("# Results\n\n| a | b |\n| - | - |\n")
    assert len(published(tmp_path)) == len(found)
    assert found == [
        ("exact-unweighted", "vbs", "virtual", "solved", "3", 5),
        ("exact-unweighted", "vbs", "virtual", "mean_time", "1.5", 5),
        ("exact-unweighted", "vbs", "virtual", "par-2", "7", 5),
        ("exact-unweighted", "A", "hors concours", "solved", "2", 6),
        ("exact-unweighted", "A", "hors concours", "mean_time", "2.5", 6),
        ("exact-unweighted", "A", "hors concours", "par-2", "8", 6),
        ("anytime-weighted-300s", "B", "competing", "mean_score", "0.25", 20),
        ("main", "C", "competing", "solved", "4", 28),
    ]


PACE = """
# Results of the Exact Track

| Rank | Team | Member | Student | Score | Time | Repo |
|:--|:--|:--|:--|:--|:--|:--|
1 | UzL | A, B | | 81 | 46111.1 | [Git](https://h/x)
| 2 | | C. D. | X | 80 | 50.25s | [Git](https://h/y) |
| *DQ* | Out | E | | *40 (-2)* | *9* | |

# Awards

| Rank | Team | Member |
|:--|:--|:--|
| Exact 1 | UzL | A, B |
"""


def test_tables_of_pace(tmp_path: Path) -> None:
    path = tmp_path / "results.md"
    path.write_text(PACE)
    found = [(v.board, v.solver, v.column, v.value) for v in published(path)]
    assert found == [
        ("exact", "UzL", "place", "1"),
        ("exact", "UzL", "score", "81"),
        ("exact", "UzL", "time", "46111.1"),
        ("exact", "C. D.", "place", "2"),
        ("exact", "C. D.", "score", "80"),
        ("exact", "C. D.", "time", "50.25"),
    ]


def test_a_row_of_markdown_that_is_cut(tmp_path: Path) -> None:
    path = tmp_path / "summary.md"
    path.write_text("| Solver | Solved |\n| --- | --- |\n| C |\n")
    with pytest.raises(AslibError, match=r"summary.md:3: 1 cells instead of 2"):
        published(path)


def test_totals_below_a_table_of_all_runs(tmp_path: Path) -> None:
    page = tmp_path / "2024" / "exact" / "unweighted.html"
    page.parent.mkdir(parents=True)
    rows = (
        ("MSE24", "a", "b"),
        ("x.wcnf", "1.5", "3600"),
        ("number of solved instances", "1", "0"),
        ("average time", "1.5", ""),
        ("PAR2 score", "1.5", "1,926.05"),
    )
    cells = ("".join(f"<td>{cell}</td>" for cell in row) for row in rows)
    table = "".join(f"<tr>{row}</tr>" for row in cells)
    page.write_text(f"<html><table>{table}</table></html>")
    found = published(page)
    assert [(v.board, v.solver, v.column, v.value) for v in found] == [
        ("exact-unweighted", "a", "solved", "1"),
        ("exact-unweighted", "b", "solved", "0"),
        ("exact-unweighted", "a", "mean_time", "1.5"),
        ("exact-unweighted", "a", "par2_score", "1.5"),
        ("exact-unweighted", "b", "par2_score", "1926.05"),
    ]
    assert published(page.parent) == [replace(value, file=f"{page.parent}/{page.name}") for value in found]
