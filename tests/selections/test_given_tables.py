"""Selections and splits that another module hands over as tables."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import aslib_eval as ae
from aslib_eval.errors import AslibError, ScenarioError
from aslib_eval.lake import versions
from aslib_eval.selections import remove_selection, store_folds, store_selection
from aslib_eval.selections.read_csv import Vocabulary
from aslib_eval.selections.store import StoredSelection, incompatibilities
from tests.conftest import needs
from tests.selections.conftest import CHOICE, Put, answers, held, split

# --- selections ---------------------------------------------------------------------


def test_a_table_is_stored_as_it_is(lake: Path) -> None:
    store_selection(lake, "S", "rf", selection=answers(name=["a", "b"]))
    assert held(lake) == [
        ("rf", "aslib", 1, 1, "i1", 1, "algorithm", "a", None),
        ("rf", "aslib", 1, 1, "i2", 1, "algorithm", "b", None),
    ]
    store_selection(lake, "S", "rf", selection=answers(name=["b", "a"]))
    assert [row[7] for row in held(lake)] == ["b", "a"]


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"instance_id": ["i1", "i9"]}, "1 instance is unknown: 'i9'"),
        ({"name": ["a", "c"]}, "algorithm 'c' is unknown"),
        ({"action": ["feature_step"]}, None),
        ({"action": ["feature_step"], "name": ["b"]}, "feature_step 'b' is unknown"),
        ({"action": ["run"]}, "action 'run' is none of algorithm, asked, feature_step, none"),
        ({"name": pa.array([None], pa.string())}, "a step of kind 'algorithm' is named"),
        ({"budget": [-1.0]}, "a budget is negative or NaN"),
        ({"budget": [float("nan")]}, "a budget is negative or NaN"),
        ({"fold": [2]}, "1 answer is not in the fold of the split: 'i1'"),
        ({"fold": pa.array([None], pa.int32())}, "1 answer is not in the fold"),
        ({"cv_repetition": [2]}, "1 answer is not in the fold of the split: 'i1'"),
        ({"cv_scheme": ["mine"]}, "the scenario has no cv_scheme 'mine'"),
        ({"instance_id": ["i1", "i1"]}, "1 row repeats an earlier cv_repetition, instance_id, position"),
        ({"instance_id": pa.array([None], pa.string())}, "a row names no instance"),
    ],
)
def test_a_table_must_fit_the_scenario(lake: Path, columns: dict[str, Any], message: str | None) -> None:
    if message is None:
        store_selection(lake, "S", "rf", selection=answers(**columns))
        return
    with pytest.raises(ScenarioError) as caught:
        store_selection(lake, "S", "rf", selection=answers(**columns))
    assert message in str(caught.value)
    assert held(lake) == []


def test_an_instance_that_is_only_trained_on_is_not_answered() -> None:
    """Of a fixed split the training instances have the fold null."""
    folds = {"split": {(1, "i1"): 1, (1, "i2"): None}}
    known = Vocabulary("S", {"i1": None, "i2": None}, {"a": "a"}, {}, 100.0, timed=True, folds=folds)
    null = pa.array([None], pa.int32())
    for instance, fold, wrong in (("i1", [1], 0), ("i1", null, 1), ("i2", null, 1)):
        columns = {"fold": fold, "cv_scheme": ["split"]}
        columns |= {"budget": pa.array([None], pa.float64())}
        table = answers(instance_id=[instance], **columns)
        assert len(incompatibilities(StoredSelection("rf", "split", {"selection": table}), known)) == wrong


def test_a_table_must_have_the_columns_of_the_contract(lake: Path) -> None:
    with pytest.raises(AslibError, match="table selection: has no column 'position'"):
        store_selection(lake, "S", "rf", selection=answers(name=["a"]).drop(["position"]))
    with pytest.raises(AslibError, match="column 'fold' is not int32"):
        store_selection(lake, "S", "rf", selection=answers(fold=["one"]))
    with pytest.raises(AslibError, match="there is nothing to store"):
        store_selection(lake, "S", "rf")
    with pytest.raises(AslibError, match="holds no scenario 'T'"):
        store_selection(lake, "T", "rf", selection=answers(name=["a"]))


# --- generated splits ---------------------------------------------------------------


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
    for name in ("aslib", "split", "none"):
        with pytest.raises(AslibError, match="comes from the scenario's own files"):
            store_folds(lake, "S", name, split(1, 2, 1, 2))
    with pytest.raises(ScenarioError, match="repetition 1 lacks instances 'i4'"):
        store_folds(lake, "S", "mine", split(1, 2, 1))


def test_a_split_that_selectors_were_trained_on_stays(put: Put, lake: Path) -> None:
    store_folds(lake, "S", "mine", split(1, 2, 1, 2))
    put(CHOICE, scheme="mine")
    store_folds(lake, "S", "mine", split(1, 2, 1, 2), facts={"seed": 5})
    for other in (split(2, 2, 1, 1), None):
        with pytest.raises(
            AslibError, match=r"^S: the predictions of rf belong to the cv_scheme 'mine' as it is"
        ):
            store_folds(lake, "S", "mine", other)
    remove_selection(lake, "S", "rf")
    store_folds(lake, "S", "mine", split(2, 2, 1, 1))


@needs("exporting")
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
