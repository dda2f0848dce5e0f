"""Two measures at once, and more baselines: ``gap --tradeoff``, ``score --baselines``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Unpack

from aslib_eval import options
from aslib_eval.analysis import of_solvers
from aslib_eval.commands import Protocols, opened, silent
from aslib_eval.errors import AslibError

if TYPE_CHECKING:
    import polars as pl

_BASELINES = (
    "random like X: the choices of selector X, assigned to the instances in random order. cost is the"
    " exact mean over all orders, and cost_sd is the standard deviation."
)

_AT_PRICE = (
    "gap: 0 = mixture of algorithms (baseline), 1 = VBS, both at the solver's price; lower, upper: 95 %"
    " interval for other instances of the kind; area: the same gap over all prices."
)


def score_with_baselines(
    lake: options.Lake = "lake",
    *,
    scenarios: options.Scenarios = (),
    protocols: Protocols = ("default",),
    sql_dirs: options.SqlDirs = (),
    baselines: Annotated[
        str | None,
        options.Option(
            "Also show the closed gaps of two baselines: (1) each selector's choices, shuffled over the "
            "instances; (2) the best algorithm of each family. Instances with the same value of ATTRIBUTE "
            "are a family.",
            metavar="ATTRIBUTE",
            bare="family",
            because="prints another table",
        ),
    ] = None,
    kinds: options.Kinds = (),
    solvers: options.Solvers = (),
    note: options.Note = silent,
    **choices: Unpack[options.ProtocolOptions],
) -> pl.DataFrame:
    """Scores beside more baselines, in the place of scores."""
    from aslib_eval.extensions.tradeoffs.second import second_columns

    lake = opened(lake, scenarios, protocols, sql_dirs, **choices)
    found = lake.ask("baseline_scores", {"attribute": baselines or "family"})
    found, said = second_columns(lake, found, baselines=True)
    note(_BASELINES, *said)
    return of_solvers(found, kinds, solvers)


def gap_at_price(  # noqa: PLR0913 - one for each option
    lake: options.Lake = "lake",
    *,
    scenarios: options.Scenarios = (),
    protocols: Protocols = ("default",),
    tradeoff: Annotated[  # noqa: ARG001 - it is why this is asked
        bool,
        options.Option(
            "Show the closed gap at each solver's mean price (second measure of the runs): 0 is the best "
            "random mixture of algorithms at this price, and 1 is VBS at this price.",
            because="prints another table",
        ),
    ] = False,
    kinds: options.Kinds = (),
    solvers: options.Solvers = (),
    measure: options.Measure = None,
    penalty: options.Penalty = None,
    note: options.Note = silent,
) -> pl.DataFrame:
    """Gaps at the mean of the second measure, in the place of closed gaps."""
    from aslib_eval.extensions.tradeoffs.analysis import budget_gaps
    from aslib_eval.extensions.tradeoffs.second import best_at_prices, second_means

    opened_lake = opened(lake, scenarios, protocols, measure=measure, penalty=penalty)
    found = budget_gaps(opened_lake)
    if not found.height:
        raise AslibError(
            "no scenario has a second measure",
            "--tradeoff",
            "Name one as second_measure in a protocol. aslib-eval query 'from raw_scenario' lists measures",
        )
    note(_AT_PRICE, *best_at_prices(second_means(opened_lake)))
    return of_solvers(found, kinds, solvers)
