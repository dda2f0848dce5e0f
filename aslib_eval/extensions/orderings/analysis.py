"""Orders of the solvers of a lake."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from aslib_eval.analysis.results import ScenarioResults
from aslib_eval.analysis.runs import by_attribute, codes_of, known_families, pivot, usual_kind
from aslib_eval.database.open_lake import OpenLake
from aslib_eval.errors import AslibError
from aslib_eval.extensions.orderings import metrics
from aslib_eval.figures.catalogue import FigureEntry
from aslib_eval.figures.chart import FAINTEST, Band, Boxes, Chart
from aslib_eval.metrics.ranking import kendall_tau_b, ranks
from aslib_eval.metrics.scale import Floats
from aslib_eval.options import SweptKind
from aslib_eval.statistics.means import FEWEST, sums_of
from aslib_eval.text import join_words, list_names, number, plural

LABELS = ("protocol", "scenario_id", "measure", "kind")
_LEAST = 2  # solvers that can be ordered
# Scores that differ by less share a place: what computing leaves.
_ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class SolverCosts:
    """Costs and results of the solvers of a scenario on each instance.

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
    def won(self) -> metrics.Counts:
        """Instances that each solver wins against each other."""
        return metrics.wins(self.costs, delta=self.delta, relative=self.relative)

    @cached_property
    def drawn(self) -> metrics.Counts:
        """Instances on which neither wins."""
        return metrics.draws(self.costs, self.won)

    @cached_property
    def kemeny(self) -> metrics.Kemeny:
        """The Kemeny order, of several the nearest to that by mean cost."""
        return metrics.kemeny(self.won, near=np.nan_to_num(self.costs.mean(axis=0), nan=np.inf))

    @cached_property
    def clusters(self) -> NDArray[np.int64] | None:
        """(n_instances,) codes of the families; None where each is independent."""
        return codes_of(self.families)

    @cached_property
    def choices(self) -> metrics.Choices:
        """The orders of the instances as choices."""
        return metrics.choices_of(self.costs, self.finished)

    def of(self, solvers: Sequence[int]) -> SolverCosts:
        """Only some solvers; one that is named twice has a copy."""
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


def contests(lake: OpenLake, *, kind: SweptKind | None, draw: str | None = None) -> Iterator[SolverCosts]:
    """The solvers of all scenarios and protocols of a lake, two at least.

    draw: whether families are independent, or instances; None for families where they are known.
    """
    frame = lake.ask("ordered_runs", {"kind": kind})
    protocols = {protocol.tag: protocol for protocol in lake.protocols}
    for labels, part in frame.group_by(*LABELS, maintain_order=True):
        tag, scenario, measure, of = map(str, labels)
        made = pivot(part, rows=["instance_id"], columns=["solver"])
        solvers = tuple(made.columns["solver"].cast(str).to_list())
        if len(solvers) < _LEAST:
            continue
        timed = part["used"].null_count() < part.height
        costs, protocol = made.table("cost"), protocols[tag]
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
            raise AslibError(f"{scenario} has no families to draw", "--draw family", "Leave it out.")
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


def _by_utility(contest: SolverCosts, horizon: float = 1.0) -> Floats:
    if contest.used is None:
        return np.full(len(contest.solvers), np.nan)
    if horizon < 1 and not contest.whole:
        raise AslibError(
            f"{contest.labels[1]} has runs of which some repetitions are solved",
            None,
            "Their worth before the cutoff is unknown: use --horizon 1.",
        )
    # Of runs of which some are solved, the unsolved took the whole cutoff: worth 0.
    return -metrics.mean_utilities(contest.used, horizon=horizon)


def _by_pairs(contest: SolverCosts) -> Floats:
    return -np.log(metrics.bradley_terry(contest.won.astype(float), contest.drawn.astype(float)).worths)


# Of all ways but utility, which takes a horizon.
SCORES: Mapping[str, Callable[[SolverCosts], Floats]] = {
    "cost": lambda contest: np.asarray(contest.costs.mean(axis=0)),
    "careful": lambda contest: metrics.careful(contest.won).places,
    "kemeny": lambda contest: np.array(contest.kemeny.places, float),
    "bradley-terry": _by_pairs,
    "plackett-luce": lambda contest: -np.log(metrics.plackett_luce(contest.choices)),
    "skillings-mack": lambda contest: metrics.skillings_mack(contest.costs).means,
}


# The order by mean cost is the first, which the others stand beside.
WAYS: tuple[str, ...] = (
    *("cost", "utility", "careful", "kemeny"),
    *("bradley-terry", "plackett-luce", "skillings-mack"),
)


def places(contest: SolverCosts, way: str, *, horizon: float = 1.0) -> Floats:
    """The place of each solver, from 1; equal ones share it, nan = not ranked."""
    scores = _by_utility(contest, horizon) if way == "utility" else SCORES[way](contest)
    size = float(np.nanmax(np.abs(scores), initial=0.0))
    return ranks(scores, higher_is_better=False, tolerance=_ROUNDING * max(size, 1e-300))


def all_places(contest: SolverCosts, *, horizon: float = 1.0) -> tuple[dict[str, Floats], list[str]]:
    """Places by all ways, and what is to be said of those that have none."""
    found: dict[str, Floats] = {}
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
        said.append(f"{contest.title}: cost and utility do not rank solvers with missing runs: {names}")
    return found, said


def sentence(contest: SolverCosts, found: Mapping[str, Floats]) -> str:
    """The first solvers by each method, the Condorcet winner, and the cycles."""
    first: dict[tuple[str, ...], list[str]] = {}
    for way, own in found.items():
        who = tuple(np.array(contest.solvers)[own == 1].tolist())
        if who:
            first.setdefault(who, []).append(way)
    parts = [
        f"{join_words(who)} {'are tied first' if len(who) > 1 else 'is first'} by "
        f"{'all methods' if len(ways) == len(WAYS) else join_words(ways)}"
        for who, ways in first.items()
    ]
    parts += [_winner(contest)] + [
        f"{list_names([contest.solvers[s] for s in cycle], quoted=False)} beat each other in a cycle"
        for cycle in metrics.careful(contest.won).cycles
    ]
    return f"{contest.title}: {'. '.join(parts)}"


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


Ranked = Sequence[tuple[SolverCosts, Mapping[str, Floats]]]


def places_frame(made: Ranked) -> pl.DataFrame:
    """A row a solver, best by mean cost first: its place by each way."""
    rows = []
    for contest, found in made:
        own = np.nan_to_num(found["cost"], nan=np.inf)
        for s in sorted(range(len(own)), key=lambda s: (own[s], contest.solvers[s])):
            whole = [None if np.isnan(found[way][s]) else int(found[way][s]) for way in WAYS]
            rows.append((contest, (contest.solvers[s], *whole)))
    return frame_of(rows, {"solver": str, **{way.replace("-", "_"): int for way in WAYS}})


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
                rows.append((contest, (way, other, k, agreement(one, two), swapped, *firsts, same)))
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
            why = "the measure is not a runtime" if used is None else "some repetitions of a run differ"
            if not there.any():
                why = "every solver lacks a run"
            said.append(f"{contest.title}: horizons are unknown because {why}")
            continue
        names = np.array(contest.solvers)[there]
        found = metrics.reigns(used[:, there])
        for reign in found:
            first = list_names(names[list(reign.first)].tolist(), quoted=False)
            rows.append((contest, (reign.low, reign.high, first)))
        changes = plural(len(found) - 1, "time")
        said.append(
            f"{contest.title}: the best solver changes {changes} as the horizon grows to the cutoff"
        )
    return frame_of(rows, {"low": float, "high": float, "first": str}), said


def details(
    contest: SolverCosts, way: str, *, horizon: float, rope: float, draws: int, seed: int
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
        columns = {"utility": -_by_utility(contest, horizon)}
        said = f"the horizon is {number(horizon)} times the cutoff"
    else:
        columns, said = {"mean_cost": contest.costs.mean(axis=0)}, "places follow the mean cost"
    head = zip(LABELS, contest.labels, strict=True)
    frame = pl.DataFrame(
        {
            **{name: [label] * k for name, label in head},
            "n": [len(contest.costs)] * k,
            "way": [way] * k,
            "place": pl.Series(_cells(own), dtype=pl.Int64, strict=False),
            "solver": list(contest.solvers),
            # A cycle is a text also where no solver has one.
            **{
                name: pl.Series(_cells(values), dtype=pl.String if name == "cycle" else None)
                for name, values in columns.items()
            },
        }
    )
    return frame[order], f"{contest.title}: {said}"


def _cells(values: Any) -> list[Any]:
    found = values.tolist() if isinstance(values, np.ndarray) else list(values)
    return [None if isinstance(x, float) and np.isnan(x) else x for x in found]


def _careful(contest: SolverCosts) -> tuple[dict[str, Any], str]:
    """The solvers that each beats, and how surely it beats the nearest of them.

    z is (wins - losses) / sqrt(wins + losses), about normal if both were equal; of families the root of the
    sum of their squares.
    """
    won = contest.won
    decided = won + won.T
    if (codes := contest.clusters) is not None:
        for s in range(len(won)):
            lead = metrics.leads(contest.costs, s, delta=contest.delta, relative=contest.relative)
            decided[s] = np.square(sums_of(lead.astype(float), codes)).sum(axis=0)
    z = np.divide(won - won.T, np.sqrt(decided), out=np.zeros(won.shape), where=decided > 0)
    beats, loses = won > won.T, won < won.T
    cycles = metrics.careful(won).cycles
    member = {
        s: list_names([contest.solvers[each] for each in cycle], most=len(cycle), quoted=False)
        for cycle in cycles
        for s in cycle
    }
    columns = {
        "beats": beats.sum(axis=1),
        "loses_to": loses.sum(axis=1),
        "draws_with": len(won) - 1 - beats.sum(axis=1) - loses.sum(axis=1),
        "least_z": np.where(beats.any(axis=1), np.where(beats, z, np.inf).min(axis=1), np.nan),
        "cycle": [member.get(s) for s in range(len(won))],
    }
    return columns, f"the pairwise wins form {plural(len(cycles), 'cycle')}. {_winner(contest)}"


def _winner(contest: SolverCosts) -> str:
    winner = metrics.condorcet_winner(contest.won)
    if winner is None:
        return "No solver beats all others (no Condorcet winner)"
    return f"{contest.solvers[winner]} beats all others (Condorcet winner)"


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
    least = f"no order has fewer {'' if found.proved else f'than {found.bound} '}contradictions"
    other = {
        True: "every other order has more contradictions",
        False: f"{least}. Other orders have as few. A place counts the solvers ahead in all of them",
        None: f"{least}. Other orders may have as few",
    }[found.unique]
    wins_ = plural(found.disagreements, "win contradicts", "wins contradict")
    said = f"{wins_} this order, and {other}. {_winner(contest)}"
    return {"margin_to_next": over_next, "contradicting": against}, said


def worths_by_pairs(contest: SolverCosts, *, rng: np.random.Generator, draws: int) -> Floats:
    """Draws of the worths of Bradley-Terry, (draws, n_solvers), over other samples.

    Other samples are other instances, or families where the contest has them; nan
    for one instance, and for fewer than five families.
    """
    won, drawn = contest.won.astype(float), contest.drawn.astype(float)
    found, ties = metrics.bradley_terry_posterior(won, drawn, rng=rng, draws=draws)
    logs = metrics.log_worths_of(found)
    mean, tie = logs.mean(axis=0), 0.0
    if drawn.any():
        logs = np.column_stack([logs, np.log(ties)])
        tie = float(np.exp(logs[:, -1].mean()))
    scores = metrics.pair_scores(contest.costs, mean, tie, delta=contest.delta, relative=contest.relative)
    return _over_samples(contest, logs, scores[:, : logs.shape[1]], rng)


def worths_by_orders(contest: SolverCosts, *, rng: np.random.Generator, draws: int) -> Floats:
    """Draws of the worths of Plackett-Luce, as ``worths_by_pairs`` has them."""
    logs = metrics.log_worths_of(metrics.plackett_luce_posterior(contest.choices, rng=rng, draws=draws))
    scores = metrics.choice_scores(contest.costs, contest.finished, logs.mean(axis=0))
    return _over_samples(contest, logs, scores, rng)


def _over_samples(contest: SolverCosts, logs: Floats, scores: Floats, rng: np.random.Generator) -> Floats:
    clusters, k = contest.clusters, len(contest.solvers)
    many = len(contest.costs) >= 2 if clusters is None else clusters.max() >= FEWEST - 1  # noqa: PLR2004
    if not many:
        return np.full((len(logs), k), np.nan)
    return metrics.worths_of(metrics.spread_by_scores(logs, scores, rng=rng, clusters=clusters)[:, :k])


def _samples(contest: SolverCosts) -> str:
    if not contest.families:
        return f"a new sample of {plural(len(contest.costs), 'instance')}"
    n = len(set(contest.families))
    few = ", which are too few for intervals" if n < FEWEST else ""
    told = plural(n, "family", "families")
    return f"a new sample of {told} with {plural(len(contest.costs), 'instance')} in all{few}"


def _worths(drawn: Floats) -> dict[str, Any]:
    if np.isnan(drawn).any():
        return dict.fromkeys(("low", "high", "best"), np.full(drawn.shape[1], np.nan))
    low, high = np.quantile(drawn, (0.025, 0.975), axis=0)
    best = np.bincount(drawn.argmax(axis=1), minlength=drawn.shape[1]) / len(drawn)
    return {"low": low, "high": high, "best": best}


def _bradley_terry(
    contest: SolverCosts, order: Sequence[int], rope: float, rng: np.random.Generator, draws: int
) -> tuple[dict[str, Any], str]:
    won, drawn = contest.won.astype(float), contest.drawn.astype(float)
    fit = metrics.bradley_terry(won, drawn)
    found = worths_by_pairs(contest, rng=rng, draws=draws)
    k = found.shape[1]
    better, equal = np.full((2, k), np.nan)
    for one, two in pairwise(order):
        lead = found[:, one] / (found[:, one] + found[:, two]) - 0.5
        if not np.isnan(lead).any():
            better[one] = (lead > 0).mean()
            equal[one] = (np.abs(lead) <= rope).mean()
    columns = {"worth": fit.worths, **_worths(found), "better_than_next": better,
               "equivalent_to_next": equal}  # fmt: skip
    tied = fit.tie / (2 + fit.tie)
    said = (
        f"two equal solvers draw with probability {number(round(tied, 3))}. A solver is equivalent to the "
        f"next one if it wins with a probability of 0.5 ± {number(rope)}. Intervals and "
        f"probabilities hold for {_samples(contest)}"
    )
    return columns, said


def _plackett_luce(
    contest: SolverCosts, rng: np.random.Generator, draws: int
) -> tuple[dict[str, Any], str]:
    found = worths_by_orders(contest, rng=rng, draws=draws)
    columns = {
        "worth": metrics.plackett_luce(contest.choices),
        **_worths(found),
        "first_on_next": found.mean(axis=0),
    }
    said = (
        "worth is the probability of being first on an instance. best is the probability of having the "
        f"largest worth. Intervals and probabilities hold for {_samples(contest)}"
    )
    return columns, said


def _skillings_mack(contest: SolverCosts) -> tuple[dict[str, Any], str]:
    found = metrics.skillings_mack(contest.costs, contest.clusters)
    columns = {"instances": np.isfinite(contest.costs).sum(axis=0), "mean_adjusted_rank": found.means}
    p = number(float(f"{found.p:.3g}"))
    said = (
        f"the Skillings-Mack statistic is {number(round(found.statistic, 3))} on {found.n} instances "
        f"(p = {p}, {plural(found.df, 'degree')} of freedom)"
    )
    if contest.families:
        said += f". The test holds for {_samples(contest)}"
    return columns, said


# Gives what was tried, and in words what broke the law there, if it did.
_Tried = Iterator[str | None]


def third_solvers(contest: SolverCosts, way: str) -> _Tried:
    """Each solver left out, and all but each two: the others keep their order."""
    before = places(contest, way)
    everyone = set(range(len(before)))
    some = combinations(sorted(everyone), len(everyone) - 1)
    for rest in sorted({*some, *combinations(sorted(everyone), 2)}):
        if not 1 < len(rest) < len(everyone):  # nobody is left out, or nobody to swap
            continue
        names = [contest.solvers[s] for s in rest]
        swap = _swap(before[list(rest)], places(contest.of(rest), way), names)
        (gone, *more) = sorted(everyone - set(rest))
        without = "all other solvers" if more else contest.solvers[gone]
        yield swap and f"without {without}, {swap}"


def clones(contest: SolverCosts, way: str) -> _Tried:
    """A copy of each solver added: all others keep their order."""
    before = places(contest, way)
    n = len(before)
    for copied, name in enumerate(contest.solvers):
        swap = _swap(before, places(contest.of([*range(n), copied]), way)[:n], contest.solvers)
        yield swap and f"with a copy of {name}, {swap}"


def improvements(contest: SolverCosts, way: str) -> _Tried:
    """Each solver as good as the best of each instance on a tenth of them.

    Then it must not lose its place. The tenths are every tenth instance by name, from the first, the second
    and the third on.
    """
    before = places(contest, way)
    best = np.fmin.reduce(contest.costs, axis=1)
    used = contest.used
    least = None if used is None else np.fmin.reduce(used, axis=1)
    for s, name in enumerate(contest.solvers):
        for start in range(3):
            at = slice(start, None, 10)
            changed = replace(
                contest,
                costs=_set(contest.costs, at, s, best),
                finished=_set(contest.finished, at, s, contest.finished.any(axis=1)),
                used=used if used is None else _set(used, at, s, least),
            )
            after = places(changed, way)
            falls = f"{name} falls from {before[s]:g} to {after[s]:g} as it gets better"
            yield falls if after[s] > before[s] else None


def _set(table: Any, at: slice, solver: int, values: Any) -> Any:
    found = table.copy()
    found[at, solver] = np.where(~np.isnan(table[at, solver]), values[at], table[at, solver])
    return found


_LAWS: dict[str, Callable[[SolverCosts, str], _Tried]] = {
    "third solvers": third_solvers,
    "clones": clones,
    "improvements": improvements,
}


def _swap(before: Floats, after: Floats, names: Sequence[str]) -> str | None:
    """The first two of which one was ahead and is behind, or all that are so."""
    turned = (before[:, None] < before) & (after[:, None] > after)
    if not turned.any():
        return None
    one, two = np.argwhere(turned)[0].tolist()
    return f"{names[two]} is ahead of {names[one]}"


def laws_frame(made: Sequence[SolverCosts]) -> pl.DataFrame:
    """A row for each way and law: whether it broke, how often, and the first example.

    third solvers: leaving one out, or all but two, swaps no two others. clones: a copy of one swaps no two
    others. improvements: who gets better loses no place. A tie that comes or goes is no swap.
    """
    rows: list[tuple[SolverCosts, tuple[Any, ...]]] = []
    for contest in made:
        for way in WAYS:
            for law, tries in _LAWS.items():
                try:
                    found = list(tries(contest, way))
                    ranks_some = not np.isnan(places(contest, way)).all()
                except AslibError as error:  # too many solvers for an exact order
                    rows.append((contest, (way, law, None, 0, 0, error.message)))
                    continue
                broken = [each for each in found if each]
                example = broken[0] if broken else None
                if ranks_some:
                    kept = not broken if found else None
                    counts = len(found), len(broken), example
                    rows.append((contest, (way, law, kept, *counts)))
    columns = {"way": str, "law": str, "kept": bool, "n_tried": int, "n_broken": int}
    return frame_of(rows, {**columns, "example": str})


def orders_chart(results: ScenarioResults) -> Chart | None:
    """A box for each solver and way, the darker the better its place; None if alone."""
    if results.lake is None or results.matrix is None:
        return None
    kinds = [kind for kind, _ in results.matrix.solvers]
    for contest in contests(results.lake, kind=usual_kind(kinds)):
        if contest.labels[1:3] == (results.scenario_id, results.measure):
            return chart_of(contest, results.population)
    return None


def chart_of(contest: SolverCosts, population: str) -> Chart:
    """The chart of one scenario; solvers are in the order of their mean places."""
    found, _ = all_places(contest)
    ways = [way for way in WAYS if not np.isnan(found[way]).all()]
    table = np.column_stack([found[way] for way in ways])
    order = np.argsort(np.nanmean(table, axis=1), kind="stable")
    names = [contest.solvers[s] for s in order]
    most = max(float(np.nanmax(table)) - 1, 1.0)
    cells: list[list[Any]] = []
    for row, s in enumerate(order):
        for at, way in enumerate(ways):
            place = table[s, at]
            if not np.isnan(place):
                shade = round(max(1 - (place - 1) / most, FAINTEST), 3)
                tip = f"{contest.solvers[s]}: place {place:g} by {way}"
                box = [at - 0.48, at + 0.48, row - 0.48, row + 0.48]
                cells.append([*box, tip, "low", shade])
    scale = [
        Boxes((), name=f"place {number(round(1 + most * (1 - shade)))}", color="low",
              shade=max(shade, FAINTEST))
        for shade in (1.0, 0.0)
    ]  # fmt: skip
    firsts = {first_of(contest, found[way]) for way in ways}
    pairs = (agreement(found[a], found[b]) for a, b in combinations(ways, 2))
    taus = [tau for tau in pairs if tau is not None]
    about = (
        f"All methods put {next(iter(firsts))} first."
        if len(firsts) == 1
        else f"{len(ways)} methods put {len(firsts)} different solvers first."
    )
    if taus:
        least = number(round(min(taus), 2))
        about += f" The smallest Kendall's tau of two methods is {least}."
    return Chart(
        "Places by several ranking methods",
        about,
        Band(ways),
        Band(names),
        [Boxes(cells), *scale],
        population,
        row_height=24,
        max_width=760,
    )


ORDERS = FigureEntry(
    "ranks of the solvers by seven ranking methods", "scenario", needs="two solvers", make=orders_chart
)
