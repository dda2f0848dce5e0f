"""``aslib-eval plan runs`` and ``plan replay``: how many runs on an instance."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from aslib_eval.cli.numbers import COUNT, FINITE
from aslib_eval.cli.options import (
    choice,
    file_option,
    frame_command,
    lake_options,
    taken_lake,
    together,
)
from aslib_eval.cli.saying import say

if TYPE_CHECKING:
    import polars as pl

    from aslib_eval.statistics.repetitions import Accuracy

# How well differences on an instance are to be known.
_accuracy_options = together(
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
        "--seed",
        type=click.IntRange(min=0),
        default=1,
        show_default=True,
        help="Same seed, same runs.",
    ),
)


@click.command(
    epilog="Example: aslib-eval plan runs -a A='./a {instance} {seed}' "
    "-a B='./b {instance}' --se 0.05 --budget 200 --log runs.csv inst1 inst2"
)
@click.argument("inputs", nargs=-1, required=True, metavar="INSTANCE...")
@click.option(
    "-a",
    "--algorithm",
    "algorithms",
    multiple=True,
    required=True,
    metavar="NAME=COMMAND",
    help="Command line with {instance} and {seed}; repeat for each algorithm.",
)
@_accuracy_options
@click.option("--budget", type=COUNT, required=True, help="Most runs on an instance.")
@click.option(
    "--value",
    metavar="REGEX|time",
    help="Where the value stands in the output, or wall-clock time.",
    show_default="the last number",
)
@click.option(
    "--timeout",
    type=FINITE,
    default=3600.0,
    show_default=True,
    help="Most seconds of one run.",
)
@file_option(
    "--log",
    about="CSV that every run is added to, and read from when it goes on.",
    required=True,
)
@frame_command
def runs(
    *,
    inputs: tuple[str, ...],
    algorithms: tuple[str, ...],
    value: str | None,
    timeout: float,
    log: Path,
    seed: int,
    **accuracy: Any,
) -> pl.DataFrame:
    """Run real programs as often as their differences need to be known."""
    from aslib_eval.planning import Program, drive
    from aslib_eval.planning.driver import NUMBER

    pattern = None if value == "time" else value or NUMBER
    programs = []
    for text in algorithms:
        name, equals, command = text.partition("=")
        if not equals:
            message = f"-a {text} is not NAME=COMMAND"
            raise click.UsageError(message)
        programs.append(Program(name, command, pattern, timeout))
    wanted, rng = _accuracy(seed, accuracy)
    with _ended_in_order():
        return drive(
            programs,
            inputs,
            accuracy=wanted,
            log=log,
            seed=seed,
            rng=rng,
            done=_told,
            warn=partial(say, err=True),
        )


@contextmanager
def _ended_in_order() -> Iterator[None]:
    """A signal that ends us ends the running program first, as Ctrl-C does."""

    def leave(number: int, _: object) -> None:
        raise SystemExit(128 + number)

    before = {n: signal.signal(n, leave) for n in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _told(row: dict[str, Any]) -> None:
    text = f"{row['instance']} {row['algorithm']} {row['run']}: {row['value']:g}"
    say(text, err=True)


def _accuracy(seed: int, words: dict[str, Any]) -> tuple[Accuracy, Any]:
    import numpy as np

    from aslib_eval.statistics.repetitions import Accuracy

    return Accuracy(**words), np.random.default_rng(seed)


@click.command(epilog="Example: aslib-eval plan replay --scenario 'TSP*' --se 0.1")
@lake_options
@_accuracy_options
@click.option(
    "--budget", type=COUNT, default=10**9, show_default="all", help="Most runs."
)
@frame_command
def replay(*, seed: int, **options: Any) -> pl.DataFrame:
    """Play recorded repetitions back: how many of them would have sufficed."""
    from aslib_eval.planning import replay as run

    con = taken_lake(options)
    wanted, rng = _accuracy(seed, options)
    frame, sentences = run(con, accuracy=wanted, rng=rng)
    for sentence in sentences:
        say(sentence, err=True)
    return frame
