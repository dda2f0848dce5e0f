"""Answers held against their scenario, stored beside it, replaced and forgotten.

The scenario S: instances i1 … i4 in folds 1 and 2, algorithms a and b, cutoff 100,
feature steps basic and deep (which requires basic), and one called a like the
algorithm.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pytest
from click.testing import CliRunner, Result

import aslib_eval as ae
from aslib_eval import versions
from aslib_eval.checks import check_paths
from aslib_eval.cli import main
from aslib_eval.errors import AslibError, ScenarioError
from aslib_eval.readers.selection_csv import STATUSES
from aslib_eval.selections import (
    ImportedSelection,
    import_selections,
    remove_selection,
    store_folds,
    store_selection,
)

from .conftest import ROOT, rows, write_scenario

STEPS = """
feature_steps:
  basic: {provides: [f]}
  deep: {provides: [g], requires: [basic]}
  a: {provides: [h]}
"""
RUNS = [(f"i{n}", 1, a, 10 * n, "ok") for n in (1, 2, 3, 4) for a in "ab"]
FOLDS = {"i1": 1, "i2": 1, "i3": 2, "i4": 2}
OTHER_SPLIT = "If it was made on another split, say --scheme none."
CHOICE = "instance,algorithm\ni1,a\ni2,b\ni3,a\ni4,b\n"
Put = Callable[..., ImportedSelection]


@pytest.fixture
def lake(imported: Callable[..., Path]) -> Path:
    return imported(runs=RUNS, folds=FOLDS, description=STEPS)


@pytest.fixture
def put(lake: Path, tmp_path: Path) -> Put:
    """Write a file of answers and import it."""

    def make(text: str, file: str = "rf.csv", **options: Any) -> ImportedSelection:
        path = tmp_path / file
        path.write_text(text)
        options = {"scenario": "S", **options}
        (outcome,) = import_selections(path, lake=lake, **options)
        return outcome

    return make


def held(lake: Path, relation: str = "selection") -> list[tuple[Any, ...]]:
    """The rows of a relation."""
    lease = versions.lease(lake, "S")
    assert lease is not None
    table = lease.table(relation)
    lease.release()
    return [] if table is None else [tuple(row.values()) for row in table.to_pylist()]


def said(outcome: ImportedSelection, severity: str) -> list[str]:
    """Findings of a severity: line, message and hint."""
    return [
        f"{f.line}: {f.message}" + (f". {f.hint}" if f.hint else "")
        for f in outcome.findings
        if f.severity == severity
    ]


# --- what is stored ------------------------------------------------------------------


def test_a_schedule_becomes_rows(put: Put, lake: Path) -> None:
    outcome = put(
        '{"i1": ["basic", ["a", 5], "b"],'
        ' "i2": [["b", 100]], "i3": [], "i4": ["deep"]}',
        "s.json",
    )
    assert outcome.error is None
    assert held(lake) == [
        ("s", "aslib", 1, 1, "i1", 1, "feature_step", "basic", None),
        ("s", "aslib", 1, 1, "i1", 2, "algorithm", "a", 5.0),
        ("s", "aslib", 1, 1, "i1", 3, "algorithm", "b", None),
        ("s", "aslib", 1, 1, "i2", 1, "algorithm", "b", 100.0),
        ("s", "aslib", 1, 2, "i3", 0, "none", None, None),
        ("s", "aslib", 1, 2, "i4", 1, "feature_step", "deep", None),
    ]
    assert said(outcome, "warning") == [
        "1: the schedule is empty. It solves nothing.",
        "1: feature step 'deep' requires basic before it. It is taken as it stands.",
    ]


def test_choices_and_predictions_become_rows(put: Put, lake: Path) -> None:
    put(CHOICE, "one.csv")
    put("instance,a,b\ni1,1,2\ni2,2,1\ni3,1,1\ni4,,9\n", "two.csv")
    expected = [
        ("aslib", 1, fold, instance, 1, "algorithm", algorithm, None)
        for fold, instance, algorithm in (
            (1, "i1", "a"),
            (1, "i2", "b"),
            (2, "i3", "a"),
            (2, "i4", "b"),
        )
    ]
    assert held(lake) == [(name, *row) for name in ("one", "two") for row in expected]


def test_outcomes_become_rows(put: Put, lake: Path) -> None:
    text = (
        "instance,selector,time,status,objective\n"
        "i1,s,3,ok,\ni2,s,3,timeout,\ni3,s,,crash,\ni4,s,101,ok,7\ni1,t,1,ok,\n"
    )
    outcome = put(text, without_feature_costs=True)
    assert outcome.selectors == ("s", "t")
    assert held(lake, "outcome") == [
        ("s", "aslib", 1, 1, "i1", 3.0, "ok", None, False),
        ("s", "aslib", 1, 1, "i2", 3.0, "timeout", None, False),
        ("s", "aslib", 1, 2, "i3", None, "crash", None, False),
        ("s", "aslib", 1, 2, "i4", 101.0, "ok", 7.0, False),
        ("t", "aslib", 1, 1, "i1", 1.0, "ok", None, False),
    ]
    missing = "3 of 4 instances are not answered by 't' ('i2', 'i3', 'i4')"
    assert said(outcome, "warning") == [
        "5: ok after 101.0, above the cutoff 100.0. It counts as unsolved.",
        f"None: {missing}. They count as unsolved.",
    ]
    put(text)
    assert {row[-1] for row in held(lake, "outcome")} == {True}


def test_the_manifest_says_where_answers_came_from(put: Put, lake: Path) -> None:
    put(CHOICE)
    outcome = "instance,time,status\ni1,3,ok\n"
    put(outcome, "sys.csv", name="sys")
    facts = versions.manifest(lake, "S")
    assert facts is not None
    assert facts["selections"] == [
        {
            "selector": "rf",
            "cv_scheme": "aslib",
            "file": "rf.csv",
            "sha256": sha256(CHOICE.encode()).hexdigest(),
            "format": "choice",
            "rows": {"selection": 4},
        },
        {
            "selector": "sys",
            "cv_scheme": "aslib",
            "file": "sys.csv",
            "sha256": sha256(outcome.encode()).hexdigest(),
            "format": "outcome",
            "pays_features": True,
            "rows": {"outcome": 1},
        },
    ]


def test_names_of_the_description_are_understood(
    imported: Callable[..., Path], tmp_path: Path
) -> None:
    runs = [("i", 1, "my.solver", 1, "ok"), ("i", 1, "b", 2, "ok")]
    lake = imported(runs=runs)
    file = tmp_path / "rf.json"
    file.write_text('{"i": [["my-solver", 5], "b"]}')
    (outcome,) = import_selections(file, lake=lake, scenario="S")
    assert "'my-solver' is no algorithm of S. Did you mean 'my.solver'?" in str(
        outcome.error
    )
    runs[0] = ("i", 1, "my-solver", 1, "ok")
    write_scenario(tmp_path / "scenarios" / "S", runs=runs)
    ae.import_scenarios([tmp_path / "scenarios" / "S"], into=lake)
    file.write_text('{"i": [["my.solver", 5], "b"]}')
    (outcome,) = import_selections(file, lake=lake, scenario="S")
    assert outcome.error is None
    assert [row[7] for row in held(lake)] == ["my-solver", "b"]


@pytest.mark.parametrize(
    ("schedule", "actions"),
    [
        ('["a"]', [("algorithm", "a")]),
        ('["a", "b"]', [("feature_step", "a"), ("algorithm", "b")]),
        ('[["a", 5], "b"]', [("algorithm", "a"), ("algorithm", "b")]),
        ('["a", "a"]', [("feature_step", "a"), ("algorithm", "a")]),
    ],
)
def test_a_name_of_an_algorithm_and_of_a_step(
    put: Put, lake: Path, schedule: str, actions: list[tuple[str, str]]
) -> None:
    outcome = put(f'{{"i1": {schedule}}}')
    assert outcome.error is None
    assert [row[6:8] for row in held(lake)] == actions
    ambiguous = [f for f in outcome.findings if f.code == "ambiguous-name"]
    assert bool(ambiguous) == ('"a"' in schedule.replace('["a", 5]', ""))


# --- what is refused, what is remarked on --------------------------------------------


def test_all_errors_of_a_schedule_come_at_once_with_their_lines(
    put: Put, lake: Path
) -> None:
    before = versions.manifest(lake, "S")
    outcome = put(
        '{\n"i1": [["aa", 5]],\n"i1": ["a"],\n"i22": ["b"],\n'
        '"i3": [["basic", 5]],\n"i4": ["bassic", "b"]\n}',
        "s.json",
    )
    alone = "Write its name alone: a feature step takes as long as it takes."
    assert outcome.status == "failed"
    assert said(outcome, "error") == [
        "2: 'aa' is no algorithm of S. Did you mean 'a'?",
        "3: 'i1' was answered on line 2 already",
        "4: 'i22' is no instance of S. Did you mean 'i2'?",
        f"5: 'basic' is a feature step and has a budget. {alone}",
        "6: 'bassic' is no algorithm or feature step of S. Did you mean 'basic'?",
    ]
    lines = str(outcome.error).splitlines()
    assert [line.split(":")[1] for line in lines] == ["2", "3", "4", "5", "6"]
    assert all(line.startswith(outcome.path) for line in lines)
    assert held(lake) == []
    assert versions.manifest(lake, "S") == before


ROWS = (
    "Predictions in rows have one column score, cost, prediction or runtime: "
    "the lowest is chosen."
)
NEITHER = "no algorithm or feature step of S."
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
                "3: 'aa' is no algorithm of S. Did you mean 'a'?",
                "4: 'i22' is no instance of S. Did you mean 'i2'?",
                "5: fold 'x' is not a whole number",
                "5: 'bee' is no algorithm of S",
                f"6: 'i3' was answered on line 5 already. {ROWS}",
            ],
        ),
        (
            "s.csv",
            "instance,time,status\ni1,1,fine\ni1,1,ok\ni7,,ok\n",
            [
                f"2: 'fine' is none of {', '.join(STATUSES)}",
                "3: 'i1' was answered on line 2 already",
                "4: it is ok, but neither time nor objective is said",
                "4: 'i7' is no instance of S",
            ],
        ),
        (
            "s.csv",
            "instance,a,bee\ni1,1\ni9,1,x\n",
            [
                "1: column 'bee' is no algorithm of S",
                "2: 2 cells instead of 3",
                "3: bee 'x' is not a number",
                "3: 'i9' is no instance of S",
            ],
        ),
        (
            "s.csv",
            "instance,algorithm,cost\ni1,a,1\ni1,bee,0\ni1,a,x\ni2,bee,1\ni9,a,1\n",
            [
                "3: 'bee' is no algorithm of S",
                "4: the prediction 'x' is not a number",
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
    ],
)
def test_what_cannot_be_read_hides_nothing_else(
    put: Put, lake: Path, file: str, text: str, errors: list[str]
) -> None:
    before = versions.manifest(lake, "S")
    outcome = put(text, file)
    assert (outcome.status, said(outcome, "error")) == ("failed", errors)
    assert said(outcome, "warning") == []
    assert len(str(outcome.error).splitlines()) == len(errors)
    assert versions.manifest(lake, "S") == before


def test_a_selector_that_may_stand_on_an_unreadable_line_is_not_missed(
    put: Put,
) -> None:
    text = "instance,selector,algorithm\ni1,x,a\ni2,y\ni3,x,aa\n"
    assert said(put(text, name="y"), "error") == [
        "3: 2 cells instead of 3",
        "4: 'aa' is no algorithm of S. Did you mean 'a'?",
    ]


def test_presolved_is_solved_and_said(put: Put, lake: Path) -> None:
    text = "instance,time,status\ni1,3,presolved\ni2,101,PRESOLVED\n"
    outcome = put(text + "i3,1,ok\ni4,1,crash\n")
    above = "3: ok after 101.0, above the cutoff 100.0. It counts as unsolved."
    assert said(outcome, "warning") == [
        "2: presolved is taken for ok (so on 2 instances). It is solved if in time.",
        above,
    ]
    assert [row[4:7] for row in held(lake, "outcome")] == [
        ("i1", 3.0, "ok"),
        ("i2", 101.0, "ok"),
        ("i3", 1.0, "ok"),
        ("i4", 1.0, "crash"),
    ]
    solved = "select instance_id, solved from instance_selector order by all"
    assert rows(ae.connect(lake, protocols=["default"]), solved) == [
        ("i1", 1), ("i2", 0), ("i3", 1), ("i4", 0)
    ]  # fmt: skip
    outcome = put("instance,time,status\ni1,,presolved\n")
    assert said(outcome, "error") == [
        "2: it is presolved, but neither time nor objective is said"
    ]


@pytest.mark.parametrize(
    ("file", "text", "what"),
    [
        ("s.json", '{"i1": ["b"], "i2": []}', "1: the schedule is empty"),
        ("s.csv", "instance,algorithm\ni1,b\ni2,\n", "3: the row names no algorithm"),
        ("s.csv", "instance,a,b\ni1,2,1\ni2,,?\n", "3: the row predicts nothing"),
        (
            "s.csv",
            "instance,algorithm,cost\ni1,a,2\ni1,b,1\ni2,a,\n",
            "4: the instance has no prediction",
        ),
    ],
)
def test_no_answer_is_called_what_it_is_in_the_file(
    put: Put, lake: Path, file: str, text: str, what: str
) -> None:
    outcome = put(text, file)
    assert f"{what}. It solves nothing." in said(outcome, "warning")
    assert [row[4:8] for row in held(lake)] == [
        ("i1", 1, "algorithm", "b"),
        ("i2", 0, "none", None),
    ]


def test_predictions_in_rows_choose_as_those_in_columns(put: Put, lake: Path) -> None:
    put("instance,a,b\ni1,1,2\ni2,2,1\ni3,1,1\ni4,,9\n", "wide.csv")
    outcome = put(
        "instance,algorithm,cost\ni1,a,1\ni1,b,2\ni2,a,2\ni2,b,1\ni3,b,1\ni3,a,1\n"
        "i4,a,\ni4,b,9\n",
        "long.csv",
    )
    assert outcome.findings == ()
    long, wide = ([r[1:] for r in held(lake) if r[0] == n] for n in ("long", "wide"))
    assert long == wide
    assert len(long) == 4
    facts = versions.manifest(lake, "S")
    assert facts is not None
    assert facts["selections"][0]["format"] == "prediction-rows"


def test_columns_that_are_not_read_are_said(put: Put) -> None:
    outcome = put("instance,algorithm,budget\ni1,a,5\ni2,a,5\ni3,a,5\ni4,b,5\n")
    (warning,) = said(outcome, "warning")
    assert warning.startswith("1: 1 column is not read: 'budget'. A choice is an")
    assert outcome.status == "imported"


@pytest.mark.parametrize("name", ["SBS", "VBS", "VWS"])
def test_a_selector_is_not_called_like_a_baseline(
    put: Put, lake: Path, name: str
) -> None:
    wrong = f"a selector cannot be called {name!r}: that is a baseline"
    hint = "Put another NAME before the path, or use --prefix."
    assert said(put(CHOICE, f"{name}.csv"), "error") == [f"None: {wrong}. {hint}"]
    text = f"instance,selector,algorithm\ni1,rf,a\ni1,{name},a\ni2,{name},aa\n"
    assert said(put(text), "error") == [
        f"3: {wrong}. {hint}",
        "4: 'aa' is no algorithm of S. Did you mean 'a'?",
    ]
    assert put(CHOICE, f"{name}.csv", prefix="my-").selectors == (f"my-{name}",)
    assert put(CHOICE, f"{name}.csv", name="mine").selectors == ("mine",)
    with pytest.raises(AslibError, match=wrong):
        store_selection(lake, "S", name, selection=answers(name=["a"]))


def test_a_selector_called_like_an_algorithm_is_remarked_on(put: Put) -> None:
    outcome = put(CHOICE, "a.csv")
    assert outcome.status == "imported"
    hint = "Put another NAME before the path, or use --prefix."
    assert said(outcome, "warning") == [
        f"None: the selector 'a' is called like an algorithm. {hint}"
    ]
    assert put(CHOICE, "aa.csv").findings == ()


def test_of_several_splits_it_is_said_which_makes_the_scores(
    put: Put, lake: Path
) -> None:
    assert said(put(CHOICE, scheme="none"), "note") == []
    kept = "those on 'aslib' make its scores, those on none only the rows of"
    expected = (
        f"None: 'rf' has answers on several cv_schemes: {kept} instance_selector."
        " --remove with --scheme forgets one of them."
    )
    for scheme in ("aslib", "aslib", "none"):
        assert said(put(CHOICE, scheme=scheme), "note") == [expected]
    homes = "select distinct cv_scheme from instance_selector where is_home"
    assert rows(ae.connect(lake, protocols=["default"]), homes) == [("aslib",)]
    text = "instance,selector,cv_scheme,algorithm\ni1,x,aslib,a\ni1,x,none,a\n"
    assert said(put(text), "note") == [expected.replace("rf", "x")]
    remove_selection(lake, "S", "rf", cv_scheme="none")
    assert said(put(CHOICE, scheme="aslib"), "note") == []


def test_twenty_errors_of_a_kind_are_listed_and_the_rest_counted(put: Put) -> None:
    text = "instance,algorithm\n" + "".join(f"x{n},a\n" for n in range(30))
    errors = said(put(text), "error")
    assert len(errors) == 21
    assert errors[-1] == "None: and 10 more of 'instance-unknown'"


def test_columns_that_are_no_algorithms(put: Put) -> None:
    outcome = put("instance,a,bee\ni1,1,2\n")
    assert said(outcome, "error") == ["1: column 'bee' is no algorithm of S"]
    outcome = put("instance,a\n" + "".join(f"i{n},1\n" for n in (1, 2, 3, 4)))
    assert said(outcome, "warning") == ["1: nothing is predicted for 'b': never chosen"]


def test_budgets_and_steps_that_cannot_matter(put: Put) -> None:
    outcome = put(
        '{"i1": [["a", 101]],\n'
        '"i2": [["a", 60], ["b", 40], ["a", 9]],\n'
        '"i3": ["basic", "basic", ["b", 5], ["b", 4], ["b", 90]],\n'
        '"i4": ["b", ["a", 7]]}'
    )
    never = "3 ('a') never runs: those before it take 100.0 (so on 2 instances)"
    assert outcome.error is None
    assert said(outcome, "warning") == [
        "1: the budget 101.0 of 'a' is above the cutoff 100.0. It ends at the cutoff.",
        f"2: step {never}. The cutoff is 100.0.",
        "3: feature step 'basic' comes twice",
        "3: 'b' comes again with no more time than before",
    ]


def test_a_schedule_is_free_to_plan_up_to_the_cutoff(put: Put) -> None:
    steps = '["basic", "deep", ["a", 1], ["b", 2.5], ["a", 100]]'
    outcome = put("{" + ", ".join(f'"i{n}": {steps}' for n in (1, 2, 3, 4)) + "}")
    assert (outcome.status, outcome.findings) == ("imported", ())


@pytest.mark.parametrize(
    ("text", "options", "error"),
    [
        (
            "instance,fold,algorithm\ni1,2,a\n",
            {},
            f"2: 'i1' is tested in fold 1, not 2. {OTHER_SPLIT}",
        ),
        (
            "instance,cv_repetition,algorithm\ni1,2,a\n",
            {},
            "2: 'i1' has no fold in repetition 2 of aslib",
        ),
        (
            CHOICE,
            {"scheme": "aslb"},
            "2: S has no cv_scheme 'aslb'. Did you mean 'aslib'?",
        ),
        (
            CHOICE,
            {"scheme": "mine"},
            "2: S has no cv_scheme 'mine'. It has aslib, none.",
        ),
        (
            "instance,selector,algorithm\ni1,rf,a\n",
            {"name": "rff"},
            "1: holds the selectors 'rf', not 'rff'. Did you mean 'rf'?",
        ),
        (
            "instance,time,status,objective\ni1,,ok,5\n",
            {},
            "2: 'i1' is ok, but its time is not said",
        ),
    ],
)
def test_what_contradicts_the_scenario(
    put: Put, text: str, options: dict[str, Any], error: str
) -> None:
    assert said(put(text, **options), "error") == [error]


def test_answers_of_no_known_split_keep_their_folds(put: Put, lake: Path) -> None:
    put("instance,fold,algorithm\ni1,7,a\ni2,,a\n", scheme="none")
    assert [row[1:5] for row in held(lake)] == [
        ("none", 1, 7, "i1"),
        ("none", 1, None, "i2"),
    ]


def test_repetitions_are_told_apart_or_assumed(
    imported: Callable[..., Path], tmp_path: Path
) -> None:
    lake = imported(runs=RUNS, folds=FOLDS)
    split = {"i": ["i1", "i2", "i3", "i4"] * 2, "r": [1] * 4 + [2] * 4}
    folds = pa.table(
        {
            "instance_id": split["i"],
            "cv_repetition": split["r"],
            "fold": [1, 2, 1, 2, 2, 2, 1, 1],
        }
    )
    store_folds(lake, "S", "mine", folds)
    file = tmp_path / "rf.csv"
    file.write_text(CHOICE)
    (outcome,) = import_selections(file, lake=lake, scenario="S", scheme="mine")
    (warning,) = said(outcome, "warning")
    assert warning.startswith("None: taken for repetition 1 of the 2 of cv_scheme 'mi")
    assert [row[3] for row in held(lake)] == [1, 2, 1, 2]
    file.write_text("instance,cv_repetition,algorithm\ni1,1,a\ni1,2,b\n")
    (outcome,) = import_selections(file, lake=lake, scenario="S", scheme="mine")
    assert [row[2:5] for row in held(lake)] == [(1, 1, "i1"), (2, 2, "i1")]
    assert len(said(outcome, "warning")) == 2  # three missing in each repetition


# --- the same, another, none ---------------------------------------------------------


def test_the_same_file_again_changes_nothing(put: Put, lake: Path) -> None:
    assert put(CHOICE).status == "imported"
    before = (lake / ".versions" / "scenario_id=S" / "current").readlink()
    assert put(CHOICE).status == "unchanged"
    assert (lake / ".versions" / "scenario_id=S" / "current").readlink() == before


def test_a_selector_is_replaced_on_its_split_alone(put: Put, lake: Path) -> None:
    put(CHOICE, scheme="none")
    put(CHOICE)
    put(CHOICE, "other.csv")
    outcome = put("instance,time,status\ni1,1,ok\n", "new.csv", name="rf")
    assert outcome.replaced == ("rf",)
    assert {row[:2] for row in held(lake)} == {("rf", "none"), ("other", "aslib")}
    assert [row[:2] for row in held(lake, "outcome")] == [("rf", "aslib")]


def test_one_of_several_selectors_is_picked_and_prefixed(put: Put, lake: Path) -> None:
    text = "instance,selector,algorithm\ni1,x,a\ni1,y,b\n"
    assert put(text, name="y", prefix="old-").selectors == ("old-y",)
    assert [(row[0], row[7]) for row in held(lake)] == [("old-y", "b")]


def test_a_selector_is_forgotten(put: Put, lake: Path) -> None:
    before = (lake / "run" / "scenario_id=S" / "part-0.parquet").read_bytes()
    put(CHOICE)
    put(CHOICE, scheme="none")
    put(CHOICE, "other.csv")
    remove_selection(lake, "S", "rf", cv_scheme="none")
    assert {row[:2] for row in held(lake)} == {("rf", "aslib"), ("other", "aslib")}
    remove_selection(lake, "S", "rf")
    assert {row[0] for row in held(lake)} == {"other"}
    with pytest.raises(AslibError, match=r"no selector 'rf' of S. It holds other\."):
        remove_selection(lake, "S", "rf")
    remove_selection(lake, "S", "other")
    assert held(lake) == []
    assert not (lake / "selection").exists()
    after = (lake / "run" / "scenario_id=S" / "part-0.parquet").read_bytes()
    assert after == before


def test_the_order_of_imports_does_not_show(
    imported: Callable[..., Path], tmp_path: Path
) -> None:
    files = {"z.csv": CHOICE, "a.json": '{"i3": ["b"], "i1": [["b", 1], "a"]}'}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    content = []
    for order in (("z.csv", "a.json"), ("a.json", "z.csv")):
        lake = imported(runs=RUNS, folds=FOLDS)
        for name in order:
            import_selections(tmp_path / name, lake=lake, scenario="S")
        content.append((lake / "selection/scenario_id=S/part-0.parquet").read_bytes())
        content.append((lake / "S.json").read_bytes())
        for selector in ("z", "a"):
            remove_selection(lake, "S", selector)
    assert content[:2] == content[2:]


# --- tables of other modules ---------------------------------------------------------


def answers(**columns: Any) -> pa.Table:
    """A selection of one step an instance, but for the columns given."""
    size = len(next(iter(columns.values())))
    usual: dict[str, Any] = {
        "cv_scheme": ["aslib"] * size,
        "cv_repetition": [1] * size,
        "fold": [1] * size,
        "instance_id": ["i1", "i2", "i3", "i4"][:size],
        "position": [1] * size,
        "action": ["algorithm"] * size,
        "name": ["a"] * size,
    }
    return pa.table({**usual, **columns})


def test_a_table_is_stored_as_it_is(lake: Path) -> None:
    store_selection(lake, "S", "rf", selection=answers(name=["a", "b"]))
    assert held(lake) == [
        ("rf", "aslib", 1, 1, "i1", 1, "algorithm", "a", None),
        ("rf", "aslib", 1, 1, "i2", 1, "algorithm", "b", None),
    ]


def test_another_table_of_as_many_rows_replaces_it(lake: Path) -> None:
    store_selection(lake, "S", "rf", selection=answers(name=["a"]))
    store_selection(lake, "S", "rf", selection=answers(name=["b"]))
    assert [row[7] for row in held(lake)] == ["b"]


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"instance_id": ["i1", "i9"]}, "1 instances are unknown: 'i9'"),
        ({"name": ["a", "c"]}, "algorithm 'c' is unknown"),
        ({"action": ["feature_step"]}, None),
        ({"action": ["feature_step"], "name": ["b"]}, "feature_step 'b' is unknown"),
        ({"action": ["run"]}, "action 'run' is none of algorithm, feature_step, none"),
        (
            {"name": pa.array([None], pa.string())},
            "a step of kind 'algorithm' is named",
        ),
        ({"budget": [-1.0]}, "a budget is negative or NaN"),
        ({"budget": [float("nan")]}, "a budget is negative or NaN"),
        ({"fold": [2]}, "1 answers are not in the fold of the split: 'i1'"),
        ({"fold": pa.array([None], pa.int32())}, "1 answers are not in the fold"),
        ({"cv_repetition": [2]}, "1 answers are not in the fold of the split: 'i1'"),
        ({"cv_scheme": ["mine"]}, "the scenario has no cv_scheme 'mine'"),
        ({"instance_id": ["i1", "i1"]}, "1 rows repeat an earlier"),
    ],
)
def test_a_table_must_fit_the_scenario(
    lake: Path, columns: dict[str, Any], message: str | None
) -> None:
    if message is None:
        store_selection(lake, "S", "rf", selection=answers(**columns))
        return
    with pytest.raises(ScenarioError) as caught:
        store_selection(lake, "S", "rf", selection=answers(**columns))
    assert message in str(caught.value)
    assert held(lake) == []


def test_a_table_must_have_the_columns_of_the_contract(lake: Path) -> None:
    with pytest.raises(AslibError, match="table selection: has no column 'position'"):
        store_selection(
            lake, "S", "rf", selection=answers(name=["a"]).drop(["position"])
        )
    with pytest.raises(AslibError, match="column 'fold' is not int32"):
        store_selection(lake, "S", "rf", selection=answers(fold=["one"]))
    with pytest.raises(AslibError, match="there is nothing to store"):
        store_selection(lake, "S", "rf")
    with pytest.raises(AslibError, match="holds no scenario 'T'"):
        store_selection(lake, "T", "rf", selection=answers(name=["a"]))


# --- generated splits ----------------------------------------------------------------


def split(*folds: int) -> pa.Table:
    ids = ["i1", "i2", "i3", "i4"][: len(folds)]
    columns = {"instance_id": ids, "cv_repetition": [1] * len(ids), "fold": folds}
    return pa.table(columns)


def test_a_split_is_stored_replaced_and_removed(lake: Path) -> None:
    before = held(lake, "fold")
    store_folds(lake, "S", "mine", split(1, 2, 1, 2), facts={"seed": 5})
    facts = versions.manifest(lake, "S")
    assert facts is not None
    assert facts["splits"] == {"mine": {"rows": 4, "seed": 5}}
    store_folds(lake, "S", "mine", split(2, 2, 1, 1))
    mine = [row for row in held(lake, "fold") if row[0] == "mine"]
    assert [row[2] for row in mine] == [2, 2, 1, 1]
    store_folds(lake, "S", "mine", None)
    assert held(lake, "fold") == before


@pytest.mark.parametrize("name", ["aslib", "split", "none"])
def test_the_formats_own_splits_are_not_replaced(lake: Path, name: str) -> None:
    with pytest.raises(AslibError, match="is what the scenario's own files say"):
        store_folds(lake, "S", name, split(1, 2, 1, 2))


def test_a_split_holds_every_instance(lake: Path) -> None:
    with pytest.raises(ScenarioError) as caught:
        store_folds(lake, "S", "mine", split(1, 2, 1))
    assert "repetition 1 lacks instances 'i4'" in str(caught.value)


def test_a_split_that_selectors_were_trained_on_stays(put: Put, lake: Path) -> None:
    store_folds(lake, "S", "mine", split(1, 2, 1, 2))
    put(CHOICE, scheme="mine")
    store_folds(lake, "S", "mine", split(1, 2, 1, 2), facts={"seed": 5})
    with pytest.raises(AslibError, match="rf answered on the cv_scheme 'mine'"):
        store_folds(lake, "S", "mine", split(2, 2, 1, 1))
    with pytest.raises(AslibError, match="rf answered on the cv_scheme 'mine'"):
        store_folds(lake, "S", "mine", None)
    remove_selection(lake, "S", "rf")
    store_folds(lake, "S", "mine", split(2, 2, 1, 1))


def test_a_generated_split_is_written_as_cv_arff(lake: Path, tmp_path: Path) -> None:
    store_folds(lake, "S", "mine", split(2, 1, 1, 2))
    ae.write_from_lake(lake, "S", tmp_path / "out" / "S", cv_scheme="mine")
    (outcome,) = ae.import_scenarios([tmp_path / "out"], into=tmp_path / "again")
    assert outcome.error is None
    assert held(tmp_path / "again", "fold") == [
        ("aslib", 1, fold, instance)
        for fold, instance in zip((2, 1, 1, 2), ("i1", "i2", "i3", "i4"), strict=True)
    ]
    with pytest.raises(AslibError, match="no cv_scheme 'yours' that"):
        ae.write_from_lake(lake, "S", tmp_path / "out2", cv_scheme="yours")
    ae.write_from_lake(lake, "S", tmp_path / "out3", cv_scheme=None)
    assert not (tmp_path / "out3" / "cv.arff").exists()


# --- a scenario imported anew --------------------------------------------------------


def again(tmp_path: Path, *, forget: bool = False, **parts: Any) -> Any:
    given = {"runs": RUNS, "folds": FOLDS, "description": STEPS, **parts}
    folder = write_scenario(tmp_path / "scenarios" / "S", **given)
    (outcome,) = ae.import_scenarios([folder], into=tmp_path / "lake", forget=forget)
    return outcome


def test_answers_and_splits_stay_with_their_scenario(
    put: Put, lake: Path, tmp_path: Path
) -> None:
    store_folds(lake, "S", "mine", split(1, 2, 1, 2), facts={"seed": 5})
    put(CHOICE, scheme="mine")
    put(CHOICE, "other.csv")
    put("instance,time,status\ni1,1,ok\n", "sys.csv")
    before = {
        name: (lake / name / "scenario_id=S" / "part-0.parquet").read_bytes()
        for name in ("fold", "selection", "outcome")
    }
    facts = versions.manifest(lake, "S")
    outcome = again(tmp_path, runs=[(*run[:3], 99, "ok") for run in RUNS])
    assert (outcome.status, outcome.forgotten) == ("imported", ())
    after = versions.manifest(lake, "S")
    assert facts is not None
    assert after is not None
    assert after["selections"] == facts["selections"]
    assert after["splits"] == facts["splits"]
    assert after["relations"]["run"] != facts["relations"]["run"]
    for name, content in before.items():
        path = lake / name / "scenario_id=S" / "part-0.parquet"
        assert path.read_bytes() == content
    assert again(tmp_path, runs=[(*run[:3], 99, "ok") for run in RUNS]).status == (
        "unchanged"
    )


def test_what_does_not_fit_any_more_is_said_or_forgotten(
    put: Put, lake: Path, tmp_path: Path
) -> None:
    store_folds(lake, "S", "mine", split(1, 2, 1, 2))
    put(CHOICE, scheme="mine")
    put("instance,algorithm\ni1,b\n", "good.csv")
    put("instance,algorithm\ni1,a\n", "other.csv")
    put('{"i1": ["basic", "b"]}', "steps.json", scheme="none")
    before = versions.manifest(lake, "S")
    changed = {
        "runs": [r for r in RUNS if r[2] == "b"] + [("i5", 1, "b", 1, "ok")],
        "folds": {**FOLDS, "i5": 1},
        "description": "",
    }
    outcome = again(tmp_path, **changed)
    hint = "Remove it first, or import with --forget to go on without."
    rf, steps = (
        f"S: selector {name!r}, cv_scheme {scheme!r}"
        for name, scheme in (("rf", "mine"), ("steps", "none"))
    )
    assert str(outcome.error).splitlines() == [
        f"S: cv_scheme 'mine': repetition 1 lacks instances 'i5'. {hint}",
        f"S: selector 'other', cv_scheme 'aslib': algorithm 'a' is unknown. {hint}",
        f"{rf}: the scenario has no cv_scheme 'mine'. {hint}",
        f"{rf}: algorithm 'a' is unknown. {hint}",
        f"{steps}: feature_step 'basic' is unknown. {hint}",
    ]
    assert versions.manifest(lake, "S") == before
    outcome = again(tmp_path, forget=True, **changed)
    assert outcome.forgotten == (
        "cv_scheme mine",
        "selector other (aslib)",
        "selector rf (mine)",
        "selector steps (none)",
    )
    assert {row[0] for row in held(lake)} == {"good"}
    assert {row[0] for row in held(lake, "fold")} == {"aslib"}


def test_another_cross_validation_makes_answers_of_the_old_one_worthless(
    put: Put, tmp_path: Path
) -> None:
    put(CHOICE)
    outcome = again(tmp_path, folds={**FOLDS, "i4": 1})
    assert "1 answers are not in the fold of the split: 'i4'" in str(outcome.error)


def test_damaged_answers_are_said_and_can_be_forgotten(
    put: Put, lake: Path, tmp_path: Path
) -> None:
    put(CHOICE)
    path = (lake / "selection" / "scenario_id=S" / "part-0.parquet").resolve()
    path.write_bytes(path.read_bytes()[:-9])
    outcome = again(tmp_path)
    assert str(outcome.error).startswith(f"{path}: cannot be read (")
    assert again(tmp_path, forget=True).forgotten == ("damaged selection",)
    assert held(lake) == []


# --- folders, and the command --------------------------------------------------------


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(main, [str(w) for w in words], catch_exceptions=False)


def test_a_folder_of_scenarios_goes_in(lake: Path, tmp_path: Path) -> None:
    folder = tmp_path / "all"
    (folder / "S").mkdir(parents=True)
    (folder / "T").mkdir()
    (folder / "S" / "good.csv").write_text(CHOICE)
    (folder / "S" / "bad.csv").write_text("instance,algorithm\ni1,c\n")
    (folder / "S" / "expected_per_instance.csv").write_text("instance,sbs\ni1,1\n")
    (folder / "S" / "notes.txt").write_text("nothing")
    (folder / "T" / "rf.csv").write_text(CHOICE)
    (folder / "S.csv").write_text("instance,selector,algorithm\ni1,x,a\n")
    (folder / "stray.csv").write_text(CHOICE)
    done = run("import-selection", folder, "--lake", lake)
    assert done.exit_code == 1
    assert done.stdout.splitlines() == [
        "imported x of S: 1 answers, cv_scheme aslib",
        "imported good of S: 4 answers, cv_scheme aslib",
    ]
    lines = done.stderr.splitlines()
    assert f"{folder}/S/bad.csv:2: 'c' is no algorithm of S" in lines
    assert lines[-1] == "2 of 6 not imported"
    said = "\n".join(lines)
    assert f"{folder}/T: is not named like a scenario of the lake" in said
    assert "expected_per_instance.csv: left out: it holds scores, not" in said
    assert f"{folder}/stray.csv: left out: it does not tell its scenario" in said
    assert {row[0] for row in held(lake)} == {"good", "x"}


def test_two_files_for_one_selector_are_not_both_taken(
    lake: Path, tmp_path: Path
) -> None:
    (tmp_path / "S").mkdir()
    for file, algorithm in (("rf.csv", "a"), ("rf.json", "b")):
        text = CHOICE if algorithm == "a" else '{"i1": ["b"]}'
        (tmp_path / "S" / file).write_text(text)
    done = run("import-selection", tmp_path / "S", "--lake", lake)
    assert done.exit_code == 1
    assert f"S/rf.json: answers for 'rf' as {tmp_path}/S/rf.csv does" in done.stderr
    assert len(held(lake)) == 4


def test_a_lone_file_tells_its_scenario_by_its_folder(
    lake: Path, tmp_path: Path
) -> None:
    (tmp_path / "S").mkdir()
    (tmp_path / "S" / "rf.csv").write_text(CHOICE)
    done = run("import-selection", "mine", tmp_path / "S" / "rf.csv", "--lake", lake)
    assert done.stdout == "imported mine of S: 4 answers, cv_scheme aslib\n"
    (tmp_path / "rf.csv").write_text(CHOICE)
    done = run("import-selection", tmp_path / "rf.csv", "--lake", lake)
    assert done.stderr.endswith(
        "rf.csv: does not tell its scenario. Say it with --scenario NAME.\n"
    )


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["nowhere.csv", "--scenario", "S"], 1, "nowhere.csv: does not exist."),
        (["x", "--scenario", "Z"], 1, "holds no scenario 'Z'. Import it first"),
        (["a", "b", "c"], 2, "give one PATH, and before it a NAME if you like"),
        (["rf", "--remove"], 2, "--remove takes one NAME and needs --scenario"),
        (["rf", "--remove", "--scenario", "S"], 1, "holds no selector 'rf' of S"),
    ],
)
def test_what_the_command_refuses(
    lake: Path, words: list[str], code: int, message: str
) -> None:
    done = run("import-selection", *words, "--lake", lake)
    assert (done.exit_code, done.stdout) == (code, "")
    assert message in done.stderr


def test_the_command_removes_and_import_forgets(
    put: Put, lake: Path, tmp_path: Path
) -> None:
    put(CHOICE)
    done = run("import-selection", "rf", "--remove", "--scenario", "S", "--lake", lake)
    assert (done.exit_code, done.stdout) == (0, "removed rf of S\n")
    put(CHOICE)
    folder = write_scenario(
        tmp_path / "scenarios" / "S", runs=RUNS, folds={**FOLDS, "i4": 1}
    )
    assert run("import", folder, "--lake", lake).exit_code == 1
    done = run("import", folder, "--lake", lake, "--forget")
    assert done.stdout.endswith("; forgotten: selector rf (aslib)\n")


def test_warnings_are_printed_beside_the_result(lake: Path, tmp_path: Path) -> None:
    file = tmp_path / "rf.csv"
    file.write_text("instance,algorithm\ni1,a\n")
    done = run("import-selection", file, "--scenario", "S", "--lake", lake)
    assert done.exit_code == 0
    missing = "3 of 4 instances are not answered by 'rf' ('i2', 'i3', 'i4')"
    assert done.stderr == f"warning: {file}: {missing}. They count as unsolved.\n"


# --- the real ones -------------------------------------------------------------------

REAL = {
    "ASP-POTASSCO": 1294,
    "BNSL-2016": 1179,
    "CPMP-2015": 527,
    "CSP-Minizinc-Time-2016": 100,
    "GLUHACK-18": 353,
    "MAXSAT-PMS-2016": 601,
    "MAXSAT-WPMS-2016": 630,
    "MAXSAT19-UCMS": 572,
    "MIP-2016": 218,
}


def test_all_real_schedules_go_in(shared: Path, tmp_path: Path) -> None:
    folder = shared / "selections"
    scenarios = sorted(p.name for p in folder.iterdir() if p.is_dir())
    lake = tmp_path / "lake"
    ae.import_scenarios([shared / "aslib" / name for name in scenarios], into=lake)
    outcomes = import_selections(folder, lake=lake)
    assert {o.path.rsplit("/")[-1] for o in outcomes if o.status == "skipped"} == {
        "expected_per_instance.csv"
    }
    found = [o for o in outcomes if o.status != "skipped"]
    assert {o.status for o in found} == {"imported"}
    assert {o.findings for o in found} == {()}
    names = ("asap", "rf", "rf_all", "rfreg", "sunny", "zilla")
    assert [(o.scenario_id, *o.selectors, o.instances) for o in found] == [
        (scenario, name, size) for scenario, size in REAL.items() for name in names
    ]
    con = ae.connect(lake)
    everywhere = """
        select count(*), count(s.fold), count(*) filter (s.fold = f.fold)
        from raw_selection s
        join raw_fold f using (scenario_id, cv_scheme, cv_repetition, instance_id)
    """
    ((steps, told, same),) = rows(con, everywhere)
    assert steps == told == same
    assert steps == sum(
        pl.read_parquet(path, hive_partitioning=False).height
        for path in lake.glob("selection/*/part-0.parquet")
    )


def test_the_outcomes_of_a_paper_go_in(shared: Path, tmp_path: Path) -> None:
    lake = tmp_path / "lake"
    sizes = {
        n: s for n, s in REAL.items() if not n.startswith(("ASP", "MAXSAT1", "MIP"))
    }
    del sizes["MAXSAT-WPMS-2016"]
    folders = [n.replace("GLUHACK-18", "GLUHACK-2018") for n in sizes]
    ae.import_scenarios([shared / "aslib" / name for name in folders], into=lake)
    outcomes = import_selections(
        shared / "contests" / "tornede2020", lake=lake, without_feature_costs=True
    )
    found = {o.scenario_id: o for o in outcomes if o.status == "imported"}
    assert {name: o.instances for name, o in found.items()} == {
        name: 7 * size for name, size in sizes.items()
    }
    assert {len(o.selectors) for o in found.values()} == {7}
    (left,) = (o for o in outcomes if o.status == "skipped")
    assert left.path.endswith("published_npar10.csv")
    count = "select count(*), count(fold), bool_or(pays_features) from raw_outcome"
    total = 7 * sum(sizes.values())
    assert rows(ae.connect(lake), count) == [(total, total, False)]


# --- beside the scenarios -----------------------------------------------------------


def test_the_shipped_scenarios_and_their_selections_lie_side_by_side(
    tmp_path: Path,
) -> None:
    # What a shell makes of scenarios/*: the folder of selections is no scenario.
    paths = sorted((ROOT / "scenarios").iterdir())
    assert [p.name for p in paths if p.name == "selections"] == ["selections"]
    outcomes = ae.import_scenarios(paths, into=tmp_path / "lake")
    assert {o.status for o in outcomes} == {"imported"}
    assert [f for f in check_paths(paths) if f.severity == "error"] == []
    found = import_selections(ROOT / "scenarios" / "selections", lake=tmp_path / "lake")
    assert {o.status for o in found} == {"imported"}


def test_selections_alone_are_no_scenario(tmp_path: Path) -> None:
    with pytest.raises(AslibError, match=r"holds no description\.txt"):
        ae.import_scenarios([ROOT / "scenarios" / "selections"], into=tmp_path)
