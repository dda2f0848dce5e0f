"""How much faster than SBS each selector is, instance by instance."""

from __future__ import annotations

from typing import Any

import numpy as np

from aslib_eval.analysis.scenario_results import ScenarioResults
from aslib_eval.figures.chart import Chart, Line, Linear, Logarithmic, Mark, Rule
from aslib_eval.figures.palette import look
from aslib_eval.metrics.runs import Floats
from aslib_eval.text import list_names, number, plural

_SHARES = np.linspace(0, 1, 201)  # quantiles that are drawn
_MOST = 1e3  # the axis ends there, and at its inverse
_EQUAL = 1e-12  # of two costs, as a share: rounding


def speedup(results: ScenarioResults) -> Chart | None:
    """The distribution of cost of SBS / cost over the instances, a line a selector.

    Right of 1 a selector is faster than SBS. Runtimes only (PARk of the protocol), on instances where both
    costs are above 0. None without selectors or without any such instance, and where nobody solves any.

    Source: Amadini et al. 2023, section 2.2: speedup on a per-instance basis.
    """
    matrix, sbs = results.matrix, results.summary["sbs"]
    if matrix is None or not results.timed or sbs is None or results.hopeless:
        return None
    costs = results.penalised(matrix)
    base = costs[:, matrix.number("algorithm", sbs)]
    found: dict[str, Floats] = {}
    for column in matrix.columns("selector"):
        both = (costs[:, column] > 0) & (base > 0)
        if both.any():
            found[matrix.solvers[column][1]] = base[both] / costs[both, column]
    if not found:
        return None
    ends = [np.clip([s.min(), s.max()], 1 / _MOST, _MOST) for s in found.values()]
    marks: list[Mark] = [Rule(1, "SBS")]
    for name in sorted(found, key=lambda name: results.shown_places["selector", name]):
        drawn = look(results.shown_places["selector", name])
        ratios = np.quantile(found[name], _SHARES)
        n = plural(len(found[name]), "instance")
        points = [_point(name, float(x), float(share), n) for x, share in zip(ratios, _SHARES, strict=True)]
        marks.append(Line(points, name=name, color=drawn.color, dash=drawn.dash))
    return Chart(
        "Speedup over SBS, instance by instance",
        _about(found),
        Logarithmic(
            "cost of SBS / cost", float(min(low for low, _ in ends)), float(max(high for _, high in ends))
        ),
        Linear("share of instances with at most that", 0.0, 1.0),
        marks,
        results.population,
        height=300,
    )


def _point(name: str, x: float, share: float, n: str) -> list[Any]:
    tip = f"{name}: {share:.1%} of {n} have at most {number(x)} times the speed of SBS"
    return [float(np.clip(x, 1 / _MOST, _MOST)), share, tip]


def _about(found: dict[str, Floats]) -> str:
    faster = {name: float((s > 1 + _EQUAL).mean()) for name, s in found.items()}
    slower = {name: float((s < 1 - _EQUAL).mean()) for name, s in found.items()}
    most = max(faster.values())
    who = [name for name in found if faster[name] == most]
    n = plural(len(found[who[0]]), "instance")
    are = "is" if len(who) == 1 else "are each"
    shares = dict.fromkeys(f"{slower[name]:.0%}" for name in who)
    return (
        f"{list_names(who, most=3, quoted=False)} {are} faster than SBS on {most:.0%}"
        f" of {n}, the largest share, and slower on {' or '.join(shares)}."
    )
