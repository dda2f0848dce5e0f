"""What pages show of how alike scenarios and algorithms are: charts and sections."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.cluster.hierarchy import leaves_list, linkage
from scipy.spatial.distance import squareform

from aslib_eval.analysis.results import LakeResults, ScenarioResults, SuiteResults
from aslib_eval.errors import AslibError
from aslib_eval.extensions.likeness.analysis import (
    QUANTITIES,
    CostProfile,
    profile_distance,
    profile_distances,
    profiles_of,
    standard_deviations,
)
from aslib_eval.figures.catalogue import FigureEntry
from aslib_eval.figures.chart import FAINTEST, Band, Boxes, Chart, Line, Linear, diverging_scale
from aslib_eval.metrics.scale import Floats
from aslib_eval.reports.html import Header, HtmlTable, Section, both, figure, join, paragraph
from aslib_eval.statistics.distributions import average_ranks
from aslib_eval.text import MINUS, brief, fixed, number, plural, significant

DISTANCES = FigureEntry(
    "how far apart scenarios are by what their algorithms do",
    "lake",
    "aslib_eval.extensions.likeness.reports:scenario_distances",
    "three scenarios with costs",
    runs=False,
)

_ALIKE = "three algorithms with a cost on each of three instances"
HEATMAP = FigureEntry(
    "rank correlation of the algorithms",
    "scenario",
    "aslib_eval.extensions.likeness.reports:heatmap",
    _ALIKE,
)
TREE = FigureEntry(
    "the tree of their clusters", "scenario", "aslib_eval.extensions.likeness.reports:tree", _ALIKE
)


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
    distance = 1 - (rho + rho.T) / 2
    np.fill_diagonal(distance, 0.0)
    links = linkage(squareform(distance, checks=False), "average")
    return leaves_list(links).tolist(), links


def correlation_map(found: Similarity) -> Chart:
    """A box for each two algorithms; its tip is their correlation."""
    rho, names, n = found.rho, found.names, len(found.names)
    cells = [
        [
            *(j - 0.48, j + 0.48, i - 0.48, i + 0.48),
            round(float(rho[i, j]), 2),
            "low" if rho[i, j] >= 0 else "high",
            round(max(abs(float(rho[i, j])), FAINTEST), 3),
        ]
        for i in range(n)
        for j in range(n)
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
        raise AslibError("it shows scenarios, no solvers", "solvers")
    return distance_map(profiles_of(results.lake))


def distance_map(group: Sequence[CostProfile]) -> Chart:
    """A box for every two scenarios of a protocol; see ``scenario_distances``."""
    apart = profile_distances(group)
    order, _ = clusters(1 - apart)
    names = [group[i].title for i in order]
    apart = apart[np.ix_(order, order)]
    most, n = float(apart.max()), len(names)
    cells = [
        [
            *(j - 0.48, j + 0.48, i - 0.48, i + 0.48),
            f"{names[i]} and {names[j]}: {number(round(float(apart[i, j]), 2))}",
            "low",
            round(max(1 - float(apart[i, j]) / most, FAINTEST), 3),
        ]
        for i in range(n)
        for j in range(n)
    ]
    off = np.where(np.eye(n, dtype=bool), np.inf, apart)
    first, second = divmod(int(np.argmin(off)), n)
    scale = [
        Boxes((), name=significant(at * most, 2), color="low", shade=shade)
        for at, shade in ((0.0, 1.0), (0.5, 0.5), (1.0, FAINTEST))
    ]
    return Chart(
        "Distance of the scenarios by their profiles",
        f"{names[first]} and {names[second]} are most alike: a profile differs by "
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
    Header("distance", "distance", "root mean square of the differences, each in "
           "standard deviations over these scenarios"),
    Header("most", "differ most by", "the quantity that is farthest apart", words=True),
    *(Header(name, name.replace("_", " "), QUANTITIES[name]) for name in QUANTITIES),
)  # fmt: skip
_WORDS = (
    "Each scenario is described by six quantities without a unit. Their differences, "
    "in standard deviations over the scenarios of this page, say how far two of them "
    "are apart: another set of scenarios gives other distances."
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
    "algorithms that are solved and unsolved together stand next to each other. "
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
    most, least = (
        f"{one} and {other} (rank correlation {brief(rho)})" for rho, one, other in (max(pairs), min(pairs))
    )
    return f"Most alike are {most}, least {least}."
