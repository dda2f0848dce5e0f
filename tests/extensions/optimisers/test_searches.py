"""Runs that are counted in evaluations: literal runs, and the relations they become."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from aslib_eval.extensions.optimisers.searches import (
    SearchArchive,
    SearchFindings,
    SearchRun,
    check_grid,
    inside,
    instance_of,
    parsed,
    record_of,
)
from aslib_eval.formats import Parsed
from aslib_eval.formats.sources import Location, Source

PLACE = ("x.info", 3)


def run(
    algorithm: str = "A",
    instance: str = "f1_d02",
    at: tuple[int, ...] = (1, 4),
    values: tuple[float, ...] = (9.0, 5.0),
    *,
    repetition: int = 1,
    solved: int | None = None,
) -> SearchRun:
    return SearchRun(
        algorithm, 1, 2, instance, repetition, np.array(at), np.array(values), PLACE,
        solved,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("line", "record"),
    [
        ("a = 1, b b= 'x, y', c=\"z\"", {"a": "1", "b b": "x, y", "c": "z"}),
        ("funcId = 3,  DIM = 5 , algId = 'CMA-ES'", {"funcId": "3", "DIM": "5", "algId": "CMA-ES"}),
        ("a = ", {"a": ""}),
        ("1 = 2", {}),
        ("no record", {}),
        ("a|b = 1", {}),
        ("a = x|y", {"a": "x|y"}),
    ],
)
def test_a_line_of_a_record(line: str, record: dict[str, str]) -> None:
    assert record_of(line) == record


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("data_f1/x.dat", "m/data_f1/x.dat"),
        ("data_f1\\x.dat", "m/data_f1/x.dat"),
        ("./x.dat", "m/x.dat"),
        ("", None),
        ("../x.dat", None),
        ("a/../x.dat", None),
        ("/x.dat", None),
        ("\\x.dat", None),
        ("C:/x.dat", None),
        ("a/b:c.dat", "m/a/b:c.dat"),
        ("x\0.dat", None),
    ],
)
def test_a_data_file_lies_in_the_folder_of_its_meta_file(path: str, name: str | None) -> None:
    assert inside("m/f.info", path) == name


def test_a_part_of_a_name() -> None:
    assert [instance_of(1, d) for d in (2, 40, 100)] == ["f001_d02", "f001_d40", "f001_d100"]


def said(*runs: SearchRun) -> list[tuple[str, tuple[str, int | None], str, str]]:
    found = SearchFindings()
    check_grid(runs, found)
    return [(f.code, (f.file, f.line), f.message, f.hint) for f in found.all]


def test_a_full_grid_has_nothing_to_say() -> None:
    two = [run(a, i, repetition=n) for a in "AB" for i in "xy" for n in (1, 2)]
    assert said(*two) == []


def test_runs_that_others_have() -> None:
    first = replace(run("A", "x"), place=("a.info", 1))
    more = replace(run("A", "x", repetition=2), place=("a.info", 2))
    b = replace(run("B", "x"), place=("b.info", 5))
    third = replace(run("A", "y"), place=("a.info", 9))
    assert said(first, more, b, third) == [
        (
            "run-missing",
            ("a.info", 9),
            "B has no run on y, but other algorithms do",
            "Run the algorithm on this instance, or leave out the instance or the algorithm.",
        ),
        (
            "search-uneven",
            ("a.info", 1),
            "algorithms have different numbers of runs: B has 1 of 2 on x",
            "'aslib-eval optimisers' compares trial by trial, and refuses such runs.",
        ),
    ]


def test_runs_of_one_name_from_two_folders() -> None:
    one = replace(run("A", "x"), origin=("one", 0), place=("one/a", 1))
    two = replace(run("A", "x"), origin=("two", 0), place=("two/a", 7))
    message = (
        "row-duplicate",
        ("two/a", 7),
        "A also has runs on x in one",
        "Give one of the two another name, or put them into one folder.",
    )
    assert said(one, two, *[replace(each, instance="y") for each in (one, two)]) == [message]
    assert said(one, replace(two, origin=("two", 1))) == []


def relations(*runs: SearchRun, maximize: bool = False, optimum: float | None = None) -> Parsed:
    family = {each.instance: f"F{each.function}" for each in runs}
    archive = SearchArchive("cost", maximize, runs, family, optimum, ("More.",))
    return parsed(archive, Location(Path("d"), "d", "d"), {"x": Source.of(b"1")}, SearchFindings())


def test_runs_become_relations() -> None:
    found = relations(
        run("B", "y", (1, 3), (9.0, 5.0), solved=2), run("A", "y", (2, 5), (4.0, 4.5)), optimum=0.0
    )
    tables = {name: table.to_pylist() for name, table in found.tables.items()}
    shown = ("measure", "measure_index", "measure_type", "maximize", "cutoff")
    assert [[row[name] for name in shown] for row in tables["scenario"]] == [
        ["cost", 1, "solution_quality", False, 5.0],
        ["evaluations", 2, "runtime", False, 5.0],
    ]
    assert {row["time_unit"] for row in tables["scenario"]} == {"evaluations"}
    keys = ("algorithm", "measure", "value", "runstatus")
    assert [tuple(row[key] for key in keys) for row in tables["run"]] == [
        ("A", "cost", 4.0, "ok"),
        ("A", "evaluations", 5.0, "timeout"),
        ("B", "cost", 5.0, "ok"),
        ("B", "evaluations", 2.0, "ok"),
    ]
    keys = ("instance_id", "algorithm", "trial", "measure", "step", "suggestion")
    points = [
        tuple(row[key] for key in (*keys, "elapsed", "value", "visible")) for row in tables["trajectory"]
    ]
    assert points == [
        ("y", "A", 1, "cost", 1, 1, 2.0, 4.0, None),
        ("y", "A", 1, "cost", 2, 1, 5.0, 4.5, None),
        ("y", "B", 1, "cost", 1, 1, 1.0, 9.0, None),
        ("y", "B", 1, "cost", 2, 1, 3.0, 5.0, None),
    ]
    assert [tuple(row.values()) for row in tables["reference"]] == [("y", "optimum", 0.0, None)]
    assert [tuple(row.values()) for row in tables["attribute"]] == [
        ("y", "family", "F1"),
        ("y", "function", "1"),
        ("y", "dimension", "2"),
    ]
    (value,) = tables["feature_value"]
    assert (value["feature"], value["value"]) == ("dimension", 2.0)
    assert [f.message for f in found.findings] == [
        "2 algorithms: 'A', 'B'",
        "1 function in 1 dimension (2): 1 instance, 2 runs, 4 points",
        "less cost is better; runs of 3 to 5 evaluations",
        "More.",
    ]


def test_a_run_that_needed_all_evaluations_is_solved_below_the_cutoff() -> None:
    found = relations(run(at=(1, 4), values=(9.0, 5.0), solved=4), maximize=True)
    assert {row["cutoff"] for row in found.tables["scenario"].to_pylist()} == {5.0}
    assert found.tables["run"].to_pylist()[0]["value"] == 9.0
    assert "reference" not in found.tables
    assert found.findings[2].message == "more cost is better; runs of 5 evaluations"
    same = relations(run(solved=3))
    assert {row["cutoff"] for row in same.tables["scenario"].to_pylist()} == {4.0}


def test_an_archive_without_runs_or_with_an_error_has_no_relations() -> None:
    found = relations()
    assert [(f.severity, f.file, f.message) for f in found.findings] == [
        ("error", "d", "the archive holds no run")
    ]
    assert found.tables == {}
    assert relations(run("A", "x"), run("B", "y")).tables == {}


def test_what_holds_for_more_than_one_place_is_said_once() -> None:
    found = SearchFindings()
    for line in range(23):
        found.once("search-file", ("f", 1), "same")
        found.say("search-best", ("f", line), "each")
    more = "and 3 more findings 'search-best'"
    assert [f.message for f in found.all] == ["same", *["each"] * 20, more]
