"""What a ranking depends on, a parameter or a definition: the commands ``sweep``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

from aslib_eval.commands import AnyProtocol, Declared, Protocols, changed_protocols, opened, silent
from aslib_eval.database.protocol import ORDERING
from aslib_eval.errors import OptionError
from aslib_eval.options import Lake, Measure, Note, Option, Penalty, Ranked, Scenarios, SqlDirs, public

if TYPE_CHECKING:
    import polars as pl

    from aslib_eval.database.open_lake import OpenLake

_HERE = "aslib_eval.extensions.sensitivity"
DELTA = Declared(f"{_HERE}:sweep_delta", "sweep delta --pooled")
PENALTY = Declared(f"{_HERE}:sweep_penalty", "sweep penalty --at 2 --at 10")
CUTOFF = Declared(f"{_HERE}:sweep_cutoff", "sweep cutoff --scenario 'SAT*'")
TOLERANCE = Declared(f"{_HERE}:sweep_tolerance", "sweep tolerance --at 1 --at 10")
SCALED = Declared(f"{_HERE}:sweep_scaled", "sweep scaled --of alpha")
DEFINITIONS = Declared(f"{_HERE}:definitions", "sweep definitions --scenario 'TOY*'")
CHOICES = Declared(f"{_HERE}:sweep_choices", "sweep choices asf llama --scenario 'TOY*'")

SweepShow = Literal["pairs", "reversals", "leaders", "intervals", "values"]
ScaledEnd = Literal["alpha", "beta"]
DefinitionShow = Literal["spread", "scores", "agreement", "suite"]

# Options of the sweeps over one parameter.
_Pooled = Annotated[bool, Option("Pool the instances of all scenarios into one ranking.")]
_Show = Annotated[
    SweepShow | None,
    Option(
        "pairs: one row per pair of solvers that exchange ranks. reversals: one row for each exchange. "
        "leaders: each solver that is first, and for which values. intervals: each ranking, and for "
        "which values. values: all scores.",
        shown="pairs, or values with {at}",
    ),
]
_At = Annotated[Sequence[float], Option("Show the scores at this value.")]


def _swept(
    lake: OpenLake, parameter: str, show: SweepShow | None, at: Sequence[float], note: Note, **of: Any
) -> pl.DataFrame:
    from aslib_eval.extensions.sensitivity import analysis as sweeps

    show = show or ("values" if at else "pairs")
    if at and show != "values":
        raise OptionError("--at shows scores: it needs --show values")
    found = sweeps.sensitivities(
        lake, parameter=parameter, left_out=lambda what: note(f"left out: {what}"), **of
    )
    if show == "values":
        return sweeps.values(found, at=at or None)
    note(*sweeps.leader_notes(found))
    frames = {
        "pairs": sweeps.pairs,
        "reversals": sweeps.reversals,
        "leaders": sweeps.leaders,
        "intervals": sweeps.intervals,
    }
    return frames[show](found)


@public
def sweep_delta(  # noqa: PLR0913 - one for each option
    lake: Lake = "lake",
    *,
    scenarios: Scenarios = (),
    protocols: Protocols = ("default",),
    sql_dirs: SqlDirs = (),
    measure: Measure = None,
    kind: Ranked = None,
    pooled: _Pooled = False,
    show: _Show = None,
    at: _At = (),
    modified: Annotated[
        bool,
        Option(
            "Compute modified Borda scores: if two runtimes differ by at most delta, the faster solver "
            "still gets more than half a point."
        ),
    ] = False,
    note: Note = silent,
) -> pl.DataFrame:
    """Show how Borda scores change with delta: runtimes that differ by at most delta are tied.

    >>> ae.sweep_delta("lake", show="leaders").select("start", "leader").rows()[:2]
    [(0.0, 'careful'), (48.5, 'isac = loyal = zilla')]
    """
    lake = opened(lake, scenarios, protocols, sql_dirs, measure=measure)
    return _swept(lake, "delta", show, at, note, kind=kind, pooled=pooled, modified=modified)


@public
def sweep_penalty(  # noqa: PLR0913 - one for each option
    lake: Lake = "lake",
    *,
    scenarios: Scenarios = (),
    protocols: Protocols = ("default",),
    sql_dirs: SqlDirs = (),
    measure: Measure = None,
    kind: Ranked = None,
    pooled: _Pooled = False,
    show: _Show = None,
    at: _At = (),
    note: Note = silent,
) -> pl.DataFrame:
    """Show how PARk and the closed gap change with the penalty factor k.

    >>> ae.sweep_penalty("lake", show="leaders").select("start", "leader").rows()
    [(1.0, 'careful')]
    """
    lake = opened(lake, scenarios, protocols, sql_dirs, measure=measure)
    return _swept(lake, "penalty", show, at, note, kind=kind, pooled=pooled)


@public
def sweep_cutoff(  # noqa: PLR0913 - one for each option
    lake: Lake = "lake",
    *,
    scenarios: Scenarios = (),
    protocols: Protocols = ("default",),
    sql_dirs: SqlDirs = (),
    measure: Measure = None,
    kind: Ranked = None,
    pooled: _Pooled = False,
    show: _Show = None,
    at: _At = (),
    penalty: Penalty = None,
    note: Note = silent,
) -> pl.DataFrame:
    """Show how PARk and the closed gap would change with a shorter cutoff.

    >>> _ = ae.import_scenarios(["scenarios/SAT-PYSAT-2026"], into="sat")
    >>> ae.sweep_cutoff("sat", show="leaders").select("start", "leader").rows()[-1]
    (1.592221, 'kissat404')
    """
    lake = opened(lake, scenarios, protocols, sql_dirs, measure=measure, penalty=penalty)
    return _swept(lake, "cutoff", show, at, note, kind=kind, pooled=pooled)


@public
def sweep_tolerance(  # noqa: PLR0913 - one for each option
    lake: Lake = "lake",
    *,
    scenarios: Scenarios = (),
    protocols: Protocols = ("default",),
    sql_dirs: SqlDirs = (),
    measure: Measure = None,
    kind: Ranked = None,
    pooled: _Pooled = False,
    show: _Show = None,
    at: _At = (),
    penalty: Penalty = None,
    note: Note = silent,
) -> pl.DataFrame:
    """Show how PARk and the closed gap change if delays behind VBS up to a tolerance cost nothing.

    >>> ae.sweep_tolerance("lake", at=[1]).select("solver", "score").rows()[:2]
    [('asap', 271.6666666666667), ('careful', 181.58333333333334)]
    """
    lake = opened(lake, scenarios, protocols, sql_dirs, measure=measure, penalty=penalty)
    return _swept(lake, "tolerance", show, at, note, kind=kind, pooled=pooled)


@public
def sweep_scaled(  # noqa: PLR0913 - one for each option
    lake: Lake = "lake",
    *,
    scenarios: Scenarios = (),
    protocols: Protocols = ("default",),
    sql_dirs: SqlDirs = (),
    kind: Ranked = None,
    of: Annotated[
        ScaledEnd, Option("Vary this parameter. The other one keeps its value from the protocol.")
    ] = "alpha",
    show: _Show = None,
    at: _At = (),
    note: Note = silent,
) -> pl.DataFrame:
    """Show how scaled quality scores change with alpha or beta (scores of the worst and the best solution).

    >>> _ = ae.import_scenarios(["scenarios/MIP-ANYTIME-2026"], into="mip")
    >>> ae.sweep_scaled("mip", show="leaders").columns[-3:]
    ['start', 'end', 'leader']
    """
    lake = opened(lake, scenarios, protocols, sql_dirs, measure="all")
    return _swept(lake, of, show, at, note, kind=kind)


@public
def definitions(
    lake: Lake = "lake",
    *,
    scenarios: Scenarios = (),
    protocols: Annotated[Protocols, Option(shown="all presets")] = (),
    sql_dirs: SqlDirs = (),
    measure: Measure = None,
    kind: Ranked = None,
    show: Annotated[
        DefinitionShow,
        Option(
            "spread: range of each solver's ranks. scores: every score and rank. agreement: Kendall's "
            "tau between rankings. suite: ranks by mean, median and other averages over the scenarios."
        ),
    ] = "spread",
    note: Note = silent,
) -> pl.DataFrame:
    """Score and rank the same solvers under all protocols and by all metrics.

    Ranks are means of tied places; tau is null where one of two rankings has a single place.

    >>> ae.definitions("lake").columns[:3]
    ['scenario_id', 'measure', 'solver']
    """
    from aslib_eval.extensions.sensitivity import analysis as library

    lake = opened(lake, scenarios, protocols or tuple(ORDERING), sql_dirs, measure=measure)
    if show == "suite":
        over_all = lake.ask("suite_definitions", {"kind": kind})
        note(*library.suite_notes(over_all))
        return over_all
    found = library.definitions(lake, kind=kind)
    if show == "scores":
        return found
    return library.spread(found) if show == "spread" else library.agreement(found)


@public
def sweep_choices(
    first: Annotated[AnyProtocol, Option("First protocol.", flags="", metavar="NAME|FILE")],
    second: Annotated[AnyProtocol, Option("The other.", flags="", metavar="NAME|FILE")],
    lake: Lake = "lake",
    *,
    scenarios: Scenarios = (),
    sql_dirs: SqlDirs = (),
    measure: Measure = None,
    metric: Annotated[str, Option("Compare the protocols by this metric.")] = "closed_gap",
    kind: Ranked = None,
) -> pl.DataFrame:
    """Show why two protocols disagree: the effect of each choice in which they differ.

    >>> ae.sweep_choices("default", "llama", "lake").columns[:4]
    ['first', 'second', 'scenario_id', 'measure']
    """
    from aslib_eval.extensions.sensitivity.analysis import choices as run

    asked = changed_protocols((first, second), measure=measure)
    lake = opened(lake, scenarios, sql_dirs=sql_dirs)
    return run(lake, *asked, metric=metric, kind=kind)
