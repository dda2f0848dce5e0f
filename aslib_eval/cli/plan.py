"""``aslib-eval plan``: how many instances and how many runs."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from aslib_eval.cli.options import (
    ALPHA,
    BY,
    CORRECTION,
    COUNT,
    EFFECT,
    FINITE,
    SEED,
    Words,
    choice,
    combine,
    file_option,
    frame_command,
    lake_options,
    note,
    question_options,
)
from aslib_eval.words import (
    BetterBy,
    Differences,
    Direction,
    DrawBy,
    Formula,
    Pairs,
    PowerOver,
    RunsDraw,
    SolverPlanShow,
    Target,
    Test,
)

if TYPE_CHECKING:
    import polars as pl

# Options of the planned tests.
_power_options = combine(
    choice("--test", Test, about="Which test will be made."),
    choice(
        "--alternative",
        Direction,
        about="One-sided only makes sense against one.",
    ),
    choice(
        "--target",
        Target,
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
@click.option("--algorithms", type=COUNT, help="Instead: of so many, as scenario does.")
@click.option(
    "--all-pairs/--against-one",
    default=None,
    show_default="all pairs",
    help="Of --algorithms: each with each other, or all with one of them.",
)
@ALPHA
@CORRECTION
@_power_options
@click.option(
    "--pilot",
    type=click.Path(path_type=Path),
    metavar="CSV",
    help="Simulate power from pilot data: a row an instance, two columns of values or "
    "one of differences. With neither --n nor --d the effect is that of the pilot.",
)
@click.option("--seed", type=SEED, show_default="1", help="Of what --pilot draws.")
@click.option("--levels", is_flag=True, help="Level and power of every comparison.")
@file_option("--chart", about="Also draw the power curve: .svg, .png or .html.")
@choice(
    "--over",
    PowerOver,
    about="What it shows: power over the effect or the instances, instances over the "
    "number of comparisons, or the power of each of so many.",
)
@frame_command
def instances(**options: Any) -> pl.DataFrame:
    """Instances, effect and power: give two, get the third. Needs no lake."""
    from aslib_eval.commands.planning import plan_instances

    return plan_instances(**options, note=note)


@click.command(epilog="Example: aslib-eval plan scenario --scenario 'MIP*' --d 0.2")
@lake_options
@question_options
@BY
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
def scenario(**options: Any) -> pl.DataFrame:
    """With the instances of a scenario: what can be found, how many more are needed."""
    from aslib_eval.commands.planning import plan_scenario

    return plan_scenario(**options, note=note)


# Options of the accuracy of differences on an instance.
_accuracy_options = combine(
    click.option("--se", type=FINITE, required=True, help="Standard error to reach."),
    choice(
        "--difference",
        Differences,
        default="percent",
        about="In the unit of the value, or as a share of a mean.",
    ),
    choice(
        "--pairs",
        Pairs,
        about="All pairs, or the first algorithm against each other one.",
    ),
    choice(
        "--formula",
        Formula,
        default="delta",
        about="Of the standard error; the paper's is off for percent of all pairs.",
    ),
    click.option(
        "--start", type=COUNT, default=10, show_default=True, help="First runs of each."
    ),
    click.option(
        "--balanced",
        is_flag=True,
        help="Run all algorithms equally often, not those that need it most.",
    ),
    click.option(
        "--seed",
        type=click.IntRange(min=0),
        default=1,
        show_default=True,
        help="Same seed, same runs.",
    ),
)


_chart_options = combine(
    file_option("--chart", about="Also draw it: .svg, .png or .html."),
    choice(
        "--draw",
        RunsDraw,
        about="Standard error of every pair on every instance, or runs by algorithm.",
    ),
)


_program_options = combine(
    click.option(
        "-a",
        "--algorithm",
        "algorithms",
        multiple=True,
        required=True,
        metavar="NAME=COMMAND",
        help="Command line with {instance} and {seed}; repeat for each algorithm.",
    ),
    _accuracy_options,
    click.option(
        "--budget", type=COUNT, required=True, help="Most runs on an instance."
    ),
    click.option(
        "--value",
        metavar="REGEX|time",
        help="Where the value stands in the output, or wall-clock time.",
        show_default="the last number",
    ),
    click.option(
        "--timeout",
        type=FINITE,
        default=3600.0,
        show_default=True,
        help="Most seconds of one run.",
    ),
    file_option(
        "--log",
        about="CSV that every run is added to, and read from when it goes on.",
        required=True,
    ),
    click.option(
        "--jobs",
        type=click.IntRange(1, 1024),
        default=1,
        show_default=True,
        metavar="N",
        help="How many instances are run side by side.",
    ),
)


@click.command(
    epilog="Example: aslib-eval plan runs -a A='echo 4{seed}' -a B='echo 5{seed}' "
    "--se 0.1 --budget 60 --log runs.csv inst1 inst2"
)
@click.argument("inputs", nargs=-1, required=True, metavar="INSTANCE...")
@_program_options
@_chart_options
@frame_command
def runs(inputs: tuple[str, ...], **options: Any) -> pl.DataFrame:
    """Run real programs as often as their differences need to be known."""
    from aslib_eval.commands.planning import plan_runs

    with _handle_signals():
        return plan_runs(inputs, **options, note=note)


@click.command(
    epilog="Example: aslib-eval plan experiment -a A='echo 4{seed}' "
    "-a B='echo 5{seed}' --n 3 --se 0.1 --budget 60 --log e.csv i1 i2 i3 i4"
)
@click.argument("pool", nargs=-1, required=True, metavar="INSTANCE...")
@click.option("--n", type=COUNT, help="Instances to draw.", show_default="as planned")
@click.option(
    "--d", type=EFFECT, help="Least difference that matters [std deviations]."
)
@click.option(
    "--power", type=FINITE, help="Power to reach.", show_default="0.8 with --n or --d"
)
@click.option(
    "--by",
    type=Words(DrawBy),
    default="plain",
    show_default=True,
    help="family: from each family in proportion.",
)
@click.option(
    "--groups",
    type=click.Path(path_type=Path),
    metavar="CSV",
    help="Columns instance_id and family, for --by family; else the names tell.",
)
@ALPHA
@CORRECTION
@_power_options
@_program_options
@click.option("--maximise", is_flag=True, help="Higher values are better.")
@file_option("--means", about="Also write the means as a CSV that `import` takes.")
@_chart_options
@frame_command
def experiment(pool: tuple[str, ...], **options: Any) -> pl.DataFrame:
    """Plan, draw instances at random, run programs, and test: all of it at once.

    Stopped and started again it goes on where it was: the seed decides what is drawn.
    """
    from aslib_eval.commands.planning import plan_experiment

    with _handle_signals():
        return plan_experiment(pool, **options, note=note)


@contextmanager
def _handle_signals() -> Iterator[None]:
    """Let SIGTERM and SIGHUP end the running program first, as Ctrl-C does."""

    def leave(number: int, _: object) -> None:
        raise SystemExit(128 + number)

    before = {n: signal.signal(n, leave) for n in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@click.command(
    epilog="Example: aslib-eval plan replay --scenario 'OPT*' --se 0.1 --start 3"
)
@lake_options
@_accuracy_options
@click.option(
    "--budget", type=COUNT, default=10**9, show_default="all", help="Most runs."
)
@_chart_options
@frame_command
def replay(**options: Any) -> pl.DataFrame:
    """Play recorded repetitions back: how many of them would have sufficed."""
    from aslib_eval.commands.planning import plan_replay

    return plan_replay(**options, note=note)


@click.command(
    epilog="Example: aslib-eval plan solver --scenario 'SAT*' --by wins --alpha 0.1"
)
@lake_options
@choice(
    "--by",
    BetterBy,
    about="Who is better: of lower mean cost, or faster on more instances.",
)
@click.option(
    "--alpha",
    type=FINITE,
    default=0.05,
    show_default=True,
    help="Probability to name the worse one, at most.",
)
@click.option("--incumbent", metavar="NAME", help="Only against this algorithm.")
@click.option("--challenger", metavar="NAME", help="Only with this one as the new one.")
@click.option(
    "--most",
    type=COUNT,
    default=200,
    show_default=True,
    help="Of more pairs in a scenario, so many are drawn.",
)
@click.option(
    "--seed", type=SEED, default=1, show_default=True, help="Of orders and pairs."
)
@choice(
    "--show",
    SolverPlanShow,
    about="What is saved and how often it errs, each pair, or the order in which to "
    "run a new solver against --incumbent.",
)
@frame_command
def solver(**options: Any) -> pl.DataFrame:
    """On how few instances a new solver can be told from an incumbent."""
    from aslib_eval.commands.planning import plan_solver

    return plan_solver(**options, note=note)


@click.group()
def plan() -> None:
    """How many instances and how many runs an experiment needs."""


for command in (instances, scenario, solver, runs, replay, experiment):
    plan.add_command(command)
