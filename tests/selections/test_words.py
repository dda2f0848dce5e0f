"""What the words of an answer mean in a scenario, without a lake: all by hand."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from aslib_eval.selections.read_csv import (
    SelectionRow,
    SelectionStep,
    Vocabulary,
    home_scheme,
    vocabulary_of,
)
from aslib_eval.selections.store import StoredSelection, fold_incompatibilities, incompatibilities
from aslib_eval.selections.validate import Defaults, Findings, placed_rows, resolve
from tests.selections.conftest import answers, split


def scenario(**parts: Any) -> Vocabulary:
    """Instances i1 … i4, algorithms a and b, steps basic and deep; cutoff 100."""
    usual: dict[str, Any] = {
        "scenario_id": "S",
        "instances": dict.fromkeys(["i1", "i2", "i3", "i4"]),
        "algorithms": {"a": "a", "b": "b"},
        "steps": {"basic": (), "deep": ("basic",)},
        "cutoff": 100.0,
        "timed": True,
        "folds": {"aslib": {(1, f"i{n}"): 1 + n // 3 for n in (1, 2, 3, 4)}},
    }
    return Vocabulary(**{**usual, **parts})


def noted(remarks: Findings) -> list[tuple[str, int | None]]:
    return [(found.code, found.line) for found in remarks.findings()]


def resolved(*steps: SelectionStep, **parts: Any) -> tuple[list[Any], list[str]]:
    """Actions of a schedule, and the codes of what was noted."""
    remarks = Findings("s.json")
    found = resolve(steps, scenario(**parts), line=3, times=2, collector=remarks)
    return [tuple(action) for action in found], [c for c, _ in noted(remarks)]


def timed(name: str, budget: float) -> SelectionStep:
    return SelectionStep(name, budget, paired=True)


# --- schedules ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("steps", "codes"),
    [
        ([timed("a", 5), timed("b", 5), timed("a", 5)], ["algorithm-again"]),
        ([timed("a", 5), timed("b", 5), timed("a", 6)], []),
        ([timed("a", 9), timed("a", 12), timed("a", 10)], ["algorithm-again"]),
        ([timed("a", 100)], []),
        ([timed("a", 100.5)], ["budget-overrun"]),
        ([timed("a", 60), timed("b", 40)], []),
        ([timed("a", 60), timed("b", 41)], ["budget-overrun"]),
        ([timed("a", 60), timed("b", 100)], []),
        ([timed("a", 100), timed("b", 1)], ["step-unreachable"]),
        ([timed("a", 99), timed("b", 100)], []),
        ([SelectionStep("a"), timed("b", 1)], ["step-unreachable"]),
        ([timed("a", 1), SelectionStep("a")], []),
        ([timed("a", 0), timed("a", 0)], ["algorithm-again"]),
        ([SelectionStep("deep"), SelectionStep("a")], ["step-requires"]),
        ([SelectionStep("deep"), SelectionStep("basic"), SelectionStep("a")], ["step-requires"]),
        ([SelectionStep("basic"), SelectionStep("deep"), SelectionStep("a")], []),
        ([SelectionStep("basic"), SelectionStep("basic"), SelectionStep("a")], ["step-again"]),
        ([SelectionStep("basic"), SelectionStep("deep")], []),  # the last is none but a feature step
    ],
)
def test_what_is_noted_on_a_schedule(steps: list[SelectionStep], codes: list[str]) -> None:
    found, told = resolved(*steps)
    assert told == codes
    assert len(found) == len(steps)


def test_without_a_cutoff_only_repeats_are_noted() -> None:
    steps = [timed("a", 1e9), timed("b", 1e9), timed("a", 1)]
    assert resolved(*steps, cutoff=None)[1] == ["algorithm-again"]
    assert resolved(timed("a", 5), SelectionStep("b"), cutoff=0.0)[1] == ["budget-overrun"]
    half = [timed("a", 0.5), timed("b", 0.5)]
    assert resolved(*half, cutoff=0.5)[1] == ["step-unreachable"]


# --- whose, and in which fold -------------------------------------------------------


def place(
    *given: SelectionRow, defaults: Defaults | None = None, **parts: Any
) -> tuple[list[Any], list[Any]]:
    """Selector, split, repetition and fold of answers, and what was noted."""
    remarks = Findings("f.csv")
    defaults = defaults or Defaults("rf")
    held = list(placed_rows(given, scenario(**parts), defaults, remarks))
    keys = [(h.selector, h.cv_scheme, h.cv_repetition, h.fold) for h in held]
    return keys, noted(remarks)


def test_the_usual_split_is_the_contests_then_that_of_the_files() -> None:
    folds = {"aslib": {(1, "i1"): 1}, "split": {(1, "i1"): 1, (1, "i2"): None}}
    keys, codes = place(SelectionRow(2, "i1"), SelectionRow(3, "i2"), folds=folds)
    assert [key[1] for key in keys] == ["split", "split"]
    assert codes == [("train-instance", 3)]
    assert place(SelectionRow(2, "i1", fold=4), folds={}) == ([("rf", "none", 1, 4)], [])


def test_an_instance_without_a_fold_in_its_repetition() -> None:
    folds = {"aslib": {(1, "i1"): 1, (2, "i1"): 2, (2, "i2"): 1}}
    assert place(SelectionRow(2, "i2"), SelectionRow(3, "i2", cv_repetition=2), folds=folds) == (
        [("rf", "aslib", 1, None), ("rf", "aslib", 2, 1)],
        [("fold", 2), ("repetition-assumed", None)],
    )


# --- what a scenario knows ----------------------------------------------------------


def test_the_scores_are_of_the_first_split_of_these() -> None:
    assert home_scheme(["none", "aslib", "split"]) == "split"
    assert home_scheme(["mine", "none", "aslib"]) == "aslib"
    assert home_scheme(["mine", "none"]) == "none"
    assert home_scheme(["yours", "mine"]) == "mine"


def tables(**relations: list[dict[str, Any]]) -> Any:
    """Relations to be asked as ``vocabulary_of`` asks them."""
    made = {name: pa.Table.from_pylist(rows) for name, rows in relations.items()}
    return lambda name, _: made.get(name)


def algorithm(name: str, described_as: str | None, *, has_runs: bool = True) -> Any:
    return {"algorithm": name, "described_as": described_as, "has_runs": has_runs}


def test_names_are_gathered_from_the_relations() -> None:
    step: dict[str, Any] = {"requires": ["basic"], "of": "instance"}
    measure = {"measure_index": 1, "measure_type": "runtime", "cutoff": 9.0}
    known = vocabulary_of(
        "S",
        tables(
            scenario=[{**measure, "measure_index": 2, "cutoff": 5.0}, measure],
            run=[{"instance_id": i} for i in ("i2", "i1", "i2")],
            algorithm=[
                algorithm("my.solver", "my-solver"),
                algorithm("b", None),
                algorithm("c", "b"),
                algorithm("x", "gone", has_runs=False),
            ],
            feature_step=[
                {"step": "basic", **step, "requires": []},
                {"step": "deep", **step},
                {"step": "other", **step, "of": "algorithm"},
            ],
        ),
    )
    assert (list(known.instances), known.cutoff, known.timed) == (["i2", "i1"], 9, True)
    spellings = {"my.solver": "my.solver", "my-solver": "my.solver", "b": "b", "c": "c"}
    assert dict(known.algorithms) == spellings
    assert known.portfolio == ["my.solver", "b", "c"]
    assert dict(known.steps) == {"basic": (), "deep": ("basic",)}
    assert (known.default_scheme(), dict(known.folds)) == ("none", {})


def test_a_spelling_that_two_share_is_of_neither() -> None:
    both = [algorithm("a-1", None), algorithm("a+1", None), algorithm("b-1", None)]
    known = vocabulary_of("S", tables(algorithm=both))
    assert dict(known.algorithms) == {n: n for n in ("a-1", "a+1", "b-1")} | {"b.1": "b-1"}


def test_a_measure_of_quality_has_no_cutoff() -> None:
    measure = {"measure_index": 1, "measure_type": "solution_quality", "cutoff": 9.0}
    known = vocabulary_of("S", tables(scenario=[measure]))
    assert (known.cutoff, known.timed) == (None, False)


# --- what does not fit any more -----------------------------------------------------


def reasons(table: pa.Table, known: Vocabulary, scheme: str = "aslib") -> list[str]:
    if "budget" not in table.column_names:
        null = pa.nulls(table.num_rows, pa.float64())
        table = table.append_column("budget", null)
    entry = StoredSelection("rf", scheme, {"selection": table})
    return [f.message for f in incompatibilities(entry, known)]


def test_an_answer_fits_by_position_name_and_budget() -> None:
    two: dict[str, Any] = {"instance_id": ["i1", "i1"], "budget": [0.0, 1.5]}
    assert reasons(answers(**two, position=[1, 2]), scenario()) == []
    assert reasons(answers(action=["none"]), scenario()) == ["none 'a' is unknown."]
    nothing = pa.array([None], pa.string())
    assert reasons(answers(action=["none"], name=nothing), scenario()) == []
    described = scenario(algorithms={"a": "a.b", "a.b": "a.b"})
    assert reasons(answers(name=["a.b"]), described) == []
    assert reasons(answers(name=["a"]), described)[0].startswith("algorithm 'a' is unk")


def test_answers_on_no_split_need_no_fold() -> None:
    null = pa.array([None], pa.int32())
    table = answers(cv_scheme=["none"], fold=null)
    assert reasons(table, scenario(), "none") == []
    assert reasons(table, scenario(folds={}), "mine") == ["the scenario has no cv_scheme 'mine'"]


def test_a_split_names_every_instance_once_in_every_repetition() -> None:
    known = scenario()
    assert fold_incompatibilities("mine", split(1, 2, 1, 2), known) == []
    rest = pa.table({"instance_id": ["i1", "i1", "i3"], "cv_repetition": [2] * 3, "fold": [1] * 3})
    both = pa.concat_tables([split(1, 2, 1, 2), rest])
    assert [f.message for f in fold_incompatibilities("mine", both, known)] == [
        "1 row repeats an earlier cv_repetition, instance_id",
        "repetition 2 lacks instances 'i2', 'i4'",
    ]
