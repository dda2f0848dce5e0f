"""The places that each solver may have, by what instances there could be."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from aslib_eval.database.open_lake import OpenLake
from aslib_eval.errors import AslibError
from aslib_eval.extensions.firmness.analysis.certificates import Certificate, Certifier
from aslib_eval.extensions.firmness.analysis.standings import Standing, standings
from aslib_eval.extensions.firmness.statistics.rank_sets import RankSets, rank_sets
from aslib_eval.extensions.firmness.words import Drawn
from aslib_eval.metrics.runs import Floats
from aslib_eval.text import list_names, plural


def sets_of(
    standing: Standing, *, confidence: float, draws: int, seed: int, drawn: Drawn
) -> RankSets:
    """Sets of places by the first level of a ranking: costs, points or instances.

    drawn: whether families are drawn as wholes, or each instance for itself.

    Raises:
        AslibError: there are no families to draw.
    """
    clusters = None
    if drawn == "family":
        if not standing.families:
            what = f"{standing.labels[1]} has no families to draw"
            hint = "Name the attribute of its instances that says them: --by NAME."
            raise AslibError(what, "--draw family", hint)
        clusters = np.unique(standing.families, return_inverse=True)[1]
    return rank_sets(
        _first_that_differs(standing),
        rng=np.random.default_rng(seed),
        clusters=clusters,
        confidence=confidence,
        draws=draws,
    )


def _first_that_differs(standing: Standing) -> Floats:
    """The first level on which any two solvers differ: that of errors may be all 0."""
    for level in standing.levels:
        if np.ptp(level, axis=1).any():
            return np.asarray(level)
    return np.asarray(standing.levels[0])


def text_of(low: int, high: int) -> str:
    """A set of places as tables show it.

    >>> text_of(2, 2)
    '2'
    """
    return str(low) if low == high else f"{low}\N{EN DASH}{high}"


def sentence_of_sets(standing: Standing, sets: RankSets) -> str:
    """How many solvers have one place alone, and who may be first."""
    alone = int((sets.lower == sets.upper).sum())
    first = [
        solver
        for solver, low in zip(standing.solvers, sets.lower, strict=True)
        if low == 1
    ]
    some = plural(alone, "solver has", "solvers have")
    who = list_names(first, most=5, quoted=False)
    return f"{standing.title}: {some} one place alone, and {who} may be first"


def places_frame(
    made: Sequence[tuple[Standing, RankSets, Sequence[Certificate]]],
) -> pl.DataFrame:
    """A row a solver: its score, place and set of places, and who passes it.

    The certificates are those of neighbours: ``removals`` instances fewer, and the next
    one is before it.
    """
    rows = []
    for standing, sets, neighbours in made:
        labels, places = standing.labels, standing.places
        n_families = len(set(standing.families))
        means = standing.levels[0].mean(axis=0)
        for at, solver in enumerate(standing.solvers):
            low, high = int(sets.lower[at]), int(sets.upper[at])
            fewest = neighbours[at].removals if at < len(neighbours) else None
            rows.append(
                (*labels, standing.n, solver, float(abs(means[at])), places[at],
                 low, high, text_of(low, high), fewest, n_families)
            )  # fmt: skip
    text, whole = pl.String(), pl.Int64()
    schema = {
        **dict.fromkeys(("protocol", "scenario_id", "measure", "kind"), text),
        "n": whole,
        "solver": text,
        "score": pl.Float64(),
        **dict.fromkeys(("place", "low", "high"), whole),
        "places": text,
        "removals": whole,
        "n_families": whole,
    }
    return pl.DataFrame(rows, schema=schema, orient="row")


def firm_places(lake: OpenLake) -> pl.DataFrame:
    """Relation ``firm_place``: the places by mean cost, and their sets, of a lake.

    With a confidence of 0.95, by 1000 draws of the instances from the seed 1.
    """
    made = []
    for standing in standings(lake, by="cost", kind=None, attribute=None):
        sets = sets_of(standing, confidence=0.95, draws=1000, seed=1, drawn="instance")
        made.append((standing, sets, Certifier(standing, "cost", {}).neighbours()))
    return places_frame(made)
