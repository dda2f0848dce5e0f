"""The boards of inference contests: ``board``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from aslib_eval.commands import Declared, as_numbers, opened, silent
from aslib_eval.options import Lake, Note, Option, Scenarios, SqlDirs, public

if TYPE_CHECKING:
    import polars as pl

BOARD = Declared(
    "aslib_eval.extensions.inference:board",
    "board --scenario 'INFERENCE*'",
    "The rows whose limit is 'final' combine all time limits, with the weights of the contest.",
)


@public
def board(
    lake: Lake = "lake",
    *,
    scenarios: Scenarios = (),
    sql_dirs: SqlDirs = (),
    best: Annotated[
        str | Path | None,
        Option(
            "Show how the scores change if the best known answers are those in this CSV file. Its columns "
            "are instance and log10_best.",
            metavar="FILE",
        ),
    ] = None,
    instances: Annotated[
        bool, Option("With {best}: show the change on each instance.", goes_with="best")
    ] = False,
    weights: Annotated[
        str | Sequence[float] | None,
        Option(
            "With {best}: use these weights of the time limits in the final score.",
            metavar="W,W",
            as_text=True,
            goes_with="best",
            goes_without=("instances",),
            because="changes the final ranking",
        ),
    ] = None,
    variables: Annotated[
        str | Path | None,
        Option(
            "Instead of a ranking, show the error of each marginal distribution in this contest folder.",
            metavar="DIR",
            goes_without=("best", "scenarios", "sql_dirs"),
            because="reads no lake",
        ),
    ] = None,
    note: Note = silent,
) -> pl.DataFrame:
    """Rank the solvers of a contest in probabilistic inference, for each task and time limit.

    An instance without a valid answer counts 0 and stays in n.

    Source: UAI inference competition 2022, evaluation.

    >>> _ = ae.import_scenarios(["scenarios/INFERENCE-2026"], into="contest")
    >>> ae.board("contest").columns[:3]
    ['scenario_id', 'task', 'limit']
    """
    from aslib_eval.extensions.inference import analysis

    if variables is not None:
        return analysis.marginal_errors(Path(variables))
    if best is None:
        return analysis.board(opened(lake, scenarios, sql_dirs=sql_dirs))
    found, remarks = analysis.best_changes(
        opened(lake, scenarios, sql_dirs=sql_dirs),
        analysis.read_best(Path(best)),
        show="instances" if instances else "solvers",
        weights=as_numbers(weights, "--weights"),
    )
    note(*remarks)
    return found
