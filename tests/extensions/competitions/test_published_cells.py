"""Which of our numbers a published value is: literal values, runs and boards."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import polars as pl
import pytest

from aslib_eval.errors import AslibError
from aslib_eval.extensions.competitions.published_cells import Cells, cells_of, swapped
from aslib_eval.extensions.competitions.published_pages import PublishedValue

VALUE = PublishedValue("main", "A", "solved", "2", "page.html", 7)
RULES: dict[str, dict[str, Any]] = {"sat": {}, "sat-unsat": {}, "sat-sat": {}}


def runs(*rows: tuple[str, str, str | None]) -> pl.DataFrame:
    """Scenario, solver and right answer of runs; the division is d, the logic L."""
    names = ["scenario_id", "solver", "truth"]
    frame = pl.DataFrame(rows, schema=dict.fromkeys(names, pl.String), orient="row")
    return frame.with_columns(
        **dict.fromkeys(("family", "track"), pl.lit(None, pl.String)),
        division=pl.lit("d 1"),
        logic=pl.lit("L"),
    )


RUNS = runs(("S-main", "a", "sat"), ("S-main", "b", "sat"))


def boards(*rows: tuple[str, str, str, float, float]) -> pl.DataFrame:
    """Rule, scenario, solver, solved and points of rows of a board; 10 instances."""
    names = ("rule", "scenario_id", "solver", "solved", "points")
    frame = pl.DataFrame(rows, schema=names, orient="row")
    return frame.with_columns(
        n=pl.lit(10.0), part_of=pl.lit("all"), part=pl.lit("all"), memory=pl.lit(None, pl.Float64)
    )


BOARDS = boards(("sat", "S-main", "a", 2.0, 1.5), ("sat", "S-main", "b", 1.0, 2.5))


def cells(*values: PublishedValue, **how: Any) -> Cells:
    given = {"runs": RUNS, "boards": BOARDS, "rules": RULES, "name": "sat", "given": {}}
    return cells_of(values, **(given | how))


def test_a_value_is_a_cell_of_a_board() -> None:
    found = cells(replace(VALUE, value="2.50", column="score"))
    assert found.passed_over == found.said == ()
    assert not found.are_pairs
    assert found.frame.rows(named=True) == [
        {
            "cell": 0,
            "rule": "sat",
            "scenario_id": "S-main",
            "part_of": "all",
            "part": "all",
            "solver": "a",
            "other": None,
            "column": "points",
            "printed": "2.50",
            "value": 2.5,
            "half": 0.005,
            "restriction": "all",
            "file": "page.html",
            "line": 7,
        }
    ]


OURS = {"score": "points", "mean_score": "points", "correct": "solved", "count": "n", "unique": "alone"}
OURS |= {"timeout": "timeouts", "memout": "memouts"}
SAME = ["errors", "solved_sat", "solved_unsat", "unsolved", "wall", "cpu", "time", "place", "mean_time"]


@pytest.mark.parametrize(("column", "ours"), [*OURS.items(), *zip(SAME, SAME, strict=True)])
def test_published_columns_and_ours(column: str, ours: str) -> None:
    assert cells(replace(VALUE, column=column)).frame["column"].to_list() == [ours]


def test_correct_answers_are_points_where_an_instance_has_several() -> None:
    found = cells(replace(VALUE, column="correct"), rules={"sat": {"n_answers": 3}})
    assert found.frame["column"].to_list() == ["points"]


@pytest.mark.parametrize(
    ("board", "restriction", "rules", "rule"),
    [
        ("main", "all", ["sat", "sat-table"], "sat-table"),
        ("main", "all", ["sat", "sat-main"], "sat-main"),
        ("main", "complete", ["sat"], "sat"),
        ("main", "parallel", ["sat"], "sat"),
        ("main", "unsat", ["sat", "sat-unsat"], "sat-unsat"),
        ("main", "unsat", ["sat", "sat-main-unsat", "sat-unsat"], "sat-main-unsat"),
        ("Main", "unsat", ["sat", "sat-main", "sat-unsat"], None),
        ("main", "24s", ["sat", "sat-unsat"], None),
    ],
)
def test_the_rule_of_a_value(board: str, restriction: str, rules: list[str], rule: str | None) -> None:
    value = replace(VALUE, board=board, restriction=restriction)
    found = cells(value, rules={name: {} for name in rules})
    assert found.frame["rule"].to_list() == ([rule] if rule else [])
    assert found.passed_over == (() if rule else (f"solved ({restriction}): 1 value",))


@pytest.mark.parametrize(("restriction", "n"), [("unsat", 1), ("all", 0), ("sat", 0)])
def test_a_rule_of_unsat_gives_values_of_unsat_alone(restriction: str, n: int) -> None:
    values = [replace(VALUE, restriction=restriction), replace(VALUE, restriction="unsat")]
    found = cells(*values, name="sat-unsat", rules={"sat-unsat": {}})
    assert found.frame["restriction"].to_list() == ["unsat"] * (n + 1)


def test_what_is_computed_by_no_rule_is_counted() -> None:
    found = cells(
        VALUE,
        replace(VALUE, column="lucky"),
        replace(VALUE, column="lucky", solver="B"),
        replace(VALUE, column="memory"),
        replace(VALUE, restriction="sat", column="unsolved"),
        replace(VALUE, restriction="sat", column="solved"),
        replace(VALUE, column="wall", value="-"),
        runs=runs(("S-main", "a", "sat"), ("S-main", "b", None)),
    )
    assert found.passed_over == (
        "lucky: 2 values",
        "memory, because it is not a measure of the runs (add --measure-column NAME): 1 value",
        "unsolved (sat), because some right answers are unknown: 1 value",
    )
    assert found.frame.select("rule", "column").rows() == [("sat", "solved"), ("sat-sat", "solved")]
    known = cells(replace(VALUE, restriction="sat", column="unsolved"))
    assert known.frame["rule"].to_list() == ["sat-sat"]


def test_counts_beside_scores_of_smt_comp_are_not_compared() -> None:
    names = ("correct", "solved", "unsolved", "timeout")
    found = cells(*(replace(VALUE, column=name) for name in names))
    assert found.frame["column"].to_list() == ["solved"]
    assert found.passed_over == ("solved, unsolved and timeout, beside the scores of SMT-COMP: 3 values",)
    elsewhere = [replace(VALUE, column="correct"), replace(VALUE, level="logic", part="L")]
    assert cells(*elsewhere).frame["part_of"].to_list() == ["all", "logic"]


TWO = runs(("S-main", "a", "sat"), ("S-main-fast", "a", "sat"))


@pytest.mark.parametrize(
    ("board", "level", "part", "among", "home"),
    [
        ("main", "", "", RUNS, ("S-main", "all", "all")),
        ("anything", "", "", runs(("S", "a", None)), ("S", "all", "all")),
        ("main", "", "", TWO, ("S-main", "all", "all")),
        ("fast", "", "", TWO, ("S-main-fast", "all", "all")),
        ("main-fast", "", "", TWO, ("S-main-fast", "all", "all")),
        ("main", "division", "D_1", RUNS, ("S-main", "division", "d 1")),
        ("main", "logic", "l", RUNS, ("S-main", "logic", "L")),
        ("fast", "logic", "L", TWO, ("S-main-fast", "logic", "L")),
        ("main", "instance", "i7", RUNS, ("S-main", "all", "i7")),
    ],
)
def test_the_scenario_and_the_part_of_a_board(
    board: str, level: str, part: str, among: pl.DataFrame, home: tuple[str, ...]
) -> None:
    value = replace(VALUE, board=board, level=level, part=part)
    found = cells(value, runs=among, boards=BOARDS.clear())
    assert found.frame.select("scenario_id", "part_of", "part").rows() == [home]


@pytest.mark.parametrize(
    ("scenario", "track", "compared"),
    [
        ("SMT-incremental-Q", "incremental", ["incremental"]),
        ("MINE-Q", "incremental", ["incremental"]),
        ("MINE-Q", None, ["incremental", "parallel"]),
    ],
)
def test_of_pages_of_two_tracks_that_of_the_runs_is_compared(
    scenario: str, track: str | None, compared: list[str]
) -> None:
    logic = replace(VALUE, level="logic", part="L")
    pages = [replace(logic, board=name) for name in ("incremental", "parallel")]
    among = runs((scenario, "a", None)).with_columns(track=pl.lit(track, pl.String))
    found = cells(*pages, runs=among, boards=BOARDS.clear())
    passed = {"incremental", "parallel"} - {*compared}
    assert found.frame.height == len(compared)
    assert found.n_published == 2
    assert found.passed_over == tuple(f"the board {b} L: 1 value" for b in passed)


def test_a_board_of_another_track_is_passed_over() -> None:
    assert cells(VALUE, replace(VALUE, board="cloud")).passed_over == ("the board cloud: 1 value",)


@pytest.mark.parametrize(
    ("value", "among", "board"),
    [
        (replace(VALUE, board="cloud"), TWO, "cloud"),
        (replace(VALUE, level="logic", part="LIA"), RUNS, "main logic LIA"),
    ],
)
def test_a_board_of_no_one_scenario_is_refused(
    value: PublishedValue, among: pl.DataFrame, board: str
) -> None:
    names = ", ".join(among["scenario_id"].unique(maintain_order=True))
    with pytest.raises(AslibError) as raised:
        cells(value, runs=among)
    assert str(raised.value) == (
        f"--published: the published board {board} fits no single scenario. "
        f"Name the page of these scenarios alone: {names}."
    )


def test_who_is_meant_is_told_by_the_values() -> None:
    values = [
        replace(VALUE, solver=name, column=column, value=value)
        for name, column, value in (
            ("Uno", "solved", "1"),
            ("Uno", "score", "2.5"),
            ("Due", "solved", "2"),
            ("Due", "score", "1.4"),
        )
    ]
    found = cells(*values)
    assert found.frame["solver"].to_list() == ["b", "b", "a", "a"]
    assert found.said == (
        "The published name Uno stands for b: their values agree.",
        "The published name Due stands for a: their values agree.",
    )
    given = cells(*values, given={"Uno": "a", "Due": "b"})
    assert given.frame["solver"].to_list() == ["a", "a", "b", "b"]
    assert given.said == ()


def test_names_without_a_run_and_virtual_solvers() -> None:
    found = cells(
        VALUE,
        replace(VALUE, solver="b"),
        replace(VALUE, solver="Gone"),
        replace(VALUE, solver="Best", role="virtual"),
    )
    assert found.frame["solver"].to_list() == ["a", "b", "VBS"]
    assert found.said == ("S-main has no runs of Gone.",)
    with pytest.raises(AslibError, match="published names 'Gone'; solvers without a published name: b"):
        cells(VALUE, replace(VALUE, solver="Gone"))


def test_values_of_pairs() -> None:
    pair = replace(VALUE, level="instance", part="i1", against="B", column="points")
    found = cells(pair)
    assert found.are_pairs
    assert found.frame.select("solver", "other", "part").rows() == [("a", "b", "i1")]


def compared(*rows: tuple[str, float, float]) -> pl.DataFrame:
    """Solver, published value and ours of cells, in the order of their columns."""
    seen: dict[str, int] = {}
    data = []
    for solver, value, ours in rows:
        seen[solver] = seen.get(solver, 0) + 1
        cell = {"rule": "r", "part_of": "all", "part": "all", "restriction": "all"}
        cell |= {"scenario_id": "S", "column": f"c{seen[solver]}", "solver": solver}
        numbers = {"value": value, "ours": ours, "half": 0.5, "equal": value == ours}
        data.append({**cell, **numbers, "other": None})
    return pl.DataFrame(data, schema_overrides={"other": pl.String})


def test_two_solvers_whose_published_values_are_each_others() -> None:
    mixed = [("a", 1.0, 3.0), ("a", 2.0, 4.0), ("b", 3.4, 1.0), ("b", 4.0, 2.0)]
    assert swapped(compared(*mixed)) == [("S", "a", "b")]
    assert swapped(compared(*mixed, ("c", 9.0, 9.0))) == [("S", "a", "b")]
    assert swapped(compared(*mixed[:3], ("b", 4.0, 2.6))) == []
    assert swapped(compared(*mixed[:3])) == []
    assert swapped(compared(("a", 1.0, 1.0), ("b", 1.0, 1.0))) == []
    assert swapped(compared(*mixed).with_columns(other=pl.lit("c"))) == []
