# ruff: noqa: E501 - a case a line
"""Small tables, each with all that it becomes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from aslib_eval.formats.runs import RUNS, over, table_choices
from aslib_eval.formats.runs.raw_table import read_raw
from aslib_eval.formats.runs.table_runs import read_table
from aslib_eval.formats.sources import Location
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
            "1 runs-table --column solver=tool --cells accuracy --maximize NAME --minimize NAME 1 2 --column instance=NAME",
        ),
        (
            "tool,i1,i2\na,1,2\nb,2,3\n", {"cutoff": 9},
            "",
            "1 runs-table --column solver=tool --cells accuracy --maximize NAME --minimize NAME 1 2 --column instance=NAME",
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
        (
            "benchmark;solver;real;solver;real\ni;ant;1;bee;2\nj;ant;3;bee;4;cow;5\n", {"cutoff": 60, "missing": "timeout", "times_in": "min"},
            "i ant 60 timeout | i bee 120 timeout | j ant 180 timeout | j bee 240 timeout | j cow 300 timeout | i cow - timeout",
            "1 runs-understood 3 | 2 runs-missing 1 1 | 1 runs-unsolved 100 300 | 1 runs-understood 'benchmark' 'solver' 'real' | 1 runs-understood 2 1 6 60 | 1 runs-understood 6 | 2 runs-timeouts 5",
        ),
        (
            "instance,solver,time\na,ant,1\nb,ant,1\nc,ant,1\nd,ant,1\ne,ant,1\n", {"cutoff": 60},
            "a ant 1 ok | b ant 1 ok | c ant 1 ok | d ant 1 ok | e ant 1 ok",
            "1 runs-limit 5 1 60 0 2 --cutoff 0 5 | 1 runs-understood 'instance' 'solver' 'time' | 1 runs-understood 1 | 1 runs-understood 5 1 5 60 | 1 runs-understood 5",
        ),
        (
            "i,a,a|price,b\ni1,1.5,0.5,1\ni2,0.5,0.5,1\n", {"cutoff": 60, "column": ["instance=i"]},
            "",
            "1 runs-table 'a' 'a|price' a:time a:price a:time price:time --column ignore=b",
        ),
        (
            "file,algo,objective,track\nx,a,,crash\nx,b,,timeout\n", {"maximize": ["objective"]},
            "x a - crash | x b - crash",
            "3 runs-table attribute:track 'timeout' 'crash' 2 | 1 runs-unsolved 2 --measure-column NAME --column status=NAME --status WORD=ok | 1 runs-understood 'file' 'algo' 'objective' | 1 runs-understood 'track' 1 1 --column ignore=track | 1 runs-understood 2 | 1 runs-understood 1 1 2 | 2 runs-timeouts 2 ''",
        ),
        (
            "instance,a,a:status\ni,95,ok\nj,60,timeout\nj,60,\n", {},
            "i a 95 ok | j a 60 timeout | j a 60 other",
            "4 status-missing | 4 row-duplicate 3 'a' 'j' 'a:status' --duplicates number --duplicates first | 1 runs-cutoff 95 --cutoff --cells accuracy --cells NAME --maximize NAME --minimize NAME | 1 runs-understood 'instance' | 1 runs-understood 1 | 1 runs-understood 2 1 2 3 | 1 runs-understood 1 1 1",
        ),
        (
            "instance,Time Required\ni,1\nj,2\n", {"cutoff": 9},
            "",
            "1 runs-table --column solver=NAME --one-file-per solver",
        ),
        (
            'instance,solver,time\ni1,a,TO\n"i2,a,2\ni3,a,3\ni4",a,4\n', {"cutoff": 10},
            "i1 a - timeout | i2,a,2\ni3,a,3\ni4 a 4 ok",
            "3 runs-table | 1 runs-understood 'instance' 'solver' 'time' | 1 runs-understood 1 | 1 runs-understood 2 1 2 10 | 1 runs-understood 1 1 | 2 runs-timeouts 1 'TO'",
        ),
        (
            "instance,bee\ni,\nj,4\nk,\n", {"cutoff": 60, "missing": "drop"},
            "j bee 4 ok",
            "2 runs-missing 2 2 | 1 runs-direction --cells NAME --maximize NAME --minimize NAME | 1 runs-understood 'instance' | 1 runs-understood 1 | 1 runs-understood 1 1 1 60",
        ),
        (
            'task,a,b\ni,"1,000",0.8 +/- 0.2\nj,0.955±0.01,x\nMean,0.9,0.8\n', {"cells": "accuracy"},
            "i a - crash | i b 0.8 ok | j a 0.955 ok | j b - crash",
            "1 runs-ignored 1 'Mean' 4 | 2 runs-table '1,000' | 3 runs-table 'x' | 2 runs-understood '0.8 +/- 0.2' 0.8 2 1 1 | 1 runs-understood 'task' | 1 runs-understood 2 | 1 runs-understood 2 1 4 | 1 runs-understood 2 2 | 2 runs-timeouts 1 '1,000' | 3 runs-timeouts 1 'x'",
        ),
        (
            "instance,found,solver,time [µs]\np,false,a,200\np,true,b,100\n", {"cutoff": "0.3ms"},
            "p a 200 ok | p b 100 ok",
            "1 runs-table 'found' --column status=found --column objective=found --maximize found --column ignore=found | 1 runs-understood 'instance' 'solver' 'time [µs]' | 1 runs-understood 2 | 1 runs-understood 1 1 2 300",
        ),
        (
            "instance;a-run;a-interpret;b-x-run;b-x-determinise;b-x-overall\ni;1;7;2;8;9\nj;3;7;5;8;9\n", {"cells": "run", "minimize": ["run"]},
            "i a 1 ok | i b-x 2 ok | j a 3 ok | j b-x 5 ok",
            "1 runs-understood 2 'a' 'a-run' 'a-interpret' | 1 runs-ignored 'a:interpret' 'interpret' | 1 runs-ignored 'b-x:determinise' 'determinise' | 1 runs-ignored 'b-x:overall' 'overall' | 1 runs-understood 'instance' | 1 runs-understood 2 | 1 runs-understood 2 1 4 | 1 runs-understood 4",
        ),
        (
            "i,a_wall,cpu_time,a_cpu,a_real,b_wall,b_cpu,b_real\ni1,3,60,1,4.0,5,2,7\ni2,3,0.5,1,4.0,5,2,false\n", {"cutoff": 60, "column": ["instance=i"]},
            "i1 a 4 ok | i1 b 7 ok | i2 a 4 ok | i2 b - other",
            "1 runs-understood 2 'a' 'a_wall' 'a_cpu' 'a_real' | 1 runs-ignored 'cpu_time' | 1 runs-ignored 4 'a:wall' 'a:cpu' 'b:wall' 'b:cpu' | 1 runs-understood 'i' | 1 runs-understood 2 | 1 runs-understood 2 1 4 60 | 1 runs-understood 3 1 | 3 runs-timeouts 1 'false'",
        ),
        (
            ",solver,time,result\ni,a,1,seen\ni,b,3600,unsat\nz2,a,1,seen\n", {"cutoff": 10, "claims": ["seen=optimal"]},
            "i a 1 ok seen | i b 3600 ok unsat | z2 a 1 ok seen",
            "1 runs-understood | 3 runs-late 3600 10 | 3 runs-verdict 'expected' | 4 run-missing 0 1 2 --missing timeout --missing crash --missing drop | 1 runs-limit 1 10 3600 | 1 runs-understood 'instance' 'solver' 'time' 'result' | 1 runs-understood 2 | 1 runs-understood 2 1 3 10 | 1 runs-understood 3 | 2 runs-timeouts 2 'seen' | 3 runs-timeouts 1 'unsat'",
        ),
        (
            "benchmark,logic,solver,time\nx/LIA/a,LIA,ant,1\nx/LIA/a,LIA,bee,2\nx/LIA/b,LIA,ant,3\nx/LIA/b,LIA,bee,4\nx/LRA/c,LRA,ant,5\nx/LRA/c,LRA,cat,6\nx/LRA/d,LRA,ant,7\nx/LRA/d,LRA,cat,8\n", {"cutoff": 60},
            "x/LIA/a ant 1 ok | x/LIA/a bee 2 ok | x/LIA/b ant 3 ok | x/LIA/b bee 4 ok | x/LRA/c ant 5 ok | x/LRA/c cat 6 ok | x/LRA/d ant 7 ok | x/LRA/d cat 8 ok",
            "6 run-missing 0 1 0 1 --missing crash 2 --column scenario=logic | 2 run-missing 0 1 0 1 --missing crash 2 --column scenario=logic | 1 runs-understood 'benchmark' 'solver' 'time' | 1 runs-understood 'logic' 2 4 --column ignore=logic | 1 runs-understood 3 | 1 runs-understood 4 1 8 60 | 1 runs-understood 8",
        ),
        (
            "instance,ant,bee,cat,dog,it\ni1,3.5,4.25,9.5,TO,3.5\ni2,TO,2.5,1.25,8.5,TO\ni3,7.75,TO,6.5,-1,7.75\ni4,1.5,2.75,TO,6.25,1.5\ni5,2.5,3.75,5.5,5.25,2.5\ni6,4.5,5.75,4.25,TO,4.5\n", {"cutoff": 60},
            "i1 ant 3.5 ok | i1 bee 4.25 ok | i1 cat 9.5 ok | i1 dog - timeout | i1 it 3.5 ok | i2 ant - timeout | i2 bee 2.5 ok | i2 cat 1.25 ok | i2 dog 8.5 ok | i2 it - timeout | i3 ant 7.75 ok | i3 bee - timeout | i3 cat 6.5 ok | i3 dog -1 ok | i3 it 7.75 ok | i4 ant 1.5 ok | i4 bee 2.75 ok | i4 cat - timeout | i4 dog 6.25 ok | i4 it 1.5 ok | i5 ant 2.5 ok | i5 bee 3.75 ok | i5 cat 5.5 ok | i5 dog 5.25 ok | i5 it 2.5 ok | i6 ant 4.5 ok | i6 bee 5.75 ok | i6 cat 4.25 ok | i6 dog - timeout | i6 it 4.5 ok",
            "4 runtime-negative 3 1 --status -1=timeout | 1 runs-solver 'it' 'ant' --column ignore=it | 1 runs-understood 'instance' | 1 runs-understood 5 | 1 runs-understood 6 1 30 60 | 1 runs-understood 24 6 | 2 runs-timeouts 6 'TO'",
        ),
        (
            "instance,ant:time,ant:foo\ni,1,7\nj,3,8\n", {"cutoff": 9, "measure_column": ["foo"]},
            "",
            "1 runs-table 'time' 'foo' --cells time --cells foo",
        ),
        (
            "task,forest,knn\nd1,0.95,0.80\nd2,0.90,0.70\n", {"cells": "objective"},
            "",
            "1 runs-table --maximize objective --minimize objective",
        ),
        (
            ",ant,,bee,\ntask,time,memory,time,memory\na,1,10,2,90\n", {"cutoff": 60},
            "a ant 1 ok | a bee 2 ok",
            "2 runs-ignored 2 'ant:memory' 'bee:memory' 'memory' | 2 runs-understood 'task' | 2 runs-understood 2 | 2 runs-understood 1 1 2 60",
        ),
        (
            "benchmark;solver;status;bound;real;solver.1;status.1;bound.1;real.1\ni;ant;sat;4;12;bee;sat;4;0.8\ni;ant;unk;-1;1;bee;mem;-1;2\nj;ant;sat;2;6;;;;\n", {"cutoff": 60},
            "i ant 12 ok sat | i bee 0.8 ok sat | i ant 1 other | i bee 2 memout | j ant 6 ok sat",
            "1 runs-understood 2 | 3 row-duplicate 2 'ant' 'i' 'bound' 'status' 'real' 'bound' --column instance=benchmark+bound --column solver=solver+bound --column repetition=bound --column scenario=bound | 4 run-missing 0 1 --missing timeout --missing crash --missing drop | 1 runs-ignored 'bound' --measure-column bound | 1 runs-understood 'benchmark' 'solver' 'real' 'status' | 1 runs-understood 2 1 2 5 60 | 1 runs-understood 1 3 1 | 2 runs-timeouts 3 'sat' | 3 runs-timeouts 1 'unk' | 3 runs-timeouts 1 'mem'",
        ),
        (
            "instance,ant,bee\ni,3,4\nj,5", {"cutoff": 9},
            "i ant 3 ok | i bee 4 ok",
            "3 runs-table 2 3 | 3 runs-unended | 1 runs-direction --cells NAME --maximize NAME --minimize NAME | 1 runs-understood 'instance' | 1 runs-understood 2 | 1 runs-understood 1 1 2 9",
        ),
        (
            "i,a_time,a_acc,b_time,b_acc\ni1,1,0.5,2,0.75\ni2,1,0.5,2,0.75\n,1,0.5,2,0.75\n", {"column": ["instance=i"], "cells": "time"},
            "i1 a 1 ok 0.5 ok | i1 b 2 ok 0.75 ok | i2 a 1 ok 0.5 ok | i2 b 2 ok 0.75 ok | a 1 ok 0.5 ok | b 2 ok 0.75 ok",
            "1 runs-understood 2 'a' 'a_time' 'a_acc' | 4 runs-table | 1 runs-cutoff 2 3 --cutoff | 2 proof-beaten 3 1 | 1 runs-understood 'i' | 1 runs-understood 2 | 1 runs-understood 3 1 6 | 1 runs-understood 6",
        ),
        (
            "loss,name,ant,bee\n0.1,x,3,4\n0.2,y,5,6\n", {"cutoff": 9},
            "",
            "1 runs-table --column instance=name --column instance=NAME",
        ),
        (
            "instance,ant,Ant\ncafé,1,2\nb,memout,2\n", {"cutoff": 1},
            "café ant 1 timeout | café Ant 2 timeout | b ant - memout | b Ant 2 timeout",
            "2 runs-spelling 2 | 1 runs-unsolved 4 --measure-column NAME --column status=NAME --status WORD=ok | 1 runs-understood 'instance' | 1 runs-understood 2 | 1 runs-understood 2 1 4 1 | 1 runs-understood 1 3 | 2 runs-timeouts 3 | 3 runs-timeouts 1 'memout'",
        ),
        (
            "instance\tsolver\ttime\ttrack\ni\ta\t3\tmain\nj\ta\t60\t\n", {"cutoff": 60, "missing": "timeout"},
            "i a 3 ok | j a 60 timeout",
            "1 runs-understood 'instance' 'solver' 'time' | 1 runs-understood 'track' 1 1 --column ignore=track | 1 runs-understood 1 | 1 runs-understood 2 1 2 60 | 1 runs-understood 1 1 | 3 runs-timeouts 1",
        ),
        (
            "instance,solver,time\ni,a,1\ni,a,2\ni,a,3\ni,a,4\ni,a,5\ni,a,6\ni,a,7\ni,a,8\n", {"cutoff": 60},
            "i a 1 ok | i a 2 ok | i a 3 ok | i a 4 ok | i a 5 ok | i a 6 ok | i a 7 ok | i a 8 ok",
            "3 row-duplicate 2 'a' 'i' 'time' --duplicates number --duplicates first | 4 row-duplicate 2 'a' 'i' 'time' --duplicates number --duplicates first | 5 row-duplicate 2 'a' 'i' 'time' --duplicates number --duplicates first | 6 row-duplicate 2 'a' 'i' 'time' --duplicates number --duplicates first | 7 row-duplicate 2 'a' 'i' 'time' --duplicates number --duplicates first | None row-duplicate 2 | 1 runs-understood 'instance' 'solver' 'time' | 1 runs-understood 1 | 1 runs-understood 1 1 8 60 | 1 runs-understood 8",
        ),
        (
            "instance,solver,time,status\ni1,a,1,\ni2,a,2,\ni3,a,3,\ni4,a,4,\ni5,a,5,\ni6,a,6,\ni7,a,7,\n", {"cutoff": 60},
            "i1 a 1 other | i2 a 2 other | i3 a 3 other | i4 a 4 other | i5 a 5 other | i6 a 6 other | i7 a 7 other",
            "2 status-missing 1 | 3 status-missing 2 | 4 status-missing 3 | 5 status-missing 4 | 6 status-missing 5 | None status-missing 2 | 1 runs-unsolved 7 --measure-column NAME --column status=NAME --status WORD=ok | 1 runs-understood 'instance' 'solver' 'time' 'status' | 1 runs-understood 1 | 1 runs-understood 7 1 7 60 | 1 runs-understood 7",
        ),
        (
            "instance,solver,time,status\ni1,a,1,w1\ni2,a,2,w2\ni3,a,3,w3\ni4,a,4,w4\ni5,a,5,w5\ni6,a,6,w6\ni7,a,7,w7\n", {"cutoff": 60},
            "i1 a 1 other | i2 a 2 other | i3 a 3 other | i4 a 4 other | i5 a 5 other | i6 a 6 other | i7 a 7 other",
            "2 runs-table 'w1' 1 --status w1=other | 3 runs-table 'w2' 1 --status w2=other | 4 runs-table 'w3' 1 --status w3=other | 5 runs-table 'w4' 1 --status w4=other | 6 runs-table 'w5' 1 --status w5=other | None runs-table 2 | 1 runs-unsolved 7 --measure-column NAME --column status=NAME --status WORD=ok | 1 runs-understood 'instance' 'solver' 'time' 'status' | 1 runs-understood 1 | 1 runs-understood 7 1 7 60 | 1 runs-understood 7",
        ),
        (
            "instance,solver,time,status\ni,a,1,7\nj,a,2,8\nk,a,3,ok\nl,a,4,ok\n", {"cutoff": 60},
            "i a 1 other | j a 2 other | k a 3 ok | l a 4 ok",
            "2 runs-table '7' 1 --status 7=other | 3 runs-table '8' 1 --status 8=other | 1 runs-understood 'instance' 'solver' 'time' 'status' | 1 runs-understood 1 | 1 runs-understood 4 1 4 60 | 1 runs-understood 2 2",
        ),
        (
            "instance,a:time,a:status\ni,1,7\nj,2,8\nk,3,ok\n", {"cutoff": 60},
            "i a 1 other | j a 2 other | k a 3 ok",
            "2 runs-table 'a:status' 2 3 a:objective --status 0=ok --column ignore=a:status | 1 runs-understood 'instance' | 1 runs-understood 1 | 1 runs-understood 3 1 3 60 | 1 runs-understood 1 2",
        ),
        (
            "instance,solver,time,status\ni,a,61,ok\ni,b,3,ok\nj,a,62,ok\nj,b,63,ok\nk,a,3,ok\nk,b,3,ok\nl,a,3,ok\nl,b,3,ok\n", {"cutoff": 60},
            "i a 61 ok | i b 3 ok | j a 62 ok | j b 63 ok | k a 3 ok | k b 3 ok | l a 3 ok | l b 3 ok",
            "2 runs-late 61 60 3 2 1 | 1 runs-understood 'instance' 'solver' 'time' 'status' | 1 runs-understood 2 | 1 runs-understood 4 1 8 60 | 1 runs-understood 8",
        ),
        (
            "instance,solver,time,family,best,expected,feature:n,logic\ni,a,1,f,5,sat,3,x\ni,b,2,g,6,unsat,4,y\nj,a,1,f,,,,\nj,b,2,f,5,sat,3,x\n", {"cutoff": 60},
            "i a 1 ok | i b 2 ok | j a 1 ok | j b 2 ok",
            "3 runs-table 'g' 'f' 2 | 3 runs-table '6' '5' 2 | 3 runs-table 'unsat' 'sat' 2 | 3 runs-table feature:n '4' '3' 2 | 3 runs-table attribute:logic 'y' 'x' 2 | 1 runs-table 'expected' --column status=expected --column ignore=expected | 1 runs-understood 'instance' 'solver' 'expected' 'best' 'family' 'time' | 1 runs-understood | 1 runs-understood 'family' 1 2 --column ignore=family | 1 runs-understood 'logic' 1 2 --column ignore=logic | 1 runs-understood 'expected' 1 2 --column ignore=expected | 1 runs-understood 2 | 1 runs-understood 2 1 4 60 | 1 runs-understood 4",
        ),
        (
            "instance,solver,time,best,feature:n\ni,a,1,five,three\ni,b,2,five,three\n", {"cutoff": 60},
            "i a 1 ok | i b 2 ok",
            "2 runs-table feature:n 'three' | 3 runs-table feature:n 'three' | 1 runs-ignored 'best' --measure-column best | 1 runs-understood 'instance' 'solver' 'time' | 1 runs-understood | 1 runs-understood 2 | 1 runs-understood 1 1 2 60",
        ),
        (
            "instance,solver,time,seed\ni,a,1,0\ni,a,2,1\ni,a,3,1.5\ni,a,3,-1\ni,a,3,x\n", {"cutoff": 60},
            "i a #0 1 ok | i a 2 ok | i a #-1 3 ok | i a #-1 3 ok | i a #-1 3 ok",
            "4 runs-table '1.5' 2 31 1 --column ignore=seed | 5 runs-table '-1' 2 31 1 --column ignore=seed | 6 runs-table 'x' 2 31 1 --column ignore=seed | 5 row-duplicate 4 'a' 'i' 'seed' --duplicates number --duplicates first | 6 row-duplicate 4 'a' 'i' 'seed' --duplicates number --duplicates first | 1 runs-understood 'instance' 'solver' 'seed' 'time' | 1 runs-understood 1 | 1 runs-understood 1 3 5 60 | 1 runs-understood 5",
        ),
        (
            "instance,solver,time\ni,a,1\ni,vbs,1\nj,a,2\nj,vbs,2\n", {"cutoff": 60},
            "i a 1 ok | j a 2 ok",
            "1 runs-ignored 2 | 1 runs-understood 'instance' 'solver' 'time' | 1 runs-understood 1 | 1 runs-understood 2 1 2 60 | 1 runs-understood 2",
        ),
        (
            "instance,a,b\ni,1,2\nj,3,TO\ntotal,4,2\nmean,2,2\n", {"cutoff": 60},
            "i a 1 ok | i b 2 ok | j a 3 ok | j b - timeout",
            "1 runs-ignored 2 'total' 4 | 1 runs-understood 'instance' | 1 runs-understood 2 | 1 runs-understood 2 1 4 60 | 1 runs-understood 3 1 | 3 runs-timeouts 1 'TO'",
        ),
        (
            "instance,a,b\ni,1,2\nmean,2,2\nj,3,TO\n", {"cutoff": 60},
            "",
            "3 runs-table 'mean'",
        ),
        (
            "instance,solver,time,time\ni,a,1,1\nj,a,2,2\n", {"cutoff": 60},
            "i a 1 ok | j a 2 ok",
            "1 runs-understood 'time' | 1 runs-understood 'instance' 'solver' 'time' | 1 runs-understood 1 | 1 runs-understood 2 1 2 60 | 1 runs-understood 2",
        ),
        (
            "instance,solver,time,time\ni,a,1,1\nj,a,2,3\n", {"cutoff": 60},
            "",
            "1 runs-table 'time' --duplicates number",
        ),
        (
            "instance;solver;time\ni;a;1,5\nj;a;2,25\nk;a;3\n", {"cutoff": 60},
            "i a 1.5 ok | j a 2.25 ok | k a 3 ok",
            "1 runs-understood 'time' 1 5 1.5 | 1 runs-understood 'instance' 'solver' 'time' | 1 runs-understood 1 | 1 runs-understood 3 1 3 60 | 1 runs-understood 3",
        ),
        (
            "instance;solver;time\ni;a;1,5\nj;a;2.25\nk;a;3\n", {"cutoff": 60},
            "i a - other | j a 2.25 ok | k a 3 ok",
            "2 runs-table '1,5' --times-in s | 1 runs-understood 'instance' 'solver' 'time' | 1 runs-understood 1 | 1 runs-understood 3 1 3 60 | 1 runs-understood 2 1",
        ),
        (
            'instance,solver,time\ni,a,"1,500"\nj,a,"2,250"\n', {"cutoff": 60},
            "i a - other | j a - other",
            "2 runs-table '1,500' --times-in s | 3 runs-table '2,250' --times-in s | 1 runs-unsolved 2 --measure-column NAME --column status=NAME --status WORD=ok | 1 runs-understood 'instance' 'solver' 'time' | 1 runs-understood 1 | 1 runs-understood 2 1 2 60 | 1 runs-understood 2",
        ),
        (
            "instance,solver,time\ni,a\nj,a,1,2\n", {"cutoff": 60},
            "",
            "2 runs-table 2 3 | 3 runs-table 4 3 | 1 runs-empty | 1 runs-understood 'instance' 'solver' 'time' | 1 runs-understood 0 | 1 runs-understood 0 0 0 60 | 1 runs-understood",
        ),
        (
            "instance,solver,time,result\ni,a,1,sat\ni,b,2,unsat\nj,a,1,sat\nj,b,2,sat\n", {"cutoff": 60},
            "i a 1 ok sat | i b 2 ok unsat | j a 1 ok sat | j b 2 ok sat",
            "3 runs-verdict 'expected' | 1 runs-understood 'instance' 'solver' 'time' 'result' | 1 runs-understood 2 | 1 runs-understood 2 1 4 60 | 1 runs-understood 4 | 2 runs-timeouts 3 'sat' | 3 runs-timeouts 1 'unsat'",
        ),
        (
            "instance,solver,time,status,cost\ni,a,1,ok,5\ni,b,2,ok,4\nj,a,1,ok,5\nj,b,60,timeout,3\n", {"cutoff": 60},
            "i a 1 ok 5 ok | i b 2 ok 4 ok | j a 1 ok 5 ok | j b 60 timeout 3 timeout",
            "1 runs-direction --maximize cost | 2 proof-beaten 2 | 1 runs-understood 'instance' 'solver' 'time' 'cost' 'status' | 1 runs-understood 2 | 1 runs-understood 2 1 4 60 | 1 runs-understood 3 1",
        ),
        (
            "instance,solver,time\ni,a,1\ni,a,70\ni,b,2\ni,b,3\n", {"cutoff": 60, "duplicates": "first"},
            "i a 1 ok | i b 2 ok",
            "3 runs-missing 2 1 1 1 | 1 runs-understood 'instance' 'solver' 'time' | 1 runs-understood 2 | 1 runs-understood 1 1 2 60 | 3 runs-timeouts 1",
        ),
        (
            "instance,solver,time\ni,a,1\ni,a,70\ni,b,2\ni,b,3\n", {"cutoff": 60, "duplicates": "last"},
            "i a 70 timeout | i b 3 ok",
            "2 runs-missing 2 1 1 1 | 1 runs-understood 'instance' 'solver' 'time' | 1 runs-understood 2 | 1 runs-understood 1 1 2 60 | 1 runs-understood 1 1 | 3 runs-timeouts 1",
        ),
        (
            "instance,solver,time\ni,a,1\ni,a,70\ni,b,2\ni,b,3\n", {"cutoff": 60, "duplicates": "number"},
            "i a 1 ok | i a #2 70 timeout | i b 2 ok | i b #2 3 ok",
            "1 runs-understood 1 2 | 1 runs-understood 'instance' 'solver' 'time' | 1 runs-understood 2 | 1 runs-understood 1 2 4 60 | 1 runs-understood 3 1 | 3 runs-timeouts 1",
        ),
        (
            "instance,solver,time,rep\ni,a,1,1\ni,a,70,2\n", {"cutoff": 60, "duplicates": "number"},
            "i a 1 ok | i a #2 70 timeout",
            "1 runs-table 'rep' --duplicates first --column ignore=rep | 1 runs-understood 'instance' 'solver' 'rep' 'time' | 1 runs-understood 1 | 1 runs-understood 1 2 2 60 | 1 runs-understood 1 1 | 3 runs-timeouts 1",
        ),
        (
            "instance,solver,time,track\ni,a,1,x\ni,b,1,x\nj,a,2,y\nk,b,2,y\n", {"cutoff": 60, "missing": "drop"},
            "i a 1 ok | i b 1 ok",
            "4 runs-missing 2 1 1 | 1 runs-understood 'instance' 'solver' 'time' | 1 runs-understood 'track' 1 1 --column ignore=track | 1 runs-understood 2 | 1 runs-understood 1 1 2 60",
        ),
        (
            "instance,solver,time,rep\ni,a,1,1\ni,b,1,1\ni,a,1,2\nj,a,2,1\n", {"cutoff": 60, "missing": "crash"},
            "i a 1 ok | i b 1 ok | i a #2 1 ok | j a 2 ok | i b #2 - crash | j b - crash",
            "4 runs-missing 2 2 | 1 runs-understood 'instance' 'solver' 'rep' 'time' | 1 runs-understood 2 | 1 runs-understood 2 1 2 6 60 | 1 runs-understood 2 4",
        ),
        (
            "instance,solver,time,rep\ni,a,1,1\ni,b,1,1\ni,a,1,2\nj,a,2,1\n", {"cutoff": 60, "missing": "drop"},
            "i a 1 ok | i b 1 ok",
            "4 runs-missing 1 1 2 | 1 runs-understood 'instance' 'solver' 'rep' 'time' | 1 runs-understood 2 | 1 runs-understood 1 1 2 60",
        ),
        (
            "instance,solver,time,rep\ni,a,1,1\ni,b,1,1\ni,a,1,2\nj,a,2,1\nj,b,2,1\n", {"cutoff": 60},
            "i a 1 ok | i b 1 ok | i a #2 1 ok | j a 2 ok | j b 2 ok",
            "2 run-unbalanced 1 2 --missing timeout --missing crash --missing drop | 1 runs-understood 'instance' 'solver' 'rep' 'time' | 1 runs-understood 2 | 1 runs-understood 2 1 2 5 60 | 1 runs-understood 5",
        ),
        (
            "instance,a,b\ni,1,2\nj,50,50\n", {},
            "i a 1 ok | i b 2 ok | j a 50 ok | j b 50 ok",
            "1 runs-cutoff 50 2 --cutoff --cells accuracy --cells NAME --maximize NAME --minimize NAME | 1 runs-direction --cells NAME --maximize NAME --minimize NAME | 1 runs-understood 'instance' | 1 runs-understood 2 | 1 runs-understood 2 1 4 | 1 runs-understood 4",
        ),
        (
            "instance,solver,time,status\ni,a,1,timeout\nj,a,2,crash\n", {"cutoff": 60},
            "i a 1 timeout | j a 2 crash",
            "2 runs-early 1 60 | 1 runs-unsolved 2 --measure-column NAME --column status=NAME --status WORD=ok | 1 runs-understood 'instance' 'solver' 'time' 'status' | 1 runs-understood 1 | 1 runs-understood 2 1 2 60 | 1 runs-understood 1 1",
        ),
        (
            "instance,solver,time\ni,a,61\nj,a,100\nk,a,3599\n", {"cutoff": 60},
            "i a 61 timeout | j a 100 timeout | k a 3599 timeout",
            "1 runs-cutoff 100 --cutoff 60min --times-in ms --cutoff 60000 --times-in s | 1 runs-understood 'instance' 'solver' 'time' | 1 runs-understood 1 | 1 runs-understood 3 1 3 60 | 1 runs-understood 3 | 2 runs-timeouts 3",
        ),
        (
            "instance,solver,time_ms\ni,a,61\nj,a,100\nk,a,3599\n", {"cutoff": 60},
            "i a 61 timeout | j a 100 timeout | k a 3599 timeout",
            "1 runs-cutoff 60 --cutoff 60s --cutoff 60ms | 1 runs-cutoff 100 60 | 1 runs-understood 'instance' 'solver' 'time_ms' | 1 runs-understood 1 | 1 runs-understood 3 1 3 60 | 1 runs-understood 3 | 2 runs-timeouts 3",
        ),
        (
            "instance,solver,time_ms\ni,a,61000\nj,a,100000\nk,a,3599\n", {"cutoff": "60s"},
            "i a 61000 timeout | j a 100000 timeout | k a 3599 ok",
            "1 runs-understood 'instance' 'solver' 'time_ms' | 1 runs-understood 1 | 1 runs-understood 3 1 3 60000 | 1 runs-understood 1 2 | 2 runs-timeouts 2",
        ),
        (
            '{"data": [[1, "i", 0, 1.0, 9.0, 1000.0, 0.1, 1, 0.0, 1.0, {}], [1, "i", 0, 5.0, 3.0, 0.7, 0.1, 1, 0.0, 1.0, {}], [2, "i", 0, 5.0, 4.0, 0.2, 0.1, 2, 0.0, 1.0, {}], [3, "i", 0, 5.0, 1000000000.0, 0.2, 0.1, 3, 0.0, 1.0, {}], [4, "i", 0, 5.0, 0.0, 0.0, 0.1, 0, 0.0, 1.0, {}]], "configs": {"1": {}}}', {"file": "t.json"},
            "i 1 #0 3 ok 0.7 ok | i 2 #0 4 crash 0.2 crash | i 3 #0 1000000000 timeout 0.2 timeout",
            "1 runs-understood | 1 runs-understood 1 | 1 runs-direction --maximize cost | 1 runs-understood 'configuration' 'instance' 'seed' 'cost' 'execution_time' 'status' | 1 runs-understood 3 1 2 3 | 1 runs-understood 1 1 3 | 1 runs-understood 1 1 1",
        ),
        (
            '{"data": [{"config_id": 1, "instance": null, "seed": null, "budget": null, "cost": [5, 6], "time": 0.5, "status": 1}, {"config_id": 2, "instance": null, "seed": null, "budget": null, "cost": [7, 8], "time": 0.5, "status": 4}], "configs": {}}', {"file": "t.json", "minimize": ["cost_2"]},
            "all 1 #0 5 ok 6 ok 0.5 ok | all 2 #0 7 memout 8 memout 0.5 memout",
            "1 runs-understood | 1 runs-direction 1 --maximize cost_1 | 1 runs-understood 'configuration' 'instance' 'seed' 'cost_1' 1 'cost_2' 2 'execution_time' 'status' | 1 runs-understood 2 1 2 | 1 runs-understood 1 1 2 | 1 runs-understood 1 1 1 | 1 runs-understood 2 1 1 | 1 runs-understood 1 1",
        ),
        (
            '{"results": [{"command": "ant i", "mean": 2.0, "user": 1, "system": 0, "times": [1.5, 2.5], "exit_codes": [0, 0], "parameters": {"solver": "ant", "file": "i"}}, {"command": "bee i", "mean": 3.5, "user": 1, "system": 0, "times": [3, 4], "exit_codes": [0, 1], "parameters": {"solver": "bee", "file": "i"}}]}', {"file": "t.json"},
            "i ant 1.5 ok | i ant #2 2.5 ok | i bee 3 ok | i bee #2 - crash",
            "1 runs-understood | 1 runs-understood --cutoff | 1 runs-understood 'solver' 'file' 'repetition' 'execution_time' 'status' | 1 runs-understood 2 | 1 runs-understood 1 2 4 | 1 runs-understood 1 3",
        ),
        (
            '{"results": [{"command": "ant i", "mean": 2.0, "user": 1, "system": 0, "times": [1.5, 2.5], "exit_codes": [0, 0], "parameters": {"solver": "ant", "file": "i"}}, {"command": "bee i", "mean": 3.0, "user": 1, "system": 0, "times": [3], "exit_codes": [1], "parameters": {"solver": "bee", "file": "i"}}]}', {"file": "t.json", "cutoff": 9},
            "i ant 2 ok | i bee - crash",
            "1 runs-understood | 1 runs-understood --cutoff | 1 runs-understood 'solver' 'file' 'repetition' 'execution_time' 'status' | 1 runs-understood 2 | 1 runs-understood 1 1 2 9 | 1 runs-understood 1 1",
        ),
        (
            '{"benchmarks": [{"group": "i", "name": "test_ant", "fullname": "t::ant", "params": null, "stats": {"mean": 1}}, {"group": "i", "name": "test_bee", "fullname": "t::bee", "params": null, "stats": {"mean": 2}}, {"group": "j", "name": "test_ant", "fullname": "t::ant", "params": null, "stats": {"mean": 3}}, {"group": "j", "name": "test_bee", "fullname": "t::bee", "params": null, "stats": {"mean": 4}}]}', {"file": "t.json"},
            "i test_ant 1 ok | i test_bee 2 ok | j test_ant 3 ok | j test_bee 4 ok",
            "1 runs-understood | 1 runs-understood --cutoff | 1 runs-understood 'function' 'instance' 'repetition' 'execution_time' 'status' | 1 runs-understood 2 | 1 runs-understood 2 1 4 | 1 runs-understood 4",
        ),
        (
            '{"benchmarks": [{"group": null, "name": "test[ant-5]", "fullname": "t::ant", "params": {"solver": "ant", "size": 5}, "stats": {"mean": 9, "data": [1, 2]}}, {"group": null, "name": "test[bee-5]", "fullname": "t::bee", "params": {"solver": "bee", "size": 5}, "stats": {"mean": 9, "data": [2, 3]}}, {"group": null, "name": "test[ant-7]", "fullname": "t::ant", "params": {"solver": "ant", "size": 7}, "stats": {"mean": 9, "data": [3, 4]}}, {"group": null, "name": "test[bee-7]", "fullname": "t::bee", "params": {"solver": "bee", "size": 7}, "stats": {"mean": 9, "data": [4, 5]}}]}', {"file": "t.json"},
            "5 ant 1 ok | 5 ant #2 2 ok | 5 bee 2 ok | 5 bee #2 3 ok | 7 ant 3 ok | 7 ant #2 4 ok | 7 bee 4 ok | 7 bee #2 5 ok",
            "1 runs-understood | 1 runs-understood --cutoff | 1 runs-understood 'solver' 'size' 'repetition' 'execution_time' 'status' | 1 runs-understood 2 | 1 runs-understood 2 2 8 | 1 runs-understood 8",
        ),
        (
            '{"benchmarks": [{"name": "sort/algorithm:quick/n:10", "run_name": "sort/algorithm:quick/n:10", "run_type": "iteration", "real_time": 1.0, "cpu_time": 9.0, "time_unit": "us"}, {"name": "sort/algorithm:quick/n:10", "run_name": "sort/algorithm:quick/n:10", "run_type": "iteration", "real_time": 2.0, "cpu_time": 9.0, "time_unit": "us", "error_occurred": true}, {"name": "sort/algorithm:heap/n:10/real_time", "run_name": "sort/algorithm:heap/n:10/real_time", "run_type": "iteration", "real_time": 3.0, "cpu_time": 9.0, "time_unit": "us"}, {"name": "sort/algorithm:heap/n:10/real_time", "run_name": "sort/algorithm:heap/n:10/real_time", "run_type": "iteration", "real_time": 4.0, "cpu_time": 9.0, "time_unit": "us"}, {"name": "sort/algorithm:heap/n:10_mean", "run_name": "sort/algorithm:heap/n:10_mean", "run_type": "aggregate", "real_time": 3.5, "cpu_time": 9.0, "time_unit": "us", "aggregate_name": "mean"}, {"name": "skipped", "real_time": 1, "skipped": true}]}', {"file": "t.json"},
            "all quick 1e-06 ok | all quick #2 - crash | all heap 3e-06 ok | all heap #2 4e-06 ok",
            "1 runs-understood | 1 runs-understood 1 | 1 runs-understood --cutoff | 1 runs-understood 'algorithm' 'document' 'repetition' 'execution_time' 'status' | 1 runs-understood 2 | 1 runs-understood 1 2 4 | 1 runs-understood 1 3",
        ),
        (
            '{"benchmarks": [{"name": "a/x:1", "run_name": "a/x:1", "run_type": "iteration", "real_time": 1.0, "cpu_time": 9.0, "time_unit": ""}, {"name": "a/x:2", "run_name": "a/x:2", "run_type": "iteration", "real_time": 2.0, "cpu_time": 9.0, "time_unit": ""}]}', {"file": "t.json", "column": ["solver=name/1", "instance=x"]},
            "1 a 1 ok | 2 a 2 ok",
            "1 runs-understood | 1 runs-understood --cutoff | 1 runs-understood 'name/1' 'x' 'repetition' 'execution_time' 'status' | 1 runs-understood 1 | 1 runs-understood 2 1 2 | 1 runs-understood 2",
        ),
        (
            '{"1": {"algorithm": "ff", "domain": "gripper", "problem": "p1", "coverage": 1, "search_time": 2, "total_time": 3, "cost": 7, "time_limit": 9}, "2": {"algorithm": "lama", "id": ["lama", "gripper", "p1"], "coverage": 0, "error": "search-out-of-memory", "time_limit": 9}}', {"file": "t.json"},
            "gripper/p1 ff 3 ok | gripper/p1 lama - memout",
            "1 runs-understood | 1 runs-understood --column objective=cost | 1 runs-understood 'algorithm' 'instance' 'time_limit' 'family' 'time' 'status' | 1 runs-understood 'family' 1 1 --column ignore=family | 1 runs-understood 2 | 1 runs-understood 1 1 2 9 | 1 runs-understood 1 1",
        ),
        (
            '{"system": "ant", "machine": "m", "result": [[1.5, null], [2.5, 3]]}', {"file": "t.json"},
            "Q1 ant 1.5 ok | Q1 ant #2 - crash | Q2 ant 2.5 ok | Q2 ant #2 3 ok",
            "1 runs-understood --one-file-per solver | 1 runs-understood --cutoff | 1 runs-understood 'query' 'system' 'repetition' 'execution_time' 'status' | 1 runs-understood 1 | 1 runs-understood 2 2 4 | 1 runs-understood 1 3",
        ),
        (
            '{"runs": [{"meta": {"instance": "i"}, "solver": "ant", "r": {"time": 3, "ok": true}}, {"meta": {"instance": "i"}, "solver": "bee", "r": {"time": null, "ok": false}}]}', {"file": "t.json", "cutoff": 9},
            "i ant 3 ok | i bee - timeout",
            "1 runs-table 'ok' --column status=ok --column objective=ok --maximize ok --column ignore=ok | 1 runs-ignored 2 'meta' 'r' --measure-column NAME | 1 runs-understood 'instance' 'solver' 'time' | 1 runs-understood 2 | 1 runs-understood 1 1 2 9 | 1 runs-understood 1 1 | 2 runs-timeouts 1 ''",
        ),
        (
            '[{"name": "i", "trains": 7, "solves": [{"solver_name": "ant", "time": 3}, {"solver_name": "bee", "time": 4}]}]', {"file": "t.json", "cutoff": 9, "records": "solves", "column": ["instance=name"]},
            "i ant 3 ok | i bee 4 ok",
            "1 runs-ignored 'trains' --measure-column trains | 1 runs-understood 'name' 'solver_name' 'time' | 1 runs-understood 2 | 1 runs-understood 1 1 2 9",
        ),
        (
            '{"ant": {"i": {"time": 3}, "j": {"time": 5}}, "bee": {"i": {"time": 4}, "j": {"time": 6}}}', {"file": "t.json", "cutoff": 9, "records": "*.*", "column": ["solver=key/1", "instance=key/2"]},
            "i ant 3 ok | j ant 5 ok | i bee 4 ok | j bee 6 ok",
            "1 runs-understood 'key/1' 'key/2' 'time' | 1 runs-understood 2 | 1 runs-understood 2 1 4 9 | 1 runs-understood 4",
        ),
        (
            '{"ant": {"i": {"time": 3}, "j": {"time": 5}}, "bee": {"i": {"time": 4}, "j": {"time": 6}}}', {"file": "t.json", "cutoff": 9},
            "",
            "None runs-table --records '* | 1 runs-table --column instance=NAME",
        ),
        (
            '{"a": [{"x": 1}], "b": [{"x": 1}, {"x": 2}]}', {"file": "t.json", "cutoff": 9},
            "",
            "None runs-table 2 1 2 --records '*' | 1 runs-table --column instance=NAME",
        ),
        (
            '{"task": {"instance": "i"}, "solver": "ant", "out": {"time": 3}}\n{"task": {"instance": "i"}, "solver": "bee", "out": {"time": 4, "more": 1}}\n', {"file": "t.jsonl", "cutoff": 9},
            "i ant 3 ok | i bee 4 ok",
            "1 runs-ignored 3 'task' 'out' 'more' --measure-column NAME | 1 runs-understood 'instance' 'solver' 'time' | 1 runs-understood 2 | 1 runs-understood 1 1 2 9",
        ),
        (
            '{"instance": "i", "solver": "a", "time": 1}\n\n[1]\n{"x": 1, "x": 2}\n', {"file": "t.jsonl", "cutoff": 9},
            "i a 1 ok",
            "3 runs-table | 4 runs-table | 1 runs-understood 'instance' 'solver' 'time' | 1 runs-understood 1 | 1 runs-understood 1 1 1 9",
        ),
        (
            "instance,solver,time\ni,a,61\nj,a,60\nk,a,62\n", {"cutoff": 60},
            "i a 61 timeout | j a 60 timeout | k a 62 timeout",
            "1 runs-unsolved 3 --measure-column NAME --column status=NAME --status WORD=ok | 1 runs-understood 'instance' 'solver' 'time' | 1 runs-understood 1 | 1 runs-understood 3 1 3 60 | 1 runs-understood 3 | 2 runs-timeouts 3",
        ),
        (
            "instance,solver,time,status\ni,a,61,ok\nj,a,62,ok\nk,a,3,ok\n", {"cutoff": 60},
            "i a 61 ok | j a 62 ok | k a 3 ok",
            "2 runs-late 61 60 2 2 | 1 runs-unsolved 67 62 | 1 runs-understood 'instance' 'solver' 'time' 'status' | 1 runs-understood 1 | 1 runs-understood 3 1 3 60 | 1 runs-understood 3",
        ),
        (
            "file,a_1,a_2,b_1,b_2\nx,1,3,7,5\ny,2,2,8,8\n", {"cutoff": 10, "duplicates": "number"},
            "x a 1 ok | x b 7 ok | x a #2 3 ok | x b #2 5 ok | y a 2 ok | y b 8 ok | y a #2 2 ok | y b #2 8 ok",
            "1 runs-understood 2 | 1 runs-understood 1 2 | 1 runs-understood 'file' | 1 runs-understood 2 2 8 10 | 1 runs-understood 8 | 1 runs-direction --cells NAME --maximize NAME --minimize NAME",
        ),
        (
            "instance,a,b,it\ni,2,4,2\nj,1,5.5,4.5\nk,1,3.25,2.25\nl,1.25,8,6.75\nm,2.5,9,6.5\n", {"cutoff": 60},
            "i a 2 ok | i b 4 ok | i it 2 ok | j a 1 ok | j b 5.5 ok | j it 4.5 ok | k a 1 ok | k b 3.25 ok | k it 2.25 ok | l a 1.25 ok | l b 8 ok | l it 6.75 ok | m a 2.5 ok | m b 9 ok | m it 6.5 ok",
            "1 runs-direction --cells NAME --maximize NAME --minimize NAME | 1 runs-table 'b' --column ignore=b b:time | 1 runs-table 'it' 'a' 'b' --column ignore=it it:time | 1 runs-understood 'instance' | 1 runs-understood 3 | 1 runs-understood 5 1 15 60 | 1 runs-understood 15",
        ),
        (
            "instance,a,b,it\ni,2,4,2\nj,1,5.5,5.5\nk,1,3.25,3.25\nl,1.25,8,6.4\nm,2.5,9,3.6\n", {"cutoff": 60},
            "i a 2 ok | i b 4 ok | i it 2 ok | j a 1 ok | j b 5.5 ok | j it 5.5 ok | k a 1 ok | k b 3.25 ok | k it 3.25 ok | l a 1.25 ok | l b 8 ok | l it 6.4 ok | m a 2.5 ok | m b 9 ok | m it 3.6 ok",
            "1 runs-direction --cells NAME --maximize NAME --minimize NAME | 1 runs-table 'it' 'b' 'a' --column ignore=it it:time | 1 runs-understood 'instance' | 1 runs-understood 3 | 1 runs-understood 5 1 15 60 | 1 runs-understood 15",
        ),
        (
            "graph,algo,cut\nx,a,1\nx,b,2\n", {"column": ["objective=cut"]},
            "",
            "1 runs-table --maximize cut --minimize cut",
        ),
        (
            "fall,weg,wert\ni,x,5\ni,y,7\nj,x,6\nj,y,8\n", {"cutoff": 10},
            "",
            "1 runs-table --column instance=NAME",
        ),
        (
            ",category,instance,solver,time\n30,1,i,a,3.5\n", {"cutoff": 9},
            "i a 3.5 ok",
            "1 runs-ignored '' | 1 runs-understood 'instance' 'solver' 'time' | 1 runs-understood 'category' 1 1 --column ignore=category | 1 runs-understood 1 | 1 runs-understood 1 1 1 9",
        ),
        (
            "algo,graph,timeout,time\na,g,yes,1\nb,g,no,2\n", {"cutoff": 10},
            "g a 1 ok | g b 2 ok",
            "1 runs-table 'timeout' --column status=timeout --status no=ok --status yes=other --column ignore=timeout | 1 runs-understood 'graph' 'algo' 'time' | 1 runs-understood 2 | 1 runs-understood 1 1 2 10",
        ),
        (
            "problem,solver,runtime,valid\np,a,1,F\nq,a,2,T\np,b,2.5,T\nq,b,3.5,T\n", {"cutoff": 10},
            "p a 1 ok | q a 2 ok | p b 2.5 ok | q b 3.5 ok",
            "1 runs-table 'valid' --column status=valid --status f=other --status t=ok --column ignore=valid | 1 runs-understood 'problem' 'solver' 'runtime' | 1 runs-understood 2 | 1 runs-understood 2 1 4 10 | 1 runs-understood 4",
        ),
        (
            "instance,status,ant\ni,sat,1\nj,unsat,3\n", {"cutoff": 9},
            "",
            "1 runs-table --column solver=NAME --one-file-per solver",
        ),
        (
            "tour_cost,name,ant\n9,x,3\n8,y,4\n", {"cutoff": 9},
            "",
            "1 runs-table --column instance=name --column instance=NAME",
        ),
        (
            "what,when\nlunch,solved\n", {"cutoff": 9},
            "",
            "2 runs-table when:solved --column time=NAME --column objective=NAME",
        ),
        (
            "hash,benchmark,ant\na,x.cnf,3\nb,x.cnf,4\n", {"cutoff": 60},
            "x.cnf ant 3 ok | x.cnf ant 4 ok",
            "3 row-duplicate 2 'ant' 'x.cnf' 'hash' 'ant' 'hash' --column instance=hash | 1 runs-direction --cells NAME --maximize NAME --minimize NAME | 1 runs-ignored 'hash' | 1 runs-understood 'benchmark' | 1 runs-understood 1 | 1 runs-understood 1 1 2 60 | 1 runs-understood 2",
        ),
        (
            "x/i1,ant,SAT,54\nx/i2,ant,SAT,10\n", {"cutoff": 60},
            "",
            "1 runs-table 54 --column instance=1 --column time=4",
        ),
        (
            "instance,solver,cpu_time,wall_time\ni,a,0,3\nj,a,0,4\n", {"cutoff": 60},
            "i a 3 ok | j a 4 ok",
            "1 runs-ignored 'cpu_time' 0 --measure-column cpu_time | 1 runs-understood 'instance' 'solver' 'wall_time' | 1 runs-understood 1 | 1 runs-understood 2 1 2 60 | 1 runs-understood 2",
        ),
        (
            "instance,bee,cat\ni1,1,69.2\ni2,2,77.6\ni3,3,68.8\ni4,4,78.3\ni5,5,95.4\n", {"cutoff": 100},
            "i1 bee 1 ok | i1 cat 69.2 ok | i2 bee 2 ok | i2 cat 77.6 ok | i3 bee 3 ok | i3 cat 68.8 ok | i4 bee 4 ok | i4 cat 78.3 ok | i5 bee 5 ok | i5 cat 95.4 ok",
            "1 runs-direction --cells NAME --maximize NAME --minimize NAME | 1 runs-table 'bee' --column ignore=bee bee:time | 1 runs-understood 'instance' | 1 runs-understood 2 | 1 runs-understood 5 1 10 100 | 1 runs-understood 10",
        ),
        (
            "instance,solver,time,tour_cost\ni,a,2,300\ni,b,5,300\nj,a,2,200\nj,b,3,200\n", {"cutoff": 60},
            "i a 2 ok | i b 5 ok | j a 2 ok | j b 3 ok",
            "1 runs-ignored 'tour_cost' --measure-column tour_cost | 1 runs-understood 'instance' 'solver' 'time' | 1 runs-understood 2 | 1 runs-understood 2 1 4 60 | 1 runs-understood 4",
        ),
        (
            "instance,solver,time,tour_cost\ni,a,2,300\ni,b,5,301\nj,a,2,200\nj,b,3,200\n", {"cutoff": 60},
            "i a 2 ok | i b 5 ok | j a 2 ok | j b 3 ok",
            "1 runs-table 'time' 'tour_cost' 'time' --column ignore=tour_cost 'tour_cost' --column objective=tour_cost --column ignore=time --maximize tour_cost | 1 runs-understood 'instance' 'solver' 'time' | 1 runs-understood 2 | 1 runs-understood 2 1 4 60 | 1 runs-understood 4",
        ),
        (
            "instance,cutoff,ant,bee\ni,60,60,0\nj,100,5,9\n", {},
            "i ant 60 ok | i bee 0 ok | j ant 5 ok | j bee 9 ok",
            "2 runs-cutoff 60 100 --column ignore=cutoff --cutoff 60 | 1 runs-direction --cells NAME --maximize NAME --minimize NAME | 1 runs-understood 'instance' 'cutoff' | 1 runs-understood 2 | 1 runs-understood 2 1 4 100 | 1 runs-understood 4",
        ),
        (
            "instance,a:time,a:status,b:status\ni,1,ok,ok\n", {"cutoff": 9},
            "",
            "1 runs-table --column ignore=NAME",
        ),
        (
            "task,a,b,it\nd0,0.1,0.9,0.9\nd1,0.2,0.8,0.8\nd2,0.3,0.7,0.7\nd3,0.4,0.6,0.6\nd4,0.5,0.5,0.5\nd5,0.6,0.4,0.6\nd6,0.7,0.3,0.7\n", {"cells": "accuracy"},
            "d0 a 0.1 ok | d0 b 0.9 ok | d0 it 0.9 ok | d1 a 0.2 ok | d1 b 0.8 ok | d1 it 0.8 ok | d2 a 0.3 ok | d2 b 0.7 ok | d2 it 0.7 ok | d3 a 0.4 ok | d3 b 0.6 ok | d3 it 0.6 ok | d4 a 0.5 ok | d4 b 0.5 ok | d4 it 0.5 ok | d5 a 0.6 ok | d5 b 0.4 ok | d5 it 0.6 ok | d6 a 0.7 ok | d6 b 0.3 ok | d6 it 0.7 ok",
            "1 runs-table 'it' --column ignore=it it:accuracy | 1 runs-understood 'task' | 1 runs-understood 3 | 1 runs-understood 7 1 21 | 1 runs-understood 21",
        ),
        (
            "instance,solver,cpu_s,time\ni,a,hot,3\nj,a,cold,4\n", {"cutoff": 60},
            "i a 3 ok | j a 4 ok",
            "1 runs-ignored 'cpu_s' --measure-column cpu_s | 1 runs-understood 'instance' 'solver' 'time' | 1 runs-understood 1 | 1 runs-understood 2 1 2 60 | 1 runs-understood 2",
        ),
        (
            "instance,solver,time\ni,a,3\n", {"cutoff": 60, "column": ["scenario=family"]},
            "",
            "1 runs-table 'family' --family path:N --column ROLE=NAME",
        ),
        (
            "instance,solver,seed,size,time\ni,a,1,s,3\ni,a,1,m,4\ni,b,1,s,5\ni,b,1,m,6\n", {"cutoff": 60},
            "i a 3 ok | i a 4 ok | i b 5 ok | i b 6 ok",
            "3 row-duplicate 2 'a' 'i' 'size' 'time' 'size' --column instance=instance+size --column solver=solver+size --column scenario=size | 5 row-duplicate 4 'b' 'i' 'size' 'time' 'size' --column instance=instance+size --column solver=solver+size --column scenario=size | 1 runs-ignored 'size' --measure-column size | 1 runs-understood 'instance' 'solver' 'seed' 'time' | 1 runs-understood 2 | 1 runs-understood 1 1 4 60 | 1 runs-understood 4",
        ),
        (
            "instance,a,a|cost,b,b|cost\ni,0.5,3,0.7,4\n", {},
            "",
            "1 runs-understood 2 'a' 'a' 'a|cost' | 1 runs-table 'cost' --cells accuracy --cells NAME --maximize NAME --minimize NAME",
        ),
        (
            "instance,solver,solve_time,runtime\ni,x,5,9\nj,x,4,8\n", {"cutoff": 60},
            "i x 9 ok 5 ok | j x 8 ok 4 ok",
            "1 runs-understood 'instance' 'solver' 'runtime' 'solve_time' | 1 runs-understood 1 | 1 runs-understood 2 1 2 60 | 1 runs-understood 2",
        ),
        (
            "instance,solver,kind,time\ni,a,p,1\ni,a,p,2\ni,a,q,3\ni,b,p,1\ni,b,p,2\ni,b,q,3\n", {"cutoff": 60},
            "i a 1 ok | i a 2 ok | i a 3 ok | i b 1 ok | i b 2 ok | i b 3 ok",
            "3 row-duplicate 2 'a' 'i' 'time' 'kind' --column instance=instance+kind --duplicates number --duplicates first | 4 row-duplicate 2 'a' 'i' 'kind' 'time' 'kind' --column instance=instance+kind --duplicates number --duplicates first | 6 row-duplicate 5 'b' 'i' 'time' 'kind' --column instance=instance+kind --duplicates number --duplicates first | 7 row-duplicate 5 'b' 'i' 'kind' 'time' 'kind' --column instance=instance+kind --duplicates number --duplicates first | 1 runs-ignored 'kind' --measure-column kind | 1 runs-understood 'instance' 'solver' 'time' | 1 runs-understood 2 | 1 runs-understood 1 1 6 60 | 1 runs-understood 6",
        ),
        (
            "instance,solver,time,status,run,seed,command,reads,program,version,check\ni,a,1,ok,0,7,c,,p,1,x\ni,a,1,ok,1,8,c,,p,1,x\ni,a,1,ok,3,10,c,,p,1,x\n", {"cutoff": 60},
            "i a #7 1 ok | i a #8 1 ok | i a #10 1 ok",
            "4 run-missing 10 9 'plan' | 1 runs-understood 'instance' 'solver' 'seed' 'time' 'status' | 1 runs-understood 'plan' | 1 runs-understood 1 | 1 runs-understood 1 3 3 60 | 1 runs-understood 3",
        ),
        (
            "# instance,solver,time\ni,a,3\n", {"cutoff": 60},
            "i a 3 ok",
            "1 runs-understood 'instance' 'solver' 'time' | 1 runs-understood 1 | 1 runs-understood 1 1 1 60",
        ),
        (
            ",ant,bee\n0,3,4\n1,5,TO\n", {"cutoff": 60},
            "",
            "1 runs-table --column instance=NAME",
        ),
        (
            ",ant,bee\n1,3,4\n2,5,TO\n", {"cutoff": 60},
            "",
            "1 runs-table --column instance=NAME",
        ),
        (
            ",ant,bee\nx,3,4\ny,5,TO\n", {"cutoff": 60},
            "x ant 3 ok | x bee 4 ok | y ant 5 ok | y bee - timeout",
            "1 runs-understood | 1 runs-understood 'instance' | 1 runs-understood 2 | 1 runs-understood 2 1 4 60 | 1 runs-understood 3 1 | 3 runs-timeouts 1 'TO'",
        ),
        (
            "instance,solver,time,result\ni,a,1,seen\ni,b,2,sat\n", {"cutoff": 60, "claims": ["seen=unknown"]},
            "i a 1 other | i b 2 ok sat",
            "1 runs-understood 'instance' 'solver' 'time' 'result' | 1 runs-understood 2 | 1 runs-understood 1 1 2 60 | 1 runs-understood 1 1 | 2 runs-timeouts 1 'seen' | 3 runs-timeouts 1 'sat'",
        ),
        (
            "instance,ant,ant,bee,bee\n,time,status,time,status\ni,1,ok,2,timeout\n", {"cutoff": 2},
            "i ant 1 ok | i bee 2 timeout",
            "2 runs-understood 'instance' | 2 runs-understood 2 | 2 runs-understood 1 1 2 2 | 2 runs-understood 1 1",
        ),
        (
            "instance,ant,ant,ant,ant\n,fast,fast,slow,slow\n,time,status,time,status\ni,1,ok,2,ok\n", {"cutoff": 9},
            "i ant fast 1 ok | i ant slow 2 ok",
            "3 runs-understood 'instance' | 3 runs-understood 2 | 3 runs-understood 1 1 2 9",
        ),
        (
            "instance,solver,time,status\ni1,a,1,ok\ni2,a,2,timeout\ni3,a,3,ok\ni4,a,4,timeout\ni5,a,5,ok\ni6,a,6,timeout\ni7,a,7,ok\ni8,a,8,timeout\ni9,a,9,ok\ni10,a,10,timeout\ni11,a,11,ok\ni12,a,12,timeout\ni13,a,13,ok\ni14,a,14,timeout\ni15,a,15,ok\ni16,a,16,timeout\ni17,a,17,ok\ni18,a,18,timeout\ni19,a,19,ok\ni20,a,20,timeout\n", {"cutoff": 60000},
            "i1 a 1 ok | i2 a 2 timeout | i3 a 3 ok | i4 a 4 timeout | i5 a 5 ok | i6 a 6 timeout | i7 a 7 ok | i8 a 8 timeout | i9 a 9 ok | i10 a 10 timeout | i11 a 11 ok | i12 a 12 timeout | i13 a 13 ok | i14 a 14 timeout | i15 a 15 ok | i16 a 16 timeout | i17 a 17 ok | i18 a 18 timeout | i19 a 19 ok | i20 a 20 timeout",
            "3 runs-early 2 2 60000 10 10 | 1 runs-limit 10 20 60000 --cutoff 60000ms | 1 runs-understood 'instance' 'solver' 'time' 'status' | 1 runs-understood 1 | 1 runs-understood 20 1 20 60000 | 1 runs-understood 10 10",
        ),
        (
            '{"a": {"algorithm": "ff", "id": ["ff", "gripper", "p1"], "coverage": 1, "search_time": 2}, "b": {"algorithm": "ff", "id": ["ff", "gripper", "p2"], "unsolvable": 1, "search_time": 3, "coverage": 0}}', {"file": "t.json", "cutoff": 9},
            "gripper/p1 ff 2 ok | gripper/p2 ff 3 ok",
            "1 runs-understood | 1 runs-understood --column objective=cost | 1 runs-understood 'algorithm' 'instance' 'family' 'time' 'status' | 1 runs-understood 'family' 1 2 --column ignore=family | 1 runs-understood 1 | 1 runs-understood 2 1 2 9 | 1 runs-understood 2",
        ),
        (
            '{"benchmarks": [{"name": "ant/n:1_mean", "run_name": "ant/n:1", "run_type": "aggregate", "real_time": 3.0, "cpu_time": 9.0, "time_unit": "us", "aggregate_name": "mean"}, {"name": "ant/n:1_median", "run_name": "ant/n:1", "run_type": "aggregate", "real_time": 2.0, "cpu_time": 9.0, "time_unit": "us", "aggregate_name": "median"}]}', {"file": "t.json", "column": ["solver=name/1", "instance=n"]},
            "1 ant 3e-06 ok",
            "1 runs-understood | 1 runs-understood --cutoff | 1 runs-understood 'name/1' 'n' 'repetition' 'execution_time' 'status' | 1 runs-understood 1 | 1 runs-understood 1 1 1",
        ),
        (
            '{"benchmarks": [{"name": "sort/algorithm:intro/size:8/std::less", "run_name": "sort/algorithm:intro/size:8/std::less", "run_type": "iteration", "real_time": 1.0, "cpu_time": 9.0, "time_unit": "us"}, {"name": "sort/algorithm:intro/size:9/std::less", "run_name": "sort/algorithm:intro/size:9/std::less", "run_type": "iteration", "real_time": 2.0, "cpu_time": 9.0, "time_unit": "us"}, {"name": "sort/algorithm:heap/size:8/std::less", "run_name": "sort/algorithm:heap/size:8/std::less", "run_type": "iteration", "real_time": 3.0, "cpu_time": 9.0, "time_unit": "us"}, {"name": "sort/algorithm:heap/size:9/std::less", "run_name": "sort/algorithm:heap/size:9/std::less", "run_type": "iteration", "real_time": 4.0, "cpu_time": 9.0, "time_unit": "us"}]}', {"file": "t.json"},
            "8 intro 1e-06 ok | 9 intro 2e-06 ok | 8 heap 3e-06 ok | 9 heap 4e-06 ok",
            "1 runs-understood | 1 runs-understood --cutoff | 1 runs-understood 'algorithm' 'size' 'repetition' 'execution_time' 'status' | 1 runs-understood 2 | 1 runs-understood 2 1 4 | 1 runs-understood 4",
        ),
        (
            '{"benchmarks": [{"name": "quick/10", "run_name": "quick/10", "run_type": "iteration", "real_time": 1.0, "cpu_time": 9.0, "time_unit": "us"}, {"name": "heap/10", "run_name": "heap/10", "run_type": "iteration", "real_time": 2.0, "cpu_time": 9.0, "time_unit": "us"}]}', {"file": "t.json"},
            "",
            "1 runs-understood | 1 runs-understood --cutoff | 1 runs-table 1 2 --column instance=NAME",
        ),
        (
            '{"data": [[[1, "i", 0, 0.0], [9.0, 0.5, {"__enum__": "StatusType.SUCCESS"}, 0.0, 1.0, {}]], [[2, "i", 0, 0.0], [4.0, 0.2, {"__enum__": "StatusType.CRASHED"}, 0.0, 1.0, {}]]], "configs": {}}', {"file": "t.json"},
            "i 1 #0 9 ok 0.5 ok | i 2 #0 4 crash 0.2 crash",
            "1 runs-understood | 1 runs-direction --maximize cost | 1 runs-understood 'configuration' 'instance' 'seed' 'cost' 'execution_time' 'status' | 1 runs-understood 2 1 2 | 1 runs-understood 1 1 2 | 1 runs-understood 1 1",
        ),
        (
            "instance,bee,cat\ni1,1,69\ni2,2,77\ni3,3,68\ni4,4,78.3\ni5,5,95.4\n", {"cutoff": 100},
            "i1 bee 1 ok | i1 cat 69 ok | i2 bee 2 ok | i2 cat 77 ok | i3 bee 3 ok | i3 cat 68 ok | i4 bee 4 ok | i4 cat 78.3 ok | i5 bee 5 ok | i5 cat 95.4 ok",
            "1 runs-direction --cells NAME --maximize NAME --minimize NAME | 1 runs-understood 'instance' | 1 runs-understood 2 | 1 runs-understood 5 1 10 100 | 1 runs-understood 10",
        ),
        (
            "instance,bee,cat\ni1,1,69\ni2,2,77\ni4,4,78.3\ni5,5,95.4\n", {"cutoff": 100},
            "i1 bee 1 ok | i1 cat 69 ok | i2 bee 2 ok | i2 cat 77 ok | i4 bee 4 ok | i4 cat 78.3 ok | i5 bee 5 ok | i5 cat 95.4 ok",
            "1 runs-direction --cells NAME --maximize NAME --minimize NAME | 1 runs-understood 'instance' | 1 runs-understood 2 | 1 runs-understood 4 1 8 100 | 1 runs-understood 8",
        ),
        (
            "instance,ant,bee\ni,95,96\nj,97,60\n", {},
            "",
            "1 runs-table 'ant' 'bee' 100 50 --cells accuracy --cells NAME --maximize NAME --minimize NAME --cells time",
        ),
        (
            "instance,ant,bee\ni,95,6\nj,7,60\n", {},
            "i ant 95 ok | i bee 6 ok | j ant 7 ok | j bee 60 ok",
            "1 runs-cutoff 95 --cutoff --cells accuracy --cells NAME --maximize NAME --minimize NAME | 1 runs-direction --cells NAME --maximize NAME --minimize NAME | 1 runs-understood 'instance' | 1 runs-understood 2 | 1 runs-understood 2 1 4 | 1 runs-understood 4",
        ),
        (
            "instance,ant_s,bee\ni,1,2\nj,3,TO\n", {"cutoff": 9},
            "i ant_s 1 ok | i bee 2 ok | j ant_s 3 ok | j bee - timeout",
            "1 runs-understood 'instance' | 1 runs-understood 2 | 1 runs-understood 2 1 4 9 | 1 runs-understood 3 1 | 3 runs-timeouts 1 'TO'",
        ),
        (
            "instance,solver,time_ms,wall_s\ni,a,1,2\nj,a,3,4\n", {"cutoff": 9},
            "",
            "1 runs-table --column ignore=NAME --times-in s",
        ),
        (
            "instance,solver,time_ms,wall\ni,a,1,2\nj,a,3,4\n", {"cutoff": 9},
            "",
            "1 runs-table --column ignore=NAME --times-in s",
        ),
        (
            "instance,a_parse,a_solve,a_total,b_parse,b_solve,b_total\ni,1,2,3,2,3,5\nj,1,3,4,2,4,60\n", {"cutoff": 9},
            "",
            "1 runs-understood 2 'a' 'a_parse' 'a_solve' 'a_total' | 1 runs-table 'parse' 'solve' SOLVER:time --cells solve",
        ),
        (
            "instance,a_parse,a_solve,a_total,b_parse,b_solve,b_total\ni,1,2,3,2,3,5\nj,1,3,4,2,4,6\n", {"cutoff": 6},
            "i a 3 ok | i b 5 ok | j a 4 ok | j b 6 timeout",
            "1 runs-understood 2 'a' 'a_parse' 'a_solve' 'a_total' | 1 runs-ignored 4 'a:parse' 'a:solve' 'b:parse' 'b:solve' | 1 runs-understood 'instance' | 1 runs-understood 2 | 1 runs-understood 2 1 4 6 | 1 runs-understood 3 1 | 3 runs-timeouts 1",
        ),
        (
            "instance,a_parse,a_translate,b_parse,b_translate\ni,1,2,3,4\nj,1,3,4,5\n", {"cutoff": 6},
            "",
            "1 runs-understood 2 'a' 'a_parse' 'a_translate' | 1 runs-table 'parse' 'translate' SOLVER:time --cells translate",
        ),
        (
            "instance,a_wins,a_losses,a_total,b_wins,b_losses,b_total\ni,1,2,3,2,3,5\nj,1,3,4,2,4,6\n", {"cutoff": 6},
            "i a 2 ok | i b 3 ok | j a 3 ok | j b 4 ok",
            "1 runs-understood 2 'a' 'a_wins' 'a_losses' 'a_total' | 1 runs-direction --maximize losses | 1 runs-ignored 2 'a:wins' 'b:wins' 'wins' | 1 runs-ignored 2 'a:total' 'b:total' 'total' | 1 runs-understood 'instance' | 1 runs-understood 2 | 1 runs-understood 2 1 4 | 1 runs-understood 4",
        ),
        (
            "instance,solver,time,result\ni,a,3,yes\ni,b,4,no\nj,a,60,timeout\nj,b,6,yes\n", {"cutoff": 60},
            "i a 3 ok | i b 4 other | j a 60 timeout | j b 6 ok",
            "1 runs-table 'no' --status no=ok --status no=other | 1 runs-understood 'instance' 'solver' 'time' 'result' | 1 runs-understood 2 | 1 runs-understood 2 1 4 60 | 1 runs-understood 2 1 1 | 2 runs-timeouts 2 'yes' | 3 runs-timeouts 1 'no'",
        ),
        (
            "instance,solver,time,status,result\ni,a,3,ok,yes\ni,b,4,ok,no\nj,a,60,timeout,\nj,b,6,ok,yes\n", {"cutoff": 60},
            "i a 3 ok | i b 4 other | j a 60 timeout | j b 6 ok",
            "3 runs-table 'no' 1 --status no=ok --column ignore=result | 1 runs-understood 'instance' 'solver' 'time' 'status' 'result' | 1 runs-understood 2 | 1 runs-understood 2 1 4 60 | 1 runs-understood 2 1 1 | 2 runs-timeouts 2 'yes'",
        ),
        (
            "instance,ant,bee\ni,5ms,TO\nj,7ms,TO\n", {"cutoff": 9},
            "i ant 0.005 ok | i bee - timeout | j ant 0.007 ok | j bee - timeout",
            "1 runs-understood '5ms' | 1 runs-understood 'instance' | 1 runs-understood 2 | 1 runs-understood 2 1 4 9 | 1 runs-understood 2 2 | 2 runs-timeouts 2 'TO'",
        ),
        (
            "instance,solver,score,accuracy\ni,a,3,0.5\ni,b,4,0.6\nj,a,3,0.7\nj,b,5,0.8\n", {"measure_column": ["score"], "maximize": ["score"]},
            "i a 3 ok | i b 4 ok | j a 3 ok | j b 5 ok",
            "1 runs-ignored 'accuracy' --measure-column accuracy | 1 runs-understood 'instance' 'solver' 'score' | 1 runs-understood 2 | 1 runs-understood 2 1 4 | 1 runs-understood 4",
        ),
        (
            "instance,solver,time,score,accuracy\ni,a,1,3,0.5\ni,b,2,4,0.6\nj,a,3,3,0.7\nj,b,9,5,0.8\n", {"measure_column": ["score"], "maximize": ["score"], "cutoff": 9},
            "i a 1 ok 3 ok | i b 2 ok 4 ok | j a 3 ok 3 ok | j b 9 timeout 5 timeout",
            "2 proof-beaten 2 | 1 runs-ignored 'accuracy' --measure-column accuracy | 1 runs-understood 'instance' 'solver' 'time' 'score' | 1 runs-understood 2 | 1 runs-understood 2 1 4 9 | 1 runs-understood 3 1 | 5 runs-timeouts 1",
        ),
        (
            "instance,a,a|tokens,a|cost,b,b|tokens,b|cost\ni,0.5,30,0.1,0.7,40,0.2\nj,0.6,30,0.1,0.8,40,0.3\n", {"cells": "accuracy"},
            "i a 0.5 ok 30 ok 0.1 ok | i b 0.7 ok 40 ok 0.2 ok | j a 0.6 ok 30 ok 0.1 ok | j b 0.8 ok 40 ok 0.3 ok",
            "1 runs-understood 2 'a' 'a' 'a|tokens' 'a|cost' | 1 runs-direction --maximize tokens | 1 runs-understood 'instance' | 1 runs-understood 2 | 1 runs-understood 2 1 4 | 1 runs-understood 4",
        ),
        (
            "instance,ant,ant,bee,bee\n,memory,conflicts,memory,conflicts\ni,1,2,3,4\n", {"cutoff": 9},
            "",
            "1 runs-table 'ant' 'bee' --duplicates number",
        ),
        (
            "instance,solver,time_ms\ni,a,1\nj,a,2\n", {},
            "i a 1 ok | j a 2 ok",
            "1 runs-cutoff 2 --cutoff | 1 runs-understood 'instance' 'solver' 'time_ms' | 1 runs-understood 1 | 1 runs-understood 2 1 2 | 1 runs-understood 2",
        ),
        (
            "instance,solver,time_s,status\ni,a,61,ok\nj,a,62,ok\n", {"cutoff": 60},
            "i a 61 ok | j a 62 ok",
            "2 runs-late 61 60 2 2 | 1 runs-cutoff 100 62 --times-in s | 1 runs-understood 'instance' 'solver' 'time_s' 'status' | 1 runs-understood 1 | 1 runs-understood 2 1 2 60 | 1 runs-understood 2",
        ),
        (
            "i1 1.5\ni2 2.5\n", {"cutoff": 9},
            "",
            "1 runs-table 1.5",
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


EVERYTHING = """\
instance,solver,rep,time,result,cost,expected,best,feature:n,logic
i,a,1,3,sat,5,sat,4,7,x
i,b,1,70,sat,6,sat,4,7,x
j,a,1,4,unsat,3,,?,,y
j,b,1,5,sat,2,,?,,y
k,a,2,6,optimum,1,,9,8,y
k,b,2,TO,timeout,,,9,8,y
"""


def relations(text: str, file: str = "t.csv", **given: Any) -> dict[str, list[str]]:
    """Relation → its rows: the columns that have a value, and the value."""
    raw = read_raw(text.encode(), kind=Path(file).suffix, packed=False, file=file)
    choices, location = over(table_choices(**given), raw.stated, adds=True), Location(Path(file), file)
    said = {"a": "a -x"}
    found = read_table(raw, choices, location=location, sources={}, memory=512, configurations=said)
    hidden = ("source_sha256", "missing", "measure_type", "described", "has_runs")
    told = {}
    for name, table in found.tables.items():
        rows = [{k: v for k, v in row.items() if k not in hidden} for row in table.to_pylist()]
        told[name] = [" ".join(f"{k}={v}" for k, v in row.items() if v is not None) for row in rows]
    return told


def test_a_table_becomes_rows_of_every_relation() -> None:
    found = relations(EVERYTHING, cutoff=60, minimize=["cost"])
    assert found["scenario"] == [
        "folder=t.csv measure=runtime measure_index=1 maximize=False cutoff=60.0 cutoff_memory=512.0",
        "folder=t.csv measure=cost measure_index=2 maximize=False cutoff=60.0 cutoff_memory=512.0",
    ]
    assert found["run"][2:4] == [
        "instance_id=i repetition=1 algorithm=b measure=runtime value=70.0 runstatus=ok",
        "instance_id=i repetition=1 algorithm=b measure=cost value=6.0 runstatus=ok",
    ]
    assert found["run"][10:] == [
        "instance_id=k repetition=2 algorithm=b measure=runtime runstatus=timeout",
        "instance_id=k repetition=2 algorithm=b measure=cost runstatus=timeout",
    ]
    assert found["answer"] == [
        "instance_id=i repetition=1 algorithm=a said=sat claim=solution objective=5.0",
        "instance_id=i repetition=1 algorithm=b said=sat claim=solution objective=6.0",
        "instance_id=j repetition=1 algorithm=a said=unsat claim=unsat objective=3.0",
        "instance_id=j repetition=1 algorithm=b said=sat claim=solution objective=2.0",
        "instance_id=k repetition=2 algorithm=a said=optimum claim=optimal objective=1.0",
    ]
    assert found["reference"] == [
        "instance_id=i role=best_known value=4.0",
        "instance_id=k role=best_known value=9.0",
        "instance_id=j role=disputed label=sat, unsat",
    ]
    assert found["attribute"] == [
        *(f"instance_id={i} attribute=logic value={of}" for i, of in ("ix", "jy", "ky")),
        "instance_id=i attribute=ground_truth value=sat",
    ]
    assert found["algorithm"] == ["algorithm=a configuration=a -x", "algorithm=b"]
    assert found["feature"] == ["feature=n of=instance position=1 has_values=True steps=[]"]
    assert found["feature_value"] == [
        "instance_id=i repetition=1 feature=n value=7.0",
        "instance_id=j repetition=1 feature=n",
        "instance_id=k repetition=1 feature=n value=8.0",
    ]


def test_there_are_no_answers_if_a_solved_run_makes_no_claim() -> None:
    text = "instance,solver,time,result\ni,a,3,sat\ni,b,4,{}\n"
    for word, n in (("unsat", 2), ("timeout", 1), ("cat", 0)):
        assert len(relations(text.format(word), cutoff=60, status=["cat=ok"]).get("answer", [])) == n


def test_what_a_known_tool_measures_has_its_unit() -> None:
    trial = {"config_id": 1, "instance": "i", "seed": 0, "cost": 5, "time": 0.5, "status": 1}
    found = relations(json.dumps({"data": [trial], "configs": {}}), "t.json")
    about = "folder=t.json measure={} measure_index={} maximize=False cutoff_memory=512.0{}".format
    assert found["scenario"] == [about("cost", 1, ""), about("execution_time", 2, " unit=s")]
    timed = relations("instance,solver,time_ms\ni,a,3\n", cutoff="9ms")["scenario"]
    assert timed == [
        "folder=t.csv measure=runtime measure_index=1 maximize=False cutoff=9.0 cutoff_memory=512.0 time_unit=ms"
    ]


@pytest.mark.parametrize("text", ["", "\n", " \n\n"])
@pytest.mark.parametrize("file", ["t.csv", "t.tsv", "t.jsonl", "t.ndjson"])
def test_a_file_without_a_row_is_empty(text: str, file: str) -> None:
    raw = read_raw(text.encode(), kind=Path(file).suffix, packed=False, file=file)
    assert [(each.line, each.message) for each in raw.findings] == [(1, "is empty")]


def test_what_is_no_table_of_runs_may_be_one_of_scores(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("what,n\nx,3\n")
    hint = RUNS.absent(tmp_path / "t.csv").hint or ""
    assert hint.startswith("No column is named instance, benchmark or problem.")
    assert hint.endswith("name its columns task, method, metric and value.")


@pytest.mark.parametrize("name", ["model", "models", "model_name", "model_id", "llm", "router"])
def test_a_column_of_models_may_name_instances_or_solvers(name: str) -> None:
    assert f"--column instance={name}" in becomes(f"{name},score\na,0.5\nb,0.6\n", cutoff=9)[1]


@pytest.mark.parametrize(("row", "is_short"), [("i,a", True), ("i,a,1,5", False)])
def test_a_row_of_another_width_says_what_to_do(row: str, *, is_short: bool) -> None:
    text = f"instance,solver,time\nj,a,3\n{row}\n"
    (found,) = read_raw(text.encode(), kind=".csv", packed=False, file="t.csv").findings
    assert found.line == 3
    assert "quotes" in (found.hint or "")
    assert ("empty" in (found.hint or "")) is is_short
