"""What the lake is asked: ``list``, ``score``, ``gap`` and ``compare``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, Unpack

from aslib_eval import options
from aslib_eval.analysis import of_solvers
from aslib_eval.commands import Protocols, opened, silent, tell_left_out
from aslib_eval.errors import AslibError, OptionError
from aslib_eval.plugins import RESERVED, Registry, Reserved, a_function
from aslib_eval.text import list_names

if TYPE_CHECKING:
    import polars as pl

    from aslib_eval.analysis.compare import Comparison
    from aslib_eval.database.open_lake import OpenLake
    from aslib_eval.figures.chart import Chart


@options.public
def list_scenarios(
    lake: options.Lake = "lake",
    *,
    scenarios: options.Scenarios = (),
    protocols: Protocols = ("default",),
    sql_dirs: options.SqlDirs = (),
) -> pl.DataFrame:
    """List each scenario's size, single best solver (SBS), virtual best solver (VBS) and missing data.

    A row for each protocol, scenario and measure. Costs are in the unit of the scenario's measure; ``n``
    counts the instances that the protocol keeps.

    >>> ae.list_scenarios("lake").select("scenario_id", "n", "algos").rows()
    [('TOY-2026', 12, 4)]
    """
    from aslib_eval.analysis.summaries import summary

    return summary(opened(lake, scenarios, protocols, sql_dirs))


@options.public
def score(  # noqa: PLR0913 - one for each option
    lake: options.Lake = "lake",
    *,
    scenarios: options.Scenarios = (),
    protocols: Protocols = ("default",),
    sql_dirs: options.SqlDirs = (),
    contribution: Annotated[
        bool,
        options.Option(
            "Show each solver's contribution to the portfolio: absolute and relative marginal "
            "contribution (AMC, RMC) and Shapley value.",
            goes_without=("by",),
            because="covers all instances",
        ),
    ] = False,
    quality: Annotated[
        bool,
        options.Option(
            "Show scores of solution quality instead: the scores of the MiniZinc challenge, the MaxSAT "
            "evaluation and the planning competition (IPC), and the area under the curve of quality over "
            "time.",
            goes_without=("contribution", "by", "sql_dirs"),
            because="prints another table",
        ),
    ] = False,
    kinds: options.Kinds = (),
    solvers: options.Solvers = (),
    by: options.By = None,
    note: options.Note = silent,
    **choices: Unpack[options.ProtocolOptions],
) -> pl.DataFrame:
    """Show every solver's scores: share of solved instances, PARk, cost, shifted geometric mean and Borda.

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

    >>> found = ae.score("lake", solvers=["anvil"])
    >>> found.select("solver", "solved", "n").rows()
    [('anvil', 0.5, 12)]
    """
    if quality:
        from aslib_eval.analysis.objectives import qualities

        found = qualities(opened(lake, scenarios, protocols, **choices))
        note("higher is better, except for minizinc_area (lower is better)")
    else:
        from aslib_eval.analysis.summaries import contributions, failure_notes, scores, unit_notes

        lake = opened(lake, scenarios, protocols, sql_dirs, **choices)
        tell_left_out(lake, by, note)
        found = contributions(lake) if contribution else scores(lake, attribute=by)
        note(*failure_notes(lake), *unit_notes(lake))
        found = found if by or contribution else with_columns(lake, found, note)
    return of_solvers(found, kinds, solvers)


@options.public
def gap(  # noqa: PLR0913 - one for each option
    lake: options.Lake = "lake",
    *,
    scenarios: options.Scenarios = (),
    protocols: Protocols = ("default",),
    sql_dirs: options.SqlDirs = (),
    why: Annotated[
        bool,
        options.Option(
            "Show why each selector is worse than VBS: one row per cause, such as wrong choices or feature "
            "costs, with the mean cost that this cause adds.",
            goes_without=("metrics", "by"),
            because="explains costs over all instances",
        ),
    ] = False,
    metrics: Annotated[
        Sequence[str],
        options.Option(
            "Show the closed gap in this metric instead of cost, for example in borda. Metrics of solution "
            "quality are mznc (MiniZinc challenge) and satisficing (planning competition), among others.",
            flags="--metric",
            metavar="NAME",
            goes_without=("by",),
            because="covers all instances",
        ),
    ] = (),
    kinds: options.Kinds = (),
    solvers: options.Solvers = (),
    by: options.By = None,
    interval: Annotated[
        bool,
        options.Option(
            "Add a 95 % bootstrap interval of the closed gap. Every bootstrap sample has its own SBS and "
            "VBS.",
            flags="--interval/--no-interval",
            goes_without=("why", "metrics", "by"),
        ),
    ] = False,
    note: options.Note = silent,
    **choices: Unpack[options.ProtocolOptions],
) -> pl.DataFrame:
    """Show the closed gap of every solver: 0 is SBS (single best solver), 1 is VBS (virtual best solver).

    One row per protocol, scenario, measure and solver. ``why``: one per cause of loss on the way from VBS
    to a selector. ``metrics``: gaps with respect to these. ``by`` an attribute of the instances: one row
    also per family of them.

    metrics: of the relation ``metric``, those of views of your own and of plug-ins, and mznc, scaled,
    satisficing or incomplete of objectives; mznc of a scenario of runtimes alone is borda. interval:
    ``gap_low`` and ``gap_high``, and ``remark``, as in ``resample`` with 2000 draws.

    All tied, all timed out, or SBS equal to VBS for another reason: the gap is null and ``reason`` says so.
    No rows where there are no solvers of the kinds.

    Source: Amadini et al. 2023, Definition 3.

    Raises:
        OptionError: for ``why`` with ``metrics`` or solvers that are no selectors, and for ``by`` or
            ``interval`` with one of them.

    >>> found = ae.gap("lake", kinds=["selector"], solvers=["care*"])
    >>> found.select("solver", "closed_gap", "n").rows()
    [('careful', 0.18416666666666656, 12)]
    """
    from aslib_eval.analysis import summaries

    if why and set(kinds) - {"selector"}:
        raise OptionError("--why shows selectors: it cannot be combined with another --kind")
    lake = opened(lake, scenarios, protocols, sql_dirs, **choices)
    if metrics:
        found = of_solvers(_by_metric(lake, metrics), kinds, solvers)
        note(*summaries.fold_notes(found))
        return found
    tell_left_out(lake, by, note)
    found = summaries.losses(lake) if why else summaries.gaps(lake, attribute=by)
    note(*summaries.failure_notes(lake))
    found = of_solvers(found if why or by else with_columns(lake, found, note), kinds, solvers)
    if why:
        words = (summaries.LOSS_WORDS, *summaries.unit_notes(lake)) if found.height else ()
        note(*summaries.loss_shares(found), *summaries.loss_notes(found), *words)
    else:
        note(*summaries.fold_notes(found))
    if not interval:
        return found
    from aslib_eval.analysis.runs import DRAWN_ANEW, with_intervals

    note(f"{DRAWN_ANEW}.")
    return with_intervals(lake, found)


def _by_metric(lake: OpenLake, metrics: Sequence[str]) -> pl.DataFrame:
    import polars as pl

    from aslib_eval.analysis.objectives import POINTS, own_gaps, own_metrics, quality_gaps
    from aslib_eval.analysis.summaries import metric_gaps, metrics_with_gap, mznc_of_runtimes

    known = metrics_with_gap(lake)
    of_objectives = [name for name in metrics if name in POINTS and name not in known]
    of_plug_ins = own_metrics()
    own = [name for name in metrics if name in of_plug_ins]
    others = [name for name in metrics if name not in {*of_objectives, *own}]
    frames = [metric_gaps(lake, others, others=(*POINTS, *of_plug_ins))] if others else []
    if "mznc" in of_objectives:
        frames.append(mznc_of_runtimes(lake))
        if not lake.with_all_measures().rows("quality_measures"):
            of_objectives = [name for name in of_objectives if name != "mznc"]
    if of_objectives:
        frames.append(quality_gaps(lake, of_objectives))
    if own:
        frames.append(own_gaps(lake, own))
    found = pl.concat(frames, how="vertical_relaxed")
    if lacking := [name for name in metrics if name not in {*found["metric"].cast(pl.String)}]:
        what = f"no scenario has a value of {list_names(lacking)}"
        hint = "If the metric combines two measures, name the second one as second_measure in a protocol. "
        raise AslibError(what, "--metric", f"{hint}To list them: aslib-eval query 'from raw_scenario'")
    return found


# What extensions add to a frame of solvers: a function of the open lake and of the frame, whose rows have
# protocol, scenario_id, measure, kind and solver → the same rows with more columns, and sentences.
COLUMNS = Registry("columns", {}, a_function)


def with_columns(lake: OpenLake, frame: pl.DataFrame, note: options.Note) -> pl.DataFrame:
    """A frame of solvers with the columns that extensions add; what they say of it is noted."""
    for add in COLUMNS.usable().values():
        frame, sentences = add(lake, frame)
        for text in sentences:
            note(text)
    return frame


# Solvers set side by side.

_TESTS = ("wilcoxon", "t", "sign", "nemenyi", "bonferroni-dunn", "corrected-t")
# What a notebook shows of pairs: the others are in ``pairs``.
_MATTERS = (*("system", "other", "verdict", "advantage", "lower", "upper"), *("p_adjusted", "win_share"))
_APART = ("protocol", "protocol_hash", "scenario_id", "measure", "family")
# Names alone: what they mean is loaded when they are asked for.
TESTS = Registry("tests", dict.fromkeys(_TESTS), lambda *_: None)
_SHOWN: dict[str, Reserved | None] = {
    **dict.fromkeys(("pairs", "systems", "omnibus", "steps")),
    **dict.fromkeys(("bayes", "anova", "normality"), RESERVED),
}
SHOWN = Registry("comparisons", _SHOWN, lambda *_: None)


@options.public
def compare(  # noqa: PLR0913 - one for each option
    lake: options.Lake = "lake",
    *,
    scenarios: options.Scenarios = (),
    protocols: Protocols = ("default",),
    sql_dirs: options.SqlDirs = (),
    metric: options.Metric = "cost",
    unit: options.UnitOf = "instances",
    versus: options.Versus = None,
    kind: options.Compared = None,
    solvers: options.Solvers = (),
    differences: options.DifferencesOf = "simple",
    alpha: options.Alpha = 0.05,
    correction: options.CorrectionOf = "holm",
    test: Annotated[
        str | None,
        options.Option(
            "Significance test. nemenyi (all pairs) and bonferroni-dunn (with {versus}) compare mean "
            "ranks; corrected-t corrects for folds that share training data.",
            shown="wilcoxon; with {unit} folds: corrected-t",
            registry=("aslib_eval.commands.scoring:TESTS",),
        ),
    ] = None,
    alternative: Annotated[
        options.Alternative,
        options.Option("two-sided: test for any difference. better: test whether {versus} is better."),
    ] = "two-sided",
    joint: Annotated[
        bool, options.Option("Widen the confidence intervals so that all hold at once.")
    ] = False,
    seed: options.Seed = 1,
    show: Annotated[
        str,
        options.Option(
            "pairs: every pair of solvers. systems: mean rank and Scott-Knott group of each solver. "
            "omnibus: Friedman's test. steps: the tests in order of their p-values, with significance "
            "levels. bayes: for each pair, the probabilities that the first solver is better, that the "
            "second is better, and that both are equivalent ({rope}). anova: a linear model with "
            "instances as blocks. normality: bootstrap distribution of the means.",
            registry=("aslib_eval.commands.scoring:SHOWN",),
        ),
    ] = "pairs",
    rope: Annotated[
        float | None,
        options.Option(
            "With {show} bayes: two solvers are equivalent if they differ by at most this much, in the "
            "unit of the metric. With {differences} percent, 0.05 is 5 %.",
            goes_with="show=bayes",
        ),
    ] = None,
    chart: Annotated[
        options.ChartFile, options.Option(goes_without=("by",), because="shows no families")
    ] = None,
    draw: Annotated[
        options.CompareDraw | None,
        options.Option(
            "Kind of {chart}. ranks: critical-difference diagram. intervals: differences with confidence "
            "intervals. means: how close the bootstrap distributions of the means are to normal "
            "distributions.",
            shown="intervals with {versus}, else ranks",
            goes_with="chart",
        ),
    ] = None,
    highlight: Annotated[
        str | None,
        options.Option(
            "Highlight this solver in the critical-difference diagram.", metavar="NAME", goes_with="chart"
        ),
    ] = None,
    by: Annotated[options.By, options.Option(goes_with="show=pairs|systems|omnibus|steps")] = None,
    inside: Annotated[options.InsideOf, options.Option(goes_with="unit=instances")] = "families",
    note: options.Note = silent,
) -> Comparison:
    """Compare solvers pair by pair: significance test, effect size and confidence interval.

    Repetitions of an instance are averaged, folds are corrected for. Where families of instances are known
    (the attribute ``family``, else what the names say), tests and intervals take each as a whole, and
    ``n_families`` counts them; with ``inside`` ``instances`` each instance is independent. Instances that
    nobody solves are ties. In a notebook the comparison shows the frame that ``show`` asks for, its
    sentences and a figure: ``pairs``, ``systems``, ``omnibus``, ``steps``, ``bayes`` (with ``rope``),
    ``anova`` or ``normality``. It is in ``frame``; the first three are there under their names.

    metric: of the relation ``metric``, or of a view that has it on each instance or fold. test: of ours or
    of a plug-in.

    All tied, or all timed out: every p is 1, A12 a half, nobody wins. One instance or one fold: an error,
    as there is nothing to estimate a spread from.

    Source: Demsar 2006 (Wilcoxon, Friedman, Nemenyi); Nadeau and Bengio 2003 (folds); Campelo and Wanner
    2020, eq. 6 to 8 (percent) and 39 (steps).

    Raises:
        OptionError: for ``by`` with a chart, or with what is shown of a whole scenario, and for ``draw``,
            ``highlight`` or ``rope`` where nothing uses them.

    >>> found = ae.compare("lake", kind="algorithm")
    >>> found.systems.select("system", "n").rows()
    [('drift', 12), ('crane', 12), ('bolt', 12), ('anvil', 12)]
    """
    from aslib_eval.analysis.compare import compare as run
    from aslib_eval.analysis.compare.question import Question
    from aslib_eval.analysis.summaries import unit_notes
    from aslib_eval.tables.to_terminal import to_notebook

    if show not in SHOWN:
        raise options.unknown_word("compare", "show", show, SHOWN)
    if highlight and (draw or ("intervals" if versus else "ranks")) != "ranks":
        raise OptionError("--highlight needs --draw ranks")
    lake = opened(lake, scenarios, protocols, sql_dirs)
    tell_left_out(lake, by, note)
    if solvers:  # a name that nobody has is an error, and its answer no empty one
        of_solvers(lake.ask("select distinct solver from solver_score"), (), solvers)
    question = Question(
        metric=metric, unit=unit, test=test, versus=versus, kind=kind, alpha=alpha,
        correction=correction, alternative=alternative, joint=joint,
        differences=differences, seed=seed, sql_dirs=sql_dirs, solvers=tuple(solvers),
        by=by, inside=inside,
    )  # fmt: skip
    found = run(lake, question)
    said: list[str] = []
    if by is None and unit == "instances":
        systems = with_columns(lake, found.systems.rename({"system": "solver"}), said.append)
        found = replace(found, systems=systems.rename({"solver": "system"}))
    known = {"pairs": found.pairs, "systems": found.systems, "omnibus": found.omnibus}
    more: tuple[str, ...] = ()
    if show not in known:
        from aslib_eval.analysis.compare.beside import beside

        known[show], more = beside(lake, found.question, show, rope=rope)
    if chart is not None and draw == "means":
        from aslib_eval.analysis.compare.beside import chart_beside

        chart_beside(lake, found.question, "normality").save(chart)
    sentences = (*found.sentences, *more, *unit_notes(lake), *said)
    drawn = partial(_figure, found, draw, highlight)
    if chart is not None and draw != "means":
        drawn().save(chart)
    frame = _what_matters(found.pairs) if show == "pairs" else known[show]
    html = partial(to_notebook, frame, sentences, drawn, chosen=show == "pairs")
    return replace(found, shown=known[show], sentences=sentences, html=html)


def _what_matters(pairs: pl.DataFrame) -> pl.DataFrame:
    """Eight columns of pairs, and what tells scenarios, protocols, families apart."""
    apart = [name for name in _APART if name in pairs and pairs[name].n_unique() > 1]
    return pairs.select(*apart, *_MATTERS)


def _figure(found: Comparison, draw: str | None, highlight: str | None) -> Chart:
    from aslib_eval.figures.gaps import difference_intervals
    from aslib_eval.figures.ranks import comparison_title, critical_difference

    versus = found.question.versus
    kind = draw or ("intervals" if versus else "ranks")
    if kind == "intervals":
        scenario = found.pairs["scenario_id"][0]
        title = f"{scenario or 'scenarios'}: {found.question.compared}"
        return difference_intervals(found.pairs, versus=versus, title=title)
    if not found.omnibus.height:
        message = "folds are not independent: their ranks have no critical difference"
        raise AslibError(message, hint="Use --draw intervals.")
    title, about = comparison_title(found)
    return critical_difference(
        found.systems,
        cd=float(found.omnibus["cd"][0]),
        highlight=highlight or versus,
        against=versus is not None,
        title=title,
        about=about,
    )
