"""Answers that cannot be taken: all errors at once, with their lines."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from aslib_eval.errors import AslibError
from aslib_eval.lake import versions
from aslib_eval.selections import store_selection
from aslib_eval.selections.read_csv import STATUSES
from tests.selections.conftest import CHOICE, Put, answers, held, said

ROWS = "Predictions in rows have one column score, cost, prediction or runtime: the lowest is chosen."
NEITHER = "not an algorithm or feature step of S."
BUDGET = (
    "'basic' is a feature step and has a budget. Write only its name, because a feature step has no budget."
)
NEGATIVE = "has a budget that is not 0 or more"
STEP = 'Write ["step", ["algorithm", seconds], "algorithm"].'


@pytest.mark.parametrize(
    ("file", "text", "errors"),
    [
        (
            "s.csv",
            "instance,fold,algorithm\ni1,a\ni2,1,aa\ni22,1,a\ni3,x,bee\ni3,2,b\n",
            [
                "2: 2 cells instead of 3",
                "3: 'aa' is not an algorithm of S. Did you mean 'a'?",
                "4: 'i22' is no instance of S. Did you mean 'i2'?",
                "5: fold 'x' is not a whole number below 2^31",
                "5: 'bee' is not an algorithm of S",
                f"6: 'i3' was answered on line 5 already. {ROWS}",
            ],
        ),
        (
            "s.csv",
            "instance,time,status\ni1,1,fine\ni1,1,ok\ni7,,ok\n",
            [
                f"2: runstatus 'fine' is none of {', '.join(STATUSES)}",
                "3: 'i1' was answered on line 2 already",
                "4: it is ok, but has neither time nor objective",
                "4: 'i7' is no instance of S",
            ],
        ),
        (
            "s.csv",
            "instance,a,bee\ni1,1\ni9,1,x\ni2,1,2\n",
            [
                "1: column 'bee' is not an algorithm of S",
                "2: 2 cells instead of 3",
                "3: bee 'x' is not a number",
                "3: 'i9' is no instance of S",
            ],
        ),
        (
            "s.csv",
            "instance,algorithm,cost\ni1,a,1\ni1,bee,0\ni1,a,x\ni2,bee,1\ni9,a,1\n",
            [
                "3: 'bee' is not an algorithm of S",
                "4: value 'x' is not a number",
                "4: 'i1' has a prediction of 'a' on line 2 already",
                "6: 'i9' is no instance of S",
            ],
        ),
        (
            "s.json",
            '{"i1": [["a", -1], "bassic"],\n"i1": ["b"],\n"i22": 5,\n"i3": ["aa"]',
            [
                f"1: 'i1': step 1 ([\"a\", -1]) {NEGATIVE}. {STEP}",
                f"1: 'bassic' is {NEITHER} Did you mean 'basic'?",
                "2: 'i1' was answered on line 1 already",
                f"3: 'i22': its schedule is 5, not a list of steps. {STEP}",
                "3: 'i22' is no instance of S. Did you mean 'i2'?",
                "4: is not a JSON object of schedules (expected '}')",
                f"4: 'aa' is {NEITHER} Did you mean 'a'?",
            ],
        ),
        (
            "s.json",
            '{"i1": [["aa", 5]],\n"i2": ["b"], "i4": ["b"], "i3": [["basic", 5]]}',
            ["1: 'aa' is not an algorithm of S. Did you mean 'a'?", f"2: {BUDGET}"],
        ),
    ],
)
def test_what_cannot_be_read_hides_nothing_else(
    put: Put, lake: Path, file: str, text: str, errors: list[str]
) -> None:
    before = versions.manifest(lake, "S")
    outcome = put(text, file)
    assert (outcome.status, said(outcome, "error")) == ("failed", errors)
    assert said(outcome, "warning") == []
    lines = [line.removeprefix(f"{outcome.path}:") for line in str(outcome.error).splitlines()]
    assert [line.split(":")[0] for line in lines] == [error.split(":")[0] for error in errors]
    assert held(lake) == []
    assert versions.manifest(lake, "S") == before


def test_a_selector_that_may_stand_on_an_unreadable_line_is_not_missed(put: Put) -> None:
    text = "instance,selector,algorithm\ni1,x,a\ni2,y\ni3,x,aa\n"
    assert said(put(text, name="y"), "error") == [
        "3: 2 cells instead of 3",
        "4: 'aa' is not an algorithm of S. Did you mean 'a'?",
    ]


def test_a_selector_is_called_in_utf_8(put: Put) -> None:
    what = r"None: a selector cannot be called 'm\udc80': that is not UTF-8 text"
    hint = "Put another NAME before the path, or use --prefix."
    assert said(put(CHOICE, "m\udc80.csv"), "error") == [f"{what}. {hint}"]
    assert put(CHOICE, "m\udc80.csv", name="mine").selectors == ("mine",)


def test_a_selector_is_not_called_like_a_baseline(put: Put, lake: Path) -> None:
    hint = "Put another NAME before the path, or use --prefix."
    for name in ("SBS", "VBS", "VWS"):
        wrong = f"a selector cannot be called {name!r}: that is a baseline"
        assert said(put(CHOICE, f"{name}.csv"), "error") == [f"None: {wrong}. {hint}"]
        with pytest.raises(AslibError, match=wrong):
            store_selection(lake, "S", name, selection=answers(name=["a"]))
    text = "instance,selector,algorithm\ni1,rf,a\ni1,VWS,a\ni2,VWS,aa\n"
    assert said(put(text), "error") == [
        f"3: {wrong}. {hint}",
        "4: 'aa' is not an algorithm of S. Did you mean 'a'?",
    ]
    assert put(CHOICE, "VBS.csv", prefix="my-").selectors == ("my-VBS",)
    assert put(CHOICE, "VBS.csv", name="mine").selectors == ("mine",)


def test_twenty_errors_of_a_kind_are_listed_and_the_rest_counted(put: Put) -> None:
    text = "instance,algorithm\n" + "".join(f"x{n},a\n" for n in range(30))
    errors = said(put(text), "error")
    assert len(errors) == 21
    assert errors[-1] == "None: and 10 more findings 'instance-unknown'"


def test_columns_that_are_no_algorithms(put: Put) -> None:
    outcome = put("instance,a,bee\ni1,1,2\n")
    assert said(outcome, "error") == ["1: column 'bee' is not an algorithm of S"]
    outcome = put("instance,a\n" + "".join(f"i{n},1\n" for n in (1, 2, 3, 4)))
    assert said(outcome, "warning") == ["1: nothing is predicted for 'b', so it is never chosen"]


OTHER_SPLIT = "If the answer was made on another split, add --scheme none."


@pytest.mark.parametrize(
    ("text", "options", "error"),
    [
        ("instance,fold,algorithm\ni1,2,a\n", {}, f"2: 'i1' is tested in fold 1, not 2. {OTHER_SPLIT}"),
        ("instance,cv_repetition,algorithm\ni1,2,a\n", {}, "2: 'i1' has no fold in repetition 2 of aslib"),
        (CHOICE, {"scheme": "aslb"}, "2: S has no cv_scheme 'aslb'. Did you mean 'aslib'?"),
        (CHOICE, {"scheme": "mine"}, "2: S has no cv_scheme 'mine'. Available: aslib, none."),
        (
            "instance,selector,algorithm\ni1,rf,a\n",
            {"name": "rff"},
            "1: holds the selectors 'rf', not 'rff'. Did you mean 'rf'?",
        ),
        ("instance,time,status,objective\ni1,,ok,5\n", {}, "2: 'i1' is ok, but has no time"),
    ],
)
def test_what_contradicts_the_scenario(put: Put, text: str, options: dict[str, Any], error: str) -> None:
    assert said(put(text, **options), "error") == [error]
