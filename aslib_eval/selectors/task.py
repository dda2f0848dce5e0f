"""One selector on one split: what a worker does."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from aslib_eval.selectors.journal import Actions, Answered
from aslib_eval.selectors.models import SELECTORS, Answer, Lesson
from aslib_eval.selectors.preparation import prepare
from aslib_eval.selectors.problem import Problem, Split


def answer_split(
    problem: Problem, split: Split, *, selector: str, seed: int
) -> Answered:
    """Train the selector on a split's training part; its schedules for the test part.

    The test part gives its features and nothing else: an algorithm without a cost in
    the training part is unknown, a feature step that yields nothing there is not paid
    for, and a missing cost is the worst of the training part. Every split has a seed of
    its own, made of ``seed`` and its place; one thread, so that the same seed gives the
    same answers.
    """
    from threadpoolctl import threadpool_limits

    lesson, portfolio = _lesson(problem, split, seed)
    with threadpool_limits(1):
        answers = SELECTORS[selector](lesson)
    names = [problem.instances[row] for row in split.test]
    algorithms = [problem.algorithms[column] for column in portfolio]
    taught = np.logical_or.reduce(problem.provided[split.train], axis=0)
    steps = [s for s, known in zip(problem.steps, taught, strict=True) if known]
    return {
        name: _actions(answer, algorithms, steps)
        for name, answer in zip(names, answers, strict=True)
    }


def _lesson(
    problem: Problem, split: Split, seed: int
) -> tuple[Lesson, NDArray[np.int64]]:
    """The training part as its own rows tell it, and the columns of its algorithms."""
    features, test = prepare(
        problem.features[split.train], problem.features[split.test]
    )
    known = ~np.isnan(problem.costs[split.train]).all(axis=0)
    portfolio = np.flatnonzero(known)
    here = np.ix_(split.train, portfolio)
    costs = problem.costs[here]
    place = np.random.SeedSequence([seed, split.cv_repetition, split.fold])
    lesson = Lesson(
        features,
        test,
        np.where(np.isnan(costs), np.nanmax(costs), costs),
        problem.times[here],
        problem.solved[here],
        problem.cutoff,
        problem.penalty,
        seed=int(place.generate_state(1)[0] >> 1),
    )
    return lesson, portfolio


def _actions(
    answer: Answer, algorithms: Sequence[str], steps: Sequence[str]
) -> Actions:
    """The schedule in the scenario's words; the features are computed in between."""
    return [
        *(("algorithm", algorithms[a], budget) for a, budget in answer.before),
        *(("feature_step", step, None) for step in steps),
        *(("algorithm", algorithms[a], budget) for a, budget in answer.after),
    ]
