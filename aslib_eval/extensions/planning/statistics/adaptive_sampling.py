"""Adaptive sampling: which algorithm to run next on an instance."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from aslib_eval.errors import AslibError
from aslib_eval.extensions.planning.statistics.standard_errors import (
    PairError,
    Statistic,
    bootstrap_pair_errors,
    pair_errors,
    summarise,
)
from aslib_eval.extensions.planning.words import Formula, Pairs
from aslib_eval.words import Differences


@dataclass(frozen=True)
class Accuracy:
    """Stopping rule of adaptive sampling, and which differences are estimated.

    The values are in the unit of the runs for simple differences, shares for percent.
    """

    se: float  # stop when no standard error exceeds it
    budget: int  # or when so many runs are done, all algorithms together
    start: int = 10  # runs of each algorithm before any choice
    difference: Differences = "simple"
    pairs: Pairs = "all"
    formula: Formula = "paper"
    statistic: Statistic = np.mean  # of the bootstrap only
    resamples: int = 499  # of the bootstrap only
    balanced: bool = False  # run all algorithms equally often

    def __post_init__(self) -> None:
        """Raise AslibError if no sampling can meet this."""
        if not self.se > 0:
            raise AslibError(f"a standard error of {self.se:g} is never reached")
        if self.start < 2:  # noqa: PLR2004
            raise AslibError("a standard deviation needs two runs", hint="start >= 2")
        if self.statistic is not np.mean and self.formula != "bootstrap":
            raise AslibError("only the bootstrap knows other statistics than the mean")


class Sampling:
    """Algorithm 1: ask which algorithm to run next on an instance, add its value.

    ``for k in sampling: sampling.add(k, run(k))`` runs to the end. ``ask`` returns the same algorithm until
    a value is added. After ``start`` runs of each, the pair with the largest standard error chooses: of its
    two algorithms the one that has fewer runs than the optimal ratio asks for (a draw goes to the first);
    where neither of them varies, or the delta method or the bootstrap attributes the error to a third
    algorithm, the one whose runs contribute most. A pair whose runs never vary has the standard error 0: a
    deterministic algorithm gets ``start`` runs and no more. With ``balanced`` all algorithms run in rounds
    of one run each, as many as the budget has room for.

    Raises:
        AslibError: when there are not two algorithms, the budget does not cover the first runs, or the
            bootstrap has no ``rng``.

    Source: Campelo and Wanner 2020, Algorithm 1; where the text leaves the rule open (draws, undefined
    ratios) the draws are decided as in R's CAISEr 1.0.17.
    """

    def __init__(
        self, algorithms: int, *, accuracy: Accuracy, rng: np.random.Generator | None = None
    ) -> None:
        if algorithms < 2:  # noqa: PLR2004
            raise AslibError(f"{algorithms} algorithm has no difference to estimate")
        if accuracy.budget < algorithms * accuracy.start:
            need = algorithms * accuracy.start
            message = f"a budget of {accuracy.budget} runs does not cover the first"
            raise AslibError(message, hint=f"They take {need}.")
        if accuracy.formula == "bootstrap" and rng is None:
            raise AslibError("the bootstrap needs a random generator", hint="Give rng.")
        self.accuracy = accuracy
        self.runs: list[list[float]] = [[] for _ in range(algorithms)]
        self.order: list[int] = []  # algorithms in the order of their runs
        self._rng = rng
        self._errors: list[PairError] | None = None

    def __iter__(self) -> Iterator[int]:
        """Algorithms to run, in order; add each value before the next."""
        while (algorithm := self.ask()) is not None:
            done = len(self.order)
            yield algorithm
            if len(self.order) == done:
                raise AslibError("the value of the last run was never added")

    def ask(self) -> int | None:
        """The algorithm to run next, from 0; None when there is nothing left to do."""
        counts = [len(values) for values in self.runs]
        for algorithm, count in enumerate(counts):
            if count < self.accuracy.start:
                return algorithm
        if self.accuracy.balanced and min(counts) < max(counts):
            return counts.index(min(counts))
        following = len(counts) if self.accuracy.balanced else 1
        if len(self.order) + following > self.accuracy.budget or self.reached:
            return None
        if self.accuracy.balanced:
            return 0
        return self._choose(max(self.errors, key=lambda pair: pair.se))

    def add(self, algorithm: int, value: float) -> None:
        """Record the value of a run."""
        if not np.isfinite(value):
            raise AslibError(f"a run gave {value}, which has no mean")
        self.runs[algorithm].append(float(value))
        self.order.append(algorithm)
        self._errors = None

    @property
    def reached(self) -> bool:
        """True if no standard error exceeds the one asked for."""
        return all(pair.se <= self.accuracy.se for pair in self.errors)

    @property
    def errors(self) -> list[PairError]:
        """Current standard errors."""
        if self._errors is None:
            self._errors = self._estimated()
        return self._errors

    def _estimated(self) -> list[PairError]:
        accuracy = self.accuracy
        if accuracy.formula == "bootstrap" and self._rng is not None:
            return bootstrap_pair_errors(
                self.runs,
                difference=accuracy.difference,
                pairs=accuracy.pairs,
                statistic=accuracy.statistic,
                rng=self._rng,
                resamples=accuracy.resamples,
            )
        return pair_errors(
            summarise(self.runs),
            difference=accuracy.difference,
            pairs=accuracy.pairs,
            formula="delta" if accuracy.formula == "delta" else "paper",
        )

    def _choose(self, worst: PairError) -> int:
        i, j = worst.first, worst.second
        if self.accuracy.formula == "paper" and not np.isnan(worst.optimal_ratio):
            return i if worst.ratio <= worst.optimal_ratio else j
        counts = np.array([len(values) for values in self.runs])
        return int(np.argmax(worst.contributions / counts))
