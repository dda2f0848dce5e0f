"""The solvers of each scenario, ranked in several ways."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from aslib_eval.analysis.families import by_attribute, codes_of, known_families
from aslib_eval.analysis.runs import pivot
from aslib_eval.database.open_lake import OpenLake
from aslib_eval.errors import AslibError
from aslib_eval.extensions.orderings.metrics.majority import (
    Counts,
    Kemeny,
    careful,
    condorcet_winner,
    draws,
    kemeny,
    wins,
)
from aslib_eval.extensions.orderings.metrics.utility import mean_utilities, reigns
from aslib_eval.extensions.orderings.statistics.skillings_mack import skillings_mack
from aslib_eval.extensions.orderings.statistics.worths import (
    Choices,
    bradley_terry,
    choices_of,
    plackett_luce,
)
from aslib_eval.extensions.orderings.words import WAYS, Drawn, Way
from aslib_eval.metrics.ranking import kendall_tau_b, ranks
from aslib_eval.metrics.runs import Floats
from aslib_eval.text import list_names, plural
from aslib_eval.words import SweptKind

LABELS = ("protocol", "scenario_id", "measure", "kind")
_LEAST = 2  # solvers that can be ordered
# Scores that differ by less share a place: what computing leaves.
_ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class SolverCosts:
    """What the solvers of a scenario have on each instance.

    labels: protocol (name@hash), scenario, measure and kind. solvers: by name. costs: (n_instances,
    n_solvers), nan = none. finished: of the same shape, whether there is a result. used: shares of the
    cutoff, infinite where there is none; None for a quality. whole: whether the repetitions of each run
    agree on that. delta, relative: costs that differ by at most this are a draw of the pair. families: of
    each instance; empty where each is independent.
    """

    labels: tuple[str, str, str, str]
    solvers: tuple[str, ...]
    costs: Floats
    finished: NDArray[np.bool_]
    used: Floats | None
    whole: bool = True
    delta: float = 0.0
    relative: bool = False
    families: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """Scenario, protocol and measure, for a sentence."""
        protocol, scenario, measure, _ = self.labels
        return f"{scenario}, {protocol.partition('@')[0]}, {measure}"

    @cached_property
    def won(self) -> Counts:
        """Instances that each solver wins against each other."""
        return wins(self.costs, delta=self.delta, relative=self.relative)

    @cached_property
    def drawn(self) -> Counts:
        """Instances on which neither wins."""
        return draws(self.costs, self.won)

    @cached_property
    def kemeny(self) -> Kemeny:
        """The Kemeny order, of several the nearest to that by mean cost."""
        near = np.nan_to_num(self.costs.mean(axis=0), nan=np.inf)
        return kemeny(self.won, near=near)

    @cached_property
    def clusters(self) -> NDArray[np.int64] | None:
        """(n_instances,) codes of the families; None where each is independent."""
        return codes_of(self.families)

    @cached_property
    def choices(self) -> Choices:
        """The orders of the instances as choices."""
        return choices_of(self.costs, self.finished)

    def of(self, solvers: Sequence[int]) -> SolverCosts:
        """Of some solvers alone; who is named twice has a copy."""
        at = list(solvers)
        copies = {i: at[:i].count(s) for i, s in enumerate(at)}
        names = (self.solvers[s] + " (copy)" * copies[i] for i, s in enumerate(solvers))
        return replace(
            self,
            solvers=tuple(names),
            costs=self.costs[:, at],
            finished=self.finished[:, at],
            used=None if self.used is None else self.used[:, at],
        )


def contests(lake: OpenLake, *, kind: SweptKind | None, draw: Drawn | None = None) -> Iterator[SolverCosts]:
    """The solvers of all scenarios and protocols of a lake, two at least.

    draw: whether families are independent, or instances; None for families where they are known.

    Raises:
        AslibError: there are no families to draw.
    """
    frame = lake.ask("ordered_runs", {"kind": kind})
    protocols = {protocol.protocol: protocol for protocol in lake.protocols}
    by_tag = {
        str(tag): protocols[str(name)]
        for tag, name in lake.ask("select tag, protocol from protocol").rows()
    }
    for labels, part in frame.group_by(*LABELS, maintain_order=True):
        tag, scenario, measure, of = map(str, labels)
        made = pivot(part, rows=["instance_id"], columns=["solver"])
        solvers = tuple(made.columns["solver"].cast(str).to_list())
        if len(solvers) < _LEAST:
            continue
        timed = part["used"].null_count() < part.height
        costs, protocol = made.table("cost"), by_tag[tag]
        finished = made.table("finished") > 0 if timed else np.isfinite(costs)
        used = np.where(finished, made.table("used"), np.inf) if timed else None
        if used is not None:
            used[np.isnan(costs)] = np.nan
        instances = made.rows["instance_id"].cast(str).to_list()
        known: tuple[str, ...] = ()
        if draw != "instance":
            each = by_attribute(lake, scenario, instances)
            known = known_families(instances, dict(zip(instances, each, strict=False)))
        if draw == "family" and not known:
            what = f"{scenario} has no families to draw"
            raise AslibError(what, "--draw family", "Leave it out.")
        yield SolverCosts(
            (tag, scenario, measure, of),
            solvers,
            costs,
            finished,
            used,
            bool(part["whole"].fill_null(value=True).all()),
            protocol.borda_delta if timed else 0.0,
            protocol.borda_delta_kind == "relative",
            known,
        )


# The ways: each gives a score for each solver, lower is better, nan = not ranked.


def _by_cost(contest: SolverCosts) -> Floats:
    return np.asarray(contest.costs.mean(axis=0))


def _by_utility(contest: SolverCosts, horizon: float = 1.0) -> Floats:
    if contest.used is None:
        return np.full(len(contest.solvers), np.nan)
    if horizon < 1 and not contest.whole:
        what = f"{contest.labels[1]} has runs of which some repetitions are solved"
        hint = "What they are worth before the cutoff is not known: use --horizon 1."
        raise AslibError(what, None, hint)
    # Of runs of which some are solved, the unsolved took the whole cutoff: worth 0.
    return -mean_utilities(contest.used, horizon=horizon)


def _by_pairs(contest: SolverCosts) -> Floats:
    fit = bradley_terry(contest.won.astype(float), contest.drawn.astype(float))
    return -np.log(fit.worths)


# Of all ways but utility, which takes a horizon.
SCORES: Mapping[Way, Callable[[SolverCosts], Floats]] = {
    "cost": _by_cost,
    "careful": lambda contest: careful(contest.won).places,
    "kemeny": lambda contest: np.array(contest.kemeny.places, float),
    "bradley-terry": _by_pairs,
    "plackett-luce": lambda contest: -np.log(plackett_luce(contest.choices)),
    "skillings-mack": lambda contest: skillings_mack(contest.costs).means,
}


def places(contest: SolverCosts, way: Way, *, horizon: float = 1.0) -> Floats:
    """The place of each solver, from 1; equal ones share it, nan = not ranked.

    Raises:
        AslibError: for a Kemeny order of more than 40 solvers in one cycle, and for a horizon below the
            cutoff where only some repetitions are solved.
    """
    scores = _by_utility(contest, horizon) if way == "utility" else SCORES[way](contest)
    size = float(np.nanmax(np.abs(scores), initial=0.0))
    return ranks(scores, higher_is_better=False, tolerance=_ROUNDING * max(size, 1e-300))


def all_places(contest: SolverCosts, *, horizon: float = 1.0) -> tuple[dict[Way, Floats], list[str]]:
    """Places by all ways, and what is to be said of those that have none."""
    found: dict[Way, Floats] = {}
    said = []
    for way in WAYS:
        try:
            found[way] = places(contest, way, horizon=horizon)
        except AslibError as error:
            found[way] = np.full(len(contest.solvers), np.nan)
            said.append(f"{contest.title}: no order by {way}: {error.message}")
    missing = np.isnan(contest.costs).any(axis=0)
    if missing.any():
        names = list_names(np.array(contest.solvers)[missing].tolist(), quoted=False)
        said.append(
            f"{contest.title}: no place by cost and utility, for want of a run on some instance: {names}"
        )
    return found, said


def sentence(contest: SolverCosts, found: Mapping[Way, Floats]) -> str:
    """Who is first by which ways, the Condorcet winner, and the cycles."""
    first: dict[tuple[str, ...], list[str]] = {}
    for way, own in found.items():
        who = tuple(np.array(contest.solvers)[own == 1].tolist())
        if who:
            first.setdefault(who, []).append(way)
    parts = [
        f"{list_names(who, quoted=False)} {'is' if len(who) == 1 else 'are'} first by "
        f"{list_names(ways, quoted=False)}"
        for who, ways in first.items()
    ]
    winner = condorcet_winner(contest.won)
    parts.append("no Condorcet winner" if winner is None else f"Condorcet winner {contest.solvers[winner]}")
    parts += [
        f"a cycle of {list_names([contest.solvers[s] for s in cycle], quoted=False)}"
        for cycle in careful(contest.won).cycles
    ]
    return f"{contest.title}: {'; '.join(parts)}"


def agreement(one: Floats, two: Floats) -> float | None:
    """Kendall's tau-b of the solvers that both rank; None where one ties all."""
    both = ~np.isnan(one) & ~np.isnan(two)
    return kendall_tau_b(one[both], second=two[both]) if both.any() else None


def first_of(contest: SolverCosts, found: Floats) -> str:
    """Who is first, by name."""
    return list_names(np.array(contest.solvers)[found == 1].tolist(), quoted=False)


def frame_of(
    rows: Sequence[tuple[SolverCosts, tuple[Any, ...]]],
    columns: Mapping[str, type[float | int | str | bool]],
) -> pl.DataFrame:
    """Rows, and before them the labels of their scenario and its instances."""
    schema = {**dict.fromkeys(LABELS, str), "n": int, **columns}
    data = [(*contest.labels, len(contest.costs), *cells) for contest, cells in rows]
    return pl.DataFrame(data, schema=schema, orient="row")


Ranked = Sequence[tuple[SolverCosts, Mapping[Way, Floats]]]


def places_frame(made: Ranked) -> pl.DataFrame:
    """A row a solver, best by mean cost first: its place by each way."""
    rows = []
    for contest, found in made:
        own = np.nan_to_num(found["cost"], nan=np.inf)
        for s in sorted(range(len(own)), key=lambda s: (own[s], contest.solvers[s])):
            cells = [found[way][s] for way in WAYS]
            whole = [None if np.isnan(cell) else int(cell) for cell in cells]
            rows.append((contest, (contest.solvers[s], *whole)))
    ways = {way.replace("-", "_"): int for way in WAYS}
    return frame_of(rows, {"solver": str, **ways})


def agreement_frame(made: Ranked) -> pl.DataFrame:
    """A row for each two ways: Kendall's tau-b of their places, and who is first.

    Of the solvers that both rank; tau is null where one of them ranks none apart.
    """
    rows = []
    for contest, found in made:
        for way, other in combinations(WAYS, 2):
            one, two = found[way], found[other]
            k = int((~np.isnan(one) & ~np.isnan(two)).sum())
            if k:
                swapped = int(((one[:, None] < one) & (two[:, None] > two)).sum())
                firsts = first_of(contest, one), first_of(contest, two)
                same = firsts[0] == firsts[1]
                tau = agreement(one, two)
                rows.append((contest, (way, other, k, tau, swapped, *firsts, same)))
    columns = {"way": str, "other": str, "n_solvers": int, "tau": float}
    columns |= {"swapped_pairs": int, "first": str, "other_first": str}
    return frame_of(rows, {**columns, "same_first": bool})


def horizons_frame(made: Sequence[SolverCosts]) -> tuple[pl.DataFrame, list[str]]:
    """A row for each range of horizons with the same first solver by utility."""
    rows, said = [], []
    for contest in made:
        used = contest.used
        there = ~np.isnan(contest.costs).any(axis=0)
        if used is None or not contest.whole or not there.any():
            why = "is no runtime" if used is None else "has repetitions that differ"
            if not there.any():
                why = "has no solver with all runs"
            said.append(f"{contest.title}: no horizons, as it {why}")
            continue
        names = np.array(contest.solvers)[there]
        found = reigns(used[:, there])
        for reign in found:
            first = list_names(names[list(reign.first)].tolist(), quoted=False)
            rows.append((contest, (reign.low, reign.high, first)))
        changes = plural(len(found) - 1, "change")
        said.append(f"{contest.title}: {changes} of the first solver up to the cutoff")
    return frame_of(rows, {"low": float, "high": float, "first": str}), said
