"""Answers that are taken, with a remark on what looks like a mistake."""

from __future__ import annotations

from pathlib import Path

import pytest

from aslib_eval.selections import remove_selection
from tests.conftest import opened, rows
from tests.selections.conftest import CHOICE, Put, held, said


def test_presolved_is_solved_and_said(put: Put, lake: Path) -> None:
    text = "instance,time,status\ni1,3,presolved\ni2,101,PRESOLVED\n"
    outcome = put(text + "i3,1,ok\ni4,1,crash\n")
    above = "3: ok after 101.0, above the cutoff 100.0. It counts as unsolved."
    assert said(outcome, "warning") == [
        "2: the status presolved is read as ok (so on 2 instances). The instance is solved if its time is within the cutoff.",  # noqa: E501
        above,
    ]
    assert [row[4:7] for row in held(lake, "outcome")] == [
        ("i1", 3.0, "ok"),
        ("i2", 101.0, "ok"),
        ("i3", 1.0, "ok"),
        ("i4", 1.0, "crash"),
    ]
    solved = "select instance_id, solved from instance_selector order by all"
    assert rows(opened(lake, protocols=["default"]), solved) == [
        ("i1", 1), ("i2", 0), ("i3", 1), ("i4", 0)
    ]  # fmt: skip
    outcome = put("instance,time,status\ni1,,presolved\n")
    assert said(outcome, "error") == ["2: it is presolved, but has neither time nor objective"]


@pytest.mark.parametrize(
    ("file", "text", "what"),
    [
        ("s.json", '{"i1": ["b"], "i2": []}', "1: the schedule is empty"),
        ("s.csv", "instance,algorithm\ni1,b\ni2,\n", "3: the row names no algorithm"),
        ("s.csv", "instance,a,b\ni1,2,1\ni2,,?\n", "3: the row predicts nothing"),
        ("s.csv", "instance,algorithm,cost\ni1,a,2\ni1,b,1\ni2,a,\n", "4: the instance has no prediction"),
    ],
)
def test_no_answer_is_called_what_it_is_in_the_file(
    put: Put, lake: Path, file: str, text: str, what: str
) -> None:
    outcome = put(text, file)
    assert f"{what}. It solves nothing." in said(outcome, "warning")
    assert [row[4:8] for row in held(lake)] == [("i1", 1, "algorithm", "b"), ("i2", 0, "none", None)]


def test_a_selector_called_like_an_algorithm_is_remarked_on(put: Put) -> None:
    outcome = put(CHOICE, "a.csv")
    assert outcome.status == "imported"
    hint = "Put another NAME before the path, or use --prefix."
    assert said(outcome, "warning") == [f"None: the selector 'a' is called like an algorithm. {hint}"]
    assert put(CHOICE, "aa.csv").findings == ()


def test_of_several_splits_it_is_said_which_makes_the_scores(put: Put, lake: Path) -> None:
    assert said(put(CHOICE, scheme="none"), "note") == []
    kept = "its scores use the answers on 'aslib'; only instance_selector holds the answers on none"
    expected = (
        f"None: 'rf' has answers on several cv_schemes: {kept}. --remove with --scheme forgets one of them."
    )
    for scheme in ("aslib", "aslib", "none"):
        assert said(put(CHOICE, scheme=scheme), "note") == [expected]
    homes = "select distinct cv_scheme from instance_selector where is_home"
    assert rows(opened(lake, protocols=["default"]), homes) == [("aslib",)]
    text = "instance,selector,cv_scheme,algorithm\ni1,x,aslib,a\ni1,x,none,a\n"
    assert said(put(text), "note") == [expected.replace("rf", "x")]
    remove_selection(lake, "S", "rf", cv_scheme="none")
    assert said(put(CHOICE, scheme="aslib"), "note") == []


def test_budgets_and_steps_that_cannot_matter(put: Put) -> None:
    outcome = put(
        '{"i1": [["a", 101]],\n'
        '"i2": [["a", 60], ["b", 40], ["a", 9]],\n'
        '"i3": ["basic", "basic", ["b", 5], ["b", 4], ["b", 90]],\n'
        '"i4": ["b", ["a", 7]]}'
    )
    never = "3 ('a') never runs, because the steps before it take 100.0 (so on 2 instances)"
    assert outcome.error is None
    assert said(outcome, "warning") == [
        "1: the budget 101.0 of 'a' is above the cutoff 100.0. The run ends at the cutoff.",
        f"2: step {never}. The cutoff is 100.0.",
        "3: feature step 'basic' occurs twice",
        "3: 'b' occurs again with no more time than before",
    ]


@pytest.mark.parametrize(
    ("more", "less", "left"),
    [
        (
            '["a", 60], ["b", 50]',
            '["a", 60], ["b", 40]',
            "50.0 of 'b' is more than the time that is left, 40",
        ),
        (  # shares of the cutoff that add up to it but for rounding
            '["a", 69.697], ["b", 30.303030303030305]',
            '["a", 69.69696969696971], ["b", 30.303030303030305]',
            "30.303030303030305 of 'b' is more than the time that is left, 30.303",
        ),
    ],
)
def test_a_budget_that_is_more_than_is_left(put: Put, more: str, less: str, left: str) -> None:
    outcome = put(f'{{"i1": [{more}], "i2": [{less}]}}')
    assert said(outcome, "warning")[0] == f"1: the budget {left}. The cutoff is 100.0."


def test_a_schedule_is_free_to_plan_up_to_the_cutoff(put: Put) -> None:
    steps = '["basic", "deep", ["a", 1], ["b", 2.5], ["a", 100]]'
    outcome = put("{" + ", ".join(f'"i{n}": {steps}' for n in (1, 2, 3, 4)) + "}")
    assert (outcome.status, outcome.findings) == ("imported", ())
