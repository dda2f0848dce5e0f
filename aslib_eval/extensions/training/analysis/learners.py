"""Selectors by name, and made of what a user gives; what is found of one."""

from __future__ import annotations

import copy
import hashlib
import inspect
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial, reduce
from html import escape
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from aslib_eval.errors import AslibError, require_extra
from aslib_eval.extensions.training.analysis.models import LearnedSchedule, Lesson, Numbers, OwnSelector
from aslib_eval.plugins import RESERVED, PlugIn, Registry, sources
from aslib_eval.text import one_of

if TYPE_CHECKING:
    import polars as pl

# Features to learn from, their costs, features to choose for → columns or costs.
ChoosingFunction = Callable[[Numbers, Numbers, Numbers], Any]


class NoChoiceError(Exception):
    """What a selector returned is no choice for each instance."""


def learner_of(selector: Any) -> OwnSelector:
    """Give what makes schedules of a lesson, from what ``evaluate`` takes.

    Raises:
        AslibError: if it is none of these.
    """
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
        what = f"{selector!r} neither learns nor is it a function"
        hint = "Give an estimator of scikit-learn, a selector of asf, or a function."
        raise AslibError(what, "evaluate", hint)
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
            found = reduce(getattr, attributes.split("."), import_module(module))
            return learner_of(found)
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
        hint = one_of(unknown[0], SELECTORS)
        raise AslibError(f"no selector {', '.join(unknown)}", where, hint)


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
        columns = [model.predict(lesson.test) for model in fitted]
        return _chosen(np.column_stack(columns), lesson)
    solvable = lesson.solved.any(axis=1)
    cheapest = lesson.costs[solvable].argmin(axis=1)
    if len(np.unique(cheapest)) < 2:  # noqa: PLR2004 - some classifiers refuse one class
        only = cheapest[0] if len(cheapest) else lesson.single_best()
        return _chosen([only] * len(lesson.test), lesson)
    model = _copied(estimator, lesson).fit(lesson.features[solvable], cheapest)
    return _chosen(model.predict(lesson.test), lesson)


def _of_asf(selector: Any, lesson: Lesson) -> list[LearnedSchedule]:
    """Schedules of asf: pairs of algorithm and budget; the last runs to the cutoff."""
    import pandas as pd

    features = [str(column) for column in range(lesson.features.shape[1])]
    numbers = [str(column) for column in range(lesson.costs.shape[1])]
    own = copy.deepcopy(selector)
    own.fit(pd.DataFrame(lesson.features, columns=features), pd.DataFrame(lesson.costs, columns=numbers))
    predicted = own.predict(pd.DataFrame(lesson.test, columns=features))
    schedules = []
    for row in range(len(lesson.test)):
        steps = [(int(name), budget) for name, budget in predicted[row]]
        *first, (last, _) = steps
        schedules.append(LearnedSchedule((), (*first, (last, None))))
    return schedules


def _classifies(estimator: Any) -> bool:
    if "sklearn" not in _origins(estimator):
        return hasattr(estimator, "predict_proba")
    from sklearn.base import is_classifier

    return bool(is_classifier(estimator))


def _origins(selector: Any) -> set[str]:
    """Name the packages that its class and those above it are from."""
    return {base.__module__.partition(".")[0] for base in type(selector).__mro__}


def _copied(estimator: Any, lesson: Lesson) -> Any:
    """An estimator that has learned nothing, with the seed of this split."""
    own = copy.deepcopy(estimator)
    open_to = own.get_params() if hasattr(own, "get_params") else {}
    seeds = [
        name
        for name, value in open_to.items()
        if name.rpartition("__")[2] == "random_state" and value is None
    ]
    return own.set_params(**dict.fromkeys(seeds, lesson.seed % 2**32)) if seeds else own


def _chosen(returned: Any, lesson: Lesson) -> list[LearnedSchedule]:
    """Columns, or the least of predicted costs, as schedules of one algorithm.

    Raises:
        NoChoiceError: if the shape is another, or a value is no column or no number.
    """
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
    return [LearnedSchedule((), ((int(column), None),)) for column in values]


@dataclass(frozen=True, repr=False)
class Evaluation:
    """What ``evaluate`` found: two rows, as ``ae.gap`` has them, and what is odd.

    gap: the closed gap with its interval. why: where it loses against VBS, by cause. same: a sentence where
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
        closed = f"no closed gap, as {row['reason']}"
        if gap is not None:
            closed = f"closed gap {gap:.3f}"
        if low is not None and high is not None:
            closed += f" (95 % interval {low:.3f} to {high:.3f})"
        said = [f"{self.selector} on {self.scenario_id}: {closed}, n = {row['n']}"]
        return "\n".join([*said, *self.same])

    def _repr_html_(self) -> str:
        frames = (self.gap, self.why)
        said = "".join(f"<p>{escape(sentence)}</p>" for sentence in self.same)
        return said + "".join(frame._repr_html_() for frame in frames)
