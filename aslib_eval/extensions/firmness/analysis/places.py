"""The places that each solver may have, by what instances there could be."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from aslib_eval.analysis.families import codes_of
from aslib_eval.database.open_lake import OpenLake
from aslib_eval.errors import AslibError
from aslib_eval.extensions.firmness.analysis.certificates import Certificate, Certifier
from aslib_eval.extensions.firmness.analysis.standings import Standing, standings
from aslib_eval.extensions.firmness.statistics.rank_sets import RankSets, rank_sets
from aslib_eval.extensions.firmness.words import Drawn
from aslib_eval.text import list_names, plural


def sets_of(
    standing: Standing, *, confidence: float, draws: int, seed: int, drawn: Drawn | None = None
) -> RankSets:
    """Sets of places by the levels of a ranking: costs, points or instances.

    drawn: whether families are drawn as wholes, or each instance for itself; None for families where there
    are any.

    Raises:
        AslibError: there are no families to draw.
    """
    if drawn == "family" and not standing.families:
        what = f"{standing.labels[1]} has no families to draw"
        hint = "Name the attribute of its instances that says them: --by NAME."
        raise AslibError(what, "--draw family", hint)
    return rank_sets(
        standing.levels,
        rng=np.random.default_rng(seed),
        clusters=None if drawn == "instance" else codes_of(standing.families),
        confidence=confidence,
        draws=draws,
        most=standing.most or [None] * len(standing.levels),
        errors=standing.errors,
    )


def drawn_of(standing: Standing, drawn: Drawn | None) -> str:
    """What is drawn, in words: 24 families of 252 instances."""
    instances = plural(standing.n, "instance")
    if drawn == "instance" or not standing.families:
        return instances
    return f"{plural(len(set(standing.families)), 'family', 'families')} of {instances}"


def text_of(low: int, high: int) -> str:
    """A set of places as tables show it.

    >>> text_of(2, 2)
    '2'
    """
    return str(low) if low == high else f"{low}\N{EN DASH}{high}"


def sentence_of_sets(standing: Standing, sets: RankSets) -> str:
    """How many solvers have one place alone, and who may be first."""
    alone = int((sets.lower == sets.upper).sum())
    first = [solver for solver, low in zip(standing.solvers, sets.lower, strict=True) if low == 1]
    some = plural(alone, "solver has", "solvers have")
    who = list_names(first, most=5, quoted=False)
    return f"{standing.title}: {some} one place alone, and {who} may be first"


def places_frame(made: Sequence[tuple[Standing, RankSets, Sequence[Certificate]]]) -> pl.DataFrame:
    """A row a solver: its score, place and set of places, and who passes it.

    The certificates are those of neighbours: ``removals`` instances fewer, and the next one is before it.
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

    With a confidence of 0.95, by 1000 draws from the seed 1: of families of instances where they are known.
    """
    made = []
    for standing in standings(lake, by="cost", kind=None, attribute=None):
        sets = sets_of(standing, confidence=0.95, draws=1000, seed=1)
        made.append((standing, sets, Certifier(standing, "cost", {}).neighbours()))
    return places_frame(made)
