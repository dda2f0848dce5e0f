"""``aslib-eval plan``: how many instances and how many runs."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from aslib_eval.cli.options import (
    ALPHA,
    CORRECTION,
    COUNT,
    EFFECT,
    FINITE,
    SEED,
    choice,
    combine,
    file_option,
    frame_command,
    lake_options,
    question_options,
    say,
    taken_lake,
)

if TYPE_CHECKING:
    import polars as pl

    from aslib_eval.analysis.plan.instances import SolvedPlan
    from aslib_eval.analysis.plan.runs import Program
    from aslib_eval.statistics.adaptive_sampling import Accuracy
    from aslib_eval.statistics.power import Plan

# Options of the planned tests.
_power_options = combine(
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
@click.option("--levels", is_flag=True, help="Level and power of every comparison.")
@file_option("--chart", about="Also draw the power curve: .svg, .png or .html.")
@choice(
    "--over",
    ("d", "n", "comparisons", "profile"),
    about="What it shows: power over the effect or the instances, instances over the "
    "number of comparisons, or the power of each of so many.",
)
@frame_command
def instances(  # noqa: PLR0913
    *,
    n: int | None,
    d: float | None,
    power: float | None,
    comparisons: int | None,
    algorithms: int | None,
    all_pairs: bool | None,
    levels: bool,
    chart: Path | None,
    over: str,
    **planned: Any,
) -> pl.DataFrame:
    """Instances, effect and power: give two, get the third. Needs no lake."""
    from aslib_eval.analysis.plan.instances import solve
    from aslib_eval.statistics.power import Plan

    if power is None and (n is None or d is None):
        power = 0.8
    tests = _comparisons(comparisons, algorithms, all_pairs=all_pairs)
    rank = _rank(planned)
    found = solve(Plan(comparisons=tests, rank=rank, **planned), n=n, d=d, power=power)
    say(found.sentence(), err=True)
    if chart is not None:
        _draw(found, chart, over, power)
    return found.levels() if levels else found.summary()


def _comparisons(
    comparisons: int | None, algorithms: int | None, *, all_pairs: bool | None
) -> int:
    if algorithms is None:
        if all_pairs is not None:
            message = "--all-pairs and --against-one need --algorithms"
            raise click.UsageError(message)
        return 1 if comparisons is None else comparisons
    if comparisons is not None:
        message = "--comparisons and --algorithms say the same twice: give one"
        raise click.UsageError(message)
    others = algorithms - 1
    return others if all_pairs is False else algorithms * others // 2


def _draw(found: SolvedPlan, to: Path, over: str, power: float | None) -> None:
    from aslib_eval.analysis.plan.instances import curve, over_comparisons
    from aslib_eval.figures.power import (
        power_curve,
        power_profile,
        sizes_over_comparisons,
    )

    if over in {"comparisons", "profile"}:
        wanted = found.power if power is None else power
        sizes, profiles = over_comparisons(found, power=wanted)
        if over == "comparisons":
            sizes_over_comparisons(sizes).save(to)
        else:
            power_profile(profiles, power=wanted).save(to)
        return
    at = found.d if over == "d" else found.n
    drawn = curve(found, over=over)
    power_curve(drawn, at=at, power=found.power).save(to)


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
    from aslib_eval.analysis.compare.question import Question
    from aslib_eval.analysis.plan.instances import plan_scenario

    plan = _plan(options)
    con = taken_lake(options)
    frame, sentences = plan_scenario(
        con, Question(**options), plan=plan, power=power, d=d, difference=difference
    )
    for sentence in sentences:
        say(sentence, err=True)
    return frame


def _rank(options: dict[str, Any]) -> int:
    """Remove the rank from the options; 1 where none is given."""
    rank: int | None = options.pop("rank")
    if rank is not None and options["target"] != "rank":
        message = "--rank needs --target rank"
        raise click.UsageError(message)
    return rank or 1


def _plan(options: dict[str, Any]) -> Plan:
    """Remove the options of the plan; those of a question stay."""
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


# Options of the accuracy of differences on an instance.
_accuracy_options = combine(
    click.option("--se", type=FINITE, required=True, help="Standard error to reach."),
    choice(
        "--difference",
        ("simple", "percent"),
        default="percent",
        about="In the unit of the value, or as a share of a mean.",
    ),
    choice(
        "--pairs",
        ("all", "first"),
        about="All pairs, or the first algorithm against each other one.",
    ),
    choice(
        "--formula",
        ("paper", "delta", "bootstrap"),
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
        ("errors", "runs"),
        about="Standard error of every pair on every instance, or runs by algorithm.",
    ),
)


def _draw_runs(pairs: pl.DataFrame, to: Path | None, draw: str, se: float) -> None:
    from aslib_eval.figures.sampling import runs_of_each, standard_errors

    if to is None:
        return
    chart = runs_of_each(pairs) if draw == "runs" else standard_errors(pairs, se=se)
    chart.save(to)


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


def _programs(
    algorithms: tuple[str, ...], value: str | None, timeout: float
) -> list[Program]:
    from aslib_eval.analysis.plan.runs import NUMBER, Program

    pattern = None if value == "time" else value or NUMBER
    programs = []
    for text in algorithms:
        name, equals, command = text.partition("=")
        if not equals:
            message = f"-a {text} is not NAME=COMMAND"
            raise click.UsageError(message)
        programs.append(Program(name, command, pattern, timeout))
    return programs


@click.command(
    epilog="Example: aslib-eval plan runs -a A='echo 4{seed}' -a B='echo 5{seed}' "
    "--se 0.1 --budget 60 --log runs.csv inst1 inst2"
)
@click.argument("inputs", nargs=-1, required=True, metavar="INSTANCE...")
@_program_options
@_chart_options
@frame_command
def runs(  # noqa: PLR0913
    *,
    inputs: tuple[str, ...],
    algorithms: tuple[str, ...],
    value: str | None,
    timeout: float,
    log: Path,
    jobs: int,
    seed: int,
    chart: Path | None,
    draw: str,
    **accuracy: Any,
) -> pl.DataFrame:
    """Run real programs as often as their differences need to be known."""
    from aslib_eval.analysis.plan.runs import drive

    programs = _programs(algorithms, value, timeout)
    wanted, rng = _accuracy(seed, accuracy)
    with _handle_signals():
        found = drive(
            programs,
            inputs,
            accuracy=wanted,
            log=log,
            seed=seed,
            rng=rng,
            jobs=jobs,
            done=_print_run,
            warn=partial(say, err=True),
        )
    _draw_runs(found, chart, draw, wanted.se)
    return found


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
    type=click.Choice(("plain", "family")),
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
def experiment(  # noqa: PLR0913
    *,
    pool: tuple[str, ...],
    n: int | None,
    d: float | None,
    power: float | None,
    by: str,
    groups: Path | None,
    algorithms: tuple[str, ...],
    value: str | None,
    timeout: float,
    log: Path,
    jobs: int,
    seed: int,
    maximise: bool,
    means: Path | None,
    chart: Path | None,
    draw: str,
    **options: Any,
) -> pl.DataFrame:
    """Plan, draw instances at random, run programs, and test: all of it at once.

    Stopped and started again it goes on where it was: the seed decides what is drawn.
    """
    from aslib_eval.analysis.plan.experiment import draw as drawn_of
    from aslib_eval.analysis.plan.experiment import experiment as run
    from aslib_eval.analysis.plan.instances import solve
    from aslib_eval.atomic_files import replace_file
    from aslib_eval.statistics.power import Plan
    from aslib_eval.statistics.standard_errors import pairs_of

    programs = _programs(algorithms, value, timeout)
    rank = _rank(options)
    names = ("test", "alternative", "target", "alpha", "correction")
    planned = {name: options.pop(name) for name in names}
    wanted, rng = _accuracy(seed, options)
    comparisons = len(pairs_of(len(programs), wanted.pairs))
    if power is None and (n is None or d is None):
        power = 0.8
    plan = solve(
        Plan(comparisons=comparisons, rank=rank, **planned), n=n, d=d, power=power
    )
    drawn = drawn_of(pool, n=plan.n, seed=seed, families=_families(pool, by, groups))
    with _handle_signals():
        found = run(
            programs,
            drawn,
            plan=plan,
            accuracy=wanted,
            log=log,
            seed=seed,
            maximise=maximise,
            rng=rng,
            jobs=jobs,
            done=_print_run,
            warn=partial(say, err=True),
        )
    for sentence in found.sentences:
        say(sentence, err=True)
    if means is not None:
        replace_file(means, found.as_table(maximise=maximise))
    _draw_runs(found.pairs, chart, draw, wanted.se)
    return found.steps


def _families(pool: tuple[str, ...], by: str, groups: Path | None) -> list[str] | None:
    """The family of each instance; None where nothing is to be stratified."""
    if by == "plain":
        if groups is not None:
            message = "--groups needs --by family"
            raise click.UsageError(message)
        return None
    from aslib_eval.analysis.random_splits import families_of

    return families_of(pool, groups)


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


def _print_run(row: dict[str, Any]) -> None:
    text = f"{row['instance']} {row['algorithm']} {row['run']}: {row['value']:g}"
    say(text, err=True)


def _accuracy(seed: int, words: dict[str, Any]) -> tuple[Accuracy, Any]:
    import numpy as np

    from aslib_eval.statistics.adaptive_sampling import Accuracy

    return Accuracy(**words), np.random.default_rng(seed)


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
def replay(*, seed: int, chart: Path | None, draw: str, **options: Any) -> pl.DataFrame:
    """Play recorded repetitions back: how many of them would have sufficed."""
    from aslib_eval.analysis.plan.runs import replay as run

    con = taken_lake(options)
    wanted, rng = _accuracy(seed, options)
    frame, pairs, sentences = run(con, accuracy=wanted, rng=rng)
    for sentence in sentences:
        say(sentence, err=True)
    _draw_runs(pairs, chart, draw, wanted.se)
    return frame


@click.command(
    epilog="Example: aslib-eval plan solver --scenario 'SAT*' --by wins --alpha 0.1"
)
@lake_options
@choice(
    "--by",
    ("mean", "wins"),
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
    ("summary", "pairs", "order"),
    about="What is saved and how often it errs, each pair, or the order in which to "
    "run a new solver against --incumbent.",
)
@frame_command
def solver(*, show: str, by: Any, seed: int, **options: Any) -> pl.DataFrame:
    """On how few instances a new solver can be told from an incumbent."""
    from aslib_eval.analysis.plan import challengers

    con = taken_lake(options)
    if show == "order":
        if not options["incumbent"]:
            message = "--show order needs --incumbent"
            raise click.UsageError(message)
        own = options["incumbent"]
        return challengers.instance_order(con, incumbent=own, by=by, seed=seed)
    found = challengers.plan_solver(con, by=by, seed=seed, **options)
    for note in challengers.replay_notes(found):
        say(note, err=True)
    return challengers.replay_summary(found) if show == "summary" else found


@click.group()
def plan() -> None:
    """How many instances and how many runs an experiment needs."""


for command in (instances, scenario, solver, runs, replay, experiment):
    plan.add_command(command)
