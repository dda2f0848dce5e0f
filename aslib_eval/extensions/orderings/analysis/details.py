"""What a way says beside places: worths, margins, intervals and chances."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import polars as pl

from aslib_eval.extensions.orderings.analysis.orders import LABELS, SolverCosts, places
from aslib_eval.extensions.orderings.metrics.majority import careful, condorcet_winner, leads
from aslib_eval.extensions.orderings.metrics.sandwich import (
    choice_scores,
    log_worths_of,
    pair_scores,
    spread_by_scores,
    worths_of,
)
from aslib_eval.extensions.orderings.metrics.utility import mean_utilities
from aslib_eval.extensions.orderings.statistics.skillings_mack import skillings_mack
from aslib_eval.extensions.orderings.statistics.worths import (
    bradley_terry,
    bradley_terry_posterior,
    plackett_luce,
    plackett_luce_posterior,
)
from aslib_eval.extensions.orderings.words import Way
from aslib_eval.metrics.runs import Floats
from aslib_eval.statistics.families import FEWEST, sums_of
from aslib_eval.text import list_names, number, plural

_TAILS = (0.025, 0.975)
_TEXTS = {"cycle": pl.String}  # also where no solver has one


def details(
    contest: SolverCosts, way: Way, *, horizon: float, rope: float, draws: int, seed: int
) -> tuple[pl.DataFrame, str]:
    """A row a solver in the order of a way, with its own numbers, and a sentence."""
    rng = np.random.default_rng(seed)
    own = places(contest, way, horizon=horizon)
    k = len(contest.solvers)
    order = np.lexsort([np.arange(k), np.nan_to_num(own, nan=np.inf)]).tolist()
    order = list(contest.kemeny.order) if way == "kemeny" else order
    columns: dict[str, Any]
    if way == "careful":
        columns, said = _careful(contest)
    elif way == "kemeny":
        columns, said = _kemeny(contest)
    elif way == "bradley-terry":
        columns, said = _bradley_terry(contest, order, rope, rng, draws)
    elif way == "plackett-luce":
        columns, said = _plackett_luce(contest, rng, draws)
    elif way == "skillings-mack":
        columns, said = _skillings_mack(contest)
    elif way == "utility":
        used = np.full((1, k), np.nan) if contest.used is None else contest.used
        columns = {"utility": mean_utilities(used, horizon=horizon)}
        said = f"horizon {number(horizon)} of the cutoff"
    else:
        columns, said = {"mean_cost": contest.costs.mean(axis=0)}, "mean cost"
    whole = [None if np.isnan(place) else int(place) for place in own]
    head = zip(LABELS, contest.labels, strict=True)
    frame = pl.DataFrame(
        {
            **{name: [label] * k for name, label in head},
            "n": [len(contest.costs)] * k,
            "way": [way] * k,
            "place": pl.Series(whole, dtype=pl.Int64),
            "solver": list(contest.solvers),
            **{name: pl.Series(_cells(values), dtype=_TEXTS.get(name)) for name, values in columns.items()},
        }
    )
    return frame[order], f"{contest.title}: {said}"


def _cells(values: Any) -> list[Any]:
    found = values.tolist() if isinstance(values, np.ndarray) else list(values)
    return [None if isinstance(x, float) and np.isnan(x) else x for x in found]


def _careful(contest: SolverCosts) -> tuple[dict[str, Any], str]:
    """Whom each beats, and how surely it beats the nearest of those.

    z is (wins - losses) / sqrt(wins + losses), about normal if both were equal; of families the root of the
    sum of their squares.
    """
    won = contest.won
    decided = won + won.T
    if (codes := contest.clusters) is not None:
        for s in range(len(won)):
            lead = leads(contest.costs, s, delta=contest.delta, relative=contest.relative)
            decided[s] = np.square(sums_of(lead.astype(float), codes)).sum(axis=0)
    z = np.divide(won - won.T, np.sqrt(decided), out=np.zeros(won.shape),
                  where=decided > 0)  # fmt: skip
    beats, loses = won > won.T, won < won.T
    cycles = careful(won).cycles
    member = {s: cycle for cycle in cycles for s in cycle}
    columns = {
        "beats": beats.sum(axis=1),
        "loses_to": loses.sum(axis=1),
        "draws_with": len(won) - 1 - beats.sum(axis=1) - loses.sum(axis=1),
        "least_z": np.where(beats.any(axis=1), np.where(beats, z, np.inf).min(axis=1), np.nan),
        "cycle": [_list(contest, member[s]) if s in member else None for s in range(len(won))],
    }
    many = plural(len(cycles), "cycle")
    return columns, f"{many}; {_winner(contest)}"


def _winner(contest: SolverCosts) -> str:
    winner = condorcet_winner(contest.won)
    if winner is None:
        return "no solver beats all others"
    return f"{contest.solvers[winner]} beats all others (Condorcet winner)"


def _list(contest: SolverCosts, at: Sequence[int]) -> str:
    return list_names([contest.solvers[s] for s in at], most=len(at), quoted=False)


def _kemeny(contest: SolverCosts) -> tuple[dict[str, Any], str]:
    found = contest.kemeny
    k = len(found.order)
    over_next: list[int | None] = [None] * k
    against = np.zeros(k, np.int64)
    for at, s in enumerate(found.order):
        if at + 1 < k:
            after = found.order[at + 1]
            over_next[s] = int(contest.won[s, after] - contest.won[after, s])
        against[s] = sum(contest.won[later, s] for later in found.order[at + 1 :])
    proof = "proved optimal" if found.proved else f"at least {found.bound} are needed"
    other = {
        True: "no other order has as few",
        False: "other orders have as few; a place counts who is before in all of them",
        None: "others may have as few",
    }[found.unique]
    wins_ = plural(found.disagreements, "win contradicts", "wins contradict")
    said = f"{wins_} the order, {proof}; {other}; {_winner(contest)}"
    return {"margin_to_next": over_next, "contradicting": against}, said


def worths_by_pairs(contest: SolverCosts, *, rng: np.random.Generator, draws: int) -> Floats:
    """Draws of the worths of Bradley-Terry, (draws, n_solvers), over other samples.

    Other samples are other instances, or families where the contest has them; nan
    for one instance, and for fewer than five families.
    """
    won, drawn = contest.won.astype(float), contest.drawn.astype(float)
    found, ties = bradley_terry_posterior(won, drawn, rng=rng, draws=draws)
    logs = log_worths_of(found)
    mean, tie = logs.mean(axis=0), 0.0
    if drawn.any():
        logs = np.column_stack([logs, np.log(ties)])
        tie = float(np.exp(logs[:, -1].mean()))
    scores = pair_scores(contest.costs, mean, tie, delta=contest.delta, relative=contest.relative)
    return _over_samples(contest, logs, scores[:, : logs.shape[1]], rng)


def worths_by_orders(contest: SolverCosts, *, rng: np.random.Generator, draws: int) -> Floats:
    """Draws of the worths of Plackett-Luce, as ``worths_by_pairs`` has them."""
    logs = log_worths_of(plackett_luce_posterior(contest.choices, rng=rng, draws=draws))
    scores = choice_scores(contest.costs, contest.finished, logs.mean(axis=0))
    return _over_samples(contest, logs, scores, rng)


def _over_samples(contest: SolverCosts, logs: Floats, scores: Floats, rng: np.random.Generator) -> Floats:
    clusters, k = contest.clusters, len(contest.solvers)
    many = len(contest.costs) >= 2 if clusters is None else clusters.max() >= FEWEST - 1  # noqa: PLR2004
    if not many:
        return np.full((len(logs), k), np.nan)
    spread = spread_by_scores(logs, scores, rng=rng, clusters=clusters)
    return worths_of(spread[:, :k])


def _samples(contest: SolverCosts) -> str:
    """What the intervals hold over."""
    if not contest.families:
        return f"over other {plural(len(contest.costs), 'instance')}"
    n = len(set(contest.families))
    few = ", which are too few for intervals" if n < FEWEST else ""
    told = plural(n, "family", "families")
    return f"over other {told} of {plural(len(contest.costs), 'instance')}{few}"


def _worths(drawn: Floats) -> dict[str, Any]:
    if np.isnan(drawn).any():
        return dict.fromkeys(("low", "high", "best"), np.full(drawn.shape[1], np.nan))
    low, high = np.quantile(drawn, _TAILS, axis=0)
    firsts = drawn.argmax(axis=1)
    best = np.bincount(firsts, minlength=drawn.shape[1]) / len(drawn)
    return {"low": low, "high": high, "best": best}


def _bradley_terry(
    contest: SolverCosts, order: Sequence[int], rope: float, rng: np.random.Generator, draws: int
) -> tuple[dict[str, Any], str]:
    won, drawn = contest.won.astype(float), contest.drawn.astype(float)
    fit = bradley_terry(won, drawn)
    found = worths_by_pairs(contest, rng=rng, draws=draws)
    k = found.shape[1]
    better, equal = np.full(k, np.nan), np.full(k, np.nan)
    for one, two in pairwise(order):
        lead = found[:, one] / (found[:, one] + found[:, two]) - 0.5
        if not np.isnan(lead).any():
            better[one] = (lead > 0).mean()
            equal[one] = (np.abs(lead) <= rope).mean()
    columns = {"worth": fit.worths, **_worths(found), "better_than_next": better,
               "equivalent_to_next": equal}  # fmt: skip
    tied = fit.tie / (2 + fit.tie)
    said = (
        f"two equal solvers draw with a chance of {number(round(tied, 3))}; equivalent "
        f"to the next one: a chance of a win of 0.5 ± {number(rope)}; intervals and "
        f"chances {_samples(contest)}"
    )
    return columns, said


def _plackett_luce(
    contest: SolverCosts, rng: np.random.Generator, draws: int
) -> tuple[dict[str, Any], str]:
    found = worths_by_orders(contest, rng=rng, draws=draws)
    columns = {
        "worth": plackett_luce(contest.choices),
        **_worths(found),
        "first_on_next": found.mean(axis=0),
    }
    said = (
        "worth is the chance to be first on an instance, best the chance to have the "
        f"largest worth, {_samples(contest)}"
    )
    return columns, said


def _skillings_mack(contest: SolverCosts) -> tuple[dict[str, Any], str]:
    found = skillings_mack(contest.costs, contest.clusters)
    there = np.isfinite(contest.costs).sum(axis=0)
    columns = {"instances": there, "mean_adjusted_rank": found.means}
    p = number(float(f"{found.p:.3g}"))
    said = (
        f"statistic {number(round(found.statistic, 3))} on {found.n} instances, "
        f"p {p} with {plural(found.df, 'degree')} of freedom"
    )
    if contest.families:
        said += f", {_samples(contest)}"
    return columns, said
