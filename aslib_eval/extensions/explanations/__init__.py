"""Where a number comes from: ``explain``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from aslib_eval.commands import AnyProtocol, Declared, opened, silent
from aslib_eval.errors import AslibError, OptionError
from aslib_eval.options import Lake, Note, Option, SolverKind, SqlDirs, public
from aslib_eval.text import list_names

if TYPE_CHECKING:
    import polars as pl

EXPLAIN = Declared(
    "aslib_eval.extensions.explanations:explain",
    "explain closed_gap=0.184 --scenario TOY-2026 --solver careful",
    "METRIC=VALUE, such as closed_gap=0.417, lists the protocols that give a printed number. Those with "
    "the fewest changed choices come first. If none gives it, the nearest are listed. METRIC alone shows "
    "how the number is defined, and the instances that weigh most in it, with their runs.",
)


@public
def explain(  # noqa: PLR0913 - one for each option
    number: Annotated[
        str, Option("Metric, or printed number, to explain.", flags="", metavar="METRIC[=VALUE]")
    ],
    lake: Lake = "lake",
    *,
    scenario: Annotated[str, Option("Scenario for which the number was computed.", metavar="NAME")],
    solver: Annotated[str, Option("Solver that has the number.", metavar="NAME")],
    kind: Annotated[
        SolverKind | None, Option("Kind of the solver.", shown="the first kind that has this solver")
    ] = None,
    protocol: Annotated[
        AnyProtocol,
        Option("Protocol to start from: name of a preset, or a .toml file.", metavar="NAME|FILE"),
    ] = "default",
    tries: Annotated[
        int | None,
        Option(
            "Maximum number of protocols to try, those with the fewest changes first.",
            metavar="N",
            shown="500",
            least=1,
            most=100_000,
        ),
    ] = None,
    seconds: Annotated[
        float | None, Option("Fail after this time [s].", metavar="S", shown="no limit", least=0)
    ] = None,
    sql_dirs: SqlDirs = (),
    note: Note = silent,
) -> pl.DataFrame:
    """Explain a number.

    number: ``METRIC=VALUE``, a printed number: the combinations of choices that give it, the fewest changes
    first. ``METRIC`` alone, the number of this lake: the instances that weigh most in it.

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
    for text in found.notes:
        note(text)
    return found.frame
