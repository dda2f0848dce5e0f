"""Where a number comes from: ``explain``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from aslib_eval.commands import Declared, OneProtocol, opened, silent
from aslib_eval.errors import AslibError, OptionError
from aslib_eval.options import Lake, Note, Option, SolverKind, SqlDirs, public
from aslib_eval.text import list_names

if TYPE_CHECKING:
    import polars as pl

EXPLAIN = Declared(
    "aslib_eval.extensions.explanations:explain",
    "explain closed_gap=0.184 --scenario TOY-2026 --solver careful",
    "With METRIC=VALUE, such as closed_gap=0.417, the command lists the protocols that give this value. "
    "Protocols with few changes from --protocol come first. If no protocol gives the value, the command "
    "lists the nearest values. With METRIC alone, the command shows how the number is computed, and which "
    "instances and runs influence the number most.",
)


@public
def explain(  # noqa: PLR0913 - one for each option
    number: Annotated[
        str, Option("Metric, or printed number, to explain.", flags="", metavar="METRIC[=VALUE]")
    ],
    lake: Lake = "lake",
    *,
    scenario: Annotated[str, Option("Scenario that the number belongs to.", metavar="NAME")],
    solver: Annotated[str, Option("Solver that the number belongs to.", metavar="NAME")],
    kind: Annotated[
        SolverKind | None,
        Option(
            "Kind of the solver. Use this option if several solvers have the same name.",
            shown="selector, else algorithm, else baseline",
        ),
    ] = None,
    protocol: OneProtocol = "default",
    tries: Annotated[
        int | None,
        Option(
            "Try at most this many protocols, those with the fewest changes from --protocol first.",
            metavar="N",
            shown="500",
            least=1,
            most=100_000,
        ),
    ] = None,
    seconds: Annotated[
        float | None, Option("Give up after this many seconds.", metavar="S", shown="no limit", least=0)
    ] = None,
    sql_dirs: SqlDirs = (),
    note: Note = silent,
) -> pl.DataFrame:
    """Find the protocols that give a published number, or the instances that a number depends on.

    Raises:
        OptionError: for ``tries`` or ``seconds`` without a printed number. OutOfTimeError: once the seconds
        are over.

    >>> how = {"scenario": "TOY-2026", "solver": "careful"}
    >>> ae.explain("closed_gap", "lake", **how).columns[:3]
    ['protocol', 'scenario_id', 'measure']
    """
    from aslib_eval.extensions.explanations import analysis

    metric, equals, value = number.partition("=")
    for option, given in (("--tries", tries), ("--seconds", seconds)):
        if given is not None and not equals:
            raise OptionError(f"{option} needs a printed number: write METRIC=VALUE")
    lake = opened(lake, [scenario], [protocol], sql_dirs)
    if len(lake.scenarios) > 1:
        names = list_names(lake.scenarios, quoted=False)
        raise AslibError(f"matches several scenarios: {names}", scenario, "Name one.")
    about: dict[str, Any] = {"metric": metric.strip(), "kind": kind}
    if equals:
        about |= {"value": value, "tries": tries or analysis.TRIES, "seconds": seconds}
    found = (analysis.explain if equals else analysis.derive)(lake, solver, **about)
    note(*found.notes)
    return found.frame
