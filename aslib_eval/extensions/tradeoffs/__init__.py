"""Two measures at once, and the baselines of selectors: ``score --baselines``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from aslib_eval.commands import Protocols, changed_protocols, opened, silent
from aslib_eval.commands.scoring import of_solvers
from aslib_eval.options import (
    Delta,
    FoldMean,
    Kinds,
    Lake,
    Measure,
    Note,
    Option,
    Penalty,
    SbsOf,
    Scenarios,
    Solvers,
    SqlDirs,
)

if TYPE_CHECKING:
    import polars as pl

_BASELINES = (
    "random like X: the choices of selector X, dealt to the instances in a random order;"
    " its mean is exact, cost_sd its standard deviation."
)


def score_with_baselines(  # noqa: PLR0913 - one for each option
    lake: Lake = "lake",
    *,
    scenarios: Scenarios = (),
    protocols: Protocols = ("default",),
    sql_dirs: SqlDirs = (),
    baselines: Annotated[
        str | None,
        Option(
            "Also a random selection at the rates of each selector, and the best "
            "algorithm of each family by this attribute; with their closed gaps.",
            metavar="ATTRIBUTE",
            bare="family",
            because="is a table of its own",
        ),
    ] = None,
    kinds: Kinds = (),
    solvers: Solvers = (),
    measure: Measure = None,
    fold_mean: FoldMean = False,
    sbs: SbsOf = None,
    penalty: Penalty = None,
    delta: Delta = None,
    note: Note = silent,
) -> pl.DataFrame:
    """Scores beside more baselines, in the place of scores."""
    asked = changed_protocols(
        protocols, measure=measure, fold_mean=fold_mean, sbs=sbs, penalty=penalty,
        delta=delta,
    )  # fmt: skip
    lake = opened(lake, scenarios, asked, sql_dirs)
    found = lake.ask("baseline_scores", {"attribute": baselines or "family"})
    note(_BASELINES)
    return of_solvers(found, kinds, solvers)
