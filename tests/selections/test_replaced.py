"""Answers replaced, forgotten, and kept when their scenario is imported anew."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import aslib_eval as ae
from aslib_eval.errors import AslibError
from aslib_eval.lake import versions
from aslib_eval.selections import import_selections, remove_selection, store_folds
from tests.conftest import write_scenario
from tests.selections.conftest import CHOICE, FOLDS, RUNS, STEPS, Put, held, split

PART = "scenario_id=S/part-0.parquet"

# --- the same, another, none --------------------------------------------------------


def test_the_same_file_again_changes_nothing(put: Put, lake: Path) -> None:
    text = "instance,selector,algorithm\ni1,x,a\ni1,y,b\n"
    assert put(text, name="y", prefix="old-").selectors == ("old-y",)  # one is picked
    assert [(row[0], row[7]) for row in held(lake)] == [("old-y", "b")]
    before = (lake / ".versions" / "scenario_id=S" / "current").readlink()
    assert put(text, name="y", prefix="old-").status == "unchanged"
    assert (lake / ".versions" / "scenario_id=S" / "current").readlink() == before


def test_a_selector_is_replaced_on_its_split_alone(put: Put, lake: Path) -> None:
    put(CHOICE, scheme="none")
    put(CHOICE)
    put(CHOICE, "other.csv")
    outcome = put("instance,time,status\ni1,1,ok\n", "new.csv", name="rf")
    assert outcome.replaced == ("rf",)
    assert {row[:2] for row in held(lake)} == {("rf", "none"), ("other", "aslib")}
    assert [row[:2] for row in held(lake, "outcome")] == [("rf", "aslib")]


def test_a_selector_is_forgotten(put: Put, lake: Path) -> None:
    before = (lake / "run" / PART).read_bytes()
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
    assert (lake / "run" / PART).read_bytes() == before


def test_the_order_of_imports_does_not_show(imported: Callable[..., Path], tmp_path: Path) -> None:
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


# --- a scenario imported anew -------------------------------------------------------


def again(tmp_path: Path, *, forget: bool = False, **parts: Any) -> Any:
    given = {"runs": RUNS, "folds": FOLDS, "description": STEPS, **parts}
    folder = write_scenario(tmp_path / "scenarios" / "S", **given)
    (outcome,) = ae.import_scenarios([folder], into=tmp_path / "lake", forget=forget)
    return outcome


def test_answers_and_splits_stay_with_their_scenario(put: Put, lake: Path, tmp_path: Path) -> None:
    store_folds(lake, "S", "mine", split(1, 2, 1, 2), facts={"seed": 5})
    put(CHOICE, scheme="mine")
    put(CHOICE, "other.csv")
    put("instance,time,status\ni1,1,ok\n", "sys.csv")
    before = {name: (lake / name / PART).read_bytes() for name in ("fold", "selection", "outcome")}
    facts = versions.manifest(lake, "S") or {}
    outcome = again(tmp_path, runs=[(*run[:3], 99, "ok") for run in RUNS])
    assert (outcome.status, outcome.forgotten) == ("imported", ())
    after = versions.manifest(lake, "S") or {}
    assert [after[name] for name in ("selections", "splits")] == [facts["selections"], facts["splits"]]
    assert after["relations"]["run"] != facts["relations"]["run"]
    assert before == {name: (lake / name / PART).read_bytes() for name in before}
    assert again(tmp_path, runs=[(*run[:3], 99, "ok") for run in RUNS]).status == "unchanged"


def test_what_does_not_fit_any_more_is_said_or_forgotten(put: Put, lake: Path, tmp_path: Path) -> None:
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
    hint = "Remove it first, or add forget=True to import without it."
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


def test_another_cross_validation_makes_answers_of_the_old_one_worthless(put: Put, tmp_path: Path) -> None:
    put(CHOICE)
    outcome = again(tmp_path, folds={**FOLDS, "i4": 1})
    assert "1 answer is not in the fold of the split: 'i4'" in str(outcome.error)


def test_damaged_answers_are_said_and_can_be_forgotten(put: Put, lake: Path, tmp_path: Path) -> None:
    put(CHOICE)
    path = (lake / "selection" / PART).resolve()
    path.write_bytes(path.read_bytes()[:-9])
    outcome = again(tmp_path)
    assert str(outcome.error).startswith(f"{path}: selection of S is damaged. ")
    assert again(tmp_path, forget=True).forgotten == ("damaged selection",)
    assert held(lake) == []
