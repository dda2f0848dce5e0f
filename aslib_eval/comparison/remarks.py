"""What a reader must know of the values before believing n."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from aslib_eval.comparison.questions import Question

if TYPE_CHECKING:
    import polars as pl


def population_remarks(part: pl.DataFrame, question: Question) -> Iterator[str]:
    """Sentences without a full stop, for the population that is compared."""
    if question.unit == "instances" and part["n_values"].max() != 1:
        yield "the repetitions of an instance are averaged: they are not independent"
    if question.unit == "instances" and "selector" in set(part["kind"]):
        yield "a selector's folds share training instances, which n does not show"
    if question.unit == "folds":
        yield "folds share training instances, so they are not independent"
    if question.unit == "scenarios" and question.declared.unit_bound:
        yield (
            f"{question.metric} has the unit and cutoff of each scenario: "
            "the largest ones decide"
        )
    virtual = {"SBS", "VBS", "VWS"} & set(part.filter(kind="baseline")["solver"])
    if virtual and question.unit != "folds":
        names = ", ".join(sorted(virtual))
        yield f"on these same instances was chosen who is {names}"
