"""The selectors: each learns from a training part and predicts for a test part."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from time import thread_time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aslib_eval.extensions.training.analysis.schedules import (
    Step,
    Trial,
    nearest,
    presolving_schedule,
    sunny_schedule,
)

Numbers = NDArray[np.float64]
_CRITICAL = 1.8692  # of A*² at significance 0.0001, as in the paper


class GMeans:
    """Clusters of points, as many as the data ask for; fit and predict as scikit-learn.

    A cluster is halved if both halves hold at least ``smallest`` points and the
    points, projected on the line between the halves' centres, are not normal by the test of Anderson and
    Darling.
    Source: Hamerly, Elkan 2003, Learning the k in k-means, algorithm 1; ISAC
    (Kadioglu et al. 2010) uses it.
    """

    def __init__(self, *, smallest: int = 10, random_state: int = 0) -> None:
        self.smallest = smallest
        self.random_state = random_state
        self.centres: Numbers = np.empty((0, 0))

    def fit(self, points: Numbers) -> GMeans:
        """Find the centres; points: (n, n_features)."""
        waiting, centres = [points], []
        while waiting:
            cluster = waiting.pop()
            halves = self._halves(cluster)
            if halves is None:
                centres.append(cluster.mean(axis=0))
            else:
                waiting += halves
        self.centres = np.array(centres)
        return self

    def predict(self, points: Numbers) -> NDArray[np.int64]:
        """The cluster of the nearest centre; the first of equals."""
        distance = ((points[:, None, :] - self.centres) ** 2).sum(axis=2)
        nearest: NDArray[np.int64] = distance.argmin(axis=1)
        return nearest

    def _halves(self, cluster: Numbers) -> list[Numbers] | None:
        """Two parts of the cluster, if it should be parted."""
        from sklearn.cluster import KMeans

        if len(cluster) < 2 * self.smallest or (cluster == cluster[0]).all():
            return None
        model = KMeans(2, n_init=5, random_state=self.random_state).fit(cluster)
        first = model.labels_ == 0
        line = model.cluster_centers_[0] - model.cluster_centers_[1]
        small = min(first.sum(), (~first).sum()) < self.smallest
        if small or anderson_darling(cluster @ line) <= _CRITICAL:
            return None
        return [cluster[first], cluster[~first]]


def anderson_darling(values: Numbers) -> float:
    """A*² of the values against the normal of their mean and deviation; 0 if constant.

    Source: Stephens 1974, case 3, with the correction for small samples.
    """
    from scipy.special import log_ndtr

    spread = values.std(ddof=1)
    if spread == 0:
        return 0.0
    ordered = np.sort((values - values.mean()) / spread)
    n = len(ordered)
    odd = 2 * np.arange(1, n + 1) - 1
    raised = -n - (odd * (log_ndtr(ordered) + log_ndtr(-ordered[::-1]))).mean()
    return float(raised * (1 + 4 / n - 25 / n**2))


# What training and choosing take.


@dataclass
class SpentTime:
    """CPU time of one thread: to train on a split, and to choose for its test part."""

    training: float = 0.0
    choosing: float = 0.0


_SPENT: ContextVar[SpentTime | None] = ContextVar("spent", default=None)


@contextmanager
def timed() -> Iterator[SpentTime]:
    """What selectors do herein is timed: all that is not choosing counts as training.

    The times are known at the end. Not of processor time of other threads.
    """
    spent, begun = SpentTime(), thread_time()
    token = _SPENT.set(spent)
    try:
        yield spent
    finally:
        _SPENT.reset(token)
        spent.training = thread_time() - begun - spent.choosing


@contextmanager
def _choosing() -> Iterator[None]:
    begun = thread_time()
    yield
    if (spent := _SPENT.get()) is not None:
        spent.choosing += thread_time() - begun


# Features made fit for learning, by what the training part alone says.

_LARGEST = 1e100  # squares of it are still finite
_FARTHEST = 1e6  # standard deviations; forests hold features as float32


def prepare(train: Numbers, test: Numbers) -> tuple[Numbers, Numbers]:
    """Impute, drop constants, standardise: both parts by the training part.

    train, test: (n, n_features), nan = missing. A missing value becomes the
    median, a feature that is constant or without value in the training part is
    dropped. If none is left both have a single column of zeros: nothing is known.
    """
    train, test = (np.clip(part, -_LARGEST, _LARGEST) for part in (train, test))
    known = ~np.isnan(train).all(axis=0)
    train, test = train[:, known], test[:, known]
    if train.shape[1]:
        median = np.nanmedian(train, axis=0)
        train, test = (np.where(np.isnan(x), median, x) for x in (train, test))
        varies = (train != train[:1]).any(axis=0)
        train, test = train[:, varies], test[:, varies]
    if not train.shape[1]:
        return np.zeros((len(train), 1)), np.zeros((len(test), 1))
    mean, spread = train.mean(axis=0), train.std(axis=0)
    spread[spread == 0] = 1.0  # which rounding may leave of a tiny difference
    first, second = (np.clip((part - mean) / spread, -_FARTHEST, _FARTHEST) for part in (train, test))
    return first, second


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
class LearnedSchedule:
    """A schedule: steps before the features are computed, and steps after."""

    before: tuple[Step, ...]
    after: tuple[Step, ...]


@dataclass(frozen=True)
class OwnSelector:
    """A selector that makes its schedules of a whole lesson.

    learn: gives a schedule for each instance of the test part. needs_cutoff: it divides a time limit, so
    that it cannot be trained on a quality.
    """

    learn: Callable[[Lesson], list[LearnedSchedule]]
    needs_cutoff: bool = False


def rf(lesson: Lesson) -> list[LearnedSchedule]:
    """One forest that predicts the cheapest algorithm; learns from solvable ones."""
    from asf.selectors import MultiClassClassifier
    from sklearn.ensemble import RandomForestClassifier

    solvable: NDArray[np.bool_] = np.logical_or.reduce(lesson.solved, axis=1)
    if not solvable.any():
        return _choices([lesson.single_best()] * len(lesson.test))
    forest = RandomForestClassifier(_TREES, random_state=lesson.seed)
    selector = MultiClassClassifier(estimator=forest)
    return _choices(_predicted(selector, lesson, solvable))


def rfreg(lesson: Lesson) -> list[LearnedSchedule]:
    """One forest an algorithm that predicts its cost; the cheapest is chosen."""
    return _choices(_predicted(_performance_model(lesson), lesson))


def zilla(lesson: Lesson) -> list[LearnedSchedule]:
    """One forest a pair of algorithms, weighted by what a mistake costs; a vote.

    Source: Xu et al. 2012, SATzilla: cost-sensitive pairwise classification.
    """
    from asf.selectors import PairwiseClassifier
    from sklearn.ensemble import RandomForestClassifier

    forest = RandomForestClassifier(_TREES, random_state=lesson.seed)
    return _choices(_predicted(PairwiseClassifier(estimator=forest), lesson))


def isac(lesson: Lesson) -> list[LearnedSchedule]:
    """The best algorithm of the instance's cluster.

    Source: Kadioglu et al. 2010, ISAC.
    """
    from asf.selectors import ISAC

    return _choices(_predicted(ISAC(clusterer=GMeans(random_state=lesson.seed)), lesson))


def sunny(lesson: Lesson) -> list[LearnedSchedule]:
    """A schedule from the √n nearest instances; the single best is the backup.

    Source: Amadini, Gabbrielli, Mauro 2014, SUNNY.
    """
    k = round(np.sqrt(len(lesson.features)))
    backup = lesson.single_best()
    with _choosing():
        return [
            LearnedSchedule(
                (),
                tuple(
                    sunny_schedule(
                        lesson.times[rows], lesson.solved[rows], backup=backup, cutoff=_cutoff(lesson)
                    )
                ),
            )
            for rows in nearest(lesson.features, lesson.test, k)
        ]


def asap(lesson: Lesson) -> list[LearnedSchedule]:
    """Short runs before the features are computed, then ``rfreg``.

    What the regression would pick for a training instance is taken from the trees
    that have not seen it (out of bag).
    Source: Gonard, Schoenauer, Sebag 2016, ASAP.
    """
    selector = _performance_model(lesson, oob_score=True)
    with warnings.catch_warnings():  # too few trees for a score of each instance
        warnings.filterwarnings("ignore", "Some inputs do not have OOB scores")
        picks = _predicted(selector, lesson)
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
    return [LearnedSchedule(before, ((choice, None),)) for choice in picks]


# What entry_points.txt leads to.
RF, RFREG, ZILLA, ISAC = (OwnSelector(learn) for learn in (rf, rfreg, zilla, isac))
SUNNY, ASAP = (OwnSelector(learn, needs_cutoff=True) for learn in (sunny, asap))


def _performance_model(lesson: Lesson, *, oob_score: bool = False) -> Any:
    from asf.preprocessing.performance_scaling import DummyNormalization
    from asf.selectors import PerformanceModel
    from sklearn.ensemble import RandomForestRegressor

    forest = RandomForestRegressor(_TREES, random_state=lesson.seed, oob_score=oob_score)
    return PerformanceModel(estimator=forest, normalize=DummyNormalization())


def _predicted(selector: Any, lesson: Lesson, rows: NDArray[np.bool_] | None = None) -> list[int]:
    """Train a selector of asf on the rows; its choice for each test instance.

    Algorithms are named by their number and instances by theirs: asf breaks ties and adds up in the order
    of names.
    """
    import pandas as pd

    kept = np.ones(len(lesson.costs), bool) if rows is None else rows
    names = [str(column) for column in range(lesson.features.shape[1])]
    numbers = [str(algorithm) for algorithm in range(lesson.costs.shape[1])]
    features = pd.DataFrame(lesson.features[kept], columns=names)
    selector.fit(features, pd.DataFrame(lesson.costs[kept], columns=numbers))
    with _choosing():
        predicted = selector.predict(pd.DataFrame(lesson.test, columns=names))
    return [int(predicted[row][0][0]) for row in range(len(lesson.test))]


def _choices(picks: list[int]) -> list[LearnedSchedule]:
    return [LearnedSchedule((), ((pick, None),)) for pick in picks]


def _cutoff(lesson: Lesson) -> float:
    if lesson.cutoff is None:
        raise TypeError("a schedule needs a cutoff")
    return lesson.cutoff
