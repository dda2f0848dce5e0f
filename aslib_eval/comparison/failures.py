"""What failed runs do to a comparison: which rule gave them a value, and what it says.

A run fails where it has no result of its own: a quality that is missing, or whose
status is neither ok nor timeout. An unsolved runtime is no such case: PARk is its
value. Runs that are missing altogether are refused by the import.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from aslib_eval.comparison.questions import Question
from aslib_eval.protocol import counts_as

if TYPE_CHECKING:
    import polars as pl

_NAMED = 5  # so many names before "and others"


def with_failures(part: pl.DataFrame) -> pl.DataFrame:
    """With the columns ``n_lost`` and ``has_failed``: runs that failed, and whether.

    Both are 0 for runtimes, and for selectors and baselines, which have no runs.
    """
    import polars as pl

    quality = pl.col("measure_type") == "solution_quality"
    lost = pl.when(quality).then(pl.col("n_failed")).cast(pl.Int64).fill_null(0)
    part = part.with_columns(lost.alias("n_lost"))
    return part.with_columns((pl.col("n_lost") > 0).alias("has_failed"))


def failure_remarks(part: pl.DataFrame, question: Question) -> Iterator[str]:
    """Who failed how often, and what that counts as."""
    failed = part.filter("has_failed")
    rule, value = part.select("failures", "failure_value").row(0)
    if not failed.height or (rule == "left_out" and question.unit == "instances"):
        return  # left_out_remark says it with the number of units
    named = _named(failed, question)
    if rule == "left_out":
        yield f"failed runs ({named}) have no value and are left out"
    else:
        yield f"each failed run ({named}) counts as {counts_as(rule, value)}"


def left_out_remark(part: pl.DataFrame, question: Question, *, lost: int) -> str:
    """Why units were left out of the comparison, and whom that may favour."""
    text = f"{lost} {question.unit} without a value of everyone left out"
    failed = part.filter("has_failed")
    if question.unit != "instances" or not failed.height:
        return text
    if part["failures"][0] == "left_out":
        named = _named(failed, question)
        return f"{text}, on which runs failed ({named}): that favours who fails"
    return f"{text}: every run failed there"


def nobody_complete(
    part: pl.DataFrame, question: Question
) -> tuple[str, str | None, str] | None:
    """Message, place and hint where failures leave no instance; None if others do."""
    if question.unit != "instances" or question.metric != "cost":
        return None
    part = with_failures(part)
    failed = part.filter("has_failed")
    if not failed.height or part["solver"].n_unique() < 2:  # noqa: PLR2004
        return None
    n = part["replicate"].n_unique()
    place = str(part["scenario_id"][0])
    if not part["value"].drop_nulls().len():
        message = f"every run failed: none of the {n} instances has a value"
        return message, place, "There is nothing to compare."
    if failed["replicate"].n_unique() < n:
        return None
    message = f"on each of the {n} instances a run failed, so that none is left"
    hint = "Let the protocol give failures a value: failures = 'beyond_worst'."
    return message, place, hint


def _named(failed: pl.DataFrame, question: Question) -> str:
    """Such as ``A 3 on 2 instances, B 1 on 1 instance``, those with most first."""
    import polars as pl

    counted = (
        failed.group_by("solver")
        .agg(
            runs=pl.col("n_lost").sum(),
            most=pl.col("n_lost").max(),
            units=pl.col("replicate").n_unique(),
        )
        .sort(["runs", "solver"], descending=[True, False])
    )
    said = []
    for name, runs, most, units in counted.head(_NAMED).iter_rows():
        if question.unit == "instances":
            said.append(f"{name} {runs} on {units} instance{'s' if units > 1 else ''}")
        else:  # each row has the number of its whole scenario
            said.append(f"{name} {runs if question.unit == 'scenarios' else most}")
    if counted.height > _NAMED:
        said.append(f"{counted.height - _NAMED} more")
    return ", ".join(said)
