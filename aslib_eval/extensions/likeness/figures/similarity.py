"""Which algorithms behave alike: rank correlation, and the tree of its clusters."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.cluster.hierarchy import leaves_list, linkage
from scipy.spatial.distance import squareform

from aslib_eval.analysis.scenario_results import ScenarioResults
from aslib_eval.figures.chart import FAINTEST, Band, Boxes, Chart, Line, Linear, diverging_scale
from aslib_eval.metrics.runs import Floats
from aslib_eval.statistics.tolerant_ranks import average_ranks
from aslib_eval.text import MINUS

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


def similarity(results: ScenarioResults) -> Similarity | None:
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
    found = similarity(results)
    return None if found is None else correlation_map(found)


def tree(results: ScenarioResults) -> Chart | None:
    """The tree of the clusters; None where there is no ``similarity``."""
    found = similarity(results)
    return None if found is None else cluster_tree(found)


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
        corners = ((x1, y1), (height, y1), (height, y2), (x2, y2))
        marks.append(Line([[x, y, tip] for x, y in corners], width=1.5))
    return Chart(
        "Clusters of the algorithms",
        f"Average linkage; {names[0]} to {names[-1]} in the order of the map.",
        Linear(f"1 {MINUS} correlation", 0, max(float(links[:, 2].max()), 0.1)),
        Band(names),
        marks,
        found.population,
        row_height=26 if n <= MANY else 16,
    )
