"""Solvers set side by side: ``compare`` and ``resample``."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from aslib_eval.commands import Protocols, opened, silent, tell_left_out
from aslib_eval.errors import AslibError, OptionError
from aslib_eval.options import (
    SEEDS,
    Alpha,
    Alternative,
    By,
    Compared,
    CompareDraw,
    CorrectionOf,
    DifferencesOf,
    InsideOf,
    Lake,
    Metric,
    Note,
    Option,
    Scenarios,
    SqlDirs,
    UnitOf,
    Versus,
)
from aslib_eval.plugins import RESERVED, Registry, Reserved
from aslib_eval.signatures import public, unknown_word

if TYPE_CHECKING:
    import polars as pl

    from aslib_eval.analysis.compare import Comparison
    from aslib_eval.figures.chart import Chart

_OURS = ("wilcoxon", "t", "sign", "nemenyi", "bonferroni-dunn", "corrected-t")
# What a notebook shows of pairs: the others are in ``pairs``.
_MATTERS = (*("system", "other", "verdict", "advantage", "lower", "upper"), *("p_adjusted", "win_share"))
_APART = ("protocol", "protocol_hash", "scenario_id", "measure", "family")
# Names alone: what they mean is loaded when they are asked for.
TESTS = Registry("tests", dict.fromkeys(_OURS), lambda *_: None)
_SHOWN: dict[str, Reserved | None] = {
    **dict.fromkeys(("pairs", "systems", "omnibus", "steps")),
    **dict.fromkeys(("bayes", "anova", "normality"), RESERVED),
}
SHOWN = Registry("comparisons", _SHOWN, lambda *_: None)


@public
def compare(  # noqa: PLR0913 - one for each option
    lake: Lake = "lake",
    *,
    scenarios: Scenarios = (),
    protocols: Protocols = ("default",),
    sql_dirs: SqlDirs = (),
    metric: Metric = "cost",
    unit: UnitOf = "instances",
    versus: Versus = None,
    kind: Compared = None,
    differences: DifferencesOf = "simple",
    alpha: Alpha = 0.05,
    correction: CorrectionOf = "holm",
    test: Annotated[
        str | None,
        Option(
            "Which test.",
            shown="wilcoxon; corrected-t over folds",
            registry=("aslib_eval.commands.comparing:TESTS",),
        ),
    ] = None,
    alternative: Annotated[Alternative, Option("better: only whether {versus} is.")] = "two-sided",
    joint: Annotated[bool, Option("Intervals that hold all at once.")] = False,
    seed: Annotated[int, Option("Of the bootstrap.", least=0, most=SEEDS)] = 1,
    show: Annotated[
        str,
        Option(
            "Every pair; every system with its rank and Scott-Knott group; Friedman; "
            "tests in the order of p, each at its level; posterior probabilities "
            "({rope}); linear model with blocks; bootstrap of the means.",
            registry=("aslib_eval.commands.comparing:SHOWN",),
        ),
    ] = "pairs",
    rope: Annotated[
        float | None,
        Option(
            "Of {show} bayes: differences up to it do not matter [metric's unit; a "
            "share with {differences} percent].",
            goes_with="show=bayes",
        ),
    ] = None,
    chart: Annotated[
        str | Path | None,
        Option(
            "Also draw it: .svg, .png or .html.",
            metavar="FILE",
            writes="chart",
            goes_without=("by",),
            because="shows no families",
        ),
    ] = None,
    draw: Annotated[
        CompareDraw | None,
        Option(
            "Critical-difference diagram, differences with their intervals, or how "
            "near to normal their resampled means are.",
            shown="intervals with {versus}, else ranks",
            goes_with="chart",
        ),
    ] = None,
    highlight: Annotated[
        str | None, Option("Point out one in the diagram.", metavar="NAME", goes_with="chart")
    ] = None,
    by: Annotated[By, Option(goes_with="show=pairs|systems|omnibus|steps")] = None,
    inside: Annotated[InsideOf, Option(goes_with="unit=instances")] = "families",
    note: Note = silent,
) -> Comparison:
    """Compare solvers: test, effect and interval of every pair, and a sentence.

    Repetitions of an instance are averaged, folds are corrected for. Where families of instances are known
    (the attribute ``family``, else what the names say), tests and intervals take each as a whole, and
    ``n_families`` counts them; with ``inside`` ``instances`` each instance is independent. Instances that
    nobody solves are ties. In a notebook the comparison shows the frame that ``show`` asks for, its
    sentences and a figure: ``pairs``, ``systems``, ``omnibus``, ``steps``, ``bayes`` (with ``rope``),
    ``anova`` or ``normality``. It is in ``frame``; the first three are there under their names.

    metric: what is compared: a metric of the relation ``metric``, or of a view that has it on each instance
    or fold. unit: what one independent value belongs to. differences: ``percent`` are shares of ``versus``,
    else of the mean. alternative: ``better`` (with ``versus``) asks only whether that one is. test: of ours
    or of a plug-in. rope: of ``bayes``, half the width of what is practically equal [the metric's unit, or
    a share]. draw: ranks (critical difference), intervals, or means (how near to normal their resampled
    means are); None for intervals with ``versus``, else ranks. highlight: a system to point out.

    All tied, or all timed out: every p is 1, A12 a half, nobody wins. One instance or one fold: an error,
    as there is nothing to estimate a spread from.

    Source: Demsar 2006 (Wilcoxon, Friedman, Nemenyi); Nadeau and Bengio 2003 (folds); Campelo and Wanner
    2020, eq. 6 to 8 (percent) and 39 (steps).

    Raises:
        OptionError: for ``by`` with a chart, or with what is shown of a whole scenario, and for ``draw``,
            ``highlight`` or ``rope`` where nothing uses them.
        AslibError: as ``connect``, when there is nothing to compare, or too few units for a test, or a test
            that does not go with the unit.

    >>> found = ae.compare("lake", kind="algorithm")
    >>> found.systems.select("system", "n").rows()
    [('drift', 12), ('crane', 12), ('bolt', 12), ('anvil', 12)]
    """
    from aslib_eval.analysis.compare import compare as run
    from aslib_eval.analysis.compare.question import Question
    from aslib_eval.analysis.summaries import unit_notes
    from aslib_eval.tables.to_terminal import to_notebook

    if show not in SHOWN:
        raise unknown_word("compare", "show", show, SHOWN)
    if highlight and (draw or ("intervals" if versus else "ranks")) != "ranks":
        raise OptionError("--highlight goes with --draw ranks")
    lake = opened(lake, scenarios, protocols, sql_dirs)
    tell_left_out(lake, by, note)
    question = Question(
        metric=metric, unit=unit, test=test, versus=versus, kind=kind, alpha=alpha,
        correction=correction, alternative=alternative, joint=joint,
        differences=differences, seed=seed, sql_dirs=sql_dirs,
        by=by, inside=inside,
    )  # fmt: skip
    found = run(lake, question)
    known = {"pairs": found.pairs, "systems": found.systems, "omnibus": found.omnibus}
    more: tuple[str, ...] = ()
    if show not in known:
        from aslib_eval.analysis.compare.beside import beside

        known[show], more = beside(lake, found.question, show, rope=rope)
    if chart is not None and draw == "means":
        from aslib_eval.analysis.compare.beside import chart_beside

        chart_beside(lake, found.question, "normality").save(chart)
    sentences = (*found.sentences, *more, *unit_notes(lake))
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
    from aslib_eval.figures.ranks import comparison_title, critical_difference
    from aslib_eval.figures.runtimes import difference_intervals

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
