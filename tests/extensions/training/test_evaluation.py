"""``ae.evaluate``: what learns and chooses, and what becomes of what it returns."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import polars as pl
import pytest

import aslib_eval as ae
from aslib_eval.extensions.training import evaluate
from aslib_eval.extensions.training.models import Evaluation, Lesson, learner_of
from tests.conftest import ROOT, Once

COSTS = np.array([[1.0, 9], [9, 2], [9, 3], [5, 5]])
LESSON = Lesson(
    features=np.array([[1.0], [2], [3], [4]]),
    test=np.array([[5.0], [6]]),
    costs=COSTS,
    times=COSTS,
    solved=np.array([[True, False], [False, True], [False, True], [False, False]]),
    cutoff=9.0,
    penalty=1.0,
    seed=7,
)


def chosen(selector: Any, lesson: Lesson = LESSON) -> list[int]:
    schedules = learner_of(selector).learn(lesson)
    assert all(s.before == () and s.after[-1][1] is None for s in schedules)
    return [schedule.after[-1][0] for schedule in schedules]


class Regressor:
    """Predicts the largest cost that it was taught."""

    seen: ClassVar[list[tuple[list[float], list[float]]]] = []

    def fit(self, features: np.ndarray, values: np.ndarray) -> Regressor:
        assert not hasattr(self, "largest"), "is fitted twice"
        self.seen.append((features.ravel().tolist(), values.tolist()))
        self.largest = values.max()
        return self

    def predict(self, features: np.ndarray) -> np.ndarray:
        return np.full(len(features), self.largest)


class Classifier(Regressor):
    predict_proba = None


class Seeded(Regressor):
    def __init__(self) -> None:
        self.own = {"random_state": None, "deep__random_state": None, "trees": None}

    def get_params(self) -> dict[str, object]:
        return self.own

    def set_params(self, **words: object) -> Seeded:
        self.own = {**self.own, **words}
        taught.append(self.own)
        return self


taught: list[dict[str, object]] = []


@pytest.mark.parametrize(
    ("returned", "columns"),
    [
        ([1, 0], [1, 0]),
        (np.array([0, 1], np.int8), [0, 1]),
        ([[2.0, 1], [1, 1]], [1, 0]),  # predicted costs: the least, the first of equals
        ([[1, 2], [2, 1]], [0, 1]),
    ],
)
def test_a_function_chooses_columns_or_predicts_costs(returned: Any, columns: list[int]) -> None:
    assert chosen(lambda *_: returned) == columns


def test_a_function_is_given_features_costs_and_features_to_choose_for() -> None:
    given: list[Any] = []
    chosen(lambda *words: given.append(words) or [0, 0])
    (words,) = given
    assert [w.tolist() for w in words] == [
        [[1], [2], [3], [4]], [[1, 9], [9, 2], [9, 3], [5, 5]], [[5], [6]]
    ]  # fmt: skip


def test_a_regressor_learns_the_cost_of_each_algorithm_from_all_instances() -> None:
    Regressor.seen.clear()
    assert chosen(Regressor) == [0, 0]  # 9 and 9: the first
    rows = [1.0, 2, 3, 4]
    assert Regressor.seen == [(rows, [1, 9, 9, 5]), (rows, [9, 2, 3, 5])]


def test_a_classifier_learns_the_cheapest_where_some_algorithm_solves() -> None:
    Classifier.seen.clear()
    assert chosen(Classifier()) == [1, 1]
    assert Classifier.seen == [([1, 2, 3], [0, 1, 1])]


def test_a_classifier_is_not_asked_where_there_is_one_class_or_none() -> None:
    Classifier.seen.clear()
    two = LESSON.solved & np.array([[False, True]])
    assert chosen(Classifier(), replaced(two)) == [1, 1]
    # Nothing is solved: the algorithm of least mean cost, 4.75 against 6.
    assert chosen(Classifier(), replaced(LESSON.solved & False)) == [1, 1]
    assert Classifier.seen == []


def replaced(solved: np.ndarray) -> Lesson:
    from dataclasses import replace

    return replace(LESSON, solved=solved)


def test_an_estimator_without_a_seed_gets_that_of_the_split() -> None:
    taught.clear()
    estimator = Seeded()
    chosen(estimator)
    seeds = {"random_state": 7, "deep__random_state": 7, "trees": None}
    assert taught == [seeds, seeds]  # a copy for each algorithm
    assert estimator.own["random_state"] is None


@pytest.mark.parametrize(
    ("returned", "said"),
    [
        ([0], "returned int64 of shape (1,) for 4 instances and 4 algorithms"),
        (["a"] * 4, "returned <U1 of shape (4,) for 4 instances and 4 algorithms"),
        ([0.0] * 4, "returned float64 of shape (4,) for 4 instances and 4 algorithms"),
        ([4] * 4, "chose a column that is none of 0 to 3"),
        ([-1] * 4, "chose a column that is none of 0 to 3"),
        ([[0, 1, 2, np.nan]] * 4, "predicts costs that are no numbers"),
    ],
)
def test_what_is_no_choice_is_refused(lake: Path, returned: Any, said: str) -> None:
    with pytest.raises(ae.AslibError) as error:
        evaluate(lambda *_: returned, "TOY-2026", lake, name="mine")
    assert str(error.value) == (
        f"TOY-2026: the selector {said} (fold 1). "
        "'help(ae.evaluate)' says what a selector is given and returns."
    )


@pytest.mark.parametrize(
    ("selector", "said"),
    [
        (7, "evaluate: 7 neither learns nor is it a function."),
        (lambda *_: [], "evaluate: a function without a name cannot be stored."),
    ],
)  # fmt: skip
def test_what_cannot_be_evaluated_is_refused(lake: Path, selector: Any, said: str) -> None:
    with pytest.raises(ae.AslibError) as error:
        evaluate(selector, "TOY-2026", lake)
    assert str(error.value).startswith(said)


@pytest.mark.parametrize(
    ("gap", "said"),
    [
        ((0.5, 0.25, 1.125, None), "closed gap 0.500 (95 % interval 0.250 to 1.125)"),
        ((0.5, None, 1.0, None), "closed gap 0.500"),
        ((None, None, None, "SBS is VBS"), "no closed gap, as SBS is VBS"),
    ],
)
def test_what_was_found_is_one_line(gap: Any, said: str) -> None:
    names = ("closed_gap", "gap_low", "gap_high", "reason")
    row = pl.DataFrame({"n": [9], **{k: [v] for k, v in zip(names, gap, strict=True)}})
    found = Evaluation("S", "mine", row, row, ("mine chose <a> throughout",))
    assert str(found) == f"mine on S: {said}, n = 9\nmine chose <a> throughout"
    assert "<p>mine chose &lt;a&gt; throughout</p>" in found._repr_html_()


@pytest.fixture(scope="module")
def lake(once: Once) -> Path:
    def fill(folder: Path) -> None:
        ae.import_scenarios(ROOT / "scenarios/TOY-2026", into=folder / "lake")

    return once("lake-to-evaluate", fill) / "lake"


def test_a_function_that_chooses_sbs_closes_nothing(lake: Path) -> None:
    def cheapest(_features: Any, costs: Any, test: Any) -> list[int]:
        return [int(costs.mean(axis=0).argmin())] * len(test)

    for _ in range(2):  # the second takes the place of the first
        found = evaluate(cheapest, "TOY-2026", lake, seed=5)
        assert found.selector == "cheapest"
        row = found.gap.row(0, named=True)
        assert (row["solver"], row["n"], row["trained"]) == (
            "cheapest", 12, "aslib, seed 5"
        )  # fmt: skip
        assert row["closed_gap"] == pytest.approx(1 - found.why["gap_share"].sum())
        assert "cheapest chose" in found.same[0]
        assert "closed_gap" in found._repr_html_()
        same = "\n".join(found.same)
        assert str(found) == f"cheapest on TOY-2026: closed gap -0.018, n = 12\n{same}"


def test_predictions_that_were_imported_stay(lake: Path, tmp_path: Path) -> None:
    import shutil

    own = shutil.copytree(lake, tmp_path / "lake", symlinks=True)
    ae.import_selection(ROOT / "scenarios/selections/TOY-2026/loyal.json", own)

    def loyal(_features: Any, _costs: Any, test: Any) -> list[int]:
        return [0] * len(test)

    with pytest.raises(ae.AslibError, match="holds predictions of loyal on aslib"):
        evaluate(loyal, "TOY-2026", own)
    assert evaluate(loyal, "TOY-2026", own, replace=True).selector == "loyal"
