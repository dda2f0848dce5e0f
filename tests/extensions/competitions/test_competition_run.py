"""What ``competition_run`` has of lakes with answers and without."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import aslib_eval as ae

ANSWERED = """instance,solver,cpu_time,wall_time,status,result,expected,family
i,ant,40,10,ok,sat,sat,f
i,bee,5,5,ok,unsat,sat,f
j,ant,99,60,timeout,,,g
j,bee,8,7,ok,unsat,,g
"""
QUALITY = """instance,solver,objective,status
i,ant,3,ok
i,bee,,timeout
"""


def asked(home: Path, text: str, columns: str, **choices: Any) -> list[tuple[Any, ...]]:
    (home / "entered.csv").write_text(text)
    ae.import_runs(home / "entered.csv", into=home / "lake", **choices)
    sql = f"select {columns} from competition_run order by instance_id, solver"
    return ae.query(sql, lake=home / "lake").rows()


def test_answers_and_both_times(tmp_path: Path) -> None:
    columns = "instance_id, solver, claim, judged, truth, cpu, wall, cutoff, family"
    assert asked(tmp_path, ANSWERED, columns, cutoff=60) == [
        ("i", "ant", "sat", None, "sat", 40, 10, 60, "f"),
        ("i", "bee", "unsat", "wrong", "sat", 5, 5, 60, "f"),
        ("j", "ant", None, None, None, 99, 60, 60, "g"),
        ("j", "bee", "unsat", None, None, 8, 7, 60, "g"),
    ]


@pytest.mark.parametrize(
    ("times", "cpu", "wall"),
    [("time,real", 40, 10), ("real,time", 10, 40), ("cpu_time,time", 40, 10), ("time,cpu_time", 10, 40)],
)
def test_of_two_times_one_is_of_each_clock(tmp_path: Path, times: str, cpu: int, wall: int) -> None:
    text = f"instance,solver,{times},status\ni,ant,40,10,ok\n"
    assert asked(tmp_path, text, "cpu, wall", cutoff=60) == [(cpu, wall)]


def test_without_answers_the_status_and_the_cutoff_say_what_is_solved(tmp_path: Path) -> None:
    text = "instance,solver,time,status\ni,ant,5,ok\ni,bee,70,ok\nj,ant,9,crash\n"
    text += "j,bee,60,ok\n"
    columns = "instance_id, solver, claim, cpu, wall, ended, sense"
    assert asked(tmp_path, text, columns, cutoff=60) == [
        ("i", "ant", "solved", 5, 5, "ok", None),
        ("i", "bee", None, 70, 70, "ok", None),
        ("j", "ant", None, 9, 9, "crash", None),
        ("j", "bee", "solved", 60, 60, "ok", None),
    ]


def test_verdicts_of_verifiers_and_their_points(tmp_path: Path) -> None:
    """By SV-COMP: 2 for a right true, -32 for a wrong one, 1 and -16 for false."""
    head = "instance,solver,time,status,ground_truth"
    runs = ["i,a,5,ok,true", "j,a,6,wrong,true", "k,a,7,ok,false(reach)"]
    runs += ["l,a,8,wrong,false", "i,b,5,ok,true", "j,b,9,timeout,true"]
    runs += ["k,b,5,wrong,false(reach)", "l,b,5,ok,false"]
    text = "\n".join([head, *runs, ""])
    found = asked(tmp_path, text, "instance_id, solver, claim, judged, truth", cutoff=60)
    assert found[:4] == [
        ("i", "a", "solved", None, "unsat"),
        ("i", "b", "solved", None, "unsat"),
        ("j", "a", "solved", "wrong", "unsat"),
        ("j", "b", None, None, "unsat"),
    ]
    board = ae.score(tmp_path / "lake", rule="svcomp").filter(part_of="all")
    assert board.select("solver", "points", "errors").sort("solver").rows()[1:] == [
        ("a", 2 - 16 + 1 - 32, 2),
        ("b", 2 - 32 + 1, 1),
    ]


def test_a_quality_is_an_objective(tmp_path: Path) -> None:
    columns = "solver, claim, objective, sense, cutoff"
    assert asked(tmp_path, QUALITY, columns) == [
        ("ant", "solution", 3, "minimize", None),
        ("bee", None, None, "minimize", None),
    ]
