"""What a ranking depends on: the commands ``sweep``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from aslib_eval.commands import (
    Lake,
    Note,
    Protocols,
    changed_protocols,
    opened,
    silent,
)
from aslib_eval.errors import OptionError
from aslib_eval.paths import Paths
from aslib_eval.signatures import MEANINGS, P, R, public
from aslib_eval.words import (
    Change,
    DefinitionShow,
    ScaledEnd,
    SetShow,
    SweepShow,
    SweptKind,
)

if TYPE_CHECKING:
    import polars as pl

    from aslib_eval.database.protocol import Protocol


_SHOW = (
    "Pairs that change places (the default), every exchange (reversals), who leads "
    "where (leaders), the ranking on every interval (intervals), or scores at every "
    "breakpoint (values; the default with ``at``). Exact: breakpoints are solved for "
    "and never sampled. All tied or all timed out: no pair changes places, all lead."
)


def _exact(function: Callable[P, R]) -> Callable[P, R]:
    """A public function: a sweep over all values of one parameter."""
    return public(function, meanings={**MEANINGS, "show": _SHOW})


def _swept(  # noqa: PLR0913 - one for each option
    parameter: str,
    lake: Lake,
    scenarios: Sequence[str],
    protocols: Protocols,
    sql_dirs: Paths,
    *,
    kind: SweptKind | None,
    show: SweepShow | None,
    at: Sequence[float],
    note: Note,
    pooled: bool = False,
    modified: bool = False,
) -> pl.DataFrame:
    from aslib_eval.analysis import sweeps

    show = show or ("values" if at else "pairs")
    if at and show != "values":
        raise OptionError("--at gives scores: it goes with --show values")
    found = sweeps.sensitivities(
        opened(lake, scenarios, protocols, sql_dirs),
        parameter=parameter,
        kind=kind,
        pooled=pooled,
        modified=modified,
        left_out=lambda what: note(f"left out: {what}"),
    )
    if show == "values":
        return sweeps.values(found, at=at or None)
    for text in sweeps.leader_notes(found):
        note(text)
    frames = {
        "pairs": sweeps.pairs,
        "reversals": sweeps.reversals,
        "leaders": sweeps.leaders,
        "intervals": sweeps.intervals,
    }
    if show not in frames:
        raise OptionError(f"--show {show} is none of {', '.join((*frames, 'values'))}")
    return frames[show](found)


@_exact
def sweep_delta(  # noqa: PLR0913 - one for each option
    lake: Lake = "lake",
    *,
    scenarios: Sequence[str] = (),
    protocols: Protocols = ("default",),
    sql_dirs: Paths = (),
    measure: str | None = None,
    kind: SweptKind | None = None,
    pooled: bool = False,
    show: SweepShow | None = None,
    at: Sequence[float] = (),
    modified: bool = False,
    note: Note = silent,
) -> pl.DataFrame:
    """Borda scores for every delta from 0 on: times closer than that are equal.

    modified: the modified Borda score of Amadini et al. 2023 instead.

    Raises:
        AslibError: as ``connect``, and when nothing can be swept.

    >>> ae.sweep_delta("lake", show="leaders").select("start", "leader").rows()[:2]
    [(0.0, 'careful'), (48.5, 'isac = loyal = zilla')]
    """
    asked = changed_protocols(protocols, measure=measure)
    return _swept(
        "delta", lake, scenarios, asked, sql_dirs, kind=kind, show=show, at=at,
        note=note, pooled=pooled, modified=modified,
    )  # fmt: skip


@_exact
def sweep_penalty(  # noqa: PLR0913 - one for each option
    lake: Lake = "lake",
    *,
    scenarios: Sequence[str] = (),
    protocols: Protocols = ("default",),
    sql_dirs: Paths = (),
    measure: str | None = None,
    kind: SweptKind | None = None,
    pooled: bool = False,
    show: SweepShow | None = None,
    at: Sequence[float] = (),
    note: Note = silent,
) -> pl.DataFrame:
    """PARk and the closed gap for every k from 1 on.

    Raises:
        AslibError: as ``connect``, and when nothing can be swept.

    >>> ae.sweep_penalty("lake", show="leaders").select("start", "leader").rows()
    [(1.0, 'careful')]
    """
    asked = changed_protocols(protocols, measure=measure)
    return _swept(
        "penalty", lake, scenarios, asked, sql_dirs, kind=kind, show=show, at=at,
        note=note, pooled=pooled,
    )  # fmt: skip


@_exact
def sweep_cutoff(  # noqa: PLR0913 - one for each option
    lake: Lake = "lake",
    *,
    scenarios: Sequence[str] = (),
    protocols: Protocols = ("default",),
    sql_dirs: Paths = (),
    measure: str | None = None,
    kind: SweptKind | None = None,
    pooled: bool = False,
    show: SweepShow | None = None,
    at: Sequence[float] = (),
    penalty: float | None = None,
    note: Note = silent,
) -> pl.DataFrame:
    """PARk and the closed gap for every cutoff below the present one.

    Raises:
        AslibError: as ``connect``, and when nothing can be swept.

    >>> _ = ae.import_scenarios(["scenarios/SAT-PYSAT-2026"], into="sat")
    >>> ae.sweep_cutoff("sat", show="leaders").select("start", "leader").rows()[-1]
    (1.592221, 'kissat404')
    """
    asked = changed_protocols(protocols, measure=measure, penalty=penalty)
    return _swept(
        "cutoff", lake, scenarios, asked, sql_dirs, kind=kind, show=show, at=at,
        note=note, pooled=pooled,
    )  # fmt: skip


@_exact
def sweep_tolerance(  # noqa: PLR0913 - one for each option
    lake: Lake = "lake",
    *,
    scenarios: Sequence[str] = (),
    protocols: Protocols = ("default",),
    sql_dirs: Paths = (),
    measure: str | None = None,
    kind: SweptKind | None = None,
    pooled: bool = False,
    show: SweepShow | None = None,
    at: Sequence[float] = (),
    penalty: float | None = None,
    note: Note = silent,
) -> pl.DataFrame:
    """PARk and gap if so much overhead over VBS counts as nothing.

    Raises:
        AslibError: as ``connect``, and when nothing can be swept.

    >>> ae.sweep_tolerance("lake", at=[1]).select("solver", "score").rows()[:2]
    [('asap', 271.6666666666667), ('careful', 181.58333333333334)]
    """
    asked = changed_protocols(protocols, measure=measure, penalty=penalty)
    return _swept(
        "tolerance", lake, scenarios, asked, sql_dirs, kind=kind, show=show, at=at,
        note=note, pooled=pooled,
    )  # fmt: skip


@_exact
def sweep_scaled(  # noqa: PLR0913 - one for each option
    lake: Lake = "lake",
    *,
    scenarios: Sequence[str] = (),
    protocols: Protocols = ("default",),
    sql_dirs: Paths = (),
    kind: SweptKind | None = None,
    of: ScaledEnd = "alpha",
    show: SweepShow | None = None,
    at: Sequence[float] = (),
    note: Note = silent,
) -> pl.DataFrame:
    """Scaled scores of objectives for every alpha (the worst) or beta (the best).

    of: which end moves; the other is the protocol's.

    Raises:
        AslibError: as ``connect``, and without an objective beside a runtime.

    >>> _ = ae.import_scenarios(["scenarios/MIP-ANYTIME-2026"], into="mip")
    >>> ae.sweep_scaled("mip", show="leaders").columns[-3:]
    ['start', 'end', 'leader']
    """
    asked = changed_protocols(protocols, measure="all")
    return _swept(
        of, lake, scenarios, asked, sql_dirs, kind=kind, show=show, at=at, note=note
    )


@public
def definitions(
    lake: Lake = "lake",
    *,
    scenarios: Sequence[str] = (),
    protocols: Protocols = (),
    sql_dirs: Paths = (),
    measure: str | None = None,
    kind: SweptKind | None = None,
    show: DefinitionShow = "spread",
    note: Note = silent,
) -> pl.DataFrame:
    """The same selections under all protocols and metrics: ``sweep definitions``.

    protocols: none for all presets. show: the ``spread`` over the definitions, all
    ``scores`` and ranks, the ``agreement`` by Kendall's tau-b, or the ``suite``:
    ranks over all scenarios by every way to aggregate.

    kind: None for selectors where there are any, else algorithms. Ranks are means of
    tied places; tau is null where one of two rankings has a single place.

    Raises:
        AslibError: as ``connect``.

    >>> ae.definitions("lake").columns[:3]
    ['scenario_id', 'measure', 'solver']
    """
    from aslib_eval.analysis import definitions as library
    from aslib_eval.database.protocol import PRESETS

    asked = changed_protocols(protocols or tuple(PRESETS), measure=measure)
    if show == "suite":
        over_all = library.suite_definitions(
            lake, protocols=asked, scenarios=scenarios, kind=kind, sql_dirs=sql_dirs
        )
        for text in library.suite_notes(over_all):
            note(text)
        return over_all
    found = library.definitions(
        lake, protocols=asked, scenarios=scenarios, kind=kind, sql_dirs=sql_dirs
    )
    if show == "scores":
        return found
    return library.spread(found) if show == "spread" else library.agreement(found)


@public
def sweep_choices(
    first: str | Protocol,
    second: str | Protocol,
    lake: Lake = "lake",
    *,
    scenarios: Sequence[str] = (),
    sql_dirs: Paths = (),
    measure: str | None = None,
    metric: str = "closed_gap",
    kind: SweptKind | None = None,
) -> pl.DataFrame:
    """Why two protocols disagree: what each choice does alone.

    first, second: presets, .toml files or ``ae.Protocol``. metric: of the relation
    ``metric``. kind: None for selectors where there are any, else algorithms.

    Raises:
        AslibError: as ``connect``, and when a protocol is not known.

    >>> ae.sweep_choices("default", "llama", "lake").columns[:4]
    ['first', 'second', 'scenario_id', 'measure']
    """
    from aslib_eval.analysis.definitions import choices as run

    asked = changed_protocols((first, second), measure=measure)
    return run(
        lake, *asked, metric=metric, scenarios=scenarios, kind=kind, sql_dirs=sql_dirs
    )


@public
def sweep_solvers(  # noqa: PLR0913 - one for each option
    lake: Lake = "lake",
    *,
    scenarios: Sequence[str] = (),
    protocols: Protocols = ("default",),
    sql_dirs: Paths = (),
    measure: str | None = None,
    penalty: float | None = None,
    change: Change = "without",
    kind: SweptKind = "algorithm",
    most: int = 1000,
    seed: int = 1,
    show: SetShow = "moves",
    note: Note = silent,
) -> pl.DataFrame:
    """Gap, Borda, RMC and Shapley value when solvers are left out or cloned.

    change: leave each out, ``clone`` each, or take all ``subsets`` (``most`` of them
    drawn from ``seed``). show: ``moves``, ``turns``, ``suite`` or all ``sets``.

    kind: whose set changes. most: of more subsets than this, so many are drawn.

    Source: Amadini et al. 2023, sections 2.1 and 2.2: relative metrics, and the clone.

    Raises:
        AslibError: as ``connect``, and when there are too few solvers.

    >>> ae.sweep_solvers("lake", show="turns").columns[:4]
    ['protocol', 'scenario_id', 'measure', 'kind']
    """
    from aslib_eval.analysis import solver_sets as library

    asked = changed_protocols(protocols, measure=measure, penalty=penalty)
    con = opened(lake, scenarios, asked, sql_dirs)
    found = library.solver_sets(con, change=change, kind=kind, most=most, seed=seed)
    for text in library.set_notes(found):
        note(text)
    if show == "sets":
        return found
    frames = {"moves": library.moves, "turns": library.turns}
    return (frames | {"suite": library.suite_moves})[show](found)


@public
def sweep_portfolio(
    lake: Lake = "lake",
    *,
    scenarios: Sequence[str] = (),
    protocols: Protocols = ("default",),
    sql_dirs: Paths = (),
    measure: str | None = None,
    penalty: float | None = None,
    most: int | None = None,
    note: Note = silent,
) -> pl.DataFrame:
    """The best k algorithms for every k, exactly, and greedy choice beside them.

    most: the largest size; None for all algorithms. Costs are in the scenario's unit;
    the first by name of equal portfolios. All tied: every portfolio is as good as one
    algorithm.

    Raises:
        AslibError: as ``connect``, and without algorithms that have all costs.

    >>> ae.sweep_portfolio("lake", most=2).select("k", "algorithms").rows()
    [(1, 'drift'), (2, 'crane, drift')]
    """
    from aslib_eval.analysis.portfolios import portfolio_notes, portfolios

    asked = changed_protocols(protocols, measure=measure, penalty=penalty)
    found = portfolios(opened(lake, scenarios, asked, sql_dirs), most=most)
    for text in portfolio_notes(found):
        note(text)
    return found
