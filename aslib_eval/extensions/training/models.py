"""The selectors: each learns from a training part and predicts for a test part (extra `selectors`).

The forests are scikit-learn's, and asf arranges them: `rf`, `rfreg`, `zilla` and the choice of `isac`.
Where asf 0.1.8 departs from the papers, our own code follows them: its g-means never makes more than two
clusters, its SUNNY falls back on the first name where no neighbour is solved, and its ASAP v2 tries m³
algorithms at a hundred points.
"""

from __future__ import annotations

import copy
import hashlib
import inspect
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache, partial, reduce
from html import escape
from importlib import import_module
from time import thread_time
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from aslib_eval.errors import AslibError, require_extra
from aslib_eval.metrics.sweeps import log_grid
from aslib_eval.plugins import RESERVED, PlugIn, Registry, sources
from aslib_eval.text import one_of

if TYPE_CHECKING:
    import polars as pl


Numbers = NDArray[np.float64]
Mask = NDArray[np.bool_]
_CRITICAL = 1.8692  # of A*² at significance 0.0001, as in the paper


class GMeans:
    """Clusters of points, as many as the data ask for; fit and predict as scikit-learn.

    A cluster is halved if both halves hold at least ``smallest`` points and the points, projected on the
    line between the halves' centres, are not normal by the test of Anderson and Darling.
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
        return np.asarray(((points[:, None, :] - self.centres) ** 2).sum(axis=2).argmin(axis=1))

    def _halves(self, cluster: Numbers) -> list[Numbers] | None:
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


# Schedules of a neighbourhood, and of what runs before the features are computed.

Step = tuple[int, float | None]  # algorithm, budget (None = up to the cutoff)


def sunny_schedule(times: Numbers, solved: Mask, *, backup: int, cutoff: float) -> list[Step]:
    """The schedule of a neighbourhood: each algorithm's share of the cutoff.

    times, solved: (k, n_algorithms) of the neighbours. Algorithms are chosen greedily by what they solve
    beyond the others, then by their time on it, then by order. Each gets one slot of the cutoff for every
    neighbour it solves, ``backup`` one for every neighbour that nobody chosen solves; the fastest on
    average over the neighbours (the cutoff where unsolved) runs first.
    Source: Amadini, Gabbrielli, Mauro 2014, SUNNY, section 3; the portfolio is
    found greedily, as in SUNNY-AS2, not by trying all.
    """
    chosen, left = _cover(times, solved)
    slots = {a: int(solved[:, a].sum()) for a in chosen}
    if left.any():
        slots[backup] = slots.get(backup, 0) + int(left.sum())
    mean = np.where(solved, times, cutoff).mean(axis=0)
    unit = cutoff / sum(slots.values())
    return [(a, slots[a] * unit) for a in sorted(slots, key=lambda a: (mean[a], a))]


def _cover(times: Numbers, solved: Mask) -> tuple[list[int], Mask]:
    """Algorithms that together solve all that is solved, and what is left."""
    chosen: list[int] = []
    left = np.ones(len(times), bool)
    while True:
        new = solved & left[:, None]
        gain = new.sum(axis=0)
        if not gain.any():
            return chosen, left
        best = int(np.lexsort((np.where(new, times, 0.0).sum(axis=0), -gain))[0])
        chosen.append(best)
        left &= ~solved[:, best]


@dataclass(frozen=True)
class Trial:
    """Training runs, and what a selector would take after a schedule.

    times, solved: (n, n_algorithms); then_time, then_solved: (n,) of the algorithm
    that the selector picks for each instance without having seen it. at_cutoff: as of the protocol.
    """

    times: Numbers
    solved: Mask
    then_time: Numbers
    then_solved: Mask
    cutoff: float
    penalty: float
    at_cutoff: str = "unsolved"

    def cost(self, spent: Numbers, done: Mask) -> Numbers:
        """PAR of running the pick after ``spent``, 0 where ``done``: (n,) or wider."""
        tail = (slice(None), *(None,) * (spent.ndim - 1))
        end = spent + self.then_time[tail]
        in_time = end <= self.cutoff if self.at_cutoff == "solved" else end < self.cutoff
        after = np.where(self.then_solved[tail] & in_time, end, self.penalty * self.cutoff)
        return np.asarray(np.where(done, 0.0, after))


def presolving_schedule(trial: Trial, *, longest: float, most: int = 3, n_budgets: int = 20) -> list[Step]:
    """Short runs to make before the features are computed; may be empty.

    Greedily adds the algorithm and budget that lower the mean PAR most, counted with what the selector does
    afterwards on the instances that are left, until nothing does, ``most`` algorithms run, or ``longest``
    is spent. Budgets are tried at ``n_budgets`` points on a logarithmic scale.
    Source: Gonard, Schoenauer, Sebag 2016, ASAP: a pre-schedule, then a selector;
    there both are optimised together, and with a perfect selector in its place.
    """
    budgets = log_grid(1e-3 * longest, longest, places=n_budgets)
    steps: list[Step] = []
    spent, done = 0.0, np.zeros(len(trial.times), bool)
    fixed = np.zeros(len(trial.times))  # time of what is done already
    total = (fixed + trial.cost(np.full(len(fixed), spent), done)).sum()
    while len(steps) < most:
        allowed = budgets[spent + budgets <= longest * (1 + 1e-9)]
        costs = _extended(trial, spent, done, fixed, allowed)
        best = np.unravel_index(costs.argmin(), costs.shape) if costs.size else None
        if best is None or not costs[best] < total - 1e-9 * abs(total):
            break
        algorithm, budget = int(best[0]), float(allowed[best[1]])
        steps.append((algorithm, budget))
        hit = ~done & _within(trial, budget)[:, algorithm]
        fixed[hit] = spent + trial.times[hit, algorithm]
        done |= hit
        spent, total = spent + budget, costs[best]
    return steps


def _within(trial: Trial, budget: float) -> Mask:
    return np.asarray(trial.solved & (trial.times <= budget))


def _extended(trial: Trial, spent: float, done: Mask, fixed: Numbers, budgets: Numbers) -> Numbers:
    """Total cost with one run more: (n_algorithms, n_budgets)."""
    columns = []
    for budget in budgets:
        hit = _within(trial, budget) & ~done[:, None]
        own = np.where(hit, spent + trial.times, fixed[:, None])
        after = np.full(hit.shape, spent + budget)
        columns.append((own + trial.cost(after, done[:, None] | hit)).sum(axis=0))
    return np.stack(columns, axis=1) if columns else np.empty((0, 0))


def nearest(train: Numbers, test: Numbers, k: int) -> Sequence[NDArray[np.int64]]:
    """Rows of ``train`` nearest to each row of ``test``, at most k of them."""
    from sklearn.neighbors import NearestNeighbors

    model = NearestNeighbors(n_neighbors=min(k, len(train))).fit(train)
    return list(model.kneighbors(test, return_distance=False))


_TREES = 100
_PRESOLVING = 0.1  # of the cutoff


@dataclass(frozen=True)
class Lesson:
    """A training part and the features of a test part, prepared.

    features, test: (n, n_features), (n_test, n_features); costs, times, solved:
    (n, n_algorithms); cutoff: null for a quality measure; at_cutoff: as of the protocol.
    """

    features: Numbers
    test: Numbers
    costs: Numbers
    times: Numbers
    solved: NDArray[np.bool_]
    cutoff: float | None
    penalty: float
    seed: int
    at_cutoff: str = "unsolved"

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

    solvable = np.asarray(lesson.solved.any(axis=1))
    if not solvable.any():
        return _choices([lesson.single_best()] * len(lesson.test))
    selector = MultiClassClassifier(estimator=RandomForestClassifier(_TREES, random_state=lesson.seed))
    return _choices(_picked(selector, lesson, solvable))


def rfreg(lesson: Lesson) -> list[LearnedSchedule]:
    """One forest an algorithm that predicts its cost; the cheapest is chosen."""
    return _choices(_picked(_performance_model(lesson), lesson))


def zilla(lesson: Lesson) -> list[LearnedSchedule]:
    """One forest a pair of algorithms, weighted by what a mistake costs; a vote.

    Source: Xu et al. 2012, SATzilla: cost-sensitive pairwise classification.
    """
    from asf.selectors import PairwiseClassifier
    from sklearn.ensemble import RandomForestClassifier

    forest = RandomForestClassifier(_TREES, random_state=lesson.seed)
    return _choices(_picked(PairwiseClassifier(estimator=forest), lesson))


def isac(lesson: Lesson) -> list[LearnedSchedule]:
    """The best algorithm of the instance's cluster.

    Source: Kadioglu et al. 2010, ISAC.
    """
    from asf.selectors import ISAC

    return _choices(_picked(ISAC(clusterer=GMeans(random_state=lesson.seed)), lesson))


def sunny(lesson: Lesson) -> list[LearnedSchedule]:
    """A schedule from the √n nearest instances; the single best is the backup.

    Source: Amadini, Gabbrielli, Mauro 2014, SUNNY.
    """
    k = round(np.sqrt(len(lesson.features)))
    backup = lesson.single_best()
    schedules = []
    with _choosing():
        for rows in nearest(lesson.features, lesson.test, k):
            times, solved = lesson.times[rows], lesson.solved[rows]
            steps = sunny_schedule(times, solved, backup=backup, cutoff=_cutoff(lesson))
            schedules.append(LearnedSchedule((), tuple(steps)))
    return schedules


def asap(lesson: Lesson) -> list[LearnedSchedule]:
    """Short runs before the features are computed, then ``rfreg``.

    What the regression would pick for a training instance is taken from the trees
    that have not seen it (out of bag).
    Source: Gonard, Schoenauer, Sebag 2016, ASAP.
    """
    selector = _performance_model(lesson, oob_score=True)
    with warnings.catch_warnings():  # too few trees for a score of each instance
        warnings.filterwarnings("ignore", "Some inputs do not have OOB scores")
        picks = _picked(selector, lesson)
    unseen = [regressor.oob_prediction_ for regressor in selector.regressors]
    pick = np.stack(unseen, axis=1).argmin(axis=1)[:, None]
    trial = Trial(
        lesson.times,
        lesson.solved,
        np.take_along_axis(lesson.times, pick, axis=1)[:, 0],
        np.take_along_axis(lesson.solved, pick, axis=1)[:, 0],
        _cutoff(lesson),
        lesson.penalty,
        lesson.at_cutoff,
    )
    before = tuple(presolving_schedule(trial, longest=_PRESOLVING * _cutoff(lesson)))
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


def _picked(selector: Any, lesson: Lesson, rows: Mask | None = None) -> list[int]:
    """Train a selector of asf on the rows; its choice for each test instance."""
    return [schedule[0][0] for schedule in _predicted(selector, lesson, rows)]


def _predicted(selector: Any, lesson: Lesson, rows: Mask | None = None) -> list[list[Step]]:
    """Train a selector of asf on the rows; its schedule for each test instance.

    Algorithms are named by their number and instances by theirs: asf breaks ties and adds up in the order
    of names.
    """
    import pandas as pd

    kept = slice(None) if rows is None else rows
    names = [str(column) for column in range(lesson.features.shape[1])]
    numbers = [str(algorithm) for algorithm in range(lesson.costs.shape[1])]
    features = pd.DataFrame(lesson.features[kept], columns=names)
    selector.fit(features, pd.DataFrame(lesson.costs[kept], columns=numbers))
    with _choosing():
        predicted = selector.predict(pd.DataFrame(lesson.test, columns=names))
    return [[(int(name), budget) for name, budget in predicted[at]] for at in range(len(lesson.test))]


def _choices(picks: list[int]) -> list[LearnedSchedule]:
    return [LearnedSchedule((), ((pick, None),)) for pick in picks]


def _cutoff(lesson: Lesson) -> float:
    if lesson.cutoff is None:
        raise TypeError("a schedule needs a cutoff")
    return lesson.cutoff


# Features to learn from, their costs, features to choose for → columns or costs.
ChoosingFunction = Callable[[Numbers, Numbers, Numbers], Any]


class NoChoiceError(Exception):
    """What a selector returned is no choice for each instance."""


def learner_of(selector: Any) -> OwnSelector:
    """Give what makes schedules of a lesson, from what ``evaluate`` takes."""
    if isinstance(selector, str):
        require_known([selector], where="evaluate")
        require_usable([selector], where="evaluate")
        return SELECTORS[selector]
    if inspect.isclass(selector):
        selector = selector()
    if isinstance(selector, OwnSelector):
        return selector
    if not (hasattr(selector, "fit") and hasattr(selector, "predict")):
        if callable(selector):
            return OwnSelector(partial(_of_function, selector))
        what = f"{selector!r} is neither an estimator nor a function"
        raise AslibError(
            what, "evaluate", "Give an estimator of scikit-learn, a selector of asf, or a function."
        )
    if "asf" in _origins(selector):
        return OwnSelector(partial(_of_asf, selector))
    return OwnSelector(partial(_of_estimator, selector))


class Selectors(Registry[OwnSelector]):
    """Selectors by name; also any that is named by its home, ``module:NAME``."""

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or _is_home(name)

    def __getitem__(self, name: str) -> OwnSelector:
        if super().__contains__(name) or not _is_home(name):
            return super().__getitem__(name)
        module, _, attributes = name.partition(":")
        try:
            return learner_of(reduce(getattr, attributes.split("."), import_module(module)))
        # Whatever it raises; one that exits ends nothing but itself.
        except (Exception, SystemExit) as error:
            what = f"cannot be loaded ({type(error).__name__}: {error})"
            hint = "Write module:NAME; PYTHONPATH names the folder of a file of yours."
            raise AslibError(what, f"the selector {name}", hint) from error

    def comes_along(self, name: str) -> bool:
        """Whether it is one of ours, which need the extra ``selectors``."""
        plug_in = self.plug_in(name) if super().__contains__(name) else None
        return plug_in is not None and plug_in.comes_along

    def origin(self, name: str) -> dict[str, str]:
        """Whose it is, and which version, or hash of its source; nothing of ours."""
        if not super().__contains__(name):
            return {name.partition(":")[0]: _source(name)}
        plug_in = self.plug_in(name)
        if plug_in is None or plug_in.comes_along:
            return {}
        return {plug_in.distribution: plug_in.version}


def _is_home(name: object) -> bool:
    return isinstance(name, str) and bool(re.fullmatch(r"[\w.]+:[\w.]+", name))


@cache
def _source(home: str) -> str:
    digest = hashlib.sha256()
    for _, file in sources(PlugIn("selectors", home, "", "", home)):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:12]


SELECTORS = Selectors(
    "selectors",
    dict.fromkeys(("rf", "rfreg", "zilla", "sunny", "isac", "asap"), RESERVED),
    lambda _, loaded: learner_of(loaded),
)


def require_known(names: Sequence[str], *, where: str) -> None:
    """Raise AslibError for names that are none of SELECTORS."""
    if unknown := [name for name in names if name not in SELECTORS]:
        raise AslibError(f"no selector {', '.join(unknown)}", where, one_of(unknown[0], SELECTORS))


def require_usable(names: Sequence[str], *, where: str) -> None:
    """Raise AslibError for those of SELECTORS that cannot be loaded, or lack an extra.

    All are loaded, before the work begins.
    """
    if any(SELECTORS.comes_along(name) for name in names):
        require_extra("selectors", where=where)
    for name in names:
        SELECTORS[name]


def _of_function(choose: ChoosingFunction, lesson: Lesson) -> list[LearnedSchedule]:
    return _chosen(choose(lesson.features, lesson.costs, lesson.test), lesson)


def _of_estimator(estimator: Any, lesson: Lesson) -> list[LearnedSchedule]:
    if not _classifies(estimator):
        fitted = (_copied(estimator, lesson).fit(lesson.features, cost) for cost in lesson.costs.T)
        return _chosen(np.column_stack([model.predict(lesson.test) for model in fitted]), lesson)
    solvable = lesson.solved.any(axis=1)
    cheapest = lesson.costs[solvable].argmin(axis=1)
    if len(np.unique(cheapest)) < 2:  # noqa: PLR2004 - some classifiers refuse one class
        only = cheapest[0] if len(cheapest) else lesson.single_best()
        return _chosen([only] * len(lesson.test), lesson)
    model = _copied(estimator, lesson).fit(lesson.features[solvable], cheapest)
    return _chosen(model.predict(lesson.test), lesson)


def _of_asf(selector: Any, lesson: Lesson) -> list[LearnedSchedule]:
    """Schedules of asf; the last algorithm runs to the cutoff."""
    return [
        LearnedSchedule((), (*first, (last, None)))
        for *first, (last, _) in _predicted(copy.deepcopy(selector), lesson)
    ]


def _classifies(estimator: Any) -> bool:
    if "sklearn" not in _origins(estimator):
        return hasattr(estimator, "predict_proba")
    from sklearn.base import is_classifier

    return bool(is_classifier(estimator))


def _origins(selector: Any) -> set[str]:
    return {base.__module__.partition(".")[0] for base in type(selector).__mro__}


def _copied(estimator: Any, lesson: Lesson) -> Any:
    own = copy.deepcopy(estimator)
    open_to = own.get_params() if hasattr(own, "get_params") else {}
    unset = [name for name, value in open_to.items() if value is None]
    seeds = [name for name in unset if name.rpartition("__")[2] == "random_state"]
    return own.set_params(**dict.fromkeys(seeds, lesson.seed % 2**32)) if seeds else own


def _chosen(returned: Any, lesson: Lesson) -> list[LearnedSchedule]:
    """Columns, or the least of predicted costs, as schedules of one algorithm."""
    n, k = len(lesson.test), lesson.costs.shape[1]
    values = np.asarray(returned)
    if values.shape == (n, k) and values.dtype.kind in "iuf":
        if np.isnan(values).any():
            raise NoChoiceError("predicts costs that are no numbers")
        values = values.argmin(axis=1)
    if values.shape != (n,) or values.dtype.kind not in "iu":
        what = f"returned {values.dtype} of shape {values.shape} for {n} instances"
        raise NoChoiceError(f"{what} and {k} algorithms")
    if n and not (values.min() >= 0 and values.max() < k):
        raise NoChoiceError(f"chose a column that is none of 0 to {k - 1}")
    return _choices(values.tolist())


@dataclass(frozen=True, repr=False)
class Evaluation:
    """What ``evaluate`` found: two rows, as ``ae.gap`` has them, and what is odd.

    gap: the closed gap with its interval. why: what it loses against VBS, by cause. same: a sentence where
    the selector does not tell the instances of a fold apart.
    """

    scenario_id: str
    selector: str
    gap: pl.DataFrame
    why: pl.DataFrame
    same: tuple[str, ...]

    def __repr__(self) -> str:
        (row,) = self.gap.iter_rows(named=True)
        gap, low, high = (row[name] for name in ("closed_gap", "gap_low", "gap_high"))
        closed = f"no closed gap, as {row['reason']}" if gap is None else f"closed gap {gap:.3f}"
        if low is not None and high is not None:
            closed += f" (95 % interval {low:.3f} to {high:.3f})"
        first = f"{self.selector} on {self.scenario_id}: {closed}, n = {row['n']}"
        return "\n".join([first, *self.same])

    def _repr_html_(self) -> str:
        said = "".join(f"<p>{escape(sentence)}</p>" for sentence in self.same)
        return said + "".join(frame._repr_html_() for frame in (self.gap, self.why))
