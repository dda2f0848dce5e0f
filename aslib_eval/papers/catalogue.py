"""Which figures a paper may have, by name; what makes them is in figures and pages."""

from __future__ import annotations

FIGURES = {
    "delta": "Borda count over delta, all instances as one",
    "delta_modified": "the same of the modified score",
    "runtimes": "runtimes of solved instances in ascending order",
    "ranks": "critical difference of the selectors' mean ranks by closed gap",
}
# Charts of a scenario's page, under the name that they have there.
SCENARIO_CHARTS = {
    "bump": "the selectors' places under every metric",
    "waterfall": "what each selector loses against VBS, by cause",
    "against-sbs": "mean advantage over SBS with its interval, by the test",
    "definitions-gap": "closed gap of each system under every preset",
    "definitions-like": "how alike every definition ranks, by Kendall's tau-b",
    "definitions-tau": "how alike the metrics rank, by Kendall's tau-b",
    "sweep-delta": "Borda score over delta",
    "sweep-penalty": "closed gap over the penalty k",
    "sweep-cutoff": "closed gap over the cutoff",
    "fold-gaps": "each selector's closed gap on every fold",
    "heatmap": "rank correlation of the algorithms",
    "tree": "the tree of their clusters",
    "step-costs": "distribution of what feature steps cost",
    "missing": "features with missing values",
    "anytime": "mean gap to the best known value after a time",
}
# Charts of the index, over all scenarios that are chosen.
SUITE_CHARTS = {
    "suite-ranks": "the selectors' places by metric and aggregation",
    "suite-gaps": "closed gap, scenario by scenario",
    "suite-tau": "how alike the metrics rank, mean over the scenarios",
    "rooms": "cost of SBS over VBS, scenario by scenario",
}
# The page computes these anew for its reader's choices: no paper has them.
LIVE_CHARTS = ("cactus", "ecdf", "scatter", "solved-by")


def page_charts() -> set[str]:
    """The charts of the page that a paper may have."""
    return {*SCENARIO_CHARTS, *SUITE_CHARTS}


def figure_names() -> set[str]:
    """All that a paper may have."""
    return {*FIGURES, *page_charts()}
