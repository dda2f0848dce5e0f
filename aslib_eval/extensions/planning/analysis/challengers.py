"""Comparing a new solver with an incumbent on few instances, for ``plan solver``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from aslib_eval.analysis.runs import Group, groups
from aslib_eval.database.open_lake import OpenLake
from aslib_eval.errors import AslibError
from aslib_eval.extensions.planning.statistics.sequential_comparison import (
    StoppedComparison,
    peeking_test,
    sampling_order,
    sequential_test,
)
from aslib_eval.extensions.planning.words import BetterBy
from aslib_eval.metrics.runs import Floats
from aslib_eval.text import one_of, plural

_MIXED = 0.5  # share of the odds that does not depend on the instance
_LEAST = 1e-3  # cutoffs: what an instance takes at least
_EQUAL = 1e-12
_RULES = (("random", "bets"), ("discriminating", "bets"), ("random", "peeking"))


@dataclass(frozen=True, eq=False)
class _Match:
    """What is known before a challenger runs, by instance: (n,) each.

    lower, upper: between which its advantage lies; expected: that of an average known algorithm; weights:
    odds by what tells algorithms apart per time.
    """

    lower: Floats
    upper: Floats
    expected: Floats
    weights: Floats
    time: Floats


def _match(costs: Floats, times: Floats, incumbent: int, known: list[int], by: BetterBy) -> _Match:
    """costs: shares of the largest, from 0 to 1; times: shares of the cutoff."""
    own, n = costs[:, incumbent], len(costs)
    others = [column for column in known if column != incumbent]
    gains = _advantages(own[:, None], costs[:, others], by)
    expected = gains.mean(axis=1) if others else np.zeros(n)
    apart = np.sqrt((gains**2).mean(axis=1)) if others else np.zeros(n)
    time = np.maximum(times[:, known].mean(axis=1), _LEAST)
    worth = apart / np.sqrt(time)
    mean = worth.mean()
    odds = np.ones(n) if mean <= 0 else (1 - _MIXED) * worth / mean + _MIXED
    if by == "mean":
        return _Match(own - 1, own, expected, odds, time)
    lower, upper = -(own < 1).astype(float), (own > 0).astype(float)
    return _Match(lower, upper, expected, odds, time)


def _advantages(own: Floats, other: Floats, by: BetterBy) -> Floats:
    gains = own - other
    gains[np.abs(gains) <= _EQUAL] = 0.0
    return gains if by == "mean" else np.sign(gains)


def plan_solver(
    lake: OpenLake,
    *,
    by: BetterBy = "mean",
    alpha: float = 0.05,
    incumbent: str | None = None,
    challenger: str | None = None,
    most: int = 200,
    seed: int = 1,
) -> pl.DataFrame:
    """Replay: how early each pair of algorithms could have been told apart.

    by: who is better has the lower mean cost (``mean``, PARk of the protocol) or wins on more instances
    (``wins``). Each algorithm is the challenger of each other one in turn, and the rest are known; of more
    than ``most`` pairs in a scenario so many are drawn from ``seed``, which draws the orders too. One row
    per protocol, scenario, measure, pair, order and stop: n (instances), n_run, reason, said and truth (1
    the challenger is better, -1 the incumbent, 0 equal; truth is over all instances), wrong, and time_saved
    (share of the challenger's time on all of them, an unsolved run counts its cutoff).

    Orders: ``random``, or ``discriminating``: half of the odds in proportion to how far known algorithms
    differ from the incumbent there, per root of the time they take. Stops: ``bets`` (``sequential_test``,
    error ``alpha``) and ``peeking`` (a t test after each instance, which does not keep its level). Runtime
    measures only.

    Source: after Matricon et al. 2021, Statistical comparison of algorithm performance through instance
    selection: replayed pairs, discrimination per time.
    """
    if most < 1:
        raise AslibError(f"{most} pairs are not at least one")
    rows: list[dict[str, Any]] = []
    for protocol in sorted(lake.protocols, key=lambda p: p.protocol):
        for group in groups(lake, protocol.protocol, kind="algorithm"):
            pairs = _pairs(group, incumbent, challenger, most, seed)
            worst = protocol.penalty * group.runs.cutoffs[:, None]
            costs = group.runs.par(protocol.penalty) / worst
            times = group.runs.par(1) / group.runs.cutoffs[:, None]
            for pair in pairs:
                rows += _replayed(group, costs, times, pair, by, alpha, seed)
    if not rows:
        raise AslibError("no scenario has two algorithms with runtimes")
    return pl.DataFrame(rows)


def _pairs(
    group: Group, incumbent: str | None, challenger: str | None, most: int, seed: int
) -> list[tuple[int, int]]:
    for name in (incumbent, challenger):
        if name is not None and name not in group.names:
            message = f"there is no algorithm {name!r}"
            raise AslibError(message, group.scenario_id, one_of(name, group.names))
    several = range(len(group.names))
    pairs = [
        (a, b)
        for a in several
        for b in several
        if a != b
        and group.names[a] == (incumbent or group.names[a])
        and group.names[b] == (challenger or group.names[b])
    ]
    if len(pairs) <= most:
        return pairs
    chosen = np.random.default_rng(seed).choice(len(pairs), most, replace=False)
    return [pairs[place] for place in np.sort(chosen)]


def _replayed(
    group: Group, costs: Floats, times: Floats, pair: tuple[int, int], by: BetterBy, alpha: float, seed: int
) -> Iterator[dict[str, Any]]:
    own, new = pair
    known = [column for column in range(len(group.names)) if column != new]
    match = _match(costs, times, own, known, by)
    gains = _advantages(costs[:, own], costs[:, new], by)
    total = float(gains.sum())
    truth = int(np.sign(total)) * (abs(total) > _EQUAL * len(gains))
    spent = times[:, new] * group.runs.cutoffs
    for order, stop in _RULES:
        weights = match.weights if order == "discriminating" else np.ones(len(gains))
        rng = np.random.default_rng([seed, own, new])
        places = sampling_order(weights, rng=rng)
        stopped = _stopped(match, gains, weights, places, stop, alpha)
        whole = float(spent.sum())
        used = float(spent[places[: stopped.n_run]].sum())
        yield {
            "protocol": group.protocol,
            "scenario_id": group.scenario_id,
            "measure": group.measure,
            "incumbent": group.names[own],
            "challenger": group.names[new],
            "order": order,
            "stop": stop,
            "n": len(gains),
            "n_run": stopped.n_run,
            "reason": stopped.reason,
            "said": stopped.better,
            "truth": truth,
            "wrong": stopped.better != truth,
            "time_saved": 1 - used / whole if whole > 0 else None,
        }


def _stopped(
    match: _Match, gains: Floats, weights: Floats, places: NDArray[np.intp], stop: str, alpha: float
) -> StoppedComparison:
    if stop == "peeking":
        return peeking_test(gains[places], alpha=alpha)
    return sequential_test(
        gains[places],
        lower=match.lower[places],
        upper=match.upper[places],
        weights=weights[places],
        expected=match.expected[places],
        alpha=alpha,
    )


def replay_summary(pairs: pl.DataFrame) -> pl.DataFrame:
    """How much each way saves and how often it errs, over the pairs of each scenario.

    pairs: from ``plan_solver``. One row per protocol, scenario, measure, order and stop: n (instances),
    n_pairs, early (share of pairs that stop before the end), share_run (mean share of the instances run),
    time_saved (mean), correct and wrong (shares of the pairs).
    """
    keys = ["protocol", "scenario_id", "measure", "order", "stop"]
    return pairs.group_by(keys, maintain_order=True).agg(
        pl.col("n").max(),
        pl.len().cast(pl.Int64).alias("n_pairs"),
        (pl.col("n_run") < pl.col("n")).mean().alias("early"),
        (pl.col("n_run") / pl.col("n")).mean().alias("share_run"),
        pl.col("time_saved").mean(),
        (~pl.col("wrong")).mean().alias("correct"),
        pl.col("wrong").mean().alias("wrong"),
    )


def replay_notes(pairs: pl.DataFrame) -> list[str]:
    """A sentence for each way to order and stop, over all pairs of all scenarios.

    Of several protocols each names its own.
    """
    sentences = []
    several = pairs["protocol"].n_unique() > 1
    for part in pairs.partition_by("protocol", "order", "stop", maintain_order=True):
        first = part.row(0, named=True)
        n = plural(part.height, "pair")
        scenarios = plural(part["scenario_id"].n_unique(), "scenario")
        early = part.filter(pl.col("n_run") < pl.col("n"))
        saved = part["time_saved"].drop_nulls().to_list()
        wrong = part.filter("wrong").height
        under = f"{first['protocol'].partition('@')[0]}, " if several else ""
        share = "no time" if not saved else f"{np.mean(saved):.0%} of the time"
        sentences.append(
            f"{under}{first['order']}, {first['stop']}: of {n} in {scenarios} "
            f"{early.height} stop early; {share} is saved on average, "
            f"{plural(wrong, 'decision')} {'is' if wrong == 1 else 'are'} wrong "
            f"({wrong / part.height:.2%})."
        )
    return sentences


def instance_order(lake: OpenLake, *, incumbent: str, by: BetterBy = "mean", seed: int = 1) -> pl.DataFrame:
    """The discriminating order in which to run a new solver against an incumbent.

    One row per protocol, scenario, measure and instance, in order: its weight, bounds of the advantage and
    the expected one, which ``sequential_test`` takes (in k cutoffs, or wins), and the mean time of the
    known algorithms [scenario time unit].
    """
    frames = []
    for protocol in sorted(lake.protocols, key=lambda p: p.protocol):
        for group in groups(lake, protocol.protocol, kind="algorithm"):
            _pairs(group, incumbent, None, 1, seed)
            worst = protocol.penalty * group.runs.cutoffs[:, None]
            costs = group.runs.par(protocol.penalty) / worst
            times = group.runs.par(1) / group.runs.cutoffs[:, None]
            own, known = group.names.index(incumbent), list(range(len(group.names)))
            match = _match(costs, times, own, known, by)
            places = sampling_order(match.weights, rng=np.random.default_rng(seed))
            columns = {
                "place": np.arange(1, len(places) + 1),
                "instance_id": [group.instances[i] for i in places],
                "weight": match.weights[places],
                "lower": match.lower[places],
                "upper": match.upper[places],
                "expected": match.expected[places],
                "time": (match.time * group.runs.cutoffs)[places],
            }
            about = (group.protocol, group.scenario_id, group.measure)
            keys = ("protocol", "scenario_id", "measure")
            named = (pl.lit(v).alias(k) for k, v in zip(keys, about, strict=True))
            frames.append(pl.DataFrame(columns).select(*named, pl.all()))
    if not frames:
        raise AslibError("no scenario has two algorithms with runtimes")
    return pl.concat(frames)
