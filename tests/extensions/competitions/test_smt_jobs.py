# ruff: noqa: E501 - a row of a file a line
"""Jobs of StarExec with which SMT-COMP ran until 2023: rows, roles, and faults."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import aslib_eval as ae
from aslib_eval.extensions.competitions.published_pages import published
from aslib_eval.extensions.competitions.record import sentences
from aslib_eval.extensions.competitions.rules import Ranking
from aslib_eval.extensions.competitions.smt_tables import SmtResults, SmtRun, run_table_results
from aslib_eval.linter import check_paths
from tests.conftest import opened, rows
from tests.extensions.competitions.raw_files import messages

HEADER = "benchmark,solver,solver id,configuration,status"
HEADER += ",cpu time,wallclock time,result"
RUNS = """
    select instance_id, algorithm, runstatus, claim, judged, n_answers
    from raw_run left join raw_answer using (instance_id, algorithm, repetition)
    where measure = 'wall_time' order by all
"""


def put(folder: Path, track: str, *cells: str, more: str = "expected") -> Path:
    """A job of 2019: ``b.smt2 Yices`` and what stands behind the configuration."""
    lines = [f"{HEADER},{more}"]
    for at, each in enumerate(cells):
        space, _, said = each.rpartition("| ")
        name, solver, rest = said.split(" ", 2)
        path = f"Competition - {track} Track{space}/QF_BV/f/{name}.smt2"
        lines.append(f"{path},{solver},{at},default,{rest}")
    path = folder / "2019" / "job.csv"
    path.parent.mkdir()
    path.write_text("\n".join(lines) + "\n")
    return path


def runs(path: Path) -> list[tuple[object, ...]]:
    lake = path.parent / "lake"
    (done,) = ae.import_scenarios(path, into=lake)
    assert done.error is None
    with opened(lake) as there:
        return rows(there, RUNS)


def test_single_queries(tmp_path: Path) -> None:
    path = put(
        tmp_path,
        "Single Query",
        "a z3 complete,3,2,sat,sat",
        "a yices timeout (wallclock),2400,2400.1,starexec-unknown,sat",
        "b z3 complete,1,1,unsat,sat",
        "b yices memout,9,9,starexec-unknown,sat",
        "c z3 complete,1,1,starexec-unknown,starexec-unknown",
        "c yices post-processor error,1,1,--,starexec-unknown",
    )
    assert runs(path) == [
        ("QF_BV/f/a.smt2", "yices", "timeout", None, None, None),
        ("QF_BV/f/a.smt2", "z3", "ok", "sat", None, None),
        ("QF_BV/f/b.smt2", "yices", "memout", None, None, None),
        ("QF_BV/f/b.smt2", "z3", "wrong", "unsat", None, None),
        ("QF_BV/f/c.smt2", "yices", "other", "unknown", None, None),
        ("QF_BV/f/c.smt2", "z3", "other", "unknown", None, None),
    ]


def test_models_are_what_the_validator_says(tmp_path: Path) -> None:
    more = "expected,model_validator_status,model_validator_error"
    path = put(
        tmp_path,
        "Model Validation",
        "a z3 complete,1,1,sat,sat,VALID,none,-",
        "b z3 complete,1,1,--,sat,INVALID,missing_model_value,-",
        "c z3 complete,1,1,--,sat,INVALID,unhandled_exception,Line 1: sat expected",
        "d z3 complete,1,1,--,sat,INVALID,unhandled_exception,Line 7, no such symbol",
        more=f"{more},model_validator_exception",
    )
    assert [(row[2], row[4]) for row in runs(path)] == [
        ("ok", "right"),
        ("wrong", "wrong"),
        ("other", None),
        ("wrong", "wrong"),
    ]


def test_cores_and_answers_are_counted(tmp_path: Path) -> None:
    path = put(
        tmp_path,
        "Unsat Core",
        "a z3 complete,1,1,unsat,unsat,3,5,0",
        "b z3 complete,1,1,unsat,unsat,2,5,1",
        "c z3 complete,1,1,starexec-unknown,unsat,-,5,0",
        more="expected,size-unsat-core,number-of-assert-commands,result-is-erroneous",
    )
    assert [(row[2], row[5]) for row in runs(path)] == [("ok", 3), ("wrong", 2), ("other", None)]
    found = ae.competition("smtcomp2019-unsat-core", path).boards  # and sequential
    assert found.filter(solver="z3", part_of="all")["points"].to_list() == [2.0, 2.0]


def test_a_core_of_more_assertions_than_there_are(tmp_path: Path) -> None:
    path = put(
        tmp_path,
        "Unsat Core",
        "a z3 complete,1,1,unsat,unsat,6,5,0",
        "b z3 complete,1,1,unsat,unsat,5,5,0",
        more="expected,size-unsat-core,number-of-assert-commands,result-is-erroneous",
    )
    told = [each for each in messages(path) if "the core of" in each]
    assert len(told) == 1
    assert "run 1: the core of z3 on QF_" in told[0]


def test_who_does_not_compete(tmp_path: Path) -> None:
    path = put(
        tmp_path,
        "Single Query",
        "a z3 complete,3,2,sat,sat",
        " - Best 2018| a z3 complete,1,1,sat,sat",
        " - STP fixed| a stp complete,1,1,sat,sat",
    )
    found = ae.competition("smtcomp2019", path).boards
    some = found.filter(rule="smtcomp2019", part="all").sort("solver")
    assert some.select("solver", "role", "place").rows() == [
        ("2018-z3", "hors concours", None),
        ("VBS", "virtual", None),
        ("stp", "hors concours", None),
        ("z3", "competing", 1),
    ]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("a z3 complete,3,2,sat", "8 cells instead of 9"),
        ("- z3 complete,3,9000,sat,sat", "run 1: z3 answers after 9000 s"),
        (2 * ("a z3 complete,3,2,sat,sat",), "run 2, z3 on QF_BV/f/a.smt2, repeats run 1"),
    ],
)
def test_faults(tmp_path: Path, row: str | tuple[str, ...], message: str) -> None:
    path = put(tmp_path, "Single Query", *([row] if isinstance(row, str) else row))
    assert message in " ".join(str(each) for each in check_paths([path]))


def test_times_that_are_capped() -> None:
    runs = pl.DataFrame(
        {
            "instance_id": ["a", "b", "c", "d"],
            "solver": ["z3"] * 4,
            "claim": ["sat", "sat", None, None],
            "ended": ["ok", "ok", "memout", "timeout"],
            "wall": [1.0, 30.0, 2.0, 101.0],
            "cpu": [2.0, 120.0, 3.0, 99.0],
            "cutoff": [100.0] * 4,
        }
    )
    rule = {"clock": "wall", "times": "all", "capped": True}
    some = (
        {"rule": "parallel"},
        {"rule": "sequential", "sequential": True},
        {"rule": "short", "time_limit": 24},
    )
    found = Ranking().board(runs, [rule | each for each in some])
    assert found.filter(solver="z3").select("rule", "solved", "wall", "cpu").rows() == [
        ("parallel", 2, 1 + 30 + 100 + 100, 2 + 120 + 100 + 100),
        ("sequential", 1, 1 + 100 + 100 + 101, 2 + 100 + 100 + 99),
        ("short", 1, 1 + 24 + 24 + 24, 2 + 24 + 24 + 24),
    ]


def test_pages_of_challenges_and_trials(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    table = "<tr><th>Solver<th>Error Score<th>Correct Score<tr><td>z3<td>0<td>7"
    about = "Competition results for the QF_BV division in the"
    for said, board in (
        ("Challenge Track (non-incremental)", "challenge-non-incremental"),
        ("Model Validation Track (experimental)", "model-validation"),
        ("Unsat Core Track", "unsat-core"),
    ):
        page.write_text(
            f"<html><h2>QF_BV ({said})</h2><p>{about} {said}.</p>"
            f'<table id="parallel">{table}</table></html>'
        )
        assert {value.board for value in published(page)} == {board}


def test_runs_in_milliseconds_are_named_by_what_was_published(tmp_path: Path) -> None:
    path = put(
        tmp_path, "Single Query", "a z3 complete,100,100,sat,sat", "a yices complete,200,200,sat,sat"
    )
    page = tmp_path / "board.csv"
    page.write_text(
        "board,solver,column,value\nQF_BV,z3,cpu,0.1\nQF_BV,z3,wall,0.1\n"
        "QF_BV,yices,cpu,0.2\nQF_BV,yices,solved,1\n"
    )
    found = ae.competition("smtcomp2019", path, published=page)
    assert sentences(found, values=False)[:2] == [
        "3 of 4 published values differ from the computed values.",
        "The times of the runs are 1000 times the published times. Divide them by 1000.",
    ]
    assert found.published is not None
    assert found.published.explained is None


def job(*rows: str, more: str = "expected") -> SmtResults:
    content = "\n".join([f"{HEADER},{more}", *rows, ""])
    return run_table_results(content.encode(), 2019, "job.csv", beside={})


def run_of(found: SmtResults) -> SmtRun:
    ((one,),) = found.runs.values()
    return one


Q = "Competition - Single Query Track"


@pytest.mark.parametrize(
    ("row", "solver", "family", "word"),
    [
        (f"{Q}/QF_BV/f/g/a.smt2,z3,7,default,complete,3,2,SAT,sat", "z3", "f/g", "sat"),
        (f"{Q}/QF_BV/a.smt2,z3,7,,complete,3,2,--,sat", "z3", "", "unknown"),
        (f"{Q}/QF_BV/f/a.smt2,z3,7,fast,TIMEOUT (CPU),3,2,-,-", "z3 fast", "f", "Timeout"),
        (f"{Q}/again/QF_BV/f/a.smt2,z3,7,default,error,3,2,-,-", "z3", "f", "unknown"),
        (f"{Q.lower()} fixed/QF_BV/f/a.smt2,z3,7,x,memout,3,2,-,-", "z3 x", "f", "OutOfMemory"),
        (f"{Q} - Best of 2018/QF_BV/f/a.smt2,z3,7,x,memout,3,2,-,-", "2018-z3 x", "f", "OutOfMemory"),
    ],
)  # fmt: skip
def test_what_a_row_of_a_job_says(row: str, solver: str, family: str, word: str) -> None:
    found = job(row)
    assert found.findings == ()
    one = run_of(found)
    assert (one.solver, one.benchmark.family, one.word) == (solver, family, word)
    assert (one.benchmark.logic, one.benchmark.name) == ("QF_BV", "a.smt2")
    assert (one.wall, one.cpu, one.n_answers) == (2.0, 3.0, None)
    assert found.outside == ({solver} if "2018" in row or "fixed" in row else set())


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (f"{Q}/QF_BV,z3,7,default,complete,3,2,sat,sat", f"'{Q}/QF_BV' does not name track, logic and file"),
        ("Elsewhere/QF_BV/a.smt2,z3,7,default,complete,3,2,sat,sat", "'Elsewhere/QF_BV/a.smt2' does not name track, logic and file"),
        (f"{Q}/QF_BV/a.smt2,z3,7,default,running,3,2,sat,sat", "'running' is not the status of a finished run"),
        (f"{Q}/QF_BV/a.smt2,z3,7,default,complete,3,2,maybe,sat", "'maybe' is not a result"),
        (f"{Q}/QF_BV/a.smt2,z3,7,default,complete,-3,2,sat,sat", "a time is not a number of seconds from 0"),
    ],
)  # fmt: skip
def test_what_a_row_of_a_job_cannot_say(row: str, message: str) -> None:
    (finding,) = job(row).findings
    assert (finding.message, finding.line, finding.severity) == (message, 2, "error")


def test_rows_of_an_unknown_track_are_one_finding(tmp_path: Path) -> None:
    path = put(tmp_path, "Lottery", *[f"{name} z3 complete,1,1,sat,sat" for name in "zabcd"])
    path.write_text(path.read_text().replace("Lottery", "Single Query", 1))
    (found,) = messages(path)
    assert "job.csv:3: 'Competition - Lottery Track/QF_BV/f/a.smt2' does not name" in found
    assert "; 4 such rows." in found
    assert "The track 'Competition - Lottery Track' is unknown; known are" in found


def test_a_job_of_no_known_track_is_any_job_of_starexec(tmp_path: Path) -> None:
    path = put(tmp_path, "Lottery", "a z3 complete,1,1,sat,sat")
    done = ae.import_scenarios(path, into=tmp_path / "lake", cutoff=9)
    assert [(each.scenario_id, each.error) for each in done] == [("job", None)]


def test_the_application_track_is_the_incremental_one(tmp_path: Path) -> None:
    more = "expected,wrong-answers,correct-answers"
    said = ["a z3 complete,3,2,--,--,0,924548", "a yices complete,9,8,--,--,0,7"]
    path = put(tmp_path, "Application", *said, more=more)
    assert runs(path) == [
        ("QF_BV/f/a.smt2", "yices", "ok", None, None, 7),
        ("QF_BV/f/a.smt2", "z3", "ok", None, None, 924548),
    ]
    with opened(path.parent / "lake") as there:
        track = "select value from raw_attribute where attribute = 'track'"
        assert rows(there, track) == [("incremental",)]


def test_answers_of_incremental_runs_are_counted() -> None:
    more = "expected,wrong-answers,correct-answers"
    begin = "Competition - Incremental Track/QF_BV/f/a.smt2,z3,7,default"
    said = {
        f"{begin},complete,3,2,-,-,0,5": ("incremental", 5),
        f"{begin},complete,3,2,-,-,1,5": ("IncrementalError", 5),
        f"{begin},error,3,2,-,-,0,0": ("unknown", 0),
        f"{begin},timeout (wallclock),3,2,-,-,0,4": ("Timeout", 4),
        f"{begin},complete,3,2,-,-,-,-": ("IncrementalError", None),
    }
    for row, expected in said.items():
        one = run_of(job(row, more=more))
        assert (one.word, one.n_answers) == expected
        assert one.benchmark.incremental
