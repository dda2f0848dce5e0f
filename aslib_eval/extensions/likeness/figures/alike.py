"""How far apart scenarios are by what their algorithms do."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from aslib_eval.analysis.lake_results import LakeResults
from aslib_eval.errors import AslibError
from aslib_eval.extensions.likeness.analysis.alike import CostProfile, profile_distances, profiles_of
from aslib_eval.extensions.likeness.figures.similarity import clusters
from aslib_eval.figures.chart import FAINTEST, Band, Boxes, Chart
from aslib_eval.text import fixed, number, significant


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
