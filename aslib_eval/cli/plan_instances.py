"""``aslib-eval plan instances`` and ``plan scenario``: how many instances."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from aslib_eval.cli.numbers import COUNT, EFFECT, FINITE
from aslib_eval.cli.options import (
    ALPHA,
    CORRECTION,
    choice,
    file_option,
    frame_command,
    lake_options,
    question_options,
    taken_lake,
    together,
)
from aslib_eval.cli.saying import say

if TYPE_CHECKING:
    import polars as pl

    from aslib_eval.planning import Solved
    from aslib_eval.statistics.power import Plan

# What a plan of instances is about.
_power_options = together(
    choice("--test", ("t", "wilcoxon", "sign"), about="Which test will be made."),
    choice(
        "--alternative",
        ("two-sided", "one-sided"),
        about="One-sided only makes sense against one.",
    ),
    choice(
        "--target",
        ("mean", "median", "worst", "rank"),
        about="Which of the comparisons' powers is meant.",
    ),
    click.option(
        "--rank",
        type=COUNT,
        show_default="1, the strictest",
        help="For --target rank: the strictest test that must reach the power.",
    ),
)


@click.command(epilog="Example: aslib-eval plan instances --algorithms 22 --d 0.5")
@click.option("--n", type=COUNT, help="Number of instances, if it is given.")
@click.option(
    "--d", type=EFFECT, help="Least difference that matters [std deviations]."
)
@click.option(
    "--power", type=FINITE, help="Power to reach.", show_default="0.8 with --n or --d"
)
@click.option("--comparisons", type=COUNT, help="How many tests.", show_default="1")
@click.option("--algorithms", type=COUNT, help="Instead: all against one of so many.")
@click.option("--all-pairs", is_flag=True, help="With --algorithms: all against all.")
@ALPHA
@CORRECTION
@_power_options
@click.option("--levels", is_flag=True, help="Level and power of every comparison.")
@file_option("--chart", about="Also draw the power curve: .svg, .png or .html.")
@choice("--over", ("d", "n"), about="What the curve is drawn over.")
@frame_command
def instances(  # noqa: PLR0913
    *,
    n: int | None,
    d: float | None,
    power: float | None,
    comparisons: int | None,
    algorithms: int | None,
    all_pairs: bool,
    levels: bool,
    chart: Path | None,
    over: str,
    **planned: Any,
) -> pl.DataFrame:
    """Instances, effect and power: give two, get the third. Needs no lake."""
    from aslib_eval.planning import solve
    from aslib_eval.statistics.power import Plan

    if power is None and (n is None or d is None):
        power = 0.8
    tests = _comparisons(comparisons, algorithms, all_pairs=all_pairs)
    rank = _rank(planned)
    found = solve(Plan(comparisons=tests, rank=rank, **planned), n=n, d=d, power=power)
    say(found.sentence(), err=True)
    if chart is not None:
        _draw(found, chart, over)
    return found.levels() if levels else found.summary()


def _comparisons(
    comparisons: int | None, algorithms: int | None, *, all_pairs: bool
) -> int:
    if algorithms is None:
        if all_pairs:
            message = "--all-pairs needs --algorithms"
            raise click.UsageError(message)
        return 1 if comparisons is None else comparisons
    if comparisons is not None:
        message = "--comparisons and --algorithms say the same twice: give one"
        raise click.UsageError(message)
    return algorithms * (algorithms - 1) // 2 if all_pairs else algorithms - 1


def _draw(found: Solved, to: Path, over: str) -> None:
    from aslib_eval.charts.power import power_curve
    from aslib_eval.charts.saving import save
    from aslib_eval.planning import curve

    at = found.d if over == "d" else found.n
    drawn = curve(found, over=over)
    save(power_curve(drawn, at=at, power=found.power), to)


@click.command(epilog="Example: aslib-eval plan scenario --scenario 'MIP*' --d 0.2")
@lake_options
@question_options
@_power_options
@click.option(
    "--power", type=FINITE, default=0.8, show_default=True, help="Power to reach."
)
@click.option(
    "--d",
    type=EFFECT,
    show_default="0.2",
    help="Difference that matters [standard deviations].",
)
@click.option("--difference", type=FINITE, help="The same in the metric's own unit.")
@frame_command
def scenario(
    *, power: float, d: float | None, difference: float | None, **options: Any
) -> pl.DataFrame:
    """With the instances of a scenario: what can be found, how many more are needed."""
    from aslib_eval.comparison import Question
    from aslib_eval.planning import plan_scenario

    plan = _plan(options)
    con = taken_lake(options)
    frame, sentences = plan_scenario(
        con, Question(**options), plan=plan, power=power, d=d, difference=difference
    )
    for sentence in sentences:
        say(sentence, err=True)
    return frame


def _rank(options: dict[str, Any]) -> int:
    """Takes the rank out; 1 where none is given."""
    rank: int | None = options.pop("rank")
    if rank is not None and options["target"] != "rank":
        message = "--rank needs --target rank"
        raise click.UsageError(message)
    return rank or 1


def _plan(options: dict[str, Any]) -> Plan:
    """Takes the plan's own options out; those of a question stay."""
    from aslib_eval.statistics.power import Plan

    rank = _rank(options)
    return Plan(
        comparisons=rank,  # at least; each scenario has its own number
        target=options.pop("target"),
        rank=rank,
        test=options.pop("test"),
        alternative=options.pop("alternative"),
        alpha=options["alpha"],
        correction=options["correction"],
    )
