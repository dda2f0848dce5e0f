# ruff: noqa: E501 - a case a line
"""Small tables, each with all that it becomes."""

from __future__ import annotations

from typing import Any

import pytest

from tests.formats.runs.test_findings import becomes


@pytest.mark.parametrize(
    ("text", "choices", "runs", "said"),
    [
        (
            "instance,a_accuracy,b_accuracy,c\ni,0.5,0.6,0.7\nj,0.4,0.8,0.9\n", {"cells": "accuracy"},
            "",
            "1 runs-understood 2 'a' 'a_accuracy' | 1 runs-table 'accuracy' 'c' --column ignore=c",
        ),
        (
            "instance,ant,bee\ni,1.5,0\nj,30,0\n", {"cutoff": 100},
            "i ant 1.5 ok | i bee 0 ok | j ant 30 ok | j bee 0 ok",
            "1 runs-direction --cells NAME --maximize NAME --minimize NAME | 2 value-zero 2 'bee' 0 | 1 runs-understood 'instance' | 1 runs-understood 2 | 1 runs-understood 2 1 4 100 | 1 runs-understood 4",
        ),
        (
            "instance,solver,time,wall\ni,a,0,3\nj,a,0,4\ni,b,1,2\nj,b,2,3\n", {"cutoff": 100},
            "i a 0 ok 3 ok | j a 0 ok 4 ok | i b 1 ok 2 ok | j b 2 ok 3 ok",
            "2 value-zero 2 'a' 0 --column time=wall | 1 runs-understood 'instance' 'solver' 'time' 'wall' | 1 runs-understood 2 | 1 runs-understood 2 1 4 100 | 1 runs-understood 4",
        ),
        (
            "tool,i1,i2\na,1,2\nb,2,x\n", {"cutoff": 9},
            "",
            "1 runs-table 1 2 --column instance=NAME",
        ),
        (
            "tool,i1,i2\na,1,2\nb,2,3\n", {"cutoff": 9},
            "",
            "1 runs-table",
        ),
        (
            "instance,solver,status,objective,accuracy\ni,a,ok,3,0.5\ni,b,ok,4,0.6\nj,a,ok,3,0.7\nj,b,timeout,,0.8\n", {},
            "i a 3 ok | i b 4 ok | j a 3 ok | j b - timeout",
            "1 runs-table 'objective' 'accuracy' 'objective' --column ignore=accuracy 'accuracy' --column objective=accuracy --maximize accuracy | 1 runs-direction --maximize objective | 1 runs-understood 'instance' 'solver' 'objective' 'status' | 1 runs-understood 2 | 1 runs-understood 2 1 4 | 1 runs-understood 3 1",
        ),
        (
            "instance,solver,time,status,accuracy\ni,a,3,ok,0.5\ni,b,4,ok,0.6\nj,a,3,ok,0.7\nj,b,9,timeout,0.8\n", {"cutoff": 9},
            "i a 3 ok | i b 4 ok | j a 3 ok | j b 9 timeout",
            "1 runs-understood 'instance' 'solver' 'time' 'status' | 1 runs-understood 2 | 1 runs-understood 2 1 4 9 | 1 runs-understood 3 1",
        ),
        (
            "instance,ant,bee,elapsed\ni,1,2,3\nj,2,3,4\n", {"column": ["time=elapsed"], "cutoff": 9},
            "",
            "1 runs-table --column solver=NAME --one-file-per solver --column ignore=elapsed",
        ),
        (
            "instance,ant,bee,elapsed\ni,1,2,3\nj,2,3,4\n", {"column": ["ignore=elapsed"], "cutoff": 9},
            "i ant 1 ok | i bee 2 ok | j ant 2 ok | j bee 3 ok",
            "1 runs-direction --cells NAME --maximize NAME --minimize NAME | 1 runs-understood 'instance' | 1 runs-understood 2 | 1 runs-understood 2 1 4 9 | 1 runs-understood 4",
        ),
        (
            "benchmark,solver,time,solver,time,family,track\ni,a,1,b,2,f,t\nj,a,3,f,t\n", {"cutoff": 9},
            "i a 1 ok | i b 2 ok",
            "3 runs-table 5 7 | 1 runs-understood 2 | 1 runs-understood 'benchmark' 'solver' 'family' 'time' | 1 runs-understood 'family' 1 1 --column ignore=family | 1 runs-understood 'track' 1 1 --column ignore=track | 1 runs-understood 1 1 2 9",
        ),
        (
            "instance,solver,time,cutoff\ni,a,3,10\ni,b,5,10\nj,a,20,20\nj,b,9,20\n", {},
            "i a 3 ok | i b 5 ok | j a 20 timeout | j b 9 ok",
            "2 runs-understood 2 | 1 runs-understood 'instance' 'solver' 'cutoff' 'time' | 1 runs-understood 2 | 1 runs-understood 2 1 4 20 | 1 runs-understood 3 1 | 4 runs-timeouts 1",
        ),
        (
            "instance,solver,time,status\ni,a,3,?\ni,b,4,ok\n", {"cutoff": 9},
            "i a 3 other | i b 4 ok",
            "2 runs-table '?' 1 --status '?=other' | 1 runs-understood 'instance' 'solver' 'time' 'status' | 1 runs-understood 2 | 1 runs-understood 1 1 2 9 | 1 runs-understood 1 1",
        ),
        (
            "instance,solver,time,status\ni,a,3,ok\ni,b,12001,timeout\nj,a,4,ok\nj,b,12000,timeout\nk,a,4,ok\nk,b,5,ok\n", {"cutoff": 60},
            "i a 3 ok | i b 12001 timeout | j a 4 ok | j b 12000 timeout | k a 4 ok | k b 5 ok",
            "1 runs-limit 1 60 12001 | 1 runs-understood 'instance' 'solver' 'time' 'status' | 1 runs-understood 2 | 1 runs-understood 3 1 6 60 | 1 runs-understood 4 2",
        ),
        (
            "instance,solver,wall time,status\ni,a,3,ok\ni,b,661,timeout\nj,a,4,ok\nj,b,660,timeout\nk,a,4,ok\nk,b,5,ok\n", {"cutoff": 60},
            "i a 3 ok | i b 661 timeout | j a 4 ok | j b 660 timeout | k a 4 ok | k b 5 ok",
            "1 runs-understood 'instance' 'solver' 'wall time' 'status' | 1 runs-understood 2 | 1 runs-understood 3 1 6 60 | 1 runs-understood 4 2",
        ),
        (
            "instance,ant,bee\ni,3,5\nj,4,TO\n", {"cutoff": 9, "scenario_id": "X"},
            "i ant 3 ok | i bee 5 ok | j ant 4 ok | j bee - timeout",
            "1 runs-understood | 1 runs-understood 'instance' | 1 runs-understood 2 | 1 runs-understood 2 1 4 9 | 1 runs-understood 3 1 | 3 runs-timeouts 1 'TO'",
        ),
        (
            "instance,solver,time,status,expected,family\ni,a,3,sat,sat,f\ni,b,4,unsat,sat,f\nj,a,3,unsat,unsat,g\nj,b,4,unsat,unsat,g\n", {"cutoff": 9},
            "i a 3 ok sat | i b 4 wrong unsat | j a 3 ok unsat | j b 4 ok unsat",
            "3 runs-wrong 1 | 1 runs-understood 'instance' 'solver' 'expected' 'family' 'time' 'status' | 1 runs-understood 'family' 2 2 --column ignore=family | 1 runs-understood 'expected' 2 2 --column ignore=expected | 1 runs-understood 2 | 1 runs-understood 2 1 4 9 | 1 runs-understood 3 1 | 2 runs-timeouts 1 'sat' | 3 runs-timeouts 3 'unsat'",
        ),
        (
            "instance,solver,time,status\ni0,a,100,ok\ni1,a,100,ok\ni2,a,100,ok\ni3,a,100,ok\ni4,a,100,ok\ni5,a,3,ok\ni6,a,40,ok\n", {"cutoff": 300},
            "i0 a 100 ok | i1 a 100 ok | i2 a 100 ok | i3 a 100 ok | i4 a 100 ok | i5 a 3 ok | i6 a 40 ok",
            "1 runs-limit 5 100 300 40 2 --cutoff 50 | 1 runs-understood 'instance' 'solver' 'time' 'status' | 1 runs-understood 1 | 1 runs-understood 7 1 7 300 | 1 runs-understood 7",
        ),
        (
            "instance,solver,time,status\ni0,a,100,ok\ni1,a,100,ok\ni2,a,100,ok\ni3,a,100,ok\ni4,a,100,ok\ni5,a,3,ok\ni6,a,60,ok\n", {"cutoff": 300},
            "i0 a 100 ok | i1 a 100 ok | i2 a 100 ok | i3 a 100 ok | i4 a 100 ok | i5 a 3 ok | i6 a 60 ok",
            "1 runs-limit 5 100 300 --cutoff 100 | 1 runs-understood 'instance' 'solver' 'time' 'status' | 1 runs-understood 1 | 1 runs-understood 7 1 7 300 | 1 runs-understood 7",
        ),
        (
            "instance,a_time,a_wall,a_accuracy,b_time,b_wall,b_accuracy\ni,1,2,0.5,2,3,0.6\nj,1,2,0.4,2,3,0.8\n", {},
            "",
            "1 runs-understood 2 'a' 'a_time' 'a_wall' 'a_accuracy' | 1 runs-table 'time' 'accuracy' --cells time --cells accuracy",
        ),
        (
            "instance,a_solve_time,a_status,b_solve_time,b_status\ni,1,ok,2,timeout\nj,3,ok,2,ok\n", {"cutoff": 9},
            "i a 1 ok | i b 2 timeout | j a 3 ok | j b 2 ok",
            "1 runs-understood 2 'a' 'a_solve_time' 'a_status' | 2 runs-early 2 9 | 1 runs-understood 'instance' | 1 runs-understood 2 | 1 runs-understood 2 1 4 9 | 1 runs-understood 3 1",
        ),
        (
            "instance,ant,bee\ni,-2,3\nj,-3,4\n", {"cutoff": 9},
            "",
            "1 runs-table 'ant' 'bee' 0 2 --cells accuracy --cells NAME --maximize NAME --minimize NAME --cells time",
        ),
        (
            "instance,ant,bee\ni,5ms,3\nj,7ms,TO\n", {"cutoff": 9},
            "",
            "1 runs-understood '5ms' | 1 runs-table --times-in s",
        ),
        (
            "instance,solver,time,cost\ni,a,3,x\ni,b,4,y\nj,a,3,x\nj,b,2,x\n", {"cutoff": 9},
            "i a 3 ok | i b 4 ok | j a 3 ok | j b 2 ok",
            "1 runs-ignored 'cost' --measure-column cost | 1 runs-understood 'instance' 'solver' 'time' | 1 runs-understood 2 | 1 runs-understood 2 1 4 9 | 1 runs-understood 4",
        ),
        (
            "title\ninstance,solver,time\ni,a,3\n", {"cutoff": 9},
            "",
            "1 runs-table 1 3 | 1 runs-table --column instance=NAME",
        ),
        (
            "instance,solver,time,\ni,a,3,\ni,b,4,x\nj,a,2,\nj,b,1,\n", {"cutoff": 9},
            "i a 3 ok | i b 4 ok | j a 2 ok | j b 1 ok",
            "1 runs-ignored '' | 1 runs-understood 'instance' 'solver' 'time' | 1 runs-understood 2 | 1 runs-understood 2 1 4 9 | 1 runs-understood 4",
        ),
        (
            "instance,c,c++,java\ni,1,2,3\nj,4,5,TO\n", {"column": ["ignore=c++"], "cutoff": 9},
            "i c 1 ok | i java 3 ok | j c 4 ok | j java - timeout",
            "1 runs-understood 'instance' | 1 runs-understood 2 | 1 runs-understood 2 1 4 9 | 1 runs-understood 3 1 | 3 runs-timeouts 1 'TO'",
        ),
        (
            "instance,solver,time,status,said\ni,a,3,ok,cat\ni,b,4,ok,dog\nj,a,3,ok,cow\nj,b,9,timeout,cat\n", {"cutoff": 9, "column": ["answer=said"]},
            "i a 3 other | i b 4 other | j a 3 other | j b 9 timeout",
            "2 runs-table 'cat' 1 --status cat=ok --column ignore=said | 3 runs-table 'dog' 1 --status dog=ok --column ignore=said | 4 runs-table 'cow' 1 --status cow=ok --column ignore=said | 1 runs-unsolved 4 --measure-column NAME --column status=NAME --status WORD=ok | 1 runs-understood 'instance' 'solver' 'time' 'status' 'said' | 1 runs-understood 2 | 1 runs-understood 2 1 4 9 | 1 runs-understood 3 1",
        ),
        (
            "instance,solver,time,status,said,expected\ni,a,3,ok,cat,cat\ni,b,4,ok,dog,cat\nj,a,3,ok,cow,cow\nj,b,9,timeout,cat,cow\n", {"cutoff": 9, "column": ["answer=said"], "status": ["cat=ok", "dog=ok", "cow=ok"]},
            "i a 3 ok cat | i b 4 ok dog | j a 3 ok cow | j b 9 timeout",
            "3 runs-table 'dog' 'cat' 1 --status dog=wrong --column ignore=expected | 1 runs-understood 'instance' 'solver' 'expected' 'time' 'status' 'said' | 1 runs-understood 'expected' 2 2 --column ignore=expected | 1 runs-understood 2 | 1 runs-understood 2 1 4 9 | 1 runs-understood 3 1 | 2 runs-timeouts 1 'cat' | 3 runs-timeouts 1 'dog' | 4 runs-timeouts 1 'cow' | 5 runs-timeouts 1 'cat' 'timeout'",
        ),
    ],
)  # fmt: skip
def test_a_table_becomes_these_runs_with_these_findings(
    text: str, choices: dict[str, Any], runs: str, said: str
) -> None:
    assert becomes(text, **choices) == (runs, said)


@pytest.mark.parametrize(
    ("names", "rule"),
    [
        ("{0}/{1}", "path:1"),
        ("h/{0}/{1}", "path:2"),
        ("h/h/{0}/{1}", "path:3"),
        ("{0}-{1}", "path:1:-"),
        ("{0}_{1}", "path:1:_"),
    ],
)
def test_a_rule_that_parts_solvers_who_ran_on_other_instances(names: str, rule: str) -> None:
    ran = ((names.format(of, n), solver) for solver, of in ("ap", "bp", "cq", "dq") for n in "123")
    text = "instance,solver,time\n" + "".join(f"{name},{solver},3\n" for name, solver in ran)
    _, said = becomes(text, cutoff=9)
    assert f"--column scenario=family --family {rule}" in said


@pytest.mark.parametrize("word", ["complete", "completed", "done", "finished"])
def test_a_run_that_only_ended_counts_as_solved_with_a_warning(word: str) -> None:
    runs, said = becomes(f"instance,solver,time,status\ni,a,3,{word}\ni,b,9,timeout\n", cutoff=9)
    assert runs == "i a 3 ok | i b 9 timeout"
    assert f"1 runs-unjudged '{word}' --column answer=NAME --status {word}=other" in said
