"""Other ways to rank solvers, and how far they agree: the command ``orders``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from aslib_eval import options
from aslib_eval.commands import Declared, Protocols, opened, silent
from aslib_eval.errors import AslibError, OptionError

if TYPE_CHECKING:
    import polars as pl

# What ranks; the first is the order by mean cost, which the others stand beside.
Way = Literal["cost", "utility", "careful", "kemeny", "bradley-terry", "plackett-luce", "skillings-mack"]
OrdersShow = Literal["places", "agreement", "laws", "horizons", "details"]

_OF_DETAILS = "show=details"
_OF_WORTHS = f"{_OF_DETAILS} way=bradley-terry|plackett-luce"
_OF_SAMPLES = f"{_OF_WORTHS}|careful|skillings-mack"
ORDERS = Declared("aslib_eval.extensions.orderings:orders", "orders --scenario TOY-2026")


@options.public
def orders(  # noqa: PLR0913 - one for each option
    lake: options.Lake = "lake",
    *,
    scenarios: options.Scenarios = (),
    protocols: Protocols = ("default",),
    sql_dirs: options.SqlDirs = (),
    measure: options.Measure = None,
    delta: options.Delta = None,
    kind: options.Ranked = None,
    show: Annotated[
        OrdersShow,
        options.Option(
            "places: the ranks by each method. agreement: how well the methods agree. laws: whether the "
            "order of the other solvers changes if you remove, copy or improve one solver. horizons: the "
            "best solver in each range of {horizon}. details: the numbers of one method ({way})."
        ),
    ] = "places",
    way: Annotated[
        Way,
        options.Option(
            "Method of {show} details. cost: mean cost. utility: mean value of the solutions; later "
            "solutions have lower values. careful: instances won minus instances lost, for each pair of "
            "solvers. kemeny: the order that contradicts the fewest wins. bradley-terry: a model of wins. "
            "plackett-luce: a model of whole orders. skillings-mack: mean ranks.",
            goes_with=_OF_DETAILS,
        ),
    ] = "plackett-luce",
    horizon: Annotated[
        float,
        options.Option(
            "For utility: a solution at time 0 has the value 1, and a solution at this share of the "
            "cutoff has the value 0.",
            least=0.000001,
            most=1,
            goes_with="show=places|agreement|details",
        ),
    ] = 1.0,
    rope: Annotated[
        float,
        options.Option(
            "For bradley-terry: two solvers are equivalent if the probability that one wins is within "
            "0.5 ± this number.",
            least=0,
            most=0.5,
            goes_with=f"{_OF_DETAILS} way=bradley-terry",
        ),
    ] = 0.05,
    draw: Annotated[options.Resampled, options.Option(goes_with=_OF_SAMPLES)] = None,
    draws: Annotated[
        int,
        options.Option(
            "For bradley-terry and plackett-luce: number of samples from the posterior distribution.",
            least=1000,
            most=100_000,
            goes_with=_OF_WORTHS,
        ),
    ] = 4000,
    seed: Annotated[options.Seed, options.Option(goes_with=_OF_WORTHS)] = 1,
    note: options.Note = silent,
) -> pl.DataFrame:
    """Rank solvers by mean cost and by six other methods.

    A timeout is worse than any solved run, and two timeouts are tied. ``utility``: the mean of 1 - t/h, 0
    from the horizon h on. ``careful``: who wins more instances than it loses, pair by pair; a cycle shares
    a place. ``kemeny``: the order that contradicts the fewest wins, proved. ``bradley_terry``,
    ``plackett_luce``: worths under a model of pairs and of whole orders. ``skillings_mack``: mean ranks,
    also where runs are missing. A null is no place: mean cost and utility need a run on every instance.

    show: ``agreement`` has Kendall's tau-b of every two ways; ``laws`` whether leaving a third solver out,
    adding a copy, or making one better swaps others or costs a place; ``horizons`` who is first at every
    horizon, exactly; ``details`` margins, worths, intervals and the probability of being best. Those hold
    over other families of instances where they are known, else over other instances (``draw``); null of one
    instance, or fewer than five families.

    Source: Graham, Leyton-Brown and Roughgarden 2023; Van Gelder 2011; Kemeny 1959; Davidson 1970 and
    Wainer 2022; Plackett 1975; Skillings and Mack 1981; Mueller 2013 and Shaby 2014 (intervals).

    >>> ae.orders("lake", kind="algorithm").select("solver", "cost", "kemeny").rows()[0]
    ('drift', 1, 1)
    """
    import polars as pl

    from aslib_eval.extensions.orderings import analysis
    from aslib_eval.extensions.orderings.analysis import details, laws_frame

    if show == "details" and way != "utility" and horizon != 1:
        raise OptionError("--horizon with --show details needs --way utility")
    lake = opened(lake, scenarios, protocols, sql_dirs, measure=measure, delta=delta)
    found = list(analysis.contests(lake, kind=kind, draw=draw))
    if not found:
        raise AslibError(
            "fewer than two solvers are ranked", None, "Choose other scenarios, or another --kind."
        )
    if show == "laws":
        return laws_frame(found)
    if show == "horizons":
        frame, said = analysis.horizons_frame(found)
        for text in said:
            note(f"{text}.")
        return frame
    if show == "details":
        parts = []
        for contest in found:
            part, text = details(contest, way, horizon=horizon, rope=rope, draws=draws, seed=seed)
            note(f"{text}.")
            parts.append(part)
        return pl.concat(parts, how="vertical_relaxed")  # null of all in one
    made = []
    for contest in found:
        places, said = analysis.all_places(contest, horizon=horizon)
        for text in said:
            note(f"{text}.")
        note(f"{analysis.sentence(contest, places)}.")
        made.append((contest, places))
    return analysis.places_frame(made) if show == "places" else analysis.agreement_frame(made)
