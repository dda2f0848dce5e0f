"""Tables of SAT Competitions with a row a run: each year's columns, and faults."""

from __future__ import annotations

from pathlib import Path

import pytest

import aslib_eval as ae
from tests.conftest import Row, opened, rows
from tests.extensions.competitions.raw_files import lake_of, messages

OF_2018 = """\
benchmark,solver,configuration,solver time,status,result,verifier time,verifier result
sat/a.cnf,kissat,main,1.5,complete,SAT-VERIFIED,0.1,--
sat/b.cnf,kissat,main,2.5,complete,UNSAT,9,UNSAT-VERIFIED
sat/c.cnf,kissat,main,3.5,complete,UNSAT,9,DRATmemout
sat/d.cnf,kissat,main,5000.2,timeout (wallclock),SAT-VERIFIED,0.1,--
sat/a.cnf,kissat,other,4,memout,UNKNOWN,0.1,--
sat/b.cnf,kissat,other,5,complete,SAT-INCORRECT,0.1,--
sat/c.cnf,kissat,other,6,complete,UNKNOWN,0.1,--
sat/d.cnf,kissat,other,5000.1,timeout(cpu),UNKNOWN,0.1,--
"""
# The header of a table whose rows were sorted.
PARALLEL = """\
a.cnf,plingeling,x,SATISFIABLE,7
b.cnf,plingeling,x,WRONGUNSAT,10000
benchmark,solver,configuration,result,score
a.cnf,treengeling,x,UNKNOWN,10000
b.cnf,treengeling,x,UNSATISFIABLE,8
"""
RUNS = """
    select instance_id, algorithm, value, runstatus, said, claim, judged
    from raw_run
    left join raw_answer using (scenario_id, instance_id, repetition, algorithm)
    order by algorithm, instance_id
"""


def put(folder: Path, text: str, name: str = "sat2018/main.csv") -> Path:
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    return path


def test_unsat_counts_where_its_proof_was_verified(tmp_path: Path) -> None:
    con = opened(lake_of(put(tmp_path, OF_2018)))
    one, other = "kissat main", "kissat other"
    assert rows(con, RUNS) == [
        ("sat/a.cnf", one, 1.5, "ok", "SAT-VERIFIED", "sat", "right"),
        ("sat/b.cnf", one, 2.5, "ok", "UNSAT UNSAT-VERIFIED", "unsat", "right"),
        ("sat/c.cnf", one, 3.5, "other", "UNSAT DRATmemout", None, None),
        ("sat/d.cnf", one, 5000.2, "ok", "SAT-VERIFIED", "sat", "right"),
        ("sat/a.cnf", other, 4.0, "memout", None, None, None),
        ("sat/b.cnf", other, 5.0, "wrong", "SAT-INCORRECT", "sat", "wrong"),
        ("sat/c.cnf", other, 6.0, "other", None, None, None),
        ("sat/d.cnf", other, 5000.1, "timeout", None, None, None),
    ]
    asked = "select scenario_id, measure, cutoff from raw_scenario"
    assert rows(con, asked) == [("SAT-2018-main", "runtime", 5000.0)]
    asked = "select instance_id, value from raw_attribute where attribute = "
    truth: list[Row] = [("sat/a.cnf", "sat"), ("sat/b.cnf", "unsat")]
    truth += [("sat/d.cnf", "sat")]
    assert rows(con, f"{asked} 'ground_truth' order by all") == truth


def test_par2_is_summed_up_in_2018(tmp_path: Path) -> None:
    record = ae.competition("sat2018", put(tmp_path, OF_2018))
    board = record.boards.filter(record.boards["solver"] != "VBS")
    assert board.select("solver", "place", "solved", "points").rows() == [
        ("kissat main", 1, 3, 1.5 + 2.5 + 10_000 + 5000.2),
        ("kissat other", None, 0, 40_000.0),
    ]


def test_its_page_says_roles_in_a_note(tmp_path: Path) -> None:
    page = """<html><h3>Main Track</h3><table><tr><th>Score</th><th>Total Solved</th>
    <th>SAT Solved</th><th>UNSAT Verified</th><th>(UNSAT Claimed)</th>
    <th>Solver Name</th><th>Note</th></tr>
    <tr><td>15004.2</td><td>3</td><td>2</td><td>1</td><td>0 / 1</td>
    <td>kissat, main</td><td></td></tr>
    <tr><td>40000</td><td>0</td><td>0</td><td>0</td><td>0 / 0</td>
    <td>kissat, other</td><td>disqualified*</td></tr></table>
    <h3>Parallel Track</h3><table><tr><th>Solver Name</th><th>Score</th></tr>
    <tr><td>plingeling</td><td>1</td></tr></table></html>"""
    published = tmp_path / "results.html"
    published.write_text(page)
    record = ae.competition("sat2018", put(tmp_path, OF_2018), published=published)
    assert record.published is not None
    assert (record.published.cells.height, record.differs) == (8, False)
    assert record.published.passed_over == ("the board parallel: 1 value",)


def test_its_header_may_stand_between_its_rows(tmp_path: Path) -> None:
    con = opened(lake_of(put(tmp_path, PARALLEL, "sat2018/parallel18.csv")))
    assert [(row[0], *row[2:]) for row in rows(con, RUNS)] == [
        ("a.cnf", 7.0, "ok", "SATISFIABLE", "sat", None),
        ("b.cnf", 10000.0, "wrong", "WRONGUNSAT", "unsat", "wrong"),
        ("a.cnf", 10000.0, "timeout", None, None, None),
        ("b.cnf", 8.0, "ok", "UNSATISFIABLE", "unsat", None),
    ]
    assert rows(con, "select scenario_id from raw_scenario") == [("SAT-2018-parallel",)]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("1.5", "", "main.csv:2: '' of kissat main is not a time. Write a number"),
        ("1.5", "-1", "main.csv:2: '-1' of kissat main is not a time"),
        (",3.5,", ",", "main.csv:4: 7 cells instead of 8. Fetch the file again if it was cut."),
        ("DRATmemout", "DRATmemout,", "main.csv:4: 9 cells instead of 8"),
        ("UNSAT-VERIFIED", "UNSAT-VERI", "'UNSAT-VERI' is not a verdict of the verifier"),
        ("UNSAT-VERIFIED", "", "'' is not a verdict of the verifier"),
        (",verifier result", ",other", "'verifier time' but no column 'verifier r"),
        (",status,", ",state,", "'solver time' but no column 'status'"),
        ("SAT-INCORRECT", "SAT-WRONG", "'SAT-WRONG' of kissat other is not an answer"),
        ("b.cnf,kissat,m", "a.cnf,kissat,m", "occurs twice, first in line 2"),
        ("sat/d.cnf,kissat,other,5000.1", "#", "5 cells instead of 8"),
        ("0.1,--\n", "0.1,--\n\n\n", ""),
        ("complete,SAT-V", "sat,SAT-V", "main.csv:2: 'sat' of kissat main is not a status"),
        ("5000.2", "5000200", "If times are in milliseconds, divide them by 1000 and keep the words."),
    ],
)
def test_faults(tmp_path: Path, old: str, new: str, message: str) -> None:
    found = messages(put(tmp_path, OF_2018.replace(old, new, 1)))
    assert any(message in each for each in found)


def test_a_run_that_is_missing_and_a_line_without_an_end(tmp_path: Path) -> None:
    whole = OF_2018.rstrip()
    found = messages(put(tmp_path, whole[: whole.rindex("\n")]))
    assert any("kissat other has 3 of 4 runs. Fetch the file again if it was cut." in m for m in found)
    assert any("the last line has no line end: the file may be incomplete" in m for m in found)


def test_where_nobody_verified_unsat_counts_and_memory_runs_out(tmp_path: Path) -> None:
    text = OF_2018.replace("UNSAT-VERIFIED", "--").replace("memout", "OutOfMemory", 2)
    con = opened(lake_of(put(tmp_path, text.replace("DRATOutOfMemory", "--"))))
    found = [row[2:] for row in rows(con, RUNS)]
    assert found[1] == (2.5, "ok", "UNSAT --", "unsat", None)
    assert found[4] == (4.0, "memout", None, None, None)
