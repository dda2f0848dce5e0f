"""Runs of solvers on instances: times, solved, cutoff and weights, with their PARk."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aslib_eval.errors import AslibError

Floats = NDArray[np.float64]
TABLE = 2  # dimensions: instances x solvers


@dataclass(frozen=True, eq=False)
class Runs:
    """Runtimes of the same solvers on the same instances.

    times: (n_instances, n_solvers) [time]; never used where a run did not solve. Where only a share of the
        repetitions did, their mean with the cutoff for the others.
    solved: (n_instances, n_solvers) bool, or the share of the repetitions, 0 to 1. cutoff: one number, or
    (n_instances,) where scenarios are pooled [time].
    weights: (n_instances,) weight of each instance; equal if not given. A score is
        the weighted mean over instances.

    Raises:
        AslibError: naming everything that is wrong with them.
    """

    times: Floats
    solved: NDArray[np.bool_] | Floats
    cutoff: float | Floats
    weights: Floats | None = None

    def __post_init__(self) -> None:
        wrong = _shape_faults(self) or _value_faults(self)
        if wrong:
            raise AslibError(f"runs cannot be scored: {'; '.join(wrong)}")

    @property
    def n_instances(self) -> int:
        """Number of rows."""
        return len(self.times)

    @property
    def n_solvers(self) -> int:
        """Number of columns."""
        return int(self.times.shape[1])

    @cached_property
    def answered(self) -> NDArray[np.bool_]:
        """(n_instances, n_solvers): solved at least once."""
        return np.asarray(self.solved > 0)

    @cached_property
    def cutoffs(self) -> Floats:
        """(n_instances,) the cutoff of each instance [time]."""
        return np.broadcast_to(np.asarray(self.cutoff, float), (self.n_instances,))

    @cached_property
    def shares(self) -> Floats:
        """(n_instances,) the weights, normalised to sum to 1."""
        if self.weights is None:
            return np.full(self.n_instances, 1 / self.n_instances)
        return np.asarray(self.weights / self.weights.sum())

    def lines(self) -> tuple[Floats, Floats]:
        """PARk of every run as intercept + slope·k, both (n_instances, n_solvers)."""
        slopes = self.cutoffs[:, None] * (1 - np.asarray(self.solved, float))
        rest = np.where(self.answered, self.times, 0.0) - slopes
        return np.where(self.answered, rest, 0.0), slopes

    def par(self, k: float) -> Floats:
        """PARk of every run: (n_instances, n_solvers) [time].

        Source: Amadini et al. 2023, Definition 1.
        """
        intercepts, slopes = self.lines()
        return intercepts + k * slopes

    def mean(self, values: ArrayLike) -> Floats:
        """Weighted mean over instances of (n_instances, …)."""
        array = np.asarray(values, float)
        if self.weights is None:
            return np.asarray(array.mean(axis=0))
        return np.asarray(np.tensordot(self.shares, array, axes=1))


@dataclass(frozen=True)
class OwnMetric:
    """A metric that another package adds to ``score`` and ``gap --metric``.

    points: takes ``Runs`` of n instances and m solvers and returns (n, m), what each solver has on each
    instance; nan where that is not defined. The score of a solver is the mean over instances. Algorithms
    are given together, and a selector as the last column behind all algorithms, so that a metric may count
    opponents. better: whether ``max`` or ``min`` of its values is the best.
    """

    points: Callable[[Runs], Floats]
    better: Literal["max", "min"] = "max"


def _shape_faults(runs: Runs) -> list[str]:
    times, solved = np.shape(runs.times), np.shape(runs.solved)
    wrong = []
    if len(times) != TABLE or 0 in times:
        wrong.append(f"times must be instances x solvers, at least 1 x 1, not {times}")
    if solved != times:
        wrong.append(f"solved has the shape {solved}, times {times}")
    if np.shape(runs.cutoff) not in {(), times[:1]}:
        wrong.append(f"cutoff must be one number or one an instance ({times[:1]})")
    if runs.weights is not None and np.shape(runs.weights) != times[:1]:
        wrong.append(f"weights must be one an instance ({times[:1]})")
    return wrong


def _value_faults(runs: Runs) -> list[str]:
    wrong = []
    used = np.asarray(runs.times, float)[np.asarray(runs.solved, float) > 0]
    if not (np.isfinite(used) & (used >= 0)).all():
        wrong.append("a solved run has a time that is negative or not finite")
    share = np.asarray(runs.solved, float)
    if not ((share >= 0) & (share <= 1)).all():
        wrong.append("solved must be true or false, or a share from 0 to 1")
    cutoff = np.asarray(runs.cutoff, float)
    if not (np.isfinite(cutoff) & (cutoff > 0)).all():
        wrong.append("the cutoff must be above 0 and finite")
    if runs.weights is not None:
        weights = np.asarray(runs.weights, float)
        if not (np.isfinite(weights) & (weights >= 0)).all() or weights.sum() <= 0:
            wrong.append("weights must be at least 0, finite, and not all 0")
    return wrong
