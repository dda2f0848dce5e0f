"""Worths of solvers: Bradley-Terry with ties, and Plackett-Luce.

Both give each solver a worth above 0, and the worths sum to 1. Of two solvers one wins with odds that are
the ratio of their worths (Bradley-Terry); the first of several is each with the chance of its worth among
theirs (Plackett-Luce). Point estimates draw nothing; posteriors are samples from a generator that is handed
over.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from aslib_eval.errors import AslibError

Floats = NDArray[np.float64]
# How often each beats, and loses to, a hypothetical solver of worth 1: without it, who never loses has an
# infinite worth.
PSEUDO = 0.5
_CHAINS = 50
_WARM_UP = 20
_STEPS, _STEP = 6, 0.25  # of a leap; 1.5 of a whitened normal is nearly independent


@dataclass(frozen=True)
class PairFit:
    """A model of Bradley-Terry with ties of Davidson.

    worths: (n_solvers,), summing to 1. tie: θ, so that two equal solvers draw with the probability θ / (2 +
    θ); 0 without draws.
    """

    worths: Floats
    tie: float


_Density = Callable[[Floats], tuple[Floats, Floats]]


class _Pairs:
    """Counts of pairs, with the log-likelihood of Davidson 1970, equation 2.5.

    Its parameters are log-worths, and the logarithm of θ last where there are draws.
    """

    def __init__(self, won: Floats, drawn: Floats) -> None:
        self.n = len(won)
        self.lead = (won - won.T).sum(axis=1) / 2
        self.total = np.triu(won + won.T + drawn, 1)
        self.drawn = float(np.triu(drawn, 1).sum())

    def __call__(self, x: Floats) -> tuple[Floats, Floats]:
        """Log-likelihoods and gradients at x: (…, n_parameters)."""
        b = x[..., : self.n]
        half = (b[..., :, None] - b[..., None, :]) / 2
        up, down = np.exp(half), np.exp(-half)
        theta = np.exp(x[..., self.n :]) if self.drawn else np.zeros((*b.shape[:-1], 1))
        sums = up + down + theta[..., None]
        value = (b * self.lead).sum(axis=-1) - (self.total * np.log(sums)).sum((-2, -1))
        pull = self.total * (up - down) / sums / 2
        gradient = self.lead - pull.sum(axis=-1) + pull.sum(axis=-2)
        if not self.drawn:
            return value, gradient
        value = value + self.drawn * x[..., -1]
        expected = (self.total * theta[..., None] / sums).sum((-2, -1))
        last = (self.drawn - expected)[..., None]
        return value, np.concatenate([gradient, last], axis=-1)


def _peak(density: _Density, start: Floats) -> tuple[Floats, Floats]:
    """Where a log-density is largest, to the last digits, and its curvature there."""
    from scipy.optimize import minimize

    def loss(x: Floats) -> tuple[float, Floats]:
        value, gradient = density(x)
        return -float(value), -gradient

    x = minimize(loss, start, jac=True, method="BFGS").x
    step = 1e-5 * np.eye(len(x))
    for _ in range(20):  # Newton
        slopes = (density(x - step)[1] - density(x + step)[1]) / 2e-5
        curvature = (slopes + slopes.T) / 2
        # All worths times the same are the same: no step is taken in that direction.
        by = np.linalg.lstsq(curvature, density(x)[1], rcond=1e-9)[0]
        x = x + by
        if np.abs(by).max() < 1e-11:  # noqa: PLR2004 - what differences leave
            break
    return x, curvature


def bradley_terry(won: Floats, drawn: Floats, *, pseudo: float = PSEUDO) -> PairFit:
    """The most likely worths.

    won: (n_solvers, n_solvers) how often the row beat the column. drawn: likewise, symmetric. pseudo: wins
    and losses of each against a hypothetical solver; 0: none.

    Where each pair met equally often and pseudo is 0, the order is that of wins and half the draws.

    Raises:
        AslibError: pseudo is 0 and the most likely worth of some solver is 0 or 1.

    Source: Bradley and Terry 1952; Davidson 1970, on extending it to ties; Turner et al. 2020 (pseudo).
    """
    n = len(won)
    if pseudo:
        won, drawn = np.pad(won, (0, 1)).astype(float), np.pad(drawn, (0, 1))
        won[:n, n] = won[n, :n] = pseudo
    elif not _connected(won + drawn / 2):
        what = "some solvers never lose to the others: their worth is infinite"
        raise AslibError(what)
    pairs = _Pairs(won, drawn)
    found, _ = _peak(pairs, np.zeros(len(won) + bool(pairs.drawn)))
    worths = np.exp(found[:n] - found[:n].max())
    tie = float(np.exp(found[-1])) if pairs.drawn else 0.0
    return PairFit(worths / worths.sum(), tie)


def _connected(beats: Floats) -> bool:
    from scipy.sparse.csgraph import connected_components

    count, _ = connected_components(beats > 0, connection="strong")
    return bool(count == 1)


def bradley_terry_posterior(
    won: Floats, drawn: Floats, *, rng: np.random.Generator, draws: int
) -> tuple[Floats, Floats]:
    """Draws of the worths, (draws, n_solvers), and of θ, (draws,).

    Log-worths are normal with mean 0 and a common standard deviation,
    whose logarithm is normal with mean 0 and standard deviation 0.5; log θ is standard normal, where Wainer
    lets its standard deviation vary, too.

    Sampled by 50 chains of Hamiltonian steps in the coordinates in which the posterior is nearly a standard
    normal, after 20 steps each that are left out.

    Source: Wainer 2022, arXiv 2208.04935; Davidson 1970 for the draws.
    """
    pairs = _Pairs(won, drawn)
    n = pairs.n

    def target(x: Floats) -> tuple[Floats, Floats]:
        """Log-posterior and gradient; x: log-worths, log θ if any, log deviation."""
        value, gradient = pairs(x[..., :-1])
        log_sigma, b = x[..., -1], x[..., :n]
        precision = np.exp(-2 * log_sigma)
        squares = (b**2).sum(axis=-1) * precision
        value = value - squares / 2 - n * log_sigma - log_sigma**2 / (2 * 0.25)
        gradient = np.concatenate([gradient, np.zeros((*b.shape[:-1], 1))], axis=-1)
        gradient[..., :n] -= b * precision[..., None]
        gradient[..., -1] = squares - n - log_sigma / 0.25
        if pairs.drawn:
            value = value - x[..., n] ** 2 / 2
            gradient[..., n] -= x[..., n]
        return value, gradient

    mode, curvature = _peak(target, np.zeros(n + bool(pairs.drawn) + 1))
    values, vectors = np.linalg.eigh(curvature)
    root = vectors / np.sqrt(np.maximum(values, 1e-3))
    chains = mode + rng.standard_normal((_CHAINS, len(mode))) @ root.T
    value, gradient = target(chains)
    kept = []
    for turn in range(_WARM_UP + -(-draws // _CHAINS)):
        momentum = rng.standard_normal(chains.shape)
        energy = value - (momentum**2).sum(axis=-1) / 2
        x, slope, p = chains, gradient, momentum
        step = _STEP * rng.uniform(0.6, 1.4)
        for _ in range(_STEPS):
            p = p + step / 2 * slope @ root
            x = x + step * p @ root.T
            reached, slope = target(x)
            p = p + step / 2 * slope @ root
        with np.errstate(over="ignore", invalid="ignore"):
            change = reached - (p**2).sum(axis=-1) / 2 - energy
        taken = np.log(rng.uniform(size=_CHAINS)) < change
        chains = np.where(taken[:, None], x, chains)
        gradient = np.where(taken[:, None], slope, gradient)
        value = np.where(taken, reached, value)
        if turn >= _WARM_UP:
            kept.append(chains)
    drawn_ = np.concatenate(kept)[:draws]
    worths = np.exp(drawn_[:, :n])
    ties = np.exp(drawn_[:, n]) if pairs.drawn else np.zeros(len(drawn_))
    return worths / worths.sum(axis=1, keepdims=True), ties


@dataclass(frozen=True, eq=False)
class Choices:
    """Who comes next, of those who are left.

    left: (n_sets, n_solvers), 1 for those who are left. times: (n_sets,) how often one of them was chosen.
    chosen: (n_solvers,) how often each was.
    """

    left: Floats
    times: Floats
    chosen: Floats

    def with_pseudo(self, pseudo: float) -> Choices:
        """With a hypothetical solver last, that each beats and loses to so often."""
        n = len(self.chosen)
        pairs = np.hstack([np.eye(n), np.ones((n, 1))])
        return Choices(
            np.vstack([np.pad(self.left, ((0, 0), (0, 1))), pairs]),
            np.append(self.times, np.full(n, 2 * pseudo)),
            np.append(self.chosen + pseudo, n * pseudo),
        )


def choices_of(costs: Floats, finished: NDArray[np.bool_]) -> Choices:
    """The order of each instance as choices.

    costs: (n_instances, n_solvers), lower is better, nan = takes no part. finished: of the same shape. Who
    did not finish is behind all who did, in no order among each other: nothing is chosen of them. Equal
    costs are chosen one by one from all who
    are left before the first of them (Breslow 1974). One who is alone is no choice.
    """
    there = np.isfinite(costs)
    done = there & finished
    sets, chosen = [], np.zeros(costs.shape[1])
    for s in range(costs.shape[1]):
        left = there & ((costs >= costs[:, s : s + 1]) | ~done)
        own = left[done[:, s] & (left.sum(axis=1) > 1)]
        chosen[s] = len(own)
        sets.append(own)
    packed, times = np.unique(np.concatenate(sets), axis=0, return_counts=True)
    return Choices(packed.astype(float), times.astype(float), chosen)


def plackett_luce(choices: Choices, *, pseudo: float = PSEUDO) -> Floats:
    """The most likely worths: (n_solvers,), summing to 1.

    pseudo: as of ``bradley_terry``, which this is where two take part at a time.

    Edge cases: with pseudo 0 who is never chosen is worth 0.

    Source: Plackett 1975; Luce 1959; Hunter 2004, equation 30, whose steps are taken with those of Newton
        at the end; Turner et al. 2020 (pseudo).
    """
    if pseudo:
        worths = plackett_luce(choices.with_pseudo(pseudo), pseudo=0.0)[:-1]
        return np.asarray(worths / worths.sum())
    # Who was never chosen is worth 0, and of no set alone, as one of each was chosen.
    ever = choices.chosen > 0
    if not ever.any():
        return np.full(len(choices.chosen), 1 / len(choices.chosen))
    left, chosen, times = choices.left[:, ever], choices.chosen[ever], choices.times

    def density(x: Floats) -> tuple[Floats, Floats]:
        worths = np.exp(x)
        sums = worths @ left.T
        value = x @ chosen - np.log(sums) @ times
        return value, chosen - worths * ((times / sums) @ left)

    x, _ = _peak(density, np.zeros(len(chosen)))
    found = np.zeros(len(choices.chosen))
    found[ever] = np.exp(x - x.max())
    return np.asarray(found / found.sum())


def plackett_luce_posterior(choices: Choices, *, rng: np.random.Generator, draws: int) -> Floats:
    """Draws of the worths: (draws, n_solvers), each summing to 1.

    The worths have a uniform prior (Dirichlet with 1). Each choice adds a waiting time, given which the
    worths are gamma variates: Gibbs' sampler of Caron and Doucet. The first tenth, and 100 draws at least,
    are left out.

    Source: Caron and Doucet 2012, section 5; the prior and the probability of being best are those of
        Calvo, Ceberio and Lozano 2018.
    """
    worths = plackett_luce(choices) * len(choices.chosen)
    shape = 1.0 + choices.chosen
    found = np.empty((draws, len(choices.chosen)))
    skip = max(100, draws // 10)
    for turn in range(-skip, draws):
        waited = rng.gamma(choices.times, 1.0) / (choices.left @ worths)
        worths = rng.gamma(shape, 1.0 / (1.0 + waited @ choices.left))
        if turn >= 0:
            found[turn] = worths
    return np.asarray(found / found.sum(axis=1, keepdims=True))
