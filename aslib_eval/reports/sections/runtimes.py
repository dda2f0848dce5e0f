"""How long solvers take: their distributions, and two against each other."""

from __future__ import annotations

import numpy as np

from aslib_eval.analysis.scenario_results import RunMatrix, ScenarioResults
from aslib_eval.reports.html import Html, Section, details, figure, join, tag
from aslib_eval.text import brief


def distribution(results: ScenarioResults) -> Html | None:
    """The share of instances within a time, with the cactus plot folded below it.

    None without a cost of everyone everywhere, and where no run is solved.
    """
    if results.complete is None or results.hopeless:
        return None
    if not results.timed:
        within = f"whose {results.measure} is at least as good as on the axis"
        return figure("ecdf", f"Share of instances {within}", _LOADED)
    ecdf = figure("ecdf", "Share of instances solved within a time", _LOADED)
    turned = details("The same as a cactus plot", figure("cactus", "Cactus plot"))
    return join([ecdf, turned])


_LOADED = "All on the same instances."


def runtimes(results: ScenarioResults) -> Section | None:
    """The distributions of the algorithms or the selectors; else `glance` has them."""
    matrix, drawn = results.complete, distribution(results)
    if matrix is None or drawn is None or not matrix.columns("selector"):
        return None
    options = [tag("option", f"{kind}s", attrs={"value": kind}) for kind in ("algorithm", "selector")]
    choose = tag("select", *options, attrs={"id": "show"})
    chooser = tag("p", tag("label", "Show ", choose), attrs={"class": "pair"})
    body = join([chooser, drawn])
    title, over = "Distributions", results.population
    finding = _soon(results, matrix)
    return Section("runtimes", title, over, body, follows="all", finding=finding)


def _soon(results: ScenarioResults, matrix: RunMatrix) -> str:
    """What the best algorithm solves early and in the end."""
    found, cutoff = results.baseline, results.summary["cutoff"]
    if not results.timed or found is None or not cutoff:
        return f"How many instances have which {results.measure}, by solver."
    at = matrix.number("algorithm", found["sbs"])
    early = cutoff / _EARLY
    soon = (matrix.solved[:, at] > 0) & (matrix.costs[:, at] <= early)
    whole = matrix.solved[:, at].mean()
    unit = f" {unit}" if (unit := results.summary["time_unit"]) else ""
    return (
        f"{found['sbs']} solves {brief(soon.mean())} of the instances within "
        f"{brief(early)}{unit} and {brief(whole)} by the cutoff."
    )


_EARLY = 100  # part of the cutoff


def pairs(results: ScenarioResults) -> Section | None:
    """A scatter of two solvers that the reader chooses."""
    matrix = results.complete
    few = matrix is None or len(matrix.solvers) < 2  # noqa: PLR2004
    if few or results.hopeless:
        return None
    choose = tag("p", _chooser("x"), _chooser("y"), attrs={"class": "pair"})
    scatter = figure("scatter", "One against the other", _LOADED)
    body = join([choose, scatter, tag("div", attrs={"id": "side"})])
    return Section(
        "pairs", "Pair by pair", results.population, body, follows="all", finding=_first_two(results)
    )


def _first_two(results: ScenarioResults) -> str:
    """The two that the page begins with: the best two algorithms by mean cost."""
    matrix, frame = results.complete, results.frames["score"]
    order = frame.filter(frame["kind"] == "algorithm")["solver"].to_list()
    if matrix is None or len(order) < 2:  # noqa: PLR2004
        return "Any two solvers, instance by instance."
    one, other = (matrix.number("algorithm", name) for name in order[:2])
    costs = results.penalised(matrix)
    wins, losses = (int(np.sum(costs[:, a] < costs[:, b])) for a, b in ((one, other), (other, one)))
    return f"{order[0]} is better than {order[1]} on {wins} of {results.n} instances, worse on {losses}."


def _chooser(axis: str) -> Html:
    select = tag("select", attrs={"id": f"pair-{axis}"})
    return tag("label", f"{axis} axis ", select)
