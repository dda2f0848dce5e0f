"""What learns and chooses: stand-ins note what is asked of asf, scikit-learn and pandas; ``evaluate``.

The extra ``selectors`` is large, so the first stage runs without it; what it learns
is held elsewhere. Here only what we ask of it, whether it is installed or not.
"""

from __future__ import annotations

import sys
import warnings
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

import numpy as np
import polars as pl
import pytest

import aslib_eval as ae
from aslib_eval.extensions.training import evaluate
from aslib_eval.extensions.training.models import (
    SELECTORS,
    Evaluation,
    GMeans,
    LearnedSchedule,
    Lesson,
    learner_of,
)
from tests.conftest import ROOT, Once

# Four instances, three algorithms; nobody solves the last one. By cost: 2, 0, 1, 2; in the mean 8, 7 and
# 5.75.
COSTS = np.array([[9.0, 8, 1], [1, 10, 2], [12, 0, 10], [10, 10, 10.0]])
LESSON = Lesson(
    features=np.array([[1.0, 0], [2, 0], [3, 1], [8, 1]]),
    test=np.array([[2.0, 1], [7, 0]]),
    costs=COSTS,
    times=np.minimum(COSTS, 10),
    solved=COSTS < 10,
    cutoff=10.0,
    penalty=1.0,
    seed=7,
)
NOBODY = replace(LESSON, solved=np.zeros((4, 3), bool))


class Frame:
    """Of pandas: values and names of columns."""

    def __init__(self, values: Any, columns: list[str]) -> None:
        self.values, self.columns = np.asarray(values).tolist(), columns


class Noted:
    """What a class was made with."""

    def __init__(self, *args: Any, **named: Any) -> None:
        self.made = (type(self).__name__, args, named)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Noted) and self.made == other.made

    __hash__ = None  # type: ignore[assignment]


class Selector(Noted):
    """Of asf: a schedule of two steps for each test instance, by its position."""

    asked: list[Selector]
    steps: Any = staticmethod(lambda row: [(str(2 - row), 3.0), ("1", 9.0)])

    def fit(self, features: Frame, costs: Frame) -> None:
        self.asked.append(self)
        self.features, self.costs = features, costs
        warnings.warn("Some inputs do not have OOB scores", stacklevel=1)

    def predict(self, test: Frame) -> dict[int, Any]:
        self.test = test
        return {row: self.steps(row) for row in range(len(test.values))}

    @property
    def regressors(self) -> list[Any]:
        """Out of bag, algorithm 1 is the cheapest, but on the third."""
        of = [[5.0, 5, 1, 5], [2, 2, 2, 2], [9, 9, 9, 9]]
        return [type("Fitted", (), {"oob_prediction_": np.array(p)})() for p in of]


def kind(name: str, base: type = Noted) -> type:
    return type(name, (base,), {})


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Selector]:
    """The selectors that are made, in stead of the libraries' own."""
    found: list[Selector] = []
    monkeypatch.setattr(Selector, "asked", found, raising=False)
    selectors = ("MultiClassClassifier", "PairwiseClassifier", "PerformanceModel")
    modules: dict[str, dict[str, Any]] = {
        "pandas": {"DataFrame": Frame},
        "asf": {},
        "asf.preprocessing": {},
        "asf.preprocessing.performance_scaling": {"DummyNormalization": kind("DummyNormalization")},
        "asf.selectors": {n: kind(n, Selector) for n in (*selectors, "ISAC")},
        "sklearn": {},
        "sklearn.base": {"is_classifier": lambda given: given.classifies},
        "sklearn.ensemble": {
            name: kind(name) for name in ("RandomForestClassifier", "RandomForestRegressor")
        },
        "sklearn.neighbors": {"NearestNeighbors": Nearest},
    }
    for name, content in modules.items():
        module = ModuleType(name)
        vars(module).update(content)
        monkeypatch.setitem(sys.modules, name, module)
    return found


class Nearest:
    """Of scikit-learn: the first so many, whatever the point is."""

    def __init__(self, *, n_neighbors: int) -> None:
        self.k = n_neighbors

    def fit(self, train: np.ndarray) -> Nearest:
        assert self.k <= len(train)
        return self

    def kneighbors(self, test: np.ndarray, *, return_distance: bool) -> np.ndarray:
        assert not return_distance
        return np.array([range(self.k)] * len(test))


def learn(name: str, lesson: Lesson = LESSON) -> list[LearnedSchedule]:
    with warnings.catch_warnings():
        if name != "asap":
            warnings.simplefilter("ignore")
        return SELECTORS[name].learn(lesson)


def picks(*algorithms: int) -> list[LearnedSchedule]:
    return [LearnedSchedule((), ((a, None),)) for a in algorithms]


FORESTS = {
    "rf": ("RandomForestClassifier", (100,), {"random_state": 7}),
    "zilla": ("RandomForestClassifier", (100,), {"random_state": 7}),
    "rfreg": ("RandomForestRegressor", (100,), {"random_state": 7, "oob_score": False}),
    "asap": ("RandomForestRegressor", (100,), {"random_state": 7, "oob_score": True}),
}


@pytest.mark.parametrize(
    ("name", "selector", "others"),
    [
        ("rf", "MultiClassClassifier", ()),
        ("zilla", "PairwiseClassifier", ()),
        ("rfreg", "PerformanceModel", ("normalize",)),
        ("asap", "PerformanceModel", ("normalize",)),
    ],
)
def test_a_forest_of_a_hundred_trees_has_the_seed_of_the_lesson(
    name: str, selector: str, others: tuple[str, ...], asked: list[Selector]
) -> None:
    learn(name)
    (made,) = asked
    called, args, named = made.made
    assert (called, args, named.keys()) == (selector, (), {"estimator", *others})
    assert named["estimator"].made == FORESTS[name]
    for other in others:
        assert named[other].made == ("DummyNormalization", (), {})


@pytest.mark.parametrize("name", ["rfreg", "zilla", "isac", "asap"])
def test_all_instances_are_learned_from_and_the_first_step_is_chosen(
    name: str, asked: list[Selector]
) -> None:
    found = learn(name)
    assert [schedule.after for schedule in found] == [((2, None),), ((1, None),)]
    (made,) = asked
    assert (made.features.values, made.features.columns) == (LESSON.features.tolist(), ["0", "1"])
    assert (made.costs.values, made.costs.columns) == (COSTS.tolist(), ["0", "1", "2"])
    assert (made.test.values, made.test.columns) == (LESSON.test.tolist(), ["0", "1"])


def test_rf_learns_from_what_some_algorithm_solves(asked: list[Selector]) -> None:
    assert learn("rf") == picks(2, 1)
    assert asked[0].features.values == LESSON.features[:3].tolist()
    assert asked[0].costs.values == COSTS[:3].tolist()
    asked.clear()
    assert learn("rf", NOBODY) == picks(2, 2)  # the single best, of 5.75
    assert asked == []


def test_isac_clusters_by_g_means_with_the_seed(asked: list[Selector]) -> None:
    learn("isac")
    called, args, named = asked[0].made
    assert (called, args, list(named)) == ("ISAC", (), ["clusterer"])
    assert isinstance(named["clusterer"], GMeans)
    assert named["clusterer"].random_state == 7


@pytest.mark.usefixtures("asked")
def test_sunny_asks_the_square_root_of_the_number_of_neighbours() -> None:
    # Of the first two, 2 solves both; a slot each.
    assert learn("sunny") == [LearnedSchedule((), ((2, 10.0),))] * 2
    # None of four: all slots are of the backup, the single best.
    assert learn("sunny", NOBODY) == [LearnedSchedule((), ((2, 10.0),))] * 2
    with pytest.raises(TypeError, match="a schedule needs a cutoff"):
        learn("sunny", replace(LESSON, cutoff=None))


@pytest.mark.usefixtures("asked")
def test_asap_runs_before_the_features_what_helps_the_picks() -> None:
    # Unseen, it picks 1, 1, 0 and 1, of 8 s and three times unsolved. A thousandth of a second, of the
    # tenth of the cutoff that there is, solves the third by 1.
    first, second = learn("asap")
    assert first.before == second.before == ((1, 0.001),)


def of_library(name: str, base: type, **attributes: object) -> Any:
    """An instance of a class of a module of a library."""
    return type("Own", (base,), {"__module__": name, **attributes})()


def test_a_selector_of_asf_gives_a_schedule_whose_last_step_runs_on(asked: list[Selector]) -> None:
    mine = of_library("asf.selectors.mine", Selector)
    found = learner_of(mine).learn
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert found(LESSON) == [
            LearnedSchedule((), ((2, 3.0), (1, None))),
            LearnedSchedule((), ((1, 3.0), (1, None))),
        ]
    (copy,) = asked
    assert copy is not mine  # which is as it was
    assert (copy.features.values, copy.costs.values, copy.test.values) == (
        LESSON.features.tolist(),
        COSTS.tolist(),
        LESSON.test.tolist(),
    )
    assert (copy.features.columns, copy.costs.columns, copy.test.columns) == (
        ["0", "1"],
        ["0", "1", "2"],
        ["0", "1"],
    )


class Estimator:
    """Of scikit-learn: predicts the class, or the cost, that it saw last."""

    def fit(self, _: np.ndarray, values: np.ndarray) -> Estimator:
        self.last = values[-1]
        return self

    def predict(self, test: np.ndarray) -> np.ndarray:
        return np.full(len(test), self.last)


@pytest.mark.usefixtures("asked")
@pytest.mark.parametrize(("classifies", "chosen"), [(True, 1), (False, 0)])
def test_scikit_learn_says_what_classifies(*, classifies: bool, chosen: int) -> None:
    # As classes 2, 0 and 1 of what is solved; as costs 10, 10 and 10: the first.
    mine = of_library("sklearn.mine", Estimator, classifies=classifies)
    assert learner_of(mine).learn(LESSON) == picks(chosen, chosen)


# --- ae.evaluate: what learns and chooses, and what becomes of what it returns ----------


COSTS_OF_TWO = np.array([[1.0, 9], [9, 2], [9, 3], [5, 5]])
TWO = Lesson(
    features=np.array([[1.0], [2], [3], [4]]),
    test=np.array([[5.0], [6]]),
    costs=COSTS_OF_TWO,
    times=COSTS_OF_TWO,
    solved=np.array([[True, False], [False, True], [False, True], [False, False]]),
    cutoff=9.0,
    penalty=1.0,
    seed=7,
)


def chosen(selector: Any, lesson: Lesson = TWO) -> list[int]:
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
    two = TWO.solved & np.array([[False, True]])
    assert chosen(Classifier(), replaced(two)) == [1, 1]
    # Nothing is solved: the algorithm of least mean cost, 4.75 against 6.
    assert chosen(Classifier(), replaced(TWO.solved & False)) == [1, 1]
    assert Classifier.seen == []


def replaced(solved: np.ndarray) -> Lesson:
    from dataclasses import replace

    return replace(TWO, solved=solved)


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
        (7, "evaluate: 7 is neither an estimator nor a function."),
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

    with pytest.raises(ae.AslibError, match="holds imported predictions of loyal"):
        evaluate(loyal, "TOY-2026", own)
    assert evaluate(loyal, "TOY-2026", own, replace=True).selector == "loyal"
