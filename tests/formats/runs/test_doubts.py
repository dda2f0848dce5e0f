"""Columns that are no solvers, times that nobody measured, limits of another unit."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from aslib_eval.linter import check_paths
from tests.formats.runs.test_runs import runs_of, said

TIMES = [
    ("i1", "3.5", "4.25", "9.5", "TO"),
    ("i2", "TO", "2.5", "1.25", "8.5"),
    ("i3", "7.75", "TO", "6.5", "7.5"),
    ("i4", "1.5", "2.75", "TO", "6.25"),
    ("i5", "2.5", "3.75", "5.5", "5.25"),
    ("i6", "4.5", "5.75", "4.25", "TO"),
    ("i7", "TO", "6.75", "3.25", "3.75"),
]
BEST = ["3.5", "1.25", "6.5", "1.5", "2.5", "4.25", "3.25"]
WHOLE = ["3", "1", "6", "8", "2", "TO", "4"]


def why_refused(path: Path, text: str) -> list[str]:
    """Line, message and hint of each error."""
    path.write_text(text)
    found = check_paths(path, cutoff=60)
    return [f"{f.line}: {f.message}. {f.hint}" for f in found if f.severity == "error"]


def wide(name: str, cells: list[str]) -> str:
    rows = (",".join((*row, cell)) for row, cell in zip(TIMES, cells, strict=True))
    return "\n".join([f"instance,ant,bee,cat,dog,{name}", *rows]) + "\n"


@pytest.mark.parametrize(
    ("cells", "why"),
    [
        (BEST, "'it' has in every run the best time of the others, like VBS"),
        (WHOLE, "'it' has whole numbers only, and the others do not"),
        ([row[1] for row in TIMES], "'it' has the same time as 'ant' in every run"),
        (["1.5"] * 7, "'it' solves all 7 instances, and each other solver solves far fewer"),
        (["TO", "3.5", "1.5", "8.5", "2.5", "5.5", "6"], ""),
        (["3.25", "1.125", "6.25", "1.25", "2.25", "4.125", "TO"], ""),  # the fastest
    ],
)
def test_a_column_that_looks_like_no_solver_is_named(tmp_path: Path, cells: list[str], why: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text(wide("it", cells))
    told = said(path, "runs-solver", cutoff=60) + said(path, "runs-table", cutoff=60)
    assert told == ([f"1: {why}"] if why else [])
    path.write_text(wide("it:time", cells))
    assert said(path, "runs-table", cutoff=60) == []


@pytest.mark.parametrize(
    "name",
    [
        *("difficulty", "n_nodes", "size_mb", "mean", "par2", "Oracle time"),
        *("num_solved", "id", "index", "nr", "no", "year", "date", "n_x"),
        *("x_count", "num_vars", "variables", "clauses", "literals", "edges"),
        *("constraints", "file_size", "memory_kib", "mem_bytes", "rank", "score"),
        *("hardness", "weight", "minimum", "maximum", "min", "max"),
    ],
)
def test_numbers_of_known_names_are_no_solvers(tmp_path: Path, name: str) -> None:
    text = wide(name, ["1.5"] * 7)
    solvers = {run[2] for run in runs_of(tmp_path / "t.csv", text, cutoff=60)}
    assert solvers == {"ant", "bee", "cat", "dog"}


def test_runs_that_are_ok_at_the_cutoff_are_not_compared(tmp_path: Path) -> None:
    times = ["1.5", "2.5", "3.5", "4.5", "6.5", "60"]
    rows = [f"i{n},{s},{t},ok" for s in ("ant", "bee") for n, t in enumerate(times)]
    path = tmp_path / "t.csv"
    path.write_text("\n".join(["instance,solver,time,status", *rows[:-1], "i5,bee,9,crash", ""]))
    same = "'bee' has the same time as 'ant' in every run"
    assert [each.partition(": ")[2] for each in said(path, "runs-solver", cutoff=60)] == [same]


def smt(solver: str, cpu: float) -> list[dict[str, object]]:
    return [
        {"solver": solver, "file": f"f{k}", "result": "sat", "cpu_time": cpu} | {"wallclock_time": k + 0.5}
        for k in range(5)
    ]


def test_times_that_are_all_0_are_not_read(tmp_path: Path) -> None:
    """In SMT-COMP 2024, cloud and parallel, cpu_time is 0.0 in every run."""
    text = json.dumps({"results": smt("ant", 0.0) + smt("bee", 0.0)})
    runs = runs_of(tmp_path / "t.json", text, cutoff=60)
    assert [run[3:] for run in runs if run[:3] == ("f1", 1, "ant")] == [("runtime", 1.5, "ok")]
    assert "all times are 0" in "".join(said(tmp_path / "t.json", "runs-ignored", cutoff=60))


def test_a_solver_whose_times_are_all_0_is_named(tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    path.write_text(json.dumps(smt("ant", 0.0) + smt("bee", 2.5)))
    assert said(path, "value-zero", cutoff=60) == ["1: all 5 runs of 'ant' are ok with cpu_time 0"]
    (told,) = (each for each in check_paths(path, cutoff=60) if each.code == "value-zero")
    assert told.hint == "To use the other time, add --column time=wallclock_time."


def test_a_cutoff_far_above_all_times(tmp_path: Path) -> None:
    rows = "".join(f"i{k},ant,{k}.5,{'sat' if k % 2 else 'none'}\n" for k in range(20))
    path = tmp_path / "t.csv"
    path.write_text("benchmark,solver,time,result\n" + rows)
    (told,) = said(path, "runs-limit", cutoff=60000)
    assert told == ("1: 10 runs failed, the longest run took 19.5, and the cutoff is 60000")
    assert said(path, "runs-limit", cutoff=60) == []


@pytest.mark.parametrize(
    "text",
    [
        "benchmark,status,result,time_real,memory\ni,ok,sat,3.5,12.5\n",
        "benchmark_id,cpu_time,result\n1,3.5,sat\n",
    ],
)
def test_a_file_of_one_solver_does_not_take_a_column_for_it(tmp_path: Path, text: str) -> None:
    (told,) = why_refused(tmp_path / "t.csv", text)
    assert "each row seems to be a run, but no column is named solver or algorithm" in told
    assert "--one-file-per solver" in told


def test_a_table_with_solvers_in_its_rows_is_refused(tmp_path: Path) -> None:
    text = "solver,sat/a.cnf,sat/b.cnf\nant,3.5,10000\nbee,10000,4.5\n"
    (told,) = why_refused(tmp_path / "t.csv", text)
    assert "each solver has only one row, as if columns were instances" in told
    assert "add --column solver=solver --cells accuracy (or time" in told
    column = {"solver": "solver"}
    assert runs_of(tmp_path / "t.csv", text, cutoff=60, column=column, cells="time") == [
        ("sat/a.cnf", 1, "ant", "runtime", 3.5, "ok"),
        ("sat/a.cnf", 1, "bee", "runtime", 10000.0, "timeout"),
        ("sat/b.cnf", 1, "ant", "runtime", 10000.0, "timeout"),
        ("sat/b.cnf", 1, "bee", "runtime", 4.5, "ok"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "model,sums,logic\nant,61,40\nbee,58,47\n",
        "model,provider,pass_rate\nant,x,0.6\nbee,y,0.5\n",
        "model,pass_rate\n" + "".join(f"m{n % 9},0.{n}\n" for n in range(10)),
    ],
)
def test_models_in_rows_may_be_instances_or_solvers(tmp_path: Path, text: str) -> None:
    (found,) = why_refused(tmp_path / "t.csv", text)
    assert "If it names instances, add --column instance=model." in found
    assert "If it names solvers, add --column solver=model --cells accuracy (or time" in found


BOARD = "model,sums,logic,Average,params\nant,61,40,50.5,7\nbee,58,,58,70\n"


def test_rows_are_solvers_if_their_user_says_so(tmp_path: Path) -> None:
    path, turned = tmp_path / "t.csv", {"column": ["solver=model"], "cells": "accuracy"}
    path.write_text(BOARD)
    ignored = [f"ignore={name}" for name in ("Average", "params")]
    typed = " ".join(f"--column {each}" for each in ignored)
    (odd,) = said(path, "runs-table", **turned)
    assert odd.endswith("do not look like instances by names or scale: 'Average', 'params'")
    (found,) = (f for f in check_paths(path, **turned) if f.severity == "error")
    assert typed in (found.hint or "")
    turned["column"] += ignored
    (lacking,) = said(path, "run-missing", **turned)
    assert lacking == "2: bee has 0 of 1 runs on logic"
    assert runs_of(path, BOARD, **turned, missing="drop") == [
        ("sums", 1, "ant", "accuracy", 61.0, "ok"),
        ("sums", 1, "bee", "accuracy", 58.0, "ok"),
    ]


def test_shares_beside_percentages_are_no_instances_unasked(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("model,sums,is_open\nant,61,true\nbee,58,false\n")
    (odd,) = said(path, "runs-table", column=["solver=model"], cells="accuracy")
    assert odd.endswith("by names or scale: 'is_open'")


NAMELESS = ",sums,puns\nant,61,40\nbee,58,47\n"


def test_a_column_without_a_name_may_hold_instances_or_solvers_of_qualities(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(NAMELESS)
    (found,) = (f for f in check_paths(path, cells="accuracy") if f.severity == "error")
    ways = "--column instance=row. If it holds solvers, add --column solver=row --cells accuracy."
    assert (found.hint or "").endswith(ways)
    best = {
        role: max(runs_of(path, NAMELESS, column={role: "row"}, cells="accuracy"), key=lambda run: run[4])
        for role in ("instance", "solver")
    }
    assert {role: run[:3] for role, run in best.items()} == {
        "instance": ("ant", 1, "sums"),
        "solver": ("sums", 1, "ant"),
    }


def test_models_that_several_rows_have_are_solvers(tmp_path: Path) -> None:
    text = "question_id,model,score\n1,ant,3\n2,ant,4\n1,bee,5\n2,bee,1\n"
    (found,) = why_refused(tmp_path / "t.csv", text)
    assert "add --column instance=question_id --column solver=model." in found


def test_a_word_for_the_time_of_an_answer(tmp_path: Path) -> None:
    """SMT-COMP 2021, cloud and parallel: PARSE_ERROR beside SATISFIABLE."""
    text = "benchmark,solver,time,result\ni,ant,PARSE_ERROR,SATISFIABLE\nj,ant,3,sat\n"
    (told,) = why_refused(tmp_path / "t.csv", text)
    assert "--status PARSE_ERROR=other" in told
    means = {"PARSE_ERROR": "other"}
    assert runs_of(tmp_path / "t.csv", text, cutoff=60, status=means) == [
        ("i", 1, "ant", "runtime", None, "other"),
        ("j", 1, "ant", "runtime", 3.0, "ok"),
    ]


@pytest.mark.parametrize(("status", "n"), [("complete", 1), ("done", 1), ("ok", 0)])
def test_runs_that_ended_with_no_word_of_an_answer(tmp_path: Path, status: str, n: int) -> None:
    """A job of StarExec without its column result."""
    path = tmp_path / "t.csv"
    path.write_text(f"benchmark,solver,status,time\ni,ant,{status},3\n")
    assert len(said(path, "runs-unjudged", cutoff=60)) == n
    assert said(path, "runs-unjudged", cutoff=60, status={status: "ok"}) == []
    path.write_text(f"benchmark,solver,status,time,result\ni,ant,{status},3,sat\n")
    assert said(path, "runs-unjudged", cutoff=60) == []


def test_blanks_before_quotes(tmp_path: Path) -> None:
    text = 'benchmark, solver, time\n"i,1", "ant", 3.5\n'
    assert runs_of(tmp_path / "t.csv", text, cutoff=60) == [("i,1", 1, "ant", "runtime", 3.5, "ok")]


def brief(path: Path, text: str, **choices: Any) -> str:
    """The runs of a table, as ``instance solver value status``."""
    runs = runs_of(path, text, cutoff=60, **choices)
    return " | ".join(
        f"{i} {s} {'-' if value is None else f'{value:g}'} {end}" for i, _, s, _, value, end in runs
    )


REPEATED_NAMES = """\
Instance;Solver;Time (ms);Status
i;ant;3,5;ok
Instance;Solver;Time (ms);Status
i;bee;4,5;ok
Instance;Solver;Time (ms);Status
i;cat;5,5;timeout
"""


def test_lines_that_repeat_the_names_of_columns_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    runs = brief(path, REPEATED_NAMES, times_in="ms")
    assert runs == "i ant 0.0035 ok | i bee 0.0045 ok | i cat 0.0055 timeout"
    told = "3: skipped 2 repetitions of the line that names the columns"
    assert said(path, "runs-ignored", cutoff=60) == [told]
    wide = "instance,ant,bee\ni,1.5,2\ninstance,ant,bee\nj,2.5,TO\n"
    assert brief(path, wide) == "i ant 1.5 ok | i bee 2 ok | j ant 2.5 ok | j bee - timeout"
    # Without a line of names, a run occurs twice.
    numbers = {"column": ["instance=1", "solver=2", "time=3"]}
    path.write_text("i,ant,3\nj,ant,4\ni,ant,3\n")
    assert "3: 't.csv" not in said(path, "row-duplicate", cutoff=60, **numbers)
    assert len(said(path, "row-duplicate", cutoff=60, **numbers)) == 1


SUBTOTALS = """\
instance,solver,time,status
i,ant,3,ok
j,ant,4,ok
Total,ant,7,
i,bee,5,ok
j,bee,2,ok
{},7,
"""
OF_TWO = "i ant 3 ok | i bee 5 ok | j ant 4 ok | j bee 2 ok"


@pytest.mark.parametrize("last", ["Total,bee", "Total,"])
def test_sums_after_each_solver_are_left_out(tmp_path: Path, last: str) -> None:
    path = tmp_path / "t.csv"
    assert brief(path, SUBTOTALS.format(last)) == OF_TWO
    told = "1: skipped 2 rows of sums or means (the first is 'Total' in line 4)"
    assert said(path, "runs-ignored", cutoff=60) == [told]


def test_sums_after_each_family_of_a_wide_table_are_left_out(tmp_path: Path) -> None:
    text = "instance,ant,bee\ni,3,5\nTotal,3,5\nj,4,2\nTotal,4,2\nSumme,7,7\n"
    assert brief(tmp_path / "t.csv", text) == OF_TWO


def test_an_instance_that_is_called_like_a_sum_stays_among_others(tmp_path: Path) -> None:
    rows = [f"{i},{s},{k}" for k, i in enumerate(["abs", "max", "tan"], 1) for s in ("ant", "bee")]
    for each in (rows, sorted(rows, key=lambda row: row.split(",")[1])):
        text = "\n".join(["instance,solver,time", *each, ""])
        assert {run.split()[0] for run in brief(tmp_path / "t.csv", text).split(" | ")} == {
            *("abs", "max", "tan")
        }


@pytest.mark.parametrize(
    "name",
    [
        *("Summe", "Gesamt", "Gesamtzeit", "Mittelwert", "Durchschnitt", "Totals", "Total général"),
        *("Somme", "Moyenne", "Médiane", "Suma", "Promedio", "Totale", "Somma", "Media"),
    ],
)
def test_sums_in_other_languages(tmp_path: Path, name: str) -> None:
    path = tmp_path / "t.csv"
    assert brief(path, f"instance,ant,bee\ni,3,5\nj,4,2\n{name},7,7\n") == OF_TWO
    assert len(said(path, "runs-ignored", cutoff=60)) == 1


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        (";ant;bee\n;[min];[min]\ni;3;4\nj;5;TO\n", "min"),
        ("Name;ant;bee\nName;sec.;sec.\ni;3;4\n", "s"),
        ("instance,ant,bee\n,ms,ms\ni,3,4\n", "ms"),
        ("instance,ant:time,ant:mem\n,(s),[MB]\ni,3,4\n", "s"),
        ("instance,solver,time,status\n,,[min],\ni,ant,3,ok\n", "min"),
    ],
)
def test_a_line_of_units_is_no_run(tmp_path: Path, text: str, unit: str) -> None:
    told = f"2: this line holds units, not runs. Remove it and add --times-in {unit}."
    assert why_refused(tmp_path / "t.csv", text) == [told]


def test_a_run_of_a_solver_called_like_a_unit_is_one(tmp_path: Path) -> None:
    text = "instance,solver,time\ni,h,\ni,s,3\n"
    assert brief(tmp_path / "t.csv", text) == "i h - timeout | i s 3 ok"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("instance,ant,bee\ni,1.5,n/a\nj,2.5,timeout\n", ["'n/a' --status n/a=crash --missing drop"]),
        ("instance,ant,bee\ni,1.5,NaN\nj,2.5,3\n", ["'NaN' --status NaN=crash --missing drop"]),
        ("instance,ant,bee\ni,1.5,\nj,2.5,TO\n", ["'' --status =crash --missing drop"]),
        ("instance,ant,bee\ni,1.5,-\nj,2.5,TO\n", ["'-' --status -=crash"]),
        ("instance,ant,bee\ni,1.5,\nj,2.5,3\n", []),
        ("instance,ant,bee\ni,1.5,-\nj,2.5,3\n", []),
    ],
)
def test_no_time_as_a_timeout_is_a_guess(tmp_path: Path, text: str, told: list[str]) -> None:
    path = tmp_path / "t.csv"
    assert brief(path, text).count("timeout") == 1 + ("TO" in text.upper().replace("TIMEOUT", "TO"))
    found = [f for f in check_paths(path, cutoff=60) if f.code == "runs-missing"]
    assert [f.severity for f in found] == ["warning"] * len(told)
    typed = [" ".join([f.message.split()[4], *re.findall(r"--\w+ [^\s,.]+", f.hint)]) for f in found]
    assert typed == told


def test_runs_without_a_time_are_missing_in_long_tables_too(tmp_path: Path) -> None:
    text = "instance,solver,time\ni,ant,3\ni,bee,n/a\nj,ant,4\nj,bee,5\n"
    assert brief(tmp_path / "t.csv", text, missing="drop") == "j ant 4 ok | j bee 5 ok"
    assert "i bee - crash" in brief(tmp_path / "t.csv", text, missing="crash")
    none = text.replace("bee,5", "bee,")
    assert brief(tmp_path / "t.csv", none, missing="crash").count("bee - crash") == 2


def test_a_value_of_one_instance_is_no_attribute(tmp_path: Path) -> None:
    text = "instance,solver,time,remark\ni,ant,3,odd\ni,bee,4,odd\nj,ant,3,\nj,bee,5,\n"
    path = tmp_path / "t.csv"
    path.write_text(text)
    told = "1: column 'remark' is not read: unknown name"
    assert said(path, "runs-ignored", cutoff=60) == [told]
    path.write_text(text.replace("3,\n", "3,odd\n"))
    assert said(path, "runs-ignored", cutoff=60) == []


def test_units_may_stand_below_a_second_line_of_names(tmp_path: Path) -> None:
    told = why_refused(tmp_path / "t.csv", "instance;a;b\n;time;time\n;s;s\ni;1;2\n")
    assert told == ["3: this line holds units, not runs. Remove it and add --times-in s."]
