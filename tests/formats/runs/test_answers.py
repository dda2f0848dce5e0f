# ruff: noqa: E501 - a case a line
"""What runs answered, beside how they ended, against the truth and each other."""

from __future__ import annotations

from pathlib import Path

import pytest

import aslib_eval as ae
from tests.conftest import opened, rows
from tests.formats.runs.test_runs import lake_of, refused, runs_of, said

BOTH = "instance,solver,time,status,result\n"


@pytest.mark.parametrize(
    ("status", "result", "meant"),
    [
        ("ok", "sat", "ok"),
        ("complete", "UNSAT", "ok"),
        ("ok", "unknown", "other"),
        ("ok", "unknown,unknown", "other"),
        ("ok", "none", "other"),
        ("ok", "", "other"),
        ("complete", "timeout", "timeout"),
        ("complete", "error", "crash"),
        ("to", "none", "timeout"),
        ("to", "sat", "timeout"),
        ("mo", "unknown", "memout"),
        ("ee", "none", "crash"),
        ("unsat", "correct", "ok"),
        ("ok", "incorrect", "wrong"),
        ("ok", "true", "ok"),
    ],
)
def test_the_answer_decides_where_the_run_ended(
    tmp_path: Path, status: str, result: str, meant: str
) -> None:
    quoted = f'i,ant,3,{status},"{result}"\n'
    ((*_, found),) = runs_of(tmp_path / "t.csv", BOTH + quoted, cutoff=60)
    assert found == meant


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("instance,ant:time,ant:status,ant:result\ni,3,ok,unknown\n", ["other"]),
        (",ant,ant,ant\ninstance,time,status,result\ni,3,ok,unknown\n", ["other"]),
        ("instance,solver,time,status,solved\ni,ant,3,ok,0\nj,ant,3,ok,1\n", ["other", "ok"]),
        # A single column of answers is compared with the truth too.
        ("instance,solver,time,result,expected\ni,ant,3,sat,unsat\n", ["wrong"]),
        ("instance,solver,time,status,expected\ni,ant,3,sat,unsat\n", ["wrong"]),
        ("instance,solver,time,result,ground_truth\ni,ant,3,sat,unsat\n", ["wrong"]),
        # True and false are answers where they are expected.
        (
            "instance,solver,time,verdict,expected\ni,ant,3,false,false\ni,bee,3,true,false\nj,ant,3,true,true\nj,bee,3,no,true\n",
            ["ok", "wrong", "ok", "wrong"],
        ),
        # Words of success and an optimum contradict nothing.
        (
            "instance,solver,time,status,expected\ni,ant,3,ok,unsat\ni,bee,3,solved,unsat\nj,ant,3,optimum found,sat\nj,bee,3,OPTIMAL,sat\n",
            ["ok"] * 4,
        ),
    ],
)
def test_where_answers_stand(tmp_path: Path, text: str, meant: list[str]) -> None:
    assert [status for *_, status in runs_of(tmp_path / "t.csv", text, cutoff=60)] == meant


@pytest.mark.parametrize("word", ["17", "false", "no", "sat,unsat"])
def test_an_answer_that_nobody_knows_is_refused(tmp_path: Path, word: str) -> None:
    path = tmp_path / "t.csv"
    text = f'{BOTH}i,ant,3,ok,sat\nj,ant,3,ok,"{word}"\n'
    assert refused(path, text, cutoff=60) == ["3: runs-table"]
    (told,) = said(path, "runs-table", cutoff=60)
    assert told == f"3: cannot interpret the answer {word!r} (1 run)"
    found = rows(
        opened(lake_of(path, cutoff=60, column={"ignore": "result"})),
        "select count(*) from raw_run where runstatus = 'ok'",
    )
    assert found == [(2,)]
    lake_of(path, cutoff=60, status={word: "ok"})


def test_two_columns_of_answers_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    text = "instance,solver,time,result,verdict\ni,ant,3,sat,unknown\n"
    assert refused(path, text, cutoff=60) == ["1: runs-table"]
    column = {"answer": "verdict", "status": "result"}
    ((*_, found),) = runs_of(path, text, cutoff=60, column=column)
    assert found == "other"


EXPECTED = """\
instance,solver,time,status,result,expected
i,ant,3,complete,sat,sat
i,bee,4,complete,unsat,sat
j,ant,3,complete,unsat,unknown
j,bee,5,complete,sat,unknown
k,ant,3,complete,UNSATISFIABLE,unsat
k,bee,9,timeout,sat,unsat
"""


def test_answers_are_compared_with_the_truth_and_each_other(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    found = runs_of(path, EXPECTED, cutoff=60)
    assert [(i, solver, status) for i, _, solver, _, _, status in found] == [
        ("i", "ant", "ok"),
        ("i", "bee", "wrong"),
        ("j", "ant", "ok"),
        ("j", "bee", "ok"),
        ("k", "ant", "ok"),
        ("k", "bee", "timeout"),
    ]
    assert said(path, "runs-wrong", cutoff=60) == ["3: bee gave a wrong answer in 1 run: not solved (i)"]
    assert said(path, "runs-verdict", cutoff=60) == [
        "5: on j, ant says unsat and bee says sat; one answer must be wrong, but all count as solved"
    ]
    about = said(path, "runs-understood", cutoff=60)
    assert (
        "1: the column 'expected' is read as an attribute of the instances, with 2 values on 2"
        " instances; to leave it out, add --column ignore=expected"
    ) in about
    con = ae.connect(lake_of(path, cutoff=60))
    truth = "select instance_id, attribute, value from raw_attribute order by all"
    assert rows(con, truth) == [("i", "ground_truth", "sat"), ("k", "ground_truth", "unsat")]
    disputed = "select instance_id, role, label from raw_reference"
    assert rows(con, disputed) == [("j", "disputed", "sat, unsat")]
    solved = "select solver, solved from solver_score where kind = 'algorithm'"
    assert sorted(rows(con, solved)) == [("ant", 1.0), ("bee", pytest.approx(1 / 3))]


SAID = "select instance_id, algorithm, said, claim, objective from raw_answer order by all"


def test_what_solvers_said_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(
        "instance,solver,time,status\ni,ant,3,OPTIMUM FOUND\ni,bee,3,satisfiable\n"
        "j,ant,4,UNSAT\nj,bee,60,unknown\n"
    )
    assert rows(opened(lake_of(path, cutoff=60)), SAID) == [
        ("i", "ant", "OPTIMUM FOUND", "optimal", None),
        ("i", "bee", "satisfiable", "sat", None),
        ("j", "ant", "UNSAT", "unsat", None),
    ]


def test_answers_are_all_kept_or_none(tmp_path: Path) -> None:
    for other in ("ok", "true", "solved"):
        path = tmp_path / f"{other}.csv"
        path.write_text(f"instance,solver,time,status\ni,ant,3,sat\ni,bee,3,{other}\n")
        con = opened(lake_of(path, cutoff=60, scenario_id=other))
        assert rows(con, f"{SAID.partition(' order')[0]} where algorithm = 'ant'") == []


def test_a_solution_with_an_objective_is_no_proof(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("instance,solver,cost,status\ni,ant,7,OPTIMUM FOUND\ni,bee,9,satisfiable\n")
    assert rows(opened(lake_of(path)), SAID) == [
        ("i", "ant", "OPTIMUM FOUND", "optimal", 7.0),
        ("i", "bee", "satisfiable", "solution", 9.0),
    ]


def test_answers_in_words_of_a_user_are_compared(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("instance,solver,time,result\ni,ant,3,SAFE\ni,bee,3,UNSAFE\n")
    assert said(path, "runs-verdict", cutoff=60, status=["SAFE=ok", "UNSAFE=ok"]) == [
        "3: on i, ant says SAFE and bee says UNSAFE; one answer must be wrong, but all count as solved"
    ]


HARDWARE = {"avr": 200, "btor2-cert": 14, "btormc": 121, "nuxmv": 133, "pono": 149}


def test_hardware_model_checking_2024(shared: Path, tmp_path: Path) -> None:
    folder = shared / "competitions" / "real-files" / "hwmcc24"
    lake = tmp_path / "lake"
    column = {"time": "time_real", "ignore": "time_cpu"}
    ae.import_runs(folder / "hwmcc24_btor2_array.csv", into=lake, cutoff=3600, column=column)
    query = "select solver, sum(solved) from instance_solver where kind = 'algorithm'"
    assert dict(rows(opened(lake), f"{query} group by all")) == HARDWARE


def test_an_answer_of_a_run_that_was_stopped_is_told(tmp_path: Path) -> None:
    """And none where it gave none: the status decides about both."""
    path = tmp_path / "t.csv"
    path.write_text(
        "instance,solver,time,status,answer\n"
        "i,ant,60,timeout,sat\ni,bee,60,timeout,unknown\ni,cat,5,ok,sat\n"
    )
    marks = said(path, "runs-timeouts", cutoff=60)
    told = [text for text in marks if "with the status" in text]
    assert told == ["2: counted 1 run with the answer 'sat' with the status 'timeout' as timeout"]


def test_memory_is_no_value_of_a_solution(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("instance,solver,time,status,memory\ni,ant,3,sat,512\n")
    con = opened(lake_of(path, cutoff=60, measure_column=["memory"]))
    assert rows(con, SAID) == [("i", "ant", "sat", "sat", None)]
