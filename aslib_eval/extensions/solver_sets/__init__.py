"""Other sets of solvers, and the best portfolios: ``sweep solvers``, ``sweep portfolio``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from aslib_eval.commands import Declared, Protocols, changed_protocols, opened, silent
from aslib_eval.options import (
    SEEDS,
    Lake,
    Measure,
    Note,
    Option,
    Penalty,
    Scenarios,
    SqlDirs,
    SweptKind,
    public,
)

if TYPE_CHECKING:
    import polars as pl

Change = Literal["without", "clone", "subsets"]
SetShow = Literal["moves", "turns", "suite", "sets"]

_HERE = "aslib_eval.extensions.solver_sets"
SOLVERS = Declared(f"{_HERE}:sweep_solvers", "sweep solvers --scenario 'SAT*' --show turns")
PORTFOLIO = Declared(f"{_HERE}:sweep_portfolio", "sweep portfolio --most 5")


@public
def sweep_solvers(  # noqa: PLR0913 - one for each option
    lake: Lake = "lake",
    *,
    scenarios: Scenarios = (),
    protocols: Protocols = ("default",),
    sql_dirs: SqlDirs = (),
    measure: Measure = None,
    penalty: Penalty = None,
    change: Annotated[
        Change, Option("Leave each solver out, add a copy of each, or take all subsets.")
    ] = "without",
    kind: Annotated[SweptKind, Option("Kind of solvers to vary.")] = "algorithm",
    most: Annotated[
        int | None,
        Option(
            "Maximum number of subsets; more are drawn at random.", shown="1000", goes_with="change=subsets"
        ),
    ] = None,
    seed: Annotated[
        int | None,
        Option("Seed of the subsets.", shown="1", least=0, most=SEEDS, goes_with="change=subsets"),
    ] = None,
    show: Annotated[
        SetShow,
        Option(
            "moves: change of each score. turns: sets with another ranking. suite: change of the means "
            "over the scenarios. sets: every score."
        ),
    ] = "moves",
    note: Note = silent,
) -> pl.DataFrame:
    """Gap, Borda, RMC and Shapley value when solvers are left out or cloned.

    Source: Amadini et al. 2023, sections 2.1 and 2.2: relative metrics, and the clone.

    Raises:
        OptionError: for ``most`` or ``seed`` where no subsets are drawn.

    >>> ae.sweep_solvers("lake", show="turns").columns[:4]
    ['protocol', 'scenario_id', 'measure', 'kind']
    """
    from aslib_eval.extensions.solver_sets import analysis as library

    asked = changed_protocols(protocols, measure=measure, penalty=penalty)
    found = library.solver_sets(
        opened(lake, scenarios, asked, sql_dirs),
        change=change,
        kind=kind,
        most=1000 if most is None else most,
        seed=1 if seed is None else seed,
    )
    for text in library.set_notes(found):
        note(text)
    if show == "sets":
        return found
    return {"moves": library.moves, "turns": library.turns, "suite": library.suite_moves}[show](found)


@public
def sweep_portfolio(
    lake: Lake = "lake",
    *,
    scenarios: Scenarios = (),
    protocols: Protocols = ("default",),
    sql_dirs: SqlDirs = (),
    measure: Measure = None,
    penalty: Penalty = None,
    most: Annotated[int | None, Option("Largest size of a portfolio.", shown="all")] = None,
    note: Note = silent,
) -> pl.DataFrame:
    """The best k algorithms for every k, exactly, and greedy choice beside them.

    most: the largest size; None for all algorithms. Costs are in the scenario's unit; the first by name of
    equal portfolios. All tied: every portfolio is as good as one algorithm.

    >>> ae.sweep_portfolio("lake", most=2).select("k", "algorithms").rows()
    [(1, 'drift'), (2, 'crane, drift')]
    """
    from aslib_eval.extensions.solver_sets.analysis import portfolio_notes, portfolios

    asked = changed_protocols(protocols, measure=measure, penalty=penalty)
    found = portfolios(opened(lake, scenarios, asked, sql_dirs), most=most)
    for text in portfolio_notes(found):
        note(text)
    return found
