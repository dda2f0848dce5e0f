"""Who is compared: the kind of solver asked for, or the one that suits the lake."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aslib_eval.analysis.kinds import is_usual, usual_kind
from aslib_eval.comparison.questions import Kind, Question

if TYPE_CHECKING:
    import polars as pl


def possible(question: Question) -> tuple[str, ...]:
    """The kinds that may be compared, before it is known what the lake holds."""
    if question.kind is None:
        return "algorithm", "selector"
    if question.kind == "all":
        return "algorithm", "selector", "baseline"
    return (question.kind,)


def of_kind(frame: pl.DataFrame, question: Question) -> tuple[pl.DataFrame, Kind]:
    """The rows of who is compared and of ``versus``; and which kind that is at most.

    Not asked for one: in each scenario selectors where there are any, else algorithms,
    as in a sweep; over scenarios one kind in all.
    """
    import polars as pl

    kind = question.kind or usual_kind(frame["kind"])
    if kind == "all":
        return frame, kind
    mine = pl.col("kind") == kind
    if question.kind is None and question.unit != "scenarios":
        mine = is_usual()
    return frame.filter(mine | (pl.col("solver") == (question.versus or ""))), kind


def nothing(question: Question, kind: Kind) -> tuple[str, None, str]:
    """What to say where nobody is left to compare: message, place and hint."""
    one = question.versus
    who = "systems" if kind == "all" else f"{kind}s"
    what = f"no two {who}" if one is None else f"no {who} to hold {one} against"
    message = f"{what} with {question.metric} over {question.unit}"
    choose = "choose another --kind" + ("" if one else ", or hold one --versus SBS")
    return message, None, f"See 'aslib-eval score', {choose}."
