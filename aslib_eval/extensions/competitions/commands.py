"""Options that rank as competitions do: ``score --rule``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from aslib_eval.commands import opened, silent
from aslib_eval.commands.scoring import of_solvers
from aslib_eval.options import Lake, Note, Option, Scenarios, Solvers, SqlDirs

if TYPE_CHECKING:
    import polars as pl

Rule = Annotated[
    str | Path | None,
    Option(
        "Rank as a competition does: by a rule, a glob on rules, or a TOML file.",
        metavar="NAME|FILE",
        as_text=True,
    ),
]


def score_by_rule(
    lake: Lake = "lake",
    *,
    scenarios: Scenarios = (),
    sql_dirs: SqlDirs = (),
    rule: Rule = None,
    solvers: Solvers = (),
    note: Note = silent,
) -> pl.DataFrame:
    """The boards of the scenarios by a rule, in the place of scores."""
    from aslib_eval.extensions.competitions.analysis.boards import board_of, rules_of

    lake = opened(lake, scenarios, ("default",), sql_dirs)
    found = board_of(lake, rules_of(lake, rule or "*"))
    if found.is_empty():
        note("no run counts by this rule: its roles, category or answers are not there")
    return of_solvers(found, (), solvers)
