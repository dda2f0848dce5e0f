"""Other sets of solvers, and the best portfolios: ``sweep solvers``, ``sweep portfolio``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from aslib_eval import options
from aslib_eval.commands import Declared, Protocols, opened, silent

if TYPE_CHECKING:
    import polars as pl

Change = Literal["without", "clone", "subsets"]
SetShow = Literal["moves", "turns", "suite", "sets"]

_HERE = "aslib_eval.extensions.solver_sets"
SOLVERS = Declared(f"{_HERE}:sweep_solvers", "sweep solvers --scenario 'SAT*' --show turns")
PORTFOLIO = Declared(f"{_HERE}:sweep_portfolio", "sweep portfolio --most 5")


@options.public
def sweep_solvers(  # noqa: PLR0913 - one for each option
    lake: options.Lake = "lake",
    *,
    scenarios: options.Scenarios = (),
    protocols: Protocols = ("default",),
    sql_dirs: options.SqlDirs = (),
    measure: options.Measure = None,
    penalty: options.Penalty = None,
    change: Annotated[
        Change,
        options.Option(
            "without: remove one solver at a time. clone: copy one solver at a time. subsets: try all "
            "subsets."
        ),
    ] = "without",
    kind: Annotated[
        options.SweptKind, options.Option("Remove or copy solvers of this kind.")
    ] = "algorithm",
    most: Annotated[
        int | None,
        options.Option(
            "Try at most this many subsets. If there are more, the command chooses at random.",
            shown="1000",
            goes_with="change=subsets",
        ),
    ] = None,
    seed: Annotated[options.SeedOrNone, options.Option(goes_with="change=subsets")] = None,
    show: Annotated[
        SetShow,
        options.Option(
            "moves: how much each score changes. turns: the sets in which the ranking changes. suite: "
            "how much the means over scenarios change. sets: every score in every set."
        ),
    ] = "moves",
    note: options.Note = silent,
) -> pl.DataFrame:
    """Show how gap, Borda, marginal contribution and Shapley value change with the set of solvers.

    Source: Amadini et al. 2023, sections 2.1 and 2.2: relative metrics, and the clone.

    Raises:
        OptionError: for ``most`` or ``seed`` where no subsets are drawn.

    >>> ae.sweep_solvers("lake", show="turns").columns[:4]
    ['protocol', 'scenario_id', 'measure', 'kind']
    """
    from aslib_eval.extensions.solver_sets import analysis as library

    found = library.solver_sets(
        opened(lake, scenarios, protocols, sql_dirs, measure=measure, penalty=penalty),
        change=change,
        kind=kind,
        most=1000 if most is None else most,
        seed=1 if seed is None else seed,
    )
    note(*library.set_notes(found))
    if show == "sets":
        return found
    return {"moves": library.moves, "turns": library.turns, "suite": library.suite_moves}[show](found)


@options.public
def sweep_portfolio(
    lake: options.Lake = "lake",
    *,
    scenarios: options.Scenarios = (),
    protocols: Protocols = ("default",),
    sql_dirs: options.SqlDirs = (),
    measure: options.Measure = None,
    penalty: options.Penalty = None,
    most: Annotated[
        int | None,
        options.Option("Consider portfolios of at most this many algorithms.", shown="all algorithms"),
    ] = None,
    note: options.Note = silent,
) -> pl.DataFrame:
    """Find the best portfolio of k algorithms for every k, by exact and by greedy search.

    Costs are in the scenario's unit; the first by name of
    equal portfolios. All tied: every portfolio is as good as one algorithm.

    >>> ae.sweep_portfolio("lake", most=2).select("k", "algorithms").rows()
    [(1, 'drift'), (2, 'crane, drift')]
    """
    from aslib_eval.extensions.solver_sets.analysis import portfolio_notes, portfolios

    lake = opened(lake, scenarios, protocols, sql_dirs, measure=measure, penalty=penalty)
    found = portfolios(lake, most=most)
    note(*portfolio_notes(found))
    return found
