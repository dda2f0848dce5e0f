"""What asf, scikit-learn and pandas are asked, by stand-ins that note it.

The extra ``selectors`` is large, so the first stage runs without it; what it learns
is held elsewhere. Here only what we ask of it, whether it is installed or not.
"""

from __future__ import annotations

import sys
import warnings
from dataclasses import replace
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from aslib_eval.extensions.training.models import SELECTORS, GMeans, LearnedSchedule, Lesson, learner_of

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
