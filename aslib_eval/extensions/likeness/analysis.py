"""How far scenarios are apart, by profile, ranks and features.

Which scenarios are alike: by what algorithms do there, and by their features.

Three distances, which answer different questions and are never added up:

profile: between a few quantities without a unit that say how the algorithms of a scenario behave
    (``QUANTITIES``), each divided by its standard deviation over the scenarios asked about; the root of the
    mean square. It needs no common algorithm.
rank: (1 - rho) / 2 of Spearman's rho between the mean ranks of the common algorithms, ranked among
    themselves: 0 is the same order, 1 the opposite.
feature: the mean over the common features of the Kolmogorov-Smirnov distance between the distributions of
    their values: 0 is the same distribution, 1 no overlap. It is the same for any monotone scale of a
    feature, so that none has to be standardised.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from aslib_eval.database.open_lake import OpenLake
from aslib_eval.errors import AslibError
from aslib_eval.metrics.ranking import ranks
from aslib_eval.metrics.scale import Floats
from aslib_eval.text import one_of, plural

Row = tuple[object, ...]
# Quantity of a profile → its meaning; all from 0 to 1 but agreement, from -1.
QUANTITIES: Mapping[str, str] = {
    "ease": "share of the runs that are solved",
    "hopeless": "share of the instances that no algorithm solves",
    "leader": "share of the instances on which the most frequent best one is best",
    "evenness": "entropy of who is best on how many instances, over its largest value",
    "loss_of_best": "mean rank of the algorithm of the best mean rank, 0 = always best",
    "agreement": "mean rank correlation of two algorithms over the instances",
}
LIKE: tuple[str, ...] = (
    *("protocol", "scenario_id", "measure", "n", "profile_distance", "quantities"),
    *("differs_most", "rank_distance", "common_algorithms", "feature_distance"),
    *("common_features", "remark"),
)
PROFILES: tuple[str, ...] = (*("protocol", "scenario_id", "measure", "n", "algorithms"), *QUANTITIES)
LEAST_ALGORITHMS = 3
LEAST_SCENARIOS = 3  # of a standard deviation that says something


@dataclass(frozen=True, eq=False)
class CostProfile:
    """The costs of the algorithms of a scenario: (n_instances, n_algorithms).

    solved: share of the repetitions that are solved, of the same shape. title: the scenario's id, with the
    measure where there are several.
    """

    protocol: str
    scenario_id: str
    measure: str
    algorithms: tuple[str, ...]
    costs: Floats
    solved: Floats
    title: str

    @cached_property
    def places(self) -> Floats:
        """The rank of each algorithm on each instance; ties share the mean."""
        return ranks(self.costs, higher_is_better=False, ties="mean")

    @cached_property
    def quantities(self) -> dict[str, float]:
        """The profile; see ``QUANTITIES``.

        Edge cases: with one algorithm, or where all tie everywhere, nobody is better: evenness 1 and no
        loss; agreement is 0 where no two algorithms vary.
        """
        n, k = self.costs.shape
        best = self.costs == self.costs.min(axis=1, keepdims=True)
        wins = (best / best.sum(axis=1, keepdims=True)).sum(axis=0) / n
        some = wins[wins > 0]
        entropy = float(-(some * np.log(some)).sum() / np.log(k)) if k > 1 else 1.0
        means = self.places.mean(axis=0)
        return {
            "ease": float(self.solved.mean()),
            "hopeless": float((self.solved.max(axis=1) == 0).mean()),
            "leader": float(wins.max()),
            "evenness": entropy,
            "loss_of_best": float((means.min() - 1) / (k - 1)) if k > 1 else 0.0,
            "agreement": _agreement(self.costs),
        }


def _agreement(costs: Floats) -> float:
    """Mean of Spearman's rho over the pairs of columns that vary; 0 without any."""
    varied = costs[:, np.ptp(costs, axis=0) > 0]
    if varied.shape[1] < 2 or len(varied) < LEAST_ALGORITHMS:  # noqa: PLR2004
        return 0.0
    rho = np.atleast_2d(np.corrcoef(ranks(varied.T, higher_is_better=False, ties="mean")))
    pairs = rho[np.triu_indices(len(rho), 1)]
    return float(np.round(pairs.mean(), 10))  # of BLAS, which may differ in the last


def like(lake: OpenLake, name: str) -> pl.DataFrame:
    """How far each scenario is from one of them, by profile, ranks and features.

    name: of the scenario that the others are held against. The profile is
    standardised over all scenarios asked about, so that its distance depends on them; the other two do not.
    ``differs_most`` is the quantity that is farthest apart. Rows are by profile distance.

    Null where there is nothing to compare: fewer than three common algorithms, no common feature with
    values, fewer than three scenarios to standardise over; the ``remark`` says which.
    """
    profiles = profiles_of(lake)
    if name not in {each.scenario_id for each in profiles}:
        hint = one_of(name, sorted({each.scenario_id for each in profiles}))
        raise AslibError(f"there is no scenario {name} with costs", None, hint)
    rows: list[Row] = []
    for protocol in dict.fromkeys(each.protocol for each in profiles):
        group = [each for each in profiles if each.protocol == protocol]
        rows += _like_rows(lake, [g for g in group if g.scenario_id == name], group)
    if not rows:
        raise AslibError("there is no other scenario", name, "Import more of them.")
    return pl.DataFrame(rows, schema=LIKE, orient="row", infer_schema_length=None)


def profile_frame(lake: OpenLake) -> pl.DataFrame:
    """The profile of each scenario, as it is before it is standardised."""
    rows = [
        (*(each.protocol, each.scenario_id, each.measure), *each.costs.shape, *each.quantities.values())
        for each in profiles_of(lake)
    ]
    return pl.DataFrame(rows, schema=PROFILES, orient="row", infer_schema_length=None)


def profiles_of(lake: OpenLake) -> list[CostProfile]:
    """The profile of each scenario of an open lake whose algorithms all have costs."""
    frame = lake.ask("profile_costs")
    frame = frame.with_columns(pl.col(pl.Categorical, pl.Enum).cast(pl.String))
    keys = ["protocol", "scenario_id", "measure"]
    measures = Counter(frame.select("scenario_id", "measure").unique()["scenario_id"].to_list())
    found = []
    for part in frame.partition_by(keys, maintain_order=True):
        names = tuple(part["solver"].unique().sort().to_list())
        n, rest = divmod(part.height, len(names))
        costs = part["cost"].cast(float).fill_null(np.nan).to_numpy()
        if rest or not np.isfinite(costs).all():
            continue  # some algorithm has no cost somewhere
        solved = part["solved"].cast(float).fill_null(1.0).to_numpy()
        matrices = (values.reshape(n, len(names)) for values in (costs, solved))
        key = [str(part[column][0]) for column in keys]
        title = key[1] if measures[key[1]] == 1 else f"{key[1]} \N{MIDDLE DOT} {key[2]}"
        found.append(CostProfile(*key, names, *matrices, title))
    return found


def profile_distances(group: Sequence[CostProfile]) -> Floats:
    """(n, n) profile distances of scenarios, standardised over all of them."""
    spreads = standard_deviations(group)
    if not spreads:
        hint = f"{LEAST_SCENARIOS} different ones are needed."
        raise AslibError(f"{plural(len(group), 'scenario')}: no profiles to tell apart", None, hint)
    return np.array([[profile_distance(a, b, spreads)[0] or 0.0 for b in group] for a in group])


def _like_rows(lake: OpenLake, mine: Sequence[CostProfile], group: Sequence[CostProfile]) -> Iterator[Row]:
    spreads = standard_deviations(group)
    for own in mine:
        features = _features(lake, own.scenario_id, None)
        rows = []
        for other in group:
            if other.scenario_id == own.scenario_id:
                continue
            profile, quantities, most = profile_distance(own, other, spreads)
            rank, algorithms = rank_distance(own, other)
            theirs = _features(lake, other.scenario_id, [*features])
            feature, common = feature_distance(features, theirs)
            reasons = (
                (profile, f"fewer than {LEAST_SCENARIOS} scenarios to standardise over"),
                (rank, f"fewer than {LEAST_ALGORITHMS} common algorithms"),
                (feature, "no common feature"),
            )
            remark = "; ".join(why for value, why in reasons if value is None)
            key = (other.protocol, other.scenario_id, other.measure, len(other.costs))
            values = (profile, quantities, most, rank, algorithms, feature, common)
            rows.append((*key, *values, remark or None))
        yield from sorted(rows, key=lambda r: (float("inf") if r[4] is None else r[4], r[1:3]))


def standard_deviations(group: Sequence[CostProfile]) -> dict[str, float]:
    """Of each quantity over the scenarios; none where there are fewer than three."""
    if len(group) < LEAST_SCENARIOS:
        return {}
    found = {q: float(np.std([each.quantities[q] for each in group], ddof=1)) for q in QUANTITIES}
    return {name: spread for name, spread in found.items() if spread > 1e-12}  # noqa: PLR2004


def profile_distance(
    one: CostProfile, other: CostProfile, spreads: Mapping[str, float]
) -> tuple[float | None, int, str | None]:
    """Root mean square of the standardised differences; of how many; the largest one.

    None where no quantity has a spread.
    """
    if not spreads:
        return None, 0, None
    apart = {
        name: abs(one.quantities[name] - other.quantities[name]) / spread
        for name, spread in spreads.items()
    }
    most = max(apart, key=lambda name: (apart[name], name))
    return float(np.sqrt(np.mean([value**2 for value in apart.values()]))), len(apart), most


def rank_distance(one: CostProfile, other: CostProfile) -> tuple[float | None, int]:
    """(1 - rho) / 2 of the mean ranks of the common algorithms; and how many these are.

    None with fewer than three, or where all of one side tie.
    """
    common = sorted(set(one.algorithms) & set(other.algorithms))
    if len(common) < LEAST_ALGORITHMS:
        return None, len(common)
    orders = []
    for each in (one, other):
        columns = [each.algorithms.index(name) for name in common]
        places = ranks(each.costs[:, columns], higher_is_better=False, ties="mean")
        orders.append(ranks(np.round(places.mean(axis=0), 10), higher_is_better=False, ties="mean"))
    first, second = (order - order.mean() for order in orders)
    size = float(np.sqrt((first**2).sum() * (second**2).sum()))
    if size == 0:
        return None, len(common)
    rho = float((first * second).sum()) / size
    return (1 - min(1.0, max(-1.0, rho))) / 2, len(common)


def _features(lake: OpenLake, scenario_id: str, names: list[str] | None) -> dict[str, Floats]:
    if names == []:
        return {}
    frame = lake.ask("feature_values", {"scenario": scenario_id, "features": names})
    frame = frame.filter(~frame["labelled"] & frame["value"].is_not_null())
    frame = frame.with_columns(pl.col(pl.Categorical, pl.Enum).cast(pl.String))
    return {
        str(part["feature"][0]): np.sort(part["value"].to_numpy())
        for part in frame.partition_by("feature", maintain_order=False)
    }


def feature_distance(one: Mapping[str, Floats], other: Mapping[str, Floats]) -> tuple[float | None, int]:
    """Mean Kolmogorov-Smirnov distance over the common features; and how many.

    one, other: feature → its values, ascending. None without a common feature.
    """
    common = sorted(set(one) & set(other))
    if not common:
        return None, 0
    return float(np.mean([largest_step(one[name], other[name]) for name in common])), len(common)


def largest_step(one: Floats, other: Floats) -> float:
    """Kolmogorov-Smirnov distance of two samples, ascending: 0 to 1."""
    at = np.concatenate([one, other])
    shares = [np.searchsorted(s, at, side="right") / s.size for s in (one, other)]
    return float(np.abs(shares[0] - shares[1]).max())
