"""Posteriors of worths that know which comparisons come from one instance.

A model of pairs takes the k (k - 1) / 2 pairs of an instance for independent, and both models take the
instances of a family for independent. Neither is so: the draws of a posterior lie too close together, or
too far apart. Here they are spread as the scores of the instances are, the gradients of the log-likelihood
of each.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from aslib_eval.errors import AslibError
from aslib_eval.extensions.orderings.metrics.majority import leads
from aslib_eval.metrics.runs import Floats
from aslib_eval.statistics.families import family_values


def pair_scores(
    costs: Floats, log_worths: Floats, tie: float, *, delta: float = 0.0, relative: bool = False
) -> Floats:
    """Scores under the model of pairs: (n_instances, n_solvers + 1), of log θ last.

    costs, delta, relative: as of ``wins``. log_worths: (n_solvers,). tie: θ.

    Source: Davidson 1970, equation 2.5.
    """
    n, k = costs.shape
    scores = np.zeros((n, k + 1))
    there = np.isfinite(costs)
    for s in range(k):
        lead = leads(costs, s, delta=delta, relative=relative)
        both = there & there[:, s : s + 1]
        both[:, s] = False
        half = (log_worths[s] - log_worths) / 2
        sums = 2 * np.cosh(half) + tie
        scores[:, s] = (lead - both * (2 * np.sinh(half) / sums)).sum(axis=1) / 2
        after = both[:, s + 1 :]
        drawn = after & (lead[:, s + 1 :] == 0)
        scores[:, k] += (drawn - after * (tie / sums[s + 1 :])).sum(axis=1)
    return scores


def choice_scores(costs: Floats, finished: NDArray[np.bool_], log_worths: Floats) -> Floats:
    """Scores under the model of whole orders: (n_instances, n_solvers).

    costs, finished: as of ``choices_of``.

    Source: Hunter 2004, equation 29.
    """
    there = np.isfinite(costs)
    done = there & finished
    worths = np.exp(log_worths - log_worths.max())
    scores = np.zeros(costs.shape)
    for s in range(costs.shape[1]):
        left = there & ((costs >= costs[:, s : s + 1]) | ~done)
        left &= done[:, s : s + 1]
        sums = left @ worths
        share = np.divide(1, sums, out=np.zeros(len(sums)), where=sums > 0)
        scores[:, s] += left[:, s]
        scores -= left * worths * share[:, None]
    return scores


def log_worths_of(worths: Floats) -> Floats:
    """Logarithms of worths that sum to 0: (…, n_solvers) both."""
    logs = np.log(worths)
    return np.asarray(logs - logs.mean(axis=-1, keepdims=True))


def worths_of(logs: Floats) -> Floats:
    """Worths that sum to 1, of logarithms: (…, n_solvers) both."""
    worths = np.exp(logs - logs.max(axis=-1, keepdims=True))
    return np.asarray(worths / worths.sum(axis=-1, keepdims=True))


def spread_by_scores(
    drawn: Floats, scores: Floats, *, rng: np.random.Generator, clusters: NDArray[np.int64] | None = None
) -> Floats:
    """Draws with the same mean, as far apart as the estimates of many samples are.

    drawn: (n_draws, n_parameters). scores: (n_instances, n_parameters) at their mean. clusters:
    (n_instances,) codes of those that are drawn as one; None: each alone.

    Where C is the covariance of the draws and J that of the sum of the scores, the estimates of many
    samples have C J C, which is C where the model holds. The draws are mapped to it in all directions in
    which that is wider, as of a solver that always loses J knows nothing. That J is estimated makes of a
    normal a t with a degree of freedom less than there are clusters; where these are of unequal size, their
    scores count as ``family_values`` has them.

    Raises:
        AslibError: there are no two clusters.

    Source: Mueller 2013, "Risk of Bayesian inference in misspecified models, and the sandwich covariance
        matrix"; Shaby 2014, "The open-faced sandwich adjustment
        for MCMC using estimating functions" (the map).
    """
    if clusters is not None:
        often = len(scores) / (int(clusters.max()) + 1)
        scores = family_values(scores, clusters, together=True) * often
    n = len(scores)
    if n < 2:  # noqa: PLR2004
        raise AslibError("one instance or family says nothing of how worths vary")
    scores = scores - scores.mean(axis=0)
    root, back = _roots(np.cov(drawn.T))
    values, vectors = np.linalg.eigh(root @ (scores.T @ scores) @ root * (n / (n - 1)))
    wider = (vectors * np.sqrt(np.maximum(values, 1))) @ vectors.T
    mean = drawn.mean(axis=0)
    scale = np.sqrt((n - 1) / rng.chisquare(n - 1, size=(len(drawn), 1)))
    return np.asarray(mean + scale * ((drawn - mean) @ (back @ wider @ root)))


def _roots(covariance: Floats) -> tuple[Floats, Floats]:
    """The symmetric root of a covariance, and its inverse in the space it spans."""
    values, vectors = np.linalg.eigh(covariance)
    there = values > 1e-9 * values.max()
    root = np.sqrt(np.where(there, values, 0))
    back = np.divide(1, root, out=np.zeros(len(root)), where=there)
    return (vectors * root) @ vectors.T, (vectors * back) @ vectors.T
