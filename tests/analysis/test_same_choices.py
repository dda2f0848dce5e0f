"""Selectors that do not tell the instances of a fold apart are named."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import aslib_eval as ae
from aslib_eval.analysis.summaries import same_choices
from aslib_eval.database.open_lake import open_lake
from aslib_eval.selections import import_selections
from tests.conftest import write_scenario
from tests.lab import runs

FOLDS = {"i1": 1, "i2": 1, "i3": 2, "i4": 2}
ANSWERS = {
    "always": ("a", "a", "a", "a"),
    "by-fold": ("a", "a", "b", "b"),
    "clever": ("a", "b", "b", "a"),
    "half": ("a", "a", "b", "a"),
}


def test_what_is_said_of_choices(tmp_path: Path) -> None:
    runs = [(i, 1, a, 1, "ok") for i in FOLDS for a in "ab"]
    folder = write_scenario(tmp_path / "S", runs=runs, folds=FOLDS)
    ae.import_scenarios([folder], into=tmp_path / "lake")
    for selector, chosen in ANSWERS.items():
        schedules = {i: [[a, 50], ["b", 50]] for i, a in zip(FOLDS, chosen, strict=True)}
        if selector == "always":  # other budgets are other choices
            schedules["i4"][0][1] = 49
        else:
            schedules = {i: [steps[0]] for i, steps in schedules.items()}
        file = tmp_path / f"{selector}.json"
        file.write_text(json.dumps(schedules))
        import_selections(file, lake=tmp_path / "lake", scenario="S")
    choices = open_lake(tmp_path / "lake").ask("report_choice", {"scenario": "S"})
    assert same_choices(choices) == [
        "always made the same choice for all instances in 1 of 2 folds: a, then b.",
        "by-fold made the same choice for all instances in 2 of 2 folds: a; b.",
        "half made the same choice for all instances in 1 of 2 folds: a.",
    ]


def test_one_choice_for_all_instances(toy: Path) -> None:
    choices = open_lake(toy).ask("report_choice", {"scenario": "TOY-2026"})
    assert same_choices(choices) == [
        "hasty chose drift, then anvil, then bolt on all 11 instances that it answers.",
        "isac chose drift on all 12 instances that it answers.",
        "loyal chose drift on all 12 instances that it answers.",
        "zilla made the same choice for all instances in 1 of 3 folds: drift.",
    ]


def test_a_fold_of_one_instance_is_not_chosen_for_alike(
    imported: Callable[..., Path], tmp_path: Path
) -> None:
    folds = {"i1": 1, "i2": 1, "i3": 2}
    lake = imported(runs=runs(a=[1, 2, 3], b=[3, 2, 1]), folds=folds)
    (tmp_path / "x.csv").write_text("instance,algorithm\ni1,a\ni2,b\ni3,a\n")
    import_selections(tmp_path / "x.csv", lake=lake, scenario="S")
    found = open_lake(lake).ask("report_choice", {"scenario": "S"})
    assert found.select("n_instances", "n_folds", "n_same").rows() == [(3, 1, 0)]
