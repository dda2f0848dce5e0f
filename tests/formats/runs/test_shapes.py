# ruff: noqa: E501 - a case a line
"""Shapes of tables of competitions: literal rows, and the runs they become."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import aslib_eval as ae
from aslib_eval.cli import main
from aslib_eval.errors import AslibError
from aslib_eval.formats.runs import raw_table
from tests.conftest import opened, rows
from tests.formats.runs.test_readings import reading
from tests.formats.runs.test_runs import MEANT, lake_of, refused, runs_of, said


def test_lines_of_a_large_table_may_end_as_on_old_computers(tmp_path: Path) -> None:
    lines = [f"a_long_name_of_a_benchmark_{n:05},ant,3.5,ok\r" for n in range(9000)]
    text = f"benchmark,solver,time,status\r{''.join(lines)}"
    assert len(runs_of(tmp_path / "t.csv", text, cutoff=60)) == 9000


def test_why_a_table_is_none_is_an_error_and_no_warning(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("10-3-13.cnf,hordesat,UNKNOWN,10000")
    with pytest.raises(AslibError, match="No column is named instance"):
        ae.import_scenarios([tmp_path / "t.csv"], into=tmp_path / "lake")


GROUPS = """\
{}
i1;ant;uns;-1;3.5;bee;time;-1;60
i2;ant;sat;4;12;bee;sat;4;0.8
i3;ant;unk;-1;1;bee;mem;-1;2
i4;;;;;bee;sat;2;5
i4;ant;sat;2;6;;;;
"""


@pytest.mark.parametrize(
    "header",
    [
        "benchmark;solver;status;bound;real;solver;status;bound;real",
        "benchmark;solver;status;bound;real;solver.1;status.1;bound.1;real.1",
        "benchmark;solver1;status1;bound1;real1;solver2;status2;bound2;real2",
    ],
)
def test_groups_of_columns_stand_side_by_side(tmp_path: Path, header: str) -> None:
    path = tmp_path / "hwmcc.csv"
    assert runs_of(path, GROUPS.format(header), cutoff=60) == [
        *MEANT,
        ("i3", 1, "ant", "runtime", 1.0, "other"),
        ("i3", 1, "bee", "runtime", 2.0, "memout"),
        ("i4", 1, "ant", "runtime", 6.0, "ok"),
        ("i4", 1, "bee", "runtime", 5.0, "ok"),
    ]
    what = "the columns solver, status, bound, real occur 2 times side by side"
    assert said(path, "runs-understood", cutoff=60)[0].startswith(f"1: {what}")


def test_solvers_with_numbers_are_no_groups(tmp_path: Path) -> None:
    assert runs_of(tmp_path / "a.csv", "instance,solver1,solver2\ni,3,4\n", cutoff=60) == [
        ("i", 1, "solver1", "runtime", 3.0, "ok"),
        ("i", 1, "solver2", "runtime", 4.0, "ok"),
    ]


@pytest.mark.parametrize(
    ("below", "instances"),
    [
        ("instance,,,,\ni,3,ok,4,ok\n", ["i"]),  # as pandas writes the name of an index
        ("instance,,ok,,\ni,3,ok,4,ok\n", ["instance", "i"]),
        ("x,,,,\ni,3,ok,4,ok\n", ["x", "i"]),
        ("instance,,,,\n", []),
        ("", []),
    ],
)
def test_an_empty_row_below_two_rows_of_names_may_name_the_instances(
    below: str, instances: list[str]
) -> None:
    found = reading(f",ant,ant,bee,bee\n,time,status,time,status\n{below}", cutoff=9)
    assert [*dict.fromkeys(run.instance for run in found.runs)] == instances


def test_rows_of_virtual_solvers_and_sums_are_no_runs(tmp_path: Path) -> None:
    text = """\
instance,solver,time
i,ant,9
i,VBS,4
i,bee,4
i,Virtual Best Solver (all),4
j,ant,2
j,bee,3
total,ant,11
total,bee,7
"""
    path = tmp_path / "t.csv"
    assert [row[2:5] for row in runs_of(path, text, cutoff=60)] == [
        ("ant", "runtime", 9.0),
        ("bee", "runtime", 4.0),
        ("ant", "runtime", 2.0),
        ("bee", "runtime", 3.0),
    ]
    assert said(path, "runs-ignored", cutoff=60) == [
        ("1: skipped 2 rows of VBS, Virtual Best Solver (all), because virtual solvers are computed"),
        ("1: skipped 2 rows of sums or means (the first is 'total' in line 8)"),
    ]
    for names in ("total sum i", "sum count"):  # among others, or as all are called
        text = "instance,ant\n" + "".join(f"{name},3\n" for name in names.split())
        assert [row[0] for row in runs_of(path, text, cutoff=60)] == sorted(names.split())


def test_columns_that_are_no_solvers(tmp_path: Path) -> None:
    text = "hash,filename,year,note,ant,\nab,i,2021,,3,\ncd,j,2021,,TO,\n"
    path = tmp_path / "t.csv"
    assert {row[2] for row in runs_of(path, text, cutoff=60)} == {"ant"}
    assert said(path, "runs-ignored", cutoff=60) == [
        "1: column 'hash' is not read: another column already names the instances",
        "1: column 'year' is not read: the name looks like a count or a statistic",
        "1: column 'note' is not read: the cells hold no time",
    ]


@pytest.mark.parametrize(
    ("text", "choices", "error"),
    [
        (
            "instance,solver,time,objective\ni,ant,3,1\n",
            {"maximize": ["time", "objective"]},
            "1: runs-table",
        ),
        ("instance,solver,time\ni,ant,3\n", {"maximize": ["time"]}, "1: runs-table"),
        # Names that repeat: no group names a solver; the second group lacks a column.
        ("instance,time,status,time,status\ni,ant,3,ok,bee\n", {}, "1: runs-table"),
        ("x,solver,time,status,solver\ni,ant,3,ok,bee\n", {}, "1: runs-table"),
        ("benchmark;solver;real;solver;real\ni;ant;1;bee;2\nj;ant;3;bee;4;cow\n", {}, "3: runs-table"),
        ("benchmark;solver;real;solver;real\ni;ant;1;bee;2\nj\n", {}, "3: runs-table"),
        # A row that ends before the columns do.
        ("instance,solver,time,,status\ni,ant,3,,ok\ni,bee,4,,ok\nj,ant,5\n", {}, "4: runs-table"),
        # A column that numbers the rows names no instances.
        (",ant,bee\n0,3,4\n1,5,6\n", {}, "1: runs-table"),
        (",ant,bee\n1,3,4\n2,5,6\n", {}, "1: runs-table"),
        ("solver,time\nant,3\n", {"column": {"solver": "solver+config"}}, "1: runs-table"),
    ],
)
def test_what_is_no_shape(tmp_path: Path, text: str, choices: dict[str, Any], error: str) -> None:
    assert refused(tmp_path / "t.csv", text, cutoff=60, **choices) == [error]


WORDS = "cnf,ant,bee\ni,3,INCORRECT\nj,UNKNOWN,no-sol\nk,TIMEOUT,no-sol\nl,-1,4\n"
TOLD = {"status": {"no-sol": "crash", "incorrect": "memout", "-1": "timeout"}}
NO_STATUS = """\
benchmark,solver,wallclock time,result
i,ant,TIMEOUT,
i,bee,46.5,UNSATISFIABLE
j,ant,FAILED,
j,bee,60.5,
"""
NOTHING = "instance,ant,bee\ni,3,\nj,-,4\nk,,\n"
MORE_GROUPS = "benchmark;solver;real;solver;real\ni;ant;1;bee;2\nj;ant;3;bee;4;cow;5\n"
TWO_NAMES = "benchmark,solver,configuration,time\ni,ant,fast,3\ni,ant,,4\ni,bee,fast,5\n"
TWO_TIMES = "benchmark,solver,status,time_real,time_cpu\ni,ant,ok,3,9\n"
TWO_HEADERS = ",ant,ant,bee,bee\nproblem,time,status,time,status\ni,1,ok,2,ok\n"


@pytest.mark.parametrize(
    ("text", "choices", "runs"),
    [
        # A word or nothing in the place of a time or a status.
        (WORDS, TOLD, "i ant 3 ok, i bee - memout, j ant - other, j bee - crash, k ant - timeout, k bee - crash, l ant -1 timeout, l bee 4 ok"),
        (NO_STATUS, {}, "i ant - timeout, i bee 46.5 ok, j ant - crash, j bee 60.5 timeout"),
        (NOTHING, {}, "i ant 3 ok, i bee - timeout, j ant - timeout, j bee 4 ok, k ant - timeout, k bee - timeout"),
        (NOTHING, {"missing": "crash"}, "i ant 3 ok, i bee - crash, j ant - timeout, j bee 4 ok, k ant - crash, k bee - crash"),
        (NOTHING, {"missing": "drop"}, "j ant - timeout, j bee 4 ok"),
        # Groups of columns, more in some rows; names of several columns; two times, two rows of names.
        (MORE_GROUPS, {"missing": "timeout"}, "i ant 1 ok, i bee 2 ok, i cow - timeout, j ant 3 ok, j bee 4 ok, j cow 5 ok"),
        (TWO_NAMES, {"column": {"solver": "solver+configuration"}}, "i ant 4 ok, i ant fast 3 ok, i bee fast 5 ok"),
        (TWO_TIMES, {}, "i ant 9 ok, i ant 3 ok"),
        (TWO_HEADERS, {"column": {"instance": "problem"}}, "i ant 1 ok, i bee 2 ok"),
    ],
)  # fmt: skip
def test_what_a_table_becomes(tmp_path: Path, text: str, choices: dict[str, Any], runs: str) -> None:
    found = runs_of(tmp_path / "t.csv", text, cutoff=60, **choices)
    told = [f"{i} {s} {'-' if value is None else f'{value:g}'} {kind}" for i, _, s, _, value, kind in found]
    assert told == runs.split(", ")


def test_words_and_columns_that_nobody_knows(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(WORDS)
    unknown = "3: cannot interpret 'no-sol' in the place of a time (2 runs)"
    assert said(path, "runs-table", cutoff=60) == [unknown]
    assert refused(path, NO_STATUS.replace("60.5", "3"), cutoff=60) == ["5: status-missing"]
    path.write_text(TWO_NAMES)
    assert said(path, "runs-ignored", column=["solver=solver+configuration"]) == []


LACKING = """\
instance,solver,seed,time,family
i,ant,1,3,f
i,ant,2,4,f
i,bee,1,5,f
j,bee,1,6,g
"""


@pytest.mark.parametrize("kind", ["timeout", "crash"])
def test_missing_runs_are_what_their_user_says(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "t.csv"
    assert runs_of(path, LACKING, cutoff=60, missing=kind) == [
        ("i", 1, "ant", "runtime", 3.0, "ok"),
        ("i", 1, "bee", "runtime", 5.0, "ok"),
        ("i", 2, "ant", "runtime", 4.0, "ok"),
        ("i", 2, "bee", "runtime", None, kind),
        ("j", 1, "ant", "runtime", None, kind),
        ("j", 1, "bee", "runtime", 6.0, "ok"),
    ]
    assert said(path, "runs-missing", cutoff=60, missing=kind) == [
        f"3: counted 2 missing runs as {kind}: 1 of bee, 1 of ant"
    ]


def test_what_not_all_solvers_ran_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    runs = runs_of(path, LACKING, cutoff=60, missing="drop")
    assert [row[:3] for row in runs] == [("i", 1, "ant"), ("i", 1, "bee")]
    (told,) = said(path, "runs-missing", cutoff=60, missing="drop")
    assert told == (
        "3: left out 1 instance on which some solvers have no run, and 1 repetition"
        " of other instances; the missing runs: 1 of bee, 1 of ant"
    )
    families = "select instance_id, value from raw_attribute"
    assert rows(opened(lake_of(path, cutoff=60, missing="drop")), families) == [("i", "f")]


def test_duplicates_name_the_column_in_which_their_rows_differ(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("""\
benchmark,solver,config,time,node
i,ant,a,3,x
i,ant,b,4,x
j,ant,a,3,x
j,ant,b,3,y
""")
    found = [f for f in ae.check_paths(path, cutoff=60) if f.code == "row-duplicate"]
    assert [f.message for f in found] == [
        "line 2 already has a run of 'ant' on 'i'; the rows differ in 'config', 'time'",
        "line 4 already has a run of 'ant' on 'j'; the rows differ in 'config', 'node'",
    ]
    assert found[0].hint == (
        "To tell the rows apart by 'config', add --column solver=solver+config,"
        " --column instance=benchmark+config or --column scenario=config. Or"
        " remove one of the rows."
    )


def test_duplicates_by_a_name_are_told_apart_by_a_hash(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("hash,benchmark,ant\na,x.cnf,3\nb,x.cnf,4\n")
    (found, *_) = (f for f in ae.check_paths(path, cutoff=60) if f.code == "row-duplicate")
    hint = "If 'hash' names the instances, add --column instance=hash."
    assert found.hint == hint


TWICE = """\
benchmark,solver,result,wallclock time
i1,ant,sat,3
i1,ant,sat,4
i1,bee,none,60
i2,ant,sat,5
i2,bee,sat,6
i2,bee,none,60
"""


@pytest.mark.parametrize(("kind", "ant", "bee"), [("first", 3, 6), ("last", 4, 60)])
def test_of_runs_that_are_there_twice_one_counts(tmp_path: Path, kind: str, ant: float, bee: float) -> None:
    """As in SMT-COMP 2022, cloud and parallel: 34 and 24 runs."""
    runs = runs_of(tmp_path / "t.csv", TWICE, cutoff=60, duplicates=kind)
    assert [run[4:] for run in runs] == [
        (ant, "ok"),
        (60, "other"),
        (5, "ok"),
        (bee, "ok" if bee < 60 else "other"),
    ]
    (told,) = said(tmp_path / "t.csv", "runs-missing", cutoff=60, duplicates=kind)
    assert told.endswith(
        f"skipped 2 rows of repeated runs, because only the {kind} row counts:"
        " 1 of ant, 1 of bee; 1 of these rows had another answer or status"
    )


LOGICS = """\
benchmark,logic,solver,time
x/LIA/a,LIA,ant,1
x/LIA/a,LIA,bee,2
x/LIA/b,LIA,ant,3
x/LIA/b,LIA,bee,4
x/LRA/c,LRA,ant,5
x/LRA/c,LRA,cat,6
x/LRA/d,LRA,ant,7
x/LRA/d,LRA,cat,8
"""


def test_missing_runs_of_a_table_of_several_logics(tmp_path: Path) -> None:
    """What to type is said, and then all runs are there."""
    path = tmp_path / "t.csv"

    def hints() -> list[str]:
        found = [f for f in ae.check_paths(path, cutoff=60) if f.code == "run-missing"]
        return [f.hint.partition("If the table holds ")[2] for f in found]

    path.write_text(LOGICS)
    way = "2 scenarios with different solvers, add --column scenario=logic."
    assert hints() == [way, way]
    assert len(ae.check_paths(path, cutoff=60, column=["scenario=logic"])) > 0
    path.write_text(LOGICS.replace(",logic,", ",unsaid,").replace("x/LIA/b,LIA,bee,4\n", ""))
    assert hints() == ["", ""]
    path.write_text(
        "".join(f"{line}\n" for line in re.sub(",L[IR]A,", ",", LOGICS.replace("logic,", "")).splitlines())
    )
    way = "2 scenarios with different solvers, add --column scenario=family --family"
    assert hints() == [f"{way} path:2."] * 2
    path.write_text("benchmark,solver,time\na-1,x,1\na-2,x,2\nb-1,y,3\nb-2,y,4\n")
    assert hints() == ["", ""]  # scenarios of one solver each
    path.write_text(LOGICS.replace("x/LRA/d,LRA", "x/NRA/d,NRA"))
    assert hints() == ["", ""]  # three scenarios of four instances
    # Of 22 pairs that lack, 2 may still do so there; of 23 not 3.
    rows = [(f"x/A/{n}", solver) for n in range(10) for solver in ("ant", "bee")]
    rows += [(f"x/B/{n}", solver) for n in range(10) for solver in ("ant", "cat")]
    for left, way_out in ((2, True), (3, False)):
        kept = [row for row in rows if row[1] != "bee" or row[0] >= f"x/A/{left}"]
        path.write_text("benchmark,solver,time\n" + "".join(f"{i},{s},1\n" for i, s in kept))
        assert [bool(hint) for hint in hints()] == [way_out] * 2


JOB = """\
benchmark,solver,configuration,status,cpu time,wallclock time,memory usage,result
x/LIA/i,ant,d,complete,1,1,1,sat
x/LIA/i,bee,d,complete,2,2,1,sat
x/NRA/j,ant,d,complete,3,3,1,unsat
"""
TABLE = "hash,solver,time\nx/LIA/i,ant d,1\nx/LIA/i,bee d,2\nx/NRA/j,ant d,3\n"


@pytest.mark.parametrize("text", [JOB, TABLE])
@pytest.mark.parametrize("rule", ["path:2", "families.csv"])
def test_families_become_scenarios(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, rule: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("job.csv").write_text(text)
    Path("families.csv").write_text("instance,family\nx/LIA/i,LIA\nx/NRA/j,NRA\n")
    options = ["--cutoff", "60", "--column", "scenario=family", "--family", rule]
    done = CliRunner().invoke(main, ["import", "job.csv", *options])
    assert done.exit_code == 0, done.stderr
    assert rows(
        opened("lake"), "select distinct scenario_id, instance_id, algorithm from raw_run order by all"
    ) == [("LIA", "x/LIA/i", "ant d"), ("LIA", "x/LIA/i", "bee d"), ("NRA", "x/NRA/j", "ant d")]
    assert CliRunner().invoke(main, ["check", "job.csv", *options]).exit_code == 0


def test_the_folders_of_a_job_become_scenarios(tmp_path: Path) -> None:
    path = tmp_path / "job.csv"
    path.write_text(JOB)
    done = ae.import_scenarios(path, into=tmp_path / "lake", cutoff=60, column=["scenario=family"])
    assert [(each.scenario_id, each.status) for each in done] == [
        ("x/LIA", "imported"),
        ("x/NRA", "imported"),
    ]


def test_an_instance_without_family_is_in_no_scenario(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(TABLE)
    columns = ["scenario=family"]
    found = ae.check_paths(path, cutoff=60, column=columns, family="path:3")
    errors = [f"{f.line}: {f.message}" for f in found if f.severity == "error"]
    assert errors[0] == "2: x/LIA/i has no family, so it belongs to no scenario"
    found = ae.check_paths(path, cutoff=60, column=columns)
    assert found[0].hint.startswith("To take families from the names")


def smt_run(name: str, solver: str, result: str, time: float) -> dict[str, object]:
    file = {"incremental": False, "logic": "LIA", "family": ["f", "g"], "name": name}
    return {"solver": solver, "file": file, "result": result, "wallclock_time": time}


RUNS = [
    smt_run("x", "ant", "sat", 3.5),
    smt_run("x", "bee", "Timeout", 60.1),
    smt_run("y", "ant", "OutOfMemory", 2),
    smt_run("y", "bee", "unsat", 0.8),
]


@pytest.mark.parametrize("document", [RUNS, {"year": 2025, "results": RUNS}])
@pytest.mark.parametrize("packed", [False, True])
def test_a_json_array_of_runs(tmp_path: Path, document: object, *, packed: bool) -> None:
    path = tmp_path / ("smt.json.gz" if packed else "smt.json")
    content = json.dumps(document).encode()
    path.write_bytes(gzip.compress(content) if packed else content)
    (done,) = ae.import_scenarios(path, into=tmp_path / "lake", cutoff=60)
    assert (done.scenario_id, done.error) == ("smt", None)
    con = opened(tmp_path / "lake")
    runs = "select instance_id, algorithm, value, runstatus from raw_run order by all"
    assert rows(con, runs) == [
        ("LIA/f/g/x", "ant", 3.5, "ok"),
        ("LIA/f/g/x", "bee", 60.1, "timeout"),
        ("LIA/f/g/y", "ant", 2.0, "memout"),
        ("LIA/f/g/y", "bee", 0.8, "ok"),
    ]
    about = "select distinct attribute, value from raw_attribute order by all"
    assert [row for row in rows(con, about) if row[0] in ("family", "logic")] == [
        ("family", "f/g"),
        ("logic", "LIA"),
    ]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[]", "it holds no lists of objects"),
        ('{"a": [{"x": 1}], "b": [{"x": 1}]}', "holds 2 lists of objects: a (1 record), b (1 record)"),
        ('[{"a": 1}', "Expecting ',' delimiter: line 1 column 10 (char 9)"),
        ('[{"a": 1, "a": 2}]', "a key occurs twice"),
        ("[" * 100_000, "maximum recursion depth exceeded"),
    ],
)
def test_json_that_is_no_array_of_runs(tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "t.json"
    path.write_text(text)
    (found,) = said(path, "runs-table", cutoff=60)
    assert why in found


def test_a_column_behind_the_groups_of_solvers_is_of_every_run(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("instance,solver,time,solver,time,family\ni,ant,3,bee,4,hard\n")
    con = opened(lake_of(path, cutoff=9))
    families = "select instance_id, attribute, value from raw_attribute"
    assert rows(con, families) == [("i", "family", "hard")]


def test_a_missing_run_is_that_of_all_measures_and_has_no_answer(tmp_path: Path) -> None:
    """One like the first, of i, would have answered that j is sat."""
    path = tmp_path / "t.csv"
    path.write_text("instance,solver,cpu_s,wall_s,answer\ni,ant,1,2,sat\ni,bee,1,2,sat\nj,bee,3,4,unsat\n")
    assert said(path, "runs-verdict", cutoff=9, missing="timeout") == []
    con = opened(lake_of(path, cutoff=9, missing="timeout"))
    filled = "select measure, runstatus from raw_run where algorithm = 'ant'"
    assert rows(con, f"{filled} and instance_id = 'j' order by all") == [
        ("cpu_s", "timeout"),
        ("wall_s", "timeout"),
    ]


def test_what_separates_cells_is_said(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    for separator, words in (
        (",", ""),
        (";", ", cells separated by semicolons"),
        ("\t", ", cells separated by tabs"),
    ):
        path.write_text("instance,solver,time\ni,ant,5\n".replace(",", separator))
        assert said(path, "runs-understood")[0].startswith(
            f"1: one row per run{words}; columns: 'instance'"
        )


@pytest.mark.parametrize(
    ("header", "wrong"),
    [
        *(("i1 ant 3.5", "3.5"), ("i1|ant|TO|mo", "TO, mo"), ("i1|ant|TO", ""), ("a|3|4", "3, 4"), ("a|3", "")),
        *(("a|1.5|2.5|3.5|4.5", "1.5, 2.5, 3.5"), ("a|0|1|2", ""), ("a|1|2", "1, 2"), ("a|0.0|x", "0.0")),
        *(("solver|error|fail", ""), ("time|error|fail", ""), ("x|error|fail", "error, fail"), ("", "")),
        *(("solver|3|fail|4", "3, 4"), ("instance time 3 4", "3, 4")),
    ],
)  # fmt: skip
def test_a_first_line_of_cells_names_no_columns(header: str, wrong: str) -> None:
    table = raw_table.RawTable("t.csv", tuple(header.split("|")), 1, ())
    assert raw_table._no_names(table) == wrong  # noqa: SLF001


@pytest.mark.parametrize(
    ("names", "found"),
    [
        *(("i a_1 a_2 b_1 b_2", {"a": [1, 2], "b": [3, 4]}), ("i run1 run2", {"": [1, 2]}), ("i time time", {"time": [1, 2]})),
        *(("i a_1 a_2", {}), ("i time_1 time_2", {"time": [1, 2]}), ("i time_0 time_1", {"time": [1, 2]}), ("i time_2 time_3", {})),
        *(("i a_1 a_2 b_1 b_3", {}), ("i a_1 a_2 b_1 b_2 b_3", {}), ("i time_1 time_3", {}), ("i time_1", {}), ("i 1 2", {"": [1, 2]})),
        *(("i time_seed_1 time_seed_2", {"time": [1, 2]}), ("i trial_2 trial_1", {"": [2, 1]}), ("i a_1 a_2 b_1 b_2 c", {"a": [1, 2], "b": [3, 4]})),
    ],
)  # fmt: skip
def test_columns_of_repetitions(names: str, found: dict[str, list[int]]) -> None:
    assert raw_table.repetitions(names.split()) == found


@pytest.mark.parametrize(
    ("names", "found"),
    [
        *(("i s t s t", (1, 2, 2)), ("i s t s t s t", (1, 2, 3)), ("i s t s", None), ("i s t", None), ("s t s t", (0, 2, 2))),
        *(("i s t s t x", (1, 2, 2)), ("i s t s t t", None), ("t i s t s t", None), ("i s s", (1, 1, 2)), ("i s t x s t", None)),
    ],
)  # fmt: skip
def test_groups_of_names_that_stand_there_again(names: str, found: tuple[int, int, int] | None) -> None:
    assert raw_table.groups(names.split()) == found


PLAIN = "instance,ant,bee\ni,1.5,2\nj,3,TO\n"


@pytest.mark.parametrize(
    "content",
    [
        PLAIN.replace(",", "\t").encode("utf-16"),  # the "Unicode text" of Excel
        b"\xfe\xff" + PLAIN.encode("utf-16-be"),
        PLAIN.replace(",", "|").encode(),
        b"| instance | ant | bee |\n| :-- | --: | --: |\n| i | 1.5 | 2 |\n| j | 3 | TO |\n",
    ],
)
def test_tables_in_utf_16_with_bars_and_of_markdown(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(content)
    runs = "select instance_id, algorithm, value, runstatus from raw_run order by all"
    assert rows(opened(lake_of(path, cutoff=9)), runs) == [
        ("i", "ant", 1.5, "ok"),
        ("i", "bee", 2.0, "ok"),
        ("j", "ant", 3.0, "ok"),
        ("j", "bee", None, "timeout"),
    ]


def test_columns_without_names_have_numbers(tmp_path: Path) -> None:
    text = "acas,net1,p1,1.5,sat,2.5\nacas,net1,p2,1.5,unsat,4\n"
    column = ["instance=2+3", "solver=1", "time=6", "answer=5"]
    assert [run[:5] for run in runs_of(tmp_path / "t.csv", text, cutoff=9, column=column)] == [
        ("net1/p1", 1, "acas", "runtime", 2.5),
        ("net1/p2", 1, "acas", "runtime", 4.0),
    ]


@pytest.mark.parametrize(
    ("cells", "n"), [("1.234 250", 1), ("1.234 0.250", 0), ("1.234 2.5", 0), ("1.234 2.345", 0)]
)
def test_points_may_separate_thousands_beside_semicolons(tmp_path: Path, cells: str, n: int) -> None:
    path, (one, two) = tmp_path / "t.csv", cells.split()
    path.write_text(f"instance;ant\ni;{one}\nj;{two}\n")
    told = said(path, "runs-table", cutoff=9999)
    assert told == ["1: the points in column 'ant' may separate thousands, as in 1.234"] * n


def test_lists_that_differ_in_one_key_are_read_together(tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    path.write_text(
        json.dumps(
            {"libs": {s: {"runs": [{"instance": "i", "time": t}] * 1} for s, t in (("a", 1), ("b", 2))}}
        )
    )
    with pytest.raises(AslibError) as error:
        ae.import_runs(path, cutoff=9, into=tmp_path / "l", records="none")
    assert error.value.findings[0].hint.endswith("--records 'libs.*.runs'")


@pytest.mark.parametrize(("word", "means"), [("holds", "ok"), ("run_timeout", "timeout"), ("odd", "other")])
def test_the_meaning_of_a_word_that_is_offered_is_the_likely_one(
    tmp_path: Path, word: str, means: str
) -> None:
    path = tmp_path / "t.csv"
    path.write_text(f"instance,solver,time,result\ni,a,1,{word}\ni,b,2,sat\n")
    (found,) = (f for f in ae.check_paths(path, cutoff=9) if f.code == "runs-table")
    assert f"--status {word}={means} " in found.hint
