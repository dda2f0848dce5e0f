"""How firm places and means are: the commands ``certify`` and ``suite``."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import TYPE_CHECKING, Annotated, Literal

from aslib_eval import options
from aslib_eval.commands import Declared, Protocols, as_numbers, opened, silent
from aslib_eval.errors import AslibError, OptionError
from aslib_eval.text import plural

if TYPE_CHECKING:
    import polars as pl

    from aslib_eval.extensions.firmness.certificates import Changed

# What ranks: mean cost, instances solved, or Borda points of pairs.
RankedBy = Literal["cost", "solved", "points"]
CertifyShow = Literal["neighbours", "first", "places", "leaderboard"]

# What is averaged over scenarios.
SuiteOf = Literal["gap", "solved", "cost"]
SuiteShow = Literal["solvers", "scenarios"]

_OF_SETS = "show=places|leaderboard"


@options.public
def certify(  # noqa: PLR0913 - one for each option
    lake: options.Lake = "lake",
    *,
    scenarios: options.Scenarios = (),
    protocols: Protocols = ("default",),
    sql_dirs: options.SqlDirs = (),
    measure: options.Measure = None,
    of: Annotated[
        RankedBy, options.Option("Rank by mean cost, share of solved instances, or Borda points.")
    ] = "cost",
    rule: Annotated[
        str | None,
        options.Option(
            "Rank by this competition rule: a name or pattern, such as 'sat2023*'.",
            metavar="NAME",
            goes_without=("of", "protocols", "measure", "kind", "by", "bounds"),
            because="determines the ranking",
        ),
    ] = None,
    kind: options.Ranked = None,
    by: options.FamilyAttribute = None,
    show: Annotated[
        CertifyShow,
        options.Option(
            "neighbours: changes that swap each solver with the next one. first: changes that put a later "
            "solver ahead of the first one. places: the ranks that each solver may have on further "
            "instances of the same kind. leaderboard: like places, with confidence intervals of the scores."
        ),
    ] = "neighbours",
    bounds: Annotated[
        str | Sequence[float] | None,
        options.Option(
            "Lowest and highest possible score on an instance.",
            metavar="LOW,HIGH",
            shown="0,1 or 0,100 if the unit or the scores suggest these bounds, else none",
            as_text=True,
            goes_with=_OF_SETS,
        ),
    ] = None,
    confidence: Annotated[
        float,
        options.Option("Confidence level of all ranks together.", least=0, most=1, goes_with=_OF_SETS),
    ] = 0.95,
    draw: Annotated[options.Resampled, options.Option(goes_with=_OF_SETS)] = None,
    draws: Annotated[
        int, options.Option("Number of bootstrap samples.", least=1, most=100_000, goes_with=_OF_SETS)
    ] = 1000,
    seed: Annotated[options.Seed, options.Option(goes_with=_OF_SETS)] = 1,
    note: options.Note = silent,
) -> pl.DataFrame:
    """Show the smallest changes of data or protocol that swap two solvers, or show all possible ranks.

    A row compares two solvers. ``removals`` is the fewest instances whose removal puts ``other`` strictly
    ahead (proved where ``at_least`` is equal). Other columns hold the nearest penalty, cutoff, delta,
    factor of time, family, third solver and choice of the protocol that swap the two; null: none does.
    ``n_tried`` counts these changes, ``n_swaps`` those that swap. Mean cost orders solvers as the closed
    gap does.

    show: ``places`` gives each solver the set of places that other families of the same kind could give it,
    or other instances where no families are known (``draw``). All sets hold at once with the confidence.
    They allow for timeouts that the data do not contain. Scores need ``bounds``: yours, else those of the
    unit, else 0 and 1 if more is better and all scores lie between, or if every score is 0 or 1. Under a
    rule that counts errors, a solver without errors is assumed to make none anywhere.

    ``leaderboard`` adds the interval of each score (null: unbounded), the number of solvers ``told_apart``
    from it, whether the next one is, the instances that decide between the two, and the families in which
    the next one is better. ``assumes`` states the assumptions of the sets.

    If all tie, removals put the other solver first. If all time out, nothing swaps two.

    Source: Broderick, Giordano and Meager 2020 (removal); Mogstad, Romano, Shaikh and Wilhelm 2024 (sets of
    places); Gaffke 2005 (intervals); Fichte, Hecher and Szeider 2021 (hardware).

    >>> found = ae.certify("lake", kind="algorithm")
    >>> found.select("ahead", "other", "removals").rows()[0]
    ('drift', 'crane', 2)
    """
    from aslib_eval.extensions.firmness import certificates as made
    from aslib_eval.extensions.firmness.leaderboard import board_of, leaderboard_frame, verdict
    from aslib_eval.extensions.firmness.standings import of_rule, standings

    open_ = opened(lake, scenarios, protocols, sql_dirs, measure=measure)
    known = None if bounds is None else _two_bounds(bounds)
    changed: Changed = {}
    of_pairs = show in {"neighbours", "first"}
    if rule is not None:
        found = list(of_rule(open_, rule))
        if of_pairs:
            changed = made.changed_places(open_, rule)
    else:
        found = list(standings(open_, by=of, kind=kind, attribute=by, bounds=known))
        if of == "cost" and of_pairs:
            changed = made.changed_costs(open_, kind=kind)
    if not found:
        hint = "Choose other scenarios, or another --of or --kind."
        raise AslibError("fewer than two solvers are ranked", None, hint)
    if of_pairs:
        pairs = []
        for standing in found:
            ranks = None if rule is not None else of
            certifier = made.Certifier(standing, ranks, changed.get(standing.labels, {}))
            first = certifier.first()
            note(f"{standing.title}: {made.sentence(standing, first)}")
            pairs.append((standing, first if show == "first" else certifier.neighbours()))
        return made.frame_of(pairs)
    places, boards = [], []
    for standing in found:
        sets = made.sets_of(standing, confidence=confidence, draws=draws, seed=seed, drawn=draw)
        places.append((standing, sets))
        how = f"{plural(draws, 'bootstrap sample')} of {made.drawn_of(standing, draw)}, seed {seed}"
        if show == "leaderboard":
            boards.append(board_of(standing, sets, confidence=confidence, drawn=draw))
            note(f"{verdict(boards[-1])} The possible ranks hold with confidence {confidence:g} ({how}).")
        else:
            told = f"{made.sentence_of_sets(standing, sets)} (confidence {confidence:g}, {how})"
            note(f"{told}. This assumes that {made.rests_on(standing, draw)}.")
    return leaderboard_frame(boards) if show == "leaderboard" else made.places_frame(places)


def _two_bounds(given: str | Sequence[float]) -> tuple[float, float]:
    numbers = as_numbers(given, "--bounds")
    if len(numbers) != 2 or not -inf < numbers[0] < numbers[1] < inf:  # noqa: PLR2004
        raise OptionError("--bounds needs the lowest and the highest score, such as 0,100")
    return numbers[0], numbers[1]


CERTIFY = Declared("aslib_eval.extensions.firmness:certify", "certify --scenario TOY-2026")


@options.public
def suite(  # noqa: PLR0913 - one for each option
    lake: options.Lake = "lake",
    *,
    scenarios: options.Scenarios = (),
    protocols: Protocols = ("default",),
    sql_dirs: options.SqlDirs = (),
    measure: options.Measure = None,
    of: Annotated[
        SuiteOf,
        options.Option(
            "gap: average the closed gaps. solved: average the shares of solved instances. cost: average "
            "the mean costs, each divided by the cost of a timeout."
        ),
    ] = "gap",
    kind: options.Ranked = None,
    inside: options.InsideOf = "families",
    by: options.FamilyAttribute = None,
    show: Annotated[
        SuiteShow,
        options.Option("solvers: one row per solver. scenarios: one row per solver and scenario."),
    ] = "solvers",
    confidence: Annotated[
        float, options.Option("Confidence level of each interval.", least=0, most=0.999999)
    ] = 0.95,
    note: options.Note = silent,
) -> pl.DataFrame:
    """Show each solver's mean score over all scenarios, its confidence interval, and which solvers differ.

    ``mean`` weighs all scenarios alike. ``lower`` and ``upper`` bound the mean over the population of
    scenarios, ``new_lower`` and ``new_upper`` the value in one more scenario. ``behind`` is the lead of the
    first solver over the scenarios that both have. Its interval holds for all pairs of solvers at once; a
    ``behind_lower`` above 0 tells the two apart.

    ``estimate`` weighs scenarios by their information, alike for all solvers: few instances, one large
    family, or an SBS close to VBS give little. If value and information go together it is biased; it has no
    interval. ``between_scenarios`` and ``between_families`` are standard deviations beyond chance: 0 if
    chance explains all differences, null for a single one. ``n_absent`` counts scenarios in which only
    others have a value; solvers that lack one come last.

    show: ``scenarios`` has each value with its standard error, the value drawn towards ``estimate``
    (``shrunk``), by which share of the way (``shrinkage``), and its weight.

    With one scenario the interval is for its own value. One instance has no interval. All tied: a point.

    Source: Efron and Morris 1975 (shrinkage); Raudenbush and Bryk 1985 (REML); Higgins, Thompson and
    Spiegelhalter 2009 (a new scenario); Donner 1986 (families).

    >>> found = ae.suite("lake", kind="algorithm", of="solved")
    >>> found.select("solver", "n_scenarios").rows()[0]
    ('drift', 1)
    """
    from aslib_eval.extensions.firmness.standings import (
        scenarios_frame,
        sentences,
        solvers_frame,
        suite_solvers,
    )

    known = opened(lake, scenarios, protocols, sql_dirs, measure=measure)
    found, told = suite_solvers(known, of=of, kind=kind, attribute=by, inside=inside, confidence=confidence)
    if not found:
        hint = "Choose other scenarios, or another --of or --kind."
        raise AslibError("; ".join(told) or "there are no solvers", None, hint)
    for text in (*told, *sentences(found)):
        note(f"{text}.")
    return solvers_frame(found) if show == "solvers" else scenarios_frame(found)


SUITE = Declared("aslib_eval.extensions.firmness:suite", "suite --of solved")
