"""``aslib-eval compare``: tests, effects and intervals of pairs of solvers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from aslib_eval.cli.options import (
    BY,
    FINITE,
    SEED,
    Registered,
    Words,
    choice,
    file_option,
    frame_command,
    lake_options,
    note,
    question_options,
)
from aslib_eval.plugins import Registry
from aslib_eval.words import Alternative, CompareDraw, CompareShow

if TYPE_CHECKING:
    import polars as pl

_EXAMPLE = "Example: aslib-eval compare --scenario 'SAT*' --versus zilla --chart cd.svg"
_OURS = ("wilcoxon", "t", "sign", "nemenyi", "bonferroni-dunn", "corrected-t")
# Names alone: what they mean is loaded when they are asked for.
TESTS = Registry("tests", dict.fromkeys(_OURS), lambda *_: None)


@click.command(epilog=_EXAMPLE)
@lake_options
@question_options
@BY
@click.option(
    "--test",
    type=Registered("cli.compare", "TESTS"),
    show_default="wilcoxon; corrected-t over folds",
    help="Which test.",
)
@choice(
    "--alternative",
    Alternative,
    about="better: only whether --versus is.",
)
@click.option("--joint", is_flag=True, help="Intervals that hold all at once.")
@click.option(
    "--seed", type=SEED, default=1, show_default=True, help="Of the bootstrap."
)
@choice(
    "--show",
    CompareShow,
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
    type=Words(CompareDraw),
    show_default="intervals with --versus, else ranks",
    help="Critical-difference diagram, differences with their intervals, or how near "
    "to normal their resampled means are.",
)
@click.option("--highlight", metavar="NAME", help="Point out one in the diagram.")
@frame_command
def compare(**options: Any) -> pl.DataFrame:
    """Compare solvers: test, effect and interval of every pair, and a sentence.

    The sentence goes to stderr. Repetitions of an instance are averaged, folds are
    corrected for: n counts what is independent. Instances that nobody solves are ties.
    """
    from aslib_eval.commands.comparing import compare as run

    return run(**options, note=note).frame
