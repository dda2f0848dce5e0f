"""How firm places and means are: the commands ``certify`` and ``suite``."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import TYPE_CHECKING, Annotated, Literal

from aslib_eval.commands import Declared, Protocols, as_numbers, changed_protocols, opened, silent
from aslib_eval.errors import AslibError, OptionError
from aslib_eval.options import (
    SEEDS,
    Inside,
    Lake,
    Measure,
    Note,
    Option,
    Scenarios,
    SqlDirs,
    SweptKind,
    public,
)
from aslib_eval.text import plural

if TYPE_CHECKING:
    import polars as pl

    from aslib_eval.extensions.firmness.certificates import Changed

# What ranks: mean cost, instances solved, or Borda points of pairs.
RankedBy = Literal["cost", "solved", "points"]
CertifyShow = Literal["neighbours", "first", "places", "leaderboard"]
Drawn = Literal["instance", "family"]

# What is averaged over scenarios.
SuiteOf = Literal["gap", "solved", "cost"]
SuiteShow = Literal["solvers", "scenarios"]

_Families = Annotated[
    str | None,
    Option(
        "Attribute of instances whose values are families.",
        metavar="ATTRIBUTE",
        shown="family, else what the names say",
    ),
]
_OF_SETS = "show=places|leaderboard"


@public
def certify(  # noqa: PLR0913 - one for each option
    lake: Lake = "lake",
    *,
    scenarios: Scenarios = (),
    protocols: Protocols = ("default",),
    sql_dirs: SqlDirs = (),
    measure: Measure = None,
    of: Annotated[
        RankedBy, Option("What ranks: mean cost, share solved, or Borda points of pairs.")
    ] = "cost",
    rule: Annotated[
        str | None,
        Option(
            "The boards of a competition's rule, or of a glob on rules.",
            metavar="NAME",
            goes_without=("of", "protocols", "measure", "kind", "by", "bounds"),
            because="says what ranks",
        ),
    ] = None,
    kind: Annotated[
        SweptKind | None, Option("Which solvers.", shown="selector where there are any")
    ] = None,
    by: _Families = None,
    show: Annotated[
        CertifyShow,
        Option(
            "Each solver beside the next one, the first beside all others, the places that each "
            "may have, or all that a leaderboard should publish."
        ),
    ] = "neighbours",
    bounds: Annotated[
        str | Sequence[float] | None,
        Option(
            "Least and greatest value that a score can have.",
            metavar="LOW,HIGH",
            shown="0,1 or 0,100 where the unit or the scores say so, else none",
            as_text=True,
            goes_with=_OF_SETS,
        ),
    ] = None,
    confidence: Annotated[
        float, Option("That all places are in their sets.", least=0, most=1, goes_with=_OF_SETS)
    ] = 0.95,
    draw: Annotated[
        Drawn | None,
        Option(
            "What is drawn anew for the sets of places.",
            goes_with=_OF_SETS,
            shown="family where these are known, else instance",
        ),
    ] = None,
    draws: Annotated[int, Option("How often.", least=1, most=100_000, goes_with=_OF_SETS)] = 1000,
    seed: Annotated[int, Option("Same seed, same sets.", least=0, most=SEEDS, goes_with=_OF_SETS)] = 1,
    note: Note = silent,
) -> pl.DataFrame:
    """What it takes to swap two solvers, and which places each of them may have.

    A row says the fewest instances whose removal puts the other solver strictly before the one ahead
    (``removals``, proved where ``at_least`` is the same), and the nearest penalty, cutoff or delta, factor
    of time, family, third solver and choice of the protocol that does so too; null: none does. ``n_tried``
    counts the changes that were tried beside single instances, ``n_swaps`` those that swap the two. The
    order by mean cost is that of the closed gap over all instances.

    show: ``places`` are sets that hold the places of all solvers at once with the confidence, if other
    families of instances of the same kind had been drawn, or other instances where no families are known
    (``draw``). Timeouts that the instances do not hold are allowed for. Scores have ``bounds`` in their
    place: those that are named, or that the unit of the measure says, else 0 and 1 where all scores lie
    between and more is better, or each is one of the two. Under a rule that counts errors, who makes none
    is taken to make none anywhere.

    ``leaderboard`` has beside the set of each the interval of its own score (null where nothing bounds it),
    from how many others it is ``told_apart``, whether from the next one, the instances that decide between
    the two and the families in which the next one is better. ``assumes`` is what the sets rest on.

    All tied: nobody is ahead, and removals are those that put the other one first. All timed out: nothing
    swaps two.

    Source: Broderick, Giordano and Meager 2020 (removal); Mogstad, Romano, Shaikh and Wilhelm 2024 (sets of
    places); Gaffke 2005 (intervals); Fichte, Hecher and Szeider 2021 (hardware).

    Raises:
        AslibError: as ``connect``, and where nothing is ranked.

    >>> found = ae.certify("lake", kind="algorithm")
    >>> found.select("ahead", "other", "removals").rows()[0]
    ('drift', 'crane', 2)
    """
    from aslib_eval.extensions.firmness.certificates import (
        Certifier,
        changed_costs,
        changed_places,
        drawn_of,
        frame_of,
        places_frame,
        rests_on,
        sentence,
        sentence_of_sets,
        sets_of,
    )
    from aslib_eval.extensions.firmness.leaderboard import board_of, leaderboard_frame, verdict
    from aslib_eval.extensions.firmness.standings import of_rule, standings

    open_ = opened(lake, scenarios, changed_protocols(protocols, measure=measure), sql_dirs)
    known = None if bounds is None else _two_bounds(bounds)
    changed: Changed = {}
    of_pairs = show in {"neighbours", "first"}
    if rule is not None:
        found = list(of_rule(open_, rule))
        if of_pairs:
            changed = changed_places(open_, rule)
    else:
        found = list(standings(open_, by=of, kind=kind, attribute=by, bounds=known))
        if of == "cost" and of_pairs:
            changed = changed_costs(open_, kind=kind)
    if not found:
        raise AslibError(
            "there are no two solvers that are ranked",
            None,
            "Choose other scenarios, or another --of or --kind.",
        )
    if of_pairs:
        pairs = []
        for standing in found:
            ranks = None if rule is not None else of
            certifier = Certifier(standing, ranks, changed.get(standing.labels, {}))
            first = certifier.first()
            note(f"{standing.title}: {sentence(standing, first)}")
            pairs.append((standing, first if show == "first" else certifier.neighbours()))
        return frame_of(pairs)
    places, boards = [], []
    for standing in found:
        sets = sets_of(standing, confidence=confidence, draws=draws, seed=seed, drawn=draw)
        places.append((standing, sets))
        how = f"by {plural(draws, 'draw')} of {drawn_of(standing, draw)} from seed {seed}"
        if show == "leaderboard":
            boards.append(board_of(standing, sets, confidence=confidence, drawn=draw))
            note(f"{verdict(boards[-1])} Sets hold with a confidence of {confidence:g}, {how}.")
        else:
            told = f"{sentence_of_sets(standing, sets)} with a confidence of {confidence:g}, {how}"
            note(f"{told}. This takes {rests_on(standing, draw)}.")
    return leaderboard_frame(boards) if show == "leaderboard" else places_frame(places)


def _two_bounds(given: str | Sequence[float]) -> tuple[float, float]:
    numbers = as_numbers(given, "--bounds")
    if len(numbers) != 2 or not -inf < numbers[0] < numbers[1] < inf:  # noqa: PLR2004
        raise OptionError("--bounds takes the least and the greatest score, as in 0,100")
    return numbers[0], numbers[1]


CERTIFY = Declared("aslib_eval.extensions.firmness:certify", "certify --scenario TOY-2026")


@public
def suite(  # noqa: PLR0913 - one for each option
    lake: Lake = "lake",
    *,
    scenarios: Scenarios = (),
    protocols: Protocols = ("default",),
    sql_dirs: SqlDirs = (),
    measure: Measure = None,
    of: Annotated[
        SuiteOf,
        Option(
            "The closed gap over all instances of a scenario, the share solved, or "
            "mean cost as a share of that of no solution."
        ),
    ] = "gap",
    kind: Annotated[
        SweptKind | None, Option("Which solvers.", shown="selector where there are any")
    ] = None,
    inside: Annotated[
        Inside, Option("What is drawn in a scenario: families as wholes, or instances alone.")
    ] = "families",
    by: _Families = None,
    show: Annotated[
        SuiteShow, Option("A row for each solver, or for each solver and scenario.")
    ] = "solvers",
    confidence: Annotated[float, Option("Of each interval.", least=0, most=0.999999)] = 0.95,
    note: Note = silent,
) -> pl.DataFrame:
    """The mean of each solver over scenarios: how sure it is, and who is told apart.

    ``mean`` counts all scenarios alike; ``lower`` and ``upper`` are for the mean of all scenarios of which
    these are some, ``new_lower`` and ``new_upper`` for the value in one more of them. ``behind`` is how
    much better the first solver is over the scenarios that both have; its interval holds for all pairs of
    solvers at once, and above 0 it tells the two apart.

    ``estimate`` counts each scenario by what it tells, the same for all solvers: one of few instances, or
    with one large family, or in which SBS is nearly VBS, tells little. Where that goes with the value it is
    off, and has no interval. ``between_scenarios``, ``between_families``: standard deviations beyond
    chance; 0 where chance explains all differences, null where there is one alone. ``n_absent``: scenarios
    in which others have a value; solvers that lack one come last.

    show: ``scenarios`` has the value of each with its standard error, where that is drawn to (``shrunk``),
    by which share of the way to ``estimate`` (``shrinkage``), and its weight there.

    One scenario: the interval is for its own value alone. One instance alone: no interval. All tied: a
    point.

    Source: Efron and Morris 1975 (shrinkage); Raudenbush and Bryk 1985 (REML); Higgins, Thompson and
    Spiegelhalter 2009 (a new scenario); Donner 1986 (families).

    Raises:
        AslibError: as ``connect``, and where no solver has a value.

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

    asked = changed_protocols(protocols, measure=measure)
    found, told = suite_solvers(
        opened(lake, scenarios, asked, sql_dirs),
        of=of,
        kind=kind,
        attribute=by,
        inside=inside,
        confidence=confidence,
    )
    if not found:
        raise AslibError(
            "; ".join(told) or "there are no solvers",
            None,
            "Choose other scenarios, or another --of or --kind.",
        )
    for text in (*told, *sentences(found)):
        note(f"{text}.")
    return solvers_frame(found) if show == "solvers" else scenarios_frame(found)


SUITE = Declared("aslib_eval.extensions.firmness:suite", "suite --of solved")
