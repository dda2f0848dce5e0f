"""Scores, gaps and what a number is made of: ``list``, ``like``, ``score``, ``gap``."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Annotated

from aslib_eval.commands import Protocols, changed_protocols, opened, silent, tell_left_out
from aslib_eval.errors import AslibError, OptionError
from aslib_eval.options import (
    By,
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
from aslib_eval.signatures import public
from aslib_eval.text import one_of

if TYPE_CHECKING:
    import polars as pl

    from aslib_eval.database.open_lake import OpenLake

# Runs of which the intervals of the closed gap take less than a second.
_QUICK = 100_000


@public
def list_scenarios(
    lake: Lake = "lake",
    *,
    scenarios: Scenarios = (),
    protocols: Protocols = ("default",),
    sql_dirs: SqlDirs = (),
) -> pl.DataFrame:
    """The scenarios of the lake: size, SBS, VBS, and what is missing.

    A row for each protocol, scenario and measure. Costs are in the unit of the scenario's measure; ``n``
    counts the instances that the protocol keeps.

    Raises:
        AslibError: as ``connect``.

    >>> ae.list_scenarios("lake").select("scenario_id", "n", "algos").rows()
    [('TOY-2026', 12, 4)]
    """
    from aslib_eval.analysis.summaries import summary

    return summary(opened(lake, scenarios, protocols, sql_dirs))


@public
def score(  # noqa: PLR0913 - one for each option
    lake: Lake = "lake",
    *,
    scenarios: Scenarios = (),
    protocols: Protocols = ("default",),
    sql_dirs: SqlDirs = (),
    contribution: Annotated[
        bool,
        Option(
            "What each solver adds to its portfolio: AMC, RMC and Shapley value.",
            goes_without=("by",),
            because="is of all instances",
        ),
    ] = False,
    quality: Annotated[
        bool,
        Option(
            "Optimisation: MiniZinc, MaxSAT, IPC and area scores of the objectives.",
            goes_without=("contribution", "by", "sql_dirs"),
            because="is a table of its own",
        ),
    ] = False,
    kinds: Kinds = (),
    solvers: Solvers = (),
    measure: Measure = None,
    fold_mean: FoldMean = False,
    sbs: SbsOf = None,
    penalty: Penalty = None,
    delta: Delta = None,
    by: By = None,
    note: Note = silent,
) -> pl.DataFrame:
    """Solved, PAR1, PAR2, PAR10, cost, SGM and Borda of every solver.

    One row per protocol, scenario, measure and solver; ``by`` an attribute of the instances, also per
    family of them. Instead of these scores:
    contributions to the portfolio (``contribution``), or of objectives (``quality``).

    Costs and times are in the unit of the scenario. All tied: Borda is a half an opponent. All timed out:
    PARk is k times the cutoff, Borda 0. VBS, SBS and VWS have no Borda. No rows where no solver is of the
    kinds.

    Source: Amadini et al. 2023, Definition 1 (PARk), section 2.2 (contributions) and section 2.3
    (objectives).

    Raises:
        OptionError: for two of these tables at once, for ``by`` with what has no families, and for options
            of a table that is not asked for.
        AslibError: as ``connect``, when no solver is called like one of ``solvers``, which are globs, and
            when no instance has the attribute.

    >>> found = ae.score("lake", solvers=["anvil"])
    >>> found.select("solver", "solved", "n").rows()
    [('anvil', 0.5, 12)]
    """
    asked = changed_protocols(
        protocols, measure=measure, fold_mean=fold_mean, sbs=sbs, penalty=penalty,
        delta=delta,
    )  # fmt: skip
    if quality:
        from aslib_eval.analysis.objectives import qualities

        found = qualities(opened(lake, scenarios, asked, ()))
        note("higher is better, but for minizinc_area: lower is better")
    else:
        from aslib_eval.analysis.summaries import contributions, failure_notes, scores, unit_notes

        lake = opened(lake, scenarios, asked, sql_dirs)
        tell_left_out(lake, by, note)
        found = contributions(lake) if contribution else scores(lake, attribute=by)
        for text in (*failure_notes(lake), *unit_notes(lake)):
            note(text)
    return of_solvers(found, kinds, solvers)


@public
def gap(  # noqa: PLR0913 - one for each option
    lake: Lake = "lake",
    *,
    scenarios: Scenarios = (),
    protocols: Protocols = ("default",),
    sql_dirs: SqlDirs = (),
    why: Annotated[
        bool,
        Option(
            "The way from VBS down to every selector: what each cause costs after "
            "those before it (loss), over all orders (shapley), and if mended alone "
            "(alone).",
            goes_without=("metrics", "by"),
            because="is of costs of all instances",
        ),
    ] = False,
    metrics: Annotated[
        Sequence[str],
        Option(
            "Gaps with respect to this metric instead of the cost, or to mznc (of "
            "runtimes borda), scaled or satisficing of objectives.",
            flags="--metric",
            metavar="NAME",
            goes_without=("by",),
            because="is of all instances",
        ),
    ] = (),
    kinds: Kinds = (),
    solvers: Solvers = (),
    measure: Measure = None,
    fold_mean: FoldMean = False,
    sbs: SbsOf = None,
    penalty: Penalty = None,
    delta: Delta = None,
    by: By = None,
    interval: Annotated[
        bool | None,
        Option(
            "95 % interval of the closed gap: instances are drawn anew, with SBS and "
            "VBS chosen in each draw.",
            flags="--interval/--no-interval",
            shown="on a terminal, where it takes less than a second",
            goes_without=("why", "metrics", "by"),
            quick=True,
        ),
    ] = False,
    note: Note = silent,
) -> pl.DataFrame:
    """Closed, remaining and bounded gap, speedup and incomplete of every solver.

    One row per protocol, scenario, measure and solver. ``why``: one per cause of loss on the way from VBS
    to a selector. ``metrics``: gaps with respect to these. ``by`` an attribute of the instances: one row
    also per family of them.

    why: the ledger of losses instead. metrics: of the relation ``metric``, those of views of your own and
    of plug-ins, and mznc, scaled, satisficing or incomplete of objectives; mznc of a scenario of runtimes
    alone is borda. by: an attribute of instances. interval: ``gap_low`` and ``gap_high``, a 95 % interval
    of the closed gap, and ``remark``: instances are drawn anew, with SBS and VBS chosen in each draw, as in
    ``resample`` with 2000 draws; None: where that takes less than a second (up to 100,000 runs, no ``by``,
    gaps over all instances).

    All tied, all timed out, or SBS equal to VBS for another reason: the gap is null and ``reason`` says so.
    No rows where there are no solvers of the kinds.

    Source: Amadini et al. 2023, Definition 3.

    Raises:
        OptionError: for ``why`` with ``metrics`` or solvers that are no selectors, and for ``by`` or
            ``interval`` with one of them.
        AslibError: as ``connect``, for a metric without a gap, and when no instance has the attribute.

    >>> found = ae.gap("lake", kinds=["selector"], solvers=["care*"])
    >>> found.select("solver", "closed_gap", "n").rows()
    [('careful', 0.18416666666666656, 12)]
    """
    from aslib_eval.analysis.summaries import (
        LOSS_WORDS,
        failure_notes,
        fold_notes,
        gaps,
        loss_notes,
        loss_shares,
        losses,
        unit_notes,
    )

    asked = changed_protocols(
        protocols, measure=measure, fold_mean=fold_mean, sbs=sbs, penalty=penalty,
        delta=delta,
    )  # fmt: skip
    if why and set(kinds) - {"selector"}:
        raise OptionError("--why is of selectors: it goes with no other --kind")
    lake = opened(lake, scenarios, asked, sql_dirs)
    if metrics:
        found = of_solvers(_by_metric(lake, metrics), kinds, solvers)
        for text in fold_notes(found):
            note(text)
        return found
    tell_left_out(lake, by, note)
    found = losses(lake) if why else gaps(lake, attribute=by)
    for text in failure_notes(lake):
        note(text)
    runs = found.filter(found["kind"] != "baseline")["n"].sum() if not why else 0
    found = of_solvers(found, kinds, solvers)
    if why:
        more = [*loss_shares(found), *loss_notes(found)]
        more += [LOSS_WORDS, *unit_notes(lake)] if found.height else []
    else:
        more = fold_notes(found)
    for text in more:
        note(text)
    asked_for = interval is not None
    if not (interval if asked_for else not why and by is None and runs <= _QUICK):
        return found
    from aslib_eval.analysis.bootstrap import DRAWN_ANEW, OTHER_GAP, with_intervals

    drawn = with_intervals(lake, found)
    if not asked_for and (drawn["remark"] == OTHER_GAP).any():
        return found  # gaps such as means over folds, of which there is no interval
    note(f"{DRAWN_ANEW}.")
    return drawn


def _by_metric(lake: OpenLake, metrics: Sequence[str]) -> pl.DataFrame:
    import polars as pl

    from aslib_eval.analysis.objectives import POINTS, own_gaps, own_metrics, quality_gaps
    from aslib_eval.analysis.summaries import metric_gaps, metrics_with_gap, mznc_of_runtimes

    known = metrics_with_gap(lake)
    of_objectives = [name for name in metrics if name in POINTS and name not in known]
    of_plug_ins = own_metrics()
    own = [name for name in metrics if name in of_plug_ins]
    others = [name for name in metrics if name not in {*of_objectives, *own}]
    also = (*POINTS, *of_plug_ins)
    frames = [metric_gaps(lake, others, others=also)] if others else []
    if "mznc" in of_objectives:
        frames.append(mznc_of_runtimes(lake))
        if not lake.with_all_measures().rows("quality_measures"):
            of_objectives = [name for name in of_objectives if name != "mznc"]
    if of_objectives:
        frames.append(quality_gaps(lake, of_objectives))
    if own:
        frames.append(own_gaps(lake, own))
    return pl.concat(frames, how="vertical_relaxed")


def of_solvers(frame: pl.DataFrame, kinds: Sequence[str], solvers: Sequence[str]) -> pl.DataFrame:
    """The rows of solvers of these kinds, whose names match one of the globs."""
    import polars as pl

    if kinds and "kind" in frame.columns:
        frame = frame.filter(pl.col("kind").cast(pl.String).is_in(kinds))
    if not solvers:
        return frame
    column = "solver" if "solver" in frame.columns else "method"
    names = sorted(set(frame[column].cast(pl.String)))
    wanted = [n for n in names if any(fnmatchcase(n, glob) for glob in solvers)]
    if not wanted:
        raise AslibError(f"no solver matches {' or '.join(solvers)}", "--solver", one_of(solvers[0], names))
    return frame.filter(pl.col(column).cast(pl.String).is_in(wanted))
