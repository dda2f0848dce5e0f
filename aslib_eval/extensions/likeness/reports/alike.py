"""Which scenarios are alike by what their algorithms do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from aslib_eval.analysis.suite_results import SuiteResults
from aslib_eval.extensions.likeness.analysis.alike import (
    QUANTITIES,
    CostProfile,
    profile_distance,
    profile_distances,
    profiles_of,
    standard_deviations,
)
from aslib_eval.extensions.likeness.figures.alike import distance_map
from aslib_eval.reports.html import Header, HtmlTable, Section, figure, join, paragraph
from aslib_eval.text import plural

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
    table = HtmlTable("alike-table", "Profiles of the scenarios", _COLUMNS, rows, "",
                      suite.protocol)  # fmt: skip
    over = f"{plural(len(group), 'scenario')} \N{MIDDLE DOT} protocol {suite.protocol}"
    body = [paragraph(_WORDS), figure("distances", chart.title)]
    charts = {"distances": chart}
    whole = join([*body, table.html()])
    return Section("alike", "Alike", over, whole, charts, finding=chart.about)
