"""Which algorithms behave alike: rank correlation, and the tree of its clusters."""

from __future__ import annotations

import numpy as np

from aslib_eval.analysis.scenario_results import ScenarioResults
from aslib_eval.figures.chart import Band, Boxes, Chart, Line, Linear
from aslib_eval.metrics.runs import Floats
from aslib_eval.reports.html import Section, both, figure, join, paragraph
from aslib_eval.reports.sections.algorithms import penalised

_LEAST, _MANY = 3, 24


def similarity(facts: ScenarioResults, charts: dict[str, object]) -> Section | None:
    """Spearman's correlation of the algorithms' costs, ordered by average linkage."""
    matrix = facts.complete
    columns = matrix.columns("algorithm") if matrix else []
    if matrix is None or len(columns) < _LEAST or facts.n < _LEAST:
        return None
    costs = penalised(facts, matrix)[:, columns]
    if not np.ptp(costs, axis=0).any():
        text = "Every algorithm costs the same on all instances: nothing to correlate."
        return Section("similarity", "Similarity", facts.population, paragraph(text))
    rho = correlations(costs)
    order, links = clusters(rho)
    names = [matrix.solvers[columns[i]][1] for i in order]
    charts["heatmap"] = _heatmap(rho[np.ix_(order, order)], names, facts).spec()
    charts["tree"] = _tree(links, order, names, facts).spec()
    text = (
        "Spearman's rank correlation of the costs over the instances (timeouts tie); "
        "algorithms that are solved and unsolved together stand next to each other. "
        "The tree joins them by average linkage of 1 - correlation."
    )
    figures = [figure("heatmap", "Correlation"), figure("tree", "Clusters")]
    together = both(*figures) if len(names) <= _MANY else join(figures)
    body = join([paragraph(text), together])
    return Section("similarity", "Similarity", facts.population, body)


def correlations(costs: Floats) -> Floats:
    """Spearman's rho of every two columns: (n, n); 0 where a column is constant."""
    from scipy.stats import rankdata

    ranks = rankdata(costs, axis=0)
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


def _heatmap(rho: Floats, names: list[str], facts: ScenarioResults) -> Chart:
    n = len(names)
    cells = [
        [
            *(j - 0.48, j + 0.48, i - 0.48, i + 0.48),
            f"{names[i]} and {names[j]}: {rho[i, j]:.2f}",
            "low" if rho[i, j] >= 0 else "high",
            round(abs(float(rho[i, j])), 3),
        ]
        for i in range(n)
        for j in range(n)
    ]
    size = {"row_height": 26, "max_width": 300 + 26 * n}
    if n > _MANY:
        size |= {"row_height": 14, "min_width": 260 + 13 * n}
    return Chart(
        "Rank correlation of the algorithms",
        f"{n} algorithms. Blue is alike, red is opposite, pale is unrelated.",
        Band(names),
        Band(names),
        [Boxes(cells)],
        facts.population,
        **size,
    )


def _tree(
    links: Floats, order: list[int], names: list[str], facts: ScenarioResults
) -> Chart:
    """Each join is a bracket between its two parts; the leaves are in their order."""
    n = len(names)
    at = {leaf: (0.0, float(place)) for place, leaf in enumerate(order)}
    marks = []
    for number, (first, second, distance, size) in enumerate(links.tolist()):
        (x1, y1), (x2, y2) = at[int(first)], at[int(second)]
        height = max(distance, 0.0)
        at[n + number] = (height, (y1 + y2) / 2)
        tip = f"{int(size)} algorithms join at {height:.2f}"
        corners = ((x1, y1), (height, y1), (height, y2), (x2, y2))
        marks.append(Line([[x, y, tip] for x, y in corners], width=1.5))
    return Chart(
        "Clusters of the algorithms",
        f"Average linkage; {names[0]} to {names[-1]} in the order of the map.",
        Linear("1 - correlation", 0, max(float(links[:, 2].max()), 0.1)),
        Band(names),
        marks,
        facts.population,
        row_height=26 if n <= _MANY else 16,
    )
