# ruff: noqa: E501 - a case a line
"""Columns of one solver, told by their names."""

from __future__ import annotations

import re
from typing import Any

import pytest

from aslib_eval.formats.runs import pairs
from aslib_eval.formats.runs.pairs import ways_of
from tests.formats.runs.test_readings import asked, reading, scores

PAIRED = """
i1,1.0,True,2.0,True
i2,0.5,False,3.0,True
i3,60,False,0.1,False
i4,0.2,True,4.0,True
"""
OF = {"column": {"instance": "i"}}


@pytest.mark.parametrize(
    "header",
    [
        "i,a_time,a_solved,b_time,b_solved",
        "i,a_solve_time,a_solved,b_solve_time,b_solved",  # a part of a time that stands alone
        "i,time_a,solved_a,time_b,solved_b",
        "i,aTime,aSolved,bTime,bSolved",
        "i,a|cpu s,a|is_solved,b|cpu s,b|is_solved",
        "i,a - time,a - success,b - time,b - success",
        "i,runtime (a),result (a),runtime (b),result (b)",
    ],
)
def test_columns_of_one_solver_are_read(header: str) -> None:
    found = scores(header + PAIRED, cutoff=60, **OF)
    assert [*found.values()] == [(0.5, 30.3), (0.75, 17.25)]
    (note,) = (f.message for f in reading(header + PAIRED, cutoff=60, **OF).layout.table.findings)
    assert note.startswith("columns name 2 solvers; 'a' has ")
    assert all(repr(name) in note for name in header.split(",")[1:3])


@pytest.mark.parametrize(
    "name", ["found", "feasible", "converged", "valid", "passed", "verified", "optimal", "ok", "correct"]
)
def test_what_may_say_what_is_solved_is_asked(name: str) -> None:
    text = f"i,a_time,a_{name},b_time,b_{name}{PAIRED}"
    told = asked(text, cutoff=60, **OF)
    assert told.startswith(
        f"the part {name!r} of each solver may say whether a run is solved: it holds false and true"
    )
    assert f"If it does, add --column status={name}. If runs are ranked by it, add --cells {name} " in told
    column = {"instance": "i", "status": name}
    assert scores(text, cutoff=60, column=column) == {"a": (0.5, 30.3), "b": (0.75, 17.25)}
    column = {"instance": "i", "ignore": name}
    assert scores(text, cutoff=60, column=column) == {"a": (0.75, 15.425), "b": (1, 2.275)}
    best = scores(text, cells=name, maximize=[name], **OF)
    assert best == {"a": (1, 0.5), "b": (1, 0.75)}


PHASES = """
i1;4.1;0.5;false;6.2;0.1;false
i2;5.5;0.7;false;7.4;0.2;false
i3;TO;0.9;TO;9.1;0.3;false
"""


def test_parts_of_a_time_are_no_solvers() -> None:
    header = "i;a-runtime;a-parsing;a-result;b-runtime;b-parsing;b-result"
    for called in (header, header.replace("-", ":")):
        found = scores(called + PHASES, cutoff=60, **OF)
        assert found == {"a": (0.667, 23.2), "b": (1, 7.5667)}
    one = "instance,tool-runtime,tool-parsing,tool-result\ni,4,0.5,sat\n"
    assert "tool:runtime,tool:parsing,tool:result" in asked(one, cutoff=60)


@pytest.mark.parametrize(
    ("header", "cells"),
    [
        ("i,a_solve_time,a_parse_time,a_time,b_solve_time,b_parse_time,b_time", "3,1,4.0,5,2,7"),
        ("i,a_wall,a_cpu,a_real,b_wall,b_cpu,b_real", "3,1,4.0,5,2,7"),
        ("i,a_translation,a_total_time,a_solving,b_translation,b_total_time,b_solving", "1,4,3,2,7,5"),
        ("i,a,a_solving,a_encoding,b,b_solving,b_encoding", "4,1,3,7,5,2"),
    ],
)
def test_the_sum_of_the_parts_is_the_time(header: str, cells: str) -> None:
    found = reading(f"{header}\ni1,{cells}\ni2,{cells}\n", cutoff=60, **OF)
    assert [*found.layout.quality.items()] == [("runtime", False)]
    assert [run.values["runtime"][0] for run in found.runs] == [4, 7, 4, 7]


def test_parts_that_some_solvers_lack_are_no_part_of_a_sum() -> None:
    text = "i,a:parsing,a:solving,a:time,b:time\ni1,1,3,4,5\ni2,1,4,5,7\n"
    assert scores(text, cutoff=60, **OF) == {"a": (1, 4.5), "b": (1, 6)}


def test_parts_without_a_whole_are_asked_about() -> None:
    text = "i,a_translation,a_solving,b_translation,b_solving\ni1,1,3,2,5\ni2,1,4,2,5\n"
    told = asked(text, cutoff=60, **OF)
    assert told.startswith("'translation', 'solving' of each solver are parts of a time")
    assert "rank by one of them with --cells solving." in told
    assert scores(text, cutoff=60, cells="solving", **OF) == {"a": (1, 3.5), "b": (1, 5)}


ROUTED = """
p1,1,0.02,0,0.001
p2,1,0.03,1,0.002
"""


def test_a_model_and_its_price() -> None:
    text = f"i,gpt-4,gpt-4|total_cost,zephyr,zephyr|total_cost{ROUTED}"
    assert "For accuracies, add --cells accuracy." in asked(text, **OF)
    found = reading(text, cells="accuracy", **OF)
    assert found.layout.quality == {"accuracy": True, "price": True}
    assert [(run.solver, *(value for value, _ in run.values.values())) for run in found.runs] == [
        *(("gpt-4", 1, 0.02), ("zephyr", 0, 0.001), ("gpt-4", 1, 0.03), ("zephyr", 1, 0.002))
    ]
    text = text.replace("gpt-4,", "gpt-4|acc,").replace("zephyr,", "zephyr|acc,")
    assert reading(text, **OF).layout.quality == {"acc": True, "price": True}


@pytest.mark.parametrize(
    ("other", "given"),
    [
        ("time", {"cutoff": 60}),
        ("loss", {}),
    ],
)  # fmt: skip
def test_what_counts_is_asked(other: str, given: dict[str, Any]) -> None:
    text = f"i,a_{other},a_acc,b_{other},b_acc\ni1,1,0.5,2,0.75\ni2,1,0.5,2,0.75\n"
    assert f"Choose one with --cells {other} or --cells acc." in asked(text, cutoff=60, **OF)
    assert scores(text, cells=other, **given, **OF) == {"a": (1, 1), "b": (1, 2)}
    assert scores(text, cells="acc", **OF) == {"a": (1, 0.5), "b": (1, 0.75)}


def test_an_objective_beside_a_time_is_asked_about_unless_a_user_calls_it_so() -> None:
    text = "i,a:time,a:{0},b:time,b:{0}\ni1,1,5,2,7\n"
    for given in ({}, {"cells": "time"}, {"cutoff": 60}):
        found = reading(text.format("objective"), **given, **OF)
        assert found.layout.quality == {"runtime": False, "objective": True}
    for each in (text.format("score"), text.format("objective").replace(":", "_")):
        assert "each of them may be the measure to rank by" in asked(each, cutoff=60, **OF)


def test_a_quality_of_every_solver_is_read() -> None:
    text = "i,a_acc,b_acc\ni1,0.5,0.75\ni2,0.5,0.25\n"
    assert scores(text, **OF) == {"a": (1, 0.5), "b": (1, 0.5)}
    assert "--maximize score or --minimize score" in asked(text.replace("acc", "score"), **OF)


@pytest.mark.parametrize(
    "header",
    [
        "i,a_time,a_solved,b_time,b_mood",  # an unknown word
        "i,a_time,a_solved,b_time,c_solved",  # other parts of each
        "i,train_time,train_solved,test_time,test_solved",  # no names of solvers
        "i,best_time,best_solved,a_time,a_solved",
        "i,a_time,a_solved,kissat,b_solved",
    ],
)
def test_what_fits_no_one_reading_is_refused(header: str) -> None:
    assert "do not look like names of solvers: they may be measures" in asked(
        header + PAIRED, cutoff=60, **OF
    )


def test_what_a_user_says_of_columns_goes_before() -> None:
    text = f"i,a_time,a_solved,b_time,b_solved{PAIRED}"
    column = {"instance": "i", "ignore": ["a_solved", "b_solved"]}
    assert scores(text, cutoff=60, column=column) == {"a_time": (0.75, 15.425), "b_time": (1, 2.275)}
    assert "there is no column 'mood'" in asked(text, cutoff=60, column={"instance": "i", "status": "mood"})
    explicit = text.replace("_", ":")
    assert scores(explicit, cutoff=60, **OF)["a"] == (0.5, 30.3)


def test_texts_beside_pairs_are_not_read() -> None:
    text = "i,kind,a_time,a_response,b_time,b_response\ni1,x,1,yes it is,2,no way\ni2,x,3,hm,4,no\n"
    assert scores(text, cutoff=60, **OF) == {"a_time": (1, 2), "b_time": (1, 3)}


@pytest.mark.parametrize(
    ("parts", "cells"), [("status,a:end,b:time,b:status", "ok,SAT,2,ok,TO"), ("end,b:time", "3,2,TO")]
)
def test_words_beside_a_status_or_numbers_do_not_say_what_is_solved(parts: str, cells: str) -> None:
    assert scores(f"i,a:time,a:{parts},b:end\ni1,1,{cells}\n", cutoff=60, **OF) == {
        "a": (1, 1),
        "b": (1, 2),
    }


@pytest.mark.parametrize(("cell", "what"), [("1", "objective"), ("1.5", "time")])
def test_a_bare_column_beside_a_part_is_called_by_its_numbers(cell: str, what: str) -> None:
    told = asked(f"i,a,a|price,b\ni1,{cell},0.5,1\ni2,0.5,0.5,1\n", cutoff=60, **OF)
    assert f"If they are measures, change the first line of the file to i,a:{what},a:price,b." in told


def test_two_readings_are_refused() -> None:
    text = "i,time_a_acc,status_a_acc,time_b_acc,status_b_acc\ni1,1,1,2,1\ni2,1,0,2,1\n"
    assert "do not look like names of solvers" in asked(text, cutoff=60, **OF)


def test_what_is_nearly_a_sum_is_a_time_of_its_own() -> None:
    header = "i,a_wall,a_cpu,a_real,b_wall,b_cpu,b_real"
    found = reading(f"{header}\ni1,3,1,4.2,5,2,7.2\ni2,3,1,4.2,5,2,7.2\n", cutoff=60, **OF)
    assert [*found.layout.quality] == ["wall", "cpu", "real"]


@pytest.mark.parametrize(
    ("name", "words", "role", "typed"),
    [
        ("done", "no yes", "status", "column=status=done column=ignore=done"),
        ("done", "false true", "status", "column=status=done ranking maximize=done column=ignore=done"),
        ("done", "bad good", "status", "column=status=done status=bad=other status=good=other column=ignore=done"),
        ("done", "fail pass", "answer", "column=answer=done status=fail=other status=pass=ok column=ignore=done"),
        ("failed", "no yes", "status", "column=status=failed status=no=ok status=yes=other column=ignore=failed"),
        ("failed", "0 1", "status", "column=status=failed status=0=ok status=1=other ranking column=ignore=failed"),
        ("x", "0 1", "status", "column=status=x status=0=other status=1=ok ranking maximize=x column=ignore=x"),
        ("x", "false true", "", "ranking maximize=x column=ignore=x"),
        ("x", "f t", "", "column=ignore=x"),
    ],
)  # fmt: skip
def test_what_to_type_for_words_of_an_outcome(name: str, words: str, role: str, typed: str) -> None:
    told = ways_of(name, words.split(), role, "--ranking")
    found = re.findall(r"--(\w+)(?: ([^\s.-][^\s.]*))?", told)
    assert [f"{option}={value}".rstrip("=") for option, value in found] == typed.split()


@pytest.mark.parametrize(
    ("cells", "total"),
    [
        *(({"a": "1 2", "b": "3 4", "c": "4 6"}, "c"), ({"a": "4 6", "b": "3 4", "c": "1 2"}, "a"), ({"a": "1 2", "b": "3 4", "c": "4 7"}, "")),
        *(({"a": "1 TO", "b": "3 4", "c": "4 9"}, ""), ({"a": "1 TO 2", "b": "3 4 4", "c": "4 9 6"}, "c"), ({"a": "4 6", "b": "4 6"}, "")),
        *(({"a": "1 2", "b": "3 4", "c": "4"}, ""), ({"a": "1 2", "b": "3 4", "c": "4.005 6"}, "c"), ({"a": "1 2", "b": "3 4", "c": "4.02 6"}, "")),
        *(({"a": "1 2", "b": "3 4", "c": "2 1", "d": "6 7"}, "d"), ({"a": "1000 2", "b": "3000 4", "c": "4003 6"}, "c"), ({}, "")),
    ],
)  # fmt: skip
def test_the_part_that_is_the_sum_of_the_others(cells: dict[str, str], total: str) -> None:
    assert pairs._total({part: each.split() for part, each in cells.items()}) == total  # noqa: SLF001


@pytest.mark.parametrize(
    ("name", "found"),
    [
        *(("a_time", ("a", "time")), ("time_a", ("a", "time")), ("a_cpu_time", ("a", "cpu_time")), ("a_b_time", ("a_b", "time"))),
        *(("aTime", ("a", "Time")), ("a|cpu s", ("a", "cpu s")), ("a - time", ("a", "time")), ("time (a)", ("a", "time")), ("time (a(4))", ("a(4)", "time")), ("time_a(4)", ("a(4)", "time"))),
        *(("kissat", ("kissat", "")), ("a_b", ("a_b", "")), ("time", ("time", "")), ("solved_time", ("solved", "time"))),
    ],
)  # fmt: skip
def test_the_solver_and_part_of_a_name(name: str, found: tuple[str, str]) -> None:
    assert pairs.parted(name) == found


@pytest.mark.parametrize(
    ("word", "cells", "what"),
    [
        *(("time", "x", "time"), ("", "true false", "solved"), ("odd", "yes no ?", "solved"), ("", "0.5 1", "objective")),
        *(("", "0.5 1.5", "time"), ("odd", "0.5 1", "odd"), ("", "x", "time"), ("odd", "x", "odd")),
    ],
)  # fmt: skip
def test_what_a_part_is_called_in_advice(word: str, cells: str, what: str) -> None:
    assert pairs._what(word, cells.split()) == what  # noqa: SLF001


@pytest.mark.parametrize(
    ("word", "cells", "may_be"),
    [
        *(("time", "x y", False), ("time", "1 x", True), ("status", "x y", True), ("answer", "x", True), ("x", "true false", True)),
        *(("x", "ok TO", True), ("x", "ok odd", False), ("x", "true odd", False), ("x", "true 3", True), ("x", "95% odd", True), ("x", "3ms odd", True)),
    ],
)  # fmt: skip
def test_which_cells_a_column_of_a_solver_has(word: str, cells: str, *, may_be: bool) -> None:
    assert pairs._may_be_part(word, cells.split()) is may_be  # noqa: SLF001


def test_the_longest_solver_with_which_a_name_begins() -> None:
    stems = {"a", "a_b", "c"}
    assert [pairs._beside(name, stems) for name in ("a_x", "a_b|x", "ab", "c", "c-", "d_x")] == [  # noqa: SLF001
        *(("a", "x"), ("a_b", "x"), ("", ""), ("", ""), ("c", ""), ("", ""))
    ]


def test_a_part_that_a_user_names_tells_the_solvers() -> None:
    text = "instance;a-run;a-interpret;b-x-run;b-x-determinise;b-x-overall\ni;1;7;2;8;9\nj;3;7;5;8;9\n"
    assert scores(text, cells="run", minimize=["run"]) == {"a": (1, 2), "b-x": (1, 3.5)}
    assert "no column 'interpret' belongs to 'b-x-run', 'b-x-determinise'" in asked(
        text, cells="interpret", minimize=["interpret"]
    )


def test_a_column_without_any_value_is_a_part_of_its_solver() -> None:
    text = "instance,sat_trans,sat_solve\ni,190,N/A\nj,201,N/A\n"
    assert "change the first line of the file to instance,sat:trans,sat:solve." in asked(text, cutoff=900)
