"""One selector on one split: what a worker does."""

from __future__ import annotations

import numpy as np

from aslib_eval.selectors.journal import Actions, Answered
from aslib_eval.selectors.models import SELECTORS, Answer, Lesson
from aslib_eval.selectors.preparation import prepare
from aslib_eval.selectors.problem import Problem, Split


def answer_split(
    problem: Problem, split: Split, *, selector: str, seed: int
) -> Answered:
    """Train the selector on a split's training part; its schedules for the test part.

    The test part gives its features and nothing else. Every split has a seed of its
    own, made of ``seed`` and its place; one thread, so that the same seed gives the
    same answers.
    """
    from threadpoolctl import threadpool_limits

    features, test = prepare(
        problem.features[split.train], problem.features[split.test]
    )
    place = np.random.SeedSequence([seed, split.cv_repetition, split.fold])
    lesson = Lesson(
        features,
        test,
        problem.costs[split.train],
        problem.times[split.train],
        problem.solved[split.train],
        problem.cutoff,
        problem.penalty,
        seed=int(place.generate_state(1)[0] >> 1),
    )
    with threadpool_limits(1):
        answers = SELECTORS[selector](lesson)
    names = [problem.instances[row] for row in split.test]
    return {n: _actions(a, problem) for n, a in zip(names, answers, strict=True)}


def _actions(answer: Answer, problem: Problem) -> Actions:
    """The schedule in the scenario's words; the features are computed in between."""
    return [
        *(("algorithm", problem.algorithms[a], budget) for a, budget in answer.before),
        *(("feature_step", step, None) for step in problem.steps),
        *(("algorithm", problem.algorithms[a], budget) for a, budget in answer.after),
    ]
