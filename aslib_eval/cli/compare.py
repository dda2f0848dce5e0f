"""``aslib-eval compare``: tests, effects and intervals of pairs of solvers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from aslib_eval.cli.options import (
    FINITE,
    SEED,
    choice,
    file_option,
    frame_command,
    lake_options,
    question_options,
    say,
    taken_lake,
)

if TYPE_CHECKING:
    import polars as pl

    from aslib_eval.analysis.compare import Comparison

_EXAMPLE = "Example: aslib-eval compare --scenario 'SAT*' --versus zilla --chart cd.svg"
_TESTS = ("wilcoxon", "t", "sign", "nemenyi", "bonferroni-dunn", "corrected-t")


@click.command(epilog=_EXAMPLE)
@lake_options
@question_options
@click.option(
    "--test",
    type=click.Choice(_TESTS),
    show_default="wilcoxon; corrected-t over folds",
    help="Which test.",
)
@choice(
    "--alternative",
    ("two-sided", "better"),
    about="better: only whether --versus is.",
)
@click.option("--joint", is_flag=True, help="Intervals that hold all at once.")
@click.option(
    "--seed", type=SEED, default=1, show_default=True, help="Of the bootstrap."
)
@choice(
    "--show",
    ("pairs", "systems", "omnibus", "steps", "bayes", "anova", "normality"),
    about="Every pair; every system with its rank and Scott-Knott group; Friedman; "
    "tests in the order of p, each at its level; posterior probabilities (--rope); "
    "linear model with blocks; bootstrap of the means.",
)
@click.option(
    "--rope",
    type=FINITE,
    help="Of --show bayes: differences up to it do not matter [metric's unit; a share "
    "with --differences percent].",
)
@file_option("--chart", about="Also draw it: .svg, .png or .html.")
@click.option(
    "--draw",
    type=click.Choice(("ranks", "intervals", "means")),
    show_default="intervals with --versus, else ranks",
    help="Critical-difference diagram, differences with their intervals, or how near "
    "to normal their resampled means are.",
)
@click.option("--highlight", metavar="NAME", help="Point out one in the diagram.")
@frame_command
def compare(
    *,
    show: str,
    rope: float | None,
    chart: Path | None,
    draw: str | None,
    highlight: str | None,
    **options: Any,
) -> pl.DataFrame:
    """Compare solvers: test, effect and interval of every pair, and a sentence.

    The sentence goes to stderr. Repetitions of an instance are averaged, folds are
    corrected for: n counts what is independent. Instances that nobody solves are ties.
    """
    from aslib_eval.analysis.compare import compare as run
    from aslib_eval.analysis.compare.question import Question

    sql_dirs = options["sql_dirs"]
    con = taken_lake(options)
    found = run(con, Question(**options, sql_dirs=sql_dirs))
    frames = {"pairs": found.pairs, "systems": found.systems, "omnibus": found.omnibus}
    more: tuple[str, ...] = ()
    if show not in frames:
        from aslib_eval.analysis.compare.beside import beside

        frames[show], more = beside(con, found.question, show, rope=rope)
    for sentence in (*found.sentences, *more):
        say(sentence, err=True)
    if chart is not None and draw == "means":
        from aslib_eval.analysis.compare.beside import mean_quantiles_of
        from aslib_eval.figures.resampled_means import mean_quantiles

        mean_quantiles(mean_quantiles_of(con, found.question)).save(chart)
    elif chart is not None:
        _draw(found, chart, draw, highlight)
    return frames[show]


def _draw(found: Comparison, to: Path, draw: str | None, highlight: str | None) -> None:
    from aslib_eval.errors import AslibError
    from aslib_eval.figures.critical_difference import (
        comparison_title,
        critical_difference,
    )
    from aslib_eval.figures.intervals import difference_intervals

    versus = found.question.versus
    kind = draw or ("intervals" if versus else "ranks")
    if kind == "intervals":
        scenario = found.pairs["scenario_id"][0]
        title = f"{scenario or 'scenarios'}: {found.question.compared}"
        difference_intervals(found.pairs, versus=versus, title=title).save(to)
        return
    if not found.omnibus.height:
        message = "folds are not independent: their ranks have no critical difference"
        raise AslibError(message, hint="Use --draw intervals.")
    title, about = comparison_title(found)
    diagram = critical_difference(
        found.systems,
        cd=float(found.omnibus["cd"][0]),
        highlight=highlight or versus,
        against=versus is not None,
        title=title,
        about=about,
    )
    diagram.save(to)
