"""What is found over time: ``score --anytime``, and the curves of a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal, Unpack

from aslib_eval import options
from aslib_eval.analysis import of_solvers
from aslib_eval.commands import Protocols, opened, silent

if TYPE_CHECKING:
    import polars as pl

AnytimeShow = Literal["summary", "moments", "instances"]


def score_over_time(
    lake: options.Lake = "lake",
    *,
    scenarios: options.Scenarios = (),
    protocols: Protocols = ("default",),
    anytime: Annotated[
        AnytimeShow | None,
        options.Option(
            "Show solution quality over time instead. summary: one row per solver. moments: one row per "
            "solver and time. instances: one row per solver and instance.",
            metavar="[summary|moments|instances]",
            bare="summary",
            because="prints another table",
        ),
    ] = None,
    kinds: options.Kinds = (),
    solvers: options.Solvers = (),
    note: options.Note = silent,
    **choices: Unpack[options.ProtocolOptions],
) -> pl.DataFrame:
    """What algorithms and schedules have found over time, in the place of scores."""
    from aslib_eval.extensions.anytime.analysis import anytime_scores

    lake = opened(lake, scenarios, protocols, **choices)
    found = anytime_scores(lake, show=anytime or "summary")
    note("gap: lower is better; area, closed_gap: higher is better")
    return of_solvers(found, kinds, solvers)
