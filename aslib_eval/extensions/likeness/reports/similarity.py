"""Which algorithms behave alike: rank correlation, and the tree of its clusters."""

from __future__ import annotations

from aslib_eval.analysis.scenario_results import ScenarioResults
from aslib_eval.extensions.likeness.figures.similarity import (
    LEAST,
    MANY,
    Similarity,
    cluster_tree,
    correlation_map,
)
from aslib_eval.extensions.likeness.figures.similarity import similarity as correlated
from aslib_eval.reports.html import Section, both, figure, join, paragraph
from aslib_eval.text import brief

_TEXT = (
    "Spearman's rank correlation of the costs over the instances (timeouts tie); "
    "algorithms that are solved and unsolved together stand next to each other. "
    "The tree joins them by average linkage of 1 - correlation."
)


def similarity(results: ScenarioResults) -> Section | None:
    """Spearman's correlation of the algorithms' costs, ordered by average linkage."""
    matrix = results.complete
    columns = matrix.columns("algorithm") if matrix else []
    if len(columns) < LEAST or results.n < LEAST:
        return None
    found = correlated(results)
    if found is None:
        return None
    charts = {"heatmap": correlation_map(found), "tree": cluster_tree(found)}
    figures = [figure("heatmap", "Correlation"), figure("tree", "Clusters")]
    together = both(*figures) if len(found.names) <= MANY else join(figures)
    body = join([paragraph(_TEXT), together])
    title, over = "Similarity", results.population
    return Section("similarity", title, over, body, charts, finding=_finding(found))


def _finding(found: Similarity) -> str:
    """Which two are most alike, and which least."""
    pairs = [
        (float(found.rho[i, j]), found.names[j], found.names[i])
        for i in range(len(found.names))
        for j in range(i)
    ]
    most, least = (
        f"{one} and {other} (rank correlation {brief(rho)})" for rho, one, other in (max(pairs), min(pairs))
    )
    return f"Most alike are {most}, least {least}."
