"""The selectors: what each learns from a training part, and says of a test part."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aslib_eval.selectors.clusters import GMeans
from aslib_eval.selectors.schedules import (
    Step,
    Trial,
    nearest,
    presolving_schedule,
    sunny_schedule,
)

Numbers = NDArray[np.float64]
_TREES = 100
_PRESOLVING = 0.1  # of the cutoff


@dataclass(frozen=True)
class Lesson:
    """A training part and the features of a test part, prepared.

    features, test: (n, n_features), (n_test, n_features); costs, times, solved:
    (n, n_algorithms); cutoff: null for a quality measure.
    """

    features: Numbers
    test: Numbers
    costs: Numbers
    times: Numbers
    solved: NDArray[np.bool_]
    cutoff: float | None
    penalty: float
    seed: int

    def single_best(self) -> int:
        """The algorithm of least mean cost; the first of equals."""
        return int(self.costs.mean(axis=0).argmin())


@dataclass(frozen=True)
class Answer:
    """A schedule: steps before the features are computed, and steps after."""

    before: tuple[Step, ...]
    after: tuple[Step, ...]


def rf(lesson: Lesson) -> list[Answer]:
    """One forest that predicts the cheapest algorithm; learns from solvable ones."""
    from asf.selectors import MultiClassClassifier
    from sklearn.ensemble import RandomForestClassifier

    solvable: NDArray[np.bool_] = np.logical_or.reduce(lesson.solved, axis=1)
    if not solvable.any():
        return _choices([lesson.single_best()] * len(lesson.test))
    forest = RandomForestClassifier(_TREES, random_state=lesson.seed)
    selector = MultiClassClassifier(estimator=forest)
    return _choices(_told(selector, lesson, solvable))


def rfreg(lesson: Lesson) -> list[Answer]:
    """One forest an algorithm that predicts its cost; the cheapest is chosen."""
    return _choices(_told(_performance_model(lesson), lesson))


def zilla(lesson: Lesson) -> list[Answer]:
    """One forest a pair of algorithms, weighted by what a mistake costs; a vote.

    Source: Xu et al. 2012, SATzilla: cost-sensitive pairwise classification.
    """
    from asf.selectors import PairwiseClassifier
    from sklearn.ensemble import RandomForestClassifier

    forest = RandomForestClassifier(_TREES, random_state=lesson.seed)
    return _choices(_told(PairwiseClassifier(estimator=forest), lesson))


def isac(lesson: Lesson) -> list[Answer]:
    """The best algorithm of the instance's cluster.

    Source: Kadioglu et al. 2010, ISAC.
    """
    from asf.selectors import ISAC

    return _choices(_told(ISAC(clusterer=GMeans(random_state=lesson.seed)), lesson))


def sunny(lesson: Lesson) -> list[Answer]:
    """A schedule from the √n nearest instances; the single best is the backup.

    Source: Amadini, Gabbrielli, Mauro 2014, SUNNY.
    """
    k = round(np.sqrt(len(lesson.features)))
    backup = lesson.single_best()
    return [
        Answer(
            (),
            tuple(
                sunny_schedule(
                    lesson.times[rows],
                    lesson.solved[rows],
                    backup=backup,
                    cutoff=_cutoff(lesson),
                )
            ),
        )
        for rows in nearest(lesson.features, lesson.test, k)
    ]


def asap(lesson: Lesson) -> list[Answer]:
    """Short runs before the features are computed, then ``rfreg``.

    What the regression would pick for a training instance is taken from the trees
    that have not seen it (out of bag).
    Source: Gonard, Schoenauer, Sebag 2016, ASAP.
    """
    selector = _performance_model(lesson, oob_score=True)
    with warnings.catch_warnings():  # too few trees for a score of each instance
        warnings.filterwarnings("ignore", "Some inputs do not have OOB scores")
        picks = _told(selector, lesson)
    unseen = [regressor.oob_prediction_ for regressor in selector.regressors]
    pick = np.stack(unseen, axis=1).argmin(axis=1)[:, None]
    trial = Trial(
        lesson.times,
        lesson.solved,
        np.take_along_axis(lesson.times, pick, axis=1)[:, 0],
        np.take_along_axis(lesson.solved, pick, axis=1)[:, 0],
        _cutoff(lesson),
        lesson.penalty,
    )
    longest = _PRESOLVING * _cutoff(lesson)
    before = tuple(presolving_schedule(trial, longest=longest))
    return [Answer(before, ((choice, None),)) for choice in picks]


SELECTORS: Mapping[str, Callable[[Lesson], list[Answer]]] = {
    "rf": rf,
    "rfreg": rfreg,
    "zilla": zilla,
    "sunny": sunny,
    "isac": isac,
    "asap": asap,
}
NEED_A_CUTOFF = frozenset({"sunny", "asap"})


def _performance_model(lesson: Lesson, *, oob_score: bool = False) -> Any:
    from asf.preprocessing.performance_scaling import DummyNormalization
    from asf.selectors import PerformanceModel
    from sklearn.ensemble import RandomForestRegressor

    forest = RandomForestRegressor(
        _TREES, random_state=lesson.seed, oob_score=oob_score
    )
    return PerformanceModel(estimator=forest, normalize=DummyNormalization())


def _told(
    selector: Any, lesson: Lesson, rows: NDArray[np.bool_] | None = None
) -> list[int]:
    """Train a selector of asf on the rows; its choice for each test instance.

    Algorithms are named by their number and instances by theirs: asf breaks ties and
    adds up in the order of names.
    """
    import pandas as pd

    kept = np.ones(len(lesson.costs), bool) if rows is None else rows
    names = [str(column) for column in range(lesson.features.shape[1])]
    numbers = [str(algorithm) for algorithm in range(lesson.costs.shape[1])]
    features = pd.DataFrame(lesson.features[kept], columns=names)
    selector.fit(features, pd.DataFrame(lesson.costs[kept], columns=numbers))
    said = selector.predict(pd.DataFrame(lesson.test, columns=names))
    return [int(said[row][0][0]) for row in range(len(lesson.test))]


def _choices(picks: list[int]) -> list[Answer]:
    return [Answer((), ((pick, None),)) for pick in picks]


def _cutoff(lesson: Lesson) -> float:
    if lesson.cutoff is None:
        raise TypeError("a schedule needs a cutoff")
    return lesson.cutoff
