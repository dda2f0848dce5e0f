"""Small readers by themselves: what each cell and row of evaluations becomes."""

from __future__ import annotations

import math

import pytest

from aslib_eval.extensions.optimisers.bayesmark import StudySettings, parse_settings, read_evaluations
from aslib_eval.extensions.optimisers.bayesmark_studies import Evaluations, arranged, value_faults

INF = math.inf


# --- evaluations --------------------------------------------------------------------


def evaluations(text: str) -> Evaluations:
    found, wrong = read_evaluations(text, file="e.csv", measure="loss")
    assert found is not None, wrong
    return found


HEAD = "problem,method,trial,iteration,suggestion,value"


def test_what_a_plain_table_leaves_out() -> None:
    (row,) = evaluations("function,optimizer,seed,iter,objective\np,m,3,0,inf\n").frame.to_dicts()
    assert (row["problem"], row["method"], row["trial"]) == ("p", "m", 3)
    assert (row["step"], row["suggestion"], row["=loss"]) == (0, 1, INF)
    assert (math.isnan(row["elapsed"]), row["file"], row["line"]) == (True, "e.csv", 2)
    (whole,) = evaluations(f"{HEAD},visible,elapsed\np,m,0,1,2,3,4,5\n").frame.to_dicts()
    assert (whole["suggestion"], whole["visible"], whole["elapsed"]) == (2, 4, 5)


@pytest.mark.parametrize(
    ("cell", "what"),
    [
        ("p,m,-1,0,1,2", "trial '-1' is not a whole number below 2^31"),
        ("p,m,2147483648,0,1,2", "trial '2147483648' is not a whole number below 2^31"),
        ("p,m,0,0.5,1,2", "iteration '0.5' is not a whole number below 2^31"),
        ("p,m,0,0,1,x", "value 'x' is not a number"),
        (",m,0,0,1,2", "the row names no problem"),
        ("p,,0,0,1,2", "the row names no method"),
        ("p,m,0,0,1", "5 cells instead of 6"),
    ],
)
def test_a_cell_that_is_no_evaluation(cell: str, what: str) -> None:
    good = "p,m,2147483647,0,1,2"
    found, wrong = read_evaluations(f"{HEAD}\n{good}\n{cell}\n", file="e.csv", measure="loss")
    assert found is None
    assert [(f.line, f.message) for f in wrong] == [(3, what)]


def test_evaluations_are_put_in_order() -> None:
    rows = ["q,m,7,1,2,4", "q,m,7,1,1,3", "p,m,5,1,1,1", "p,m,5,1,2,2"]
    grid, wrong = arranged(evaluations("\n".join([HEAD, *rows])))
    assert (wrong, grid is None) == ([], False)
    assert grid is not None
    assert grid.evaluations.frame["=loss"].to_list() == [1, 2, 3, 4]
    assert grid.evaluations.frame["line"].to_list() == [4, 5, 3, 2]
    assert (grid.problems, grid.methods, grid.shape) == (("p", "q"), ("m",), (2, 1, 1, 1, 2))
    assert grid.evaluations.frame["trial"].to_list() == [5, 5, 7, 7]


def test_counters_begin_with_0_or_1() -> None:
    for first in (0, 1):
        rows = [f"p,m,0,{step},{first},1" for step in (first, first + 1)]
        grid, _ = arranged(evaluations("\n".join([HEAD, *rows])))
        assert grid is not None
        assert grid.evaluations.frame["step"].to_list() == [1, 2]
        assert grid.evaluations.frame["suggestion"].to_list() == [1, 1]
        assert grid.shape == (1, 1, 1, 2, 1)


@pytest.mark.parametrize(
    ("rows", "line", "what"),
    [
        (["p,m,0,1,1,1", "p,m,0,1,1,2"], 3, "m on p, trial 0, is the same evaluation as at 2"),
        (
            ["p,m,0,1,1,1", "p,m,0,2,1,1", "p,m,1,1,1,1"],
            4,
            "m on p, trial 1, has 1 evaluations, others have 2",
        ),
        (["p,m,0,1,1,1", "p,n,0,1,1,1", "p,n,1,1,1,1"], 2, "m has 1 trials on p, others have 2"),
        (["p,m,0,1,1,1", "p,n,0,1,1,1", "q,n,0,1,1,1"], None, "m has 0 trials on q, others have 1"),
    ],
)
def test_what_is_no_full_grid(rows: list[str], line: int | None, what: str) -> None:
    grid, wrong = arranged(evaluations("\n".join([HEAD, *rows])))
    assert grid is None
    assert [(f.line, f.message) for f in wrong] == [(line, what)]


def test_what_is_no_cost() -> None:
    rows = [f"p,m,0,{i},1,{v},{v}" for i, v in enumerate(["nan", "inf", "-inf", 1])]
    found = evaluations("\n".join([f"{HEAD},visible", *rows]))
    less = value_faults(found, maximize={"loss": False})
    assert [(f.line, f.message) for f in less] == [
        (line, f"{name} is {value}")
        for name in ("loss", "visible")
        for line, value in ((2, "nan"), (4, "-inf"))
    ]
    assert less[0].hint == "Write inf for an evaluation that crashed."
    more = value_faults(found, maximize={"loss": True})
    assert [(f.line, f.hint) for f in more][:2] == [
        (line, "Write -inf for an evaluation that crashed.") for line in (2, 3)
    ]


# --- settings -----------------------------------------------------------------------


def test_settings_of_an_experiment_and_their_defaults() -> None:
    usual = StudySettings("F", measure="objective", maximize=None, optimum={})
    for content in (None, b""):
        assert parse_settings(content, file="e.toml", folder="F") == (usual, [])
    text = b'name = "N"\nmeasure = "loss"\nmaximize = true\n[optimum]\np = 2\n'
    expected = StudySettings("N", "loss", maximize=True, optimum={"p": 2.0})
    assert parse_settings(text, file="e.toml", folder="F") == (expected, [])


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        (b"\nmaximize = 1\n", 2, "maximize must be true or false"),
        (b'name = " "\n', 1, "name must be a text"),
        (b"[optimum]\np = inf\n", 1, "a finite number for each problem"),
        (b"[optimum]\np = true\n", 1, "a finite number for each problem"),
        (b'"other" = 1\n', 1, "unknown key 'other'; keys are name, measure"),
        (b"name = \n", None, "is not TOML"),
    ],
)
def test_settings_that_are_none(text: bytes, line: int | None, what: str) -> None:
    found, (wrong,) = parse_settings(text, file="e.toml", folder="F")
    assert (found, wrong.line, what in wrong.message) == (StudySettings("F"), line, True)
