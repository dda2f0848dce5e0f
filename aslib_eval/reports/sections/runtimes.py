"""How long solvers take: their distributions, and two against each other."""

from __future__ import annotations

from aslib_eval.analysis.scenario_results import ScenarioResults
from aslib_eval.reports.html import Html, Section, both, figure, join, paragraph, tag

_ZERO = (
    "Times are on a logarithmic axis with a place of its own for zero. The best eight "
    "algorithms have a colour; point at a grey line to see whose it is."
)


def runtimes(results: ScenarioResults) -> Section | None:
    """Cactus plot and empirical distribution of the chosen algorithms or selectors."""
    matrix = results.complete
    if matrix is None:
        return None
    if results.hopeless:
        text = "No run is solved, so there is no time to draw."
        return Section("runtimes", "Distributions", results.population, paragraph(text))
    chooser = None
    if matrix.columns("selector"):
        options = [
            tag("option", f"{kind}s", attrs={"value": kind})
            for kind in ("algorithm", "selector")
        ]
        choose = tag("select", *options, attrs={"id": "show"})
        chooser = tag("p", tag("label", "Show ", choose), attrs={"class": "pair"})
    within = (
        "within a time"
        if results.timed
        else f"whose {results.measure} is at least as good"
    )
    ecdf = figure("ecdf", f"Share of instances {within}")
    cactus = figure("cactus", "Cactus plot")
    charts_ = both(ecdf, cactus) if results.timed else ecdf
    words = paragraph(_ZERO) if results.timed else None
    body = join([words, chooser, charts_])
    return Section("runtimes", "Distributions", results.population, body, follows="all")


def pairs(results: ScenarioResults) -> Section | None:
    """A scatter of two solvers that the reader chooses."""
    matrix = results.complete
    few = matrix is None or len(matrix.solvers) < 2  # noqa: PLR2004
    if few or results.hopeless:
        return None
    choose = tag("p", _chooser("x"), _chooser("y"), attrs={"class": "pair"})
    says = tag("p", attrs={"id": "pair-says", "class": "population"})
    body = join([choose, figure("scatter", "One against the other"), says])
    return Section("pairs", "Pair by pair", results.population, body, follows="all")


def _chooser(axis: str) -> Html:
    select = tag("select", attrs={"id": f"pair-{axis}"})
    return tag("label", f"{axis} axis ", select)
