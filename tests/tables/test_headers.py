"""What the header of a table can ask for, and what cannot be followed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from aslib_eval.database.open_lake import OpenLake, open_lake
from aslib_eval.errors import AslibError
from aslib_eval.tables import PAPER, render
from aslib_eval.tables.paper_table import paper_table
from tests.tables.conftest import ACROSS, THREE, own


def test_values_across(lake: OpenLake, tmp_path: Path) -> None:
    table = paper_table(lake, own(tmp_path, "across", ACROSS))
    text = render(table, format="tex", bare=True)
    assert text.splitlines()[2:8] == [
        " & \\multicolumn{3}{c}{closed gap} & \\multicolumn{3}{c}{n} \\\\",
        "\\cmidrule(lr){2-4} \\cmidrule(lr){5-7}",
        "scenario & a & b & c & a & b & c \\\\",
        "\\midrule",
        "S & 0.2 & \\textbf{0.4} & -- & 1 & 2 & -- \\\\",
        # 0.1 and 0.14 look the same: both are bold.
        "T & -- & \\textbf{0.1} & \\textbf{0.1} & -- & 3 & 4 \\\\",
    ]
    html = render(table, format="html", bare=True)
    assert '<th class="group" colspan="3" scope="colgroup">closed gap</th>' in html
    assert 'table.cell(colspan: 3, align: center, "n")' in render(table, format="typ")
    head = render(table, format="csv").splitlines()[0]
    assert head == "scenario,closed gap a,closed gap b,closed gap c,n a,n b,n c"


def test_the_best_within_a_scenario_and_baselines_aside(lake: OpenLake, tmp_path: Path) -> None:
    text = """\
-- One row per scenario and solver.
-- key: scenario, solver
-- bold: cost min
-- rank: cost
-- within: scenario
-- scenario: scenario
-- kind: kind
-- solver: name
-- cost: mean cost
select * from (values
    ('S', 'baseline', 'VBS', 1.0), ('S', 'algorithm', 'a', 2.0),
    ('S', 'algorithm', 'b', 2.0), ('S', 'algorithm', 'c', 3.0),
    ('T', 'algorithm', 'a', 9.0)
) as t (scenario, kind, solver, cost)
"""
    table = paper_table(lake, own(tmp_path, "best", text))
    cells = [(row[2].text, row[3].is_bold, row[3].rank) for row in table.rows]
    assert cells == [
        ("VBS", False, None),
        ("a", True, 1),
        ("b", True, 1),
        ("c", False, 3),
        ("a", False, None),  # alone nobody is the best
    ]


# Two selectors on two scenarios, and one on the easier scenario alone.
MEANS = """\
-- One row per scenario and solver.
-- key: scenario, solver
-- across: solver gap
-- digits: gap 1
-- bold: gap max
-- rank: gap
-- foot: mean
-- scenario: scenario
-- solver: name
-- gap: 1 = VBS
select * from (values
    ('S', 'a', 0.2), ('S', 'b', 0.4), ('T', 'a', 0.6), ('T', 'b', 0.6), ('T', 'c', 0.9)
) as t (scenario, solver, gap)
"""
ASIDE = "(n = k): the value covers only k scenarios, fewer than others. It is neither ranked nor bold."
MEAN_ROWS = {
    "md": "| mean (n = 2) | 0.4 (2) | **0.5 (1)** | 0.9 (n = 1) |",
    "tex": "mean (n = 2) & 0.4 (2) & \\textbf{0.5 (1)} & 0.9 (n = 1) \\\\",
    "csv": "mean,2,0.4,0.5,0.9,1",
    "html": '<tr><td>mean (n = 2)</td><td class="number">0.4 (2)</td>'
    '<td class="number"><b>0.5 (1)</b></td><td class="number">0.9 (n = 1)</td></tr>',
    "typ": '"mean (n = 2)", "0.4 (2)", strong("0.5 (1)"), "0.9 (n = 1)",',
}


@pytest.mark.parametrize("format_", PAPER)
def test_a_mean_of_fewer_scenarios_does_not_compete(lake: OpenLake, tmp_path: Path, format_: str) -> None:
    table = paper_table(lake, own(tmp_path, "means", MEANS))
    text = render(table, format=format_)
    assert MEAN_ROWS[format_] in [line.strip() for line in text.split("\n")]
    assert table.notes[1:] == (ASIDE,)
    assert (ASIDE in text) == (format_ != "csv")


def test_means_of_as_many_but_other_scenarios_do_not_compete(lake: OpenLake, tmp_path: Path) -> None:
    text = MEANS.replace("('S', 'a', 0.2), ", "").replace("('T', 'b', 0.6), ", "")
    mean = paper_table(lake, own(tmp_path, "means", text)).rows[-1]
    cells = [(c.full, c.is_bold) for c in mean]
    assert cells == [
        ("mean (n = 2)", False),
        ("0.4 (n = 1)", False),
        ("0.6 (n = 1)", False),
        ("0.9 (n = 1)", False),
    ]


def test_each_protocol_has_its_own_mean(toy: Path, tmp_path: Path) -> None:
    lake = open_lake(toy, protocols=["default", "asf"])
    head = MEANS.partition("select")[0].replace("key: ", "key: protocol, ")
    head = head.replace("-- scenario:", "-- protocol: its name\n-- scenario:")
    query = """\
select * from (values
    ('asf', 'S', 'a', 0.1), ('asf', 'S', 'b', 0.2),
    ('default', 'S', 'a', 0.3), ('default', 'S', 'b', 0.1)
) as t (protocol, scenario, solver, gap)
"""
    table = paper_table(lake, own(tmp_path, "means", head + query))
    assert [[c.full for c in row] for row in table.summary_rows] == [
        ["asf", "mean (n = 1)", "0.1 (2)", "0.2 (1)"],
        ["default", "mean (n = 1)", "0.3 (1)", "0.1 (2)"],
    ]


OVER = """\
-- One row per solver.
-- key: solver
-- bold: gap max, speedup max
-- rank: gap
-- over: gap n all_gaps, speedup n_speedup all_speedups
-- hide: all_gaps, n_speedup, all_speedups
-- solver: name
-- n: scenarios with a gap
-- gap: mean closed gap
-- speedup: mean speedup
-- all_gaps: scenarios
-- n_speedup: scenarios with a speedup
-- all_speedups: scenarios
select * from (values
    ('a', 2, 0.25, 0.5, 2, 3, 3), ('b', 2, 0.5, 0.25, 2, 3, 3),
    ('c', 1, 0.75, 0.75, 2, 2, 3)
) as t (solver, n, gap, speedup, all_gaps, n_speedup, all_speedups)
"""


def test_a_query_says_of_how_many_its_means_are(lake: OpenLake, tmp_path: Path) -> None:
    table = paper_table(lake, own(tmp_path, "over", OVER))
    assert render(table, format="md", bare=True).splitlines()[2:] == [
        "| a | 2 | 0.25 (2) | **0.500** |",
        "| b | 2 | **0.5 (1)** | 0.250 |",
        "| c | 1 | 0.75 (n = 1) | 0.750 (n = 2) |",
    ]
    assert render(table, format="csv").splitlines()[::3] == [
        "solver,n,gap,gap n,speedup,speedup n",
        "c,1,0.75,1,0.75,2",
    ]
    assert table.notes[2:] == ("Means over n = 2 (gap), n = 3 (speedup).", ASIDE)


def test_where_all_are_equal_nobody_is_the_best(lake: OpenLake, tmp_path: Path) -> None:
    text = MEANS.replace("0.2", "0.4").replace("('T', 'c', 0.9)", "('T', 'c', 0.6)")
    table = paper_table(lake, own(tmp_path, "equal", text))
    assert not any(cell.is_bold for row in table.rows for cell in row)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("digits: gap 2", "'digits' names 'gap', which is no column"),
        ("digits: n two", "'two' is no number of decimals"),
        ("bold: n most", "'most' is none of max, min"),
        ("rank: n", "'rank' needs 'n' in 'bold'"),
        ("across: solver", "'across' names no column to spread"),
        ("foot: sum", "'sum' is none of mean, median"),
        ("mark: n cost days", "'days' is none of instances, scenarios"),
        ("hide: x", "'hide' names 'x', which is no column"),
        ("over: n x n", "'over' names 'x', which is no column"),
        ("over: n n", "'over' wants a column and two columns of counts"),
    ],
)
def test_a_header_that_cannot_be_followed(lake: OpenLake, tmp_path: Path, line: str, message: str) -> None:
    text = "-- One row per solver.\n-- key: solver\n-- {}\n-- solver: name\n-- n: size\n"
    file = own(tmp_path, "bad", text.format(line) + "select 'a' as solver, 1 as n")
    with pytest.raises(AslibError, match=re.escape(message)) as caught:
        paper_table(lake, file)
    assert str(caught.value).startswith(f"{file.path}: ")


def test_all_that_is_wrong_is_said_at_once(lake: OpenLake, tmp_path: Path) -> None:
    text = THREE.replace("digits: closed_gap", "digits: x")
    text = text.replace("foot: mean", "foot: y")
    with pytest.raises(AslibError, match=r"names 'x'.*; 'y' is none of"):
        paper_table(lake, own(tmp_path, "bad", text))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (THREE.replace("-- n: instances\n", ""), "documents solver, closed_gap"),
        (THREE.replace("select *", "select x"), "x"),
    ],
)
def test_a_query_that_does_not_fit(lake: OpenLake, tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(AslibError, match=message):
        paper_table(lake, own(tmp_path, "bad", text))


def test_a_column_of_numbers_without_any_is_left_out_and_named(lake: OpenLake, tmp_path: Path) -> None:
    none = THREE.replace("0.505", "null").replace("-0.25", "null")
    words = none.replace("-- foot: mean\n", "").replace("null, 5", "null::double, 5")
    table = paper_table(lake, own(tmp_path, "none", words))
    assert [column.name for column in table.columns] == ["solver", "n"]
    assert "Columns left out because they are empty: closed gap." in table.notes
    some = paper_table(lake, own(tmp_path / "some", "some", THREE))
    assert not [note for note in some.notes if note.startswith("Left out")]
