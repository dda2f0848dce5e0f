"""A selector of one's own, trained, stored, scored and explained in one call."""

from __future__ import annotations

import copy
import glob
import inspect
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from aslib_eval.database.open_lake import open_lake
from aslib_eval.database.protocol import Protocol
from aslib_eval.errors import AslibError
from aslib_eval.extensions.training.analysis.models import (
    LearnedSchedule,
    Lesson,
    Numbers,
)
from aslib_eval.extensions.training.analysis.problem import (
    for_training,
    read_problem,
    read_splits,
)
from aslib_eval.extensions.training.analysis.training import (
    predict_split,
    require_own,
    require_writable,
    selection_table,
)
from aslib_eval.progress import progress_bar
from aslib_eval.selections import store_selection
from aslib_eval.signatures import public

if TYPE_CHECKING:
    import polars as pl

# Features to learn from, their costs, features to choose for → columns or costs.
ChoosingFunction = Callable[[Numbers, Numbers, Numbers], Any]


@dataclass(frozen=True)
class Evaluation:
    """What ``evaluate`` found: two rows, as ``ae.gap`` has them, and what is odd.

    gap: the closed gap with its interval. why: where it loses against VBS, by cause.
    same: a sentence where the selector does not tell the instances of a fold apart.
    """

    scenario_id: str
    selector: str
    gap: pl.DataFrame
    why: pl.DataFrame
    same: tuple[str, ...]

    def _repr_html_(self) -> str:
        frames = (self.gap, self.why)
        said = "".join(f"<p>{sentence}</p>" for sentence in self.same)
        return said + "".join(frame._repr_html_() for frame in frames)


@public
def evaluate(
    selector: Any,
    scenario: str,
    lake: str | Path = "lake",
    *,
    name: str | None = None,
    scheme: str = "aslib",
    seed: int = 1,
    protocol: str | Protocol = "default",
    replace: bool = False,
) -> Evaluation:
    """Train a selector on each split of a scenario, store its choices and score them.

    selector: an estimator of scikit-learn (a classifier learns which algorithm is the
        cheapest, from instances that some algorithm solves; a regressor is fitted for
        each algorithm and predicts its cost), a selector of asf, a class of either
        that is made without arguments, or a function. A function is given the features
        to learn from (n, n_features), the costs there (n, n_algorithms), and the
        features of the instances to choose for (m, n_features). It returns the number
        of a column of the costs for each of these, (m,), or predicted costs,
        (m, n_algorithms), of which the least is chosen, and the first of equals.
    name: what the selections are stored as, in the place of those of an earlier call;
        the name of the class or function if not said.
    scheme: the splits; ``protocol`` says what a run costs, and scores.
    seed: given to an estimator whose random_state is None, another for each split.
    replace: also in the place of imported predictions of that name.

    Features are imputed, standardised, and charged, as ``train`` does it. What is given
    is copied for each split and not changed. The work is done in this process.

    Raises:
        AslibError: if there is nothing to learn from, the selector is none of these, or
            what it returns is no choice for each instance.

    >>> def cheapest(features, costs, test):
    ...     return [costs.mean(axis=0).argmin()] * len(test)
    >>> ae.evaluate(cheapest, "TOY-2026", "lake").gap["closed_gap"].item()
    0.0
    """
    stored = name or _name_of(selector)
    learn = learner_of(selector)
    home = Path(lake)
    require_writable(home)
    asked = for_training(protocol)
    with open_lake(home, protocols=[asked], scenarios=[glob.escape(scenario)]) as known:
        problem = read_problem(known, scenario)
        splits = read_splits(known, problem, scheme)
    require_own(home, scenario, [stored], scheme=scheme, replace=replace)
    answered = {}
    with progress_bar("training", len(splits), shown=sys.stderr.isatty()) as advance:
        for split in splits:
            place = split.cv_repetition, split.fold
            try:
                answered[place] = predict_split(
                    problem, split, selector=learn, seed=seed
                )
            except _NoChoiceError as error:
                what = f"{stored} {error} (fold {split.fold})"
                hint = "'help(ae.evaluate)' says what a selector returns."
                raise AslibError(what, scenario, hint) from None
            advance(1)
    facts = {"trained": {"seed": seed, "by": "evaluate"}}
    table = selection_table(scheme, answered)
    store_selection(home, scenario, stored, selection=table, facts=facts)
    return _scored(home, scenario, stored, protocol)


def _scored(
    lake: Path, scenario: str, selector: str, protocol: str | Protocol
) -> Evaluation:
    from aslib_eval.analysis.summaries import same_choices
    from aslib_eval.commands.scoring import gap

    only = glob.escape(scenario)
    own = [glob.escape(selector)]
    with open_lake(lake, scenarios=[only]) as known:
        choices = known.ask("report_choice", {"scenario": scenario})
    same = same_choices(choices.filter(choices["selector"] == selector))
    ask = partial(gap, lake, protocols=[protocol], scenarios=[only], kinds=["selector"])
    return Evaluation(
        scenario,
        selector,
        ask(solvers=own, interval=True),
        ask(solvers=own, why=True),
        tuple(same),
    )


def _name_of(selector: Any) -> str:
    whose = selector if hasattr(selector, "__name__") else type(selector)
    if not whose.__name__.isidentifier():  # a lambda
        what = "a function without a name cannot be stored"
        raise AslibError(what, "evaluate", "Say name='…'.")
    return str(whose.__name__)


class _NoChoiceError(Exception):
    """What a selector returned is no choice for each instance."""


def learner_of(selector: Any) -> Callable[[Lesson], list[LearnedSchedule]]:
    """Give what learns and chooses as SELECTORS do, from what ``evaluate`` takes.

    Raises:
        AslibError: if it is none of these.
    """
    if inspect.isclass(selector):
        selector = selector()
    if not (hasattr(selector, "fit") and hasattr(selector, "predict")):
        if callable(selector):
            return partial(_of_function, selector)
        what = f"{selector!r} neither learns nor is it a function"
        hint = "Give an estimator of scikit-learn, a selector of asf, or a function."
        raise AslibError(what, "evaluate", hint)
    if "asf" in _origins(selector):
        return partial(_of_asf, selector)
    return partial(_of_estimator, selector)


def _of_function(choose: ChoosingFunction, lesson: Lesson) -> list[LearnedSchedule]:
    return _chosen(choose(lesson.features, lesson.costs, lesson.test), lesson)


def _of_estimator(estimator: Any, lesson: Lesson) -> list[LearnedSchedule]:
    if not _classifies(estimator):
        fitted = (
            _copied(estimator, lesson).fit(lesson.features, cost)
            for cost in lesson.costs.T
        )
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
    own.fit(
        pd.DataFrame(lesson.features, columns=features),
        pd.DataFrame(lesson.costs, columns=numbers),
    )
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
        _NoChoiceError: if the shape is another, or a value is no column or no number.
    """
    n, k = len(lesson.test), lesson.costs.shape[1]
    values = np.asarray(returned)
    if values.shape == (n, k) and values.dtype.kind in "iuf":
        if np.isnan(values).any():
            raise _NoChoiceError("predicts costs that are no numbers")
        values = values.argmin(axis=1)
    if values.shape != (n,) or values.dtype.kind not in "iu":
        what = f"returned {values.dtype} of shape {values.shape} for {n} instances"
        raise _NoChoiceError(f"{what} and {k} algorithms")
    if n and not (values.min() >= 0 and values.max() < k):
        raise _NoChoiceError(f"chose a column that is none of 0 to {k - 1}")
    return [LearnedSchedule((), ((int(column), None),)) for column in values]
