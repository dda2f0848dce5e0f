"""How far scenarios and algorithms are apart, and what pages show of it.

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
from typing import Any

import numpy as np
import polars as pl

from aslib_eval.analysis.results import LakeResults, ScenarioResults, SuiteResults
from aslib_eval.database.open_lake import OpenLake
from aslib_eval.errors import AslibError
from aslib_eval.figures.catalogue import FigureEntry
from aslib_eval.figures.chart import FAINTEST, Band, Boxes, Chart, Line, Linear, diverging_scale
from aslib_eval.metrics.scale import Floats
from aslib_eval.reports.html import Header, HtmlTable, Section, both, figure, join, paragraph
from aslib_eval.statistics.distributions import average_ranks
from aslib_eval.text import MINUS, brief, fixed, number, one_of, plural, significant

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
        return average_ranks(self.costs)

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
    rho = np.atleast_2d(np.corrcoef(average_ranks(varied.T)))
    pairs = rho[np.triu_indices(len(rho), 1)]
    return float(np.round(pairs.mean(), 10))  # of BLAS, which may differ in the last


def like(lake: OpenLake, name: str) -> pl.DataFrame:
    """How far each scenario is from one of them, by profile, ranks and features.

    name: of the scenario that the others are held against. The profile is
    standardised over all scenarios asked about, so that its distance depends on them; the other two do not.
    ``differs_most`` is the quantity that is farthest apart. Rows are by profile distance.

    Null where there is nothing to compare: fewer than three common algorithms, no common feature with
    values, fewer than three scenarios for standard deviations; the ``remark`` says which.
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
        shape = (n, len(names))
        protocol, scenario_id, measure = (str(part[column][0]) for column in keys)
        one = measures[scenario_id] == 1
        title = scenario_id if one else f"{scenario_id} \N{MIDDLE DOT} {measure}"
        key = (protocol, scenario_id, measure, names)
        found.append(CostProfile(*key, costs.reshape(shape), solved.reshape(shape), title))
    return found


def profile_distances(group: Sequence[CostProfile]) -> Floats:
    """(n, n) profile distances of scenarios, standardised over all of them."""
    spreads = standard_deviations(group)
    if not spreads:
        hint = f"At least {LEAST_SCENARIOS} different profiles are needed."
        raise AslibError(f"the profiles of {plural(len(group), 'scenario')} do not differ", None, hint)
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
                (profile, f"fewer than {LEAST_SCENARIOS} scenarios for standard deviations"),
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
        places = average_ranks(each.costs[:, columns])
        orders.append(average_ranks(np.round(places.mean(axis=0), 10)))
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


# What pages show: charts and sections.


LEAST, MANY = 3, 24


@dataclass(frozen=True, eq=False)
class Similarity:
    """Correlation of the costs of algorithms, in the order of the leaves of a tree.

    rho: (n, n). links: scipy's linkage, (n - 1, 4), of the algorithms numbered as ``order`` does.
    """

    names: list[str]
    order: list[int]
    rho: Floats
    links: Floats
    population: str


def correlated(results: ScenarioResults) -> Similarity | None:
    """Spearman's correlation of the algorithms' costs, ordered by average linkage.

    None with fewer than three algorithms or instances, without a cost somewhere, or where every algorithm
    costs the same on all instances.
    """
    matrix = results.complete
    columns = matrix.columns("algorithm") if matrix else []
    if matrix is None or len(columns) < LEAST or results.n < LEAST:
        return None
    costs = results.penalised(matrix)[:, columns]
    if not np.ptp(costs, axis=0).any():
        return None
    rho = correlations(costs)
    order, links = clusters(rho)
    names = [matrix.solvers[columns[i]][1] for i in order]
    return Similarity(names, order, rho[np.ix_(order, order)], links, results.population)


def heatmap(results: ScenarioResults) -> Chart | None:
    """The map of the correlations; None where there is no ``similarity``."""
    return correlation_map(found) if (found := correlated(results)) else None


def tree(results: ScenarioResults) -> Chart | None:
    """The tree of the clusters; None where there is no ``similarity``."""
    return cluster_tree(found) if (found := correlated(results)) else None


def correlations(costs: Floats) -> Floats:
    """Spearman's rho of every two columns: (n, n); 0 where a column is constant."""
    ranks = average_ranks(costs.T).T
    centred = ranks - ranks.mean(axis=0)
    norms = np.sqrt((centred**2).sum(axis=0))
    scaled = np.divide(centred, norms, out=np.zeros_like(centred), where=norms > 0)
    rho = np.clip(scaled.T @ scaled, -1, 1)
    np.fill_diagonal(rho, 1.0)
    # BLAS may differ in the last bits from machine to machine: ten digits are enough.
    return np.asarray(np.round(rho, 10))


def clusters(rho: Floats) -> tuple[list[int], Floats]:
    """Order of the leaves, and scipy's linkage: (n - 1, 4)."""
    from scipy.cluster.hierarchy import leaves_list, linkage
    from scipy.spatial.distance import squareform

    distance = 1 - (rho + rho.T) / 2
    np.fill_diagonal(distance, 0.0)
    links = linkage(squareform(distance, checks=False), "average")
    return leaves_list(links).tolist(), links


def correlation_map(found: Similarity) -> Chart:
    """A box for each two algorithms; its tip is their correlation."""
    rho, names, n = found.rho, found.names, len(found.names)
    cells = [
        [*box, round(r, 2), "low" if r >= 0 else "high", round(max(abs(r), FAINTEST), 3)]
        for _, _, box, r in _boxes(rho)
    ]
    size = {"row_height": 26, "max_width": 300 + 26 * n}
    if n > MANY:
        size |= {"row_height": 14, "min_width": 260 + 13 * n}
    return Chart(
        "Rank correlation of the algorithms",
        f"{n} algorithms. Blue is alike, red is opposite, pale is unrelated.",
        Band(names),
        Band(names),
        [Boxes(cells), *diverging_scale()],
        found.population,
        **size,
    )


def _boxes(table: Floats) -> Iterator[tuple[int, int, list[float], float]]:
    """Row, column, the box of a map and the number of each cell."""
    for (i, j), value in np.ndenumerate(table):
        yield i, j, [j - 0.48, j + 0.48, i - 0.48, i + 0.48], float(value)


def cluster_tree(found: Similarity) -> Chart:
    """Each join is a bracket between its two parts; the leaves are in their order."""
    links, order, names = found.links, found.order, found.names
    n = len(names)
    at = {leaf: (0.0, float(place)) for place, leaf in enumerate(order)}
    marks = []
    for at_link, (first, second, distance, size) in enumerate(links.tolist()):
        (x1, y1), (x2, y2) = at[int(first)], at[int(second)]
        height = max(distance, 0.0)
        at[n + at_link] = (height, (y1 + y2) / 2)
        tip = f"{int(size)} algorithms join at {height:.2f}"
        points = [[x1, y1, tip], [height, y1, tip], [height, y2, tip], [x2, y2, tip]]
        marks.append(Line(points, width=1.5))
    return Chart(
        "Clusters of the algorithms",
        f"Average linkage; {names[0]} to {names[-1]} in the order of the map.",
        Linear(f"1 {MINUS} correlation", 0, max(float(links[:, 2].max()), 0.1)),
        Band(names),
        marks,
        found.population,
        row_height=26 if n <= MANY else 16,
    )


def scenario_distances(results: LakeResults, solvers: Sequence[str]) -> Chart:
    """A box for every two scenarios, the darker the nearer; see ``analysis.alike``.

    Scenarios that are alike stand next to each other (average linkage).
    """
    if solvers:
        raise AslibError("it shows scenarios, not solvers", "solvers")
    return distance_map(profiles_of(results.lake))


def distance_map(group: Sequence[CostProfile]) -> Chart:
    """A box for every two scenarios of a protocol; see ``scenario_distances``."""
    apart = profile_distances(group)
    order, _ = clusters(1 - apart)
    names = [group[i].title for i in order]
    apart = apart[np.ix_(order, order)]
    most, n = float(apart.max()), len(names)
    cells = [
        [*box, f"{names[i]} and {names[j]}: {number(round(far, 2))}", "low",
         round(max(1 - far / most, FAINTEST), 3)]
        for i, j, box, far in _boxes(apart)
    ]  # fmt: skip
    off = np.where(np.eye(n, dtype=bool), np.inf, apart)
    first, second = divmod(int(np.argmin(off)), n)
    scale = [
        Boxes((), name=significant(at * most, 2), color="low", shade=shade)
        for at, shade in ((0.0, 1.0), (0.5, 0.5), (1.0, FAINTEST))
    ]
    return Chart(
        "Distance of the scenarios by their profiles",
        f"{names[first]} and {names[second]} are most alike: their profiles differ by "
        f"{fixed(float(off[first, second]), 2)} standard deviations.",
        Band(names),
        Band(names),
        [Boxes(cells), *scale],
        f"{n} scenarios · protocol {group[0].protocol}",
        row_height=26,
        max_width=300 + 26 * n,
    )


_COLUMNS = (
    Header("name", "scenario"),
    Header("nearest", "nearest", "the scenario of the least distance", words=True),
    Header("distance", "distance", "root mean square of the differences, each in standard deviations"),
    Header("most", "differ most by", "the quantity that is farthest apart", words=True),
    *(Header(name, name.replace("_", " "), QUANTITIES[name]) for name in QUANTITIES),
)  # fmt: skip
_WORDS = (
    "Six quantities without a unit describe each scenario. A distance is the root mean "
    "square of the six differences, in standard deviations over the scenarios of this "
    "page. Another set of scenarios gives other distances."
)


def alike(suite: SuiteResults) -> Section | None:
    """How far apart the scenarios are; None where no three can be told apart."""
    return None if suite.lake is None else section_of(profiles_of(suite.lake), suite)


def section_of(group: Sequence[CostProfile], suite: SuiteResults) -> Section | None:
    """The section of these profiles."""
    spreads = standard_deviations(group)
    if not spreads:
        return None
    apart = profile_distances(group)
    np.fill_diagonal(apart, np.inf)
    links: dict[str, str] = {}
    for row in (line.row for line in suite.lines):
        names = (row["name"], f"{row['name']} \N{MIDDLE DOT} {row['measure']}")
        links |= dict.fromkeys(names, row["_link"])
    rows: list[dict[str, Any]] = []
    for own, distances in zip(group, apart, strict=True):
        other = group[int(distances.argmin())]
        _, _, most = profile_distance(own, other, spreads)
        rows.append(
            {
                "name": own.title,
                "_link": links.get(own.title),
                "_n": plural(len(own.costs), "instance"),
                **own.quantities,
                "nearest": other.title,
                "distance": float(distances.min()),
                "most": None if most is None else most.replace("_", " "),
            }
        )
    chart = distance_map(group)
    table = HtmlTable("alike-table", "Profiles of the scenarios", _COLUMNS, rows, "", suite.protocol)
    over = f"{plural(len(group), 'scenario')} \N{MIDDLE DOT} protocol {suite.protocol}"
    body = join([paragraph(_WORDS), figure("distances", chart.title), table.html()])
    return Section("alike", "Alike", over, body, {"distances": chart}, finding=chart.about)


_TEXT = (
    "Spearman's rank correlation of the costs over the instances (timeouts tie); "
    "algorithms with similar costs stand next to each other. "
    "The tree joins them by average linkage of 1 - correlation."
)


def similarity(results: ScenarioResults) -> Section | None:
    """Spearman's correlation of the algorithms' costs, ordered by average linkage."""
    found = correlated(results)
    if found is None:
        return None
    charts = {"heatmap": correlation_map(found), "tree": cluster_tree(found)}
    figures = [figure("heatmap", "Correlation"), figure("tree", "Clusters")]
    body = join([paragraph(_TEXT), both(*figures) if len(found.names) <= MANY else join(figures)])
    return Section("similarity", "Similarity", results.population, body, charts, finding=_finding(found))


def _finding(found: Similarity) -> str:
    pairs = [
        (float(found.rho[i, j]), found.names[j], found.names[i])
        for i in range(len(found.names))
        for j in range(i)
    ]
    (most, *two), (least, *others) = max(pairs), min(pairs)
    return (
        f"{' and '.join(two)} are most alike (rank correlation {brief(most)}), "
        f"{' and '.join(others)} least (rank correlation {brief(least)})."
    )


DISTANCES = FigureEntry(
    "distances between scenarios by the profiles of their algorithms",
    "lake",
    needs="three scenarios with costs",
    runs=False,
    make=scenario_distances,
)
_ALIKE = "three algorithms with a cost on each of three instances"
HEATMAP = FigureEntry("rank correlation of the algorithms", "scenario", needs=_ALIKE, make=heatmap)
TREE = FigureEntry("dendrogram of the algorithms", "scenario", needs=_ALIKE, make=tree)
